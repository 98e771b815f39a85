//! `hamcnf count`: how many tours.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use hamcnf::count::enumerate::tours;
use hamcnf::count::projected::projected;
use hamcnf::{Formula, Projection, TourKind};
use serde::Serialize;

use super::instance::{Encoded, Question, seconds};
use super::output;
use super::progress::Progress;

/// Count tours exactly, and what a model counter would count on a projection set
///
/// Enumeration finds every tour with CaDiCaL and checks it, which is for boards with up to some ten
/// thousand tours. With --project the values that the set takes in the models of --encoding are
/// counted too: fewer than models, unless the set is an independent support. The exit code is 1 if the
/// time limit comes before the last tour.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf count 5x6
  hamcnf count 5x5 --open --start a1
  hamcnf count 6x6 --encoding unary --project vars:1..157/4     7013 of 9862: the paper's set for ApproxMC
  hamcnf count 6x6 --encoding direct --project positions:4,8,16,20,24,32")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Question,
    #[command(flatten)]
    encoded: Encoded,
    /// How to count
    #[arg(long, value_enum, default_value_t = Method::Enumerate)]
    method: Method,
    /// Count closed tours in both directions
    #[arg(long)]
    directed: bool,
    /// A projection set of the encoding, as for `hamcnf encode`
    #[arg(long, value_name = "SET", default_value = "none")]
    project: Projection,
    /// Stop after this many seconds of wall time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Print a JSON object for programs
    #[arg(long)]
    json: bool,
}

/// Ways to count.
#[derive(Clone, Copy, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Method {
    /// Find every tour
    Enumerate,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json {
    instance: String,
    /// What is counted, in words.
    counted: String,
    method: Method,
    /// Whether the count is complete; if not, it is a lower bound.
    complete: bool,
    count: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    projected: Option<JsonProjected>,
}

#[derive(Serialize)]
struct JsonProjected {
    encoding: String,
    projection: String,
    /// Models of the formula.
    models: u64,
    /// Different values of the projection set in them.
    values: u64,
    models_per_tour: u32,
    /// The values divided by the models of each tour: what an exact counter would report as tours.
    as_tours: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let instance = args.question.instance()?;
    let formula = Formula::new(args.encoded.encoding(), &instance)?;
    let set = formula.project(&args.project)?;
    let limit = args.time_limit.map(Duration::from_secs_f64);
    let start = Instant::now();
    let mut progress = Progress::new();
    let tours = tours(&instance, limit, &mut |found| {
        progress.show(
            start.elapsed(),
            &format!("counting {instance}: {found} tours so far"),
        );
    });
    progress.clear();
    let tours = tours?;

    let closed = instance.kind() == TourKind::Closed;
    let directions = if closed && args.directed { 2 } else { 1 };
    let counted = match (closed, args.directed) {
        (true, false) => "closed tours, undirected".to_owned(),
        (true, true) => "closed tours, directed".to_owned(),
        (false, _) => format!(
            "open tours from {}, directed",
            instance.vertex_name(instance.start())
        ),
    };
    let projected = match set {
        Some(set) if tours.complete => {
            let exact = projected(&formula, &tours.found, &set)?;
            Some(JsonProjected {
                encoding: formula.encoding().to_string(),
                projection: args.project.to_string(),
                models: exact.models,
                values: exact.values,
                models_per_tour: formula.models_per_tour(),
                as_tours: exact.values as f64 / f64::from(formula.models_per_tour()),
            })
        }
        _ => None,
    };
    let answer = Json {
        instance: instance.name().to_owned(),
        counted,
        method: args.method,
        complete: tours.complete,
        count: directions * tours.found.len() as u64,
        seconds: start.elapsed().as_secs_f64(),
        projected,
    };
    output::print(|out| {
        if args.json {
            return output::json(out, &answer);
        }
        let Json {
            instance,
            counted,
            count,
            seconds,
            ..
        } = &answer;
        let bound = if answer.complete { "" } else { "at least " };
        writeln!(
            out,
            "{instance}: {bound}{count} {counted} (enumerated and checked, {seconds:.1} s)"
        )?;
        if let Some(p) = &answer.projected {
            writeln!(
                out,
                "{}\nprojected on {}: {} different values in {} models, which would be {} tours",
                p.encoding, p.projection, p.values, p.models, p.as_tours
            )?;
        }
        Ok(())
    })?;
    Ok(if answer.complete {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
