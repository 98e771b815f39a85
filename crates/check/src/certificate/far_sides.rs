//! Two far sides, in both of which an open tour would have to end.
//!
//! Let s be an end that is given, a another vertex, and B what is beyond a: the vertices besides a that cannot be
//! reached from s without a. No edge joins B with what is in neither B nor a. Read the tour from s on, backwards if s
//! is its last vertex. It comes to B behind a only, which it passes once; the rest of it behind a is connected without
//! a, so if there is a vertex in B, that rest is in B, and with it the other end. Of two vertices a and b with far
//! sides that are not empty and have no vertex in common, the other end would be in both.

use super::{Asked, Unverified, Verified, among, given, reached};
use hamcnf_graph::graph::Vertex;

/// Looks for what is beyond each, from an end that is given.
pub(super) fn check(asked: &Asked<'_>, through: [Vertex; 2]) -> Result<Verified, Unverified> {
    // A closed tour has none.
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
