//! Formula whose models are covers, in a SAT solver.
//!
//! A variable w stands for each way and a variable l for each link. With a [covering](super::covering), all ways with the
//! same image have the same variable, and so have all links: every model is then lifted from the smaller quotient. The
//! clauses are:
//!
//! 1. For each group: exactly one of its ways is used.
//! 2. For each end of ways: at most one of its links is used.
//! 3. For each end of ways: a link is used if and only if one of the ways with this end is used.
//!
//! If the ways have two colours such that all links lead from ways of one colour to ways of the other, the ways of a cycle
//! alternate, so half of the ways of a cover have each colour. Clause learning cannot count, so the formula of a search has
//! a totalizer. Its variable s_ik, for a node i of a balanced tree whose leaves are the
//! groups, is true if and only if at least k of the used ways below the node have the first colour:
//!
//! 4. For each group: the variable of the leaf is true if the used way has the first colour, and else false.
//! 5. For each inner node with the children i and j, and all k, l: s_ik ∧ s_jl → s_(k + l), and
//!    ¬s_i(k + 1) ∧ ¬s_j(l + 1) → ¬s_(k + l + 1), with s_0 true and the variables beyond the sizes false.
//! 6. At the root: exactly half.
//!
//! # References
//!
//! - Olivier Bailleux, Yacine Boufkhad: *Efficient CNF Encoding of Boolean Cardinality Constraints*, CP 2003.

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

/// Maximum number of groups with a totalizer, whose size is quadratic.
const MOST_BALANCED: usize = 300;

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

    /// Adds the clauses 4 to 6 if the ways have two colours and there are few groups. Returns true if it adds them.
    pub(super) fn balance(&mut self, quotient: &Quotient) -> Result<bool, SolveError> {
        let Some(is_first) = quotient.colours().filter(|_| quotient.groups.len() <= MOST_BALANCED) else {
            return Ok(false);
        };
        let mut sums = Vec::with_capacity(quotient.groups.len());
        for group in &quotient.groups {
            let sum = self.fresh();
            // 4.
            for &way in group {
                let sum = if is_first[way as usize] { sum } else { !sum };
                self.solver.add(&[!self.ways[way as usize], sum])?;
            }
            sums.push(vec![sum]);
        }
        while sums.len() > 1 {
            let mut merged = Vec::with_capacity(sums.len().div_ceil(2));
            for pair in sums.chunks(2) {
                merged.push(match pair {
                    [a, b] => self.merge(a, b)?,
                    rest => rest.concat(),
                });
            }
            sums = merged;
        }
        // 6.
        let half = quotient.groups.len() / 2;
        match sums.first() {
            Some(sum) if sum.len() == 2 * half => {
                sum[..half].iter().try_for_each(|&literal| self.solver.add(&[literal]))?;
                sum[half..].iter().try_for_each(|&literal| self.solver.add(&[!literal]))?;
            }
            // An odd number has no half.
            _ => self.solver.add(&[])?,
        }
        Ok(true)
    }

    /// Returns the sorted literals of a node of the totalizer with these children.
    fn merge(&mut self, a: &[Lit], b: &[Lit]) -> Result<Vec<Lit>, SolveError> {
        let sum: Vec<Lit> = (0..a.len() + b.len()).map(|_| self.fresh()).collect();
        // 5.
        for k in 0..=a.len() {
            for l in 0..=b.len() {
                let least = k.checked_sub(1).map(|k| !a[k]).into_iter().chain(l.checked_sub(1).map(|l| !b[l]));
                if k + l > 0 {
                    let clause: Vec<Lit> = least.chain([sum[k + l - 1]]).collect();
                    self.solver.add(&clause)?;
                }
                let most = a.get(k).into_iter().chain(b.get(l)).copied();
                if k + l < sum.len() {
                    let clause: Vec<Lit> = most.chain([!sum[k + l]]).collect();
                    self.solver.add(&clause)?;
                }
            }
        }
        Ok(sum)
    }

    /// Returns a new variable.
    fn fresh(&mut self) -> Lit {
        self.n_vars += 1;
        Lit::positive(self.n_vars - 1)
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
