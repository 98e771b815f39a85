//! Upper bound on a weighted sum of literals, as a network of adders: Σ w_i x_i ≤ k with w_i > 0.
//!
//! Each binary digit of each weight is a literal of the digit's power of two. A full adder replaces three literals a, b
//! and c of one power by their sum s, of the same power, and their carry t, of the next power; a half adder replaces two.
//! At the end, each power has at most one literal, and these literals are the digits of the sum. The literals of the sum
//! determine all new variables, so the clauses keep the number of models:
//!
//! ```text
//! (1)  t ↔ at least two of a, b, c                                 full adder, carry
//! (2)  s ↔ a ⊕ b ⊕ c                                               full adder, sum
//! (3)  t ↔ a ∧ b                                                   half adder, carry
//! (4)  s ↔ a ⊕ b                                                   half adder, sum
//! (5)  ¬s_i ∨ ⋁ { ¬s_j : j > i, k_j = 1 }   for each i with k_i = 0   bound
//! ```
//!
//! The size is linear in the number of binary digits of the weights. Unit propagation does not find all consequences of
//! the bound.
//!
//! # References
//!
//! - Joost P. Warners: *A linear-time transformation of linear inequalities into conjunctive normal form*, Information
//!   Processing Letters 1998.
//! - Niklas Eén, Niklas Sörensson: *Translating Pseudo-Boolean Constraints into SAT*, JSAT 2006, section 5.3.
//!
//! # Differences from the paper
//!
//! None. The adders of rustsat's `BinaryAdder` depend on the order of a hash map, so the clauses would differ between runs.

use std::collections::VecDeque;

use rustsat::types::Lit;

use super::sink::{ClauseSink, Family};

const ADDERS: Family = Family { label: "(cost)", says: "adders of the weights" };
const BOUND: Family = Family { label: "(max-cost)", says: "the sum of the weights is at most the bound" };

/// Emits clauses that the sum of the weights of the true literals is at most `most`. The weights are positive, and their
/// sum fits in 63 bits. Each call of `fresh` must return a new variable; the number of calls depends only on the weights
/// and on the bound.
pub fn at_most(terms: &[(Lit, u64)], most: i128, fresh: &mut dyn FnMut() -> Lit, out: &mut dyn ClauseSink) {
    if terms.iter().map(|&(_, weight)| i128::from(weight)).sum::<i128>() <= most {
        return;
    }
    if most < 0 {
        out.family(BOUND);
        return out.clause(&[]);
    }
    let mut powers = [const { VecDeque::new() }; u64::BITS as usize];
    for &(literal, weight) in terms {
        let digits = (0..u64::BITS).filter(|digit| weight >> digit & 1 == 1);
        digits.for_each(|digit| powers[digit as usize].push_back(literal));
    }
    out.family(ADDERS);
    for i in 0..powers.len() {
        while powers[i].len() > 1 {
            let [a, b, c] = [(); 3].map(|()| powers[i].pop_front());
            let (sum, carry) = (fresh(), fresh());
            match (a, b, c) {
                // (1), (2)
                (Some(a), Some(b), Some(c)) => {
                    for [x, y, z] in [[a, b, c], [b, a, c], [c, a, b]] {
                        out.clause(&[carry, !y, !z]);
                        out.clause(&[!carry, y, z]);
                        out.clause(&[sum, !x, y, z]);
                        out.clause(&[!sum, x, !y, !z]);
                    }
                    out.clause(&[sum, !a, !b, !c]);
                    out.clause(&[!sum, a, b, c]);
                }
                // (3), (4)
                (Some(a), Some(b), _) => {
                    out.clause(&[carry, !a, !b]);
                    out.clause(&[!carry, a]);
                    out.clause(&[!carry, b]);
                    out.clause(&[sum, !a, b]);
                    out.clause(&[sum, a, !b]);
                    out.clause(&[!sum, a, b]);
                    out.clause(&[!sum, !a, !b]);
                }
                _ => {}
            }
            powers[i].push_back(sum);
            powers[i + 1].push_back(carry);
        }
    }
    out.family(BOUND);
    // (5)
    let mut clause = Vec::new();
    for (i, digit) in powers.iter().enumerate().rev() {
        match (digit.front(), most >> i & 1) {
            (Some(&digit), 0) => {
                clause.push(!digit);
                out.clause(&clause);
                clause.pop();
            }
            (Some(&digit), _) => clause.push(!digit),
            // The digits of the sum below are free, because the sum has the lesser digit 0 here.
            (None, 1) => return,
            (None, _) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::instances::Cnf;

    /// Values of the literals with which all clauses can be satisfied, as bit masks.
    fn solutions(weights: &[u64], most: i128) -> Vec<u32> {
        let terms: Vec<_> = (0..).map(Lit::positive).zip(weights.iter().copied()).collect();
        let (n, mut next, mut cnf) = (weights.len() as u32, weights.len() as u32, Cnf::new());
        let mut fresh = || {
            next += 1;
            Lit::positive(next - 1)
        };
        at_most(&terms, most, &mut fresh, &mut cnf);
        assert!(next < 22, "{next} variables");
        let holds = |model: u32| {
            let value = |l: &Lit| (model >> l.vidx32() & 1 == 1) == l.is_pos();
            cnf.iter().all(|clause| clause.iter().any(value))
        };
        let mut found: Vec<_> =
            (0..1u32 << next).filter(|&model| holds(model)).map(|model| model & ((1 << n) - 1)).collect();
        // Each solution has one model.
        found.sort_unstable();
        found
    }

    #[test]
    fn the_sum_is_at_most_the_bound() {
        for weights in [&[][..], &[3], &[1, 1], &[1, 2, 4], &[3, 3, 3], &[5, 1, 6, 2], &[1, 1, 1, 1, 1], &[8, 1, 3]] {
            let sum = |model: u32| (0..).zip(weights).filter(|(k, _)| model >> k & 1 == 1).map(|(_, w)| w).sum::<u64>();
            for most in -1..=i128::from(weights.iter().sum::<u64>()) + 1 {
                let expected: Vec<_> =
                    (0..1 << weights.len()).filter(|&model| i128::from(sum(model)) <= most).collect();
                assert_eq!(solutions(weights, most), expected, "{weights:?} {most}");
            }
        }
    }

    #[test]
    fn great_weights_fit() {
        let great = 1 << 62;
        let terms = [(Lit::positive(0), great), (Lit::positive(1), great - 1)];
        let mut cnf = Cnf::new();
        at_most(&terms, great.into(), &mut || Lit::positive(2), &mut cnf);
        assert!(!cnf.is_empty());
    }
}
