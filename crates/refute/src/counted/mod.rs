//! Proofs by counting: a graph falls into too many parts, or its colours do not balance.
//!
//! Let K be a set of vertices whose removal leaves more parts than K has vertices. A tour enters every part from K, and
//! leaves every vertex of K once. The contradiction is the pigeonhole principle, with parts as pigeons and K as holes,
//! which resolution cannot prove in few steps. Two kinds of proofs avoid resolution. Both start from clauses which
//! state that some arc enters each part P, and that at most one arc leaves each k in K:
//!
//! ```text
//! ⋁ h_kv            over the arcs from k in K to v in P
//! ¬h_kv ∨ ¬h_kw     over the pairs of arcs from k
//! ```
//!
//! - pseudo-Boolean proofs add the clauses up, with one line for each k and a final line (`planes.rs`);
//! - clausal proofs define variables for the problem without one part and one vertex, and repeat this
//!   (`definitions.rs`).
//!
//! If a part is a single vertex, the formula contains the first clause. For other parts the clause is a cut, which must
//! be derived ([`derived`](super::derived)): some arc enters the part or, if the start is in the part, leaves the other
//! vertices.
//!
//! # Choice of vertices
//!
//! - Closed tours: K is the set of a certificate. For colours, K is the rarer colour.
//! - Open tours from s: the formula has arcs back to s, so the part of s is not counted, and s may be in K or not.
//! - If the proof instance has an extra vertex x ([`proof_instance`](super::instance::proof_instance)), x may be in K
//!   too. For tours from anywhere, x connects all parts.
//!
//! Not every certificate leaves enough parts for counting. A vertex with one neighbour needs no counting: the clauses
//! for the order refute a closed tour by unit propagation.
//!
//! # References
//!
//! - A. Haken: *The Intractability of Resolution*, Theoretical Computer Science 39, 1985.

mod definitions;
mod planes;

use hamcnf_check::certificate::{Reason, colours, parts};
use hamcnf_encodings::derivation::Lacking;
use hamcnf_encodings::{Clauses, Formula};
use hamcnf_graph::Vertex;
use hamcnf_tours::{Instance, Obstruction, TourKind, Witness};
use rustsat::types::Lit;

use super::certificate;
use super::derived::Deriver;
use super::{Refutation, without_cuts};
use hamcnf_graph::budget::Budget;
use hamcnf_questions::Tours;
use hamcnf_sat::proof::{SharedLog, Steps};
use hamcnf_sat::solve::SolveError;

/// Counting argument which shows that there is no tour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counting {
    /// Contradiction between the degree constraints and the order, by unit propagation alone.
    Propagated,
    /// Parts of the graph that outnumber the vertices from which a tour can enter them.
    Parts {
        /// Parts as lists of vertices.
        parts: Vec<Vec<Vertex>>,
        /// Vertices from which the parts can be entered.
        from: Vec<Vertex>,
    },
}

impl Counting {
    /// Returns the number of vertices in parts of several vertices.
    fn in_large_parts(&self) -> usize {
        match self {
            Self::Propagated => 0,
            Self::Parts { parts, .. } => parts.iter().map(Vec::len).filter(|&size| size > 1).sum(),
        }
    }
}

/// Returns a counting argument for an obstruction. Without an obstruction, searches for an argument that a bipartite
/// graph has no 2-factor. `instance` is the [`proof_instance`](super::instance::proof_instance).
pub fn of(tours: &Tours, found: Option<&Obstruction>, instance: &Instance, budget: &Budget) -> Option<Counting> {
    if let Some(Witness::Leaves(leaves)) = found.map(|found| &found.witness)
        && let [vertex] = leaves[..]
        && follows_at_once(instance, vertex)
    {
        return Some(Counting::Propagated);
    }
    let of_flow = || certificate::of_flow(tours, budget).and_then(|why| of_reason(tours, &why, instance));
    let Some(found) = found else { return of_flow() };
    let of_found = certificate::of_obstruction(tours, found).and_then(|why| of_reason(tours, &why, instance));
    // A cut of a large part has a long derivation, and another set may leave only small parts.
    let others = (found.kind == "many-parts").then(of_flow);
    of_found.into_iter().chain(others.flatten()).min_by_key(Counting::in_large_parts)
}

/// Returns the counting argument of a reason, if it leaves enough parts.
fn of_reason(tours: &Tours, reason: &Reason, instance: &Instance) -> Option<Counting> {
    let sets: Vec<Vec<Vertex>> = match reason.kind {
        kind if *kind == parts::KIND => vec![reason.vertices.clone()],
        kind if *kind == colours::KIND => {
            let colours = tours.instance().facts().colours()?;
            let class = |colour| tours.instance().graph().vertices().filter(|v| colours[v.index()] == colour).collect();
            vec![class(false), class(true)]
        }
        _ => return None,
    };
    let closing = (tours.instance().n()..instance.n()).map(Vertex::new);
    let and_closing = sets.iter().map(|set| set.iter().copied().chain(closing.clone()).collect::<Vec<_>>());
    let and_closing: Vec<Vec<Vertex>> = and_closing.collect();
    let mut sets = sets.into_iter().chain(and_closing);
    sets.find_map(|from| too_many(instance, from))
}

/// True if unit propagation shows that no closed tour visits `vertex`, which has one neighbour. A tour would use both
/// arcs of the only edge; the encoding must have an order variable for these arcs.
fn follows_at_once(instance: &Instance, vertex: Vertex) -> bool {
    let (graph, start) = (instance.graph(), instance.start());
    let &[neighbour] = graph.neighbours(vertex) else { return false };
    let ordered = vertex != start || graph.degree(neighbour) > 1;
    instance.kind() == TourKind::Closed && neighbour != start && ordered
}

/// Returns a counting argument with one more part than `from` has vertices. Returns `None` if there are too few parts.
/// Parts with short derivations are preferred.
fn too_many(instance: &Instance, from: Vec<Vertex>) -> Option<Counting> {
    let mut away = vec![false; instance.n() as usize];
    from.iter().for_each(|v| away[v.index()] = true);
    let mut parts = parts(instance, away);
    // If no vertex is removed, a connected graph is a single part, which proves nothing.
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

/// Returns the components of the graph without the vertices in `seen`.
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

/// True if the tours are closed and the part consists of the start and a vertex that has another neighbour. Then unit
/// propagation with the order variables shows that at most one of the two arcs between these vertices is used.
fn is_pair_with_start(instance: &Instance, part: &[Vertex]) -> bool {
    let &[one, other] = part else { return false };
    let beside = match instance.start() {
        start if start == one => other,
        start if start == other => one,
        _ => return false,
    };
    instance.kind() == TourKind::Closed && instance.graph().degree(beside) > 1
}

/// Proves by counting that there is no tour. `proof` is the log of a proof from the clauses of `formula`, whose
/// encoding must be [`BASIS`](super::BASIS).
///
/// # Errors
///
/// [`SolveError::Solver`] if the formula has no derivation.
pub fn prove(
    formula: &Formula,
    proof: &SharedLog,
    counting: &Counting,
    over: impl Fn() -> bool,
) -> Result<Refutation, SolveError> {
    let mut deriver = Deriver::new(formula, proof.clone(), formula.n_vars()).ok_or_else(|| without_cuts(formula))?;
    let Counting::Parts { parts, from } = counting else {
        deriver.add(&[]);
        return Ok(Refutation::NoTour);
    };
    let mut cut = |set: &[Vertex], lacking| deriver.cut(set, lacking);
    let counted = Counted {
        entering: parts.iter().map(|part| cut(part, Lacking::Entering)).collect(),
        leaving: from.iter().map(|&k| cut(&[k], Lacking::Leaving)).collect(),
        parts,
        formula,
        proof,
        over: &over,
    };
    let by_planes = proof.lock().form() == Some(Steps::VeriPb);
    let whole =
        if by_planes { planes::prove(&counted, &mut deriver) } else { definitions::prove(&counted, &mut deriver) };
    Ok(match whole {
        Some(()) => Refutation::NoTour,
        None => Refutation::Stopped,
    })
}

/// Counting argument with its formula and its proof. K is the set of vertices from which the parts are entered.
struct Counted<'c> {
    formula: &'c Formula,
    proof: &'c SharedLog,
    parts: &'c [Vec<Vertex>],
    /// Indexed by part: the arcs that enter the part. All of them leave vertices of K.
    entering: Vec<Vec<Lit>>,
    /// Indexed by vertex of K: the arcs that leave the vertex.
    leaving: Vec<Vec<Lit>>,
    /// Function that returns true if the budget is used up.
    over: &'c dyn Fn() -> bool,
}

impl Counted<'_> {
    /// Returns each part with the clause which states that some arc enters the part.
    fn entered(&self) -> impl Iterator<Item = (&[Vertex], &[Lit])> {
        self.parts.iter().map(Vec::as_slice).zip(self.entering.iter().map(Vec::as_slice))
    }
}

/// Derives `clause`, which states that some arc enters the part.
fn enter(formula: &Formula, deriver: &mut Deriver<'_>, part: &[Vertex], clause: &[Lit]) {
    let instance = formula.instance();
    if part.len() == 1 || is_pair_with_start(instance, part) {
        deriver.add(clause);
    } else if part.contains(&instance.start()) {
        let mut inside = vec![false; instance.n() as usize];
        part.iter().for_each(|v| inside[v.index()] = true);
        let others: Vec<Vertex> = instance.graph().vertices().filter(|v| !inside[v.index()]).collect();
        deriver.derive(&others, Lacking::Leaving, clause);
    } else {
        deriver.derive(part, Lacking::Entering, clause);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use hamcnf_graph::Graph;

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
        // The complete bipartite graph K_{2,3}.
        let three = of(5, &[(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]);
        let found = too_many(&three, vec![v(0), v(1)]);
        assert!(matches!(found, Some(Counting::Parts { parts, .. }) if parts.len() == 3));
    }
}
