//! Vertices that want more edges of a tour than there are for them.
//!
//! A tour has two edges at every vertex, an open one only one at each of its two ends. Let w(v) be 1 for an end that is given
//! and else 2, and u the number of ends that are not given: 0 of closed tours. Take two sets of vertices that have none in
//! common, the few F and the many M. At the vertices of M the tour has w(M) − u ends of edges or more. Those of edges to F are
//! w(F) at most; all others are of edges that are not at F, and these have as many ends in M as the degrees of M without F say, together D.
//!
//! That is not all. Let C be a part of the graph without F and M, and e the number of edges between C and M. If w(C) + e is
//! odd, and no end that is not given is in C, the tour does not have all those e edges and none between C and F: for its edges at C
//! have w(C) ends there, two of each within C. So it lacks one of those that D counts, or has one at F that does not lead to M. With q such
//! parts, of which ends that are not given can spoil one each, it follows that
//!
//! ```text
//! w(M) ≤ w(F) + D − q + u
//! ```
//!
//! whichever of these ends are where, and there is no tour where that is not so.
//!
//! # References
//!
//! - H.-B. Belck: *Reguläre Faktoren von Graphen*, Journal für die reine und angewandte Mathematik 188, 1950.
//! - W. T. Tutte: *The factors of graphs*, Canadian Journal of Mathematics 4, 1952: where there are no such sets there is a 2-factor.

use super::{Asked, Ends, Unverified, Verified, among, parts_without};
use crate::problem::graph::Vertex;

/// Counts the edges.
pub(super) fn check(
    asked: &Asked<'_>,
    few: &[Vertex],
    many: &[Vertex],
) -> Result<Verified, Unverified> {
    let graph = asked.graph;
    let (is_few, is_many) = (among(graph, few), among(graph, many));
    let given = among(graph, &asked.ends.given());
    if graph
        .vertices()
        .any(|v| is_few[v.index()] && is_many[v.index()])
    {
        return Err(Unverified::NotSo("parted by the few and the many"));
    }
    let wants = |v: Vertex| if given[v.index()] { 1u64 } else { 2 };
    let not_given: u64 = match asked.ends {
        Ends::Closed => 0,
        Ends::Open { from, to } => u64::from(from.is_none()) + u64::from(to.is_none()),
    };
    let all = |set: &[bool]| -> u64 {
        let these = graph.vertices().filter(|v| set[v.index()]);
        these.map(wants).sum()
    };
    let away: Vec<bool> = is_few.iter().zip(&is_many).map(|(a, b)| *a || *b).collect();
    let (part, parts) = parts_without(graph, &away);
    let mut odd = vec![false; parts];
    for v in graph.vertices() {
        if let Some(part) = part[v.index()] {
            odd[part] ^= wants(v) % 2 == 1;
        }
    }
    let mut degrees: u64 = 0;
    for v in graph.vertices().filter(|v| is_many[v.index()]) {
        for w in graph.neighbours(v) {
            degrees += u64::from(!is_few[w.index()]);
            if let Some(part) = part[w.index()] {
                odd[part] ^= true;
            }
        }
    }
    let odd = odd.into_iter().filter(|&odd| odd).count() as u64;
    let wanted = all(&is_many) + odd;
    let there = all(&is_few) + degrees + not_given;
    match wanted > there {
        true => Ok(Verified::Degrees { wanted, there }),
        false => Err(Unverified::Enough { wanted, there }),
    }
}
