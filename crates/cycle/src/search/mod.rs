//! Search for tours directly in the graph: the classical alternatives to clauses and a SAT solver.
//!
//! [`search`] first looks for an [`Obstruction`], a simple reason why there is no tour. This answers many questions
//! without a search. Otherwise it uses one of three methods:
//!
//! - [`Method::Backtrack`]: depth-first search in move order. The method is complete: if it finds no tour, there is
//!   none.
//! - [`Method::BestFirst`]: depth-first search, in which Warnsdorff's rule selects the move to try first.
//! - [`Method::Warnsdorff`]: *descents*, which follow Warnsdorff's rule and take no move back. A stuck descent is
//!   repaired or restarted. A successful descent takes linear time; a failure proves nothing.
//!
//! A *node* is a vertex put on the path. The start is the first node, and a tour of n vertices that is found without a
//! detour takes n nodes. One seed determines all random choices.

mod backtrack;
mod order;
mod rotation;
mod squirrel_cull;
mod walk;
mod warnsdorff;

use std::time::{Duration, Instant};

use hamcnf_graph::{Vertex, named};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, NotATour, Tour, TourKind};
pub use hamcnf_tours::{Obstruction, obstruction};

use hamcnf_graph::budget::Budget;

pub use order::{Moves, NotAnOrder, Order};
pub use warnsdorff::{Descents, Ties};

named! {
    /// Search method.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Method: "method" {
        /// Depth-first search that tries moves in the order of [`Options::order`].
        Backtrack => "backtrack",
        /// Depth-first search that tries moves by Warnsdorff's rule, and tied moves in the order of [`Options::order`].
        BestFirst => "best-first",
        /// Descents: paths that follow Warnsdorff's rule and take no move back.
        Warnsdorff => "warnsdorff",
    }
}

/// Settings and limits of a search.
#[derive(Clone, Debug)]
pub struct Options {
    pub method: Method,
    /// Settings of [`Method::Warnsdorff`].
    pub descents: Descents,
    /// Order in which the moves from a vertex are tried.
    pub order: Order,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Maximum number of nodes (vertices appended to a path); `None` for no limit.
    pub node_limit: Option<u64>,
    /// Limits on time.
    pub budget: Budget,
}

/// Result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchResult {
    /// A tour, checked move by move.
    Tour(Tour),
    /// Proof that the instance has no tour.
    NoTour(Proof),
    /// A limit was reached before a tour was found. The instance may or may not have a tour.
    NotFound(Limit),
}

/// Proof that an instance has no tour.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Proof {
    /// An obstruction: a simple reason, found without a search.
    #[error("{0}")]
    Obstruction(Obstruction),
    /// The search tried every path from the start.
    #[error("every path from the start was tried")]
    Exhausted,
}

named! {
    /// Limit that ended a search.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Limit: "limit of a search" {
        /// Limit on nodes.
        Nodes => "node limit",
        /// Limit on wall time, or cancellation.
        Time => "time limit",
        /// Limit on restarts.
        Restarts => "restart limit",
    }
}

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchStatistics {
    /// Number of search nodes: how often a vertex was appended to a path.
    pub nodes: u64,
    /// Number of descents by Warnsdorff's rule after the first.
    pub restarts: u32,
    /// Number of rotations, each of which reverses the last section of a path.
    pub rotations: u64,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl SearchStatistics {
    /// Adds the statistics of another search.
    pub fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.restarts += other.restarts;
        self.rotations += other.rotations;
        self.seconds += other.seconds;
    }
}

/// Result of a search with its statistics.
#[derive(Clone, PartialEq, Debug)]
pub struct Searched {
    pub outcome: SearchResult,
    pub statistics: SearchStatistics,
}

/// Error of a search.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchError {
    #[error("the order \"{order}\" is for boards, but {name} is not a board; use the order \"graph\" or \"random\"")]
    NoMoves {
        order: Order,
        /// Name of the instance.
        name: String,
    },
    #[error("the tie-breaking rule \"{ties}\" requires {need}, but the question is \"{name}\"")]
    TiesDoNotFit {
        ties: Ties,
        /// Name of the instance.
        name: String,
        /// Description of the instances to which the rule applies.
        need: &'static str,
    },
    #[error("the path found is not a tour, which is a bug in hamcnf: {0}")]
    WrongPath(#[from] NotATour),
}

/// Returns the rule for breaking ties that works best on an instance: Squirrel and Cull's rule if it applies, otherwise
/// Roth's rule on boards and Pohl's rule on other graphs.
pub fn best_ties(instance: &Instance) -> Ties {
    if squirrel_cull::applies(instance) {
        Ties::SquirrelCull
    } else if instance.board().is_some() {
        Ties::Roth
    } else {
        Ties::Pohl
    }
}

/// Searches for a tour, and checks the tour move by move before returning it. Calls `progress` from time to time, with
/// the time since the start and the number of nodes so far.
///
/// # Errors
///
/// Returns [`SearchError`] if the order or the rule for breaking ties does not apply to the instance.
pub fn search(
    instance: &Instance,
    options: &Options,
    progress: &mut dyn FnMut(Duration, u64),
) -> Result<Searched, SearchError> {
    if options.method == Method::Warnsdorff {
        warnsdorff::check(options.descents.ties, instance)?;
    }
    let mut budget = Meter::new(options, progress);
    let neighbours = order::Neighbours::new(instance, options.order, options.seed)?;
    if let Some(found) = obstruction(instance, Endpoints::of(instance)) {
        return Ok(Searched {
            outcome: SearchResult::NoTour(Proof::Obstruction(found)),
            statistics: budget.statistics(),
        });
    }
    let found = match options.method {
        Method::Warnsdorff => {
            warnsdorff::warnsdorff(instance, &neighbours, options.descents, options.seed, &mut budget)
        }
        by => backtrack::backtrack(instance, &neighbours, by == Method::BestFirst, &mut budget),
    };
    let outcome = match found {
        Ok(path) => SearchResult::Tour(Tour::check(instance, from_start(instance, path))?),
        Err(Abort::Exhausted) => SearchResult::NoTour(Proof::Exhausted),
        Err(Abort::Limit(limit)) => SearchResult::NotFound(limit),
    };
    Ok(Searched { outcome, statistics: budget.statistics() })
}

/// Rotates a closed tour so that it begins at the start vertex of the instance.
fn from_start(instance: &Instance, mut path: Vec<Vertex>) -> Vec<Vertex> {
    if instance.kind() == TourKind::Closed
        && let Some(start) = path.iter().position(|&v| v == instance.start())
    {
        path.rotate_left(start);
    }
    path
}

/// Reason why a search method ended without a tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Abort {
    /// All possibilities have been tried.
    Exhausted,
    /// A limit was reached.
    Limit(Limit),
}

/// Meter that counts the steps of a search, and ends the search at a limit.
struct Meter<'a> {
    statistics: SearchStatistics,
    start: Instant,
    until: Budget,
    /// Maximum number of nodes.
    node_limit: u64,
    /// Number of steps until the next check of the clock.
    until_clock: u32,
    progress: &'a mut dyn FnMut(Duration, u64),
}

impl<'a> Meter<'a> {
    /// Number of steps between two checks of the clock. These steps take some tenths of a millisecond.
    const CLOCK: u32 = 1 << 14;
    /// Cost of a rotation in steps. A rotation may reverse a long section of the path.
    const ROTATION: u32 = 1 << 8;

    fn new(options: &Options, progress: &'a mut dyn FnMut(Duration, u64)) -> Self {
        Self {
            statistics: SearchStatistics::default(),
            start: Instant::now(),
            until: options.budget.clone(),
            node_limit: options.node_limit.unwrap_or(u64::MAX),
            until_clock: Self::CLOCK,
            progress,
        }
    }

    /// Counts a vertex put on the path.
    fn node(&mut self) -> Result<(), Abort> {
        if self.statistics.nodes == self.node_limit {
            return Err(Abort::Limit(Limit::Nodes));
        }
        self.statistics.nodes += 1;
        self.step(1)
    }

    /// Counts a rotation of the path.
    fn rotation(&mut self) -> Result<(), Abort> {
        self.statistics.rotations += 1;
        self.step(Self::ROTATION)
    }

    fn step(&mut self, steps: u32) -> Result<(), Abort> {
        if self.until_clock > steps {
            self.until_clock -= steps;
            return Ok(());
        }
        self.until_clock = Self::CLOCK;
        (self.progress)(self.start.elapsed(), self.statistics.nodes);
        match self.until.over() {
            Some(_) => Err(Abort::Limit(Limit::Time)),
            None => Ok(()),
        }
    }

    fn statistics(&self) -> SearchStatistics {
        SearchStatistics { seconds: self.start.elapsed().as_secs_f64(), ..self.statistics }
    }
}
