//! Sets of edges with at most two edges at every vertex: 2-factors and partial 2-factors.

use hamcnf_graph::Vertex;

/// Marker for a missing neighbour.
pub(super) const NONE: u32 = u32::MAX;

/// A 2-factor of a graph: vertex-disjoint cycles of at least three vertices that together visit all vertices.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factor {
    links: Vec<[u32; 2]>,
}

impl Factor {
    /// Returns the number of vertices.
    pub fn n_vertices(&self) -> u32 {
        self.links.len() as u32
    }

    /// Returns the two neighbours of `v` in the 2-factor.
    pub fn neighbours(&self, v: Vertex) -> [Vertex; 2] {
        self.links[v.index()].map(Vertex::new)
    }

    /// Returns the vertices of each cycle in order. Each cycle begins with its least vertex, followed by the lesser
    /// neighbour of this vertex. The cycles are sorted by their least vertices.
    pub fn cycles(&self) -> Vec<Vec<Vertex>> {
        let mut seen = vec![false; self.links.len()];
        let mut cycles = Vec::new();
        for first in 0..self.n_vertices() {
            if seen[first as usize] {
                continue;
            }
            let cycle: Vec<_> = around(&self.links, first).map(Vertex::new).collect();
            cycle.iter().for_each(|v| seen[v.index()] = true);
            cycles.push(cycle);
        }
        cycles
    }

    pub(super) fn into_links(self) -> Vec<[u32; 2]> {
        self.links
    }

    /// Returns the 2-factor in which vertex v has the neighbours `links[v]`. The caller guarantees that these form a
    /// 2-factor.
    pub(super) fn of_links(mut links: Vec<[u32; 2]>) -> Self {
        // Sort the neighbours, so that equal 2-factors have equal representations.
        for links in &mut links {
            links.sort_unstable();
        }
        Self { links }
    }
}

/// Returns the neighbour of `v` other than `before`: the next vertex of a walk that came to `v` from `before`.
pub(super) fn onward(links: &[[u32; 2]], before: u32, v: u32) -> u32 {
    let [a, b] = links[v as usize];
    if a == before { b } else { a }
}

/// Returns the vertices of the cycle through `first` in order. The first step leads to the first neighbour of `first`.
pub(super) fn around(links: &[[u32; 2]], first: u32) -> impl Iterator<Item = u32> + '_ {
    let mut next = Some((links[first as usize][1], first));
    std::iter::from_fn(move || {
        let (before, v) = next?;
        let after = onward(links, before, v);
        next = (after != first).then_some((v, after));
        Some(v)
    })
}

/// Partial 2-factor: a set of edges with at most two edges at every vertex.
pub(super) struct Links(Vec<[u32; 2]>);

impl Links {
    pub(super) fn new(n: usize) -> Self {
        Self(vec![[NONE; 2]; n])
    }

    /// Returns the two neighbours of each vertex, with `NONE` for each missing neighbour.
    pub(super) fn into_pairs(self) -> Vec<[u32; 2]> {
        self.0
    }

    pub(super) fn degree(&self, v: u32) -> u32 {
        self.0[v as usize].iter().map(|&w| u32::from(w != NONE)).sum()
    }

    pub(super) fn has(&self, v: u32, w: u32) -> bool {
        self.0[v as usize].contains(&w)
    }

    /// Returns the neighbours of `v` in the partial 2-factor.
    pub(super) fn of(&self, v: u32) -> impl Iterator<Item = u32> + use<> {
        self.0[v as usize].into_iter().filter(|&w| w != NONE)
    }

    pub(super) fn link(&mut self, v: u32, w: u32) {
        self.replace(v, NONE, w);
        self.replace(w, NONE, v);
    }

    pub(super) fn unlink(&mut self, v: u32, w: u32) {
        self.replace(v, w, NONE);
        self.replace(w, v, NONE);
    }

    fn replace(&mut self, v: u32, old: u32, new: u32) {
        replace(&mut self.0, v, old, new);
    }

    /// Returns the 2-factor if every vertex has two edges, and `None` otherwise.
    pub(super) fn complete(self) -> Option<Factor> {
        let complete = self.0.iter().flatten().all(|&w| w != NONE);
        complete.then(|| Factor::of_links(self.0))
    }
}

/// Replaces the neighbour `old` of `v` by `new`.
pub(super) fn replace(links: &mut [[u32; 2]], v: u32, old: u32, new: u32) {
    let slot = links[v as usize].iter_mut().find(|slot| **slot == old);
    *slot.expect("`old` is a neighbour of `v`") = new;
}
