//! Vertex splitting: directed tours become undirected closed tours.
//!
//! A digraph D becomes a graph G with three vertices for each vertex v of D, an *entry*, a *middle* and an *exit*. They
//! form the path
//!
//! - (1) v_in – v_mid – v_out for every vertex v,
//!
//! and every arc of D becomes an edge from an exit to an entry:
//!
//! - (2) u_out – v_in for every arc (u, v).
//!
//! A middle has degree 2, so a Hamiltonian cycle of G contains every path (1). Read in the direction from an entry to
//! its middle, the cycle then leaves every vertex by its exit. So Hamiltonian cycles of G and directed Hamiltonian
//! cycles of D correspond one to one, where a cycle of G and its reverse are the same cycle. Both graphs have the same
//! number of Hamiltonian cycles, and a proof that G has none also holds for D.
//!
//! An open tour becomes a closed tour of D with an additional vertex z between the last and the first vertex. Arcs lead
//! to z from every vertex that may be last, and from z to every vertex that may be first.
//!
//! G has 3n vertices and m + 2n edges, where D has n vertices and m arcs.
//!
//! Edges or arcs that constraints [force](crate::forced) are subdivided in D before D is split. Two kinds of undirected
//! instances are not split, only subdivided, which leaves a third of the vertices:
//!
//! - closed tours, even if one arc is forced: one direction of each closed tour has it;
//! - open tours with a given end, if no arc is forced. The edge from z to a given end is forced if any vertex can be the
//!   other end. One direction of each closed tour has the given end in its place. Tours from anywhere to anywhere are
//!   split, because there are two of them for each closed tour.
//!
//! # References
//!
//! - R. M. Karp: *Reducibility among Combinatorial Problems*, 1972: reduction of directed to undirected Hamiltonian
//!   cycles.

use crate::constraint::Means;
use crate::forced::{Forced, subdivided};
use crate::{Endpoints, Instance, InstanceError, NotATour, Tour, TourKind};
use hamcnf_graph::{Digraph, Graph, GraphError, Vertex, VertexNames};

/// Reason why a digraph cannot be split.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SplitError {
    /// The split graph would have too many arcs.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The split graph and its start do not form a valid instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// A change of the graph cannot express the constraint.
    #[error(
        "the constraint \"{0}\" needs clauses, which this method does not have; use `hamcnf solve` with --method auto or an encoding such as \"binary\", or `hamcnf count` with --method enumerate"
    )]
    Constraint(&'static str),
}

/// Returns the digraph with an additional vertex z, which comes after all other vertices. The closed tours of the new
/// digraph correspond to the open tours of `digraph` with these endpoints. Returns `None` if the endpoints are those of
/// closed tours.
///
/// # Errors
///
/// [`GraphError`] if there would be too many arcs.
pub fn closed(digraph: &Digraph, ends: Endpoints) -> Result<Option<Digraph>, GraphError> {
    let Endpoints::Open { from, to } = ends else {
        return Ok(None);
    };
    let z = digraph.n_vertices();
    let arcs = digraph.arcs().map(|arc| (arc.tail.number(), arc.head.number()));
    let is = |given: Option<Vertex>, v: Vertex| given.is_none_or(|given| given == v);
    let firsts = digraph.vertices().filter(|&v| is(from, v));
    let lasts = digraph.vertices().filter(|&v| is(to, v));
    let begin = firsts.map(|v| (z, v.number()));
    let end = lasts.map(|v| (v.number(), z));
    Digraph::from_arcs(z + 1, arcs.chain(begin).chain(end)).map(Some)
}

/// Returns an undirected instance without constraints whose closed tours correspond to the tours of `instance` with
/// these endpoints. If it makes no difference in which direction they pass an edge, only forced edges are subdivided.
/// Otherwise the vertices are split.
///
/// # Errors
///
/// [`SplitError`] if the new graph would have too many arcs, or if a change of the graph cannot express a constraint.
pub fn split(instance: &Instance, ends: Endpoints) -> Result<Instance, SplitError> {
    let mut forced = match instance.means() {
        Means::Graph => Vec::new(),
        Means::Subdivision(forced) => forced,
        Means::Clauses(name) => return Err(SplitError::Constraint(name)),
    };
    // A tour of two vertices uses the only edge anyway, so a forced edge need not be subdivided.
    forced.retain(|forced| forced.is_arc || instance.n() > 2);
    match is_only_subdivided(instance, ends) {
        true => subdivided_instance(instance, ends, forced),
        false => split_instance(instance, ends, &forced),
    }
}

/// Subdivides the forced edges of an instance's graph, which gets a vertex z between the ends of open tours.
fn subdivided_instance(instance: &Instance, ends: Endpoints, forced: Vec<Forced>) -> Result<Instance, SplitError> {
    let mut names: Vec<_> = instance.graph().vertices().map(|v| instance.vertex_name(v)).collect();
    let texts: Vec<_> = forced.iter().map(|forced| forced.text(instance)).collect();
    // Of the two directions of a closed tour, one has the forced arc.
    let mut forced: Vec<_> = forced.into_iter().map(|forced| Forced { is_arc: false, ..forced }).collect();
    let with_z = closed(instance.digraph(), ends)?;
    let mut start = instance.start();
    if let Endpoints::Open { from, to } = ends {
        start = Vertex::new(instance.n());
        names.push(name_of_end(&names));
        if let (Some(end), None) | (None, Some(end)) = (from, to) {
            // Before the others, as are the names.
            forced.insert(0, Forced { tail: start, head: end, is_arc: false });
            names.push(format!("{}-{}", names[start.index()], instance.vertex_name(end)));
        }
    }
    names.extend(texts);
    let graph = subdivided(with_z.as_ref().unwrap_or(instance.digraph()), &forced)?.underlying();
    let closed = Instance::on_graph(instance.name(), graph, TourKind::Closed, start)?;
    Ok(closed.called(VertexNames::of_words(names)))
}

/// Subdivides the forced edges and arcs of an instance's digraph, and splits its vertices.
fn split_instance(instance: &Instance, ends: Endpoints, forced: &[Forced]) -> Result<Instance, SplitError> {
    let with_z = closed(instance.digraph(), ends)?;
    let digraph = subdivided(with_z.as_ref().unwrap_or(instance.digraph()), forced)?;
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
    let z = Vertex::new(instance.n());
    let [_, start, _] = parts(if with_z.is_some() { z } else { instance.start() });
    let split = Instance::on_graph(instance.name(), graph, TourKind::Closed, Vertex::new(start))?;
    let mut all: Vec<_> = instance.graph().vertices().map(|v| instance.vertex_name(v)).collect();
    if with_z.is_some() {
        all.push(name_of_end(&all));
    }
    all.extend(forced.iter().map(|forced| forced.text(instance)));
    Ok(split.called(names(all.into_iter())))
}

/// True if [`split`] subdivides the graph of this instance without splitting its vertices: its graph is undirected, and its
/// tours are closed or have a given end; or they are closed, and its graph would be undirected if no arc were forced, and
/// exactly one is.
pub fn is_only_subdivided(instance: &Instance, ends: Endpoints) -> bool {
    let has_one_arc = || match instance.means() {
        Means::Subdivision(forced) => forced.iter().filter(|forced| forced.is_arc).count() == 1,
        _ => false,
    };
    let is_nearly_undirected = || instance.n() > 2 && instance.digraph().is_symmetric() && has_one_arc();
    match ends {
        Endpoints::Closed => !instance.is_directed() || is_nearly_undirected(),
        Endpoints::ANYWHERE => false,
        Endpoints::Open { .. } => !instance.is_directed() && instance.n() > 1,
    }
}

/// Returns the tour of `instance` with these endpoints that corresponds to a tour of the split graph. A closed tour begins at
/// the start of `instance`.
///
/// # Errors
///
/// [`NotATour`] if the result is not a tour of the instance. This error does not occur for tours of the instance's
/// split graph.
pub fn joined(instance: &Instance, ends: Endpoints, split: &Tour) -> Result<Tour, NotATour> {
    match is_only_subdivided(instance, ends) {
        true => tour_without_new_vertices(instance, ends, split),
        false => tour_of_parts(instance, split),
    }
}

fn tour_without_new_vertices(instance: &Instance, ends: Endpoints, subdivided: &Tour) -> Result<Tour, NotATour> {
    // A closed tour of an open one's graph begins at z.
    let mut old: Vec<_> = subdivided.order().iter().copied().filter(|v| v.number() < instance.n()).collect();
    if let Endpoints::Open { from, to } = ends {
        let is_turned = |given: Option<Vertex>, end: Option<&Vertex>| given.is_some() && given.as_ref() != end;
        if is_turned(from, old.first()) || is_turned(to, old.last()) {
            old.reverse();
        }
        let at = old.first().and_then(|&first| instance.starting_at(first).ok());
        return Tour::check(at.as_ref().unwrap_or(instance), old);
    }
    if instance.is_directed() && Tour::check(instance, old.clone()).is_err() {
        old[1..].reverse();
    }
    Tour::check(instance, old)
}

fn tour_of_parts(instance: &Instance, split: &Tour) -> Result<Tour, NotATour> {
    let order = split.order();
    let n = order.len();
    let is_middle = |v: &Vertex| v.number() % 3 == 1;
    // In the forward direction, an entry precedes its middle, whose number is greater by one.
    let is_forward = order.iter().position(is_middle).is_some_and(|k| {
        let (before, middle) = (order[(k + n - 1) % n], order[k]);
        before.number() + 1 == middle.number()
    });
    let mut middles: Vec<_> = order.iter().filter(|v| is_middle(v)).map(|v| Vertex::new(v.number() / 3)).collect();
    if !is_forward {
        middles.reverse();
    }
    let is_open = instance.kind() == TourKind::Open;
    let z = middles.iter().position(|v| is_open && v.number() == instance.n());
    let first = match z {
        Some(z) => z,
        None => {
            let start = middles.iter().position(|&v| v == instance.start());
            start.unwrap_or(0)
        }
    };
    middles.rotate_left(first);
    middles.retain(|v| v.number() < instance.n());
    let first = middles.first().copied();
    let at = first.and_then(|first| instance.starting_at(first).ok());
    Tour::check(at.as_ref().unwrap_or(instance), middles)
}

/// Returns the name of a vertex z between the ends, which none of these names is: `end`, or `end'` and so on.
pub(crate) fn name_of_end(names: &[String]) -> String {
    let mut name = "end".to_owned();
    while names.contains(&name) {
        name.push('\'');
    }
    name
}

/// Returns the numbers of the entry, the middle and the exit of a vertex.
fn parts(v: Vertex) -> [u32; 3] {
    let first = 3 * v.number();
    [first, first + 1, first + 2]
}

/// Returns the names of the split graph's vertices, such as `7-in`, `7` and `7-out` for vertex 7. The argument has the
/// names of the digraph's vertices. If one of them is `7-in` already, the vertices have numbers.
fn names(vertices: impl Iterator<Item = String>) -> VertexNames {
    let parts = |name: String| [format!("{name}-in"), name.clone(), format!("{name}-out")];
    VertexNames::of_words(vertices.flat_map(parts).collect())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::constraint::{Context, moves};
    use hamcnf_graph::digraph::strategy::digraphs;
    use hamcnf_graph::graph::strategy::graphs;
    use proptest::prelude::*;

    /// Returns the vertex orders of all tours, found by extending paths.
    pub(crate) fn orders(instance: &Instance, ends: Endpoints) -> Vec<Vec<u32>> {
        /// Extends a path by the vertices in `left`. `after` has the successors of each vertex.
        fn extend(at: &Instance, after: &[u64], path: &mut Vec<Vertex>, left: u64, found: &mut Vec<Vec<u32>>) {
            if left == 0 {
                let tour = Tour::check(at, path.clone());
                found.extend(tour.map(|t| t.order().iter().map(|v| v.number()).collect::<Vec<_>>()));
            }
            let mut next = after[path[path.len() - 1].index()] & left;
            while next != 0 {
                let v = next.trailing_zeros();
                next &= next - 1;
                path.push(Vertex::new(v));
                extend(at, after, path, left ^ 1 << v, found);
                path.pop();
            }
        }
        let bits = |set: &[Vertex]| set.iter().fold(0, |bits, v| bits | 1 << v.number());
        let after: Vec<u64> = instance.digraph().vertices().map(|v| bits(instance.digraph().successors(v))).collect();
        let mut found = Vec::new();
        let starts: Vec<_> = match ends {
            Endpoints::Closed => vec![instance.start()],
            Endpoints::Open { from: Some(from), .. } => vec![from],
            Endpoints::Open { from: None, .. } => instance.digraph().vertices().collect(),
        };
        for start in starts {
            let left = ((1 << after.len()) - 1) ^ 1 << start.number();
            extend(&instance.starting_at(start).unwrap(), &after, &mut vec![start], left, &mut found);
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
                tours_agree(&Instance::on_digraph("d", digraph.clone(), kind, s).unwrap(), ends);
            }
        }

        /// Tests open tours with a given end in graphs with forced edges, whose vertices are not split.
        #[test]
        fn a_given_end_needs_only_a_subdivision(
            graph in graphs(2..=6),
            at in 0u32..30,
            forced in prop::collection::vec(0usize..30, 0..3),
        ) {
            let edges: Vec<_> = graph.edges().collect();
            prop_assume!(!edges.is_empty());
            let n = graph.n_vertices();
            let [s, t] = [at % n, at / n % n].map(Vertex::new);
            let instance = Instance::on_graph("g", graph, TourKind::Open, s).unwrap();
            let text = |k: &usize| <[u32; 2]>::from(edges[k % edges.len()]).map(|v| instance.vertex_name(Vertex::new(v))).join("-");
            let context = Context { instance: &instance, has_start: true };
            let constraints: Vec<_> =
                forced.iter().flat_map(|k| (moves::FORCE.parse)(&text(k), &context).unwrap()).collect();
            let constrained = instance.constrained(&constraints);
            for (from, to) in [(Some(s), None), (None, Some(t)), (Some(s), Some(t))] {
                let ends = Endpoints::Open { from, to };
                let new = split(&constrained, ends).unwrap();
                prop_assert!(new.n() as usize <= n as usize + 2 + forced.len());
                tours_agree(&constrained, ends);
            }
        }

        /// Tests graphs with one forced arc, whose vertices are not split.
        #[test]
        fn one_forced_arc_needs_only_a_subdivision(graph in graphs(3..=6), pick in 0usize..30, more in 0usize..30) {
            let edges: Vec<_> = graph.arcs().collect();
            prop_assume!(!edges.is_empty());
            let [arc, edge] = [pick, more].map(|k| edges[k % edges.len()]);
            let instance = Instance::on_graph("g", graph, TourKind::Closed, Vertex::new(0)).unwrap();
            let name = |v| instance.vertex_name(v);
            let forced = [
                format!("{}->{}", name(arc.tail), name(arc.head)),
                format!("{}-{}", name(edge.tail), name(edge.head)),
            ];
            let context = Context { instance: &instance, has_start: false };
            let parsed = forced.iter().map(|text| (moves::FORCE.parse)(text, &context).unwrap());
            let constraints: Vec<_> = parsed.flatten().collect();
            for constraints in [&constraints[..1], &constraints] {
                let constrained = instance.constrained(constraints);
                let new = split(&constrained, Endpoints::Closed).unwrap();
                prop_assert!(new.n() <= instance.n() + 2);
                tours_agree(&constrained, Endpoints::Closed);
            }
        }
    }

    /// Tests that the tours of an instance's split graph correspond one to one to the tours of the instance.
    #[track_caller]
    fn tours_agree(instance: &Instance, ends: Endpoints) {
        let split = split(instance, ends).unwrap();
        let mut found = Vec::new();
        for order in orders(&split, Endpoints::Closed) {
            // The search finds each closed tour in both directions; only one direction is used.
            if order[1] < order[order.len() - 1] {
                let order = order.into_iter().map(Vertex::new).collect();
                let tour = joined(instance, ends, &Tour::check(&split, order).unwrap()).unwrap();
                found.push(tour.order().iter().map(|v| v.number()).collect::<Vec<_>>());
            }
        }
        found.sort();
        assert_eq!(found, orders(instance, ends));
    }
}
