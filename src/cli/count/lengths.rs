//! Counts on boards of several lengths, such as `8x5..32`. Prints one table for all boards, or a row or a JSON object
//! for each board. If the method can count several boards together, it does so.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::time::Instant;

use anyhow::{anyhow, bail};
use hamcnf::machine::peak_rss_kib;
use hamcnf::question::{Files, Question, QuestionSpec};
use hamcnf::record::{Record, Status};
use hamcnf::run::Settings;

use super::answer::CountAnswer;
use super::options::suitable_method;
use super::task::Task;
use super::{Args, settings};
use crate::cli::ask::ask_several;
use crate::cli::exit::{BAD_INPUT, DONE, UNKNOWN};
use crate::cli::interrupt;
use crate::cli::output::{self, Borders, Format};
use crate::cli::progress::aside;
use crate::cli::several::{Questions, only_for_one};
use crate::cli::typed;
use crate::cli::verbosity::note;

/// Maximum number of boards that a message lists by name.
const MOST_NAMES: usize = 12;

/// Counts the tours of each board. Prints the results in order: each one as soon as it and all results before it are
/// known.
pub(super) fn run(args: &Args, questions: Questions, files: &Files) -> anyhow::Result<u8> {
    only_for_one(&FOR_ONE)?;
    rows(args, questions, files)
}

/// Prints the row of one graph.
pub(super) fn one(args: &Args, spec: QuestionSpec, files: &Files) -> anyhow::Result<u8> {
    if let Some(option) = typed::first(&FOR_ONE) {
        bail!("{option} has no --format csv or markdown: remove one of them");
    }
    rows(args, Box::new(std::iter::once(Ok(spec))), files)
}

/// Options for one graph in other formats.
const FOR_ONE: [&str; 5] = ["--dot", "--list", "--certificate", "--by-start", "--histogram"];

fn rows(args: &Args, questions: Questions, files: &Files) -> anyhow::Result<u8> {
    let is_table = matches!(args.format.or_json(args.json), Format::Table | Format::Markdown);
    if args.project.is_some() && is_table {
        bail!("--project has no table of boards: use --format csv or --json");
    }
    let began = Instant::now();
    let most_kib = peak_rss_kib().saturating_add(args.memory.bytes() >> 10);
    let (mut tasks, mut has_bad) = (Vec::new(), false);
    for spec in questions {
        let spec = spec?;
        if args.times.wall().is_some_and(|most| began.elapsed() > most) {
            note(&format!(
                "the time limit was reached before the boards from {spec} on were generated; use a shorter range"
            ));
            return Ok(UNKNOWN);
        }
        // The boards of a long range may take more memory than their counts.
        if peak_rss_kib() > most_kib {
            note(&format!(
                "the boards of the range need more than the memory limit before {spec}; use a shorter range"
            ));
            return Ok(UNKNOWN);
        }
        let asked = args.question.options.load(spec, files).map_err(|error| args.bad.hinted(error));
        let Some(asked) = args.bad.unless_bad(asked)? else {
            has_bad = true;
            continue;
        };
        let method = suitable_method(args, &asked)?;
        if method.engine().is_some() {
            bail!("--method {method} counts one board at a time: name a single board");
        }
        tasks.push(Task { args, question: Question::from(asked), method, began });
    }
    let (Some(first), Some(last)) = (tasks.first(), tasks.last()) else {
        bail!("the range has no boards");
    };
    let (name, method) = (format!("{} to {}", first.name(), last.name()), last.method.clone());
    if args.format == Format::Csv && args.directed {
        bail!(
            "--directed does not apply to --format csv, whose rows count a closed tour once: use --json, which has \"directed_value\""
        );
    }
    if let Some(file) = &args.checkpoint {
        interrupt::has_checkpoint(file);
    }
    let settings = Settings { limits: last.limits(), ..settings(args, &method) };
    let questions: Vec<_> = tasks.iter().map(|task| task.question.clone()).collect();
    if args.shares_checkpoint() && tasks.len() > 1 {
        let together = method.answered_together(&questions, &settings);
        let together: BTreeSet<_> = together.into_iter().map(|(k, _)| k).collect();
        let alone = (0..).zip(&tasks).find(|(k, _)| !together.contains(k));
        if let Some((_, task)) = alone {
            bail!(
                "{} is counted alone, so --checkpoint must be an existing folder, in which each board has a file of its own",
                task.full_name()
            );
        }
    }
    let format = args.format.or_json(args.json);
    let mut known: BTreeMap<usize, Record> = BTreeMap::new();
    let mut printed = 0;
    let mut print = |at: usize, answered: Record| {
        known.insert(at, answered);
        while let Some(answered) = known.get(&printed)
            && matches!(format, Format::Csv | Format::Json)
        {
            let (task, is_first) = (&tasks[printed], printed == 0);
            aside(|| {
                output::print(|out| match format {
                    Format::Csv => output::csv_row(out, answered, is_first),
                    _ => output::json(out, &CountAnswer::new(task, answered, None).json()),
                })
            })?;
            printed += 1;
        }
        anyhow::Ok(())
    };
    let about = (&*name, &*format!("counting with {method}"));
    ask_several(&questions, &method, settings, began, about, &mut print)?;
    for (&at, run) in &known {
        if run.status == Status::Failed {
            let error = anyhow!("{}: {}", tasks[at].name(), run.message);
            has_bad |= args.bad.unless_bad::<()>(Err(error))?.is_none();
        }
    }
    if matches!(format, Format::Table | Format::Markdown) {
        output::print(|out| table(&tasks, &known, format, out))?;
    }
    let complete = known.values().all(|run| run.status.is_answer());
    Ok(match (has_bad, complete) {
        (true, _) => BAD_INPUT,
        (false, true) => DONE,
        (false, false) => UNKNOWN,
    })
}

/// Writes a table with a line per board, and the reason for each board that was not counted.
fn table(tasks: &[Task<'_>], known: &BTreeMap<usize, Record>, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let counted = tasks.first().map(|task| task.counted(false, task.args.directed));
    let mut rows = vec![vec!["board".to_owned(), counted.unwrap_or_default(), "known after".to_owned()]];
    let mut unknown: Vec<(String, Vec<String>)> = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let Some(answered) = known.get(&at) else {
            continue;
        };
        let record = answered;
        let seconds = record.wall_seconds.map(|s| format!("{s:.1} s"));
        let value = CountAnswer::new(task, answered, None).value();
        if value.is_none() {
            let why = record.said();
            let board = task.name();
            match unknown.iter_mut().find(|(other, _)| *other == why) {
                Some((_, boards)) => boards.push(board),
                None => unknown.push((why, vec![board])),
            }
        }
        let value = value.unwrap_or_else(|| "not counted".to_owned());
        rows.push(vec![task.name(), value, seconds.unwrap_or_default()]);
    }
    writeln!(out, "{}", output::table(format, Borders::None, rows, 1))?;
    for (why, boards) in unknown {
        let boards = match boards.as_slice() {
            [first, .., last] if boards.len() > MOST_NAMES => {
                format!("{} boards from {first} to {last}", boards.len())
            }
            _ => boards.join(", "),
        };
        writeln!(out, "not counted: {boards}: {why}")?;
    }
    Ok(())
}
