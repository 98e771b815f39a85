//! Certificate reason `few`: the graph has fewer than three vertices, and the tours are closed.
//!
//! A closed tour visits each vertex once and uses each edge at most once. A single vertex has no edge to itself. Two
//! vertices have at most one edge, which a closed tour would have to use twice.

use super::{Asked, Limits, ReasonKind, Unverified};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::endpoints::Endpoints;

/// Kind of reason `few`.
pub static KIND: ReasonKind = ReasonKind { name: "few", vertices: None, check };

/// Checks that the tours are closed and that the graph has fewer than three vertices.
fn check(asked: &Asked<'_>, _: &[Vertex], _: &Limits<'_>) -> Result<String, Unverified> {
    let n = asked.graph.n_vertices();
    match asked.ends {
        Endpoints::Closed if n < 3 => Ok(format!("a closed tour has at least three vertices, but the graph has {n}")),
        Endpoints::Closed | Endpoints::Open { .. } => {
            Err(Unverified::invalid("the reason \"few\" requires closed tours of fewer than three vertices"))
        }
    }
}
