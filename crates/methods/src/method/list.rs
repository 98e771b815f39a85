//! List of methods, one line each. Names, help, completion and tests are derived from the list.

use std::sync::LazyLock;

use hamcnf_encodings::{base, encoding};
use hamcnf_graph::registry::{Entry, RegisterError, Registry};

use super::{
    AutoCount, Bdd, Counter, Engine, Enumerate, Exact, External, Histogram, Method, Place, Portfolio, Prove, Sample,
    Search, Size, Solve, Subsets, Timeslice, Transfer, Treewidth, Zdd,
};
use hamcnf_cycle::portfolio::{self, Strategy};
use hamcnf_cycle::search;
use hamcnf_programs::engine::Answers;

/// Methods of this program with their default settings. Each strategy of `auto` and each encoding is also a method.
static LIST: LazyLock<Vec<Method>> = LazyLock::new(|| {
    let strategies = Strategy::built_in().iter().copied().map(Portfolio::of);
    let auto = [Portfolio::AUTO].into_iter().chain(strategies);
    let others = vec![
        Search::new(search::Method::Backtrack).into(),
        Search::new(search::Method::BestFirst).into(),
        Search::new(search::Method::Warnsdorff).into(),
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
        Solve::default().into(),
        Prove::default().into(),
        Size::default().into(),
    ];
    auto.map(Method::from).chain(others).collect()
});

static METHODS: Registry<Method> = Registry::new(|| &LIST);

impl Entry for Method {
    const OF: &'static str = "method";

    fn name(&self) -> &str {
        Self::name(self)
    }
}

/// Adds a method of another crate, with its default settings, to the list. If the method is a single strategy
/// (`Portfolio::of(STRATEGY)`), `auto` uses the strategy from then on.
///
/// # Errors
///
/// [`RegisterError`] if the name is invalid, or another method or an encoding has it.
pub fn register(method: impl Into<Method>) -> Result<(), RegisterError> {
    let method = method.into();
    let is_encoding = |base: &base::Base| base.name == method.name();
    if named(method.name()).is_some() || encoding::bases().iter().any(is_encoding) {
        return Err(RegisterError::taken(&method));
    }
    if let Some(strategy) = method.kind::<Portfolio>().and_then(|how| how.strategy) {
        portfolio::register(strategy)?;
    }
    METHODS.register(method)
}

/// Returns all methods with their default settings: built-in methods, methods registered by other crates, and engines.
pub fn all() -> Vec<Method> {
    METHODS.all().into_iter().chain(Engine::all().into_iter().map(of_engine)).collect()
}

/// Returns the method that runs an engine.
fn of_engine(engine: Engine) -> Method {
    match engine.engine().map(|engine| engine.answers) {
        Some(Answers::Counts) => Counter::by(engine).into(),
        _ => External::by(engine).into(),
    }
}

/// Returns the method with this name and its default settings.
pub fn named(name: &str) -> Option<Method> {
    METHODS.named(name).or_else(|| Engine::named(name).map(of_engine))
}

/// Returns one method for each encoding, without refinements. Encodings that exist only for boards are left out unless
/// `is_board` is true.
pub(super) fn of_encodings(is_board: bool) -> Vec<Method> {
    let bases = encoding::bases().into_iter().filter(|base| is_board || !base.offers.boards_only);
    bases.filter_map(|base| base.name.parse().ok()).map(|encoding| Solve::on(encoding).into()).collect()
}
