//! [`StrategyKind`], the trait that every strategy of the portfolio implements, and [`Strategy`], an entry of the list
//! of strategies (`list.rs`).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hamcnf_encodings::{Facts, Graph, Instance, Obstruction};

use super::Metric;
use crate::budget::{Budget, Stopped};
use crate::cycle::Found;
use crate::cycle::decomposition::Elimination;
use crate::cycle::reduction::Reduction;
use hamcnf_encodings::endpoints::Endpoints;

/// Strategy of the automatic portfolio (`auto`), which can also run alone. Each strategy has its own file in
/// `strategies/` and a line in the list of strategies.
///
/// The schedule of `auto`, the methods that run one strategy, the help text, and the tests of all strategies are
/// derived from the list.
pub trait StrategyKind: Send + Sync + 'static {
    /// Returns the name on the command line and in messages: one word in lower case.
    fn name(&self) -> &'static str;

    /// Returns a summary in a few words, for the help text.
    fn summary(&self) -> &'static str;

    /// Returns the stage in which `auto` runs the strategy.
    fn stage(&self) -> Stage;

    /// True if `auto` should run the strategy on this graph. Only used in the stages [`Whole`](Stage::Whole) and
    /// [`Split`](Stage::Split).
    fn suits(&self, _graph: &Facts) -> bool {
        true
    }

    /// Returns the strategy's turns on this graph before the rounds begin. Only the first thread takes these turns.
    /// Only used in [`Stage::Turns`].
    fn opening(&self, _graph: &Graph) -> Vec<Opening> {
        Vec::new()
    }

    /// True if every thread begins with the strategy's opening turns, each with a seed of its own. By default, only the
    /// first thread takes opening turns.
    fn opens_every_thread(&self) -> bool {
        false
    }

    /// Returns the position of the strategy within each round on this graph, and the length of its turns. Returns
    /// `None` if the strategy does not run in rounds. Only used in [`Stage::Turns`].
    fn rounds(&self, _graph: &Graph) -> Option<Rounds> {
        None
    }

    /// True if the strategy, without limits, always finds a Hamiltonian cycle or proves that none exists.
    fn is_exact(&self) -> bool {
        false
    }

    /// True if the result depends on the seed.
    fn is_random(&self) -> bool {
        true
    }

    /// True if `hamcnf compare` runs the strategy, because the strategy ends soon or solves every question.
    fn is_compared(&self) -> bool {
        self.is_exact()
    }

    /// True if the strategy only works on graphs with parts of small treewidth, and gives up at once on others.
    fn is_for_narrow(&self) -> bool {
        false
    }

    /// True if the strategy notifies the budget's observer of each lazy iteration.
    fn tells_rounds(&self) -> bool {
        false
    }

    /// Returns the argument from which the strategy concludes that no tour exists.
    fn argument(&self) -> Argument {
        Argument::Other
    }

    /// Runs a turn. Returns the result of the turn, and metrics that are merged over all turns of the strategy.
    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>);
}

/// Stage of `auto` in which a strategy runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// First stage: the strategy runs once, on the question itself, even if a limit has been reached.
    Question,
    /// Second stage: the strategy runs once, on the whole graph, without a work limit.
    Whole,
    /// Third stage: the strategy runs once, on the whole graph, to split the graph. The first strategy that returns
    /// parts ends this stage.
    Split,
    /// Last stage: the strategies take turns on each part of the graph.
    Turns,
}

/// Turn that a strategy takes before the rounds begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Sort key: opening turns with lower values run first.
    pub place: u32,
    /// Limit on the work of the turn; `None` if unlimited.
    pub slice: Option<Slice>,
}

/// Schedule of a strategy in the rounds: its position within a round, and the length of its turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// Sort key: strategies with lower values run first within a round. Each thread begins at a different strategy.
    pub place: u32,
    /// Limit on the work of the turn in the first round. The limit grows from round to round.
    pub slice: Slice,
    /// Offset added to the seed: 1 if an [`Opening`] turn already uses the first seed, else 0.
    pub first_seed: u32,
}

/// Result of a turn.
pub enum TurnResult {
    /// A Hamiltonian cycle, a proof that none exists, or no result.
    Found(Found),
    /// An obstruction, which proves that no tour exists.
    Obstructed(Obstruction),
    /// Smaller graphs, all of which must have a Hamiltonian cycle.
    Parts(Reduction),
}

impl From<Found> for TurnResult {
    fn from(found: Found) -> Self {
        Self::Found(found)
    }
}

impl TurnResult {
    /// Result of a strategy that gave up.
    pub const GAVE_UP: Self = Self::Found(Found::Nothing(Stopped::GaveUp));
}

/// Argument from which a strategy concludes that no tour exists. A proof of this conclusion starts from the argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The graph has no 2-factor.
    NoFactor,
    /// The tables of the dynamic program over a tree decomposition have no states left.
    Tables,
    /// The degree constraints with lazily added subtour-elimination constraints have no solution.
    Cuts,
    /// The clauses of the SAT solver, including the clauses that the circuit propagator added, are unsatisfiable.
    Propagator,
    /// Another argument, from which no proof can start.
    Other,
}

/// Turn of a strategy: a run with a seed and a work limit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    pub strategy: Strategy,
    pub seed: u32,
    /// Limit on the work of the turn; `None` if unlimited.
    pub slice: Option<Slice>,
    /// Number derived from the round and the thread. It selects the settings that vary from turn to turn.
    pub variant: u32,
}

/// Limit on the work of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slice {
    /// Maximum number of assigned literals that the SAT solver reports to the circuit propagator.
    Literals(u64),
    /// Maximum number of conflicts of the SAT solver.
    Conflicts(u64),
    /// Maximum number of edges that the local search examines.
    Looks(u64),
    /// Maximum estimated number of states of all tables. A turn with a greater estimate gives up at once.
    States(u64),
}

impl Slice {
    pub(super) fn times(self, factor: u64) -> Self {
        match self {
            Self::Literals(n) => Self::Literals(n.saturating_mul(factor)),
            Self::Conflicts(n) => Self::Conflicts(n.saturating_mul(factor)),
            Self::Looks(n) => Self::Looks(n.saturating_mul(factor)),
            Self::States(n) => Self::States(n.saturating_mul(factor)),
        }
    }
}

impl Turn {
    /// Creates a turn without a work limit.
    pub(super) fn whole(strategy: Strategy, seed: u32) -> Self {
        Self { strategy, seed: seed % 2_000_000_001, slice: None, variant: 0 }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.strategy)?;
        match self.slice {
            None => Ok(()),
            Some(Slice::Literals(n)) => {
                write!(f, ", up to {n} propagated literals, seed {}", self.seed)
            }
            Some(Slice::Conflicts(n)) => write!(f, ", up to {n} conflicts, seed {}", self.seed),
            Some(Slice::States(n)) => write!(f, ", up to {n} states"),
            Some(Slice::Looks(n)) => write!(f, ", up to {n} edges examined, seed {}", self.seed),
        }
    }
}

/// Task of a turn, with its limits.
pub struct Work<'a> {
    /// Question to answer in [`Stage::Question`]. In later stages, the task is to find a cycle through all vertices of
    /// `graph`.
    pub instance: &'a Instance,
    /// Required endpoints of the tour.
    pub ends: Endpoints,
    /// Graph of the question, extended by the path-to-cycle reduction for open tours, or a part of this graph.
    pub graph: &'a Graph,
    pub turn: &'a Turn,
    /// True if no other strategy works on the question.
    pub alone: bool,
    pub budget: &'a Budget,
    pub(super) shared: &'a Shared,
}

/// Results that the turns on one graph share.
#[derive(Default)]
pub(super) struct Shared {
    order: Mutex<Option<Result<Elimination, Stopped>>>,
}

impl Shared {
    /// Locks the shared elimination order. It is `None` if not computed yet, and an error if no narrow order was found.
    pub(super) fn order(&self) -> MutexGuard<'_, Option<Result<Elimination, Stopped>>> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Entry of the list of strategies: a handle to the implementation of a strategy.
#[derive(Clone, Copy)]
pub struct Strategy(&'static dyn StrategyKind);

impl Strategy {
    /// Creates a strategy from its implementation.
    pub const fn new(kind: &'static dyn StrategyKind) -> Self {
        Self(kind)
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0.name()
    }

    #[must_use]
    pub fn kind(self) -> &'static dyn StrategyKind {
        self.0
    }

    /// True if the strategy, without limits, always finds a Hamiltonian cycle or proves that none exists.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.0.is_exact()
    }
}

// Strategies are identified by their names, which are unique in the list.
impl PartialEq for Strategy {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Strategy {}

impl Hash for Strategy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
