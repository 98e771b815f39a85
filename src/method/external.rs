//! Other people's solvers as methods. Which there are is not known yet: this is where they come in.

use std::fmt;

/// The name of another program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine(String);

impl Engine {
    /// That of this name, if there is one.
    #[must_use]
    pub fn named(_name: &str) -> Option<Self> {
        None
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
