//! Random graphs with a given number of edges: `random:VERTICES:EDGES:SEED`. All sets of EDGES edges are equally
//! likely.
//!
//! As the number of edges grows, a Hamiltonian cycle appears around n (ln n + ln ln n)/2 edges for n vertices. This is
//! when the last vertex gets its second neighbour.
//!
//! With `+planted`, the edges of a random Hamiltonian cycle are among the edges. With `+no-cycle`, there are no edges
//! within a random set of more than half of the vertices (`planted.rs`). In both cases, all choices of the other edges
//! are equally likely.
//!
//! # References
//!
//! - Paul Erdős, Alfréd Rényi: *On Random Graphs I*, Publicationes Mathematicae 6, 1959.
//! - Jon Bentley, Robert Floyd: *A Sample of Brilliance*, Communications of the ACM 30, 1987.
//! - János Komlós, Endre Szemerédi: *Limit Distribution for the Existence of Hamiltonian Cycles in a Random Graph*,
//!   Discrete Mathematics 43, 1983.

use std::collections::BTreeSet;

use super::*;

/// The family of random graphs with a given number of edges.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "random",
    also: &["gnm"],
    form: "VERTICES:EDGES:SEED",
    example: "random:40:90:1",
    says: "random graph with EDGES edges",
    seeded: true,
    asks: &[Asked::Planted, Asked::NoCycle],
    make: |words, asked| numbers(words, |[n, m, seed]| random(n, m, seed, asked)),
    ..FamilyKind::NONE
};

pub(super) fn random(n: u32, m: u32, seed: u32, asked: Option<Asked>) -> Result<Graph, NoGraph> {
    let pairs = pairs(n);
    refuse(n == 0 || n > MOST || m > MOST || u64::from(m) > pairs, || {
        format!(
            "the number of vertices must be from 1 to {MOST}; the number of edges must be at most {MOST} and at most the number of vertex pairs"
        )
    })?;
    asked.map_or(Ok(()), |_| planted::fits(n))?;
    let mut random = relabel::generator(seed);
    let mut hidden = planted::random(seed);
    let edges: Vec<_> = match asked {
        None => sample(m, pairs, &mut random).into_iter().map(pair).collect(),
        Some(Asked::Planted) => {
            let others = m.checked_sub(n).ok_or_else(|| {
                NoGraph(format!("a Hamiltonian cycle has {n} edges, but the graph would have only {m} edges"))
            })?;
            let mut edges = planted::cycle(n, &mut hidden);
            let mut taken: Vec<u64> = edges.iter().map(|&(u, v)| number(u, v)).collect();
            taken.sort_unstable();
            // The index of the k-th free pair is k plus the number of taken pairs before this free pair.
            let mut before = 0;
            for k in sample(others, pairs - u64::from(n), &mut random) {
                while taken.get(before).is_some_and(|&t| t <= k + before as u64) {
                    before += 1;
                }
                edges.push(pair(k + before as u64));
            }
            edges
        }
        Some(Asked::NoCycle) => {
            let is_in = planted::majority(n, &mut hidden);
            let (inside, outside): (Vec<u32>, Vec<u32>) = (0..n).partition(|&v| is_in[v as usize]);
            let among = super::random::pairs(outside.len() as u32);
            let all = among + outside.len() as u64 * inside.len() as u64;
            refuse(u64::from(m) > all, || {
                format!(
                    "with +no-cycle, the number of edges must be at most {all}, because more than half of the vertices have \
                     no edges among them"
                )
            })?;
            let edge = |k: u64| match k.checked_sub(among) {
                None => {
                    let (i, j) = pair(k);
                    (outside[i as usize], outside[j as usize])
                }
                Some(k) => {
                    let (i, j) = (k % outside.len() as u64, k / outside.len() as u64);
                    (outside[i as usize], inside[j as usize])
                }
            };
            sample(m, all, &mut random).into_iter().map(edge).collect()
        }
    };
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}

/// Draws `m` distinct numbers less than `below`, by Floyd's method. For each of the last `m` numbers k below the bound,
/// draws a random number from 0 to k. If this number is already in the sample, adds k instead.
fn sample(m: u32, below: u64, random: &mut ChaCha8Rng) -> BTreeSet<u64> {
    let mut chosen = BTreeSet::new();
    for last in below - u64::from(m)..below {
        let number = random.next_u64() % (last + 1);
        if !chosen.insert(number) {
            chosen.insert(last);
        }
    }
    chosen
}

/// Returns the number of a pair of vertices; this is the inverse of `pair`.
fn number(u: u32, v: u32) -> u64 {
    let (i, j) = (u64::from(u.min(v)), u64::from(u.max(v)));
    j * (j - 1) / 2 + i
}

/// Returns the number of unordered pairs of different vertices in a graph with `n` vertices.
pub(super) fn pairs(n: u32) -> u64 {
    u64::from(n) * u64::from(n.saturating_sub(1)) / 2
}

/// Returns pair number k: the pair (i, j) with i < j and k = j (j − 1)/2 + i.
pub(super) fn pair(k: u64) -> (u32, u32) {
    let mut j = ((((8 * k + 1) as f64).sqrt() + 1.0) / 2.0) as u64;
    while j * (j - 1) / 2 > k {
        j -= 1;
    }
    while (j + 1) * j / 2 <= k {
        j += 1;
    }
    ((k - j * (j - 1) / 2) as u32, j as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_edges_are_different() {
        for (n, m, seed) in [(40, 90, 1), (9, 36, 2), (1, 0, 3), (1000, 4000, 4)] {
            let graph = random(n, m, seed, None).unwrap();
            assert_eq!((graph.n_vertices(), graph.n_edges()), (n, m));
        }
        assert_ne!(random(40, 90, 1, None), random(40, 90, 2, None));
        assert!(random(9, 37, 1, None).is_err());
    }

    #[test]
    fn what_is_asked_has_as_many_edges() {
        for (n, m, asked) in [
            (3, 3, Asked::Planted),
            (40, 40, Asked::Planted),
            (40, 90, Asked::Planted),
            (9, 36, Asked::Planted),
            (40, 90, Asked::NoCycle),
            (9, 26, Asked::NoCycle),
            (3, 2, Asked::NoCycle),
        ] {
            let graph = random(n, m, 5, Some(asked)).unwrap();
            assert_eq!((graph.n_vertices(), graph.n_edges()), (n, m), "{asked}");
        }
        for (n, m, asked) in [(40, 39, Asked::Planted), (9, 27, Asked::NoCycle), (2, 1, Asked::Planted)] {
            assert!(random(n, m, 5, Some(asked)).is_err());
        }
    }
}
