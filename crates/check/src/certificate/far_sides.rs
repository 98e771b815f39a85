//! Certificate reason `far-sides`: an open tour would have to end in two disjoint sets of vertices, called far sides.
//!
//! Let `s` be a given end (if both ends are given, either of them), and `a` another vertex. The far side B of `a` consists of the vertices other than `a` that
//! cannot be reached from `s` without `a`. Edges leave B only to `a`. Read the tour from `s`, backwards if `s` is its
//! last vertex. The tour reaches B only through `a`, which it passes once. After `a`, the rest of the tour is connected
//! without `a`. So if B is not empty, the rest of the tour is in B, and the other end is in B as well. If two vertices
//! `a` and `b` have far sides that are not empty and have no vertex in common, there is no tour: the other end would be
//! in both far sides.

use super::{Asked, Count, Limits, ReasonKind, Unverified, among, given, reached};
use hamcnf_graph::graph::Vertex;

/// Kind of reason `far-sides`, with two vertices.
pub static KIND: ReasonKind = ReasonKind { name: "far-sides", vertices: Some(("beyond", Count::Two)), check };

/// Checks that the far sides of the two vertices are nonempty and disjoint. The far side of a vertex consists of all
/// vertices that can be reached from the given end of the tour only through this vertex.
fn check(asked: &Asked<'_>, through: &[Vertex], _: &Limits<'_>) -> Result<String, Unverified> {
    // A closed tour has no ends, so it has no far sides.
    let mut checked = Err(Unverified::invalid("the reason \"far-sides\" requires open tours with a given endpoint"));
    for end in given(asked.ends) {
        checked = check_from(asked, end, through);
        if checked.is_ok() {
            break;
        }
    }
    checked
}

/// Checks the far sides of the two vertices as seen from this end of the tour.
fn check_from(asked: &Asked<'_>, end: Vertex, through: &[Vertex]) -> Result<String, Unverified> {
    let nothing_beyond = |v| {
        let v = asked.name(v);
        Unverified::invalid(format_args!(
            "the reason \"far-sides\" proves nothing: no vertex is on the far side of {v}"
        ))
    };
    let mut sides = Vec::new();
    for &v in through {
        let away = among(asked.graph, &[v]);
        if v == end {
            return Err(nothing_beyond(v));
        }
        let near = reached(asked.graph, end, &away);
        let beyond = asked.graph.vertices().filter(|&w| w != v && !near[w.index()]);
        let beyond: Vec<_> = beyond.collect();
        if beyond.is_empty() {
            return Err(nothing_beyond(v));
        }
        sides.push(beyond);
    }
    let [one, other] = [&sides[0], &sides[1]].map(|side| among(asked.graph, side));
    let both = |v: &Vertex| one[v.index()] && other[v.index()];
    match asked.graph.vertices().find(both) {
        Some(v) => Err(Unverified::invalid(format_args!(
            "the reason \"far-sides\" proves nothing: {} is on the far sides of both vertices",
            asked.name(v)
        ))),
        None => Ok(format!(
            "the tour would have to end both on the far side of {} and on the far side of {}, which is impossible",
            asked.name(through[0]),
            asked.name(through[1])
        )),
    }
}
