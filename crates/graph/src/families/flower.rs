//! Flower snarks: `flower:N` for odd N of at least 5. These cubic graphs have no Hamiltonian cycle, but removing any
//! single vertex leaves a graph that has one. A flower snark consists of N stars, each with a centre and three leaves.
//! The first leaves of the stars form a cycle of length N, and the other leaves form a cycle of length 2N.
//!
//! # References
//!
//! - Rufus Isaacs: *Infinite Families of Nontrivial Trivalent Graphs Which Are Not Tait Colorable*, American
//!   Mathematical Monthly 82, 1975.

use super::*;

/// The family of flower snarks.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "flower",
    also: &["snark:flower"],
    form: "N",
    example: "flower:9",
    says: "flower snark: cubic, no Hamiltonian cycle",
    asks: &[Asked::NoCycle],
    make: |words, _| numbers(words, |[n]| flower(n)),
    ..FamilyKind::NONE
};

/// Largest N; larger graphs are of no use.
const MOST: u32 = 1_000_000;

fn flower(n: u32) -> Result<Graph, NoGraph> {
    refuse(n < 5 || n.is_multiple_of(2) || n > MOST, || format!("N must be odd, from 5 to {MOST}"))?;
    // Star i has the centre 4i and the leaves 4i + 1, 4i + 2 and 4i + 3.
    let edges = (0..n).flat_map(|i| {
        let [centre, a, b, c] = [0, 1, 2, 3].map(|k| 4 * i + k);
        let next = 4 * ((i + 1) % n);
        // The cycle of length 2N goes around the stars twice. It changes between the leaves b and c after the last
        // star.
        let (to_b, to_c) = if i + 1 == n { (next + 3, next + 2) } else { (next + 2, next + 3) };
        [(centre, a), (centre, b), (centre, c), (a, next + 1), (b, to_b), (c, to_c)]
    });
    Graph::from_edges(4 * n, edges).map_err(NoGraph::from)
}
