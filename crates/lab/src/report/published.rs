//! Comparison of published figures with the figures of runs.

use super::cells::{Cell, count_in_words, main_metric};
use super::median::seconds;
use crate::experiment::Published;
use hamcnf_methods::record::{Record, Status};

/// Published figures for one cell, compared with the runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// Text for the table of runs; empty if the figures were published in a statement.
    pub cell: String,
    /// Number of published figures that are compared with the first run that has an answer. The answer of an estimate
    /// is not compared, because it varies from run to run.
    pub compared: usize,
    /// Number of compared figures for which the run has exactly the published value.
    pub same: usize,
    /// Sentence for the list below the table; empty if the table says everything.
    pub text: String,
}

impl Judged {
    /// True if the runs fail to reproduce at least one of the compared figures.
    pub fn differs(&self) -> bool {
        self.same < self.compared
    }

    /// Returns `yes` if the runs reproduce all compared figures, otherwise `no`; empty if no figure can be compared.
    pub fn verdict(&self) -> &'static str {
        match (self.compared, self.differs()) {
            (0, _) => "",
            (_, true) => "no",
            (_, false) => "yes",
        }
    }
}

/// Compares the published figures of a method with the runs of the method.
pub fn judge(published: &Published, cell: &Cell<'_>) -> Judged {
    let answered = cell.runs.iter().find(|run| run.status.is_answer());
    let figures = if let Some(run) = answered { figures(published, run) } else { Vec::new() };
    Judged {
        cell: in_a_cell(published),
        compared: figures.len(),
        same: figures.iter().filter(|figure| figure.is_same).count(),
        text: match published {
            Published { says: None, value: None, time: None, .. } => String::new(),
            _ => sentence(published, cell, &figures),
        },
    }
}

/// Comparison of a published figure with the same figure of a run. `ours` states the figure of the run in words.
struct Compared {
    what: &'static str,
    is_same: bool,
    ours: String,
}

fn figures(published: &Published, run: &Record) -> Vec<Compared> {
    let mut figures = Vec::new();
    if let Some(theirs) = &published.value
        && run.status != Status::Estimate
    {
        figures.push(Compared { what: "answer", is_same: run.outcome().as_ref() == Some(theirs), ours: run.said() });
    }
    let done = main_metric(run);
    let nonunit = run.statistics.get("nonunit");
    for (what, theirs, ours) in [
        (done.map_or("main metric", |(_, unit)| unit), published.main_metric, done.map(|(value, _)| value)),
        ("variables", published.variables, run.variables),
        ("clauses", published.clauses, run.clauses),
        ("clauses of two literals or more", published.nonunit, nonunit),
    ] {
        if theirs.is_some() {
            figures.push(Compared {
                what,
                is_same: theirs == ours,
                ours: ours.map_or("unknown".to_owned(), |ours| ours.to_string()),
            });
        }
    }
    figures
}

/// Formats the published figures in words, such as `1296 variables, 46692 clauses`; empty if the figures were published
/// in a statement.
fn in_a_cell(published: &Published) -> String {
    if published.says.is_some() {
        return String::new();
    }
    let named = |figure: Option<u64>, name| figure.map(|figure| format!("{figure} {name}"));
    let words = [
        published.value.as_ref().map(ToString::to_string),
        published.time.clone(),
        named(published.main_metric, "of the main metric"),
        named(published.variables, "variables"),
        named(published.clauses, "clauses"),
        named(published.nonunit, "clauses of 2 literals or more"),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn sentence(published: &Published, cell: &Cell<'_>, figures: &[Compared]) -> String {
    let method = &cell.method;
    let statement = match &published.says {
        Some(says) => says.trim().to_owned(),
        None => {
            let value = published.value.as_ref().map_or("no answer".to_owned(), ToString::to_string);
            let time = published.time.as_ref();
            let time = time.map_or_else(String::new, |time| format!(" ({time})"));
            format!("{}: published {value}{time}.", cell.question)
        }
    };
    let mut text = if cell.n_solved() == 0 {
        let is_late = cell.all.iter().all(|run| run.status == Status::Timeout);
        let ended = match cell.limits.wall {
            Some(limit) if is_late => {
                format!("no answer within {} s", seconds(limit.as_secs_f64()))
            }
            _ => cell.answer(),
        };
        format!("{statement} **Not decided** ({method}): {ended}.")
    } else {
        let verdict = match figures.iter().all(|figure| figure.is_same) {
            _ if figures.is_empty() => "Here",
            true => "Reproduced",
            false => "**Did not reproduce**",
        };
        let mut here: Vec<String> = figures.iter().map(|figure| format!("{} {}", figure.what, figure.ours)).collect();
        if figures.is_empty() {
            here.push(cell.answer());
        }
        here.extend(cell.wall_seconds().map(|wall| format!("{wall} s")));
        here.extend(Some(cell.range()).filter(|range| !range.is_empty()));
        format!("{statement} {verdict} ({method}): {}.", here.join(", "))
    };
    if published.says.is_none() {
        text += &about_the_set(cell);
    }
    text
}

/// States the number of tours and whether the projection set distinguishes all of them.
fn about_the_set(cell: &Cell<'_>) -> String {
    match (cell.on_set, cell.tours) {
        (Some(set), Some(tours)) if set < tours => {
            let missed = 100.0 * (1.0 - set / tours);
            format!(
                " An exact counter finds {} on this set: the set misses {missed:.0} % of the {} tours, because it is not an independent support.",
                count_in_words(set),
                count_in_words(tours)
            )
        }
        (Some(_), Some(tours)) => {
            format!(" This set distinguishes all {} tours.", count_in_words(tours))
        }
        (None, Some(1.0)) => " There is one tour.".to_owned(),
        (None, Some(tours)) => format!(" There are {} tours.", count_in_words(tours)),
        _ => String::new(),
    }
}
