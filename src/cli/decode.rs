//! `hamcnf decode`: turns another solver's answer into a tour.

use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, bail};
use hamcnf::answer::{self, Answer};
use hamcnf::endpoints::Endpoints;
use hamcnf::json;
use hamcnf::question::{Files, GraphSource, Head, Tours};
use hamcnf::refute::instance::proof_instance;
use hamcnf::render::file::PlacementRecord;
use hamcnf::render::tsplib;
use hamcnf::solve::defaults;
use hamcnf::{AtMostOne, Clauses, Encoding, Formula, Instance, Queens, QueensFormula, Tour, TourKind, Vertex, Weights};
use rustsat::types::Var;
use serde_json::json;

use super::answer::{described, write_placement};
use super::complete;
use super::drawing::{self, Drawing};
use super::exit;
use super::header::Header;
use super::input;
use super::instance::{QuestionArgs, QuestionOptions, Variant, encoding};
use super::longest;
use super::model::NamedModel;
use super::output::{self, JsonAnswer, JsonOutput};
use super::typed;

/// Turn another solver's answer into a tour, checked move by move
///
/// Reads s and v lines of SAT, MaxSAT and pseudo-Boolean solvers, result files of MiniSat and Glucose, the literals of a model,
/// TSPLIB tours of LKH and Concorde, or Concorde's .sol files. Pass the formula as the first argument: its comments state the question and the
/// encoding. Alternatively, pass the board or graph, with the same options as for `hamcnf encode`. Prints the cost of the
/// tour if the formula was written with --minimize or --max-cost. Exit codes: 10 a tour, 20 no tour according to the
/// solver, 3 no answer.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf encode 8x8 -o 8x8.cnf && kissat 8x8.cnf | hamcnf decode 8x8.cnf -
  minisat 8x8.cnf result; hamcnf decode 8x8.cnf result
  hamcnf encode 8x8 -o 8x8.opb && roundingsat 8x8.opb | hamcnf decode 8x8.opb -
  hamcnf encode roads.txt --minimize -o roads.wcnf && rc2 roads.wcnf | hamcnf decode roads.wcnf -
  hamcnf graph 8x8 -o 8x8.hcp && hamcnf decode 8x8 found.tour
  hamcnf decode 8x8 --encoding unary answer.txt --json")]
pub(crate) struct Args {
    #[command(flatten)]
    question: QuestionArgs,
    /// Encoding, if neither the formula nor the answer names one [default: binary]
    #[arg(long, short, value_parser = encoding(), add = complete::encodings())]
    encoding: Option<Encoding>,
    #[command(flatten)]
    variant: Variant,
    /// Output or result file of the solver; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print a JSON object with the question, the status, the tour and a "details" object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    drawing: Drawing,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    if let Some(queens) = args.question.queens() {
        return placement(queens, args.variant.at_most_one.unwrap_or_default(), args);
    }
    args.drawing.check(None)?;
    if args.question.is_lasting()
        && let Some(model) = NamedModel::of(&args.question.spec()?, &Files::default())?
    {
        return model.decode(&args.file);
    }
    if args.question.is_standard_input() && args.file.as_os_str() == "-" {
        bail!("standard input cannot be both the graph and the solver's answer: name a file for one of them");
    }
    let header = match args.question.spec()?.source {
        // Input that can be read only once, such as a pipe, is taken as a graph, not as a formula.
        GraphSource::Graph(text) if args.question.is_lasting() => Header::read(&text.source)?,
        _ => None,
    };
    let (asked, named) = match &header {
        Some(header) => {
            let option = typed::of::<QuestionOptions>().or(typed::of::<Variant>());
            if let Some(option) = option.or(typed::first(&["--encoding"])) {
                bail!(
                    "{option} cannot be combined with a formula, because the comments of {} name the question and the encoding: remove {option}",
                    header.name()
                );
            }
            if let Some((queens, at_most_one)) = header.queens() {
                return placement(&queens, at_most_one, args);
            }
            let (asked, encoding) = header.asked()?;
            (asked, Some(encoding))
        }
        None => (args.question.asked()?, None),
    };
    let weights = header.as_ref().map(|header| header.weights(&asked)).transpose()?.flatten();
    let instance = asked.instance();
    args.drawing.announce(instance, 1);
    let name = input::name(&args.file);
    let progress = input::progress(&args.file, &asked);
    let cannot = || format!("cannot decode {name}");
    let mut text = Vec::new();
    let mut input = input::open(&args.file).with_context(cannot)?;
    input.read_to_end(&mut text).with_context(cannot)?;
    if let Some((header, encoding)) = header.as_ref().zip(named.as_ref()).filter(|(header, _)| header.is_longest()) {
        return longest::decode(header, &asked, encoding, &text, &name, args.json);
    }
    let listed = std::str::from_utf8(&text).ok().and_then(|text| match tsplib::is(text) {
        true => Some(in_tsplib(text)),
        false => in_sol(text, instance.n()).map(Ok),
    });
    let (code, tour) = match listed {
        Some(listed) => {
            let tour = listed.and_then(|order| found(order, &asked));
            let tour = tour.with_context(|| format!("the tour in {name} is not a tour of {}", instance.name()))?;
            (exit::TOUR, Some(tour))
        }
        None => in_model(args, header.as_ref().zip(named), &asked, weights.as_ref(), &text, &name)?,
    };
    drop(progress);
    let cost = weights
        .as_ref()
        .zip(tour.as_ref())
        .and_then(|(weights, (at, tour))| weights.cost(tour.order(), at.kind() == TourKind::Closed));
    let most = header.as_ref().map(Header::max_cost).transpose()?.flatten();
    if let Some((cost, most)) = cost.zip(most).filter(|(cost, most)| cost > most) {
        bail!("the tour in {name} costs {cost}, but the formula asks for a cost of at most {most}");
    }
    output::print(|out| {
        if args.json {
            let fields = json::without_tour(&asked);
            let fields = match &tour {
                Some((at, tour)) => fields.with_tour(at, tour),
                None => fields,
            };
            let fields = match cost {
                Some(cost) => fields.with("cost", cost),
                None => fields,
            };
            return output::json(out, &JsonOutput::new(JsonAnswer::new(&asked, status(code), fields)));
        }
        match &tour {
            Some((at, tour)) => {
                let cost = cost.map_or_else(String::new, |cost| format!("; cost {cost}"));
                writeln!(out, "{}{cost}\n", drawing::checked(at))?;
                write!(out, "{}", drawing::in_terminal(at, tour))
            }
            None if code == exit::NO_TOUR => {
                writeln!(out, "{}: the solver reports that there is no tour", described(&asked))
            }
            None => writeln!(out, "{}: the solver gives no answer", described(&asked)),
        }
    })?;
    if let Some((at, tour)) = &tour {
        args.drawing.write(at, tour)?;
    }
    Ok(code)
}

/// Instance that starts at the first vertex of the tour, and the tour.
type FoundTour = (Instance, Tour);

/// Returns the order of the vertices in a .sol file of Concorde: their number, then the vertices from 0. `None` for other
/// texts.
fn in_sol(text: &str, n: u32) -> Option<Vec<Vertex>> {
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse().ok());
    let order: Vec<u32> = numbers.next()?.filter(|&count| count == n).and_then(|_| numbers.collect())?;
    let mut sorted = order.clone();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..n).then(|| order.into_iter().map(Vertex::new).collect())
}

/// Returns the order of the vertices in a TSPLIB text.
fn in_tsplib(text: &str) -> anyhow::Result<Vec<Vertex>> {
    let mut tours = tsplib::read(text)?;
    Ok(match (tours.pop(), tours.len()) {
        (Some(tour), 0) => tour.order,
        (None, _) => bail!("the file has no tour"),
        (Some(_), more) => bail!("the file has {} tours: keep only one", more + 1),
    })
}

/// Returns the tour in this order. A closed tour may begin at any vertex, and an open tour may be given backwards.
fn found(mut order: Vec<Vertex>, asked: &Tours) -> anyhow::Result<FoundTour> {
    let instance = asked.instance();
    let start = instance.start();
    let at = match asked.ends() {
        Endpoints::Closed => {
            let first = order.iter().position(|&v| v == start);
            order.rotate_left(first.unwrap_or(0));
            instance.clone()
        }
        Endpoints::Open { from, to } => {
            let ends = |first: Option<&Vertex>, last: Option<&Vertex>| {
                from.is_none_or(|from| first == Some(&from)) && to.is_none_or(|to| last == Some(&to))
            };
            let (first, last) = (order.first(), order.last());
            match (ends(first, last), ends(last, first)) {
                (false, true) => order.reverse(),
                (false, false) if to.is_some() => {
                    bail!("the endpoints of the tour are not the endpoints in the question")
                }
                _ => {}
            }
            match (from, order.first()) {
                (None, Some(&first)) => instance.starting_at(first)?,
                _ => instance.clone(),
            }
        }
    };
    let tour = Tour::check(&at, order)?;
    Ok((at, tour))
}

/// Reads a solver's answer.
fn in_model(
    args: &Args,
    formula: Option<(&Header, Encoding)>,
    asked: &Tours,
    weights: Option<&Weights>,
    text: &[u8],
    name: &str,
) -> anyhow::Result<(u8, Option<FoundTour>)> {
    let (header, named) = formula.unzip();
    let instance = &proof_instance(asked)?;
    let cannot = || format!("cannot decode {name}");
    let open = args.encoding.is_none() && typed::of::<Variant>().is_none();
    let said = head(text);
    if let Some(question) = said.question.as_ref().filter(|_| !said.is_about(asked)) {
        bail!("{name} is the answer to \"{question}\", not to \"{asked}\"");
    }
    let answered: Option<Encoding> = said.encoding.as_ref().and_then(|encoding| encoding.parse().ok());
    if let (Some(formula), Some(answer)) = (&named, &answered)
        && formula != answer
    {
        bail!("{name} is an answer in the encoding \"{answer}\", but the formula has the encoding \"{formula}\"");
    }
    let said = || answered.clone().filter(|_| open);
    let encoding = match named.or_else(said) {
        Some(encoding) => encoding,
        None => {
            let published = || defaults::encoding(defaults::PUBLISHED);
            let chosen = args.encoding.clone().unwrap_or_else(published);
            args.variant.of(&chosen, instance)?
        }
    };
    let formula = Formula::new(encoding, instance)?;
    let n_vars = header.map_or(Ok(formula.n_vars()), |header| header.check(&formula, weights))?;
    // The tour determines all variables, so all variables must have values.
    let all = (0..formula.n_vars()).map(Var::new);
    // An OPB file has cardinality constraints instead of clauses that encode them, so the auxiliary variables of these
    // clauses do not occur.
    let needed: Vec<Var> = match header.is_some_and(Header::is_opb) {
        true => formula.support().collect(),
        false => all.collect(),
    };
    let answer = answer::read(text, n_vars, needed).with_context(cannot)?;
    Ok(match answer {
        Answer::Satisfiable(model) => {
            let no_tour = || {
                let relaxed = match formula.is_exact() {
                    true => String::new(),
                    false => format!(", which the relaxed encoding {} allows", formula.encoding()),
                };
                format!("the model in {name} is not a tour of {}{relaxed}", asked.instance().name())
            };
            let tour = formula.tour(&model).with_context(no_tour)?;
            let tour = instance.original_tour(&tour).with_context(no_tour)?;
            (exit::TOUR, Some(tour))
        }
        Answer::Unsatisfiable => (exit::NO_TOUR, None),
        Answer::Unknown => (exit::UNKNOWN, None),
    })
}

/// Returns the question and the encoding that the comments of an answer name.
fn head(answer: &[u8]) -> Head {
    let mut head = Head::default();
    answer.split(|&b| b == b'\n').filter_map(|line| line.strip_prefix(b"c")).for_each(|comment| head.read(comment));
    head
}

/// Returns the status of an answer in JSON.
fn status(code: u8) -> &'static str {
    match code {
        exit::TOUR => "tour",
        exit::NO_TOUR => "no-tour",
        _ => "unknown",
    }
}

/// Turns another solver's answer into a placement. The number of queens and the encoding of the at-most-one constraints must
/// be those of the formula.
fn placement(queens: &Queens, at_most_one: AtMostOne, args: &Args) -> anyhow::Result<u8> {
    typed::only(queens, "decode", "at-most-one json render numbers plain")?;
    args.drawing.check(Some(queens))?;
    let name = input::name(&args.file);
    let progress = input::progress(&args.file, queens);
    let cannot = || format!("cannot decode {name}");
    let formula = QueensFormula::new(queens, at_most_one);
    let input = input::open(&args.file).with_context(cannot)?;
    let answer = answer::read(input, formula.n_vars(), formula.squares()).with_context(cannot)?;
    let none = || format!("the model in {name} is not a placement of {queens}");
    let (status, code, placement) = match answer {
        Answer::Satisfiable(model) => ("placement", exit::TOUR, Some(formula.placement(&model).with_context(none)?)),
        Answer::Unsatisfiable => ("no-placement", exit::NO_TOUR, None),
        Answer::Unknown => ("unknown", exit::UNKNOWN, None),
    };
    drop(progress);
    output::print(|out| {
        if args.json {
            let placement = placement.as_ref().map(|placement| PlacementRecord::new(queens, placement));
            let mut object = json!(placement);
            object["status"] = status.into();
            return output::json(out, &JsonOutput::new(object));
        }
        match (&placement, code) {
            (Some(placement), _) => write_placement(out, queens, placement),
            (None, exit::NO_TOUR) => writeln!(out, "{queens}: the solver reports that there is no placement"),
            (None, _) => writeln!(out, "{queens}: the solver gives no answer"),
        }
    })?;
    args.drawing.write_placements(queens, placement.as_slice())?;
    Ok(code)
}
