//! Merging of the cycles of a 2-factor by exchanges of two edges.
//!
//! Let ab be an edge of one cycle and cd an edge of another. Let a be adjacent to c, and b to d. Without ab and cd, the
//! cycles are paths, and the edges ac and bd join these paths to one cycle. The directions of the cycles do not matter.
//! So merging only needs the partition of the vertices into cycles, which union-find maintains. The new edges of an
//! exchange may allow further exchanges. Therefore, merging sweeps over the vertices until a sweep changes nothing.
//!
//! # References
//!
//! - R. M. Karp: *A patching algorithm for the nonsymmetric traveling-salesman problem*, SIAM Journal on Computing 8,
//!   1979.
//! - I. Parberry: *An efficient algorithm for the Knight's tour problem*, Discrete Applied Mathematics 73, 1997.

use hamcnf_graph::{Graph, Vertex};

use super::Budget;
use super::links::{Factor, NONE, around, replace};

/// Number of vertices examined between two checks of the budget.
const STEPS: usize = 1 << 13;

/// Merges cycles of a 2-factor until no exchange of two edges can merge two cycles, or until the budget is exhausted.
pub fn merge(graph: &Graph, factor: Factor, budget: &Budget) -> Factor {
    let mut links = factor.into_links();
    let mut parts = Parts::of(&links);
    let mut steps = 0usize;
    'sweeps: while parts.count > 1 {
        let before = parts.count;
        for a in graph.vertices() {
            steps += 1;
            if steps.is_multiple_of(STEPS) && budget.over().is_some() {
                break 'sweeps;
            }
            if parts.count == 1 {
                break;
            }
            // After an exchange, try again with the new edges at this vertex.
            while exchange(graph, &mut links, &mut parts, a.number()) {}
        }
        if parts.count == before {
            break;
        }
    }
    Factor::of_links(links)
}

/// Merges the cycle through `a` with another cycle by exchanging an edge at `a`, if possible. Returns true if two
/// cycles were merged.
fn exchange(graph: &Graph, links: &mut [[u32; 2]], parts: &mut Parts, a: u32) -> bool {
    let own = parts.find(a);
    for c in graph.neighbours(Vertex::new(a)) {
        let c = c.number();
        let other = parts.find(c);
        if other == own {
            continue;
        }
        for b in links[a as usize] {
            for d in links[c as usize] {
                if graph.arc(Vertex::new(b), Vertex::new(d)).is_none() {
                    continue;
                }
                for (v, old, new) in [(a, b, c), (b, a, d), (c, d, a), (d, c, b)] {
                    replace(links, v, old, new);
                }
                parts.join(own, other);
                return true;
            }
        }
    }
    false
}

/// Partition of the vertices into cycles, as a union-find structure.
struct Parts {
    /// Indexed by vertex: the number of a cycle that contained the vertex at some time. `above` leads from this number
    /// to the vertex's current cycle.
    cycle: Vec<u32>,
    /// Parent of each cycle number in union-find; the number itself if the cycle was not merged into another.
    above: Vec<u32>,
    /// Number of vertices of each cycle; outdated for cycles that were merged into others.
    size: Vec<u32>,
    /// Current number of cycles.
    count: usize,
}

impl Parts {
    fn of(links: &[[u32; 2]]) -> Self {
        let mut cycle = vec![NONE; links.len()];
        let mut size = Vec::new();
        for first in 0..links.len() as u32 {
            if cycle[first as usize] != NONE {
                continue;
            }
            let mut length = 0;
            for v in around(links, first) {
                cycle[v as usize] = size.len() as u32;
                length += 1;
            }
            size.push(length);
        }
        Self { cycle, above: (0..size.len() as u32).collect(), count: size.len(), size }
    }

    fn find(&mut self, v: u32) -> u32 {
        let mut part = self.cycle[v as usize];
        while self.above[part as usize] != part {
            let next = self.above[self.above[part as usize] as usize];
            self.above[part as usize] = next;
            part = next;
        }
        // Store the root, so that the next search for this vertex is short.
        self.cycle[v as usize] = part;
        part
    }

    fn join(&mut self, a: u32, b: u32) {
        let (small, large) = if self.size[a as usize] < self.size[b as usize] { (a, b) } else { (b, a) };
        self.above[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
        self.count -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::factor::tests::are_cycles;
    use super::super::factor::two_factor;
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use hamcnf_tours::Board;
    use proptest::prelude::*;

    /// True if an exchange of two edges can merge two of these cycles. Tries all pairs of edges.
    fn can_be_merged(graph: &Graph, cycles: &[Vec<Vertex>]) -> bool {
        let arc = |a, b| graph.arc(a, b).is_some();
        let edges = |cycle: &[Vertex]| {
            let ahead = cycle.iter().cycle().skip(1);
            let edges = cycle.iter().copied().zip(ahead.copied());
            edges.collect::<Vec<_>>()
        };
        let pairs = (0..cycles.len()).flat_map(|k| (0..k).map(move |l| (k, l)));
        pairs.into_iter().any(|(k, l)| {
            let others = edges(&cycles[l]);
            edges(&cycles[k]).into_iter().any(|(a, b)| {
                let mut others = others.iter();
                others.any(|&(c, d)| (arc(a, c) && arc(b, d)) || (arc(a, d) && arc(b, c)))
            })
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn what_is_left_is_a_factor_in_which_no_two_cycles_can_be_merged(
            graph in graphs(6..=14),
            seed in 0u64..4,
        ) {
            let budget = Budget::default();
            if let Some(factor) = two_factor(&graph, Some(seed), &budget).unwrap() {
                let before = factor.cycles();
                let after = merge(&graph, factor, &budget).cycles();
                prop_assert!(are_cycles(&graph, &after));
                prop_assert!(after.len() <= before.len());
                prop_assert_eq!(after.len() < before.len(), can_be_merged(&graph, &before));
                prop_assert!(!can_be_merged(&graph, &after));
            }
        }
    }

    #[test]
    fn most_cycles_of_a_board_are_merged() {
        let graph = "60x60".parse::<Board>().unwrap().graph();
        let budget = Budget::default();
        let factor = two_factor(&graph, Some(1), &budget).unwrap().unwrap();
        let before = factor.cycles().len();
        let after = merge(&graph, factor, &budget).cycles().len();
        assert!(before > 10 && after * 4 < before, "{before} to {after}");
    }
}
