//! Facts about a graph. Each fact is computed once, on first use, and kept with the graph.

use std::sync::OnceLock;

use crate::connectivity::{Components, components};
use crate::graph::{Graph, Vertex};

/// A graph with the facts that have been computed about it so far.
#[derive(Debug)]
pub struct Facts {
    graph: Graph,
    components: OnceLock<Components>,
    colours: OnceLock<Option<Vec<bool>>>,
}

impl From<Graph> for Facts {
    fn from(graph: Graph) -> Self {
        Self { graph, components: OnceLock::new(), colours: OnceLock::new() }
    }
}

impl Facts {
    /// Returns the graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the connected components.
    pub fn components(&self) -> &Components {
        self.components.get_or_init(|| components(&self.graph))
    }

    /// Returns the colour of each vertex in a 2-colouring; `None` if the graph is not bipartite. Adjacent vertices have
    /// different colours. The least vertex of each component has colour `false`.
    pub fn colours(&self) -> Option<&[bool]> {
        let colours = self.colours.get_or_init(|| two_colouring(&self.graph));
        colours.as_deref()
    }

    /// Returns the sizes of the two colour classes; `None` if the graph is not bipartite. The least vertex of each
    /// component is in the first class.
    pub fn colour_sizes(&self) -> Option<[u32; 2]> {
        let second = self.colours()?.iter().filter(|&&second| second).count() as u32;
        Some([self.graph.n_vertices() - second, second])
    }

    /// Returns a flag for each vertex, true if its distance from `start` is odd; `None` if the graph is not bipartite.
    /// In a component without the start, distances are measured from the least vertex of the component.
    pub fn odd_from(&self, start: Vertex) -> Option<Vec<bool>> {
        let (colours, components) = (self.colours()?, self.components());
        let (at_start, second) = (components.of(start), colours[start.index()]);
        let vertices = self.graph.vertices();
        let other_way = |v| second && components.of(v) == at_start;
        Some(vertices.map(|v| colours[v.index()] != other_way(v)).collect())
    }
}

/// Returns the colour of each vertex in a 2-colouring like [`Facts::colours`]; `None` if the graph is not bipartite.
pub fn two_colouring(graph: &Graph) -> Option<Vec<bool>> {
    let mut colours = vec![false; graph.n_vertices() as usize];
    for (v, before) in graph.breadth_first(graph.vertices(), |v| graph.neighbours(v).iter().copied()) {
        colours[v.index()] = before.is_some_and(|u| !colours[u.index()]);
    }
    let are_different = graph.edges().all(|(u, v)| colours[u as usize] != colours[v as usize]);
    are_different.then_some(colours)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::strategy::graphs;
    use proptest::prelude::*;

    #[test]
    fn even_cycles_have_two_colours_and_odd_ones_have_not() {
        let cycle = |n| Graph::from_edges(n + 2, (0..n).map(|i| (i, (i + 1) % n)).chain([(n, n + 1)]));
        let facts = Facts::from(cycle(4).unwrap());
        let from = |v| facts.odd_from(Vertex::new(v)).unwrap();
        assert_eq!(from(1), [true, false, true, false, false, true]);
        assert_eq!(from(0), [false, true, false, true, false, true]);
        assert_eq!(from(5), [false, true, false, true, true, false]);
        let odd = Facts::from(cycle(5).unwrap());
        assert_eq!((odd.odd_from(Vertex::new(1)), odd.components().count()), (None, 2));
        let sizes =
            |n, edges: &[(u32, u32)]| Facts::from(Graph::from_edges(n, edges.iter().copied()).unwrap()).colour_sizes();
        assert_eq!([sizes(0, &[]), sizes(3, &[]), sizes(3, &[(0, 1), (2, 1)])], [[0, 0], [3, 0], [2, 1]].map(Some));
        assert_eq!(sizes(4, &[(0, 1), (1, 2), (0, 2)]), None);
    }

    proptest! {
        #[test]
        fn components_and_colours_are_what_distances_say(graph in graphs(2..=9)) {
            let facts = Facts::from(graph);
            let (graph, components) = (facts.graph(), facts.components());
            let mut parity = true;
            for v in graph.vertices() {
                let odd = facts.odd_from(v);
                for (w, distance) in graph.vertices().zip(graph.distances(v)) {
                    let together = components.of(v) == components.of(w);
                    prop_assert_eq!(together, distance.is_some());
                    if let (Some(odd), Some(distance)) = (&odd, distance) {
                        prop_assert_eq!(odd[w.index()], distance % 2 == 1);
                    }
                }
                let distances = graph.distances(v);
                parity &= graph.arcs().all(|arc| {
                    let [a, b] = [arc.tail, arc.head].map(|end| distances[end.index()]);
                    a.is_none() || a != b
                });
            }
            prop_assert_eq!(facts.colours().is_some(), parity);
        }
    }
}
