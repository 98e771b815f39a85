//! Arrivals: the classes of the first edges of the frontier vertices with one edge.
//!
//! Let a(u, v, w) be the contribution to a statistic of the two edges u–v and v–w of a tour. If v has one edge so far,
//! to the vertex u, then the rest of the sweep depends on u only through the row (a(u, v, w)) over the neighbours w of
//! v that can still follow. The least entry of the row is certain, and is added to the statistic at once. Vertices u
//! whose rows agree after this subtraction form a *class*. A state holds the class of each frontier vertex with one
//! edge. As the sweep passes neighbours of v, rows get shorter, so classes are merged.

use std::collections::HashMap;

use hamcnf_encodings::Vertex;

use super::degrees::Degrees;
use super::moves::{Choice, Move};
use super::sweep::Sweep;

/// Classes of the first edges of the frontier vertices with one edge. Each slot (position of a frontier vertex) has five
/// bits; the bits of slots with another degree are 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Arrivals(u128);

/// Number of bits of a class.
const BITS: u32 = 5;
/// Maximum number of classes of a vertex.
const MOST: usize = 1 << BITS;

impl Arrivals {
    pub(super) const NONE: Self = Self(0);

    pub(super) fn of(self, slot: u32) -> usize {
        (self.0 >> (BITS * slot)) as usize & (MOST - 1)
    }

    pub(super) fn with(self, slot: u32, class: usize) -> Self {
        let without = self.0 & !((MOST as u128 - 1) << (BITS * slot));
        Self(without | (class as u128) << (BITS * slot))
    }
}

/// Entry of a table: the class afterwards, and the contribution that has become certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Next {
    class: usize,
    adds: u32,
}

/// Contributions to a statistic at a step of the sweep.
#[derive(Clone, Debug, Default)]
pub(super) struct Corners {
    /// Later neighbours of the step's vertex.
    later: Vec<Later>,
    /// Contribution of the step's vertex for two new edges, given by their indices in `later`.
    both: Vec<Vec<u32>>,
    slot: u32,
    /// Number of classes of each frontier vertex after the step, in the order of the sweep.
    classes: Vec<usize>,
    /// Upper bound on the number of bits by which the largest number in a weight grows because the step merges classes.
    pub(super) growth: u32,
    /// Mask of the classes that this step leaves unchanged.
    untouched: u128,
}

#[derive(Clone, Debug, Default)]
struct Later {
    slot: u32,
    /// Contribution of the edge to this neighbour by itself.
    edge: u32,
    /// Contribution at the step's vertex of the edge to this neighbour, by the class of the vertex's first edge.
    leaves: Vec<u32>,
    /// Class of the neighbour if its first edge is the edge to the step's vertex.
    begins: Next,
    /// Contribution at the neighbour if its second edge is the edge to the step's vertex, by the class of the first
    /// edge.
    ends: Vec<u32>,
    /// Class of the neighbour after the step if it gets no edge, by the class before the step.
    keeps: Vec<Next>,
}

/// Returns the number of bits of the factor by which a sum grows if it has `terms` terms.
fn bits_of(terms: usize) -> u32 {
    terms.max(1).next_power_of_two().ilog2()
}

impl Corners {
    /// Computes the contributions at each step. `edge` is the contribution of two successive vertices, and `angle` the
    /// contribution at the second of three successive vertices. Returns `None` if a vertex has too many classes.
    pub(super) fn of(
        sweep: &Sweep,
        edge: &dyn Fn(Vertex, Vertex) -> u32,
        angle: &dyn Fn(Vertex, Vertex, Vertex) -> u32,
    ) -> Option<Vec<Self>> {
        // The rows of each frontier vertex, by class. A row has an entry for each later neighbour.
        let mut rows: HashMap<Vertex, (Vec<Vertex>, Vec<Vec<u32>>)> = HashMap::new();
        let mut steps = Vec::with_capacity(sweep.n());
        for t in 0..sweep.n() {
            let step = sweep.step(t);
            let v = step.vertex;
            let own = rows.remove(&v).unwrap_or_default();
            let mut later = Vec::with_capacity(step.later.len());
            let mut merged = vec![bits_of(own.1.len())];
            for seat in &step.later {
                let w = seat.vertex;
                let (before, known) = rows.remove(&w).unwrap_or_default();
                // The apex is no square, so nothing depends on the edges there.
                let rest = match sweep.is_apex(w) {
                    true => Vec::new(),
                    false => sweep.later_neighbours(t + 1, w),
                };
                let mut classes: Vec<Vec<u32>> = Vec::new();
                let mut class_of = |mut row: Vec<u32>| {
                    let adds = row.iter().copied().min().unwrap_or(0);
                    row.iter_mut().for_each(|entry| *entry -= adds);
                    let known = classes.iter().position(|class| *class == row);
                    let class = known.unwrap_or_else(|| {
                        classes.push(row);
                        classes.len() - 1
                    });
                    Next { class, adds }
                };
                let at = before.iter().position(|&u| u == v);
                let begins = class_of(rest.iter().map(|&x| angle(v, w, x)).collect());
                // The later neighbours are those of the step before, without v.
                let keeps = known.iter().map(|row| {
                    let entries = row.iter().enumerate();
                    let entries = entries.filter(|(k, _)| Some(*k) != at);
                    class_of(entries.map(|(_, &entry)| entry).collect())
                });
                let keeps: Vec<_> = keeps.collect();
                debug_assert!(
                    known.is_empty() || rest.iter().eq(before.iter().filter(|&&u| u != v))
                );
                let sources = (0..classes.len()).map(|class| {
                    let same = keeps.iter().filter(|next: &&Next| next.class == class);
                    bits_of(same.count())
                });
                merged.push(bits_of(known.len()).max(sources.max().unwrap_or(0)));
                let ends = known.iter().map(|row| at.map_or(0, |k| row[k]));
                later.push(Later {
                    slot: seat.slot,
                    edge: edge(v, w),
                    leaves: own
                        .1
                        .iter()
                        .map(|row| {
                            let k = own.0.iter().position(|&x| x == w);
                            k.map_or(0, |k| row[k])
                        })
                        .collect(),
                    begins,
                    ends: ends.collect(),
                    keeps,
                });
                if classes.len() > MOST {
                    return None;
                }
                rows.insert(w, (rest, classes));
            }
            let both = step.later.iter().map(|a| {
                let each = step.later.iter();
                each.map(|b| angle(a.vertex, v, b.vertex)).collect()
            });
            let touched = step.later.iter().map(|seat| seat.slot).chain([step.slot]);
            let untouched = touched.fold(Arrivals(u128::MAX), |mask, slot| mask.with(slot, 0));
            let frontier = sweep.frontier(t + 1).iter();
            let classes = frontier.map(|seat| rows.get(&seat.vertex).map_or(1, |(_, of)| of.len()));
            steps.push(Self {
                classes: classes.collect(),
                growth: merged.into_iter().sum(),
                both: both.collect(),
                later,
                slot: step.slot,
                untouched: untouched.0,
            });
        }
        Some(steps)
    }

    /// Returns the geometric mean of the numbers of classes of the frontier vertices after the step.
    pub(super) fn mean_classes(&self) -> f64 {
        let logarithms = self
            .classes
            .iter()
            .map(|&classes| (classes.max(1) as f64).ln());
        (logarithms.sum::<f64>() / self.classes.len().max(1) as f64).exp()
    }

    /// Returns a hash value of the classes that this step leaves unchanged.
    pub(super) fn untouched(&self, arrivals: Arrivals) -> u64 {
        let untouched = arrivals.0 & self.untouched;
        let folded = (untouched >> 64) as u64 ^ (untouched as u64).rotate_left(23);
        (folded ^ folded >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns the contribution of a choice from a state with these degrees and arrivals that has become certain, and
    /// the arrivals after the choice.
    pub(super) fn after(
        &self,
        degrees: Degrees,
        arrivals: Arrivals,
        choice: &Choice,
    ) -> (u32, Arrivals) {
        let mut adds = match (choice.by, choice.edges) {
            (Move::Keep, _) => 0,
            (_, [Some(k), None]) => self.later[k].leaves[arrivals.of(self.slot)],
            (_, [Some(k), Some(l)]) => self.both[k][l],
            _ => 0,
        };
        let edges = choice.edges.into_iter().flatten();
        adds += edges.map(|k| self.later[k].edge).sum::<u32>();
        let mut after = arrivals.with(self.slot, 0);
        for (k, later) in self.later.iter().enumerate() {
            let is_new = choice.edges.contains(&Some(k));
            // The neighbour may have taken the slot of the step's vertex.
            let degree = match later.slot == self.slot {
                true => 0,
                false => degrees.of(later.slot),
            };
            let class = arrivals.of(later.slot);
            let next = match (degree, is_new) {
                (0, true) => later.begins,
                (1, true) => Next {
                    class: 0,
                    adds: later.ends[class],
                },
                (1, false) => later.keeps[class],
                _ => continue,
            };
            adds += next.adds;
            after = after.with(later.slot, next.class);
        }
        (adds, after)
    }
}
