//! Models with a circuit: clauses, and a [`Circuit`] over their literals.

use std::collections::HashMap;

use rustsat::types::{Clause, Lit, Var};

use super::{Circuit, CircuitError, EncodedCircuit, Presence, Sink};
use crate::Encoding;
use crate::cnf::clauses::{Clauses, auxiliary_name};
use crate::cnf::exactly_one::Discard;
use crate::cnf::model::Model;
use crate::cnf::sink::ClauseSink;
use hamcnf_graph::{Vertex, VertexNames};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, Term};

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
    /// Indices of links, and then vertices that are skipped or visited, by the variable that says so.
    named: HashMap<Var, usize>,
}

impl CircuitModel {
    /// Returns the cycles of an instance's graph, or its paths with these ends. They may skip vertices. The variables are the
    /// arcs or edges in increasing order, and then "v is visited" for each vertex v; these are also returned.
    pub fn of_subgraph(instance: &Instance, ends: Endpoints) -> (Self, Vec<Lit>) {
        let (directed, n) = (instance.is_directed(), instance.n());
        let mut circuit = if directed { Circuit::of_arcs(n) } else { Circuit::of_edges(n) };
        let mut n_vars = 0;
        for arc in instance.digraph().arcs_or_edges(directed) {
            circuit.link(arc.tail.number(), arc.head.number(), Term::Lit(Lit::positive(n_vars)));
            n_vars += 1;
        }
        let visited: Vec<_> = (n_vars..n_vars + n).map(Lit::positive).collect();
        for (v, &visited) in (0..).zip(&visited) {
            circuit.skipped_if(v, Term::Lit(!visited));
        }
        if let Endpoints::Open { from, to } = ends {
            circuit.path(from.map(Vertex::number), to.map(Vertex::number));
        }
        let names = instance.graph().vertices().map(|v| instance.vertex_name(v));
        circuit.called(VertexNames::of_words(names.collect()));
        (Self { n_vars: n_vars + n, clauses: Vec::new(), circuit }, visited)
    }

    /// Returns the formula of the model in an encoding. Auxiliary variables follow those of the model.
    ///
    /// # Errors
    ///
    /// [`CircuitError`], if the circuit is contradictory or the encoding does not support it.
    pub fn encode(self, encoding: &Encoding) -> Result<CircuitFormula, CircuitError> {
        let mut sink = Sink { next: Var::new(self.n_vars), clauses: &mut Discard };
        let encoded = self.circuit.encode(encoding, &mut sink)?;
        let n_vars = sink.next.idx32();
        let skips = self.circuit.presence.iter().map(|presence| match presence {
            Presence::SkippedIf(term) => *term,
            Presence::Visited | Presence::Optional => Term::False,
        });
        let links = self.circuit.links();
        let mut named = HashMap::new();
        for (k, term) in links.iter().map(|link| link.term).chain(skips).enumerate() {
            if let Term::Lit(literal) = term
                && (literal.is_pos() || k >= links.len())
            {
                named.entry(literal.var()).or_insert(k);
            }
        }
        Ok(CircuitFormula { model: self, encoded, n_vars, named })
    }
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

    /// Returns `H(a,b)` for the literal of an arc, `E(a,b)` for that of an edge, `V(a)` or `S(a)` for "a is visited" or
    /// "a is skipped", and the DIMACS number after an `x` for other variables of the model.
    fn variable_name(&self, var: Var) -> String {
        let circuit = &self.model.circuit;
        let arc = if circuit.is_directed() { 'H' } else { 'E' };
        let Some(&k) = self.named.get(&var) else {
            return if var.idx32() < self.model.n_vars { format!("x{}", var.idx32() + 1) } else { auxiliary_name(var) };
        };
        match circuit.links().get(k) {
            Some(link) => format!("{arc}({},{})", circuit.name(link.tail), circuit.name(link.head)),
            None => {
                let v = k - circuit.links().len();
                let is_skipped = circuit.presence[v] == Presence::SkippedIf(Term::Lit(var.pos_lit()));
                format!("{}({})", if is_skipped { 'S' } else { 'V' }, circuit.name(v as u32))
            }
        }
    }

    fn cuts(&self, model: &Model) -> Vec<Clause> {
        let cuts = self.encoded.cuts(|literal| model.holds(literal));
        cuts.into_iter().map(|cut| cut.into_iter().collect()).collect()
    }
}
