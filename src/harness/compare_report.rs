//! The table of a comparison, and the report of a compare experiment: every question with its ways one below
//! the other, and what was published about them.

use std::fmt::Write;

use super::compare::{Record, Status};
use super::experiment::Experiment;
use super::machine::Machine;
use super::plan::compare::{ComparePlan, CompareQuestion, PublishedRun};
use super::report::{front, row, seconds, table};

/// Columns that are text.
pub const LEFT: usize = 3;

/// The cells of a table with these rows, heading first.
#[must_use]
pub fn cells(records: &[&Record]) -> Vec<Vec<String>> {
    let mut lines = vec![row([
        "method",
        "what it is",
        "answer",
        "effort",
        "variables",
        "clauses",
        "wall s",
        "peak MiB",
    ])];
    for record in records {
        let least = match record.status {
            Status::Answered => "",
            Status::Stopped | Status::Failed => "≥ ",
        };
        let number = |value: Option<u64>| value.map_or(String::new(), |v| v.to_string());
        let effort = match record.effort {
            Some(value) => format!("{least}{value} {}", record.unit),
            None => String::new(),
        };
        let wall = match record.wall_seconds {
            0.0 => String::new(),
            wall => format!("{least}{}", seconds(wall)),
        };
        let peak = record.peak_kib.map(|kib| kib.div_ceil(1024));
        let mut line = row([
            &record.method,
            &record.kind,
            &record.answer.to_string(),
            &effort,
        ]);
        line.extend([
            number(record.variables),
            number(record.clauses),
            wall,
            number(peak),
        ]);
        lines.push(line);
    }
    lines
}

/// The table in Markdown.
#[must_use]
pub fn markdown(records: &[&Record]) -> String {
    table(cells(records), LEFT)
}

/// The report, and what of the published figures did not come out.
#[must_use]
pub fn comparison(
    experiment: &Experiment,
    plan: &ComparePlan,
    of: &[(&CompareQuestion, Vec<&Record>)],
    machine: &Machine,
) -> (String, Vec<String>) {
    let mut text = front(experiment, &plan.title, &plan.about, machine);
    let _ = write!(
        text,
        "\nEvery way is run once, in a process of its own, with {} s of wall time unless said otherwise. Wall \
         seconds are those of encoding and solving, searching or counting; ≥ stands before figures of runs \
         that ended without their answer. Every tour was checked move by move, twice.\n",
        plan.time_limit
    );
    let mut faults = Vec::new();
    for (question, records) in of {
        let Some(first) = records.first() else {
            continue;
        };
        let limit = match question.time_limit {
            Some(limit) => format!(" ({limit} s)"),
            None => String::new(),
        };
        let _ = write!(
            text,
            "\n## {}{limit}\n\n{}",
            first.question(),
            markdown(records)
        );
        for (k, published) in question.published.iter().enumerate() {
            let ours = records.iter().find(|r| r.method == published.method);
            let Some(ours) = ours else {
                continue;
            };
            let gap = if k == 0 { "\n" } else { "" };
            let (judged, holds) = judged(published, ours);
            let _ = writeln!(text, "{gap}- {judged}");
            if !holds {
                faults.push(format!("{}, {}: {judged}", ours.question(), ours.method));
            }
        }
    }
    (text, faults)
}

/// A published statement with what came out, and whether nothing contradicts it.
fn judged(published: &PublishedRun, ours: &Record) -> (String, bool) {
    let PublishedRun {
        says,
        answer,
        effort,
        variables,
        clauses,
        ..
    } = published;
    let says = says.trim();
    let method = &ours.method;
    if ours.status != Status::Answered {
        return (
            format!("{says} **Not decided** ({method}): {}.", ours.answer),
            true,
        );
    }
    let number = |value: Option<u64>| value.map(|v| v.to_string());
    let figures = [
        ("answer", answer.clone(), Some(ours.answer.to_string())),
        (&ours.unit, number(*effort), number(ours.effort)),
        ("variables", number(*variables), number(ours.variables)),
        ("clauses", number(*clauses), number(ours.clauses)),
    ];
    let compared: Vec<_> = figures
        .into_iter()
        .filter_map(|(what, theirs, ours)| Some((what, theirs?, ours)))
        .collect();
    let holds = compared
        .iter()
        .all(|(_, theirs, ours)| ours.as_ref() == Some(theirs));
    let verdict = match (compared.is_empty(), holds) {
        (true, _) => "Here",
        (false, true) => "Reproduced",
        (false, false) => "**Did not reproduce**",
    };
    let mut here: Vec<_> = compared
        .iter()
        .map(|(what, _, ours)| format!("{what} {}", ours.as_deref().unwrap_or("unknown")))
        .collect();
    if compared.is_empty() {
        here.push(ours.answer.to_string());
    }
    here.push(format!("{} s", seconds(ours.wall_seconds)));
    (
        format!("{says} {verdict} ({method}): {}.", here.join(", ")),
        holds,
    )
}
