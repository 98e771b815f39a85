//! Other people's solvers as methods: by the names that they have as [engines](crate::solve::external).

use std::fmt;
use std::sync::OnceLock;

use crate::solve::external::{self, Availability, EngineError, Engines, Input};
use crate::stop::Stop;

/// The name of an engine that there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine(String);

/// All of them, read once.
fn engines() -> &'static Engines {
    static ENGINES: OnceLock<Engines> = OnceLock::new();
    ENGINES.get_or_init(Engines::built_in)
}

impl Engine {
    /// That of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let engine = engines().get(name).ok()?;
        Some(Self(engine.name().to_owned()))
    }

    /// The names of all of them.
    pub fn names() -> impl Iterator<Item = &'static str> {
        engines().iter().map(external::Engine::name)
    }

    /// What asks it.
    ///
    /// # Panics
    ///
    /// Never: only an engine that is there is named.
    #[must_use]
    pub fn engine(&self) -> &'static external::Engine {
        engines()
            .get(&self.0)
            .expect("it was there when it was named")
    }

    /// Its name and version, if it is there.
    ///
    /// # Errors
    ///
    /// [`EngineError`].
    pub fn signature(&self, stop: &Stop) -> Result<Option<String>, EngineError> {
        Ok(match self.engine().availability(stop)? {
            Availability::Ready { version } => {
                let version = version.as_deref().unwrap_or("of unknown version");
                Some(format!("{self} {version}"))
            }
            Availability::NotSetUp | Availability::Missing => None,
        })
    }

    /// Whether it solves formulas, and so works on an encoding.
    #[must_use]
    pub fn takes_a_formula(&self) -> bool {
        self.engine().input() == Input::Cnf
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
