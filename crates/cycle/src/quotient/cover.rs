//! Covers: a way through each group, joined by links to directed cycles.
//!
//! If some exits and entries of a cover are joined by further links of the quotient, the links may be exchanged along an
//! alternating cycle of used and other links: a *switch*. The ways stay the same, and cycles are joined or split.
//!
//! # Parity
//!
//! A switch of k links composes the permutation of the groups with a cycle of length k. If k is odd, the number of
//! cycles stays odd or even (R. A. Rankin: *A campanological problem in group theory*, Mathematical Proceedings of the
//! Cambridge Philosophical Society 44, 1948). In quotients in which all alternating cycles have six links, three of which
//! are used, a cover with an even number of cycles therefore never becomes a single cycle by switches.

use chacha20::ChaCha8Rng;

use super::structure::Quotient;
use crate::below;

/// Cover of all groups by directed cycles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cover {
    /// Indexed by group: the way through the group.
    pub(super) ways: Vec<u32>,
    /// Indexed by group: the link by which the cycle leaves the group.
    pub(super) links: Vec<u32>,
}

/// Links that replace those of the same groups in a cover.
type Switch = Vec<(usize, u32)>;

impl Cover {
    /// Returns the cycles. Each consists of groups in order.
    pub(super) fn cycles(&self, quotient: &Quotient) -> Vec<Vec<u32>> {
        let mut cycles: Vec<Vec<u32>> = Vec::new();
        self.each_group(quotient, &mut Vec::new(), |group, is_first| match cycles.last_mut() {
            Some(cycle) if !is_first => cycle.push(group as u32),
            _ => cycles.push(vec![group as u32]),
        });
        cycles
    }

    /// Returns the number of cycles. `seen` is memory to use.
    fn n_cycles(&self, quotient: &Quotient, seen: &mut Vec<bool>) -> usize {
        let mut cycles = 0;
        self.each_group(quotient, seen, |_, is_first| cycles += usize::from(is_first));
        cycles
    }

    /// Visits the groups cycle by cycle, and says which of them is the first of its cycle.
    fn each_group(&self, quotient: &Quotient, seen: &mut Vec<bool>, mut visit: impl FnMut(usize, bool)) {
        seen.clear();
        seen.resize(self.ways.len(), false);
        for first in 0..self.ways.len() {
            let mut at = first;
            while !std::mem::replace(&mut seen[at], true) {
                visit(at, at == first);
                at = quotient.enters(self.links[at]);
            }
        }
    }

    /// Makes random switches as long as the number of cycles does not increase, at most `TRIES` for each known switch.
    /// `leaving` are the [links that leave each way](Quotient::leaving). Returns the number of cycles.
    pub(super) fn join(&mut self, quotient: &Quotient, leaving: &[Vec<u32>], random: &mut ChaCha8Rng) -> usize {
        const TRIES: usize = 10;
        let mut seen = Vec::new();
        let mut cycles = self.n_cycles(quotient, &mut seen);
        let mut switches = self.switches(quotient, leaving);
        for _ in 0..TRIES * switches.len() {
            if cycles == 1 {
                break;
            }
            let k = below(random, switches.len());
            let switch = &mut switches[k];
            self.exchange(switch);
            let after = self.n_cycles(quotient, &mut seen);
            if after <= cycles {
                cycles = after;
            } else {
                self.exchange(switch);
            }
        }
        cycles
    }

    /// Exchanges the links of the cover with those of the switch.
    fn exchange(&mut self, switch: &mut Switch) {
        for (group, link) in switch {
            std::mem::swap(&mut self.links[*group], link);
        }
    }

    /// Returns disjoint switches of the cover.
    fn switches(&self, quotient: &Quotient, leaving: &[Vec<u32>]) -> Vec<Switch> {
        let mut is_entered = vec![false; quotient.n_vertices];
        for &way in &self.ways {
            is_entered[quotient.ways[way as usize].entry() as usize] = true;
        }
        // Indexed by group: the group whose link enters it, and another link of the group's exit to a used entry.
        let mut before = vec![0; self.ways.len()];
        let mut other = vec![None; self.ways.len()];
        for (group, &way) in self.ways.iter().enumerate() {
            let link = self.links[group];
            before[quotient.enters(link)] = group;
            let is_other = |&k: &u32| k != link && is_entered[quotient.links[k as usize].entry as usize];
            other[group] = leaving[way as usize].iter().copied().find(is_other);
        }
        let mut switches = Vec::new();
        let mut seen = vec![usize::MAX; self.ways.len()];
        for first in 0..self.ways.len() {
            let mut at = first;
            while seen[at] == usize::MAX {
                seen[at] = first;
                let Some(link) = other[at] else { break };
                at = before[quotient.enters(link)];
            }
            if seen[at] == first && other[at].is_some() {
                let (last, mut switch) = (at, Vec::new());
                while let Some(link) = other[at] {
                    switch.push((at, link));
                    at = before[quotient.enters(link)];
                    if at == last {
                        break;
                    }
                }
                switches.push(switch);
            }
        }
        switches
    }
}
