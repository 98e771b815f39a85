//! Positions as the states of a linear-feedback shift register: the next position is a shift of the bits.
//!
//! A register of m bits ⟨x_m−1 … x_0⟩ with taps T steps to ⟨x_m−2 … x_0 f⟩, where f is the sum modulo 2 of the bits in
//! T. With the taps of a primitive polynomial the register cycles through all 2^m − 1 nonzero states; 0 steps to
//! itself. So position p is the p-th state L(p), with L(0) = 1, and m is the least number with 2^m − 1 ≥ N.
//!
//! - (Z) ⋁_k x_k for every vertex but the start: its state is not 0
//! - (6) H_si → P(i) = L(1)
//! - (7) H_is → P(i) = L(N − 1)
//! - (8) H_ij → y_k = x_k−1 for k ≥ 1, and y_0 = Σ_{t ∈ T} x_t: 2 clauses for each shifted bit; for the sum, 4 clauses
//!   with two taps, 16 with four
//!
//! A cycle that misses the start would have a length divisible by 2^m − 1 ≥ N.
//!
//! # Windows
//!
//! The order of the positions is not the numerical order of their states. So there is one clause of m literals for each
//! position outside a window, and for each position of the wrong parity if the parity is known.
//!
//! # Size
//!
//! With A arcs: A + (N−1)m variables; 2(m−1) + 4 (or 16) clauses for every arc between vertices other than the start,
//! with three and four (or six) literals.
//!
//! # References
//!
//! - Andrew Johnson: *Quasi-linear reduction of Hamiltonian Cycle Problem (HCP) to Satisfiability Problem (SAT)*,
//!   IPCOM000237123D, 2014.
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use rustsat::types::Lit;

use super::code::{self, Code, Words};
use super::word::differs;
use super::{PositionEncoding, Positions, WINDOW};
use crate::base::{Plan, Unfit};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, BitVars, Word};
use crate::cnf::window::Pruning;
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;

/// Clause family (Z): no position is the state 0.
pub const NOT_ZERO: Family = Family { label: "(Z)", says: "no vertex has the state that the register maps to itself" };

/// Positions as states of a shift register.
#[derive(Clone, Copy, Debug)]
pub struct Lfsr;

/// Exponents of a primitive polynomial of each degree m, in increasing order of m from 2. Each list includes m and
/// omits 0.
const TAPS: [&[u32]; 30] = [
    &[2, 1],
    &[3, 2],
    &[4, 3],
    &[5, 3],
    &[6, 5],
    &[7, 6],
    &[8, 6, 5, 4],
    &[9, 5],
    &[10, 7],
    &[11, 9],
    &[12, 11, 10, 4],
    &[13, 12, 11, 8],
    &[14, 13, 12, 2],
    &[15, 14],
    &[16, 15, 13, 4],
    &[17, 14],
    &[18, 11],
    &[19, 18, 17, 14],
    &[20, 17],
    &[21, 19],
    &[22, 21],
    &[23, 18],
    &[24, 23, 22, 17],
    &[25, 22],
    &[26, 6, 2, 1],
    &[27, 5, 2, 1],
    &[28, 25],
    &[29, 27],
    &[30, 6, 4, 1],
    &[31, 28],
];

/// A shift register of `m` bits.
#[derive(Clone, Copy, Debug)]
struct Register {
    m: u32,
    taps: &'static [u32],
}

impl Register {
    /// Returns the smallest register with at least `n` nonzero states and at least two bits.
    fn of(n: u32) -> Self {
        let m = (u64::from(n) + 1).next_power_of_two().ilog2().clamp(2, 31);
        let taps = TAPS[m as usize - 2];
        Self { m, taps }
    }

    fn period(self) -> u32 {
        (1 << self.m) - 1
    }

    fn next(self, state: u32) -> u32 {
        let sum = self.taps.iter().map(|t| state >> (t - 1)).sum::<u32>() & 1;
        (state << 1 | sum) & self.period()
    }

    /// Returns the states of positions 0 to n − 1.
    fn states(self, n: u32) -> Vec<u32> {
        let states = std::iter::successors(Some(1), |&state| Some(self.next(state)));
        states.take(n as usize).collect()
    }
}

impl PositionEncoding for Lfsr {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let register = Register::of(instance.n());
        let x = BitVars::of_length(instance, register.m, variables);
        code::positions(instance, plan, variables, x, States { register, states: register.states(instance.n()) })
    }
}

/// Code of the encoding [`Lfsr`].
#[derive(Debug)]
struct States {
    register: Register,
    /// States of the register, indexed by position.
    states: Vec<u32>,
}

impl Code for States {
    const LETTER: char = 'L';

    fn number(&self, p: u32) -> u32 {
        self.states[p as usize]
    }

    fn period(&self, _: u32) -> u64 {
        self.register.period().into()
    }

    fn define(&self, words: &Words, out: &mut dyn ClauseSink) {
        // (Z) ⋁_k x_k
        out.family(NOT_ZERO);
        for (_, x) in words.iter() {
            differs(x, 0, out);
        }
    }

    fn step(&self, h_ij: Lit, _: Vertex, x: Word, y: Word, out: &mut dyn ClauseSink) {
        // (8) H_ij → y_k = x_k−1
        for k in (1..self.register.m).rev() {
            let (yk, shifted) = (y.bit(k), x.bit(k - 1));
            out.clause(&[!h_ij, yk, !shifted]);
            out.clause(&[!h_ij, !yk, shifted]);
        }
        // (8) H_ij → y_0 = Σ_{t ∈ T} x_t: the number of true literals among the x_t and y_0 is even
        let mut of_sum: Vec<_> = self.register.taps.iter().map(|t| x.bit(t - 1)).collect();
        of_sum.push(y.bit(0));
        let mut clause = Vec::with_capacity(of_sum.len() + 1);
        for chosen in (0u32..1 << of_sum.len()).filter(|chosen| chosen.count_ones() % 2 == 1) {
            clause.clear();
            clause.push(!h_ij);
            let signs = (0..).zip(&of_sum);
            clause.extend(signs.map(|(k, &l)| if chosen >> k & 1 == 1 { !l } else { l }));
            out.clause(&clause);
        }
    }

    fn keep_in_windows(&self, words: &Words, out: &mut dyn ClauseSink) {
        // (W) P(i) ≠ L(p) for p outside the window of i
        if words.plan.pruning == Pruning::None && words.plan.odd.is_none() {
            return;
        }
        out.family(WINDOW);
        for (i, x) in words.iter() {
            for p in words.plan.window(i).outside(words.instance.n()) {
                differs(x, self.number(p), out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the state after `steps` steps from state 1, by repeated squaring: a step is a linear map, stored with
    /// one column per bit.
    fn after(register: Register, mut steps: u32) -> u32 {
        let times = |columns: &[u32], state: u32| {
            let chosen = columns.iter().enumerate().filter(|(k, _)| state >> k & 1 == 1);
            chosen.fold(0, |sum, (_, column)| sum ^ column)
        };
        let mut columns: Vec<u32> = (0..register.m).map(|k| register.next(1 << k)).collect();
        let mut state = 1;
        while steps > 0 {
            if steps & 1 == 1 {
                state = times(&columns, state);
            }
            columns = columns.iter().map(|&column| times(&columns, column)).collect();
            steps >>= 1;
        }
        state
    }

    /// Tests that the register visits all nonzero states: its period divides 2^m − 1, but not (2^m − 1)/q for any prime
    /// divisor q of 2^m − 1.
    #[test]
    fn registers_go_through_all_states() {
        for m in 2..=31 {
            let register = Register::of(((1u64 << m) - 1) as u32);
            assert_eq!((register.m, register.taps[0]), (m, m));
            let (period, mut rest) = (register.period(), register.period());
            assert_eq!(after(register, period), 1, "{m} bits");
            for prime in (2..).take_while(|p| p * p <= period) {
                if rest % prime == 0 {
                    assert_ne!(after(register, period / prime), 1, "{m} bits");
                    while rest % prime == 0 {
                        rest /= prime;
                    }
                }
            }
            assert!(rest == 1 || rest == period || after(register, period / rest) != 1);
            assert_eq!(after(register, 5), (0..5).fold(1, |state, _| register.next(state)));
        }
    }

    #[test]
    fn there_are_states_for_all_positions() {
        for n in 2..200 {
            let register = Register::of(n);
            let mut states = register.states(n);
            states.sort_unstable();
            states.dedup();
            assert_eq!(states.len(), n as usize);
            assert!(register.m == 2 || (1 << (register.m - 1)) - 1 < n);
        }
    }
}
