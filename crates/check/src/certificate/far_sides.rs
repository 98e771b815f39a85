//! Certificate reason `far-sides`: an open tour would have to end in two disjoint sets of vertices, called far sides.
//!
//! Let `s` be a given end (if both ends are given, either of them), and `a` another vertex. The far side B of `a` consists of the vertices other than `a` that
//! cannot be reached from `s` without `a`. Edges leave B only to `a`. Read the tour from `s`, backwards if `s` is its
//! last vertex. The tour reaches B only through `a`, which it passes once. After `a`, the rest of the tour is connected
//! without `a`. So if B is not empty, the rest of the tour is in B, and the other end is in B as well. If two vertices
//! `a` and `b` have far sides that are not empty and have no vertex in common, there is no tour: the other end would be
//! in both far sides.

use super::{Asked, Unverified, Verified, among, given, reached};
use hamcnf_graph::graph::Vertex;

/// Checks that the far sides of the two vertices are nonempty and disjoint. The far side of a vertex consists of all
/// vertices that can be reached from the given end of the tour only through this vertex.
pub(super) fn check(asked: &Asked<'_>, through: [Vertex; 2]) -> Result<Verified, Unverified> {
    // A closed tour has no ends, so it has no far sides.
    let mut checked = Err(Unverified::NoEnd);
    for end in given(asked.ends) {
        checked = check_from(asked, end, through);
        if checked.is_ok() {
            break;
        }
    }
    checked
}

/// Checks the far sides of the two vertices as seen from this end of the tour.
fn check_from(asked: &Asked<'_>, end: Vertex, through: [Vertex; 2]) -> Result<Verified, Unverified> {
    let mut sides = Vec::new();
    for v in through {
        let away = among(asked.graph, &[v]);
        if v == end {
            return Err(Unverified::NothingBeyond(asked.name(v)));
        }
        let near = reached(asked.graph, end, &away);
        let beyond = asked.graph.vertices().filter(|&w| w != v && !near[w.index()]);
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
