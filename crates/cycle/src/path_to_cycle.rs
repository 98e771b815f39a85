//! Path-to-cycle reduction: a few new vertices turn the Hamiltonian paths of a graph into Hamiltonian cycles.
//!
//! If both ends s and t are given, a path over one or two new vertices joins them. If only s is given, a new vertex x
//! is joined to every vertex that may be the other end. A path over new vertices of degree 2 joins x to s. If both ends
//! are free, x is joined to every vertex that may be an end. In a connected bipartite graph, the colours of possible
//! ends are known. Then the new vertices are chosen so that the new graph is also bipartite. Thus methods for bipartite
//! graphs can also find Hamiltonian paths of bipartite graphs.

use std::iter;

use hamcnf_graph::{Facts, Graph, GraphError, Vertex};

use hamcnf_tours::endpoints::Endpoints;

/// Graph whose Hamiltonian cycles correspond to the Hamiltonian paths with given endpoints in another graph.
#[derive(Debug)]
pub struct PathToCycle {
    graph: Option<Graph>,
    /// Number of vertices of the original graph. The new vertices are numbered from `n`.
    n: u32,
    ends: Endpoints,
}

impl PathToCycle {
    /// Builds the reduction for the graph of `facts` and the endpoints `ends`.
    ///
    /// # Errors
    ///
    /// Returns [`GraphError::TooManyArcs`] if the new graph has too many arcs.
    pub fn new(facts: &Facts, ends: Endpoints) -> Result<Self, GraphError> {
        let n = facts.graph().n_vertices();
        let Endpoints::Open { from, to } = ends else {
            return Ok(Self { graph: None, n, ends });
        };
        let old = facts.graph().arcs().filter(|arc| arc.tail < arc.head);
        let old = old.map(|arc| (arc.tail.number(), arc.head.number()));
        let graph = match (from, to) {
            (Some(s), Some(t)) if s != t => {
                // In a bipartite graph, if the ends have different colours, the path over new vertices must have an odd
                // number of steps.
                let differ = facts.colours().is_some_and(|of| of[s.index()] != of[t.index()]);
                let x = n + u32::from(differ);
                let between = differ.then_some((n, x));
                let new = [(s.number(), n), (x, t.number())];
                Graph::from_edges(x + 1, old.chain(new).chain(between))?
            }
            // If the two ends coincide, the path has a single vertex.
            (Some(s), Some(_)) => Graph::from_edges(n + 1, old.chain([(s.number(), n)]))?,
            (Some(s), None) | (None, Some(s)) => {
                let (last, between) = last_of(facts, s);
                let x = n + between;
                let chain = iter::once(s.number()).chain(n..=x);
                let chain: Vec<_> = chain.clone().zip(chain.skip(1)).collect();
                let fan = last.into_iter().map(|t| (x, t));
                Graph::from_edges(x + 1, old.chain(chain).chain(fan))?
            }
            (None, None) => match by_colour(facts) {
                // The ends of a Hamiltonian path with an even number of vertices have different colours. One end is
                // joined to x and the other to y. Two new vertices of degree 2 join x and y.
                Some([firsts, seconds]) if n.is_multiple_of(2) => {
                    let (x, y) = (n, n + 3);
                    let chain = (x..y).zip(x + 1..=y);
                    let fans = firsts.into_iter().map(|v| (v, x));
                    let fans = fans.chain(seconds.into_iter().map(|v| (v, y)));
                    Graph::from_edges(y + 1, old.chain(chain).chain(fans))?
                }
                // The ends of a Hamiltonian path with an odd number of vertices have the more frequent colour.
                Some([firsts, seconds]) => {
                    let ends = if firsts.len() > seconds.len() { firsts } else { seconds };
                    let fan = ends.into_iter().map(|v| (v, n));
                    Graph::from_edges(n + 1, old.chain(fan))?
                }
                None => Graph::from_edges(n + 1, old.chain((0..n).map(|v| (v, n))))?,
            },
        };
        Ok(Self { graph: Some(graph), n, ends })
    }

    /// Returns the graph with the new vertices; `None` for closed tours, which need no reduction.
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.as_ref()
    }

    /// Returns the path that corresponds to a cycle of the new graph. For closed tours, returns the cycle, rotated to
    /// begin at `start`.
    pub fn open(&self, mut cycle: Vec<Vertex>, start: Vertex) -> Vec<Vertex> {
        let is_new = |v: &Vertex| v.number() >= self.n;
        let first = match self.ends {
            Endpoints::Closed => cycle.iter().position(|&v| v == start),
            // The new vertices are consecutive on the cycle, and the path begins after them.
            Endpoints::Open { .. } => {
                let n = cycle.len();
                (0..n).find(|&k| is_new(&cycle[(k + n - 1) % n]) && !is_new(&cycle[k]))
            }
        };
        cycle.rotate_left(first.unwrap_or(0));
        cycle.retain(|v| !is_new(v));
        let reversed = match self.ends {
            Endpoints::Closed => false,
            Endpoints::Open { from, to } => {
                from.is_some_and(|s| cycle.first() != Some(&s)) || to.is_some_and(|t| cycle.last() != Some(&t))
            }
        };
        if reversed {
            cycle.reverse();
        }
        cycle
    }
}

/// Returns the possible last vertices of a Hamiltonian path from `s`. A new vertex x is joined to each of them. Also
/// returns the number of new vertices between `s` and x.
fn last_of(facts: &Facts, s: Vertex) -> (Vec<u32>, u32) {
    let others = |keep: &dyn Fn(Vertex) -> bool| {
        let vertices = facts.graph().vertices();
        let ends = vertices.filter(|&v| v != s && keep(v));
        ends.map(Vertex::number).collect::<Vec<u32>>()
    };
    match facts.colours() {
        // Colours alternate along the path. If the number of vertices is odd, the last vertex has the colour of s. Then
        // x has the other colour, so an odd number of steps leads from s to x.
        Some(colours) if facts.components().count() == 1 => {
            let odd = colours.len() % 2 == 1;
            let of_s = colours[s.index()];
            let ends = others(&|v| (colours[v.index()] == of_s) == odd);
            (ends, if odd { 2 } else { 1 })
        }
        _ => (others(&|_| true), 1),
    }
}

/// Returns the vertices of each colour if the graph is bipartite and connected, and `None` otherwise.
fn by_colour(facts: &Facts) -> Option<[Vec<u32>; 2]> {
    let colours = facts.colours().filter(|_| facts.components().count() == 1)?;
    let of = |second: bool| {
        let vertices = facts.graph().vertices().zip(colours);
        let these = vertices.filter(|&(_, &colour)| colour == second);
        these.map(|(v, _)| v.number()).collect()
    };
    Some([of(false), of(true)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::graph_strategy::{graphs, paths};
    use proptest::prelude::*;

    /// Returns the Hamiltonian cycles in both directions, starting at vertex 0.
    fn cycles(graph: &Graph) -> Vec<Vec<Vertex>> {
        let mut cycles = paths(graph);
        cycles.retain(|path| {
            let closes = graph.arc(path[path.len() - 1], path[0]).is_some();
            path[0] == Vertex::new(0) && path.len() > 2 && closes
        });
        cycles
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn cycles_of_the_closure_are_the_paths(graph in graphs(2..=6), s in 0u32..6, t in 0u32..6) {
            let n = graph.n_vertices();
            let facts = Facts::from(graph);
            let (s, t) = (Vertex::new(s % n), Vertex::new(t % n));
            for (from, to) in [(Some(s), Some(t)), (Some(s), None), (None, Some(t)), (None, None)] {
                if from == to && from.is_some() {
                    continue;
                }
                let closure = PathToCycle::new(&facts, Endpoints::Open { from, to }).unwrap();
                let graph = closure.graph().unwrap();
                let mut expected = paths(facts.graph());
                expected.retain(|path| {
                    from.is_none_or(|s| path[0] == s) && to.is_none_or(|t| path[path.len() - 1] == t)
                });
                let mut found: Vec<_> =
                    cycles(graph).into_iter().map(|cycle| closure.open(cycle, s)).collect();
                found.sort();
                // If an end is fixed, both directions of a cycle give the same path.
                if from.is_some() || to.is_some() {
                    found.dedup();
                }
                expected.sort();
                prop_assert_eq!(found, expected);
                if facts.colours().is_some() && facts.components().count() == 1 && to.is_none() {
                    prop_assert!(Facts::from(graph.clone()).colours().is_some());
                }
            }
        }
    }
}
