//! Order of the vertices: for selected pairs, a variable says which vertex comes first on the tour. Transitivity on a
//! chordal graph makes the order acyclic.
//!
//! Positions only serve to forbid cycles that miss the start, and for this purpose an order of the vertices is enough.
//! T_uw says that u comes before w. T_uw exists only if {u, w} is an edge of a chordal completion of the graph without
//! the start s. These variables suffice: if an orientation of a chordal graph has a directed cycle, it has a directed
//! triangle, since a shortest cycle has no chord. With Γ the set of triangles, T_wu = ¬T_uw, and H the arcs:
//!
//! - (1), (2) exactly one H_ij in every row and column: see [`arcs`](crate::bases::arcs)
//! - (T) ¬T_uv ∨ ¬T_vw ∨ ¬T_wu and ¬T_wv ∨ ¬T_vu ∨ ¬T_uw for {u, v, w} in Γ
//! - (3ᵗ) H_sv → T_vw for w adjacent to v: the first vertex comes before the others
//! - (4ᵗ) H_vs → T_wv for w adjacent to v: the last vertex comes after the others
//! - (5ᵗ) H_vw → T_vw for v, w ≠ s
//!
//! (3ᵗ) and (4ᵗ) follow from the other clauses, but not by unit propagation. The tour determines all T, but the T are
//! not a support.
//!
//! The two vertices of a constraint `before` count as adjacent, so that the constraint is one of the variables.
//!
//! The completion is the result of eliminating the vertices one by one, each time a vertex of least degree. On graphs
//! of small treewidth the completion has few edges per vertex: on C_n it has n − 3 triangles.
//!
//! # Why proofs of cuts are short
//!
//! Let S be a set of vertices without s. The constraint that some arc leaves S follows in a few steps of unit
//! propagation. Suppose that no arc leaves S. Then by (1) and (5ᵗ) every u in S comes before one of its successors in
//! S. This is a clause C_u over T literals. Eliminate the vertices of S in the order of the completion. To eliminate v,
//! consider each C_u that contains T_uv. Replace T_uv by the literals of C_v other than T_vu: T_uv and T_vw give T_uw
//! by (T), and T_vu is false. The clause of the last vertex is empty. The number of steps is at most the number of
//! edges that the completion has within S. The number of T literals in a step is at most the number of neighbours in S
//! that a vertex of S has in the completion. Encodings with a variable per position need a step for every vertex and
//! *position*.
//!
//! # Size
//!
//! With A arcs, a completion of M edges, its triangles Γ, its d_v edges at v, and pairwise at-most-one constraints,
//! there are A + M variables. There are 1 + k(k−1)/2 clauses for every row and column of k arcs, 2 |Γ| clauses for (T),
//! d_v clauses for every arc from s to v and for every arc from v to s, and one clause for every arc between vertices
//! other than the start.
//!
//! # References
//!
//! - R. E. Bryant, M. N. Velev: *Boolean Satisfiability with Transitivity Constraints*, ACM Transactions on
//!   Computational Logic 3(4), 2002: triangles of a chordal completion.
//! - M. F. Rankooh, J. Rintanen: *Propositional Encodings of Acyclicity and Reachability by Using Vertex Elimination*,
//!   AAAI 2022: the same for directed graphs, with a variable for each direction.

use std::borrow::Cow;

use rustsat::types::{Lit, Var};

use super::{PositionEncoding, Positions};
use crate::base::{Plan, Unfit};
use crate::cnf::exactly_one::Cardinality;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, PrecedenceVars, TooManyVariables};
use hamcnf_graph::chordal::Elimination;
use hamcnf_graph::graph::{Graph, Vertex};
use hamcnf_tours::board::MAX_VARIABLES;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// Clause family (T): transitivity on triangles.
pub const TRANSITIVE: Family = Family { label: "(T)", says: "no triangle is a directed cycle" };
/// Clause family (3ᵗ): the first vertex after the start comes before its neighbours.
pub const FIRST: Family = Family { label: "(3t)", says: "the start's successor comes before its neighbours" };
/// Clause family (4ᵗ): the last vertex comes after its neighbours.
pub const LAST: Family = Family { label: "(4t)", says: "the start's predecessor comes after its neighbours" };
/// Clause family (5ᵗ): the order follows the arcs.
pub const STEP: Family = Family { label: "(5t)", says: "a vertex comes before its successor" };

/// The `precedence` encoding, which uses an order of the vertices instead of positions.
#[derive(Clone, Copy, Debug)]
pub struct Precedence;

impl PositionEncoding for Precedence {
    fn layout(&self, instance: &Instance, _: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let left = MAX_VARIABLES.saturating_sub(variables.total());
        let graph = with_ordered_pairs(instance);
        let chordal = Elimination::without(&graph, instance.start(), left);
        let chordal = chordal.map_err(|edges| TooManyVariables(variables.total() + edges))?;
        let mut around = vec![Vec::new(); instance.n() as usize];
        for &v in chordal.order() {
            for &w in chordal.later(v) {
                around[v.index()].push(w);
                around[w.index()].push(v);
            }
        }
        around.iter_mut().for_each(|around| around.sort_unstable());
        Ok(Box::new(PrecedenceOrder { n: instance.n(), t: PrecedenceVars::new(chordal, variables), around }))
    }
}

/// Returns the graph with an edge between the two vertices of each constraint on their order.
fn with_ordered_pairs(instance: &Instance) -> Cow<'_, Graph> {
    let graph = instance.graph();
    let constraints = instance.constraints().iter();
    let pairs: Vec<_> = constraints.filter_map(|constraint| constraint.ordered_pair()).collect();
    if pairs.is_empty() {
        return Cow::Borrowed(graph);
    }
    let edges = graph.arcs().map(|arc| (arc.tail, arc.head)).chain(pairs);
    let edges = edges.map(|(u, w)| (u.number(), w.number()));
    // A graph that cannot have more edges stays as it is. The constraint then has no variable and is not supported.
    Graph::from_edges(graph.n_vertices(), edges).map_or(Cow::Borrowed(graph), Cow::Owned)
}

/// Order of an instance's vertices in the encoding [`Precedence`], with the variables T of the module documentation.
#[derive(Clone, Debug)]
struct PrecedenceOrder {
    n: u32,
    t: PrecedenceVars,
    /// Indexed by vertex: its neighbours in the chordal graph, in increasing order.
    around: Vec<Vec<Vertex>>,
}

impl PrecedenceOrder {
    /// Returns the literal T_uw, which says that u comes before w. The two vertices must be adjacent in the chordal
    /// graph.
    fn before(&self, u: Vertex, w: Vertex) -> Lit {
        let adjacent = self.t.before(u, w);
        adjacent.expect("arcs and later neighbours are edges of the completion")
    }
}

impl Positions for PrecedenceOrder {
    fn period(&self) -> u64 {
        // An order excludes the same cycles as positions with period N.
        self.n.into()
    }

    fn define(&self, _: &mut Cardinality, out: &mut dyn ClauseSink) {
        // (T) ¬T_uv ∨ ¬T_vw ∨ ¬T_wu, ¬T_wv ∨ ¬T_vu ∨ ¬T_uw
        out.family(TRANSITIVE);
        let chordal = self.t.chordal();
        for &v in chordal.order() {
            let later = chordal.later(v);
            for (k, &w) in later.iter().enumerate() {
                let vw = self.before(v, w);
                for &u in &later[..k] {
                    let (uv, wu) = (self.before(u, v), self.before(w, u));
                    out.clause(&[!uv, !vw, !wu]);
                    out.clause(&[uv, vw, wu]);
                }
            }
        }
    }

    fn families(&self) -> [Family; 3] {
        [FIRST, LAST, STEP]
    }

    /// Streams the clauses (3ᵗ), H_sv → T_vw: if the tour goes from the start s to v, then v comes before every
    /// neighbour w in the chordal graph.
    fn first(&self, h_sv: Lit, v: Vertex, out: &mut dyn ClauseSink) {
        for &w in &self.around[v.index()] {
            out.clause(&[!h_sv, self.before(v, w)]);
        }
    }

    /// Streams the clauses (4ᵗ), H_vs → T_wv: if the tour goes from v to the start s, then v comes after every
    /// neighbour w in the chordal graph.
    fn last(&self, h_vs: Lit, v: Vertex, out: &mut dyn ClauseSink) {
        for &w in &self.around[v.index()] {
            out.clause(&[!h_vs, self.before(w, v)]);
        }
    }

    /// Streams the clauses (5ᵗ), H_vw → T_vw: if the tour goes from v to w, then v comes before w.
    fn step(&self, h_vw: Lit, v: Vertex, w: Vertex, out: &mut dyn ClauseSink) {
        out.clause(&[!h_vw, self.before(v, w)]);
    }

    fn precedence(&self) -> Option<&PrecedenceVars> {
        Some(&self.t)
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let (u, w) = self.t.meaning(var)?;
        let name = |v| instance.vertex_name(v);
        Some(format!("T({},{})", name(u), name(w)))
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        self.t.value(sequence, var)
    }
}
