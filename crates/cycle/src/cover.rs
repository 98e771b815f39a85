//! Vertex-disjoint cycles that together visit all vertices, and exchanges of edges that modify them.
//!
//! An exchange is an alternating closed walk t_0 t_1 … t_{2k−1}. It removes the edges t_0t_1, t_2t_3, … of the cycles,
//! and inserts the edges t_1t_2, t_3t_4, …, t_{2k−1}t_0. The removal leaves paths, the *segments*, which the new edges
//! join to cycles. The new number of cycles can be computed in time k log k if the order of the removed edges along
//! their cycles is known.
//!
//! To maintain this order, every vertex has a label. Labels increase along a cycle, and wrap around modulo 2^64 once.
//! After an exchange, the longest segment keeps its labels. The vertices of the other segments get new labels, spread
//! over the remaining space. So the time of an exchange is proportional to the number of vertices outside the longest
//! segment. Joining a small cycle to a large cycle only touches the vertices of the small cycle. If no space is left,
//! the whole cycle is relabelled.
//!
//! # References
//!
//! - P. F. Dietz, D. D. Sleator: *Two algorithms for maintaining order in a list*, STOC 1987.
//! - K. Helsgaun: *General k-opt submoves for the Lin–Kernighan TSP heuristic*, Mathematical Programming Computation
//!   1, 2009.

use chacha20::ChaCha8Rng;

use super::below;
use super::links::{NONE, around, onward, replace};

/// Maximum number of vertices in the walk of an exchange.
pub(super) const LONGEST: usize = 32;

pub(super) struct Cover {
    links: Vec<[u32; 2]>,
    label: Vec<u64>,
    /// Indexed by vertex: the number of the cycle that visits the vertex.
    ring: Vec<u32>,
    /// Indexed by cycle number: the number of vertices of the cycle; 0 if the cycle number is free.
    size: Vec<u32>,
    /// Indexed by cycle number: one vertex of the cycle.
    member: Vec<u32>,
    /// Cycle numbers that are free for new cycles.
    free: Vec<u32>,
    /// Buffer for the vertices that get new labels, kept to reuse its memory.
    walk: Vec<u32>,
    /// Number of vertices that got new labels since the last call of [`Self::take_labelled`].
    labelled: u64,
}

/// Outcome of an exchange, computed before the exchange is made.
pub(super) struct Exchange {
    /// Indexed by position in the walk: the position of the other end of the same segment. Segments are the paths that
    /// remain after the edges are removed.
    other: [u8; LONGEST],
    /// Indexed by position in the walk: true if the vertex there is the first end of its segment in the order of
    /// labels.
    is_first: [bool; LONGEST],
    /// New number of cycles minus the old number of cycles.
    pub(super) change: i32,
}

impl Exchange {
    /// Marks in `seen` the positions of a walk of this length that are on the same new cycle as the position `place`.
    fn follow(&self, mut place: usize, length: usize, seen: &mut u32) {
        while *seen >> place & 1 == 0 {
            let end = self.other[place] as usize;
            *seen |= 1 << place | 1 << end;
            place = joined(end, length);
        }
    }
}

impl Cover {
    pub(super) fn new(links: Vec<[u32; 2]>) -> Self {
        let n = links.len();
        let mut cover = Self {
            links,
            label: vec![0; n],
            ring: vec![NONE; n],
            size: Vec::new(),
            member: Vec::new(),
            free: Vec::new(),
            walk: Vec::new(),
            labelled: 0,
        };
        for v in 0..n as u32 {
            if cover.ring[v as usize] == NONE {
                cover.new_ring(v);
            }
        }
        cover
    }

    pub(super) fn links(&self, v: u32) -> [u32; 2] {
        self.links[v as usize]
    }

    pub(super) fn all_links(&self) -> &[[u32; 2]] {
        &self.links
    }

    /// Returns the number of vertices that got new labels since the last call. This number measures the work of
    /// exchanges.
    pub(super) fn take_labelled(&mut self) -> u64 {
        std::mem::take(&mut self.labelled)
    }

    pub(super) fn into_links(self) -> Vec<[u32; 2]> {
        self.links
    }

    pub(super) fn has(&self, v: u32, w: u32) -> bool {
        self.links[v as usize].contains(&w)
    }

    /// Returns the number of cycles.
    pub(super) fn count(&self) -> usize {
        self.size.len() - self.free.len()
    }

    /// Returns the number of the cycle that visits a vertex.
    pub(super) fn ring(&self, v: u32) -> u32 {
        self.ring[v as usize]
    }

    /// Returns the cycle number and the length of each cycle.
    pub(super) fn rings(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(&self.size).filter(|&(_, &size)| size > 0).map(|(ring, &size)| (ring, size))
    }

    /// Returns a random vertex of the k-th shortest cycle.
    pub(super) fn random_vertex(&self, k: usize, random: &mut ChaCha8Rng) -> u32 {
        let mut rings: Vec<_> = self.rings().collect();
        rings.sort_unstable_by_key(|&(ring, size)| (size, ring));
        let (ring, size) = rings[k];
        let member = below(random, size as usize);
        let mut members = around(&self.links, self.member[ring as usize]);
        members.nth(member).expect("the index is below the size of the ring")
    }

    /// Returns the label of `w` minus the label of `v`, modulo 2^64: the distance forward from `v` to `w` on their
    /// cycle.
    fn ahead(&self, v: u32, w: u32) -> u64 {
        self.label[w as usize].wrapping_sub(self.label[v as usize])
    }

    /// True if `w`, a neighbour of `v` on its cycle, follows `v` in the order of labels.
    fn is_next(&self, v: u32, w: u32) -> bool {
        let [a, b] = self.links[v as usize];
        let other = if a == w { b } else { a };
        self.ahead(v, w) < self.ahead(v, other)
    }

    /// Computes the outcome of an exchange along `walk`, without making the exchange. The removed edges must be
    /// different edges of the cycles. An inserted edge must not be an edge of the cycles, unless the exchange also
    /// removes it.
    pub(super) fn outcome(&self, walk: &[u32]) -> Exchange {
        let cuts = walk.len() / 2;
        let mut order = [(0, 0, 0, 0); LONGEST / 2];
        for (k, pair) in walk.chunks_exact(2).enumerate() {
            let (a, b) = (2 * k as u8, 2 * k as u8 + 1);
            let (tail, head) = if self.is_next(pair[0], pair[1]) { (a, b) } else { (b, a) };
            let v = walk[tail as usize];
            order[k] = (self.ring[v as usize], self.label[v as usize], tail, head);
        }
        let order = &mut order[..cuts];
        order.sort_unstable();
        let mut outcome = Exchange { other: [0; LONGEST], is_first: [false; LONGEST], change: 0 };
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            outcome.change -= 1;
            for (k, cut) in same.iter().enumerate() {
                let (head, tail) = (cut.3, same[(k + 1) % same.len()].2);
                outcome.other[head as usize] = tail;
                outcome.other[tail as usize] = head;
                outcome.is_first[head as usize] = true;
            }
        }
        let mut seen = 0u32;
        for start in 0..walk.len() {
            if seen >> start & 1 == 1 {
                continue;
            }
            outcome.change += 1;
            outcome.follow(start, walk.len(), &mut seen);
        }
        outcome
    }

    /// Makes the exchange along `walk`. `outcome` must be the value of [`Self::outcome`] for this walk.
    pub(super) fn exchange(&mut self, walk: &[u32], outcome: &Exchange) {
        let length = |place: usize| {
            let (v, w) = (walk[place], walk[outcome.other[place] as usize]);
            let size = self.size[self.ring[v as usize] as usize];
            u128::from(self.ahead(v, w)) * u128::from(size)
        };
        let firsts = (0..walk.len()).filter(|&place| outcome.is_first[place]);
        let first = firsts.max_by_key(|&place| length(place)).expect("an exchange removes edges");
        let last = outcome.other[first] as usize;
        let kept = self.ring[walk[first] as usize];
        // Number of vertices on all cycles that the exchange changes.
        let mut total = 0;
        for &v in walk {
            let ring = self.ring[v as usize];
            let size = std::mem::take(&mut self.size[ring as usize]);
            total += size;
            if size > 0 && ring != kept {
                self.free.push(ring);
            }
        }
        for pair in walk.chunks_exact(2) {
            replace(&mut self.links, pair[0], pair[1], NONE);
            replace(&mut self.links, pair[1], pair[0], NONE);
        }
        for k in (1..walk.len()).step_by(2) {
            let (v, w) = (walk[k], walk[joined(k, walk.len())]);
            replace(&mut self.links, v, NONE, w);
            replace(&mut self.links, w, NONE, v);
        }
        // First assign numbers to the new cycles that do not contain the longest segment. The rest of `total` is the
        // size of the remaining new cycle.
        let mut seen = 0u32;
        outcome.follow(first, walk.len(), &mut seen);
        for start in 0..walk.len() {
            if seen >> start & 1 == 1 {
                continue;
            }
            total -= self.new_ring(walk[start]);
            outcome.follow(start, walk.len(), &mut seen);
        }
        self.size[kept as usize] = total;
        self.member[kept as usize] = walk[last];
        self.spread(walk[last], walk[joined(last, walk.len())], walk[first], kept);
    }

    /// Labels the vertices from `from` up to the vertex before `first`, and gives them the cycle number `ring`. `last`
    /// is the vertex before `from`. The vertices `last` and `first` keep their labels, unless there is no space between
    /// these labels.
    fn spread(&mut self, last: u32, from: u32, first: u32, ring: u32) {
        let mut new = std::mem::take(&mut self.walk);
        new.clear();
        let (mut before, mut v) = (last, from);
        while v != first {
            new.push(v);
            (before, v) = (v, onward(&self.links, before, v));
        }
        self.labelled += new.len() as u64;
        let space = if first == last { u64::MAX } else { self.ahead(last, first) };
        let step = space / (new.len() as u64 + 1);
        if step > 0 {
            let mut label = self.label[last as usize];
            for &v in &new {
                label = label.wrapping_add(step);
                self.label[v as usize] = label;
                self.ring[v as usize] = ring;
            }
            self.walk = new;
        } else {
            self.walk = new;
            self.label_all(first, ring);
        }
    }

    /// Labels all vertices of the cycle through `first`, and gives them the cycle number `ring`. Returns the length of
    /// the cycle.
    fn label_all(&mut self, first: u32, ring: u32) -> u32 {
        let mut new = std::mem::take(&mut self.walk);
        new.clear();
        new.extend(around(&self.links, first));
        self.labelled += new.len() as u64;
        let step = u64::MAX / new.len() as u64;
        for (k, &v) in (0..).zip(&new) {
            self.label[v as usize] = k * step;
            self.ring[v as usize] = ring;
        }
        self.walk = new;
        self.walk.len() as u32
    }

    /// Assigns a free number to the cycle through `v`, and labels its vertices. Returns the length of the cycle.
    fn new_ring(&mut self, v: u32) -> u32 {
        let ring = self.free.pop().unwrap_or_else(|| {
            self.size.push(0);
            self.member.push(v);
            self.size.len() as u32 - 1
        });
        let size = self.label_all(v, ring);
        self.size[ring as usize] = size;
        self.member[ring as usize] = v;
        size
    }
}

/// Returns the index of the vertex that an exchange joins to the vertex at index `place`. Both are indices in a walk
/// with `length` vertices.
pub(super) fn joined(place: usize, length: usize) -> usize {
    if place % 2 == 1 { (place + 1) % length } else { (place + length - 1) % length }
}

/// True if the exchange along `walk` removes the edge vw.
pub(super) fn removed(walk: &[u32], v: u32, w: u32) -> bool {
    walk.chunks_exact(2).any(|pair| pair == [v, w] || pair == [w, v])
}

/// True if the exchange along `walk` inserts the edge vw.
pub(super) fn put_in(walk: &[u32], v: u32, w: u32) -> bool {
    walk[1..].chunks_exact(2).any(|pair| pair == [v, w] || pair == [w, v])
}

#[cfg(test)]
mod tests {
    use super::super::factor::Factor;
    use super::*;
    use proptest::prelude::*;

    fn check(cover: &Cover) {
        let cycles = Factor::of_links(cover.links.clone()).cycles();
        assert_eq!(cover.count(), cycles.len());
        for cycle in &cycles {
            let ring = cover.ring(cycle[0].number());
            assert_eq!(cover.size[ring as usize] as usize, cycle.len());
            let mut members: Vec<_> = around(&cover.links, cover.member[ring as usize]).collect();
            let descents = |cycle: &[u32]| {
                let label = |k: usize| cover.label[cycle[k % cycle.len()] as usize];
                (0..cycle.len()).filter(|&k| label(k) > label(k + 1)).count()
            };
            let along = descents(&members);
            members.reverse();
            let back = descents(&members);
            // In one of the directions, labels wrap around exactly once.
            assert!(along == 1 || back == 1);
            members.sort_unstable();
            let mut cycle: Vec<_> = cycle.iter().map(|v| v.number()).collect();
            cycle.sort_unstable();
            assert_eq!(members, cycle);
            assert!(members.iter().all(|&v| cover.ring(v) == ring));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn exchanges_do_what_was_said_and_keep_the_order(
            n in 9u32..24,
            steps in proptest::collection::vec(proptest::collection::vec(0u32..1000, 2..=5), 200),
        ) {
            // Begin with a triangle and a cycle through the other vertices.
            let mut links: Vec<_> = (0..n).map(|v| [if v == 3 { n - 1 } else { v.saturating_sub(1) }, if v == n - 1 { 3 } else { v + 1 }]).collect();
            links[0] = [1, 2];
            links[2] = [1, 0];
            let mut cover = Cover::new(links);
            check(&cover);
            for step in steps {
                // Removed edges in any direction and order give a valid exchange if the inserted edges are new.
                let mut walk: Vec<u32> = Vec::new();
                for choice in step {
                    let v = choice % n;
                    let w = cover.links(v)[(choice / 100 % 2) as usize];
                    let removed = |pair: &[u32]| pair == [v, w] || pair == [w, v];
                    if !walk.chunks_exact(2).any(removed) {
                        walk.extend([v, w]);
                    }
                }
                let mut new: Vec<_> = (1..walk.len()).step_by(2).map(|k| {
                    let (v, w) = (walk[k], walk[joined(k, walk.len())]);
                    (v.min(w), v.max(w))
                }).collect();
                new.sort_unstable();
                let twice = new.windows(2).any(|pair| pair[0] == pair[1]);
                if twice || new.iter().any(|&(v, w)| v == w || cover.has(v, w)) {
                    continue;
                }
                let before = cover.count() as i32;
                let outcome = cover.outcome(&walk);
                cover.exchange(&walk, &outcome);
                prop_assert_eq!(cover.count() as i32, before + outcome.change);
                check(&cover);
            }
        }
    }
}
