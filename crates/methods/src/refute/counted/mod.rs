//! Proofs by counting: too many parts, colours that do not fit.
//!
//! Let K be vertices without which the graph has more parts than K has vertices. A tour enters every part, from K, and
//! leaves every vertex of K once. That is the pigeonhole principle, parts for pigeons and K for holes, which resolution
//! cannot show in few steps. There are two ways out, from the same clauses: some arc enters the part P, and at most one
//! arc leaves k in K,
//!
//! ```text
//! ⋁ h_kv             over the arcs from k in K to v in P
//! ¬h_kv ∨ ¬h_kw      over the pairs of arcs from k
//! ```
//!
//! - pseudo-Boolean proofs add them up (`planes.rs`): a line for each k, and one more;
//! - clausal ones define what is left without one part and one vertex, and go on with these (`definitions.rs`).
//!
//! A part that is one vertex has the first clause in the formula. For others it is a cut, which is derived
//! ([`derived`](super::derived)): some arc enters the part or, if the start is in it, leaves the others.
//!
//! # Which vertices
//!
//! - Closed tours: the K of a certificate. Of two colours, the less frequent one is K.
//! - Open ones from s: as arcs lead back to s, its part is not counted; and so s may be in K or not.
//! - Where a vertex x closes paths ([`proof_instance`](super::instance::proof_instance)) it may be one of K, too: from anywhere
//!   it joins all parts.
//!
//! Some parts without which there are fewer than enough are no part of a certificate, but that one vertex has one
//! neighbour says the order by unit propagation.
//!
//! # References
//!
//! - A. Haken: *The Intractability of Resolution*, Theoretical Computer Science 39, 1985.

mod definitions;
mod planes;

use hamcnf_check::certificate::Reason;
use hamcnf_encodings::derivation::Lacking;
use hamcnf_encodings::{Clauses, Formula, Instance, Obstruction, TourKind, Vertex};
use rustsat::types::Lit;

use super::Refutation;
use super::certificate;
use super::derived::Deriver;
use crate::question::Tours;
use hamcnf_engines::budget::Budget;
use hamcnf_engines::proof::{SharedLog, Steps};
use hamcnf_engines::solve::SolveError;

/// Why there is no tour, as it is counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counting {
    /// Degrees and the order contradict each other by unit propagation.
    Propagated,
    /// These parts are entered from these vertices only, which are fewer.
    Parts {
        /// The parts.
        parts: Vec<Vec<Vertex>>,
        /// The vertices.
        from: Vec<Vertex>,
    },
}

/// What can be counted where this obstruction was found, or none was but a bipartite graph has no 2-factor. `instance`
/// is the [`proof_instance`](super::instance::proof_instance).
#[must_use]
pub fn of(
    tours: &Tours,
    found: Option<&Obstruction>,
    instance: &Instance,
    budget: &Budget,
) -> Option<Counting> {
    if let Some(Obstruction::OneNeighbour(vertex)) = found
        && follows_at_once(instance, *vertex)
    {
        return Some(Counting::Propagated);
    }
    let reason = match found {
        Some(found) => certificate::of_obstruction(tours, found),
        None => certificate::of_flow(tours, budget),
    };
    let sets: Vec<Vec<Vertex>> = match reason? {
        Reason::Parts { without } => vec![without],
        Reason::Colours => {
            let facts = tours.instance().facts();
            let colours = facts.colours()?;
            let class = |colour| {
                let all = tours.instance().graph().vertices();
                all.filter(|v| colours[v.index()] == colour).collect()
            };
            vec![class(false), class(true)]
        }
        _ => return None,
    };
    let closing = (tours.instance().n()..instance.n()).map(Vertex::new);
    let and_closing = sets.iter().map(|set| {
        let all = set.iter().copied().chain(closing.clone());
        all.collect::<Vec<_>>()
    });
    let and_closing: Vec<Vec<Vertex>> = and_closing.collect();
    let mut sets = sets.into_iter().chain(and_closing);
    sets.find_map(|from| too_many(instance, from))
}

/// Whether unit propagation finds that a closed tour cannot come to this vertex by the edge by which it leaves: both
/// arcs are taken, and the order has a variable for that.
fn follows_at_once(instance: &Instance, vertex: Vertex) -> bool {
    let (graph, start) = (instance.graph(), instance.start());
    let &[neighbour] = graph.neighbours(vertex) else {
        return false;
    };
    let ordered = vertex != start || graph.degree(neighbour) > 1;
    instance.kind() == TourKind::Closed && neighbour != start && ordered
}

/// One part more than there are vertices to enter it from, if there are so many: those with the shortest derivations.
fn too_many(instance: &Instance, from: Vec<Vertex>) -> Option<Counting> {
    let mut away = vec![false; instance.n() as usize];
    from.iter().for_each(|v| away[v.index()] = true);
    let mut parts = parts(instance, away);
    // Without any vertex taken away, one part is everything.
    if from.is_empty() && parts.len() < 2 {
        return None;
    }
    if instance.kind() == TourKind::Open {
        parts.retain(|part| !part.contains(&instance.start()));
    }
    parts.sort_by_key(|part| match part.len() {
        1 => 0,
        _ if is_pair_with_start(instance, part) => 1,
        size if part.contains(&instance.start()) => instance.n() as usize - size,
        size => size,
    });
    parts.truncate(from.len() + 1);
    (parts.len() > from.len()).then_some(Counting::Parts { parts, from })
}

/// The parts of what is not away.
fn parts(instance: &Instance, mut seen: Vec<bool>) -> Vec<Vec<Vertex>> {
    let graph = instance.graph();
    let mut parts = Vec::new();
    for first in graph.vertices() {
        if std::mem::replace(&mut seen[first.index()], true) {
            continue;
        }
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&v) = part.get(next) {
            next += 1;
            for &w in graph.neighbours(v) {
                if !std::mem::replace(&mut seen[w.index()], true) {
                    part.push(w);
                }
            }
        }
        parts.push(part);
    }
    parts
}

/// Whether these are the start of closed tours and a vertex with another neighbour: that both arcs between them are not
/// taken follows from the order of the neighbours.
fn is_pair_with_start(instance: &Instance, part: &[Vertex]) -> bool {
    let &[one, other] = part else {
        return false;
    };
    let beside = match instance.start() {
        start if start == one => other,
        start if start == other => one,
        _ => return false,
    };
    instance.kind() == TourKind::Closed && instance.graph().degree(beside) > 1
}

/// Proves by counting. `proof` is about `formula`, which has to be of the encoding
/// [`BASIS`](super::BASIS).
///
/// # Errors
///
/// [`SolveError::Solver`] where the formula has no derivation.
pub fn prove(
    formula: &Formula,
    proof: &SharedLog,
    counting: &Counting,
    over: impl Fn() -> bool,
) -> Result<Refutation, SolveError> {
    let unfit = || SolveError::Solver(format!("no cut can be derived of {}", formula.encoding()));
    let mut deriver = Deriver::new(formula, proof.clone(), formula.n_vars()).ok_or_else(unfit)?;
    let Counting::Parts { parts, from } = counting else {
        deriver.add(&[]);
        return Ok(Refutation::NoTour);
    };
    let mut cut = |set: &[Vertex], lacking| deriver.cut(set, lacking);
    let counted = Counted {
        entering: parts
            .iter()
            .map(|part| cut(part, Lacking::Entering))
            .collect(),
        leaving: from.iter().map(|&k| cut(&[k], Lacking::Leaving)).collect(),
        parts,
        formula,
        proof,
        over: &over,
    };
    let by_planes = proof.lock().form() == Some(Steps::VeriPb);
    let whole = if by_planes {
        planes::prove(&counted, &mut deriver)
    } else {
        definitions::prove(&counted, &mut deriver)
    };
    Ok(match whole {
        Some(()) => Refutation::NoTour,
        None => Refutation::Stopped,
    })
}

/// What is counted, and where that is said.
struct Counted<'c> {
    formula: &'c Formula,
    proof: &'c SharedLog,
    parts: &'c [Vec<Vertex>],
    /// By part: the arcs that enter it, all from K.
    entering: Vec<Vec<Lit>>,
    /// By vertex of K: the arcs that leave it.
    leaving: Vec<Vec<Lit>>,
    /// Whether there is no more time.
    over: &'c dyn Fn() -> bool,
}

impl Counted<'_> {
    /// The parts, each with the clause that some arc enters it.
    fn entered(&self) -> impl Iterator<Item = (&[Vertex], &[Lit])> {
        let parts = self.parts.iter().map(Vec::as_slice);
        parts.zip(self.entering.iter().map(Vec::as_slice))
    }
}

/// Derives that some arc enters a part, which is this clause.
fn enter(formula: &Formula, deriver: &mut Deriver<'_>, part: &[Vertex], clause: &[Lit]) {
    let instance = formula.instance();
    if part.len() == 1 || is_pair_with_start(instance, part) {
        deriver.add(clause);
    } else if part.contains(&instance.start()) {
        let mut inside = vec![false; instance.n() as usize];
        part.iter().for_each(|v| inside[v.index()] = true);
        let others = instance.graph().vertices().filter(|v| !inside[v.index()]);
        let others: Vec<Vertex> = others.collect();
        deriver.derive(&others, Lacking::Leaving, clause);
    } else {
        deriver.derive(part, Lacking::Entering, clause);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use hamcnf_encodings::Graph;

    use super::*;

    #[test]
    fn as_many_parts_as_vertices_to_enter_them_from_are_not_too_many() {
        let v = Vertex::new;
        let of = |n, edges: &[(u32, u32)]| {
            let graph = Graph::from_edges(n, edges.iter().copied()).unwrap();
            Instance::on_graph("g", graph, TourKind::Closed, v(0)).unwrap()
        };
        let square = of(4, &[(0, 1), (1, 2), (2, 3), (3, 0)]);
        assert!(too_many(&square, vec![v(1), v(3)]).is_none());
        assert!(too_many(&square, vec![]).is_none());
        // K_{2,3}.
        let three = of(5, &[(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]);
        let found = too_many(&three, vec![v(0), v(1)]);
        assert!(matches!(found, Some(Counting::Parts { parts, .. }) if parts.len() == 3));
    }
}
