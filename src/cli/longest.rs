//! Longest cycles and paths of a graph, which may skip vertices: `--longest` of `hamcnf solve` and `hamcnf encode`, and
//! `hamcnf decode` of such a formula.

use std::time::Instant;

use anyhow::{Context, bail};
use hamcnf::answer::{self, Answer};
use hamcnf::budget::{Budget, Stopped};
use hamcnf::circuit::{CircuitFormula, CircuitModel, Visits};
use hamcnf::cycle::longest::{Longest, longest};
use hamcnf::endpoints::Endpoints;
use hamcnf::json;
use hamcnf::limits::Limits;
use hamcnf::question::{Head, LONGEST, Tours};
use hamcnf::{Encoding, HoledBoard, Instance, Objective, Tour, TourKind, Vertex};
use rustsat::types::Var;

use super::drawing::Drawing;
use super::exit::{NO_TOUR, TOUR, UNKNOWN};
use super::formula::Cost;
use super::header::Header;
use super::instance::QuestionArgs;
use super::interrupt::{Hold, limit};
use super::output::{self, JsonAnswer, JsonOutput};
use super::progress::Progress;
use super::typed;

/// Options of all commands with longest cycles and paths, without the dashes.
const OPTIONS: &str = "longest open start to piece ranks graph-format graph-number undirected arcs weights keep-going";

/// Rejects options of a command that are for tours. `others` are further options of the command, without the dashes.
pub(super) fn check_options(command: &str, others: &str) -> anyhow::Result<()> {
    typed::supported(command, &format!("{OPTIONS} {others}"), "longest cycles and paths")
}

/// Rejects a question with a constraint, or with a start of a cycle.
pub(super) fn check(question: &QuestionArgs, asked: &Tours) -> anyhow::Result<()> {
    if let Some(constraint) = asked.instance().constraints().first() {
        bail!("{asked}: --longest does not support constraints, such as \"{}\": remove them", constraint.name());
    }
    let has_start = typed::first(&["--start"]).is_some() || question.spec()?.start.is_some();
    if has_start && asked.ends() == Endpoints::Closed {
        bail!("{asked}: a longest cycle has no start: remove the start, or add --open for a path from there");
    }
    Ok(())
}

/// Returns the formula of cycles or paths, and minus the number of vertices as their cost.
pub(super) fn formula(asked: &Tours, encoding: &Encoding) -> anyhow::Result<(CircuitFormula, Cost)> {
    let (model, visited) = CircuitModel::of_subgraph(asked.instance(), asked.ends());
    let cost = Cost { objective: Objective::to_maximize(visited), is_minimized: true, most: None };
    let formula = model.encode(encoding).with_context(|| asked.to_string())?;
    Ok((formula, cost))
}

/// Returns the comments of a formula, from which `hamcnf decode` makes it again.
pub(super) fn comments(asked: &Tours, encoding: &Encoding) -> Vec<String> {
    let mut comments = Head::comments(asked, encoding);
    let n = asked.instance().n();
    comments.push(LONGEST.to_owned());
    comments.push(format!(
        "visited vertices: {n} minus the number of violated soft clauses; in OPB, the objective without its sign"
    ));
    comments.push(format!("{} of a model: hamcnf decode THIS-FILE ANSWER", shape(asked)));
    comments
}

/// Searches for a longest cycle or path, and prints and draws it. The time limit counts from `began`.
pub(super) fn solve(
    asked: &Tours,
    seed: u32,
    limits: Limits,
    is_json: bool,
    drawing: &Drawing,
    began: Instant,
) -> anyhow::Result<u8> {
    if drawing.is_given() && asked.instance().squares().is_none() {
        bail!("{asked}: --render with --longest is for boards: remove --render");
    }
    let (hold, shape) = (Hold::new(), shape(asked));
    let progress = Progress::new(format_args!("{asked}: searching for a longest {shape}"));
    let budget = Budget::new(limits.deadline(began), hold.stop().clone());
    let mut better =
        |found| progress.show(format_args!("{asked}: searching for a {shape} of more than {found} vertices"));
    let found = longest(asked.instance(), asked.ends(), seed, &budget, &mut better);
    let Longest { order, stopped } = found.with_context(|| asked.to_string())?;
    drop(progress);
    let stopped = stopped.map(|stopped| match stopped {
        Stopped::Cancelled => limit().to_owned(),
        other => other.to_string(),
    });
    let (code, status, words) = match (order.len(), stopped) {
        (0, None) => (NO_TOUR, format!("no-{shape}"), format!("there is no {shape}")),
        (0, Some(limit)) => {
            (UNKNOWN, "unknown".to_owned(), format!("no {shape} was found, but one may exist ({limit})"))
        }
        (k, None) => (TOUR, format!("longest-{shape}"), format!("a longest {shape}, {}", checked(k, asked))),
        (k, Some(limit)) => {
            let words = format!("a {shape}, {}; a longer one may exist ({limit})", checked(k, asked));
            (UNKNOWN, "unknown".to_owned(), words)
        }
    };
    print(asked, &order, (&status, &words), is_json)?;
    if drawing.is_given() && !order.is_empty() {
        let (instance, tour) = of_visited(asked, &order)?;
        drawing.write(&instance, &tour)?;
    }
    Ok(code)
}

/// Returns a cycle or path on a board as a tour of the board without the other squares.
fn of_visited(asked: &Tours, order: &[Vertex]) -> anyhow::Result<(Instance, Tour)> {
    let board = asked.instance().squares().context("pictures are of boards")?;
    let order: Vec<_> = order.iter().map(|&v| board.square(v)).collect();
    let squares = (0..board.board().n_squares()).map(Vertex::new);
    let visited = HoledBoard::new(*board.board(), squares.filter(|v| !order.contains(v)).collect())?;
    let order: Vec<_> = order.into_iter().filter_map(|square| visited.vertex(square)).collect();
    let kind = if asked.ends() == Endpoints::Closed { TourKind::Closed } else { TourKind::Open };
    let instance = Instance::on_holed(visited, kind, order[0])?;
    let tour = Tour::check(&instance, order)?;
    Ok((instance, tour))
}

/// Prints the cycle or path of a solver's answer to a formula. `name` is the answer's name in messages.
pub(super) fn decode(
    header: &Header,
    asked: &Tours,
    encoding: &Encoding,
    text: &[u8],
    name: &str,
    is_json: bool,
) -> anyhow::Result<u8> {
    check_options("decode", "json")?;
    let formula = formula(asked, encoding)?.0;
    let (n_vars, shape) = (header.check_variables(&formula)?, shape(asked));
    let needed = (0..formula.model().n_vars).map(Var::new);
    let answer = answer::read(text, n_vars, needed).with_context(|| format!("cannot decode {name}"))?;
    let (code, status, words, order) = match answer {
        Answer::Satisfiable(model) => {
            let visits = formula.model().circuit.read(|literal| model.holds(literal));
            let (Visits::Circuit(order) | Visits::Path(order)) =
                visits.with_context(|| format!("the model in {name} is no {shape} of {asked}"))?
            else {
                bail!("the model in {name} is no {shape} of {asked}");
            };
            let order: Vec<_> = order.into_iter().map(Vertex::new).collect();
            (TOUR, shape.to_owned(), format!("a {shape}, {}", checked(order.len(), asked)), order)
        }
        Answer::Unsatisfiable => {
            (NO_TOUR, format!("no-{shape}"), format!("the solver reports that there is no {shape}"), Vec::new())
        }
        Answer::Unknown => (UNKNOWN, "unknown".to_owned(), "the solver gives no answer".to_owned(), Vec::new()),
    };
    print(asked, &order, (&status, &words), is_json)?;
    Ok(code)
}

fn shape(asked: &Tours) -> &'static str {
    if asked.ends() == Endpoints::Closed { "cycle" } else { "path" }
}

fn checked(vertices: usize, asked: &Tours) -> String {
    format!("checked move by move: {vertices} of {} vertices", asked.instance().n())
}

/// Prints an answer with its status in JSON or in words.
fn print(asked: &Tours, order: &[Vertex], (status, words): (&str, &str), is_json: bool) -> anyhow::Result<()> {
    let names: Vec<_> = order.iter().map(|&v| asked.instance().vertex_name(v)).collect();
    output::print(|out| {
        if is_json {
            let fields = json::without_tour(asked).with("vertices", names.len()).with(shape(asked), names);
            return output::json(out, &JsonOutput::new(JsonAnswer::new(asked, status, fields)));
        }
        writeln!(out, "{asked}: {words}")?;
        if !names.is_empty() {
            writeln!(out, "\n{}", names.join(" "))?;
        }
        Ok(())
    })
}
