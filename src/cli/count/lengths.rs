//! Counts on boards of several lengths, such as `8x5..32`. Prints one table for all boards, or a row or a JSON object
//! for each board. If the method can count several boards together, it does so.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{anyhow, bail};
use hamcnf::machine::peak_rss_kib;
use hamcnf::question::{Files, Question, QuestionSpec};
use hamcnf::record::{Record, Status};
use hamcnf::run::Event;
use num_bigint::BigUint;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use super::answer::Said;
use super::options::{expressing, method};
use super::task::Task;
use super::{Args, settings};
use crate::cli::ask::{Known, Shown, ask_several};
use crate::cli::exit::{BAD_INPUT, DONE, UNKNOWN};
use crate::cli::interrupt::{self, Hold};
use crate::cli::output::{self, Format};
use crate::cli::progress::{Progress, aside};
use crate::cli::several::{Questions, only_for_one};
use crate::cli::verbosity::note;

/// Maximum number of boards that a message lists by name.
const MOST_NAMES: usize = 12;

/// Counts the tours of each board. Prints the results in order: each one as soon as it and all results before it are
/// known.
pub(super) fn run(args: &Args, questions: Questions, files: &Files) -> anyhow::Result<ExitCode> {
    only_for_one(&for_one(args))?;
    rows(args, questions, files)
}

/// Prints the row of one graph.
pub(super) fn one(args: &Args, spec: QuestionSpec, files: &Files) -> anyhow::Result<ExitCode> {
    if let Some((_, option)) = for_one(args).iter().find(|(is_given, _)| *is_given) {
        bail!("{option} has no --format csv or markdown: remove one of them");
    }
    rows(args, Box::new(std::iter::once(Ok(spec))), files)
}

/// Returns the options for one graph in other formats. The flag of an option is true if the option is given.
fn for_one(args: &Args) -> [(bool, &'static str); 5] {
    [
        (args.dot.is_some(), "--dot"),
        (args.list.is_some(), "--list"),
        (args.certificate.is_some(), "--certificate"),
        (args.by_start, "--by-start"),
        (args.histogram.is_some(), "--histogram"),
    ]
}

fn rows(args: &Args, questions: Questions, files: &Files) -> anyhow::Result<ExitCode> {
    let is_table = matches!(args.format.or_json(args.json), Format::Table | Format::Markdown);
    if args.project.is_some() && is_table {
        bail!("--project has no table of boards: use --format csv or --json");
    }
    let began = Instant::now();
    let most_kib = peak_rss_kib().saturating_add(args.memory.bytes() >> 10);
    let (mut tasks, mut has_bad) = (Vec::new(), false);
    for spec in questions {
        let spec = spec?;
        if args.time_limit.is_some_and(|most| began.elapsed().as_secs_f64() > most) {
            note(&format!(
                "the time limit was reached before the boards from {spec} on were generated; use a shorter range"
            ));
            return Ok(ExitCode::from(UNKNOWN));
        }
        // The boards of a long range may take more memory than their counts.
        if peak_rss_kib() > most_kib {
            note(&format!(
                "the boards of the range need more than the memory limit before {spec}; use a shorter range"
            ));
            return Ok(ExitCode::from(UNKNOWN));
        }
        let asked = args.question.words.ask(spec, files);
        let asked = asked.map_err(|error| args.bad.hinted(error));
        let Some(asked) = args.bad.unless_bad(asked)? else {
            has_bad = true;
            continue;
        };
        let method = method(args, &asked)?;
        expressing(args, &method, &asked)?;
        if method.engine().is_some() {
            bail!("--method {method} counts one board at a time: name a single board");
        }
        if asked.end().is_some() && !method.profile().given_end {
            bail!("--method {method} cannot count tours with a given end: use --method exact");
        }
        tasks.push(Task {
            args,
            instance: asked.instance().clone(),
            ends: asked.ends(),
            question: Question::from(asked),
            method,
            began,
            progress: Progress::none(),
        });
    }
    let (Some(first), Some(last)) = (tasks.first(), tasks.last()) else {
        bail!("the range has no boards");
    };
    let name = format!("{} to {}", first.instance.name(), last.instance.name());
    let method = last.method.clone();
    let progress = Progress::new(format_args!("{name}: counting with {method}"));
    if args.format == Format::Csv && args.directed {
        bail!(
            "--directed does not apply to --format csv, whose rows count a closed tour once: use --json, which has \"directed_value\""
        );
    }
    if let Some(file) = &args.checkpoint {
        interrupt::has_checkpoint(file);
    }
    let hold = Hold::new();
    let mut settings = settings(args, &method);
    settings.limits = last.limits();
    settings.stop = hold.stop().clone();
    let questions: Vec<_> = tasks.iter().map(|task| task.question.clone()).collect();
    if args.shares_checkpoint() && tasks.len() > 1 {
        let together = method.answered_together(&questions, &settings);
        let together: BTreeSet<_> = together.into_iter().map(|(k, _)| k).collect();
        let alone = (0..).zip(&tasks).find(|(k, _)| !together.contains(k));
        if let Some((_, task)) = alone {
            bail!(
                "{} is counted alone, so --checkpoint must be an existing folder, in which each board has a file of its own",
                task.instance.name_with_constraints()
            );
        }
    }
    let instead = method.advice(&last.question, Status::Memout);
    let about = name.clone();
    let heard = move |event: Event<'_>| match event {
        Event::Remark(remark) => note(remark),
        Event::Tight(states) => note(&format!("{about}: {states}; if they do, try {instead}")),
        _ => {}
    };
    let format = args.format.or_json(args.json);
    let mut shown = Shown::new(&progress, name);
    let mut show = |known: &Known| shown.show(known);
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
                    Format::Csv => output::csv_row(out, &answered, is_first),
                    _ => output::json(out, &Said::new(task, answered, None).json()),
                })
            })?;
            printed += 1;
        }
        anyhow::Ok(())
    };
    ask_several(&questions, &method, settings, began, &mut show, heard, &mut print)?;
    drop(progress);
    for (&at, run) in &known {
        if run.status == Status::Failed {
            let error = anyhow!("{}: {}", tasks[at].instance.name(), run.message);
            has_bad |= args.bad.unless_bad::<()>(Err(error))?.is_none();
        }
    }
    if matches!(format, Format::Table | Format::Markdown) {
        output::print(|out| table(&tasks, &known, format, out))?;
    }
    let complete = known.values().all(|run| run.status.is_answer());
    Ok(ExitCode::from(match (has_bad, complete) {
        (true, _) => BAD_INPUT,
        (false, true) => DONE,
        (false, false) => UNKNOWN,
    }))
}

/// Returns the count in the requested form: with closed tours counted once or in both directions. `None` if the count
/// is not known.
fn directed(task: &Task<'_>, answered: &Record) -> Option<String> {
    let record = &answered;
    match record.status {
        Status::Count => {
            let count: BigUint = record.whole().cloned()? * task.directions();
            Some(count.to_string())
        }
        Status::Residue => {
            let residue: BigUint = record.whole().cloned()? * task.directions();
            let modulus = task.modulus()?;
            Some(format!("{} modulo {modulus}", residue % &modulus))
        }
        Status::AtLeast => {
            let bound: BigUint = record.whole().cloned()? * task.directions();
            Some(format!("at least {bound}"))
        }
        Status::Estimate => {
            let estimate = record.number()? * f64::from(task.directions());
            Some(format!("about {estimate:.4e}"))
        }
        _ => None,
    }
}

/// Writes a table with a line per board, and the reason for each board that was not counted.
fn table(tasks: &[Task<'_>], known: &BTreeMap<usize, Record>, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = Builder::new();
    let first = tasks.first();
    let counted = first.map(|task| task.counted(false, task.args.directed));
    let counted = counted.unwrap_or_default();
    rows.push_record(["board", &counted, "known after"]);
    let mut unknown: Vec<(String, Vec<&str>)> = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let Some(answered) = known.get(&at) else {
            continue;
        };
        let record = &answered;
        let seconds = record.wall_seconds.map(|s| format!("{s:.1} s"));
        let value = directed(task, answered);
        if value.is_none() {
            let why = record.said();
            let board = task.instance.name();
            match unknown.iter_mut().find(|(other, _)| *other == why) {
                Some((_, boards)) => boards.push(board),
                None => unknown.push((why, vec![board])),
            }
        }
        let cells = [
            task.instance.name().to_owned(),
            value.unwrap_or_else(|| "not counted".to_owned()),
            seconds.unwrap_or_default(),
        ];
        rows.push_record(cells);
    }
    let mut table = rows.build();
    match format {
        Format::Markdown => table.with(Style::markdown()),
        _ => table.with(Style::blank()),
    };
    table.modify(Columns::new(1..), Alignment::right());
    writeln!(out, "{table}")?;
    for (why, boards) in unknown {
        let boards = match boards[..] {
            [first, .., last] if boards.len() > MOST_NAMES => {
                format!("{} boards from {first} to {last}", boards.len())
            }
            _ => boards.join(", "),
        };
        writeln!(out, "not counted: {boards}: {why}")?;
    }
    Ok(())
}
