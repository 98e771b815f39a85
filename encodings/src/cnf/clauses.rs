//! Clauses on demand: the interface of a formula to solvers, DIMACS files and model counters.

use std::io::Write;

use rustsat::types::{Clause, Lit, Var};

use super::dimacs::{DimacsWriter, Header, ProjectionFormat, WriteError};
use super::model::Model;
use super::sink::{ClauseSink, Family, Tally};

/// Formula whose variables are numbered and whose clauses are made on demand.
pub trait Clauses {
    /// Returns the number of variables, including auxiliary ones.
    fn n_vars(&self) -> u32;

    /// Streams all clauses into a sink, always in the same order.
    fn emit<S: ClauseSink>(&self, out: &mut S);

    /// Returns the name of a variable. An auxiliary variable is called `aux(7)`, with its DIMACS number.
    fn variable_name(&self, var: Var) -> String;

    /// Returns the value that a solver should try first for each variable; empty if the solver should choose.
    #[must_use]
    fn first_values(&self) -> Vec<bool> {
        Vec::new()
    }

    /// Returns the subtour-elimination constraints of a relaxed formula that a model violates; empty if the formula has all
    /// its clauses.
    #[must_use]
    fn cuts(&self, _model: &Model) -> Vec<Clause> {
        Vec::new()
    }

    /// True if this model satisfies every clause. The clauses of [`cuts`](Self::cuts) are not checked.
    #[must_use]
    fn hold_in(&self, model: &Model) -> bool {
        let mut holds = HoldIn { model, all: true };
        self.emit(&mut holds);
        holds.all
    }

    /// Counts all clauses by family.
    #[must_use]
    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.emit(&mut tally);
        tally
    }

    /// Writes the formula as DIMACS: counts the clauses for the header, then writes them as they are emitted.
    ///
    /// # Errors
    ///
    /// [`WriteError`], if writing to the target fails.
    fn write_dimacs<W: Write>(
        &self,
        out: W,
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
        let mut writer = DimacsWriter::new(out, &header);
        self.emit(&mut writer);
        writer.finish()
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

/// Returns the name of an auxiliary variable.
#[must_use]
pub(crate) fn auxiliary_name(var: Var) -> String {
    format!("aux({})", var.idx32() + 1)
}
