//! Clauses for exactly two edges at every vertex, over one variable per edge:
//! [`exactly_two`](hamcnf_encodings::cnf::exactly_two), whose auxiliary variables follow all others.
//!
//! A vertex may be *passed* elsewhere, as further variables say. Then either one of these variables is true and the vertex has
//! no edge here, or all of them are false and it has two edges.

use hamcnf_encodings::cnf::exactly_two::exactly_two;
use rustsat::types::Lit;

use super::edges::Edges;

/// Passes the clauses for two edges at every vertex to `add`, until it fails. Variables of edges come first, in their order.
/// Auxiliary variables are numbered from `next`, 0-based. Returns the next free number.
///
/// # Errors
///
/// Errors of `add`.
pub fn degrees<E>(
    edges: &Edges,
    passes: impl Fn(u32) -> Vec<Lit>,
    mut next: u32,
    mut add: impl FnMut(&[Lit]) -> Result<(), E>,
) -> Result<u32, E> {
    let mut fresh = || {
        next += 1;
        Lit::positive(next - 1)
    };
    let mut of = Vec::new();
    for v in 0..edges.n_vertices() as u32 {
        of.clear();
        of.extend(edges.at(v).iter().map(|&(_, edge)| Lit::positive(edge)));
        exactly_two(&of, &passes(v), &mut fresh, &mut add)?;
    }
    Ok(next)
}
