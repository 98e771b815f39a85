//! All tours of small graphs by trying every path, which the tests hold encodings against.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::HashSet;

use hamcnf::{Graph, Instance, TourKind, Vertex};

/// All tours by trying every path; closed ones once for both directions.
pub(crate) fn brute_force(instance: &Instance) -> HashSet<Vec<Vertex>> {
    fn extend(instance: &Instance, path: &mut Vec<Vertex>, found: &mut HashSet<Vec<Vertex>>) {
        let (graph, last) = (instance.graph(), path[path.len() - 1]);
        if path.len() == instance.n() as usize {
            let closes = graph.arc(last, path[0]).is_some();
            match instance.kind() {
                TourKind::Open => drop(found.insert(path.clone())),
                // Of the two directions the one whose second vertex is the lesser.
                TourKind::Closed if closes && path[1] < last => drop(found.insert(path.clone())),
                TourKind::Closed => {}
            }
            return;
        }
        for &next in graph.neighbours(last) {
            if !path.contains(&next) {
                path.push(next);
                extend(instance, path, found);
                path.pop();
            }
        }
    }
    let mut found = HashSet::new();
    extend(instance, &mut vec![instance.start()], &mut found);
    found
}

/// All connected graphs with `n` labelled vertices, up to relabelling: the least of each set of equal ones.
pub(crate) fn connected_graphs(n: u32) -> Vec<Graph> {
    let pairs: Vec<(u32, u32)> = (0..n)
        .flat_map(|a| (a + 1..n).map(move |b| (a, b)))
        .collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for chosen in 0u32..1 << pairs.len() {
        let edges: Vec<_> = (0..)
            .zip(&pairs)
            .filter(|(k, _)| chosen >> k & 1 == 1)
            .map(|(_, &e)| e)
            .collect();
        let graph = Graph::from_edges(n, edges.iter().copied()).unwrap();
        let connected = graph.distances(Vertex::new(0)).iter().all(Option::is_some);
        if connected && seen.insert(least_relabelling(n, &edges)) {
            found.push(graph);
        }
    }
    found
}

/// Of the sorted lists of edges under all labels the least.
fn least_relabelling(n: u32, edges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut labels: Vec<u32> = (0..n).collect();
    let mut least: Option<Vec<(u32, u32)>> = None;
    permuted(&mut labels, 0, &mut |labels| {
        let named = |v: u32| labels[v as usize];
        let both = edges.iter().map(|&(a, b)| (named(a), named(b)));
        let mut list: Vec<_> = both.map(|(a, b)| (a.min(b), a.max(b))).collect();
        list.sort_unstable();
        if least.as_ref().is_none_or(|least| list < *least) {
            least = Some(list);
        }
    });
    least.unwrap_or_default()
}

fn permuted(labels: &mut [u32], from: usize, visit: &mut impl FnMut(&[u32])) {
    if from == labels.len() {
        return visit(labels);
    }
    for k in from..labels.len() {
        labels.swap(from, k);
        permuted(labels, from + 1, visit);
        labels.swap(from, k);
    }
}
