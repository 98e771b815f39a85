//! Positions as words of bits: every vertex but the start has a word of variables, and a [`Code`] says which bits stand
//! for a position.

use std::fmt;

use rustsat::types::{Lit, Var};

use super::word::{bounds, differs, equals_if};
use super::{PARITY, Positions, WINDOW};
use crate::base::{Plan, Unfit};
use crate::cnf::exactly_one::Cardinality;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, BitVars, Term, Word};
use crate::cnf::window::Pruning;
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// Clause family (6): the position after the first move.
pub const FIRST_MOVE: Family = Family { label: "(6)", says: "the start's successor has position 1" };
/// Clause family (7): the position before the last move.
pub const LAST_MOVE: Family = Family { label: "(7)", says: "the start's predecessor has position N-1" };
/// Clause family (8): positions increase by one along arcs.
pub const MOVE: Family = Family { label: "(8)", says: "a successor has the next position" };

/// Assignment of bits to positions.
pub trait Code: fmt::Debug + Send + Sync + 'static {
    /// Letter before the names of the bit variables.
    const LETTER: char = 'X';

    /// Returns the number whose bits stand for position `p`.
    fn number(&self, p: u32) -> u32 {
        p
    }

    /// Returns the number that the word of `v` stores at position `p`; `None` if `v` cannot have the position.
    fn stored(&self, _v: Vertex, p: u32) -> Option<u32> {
        Some(self.number(p))
    }

    /// Returns the number of steps after which the bits repeat. A word has `m` bits.
    fn period(&self, m: u32) -> u64 {
        1 << m
    }

    /// Streams the clauses that do not depend on arcs.
    fn define(&self, _words: &Words, _out: &mut dyn ClauseSink) {}

    /// Streams the clauses of H → P(w) = P(v) + 1, where `x` and `y` are the words of v and w.
    fn step(&self, h: Lit, v: Vertex, x: Word, y: Word, out: &mut dyn ClauseSink);

    /// Streams clauses that exclude positions outside the windows.
    fn keep_in_windows(&self, _words: &Words, _out: &mut dyn ClauseSink) {}

    /// Returns the letter, the vertex and the index of a variable that is no bit of a word, if the code has the
    /// variable.
    fn auxiliary(&self, _var: Var) -> Option<(char, Vertex, u32)> {
        None
    }

    /// Returns the value of the auxiliary variable with this letter and index at a vertex with position `p`.
    fn auxiliary_value(&self, _letter: char, _k: u32, _p: u32) -> bool {
        false
    }
}

/// Words of the vertices, and the windows of their positions.
#[derive(Debug)]
pub struct Words {
    /// Instance of the formula.
    pub instance: Instance,
    /// Windows and parities of the positions.
    pub plan: Plan,
    x: BitVars,
}

impl Words {
    /// Returns all vertices but the start, each with its word.
    pub fn iter(&self) -> impl Iterator<Item = (Vertex, Word)> + '_ {
        let others = self.instance.others();
        others.filter_map(|v| Some((v, self.x.word(v)?)))
    }

    /// Streams the clauses that restrict binary numbers to their windows. If parities are known, also streams a unit
    /// clause for the lowest bit of each number.
    pub(super) fn keep_numbers_in_windows(&self, out: &mut dyn ClauseSink) {
        // (P) x_0 is known
        if let Some(odd) = &self.plan.odd {
            out.family(PARITY);
            for (i, x) in self.iter() {
                out.clause(&[x.bit_is(0, u32::from(odd[i.index()]))]);
            }
        }
        // (W) lo ≤ P(i) ≤ hi
        if self.plan.pruning == Pruning::None {
            return;
        }
        out.family(WINDOW);
        for (i, x) in self.iter() {
            let window = self.plan.window(i);
            if self.plan.pruning == Pruning::Full {
                bounds(x, window, out);
                continue;
            }
            // (P) excludes the positions of the other parity.
            let fits = |p: &u32| window.step == 1 || p % 2 == window.lo % 2;
            for value in window.outside(self.instance.n()).filter(fits) {
                differs(x, value, out);
            }
        }
    }
}

/// Returns the positions of an instance in a code. All variables have been numbered; `x` has those of the words.
///
/// # Errors
///
/// [`Unfit`] if there are too many variables.
pub fn positions<C: Code>(
    instance: &Instance,
    plan: &Plan,
    variables: &Allocator,
    x: BitVars,
    code: C,
) -> Result<Box<dyn Positions>, Unfit> {
    variables.fits()?;
    let words = Words { instance: instance.clone(), plan: plan.clone(), x };
    Ok(Box::new(CodePositions { words, code }))
}

/// Positions of an instance as words of bits in a code.
#[derive(Debug)]
struct CodePositions<C> {
    words: Words,
    code: C,
}

impl<C: Code> CodePositions<C> {
    /// Streams the clauses of H → P(v) = p.
    fn is_at(&self, h: Lit, v: Vertex, p: u32, out: &mut dyn ClauseSink) {
        match (self.words.x.word(v), self.code.stored(v, p)) {
            (Some(x), Some(number)) => equals_if(h, x, number, out),
            _ => out.clause(&[!h]),
        }
    }
}

impl<C: Code> Positions for CodePositions<C> {
    fn period(&self) -> u64 {
        self.code.period(self.words.x.m())
    }

    fn define(&self, _: &mut Cardinality, out: &mut dyn ClauseSink) {
        self.code.define(&self.words, out);
    }

    fn families(&self) -> [Family; 3] {
        [FIRST_MOVE, LAST_MOVE, MOVE]
    }

    fn first(&self, h_si: Lit, i: Vertex, out: &mut dyn ClauseSink) {
        self.is_at(h_si, i, 1, out);
    }

    fn last(&self, h_is: Lit, i: Vertex, out: &mut dyn ClauseSink) {
        self.is_at(h_is, i, self.words.instance.n() - 1, out);
    }

    fn step(&self, h_ij: Lit, i: Vertex, j: Vertex, out: &mut dyn ClauseSink) {
        if let (Some(x), Some(y)) = (self.words.x.word(i), self.words.x.word(j)) {
            self.code.step(h_ij, i, x, y, out);
        }
    }

    fn keep_in_windows(&self, out: &mut dyn ClauseSink) {
        self.code.keep_in_windows(&self.words, out);
    }

    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        Some(match (self.words.x.word(v), self.code.stored(v, p)) {
            (Some(x), Some(number)) => x.is(number).map(Term::Lit).collect(),
            (None, _) if p == 0 => Vec::new(),
            _ => vec![Term::False],
        })
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let bit = self.words.x.meaning(var).map(|(v, k)| (C::LETTER, v, k));
        let (letter, v, k) = bit.or_else(|| self.code.auxiliary(var))?;
        Some(format!("{letter}({},{k})", instance.vertex_name(v)))
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        if let Some((v, k)) = self.words.x.meaning(var) {
            return Some(self.code.number(sequence.position(v)) >> k & 1 == 1);
        }
        let (letter, v, k) = self.code.auxiliary(var)?;
        Some(self.code.auxiliary_value(letter, k, sequence.position(v)))
    }
}
