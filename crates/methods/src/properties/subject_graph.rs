//! Graph of any size, stored as bits if it is small, and as adjacency lists otherwise.

use std::cell::OnceCell;

use hamcnf_graph::{Graph, Masks, Triangle, Vertex};

/// Graph, stored as bits if it is small enough for `cycle::small`, and otherwise as adjacency lists.
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all graphs of a stream are small, and a box would cost an allocation each"
)]
pub enum SubjectGraph {
    /// Graph of a stream in graph6. Its masks are made on first use, because most answers do not need them.
    Streamed(Triangle, OnceCell<Masks>),
    Small(Masks),
    Large(Graph),
}

impl From<Graph> for SubjectGraph {
    fn from(graph: Graph) -> Self {
        match Masks::of(&graph) {
            Some(masks) => Self::Small(masks),
            None => Self::Large(graph),
        }
    }
}

/// Graph as [`SubjectGraph`] stores it.
enum Form<'g> {
    Small(&'g Masks),
    Large(&'g Graph),
}

impl SubjectGraph {
    /// Returns a graph without vertices, for [`read_line`](Self::read_line).
    ///
    /// # Panics
    ///
    /// Never: a graph without vertices is small.
    pub fn streamed() -> Self {
        let empty = Triangle::edgeless(0).expect("a graph without vertices is small");
        Self::Streamed(empty, OnceCell::new())
    }

    /// Reads a graph in graph6 at the beginning of `text`, in place of this graph, and returns the number of its bytes.
    /// Returns `None` under the conditions of [`Triangle::read_line`], and if this graph is not a
    /// [streamed](Self::streamed) graph.
    pub fn read_line(&mut self, text: &[u8]) -> Option<usize> {
        let Self::Streamed(triangle, masks) = self else { return None };
        *masks = OnceCell::new();
        triangle.read_line(text)
    }

    fn form(&self) -> Form<'_> {
        match self {
            Self::Streamed(triangle, masks) => Form::Small(masks.get_or_init(|| triangle.masks())),
            Self::Small(masks) => Form::Small(masks),
            Self::Large(graph) => Form::Large(graph),
        }
    }

    pub fn n(&self) -> u32 {
        match self {
            Self::Streamed(triangle, _) => triangle.n(),
            Self::Small(masks) => masks.n(),
            Self::Large(graph) => graph.n_vertices(),
        }
    }

    pub fn n_edges(&self) -> u32 {
        match self {
            Self::Streamed(triangle, _) => triangle.n_edges(),
            Self::Small(masks) => masks.n_edges(),
            Self::Large(graph) => graph.n_edges(),
        }
    }

    /// Returns the graph as masks; `None` if it is too large.
    pub(super) fn masks(&self) -> Option<&Masks> {
        match self.form() {
            Form::Small(masks) => Some(masks),
            Form::Large(_) => None,
        }
    }

    /// Returns the graph as adjacency lists.
    pub(super) fn to_graph(&self) -> Graph {
        match self.form() {
            Form::Small(masks) => masks.to_graph(),
            Form::Large(graph) => graph.clone(),
        }
    }

    pub(super) fn is_edge(&self, v: u32, w: u32) -> bool {
        match self.form() {
            Form::Small(masks) => masks.row(v) >> w & 1 == 1,
            Form::Large(graph) => graph.arc(Vertex::new(v), Vertex::new(w)).is_some(),
        }
    }

    /// True if every vertex has at least this number of neighbours.
    pub(super) fn has_degrees(&self, least: u32) -> bool {
        match self.form() {
            Form::Small(masks) => masks.rows().iter().all(|row| row.count_ones() >= least),
            Form::Large(graph) => graph.vertices().all(|v| graph.degree(v) >= least as usize),
        }
    }

    /// Returns the graph without the vertex `v`. The remaining vertices are renumbered.
    pub(super) fn without(&self, v: u32) -> Self {
        match self.form() {
            Form::Small(masks) => Self::Small(masks.without(v)),
            Form::Large(graph) => {
                let number = |w: u32| w - u32::from(w > v);
                let edges = edges(graph).filter(|&(a, b)| a != v && b != v);
                made(graph.n_vertices() - 1, edges.map(|(a, b)| (number(a), number(b))))
            }
        }
    }

    /// Returns the graph with the added edge vw. The two vertices must be different.
    pub(super) fn joined(&self, v: u32, w: u32) -> Self {
        match self.form() {
            Form::Small(masks) => Self::Small(masks.joined(v, w)),
            Form::Large(graph) => made(graph.n_vertices(), edges(graph).chain([(v, w)])),
        }
    }

    /// Returns the graph with one more vertex, adjacent to all others.
    pub(super) fn cone(&self) -> Self {
        if let Form::Small(masks) = self.form()
            && let Some(cone) = masks.cone()
        {
            return Self::Small(cone);
        }
        let (graph, n) = (self.to_graph(), self.n());
        made(n + 1, edges(&graph).chain((0..n).map(|v| (v, n))))
    }
}

/// Returns the edges of a graph, the lesser vertex first.
fn edges(graph: &Graph) -> impl Iterator<Item = (u32, u32)> + '_ {
    graph.arcs().filter(|arc| arc.tail < arc.head).map(|arc| (arc.tail.number(), arc.head.number()))
}

fn made(n: u32, edges: impl Iterator<Item = (u32, u32)>) -> SubjectGraph {
    Graph::from_edges(n, edges).expect("edges join different vertices of the graph").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_forms_change_alike(graph in graphs(3..=9), v in 0..9u32, w in 0..9u32) {
            let (v, w) = (v % graph.n_vertices(), w % graph.n_vertices());
            let small = SubjectGraph::from(graph.clone());
            let large = SubjectGraph::Large(graph);
            prop_assert!(matches!(small, SubjectGraph::Small(_)));
            prop_assert_eq!((small.n(), small.n_edges()), (large.n(), large.n_edges()));
            prop_assert_eq!(small.is_edge(v, w), large.is_edge(v, w));
            prop_assert_eq!(small.cone().to_graph(), large.cone().to_graph());
            if v != w {
                prop_assert_eq!(small.joined(v, w).to_graph(), large.joined(v, w).to_graph());
            }
            // The two forms renumber the other vertices differently, so only the degrees are compared.
            let degrees = |graph: &SubjectGraph| {
                let graph = graph.without(v).to_graph();
                let mut degrees: Vec<_> = graph.vertices().map(|v| graph.degree(v)).collect();
                degrees.sort_unstable();
                degrees
            };
            prop_assert_eq!(degrees(&small), degrees(&large));
        }
    }
}
