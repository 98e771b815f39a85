//! Counting by external model counters: ApproxMC, which estimates, and Ganak, which counts exactly. Both count the
//! different assignments that the models of a DIMACS file give to the variables in a projection set.
//!
//! ApproxMC splits the models into cells by random parity constraints, and counts one cell. With probability at least
//! 1 − δ, the estimate is within a factor of 1 + ε. Ganak searches, and caches the count of each component of the
//! formula under a hash of the component. Its count is exact unless a hash collision occurs, which is far less likely
//! than a hardware failure.
//!
//! If the search path has a program `approxmc` or `ganak`, this module runs the program. Otherwise python3 runs
//! `scripts/count-models`, which is part of this library and fetches the authors' packages from PyPI once, into a
//! separate folder. A program must understand the file's projection line: old versions of both counters know only
//! `c ind`, read `c p show` as a comment, and count over all variables.
//!
//! # References
//!
//! - Supratik Chakraborty, Kuldeep S. Meel, Moshe Y. Vardi: *A Scalable Approximate Model Counter*, CP 2013.
//! - Mate Soos, Kuldeep S. Meel: *BIRD: Engineering an Efficient CNF-XOR SAT Solver and Its Applications to
//!   Approximate Model Counting*, AAAI 2019.
//! - Shubham Sharma, Subhajit Roy, Mate Soos, Kuldeep S. Meel: *GANAK: A Scalable Probabilistic Exact Model
//!   Counter*, IJCAI 2019.

mod answer;

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::Duration;

use num_bigint::BigUint;

pub use answer::{AnswerError, Cell, Reading, read};

use crate::cancellation::CancellationToken;
use crate::limits::{Limit, Limits};
use crate::process::{self, End};

/// Model counter with its settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ModelCounter {
    /// Approximate counter with (ε, δ) bounds.
    ApproxMc(ApproxMc),
    /// Exact counter, up to hash collisions.
    Ganak(Ganak),
}

impl ModelCounter {
    /// Returns the name of the counter's program.
    #[must_use]
    pub fn program(&self) -> &'static str {
        match self {
            Self::ApproxMc(_) => "approxmc",
            Self::Ganak(_) => "ganak",
        }
    }

    /// Returns the guarantee that the counter gives for its result.
    #[must_use]
    pub fn guarantee(&self) -> Guarantee {
        match *self {
            Self::ApproxMc(ApproxMc { epsilon, delta, .. }) => Guarantee::Approximate { epsilon, delta },
            Self::Ganak(_) => Guarantee::Exact,
        }
    }

    /// Returns the settings as command-line arguments. The program and the script `count-models` accept the same
    /// arguments.
    fn args(&self) -> Vec<String> {
        let seed = |Seed(seed)| ["--seed".to_owned(), seed.to_string()];
        match *self {
            Self::ApproxMc(settings) => {
                let factor = ["--epsilon".to_owned(), settings.epsilon.to_string()];
                let chance = ["--delta".to_owned(), settings.delta.to_string()];
                [factor, chance, seed(settings.seed)].concat()
            }
            Self::Ganak(settings) => seed(settings.seed).to_vec(),
        }
    }
}

/// Writes the counter's name in its authors' spelling.
impl fmt::Display for ModelCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ApproxMc(_) => "ApproxMC",
            Self::Ganak(_) => "Ganak",
        })
    }
}

/// Settings of ApproxMC.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ApproxMc {
    epsilon: f64,
    delta: f64,
    seed: Seed,
}

impl ApproxMc {
    /// Default settings of ApproxMC: within a factor of 1.8 with probability at least 0.8.
    pub const DEFAULT: Self = Self { epsilon: 0.8, delta: 0.2, seed: Seed::DEFAULT };

    /// Creates settings for an estimate within a factor of 1 + `epsilon` with probability at least 1 − `delta`.
    ///
    /// # Errors
    ///
    /// [`SettingError`] unless 0 < `epsilon` and 0 < `delta` < 1.
    pub fn new(epsilon: f64, delta: f64, seed: Seed) -> Result<Self, SettingError> {
        if !(epsilon > 0.0 && epsilon.is_finite()) {
            return Err(SettingError::Epsilon(epsilon));
        }
        if !(delta > 0.0 && delta < 1.0) {
            return Err(SettingError::Delta(delta));
        }
        Ok(Self { epsilon, delta, seed })
    }
}

impl Default for ApproxMc {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Settings of Ganak.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ganak {
    /// Seed of the hashes and the search. It affects the running time, not the count.
    pub seed: Seed,
}

impl Ganak {
    /// Settings with the default seed.
    pub const DEFAULT: Self = Self { seed: Seed::DEFAULT };
}

/// Random seed from 0 to 2³¹ − 1: the programs read it as a C `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seed(u32);

impl Seed {
    /// Default seed of ApproxMC.
    pub const DEFAULT: Self = Self(1);
}

impl Default for Seed {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl TryFrom<u32> for Seed {
    type Error = SettingError;

    fn try_from(seed: u32) -> Result<Self, SettingError> {
        if i32::try_from(seed).is_ok() { Ok(Self(seed)) } else { Err(SettingError::Seed(seed)) }
    }
}

/// Error for an invalid setting.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SettingError {
    /// Epsilon is not a finite number above 0.
    #[error("\"epsilon\" is {0}, but must be above 0")]
    Epsilon(f64),
    /// Delta is not strictly between 0 and 1.
    #[error("\"delta\" is {0}, but must be between 0 and 1")]
    Delta(f64),
    /// The seed is above 2147483647.
    #[error("the seed is {0}, but must be at most 2147483647")]
    Seed(u32),
}

/// Search path for programs, and folder for fetched packages.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Search path for programs, in the format of `PATH`. The counter runs with this value as its `PATH`.
    pub path: OsString,
    /// Folder for the packages from PyPI. `None` means `HAMCNF_CACHE` if set, or else `hamcnf` in the
    /// user's cache folder.
    pub cache: Option<PathBuf>,
}

impl Places {
    /// Uses the `PATH` of this process as search path, and the default folder for packages.
    #[must_use]
    pub fn from_environment() -> Self {
        Self { path: std::env::var_os("PATH").unwrap_or_default(), cache: None }
    }

    /// Finds the first executable file with this name on the search path.
    fn find(&self, program: &str) -> Option<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        std::env::split_paths(&self.path)
            .map(|folder| folder.join(program))
            .find(|path| fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0))
    }
}

/// Request to run a model counter on a formula.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// DIMACS CNF file. It has at most one projection line; without this line, the counter counts over all variables.
    pub file: &'a Path,
    pub counter: ModelCounter,
    /// Limits of counting, excluding the time to fetch a package.
    pub limits: Limits,
    pub places: &'a Places,
    /// Permission to fetch a missing package.
    pub fetch: Fetch,
    /// Cancellation token; when it is set, the counter and all its processes end.
    pub stop: &'a CancellationToken,
}

/// Permission to fetch a package from PyPI.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fetch {
    /// The package is fetched if it is missing.
    #[default]
    Allowed,
    /// The network is not used.
    Never,
}

/// Location from which a model counter can be run or fetched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Whereabouts {
    /// Path of a program that was found on the search path.
    Program(PathBuf),
    /// Package that has been fetched from PyPI.
    Fetched(Package),
    /// Package on PyPI that has not been fetched yet.
    OnPypi(Package),
}

/// Package on PyPI, published by the authors of a counter, and its folder on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// Name and version of the package.
    pub name: String,
    pub folder: PathBuf,
}

/// Outcome of a run of a model counter.
#[derive(Clone, PartialEq, Debug)]
pub enum CountingResult {
    Counted(ModelCount),
    /// The time limit was reached before the counter had an answer. All processes of the counter have ended.
    TimedOut {
        /// Wall seconds that the counter ran.
        wall_seconds: f64,
    },
}

/// Count that a model counter returned.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelCount {
    /// Number of different assignments that the models give to the projection set. Without a projection line, the set
    /// contains all variables.
    pub count: BigUint,
    pub guarantee: Guarantee,
    /// Origin of ApproxMC's estimate, if ApproxMC printed it.
    pub cell: Option<Cell>,
    /// Version or commit of the counter; `None` if not printed.
    pub version: Option<String>,
    pub source: Source,
    /// Wall seconds from the start of the counter to its end.
    pub wall_seconds: f64,
    pub cpu_seconds: f64,
}

/// Guarantee that a model counter gives for its count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Guarantee {
    /// The count is exact.
    Exact,
    /// The count is within a factor of 1 + `epsilon` of the exact number, with probability at least 1 − `delta`.
    Approximate {
        /// Tolerance of the count, greater than 0.
        epsilon: f64,
        /// Maximum probability that the count is not within this factor; strictly between 0 and 1.
        delta: f64,
    },
}

/// Origin of the model counter that was run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// Path of a program that was found on the search path.
    Program(PathBuf),
    /// Package on PyPI, published by the authors of the counter.
    Pypi,
}

/// Reason why a run returned no count. The message names the counter, and ends with the counter's own message if there
/// is one.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// The formula's file cannot be read.
    #[error("cannot read {}: {error}", .file.display())]
    File {
        /// Path as given in the request.
        file: PathBuf,
        error: io::Error,
    },
    /// Neither the counter nor python3, which could fetch the counter, is installed.
    #[error("neither {program} nor python3 (to fetch {counter} from PyPI) is on the PATH; install one of them")]
    Missing {
        counter: ModelCounter,
        /// Name of the counter's program.
        program: &'static str,
    },
    /// The counter is missing, and its package may not be fetched.
    #[error("{program} is not on the PATH, and its package has not been fetched from PyPI; install {program}")]
    NotFetched {
        /// Name of the counter's program.
        program: &'static str,
    },
    /// The cancellation token was set.
    #[error("{0} was stopped")]
    Stopped(ModelCounter),
    /// The package could not be fetched.
    #[error("cannot install {counter} from PyPI: {message}")]
    SetUp {
        counter: ModelCounter,
        /// Error message of the script.
        message: String,
    },
    /// The program did not start, or waiting for it failed.
    #[error("cannot run {counter} as {}: {error}", .program.display())]
    Run {
        counter: ModelCounter,
        /// Path of the program that was run.
        program: PathBuf,
        error: io::Error,
    },
    /// The counter failed or was killed.
    #[error("{counter} failed ({status}): {message}")]
    Failed {
        counter: ModelCounter,
        /// Exit code or signal of the counter.
        status: ExitStatus,
        /// Last line of the counter's output.
        message: String,
    },
    /// The counter was terminated because its output was too long.
    #[error("{counter} gave no count: {}", process::too_much())]
    TooMuch {
        /// Counter that was run.
        counter: ModelCounter,
    },
    /// The counter exited successfully, but its output has no count.
    #[error("{counter} {error}; last line of its output: {message}")]
    ModelCount {
        counter: ModelCounter,
        error: AnswerError,
        /// Last line of the counter's output.
        message: String,
    },
}

/// Script that fetches packages from PyPI and runs them. Python3 reads the script from standard input.
const SCRIPT: &str = include_str!("../../../embedded/count-models");

/// Time limit for fetching a package. This normally takes seconds; the limit ends connections that hang silently.
const SET_UP_LIMIT: Duration = Duration::from_secs(600);

/// Runs a model counter. `progress` receives a line to display when a package is about to be fetched.
///
/// # Errors
///
/// [`ExternalError`] if the counter cannot be run, fails, or prints no count. A count is returned only after the
/// counter has ended successfully.
pub fn run(request: &Request<'_>, progress: &mut dyn FnMut(&str)) -> Result<CountingResult, ExternalError> {
    let Request { counter, places, .. } = *request;
    // Some counters read a missing file as an empty formula.
    let readable = File::open(request.file).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(()),
    });
    readable.map_err(|error| ExternalError::File { file: request.file.to_owned(), error })?;
    let (source, program, mut command, input) = match places.find(counter.program()) {
        Some(program) => {
            let command = Command::new(&program);
            (Source::Program(program.clone()), program, command, "")
        }
        None => {
            let python =
                places.find("python3").ok_or(ExternalError::Missing { counter, program: counter.program() })?;
            set_up(&python, request, progress)?;
            let mut command = script(&python, counter, places);
            command.arg("--with-parent");
            (Source::Pypi, python, command, SCRIPT)
        }
    };
    command.args(counter.args()).env("PATH", &places.path);
    // Joining with "." keeps a name that begins with a dash from being read as an option, and leaves an absolute path
    // unchanged.
    command.arg(Path::new(".").join(request.file));
    let options =
        process::Options { input: input.as_bytes(), limits: request.limits, grace: Duration::ZERO, stop: request.stop };
    let ended =
        process::run(command, &options, &mut |_| ()).map_err(|error| ExternalError::Run { counter, program, error })?;
    let status = match ended.end {
        End::Itself(status) => status,
        End::Limit(limit) => {
            if limit == Limit::Cpu {
                request.stop.expire();
            }
            return Ok(CountingResult::TimedOut { wall_seconds: ended.wall.as_secs_f64() });
        }
        End::Stopped => return Err(ExternalError::Stopped(counter)),
        End::TooMuch => return Err(ExternalError::TooMuch { counter }),
    };
    // ApproxMC writes some of its errors to standard output.
    let message = || last_words(&ended.stderr).or_else(|| last_words(&ended.stdout)).unwrap_or_else(nothing);
    if !status.success() {
        return Err(ExternalError::Failed { counter, status, message: message() });
    }
    let reading = answer::read(&counter, &ended.stdout).map_err(|error| ExternalError::ModelCount {
        counter,
        error,
        message: message(),
    })?;
    Ok(CountingResult::Counted(ModelCount {
        count: reading.count,
        guarantee: counter.guarantee(),
        cell: reading.cell,
        version: reading.version,
        source,
        wall_seconds: ended.wall.as_secs_f64(),
        cpu_seconds: ended.cpu.as_secs_f64(),
    }))
}

/// Finds a counter, or the package that provides it. Does not fetch the package.
///
/// # Errors
///
/// [`ExternalError::Missing`] if neither the program nor python3 is found, and [`ExternalError::SetUp`] if the script
/// fails.
pub fn locate(counter: ModelCounter, places: &Places, stop: &CancellationToken) -> Result<Whereabouts, ExternalError> {
    if let Some(program) = places.find(counter.program()) {
        return Ok(Whereabouts::Program(program));
    }
    let python = places.find("python3").ok_or(ExternalError::Missing { counter, program: counter.program() })?;
    let mut command = script(&python, counter, places);
    command.args(["--check", "--with-parent"]);
    let ended = set_up_step(command, counter, &python, stop, &mut |_| ())?;
    let failed = |message| ExternalError::SetUp { counter, message };
    let package = || {
        let (name, folder) = ended.stdout.trim_end().split_once('\t').ok_or_else(|| {
            let message = last_words(&ended.stderr).unwrap_or_else(nothing);
            failed(format!("{}: {message}", python.display()))
        })?;
        Ok(Package { name: name.to_owned(), folder: folder.into() })
    };
    match ended.status.code() {
        Some(0) => Ok(Whereabouts::Fetched(package()?)),
        Some(NOT_FETCHED) => Ok(Whereabouts::OnPypi(package()?)),
        _ => Err(failed(ended.message())),
    }
}

/// Fetches a counter's package if neither the program nor the package is present.
///
/// # Errors
///
/// [`ExternalError`] if the package cannot be fetched.
pub fn fetch(
    counter: ModelCounter,
    places: &Places,
    stop: &CancellationToken,
    progress: &mut dyn FnMut(&str),
) -> Result<(), ExternalError> {
    if places.find(counter.program()).is_some() {
        return Ok(());
    }
    let program = counter.program();
    let python = places.find("python3");
    let python = python.ok_or(ExternalError::Missing { counter, program })?;
    let request = Request {
        // No file is needed, because nothing is counted.
        file: Path::new(""),
        counter,
        limits: Limits::default(),
        places,
        fetch: Fetch::Allowed,
        stop,
    };
    set_up(&python, &request, progress)
}

/// Creates a command that runs the script with python3 for the given counter. Python runs in isolated mode, so that it
/// does not load modules from the current folder or the user's own folder.
fn script(python: &Path, counter: ModelCounter, places: &Places) -> Command {
    let mut command = Command::new(python);
    command.args(["-I", "-", counter.program()]).env("PATH", &places.path);
    if let Some(cache) = &places.cache {
        command.env("HAMCNF_CACHE", cache);
    }
    command
}

/// Exit code of the script if the counter's package has not been fetched.
const NOT_FETCHED: i32 = 3;

/// Fetches the package if it is missing, in a separate process. Therefore the measured time of the count does not
/// include the time to fetch the package.
fn set_up(python: &Path, request: &Request<'_>, progress: &mut dyn FnMut(&str)) -> Result<(), ExternalError> {
    let counter = request.counter;
    let mut command = script(python, counter, request.places);
    command.args(["--set-up", "--with-parent"]);
    if request.fetch == Fetch::Never {
        command.arg("--offline");
    }
    let ended = set_up_step(command, counter, python, request.stop, progress)?;
    let failed = |message| ExternalError::SetUp { counter, message };
    match ended.status.code() {
        Some(0) => Ok(()),
        Some(NOT_FETCHED) if request.fetch == Fetch::Never => {
            Err(ExternalError::NotFetched { program: counter.program() })
        }
        _ => Err(failed(ended.message())),
    }
}

/// Exit status and output of the script.
struct ScriptOutput {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

impl ScriptOutput {
    /// Returns the script's error message.
    fn message(&self) -> String {
        let message = last_words(&self.stderr).unwrap_or_else(nothing);
        match self.status.code() {
            Some(1) => message,
            _ => format!("{}: {message}", self.status),
        }
    }
}

/// Runs the script for a task other than counting, such as fetching a package.
fn set_up_step(
    command: Command,
    counter: ModelCounter,
    python: &Path,
    stop: &CancellationToken,
    progress: &mut dyn FnMut(&str),
) -> Result<ScriptOutput, ExternalError> {
    let failed = |message: String| ExternalError::SetUp { counter, message };
    let options = process::Options {
        input: SCRIPT.as_bytes(),
        limits: Limits::wall(SET_UP_LIMIT),
        // Time for the script to remove partial downloads.
        grace: Duration::from_secs(1),
        stop,
    };
    let ended = process::run(command, &options, &mut |line| progress(without_name(line)))
        .map_err(|error| failed(format!("cannot run {}: {error}", python.display())))?;
    match ended.end {
        End::Itself(status) => Ok(ScriptOutput { status, stdout: ended.stdout, stderr: ended.stderr }),
        End::Stopped => Err(ExternalError::Stopped(counter)),
        End::TooMuch => Err(failed(process::too_much())),
        End::Limit(_) => Err(failed(format!("the installation took more than {} s", SET_UP_LIMIT.as_secs()))),
    }
}

/// Returns the last nonempty line of a text, or only the end of this line if the line is long.
fn last_words(text: &str) -> Option<String> {
    const LONGEST: usize = 400;
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
    let line = without_name(line);
    Some(match line.char_indices().rev().nth(LONGEST - 1) {
        Some((start, _)) if start > 0 => format!("...{}", &line[start..]),
        _ => line.to_owned(),
    })
}

fn nothing() -> String {
    "no output".to_owned()
}

/// Removes the script's name from the beginning of a message.
fn without_name(line: &str) -> &str {
    line.strip_prefix("count-models: ").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_within_their_bounds() {
        let settings = |epsilon, delta| ApproxMc::new(epsilon, delta, Seed::DEFAULT);
        assert_eq!(settings(0.8, 0.2), Ok(ApproxMc::DEFAULT));
        for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(settings(epsilon, 0.2), Err(SettingError::Epsilon(_))));
        }
        for delta in [0.0, 1.0, -1.0, f64::NAN] {
            assert!(matches!(settings(0.8, delta), Err(SettingError::Delta(_))));
        }
        assert_eq!(Seed::try_from(2_147_483_647), Ok(Seed(2_147_483_647)));
        assert_eq!(Seed::try_from(2_147_483_648), Err(SettingError::Seed(2_147_483_648)));
    }

    #[test]
    fn last_words_are_the_end_of_the_last_line() {
        assert_eq!(last_words(" \n\n"), None);
        assert_eq!(last_words("one\ncount-models: two \n\n"), Some("two".to_owned()));
        let long = format!("a{}b", "é".repeat(500));
        assert_eq!(last_words(&long), Some(format!("...{}b", "é".repeat(399))));
    }
}
