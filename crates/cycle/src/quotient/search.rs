//! SAT search for a directed cycle through exactly one way of each group: models of the [formula](super::formula) for
//! covers. If the ways and links of a model form several directed cycles, a clause is added for each of them:
//!
//! 4. Not all links of the cycle are used.
//!
//! There are few such clauses, a hundred or so in 100 000 conflicts, so models are checked only when they are complete.

use std::ffi::CStr;
use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hamcnf_graph::budget::Budget;
use hamcnf_sat::solve::{SolveError, SolverStatus};
use rustsat::types::Lit;

use super::QuotientStatistics;
use super::cover::Cover;
use super::covering::Covering;
use super::formula::Formula;
use super::structure::Quotient;

/// Options of CaDiCaL: its stable mode alone, in which restarts are rare and follow Luby's sequence, with a short period
/// and without target phases.
const OPTIONS: [(&CStr, i32); 4] = [(c"lucky", 0), (c"stabilizeonly", 1), (c"reluctant", 100), (c"target", 0)];

/// Search for a cycle with one solver.
pub(super) struct Search {
    quotient: Arc<Quotient>,
    formula: Formula,
    /// Number of groups, or of their images.
    pub(super) groups: u64,
    /// True if a run has refuted the formula.
    pub(super) is_refuted: bool,
}

impl Search {
    /// Creates a search for a cycle that `covering` lifts, or for any cycle. The seed decides the order of the variables.
    pub(super) fn new(
        quotient: &Arc<Quotient>,
        covering: Option<&Covering>,
        seed: u64,
        budget: &Budget,
    ) -> Result<Self, SolveError> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let formula = Formula::new(quotient, covering, &mut random, &OPTIONS, budget)?;
        let groups = covering.map_or(quotient.groups.len(), |covering| covering.n_groups(quotient)) as u64;
        Ok(Self { quotient: Arc::clone(quotient), formula, groups, is_refuted: false })
    }

    /// Searches until there is a result, for at most `most` conflicts. Returns a cover by one cycle; `None` if there is
    /// none, or at a limit.
    pub(super) fn run(&mut self, most: u64, statistics: &mut QuotientStatistics) -> Result<Option<Cover>, SolveError> {
        let mut left = most;
        loop {
            let before = self.formula.conflicts();
            let status = self.formula.solver.solve(Some(left))?;
            let conflicts = self.formula.conflicts() - before;
            statistics.conflicts += conflicts;
            left = left.saturating_sub(conflicts);
            match status {
                SolverStatus::Unsatisfiable => {
                    self.is_refuted = true;
                    return Ok(None);
                }
                SolverStatus::Stopped => return Ok(None),
                SolverStatus::Satisfiable => {}
            }
            let cover = self.formula.cover(&self.quotient);
            let cycles = cover.cycles(&self.quotient);
            if cycles.len() == 1 {
                return Ok(Some(cover));
            }
            // 4.
            for cycle in cycles {
                let links = cycle.iter().map(|&group| cover.links[group as usize]);
                let clause: Vec<Lit> = links.map(|link| !self.formula.links[link as usize]).collect();
                self.formula.solver.add(&clause)?;
                statistics.closings += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    use crate::quotient::covering::{coverings, tests::random_cosets};
    use crate::quotient::structure::Way;
    use crate::quotient::structure::tests::{random_groups, ring_of_groups, rotated_groups};
    use crate::quotient::symmetry::{Automorphism, automorphisms};
    use crate::quotient::walk::Walk;
    use chacha20::rand_core::Rng;
    use hamcnf_graph::relabel::shuffle;
    use proptest::prelude::*;

    /// Returns the ways of each cycle of the quotient, in order from a way of the first group.
    fn brute_force(quotient: &Quotient) -> Vec<Vec<u32>> {
        fn extend(quotient: &Quotient, after: &[Vec<u32>], cycle: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
            let group = |k: u32| quotient.ways[k as usize].group;
            let after_last = &after[cycle[cycle.len() - 1] as usize];
            if cycle.len() == quotient.groups.len() {
                found.extend(after_last.contains(&cycle[0]).then(|| cycle.clone()));
                return;
            }
            for &next in after_last {
                if cycle.iter().all(|&k| group(k) != group(next)) {
                    cycle.push(next);
                    extend(quotient, after, cycle, found);
                    cycle.pop();
                }
            }
        }
        let entered = |v: u32| (0..).zip(&quotient.ways).filter(move |(_, way)| way.entry() == v).map(|(k, _)| k);
        let left = |v: u32| quotient.links.iter().filter(move |link| link.exit == v);
        let after = |way: &Way| left(way.exit()).flat_map(|link| entered(link.entry)).collect();
        let after: Vec<Vec<u32>> = quotient.ways.iter().map(after).collect();
        let mut found = Vec::new();
        for &first in &quotient.groups[0] {
            extend(quotient, &after, &mut vec![first], &mut found);
        }
        found
    }

    /// Searches for cycles that `covering` lifts. The result must agree with those among all cycles of the quotient.
    fn compare(quotient: &Quotient, cycles: &[Vec<u32>], covering: Option<&Covering>, seed: u64) {
        // Of the things with one image, all are used or none.
        let is_lifted = |images: &[u32], used: &BTreeSet<u32>| {
            let images_used: BTreeSet<u32> = used.iter().map(|&k| images[k as usize]).collect();
            (0..).zip(images).all(|(k, image)| images_used.contains(image) == used.contains(&k))
        };
        let link = |[a, b]: [u32; 2]| {
            let [exit, entry] = [quotient.ways[a as usize].exit(), quotient.ways[b as usize].entry()];
            quotient.links.iter().position(|link| link.exit == exit && link.entry == entry).unwrap() as u32
        };
        let ways = |cycle: &[u32]| cycle.iter().copied().collect::<BTreeSet<_>>();
        let links = |cycle: &[u32]| {
            let following = cycle.iter().cycle().skip(1);
            cycle.iter().zip(following).map(|(&a, &b)| link([a, b])).collect()
        };
        let lifted: Vec<_> = (cycles.iter())
            .filter(|cycle| {
                covering.is_none_or(|map| is_lifted(&map.ways, &ways(cycle)) && is_lifted(&map.links, &links(cycle)))
            })
            .map(|cycle| ways(cycle))
            .collect();
        let budget = Budget::default();
        let mut search = Search::new(&Arc::new(quotient.clone()), covering, seed, &budget).unwrap();
        match search.run(u64::MAX, &mut QuotientStatistics::default()).unwrap() {
            Some(cover) => assert!(lifted.contains(&ways(&cover.ways))),
            None => assert!(search.is_refuted && lifted.is_empty(), "{lifted:?}"),
        }
    }

    /// Walks on the quotient. A cycle that is found must be one of `cycles`. Returns true if it is found.
    fn walk(quotient: &Quotient, cycles: &[Vec<u32>], seed: u64) -> bool {
        let mut walk = Walk::new(&Arc::new(quotient.clone()), seed, &Budget::default()).unwrap();
        let mut statistics = QuotientStatistics::default();
        let most = if cycles.is_empty() { 1_000 } else { 500_000 };
        let found = walk.run(most, &mut statistics).unwrap();
        assert!(statistics.odd_covers <= statistics.covers);
        assert_eq!(found.is_some(), statistics.fewest_cycles == Some(1));
        if let Some(cover) = &found {
            let [cycle] = &cover.cycles(quotient)[..] else { panic!("{cover:?}") };
            let ways: Vec<u32> = cycle.iter().map(|&group| cover.ways[group as usize]).collect();
            assert!(cycles.contains(&ways), "{ways:?}");
        }
        found.is_some()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn random_quotients_are_decided(seed in 0u32..1000, groups in 8u32..10, removed in 0usize..12) {
            let graph = random_groups(groups, seed);
            let mut quotient = Quotient::of(&graph, &Budget::default()).unwrap();
            shuffle(&mut quotient.links, &mut ChaCha8Rng::seed_from_u64(seed.into()));
            quotient.links.drain(..removed);
            let cycles = brute_force(&quotient);
            compare(&quotient, &cycles, None, seed.into());
            prop_assert_eq!(walk(&quotient, &cycles, seed.into()), !cycles.is_empty());
        }
    }

    /// Removes a random link and its images under the automorphism.
    fn remove_orbit(quotient: &mut Quotient, map: &Automorphism, random: &mut ChaCha8Rng) {
        let mut k = random.next_u32() as usize % quotient.links.len();
        let mut kept = vec![true; quotient.links.len()];
        while kept[k] {
            kept[k] = false;
            k = map.links[k] as usize;
        }
        let mut kept = kept.into_iter();
        quotient.links.retain(|_| kept.next() == Some(true));
    }

    /// Compares searches on this many random quotients with a rotation, with and without cycles: a search for any cycle,
    /// and a search for each automorphism.
    fn rotated_quotients_are_decided(graphs: u32) {
        let (mut seeds, mut with_cycles, mut refuted, mut walked) = (0.., 0, 0, 0);
        while with_cycles + refuted < graphs {
            let seed = seeds.next().unwrap();
            let (orbits, order) = [(4, 2), (5, 2), (3, 3), (2, 4), (2, 5)][seed as usize % 5];
            let graph = rotated_groups(orbits, order, seed);
            let Some(mut quotient) = Quotient::of(&graph, &Budget::default()) else {
                continue;
            };
            let mut random = ChaCha8Rng::seed_from_u64(seed.into());
            for _ in 0..seed / 5 % 6 {
                if let Some(map) = automorphisms(&quotient, 1, &Budget::default()).first() {
                    remove_orbit(&mut quotient, map, &mut random);
                }
            }
            let symmetries = automorphisms(&quotient, 8, &Budget::default());
            if symmetries.is_empty() {
                continue;
            }
            let cycles = brute_force(&quotient);
            compare(&quotient, &cycles, None, seed.into());
            for symmetry in &symmetries {
                compare(&quotient, &cycles, Some(&symmetry.covering()), seed.into());
            }
            walked += u32::from(walk(&quotient, &cycles, seed.into()));
            match cycles.is_empty() {
                true => refuted += 1,
                false => with_cycles += 1,
            }
        }
        assert!(with_cycles.min(refuted) > graphs / 10, "{with_cycles} {refuted}");
        assert_eq!(walked, with_cycles);
    }

    #[test]
    fn random_rotated_quotients_are_decided() {
        rotated_quotients_are_decided(200);
    }

    #[test]
    #[ignore = "takes a minute"]
    fn more_random_rotated_quotients_are_decided() {
        rotated_quotients_are_decided(8000);
    }

    #[test]
    fn invariant_cycles_are_decided() {
        for groups in [9, 10] {
            let quotient = Quotient::of(&ring_of_groups(groups), &Budget::default()).unwrap();
            let cycles = brute_force(&quotient);
            let symmetries = automorphisms(&quotient, usize::MAX, &Budget::default());
            assert!(!symmetries.is_empty());
            for (seed, symmetry) in (0..).zip(&symmetries) {
                compare(&quotient, &cycles, Some(&symmetry.covering()), seed);
            }
        }
    }

    /// Checks the map of links: those with one image lead from ways with one image to ways with one image, and each way has
    /// as many links as images of its links.
    fn check_links(quotient: &Quotient, covering: &Covering) {
        let mut ends = BTreeMap::new();
        let mut images_at = BTreeMap::<u32, BTreeSet<u32>>::new();
        for (link, &image) in quotient.links.iter().zip(&covering.links) {
            let way = |v: u32| quotient.ways.iter().position(|way| way.path.contains(&v)).unwrap();
            let of_link = [link.exit, link.entry].map(|v| covering.ways[way(v)]);
            assert_eq!(*ends.entry(image).or_insert(of_link), of_link);
            assert!(images_at.entry(link.exit).or_default().insert(image));
        }
        let images: BTreeSet<u32> = covering.ways.iter().copied().collect();
        assert_eq!(covering.n_groups(quotient) * quotient.groups[0].len(), images.len());
    }

    /// Compares searches on this many random quotients with coverings.
    fn covered_quotients_are_decided(graphs: u32) {
        let (mut seeds, mut with_cycles, mut refuted) = (0.., 0, 0);
        while with_cycles + refuted < graphs {
            let seed = seeds.next().unwrap();
            let quotient = random_cosets(seed).quotient;
            if quotient.groups.len() > 12 {
                continue;
            }
            let found = coverings(&quotient, &Budget::default(), &mut QuotientStatistics::default()).unwrap();
            if found.is_empty() {
                continue;
            }
            let cycles = brute_force(&quotient);
            compare(&quotient, &cycles, None, seed);
            for covering in &found {
                check_links(&quotient, covering);
                compare(&quotient, &cycles, Some(covering), seed);
            }
            match cycles.is_empty() {
                true => refuted += 1,
                false => with_cycles += 1,
            }
        }
        assert!(with_cycles.min(refuted) > graphs / 10, "{with_cycles} {refuted}");
    }

    #[test]
    fn random_covered_quotients_are_decided() {
        covered_quotients_are_decided(120);
    }
}
