//! Counting the models of an encoding: every tour by CaDiCaL, or all by a model counter.

use std::time::Instant;

use anyhow::bail;
use hamcnf::count::enumerate::{Tours, fastest, tours_of};
use hamcnf::count::external::{Answer as Found, Counter, Guarantee, Outcome, Source};
use hamcnf::count::projected::projected;
use hamcnf::count::{Method, Start};
use hamcnf::solve;
use hamcnf::{Clauses, Encoding, Formula, Instance, Projection};
use num_bigint::BigUint;

use super::Task;
use super::answer::{self, Answer, Figures, Limit, Projected};
use crate::cli::counter;
use crate::cli::deadline::{self, Waited};
use crate::cli::interrupt::{Hold, limit};
use crate::cli::output::digits;

fn encoding(task: &Task<'_>) -> anyhow::Result<Encoding> {
    let counting = || "counting".parse().expect("an encoding of ours");
    let chosen = task.args.encoding.clone().unwrap_or_else(counting);
    task.args.variant.of(&chosen, &task.instance)
}

pub(super) fn enumerate(task: &mut Task<'_>) -> anyhow::Result<Answer> {
    let instance = task.instance.clone();
    let deadline = task.deadline();
    let set = match &task.args.project {
        Some(_) if task.start == Start::Anywhere => {
            bail!("--project is about one formula: say with --start which open tours")
        }
        Some(set) => {
            let formula = Formula::new(encoding(task)?, &instance)?;
            let vars = formula.project(set)?;
            vars.map(|vars| (formula, set.clone(), vars))
        }
        None => None,
    };
    let starts: Vec<_> = match task.start {
        Start::Given => vec![instance.clone()],
        Start::Anywhere => {
            let vertices = instance.graph().vertices();
            vertices
                .map(|v| instance.starting_at(v))
                .collect::<Result<_, _>>()?
        }
    };
    // The values of a projection set are read off the tours, whichever encoding these come from.
    let by = match (&task.args.encoding, &set) {
        (Some(_), None) => encoding(task)?,
        _ => fastest(),
    };
    let mut tick = |&n: &usize| task.show(format_args!("{n} tours found"));
    let hold = Hold::new();
    let waited = deadline::wait(deadline, Some(hold.stop()), &mut tick, move |worker| {
        worker.answer(listed(&by, &starts, deadline, &|n| {
            worker.know(|known| *known = n);
        }));
    });
    let at_least = |task: &Task<'_>, n: usize| Answer::AtLeast {
        count: BigUint::from(n) * task.directions(),
        how: format!("found and checked before the {}", limit()),
    };
    let found = match waited {
        Waited::Late(n) => return Ok(at_least(task, n)),
        Waited::Answer(listed) => listed?,
    };
    if !found.complete {
        return Ok(at_least(task, found.found.len()));
    }
    let found = found.found;
    let count = BigUint::from(found.len()) * task.directions();
    let projected = match set {
        Some((formula, projection, vars)) => {
            let exact = projected(&formula, &found, &vars)?;
            Some(Projected {
                encoding: formula.encoding().to_string(),
                models: exact.models,
                values: exact.values,
                models_per_tour: formula.values_per_tour(&projection),
                as_tours: exact.values as f64 / f64::from(formula.values_per_tour(&projection)),
                projection: projection.to_string(),
            })
        }
        None => None,
    };
    Ok(Answer::Exactly {
        count,
        how: "each found and checked".to_owned(),
        figures: Figures {
            projected,
            ..Figures::default()
        },
    })
}

/// The tours from all starts, as far as the deadline allows. `progress` is given their number as it grows.
fn listed(
    by: &Encoding,
    starts: &[Instance],
    deadline: Option<Instant>,
    progress: &dyn Fn(usize),
) -> anyhow::Result<Tours> {
    let (mut found, mut complete) = (Vec::new(), true);
    for from in starts {
        let options = solve::Options {
            time_limit: deadline::left(deadline),
            ..solve::Options::default()
        };
        let before = found.len();
        let formula = Formula::new(by.clone(), from)?;
        let tours = tours_of(&formula, &options, &mut |found| {
            progress(before + found.len());
        })?;
        found.extend(tours.found);
        complete &= tours.complete;
    }
    Ok(Tours { found, complete })
}

pub(super) fn external(task: &mut Task<'_>) -> anyhow::Result<Answer> {
    let args = task.args;
    if task.start == Start::Anywhere {
        bail!("a model counter counts one formula: say with --start which open tours");
    }
    let counter = match task.method {
        Method::Ganak => counter::ganak(args.seed)?,
        _ => args.approximation.approxmc(args.seed)?,
    };
    let instance = task.instance.clone();
    let formula = Formula::new(encoding(task)?, &instance)?;
    if !formula.is_exact() {
        bail!(
            "{} is relaxed: some of its models on {instance} are several cycles, which a model counter would count",
            formula.encoding()
        );
    }
    let projection = args.project.clone();
    let projection = projection.unwrap_or_else(|| formula.counted_on());
    let set = formula.project(&projection)?;
    let name = instance.name();
    let outcome = counter::run(
        counter,
        &formula,
        name,
        set.as_deref(),
        args.time_limit,
        args.network,
    )?;
    let found = match outcome {
        Outcome::Counted(found) => found,
        Outcome::TimedOut { wall_seconds } => {
            return Ok(Answer::Stopped {
                limit: Limit::Time,
                why: counter::out_of_time(counter, wall_seconds),
            });
        }
    };
    let figures = Figures {
        counter: Some(figures(
            &formula,
            &projection,
            set.as_deref(),
            &found,
            task,
            counter,
        )),
        ..Figures::default()
    };
    let per_tour = formula.values_per_tour(&projection);
    let version = found.version.as_deref().unwrap_or("of unknown version");
    let on = match (&projection, &set) {
        (Projection::None, _) | (_, None) => "all variables".to_owned(),
        (set, Some(vars)) => format!("{set} ({} variables)", vars.len()),
    };
    let divided = if per_tour == 1 {
        String::new()
    } else {
        format!(" / {per_tour}")
    };
    let how = format!(
        "{counter} {version}: {}{divided} on {on}, encoding {}",
        found.count,
        formula.encoding()
    );
    let directed = &found.count * task.directions();
    // On a set that is no independent support the values need not be a multiple of the models of a tour.
    let is_whole = &directed % per_tour == BigUint::ZERO;
    Ok(match found.guarantee {
        Guarantee::Exact if is_whole => Answer::Exactly {
            count: directed / per_tour,
            how,
            figures,
        },
        guarantee => Answer::About {
            estimate: as_f64(&directed) / f64::from(per_tour),
            how: match guarantee {
                Guarantee::Exact => how,
                Guarantee::Approximate { epsilon, delta } => {
                    format!(
                        "{how}, epsilon {epsilon}, delta {delta}, seed {}",
                        args.seed
                    )
                }
            },
            figures,
        },
    })
}

fn figures(
    formula: &Formula,
    projection: &Projection,
    set: Option<&[rustsat::types::Var]>,
    found: &Found,
    task: &Task<'_>,
    counter: Counter,
) -> answer::Counter {
    let (epsilon, delta) = match found.guarantee {
        Guarantee::Exact => (None, None),
        Guarantee::Approximate { epsilon, delta } => (Some(epsilon), Some(delta)),
    };
    answer::Counter {
        encoding: formula.encoding().to_string(),
        projection: projection.to_string(),
        projected_variables: set.map(<[_]>::len),
        variables: formula.n_vars(),
        clauses: formula.tally().total().clauses,
        values: digits(&found.count),
        values_text: found.count.to_string(),
        models_per_tour: formula.values_per_tour(projection),
        epsilon,
        delta,
        seed: task.args.seed,
        program: counter.to_string(),
        version: found.version.clone(),
        source: match &found.source {
            Source::Program(_) => "program on the PATH".to_owned(),
            Source::Pypi => "PyPI".to_owned(),
        },
        cpu_seconds: found.cpu_seconds,
        wall_seconds: found.wall_seconds,
    }
}

/// The nearest floating point number, infinite if there is none.
fn as_f64(value: &BigUint) -> f64 {
    value.to_string().parse().unwrap_or(f64::INFINITY)
}
