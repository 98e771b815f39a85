//! Questions about placements of queens, such as `8 queens`, in the commands `solve`, `count`, `list`, `encode` and
//! `decode`. The commands refuse options that they support for tours only.

use std::io::{self, BufWriter, Write};
use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use hamcnf::answer::{self, Answer};
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::{Bdd, Method, Place, counter_seed};
use hamcnf::question::Question;
use hamcnf::record::{Record, Status};
use hamcnf::render::file::PlacementRecord;
use hamcnf::run::{Event, Observer, Settings, Share, Wanted};
use hamcnf::{AtMostOne, Clauses, Named, Placement, Queens, QueensFormula};
use serde_json::json;

use super::ask::{Known, Shown, ask};
use super::exit::{DONE, NO_TOUR, TOUR, UNKNOWN};
use super::formula::{Counted, Heading, Smaller};
use super::interrupt::{Hold, limit};
use super::output::{self, Made};
use super::progress::Progress;
use super::verbosity::{is_quiet, note};
use super::{Command, complain, count, decode, drawing, encode, input, list, solve};

/// Options of each command that apply to placements.
pub(super) const OPTIONS: [(&str, &[&str]); 5] = [
    ("solve", &["at_most_one", "time_limit", "seed", "phases", "json", "dimacs", "render", "numbers", "plain"]),
    (
        "count",
        &[
            "method",
            "time_limit",
            "memory_limit",
            "threads",
            "at_most_one",
            "seed",
            "epsilon",
            "delta",
            "offline",
            "json",
        ],
    ),
    ("list", &["time_limit", "memory_limit", "limit", "output", "format", "json", "render", "numbers", "plain"]),
    ("encode", &["at_most_one", "output", "varnames", "project", "projection_format"]),
    ("decode", &["at_most_one", "file", "json", "render", "numbers", "plain"]),
];

/// Runs a command of the program if its question is about placements of queens. `matches` are the program's arguments.
pub(super) fn run(
    command: &Command,
    program: &clap::Command,
    matches: &ArgMatches,
) -> Option<anyhow::Result<ExitCode>> {
    let asked = match command {
        Command::Solve(args) => args.question.queens(),
        Command::Count(args) => args.question.queens(),
        Command::List(args) => args.question.queens(),
        Command::Encode(args) => args.question.queens(),
        Command::Decode(args) => args.question.queens(),
        _ => None,
    };
    let queens = asked?;
    let (name, matches) = matches.subcommand()?;
    let options = program.find_subcommand(name)?.get_arguments();
    Some(applicable(queens, name, options, matches).and_then(|()| match command {
        Command::Solve(args) => solve(queens, args),
        Command::Count(args) => count(queens, args),
        Command::List(args) => list(queens, args),
        Command::Encode(args) => encode(queens, args),
        Command::Decode(args) => decode(queens, args.variant.at_most_one.unwrap_or_default(), args),
        _ => bail!(
            "\"{queens}\" asks for placements of queens: use `hamcnf solve`, `count`, `list`, `encode` or `decode`"
        ),
    }))
}

/// Rejects options that do not apply to placements.
fn applicable<'a>(
    queens: &Queens,
    command: &str,
    mut options: impl Iterator<Item = &'a Arg>,
    matches: &ArgMatches,
) -> anyhow::Result<()> {
    let known = OPTIONS.iter().find(|(name, _)| *name == command).map_or(&[][..], |(_, options)| options);
    let is_for_tours = |option: &&Arg| {
        let id = option.get_id().as_str();
        let is_typed = matches.value_source(id) == Some(ValueSource::CommandLine);
        is_typed && !option.is_global_set() && !option.is_positional() && !known.contains(&id)
    };
    match options.find(is_for_tours).and_then(Arg::get_long) {
        Some(name) => {
            bail!(
                "`hamcnf {command}` does not support --{name} for placements, but \"{queens}\" asks for them: remove --{name}"
            )
        }
        None => Ok(()),
    }
}

/// Finds a placement with CaDiCaL.
fn solve(queens: &Queens, args: &solve::Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    args.drawing.check_queens()?;
    let (at_most_one, solving) = (args.variant.at_most_one.unwrap_or_default(), &args.solving);
    let method = Method::from(Place { at_most_one, phases: solving.phases() });
    let settings = Settings {
        seed: solving.seed.into(),
        limits: Limits { wall: solving.time_limit.map(Duration::from_secs_f64), ..Limits::default() },
        ..Settings::default()
    };
    let question = Question::Queens(queens.clone());
    let progress = Progress::new(format_args!("solving {queens}"));
    let answered = ask(&question, &method, settings, began, &mut |_| (), |_| ());
    drop(progress);
    let record = &answered;
    let (code, answer) = match (record.status, &answered.model) {
        (Status::Tour, Some(model)) => (TOUR, Answer::Satisfiable(model.clone())),
        (Status::NoTour, _) => (NO_TOUR, Answer::Unsatisfiable),
        (Status::Timeout | Status::Stopped, _) => (UNKNOWN, Answer::Unknown),
        _ => bail!("{}", record.message),
    };
    let placement = placed(queens, at_most_one, &answer)?;
    output::print(|out| {
        if solving.json {
            let object = JsonRecord::new(&question, &answered);
            let placement = placement.as_ref().map(|placement| PlacementRecord::new(queens, placement));
            return output::json(out, &object.with("placement", json!(placement)));
        }
        if solving.dimacs {
            let variables = record.variables.and_then(|n| n.try_into().ok());
            return answer::write(out, &answer, variables.unwrap_or(0));
        }
        match (&placement, code) {
            (Some(placement), _) => write_placed(out, queens, placement)?,
            (None, NO_TOUR) => writeln!(out, "{queens}: there is no placement\n")?,
            (None, _) => writeln!(out, "{queens}: no answer within the time limit\n")?,
        }
        match is_quiet() {
            true => Ok(()),
            false => writeln!(out, "{}", said(record, at_most_one)),
        }
    })?;
    args.drawing.write_placements(queens, placement.as_slice())?;
    Ok(ExitCode::from(code))
}

/// Returns the placement of a model; `None` for other answers.
fn placed(queens: &Queens, at_most_one: AtMostOne, answer: &Answer) -> anyhow::Result<Option<Placement>> {
    Ok(match answer {
        Answer::Satisfiable(model) => Some(QueensFormula::new(queens, at_most_one).placement(model)?),
        Answer::Unsatisfiable | Answer::Unknown => None,
    })
}

/// Prints a placement.
fn write_placed(out: &mut dyn Write, queens: &Queens, placement: &Placement) -> io::Result<()> {
    writeln!(out, "{queens}: a placement, checked pair by pair\n")?;
    writeln!(out, "{}", drawing::queens_in_terminal(queens, placement))
}

/// Describes a run in two lines: size of the formula, times, and number of conflicts.
fn said(record: &Record, at_most_one: AtMostOne) -> String {
    let cpu = record.cpu_seconds.unwrap_or(0.0);
    let encode = record.encode_seconds.unwrap_or(cpu);
    let solve = record.solve_seconds.unwrap_or(cpu - encode);
    let wall = record.wall_seconds.unwrap_or(0.0);
    let size = match (record.variables, record.clauses) {
        (Some(variables), Some(clauses)) => format!("{variables} variables, {clauses} clauses"),
        _ => "not all clauses generated".to_owned(),
    };
    let conflicts = match record.statistics.get::<u64>("conflicts") {
        Some(conflicts) => format!("{conflicts} conflicts"),
        None => "number of conflicts unknown, because the solver did not stop in time".to_owned(),
    };
    format!(
        "at-most-one {at_most_one}: {size}\n{encode:.3} s CPU to encode, {solve:.3} s to solve, {wall:.3} s wall: {conflicts}"
    )
}

/// Counts the placements. Rotations and mirror images count as different placements.
fn count(queens: &Queens, args: &count::Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let mut method = args.method.clone().unwrap_or_else(|| Bdd.into());
    let approximation = &args.approximation;
    for (setting, value) in [("epsilon", approximation.epsilon_text()), ("delta", approximation.delta_text())] {
        let Some(value) = value else { continue };
        if !method.has_setting(setting) {
            bail!("--{setting} needs --method approxmc, but the method is \"{}\"", method.name());
        }
        method = method.with_setting(setting, &value)?;
    }
    // A decision diagram has no clauses, so --at-most-one does not affect it.
    if let Some(at_most_one) = args.variant.at_most_one.filter(|_| method.has_setting("at-most-one")) {
        method = method.with_setting("at-most-one", at_most_one.as_str())?;
    }
    let mut settings = Settings {
        seed: args.seed(),
        limits: Limits {
            wall: args.time_limit.map(Duration::from_secs_f64),
            memory: args.memory.limit(),
            ..Limits::default()
        },
        memory: args.memory.limit(),
        threads: args.threads.and_then(NonZero::new),
        ..Settings::default()
    };
    if let Some(engine) = method.engine() {
        counter_seed(args.seed())?;
        args.network.set_up(std::iter::once(engine))?;
    }
    let hold = Hold::new();
    settings.stop = hold.stop().clone();
    let question = Question::Queens(queens.clone());
    let name = queens.to_string();
    let progress = Progress::new(format_args!("{name}: counting with {method}"));
    let mut shown = Shown::new(&progress, name);
    let mut show = |known: &Known| shown.show(known);
    let heard = |event: Event<'_>| {
        if let Event::Remark(remark) = event {
            note(remark);
        }
    };
    let answered = ask(&question, &method, settings, began, &mut show, heard);
    drop(hold);
    drop(progress);
    let (record, seconds) = (&answered, began.elapsed().as_secs_f64());
    let stopped = match record.status {
        Status::Refused | Status::Failed => bail!("{}", record.message),
        Status::Memout => Some(format!("{}; try instead: {}", record.message, method.advice(&question, record.status))),
        Status::Count | Status::Estimate | Status::AtLeast => None,
        Status::Stopped => return Ok(ExitCode::from(UNKNOWN)),
        _ => Some(record.message.clone()),
    };
    match (&stopped, args.json) {
        (Some(why), false) => complain(&format!("{queens}: {why}")),
        (_, true) => {
            let object = JsonRecord::new(&question, &answered);
            output::print(|out| output::json(out, &object))?;
        }
        (None, false) => output::print(|out| {
            let about = match record.status {
                Status::AtLeast => "at least ",
                Status::Estimate => "about ",
                _ => "",
            };
            let count = record.whole().map_or_else(String::new, ToString::to_string);
            let placements = if count == "1" { "placement" } else { "placements" };
            let how = how(&question, record);
            writeln!(out, "{queens}: {about}{count} {placements} ({how}, {seconds:.1} s)")
        })?,
    }
    Ok(ExitCode::from(if record.status.is_answer() { DONE } else { UNKNOWN }))
}

/// Returns a sentence about the method of the count.
fn how(question: &Question, record: &Record) -> String {
    let metric = |name| record.statistics.get::<u64>(name);
    if let (Some(nodes), Some(most)) = (metric("nodes"), metric("peak_nodes")) {
        return format!("a decision diagram of {nodes} nodes, at most {most} while it was built");
    }
    if let Some(squares) = metric("projected_variables") {
        let settings = record.asked.method.chosen(question, record.asked.seed);
        let settings = settings.iter().map(|(name, value)| format!(", {name} {value}"));
        let settings: String = settings.collect();
        let seed = match record.status {
            Status::Estimate => format!(", seed {}", record.asked.seed),
            _ => String::new(),
        };
        return format!("{} on {squares} squares{settings}{seed}", record.made.solver);
    }
    match record.status {
        Status::Count => "each found and checked".to_owned(),
        _ => format!("found and checked before the {}", limit()),
    }
}

/// Maximum number of placements that are found but not yet written to the file.
const AHEAD: usize = 1024;

/// Message from the worker thread.
enum Message {
    At(Option<Share>, String),
    Placed(Placement),
}

/// Lists the placements in lexicographic order, from the decision diagram of all of them: for each column, the row of its
/// queen, numbered from 0.
fn list(queens: &Queens, args: &list::Args) -> anyhow::Result<ExitCode> {
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    args.drawing.check_queens()?;
    let most = args.limit.as_ref().map_or(u64::MAX, |most| u64::try_from(most).unwrap_or(u64::MAX));
    let wanted = match u32::try_from(most).map(NonZero::new) {
        Ok(Some(some)) => Wanted::Several(some),
        Ok(None) => Wanted::One,
        Err(_) => Wanted::All,
    };
    let (told, events) = mpsc::sync_channel(AHEAD);
    let limits =
        Limits { wall: args.time_limit.map(Duration::from_secs_f64), memory: args.memory.limit(), ..Limits::default() };
    let mut settings = Settings { limits, memory: args.memory.limit(), wanted, ..Settings::default() };
    let stop = settings.stop.clone();
    settings.observer = Observer::new(move |event| {
        let sent = match event {
            Event::At(share, text) => told.send(Message::At(share, text.to_owned())),
            Event::Placed(placement) => told.send(Message::Placed(placement.clone())),
            _ => Ok(()),
        };
        // The receiver is gone, so the work is cancelled.
        if sent.is_err() {
            stop.set();
        }
    });
    let question = Question::Queens(queens.clone());
    let asked = question.clone();
    let worker = thread::spawn(move || Method::from(Bdd).answer(&asked, &settings));
    let answered = || worker.join().unwrap_or_else(|panic| resume_unwind(panic));
    let progress = Progress::new(format_args!("{queens}: building the decision diagram"));
    let mut events = events.into_iter();
    let first = events.find_map(|told| match told {
        Message::Placed(placement) => Some(placement),
        Message::At(share, text) => {
            progress.show_share(share, None, format_args!("{queens}: {text}"));
            None
        }
    });
    drop(progress);
    let Some(first) = first else {
        let answered = answered();
        let record = &answered;
        return match record.status {
            Status::Count => {
                write_list(queens, args, None, iter::empty())?;
                complain(&format!("{queens}: there is no placement"));
                Ok(ExitCode::from(NO_TOUR))
            }
            Status::Memout | Status::Timeout => {
                complain(&format!(
                    "{queens}: {}; to find one placement in little memory, use `hamcnf solve '{queens}'`",
                    record.message
                ));
                Ok(ExitCode::from(UNKNOWN))
            }
            _ => bail!("{}", record.message),
        };
    };
    let others = events.filter_map(|told| match told {
        Message::Placed(placement) => Some(placement),
        Message::At(..) => None,
    });
    let all = iter::once(first).chain(others);
    let all = all.take(usize::try_from(most).unwrap_or(usize::MAX));
    let (listed, answered) = match args.form() {
        // The record of a run is known only at the end of the run.
        list::Form::Json => {
            let placements: Vec<_> = all.collect();
            let answered = answered();
            (write_list(queens, args, Some((&question, &answered)), placements.into_iter())?, answered)
        }
        _ => (write_list(queens, args, None, all)?, answered()),
    };
    if listed < most && !answered.complete {
        complain(&format!("{queens}: stopped by the {} before all placements were listed", limit()));
        return Ok(ExitCode::from(UNKNOWN));
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes and draws the placements. Returns their number. `run` is the run that found them, for objects in JSON.
fn write_list(
    queens: &Queens,
    args: &list::Args,
    run: Option<(&Question, &Record)>,
    placements: impl Iterator<Item = Placement>,
) -> anyhow::Result<u64> {
    let object = run.map(|(question, answered)| JsonRecord::new(question, answered));
    let mut drawn: Vec<Placement> = Vec::new();
    let mut listed = 0;
    output::to(args.output.as_deref(), |out| {
        let mut out = BufWriter::new(out);
        for placement in placements {
            match (args.form(), &object) {
                (list::Form::Json, Some(object)) => {
                    let placement = PlacementRecord::new(queens, &placement);
                    output::json(&mut out, &object.clone().with("placement", json!(placement)))?;
                }
                (list::Form::Board, _) => {
                    let board = drawing::queens_in_terminal(queens, &placement);
                    writeln!(out, "{}", drawing::coloured(board, args.output.as_deref()))?;
                }
                (list::Form::Csv, _) => {
                    let (rank, tour) = (listed.to_string(), placement.to_string());
                    output::csv_row(&mut out, &list::Row { rank: Some(&rank), tour }, listed == 0)?;
                }
                (list::Form::Squares, _) => {
                    let squares = placement.squares(queens).into_iter();
                    let names: Vec<_> = squares.map(|v| queens.board().square_name(v)).collect();
                    writeln!(out, "{}", names.join(" "))?;
                }
                _ => writeln!(out, "{placement}")?,
            }
            listed += 1;
            if args.drawing.is_given() {
                drawn.push(placement);
            }
        }
        Ok(out.flush()?)
    })?;
    args.drawing.write_placements(queens, &drawn)?;
    Ok(listed)
}

/// Text of a formula's encoding before that of its at-most-one constraints.
pub(super) const AT_MOST_ONE: &str = "at-most-one=";

/// Writes the formula. Variable N*i + j + 1 is true if a queen is in row i and column j; rows and columns are numbered from
/// 0.
fn encode(queens: &Queens, args: &encode::Args) -> anyhow::Result<ExitCode> {
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    let at_most_one = args.encoded.variant.at_most_one.unwrap_or_default();
    let formula = QueensFormula::new(queens, at_most_one);
    let squares: Vec<_> = formula.squares().collect();
    let projection = args.project.is_on_squares()?.then_some((args.projection_format, squares.as_slice()));
    let n = queens.n();
    let comments = [
        format!("hamcnf {}", env!("CARGO_PKG_VERSION")),
        format!("question {queens}"),
        format!("encoding {AT_MOST_ONE}{at_most_one}"),
        format!("variable {n}*i + j + 1: a queen in row i and column j, from 0"),
    ];
    let counted = Counted::new(&formula, queens.to_string());
    counted.announce(|| with_a_ladder(queens, at_most_one));
    let heading = Heading { comments: &comments, projection, names: args.varnames };
    output::to(args.output.as_deref(), |out| {
        counted.write(&heading, out)?;
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Recommends the ladder encoding, whose number of clauses is linear in the number of squares; `None` if it is already
/// in use.
fn with_a_ladder(queens: &Queens, at_most_one: AtMostOne) -> Option<Smaller> {
    let ladder = AtMostOne::Ladder;
    (at_most_one != ladder).then(|| Smaller {
        options: format!("--at-most-one {ladder}"),
        clauses: QueensFormula::new(queens, ladder).tally().total().clauses,
    })
}

/// Turns another solver's answer into a placement. The number of queens and the encoding of the at-most-one constraints must
/// be those of the formula.
pub(super) fn decode(queens: &Queens, at_most_one: AtMostOne, args: &decode::Args) -> anyhow::Result<ExitCode> {
    args.drawing.check_queens()?;
    let name = input::name(&args.file);
    let progress = input::progress(&args.file, queens);
    let cannot = || format!("cannot decode {name}");
    let formula = QueensFormula::new(queens, at_most_one);
    let input = input::open(&args.file).with_context(cannot)?;
    let answer = answer::read(input, formula.n_vars(), formula.squares()).with_context(cannot)?;
    let none = || format!("the model in {name} is not a placement of {queens}");
    let placement = placed(queens, at_most_one, &answer).with_context(none)?;
    let (status, code) = match answer {
        Answer::Satisfiable(_) => ("placement", TOUR),
        Answer::Unsatisfiable => ("no-placement", NO_TOUR),
        Answer::Unknown => ("unknown", UNKNOWN),
    };
    drop(progress);
    output::print(|out| {
        if args.json {
            let placement = placement.as_ref().map(|placement| PlacementRecord::new(queens, placement));
            let mut object = json!(placement);
            object["status"] = status.into();
            return output::json(out, &Made::here(object));
        }
        match (&placement, code) {
            (Some(placement), _) => write_placed(out, queens, placement),
            (None, NO_TOUR) => writeln!(out, "{queens}: the solver reports that there is no placement"),
            (None, _) => writeln!(out, "{queens}: the solver gives no answer"),
        }
    })?;
    args.drawing.write_placements(queens, placement.as_slice())?;
    Ok(ExitCode::from(code))
}
