//! Questions about placements of queens, such as `8 queens`, in the commands `solve`, `count`, `list`, `encode` and
//! `decode`. The commands refuse options that they support for tours only.

use std::io::{self, Write};
use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail};
use hamcnf::answer;
use hamcnf::budget::Budget;
use hamcnf::json::JsonRecord;
use hamcnf::limits::Limits;
use hamcnf::method::{Bdd, Method, Place};
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::render::file::PlacementRecord;
use hamcnf::run::{Event, Observer, Settings, Share, Wanted};
use hamcnf::{AtMostOne, Clauses, Placement, Queens, QueensFormula};
use serde_json::json;

use super::answer::{Answer, Form};
use super::ask::ask;
use super::exit::{DONE, NO_TOUR, TOUR, UNKNOWN};
use super::formula::{Counted, FormulaFormat, Heading, Smaller};
use super::interrupt::limit;
use super::list::End;
use super::output::{self, JsonOutput};
use super::progress::Progress;
use super::solve::Args;
use super::verbosity::is_quiet;
use super::{complain, decode, drawing, encode, input, list, typed};

/// Rejects options of a command that apply to tours only. `options` are the options for placements, without the
/// dashes.
pub(super) fn check_options(queens: &Queens, command: &str, options: &str) -> anyhow::Result<()> {
    let is_for_tours = |option: &&str| !options.split(' ').any(|known| option.strip_prefix("--") == Some(known));
    match typed::all().find(is_for_tours) {
        Some(option) => bail!(
            "`hamcnf {command}` does not support {option} for placements, but \"{queens}\" asks for them: remove {option}"
        ),
        None => Ok(()),
    }
}

/// Finds a placement with CaDiCaL.
pub(super) fn solve(queens: &Queens, args: &Args) -> anyhow::Result<u8> {
    check_options(queens, "solve", "at-most-one time-limit cpu-limit seed phases json dimacs render numbers plain")?;
    args.drawing.check_queens()?;
    args.times.watch();
    let (at_most_one, solving) = (args.variant.at_most_one.unwrap_or_default(), &args.solving);
    let method = Method::from(Place { at_most_one, phases: solving.phases() });
    let settings = Settings { seed: solving.seed.into(), limits: args.times.limits(), ..Settings::default() };
    let question = Question::Queens(queens.clone());
    let subject = format!("solving {queens}");
    let answered = ask(&question, &method, settings, Instant::now(), (&subject, ""), &mut |_| ());
    let answer = Answer::new(args, &question, &answered)?;
    let formula = QueensFormula::new(queens, at_most_one);
    let placement = answered.model.as_ref().map(|model| formula.placement(model)).transpose()?;
    output::print(|out| match (args.form(), &placement) {
        (Form::Json, placement) => {
            let placement = placement.as_ref().map(|placement| PlacementRecord::new(queens, placement));
            output::json(out, &answer.object().with("placement", json!(placement)))
        }
        (Form::Dimacs, _) => answer.dimacs(out),
        (Form::Words, placement) => {
            match placement {
                Some(placement) => write_placed(out, queens, placement)?,
                None => answer.without_a_tour(out)?,
            }
            if is_quiet() { Ok(()) } else { answer.statistics(out) }
        }
    })?;
    args.drawing.write_placements(queens, placement.as_slice())?;
    Ok(answer.code())
}

/// Prints a placement.
fn write_placed(out: &mut dyn Write, queens: &Queens, placement: &Placement) -> io::Result<()> {
    writeln!(out, "{queens}: a placement, checked pair by pair\n")?;
    writeln!(out, "{}", drawing::queens_in_terminal(queens, placement))
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
pub(super) fn list(queens: &Queens, args: &list::Args) -> anyhow::Result<u8> {
    check_options(queens, "list", "time-limit cpu-limit memory-limit limit output format json render numbers plain")?;
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    args.drawing.check_queens()?;
    args.times.watch();
    let most = args.limit.as_ref().map_or(u64::MAX, |most| u64::try_from(most).unwrap_or(u64::MAX));
    let wanted = match u32::try_from(most).map(NonZero::new) {
        Ok(Some(some)) => Wanted::Several(some),
        Ok(None) => Wanted::One,
        Err(_) => Wanted::All,
    };
    let (told, events) = mpsc::sync_channel(AHEAD);
    let limits = Limits { memory: args.memory.limit(), ..args.times.limits() };
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
            progress.show_share(share, format_args!("{queens}: {text}"));
            None
        }
    });
    drop(progress);
    let Some(first) = first else {
        let answered = answered();
        let record = &answered;
        return match record.status {
            Status::Count => {
                write_list(queens, args, None, &mut iter::empty())?;
                complain(&format!("{queens}: there is no placement"));
                Ok(NO_TOUR)
            }
            Status::Memout | Status::Timeout => {
                complain(&format!(
                    "{queens}: {}; to find one placement in little memory, use `hamcnf solve '{queens}'`",
                    record.message
                ));
                Ok(UNKNOWN)
            }
            _ => bail!("{}", record.message),
        };
    };
    let others = events.filter_map(|told| match told {
        Message::Placed(placement) => Some(placement),
        Message::At(..) => None,
    });
    let mut all = iter::once(first).chain(others);
    let (end, answered) = match args.form() {
        // The record of a run is known only at the end of the run.
        list::Form::Json => {
            let placements: Vec<_> = all.take(usize::try_from(most).unwrap_or(usize::MAX)).collect();
            let answered = answered();
            let object = JsonRecord::new(&question, &answered);
            (write_list(queens, args, Some(&object), &mut placements.into_iter())?, answered)
        }
        _ => {
            let end = write_list(queens, args, None, &mut all)?;
            drop(all);
            (end, answered())
        }
    };
    if end == End::Complete && !answered.complete {
        complain(&format!("{queens}: stopped by the {} before all placements were listed", limit()));
        return Ok(UNKNOWN);
    }
    Ok(DONE)
}

/// Writes and draws the placements. Returns the event that ended the list. `object` is the record of the run that found them, for JSON.
fn write_list(
    queens: &Queens,
    args: &list::Args,
    object: Option<&JsonRecord>,
    placements: &mut dyn Iterator<Item = Placement>,
) -> anyhow::Result<End> {
    let mut drawn: Vec<Placement> = Vec::new();
    let mut placements = placements.map(Ok);
    let (_, end) = list::write_items(args, &Budget::default(), None, &mut placements, &mut |out, k, placement| {
        match (args.form(), object) {
            (list::Form::Json, Some(object)) => {
                let placement = PlacementRecord::new(queens, &placement);
                output::json(out, &object.clone().with("placement", json!(placement)))?;
            }
            (list::Form::Board, _) => {
                let board = drawing::queens_in_terminal(queens, &placement);
                writeln!(out, "{}", drawing::coloured(board, args.output.as_deref()))?;
            }
            (list::Form::Csv, _) => {
                let (rank, tour) = (k.to_string(), placement.to_string());
                output::csv_row(out, &list::Row { rank: Some(&rank), tour }, k == 0)?;
            }
            (list::Form::Squares, _) => {
                let squares = placement.squares(queens).into_iter();
                let names: Vec<_> = squares.map(|v| queens.board().square_name(v)).collect();
                writeln!(out, "{}", names.join(" "))?;
            }
            _ => writeln!(out, "{placement}")?,
        }
        if args.drawing.is_given() {
            drawn.push(placement);
        }
        Ok(())
    })?;
    args.drawing.write_placements(queens, &drawn)?;
    Ok(end)
}

/// Text of a formula's encoding before that of its at-most-one constraints.
pub(super) const AT_MOST_ONE: &str = "at-most-one=";

/// Writes the formula. Variable N*i + j + 1 is true if a queen is in row i and column j; rows and columns are numbered from
/// 0.
pub(super) fn encode(queens: &Queens, args: &encode::Args) -> anyhow::Result<u8> {
    check_options(queens, "encode", "at-most-one output varnames project projection-format")?;
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    if matches!(args.format(), FormulaFormat::Opb) {
        bail!("placements of queens are written as DIMACS CNF only: name a file that ends in .cnf");
    }
    let at_most_one = args.variant.at_most_one.unwrap_or_default();
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
    Ok(DONE)
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
pub(super) fn decode(queens: &Queens, at_most_one: AtMostOne, args: &decode::Args) -> anyhow::Result<u8> {
    check_options(queens, "decode", "at-most-one json render numbers plain")?;
    args.drawing.check_queens()?;
    let name = input::name(&args.file);
    let progress = input::progress(&args.file, queens);
    let cannot = || format!("cannot decode {name}");
    let formula = QueensFormula::new(queens, at_most_one);
    let input = input::open(&args.file).with_context(cannot)?;
    let answer = answer::read(input, formula.n_vars(), formula.squares()).with_context(cannot)?;
    let none = || format!("the model in {name} is not a placement of {queens}");
    let (status, code, placement) = match answer {
        answer::Answer::Satisfiable(model) => ("placement", TOUR, Some(formula.placement(&model).with_context(none)?)),
        answer::Answer::Unsatisfiable => ("no-placement", NO_TOUR, None),
        answer::Answer::Unknown => ("unknown", UNKNOWN, None),
    };
    drop(progress);
    output::print(|out| {
        if args.json {
            let placement = placement.as_ref().map(|placement| PlacementRecord::new(queens, placement));
            let mut object = json!(placement);
            object["status"] = status.into();
            return output::json(out, &JsonOutput::new(object));
        }
        match (&placement, code) {
            (Some(placement), _) => write_placed(out, queens, placement),
            (None, NO_TOUR) => writeln!(out, "{queens}: the solver reports that there is no placement"),
            (None, _) => writeln!(out, "{queens}: the solver gives no answer"),
        }
    })?;
    args.drawing.write_placements(queens, placement.as_slice())?;
    Ok(code)
}
