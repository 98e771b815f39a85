//! Enumeration of the short directed cycles of a quotient.
//!
//! The search begins at each way, visits only greater ways, and turns back where the first way is too far away.

use hamcnf_graph::budget::Budget;

use super::structure::Quotient;

/// Maximum number of short cycles.
const MOST_CYCLES: usize = 20_000;
/// Maximum number of paths that the search for short cycles extends.
const MOST_PATHS: usize = 5_000_000;
/// Number of paths after which the search checks its budget.
const PATHS_PER_CHECK: usize = 1_000;

/// Depth-first search for short directed cycles through different groups, or different ways.
pub(super) struct Cycles<'q> {
    quotient: &'q Quotient,
    leaving: &'q [Vec<u32>],
    /// Indexed by way: the number of what a cycle visits once.
    places: &'q [u32],
    budget: &'q Budget,
    /// Indexed by entry: the ways that begin there.
    beginning: Vec<Vec<u32>>,
    most: usize,
    first: u32,
    /// Indexed by way: the number of links from the way to the first way, over ways after the first.
    distance: Vec<usize>,
    is_visited: Vec<bool>,
    links: Vec<u32>,
    found: Vec<Vec<u32>>,
    /// Number of paths that were extended.
    paths: usize,
    /// True if a limit has been reached.
    is_stopped: bool,
}

impl Cycles<'_> {
    /// Returns all cycles of at most `most` ways with different `places`, each as its links, from its least way; `None` if
    /// a limit is reached.
    pub(super) fn up_to(
        most: usize,
        quotient: &Quotient,
        leaving: &[Vec<u32>],
        places: &[u32],
        budget: &Budget,
    ) -> Option<Vec<Vec<u32>>> {
        let mut beginning = vec![Vec::new(); quotient.n_vertices];
        for (k, way) in (0..).zip(&quotient.ways) {
            beginning[way.entry() as usize].push(k);
        }
        let mut ending = vec![Vec::new(); quotient.n_vertices];
        for (k, way) in (0..).zip(&quotient.ways) {
            ending[way.exit() as usize].push(k);
        }
        let mut entering = vec![Vec::new(); quotient.n_vertices];
        for link in &quotient.links {
            entering[link.entry as usize].push(link.exit);
        }
        let n = quotient.ways.len();
        let mut search = Cycles {
            quotient,
            leaving,
            places,
            budget,
            beginning,
            most,
            first: 0,
            distance: vec![usize::MAX; n],
            is_visited: vec![false; places.iter().max().map_or(0, |last| *last as usize + 1)],
            links: Vec::new(),
            found: Vec::new(),
            paths: 0,
            is_stopped: false,
        };
        for first in 0..n as u32 {
            let mut reached = vec![first];
            search.first = first;
            search.distance[first as usize] = 0;
            let mut next = 0;
            while let Some(&at) = reached.get(next) {
                next += 1;
                let further = search.distance[at as usize] + 1;
                for &exit in &entering[quotient.ways[at as usize].entry() as usize] {
                    for &way in &ending[exit as usize] {
                        if way > first && further < most && search.distance[way as usize] == usize::MAX {
                            search.distance[way as usize] = further;
                            reached.push(way);
                        }
                    }
                }
            }
            search.visit(first);
            for way in reached {
                search.distance[way as usize] = usize::MAX;
            }
            if search.is_stopped {
                return None;
            }
        }
        Some(search.found)
    }

    /// Extends the path by a way whose place the path does not visit.
    fn visit(&mut self, way: u32) {
        self.paths += 1;
        self.is_stopped |= self.found.len() > MOST_CYCLES
            || self.paths > MOST_PATHS
            || self.paths.is_multiple_of(PATHS_PER_CHECK) && self.budget.over().is_some();
        if self.is_stopped {
            return;
        }
        let place = self.places[way as usize] as usize;
        self.is_visited[place] = true;
        for &link in &self.leaving[way as usize] {
            self.links.push(link);
            let entry = self.quotient.links[link as usize].entry as usize;
            for k in 0..self.beginning[entry].len() {
                let next = self.beginning[entry][k];
                let left = self.distance[next as usize];
                if next == self.first {
                    self.found.push(self.links.clone());
                } else if left != usize::MAX
                    && self.links.len() + left <= self.most
                    && !self.is_visited[self.places[next as usize] as usize]
                {
                    self.visit(next);
                }
            }
            self.links.pop();
        }
        self.is_visited[place] = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::quotient::structure::tests::random_groups;
    use proptest::prelude::*;

    /// Returns the links of all cycles of at most `most` ways through different groups, as sets.
    fn brute_force(quotient: &Quotient, most: usize) -> BTreeSet<BTreeSet<u32>> {
        fn extend(quotient: &Quotient, path: &[u32], links: &[u32], most: usize, found: &mut BTreeSet<BTreeSet<u32>>) {
            let way = |k: u32| &quotient.ways[k as usize];
            for (k, link) in (0..).zip(&quotient.links) {
                if link.exit != way(path[path.len() - 1]).exit() {
                    continue;
                }
                let links = [links, &[k]].concat();
                if link.entry == way(path[0]).entry() {
                    found.insert(links.iter().copied().collect());
                }
                let is_new = |next: u32| path.iter().all(|&k| way(k).group != way(next).group);
                for next in (0..quotient.ways.len() as u32).filter(|&next| way(next).entry() == link.entry) {
                    if path.len() < most && is_new(next) {
                        extend(quotient, &[path, &[next]].concat(), &links, most, found);
                    }
                }
            }
        }
        let mut found = BTreeSet::new();
        for first in 0..quotient.ways.len() as u32 {
            extend(quotient, &[first], &[], most, &mut found);
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

        #[test]
        fn short_cycles_are_all_cycles_of_this_length(seed in 0u32..1000, most in 2usize..6) {
            let quotient = Quotient::of(&random_groups(8, seed), &Budget::default()).unwrap();
            let groups: Vec<u32> = quotient.ways.iter().map(|way| way.group).collect();
            let found = Cycles::up_to(most, &quotient, &quotient.leaving(), &groups, &Budget::default()).unwrap();
            let found: BTreeSet<BTreeSet<u32>> = found.iter().map(|links| links.iter().copied().collect()).collect();
            prop_assert_eq!(found, brute_force(&quotient, most));
        }
    }
}
