//! Formula whose models are covers, in a SAT solver.
//!
//! A variable w stands for each way and a variable l for each link. With a [covering](super::covering), all ways with the
//! same image have the same variable, and so have all links: every model is then lifted from the smaller quotient. The
//! clauses are:
//!
//! 1. For each group: exactly one of its ways is used.
//! 2. For each end of ways: at most one of its links is used.
//! 3. For each end of ways: a link is used if and only if one of the ways with this end is used.

use std::ffi::CStr;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;
use hamcnf_graph::budget::Budget;
use hamcnf_graph::relabel::shuffle;
use hamcnf_sat::solve::{Cadical, SolveError};
use rustsat::types::Lit;

use super::cover::Cover;
use super::covering::Covering;
use super::structure::Quotient;

/// Solver with the formula, which accepts further clauses.
pub(super) struct Formula {
    pub(super) solver: Cadical<'static>,
    /// Indexed by way: the literal of the way.
    pub(super) ways: Vec<Lit>,
    /// Indexed by link: the literal of the link.
    pub(super) links: Vec<Lit>,
    /// Number of variables.
    pub(super) n_vars: u32,
}

impl Formula {
    /// Creates the formula for covers that `covering` lifts, or for all covers. The order of the variables is random.
    pub(super) fn new(
        quotient: &Quotient,
        covering: Option<&Covering>,
        random: &mut ChaCha8Rng,
        options: &[(&CStr, i32)],
        budget: &Budget,
    ) -> Result<Self, SolveError> {
        let Covering { ways, links } = covering.cloned().unwrap_or_else(|| Covering {
            ways: (0..quotient.ways.len() as u32).collect(),
            links: (0..quotient.links.len() as u32).collect(),
        });
        let number = |images: &[u32]| images.iter().max().map_or(0, |last| last + 1);
        let (n_ways, n_links) = (number(&ways), number(&links));
        let mut variables: Vec<u32> = (0..n_ways + n_links).collect();
        shuffle(&mut variables, random);
        let literal = |k: u32| Lit::positive(variables[k as usize]);
        let ways: Vec<Lit> = ways.iter().map(|&k| literal(k)).collect();
        let links: Vec<Lit> = links.iter().map(|&k| literal(n_ways + k)).collect();

        let mut ways_at = vec![Vec::new(); quotient.n_vertices];
        let mut links_at = vec![Vec::new(); quotient.n_vertices];
        for (way, &literal) in quotient.ways.iter().zip(&ways) {
            for v in [way.entry(), way.exit()] {
                ways_at[v as usize].push(literal);
            }
        }
        for (link, &literal) in quotient.links.iter().zip(&links) {
            for v in [link.exit, link.entry] {
                links_at[v as usize].push(literal);
            }
        }
        let seed = random.next_u32() % hamcnf_sat::solve::cadical::LAST_SEED;
        let budget = budget.clone();
        let mut solver = Cadical::new(seed, options, None, move || budget.over().is_some())?;
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
        Ok(Self { solver, ways, links, n_vars: n_ways + n_links })
    }

    /// Gives all ways random phases, from which those of the links follow.
    pub(super) fn randomize(&mut self, random: &mut ChaCha8Rng) -> Result<(), SolveError> {
        let mut bits = 1;
        for &literal in &self.ways {
            if bits == 1 {
                bits = random.next_u64() | 1 << 63;
            }
            self.solver.phase(if bits & 1 == 0 { literal } else { !literal })?;
            bits >>= 1;
        }
        Ok(())
    }

    /// Excludes all covers with the ways of this cover.
    pub(super) fn block(&mut self, cover: &Cover) -> Result<(), SolveError> {
        let clause: Vec<Lit> = cover.ways.iter().map(|&way| !self.ways[way as usize]).collect();
        self.solver.add(&clause)
    }

    /// Returns the number of conflicts so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.solver.counters().conflicts
    }

    /// Returns the cover of the last model.
    pub(super) fn cover(&self, quotient: &Quotient) -> Cover {
        let used = |literals: &[Lit]| -> Vec<u32> {
            (0..).zip(literals).filter(|&(_, &literal)| self.solver.value(literal)).map(|(k, _)| k).collect()
        };
        let mut cover = Cover { ways: vec![0; quotient.groups.len()], links: vec![0; quotient.groups.len()] };
        for way in used(&self.ways) {
            cover.ways[quotient.ways[way as usize].group as usize] = way;
        }
        for link in used(&self.links) {
            cover.links[quotient.leaves(link)] = link;
        }
        cover
    }
}

/// Returns the clauses which state that at most one of the literals is true. Two equal literals stand for different
/// ways or links, which cannot both be used, so the clauses make such a literal false.
fn pairs(literals: &[Lit]) -> impl Iterator<Item = [Lit; 2]> {
    let others = |k: usize| literals[k + 1..].iter();
    (literals.iter().enumerate()).flat_map(move |(k, &a)| others(k).map(move |&b| [!a, !b]))
}
