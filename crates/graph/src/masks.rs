//! Small graphs as bit masks: one word per vertex, whose bits are the neighbours.

use crate::graph::Graph;

/// Graph of at most [`Masks::MOST`] vertices, with one adjacency word per vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Masks {
    n: u32,
    rows: [u64; Self::MOST as usize],
}

impl Masks {
    /// Largest number of vertices.
    pub const MOST: u32 = u64::BITS;

    /// Returns the graph on `n` vertices without edges; `None` if `n` is too large.
    pub fn edgeless(n: u32) -> Option<Self> {
        let rows = [0; Self::MOST as usize];
        (n <= Self::MOST).then_some(Self { n, rows })
    }

    /// Returns a copy of a graph; `None` if the graph has too many vertices.
    pub fn of(graph: &Graph) -> Option<Self> {
        let mut masks = Self::edgeless(graph.n_vertices())?;
        for arc in graph.arcs() {
            masks.rows[arc.tail.index()] |= 1 << arc.head.number();
        }
        Some(masks)
    }

    /// Returns the graph as lists of neighbours.
    ///
    /// # Panics
    ///
    /// Never: the edges join different vertices below `n`.
    pub fn to_graph(&self) -> Graph {
        let upper = |v: u32| self.row(v) & !low(v + 1);
        let edges = (0..self.n).flat_map(|v| bits(upper(v)).map(move |w| (v, w)));
        Graph::from_edges(self.n, edges).expect("edges join different vertices of the graph")
    }

    /// Returns the number of vertices.
    #[inline]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Returns the number of edges.
    pub fn n_edges(&self) -> u32 {
        self.rows().iter().map(|row| row.count_ones()).sum::<u32>() / 2
    }

    /// Returns the neighbours of all vertices, as masks.
    #[inline]
    pub fn rows(&self) -> &[u64] {
        &self.rows[..self.n as usize]
    }

    /// Returns the neighbours of all vertices, as masks, and empty masks for the vertex numbers that are not used.
    #[inline]
    pub fn padded_rows(&self) -> &[u64; Self::MOST as usize] {
        &self.rows
    }

    /// Returns the neighbours of a vertex, as a mask.
    #[inline]
    pub fn row(&self, v: u32) -> u64 {
        self.rows()[v as usize]
    }

    /// Returns the mask of all vertices.
    #[inline]
    pub fn all(&self) -> u64 {
        low(self.n)
    }

    /// Adds an edge between two different vertices, or keeps an existing one.
    #[inline]
    pub fn join(&mut self, v: u32, w: u32) {
        debug_assert!(v != w && v.max(w) < self.n);
        self.rows[v as usize] |= 1 << w;
        self.rows[w as usize] |= 1 << v;
    }

    /// Returns the graph with one more edge.
    pub fn joined(&self, v: u32, w: u32) -> Self {
        let mut other = self.clone();
        other.join(v, w);
        other
    }

    /// Returns the graph without a vertex. The last vertex gets the number of the removed vertex.
    pub fn without(&self, v: u32) -> Self {
        let last = self.n - 1;
        let mut other = self.clone();
        other.n = last;
        other.rows[v as usize] = self.row(last);
        other.rows[last as usize] = 0;
        for row in &mut other.rows[..last as usize] {
            let moved = *row >> last & 1 == 1 && v < last;
            *row = *row & low(last) & !(1 << v) | u64::from(moved) << v;
        }
        other
    }

    /// Returns the graph with one more vertex, adjacent to all others; `None` if the graph would be too large. A graph
    /// of at least two vertices has a Hamiltonian path if and only if the result has a Hamiltonian cycle.
    pub fn cone(&self) -> Option<Self> {
        let apex = self.n;
        let mut other = Self::edgeless(apex + 1)?;
        other.rows[..apex as usize].copy_from_slice(self.rows());
        (0..apex).for_each(|v| other.join(v, apex));
        Some(other)
    }
}

/// Returns the mask of the lowest `n` bits.
#[inline]
pub fn low(n: u32) -> u64 {
    match n {
        64.. => u64::MAX,
        n => (1 << n) - 1,
    }
}

/// Returns the numbers of the bits of a mask, in increasing order.
#[inline]
pub fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros());
        mask &= mask.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(n: u32) -> Masks {
        let mut masks = Masks::edgeless(n).unwrap();
        (1..n).for_each(|v| masks.join(v - 1, v));
        masks
    }

    #[test]
    fn graphs_are_the_same_as_masks() {
        let graph = Graph::from_edges(5, [(0, 1), (1, 2), (3, 4), (0, 4)]).unwrap();
        let masks = Masks::of(&graph).unwrap();
        assert_eq!(masks.to_graph(), graph);
        assert_eq!((masks.n(), masks.n_edges()), (5, 4));
        assert_eq!(masks.rows(), [0b10010, 0b00101, 0b00010, 0b10000, 0b01001]);
        assert_eq!(path(64).to_graph().n_edges(), 63);
        assert_eq!(path(64).all(), u64::MAX);
        assert!(Masks::edgeless(65).is_none() && path(64).cone().is_none());
    }

    #[test]
    fn the_last_vertex_takes_the_number_of_a_removed_one() {
        // 0-1-2-3 without 1: the vertex 3 becomes 1 and keeps its neighbour 2.
        assert_eq!(path(4).without(1).rows(), [0b000, 0b100, 0b010]);
        assert_eq!(path(4).without(2).rows(), [0b010, 0b001, 0b000]);
        assert_eq!(path(4).without(3), path(3));
        assert_eq!(path(1).without(0).rows(), [0; 0]);
    }

    #[test]
    fn a_cone_joins_all_vertices_to_one_more() {
        let cone = path(3).cone().unwrap();
        assert_eq!(cone.rows(), [0b1010, 0b1101, 0b1010, 0b0111]);
        assert_eq!(path(3).joined(0, 2).n_edges(), 3);
    }
}
