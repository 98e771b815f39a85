//! Exact counting over a tree decomposition, for graphs of small treewidth and any size.
//!
//! The tables are those of [`hamcnf_cycle::decomposition`]. Each table holds every state, with the number of edge sets
//! that lead to this state. Counting along a [frontier](super::frontier) uses a path decomposition, which may be much
//! wider than a tree decomposition. On boards both decompositions are wide, but counting along a frontier keeps fewer
//! states, because it drops states that cannot become tours. Open tours are counted as cycles of the graph with
//! additional vertices.
//!
//! # References
//!
//! - H. L. Bodlaender, M. Cygan, S. Kratsch, J. Nederlof: *Deterministic single exponential time algorithms for
//!   connectivity problems parameterized by treewidth*, Information and Computation 243, 2015.

use hamcnf_graph::Graph;
use hamcnf_tours::Instance;
use num_bigint::BigUint;

use super::frontier::Bytes;
use crate::not_counted::{Cause, NotCounted};
use hamcnf_cycle::decomposition::{self, Elimination, MOST_WIDTH};
use hamcnf_cycle::path_to_cycle::PathToCycle;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_tours::endpoints::Endpoints;

/// Result of a count: the number of tours, and the width of the decomposition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Number of tours. A closed tour counts once for both directions, an open tour once per direction.
    pub count: BigUint,
    /// Width of the elimination order.
    pub width: u32,
}

/// Counts the tours of an instance's graph with the endpoints `ends`.
///
/// # Errors
///
/// [`NotCounted`] if the count was not completed.
pub fn count(instance: &Instance, ends: Endpoints, budget: &Budget) -> Result<Counted, NotCounted> {
    let closure = PathToCycle::new(instance.facts(), ends)?;
    let graph = closure.graph().unwrap_or(instance.graph());
    let memory = budget.memory().unwrap_or(u64::MAX);
    let order = Elimination::min_degree(graph, MOST_WIDTH, budget);
    let order = order.map_err(|ended| error(ended, 0, memory))?;
    let mut counted = cycles(graph, &order, decomposition::MOST_STATES, memory, budget)?;
    counted.count *= ends.directions();
    Ok(counted)
}

/// Counts the Hamiltonian cycles of a graph over the bags of an elimination order, with at most `states` states in a
/// table. `memory` is the limit in `budget`, in bytes.
pub(super) fn cycles(
    graph: &Graph,
    order: &Elimination,
    states: u64,
    memory: u64,
    budget: &Budget,
) -> Result<Counted, NotCounted> {
    let width = order.width();
    let count = decomposition::count(graph, order, states, budget);
    let count = count.map_err(|ended| error(ended, width, memory))?;
    Ok(Counted { count, width })
}

/// Returns the error for a count that ended early. `width` is the width of the elimination order, or 0 if there is none
/// yet, and `memory` the memory limit in bytes.
pub(super) fn error(ended: Stopped, width: u32, memory: u64) -> NotCounted {
    match ended {
        Stopped::Memory => NotCounted::memory(format!(
            "the tables of width {width} need more than the memory limit of {}",
            Bytes(memory)
        )),
        Stopped::GaveUp if width == 0 => NotCounted::new(
            Cause::TooWide,
            format!("this count needs an elimination order of width {MOST_WIDTH} or less, but none was found"),
        ),
        Stopped::GaveUp => {
            NotCounted::memory(format!("a table of width {width} has more states than this program supports"))
        }
        limit => NotCounted::over(limit, "before the last table was complete"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::exact::tests::{counted, options, questions};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(150))]

        #[test]
        fn it_counts_what_a_frontier_counts(question in questions()) {
            let expected = counted(&question, &options()).unwrap().count;
            let counted = count(&question.0, question.1, &Budget::default().with_memory(Some(1 << 30))).unwrap();
            prop_assert_eq!(counted.count, expected);
        }
    }
}
