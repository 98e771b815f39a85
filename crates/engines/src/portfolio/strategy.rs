//! The trait that every strategy of `auto` implements, and [`Strategy`], a strategy of the list (`list.rs`).

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

/// A strategy of `auto`, which can also run alone. Each has a file of its own (`strategies/`) and a line in the list.
///
/// The schedule of `auto`, the methods of the same names, the help text, and the tests over all strategies follow from the list.
pub trait StrategyKind: Send + Sync + 'static {
    /// Returns the name on the command line and in messages: one word in lower case.
    fn name(&self) -> &'static str;

    /// Returns a summary of a few words.
    fn summary(&self) -> &'static str;

    /// Returns the stage in which `auto` runs the strategy.
    fn stage(&self) -> Stage;

    /// True if `auto` should run the strategy on this graph, in the stages [`Whole`](Stage::Whole) and [`Split`](Stage::Split).
    fn suits(&self, _graph: &Facts) -> bool {
        true
    }

    /// Returns the turns of the first thread on this graph before the rounds, in [`Stage::Turns`].
    fn opening(&self, _graph: &Graph) -> Vec<Opening> {
        Vec::new()
    }

    /// Returns the turns of every thread on this graph in each round, in [`Stage::Turns`].
    fn rounds(&self, _graph: &Graph) -> Option<Rounds> {
        None
    }

    /// True if the strategy, without limits, always finds a cycle or proves that there is none.
    fn is_exact(&self) -> bool {
        false
    }

    /// True if the result depends on the seed.
    fn is_random(&self) -> bool {
        true
    }

    /// True if the strategy ends soon or solves every question, so that `hamcnf compare` runs it.
    fn is_compared(&self) -> bool {
        self.is_exact()
    }

    /// True if the strategy gives up at once on graphs that are narrow nowhere.
    fn is_for_narrow(&self) -> bool {
        false
    }

    /// True if the strategy notifies the budget's observer of each lazy iteration.
    fn tells_rounds(&self) -> bool {
        false
    }

    /// Returns the argument behind a "no tour" of the strategy.
    fn argument(&self) -> Argument {
        Argument::Other
    }

    /// Runs a turn. Returns its result, and metrics that are merged over turns.
    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>);
}

/// Stage in which `auto` runs a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// First, about the question itself, even if a limit has been reached.
    Question,
    /// Once, on the whole graph, without a slice.
    Whole,
    /// Once, on the whole graph, to split it. The first strategy that returns parts ends this stage.
    Split,
    /// In turns, on each part of the graph.
    Turns,
}

/// A turn before the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Order of the turns: lower places come first.
    pub place: u32,
    /// Limit of the turn; `None` if unlimited.
    pub slice: Option<Slice>,
}

/// Turns of a strategy in the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// Order in a round: lower places come first. Each thread begins with a different strategy.
    pub place: u32,
    /// Limit of the turn in the first round. It grows from round to round.
    pub slice: Slice,
    /// Offset of the seed: 1 if a turn of the opening uses the first seed.
    pub first_seed: u32,
}

/// Result of a turn.
pub enum TurnResult {
    /// A cycle, a refutation, or no result.
    Found(Found),
    /// An obstruction, which proves that there is no tour.
    Obstructed(Obstruction),
    /// Smaller graphs, all of which must have a cycle.
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

/// Argument behind "no tour", from which a proof starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The graph has no 2-factor.
    NoFactor,
    /// Tables over a tree decomposition have no states left.
    Tables,
    /// Subtour-elimination constraints, added lazily.
    Cuts,
    /// Clauses of the propagator.
    Propagator,
    /// No argument from which a proof could start.
    Other,
}

/// A turn of a strategy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    pub strategy: Strategy,
    pub seed: u32,
    /// Limit of the turn; `None` if unlimited.
    pub slice: Option<Slice>,
    /// Number from the round and the thread that selects settings varied from turn to turn.
    pub variant: u32,
}

/// Limit of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slice {
    /// Number of literals that the propagator is notified of.
    Literals(u64),
    /// Number of conflicts.
    Conflicts(u64),
    /// Number of edges that a local search examines.
    Looks(u64),
    /// Number of states of tables, estimated in advance.
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
    /// Returns an unlimited turn.
    pub(super) fn whole(strategy: Strategy, seed: u32) -> Self {
        Self {
            strategy,
            seed: seed % 2_000_000_001,
            slice: None,
            variant: 0,
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.strategy)?;
        match self.slice {
            None => Ok(()),
            Some(Slice::Literals(n)) => write!(f, ", {n} literals, seed {}", self.seed),
            Some(Slice::Conflicts(n)) => write!(f, ", {n} conflicts, seed {}", self.seed),
            Some(Slice::States(n)) => write!(f, ", up to {n} states"),
            Some(Slice::Looks(n)) => write!(f, ", {n} looks, seed {}", self.seed),
        }
    }
}

/// Task of a turn.
pub struct Work<'a> {
    /// The question. After [`Stage::Question`], the task is a cycle through all vertices of `graph`.
    pub instance: &'a Instance,
    /// Required first and last vertex.
    pub ends: Endpoints,
    /// The graph of the question, extended by the path-to-cycle reduction if its tours are open, or a part of this graph.
    pub graph: &'a Graph,
    /// Strategy, seed, limit and variant.
    pub turn: &'a Turn,
    /// True if no other strategy runs.
    pub alone: bool,
    pub budget: &'a Budget,
    pub(super) shared: &'a Shared,
}

/// Results shared by turns on one graph.
#[derive(Default)]
pub(super) struct Shared {
    order: Mutex<Option<Result<Elimination, Stopped>>>,
}

impl Shared {
    /// Returns the elimination order for narrow tables, or the reason why there is none.
    pub(super) fn order(&self) -> MutexGuard<'_, Option<Result<Elimination, Stopped>>> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A strategy of the list.
#[derive(Clone, Copy)]
pub struct Strategy(&'static dyn StrategyKind);

impl Strategy {
    /// Makes a strategy from its implementation.
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

    /// True if the strategy, without limits, always finds a cycle or proves that there is none.
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
