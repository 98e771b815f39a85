//! SAT search for a directed cycle through exactly one way of each group.
//!
//! # Formula
//!
//! A variable w stands for each way and a variable l for each link. Under an automorphism, all ways of an orbit have the
//! same variable, and so have all links of an orbit: every model is then invariant. The clauses are:
//!
//! 1. For each group: exactly one of its ways is used.
//! 2. For each end of ways: at most one of its links is used.
//! 3. For each end of ways: a link is used if and only if one of the ways with this end is used.
//!
//! The ways and links of a model form directed cycles. If there are several, a clause is added for each of them:
//!
//! 4. Not all links of the cycle are used.
//!
//! There are few such clauses, a hundred or so in 100 000 conflicts, so models are checked only when they are complete.

use std::ffi::CStr;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf_graph::budget::Budget;
use hamcnf_graph::relabel::shuffle;
use hamcnf_sat::solve::{Cadical, SolveError, SolverStatus};
use rustsat::types::Lit;

use super::structure::Quotient;
use super::symmetry::{Automorphism, orbits};

/// Options of CaDiCaL: its stable mode alone, in which restarts are rare and follow Luby's sequence, with a short period
/// and without target phases.
const OPTIONS: [(&CStr, i32); 4] = [(c"lucky", 0), (c"stabilizeonly", 1), (c"reluctant", 100), (c"target", 0)];

/// Search for a cycle with one solver.
pub(super) struct Search<'q> {
    quotient: &'q Quotient,
    solver: Cadical<'q>,
    /// Indexed by way: the literal of the way.
    ways: Vec<Lit>,
    /// Indexed by link: the literal of the link.
    links: Vec<Lit>,
    /// Number of clauses (4), against cycles that miss a group.
    pub(super) closings: u64,
    /// True if a run has refuted the formula.
    pub(super) is_refuted: bool,
}

impl<'q> Search<'q> {
    /// Creates a search for a cycle that is invariant under `symmetry`, or for any cycle. The seed decides
    /// the order of the variables.
    pub(super) fn new(
        quotient: &'q Quotient,
        symmetry: Option<&Automorphism>,
        seed: u64,
        budget: &'q Budget,
    ) -> Result<Self, SolveError> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (ways, links) = match symmetry {
            Some(map) => (orbits(&map.ways), orbits(&map.links)),
            None => ((0..quotient.ways.len() as u32).collect(), (0..quotient.links.len() as u32).collect()),
        };
        let number = |orbits: &[u32]| orbits.iter().max().map_or(0, |last| last + 1);
        let (n_ways, n_links) = (number(&ways), number(&links));
        let mut variables: Vec<u32> = (0..n_ways + n_links).collect();
        shuffle(&mut variables, &mut random);
        let literal = |k: u32| Lit::positive(variables[k as usize]);
        let ways: Vec<Lit> = ways.iter().map(|&k| literal(k)).collect();
        let links: Vec<Lit> = links.iter().map(|&k| literal(n_ways + k)).collect();

        // Ends of ways, numbered in the order of their vertices.
        let ends = quotient.ends();
        let end = |v: u32| ends.partition_point(|&w| w < v);
        let mut ways_at = vec![Vec::new(); ends.len()];
        let mut links_at = vec![Vec::new(); ends.len()];
        for (way, &literal) in quotient.ways.iter().zip(&ways) {
            for v in [way.entry(), way.exit()] {
                ways_at[end(v)].push(literal);
            }
        }
        for (link, &literal) in quotient.links.iter().zip(&links) {
            for v in [link.exit, link.entry] {
                links_at[end(v)].push(literal);
            }
        }
        let seed = random.next_u32() % hamcnf_sat::solve::cadical::LAST_SEED;
        let mut solver = Cadical::new(seed, &OPTIONS, None, || budget.over().is_some())?;
        // 1.
        for group in &quotient.groups {
            let group: Vec<Lit> = group.iter().map(|&way| ways[way as usize]).collect();
            pairs(&group).try_for_each(|pair| solver.add(&pair))?;
            solver.add(&group)?;
        }
        for (ways, links) in ways_at.into_iter().zip(links_at) {
            // 2.
            pairs(&links).try_for_each(|pair| solver.add(&pair))?;
            // 3.
            links.iter().try_for_each(|&link| solver.add(&[&[!link], &*ways].concat()))?;
            ways.iter().try_for_each(|&way| solver.add(&[&[!way], &*links].concat()))?;
        }
        Ok(Self { quotient, solver, ways, links, closings: 0, is_refuted: false })
    }

    /// Searches until there is a result, for at most `most` conflicts. Returns the ways of a cycle through all groups, in
    /// order; `None` if there is none, or at a limit.
    pub(super) fn run(&mut self, most: u64) -> Result<Option<Vec<u32>>, SolveError> {
        let last = self.conflicts().saturating_add(most);
        loop {
            let left = last.saturating_sub(self.conflicts());
            match self.solver.solve(Some(left))? {
                SolverStatus::Unsatisfiable => {
                    self.is_refuted = true;
                    return Ok(None);
                }
                SolverStatus::Stopped => return Ok(None),
                SolverStatus::Satisfiable => {}
            }
            let mut cycles = self.cycles();
            if cycles.len() == 1 {
                return Ok(Some(cycles.swap_remove(0).into_iter().map(|(way, _)| way).collect()));
            }
            // 4.
            for cycle in cycles {
                let clause: Vec<Lit> = cycle.iter().map(|&(_, link)| !self.links[link as usize]).collect();
                self.solver.add(&clause)?;
                self.closings += 1;
            }
        }
    }

    /// Returns the number of conflicts so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.solver.counters().conflicts
    }

    /// Returns the cycles of a model. Each consists of ways in order, with the link that follows each way.
    fn cycles(&self) -> Vec<Vec<(u32, u32)>> {
        let quotient = self.quotient;
        let used = |literals: &[Lit]| -> Vec<u32> {
            (0..).zip(literals).filter(|&(_, &literal)| self.solver.value(literal)).map(|(k, _)| k).collect()
        };
        // Indexed by vertex: the way that begins there, and the link that leaves it.
        let mut begins = vec![None; quotient.n_vertices];
        for way in used(&self.ways) {
            begins[quotient.ways[way as usize].entry() as usize] = Some(way);
        }
        let mut leaves = vec![None; quotient.n_vertices];
        for link in used(&self.links) {
            leaves[quotient.links[link as usize].exit as usize] = Some(link);
        }
        let mut cycles = Vec::new();
        for first in 0..quotient.n_vertices {
            let (mut cycle, mut at) = (Vec::new(), first);
            while let Some(way) = begins[at].take() {
                let Some(link) = leaves[quotient.ways[way as usize].exit() as usize] else {
                    break;
                };
                cycle.push((way, link));
                at = quotient.links[link as usize].entry as usize;
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }
}

/// Returns the clauses which state that at most one of the literals is true. Two equal literals stand for different
/// ways or links, which cannot both be used, so the clauses make such a literal false.
fn pairs(literals: &[Lit]) -> impl Iterator<Item = [Lit; 2]> {
    let others = |k: usize| literals[k + 1..].iter();
    (literals.iter().enumerate()).flat_map(move |(k, &a)| others(k).map(move |&b| [!a, !b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::quotient::structure::tests::{random_groups, ring_of_groups, rotated_groups};
    use crate::quotient::symmetry::automorphisms;
    use chacha20::rand_core::Rng;
    use proptest::prelude::*;

    /// Returns the ways of each cycle of the quotient, in order from a way of the first group.
    fn brute_force(quotient: &Quotient) -> Vec<Vec<u32>> {
        fn extend(quotient: &Quotient, cycle: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
            let way = |k: u32| &quotient.ways[k as usize];
            let exit = way(cycle[cycle.len() - 1]).exit();
            for link in quotient.links.iter().filter(|link| link.exit == exit) {
                if cycle.len() == quotient.groups.len() && link.entry == way(cycle[0]).entry() {
                    found.push(cycle.clone());
                }
                for next in (0..quotient.ways.len() as u32).filter(|&k| way(k).entry() == link.entry) {
                    if cycle.iter().all(|&k| way(k).group != way(next).group) {
                        cycle.push(next);
                        extend(quotient, cycle, found);
                        cycle.pop();
                    }
                }
            }
        }
        let mut found = Vec::new();
        for &first in &quotient.groups[0] {
            extend(quotient, &mut vec![first], &mut found);
        }
        found
    }

    /// Searches with `symmetry`. The result must agree with the invariant cycles among all cycles of the quotient.
    fn compare(quotient: &Quotient, cycles: &[Vec<u32>], symmetry: Option<&Automorphism>, seed: u64) {
        let sorted = |ways: &mut dyn Iterator<Item = u32>| {
            let mut ways: Vec<u32> = ways.collect();
            ways.sort_unstable();
            ways
        };
        // The pairs of neighbours on a cycle, as sets.
        let links = |cycle: &[u32], image: &dyn Fn(u32) -> u32| {
            let following = cycle.iter().cycle().skip(1);
            let pairs = cycle.iter().zip(following).map(|(&a, &b)| (image(a), image(b)));
            let pairs = pairs.map(|(a, b)| (a.min(b), a.max(b)));
            pairs.collect::<BTreeSet<_>>()
        };
        let is_invariant = |cycle: &[u32]| {
            symmetry.is_none_or(|map| links(cycle, &|way| map.ways[way as usize]) == links(cycle, &|way| way))
        };
        let invariant: Vec<_> = (cycles.iter())
            .filter(|cycle| is_invariant(cycle))
            .map(|cycle| sorted(&mut cycle.iter().copied()))
            .collect();
        let budget = Budget::default();
        let mut search = Search::new(quotient, symmetry, seed, &budget).unwrap();
        match search.run(u64::MAX).unwrap() {
            Some(ways) => assert!(invariant.contains(&sorted(&mut ways.into_iter()))),
            None => assert!(search.is_refuted && invariant.is_empty(), "{invariant:?}"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn random_quotients_are_decided(seed in 0u32..1000, groups in 8u32..10, removed in 0usize..12) {
            let graph = random_groups(groups, seed);
            let mut quotient = Quotient::of(&graph, &Budget::default()).unwrap();
            shuffle(&mut quotient.links, &mut ChaCha8Rng::seed_from_u64(seed.into()));
            quotient.links.drain(..removed);
            compare(&quotient, &brute_force(&quotient), None, seed.into());
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
        let (mut seeds, mut with_cycles, mut refuted) = (0.., 0, 0);
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
                compare(&quotient, &cycles, Some(symmetry), seed.into());
            }
            match cycles.is_empty() {
                true => refuted += 1,
                false => with_cycles += 1,
            }
        }
        assert!(with_cycles.min(refuted) > graphs / 10, "{with_cycles} {refuted}");
    }

    #[test]
    fn random_rotated_quotients_are_decided() {
        rotated_quotients_are_decided(2000);
    }

    #[test]
    fn invariant_cycles_are_decided() {
        for groups in [9, 10] {
            let quotient = Quotient::of(&ring_of_groups(groups), &Budget::default()).unwrap();
            let cycles = brute_force(&quotient);
            let symmetries = automorphisms(&quotient, usize::MAX, &Budget::default());
            assert!(!symmetries.is_empty());
            for (seed, symmetry) in (0..).zip(&symmetries) {
                compare(&quotient, &cycles, Some(symmetry), seed);
            }
        }
    }
}
