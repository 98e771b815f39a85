//! Markdown reports from rows: tables, published figures beside ours, and in words what reproduced.
//!
//! A time-out is a lower bound and is never averaged: a median whose middle run timed out is written as
//! `> limit`.

use std::collections::BTreeSet;
use std::fmt::Write;

use hamcnf_encodings::{Encoding, Named};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use super::decision::{Record, Status};
use super::experiment::{Claim, DecisionPlan, Experiment, SizesPlan, Word};
use super::machine::Machine;
use super::sizes::{SizeRow, TOTAL};

/// A table in Markdown; the first `left` columns are text, the others numbers.
#[must_use]
pub fn table(rows: Vec<Vec<String>>, left: usize) -> String {
    let mut table = Builder::from_iter(rows).build();
    table.with(Style::markdown());
    table.modify(Columns::new(left..), Alignment::right());
    table.to_string() + "\n"
}

fn row<const K: usize>(cells: [&str; K]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

/// Title, prose, and where the figures come from.
fn front(experiment: &Experiment, title: &str, about: &str, machine: &Machine) -> String {
    let Machine {
        date,
        processor,
        processors,
        memory_gib,
        system,
        load,
        hamcnf,
        solver,
    } = machine;
    let load = load.map_or(String::new(), |load| format!(", load {load} at the start"));
    let file = experiment.file.display();
    let name = &experiment.name;
    let about = about.trim();
    format!(
        "# {title}\n\n{about}\n\n\
         Made by `hamcnf run {file}`; the raw rows are in [{name}.csv]({name}.csv). \
         hamcnf {hamcnf}, {solver}; {processor}, {processors} logical processors, {memory_gib} GiB; \
         {system}; {date}{load}.\n"
    )
}

/// The report of a sizes experiment.
#[must_use]
pub fn sizes(
    experiment: &Experiment,
    plan: &SizesPlan,
    rows: &[SizeRow],
    machine: &Machine,
) -> String {
    let mut lines = vec![row([
        "board",
        "encoding",
        "pruning",
        "variables",
        "published",
        "clauses",
        "published",
        "clauses in DIMACS",
        "same",
    ])];
    let (mut same, mut compared) = (0, 0);
    for size in rows.iter().filter(|size| size.family == TOTAL) {
        let published = plan.published.iter().find(|published| {
            let Word(board) = published.board;
            let encoding = Encoding::published(published.encoding.0);
            board.to_string() == size.instance
                && encoding.name.as_str() == size.encoding
                && encoding.options.pruning.to_string() == size.pruning
        });
        let mut line = row([&size.instance, &size.encoding, &size.pruning]);
        line.push(size.variables.to_string());
        line.push(published.map_or(String::new(), |p| p.variables.to_string()));
        line.push(size.nonunit_clauses.to_string());
        line.push(published.map_or(String::new(), |p| p.clauses.to_string()));
        line.push(size.clauses.to_string());
        line.push(published.map_or(String::new(), |p| {
            let agrees = [
                p.variables == size.variables,
                p.clauses == size.nonunit_clauses,
            ];
            compared += agrees.len();
            same += agrees.iter().filter(|&&agrees| agrees).count();
            if agrees == [true; 2] { "yes" } else { "no" }.to_owned()
        }));
        lines.push(line);
    }
    let mut text = front(experiment, &plan.title, &plan.about, machine);
    let _ = write!(text, "\n{}", table(lines, 3));
    if compared > 0 {
        let _ = write!(
            text,
            "\nOf {compared} published numbers, {same} came out the same.\n"
        );
    }
    text
}

/// A median of times, of which some may be known from below only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Median {
    /// The middle one.
    At(f64),
    /// The middle one timed out at this limit.
    Above(f64),
    /// There are no runs.
    Unknown,
}

impl Median {
    /// The median over values, `None` being larger than `limit`. Of an even number the greater middle one.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = Option<f64>>, limit: f64) -> Self {
        let mut sorted: Vec<_> = values
            .into_iter()
            .map(|v| v.unwrap_or(f64::INFINITY))
            .collect();
        sorted.sort_by(f64::total_cmp);
        match sorted.get(sorted.len() / 2) {
            None => Self::Unknown,
            Some(v) if v.is_finite() => Self::At(*v),
            Some(_) => Self::Above(limit),
        }
    }

    /// Whether this is certainly less than the other; `None` where it cannot be known.
    fn less_than(self, other: Self) -> Option<bool> {
        match (self, other) {
            (Self::At(a), Self::At(b)) => Some(a < b),
            (Self::At(a), Self::Above(b)) if a <= b => Some(true),
            (Self::Above(a), Self::At(b)) if b <= a => Some(false),
            _ => None,
        }
    }
}

/// Seconds with three significant digits.
#[must_use]
pub fn seconds(value: f64) -> String {
    match value {
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v => format!("{v:.3}"),
    }
}

impl std::fmt::Display for Median {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::At(v) => f.write_str(&seconds(*v)),
            Self::Above(limit) => write!(f, "> {}", seconds(*limit)),
            Self::Unknown => f.write_str("no runs"),
        }
    }
}

/// The runs of one board under one encoding.
struct Group<'a> {
    instance: &'a str,
    encoding: &'a str,
    pruning: &'a str,
    at_most_one: &'a str,
    limit: f64,
    records: Vec<&'a Record>,
}

impl<'a> Group<'a> {
    fn all(records: &'a [Record]) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for r in records {
            let what = (&*r.instance, &*r.encoding, &*r.pruning, &*r.at_most_one);
            let known = groups
                .iter_mut()
                .find(|g| (g.instance, g.encoding, g.pruning, g.at_most_one) == what);
            match known {
                Some(group) => group.records.push(r),
                None => groups.push(Group {
                    instance: what.0,
                    encoding: what.1,
                    pruning: what.2,
                    at_most_one: what.3,
                    limit: r.time_limit.unwrap_or(f64::INFINITY),
                    records: vec![r],
                }),
            }
        }
        groups
    }

    /// The runs that ended with an answer.
    fn solved(&self) -> impl Iterator<Item = &'a Record> + '_ {
        let ended = |r: &&&Record| matches!(r.status, Status::Tour | Status::NoTour);
        self.records.iter().filter(ended).copied()
    }

    /// How many different searches the runs made, told apart by their counters.
    fn searches(&self) -> usize {
        let counters = self
            .records
            .iter()
            .map(|r| (r.conflicts, r.decisions, r.propagations));
        counters.collect::<BTreeSet<_>>().len()
    }

    /// The median of a figure, over all runs, failed ones left out.
    fn median(&self, figure: impl Fn(&Record) -> f64) -> Median {
        let values = self.records.iter().filter_map(|r| match r.status {
            Status::Tour | Status::NoTour => Some(Some(figure(r))),
            Status::Timeout => Some(None),
            Status::Failed => None,
        });
        Median::of(values, self.limit)
    }

    fn range(&self) -> String {
        let times: Vec<_> = self.solved().map(|r| r.solve_seconds).collect();
        let least = times.iter().copied().reduce(f64::min);
        let most = times.iter().copied().reduce(f64::max);
        match (least, most) {
            (Some(least), Some(_)) if times.len() < self.records.len() => {
                format!("{} to > {}", seconds(least), seconds(self.limit))
            }
            (Some(least), Some(most)) => format!("{} to {}", seconds(least), seconds(most)),
            _ => format!("> {}", seconds(self.limit)),
        }
    }
}

/// A count, or that it is not known because the middle run did not end.
fn count(median: Median) -> String {
    match median {
        Median::At(v) => format!("{v:.0}"),
        Median::Above(_) | Median::Unknown => "timed out".to_owned(),
    }
}

/// The report of a decision experiment.
#[must_use]
pub fn decision(
    experiment: &Experiment,
    plan: &DecisionPlan,
    records: &[Record],
    machine: &Machine,
) -> String {
    let groups = Group::all(records);
    let mut lines = vec![row([
        "board",
        "encoding",
        "pruning",
        "at most one",
        "solved",
        "searches",
        "median s",
        "range s",
        "encode s",
        "conflicts",
        "ticks / 10⁶",
        "peak MiB",
    ])];
    for group in &groups {
        let runs = group.records.len();
        let known = group
            .records
            .iter()
            .filter(|r| !matches!(r.status, Status::Failed));
        let known: Vec<_> = known.collect();
        let of_all = |figure: fn(&Record) -> f64| {
            Median::of(known.iter().map(|r| Some(figure(r))), group.limit).to_string()
        };
        let mut line = row([
            group.instance,
            group.encoding,
            group.pruning,
            group.at_most_one,
        ]);
        line.push(format!("{}/{runs}", group.solved().count()));
        line.push(group.searches().to_string());
        line.push(group.median(|r| r.solve_seconds).to_string());
        line.push(group.range());
        line.push(of_all(|r| r.encode_seconds));
        line.push(count(group.median(|r| r.conflicts as f64)));
        line.push(count(group.median(|r| r.ticks as f64 / 1e6)));
        let peak = known.iter().map(|r| r.peak_kib).max().unwrap_or(0);
        line.push(format!("{:.0}", peak as f64 / 1024.0));
        lines.push(line);
    }
    let mut text = front(experiment, &plan.title, &plan.about, machine);
    let _ = write!(
        text,
        "\nEvery cell is {} runs with different seeds, each in a process of its own with {} s of wall \
         time. Seconds are CPU seconds in the solver; encoding comes before them. A run that timed out \
         counts as longer than the limit. Every tour was checked move by move. `searches` is how many \
         of the runs differ: CaDiCaL does not look at its seed before its first local search, so easy \
         formulas are searched alike with every seed.\n\n{}",
        plan.seeds.len(),
        plan.time_limit,
        table(lines, 4)
    );
    let failed = records
        .iter()
        .filter(|r| r.status == Status::Failed)
        .count();
    if failed > 0 {
        let _ = write!(text, "\n{failed} runs failed.\n");
    }
    if !plan.claims.is_empty() {
        text += "\n## What was published, and what came out here\n\n";
        for claim in &plan.claims {
            let _ = writeln!(text, "- {}", judged(claim, &groups));
        }
    }
    text
}

/// A claim with the verdict of the groups that have the published options.
fn judged(claim: &Claim, groups: &[Group<'_>]) -> String {
    let published = |encoding: &Word<hamcnf_encodings::EncodingName>| {
        let encoding = Encoding::published(encoding.0);
        let of = move |g: &&Group<'_>| {
            g.encoding == encoding.name.as_str()
                && g.pruning == encoding.options.pruning.to_string()
                && g.at_most_one == encoding.options.at_most_one.to_string()
        };
        groups
            .iter()
            .filter(of)
            .map(|g| (g.instance, g.median(|r| r.solve_seconds)))
    };
    let mut details = Vec::new();
    let reproduced = if let Some(under) = claim.under {
        let mut all = true;
        for (board, median) in published(&under.encoding) {
            let holds = median.less_than(Median::At(under.seconds)) == Some(true);
            all &= holds;
            details.push(format!("{board} {median} s"));
        }
        all
    } else if let Some([first, second]) = &claim.faster {
        let (mut wins, mut losses) = (0, 0);
        for ((board, a), (_, b)) in published(first).zip(published(second)) {
            let sign = match a.less_than(b) {
                Some(true) => {
                    wins += 1;
                    "<"
                }
                Some(false) => {
                    losses += 1;
                    "≥"
                }
                None => "?",
            };
            details.push(format!("{board} {a} {sign} {b} s"));
        }
        wins > losses
    } else {
        false
    };
    let verdict = if reproduced {
        "Reproduced"
    } else {
        "**Did not reproduce**"
    };
    format!(
        "{} {verdict} (medians): {}.",
        claim.says.trim(),
        details.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_known_when_its_middle_is() {
        let of = |values: &[Option<f64>]| Median::of(values.iter().copied(), 60.0);
        assert_eq!(of(&[Some(3.0), None, Some(1.0)]), Median::At(3.0));
        assert_eq!(of(&[None, None, Some(1.0)]), Median::Above(60.0));
        assert_eq!(of(&[Some(1.0), Some(2.0)]), Median::At(2.0));
        assert_eq!(of(&[]), Median::Unknown);
    }

    #[test]
    fn bounds_are_compared_only_where_they_decide() {
        let (at, above) = (Median::At, Median::Above);
        assert_eq!(at(1.0).less_than(at(2.0)), Some(true));
        assert_eq!(at(1.0).less_than(above(60.0)), Some(true));
        assert_eq!(above(60.0).less_than(at(2.0)), Some(false));
        assert_eq!(above(60.0).less_than(above(60.0)), None);
        assert_eq!(at(70.0).less_than(above(60.0)), None);
    }

    #[test]
    fn seconds_have_three_digits() {
        assert_eq!(
            [0.0123, 1.234, 12.34, 123.4].map(seconds),
            ["0.012", "1.23", "12.3", "123"]
        );
    }
}
