//! Complete graphs: `complete:N`. Any two vertices are adjacent, so there are (N − 1)!/2 Hamiltonian cycles.

use super::*;

/// The family of complete graphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "complete",
    form: "N",
    example: "complete:9",
    says: "complete graph",
    make: |words, _| numbers(words, |[n]| complete(n)),
    ..FamilyKind::NONE
};

/// Largest number of vertices; the edges of a larger graph would take gigabytes.
const MOST: u32 = 10_000;

fn complete(n: u32) -> Result<Graph, NoGraph> {
    refuse(!(1..=MOST).contains(&n), || format!("the number of vertices must be from 1 to {MOST}"))?;
    let edges = (0..n).flat_map(|i| (0..i).map(move |j| (j, i)));
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}
