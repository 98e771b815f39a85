//! Recently found Hamiltonian cycles. In a stream, successive graphs are often similar, so a cycle of one graph is
//! often a cycle of a later graph. For a graph of eleven vertices, one operation tests whether it has all edges of a
//! cycle.

use hamcnf_graph::Triangle;

use super::extension::CycleEdges;

/// Number of cycles that are kept.
const KEPT: usize = 8;

/// Hamiltonian cycles that searches found for the latest graphs.
#[derive(Clone, Default, Debug)]
pub(super) struct RecentCycles {
    /// At most [`KEPT`] cycles.
    cycles: Vec<Triangle>,
    /// Index of the latest cycle.
    latest: usize,
}

impl RecentCycles {
    /// True if one of the cycles is a Hamiltonian cycle of the graph.
    pub(super) fn has_cycle_of(&self, graph: &Triangle) -> bool {
        let (newer, older) = self.cycles.split_at(self.cycles.len().min(self.latest + 1));
        let mut latest_first = newer.iter().rev().chain(older.iter().rev());
        latest_first.any(|cycle| cycle.is_contained_in(graph))
    }

    /// Keeps a Hamiltonian cycle of a graph, in place of the oldest cycle.
    pub(super) fn keep(&mut self, graph: &Triangle, edges: &CycleEdges) {
        let Some(mut cycle) = Triangle::edgeless(graph.n()) else {
            return;
        };
        for &[v, w] in &edges[..graph.n() as usize] {
            cycle.join(v.into(), w.into());
        }
        debug_assert!(cycle.is_contained_in(graph));
        if self.cycles.len() < KEPT {
            self.latest = self.cycles.len();
            self.cycles.push(cycle);
        } else {
            self.latest = (self.latest + 1) % KEPT;
            self.cycles[self.latest] = cycle;
        }
    }
}
