//! Positions as binary numbers without the lowest bit, which bipartite graphs determine.
//!
//! Let m = ⌈log₂ N⌉. On a bipartite graph the lowest bit of a position is known: it is the distance from the start s,
//! modulo 2. So the position is P = 2Q + c, where c is the known bit and Q has m − 1 bits. An arc from a vertex with c
//! = 0 copies Q; an arc from a vertex with c = 1 adds 1 to Q:
//!
//! - (6) H_si → Q(i) = 0
//! - (7) H_is → Q(i) = ⌊(N − 1)/2⌋ if c(i) is N − 1 modulo 2, else ¬H_is
//! - (8) H_ij → Q(j) = Q(i) + c(i)
//!
//! A cycle of length L that misses s would add 1 to Q in total L/2 times. Since Q is counted modulo 2^(m−1) ≥ N/2, the
//! number L/2 would be a multiple of 2^(m−1), so L would be at least N. On graphs that are not bipartite, the encoding
//! is the same as [`binary`](super::binary).
//!
//! # Size
//!
//! The sizes are those of [`binary`](super::binary) with m − 1 instead of m; (8) has 2(m − 1) clauses for every arc
//! that copies Q.
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use rustsat::types::Lit;

use super::code::{self, Code, Words};
use super::word::{bounds, same_if, successor_if};
use super::{PositionEncoding, Positions, WINDOW};
use crate::base::{Plan, Unfit};
use crate::cnf::sink::ClauseSink;
use crate::cnf::vars::{Allocator, BitVars, Word};
use crate::cnf::window::{Pruning, Window};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;

/// Positions as binary numbers. On bipartite graphs, the lowest bit is known and has no variable.
#[derive(Clone, Copy, Debug)]
pub struct Halved;

impl PositionEncoding for Halved {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let parity = instance.odd();
        let x = BitVars::without_lowest(instance, u32::from(parity.is_some()), variables);
        code::positions(instance, plan, variables, x, Halves { parity })
    }
}

/// Code of the encoding [`Halved`].
#[derive(Debug)]
struct Halves {
    /// Indexed by vertex: true if the position of the vertex is odd. `None` if the graph is not bipartite.
    parity: Option<Vec<bool>>,
}

impl Halves {
    fn is_odd(&self, v: Vertex) -> Option<bool> {
        self.parity.as_ref().map(|parity| parity[v.index()])
    }

    /// Returns the window of numbers that the word of a vertex may store.
    fn stored_window(&self, v: Vertex, window: Window) -> Window {
        let Some(odd) = self.is_odd(v) else {
            return window;
        };
        let fitting = window.of_parity(odd);
        match fitting.width() {
            0 => Window::EMPTY,
            _ => Window::new(fitting.lo / 2, fitting.hi / 2),
        }
    }
}

impl Code for Halves {
    fn stored(&self, v: Vertex, p: u32) -> Option<u32> {
        match self.is_odd(v) {
            None => Some(p),
            Some(is_odd) => (is_odd == (p % 2 == 1)).then_some(p / 2),
        }
    }

    fn period(&self, m: u32) -> u64 {
        1 << (m + u32::from(self.parity.is_some()))
    }

    /// Streams the clauses (8), H_ij → Q(j) = Q(i) + c(i).
    fn step(&self, h_ij: Lit, i: Vertex, x: Word, y: Word, out: &mut dyn ClauseSink) {
        match self.is_odd(i) {
            Some(false) => same_if(h_ij, x, y, out),
            Some(true) | None => successor_if(h_ij, x, y, out),
        }
    }

    fn keep_in_windows(&self, words: &Words, out: &mut dyn ClauseSink) {
        if words.plan.pruning == Pruning::None {
            return;
        }
        // (W) lo ≤ P(i) ≤ hi
        out.family(WINDOW);
        for (i, x) in words.iter() {
            bounds(x, self.stored_window(i, words.plan.window(i)), out);
        }
    }
}
