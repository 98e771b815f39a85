//! 2-factors of bipartite graphs, found by a flow from the left side of the graph to the right side. Two units leave
//! every left vertex, two units enter every right vertex, and at most one unit flows through each edge.
//!
//! A path of the search uses edges without flow from left to right, and edges with flow from right to left. In each
//! phase, a breadth-first search starts from all left vertices that lack edges. It finds the distance of the nearest
//! right vertices that lack edges. Depth-first searches along the levels then augment the flow until no shortest path
//! is left. If the breadth-first search reaches no right vertex that lacks edges, some set of left vertices has too few
//! neighbours. Then there is no 2-factor.
//!
//! A search only resets the vertices that the previous search reached. So local repairs stay cheap in large graphs.
//!
//! # References
//!
//! - J. E. Hopcroft, R. M. Karp: *An n^(5/2) algorithm for maximum matchings in bipartite graphs*, SIAM Journal on
//!   Computing 2, 1973.
//! - E. A. Dinic: *Algorithm for solution of a problem of maximum flow in networks with power estimation*, Soviet
//!   Mathematics Doklady 11, 1970.

use hamcnf_graph::{Graph, Vertex};

use super::links::{Factor, Links, NONE};
use super::{Budget, Stopped};

/// Number of vertices that a search examines between two checks of the budget.
const STEPS: usize = 1 << 13;
/// Threshold for separate searches. If at most this many vertices of the left side lack edges, one search starts from
/// each of them. The last augmenting paths are long, so a joint search would visit a larger area than a search from one
/// vertex.
const FEW: usize = 64;

/// Returns a 2-factor of the graph, found by augmenting the partial 2-factor `links`. Edges of `links` may be replaced.
/// Returns `None` if the graph has no 2-factor. `colours` is a 2-colouring; the vertices of the colour `false` are on the
/// left side.
pub(super) fn complete(
    graph: &Graph,
    colours: &[bool],
    links: Links,
    budget: &Budget,
) -> Result<Option<Factor>, Stopped> {
    let n = colours.len();
    if colours.iter().filter(|&&colour| colour).count() * 2 != n {
        return Ok(None);
    }
    let all = graph.vertices().map(Vertex::number);
    let left = all.filter(|&v| !colours[v as usize]);
    let mut short: Vec<u32> = left.filter(|&v| links.degree(v) < 2).collect();
    if short.is_empty() {
        return Ok(links.complete());
    }
    let mut flow = Flow { graph, links, level: vec![NONE; n], at: vec![0; n], queue: Vec::new(), path: Vec::new() };
    while short.len() > FEW {
        if !flow.levels(&short, budget)? {
            return Ok(None);
        }
        for (k, &v) in short.iter().enumerate() {
            if k.is_multiple_of(STEPS) {
                budget.check()?;
            }
            while flow.links.degree(v) < 2 && flow.augment(v) {}
        }
        short.retain(|&v| flow.links.degree(v) < 2);
    }
    for v in short {
        while flow.links.degree(v) < 2 {
            if !flow.levels(&[v], budget)? {
                return Ok(None);
            }
            flow.augment(v);
        }
    }
    Ok(flow.links.complete())
}

struct Flow<'a> {
    graph: &'a Graph,
    links: Links,
    /// Distance of each vertex from the nearest left vertex at which the search started; `NONE` if the vertex was not
    /// reached or is on no augmenting path.
    level: Vec<u32>,
    /// Indexed by left vertex: the index of the neighbour to try next. No augmenting path of this phase leads from the
    /// vertex to an earlier neighbour.
    at: Vec<u32>,
    /// Vertices that the search reached, in increasing order of their levels.
    queue: Vec<u32>,
    /// Edges from left to right on the path under construction.
    path: Vec<(u32, u32)>,
}

impl Flow<'_> {
    /// Computes the levels from the left vertices in `short` up to the nearest right vertices that lack an edge.
    /// Returns true if the search reaches such a right vertex.
    fn levels(&mut self, short: &[u32], budget: &Budget) -> Result<bool, Stopped> {
        for v in self.queue.drain(..) {
            self.level[v as usize] = NONE;
            self.at[v as usize] = 0;
        }
        for &v in short {
            self.level[v as usize] = 0;
        }
        self.queue.extend(short);
        // Level of the nearest right vertices that lack an edge.
        let mut nearest = NONE;
        let mut next = 0;
        while let Some(&v) = self.queue.get(next) {
            if next.is_multiple_of(STEPS) {
                budget.check()?;
            }
            next += 1;
            let level = self.level[v as usize] + 1;
            if level > nearest {
                break;
            }
            // Left vertices are on even levels.
            if level.is_multiple_of(2) {
                for w in self.links.of(v) {
                    reach(&mut self.level, &mut self.queue, w, level);
                }
                continue;
            }
            for w in self.graph.neighbours(Vertex::new(v)) {
                let w = w.number();
                if !self.links.has(v, w) && reach(&mut self.level, &mut self.queue, w, level) {
                    let short = self.links.degree(w) < 2;
                    nearest = if short { level } else { nearest };
                }
            }
        }
        Ok(nearest != NONE)
    }

    /// Increases the degree of `root` by one along an augmenting path through the levels. Returns false if no
    /// augmenting path was found.
    fn augment(&mut self, root: u32) -> bool {
        self.path.clear();
        let mut v = root;
        loop {
            let level = self.level[v as usize];
            let neighbours = self.graph.neighbours(Vertex::new(v));
            let mut next = None;
            while let Some(w) = neighbours.get(self.at[v as usize] as usize) {
                let w = w.number();
                if self.level[w as usize] == level + 1 && !self.links.has(v, w) {
                    if self.links.degree(w) < 2 {
                        self.path.push((v, w));
                        self.flip();
                        return true;
                    }
                    let on = |&x: &u32| self.level[x as usize] == level + 2;
                    next = self.links.of(w).find(on).map(|x| (w, x));
                    if next.is_some() {
                        break;
                    }
                }
                self.at[v as usize] += 1;
            }
            if let Some((w, x)) = next {
                self.path.push((v, w));
                v = x;
                continue;
            }
            // The vertex is on no augmenting path of this phase.
            self.level[v as usize] = NONE;
            match self.path.pop() {
                Some((before, _)) => v = before,
                None => return false,
            }
        }
    }

    /// Sends one unit of flow along `path`.
    fn flip(&mut self) {
        for pair in self.path.windows(2) {
            self.links.unlink(pair[0].1, pair[1].0);
        }
        for &(v, w) in &self.path {
            self.links.link(v, w);
        }
    }
}

/// Sets the level of `v` to `its` and adds `v` to the queue, unless `v` already has a level. Returns true if the level
/// was set.
fn reach(level: &mut [u32], queue: &mut Vec<u32>, v: u32, its: u32) -> bool {
    if level[v as usize] != NONE {
        return false;
    }
    level[v as usize] = its;
    queue.push(v);
    true
}
