//! Kneser graphs and Johnson graphs: `kneser:N:K` and `johnson:N:K`. The vertices of both are the subsets with K of N
//! elements. In a Kneser graph, disjoint subsets are adjacent; in a Johnson graph, subsets that share K − 1 elements.
//!
//! All Johnson graphs with three vertices or more have a Hamiltonian cycle. So do all connected Kneser graphs (N > 2K)
//! with three vertices or more, except the Petersen graph `kneser:5:2`.
//!
//! # References
//!
//! - Arturo Merino, Torsten Mütze, Namrata: *Kneser Graphs Are Hamiltonian*, STOC 2023.
//! - Chao-Yuan Tang, C. N. Liu: *Distance-2 Cyclic Chaining of Constant-Weight Codes*, IEEE Transactions on Computers
//!   22, 1973: the cycle of the Johnson graphs.

use super::*;

/// The family of Kneser graphs.
pub const KNESER: FamilyKind = FamilyKind {
    name: "kneser",
    form: "N:K",
    example: "kneser:7:2",
    says: "subsets with K of N elements, disjoint ones adjacent",
    asks: &[Asked::NoCycle],
    make: |words, asked| {
        numbers(words, |[n, k]| {
            let graph = joined(n, k, |a, b| a & b == 0)?;
            let is_petersen = (n, k) == (5, 2);
            has_one(asked, n > 2 * k && n >= 3 && !is_petersen)?;
            Ok(graph)
        })
    },
    ..FamilyKind::NONE
};

/// The family of Johnson graphs.
pub const JOHNSON: FamilyKind = FamilyKind {
    name: "johnson",
    example: "johnson:6:3",
    says: "subsets with K of N elements, adjacent if K - 1 are shared",
    make: |words, asked| {
        numbers(words, |[n, k]| {
            let graph = joined(n, k, |a, b| (a & b).count_ones() + 1 == k)?;
            has_one(asked, graph.n_vertices() >= 3)?;
            Ok(graph)
        })
    },
    ..KNESER
};

/// Largest number of subsets; all pairs of subsets are looked at.
const MOST: usize = 10_000;

/// Joins the subsets with `k` of `n` elements, as bit sets in increasing order, that are `adjacent`.
fn joined(n: u32, k: u32, adjacent: impl Fn(u32, u32) -> bool) -> Result<Graph, NoGraph> {
    let wrong = || NoGraph(format!("N must be at most 31, K from 1 to N, and there must be at most {MOST} subsets"));
    if n > 31 || !(1..=n).contains(&k) {
        return Err(wrong());
    }
    let mut subsets = Vec::new();
    let mut subset: u32 = (1 << k) - 1;
    while subset < 1 << n {
        if subsets.len() == MOST {
            return Err(wrong());
        }
        subsets.push(subset);
        // The next larger number with as many ones: the lowest block of ones moves its highest one up by a place, and
        // its other ones to the bottom.
        let lowest = subset & subset.wrapping_neg();
        let moved = subset + lowest;
        subset = moved | (((subset ^ moved) >> 2) / lowest);
    }
    let indices = 0..subsets.len();
    let pairs = indices.flat_map(|j| (0..j).map(move |i| (i, j)));
    let edges = pairs.filter(|&(i, j)| adjacent(subsets[i], subsets[j]));
    let edges = edges.map(|(i, j)| (i as u32, j as u32));
    Graph::from_edges(subsets.len() as u32, edges).map_err(NoGraph::from)
}
