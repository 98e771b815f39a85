//! Portfolio of strategies that finds a tour of any graph, or proves that there is no tour, as fast as possible. The
//! strategies run one after another; each of them is strong on different graphs.
//!
//! Each strategy has one file in `strategies/`, with a [`Strategy`], and one line in
//! `list.rs`. [`register`] adds a strategy of another crate. The automatic portfolio (`auto`) runs the strategies in
//! this order:
//!
//! 1. `obstruction`: cheap infeasibility checks.
//! 2. `two-factor`: finds a 2-factor of a bipartite graph and merges its cycles. It solves boards of any size.
//! 3. `reduction`: finds forced edges, and splits the graph at small separators of vertices or edges. The resulting
//!    graphs are searched separately, the smallest first; all of them must have a Hamiltonian cycle.
//! 4. `local-search`, for a short time: it examines three edges per arc. This is enough for most graphs that were not
//!    constructed to be hard. Short turns of `decomposition`, `local-search` and `lazy` follow on small graphs.
//! 5. `decomposition`: dynamic programming, if an elimination order of small width is found. It finds a tour or proves
//!    that there is no tour.
//! 6. `quotient`, on graphs that consist of groups of vertices with few paths through each group. It only finds tours.
//! 7. Rounds of the four strategies `core`, `local-search`, `propagator` and `lazy`, with growing work limits
//!    (*slices*). `propagator` runs CaDiCaL with a circuit propagator on the graph itself. `core` runs the same solver on
//!    the core, the graph that remains after replacing each narrow part by a list of the path segments through it. `lazy`
//!    adds subtour-elimination constraints lazily. Each of the four strategies is the best on some graphs. `quotient`
//!    takes part in the rounds on its graphs. `propagator`, `lazy` and `quotient` go on where their last turns stopped;
//!    each turn of the others has a new seed.
//!
//! With several threads, the first thread runs all steps. The other threads begin with step 7, or with step 6 on graphs of
//! groups, with their own seeds, after a head start of the first thread, because most questions are solved by then. The
//! first answer stops all
//! threads. With one thread, the run depends only on the seed and not on the speed of the machine, because slices are
//! measured in work and not in time.
//!
//! - `strategy.rs`: properties of a strategy.
//! - `schedule.rs`: the turns of a thread and their lengths; `tuned.rs`: the numbers of the schedule.
//! - `race.rs`: execution of the turns, and a record of each turn.
//!
//! # References
//!
//! - John Rice: *The Algorithm Selection Problem*, Advances in Computers 15, 1976.
//! - Bernardo Huberman, Rajan Lukose, Tad Hogg: *An Economics Approach to Hard Computational Problems*, Science 275,
//!   1997.

mod list;
mod race;
mod schedule;
mod strategies;
mod strategy;
mod tuned;

use std::fmt;
use std::num::NonZero;
use std::sync::Mutex;
use std::time::Instant;

use hamcnf_graph::{Facts, GraphError, Named};
use hamcnf_tours::{Instance, InstanceError, Obstruction, Tour};

pub use self::list::register;
use self::race::Race;
use self::schedule::Schedule;
pub use self::strategy::{Argument, Opening, Resumable, Rounds, Stage, Strategy, Turn, TurnResult, Work};
use crate::path_to_cycle::PathToCycle;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_tours::endpoints::Endpoints;

/// Options of the portfolio.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Single strategy to run; `None` for all strategies that suit the graph.
    pub strategy: Option<Strategy>,
    /// Number of threads. Each thread runs one strategy at a time.
    pub threads: NonZero<u32>,
    /// Seed of the random numbers.
    pub seed: u32,
    /// True if the portfolio ends before the rounds, in which strategies take turns.
    pub opening_only: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { strategy: None, threads: NonZero::<u32>::MIN, seed: 0, opening_only: false }
    }
}

/// Result of the portfolio.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A tour was found. If the start vertex is free, the tour's instance starts at the first vertex of the tour.
    Tour(Tour),
    /// An obstruction, which is easy to verify, proves that no tour exists.
    Obstructed(Obstruction),
    /// A strategy proved that no tour exists.
    NoTour,
    /// No strategy found an answer, for this reason.
    Unknown(Stopped),
}

/// Record of one turn of a strategy.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub turn: Turn,
    /// 0-based number of the thread.
    pub thread: u32,
    /// Number of vertices of the turn's graph, which may be a part of the original graph.
    pub vertices: u32,
    pub outcome: StepOutcome,
    /// CPU seconds of the thread during the turn.
    pub cpu_seconds: f64,
    /// Wall seconds from the start of the portfolio to the end of the turn.
    pub until: f64,
    pub statistics: Vec<Metric>,
}

/// Outcome of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepOutcome {
    /// The turn found a tour of its graph.
    Tour,
    /// The turn proved that its graph has no tour.
    NoTour,
    /// The turn ended without a result.
    Stopped(Stopped),
}

impl fmt::Display for StepOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tour => "tour",
            Self::NoTour => "no tour",
            Self::Stopped(Stopped::Cancelled) => "stopped",
            Self::Stopped(Stopped::GaveUp) => "nothing",
            Self::Stopped(limit) => limit.as_str(),
        })
    }
}

/// Named number that a turn reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// Name of the metric in the output.
    pub name: &'static str,
    pub value: u64,
    /// Rule for merging the values of this metric from two turns.
    pub merge: Merge,
}

/// Rule for merging two values of a metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merge {
    /// The sum of the two values.
    Sum,
    /// The greater of the two values.
    Most,
    /// The lesser of the two values.
    Least,
}

impl Metric {
    /// Creates a metric that is merged by adding its values.
    pub fn sum(name: &'static str, value: u64) -> Self {
        Self { name, value, merge: Merge::Sum }
    }

    /// Creates a metric that is merged by keeping the greatest value.
    pub fn most(name: &'static str, value: u64) -> Self {
        Self { name, value, merge: Merge::Most }
    }

    /// Creates a metric that is merged by keeping the least value.
    pub fn least(name: &'static str, value: u64) -> Self {
        Self { name, value, merge: Merge::Least }
    }

    /// Merges the value of this metric with the earlier value `before`, if any, and returns the result.
    pub fn with(&self, before: Option<u64>) -> u64 {
        before.map_or(self.value, |before| match self.merge {
            Merge::Sum => before.saturating_add(self.value),
            Merge::Most => before.max(self.value),
            Merge::Least => before.min(self.value),
        })
    }
}

/// Result of the portfolio, with records of its turns.
#[derive(Clone, PartialEq, Debug)]
pub struct PortfolioResult {
    /// A tour, a proof that no tour exists, or the reason why no answer was found.
    pub verdict: Verdict,
    /// Strategy that found the answer; `None` if no answer was found.
    pub by: Option<Strategy>,
    /// Records of all turns, in the order in which they ended.
    pub steps: Vec<Step>,
}

/// Reason why the portfolio failed.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// The graph is too large after adding the vertices of the path-to-cycle reduction.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A strategy returned a cycle that is not a tour, or a tour that does not end at the required vertex. This is a bug
    /// in the strategy.
    #[error("{0}")]
    Strategy(String),
    /// An endpoint is not in the graph.
    #[error(transparent)]
    Ends(#[from] InstanceError),
}

/// Progress event of the portfolio.
#[derive(Debug)]
pub enum Event<'a> {
    /// A turn begins.
    Begins(&'a Turn),
    /// A turn has ended.
    Ends(&'a Step),
}

/// Returns the first turns of each thread, at most `turns` per thread. Assumes that no turn finds an answer, and that
/// reductions do not change the graph.
///
/// # Errors
///
/// [`GraphError::TooManyArcs`] if the graph of the path-to-cycle reduction would be too large.
pub fn plan(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    turns: usize,
) -> Result<Vec<Vec<Turn>>, GraphError> {
    if let Some(strategy) = options.strategy {
        return Ok(vec![vec![Turn::whole(strategy, options.seed)]]);
    }
    let closure = PathToCycle::new(instance.facts(), ends)?;
    let graph = closure.graph().unwrap_or(instance.graph());
    let of_question = Strategy::all().into_iter().filter(is_of_question);
    let opening = of_question.chain(suiting(instance, &closure));
    let opening: Vec<_> = opening.map(|strategy| Turn::whole(strategy, options.seed)).collect();
    let threads = 0..options.threads.get();
    Ok(threads
        .map(|thread| {
            let first = opening.iter().filter(|_| thread == 0).cloned();
            let schedule = Schedule::new(graph, thread, options.seed);
            first.chain(schedule).take(turns).collect()
        })
        .collect())
}

fn is_of_question(strategy: &Strategy) -> bool {
    strategy.stage == Stage::Question
}

/// Returns the strategies that suit the graph to be searched: first the strategies of [`Stage::Whole`], then the
/// strategies of [`Stage::Split`].
fn suiting(instance: &Instance, closure: &PathToCycle) -> Vec<Strategy> {
    let closed = closure.graph().map(|graph| Facts::from(graph.clone()));
    let facts = closed.as_ref().unwrap_or(instance.facts());
    let of_stage = |stage: Stage| {
        let mut all = Strategy::all();
        all.retain(|strategy| strategy.stage == stage && (strategy.suits)(facts));
        all
    };
    [of_stage(Stage::Whole), of_stage(Stage::Split)].concat()
}

/// Runs the portfolio to find a tour with the endpoints `ends`. Calls `tell` before and after each turn.
///
/// # Errors
///
/// [`Wrong`] if the graph is too large, an endpoint is not in the graph, or a strategy returned a wrong tour.
pub fn answer(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    budget: &Budget,
    tell: &(dyn Fn(&Event<'_>) + Sync),
) -> Result<PortfolioResult, Wrong> {
    let race = Race { instance, ends, options, budget, began: Instant::now(), tell, steps: Mutex::default() };
    let (verdict, by) = decide(&race)?;
    let steps = race.steps.into_inner();
    Ok(PortfolioResult { verdict, by, steps: steps.unwrap_or_else(std::sync::PoisonError::into_inner) })
}

fn decide(race: &Race<'_>) -> Result<(Verdict, Option<Strategy>), Wrong> {
    let Race { instance, ends, options, .. } = *race;
    let alone = options.strategy;
    let first = match alone {
        Some(strategy) => vec![strategy],
        None => Strategy::all(),
    };
    for strategy in first.into_iter().filter(is_of_question) {
        match race.turn(strategy, instance.graph(), alone.is_some()) {
            TurnResult::Obstructed(found) => {
                return Ok((Verdict::Obstructed(found), Some(strategy)));
            }
            TurnResult::Found(_) | TurnResult::Parts(_) => {}
        }
    }
    if alone.as_ref().is_some_and(is_of_question) {
        return Ok((Verdict::Unknown(Stopped::GaveUp), None));
    }
    let closure = PathToCycle::new(instance.facts(), ends)?;
    let graph = closure.graph().unwrap_or(instance.graph());
    let answer = match alone {
        Some(strategy) => race.alone(strategy, graph),
        None => race.all(graph, &suiting(instance, &closure)),
    };
    let (cycle, strategy) = match answer {
        Ok(found) => found,
        Err(stopped) => return Ok((Verdict::Unknown(stopped), None)),
    };
    let verdict = match cycle {
        Some(cycle) => {
            let order = closure.open(cycle, instance.start());
            if let Endpoints::Open { to: Some(to), .. } = ends
                && order.last() != Some(&to)
            {
                let wrong = format!("the tour of strategy \"{strategy}\" has a wrong end, which is a bug in hamcnf");
                return Err(Wrong::Strategy(wrong));
            }
            let from_anywhere = matches!(ends, Endpoints::Open { from: None, .. });
            let first = order.first().copied().filter(|_| from_anywhere);
            let there = first.map(|first| instance.starting_at(first)).transpose()?;
            let tour = Tour::check(there.as_ref().unwrap_or(instance), order);
            Verdict::Tour(tour.map_err(|why| {
                Wrong::Strategy(format!(
                    "the result of strategy \"{strategy}\" is not a tour, which is a bug in hamcnf: {why}"
                ))
            })?)
        }
        None => Verdict::NoTour,
    };
    Ok((verdict, Some(strategy)))
}
