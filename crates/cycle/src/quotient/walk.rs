//! Walk from cover to cover, until a cover is a single cycle.
//!
//! A step takes a known cover, keeps the ways through some groups, and asks the solver for another cover: large
//! neighbourhood search. The groups whose ways may change, the *free* groups, are mostly a ball around a random group. The
//! cycles of a new cover are joined by [switches](super::cover) as far as possible.
//!
//! Every cover found is excluded. So there is soon nothing more near a known cover, and the solver needs only a few
//! conflicts to prove that. The share of free groups begins at 60 % for every cover, and grows by 5 % whenever there is
//! nothing more, until the cover is set aside. Steps begin at covers with the smallest share.
//!
//! Most steps begin at a cover with an odd number of cycles, since switches seldom change the [parity](super::cover), and
//! among these at one with few cycles.
//!
//! The walk begins again at new [covers by short cycles](super::short) after 1000, 2000, 4000, ... steps, since the times
//! of successful walks are spread like independent tries.
//!
//! # Measurements
//!
//! Graph 788 of the FHCP Challenge Set has 140 groups. All of its covers by short cycles have an even number of cycles.
//! With twelve seeds, walks took 2.1 s of CPU on average, and 5.1 s at most.
//!
//! - Steps from even covers take 0.5 ms each. Two of three find a new cover, and one in 2000 an odd one. From odd covers,
//!   half of the new covers are odd. About one in 230 odd covers is a single cycle.
//! - With a random share of 55, 65, 75 or 85 % in each step, a walk took 48 s: most steps began at the few covers with the
//!   fewest cycles, near which there was nothing more.
//! - With jumps of 85 or 90 % from random covers, instead of steps from even ones, four of ten seeds took more than 20 s:
//!   such a step takes 15 to 40 ms, and is no more likely to change the parity.
//! - With balls only, the median is the same, but one of ten seeds took more than 20 s.
//!
//! # References
//!
//! - Paul Shaw: *Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems*, CP 1998 (large
//!   neighbourhood search).
//! - Pierre Hansen, Nenad Mladenović: *Variable neighborhood search: Principles and applications*, European Journal of
//!   Operational Research 130, 2001 (neighbourhoods that grow).

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::SeedableRng;
use hamcnf_graph::budget::Budget;
use hamcnf_graph::relabel::shuffle;
use hamcnf_sat::solve::{SolveError, SolverStatus};
use rustsat::types::Lit;

use super::QuotientStatistics;
use super::cover::Cover;
use super::formula::Formula;
use super::short;
use super::structure::Quotient;
use crate::below;

/// Options of CaDiCaL for many short searches: without its stable mode, and without inprocessing between searches. With
/// both, twelve walks took twice as long.
const OPTIONS: [(&CStr, i32); 4] = [(c"lucky", 0), (c"stabilize", 0), (c"inprobing", 0), (c"elim", 0)];
/// Maximum number of conflicts of a step.
const MOST_CONFLICTS: u64 = 500;
/// Maximum number of conflicts of a step without a known cover.
const FOR_ANY: u64 = 10_000;
/// Number of conflicts that take the solver as long as the other work of a step.
const STEP: u64 = 15;
/// Percentage of the groups that are free in the first step from a cover.
const FIRST_SHARE: usize = 60;
/// Growth of the percentage after a step in which the solver proves that there is no further cover.
const MORE: usize = 5;
/// Greatest percentages for covers with an even and an odd number of cycles.
const MOST_SHARE: [usize; 2] = [75, 80];
/// Percentage of the steps whose free groups are random groups instead of a ball.
const RANDOM: usize = 30;
/// Percentage of the steps that begin at a cover with an odd number of cycles, if there is one.
const ODD: usize = 95;
/// Percentage of the steps that begin at the lowest level, and of the others that begin at the next level, and so on.
const LOWEST: usize = 65;
/// Number of bytes that a known cover takes for each group, with the clause that excludes it.
const BYTES_PER_GROUP: u64 = 16;
/// Share of the memory, as its divisor, that known covers may take. With more, the walk begins again.
const SHARE_OF_MEMORY: u64 = 4;
/// Number of steps until the walk begins again for the first time.
const FIRST_PERIOD: u64 = 1000;

/// State of a walk.
pub(super) struct Walk {
    quotient: Arc<Quotient>,
    budget: Budget,
    formula: Formula,
    random: ChaCha8Rng,
    /// Indexed by way: the links that leave it.
    leaving: Vec<Vec<u32>>,
    /// Indexed by group: the groups that links join to it.
    near: Vec<Vec<u32>>,
    /// Known covers with an even and an odd number of cycles, by the percentage of free groups in the next step from the
    /// cover, and the number of cycles.
    known: [BTreeMap<(usize, usize), Vec<Cover>>; 2],
    single: Option<Cover>,
    /// Number of covers that have been found since the last begin.
    n_covers: u64,
    /// Number of steps until the walk begins again, and the number from the beginning.
    left: u64,
    period: u64,
    /// True if no cover exists.
    pub(super) is_over: bool,
}

/// Place of a known cover.
#[derive(Clone, Copy)]
struct Place {
    share: usize,
    cycles: usize,
    index: usize,
}

impl Walk {
    pub(super) fn new(quotient: &Arc<Quotient>, seed: u64, budget: &Budget) -> Result<Self, SolveError> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let formula = Formula::new(quotient, None, &mut random, &OPTIONS, budget)?;
        let mut near = vec![Vec::new(); quotient.groups.len()];
        for link in 0..quotient.links.len() as u32 {
            let [from, to] = [quotient.leaves(link), quotient.enters(link)];
            near[from].push(to as u32);
            near[to].push(from as u32);
        }
        for near in &mut near {
            near.sort_unstable();
            near.dedup();
        }
        Ok(Self {
            leaving: quotient.leaving(),
            quotient: Arc::clone(quotient),
            budget: budget.clone(),
            formula,
            random,
            near,
            known: Default::default(),
            single: None,
            n_covers: 0,
            left: 0,
            period: FIRST_PERIOD,
            is_over: false,
        })
    }

    /// Walks until a cover is a single cycle, for about as long as the solver takes for `most` conflicts. Returns this
    /// cover; `None` if there is none, or at a limit.
    pub(super) fn run(&mut self, most: u64, statistics: &mut QuotientStatistics) -> Result<Option<Cover>, SolveError> {
        let mut work = 0;
        while self.single.is_none() && work < most && !self.is_over && self.budget.over().is_none() {
            let before = statistics.conflicts;
            if self.left == 0 {
                self.begin(statistics)?;
            } else {
                self.step(statistics)?;
            }
            work += statistics.conflicts - before + STEP;
        }
        Ok(self.single.clone())
    }

    /// Begins again at new covers.
    fn begin(&mut self, statistics: &mut QuotientStatistics) -> Result<(), SolveError> {
        self.known = Default::default();
        self.n_covers = 0;
        self.left = self.period;
        self.period = self.period.saturating_mul(2);
        self.formula = Formula::new(&self.quotient, None, &mut self.random, &OPTIONS, &self.budget)?;
        let covers = short::covers(&self.quotient, &self.leaving, &mut self.random, &self.budget, statistics)?;
        covers.into_iter().try_for_each(|cover| self.keep(cover, statistics))
    }

    /// Searches for a cover near a known one; for any cover if all known ones have been set aside.
    fn step(&mut self, statistics: &mut QuotientStatistics) -> Result<(), SolveError> {
        self.left -= 1;
        let place = self.choose();
        let kept = place.map_or_else(Vec::new, |place| self.kept(place));
        self.formula.randomize(&mut self.random)?;
        let before = self.formula.conflicts();
        let most = if place.is_some() { MOST_CONFLICTS } else { FOR_ANY };
        let (status, _) = self.formula.solver.solve_under(&kept, Some(most))?;
        statistics.steps += 1;
        statistics.conflicts += self.formula.conflicts() - before;
        match (status, place) {
            (SolverStatus::Satisfiable, _) => {
                let cover = self.formula.cover(&self.quotient);
                self.keep(cover, statistics)?;
            }
            (SolverStatus::Unsatisfiable, Some(Place { share, cycles, index })) => {
                let known = &mut self.known[cycles % 2];
                if let Some(covers) = known.get_mut(&(share, cycles)) {
                    let cover = covers.swap_remove(index);
                    if share + MORE <= MOST_SHARE[cycles % 2] {
                        known.entry((share + MORE, cycles)).or_default().push(cover);
                    }
                }
                known.retain(|_, covers| !covers.is_empty());
            }
            (SolverStatus::Stopped, Some(_)) => {}
            (_, None) => {
                self.is_over = status == SolverStatus::Unsatisfiable && self.n_covers == 0;
                self.left = 0;
            }
        }
        Ok(())
    }

    /// Joins the cycles of a new cover, and keeps it.
    fn keep(&mut self, mut cover: Cover, statistics: &mut QuotientStatistics) -> Result<(), SolveError> {
        self.formula.block(&cover)?;
        let cycles = cover.join(&self.quotient, &self.leaving, &mut self.random);
        self.n_covers += 1;
        let bytes = self.n_covers * BYTES_PER_GROUP * cover.ways.len() as u64;
        if self.budget.memory().is_some_and(|most| bytes > most / SHARE_OF_MEMORY) {
            self.left = 0;
        }
        statistics.covers += 1;
        statistics.odd_covers += cycles as u64 % 2;
        statistics.fewest_cycles =
            Some(statistics.fewest_cycles.map_or(cycles as u64, |least| least.min(cycles as u64)));
        if cycles == 1 {
            self.single = Some(cover.clone());
        }
        self.known[cycles % 2].entry((FIRST_SHARE, cycles)).or_default().push(cover);
        Ok(())
    }

    /// Chooses a known cover at random, among those with the smallest share of free groups.
    fn choose(&mut self) -> Option<Place> {
        let random = &mut self.random;
        let [even, odd] = &self.known;
        let known = match even.is_empty() || !odd.is_empty() && below(random, 100) < ODD {
            true => odd,
            false => even,
        };
        let &(share, lowest) = known.keys().next()?;
        let mut levels: Vec<usize> =
            known.range((share, lowest)..(share + 1, 0)).map(|(&(_, cycles), _)| cycles).collect();
        let highest = levels.pop()?;
        let lower = levels.into_iter().find(|_| below(random, 100) < LOWEST);
        let cycles = lower.unwrap_or(highest);
        Some(Place { share, cycles, index: below(random, known[&(share, cycles)].len()) })
    }

    /// Chooses the free groups of a step. Returns the literals of the known cover's ways through the other groups.
    fn kept(&mut self, Place { share, cycles, index }: Place) -> Vec<Lit> {
        let (random, cover) = (&mut self.random, &self.known[cycles % 2][&(share, cycles)][index]);
        let n = self.quotient.groups.len();
        let size = n * share / 100;
        let mut order: Vec<u32> = (0..n as u32).collect();
        shuffle(&mut order, random);
        if below(random, 100) >= RANDOM {
            // Breadth-first search, from group to group.
            let mut is_reached = vec![false; n];
            let mut ball = Vec::with_capacity(n);
            for first in order {
                if !std::mem::replace(&mut is_reached[first as usize], true) {
                    ball.push(first);
                }
                let mut next = ball.len() - 1;
                while ball.len() < size && next < ball.len() {
                    let mut near = self.near[ball[next] as usize].clone();
                    shuffle(&mut near, random);
                    near.retain(|&group| !std::mem::replace(&mut is_reached[group as usize], true));
                    ball.append(&mut near);
                    next += 1;
                }
                if ball.len() >= size {
                    break;
                }
            }
            order = ball;
        }
        let mut is_free = vec![false; n];
        for &group in &order[..size] {
            is_free[group as usize] = true;
        }
        let kept = cover.ways.iter().zip(is_free).filter(|(_, is_free)| !is_free);
        kept.map(|(&way, _)| self.formula.ways[way as usize]).collect()
    }
}
