//! [`Strategy`]: an entry of the list of strategies (`list.rs`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};

use hamcnf_graph::{Facts, Graph};
use hamcnf_tours::{Instance, Obstruction};

use super::Metric;
use crate::Found;
use crate::reduction::Reduction;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_tours::endpoints::Endpoints;

/// Strategy of the automatic portfolio (`auto`), which can also run alone. Each strategy has its own file in
/// `strategies/` and a line in the list of strategies.
///
/// The schedule of `auto`, the methods that run one strategy, the help text, and the tests of all strategies are
/// derived from the list. A strategy names what differs from [`GIVES_UP`](Self::GIVES_UP).
#[derive(Clone, Copy)]
pub struct Strategy {
    /// Name on the command line and in messages: one word in lower case. Names are unique in the list.
    pub name: &'static str,
    /// Summary in a few words, for the help text.
    pub summary: &'static str,
    /// Stage in which `auto` runs the strategy.
    pub stage: Stage,
    /// True if `auto` should run the strategy on this graph. Only used in the stages [`Whole`](Stage::Whole) and
    /// [`Split`](Stage::Split).
    pub suits: fn(&Facts) -> bool,
    /// The strategy's turns on this graph before the rounds begin. Only used in [`Stage::Turns`].
    pub opening: fn(&Graph) -> Vec<Opening>,
    /// True if every thread begins with the strategy's opening turns, each with a seed of its own. By default, only the
    /// first thread takes opening turns.
    pub opens_every_thread: bool,
    /// Position of the strategy within each round on this graph, and the length of its turns; `None` if the strategy
    /// does not run in rounds. Only used in [`Stage::Turns`].
    pub rounds: fn(&Graph) -> Option<Rounds>,
    /// Unit of the limit on the work of a turn, in the plural.
    pub unit: &'static str,
    /// True if each turn on a graph [goes on](Work::go_on) where the last one of the same thread stopped, with the same seed.
    pub goes_on: bool,
    /// True if the strategy, without limits, always finds a Hamiltonian cycle or proves that none exists.
    pub is_exact: bool,
    /// True if the result depends on the seed.
    pub is_random: bool,
    /// True if the strategy ends soon on every graph.
    pub ends_soon: bool,
    /// True if the strategy only works on graphs with parts of small treewidth, and gives up at once on others.
    pub is_for_narrow: bool,
    /// True if the strategy notifies the budget's observer of each lazy iteration.
    pub tells_rounds: bool,
    /// Argument from which the strategy concludes that no tour exists.
    pub argument: Argument,
    /// Runs a turn. Returns the result of the turn, and metrics that are merged over all turns of the strategy.
    pub run: fn(&Work<'_>) -> (TurnResult, Vec<Metric>),
}

impl Strategy {
    /// Strategy that always gives up. It has the defaults of the other strategies.
    pub const GIVES_UP: Self = Self {
        name: "",
        summary: "",
        stage: Stage::Turns,
        suits: |_| true,
        opening: |_| Vec::new(),
        opens_every_thread: false,
        rounds: |_| None,
        unit: "steps",
        goes_on: false,
        is_exact: false,
        is_random: true,
        ends_soon: false,
        is_for_narrow: false,
        tells_rounds: false,
        argument: Argument::Other,
        run: |_| (TurnResult::GAVE_UP, Vec::new()),
    };

    /// True if `hamcnf compare` runs the strategy, because the strategy ends soon or solves every question.
    pub fn is_compared(&self) -> bool {
        self.is_exact || self.ends_soon
    }
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
    /// Limit on the work of the turn, in the [unit](Strategy::unit) of the strategy; `None` if unlimited.
    pub slice: Option<u64>,
}

/// Schedule of a strategy in the rounds: its position within a round, and the length of its turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// Sort key: strategies with lower values run first within a round. Each thread begins at a different strategy.
    pub place: u32,
    /// Limit on the work of the turn in the first round, in the [unit](Strategy::unit) of the strategy. The limit grows from round to round.
    pub slice: u64,
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
    pub const GAVE_UP: Self = Self::Found(Found::Unknown(Stopped::GaveUp));
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
    /// Limit on the work of the turn, in the [unit](Strategy::unit) of the strategy; `None` if unlimited.
    pub slice: Option<u64>,
    /// Number derived from the round and the thread. It selects the settings that vary from turn to turn.
    pub variant: u32,
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
        let Some(slice) = self.slice else {
            return Ok(());
        };
        write!(f, ", up to {slice} {}", self.strategy.unit)?;
        if self.strategy.is_random { write!(f, ", seed {}", self.seed) } else { Ok(()) }
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
    pub(super) kept: &'a Kept,
}

impl Work<'_> {
    /// Runs a turn of the search that the last turn of the strategy kept, or else of the search that `begin` prepares. A
    /// search that has no memory left is not kept.
    pub fn go_on(&self, begin: impl FnOnce() -> Result<Box<dyn Resumable>, Found>) -> (TurnResult, Vec<Metric>) {
        let kept = self.kept.0.borrow_mut().remove(&self.turn.strategy);
        let mut search = match kept.map_or_else(begin, Ok) {
            Ok(search) => search,
            Err(found) => return (found.into(), Vec::new()),
        };
        let (found, metrics) = search.run(self.turn);
        if found != Found::Unknown(Stopped::Memory) {
            self.kept.0.borrow_mut().insert(self.turn.strategy, search);
        }
        (found.into(), metrics)
    }
}

/// Search that goes on in each turn where it stopped in the last one.
pub trait Resumable {
    /// Runs a turn. Returns its result and its metrics.
    fn run(&mut self, turn: &Turn) -> (Found, Vec<Metric>);
}

/// Searches with which the strategies of a thread go on in their next turns on one graph.
#[derive(Default)]
pub(super) struct Kept(RefCell<HashMap<Strategy, Box<dyn Resumable>>>);

impl Kept {
    /// Drops all searches. Returns true if there were any.
    pub(super) fn clear(&self) -> bool {
        !std::mem::take(&mut *self.0.borrow_mut()).is_empty()
    }
}

// Strategies are identified by their names, which are unique in the list.
impl PartialEq for Strategy {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Strategy {}

impl Hash for Strategy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl fmt::Debug for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
