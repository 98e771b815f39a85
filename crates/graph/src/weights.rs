//! Integer weights of the edges of a graph, or of the arcs of a digraph, which make the cost of a tour.

use std::collections::BTreeMap;

use crate::Vertex;

/// Weights of all edges or arcs. The sum of their absolute values is at most 2^62. A formula may have two terms for an edge,
/// one for each direction, so that all sums of weights in formulas are less than 2^63.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    n: u32,
    is_directed: bool,
    /// Weight by the ends of the edge or arc. The lesser end of an edge comes first.
    by_ends: BTreeMap<(u32, u32), i64>,
    /// Sum of the absolute values.
    total: i64,
}

/// Reason why an edge cannot have a weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightError {
    /// The edge already has another weight.
    #[error("the edge has the weight {now}, but the weight {before} before")]
    Differs {
        /// Weight that the edge already has.
        before: i64,
        /// Rejected weight.
        now: i64,
    },
    /// The sum of the absolute values does not fit.
    #[error("the sum of the weights must be at most 2^62")]
    TooLarge,
}

impl Weights {
    /// Creates the weights of a graph with `n` vertices and no edges. A digraph has a weight for each direction.
    pub fn new(n: u32, is_directed: bool) -> Self {
        Self { n, is_directed, by_ends: BTreeMap::new(), total: 0 }
    }

    /// Adds the weight of an edge, or of an arc from the first vertex to the second.
    ///
    /// # Errors
    ///
    /// [`WeightError`] if the edge has another weight, or if the sum of all weights is too large.
    pub fn insert(&mut self, ends: (u32, u32), weight: i64) -> Result<(), WeightError> {
        let ends = self.key(ends);
        match self.by_ends.get(&ends) {
            Some(&before) if before != weight => return Err(WeightError::Differs { before, now: weight }),
            Some(_) => return Ok(()),
            None => {}
        }
        let total = weight.checked_abs().and_then(|weight| self.total.checked_add(weight));
        self.total = total.filter(|&total| total <= 1 << 62).ok_or(WeightError::TooLarge)?;
        self.by_ends.insert(ends, weight);
        Ok(())
    }

    /// Returns the weight of the edge or arc between two vertices.
    pub fn get(&self, from: Vertex, to: Vertex) -> Option<i64> {
        self.by_ends.get(&self.key((from.number(), to.number()))).copied()
    }

    /// Returns the sum of the weights of the moves, if the vertices are visited in this order. A closed tour also
    /// returns from the last vertex to the first. `None` if a move has no weight.
    pub fn cost(&self, order: &[Vertex], is_closed: bool) -> Option<i64> {
        let back = order.last().copied().zip(order.first().copied()).filter(|_| is_closed && order.len() > 1);
        let moves = order.windows(2).map(|pair| (pair[0], pair[1])).chain(back);
        moves.map(|(from, to)| self.get(from, to)).sum()
    }

    /// Returns the weights after vertex v has become `labels[v]`.
    pub fn relabelled(&self, labels: &[u32]) -> Self {
        let mut relabelled = Self { by_ends: BTreeMap::new(), ..*self };
        for (&(tail, head), &weight) in &self.by_ends {
            let ends = relabelled.key((labels[tail as usize], labels[head as usize]));
            relabelled.by_ends.insert(ends, weight);
        }
        relabelled
    }

    /// Returns the number of vertices.
    pub fn n_vertices(&self) -> u32 {
        self.n
    }

    /// Returns the CRC-32 of the edges or arcs in increasing order: the numbers of their two ends, 0-based and 4 bytes
    /// each, then their weight in 8 bytes, in little-endian order.
    pub fn crc32(&self) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        for (&(tail, head), weight) in &self.by_ends {
            crc.update(&tail.to_le_bytes());
            crc.update(&head.to_le_bytes());
            crc.update(&weight.to_le_bytes());
        }
        crc.finalize()
    }

    fn key(&self, (tail, head): (u32, u32)) -> (u32, u32) {
        if self.is_directed { (tail, head) } else { (tail.min(head), tail.max(head)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_have_one_weight_and_arcs_one_for_each_direction() {
        let differs = Err(WeightError::Differs { before: 5, now: 6 });
        for (is_directed, reverse) in [(false, differs), (true, Ok(()))] {
            let mut weights = Weights::new(3, is_directed);
            weights.insert((0, 1), 5).unwrap();
            weights.insert((0, 1), 5).unwrap();
            assert_eq!(weights.insert((1, 0), 6), reverse);
        }
    }

    #[test]
    fn a_closed_tour_returns_to_its_start() {
        let mut weights = Weights::new(3, true);
        for (ends, weight) in [((0, 1), 1), ((1, 2), 10), ((2, 0), -100), ((0, 2), 7)] {
            weights.insert(ends, weight).unwrap();
        }
        let order = [0, 1, 2].map(Vertex::new);
        assert_eq!((weights.cost(&order, false), weights.cost(&order, true)), (Some(11), Some(-89)));
        assert_eq!(weights.cost(&[2, 1].map(Vertex::new), false), None);
        let relabelled = weights.relabelled(&[2, 0, 1]);
        assert_eq!(relabelled.cost(&[2, 0, 1].map(Vertex::new), true), Some(-89));
        assert_ne!(relabelled.crc32(), weights.crc32());
    }

    #[test]
    fn sums_do_not_overflow() {
        let mut weights = Weights::new(3, false);
        weights.insert((0, 1), -(1 << 62)).unwrap();
        assert_eq!(weights.insert((1, 2), 1), Err(WeightError::TooLarge));
        assert_eq!(weights.insert((0, 2), i64::MIN), Err(WeightError::TooLarge));
    }
}
