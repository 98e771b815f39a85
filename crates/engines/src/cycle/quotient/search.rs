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
//! A model is a set of directed cycles. If it has several cycles, each of them that visits at most half of the
//! groups gives two subtour-elimination constraints: some link leaves the groups of the cycle, and some link enters these groups.
//!
//! # Prefixes
//!
//! The solver is called under assumptions: the ways of a random path in the quotient. Without such a prefix, the solver
//! falls into the most regular models again and again. These consist of many equal cycles, and no small change makes
//! them one cycle. With a prefix, the rest is often refuted after a few hundred conflicts, and the models vary.
//!
//! The length of the prefixes adapts: it grows after a call that reached its limit, and shrinks after a refuted prefix,
//! such that one call in about [`REFUTED_PER_LIMIT`] reaches its limit. If the formula itself is easy to refute, the
//! length falls to 0, and the attempt ends.
//!
//! On graph 479 of the FHCP Challenge Set (84 groups), three of six seeds found a cycle within 6 s of CPU, and three did
//! not within 16 s. With 60 refuted prefixes per limit, four of six found a cycle within 16 s, three of them after 13 s.

use std::collections::HashSet;

use hamcnf_encodings::relabel::shuffle;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rustsat::types::Lit;

use super::structure::Quotient;
use super::symmetry::{Automorphism, orbits};
use crate::budget::Budget;
use crate::cycle::factor::below;
use crate::solve::cadical::UnderAssumptions;
use crate::solve::{Backend, Cadical, SolveError};

/// Maximum number of conflicts of a call of the solver.
const PER_CALL: u64 = 2_000;
/// Cost of a call in conflicts, in addition to its real conflicts, which may be zero.
const COST_OF_CALL: u64 = 50;
/// Number of ways in the first prefix, as a fraction of the number of groups.
const FIRST_PREFIX: f64 = 0.17;
/// Number of refuted prefixes for each call that reaches its limit, if the length of the prefixes stays the same.
const REFUTED_PER_LIMIT: f64 = 20.0;
/// Number of ways by which prefixes become longer after a call that reached its limit.
const STEP: f64 = 2.0;

/// End of an attempt.
pub(super) enum Ended {
    /// The ways of a cycle, in order.
    Cycle(Vec<u32>),
    /// The formula is unsatisfiable.
    Refuted,
    /// The attempt reached its limit.
    Limit,
}

/// Work done in an attempt.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) calls: u64,
    pub(super) models: u64,
    pub(super) cuts: u64,
    pub(super) conflicts: u64,
}

impl Work {
    /// Returns the work in conflicts.
    pub(super) fn cost(&self) -> u64 {
        self.conflicts + COST_OF_CALL * self.calls
    }
}

/// Attempt to find a cycle with one solver.
pub(super) struct Search<'q> {
    quotient: &'q Quotient,
    solver: Cadical<'q>,
    budget: &'q Budget,
    random: ChaCha8Rng,
    /// Indexed by way.
    ways: Vec<Lit>,
    /// Indexed by link.
    links: Vec<Lit>,
    /// Indexed by vertex of the graph: the ways that begin at this vertex.
    ways_from: Vec<Vec<u32>>,
    /// Indexed by vertex of the graph: the links from this exit.
    links_from: Vec<Vec<u32>>,
    /// Indexed by vertex of the graph: the group of the ways that begin or end at this vertex.
    group_of: Vec<u32>,
    /// Number of ways in the next prefix.
    length: f64,
    work: Work,
}

impl<'q> Search<'q> {
    /// Creates an attempt that looks for a cycle that is invariant under `symmetry`, or for any cycle. The seed decides
    /// the order of the variables, their first values and the prefixes.
    pub(super) fn new(
        quotient: &'q Quotient,
        symmetry: Option<&Automorphism>,
        seed: u64,
        budget: &'q Budget,
    ) -> Result<Self, SolveError> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (ways, links) = match symmetry {
            Some(map) => (orbits(&map.ways), orbits(&map.links)),
            None => (
                (0..quotient.ways.len() as u32).collect(),
                (0..quotient.links.len() as u32).collect(),
            ),
        };
        let number = |orbits: &[u32]| orbits.iter().max().map_or(0, |last| last + 1);
        let (n_ways, n_links) = (number(&ways), number(&links));
        let mut variables: Vec<u32> = (0..n_ways + n_links).collect();
        shuffle(&mut variables, &mut random);
        let literals: Vec<Lit> = (variables.into_iter())
            .map(|variable| Lit::new(variable, random.next_u32() & 1 == 1))
            .collect();
        let ways: Vec<Lit> = ways.iter().map(|&k| literals[k as usize]).collect();
        let links: Vec<Lit> = links
            .iter()
            .map(|&k| literals[(n_ways + k) as usize])
            .collect();

        let n = quotient.n_vertices;
        let mut ways_from = vec![Vec::new(); n];
        let mut links_from = vec![Vec::new(); n];
        let mut group_of = vec![0; n];
        let mut ways_at = vec![Vec::new(); n];
        let mut links_at = vec![Vec::new(); n];
        for (k, way) in (0u32..).zip(&quotient.ways) {
            ways_from[way.entry() as usize].push(k);
            for v in [way.entry(), way.exit()] {
                group_of[v as usize] = way.group;
                ways_at[v as usize].push(ways[k as usize]);
            }
        }
        for (k, link) in (0u32..).zip(&quotient.links) {
            links_from[link.exit as usize].push(k);
            for v in [link.exit, link.entry] {
                links_at[v as usize].push(links[k as usize]);
            }
        }
        // The solver's own seed has no effect in so short runs.
        let mut solver = Cadical::new(0, || budget.over().is_some())?;
        solver.reserve(n_ways + n_links)?;
        // Orbits repeat clauses and literals.
        let mut added = HashSet::new();
        let mut add = |mut clause: Vec<Lit>| {
            clause.sort_unstable();
            clause.dedup();
            match added.insert(clause.clone()) {
                true => solver.add(&clause),
                false => Ok(()),
            }
        };
        // 1.
        for group in &quotient.groups {
            let group: Vec<Lit> = group.iter().map(|&way| ways[way as usize]).collect();
            for pair in pairs(&group) {
                add(pair)?;
            }
            add(group)?;
        }
        for (ways, links) in ways_at.into_iter().zip(links_at) {
            // 2.
            for pair in pairs(&links) {
                add(pair)?;
            }
            // 3.
            for &link in &links {
                add([&[!link], &*ways].concat())?;
            }
            for &way in &ways {
                add([&[!way], &*links].concat())?;
            }
        }
        Ok(Self {
            quotient,
            solver,
            budget,
            random,
            ways,
            links,
            ways_from,
            links_from,
            group_of,
            length: FIRST_PREFIX * quotient.groups.len() as f64,
            work: Work::default(),
        })
    }

    /// Returns the work done so far.
    pub(super) fn work(&self) -> Work {
        self.work
    }

    /// Searches until there is a result, or until the work costs `most` conflicts.
    pub(super) fn run(&mut self, most: u64) -> Result<Ended, SolveError> {
        while self.work.cost() < most && self.budget.over().is_none() {
            let prefix = self.prefix();
            let left = PER_CALL.min(most - self.work.cost());
            let ended = self.solver.solve_under(&prefix, u32::try_from(left).ok())?;
            self.work.calls += 1;
            self.work.conflicts = self.solver.counters().conflicts;
            match ended {
                UnderAssumptions::Core(core) if core.is_empty() => return Ok(Ended::Refuted),
                UnderAssumptions::Core(_) => {
                    self.length = (self.length - STEP / REFUTED_PER_LIMIT).max(0.0);
                }
                UnderAssumptions::Stopped => self.length += STEP,
                UnderAssumptions::Model => {
                    self.work.models += 1;
                    let mut cycles = self.cycles()?;
                    if cycles.len() == 1 {
                        return Ok(Ended::Cycle(cycles.swap_remove(0)));
                    }
                    self.cut(&cycles)?;
                }
            }
        }
        Ok(Ended::Limit)
    }

    /// Returns the literals of the ways of a random path in the quotient.
    fn prefix(&mut self) -> Vec<Lit> {
        let length = self.length as usize;
        let mut seen = HashSet::new();
        let mut prefix = Vec::with_capacity(length);
        let mut way = below(&mut self.random, self.ways.len()) as u32;
        // Images of a group under the automorphism have the same literals.
        while prefix.len() < length && seen.insert(self.quotient.ways[way as usize].group) {
            prefix.push(self.ways[way as usize]);
            let exit = self.quotient.ways[way as usize].exit();
            let Some(&link) = any(&self.links_from[exit as usize], &mut self.random) else {
                break;
            };
            let entry = self.quotient.links[link as usize].entry;
            match any(&self.ways_from[entry as usize], &mut self.random) {
                Some(&next) => way = next,
                None => break,
            }
        }
        prefix
    }

    /// Returns the cycles of the last model, each as its ways in order.
    fn cycles(&self) -> Result<Vec<Vec<u32>>, SolveError> {
        let mut used = Vec::with_capacity(self.quotient.groups.len());
        for group in &self.quotient.groups {
            for &way in group {
                if self.solver.value(self.ways[way as usize])? == Some(true) {
                    used.push(way);
                }
            }
        }
        let mut begins = vec![None; self.quotient.n_vertices];
        for &way in &used {
            begins[self.quotient.ways[way as usize].entry() as usize] = Some(way);
        }
        let mut next = vec![None; self.quotient.n_vertices];
        for (link, &literal) in self.quotient.links.iter().zip(&self.links) {
            if self.solver.value(literal)? == Some(true) {
                next[link.exit as usize] = begins[link.entry as usize];
            }
        }
        let mut seen = vec![false; self.quotient.ways.len()];
        let mut cycles = Vec::new();
        for &first in &used {
            let mut cycle = Vec::new();
            let mut way = Some(first);
            while let Some(k) = way.filter(|&k| !seen[k as usize]) {
                seen[k as usize] = true;
                cycle.push(k);
                way = next[self.quotient.ways[k as usize].exit() as usize];
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        Ok(cycles)
    }

    /// Adds the subtour-elimination constraints of the cycles of a model.
    fn cut(&mut self, cycles: &[Vec<u32>]) -> Result<(), SolveError> {
        for cycle in cycles {
            // The links of a cycle through more than half of the groups also leave or enter the other cycles.
            if 2 * cycle.len() > self.quotient.groups.len() {
                continue;
            }
            let mut is_inside = vec![false; self.quotient.groups.len()];
            for &way in cycle {
                is_inside[self.quotient.ways[way as usize].group as usize] = true;
            }
            let (mut leaving, mut entering) = (Vec::new(), Vec::new());
            for (link, &literal) in self.quotient.links.iter().zip(&self.links) {
                let inside =
                    [link.exit, link.entry].map(|v| is_inside[self.group_of[v as usize] as usize]);
                match inside {
                    [true, false] => leaving.push(literal),
                    [false, true] => entering.push(literal),
                    _ => {}
                }
            }
            for mut cut in [leaving, entering] {
                cut.sort_unstable();
                cut.dedup();
                self.solver.add(&cut)?;
                self.work.cuts += 1;
            }
        }
        Ok(())
    }
}

/// Returns the clauses that at most one of the literals is true. Equal literals stand for different things, so they are
/// false.
fn pairs(literals: &[Lit]) -> impl Iterator<Item = Vec<Lit>> {
    let others = |k: usize| literals[k + 1..].iter();
    (literals.iter().enumerate()).flat_map(move |(k, &a)| others(k).map(move |&b| vec![!a, !b]))
}

/// Returns a random element; `None` if there are none.
fn any<'s, T>(things: &'s [T], random: &mut ChaCha8Rng) -> Option<&'s T> {
    match things.len() {
        0 => None,
        n => Some(&things[below(random, n)]),
    }
}
