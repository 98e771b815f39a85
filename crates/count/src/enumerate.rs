//! Counting by enumeration: solve, block the solution with a clause, and solve again until no solution is left.
//!
//! [`tours_of`] lists each tour of a formula once, blocking a closed tour in both directions. [`every_model`] passes on the
//! models of a formula; if each is blocked [on a set of variables](without), their number is that of different assignments
//! to this set.

use std::ops::ControlFlow;

use hamcnf_encodings::{Clauses, EncodeError, Formula, Model, QueensFormula};
use hamcnf_graph::Vertex;
use hamcnf_tours::{Placement, Tour};
use rustsat::types::{Clause, Var};

use hamcnf_sat::solve::{Options, Outcome, Session, SolveError};

/// Reason why a solver could not work on the formula of an instance.
#[derive(Debug, thiserror::Error)]
pub enum FormulaError {
    /// The formula of the instance would have too many variables.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Tours found by an enumeration.
#[derive(Clone, PartialEq, Debug)]
pub struct Tours {
    /// List of the tours without repetition. A closed tour is listed in one of its two directions.
    pub found: Vec<Tour>,
    /// True if no other tours exist. False if the requested number of tours or the time limit was reached first.
    pub complete: bool,
}

/// Lists up to `most` tours of a formula's instance within the limits of `options`, by enumerating the models of the
/// formula. Calls `progress` after each tour with all tours found so far.
///
/// # Errors
///
/// Returns [`FormulaError::Solve`] if the solver fails.
pub fn tours_of(
    formula: &Formula,
    most: usize,
    options: &Options,
    progress: &mut dyn FnMut(&[Tour]),
) -> Result<Tours, FormulaError> {
    let mut found: Vec<Tour> = Vec::new();
    let complete = every_tour(formula, options, &mut |tour| {
        found.push(tour);
        progress(&found);
        if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(Tours { found, complete })
}

/// Passes every tour of a formula to `found` once, until `found` breaks. Does not store the tours. Returns true if all
/// tours were visited, false if `found` broke or the time limit was reached first.
///
/// # Errors
///
/// Returns [`FormulaError::Solve`] if the solver fails.
pub fn every_tour(
    formula: &Formula,
    options: &Options,
    found: &mut dyn FnMut(Tour) -> ControlFlow<()>,
) -> Result<bool, FormulaError> {
    every_model(formula, options, |model| {
        let tour = formula.tour(model).map_err(SolveError::from)?;
        let blocked = formula.blocking(&tour);
        Ok(found(tour).map_continue(|()| blocked))
    })
}

/// Checks every placement of the queens and passes it to `found`, until `found` breaks. Returns true if all placements
/// were visited, false if `found` broke or the time limit was reached first.
///
/// # Errors
///
/// [`SolveError`] if the solver fails, or if a model is not a placement.
pub fn placements(
    formula: &QueensFormula,
    options: &Options,
    found: &mut dyn FnMut(Placement) -> ControlFlow<()>,
) -> Result<bool, SolveError> {
    let squares: Vec<_> = formula.squares().collect();
    every_model(formula, options, |model| {
        Ok(found(formula.placement(model)?).map_continue(|()| vec![without(model, &squares)]))
    })
}

/// Enumerates the models of a formula. Each model is passed to `found`, which returns clauses that must exclude this
/// model. The solver adds these clauses and searches again. Returns true if no model is left, false if `found` broke or
/// the time limit was reached first.
///
/// # Errors
///
/// An error of the solver, or the first error that `found` returns.
pub fn every_model<E: From<SolveError>>(
    formula: &impl Clauses,
    options: &Options,
    mut found: impl FnMut(&Model) -> Result<ControlFlow<(), Vec<Clause>>, E>,
) -> Result<bool, E> {
    let options = Options { many: true, ..options.clone() };
    let mut session = Session::new(formula, &options)?;
    loop {
        let model = match session.search()? {
            Outcome::Found(model) => model,
            other => {
                session.leave();
                return Ok(other == Outcome::None);
            }
        };
        match found(&model)? {
            ControlFlow::Continue(blocks) => blocks.iter().try_for_each(|b| session.add(b))?,
            ControlFlow::Break(()) => return Ok(false),
        }
    }
}

/// Returns the clause that excludes all models in which `variables` have the same values as in `model`.
pub fn without(model: &Model, variables: &[Var]) -> Clause {
    let value = |var: Var| model.value(var) == Some(true);
    variables.iter().map(|&var| var.lit(value(var))).collect()
}

/// Returns the vertices of a tour in the order of their visits. For a closed tour, returns the lexicographically
/// smaller of the two directions.
pub fn undirected(tour: &Tour) -> Vec<Vertex> {
    let forward = tour.order().to_vec();
    match tour.reversed() {
        Some(reversed) => forward.min(reversed.order().to_vec()),
        None => forward,
    }
}
