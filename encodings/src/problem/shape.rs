//! What is seen of a graph at a glance: degrees, parts, two colours.

use super::graph::{Graph, Vertex};

/// The shape of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The least and the greatest degree, if there is a vertex.
    pub degrees: Option<(usize, usize)>,
    /// How many connected components there are.
    pub components: u32,
    /// How many vertices have each of two colours such that adjacent ones have different colours, if the graph
    /// is bipartite. The least vertex of each component has the first colour.
    pub colours: Option<[u32; 2]>,
}

impl Shape {
    /// The shape of this graph, by one search through all of it.
    #[must_use]
    pub fn of(graph: &Graph) -> Self {
        let degrees = || graph.vertices().map(|v| graph.degree(v));
        let mut colour: Vec<Option<bool>> = vec![None; graph.n_vertices() as usize];
        let mut sizes = [0; 2];
        let (mut components, mut bipartite) = (0, true);
        let mut found: Vec<(Vertex, bool)> = Vec::new();
        for first in graph.vertices() {
            if colour[first.index()].is_some() {
                continue;
            }
            components += 1;
            colour[first.index()] = Some(false);
            found.push((first, false));
            while let Some((v, of_v)) = found.pop() {
                sizes[usize::from(of_v)] += 1;
                for &w in graph.neighbours(v) {
                    match colour[w.index()] {
                        Some(of_w) => bipartite &= of_w != of_v,
                        None => {
                            colour[w.index()] = Some(!of_v);
                            found.push((w, !of_v));
                        }
                    }
                }
            }
        }
        Self {
            degrees: degrees().min().zip(degrees().max()),
            components,
            colours: bipartite.then_some(sizes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::graph::strategy::graphs;
    use proptest::prelude::*;

    #[test]
    fn shapes_of_small_graphs() {
        let shape = |n, edges: &[(u32, u32)]| {
            let Shape {
                degrees,
                components,
                colours,
            } = Shape::of(&Graph::from_edges(n, edges.iter().copied()).unwrap());
            (degrees, components, colours)
        };
        assert_eq!(shape(0, &[]), (None, 0, Some([0, 0])));
        assert_eq!(shape(3, &[]), (Some((0, 0)), 3, Some([3, 0])));
        assert_eq!(shape(3, &[(0, 1), (2, 1)]), (Some((1, 2)), 1, Some([2, 1])));
        assert_eq!(shape(4, &[(0, 1), (1, 2), (0, 2)]), (Some((0, 2)), 2, None));
    }

    proptest! {
        #[test]
        fn as_the_searches_one_by_one_say(graph in graphs(2..=9)) {
            let shape = Shape::of(&graph);
            let reached = graph.distances(Vertex::new(0));
            prop_assert_eq!(shape.components == 1, reached.iter().all(Option::is_some));
            let colours = graph.two_colouring(Vertex::new(0)).map(|colours| {
                let second = colours.iter().filter(|&&second| second).count() as u32;
                [graph.n_vertices() - second, second]
            });
            prop_assert_eq!(shape.colours, colours);
        }
    }
}
