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
//! The ways and links of a model form directed cycles. The theory [`Circuit`] prevents cycles that miss a group, so a
//! model is a single cycle.

use hamcnf_graph::relabel::shuffle;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rustsat::types::Lit;

use super::cdcl::{Ended, Solver};
use super::circuit::{Circuit, Edge};
use super::structure::Quotient;
use super::symmetry::{Automorphism, orbits};
use hamcnf_graph::budget::Budget;

/// Search for a cycle with one solver.
pub(super) struct Search<'q> {
    quotient: &'q Quotient,
    solver: Solver<Circuit>,
    /// Indexed by way: the literal of the way.
    ways: Vec<Lit>,
    /// Indexed by link: the literal of the link.
    links: Vec<Lit>,
}

impl<'q> Search<'q> {
    /// Creates a search for a cycle that is invariant under `symmetry`, or for any cycle. The seed decides
    /// the order of the variables and their first values.
    pub(super) fn new(quotient: &'q Quotient, symmetry: Option<&Automorphism>, seed: u64) -> Self {
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
        let end = |v: u32| ends.partition_point(|&w| w < v) as u32;
        let way_edges = (quotient.ways.iter().zip(&ways))
            .map(|(way, &literal)| Edge { ends: [end(way.entry()), end(way.exit())], literal });
        let link_edges = (quotient.links.iter().zip(&links))
            .map(|(link, &literal)| Edge { ends: [end(link.exit), end(link.entry)], literal });
        let mut ways_at = vec![Vec::new(); ends.len()];
        let mut links_at = vec![Vec::new(); ends.len()];
        for edge in way_edges.clone() {
            for end in edge.ends {
                ways_at[end as usize].push(edge.literal);
            }
        }
        for edge in link_edges.clone() {
            for end in edge.ends {
                links_at[end as usize].push(edge.literal);
            }
        }
        let circuit = Circuit::new(way_edges.chain(link_edges).collect(), ends.len(), quotient.groups.len());
        let mut solver = Solver::new(variables.len(), circuit, &mut random);
        // 1.
        for group in &quotient.groups {
            let group: Vec<Lit> = group.iter().map(|&way| ways[way as usize]).collect();
            for pair in pairs(&group) {
                solver.add(pair);
            }
            solver.add(group);
        }
        for (ways, links) in ways_at.into_iter().zip(links_at) {
            // 2.
            for pair in pairs(&links) {
                solver.add(pair);
            }
            // 3.
            for &link in &links {
                solver.add([&[!link], &*ways].concat());
            }
            for &way in &ways {
                solver.add([&[!way], &*links].concat());
            }
        }
        Self { quotient, solver, ways, links }
    }

    /// Searches until there is a result, for at most `most` conflicts.
    pub(super) fn run(&mut self, most: u64, budget: &Budget) -> Ended {
        self.solver.run(most, || budget.over().is_some())
    }

    /// True if a run has refuted the formula.
    pub(super) fn is_refuted(&self) -> bool {
        self.solver.is_refuted()
    }

    /// Returns the number of conflicts so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.solver.conflicts()
    }

    /// Returns the number of clauses against cycles that miss a group, so far.
    pub(super) fn closings(&self) -> u64 {
        self.solver.theory().closings()
    }

    /// Returns the ways of the cycle of a model, in order.
    pub(super) fn cycle(&self) -> Vec<u32> {
        let is_true = |literal: Lit| self.solver.values().is_true(literal);
        let quotient = self.quotient;
        let mut begins = vec![None; quotient.n_vertices];
        let used = (0u32..).zip(&quotient.ways).zip(&self.ways);
        for ((k, way), _) in used.filter(|&(_, &literal)| is_true(literal)) {
            begins[way.entry() as usize] = Some(k);
        }
        let mut next = vec![None; quotient.n_vertices];
        let used = quotient.links.iter().zip(&self.links);
        for (link, _) in used.filter(|&(_, &literal)| is_true(literal)) {
            next[link.exit as usize] = begins[link.entry as usize];
        }
        let mut cycle: Vec<u32> = Vec::with_capacity(quotient.groups.len());
        let mut way = begins.iter().copied().flatten().next();
        while let Some(k) = way.filter(|k| cycle.first() != Some(k)) {
            if cycle.len() > quotient.groups.len() {
                break;
            }
            cycle.push(k);
            way = next[quotient.ways[k as usize].exit() as usize];
        }
        cycle
    }
}

/// Returns the clauses which state that at most one of the literals is true. Two equal literals stand for different
/// ways or links, which cannot both be used, so the clauses make such a literal false.
fn pairs(literals: &[Lit]) -> impl Iterator<Item = Vec<Lit>> {
    let others = |k: usize| literals[k + 1..].iter();
    (literals.iter().enumerate()).flat_map(move |(k, &a)| others(k).map(move |&b| vec![!a, !b]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::quotient::structure::tests::{random_groups, ring_of_groups, rotated_groups};
    use crate::quotient::symmetry::automorphisms;
    use proptest::prelude::*;
    use rand_chacha::rand_core::RngCore;

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
        let mut search = Search::new(quotient, symmetry, seed);
        match search.run(u64::MAX, &Budget::default()) {
            Ended::Model => {
                let mut ways = search.cycle().into_iter();
                assert!(invariant.contains(&sorted(&mut ways)));
            }
            Ended::Refuted => assert!(invariant.is_empty(), "{invariant:?}"),
            Ended::Limit => panic!("there is no limit"),
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
