//! More parts than a tour can visit.
//!
//! Let k vertices K be taken away from a closed tour, a cycle. If k is 0 it is connected: one part. Else k paths are
//! left at most, each of which is within one part of the graph without K, and every vertex outside of K is on one of
//! them: so there are k parts at most. An open tour is a path: k + 1 paths are left at most, and one fewer for each of
//! its two ends that is in K, as nothing is before the first vertex or behind the last. So if m of the ends that are
//! given are in K, there are k + 1 − m parts at most.

use super::{Asked, Unverified, Verified, among, given};
use hamcnf_graph::endpoints::Endpoints;
use hamcnf_graph::graph::{Graph, Vertex};

/// Counts the parts that there are without these.
pub(super) fn check(asked: &Asked<'_>, without: &[Vertex]) -> Result<Verified, Unverified> {
    let away = among(asked.graph, without);
    let vertices = away.iter().filter(|&&away| away).count();
    let parts = parts(asked.graph, &away);
    let visited = match asked.ends {
        Endpoints::Closed => vertices.max(1),
        Endpoints::Open { .. } => {
            let given = given(asked.ends).into_iter();
            vertices + 1 - given.filter(|v| away[v.index()]).count()
        }
    };
    if parts > visited {
        return Ok(Verified::Parts {
            parts,
            vertices,
            visited,
        });
    }
    Err(Unverified::FewParts {
        parts,
        vertices,
        visited,
    })
}

/// How many parts there are of what is not away.
fn parts(graph: &Graph, away: &[bool]) -> usize {
    let mut seen = away.to_vec();
    let mut parts = 0;
    for first in graph.vertices() {
        if std::mem::replace(&mut seen[first.index()], true) {
            continue;
        }
        parts += 1;
        let mut waiting = vec![first];
        while let Some(v) = waiting.pop() {
            for &w in graph.neighbours(v) {
                if !std::mem::replace(&mut seen[w.index()], true) {
                    waiting.push(w);
                }
            }
        }
    }
    parts
}
