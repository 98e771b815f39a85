//! Covers by short cycles: exact covers of the groups by directed cycles of the least length for which there is one.
//!
//! Where no solver finds a cover of a large quotient, short cycles may tile it at once: the quotient of graph 788 of the
//! FHCP Challenge Set, with 140 groups, has 694 cycles of at most ten ways through different groups, and exact covers by
//! 14 of these are found in 0.2 s. CaDiCaL alone finds no cover in ten minutes.
//!
//! # Formula
//!
//! A variable c for each short cycle joins the [formula](super::formula):
//!
//! 4. For each link of a short cycle: if c is true, the link is used.
//! 5. For each group: one of the variables of the short cycles through the group is true.

use chacha20::ChaCha8Rng;
use hamcnf_graph::budget::Budget;
use hamcnf_sat::solve::{SolveError, SolverStatus, cadical};
use rustsat::types::Lit;

use super::QuotientStatistics;
use super::cover::Cover;
use super::formula::Formula;
use super::structure::Quotient;

/// Maximum number of short cycles.
const MOST_CYCLES: usize = 20_000;
/// Maximum number of paths that the search for short cycles extends.
const MOST_PATHS: usize = 5_000_000;
/// Number of paths after which the search checks its budget.
const PATHS_PER_CHECK: usize = 1_000;
/// Maximum number of ways of a short cycle.
const LONGEST: usize = 24;
/// Maximum number of conflicts for each length.
const MOST_CONFLICTS: u64 = 20_000;
/// Maximum number of covers.
const MOST_COVERS: usize = 30;

/// Returns covers by cycles of the least length that suffices; none if a limit is reached first. Adds the conflicts to the
/// statistics.
pub(super) fn covers(
    quotient: &Quotient,
    leaving: &[Vec<u32>],
    random: &mut ChaCha8Rng,
    budget: &Budget,
    statistics: &mut QuotientStatistics,
) -> Result<Vec<Cover>, SolveError> {
    let mut before = 0;
    for most in 2..=LONGEST.min(quotient.groups.len()) {
        let groups: Vec<u32> = quotient.ways.iter().map(|way| way.group).collect();
        let Some(cycles) = Cycles::up_to(most, quotient, leaving, &groups, budget) else {
            return Ok(Vec::new());
        };
        if cycles.len() == std::mem::replace(&mut before, cycles.len()) {
            continue;
        }
        let mut through = vec![Vec::new(); quotient.groups.len()];
        for (c, cycle) in cycles.iter().enumerate() {
            cycle.iter().for_each(|&link| through[quotient.leaves(link)].push(c as u32));
        }
        if through.iter().any(Vec::is_empty) {
            continue;
        }
        let mut formula = Formula::new(quotient, None, random, cadical::FOR_MANY, budget)?;
        let literals: Vec<Lit> = (formula.n_vars..).map(Lit::positive).take(cycles.len()).collect();
        // 4.
        for (&c, cycle) in literals.iter().zip(&cycles) {
            for &link in cycle {
                formula.solver.add(&[!c, formula.links[link as usize]])?;
            }
        }
        // 5.
        for cycles in through {
            let cycles: Vec<Lit> = cycles.into_iter().map(|c| literals[c as usize]).collect();
            formula.solver.add(&cycles)?;
        }
        let mut covers = Vec::new();
        let mut status = SolverStatus::Satisfiable;
        while status == SolverStatus::Satisfiable && covers.len() < MOST_COVERS {
            formula.randomize(random)?;
            status = formula.solver.solve(Some(MOST_CONFLICTS))?;
            if status == SolverStatus::Satisfiable {
                let cover = formula.cover(quotient);
                formula.block(&cover)?;
                covers.push(cover);
            }
        }
        statistics.conflicts += formula.conflicts();
        if !covers.is_empty() || status == SolverStatus::Stopped {
            return Ok(covers);
        }
    }
    Ok(Vec::new())
}

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
    use chacha20::rand_core::SeedableRng;
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

        #[test]
        fn covers_stay_covers_when_their_cycles_are_joined(seed in 0u32..1000) {
            let quotient = Quotient::of(&random_groups(12, seed), &Budget::default()).unwrap();
            let mut random = ChaCha8Rng::seed_from_u64(seed.into());
            let leaving = quotient.leaving();
            let mut statistics = QuotientStatistics::default();
            for mut cover in covers(&quotient, &leaving, &mut random, &Budget::default(), &mut statistics).unwrap() {
                let before = cover.cycles(&quotient).len();
                let after = cover.join(&quotient, &leaving, &mut random);
                prop_assert!(after <= before && after == cover.cycles(&quotient).len());
                let entered: BTreeSet<usize> = cover.links.iter().map(|&link| quotient.enters(link)).collect();
                prop_assert_eq!(entered.len(), 12);
                for (group, (&way, &link)) in cover.ways.iter().zip(&cover.links).enumerate() {
                    let next = quotient.enters(link);
                    prop_assert_eq!(quotient.ways[way as usize].group as usize, group);
                    prop_assert_eq!(quotient.links[link as usize].exit, quotient.ways[way as usize].exit());
                    prop_assert_eq!(quotient.links[link as usize].entry, quotient.ways[cover.ways[next] as usize].entry());
                }
            }
        }
    }
}
