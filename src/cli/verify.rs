//! `hamcnf verify`: checks a proof that there is no tour.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use hamcnf::Encoding;
use hamcnf::check::{DimacsError, Unproved, steps_in_words};
use hamcnf::endpoints::Endpoints;
use hamcnf::formats::ending;
use hamcnf::json;
use hamcnf::limits::Limits;
use hamcnf::proof::{Form, Steps};
use hamcnf::question::{self, Files, Head, QuestionSpec, TextSource};
use hamcnf::refute::checked::{NotChecked, Proved, Reading, Verdict, same_clauses};
use serde::Serialize;

use super::complete;
use super::exit::{DONE, UNKNOWN, WRONG};
use super::input;
use super::instance::{QuestionOptions, encoding, places, question_spec};
use super::interrupt::Hold;
use super::limits::WallLimit;
use super::mistake::{graph_mistake, with_help};
use super::model::{NO_CERTIFICATE, NamedModel};
use super::output::{self, JsonAnswer, JsonOutput};
use super::progress::Progress;
use super::typed;

/// Check a proof that there is no tour
///
/// Reads a proof from `hamcnf solve --proof`; the checkers share no code with the solver. A certificate (.cert) is
/// checked against the graph. A derivation (.drat, .lrat, .pbp) is checked against the clauses of the encoding, which
/// hamcnf generates again. DRAT and LRAT files do not name their question: type the question, or pass the formula with
/// --cnf. Exit codes: 0 verified, 1 wrong, 2 unreadable or about another question, 3 a limit was reached or the proof
/// is too large to check.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf solve 9x9 --proof 9x9.cert; hamcnf verify 9x9 --proof 9x9.cert
  hamcnf verify 9x9.cert                   the file names the question
  hamcnf verify 4x20 --open --proof x.cert.gz --time-limit 60
  hamcnf verify graph.col --proof graph.cert --json | jq .status
  hamcnf verify 4x6 --proof p.drat
  hamcnf verify 3x8 -e unary --proof p.lrat
  hamcnf verify p.cnf p.lrat               the formula's header names the question
  hamcnf verify model.cnf --proof p.drat   a model with a circuit, from `hamcnf solve model.cnf --proof p.drat`")]
pub(crate) struct Args {
    #[arg(value_name = "BOARD|GRAPH|FILE", add = complete::places(), help = format!("{} [default: the question that the file names]", places()))]
    words: Vec<String>,
    #[command(flatten)]
    options: QuestionOptions,
    /// Proof file, possibly compressed: a derivation if its name ends in .drat, .lrat or .pbp, else a certificate; -
    /// reads a certificate from standard input
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Encoding of the clauses [default: the encoding that a file names, else "precedence"; for a model with a circuit,
    /// "successor"]
    #[arg(long, short, value_parser = encoding(), add = complete::encodings())]
    encoding: Option<Encoding>,
    /// DIMACS formula of the proof; its comments name the question and the encoding, and it must contain exactly the
    /// clauses of the encoding
    #[arg(long, value_name = "FILE", conflicts_with = "encoding")]
    cnf: Option<PathBuf>,
    #[command(flatten)]
    wall: WallLimit,
    /// Print a JSON object with the question, the status and a "details" object
    #[arg(long)]
    json: bool,
}

/// Question and files that the arguments name.
struct Input {
    spec: Option<QuestionSpec>,
    proof: PathBuf,
    cnf: Option<PathBuf>,
}

impl Input {
    /// Recognizes proofs and formulas among the words by their extensions, unless options name such a file. The other
    /// words are the question.
    fn new(args: &Args) -> anyhow::Result<Self> {
        let is_empty = |file: &&Path| file.metadata().is_ok_and(|found| found.is_file() && found.len() == 0);
        if let Some(file) = args.words.iter().map(Path::new).chain(args.proof.as_deref()).find(is_empty) {
            bail!("\"{}\" is an empty file", file.display());
        }
        let (mut proof, mut cnf, mut question) = (args.proof.clone(), args.cnf.clone(), Vec::new());
        for word in &args.words {
            let file = Path::new(word);
            match ending(file).as_deref() {
                _ if Form::named(file).is_ok() && proof.is_none() => proof = Some(file.to_owned()),
                Some("cnf") if cnf.is_none() => cnf = Some(file.to_owned()),
                _ => question.push(word.as_str()),
            }
        }
        let text = question.join(" ");
        let spec = match question.is_empty() {
            true => None,
            false => {
                Some(question_spec(&text).map_err(|wrong| anyhow!(with_help(&graph_mistake(&text, &wrong), HELP)))?)
            }
        };
        if let (None, Some(option)) = (&spec, typed::of::<QuestionOptions>()) {
            bail!("{option} needs a board or graph: name the board or graph, or remove {option}");
        }
        let Some(proof) = proof else { bail!(with_help("no proof is named: add --proof FILE", HELP)) };
        let spec = spec.map(|spec| args.options.format.of(&spec)).transpose()?;
        Ok(Self { spec, proof, cnf })
    }
}

const HELP: &str = "hamcnf verify --help";

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let began = Instant::now();
    let Input { spec, proof, cnf } = &Input::new(args)?;
    if spec.as_ref().is_some_and(|spec| spec.source.is_standard_input()) && proof.as_os_str() == "-" {
        bail!("standard input cannot be both the graph and the proof: name a file for one of them");
    }
    let form = Form::named(proof);
    let of_formula = cnf.as_deref().map(head).transpose()?;
    let model = match (spec, cnf, &of_formula) {
        (Some(spec), ..) if spec.source.is_lasting() => NamedModel::of(spec, &Files::default())?,
        // A formula that names no question may be a model with a circuit.
        (None, Some(cnf), Some(Head { question: None, .. })) => {
            NamedModel::in_text(&TextSource::named(cnf), &Files::default())?
        }
        _ => None,
    };
    if model.is_some() && !matches!(form, Ok(Form::Steps(_))) {
        bail!(NO_CERTIFICATE);
    }
    if model.is_none() && cnf.is_some() && args.encoding.is_some() {
        bail!("--encoding cannot be combined with a formula, whose comments name the encoding: remove --encoding");
    }
    if let Some(cnf) = cnf.as_ref().filter(|cnf| Form::named(cnf).is_ok())
        && form.is_err()
    {
        let (cnf, proof) = (cnf.display(), proof.display());
        bail!("\"{cnf}\" has the name of a proof, but \"{proof}\" does not: pass --proof {cnf} --cnf {proof}");
    }
    // Standard input, and files with other extensions, are taken as certificates.
    let form = form.unwrap_or(Form::Certificate);
    let name = input::name(proof);
    if let Some(option) = typed::first(&["--encoding"]).or(cnf.as_ref().map(|_| "--cnf"))
        && form == Form::Certificate
    {
        bail!(
            "{name} is read as a certificate, which is checked against the graph; {option} is only for .drat, .lrat and .pbp proofs: remove {option}"
        );
    }
    let progress = input::progress(proof, "verifying");
    let cannot = || format!("cannot read {name}");
    let reading = Reading::begin(input::open(proof).with_context(cannot)?, form);
    let mut reading = reading.with_context(|| match proof.as_os_str() == "-" {
        true => "cannot read standard input as a certificate: save other proofs in a file named .drat, .lrat or .pbp"
            .to_owned(),
        false => cannot(),
    })?;
    let hold = Hold::new();
    let deadline = args.wall.limit().and_then(|limit| Limits::wall(limit).deadline(began));
    let stop = || hold.stop().is_set() || deadline.is_some_and(|end| Instant::now() >= end);
    if let Some(model) = model {
        return of_model(model, args.encoding.as_ref(), reading, &stop, (proof, form));
    }
    let mut named_by = name.clone();
    if let (Some(cnf), Some(head)) = (cnf, of_formula) {
        reading = reading.beside(head);
        named_by = input::name(cnf);
    }
    let tours = match (spec, &reading.head().question) {
        (Some(spec), _) => args.options.load(spec.clone(), &Files::default())?,
        (None, Some(question)) => said(question).with_context(|| format!("cannot read {named_by}"))?,
        (None, None) => {
            let mut mend = format!("type the question, as in `hamcnf verify BOARD|GRAPH --proof {name}`");
            let beside = proof.with_extension("cnf");
            match cnf.is_none() && beside.is_file() {
                true => mend += &format!(", or pass the formula with --cnf {}", beside.display()),
                false => mend += ", or pass a formula that names the question with --cnf FILE",
            }
            bail!("{named_by} does not name its question: {mend}");
        }
    };
    progress.into_iter().for_each(drop);
    let progress = Progress::new(format_args!("verifying {tours}"));
    let is_default = args.encoding.is_none() && reading.head().encoding.is_none();
    let of_clauses = if reading.head().is_split { tours.undirected()? } else { tours.clone() };
    let checked = reading.check(&tours, args.encoding.as_ref(), &stop);
    drop(hold);
    drop(progress);
    let checked = match cnf {
        Some(cnf) => with_formula(cnf, &of_clauses, checked),
        None => checked,
    };
    let kind = match (&checked, form) {
        (Ok(proved), _) => proved.kind(),
        (Err(NotChecked::Unverified { kind, .. }), _) => kind.name,
        (Err(_), form) => form.ending(),
    };
    let (code, said) = match checked {
        Ok(proved) => (DONE, format!("{}: {proved}", no_tour_of(&tours))),
        Err(NotChecked::OtherQuestion { said, asked }) => {
            bail!("{named_by} is about \"{said}\", not about \"{asked}\"")
        }
        Err(error) => unverified((proof, cnf.as_deref()), form, is_default, error)?,
    };
    answer(args, &tours, code, kind, &said, began)
}

/// Checks a proof that no assignment satisfies a model with a circuit, and prints the result.
fn of_model(
    model: NamedModel,
    encoding: Option<&Encoding>,
    reading: Reading<impl BufRead>,
    stop: &dyn Fn() -> bool,
    (proof, form): (&Path, Form),
) -> anyhow::Result<u8> {
    let name = model.name().to_owned();
    let (formula, given) = model.proof_formula(encoding)?;
    let checked = reading.check_clauses(&formula, &given, formula.encoded().is_exact(), stop);
    let (code, line) = match checked {
        Ok(proved) => (DONE, format!("verified: no assignment satisfies {name}: {proved}")),
        Err(error) => {
            let (code, why) = unverified((proof, None), form, encoding.is_none(), error)?;
            (code, format!("not verified: {name}: {why}"))
        }
    };
    output::print(|out| writeln!(out, "{line}"))?;
    Ok(code)
}

/// Returns the exit code to report for a proof that was not verified, and the reason in words. Returns an error if the
/// proof could not be checked at all.
fn unverified(
    (proof, cnf): (&Path, Option<&Path>),
    form: Form,
    is_default: bool,
    error: NotChecked,
) -> anyhow::Result<(u8, String)> {
    let name = input::name(proof);
    let cnf = cnf.map_or_else(String::new, input::name);
    Ok(match (error.verdict(), error) {
        (Verdict::Stopped, error) => {
            let steps = match error.steps() {
                Some(steps) => format!(", after {}", steps_in_words(steps)),
                None => String::new(),
            };
            let limit = super::interrupt::limit();
            (UNKNOWN, format!("the check ended before the end of the proof ({limit}){steps}"))
        }
        (Verdict::TooLarge, error) => (UNKNOWN, error.to_string()),
        (_, NotChecked::OtherClauses { encoding, clause }) => {
            (WRONG, format!("clause {clause} of {cnf} differs from clause {clause} of the encoding \"{encoding}\""))
        }
        (_, error @ NotChecked::Unproved { .. }) => {
            let seems = seems(proof).filter(|seems| Form::Steps(*seems) != form);
            let mend = match (seems, is_default) {
                (Some(other), _) => format!("; the file looks like {other}: name it .{other}"),
                (None, true) => "; for another encoding pass -e ENCODING".to_owned(),
                (None, false) => String::new(),
            };
            (WRONG, format!("{error}{mend}"))
        }
        (Verdict::Wrong, error) => (WRONG, error.to_string()),
        (_, NotChecked::Dimacs(error)) => {
            return Err(error).with_context(|| format!("cannot read {cnf}"));
        }
        (Verdict::Unreadable, error) => {
            return Err(error).with_context(|| format!("cannot read {name}"));
        }
        (_, error) => return Err(error).with_context(|| name),
    })
}

/// Compares the formula in a file with the encoding's clauses, since a different formula would explain a wrong step.
fn with_formula(
    cnf: &Path,
    tours: &question::Tours,
    checked: Result<Proved, NotChecked>,
) -> Result<Proved, NotChecked> {
    let encoding = match &checked {
        Ok(Proved::Steps { encoding, .. }) => Some(encoding.clone()),
        Err(NotChecked::Unproved { why, encoding }) if matches!(**why, Unproved::Rejected(_)) => encoding.parse().ok(),
        _ => None,
    };
    let Some(encoding) = encoding else {
        return checked;
    };
    let file = input::lines(cnf).map_err(|error| NotChecked::from(DimacsError::from(error)))?;
    same_clauses(tours, &encoding, file)?;
    checked
}

/// Guesses the form of a proof from its text. A line of LRAT begins with its number, and contains `d` or a second 0.
fn seems(proof: &Path) -> Option<Steps> {
    const FEW: u64 = 1 << 12;
    let mut begin = Vec::new();
    let read = input::open(proof).ok()?.take(FEW).read_to_end(&mut begin).ok()?;
    let text = std::str::from_utf8(&begin[..read]).ok()?;
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let words: Vec<_> = lines.next()?.split_ascii_whitespace().collect();
    let are_numbers = |words: &[&str]| words.iter().all(|word| word.parse::<i64>().is_ok());
    let has_hints = words.iter().filter(|word| **word == "0").count() == 2;
    match words.as_slice() {
        [_, "d", ..] => Some(Steps::Lrat),
        ["d", literals @ .., "0"] if are_numbers(literals) => Some(Steps::Drat),
        [all @ .., "0"] if are_numbers(all) && has_hints => Some(Steps::Lrat),
        [all @ .., "0"] if are_numbers(all) => Some(Steps::Drat),
        _ => None,
    }
}

/// Reads the comments of a formula.
fn head(cnf: &Path) -> anyhow::Result<Head> {
    let cannot = || format!("cannot read {}", input::name(cnf));
    Head::of_formula(input::open(cnf).with_context(cannot)?).with_context(cannot)
}

/// Prints the result of the check.
fn answer(
    args: &Args,
    tours: &question::Tours,
    code: u8,
    reason: &str,
    said: &str,
    began: Instant,
) -> anyhow::Result<u8> {
    output::print(|out| {
        if args.json {
            let status = match code {
                DONE => "verified",
                WRONG => "not-verified",
                _ => "unknown",
            };
            let answer = JsonAnswer::new(tours, status, json::without_tour(tours).with("reason", reason));
            let json = Json { answer, message: said, wall_seconds: began.elapsed().as_secs_f64() };
            return output::json(out, &JsonOutput::new(json));
        }
        match code {
            DONE => writeln!(out, "verified: {said}"),
            _ => writeln!(out, "not verified: {tours}: {reason}: {said}"),
        }
    })?;
    Ok(code)
}

/// Loads the question that a proof or formula states. If the question names a graph file, the file must exist.
fn said(question: &str) -> anyhow::Result<question::Tours> {
    let told = || format!("its question \"{}\"", question.escape_debug());
    let files = Files::default();
    let spec = QuestionSpec::settled(question, &files).with_context(told)?;
    if spec.source.is_standard_input() {
        bail!(
            "the proof is about a graph that was read from standard input; pass the graph as well: `hamcnf verify GRAPH --proof FILE`"
        );
    }
    spec.load(&files).with_context(told)
}

/// Returns a sentence which states that the question has no tour.
fn no_tour_of(tours: &question::Tours) -> String {
    let (place, instance) = (tours.source(), tours.instance());
    let name = |v| instance.vertex_name(v);
    let open = match tours.ends() {
        Endpoints::Open { from, to } => {
            let from = from.map_or_else(String::new, |v| format!(" from {}", name(v)));
            let to = to.map_or_else(String::new, |v| format!(" to {}", name(v)));
            from + &to
        }
        Endpoints::Closed => String::new(),
    };
    let kind = instance.kind();
    let constraints = instance.shown_constraints();
    format!("there is no {kind} tour of {place}{open}{constraints}")
}

/// Object that `--json` prints: the fields of a record that apply to a check. It contains no tour.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(flatten)]
    answer: JsonAnswer<'a, &'static str>,
    message: &'a str,
    wall_seconds: f64,
}
