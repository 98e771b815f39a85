//! List of strategies: one line per strategy, in the order of the help text. The schedule is derived from the
//! properties of the strategies (`schedule.rs`).

use std::str::FromStr;

use hamcnf_graph::names::NoSuchName;
use hamcnf_graph::registry::{Entry, RegisterError, Registry};

use super::strategies::{
    core, decomposition, lazy, local_search, obstruction, propagator, quotient, reduction, two_factor,
};
use super::strategy::Strategy;

const LIST: &[Strategy] = &[
    Strategy::OBSTRUCTION,
    two_factor::TWO_FACTOR,
    reduction::REDUCTIONS,
    decomposition::DECOMPOSITION,
    core::CORE,
    propagator::PROPAGATOR,
    lazy::LAZY,
    local_search::LOCAL_SEARCH,
    quotient::QUOTIENT,
];

impl Strategy {
    /// Strategy that runs cheap infeasibility checks (`strategies/obstruction.rs`). Each obstruction found proves that
    /// no tour exists.
    pub const OBSTRUCTION: Self = obstruction::OBSTRUCTIONS;

    /// Returns the built-in strategies, followed by the registered strategies.
    pub fn all() -> Vec<Self> {
        STRATEGIES.all()
    }

    /// Returns the built-in strategies, which this crate defines.
    pub fn built_in() -> &'static [Self] {
        STRATEGIES.built_in()
    }
}

static STRATEGIES: Registry<Strategy> = Registry::new(|| LIST);

impl Entry for Strategy {
    const OF: &'static str = "strategy";

    fn name(&self) -> &str {
        self.name
    }
}

impl FromStr for Strategy {
    type Err = NoSuchName;

    fn from_str(name: &str) -> Result<Self, NoSuchName> {
        STRATEGIES.find(name)
    }
}

/// Registers a strategy of another crate for the whole process. From then on, the automatic portfolio (`auto`) uses it
/// too.
///
/// # Errors
///
/// [`RegisterError`] if the name is invalid or taken.
pub fn register(strategy: Strategy) -> Result<(), RegisterError> {
    STRATEGIES.register(strategy)
}
