//! Search for 2-factors of general graphs by reduction to perfect matchings of larger graphs.
//!
//! The larger graph has two *copies* of every vertex v, and one *port* for every arc, placed at the arc's tail. Each
//! copy of v is adjacent to the ports of all arcs that leave v. The two ports of an edge are adjacent. A perfect
//! matching defines a 2-factor: an edge is left out if its two ports are matched with each other. Otherwise, both ports
//! are matched with copies of their vertices, and the edge belongs to the 2-factor. A graph with n vertices and m edges
//! gives a larger graph with 2n + 2m vertices and 5m edges. The edges of a partial 2-factor correspond to a partial
//! matching. In this matching, each vertex has one exposed copy for each edge that it lacks.
//!
//! # References
//!
//! - W. T. Tutte: *A short proof of the factor theorem for finite graphs*, Canadian Journal of Mathematics 6, 1954.
//! - Y. Shiloach: *Another look at the degree constrained subgraph problem*, Information Processing Letters 12, 1981.

use hamcnf_graph::{ArcId, Graph, Vertex};

use super::blossom::{Rows, perfect};
use super::links::{Factor, Links, NONE};
use super::{Budget, Stopped};

/// Memory in bytes that the matching needs per vertex of the larger graph, in addition to the adjacency lists.
const PER_VERTEX: u64 = 26;
/// Memory in bytes of an entry of the adjacency lists.
const PER_ENTRY: u64 = 4;

/// Returns a 2-factor of the graph, found by augmenting the partial 2-factor `links`. Edges of `links` may be replaced.
/// Returns `None` if the graph has no 2-factor.
pub(super) fn complete(graph: &Graph, links: Links, budget: &Budget) -> Result<Option<Factor>, Stopped> {
    let short = graph.vertices().any(|v| links.degree(v.number()) < 2);
    if !short {
        return Ok(links.complete());
    }
    let (n, arcs) = (u64::from(graph.n_vertices()), u64::from(graph.n_arcs()));
    let bytes = (2 * n + arcs) * PER_VERTEX + 5 * arcs * PER_ENTRY;
    // Adjacency lists are indexed with 32-bit numbers.
    if 5 * arcs > u64::from(u32::MAX) || budget.memory().is_some_and(|memory| bytes > memory) {
        return Err(Stopped::Memory);
    }
    let rows = rows(graph);
    budget.check()?;
    let mut mate = matching(graph, &links);
    if !perfect(&rows, &mut mate, budget)? {
        return Ok(None);
    }
    let mut links = Links::new(graph.n_vertices() as usize);
    for arc in graph.arcs().filter(|arc| arc.tail < arc.head) {
        if mate[port(graph, arc.id) as usize] < 2 * graph.n_vertices() {
            links.link(arc.tail.number(), arc.head.number());
        }
    }
    Ok(links.complete())
}

/// Returns the numbers of the two copies of `v` in the larger graph (see the module documentation).
fn copies(v: Vertex) -> [u32; 2] {
    [2 * v.number(), 2 * v.number() + 1]
}

/// Returns the number of the port of `arc` in the larger graph (see the module documentation).
fn port(graph: &Graph, arc: ArcId) -> u32 {
    2 * graph.n_vertices() + arc.number()
}

fn rows(graph: &Graph) -> Rows {
    let mut first = vec![0];
    let mut heads = Vec::with_capacity(5 * graph.n_arcs() as usize);
    for v in graph.vertices() {
        for _ in copies(v) {
            heads.extend(graph.arcs_from(v).map(|arc| port(graph, arc.id)));
            first.push(heads.len() as u32);
        }
    }
    for arc in graph.arcs() {
        let [a, b] = copies(arc.tail);
        heads.extend([a, b, port(graph, graph.reverse(arc.id))]);
        first.push(heads.len() as u32);
    }
    Rows { first, heads }
}

/// Returns the partial matching of the larger graph that corresponds to the edges in `links`.
fn matching(graph: &Graph, links: &Links) -> Vec<u32> {
    let mut mate = vec![NONE; (2 * graph.n_vertices() + graph.n_arcs()) as usize];
    for v in graph.vertices() {
        let mut free = copies(v).into_iter();
        for arc in graph.arcs_from(v) {
            let port = port(graph, arc.id);
            let other = if links.has(v.number(), arc.head.number()) {
                let copy = free.next().expect("a vertex has at most two links");
                mate[copy as usize] = port;
                copy
            } else {
                2 * graph.n_vertices() + graph.reverse(arc.id).number()
            };
            mate[port as usize] = other;
        }
    }
    mate
}
