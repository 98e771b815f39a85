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

/// A strategy of `auto`, usable alone. Each has a file of its own (`strategies/`) and a line in the list.
///
/// The schedule of `auto`, the methods of this name, help, and the tests over all strategies follow from the list.
pub trait StrategyKind: Send + Sync + 'static {
    /// Name on the command line and in messages: one word in small letters.
    fn name(&self) -> &'static str;

    /// Summary of the strategy, in a few words.
    fn summary(&self) -> &'static str;

    /// When `auto` asks the strategy.
    fn stage(&self) -> Stage;

    /// True if `auto` is to ask the strategy about this graph, in the stages [`Whole`](Stage::Whole) and
    /// [`Split`](Stage::Split).
    fn suits(&self, _graph: &Facts) -> bool {
        true
    }

    /// Turns of the first thread on this graph before the rounds, in [`Stage::Turns`].
    fn opening(&self, _graph: &Graph) -> Vec<Opening> {
        Vec::new()
    }

    /// Turns of every thread on this graph in each round, in [`Stage::Turns`].
    fn rounds(&self, _graph: &Graph) -> Option<Rounds> {
        None
    }

    /// True if the strategy, without limits, finds a cycle or proves that there is none.
    fn is_exact(&self) -> bool {
        false
    }

    /// True if the answer depends on the seed.
    fn is_random(&self) -> bool {
        true
    }

    /// True if the strategy ends soon or decides every question, so that `hamcnf compare` runs it.
    fn is_compared(&self) -> bool {
        self.is_exact()
    }

    /// True if the strategy gives up at once on graphs that are nowhere narrow.
    fn is_for_narrow(&self) -> bool {
        false
    }

    /// True if the budget's observer is told of each round as it ends.
    fn tells_rounds(&self) -> bool {
        false
    }

    /// Argument behind a "no tour" of the strategy.
    fn argument(&self) -> Argument {
        Argument::Other
    }

    /// Takes a turn. Returns what came out, and metrics that add up over turns.
    fn run(&self, work: &Work<'_>) -> (TurnResult, Vec<Metric>);
}

/// When `auto` asks a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// First, about the question itself. Limits do not keep the strategy from its turn.
    Question,
    /// Once, on the whole graph, to the end.
    Whole,
    /// Once, on the whole graph, to split it. The first strategy that returns parts is the last of this stage.
    Split,
    /// In turns, on each part of the graph.
    Turns,
}

/// A turn before the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Selects the order: lower places first.
    pub place: u32,
    /// Limit of the turn; `None` for as much as it takes.
    pub slice: Option<Slice>,
}

/// Turns in the rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// Selects the order in a round: lower places first. Other threads begin with another strategy.
    pub place: u32,
    /// Limit of the turn in the first round. It grows from round to round.
    pub slice: Slice,
    /// Added to the seed: 1 if the opening has a turn with the first one.
    pub first_seed: u32,
}

/// Result of a turn.
pub enum TurnResult {
    /// A cycle, "no cycle", or neither.
    Found(Found),
    /// Obstruction: no tour exists.
    Obstructed(Obstruction),
    /// Smaller graphs, each of which must have a cycle.
    Parts(Reduction),
}

impl From<Found> for TurnResult {
    fn from(found: Found) -> Self {
        Self::Found(found)
    }
}

impl TurnResult {
    /// Nothing, since the strategy gave up.
    pub const GAVE_UP: Self = Self::Found(Found::Nothing(Stopped::GaveUp));
}

/// Argument behind "no tour", from which a proof starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument {
    /// The graph has no 2-factor.
    NoFactor,
    /// Tables over a tree decomposition.
    Tables,
    /// Subtour-elimination constraints.
    Cuts,
    /// Clauses of the propagator.
    Propagator,
    /// Nothing that a proof could begin with.
    Other,
}

/// One strategy's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The strategy.
    pub strategy: Strategy,
    /// Its seed.
    pub seed: u32,
    /// Limit of the turn; `None` for as much as it takes.
    pub slice: Option<Slice>,
    /// Selects settings that are varied from turn to turn: the round and the thread.
    pub variant: u32,
}

/// Limit of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slice {
    /// Literals that the propagator is notified of.
    Literals(u64),
    /// Conflicts.
    Conflicts(u64),
    /// Edges that a local search looks at.
    Looks(u64),
    /// States of tables, estimated before.
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
    /// For as much as it takes.
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

/// The task of a turn.
pub struct Work<'a> {
    /// The question. After [`Stage::Question`] it is about a cycle through all of `graph`.
    pub instance: &'a Instance,
    /// First and last vertex that are asked for.
    pub ends: Endpoints,
    /// The graph: the question's, with a vertex more if its tours are open, or a part of that.
    pub graph: &'a Graph,
    /// Seed, limit and variant.
    pub turn: &'a Turn,
    /// True if no other strategy is asked.
    pub alone: bool,
    /// Limits.
    pub budget: &'a Budget,
    pub(super) shared: &'a Shared,
}

/// Results that turns on one graph share.
#[derive(Default)]
pub(super) struct Shared {
    order: Mutex<Option<Result<Elimination, Stopped>>>,
}

impl Shared {
    /// The elimination order of narrow tables, or why there is none.
    pub(super) fn order(&self) -> MutexGuard<'_, Option<Result<Elimination, Stopped>>> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A strategy of the list.
#[derive(Clone, Copy)]
pub struct Strategy(&'static dyn StrategyKind);

impl Strategy {
    /// Makes a strategy of its implementation.
    pub const fn new(kind: &'static dyn StrategyKind) -> Self {
        Self(kind)
    }

    /// Returns the name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0.name()
    }

    /// Returns the implementation.
    #[must_use]
    pub fn kind(self) -> &'static dyn StrategyKind {
        self.0
    }

    /// True if the strategy, without limits, finds a cycle or proves that there is none.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self.0.is_exact()
    }
}

// A strategy is its name: no two of the list have the same.
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
