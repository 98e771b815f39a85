//! The report of a race: for each solver how many questions it answered, PAR2 and the geometric mean, how many within how many
//! seconds, and the time for each question; those measured elsewhere stand beside, marked.
//!
//! What the figures are is said in [standing](super::standing). A cactus plot has, for each solver, its times in
//! increasing order: how many it answers within so many seconds.

use std::fmt::Write;

use hamcnf_encodings::{Graph, Instance};

use super::compare;
use super::median::seconds;
use super::standing::{Run, Standing};
use super::{Report, Results, front, row, said, table};
use crate::harness::experiment::Experiment;
use crate::harness::plan::decision::Expect;
use crate::harness::plan::race::RacePlan;
use hamcnf_engines::ends::Ends;
use hamcnf_methods::machine::Machine;
use hamcnf_methods::question::Question;
use hamcnf_methods::record::{Record, Status};

/// What a question is called in tables: of a file its name, without the folder.
fn short(question: &Question) -> String {
    let text = question.to_string();
    match question {
        Question::Tours(tours) if tours.source().text().is_some() => {
            text.rsplit('/').next().unwrap_or_default().to_owned()
        }
        _ => text,
    }
}

/// The report.
#[must_use]
pub(super) fn report(
    experiment: &Experiment,
    plan: &RacePlan,
    results: &Results,
    machine: &Machine,
) -> Report {
    let limit = plan.limits.cpu.or(plan.limits.wall);
    let limit = limit.map_or(f64::INFINITY, |limit| limit.as_secs_f64());
    let mut entries: Vec<Standing> = Vec::new();
    for method in &plan.methods {
        let run = |question| {
            let record = results.get(&plan.job(question, method).key());
            record.map_or(Run::Absent, Run::of)
        };
        entries.push(Standing {
            name: method.to_string(),
            runs: plan.questions.iter().map(run).collect(),
        });
    }
    for (k, solver) in plan
        .times
        .iter()
        .flat_map(|times| times.solvers.iter().enumerate())
    {
        let time = |question: &Question| {
            let times = plan.times.as_ref()?;
            let name = question.to_string();
            let times = match question {
                Question::Tours(tours) if tours.ends() == Ends::Closed => times.of(&name)?,
                // By its whole name: behind the graph's stands what it is asked for.
                _ => times.exactly(&name)?,
            };
            times.get(k).copied().flatten()
        };
        entries.push(Standing {
            name: format!("{solver} \\*"),
            runs: plan
                .questions
                .iter()
                .map(|q| Run::elsewhere(time(q), limit))
                .collect(),
        });
    }
    let mut text = front(experiment, &plan.heading, machine);
    let _ = write!(
        text,
        "\nEvery question is asked once of every solver, in a process of its own with {}. Seconds are {}. PAR2 is the mean time, where a question without an answer counts as twice {} s; the \
         geometric mean counts it as that limit, and less than a millisecond as one. Other \
         programs are not asked, `refused`, what they are not made for. Every tour was checked move by move.\n",
        said(&plan.limits),
        match plan.limits.cpu {
            Some(_) => "CPU seconds of that process and all that it started",
            None => "those of its work on the wall",
        },
        seconds(limit),
    );
    if let Some(times) = &plan.times {
        let _ = write!(
            text,
            "\nSolvers with a star were measured elsewhere, on another machine and perhaps under another limit: their times are \
             those of {}, and what took longer than the limit here counts as not answered. Where it has no time the solver \
             was not asked.\n",
            times.file.file_name().unwrap_or_default().to_string_lossy(),
        );
    }
    text += "\n";
    text += &summary(&entries);
    text += "\n## Answers within so many seconds\n\n";
    text += &within(&entries, limit);
    text += "\nAll times in increasing order, which a cactus plot draws:\n\n";
    for entry in &entries {
        let times: Vec<_> = entry
            .times()
            .iter()
            .map(|time| format!("{time:.3}"))
            .collect();
        let times = if times.is_empty() {
            "none".to_owned()
        } else {
            times.join(" ")
        };
        let _ = writeln!(text, "- {}: {times}", entry.name);
    }
    text += "\n## Each question\n\n";
    text += &each(plan, &entries, results);
    Report {
        text,
        faults: faults(plan, results),
    }
}

fn summary(entries: &[Standing]) -> String {
    let mut lines = vec![row(["solver", "answered", "PAR2", "geometric mean s"])];
    for entry in entries {
        let answered = format!("{}/{}", entry.times().len(), entry.asked());
        let figures = [entry.par2(), entry.geometric_mean(0.001)];
        let [par2, mean] = figures.map(|figure| figure.map_or(String::new(), seconds));
        lines.push(row([&entry.name, &answered, &par2, &mean]));
    }
    table(lines, 1)
}

fn within(entries: &[Standing], limit: f64) -> String {
    let steps = [
        0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0,
    ];
    let mut steps: Vec<f64> = steps.into_iter().filter(|step| *step < limit).collect();
    steps.extend(Some(limit).filter(|limit| limit.is_finite()));
    let heading = steps.iter().map(|step| format!("{step} s"));
    let mut lines = vec![
        std::iter::once("solver".to_owned())
            .chain(heading)
            .collect::<Vec<_>>(),
    ];
    for entry in entries {
        let numbers = steps.iter().map(|step| entry.within(*step).to_string());
        lines.push(std::iter::once(entry.name.clone()).chain(numbers).collect());
    }
    table(lines, 1)
}

fn each(plan: &RacePlan, entries: &[Standing], results: &Results) -> String {
    let names = entries.iter().map(|entry| entry.name.clone());
    let first = ["question", "vertices", "edges", "answer"].map(str::to_owned);
    let mut lines = vec![first.into_iter().chain(names).collect::<Vec<_>>()];
    for (k, question) in plan.questions.iter().enumerate() {
        let graph = question.instance().map(Instance::graph);
        let sizes = [graph.map(Graph::n_vertices), graph.map(Graph::n_edges)];
        let records = records(plan, question, results);
        let answer = records.iter().find(|record| record.status.is_answer());
        let mut line = vec![short(question)];
        line.extend(sizes.map(|size| size.map_or(String::new(), |size| size.to_string())));
        line.push(answer.map_or("unknown".to_owned(), |record| record.said()));
        line.extend(entries.iter().map(|entry| entry.runs[k].cell()));
        lines.push(line);
    }
    table(lines, 1)
}

fn records<'r>(plan: &RacePlan, question: &Question, results: &'r Results) -> Vec<&'r Record> {
    let jobs: Vec<_> = plan
        .methods
        .iter()
        .map(|method| plan.job(question, method))
        .collect();
    results.of(&jobs)
}

/// Runs that failed, answers that contradict each other, and those that are not what was expected.
fn faults(plan: &RacePlan, results: &Results) -> Vec<String> {
    let mut faults = Vec::new();
    for question in &plan.questions {
        let records = records(plan, question, results);
        faults.extend(compare::faults(question, &records));
        let unexpected = match plan.expect {
            Some(Expect::Tour) => Some(Status::NoTour),
            Some(Expect::NoTour) => Some(Status::Tour),
            None => None,
        };
        let unexpected = records
            .iter()
            .filter(|record| Some(record.status) == unexpected);
        faults.extend(unexpected.map(|record| {
            let (method, said) = (&record.method, record.said());
            format!("{question}, {method}: {said}, which is not what was expected")
        }));
    }
    faults
}
