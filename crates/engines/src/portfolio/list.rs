//! List of strategies: one line per strategy, in the order of the help text. The schedule is derived from the
//! properties of the strategies (`schedule.rs`).

use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

use hamcnf_encodings::names::NoSuchName;

use super::strategies::{
    core, decomposition, lazy, local_search, obstruction, propagator, quotient, reduction, two_factor,
};
use super::strategy::Strategy;

const LIST: [Strategy; 9] = [
    Strategy::OBSTRUCTION,
    Strategy::new(&two_factor::TwoFactor),
    Strategy::new(&reduction::Reductions),
    Strategy::new(&decomposition::Decomposition),
    Strategy::new(&core::Core),
    Strategy::new(&propagator::Propagator),
    Strategy::new(&lazy::Lazy),
    Strategy::new(&local_search::LocalSearch),
    Strategy::new(&quotient::Quotient),
];

impl Strategy {
    /// Strategy that runs cheap infeasibility checks (`strategies/obstruction.rs`). Each obstruction found proves that
    /// no tour exists.
    pub const OBSTRUCTION: Self = Self::new(&obstruction::Obstructions);

    /// Returns the built-in strategies, followed by the registered strategies.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        LIST.iter().chain(registered.iter()).copied().collect()
    }

    /// Returns the built-in strategies, which this crate defines.
    #[must_use]
    pub fn built_in() -> Vec<Self> {
        LIST.to_vec()
    }
}

impl FromStr for Strategy {
    type Err = NoSuchName;

    fn from_str(name: &str) -> Result<Self, NoSuchName> {
        let all = Self::all();
        let found = all.iter().find(|strategy| strategy.as_str() == name);
        found.copied().ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|strategy| strategy.as_str()).collect();
            NoSuchName { of: "strategy", name: name.to_owned(), known: known.join(", ") }
        })
    }
}

/// Strategies registered by other crates.
static REGISTERED: RwLock<Vec<Strategy>> = RwLock::new(Vec::new());

/// Error for a strategy that was not registered, because its name is already in use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a strategy named \"{0}\" already exists")]
pub struct Registered(pub &'static str);

/// Registers a strategy of another crate for the whole process. From then on, the automatic portfolio (`auto`) uses it
/// too.
///
/// # Errors
///
/// [`Registered`] if the list already has a strategy of this name.
pub fn register(strategy: Strategy) -> Result<(), Registered> {
    if Strategy::all().contains(&strategy) {
        return Err(Registered(strategy.as_str()));
    }
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.push(strategy);
    Ok(())
}
