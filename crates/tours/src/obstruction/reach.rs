//! Vertices between which every tour has a path that the graph lacks.
//!
//! A closed tour leads from every vertex to every other. Of two vertices of an open tour, the first leads to the second.
//! So for any two vertices, a path leads from one of them to the other, and from the given first vertex to all vertices,
//! and from all vertices to the given last vertex. To check this for all pairs, number the strongly connected components
//! of the digraph so that arcs between components lead from greater to lesser numbers. If an arc leads from each
//! component to the next, all pairs satisfy the condition. If not, no path leads from the vertices of one such component
//! to those of the next, because it could go through no component between them, and none leads back.

use super::*;
use hamcnf_graph::connectivity::strong_components;

pub(super) const CHECK: Check = Check { kinds: &["out-of-reach"], find };

/// Returns two vertices if every tour has a path between them that the digraph lacks.
pub(super) fn find(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    let (digraph, start) = (instance.digraph(), instance.start());
    let name = |v| instance.vertex_name(v);
    let without = |distances: &[Option<u32>]| {
        let mut vertices = digraph.vertices();
        vertices.find(|v| distances[v.index()].is_none())
    };
    let missing_from = |from| match from == start {
        true => without(instance.distances()),
        false => without(&digraph.distances(from)),
    };
    let missing_to = |to| match to == start {
        true => without(instance.distances_to()),
        false => without(&digraph.distances_to(to)),
    };
    let (from, to) = match ends {
        Endpoints::Closed => (Some(start), Some(start)),
        // Reachability from any vertex decides whether an undirected graph is connected.
        Endpoints::Open { from: None, to: None } if !instance.is_directed() => (Some(start), None),
        Endpoints::Open { from, to } => (from, to),
    };
    let pair = from.and_then(|from| Some((from, missing_from(from)?)));
    let pair = pair.or_else(|| to.and_then(|to| Some((missing_to(to)?, to))));
    if let Some((from, to)) = pair {
        let sentence = format!("no path leads from {} to {}", name(from), name(to));
        return Some(Obstruction { kind: "out-of-reach", witness: Witness::Parts(Vec::new()), sentence });
    }
    let is_path = ends != Endpoints::Closed && instance.is_directed();
    let [one, other] = if is_path { unordered(digraph)?.map(name) } else { return None };
    let sentence = format!("a path leads neither from {one} to {other} nor from {other} to {one}");
    Some(Obstruction { kind: "out-of-reach", witness: Witness::Hidden, sentence })
}

/// Returns two vertices of a digraph such that no path leads from one to the other, or back.
fn unordered(digraph: &Digraph) -> Option<[Vertex; 2]> {
    let successor = |v, k: usize| digraph.successors(v).get(k).copied();
    let parts = strong_components(digraph.n_vertices(), successor);
    let mut part_of = vec![0; digraph.n_vertices() as usize];
    for (k, part) in parts.iter().enumerate() {
        part.iter().for_each(|v| part_of[v.index()] = k);
    }
    let apart = (1..parts.len()).find(|&k| {
        let mut successors = parts[k].iter().flat_map(|&v| digraph.successors(v));
        !successors.any(|v| part_of[v.index()] == k - 1)
    })?;
    let (one, other) = (*parts[apart].iter().min()?, *parts[apart - 1].iter().min()?);
    Some([one.min(other), one.max(other)])
}
