//! Random graphs with independent edges: `gnp:VERTICES,P:SEED`. Any two vertices are joined with probability P.
//!
//! The generator goes through the pairs of vertices in order. Before each edge, it skips a number of pairs that follows
//! a geometric distribution: ⌊ln U / ln(1 − P)⌋ for a uniform U. For a sparse graph, the time is therefore linear in
//! the number of edges, not in the number of pairs.
//!
//! With `+planted`, the edges of a random Hamiltonian cycle are added. With `+no-cycle`, all edges within a random set
//! of more than half of the vertices are removed (`planted.rs`). All other edges are the same as without the setting.
//!
//! # References
//!
//! - Edgar Gilbert: *Random Graphs*, Annals of Mathematical Statistics 30, 1959.
//! - Vladimir Batagelj, Ulrik Brandes: *Efficient Generation of Large Random Networks*, Physical Review E 71, 2005.

use super::random::{pair, pairs};
use super::*;

/// The family of random graphs with independent edges.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "gnp",
    form: "VERTICES,P:SEED",
    example: "gnp:60,0.1:7",
    says: "random graph with edge probability P",
    seeded: true,
    asks: &[Asked::Planted, Asked::NoCycle],
    make: |words, asked| probable(words, |[n], p, seed| gnp(n, p, seed, asked)),
    ..FamilyKind::NONE
};

/// Chooses each number below `count` with probability `p`. Returns the chosen numbers in increasing order.
pub(super) fn independent(count: u64, p: f64, random: &mut ChaCha8Rng) -> impl Iterator<Item = u64> + '_ {
    let mut next = 0u64;
    std::iter::from_fn(move || {
        // Uniform in (0, 1], with 53 bits.
        let uniform = ((random.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        // If P is 0, the number saturates, so nothing is chosen. If P is 1, nothing is skipped.
        let skipped = (uniform.ln() / (-p).ln_1p()) as u64;
        let chosen = next.saturating_add(skipped);
        next = chosen.saturating_add(1);
        (chosen < count).then_some(chosen)
    })
    .fuse()
}

/// Returns an error if the size or the probability is out of range, or if too many of the pairs are expected. The nouns
/// are those for the graph and its pairs.
pub(super) fn fits(n: u32, p: f64, pairs: u64, [graph, edges]: [&str; 2]) -> Result<(), NoGraph> {
    refuse(!(1..=MOST).contains(&n) || !(0.0..=1.0).contains(&p), || {
        format!("the number of vertices must be from 1 to {MOST}, and P must be from 0 to 1")
    })?;
    refuse(pairs as f64 * p > f64::from(MOST), || format!("the {graph} would have more than {MOST} {edges}"))
}

fn gnp(n: u32, p: f64, seed: u32, asked: Option<Asked>) -> Result<Graph, NoGraph> {
    let pairs = pairs(n);
    fits(n, p, pairs, ["graph", "edges"])?;
    asked.map_or(Ok(()), |_| planted::fits(n))?;
    let mut random = relabel::generator(seed);
    let mut edges: Vec<_> = independent(pairs, p, &mut random).map(pair).collect();
    let mut hidden = planted::random(seed);
    match asked {
        Some(Asked::Planted) => edges.extend(planted::cycle(n, &mut hidden)),
        Some(Asked::NoCycle) => {
            let is_in = planted::majority(n, &mut hidden);
            edges.retain(|&(u, v)| !(is_in[u as usize] && is_in[v as usize]));
        }
        None => {}
    }
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Tests that 300 digraphs of ten vertices have each arc about 90 times. The standard deviation is 7.9.
    pub(in crate::families) fn all_are_as_likely(digraphs: impl Iterator<Item = Digraph>) {
        let mut seen = [[0u32; 10]; 10];
        for digraph in digraphs {
            digraph.arcs().for_each(|arc| seen[arc.tail.index()][arc.head.index()] += 1);
        }
        for (i, row) in seen.iter().enumerate() {
            let mut others = row.iter().enumerate().filter(|&(j, _)| j != i);
            assert!(others.all(|(_, n)| (50..130).contains(n)), "{row:?}");
        }
    }

    #[test]
    fn all_pairs_are_as_likely() {
        assert_eq!(gnp(30, 0.0, 1, None).unwrap().n_edges(), 0);
        assert_eq!(gnp(30, 1.0, 1, None).unwrap().n_edges(), 435);
        all_are_as_likely((0..300).map(|seed| Digraph::clone(&gnp(10, 0.3, seed, None).unwrap())));
    }

    #[test]
    fn what_is_asked_changes_little() {
        let graph = gnp(40, 0.2, 3, None).unwrap();
        let planted = gnp(40, 0.2, 3, Some(Asked::Planted)).unwrap();
        assert!(planted.vertices().all(|v| planted.degree(v) >= 2));
        let without = gnp(40, 0.2, 3, Some(Asked::NoCycle)).unwrap();
        for arc in graph.arcs() {
            assert!(planted.arc(arc.tail, arc.head).is_some());
        }
        for arc in without.arcs() {
            assert!(graph.arc(arc.tail, arc.head).is_some());
        }
        assert!(planted.n_edges() <= graph.n_edges() + 40);
        assert!(without.n_edges() < graph.n_edges());
        assert!(gnp(2, 0.5, 1, Some(Asked::Planted)).is_err());
    }

    #[test]
    fn bad_numbers_are_refused() {
        for (n, p) in [(0, 0.5), (9, 1.5), (9, -0.1), (9, f64::NAN)] {
            assert!(gnp(n, p, 1, None).unwrap_err().0.contains("P must be from 0 to 1"));
        }
        let error = gnp(MOST, 0.5, 1, None).unwrap_err();
        assert_eq!(error.0, "the graph would have more than 10000000 edges");
    }
}
