//! Orders of all vertices. Consecutive vertices need not be adjacent. Encodings derive the values of position variables
//! from an order.

use crate::instance::TourKind;
use hamcnf_graph::graph::Vertex;

/// An order of all vertices: every vertex has one position, and every position has one vertex.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sequence {
    order: Vec<Vertex>,
    positions: Vec<u32>,
}

impl Sequence {
    /// Returns the sequence with this order; `None` unless the order contains each vertex from 0 to n − 1 exactly once,
    /// where n is the length of the order.
    pub fn new(order: Vec<Vertex>) -> Option<Self> {
        let mut positions = vec![None; order.len()];
        for (p, v) in (0..).zip(&order) {
            let position = positions.get_mut(v.index())?;
            if position.replace(p).is_some() {
                return None;
            }
        }
        let positions = positions.into_iter().collect::<Option<_>>()?;
        Some(Self { order, positions })
    }

    /// Returns the sequence with this order, which must contain every vertex exactly once.
    pub(crate) fn of_all(order: Vec<Vertex>) -> Self {
        let mut positions = vec![0; order.len()];
        for (p, v) in (0..).zip(&order) {
            positions[v.index()] = p;
        }
        Self { order, positions }
    }

    /// Returns the vertices in the order of their positions.
    #[inline]
    pub fn order(&self) -> &[Vertex] {
        &self.order
    }

    /// Returns the 0-based position of a vertex.
    #[inline]
    pub fn position(&self, v: Vertex) -> u32 {
        self.positions[v.index()]
    }

    /// Returns the number of vertices.
    #[inline]
    pub fn n(&self) -> u32 {
        self.order.len() as u32
    }

    /// Returns the tail and the head of each move of a tour of this kind with this order.
    pub fn moves(&self, kind: TourKind) -> impl Iterator<Item = (Vertex, Vertex)> + '_ {
        let moves = self.order.windows(2).map(|pair| (pair[0], pair[1]));
        let closing = self.order.last().copied().zip(self.order.first().copied());
        moves.chain(closing.filter(|_| kind == TourKind::Closed))
    }

    /// Reads the sequence as a cycle, and returns the cycle in the opposite direction from the same first vertex.
    pub fn reversed(&self) -> Self {
        let mut order = self.order.clone();
        if let Some(rest) = order.get_mut(1..) {
            rest.reverse();
        }
        Self::of_all(order)
    }

    /// Returns the sequence after two changes. First the sequence, read as a cycle, is rotated to begin at the vertex
    /// `first`. Then every vertex v is replaced by `name(v)`.
    pub fn renamed(&self, first: Vertex, name: impl Fn(Vertex) -> Vertex) -> Self {
        let begin = self.position(first) as usize;
        let (before, after) = self.order.split_at(begin);
        Self::of_all(after.iter().chain(before).map(|&v| name(v)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_has_each_vertex_once() {
        let of = |order: &[u32]| Sequence::new(order.iter().copied().map(Vertex::new).collect());
        assert!(of(&[0, 0]).is_none() && of(&[0, 2]).is_none());
        let s = of(&[1, 2, 0, 3]).unwrap();
        let numbers = |s: &Sequence| s.order().iter().map(|v| v.number()).collect::<Vec<_>>();
        assert_eq!(numbers(&s.reversed()), [1, 3, 0, 2]);
        let shifted = s.renamed(Vertex::new(0), |v| Vertex::new(3 - v.number()));
        assert_eq!(numbers(&shifted), [3, 0, 2, 1]);
        assert_eq!(shifted.position(Vertex::new(2)), 2);
    }
}
