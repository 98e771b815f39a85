//! Conversion between [`Graph`] and the graphs of the crate petgraph. Vertex v corresponds to the node with index v.
//! Weights of nodes and edges are ignored.

use petgraph::Undirected;
use petgraph::graph::UnGraph;
use petgraph::visit::{EdgeRef, GraphProp, IntoEdgeReferences, NodeCompactIndexable};

use crate::graph::{Graph, GraphError};

impl Graph {
    /// Returns the graph with the edges of an undirected petgraph graph, whose nodes must have compact indices from 0.
    /// Parallel edges become one edge.
    ///
    /// ```
    /// use hamcnf_graph::Graph;
    /// use petgraph::graph::UnGraph;
    ///
    /// let cities = UnGraph::<(), f64>::from_edges([(0, 1, 3.5), (1, 2, 1.0), (2, 0, 0.2)]);
    /// let graph = Graph::from_petgraph(&cities)?;
    /// assert_eq!(graph.n_edges(), 3);
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

    proptest! {
        #[test]
        fn there_and_back(graph in graphs(1..=12)) {
            let there = UnGraph::from(&graph);
            prop_assert_eq!(Graph::from_petgraph(&there), Ok(graph));
        }
    }

    #[test]
    fn loops_are_refused() {
        let mut looped = UnGraph::<(), ()>::from_edges([(0, 1), (1, 2)]);
        let node = looped.node_indices().next_back().expect("it has three nodes");
        looped.add_edge(node, node, ());
        assert_eq!(Graph::from_petgraph(&looped), Err(GraphError::Loop(2)));
    }
}
