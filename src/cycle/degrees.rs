//! Exactly two edges at every vertex, as clauses over one variable an edge.
//!
//! Up to six edges directly: of any three one is false, and of all but one some edge is true. Above that a sequential
//! counter, whose variables a_i and b_i say that at least one, at least two of the first i edges x_1 … x_i are true:
//!
//! ```text
//! a_i ↔ a_{i−1} ∨ x_i        b_i ↔ b_{i−1} ∨ (a_{i−1} ∧ x_i)        ¬(b_{i−1} ∧ x_i)        b_d
//! ```
//!
//! Both let unit propagation see that two true edges leave none, and that all but two false ones leave those.
//!
//! A vertex that may be *passed* elsewhere, which further variables say, has either no edge here and one of these true,
//! or none of these and two edges.
//!
//! # References
//!
//! - Carsten Sinz: *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005.

use super::edges::Edges;

/// Up to so many edges nothing is counted.
pub const FEW: usize = 6;

/// Gives the clauses for two edges at every vertex to `add`, until it fails. Variables of edges come first, from 1 on
/// in their order; what is counted has those behind `last`. How many there are in all is the result.
///
/// # Errors
///
/// That of `add`.
pub fn degrees<E>(
    edges: &Edges,
    passes: impl Fn(u32) -> Vec<i32>,
    mut last: i32,
    mut add: impl FnMut(&[i32]) -> Result<(), E>,
) -> Result<i32, E> {
    let mut of = Vec::new();
    for v in 0..edges.n_vertices() as u32 {
        of.clear();
        of.extend(edges.at(v).iter().map(|&(_, edge)| edge as i32 + 1));
        exactly_two(&of, &passes(v), &mut last, &mut add)?;
    }
    Ok(last)
}

/// Exactly two of these, or none of them and exactly one of `instead`.
fn exactly_two<E>(
    of: &[i32],
    instead: &[i32],
    last: &mut i32,
    add: &mut impl FnMut(&[i32]) -> Result<(), E>,
) -> Result<(), E> {
    for (k, &pass) in instead.iter().enumerate() {
        for &other in &instead[..k] {
            add(&[-pass, -other])?;
        }
        for &x in of {
            add(&[-pass, -x])?;
        }
    }
    if of.len() > FEW {
        return counted(of, instead, last, add);
    }
    if of.len() < 2 {
        for &x in of {
            add(&[-x])?;
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
                add(&[-of[i], -of[j], -of[k]])?;
            }
        }
    }
    Ok(())
}

fn counted<E>(
    of: &[i32],
    instead: &[i32],
    last: &mut i32,
    add: &mut impl FnMut(&[i32]) -> Result<(), E>,
) -> Result<(), E> {
    let mut fresh = || {
        *last += 1;
        *last
    };
    let (&x_1, rest) = of.split_first().expect("there are more than a few");
    let (&x_d, between) = rest.split_last().expect("there are more than a few");
    // a_i, and b_i from i = 2 on.
    let (mut one, mut two) = (x_1, None::<i32>);
    for &x in between {
        let (either, both) = (fresh(), fresh());
        add(&[-one, either])?;
        add(&[-x, either])?;
        add(&[-either, one, x])?;
        add(&[-one, -x, both])?;
        match two {
            Some(two) => {
                add(&[-two, -x])?;
                add(&[-two, both])?;
                add(&[-both, two, one])?;
                add(&[-both, two, x])?;
            }
            None => {
                add(&[-both, one])?;
                add(&[-both, x])?;
            }
        }
        (one, two) = (either, Some(both));
    }
    let two = two.expect("there are more than a few");
    add(&[-two, -x_d])?;
    // b_d: two before the last, or one before and the last.
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

    /// Whether a clause set has a model with these values of the first variables, by trying all of the others.
    fn holds(clauses: &[Vec<i32>], given: &[bool], variables: usize) -> bool {
        (0..1u32 << (variables - given.len())).any(|rest| {
            let value = |literal: i32| {
                let k = literal.unsigned_abs() as usize - 1;
                let is = given
                    .get(k)
                    .copied()
                    .unwrap_or_else(|| rest >> (k - given.len()) & 1 == 1);
                is == (literal > 0)
            };
            clauses
                .iter()
                .all(|clause| clause.iter().any(|&l| value(l)))
        })
    }

    #[test]
    fn two_edges_or_one_pass() {
        for n in 0..=8usize {
            for passes in 0..=2usize {
                let of: Vec<i32> = (1..=n as i32).collect();
                let instead: Vec<i32> = (1..=passes as i32).map(|k| n as i32 + k).collect();
                let mut clauses = Vec::new();
                let mut last = (n + passes) as i32;
                let mut add = |clause: &[i32]| {
                    clauses.push(clause.to_vec());
                    Ok::<(), ()>(())
                };
                exactly_two(&of, &instead, &mut last, &mut add).unwrap();
                for values in 0..1u32 << (n + passes) {
                    let given: Vec<bool> = (0..n + passes).map(|k| values >> k & 1 == 1).collect();
                    let count = |part: &[bool]| part.iter().filter(|&&is| is).count();
                    let (edges, passed) = (count(&given[..n]), count(&given[n..]));
                    let expected = matches!((edges, passed), (2, 0) | (0, 1));
                    assert_eq!(
                        holds(&clauses, &given, last as usize),
                        expected,
                        "{n} {given:?}"
                    );
                }
            }
        }
    }
}
