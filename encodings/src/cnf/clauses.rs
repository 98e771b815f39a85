//! Clauses on demand: the interface of a formula to solvers, DIMACS files and model counters.

use std::io::Write;

use rustsat::types::{Clause, Lit, Var};

use super::dimacs::{DimacsWriter, Header, ProjectionFormat, WriteError};
use super::model::Model;
use super::sink::{ClauseSink, Family, Tally};

/// Formula with numbered variables, which generates its clauses on demand.
pub trait Clauses {
    /// Returns the number of variables, including auxiliary ones.
    fn n_vars(&self) -> u32;

    /// Streams all clauses into a sink, always in the same order.
    fn emit<S: ClauseSink>(&self, out: &mut S);

    /// Returns the name of a variable. Auxiliary variables are named after their DIMACS numbers, such as `aux(7)`.
    fn variable_name(&self, var: Var) -> String;

    /// Returns the values that a solver should try first, indexed by variable; empty if the solver should choose.
    fn first_values(&self) -> Vec<bool> {
        Vec::new()
    }

    /// Returns subtour-elimination constraints that a model of several cycles violates. Only relaxed formulas have
    /// models of several cycles; for other formulas the list is empty.
    fn cuts(&self, _model: &Model) -> Vec<Clause> {
        Vec::new()
    }

    /// True if this model satisfies every clause. The clauses of [`cuts`](Self::cuts) are not checked.
    fn hold_in(&self, model: &Model) -> bool {
        let mut holds = HoldIn { model, all: true };
        self.emit(&mut holds);
        holds.all
    }

    /// Counts all clauses by family.
    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.emit(&mut tally);
        tally
    }

    /// Writes the formula as DIMACS. The clauses are emitted twice: they are counted for the header, then written.
    ///
    /// # Errors
    ///
    /// [`WriteError`], if writing to the target fails.
    fn write_dimacs<W: Write>(
        &self,
        mut out: W,
        comments: &[String],
        projection: Option<(ProjectionFormat, &[Var])>,
        with_names: bool,
    ) -> Result<W, WriteError> {
        let name = |var| self.variable_name(var);
        let header = Header {
            comments,
            variables: self.n_vars(),
            clauses: self.tally().total().clauses,
            projection,
            names: with_names.then_some(&name as &dyn Fn(Var) -> String),
        };
        let mut writer = DimacsWriter::new(&mut out, &header);
        self.emit(&mut writer);
        writer.finish().map(|()| out)
    }
}

/// Sink that checks each clause against a model.
struct HoldIn<'m> {
    model: &'m Model,
    all: bool,
}

impl ClauseSink for HoldIn<'_> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        let holds = |literal: &Lit| self.model.holds(*literal);
        self.all = self.all && literals.iter().any(holds);
    }
}

pub(crate) fn auxiliary_name(var: Var) -> String {
    format!("aux({})", var.idx32() + 1)
}
