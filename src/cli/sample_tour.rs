//! `hamcnf sample-tour`: samples tours uniformly at random.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use hamcnf::Tour;
use hamcnf::count::frontier::diagram::Diagram;
use hamcnf::count::random_below;
use hamcnf::count::symmetric::SymmetricTours;
use hamcnf::json::JsonRecord;
use hamcnf::method::{AutoCount, CountSymmetric, Method, Zdd};
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::run::{Details, Settings};
use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::ask::{Known, Shown, ask};
use super::complain;
use super::drawing::{self, Drawing};
use super::exit::{NO_TOUR, UNKNOWN};
use super::instance::{Counted, Memory, tours_between};
use super::interrupt::Hold;
use super::number::{natural, whole};
use super::output;
use super::progress::Progress;

/// Print random tours, each with the same probability
///
/// Samples from the decision diagram of all tours (see `hamcnf count --method zdd`). The diagram must fit into memory:
/// 6x8 takes a second, 7x8 takes a minute and 3 GB. With --symmetry, samples from the states of the count instead.
/// Exit codes: 20 there is no tour, 3 not enough memory.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf sample-tour 6x6
  hamcnf sample-tour 6x6 --open --number 3 --seed 7
  hamcnf sample-tour 6x6 --number 1000 --list > tours.txt    one tour per line, as a list of squares
  hamcnf sample-tour 6x6 --number 9 --render nine.svg        a sheet of nine
  hamcnf sample-tour 8x8 --symmetry 180                      a symmetric tour
  hamcnf sample-tour 6x6 --rank 0                            the decision diagram's first tour")]
pub(crate) struct Args {
    #[command(flatten)]
    counted: Counted,
    /// Number of tours; a tour may occur more than once
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = whole(0..=u32::MAX), allow_negative_numbers = true)]
    number: u32,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    /// Print the tour with number K, counted from 0 in the order of the decision diagram, instead of random tours
    #[arg(long, value_name = "K", value_parser = natural, allow_negative_numbers = true, conflicts_with_all = ["number", "seed"])]
    rank: Option<BigUint>,
    #[command(flatten)]
    memory: Memory,
    /// Print each tour as a line of squares instead of a board
    #[arg(long, conflicts_with = "json")]
    list: bool,
    #[command(flatten)]
    drawing: Drawing,
    /// Print a JSON object for each tour, readable by `hamcnf show` and `hamcnf check`
    #[arg(long)]
    json: bool,
    /// With --json, add the graph's edges to each object, as "details.graph"
    #[arg(long, requires = "json")]
    edges: bool,
}

/// Tours of a question, by number.
enum Numbered {
    Diagram(Box<Diagram>),
    Symmetric(Arc<SymmetricTours>),
}

impl Numbered {
    fn count(&self) -> BigUint {
        match self {
            Self::Diagram(diagram) => diagram.count(),
            Self::Symmetric(tours) => tours.exact().count.clone(),
        }
    }

    /// Returns the tours with these numbers, which are below the count.
    fn tours(&self, numbers: &[BigUint]) -> Vec<Tour> {
        match self {
            Self::Diagram(diagram) => numbers.iter().filter_map(|k| diagram.tour(k)).collect(),
            Self::Symmetric(tours) => tours.tours(numbers),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.drawing.check()?;
    let asked = args.counted.asked()?;
    let instance = asked.instance();
    let is_symmetric = instance.symmetry().is_some();
    if instance.is_directed() || instance.is_constrained() && !is_symmetric {
        bail!(
            "random tours support neither directed graphs nor constraints other than --symmetry and forbidden edges: use `hamcnf solve --number N`"
        );
    }
    if instance.is_trivial() {
        bail!("{instance} is too small for random tours: use `hamcnf solve`");
    }
    let question: Question = asked.clone().into();
    let name = instance.name_with_constraints();
    if let Some(reason) = asked.obstruction() {
        output::print(|out| match args.json {
            true => {
                let mut answered = Method::from(AutoCount::default()).answer(&question, &Settings::default());
                answered.record.status = Status::NoTour;
                output::json(out, &JsonRecord::new(&question, &answered))
            }
            false => {
                let tours = tours_between(instance, asked.ends(), false);
                writeln!(out, "{name}: no {tours}: {}", reason.said(instance))
            }
        })?;
        return Ok(ExitCode::from(NO_TOUR));
    }
    args.drawing.announce(instance, args.number.into());
    let began = Instant::now();
    let (method, what): (Method, _) = match is_symmetric {
        true => (CountSymmetric::InMemory.into(), "counting symmetric"),
        false => (Zdd.into(), "building the diagram of all"),
    };
    let progress = Progress::new(format_args!("{name}: {what} tours"));
    let hold = Hold::new();
    let settings = Settings {
        seed: args.seed,
        memory: Some(args.memory.bytes()),
        stop: hold.stop().clone(),
        ..Settings::default()
    };
    let mut shown = Shown::new(&progress, name.clone());
    let mut show = |known: &Known| shown.show(known);
    let mut answered = ask(&question, &method, settings, began, &mut show, |_| ());
    drop(hold);
    let all = match (answered.details.take(), answered.record.status) {
        (Some(Details::Diagram(diagram)), _) => Numbered::Diagram(diagram),
        (Some(Details::Symmetric(tours)), _) => Numbered::Symmetric(tours),
        (_, Status::Memout) => {
            complain(&format!(
                "{name}: {}; try `hamcnf solve --number N`, which needs little memory, but whose tours are not equally likely",
                answered.record.message
            ));
            return Ok(ExitCode::from(UNKNOWN));
        }
        (_, Status::Stopped) => return Ok(ExitCode::from(UNKNOWN)),
        _ => bail!("{instance}: {}", answered.record.message),
    };
    progress.begin(None, None, format_args!("{name}: sampling tours"));
    let count = all.count();
    let tours: Vec<Tour> = if let Some(rank) = &args.rank {
        if *rank >= count {
            bail!(
                "no tour has rank {rank}: {name} has {count} {}, and ranks count from 0",
                tours_between(instance, asked.ends(), count == BigUint::from(1_u32))
            );
        }
        all.tours(std::slice::from_ref(rank))
    } else {
        let mut random = ChaCha8Rng::seed_from_u64(args.seed);
        let draw = |_| random_below(&count, &mut random);
        let numbers: Vec<_> = (0..args.number).map_while(draw).collect();
        all.tours(&numbers)
    };
    let names = |tour: &Tour| -> Vec<String> {
        let order = tour.order().iter();
        order.map(|&v| instance.vertex_name(v)).collect()
    };
    // Open tours may begin anywhere, so each tour gets an instance that starts at the tour's first vertex.
    let from = |tour: &Tour| instance.starting_at(tour.order()[0]);
    let instances = tours.iter().map(from).collect::<Result<Vec<_>, _>>()?;
    drop(progress);
    let drawn: Vec<_> = instances.iter().zip(&tours).collect();
    output::print(|out| {
        if args.json {
            // The method has counted the tours. The record keeps this number in `value`, but its status says whether a
            // tour exists, as after a search.
            answered.record.status = match count == BigUint::ZERO {
                true => Status::NoTour,
                false => Status::Tour,
            };
            let mut object = JsonRecord::new(&question, &answered);
            if let Some(rank) = &args.rank {
                object = object.with("rank", rank.to_string());
            }
            if args.edges {
                object = object.with_graph(instance);
            }
            if drawn.is_empty() {
                return output::json(out, &object);
            }
            let mut tours = drawn.iter();
            return tours.try_for_each(|(from, tour)| output::json(out, &object.clone().with_tour(from, tour)));
        }
        if args.list {
            drawing::heading(instance, out)?;
        }
        for tour in &tours {
            if args.list {
                writeln!(out, "{}", names(tour).join(" "))?;
            } else {
                writeln!(out, "{}", drawing::in_terminal(instance, tour))?;
            }
        }
        match (args.list, count == BigUint::ZERO) {
            (_, true) => {
                writeln!(out, "{name}: no {}", tours_between(instance, asked.ends(), false))
            }
            (false, false) => {
                let is_one = count == BigUint::from(1_u32);
                let all = tours_between(instance, asked.ends(), is_one);
                writeln!(out, "{} of the {count} {all}", tours.len())
            }
            (true, false) => Ok(()),
        }
    })?;
    if !drawn.is_empty() {
        args.drawing.write_sheet(&drawn)?;
    }
    Ok(if count == BigUint::ZERO { ExitCode::from(NO_TOUR) } else { ExitCode::SUCCESS })
}
