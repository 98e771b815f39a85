//! Clauses for exactly two edges at every vertex, over one variable per edge. They come from
//! [`exactly_two`](hamcnf_encodings::cnf::exactly_two); its auxiliary variables follow all other variables.
//!
//! A vertex may be *passed* elsewhere, and has pass variables then. Either exactly one of its pass variables is true and
//! the vertex has no true edge, or all of them are false and the vertex has two true edges.

use hamcnf_encodings::cnf::exactly_two::exactly_two;
use rustsat::types::Lit;

use super::edges::Edges;

/// Calls `add` with each clause for two edges at every vertex. Variables are numbered from 0: the variable of an edge is
/// its number, and auxiliary variables start at `next`. `passes` returns the pass variables of a vertex. Returns the next
/// free number.
///
/// # Errors
///
/// The first error of `add`, after which no more clauses follow.
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
