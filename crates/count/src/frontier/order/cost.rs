//! Cost and width of a vertex order: the sizes of the frontiers along it.

use hamcnf_graph::{Graph, Vertex};

/// Returns the cost of an order: the sum of 3^f over its steps, where f is the size of the frontier, including the
/// vertex of the step.
pub(crate) fn cost(graph: &Graph, order: &[Vertex]) -> f64 {
    sizes(graph, order).map(power).sum()
}

/// Returns the width of an order: the size of its largest frontier, including the vertex of the step.
pub(crate) fn width(graph: &Graph, order: &[Vertex]) -> usize {
    sizes(graph, order).max().unwrap_or(0)
}

/// Returns the size of the frontier at each step of an order, including the vertex of the step.
fn sizes(graph: &Graph, order: &[Vertex]) -> impl Iterator<Item = usize> {
    let mut seen = vec![false; graph.n_vertices() as usize];
    let mut frontier = 0;
    order.iter().map(move |&v| {
        let mut see = |v: Vertex| usize::from(!std::mem::replace(&mut seen[v.index()], true));
        let size = frontier + see(v);
        let new: usize = graph.neighbours(v).iter().map(|&w| see(w)).sum();
        frontier = size - 1 + new;
        size
    })
}

/// Returns 3^f for a frontier of f vertices.
pub(crate) fn power(size: usize) -> f64 {
    3f64.powi(size as i32)
}
