//! Sets of vertices whose removal leaves more parts (connected components) than a tour could visit.
//!
//! If k vertices are removed from a closed tour, at most k paths remain, and each path is in one part of the remaining
//! graph. So there are at most k parts. If k vertices are removed from an open tour, at most k + 1 paths remain, and one
//! path fewer for each given end among the removed vertices. A graph is called 1-tough if every nonempty set of vertices
//! whose removal disconnects the graph satisfies the condition for closed tours. No polynomial algorithm that decides
//! this is known, and the problem is NP-hard. This module therefore searches where violating sets are often found:
//!
//! 1. *Matching.* Let I be an independent set, and let S be the set of neighbours of I. If S is removed, every vertex
//!    of I becomes isolated. Take the bipartite graph with two copies v′ and v″ of every vertex v, where v′ is joined
//!    to w″ for every neighbour w of v. Let X be a set of first copies, and Y the set of second copies joined to them.
//!    If |Y| ≤ |X|, then I = X ∖ Y is independent, its neighbours S are in Y ∖ X, and |S| ≤ |I|. By Hall's theorem,
//!    sets with |Y| < |X| exist unless the bipartite graph has a perfect matching. If it has one, the sets with |Y| =
//!    |X| are the sets that are closed under this step: from u′ to any adjacent w″, and on to the v′ that is matched
//!    with w″. Vertices outside I and S form one or more further parts. This search refutes every board of 4 rows: if
//!    the squares of one colour in its two middle rows are removed, the squares of the other colour in its outer rows
//!    are isolated.
//! 2. *Putting back.* All vertices are removed and put back one by one. Vertices that have a low degree, or that join
//!    the fewest parts, are put back first. The vertices of an independent set therefore come first, then the vertices
//!    joined to them, and hubs last. Among the sets of vertices that are still removed after each step, the search
//!    keeps the best. The search is repeated with ties broken in other orders. In some of these rounds, the vertices of
//!    the best set so far, and some others, are put back last.
//! 3. *Pairs.* Blocks show which pairs of vertices leave too many parts if they are removed. Vertices of the highest
//!    degree are tried first.
//!
//! For every set found, the parts are counted again from scratch. Then the set is reduced: a vertex is put back if
//! there are still too many parts. Open tours become closed tours if two adjacent vertices are added to the graph. One is
//! joined to all possible first vertices of the tour, the other to all possible last vertices. In this way, the first
//! search serves both kinds of tours.
//!
//! Each search stops after a number of steps, and graphs with very many edges are skipped, so the whole check takes
//! milliseconds. If a graph of up to six vertices has a violating set, the check finds one. In sparse random graphs of
//! twelve vertices, it finds one in at least 19 of 20 cases. Tests verify both claims.
//!
//! # References
//!
//! - V. Chvátal, *Tough graphs and hamiltonian circuits*, Discrete Mathematics 5(3), 1973, 215–228: the condition.
//! - D. Bauer, S. L. Hakimi and E. Schmeichel, *Recognizing tough graphs is NP-hard*, Discrete Applied Mathematics
//!   28(3), 1990, 191–195.
//! - W. T. Tutte, *The 1-factors of oriented graphs*, Proceedings of the AMS 4(6), 1953, 922–931: the matching and
//!   independent sets.
//! - D. B. West, *Introduction to Graph Theory*, 2nd edition, Prentice Hall, 2001, section 7.2: boards of 4 rows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::*;
use hamcnf_graph::connectivity::{blocks, blocks_without, components_without, strong_components};

pub(super) const CHECK: Check = Check { kinds: &["many-parts"], find };

/// Maximum number of edges of a graph for this check. Graphs with more edges are skipped.
const MOST_EDGES: u32 = 1 << 14;

/// Maximum number of steps of a search; most steps visit a neighbour of a vertex. The limit is checked only from time
/// to time, so a search may take a few more steps.
const MOST_LOOKS: u64 = 1 << 16;

/// Searches for a set of vertices whose removal leaves more parts than a tour could visit.
fn find(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    if instance.graph().n_edges() > MOST_EDGES {
        return None;
    }
    let mut set =
        by_matching(instance, ends).or_else(|| by_putting_back(instance, ends)).or_else(|| by_pairs(instance, ends))?;
    shrink(instance, &mut set);
    if set.excess() <= 0 {
        return None;
    }
    let tour = if ends == Endpoints::Closed { "a closed tour" } else { "an open tour" };
    let but = format!("{tour} could visit only {} of them", set.visited());
    Some(Obstruction::parts("many-parts", "", set.vertices().collect(), instance, &but))
}

/// True if `v` is a given end of open tours. Removing a given end splits an open tour into one path fewer than removing
/// another vertex.
fn is_end(ends: Endpoints, v: Vertex) -> bool {
    ends.given().any(|end| end == v)
}

/// Returns the largest number of parts that a tour can visit after `removed` vertices are removed, `given_ends` of which
/// are given ends of open tours.
fn visited(ends: Endpoints, removed: u32, given_ends: u32) -> u32 {
    match ends {
        Endpoints::Closed => removed,
        Endpoints::Open { .. } => (removed + 1).saturating_sub(given_ends),
    }
}

/// A set of removed vertices, stored as a flag for each vertex.
#[derive(Clone)]
struct Set<'i> {
    instance: &'i Instance,
    ends: Endpoints,
    has: Vec<bool>,
}

impl<'i> Set<'i> {
    fn new(instance: &'i Instance, ends: Endpoints, vertices: impl IntoIterator<Item = Vertex>) -> Self {
        let mut has = vec![false; instance.n() as usize];
        vertices.into_iter().for_each(|v| has[v.index()] = true);
        Self { instance, ends, has }
    }

    fn vertices(&self) -> impl Iterator<Item = Vertex> {
        let all = self.instance.graph().vertices();
        all.filter(|v| self.has[v.index()])
    }

    /// Returns the largest number of parts that a tour can visit. The parts are the components that remain when the set
    /// is removed.
    fn visited(&self) -> u32 {
        let ends = self.ends.given().filter(|v| self.has[v.index()]).count();
        visited(self.ends, self.vertices().count() as u32, ends as u32)
    }

    /// Returns the number of parts that remain minus the number of parts that a tour can visit; 0 if the set is empty.
    fn excess(&self) -> i64 {
        let parts = components_without(self.instance.graph(), &self.has).count();
        if self.vertices().next().is_none() { 0 } else { i64::from(parts) - i64::from(self.visited()) }
    }
}

/// Parts (connected components) of the graph, as a union–find structure. They grow and merge as vertices are put back.
struct Parts<'g> {
    graph: &'g Graph,
    /// Parent of each vertex in the union–find forest; the representative of a part is its own parent. `None` for
    /// vertices that are removed.
    towards: Vec<Option<Vertex>>,
    /// Indexed by the representative of a part: value of `looks` when the part was last counted.
    seen: Vec<u64>,
    /// Number of steps so far: one for each call of `joined_by`, and one for each neighbour that it visits.
    looks: u64,
}

impl<'g> Parts<'g> {
    fn new(graph: &'g Graph) -> Self {
        let n = graph.n_vertices() as usize;
        Self { graph, towards: vec![None; n], seen: vec![0; n], looks: 0 }
    }

    fn of(&mut self, v: Vertex) -> Option<Vertex> {
        let mut v = v;
        let mut next = self.towards[v.index()]?;
        while next != v {
            // Halves the path to the representative, so that later calls are faster.
            let after = self.towards[next.index()]?;
            self.towards[v.index()] = Some(after);
            (v, next) = (after, self.towards[after.index()]?);
        }
        Some(v)
    }

    /// Returns the number of parts that would be joined if the removed vertex `v` were put back.
    fn joined_by(&mut self, v: Vertex) -> u32 {
        self.looks += 1 + self.graph.degree(v) as u64;
        let look = self.looks;
        let mut joined = 0;
        for &w in self.graph.neighbours(v) {
            if let Some(part) = self.of(w)
                && std::mem::replace(&mut self.seen[part.index()], look) != look
            {
                joined += 1;
            }
        }
        joined
    }

    fn put_back(&mut self, v: Vertex) {
        self.towards[v.index()] = Some(v);
        for &w in self.graph.neighbours(v) {
            if let Some(part) = self.of(w) {
                self.towards[part.index()] = Some(v);
            }
        }
    }
}

/// Searches for a violating set by a matching (search 1 in the module's documentation).
fn by_matching(instance: &Instance, ends: Endpoints) -> Option<Set<'_>> {
    let through_two_more;
    let graph = match ends {
        Endpoints::Closed => instance.graph(),
        Endpoints::Open { from, to } => {
            through_two_more = closed(instance, from, to)?;
            &through_two_more
        }
    };
    let matching = Matching::new(graph)?;
    // If some first copies are unmatched, try the closed set reachable from them. If the matching is perfect, try the
    // closed set reachable from each strongly connected component.
    let free: Vec<_> = graph.vertices().filter(|v| !matching.matched[v.index()]).collect();
    let firsts = match free.is_empty() {
        true => strong_components(graph.n_vertices(), |v, k| matching.onward(v, k))
            .into_iter()
            .filter_map(|part| Some(vec![*part.last()?]))
            .collect(),
        false => vec![free],
    };
    let mut looks = 0;
    for first in firsts {
        let (from, to) = matching.onwards(first, &mut looks);
        let both = graph.vertices().map(|v| (v, from[v.index()], to[v.index()]));
        let neighbours = both.filter(|&(_, from, to)| to && !from).map(|(v, ..)| v);
        let set = Set::new(instance, ends, neighbours.filter(|v| v.number() < instance.n()));
        looks += u64::from(graph.n_arcs());
        if set.excess() > 0 {
            return Some(set);
        }
        if looks > MOST_LOOKS {
            break;
        }
    }
    None
}

/// Adds two vertices to the graph of the instance, so that closed tours of the new graph correspond to open tours of
/// the instance with these ends. Returns `None` if the new graph would be too large.
fn closed(instance: &Instance, from: Option<Vertex>, to: Option<Vertex>) -> Option<Graph> {
    let (graph, n) = (instance.graph(), instance.n());
    let (before, after) = (n, n.checked_add(1)?);
    let ends = |end: Option<Vertex>, other: Option<Vertex>| {
        let all = graph.vertices();
        all.filter(move |&v| end.map_or(Some(v) != other, |end| v == end))
    };
    let firsts = ends(from, to).map(|v| (v.number(), before));
    let lasts = ends(to, from).map(|v| (v.number(), after));
    let more = firsts.chain(lasts).chain([(before, after)]);
    Graph::from_edges(n.checked_add(2)?, graph.edges().chain(more)).ok()
}

/// A maximum matching between the first and second copies of the vertices (see the module's documentation).
struct Matching<'g> {
    graph: &'g Graph,
    /// Indexed by vertex: the first copy that is matched with the second copy of the vertex; `None` if the second copy
    /// is unmatched.
    with: Vec<Option<Vertex>>,
    /// True for each vertex whose first copy is matched.
    matched: Vec<bool>,
}

impl<'g> Matching<'g> {
    /// Returns a maximum matching; `None` if a fixed number of rounds does not complete it, which is rare. In each
    /// round, every unmatched vertex looks for an augmenting path.
    fn new(graph: &'g Graph) -> Option<Self> {
        const ROUNDS: u32 = 64;
        let n = graph.n_vertices() as usize;
        let mut this = Self { graph, with: vec![None; n], matched: vec![false; n] };
        for v in graph.vertices() {
            let free = |w: &&Vertex| this.with[w.index()].is_none();
            if let Some(w) = graph.neighbours(v).iter().find(free) {
                this.with[w.index()] = Some(v);
                this.matched[v.index()] = true;
            }
        }
        for _ in 0..ROUNDS {
            let mut looked_from = vec![false; n];
            let mut grown = false;
            for v in graph.vertices() {
                if !this.matched[v.index()] && this.grow(v, &mut looked_from) {
                    grown = true;
                }
            }
            if !grown {
                return Some(this);
            }
        }
        None
    }

    /// Looks for an augmenting path from the first copy of the vertex `free`, which is unmatched. If a path exists,
    /// changes the matching along the path, so that this copy is matched too, and returns true.
    fn grow(&mut self, free: Vertex, looked_from: &mut [bool]) -> bool {
        looked_from[free.index()] = true;
        let mut path = vec![(free, 0)];
        while let Some((v, at)) = path.last_mut() {
            let Some(w) = self.graph.neighbours(*v).get(*at) else {
                path.pop();
                continue;
            };
            *at += 1;
            match self.with[w.index()] {
                Some(next) => {
                    if !std::mem::replace(&mut looked_from[next.index()], true) {
                        path.push((next, 0));
                    }
                }
                None => {
                    for (v, at) in path {
                        let w = self.graph.neighbours(v)[at - 1];
                        self.with[w.index()] = Some(v);
                    }
                    self.matched[free.index()] = true;
                    return true;
                }
            }
        }
        false
    }

    /// Follows the n-th edge of the first copy of `v` to a second copy, and returns the first copy that is matched with
    /// this second copy. `None` if `v` has fewer edges.
    fn onward(&self, v: Vertex, n: usize) -> Option<Vertex> {
        let &w = self.graph.neighbours(v).get(n)?;
        // In a perfect matching, every second copy is matched. If a second copy is unmatched, the step leads back to
        // `v`.
        Some(self.with[w.index()].unwrap_or(v))
    }

    /// Returns two flags for each vertex, in two lists. A flag of the first list is true if the first copy of the
    /// vertex can be reached from `first`, or is in `first`. A flag of the second list is true if the second copy of
    /// the vertex is joined to one of these first copies.
    fn onwards(&self, first: Vec<Vertex>, looks: &mut u64) -> (Vec<bool>, Vec<bool>) {
        let n = self.graph.n_vertices() as usize;
        let (mut from, mut to) = (vec![false; n], vec![false; n]);
        first.iter().for_each(|v| from[v.index()] = true);
        let mut waiting = first;
        while let Some(v) = waiting.pop() {
            for (k, w) in self.graph.neighbours(v).iter().enumerate() {
                *looks += 1;
                to[w.index()] = true;
                if let Some(next) = self.onward(v, k)
                    && !std::mem::replace(&mut from[next.index()], true)
                {
                    waiting.push(next);
                }
            }
        }
        (from, to)
    }
}

/// Rank of a removed vertex, from the number of parts that it would join and its degree. The vertex of least rank is put
/// back first.
type Rank = fn(usize, usize) -> (usize, usize, usize);

/// Orders in which removed vertices are put back into the graph.
const RANKS: [Rank; 3] = [
    // Vertices that join the fewest parts come first.
    |joined, degree| (joined, degree, 0),
    // Vertices that join at most one part come first, in the order of their degrees. Then come the vertices that join
    // the fewest parts.
    |joined, degree| (joined.max(1), degree, joined),
    // Vertices of low degree come first.
    |joined, degree| (degree, joined, 0),
];

/// Searches for a violating set by putting removed vertices back (search 2 in the module's documentation).
fn by_putting_back(instance: &Instance, ends: Endpoints) -> Option<Set<'_>> {
    // A small graph allows few orders of vertices of equal rank, so few rounds suffice.
    let rounds = (instance.n() / 4).clamp(1, 8);
    let mut looks = 0;
    let mut best: Option<(Set<'_>, i64)> = None;
    for round in 0..rounds {
        for rank in RANKS {
            let last = best.as_ref().filter(|_| round % 2 == 1).map(|(set, _)| set);
            let (set, excess, steps) = put_back(instance, ends, rank, round, last);
            if excess > 0 {
                return Some(set);
            }
            looks += steps;
            if best.as_ref().is_none_or(|(_, most)| *most <= excess) {
                best = Some((set, excess));
            }
        }
        // A step takes longer in this search than in the others, so fewer steps are allowed.
        if looks > MOST_LOOKS / 4 {
            break;
        }
    }
    None
}

/// Runs search 2 in the module's documentation once: removes all vertices, and puts them back one by one. Returns the best
/// of the sets of vertices that are still removed after each step; the number of parts after removing the set, minus the
/// number of parts that a tour could visit; and the number of steps. Each round orders vertices of equal rank
/// differently. If `last` is given, its vertices and some others are put back last.
fn put_back<'i>(
    instance: &'i Instance,
    ends: Endpoints,
    rank: Rank,
    round: u32,
    last: Option<&Set<'_>>,
) -> (Set<'i>, i64, u64) {
    let graph = instance.graph();
    let shuffled = |v: Vertex| {
        let scattered = (v.number() + 1).wrapping_mul(0x9e37_79b9);
        scattered.rotate_left(round).wrapping_mul(round)
    };
    let is_last = |v: Vertex| last.is_some_and(|set| set.has[v.index()] || shuffled(v) < u32::MAX / 4);
    let entry = |joined: u32, v| {
        let rank = rank(joined as usize, graph.degree(v));
        Reverse((is_last(v), rank, shuffled(v), v, joined))
    };
    let mut waiting: BinaryHeap<_> = graph.vertices().map(|v| entry(0, v)).collect();
    let mut parts = Parts::new(graph);
    let mut back = Vec::new();
    let mut excess = -i64::from(visited(ends, instance.n(), ends.given().count() as u32));
    let mut best = (excess, 0);
    while let Some(Reverse((.., v, expected))) = waiting.pop() {
        let joined = parts.joined_by(v);
        if joined > expected {
            waiting.push(entry(joined, v));
            continue;
        }
        parts.put_back(v);
        back.push(v);
        excess += 2 - i64::from(joined) - i64::from(is_end(ends, v));
        // Among equally good sets, the last set is kept, because it has the fewest vertices.
        if excess >= best.0 && !waiting.is_empty() {
            best = (excess, back.len());
        }
    }
    let (excess, back_then) = best;
    (Set::new(instance, ends, back.into_iter().skip(back_then)), excess, parts.looks)
}

/// Searches for a violating pair of vertices (search 3 in the module's documentation).
fn by_pairs(instance: &Instance, ends: Endpoints) -> Option<Set<'_>> {
    let graph = instance.graph();
    let whole = blocks(graph, instance.start());
    let mut firsts: Vec<_> = graph.vertices().collect();
    firsts.sort_by_key(|&v| Reverse(graph.degree(v)));
    let each = u64::from(graph.n_arcs()) + u64::from(instance.n());
    let most = MOST_LOOKS.checked_div(each).unwrap_or(0) as usize;
    firsts.into_iter().take(most).find_map(|one| {
        let root = graph.vertices().find(|&v| v != one)?;
        let blocks = blocks_without(graph, root, Some(one));
        // Number of parts minus the number of parts that a tour can visit.
        let excess = |other| {
            let parts = (whole.with(one) + blocks.with(other)).saturating_sub(1);
            let given = [one, other].map(|v| u32::from(is_end(ends, v)));
            i64::from(parts) - i64::from(visited(ends, 2, given[0] + given[1]))
        };
        // Only the second vertex with the greatest excess is tried.
        let others = graph.vertices().filter(|&v| v != one && excess(v) > 0);
        let other = others.max_by_key(|&v| (excess(v), v))?;
        let set = Set::new(instance, ends, [one, other]);
        (set.excess() > 0).then_some(set)
    })
}

/// Shrinks the set: puts its vertices back into the graph as long as more parts remain than a tour could visit.
fn shrink(instance: &Instance, set: &mut Set<'_>) {
    // Few rounds suffice: after the first round, a vertex can be put back only if the parts that it joins have changed.
    const ROUNDS: u32 = 16;
    let graph = instance.graph();
    let mut parts = Parts::new(graph);
    for v in graph.vertices().filter(|v| !set.has[v.index()]) {
        parts.put_back(v);
    }
    let mut excess = set.excess();
    for _ in 0..ROUNDS {
        let away: Vec<_> = set.vertices().collect();
        let mut by_joined: Vec<_> = away.iter().map(|&v| (parts.joined_by(v), v)).collect();
        by_joined.sort_unstable();
        let mut left = away.len();
        for (_, v) in by_joined {
            let end = i64::from(is_end(set.ends, v));
            let without = excess + 2 - i64::from(parts.joined_by(v)) - end;
            if without > 0 && left > 1 {
                excess = without;
                parts.put_back(v);
                set.has[v.index()] = false;
                left -= 1;
            }
        }
        if left == away.len() {
            return;
        }
    }
}
