//! External solvers and model counters, called *engines*. Files describe the engines and their commands:
//! `experiments/engines.toml`, which is built into this library and explains its fields, and other files in the same
//! format.
//!
//! An engine is a program. It gets a formula or a graph as a file in a temporary folder, or the name of a board. A
//! solver answers in `s` and `v` lines, or in a result file in MiniSat's format; a model counter prints the
//! [count]. If an engine is not a program, or does not read DIMACS, an adaptor runs it. An adaptor is a script in
//! `scripts`, with a package from PyPI that only [`Engine::set_up`] fetches. Lines `c hamcnf NAME NUMBER` on standard
//! output are metrics of the run.
//!
//! The answers of engines are checked. The formula decodes a model, and every claimed tour is checked move by move.
//! Some failures are errors that name the engine: an exit code that contradicts the answer, a truncated answer, and a
//! crash. The answer that no tour exists cannot be checked. It is accepted only from engines that, according to their
//! description, can prove it.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use hamcnf_encodings::answer::{self, Answer};
use hamcnf_encodings::{Clauses, DimacsWriter, Formula, Header, Model, ProjectionFormat, Reading};
use hamcnf_graph::formats::{self, Format};
use hamcnf_graph::names::Named;
use hamcnf_graph::{Numbering, Vertex, VertexNames, named};
use hamcnf_tours::{Board, Count, Instance, NotATour, Tour, TourKind};
use rustsat::types::Var;

use crate::process::{self, End, ProcessResult};
use crate::temporary::{Temporary, TemporaryFolder};
use hamcnf_graph::budget::Stopped;
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_graph::limits::Limits;

pub mod count;
mod description;

pub use count::ModelCount;
pub use description::{Engines, EnginesError};
use description::{Hole, Line, Script};

named! {
    /// Kind of input that an engine takes.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Input: "input of an engine" {
        /// A formula, in an encoding suited to the engine; see [`Engine::solve_formula`].
        Cnf => "cnf",
        /// A graph; see [`Engine::solve_instance`].
        Graph => "graph",
        /// A board as text, such as `8x8`, or `leaper:0,1+1,1:8x8` for a piece other than the knight; see
        /// [`Engine::solve_instance`].
        Board => "board",
    }
}

named! {
    /// Kind of answer that an engine gives.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Answers: "answer of an engine" {
        /// A model or a tour, or that there is none.
        Solutions => "solutions",
        /// The number of models; see [`Engine::count`].
        Counts => "counts",
    }
}

/// External solver or model counter, which is run as a separate program.
#[derive(Clone, Debug)]
pub struct Engine {
    pub name: String,
    /// Name in its authors' spelling.
    pub title: String,
    /// Origin and input, for display.
    pub about: String,
    pub answers: Answers,
    pub input: Input,
    command: Line,
    package: Option<Line>,
    script: Option<Script>,
    version: Option<Line>,
    set_up: Option<Line>,
    kinds: Vec<TourKind>,
    /// True if the engine can prove that no tour exists.
    pub proves: bool,
    /// True if the engine reads digraphs, as DIMACS arcs.
    pub directed: bool,
    needs: Option<Version>,
    /// Instructions for installing the engine, for display.
    pub install: String,
}

/// Settings of a run of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Wall time for writing the engine's input and running the engine, and CPU time of the engine.
    pub limits: Limits,
    /// Random seed, for engines whose command contains a seed.
    pub seed: u32,
    /// Cancellation token; when it is set, the engine and all its processes end.
    pub stop: &'a CancellationToken,
}

/// Accuracy that an approximate model counter promises: the estimate is within a factor of 1 + `epsilon` of the number,
/// with probability at least 1 − `delta`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Accuracy {
    /// Tolerance of the count, greater than 0.
    pub epsilon: f64,
    /// Maximum probability that the count is not within the factor; strictly between 0 and 1.
    pub delta: f64,
}

/// Answer of an engine. `T` is the type of a solution: a tour, a model decoded by its formula, a plain model, or a
/// count.
#[derive(Clone, PartialEq, Debug)]
pub enum EngineAnswer<T = Reading> {
    /// The engine found a solution.
    Found(T),
    /// The engine claims that no solution exists; the claim is not checked.
    None,
    /// The engine has no answer, for the given reason.
    Unknown(Stopped),
}

/// Answer of an engine, with statistics of the run.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved<T = Reading> {
    pub outcome: EngineAnswer<T>,
    /// Number of variables of the formula; `None` if the engine did not get a formula.
    pub variables: Option<u32>,
    /// Number of clauses of the formula; `None` if the engine did not get a formula.
    pub clauses: Option<Count>,
    /// Wall seconds for writing the engine's input.
    pub write_seconds: f64,
    /// Wall seconds from the engine's start to its end.
    pub wall_seconds: f64,
    /// CPU seconds of the engine and of the child processes that it waited for.
    pub cpu_seconds: f64,
    /// Metrics that the engine printed: names and numbers. A number is kept as text, so that it is not rounded.
    pub metrics: Vec<(String, String)>,
}

/// Reason why an engine has no answer, with the name of the engine.
#[derive(Debug, thiserror::Error)]
#[error("the engine \"{engine}\" {problem}")]
pub struct EngineError {
    /// Name of the engine.
    pub engine: String,
    pub problem: Problem,
}

/// Reason why an engine has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The program does not exist.
    #[error("is not installed ({program} not found); {install}")]
    Missing { program: String, install: String },
    /// The engine's package has not been fetched.
    #[error("is not set up; the engine needs {install}")]
    NotSetUp { install: String },
    /// The program is older than the engine's description allows.
    #[error("is not available: {version} is too old: needs {needs} or later; {install}")]
    TooOld { version: String, needs: String, install: String },
    /// The engine does not accept the question.
    #[error("{0}")]
    Unsuitable(String),
    /// The engine could not be run, or its answer is invalid.
    #[error("{0}")]
    Failed(String),
}

/// Time limit for printing the version: enough for Python to load a package on a busy machine.
const VERSION_LIMIT: Duration = Duration::from_secs(60);

/// Time limit for fetching a package. This normally takes seconds; the limit ends connections that hang silently.
const SET_UP_LIMIT: Duration = Duration::from_secs(600);

/// Problem of an engine whose run was cancelled.
const STOPPED: &str = "was stopped before it was set up";

/// Exit code of an adaptor script whose package has not been fetched.
const NOT_SET_UP: i32 = 3;

impl Engine {
    /// True if the engine supports tours of this kind.
    pub fn takes(&self, kind: TourKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// True if the engine's command takes an [`Accuracy`], so that its counts are estimates.
    pub fn estimates(&self) -> bool {
        self.command.has(Hole::Epsilon) || self.command.has(Hole::Delta)
    }

    /// Asks the engine for its version, and returns the version that it prints, if any. Does not use the network.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if the engine is missing, not set up or too old, or if it does not print its version in
    /// time.
    pub fn version(&self, stop: &CancellationToken) -> Result<Option<String>, EngineError> {
        let install = || self.install.clone();
        let missing = || self.error(Problem::Missing { program: self.program(), install: install() });
        let is_on_the_path = self.is_on_the_path();
        let version = match &self.version {
            // If there is a package, the version is that of the package.
            Some(version) if self.package.is_none() || !is_on_the_path => version,
            _ if is_on_the_path => return Ok(None),
            _ => return Err(missing()),
        };
        let ended = self.prepare(version, VERSION_LIMIT, stop, &mut |_| ());
        let ended = ended.map_err(|error| match error.problem {
            Problem::Missing { .. } => missing(),
            _ => error,
        })?;
        match ended.end {
            End::Itself(status) if self.is_not_set_up(status) => {
                Err(self.error(Problem::NotSetUp { install: install() }))
            }
            // The version command may print just the help, which some programs report as a failure.
            End::Itself(_) => self.sufficient_version(&ended.stdout),
            End::Limit(_) | End::TooMuch => {
                Err(self.failed(format!("did not print its version within {} s", VERSION_LIMIT.as_secs())))
            }
            End::Stopped => Err(self.failed(STOPPED)),
        }
    }

    /// Returns the version in the text that the version command prints, or an error if this version is too old.
    fn sufficient_version(&self, text: &str) -> Result<Option<String>, EngineError> {
        let version = version_in(text);
        let own = version.as_deref().and_then(Version::of);
        match &self.needs {
            Some(needs) if own.is_none_or(|own| own < *needs) => Err(self.error(Problem::TooOld {
                version: match text.lines().next().map(str::trim) {
                    Some(line) if !line.is_empty() => line.to_owned(),
                    _ => "a program without a version".to_owned(),
                },
                needs: needs.to_string(),
                install: self.install.clone(),
            })),
            _ => Ok(version),
        }
    }

    /// Returns the engine's program as written in its command. A placeholder keeps its braces.
    pub fn program(&self) -> String {
        let words = self.command.filled(&|hole| format!("{{{hole}}}").into());
        words.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// True if the engine's program is an executable file, given by its path or found on the PATH. A placeholder in
    /// braces always counts as present.
    fn is_on_the_path(&self) -> bool {
        let program = self.program();
        let can_run = |file: &Path| {
            let mode = file.metadata().map(|data| (data.is_file(), data.permissions().mode()));
            mode.is_ok_and(|(is_file, mode)| is_file && mode & 0o111 != 0)
        };
        if program.starts_with('{') || program.contains('/') {
            return program.starts_with('{') || can_run(Path::new(&program));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| can_run(&folder.join(&program)))
    }

    /// Fetches the engine's package if it is missing. `progress` receives lines to display.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if the package cannot be fetched.
    pub fn set_up(&self, stop: &CancellationToken, progress: &mut dyn FnMut(&str)) -> Result<(), EngineError> {
        let Some(line) = &self.set_up else { return Ok(()) };
        let mut progress = |line: &str| progress(self.without_name(line));
        let ended = self.prepare(line, SET_UP_LIMIT, stop, &mut progress)?;
        let failed = |message| Err(self.failed(format!("cannot be set up: {message}")));
        match ended.end {
            End::Itself(status) if status.success() => Ok(()),
            End::Itself(status) => failed(format!("{} ({status})", self.last_words(&ended))),
            End::Limit(_) => failed(format!("the setup took more than {} s", SET_UP_LIMIT.as_secs())),
            End::Stopped => Err(self.failed(STOPPED)),
            End::TooMuch => failed(process::too_much()),
        }
    }

    /// Solves a formula, and checks the tour move by move before returning it. The solution of a relaxed formula may
    /// consist of several cycles instead of a tour.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if the engine cannot be run, or if its answer is invalid.
    pub fn solve_formula(&self, formula: &Formula, settings: &Settings<'_>) -> Result<Solved, EngineError> {
        self.is_for(Input::Cnf, formula.instance().kind())?;
        let folder = self.folder()?;
        let clauses =
            write_formula(formula, None, &folder.path(Hole::Cnf)).map_err(|error| self.not_written(&error))?;
        let variables = formula.n_vars();
        let solved = self.ask(
            &folder,
            |_| None,
            settings,
            (variables, formula.support()),
            |model, _| formula.read(&model).map_err(|error| self.wrong_tour(&error)),
        )?;
        Ok(Solved { variables: Some(variables), clauses: Some(clauses), ..solved })
    }

    /// Counts the assignments that the models of a formula give to the variables of a projection set, or to all
    /// variables. Counts are exact unless the engine [estimates](Self::estimates).
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if the engine cannot be run, or if its answer is invalid. A count is returned only after
    /// the engine has ended successfully.
    pub fn count(
        &self,
        formula: &impl Clauses,
        projection: Option<&[Var]>,
        accuracy: Accuracy,
        settings: &Settings<'_>,
    ) -> Result<Solved<ModelCount>, EngineError> {
        self.gives(Answers::Counts)?;
        if i32::try_from(settings.seed).is_err() {
            return Err(self.failed(format!("accepts seeds up to {}, not {}", i32::MAX, settings.seed)));
        }
        let folder = self.folder()?;
        let written = write_formula(formula, projection, &folder.path(Hole::Cnf));
        let clauses = written.map_err(|error| self.not_written(&error))?;
        let known = |hole| match hole {
            Hole::Epsilon => Some(accuracy.epsilon.to_string()),
            Hole::Delta => Some(accuracy.delta.to_string()),
            _ => None,
        };
        let by_package = self.package().is_some();
        let solved = self.execute(&folder, known, settings, |status, ended| {
            if !status.success() {
                return Err(self.failed(format!("failed ({status}): {}", self.last_words(ended))));
            }
            let (count, version) = count::read(&self.name, &ended.stdout).map_err(|error| {
                self.failed(format!("{error}; last line of its output: {}", self.last_words(ended)))
            })?;
            Ok(EngineAnswer::Found(ModelCount {
                count,
                accuracy: self.estimates().then_some(accuracy),
                version,
                by_package,
            }))
        })?;
        Ok(Solved { variables: Some(formula.n_vars()), clauses: Some(clauses), ..solved })
    }

    /// Solves an instance, which the engine gets as a graph or as a board. Checks the tour move by move before
    /// returning it.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if the engine cannot be run, or if its answer is invalid.
    pub fn solve_instance(&self, instance: &Instance, settings: &Settings<'_>) -> Result<Solved, EngineError> {
        let given = match self.input {
            Input::Board => Input::Board,
            _ => Input::Graph,
        };
        self.is_for(given, instance.kind())?;
        let board = match (given, instance.board()) {
            (Input::Board, None) => {
                return Err(self.unsuitable(format!("is for boards, but {} is not a board", instance.name())));
            }
            (_, board) => board.map(Board::without_names),
        };
        let folder = self.folder()?;
        if given == Input::Graph {
            write_graph(instance, &folder.path(Hole::Graph)).map_err(|error| self.not_written(&error))?;
        }
        let known = |hole| match hole {
            Hole::Board => board.clone(),
            Hole::Kind => Some(instance.kind().to_string()),
            Hole::Start => Some(Numbering::FromOne.number(instance.start()).to_string()),
            _ => None,
        };
        // A tour lists every vertex, as a model lists every variable.
        let all = (0..instance.n()).map(Var::new);
        self.ask(&folder, known, settings, (instance.n(), all), |_, text| {
            let order = order_in(text).map_err(|NotAVertex(word)| {
                self.failed(format!("printed an invalid tour: \"{word}\" is not a vertex"))
            })?;
            Ok(Reading::Tour(Tour::check(instance, order).map_err(|error| self.wrong_tour(&error))?))
        })
    }

    /// Runs the engine on the input in `folder`, and parses its answer. A model has values of `variables` variables, at
    /// least those in `needed`. Converts a model, and the text of the answer, to a solution with `read`.
    fn ask(
        &self,
        folder: &Folder,
        known: impl Fn(Hole) -> Option<String>,
        settings: &Settings<'_>,
        (variables, needed): (u32, impl IntoIterator<Item = Var>),
        read: impl FnOnce(Model, &str) -> Result<Reading, EngineError>,
    ) -> Result<Solved, EngineError> {
        self.execute(folder, known, settings, |status, ended| {
            let failed = |message| Err(self.failed(format!("failed ({status}): {message}")));
            // Solvers exit with 0 if the answer is unknown. hamcnf exits with 3 in this case, since a limit is never a
            // success.
            let says_unknown = ended.stdout.lines().any(|line| line == "s UNKNOWN");
            let code = status.code().filter(|&code| code != 3 || says_unknown);
            let Some(code @ (0 | 3 | 10 | 20)) = code else { return failed(self.last_words(ended)) };
            let text = if self.command.has(Hole::Answer) {
                match answer_in(&folder.path(Hole::Answer)) {
                    Ok(Some(text)) => text,
                    Ok(None) => return Err(self.printed_too_much(MOST_WRITTEN)),
                    Err(error) => return failed(format!("its answer cannot be read: {error}")),
                }
            } else {
                std::mem::take(&mut ended.stdout)
            };
            let answer = answer::read(text.as_bytes(), variables, needed)
                .map_err(|error| self.failed(format!("printed an unreadable answer ({status}): {error}")))?;
            let (expected, said) = match answer {
                Answer::Satisfiable(_) => (&[10][..], "SATISFIABLE"),
                Answer::Unsatisfiable => (&[20][..], "UNSATISFIABLE"),
                Answer::Unknown => (&[0, 3][..], "UNKNOWN"),
            };
            if !expected.contains(&code) {
                return Err(self.failed(format!("contradicts itself: it printed {said} but exited with {status}")));
            }
            match answer {
                Answer::Satisfiable(model) => read(model, &text).map(EngineAnswer::Found),
                Answer::Unsatisfiable if !self.proves => {
                    Err(self.failed("reports that there is no tour, but the engine cannot prove that there is none"))
                }
                Answer::Unsatisfiable => Ok(EngineAnswer::None),
                Answer::Unknown => Ok(EngineAnswer::Unknown(Stopped::GaveUp)),
            }
        })
    }

    /// Runs the engine on the input in `folder` within the limits. If the engine ends by itself, `answer` reads its
    /// answer.
    fn execute<T>(
        &self,
        folder: &Folder,
        known: impl Fn(Hole) -> Option<String>,
        settings: &Settings<'_>,
        answer: impl FnOnce(ExitStatus, &mut ProcessResult) -> Result<EngineAnswer<T>, EngineError>,
    ) -> Result<Solved<T>, EngineError> {
        let write_seconds = folder.began.elapsed().as_secs_f64();
        let solved = |outcome, wall: Duration, cpu: Duration, metrics| Solved {
            outcome,
            variables: None,
            clauses: None,
            write_seconds,
            wall_seconds: wall.as_secs_f64(),
            cpu_seconds: cpu.as_secs_f64(),
            metrics,
        };
        let wall = settings.limits.wall;
        let left = wall.map(|limit| limit.saturating_sub(folder.began.elapsed()));
        if left.is_some_and(|left| left.is_zero()) {
            let outcome = EngineAnswer::Unknown(Stopped::Time);
            return Ok(solved(outcome, Duration::ZERO, Duration::ZERO, Vec::new()));
        }
        let fill = |hole| match hole {
            Hole::Seed => settings.seed.to_string().into(),
            _ => match known(hole) {
                Some(text) => text.into(),
                None => folder.path(hole).into(),
            },
        };
        let options = process::Options {
            input: &[],
            limits: Limits { wall: left, ..settings.limits },
            grace: Duration::ZERO,
            stop: settings.stop,
        };
        let mut words = self.command.filled(&fill);
        if let Some(package) = self.package() {
            words.splice(..1, package.filled(&fill));
        }
        let mut ended = self.run(words, &options, &mut |_| ())?;
        let metrics = metrics_in(&ended.stdout);
        let outcome = match ended.end {
            End::Itself(status) if self.is_not_set_up(status) => {
                return Err(self.error(Problem::NotSetUp { install: self.install.clone() }));
            }
            End::Itself(status) => answer(status, &mut ended)?,
            End::Limit(limit) => EngineAnswer::Unknown(Stopped::by(limit)),
            End::Stopped => EngineAnswer::Unknown(Stopped::Cancelled),
            End::TooMuch => return Err(self.printed_too_much(process::MOST_SAID)),
        };
        Ok(solved(outcome, ended.wall, ended.cpu, metrics))
    }

    /// Runs an auxiliary command of the engine, such as the command that prints the version.
    fn prepare(
        &self,
        line: &Line,
        time_limit: Duration,
        stop: &CancellationToken,
        progress: &mut dyn FnMut(&str),
    ) -> Result<ProcessResult, EngineError> {
        let folder = self.folder()?;
        let options = process::Options {
            input: &[],
            limits: Limits::wall(time_limit),
            // Time for an adaptor to remove partial downloads.
            grace: Duration::from_secs(1),
            stop,
        };
        self.run(line.filled(&|hole| folder.path(hole).into()), &options, progress)
    }

    /// Runs one of the engine's commands.
    fn run(
        &self,
        mut words: Vec<OsString>,
        options: &process::Options<'_>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<ProcessResult, EngineError> {
        let program = words.remove(0);
        let mut command = Command::new(&program);
        command.args(words);
        process::run(command, options, progress).map_err(|error| {
            let program = program.to_string_lossy().into_owned();
            self.error(match error.kind() {
                io::ErrorKind::NotFound => Problem::Missing { program, install: self.install.clone() },
                _ => Problem::Failed(format!("cannot be run as {program}: {error}")),
            })
        })
    }

    /// Creates a temporary folder for a run, with the engine's script.
    fn folder(&self) -> Result<Folder, EngineError> {
        Folder::new(self.script.as_ref()).map_err(|error| self.not_written(&error))
    }

    /// Returns the words that replace the engine's program, if the program is not on the PATH.
    fn package(&self) -> Option<&Line> {
        self.package.as_ref().filter(|_| !self.is_on_the_path())
    }

    /// True if this exit status of an adaptor means that its package is missing.
    fn is_not_set_up(&self, status: ExitStatus) -> bool {
        let is_adaptor = self.set_up.is_some() && self.package.is_some() == self.package().is_some();
        is_adaptor && status.code() == Some(NOT_SET_UP)
    }

    /// Returns an error if the engine does not support the given input or kind of tour.
    fn is_for(&self, given: Input, kind: TourKind) -> Result<(), EngineError> {
        self.gives(Answers::Solutions)?;
        if self.input != given {
            return Err(self.unsuitable(format!("accepts the input \"{}\", not \"{given}\"", self.input)));
        }
        if self.takes(kind) { Ok(()) } else { Err(self.unsuitable(format!("does not support {kind} tours"))) }
    }

    fn gives(&self, answers: Answers) -> Result<(), EngineError> {
        if self.answers == answers { Ok(()) } else { Err(self.unsuitable(format!("returns {}", self.answers))) }
    }

    fn error(&self, problem: Problem) -> EngineError {
        EngineError { engine: self.name.clone(), problem }
    }

    fn unsuitable(&self, why: String) -> EngineError {
        self.error(Problem::Unsuitable(why))
    }

    fn failed(&self, why: impl Into<String>) -> EngineError {
        self.error(Problem::Failed(why.into()))
    }

    fn wrong_tour(&self, error: &NotATour) -> EngineError {
        self.failed(format!("printed an invalid tour: {error}"))
    }

    fn not_written(&self, error: &io::Error) -> EngineError {
        self.failed(format!("cannot be run because its input cannot be written: {error}"))
    }

    /// Returns the error of an engine that wrote more than any answer needs.
    fn printed_too_much(&self, most: u64) -> EngineError {
        self.failed(format!("gave no answer: it printed more than {} MiB", most >> 20))
    }

    /// Returns the last nonempty line of output, or only the beginning of this line if it is long.
    fn last_words(&self, ended: &ProcessResult) -> String {
        const LONGEST: usize = 300;
        let last = |text: &str| {
            let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
            Some(self.without_name(line).chars().take(LONGEST).collect())
        };
        // Some programs write their errors to standard output.
        last(&ended.stderr).or_else(|| last(&ended.stdout)).unwrap_or_else(|| "no output".to_owned())
    }

    /// Strips the adaptor script's name from the beginning of a message.
    fn without_name<'a>(&self, line: &'a str) -> &'a str {
        let after = |name: &str| line.strip_prefix(name)?.strip_prefix(": ");
        self.script.as_ref().and_then(Script::name).and_then(after).unwrap_or(line)
    }
}

/// Writes a formula to a DIMACS file with a projection set, if any. Returns the number of its clauses.
fn write_formula(formula: &impl Clauses, projection: Option<&[Var]>, file: &Path) -> io::Result<Count> {
    let clauses = formula.tally().total();
    let header = Header {
        comments: &[],
        variables: formula.n_vars(),
        clauses: clauses.clauses,
        projection: projection.map(|set| (ProjectionFormat::Show, set)),
        names: None,
    };
    let mut out = File::create(file)?;
    let mut writer = DimacsWriter::new(&mut out, &header);
    formula.emit(&mut writer);
    writer.finish().map_err(io::Error::other)?;
    Ok(clauses)
}

/// Writes the graph of an instance to a file: DIMACS edges, or DIMACS arcs if the instance is directed.
fn write_graph(instance: &Instance, file: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    let graph = match instance.is_directed() {
        true => instance.digraph().clone().into(),
        false => instance.graph().clone().into(),
    };
    let written = formats::write_named(Format::DIMACS, &graph, &VertexNames::default(), &[], &mut out);
    written.map_err(io::Error::other)?;
    out.flush()
}

/// Maximum size of an answer file in bytes: four bytes per variable of the largest formulas that solvers accept.
const MOST_WRITTEN: u64 = 1 << 28;

/// Reads an answer file. Returns `None` if the file is too large.
fn answer_in(file: &Path) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(MOST_WRITTEN + 1).read_to_end(&mut bytes)?;
    let fits = bytes.len() as u64 <= MOST_WRITTEN;
    Ok(fits.then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Error for an invalid vertex number in a `v` line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not the number of a vertex")]
pub struct NotAVertex(pub String);

/// Parses the tour in the `v` lines of an answer: 1-based vertex numbers up to a 0.
///
/// # Errors
///
/// Returns [`NotAVertex`] with the offending word.
pub fn order_in(text: &str) -> Result<Vec<Vertex>, NotAVertex> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix('v'))
        .flat_map(str::split_ascii_whitespace)
        .take_while(|&word| word != "0")
        .map(|word| {
            let vertex = word.parse().ok().and_then(|number: u32| number.checked_sub(1));
            vertex.map(Vertex::new).ok_or_else(|| NotAVertex(word.to_owned()))
        })
        .collect()
}

/// Finds the metrics in an engine's output: lines `c hamcnf NAME NUMBER`. A name has lower-case letters, digits and
/// underscores. Skips lines without such a name or without a finite number.
fn metrics_in(text: &str) -> Vec<(String, String)> {
    let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let metric = |line: &str| {
        let (name, number) = line.strip_prefix("c hamcnf ")?.trim().split_once(' ')?;
        let is_number = number.parse().is_ok_and(f64::is_finite);
        // The size of the formula is a column of its own.
        let is_free = !name.is_empty() && !["variables", "clauses"].contains(&name);
        (is_number && is_free && name.chars().all(is_name)).then(|| (name.to_owned(), number.to_owned()))
    };
    text.lines().filter_map(metric).collect()
}

/// Finds the version in the first line of a program's output: the first word that begins with a digit, or the only
/// word.
fn version_in(text: &str) -> Option<String> {
    let words: Vec<_> = text.lines().next()?.split_ascii_whitespace().collect();
    let version = match words[..] {
        [only] => Some(only),
        _ => words.into_iter().find(|word| word.starts_with(|c: char| c.is_ascii_digit())),
    };
    version.map(str::to_owned)
}

/// Version of a program: numbers with dots between them. Later versions are greater.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Version(Vec<u64>);

impl Version {
    /// Reads the numbers at the beginning of a version such as `2.2.1+sbva`; `None` if there are none.
    fn of(text: &str) -> Option<Self> {
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let numbers = text[..end.unwrap_or(text.len())].trim_end_matches('.');
        numbers.split('.').map(|number| number.parse().ok()).collect::<Option<_>>().map(Self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<_> = self.0.iter().map(u64::to_string).collect();
        f.write_str(&numbers.join("."))
    }
}

/// Temporary folder of an engine's run, removed when the value is dropped.
struct Folder {
    /// Instant at which the run began.
    began: Instant,
    folder: TemporaryFolder,
    script: Option<PathBuf>,
}

impl Folder {
    fn new(script: Option<&Script>) -> io::Result<Self> {
        let began = Instant::now();
        let folder = Temporary::folder_for_a_child()?;
        let script = script.map(|script| script.within(folder.path())).transpose()?;
        Ok(Self { began, folder, script })
    }

    /// Returns the file path that replaces a placeholder in a command.
    fn path(&self, hole: Hole) -> PathBuf {
        match (hole, &self.script) {
            (Hole::Script, Some(script)) => script.clone(),
            _ => self.folder.path().join(match hole {
                Hole::Cnf => "question.cnf",
                _ => hole.as_str(),
            }),
        }
    }
}
