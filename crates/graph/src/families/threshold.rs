//! Random graphs at the threshold of Hamiltonian cycles. The graph `threshold:VERTICES:SEED` is the graph
//! `random:VERTICES:EDGES:SEED` with round(n (ln n + ln ln n)/2) edges for n vertices. All sets of this many edges are
//! equally likely.
//!
//! With n (ln n + ln ln n + c)/2 edges, the probability of a Hamiltonian cycle tends to exp(−exp(−c)), which is 1/e for
//! c = 0. With 1000 vertices, a quarter of the graphs have a Hamiltonian cycle. The probability that all vertices have
//! two neighbours has the same limit. So nearly all graphs without a Hamiltonian cycle have a vertex of lower degree,
//! which a cheap check finds. The family [`mindeg2`] excludes such graphs.
//!
//! With `+planted` or `+no-cycle`, the result is the graph of [`random`] with the same setting.
//!
//! # References
//!
//! - Lajos Pósa: *Hamiltonian Circuits in Random Graphs*, Discrete Mathematics 14, 1976.
//! - János Komlós, Endre Szemerédi: *Limit Distribution for the Existence of Hamiltonian Cycles in a Random Graph*,
//!   Discrete Mathematics 43, 1983.

use super::random::{pairs, random};
use super::*;

/// The family of random graphs at the threshold of Hamiltonian cycles.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "threshold",
    form: "VERTICES:SEED",
    example: "threshold:200:7",
    says: "random graph at the threshold, where in the limit a third of the graphs have a Hamiltonian cycle",
    seeded: true,
    asks: &[Asked::Planted, Asked::NoCycle],
    make: |words, asked| numbers(words, |[n, seed]| threshold(n, seed, asked)),
    ..FamilyKind::NONE
};

fn threshold(n: u32, seed: u32, asked: Option<Asked>) -> Result<Graph, NoGraph> {
    let m = edges(n);
    refuse(n < 3 || m > MOST, || format!("the graph must have at least 3 vertices and at most {MOST} edges"))?;
    random(n, m, seed, asked)
}

/// Returns the number of edges at the threshold, but at most the number of pairs of vertices.
fn edges(n: u32) -> u32 {
    let log = f64::from(n).ln();
    let edges = f64::from(n) * (log + log.ln()) / 2.0;
    edges.round().min(pairs(n) as f64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_edges_is_that_of_the_theorem() {
        assert_eq!([3, 10, 100, 1000].map(edges), [2, 16, 307, 4420]);
        let graph = threshold(100, 1, None).unwrap();
        assert_eq!((graph.n_vertices(), graph.n_edges()), (100, 307));
        assert_eq!(graph, random(100, 307, 1, None).unwrap());
        for n in [0, 1, 2, MOST] {
            assert!(threshold(n, 1, None).unwrap_err().0.starts_with("the graph must have at least 3"));
        }
    }
}
