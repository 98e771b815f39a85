//! Certificate reason `parts`: removing some vertices leaves more parts than a tour can visit.
//!
//! Remove a set K of k vertices from the graph; the *parts* are the connected components that remain. Every vertex
//! outside K is in one part. A closed tour is a cycle. If k is 0, the cycle connects all vertices, so there is one
//! part. Otherwise the cycle without K consists of at most k paths, and each path is within one part. So there are at
//! most k parts. An open tour is a path, and without K at most k + 1 paths remain. If the first or the last vertex of
//! the tour is in K, there is one path fewer, because nothing comes before the first vertex or after the last. So if m
//! of the given ends are in K, there are at most k + 1 − m parts.

use super::{Asked, Count, Limits, ReasonKind, Unverified, among, given};
use hamcnf_graph::graph::{Graph, Vertex};
use hamcnf_tours::endpoints::Endpoints;

/// Kind of reason `parts`, with any vertices to remove; with none if the graph itself is not connected.
pub static KIND: ReasonKind = ReasonKind { name: "parts", vertices: Some(("without", Count::Any)), check };

/// Checks that removing the vertices `without` leaves more parts (connected components) than a tour can visit.
fn check(asked: &Asked<'_>, without: &[Vertex], _: &Limits<'_>) -> Result<String, Unverified> {
    let away = among(asked.graph, without);
    let vertices = away.iter().filter(|&&away| away).count();
    let parts = parts(asked.graph, &away);
    let visited = match asked.ends {
        Endpoints::Closed => vertices.max(1),
        Endpoints::Open { .. } => {
            let given = given(asked.ends).into_iter();
            vertices + 1 - given.filter(|v| away[v.index()]).count()
        }
    };
    let s = if vertices == 1 { "vertex" } else { "vertices" };
    match vertices {
        _ if parts <= visited => Err(Unverified::invalid(format_args!(
            "the reason proves nothing: after removal of the listed vertices ({vertices}), the number of components is only {parts}, and a tour could visit {visited}"
        ))),
        0 => Ok(format!("the graph has {parts} connected components")),
        _ => Ok(format!(
            "without {vertices} {s} there are {parts} components, but a tour of this kind could visit only {visited} of them"
        )),
    }
}

/// Returns the number of connected components after removing the vertices that `away` marks.
fn parts(graph: &Graph, away: &[bool]) -> usize {
    let mut seen = away.to_vec();
    let mut parts = 0;
    for first in graph.vertices() {
        if std::mem::replace(&mut seen[first.index()], true) {
            continue;
        }
        parts += 1;
        let mut waiting = vec![first];
        while let Some(v) = waiting.pop() {
            for &w in graph.neighbours(v) {
                if !std::mem::replace(&mut seen[w.index()], true) {
                    waiting.push(w);
                }
            }
        }
    }
    parts
}
