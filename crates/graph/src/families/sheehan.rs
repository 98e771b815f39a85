//! Sheehan's graphs: `sheehan:N` for N of at least 4. Each has exactly one Hamiltonian cycle, and ⌊N²/4⌋ + 1 edges, the most
//! that a graph of N vertices with only one such cycle can have.
//!
//! Let h = ⌊N/2⌋. The vertices from h on are joined to each other, and those below h are not. Vertex 0 is joined to the last two
//! vertices, vertex 1 to h and to the last one, and vertex i, for 2 ≤ i < h, to the last i + 1. The graphs of the FHCP Challenge
//! Set with ⌊N²/4⌋ + 1 edges are these graphs in another order, with 400 to 1123 vertices.
//!
//! # References
//!
//! - John Sheehan: *Graphs with exactly one Hamiltonian circuit*, Journal of Graph Theory 1, 1977.

use super::*;

/// The family of Sheehan's graphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "sheehan",
    form: "N",
    example: "sheehan:8",
    says: "graph with one Hamiltonian cycle and many edges",
    make: |words, _| numbers(words, |[n]| sheehan(n)),
    ..FamilyKind::NONE
};

/// Largest N. The number of edges must not exceed `MOST`.
const MOST_VERTICES: u32 = 6_000;

fn sheehan(n: u32) -> Result<Graph, NoGraph> {
    refuse(!(4..=MOST_VERTICES).contains(&n), || format!("N must be from 4 to {MOST_VERTICES}"))?;
    let (half, last) = (n / 2, n - 1);
    let first = [(0, last - 1), (0, last), (1, half), (1, last)];
    let next = (2..half).flat_map(|i| (last - i..n).map(move |v| (i, v)));
    let others = (half..n).flat_map(|v| (v + 1..n).map(move |w| (v, w)));
    Graph::from_edges(n, first.into_iter().chain(next).chain(others)).map_err(NoGraph::from)
}
