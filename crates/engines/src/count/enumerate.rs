//! Counting by finding: solve, block what was found, and solve again, until there is none left.
//!
//! [`tours_of`] lists the tours of a formula once each, blocking a closed tour in both directions. Where it is
//! the tours that matter and not the encoding, [`tours`] lists them by the [fastest](defaults::listed).
//! [`models`] lists the models of a given formula on a projection set, and so proves how many there are.

use std::collections::HashSet;
use std::ops::ControlFlow;

use hamcnf_encodings::{
    Clauses, EncodeError, Formula, Instance, Model, NotAPlacement, Placement, QueensFormula, Tour,
    Vertex,
};
use rustsat::types::{Clause, Var};

use crate::solve::{Found, Options, Session, SolveError, defaults};

/// Why tours could not be listed.
#[derive(Debug, thiserror::Error)]
pub enum EnumerateError {
    /// The instance has too many variables.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The solver failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The tours that were found.
#[derive(Clone, PartialEq, Debug)]
pub struct Tours {
    /// Each once, closed ones in one of their directions.
    pub found: Vec<Tour>,
    /// Whether these are all; if not, there were enough, or the time limit came first.
    pub complete: bool,
}

/// Lists all tours of an instance, as far as wall time allows, by the [fastest](defaults::listed) encoding. `progress` is called with
/// those found so far, after each.
///
/// # Errors
///
/// [`EnumerateError`].
pub fn tours(
    instance: &Instance,
    options: &Options,
    progress: &mut dyn FnMut(&[Tour]),
) -> Result<Tours, EnumerateError> {
    tours_of(
        &Formula::new(defaults::listed(instance), instance)?,
        options,
        progress,
    )
}

/// Lists all tours of a formula's instance, each found as a model of it, as [`tours`] does.
///
/// # Errors
///
/// [`EnumerateError::Solve`].
pub fn tours_of(
    formula: &Formula,
    options: &Options,
    progress: &mut dyn FnMut(&[Tour]),
) -> Result<Tours, EnumerateError> {
    some_tours_of(formula, usize::MAX, options, progress)
}

/// The same, up to a number of tours.
///
/// # Errors
///
/// [`EnumerateError::Solve`].
pub fn some_tours_of(
    formula: &Formula,
    number: usize,
    options: &Options,
    progress: &mut dyn FnMut(&[Tour]),
) -> Result<Tours, EnumerateError> {
    let mut found: Vec<Tour> = Vec::new();
    let complete = every_tour(formula, options, &mut |tour| {
        found.push(tour);
        progress(&found);
        if found.len() < number {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    Ok(Tours { found, complete })
}

/// Calls `found` on every tour of a formula, each once, until it breaks; none is kept. Whether these were all: if not, it
/// broke or the time limit came first.
///
/// # Errors
///
/// [`EnumerateError::Solve`].
pub fn every_tour(
    formula: &Formula,
    options: &Options,
    found: &mut dyn FnMut(Tour) -> ControlFlow<()>,
) -> Result<bool, EnumerateError> {
    every_model(formula, options, |model| {
        let tour = formula.tour(model).map_err(SolveError::from)?;
        let blocked = formula.blocking(&tour);
        Ok(match found(tour) {
            ControlFlow::Continue(()) => ControlFlow::Continue(blocked),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        })
    })
}

/// Why placements could not be listed.
#[derive(Debug, thiserror::Error)]
pub enum PlacementsError {
    /// The solver failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The solver's model is no placement, which would be an error of the encoding or the solver.
    #[error("CaDiCaL's model is not a placement, which is an error in this program: {0}")]
    Wrong(#[from] NotAPlacement),
}

/// Calls `found` on every placement of some queens, checked, until it breaks. Whether these were all: if
/// not, it broke or the time limit came first.
///
/// # Errors
///
/// [`PlacementsError`].
pub fn placements(
    formula: &QueensFormula,
    options: &Options,
    found: &mut dyn FnMut(Placement) -> ControlFlow<()>,
) -> Result<bool, PlacementsError> {
    let squares: Vec<_> = formula.squares().collect();
    every_model(formula, options, |model| {
        Ok(match found(formula.placement(model)?) {
            ControlFlow::Continue(()) => ControlFlow::Continue(vec![without(model, &squares)]),
            ControlFlow::Break(()) => ControlFlow::Break(()),
        })
    })
}

/// Finds a model, adds the clauses that `found` makes of it, which have to exclude it, and so on until there is
/// none left, which is `true`, or until `found` breaks or the time limit comes.
///
/// # Errors
///
/// Those of the solver, and the first of `found`.
pub fn every_model<E: From<SolveError>>(
    formula: &impl Clauses,
    options: &Options,
    mut found: impl FnMut(&Model) -> Result<ControlFlow<(), Vec<Clause>>, E>,
) -> Result<bool, E> {
    let options = Options {
        many: true,
        ..options.clone()
    };
    let mut session = Session::new(formula, &options)?;
    loop {
        let model = match session.search()? {
            Found::Model(model) => model,
            other => {
                session.leave();
                return Ok(other == Found::None);
            }
        };
        match found(&model)? {
            ControlFlow::Continue(blocks) => blocks.iter().try_for_each(|b| session.add(b))?,
            ControlFlow::Break(()) => return Ok(false),
        }
    }
}

/// The clause that excludes all models with these values of some variables.
#[must_use]
pub fn without(model: &Model, variables: &[Var]) -> Clause {
    let value = |var: Var| model.value(var) == Some(true);
    variables.iter().map(|&var| var.lit(value(var))).collect()
}

/// What an enumeration of models found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Models {
    /// Different values of the projection set in models.
    pub projections: u64,
    /// Different tours among those models, closed ones up to their direction. On an independent support
    /// these are all tours.
    pub tours: HashSet<Vec<Vertex>>,
}

/// Enumerates the models of a formula projected on some of its variables. Every model is decoded, and its
/// tour checked.
///
/// # Errors
///
/// [`SolveError`].
pub fn models(formula: &Formula, projection: &[Var]) -> Result<Models, SolveError> {
    let mut found = Models::default();
    every_model(formula, &Options::default(), |model| {
        let tour = formula.tour(model)?;
        found.projections += 1;
        found.tours.insert(undirected(&tour));
        Ok::<_, SolveError>(ControlFlow::Continue(vec![without(model, projection)]))
    })?;
    Ok(found)
}

/// The lesser of a closed tour's two directions; an open tour as it is.
#[must_use]
pub fn undirected(tour: &Tour) -> Vec<Vertex> {
    let forward = tour.order().to_vec();
    match tour.reversed() {
        Some(reversed) => forward.min(reversed.order().to_vec()),
        None => forward,
    }
}
