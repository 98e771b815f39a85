//! Position windows from shortest paths: the preprocessing of the paper's section 3.3.
//!
//! Let d(v) be the distance from the start to v. No tour is at v before position d(v). A closed tour is not at v after
//! position N − d(v) either, because it must return to the start. Vertices that cannot be reached have an empty window.
//!
//! The refinement is sound for every base that restricts positions to windows, and keeps all tours. The documentation
//! of each base says which clauses come from the windows.
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use super::{Refine, Refinement, one_of};
use crate::base::Plan;
use crate::cnf::window::{Pruning, Window};
use hamcnf_tours::instance::{Instance, TourKind};

/// The `windows` refinement, such as `windows=full`.
pub const REFINEMENT: Refinement = Refinement {
    name: "windows",
    says: "exclusion of positions by distance from the start",
    values: "none, as-published, full",
    plain: "full",
    absent: "none",
    in_clauses: true,
    needs: "positions",
    is_for: |offers| offers.positions,
    make: one_of::<Pruning>,
};

impl Refine for Pruning {
    fn value(&self) -> String {
        self.to_string()
    }

    fn plan(&self, instance: &Instance, plan: &mut Plan) {
        plan.pruning = *self;
        if *self == Self::None {
            return;
        }
        for (narrowed, window) in plan.windows.iter_mut().zip(windows(instance, *self)) {
            *narrowed = narrowed.within(window.lo, window.hi);
        }
    }
}

/// Returns the window of every vertex, indexed by vertex.
pub fn windows(instance: &Instance, pruning: Pruning) -> Vec<Window> {
    let last = instance.n() - 1;
    if pruning == Pruning::None {
        return vec![Window::new(0, last); instance.n() as usize];
    }
    let window = |(from, to): (&Option<u32>, &Option<u32>)| match (*from, instance.kind(), *to) {
        (Some(0), _, _) if pruning == Pruning::Full => Window::only(0),
        (Some(0), _, _) => Window::new(0, last),
        (Some(d), TourKind::Open, _) => Window::new(d, last),
        (Some(d), TourKind::Closed, Some(back)) => Window::new(d, instance.n() - back),
        (None, _, _) | (_, TourKind::Closed, None) => Window::EMPTY,
    };
    let distances = instance.distances().iter();
    distances.zip(instance.distances_to()).map(window).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::graph::{Graph, Vertex};

    #[test]
    fn windows_are_what_the_distances_leave() {
        // A path 0-1-2-3 and the isolated vertex 4.
        let on = |kind| {
            let graph = Graph::from_edges(5, [(0, 1), (1, 2), (2, 3)]).unwrap();
            Instance::on_graph("path", graph, kind, Vertex::new(0)).unwrap()
        };
        let of = |kind, pruning| windows(&on(kind), pruning).iter().map(|w| (w.lo, w.hi)).collect::<Vec<_>>();
        let (closed, open) = (TourKind::Closed, TourKind::Open);
        assert_eq!(of(closed, Pruning::None), [(0, 4); 5]);
        assert_eq!(of(closed, Pruning::AsPublished), [(0, 4), (1, 4), (2, 3), (3, 2), (1, 0)]);
        assert_eq!(of(closed, Pruning::Full), [(0, 0), (1, 4), (2, 3), (3, 2), (1, 0)]);
        assert_eq!(of(open, Pruning::Full), [(0, 0), (1, 4), (2, 4), (3, 4), (1, 0)]);
    }
}
