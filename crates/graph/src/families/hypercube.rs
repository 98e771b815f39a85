//! Hypercubes: `hypercube:D`. The vertices are the words of D bits. Two words are adjacent if they differ in one bit. A
//! Hamiltonian cycle is a cyclic Gray code, which exists for D ≥ 2.
//!
//! # References
//!
//! - Frank Gray: *Pulse Code Communication*, US patent 2632058, 1953.

use super::*;

/// The family of hypercubes.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "hypercube",
    also: &["cube"],
    form: "D",
    example: "hypercube:4",
    says: "hypercube of D dimensions",
    asks: &[Asked::NoCycle],
    make: |words, asked| {
        numbers(words, |[d]| {
            has_one(asked, d >= 2)?;
            hypercube(d)
        })
    },
    ..FamilyKind::NONE
};

/// Largest number of dimensions; a larger hypercube has more than 10 million edges.
const MOST: u32 = 19;

fn hypercube(d: u32) -> Result<Graph, NoGraph> {
    refuse(d > MOST, || format!("the number of dimensions must be at most {MOST}"))?;
    let edges = (0..1 << d).flat_map(|v: u32| (0..d).map(move |bit| (v, v ^ 1 << bit)));
    Graph::from_edges(1 << d, edges).map_err(NoGraph::from)
}
