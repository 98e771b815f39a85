//! A tour of any graph, or that there is none, by whatever finds that soonest: the parts of [`crate::cycle`] one after the
//! other, each on what it is good at.
//!
//! 1. [Obstructions](Part::Obstruction): what can be seen at once.
//! 2. [2-factors](Part::Factor) of bipartite graphs, merged: boards of any size.
//! 3. [Reductions](Part::Reduction): forced edges, and smaller graphs where a few vertices or edges separate. Each of these
//!    has a search of its own, the smallest first, and all of them have to have a cycle.
//! 4. A glance by [local search](Part::Local): three edges for each arc, which is enough for most graphs that nobody made to
//!    be hard, dense ones and random ones of any size.
//! 5. [Dynamic programming](Part::Decomposition) where an elimination order is narrow: exact both ways.
//! 6. [The propagator](Part::Core) on what is left where all that is narrow has become lists of ways through; then
//!    [local search](Part::Local), the propagator on [the graph itself](Part::Propagator) and
//!    [cuts in rounds](Part::Lazy), each of which is best on some graphs: in slices that grow, each with another seed.
//!
//! With several threads the first does this, and the others begin with the sixth, with seeds of their own, once a moment
//! has passed: most questions have their answer by then. The first answer stops all. With one thread slices are measured in
//! what was done and not in time, so that the same seed takes the same way, however fast the machine is.
//!
//! - `schedule.rs`: whose turn it is, and for how long; `tuned.rs`, all numbers in that.
//! - `race.rs`: the turns, and what is written down of them.
//!
//! # References
//!
//! - John Rice: *The Algorithm Selection Problem*, Advances in Computers 15, 1976.
//! - Bernardo Huberman, Rajan Lukose, Tad Hogg: *An Economics Approach to Hard Computational Problems*, Science 275, 1997.

mod race;
mod schedule;
mod tuned;

use std::num::NonZero;
use std::sync::Mutex;
use std::time::Instant;

use cpu_time::ThreadTime;
use hamcnf_encodings::{
    GraphError, Instance, InstanceError, NotATour, Obstruction, Tour, Vertex, named,
};

use self::race::Race;
use self::schedule::Schedule;
pub use self::schedule::{Slice, Turn};
use crate::budget::{Budget, Stopped};
use crate::cycle::Found;
use crate::cycle::closure::{Closure, Ends};

/// One way, usable alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Part {
    /// A reason that there is no tour, which is seen without a search.
    Obstruction,
    /// A 2-factor, whose cycles are merged.
    Factor,
    /// What is forced, and smaller graphs where a few vertices or edges separate.
    Reduction,
    /// Dynamic programming over a tree decomposition.
    Decomposition,
    /// CaDiCaL with a propagator for circuits, on the core of the graph with the ways through its pieces.
    Core,
    /// The same on the graph itself.
    Propagator,
    /// Cuts in rounds.
    Lazy,
    /// Local search.
    Local,
}

named!(Part, "part", {
    Obstruction => "obstruction",
    Factor => "two-factor",
    Reduction => "reduction",
    Decomposition => "decomposition",
    Core => "core",
    Propagator => "propagator",
    Lazy => "lazy",
    Local => "local-search",
});

impl Part {
    /// Whether it comes to an answer by itself, one way or the other. What does not says that there is no tour only
    /// where it has proved it, too.
    #[must_use]
    pub fn is_exact(self) -> bool {
        matches!(
            self,
            Self::Decomposition | Self::Core | Self::Propagator | Self::Lazy
        )
    }
}

/// How it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// One part alone, or those that the graph asks for.
    pub part: Option<Part>,
    /// How many at once.
    pub threads: NonZero<u32>,
    /// Selects the random numbers.
    pub seed: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            part: None,
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
    /// There is none, as an exact part has found.
    NoTour,
    /// Neither is known.
    Unknown(Stopped),
}

/// What one part did.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Whose turn it was.
    pub turn: Turn,
    /// The thread, from 0 on.
    pub thread: u32,
    /// Vertices of the graph that it was on: of a smaller one after reductions.
    pub vertices: u32,
    /// What came out, in a word: `tour`, `no tour`, or why nothing did.
    pub outcome: &'static str,
    /// CPU seconds of its thread.
    pub cpu_seconds: f64,
    /// Wall seconds from the beginning to its end.
    pub until: f64,
    /// What it did.
    pub effort: Vec<Metric>,
}

/// Something that is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Metric {
    /// What.
    pub name: &'static str,
    /// How much.
    pub value: u64,
    /// What it makes with that of another step.
    pub tally: Tally,
}

/// How two counts become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tally {
    /// They are added.
    Sum,
    /// The greater one stays.
    Most,
    /// The lesser one stays.
    Least,
}

impl Metric {
    fn sum(name: &'static str, value: u64) -> Self {
        let tally = Tally::Sum;
        Self { name, value, tally }
    }

    fn most(name: &'static str, value: u64) -> Self {
        let tally = Tally::Most;
        Self { name, value, tally }
    }

    fn least(name: &'static str, value: u64) -> Self {
        let tally = Tally::Least;
        Self { name, value, tally }
    }

    /// With what was counted before, if anything was.
    #[must_use]
    pub fn with(&self, before: Option<u64>) -> u64 {
        let Some(before) = before else {
            return self.value;
        };
        match self.tally {
            Tally::Sum => before.saturating_add(self.value),
            Tally::Most => before.max(self.value),
            Tally::Least => before.min(self.value),
        }
    }
}

/// What came out, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct PortfolioResult {
    /// What is known.
    pub verdict: Verdict,
    /// The part that found it.
    pub by: Option<Part>,
    /// What all of them did, in the order in which they ended.
    pub steps: Vec<Step>,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// The graph with the vertices that close paths is too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A part's cycle is no tour, which would be an error of that part.
    #[error("what {part} found is not a tour, which is an error in this program: {why}")]
    NotATour {
        /// Which.
        part: Part,
        /// What is wrong with it.
        why: NotATour,
    },
    /// A part's tour ends elsewhere, which would be an error of that part.
    #[error("what {0} found ends elsewhere, which is an error in this program")]
    EndsElsewhere(Part),
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
    ends: Ends,
    options: &Options,
    turns: usize,
) -> Result<Vec<Vec<Turn>>, GraphError> {
    if let Some(part) = options.part {
        return Ok(vec![vec![Turn::whole(part, options.seed)]]);
    }
    let closure = Closure::new(instance.facts(), ends)?;
    let graph = closure.graph().unwrap_or(instance.graph());
    let opening = [
        (Part::Obstruction, true),
        (Part::Factor, is_bipartite(instance, &closure)),
        (Part::Reduction, graph.n_edges() <= tuned::REDUCED_EDGES),
    ];
    let opening = opening.into_iter().filter(|&(_, is_for_it)| is_for_it);
    let opening: Vec<Turn> = opening
        .map(|(part, _)| Turn::whole(part, options.seed))
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

fn is_bipartite(instance: &Instance, closure: &Closure) -> bool {
    match closure.graph() {
        Some(graph) => hamcnf_encodings::Facts::from(graph.clone())
            .colours()
            .is_some(),
        None => instance.facts().colours().is_some(),
    }
}

/// Looks for a tour with these ends. `tell` is called before and after each turn.
///
/// # Errors
///
/// [`Wrong`].
pub fn answer(
    instance: &Instance,
    ends: Ends,
    options: &Options,
    budget: &Budget,
    tell: &(dyn Fn(&Event<'_>) + Sync),
) -> Result<PortfolioResult, Wrong> {
    let race = Race {
        options,
        budget,
        began: Instant::now(),
        tell,
        steps: Mutex::default(),
    };
    let (verdict, by) = decide(&race, instance, ends)?;
    let steps = race.steps.into_inner();
    Ok(PortfolioResult {
        verdict,
        by,
        steps: steps.unwrap_or_else(std::sync::PoisonError::into_inner),
    })
}

fn decide(
    race: &Race<'_>,
    instance: &Instance,
    ends: Ends,
) -> Result<(Verdict, Option<Part>), Wrong> {
    let options = race.options;
    if matches!(options.part, None | Some(Part::Obstruction)) {
        let turn = Turn::whole(Part::Obstruction, options.seed);
        (race.tell)(&Event::Begins(&turn));
        let cpu = ThreadTime::now();
        let found = ends.obstruction(instance);
        let outcome = if found.is_some() {
            race::NO_TOUR
        } else {
            race::NOTHING
        };
        race.note(turn, 0, instance.graph(), outcome, cpu, Vec::new());
        if let Some(found) = found {
            return Ok((Verdict::Obstructed(found), Some(Part::Obstruction)));
        }
    }
    if options.part == Some(Part::Obstruction) {
        return Ok((Verdict::Unknown(Stopped::GaveUp), None));
    }
    let closure = Closure::new(instance.facts(), ends)?;
    let graph = closure.graph().unwrap_or(instance.graph());
    let (found, by) = match options.part {
        Some(part) => race.alone(part, graph),
        None => race.all(graph, is_bipartite(instance, &closure)),
    };
    let verdict = match found {
        Found::Cycle(cycle) => {
            let order = closure.open(cycle, instance.start());
            let part = by.unwrap_or(Part::Propagator);
            if let Ends::Open { to: Some(to), .. } = ends
                && order.last() != Some(&to)
            {
                return Err(Wrong::EndsElsewhere(part));
            }
            let wrong = |why| Wrong::NotATour { part, why };
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
fn check(instance: &Instance, ends: Ends, order: Vec<Vertex>) -> Result<Tour, Checked> {
    let from_anywhere = matches!(ends, Ends::Open { from: None, .. });
    let first = order.first().copied().filter(|_| from_anywhere);
    match first {
        Some(first) => {
            let there = instance.starting_at(first).map_err(Checked::Instance)?;
            Tour::check(&there, order).map_err(Checked::Not)
        }
        None => Tour::check(instance, order).map_err(Checked::Not),
    }
}
