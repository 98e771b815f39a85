//! Simple digraphs, and the arcs that encodings use as variables.
//!
//! A digraph is stored in compressed sparse row form: the successors of vertex 0 in increasing order, then the
//! successors of vertex 1, and so on. The index of a successor in this list is the number of the arc, its [`ArcId`]. So
//! arcs are numbered row by row through the adjacency matrix, like the variables `H_ij` in the programs of the
//! literature. The same number is used everywhere: for DIMACS variables (plus one), in projection sets and for the
//! lines of pictures.
//!
//! An undirected [`Graph`](crate::graph::Graph) is a digraph in which every arc has its reverse, and it dereferences to
//! this digraph. Functions for which directions matter take a [`Digraph`]. Functions that are correct only for
//! undirected graphs take a [`Graph`](crate::graph::Graph).

use std::fmt;
use std::ops::Range;

/// Defines a type for numbers, counted from 0, whose `Debug` form begins with a letter.
macro_rules! number {
    ($(#[$doc:meta])* $type:ident, $new:vis, $letter:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(u32);

        impl $type {
            /// Returns the value with this 0-based number.
            #[inline]
            $new const fn new(number: u32) -> Self {
                Self(number)
            }

            /// Returns the 0-based number.
            #[inline]
            pub const fn number(self) -> u32 {
                self.0
            }

            /// Returns the 0-based number as a `usize`, for indexing.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    };
}

number! {
    /// A vertex, counted from 0.
    Vertex, pub, "v"
}

number! {
    /// Number of an arc. Arcs are counted from 0 in the order of (tail, head).
    ArcId, pub(super), "a"
}

/// An arc with its number and both of its ends.
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
    /// The graph has too many arcs: each arc needs a variable, and variables are 32-bit signed integers.
    #[error("{0} arcs are too many; at most {max} are supported, one variable for each arc", max = i32::MAX)]
    TooManyArcs(u64),
}

/// A simple digraph: no arc joins a vertex to itself, and no two arcs have both the same tail and the same head.
#[derive(Clone, PartialEq, Eq)]
pub struct Digraph {
    /// Index of the first arc that leaves each vertex: the arcs that leave `v` are `first_arc[v]..first_arc[v + 1]`.
    /// The last entry is the number of arcs.
    pub(super) first_arc: Vec<u32>,
    /// Head of each arc. The heads of the arcs that leave the same vertex are in increasing order.
    pub(super) heads: Vec<Vertex>,
    pub(super) entering: Entering,
}

/// Arcs that enter each vertex.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Entering {
    /// Reverse of each arc; used if the digraph is symmetric. The k-th arc that enters a vertex is the reverse of the
    /// k-th arc that leaves the vertex.
    Reverses(Vec<ArcId>),
    /// Arcs that enter each vertex; used if some arc has no reverse.
    Listed {
        /// First index of each vertex in the next two lists: the arcs that enter `v` are at `first[v]..first[v + 1]`.
        first: Vec<u32>,
        /// Tails of the arcs, in increasing order for each head.
        tails: Vec<Vertex>,
        arcs: Vec<ArcId>,
    },
}

/// Returns the pairs of different vertices of a graph with `n` vertices.
///
/// # Errors
///
/// [`GraphError`] for the first pair that is no such pair.
pub(super) fn valid(n: u32, pairs: impl IntoIterator<Item = (u32, u32)>) -> Result<Vec<(u32, u32)>, GraphError> {
    let mut all = Vec::new();
    for (a, b) in pairs {
        if a >= n || b >= n {
            return Err(GraphError::NoSuchVertex(a, b, n));
        }
        if a == b {
            return Err(GraphError::Loop(a));
        }
        all.push((a, b));
    }
    Ok(all)
}

impl Digraph {
    /// Returns the digraph on vertices `0..n` with these arcs, each given as its tail and head. An arc that is listed
    /// twice counts once.
    ///
    /// # Errors
    ///
    /// [`GraphError`] for the first arc that joins a vertex to itself or has an end outside `0..n`, and for too many
    /// arcs.
    pub fn from_arcs(n: u32, arcs: impl IntoIterator<Item = (u32, u32)>) -> Result<Self, GraphError> {
        let mut pairs = valid(n, arcs)?;
        pairs.sort_unstable();
        pairs.dedup();
        if pairs.len() > i32::MAX as usize {
            return Err(GraphError::TooManyArcs(pairs.len() as u64));
        }
        let begins = |end: fn(&(u32, u32)) -> u32| {
            let mut first = vec![0; n as usize + 1];
            for pair in &pairs {
                first[end(pair) as usize + 1] += 1;
            }
            for v in 0..n as usize {
                first[v + 1] += first[v];
            }
            first
        };
        let (first_arc, first) = (begins(|&(tail, _)| tail), begins(|&(_, head)| head));
        let heads: Vec<_> = pairs.iter().map(|&(_, head)| Vertex(head)).collect();
        let mut next = first.clone();
        let mut tails = vec![Vertex(0); pairs.len()];
        let mut arcs = vec![ArcId(0); pairs.len()];
        for (id, &(tail, head)) in (0..).zip(&pairs) {
            let k = &mut next[head as usize];
            (tails[*k as usize], arcs[*k as usize]) = (Vertex(tail), ArcId(id));
            *k += 1;
        }
        // The digraph is symmetric exactly if the lists of predecessors equal the lists of successors.
        let entering = match first == first_arc && tails == heads {
            true => Entering::Reverses(arcs),
            false => Entering::Listed { first, tails, arcs },
        };
        Ok(Self { first_arc, heads, entering })
    }

    /// Returns the number of vertices.
    #[inline]
    pub fn n_vertices(&self) -> u32 {
        // The number fits into a u32, because the constructor takes it as a u32.
        (self.first_arc.len() - 1) as u32
    }

    /// Returns the number of arcs: two per edge in an undirected graph.
    #[inline]
    pub fn n_arcs(&self) -> u32 {
        self.heads.len() as u32
    }

    /// True if every arc has its reverse.
    pub fn is_symmetric(&self) -> bool {
        matches!(self.entering, Entering::Reverses(_))
    }

    /// Returns all vertices in increasing order.
    #[inline]
    pub fn vertices(&self) -> impl DoubleEndedIterator<Item = Vertex> + ExactSizeIterator + use<> {
        (0..self.n_vertices()).map(Vertex)
    }

    #[inline]
    pub(super) fn range(&self, v: Vertex) -> Range<usize> {
        self.first_arc[v.index()] as usize..self.first_arc[v.index() + 1] as usize
    }

    /// Returns the heads of the arcs that leave `v`, in increasing order.
    #[inline]
    pub fn successors(&self, v: Vertex) -> &[Vertex] {
        &self.heads[self.range(v)]
    }

    /// Returns the tails of the arcs that enter `v`, in increasing order.
    #[inline]
    pub fn predecessors(&self, v: Vertex) -> &[Vertex] {
        match &self.entering {
            Entering::Reverses(_) => self.successors(v),
            Entering::Listed { first, tails, .. } => &tails[first[v.index()] as usize..first[v.index() + 1] as usize],
        }
    }

    /// Returns the arcs that leave `tail`, in increasing order of their heads.
    #[inline]
    pub fn arcs_from(&self, tail: Vertex) -> impl Iterator<Item = Arc> + '_ {
        self.range(tail).map(move |k| Arc { id: ArcId(k as u32), tail, head: self.heads[k] })
    }

    /// Returns the arcs that enter `head`, in increasing order of their tails.
    #[inline]
    pub fn arcs_to(&self, head: Vertex) -> impl Iterator<Item = Arc> + '_ {
        let (range, tails, arcs) = match &self.entering {
            Entering::Reverses(reverses) => (self.range(head), &self.heads, reverses),
            Entering::Listed { first, tails, arcs } => {
                let v = head.index();
                (first[v] as usize..first[v + 1] as usize, tails, arcs)
            }
        };
        range.map(move |k| Arc { id: arcs[k], tail: tails[k], head })
    }

    /// Returns all arcs in the order of their numbers.
    #[inline]
    pub fn arcs(&self) -> impl Iterator<Item = Arc> + '_ {
        let mut tail = 0;
        (0..).zip(&self.heads).map(move |(id, &head)| {
            while self.first_arc[tail + 1] <= id {
                tail += 1;
            }
            Arc { id: ArcId(id), tail: Vertex(tail as u32), head }
        })
    }

    /// Returns all arcs if `directed` is true. Otherwise returns one arc for each edge, from the lesser end to the
    /// greater; the digraph must be symmetric then.
    pub fn arcs_or_edges(&self, directed: bool) -> impl Iterator<Item = Arc> + '_ {
        self.arcs().filter(move |arc| directed || arc.tail < arc.head)
    }

    /// Returns the arc with this 0-based number; `None` if the digraph has no such arc.
    pub fn arc_with(&self, number: u32) -> Option<Arc> {
        let &head = self.heads.get(number as usize)?;
        // The tail is the last vertex whose arcs begin at or before this number.
        let tail = self.first_arc.partition_point(|&first| first <= number) - 1;
        Some(Arc { id: ArcId(number), tail: Vertex(tail as u32), head })
    }

    /// Returns the arc from `tail` to `head`; `None` if the digraph has no such arc.
    pub fn arc(&self, tail: Vertex, head: Vertex) -> Option<ArcId> {
        let range = self.range(tail);
        let k = self.heads[range.clone()].binary_search(&head).ok()?;
        Some(ArcId((range.start + k) as u32))
    }

    /// Returns the number of arcs on a shortest path from `from` to each vertex; `None` for unreachable vertices.
    pub fn distances(&self, from: Vertex) -> Vec<Option<u32>> {
        self.distances_along(from, |v| self.successors(v).iter().copied())
    }

    /// Returns the number of arcs on a shortest path from each vertex to `to`; `None` for vertices from which `to` is
    /// unreachable.
    pub fn distances_to(&self, to: Vertex) -> Vec<Option<u32>> {
        self.distances_along(to, |v| self.predecessors(v).iter().copied())
    }

    fn distances_along<I: Iterator<Item = Vertex>>(
        &self,
        from: Vertex,
        next: impl Fn(Vertex) -> I,
    ) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.n_vertices() as usize];
        for (v, before) in self.breadth_first([from], next) {
            distances[v.index()] = before.map_or(Some(0), |u| distances[u.index()].map(|distance| distance + 1));
        }
        distances
    }

    /// Searches breadth-first, beginning at each of the roots that has not been reached before. From a vertex, the
    /// search goes on to the vertices that `next` returns. Returns the vertices in the order in which the search reaches
    /// them, each with the vertex from which it is reached; `None` for the beginning of a search.
    pub fn breadth_first<I: Iterator<Item = Vertex>>(
        &self,
        roots: impl IntoIterator<Item = Vertex>,
        next: impl Fn(Vertex) -> I,
    ) -> Vec<(Vertex, Option<Vertex>)> {
        let mut is_reached = vec![false; self.n_vertices() as usize];
        let mut reached = Vec::new();
        let mut done = 0;
        for root in roots {
            if !std::mem::replace(&mut is_reached[root.index()], true) {
                reached.push((root, None));
            }
            while let Some(&(v, _)) = reached.get(done) {
                done += 1;
                let new = next(v).filter(|w| !std::mem::replace(&mut is_reached[w.index()], true));
                reached.extend(new.map(|w| (w, Some(v))));
            }
        }
        reached
    }

    /// Returns the CRC-32 of the arcs in increasing order. Each arc is the number of its tail, then the number of its
    /// head, 0-based and 4 bytes each in little-endian order. If the digraph is symmetric, only arcs from a lesser to a
    /// greater vertex are included.
    pub fn crc32(&self) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        let is_symmetric = self.is_symmetric();
        for arc in self.arcs().filter(|arc| !is_symmetric || arc.tail < arc.head) {
            crc.update(&arc.tail.0.to_le_bytes());
            crc.update(&arc.head.0.to_le_bytes());
        }
        crc.finalize()
    }
}

impl fmt::Debug for Digraph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digraph on {} vertices: ", self.n_vertices())?;
        f.debug_list().entries(self.arcs().map(|a| (a.tail, a.head))).finish()
    }
}

/// Random digraphs for property tests.
#[cfg(feature = "proptest")]
pub mod strategy {
    use super::Digraph;
    use proptest::prelude::*;
    use std::ops::RangeInclusive;

    /// Returns a strategy for digraphs whose number of vertices is in the range `n`, which must begin at 2 or more. All
    /// arcs of a digraph are present with the same probability, which is itself random.
    ///
    /// # Panics
    ///
    /// Never: each pair of different vertices is a valid arc.
    pub fn digraphs(n: RangeInclusive<u32>) -> impl Strategy<Value = Digraph> {
        (n, 0.2..=1.0f64).prop_flat_map(|(n, density)| {
            let pairs = (n * (n - 1)) as usize;
            proptest::collection::vec(proptest::bool::weighted(density), pairs).prop_map(move |present| {
                let arcs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
                let arcs = arcs.filter(|(a, b)| a != b).zip(present);
                let arcs = arcs.filter(|&(_, present)| present).map(|(arc, _)| arc);
                Digraph::from_arcs(n, arcs).expect("pairs of different vertices are arcs")
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs(arcs: impl Iterator<Item = Arc>) -> Vec<(u32, u32, u32)> {
        arcs.map(|a| (a.id.0, a.tail.0, a.head.0)).collect()
    }

    #[test]
    fn arcs_are_listed_by_tail_and_by_head() {
        let d = Digraph::from_arcs(4, [(2, 0), (0, 1), (1, 2), (2, 3), (0, 1), (3, 0)]).unwrap();
        assert_eq!(arcs(d.arcs()), [(0, 0, 1), (1, 1, 2), (2, 2, 0), (3, 2, 3), (4, 3, 0)]);
        assert_eq!(arcs(d.arcs_to(Vertex(0))), [(2, 2, 0), (4, 3, 0)]);
        assert_eq!(d.predecessors(Vertex(0)), [Vertex(2), Vertex(3)]);
        assert_eq!(d.successors(Vertex(0)), [Vertex(1)]);
        assert!(!d.is_symmetric());
        assert_eq!(d.arc(Vertex(3), Vertex(0)), Some(ArcId(4)));
        assert_eq!(d.arc(Vertex(0), Vertex(3)), None);
        let distances = |all: [u32; 4]| all.map(Some);
        assert_eq!(d.distances(Vertex(0)), distances([0, 1, 2, 3]));
        assert_eq!(d.distances_to(Vertex(0)), distances([0, 2, 1, 1]));
    }
}
