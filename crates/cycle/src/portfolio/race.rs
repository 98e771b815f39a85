//! Execution of the portfolio's turns, one after another or in parallel threads. Each turn runs one strategy and is
//! recorded.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use cpu_time::ThreadTime;
use hamcnf_graph::Graph;
use hamcnf_tours::Instance;

use super::schedule::Schedule;
use super::strategy::{Kept, Shared, Stage, Strategy, Turn, TurnResult, Work};
use super::{Event, Options, Step, StepOutcome, tuned};
use crate::Found;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_tours::endpoints::Endpoints;

/// Result of all turns, and the strategy that found the result, if any.
pub(super) type Answer = (Found, Option<Strategy>);

/// Run of the portfolio on one question, with the records of its turns.
pub(super) struct Race<'a> {
    pub(super) instance: &'a Instance,
    pub(super) ends: Endpoints,
    pub(super) options: &'a Options,
    pub(super) budget: &'a Budget,
    pub(super) began: Instant,
    pub(super) tell: &'a (dyn Fn(&Event<'_>) + Sync),
    pub(super) steps: Mutex<Vec<Step>>,
}

/// Guard that stops the other threads if the thread that owns the guard panics. Without the guard, the panic would stay
/// hidden until the other threads end.
struct EndsAll<'a>(&'a CancellationToken);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.set();
        }
    }
}

/// Context of a turn: its thread, graph and limits.
struct At<'a> {
    thread: u32,
    graph: &'a Graph,
    shared: &'a Shared,
    kept: Kept,
    budget: Budget,
    /// Token that is set when another thread has the answer.
    done: &'a CancellationToken,
    alone: bool,
}

impl Race<'_> {
    /// Runs one strategy alone on the whole graph.
    pub(super) fn alone(&self, strategy: Strategy, graph: &Graph) -> Answer {
        match self.turn(strategy, graph, true) {
            TurnResult::Found(found) => by(strategy, found),
            TurnResult::Obstructed(_) | TurnResult::Parts(_) => (Found::Nothing(Stopped::GaveUp), None),
        }
    }

    /// Runs all strategies: first the strategies in `suiting` on the whole graph, then the other strategies on each
    /// part of the graph.
    pub(super) fn all(&self, graph: &Graph, suiting: &[Strategy]) -> Answer {
        for &strategy in suiting {
            let splits = strategy.stage == Stage::Split;
            let reduction = match self.turn(strategy, graph, false) {
                TurnResult::Parts(reduction) => reduction,
                TurnResult::Obstructed(_) | TurnResult::Found(Found::Nothing(Stopped::GaveUp)) => {
                    continue;
                }
                TurnResult::Found(Found::Nothing(_)) if !splits => continue,
                TurnResult::Found(found) => return by(strategy, found),
            };
            let mut cycles = Vec::with_capacity(reduction.parts().len());
            let mut last = strategy;
            for graph in reduction.parts() {
                match self.threads(graph) {
                    (Found::Cycle(cycle), by) => {
                        cycles.push(cycle);
                        last = by.unwrap_or(last);
                    }
                    other => return other,
                }
            }
            return (Found::Cycle(reduction.lift(&cycles)), Some(last));
        }
        self.threads(graph)
    }

    /// Runs the turns of all threads on one graph, until a thread finds an answer or no thread can continue.
    fn threads(&self, graph: &Graph) -> Answer {
        let done = CancellationToken::default();
        let outcome: Mutex<Answer> = Mutex::new((Found::Nothing(Stopped::GaveUp), None));
        let others = self.options.threads.get() - 1;
        let share = self.budget.memory().map(|memory| memory / u64::from(others + 1));
        let shared = Shared::default();
        let run = |thread: u32| {
            let _ends = EndsAll(&done);
            let at = At {
                thread,
                graph,
                shared: &shared,
                kept: Kept::default(),
                budget: self.budget.clone().beside(done.clone()).with_memory(share),
                done: &done,
                alone: false,
            };
            // Strategies that ran out of memory are not run again, because later turns seldom need much less. Stop once
            // all exact strategies ran out of memory: the others only find tours, and would run forever on a graph
            // without a tour.
            let mut too_large = HashSet::new();
            let schedule = Schedule::new(graph, thread, self.options.seed);
            let strategies = schedule.strategies();
            let most = match self.options.opening_only {
                true => schedule.n_opening(),
                false => usize::MAX,
            };
            for turn in schedule.take(most) {
                if done.is_set() {
                    return;
                }
                let mut exact = strategies.iter().filter(|strategy| strategy.is_exact);
                if exact.all(|strategy| too_large.contains(strategy)) {
                    locked(&outcome).0 = Found::Nothing(Stopped::Memory);
                    return;
                }
                let by = turn.strategy;
                if too_large.contains(&by) {
                    continue;
                }
                let found = match at.budget.over() {
                    Some(ended) => Found::Nothing(ended),
                    None => match self.take(turn, &at) {
                        TurnResult::Found(found) => found,
                        TurnResult::Obstructed(_) | TurnResult::Parts(_) => Found::Nothing(Stopped::GaveUp),
                    },
                };
                let mut outcome = locked(&outcome);
                if done.is_set() {
                    return;
                }
                let over = at.budget.over();
                match found {
                    // The turn may have ended because the budget is used up.
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
                // The first thread drops the sender when it is done. Then no other thread starts, unless the head start
                // is already over.
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
        outcome.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Runs a strategy on a graph in a single turn without a work limit, on one thread.
    pub(super) fn turn(&self, strategy: Strategy, graph: &Graph, alone: bool) -> TurnResult {
        // Strategies of the first stage run in any case, and strategies that split the graph check the limits
        // themselves.
        let looks_itself = matches!(strategy.stage, Stage::Question | Stage::Split);
        if let Some(stopped) = self.budget.over().filter(|_| !looks_itself) {
            return Found::Nothing(stopped).into();
        }
        let at = At {
            thread: 0,
            graph,
            shared: &Shared::default(),
            kept: Kept::default(),
            budget: self.budget.clone(),
            done: &CancellationToken::default(),
            alone,
        };
        self.take(Turn::whole(strategy, self.options.seed), &at)
    }

    /// Runs a turn, records it, and notifies the observer.
    fn take(&self, turn: Turn, at: &At<'_>) -> TurnResult {
        (self.tell)(&Event::Begins(&turn));
        let cpu = ThreadTime::now();
        let (outcome, statistics) = (turn.strategy.run)(&Work {
            instance: self.instance,
            ends: self.ends,
            graph: at.graph,
            turn: &turn,
            alone: at.alone,
            budget: &at.budget,
            shared: at.shared,
            kept: &at.kept,
        });
        let step = Step {
            thread: at.thread,
            vertices: at.graph.n_vertices(),
            outcome: outcome_of(&outcome, at.done.is_set()),
            cpu_seconds: cpu.elapsed().as_secs_f64(),
            until: self.began.elapsed().as_secs_f64(),
            statistics,
            turn,
        };
        (self.tell)(&Event::Ends(&step));
        locked(&self.steps).push(step);
        outcome
    }
}

/// Pairs the result `found` with the strategy, or with `None` if nothing was found.
fn by(strategy: Strategy, found: Found) -> Answer {
    let is_answer = !matches!(found, Found::Nothing(_));
    (found, is_answer.then_some(strategy))
}

/// Returns the outcome to record for a turn. `beaten` is true if another thread has the answer.
fn outcome_of(result: &TurnResult, beaten: bool) -> StepOutcome {
    match result {
        TurnResult::Obstructed(_) | TurnResult::Found(Found::None) => StepOutcome::NoTour,
        TurnResult::Parts(_) => StepOutcome::Stopped(Stopped::GaveUp),
        TurnResult::Found(Found::Cycle(_)) => StepOutcome::Tour,
        TurnResult::Found(Found::Nothing(_)) if beaten => StepOutcome::Stopped(Stopped::Cancelled),
        TurnResult::Found(Found::Nothing(why)) => StepOutcome::Stopped(*why),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
