//! Degree constraints over arcs, combined with any position encoding. Except for the choice of the position encoding,
//! this is the encoding of the paper's section 3.2.
//!
//! H_ij says that the tour goes from i to j. Every vertex has exactly one successor and one predecessor:
//!
//! - (1) Σ_j H_ij = 1 for every i
//! - (2) Σ_i H_ij = 1 for every j
//!
//! (1) and (2) alone allow several cycles. If positions increase by one along every arc except those into the start, no
//! cycle misses the start. A [`PositionEncoding`] represents the positions; [`positions`](crate::positions) has one per
//! file. Without a position encoding, the encoding is *relaxed*: its models are all covers of the graph by directed
//! cycles, where a single edge used in both directions counts as a cycle.
//!
//! With the pairwise encoding, "exactly one of k arcs" takes 1 + k(k − 1)/2 clauses.
//!
//! # Edges
//!
//! With the refinement [`edges`](crate::refine::edges), E_e says that the edge e is on the tour in either direction:
//!
//! - (E) E_ij ↔ H_ij ∨ H_ji
//!
//! If one direction of every tour is excluded, the edges determine the arcs. On a closed tour every vertex has an even
//! number of edges, namely two. So the edges outside a spanning tree determine the edges of the tree, leaf by leaf. The
//! E − N + 1 variables of the edges outside the tree are therefore an independent support too.
//!
//! # Open tours
//!
//! As in the paper's section 4.3, every vertex returns to the start s. L_i says that the tour returns from i, which is
//! its last vertex. L_i replaces H_is, which no open tour uses, in (2) and in the clauses of the position encodings, so
//! that (2) says for s that there is one last vertex. (E) is E_si ↔ H_si.
//!
//! The tours of an instance with an [added vertex](hamcnf_tours::fixed_start) x are closed. F_i stands for H_xi, and L_i for
//! H_ix. If both ends of the paths in an undirected graph are given, (Z) fixes the direction:
//!
//! - (Z) L_t for the given last vertex t
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, section 3.2.
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use std::sync::Arc;

use rustsat::types::{Lit, Var};

use crate::base::{Encode, Encoded, Plan, Unfit, holds};
use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::model::Model;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, ArcVars, Block, EdgeVars, PositionVars, PrecedenceVars, Term};
use crate::positions::{PositionEncoding, Positions};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;
use hamcnf_tours::tour::NotATour;

/// Clause family (1): exactly one successor of each vertex.
pub const SUCCESSOR: Family = Family { label: "(1)", says: "every vertex has exactly one successor" };
/// Clause family (2): exactly one predecessor of each vertex.
pub const PREDECESSOR: Family = Family { label: "(2)", says: "every vertex has exactly one predecessor" };
/// Clause family (Z): the given last vertex.
pub const LAST: Family = Family { label: "(Z)", says: "the given last vertex is last" };
/// Clause family (E): definition of the edge variables.
pub const EDGE: Family = Family { label: "(E)", says: "an edge is on the tour if one of its arcs is" };

/// Base encoding by degree constraints over arcs, with or without a position encoding.
#[derive(Clone, Debug)]
pub struct Arcs {
    pub(crate) counter: Option<Arc<dyn PositionEncoding>>,
}

impl Arcs {
    /// Returns the base that uses this position encoding.
    pub fn with(counter: impl PositionEncoding) -> Self {
        Self { counter: Some(Arc::new(counter)) }
    }

    /// Returns the base without positions.
    pub const fn relaxed() -> Self {
        Self { counter: None }
    }
}

impl Encode for Arcs {
    fn argument(&self) -> Option<String> {
        self.counter.as_ref()?.argument()
    }

    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Encoded>, Unfit> {
        let h = ArcVars::new(instance, variables);
        let e = plan.edges.then(|| EdgeVars::new(instance, variables));
        let positions = self.counter.as_ref();
        let positions = positions.map(|counter| counter.layout(instance, plan, variables));
        let mut encoded = EncodedArcs {
            instance: instance.clone(),
            plan: plan.clone(),
            h,
            e,
            positions: positions.transpose()?,
            first_auxiliary: Var::new(variables.fits()?),
        };
        encoded.plan.windows = Vec::new();
        let mut auxiliary = AuxiliaryCount::new(plan.at_most_one);
        encoded.count_auxiliary(&mut auxiliary);
        variables.take(auxiliary.total());
        Ok(Box::new(encoded))
    }
}

/// Arcs of a directed cycle through the start, with the literals that choose among them.
pub(crate) trait Moves {
    /// Returns the start, which has position 0.
    fn start(&self) -> Vertex;

    /// Returns the vertices other than the start.
    fn others(&self) -> impl Iterator<Item = Vertex>;

    /// Returns the vertices that have exactly one successor and one predecessor.
    fn visited_once(&self) -> impl Iterator<Item = Vertex>;

    /// Returns the vertices that may follow `v`, with their literals. A vertex that follows itself is not on the cycle.
    fn successors(&self, v: Vertex) -> impl Iterator<Item = (Vertex, Lit)>;

    /// Returns the vertices that `v` may follow, with their literals.
    fn predecessors(&self, v: Vertex) -> impl Iterator<Item = (Vertex, Lit)>;

    /// True if the cycle visits every vertex, so that the last one has position N − 1.
    fn visits_all(&self) -> bool {
        true
    }

    /// True if there is one cycle, false if there may be several through the start.
    fn is_one_cycle(&self) -> bool {
        true
    }

    /// Returns a literal that allows the arc from `u` to `v` to end the cycle although `v` is not the start. `None` if the
    /// position of `v` is always the next one after that of `u`.
    fn closes(&self, _u: Vertex, _v: Vertex) -> Option<Lit> {
        None
    }
}

/// Streams the degree constraints (1) and (2).
pub(crate) fn emit_degrees(moves: &impl Moves, card: &mut Cardinality, out: &mut dyn ClauseSink) {
    let terms = |(_, l): (Vertex, Lit)| Term::Lit(l);
    // (1) Σ_j H_ij = 1
    out.family(SUCCESSOR);
    for i in moves.visited_once() {
        card.exactly_one(moves.successors(i).map(terms), out);
    }
    // (2) Σ_i H_ij = 1
    out.family(PREDECESSOR);
    for j in moves.visited_once() {
        card.exactly_one(moves.predecessors(j).map(terms), out);
    }
}

/// Streams the clauses that make positions increase by one along arcs.
pub(crate) fn emit_positions(moves: &impl Moves, p: &dyn Positions, card: &mut Cardinality, out: &mut dyn ClauseSink) {
    let (start, [first, last, step]) = (moves.start(), p.families());
    p.define(card, out);
    // H_si → P(i) = 1. In an order of all vertices, only one cycle has its first vertex before all others.
    if moves.is_one_cycle() || p.precedence().is_none() {
        out.family(first);
        for (i, h_si) in moves.successors(start).filter(|&(i, _)| i != start) {
            p.first(h_si, i, out);
        }
    }
    // H_is → P(i) = N − 1
    if moves.visits_all() {
        out.family(last);
        for (i, h_is) in moves.predecessors(start) {
            p.last(h_is, i, out);
        }
    }
    // H_ij → P(j) = P(i) + 1 for i, j ≠ s
    out.family(step);
    for i in moves.others() {
        for (j, h_ij) in moves.successors(i).filter(|&(j, _)| j != start && j != i) {
            match moves.closes(i, j) {
                None => p.step(h_ij, i, j, out),
                Some(closes) => p.step(h_ij, i, j, &mut Unless { condition: closes, clause: Vec::new(), out }),
            }
        }
    }
    p.keep_in_windows(out);
}

/// Sink that adds a literal to every clause, so that the clauses need not hold if the literal is true.
pub(crate) struct Unless<'a> {
    pub(crate) condition: Lit,
    pub(crate) clause: Vec<Lit>,
    pub(crate) out: &'a mut dyn ClauseSink,
}

impl ClauseSink for Unless<'_> {
    fn family(&mut self, family: Family) {
        self.out.family(family);
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.clause.clear();
        self.clause.extend(literals);
        self.clause.push(self.condition);
        self.out.clause(&self.clause);
    }
}

/// Formula of an instance in an [`Arcs`] encoding. Its variables are, in this order, the arc variables H, F and L, the
/// edge variables E, the position variables, and the auxiliary variables.
#[derive(Debug)]
struct EncodedArcs {
    instance: Instance,
    plan: Plan,
    h: ArcVars,
    e: Option<EdgeVars>,
    positions: Option<Box<dyn Positions>>,
    first_auxiliary: Var,
}

impl EncodedArcs {
    fn count_auxiliary(&self, count: &mut AuxiliaryCount) {
        let (instance, h) = (&self.instance, &self.h);
        for v in instance.graph().vertices() {
            count.constraint(|| h.successors(instance, v).count());
            count.constraint(|| h.predecessors(instance, v).count());
        }
        if let Some(positions) = &self.positions {
            positions.count_auxiliary(count);
        }
    }

    /// Streams (E), the definition of the edge variables.
    fn emit_edges(&self, e: &EdgeVars, out: &mut dyn ClauseSink) {
        // (E) E_ij ↔ H_ij ∨ H_ji
        out.family(EDGE);
        for (edge, e_ij) in e.iter() {
            let mut moves = self.h.moves(&self.instance, edge);
            for &h in &moves {
                out.clause(&[!h, e_ij]);
            }
            moves.push(!e_ij);
            out.clause(&moves);
        }
    }

    /// Returns the successor of `v` in a model. The error contains `number`, the number of moves before `v`.
    fn next(&self, v: Vertex, number: usize, model: &Model) -> Result<Vertex, NotATour> {
        let successors = self.h.successors(&self.instance, v);
        let successors: Vec<_> =
            successors.filter(|&(_, l)| holds(model, Term::Lit(l))).map(|(head, _)| head).collect();
        match successors[..] {
            [only] => Ok(only),
            _ => {
                let (from, found) = (self.instance.vertex_name(v), successors.len());
                let sentence = format!("after {number} moves, the model has {found} moves from {from} instead of one");
                Err(NotATour::new(sentence))
            }
        }
    }
}

impl Moves for EncodedArcs {
    fn start(&self) -> Vertex {
        self.instance.start()
    }

    fn others(&self) -> impl Iterator<Item = Vertex> {
        self.instance.others()
    }

    fn visited_once(&self) -> impl Iterator<Item = Vertex> {
        self.instance.graph().vertices()
    }

    fn successors(&self, v: Vertex) -> impl Iterator<Item = (Vertex, Lit)> {
        self.h.successors(&self.instance, v)
    }

    fn predecessors(&self, v: Vertex) -> impl Iterator<Item = (Vertex, Lit)> {
        self.h.predecessors(&self.instance, v)
    }
}

impl Encoded for EncodedArcs {
    fn instance(&self) -> &Instance {
        &self.instance
    }

    fn emit(&self, out: &mut dyn ClauseSink) {
        let (instance, h) = (&self.instance, &self.h);
        let mut card = Cardinality::new(self.plan.at_most_one, self.first_auxiliary);
        emit_degrees(self, &mut card, out);
        // (Z) L_t
        let last = instance.last();
        if let Some(is_last) = last.and_then(|t| h.follows(instance, t, instance.start())) {
            out.family(LAST);
            out.clause(&[is_last]);
        }
        if let Some(e) = &self.e {
            self.emit_edges(e, out);
        }
        if let Some(positions) = &self.positions {
            emit_positions(self, positions.as_ref(), &mut card, out);
        }
    }

    fn support(&self) -> Block {
        self.h.block()
    }

    fn is_exact(&self) -> bool {
        let period = self.positions.as_ref().map_or(1, |p| p.period());
        period >= self.instance.n().into()
    }

    fn arcs(&self) -> Option<&ArcVars> {
        Some(&self.h)
    }

    fn edges(&self) -> Option<&EdgeVars> {
        self.e.as_ref()
    }

    fn positions(&self) -> Option<&PositionVars> {
        self.positions.as_ref()?.one_by_one()
    }

    fn precedence(&self) -> Option<&PrecedenceVars> {
        self.positions.as_ref()?.precedence()
    }

    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        // Positions that repeat do not determine the position of a vertex.
        let positions = self.positions.as_ref().filter(|_| self.is_exact())?;
        positions.at(v, p)
    }

    fn ends(&self, v: Vertex) -> Option<[Term; 2]> {
        let (instance, start) = (&self.instance, self.instance.start());
        let step = |v, w| self.h.follows(instance, v, w).map_or(Term::False, Term::Lit);
        Some([step(start, v), step(v, start)])
    }

    fn meaning(&self, var: Var) -> Option<String> {
        let instance = &self.instance;
        let edge = || self.e.as_ref()?.meaning(instance, var);
        let position = || self.positions.as_ref()?.meaning(instance, var);
        let arc = self.h.meaning(instance, var);
        arc.or_else(edge).or_else(position)
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        let instance = &self.instance;
        let edge = || self.e.as_ref()?.value(instance, sequence, var);
        let position = || self.positions.as_ref()?.value(sequence, var);
        let arc = self.h.value(instance, sequence, var);
        arc.or_else(edge).or_else(position)
    }

    fn read(&self, model: &Model) -> Result<Vec<Vec<Vertex>>, NotATour> {
        let mut left: Vec<bool> = vec![true; self.instance.n() as usize];
        let mut cycles = Vec::new();
        let mut moves = 0;
        let start = self.instance.start();
        for first in std::iter::once(start).chain(self.instance.others()) {
            if !left[first.index()] {
                continue;
            }
            let mut cycle = Vec::new();
            let mut v = first;
            while std::mem::replace(&mut left[v.index()], false) {
                cycle.push(v);
                v = self.next(v, moves, model)?;
                moves += 1;
            }
            if v != first {
                let met = cycle.iter().position(|&w| w == v).unwrap_or(0);
                let [from, to] = [cycle[cycle.len() - 1], v].map(|v| self.instance.vertex_name(v));
                return Err(NotATour::repeated(moves, &from, &to, met));
            }
            cycles.push(cycle);
        }
        Ok(cycles)
    }
}
