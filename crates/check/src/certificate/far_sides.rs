//! Two far sides, in both of which an open tour would have to end.
//!
//! Let s be a given end, a another vertex, and B the far side of a: the vertices besides a that cannot be reached from s
//! without a. No edge joins B with a vertex outside B and a. Read the tour from s, backwards if s is its last vertex. The
//! tour reaches B only after a, which it passes once. The rest of the tour after a is connected without a. So if B is not
//! empty, the rest is in B, and the other end is in B as well. If two vertices a and b have far sides that are not empty
//! and have no vertex in common, the other end would be in both.

use super::{Asked, Unverified, Verified, among, given, reached};
use hamcnf_graph::graph::Vertex;

/// Computes the far side of each vertex from a given end, and compares the two.
pub(super) fn check(asked: &Asked<'_>, through: [Vertex; 2]) -> Result<Verified, Unverified> {
    // Closed tours have no far sides.
    let Some(&end) = given(asked.ends).first() else {
        return Err(Unverified::NoEnd);
    };
    let mut sides = Vec::new();
    for v in through {
        let away = among(asked.graph, &[v]);
        if v == end {
            return Err(Unverified::NothingBeyond(asked.name(v)));
        }
        let near = reached(asked.graph, end, &away);
        let beyond = asked
            .graph
            .vertices()
            .filter(|&w| w != v && !near[w.index()]);
        let beyond: Vec<_> = beyond.collect();
        if beyond.is_empty() {
            return Err(Unverified::NothingBeyond(asked.name(v)));
        }
        sides.push(beyond);
    }
    let [one, other] = [&sides[0], &sides[1]].map(|side| among(asked.graph, side));
    let both = |v: &Vertex| one[v.index()] && other[v.index()];
    match asked.graph.vertices().find(both) {
        Some(v) => Err(Unverified::BeyondBoth(asked.name(v))),
        None => Ok(Verified::FarSides(through.map(|v| asked.name(v)))),
    }
}
