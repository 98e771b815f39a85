//! All models of a formula on a projection set, one after the other: solve, block the model's values on
//! the set, and solve again, until there is none left.

use std::collections::HashSet;

use hamcnf_encodings::{Formula, Tally, TourKind, Vertex};
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Clause, TernaryVal, Var};
use rustsat_cadical::CaDiCaL;

use crate::solve::SolveError;
use crate::solve::cadical::{load, model};

/// What an enumeration found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enumeration {
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
pub fn enumerate(formula: &Formula<'_>, projection: &[Var]) -> Result<Enumeration, SolveError> {
    let mut solver = CaDiCaL::default();
    load(formula, &mut solver, &mut Tally::default(), None)?;
    let mut found = Enumeration::default();
    while solver.solve().map_err(SolveError::solver)? == SolverResult::Sat {
        let model = model(&solver, formula)?;
        let tour = formula.tour(&model)?;
        found.projections += 1;
        found.tours.insert(undirected(tour.kind(), tour.order()));
        let block: Clause = projection
            .iter()
            .map(|&var| var.lit(model.var_value(var) == TernaryVal::True))
            .collect();
        solver.add_clause(block).map_err(SolveError::solver)?;
    }
    Ok(found)
}

/// The lesser of a closed tour's two directions; an open tour as it is.
fn undirected(kind: TourKind, order: &[Vertex]) -> Vec<Vertex> {
    let forward = order.to_vec();
    if kind == TourKind::Open {
        return forward;
    }
    let (start, rest) = (order[..1].iter(), order[1..].iter().rev());
    let backward: Vec<_> = start.chain(rest).copied().collect();
    forward.min(backward)
}
