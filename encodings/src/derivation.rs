//! Derivations of subtour-elimination constraints ("cuts") from the clauses of an encoding with precedence variables.
//!
//! If a model of the degree relaxation consists of several cycles, a cut excludes it: some arc leaves the vertices of
//! one cycle. The cut follows from the clauses of [`precedence`](crate::positions::precedence) by unit propagation; the
//! documentation of that module gives the steps. So a proof from degree constraints and cuts becomes a proof from the
//! clauses of the `precedence` encoding alone. Any checker accepts such a proof.
//!
//! Let S be the set of vertices of the cut. The derived clause need not be the cut itself. It can be any clause C whose
//! negation implies that no arc leaves S, or that no arc enters S. C follows by the same steps, with the literals of C
//! added to each clause.

use rustsat::types::Lit;

use crate::cnf::vars::{ArcVars, PrecedenceVars};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;

/// Direction in which no arc crosses the boundary of a set of vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lacking {
    /// No arc leaves the set.
    Leaving,
    /// No arc enters the set.
    Entering,
}

/// A step of a derivation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// Adds a clause, which follows from the earlier clauses by unit propagation.
    Add(&'a [Lit]),
    /// Deletes a derived clause, which is no longer needed.
    Delete(&'a [Lit]),
}

/// Generator of derivations. It can derive any number of subtour-elimination constraints from the clauses of one
/// formula, and reuses its memory between derivations.
#[derive(Clone, Debug)]
pub struct Derivation<'f> {
    instance: &'f Instance,
    arcs: &'f ArcVars,
    order: &'f PrecedenceVars,
    /// Indexed by vertex u of the set: a list of other vertices of the set. If the clause to derive is false, the tour
    /// visits at least one of the listed vertices after u, or before u for [`Lacking::Entering`].
    ahead: Vec<Vec<Vertex>>,
    /// Inverse of `ahead`. Indexed by vertex w of the set: the vertices whose `ahead` list contains w.
    behind: Vec<Vec<Vertex>>,
    /// Indexed by vertex of the set: the derived clause that corresponds to the `ahead` list of the vertex. Empty if
    /// the clause follows from the arcs by unit propagation.
    derived: Vec<Vec<Lit>>,
    inside: Vec<bool>,
}

impl<'f> Derivation<'f> {
    pub(crate) fn new(instance: &'f Instance, arcs: &'f ArcVars, order: &'f PrecedenceVars) -> Self {
        let n = instance.n() as usize;
        Self {
            instance,
            arcs,
            order,
            ahead: vec![Vec::new(); n],
            behind: vec![Vec::new(); n],
            derived: vec![Vec::new(); n],
            inside: vec![false; n],
        }
    }

    /// Returns the number of clauses of family (T), the transitivity of the order, without generating them.
    pub fn n_transitive(&self) -> u64 {
        let chordal = self.order.chordal();
        let later = chordal.order().iter().map(|&v| chordal.later(v).len() as u64);
        // (T) has two clauses for any two later neighbours of a vertex.
        later.map(|later| later * later.saturating_sub(1)).sum()
    }

    /// Returns the cut as a clause: some arc leaves the set of vertices, or enters it, depending on `lacking`.
    pub fn cut(&mut self, set: &[Vertex], lacking: Lacking) -> Vec<Lit> {
        for &v in set {
            self.inside[v.index()] = true;
        }
        let mut cut = Vec::new();
        for &v in set {
            let outside = self.beside(v, lacking).into_iter().filter(|(w, _)| !self.inside[w.index()]);
            cut.extend(outside.map(|(_, arc)| arc));
        }
        for &v in set {
            self.inside[v.index()] = false;
        }
        cut
    }

    /// Derives the clause `under` and passes the steps of the derivation to `out`. The negation of `under` must imply
    /// that no arc leaves `set` or, depending on `lacking`, that no arc enters it. All other derived clauses are
    /// deleted, so that only `under` remains. The set must not be empty, and must not contain the start, because the
    /// start is not part of the order.
    pub fn derive(&mut self, set: &[Vertex], lacking: Lacking, under: &[Lit], out: &mut dyn FnMut(Step<'_>)) {
        debug_assert!(!set.contains(&self.instance.start()), "the order has no start");
        for &v in set {
            self.inside[v.index()] = true;
        }
        for &u in set {
            for (w, _) in self.beside(u, lacking) {
                if self.inside[w.index()] {
                    self.ahead[u.index()].push(w);
                    self.behind[w.index()].push(u);
                }
            }
        }
        let mut by_rank: Vec<(Option<u32>, Vertex)> = set.iter().map(|&v| (self.order.rank(v), v)).collect();
        by_rank.sort_unstable();
        // If the `ahead` list of a vertex is empty, at the beginning or after some eliminations, the derived clause of
        // this vertex is `under` itself.
        let stuck = set.iter().any(|v| self.ahead[v.index()].is_empty());
        let done = stuck || {
            let mut order = by_rank.into_iter().map(|(_, v)| v);
            order.any(|v| self.eliminate(v, lacking, under, out))
        };
        debug_assert!(done, "an order has no set that nothing leaves");
        out(Step::Add(under));
        for &v in set {
            self.inside[v.index()] = false;
            self.ahead[v.index()].clear();
            self.behind[v.index()].clear();
            let derived = std::mem::take(&mut self.derived[v.index()]);
            if !derived.is_empty() {
                out(Step::Delete(&derived));
            }
        }
    }

    /// Returns the heads of the arcs from `v`, or the tails of the arcs to `v`, depending on `lacking`, with these arcs.
    fn beside(&self, v: Vertex, lacking: Lacking) -> Vec<(Vertex, Lit)> {
        match lacking {
            Lacking::Leaving => self.arcs.successors(self.instance, v).collect(),
            Lacking::Entering => self.arcs.predecessors(self.instance, v).collect(),
        }
    }

    /// Eliminates `v`: in the `ahead` lists of later vertices, replaces `v` by the vertices in the `ahead` list of `v`.
    /// Returns true if a derived clause would be `under` itself.
    fn eliminate(&mut self, v: Vertex, lacking: Lacking, under: &[Lit], out: &mut dyn FnMut(Step<'_>)) -> bool {
        let of_v = std::mem::take(&mut self.ahead[v.index()]);
        for u in std::mem::take(&mut self.behind[v.index()]) {
            let of_u = &mut self.ahead[u.index()];
            if self.order.rank(u) < self.order.rank(v) || !of_u.contains(&v) {
                continue;
            }
            of_u.retain(|&w| w != v);
            for &w in &of_v {
                if w != u && !of_u.contains(&w) {
                    of_u.push(w);
                    self.behind[w.index()].push(u);
                }
            }
            if self.ahead[u.index()].is_empty() {
                return true;
            }
            let mut clause = under.to_vec();
            for &w in &self.ahead[u.index()] {
                let before = match lacking {
                    Lacking::Leaving => self.order.before(u, w),
                    Lacking::Entering => self.order.before(w, u),
                };
                clause.push(before.expect("neighbours of an eliminated vertex are adjacent"));
            }
            out(Step::Add(&clause));
            let before = std::mem::replace(&mut self.derived[u.index()], clause);
            if !before.is_empty() {
                out(Step::Delete(&before));
            }
        }
        let derived = std::mem::take(&mut self.derived[v.index()]);
        if !derived.is_empty() {
            out(Step::Delete(&derived));
        }
        false
    }
}
