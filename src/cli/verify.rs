//! `hamcnf verify`: is that a proof that there is no tour?

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use hamcnf::check::Unproved;
use hamcnf::check::certificate::{Limits, Reading, Unverified, Verified, check};
use hamcnf::ends::Ends;
use hamcnf::proof::Form;
use hamcnf::question;
use hamcnf::refute::certificate::asked;
use hamcnf::refute::checked::{self as clausal, NotChecked};
use hamcnf::{Encoding, Named};
use serde::Serialize;

use super::complete;
use super::instance::{EncodingParser, Unless, seconds};
use super::interrupt::Hold;
use super::output::{self, Made};
use super::progress::Progress;
use super::{deadline, input};

/// Check a proof that there is no tour
///
/// Reads what `hamcnf solve --proof` has written and checks it by code that shares nothing with what has found it: a
/// certificate of a few lines on the graph alone, and steps of DRAT, LRAT or VeriPB on the clauses that the encoding
/// has for the question, which are made anew. Without a board or graph the question is the one that the file names, and
/// the answer says which. The exit code is 0 if there is no tour, as the file says, 1 if that is not verified, be
/// it wrong or too wide to check, and 2 if the file cannot be read or is about another question. Tours are checked by `hamcnf check`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf solve 9x9 --proof 9x9.cert; hamcnf verify 9x9 --proof 9x9.cert
  hamcnf verify --proof 9x9.cert           the question as the file says it
  hamcnf verify 4x20 --open --proof x.cert.gz --time-limit 60
  hamcnf verify graph.col --proof graph.cert --json | jq .status
  hamcnf verify 4x6 --proof p.drat
  hamcnf verify 3x8 -e unary --proof p.lrat")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Unless,
    /// The file with the proof, compressed or not: a certificate, or steps from clauses if its name ends in .drat,
    /// .lrat or .pbp; - for a certificate on standard input
    #[arg(long, value_name = "FILE")]
    proof: PathBuf,
    /// The encoding whose clauses it is from [default: which the file says, else precedence]
    #[arg(long, short, value_parser = EncodingParser, add = complete::encodings())]
    encoding: Option<Encoding>,
    /// Stop after this many seconds of wall time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Print a JSON object for programs
    #[arg(long)]
    json: bool,
}

/// The code where it is not verified.
const NOT_VERIFIED: u8 = 1;

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    if args.question.is_standard_input() && args.proof.as_os_str() == "-" {
        bail!("standard input is the graph or the proof, not both: name a file for one of them");
    }
    if let Ok(form) = Form::of(&args.proof) {
        return clauses(args, form, began);
    }
    if args.encoding.is_some() {
        bail!("--encoding is for .drat, .lrat and .pbp: a certificate is about the graph");
    }
    let name = input::name(&args.proof);
    let progress = input::progress(&args.proof, "verifying");
    let cannot = || format!("cannot read {name}");
    let reading = Reading::begin(input::open(&args.proof).with_context(cannot)?);
    let reading = reading.with_context(cannot)?;
    let tours = match args.question.asked()? {
        Some(tours) => {
            // What a graph is called is another matter: its edges are looked at.
            let lasts = tours.place().text().is_some();
            if !lasts && reading.question() != tours.to_string() {
                let said = reading.question().escape_debug();
                bail!("{name} is about '{said}', and not about '{tours}'");
            }
            tours
        }
        None => said(reading.question()).with_context(cannot)?,
    };
    let asked = asked(&tours);
    let reason = reading.reason(&asked).with_context(cannot)?;
    progress.into_iter().for_each(drop);
    let progress = Progress::new(format_args!("verifying {tours}"));
    let hold = Hold::new();
    let deadline = deadline::after(began, args.time_limit);
    let limits = Limits {
        stop: &|| hold.stop().is_set() || deadline.is_some_and(|end| Instant::now() >= end),
        ..Limits::default()
    };
    let checked = check(&asked, &reason, &limits);
    drop(hold);
    drop(progress);
    let question = tours.to_string();
    let (status, said) = match &checked {
        Ok(verified) => (Status::Verified, verified_of(&tours, verified)),
        Err(Unverified::Stopped) => {
            let limit = super::interrupt::limit();
            (Status::Unknown, format!("not finished by the {limit}"))
        }
        Err(wrong) if wrong.is_limit() => (Status::Unknown, wrong.to_string()),
        Err(wrong) => (Status::NotVerified, wrong.to_string()),
    };
    answer(
        args,
        &question,
        status,
        reason.kind().as_str(),
        &said,
        began,
    )
}

/// Checks steps from the clauses of an encoding.
fn clauses(args: &Args, form: Form, began: Instant) -> anyhow::Result<ExitCode> {
    let name = input::name(&args.proof);
    let progress = input::progress(&args.proof, "verifying");
    let cannot = || format!("cannot read {name}");
    let reading = clausal::Reading::begin(input::open(&args.proof).with_context(cannot)?, form);
    let reading = reading.with_context(cannot)?;
    let of_file = reading.head().question.clone();
    let tours = match (args.question.asked()?, of_file) {
        (Some(tours), Some(of_file)) => {
            let lasts = tours.place().text().is_some();
            if !lasts && of_file != tours.to_string() {
                let of_file = of_file.escape_debug();
                bail!("{name} is about '{of_file}', and not about '{tours}'");
            }
            tours
        }
        (Some(tours), None) => tours,
        (None, Some(of_file)) => said(&of_file).with_context(cannot)?,
        (None, None) => bail!("{name} does not say what it is about: name the board or graph"),
    };
    progress.into_iter().for_each(drop);
    let progress = Progress::new(format_args!("verifying {tours}"));
    let hold = Hold::new();
    let deadline = deadline::after(began, args.time_limit);
    let stop = || hold.stop().is_set() || deadline.is_some_and(|end| Instant::now() >= end);
    let unsaid = args.encoding.is_none() && reading.head().encoding.is_none();
    let checked = reading.check(&tours, args.encoding.as_ref(), &stop);
    drop(hold);
    drop(progress);
    let (status, said) = match checked {
        Ok((encoding, checked)) => {
            // As many as solve says: deletions are no steps of an argument.
            let steps = checked.additions;
            let tours = no_tour_of(&tours);
            (
                Status::Verified,
                format!("{tours}: {steps} steps from the clauses of {encoding}"),
            )
        }
        Err(NotChecked::Unproved { why, encoding }) => match *why {
            Unproved::Stopped { steps } => {
                let limit = super::interrupt::limit();
                (
                    Status::Unknown,
                    format!("not finished by the {limit}, after {steps} steps"),
                )
            }
            Unproved::TooLarge => (Status::Unknown, why.to_string()),
            Unproved::Unreadable(_) => return Err(*why).with_context(cannot),
            wrong => {
                let which = match unsaid {
                    true => ", as the file does not say of which encoding it is: -e does",
                    false => "",
                };
                let of = format!("from the clauses of {encoding}{which}");
                (Status::NotVerified, format!("{wrong}, {of}"))
            }
        },
        Err(other) => return Err(other).with_context(|| name.clone()),
    };
    answer(
        args,
        &tours.to_string(),
        status,
        form.as_str(),
        &said,
        began,
    )
}

/// Says what came out.
fn answer(
    args: &Args,
    question: &str,
    status: Status,
    reason: &str,
    said: &str,
    began: Instant,
) -> anyhow::Result<ExitCode> {
    output::print(|out| {
        if args.json {
            let seconds = began.elapsed().as_secs_f64();
            return output::json(
                out,
                &Made::here(Json {
                    question,
                    status,
                    reason,
                    message: said,
                    seconds,
                }),
            );
        }
        match status {
            Status::Verified => writeln!(out, "verified: {said}"),
            _ => writeln!(out, "not verified: {question}: {reason}: {said}"),
        }
    })?;
    Ok(match status {
        Status::Verified => ExitCode::SUCCESS,
        _ => ExitCode::from(NOT_VERIFIED),
    })
}

/// The question of a file. What it names has to be there.
fn said(question: &str) -> anyhow::Result<question::Tours> {
    let told = || format!("its question '{}'", question.escape_debug());
    let words: question::Words = question.parse().with_context(told)?;
    if words.place.is_standard_input() {
        bail!("it is about a graph from standard input: name the graph before --proof");
    }
    words.tours().with_context(told)
}

fn verified_of(tours: &question::Tours, verified: &Verified) -> String {
    format!("{}: {verified}", no_tour_of(tours))
}

/// That there is no tour, in words.
fn no_tour_of(tours: &question::Tours) -> String {
    let (place, instance) = (tours.place(), tours.instance());
    let name = |v| instance.vertex_name(v);
    let open = match tours.ends() {
        Ends::Open { from, to } => {
            let from = from.map_or_else(String::new, |v| format!(" from {}", name(v)));
            let to = to.map_or_else(String::new, |v| format!(" to {}", name(v)));
            from + &to
        }
        Ends::Closed => String::new(),
    };
    let kind = instance.kind();
    format!("there is no {kind} tour of {place}{open}")
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Verified,
    NotVerified,
    Unknown,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    question: &'a str,
    status: Status,
    reason: &'a str,
    message: &'a str,
    seconds: f64,
}
