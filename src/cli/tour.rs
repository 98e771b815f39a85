//! `hamcnf tour`: finds a tour by search, without clauses.

use std::process::ExitCode;

use hamcnf::method::{Method, Search};
use hamcnf::question::Files;
use hamcnf::search::{MethodName, Order, Ties};

use super::answer::{self, Form, How};
use super::ask::Loaded;
use super::drawing::Drawing;
use super::instance::{Question, named, seconds};
use super::number::whole;

/// Find a tour by a search without SAT
///
/// Every printed tour has been checked move by move. Exit codes: 10 there is a tour, 20 there is no tour, 3 unknown
/// because the search found no tour and no proof.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf tour 8x8 --open                          Warnsdorff's rule: 64 nodes
  hamcnf tour 8x8 --open --method backtrack       move by move: 8250733 nodes
  hamcnf tour 8x8 --open --order article          ties are broken by this order of moves
  hamcnf tour 400x400 --json | jq .details.statistics    a closed tour
  hamcnf tour 10x10 --piece zebra --start c4
  hamcnf tour 20x20 --open --ties random --no-rotations --restart-limit 0 --seed 7
  hamcnf tour 5x5 --open --start b1               exit code 20: no open tour starts at b1")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Question,
    /// Search: "backtrack" (depth-first, in the order of --order), "best-first" (depth-first, squares with the fewest
    /// onward moves first) or "warnsdorff" (always to a square with the fewest onward moves, with rotations and
    /// restarts). The first two can prove that there is no tour
    #[arg(long, default_value = "warnsdorff", value_parser = named::<MethodName>())]
    method: MethodName,
    /// Order in which moves are tried: "article" (34567812, from a web article), "graph" (by vertex number), "random",
    /// or the digits 1 to 8 in any order, such as 12345678. The digits number the moves clockwise from the upper right
    /// [default: "article" on boards, "graph" on other graphs]
    #[arg(long, value_name = "ORDER", allow_hyphen_values = true)]
    order: Option<Order>,
    /// Rule that breaks ties of Warnsdorff's rule [default: "order" if --order is given, else "squirrel-cull" or
    /// "roth", whichever is better for the board]
    #[arg(long, value_parser = named::<Ties>())]
    ties: Option<Ties>,
    /// Do not repair a stuck path by rotations
    #[arg(long)]
    no_rotations: bool,
    /// Stop after this many restarts (--method warnsdorff)
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1000,
        value_parser = whole(0..=u32::MAX),
        allow_negative_numbers = true
    )]
    restart_limit: u32,
    /// Stop after this many search nodes (vertices added to a path)
    #[arg(long, value_name = "NUMBER", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    node_limit: Option<u64>,
    /// Stop after this wall time: seconds, or a number with a unit such as 500ms, 2m or 1h
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Random seed for --ties random, --order random and the restarts
    #[arg(long, default_value_t = 0, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    drawing: Drawing,
    /// Print a JSON object with the columns of a `hamcnf run` row, the tour and a "details" object
    #[arg(long)]
    json: bool,
    /// With --json, add the graph's edges to each object, as details.graph
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
            restarts: if by_rule { self.restart_limit } else { plain.restarts },
            nodes: self.node_limit,
            ..plain
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.drawing.check()?;
    let question = args.question.clone();
    let mut loaded = Loaded::within(args.time_limit, args.question.spec()?, move |spec| {
        question.asked_without_end(spec, &Files::default())
    })?;
    let form = match args.json {
        true => Form::Json,
        false => Form::Words,
    };
    let method: Method = args.way().into();
    let Some(asked) = loaded.asked.take() else {
        let record = loaded.record(&method, args.seed, args.time_limit);
        return answer::not_loaded(&loaded, form, &record);
    };
    let how = How {
        seed: args.seed,
        time_limit: args.time_limit,
        cpu_limit: None,
        number: None,
        is_unique: false,
        form,
        drawing: &args.drawing,
        proof: None,
        requires_proof: false,
        edges: args.edges,
    };
    answer::run(&how, asked, &method, loaded.began)
}
