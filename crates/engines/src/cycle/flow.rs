//! 2-factors of bipartite graphs by flow: two units leave every left vertex, two enter every right one, one at most
//! goes through an edge.
//!
//! Edges are used from left to right as long as they carry nothing, and from right to left where they carry
//! something. In each phase, a breadth-first search from all left vertices that are short finds how far the nearest
//! right ones that are short are, and depth-first searches along its levels augment until no shortest path is left.
//! When that search finds none, some set of left vertices has too few neighbours, and there is no 2-factor.
//!
//! Only what a search has touched is reset after it, so that few and local repairs stay cheap in large graphs.
//!
//! # References
//!
//! - J. E. Hopcroft, R. M. Karp: *An n^(5/2) algorithm for maximum matchings in bipartite graphs*, SIAM Journal on
//!   Computing 2, 1973.
//! - E. A. Dinic: *Algorithm for solution of a problem of maximum flow in networks with power estimation*, Soviet
//!   Mathematics Doklady 11, 1970.

use hamcnf_encodings::{Graph, Vertex};

use super::links::{Factor, Links, NONE};
use super::{Budget, Stopped};

/// Every how many vertices of a search the budget is looked at.
const STEPS: usize = 1 << 13;
/// So few vertices that are short are searched from one at a time: the last paths are long, and the area around all of
/// the vertices is larger than that around one.
const FEW: usize = 64;

/// Adds what is missing to a 2-factor, or finds that there is none.
pub(super) fn complete(
    graph: &Graph,
    is_left: &[bool],
    links: Links,
    budget: &Budget,
) -> Result<Option<Factor>, Stopped> {
    let n = is_left.len();
    if is_left.iter().filter(|&&left| left).count() * 2 != n {
        return Ok(None);
    }
    let all = graph.vertices().map(Vertex::number);
    let left = all.filter(|&v| is_left[v as usize]);
    let mut short: Vec<u32> = left.filter(|&v| links.degree(v) < 2).collect();
    if short.is_empty() {
        return Ok(links.complete());
    }
    let mut flow = Flow {
        graph,
        links,
        level: vec![NONE; n],
        at: vec![0; n],
        queue: Vec::new(),
        path: Vec::new(),
    };
    while short.len() > FEW {
        if !flow.levels(&short, budget)? {
            return Ok(None);
        }
        for (k, &v) in short.iter().enumerate() {
            if k.is_multiple_of(STEPS)
                && let Some(ended) = budget.over()
            {
                return Err(ended);
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
    /// How far each vertex is from the left vertices that are short, or `NONE`.
    level: Vec<u32>,
    /// For each left vertex, its neighbours before this one lead nowhere in this phase.
    at: Vec<u32>,
    /// The vertices that have a level, in the order of levels.
    queue: Vec<u32>,
    /// Edges from left to right of the path that is being searched.
    path: Vec<(u32, u32)>,
}

impl Flow<'_> {
    /// Finds the levels as far as the nearest right vertex that is short; says whether there is one.
    fn levels(&mut self, short: &[u32], budget: &Budget) -> Result<bool, Stopped> {
        for v in self.queue.drain(..) {
            self.level[v as usize] = NONE;
            self.at[v as usize] = 0;
        }
        for &v in short {
            self.level[v as usize] = 0;
        }
        self.queue.extend(short);
        // The level of the nearest right vertices that are short.
        let mut nearest = NONE;
        let mut next = 0;
        while let Some(&v) = self.queue.get(next) {
            if next.is_multiple_of(STEPS)
                && let Some(ended) = budget.over()
            {
                return Err(ended);
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

    /// Makes the degree of `root` one more, if a path along the levels allows it.
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
            // Not on any path of this phase.
            self.level[v as usize] = NONE;
            match self.path.pop() {
                Some((before, _)) => v = before,
                None => return false,
            }
        }
    }

    /// Carries one unit along the path.
    fn flip(&mut self) {
        for pair in self.path.windows(2) {
            self.links.unlink(pair[0].1, pair[1].0);
        }
        for &(v, w) in &self.path {
            self.links.link(v, w);
        }
    }
}

/// Gives a vertex its level, unless it has one; says whether it had none.
fn reach(level: &mut [u32], queue: &mut Vec<u32>, v: u32, its: u32) -> bool {
    if level[v as usize] != NONE {
        return false;
    }
    level[v as usize] = its;
    queue.push(v);
    true
}
