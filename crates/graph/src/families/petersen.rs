//! Generalized Petersen graphs GP(N, K): `petersen:N:K`. They consist of an outer and an inner ring of N vertices. Each
//! outer vertex is joined to the next outer vertex, and each inner vertex to the K-th inner vertex after it. Each outer
//! vertex i is also joined to the inner vertex N + i.
//!
//! All of these graphs have a Hamiltonian cycle, except the following: for N ≡ 5 modulo 6, GP(N, 2), GP(N, N − 2),
//! GP(N, (N − 1)/2) and GP(N, (N + 1)/2); for N ≥ 8 divisible by 4, GP(N, N/2).
//!
//! # References
//!
//! - Brian Alspach: *The Classification of Hamiltonian Generalized Petersen Graphs*, 1983.

use super::*;

/// The family of generalized Petersen graphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "petersen",
    also: &["gp"],
    form: "N:K",
    alone: Some("5:2"),
    example: "petersen:7:2",
    says: "generalized Petersen graph",
    asks: &[Asked::NoCycle],
    make: |words, asked| {
        numbers(words, |[n, k]| {
            let graph = petersen(n, k)?;
            has_one(asked, has_cycle(n, k))?;
            Ok(graph)
        })
    },
    ..FamilyKind::NONE
};

fn petersen(n: u32, k: u32) -> Result<Graph, NoGraph> {
    refuse(!(3..=MOST).contains(&n) || k == 0 || k >= n, || {
        format!("N must be from 3 to {MOST}, and K from 1 to N - 1")
    })?;
    let edges = (0..n).flat_map(|i| [(i, (i + 1) % n), (i, n + i), (n + i, n + (i + k) % n)]);
    Graph::from_edges(2 * n, edges).map_err(NoGraph::from)
}

/// True if GP(n, k) has a Hamiltonian cycle, by Alspach's theorem.
fn has_cycle(n: u32, k: u32) -> bool {
    let is_second = n % 6 == 5 && [2, n - 2, n / 2, n / 2 + 1].contains(&k);
    let is_half = n >= 8 && n.is_multiple_of(4) && k == n / 2;
    !is_second && !is_half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_without_a_cycle_are_known() {
        let without: Vec<_> =
            (3..13).flat_map(|n| (1..n).map(move |k| (n, k))).filter(|&(n, k)| !has_cycle(n, k)).collect();
        let known = [(5, 2), (5, 3), (8, 4), (11, 2), (11, 5), (11, 6), (11, 9), (12, 6)];
        assert_eq!(without, known);
    }
}
