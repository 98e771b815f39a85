//! Facts of a graph, each computed when it is first asked for, and once: whoever shares the graph shares them.

use std::sync::OnceLock;

use super::graph::{Graph, Vertex};

/// A graph with what has been found out about it.
#[derive(Debug)]
pub struct Facts {
    graph: Graph,
    parts: OnceLock<Parts>,
}

/// The connected components, and two colours where there are two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parts {
    /// The component of every vertex, numbered from 0 by their least vertices.
    pub component: Vec<u32>,
    /// How many components there are.
    pub components: u32,
    /// The colour of every vertex, adjacent ones having different colours and the least of each component the
    /// first, `false`; `None` if the graph is not bipartite.
    pub colour: Option<Vec<bool>>,
}

impl From<Graph> for Facts {
    fn from(graph: Graph) -> Self {
        Self {
            graph,
            parts: OnceLock::new(),
        }
    }
}

impl Facts {
    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Its components and colours.
    #[must_use]
    pub fn parts(&self) -> &Parts {
        self.parts.get_or_init(|| Parts::of(&self.graph))
    }

    /// Whether the distance from `start` is odd, of every vertex, if the graph is bipartite; in components without
    /// the start, the distance from their least vertex.
    #[must_use]
    pub fn odd_from(&self, start: Vertex) -> Option<Vec<bool>> {
        let Parts {
            component, colour, ..
        } = self.parts();
        let colour = colour.as_ref()?;
        let (at_start, second) = (component[start.index()], colour[start.index()]);
        let both = component.iter().zip(colour);
        let odd = both.map(|(&part, &colour)| colour != (second && part == at_start));
        Some(odd.collect())
    }
}

impl Parts {
    /// By one search through all of the graph.
    #[must_use]
    pub fn of(graph: &Graph) -> Self {
        let n = graph.n_vertices() as usize;
        let mut found: Vec<Option<(u32, bool)>> = vec![None; n];
        let (mut components, mut bipartite) = (0, true);
        let mut open: Vec<Vertex> = Vec::new();
        for first in graph.vertices() {
            if found[first.index()].is_some() {
                continue;
            }
            found[first.index()] = Some((components, false));
            open.push(first);
            while let Some(v) = open.pop() {
                let of_v = found[v.index()].is_some_and(|(_, colour)| colour);
                for &w in graph.neighbours(v) {
                    match found[w.index()] {
                        Some((_, of_w)) => bipartite &= of_w != of_v,
                        None => {
                            found[w.index()] = Some((components, !of_v));
                            open.push(w);
                        }
                    }
                }
            }
            components += 1;
        }
        let (component, colour): (Vec<_>, Vec<_>) = found.into_iter().flatten().unzip();
        Self {
            component,
            components,
            colour: bipartite.then_some(colour),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::graph::strategy::graphs;
    use proptest::prelude::*;

    #[test]
    fn even_cycles_have_two_colours_and_odd_ones_have_not() {
        let cycle =
            |n| Graph::from_edges(n + 2, (0..n).map(|i| (i, (i + 1) % n)).chain([(n, n + 1)]));
        let facts = Facts::from(cycle(4).unwrap());
        let from = |v| facts.odd_from(Vertex::new(v)).unwrap();
        assert_eq!(from(1), [true, false, true, false, false, true]);
        assert_eq!(from(0), [false, true, false, true, false, true]);
        assert_eq!(from(5), [false, true, false, true, true, false]);
        let odd = Facts::from(cycle(5).unwrap());
        assert_eq!(
            (odd.odd_from(Vertex::new(1)), odd.parts().components),
            (None, 2)
        );
    }

    proptest! {
        #[test]
        fn parts_are_what_distances_say(graph in graphs(2..=9)) {
            let facts = Facts::from(graph);
            let (graph, parts) = (facts.graph(), facts.parts());
            let mut parity = true;
            for v in graph.vertices() {
                let odd = facts.odd_from(v);
                for (w, distance) in graph.vertices().zip(graph.distances(v)) {
                    let together = parts.component[v.index()] == parts.component[w.index()];
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
            prop_assert_eq!(parts.colour.is_some(), parity);
        }
    }
}
