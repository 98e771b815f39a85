//! `hamcnf list`: lists tours one at a time, without storing them.

use std::cell::Cell;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::ValueHint;
use hamcnf::budget::{Budget, Stopped};
use hamcnf::count::extensions::Extensions;
use hamcnf::count::frontier;
use hamcnf::count::frontier::walk::{Walk, WalkError};
use hamcnf::count::symmetric::SymmetricTours;
use hamcnf::json::JsonTour;
use hamcnf::limits::Limits;
use hamcnf::method::{CountSymmetric, Method, Zdd};
use hamcnf::question::{Files, Question, Tours};
use hamcnf::record::Status;
use hamcnf::run::{Details, Settings};
use hamcnf::{Instance, Tour, TourKind};
use num_bigint::BigUint;
use serde::Serialize;

use super::ask::{Known, LATE, Loaded, Shown, ask};
use super::deadline::CpuLimit;
use super::exit::{NO_TOUR, UNKNOWN};
use super::instance::{Counted, Memory, seconds, tours_between, undirected};
use super::interrupt::{Hold, limit};
use super::number::natural;
use super::output_file::OutputFile;
use super::progress::Progress;
use super::verbosity::note;
use super::{complain, drawing, output};

/// Print tours one at a time
///
/// Memory use does not grow with the number of tours. A closed tour is listed once for both directions, an open tour
/// once for each direction. Every printed tour has been checked move by move.
///
/// The order is fixed. Edges are numbered in the order in which a sweep over the vertices reaches them. Of two tours, the
/// tour that lacks the lowest-numbered edge in which they differ comes first. Ranks count from 0, and are the same as for
/// `hamcnf sample-tour --rank`. With --heading, a text begins with a line # that names the question.
/// --from-rank needs the decision diagram of all tours, which must fit into memory. Without --from-rank, no
/// diagram is built. A graph that is too wide for a sweep has another order, without ranks for --from-rank. With
/// --symmetry, the order is that of the count, whose states must fit into memory.
///
/// Exit codes: 20 there is no tour, 3 a limit was reached, or the graph is too wide.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf list 6x6                                all 9862 closed tours, one per line, as lists of squares
  hamcnf list 8x8 --limit 5                      the first five
  hamcnf list 6x6 --from-rank 9000 --limit 10    ten tours, from rank 9000 on
  hamcnf list 5x5 --open --from a1 --format csv
  hamcnf list 6x6 --json | head -n 3 | jq -c .tour
  hamcnf list 6x6 --force a1-c2 -o tours.txt.gz
  hamcnf list 8x8 --symmetry 180 --limit 9       symmetric tours")]
pub(crate) struct Args {
    #[command(flatten)]
    counted: Counted,
    /// Maximum number of tours [default: all]
    #[arg(long, short = 'n', value_name = "N", value_parser = natural, allow_negative_numbers = true)]
    limit: Option<BigUint>,
    /// Rank of the first tour, from 0 [default: 0]
    #[arg(long, value_name = "RANK", value_parser = natural, allow_negative_numbers = true)]
    from_rank: Option<BigUint>,
    /// Stop after this wall time: seconds, or a number with a unit such as 500ms, 2m or 1h
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    #[command(flatten)]
    cpu: CpuLimit,
    #[command(flatten)]
    memory: Memory,
    /// Output file, compressed if its name ends in .gz or .zst; - is standard output [default: -]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<OutputFile>,
    /// Output format: names of the vertices, rows with rank and tour, or a JSON object per line
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Begin a text with a line that names the board, the piece and the constraints; for boards
    #[arg(long, conflicts_with_all = ["json", "format"])]
    heading: bool,
    /// Print a JSON object for each tour, readable by `hamcnf show` and `hamcnf check`; same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

/// Form of the list.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Csv,
    Json,
}

/// Row of a list in CSV.
#[derive(Serialize)]
struct Row<'a> {
    /// `None` if the order of the list has no ranks.
    rank: Option<&'a str>,
    tour: String,
}

/// Object that `--json` prints for a tour.
#[derive(Serialize)]
struct Object {
    question: String,
    #[serde(flatten)]
    tour: JsonTour,
}

/// Iterator over tours. If a limit ends it, the last item is the reason.
type Listed<'a> = Box<dyn Iterator<Item = Result<Tour, Stopped>> + 'a>;

/// Maximum time for which a tour stays in the buffer.
const DELAY: Duration = Duration::from_millis(100);

/// Number of symmetric tours that are found together, which takes about as long as the count.
const BATCH: usize = 1 << 14;

/// Event that ended the list.
enum End {
    /// End of the list after all tours.
    Complete,
    /// The requested number of tours has been listed, or the reader of the list has stopped.
    Enough,
    /// A limit or an interrupt.
    Limit,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    args.cpu.watch();
    let counted = args.counted.clone();
    let mut loaded =
        Loaded::within(args.time_limit, args.counted.spec()?, move |spec| counted.asked_of(spec, &Files::default()))?;
    if let Some(why) = &loaded.empty {
        complain(&format!("{}: no tours: {why}", loaded.name));
        return Ok(ExitCode::from(NO_TOUR));
    }
    let Some(asked) = loaded.asked.take() else {
        complain(&format!("{}: no answer within the time limit: {LATE}", loaded.name));
        return Ok(ExitCode::from(UNKNOWN));
    };
    let instance = asked.instance();
    if args.heading && instance.squares().is_none() {
        bail!("--heading names a board, but {} is a graph: remove --heading", instance.name());
    }
    let hold = Hold::new();
    let limits = Limits { wall: args.time_limit.map(Duration::from_secs_f64), ..Limits::default() };
    let deadline = limits.deadline(loaded.began);
    let rank = args.from_rank.clone().unwrap_or_default();
    let what = |one| tours_between(instance, asked.ends(), one);
    let budget = Budget::new(deadline, hold.stop().clone());
    let list = Lister { args, asked: &asked, budget, rank: &rank, is_ranked: Cell::new(true) };
    let is_none = asked.obstruction();
    // Symmetric tours are listed without a change of the graph.
    if instance.symmetry().is_none() && is_none.is_none() {
        undirected(&asked, "lists")?;
    }
    let (listed, end) = if instance.is_trivial() || is_none.is_some() {
        let only = Tour::check(instance, vec![instance.start()]);
        let only = only.ok().filter(|_| instance.kind() == TourKind::Open);
        let only = only.filter(|_| is_none.is_none());
        if only.is_some() && rank != BigUint::ZERO {
            bail!("{}", beyond(&asked, &rank, &BigUint::from(1_u8)));
        }
        list.print(Box::new(only.into_iter().map(Ok)))?
    } else if instance.symmetry().is_some() || rank != BigUint::ZERO {
        match list.by_number(loaded.began, &hold)? {
            Some(listed) => listed,
            None => return Ok(ExitCode::from(UNKNOWN)),
        }
    } else {
        list.by_walk()?
    };
    drop(hold);
    let name = instance.name_with_constraints();
    Ok(match end {
        End::Complete if listed == 0 => {
            let why = is_none.map(|found| format!(": {}", found.said(instance)));
            let (what, why) = (what(false), why.unwrap_or_default());
            complain(&format!("{name}: no {what}{why}"));
            ExitCode::from(NO_TOUR)
        }
        End::Complete if rank == BigUint::ZERO => {
            let what = what(listed == 1);
            note(&format!("{name}: {listed} {what}; the list is complete"));
            ExitCode::SUCCESS
        }
        End::Complete | End::Enough => ExitCode::SUCCESS,
        End::Limit => {
            let limit = limit();
            let next = &rank + listed;
            let before = match (listed, rank == BigUint::ZERO) {
                (0, _) => String::new(),
                (_, true) => "; all tours before it are listed".to_owned(),
                (_, false) => format!("; the tours from rank {rank} to it are listed"),
            };
            let said = match (list.is_ranked.get(), listed) {
                (false, _) => format!("after {listed} {}", what(listed == 1)),
                (true, 0) => format!("before the tour of rank {next}{before}"),
                (true, _) => format!(
                    "before the tour of rank {next}{before}; to continue from it, add --from-rank {next}, which needs memory for a diagram of all tours"
                ),
            };
            complain(&format!("{name}: stopped by the {limit} {said}"));
            ExitCode::from(UNKNOWN)
        }
    })
}

/// Requested list, with the data for printing it.
struct Lister<'a> {
    args: &'a Args,
    asked: &'a Tours,
    budget: Budget,
    /// Rank of the first tour.
    rank: &'a BigUint,
    /// True if the tours are listed in the order of their ranks.
    is_ranked: Cell<bool>,
}

impl Lister<'_> {
    fn instance(&self) -> &Instance {
        self.asked.instance()
    }

    /// Lists the tours from the first on by a walk.
    fn by_walk(&self) -> anyhow::Result<(u64, End)> {
        let name = self.instance().name();
        let progress = Progress::new(format_args!("{name}: looking for the first tour"));
        let changed = undirected(self.asked, "lists")?;
        let options = frontier::Limits {
            memory: self.args.memory.bytes(),
            deadline: self.budget.deadline(),
            stop: self.budget.token().clone(),
        };
        let (instance, ends) = (changed.instance(), changed.ends());
        let walk: Listed<'_> = match Walk::new(instance, ends, &options) {
            Ok(walk) => Box::new(walk),
            Err(WalkError::TooWide(_)) => {
                self.is_ranked.set(false);
                Box::new(Extensions::new(instance, ends, self.budget.clone())?)
            }
            Err(WalkError::Time) => return Ok((0, End::Limit)),
        };
        let mut walk = walk.peekable();
        walk.peek();
        drop(progress);
        let found = |tour: Result<Tour, Stopped>| tour.map(|tour| changed.directed_tour(tour));
        let mut wrong = None;
        let tours = walk.map_while(|tour| match found(tour) {
            Ok(Ok(tour)) => Some(Ok(tour)),
            Ok(Err(error)) => {
                wrong = Some(error);
                None
            }
            Err(why) => Some(Err(why)),
        });
        let listed = self.print(Box::new(tours))?;
        match wrong {
            Some(error) => Err(error).context("a tour of the changed graph is no tour"),
            None => Ok(listed),
        }
    }

    /// Lists the tours from a rank on, from the decision diagram of all tours, or from the states of the count of
    /// symmetric tours. Returns `None` after a message if there is no diagram.
    fn by_number(&self, began: Instant, hold: &Hold) -> anyhow::Result<Option<(u64, End)>> {
        let instance = self.instance();
        let name = instance.name_with_constraints();
        let (method, what): (Method, _) = match instance.symmetry() {
            Some(_) => (CountSymmetric::InMemory.into(), "counting symmetric"),
            None => (Zdd.into(), "building the diagram of all"),
        };
        let progress = Progress::new(format_args!("{name}: {what} tours"));
        let settings = Settings {
            memory: Some(self.args.memory.bytes()),
            limits: Limits {
                wall: self.args.time_limit.map(Duration::from_secs_f64),
                cpu: self.args.cpu.limit(),
                ..Limits::default()
            },
            stop: hold.stop().clone(),
            ..Settings::default()
        };
        let question = Question::Tours(Arc::new(self.asked.clone()));
        let mut shown = Shown::new(&progress, name.to_owned());
        let mut show = |known: &Known| shown.show(known);
        let answered = ask(&question, &method, settings, began, &mut show, |_| ());
        drop(progress);
        let message = &answered.record.message;
        let count = answered.record.whole().cloned().unwrap_or_default();
        match &answered.details {
            Some(Details::Diagram(_) | Details::Symmetric(_)) if *self.rank >= count => {
                if count == BigUint::ZERO {
                    return Ok(Some((0, End::Complete)));
                }
                bail!("{}", beyond(self.asked, self.rank, &count))
            }
            Some(Details::Diagram(diagram)) => {
                let changed = undirected(self.asked, "lists")?;
                let tours = diagram.tours_from(self.rank);
                let tours = tours.map(|tour| {
                    let tour = changed.directed_tour(tour);
                    Ok(tour.expect("tours of the changed graph correspond to tours"))
                });
                self.print(Box::new(tours)).map(Some)
            }
            Some(Details::Symmetric(tours)) => {
                let most =
                    self.args.limit.as_ref().map_or(BATCH, |most| usize::try_from(most).unwrap_or(BATCH).min(BATCH));
                let tours = symmetric(tours, self.rank.clone(), &count, most.max(1));
                self.print(Box::new(tours.map(Ok))).map(Some)
            }
            Some(Details::TooWide) => {
                self.too_wide(message);
                Ok(None)
            }
            _ => match answered.record.status {
                Status::Stopped | Status::Timeout => Ok(Some((0, End::Limit))),
                Status::Memout if instance.symmetry().is_none() => {
                    complain(&format!("{name}: {message}; without --from-rank, the list needs no diagram"));
                    Ok(None)
                }
                Status::Memout => {
                    complain(&format!(
                        "{name}: {message}; use a higher --memory-limit, or `hamcnf solve --number N`, which finds some of the tours"
                    ));
                    Ok(None)
                }
                _ => bail!("{message}"),
            },
        }
    }

    fn too_wide(&self, why: &str) {
        complain(&format!(
            "{}: {why}; try instead: `hamcnf solve --number N`",
            self.instance().name_with_constraints()
        ));
    }

    /// Prints tours until the limit on their number, the end, or another limit. Returns their number, and the event
    /// that ended the list.
    fn print(&self, mut tours: Listed<'_>) -> anyhow::Result<(u64, End)> {
        let (args, instance) = (self.args, self.instance());
        let form = if args.json { Form::Json } else { args.format };
        // The list is complete only if its reader has taken all of it.
        let (mut listed, mut end) = (0, End::Enough);
        output::to(args.output.as_deref(), |out| {
            let mut ended = End::Enough;
            let mut out = BufWriter::new(out);
            if form == Form::Text && args.heading {
                drawing::whole_heading(instance, &mut out)?;
            }
            let mut flushed = Instant::now();
            while args.limit.as_ref().is_none_or(|most| BigUint::from(listed) < *most) {
                if self.budget.over().is_some() {
                    ended = End::Limit;
                    break;
                }
                let tour = match tours.next() {
                    Some(Ok(tour)) => tour,
                    Some(Err(_)) => {
                        ended = End::Limit;
                        break;
                    }
                    None => {
                        ended = End::Complete;
                        break;
                    }
                };
                self.write(form, &mut out, listed, &tour)?;
                listed += 1;
                if flushed.elapsed() >= DELAY {
                    out.flush()?;
                    flushed = Instant::now();
                }
            }
            out.flush()?;
            end = ended;
            Ok(())
        })?;
        Ok((listed, end))
    }

    /// Writes a tour, the k-th of the list from 0.
    fn write(&self, form: Form, out: &mut dyn Write, k: u64, tour: &Tour) -> io::Result<()> {
        let instance = self.instance();
        let rank = self.is_ranked.get().then(|| (self.rank + k).to_string());
        match form {
            Form::Text => writeln!(out, "{}", names(instance, tour)),
            Form::Csv => {
                let tour = names(instance, tour);
                output::csv_row(out, &Row { rank: rank.as_deref(), tour }, k == 0)
            }
            Form::Json => {
                // Open tours may begin anywhere, so each tour gets an instance that starts at its first vertex.
                let from = tour.order().first();
                let from = from.and_then(|&first| instance.starting_at(first).ok());
                let object =
                    JsonTour::of(self.asked).with_tour(from.as_ref().unwrap_or(instance), tour).with("rank", rank);
                let object = Object { question: self.asked.to_string(), tour: object };
                output::json(out, &output::Made::here(object))
            }
        }
    }
}

/// Returns the error message for a rank that is not below the number of tours.
fn beyond(asked: &Tours, rank: &BigUint, count: &BigUint) -> String {
    let (instance, is_one) = (asked.instance(), *count == BigUint::from(1_u32));
    let (name, tours) = (instance.name_with_constraints(), tours_between(instance, asked.ends(), is_one));
    format!("no tour has rank {rank}: {name} has {count} {tours}, and ranks count from 0")
}

/// Returns the symmetric tours from a rank on, found in batches of `size` tours.
fn symmetric(tours: &SymmetricTours, rank: BigUint, count: &BigUint, size: usize) -> impl Iterator<Item = Tour> {
    let mut next = rank;
    std::iter::from_fn(move || {
        let left = if next < *count { count - &next } else { BigUint::ZERO };
        let some = usize::try_from(left).unwrap_or(size).min(size);
        let ranks: Vec<_> = (0..some).map(|k| &next + k).collect();
        next += some;
        (some > 0).then(|| tours.tours(&ranks))
    })
    .flatten()
}

/// Returns the names of a tour's vertices in order.
pub(super) fn names(instance: &Instance, tour: &Tour) -> String {
    let names = tour.order().iter().map(|&v| instance.vertex_name(v));
    names.collect::<Vec<_>>().join(" ")
}
