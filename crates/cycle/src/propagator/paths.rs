//! Paths that are formed by the edges whose variables are true. Each path is represented by its two ends.
//!
//! At first, every vertex is a path by itself. An edge that becomes true joins two paths at their ends, and only the
//! entries of the new path's ends are updated. Inner vertices keep their old entries. So undoing the steps in reverse
//! order only restores two ends per step. If the two ends of a path are adjacent and some vertices are outside the
//! path, the edge between the ends must stay false. If this edge becomes true nevertheless, a cycle has closed early.
//!
//! # References
//!
//! - J.-L. Laurière: *A Language and a Program for Stating and Solving Combinatorial Problems*, Artificial Intelligence
//!   10, 1978, and Yves Caseau, François Laburthe: *Solving Small TSPs with Constraints*, ICLP 1997, for the constraint
//!   on path ends that forbids early cycles.

/// Marker for a missing edge.
const NONE: u32 = u32::MAX;

/// Effect on the paths when an edge becomes true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Joined {
    /// The edge joined two paths into one.
    Path {
        ends: [u32; 2],
        vertices: u32,
        /// First and last edge of the new path, in the order of `ends`.
        last: [u32; 2],
    },
    /// The edge joined the two ends of one path. The resulting cycle has this number of vertices.
    Cycle { vertices: u32 },
    /// No effect: one of the vertices already has two true edges. The solver finds this conflict by itself.
    TooMany,
}

/// Record of an edge between a and b that became true. Before, one path led from p to a, and another path from b to q.
#[derive(Clone, Copy, Debug)]
struct Step {
    a: u32,
    b: u32,
    p: u32,
    q: u32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Path,
    Cycle,
    Ignored,
}

/// Paths of true edges, and the steps that formed them.
#[derive(Debug)]
pub(crate) struct Paths {
    /// Indexed by vertex: the other end of the path that ends at this vertex; for a path of one vertex, the vertex
    /// itself. Outdated for inner vertices.
    mate: Vec<u32>,
    /// Indexed by vertex: the number of vertices of the path that ends at this vertex. Outdated for inner vertices.
    vertices: Vec<u32>,
    /// True edges at each vertex, in the order in which they became true; `NONE` for each missing edge.
    on: Vec<[u32; 2]>,
    steps: Vec<Step>,
}

impl Paths {
    pub(crate) fn new(n: usize) -> Self {
        Self { mate: (0..n as u32).collect(), vertices: vec![1; n], on: vec![[NONE; 2]; n], steps: Vec::new() }
    }

    /// Returns the number of recorded edges.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Records that `edge` between vertices `a` and `b` became true. Returns the effect on the paths.
    pub(crate) fn join(&mut self, edge: u32, a: u32, b: u32) -> Joined {
        let (p, q) = (self.mate[a as usize], self.mate[b as usize]);
        let full = |v: u32| self.on[v as usize][1] != NONE;
        let kind = if full(a) || full(b) {
            Kind::Ignored
        } else if p == b {
            Kind::Cycle
        } else {
            Kind::Path
        };
        self.steps.push(Step { a, b, p, q, kind });
        if kind == Kind::Ignored {
            return Joined::TooMany;
        }
        for v in [a, b] {
            let on = &mut self.on[v as usize];
            let free = usize::from(on[0] != NONE);
            on[free] = edge;
        }
        if kind == Kind::Cycle {
            return Joined::Cycle { vertices: self.vertices[a as usize] };
        }
        let vertices = self.vertices[a as usize] + self.vertices[b as usize];
        for (end, other) in [(p, q), (q, p)] {
            self.mate[end as usize] = other;
            self.vertices[end as usize] = vertices;
        }
        Joined::Path { ends: [p, q], vertices, last: [self.on[p as usize][0], self.on[q as usize][0]] }
    }

    /// Undoes all recorded edges except the first `len`.
    pub(crate) fn undo(&mut self, len: usize) {
        for Step { a, b, p, q, kind } in self.steps.drain(len..).rev() {
            if kind == Kind::Ignored {
                continue;
            }
            for v in [a, b] {
                let on = &mut self.on[v as usize];
                let used = usize::from(on[1] != NONE);
                on[used] = NONE;
            }
            if kind == Kind::Cycle {
                continue;
            }
            for (end, inner) in [(p, a), (q, b)] {
                self.mate[end as usize] = inner;
                // If `inner` differs from `end`, the join did not update the entry of `inner`.
                self.vertices[end as usize] = match end == inner {
                    true => 1,
                    false => self.vertices[inner as usize],
                };
            }
        }
    }

    /// Writes the vertices of a path to `out`. The path starts at `from` with the true edge `edge`, and ends at `to`.
    /// `other` returns the other end of an edge, given the edge and one end.
    pub(crate) fn walk(&self, from: u32, edge: u32, to: u32, other: impl Fn(u32, u32) -> u32, out: &mut Vec<u32>) {
        out.clear();
        out.push(from);
        let (mut v, mut by) = (from, edge);
        while out.len() <= self.mate.len() {
            v = other(by, v);
            out.push(v);
            if v == to {
                return;
            }
            let [first, second] = self.on[v as usize];
            by = if first == by { second } else { first };
            debug_assert_ne!(by, NONE, "a path goes on to its end");
        }
        debug_assert!(false, "a path has an end");
    }

    /// Returns the true edges at a vertex.
    pub(crate) fn on(&self, v: u32) -> impl Iterator<Item = u32> + '_ {
        let on = self.on[v as usize];
        on.into_iter().filter(|&edge| edge != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Tests that after random joins and undos, `join` reports the same path ends and lengths as a walk along the
        /// edges.
        #[test]
        fn ends_are_those_of_paths(
            n in 2u32..9,
            moves in proptest::collection::vec((0u32..9, 0u32..9, 0usize..12), 1..40),
        ) {
            let mut paths = Paths::new(n as usize);
            let mut edges: Vec<[u32; 2]> = Vec::new();
            for (a, b, keep) in moves {
                if keep < edges.len() && keep % 3 == 0 {
                    edges.truncate(keep);
                    paths.undo(keep);
                }
                let (a, b) = (a % n, b % n);
                let again = edges.iter().any(|&[c, d]| [c, d] == [a, b] || [d, c] == [a, b]);
                let full = |v| edges.iter().filter(|ends| ends.contains(&v)).count() == 2;
                if a == b || again || full(a) || full(b) {
                    continue;
                }
                // Returns the other end of the path that ends at `v`, and the path's number of vertices.
                let follow = |v: u32| {
                    let (mut at, mut seen) = (v, vec![v]);
                    while let Some(next) = edges.iter().filter(|ends| ends.contains(&at)).find_map(|&[c, d]| {
                        let next = c ^ d ^ at;
                        (!seen.contains(&next)).then_some(next)
                    }) {
                        at = next;
                        seen.push(at);
                    }
                    (at, seen.len() as u32)
                };
                let ((p, left), (q, right)) = (follow(a), follow(b));
                let joined = paths.join(edges.len() as u32, a, b);
                match joined {
                    Joined::Cycle { vertices } => {
                        prop_assert_eq!(p, b);
                        prop_assert_eq!(vertices, left);
                    }
                    Joined::Path { ends, vertices, .. } => {
                        prop_assert_eq!(ends, [p, q]);
                        prop_assert_eq!(vertices, left + right);
                    }
                    Joined::TooMany => prop_assert!(false),
                }
                edges.push([a, b]);
                prop_assert_eq!(paths.len(), edges.len());
            }
        }
    }
}
