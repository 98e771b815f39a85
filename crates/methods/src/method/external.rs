//! Methods that run external solvers. Their names come from the list of [engines](hamcnf_programs::engine). A
//! file may [add](Engine::add) engines to the built-in engines. Added engines are known in the whole program, because a
//! method refers to its engine by name.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, PoisonError, RwLock};

use hamcnf_encodings::{Encoding, Formula, Reading};

use super::{Backend, Class, Counter, Method, MethodKind, Operand, Profile};
use crate::run::{Failure, Run, RunResult, Status};
use hamcnf_graph::budget::Stopped;
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_programs::engine::{self, Answers, EngineAnswer, EngineError, Engines, EnginesError, Input, Problem};
use hamcnf_questions::Tours;
use hamcnf_sat::solve::defaults;

/// Name of an engine (external program).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine(pub(super) String);

/// Known engines, and the path of the file that has added some of them. Engines stay in memory until the program exits.
struct KnownEngines {
    file: Option<PathBuf>,
    engines: &'static Engines,
}

static KNOWN: LazyLock<RwLock<KnownEngines>> =
    LazyLock::new(|| RwLock::new(KnownEngines { file: None, engines: Box::leak(Box::new(Engines::built_in())) }));

fn all() -> &'static Engines {
    KNOWN.read().unwrap_or_else(PoisonError::into_inner).engines
}

impl Engine {
    /// Adds the engines of a file and drops the engines of an earlier file. An engine with the name of a built-in
    /// engine replaces the built-in engine.
    ///
    /// # Errors
    ///
    /// [`EnginesError`]: the file cannot be read, or an engine has the name of another method.
    pub fn add(file: &Path) -> Result<(), EnginesError> {
        let engines = Engines::read(file)?;
        let is_method = |name: &str| matches!(name.parse::<Method>(), Ok(method) if method.engine().is_none());
        if let Some(engine) = engines.iter().find(|engine| is_method(&engine.name)) {
            let (file, name) = (file.display(), &engine.name);
            let why = format!("{file}: the engine \"{name}\": a method already has this name; choose another name");
            return Err(EnginesError(why));
        }
        // A child process may run in another folder, so the path must be absolute.
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        let known = KnownEngines { file: Some(file), engines: Box::leak(Box::new(engines)) };
        *KNOWN.write().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(())
    }

    /// Returns the file from which engines were added, if any.
    pub fn file() -> Option<PathBuf> {
        KNOWN.read().unwrap_or_else(PoisonError::into_inner).file.clone()
    }

    /// Returns the engine with this name, if it is known.
    pub fn named(name: &str) -> Option<Self> {
        all().get(name).map(|_| Self(name.to_owned()))
    }

    /// Returns the engine that a row names, even if the engine is not known on this machine. Returns `None` if the name
    /// is empty or has characters that names of engines cannot have.
    pub(super) fn of_a_row(name: &str) -> Option<Self> {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        (!name.is_empty() && name.chars().all(allowed)).then(|| Self(name.to_owned()))
    }

    /// Returns all engines: the built-in engines and the engines that a file has added.
    pub fn all() -> Vec<Self> {
        all().iter().map(|engine| Self(engine.name.clone())).collect()
    }

    /// Returns the description of the engine, if the engine is known on this machine.
    pub fn engine(&self) -> Option<&'static engine::Engine> {
        all().get(&self.0)
    }

    /// Returns the name and version of the program; `None` if this build does not know the engine, or if the engine is a
    /// model counter, whose version is known only after a run.
    ///
    /// # Errors
    ///
    /// [`EngineError`] if the program is not installed or too old, or if asking it for its version fails.
    pub fn signature(&self, stop: &CancellationToken) -> Result<Option<String>, EngineError> {
        let Some(engine) = self.engine().filter(|engine| engine.answers == Answers::Solutions) else { return Ok(None) };
        let version = engine.version(stop)?;
        Ok(Some(format!("{self} {}", version.as_deref().unwrap_or("of unknown version"))))
    }
}

/// Refuses a question that an engine cannot answer on this machine; other errors are failures of the run.
pub(super) fn refused_by(error: EngineError, result: RunResult) -> Result<RunResult, Failure> {
    match error.problem {
        Problem::Missing { .. } | Problem::NotSetUp { .. } | Problem::TooOld { .. } | Problem::Unsuitable(_) => {
            Ok(result.refused(&error))
        }
        _ => Err(Failure::from(error)),
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Method that runs an external program on a formula or on a graph.
#[derive(Clone, PartialEq, Debug)]
pub struct External {
    pub engine: Engine,
    /// Encoding of the formula; `None` if the program reads the graph instead of a formula.
    pub encoding: Option<Encoding>,
}

impl External {
    /// Returns the method for an engine, with the default encoding if the engine takes formulas.
    pub fn by(engine: Engine) -> Self {
        let encoding = engine
            .engine()
            .is_some_and(|engine| engine.input == Input::Cnf)
            .then(|| defaults::encoding(defaults::PUBLISHED));
        Self { engine, encoding }
    }
}

impl Method {
    /// Returns the entry in the list of engines that the method runs, if any.
    pub fn engine(&self) -> Option<&Engine> {
        let solver = self.kind::<External>().map(|method| &method.engine);
        solver.or_else(|| self.kind::<Counter>().map(|method| &method.engine))
    }
}

impl MethodKind for External {
    fn profile(&self) -> Profile<'_> {
        let (summary, operand) = match self.encoding {
            Some(_) => ("external solver on the formula of an encoding", Operand::Required),
            None => ("external solver on the graph", Operand::None),
        };
        let is_directed = || self.engine.engine().is_some_and(|engine| engine.directed);
        Profile {
            operand,
            backend: Backend::Program,
            random: true,
            compared: false,
            constraints: self.encoding.is_some(),
            directed: self.encoding.is_some() || is_directed(),
            ..Profile::new(&self.engine.0, summary, Class::Program)
        }
    }

    fn encoding(&self) -> Option<&Encoding> {
        self.encoding.as_ref()
    }

    fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = Some(encoding);
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let instance = tours.instance();
        let mut result = RunResult::default();
        let Some(engine) = self.engine.engine() else {
            return Ok(result.refused(&format!("unknown engine \"{}\"", self.engine)));
        };
        match self.engine.signature(&run.settings().stop) {
            Ok(signature) => result.program = signature,
            Err(error) => return refused_by(error, result),
        }
        let settings = engine::Settings {
            limits: run.limits_left(),
            seed: u32::try_from(run.settings().seed)?,
            stop: &run.settings().stop,
        };
        run.settings().observer.doing(|| format!("running {}", self.engine));
        let solved = match &self.encoding {
            Some(encoding) => match Formula::new(encoding.clone(), instance) {
                Ok(formula) => engine.solve_formula(&formula, &settings),
                Err(refusal) => return Ok(result.refused(&refusal)),
            },
            None => engine.solve_instance(instance, &settings),
        };
        let solved = match solved {
            Ok(solved) => solved,
            Err(error) => return refused_by(error, result),
        };
        result.variables = solved.variables.map(u64::from);
        result.clauses = solved.clauses.map(|count| count.clauses);
        result.solve_seconds = Some(solved.cpu_seconds);
        result.wall_seconds = Some(solved.write_seconds + solved.wall_seconds);
        for (name, number) in &solved.metrics {
            result.statistics.set(name, number);
        }
        Ok(match solved.outcome {
            EngineAnswer::Found(Reading::Tour(tour)) => result.found(tour),
            EngineAnswer::Found(Reading::Cycles(cycles)) => {
                let why = format!("the model has {} cycles, because the encoding is relaxed", cycles.len());
                result.ended(Status::GaveUp, why)
            }
            EngineAnswer::None => {
                let why = format!("reported by {}, not checked", result.program.as_deref().unwrap_or_default());
                result.ended(Status::NoTour, why)
            }
            EngineAnswer::Unknown(Stopped::GaveUp) => result.ended(Status::GaveUp, "it says that it does not know"),
            EngineAnswer::Unknown(why) => result.stopped(why),
        })
    }
}
