//! Conversion between [`Graph`] and the graphs of the crate petgraph. Vertex v corresponds to the node with index v.
//! Weights of nodes and edges are ignored.

use petgraph::Undirected;
use petgraph::graph::UnGraph;
use petgraph::visit::{EdgeRef, GraphProp, IntoEdgeReferences, NodeCompactIndexable};

use super::graph::{Graph, GraphError};
use super::tour::Tour;

impl Graph {
    /// Returns the graph with the edges of an undirected petgraph graph, whose nodes must have compact indices from 0.
    /// Parallel edges become one edge.
    ///
    /// ```
    /// use hamcnf_graph::{Graph, Instance, TourKind, Vertex};
    /// use petgraph::graph::UnGraph;
    ///
    /// let cities = UnGraph::<(), f64>::from_edges([(0, 1, 3.5), (1, 2, 1.0), (2, 0, 0.2)]);
    /// let graph = Graph::from_petgraph(&cities)?;
    /// let instance = Instance::on_graph("cities", graph, TourKind::Closed, Vertex::new(0))?;
    /// assert_eq!(instance.graph().n_edges(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`GraphError`] if an edge joins a node to itself, or if there are too many edges or nodes.
    pub fn from_petgraph<G>(graph: G) -> Result<Self, GraphError>
    where
        G: IntoEdgeReferences + NodeCompactIndexable + GraphProp<EdgeType = Undirected>,
    {
        let index = |node| graph.to_index(node) as u32;
        let n = u32::try_from(graph.node_bound()).map_err(|_| GraphError::TooManyArcs(graph.node_bound() as u64))?;
        let edges = graph.edge_references();
        Self::from_edges(n, edges.map(|edge| (index(edge.source()), index(edge.target()))))
    }
}

impl Tour {
    /// Returns the tour as a sequence of nodes of `graph`, the petgraph graph from which the instance was made.
    pub fn nodes<G: NodeCompactIndexable>(&self, graph: G) -> impl Iterator<Item = G::NodeId> {
        let order = self.order().iter();
        order.map(move |v| graph.from_index(v.index()))
    }
}

impl From<&Graph> for UnGraph<(), ()> {
    fn from(graph: &Graph) -> Self {
        let mut made = Self::with_capacity(graph.n_vertices() as usize, graph.n_edges() as usize);
        let nodes: Vec<_> = graph.vertices().map(|_| made.add_node(())).collect();
        for arc in graph.arcs().filter(|arc| arc.tail < arc.head) {
            made.add_edge(nodes[arc.tail.index()], nodes[arc.head.index()], ());
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::graph_strategy::graphs;
    use crate::{Instance, TourKind, Vertex};

    proptest! {
        #[test]
        fn there_and_back(graph in graphs(1..=12)) {
            let there = UnGraph::from(&graph);
            prop_assert_eq!(Graph::from_petgraph(&there), Ok(graph));
        }
    }

    #[test]
    fn loops_are_refused_and_nodes_come_back() {
        let mut square = UnGraph::<&str, ()>::default();
        let nodes = ["a", "b", "c", "d"].map(|name| square.add_node(name));
        for k in 0..4 {
            square.add_edge(nodes[k], nodes[(k + 1) % 4], ());
        }
        let graph = Graph::from_petgraph(&square).unwrap();
        let start = Vertex::new(1);
        let instance = Instance::on_graph("square", graph, TourKind::Closed, start).unwrap();
        let order = [1, 2, 3, 0].map(Vertex::new).to_vec();
        let tour = Tour::check(&instance, order).unwrap();
        let names: Vec<_> = tour.nodes(&square).map(|node| square[node]).collect();
        assert_eq!(names, ["b", "c", "d", "a"]);
        square.add_edge(nodes[2], nodes[2], ());
        assert_eq!(Graph::from_petgraph(&square), Err(GraphError::Loop(2)));
    }
}
