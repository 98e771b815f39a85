//! A tour of any graph, or that there is none, by whatever finds that soonest: strategies one after the other, each on what it
//! is good at.
//!
//! A strategy is one file in `strategies/`, a type that implements [`StrategyKind`], and a line in `list.rs`; [`register`] adds
//! one of another crate. In the order in which `auto` asks them:
//!
//! 1. `obstruction`: reasons that are seen at once.
//! 2. `two-factor`: 2-factors of bipartite graphs, merged: boards of any size.
//! 3. `reduction`: forced edges, and smaller graphs where a few vertices or edges separate. Each of these has a search of its
//!    own, the smallest first, and all of them have to have a cycle.
//! 4. A glance by `local-search`: three edges for each arc, which is enough for most graphs that nobody made to be hard.
//! 5. `decomposition`: dynamic programming where an elimination order is narrow, exact both ways.
//! 6. In rounds, with slices that grow and each with another seed: `core`, the propagator on what is left where all that is
//!    narrow has become lists of ways through; `local-search`; `propagator`, on the graph itself; `lazy`, subtour-elimination
//!    constraints. Each of them is best on some graphs.
//!
//! With several threads the first does this, and the others begin with the sixth, with seeds of their own, once a moment
//! has passed: most questions have their answer by then. The first answer stops all. With one thread slices are measured in
//! what was done and not in time, so that the same seed takes the same way, however fast the machine is.
//!
//! - `strategy.rs`: what a strategy says of itself.
//! - `schedule.rs`: whose turn it is, and for how long; `tuned.rs`, all numbers in that.
//! - `race.rs`: the turns, and their steps.
//!
//! # References
//!
//! - John Rice: *The Algorithm Selection Problem*, Advances in Computers 15, 1976.
//! - Bernardo Huberman, Rajan Lukose, Tad Hogg: *An Economics Approach to Hard Computational Problems*, Science 275, 1997.

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

use hamcnf_encodings::{
    Facts, GraphError, Instance, InstanceError, NotATour, Obstruction, Tour, Vertex,
};

pub use self::list::{Registered, register};
use self::race::Race;
use self::schedule::Schedule;
pub use self::strategy::{
    Argument, Opening, Rounds, Slice, Stage, Strategy, StrategyKind, Turn, TurnResult, Work,
};
use crate::budget::{Budget, Stopped};
use crate::cycle::Found;
use crate::cycle::path_to_cycle::PathToCycle;
use hamcnf_encodings::endpoints::Endpoints;

/// How it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// One strategy alone, or all that the graph asks for.
    pub strategy: Option<Strategy>,
    /// Number of strategies that work at once.
    pub threads: NonZero<u32>,
    /// Selects the random numbers.
    pub seed: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strategy: None,
            threads: NonZero::<u32>::MIN,
            seed: 0,
        }
    }
}

/// What is known in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A tour, of an instance that begins where it does.
    Tour(Tour),
    /// There is none, for a reason that anyone can see.
    Obstructed(Obstruction),
    /// No tour, as a strategy has found.
    NoTour,
    /// Neither is known.
    Unknown(Stopped),
}

/// Record of one turn of a strategy.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The turn.
    pub turn: Turn,
    /// The thread, from 0 on.
    pub thread: u32,
    /// Vertices of the graph that it was on: of a smaller one after reductions.
    pub vertices: u32,
    /// Outcome of the turn.
    pub outcome: StepOutcome,
    /// CPU seconds of its thread.
    pub cpu_seconds: f64,
    /// Wall seconds from the beginning to its end.
    pub until: f64,
    /// What it did.
    pub effort: Vec<Metric>,
}

/// Outcome of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepOutcome {
    /// A tour of the turn's graph.
    Tour,
    /// No tour of the turn's graph.
    NoTour,
    /// No answer.
    Stopped(Stopped),
}

impl StepOutcome {
    /// Returns the outcome in words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tour => "tour",
            Self::NoTour => "no tour",
            Self::Stopped(Stopped::Time) => "time limit",
            Self::Stopped(Stopped::Conflicts) => "conflict limit",
            Self::Stopped(Stopped::Memory) => "memory limit",
            Self::Stopped(Stopped::Cancelled) => "stopped",
            Self::Stopped(Stopped::GaveUp) => "nothing",
        }
    }
}

impl fmt::Display for StepOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// What.
    pub name: &'static str,
    /// How much.
    pub value: u64,
    /// What it makes with that of another step.
    pub merge: Merge,
}

/// How two counts become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merge {
    /// They are added.
    Sum,
    /// The greater one stays.
    Most,
    /// The lesser one stays.
    Least,
}

impl Metric {
    /// Makes a metric that adds up.
    #[must_use]
    pub fn sum(name: &'static str, value: u64) -> Self {
        let merge = Merge::Sum;
        Self { name, value, merge }
    }

    /// Makes a metric whose greatest value counts.
    #[must_use]
    pub fn most(name: &'static str, value: u64) -> Self {
        let merge = Merge::Most;
        Self { name, value, merge }
    }

    /// Makes a metric whose least value counts.
    #[must_use]
    pub fn least(name: &'static str, value: u64) -> Self {
        let merge = Merge::Least;
        Self { name, value, merge }
    }

    /// With what was counted before, if anything was.
    #[must_use]
    pub fn with(&self, before: Option<u64>) -> u64 {
        let Some(before) = before else {
            return self.value;
        };
        match self.merge {
            Merge::Sum => before.saturating_add(self.value),
            Merge::Most => before.max(self.value),
            Merge::Least => before.min(self.value),
        }
    }
}

/// What came out, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct PortfolioResult {
    /// What is known.
    pub verdict: Verdict,
    /// The strategy that found it.
    pub by: Option<Strategy>,
    /// Turns of all strategies, in the order in which they ended.
    pub steps: Vec<Step>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// The graph with the vertices that close paths is too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A strategy's cycle is no tour, which would be an error of that strategy.
    #[error("what {strategy} found is not a tour, which is an error in this program: {why}")]
    NotATour {
        /// The strategy.
        strategy: Strategy,
        /// The first move that is wrong.
        why: NotATour,
    },
    /// A strategy's tour ends elsewhere, which would be an error of that strategy.
    #[error("what {0} found ends elsewhere, which is an error in this program")]
    EndsElsewhere(Strategy),
    /// An end is not in the graph.
    #[error(transparent)]
    Ends(#[from] InstanceError),
}

/// How far it is.
#[derive(Debug)]
pub enum Event<'a> {
    /// A turn begins.
    Begins(&'a Turn),
    /// It has ended.
    Ends(&'a Step),
}

/// The first turns of each thread, as they would be taken if none of them had an answer, and reductions left the graph as
/// it is.
///
/// # Errors
///
/// [`GraphError::TooManyArcs`] for a graph that is as large as they can be.
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
    let opening: Vec<_> = opening
        .map(|strategy| Turn::whole(strategy, options.seed))
        .collect();
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
    strategy.kind().stage() == Stage::Question
}

/// Strategies for the whole graph, then those that split it, as far as they suit the graph that has to have a cycle.
fn suiting(instance: &Instance, closure: &PathToCycle) -> Vec<Strategy> {
    let closed = closure.graph().map(|graph| Facts::from(graph.clone()));
    let facts = closed.as_ref().unwrap_or(instance.facts());
    let of_stage = |stage: Stage| {
        let mut all = Strategy::all();
        all.retain(|strategy| strategy.kind().stage() == stage && strategy.kind().suits(facts));
        all
    };
    [of_stage(Stage::Whole), of_stage(Stage::Split)].concat()
}

/// Looks for a tour with these ends. `tell` is called before and after each turn.
///
/// # Errors
///
/// [`Wrong`].
pub fn answer(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    budget: &Budget,
    tell: &(dyn Fn(&Event<'_>) + Sync),
) -> Result<PortfolioResult, Wrong> {
    let race = Race {
        instance,
        ends,
        options,
        budget,
        began: Instant::now(),
        tell,
        steps: Mutex::default(),
    };
    let (verdict, by) = decide(&race)?;
    let steps = race.steps.into_inner();
    Ok(PortfolioResult {
        verdict,
        by,
        steps: steps.unwrap_or_else(std::sync::PoisonError::into_inner),
    })
}

fn decide(race: &Race<'_>) -> Result<(Verdict, Option<Strategy>), Wrong> {
    let Race {
        instance,
        ends,
        options,
        ..
    } = *race;
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
    let (found, by) = match alone {
        Some(strategy) => race.alone(strategy, graph),
        None => race.all(graph, &suiting(instance, &closure)),
    };
    let verdict = match found {
        Found::Cycle(cycle) => {
            let order = closure.open(cycle, instance.start());
            let strategy = by.expect("a cycle was found by a strategy");
            if let Endpoints::Open { to: Some(to), .. } = ends
                && order.last() != Some(&to)
            {
                return Err(Wrong::EndsElsewhere(strategy));
            }
            let wrong = |why| Wrong::NotATour { strategy, why };
            Verdict::Tour(check(instance, ends, order).map_err(|error| match error {
                Checked::Not(why) => wrong(why),
                Checked::Instance(error) => Wrong::Ends(error),
            })?)
        }
        Found::None => Verdict::NoTour,
        Found::Nothing(ended) => Verdict::Unknown(ended),
    };
    Ok((verdict, by))
}

enum Checked {
    Not(NotATour),
    Instance(InstanceError),
}

/// The tour that this order is, move by move, from where it begins.
fn check(instance: &Instance, ends: Endpoints, order: Vec<Vertex>) -> Result<Tour, Checked> {
    let from_anywhere = matches!(ends, Endpoints::Open { from: None, .. });
    let first = order.first().copied().filter(|_| from_anywhere);
    match first {
        Some(first) => {
            let there = instance.starting_at(first).map_err(Checked::Instance)?;
            Tour::check(&there, order).map_err(Checked::Not)
        }
        None => Tour::check(instance, order).map_err(Checked::Not),
    }
}
