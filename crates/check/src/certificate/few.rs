//! Certificate reason `few`: the graph has fewer than three vertices, and the tours are closed.
//!
//! A closed tour visits each vertex once and uses each edge at most once. A single vertex has no edge to itself. Two
//! vertices have at most one edge, which a closed tour would have to use twice.

use super::{Asked, Unverified, Verified};
use hamcnf_graph::endpoints::Endpoints;

/// Checks that the tours are closed and that the graph has fewer than three vertices.
pub(super) fn check(asked: &Asked<'_>) -> Result<Verified, Unverified> {
    let n = asked.graph.n_vertices();
    match asked.ends {
        Endpoints::Closed if n < 3 => Ok(Verified::Few(n)),
        Endpoints::Closed | Endpoints::Open { .. } => Err(Unverified::NotFew),
    }
}
