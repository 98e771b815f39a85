//! Counting by model counters: ApproxMC, which estimates, and Ganak, which counts exactly. Both count the
//! values that a projection set takes in the models of a DIMACS file.
//!
//! ApproxMC splits the models into cells by random parity constraints and counts one cell: with probability
//! at least 1 − δ the estimate is within a factor of 1 + ε. Ganak is a search that keeps the counts of the
//! components which it has seen, under hashes of them: exact, but for a collision whose probability is far
//! below that of a broken machine.
//!
//! A program `approxmc` or `ganak` on the search path is used where there is one. Else python3 runs
//! `scripts/count-models`, which is part of this library and fetches the authors' packages from PyPI, once,
//! into a folder of its own. A program has to understand the file's projection line: old versions of both know
//! `c ind` only, take `c p show` for a comment, and count on all variables.
//!
//! # References
//!
//! - Supratik Chakraborty, Kuldeep S. Meel, Moshe Y. Vardi: *A Scalable Approximate Model ModelCounter*, CP 2013.
//! - Mate Soos, Kuldeep S. Meel: *BIRD: Engineering an Efficient CNF-XOR SAT Solver and Its Applications to
//!   Approximate Model Counting*, AAAI 2019.
//! - Shubham Sharma, Subhajit Roy, Mate Soos, Kuldeep S. Meel: *GANAK: A Scalable Probabilistic Exact Model
//!   ModelCounter*, IJCAI 2019.

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
use crate::limits::Limits;
use crate::process::{self, End};

/// A model counter and its settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ModelCounter {
    /// Estimates.
    ApproxMc(ApproxMc),
    /// Counts exactly.
    Ganak(Ganak),
}

impl ModelCounter {
    /// The name of its program.
    #[must_use]
    pub fn program(&self) -> &'static str {
        match self {
            Self::ApproxMc(_) => "approxmc",
            Self::Ganak(_) => "ganak",
        }
    }

    /// What its count is worth.
    #[must_use]
    pub fn guarantee(&self) -> Guarantee {
        match *self {
            Self::ApproxMc(ApproxMc { epsilon, delta, .. }) => {
                Guarantee::Approximate { epsilon, delta }
            }
            Self::Ganak(_) => Guarantee::Exact,
        }
    }

    /// The settings as its program and the script take them.
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

/// The name as its authors write it.
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
    /// Its own: within a factor of 1.8 with probability 0.8 at least.
    pub const DEFAULT: Self = Self {
        epsilon: 0.8,
        delta: 0.2,
        seed: Seed::DEFAULT,
    };

    /// Within a factor of 1 + `epsilon` with probability 1 − `delta` at least.
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
        Ok(Self {
            epsilon,
            delta,
            seed,
        })
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
    /// For its hashes and its search: time depends on it, the count does not.
    pub seed: Seed,
}

impl Ganak {
    /// With the default seed.
    pub const DEFAULT: Self = Self {
        seed: Seed::DEFAULT,
    };
}

/// A random seed, 0 to 2³¹ − 1: the programs read a C `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seed(u32);

impl Seed {
    /// ApproxMC's own, 1.
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
        if i32::try_from(seed).is_ok() {
            Ok(Self(seed))
        } else {
            Err(SettingError::Seed(seed))
        }
    }
}

/// A setting that no counter can have.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SettingError {
    /// The factor would not be above 1, or not a number.
    #[error("epsilon is {0}: it has to be above 0")]
    Epsilon(f64),
    /// Not a probability, or one that means nothing.
    #[error("delta is {0}: it has to be between 0 and 1")]
    Delta(f64),
    /// Too large.
    #[error("the seed is {0}: it can be 2147483647 at most")]
    Seed(u32),
}

/// Where programs are found and packages are kept.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Folders with programs, as in `PATH`; the counter sees the same.
    pub path: OsString,
    /// The folder for the packages from PyPI. Without it that is `HAMCNF_CACHE`, or else `hamcnf` in the
    /// user's cache folder.
    pub cache: Option<PathBuf>,
}

impl Places {
    /// Those of this process's environment.
    #[must_use]
    pub fn from_environment() -> Self {
        Self {
            path: std::env::var_os("PATH").unwrap_or_default(),
            cache: None,
        }
    }

    /// The first program of this name that may be run.
    fn find(&self, program: &str) -> Option<PathBuf> {
        use std::os::unix::fs::PermissionsExt;
        std::env::split_paths(&self.path)
            .map(|folder| folder.join(program))
            .find(|path| {
                fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
            })
    }
}

/// What is to be counted, and how.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// A DIMACS CNF with one projection line, or none for a count on all variables.
    pub file: &'a Path,
    /// Who counts.
    pub counter: ModelCounter,
    /// Wall time for counting; `None` for no limit. Fetching a package is not part of it.
    pub time_limit: Option<Duration>,
    /// Where the counter is.
    pub places: &'a Places,
    /// Whether its package may be fetched where it is not there yet.
    pub fetch: Fetch,
    /// Stops it when it is set, and leaves nothing of it running.
    pub stop: &'a CancellationToken,
}

/// Whether a package may be fetched from PyPI.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fetch {
    /// If it is not there.
    #[default]
    Allowed,
    /// The network is not used.
    Never,
}

/// Where a counter is, or would come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Whereabouts {
    /// A program on the search path.
    Program(PathBuf),
    /// A package that has been fetched.
    Fetched(Package),
    /// A package that has not.
    OnPypi(Package),
}

/// A package of the authors', and where it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Package {
    /// Its name and version.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
}

/// How counting ended.
#[derive(Clone, PartialEq, Debug)]
pub enum CountingResult {
    /// With a count.
    Counted(ModelCount),
    /// The time limit came first. Nothing of the counter is left running.
    TimedOut {
        /// Wall seconds that it ran.
        wall_seconds: f64,
    },
}

/// A count.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelCount {
    /// Values of the projection set in models; of all variables if the file has no projection line.
    pub count: BigUint,
    /// What that number is worth.
    pub guarantee: Guarantee,
    /// Where ApproxMC's estimate comes from, if it says so.
    pub cell: Option<Cell>,
    /// The counter's version or commit; `None` if it does not say.
    pub version: Option<String>,
    /// Where the counter came from.
    pub source: Source,
    /// Wall seconds, from the start of the counter to its end.
    pub wall_seconds: f64,
    /// CPU seconds of the counter.
    pub cpu_seconds: f64,
}

/// What a count is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Guarantee {
    /// It is the number.
    Exact,
    /// It is within a factor of 1 + `epsilon` of the number, with probability 1 − `delta` at least.
    Approximate {
        /// Above 0.
        epsilon: f64,
        /// Between 0 and 1.
        delta: f64,
    },
}

/// Where a counter came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A program on the search path.
    Program(PathBuf),
    /// The authors' package on PyPI.
    Pypi,
}

/// Why there is no count. The messages name the counter, and end in what it said itself.
#[derive(Debug, thiserror::Error)]
pub enum ExternalError {
    /// The formula is not there.
    #[error("cannot read {}: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Neither the counter nor a way to get it.
    #[error(
        "there is no {program} on the PATH, and no python3 to fetch {counter} from PyPI with: \
         install one of the two"
    )]
    Missing {
        /// The counter.
        counter: ModelCounter,
        /// Its program.
        program: &'static str,
    },
    /// The counter is not there, and its package may not be fetched.
    #[error("there is no {program} on the PATH, and its package has not been fetched from PyPI")]
    NotFetched {
        /// The counter's program.
        program: &'static str,
    },
    /// The caller's flag was set.
    #[error("{0} was stopped")]
    Stopped(ModelCounter),
    /// The package could not be fetched.
    #[error("cannot set {counter} up from PyPI: {message}")]
    SetUp {
        /// The counter.
        counter: ModelCounter,
        /// Why.
        message: String,
    },
    /// The program does not start, or cannot be waited for.
    #[error("cannot run {counter} as {}: {error}", .program.display())]
    Run {
        /// The counter.
        counter: ModelCounter,
        /// The program.
        program: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The counter failed, or was killed.
    #[error("{counter} failed ({status}): {message}")]
    Failed {
        /// The counter.
        counter: ModelCounter,
        /// Its exit code or signal.
        status: ExitStatus,
        /// The end of what it said.
        message: String,
    },
    /// The counter was ended since it said more than any count is.
    #[error("{counter} has no count: {}", process::too_much())]
    TooMuch {
        /// The counter.
        counter: ModelCounter,
    },
    /// The counter ended as if it had counted, and its output has no count.
    #[error("{counter} {error}; its last words: {message}")]
    ModelCount {
        /// The counter.
        counter: ModelCounter,
        /// What is wrong with the output.
        error: AnswerError,
        /// The end of what it said.
        message: String,
    },
}

/// The script that runs the packages from PyPI. It is given to python3 on standard input.
const SCRIPT: &str = include_str!("../../../embedded/count-models");

/// Fetching a package takes seconds. This is for a network that lets nothing through and says nothing.
const SET_UP_LIMIT: Duration = Duration::from_secs(600);

/// Counts. `progress` is given a line to show when a package is about to be fetched.
///
/// # Errors
///
/// [`ExternalError`]: no count that the counter is not known to have made is ever returned.
pub fn run(
    request: &Request<'_>,
    progress: &mut dyn FnMut(&str),
) -> Result<CountingResult, ExternalError> {
    let Request {
        counter, places, ..
    } = *request;
    // Some counters take a file that is not there for an empty formula.
    let readable = File::open(request.file).and_then(|file| match file.metadata()?.is_dir() {
        true => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(()),
    });
    readable.map_err(|error| ExternalError::File {
        file: request.file.to_owned(),
        error,
    })?;
    let (source, program, mut command, input) = match places.find(counter.program()) {
        Some(program) => {
            let command = Command::new(&program);
            (Source::Program(program.clone()), program, command, "")
        }
        None => {
            let python = places.find("python3").ok_or(ExternalError::Missing {
                counter,
                program: counter.program(),
            })?;
            set_up(&python, request, progress)?;
            let mut command = script(&python, counter, places);
            command.arg("--with-parent");
            (Source::Pypi, python, command, SCRIPT)
        }
    };
    command.args(counter.args()).env("PATH", &places.path);
    // A name with a dash in front is no option. Joined to it, an absolute path stays as it is.
    command.arg(Path::new(".").join(request.file));
    let options = process::Options {
        input: input.as_bytes(),
        limits: Limits {
            wall: request.time_limit,
            ..Limits::default()
        },
        grace: Duration::ZERO,
        stop: request.stop,
    };
    let ended =
        process::run(command, &options, &mut |_| ()).map_err(|error| ExternalError::Run {
            counter,
            program,
            error,
        })?;
    let status = match ended.end {
        End::Itself(status) => status,
        End::Limit(_) => {
            return Ok(CountingResult::TimedOut {
                wall_seconds: ended.wall.as_secs_f64(),
            });
        }
        End::Stopped => return Err(ExternalError::Stopped(counter)),
        End::TooMuch => return Err(ExternalError::TooMuch { counter }),
    };
    // ApproxMC writes some of its errors on standard output.
    let message = || {
        last_words(&ended.stderr)
            .or_else(|| last_words(&ended.stdout))
            .unwrap_or_else(nothing)
    };
    if !status.success() {
        return Err(ExternalError::Failed {
            counter,
            status,
            message: message(),
        });
    }
    let reading =
        answer::read(&counter, &ended.stdout).map_err(|error| ExternalError::ModelCount {
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

/// Where a counter is, or would come from. Nothing is fetched.
///
/// # Errors
///
/// [`ExternalError::Missing`] where there is no way to it, [`ExternalError::SetUp`] where that cannot be told.
pub fn locate(
    counter: ModelCounter,
    places: &Places,
    stop: &CancellationToken,
) -> Result<Whereabouts, ExternalError> {
    if let Some(program) = places.find(counter.program()) {
        return Ok(Whereabouts::Program(program));
    }
    let python = places.find("python3").ok_or(ExternalError::Missing {
        counter,
        program: counter.program(),
    })?;
    let mut command = script(&python, counter, places);
    command.args(["--check", "--with-parent"]);
    let ended = set_up_step(command, counter, &python, stop, &mut |_| ())?;
    let failed = |message| ExternalError::SetUp { counter, message };
    let package = || {
        let (name, folder) = ended.stdout.trim_end().split_once('\t').ok_or_else(|| {
            let message = last_words(&ended.stderr).unwrap_or_else(nothing);
            failed(format!("{}: {message}", python.display()))
        })?;
        Ok(Package {
            name: name.to_owned(),
            folder: folder.into(),
        })
    };
    match ended.status.code() {
        Some(0) => Ok(Whereabouts::Fetched(package()?)),
        Some(NOT_FETCHED) => Ok(Whereabouts::OnPypi(package()?)),
        _ => Err(failed(ended.message())),
    }
}

/// Fetches a counter's package, where there is neither the program nor the package yet.
///
/// # Errors
///
/// [`ExternalError`].
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
        // Nothing is counted.
        file: Path::new(""),
        counter,
        time_limit: None,
        places,
        fetch: Fetch::Allowed,
        stop,
    };
    set_up(&python, &request, progress)
}

/// Python with the script and the counter's name. Isolated, since neither the current folder's modules nor
/// the user's are to be loaded.
fn script(python: &Path, counter: ModelCounter, places: &Places) -> Command {
    let mut command = Command::new(python);
    command
        .args(["-I", "-", counter.program()])
        .env("PATH", &places.path);
    if let Some(cache) = &places.cache {
        command.env("HAMCNF_CACHE", cache);
    }
    command
}

/// The script's exit code where a package has not been fetched.
const NOT_FETCHED: i32 = 3;

/// Fetches the package if it is not there. This is a process of its own, so that no time of it is counted.
fn set_up(
    python: &Path,
    request: &Request<'_>,
    progress: &mut dyn FnMut(&str),
) -> Result<(), ExternalError> {
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
        Some(NOT_FETCHED) if request.fetch == Fetch::Never => Err(ExternalError::NotFetched {
            program: counter.program(),
        }),
        _ => Err(failed(ended.message())),
    }
}

/// How the script ended.
struct ScriptOutput {
    status: ExitStatus,
    stdout: String,
    stderr: String,
}

impl ScriptOutput {
    /// What it says of its failure.
    fn message(&self) -> String {
        let message = last_words(&self.stderr).unwrap_or_else(nothing);
        match self.status.code() {
            Some(1) => message,
            _ => format!("{}: {message}", self.status),
        }
    }
}

/// Runs the script for something else than a count.
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
        // It removes what it has fetched in part.
        grace: Duration::from_secs(1),
        stop,
    };
    let ended = process::run(command, &options, &mut |line| progress(without_name(line)))
        .map_err(|error| failed(format!("{} does not run: {error}", python.display())))?;
    match ended.end {
        End::Itself(status) => Ok(ScriptOutput {
            status,
            stdout: ended.stdout,
            stderr: ended.stderr,
        }),
        End::Stopped => Err(ExternalError::Stopped(counter)),
        End::TooMuch => Err(failed(process::too_much())),
        End::Limit(_) => Err(failed(format!(
            "it took more than {} s",
            SET_UP_LIMIT.as_secs()
        ))),
    }
}

/// The last line that is not empty, or its end if it is long.
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
    "it said nothing".to_owned()
}

/// A message of the script's, without its name.
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
            assert!(matches!(
                settings(epsilon, 0.2),
                Err(SettingError::Epsilon(_))
            ));
        }
        for delta in [0.0, 1.0, -1.0, f64::NAN] {
            assert!(matches!(settings(0.8, delta), Err(SettingError::Delta(_))));
        }
        assert_eq!(Seed::try_from(2_147_483_647), Ok(Seed(2_147_483_647)));
        assert_eq!(
            Seed::try_from(2_147_483_648),
            Err(SettingError::Seed(2_147_483_648))
        );
    }

    #[test]
    fn last_words_are_the_end_of_the_last_line() {
        assert_eq!(last_words(" \n\n"), None);
        assert_eq!(
            last_words("one\ncount-models: two \n\n"),
            Some("two".to_owned())
        );
        let long = format!("a{}b", "é".repeat(500));
        assert_eq!(last_words(&long), Some(format!("...{}b", "é".repeat(399))));
    }
}
