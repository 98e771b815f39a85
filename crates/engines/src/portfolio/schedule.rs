//! Whose turn it is, and for how long.
//!
//! Turns are measured in what is done and not in time, and each round gives every part a longer one. A hard graph loses no
//! more than a share of the time to the parts that are no good for it.
//!
//! # References
//!
//! - Michael Luby, Alistair Sinclair, David Zuckerman: *Optimal Speedup of Las Vegas Algorithms*, Information Processing
//!   Letters 47, 1993, for slices.

use std::fmt;

use hamcnf_encodings::Graph;

use super::{Part, tuned};

/// One part's turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Which.
    pub part: Part,
    /// Its seed.
    pub seed: u32,
    /// How much it may do; `None` for as much as it takes.
    pub slice: Option<Slice>,
    /// Selects settings that are varied from turn to turn: the round and the thread.
    pub variant: u32,
}

/// How much a part may do in one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slice {
    /// Literals that the propagator is told of.
    Literals(u64),
    /// Conflicts.
    Conflicts(u64),
    /// Edges that a local search looks at.
    Looks(u64),
    /// States of tables, as they are estimated before.
    States(u64),
}

/// The turns of one thread on a graph, in order, without an end.
pub(super) struct Schedule {
    thread: u32,
    seed: u32,
    /// Those before the rounds.
    opening: std::vec::IntoIter<Turn>,
    /// What local search has in the first round.
    first_looks: u64,
    round: u32,
    next: u32,
}

impl Schedule {
    /// The parts of each round, in their order.
    pub(super) const ROUND: [Part; 4] = [Part::Core, Part::Local, Part::Propagator, Part::Lazy];

    pub(super) fn new(graph: &Graph, thread: u32, seed: u32) -> Self {
        let turn = |part, slice| Turn {
            slice,
            ..Turn::whole(part, seed)
        };
        let arcs = u64::from(graph.n_arcs());
        let first_looks = tuned::FIRST_LOOKS.min(tuned::LOOKS_PER_ARC * arcs);
        // Of most graphs that nobody made to be hard a tour is found by looking a little.
        let glance = turn(
            Part::Local,
            Some(Slice::Looks(tuned::GLANCES_PER_ARC * arcs)),
        );
        let opening = match thread {
            // Small graphs may be easy though they are wide.
            0 if graph.n_edges() <= tuned::FEW_EDGES => vec![
                glance,
                turn(Part::Decomposition, Some(Slice::States(tuned::FEW_STATES))),
                turn(Part::Local, Some(Slice::Looks(first_looks))),
                turn(Part::Lazy, Some(Slice::Conflicts(tuned::FEW_CONFLICTS))),
                turn(Part::Decomposition, None),
            ],
            0 => vec![glance, turn(Part::Decomposition, None)],
            _ => Vec::new(),
        };
        Self {
            thread,
            seed,
            opening: opening.into_iter(),
            first_looks,
            round: 0,
            next: 0,
        }
    }
}

impl Iterator for Schedule {
    type Item = Turn;

    fn next(&mut self) -> Option<Turn> {
        if let Some(turn) = self.opening.next() {
            return Some(turn);
        }
        // Other threads begin with another part.
        let part = Self::ROUND[((self.next + self.thread) % 4) as usize];
        let factor = tuned::GROWTH.saturating_pow(self.round);
        // What had a turn in the opening has another seed now.
        let again = u32::from(matches!(part, Part::Local | Part::Lazy));
        let seed = self
            .seed
            .wrapping_add(self.round + again)
            .wrapping_add(self.thread.wrapping_mul(1000));
        let slice = match part {
            Part::Core => Slice::Literals(tuned::FIRST_LITERALS[0].saturating_mul(factor)),
            Part::Propagator => Slice::Literals(tuned::FIRST_LITERALS[1].saturating_mul(factor)),
            Part::Local => Slice::Looks(self.first_looks.saturating_mul(factor)),
            _ => Slice::Conflicts(tuned::FIRST_CONFLICTS.saturating_mul(factor)),
        };
        let turn = Turn {
            slice: Some(slice),
            variant: self.round.wrapping_add(self.thread),
            ..Turn::whole(part, seed)
        };
        self.next += 1;
        if self.next == 4 {
            self.next = 0;
            self.round = self.round.wrapping_add(1);
        }
        Some(turn)
    }
}

impl Turn {
    /// For as much as it takes.
    pub(super) fn whole(part: Part, seed: u32) -> Self {
        Self {
            part,
            seed: seed % 2_000_000_001,
            slice: None,
            variant: 0,
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.part)?;
        match self.slice {
            None => Ok(()),
            Some(Slice::Literals(n)) => write!(f, ", {n} literals, seed {}", self.seed),
            Some(Slice::Conflicts(n)) => write!(f, ", {n} conflicts, seed {}", self.seed),
            Some(Slice::States(n)) => write!(f, ", up to {n} states"),
            Some(Slice::Looks(n)) => write!(f, ", {n} looks, seed {}", self.seed),
        }
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
                    let is_same =
                        |other: &&Turn| other.part == turn.part && other.slice == turn.slice;
                    let before = turns[..k].iter().filter(is_same);
                    assert!(
                        before.clone().all(|other| other.seed != turn.seed),
                        "{turn:?}"
                    );
                }
                let parts: Vec<_> = turns.iter().map(|turn| turn.part).collect();
                assert!(Schedule::ROUND.iter().all(|part| parts.contains(part)));
                let glance = Some(Slice::Looks(tuned::GLANCES_PER_ARC * u64::from(2 * n)));
                assert_eq!(turns[0].slice == glance, thread == 0, "{turns:?}");
            }
        }
    }
}
