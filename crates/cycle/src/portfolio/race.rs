//! Execution of the portfolio's turns, one after another or in parallel threads. Each turn runs one strategy and is
//! recorded.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use cpu_time::ThreadTime;
use hamcnf_graph::{Graph, Vertex};
use hamcnf_tours::Instance;

use super::schedule::Schedule;
use super::strategy::{Kept, Stage, Strategy, Turn, TurnResult, Work};
use super::{Event, Options, Step, StepOutcome, tuned};
use crate::Found;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_tours::endpoints::Endpoints;

/// Result of all turns: a Hamiltonian cycle, or `None` if there is none, and the strategy that found this; or the reason why
/// there is no result.
pub(super) type Answer = Result<(Option<Vec<Vertex>>, Strategy), Stopped>;

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
    kept: Kept,
    budget: Budget,
    /// Token that is set when another thread has the answer.
    done: &'a CancellationToken,
    alone: bool,
}

impl Race<'_> {
    /// Runs one strategy alone on the whole graph.
    pub(super) fn alone(&self, strategy: Strategy, graph: &Graph) -> Answer {
        answer(strategy, self.turn(strategy, graph, true))
    }

    /// Runs all strategies: first the strategies in `suiting` on the whole graph, then the other strategies on each
    /// part of the graph.
    pub(super) fn all(&self, graph: &Graph, suiting: &[Strategy]) -> Answer {
        for &strategy in suiting {
            let splits = strategy.stage == Stage::Split;
            let reduction = match self.turn(strategy, graph, false) {
                TurnResult::Parts(reduction) => reduction,
                TurnResult::Obstructed(_) | TurnResult::Found(Found::Unknown(Stopped::GaveUp)) => {
                    continue;
                }
                TurnResult::Found(Found::Unknown(_)) if !splits => continue,
                found => return answer(strategy, found),
            };
            let mut cycles = Vec::with_capacity(reduction.parts().len());
            let mut last = strategy;
            for graph in reduction.parts() {
                match self.threads(graph)? {
                    (Some(cycle), by) => {
                        cycles.push(cycle);
                        last = by;
                    }
                    none => return Ok(none),
                }
            }
            return Ok((Some(reduction.lift(&cycles)), last));
        }
        self.threads(graph)
    }

    /// Runs the turns of all threads on one graph, until a thread finds an answer or no thread can continue.
    fn threads(&self, graph: &Graph) -> Answer {
        let done = CancellationToken::default();
        let outcome: Mutex<Answer> = Mutex::new(Err(Stopped::GaveUp));
        let others = self.options.threads.get() - 1;
        let share = self.budget.memory().map(|memory| memory / u64::from(others + 1));
        let run = |thread: u32| {
            let _ends = EndsAll(&done);
            let budget = self.budget.clone().beside(done.clone()).with_memory(share);
            self.turns(&At { thread, graph, kept: Kept::default(), budget, done: &done, alone: false }, &outcome);
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

    /// Runs the turns of one thread, until a thread has an answer or this one cannot continue.
    fn turns(&self, at: &At<'_>, outcome: &Mutex<Answer>) {
        // Strategies that ran out of memory are not run again, because later turns seldom need much less. Stop once all
        // exact strategies ran out of memory: the others only find tours, and would run forever on a graph without a tour.
        let mut too_large = HashSet::new();
        let schedule = Schedule::new(at.graph, at.thread, self.options.seed);
        let strategies = schedule.strategies();
        let most = match self.options.opening_only {
            true => schedule.n_opening(),
            false => usize::MAX,
        };
        for turn in schedule.take(most) {
            let by = turn.strategy;
            let mut exact = strategies.iter().filter(|strategy| strategy.is_exact);
            if at.done.is_set() || exact.all(|strategy| too_large.contains(strategy)) {
                return;
            }
            if too_large.contains(&by) {
                continue;
            }
            let mut found = match at.budget.over() {
                Some(ended) => Err(ended),
                None => answer(by, self.take(turn.clone(), at)),
            };
            // Searches that other strategies kept may have taken the memory.
            if found == Err(Stopped::Memory) && at.kept.clear() {
                found = answer(by, self.take(turn, at));
            }
            if found == Err(Stopped::Memory) {
                too_large.insert(by);
            }
            let mut outcome = locked(outcome);
            if at.done.is_set() {
                return;
            }
            // The turn may have ended because the budget is used up.
            let over = at.budget.over();
            let is_answer = found.is_ok();
            // A strategy that gives up does not hide a limit.
            if found != Err(Stopped::GaveUp) || over.is_some() {
                *outcome = found.map_err(|ended| over.unwrap_or(ended));
            }
            if is_answer {
                at.done.set();
            }
            if over.is_some() {
                return;
            }
        }
    }

    /// Runs a strategy on a graph in a single turn without a work limit, on one thread.
    pub(super) fn turn(&self, strategy: Strategy, graph: &Graph, alone: bool) -> TurnResult {
        // Strategies of the first stage run in any case, and strategies that split the graph check the limits
        // themselves.
        let looks_itself = matches!(strategy.stage, Stage::Question | Stage::Split);
        if let Some(stopped) = self.budget.over().filter(|_| !looks_itself) {
            return Found::Unknown(stopped).into();
        }
        let at = At {
            thread: 0,
            graph,
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

/// Returns the answer that the result of a strategy's turn gives.
fn answer(by: Strategy, result: TurnResult) -> Answer {
    match result {
        TurnResult::Found(Found::Cycle(cycle)) => Ok((Some(cycle), by)),
        TurnResult::Found(Found::NoCycle) => Ok((None, by)),
        TurnResult::Found(Found::Unknown(stopped)) => Err(stopped),
        TurnResult::Obstructed(_) | TurnResult::Parts(_) => Err(Stopped::GaveUp),
    }
}

/// Returns the outcome to record for a turn. `beaten` is true if another thread has the answer.
fn outcome_of(result: &TurnResult, beaten: bool) -> StepOutcome {
    match result {
        TurnResult::Obstructed(_) | TurnResult::Found(Found::NoCycle) => StepOutcome::NoTour,
        TurnResult::Parts(_) => StepOutcome::Stopped(Stopped::GaveUp),
        TurnResult::Found(Found::Cycle(_)) => StepOutcome::Tour,
        TurnResult::Found(Found::Unknown(_)) if beaten => StepOutcome::Stopped(Stopped::Cancelled),
        TurnResult::Found(Found::Unknown(why)) => StepOutcome::Stopped(*why),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
