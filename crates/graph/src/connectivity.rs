//! Connectivity of a graph: components, blocks, cut vertices and bridges, in linear time; and strongly connected
//! components of a digraph.
//!
//! A *cut vertex* is a vertex whose removal disconnects its component. A *bridge* is an edge whose removal disconnects
//! its component. A *block* is a maximal set of at least two vertices that is connected and stays connected if any
//! single vertex of the set is removed. Every edge is in one block. Two blocks share at most one vertex. The cut
//! vertices are the vertices that belong to several blocks. If a vertex is removed, its component falls into as many
//! parts as there are blocks with the vertex. A bridge is a block of two vertices; an isolated vertex is in no block.
//! Joining each cut vertex to the blocks that contain it gives one tree for each component that has an edge: the
//! *block-cut tree*.
//!
//! Blocks are found by a depth-first search that numbers the vertices as it reaches them. The *lowpoint* of a vertex is
//! the least number among the vertex, its descendants in the search tree, and the neighbours of all these. Suppose that
//! a vertex c is a child of v in the search tree, and that the lowpoint of c is not less than the number of v. Then no
//! edge joins c or a descendant of c to a vertex with a number less than that of v. Of c and its descendants, the
//! vertices that are in no block yet form one block together with v. The search keeps its path in a vector, not on the
//! call stack, because a path may have as many vertices as the graph.
//!
//! # References
//!
//! - J. Hopcroft and R. Tarjan, *Algorithm 447: efficient algorithms for graph manipulation*, Communications of the ACM
//!   16(6), 1973, 372–378: the depth-first search.
//! - F. Harary, *Graph Theory*, Addison-Wesley, 1969, chapters 3 and 4: blocks and the block-cut tree.
//!
//! # Differences from the paper
//!
//! The stack holds vertices rather than edges, because the vertices determine a block of a simple graph.

use crate::graph::{Graph, Vertex};

/// The connected components of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Components {
    /// Component number of each vertex, 0-based.
    of: Vec<u32>,
    /// Least vertex of each component.
    least: Vec<Vertex>,
}

impl Components {
    /// Returns the number of components.
    pub fn count(&self) -> u32 {
        self.least.len() as u32
    }

    /// Returns the number of the component that contains `v`. Components are numbered from 0 in increasing order of
    /// their least vertices.
    pub fn of(&self, v: Vertex) -> u32 {
        self.of[v.index()]
    }

    /// Returns the least vertex of each component, in increasing order.
    pub fn least(&self) -> &[Vertex] {
        &self.least
    }
}

/// Returns the strongly connected components of a digraph (Tarjan's algorithm), each as the list of its vertices. The
/// digraph has n vertices, and `successor(v, k)` is the k-th successor of v. The components are in reverse topological
/// order: each comes before those that lead to it. The last vertex of a component is the vertex that the search reached
/// first.
pub fn strong_components(n: u32, successor: impl Fn(Vertex, usize) -> Option<Vertex>) -> Vec<Vec<Vertex>> {
    const DONE: u32 = u32::MAX;
    // Number of each vertex in search order, from 1; 0 if the vertex is not reached yet.
    let mut numbers = vec![0u32; n as usize];
    let mut reached = 0;
    let mut found = Vec::new();
    let mut waiting = Vec::new();
    let mut path: Vec<(Vertex, u32, usize)> = Vec::new();
    for first in (0..n).map(Vertex::new) {
        let mut enter = Some(first).filter(|v| numbers[v.index()] == 0);
        loop {
            if let Some(v) = enter.take() {
                reached += 1;
                numbers[v.index()] = reached;
                waiting.push(v);
                path.push((v, reached, 0));
            }
            let Some((v, lowest, at)) = path.last_mut() else {
                break;
            };
            if let Some(next) = successor(*v, *at) {
                *at += 1;
                match numbers[next.index()] {
                    0 => enter = Some(next),
                    DONE => {}
                    number => *lowest = (*lowest).min(number),
                }
                continue;
            }
            let (v, lowest) = (*v, *lowest);
            path.pop();
            if lowest == numbers[v.index()] {
                let mut component = Vec::new();
                while let Some(w) = waiting.pop() {
                    numbers[w.index()] = DONE;
                    component.push(w);
                    if w == v {
                        break;
                    }
                }
                found.push(component);
            }
            if let Some((_, before, _)) = path.last_mut() {
                *before = (*before).min(lowest);
            }
        }
    }
    found
}

/// Returns the components of a graph. Two vertices are in the same component if a path joins them.
pub fn components(graph: &Graph) -> Components {
    components_without(graph, &vec![false; graph.n_vertices() as usize])
}

/// Returns the components of the graph that remains when some vertices are removed. `gone` has a flag for each vertex.
pub fn components_without(graph: &Graph, gone: &[bool]) -> Components {
    let is_left = |v: &Vertex| !gone[v.index()];
    let next = |v| graph.neighbours(v).iter().copied().filter(is_left);
    let mut of = vec![u32::MAX; graph.n_vertices() as usize];
    let mut least = Vec::new();
    for (v, before) in graph.breadth_first(graph.vertices().filter(is_left), next) {
        of[v.index()] = before.map_or(least.len() as u32, |u| of[u.index()]);
        if before.is_none() {
            least.push(v);
        }
    }
    Components { of, least }
}

/// The blocks (biconnected components) of a graph. An isolated vertex is in no block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// Start of each block in `vertices`: block `b` is `vertices[first[b]..first[b + 1]]`. The last entry is the length
    /// of `vertices`.
    first: Vec<u32>,
    vertices: Vec<Vertex>,
    /// Number of blocks that contain each vertex.
    with: Vec<u32>,
}

impl Blocks {
    /// Returns the vertices of each block. The first vertex is where the search entered the block: all paths from the
    /// root into the block go through this vertex. The other vertices follow in the order in which the search reached
    /// them; the second vertex is a neighbour of the first. The blocks that the search entered through a block B come
    /// before B.
    pub fn iter(&self) -> impl Iterator<Item = &[Vertex]> + '_ {
        let ends = self.first.windows(2);
        ends.map(|ends| &self.vertices[ends[0] as usize..ends[1] as usize])
    }

    /// Returns the number of blocks that contain `v`. Removing `v` splits its component into this number of parts. The
    /// number is 0 for an isolated vertex.
    pub fn with(&self, v: Vertex) -> u32 {
        self.with[v.index()]
    }

    /// True if the component of `v` falls into two or more parts when `v` is removed.
    pub fn is_cut_vertex(&self, v: Vertex) -> bool {
        self.with(v) > 1
    }

    /// Returns the cut vertices in increasing order.
    pub fn cut_vertices(&self) -> impl Iterator<Item = Vertex> + '_ {
        let all = (0..self.with.len() as u32).map(Vertex::new);
        all.filter(|&v| self.is_cut_vertex(v))
    }

    /// Returns the bridges in the order of [`Blocks::iter`]. Each pair begins with the end that is nearer to the root
    /// of the search.
    pub fn bridges(&self) -> impl Iterator<Item = (Vertex, Vertex)> + '_ {
        self.iter().filter_map(|block| match block {
            &[near, far] => Some((near, far)),
            _ => None,
        })
    }
}

/// A vertex on the current path of the depth-first search.
struct Frame {
    vertex: Vertex,
    lowpoint: u32,
    /// Number of neighbours of the vertex that the search has visited so far.
    looked_at: u32,
    /// Number of waiting vertices just before this vertex was reached. A vertex waits until the search has completed
    /// its block on the side of the root. All vertices reached from this vertex come later in the list of waiting
    /// vertices.
    place: usize,
}

/// Returns the blocks of a graph. One depth-first search begins at `root`, and one at the least vertex of every other
/// component.
pub fn blocks(graph: &Graph, root: Vertex) -> Blocks {
    blocks_without(graph, root, None)
}

/// Returns the blocks of the graph that remains when the vertex `gone`, if any, is removed. The vertices `gone` and `root`
/// must differ.
pub fn blocks_without(graph: &Graph, root: Vertex, gone: Option<Vertex>) -> Blocks {
    let n = graph.n_vertices() as usize;
    let mut blocks = Blocks { first: vec![0], vertices: Vec::new(), with: vec![0; n] };
    // Number of each vertex in search order, from 1; 0 if the vertex is not reached yet.
    let mut numbers = vec![0u32; n];
    if let Some(gone) = gone {
        // The vertex counts as reached after all others, so the search neither enters it nor returns through it.
        numbers[gone.index()] = u32::MAX;
    }
    let mut reached = 0;
    let mut path: Vec<Frame> = Vec::new();
    // Vertices that are reached, but whose block on the side of the root is not complete yet.
    let mut waiting: Vec<Vertex> = Vec::new();
    let mut reach = |v: Vertex, place: usize, numbers: &mut [u32]| {
        reached += 1;
        numbers[v.index()] = reached;
        Frame { vertex: v, lowpoint: reached, looked_at: 0, place }
    };
    for first in std::iter::once(root).chain(graph.vertices()) {
        if numbers[first.index()] != 0 {
            continue;
        }
        path.push(reach(first, 0, &mut numbers));
        while let Some(top) = path.last_mut() {
            if let Some(&w) = graph.neighbours(top.vertex).get(top.looked_at as usize) {
                top.looked_at += 1;
                match numbers[w.index()] {
                    0 => {
                        path.push(reach(w, waiting.len(), &mut numbers));
                        waiting.push(w);
                    }
                    // One of these neighbours is the parent of `top` on the path. If its number becomes the lowpoint,
                    // the lowpoint is still not less than the parent's number.
                    number => top.lowpoint = top.lowpoint.min(number),
                }
                continue;
            }
            let (lowpoint, place) = (top.lowpoint, top.place);
            path.pop();
            let Some(parent) = path.last_mut() else {
                continue;
            };
            if lowpoint < numbers[parent.vertex.index()] {
                parent.lowpoint = parent.lowpoint.min(lowpoint);
                continue;
            }
            let start = blocks.vertices.len();
            blocks.vertices.push(parent.vertex);
            blocks.vertices.extend(waiting.drain(place..));
            for v in &blocks.vertices[start..] {
                blocks.with[v.index()] += 1;
            }
            blocks.first.push(blocks.vertices.len() as u32);
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::strategy::graphs;
    use proptest::prelude::*;

    fn vertices(numbers: &[u32]) -> Vec<Vertex> {
        numbers.iter().copied().map(Vertex::new).collect()
    }

    /// Returns a graph with the same vertices, without the edges for which `gone` is true.
    fn without(graph: &Graph, gone: impl Fn(Vertex, Vertex) -> bool) -> Graph {
        let left = graph.arcs().filter(|arc| !gone(arc.tail, arc.head));
        let left = left.map(|arc| (arc.tail.number(), arc.head.number()));
        Graph::from_edges(graph.n_vertices(), left).unwrap()
    }

    fn check(graph: &Graph, roots: impl Iterator<Item = Vertex>) {
        let whole = components(graph);
        assert_eq!(whole.count() as usize, whole.least().len());
        for v in graph.vertices() {
            let reached = graph.distances(v);
            for w in graph.vertices() {
                assert_eq!(whole.of(v) == whole.of(w), reached[w.index()].is_some(), "{v:?} {w:?}");
            }
            assert!(whole.least()[whole.of(v) as usize] <= v);
        }

        // Without its edges, a vertex is an isolated vertex.
        let rests = graph.vertices().map(|v| without(graph, |x, y| x == v || y == v));
        let rests: Vec<_> = rests.map(|rest| (components(&rest), rest)).collect();
        let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
        let edges = edges.map(|arc| (arc.tail, arc.head));
        let expected: Vec<_> = edges
            .filter(|&(a, b)| {
                let rest = without(graph, |x, y| (x.min(y), x.max(y)) == (a, b));
                components(&rest).count() > whole.count()
            })
            .collect();
        for root in roots {
            let blocks = blocks(graph, root);
            for (v, (parts, _)) in graph.vertices().zip(&rests) {
                let parts = parts.count() - (whole.count() - 1) - 1;
                assert_eq!(blocks.with(v), parts, "{v:?}");
                assert_eq!(blocks.is_cut_vertex(v), parts > 1);
            }
            let cut: Vec<_> = blocks.cut_vertices().collect();
            assert!(cut.is_sorted());
            assert_eq!(cut.len(), graph.vertices().filter(|&v| blocks.is_cut_vertex(v)).count());

            let mut bridges: Vec<_> = blocks.bridges().map(|(a, b)| (a.min(b), a.max(b))).collect();
            bridges.sort_unstable();
            assert_eq!(bridges, expected);

            // The edges from a vertex to a and to b are in one block if a and b stay connected without the vertex.
            for (v, (parts, _)) in graph.vertices().zip(&rests) {
                let with_v: Vec<_> = blocks.iter().filter(|block| block.contains(&v)).collect();
                for &a in graph.neighbours(v) {
                    for &b in graph.neighbours(v) {
                        let is_one = with_v.iter().any(|block| block.contains(&a) && block.contains(&b));
                        assert_eq!(is_one, parts.of(a) == parts.of(b), "{v:?} {a:?} {b:?}");
                    }
                }
            }
            for block in blocks.iter() {
                assert!(graph.arc(block[0], block[1]).is_some());
            }
            for (gone, (_, rest)) in graph.vertices().zip(&rests).filter(|&(v, _)| v != root) {
                assert_eq!(blocks_without(graph, root, Some(gone)), super::blocks(rest, root));
            }
        }
    }

    #[test]
    fn every_graph_of_up_to_five_vertices_falls_apart_as_brute_force_says() {
        for n in 1..=5 {
            let pairs: Vec<_> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
            for chosen in 0u32..1 << pairs.len() {
                let edges = pairs.iter().enumerate();
                let edges = edges.filter(|&(k, _)| chosen >> k & 1 == 1).map(|(_, &e)| e);
                let graph = Graph::from_edges(n, edges).unwrap();
                check(&graph, graph.vertices());
            }
        }
    }

    proptest! {
        #[test]
        fn random_graphs_fall_apart_as_brute_force_says(
            graph in graphs(2..=12), thin in 0u64..=u64::MAX, root in 0u32..12,
        ) {
            // Most of the random graphs are too dense to have a cut vertex.
            let keep = |a: Vertex, b: Vertex| {
                let (a, b) = (a.min(b).number(), a.max(b).number());
                thin.rotate_left(7 * a + b) & 3 == 0
            };
            let thinned = without(&graph, |a, b| !keep(a, b));
            let root = Vertex::new(root % graph.n_vertices());
            check(&graph, [root].into_iter());
            check(&thinned, [root].into_iter());
        }
    }

    #[test]
    fn blocks_are_listed_from_where_they_were_entered() {
        // Two triangles that share vertex 2, and a bridge from 4 to 5. Vertex 6 is isolated.
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5)];
        let graph = Graph::from_edges(7, edges).unwrap();
        let of = |root| {
            let blocks = blocks(&graph, Vertex::new(root));
            blocks.iter().map(<[_]>::to_vec).collect::<Vec<_>>()
        };
        assert_eq!(of(0), [vertices(&[4, 5]), vertices(&[2, 3, 4]), vertices(&[0, 1, 2])]);
        assert_eq!(of(6), [vertices(&[4, 5]), vertices(&[2, 3, 4]), vertices(&[0, 1, 2])]);
        assert_eq!(of(5), [vertices(&[2, 0, 1]), vertices(&[4, 2, 3]), vertices(&[5, 4])]);
        let blocks = blocks(&graph, Vertex::new(0));
        assert_eq!(blocks.cut_vertices().collect::<Vec<_>>(), vertices(&[2, 4]));
        assert_eq!(blocks.with(Vertex::new(6)), 0);
        let components = components(&graph);
        assert_eq!(components.least(), vertices(&[0, 6]));
    }

    #[test]
    fn a_graph_without_vertices_has_no_component() {
        let graph = Graph::from_edges(0, []).unwrap();
        assert_eq!(components(&graph).count(), 0);
    }
}
