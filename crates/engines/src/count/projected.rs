//! What a model counter would count exactly on a projection set: how many different values the set takes
//! in the models of a formula.
//!
//! The models are those of the tours, so the values are read off the tours instead of being searched for.
//! On a set that is no independent support different tours share a value, and the count is too low: that is
//! why the paper's estimates on 8×8 fall short.

use std::collections::HashSet;

use hamcnf_encodings::{Formula, Tour};
use rustsat::types::Var;

/// An exact projected count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Projected {
    /// Models of the formula: its tours in each direction that it admits.
    pub models: u64,
    /// Different values of the projection set among them.
    pub values: u64,
}

/// Auxiliary variables do not follow from a tour by their meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("variable {0} is auxiliary: what it is in a tour's model cannot be read off the tour")]
pub struct AuxiliaryVariable(pub u32);

/// Counts the values of a projection set over the models of all tours, of which each is given once.
///
/// # Errors
///
/// [`AuxiliaryVariable`] for the first in the set, by its DIMACS number.
pub fn projected(
    formula: &Formula,
    tours: &[Tour],
    set: &[Var],
) -> Result<Projected, AuxiliaryVariable> {
    let mut values = HashSet::new();
    let mut models = 0;
    for tour in tours {
        for direction in [Some(tour), tour.reversed().as_ref()].into_iter().flatten() {
            if !formula.admits(direction) {
                continue;
            }
            models += 1;
            let of_set = formula.values(direction, set.iter().copied());
            let known =
                |(var, value): (Var, Option<bool>)| value.ok_or(AuxiliaryVariable(var.idx32() + 1));
            values.insert(of_set.map(known).collect::<Result<Vec<bool>, _>>()?);
        }
    }
    Ok(Projected {
        models,
        values: values.len() as u64,
    })
}
