//! Properties of digraphs.
//!
//! A cycle of a digraph has at least two vertices. Digraphs of at most [`MOST_DIRECTED`] vertices are tested by dynamic
//! programming. Larger digraphs are first converted to undirected graphs by [vertex splitting](split).
//!
//! [`MOST_DIRECTED`]: hamcnf_cycle::small::MOST_DIRECTED

use hamcnf_graph::{Digraph, Vertex};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, TourKind, split};
use num_bigint::BigUint;

use super::{Subject, SubjectGraph, Undecided};
use hamcnf_cycle::small::SmallSearch;
use hamcnf_graph::budget::{Budget, Stopped};

/// Digraph whose properties are tested.
#[derive(Debug)]
pub struct DirectedSubject<'a> {
    digraph: &'a Digraph,
    search: &'a mut SmallSearch,
    budget: &'a Budget,
}

impl<'a> DirectedSubject<'a> {
    /// Creates a subject for a digraph. `search` may be reused for further digraphs, which saves allocations.
    pub fn new(digraph: &'a Digraph, search: &'a mut SmallSearch, budget: &'a Budget) -> Self {
        Self { digraph, search, budget }
    }

    /// Returns true if the digraph has a Hamiltonian cycle.
    ///
    /// # Errors
    ///
    /// Returns the reason why the answer is unknown.
    pub fn has_cycle(&mut self) -> Result<bool, Undecided> {
        self.cycle_of(self.digraph)
    }

    /// Returns true if the digraph has a Hamiltonian path.
    ///
    /// # Errors
    ///
    /// Returns the reason why the answer is unknown.
    pub fn has_path(&mut self) -> Result<bool, Undecided> {
        match (self.digraph.n_vertices(), split::closed(self.digraph, Endpoints::ANYWHERE)) {
            (n @ (0 | 1), _) => Ok(n == 1),
            (_, Ok(Some(closed))) => self.cycle_of(&closed),
            (_, Ok(None) | Err(_)) => Err(Stopped::GaveUp.into()),
        }
    }

    /// Returns the number of Hamiltonian cycles if it is less than `most`. Otherwise returns a number that is at least
    /// `most`.
    ///
    /// # Errors
    ///
    /// Returns the reason why the number is unknown.
    pub fn cycles(&mut self, most: u64) -> Result<BigUint, Undecided> {
        match self.search.count_directed_cycles(self.digraph, self.budget) {
            Ok(cycles) => Ok(cycles.into()),
            Err(Stopped::GaveUp) => {
                let graph = split_graph(self.digraph)?;
                Subject::new(&graph, self.search, self.budget).cycles(most)
            }
            Err(stopped) => Err(stopped.into()),
        }
    }

    fn cycle_of(&mut self, digraph: &Digraph) -> Result<bool, Undecided> {
        match self.search.has_directed_cycle(digraph, self.budget) {
            Ok(found) => Ok(found),
            Err(Stopped::GaveUp) => {
                let graph = split_graph(digraph)?;
                Subject::new(&graph, self.search, self.budget).has_cycle()
            }
            Err(stopped) => Err(stopped.into()),
        }
    }
}

/// Returns the undirected graph whose Hamiltonian cycles correspond to the Hamiltonian cycles of a nonempty digraph.
fn split_graph(digraph: &Digraph) -> Result<SubjectGraph, Undecided> {
    let (closed, first) = (TourKind::Closed, Vertex::new(0));
    let instance = Instance::on_digraph("digraph", digraph.clone(), closed, first)?;
    Ok(split::split(&instance, Endpoints::Closed)?.graph().clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::properties::{PROPERTIES, property};
    use hamcnf_graph::digraph::strategy::digraphs;
    use proptest::prelude::*;

    /// Returns the numbers of Hamiltonian cycles and of Hamiltonian paths. Tries every path.
    fn brute_force(digraph: &Digraph) -> (u32, u32) {
        fn extend(digraph: &Digraph, path: &mut Vec<Vertex>, found: &mut (u32, u32)) {
            let last = path[path.len() - 1];
            if path.len() == digraph.n_vertices() as usize {
                found.1 += 1;
                found.0 += u32::from(digraph.arc(last, path[0]).is_some() && path[0].number() == 0);
                return;
            }
            for &next in digraph.successors(last) {
                if !path.contains(&next) {
                    path.push(next);
                    extend(digraph, path, found);
                    path.pop();
                }
            }
        }
        let mut found = (0, 0);
        for v in digraph.vertices() {
            extend(digraph, &mut vec![v], &mut found);
        }
        found
    }

    proptest! {
        #[test]
        fn properties_are_those_found_by_brute_force(digraph in digraphs(2..=6)) {
            let (cycles, paths) = brute_force(&digraph);
            let (mut search, budget) = (SmallSearch::default(), Budget::default());
            let mut subject = DirectedSubject::new(&digraph, &mut search, &budget);
            prop_assert_eq!(subject.cycles(u64::MAX).unwrap(), cycles.into());
            let mut holds = |name| {
                let holds = property(name).unwrap().holds_directed.unwrap();
                holds(&mut subject).unwrap()
            };
            prop_assert_eq!(holds("hamiltonian"), cycles > 0);
            prop_assert_eq!(holds("traceable"), paths > 0);
            prop_assert_eq!(holds("uniquely-hamiltonian"), cycles == 1);
            // Large digraphs are tested after vertex splitting, so compare the results.
            let graph = split_graph(&digraph).unwrap();
            let split = Subject::new(&graph, &mut search, &budget).cycles(u64::MAX);
            prop_assert_eq!(split.unwrap(), cycles.into());
        }
    }

    #[test]
    fn digraphs_of_every_size_are_decided() {
        let (mut search, budget) = (SmallSearch::default(), Budget::default());
        for n in [0, 1, 2, 3, 19, 20, 21, 22, 80] {
            let path = (1..n).map(|v| (v - 1, v));
            for (is_closed, back) in [(false, None), (true, Some((n.max(1) - 1, 0)))] {
                let back = back.filter(|_| n > 1);
                let digraph = Digraph::from_arcs(n, path.clone().chain(back)).unwrap();
                let mut subject = DirectedSubject::new(&digraph, &mut search, &budget);
                let expected = is_closed && n > 1;
                assert_eq!(subject.has_cycle().unwrap(), expected, "{n}");
                assert_eq!(subject.cycles(2).unwrap(), u32::from(expected).into(), "{n}");
                assert_eq!(subject.has_path().unwrap(), n > 0, "{n}");
            }
        }
        assert_eq!(PROPERTIES.iter().filter(|property| property.holds_directed.is_some()).count(), 3);
    }
}
