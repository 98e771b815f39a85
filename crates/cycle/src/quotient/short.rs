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
use super::cycles::Cycles;
use super::formula::Formula;
use super::structure::Quotient;

/// Maximum number of ways of a short cycle.
const LONGEST: usize = 24;
/// Maximum number of conflicts for each cover.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::quotient::structure::tests::random_groups;
    use chacha20::rand_core::SeedableRng;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(50))]

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
