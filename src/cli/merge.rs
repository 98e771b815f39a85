//! `hamcnf merge`: merges the rows of shards and writes the tables of the merged rows.

use std::process::ExitCode;

use hamcnf::harness::merge::{MergeError, Shards};

use super::experiment::{self, Folder};
use super::run::done;
use super::{complain, exit_code};

/// Combine the shards of an experiment into one set of results
///
/// Writes results/NAME.csv, NAME.md and NAME.machine.json from the rows of `hamcnf run --shard K/N`. Every job must
/// have exactly one row, and all rows must come from the same build of hamcnf; otherwise no file is changed. Exit code
/// 1: rows are missing or wrong, or an answer or a size differs from the expected one.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf merge experiments/decision.toml
  hamcnf merge experiments/decision.toml --output /shared/results --remove-shards
  hamcnf merge experiments/fhcp.toml --graphs graphs/")]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: experiment::Choice,
    #[command(flatten)]
    output: Folder,
    /// Remove the files of the shards after merging
    #[arg(long)]
    remove_shards: bool,
    /// Replace earlier results, even if some of their rows are missing from the shards or were measured again
    #[arg(long)]
    fresh: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let experiment = args.experiment.read_for(args.output.path())?;
    let shards = Shards::new(&experiment, args.output.path());
    let merged = match shards.merge(args.fresh) {
        Ok(merged) => merged,
        Err(MergeError::Flaws(flaws)) => {
            let flaws: Vec<_> = flaws.iter().map(ToString::to_string).collect();
            return Ok(exit_code(&flaws));
        }
        Err(error) => return Err(error.into()),
    };
    if args.remove_shards {
        shards.remove(&merged.shards)?;
    }
    args.experiment.keep_times(args.output.path())?;
    if merged.machines > 1 {
        complain(&format!("the rows come from {} machines: do not compare their times", merged.machines));
    }
    done(&merged.rows, &merged.report)
}
