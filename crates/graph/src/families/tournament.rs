//! Random tournaments: `tournament:VERTICES:SEED`. Every two vertices are joined by one arc, in a random direction.
//!
//! Every tournament has an odd number of Hamiltonian paths, so it has at least one (Rédei 1934). A tournament has a
//! Hamiltonian cycle exactly if it is strongly connected (Camion 1959). Nearly all large tournaments are strongly
//! connected.
//!
//! # References
//!
//! - Paul Camion: *Chemins et circuits hamiltoniens des graphes complets*, Comptes Rendus 249, 1959.
//! - László Rédei: *Ein kombinatorischer Satz*, Acta Litteraria Szeged 7, 1934.

use super::*;

/// The family of random tournaments.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "tournament",
    form: "VERTICES:SEED",
    example: "tournament:20:7",
    says: "random tournament (digraph)",
    seeded: true,
    make: |words, _| numbers(words, |[n, seed]| tournament(n, seed)),
    ..FamilyKind::NONE
};

/// Maximum number of vertices; larger tournaments have too many arcs.
const MOST: u32 = 4_000;

fn tournament(n: u32, seed: u32) -> Result<Digraph, NoGraph> {
    refuse(!(1..=MOST).contains(&n), || format!("the number of vertices must be from 1 to {MOST}"))?;
    let mut random = relabel::generator(seed);
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let arcs = pairs.map(|(a, b)| match random.next_u64() >> 63 {
        0 => (a, b),
        _ => (b, a),
    });
    Digraph::from_arcs(n, arcs.collect::<Vec<_>>()).map_err(NoGraph::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_one_arc() {
        let digraph = tournament(30, 5).unwrap();
        assert_eq!(digraph.n_arcs(), 435);
        assert_eq!(digraph.underlying().n_edges(), 435);
        assert_ne!(digraph, tournament(30, 6).unwrap());
        assert!(tournament(MOST + 1, 0).is_err());
    }
}
