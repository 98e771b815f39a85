//! The table of a comparison, and the report of a compare experiment: every question with its ways one below
//! the other, and what was published about them.

use std::fmt::Write;

use super::median::seconds;
use super::{Report, Results, front, row, said, table};
use crate::harness::experiment::Experiment;
use crate::harness::plan::compare::{ComparePlan, PublishedRun};
use hamcnf_engines::ends::Start;
use hamcnf_methods::machine::Machine;
use hamcnf_methods::question::{Question, StartWord};
use hamcnf_methods::record::{Record, Status};

/// Columns that are text.
pub const LEFT: usize = 3;

/// What was done, and its unit: what says most of a method's work.
#[must_use]
pub fn effort(record: &Record) -> Option<(u64, &'static str)> {
    let nodes = match record.method.is_search() {
        true => "nodes",
        false => "diagram nodes",
    };
    let units = [
        ("conflicts", "conflicts"),
        ("states", "states"),
        ("peak_nodes", "diagram nodes"),
        ("nodes", nodes),
    ];
    let mut found = units.iter();
    found.find_map(|&(counter, unit)| Some((record.effort.get(counter)?, unit)))
}

/// The cells of a table with these rows, heading first.
#[must_use]
pub fn cells(question: &Question, records: &[&Record]) -> Vec<Vec<String>> {
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
        let least = if record.status.is_answer() {
            ""
        } else {
            "≥ "
        };
        let number = |value: Option<u64>| value.map_or(String::new(), |v| v.to_string());
        let effort = match effort(record) {
            Some((value, unit)) => format!("{least}{value} {unit}"),
            None => String::new(),
        };
        let wall = match record.wall_seconds {
            None => String::new(),
            Some(wall) => format!("{least}{}", seconds(wall)),
        };
        let peak = record.peak_rss_kib.map(|kib| kib.div_ceil(1024));
        let mut line = row([
            &record.method.to_string(),
            record.method.class_for(question),
            &record.said(),
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
pub fn markdown(question: &Question, records: &[&Record]) -> String {
    table(cells(question, records), LEFT)
}

/// What is wrong with the answers to one question: runs that failed, and answers that contradict each other.
#[must_use]
pub fn faults(question: &Question, records: &[&Record]) -> Vec<String> {
    let question = in_words(question);
    let failed = records.iter().filter(|r| r.status == Status::Failed);
    let mut faults: Vec<_> = failed
        .map(|r| format!("{question}, {}: {}", r.method, r.message))
        .collect();
    // The first contradiction is enough to say that something is wrong.
    let contradiction = records.iter().enumerate().find_map(|(k, a)| {
        let b = records[..k].iter().find(|b| a.contradicts(b))?;
        let (first, second) = ((&b.method, b.said()), (&a.method, a.said()));
        Some(format!(
            "{question}: {} says {}, and {} says {}",
            first.0, first.1, second.0, second.1
        ))
    });
    faults.extend(contradiction);
    faults
}

/// A question as people say it.
#[must_use]
pub fn in_words(question: &Question) -> String {
    match question {
        Question::Tours(tours) => {
            let (instance, place) = (tours.instance(), tours.place());
            let start = match tours.start() {
                Start::Given => instance.vertex_name(instance.start()),
                Start::Anywhere => StartWord::Anywhere.to_string(),
            };
            let end = tours.end().map(|end| instance.vertex_name(end));
            let end = end.map_or_else(String::new, |end| format!(" to {end}"));
            format!("{place}, {} tours from {start}{end}", instance.kind())
        }
        Question::Queens(queens) => queens.to_string(),
    }
}

/// The report, and what of the published figures did not come out.
#[must_use]
pub(super) fn report(
    experiment: &Experiment,
    plan: &ComparePlan,
    results: &Results,
    machine: &Machine,
) -> Report {
    let mut text = front(experiment, &plan.heading, machine);
    let _ = write!(
        text,
        "\nEvery way is run once, in a process of its own, with {} unless said otherwise. Wall \
         seconds are those of encoding and solving, searching or counting; ≥ stands before figures of runs \
         that ended without their answer. Every tour was checked move by move, twice.\n",
        said(&plan.limits)
    );
    let (mut wrong, mut differing) = (Vec::new(), Vec::new());
    for asked in &plan.questions {
        let question = &asked.question;
        let records = results.of(&asked.jobs);
        wrong.extend(faults(question, &records));
        let limit = match asked.own_time_limit {
            Some(limit) => format!(" ({limit} s)"),
            None => String::new(),
        };
        let name = in_words(question);
        let _ = write!(
            text,
            "\n## {name}{limit}\n\n{}",
            markdown(question, &records)
        );
        for (k, published) in asked.published.iter().enumerate() {
            let Some(ours) = results.get(&published.job.key()) else {
                continue;
            };
            let gap = if k == 0 { "\n" } else { "" };
            let (judged, holds) = judged(published, ours);
            let _ = writeln!(text, "{gap}- {judged}");
            if !holds {
                differing.push(format!("{name}, {}: {judged}", ours.method));
            }
        }
    }
    wrong.extend(differing);
    Report {
        text,
        faults: wrong,
    }
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
    if !ours.status.is_answer() {
        return (
            format!("{says} **Not decided** ({method}): {}.", ours.said()),
            true,
        );
    }
    let number = |value: Option<u64>| value.map(|v| v.to_string());
    let done = self::effort(ours);
    let (done, unit) = (
        done.map(|(n, _)| n),
        done.map_or("effort", |(_, unit)| unit),
    );
    // What is published, whether it is the same here, and ours in words.
    let answered = answer.as_ref().map(|theirs| {
        (
            "answer",
            ours.outcome().as_ref() == Some(theirs),
            Some(ours.said()),
        )
    });
    let figures = [
        (unit, *effort, done),
        ("variables", *variables, ours.variables),
        ("clauses", *clauses, ours.clauses),
    ];
    let figures = figures
        .into_iter()
        .filter_map(|(what, theirs, ours)| Some((what, ours == Some(theirs?), number(ours))));
    let compared: Vec<_> = answered.into_iter().chain(figures).collect();
    let holds = compared.iter().all(|(_, same, _)| *same);
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
        here.push(ours.said());
    }
    here.push(format!("{} s", seconds(ours.wall_seconds.unwrap_or(0.0))));
    (
        format!("{says} {verdict} ({method}): {}.", here.join(", ")),
        holds,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_engines::limits::Limits;

    #[test]
    fn limits_are_no_faults_and_contradictions_are() {
        let question: Question = "3x4 open from a1".parse().unwrap();
        let record = |method: &str, status: Status, value: &str| {
            let method = method.parse().unwrap();
            let mut record = Record::new("3x4 open from a1", "", &method, 0, &Limits::default());
            (record.status, record.value) = (status, value.parse().ok());
            record
        };
        let count = record("exact", Status::Count, "2");
        let refused = record("zdd", Status::Refused, "").ended(Status::Refused, "does not fit");
        let late = record("sample", Status::Timeout, "");
        assert_eq!(
            faults(&question, &[&count, &refused, &late]),
            Vec::<String>::new()
        );
        let none = record("direct", Status::NoTour, "");
        assert_eq!(
            faults(&question, &[&count, &none]),
            ["3x4, open tours from a1: exact says 2, and direct says no tour"]
        );
        let failed = record("unary", Status::Failed, "").ended(Status::Failed, "it broke");
        assert_eq!(
            faults(&question, &[&count, &failed]),
            ["3x4, open tours from a1, unary: it broke"]
        );
    }
}
