//! All tours of small graphs, found by trying every path. Tests compare encodings with these tours.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::HashSet;

use hamcnf::{Graph, Instance, TourKind, Vertex};

/// Returns all tours of an instance, found by trying every path. A closed tour and its reverse appear as one tour,
/// unless the instance is directed.
pub(crate) fn brute_force(instance: &Instance) -> HashSet<Vec<Vertex>> {
    fn extend(instance: &Instance, path: &mut Vec<Vertex>, found: &mut HashSet<Vec<Vertex>>) {
        let (graph, last) = (instance.digraph(), path[path.len() - 1]);
        if path.len() == instance.n() as usize {
            let closes = graph.arc(last, path[0]).is_some();
            match instance.kind() {
                TourKind::Open => _ = found.insert(path.clone()),
                // Of the two directions in an undirected graph, keep the one whose second vertex is smaller.
                TourKind::Closed if closes && (instance.is_directed() || path[1] < last) => {
                    found.insert(path.clone());
                }
                TourKind::Closed => {}
            }
            return;
        }
        for &next in graph.successors(last) {
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

/// Returns all connected graphs with `n` vertices up to isomorphism. Each class is represented by the graph whose
/// edges, read as binary digits, make the smallest number.
pub(crate) fn connected_graphs(n: u32) -> Vec<Graph> {
    let pairs: Vec<(u32, u32)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
    let number = |a: u32, b: u32| pairs.iter().position(|&pair| pair == (a.min(b), a.max(b)));
    // For each relabelling of the vertices: the new position of each pair in `pairs`.
    let mut relabellings: Vec<Vec<usize>> = Vec::new();
    let mut labels: Vec<usize> = (0..n as usize).collect();
    permuted(&mut labels, 0, &mut |labels| {
        let label = |v: u32| labels[v as usize] as u32;
        let moved = pairs.iter().map(|&(a, b)| number(label(a), label(b)));
        relabellings.push(moved.map(Option::unwrap).collect());
    });
    let mut found = Vec::new();
    for chosen in 0u32..1 << pairs.len() {
        let relabelled = |moved: &Vec<usize>| -> u32 {
            let bits = moved.iter().enumerate();
            bits.map(|(k, &to)| (chosen >> k & 1) << to).sum()
        };
        if relabellings.iter().any(|moved| relabelled(moved) < chosen) {
            continue;
        }
        let edges = (0..).zip(&pairs).filter(|(k, _)| chosen >> k & 1 == 1);
        let graph = Graph::from_edges(n, edges.map(|(_, &edge)| edge)).unwrap();
        if graph.distances(Vertex::new(0)).iter().all(Option::is_some) {
            found.push(graph);
        }
    }
    found
}

fn permuted<T>(labels: &mut [T], from: usize, visit: &mut impl FnMut(&[T])) {
    if from == labels.len() {
        return visit(labels);
    }
    for k in from..labels.len() {
        labels.swap(from, k);
        permuted(labels, from + 1, visit);
        labels.swap(from, k);
    }
}
