//! Receivers of a circuit's clauses, which also hand out its auxiliary variables, so that these variables clash with no
//! others.
//!
//! [`ClauseDatabase`] joins `new_var` and `add_clause` in one trait, as pindakaas does and rustsat plans to
//! (<https://github.com/chrjabs/rustsat/issues/578>). Implement it for your own solver, or use an adapter: [`RustSat`] for
//! rustsat's managers and collectors, [`Sink`] for a [`ClauseSink`], `Pindakaas` with the feature `pindakaas`.

use std::convert::Infallible;

use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::instances::ManageVars;
use rustsat::types::{Clause, Lit, Var};

use crate::cnf::sink::ClauseSink;

/// Receiver of clauses and source of variables.
pub trait ClauseDatabase {
    /// Error of the receiver, such as a solver out of memory.
    type Error;

    /// Returns a variable that no clause contains yet.
    ///
    /// # Errors
    ///
    /// The receiver's error.
    fn new_var(&mut self) -> Result<Var, Self::Error>;

    /// Adds a clause.
    ///
    /// # Errors
    ///
    /// The receiver's error.
    fn add_clause(&mut self, literals: &[Lit]) -> Result<(), Self::Error>;
}

/// Database of rustsat 0.7: a variable manager and a receiver of clauses, such as a solver or a `Cnf`.
#[derive(Debug)]
pub struct RustSat<'a, V, C> {
    /// Source of the auxiliary variables. All variables of your model must be known to it.
    pub variables: &'a mut V,
    /// Receiver of the clauses.
    pub clauses: &'a mut C,
}

impl<V: ManageVars, C: CollectClauses> ClauseDatabase for RustSat<'_, V, C> {
    type Error = OutOfMemory;

    fn new_var(&mut self) -> Result<Var, OutOfMemory> {
        Ok(self.variables.new_var())
    }

    fn add_clause(&mut self, literals: &[Lit]) -> Result<(), OutOfMemory> {
        self.clauses.extend_clauses([literals.iter().copied().collect::<Clause>()])
    }
}

/// Database with consecutive variables, whose clauses go to a sink.
pub struct Sink<'a> {
    /// Next auxiliary variable, which must be greater than all variables of your model.
    pub next: Var,
    /// Receiver of the clauses.
    pub clauses: &'a mut dyn ClauseSink,
}

impl ClauseDatabase for Sink<'_> {
    type Error = Infallible;

    fn new_var(&mut self) -> Result<Var, Infallible> {
        let next = self.next;
        self.next = Var::new(next.idx32() + 1);
        Ok(next)
    }

    fn add_clause(&mut self, literals: &[Lit]) -> Result<(), Infallible> {
        self.clauses.clause(literals);
        Ok(())
    }
}
