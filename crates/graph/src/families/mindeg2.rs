//! Random graphs in which every vertex has at least two neighbours: `mindeg2:VERTICES:EDGES:SEED`. A vertex with fewer
//! neighbours would be an obvious reason why no Hamiltonian cycle exists.
//!
//! The degrees are independent Poisson variables, conditioned on each being at least two and on their sum being twice
//! the number of edges. Each vertex gets as many points as its degree, and the points are paired at random. Each pair
//! is an edge. While an edge is a loop or a duplicate, it exchanges ends with another random edge. The graphs are
//! therefore nearly, but not exactly, equally likely.
//!
//! As the number m of edges on n vertices grows, a Hamiltonian cycle appears around m = n (ln n + 6 ln ln n)/6. This is
//! when the last vertex with three neighbours of degree two disappears. In an experiment with small n and 100 seeds for
//! each m, about half of the graphs have a cycle if m/n is around two or a little above:
//!
//! | n | m | with a cycle | without |
//! |---|---|---|---|
//! | 50 | 90, 95, 100 | 27, 40, 50 | 73, 60, 50 |
//! | 100 | 205, 210, 215 | 39, 46, 58 | 61, 54, 42 |
//! | 200 | 450, 460, 470 | 56, 59, 62 | 44, 41, 38 |
//! | 500 | 1200, 1250 | 42, 63 | 58, 37 |
//! | 1000 | 2600, 2700 | 46, 59 | 54, 41 |
//!
//! # References
//!
//! - Béla Bollobás, Trevor Fenner, Alan Frieze: *Hamilton Cycles in Random Graphs with Minimal Degree at Least k*, in:
//!   A Tribute to Paul Erdős, 1990.
//! - Jonathan Aronson, Alan Frieze, Boris Pittel: *Maximum Matchings in Sparse Random Graphs: Karp–Sipser Revisited*,
//!   Random Structures and Algorithms 12, 1998.

use std::collections::HashMap;

use super::*;

/// The family of random graphs of minimum degree two.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "mindeg2",
    form: "VERTICES:EDGES:SEED",
    example: "mindeg2:200:460:7",
    says: "random graph with EDGES edges and at least 2 neighbours per vertex",
    seeded: true,
    make: |words, _| numbers(words, |[n, m, seed]| mindeg2(n, m, seed)),
    ..FamilyKind::NONE
};

/// Largest number of vertices. With more vertices, it takes minutes to draw degrees with the right sum.
const MOST: u32 = 100_000;

/// Largest mean degree. With a greater mean, nearly every random graph has minimum degree two anyway.
const MEAN: u32 = 20;

fn mindeg2(n: u32, m: u32, seed: u32) -> Result<Graph, NoGraph> {
    let pairs = random::pairs(n);
    let fits = (n..=n.saturating_mul(MEAN / 2)).contains(&m) && 2 * u64::from(m) <= pairs + u64::from(n);
    refuse(!(3..=MOST).contains(&n) || !fits, || {
        format!(
            "VERTICES must be from 3 to {MOST}; EDGES must be from VERTICES to {} times VERTICES, and at most about half of the number of vertex pairs",
            MEAN / 2
        )
    })?;
    let mut random = relabel::generator(seed);
    loop {
        let mut points: Vec<u32> = Vec::with_capacity(2 * m as usize);
        for (v, degree) in (0..n).zip(degrees(n, m, &mut random)) {
            points.extend(std::iter::repeat_n(v, degree as usize));
        }
        relabel::shuffle(&mut points, &mut random);
        let edges = points.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
        if let Some(edges) = simple(edges.collect(), &mut random) {
            let edges = edges.into_iter().map(|[a, b]| (a, b));
            return Graph::from_edges(n, edges).map_err(NoGraph::from);
        }
    }
}

fn below(n: u64, random: &mut ChaCha8Rng) -> u64 {
    random.next_u64() % n
}

/// Draws n random degrees. Each degree is at least two, and their sum is 2 m.
fn degrees(n: u32, m: u32, random: &mut ChaCha8Rng) -> Vec<u32> {
    let (sum, most) = (2 * m, n - 1);
    if m == n {
        return vec![2; n as usize];
    }
    let cumulative = cumulative(f64::from(sum) / f64::from(n), most);
    loop {
        let mut left = sum;
        let mut draw = || {
            // Uniform in [0, 1), with 53 bits.
            let uniform = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            cumulative.partition_point(|&up_to| up_to <= uniform) as u32 + 2
        };
        let degrees: Option<Vec<u32>> = (0..n)
            .map(|_| {
                let degree = draw().min(most);
                left = left.checked_sub(degree)?;
                Some(degree)
            })
            .collect();
        if let Some(degrees) = degrees.filter(|_| left == 0) {
            return degrees;
        }
    }
}

/// Returns the cumulative distribution of a random degree: the probabilities that the degree is at most 2, 3, and so on
/// up to `most`. The degree is a Poisson variable under the condition that it is at least two. `mean` is its mean under
/// this condition.
fn cumulative(mean: f64, most: u32) -> Vec<f64> {
    // Mean of the conditioned variable if the Poisson parameter is x. The mean increases with x.
    let mean_of = |x: f64| x * x.exp_m1() / (x.exp_m1() - x);
    let (mut low, mut high) = (1e-6, mean);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if mean_of(middle) < mean { low = middle } else { high = middle }
    }
    let scale = low.exp_m1() - low;
    let mut term = low;
    let terms = (2..=most.min(200)).map(|k| {
        term *= low / f64::from(k);
        term / scale
    });
    let sum = |sum: &mut f64, term: f64| {
        *sum += term;
        Some(*sum)
    };
    terms.scan(0.0, sum).collect()
}

/// Exchanges ends of edges until no loops or duplicates remain; `None` if this takes too many tries.
fn simple(mut edges: Vec<[u32; 2]>, random: &mut ChaCha8Rng) -> Option<Vec<[u32; 2]>> {
    let key = |[a, b]: [u32; 2]| (a.min(b), a.max(b));
    let mut times: HashMap<(u32, u32), u32> = HashMap::new();
    for &edge in &edges {
        *times.entry(key(edge)).or_default() += 1;
    }
    let is_bad = |edge: [u32; 2], times: &HashMap<_, u32>| edge[0] == edge[1] || times[&key(edge)] > 1;
    let mut bad: Vec<usize> = (0..edges.len()).filter(|&k| is_bad(edges[k], &times)).collect();
    let mut tries = 100 * edges.len();
    while let Some(k) = bad.pop() {
        if !is_bad(edges[k], &times) {
            continue;
        }
        tries = tries.checked_sub(1)?;
        let other = below(edges.len() as u64, random) as usize;
        if other != k {
            for edge in [edges[k], edges[other]] {
                *times.entry(key(edge)).or_default() -= 1;
            }
            let [a, b] = edges[k];
            let turn = below(2, random) as usize;
            let (c, d) = (edges[other][turn], edges[other][1 - turn]);
            (edges[k], edges[other]) = ([a, c], [b, d]);
            for edge in [edges[k], edges[other]] {
                *times.entry(key(edge)).or_default() += 1;
            }
            bad.push(other);
        }
        bad.push(k);
    }
    Some(edges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_two_neighbours() {
        for (n, m, seed) in
            [(3, 3, 1), (4, 4, 1), (5, 7, 2), (40, 60, 3), (40, 200, 4), (1000, 2400, 5), (500, 5000, 6)]
        {
            let graph = mindeg2(n, m, seed).unwrap();
            assert_eq!((graph.n_vertices(), graph.n_edges()), (n, m));
            assert!(graph.vertices().all(|v| graph.degree(v) >= 2));
            assert_eq!(mindeg2(n, m, seed).unwrap(), graph);
        }
        assert_ne!(mindeg2(40, 60, 1), mindeg2(40, 60, 2));
    }

    #[test]
    fn bad_numbers_are_refused() {
        for (n, m) in [(2, 2), (3, 2), (40, 39), (40, 401), (6, 12), (MOST + 1, MOST + 1)] {
            let error = mindeg2(n, m, 1).unwrap_err();
            assert!(error.0.starts_with("VERTICES must be from 3 to"), "{n} {m}");
        }
    }
}
