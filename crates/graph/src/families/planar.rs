//! Random planar triangulations: `planar:VERTICES:SEED`. They are simple maximal planar graphs, with 3 n − 6 edges for
//! n vertices. Every triangulation with one marked triangle is equally likely.
//!
//! The generator uses the bijection of Poulalhon and Schaeffer between triangulations and plane trees of n − 2
//! vertices. Each vertex of such a tree also has two *stems*: edges with only one end. The generator walks around the
//! tree. Whenever two edges follow a stem, it joins the stem to the end of the second edge, which closes a triangle.
//! This is repeated as long as possible. Among the stems that remain, there are exactly two places where two stems are
//! adjacent. These places divide the stems into two groups. For each group, the generator adds a vertex and joins the
//! stems of the group to it. The two new vertices are also joined.
//!
//! A tree is encoded as a word of ones and zeros. The word has a one whenever the walk first reaches an edge. It has a
//! zero whenever the walk reaches an edge again, and for each stem. Of the rotations of any word with n − 3 ones and
//! 3 n − 7 zeros, two encode trees.
//!
//! These graphs have many vertices of degree three, each within a triangle. The share of graphs without a Hamiltonian
//! cycle seems to increase with the size. With 50, 100 and 200 vertices, the graphs of all 20 seeds had a Hamiltonian
//! cycle. With 500 vertices, 3 graphs of 30 seeds had none. With 1000 vertices, 2 graphs of 30 seeds had none, and 2
//! were not decided within 8 seconds.
//!
//! With `+no-cycle`, fewer than half of the vertices form a random triangulation. Each of the other vertices is put
//! into a separate face and joined to the three corners of the face. Removing the vertices of the triangulation leaves
//! more parts than vertices were removed, so no Hamiltonian cycle exists. The smallest of these graphs have 11
//! vertices; one of them is the graph of Goldner and Harary.
//!
//! # References
//!
//! - A. Goldner, Frank Harary: *Note on a Smallest Nonhamiltonian Maximal Planar Graph*, Bulletin of the Malaysian
//!   Mathematical Society 6, 1975.
//! - Dominique Poulalhon, Gilles Schaeffer: *Optimal Coding and Sampling of Triangulations*, Algorithmica 46, 2006.

use std::collections::VecDeque;

use super::*;

/// The family of random planar triangulations.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "planar",
    form: "VERTICES:SEED",
    example: "planar:60:7",
    says: "random planar triangulation",
    seeded: true,
    asks: &[Asked::NoCycle],
    make: |words, asked| {
        numbers(words, |[n, seed]| match asked {
            Some(Asked::NoCycle) => without_cycle(n, seed),
            _ => planar(n, seed),
        })
    },
    ..FamilyKind::NONE
};

/// Largest number of vertices; larger graphs are of no use.
const MOST: u32 = 3_000_000;

/// A step of the walk around a plane tree.
#[derive(Clone, Copy)]
enum Side {
    /// A stem (an edge with only one end) at this vertex.
    Stem(u32),
    /// An edge that leads to this vertex.
    Edge(u32),
}

fn planar(n: u32, seed: u32) -> Result<Graph, NoGraph> {
    let Triangulation { edges, .. } = triangulation(n, seed)?;
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}

/// A triangulation of the plane.
struct Triangulation {
    edges: Vec<(u32, u32)>,
    /// Corners of all triangles, including the outer triangle.
    faces: Vec<[u32; 3]>,
}

fn triangulation(n: u32, seed: u32) -> Result<Triangulation, NoGraph> {
    refuse(!(3..=MOST).contains(&n), || format!("the number of vertices must be from 3 to {MOST}"))?;
    let mut random = relabel::generator(seed);
    let word = word(n - 2, &mut random);
    let (mut edges, mut faces) = (Vec::new(), Vec::new());
    let around = around(&word, &mut edges);
    // Stems that remain, with the edges between them. Edges before the first stem are moved to the end of the walk.
    let mut left: Vec<Side> = Vec::new();
    let mut waiting = VecDeque::from(around);
    while let Some(side) = waiting.pop_front() {
        if left.is_empty() && matches!(side, Side::Edge(_)) {
            waiting.push_back(side);
            continue;
        }
        left.push(side);
        while let [.., Side::Stem(from), Side::Edge(middle), Side::Edge(to)] = *left {
            edges.push((from, to));
            faces.push([from, middle, to]);
            left.truncate(left.len() - 3);
            if left.is_empty() { waiting.push_back(Side::Edge(to)) } else { left.push(Side::Edge(to)) }
        }
    }
    let (mut apex, other) = (n - 2, n - 1);
    edges.push((apex, other));
    for (k, side) in left.iter().enumerate() {
        if let Side::Stem(from) = *side {
            edges.push((from, apex));
            match left[(k + 1) % left.len()] {
                // This is one of the two places with two adjacent stems.
                Side::Stem(_) => {
                    let next = n - 2 + other - apex;
                    faces.push([from, apex, next]);
                    apex = next;
                }
                Side::Edge(to) => faces.push([from, to, apex]),
            }
        }
    }
    Ok(Triangulation { edges, faces })
}

/// Returns a triangulation without a Hamiltonian cycle: more than half of its vertices are put into faces of a smaller
/// random triangulation.
fn without_cycle(n: u32, seed: u32) -> Result<Graph, NoGraph> {
    const LEAST: u32 = 11;
    refuse(!(LEAST..=MOST).contains(&n), || {
        format!("with +no-cycle, the number of vertices must be from {LEAST} to {MOST}")
    })?;
    let inner = (n - 1) / 2;
    let Triangulation { edges, mut faces } = triangulation(inner, seed)?;
    let mut random = planted::random(seed);
    relabel::shuffle(&mut faces, &mut random);
    // With twelve vertices, the smaller triangulation has one face too few. The last vertex is then put into one of the
    // faces that arise around another added vertex.
    let [a, b, _] = faces[0];
    faces.push([a, b, inner]);
    let stacked = (inner..n).zip(faces);
    let stacked = stacked.flat_map(|(v, face)| face.map(|corner| (corner, v)));
    // Random labels hide which vertices were put into faces.
    let labels = relabel::order(n, &mut random);
    let edges = edges.into_iter().chain(stacked);
    let edges = edges.map(|(a, b)| (labels[a as usize], labels[b as usize]));
    Graph::from_edges(n, edges).map_err(NoGraph::from)
}

/// Returns a random word that encodes a tree of n vertices. Rotates a word drawn at random so that it encodes a tree.
fn word(n: u32, random: &mut ChaCha8Rng) -> Vec<bool> {
    let ones = n as usize - 1;
    let mut word: Vec<bool> = (0..4 * n as usize - 2).map(|k| k < ones).collect();
    relabel::shuffle(&mut word, random);
    // The word is rotated to end where its height (up 3 for a one, down 1 for a zero) is minimal for the first time.
    let height = |height: &mut i64, one: &bool| {
        *height += if *one { 3 } else { -1 };
        Some(*height)
    };
    let heights: Vec<i64> = word.iter().scan(0, height).collect();
    let least = heights.iter().enumerate().min_by_key(|&(k, height)| (height, k));
    let end = least.map_or(0, |(k, _)| k + 1);
    word.rotate_left(end);
    word
}

/// Returns the walk around the tree that a word encodes, and appends the edges of the tree to `edges`.
fn around(word: &[bool], edges: &mut Vec<(u32, u32)>) -> Vec<Side> {
    // Vertices on the path from the root to the current vertex, each with the number of its stems so far.
    let mut path = vec![(0, 0)];
    let mut vertices = 1;
    let mut sides = Vec::with_capacity(word.len());
    for &one in word {
        let depth = path.len();
        let (here, stems) = &mut path[depth - 1];
        match one {
            true => {
                edges.push((*here, vertices));
                sides.push(Side::Edge(vertices));
                path.push((vertices, 0));
                vertices += 1;
            }
            false if *stems < 2 => {
                *stems += 1;
                sides.push(Side::Stem(*here));
            }
            false => {
                path.pop();
                sides.push(Side::Edge(path[path.len() - 1].0));
            }
        }
    }
    sides
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::graph_strategy::paths;

    fn degrees(graph: &Graph) -> Vec<usize> {
        let mut degrees: Vec<_> = graph.vertices().map(|v| graph.degree(v)).collect();
        degrees.sort_unstable();
        degrees
    }

    #[test]
    fn they_are_maximal_planar() {
        for n in 3..40 {
            for seed in 0..10 {
                let graph = planar(n, seed).unwrap();
                assert_eq!((graph.n_vertices(), graph.n_edges()), (n, 3 * n - 6));
                assert!(n == 3 || degrees(&graph)[0] >= 3);
            }
        }
        let large = planar(20_000, 1).unwrap();
        assert_eq!(large.n_edges(), 59_994);
        assert_eq!(degrees(&planar(5, 1).unwrap()), [3, 3, 4, 4, 4]);
        assert!(planar(2, 1).is_err() && planar(MOST + 1, 1).is_err());
    }

    #[test]
    fn every_edge_is_between_two_faces() {
        for n in 3..40 {
            for seed in 0..10 {
                let Triangulation { edges, faces } = triangulation(n, seed).unwrap();
                assert_eq!(faces.len(), 2 * n as usize - 4);
                let mut between = BTreeMap::new();
                for [a, b, c] in faces {
                    for (u, v) in [(a, b), (b, c), (a, c)] {
                        *between.entry((u.min(v), u.max(v))).or_insert(0) += 1;
                    }
                }
                assert!(edges.iter().all(|&(u, v)| between[&(u.min(v), u.max(v))] == 2));
            }
        }
    }

    fn has_cycle(graph: &Graph) -> bool {
        let is_closed = |path: &Vec<Vertex>| graph.arc(path[path.len() - 1], path[0]).is_some();
        paths(graph).iter().any(is_closed)
    }

    #[test]
    fn those_without_a_cycle_are_maximal_planar_too() {
        assert!(has_cycle(&planar(12, 1).unwrap()));
        for n in 11..40 {
            let graph = without_cycle(n, 3).unwrap();
            assert_eq!((graph.n_vertices(), graph.n_edges()), (n, 3 * n - 6));
            let of_three = degrees(&graph).iter().filter(|&&d| d == 3).count();
            // With twelve vertices, two added vertices are in the same face, because there are too few faces.
            match n {
                12 => assert!(!has_cycle(&graph)),
                _ => assert!(2 * of_three > n as usize, "{n}"),
            }
            assert_ne!(graph, without_cycle(n, 4).unwrap());
        }
        assert!(without_cycle(10, 1).is_err());
    }

    #[test]
    fn those_with_a_marked_triangle_are_as_likely() {
        // There are thirteen triangulations with six vertices and a marked triangle. One of them is the octahedron, so
        // it is expected 100 times in 1300 graphs, with a standard deviation of 9.6.
        let mut seen = BTreeMap::new();
        for seed in 0..1300 {
            *seen.entry(degrees(&planar(6, seed).unwrap())).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 2, "{seen:?}");
        let octahedra = seen[&vec![4; 6]];
        assert!((60..140).contains(&octahedra), "{octahedra}");
    }
}
