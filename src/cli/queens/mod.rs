//! `hamcnf queens`: the N-queens problem, by a decision diagram and as a CNF.

mod clauses;
mod count;
mod list;
mod solve;

use std::num::NonZero;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Subcommand;
use hamcnf::count::queens::{Options, QueensError, Solutions};
use hamcnf::store::BYTES_A_NODE;
use hamcnf::{AtMostOne, Queens};

use super::instance::{Memory, named, seconds};
use super::progress::Progress;

/// Place N queens so that no two attack each other: count, list, encode, solve
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 count                        92, by a decision diagram
  hamcnf queens 8 list                         all of them, the rows of the queens column by column
  hamcnf queens 8 solve --render queens.svg    one of them, by CaDiCaL
  hamcnf queens 8 encode -o queens.cnf         a DIMACS file

'hamcnf queens N ACTION --help' has the options of an action.")]
pub(crate) struct Args {
    /// How many queens, on a board of as many rows and columns
    #[arg(value_name = "N", allow_negative_numbers = true)]
    queens: Queens,
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Count(count::Args),
    List(list::Args),
    Encode(clauses::Args),
    Solve(solve::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.action {
        Action::Count(action) => count::run(&args.queens, action),
        Action::List(action) => list::run(&args.queens, action),
        Action::Encode(action) => clauses::run(&args.queens, action),
        Action::Solve(action) => solve::run(&args.queens, action),
    }
}

/// How the clauses are varied.
#[derive(clap::Args)]
struct Variant {
    /// How at-most-one constraints become clauses
    #[arg(long, value_name = "ENCODING", default_value = "pairwise", value_parser = named::<AtMostOne>())]
    at_most_one: AtMostOne,
}

/// What a decision diagram or a solver may use.
#[derive(clap::Args)]
struct Limits {
    /// Stop after this many seconds of wall time; decision diagrams finish the conjunction that they are at
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    #[command(flatten)]
    memory: Memory,
    /// Threads (bdd) [default: one for each processor]
    #[arg(long, value_name = "T")]
    threads: Option<NonZero<u32>>,
}

impl Limits {
    fn duration(&self) -> Option<Duration> {
        self.time_limit.map(Duration::from_secs_f64)
    }

    /// The decision diagram of all placements, as far as limits allow.
    fn diagram<'q>(
        &self,
        queens: &'q Queens,
        began: Instant,
    ) -> anyhow::Result<Result<Solutions<'q>, String>> {
        let enough = Options::enough_for(queens);
        let all = || std::thread::available_parallelism().ok();
        let threads = self.threads.or_else(|| all()?.try_into().ok());
        let nodes = usize::try_from(self.memory.bytes() / BYTES_A_NODE).unwrap_or(usize::MAX);
        let options = Options {
            threads: threads.unwrap_or(enough.threads),
            node_capacity: nodes.min(enough.node_capacity),
            deadline: self.duration().and_then(|limit| began.checked_add(limit)),
        };
        let mut progress = Progress::new();
        let built = Solutions::new(queens, &options, &mut |at| {
            let text = format!(
                "{queens}: {} of {} rows, {} nodes",
                at.rows, at.of, at.nodes
            );
            progress.show(began.elapsed(), &text);
        });
        progress.clear();
        match built {
            Ok(diagram) => Ok(Ok(diagram)),
            Err(limit @ (QueensError::NodeCapacity { .. } | QueensError::Deadline { .. })) => {
                Ok(Err(limit.to_string()))
            }
            Err(error) => Err(error.into()),
        }
    }
}
