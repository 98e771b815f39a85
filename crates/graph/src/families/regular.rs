//! Random regular graphs: `regular:VERTICES:DEGREE:SEED`. They are connected, and every vertex has DEGREE neighbours.
//!
//! Each vertex gets DEGREE points. In turns, the remaining points are paired at random; a pair becomes an edge unless it
//! is a loop or a duplicate. If no remaining pair can become an edge, or the graph is not connected, the generator
//! starts again. For small degrees, all labelled regular graphs are almost equally likely. If DEGREE is more than half
//! of the vertices, the generator draws the complement.
//!
//! Almost all of these graphs have a Hamiltonian cycle if DEGREE is at least 3. [`cubic`] draws its graphs
//! with exactly equal probabilities.
//!
//! # References
//!
//! - Angelika Steger, Nicholas Wormald: *Generating Random Regular Graphs Quickly*, Combinatorics, Probability and
//!   Computing 8, 1999.
//! - R. W. Robinson, N. C. Wormald: *Almost All Regular Graphs Are Hamiltonian*, 1994.

use std::collections::HashSet;

use super::*;

/// The family of random regular graphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "regular",
    form: "VERTICES:DEGREE:SEED",
    example: "regular:60:4:7",
    says: "random connected graph with DEGREE neighbours per vertex",
    seeded: true,
    make: |words, _| numbers(words, |[n, degree, seed]| regular(n, degree, seed)),
    ..FamilyKind::NONE
};

fn regular(n: u32, degree: u32, seed: u32) -> Result<Graph, NoGraph> {
    let points = u64::from(n) * u64::from(degree);
    let least = if n == 2 { 1 } else { 2 };
    refuse(!(least..n).contains(&degree) || points % 2 == 1 || points > 2 * u64::from(MOST), || {
        format!(
            "the degree must be from 2 to the number of vertices - 1, the product of both even, and the number of edges at \
             most {MOST}"
        )
    })?;
    let mut random = relabel::generator(seed);
    loop {
        let edges = match degree {
            2 => planted::cycle(n, &mut random),
            _ if degree > n / 2 => {
                let Some(missing) = paired(n, n - 1 - degree, &mut random) else {
                    continue;
                };
                let missing: HashSet<_> = missing.into_iter().collect();
                let pairs = (0..n).flat_map(|v| (0..v).map(move |u| (u, v)));
                pairs.filter(|pair| !missing.contains(pair)).collect()
            }
            _ => match paired(n, degree, &mut random) {
                Some(edges) => edges,
                None => continue,
            },
        };
        let graph = Graph::from_edges(n, edges).map_err(NoGraph::from)?;
        if graph.distances(Vertex::new(0)).iter().all(Option::is_some) {
            return Ok(graph);
        }
    }
}

/// Pairs the points of the vertices. Returns the edges (u, v) with u < v; `None` if the last points cannot be paired.
fn paired(n: u32, degree: u32, random: &mut ChaCha8Rng) -> Option<Vec<(u32, u32)>> {
    let mut edges = HashSet::new();
    let mut list = Vec::new();
    let mut points: Vec<u32> = (0..n * degree).map(|point| point / degree.max(1)).collect();
    while !points.is_empty() {
        relabel::shuffle(&mut points, random);
        let mut rest = Vec::new();
        for pair in points.chunks_exact(2) {
            let edge = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            if edge.0 != edge.1 && edges.insert(edge) { list.push(edge) } else { rest.extend(pair) }
        }
        // After a turn without a new edge, checks whether any pair is left.
        if rest.len() == points.len() {
            let free = |(k, u): (usize, &u32)| {
                let mut others = rest[k + 1..].iter();
                others.any(|v| u != v && !edges.contains(&(*u.min(v), *u.max(v))))
            };
            if !rest.iter().enumerate().any(free) {
                return None;
            }
        }
        points = rest;
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_as_many_neighbours() {
        for (n, degree) in [(2, 1), (3, 2), (5, 4), (20, 2), (20, 7), (20, 17), (9, 4), (300, 12)] {
            let graph = regular(n, degree, 1).unwrap();
            assert_eq!(graph.n_vertices(), n);
            assert!(graph.vertices().all(|v| graph.degree(v) == degree as usize), "{n} {degree}");
            assert_eq!(regular(n, degree, 1).unwrap(), graph);
        }
        assert_ne!(regular(20, 7, 1).unwrap(), regular(20, 7, 2).unwrap());
        for (n, degree) in [(0, 0), (4, 1), (5, 3), (5, 5), (1_000_000, 50)] {
            assert!(regular(n, degree, 1).is_err(), "{n} {degree}");
        }
    }
}
