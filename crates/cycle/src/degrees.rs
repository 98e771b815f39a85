//! Clauses that require exactly two true edges at every vertex, with one variable per edge. The clauses come from
//! [`exactly_two`](hamcnf_encodings::cnf::exactly_two); its auxiliary variables follow all other variables.
//!
//! A vertex may have *pass variables*. If one of them is true, a path outside these edges visits the vertex. The
//! clauses leave two cases: either exactly one pass variable is true and the vertex has no true edge, or all pass
//! variables are false and the vertex has two true edges.

use hamcnf_encodings::cnf::exactly_two::exactly_two;
use rustsat::types::Lit;

use super::edges::Edges;

/// Calls `add` with each clause that requires two true edges at a vertex. Variables are numbered from 0: the variable
/// of an edge is the edge's number, and auxiliary variables start at `next`. `passes` returns the pass variables of a
/// vertex (see the module documentation). Returns the number after the last auxiliary variable.
///
/// # Errors
///
/// Returns the first error of `add`. No further clauses are added after an error.
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
