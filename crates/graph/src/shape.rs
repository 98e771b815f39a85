//! Basic properties of a graph: degrees, components, colour classes.

use crate::facts::Facts;

/// Basic properties of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Least and greatest degree of a vertex; `None` if the graph has no vertices.
    pub degrees: Option<(usize, usize)>,
    /// Number of connected components.
    pub components: u32,
    /// Sizes of the two colour classes; `None` if the graph is not bipartite. The least vertex of each component is in
    /// the first class.
    pub colours: Option<[u32; 2]>,
}

impl Shape {
    /// Computes the properties of a graph.
    pub fn of(facts: &Facts) -> Self {
        let graph = facts.graph();
        let degrees = || graph.vertices().map(|v| graph.degree(v));
        let sizes = |colours: &[bool]| {
            let second = colours.iter().filter(|&&second| second).count() as u32;
            [graph.n_vertices() - second, second]
        };
        Self {
            degrees: degrees().min().zip(degrees().max()),
            components: facts.components().count(),
            colours: facts.colours().map(sizes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;

    #[test]
    fn shapes_of_small_graphs() {
        let shape = |n, edges: &[(u32, u32)]| {
            let Shape { degrees, components, colours } =
                Shape::of(&Graph::from_edges(n, edges.iter().copied()).unwrap().into());
            (degrees, components, colours)
        };
        assert_eq!(shape(0, &[]), (None, 0, Some([0, 0])));
        assert_eq!(shape(3, &[]), (Some((0, 0)), 3, Some([3, 0])));
        assert_eq!(shape(3, &[(0, 1), (2, 1)]), (Some((1, 2)), 1, Some([2, 1])));
        assert_eq!(shape(4, &[(0, 1), (1, 2), (0, 2)]), (Some((0, 2)), 2, None));
    }
}
