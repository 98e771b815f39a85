//! Circuits in a model of pindakaas 0.6: feature `pindakaas`.
//!
//! Variable k of pindakaas, numbered from 1 as in DIMACS, is variable k − 1 of rustsat, so [`from_pindakaas`] and
//! [`to_pindakaas`] translate literals without a table. The auxiliary variables of a circuit come from pindakaas' database, and clash with no others.
//!
//! ```
//! use hamcnf_encodings::circuit::{Circuit, Pindakaas, Visits, from_pindakaas, to_pindakaas};
//! use pindakaas::{ClauseDatabaseTools, Cnf};
//!
//! let mut cnf = Cnf::default();
//! let mut circuit = Circuit::of_edges(4);
//! for (u, v) in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)] {
//!     circuit.link(u, v, from_pindakaas(cnf.new_lit()).into());
//! }
//! circuit.optional(3);
//! circuit.encode(&"successor".parse()?, &mut Pindakaas(&mut cnf))?;
//!
//! // After solving: `value` is pindakaas' `Valuation`. Here the true literals are those of the triangle 0 1 2.
//! let triangle: Vec<pindakaas::Lit> = [0, 1, 4].map(|k| cnf.variables().index(k).into()).into();
//! let value = |literal: pindakaas::Lit| triangle.contains(&literal);
//! let visits = circuit.read(|literal| value(to_pindakaas(literal)))?;
//! assert!(matches!(visits, Visits::Circuit(order) if order.len() == 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::num::NonZeroI32;

use ::pindakaas::{ClauseDatabaseTools, Unsatisfiable};
use rustsat::types::{Lit, Var};

use super::ClauseDatabase;

/// Database of pindakaas 0.6, such as a `Cnf` or a solver. A circuit that needs an empty clause ends with the error
/// [`Unsatisfiable`]; other contradictions are left to the solver.
#[derive(Debug)]
pub struct Pindakaas<'a, D: ?Sized>(pub &'a mut D);

impl<D: ::pindakaas::ClauseDatabase + ?Sized> ClauseDatabase for Pindakaas<'_, D> {
    type Error = Unsatisfiable;

    fn new_var(&mut self) -> Result<Var, Unsatisfiable> {
        Ok(from_pindakaas(self.0.new_lit()).var())
    }

    fn add_clause(&mut self, literals: &[Lit]) -> Result<(), Unsatisfiable> {
        self.0.add_clause(literals.iter().copied().map(to_pindakaas))
    }
}

/// Returns pindakaas' literal as a literal for a [`Circuit`](super::Circuit).
pub fn from_pindakaas(literal: ::pindakaas::Lit) -> Lit {
    let number = NonZeroI32::from(literal).get();
    Lit::new(number.unsigned_abs() - 1, number < 0)
}

/// Returns the literal of pindakaas from which [`from_pindakaas`] made this one, for the same database.
///
/// # Panics
///
/// Panics if the literal exceeds the greatest literal of pindakaas.
pub fn to_pindakaas(literal: Lit) -> ::pindakaas::Lit {
    NonZeroI32::new(literal.to_ipasir()).map(::pindakaas::Lit::from_raw).expect("IPASIR has no literal 0")
}
