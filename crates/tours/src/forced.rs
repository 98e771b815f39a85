//! Forced edges and arcs by subdivision: a change of the graph that makes every Hamiltonian cycle use them.
//!
//! A new vertex x is put on a forced edge or arc:
//!
//! - (1) the edge u – v becomes the path u – x – v
//! - (2) the arc (u, v) becomes the path u → x → v, and the arc (v, u) remains
//! - (3) in a digraph, an edge between u and v (one or both of the arcs (u, v) and (v, u)) becomes u → x → v if (u, v)
//!   exists, and v → x → u if (v, u) exists
//!
//! Every Hamiltonian cycle visits x, and x can only be passed from u to v or, in (1) and (3), from v to u. If the old
//! graph has at least three vertices, the Hamiltonian cycles of the new graph therefore correspond one to one to the
//! Hamiltonian cycles of the old graph that use all forced edges and arcs. Open tours must be
//! [closed](crate::split::closed) first: x must not be an end.

use std::collections::HashSet;

use crate::instance::Instance;
use hamcnf_graph::{Digraph, GraphError, Vertex};

/// An edge or an arc that tours must use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Forced {
    /// Tail of the arc, or one end of the edge.
    pub tail: Vertex,
    /// Head of the arc, or the other end of the edge.
    pub head: Vertex,
    /// True for an arc, false for an edge, which tours may use in either direction.
    pub is_arc: bool,
}

impl Forced {
    /// Returns the text of the edge or arc, such as `a1-c2` or `a1->c2`.
    pub fn text(self, instance: &Instance) -> String {
        let [tail, head] = [self.tail, self.head].map(|v| instance.vertex_name(v));
        let between = if self.is_arc { "->" } else { "-" };
        format!("{tail}{between}{head}")
    }

    /// Returns the same edge or arc in a graph in which vertex v has the number `new[v]`.
    pub fn relabelled(self, new: &[Vertex]) -> Self {
        Self { tail: new[self.tail.index()], head: new[self.head.index()], ..self }
    }
}

/// Returns the digraph with a new vertex for each forced edge or arc. The new vertices come after all others, in the
/// order of `forced`.
///
/// # Errors
///
/// [`GraphError`] if there would be too many arcs.
pub fn subdivided(digraph: &Digraph, forced: &[Forced]) -> Result<Digraph, GraphError> {
    let n = digraph.n_vertices();
    let replaced = forced.iter().flat_map(|&Forced { tail, head, is_arc }| {
        let back = (!is_arc).then_some((head, tail));
        [(tail, head)].into_iter().chain(back)
    });
    let replaced: HashSet<_> = replaced.collect();
    let kept = digraph.arcs().filter(|arc| !replaced.contains(&(arc.tail, arc.head)));
    let kept = kept.map(|arc| (arc.tail.number(), arc.head.number()));
    let new = (n..).zip(forced).flat_map(|(x, forced)| {
        let (u, v) = (forced.tail, forced.head);
        let there = digraph.arc(u, v).map(|_| [(u.number(), x), (x, v.number())]);
        let back = digraph.arc(v, u).filter(|_| !forced.is_arc);
        let back = back.map(|_| [(v.number(), x), (x, u.number())]);
        there.into_iter().chain(back).flatten()
    });
    Digraph::from_arcs(n + forced.len() as u32, kept.chain(new))
}
