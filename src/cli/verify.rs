//! `hamcnf verify`: checks a proof that there is no tour.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use hamcnf::check::certificate::{Limits, Reading, Unverified, Verified, check};
use hamcnf::check::{DimacsError, Unproved};
use hamcnf::ends::Ends;
use hamcnf::json::JsonTour;
use hamcnf::pipeline::Certificate;
use hamcnf::proof::Form;
use hamcnf::question::{self, Source};
use hamcnf::refute::certificate::asked;
use hamcnf::refute::checked::{self as clausal, Head, NotChecked};
use hamcnf::{Encoding, Named};
use serde::Serialize;

use super::complete;
use super::exit::{DONE, UNKNOWN, WRONG};
use super::header::Header;
use super::instance::{EncodingParser, Unless, seconds};
use super::interrupt::Hold;
use super::output::{self, Made};
use super::progress::Progress;
use super::{deadline, input};

/// Check a proof that there is no tour
///
/// Reads a proof that `hamcnf solve --proof` wrote. The checkers share no code with the program that found it. A certificate
/// (.cert) is checked on the graph alone. Steps (.drat, .lrat, .pbp) are checked on the clauses that the encoding has for the
/// question, which are made anew. A certificate and VeriPB's form name their question, DRAT and LRAT do not: type it, or pass
/// the formula with --cnf. The exit code is 0 if the proof is verified, 1 if it is wrong, 3 if a limit
/// ended the check or the proof is too wide to check, and 2 if a file cannot be read or is about another question. Tours are checked by `hamcnf check`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf solve 9x9 --proof 9x9.cert; hamcnf verify 9x9 --proof 9x9.cert
  hamcnf verify 9x9.cert                   the question as the file says it
  hamcnf verify 4x20 --open --proof x.cert.gz --time-limit 60
  hamcnf verify graph.col --proof graph.cert --json | jq .status
  hamcnf verify 4x6 --proof p.drat
  hamcnf verify 3x8 -e unary --proof p.lrat
  hamcnf verify p.cnf p.lrat               the question as the formula's header names it")]
pub(crate) struct Args {
    #[command(flatten)]
    question: Unless,
    /// The file with the proof, compressed or not: a certificate, or steps from clauses if its name ends in .drat,
    /// .lrat or .pbp; - for a certificate on standard input
    #[arg(long, value_name = "FILE")]
    proof: PathBuf,
    /// The encoding of the clauses [default: from a file that names it, else precedence]
    #[arg(long, short, value_parser = EncodingParser, add = complete::encodings())]
    encoding: Option<Encoding>,
    /// The formula of the proof, in DIMACS: names the question and the encoding, and must have exactly the encoding's clauses
    #[arg(long, value_name = "FILE", conflicts_with = "encoding")]
    cnf: Option<PathBuf>,
    /// Stop after this much wall time: seconds, or with a unit as in 500ms, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<f64>,
    /// Print a JSON object for programs: the question, the status and details
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    if args.question.is_standard_input() && args.proof.as_os_str() == "-" {
        bail!("standard input is the graph or the proof, not both: name a file for one of them");
    }
    let is_proof = |file: &PathBuf| Form::of(file).is_ok() || Certificate::is_named(file);
    if let Some(cnf) = args.cnf.as_ref().filter(|cnf| is_proof(cnf))
        && !is_proof(&args.proof)
    {
        let (cnf, proof) = (cnf.display(), args.proof.display());
        bail!(
            "'{cnf}' is named like a proof and '{proof}' is not: swap them, --proof {cnf} --cnf {proof}"
        );
    }
    if let Ok(form) = Form::of(&args.proof) {
        return clauses(args, form, began);
    }
    let of_clauses = [
        (args.encoding.is_some(), "--encoding"),
        (args.cnf.is_some(), "--cnf"),
    ];
    if let Some((_, option)) = of_clauses.iter().find(|(is_given, _)| *is_given) {
        bail!("{option} is for .drat, .lrat and .pbp: a certificate is about the graph");
    }
    let name = input::name(&args.proof);
    let progress = input::progress(&args.proof, "verifying");
    let cannot = || format!("cannot read {name}");
    let reading = Reading::begin(input::open(&args.proof).with_context(cannot)?);
    let reading = match args.proof.as_os_str() == "-" {
        true => reading.context(
            "cannot read standard input as a certificate: save DRAT, LRAT or VeriPB's form in a file named .drat, .lrat or .pbp",
        )?,
        false => reading.with_context(cannot)?,
    };
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
    let (status, said) = match &checked {
        Ok(verified) => (Status::Verified, verified_of(&tours, verified)),
        Err(Unverified::Stopped) => {
            let limit = super::interrupt::limit();
            (Status::Unknown, format!("not finished by the {limit}"))
        }
        Err(wrong) if wrong.is_limit() => (Status::Unknown, wrong.to_string()),
        Err(wrong) => (Status::NotVerified, wrong.to_string()),
    };
    answer(args, &tours, status, reason.kind().as_str(), &said, began)
}

/// Checks steps from the clauses of an encoding.
fn clauses(args: &Args, form: Form, began: Instant) -> anyhow::Result<ExitCode> {
    let name = input::name(&args.proof);
    let progress = input::progress(&args.proof, "verifying");
    let cannot = || format!("cannot read {name}");
    let reading = clausal::Reading::begin(input::open(&args.proof).with_context(cannot)?, form);
    let mut reading = reading.with_context(cannot)?;
    let (mut named_by, mut of_file) = (name.clone(), None);
    if let Some(cnf) = &args.cnf {
        let (head, question) = formula(cnf)?;
        reading = reading.beside(head);
        (named_by, of_file) = (input::name(cnf), question);
    }
    let of_file = match (of_file, &reading.head().question) {
        (Some(question), _) => Some(question),
        (None, Some(question)) if !args.question.is_given() => {
            Some(said(question).with_context(|| format!("cannot read {named_by}"))?)
        }
        _ => None,
    };
    let in_words = of_file
        .as_ref()
        .map(ToString::to_string)
        .or_else(|| reading.head().question.clone());
    let tours = match (args.question.asked()?, of_file) {
        (Some(tours), _) => {
            // A graph from a file may have another name by now.
            let is_text = tours.place().text().is_some();
            if let Some(other) = in_words.filter(|words| !is_text && *words != tours.to_string()) {
                let other = other.escape_debug();
                bail!("{named_by} is about '{other}', and not about '{tours}'");
            }
            tours
        }
        (None, Some(of_file)) => of_file,
        (None, None) => {
            let mut mend = format!("type it, hamcnf verify BOARD|GRAPH --proof {name}");
            let beside = args.proof.with_extension("cnf");
            match args.cnf.is_none() && beside.is_file() {
                true => mend += &format!(", or pass its formula, --cnf {}", beside.display()),
                false => mend += ", or pass a formula that names it, --cnf FILE",
            }
            bail!("{named_by} does not name its question: {mend}");
        }
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
    // Another formula explains a wrong step.
    let of = match &checked {
        Ok((encoding, _)) => Some(encoding.clone()),
        Err(NotChecked::Unproved { why, encoding }) if matches!(**why, Unproved::Rejected(_)) => {
            encoding.parse().ok()
        }
        Err(_) => None,
    };
    let checked = match (&args.cnf, of) {
        (Some(cnf), Some(encoding)) => input::open(cnf)
            .map_err(|error| NotChecked::from(DimacsError::from(error)))
            .and_then(|file| clausal::same_clauses(&tours, &encoding, file))
            .and(checked),
        _ => checked,
    };
    let (status, said) = match checked {
        Err(NotChecked::OtherClauses { encoding, clause }) => {
            let cnf = args.cnf.as_deref().map_or_else(String::new, input::name);
            (
                Status::NotVerified,
                format!("clause {clause} of {cnf} is not that of {encoding}"),
            )
        }
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
                    true => "; for another encoding pass -e ENCODING",
                    false => "",
                };
                let seems = seems(&args.proof).filter(|seems| *seems != form);
                let which = match seems {
                    Some(other) => format!("; the file looks like {other}: name it .{other}"),
                    None => which.to_owned(),
                };
                let of = format!("from the clauses of {encoding}{which}");
                (Status::NotVerified, format!("{wrong}, {of}"))
            }
        },
        Err(NotChecked::Dimacs(error)) => {
            let cnf = args.cnf.as_deref().map_or_else(String::new, input::name);
            return Err(error).with_context(|| format!("cannot read {cnf}"));
        }
        Err(other) => return Err(other).with_context(|| name.clone()),
    };
    answer(args, &tours, status, form.as_str(), &said, began)
}

/// Returns the form that a text looks like: a line of LRAT begins with its number, and has `d` or a second 0.
fn seems(proof: &Path) -> Option<Form> {
    const FEW: u64 = 1 << 12;
    let mut begin = Vec::new();
    let read = input::open(proof)
        .ok()?
        .take(FEW)
        .read_to_end(&mut begin)
        .ok()?;
    let text = std::str::from_utf8(&begin[..read]).ok()?;
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let words: Vec<_> = lines.next()?.split_ascii_whitespace().collect();
    let are_numbers = |words: &[&str]| words.iter().all(|word| word.parse::<i64>().is_ok());
    let has_hints = words.iter().filter(|word| **word == "0").count() == 2;
    match words.as_slice() {
        [_, "d", ..] => Some(Form::Lrat),
        ["d", literals @ .., "0"] if are_numbers(literals) => Some(Form::Drat),
        [all @ .., "0"] if are_numbers(all) && has_hints => Some(Form::Lrat),
        [all @ .., "0"] if are_numbers(all) => Some(Form::Drat),
        _ => None,
    }
}

/// Reads which question and encoding a formula is about: from its comments, or from the command that made it.
fn formula(cnf: &Path) -> anyhow::Result<(Head, Option<question::Tours>)> {
    let cannot = || format!("cannot read {}", input::name(cnf));
    let head = Head::of_formula(input::open(cnf).with_context(cannot)?).with_context(cannot)?;
    if head.question.is_some() {
        return Ok((head, None));
    }
    match Header::read(&Source::named(cnf))? {
        Some(header) if header.names_its_question() => {
            let (tours, encoding) = header.made_by()?;
            let head = Head {
                encoding: Some(encoding.to_string()),
                ..Head::default()
            };
            Ok((head, Some(tours)))
        }
        _ => Ok((head, None)),
    }
}

/// Says what came out.
fn answer(
    args: &Args,
    tours: &question::Tours,
    status: Status,
    reason: &str,
    said: &str,
    began: Instant,
) -> anyhow::Result<ExitCode> {
    output::print(|out| {
        if args.json {
            let json = Json {
                question: tours.to_string(),
                graph_crc32: Some(tours.checksum()).filter(|crc32| !crc32.is_empty()),
                status,
                message: said,
                wall_seconds: began.elapsed().as_secs_f64(),
                tour: JsonTour::of(tours).with("reason", reason),
            };
            return output::json(out, &Made::here(json));
        }
        match status {
            Status::Verified => writeln!(out, "verified: {said}"),
            _ => writeln!(out, "not verified: {tours}: {reason}: {said}"),
        }
    })?;
    Ok(ExitCode::from(match status {
        Status::Verified => DONE,
        Status::NotVerified => WRONG,
        Status::Unknown => UNKNOWN,
    }))
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

/// Prints `--json`: the fields of a record that a check has. There is no tour.
#[derive(Serialize)]
struct Json<'a> {
    question: String,
    graph_crc32: Option<&'a str>,
    status: Status,
    message: &'a str,
    wall_seconds: f64,
    #[serde(flatten)]
    tour: JsonTour,
}
