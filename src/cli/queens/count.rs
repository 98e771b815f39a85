//! `hamcnf queens N count`: how many placements.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::Instant;

use hamcnf::count::enumerate::placements;
use hamcnf::count::external::{Guarantee, Outcome};
use hamcnf::count::queens::Method;
use hamcnf::machine::peak_kib;
use hamcnf::solve;
use hamcnf::{Clauses, Named, Queens, QueensFormula};
use num_bigint::BigUint;
use serde::Serialize;

use super::{Limits, Variant};
use crate::cli::complain;
use crate::cli::counter::{self, Approximation, Network};
use crate::cli::deadline::{self, Waited};
use crate::cli::instance::named;
use crate::cli::interrupt::{Hold, limit};
use crate::cli::number::whole;
use crate::cli::output::{self, Made, Number};
use crate::cli::progress::Progress;

/// Count the placements
///
/// Placements that are turns or mirror images of each other are counted as different. The exit code is 1 if a
/// limit came before the answer.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 count                       92
  hamcnf queens 12 count --threads 2
  hamcnf queens 8 count --method enumerate    each found by CaDiCaL
  hamcnf queens 8 count --method approxmc     an estimate by ApproxMC on the clauses")]
pub(crate) struct Args {
    /// How to count: bdd (the decision diagram of all placements), enumerate (every placement by CaDiCaL),
    /// approxmc or ganak (a model counter on the clauses)
    #[arg(long, default_value = "bdd", value_parser = named::<Method>())]
    method: Method,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    variant: Variant,
    /// Selects the random numbers (approxmc, ganak)
    #[arg(long, default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    approximation: Approximation,
    #[command(flatten)]
    network: Network,
    /// Print a JSON object for programs
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    queens: u32,
    method: &'static str,
    /// Whether the method did what it does; if not, `count` is a lower bound or not there.
    complete: bool,
    #[serde(flatten)]
    count: Option<Number>,
    /// Whether the count is an estimate.
    estimated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_nodes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variables: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clauses: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// How it came about, in words.
    #[serde(skip)]
    how: String,
    seconds: f64,
    peak_kib: u64,
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    if let (Some(option), false) = (args.approximation.given(), args.method == Method::Approxmc) {
        anyhow::bail!("{option} is for --method approxmc, not {}", args.method);
    }
    let began = Instant::now();
    let mut answer = Answer {
        queens: queens.n(),
        method: args.method.as_str(),
        complete: true,
        count: None,
        estimated: false,
        nodes: None,
        peak_nodes: None,
        variables: None,
        clauses: None,
        stopped: None,
        how: String::new(),
        seconds: 0.0,
        peak_kib: 0,
    };
    let formula = QueensFormula::new(queens, args.variant.at_most_one);
    if args.method != Method::Bdd {
        answer.variables = Some(formula.n_vars());
        answer.clauses = Some(formula.tally().total().clauses);
    }
    match args.method {
        Method::Bdd => diagram(&mut answer, queens, args, began)?,
        Method::Enumerate => enumerate(&mut answer, queens, args, began)?,
        Method::Approxmc | Method::Ganak => external(&mut answer, &formula, args)?,
    }
    answer.seconds = began.elapsed().as_secs_f64();
    answer.peak_kib = peak_kib();
    if let (Some(why), false) = (&answer.stopped, args.json) {
        complain(&format!("{queens}: {why}"));
        return Ok(ExitCode::FAILURE);
    }
    output::print(|out| {
        if args.json {
            return output::json(out, &Made::here(&answer));
        }
        let Answer {
            complete,
            estimated,
            how,
            seconds,
            ..
        } = &answer;
        let about = match (complete, estimated) {
            (false, _) => "at least ",
            (true, true) => "about ",
            (true, false) => "",
        };
        let count = answer.count.as_ref().map_or("", Number::text);
        let placements = if count == "1" {
            "placement"
        } else {
            "placements"
        };
        writeln!(
            out,
            "{queens}: {about}{count} {placements} ({how}, {seconds:.1} s)"
        )
    })?;
    Ok(if answer.complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl Answer {
    fn count(&mut self, count: &BigUint) {
        self.count = Some(count.into());
    }

    fn stop(&mut self, why: String) {
        self.complete = false;
        self.stopped = Some(why);
    }
}

fn diagram(
    answer: &mut Answer,
    queens: &Queens,
    args: &Args,
    began: Instant,
) -> anyhow::Result<()> {
    let solutions = match args.limits.diagram(queens, began)? {
        Ok(solutions) => solutions,
        Err(why) => {
            answer.stop(format!(
                "{why}; --method enumerate finds placements one by one, --method approxmc estimates"
            ));
            return Ok(());
        }
    };
    let (nodes, peak_nodes) = (solutions.nodes(), solutions.peak_nodes());
    answer.count(&solutions.count());
    answer.nodes = Some(nodes);
    answer.peak_nodes = Some(peak_nodes);
    answer.how = format!("a decision diagram of {nodes} nodes, {peak_nodes} at most on the way");
    Ok(())
}

fn enumerate(
    answer: &mut Answer,
    queens: &Queens,
    args: &Args,
    began: Instant,
) -> anyhow::Result<()> {
    let mut progress = Progress::new(format_args!("{queens}: enumerating placements"));
    let mut tick = |&found: &u64| {
        progress.show(format_args!("{queens}: {found} placements found"));
    };
    let deadline = args.limits.deadline(began);
    // For the solver's thread, which may be left alone.
    let (queens, at_most_one) = (queens.clone(), args.variant.at_most_one);
    let hold = Hold::new();
    let waited = deadline::wait(deadline, Some(hold.stop()), &mut tick, move |worker| {
        let options = solve::Options {
            limits: hamcnf::limits::Limits {
                wall: deadline::left(deadline),
                ..hamcnf::limits::Limits::default()
            },
            ..solve::Options::default()
        };
        let formula = QueensFormula::new(&queens, at_most_one);
        let mut found = 0;
        let complete = placements(&formula, &options, &mut |_| {
            found += 1;
            worker.know(|known| *known = found);
            ControlFlow::Continue(())
        });
        worker.answer(complete.map(|complete| (complete, found)));
    });
    progress.clear();
    let (complete, found) = match waited {
        Waited::Answer(answer) => answer?,
        Waited::Late(found) => (false, found),
    };
    answer.complete = complete;
    answer.count(&found.into());
    answer.how = if answer.complete {
        "each found and checked".to_owned()
    } else {
        format!("found and checked before the {}", limit())
    };
    Ok(())
}

fn external(answer: &mut Answer, formula: &QueensFormula, args: &Args) -> anyhow::Result<()> {
    let counter = match args.method {
        Method::Ganak => counter::ganak(args.seed)?,
        _ => args.approximation.approxmc(args.seed)?,
    };
    let squares: Vec<_> = formula.squares().collect();
    let name = formula.queens().to_string();
    let found = match counter::run(
        counter,
        formula,
        &name,
        Some(&squares),
        args.limits.time_limit,
        args.network,
    )? {
        Outcome::Counted(found) => found,
        Outcome::TimedOut { wall_seconds } => {
            answer.stop(counter::out_of_time(counter, wall_seconds));
            return Ok(());
        }
    };
    answer.count(&found.count);
    let version = found.version.as_deref().unwrap_or("of unknown version");
    answer.how = format!("{counter} {version} on {} squares", squares.len());
    if let Guarantee::Approximate { epsilon, delta } = found.guarantee {
        answer.estimated = true;
        answer.how += &format!(", epsilon {epsilon}, delta {delta}, seed {}", args.seed);
    }
    Ok(())
}
