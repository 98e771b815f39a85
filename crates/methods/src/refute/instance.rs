//! The proof instance: the instance whose clauses a proof starts from. Where a question is not that of one formula, these are
//! closed tours through one vertex more.
//!
//! An encoding begins at one vertex. Closed tours and open ones from a given start are its own; the others are closed tours of
//! the graph with a vertex x more, which is the start and has the number that follows the others:
//!
//! - open from anywhere: x is adjacent to all. Without x a closed tour is a path through all others, and each such path is one;
//! - open from s to t: x is adjacent to s and t, and so the path has these ends;
//! - open to t, from anywhere: paths from t, the other way round.

use hamcnf_encodings::{
    Graph, GraphError, Instance, InstanceError, NotATour, Tour, TourKind, Vertex,
};

use crate::question::Tours;
use hamcnf_encodings::endpoints::Endpoints;

/// Why there is no proof instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofInstanceError {
    /// The graph has no room for one vertex more.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph is too small.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// Returns the instance that has a tour exactly if the question has one.
///
/// # Errors
///
/// [`ProofInstanceError`].
pub fn proof_instance(tours: &Tours) -> Result<Instance, ProofInstanceError> {
    let instance = tours.instance();
    let ends: Vec<Vertex> = match tours.ends() {
        Endpoints::Closed => return Ok(instance.clone()),
        Endpoints::Open {
            from: Some(_),
            to: None,
        } => return Ok(instance.clone()),
        Endpoints::Open {
            from: None,
            to: Some(end),
        } => return Ok(instance.starting_at(end)?),
        Endpoints::Open {
            from: None,
            to: None,
        } => instance.graph().vertices().collect(),
        Endpoints::Open {
            from: Some(from),
            to: Some(to),
        } => vec![from, to],
    };
    let (graph, n) = (instance.graph(), instance.n());
    let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
    let edges = edges.map(|arc| (arc.tail.number(), arc.head.number()));
    let more = ends.into_iter().map(|end| (end.number(), n));
    let graph = Graph::from_edges(n + 1, edges.chain(more))?;
    let name = format!("{} with one vertex more", tours.source());
    let closed = Instance::on_graph(name, graph, TourKind::Closed, Vertex::new(n))?;
    Ok(closed.called(instance.vertex_names().clone()))
}

/// Describes the vertex that [`proof_instance`] adds and its neighbours; `None` if it adds none.
#[must_use]
pub fn added_vertex(tours: &Tours) -> Option<String> {
    let instance = tours.instance();
    let name = |v| instance.vertex_name(v);
    let neighbours = match tours.ends() {
        Endpoints::Open {
            from: None,
            to: None,
        } => "all others".to_owned(),
        Endpoints::Open {
            from: Some(from),
            to: Some(to),
        } => format!("{} and {}", name(from), name(to)),
        Endpoints::Closed | Endpoints::Open { .. } => return None,
    };
    // Squares have no names among the vertices of a graph.
    let added = instance.vertex_names().name(Vertex::new(instance.n()));
    Some(format!("{added}, adjacent to {neighbours}"))
}

/// Returns the question's tour that a tour of the [`proof_instance`] stands for, with an instance that starts where it does.
///
/// # Errors
///
/// [`NotATour`], if `found` is no tour of the proof instance.
pub fn question_tour(tours: &Tours, found: &Tour) -> Result<(Instance, Tour), NotATour> {
    let instance = tours.instance();
    let is_old = |v: &Vertex| v.number() < instance.n();
    // The added vertex is the start, and so the others follow it.
    let mut order: Vec<_> = found.order().iter().copied().filter(is_old).collect();
    let backwards = match tours.ends() {
        Endpoints::Closed => false,
        Endpoints::Open { from, to } => {
            from.is_some_and(|from| order.first() != Some(&from))
                || to.is_some_and(|to| order.last() != Some(&to))
        }
    };
    if backwards {
        order.reverse();
    }
    let first = order.first().copied();
    let at = first.and_then(|first| instance.starting_at(first).ok());
    let at = at.unwrap_or_else(|| instance.clone());
    let tour = Tour::check(&at, order)?;
    Ok((at, tour))
}
