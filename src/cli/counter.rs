//! Installation of external programs, after asking the user.

use std::io::{self, IsTerminal, Write};

use anyhow::bail;
use hamcnf::engine::{EngineError, Problem};
use hamcnf::method::Engine;

use super::interrupt::Hold;
use super::progress::aside;
use super::verbosity::note;

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
    /// Sets up missing engines, after asking the user once per engine. Therefore no run's time includes a download.
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
            match engine.version(hold.stop()) {
                Ok(_) => continue,
                Err(EngineError { problem: Problem::NotSetUp { .. }, .. }) => {}
                Err(error) => return Err(error.into()),
            }
            let needs = &engine.install;
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
