//! Report of an experiment in Markdown: a comparison of the methods, all runs, and a comparison of the results with
//! expected answers, published figures and claims.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;

use super::cells::{self, Cell};
use super::data::{Data, Source};
use super::grouped::grouped;
use super::markdown::limits_in_words;
use super::measure::Measure;
use super::published::{Judged, judge};
use super::tables::Table;
use super::{claims, tables};
use crate::experiment::{Experiment, Plan, is_unexpected, unexpected};
use crate::harness::job::Job;
use hamcnf_methods::machine::Machine;
use hamcnf_methods::method::{Histogram, Method};
use hamcnf_methods::record::Record;
use hamcnf_questions::GraphRead;

/// Maximum number of graphs whose sizes a report lists. Also the maximum number of questions about which a report on
/// one method needs no table of totals.
const MOST_LISTED: usize = 12;

/// Text of a report in Markdown, and the errors that it found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    pub text: String,
    /// Failed runs, contradictions, wrong answers and published figures that were not reproduced, one line each.
    pub faults: Vec<String>,
}

/// Makes the report of an experiment from its rows, in the order of the jobs and without duplicates.
pub fn summary(experiment: &Experiment, rows: &[Record], machine: &Machine) -> Summary {
    let plan = &experiment.plan;
    let jobs: Vec<&Job> = plan.all_jobs().collect();
    let expected = plan.expected();
    let cells = cells::cells(rows, |record| is_unexpected(record, &expected));
    let judged = judge_all(plan, &cells);
    let source = Source {
        file: experiment.file.clone(),
        name: experiment.name.clone(),
        title: Some(plan.title.clone()),
        machine: Some(machine.clone()),
        n_rows: rows.len(),
        ..Source::default()
    };
    let data = Data::of(source, rows.to_vec(), plan.times.clone());
    let mut text = front(experiment, machine);
    text += &conditions(plan, &jobs);

    let methods = common_methods(plan);
    let is_ranking = match methods {
        Some(methods) if methods.len() > 1 => plan.questions.len() > 1,
        Some(_) => plan.questions.len() > MOST_LISTED,
        None => false,
    };
    let measure = Measure::default();
    let columns = data.columns(&measure);
    if is_ranking || plan.times.is_some() {
        for table in [tables::methods(&columns, &measure), tables::within(&columns, &measure)] {
            text.extend(table.map(|table| format!("\n{}", table.markdown())));
        }
    }
    if is_ranking {
        text += &unsolved(&cells);
    }
    text += "\n";
    text += &match methods.filter(|_| has_one_run_a_cell(plan)) {
        Some(_) => {
            let table = tables::questions(&data, &columns, &measure);
            table.map_or_else(String::new, |table| table.markdown())
        }
        None => runs(&cells, &judged),
    };
    text += &remarks(&cells);
    text += &histograms(rows);

    let mut faults = unexpected(rows, &expected);
    faults.extend(tables::faults(&data));
    for fault in &faults {
        let _ = write!(text, "\n**{fault}**\n");
    }
    text += &published(plan, &cells, &judged);
    for (cell, judged) in judged.iter().filter(|(_, judged)| judged.differs()) {
        let Cell { question, method, .. } = &cells[*cell];
        let what = match judged.text.as_str() {
            "" => format!("published {}", judged.cell),
            text => text.to_owned(),
        };
        faults.push(format!("{question}, {method}: differs from the published result: {what}"));
    }
    Summary { text, faults }
}

/// Returns the section of histograms: a table for each question, with a row for each value and a column for each
/// statistic. Empty if no run counted the tours by a statistic.
fn histograms(rows: &[Record]) -> String {
    let all = rows.iter().filter_map(|record| {
        let statistic = record.asked.method.kind::<Histogram>()?.of.to_string();
        let values = record.statistics.iter();
        let values = values.filter_map(|(name, tours)| Some((name.strip_prefix(TOURS)?.parse().ok()?, tours)));
        Some((&record.asked.question, statistic, values.collect::<BTreeMap<u32, &str>>()))
    });
    let all: Vec<_> = all.collect();
    let mut text = String::new();
    for same in all.chunk_by(|(a, ..), (b, ..)| a == b) {
        let (question, ..) = same[0];
        let statistics = same.iter().map(|(_, statistic, _)| statistic.clone());
        let heads = std::iter::once("value".to_owned()).chain(statistics);
        let values: BTreeSet<u32> = same.iter().flat_map(|(.., values)| values.keys().copied()).collect();
        let lines = values.into_iter().map(|value| {
            let tours = same.iter().map(|(.., values)| values.get(&value).copied().unwrap_or_default().to_owned());
            std::iter::once(value.to_string()).chain(tours).collect()
        });
        let (heading, note) = (format!("Histograms of {question}"), "Number of tours with each value.");
        let _ = write!(text, "\n{}", Table::new(heading, note, heads, 0, lines.collect()).markdown());
    }
    text
}

/// Prefix of the metrics of a histogram: `tours.4` is the number of tours with the value 4.
const TOURS: &str = "tours.";

/// Returns the methods of the experiment; `None` if questions have different methods, or if a method does not decide
/// whether a tour exists.
fn common_methods(plan: &Plan) -> Option<&Vec<Method>> {
    let mut lists = plan.questions.iter().map(|asked| &asked.methods);
    let first = lists.next()?;
    (lists.all(|list| list == first) && first.iter().all(Method::decides)).then_some(first)
}

fn has_one_run_a_cell(plan: &Plan) -> bool {
    plan.questions.iter().all(|asked| asked.jobs.len() == asked.methods.len() && asked.published.is_empty())
        && plan.questions.len() > 1
        && plan.questions.iter().any(|asked| asked.methods.len() > 1)
}

/// Returns the beginning of the report: the title, the introduction, and the machine and build that made the rows.
fn front(experiment: &Experiment, machine: &Machine) -> String {
    let Plan { title, about, .. } = &experiment.plan;
    let Machine { date, load, hamcnf, commit, solver, graphs, others, .. } = machine;
    let load = load.map_or(String::new(), |load| format!(", load {load} at the start"));
    let file = experiment.file.display();
    let name = &experiment.name;
    let about = about.trim();
    let machine = machine.said();
    let graph = |graph: &GraphRead| {
        let GraphRead { file, vertices, edges, .. } = graph;
        let checksum = graph.checksum();
        format!("{file} has {vertices} vertices and {edges} edges (CRC-32 {checksum})")
    };
    let graphs = match graphs.len() {
        0 => String::new(),
        n if n > MOST_LISTED => {
            format!("\nThe sizes and checksums of the {n} graphs are in [{name}.machine.json]({name}.machine.json).\n")
        }
        _ => {
            let graphs: Vec<_> = graphs.iter().map(graph).collect();
            format!("\n{}.\n", graphs.join("; "))
        }
    };
    let others = match others.iter().map(Machine::said).collect::<Vec<_>>() {
        others if others.is_empty() => String::new(),
        others => format!(
            "\nThe rows come from {} machines, whose times should not be compared; the other machines are: {}.\n",
            others.len() + 1,
            others.join(" | ")
        ),
    };
    format!(
        "# {title}\n\n{about}\n\n\
         Made by `hamcnf run {file}`; the raw rows are in [{name}.csv]({name}.csv). \
         hamcnf {hamcnf} (commit {commit}), {solver}; {machine}; {date}{load}.\n{others}{graphs}"
    )
}

/// Describes the conditions of the runs, such as their limits and seeds. Returns an empty text if only sizes were
/// measured.
fn conditions(plan: &Plan, jobs: &[&Job]) -> String {
    if jobs.iter().all(|job| job.method.is_size()) {
        return String::new();
    }
    let mut sentences = vec![format!(
        "Every run is a separate process, with {}{}.",
        limits_in_words(&plan.limits),
        if jobs.iter().all(|job| job.limits == plan.limits) { "" } else { " unless the table says otherwise" }
    )];
    let seeds: HashSet<u64> = jobs.iter().map(|job| job.seed).collect();
    let medians = "Figures of several runs are medians. The time of a run that reached a limit is a lower bound; a median that depends on such runs is a lower bound too, marked with ≥.";
    let shuffled = "Every seed except 0 shuffles the vertices, and with them the variables and clauses of an encoding.";
    let counts = "A closed tour counts once for both directions, an open tour once for each direction; a count of closed tours in both directions is halved.";
    for (applies, sentence) in [
        (jobs.len() > 1 && seeds.len() > 1, medians),
        (plan.relabel, shuffled),
        (jobs.iter().any(|job| job.method.is_count()), counts),
        (jobs.iter().any(|job| job.method.decides()), "Every tour was checked move by move."),
    ] {
        sentences.extend(applies.then(|| sentence.to_owned()));
    }
    if let Some(times) = &plan.times {
        sentences.push(format!(
            "Solvers with a star were measured elsewhere, on another machine and perhaps with another limit. Their times come from {}; a time above the limit here counts as unsolved.",
            times.file.file_name().unwrap_or_default().to_string_lossy()
        ));
    }
    format!("\n{}\n", sentences.join(" "))
}

/// Names the questions that no run solved. Returns an empty text if all were solved.
fn unsolved(cells: &[Cell<'_>]) -> String {
    let questions = grouped(cells.iter().map(|cell| (cell.question, cell)));
    let is_solved = |cell: &&Cell<'_>| cell.all.iter().any(|row| row.status.is_answer());
    let left = questions.iter().filter(|(_, cells)| !cells.iter().any(is_solved));
    let left: Vec<&str> = left.map(|(question, _)| *question).collect();
    match left.len() {
        0 => String::new(),
        n => format!("\nNot solved, {n} of {}: {}.\n", questions.len(), left.join(", ")),
    }
}

/// Compares all published figures with the runs. Returns each comparison with the index of its cell.
fn judge_all(plan: &Plan, cells: &[Cell<'_>]) -> Vec<(usize, Judged)> {
    let mut judged = Vec::new();
    for asked in &plan.questions {
        let question = asked.question.to_string();
        for published in &asked.published {
            let of = |cell: &Cell<'_>| cell.question == question && cell.method == published.method;
            if let Some(number) = cells.iter().position(of) {
                judged.push((number, judge(published, &cells[number])));
            }
        }
    }
    judged
}

/// Returns the table of all runs. Published figures without a statement (`says`) are shown in two additional columns.
fn runs(cells: &[Cell<'_>], judged: &[(usize, Judged)]) -> String {
    let mut columns = [vec![String::new(); cells.len()], vec![String::new(); cells.len()]];
    for (cell, judged) in judged.iter().filter(|(_, judged)| !judged.cell.is_empty()) {
        columns[0][*cell].clone_from(&judged.cell);
        judged.verdict().clone_into(&mut columns[1][*cell]);
    }
    let [figures, verdicts] = columns;
    let more = [("published", figures), ("same", verdicts)];
    cells::table(cells, cells::ALL, &more).markdown()
}

/// Lists unsolved runs that ended before their time limit, because the medians do not show them.
fn remarks(cells: &[Cell<'_>]) -> String {
    let ends: Vec<_> = cells.iter().filter_map(Cell::other_ends).collect();
    let mut text = String::new();
    if !ends.is_empty() && cells.iter().any(|cell| cell.all.len() > 1) {
        text += "\nSome unsolved runs ended before their time limit; the time that they used is a lower bound too:\n\n";
        for end in ends {
            let _ = writeln!(text, "- {end}");
        }
    }
    text
}

/// Summarizes how published figures and claims compare with the results.
fn published(plan: &Plan, cells: &[Cell<'_>], judged: &[(usize, Judged)]) -> String {
    let mut text = String::new();
    let compared: usize = judged.iter().map(|(_, judged)| judged.compared).sum();
    let same: usize = judged.iter().map(|(_, judged)| judged.same).sum();
    if compared > 0 {
        let _ = write!(text, "\nOf {compared} published numbers, {same} came out the same.\n");
    }
    let sentences = judged.iter().map(|(_, judged)| judged.text.clone());
    let sentences = sentences.filter(|sentence| !sentence.is_empty());
    let claims = plan.claims.iter().map(|claim| claims::judge(claim, cells));
    let sentences: Vec<_> = sentences.chain(claims).collect();
    if !sentences.is_empty() {
        text += "\n## Published results, compared with these runs\n\n";
        for sentence in sentences {
            let _ = writeln!(text, "- {sentence}");
        }
    }
    text
}
