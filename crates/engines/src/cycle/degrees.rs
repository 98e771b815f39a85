//! Exactly two edges at every vertex, as clauses over one variable an edge:
//! [`exactly_two`](hamcnf_encodings::cnf::exactly_two), whose variables that count come behind all others.
//!
//! A vertex that may be *passed* elsewhere, which further variables say, has either no edge here and one of these true,
//! or none of these and two edges.

use hamcnf_encodings::cnf::exactly_two::exactly_two;
use rustsat::types::Lit;

use super::edges::Edges;

/// Gives the clauses for two edges at every vertex to `add`, until it fails. Variables of edges come first in their
/// order; what is counted has those from number `next` on, counted from 0. The next free one is the result.
///
/// # Errors
///
/// That of `add`.
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
