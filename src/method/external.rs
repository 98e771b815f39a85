//! Other people's solvers as methods: by the names that they have as [engines](crate::solve::external). A file may
//! [add](Engine::add) engines to those that are built in; that holds for the whole program, as methods are known by names.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{OnceLock, PoisonError, RwLock};

use super::Method;
use crate::solve::external::{self, Availability, EngineError, Engines, EnginesError, Input};
use crate::stop::Stop;

/// The name of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine(String);

/// The built-in engines, read once.
fn built_in() -> &'static Engines {
    static ENGINES: OnceLock<Engines> = OnceLock::new();
    ENGINES.get_or_init(Engines::built_in)
}

/// The engines that a file has added. They stay as long as the program runs.
struct Added {
    file: Option<PathBuf>,
    engines: Vec<&'static external::Engine>,
}

static ADDED: RwLock<Added> = RwLock::new(Added {
    file: None,
    engines: Vec::new(),
});

fn all() -> Vec<&'static external::Engine> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    let mut all = added.engines.clone();
    let is_own =
        |engine: &external::Engine| added.engines.iter().any(|own| own.name() == engine.name());
    all.extend(built_in().iter().filter(|engine| !is_own(engine)));
    all
}

impl Engine {
    /// Adds the engines of a file, in place of those of an earlier one. An engine of the name of a built-in one replaces it.
    ///
    /// # Errors
    ///
    /// [`EnginesError`]: the file cannot be read, or an engine has the name of another method.
    pub fn add(file: &Path) -> Result<(), EnginesError> {
        let own = Engines::read(file)?.own();
        for engine in &own {
            let name = engine.name();
            if matches!(name.parse::<Method>(), Ok(method) if method.engine().is_none()) {
                return Err(EnginesError::Content {
                    file: file.to_owned(),
                    message: format!(
                        "the engine {name}: there is a method of this name, give it another"
                    ),
                });
            }
        }
        let engines = own.into_iter().map(|engine| &*Box::leak(Box::new(engine)));
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        added.engines = engines.collect();
        // A child may be started from another folder.
        added.file = Some(std::path::absolute(file).unwrap_or_else(|_| file.to_owned()));
        Ok(())
    }

    /// The file that engines have been added from.
    #[must_use]
    pub fn file() -> Option<PathBuf> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        added.file.clone()
    }

    /// The engine of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_there = all().iter().any(|engine| engine.name() == name);
        is_there.then(|| Self(name.to_owned()))
    }

    /// An engine that a row names, known here or not.
    #[must_use]
    pub(super) fn of_a_row(name: &str) -> Option<Self> {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        (!name.is_empty() && name.chars().all(allowed)).then(|| Self(name.to_owned()))
    }

    /// The names of all engines.
    pub fn names() -> impl Iterator<Item = &'static str> {
        all().into_iter().map(external::Engine::name)
    }

    /// The description of the engine, if it is known here.
    #[must_use]
    pub fn engine(&self) -> Option<&'static external::Engine> {
        all().into_iter().find(|engine| engine.name() == self.0)
    }

    /// Its name and version, if it is there.
    ///
    /// # Errors
    ///
    /// [`EngineError`].
    pub fn signature(&self, stop: &Stop) -> Result<Option<String>, EngineError> {
        let Some(engine) = self.engine() else {
            return Ok(None);
        };
        Ok(match engine.availability(stop)? {
            Availability::Ready { version } => {
                let version = version.as_deref().unwrap_or("of unknown version");
                Some(format!("{self} {version}"))
            }
            Availability::NotSetUp | Availability::Missing => None,
        })
    }

    /// True if it solves formulas, and so works on an encoding.
    #[must_use]
    pub fn takes_a_formula(&self) -> bool {
        self.engine()
            .is_some_and(|engine| engine.input() == Input::Cnf)
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
