//! Vertex splitting: directed tours become undirected closed tours.
//!
//! A digraph D becomes a graph G with three vertices for each vertex v of D, an *entry*, a *middle* and an *exit*. They form
//! the path
//!
//! - (1) v_in – v_mid – v_out for every vertex v,
//!
//! and every arc of D becomes an edge from an exit to an entry:
//!
//! - (2) u_out – v_in for every arc (u, v).
//!
//! A middle has degree 2, so a Hamiltonian cycle of G contains every path (1). Read in the direction from an entry to its
//! middle, the cycle then leaves every vertex by its exit. So Hamiltonian cycles of G and directed Hamiltonian cycles of D
//! correspond one to one, where a cycle of G and its reverse are the same cycle. Counts carry over, and so do proofs.
//!
//! An open tour becomes a closed tour of D with one more vertex z, which follows the last vertex and precedes the first:
//! there are arcs from every vertex that may be last to z, and from z to every vertex that may be first.
//!
//! G has 3n vertices and m + 2n edges, where D has n vertices and m arcs.
//!
//! # References
//!
//! - R. M. Karp: *Reducibility among Combinatorial Problems*, 1972: reduction of directed to undirected Hamiltonian cycles.

use super::digraph::Digraph;
use super::endpoints::Endpoints;
use super::graph::{Graph, GraphError, Vertex};
use super::instance::{Instance, InstanceError, TourKind};
use super::tour::{NotATour, Tour};
use super::vertex_names::{VertexNames, Words};

/// Reason why a digraph cannot be split.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SplitError {
    /// The new graph has too many arcs.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The new graph is not an instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// Adds the vertex z to a digraph, with the number n, so that its closed tours are the open tours with these endpoints.
/// Returns `None` for closed tours.
///
/// # Errors
///
/// [`GraphError`] if there would be too many arcs.
pub fn closed(digraph: &Digraph, ends: Endpoints) -> Result<Option<Digraph>, GraphError> {
    let Endpoints::Open { from, to } = ends else {
        return Ok(None);
    };
    let z = digraph.n_vertices();
    let arcs = digraph
        .arcs()
        .map(|arc| (arc.tail.number(), arc.head.number()));
    let is = |given: Option<Vertex>, v: Vertex| given.is_none_or(|given| given == v);
    let firsts = digraph.vertices().filter(|&v| is(from, v));
    let lasts = digraph.vertices().filter(|&v| is(to, v));
    let begin = firsts.map(|v| (z, v.number()));
    let end = lasts.map(|v| (v.number(), z));
    Digraph::from_arcs(z + 1, arcs.chain(begin).chain(end)).map(Some)
}

/// Returns the instance of closed tours on the split graph of a directed instance. The tours have these endpoints.
///
/// # Errors
///
/// [`SplitError`] if the new graph would have too many arcs.
pub fn split(instance: &Instance, ends: Endpoints) -> Result<Instance, SplitError> {
    let with_z = closed(instance.digraph(), ends)?;
    let digraph = with_z.as_ref().unwrap_or(instance.digraph());
    // (1) v_in – v_mid – v_out
    let paths = digraph.vertices().flat_map(|v| {
        let [entry, middle, exit] = parts(v);
        [(entry, middle), (middle, exit)]
    });
    // (2) u_out – v_in
    let arcs = digraph.arcs().map(|arc| {
        let ([_, _, exit], [entry, _, _]) = (parts(arc.tail), parts(arc.head));
        (exit, entry)
    });
    let graph = Graph::from_edges(3 * digraph.n_vertices(), paths.chain(arcs))?;
    let [_, start, _] = match (ends, with_z.is_some()) {
        (Endpoints::Open { .. }, true) => parts(Vertex::new(instance.n())),
        _ => parts(instance.start()),
    };
    let start = Vertex::new(start);
    let split = Instance::on_graph(instance.name(), graph, TourKind::Closed, start)?;
    Ok(split.called(names(instance, digraph.n_vertices())))
}

/// Returns the directed tour of a tour of the split graph. `instance` starts where the tour starts.
///
/// # Errors
///
/// [`NotATour`] if the result is not a tour of the instance, which it is for every tour of its split graph.
pub fn joined(instance: &Instance, split: &Tour) -> Result<Tour, NotATour> {
    let order = split.order();
    let n = order.len();
    let is_middle = |v: &Vertex| v.number() % 3 == 1;
    // On the way from an entry to a middle, the number increases by one.
    let is_forward = order.iter().position(is_middle).is_some_and(|k| {
        let (before, middle) = (order[(k + n - 1) % n], order[k]);
        before.number() + 1 == middle.number()
    });
    let mut middles: Vec<_> = order
        .iter()
        .filter(|v| is_middle(v))
        .map(|v| Vertex::new(v.number() / 3))
        .collect();
    if !is_forward {
        middles.reverse();
    }
    let z = middles.iter().position(|v| v.number() == instance.n());
    let first = match z {
        Some(z) => z,
        None => {
            let start = middles.iter().position(|&v| v == instance.start());
            start.unwrap_or(0)
        }
    };
    middles.rotate_left(first);
    if z.is_some() {
        middles.remove(0);
    }
    let first = middles.first().copied();
    let at = first.and_then(|first| instance.starting_at(first).ok());
    Tour::check(at.as_ref().unwrap_or(instance), middles)
}

/// Returns the numbers of the entry, the middle and the exit of a vertex.
fn parts(v: Vertex) -> [u32; 3] {
    let first = 3 * v.number();
    [first, first + 1, first + 2]
}

/// Returns names for the vertices of the split graph, such as `7-in`, `7` and `7-out`, and `end` for z.
fn names(instance: &Instance, n: u32) -> VertexNames {
    let words = (0..n).flat_map(|v| {
        let name = match v < instance.n() {
            true => instance.vertex_name(Vertex::new(v)),
            false => "end".to_owned(),
        };
        [format!("{name}-in"), name.clone(), format!("{name}-out")]
    });
    // A file may have such names itself. Then the vertices are numbered.
    Words::new(words.collect()).map_or_else(|_| VertexNames::default(), VertexNames::Words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digraph::strategy::digraphs;
    use proptest::prelude::*;

    /// Returns all tours as orders, by extending paths.
    fn orders(instance: &Instance, ends: Endpoints) -> Vec<Vec<u32>> {
        fn extend(at: &Instance, path: &mut Vec<Vertex>, found: &mut Vec<Vec<u32>>) {
            if path.len() == at.n() as usize {
                let tour = Tour::check(at, path.clone());
                found
                    .extend(tour.map(|t| t.order().iter().map(|v| v.number()).collect::<Vec<_>>()));
            }
            for &next in at.digraph().successors(path[path.len() - 1]) {
                if !path.contains(&next) {
                    path.push(next);
                    extend(at, path, found);
                    path.pop();
                }
            }
        }
        let mut found = Vec::new();
        let starts: Vec<_> = match ends {
            Endpoints::Open { from: None, .. } => instance.digraph().vertices().collect(),
            _ => vec![instance.start()],
        };
        for start in starts {
            extend(
                &instance.starting_at(start).unwrap(),
                &mut vec![start],
                &mut found,
            );
        }
        if let Endpoints::Open { to: Some(to), .. } = ends {
            found.retain(|order| order.last() == Some(&to.number()));
        }
        found.sort();
        found
    }

    proptest! {
        #[test]
        fn tours_of_the_split_graph_are_the_directed_tours(digraph in digraphs(2..=5), pick in 0u32..20) {
            let n = digraph.n_vertices();
            let (s, t) = (Vertex::new(pick % n), Vertex::new((pick + 1) % n));
            for ends in [
                Endpoints::Closed,
                Endpoints::ANYWHERE,
                Endpoints::Open { from: Some(s), to: None },
                Endpoints::Open { from: None, to: Some(t) },
                Endpoints::Open { from: Some(s), to: Some(t) },
            ] {
                let kind = match ends {
                    Endpoints::Closed => TourKind::Closed,
                    Endpoints::Open { .. } => TourKind::Open,
                };
                let instance = Instance::on_digraph("d", digraph.clone(), kind, s).unwrap();
                let split = split(&instance, ends).unwrap();
                let mut found = Vec::new();
                for order in orders(&split, Endpoints::Closed) {
                    // The search finds each tour in both directions.
                    if order[1] < order[order.len() - 1] {
                        let order = order.into_iter().map(Vertex::new).collect();
                        let tour = joined(&instance, &Tour::check(&split, order).unwrap()).unwrap();
                        found.push(tour.order().iter().map(|v| v.number()).collect::<Vec<_>>());
                    }
                }
                found.sort();
                prop_assert_eq!(found, orders(&instance, ends));
            }
        }
    }
}
