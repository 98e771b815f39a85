//! The report of a sizes experiment: variables and clauses, and published ones beside them.

use std::fmt::Write;

use super::{Report, Results, front, row, table};
use crate::harness::experiment::Experiment;
use crate::harness::plan::sizes::SizesPlan;
use hamcnf_methods::machine::Machine;
use hamcnf_methods::record::Record;

/// The report. Published figures that do not come out are a fault.
#[must_use]
pub(super) fn report(
    experiment: &Experiment,
    plan: &SizesPlan,
    results: &Results,
    machine: &Machine,
) -> Report {
    let mut lines = vec![row([
        "board",
        "encoding",
        "variables",
        "published",
        "clauses",
        "published",
        "clauses in DIMACS",
        "same",
    ])];
    let mut same = 0;
    for (question, encoding) in plan.cells.pairs() {
        let job = SizesPlan::job(question, encoding);
        let Some(record) = results.get(&job.key()) else {
            continue;
        };
        let published = plan
            .published
            .iter()
            .find(|published| published.question == *question && published.encoding == *encoding);
        let nonunit = nonunit(record);
        let number = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
        let mut line = row([&question.to_string(), &encoding.to_string()]);
        line.extend([
            number(record.variables),
            number(published.map(|p| p.variables)),
            number(nonunit),
            number(published.map(|p| p.clauses)),
            number(record.clauses),
        ]);
        line.push(published.map_or(String::new(), |p| {
            let agrees = [
                record.variables == Some(p.variables),
                nonunit == Some(p.clauses),
            ];
            same += agrees.iter().filter(|&&agrees| agrees).count();
            if agrees == [true; 2] { "yes" } else { "no" }.to_owned()
        }));
        lines.push(line);
    }
    let mut text = front(experiment, &plan.heading, machine);
    let _ = write!(text, "\n{}", table(lines, 2));
    let published = 2 * plan.published.len();
    if published > 0 {
        let _ = write!(
            text,
            "\nOf {published} published numbers, {same} came out the same.\n"
        );
    }
    let mut faults = Vec::new();
    if same != published {
        faults.push("not all published numbers came out the same".to_owned());
    }
    Report { text, faults }
}

/// Clauses of two literals or more.
fn nonunit(record: &Record) -> Option<u64> {
    record.effort.get("nonunit")
}
