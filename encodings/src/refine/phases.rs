//! Initial phases: the value of a variable that the solver tries first.
//!
//! - `solver`: the solver's own choice; CaDiCaL tries true first;
//! - `false`: false, so that nothing is on the tour before a clause requires it;
//! - `walk`: the value along a walk by Warnsdorff's rule. The walk begins at the start. It always continues to the
//!   unvisited neighbour that has the fewest unvisited neighbours (the least, if there are several), until all
//!   neighbours have been visited. The vertices that the walk does not visit follow in the graph's order.
//!
//! The refinement is sound for every base, and keeps all tours: it changes no clause. A DIMACS file cannot express
//! phases. This program negates the variables whose first value is false when it passes clauses to the solver.
//!
//! # References
//!
//! - Karthikeyan, Chheda, Ruan: *Knights Tour*, 2024, third item of future work: Warnsdorff's rule.
//! - H. C. von Warnsdorf: *Des Rösselsprungs einfachste und allgemeinste Lösung*, 1823.

use super::{Preference, Refine, Refinement, one_of};
use crate::base::Encoded;
use hamcnf_graph::graph::Vertex;
use hamcnf_graph::names::named;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// The `phases` refinement, such as `phases=walk`.
pub const REFINEMENT: Refinement = Refinement {
    name: "phases",
    says: "values that hamcnf's own solver tries first for the variables",
    values: "solver, false, walk",
    plain: "walk",
    absent: "solver",
    in_clauses: false,
    needs: "variables",
    is_for: |_| true,
    make: one_of::<Phases>,
};

named! {
    /// Choice of the values that the solver tries first.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Phases: "initial phase" {
        /// The solver's own choice.
        Solver => "solver",
        /// False for all variables.
        False => "false",
        /// Values along a walk by Warnsdorff's rule.
        Walk => "walk",
    }
}

impl Refine for Phases {
    fn value(&self) -> String {
        self.to_string()
    }

    fn prefers(&self, encoded: &dyn Encoded) -> Preference {
        match self {
            Self::Solver => Preference::None,
            Self::False => Preference::False,
            Self::Walk => walk(encoded.instance()).map_or(Preference::None, Preference::Visiting),
        }
    }
}

/// Returns the walk by Warnsdorff's rule, followed by all unvisited vertices.
fn walk(instance: &Instance) -> Option<Sequence> {
    let graph = instance.digraph();
    let mut left = vec![true; instance.n() as usize];
    let mut order: Vec<Vertex> = Vec::with_capacity(left.len());
    let mut here = Some(instance.start());
    while let Some(v) = here {
        left[v.index()] = false;
        order.push(v);
        let on = |v: Vertex| graph.successors(v).iter().copied().filter(|w| left[w.index()]);
        here = on(v).min_by_key(|&w| on(w).count());
    }
    order.extend(graph.vertices().filter(|v| left[v.index()]));
    Sequence::new(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_tours::instance::TourKind;

    #[test]
    fn a_walk_goes_along_edges_as_far_as_it_comes() {
        let board = "8x8".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap();
        let walk = walk(&instance).unwrap();
        assert_eq!(walk.order()[0], instance.start());
        let moves = walk.order().windows(2);
        let along = moves.take_while(|two| instance.graph().arc(two[0], two[1]).is_some());
        assert!(along.count() >= 55);
    }
}
