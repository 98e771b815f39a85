//! Rotations: how a path that is stuck goes on.
//!
//! Let the path be v_1 … v_k, and let its last vertex have no unvisited neighbour. It has a neighbour v_i on
//! the path; then v_1 … v_i v_k v_{k-1} … v_{i+1} is a path of the same vertices that ends in v_{i+1}. Pósa
//! showed with this step alone that nearly all graphs with enough edges have Hamiltonian cycles.
//!
//! The path has to end next to a goal: to a vertex that is not visited yet, or, when all vertices are on the
//! path of a closed tour, to the first. On a board the new end is near the old one, so that ends chosen at
//! random would stroll about, which takes as many steps as there are squares. Here they go downhill by the
//! distance to the nearest goal, and at random every fourth time, so that they do not walk in circles.
//!
//! Where a closed tour is asked for and the path closes early, it is a cycle, and can be opened behind any
//! vertex that has an unvisited neighbour: in a cycle the start is as good as any other vertex.
//!
//! A rotation reverses a part of the path, so it does not take constant time. The sum of these lengths is
//! limited to a multiple of the number of vertices.
//!
//! # References
//!
//! - L. Pósa: *Hamiltonian circuits in random graphs*, Discrete Mathematics 14, 1976.

use hamcnf_encodings::Vertex;
use rand_chacha::ChaCha8Rng;

use super::walk::Walk;
use super::{Abort, Meter, below};

/// Work for each vertex, and for small graphs at least.
const WORK_PER_VERTEX: u64 = 256;
const WORK_AT_LEAST: u64 = 20_000;
/// Every how many rotations one is at random.
const STROLL: usize = 4;

/// Goes on from a path that is stuck. Says whether it has become a tour (of a closed one, in which any vertex
/// may come first).
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
        // As far as it goes, by Warnsdorff's rule.
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
            // The neighbour right before the last vertex gives nothing new.
            ends.clear();
            let pivots = walk.neighbours(last).iter().copied();
            ends.extend(pivots.filter(|&v| walk.position(v) + 2 < length));
            if ends.is_empty() {
                return Ok(false);
            }
            // A random one to begin with, since the nearest may be several.
            let any = below(random, ends.len());
            ends.swap(0, any);
            let end = |pivot: &Vertex| walk.path()[walk.position(*pivot) + 1];
            let nearest = ends
                .iter()
                .copied()
                .min_by_key(|pivot| goals.distance(end(pivot)));
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

/// How far every vertex is from the nearest goal.
#[derive(Default)]
struct Goals {
    /// Whether the distances are those of the path as it is.
    known: bool,
    distances: Vec<u32>,
    queue: Vec<Vertex>,
}

impl Goals {
    /// Finds the distances by breadth-first search from all goals at once.
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

/// An unvisited neighbour of the last vertex from which the fewest moves lead on.
fn extension(walk: &Walk<'_>, tied: &mut Vec<Vertex>, random: &mut ChaCha8Rng) -> Option<Vertex> {
    let mut fewest = u32::MAX;
    tied.clear();
    for &v in walk.neighbours(walk.last()) {
        if walk.is_visited(v) {
            continue;
        }
        let onward = walk.onward(v);
        if onward < fewest {
            fewest = onward;
            tied.clear();
        }
        if onward == fewest {
            tied.push(v);
        }
    }
    (!tied.is_empty()).then(|| tied[below(random, tied.len())])
}
