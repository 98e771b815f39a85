//! `hamcnf queens N count`: counts placements.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use hamcnf::json::JsonRecord;
use hamcnf::method::{Method, counter_seed};
use hamcnf::question::Question;
use hamcnf::record::{Record, Status};
use hamcnf::run::{Event, Settings};
use hamcnf::{AtMostOne, Named, Queens};

use super::{Limits, Variant};
use crate::cli::ask::{Known, Shown, ask};
use crate::cli::complain;
use crate::cli::counter::{Approximation, Network};
use crate::cli::exit::{DONE, UNKNOWN};
use crate::cli::instance::CountingParser;
use crate::cli::interrupt::{Hold, limit};
use crate::cli::number::whole;
use crate::cli::output;
use crate::cli::progress::Progress;
use crate::cli::verbosity::note;

/// Count the placements
///
/// Rotations and mirror images count as different placements. Exit code 3: a limit was reached.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf queens 8 count                       92
  hamcnf queens 12 count --threads 2
  hamcnf queens 8 count --method enumerate    one by one, with CaDiCaL
  hamcnf queens 8 count --method approxmc     an estimate by ApproxMC")]
pub(crate) struct Args {
    /// Method, optionally with settings, such as approxmc+epsilon=0.3 (see `hamcnf methods`)
    #[arg(long, value_name = "METHOD", default_value = "bdd", value_parser = CountingParser::Queens)]
    method: Method,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    variant: Variant,
    /// Random seed (methods "approxmc", "ganak")
    #[arg(long, default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    approximation: Approximation,
    #[command(flatten)]
    network: Network,
    /// Print a JSON object with the columns of a `hamcnf run` row and a "details" object
    #[arg(long)]
    json: bool,
}

impl Args {
    /// Returns the method with the settings of the options.
    fn method(&self) -> anyhow::Result<Method> {
        let mut method = self.method.clone();
        for (setting, value) in
            [("epsilon", self.approximation.epsilon_text()), ("delta", self.approximation.delta_text())]
        {
            let Some(value) = value else { continue };
            if !method.has_setting(setting) {
                bail!("--{setting} needs --method approxmc, but the method is \"{}\"", method.name());
            }
            method = method.with_setting(setting, &value)?;
        }
        // A decision diagram has no clauses, so --at-most-one does not affect it.
        let at_most_one = self.variant.at_most_one;
        if at_most_one != AtMostOne::default() && method.has_setting("at-most-one") {
            method = method.with_setting("at-most-one", at_most_one.as_str())?;
        }
        Ok(method)
    }
}

pub(super) fn run(queens: &Queens, args: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let method = args.method()?;
    let mut settings = Settings { seed: args.seed, ..args.limits.settings() };
    if let Some(engine) = method.engine() {
        counter_seed(args.seed)?;
        args.network.set_up(std::iter::once(engine))?;
    }
    let hold = Hold::new();
    settings.stop = hold.stop().clone();
    let question = Question::Queens(queens.clone());
    let name = queens.to_string();
    let progress = Progress::new(format_args!("{name}: counting with {method}"));
    let mut shown = Shown::new(&progress, name);
    let mut show = |known: &Known| shown.show(known);
    let heard = |event: Event<'_>| {
        if let Event::Remark(remark) = event {
            note(remark);
        }
    };
    let answered = ask(&question, &method, settings, began, &mut show, heard);
    drop(hold);
    drop(progress);
    let (record, seconds) = (&answered.record, began.elapsed().as_secs_f64());
    let stopped = match record.status {
        Status::Refused | Status::Failed => bail!("{}", record.message),
        Status::Memout => Some(format!("{}; try instead: {}", record.message, method.advice(&question, record.status))),
        Status::Count | Status::Estimate | Status::AtLeast => None,
        _ => Some(record.message.clone()),
    };
    if record.status == Status::Stopped {
        return Ok(ExitCode::from(UNKNOWN));
    }
    match (&stopped, args.json) {
        (Some(why), false) => complain(&format!("{queens}: {why}")),
        (_, true) => {
            let object = JsonRecord::new(&question, &answered);
            output::print(|out| output::json(out, &object))?;
        }
        (None, false) => output::print(|out| {
            let about = match record.status {
                Status::AtLeast => "at least ",
                Status::Estimate => "about ",
                _ => "",
            };
            let count = record.whole().map_or_else(String::new, ToString::to_string);
            let placements = match count.as_str() {
                "1" => "placement",
                _ => "placements",
            };
            let how = how(&question, record);
            writeln!(out, "{queens}: {about}{count} {placements} ({how}, {seconds:.1} s)")
        })?,
    }
    Ok(ExitCode::from(match record.status.is_answer() {
        true => DONE,
        false => UNKNOWN,
    }))
}

/// Returns a sentence about the method of the count.
fn how(question: &Question, record: &Record) -> String {
    let metric = |name| record.statistics.get::<u64>(name);
    if let (Some(nodes), Some(most)) = (metric("nodes"), metric("peak_nodes")) {
        return format!("a decision diagram of {nodes} nodes, at most {most} while it was built");
    }
    if let Some(squares) = metric("projected_variables") {
        let settings = record.method.chosen(question, record.seed);
        let settings = settings.iter().map(|(name, value)| format!(", {name} {value}"));
        let settings: String = settings.collect();
        let seed = match record.status {
            Status::Estimate => format!(", seed {}", record.seed),
            _ => String::new(),
        };
        return format!("{} on {squares} squares{settings}{seed}", record.solver);
    }
    match record.status {
        Status::Count => "each found and checked".to_owned(),
        _ => format!("found and checked before the {}", limit()),
    }
}
