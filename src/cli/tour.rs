//! `hamcnf tour`: a tour by search, without clauses.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use hamcnf::machine::peak_kib;
use hamcnf::method::{Method as Way, Search};
use hamcnf::render::file::Visits;
use hamcnf::search::{
    Descents, Method, MethodName, Moves, Options, Order, Outcome, Proof, Searched, Ties, best_ties,
    search,
};
use hamcnf::{Instance, Named, TourKind};
use serde::Serialize;

use super::drawing::{self, Drawing};
use super::exit::{NO_TOUR, TOUR, UNKNOWN};
use super::instance::{Question, named, seconds};
use super::number::whole;
use super::output::{self, Columns};
use super::progress::Progress;

/// Find a tour by search, without clauses
///
/// Every tour that is printed has been checked move by move. The exit code is 10 if there is a tour, 20 if
/// there is none, and 0 if none was found, which says nothing about whether there is one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf tour 8x8 --open                          Warnsdorff's rule: 64 nodes
  hamcnf tour 8x8 --open --method backtrack       move by move: 8250733 nodes
  hamcnf tour 8x8 --open --order article          ties as in the article on both
  hamcnf tour 400x400 --json | jq .rotations      a closed tour
  hamcnf tour 10x10 --leaper 2,3 --start c4
  hamcnf tour 20x20 --open --ties random --no-rotations --restart-limit 0 --seed 7
  hamcnf tour 5x5 --open --start b1               exit code 20: the colours do not fit")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Question,
    /// How to search: backtrack (depth first, in the order of the moves), best-first (the same, where the
    /// fewest moves lead on from first) or warnsdorff (descents where the fewest moves lead on from, mended by
    /// rotations or begun anew). The first two prove it if there is no tour
    #[arg(long, default_value = "warnsdorff", value_parser = named::<MethodName>())]
    method: MethodName,
    /// Which move is tried first: article, graph (by the number of the square), random, or the moves 1 to 8
    /// clockwise from the upper right one in any order, such as 12345678 [default: article, or graph where there is
    /// no board]
    #[arg(long, value_name = "ORDER", allow_hyphen_values = true)]
    order: Option<Order>,
    /// How Warnsdorff's rule breaks ties [default: order if there is an --order, else what does best on the
    /// board: squirrel-cull or roth]
    #[arg(long, value_parser = named::<Ties>())]
    ties: Option<Ties>,
    /// Do not mend a descent that is stuck by rotations of the path
    #[arg(long)]
    no_rotations: bool,
    /// Stop after this many restarts of --method warnsdorff
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1000,
        value_parser = whole(0..=u32::MAX),
        allow_negative_numbers = true
    )]
    restart_limit: u32,
    /// Stop after this many nodes: vertices put on a path
    #[arg(long, value_name = "NUMBER", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    node_limit: Option<u64>,
    /// Stop after this many seconds of wall time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Selects the random numbers: of --ties random, --order random, and restarts
    #[arg(long, default_value_t = 0, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    drawing: Drawing,
    /// Print a JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    /// This search, by its name.
    fn way(&self) -> Search {
        let plain = Search::new(self.method);
        let by_rule = self.method == MethodName::Warnsdorff;
        Search {
            order: self.order,
            ties: self.ties.filter(|_| by_rule),
            rotations: !(self.no_rotations && by_rule),
            restarts: if by_rule {
                self.restart_limit
            } else {
                plain.restarts
            },
            nodes: self.node_limit,
            ..plain
        }
    }
}

/// What may find a tour, or prove that there is none, where this search did not.
fn instead(instance: &Instance, method: MethodName) -> String {
    let open = match instance.kind() {
        TourKind::Open => " --open",
        TourKind::Closed => "",
    };
    let search = match method {
        MethodName::Warnsdorff => {
            "--ties random with another --seed; --method best-first, which proves it if there is none"
        }
        MethodName::Backtrack | MethodName::BestFirst => "--method warnsdorff",
    };
    format!(
        "what may do better: {search}; hamcnf solve {}{open}",
        instance.name()
    )
}

fn in_words(method: MethodName, ties: Ties) -> String {
    match method {
        MethodName::Backtrack => "backtracking".to_owned(),
        MethodName::BestFirst => "best first".to_owned(),
        MethodName::Warnsdorff => format!("Warnsdorff's rule, ties {ties}"),
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.drawing.check()?;
    let asked = args.question.asked()?;
    let instance = asked.instance().clone();
    let ties = match (args.ties, args.order) {
        (Some(ties), _) => ties,
        (None, Some(_)) => Ties::Order,
        (None, None) => best_ties(&instance),
    };
    let options = Options {
        method: match args.method {
            MethodName::Backtrack => Method::Backtrack,
            MethodName::BestFirst => Method::BestFirst,
            MethodName::Warnsdorff => Method::Warnsdorff(Descents {
                ties,
                rotations: !args.no_rotations,
                restarts: args.restart_limit,
            }),
        },
        order: args.order.unwrap_or(match instance.board() {
            Some(_) => Order::Moves(Moves::ARTICLE),
            None => Order::Graph,
        }),
        seed: args.seed,
        node_limit: args.node_limit,
        time_limit: args.time_limit.map(Duration::from_secs_f64),
    };
    args.drawing.announce(&instance, 1);
    let progress = Progress::new(format_args!("searching {instance}"));
    let searched = search(&instance, &options, &mut |_, nodes| {
        progress.show(format_args!("searching {instance}: {nodes} nodes"));
    });
    drop(progress);
    let searched = searched?;
    output::print(|out| {
        if args.json {
            let of = Columns::new(asked.to_string(), Some(Way::Search(args.way())));
            output::json(
                out,
                &Json::new(of, &instance, args, ties, &options, &searched),
            )
        } else {
            let way = in_words(args.method, ties);
            print(out, &instance, args.method, &way, options.order, &searched)
        }
    })?;
    if let Outcome::Tour(tour) = &searched.outcome {
        args.drawing.write(&instance, tour)?;
    }
    Ok(ExitCode::from(match searched.outcome {
        Outcome::Tour(_) => TOUR,
        Outcome::NoTour(_) => NO_TOUR,
        Outcome::NotFound(_) => UNKNOWN,
    }))
}

fn print(
    out: &mut dyn Write,
    instance: &Instance,
    method: MethodName,
    way: &str,
    order: Order,
    searched: &Searched,
) -> io::Result<()> {
    match &searched.outcome {
        Outcome::Tour(tour) => {
            writeln!(out, "{}\n", drawing::checked(instance))?;
            writeln!(out, "{}", drawing::in_terminal(instance, tour))?;
        }
        Outcome::NoTour(proof) => {
            let why = proof.said(instance);
            writeln!(out, "{instance}: there is no tour: {why}\n")?;
        }
        Outcome::NotFound(limit) => {
            writeln!(
                out,
                "{instance}: no tour found by the {limit}, which proves nothing\n{}\n",
                instead(instance, method)
            )?;
        }
    }
    let effort = searched.effort;
    writeln!(out, "{way}, moves in the order {order}")?;
    writeln!(
        out,
        "{} nodes, {} restarts, {} rotations, {:.3} s",
        effort.nodes, effort.restarts, effort.rotations, effort.seconds
    )
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json {
    #[serde(flatten)]
    of: Columns,
    instance: String,
    piece: Option<String>,
    tours: &'static str,
    start: String,
    moves: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    ties: Option<&'static str>,
    seed: u64,
    status: Status,
    /// Why there is no tour, or which limit came.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The kind of the reason, if it was seen without a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    obstruction: Option<&'static str>,
    nodes: u64,
    restarts: u32,
    rotations: u64,
    seconds: f64,
    peak_kib: u64,
    #[serde(flatten)]
    tour: Option<Visits>,
}

/// How the search ended.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Tour,
    NoTour,
    NotFound,
}

impl Json {
    fn new(
        of: Columns,
        instance: &Instance,
        args: &Args,
        ties: Ties,
        options: &Options,
        searched: &Searched,
    ) -> Self {
        let (status, reason, tour) = match &searched.outcome {
            Outcome::Tour(tour) => (Status::Tour, None, Some(Visits::new(instance, tour))),
            Outcome::NoTour(proof) => {
                let why = proof.said(instance).to_string();
                (Status::NoTour, Some(why), None)
            }
            Outcome::NotFound(limit) => (Status::NotFound, Some(limit.to_string()), None),
        };
        let obstruction = match &searched.outcome {
            Outcome::NoTour(Proof::Obstruction(found)) => Some(found.kind().as_str()),
            _ => None,
        };
        let effort = searched.effort;
        Self {
            of,
            instance: instance.name().to_owned(),
            piece: instance
                .squares()
                .map(|board| board.board().leaper().to_string()),
            tours: instance.kind().as_str(),
            start: instance.vertex_name(instance.start()),
            moves: options.order.to_string(),
            ties: (args.method == MethodName::Warnsdorff).then(|| ties.as_str()),
            seed: options.seed,
            status,
            reason,
            obstruction,
            nodes: effort.nodes,
            restarts: effort.restarts,
            rotations: effort.rotations,
            seconds: effort.seconds,
            peak_kib: peak_kib(),
            tour,
        }
    }
}
