//! Tours as sequences of nodes of a petgraph graph.

use petgraph::visit::NodeCompactIndexable;

use crate::tour::Tour;

impl Tour {
    /// Returns the tour as a sequence of nodes of `graph`, the petgraph graph from which the instance was made.
    pub fn nodes<G: NodeCompactIndexable>(&self, graph: G) -> impl Iterator<Item = G::NodeId> {
        let order = self.order().iter();
        order.map(move |v| graph.from_index(v.index()))
    }
}

#[cfg(test)]
mod tests {
    use hamcnf_graph::{Graph, Vertex};
    use petgraph::graph::UnGraph;

    use crate::{Instance, Tour, TourKind};

    #[test]
    fn nodes_come_back() {
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
    }
}
