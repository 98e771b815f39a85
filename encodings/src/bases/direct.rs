//! The direct encoding, from the paper's section 3.1.
//!
//! V_ij says that vertex i has position j on the tour, for all vertices i and all positions j in 0..N−1.
//!
//! - (1) ⋁_i V_ij for every position j
//! - (2) ¬V_sj ∨ ¬V_tj for every position j and s < t
//! - (3) ⋁_j V_ij for every vertex i
//! - (4) ¬V_is ∨ ¬V_it for every vertex i and s < t
//! - (5) ¬V_ij ∨ ⋁_{k ∈ N(i)} V_k,j+1 for every vertex i and j < N−1
//! - (6) V_p0 for the start p, and for closed tours ⋁_{k ∈ N(p)} V_k,N−1
//!
//! If the start has two neighbours, as a corner does for the knight, a closed tour uses both its edges. Which of the
//! two neighbours comes last depends only on the direction of the tour. (6) is then the unit V_k,N−1 for the greater
//! neighbour k, as in the authors' program, and every tour has one model instead of two. If the instance gives the last
//! vertex of paths through an [added vertex](hamcnf_tours::fixed_start) p, k is this vertex.
//!
//! In a digraph, N(i) has the successors of i in (5), and N(p) the predecessors of p in (6).
//!
//! # Size
//!
//! With pairwise at-most-one constraints and without pruning, there are N² variables, and the families (1) to (6) have
//! N, N·N(N−1)/2, N, N·N(N−1)/2, N(N−1) and 2 clauses. With pruning, V_ij exists only if j is in the window of i. Let
//! w_i be the width of this window, and W_j the number of vertices that may have position j. Then there are Σ w_i
//! variables, and N, Σ_j W_j(W_j−1)/2, N, Σ_i w_i(w_i−1)/2, Σ_i |window_i ∩ 0..N−2| and 2 clauses. Under full pruning
//! the start and position 0 are constants, without variables or clauses.
//!
//! # Differences from the paper
//!
//! On 6×6, 8×8 and 10×10, the clauses equal those of the authors' programs as multisets, without pruning and with the
//! authors' pruning. Variable numbers differ only because their programs skip some. Differences from the text:
//!
//! - (2) and (4) have s < t; the text has s ≤ t, which would forbid every variable.
//! - The text fixes the last neighbour only for a start in a corner. For other starts, clause (6) of this encoding has
//!   no counterpart in the authors' programs.
//! - In the paper, only the unary encoding is pruned. The authors' repository also has a pruned direct encoding, which
//!   is `as-published` here. Table 1 uses no pruning.
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, section 3.1.

use rustsat::types::Var;

use crate::base::{Encode, Encoded, Plan, Unfit, holds};
use crate::cnf::exactly_one::{AtMostOne, AuxiliaryCount, Cardinality};
use crate::cnf::model::Model;
use crate::cnf::sink::{ClauseSink, Disjunction, Family};
use crate::cnf::vars::{Allocator, Block, PositionVars, Term};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::{Instance, TourKind};
use hamcnf_tours::sequence::Sequence;
use hamcnf_tours::tour::NotATour;

/// Clause family (1): at least one vertex per position.
pub const POSITION_TAKEN: Family = Family { label: "(1)", says: "every position has a vertex" };
/// Clause family (2): at most one vertex per position.
pub const POSITION_ONCE: Family = Family { label: "(2)", says: "no position has two vertices" };
/// Clause family (3): at least one position per vertex.
pub const VERTEX_PLACED: Family = Family { label: "(3)", says: "every vertex has a position" };
/// Clause family (4): at most one position per vertex.
pub const VERTEX_ONCE: Family = Family { label: "(4)", says: "no vertex has two positions" };
/// Clause family (5): consecutive positions on adjacent vertices.
pub const MOVE: Family = Family { label: "(5)", says: "the vertex at the next position is a neighbour" };
/// Clause family (6): the start and, for closed tours, the last vertex.
pub const ENDS: Family = Family { label: "(6)", says: "the start is first, and one of its neighbours is last" };

/// The `direct` base encoding: one variable for each vertex and position.
#[derive(Clone, Copy, Debug)]
pub struct Direct;

impl Encode for Direct {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Encoded>, Unfit> {
        let v = PositionVars::new(plan.windows.clone(), variables);
        variables.fits()?;
        let mut auxiliary = AuxiliaryCount::new(plan.at_most_one);
        let is_variable = |i, j| matches!(v.at(i, j), Term::Lit(_));
        for j in 0..instance.n() {
            let vertices = instance.graph().vertices();
            auxiliary.constraint(|| vertices.filter(|&i| is_variable(i, j)).count());
        }
        for i in instance.graph().vertices() {
            auxiliary.constraint(|| (0..instance.n()).filter(|&j| is_variable(i, j)).count());
        }
        variables.take(auxiliary.total());
        Ok(Box::new(EncodedDirect { instance: instance.clone(), at_most_one: plan.at_most_one, v }))
    }
}

/// Formula of an instance in the [`Direct`] encoding. Its variables are the position variables V, then the auxiliary
/// variables.
#[derive(Clone, Debug)]
struct EncodedDirect {
    instance: Instance,
    at_most_one: AtMostOne,
    v: PositionVars,
}

impl EncodedDirect {
    /// Returns the vertices that may be last on a closed tour: the vertex that the instance gives, or the neighbours of
    /// the start, or only the greater neighbour if the start has exactly two.
    fn last_vertices(&self) -> Vec<Vertex> {
        let neighbours = self.instance.digraph().predecessors(self.instance.start());
        match (self.instance.last(), neighbours) {
            (Some(last), _) => vec![last],
            (None, &[_, greater]) if !self.instance.is_directed() => vec![greater],
            (None, all) => all.to_vec(),
        }
    }
}

impl Encoded for EncodedDirect {
    fn instance(&self) -> &Instance {
        &self.instance
    }

    fn emit(&self, out: &mut dyn ClauseSink) {
        let (graph, n, v) = (self.instance.digraph(), self.instance.n(), &self.v);
        let mut card = Cardinality::new(self.at_most_one, Var::new(v.block().end));
        let mut clause = Disjunction::default();

        // (1) ⋁_i V_ij
        out.family(POSITION_TAKEN);
        for j in 0..n {
            card.at_least_one(graph.vertices().map(|i| v.at(i, j)), out);
        }
        // (2) ¬V_sj ∨ ¬V_tj
        out.family(POSITION_ONCE);
        for j in 0..n {
            card.at_most_one(graph.vertices().map(|i| v.at(i, j)), out);
        }
        // (3) ⋁_j V_ij
        out.family(VERTEX_PLACED);
        for i in graph.vertices() {
            card.at_least_one((0..n).map(|j| v.at(i, j)), out);
        }
        // (4) ¬V_is ∨ ¬V_it
        out.family(VERTEX_ONCE);
        for i in graph.vertices() {
            card.at_most_one((0..n).map(|j| v.at(i, j)), out);
        }
        // (5) ¬V_ij ∨ ⋁_{k ∈ N(i)} V_k,j+1
        out.family(MOVE);
        for i in graph.vertices() {
            for j in 0..n - 1 {
                clause.clear().or_not(v.at(i, j));
                for &k in graph.successors(i) {
                    clause.or(v.at(k, j + 1));
                }
                clause.emit(out);
            }
        }
        // (6) V_p0 ∧ ⋁_{k ∈ N(p)} V_k,N−1
        out.family(ENDS);
        clause.clear().or(v.at(self.instance.start(), 0)).emit(out);
        if self.instance.kind() == TourKind::Closed {
            clause.clear();
            for k in self.last_vertices() {
                clause.or(v.at(k, n - 1));
            }
            clause.emit(out);
        }
    }

    fn support(&self) -> Block {
        self.v.block()
    }

    fn positions(&self) -> Option<&PositionVars> {
        Some(&self.v)
    }

    fn ends(&self, k: Vertex) -> Option<[Term; 2]> {
        Some([self.v.at(k, 1), self.v.at(k, self.instance.n() - 1)])
    }

    fn meaning(&self, var: Var) -> Option<String> {
        let (i, j) = self.v.meaning(var)?;
        Some(format!("V({},{j})", self.instance.vertex_name(i)))
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        self.v.value(sequence, var)
    }

    fn read(&self, model: &Model) -> Result<Vec<Vec<Vertex>>, NotATour> {
        let mut order = Vec::with_capacity(self.instance.n() as usize);
        for position in 0..self.instance.n() {
            let vertices = self.instance.graph().vertices();
            let here: Vec<_> = vertices.filter(|&i| holds(model, self.v.at(i, position))).collect();
            let &[vertex] = here.as_slice() else {
                return Err(NotATour::not_one_at(position, here.len()));
            };
            order.push(vertex);
        }
        Ok(vec![order])
    }

    fn models_per_tour(&self) -> u32 {
        match self.instance.kind() {
            TourKind::Open => 1,
            TourKind::Closed if self.instance.is_directed() => 1,
            // Both directions of a tour have a model unless the last vertex is fixed.
            TourKind::Closed => u32::from(self.last_vertices().len() != 1) + 1,
        }
    }

    fn admits(&self, sequence: &Sequence) -> bool {
        let last = sequence.order().last();
        self.instance.kind() == TourKind::Open || last.is_some_and(|v| self.last_vertices().contains(v))
    }
}
