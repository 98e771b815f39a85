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
//! # References
//!
//! - Carsten Sinz: *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005.

use super::edges::Edges;

/// Up to so many edges nothing is counted.
const FEW: usize = 6;

/// Gives the clauses to `add`, until it fails. Variables of edges come first, from 1 on in their order; how many there
/// are in all is the result.
pub fn degrees<E>(edges: &Edges, mut add: impl FnMut(&[i32]) -> Result<(), E>) -> Result<i32, E> {
    let mut last = edges.len() as i32;
    let mut of = Vec::new();
    let mut clause = Vec::new();
    for v in 0..edges.n_vertices() as u32 {
        of.clear();
        of.extend(edges.at(v).iter().map(|&(_, edge)| edge as i32 + 1));
        if of.len() > FEW {
            counted(&of, &mut last, &mut add)?;
            continue;
        }
        for i in 0..of.len() {
            clause.clear();
            clause.extend(of[..i].iter().chain(&of[i + 1..]));
            add(&clause)?;
            for j in i + 1..of.len() {
                for k in j + 1..of.len() {
                    add(&[-of[i], -of[j], -of[k]])?;
                }
            }
        }
        if of.is_empty() {
            add(&[])?;
        }
    }
    Ok(last)
}

fn counted<E>(
    of: &[i32],
    last: &mut i32,
    add: &mut impl FnMut(&[i32]) -> Result<(), E>,
) -> Result<(), E> {
    let mut fresh = || {
        *last += 1;
        *last
    };
    // a and b of the edges so far: the first itself, and nothing.
    let (mut one, mut two) = (of[0], None::<i32>);
    for (i, &x) in of.iter().enumerate().skip(1) {
        let is_last = i + 1 == of.len();
        if let Some(two) = two {
            add(&[-two, -x])?;
        }
        if is_last {
            // b_d holds: either two before, or one before and this.
            match two {
                Some(two) => {
                    add(&[two, one])?;
                    add(&[two, x])?;
                }
                None => {
                    add(&[one])?;
                    add(&[x])?;
                }
            }
            return Ok(());
        }
        let (either, both) = (fresh(), fresh());
        add(&[-one, either])?;
        add(&[-x, either])?;
        add(&[-either, one, x])?;
        add(&[-one, -x, both])?;
        match two {
            Some(two) => {
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
    Ok(())
}
