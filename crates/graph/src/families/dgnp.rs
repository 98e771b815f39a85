//! Random digraphs with independent arcs: `dgnp:VERTICES,P:SEED`. Each vertex has an arc to each other vertex with
//! probability P, independently of the arc in the opposite direction.
//!
//! The generator skips absent arcs as [`gnp`] does. With `+planted` the digraph also has the arcs of a
//! directed Hamiltonian cycle. A random digraph has a Hamiltonian cycle with high probability once every vertex has an
//! entering arc and a leaving arc, at P near (ln n)/n.
//!
//! # References
//!
//! - Colin McDiarmid: *General Percolation and Random Graphs*, Advances in Applied Probability 13, 1981.

use super::gnp::{fits, independent};
use super::*;

/// The family of random digraphs with independent arcs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "dgnp",
    form: "VERTICES,P:SEED",
    example: "dgnp:60,0.1:7",
    says: "random digraph with arc probability P",
    seeded: true,
    asks: &[Asked::Planted],
    make: |words, asked| probable(words, |[n], p, seed| dgnp(n, p, seed, asked)),
    ..FamilyKind::NONE
};

fn dgnp(n: u32, p: f64, seed: u32, asked: Option<Asked>) -> Result<Digraph, NoGraph> {
    let pairs = u64::from(n) * u64::from(n).saturating_sub(1);
    fits(n, p, pairs, ["digraph", "arcs"])?;
    asked.map_or(Ok(()), |_| planted::fits(n))?;
    let mut random = relabel::generator(seed);
    // The arcs from a vertex are numbered by their heads, skipping the vertex itself.
    let arc = |number: u64| {
        let (tail, rank) = (number / u64::from(n - 1), number % u64::from(n - 1));
        let head = rank + u64::from(rank >= tail);
        (tail as u32, head as u32)
    };
    let mut arcs: Vec<_> = independent(pairs, p, &mut random).map(arc).collect();
    if asked == Some(Asked::Planted) {
        arcs.extend(planted::cycle(n, &mut planted::random(seed)));
    }
    Digraph::from_arcs(n, arcs).map_err(NoGraph::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_arcs_are_as_likely() {
        assert_eq!(dgnp(30, 0.0, 1, None).unwrap().n_arcs(), 0);
        assert_eq!(dgnp(30, 1.0, 1, None).unwrap().n_arcs(), 870);
        assert_eq!(dgnp(1, 0.5, 1, None).unwrap().n_arcs(), 0);
        gnp::tests::all_are_as_likely((0..300).map(|seed| dgnp(10, 0.3, seed, None).unwrap()));
    }

    #[test]
    fn a_planted_cycle_enters_and_leaves_every_vertex() {
        let digraph = dgnp(40, 0.01, 3, Some(Asked::Planted)).unwrap();
        for v in digraph.vertices() {
            assert!(!digraph.successors(v).is_empty() && !digraph.predecessors(v).is_empty());
        }
    }
}
