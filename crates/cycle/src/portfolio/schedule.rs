//! Order and lengths of the turns in which strategies run.
//!
//! Turns are measured in work and not in time, and their lengths grow from round to round. Therefore strategies that do
//! not help on a hard graph take only a share of the time. Each strategy declares its turns and the lengths of its
//! first turns: [`Strategy::opening`](super::Strategy::opening) and
//! [`Strategy::rounds`](super::Strategy::rounds).
//!
//! # References
//!
//! - Michael Luby, Alistair Sinclair, David Zuckerman: *Optimal Speedup of Las Vegas Algorithms*, Information
//!   Processing Letters 47, 1993: slices of increasing length.

use std::collections::HashSet;

use hamcnf_graph::Graph;

use super::strategy::{Rounds, Stage, Strategy, Turn};
use super::tuned;

/// Endless sequence of the turns of one thread on a graph.
pub(super) struct Schedule {
    thread: u32,
    seed: u32,
    /// Turns before the first round.
    opening: std::vec::IntoIter<Turn>,
    /// Strategies of each round, in order.
    strategies: Vec<(Strategy, Rounds)>,
    /// Strategies that have taken the first seed before the rounds.
    opened: HashSet<Strategy>,
    round: u32,
    next: u32,
}

impl Schedule {
    pub(super) fn new(graph: &Graph, thread: u32, seed: u32) -> Self {
        let mut strategies = Strategy::all();
        strategies.retain(|strategy| strategy.stage == Stage::Turns);
        let mut opening = Vec::new();
        let opens = |strategy: &&Strategy| thread == 0 || strategy.opens_every_thread;
        for &strategy in strategies.iter().filter(opens) {
            for turn in (strategy.opening)(graph) {
                let slice = turn.slice;
                let whole = Turn::whole(strategy, seed.wrapping_add(thread.wrapping_mul(1000)));
                opening.push((turn.place, Turn { slice, ..whole }));
            }
        }
        opening.sort_by_key(|&(place, _)| place);
        let opening: Vec<_> = opening.into_iter().map(|(_, turn)| turn).collect();
        let opened = opening.iter().map(|turn| turn.strategy).collect();
        let rounds = strategies.into_iter();
        let rounds = rounds.filter_map(|strategy| Some((strategy, (strategy.rounds)(graph)?)));
        let mut strategies: Vec<_> = rounds.collect();
        strategies.sort_by_key(|(_, rounds)| rounds.place);
        Self { thread, seed, opening: opening.into_iter(), strategies, opened, round: 0, next: 0 }
    }

    /// Returns the number of turns before the first round.
    pub(super) fn n_opening(&self) -> usize {
        self.opening.len()
    }

    /// Returns the strategies of each round, in order.
    pub(super) fn strategies(&self) -> Vec<Strategy> {
        let strategies = self.strategies.iter();
        strategies.map(|&(strategy, _)| strategy).collect()
    }
}

impl Iterator for Schedule {
    type Item = Turn;

    fn next(&mut self) -> Option<Turn> {
        if let Some(turn) = self.opening.next() {
            return Some(turn);
        }
        let n = u32::try_from(self.strategies.len()).ok()?;
        // Each thread begins with a different strategy.
        let next = self.next.wrapping_add(self.thread).checked_rem(n)?;
        let (strategy, rounds) = self.strategies[next as usize];
        let factor = tuned::GROWTH.saturating_pow(self.round);
        let of_round = match strategy.goes_on {
            true => 0,
            false => self.round + u32::from(self.opened.contains(&strategy)),
        };
        let seed = self.seed.wrapping_add(of_round).wrapping_add(self.thread.wrapping_mul(1000));
        let turn = Turn {
            slice: Some(rounds.slice.saturating_mul(factor)),
            variant: self.round.wrapping_add(self.thread),
            ..Turn::whole(strategy, seed)
        };
        self.next += 1;
        if self.next == n {
            self.next = 0;
            self.round = self.round.wrapping_add(1);
        }
        Some(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_turn_is_taken_twice() {
        for n in [10, 3000] {
            let graph = Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
            for thread in 0..2 {
                let turns: Vec<_> = Schedule::new(&graph, thread, 7).take(30).collect();
                for (k, turn) in turns.iter().enumerate() {
                    let is_same = |other: &&Turn| other.strategy == turn.strategy && other.slice == turn.slice;
                    let before = turns[..k].iter().filter(is_same);
                    assert!(before.clone().all(|other| turn.strategy.goes_on || other.seed != turn.seed), "{turn:?}");
                }
                let names: Vec<_> = turns.iter().map(|turn| turn.strategy.name).collect();
                let round = ["core", "local-search", "propagator", "lazy"];
                assert!(round.iter().all(|name| names.contains(name)));
                let strategies = Schedule::new(&graph, thread, 7).strategies();
                assert!(strategies.iter().map(|s| s.name).eq(round));
                let glance = Some(tuned::GLANCES_PER_ARC * u64::from(2 * n));
                assert_eq!(turns[0].slice == glance, thread == 0, "{turns:?}");
            }
        }
    }
}
