//! `hamcnf tour`: finds a tour by search, without clauses.

use std::process::ExitCode;
use std::time::Instant;

use hamcnf::method::Search;
use hamcnf::search::{MethodName, Order, Ties};

use super::answer::{self, Form, How};
use super::drawing::Drawing;
use super::instance::{Question, named, seconds};
use super::number::whole;

/// Find a tour by search, without clauses
///
/// Every tour that is printed has been checked move by move. The exit code is 10 if there is a tour, 20 if
/// there is none, and 3 if none was found, which says nothing about whether there is one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf tour 8x8 --open                          Warnsdorff's rule: 64 nodes
  hamcnf tour 8x8 --open --method backtrack       move by move: 8250733 nodes
  hamcnf tour 8x8 --open --order article          ties as in the article on both
  hamcnf tour 400x400 --json | jq .details.statistics    a closed tour
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
    /// Stop after this much wall time: seconds, or with a unit as in 500ms, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Selects the random numbers: of --ties random, --order random, and restarts
    #[arg(long, default_value_t = 0, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    drawing: Drawing,
    /// Print a JSON object for programs: the columns of a row, the tour and details
    #[arg(long)]
    json: bool,
    /// Add the graph to the objects of --json, in details.graph: for a reader that has no file of the graph
    #[arg(long, requires = "json")]
    edges: bool,
}

impl Args {
    /// Returns the search that these options describe.
    fn way(&self) -> Search {
        let plain = Search::new(self.method);
        // An order that the user gives also breaks ties.
        let in_order = self.order.map(|_| Ties::Order);
        let by_rule = self.method == MethodName::Warnsdorff;
        Search {
            order: self.order,
            ties: self.ties.or(in_order).filter(|_| by_rule),
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

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    args.drawing.check()?;
    let asked = args.question.asked()?;
    let how = How {
        seed: args.seed,
        time_limit: args.time_limit,
        number: None,
        form: match args.json {
            true => Form::Json,
            false => Form::Words,
        },
        drawing: &args.drawing,
        start_is_said: true,
        proof: None,
        requires_proof: false,
        edges: args.edges,
    };
    answer::run(&how, asked, &args.way().into(), began)
}
