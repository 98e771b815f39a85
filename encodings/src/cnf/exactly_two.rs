//! Constraint that exactly two of some literals are true, such as the edges at a vertex of a cycle.
//!
//! Up to six literals are encoded directly. At-most-two clauses say that, of any three literals, one is false.
//! At-least-two clauses say that, of all literals but one, one is true. More literals are encoded by a sequential
//! counter. Its variables a_i and b_i say that at least one, or at least two, of the first i literals x_1 … x_i are
//! true:
//!
//! ```text
//! a_i ↔ a_{i−1} ∨ x_i        b_i ↔ b_{i−1} ∨ (a_{i−1} ∧ x_i)        ¬(b_{i−1} ∧ x_i)        b_d
//! ```
//!
//! The equivalences are encoded in both directions. So unit propagation makes all other literals false if two are true,
//! and makes the last two literals true if all others are false. The literals determine the counter's variables, so the
//! number of models does not change.
//!
//! The constraint may have alternative literals `instead`. Then either two of the literals and none of `instead` are
//! true, or none of the literals and exactly one of `instead`.
//!
//! # Size
//!
//! For d literals and empty `instead`: d + d(d − 1)(d − 2)/6 clauses for d from two to six; 8d − 15 clauses and 2(d −
//! 2) variables above six. One literal takes two clauses, and no literal the empty clause.
//!
//! # References
//!
//! - Carsten Sinz: *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005.

use rustsat::types::Lit;

/// Maximum number of literals that are encoded without a counter.
pub const FEW: usize = 6;

/// Returns the number of counting variables (a_i and b_i) that this number of literals needs.
pub fn counting(literals: usize) -> u64 {
    match literals {
        0..=FEW => 0,
        more => 2 * (more as u64 - 2),
    }
}

/// Passes the clauses of the constraint to `add`, until `add` fails. There are two ways to satisfy the constraint:
/// exactly two literals of `of` are true and none of `instead`, or exactly one literal of `instead` is true and none of
/// `of`. Each call of `fresh` must return a new counting variable: for each i, first a_i and then b_i. [`counting`]
/// returns the number of calls.
///
/// # Errors
///
/// The first error of `add`.
pub fn exactly_two<E>(
    of: &[Lit],
    instead: &[Lit],
    fresh: &mut impl FnMut() -> Lit,
    add: &mut impl FnMut(&[Lit]) -> Result<(), E>,
) -> Result<(), E> {
    for (k, &pass) in instead.iter().enumerate() {
        for &other in &instead[..k] {
            add(&[!pass, !other])?;
        }
        for &x in of {
            add(&[!pass, !x])?;
        }
    }
    if of.len() > FEW {
        return counted(of, instead, fresh, add);
    }
    if of.len() < 2 {
        for &x in of {
            add(&[!x])?;
        }
        return add(instead);
    }
    let mut clause = Vec::new();
    for i in 0..of.len() {
        clause.clear();
        clause.extend(of[..i].iter().chain(&of[i + 1..]).chain(instead));
        add(&clause)?;
        for j in i + 1..of.len() {
            for k in j + 1..of.len() {
                add(&[!of[i], !of[j], !of[k]])?;
            }
        }
    }
    Ok(())
}

fn counted<E>(
    of: &[Lit],
    instead: &[Lit],
    fresh: &mut impl FnMut() -> Lit,
    add: &mut impl FnMut(&[Lit]) -> Result<(), E>,
) -> Result<(), E> {
    let (&x_1, rest) = of.split_first().expect("there are enough literals for a counter");
    let (&x_d, between) = rest.split_last().expect("there are enough literals for a counter");
    // `one` is a_i, and `two` is b_i, starting at i = 2.
    let (mut one, mut two) = (x_1, None::<Lit>);
    for &x in between {
        let (either, both) = (fresh(), fresh());
        add(&[!one, either])?;
        add(&[!x, either])?;
        add(&[!either, one, x])?;
        add(&[!one, !x, both])?;
        match two {
            Some(two) => {
                add(&[!two, !x])?;
                add(&[!two, both])?;
                add(&[!both, two, one])?;
                add(&[!both, two, x])?;
            }
            None => {
                add(&[!both, one])?;
                add(&[!both, x])?;
            }
        }
        (one, two) = (either, Some(both));
    }
    let two = two.expect("there are enough literals for a counter");
    add(&[!two, !x_d])?;
    // b_d: two literals before the last are true, or one of them and the last.
    for last in [one, x_d] {
        let mut clause = vec![two, last];
        clause.extend(instead);
        add(&clause)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    /// Counts the models in which the first variables have the values `given`, by trying all values of the other
    /// variables.
    fn models(clauses: &[Vec<Lit>], given: &[bool], variables: usize) -> usize {
        let rests = 0..1u32 << (variables - given.len());
        let is_model = |rest: &u32| {
            let value = |literal: &Lit| {
                let k = literal.vidx();
                let known = given.get(k).copied();
                let is = known.unwrap_or_else(|| rest >> (k - given.len()) & 1 == 1);
                is == literal.is_pos()
            };
            clauses.iter().all(|clause| clause.iter().any(value))
        };
        rests.filter(is_model).count()
    }

    #[test]
    fn two_or_one_instead() {
        for n in 0..=8usize {
            for passes in 0..=2usize {
                let of: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
                let instead = n as u32..(n + passes) as u32;
                let instead: Vec<Lit> = instead.map(Lit::positive).collect();
                let mut clauses = Vec::new();
                let mut last = (n + passes) as u32;
                let mut fresh = || {
                    last += 1;
                    Lit::positive(last - 1)
                };
                let mut add = |clause: &[Lit]| -> Result<(), Infallible> {
                    clauses.push(clause.to_vec());
                    Ok(())
                };
                let Ok(()) = exactly_two(&of, &instead, &mut fresh, &mut add);
                assert_eq!(u64::from(last), (n + passes) as u64 + counting(n));
                if passes == 0 && n > FEW {
                    assert_eq!(clauses.len(), 8 * n - 15);
                }
                for values in 0..1u32 << (n + passes) {
                    let given: Vec<bool> = (0..n + passes).map(|k| values >> k & 1 == 1).collect();
                    let count = |part: &[bool]| part.iter().filter(|&&is| is).count();
                    let (edges, passed) = (count(&given[..n]), count(&given[n..]));
                    let expected = matches!((edges, passed), (2, 0) | (0, 1));
                    // Each assignment of the inputs fixes the counting variables.
                    let found = models(&clauses, &given, last as usize);
                    assert_eq!(found, usize::from(expected), "{n} {given:?}");
                }
            }
        }
    }
}
