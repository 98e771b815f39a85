//! Solvers of other people, as engines. Which there are, and how they are asked, is data: the file
//! `experiments/engines.toml`, which is part of this library and says what its fields mean, and files like it.
//!
//! An engine is a program. It gets a formula, a graph or the name of a board in a folder that is removed
//! afterwards, and answers in `s` and `v` lines, or in a result file as MiniSat writes it. What is no program, or
//! does not read DIMACS, has an adaptor: a script in `scripts/engines`, with a package from PyPI that is fetched
//! by [`Engine::set_up`] and by nothing else.
//!
//! An engine's word is not taken for a tour. A model is read by its formula, and whatever is said to be a tour is
//! checked move by move; an exit code that says something else than the answer, an answer that is cut short, and a
//! program that died are errors that name the engine. That there is no tour cannot be checked: it is believed of
//! engines that can prove it, and of no other.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use hamcnf_encodings::answer::{self, Answer, AnswerError};
use hamcnf_encodings::formats::{self, Format};
use hamcnf_encodings::names::Named;
use hamcnf_encodings::{
    Clauses, Count, DimacsWriter, Formula, Header, Instance, Model, NotATour, Numbering, Reading,
    Tour, TourKind, Vertex, WriteError, named,
};
use rustsat::types::Var;

use crate::budget::Stopped;
use crate::cancellation::CancellationToken;
use crate::limits::Limits;
use crate::process::{self, End, ProcessResult};
use crate::temporary::{Temporary, TemporaryFolder};

mod described;

pub use described::{
    DescriptionError, Engines, EnginesError, NoSuchEngine, WrongCommand, WrongEngine,
};
use described::{Hole, Line, Script};

/// What an engine is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Input {
    /// A formula, in an encoding that goes with the engine: [`Engine::solve_formula`].
    Cnf,
    /// A graph: [`Engine::solve_instance`].
    Graph,
    /// The name of a board, and so nothing that is none: [`Engine::solve_instance`].
    Board,
}

named!(Input, "input of an engine", {
    Cnf => "cnf",
    Graph => "graph",
    Board => "board",
});

/// Somebody else's solver.
#[derive(Clone, Debug)]
pub struct Engine {
    name: String,
    about: String,
    input: Input,
    command: Line,
    script: Option<Script>,
    version: Option<Line>,
    set_up: Option<Line>,
    kinds: Vec<TourKind>,
    proves: bool,
    install: String,
}

/// What a run is told besides the question.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Wall time for writing the question and for the engine; `None` for no limit.
    pub time_limit: Option<Duration>,
    /// The random seed, for engines that [take one](Engine::takes_seed).
    pub seed: u32,
    /// Ends the engine, and all that it started, when it is set.
    pub stop: &'a CancellationToken,
}

/// What an engine said: what a tour or a formula's model is read as, or a model.
#[derive(Clone, PartialEq, Debug)]
pub enum EngineAnswer<T = Reading> {
    /// This.
    Found(T),
    /// That there is none, which nobody has checked.
    None,
    /// Nothing.
    Unknown(Stopped),
}

/// An answer, and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Solved<T = Reading> {
    /// The answer.
    pub outcome: EngineAnswer<T>,
    /// Variables of the formula, if the engine got one.
    pub variables: Option<u32>,
    /// Clauses of the formula, if the engine got one.
    pub clauses: Option<Count>,
    /// Wall seconds until the question was written.
    pub write_seconds: f64,
    /// Wall seconds from the engine's start to its end.
    pub wall_seconds: f64,
    /// CPU seconds of the engine, and of what it waited for.
    pub cpu_seconds: f64,
}

/// Whether an engine can be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Availability {
    /// It can.
    Ready {
        /// What it says of its version, if it does.
        version: Option<String>,
    },
    /// It could after [`Engine::set_up`], which uses the network.
    NotSetUp,
    /// It is not installed.
    Missing,
}

/// Why an engine has no answer.
#[derive(Debug, thiserror::Error)]
#[error("the engine {engine} {problem}")]
pub struct EngineError {
    /// The engine's name.
    pub engine: String,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with an engine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The program is not there.
    #[error("is not installed: there is no {program}; {install}")]
    Missing {
        /// The program.
        program: String,
        /// How it would come to be there.
        install: String,
    },
    /// The package that it needs has not been fetched.
    #[error("has not been set up: it needs {install}")]
    NotSetUp {
        /// What it needs.
        install: String,
    },
    /// The package that it needs could not be fetched.
    #[error("cannot be set up: {0}")]
    SetUp(String),
    /// It was stopped before it could be asked.
    #[error("was stopped before it was set up")]
    Stopped,
    /// It does not say its version.
    #[error("did not say its version within {} s", VERSION_LIMIT.as_secs())]
    NoVersion,
    /// It cannot be asked for such tours.
    #[error("knows nothing of {0} tours")]
    Kind(TourKind),
    /// It is given something else.
    #[error("takes {takes}, not {given}")]
    Input {
        /// What it takes.
        takes: Input,
        /// What it was to be given.
        given: Input,
    },
    /// It is for boards.
    #[error("is for boards, and {0} is none")]
    NoBoard(String),
    /// The question could not be written for it.
    #[error("cannot be asked, since its question cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The program does not start, or cannot be waited for.
    #[error("cannot be run as {program}: {error}")]
    Run {
        /// The program.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// It failed, or was killed.
    #[error("failed ({status}): {message}")]
    Failed {
        /// Its exit code or signal.
        status: ExitStatus,
        /// The end of what it said.
        message: String,
    },
    /// It was ended since it said more than any answer is.
    #[error("has no answer: it said more than {} MiB", .0 >> 20)]
    TooMuch(u64),
    /// Its answer is none.
    #[error("has no answer that can be read ({status}): {error}")]
    Answer {
        /// Its exit code.
        status: ExitStatus,
        /// What is wrong with it.
        error: AnswerError,
    },
    /// Its answer and its exit code are two answers.
    #[error("contradicts itself: it says {said}, and ended with {status}")]
    Disagrees {
        /// The answer.
        said: &'static str,
        /// Its exit code.
        status: ExitStatus,
    },
    /// Its tour is none.
    #[error("is wrong, its tour is none: {0}")]
    WrongTour(#[source] NotATour),
    /// Its tour is no list of vertices.
    #[error("is wrong, its tour is none: it has '{0}' where a vertex should be")]
    NoVertex(String),
    /// It says that there is no tour, and cannot know.
    #[error("says that there is no tour, which it cannot prove")]
    CannotProve,
}

/// For Python to start and load a package, on a machine that has much else to do.
const VERSION_LIMIT: Duration = Duration::from_secs(60);

/// Fetching a package takes seconds. This is for a network that lets nothing through and says nothing.
const SET_UP_LIMIT: Duration = Duration::from_secs(600);

/// The adaptors' exit code where a package has not been fetched.
const NOT_SET_UP: i32 = 3;

impl Engine {
    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whose it is and what it is given, for people.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// How it comes to a machine, for people.
    #[must_use]
    pub fn install(&self) -> &str {
        &self.install
    }

    /// What it is given.
    #[must_use]
    pub fn input(&self) -> Input {
        self.input
    }

    /// Whether it can be asked for such tours.
    #[must_use]
    pub fn takes(&self, kind: TourKind) -> bool {
        self.kinds.contains(&kind)
    }

    /// Whether it can say that there is no tour.
    #[must_use]
    pub fn proves(&self) -> bool {
        self.proves
    }

    /// Whether it is told the seed.
    #[must_use]
    pub fn takes_seed(&self) -> bool {
        self.command.has(Hole::Seed)
    }

    /// Whether it can be asked, by asking its version. The network is not used.
    ///
    /// # Errors
    ///
    /// [`EngineError`], where that cannot be told.
    pub fn availability(&self, stop: &CancellationToken) -> Result<Availability, EngineError> {
        let Some(version) = &self.version else {
            return Ok(match self.is_on_the_path() {
                true => Availability::Ready { version: None },
                false => Availability::Missing,
            });
        };
        let ended = match self.prepare(version, VERSION_LIMIT, stop, &mut |_| ()) {
            Ok(ended) => ended,
            Err(EngineError {
                problem: Problem::Missing { .. },
                ..
            }) => return Ok(Availability::Missing),
            Err(error) => return Err(error),
        };
        match ended.end {
            End::Itself(status) if self.is_not_set_up(status) => Ok(Availability::NotSetUp),
            // What it was asked may be no more than for help, which is a failure to some.
            End::Itself(_) => Ok(Availability::Ready {
                version: version_in(&ended.stdout),
            }),
            End::Limit(_) | End::TooMuch => Err(self.error(Problem::NoVersion)),
            End::Stopped => Err(self.error(Problem::Stopped)),
        }
    }

    /// Name of its program, as the command has it.
    #[must_use]
    pub fn program(&self) -> String {
        let words = self.command.filled(&|hole| format!("{{{hole}}}").into());
        let first = words
            .first()
            .map(|word| word.to_string_lossy().into_owned());
        first.unwrap_or_default()
    }

    /// True if the program is a file that can be run, at its path or on the PATH.
    fn is_on_the_path(&self) -> bool {
        let program = self.program();
        let can_run = |file: &Path| {
            let mode = file
                .metadata()
                .map(|data| (data.is_file(), data.permissions().mode()));
            mode.is_ok_and(|(is_file, mode)| is_file && mode & 0o111 != 0)
        };
        if program.starts_with('{') || program.contains('/') {
            return program.starts_with('{') || can_run(Path::new(&program));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|folder| can_run(&folder.join(&program)))
    }

    /// Fetches what it needs, if that is not there. `progress` is given lines to show.
    ///
    /// # Errors
    ///
    /// [`EngineError`].
    pub fn set_up(
        &self,
        stop: &CancellationToken,
        progress: &mut dyn FnMut(&str),
    ) -> Result<(), EngineError> {
        let Some(line) = &self.set_up else {
            return Ok(());
        };
        let mut progress = |line: &str| progress(self.without_name(line));
        let ended = self.prepare(line, SET_UP_LIMIT, stop, &mut progress)?;
        let failed = |message| Err(self.error(Problem::SetUp(message)));
        match ended.end {
            End::Itself(status) if status.success() => Ok(()),
            End::Itself(status) => failed(format!("{} ({status})", self.last_words(&ended))),
            End::Limit(_) => failed(format!("it took more than {} s", SET_UP_LIMIT.as_secs())),
            End::Stopped => Err(self.error(Problem::Stopped)),
            End::TooMuch => failed(process::too_much()),
        }
    }

    /// Solves a formula. A tour that comes out has been checked move by move; of a relaxed formula it may be
    /// cycles.
    ///
    /// # Errors
    ///
    /// [`EngineError`].
    pub fn solve_formula(
        &self,
        formula: &Formula,
        settings: &Settings<'_>,
    ) -> Result<Solved, EngineError> {
        self.is_for(Input::Cnf, formula.instance().kind())?;
        let solved = self.search(formula, formula.support(), settings)?;
        solved.read(|model| {
            let reading = formula.read(&model);
            reading.map_err(|error| self.error(Problem::WrongTour(error)))
        })
    }

    /// Solves any formula, up to a model. The `needed` variables have to have values in it; whether it is one
    /// nobody has checked.
    ///
    /// # Errors
    ///
    /// [`EngineError`].
    pub fn search(
        &self,
        formula: &impl Clauses,
        needed: impl IntoIterator<Item = Var>,
        settings: &Settings<'_>,
    ) -> Result<Solved<Model>, EngineError> {
        if self.input != Input::Cnf {
            let (takes, given) = (self.input, Input::Cnf);
            return Err(self.error(Problem::Input { takes, given }));
        }
        let began = Instant::now();
        let folder = self.folder()?;
        let clauses = write_formula(formula, &folder.path(Hole::Cnf));
        let clauses = clauses.map_err(|error| self.error(Problem::Write(error)))?;
        let variables = formula.n_vars();
        let solved = self.ask(
            &folder,
            |_| None,
            began,
            settings,
            |text| answer::read(text.as_bytes(), variables, needed),
        )?;
        Ok(Solved {
            variables: Some(variables),
            clauses: Some(clauses),
            ..solved.read(|(model, _)| Ok(model))?
        })
    }

    /// Solves an instance, of which it gets the graph or the board. What comes out is a tour, which has been checked
    /// move by move.
    ///
    /// # Errors
    ///
    /// [`EngineError`].
    pub fn solve_instance(
        &self,
        instance: &Instance,
        settings: &Settings<'_>,
    ) -> Result<Solved, EngineError> {
        let given = match self.input {
            Input::Board => Input::Board,
            _ => Input::Graph,
        };
        self.is_for(given, instance.kind())?;
        let board = match (given, instance.board()) {
            (Input::Board, None) => {
                return Err(self.error(Problem::NoBoard(instance.name().to_owned())));
            }
            (_, board) => board.map(ToString::to_string),
        };
        let began = Instant::now();
        let folder = self.folder()?;
        if given == Input::Graph {
            let written = write_graph(instance, &folder.path(Hole::Graph));
            written.map_err(|error| self.error(Problem::Write(error)))?;
        }
        let known = |hole| match hole {
            Hole::Board => board.clone(),
            Hole::Kind => Some(instance.kind().to_string()),
            Hole::Start => Some(Numbering::FromOne.number(instance.start()).to_string()),
            _ => None,
        };
        // A tour names every vertex, as a model does every variable.
        let all = (0..instance.n()).map(Var::new);
        let solved = self.ask(&folder, known, began, settings, |text| {
            answer::read(text.as_bytes(), instance.n(), all)
        })?;
        solved.read(|(_, text)| {
            let order = order_in(&text);
            let order = order.map_err(|NotAVertex(word)| self.error(Problem::NoVertex(word)))?;
            let tour = Tour::check(instance, order);
            let tour = tour.map_err(|error| self.error(Problem::WrongTour(error)))?;
            Ok(Reading::Tour(tour))
        })
    }

    /// Runs it on the question that has been written, and reads its answer; with a model also its text.
    fn ask(
        &self,
        folder: &Folder,
        known: impl Fn(Hole) -> Option<String>,
        began: Instant,
        settings: &Settings<'_>,
        read: impl FnOnce(&str) -> Result<Answer, AnswerError>,
    ) -> Result<Solved<(Model, String)>, EngineError> {
        let write_seconds = began.elapsed().as_secs_f64();
        let solved = |outcome, wall: Duration, cpu: Duration| Solved {
            outcome,
            variables: None,
            clauses: None,
            write_seconds,
            wall_seconds: wall.as_secs_f64(),
            cpu_seconds: cpu.as_secs_f64(),
        };
        let left = settings
            .time_limit
            .map(|limit| limit.saturating_sub(began.elapsed()));
        if left.is_some_and(|left| left.is_zero()) {
            let outcome = EngineAnswer::Unknown(Stopped::Time);
            return Ok(solved(outcome, Duration::ZERO, Duration::ZERO));
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
            limits: Limits {
                wall: left,
                ..Limits::default()
            },
            grace: Duration::ZERO,
            stop: settings.stop,
        };
        let ended = self.run(&self.command, &fill, &options, &mut |_| ())?;
        let unknown = |why| Ok(solved(EngineAnswer::Unknown(why), ended.wall, ended.cpu));
        let status = match ended.end {
            End::Itself(status) => status,
            End::Limit(_) => return unknown(Stopped::Time),
            End::Stopped => return unknown(Stopped::Cancelled),
            End::TooMuch => return Err(self.error(Problem::TooMuch(process::MOST_SAID))),
        };
        if self.is_not_set_up(status) {
            let install = self.install.clone();
            return Err(self.error(Problem::NotSetUp { install }));
        }
        let failed = |message| Err(self.error(Problem::Failed { status, message }));
        // Solvers exit with 0 where they do not know; hamcnf with 3, as a limit is never a success.
        let says_unknown = ended.stdout.lines().any(|line| line == "s UNKNOWN");
        let code = status.code().filter(|&code| code != 3 || says_unknown);
        let Some(code @ (0 | 3 | 10 | 20)) = code else {
            return failed(self.last_words(&ended));
        };
        let text = if self.command.has(Hole::Answer) {
            match answer_in(&folder.path(Hole::Answer)) {
                Ok(Some(text)) => text,
                Ok(None) => return Err(self.error(Problem::TooMuch(MOST_WRITTEN))),
                Err(error) => return failed(format!("its answer cannot be read: {error}")),
            }
        } else {
            ended.stdout
        };
        let answer = read(&text).map_err(|error| self.error(Problem::Answer { status, error }))?;
        let (expected, said) = match answer {
            Answer::Satisfiable(_) => (&[10][..], "SATISFIABLE"),
            Answer::Unsatisfiable => (&[20][..], "UNSATISFIABLE"),
            Answer::Unknown => (&[0, 3][..], "UNKNOWN"),
        };
        if !expected.contains(&code) {
            return Err(self.error(Problem::Disagrees { said, status }));
        }
        let outcome = match answer {
            Answer::Satisfiable(model) => EngineAnswer::Found((model, text)),
            Answer::Unsatisfiable if !self.proves => {
                return Err(self.error(Problem::CannotProve));
            }
            Answer::Unsatisfiable => EngineAnswer::None,
            Answer::Unknown => EngineAnswer::Unknown(Stopped::GaveUp),
        };
        Ok(solved(outcome, ended.wall, ended.cpu))
    }

    /// Runs it for something else than an answer.
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
            // An adaptor removes what it has fetched in part.
            grace: Duration::from_secs(1),
            stop,
        };
        self.run(line, &|hole| folder.path(hole).into(), &options, progress)
    }

    /// Runs a command of its.
    fn run(
        &self,
        line: &Line,
        fill: &dyn Fn(Hole) -> OsString,
        options: &process::Options<'_>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<ProcessResult, EngineError> {
        let mut words = line.filled(fill);
        let program = words.remove(0);
        let mut command = Command::new(&program);
        command.args(words);
        process::run(command, options, progress).map_err(|error| {
            let program = program.to_string_lossy().into_owned();
            self.error(match error.kind() {
                io::ErrorKind::NotFound => Problem::Missing {
                    program,
                    install: self.install.clone(),
                },
                _ => Problem::Run { program, error },
            })
        })
    }

    /// A folder for a run, with its script.
    fn folder(&self) -> Result<Folder, EngineError> {
        Folder::new(self.script.as_ref()).map_err(|error| self.error(Problem::Write(error)))
    }

    /// Whether an adaptor has ended so since its package is not there.
    fn is_not_set_up(&self, status: ExitStatus) -> bool {
        self.set_up.is_some() && status.code() == Some(NOT_SET_UP)
    }

    /// Refuses what it cannot be asked.
    fn is_for(&self, given: Input, kind: TourKind) -> Result<(), EngineError> {
        if self.input != given {
            let takes = self.input;
            return Err(self.error(Problem::Input { takes, given }));
        }
        if !self.takes(kind) {
            return Err(self.error(Problem::Kind(kind)));
        }
        Ok(())
    }

    fn error(&self, problem: Problem) -> EngineError {
        EngineError {
            engine: self.name.clone(),
            problem,
        }
    }

    /// The last line that is not empty, or its beginning if it is long.
    fn last_words(&self, ended: &ProcessResult) -> String {
        const LONGEST: usize = 300;
        let last = |text: &str| {
            let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
            Some(self.without_name(line).chars().take(LONGEST).collect())
        };
        // Some write their errors on standard output.
        last(&ended.stderr)
            .or_else(|| last(&ended.stdout))
            .unwrap_or_else(|| "it said nothing".to_owned())
    }

    /// A message of an adaptor's, without its name.
    fn without_name<'a>(&self, line: &'a str) -> &'a str {
        let after = |name: &str| line.strip_prefix(name)?.strip_prefix(": ");
        let script = self.script.as_ref().and_then(Script::name);
        script.and_then(after).unwrap_or(line)
    }
}

impl<T> Solved<T> {
    /// The same with another reading of what was found.
    fn read<U>(
        self,
        read: impl FnOnce(T) -> Result<U, EngineError>,
    ) -> Result<Solved<U>, EngineError> {
        let outcome = match self.outcome {
            EngineAnswer::Found(found) => EngineAnswer::Found(read(found)?),
            EngineAnswer::None => EngineAnswer::None,
            EngineAnswer::Unknown(why) => EngineAnswer::Unknown(why),
        };
        Ok(Solved {
            outcome,
            variables: self.variables,
            clauses: self.clauses,
            write_seconds: self.write_seconds,
            wall_seconds: self.wall_seconds,
            cpu_seconds: self.cpu_seconds,
        })
    }
}

/// The formula in a file, and how many clauses it has.
fn write_formula(formula: &impl Clauses, file: &Path) -> io::Result<Count> {
    let clauses = formula.tally().total();
    let header = Header {
        comments: &[],
        variables: formula.n_vars(),
        clauses: clauses.clauses,
        projection: None,
        names: None,
    };
    let mut writer = DimacsWriter::new(File::create(file)?, &header);
    formula.emit(&mut writer);
    match writer.finish() {
        Ok(_) => Ok(clauses),
        Err(WriteError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// The graph in a file of DIMACS edges.
fn write_graph(instance: &Instance, file: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    match formats::write(Format::DIMACS, instance.graph(), &mut out) {
        Ok(()) => out.flush(),
        Err(formats::WriteError::Io(error)) => Err(error),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Bytes that an answer in a file has at most: four for each variable of the largest formulas that solvers take.
const MOST_WRITTEN: u64 = 1 << 28;

/// What is in an answer's file, unless it is too much.
fn answer_in(file: &Path) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    File::open(file)?
        .take(MOST_WRITTEN + 1)
        .read_to_end(&mut bytes)?;
    let fits = bytes.len() as u64 <= MOST_WRITTEN;
    Ok(fits.then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// A word in a `v` line that is not a vertex's number.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not the number of a vertex")]
pub struct NotAVertex(pub String);

/// The vertices in the `v` lines of an answer that has been read.
///
/// # Errors
///
/// [`NotAVertex`], with the word.
pub fn order_in(text: &str) -> Result<Vec<Vertex>, NotAVertex> {
    let words = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix('v'));
    let words = words.flat_map(str::split_ascii_whitespace);
    words
        .take_while(|&word| word != "0")
        .map(|word| {
            let vertex = word
                .parse()
                .ok()
                .and_then(|number: u32| number.checked_sub(1));
            vertex
                .map(Vertex::new)
                .ok_or_else(|| NotAVertex(word.to_owned()))
        })
        .collect()
}

/// The version in what a program says of itself: in the first line the word that begins with a digit, or the only
/// word.
fn version_in(text: &str) -> Option<String> {
    let words: Vec<_> = text.lines().next()?.split_ascii_whitespace().collect();
    let version = match words[..] {
        [only] => Some(only),
        _ => words
            .into_iter()
            .find(|word| word.starts_with(|c: char| c.is_ascii_digit())),
    };
    version.map(str::to_owned)
}

/// What a run needs, in a folder that goes with this.
struct Folder {
    folder: TemporaryFolder,
    script: Option<PathBuf>,
}

impl Folder {
    fn new(script: Option<&Script>) -> io::Result<Self> {
        let folder = Temporary::folder_for_a_child()?;
        let script = script.map(|script| script.within(folder.path()));
        let script = script.transpose()?;
        Ok(Self { folder, script })
    }

    /// The file for a hole in a command.
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
