//! A run in a process of its own: `hamcnf` again, with other arguments.

use std::path::PathBuf;
use std::process::{Command, ExitStatus, id};
use std::time::Duration;

use crate::count::external::Fetch;
use crate::process::{self, End, Options};
use crate::stop::Stop;

/// What all runs have in common.
#[derive(Clone, Debug)]
pub struct Host {
    /// The program `hamcnf`.
    pub hamcnf: PathBuf,
    /// Whether runs may fetch model counters.
    pub fetch: Fetch,
    /// Stops the run that is under way when it is set.
    pub stop: Stop,
}

impl Host {
    /// With this program, without other limits.
    #[must_use]
    pub fn new(hamcnf: PathBuf) -> Self {
        Self {
            hamcnf,
            fetch: Fetch::Allowed,
            stop: Stop::default(),
        }
    }
}

/// How a child process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself.
    Itself {
        /// Its exit code or signal.
        status: ExitStatus,
        /// What it wrote to standard output.
        output: String,
        /// What it wrote to standard error.
        messages: String,
    },
    /// It was killed, as it kept its time limit neither then nor a while after.
    Killed {
        /// Wall seconds that it ran.
        wall: Duration,
    },
    /// The host's flag stopped it.
    Stopped,
    /// It could not be started or waited for.
    Failed(String),
}

/// Set in the environment of a run to the process that started it: the run is to end when that ends, however it
/// does.
pub const WITH_PARENT: &str = "HAMCNF_WITH_PARENT";

/// From being asked to end until it is killed: what a run takes to end what it has started, and to remove its
/// files.
const GRACE: Duration = Duration::from_secs(2);

/// Runs `hamcnf` with these arguments and this on standard input. A process that is to keep a time limit of so
/// many wall seconds is ended, with all that it has started, if it has not ended 30 seconds after twice that
/// time.
#[must_use]
pub fn run(host: &Host, args: &[String], input: &[u8], time_limit: Option<f64>) -> Ended {
    if host.stop.is_set() {
        return Ended::Stopped;
    }
    let mut command = Command::new(&host.hamcnf);
    command.args(args).env(WITH_PARENT, id().to_string());
    let options = Options {
        input,
        time_limit: time_limit.map(|limit| Duration::from_secs_f64(2.0 * limit + 30.0)),
        grace: GRACE,
        stop: &host.stop,
    };
    match process::run(command, &options, &mut |_| ()) {
        Ok(ended) => match ended.end {
            End::Itself(status) => Ended::Itself {
                status,
                output: ended.stdout,
                messages: ended.stderr,
            },
            End::Late => Ended::Killed { wall: ended.wall },
            End::Stopped => Ended::Stopped,
        },
        Err(error) => Ended::Failed(format!("cannot run {}: {error}", host.hamcnf.display())),
    }
}
