//! List of methods, one line each. Names, help, completion and tests are derived from the list.

use std::sync::{LazyLock, PoisonError, RwLock};

use hamcnf_encodings::{base, encoding};

use super::{
    Approxmc, AutoCount, Bdd, Engine, Enumerate, Exact, External, Ganak, Histogram, Method, Place, Portfolio, Prove,
    Sample, Search, Size, Solve, Subsets, Timeslice, Transfer, Treewidth, Zdd,
};
use hamcnf_engines::portfolio::{self, Strategy};
use hamcnf_engines::search::MethodName;

/// Methods of this program with their default settings. Each strategy of `auto` and each encoding is also a method.
static LIST: LazyLock<Vec<Method>> = LazyLock::new(|| {
    let strategies = Strategy::built_in().into_iter().map(Portfolio::of);
    let auto = [Portfolio::AUTO].into_iter().chain(strategies);
    let others = vec![
        Search::new(MethodName::Backtrack).into(),
        Search::new(MethodName::BestFirst).into(),
        Search::new(MethodName::Warnsdorff).into(),
        AutoCount::default().into(),
        Exact::default().into(),
        Treewidth.into(),
        Subsets::TABLE.into(),
        Subsets::WALKS.into(),
        Sample::default().into(),
        Histogram::default().into(),
        Transfer::default().into(),
        Zdd.into(),
        Timeslice.into(),
        Bdd.into(),
        Place::default().into(),
        Enumerate::default().into(),
        Approxmc::default().into(),
        Ganak::default().into(),
        Solve::default().into(),
        Prove::default().into(),
        Size::default().into(),
    ];
    auto.map(Method::from).chain(others).collect()
});

/// Methods that other crates have registered. They stay in memory until the program exits.
static REGISTERED: RwLock<Vec<Method>> = RwLock::new(Vec::new());

/// Error for a name that another method or an encoding already has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the name \"{0}\" is already taken by a method or an encoding")]
pub struct Taken(String);

/// Adds a method of another crate, with its default settings, to the list. If the method is a single strategy
/// (`Portfolio::of(STRATEGY)`), `auto` uses the strategy from then on.
///
/// # Errors
///
/// [`Taken`] if another method or an encoding has the name.
pub fn register(method: impl Into<Method>) -> Result<(), Taken> {
    let method = method.into();
    let is_encoding = |base: &base::Base| base.name == method.name();
    let taken = || Taken(method.name().to_owned());
    if named(method.name()).is_some() || encoding::bases().iter().any(is_encoding) {
        return Err(taken());
    }
    if let Some(strategy) = method.kind::<Portfolio>().and_then(|how| how.strategy) {
        portfolio::register(strategy).map_err(|_| taken())?;
    }
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.push(method);
    Ok(())
}

/// Returns all methods with their default settings: built-in methods, methods registered by other crates, and solvers
/// of an engines file.
#[must_use]
pub fn all() -> Vec<Method> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let engines = Engine::all().into_iter().map(External::by);
    let own = LIST.iter().chain(registered.iter()).cloned();
    own.chain(engines.map(Method::from)).collect()
}

/// Returns the method with this name and its default settings.
#[must_use]
pub fn named(name: &str) -> Option<Method> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    let mut own = LIST.iter().chain(registered.iter());
    let own = own.find(|method| method.name() == name).cloned();
    own.or_else(|| Engine::named(name).map(|engine| External::by(engine).into()))
}

/// Returns one method for each encoding, without refinements. Encodings that exist only for boards are left out unless
/// `is_board` is true.
pub(super) fn of_encodings(is_board: bool) -> Vec<Method> {
    let bases = encoding::bases().into_iter();
    let bases = bases.filter(|base| is_board || !base.offers.boards_only);
    bases.filter_map(|base| base.name.parse().ok()).map(|encoding| Solve::on(encoding).into()).collect()
}
