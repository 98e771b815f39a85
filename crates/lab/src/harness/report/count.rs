//! The report of a count experiment: a table, and for every published figure in words what came out here.

use std::fmt::Write;

use super::median::{Figure, Median, seconds};
use super::{Report, Results, front, row, said, table};
use crate::harness::experiment::Experiment;
use crate::harness::plan::count::{CountEntry, CountPlan, CountQuestion};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::method::{Approxmc, Enumerate, Ganak, Method};
use hamcnf_methods::record::{Record, Status};

/// The records of one entry.
struct Row<'a> {
    question: &'a CountQuestion,
    entry: &'a CountEntry,
    records: Vec<&'a Record>,
    /// How many tours there are, computed exactly.
    tours: Option<f64>,
    /// How many an exact counter would find on the entry's projection set.
    on_set: Option<f64>,
}

impl<'a> Row<'a> {
    fn all(plan: &'a CountPlan, results: &'a Results) -> Vec<Self> {
        let mut rows = Vec::new();
        for question in &plan.questions {
            let of = |entry: &'a CountEntry| (entry, results.of(&entry.jobs));
            let all: Vec<_> = question.counts.iter().map(of).collect();
            let exact = all.iter().flat_map(|(_, records)| records);
            let tours = exact
                .copied()
                .filter(|r| counts_tours(r))
                .find_map(Record::number);
            for (entry, records) in &all {
                let set = |method: &Method| {
                    let set = method.projection().cloned();
                    set.map(|set| (method.encoding().cloned(), set))
                };
                let own = set(&entry.method);
                let same_set = |other: &&(&CountEntry, Vec<&Record>)| {
                    own.is_some() && set(&other.0.method) == own
                };
                let on_set = all.iter().filter(same_set).flat_map(|(_, records)| records);
                rows.push(Row {
                    question,
                    entry,
                    records: records.clone(),
                    tours,
                    on_set: on_set.copied().find_map(on_this_set),
                });
            }
        }
        rows
    }

    fn answers(&self) -> Vec<f64> {
        let mut answers: Vec<f64> = self.records.iter().filter_map(|r| r.number()).collect();
        answers.sort_by(f64::total_cmp);
        answers
    }

    /// The median and the range of the answers.
    fn answer(&self) -> (String, String) {
        let answers = self.answers();
        match answers[..] {
            [] => ("none".to_owned(), String::new()),
            [only] => (figure(only), String::new()),
            _ => {
                let range = [answers[0], answers[answers.len() - 1]].map(figure);
                (figure(answers[answers.len() / 2]), range.join(" to "))
            }
        }
    }

    fn wall(&self) -> Median {
        let figure = |r: &&Record| Figure::of(r, r.wall_seconds);
        Median::of(&self.records.iter().map(figure).collect::<Vec<_>>())
    }

    /// How many answers are within the factor 1 + ε of what they should be.
    fn within(&self, truth: f64) -> String {
        let answers = self.answers();
        let by_default = Approxmc::default();
        let counter = self.entry.method.kind::<Approxmc>();
        let epsilon = counter.unwrap_or(&by_default).epsilon;
        let factor = 1.0 + epsilon;
        let good = answers
            .iter()
            .filter(|&&a| a <= truth * factor && a >= truth / factor);
        format!("{}/{}", good.count(), answers.len())
    }

    /// The method, with what is not as in the other rows.
    fn method(&self) -> String {
        let entry = self.entry;
        let mut text = entry.method.to_string();
        if let Some(seeds) = &entry.own_seeds {
            let seeds: Vec<_> = seeds.iter().map(ToString::to_string).collect();
            let _ = write!(text, ", seed {}", seeds.join(" "));
        }
        if let Some(limit) = entry.own_time_limit {
            let _ = write!(text, ", {limit} s");
        }
        text
    }

    fn cells(&self) -> Vec<String> {
        let text = |value: Option<String>| value.unwrap_or_default();
        let answered = self.answers().len();
        let (answer, range) = self.answer();
        let is_estimate = self.records.iter().any(|r| r.status == Status::Estimate);
        let size = self
            .records
            .iter()
            .find_map(|r| r.effort.get::<u64>("projected_variables"));
        vec![
            self.question.question.to_string(),
            self.method(),
            text(size.map(|size| size.to_string())),
            format!("{answered}/{}", self.records.len()),
            answer,
            range,
            text(self.on_set.map(figure)),
            text(
                self.tours
                    .filter(|_| is_estimate)
                    .map(|tours| self.within(tours)),
            ),
            self.wall().to_string(),
            text(self.entry.published.map(figure)),
            text(self.entry.published_time.clone()),
        ]
    }

    /// The published figure beside ours.
    fn reading(&self) -> Option<String> {
        if self.entry.published.is_none() && self.entry.published_time.is_none() {
            return None;
        }
        let published = self
            .entry
            .published
            .map_or_else(|| "no answer".to_owned(), figure);
        let time = self.entry.published_time.as_ref();
        let time = time.map_or_else(String::new, |time| format!(" ({time})"));
        let (answer, range) = self.answer();
        let range = if range.is_empty() {
            range
        } else {
            format!(", {range}")
        };
        let mut text = format!(
            "{}, {}: published {published}{time}; here ",
            self.question.question,
            self.method()
        );
        let limit = self
            .records
            .first()
            .and_then(|r| r.wall_limit)
            .unwrap_or(0.0);
        let other = |r: &&&Record| r.status != Status::Timeout && !r.status.is_answer();
        let stopped = self.records.iter().find(other);
        if let (true, Some(stopped)) = (self.answers().is_empty(), stopped) {
            let _ = write!(text, "no answer: {}.", stopped.said());
        } else if self.answers().is_empty() {
            let _ = write!(text, "no answer within {} s.", seconds(limit));
        } else {
            let _ = write!(text, "{answer} ({} s{range}).", self.wall());
        }
        match (self.on_set, self.tours) {
            (Some(set), Some(tours)) if set < tours => {
                let missed = 100.0 * (1.0 - set / tours);
                let _ = write!(
                    text,
                    " An exact counter finds {} on this set: it misses {missed:.0} % of the {} tours, as it is \
                     no independent support.",
                    figure(set),
                    figure(tours)
                );
            }
            (Some(_), Some(tours)) => {
                let _ = write!(text, " This set tells all {} tours apart.", figure(tours));
            }
            (None, Some(tours)) => {
                let _ = write!(text, " There are {} tours.", figure(tours));
            }
            _ => {}
        }
        Some(text)
    }
}

/// A count as people read it; what is not a whole number has one digit more.
fn figure(value: f64) -> String {
    if value >= 1e15 {
        format!("{value:.3e}")
    } else if value.fract() == 0.0 {
        format!("{value:.0}")
    } else {
        format!("{value:.1}")
    }
}

/// The tours that an exact counter would report on a projection set whose values were counted by finding all tours.
fn on_this_set(record: &Record) -> Option<f64> {
    record.method.kind::<Enumerate>()?;
    let values: f64 = record.effort.get("values")?;
    let per_tour: f64 = record.effort.get("models_per_tour")?;
    Some(values / per_tour)
}

/// Whether a record is an exact count of tours: that of a model counter is one of values of its set.
fn counts_tours(record: &Record) -> bool {
    let of_models = record.method.is::<Ganak>();
    record.status == Status::Count && !of_models
}

/// What is wrong with the records of one question: failures, and exact methods that disagree.
fn faults(question: &CountQuestion, records: &[&Record]) -> Vec<String> {
    let name = &question.question;
    let failed = records.iter().filter(|r| r.status == Status::Failed);
    let mut faults: Vec<_> = failed
        .map(|r| format!("{name}: {} failed", r.method))
        .collect();
    let exact = records.iter().filter(|r| counts_tours(r));
    let mut counts: Vec<_> = exact.filter_map(|r| r.count()).collect();
    counts.sort_unstable();
    counts.dedup();
    let counts: Vec<_> = counts.iter().map(ToString::to_string).collect();
    if counts.len() > 1 {
        faults.push(format!(
            "{name}: exact methods disagree: {}",
            counts.join(", ")
        ));
    }
    faults
}

/// What is published about an exact count and did not come out: an estimate is another each time.
fn differing<'a>(row: &'a Row<'_>) -> impl Iterator<Item = String> + 'a {
    let published = row.entry.published;
    let counts = row.records.iter().filter(|r| r.status == Status::Count);
    counts.filter_map(move |record| {
        let (theirs, ours) = (published?, record.number()?);
        (ours != theirs).then(|| {
            let name = &row.question.question;
            let (method, theirs, ours) = (row.method(), figure(theirs), record.said());
            format!("{name}, {method}: published {theirs}, and here {ours}")
        })
    })
}

/// The report.
#[must_use]
pub(super) fn report(
    experiment: &Experiment,
    plan: &CountPlan,
    results: &Results,
    machine: &Machine,
) -> Report {
    let mut lines = vec![row([
        "tours",
        "method",
        "projected on",
        "answered",
        "median",
        "range",
        "exactly on this set",
        "within 1 + ε",
        "wall s",
        "published",
        "in",
    ])];
    let rows = Row::all(plan, results);
    lines.extend(rows.iter().map(Row::cells));
    let mut text = front(experiment, &plan.heading, machine);
    let _ = write!(
        text,
        "\nEvery run is a process of its own, with {} unless a row says otherwise; random \
         methods are run with {} seeds unless it says which. Closed tours are counted undirected, open ones directed; what a \
         counter finds in both directions is halved. ε is {} and δ is {} unless a row says otherwise. A run that timed out \
         has no answer and took longer than its limit, written as ≥. `projected on` is how many variables the projection \
         set has; `exactly on this set` is what an exact counter would report on it, by enumeration; `within 1 + ε` is how \
         many of the answers are that near to the number of tours.\n\n{}",
        said(&plan.limits),
        plan.seeds.len(),
        Approxmc::default().epsilon,
        Approxmc::default().delta,
        table(lines, 2)
    );
    let readings: Vec<_> = rows.iter().filter_map(Row::reading).collect();
    if !readings.is_empty() {
        text += "\n## What was published, and what came out here\n\n";
        for reading in readings {
            let _ = writeln!(text, "- {reading}");
        }
    }
    let mut all = Vec::new();
    for question in &plan.questions {
        let entries = question.counts.iter();
        let records: Vec<_> = entries.flat_map(|entry| results.of(&entry.jobs)).collect();
        for fault in faults(question, &records) {
            let _ = write!(text, "\n**{fault}.**\n");
            all.push(fault);
        }
    }
    all.extend(rows.iter().flat_map(differing));
    Report { text, faults: all }
}
