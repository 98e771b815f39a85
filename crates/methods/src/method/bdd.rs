//! `bdd`: counts and lists placements of queens by a decision diagram over squares; see
//! [`count::queens`](hamcnf_count::queens).

use std::ops::ControlFlow;

use hamcnf_tours::Queens;

use super::{Advice, Class, Counter, Enumerate, MethodKind, Profile};
use crate::run::{Event, Failure, Run, RunResult, Share, Status, Wanted};
use hamcnf_count::diagrams::BYTES_A_NODE;
use hamcnf_count::not_counted::{Cause, NotCounted};
use hamcnf_count::queens::{self, Solutions};
use hamcnf_questions::Question;

/// Exact count of placements by a decision diagram over squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bdd;

impl MethodKind for Bdd {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count of queens placements by a decision diagram over squares";
        Profile { several: true, ..Profile::queens("bdd", summary, Class::Count) }
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        vec![
            Advice::to_use(Enumerate::default(), ", which finds the placements one by one"),
            Advice::to_use(Counter::approxmc(), ", which estimates"),
        ]
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        let enough = queens::Options::enough_for(queens);
        let nodes = usize::try_from(run.memory() / BYTES_A_NODE).unwrap_or(usize::MAX);
        let options = queens::Options { node_capacity: nodes.min(enough.node_capacity), budget: run.budget() };
        let mut show = |at: queens::Progress| {
            let share = Share { done: at.rows.into(), of: at.of.into() };
            run.settings().observer.at(Some(share), || format!("{} of {} rows, {} nodes", at.rows, at.of, at.nodes));
        };
        let listed = Solutions::new(queens, &options, &mut show).and_then(|mut solutions| {
            let mut result = RunResult::default().with_value(Status::Count, solutions.count());
            let (nodes, peak) = (solutions.nodes(), solutions.peak_nodes());
            result.statistics.set("peak_nodes", peak);
            result.statistics.set("nodes", nodes);
            result.how = format!("a decision diagram of {nodes} nodes, at most {peak} while it was built");
            Ok(RunResult { complete: list(&mut solutions, run)?, ..result })
        });
        listed.or_else(super::sweep::not_counted)
    }
}

/// Lists as many placements as the settings request. Returns true if the list is known to be complete.
fn list(solutions: &mut Solutions, run: &Run<'_>) -> Result<bool, NotCounted> {
    let mut left = match run.settings().wanted {
        Wanted::One | Wanted::ByStart => return Ok(false),
        Wanted::Several(number) => number.get().into(),
        Wanted::All => u64::MAX,
    };
    let mut complete = true;
    let budget = run.budget();
    let listed = solutions.list(&mut |placement| {
        run.notify(Event::Placed(&placement));
        left -= 1;
        if left == 0 || budget.over().is_some() {
            complete = false;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    match listed {
        // The count is known even if a limit ends the list.
        Err(NotCounted { cause: Cause::Limit(_), .. }) => Ok(false),
        listed => listed.map(|()| complete),
    }
}
