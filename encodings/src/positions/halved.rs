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

use rustsat::types::{Lit, Var};

use super::binary::{FIRST_MOVE, LAST_MOVE, MOVE};
use super::word::{bounds, equals_if, same_if, successor_if};
use super::{PositionEncoding, Positions, WINDOW, word_is};
use crate::base::{Plan, Unfit};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, BitVars, Term};
use crate::cnf::window::{Pruning, Window};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// Positions as binary numbers. On bipartite graphs, the lowest bit is known and has no variable.
#[derive(Clone, Copy, Debug)]
pub struct Halved;

impl PositionEncoding for Halved {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let parity = instance.odd();
        let known = u32::from(parity.is_some());
        let x = BitVars::without_lowest(instance, known, variables);
        variables.fits()?;
        Ok(Box::new(HalvedPositions { instance: instance.clone(), plan: plan.clone(), parity, x }))
    }
}

/// Positions of an instance in the encoding [`Halved`], with the variables X of the module documentation.
#[derive(Clone, Debug)]
struct HalvedPositions {
    instance: Instance,
    plan: Plan,
    /// Indexed by vertex: true if the position of the vertex is odd. `None` if the graph is not bipartite.
    parity: Option<Vec<bool>>,
    x: BitVars,
}

impl HalvedPositions {
    fn is_odd(&self, v: Vertex) -> Option<bool> {
        self.parity.as_ref().map(|parity| parity[v.index()])
    }

    /// Returns the number stored in the bits of a vertex at this position; `None` if the vertex cannot have the
    /// position.
    fn stored(&self, v: Vertex, position: u32) -> Option<u32> {
        match self.is_odd(v) {
            None => Some(position),
            Some(is_odd) => (is_odd == (position % 2 == 1)).then_some(position / 2),
        }
    }

    /// Returns the window of numbers that the bits of a vertex may store.
    fn stored_window(&self, v: Vertex) -> Window {
        let window = self.plan.window(v);
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

impl Positions for HalvedPositions {
    fn period(&self) -> u64 {
        1 << (self.x.m() + u32::from(self.parity.is_some()))
    }

    fn families(&self) -> [Family; 3] {
        [FIRST_MOVE, LAST_MOVE, MOVE]
    }

    /// Streams the clauses (6), H_si → P(i) = 1: if the tour goes from the start s to i, then i has position 1.
    fn first(&self, h_si: Lit, i: Vertex, out: &mut dyn ClauseSink) {
        if let (Some(x), Some(one)) = (self.x.word(i), self.stored(i, 1)) {
            equals_if(h_si, x, one, self.x.m(), out);
        }
    }

    /// Streams the clauses (7), H_is → P(i) = N − 1: if the tour goes from i to the start s, then i has the last
    /// position.
    fn last(&self, h_is: Lit, i: Vertex, out: &mut dyn ClauseSink) {
        match (self.x.word(i), self.stored(i, self.instance.n() - 1)) {
            (Some(x), Some(last)) => equals_if(h_is, x, last, self.x.m(), out),
            _ => out.clause(&[!h_is]),
        }
    }

    /// Streams the clauses (8), H_ij → P(j) = P(i) + 1: if the tour goes from i to j, then j has the next position
    /// after i.
    fn step(&self, h_ij: Lit, i: Vertex, j: Vertex, out: &mut dyn ClauseSink) {
        if let (Some(x), Some(y)) = (self.x.word(i), self.x.word(j)) {
            match self.is_odd(i) {
                Some(false) => same_if(h_ij, x, y, self.x.m(), out),
                Some(true) | None => successor_if(h_ij, x, y, self.x.m(), out),
            }
        }
    }

    fn keep_in_windows(&self, out: &mut dyn ClauseSink) {
        if self.plan.pruning == Pruning::None {
            return;
        }
        // (W) lo ≤ P(i) ≤ hi
        out.family(WINDOW);
        for i in self.instance.others() {
            if let Some(x) = self.x.word(i) {
                bounds(x, self.stored_window(i), self.x.m(), out);
            }
        }
    }

    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        Some(match self.stored(v, p) {
            Some(stored) => word_is(self.x.word(v), self.x.m(), p, stored),
            None => vec![Term::False],
        })
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let (i, k) = self.x.meaning(var)?;
        Some(format!("X({},{k})", instance.vertex_name(i)))
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        self.x.value(sequence, var)
    }
}
