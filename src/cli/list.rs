//! `hamcnf list`: lists tours one at a time, without storing them, or random tours.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hamcnf::budget::{Budget, Stopped};
use hamcnf::count::extensions::Extensions;
use hamcnf::count::frontier::walk::Walk;
use hamcnf::count::not_counted::Cause;
use hamcnf::count::random_below;
use hamcnf::count::symmetric::SymmetricTours;
use hamcnf::json::{self, JsonRecord, JsonTour};
use hamcnf::limits::Limits;
use hamcnf::method::{CountSymmetric, Method, Zdd};
use hamcnf::question::{Question, Tours};
use hamcnf::record::Status;
use hamcnf::run::{Details, Settings};
use hamcnf::{Instance, Named, Tour, TourKind};
use num_bigint::BigUint;

use super::ask::{LATE, Loaded, Unloaded, ask};
use super::exit::{DONE, NO_TOUR, UNKNOWN};
use super::instance::{QuestionArgs, tours_between, undirected};
use super::interrupt::{Hold, limit};
use super::limits::{Memory, TimeLimits};
use super::listing::{End, Form, Listing, Row};
use super::number::{natural, whole};
use super::output::{JsonAnswer, JsonOutput};
use super::progress::Progress;
use super::verbosity::note;
use super::{complain, drawing, output, queens, typed};

/// Print tours one at a time
///
/// Memory use does not grow with the number of tours. A closed tour is listed once for both directions, an open tour
/// once for each direction. Every printed tour has been checked move by move.
///
/// The order is fixed. Edges are numbered in the order in which a sweep over the vertices reaches them. Of two tours, the
/// tour that lacks the lowest-numbered edge in which they differ comes first. Ranks count from 0. With --heading, a text
/// begins with a line # that names the question. --from-rank and --random need the decision diagram of all tours, which
/// must fit into memory: 6x8 takes a second, 7x8 takes a minute and 3 GB. Without them, no diagram is built. A graph
/// that is too wide for a sweep has another order, without ranks for --from-rank. With --symmetry, the order is that of
/// the count, whose states must fit into memory. Placements of queens come from a decision diagram of all of them.
///
/// Exit codes: 20 there is no tour, 3 a limit was reached, or the graph is too wide.
#[derive(clap::Args)]
#[command(
    alias = "enumerate",
    after_help = "Examples:
  hamcnf list 6x6                                all 9862 closed tours, one per line, as lists of squares
  hamcnf list 8x8 --limit 5                      the first five
  hamcnf list 6x6 --from-rank 9000 --limit 10    ten tours, from rank 9000 on
  hamcnf list 6x6 --random 3 --seed 7            random tours, each with the same probability
  hamcnf list 6x6 --random 9 --render nine.svg   a sheet of nine
  hamcnf list 5x5 --open --from a1 --format csv
  hamcnf list 6x6 --json | head -n 3 | jq -c .tour
  hamcnf list 6x6 --force a1-c2 -o tours.txt.gz
  hamcnf list 8x8 --symmetry 180 --limit 9       symmetric tours
  hamcnf list '8 queens' --render all.svg        all placements of eight queens on one sheet"
)]
pub(crate) struct Args {
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    listing: Listing,
    /// Rank of the first tour, from 0 [default: 0]
    #[arg(long, aliases = ["skip", "offset"], value_name = "RANK", value_parser = natural)]
    from_rank: Option<BigUint>,
    /// Print N random tours, each with the same probability; a tour may occur more than once
    #[arg(long, value_name = "N", conflicts_with_all = ["limit", "from_rank"], value_parser = whole(1..=u32::MAX))]
    random: Option<u32>,
    /// Random seed of --random [default: 1]
    #[arg(long, requires = "random", value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
    #[command(flatten)]
    times: TimeLimits,
    #[command(flatten)]
    memory: Memory,
    /// With --json, add the graph's edges to each object, as details.graph
    #[arg(long)]
    edges: bool,
}

impl Args {
    /// Rejects options that contradict each other.
    fn check(&self) -> anyhow::Result<()> {
        if self.edges && self.listing.form() != Form::Json {
            bail!("--edges adds edges to objects in JSON: add --json");
        }
        if self.listing.form() == Form::Squares {
            bail!("the format \"squares\" is for placements of queens: for tours, use the format \"text\"");
        }
        if self.listing.drawing.is_given() && self.listing.limit.is_none() && self.random.is_none() {
            bail!("--render draws all tours of the list on one sheet: add --limit N or --random N");
        }
        Ok(())
    }

    /// True if the tours are found by their ranks, in a diagram or in the states of a count.
    fn is_by_rank(&self) -> bool {
        self.random.is_some() || self.from_rank.as_ref().is_some_and(|rank| *rank != BigUint::ZERO)
    }
}

/// Iterator over tours. If a limit ends it, the last item is the reason.
type Listed<'a> = Box<dyn Iterator<Item = Result<Tour, Stopped>> + 'a>;

/// Number of symmetric tours that are found together, which takes about as long as the count.
const BATCH: usize = 1 << 14;

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    if let Some(queens) = args.question.queens() {
        const OPTIONS: &str = "time-limit cpu-limit memory-limit limit output format json render numbers plain";
        typed::only(queens, "list", OPTIONS)?;
        args.listing.writable(Some(queens))?;
        args.times.watch();
        let limits = Limits { memory: args.memory.limit(), ..args.times.limits() };
        return queens::list(queens, &args.listing, limits);
    }
    args.listing.writable(None)?;
    args.times.watch();
    let files = Arc::default();
    let loaded = args.question.options.load_within(args.times.wall(), args.question.spec()?, &files)?;
    let (asked, began) = match loaded {
        Loaded::Question(asked, began) => (*asked, began),
        Loaded::Nothing(Unloaded { name, empty: Some(why), .. }) => {
            complain(&format!("{name}: no tours: {why}"));
            return Ok(NO_TOUR);
        }
        Loaded::Nothing(Unloaded { name, .. }) => {
            complain(&format!("{name}: no answer within the time limit: {LATE}"));
            return Ok(UNKNOWN);
        }
    };
    let instance = asked.instance();
    if args.listing.heading && instance.squares().is_none() {
        bail!("--heading names a board, but {} is a graph: remove --heading", instance.name());
    }
    args.check()?;
    let hold = Hold::new();
    let budget =
        Budget::new(args.times.limits().deadline(began), hold.stop().clone()).with_memory(Some(args.memory.bytes()));
    let rank = args.from_rank.clone().unwrap_or_default();
    let most = args.listing.limit.as_ref().and_then(|most| most.try_into().ok());
    args.listing.drawing.announce(instance, args.random.map(u64::from).or(most).unwrap_or(1));
    let ranks = Ranks::default();
    let mut list =
        Lister { args, asked: &asked, budget, rank, ranks, is_ranked: true, record: None, drawn: Vec::new() };
    let is_none = asked.obstruction();
    // Symmetric tours are listed without a change of the graph.
    if instance.symmetry().is_none() && is_none.is_none() {
        undirected(&asked, "lists")?;
    }
    let (listed, end) = if instance.is_trivial() || is_none.is_some() {
        let only = Tour::check(instance, vec![instance.start()]).ok();
        let only = only.filter(|_| instance.kind() == TourKind::Open && is_none.is_none());
        if only.is_some() && list.rank != BigUint::ZERO {
            bail!("{}", list.beyond(&BigUint::from(1_u8)));
        }
        let times = args.random.unwrap_or(1) as usize;
        list.ranks = Ranks { count: u8::from(only.is_some()).into(), drawn: vec![BigUint::ZERO; times] };
        list.print(&mut only.into_iter().flat_map(|only| std::iter::repeat_n(Ok(only), times)))?
    } else if instance.symmetry().is_some() || args.is_by_rank() {
        match list.by_number(began)? {
            Some(listed) => listed,
            None => return Ok(UNKNOWN),
        }
    } else {
        list.by_walk()?
    };
    drop(hold);
    if !list.drawn.is_empty() {
        args.listing.drawing.write_sheet(&list.drawn)?;
    }
    let why = is_none.map(|found| format!(": {found}"));
    Ok(list.summary(listed, end, &why.unwrap_or_default()))
}

/// Requested list, with the data for printing it.
struct Lister<'a> {
    args: &'a Args,
    asked: &'a Tours,
    budget: Budget,
    /// Rank of the first tour.
    rank: BigUint,
    /// Ranks of random tours.
    ranks: Ranks,
    /// True if the tours are listed in the order of their ranks.
    is_ranked: bool,
    /// Record of the run that found the tours by their ranks.
    record: Option<JsonRecord>,
    /// Tours to draw, each with an instance that starts at its first vertex.
    drawn: Vec<(Instance, Tour)>,
}

/// Random ranks below the number of all tours.
#[derive(Default)]
struct Ranks {
    count: BigUint,
    drawn: Vec<BigUint>,
}

impl Lister<'_> {
    /// Describes tours of the question. `one` is true if there is only one tour.
    fn what(&self, one: bool) -> String {
        tours_between(self.asked.instance(), self.asked.ends(), one)
    }

    /// Reports how many tours were listed, and what ended the list. `why` is the reason why there is no tour, if it is
    /// known without a list. Returns the exit code.
    fn summary(&self, listed: u64, end: End, why: &str) -> u8 {
        let (name, rank) = (self.asked.instance().name_with_constraints(), &self.rank);
        let is_random = self.args.random.is_some();
        match end {
            End::Complete if listed == 0 => {
                complain(&format!("{name}: no {}{why}", self.what(false)));
                NO_TOUR
            }
            End::Complete if is_random => {
                let count = &self.ranks.count;
                let what = self.what(*count == BigUint::from(1_u8));
                note(&format!("{name}: {listed} of the {count} {what}, drawn at random"));
                DONE
            }
            End::Complete if *rank == BigUint::ZERO => {
                note(&format!("{name}: {listed} {}; the list is complete", self.what(listed == 1)));
                DONE
            }
            End::Complete | End::Enough => DONE,
            End::Limit(why) => {
                let next = rank + listed;
                let before = match (listed, *rank == BigUint::ZERO) {
                    (0, _) => String::new(),
                    (_, true) => "; all tours before it are listed".to_owned(),
                    (_, false) => format!("; the tours from rank {rank} to it are listed"),
                };
                let place = match (self.is_ranked, listed) {
                    _ if is_random => format!("after {listed} random tours"),
                    (false, _) => format!("after {listed} {}", self.what(listed == 1)),
                    (true, 0) => format!("before the tour of rank {next}{before}"),
                    (true, _) => format!(
                        "before the tour of rank {next}{before}; to continue from it, add --from-rank {next}, which needs memory for a diagram of all tours"
                    ),
                };
                let by = match why {
                    Stopped::Time | Stopped::CpuTime | Stopped::Cancelled => limit(),
                    other => other.as_str(),
                };
                complain(&format!("{name}: stopped by the {by} {place}"));
                UNKNOWN
            }
        }
    }

    /// Lists the tours from the first on by a walk.
    fn by_walk(&mut self) -> anyhow::Result<(u64, End)> {
        let name = self.asked.instance().name();
        let progress = Progress::new(format_args!("{name}: looking for the first tour"));
        let changed = undirected(self.asked, "lists")?;
        let (instance, ends) = (changed.instance(), changed.ends());
        let walk: Listed<'_> = match Walk::new(instance, ends, &self.budget) {
            Ok(walk) => Box::new(walk),
            Err(error) if error.cause == Cause::TooWide => {
                self.is_ranked = false;
                Box::new(Extensions::new(instance, ends, self.budget.clone())?)
            }
            Err(_) => return Ok((0, End::Limit(Stopped::Time))),
        };
        let mut walk = walk.peekable();
        walk.peek();
        drop(progress);
        let mut wrong = None;
        let mut tours = walk.map_while(|tour| match tour.map(|tour| changed.directed_tour(tour)) {
            Ok(Ok(tour)) => Some(Ok(tour)),
            Ok(Err(error)) => {
                wrong = Some(error);
                None
            }
            Err(why) => Some(Err(why)),
        });
        let listed = self.print(&mut tours)?;
        match wrong {
            Some(error) => Err(error).context("a tour of the changed graph is no tour"),
            None => Ok(listed),
        }
    }

    /// Lists the tours from a rank on, from the decision diagram of all tours, or from the states of the count of
    /// symmetric tours. Returns `None` after a message if there is no diagram.
    fn by_number(&mut self, began: Instant) -> anyhow::Result<Option<(u64, End)>> {
        let (args, asked) = (self.args, self.asked);
        let instance = asked.instance();
        let name = instance.name_with_constraints();
        let (method, activity): (Method, _) = match instance.symmetry() {
            Some(_) => (CountSymmetric::InMemory.into(), "counting symmetric tours"),
            None => (Zdd.into(), "building the diagram of all tours"),
        };
        let settings = Settings {
            memory: Some(args.memory.bytes()),
            limits: args.times.limits(),
            seed: args.seed.unwrap_or(1),
            ..Settings::default()
        };
        let question = Question::from(asked.clone());
        let answered = ask(&question, &method, settings, began, (&name, activity), &mut |_| ());
        let mut object = JsonRecord::new(&question, &answered);
        object.record.status = Status::Tour;
        self.record = Some(object);
        let message = &answered.message;
        let count = answered.whole().cloned().unwrap_or_default();
        let ranks = args.random.map(|random| {
            let mut seeded = ChaCha8Rng::seed_from_u64(args.seed.unwrap_or(1));
            (0..random).map_while(|_| random_below(&count, &mut seeded)).collect::<Vec<_>>()
        });
        if let Some(drawn) = ranks.clone() {
            self.ranks = Ranks { count: count.clone(), drawn };
        }
        match &answered.details {
            Some(Details::Diagram(_) | Details::Symmetric(_)) if self.rank >= count => {
                if count == BigUint::ZERO {
                    return Ok(Some((0, End::Complete)));
                }
                bail!("{}", self.beyond(&count))
            }
            Some(Details::Diagram(diagram)) => {
                let changed = undirected(asked, "lists")?;
                let tours: Box<dyn Iterator<Item = Tour>> = match &ranks {
                    Some(ranks) => Box::new(ranks.iter().filter_map(|rank| diagram.tour(rank))),
                    None => Box::new(diagram.tours_from(&self.rank)),
                };
                let mut tours = tours.map(|tour| {
                    let tour = changed.directed_tour(tour);
                    Ok(tour.expect("tours of the changed graph correspond to tours"))
                });
                self.print(&mut tours).map(Some)
            }
            Some(Details::Symmetric(tours)) => {
                let most =
                    args.listing.limit.as_ref().map_or(BATCH, |most| usize::try_from(most).unwrap_or(BATCH).min(BATCH));
                let tours: Box<dyn Iterator<Item = Tour>> = match &ranks {
                    Some(ranks) => Box::new(tours.tours(ranks).into_iter()),
                    None => Box::new(symmetric(tours, self.rank.clone(), &count, most.max(1))),
                };
                self.print(&mut tours.map(Ok)).map(Some)
            }
            Some(Details::TooWide) => {
                complain(&format!("{name}: {message}; try instead: `hamcnf solve --number N`"));
                Ok(None)
            }
            _ => match answered.status {
                Status::Stopped | Status::Timeout => Ok(Some((0, End::Limit(Stopped::Time)))),
                Status::Memout => {
                    let instead = match instance.symmetry() {
                        None => "without --from-rank and --random, the list needs no diagram",
                        Some(_) => {
                            "use a higher --memory-limit, or `hamcnf solve --number N`, which finds some of the tours"
                        }
                    };
                    complain(&format!("{name}: {message}; {instead}"));
                    Ok(None)
                }
                _ => bail!("{message}"),
            },
        }
    }

    /// Returns the error message for a first rank that is not below the number of tours.
    fn beyond(&self, count: &BigUint) -> String {
        let (name, rank) = (self.asked.instance().name_with_constraints(), &self.rank);
        let tours = self.what(*count == BigUint::from(1_u32));
        format!("no tour has rank {rank}: {name} has {count} {tours}, and ranks count from 0")
    }

    /// Prints tours, and keeps those to draw.
    fn print(&mut self, tours: &mut dyn Iterator<Item = Result<Tour, Stopped>>) -> anyhow::Result<(u64, End)> {
        let (args, budget, asked) = (self.args, self.budget.clone(), self.asked);
        args.listing.write(&budget, Some(asked), tours, &mut |out, k, tour| self.write(out, k, &tour))
    }

    /// Writes a tour, the k-th of the list from 0.
    fn write(&mut self, out: &mut dyn Write, k: u64, tour: &Tour) -> io::Result<()> {
        let (args, instance) = (self.args, self.asked.instance());
        let rank = match self.ranks.drawn.get(usize::try_from(k).unwrap_or(usize::MAX)) {
            Some(rank) => Some(rank.to_string()),
            None => self.is_ranked.then(|| (&self.rank + k).to_string()),
        };
        // Open tours may begin anywhere, so each tour gets an instance that starts at its first vertex.
        let first = tour.order().first();
        let from = || first.and_then(|&first| instance.starting_at(first).ok()).unwrap_or_else(|| instance.clone());
        if args.listing.drawing.is_given() {
            self.drawn.push((from(), tour.clone()));
        }
        match args.listing.form() {
            Form::Board => {
                let board = drawing::in_terminal(instance, tour);
                writeln!(out, "{}", drawing::coloured(board, args.listing.output.as_deref()))
            }
            Form::Text | Form::Squares => writeln!(out, "{}", tour.names(instance)),
            Form::Csv => output::csv_row(out, &Row { rank: rank.as_deref(), tour: tour.names(instance) }, k == 0),
            Form::Json => {
                let with_tour = |object: JsonTour| {
                    let object = object.with_tour(&from(), tour).with("rank", rank);
                    if args.edges { object.with_graph(instance) } else { object }
                };
                match &self.record {
                    Some(JsonRecord { record, tour }) => {
                        output::json(out, &JsonRecord { record: record.clone(), tour: with_tour(tour.clone()) })
                    }
                    None => {
                        let tour = with_tour(json::without_tour(self.asked));
                        output::json(out, &JsonOutput::new(JsonAnswer::new(self.asked, Status::Tour, tour)))
                    }
                }
            }
        }
    }
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
