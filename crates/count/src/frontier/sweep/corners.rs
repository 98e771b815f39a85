//! Classes of the first edges of frontier vertices, and contributions to a statistic at each step of a sweep.
//!
//! Let a(u, v, w) be the contribution of the two edges u–v and v–w of a tour. If v has one edge so far, to the vertex u,
//! then the rest of the sweep depends on u only through the row (a(u, v, w)) over the neighbours w of v that can still
//! follow. The least entry of the row is certain, and is added to the statistic at once. Vertices u whose rows agree
//! after this subtraction form a class. As the sweep passes neighbours of v, rows get shorter, so classes are merged.

use std::collections::HashMap;

use hamcnf_graph::Vertex;

use crate::frontier::state::arrivals::MOST;
use crate::frontier::state::{Arrivals, Corners, Later, Next};
use crate::frontier::sweep::Sweep;

/// Computes the contributions at each step. `edge` is the contribution of two successive vertices, and `angle` the
/// contribution at the second of three successive vertices. Returns `None` if a vertex has too many classes.
pub(crate) fn corners(
    sweep: &Sweep,
    edge: &dyn Fn(Vertex, Vertex) -> u32,
    angle: &dyn Fn(Vertex, Vertex, Vertex) -> u32,
) -> Option<Vec<Corners>> {
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
            debug_assert!(known.is_empty() || rest.iter().eq(before.iter().filter(|&&u| u != v)));
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
        let untouched = touched.fold(Arrivals::ALL, |mask, slot| mask.with(slot, 0));
        let frontier = sweep.frontier(t + 1).iter();
        let classes = frontier.map(|seat| rows.get(&seat.vertex).map_or(1, |(_, of)| of.len()));
        steps.push(Corners {
            classes: classes.collect(),
            growth: merged.into_iter().sum(),
            both: both.collect(),
            later,
            slot: step.slot,
            untouched,
        });
    }
    Some(steps)
}

/// Returns the number of bits of the factor by which a sum grows if it has `terms` terms.
fn bits_of(terms: usize) -> u32 {
    terms.max(1).next_power_of_two().ilog2()
}
