//! Clauses on demand: all that a solver, a DIMACS file and a model counter need to know of a formula,
//! whatever it is about.

use std::io::Write;

use rustsat::types::{Clause, Lit, Var};

use super::dimacs::{DimacsWriter, Header, ProjectionFormat, WriteError};
use super::model::Model;
use super::sink::{ClauseSink, Family, Tally};

/// Numbered variables, and clauses that are made when they are asked for.
pub trait Clauses {
    /// How many variables there are, auxiliary ones included.
    fn n_vars(&self) -> u32;

    /// Streams all clauses into a sink: the same ones in the same order each time.
    fn emit<S: ClauseSink>(&self, out: &mut S);

    /// What a variable is called: for auxiliary ones `aux(7)`, by the DIMACS number.
    fn variable_name(&self, var: Var) -> String;

    /// The value of each variable that a solver is to try first; empty for its own.
    #[must_use]
    fn first_values(&self) -> Vec<bool> {
        Vec::new()
    }

    /// Clauses that a model lacks, of those that a relaxed formula leaves to be asked for: none where all of them
    /// have been made.
    #[must_use]
    fn cuts(&self, _model: &Model) -> Vec<Clause> {
        Vec::new()
    }

    /// Whether some literal of each clause is said to be true by this model. What [`cuts`](Self::cuts) has is none of them.
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

    /// Writes the formula as DIMACS: a counting pass for the header, then the clauses as they come.
    ///
    /// # Errors
    ///
    /// [`WriteError`] from the target.
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

/// Looks at each clause.
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

/// The name of an auxiliary variable.
#[must_use]
pub(crate) fn auxiliary_name(var: Var) -> String {
    format!("aux({})", var.idx32() + 1)
}
