//! Rotations that let a stuck path continue.
//!
//! Let v_1 … v_k be a path whose last vertex has no unvisited neighbour. The last vertex has a neighbour v_i on the
//! path. Then v_1 … v_i v_k v_{k-1} … v_{i+1} is a path of the same vertices that ends in v_{i+1}. Pósa used only such
//! rotations to prove that nearly all graphs with enough edges have Hamiltonian cycles.
//!
//! The path must end next to a goal. Goals are the unvisited vertices or, if a closed tour is requested and the path
//! visits all vertices, the first vertex. On a board, a rotation moves the end only to a nearby square. With random
//! rotations only, the end would wander, and would need as many steps as the board has squares. Instead, rotations
//! decrease the distance to the nearest goal. About every fourth rotation is random, to avoid walking in circles.
//!
//! If a closed tour is requested and the path closes early, it is a cycle. The cycle can be opened after any vertex
//! with an unvisited neighbour, since any vertex of a cycle can be its start.
//!
//! A rotation reverses a section of the path, so it does not take constant time. The total length of the reversed
//! sections is limited to a multiple of the number of vertices.
//!
//! # References
//!
//! - L. Pósa: *Hamiltonian circuits in random graphs*, Discrete Mathematics 14, 1976.

use chacha20::ChaCha8Rng;
use hamcnf_graph::Vertex;

use super::walk::Walk;
use super::{Abort, Meter};
use crate::below;

/// Limit on the total length of reversed sections, as a multiple of the number of vertices of the graph.
const WORK_PER_VERTEX: u64 = 256;
/// Total length of reversed sections that is allowed even in the smallest graph.
const WORK_AT_LEAST: u64 = 20_000;
/// Reciprocal of the probability of a random rotation. A rotation that moves the end next to a goal is always
/// preferred.
const STROLL: usize = 4;

/// Extends a stuck path by rotations. Returns true if the path has become a tour; a closed tour may begin at any
/// vertex.
pub(super) fn mend(
    walk: &mut Walk<'_>,
    closed: bool,
    random: &mut ChaCha8Rng,
    watch: &mut Meter<'_>,
) -> Result<bool, Abort> {
    let mut work = (WORK_PER_VERTEX * walk.n() as u64).max(WORK_AT_LEAST);
    let mut goals = Goals::default();
    let mut ends = Vec::new();
    loop {
        // Extend the path as far as possible by Warnsdorff's rule.
        while let Some(next) = extension(walk, &mut ends, random) {
            walk.visit(next);
            watch.node()?;
            goals.known = false;
        }
        let last = walk.last();
        let closes = closed && walk.neighbours(last).contains(&walk.first());
        if walk.is_complete() && (closes || !closed) {
            return Ok(true);
        }
        let length = walk.path().len();
        let mut cost = length;
        let opening = |walk: &Walk<'_>| walk.path().iter().position(|&v| walk.onward(v) > 0);
        if closes && let Some(position) = opening(walk) {
            walk.rotate_to((position + 1) % length);
        } else {
            if !goals.known {
                goals.find(walk);
                cost += walk.n();
            }
            // A rotation at the neighbour just before the last vertex would not change the path.
            ends.clear();
            let pivots = walk.neighbours(last).iter().copied();
            ends.extend(pivots.filter(|&v| walk.position(v) + 2 < length));
            if ends.is_empty() {
                return Ok(false);
            }
            // Start with a random candidate, since several candidates may be equally near to a goal.
            let any = below(random, ends.len());
            ends.swap(0, any);
            let end = |pivot: &Vertex| walk.path()[walk.position(*pivot) + 1];
            let nearest = ends.iter().copied().min_by_key(|pivot| goals.distance(end(pivot)));
            let pivot = match nearest {
                Some(nearest) if goals.distance(end(&nearest)) <= 1 => nearest,
                Some(nearest) if below(random, STROLL) > 0 => nearest,
                _ => ends[0],
            };
            let begin = walk.position(pivot) + 1;
            cost -= begin;
            walk.reverse_from(begin);
        }
        watch.rotation()?;
        match work.checked_sub(cost as u64) {
            Some(rest) => work = rest,
            None => return Ok(false),
        }
    }
}

/// Distance of every vertex from the nearest goal: an unvisited vertex or, if there is none, the first vertex.
#[derive(Default)]
struct Goals {
    /// True if the distances are valid for the current path.
    known: bool,
    distances: Vec<u32>,
    queue: Vec<Vertex>,
}

impl Goals {
    /// Computes the distances by breadth-first search from all goals at once.
    fn find(&mut self, walk: &Walk<'_>) {
        self.known = true;
        self.distances.clear();
        self.distances.resize(walk.n(), u32::MAX);
        self.queue.clear();
        if walk.is_complete() {
            self.queue.push(walk.first());
        } else {
            self.queue.extend(walk.unvisited());
        }
        for goal in &self.queue {
            self.distances[goal.index()] = 0;
        }
        let mut next = 0;
        while let Some(&v) = self.queue.get(next) {
            next += 1;
            let distance = self.distances[v.index()] + 1;
            for &w in walk.neighbours(v) {
                if self.distances[w.index()] == u32::MAX {
                    self.distances[w.index()] = distance;
                    self.queue.push(w);
                }
            }
        }
    }

    fn distance(&self, v: Vertex) -> u32 {
        self.distances[v.index()]
    }
}

/// Returns the next vertex of the path: an unvisited neighbour of the last vertex, with the fewest onward moves among
/// these neighbours. Ties are broken at random.
fn extension(walk: &Walk<'_>, tied: &mut Vec<Vertex>, random: &mut ChaCha8Rng) -> Option<Vertex> {
    walk.fewest_onward(0, tied);
    (!tied.is_empty()).then(|| tied[below(random, tied.len())])
}
