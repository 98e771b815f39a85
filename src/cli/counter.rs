//! Model counters on a formula, which they get as a temporary DIMACS file.

use std::io::{BufWriter, Write};
use std::time::Duration;

use anyhow::{Context, bail};
use hamcnf::count::external::{self, ApproxMc, Counter, Ganak, Outcome, Places, Request, Seed};
use hamcnf::{Clauses, ProjectionFormat};
use rustsat::types::Var;

use super::complain;
use super::formula::{Counted, Heading};
use super::progress::Progress;

/// How good an estimate of ApproxMC has to be.
#[derive(clap::Args)]
pub(crate) struct Approximation {
    /// The tolerance: within a factor of 1 + epsilon (approxmc)
    #[arg(
        long,
        value_name = "E",
        default_value_t = 0.8,
        allow_negative_numbers = true
    )]
    pub(crate) epsilon: f64,
    /// The confidence: with probability 1 - delta (approxmc)
    #[arg(
        long,
        value_name = "D",
        default_value_t = 0.2,
        allow_negative_numbers = true
    )]
    pub(crate) delta: f64,
}

impl Approximation {
    pub(crate) fn approxmc(&self, seed: u64) -> anyhow::Result<Counter> {
        let settings = ApproxMc::new(self.epsilon, self.delta, checked(seed)?)?;
        Ok(Counter::ApproxMc(settings))
    }
}

pub(crate) fn ganak(seed: u64) -> anyhow::Result<Counter> {
    let seed = checked(seed)?;
    Ok(Counter::Ganak(Ganak { seed }))
}

fn checked(seed: u64) -> anyhow::Result<Seed> {
    match u32::try_from(seed) {
        Ok(seed) => Ok(Seed::try_from(seed)?),
        Err(_) => bail!("the seed is {seed}: a model counter takes 2147483647 at most"),
    }
}

/// Counts the values of a projection set, or of all variables without one, in the models of a formula that
/// messages call so.
pub(crate) fn run(
    counter: Counter,
    formula: &impl Clauses,
    name: &str,
    set: Option<&[Var]>,
    time_limit: Option<f64>,
) -> anyhow::Result<Outcome> {
    let mut file = tempfile::Builder::new()
        .prefix("hamcnf-")
        .suffix(".cnf")
        .tempfile()
        .context("cannot write a temporary file")?;
    let heading = Heading {
        projection: set.map(|set| (ProjectionFormat::Show, set)),
        ..Heading::default()
    };
    let counted = Counted::new(formula, name.to_owned());
    counted
        .write(&heading, BufWriter::new(file.as_file_mut()))
        .map_err(anyhow::Error::from)
        .and_then(|mut out| Ok(out.flush()?))
        .with_context(|| format!("cannot write {}", file.path().display()))?;
    let request = Request {
        file: file.path(),
        counter,
        time_limit: time_limit.map(Duration::from_secs_f64),
        places: &Places::from_environment(),
    };
    let _progress = Progress::new(format_args!("{name}: {counter} counts"));
    Ok(external::run(&request, &mut |message| complain(message))?)
}

/// What is said of a counter that the time limit stopped.
pub(crate) fn out_of_time(counter: Counter, wall_seconds: f64) -> String {
    format!("{counter} has no answer after {wall_seconds:.1} s, the time limit")
}
