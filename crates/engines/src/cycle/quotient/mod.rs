//! Search on the quotient of a graph that consists of groups of vertices with few ways through each group.
//!
//! Some hard graphs are built from *groups*: sets of vertices that a Hamiltonian cycle enters once and leaves once. Only
//! a few pairs of vertices of a group are the ends of a path through all of its vertices. Such a path is a *way*. An
//! edge between two groups is a *link*. In the quotient, the ways are the vertices and the links are the arcs. A
//! Hamiltonian cycle of the graph becomes a directed cycle that visits exactly one way of each group.
//!
//! - `structure.rs`: recognition of groups, ways and links in any graph.
//! - `symmetry.rs`: automorphisms of the quotient.
//! - `search.rs`: SAT search for a cycle in the quotient, with lazy subtour-elimination constraints over groups.
//!
//! The search runs in attempts. Each attempt is a new solver with its own order of variables, because the run times
//! have a heavy tail: most attempts fail for a long time, and some succeed at once. If the quotient has automorphisms,
//! the attempts in turn look for a cycle that is invariant under one of them, and for any cycle. The search for an
//! invariant cycle has fewer variables. Not every graph with a Hamiltonian cycle has an invariant one, so such an
//! attempt refutes nothing.
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
//! # References
//!
//! - Michael Haythorpe, Andrew Johnson: *Change ringing and Hamiltonian cycles: The search for Erin and Stedman
//!   triples*, Electronic Journal of Graph Theory and Applications 7, 2019.
//! - Michael Luby, Alistair Sinclair, David Zuckerman: *Optimal Speedup of Las Vegas Algorithms*, Information Processing
//!   Letters 47, 1993.
//! - Carla Gomes, Bart Selman, Nuno Crato, Henry Kautz: *Heavy-Tailed Phenomena in Satisfiability and Constraint
//!   Satisfaction Problems*, Journal of Automated Reasoning 24, 2000: restarts against heavy tails.

mod search;
mod structure;
mod symmetry;

use hamcnf_encodings::{Graph, Vertex};

use self::search::{Ended, Search};
use self::structure::Quotient;
use self::symmetry::{Automorphism, automorphisms};
use super::{Budget, Found, Stopped};
use crate::solve::SolveError;

pub use self::structure::has_groups;

/// Options of [`find`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Seed of the random numbers.
    pub seed: u32,
    /// Maximum number of conflicts in all attempts; `None` for no limit. Each call of the solver counts as some
    /// conflicts in addition to its real conflicts.
    pub conflicts: Option<u64>,
}

/// Statistics of a run of [`find`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QuotientStatistics {
    /// Number of groups of the graph; 0 if the graph has no such structure.
    pub groups: u64,
    /// Total number of ways through all groups.
    pub ways: u64,
    /// Number of automorphisms of the quotient that the search used.
    pub automorphisms: u64,
    /// Number of attempts.
    pub attempts: u64,
    /// Number of models found, each with two or more cycles except the last.
    pub models: u64,
    /// Number of subtour-elimination constraints that were added.
    pub cuts: u64,
    pub conflicts: u64,
}

/// Maximum number of conflicts of an attempt in the first round. In later rounds, the limit is multiplied by the terms
/// of Luby's sequence.
const FIRST_ATTEMPT: u64 = 30_000;
/// Maximum number of automorphisms that the search uses.
const MOST_AUTOMORPHISMS: usize = 8;

/// Searches for a Hamiltonian cycle. Gives up at once if the graph does not consist of groups with few ways.
#[must_use]
pub fn find(graph: &Graph, options: &Options, budget: &Budget) -> (Found, QuotientStatistics) {
    let mut statistics = QuotientStatistics::default();
    if let Some(stopped) = budget.over() {
        return (Found::Nothing(stopped), statistics);
    }
    let Some(quotient) = Quotient::of(graph, budget) else {
        return (Found::Nothing(Stopped::GaveUp), statistics);
    };
    statistics.groups = quotient.groups.len() as u64;
    statistics.ways = quotient.ways.len() as u64;
    let found = attempts(&quotient, options, budget, &mut statistics);
    let found = found.unwrap_or_else(|error| {
        Found::Nothing(match error {
            SolveError::OutOfMemory => Stopped::Memory,
            _ => Stopped::GaveUp,
        })
    });
    (found, statistics)
}

/// Returns the term of Luby's sequence 1, 1, 2, 1, 1, 2, 4, 1, … with the 0-based index `k`.
fn luby(k: u64) -> u64 {
    // The sequence is periodic but for the last term of each period of 2ⁿ − 1 terms.
    let period = (k + 2).next_power_of_two() - 1;
    match k + 1 == period {
        true => period.div_ceil(2),
        false => luby(k - period / 2),
    }
}

/// Makes attempts in rounds until there is a result. Drops each automorphism without an invariant cycle.
fn attempts(
    quotient: &Quotient,
    options: &Options,
    budget: &Budget,
    statistics: &mut QuotientStatistics,
) -> Result<Found, SolveError> {
    let found = automorphisms(quotient, MOST_AUTOMORPHISMS, budget);
    statistics.automorphisms = found.len() as u64;
    let mut symmetries: Vec<Option<Automorphism>> = found.into_iter().map(Some).collect();
    symmetries.push(None);
    let mut left = options.conflicts.unwrap_or(u64::MAX);
    for round in 0.. {
        let most = FIRST_ATTEMPT * luby(round);
        let mut kept = Vec::new();
        for symmetry in symmetries {
            if left == 0 {
                return Ok(Found::Nothing(Stopped::GaveUp));
            }
            let seed = u64::from(options.seed) << 32 | statistics.attempts;
            statistics.attempts += 1;
            let mut search = Search::new(quotient, symmetry.as_ref(), seed, budget)?;
            let ended = search.run(most.min(left))?;
            let work = search.work();
            left = left.saturating_sub(work.cost());
            statistics.models += work.models;
            statistics.cuts += work.cuts;
            statistics.conflicts += work.conflicts;
            match ended {
                Ended::Cycle(ways) => return Ok(Found::Cycle(lift(quotient, &ways))),
                // The attempts with a symmetry look for some of the same cycles.
                Ended::Refuted if symmetry.is_none() => {
                    return Ok(Found::Nothing(Stopped::GaveUp));
                }
                Ended::Refuted => {}
                Ended::Limit => kept.push(symmetry),
            }
            if let Some(stopped) = budget.over() {
                return Ok(Found::Nothing(stopped));
            }
        }
        symmetries = kept;
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
    use crate::cycle::factor::tests::are_cycles;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn planted_cycles_through_groups_are_found(seed in 0u32..1000, groups in 8u32..20) {
            let graph = random_groups(groups, seed);
            let (found, statistics) = find(&graph, &Options { seed, conflicts: None }, &Budget::default());
            prop_assert_eq!(statistics.groups, u64::from(groups));
            match found {
                Found::Cycle(cycle) => prop_assert!(are_cycles(&graph, &[cycle])),
                other => prop_assert!(false, "{:?} {:?}", other, statistics),
            }
        }
    }

    #[test]
    fn luby_terms() {
        let terms: Vec<_> = (0..15).map(luby).collect();
        assert_eq!(terms, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn invariant_cycles_are_found() {
        let graph = ring_of_groups(12);
        let (found, statistics) = find(&graph, &Options::default(), &Budget::default());
        assert!(statistics.automorphisms > 0, "{statistics:?}");
        let Found::Cycle(cycle) = found else {
            panic!("{found:?} {statistics:?}")
        };
        assert!(are_cycles(&graph, &[cycle]));
    }

    #[test]
    fn graphs_without_a_cycle_through_the_groups_are_given_up() {
        // Two rings that are not linked with each other.
        let graph = two_rings(12);
        let (found, statistics) = find(&graph, &Options::default(), &Budget::default());
        assert_eq!(found, Found::Nothing(Stopped::GaveUp));
        assert!(statistics.cuts > 0, "{statistics:?}");
        let limited = Options {
            seed: 0,
            conflicts: Some(0),
        };
        let (found, statistics) = find(&graph, &limited, &Budget::default());
        assert_eq!(found, Found::Nothing(Stopped::GaveUp));
        assert_eq!(statistics.attempts, 0);
    }

    #[test]
    fn other_graphs_are_given_up_at_once() {
        let ring = Graph::from_edges(50, (0..50).map(|v| (v, (v + 1) % 50))).unwrap();
        let complete = Graph::from_edges(20, (0..20).flat_map(|v| (0..v).map(move |w| (w, v))));
        for graph in [ring, complete.unwrap()] {
            assert!(!has_groups(&graph));
            let (found, statistics) = find(&graph, &Options::default(), &Budget::default());
            assert_eq!(found, Found::Nothing(Stopped::GaveUp));
            assert_eq!(statistics, QuotientStatistics::default());
        }
    }
}
