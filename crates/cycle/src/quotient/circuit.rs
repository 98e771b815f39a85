//! Theory of the solver: the true ways and links never close a cycle that misses a group.
//!
//! The ends of ways are vertices, and ways and links are edges between them ([`Paths`]). If a path of true edges misses
//! a group, an edge between its two ends must stay false. The reason is the clause which states that the edges of the
//! path and this edge are not all true.

use rustsat::types::Lit;

use super::cdcl::{Theory, Values};
use crate::propagator::paths::{Joined, Paths};

/// Way or link with its literal. Several edges may have the same literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// Numbers of the two ends of ways that the edge joins.
    pub(super) ends: [u32; 2],
    pub(super) literal: Lit,
}

impl Edge {
    /// Returns the other end of the edge.
    fn other(self, end: u32) -> u32 {
        let [a, b] = self.ends;
        if a == end { b } else { a }
    }
}

#[derive(Debug)]
pub(super) struct Circuit {
    edges: Vec<Edge>,
    /// Indexed by literal: the edges with this literal.
    with_literal: Vec<Vec<u32>>,
    /// Indexed by end: the edges at this end.
    at: Vec<Vec<u32>>,
    /// Number of ends in a cycle through all groups: two per group.
    all: u32,
    paths: Paths,
    /// For each recorded literal: the number of edges in `paths` before it.
    records: Vec<usize>,
    /// Number of clauses against cycles that miss a group.
    closings: u64,
    buffer: Vec<u32>,
}

impl Circuit {
    pub(super) fn new(edges: Vec<Edge>, n_ends: usize, n_groups: usize) -> Self {
        let indices = edges.iter().map(|edge| edge.literal.lidx().max((!edge.literal).lidx()));
        let mut with_literal = vec![Vec::new(); indices.max().map_or(0, |last| last + 1)];
        let mut at = vec![Vec::new(); n_ends];
        for (k, edge) in (0u32..).zip(&edges) {
            with_literal[edge.literal.lidx()].push(k);
            for end in edge.ends {
                at[end as usize].push(k);
            }
        }
        Self {
            edges,
            with_literal,
            at,
            all: 2 * n_groups as u32,
            paths: Paths::new(n_ends),
            records: Vec::new(),
            closings: 0,
            buffer: Vec::new(),
        }
    }

    /// Returns the number of clauses so far.
    pub(super) fn closings(&self) -> u64 {
        self.closings
    }

    /// Returns the clause which states that `edge` and the true edges of a path between its two ends are not all true.
    /// The path begins with the edge `first` at the end `from`.
    fn clause(&mut self, edge: u32, from: u32, first: u32) -> Vec<Lit> {
        self.closings += 1;
        let edges = &self.edges;
        let to = edges[edge as usize].other(from);
        let other = |edge: u32, end: u32| edges[edge as usize].other(end);
        self.paths.walk(from, first, to, other, &mut self.buffer);
        let on = self.buffer.iter().flat_map(|&end| self.paths.on(end));
        let mut clause: Vec<Lit> = (on.chain([edge])).map(|edge| !edges[edge as usize].literal).collect();
        clause.sort_unstable();
        clause.dedup();
        clause
    }
}

impl Theory for Circuit {
    fn assign(&mut self, literal: Lit, values: &Values) -> Option<Vec<Lit>> {
        self.records.push(self.paths.len());
        let mut implied = None;
        for k in 0..self.with_literal[literal.lidx()].len() {
            let edge = self.with_literal[literal.lidx()][k];
            let [a, b] = self.edges[edge as usize].ends;
            match self.paths.join(edge, a, b) {
                Joined::Cycle { vertices } if vertices < self.all => {
                    let first = self.paths.on(a).find(|&other| other != edge)?;
                    return Some(self.clause(edge, a, first));
                }
                Joined::Path { ends: [p, q], vertices, last: [first, _] }
                    if vertices < self.all && implied.is_none() =>
                {
                    let mut closing = self.at[p as usize].iter().copied().filter(|&edge| {
                        let edge = self.edges[edge as usize];
                        edge.other(p) == q && !values.is_false(edge.literal)
                    });
                    // The path itself may be a single edge.
                    let closing = closing.find(|&edge| edge != first);
                    implied = closing.map(|edge| self.clause(edge, p, first));
                }
                Joined::Cycle { .. } | Joined::Path { .. } | Joined::TooMany => {}
            }
        }
        implied
    }

    fn undo(&mut self, len: usize) {
        if let Some(&edges) = self.records.get(len) {
            self.paths.undo(edges);
            self.records.truncate(len);
        }
    }
}
