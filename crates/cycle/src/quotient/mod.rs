//! Search on the quotient of a graph that consists of groups of vertices with few ways through each group.
//!
//! Some hard graphs are built from *groups*: sets of vertices that a Hamiltonian cycle enters once and leaves once. Only
//! a few pairs of vertices of a group are the ends of a path through all of its vertices. Such a path is a *way*. An
//! edge between two groups is a *link*. In the quotient, the ways are the vertices and the links are the arcs. A
//! Hamiltonian cycle of the graph becomes a directed cycle that visits exactly one way of each group.
//!
//! - `structure.rs`: recognition of groups, ways and links in any graph.
//! - `symmetry.rs`: automorphisms of the quotient.
//! - `search.rs`: formula for a cycle in the quotient.
//!
//! If the quotient has automorphisms, most rounds look only for cycles that are invariant under one of them, because
//! these searches have fewer variables. Not every graph with a Hamiltonian cycle has an invariant one, so such a search
//! refutes nothing, and takes turns with a search for any cycle. All searches keep their learned clauses.
//!
//! The search only finds cycles. It never proves that there is none, because a Hamiltonian cycle may visit a group
//! several times, on paths that are not ways.
//!
//! # Example
//!
//! Seventeen of the 1001 graphs of the FHCP Challenge Set are the hardest for all published programs. After the
//! [reductions](super::reduction), 84 to 210 groups of 33 vertices are left, with six ways each. These graphs come from
//! bell ringing: each group is a *six* of bobs-only Stedman Triples.
//!
//! # Measurements
//!
//! A prototype of this search was measured on graph 479 of the FHCP Challenge Set, with 84 groups.
//!
//! - With six seeds, the cycle was found after 64 000 to 196 000 conflicts, 149 000 on average. If the search began again
//!   after every 30 000 conflicts or so, without its learned clauses, it took 226 000 conflicts on average (11 seeds).
//! - Five cycles that were found with different seeds were one cycle and its images under automorphisms. So there are
//!   few cycles, and the search must exclude most of the quotient, as in a refutation.
//! - When the solver had chosen a way for every group, but the ways formed several cycles, the number of cycles was
//!   nearly always even, and mostly two. Their lengths were multiples of 14.
//! - For an automorphism of order 2 under which no cycle is invariant, the formula was refuted after 8 000 conflicts.
//!
//! On the 35 graphs of the set that this search solves with seed 0, CaDiCaL takes 2.5 million conflicts and 109 s of CPU
//! in all, and each less than 20 s. A small solver with a theory for the cycles took 3.7 million and 118 s on the same
//! machine.
//!
//! # References
//!
//! - Michael Haythorpe, Andrew Johnson: *Change ringing and Hamiltonian cycles: The search for Erin and Stedman
//!   triples*, Electronic Journal of Graph Theory and Applications 7, 2019.

mod search;
mod structure;
mod symmetry;

use hamcnf_graph::{Graph, Vertex};

use self::search::Search;
use self::structure::Quotient;
use self::symmetry::automorphisms;
use super::{Budget, Found, Stopped};
use hamcnf_sat::solve::SolveError;

pub use self::structure::has_groups;

/// Statistics of a run of [`find`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QuotientStatistics {
    /// Number of groups of the graph; 0 if the graph does not consist of groups.
    pub groups: u64,
    /// Total number of ways through all groups.
    pub ways: u64,
    /// Number of automorphisms of the quotient that the search used.
    pub automorphisms: u64,
    /// Number of clauses against cycles that miss a group.
    pub closings: u64,
    pub conflicts: u64,
}

/// Number of conflicts of each search in a round.
const PER_ROUND: u64 = 50_000;
/// Interval, in rounds, at which the search for any cycle takes part as long as there are automorphisms.
const ROUNDS_PER_ASYMMETRIC: u64 = 8;
/// Maximum number of automorphisms that the search uses.
const MOST_AUTOMORPHISMS: usize = 8;

/// Searches for a Hamiltonian cycle with a seed of the random numbers. `conflicts` is the maximum number of conflicts;
/// `None` for no limit. Gives up at once if the graph does not consist of groups with few ways.
pub fn find(graph: &Graph, seed: u32, conflicts: Option<u64>, budget: &Budget) -> (Found, QuotientStatistics) {
    let mut statistics = QuotientStatistics::default();
    if let Some(stopped) = budget.over() {
        return (Found::Nothing(stopped), statistics);
    }
    let Some(quotient) = Quotient::of(graph, budget) else {
        return (Found::Nothing(Stopped::GaveUp), statistics);
    };
    statistics.groups = quotient.groups.len() as u64;
    statistics.ways = quotient.ways.len() as u64;
    let found = rounds(&quotient, seed, conflicts, budget, &mut statistics);
    (found.unwrap_or_else(|error| Found::Nothing(error.stopped())), statistics)
}

/// Runs the searches in rounds until there is a result. Drops each automorphism without an invariant cycle.
fn rounds(
    quotient: &Quotient,
    seed: u32,
    conflicts: Option<u64>,
    budget: &Budget,
    statistics: &mut QuotientStatistics,
) -> Result<Found, SolveError> {
    let symmetries = automorphisms(quotient, MOST_AUTOMORPHISMS, budget);
    statistics.automorphisms = symmetries.len() as u64;
    let new = |symmetry, k: u64| Search::new(quotient, symmetry, u64::from(seed) << 32 | k, budget);
    let mut symmetric = Vec::new();
    for (k, symmetry) in (1..).zip(&symmetries) {
        symmetric.push(new(Some(symmetry), k)?);
    }
    let mut asymmetric = new(None, 0)?;
    let mut left = conflicts.unwrap_or(u64::MAX);
    let mut run = |search: &mut Search<'_>| -> Result<Option<Found>, SolveError> {
        if let Some(stopped) = budget.over() {
            return Ok(Some(Found::Nothing(stopped)));
        }
        if left == 0 {
            return Ok(Some(Found::Nothing(Stopped::GaveUp)));
        }
        let [conflicts, closings] = [search.conflicts(), search.closings];
        let ways = search.run(PER_ROUND.min(left))?;
        let conflicts = search.conflicts() - conflicts;
        left -= conflicts.min(left);
        statistics.conflicts += conflicts;
        statistics.closings += search.closings - closings;
        Ok(ways.map(|ways| Found::Cycle(lift(quotient, &ways))))
    };
    for round in 1u64.. {
        for search in &mut symmetric {
            if let Some(found) = run(search)? {
                return Ok(found);
            }
        }
        // The other cycles are still possible.
        symmetric.retain(|search| !search.is_refuted);
        if symmetric.is_empty() || round.is_multiple_of(ROUNDS_PER_ASYMMETRIC) {
            if let Some(found) = run(&mut asymmetric)? {
                return Ok(found);
            }
            if asymmetric.is_refuted {
                return Ok(Found::Nothing(Stopped::GaveUp));
            }
        }
    }
    unreachable!("the sequence of rounds is infinite")
}

/// Returns the cycle of the graph that follows the given ways, in order.
fn lift(quotient: &Quotient, ways: &[u32]) -> Vec<Vertex> {
    let paths = ways.iter().map(|&way| &quotient.ways[way as usize].path);
    paths.flatten().copied().map(Vertex::new).collect()
}

#[cfg(test)]
mod tests {
    use super::structure::tests::{random_groups, ring_of_groups, two_rings};
    use super::*;
    use crate::factor::tests::are_cycles;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn planted_cycles_through_groups_are_found(seed in 0u32..1000, groups in 8u32..20) {
            let graph = random_groups(groups, seed);
            let (found, statistics) = find(&graph, seed, None, &Budget::default());
            prop_assert_eq!(statistics.groups, u64::from(groups));
            match found {
                Found::Cycle(cycle) => prop_assert!(are_cycles(&graph, &[cycle])),
                other => prop_assert!(false, "{:?} {:?}", other, statistics),
            }
        }
    }

    #[test]
    fn invariant_cycles_are_found() {
        let graph = ring_of_groups(12);
        let (found, statistics) = find(&graph, 0, None, &Budget::default());
        assert!(statistics.automorphisms > 0, "{statistics:?}");
        let Found::Cycle(cycle) = found else { panic!("{found:?} {statistics:?}") };
        assert!(are_cycles(&graph, &[cycle]));
    }

    #[test]
    fn graphs_without_a_cycle_through_the_groups_are_given_up() {
        // Two rings that are not linked with each other.
        let graph = two_rings(12);
        let (found, statistics) = find(&graph, 0, None, &Budget::default());
        assert_eq!(found, Found::Nothing(Stopped::GaveUp));
        assert!(statistics.closings > 0, "{statistics:?}");
        let (found, statistics) = find(&graph, 0, Some(0), &Budget::default());
        assert_eq!(found, Found::Nothing(Stopped::GaveUp));
        assert_eq!(statistics.conflicts, 0);
    }

    #[test]
    fn other_graphs_are_given_up_at_once() {
        let ring = Graph::from_edges(50, (0..50).map(|v| (v, (v + 1) % 50))).unwrap();
        let complete = Graph::from_edges(20, (0..20).flat_map(|v| (0..v).map(move |w| (w, v))));
        for graph in [ring, complete.unwrap()] {
            assert!(!has_groups(&graph));
            let (found, statistics) = find(&graph, 0, None, &Budget::default());
            assert_eq!(found, Found::Nothing(Stopped::GaveUp));
            assert_eq!(statistics, QuotientStatistics::default());
        }
    }
}
