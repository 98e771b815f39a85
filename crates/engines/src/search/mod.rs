//! Tours by search in the graph itself, without clauses: the classical alternatives to a solver.
//!
//! [`search`] looks for an obstruction first, which answers many questions without a search, and then
//! searches in one of three ways:
//!
//! - [`Method::Backtrack`]: depth first, in move order. It is complete: what it does not find is not there.
//! - [`Method::BestFirst`]: the same with Warnsdorff's rule choosing the move to try first.
//! - [`Method::Warnsdorff`]: descents by the rule that are mended or begun anew, never taken back. It takes
//!   linear time where it succeeds, and proves nothing where it does not.
//!
//! A *node* is a vertex that was put on the path: the start is the first, and a tour of n vertices that is
//! found without a detour takes n nodes. All random choices come from one seed.

mod backtrack;
mod order;
mod rotation;
mod squirrel_cull;
mod walk;
mod warnsdorff;

use std::fmt;
use std::time::{Duration, Instant};

use hamcnf_encodings::{Instance, NotATour, Tour, TourKind, Vertex, named};
pub use hamcnf_encodings::{Obstruction, obstruction};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::RngCore;

use crate::budget::Budget;
use crate::cancellation::CancellationToken;

pub use order::{Moves, NotAnOrder, Order};
pub use warnsdorff::{Descents, Ties};

/// A way to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Depth first, moves in their order.
    Backtrack,
    /// Depth first, moves by Warnsdorff's rule and then in their order.
    BestFirst,
    /// Descents by Warnsdorff's rule.
    Warnsdorff(Descents),
}

/// The name of a method, without its settings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MethodName {
    /// [`Method::Backtrack`].
    Backtrack,
    /// [`Method::BestFirst`].
    BestFirst,
    /// [`Method::Warnsdorff`].
    Warnsdorff,
}

named!(MethodName, "method", {
    Backtrack => "backtrack",
    BestFirst => "best-first",
    Warnsdorff => "warnsdorff",
});

/// How a search is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// The way.
    pub method: Method,
    /// In which order moves are tried.
    pub order: Order,
    /// Selects the random numbers.
    pub seed: u64,
    /// Nodes after which to stop; `None` for no limit.
    pub node_limit: Option<u64>,
    /// Wall time after which to stop; `None` for no limit.
    pub time_limit: Option<Duration>,
    /// Asks it to stop, which is as if the time were over.
    pub stop: CancellationToken,
}

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchResult {
    /// A tour.
    Tour(Tour),
    /// There is none.
    NoTour(Proof),
    /// None was found, which says nothing about whether there is one.
    NotFound(Limit),
}

/// How it is known that there is no tour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// It can be seen without a search.
    Obstruction(Obstruction),
    /// Every path from the start has been tried.
    Exhausted,
}

impl Proof {
    /// It in words, with the names that the instance gives to vertices.
    #[must_use]
    pub fn said<'a>(&'a self, instance: &'a Instance) -> impl fmt::Display + 'a {
        Said {
            proof: self,
            instance,
        }
    }
}

/// A proof in words.
struct Said<'a> {
    proof: &'a Proof,
    instance: &'a Instance,
}

impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.proof {
            Proof::Obstruction(found) => write!(f, "{}", found.said(self.instance)),
            Proof::Exhausted => f.write_str("every path from the start was tried"),
        }
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// On nodes.
    Nodes,
    /// On time.
    Time,
    /// On restarts.
    Restarts,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "node limit",
            Self::Time => "time limit",
            Self::Restarts => "restart limit",
        })
    }
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchStatistics {
    /// Vertices put on a path.
    pub nodes: u64,
    /// Descents after the first.
    pub restarts: u32,
    /// Rotations of a path.
    pub rotations: u64,
    /// Wall seconds.
    pub seconds: f64,
}

/// An answer and what it took.
#[derive(Clone, PartialEq, Debug)]
pub struct Searched {
    /// The answer.
    pub outcome: SearchResult,
    /// What it took.
    pub effort: SearchStatistics,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchError {
    /// An order of a board's moves, and a graph that is not a board's.
    #[error(
        "the order '{order}' is one of moves on a board, and {name} is not a board: use graph or random"
    )]
    NoMoves {
        /// The order.
        order: Order,
        /// The instance.
        name: String,
    },
    /// A way to break ties that is not for this instance.
    #[error("ties by '{ties}' need {need}: they are not for {name}")]
    TiesDoNotFit {
        /// The way.
        ties: Ties,
        /// The instance.
        name: String,
        /// What it is for.
        need: &'static str,
    },
    /// The path found is not a tour, which would be an error of the search.
    #[error("the path found is not a tour, which is an error in this program: {0}")]
    WrongPath(#[from] NotATour),
}

/// The ties that do best on an instance: Squirrel and Cull's where they are for it, Roth's on other boards,
/// Pohl's on other graphs.
#[must_use]
pub fn best_ties(instance: &Instance) -> Ties {
    if squirrel_cull::applies(instance) {
        Ties::SquirrelCull
    } else if instance.board().is_some() {
        Ties::Roth
    } else {
        Ties::Pohl
    }
}

/// Searches for a tour. One that comes out has been checked move by move. `progress` is called now and then
/// with the time since the start and the nodes so far.
///
/// # Errors
///
/// [`SearchError`]: an order or ties that are not for the instance.
pub fn search(
    instance: &Instance,
    options: &Options,
    progress: &mut dyn FnMut(Duration, u64),
) -> Result<Searched, SearchError> {
    if let Method::Warnsdorff(how) = options.method {
        warnsdorff::check(how.ties, instance)?;
    }
    let mut budget = Meter::new(options, progress);
    let neighbours = order::Neighbours::new(instance, options.order, options.seed)?;
    if let Some(found) = obstruction(instance) {
        return Ok(Searched {
            outcome: SearchResult::NoTour(Proof::Obstruction(found)),
            effort: budget.effort(),
        });
    }
    let found = match options.method {
        Method::Backtrack => backtrack::backtrack(
            instance,
            &neighbours,
            backtrack::First::InOrder,
            &mut budget,
        ),
        Method::BestFirst => {
            let first = backtrack::First::FewestOnward;
            backtrack::backtrack(instance, &neighbours, first, &mut budget)
        }
        Method::Warnsdorff(how) => {
            warnsdorff::warnsdorff(instance, &neighbours, how, options.seed, &mut budget)
        }
    };
    let outcome = match found {
        Ok(path) => SearchResult::Tour(Tour::check(instance, from_start(instance, path))?),
        Err(Abort::Exhausted) => SearchResult::NoTour(Proof::Exhausted),
        Err(Abort::Limit(limit)) => SearchResult::NotFound(limit),
    };
    Ok(Searched {
        outcome,
        effort: budget.effort(),
    })
}

/// A cycle written from its start on.
fn from_start(instance: &Instance, mut path: Vec<Vertex>) -> Vec<Vertex> {
    if instance.kind() == TourKind::Closed
        && let Some(start) = path.iter().position(|&v| v == instance.start())
    {
        path.rotate_left(start);
    }
    path
}

/// Why a search ended without a tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Abort {
    /// There is nothing left to try.
    Exhausted,
    /// A limit came.
    Limit(Limit),
}

/// Counts what a search does, and ends it at a limit.
struct Meter<'a> {
    effort: SearchStatistics,
    start: Instant,
    until: Budget,
    /// Nodes that may be made.
    node_limit: u64,
    /// Steps until the clock is looked at again.
    until_clock: u32,
    progress: &'a mut dyn FnMut(Duration, u64),
}

impl<'a> Meter<'a> {
    /// Steps between looks at the clock: some tenths of a millisecond.
    const CLOCK: u32 = 1 << 14;
    /// Steps that a rotation counts for, which may be long.
    const ROTATION: u32 = 1 << 8;

    fn new(options: &Options, progress: &'a mut dyn FnMut(Duration, u64)) -> Self {
        let start = Instant::now();
        Self {
            effort: SearchStatistics::default(),
            start,
            until: Budget::new(
                // Past the end of time is no limit.
                options
                    .time_limit
                    .and_then(|limit| start.checked_add(limit)),
                options.stop.clone(),
            ),
            node_limit: options.node_limit.unwrap_or(u64::MAX),
            until_clock: Self::CLOCK,
            progress,
        }
    }

    /// A vertex is put on the path.
    fn node(&mut self) -> Result<(), Abort> {
        if self.effort.nodes == self.node_limit {
            return Err(Abort::Limit(Limit::Nodes));
        }
        self.effort.nodes += 1;
        self.step(1)
    }

    /// The path is rotated.
    fn rotation(&mut self) -> Result<(), Abort> {
        self.effort.rotations += 1;
        self.step(Self::ROTATION)
    }

    fn restart(&mut self) {
        self.effort.restarts += 1;
    }

    fn restarts(&self) -> u32 {
        self.effort.restarts
    }

    fn step(&mut self, steps: u32) -> Result<(), Abort> {
        if self.until_clock > steps {
            self.until_clock -= steps;
            return Ok(());
        }
        self.until_clock = Self::CLOCK;
        (self.progress)(self.start.elapsed(), self.effort.nodes);
        match self.until.over() {
            Some(_) => Err(Abort::Limit(Limit::Time)),
            None => Ok(()),
        }
    }

    fn effort(&self) -> SearchStatistics {
        SearchStatistics {
            seconds: self.start.elapsed().as_secs_f64(),
            ..self.effort
        }
    }
}

/// A random number below this one, which is not 0. The bias of the multiplication is below one in 2³² for
/// each value.
fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u64::from(random.next_u32()) * bound as u64) >> 32) as usize
}
