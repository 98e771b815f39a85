//! Proof instance: the instance whose clauses a proof starts from. If no single formula corresponds to the question,
//! the proof instance asks for closed tours of a graph with one more vertex.
//!
//! The formula of an encoding has a fixed start. For closed tours, and for open tours from a given start, the proof
//! instance is the question's instance. Otherwise it usually asks for closed tours of the graph with one more vertex x.
//! This vertex is the start and has the next free number:
//!
//! - open from anywhere: x is adjacent to all vertices. Removing x from a closed tour leaves a path through all other
//!   vertices, which is a tour of the question;
//! - open from s to t: x is adjacent to s and t, so the path has these ends;
//! - open to t, from anywhere: no vertex is added. The instance asks for open tours from t, which are reversed.

use hamcnf_encodings::{
    Graph, GraphError, Instance, InstanceError, NotATour, Tour, TourKind, Vertex, split,
};

use crate::question::Tours;
use hamcnf_encodings::constraint::Constraints;
use hamcnf_encodings::endpoints::Endpoints;

/// Reason why there is no proof instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofInstanceError {
    /// The graph is too large for one more vertex.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph is too small.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// Returns an instance that has a tour if and only if the question has one.
///
/// # Errors
///
/// [`ProofInstanceError`] if the graph is too large or too small.
pub fn proof_instance(tours: &Tours) -> Result<Instance, ProofInstanceError> {
    let instance = tours.instance();
    if instance.is_directed()
        && !matches!(
            tours.ends(),
            Endpoints::Closed
                | Endpoints::Open {
                    from: Some(_),
                    to: None
                }
        )
        && let Some(digraph) = split::closed(instance.digraph(), tours.ends())?
    {
        let (name, x) = (with_one_more(tours), Vertex::new(instance.n()));
        let closed = Instance::on_digraph(name, digraph, TourKind::Closed, x)?;
        let closed = closed.called(instance.vertex_names().clone());
        return Ok(closed.constrained(&extended(instance)));
    }
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
    let closed = Instance::on_graph(
        with_one_more(tours),
        graph,
        TourKind::Closed,
        Vertex::new(n),
    )?;
    let closed = closed.called(instance.vertex_names().clone());
    Ok(closed.constrained(&extended(instance)))
}

/// Adapts the constraints of an instance to closed tours through the added vertex.
fn extended(instance: &Instance) -> Constraints {
    let constraints = instance.constraints().iter();
    constraints
        .map(|constraint| constraint.extended())
        .collect()
}

fn with_one_more(tours: &Tours) -> String {
    format!("{} with one added vertex", tours.source())
}

/// Describes the vertex that [`proof_instance`] adds and its neighbours; `None` if it adds no vertex.
#[must_use]
pub fn added_vertex(tours: &Tours) -> Option<String> {
    let instance = tours.instance();
    let name = |v| instance.vertex_name(v);
    let neighbours = match tours.ends() {
        Endpoints::Open {
            from: None,
            to: None,
        } => "adjacent to all others".to_owned(),
        Endpoints::Open {
            from: Some(from),
            to: Some(to),
        } => format!("adjacent to {} and {}", name(from), name(to)),
        Endpoints::Open {
            from: None,
            to: Some(to),
        } if instance.is_directed() => {
            format!("with arcs to all others and an arc from {}", name(to))
        }
        Endpoints::Closed | Endpoints::Open { .. } => return None,
    };
    // The added vertex is not on the board, so it has the name of a vertex of a graph.
    let added = instance.vertex_names().name(Vertex::new(instance.n()));
    Some(format!("{added}, {neighbours}"))
}

/// Converts a tour of the [`proof_instance`] into a tour of the question. Also returns an instance that starts where
/// the tour starts.
///
/// # Errors
///
/// [`NotATour`] if `found` is not a tour of the proof instance.
pub fn question_tour(tours: &Tours, found: &Tour) -> Result<(Instance, Tour), NotATour> {
    let instance = tours.instance();
    let is_old = |v: &Vertex| v.number() < instance.n();
    // The added vertex is the start, so the other vertices follow it.
    let mut order: Vec<_> = found.order().iter().copied().filter(is_old).collect();
    let backwards = match tours.ends() {
        _ if instance.is_directed() => false,
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
