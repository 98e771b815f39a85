//! The report of a count experiment: a table, and for every published figure in words what came out here.

use std::fmt::Write;

use super::counting::{Record, Status, faults, run};
use super::experiment::Experiment;
use super::machine::Machine;
use super::plan::count::{CountEntry, CountPlan, CountQuestion};
use super::report::{Figure, Median, front, row, seconds, table};

/// The records of one entry.
struct Row<'a> {
    plan: &'a CountPlan,
    question: &'a CountQuestion,
    entry: &'a CountEntry,
    records: Vec<&'a Record>,
    /// How many tours there are, computed exactly.
    tours: Option<f64>,
    /// How many an exact counter would find on the entry's projection set.
    on_set: Option<f64>,
    epsilon: f64,
}

impl<'a> Row<'a> {
    fn all(plan: &'a CountPlan, records: &'a [Record]) -> Vec<Self> {
        let mut rows = Vec::new();
        for question in &plan.questions {
            let of = |entry: &CountEntry| -> Vec<&'a Record> {
                let seeds = plan.seeds_of(entry).iter().copied().map(Some);
                let runs: Vec<_> = seeds
                    .chain([None])
                    .map(|s| run(plan, question, entry, s))
                    .collect();
                let is_of = |record: &&Record| runs.iter().any(|run| run.is_of(record));
                records.iter().filter(is_of).collect()
            };
            let all: Vec<_> = question
                .counts
                .iter()
                .map(|entry| (entry, of(entry)))
                .collect();
            let counted = |(_, records): &(&CountEntry, Vec<&Record>)| {
                records
                    .iter()
                    .find_map(|r| r.count.parse().ok().filter(|_| r.method != "ganak"))
            };
            let tours: Option<f64> = all.iter().find_map(counted);
            for (entry, records) in &all {
                let same_set = |other: &&(&CountEntry, Vec<&Record>)| {
                    let set = |e: &CountEntry| (e.encoded(), e.project.clone());
                    other.0.project.is_some() && set(other.0) == set(entry)
                };
                let exactly = |r: &&Record| r.method == "enumerate";
                let on_set = all.iter().filter(same_set).flat_map(|(_, records)| records);
                rows.push(Row {
                    plan,
                    question,
                    entry,
                    records: records.clone(),
                    tours,
                    on_set: on_set
                        .copied()
                        .filter(exactly)
                        .find_map(Record::on_this_set),
                    epsilon: entry.epsilon.unwrap_or(plan.epsilon),
                });
            }
        }
        rows
    }

    fn answers(&self) -> Vec<f64> {
        let mut answers: Vec<f64> = self.records.iter().filter_map(|r| r.answer()).collect();
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
        let figure = |r: &&Record| match r.status {
            Status::Counted => Figure::Is(r.wall_seconds),
            _ => Figure::Exceeds(r.wall_seconds),
        };
        Median::of(&self.records.iter().map(figure).collect::<Vec<_>>())
    }

    /// How many answers are within the factor 1 + ε of what they should be.
    fn within(&self, truth: f64) -> String {
        let answers = self.answers();
        let factor = 1.0 + self.epsilon;
        let good = answers
            .iter()
            .filter(|&&a| a <= truth * factor && a >= truth / factor);
        format!("{}/{}", good.count(), answers.len())
    }

    /// The method, with what is not as in the other rows.
    fn method(&self) -> String {
        let (entry, plan) = (self.entry, self.plan);
        let other = |own: Option<f64>, all: f64| own.filter(|&own| own != all);
        let seeds = (entry.method.0.is_random() && plan.seeds_of(entry) != plan.seeds)
            .then(|| plan.seeds_of(entry).iter().map(ToString::to_string))
            .map(|seeds| seeds.collect::<Vec<_>>().join(" "));
        let differing = [
            ("", entry.states.map(|states| format!("{states} states"))),
            (
                "ε ",
                other(entry.epsilon, plan.epsilon).map(|e| e.to_string()),
            ),
            ("δ ", other(entry.delta, plan.delta).map(|d| d.to_string())),
            ("seed ", seeds),
            (
                "",
                other(entry.time_limit, plan.time_limit).map(|limit| format!("{limit} s")),
            ),
        ];
        let mut text = entry.method.to_string();
        for (what, value) in differing {
            if let Some(value) = value {
                let _ = write!(text, ", {what}{value}");
            }
        }
        text
    }

    fn what(&self) -> String {
        let mut what = self.method();
        if let Some(encoding) = self.entry.encoded() {
            let _ = write!(what, ", {encoding}");
        }
        if let Some(project) = &self.entry.project {
            let _ = write!(what, " on {project}");
        }
        what
    }

    fn cells(&self) -> Vec<String> {
        let text = |value: Option<String>| value.unwrap_or_default();
        let answered = self.answers().len();
        let (answer, range) = self.answer();
        let is_estimate = self.records.iter().any(|r| r.estimate.is_some());
        let size = self.records.iter().find_map(|r| r.projected_variables);
        vec![
            self.question.name(),
            self.method(),
            text(self.entry.encoded().map(|encoding| encoding.to_string())),
            text(self.entry.project.as_ref().map(ToString::to_string)),
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
            self.question.name(),
            self.what()
        );
        let limit = self.records.first().map_or(0.0, |r| r.time_limit);
        let stopped = self.records.iter().find(|r| r.status == Status::Stopped);
        if let (true, Some(stopped)) = (self.answers().is_empty(), stopped) {
            let _ = write!(text, "no answer: {}.", stopped.stopped);
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

/// The report of a count experiment.
#[must_use]
pub fn counts(
    experiment: &Experiment,
    plan: &CountPlan,
    records: &[Record],
    machine: &Machine,
) -> String {
    let mut lines = vec![row([
        "tours",
        "method",
        "encoding",
        "projection",
        "its variables",
        "answered",
        "median",
        "range",
        "exactly on this set",
        "within 1 + ε",
        "wall s",
        "published",
        "in",
    ])];
    let rows = Row::all(plan, records);
    lines.extend(rows.iter().map(Row::cells));
    let mut text = front(experiment, &plan.title, &plan.about, machine);
    let _ = write!(
        text,
        "\nEvery run is a process of its own, with {} s of wall time unless a row says otherwise; random \
         methods are run with {} seeds unless it says which. Closed tours are counted undirected, open ones directed; what a \
         counter finds in both directions is halved. ε is {}, δ is {}. A run that timed out has no answer and \
         took longer than its limit, written as ≥. `exactly on this set` is what an exact counter would \
         report on the projection set, by enumeration; `within 1 + ε` is how many of the answers are that near to \
         the number of tours.\n\n{}",
        plan.time_limit,
        plan.seeds.len(),
        plan.epsilon,
        plan.delta,
        table(lines, 4)
    );
    let readings: Vec<_> = rows.iter().filter_map(Row::reading).collect();
    if !readings.is_empty() {
        text += "\n## What was published, and what came out here\n\n";
        for reading in readings {
            let _ = writeln!(text, "- {reading}");
        }
    }
    for question in &plan.questions {
        let of_question: Vec<_> = rows
            .iter()
            .filter(|row| std::ptr::eq(row.question, question))
            .collect();
        let records: Vec<_> = of_question
            .iter()
            .flat_map(|row| row.records.clone())
            .collect();
        for fault in faults(question, &records) {
            let _ = write!(text, "\n**{fault}.**\n");
        }
    }
    text
}
