//! Exact projected counts. A projected count is the number of different assignments that the models of a formula give
//! to the variables in a projection set. Model counters compute or estimate this number.
//!
//! Each model describes a tour, so the assignments are computed from the tours, without a search. If the set is not an
//! independent support, different tours share an assignment, and the count is less than the number of tours. For this
//! reason, the estimates for 8×8 in the paper *Knights Tour* (Karthikeyan, Chheda and Ruan, 2024) are too low.

use std::collections::HashSet;

use hamcnf_encodings::Formula;
use hamcnf_tours::Tour;
use rustsat::types::Var;

/// Exact projected count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Projected {
    /// Number of models of the formula: one for each direction of a tour that the formula admits.
    pub models: u64,
    /// Number of different assignments to the projection set in these models.
    pub values: u64,
}

/// Error for a projection set with an auxiliary variable, whose value is not determined by the tour. The field is the
/// DIMACS number of the variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("variable {0} is auxiliary: a tour does not determine its value; choose another projection set")]
pub struct AuxiliaryVariable(pub u32);

/// Counts the different assignments to a projection set in the models that describe `tours`. The list `tours` must
/// contain each tour once, and closed tours in only one direction.
///
/// # Errors
///
/// Returns [`AuxiliaryVariable`] for the first auxiliary variable in the set.
pub fn projected(formula: &Formula, tours: &[Tour], set: &[Var]) -> Result<Projected, AuxiliaryVariable> {
    let mut values = HashSet::new();
    let mut models = 0;
    for tour in tours {
        for direction in [Some(tour), tour.reversed().as_ref()].into_iter().flatten() {
            if !formula.admits(direction) {
                continue;
            }
            models += 1;
            let of_set = formula.values(direction, set.iter().copied());
            let known = |(var, value): (Var, Option<bool>)| value.ok_or(AuxiliaryVariable(var.idx32() + 1));
            values.insert(of_set.map(known).collect::<Result<Vec<bool>, _>>()?);
        }
    }
    Ok(Projected { models, values: values.len() as u64 })
}
