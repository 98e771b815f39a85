//! Counting of the models of an encoding's formula with a model counter.

use hamcnf_encodings::{Clauses, Formula, Projection, QueensFormula};
use hamcnf_tours::Queens;
use num_bigint::BigUint;
use rustsat::types::Var;

use super::external::refused_by;
use super::{Counter, Formulated};
use crate::run::{Details, Failure, Models, Refusal, Run, RunResult, Status};
use hamcnf_graph::budget::Stopped;
use hamcnf_programs::engine::{self, EngineAnswer, ModelCount};
use hamcnf_questions::Tours;
use hamcnf_refute::instance::proof_instance;

/// Returns the formula whose models a model counter counts.
///
/// # Errors
///
/// [`Refusal`] if the question has no formula whose models can be counted. No model counter is started.
pub fn countable(formulated: &Formulated, tours: &Tours) -> Result<Formula, Refusal> {
    let instance = proof_instance(tours).map_err(Refusal::new)?;
    let formula = Formula::new(formulated.of_projection(), &instance).map_err(Refusal::new)?;
    if formula.is_exact() {
        return Ok(formula);
    }
    Err(Refusal::new(format!(
        "encoding \"{}\" is relaxed: on {}, some models consist of several cycles, and a model counter would count them too; use an exact encoding, such as \"counting\"",
        formula.encoding(),
        tours.instance()
    )))
}

/// Converts a seed to that of a model counter.
///
/// # Errors
///
/// `SeedTooLarge`.
pub fn counter_seed(seed: u64) -> Result<u32, SeedTooLarge> {
    i32::try_from(seed).map(i32::cast_unsigned).map_err(|_| SeedTooLarge(seed))
}

/// Error for a seed that does not fit into a C `int`, as which model counters read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the seed {0} is too large for a model counter: the largest is {max}", max = i32::MAX)]
pub struct SeedTooLarge(pub u64);

/// Returns the description of a formula and one of its projection sets.
pub(super) fn new(tours: &Tours, formula: &Formula, set: &Projection, vars: Option<&[Var]>) -> Models {
    Models {
        encoding: formula.encoding().clone(),
        set: set.clone(),
        projected_variables: vars.map(<[Var]>::len),
        per_tour: formula.values_per_tour(set),
        directions: directions(tours),
        variables: formula.n_vars(),
    }
}

/// Counts tours with a model counter.
pub(super) fn tours_by(run: &Run<'_>, counter: &Counter, tours: &Tours) -> Result<RunResult, Failure> {
    let formulated = &counter.formula;
    let formula = countable(formulated, tours)?;
    let set = formulated.project.clone().unwrap_or_else(|| formula.counted_on());
    let vars = formula.project(&set).map_err(Refusal::new)?;
    let mut result = RunResult::default();
    let models = new(tours, &formula, &set, vars.as_deref());
    let (per_tour, directions) = (models.per_tour, models.directions);
    result.variables = Some(formula.n_vars().into());
    if let Some(vars) = &vars {
        result.statistics.set("projected_variables", vars.len());
    }
    let (result, found) = count_models(run, counter, &formula, vars.as_deref(), result, |found, result| {
        result.statistics.set("values", &found.count);
        let ratio = f64::from(per_tour) / f64::from(directions);
        result.statistics.set("models_per_tour", ratio);
        // If the set does not distinguish tours, several tours share a value. Then the number of values need not be
        // a multiple of the number of models per tour.
        let is_count = set.tells_tours_apart() && &found.count % per_tour == BigUint::ZERO;
        match found.accuracy {
            None if is_count => (Status::Count, &found.count / per_tour * directions),
            // Rounds to the nearest integer.
            _ => {
                let values = &found.count * directions;
                (Status::Estimate, (values + per_tour / 2) / per_tour)
            }
        }
    })?;
    Ok(if let Some(found) = found { result.with(Details::Counter { models, found }) } else { result })
}

/// Counts placements of queens with a model counter.
pub(super) fn placements_by(run: &Run<'_>, counter: &Counter, queens: &Queens) -> Result<RunResult, Failure> {
    let formula = QueensFormula::new(queens, counter.formula.at_most_one);
    let squares: Vec<_> = formula.squares().collect();
    let mut result = RunResult { variables: Some(formula.n_vars().into()), ..RunResult::default() };
    result.statistics.set("projected_variables", squares.len());
    let (mut result, found) = count_models(run, counter, &formula, Some(&squares), result, |found, _| {
        let status = if found.accuracy.is_some() { Status::Estimate } else { Status::Count };
        (status, found.count.clone())
    })?;
    if let (Some(found), Some(program)) = (found, &result.program) {
        let seed = run.settings().seed;
        let accuracy = found.accuracy.map(|by| format!(", epsilon {}, delta {}, seed {seed}", by.epsilon, by.delta));
        result.how = format!("{program} on {} squares{}", squares.len(), accuracy.unwrap_or_default());
    }
    Ok(result)
}

/// Counts the values of a projection set with a model counter. `read` converts the counter's result to a status and a
/// number.
fn count_models(
    run: &Run<'_>,
    counter: &Counter,
    formula: &impl Clauses,
    set: Option<&[Var]>,
    mut result: RunResult,
    read: impl FnOnce(&ModelCount, &mut RunResult) -> (Status, BigUint),
) -> Result<(RunResult, Option<ModelCount>), Failure> {
    result.clauses = Some(formula.tally().total().clauses);
    run.knows(&result.clone().late());
    let Some(engine) = counter.engine.engine() else {
        return Ok((result.refused(&format!("unknown engine \"{}\"", counter.engine)), None));
    };
    let stop = &run.settings().stop;
    let settings = engine::Settings { limits: run.limits_left(), seed: counter_seed(run.settings().seed)?, stop };
    let title = &engine.title;
    run.settings().observer.doing(|| format!("counting with {title}"));
    let solved = match engine.count(formula, set, counter.accuracy, &settings) {
        Ok(solved) => solved,
        Err(error) => return Ok((refused_by(error, result)?, None)),
    };
    result.wall_seconds = Some(solved.wall_seconds);
    match solved.outcome {
        EngineAnswer::Found(found) => {
            let version = found.version.as_deref().unwrap_or("of unknown version");
            result.program = Some(format!("{title} {version}"));
            result.cpu_seconds = Some(solved.cpu_seconds);
            let (status, answer) = read(&found, &mut result);
            Ok((result.with_value(status, answer), Some(found)))
        }
        EngineAnswer::Unknown(limit @ (Stopped::Time | Stopped::CpuTime)) => {
            let why = format!("{title} has no answer after {:.1} s, the {limit}", solved.wall_seconds);
            Ok((result.ended(Status::Timeout, why), None))
        }
        EngineAnswer::Unknown(why) => Ok((result.stopped(why), None)),
        EngineAnswer::None => Ok((result.stopped(Stopped::GaveUp), None)),
    }
}

/// Returns the number of tours of the question that correspond to a tour of the proof instance: 2 if both ends of an
/// undirected open tour are free, because a tour and its reverse are different tours; otherwise 1.
pub(super) fn directions(tours: &Tours) -> u32 {
    if tours.instance().is_directed() || tours.instance().n() < 2 { 1 } else { tours.ends().directions() }
}
