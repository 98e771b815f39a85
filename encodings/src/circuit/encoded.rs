//! Circuits whose clauses are in a database: auxiliary variables with their literals there, and cuts.

use rustsat::types::Lit;

use super::layout::Layout;
use super::read::NotACircuit;
use super::{Circuit, CircuitError, ClauseDatabase};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::Term;
use hamcnf_tours::UntilError;

/// Circuit whose clauses are in a database.
#[derive(Debug)]
pub struct EncodedCircuit {
    layout: Layout,
    /// Literals of the auxiliary variables in the database, in the order of their numbers in the layout.
    auxiliary: Vec<Lit>,
}

impl EncodedCircuit {
    /// Adds the clauses of a circuit to a database.
    pub(super) fn add<D: ClauseDatabase>(layout: Layout, database: &mut D) -> Result<Self, CircuitError<D::Error>> {
        let auxiliary = layout.given.len() as u32..layout.n_vars;
        let auxiliary = auxiliary.map(|_| database.new_var().map(rustsat::types::Var::pos_lit));
        let auxiliary = auxiliary.collect::<Result<Vec<_>, _>>().map_err(CircuitError::Database)?;
        let encoded = Self { layout, auxiliary };
        let mut sink = UntilError::new(|clause: &[Lit]| database.add_clause(clause));
        encoded.emit(&mut sink);
        sink.ended.map(|()| encoded).map_err(CircuitError::Database)
    }

    /// Streams the clauses in the literals of the database.
    pub fn emit(&self, out: &mut dyn ClauseSink) {
        self.layout.emit(&mut Substitution { of: self, out, clause: Vec::new() });
        if let Some(condition) = self.layout.circuit.condition {
            // If the constraint does not hold, the auxiliary variables are false, so that they add no models.
            self.auxiliary.iter().for_each(|&literal| out.clause(&[condition, !literal]));
        }
    }

    /// Returns the circuit.
    pub fn circuit(&self) -> &Circuit {
        &self.layout.circuit
    }

    /// Returns the auxiliary variables as positive literals.
    pub fn auxiliary(&self) -> &[Lit] {
        &self.auxiliary
    }

    /// Returns the term "`v` is visited". If the circuit has a condition, the term says so only if the condition is true.
    ///
    /// # Panics
    ///
    /// Panics if the vertex does not exist.
    pub fn visited(&self, v: u32) -> Term {
        self.term(self.layout.visited(v))
    }

    /// Returns the number of vertices, including the vertex that is added for a path.
    pub fn n_vertices(&self) -> u32 {
        self.layout.skip.len() as u32
    }

    /// Returns the ends of every arc with its term. If the encoding is relaxed, edges are listed instead of their arcs. Arcs
    /// of the added vertex lead to the first vertex of a path, and from the last.
    pub fn arcs(&self) -> impl Iterator<Item = (u32, u32, Term)> {
        self.layout.arcs.iter().map(|arc| (arc.tail, arc.head, self.term(Term::Lit(arc.literal))))
    }

    /// True if every model has one circuit. If false, [`Self::cuts`] has to exclude models with several.
    pub fn is_exact(&self) -> bool {
        self.layout.is_exact()
    }

    /// Returns clauses that a model with several circuits violates and every model with one circuit satisfies; none if
    /// the model has one circuit, or is no model. `value` says which literals are true.
    ///
    /// For a circuit C of the model and a vertex w outside it that is visited, some arc leaves C, or w or a vertex of C is
    /// skipped.
    pub fn cuts(&self, value: impl Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let Err(NotACircuit::Several(parts)) = self.layout.circuit.read(&value) else {
            return Vec::new();
        };
        let n = self.layout.skip.len();
        let root = self.layout.circuit.fixed_root();
        let first_of = |part: &[u32]| part.iter().copied().find(|&v| self.layout.skip[v as usize].is_none());
        let mut cuts = Vec::new();
        for (k, part) in parts.iter().enumerate() {
            let is_kept = match root {
                Some(root) => part.contains(&root),
                None => self.layout.circuit.is_path() && k == 0,
            };
            if is_kept {
                continue;
            }
            let mut inside = vec![false; n];
            part.iter().for_each(|&v| inside[v as usize] = true);
            let mut others = (0..n as u32).filter(|&v| !inside[v as usize]);
            let elsewhere = others.find(|&v| self.layout.skip[v as usize].is_none());
            let elsewhere = elsewhere.or_else(|| parts[usize::from(k == 0)].first().copied());
            let here = first_of(part).or_else(|| part.first().copied());
            let skipped = here.into_iter().chain(elsewhere).map(|v| !self.layout.visited(v));
            let leaving = self.layout.leaving(&inside).map(Term::Lit);
            let mut clause: Vec<Lit> = Vec::new();
            if self.clause(skipped.chain(leaving), &mut clause) {
                cuts.push(clause);
            }
        }
        cuts
    }

    /// Returns a term of the layout as a term of the database.
    fn term(&self, term: Term) -> Term {
        let Term::Lit(literal) = term else {
            return term;
        };
        let given = &self.layout.given;
        let positive = match given.get(literal.vidx()) {
            Some(term) => *term,
            None => Term::Lit(self.auxiliary[literal.vidx() - given.len()]),
        };
        if literal.is_pos() { positive } else { !positive }
    }

    /// Writes the clause of these terms of the layout to `clause`, with the negated condition. Returns false if the clause
    /// is always true.
    fn clause(&self, terms: impl Iterator<Item = Term>, clause: &mut Vec<Lit>) -> bool {
        clause.clear();
        clause.extend(self.layout.circuit.condition.map(|condition| !condition));
        for term in terms {
            match self.term(term) {
                Term::True => return false,
                Term::False => {}
                Term::Lit(literal) => clause.push(literal),
            }
        }
        // A literal may stand on several arcs, so that it occurs twice, or with both signs.
        clause.sort_unstable();
        clause.dedup();
        clause.windows(2).all(|pair| pair[0] != !pair[1])
    }
}

/// Sink that puts the literals of the database in the place of those of the layout.
struct Substitution<'a> {
    of: &'a EncodedCircuit,
    out: &'a mut dyn ClauseSink,
    clause: Vec<Lit>,
}

impl ClauseSink for Substitution<'_> {
    fn family(&mut self, family: Family) {
        self.out.family(family);
    }

    fn clause(&mut self, literals: &[Lit]) {
        let terms = literals.iter().map(|&literal| Term::Lit(literal));
        if self.of.clause(terms, &mut self.clause) {
            self.out.clause(&self.clause);
        }
    }
}
