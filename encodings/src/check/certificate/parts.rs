//! More parts than a tour can visit.
//!
//! Let k vertices K be taken away from a closed tour, a cycle. If k is 0 it is connected: one part. Else k paths are left at most,
//! each of which is within one part of the graph without K, and every vertex outside of K is on one of them: so there are k parts at
//! most. An open tour is a path: k + 1 paths are left at most, and one fewer for each of its two ends that is in K, as
//! nothing is before the first vertex or behind the last. So if m of the ends that are given are in K, there are k + 1 − m
//! parts at most.

use super::{Asked, Ends, Unverified, Verified, among, parts_without};
use crate::problem::graph::Vertex;

/// Counts the parts that there are without these.
pub(super) fn check(asked: &Asked<'_>, without: &[Vertex]) -> Result<Verified, Unverified> {
    let away = among(asked.graph, without);
    let vertices = away.iter().filter(|&&away| away).count();
    let (_, parts) = parts_without(asked.graph, &away);
    let visited = match asked.ends {
        Ends::Closed => vertices.max(1),
        Ends::Open { .. } => {
            let given = asked.ends.given().into_iter();
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
