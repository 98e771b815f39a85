//! Models with a circuit: clauses, and a [`Circuit`] over their literals.

use std::collections::HashMap;

use rustsat::types::{Clause, Lit, Var};

use super::{Circuit, CircuitError, EncodedCircuit, Sink};
use crate::Encoding;
use crate::cnf::clauses::{Clauses, auxiliary_name};
use crate::cnf::model::Model;
use crate::cnf::sink::ClauseSink;
use hamcnf_tours::Term;

/// Clauses over variables that are numbered from 0, and a circuit over their literals.
#[derive(Clone, Debug)]
pub struct CircuitModel {
    /// Number of variables.
    pub n_vars: u32,
    /// Clauses.
    pub clauses: Vec<Vec<Lit>>,
    /// Circuit.
    pub circuit: Circuit,
}

/// Formula of a model and its circuit in an encoding.
#[derive(Debug)]
pub struct CircuitFormula {
    model: CircuitModel,
    encoded: EncodedCircuit,
    n_vars: u32,
    /// Indices of links by the variable that is their literal.
    links: HashMap<Var, usize>,
}

impl CircuitModel {
    /// Returns the formula of the model in an encoding. Auxiliary variables follow those of the model.
    ///
    /// # Errors
    ///
    /// [`CircuitError`], if the circuit is contradictory or the encoding does not support it.
    pub fn encode(self, encoding: &Encoding) -> Result<CircuitFormula, CircuitError> {
        let mut sink = Sink { next: Var::new(self.n_vars), clauses: &mut Nothing };
        let encoded = self.circuit.encode(encoding, &mut sink)?;
        let n_vars = sink.next.idx32();
        let links = self.circuit.links().iter().enumerate().rev();
        let links = links.filter_map(|(k, link)| match link.term {
            Term::Lit(literal) if literal.is_pos() => Some((literal.var(), k)),
            _ => None,
        });
        let links = links.collect();
        Ok(CircuitFormula { model: self, encoded, n_vars, links })
    }
}

/// Sink that ignores the clauses.
struct Nothing;

impl ClauseSink for Nothing {
    fn family(&mut self, _: crate::cnf::sink::Family) {}
    fn clause(&mut self, _: &[Lit]) {}
}

impl CircuitFormula {
    /// Returns the model.
    pub fn model(&self) -> &CircuitModel {
        &self.model
    }

    /// Returns the circuit with its auxiliary variables.
    pub fn encoded(&self) -> &EncodedCircuit {
        &self.encoded
    }
}

impl Clauses for CircuitFormula {
    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn emit<S: ClauseSink>(&self, out: &mut S) {
        self.model.clauses.iter().for_each(|clause| out.clause(clause));
        self.encoded.emit(out);
    }

    /// Returns `H(a,b)` for the literal of an arc, `E(a,b)` for that of an edge, and the DIMACS number after an `x` for
    /// other variables of the model.
    fn variable_name(&self, var: Var) -> String {
        let circuit = &self.model.circuit;
        let letter = if circuit.is_directed() { 'H' } else { 'E' };
        match self.links.get(&var).map(|&k| &circuit.links()[k]) {
            Some(link) => format!("{letter}({},{})", circuit.name(link.tail), circuit.name(link.head)),
            None if var.idx32() < self.model.n_vars => format!("x{}", var.idx32() + 1),
            None => auxiliary_name(var),
        }
    }

    fn cuts(&self, model: &Model) -> Vec<Clause> {
        let cuts = self.encoded.cuts(|literal| model.holds(literal));
        cuts.into_iter().map(|cut| cut.into_iter().collect()).collect()
    }
}
