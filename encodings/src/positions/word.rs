//! Arithmetic on positions as binary numbers, in clauses. x and y are words of m bits ⟨x_m−1 … x_0⟩. Most clauses hold
//! under a condition, the literal H.
//!
//! y = x + 1 modulo 2^m, in 2 + 4 + 6(m − 2) clauses (Zhou 2020):
//!
//! - y_0 = ¬x_0: 2 clauses
//! - x_0 → (y_1 = ¬x_1) and ¬x_0 → (y_1 = x_1): 4 clauses
//! - for k ≥ 2 the carry into bit k is x_k−1 ∧ ¬y_k−1 (bit k−1 went from 1 to 0): with it y_k = ¬x_k,
//!   without it y_k = x_k: 6 clauses
//!
//! The adder in blocks has minimal formulas for the bits of each block. (Zhou 2020 uses Espresso. Here a smallest set
//! of prime implicates covers the block's falsifying assignments.) There are 5 clauses for the lowest two bits. For a
//! block of b bits above others there are 5b + 1 clauses. If the bits of the block are numbered from 0, and c = x_−1 ∧
//! ¬y_−1 is the carry into bit 0, these clauses are:
//!
//! - x_i−1 ∨ (y_i = x_i) and ¬y_i−1 ∨ (y_i = x_i) for every i < b: no carry, no change
//! - ¬c ∨ y_0 ∨ … ∨ y_i−1 ∨ ¬x_i ∨ ¬y_i for every i < b: a carry that reaches a one makes it a zero
//! - ¬c ∨ y_0 ∨ … ∨ y_b−2 ∨ x_b−1 ∨ y_b−1: a carry that reaches the last bit finds a one or makes it one
//!
//! x ≥ lo iff for every k with lo_k = 1: x_k ∨ ⋁ {x_l : l > k, lo_l = 0}; x ≤ hi dually. Each bound takes at most m
//! clauses.
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use std::ops::Range;

use rustsat::types::Lit;

use crate::cnf::sink::ClauseSink;
use crate::cnf::vars::Word;
use crate::cnf::window::Window;

/// Streams the clauses of H → x = value: one clause for each bit, from the highest bit to the lowest.
pub fn equals_if(h: Lit, x: Word, value: u32, out: &mut dyn ClauseSink) {
    x.is(value).for_each(|l| out.clause(&[!h, l]));
}

/// Streams the clauses of H → y = x.
pub fn same_if(h: Lit, x: Word, y: Word, out: &mut dyn ClauseSink) {
    for k in (0..x.m()).rev() {
        let (xk, yk) = (x.bit(k), y.bit(k));
        out.clause(&[!h, yk, !xk]);
        out.clause(&[!h, !yk, xk]);
    }
}

/// Streams the clauses of H → y = x + 1 modulo 2^m.
pub fn successor_if(h: Lit, x: Word, y: Word, out: &mut dyn ClauseSink) {
    let (not_h, m) = (!h, x.m());
    if m == 0 {
        return;
    }
    // y_0 = ¬x_0
    let (x0, y0) = (x.bit(0), y.bit(0));
    out.clause(&[not_h, x0, y0]);
    out.clause(&[not_h, !x0, !y0]);
    if m < 2 {
        return;
    }
    // x_0 → (y_1 = ¬x_1), ¬x_0 → (y_1 = x_1)
    let (x1, y1) = (x.bit(1), y.bit(1));
    out.clause(&[not_h, !x0, y1, x1]);
    out.clause(&[not_h, !x0, !y1, !x1]);
    out.clause(&[not_h, x0, y1, !x1]);
    out.clause(&[not_h, x0, !y1, x1]);
    // (x_k−1 ∧ ¬y_k−1) → (y_k = ¬x_k), ¬(x_k−1 ∧ ¬y_k−1) → (y_k = x_k)
    for k in 2..m {
        let (x_low, y_low) = (x.bit(k - 1), y.bit(k - 1));
        let (xk, yk) = (x.bit(k), y.bit(k));
        out.clause(&[not_h, !x_low, y_low, yk, xk]);
        out.clause(&[not_h, !x_low, y_low, !yk, !xk]);
        out.clause(&[not_h, x_low, yk, !xk]);
        out.clause(&[not_h, x_low, !yk, xk]);
        out.clause(&[not_h, !y_low, yk, !xk]);
        out.clause(&[not_h, !y_low, !yk, xk]);
    }
}

/// Streams the clauses of H → y = x + 1 modulo 2^m, in blocks of bits. The blocks are the two lowest bits, then pairs
/// of bits, and the top four bits, or the top three if m is odd.
pub fn successor_in_blocks_if(h: Lit, x: Word, y: Word, out: &mut dyn ClauseSink) {
    let m = x.m();
    if m < 2 {
        return successor_if(h, x, y, out);
    }
    let ([x0, x1], [y0, y1]) = ([x.bit(0), x.bit(1)], [y.bit(0), y.bit(1)]);
    out.clause(&[!h, x0, y0]);
    out.clause(&[!h, !x0, x1, y1]);
    out.clause(&[!h, !x0, !x1, !y1]);
    out.clause(&[!h, !y0, !x1, y1]);
    out.clause(&[!h, !y0, x1, !y1]);
    let mut low = 2;
    while low < m {
        let rest = m - low;
        let bits = if rest <= 4 { rest } else { 2 };
        carried_block_if(h, x, y, low..low + bits, out);
        low += bits;
    }
}

/// Streams the clauses of H → y = x + 1 for one block of bits that is not the lowest.
fn carried_block_if(h: Lit, x: Word, y: Word, bits: Range<u32>, out: &mut dyn ClauseSink) {
    for k in bits.clone() {
        let ((x_low, y_low), (xk, yk)) = ((x.bit(k - 1), y.bit(k - 1)), (x.bit(k), y.bit(k)));
        out.clause(&[!h, x_low, !xk, yk]);
        out.clause(&[!h, x_low, xk, !yk]);
        out.clause(&[!h, !y_low, !xk, yk]);
        out.clause(&[!h, !y_low, xk, !yk]);
    }
    let below = bits.start - 1;
    let mut carried = vec![!h, !x.bit(below), y.bit(below)];
    let last = bits.end - 1;
    for k in bits {
        let (xk, yk) = (x.bit(k), y.bit(k));
        carried.extend([!xk, !yk]);
        out.clause(&carried);
        carried.truncate(carried.len() - 2);
        if k == last {
            carried.extend([xk, yk]);
            out.clause(&carried);
        }
        carried.push(yk);
    }
}

/// Streams x ≠ value as one clause.
pub fn differs(x: Word, value: u32, out: &mut dyn ClauseSink) {
    out.clause(&x.is(value).map(|l| !l).collect::<Vec<_>>());
}

/// Streams the clauses of d ↔ x ⊕ y.
pub fn differ_iff(d: Lit, x: Lit, y: Lit, out: &mut dyn ClauseSink) {
    out.clause(&[!d, x, y]);
    out.clause(&[!d, !x, !y]);
    out.clause(&[d, x, !y]);
    out.clause(&[d, !x, y]);
}

/// Streams bounds that restrict x to the interval of a window; streams the empty clause if the window is empty.
pub fn bounds(x: Word, window: Window, out: &mut dyn ClauseSink) {
    if window.width() == 0 {
        out.clause(&[]);
        return;
    }
    let m = x.m();
    let bit = |value: u32, k: u32| value >> k & 1 == 1;
    for k in (0..m).filter(|&k| bit(window.lo, k)) {
        let above = (k + 1..m).filter(|&l| !bit(window.lo, l)).map(|l| x.bit(l));
        out.clause(&above.chain([x.bit(k)]).collect::<Vec<_>>());
    }
    for k in (0..m).filter(|&k| !bit(window.hi, k)) {
        let above = (k + 1..m).filter(|&l| bit(window.hi, l)).map(|l| !x.bit(l));
        out.clause(&above.chain([!x.bit(k)]).collect::<Vec<_>>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::vars::{Allocator, BitVars};
    use hamcnf_graph::graph::Graph;
    use hamcnf_graph::graph::Vertex;
    use hamcnf_tours::instance::{Instance, TourKind};
    use rustsat::instances::Cnf;

    /// Returns the assignments of `n` variables that satisfy the clauses.
    fn models(cnf: &Cnf, n: u32) -> impl Iterator<Item = u32> {
        let holds = |model: u32, l: &Lit| (model >> l.vidx() & 1 == 1) == l.is_pos();
        (0..1u32 << n).filter(move |&m| cnf.iter().all(|c| c.iter().any(|l| holds(m, l))))
    }

    /// Returns two words of m bits, for vertices 1 and 2 of a graph with 2^m vertices.
    fn words(m: u32) -> (Word, Word) {
        let graph = Graph::from_edges(1 << m, []).unwrap();
        let (start, kind) = (Vertex::new(0), TourKind::Open);
        let instance = Instance::on_graph("empty", graph, kind, start).unwrap();
        let p = BitVars::new(&instance, &mut Allocator::default());
        assert_eq!(p.m(), m);
        let word = |v| p.word(Vertex::new(v)).unwrap();
        (word(1), word(2))
    }

    fn value(x: Word, m: u32, model: u32) -> u32 {
        (0..m).map(|k| (model >> x.bit(k).vidx() & 1) << k).sum()
    }

    #[test]
    fn the_adder_adds_one() {
        for m in 1..=4 {
            let (x, y) = words(m);
            let h = Lit::positive(2 * m);
            let mut cnf = Cnf::new();
            successor_if(h, x, y, &mut cnf);
            let expected = [0, 2, 6, 12, 18][m as usize];
            assert_eq!(cnf.len(), expected, "2 + 4 + 6(m - 2) clauses");
            let (mut under_h, mut free) = (0, 0);
            for model in models(&cnf, 2 * m + 1) {
                if model >> h.vidx() & 1 == 1 {
                    under_h += 1;
                    assert_eq!(value(y, m, model), (value(x, m, model) + 1) % (1 << m));
                } else {
                    free += 1;
                }
            }
            assert_eq!((under_h, free), (1 << m, 1 << (2 * m)));
        }
    }

    #[test]
    fn blocks_add_one_too() {
        let clauses = [0, 2, 5, 5 + 6, 5 + 11, 5 + 16, 5 + 21, 5 + 11 + 16, 5 + 11 + 21];
        for m in 1..=8 {
            let (x, y) = words(m);
            let h = Lit::positive(2 * m);
            let mut cnf = Cnf::new();
            successor_in_blocks_if(h, x, y, &mut cnf);
            assert_eq!(cnf.len(), clauses[m as usize], "{m}");
            let under_h = models(&cnf, 2 * m + 1).filter(|model| model >> h.vidx() & 1 == 1);
            let sums: Vec<_> = under_h.map(|b| (value(x, m, b), value(y, m, b))).collect();
            assert_eq!(sums.len(), 1 << m);
            assert!(sums.iter().all(|(x, y)| *y == (x + 1) % (1 << m)));
            assert_eq!(models(&cnf, 2 * m + 1).count(), (1 << m) + (1 << (2 * m)));
        }
    }

    #[test]
    fn a_copy_is_the_same() {
        for m in 1..=4 {
            let (x, y) = words(m);
            let h = Lit::positive(2 * m);
            let mut cnf = Cnf::new();
            same_if(h, x, y, &mut cnf);
            assert_eq!(cnf.len(), 2 * m as usize);
            let under_h = models(&cnf, 2 * m + 1).filter(|model| model >> h.vidx() & 1 == 1);
            let values: Vec<_> = under_h.map(|b| (value(x, m, b), value(y, m, b))).collect();
            assert_eq!(values.len(), 1 << m);
            assert!(values.iter().all(|(x, y)| x == y));
        }
    }

    #[test]
    fn bounds_leave_the_window() {
        let m = 4;
        let (x, _) = words(m);
        for lo in 0..16 {
            for hi in 0..16 {
                let mut cnf = Cnf::new();
                bounds(x, Window::new(lo, hi), &mut cnf);
                let left: Vec<_> = models(&cnf, m).map(|model| value(x, m, model)).collect();
                let mut left = left;
                left.sort_unstable();
                assert_eq!(left, (lo..=hi).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn one_value_is_excluded() {
        let (x, _) = words(3);
        for value_out in 0..8 {
            let mut cnf = Cnf::new();
            differs(x, value_out, &mut cnf);
            let left: Vec<_> = models(&cnf, 3).map(|model| value(x, 3, model)).collect();
            assert_eq!((left.len(), left.contains(&value_out)), (7, false));
        }
    }
}
