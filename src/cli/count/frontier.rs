//! Counting along a frontier: exactly, from a sample, by a decision diagram.

use std::fmt::Display;
use std::io::Write;

use hamcnf::count::frontier::diagram::{self, Diagram, DiagramError};
use hamcnf::count::frontier::exact::{self, ExactError};
use hamcnf::count::frontier::sample::{self, Repetitions, SampleError};
use hamcnf::count::frontier::{self, Bytes};
use hamcnf::count::treewidth::{self, TreewidthError};
use hamcnf::stop::Stop;
use num_bigint::BigUint;

use super::Task;
use super::answer::{Answer, Figures, Frontier, Limit, Sample, rounded};
use crate::cli::drawing::heading;
use crate::cli::{complain, output};

fn options(task: &Task<'_>) -> exact::Options {
    exact::Options {
        threads: task.threads(),
        memory: task.args.memory.bytes(),
        deadline: task.deadline(),
        prune: true,
        try_hard: task.args.try_it,
    }
}

/// Says how far a sweep is.
fn layers(at: frontier::Progress) -> String {
    format!(
        "vertex {} of {}, {} states, {}",
        at.layer,
        at.layers,
        at.states,
        Bytes(at.bytes)
    )
}

/// Says at the beginning if the states may not fit: more may come of it, but not surely.
fn warn(task: &Task<'_>, limit: u64, at: frontier::Progress) {
    if at.layer == 0 && at.most_bytes > limit as f64 {
        complain(&format!(
            "{}: up to {:.1e} states by their degrees, {} in all, may exceed the memory limit of {}; if they \
             do, {}",
            task.instance.name(),
            at.most_states,
            Bytes(at.most_bytes as u64),
            Bytes(limit),
            task.instead(),
        ));
    }
}

fn at_limit(limit: Limit, why: &impl ToString) -> Answer {
    let why = why.to_string();
    Answer::Stopped { limit, why }
}

fn stopped<T>(result: Result<T, ExactError>) -> anyhow::Result<Result<T, Answer>> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(error @ ExactError::Memory { .. }) => Ok(Err(at_limit(Limit::Memory, &error))),
        Err(error @ ExactError::Time { .. }) => Ok(Err(at_limit(Limit::Time, &error))),
        Err(error @ ExactError::Hopeless { .. }) => {
            let said = format!("{error}, so it is not begun: --try counts all the same");
            Ok(Err(at_limit(Limit::Memory, &said)))
        }
        Err(ExactError::TooWide(error)) => Err(too_wide(&error)),
        Err(error) => Err(error.into()),
    }
}

/// What else there is where no frontier is narrow enough.
fn too_wide(error: &impl Display) -> anyhow::Error {
    anyhow::anyhow!(
        "{error}; --method approxmc estimates and ganak counts without a frontier, --method enumerate finds tours one by \
         one, and hamcnf solve finds one"
    )
}

pub(super) fn treewidth(task: &mut Task<'_>) -> anyhow::Result<Answer> {
    match over_tree(task)? {
        Some(answer) => Ok(answer),
        None => Err(too_wide(&TreewidthError::TooWide {
            name: task.instance.name().to_owned(),
        })),
    }
}

/// The count over a tree decomposition, if there is one that is narrow enough.
fn over_tree(task: &Task<'_>) -> anyhow::Result<Option<Answer>> {
    let options = treewidth::Options {
        memory: task.args.memory.bytes(),
        deadline: task.deadline(),
        stop: Stop::default(),
    };
    let counted = match treewidth::count(&task.instance, task.start, &options) {
        Ok(counted) => counted,
        Err(error @ (TreewidthError::Memory { .. } | TreewidthError::TooMany { .. })) => {
            return Ok(Some(at_limit(Limit::Memory, &error)));
        }
        Err(error @ TreewidthError::Time { .. }) => {
            return Ok(Some(at_limit(Limit::Time, &error)));
        }
        Err(TreewidthError::TooWide { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    Ok(Some(Answer::Exactly {
        count: counted.count * task.directions(),
        how: format!(
            "exact, over a tree decomposition of width {}",
            counted.width
        ),
        figures: Figures {
            width: Some(counted.width),
            ..Figures::default()
        },
    }))
}

pub(super) fn exact(task: &mut Task<'_>) -> anyhow::Result<Answer> {
    let (instance, start, options) = (task.instance.clone(), task.start, options(task));
    let mut warned = false;
    let mut show = |at| {
        // Numbers that turn out to be too narrow begin again.
        if !std::mem::replace(&mut warned, true) {
            warn(task, options.memory, at);
        }
        task.show(format_args!("{}", layers(at)));
    };
    let counted = exact::count(&instance, start, &options, &mut show);
    // Where nobody has said how, a tree may be narrow where no frontier is.
    if matches!(counted, Err(ExactError::TooWide(_)))
        && task.args.method.is_none()
        && let Some(answer) = over_tree(task)?
    {
        return Ok(answer);
    }
    let exact = match stopped(counted)? {
        Ok(exact) => exact,
        Err(answer) => return Ok(answer),
    };
    Ok(Answer::Exactly {
        count: &exact.count * task.directions(),
        how: format!(
            "exact, along a frontier of {} {}, at most {} states in {}",
            exact.width,
            match instance.squares() {
                Some(_) => "squares",
                None => "vertices",
            },
            exact.peak_states,
            Bytes(exact.peak_bytes)
        ),
        figures: Figures {
            frontier: Some(Frontier::from(&exact)),
            ..Figures::default()
        },
    })
}

pub(super) fn by_start(task: &mut Task<'_>) -> anyhow::Result<Answer> {
    let (instance, options) = (task.instance.clone(), options(task));
    let mut show = |known, at| {
        task.show(format_args!(
            "{known} of {} squares known, {}",
            instance.n(),
            layers(at)
        ));
    };
    Ok(
        match stopped(exact::by_start(&instance, &options, &mut show))? {
            Ok(counts) => Answer::ByStart(counts),
            Err(answer) => answer,
        },
    )
}

pub(super) fn sample(task: &mut Task<'_>) -> anyhow::Result<Answer> {
    let args = task.args;
    let options = sample::Options {
        states: args.states,
        repetitions: Repetitions::new(args.repetitions).expect("the parser wants two"),
        seed: args.seed,
        threads: task.threads(),
        deadline: task.deadline(),
    };
    let (instance, start) = (task.instance.clone(), task.start);
    let mut show = |done, at| {
        task.show(format_args!(
            "{done} of {} repetitions, {}",
            args.repetitions,
            layers(at)
        ));
    };
    let estimate = match sample::estimate(&instance, start, &options, &mut show) {
        Ok(estimate) => estimate,
        Err(error @ SampleError::Time) => return Ok(at_limit(Limit::Time, &error)),
        Err(error @ SampleError::Nothing { .. }) => return Ok(at_limit(Limit::Sample, &error)),
        Err(SampleError::TooWide(error)) => return Err(too_wide(&error)),
    };
    let figures = Figures {
        sample: Some(Sample::new(&estimate, task)),
        ..Figures::default()
    };
    let factor = f64::from(task.directions());
    // Sums of whole numbers below 2^53 are exact.
    let is_whole = estimate.exact && estimate.mean * factor < (1u64 << 53) as f64;
    if is_whole {
        return Ok(Answer::Exactly {
            count: BigUint::from((estimate.mean * factor) as u64),
            how: format!(
                "exact, as there were no more than {} states",
                estimate.peak_states
            ),
            figures,
        });
    }
    let error = estimate.standard_error * factor;
    Ok(Answer::About {
        estimate: estimate.mean * factor,
        how: format!(
            "standard error {:.1} %, 95 % interval {} to {}, {} repetitions with {} states, seed {}",
            100.0 * error / (estimate.mean * factor),
            rounded(estimate.interval.0 * factor),
            rounded(estimate.interval.1 * factor),
            estimate.repetitions.len(),
            args.states,
            args.seed,
        ),
        figures,
    })
}

pub(super) fn zdd(task: &mut Task<'_>) -> anyhow::Result<Answer> {
    let args = task.args;
    let options = diagram::Options {
        memory: task.args.memory.bytes(),
        deadline: task.deadline(),
    };
    let (instance, start) = (task.instance.clone(), task.start);
    let built = Diagram::new(&instance, start, &options, &mut |at| {
        task.show(format_args!("{}", layers(at)));
    });
    let diagram = match built {
        Ok(diagram) => diagram,
        Err(error @ DiagramError::Memory { .. }) => return Ok(at_limit(Limit::Memory, &error)),
        Err(error @ DiagramError::Time { .. }) => return Ok(at_limit(Limit::Time, &error)),
        Err(DiagramError::TooWide(error)) => return Err(too_wide(&error)),
    };
    if let Some(file) = &args.dot {
        task.show(format_args!("writing {}", file.display()));
        output::to(Some(file), |out| {
            Ok(diagram.write_dot(std::io::BufWriter::new(out))?)
        })?;
    }
    if let Some(file) = &args.list {
        task.show(format_args!("writing {}", file.display()));
        output::to(Some(file), |out| {
            let mut out = std::io::BufWriter::new(out);
            heading(&instance, &mut out)?;
            for tour in diagram.tours() {
                let names: Vec<_> = tour
                    .order()
                    .iter()
                    .map(|&v| instance.vertex_name(v))
                    .collect();
                writeln!(out, "{}", names.join(" "))?;
            }
            Ok(out.flush()?)
        })?;
    }
    Ok(Answer::Exactly {
        count: diagram.count() * task.directions(),
        how: format!(
            "a decision diagram of {} nodes over {} edges",
            diagram.nodes(),
            diagram.elements().len()
        ),
        figures: Figures {
            nodes: Some(diagram.nodes()),
            ..Figures::default()
        },
    })
}
