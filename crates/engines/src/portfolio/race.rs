//! Turns, one after the other and beside each other, and what is written down of them.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use cpu_time::ThreadTime;
use hamcnf_encodings::Graph;

use super::schedule::{Schedule, Slice, Turn};
use super::{Event, Metric, Options, Part, Step, tuned};
use crate::budget::{Budget, Stopped};
use crate::cycle::decomposition::{self, Elimination};
use crate::cycle::factor::{Factor, two_factor};
use crate::cycle::merge::merge;
use crate::cycle::reduction::{Reduced, Reduction, reduce};
use crate::cycle::{Found, alternating, core, lazy, local, propagator};
use crate::stop::Stop;

pub(super) const TOUR: &str = "tour";
pub(super) const NO_TOUR: &str = "no tour";
pub(super) const NOTHING: &str = "nothing";

/// What came out, and which part said so.
pub(super) type PartResult = (Found, Option<Part>);

/// The turns of one question.
pub(super) struct Race<'a> {
    pub(super) options: &'a Options,
    pub(super) budget: &'a Budget,
    pub(super) began: Instant,
    pub(super) tell: &'a (dyn Fn(&Event<'_>) + Sync),
    pub(super) steps: Mutex<Vec<Step>>,
}

/// Where one thread panics the others end too, so that the panic is seen.
struct EndsAll<'a>(&'a Stop);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.set();
        }
    }
}

/// Where a turn is.
struct At<'a> {
    thread: u32,
    graph: &'a On<'a>,
    budget: Budget,
    /// Set when another thread has the answer.
    done: &'a Stop,
}

/// A graph for a cycle through all of it, and what turns on it share.
struct On<'a> {
    graph: &'a Graph,
    /// The order of narrow tables, or why there is none.
    order: Mutex<Option<Result<Elimination, Stopped>>>,
}

impl Race<'_> {
    /// One part alone, on the graph as it is.
    pub(super) fn alone(&self, part: Part, graph: &Graph) -> PartResult {
        let turn = Turn::whole(part, self.options.seed);
        if part == Part::Reduction {
            let reduced = self.reduction(&turn, graph);
            let nothing = Found::Nothing(Stopped::GaveUp);
            return by(part, reduced.err().unwrap_or(nothing));
        }
        by(part, self.turn(turn, graph, true))
    }

    /// All parts: first those that see the whole graph, then the others on each of the smaller ones that it becomes.
    pub(super) fn all(&self, graph: &Graph, bipartite: bool) -> PartResult {
        let seed = self.options.seed;
        if bipartite {
            let found = self.turn(Turn::whole(Part::Factor, seed), graph, false);
            if !matches!(found, Found::Nothing(_)) {
                return (found, Some(Part::Factor));
            }
        }
        if graph.n_edges() > tuned::REDUCED_EDGES {
            return self.threads(graph);
        }
        let reduction = match self.reduction(&Turn::whole(Part::Reduction, seed), graph) {
            Err(found) => return by(Part::Reduction, found),
            Ok(reduction) => reduction,
        };
        let mut cycles = Vec::with_capacity(reduction.parts().len());
        let mut last = Part::Reduction;
        for graph in reduction.parts() {
            match self.threads(graph) {
                (Found::Cycle(cycle), by) => {
                    cycles.push(cycle);
                    last = by.unwrap_or(last);
                }
                other => return other,
            }
        }
        (Found::Cycle(reduction.lift(&cycles)), Some(last))
    }

    /// Smaller graphs, or the answer where they are none at all.
    fn reduction(&self, turn: &Turn, graph: &Graph) -> Result<Reduction, Found> {
        (self.tell)(&Event::Begins(turn));
        let cpu = ThreadTime::now();
        let reduced = reduce(graph, self.budget);
        let mut effort = Vec::new();
        let reduced = match reduced {
            Err(ended) => Err(Found::Nothing(ended)),
            Ok(Reduced::None(_)) => Err(Found::None),
            Ok(Reduced::Parts(reduction)) => {
                let parts = reduction.parts();
                let largest = parts.last().map_or(0, Graph::n_vertices);
                let edges = parts.iter().map(|graph| u64::from(graph.n_edges()));
                effort = vec![
                    Metric::sum("parts", parts.len() as u64),
                    Metric::most("largest", largest.into()),
                    Metric::sum("edges", edges.sum()),
                ];
                match reduction.cycles() {
                    Some(cycles) => Err(Found::Cycle(reduction.lift(&cycles))),
                    None => Ok(reduction),
                }
            }
        };
        let outcome = reduced
            .as_ref()
            .err()
            .map_or(NOTHING, |found| said_of(found, false));
        self.note(turn.clone(), 0, graph, outcome, cpu, effort);
        reduced
    }

    /// The turns of all threads on one graph, until there is an answer.
    fn threads(&self, graph: &Graph) -> PartResult {
        let done = Stop::default();
        let outcome: Mutex<PartResult> = Mutex::new((Found::Nothing(Stopped::GaveUp), None));
        let others = self.options.threads.get() - 1;
        let share = self
            .budget
            .memory()
            .map(|memory| memory / u64::from(others + 1));
        let on = On::new(graph);
        let run = |thread: u32| {
            let _ends = EndsAll(&done);
            let at = At {
                thread,
                graph: &on,
                budget: self.budget.clone().beside(done.clone()).with_memory(share),
                done: &done,
            };
            // What a part would need in a later turn is seldom much less. Those that need none, and find tours only, do not go
            // on alone for ever.
            let mut too_large = BTreeSet::new();
            for turn in Schedule::new(graph, thread, self.options.seed) {
                if done.is_set() {
                    return;
                }
                let mut exact = Schedule::ROUND.iter().filter(|part| part.is_exact());
                if exact.all(|part| too_large.contains(part)) {
                    locked(&outcome).0 = Found::Nothing(Stopped::Memory);
                    return;
                }
                let by = turn.part;
                if too_large.contains(&by) {
                    continue;
                }
                let found = match at.budget.over() {
                    Some(ended) => Found::Nothing(ended),
                    None => self.take(turn, &at, false),
                };
                let mut outcome = locked(&outcome);
                if done.is_set() {
                    return;
                }
                let over = at.budget.over();
                match found {
                    // A slice may end when the time does.
                    Found::Nothing(ended) => {
                        if ended == Stopped::Memory {
                            too_large.insert(by);
                        }
                        outcome.0 = Found::Nothing(over.unwrap_or(ended));
                    }
                    answer => {
                        *outcome = (answer, Some(by));
                        done.set();
                    }
                }
                if over.is_some() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            let (is_first, waits) = mpsc::channel::<()>();
            if others > 0 {
                let run = &run;
                // The first hangs up when it is done, and then nobody else has to begin.
                scope.spawn(move || {
                    let waited = waits.recv_timeout(tuned::HEAD_START);
                    if waited == Err(RecvTimeoutError::Timeout) {
                        for thread in 1..=others {
                            scope.spawn(move || run(thread));
                        }
                    }
                });
            }
            run(0);
            drop(is_first);
        });
        outcome
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// One turn on a graph, beside no other.
    fn turn(&self, turn: Turn, graph: &Graph, alone: bool) -> Found {
        if let Some(ended) = self.budget.over() {
            return Found::Nothing(ended);
        }
        let done = Stop::default();
        let at = At {
            thread: 0,
            graph: &On::new(graph),
            budget: self.budget.clone(),
            done: &done,
        };
        self.take(turn, &at, alone)
    }

    fn take(&self, turn: Turn, at: &At<'_>, alone: bool) -> Found {
        (self.tell)(&Event::Begins(&turn));
        let cpu = ThreadTime::now();
        let (found, effort) = at.graph.take(&turn, &at.budget, alone);
        let outcome = said_of(&found, at.done.is_set());
        self.note(turn, at.thread, at.graph.graph, outcome, cpu, effort);
        found
    }

    /// Writes a step down.
    pub(super) fn note(
        &self,
        turn: Turn,
        thread: u32,
        graph: &Graph,
        outcome: &'static str,
        cpu: ThreadTime,
        effort: Vec<Metric>,
    ) {
        let step = Step {
            turn,
            thread,
            vertices: graph.n_vertices(),
            outcome,
            cpu_seconds: cpu.elapsed().as_secs_f64(),
            until: self.began.elapsed().as_secs_f64(),
            effort,
        };
        (self.tell)(&Event::Ends(&step));
        locked(&self.steps).push(step);
    }
}

/// An answer, with the part that gave it. No part is named where nothing was found.
fn by(part: Part, found: Found) -> PartResult {
    let is_answer = !matches!(found, Found::Nothing(_));
    (found, is_answer.then_some(part))
}

/// What came out, in a word.
fn said_of(found: &Found, beaten: bool) -> &'static str {
    match found {
        Found::Cycle(_) => TOUR,
        Found::None => NO_TOUR,
        Found::Nothing(_) if beaten => "stopped",
        Found::Nothing(Stopped::Time) => "time limit",
        Found::Nothing(Stopped::Conflicts) => "conflict limit",
        Found::Nothing(Stopped::Memory) => "memory limit",
        Found::Nothing(Stopped::Cancelled) => "stopped",
        Found::Nothing(Stopped::GaveUp) => NOTHING,
    }
}

impl<'a> On<'a> {
    fn new(graph: &'a Graph) -> Self {
        Self {
            graph,
            order: Mutex::new(None),
        }
    }

    /// A 2-factor, its cycles merged, for the propagator to begin near: but on every third turn, and not of the
    /// largest graphs.
    fn near(&self, turn: &Turn, budget: &Budget) -> Result<Option<Factor>, Found> {
        if turn.variant % 3 == 2 || self.graph.n_edges() > tuned::FACTOR_EDGES {
            return Ok(None);
        }
        match two_factor(self.graph, Some(turn.seed.into()), budget) {
            Ok(Some(factor)) => Ok(Some(merge(self.graph, factor, budget))),
            // Without a 2-factor there is no Hamiltonian cycle.
            Ok(None) => Err(Found::None),
            Err(Stopped::Memory) => Ok(None),
            Err(ended) => Err(Found::Nothing(ended)),
        }
    }

    /// Tables over an elimination order, where they are as few as the slice says.
    fn tables(&self, turn: &Turn, budget: &Budget, alone: bool) -> (Found, Vec<Metric>) {
        let most = match alone {
            true => decomposition::MOST_WIDTH,
            false => tuned::MOST_WIDTH,
        };
        let mut order = locked(&self.order);
        let order = order.get_or_insert_with(|| Elimination::min_degree(self.graph, most, budget));
        let order = match order {
            Err(ended) => return (Found::Nothing(*ended), Vec::new()),
            Ok(order) => order,
        };
        if let Some(Slice::States(states)) = turn.slice
            && order.cost() > states
        {
            let effort = vec![Metric::most("width", order.width().into())];
            return (Found::Nothing(Stopped::GaveUp), effort);
        }
        let options = decomposition::Options::default();
        let (found, effort) = decomposition::find(self.graph, order, &options, budget);
        let effort = vec![
            Metric::sum("states", effort.states),
            Metric::most("peak_states", effort.most_states),
            Metric::most("width", effort.width.into()),
        ];
        (found, effort)
    }

    /// Lets a part have its turn.
    fn take(&self, turn: &Turn, budget: &Budget, alone: bool) -> (Found, Vec<Metric>) {
        let seed = turn.seed;
        match turn.part {
            // They are no search on a graph: see those who call this.
            Part::Obstruction | Part::Reduction => (Found::Nothing(Stopped::GaveUp), Vec::new()),
            Part::Factor => {
                let found = alternating::find(self.graph, seed.into(), budget);
                (found, Vec::new())
            }
            Part::Decomposition => self.tables(turn, budget, alone),
            Part::Core => {
                let round = turn.variant as usize % tuned::CORE_WIDTHS.len();
                let options = core::Options {
                    most_width: tuned::CORE_WIDTHS[round],
                    states: tuned::CORE_STATES,
                    ways: if alone { u64::MAX } else { tuned::CORE_WAYS },
                    propagator: circuits(turn),
                };
                let (found, effort) = core::find(self.graph, &options, budget);
                let mut counters = vec![
                    Metric::most("vertices", effort.core),
                    Metric::sum("pieces", effort.pieces),
                    Metric::sum("ways", effort.ways),
                    Metric::sum("links", effort.links),
                ];
                counters.extend(said(&effort.propagator));
                (found, counters)
            }
            Part::Propagator => {
                let near = match self.near(turn, budget) {
                    Ok(near) => near,
                    Err(found) => return (found, Vec::new()),
                };
                let options = circuits(turn);
                let (found, effort) = propagator::find(self.graph, near.as_ref(), &options, budget);
                (found, said(&effort).to_vec())
            }
            Part::Lazy => {
                let conflicts = match turn.slice {
                    Some(Slice::Conflicts(conflicts)) => Some(conflicts),
                    _ => None,
                };
                let options = lazy::Options { seed, conflicts };
                let (found, effort) = lazy::find(self.graph, &options, budget);
                let mut counters = vec![
                    Metric::sum("conflicts", effort.conflicts),
                    Metric::sum("rounds", effort.rounds),
                    Metric::sum("cuts", effort.cuts),
                    Metric::sum("literals", effort.literals),
                ];
                if effort.rounds > 0 {
                    counters.push(Metric::least("fewest_cycles", effort.cycles));
                }
                (found, counters)
            }
            Part::Local => {
                let found = match turn.slice {
                    Some(Slice::Looks(most)) => {
                        local::search_within(self.graph, seed.into(), most, budget)
                    }
                    _ => local::search(self.graph, seed.into(), budget),
                };
                (found, Vec::new())
            }
        }
    }
}

/// How the propagator searches in a turn.
fn circuits(turn: &Turn) -> propagator::Options {
    let round = turn.variant as usize / 2 % tuned::CONNECTIVITY.len();
    propagator::Options {
        seed: turn.seed,
        literals: match turn.slice {
            Some(Slice::Literals(literals)) => Some(literals),
            _ => None,
        },
        connectivity: tuned::CONNECTIVITY[round],
    }
}

fn said(effort: &propagator::PropagatorStatistics) -> [Metric; 7] {
    [
        Metric::sum("conflicts", effort.conflicts),
        Metric::sum("decisions", effort.decisions),
        Metric::sum("ticks", effort.ticks),
        Metric::sum("literals", effort.literals),
        Metric::sum("closings", effort.closings),
        Metric::sum("cycles", effort.cycles),
        Metric::sum("parts", effort.parts),
    ]
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}
