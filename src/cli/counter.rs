//! Model counters on a formula, which they get as a temporary DIMACS file.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use hamcnf::count::external::{
    self, ApproxMc, Counter, ExternalError, Fetch, Ganak, Outcome, Places, Request, Seed,
    Whereabouts,
};
use hamcnf::method::Engine;
use hamcnf::solve::external::Availability;
use hamcnf::temporary::Temporary;
use hamcnf::{Clauses, ProjectionFormat};
use rustsat::types::Var;

use super::formula::{Counted, Heading};
use super::interrupt::Hold;
use super::loudness::note;
use super::progress::{Progress, aside};

/// Tolerance of an estimate unless another is given.
const EPSILON: f64 = 0.8;

/// Setting for the confidence.
const DELTA: f64 = 0.2;

/// How good an estimate of ApproxMC has to be.
#[derive(clap::Args)]
pub(crate) struct Approximation {
    /// The tolerance: within a factor of 1 + epsilon (approxmc) [default: 0.8]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    epsilon: Option<f64>,
    /// The confidence: with probability 1 - delta (approxmc) [default: 0.2]
    #[arg(long, value_name = "D", allow_negative_numbers = true)]
    delta: Option<f64>,
}

impl Approximation {
    /// The tolerance as it goes into a method's settings.
    pub(crate) fn epsilon_text(&self) -> Option<String> {
        self.epsilon.map(|epsilon| epsilon.to_string())
    }

    /// The confidence in the same way.
    pub(crate) fn delta_text(&self) -> Option<String> {
        self.delta.map(|delta| delta.to_string())
    }

    pub(crate) fn epsilon(&self) -> f64 {
        self.epsilon.unwrap_or(EPSILON)
    }

    pub(crate) fn delta(&self) -> f64 {
        self.delta.unwrap_or(DELTA)
    }

    /// The first of its options that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [(self.epsilon, "--epsilon"), (self.delta, "--delta")];
        options
            .into_iter()
            .find_map(|(value, option)| value.map(|_| option))
    }

    pub(crate) fn approxmc(&self, seed: u64) -> anyhow::Result<Counter> {
        let settings = ApproxMc::new(self.epsilon(), self.delta(), checked(seed)?)?;
        Ok(Counter::ApproxMc(settings))
    }
}

pub(crate) fn ganak(seed: u64) -> anyhow::Result<Counter> {
    let seed = checked(seed)?;
    Ok(Counter::Ganak(Ganak { seed }))
}

/// Whether the network may be used.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct Network {
    /// Never fetch a model counter: without this, approxmc and ganak are fetched from PyPI, once, where they are
    /// not on the PATH, into the folder HAMCNF_CACHE, or else hamcnf/ in the user's cache folder; on a terminal
    /// you are asked before
    #[arg(long)]
    offline: bool,
}

impl Network {
    /// Whether a counter may be fetched, where it is not there yet. On a terminal the user is asked; where
    /// nobody can be asked it may.
    pub(crate) fn permit(self, counter: Counter) -> anyhow::Result<Fetch> {
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
                "there is no {program} on the PATH, and --offline is given: \
                 install {program}, or run without --offline"
            ),
            Err(error) => return Err(error.into()),
        };
        let (name, folder) = (&package.name, package.folder.display());
        if self.offline {
            bail!(
                "there is no {program} on the PATH, and no {name} in {folder}, and --offline is given: \
                 install {program}, or run without --offline"
            );
        }
        let question =
            format!("{counter} is not on the PATH. Fetch {name} from PyPI into {folder}? [Y/n] ");
        if says_yes(&question)? {
            return Ok(Fetch::Allowed);
        }
        bail!("{counter} is not fetched: install {program}, so that it is on the PATH");
    }

    /// The same for all counters that children will need, each asked about once and fetched if need be, so that no
    /// child has to.
    pub(crate) fn permit_all(
        self,
        counters: impl Iterator<Item = Counter>,
    ) -> anyhow::Result<Fetch> {
        let mut asked: Vec<&str> = Vec::new();
        for counter in counters {
            if asked.contains(&counter.program()) {
                continue;
            }
            asked.push(counter.program());
            if self.permit(counter)? == Fetch::Allowed {
                let hold = Hold::new();
                let places = Places::from_environment();
                // Here, so that it takes no time of a run.
                external::fetch(counter, &places, hold.stop(), &mut note)?;
            }
        }
        Ok(Fetch::Never)
    }
}

impl Network {
    /// Fetches what engines need, each asked about once.
    pub(crate) fn set_up<'e>(
        self,
        engines: impl Iterator<Item = &'e Engine>,
    ) -> anyhow::Result<()> {
        let mut seen: Vec<&Engine> = Vec::new();
        for name in engines {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let Some(engine) = name.engine() else {
                bail!("there is no engine {name}");
            };
            let hold = Hold::new();
            match engine.availability(hold.stop())? {
                Availability::Ready { .. } => continue,
                Availability::NotSetUp => {}
                Availability::Missing => bail!(
                    "the engine {name} is not installed: there is no {}; {}",
                    engine.program(),
                    engine.install()
                ),
            }
            let needs = engine.install();
            if self.offline {
                bail!(
                    "the engine {name} has not been set up, and --offline is given: it needs {needs}"
                );
            }
            let can_ask = io::stdin().is_terminal() && io::stderr().is_terminal();
            let question = format!("The engine {name} needs {needs}. Fetch it? [Y/n] ");
            if can_ask && !says_yes(&question)? {
                bail!("the engine {name} is not set up");
            }
            engine.set_up(hold.stop(), &mut note)?;
        }
        Ok(())
    }
}

/// Asks on the terminal. Nothing but Enter is a yes; the end of input is none.
fn says_yes(question: &str) -> io::Result<bool> {
    let mut answer = String::new();
    // Until it is answered nothing else is shown.
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
        Err(_) => bail!("the seed is {seed}: a model counter takes 2147483647 at most"),
    }
}

/// Counts the values of a projection set, or of all variables without one, in the models of a formula that
/// messages call so.
pub(crate) fn run(
    counter: Counter,
    formula: &impl Clauses,
    name: &str,
    set: Option<&[Var]>,
    time_limit: Option<f64>,
    network: Network,
) -> anyhow::Result<Outcome> {
    let fetch = network.permit(counter)?;
    let began = Instant::now();
    let mut file = Temporary::for_a_child(".cnf").context("cannot write a temporary file")?;
    let heading = Heading {
        projection: set.map(|set| (ProjectionFormat::Show, set)),
        ..Heading::default()
    };
    let counted = Counted::new(formula, name.to_owned());
    let written = counted.write(&heading, BufWriter::new(file.file_mut()));
    let written = written
        .map_err(anyhow::Error::from)
        .and_then(|mut out| Ok(out.flush()?));
    let path = file.file().path();
    written.with_context(|| format!("cannot write {}", path.display()))?;
    let hold = Hold::new();
    // What is left of it after the formula has been written.
    let limit = time_limit.map(Duration::from_secs_f64);
    let time_limit = limit.map(|limit| limit.saturating_sub(began.elapsed()));
    if time_limit.is_some_and(|left| left.is_zero()) {
        let wall_seconds = began.elapsed().as_secs_f64();
        return Ok(Outcome::TimedOut { wall_seconds });
    }
    let request = Request {
        file: path,
        counter,
        time_limit,
        places: &Places::from_environment(),
        fetch,
        stop: hold.stop(),
    };
    let _progress = Progress::new(format_args!("{name}: {counter} counts"));
    Ok(external::run(&request, &mut note)?)
}

/// What is said of a counter that the time limit stopped.
pub(crate) fn out_of_time(counter: Counter, wall_seconds: f64) -> String {
    format!("{counter} has no answer after {wall_seconds:.1} s, the time limit")
}
