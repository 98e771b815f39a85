//! Random cubic graphs: `cubic:VERTICES:SEED`. They are connected, and every vertex has three neighbours.
//!
//! The generator uses the pairing model. Each vertex gets three points, all points are paired at random, and the pairs
//! are the edges. If the result has a loop, a duplicate edge or several components, all pairs are drawn again. As a
//! result, all connected simple cubic graphs with labelled vertices are equally likely. Almost all of them have a
//! Hamiltonian cycle.
//!
//! With `+planted`, the graph is the union of a random Hamiltonian cycle and a random pairing of the vertices. The
//! pairing is drawn again until it shares no edge with the cycle. With `+no-cycle`, a random cubic graph with 8
//! vertices fewer is generated, and a random vertex of it is replaced by the Petersen graph minus one vertex. Three
//! edges join this part to the three neighbours of the replaced vertex. A Hamiltonian cycle would use two of these
//! edges, and its path through the part would give a Hamiltonian cycle of the Petersen graph, which has none. The graph
//! is cubic and connected. Its labels are in random order, so they do not reveal the construction.
//!
//! # References
//!
//! - Béla Bollobás: *A Probabilistic Proof of an Asymptotic Formula for the Number of Labelled Regular Graphs*, 1980.
//! - R. W. Robinson, N. C. Wormald: *Almost All Cubic Graphs Are Hamiltonian*, 1992.

use super::*;

/// The family of random cubic graphs.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "cubic",
    form: "VERTICES:SEED",
    example: "cubic:60:7",
    says: "random connected graph with 3 neighbours per vertex",
    seeded: true,
    asks: &[Asked::Planted, Asked::NoCycle],
    make: |words, asked| {
        numbers(words, |[n, seed]| match asked {
            None => cubic(n, seed),
            Some(Asked::Planted) => planted(n, seed),
            Some(Asked::NoCycle) => without_cycle(n, seed),
        })
    },
    ..FamilyKind::NONE
};

fn fits(n: u32, least: u32) -> Result<(), NoGraph> {
    refuse(n < least || n % 2 == 1 || n > MOST, || {
        format!("the number of vertices must be even, from {least} to {MOST}")
    })
}

fn cubic(n: u32, seed: u32) -> Result<Graph, NoGraph> {
    fits(n, 4)?;
    let mut random = relabel::generator(seed);
    let mut points: Vec<u32> = (0..3 * n).map(|point| point / 3).collect();
    loop {
        relabel::shuffle(&mut points, &mut random);
        let pairs = points.chunks_exact(2).map(|pair| (pair[0], pair[1]));
        if pairs.clone().any(|(a, b)| a == b) {
            continue;
        }
        let graph = Graph::from_edges(n, pairs).map_err(NoGraph::from)?;
        let is_simple = graph.n_edges() == 3 * n / 2;
        if is_simple && graph.distances(Vertex::new(0)).iter().all(Option::is_some) {
            return Ok(graph);
        }
    }
}

/// Returns the union of a random cycle through all vertices and a random pairing of the vertices. The pairing shares no
/// edge with the cycle.
fn planted(n: u32, seed: u32) -> Result<Graph, NoGraph> {
    fits(n, 4)?;
    let mut random = planted::random(seed);
    let mut edges = planted::cycle(n, &mut random);
    let mut points: Vec<u32> = (0..n).collect();
    loop {
        relabel::shuffle(&mut points, &mut random);
        edges.truncate(n as usize);
        edges.extend(points.chunks_exact(2).map(|pair| (pair[0], pair[1])));
        let graph = Graph::from_edges(n, edges.iter().copied()).map_err(NoGraph::from)?;
        if graph.n_edges() == 3 * n / 2 {
            return Ok(graph);
        }
    }
}

/// Returns a random cubic graph without a Hamiltonian cycle: one vertex of a smaller cubic graph is replaced by the
/// Petersen graph minus one vertex. No cycle that enters and leaves this part visits all vertices of the part.
fn without_cycle(n: u32, seed: u32) -> Result<Graph, NoGraph> {
    // The Petersen graph minus its vertex 9: an outer ring, an inner star, and the spokes. Vertices 4, 6 and 7 have
    // only two neighbours in this part.
    const PART: [(u32, u32); 12] =
        [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 5), (1, 6), (2, 7), (3, 8), (5, 7), (6, 8), (8, 5)];
    const JOINED: [u32; 3] = [4, 6, 7];
    fits(n, 12)?;
    let rest = n - 8;
    let graph = cubic(rest, seed)?;
    let mut random = planted::random(seed);
    let labels = relabel::order(n, &mut random);
    // The labels of the cubic graph are random, so its last vertex is a random vertex.
    let last = Vertex::new(rest - 1);
    let edges = graph.edges().filter(|&(_, head)| head != last.number());
    let part = PART.map(|(u, v)| (u + rest - 1, v + rest - 1));
    let joined = graph.neighbours(last).iter().zip(JOINED);
    let joined = joined.map(|(v, u)| (v.number(), u + rest - 1));
    let edges = edges.chain(part).chain(joined);
    let edges = edges.map(|(u, v)| (labels[u as usize], labels[v as usize]));
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_cubic_and_connected() {
        for (n, seed) in [(4, 0), (6, 1), (12, 0), (14, 1), (60, 7), (500, 3)] {
            let all: [fn(_, _) -> _; 3] = [cubic, planted, without_cycle];
            for make in &all[..if n < 12 { 1 } else { 3 }] {
                let graph = make(n, seed).unwrap();
                assert_eq!(graph.n_vertices(), n);
                assert!(graph.vertices().all(|v| graph.degree(v) == 3));
                assert!(graph.distances(Vertex::new(0)).iter().all(Option::is_some));
                assert_eq!(make(n, seed).unwrap(), graph);
                assert!(n == 4 || make(n, seed + 1).unwrap() != graph);
            }
        }
        assert!(planted(4, 1).is_ok() && planted(5, 1).is_err());
        assert!(without_cycle(10, 1).is_err());
    }
}
