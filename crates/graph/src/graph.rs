//! Undirected simple graphs: digraphs in which every arc has its reverse.

use std::fmt;
use std::ops::Deref;

pub use crate::digraph::{Arc, ArcId, GraphError, Vertex};
use crate::digraph::{Digraph, Entering, valid};

/// An undirected simple graph. An edge is two arcs, one in each direction.
#[derive(Clone, PartialEq, Eq)]
pub struct Graph {
    /// Symmetric digraph: every arc has its reverse.
    digraph: Digraph,
}

impl Digraph {
    /// Returns the underlying undirected graph: two vertices are adjacent if an arc joins them in either direction.
    pub fn underlying(&self) -> Graph {
        let edges = self.arcs().map(|arc| (arc.tail.number(), arc.head.number()));
        Graph::of_valid(self.n_vertices(), edges.collect())
    }
}

impl Deref for Graph {
    type Target = Digraph;

    #[inline]
    fn deref(&self) -> &Digraph {
        &self.digraph
    }
}

impl Graph {
    /// Returns the graph on vertices `0..n` with these edges. An edge that is listed twice or in both directions counts
    /// once.
    ///
    /// # Errors
    ///
    /// [`GraphError`] for the first edge that joins a vertex to itself or has an end outside `0..n`, and for too many
    /// arcs.
    pub fn from_edges(n: u32, edges: impl IntoIterator<Item = (u32, u32)>) -> Result<Self, GraphError> {
        let graph = Self::of_valid(n, valid(n, edges)?);
        match graph.heads.len() > i32::MAX as usize {
            true => Err(GraphError::TooManyArcs(graph.heads.len() as u64)),
            false => Ok(graph),
        }
    }

    /// Returns the graph with these edges. The ends of each edge must be different and less than `n`; this is not
    /// checked.
    pub(super) fn of_valid(n: u32, pairs: Vec<(u32, u32)>) -> Self {
        let (first, heads) = sorted_lists(n, pairs);
        let (first_arc, heads) = without_repetitions(&first, heads);
        let first_arc: Vec<_> = first_arc.into_iter().map(|k| k as u32).collect();
        // Arcs are in the order of (tail, head), so the arcs into a vertex come in the order of their tails. The arcs
        // out of the vertex come in the order of their heads. Both lists name the same neighbours: the k-th arc into
        // the vertex is the reverse of the k-th arc out of the vertex.
        let mut next = first_arc.clone();
        let reverses = heads.iter().map(|&head: &Vertex| {
            let k = &mut next[head.index()];
            *k += 1;
            ArcId::new(*k - 1)
        });
        let entering = Entering::Reverses(reverses.collect());
        Self { digraph: Digraph { first_arc, heads, entering } }
    }

    /// Returns the number of edges, half the number of arcs.
    #[inline]
    pub fn n_edges(&self) -> u32 {
        self.n_arcs() / 2
    }

    /// Returns the numbers of the ends of each edge, the lesser first.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.arcs_or_edges(false).map(|arc| (arc.tail.number(), arc.head.number()))
    }

    /// Returns the neighbours of `v` in increasing order.
    #[inline]
    pub fn neighbours(&self, v: Vertex) -> &[Vertex] {
        self.successors(v)
    }

    /// Returns the number of neighbours of `v`.
    #[inline]
    pub fn degree(&self, v: Vertex) -> usize {
        self.range(v).len()
    }

    /// Returns the arc in the opposite direction.
    #[inline]
    pub fn reverse(&self, arc: ArcId) -> ArcId {
        match &self.digraph.entering {
            Entering::Reverses(reverses) => reverses[arc.index()],
            Entering::Listed { .. } => unreachable!("all arcs of a graph have their reverse"),
        }
    }

    /// Returns the edges outside a spanning forest, each as the arc that leaves its lesser vertex. The forest is built
    /// by breadth-first searches: first from `from`, then from the least vertex of every other component.
    pub fn co_tree(&self, from: Vertex) -> Vec<Arc> {
        let mut in_forest = vec![false; self.heads.len()];
        let roots = std::iter::once(from).chain(self.vertices());
        for (v, before) in self.breadth_first(roots, |v| self.neighbours(v).iter().copied()) {
            if let Some(edge) = before.and_then(|u| self.arc(u.min(v), u.max(v))) {
                in_forest[edge.index()] = true;
            }
        }
        self.arcs_or_edges(false).filter(|edge| !in_forest[edge.id.index()]).collect()
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph on {} vertices: ", self.n_vertices())?;
        f.debug_list().entries(self.arcs_or_edges(false).map(|a| (a.tail, a.head))).finish()
    }
}

/// Random graphs for property tests.
#[cfg(feature = "proptest")]
pub mod strategy {
    use super::{Graph, Vertex};
    use proptest::prelude::*;
    use std::ops::RangeInclusive;

    /// Returns a strategy for graphs whose number of vertices is in the range `n`, which must begin at 2 or more. Each
    /// edge is present with a probability that is itself random, so both sparse and dense graphs occur. Shrinks by
    /// dropping edges.
    ///
    /// # Panics
    ///
    /// Never: each pair of different vertices is a valid edge.
    pub fn graphs(n: RangeInclusive<u32>) -> impl Strategy<Value = Graph> {
        (n, 0.3..=1.0f64).prop_flat_map(|(n, density)| {
            let pairs = (n * (n - 1) / 2) as usize;
            proptest::collection::vec(proptest::bool::weighted(density), pairs).prop_map(move |present| {
                let edges = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
                let edges = edges.zip(present).filter(|&(_, p)| p).map(|(e, _)| e);
                Graph::from_edges(n, edges).expect("pairs below n are edges")
            })
        })
    }

    /// Returns all Hamiltonian paths: orders of the vertices in which each vertex is adjacent to the next. Tests
    /// hold searches and counts against them.
    pub fn paths(graph: &Graph) -> Vec<Vec<Vertex>> {
        fn extend(graph: &Graph, path: &mut Vec<Vertex>, out: &mut Vec<Vec<Vertex>>) {
            if path.len() == graph.n_vertices() as usize {
                out.push(path.clone());
                return;
            }
            for v in graph.vertices() {
                let next = path.last().is_none_or(|&last| graph.arc(last, v).is_some());
                if next && !path.contains(&v) {
                    path.push(v);
                    extend(graph, path, out);
                    path.pop();
                }
            }
        }
        let mut out = Vec::new();
        extend(graph, &mut Vec::new(), &mut out);
        out
    }
}

/// Returns the index at which the list of each vertex begins, and the neighbour lists of all vertices, concatenated.
/// The neighbours of a vertex are in increasing order. A repeated pair gives repeated entries.
///
/// The first pass puts the arcs into the lists of their tails in any order. The second pass goes through these lists,
/// tail by tail, and puts the arcs into the lists of their heads, where they arrive in the order of their tails. Since
/// the opposite of every arc is also present, the second lists have the same entries as the first, sorted in linear
/// time.
fn sorted_lists(n: u32, pairs: Vec<(u32, u32)>) -> (Vec<usize>, Vec<Vertex>) {
    let mut first = vec![0; n as usize + 1];
    for &(a, b) in &pairs {
        first[a as usize + 1] += 1;
        first[b as usize + 1] += 1;
    }
    for v in 0..n as usize {
        first[v + 1] += first[v];
    }
    let unsorted = lists(&first, pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
    drop(pairs);
    let by_tail = (0..n).flat_map(|v| {
        let list = &unsorted[first[v as usize]..first[v as usize + 1]];
        list.iter().map(move |head| (head.number(), v))
    });
    let heads = lists(&first, by_tail);
    (first, heads)
}

/// Puts the head of each arc into the list of the arc's tail, in input order. `first` has the index at which each list
/// begins.
fn lists(first: &[usize], arcs: impl Iterator<Item = (u32, u32)>) -> Vec<Vertex> {
    let mut next = first.to_vec();
    let mut heads = vec![Vertex::new(0); first[first.len() - 1]];
    for (tail, head) in arcs {
        let k = &mut next[tail as usize];
        heads[*k] = Vertex::new(head);
        *k += 1;
    }
    heads
}

/// Removes repeated entries from each sorted list. Returns the index at which each list now begins, and the entries of
/// all lists.
fn without_repetitions(first: &[usize], mut heads: Vec<Vertex>) -> (Vec<usize>, Vec<Vertex>) {
    let mut begins = Vec::with_capacity(first.len());
    let mut kept = 0;
    begins.push(kept);
    for ends in first.windows(2) {
        let begin = kept;
        for k in ends[0]..ends[1] {
            let head = heads[k];
            if kept == begin || heads[kept - 1] != head {
                heads[kept] = head;
                kept += 1;
            }
        }
        begins.push(kept);
    }
    heads.truncate(kept);
    heads.shrink_to_fit();
    (begins, heads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_are_numbered_by_tail_then_head() {
        let g = Graph::from_edges(4, [(2, 0), (0, 1), (1, 2), (2, 3), (3, 2)]).unwrap();
        let arcs: Vec<_> = g.arcs().map(|a| (a.tail.number(), a.head.number())).collect();
        assert_eq!(arcs, [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 3), (3, 2)]);
        for (k, a) in g.arcs().enumerate() {
            assert_eq!(a.id.index(), k);
            assert_eq!(g.arc_with(k as u32), Some(a));
            assert_eq!(g.arc(a.tail, a.head), Some(a.id));
            assert_eq!(g.arc(a.head, a.tail), Some(g.reverse(a.id)));
        }
        assert_eq!(g.arc_with(8), None);
        assert_eq!(g.arc(Vertex::new(0), Vertex::new(3)), None);
        assert_eq!((g.n_edges(), g.degree(Vertex::new(2))), (4, 3));
        let into_2: Vec<_> = g.arcs_to(Vertex::new(2)).map(|a| (a.id, a.tail)).collect();
        let expected = [0, 1, 3].map(|t| (g.arc(Vertex::new(t), Vertex::new(2)).unwrap(), Vertex::new(t)));
        assert_eq!(into_2, expected);
    }

    #[test]
    fn distances_are_shortest_paths_and_none_where_there_is_none() {
        let g = Graph::from_edges(6, [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5)]).unwrap();
        assert_eq!(g.distances(Vertex::new(0)), [Some(0), Some(1), Some(2), Some(1), None, None]);
    }

    #[test]
    fn a_co_tree_is_what_a_spanning_forest_leaves() {
        // Two triangles and an isolated vertex: each triangle has one edge too many for a tree.
        let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
        let g = Graph::from_edges(7, edges).unwrap();
        let ends = |from| {
            let arcs = g.co_tree(Vertex::new(from)).into_iter();
            arcs.map(|a| (a.tail.number(), a.head.number())).collect::<Vec<_>>()
        };
        assert_eq!(ends(0), [(1, 2), (4, 5)]);
        assert_eq!(ends(4), [(1, 2), (3, 5)]);
        assert_eq!(ends(6), [(1, 2), (4, 5)]);
    }

    #[test]
    fn bad_edges_are_named() {
        assert_eq!(
            Graph::from_edges(3, [(0, 1), (1, 3)]).unwrap_err().to_string(),
            "edge 1-3 names vertex 3, but the vertices are 0 to 2 (3 vertices)"
        );
        assert_eq!(Graph::from_edges(3, [(1, 1)]).unwrap_err().to_string(), "edge 1-1 is a self-loop");
    }

    #[test]
    fn a_digraph_with_all_reverses_equals_its_graph() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3)];
        let graph = Graph::from_edges(4, edges).unwrap();
        let both = edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let digraph = Digraph::from_arcs(4, both).unwrap();
        assert!(digraph.is_symmetric());
        assert_eq!(digraph, *graph);
        assert_eq!(digraph.crc32(), graph.crc32());
    }

    #[test]
    fn an_underlying_graph_has_an_edge_for_each_arc() {
        let digraph = Digraph::from_arcs(4, [(2, 0), (0, 1), (1, 0), (2, 3)]).unwrap();
        let graph = Graph::from_edges(4, [(0, 2), (0, 1), (2, 3)]).unwrap();
        assert_eq!(digraph.underlying(), graph);
    }
}
