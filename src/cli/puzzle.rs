//! `hamcnf puzzle`: makes puzzles with a unique solution.

use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use clap::ValueHint;
use hamcnf::budget::Budget;
use hamcnf::givens;
use hamcnf::limits::Limits;
use hamcnf::method::{Method, Solve};
use hamcnf::question::{Files, GraphSource, Question, QuestionSpec, StartSpec};
use hamcnf::record::Status;
use hamcnf::relabel::shuffle;
use hamcnf::run::Settings;
use hamcnf::solve::{Phases, defaults};
use hamcnf::{Instance, Puzzle, TourKind, Vertex};

use super::answer::described;
use super::complete;
use super::drawing::{self, Canvas, Drawn, Subject};
use super::exit::{DONE, NO_TOUR, UNKNOWN};
use super::instance::{BoardOptions, Ends, question_spec};
use super::interrupt::Hold;
use super::limits::time;
use super::number::whole;
use super::output;
use super::output_file::{OutputFile, text_file};
use super::progress::Progress;
use super::verbosity::note;

/// Make a puzzle: a board with a few numbers, which determine the whole tour
///
/// Finds a tour, then removes its numbers one by one as long as the solution stays unique, and prints the grid. To
/// solve a puzzle, use `hamcnf solve puzzle:FILE --unique`. Tours are open, and begin at the first square, unless the
/// question says otherwise.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf puzzle 8x8 --seed 7
  hamcnf puzzle king:6x6 --givens 12 -o made.puzzle
  hamcnf puzzle 8x8 --worksheet puzzle.svg --solution solution.svg
  hamcnf puzzle '6x6 closed'
  hamcnf solve made.puzzle --unique      solve it, and look for another solution")]
pub(crate) struct Args {
    /// Board, such as 8x8, 8x8-a1-h8 or king:8x8, or a question about its tours, such as '6x6 closed'
    #[arg(value_name = "BOARD", value_parser = question_spec, add = complete::places())]
    spec: QuestionSpec,
    #[command(flatten)]
    ends: Ends,
    #[command(flatten)]
    board: BoardOptions,
    /// Minimum number of given squares, including the start [default: as few as possible]
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    givens: Option<u32>,
    /// Random seed; another seed gives another puzzle
    #[arg(long, default_value_t = 1, value_parser = whole(0..=u32::MAX))]
    seed: u32,
    /// Stop removing numbers after this wall time: seconds, or a number with a unit such as 500ms or 2m
    #[arg(long, value_name = "TIME", default_value = "30", alias = "timeout", value_parser = time)]
    time_limit: Duration,
    /// Write the grid to this file instead of standard output; an existing file is replaced
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = text_file("--worksheet"))]
    output: Option<OutputFile>,
    /// Draw the puzzle into a file: .svg, .png or .pdf
    #[arg(long, value_name = "FILE", value_parser = Canvas::of_puzzle)]
    worksheet: Option<Canvas>,
    /// Draw the solution into a file: .svg, .png or .pdf
    #[arg(long, value_name = "FILE", value_parser = Canvas::of_puzzle)]
    solution: Option<Canvas>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let began = Instant::now();
    [&args.worksheet, &args.solution].into_iter().flatten().try_for_each(Canvas::writable)?;
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    let mut spec = args.spec.clone();
    args.ends.complete(&mut spec)?;
    spec.source = args.board.on(&spec.source)?;
    // By default, puzzles are open and begin at the first square.
    if let (None, None, GraphSource::Board(board)) = (&spec.kind, &spec.start, &spec.source) {
        spec.start = Some(StartSpec::Named(board.vertex_name(Vertex::new(0))));
    }
    spec.kind = spec.kind.or(Some(TourKind::Open));
    let asked = spec.load(&Files::default())?;
    let GraphSource::Board(board) = asked.source() else {
        bail!("puzzles are on boards, but \"{}\" is a graph", asked.source());
    };
    if args.givens.is_some_and(|givens| givens > asked.instance().n()) {
        bail!("--givens must be at most {}, the number of squares", asked.instance().n());
    }
    if !asked.instance().constraints().is_empty() {
        bail!("`hamcnf puzzle` does not support constraints: remove the constraints of \"{asked}\"");
    }
    let what = described(&asked);
    let without_tour = |why: &str, code: u8| {
        output::print(|out| writeln!(out, "{what}: {why}"))?;
        Ok(code)
    };
    if let Some(found) = asked.obstruction() {
        return without_tour(&format!("there is no tour: {found}"), NO_TOUR);
    }
    let hold = Hold::new();
    let progress = Progress::new(format_args!("making a puzzle of {asked}"));
    let method = Method::from(Solve { encoding: defaults::encoding(defaults::FOUND), phases: Phases::Seeded });
    let settings = Settings {
        seed: args.seed.into(),
        limits: Limits::wall(args.time_limit),
        stop: hold.stop().clone(),
        ..Settings::default()
    };
    let answered = method.answer(&Question::from(asked.clone()), &settings);
    let Some(tour) = answered.tours.first() else {
        let status = answered.status;
        drop(progress);
        match status {
            Status::NoTour => return without_tour("there is no tour", NO_TOUR),
            Status::Refused | Status::Failed => bail!("{}", answered.message),
            _ => return without_tour("no tour was found before the limit", UNKNOWN),
        }
    };
    let start = tour.order().first().copied().context("the tour has no vertices")?;
    // The numbers of a closed puzzle have a direction.
    let instance = asked.instance();
    let instance = Instance::on_digraph(instance.name(), instance.digraph().clone(), instance.kind(), start)?;
    let deadline = began.checked_add(args.time_limit);
    let budget = Budget::new(deadline, hold.stop().clone());
    let mut random = ChaCha8Rng::seed_from_u64(args.seed.into());
    let wanted = args.givens.unwrap_or(0) as usize;
    let made = givens::choose(&instance, tour, wanted, &budget, &mut random)?;
    drop(progress);
    let mut given = made.vertices;
    if given.len() > wanted && args.givens.is_some() {
        let why = match made.is_minimal {
            true => "without any one of these, the solution is not unique",
            false => "no more were removed within the limits",
        };
        note(&format!(
            "the puzzle has {} givens instead of {wanted}: {why}; another --seed may need fewer",
            given.len()
        ));
    }
    if !made.is_minimal && args.givens.is_none() {
        note("some givens may be unnecessary: the solver reached its limits before it could decide about these givens");
    }
    let mut others: Vec<Vertex> = instance.others().filter(|v| !given.contains(v)).collect();
    shuffle(&mut others, &mut random);
    given.extend(others.into_iter().take(wanted.saturating_sub(given.len())));
    let numbers = instance.graph().vertices().map(|v| given.contains(&v).then(|| tour.sequence().position(v) + 1));
    let puzzle = Puzzle::new(board.clone(), instance.kind(), numbers.collect())?;
    output::to(args.output.as_deref(), |out| Ok(write!(out, "{puzzle}")?))?;
    for (canvas, solution) in [(&args.worksheet, None), (&args.solution, Some(tour))] {
        if let Some(canvas) = canvas {
            let drawn = [Drawn { caption: None, subject: Subject::Puzzle(&puzzle, solution) }];
            drawing::draw(canvas, &drawn, None, hamcnf::render::Style::default())?;
        }
    }
    Ok(DONE)
}
