//! Counting of the models of an encoding's formula with a model counter.

use std::io::{BufWriter, Write};

use hamcnf_encodings::{
    Clauses, DimacsWriter, EncodeError, FixedStartError, Formula, Header, Projection, ProjectionFormat, Queens,
    QueensFormula,
};
use num_bigint::BigUint;
use rustsat::types::Var;

use super::{Advice, Exact, Formulated, Sample};
use crate::question::Tours;
use crate::refute::instance::proof_instance;
use crate::run::{Details, Event, Failure, Models, Run, RunResult, Status};
use hamcnf_engines::count::external::{
    self, CountingResult as Counted, Guarantee, ModelCounter, Places, Request, Seed,
};
use hamcnf_engines::temporary::Temporary;

/// Returns advice for a model counter that ran into a limit.
pub(super) fn advice() -> Vec<Advice> {
    vec![
        Advice::to_use(Exact::default(), ", which needs no formula"),
        Advice::to_use(Sample::default(), ", which estimates"),
        Advice::from("--orientation fixed and a smaller --project set, which help a model counter"),
    ]
}

/// Reason why a question has no formula whose models can be counted with a model counter.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotCountable {
    /// The graph is too large.
    #[error(transparent)]
    FixedStart(#[from] FixedStartError),
    /// The encoding does not accept the question.
    #[error(transparent)]
    Refused(#[from] EncodeError),
    /// The encoding is relaxed: some models are several cycles instead of a tour.
    #[error(
        "encoding \"{encoding}\" is relaxed: on {of}, some models consist of several cycles, and a model counter would count them too; use an exact encoding, such as \"counting\""
    )]
    Relaxed {
        encoding: String,
        /// Name of the board or graph that is encoded.
        of: String,
    },
}

/// Returns the formula whose models a model counter counts.
///
/// # Errors
///
/// [`NotCountable`] if the question has no formula whose models can be counted. No model counter is started.
pub fn countable(formulated: &Formulated, tours: &Tours) -> Result<Formula, NotCountable> {
    let formula = Formula::new(formulated.of_projection(), &proof_instance(tours)?)?;
    if !formula.is_exact() {
        return Err(NotCountable::Relaxed {
            encoding: formula.encoding().to_string(),
            of: tours.instance().to_string(),
        });
    }
    Ok(formula)
}

/// Converts the run's seed to a seed of a model counter.
pub(super) fn seed(run: &Run<'_>) -> Result<Seed, Failure> {
    Ok(Seed::try_from(u32::try_from(run.settings().seed)?)?)
}

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
pub(super) fn tours_by(
    run: &Run<'_>,
    counter: ModelCounter,
    formulated: &Formulated,
    tours: &Tours,
) -> Result<RunResult, Failure> {
    let formula = match countable(formulated, tours) {
        Ok(formula) => formula,
        Err(why) => return Ok(RunResult::default().refused(&why)),
    };
    let set = formulated.project.clone().unwrap_or_else(|| formula.counted_on());
    let vars = match formula.project(&set) {
        Ok(vars) => vars,
        Err(refusal) => return Ok(RunResult::default().refused(&refusal)),
    };
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
        match found.guarantee {
            Guarantee::Exact if is_count => (Status::Count, &found.count / per_tour * directions),
            // Rounds to the nearest integer.
            _ => {
                let values = &found.count * directions;
                (Status::Estimate, (values + per_tour / 2) / per_tour)
            }
        }
    })?;
    Ok(match found {
        Some(found) => result.with(Details::Counter { models, found }),
        None => result,
    })
}

/// Counts placements of queens with a model counter.
pub(super) fn placements_by(
    run: &Run<'_>,
    counter: ModelCounter,
    formulated: &Formulated,
    queens: &Queens,
) -> Result<RunResult, Failure> {
    let formula = QueensFormula::new(queens, formulated.at_most_one);
    let squares: Vec<_> = formula.squares().collect();
    let mut result = RunResult { variables: Some(formula.n_vars().into()), ..RunResult::default() };
    result.statistics.set("projected_variables", squares.len());
    let (result, _) = count_models(run, counter, &formula, Some(&squares), result, |found, _| {
        let status = match found.guarantee {
            Guarantee::Exact => Status::Count,
            Guarantee::Approximate { .. } => Status::Estimate,
        };
        (status, found.count.clone())
    })?;
    Ok(result)
}

/// Counts the values of a projection set with a model counter. `read` converts the counter's result to a status and a
/// number.
fn count_models(
    run: &Run<'_>,
    counter: ModelCounter,
    formula: &impl Clauses,
    set: Option<&[Var]>,
    mut result: RunResult,
    read: impl FnOnce(&external::ModelCount, &mut RunResult) -> (Status, BigUint),
) -> Result<(RunResult, Option<external::ModelCount>), Failure> {
    let clauses = formula.tally().total().clauses;
    result.clauses = Some(clauses);
    run.knows(&result.clone().late());
    let header = Header {
        comments: &[],
        variables: formula.n_vars(),
        clauses,
        projection: set.map(|set| (ProjectionFormat::Show, set)),
        names: None,
    };
    let mut file = Temporary::for_a_child(".cnf")?;
    let mut writer = DimacsWriter::new(BufWriter::new(file.file_mut()), &header);
    formula.emit(&mut writer);
    writer.finish()?.flush()?;
    let limits = run.limits_left();
    if limits.wall.is_some_and(|left| left.is_zero()) {
        return Ok((result.late(), None));
    }
    let request = Request {
        file: file.file().path(),
        counter,
        limits,
        places: &Places::from_environment(),
        fetch: run.settings().fetch,
        stop: &run.settings().stop,
    };
    let observer = &run.settings().observer;
    observer.doing(|| format!("counting with {counter}"));
    match external::run(&request, &mut |remark| {
        observer.notify(Event::Remark(remark));
    })? {
        Counted::Counted(found) => {
            let version = found.version.as_deref().unwrap_or("of unknown version");
            result.solver = Some(format!("{counter} {version}"));
            result.wall_seconds = Some(found.wall_seconds);
            result.cpu_seconds = Some(found.cpu_seconds);
            let (status, answer) = read(&found, &mut result);
            Ok((result.with_value(status, answer), Some(found)))
        }
        Counted::TimedOut { wall_seconds } => {
            result.wall_seconds = Some(wall_seconds);
            let why = format!("{counter} has no answer after {wall_seconds:.1} s, the time limit");
            Ok((result.ended(Status::Timeout, why), None))
        }
    }
}

/// Returns the number of tours of the question that correspond to a tour of the proof instance: 2 if both ends of an
/// undirected open tour are free, because a tour and its reverse are different tours; otherwise 1.
pub(super) fn directions(tours: &Tours) -> u32 {
    match tours.instance().is_directed() || tours.instance().n() < 2 {
        true => 1,
        false => tours.ends().directions(),
    }
}
