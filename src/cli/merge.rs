//! `hamcnf merge`: merges the rows of shards, and makes their tables.

use std::process::ExitCode;

use hamcnf::harness::merge::{MergeError, Shards};

use super::experiment::{self, Folder};
use super::run::done;
use super::{complain, exit_code};

/// Put the shards of an experiment together, as if it had been run in one
///
/// What `hamcnf run --shard K/N` has left for each K in results/ becomes results/NAME.csv, NAME.md and NAME.machine.json,
/// if every job is there once and all are by the same build of hamcnf. If not, what is missing or wrong is said, a line
/// each, nothing is changed, and the exit code is 1; it is 1 as well if an answer or a size is not the expected one.
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
    /// Remove the rows of the shards once they are put together
    #[arg(long)]
    remove_shards: bool,
    /// Replace earlier results, with rows that the shards do not have or have measured again
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
        complain(&format!(
            "the rows are of {} machines, whose times should not be compared",
            merged.machines
        ));
    }
    done(&merged.rows, &merged.report)
}
