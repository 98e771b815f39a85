//! Search on the quotient of a graph that consists of groups of vertices with few ways through each group.
//!
//! Some hard graphs are built from *groups*: sets of vertices that a Hamiltonian cycle enters once and leaves once. Only
//! a few pairs of vertices of a group are the ends of a path through all of its vertices. Such a path is a *way*. An
//! edge between two groups is a *link*. In the quotient, the ways are the vertices and the links are the arcs. A
//! Hamiltonian cycle of the graph becomes a directed cycle that visits exactly one way of each group. A set of disjoint
//! directed cycles that together visit exactly one way of each group is a *cover*.
//!
//! - `structure.rs`: recognition of groups, ways and links in any graph.
//! - `symmetry.rs`: automorphisms of the quotient.
//! - `covering.rs`: maps of the quotient to smaller ones, among them those of automorphisms.
//! - `formula.rs`: formula for covers.
//! - `search.rs`: clause learning for a cover by a single cycle.
//! - `cover.rs`: covers, and switches that join their cycles.
//! - `cycles.rs`: short directed cycles.
//! - `short.rs`: covers by the shortest cycles.
//! - `walk.rs`: walk from cover to cover.
//!
//! Searches and the walk take turns, and all of them go on where they stopped. If the quotient has coverings, most
//! searches look only for cycles that one of them lifts from the smaller quotient, because these searches have fewer
//! variables. With the covering of an automorphism, these are the invariant cycles. Not every graph with a Hamiltonian cycle
//! has such a cycle, so such a search refutes nothing.
//!
//! The searches only find cycles. They never prove that there is none, because a Hamiltonian cycle may visit a group
//! several times, on paths that are not ways.
//!
//! # Example
//!
//! Fifty-nine of the 1001 graphs of the FHCP Challenge Set have parts of this kind, among them the hardest for all
//! published programs. After the [reductions](super::reduction), 42 to 210 groups of 33 vertices are left, with six ways
//! each. These graphs come from bell ringing: each group is a *six* of bobs-only Stedman Triples.
//!
//! # Measurements
//!
//! - With 84 groups (graph 479), five cycles that were found with different seeds were one cycle and its images under
//!   automorphisms. So there are few cycles, and the search must exclude most of the quotient, as in a refutation: it takes
//!   64 000 to 196 000 conflicts, in 4 to 6 s. With 70 groups, it takes 0.1 s. If it began again after every 30 000
//!   conflicts or so, without its learned clauses, it took 226 000 on average instead of 149 000.
//! - With 140 groups (788, 937, 951, 954, 981, 987, 994), the search found no cycle in 3.5 million conflicts. The walk
//!   takes about 2 s on average on 788, with times that are spread like independent tries. With 210 groups (960), the walk
//!   alone takes 1 to 8 s, and the whole strategy 1.6 s, by a covering.
//! - With 84 groups, the walk is slower than the search. With 168 groups (868), it finds nothing in 20 s: all covers have
//!   at least five cycles. The search for invariant cycles takes 4 to 9 s.
//! - Links lead from ways of one colour to ways of the other, so half of the ways of a cover have each colour. A totalizer that
//!   says so makes no clear difference: with eight seeds, 479 took 5.5 s on average instead of 8.5 s, but in one run of 27
//!   graphs these took 178 s together instead of 134 s.
//! - Clauses that a link leaves the groups of a cycle, instead of clauses against the cycle, make no difference.
//!
//! # References
//!
//! - Michael Haythorpe, Andrew Johnson: *Change ringing and Hamiltonian cycles: The search for Erin and Stedman
//!   triples*, Electronic Journal of Graph Theory and Applications 7, 2019.

mod cover;
mod covering;
mod cycles;
mod formula;
mod search;
mod short;
mod structure;
mod symmetry;
mod walk;

use std::collections::VecDeque;
use std::sync::Arc;

use hamcnf_graph::{Graph, Vertex};

use self::cover::Cover;
use self::covering::{Covering, coverings};
use self::search::Search;
use self::structure::Quotient;
use self::symmetry::{Automorphism, automorphisms};
use self::walk::Walk;
use super::{Budget, Found, Stopped};
use hamcnf_sat::solve::SolveError;

pub use self::structure::has_groups;

/// Statistics of a run of [`Searches::run`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QuotientStatistics {
    /// Number of groups of the graph; 0 if the graph does not consist of groups.
    pub groups: u64,
    /// Number of automorphisms of the quotient that the searches use.
    pub automorphisms: u64,
    /// Number of other coverings that the searches use.
    pub coverings: u64,
    /// Number of clauses against cycles that miss a group.
    pub closings: u64,
    /// Number of steps of the walk.
    pub steps: u64,
    /// Number of covers that the walk found.
    pub covers: u64,
    /// Number of these covers with an odd number of cycles.
    pub odd_covers: u64,
    /// Least number of cycles of these covers.
    pub fewest_cycles: Option<u64>,
    pub conflicts: u64,
}

/// Work of a search in a round, in conflicts.
const PER_ROUND: u64 = 20_000;
/// Divisor of this work for the search for any cycle as long as there are coverings.
const ASYMMETRIC: u64 = 8;
/// Number of groups, or of their images, with which a search and the walk have equal turns.
const GROUPS: f64 = 100.0;
/// Increase of this number that doubles the turns of the walk, and halves those of the search.
const DOUBLING: f64 = 16.0;
/// Maximum work of the walk in a round, in conflicts.
const MOST_OF_WALK: u64 = 8 * PER_ROUND;
/// Maximum number of automorphisms that the searches use.
const MOST_AUTOMORPHISMS: usize = 8;

/// Searches on the quotient of a graph, which go on where they stopped.
#[derive(Default)]
pub struct Searches {
    /// `None` if the graph does not consist of groups with few ways.
    quotient: Option<Arc<Quotient>>,
    automorphisms: u64,
    coverings: u64,
    /// Searches in the order of their next turns.
    queue: VecDeque<Turn>,
    budget: Budget,
}

/// Search that takes turns.
enum Turn {
    Any(Search),
    /// Search for cycles that a covering lifts.
    Lifted(Search),
    Walk(Box<Walk>),
    /// Search for coverings other than the known ones, each of which gets a search with this seed.
    Coverings {
        known: Vec<Covering>,
        seed: u64,
    },
}

impl Turn {
    /// Returns the number of groups among which a search chooses; `None` for others.
    fn groups(&self) -> Option<u64> {
        match self {
            Self::Any(search) | Self::Lifted(search) => Some(search.groups),
            Self::Walk(_) | Self::Coverings { .. } => None,
        }
    }
}

impl Searches {
    /// Prepares the searches with a seed of the random numbers. They give up at once if the graph does not consist of groups
    /// with few ways. They end with the budget.
    ///
    /// # Errors
    ///
    /// [`SolveError`] if a solver has no memory left.
    pub fn new(graph: &Graph, seed: u32, budget: &Budget) -> Result<Self, SolveError> {
        match Quotient::of(graph, budget) {
            Some(quotient) => Self::on(Arc::new(quotient), seed, budget),
            None => Ok(Self { budget: budget.clone(), ..Self::default() }),
        }
    }

    fn on(quotient: Arc<Quotient>, seed: u32, budget: &Budget) -> Result<Self, SolveError> {
        let mut seeds = (0..).map(|k: u64| u64::from(seed) << 32 | k);
        let mut seed = || seeds.next().unwrap_or_default();
        let symmetries: Vec<Covering> =
            automorphisms(&quotient, MOST_AUTOMORPHISMS, budget).iter().map(Automorphism::covering).collect();
        let asymmetric = Search::new(&quotient, None, seed(), budget)?;
        let mut queue = VecDeque::new();
        for symmetry in &symmetries {
            queue.push_back(Turn::Lifted(Search::new(&quotient, Some(symmetry), seed(), budget)?));
        }
        queue.push_back(Turn::Any(asymmetric));
        let automorphisms = symmetries.len() as u64;
        let walk = Turn::Walk(Box::new(Walk::new(&quotient, seed(), budget)?));
        queue.extend([Turn::Coverings { known: symmetries, seed: seed() }, walk]);
        Ok(Self { quotient: Some(quotient), automorphisms, coverings: 0, queue, budget: budget.clone() })
    }

    /// Runs the searches in turns until there is a result, for `most` conflicts or as long as these take; `None` for no
    /// limit. Drops each covering that lifts no cycle.
    pub fn run(&mut self, most: Option<u64>) -> (Found, QuotientStatistics) {
        let groups = self.quotient.as_ref().map_or(0, |quotient| quotient.groups.len() as u64);
        let mut statistics = QuotientStatistics { groups, automorphisms: self.automorphisms, ..Default::default() };
        let found = self.turns(most, &mut statistics);
        statistics.coverings = self.coverings;
        (found.unwrap_or_else(|error| Found::Unknown(error.stopped())), statistics)
    }

    fn turns(&mut self, most: Option<u64>, statistics: &mut QuotientStatistics) -> Result<Found, SolveError> {
        let Some(quotient) = self.quotient.clone() else {
            return Ok(Found::Unknown(Stopped::GaveUp));
        };
        let mut left = most.unwrap_or(u64::MAX);
        while left > 0 {
            if let Some(stopped) = self.budget.over() {
                return Ok(Found::Unknown(stopped));
            }
            let has_lifted = self.queue.iter().any(|turn| matches!(turn, Turn::Lifted(_)));
            let least = self.queue.iter().filter_map(Turn::groups).min();
            let Some(turn) = self.queue.front_mut() else {
                break;
            };
            let work = match turn {
                Turn::Any(search) if has_lifted => of_search(search.groups).min(PER_ROUND / ASYMMETRIC),
                Turn::Any(search) | Turn::Lifted(search) => of_search(search.groups),
                Turn::Walk(_) => of_walk(least),
                Turn::Coverings { .. } => 0,
            };
            let (work, before) = (left.min(work), statistics.conflicts);
            let (cover, is_over) = match turn {
                Turn::Any(search) | Turn::Lifted(search) => (search.run(work, statistics)?, search.is_refuted),
                Turn::Walk(walk) => (walk.run(work, statistics)?, walk.is_over),
                Turn::Coverings { known, seed } => {
                    let (known, seed) = (std::mem::take(known), *seed);
                    self.queue.pop_front();
                    let budget = &self.budget;
                    // The other searches go on if there is no memory for further ones.
                    let found = coverings(&quotient, budget, statistics).unwrap_or_default();
                    left = left.saturating_sub(statistics.conflicts - before);
                    let is_new = |covering: &&Covering| known.iter().all(|known| known.ways != covering.ways);
                    let mut searches = Vec::new();
                    for covering in found.iter().filter(is_new).take_while(|_| budget.over().is_none()) {
                        searches.extend(Search::new(&quotient, Some(covering), seed, budget));
                    }
                    self.coverings = searches.len() as u64;
                    searches.into_iter().rev().for_each(|search| self.queue.push_front(Turn::Lifted(search)));
                    continue;
                }
            };
            // A walk begins with searches that may take longer.
            left = left.saturating_sub(work.max(statistics.conflicts - before));
            if let Some(cover) = cover {
                return Ok(Found::Cycle(lift(&quotient, &cover)));
            }
            match turn {
                // There is no cycle.
                Turn::Any(_) if is_over => self.queue.clear(),
                _ if is_over => drop(self.queue.pop_front()),
                _ => self.queue.rotate_left(1),
            }
        }
        Ok(Found::Unknown(Stopped::GaveUp))
    }
}

/// Returns the work in a round of a search with this number of groups.
fn of_search(groups: u64) -> u64 {
    (PER_ROUND as f64 / difficulty(groups).max(1.0)).ceil() as u64
}

/// Returns the work of the walk in a round if the smallest search has this number of groups; `None` without a search.
fn of_walk(groups: Option<u64>) -> u64 {
    groups.map_or(MOST_OF_WALK, |groups| (PER_ROUND as f64 * difficulty(groups)) as u64).min(MOST_OF_WALK)
}

/// Returns the time of a search with this number of groups, divided by that of a walk.
fn difficulty(groups: u64) -> f64 {
    f64::exp2((groups as f64 - GROUPS) / DOUBLING)
}

/// Returns the cycle of the graph that follows the ways of a cover by one cycle.
fn lift(quotient: &Quotient, cover: &Cover) -> Vec<Vertex> {
    let groups = cover.cycles(quotient).swap_remove(0);
    let paths = groups.into_iter().map(|group| &quotient.ways[cover.ways[group as usize] as usize].path);
    paths.flatten().copied().map(Vertex::new).collect()
}

#[cfg(test)]
mod tests {
    use super::structure::tests::{random_groups, ring_of_groups, two_rings};
    use super::*;
    use crate::factor::tests::are_cycles;
    use proptest::prelude::*;

    /// Runs new searches.
    fn find(graph: &Graph, seed: u32, most: Option<u64>) -> (Found, QuotientStatistics) {
        let budget = Budget::default();
        Searches::new(graph, seed, &budget).unwrap().run(most)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn planted_cycles_through_groups_are_found(seed in 0u32..1000, groups in 8u32..20) {
            let graph = random_groups(groups, seed);
            let (found, statistics) = find(&graph, seed, None);
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
        let (found, statistics) = find(&graph, 0, None);
        assert!(statistics.automorphisms > 0, "{statistics:?}");
        let Found::Cycle(cycle) = found else { panic!("{found:?} {statistics:?}") };
        assert!(are_cycles(&graph, &[cycle]));
    }

    #[test]
    fn graphs_without_a_cycle_through_the_groups_are_given_up() {
        // Two rings that are not linked with each other.
        let graph = two_rings(12);
        let (found, statistics) = find(&graph, 0, None);
        assert_eq!(found, Found::Unknown(Stopped::GaveUp));
        assert!(statistics.closings > 0, "{statistics:?}");
        let (found, statistics) = find(&graph, 0, Some(0));
        assert_eq!(found, Found::Unknown(Stopped::GaveUp));
        assert_eq!(statistics.conflicts, 0);
    }

    #[test]
    fn other_graphs_are_given_up_at_once() {
        let ring = Graph::from_edges(50, (0..50).map(|v| (v, (v + 1) % 50))).unwrap();
        let complete = Graph::from_edges(20, (0..20).flat_map(|v| (0..v).map(move |w| (w, v))));
        for graph in [ring, complete.unwrap()] {
            assert!(!has_groups(&graph));
            let (found, statistics) = find(&graph, 0, None);
            assert_eq!(found, Found::Unknown(Stopped::GaveUp));
            assert_eq!(statistics, QuotientStatistics::default());
        }
    }
}
