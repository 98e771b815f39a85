//! Cycles: `cycle:N`. Each vertex is joined to the next, and the last to the first. The graph has one Hamiltonian
//! cycle.

use super::*;

/// The family of cycles.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "cycle",
    form: "N",
    example: "cycle:12",
    says: "a cycle",
    make: |words, _| numbers(words, |[n]| cycle(n)),
    ..FamilyKind::NONE
};

fn cycle(n: u32) -> Result<Graph, NoGraph> {
    refuse(!(3..=MOST).contains(&n), || format!("the number of vertices must be from 3 to {MOST}"))?;
    let edges = (0..n).map(|i| (i, (i + 1) % n));
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}
