//! Undirected simple graphs, and the arcs that encodings use as variables.
//!
//! A graph is stored in compressed sparse row form: the neighbours of vertex 0 in increasing order, then the neighbours
//! of vertex 1, and so on. The place of a neighbour in this list is the [`ArcId`] of the arc to this neighbour. So arcs
//! are numbered row by row through the adjacency matrix, as the variables `H_ij` are in the programs of the literature.
//! An arc has this number everywhere: in DIMACS variables (plus one), in the projection set and in the lines of a
//! picture.

use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

/// A vertex, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex(u32);

impl Vertex {
    /// Returns the vertex with this 0-based number.
    #[must_use]
    #[inline]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the 0-based number of the vertex.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the number of the vertex as an index into tables by vertex.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

/// An arc: one of the two directions of an edge. Arcs are counted from 0 in the order of (tail, head).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArcId(u32);

impl ArcId {
    /// Returns the 0-based number of the arc.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the number of the arc as an index into tables by arc.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for ArcId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a{}", self.0)
    }
}

/// An arc with both of its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arc {
    /// Number of the arc.
    pub id: ArcId,
    /// Vertex that the arc leaves.
    pub tail: Vertex,
    /// Vertex that the arc enters.
    pub head: Vertex,
}

/// Reason why edges do not form a simple graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GraphError {
    /// An edge has an end that is not a vertex of the graph.
    #[error("edge {0}-{1} names vertex {vertex}, but the vertices are 0 to {last} ({n} vertices)", vertex = .0.max(.1), last = i64::from(*.2) - 1, n = .2)]
    NoSuchVertex(u32, u32, u32),
    /// An edge joins a vertex to itself.
    #[error("edge {0}-{0} is a self-loop")]
    Loop(u32),
    /// The graph has more arcs than there can be variables, which are 32-bit signed integers.
    #[error("{0} arcs are too many; at most {max} are supported, one variable for each arc", max = i32::MAX)]
    TooManyArcs(u64),
}

/// An undirected simple graph.
#[derive(Clone, PartialEq, Eq)]
pub struct Graph {
    /// Arcs that leave `v` are `first_arc[v]..first_arc[v + 1]`. The last entry is the number of arcs.
    first_arc: Vec<u32>,
    /// Head of each arc. The heads of the arcs that leave the same vertex are in increasing order.
    heads: Vec<Vertex>,
    /// Opposite arc of each arc.
    reverse: Vec<ArcId>,
}

impl Graph {
    /// Returns the graph on vertices `0..n` with these edges. An edge that is listed twice or in both directions counts
    /// once.
    ///
    /// # Errors
    ///
    /// [`GraphError`] for the first edge that joins a vertex to itself or has an end outside `0..n`, and for too many
    /// arcs.
    pub fn from_edges(
        n: u32,
        edges: impl IntoIterator<Item = (u32, u32)>,
    ) -> Result<Self, GraphError> {
        let mut pairs = Vec::new();
        for (a, b) in edges {
            if a >= n || b >= n {
                return Err(GraphError::NoSuchVertex(a, b, n));
            }
            if a == b {
                return Err(GraphError::Loop(a));
            }
            pairs.push((a, b));
        }
        let (first, heads) = sorted_lists(n, pairs);
        let (first_arc, heads) = without_repetitions(&first, heads);
        if heads.len() > i32::MAX as usize {
            return Err(GraphError::TooManyArcs(heads.len() as u64));
        }
        let first_arc: Vec<_> = first_arc.into_iter().map(|k| k as u32).collect();
        // Arcs are in the order of (tail, head), so the arcs into a vertex come in the order of their tails. The arcs
        // out of the vertex come in the order of their heads. Both lists name the same neighbours: the k-th arc into
        // the vertex is the reverse of the k-th arc out of the vertex.
        let mut next = first_arc.clone();
        let reverse = heads
            .iter()
            .map(|&head| {
                let k = &mut next[head.index()];
                *k += 1;
                ArcId(*k - 1)
            })
            .collect();
        Ok(Self {
            first_arc,
            heads,
            reverse,
        })
    }

    /// Returns the number of vertices.
    #[must_use]
    #[inline]
    pub fn n_vertices(&self) -> u32 {
        // The number fits into a u32, because the constructor takes it as a u32.
        (self.first_arc.len() - 1) as u32
    }

    /// Returns the number of edges, half the number of arcs.
    #[must_use]
    #[inline]
    pub fn n_edges(&self) -> u32 {
        self.n_arcs() / 2
    }

    /// Returns the CRC-32 of the edges as pairs of vertex numbers: 0-based, 4 bytes each in little-endian order, the lesser
    /// vertex first, pairs in increasing order.
    #[must_use]
    pub fn crc32(&self) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        for arc in self.arcs().filter(|arc| arc.tail < arc.head) {
            crc.update(&arc.tail.number().to_le_bytes());
            crc.update(&arc.head.number().to_le_bytes());
        }
        crc.finalize()
    }

    /// Returns the number of arcs, two per edge.
    #[must_use]
    #[inline]
    pub fn n_arcs(&self) -> u32 {
        self.heads.len() as u32
    }

    /// Returns all vertices in increasing order.
    #[inline]
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + ExactSizeIterator + use<> {
        (0..self.n_vertices()).map(Vertex)
    }

    fn range(&self, v: Vertex) -> Range<usize> {
        self.first_arc[v.index()] as usize..self.first_arc[v.index() + 1] as usize
    }

    /// Returns the neighbours of `v` in increasing order.
    #[must_use]
    #[inline]
    pub fn neighbours(&self, v: Vertex) -> &[Vertex] {
        &self.heads[self.range(v)]
    }

    /// Returns the number of neighbours of `v`.
    #[must_use]
    #[inline]
    pub fn degree(&self, v: Vertex) -> usize {
        self.range(v).len()
    }

    /// Returns the arcs that leave `tail`, in increasing order of their heads.
    pub fn arcs_from(&self, tail: Vertex) -> impl Iterator<Item = Arc> + '_ {
        self.range(tail).map(move |k| Arc {
            id: ArcId(k as u32),
            tail,
            head: self.heads[k],
        })
    }

    /// Returns the arcs that enter `head`, in increasing order of their tails.
    pub fn arcs_to(&self, head: Vertex) -> impl Iterator<Item = Arc> + '_ {
        self.range(head).map(move |k| Arc {
            id: self.reverse[k],
            tail: self.heads[k],
            head,
        })
    }

    /// Returns all arcs in the order of their numbers.
    #[inline]
    pub fn arcs(&self) -> impl Iterator<Item = Arc> + '_ {
        self.vertices().flat_map(|v| self.arcs_from(v))
    }

    /// Returns the arc with this 0-based number; `None` if the graph has no such arc.
    #[must_use]
    pub fn arc_with(&self, number: u32) -> Option<Arc> {
        let &head = self.heads.get(number as usize)?;
        // The tail is the last vertex whose arcs begin at or before this number.
        let tail = self.first_arc.partition_point(|&first| first <= number) - 1;
        Some(Arc {
            id: ArcId(number),
            tail: Vertex(tail as u32),
            head,
        })
    }

    /// Returns the arc from `tail` to `head`; `None` if the two vertices are not adjacent.
    #[must_use]
    pub fn arc(&self, tail: Vertex, head: Vertex) -> Option<ArcId> {
        let range = self.range(tail);
        let k = self.heads[range.clone()].binary_search(&head).ok()?;
        Some(ArcId((range.start + k) as u32))
    }

    /// Returns the arc in the opposite direction.
    #[must_use]
    #[inline]
    pub fn reverse(&self, arc: ArcId) -> ArcId {
        self.reverse[arc.index()]
    }

    /// Returns, by vertex, the number of edges on a shortest path from `from`; `None` for unreachable vertices. Uses
    /// breadth-first search.
    #[must_use]
    pub fn distances(&self, from: Vertex) -> Vec<Option<u32>> {
        let mut distance = vec![None; self.n_vertices() as usize];
        distance[from.index()] = Some(0);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((v, d)) = queue.pop_front() {
            for &w in self.neighbours(v) {
                if distance[w.index()].is_none() {
                    distance[w.index()] = Some(d + 1);
                    queue.push_back((w, d + 1));
                }
            }
        }
        distance
    }
}

impl Graph {
    /// Returns the edges outside a spanning forest, each as the arc that leaves its lesser vertex. The forest is built
    /// by breadth-first searches: first from `from`, then from the least vertex of every other component.
    #[must_use]
    pub fn co_tree(&self, from: Vertex) -> Vec<Arc> {
        let mut reached = vec![false; self.n_vertices() as usize];
        let mut in_tree = vec![false; self.heads.len()];
        for first in std::iter::once(from).chain(self.vertices()) {
            let mut queue = VecDeque::new();
            if !std::mem::replace(&mut reached[first.index()], true) {
                queue.push_back(first);
            }
            while let Some(v) = queue.pop_front() {
                for arc in self.arcs_from(v) {
                    if !std::mem::replace(&mut reached[arc.head.index()], true) {
                        in_tree[arc.id.index()] = true;
                        in_tree[self.reverse(arc.id).index()] = true;
                        queue.push_back(arc.head);
                    }
                }
            }
        }
        let forward = self.arcs().filter(|arc| arc.tail < arc.head);
        forward.filter(|arc| !in_tree[arc.id.index()]).collect()
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph on {} vertices: ", self.n_vertices())?;
        f.debug_list()
            .entries(
                self.arcs()
                    .filter(|a| a.tail < a.head)
                    .map(|a| (a.tail, a.head)),
            )
            .finish()
    }
}

/// Random graphs for property tests.
#[cfg(feature = "proptest")]
pub mod strategy {
    use super::Graph;
    use proptest::prelude::*;
    use std::ops::RangeInclusive;

    /// Returns a strategy for graphs whose number of vertices is in this range, which begins at 2 or more. Each edge is
    /// present with a probability that is itself random, so both sparse and dense graphs occur. Shrinks by dropping
    /// edges.
    ///
    /// # Panics
    ///
    /// Never: each pair of different vertices is a valid edge.
    pub fn graphs(n: RangeInclusive<u32>) -> impl Strategy<Value = Graph> {
        (n, 0.3..=1.0f64).prop_flat_map(|(n, density)| {
            let pairs = (n * (n - 1) / 2) as usize;
            proptest::collection::vec(proptest::bool::weighted(density), pairs).prop_map(
                move |present| {
                    let edges = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
                    let edges = edges.zip(present).filter(|&(_, p)| p).map(|(e, _)| e);
                    Graph::from_edges(n, edges).expect("pairs below n are edges")
                },
            )
        })
    }
}

/// Returns the neighbour lists of all vertices, concatenated, and the place where each list begins. The neighbours of a
/// vertex are in increasing order. A repeated pair gives repeated entries.
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
        list.iter().map(move |head| (head.0, v))
    });
    let heads = lists(&first, by_tail);
    (first, heads)
}

/// Puts the head of each arc into the list of the arc's tail, in input order; `first` has the beginning of each list.
fn lists(first: &[usize], arcs: impl Iterator<Item = (u32, u32)>) -> Vec<Vertex> {
    let mut next = first.to_vec();
    let mut heads = vec![Vertex(0); first[first.len() - 1]];
    for (tail, head) in arcs {
        let k = &mut next[tail as usize];
        heads[*k] = Vertex(head);
        *k += 1;
    }
    heads
}

/// Removes repeated entries from each sorted list, and returns the new beginnings of the lists and their entries.
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
        let arcs: Vec<_> = g
            .arcs()
            .map(|a| (a.tail.number(), a.head.number()))
            .collect();
        assert_eq!(
            arcs,
            [
                (0, 1),
                (0, 2),
                (1, 0),
                (1, 2),
                (2, 0),
                (2, 1),
                (2, 3),
                (3, 2)
            ]
        );
        for (k, a) in g.arcs().enumerate() {
            assert_eq!(a.id.index(), k);
            assert_eq!(g.arc_with(k as u32), Some(a));
            assert_eq!(g.arc(a.tail, a.head), Some(a.id));
            assert_eq!(g.arc(a.head, a.tail), Some(g.reverse(a.id)));
        }
        assert_eq!(g.arc_with(8), None);
        assert_eq!(g.arc(Vertex(0), Vertex(3)), None);
        assert_eq!((g.n_edges(), g.degree(Vertex(2))), (4, 3));
        let into_2: Vec<_> = g.arcs_to(Vertex(2)).map(|a| (a.id, a.tail)).collect();
        let expected = [0, 1, 3].map(|t| (g.arc(Vertex(t), Vertex(2)).unwrap(), Vertex(t)));
        assert_eq!(into_2, expected);
    }

    #[test]
    fn distances_are_shortest_paths_and_none_where_there_is_none() {
        let g = Graph::from_edges(6, [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5)]).unwrap();
        assert_eq!(
            g.distances(Vertex(0)),
            [Some(0), Some(1), Some(2), Some(1), None, None]
        );
    }

    #[test]
    fn a_co_tree_is_what_a_spanning_forest_leaves() {
        // Two triangles and a lonely vertex: each triangle has one edge too many for a tree.
        let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
        let g = Graph::from_edges(7, edges).unwrap();
        let ends = |from| {
            let arcs = g.co_tree(Vertex(from)).into_iter();
            arcs.map(|a| (a.tail.number(), a.head.number()))
                .collect::<Vec<_>>()
        };
        assert_eq!(ends(0), [(1, 2), (4, 5)]);
        assert_eq!(ends(4), [(1, 2), (3, 5)]);
        assert_eq!(ends(6), [(1, 2), (4, 5)]);
    }

    #[test]
    fn bad_edges_are_named() {
        assert_eq!(
            Graph::from_edges(3, [(0, 1), (1, 3)])
                .unwrap_err()
                .to_string(),
            "edge 1-3 names vertex 3, but the vertices are 0 to 2 (3 vertices)"
        );
        assert_eq!(
            Graph::from_edges(3, [(1, 1)]).unwrap_err().to_string(),
            "edge 1-1 is a self-loop"
        );
    }
}
