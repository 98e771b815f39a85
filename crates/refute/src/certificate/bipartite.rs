//! Certificates for bipartite graphs without a 2-factor: vertices whose removal leaves more parts than a tour allows. A
//! maximum flow finds these vertices.
//!
//! Each vertex needs two edges of a tour; a given end of an open tour needs one. A unit of flow leaves a vertex of the
//! first colour, goes through one edge, and enters a vertex of the second colour. A vertex sends or receives at most as
//! many units as it needs, and an edge carries at most one unit. Suppose that a maximum flow leaves some vertices of
//! the first colour short. From them, search forwards along edges without flow and backwards along edges with flow. Let
//! M be the reached vertices of the first colour, and F the reached vertices of the second colour. Each vertex of F
//! receives all that it needs, and only from M. The edges from M to vertices outside F all carry flow; let D be their
//! number. Then 2|M| > 2|F| + D for closed tours.
//!
//! Now remove F and all vertices of the first colour outside M. The remaining graph consists of M, the n − |F| other
//! vertices of the second colour, and the D edges between them. Here n is the number of vertices of each colour. So
//! there are at least |M| + n − |F| − D parts. The number of removed vertices is |F| + n − |M|, which is smaller by
//! 2|M| − 2|F| − D. So a 1-tough bipartite graph has a 2-factor, and the checker needs no other reason than `parts`. A
//! given end subtracts one from both sides. If a vertex has fewer than two neighbours, the removed set may be empty;
//! a vertex with so few neighbours is itself an obstruction. The checker confirms each result before it is returned.
//!
//! A graph that is not bipartite need not have a set like this. The sets of Belck and Tutte show that there is no
//! 2-factor, but the algorithm that detects this does not keep them.
//!
//! # References
//!
//! - L. R. Ford and D. R. Fulkerson: *Flows in Networks*, Princeton University Press, 1962: the minimum cut.
//! - W. T. Tutte: *The factors of graphs*, Canadian Journal of Mathematics 4, 1952.

use std::collections::VecDeque;

use hamcnf_check::certificate::{Limits, Reason, check, parts};
use hamcnf_graph::{ArcId, Graph, Vertex};

use super::asked;
use hamcnf_graph::budget::Budget;
use hamcnf_questions::Tours;
use hamcnf_tours::endpoints::Endpoints;

/// Maximum number of arcs that the search examines before it gives up.
const MOST_LOOKS: u64 = 1 << 28;

/// Returns a reason of kind `parts`, which names the vertices to remove. Returns `None` if no reason is found that the
/// checker accepts.
pub fn of_flow(tours: &Tours, budget: &Budget) -> Option<Reason> {
    let instance = tours.instance();
    let colours = instance.facts().colours()?;
    let mut wants = vec![2; colours.len()];
    if let Endpoints::Open { from, to } = tours.ends() {
        for end in [from, to].into_iter().flatten() {
            wants[end.index()] = 1;
        }
    }
    [false, true].into_iter().find_map(|first| {
        let mut flow = Flow {
            graph: instance.graph(),
            is_first: colours.iter().map(|&colour| colour == first).collect(),
            short: wants.clone(),
            carries: vec![false; instance.graph().n_arcs() as usize],
            looks: 0,
        };
        let without = flow.cut(budget)?;
        let reason = parts::KIND.of(without);
        check(&asked(tours), &reason, &Limits::default()).is_ok().then_some(reason)
    })
}

struct Flow<'a> {
    graph: &'a Graph,
    /// Indexed by vertex: true if the vertex has the first colour and sends units of flow.
    is_first: Vec<bool>,
    /// Indexed by vertex: number of units of flow that the vertex still needs.
    short: Vec<u32>,
    /// Indexed by arc: true if the arc carries a unit of flow. Arcs with flow lead from the first colour to the second.
    carries: Vec<bool>,
    looks: u64,
}

impl Flow<'_> {
    /// Returns the vertices to remove, found with a maximum flow; `None` if a limit is reached.
    fn cut(&mut self, budget: &Budget) -> Option<Vec<Vertex>> {
        let firsts: Vec<_> = self.graph.vertices().filter(|v| self.is_first[v.index()]).collect();
        for &v in &firsts {
            for arc in self.graph.arcs_from(v) {
                if self.short[v.index()] > 0 && self.short[arc.head.index()] > 0 {
                    self.short[v.index()] -= 1;
                    self.short[arc.head.index()] -= 1;
                    self.carries[arc.id.index()] = true;
                }
            }
        }
        for &v in &firsts {
            while self.short[v.index()] > 0 && self.augment(v) {
                if self.looks > MOST_LOOKS || budget.over().is_some() {
                    return None;
                }
            }
        }
        let short = firsts.into_iter().filter(|v| self.short[v.index()] > 0);
        let (reached, _) = self.search(short.collect());
        // Remove the unreached vertices of the first colour and the reached vertices of the second colour.
        let away = |v: &Vertex| reached[v.index()].is_some() != self.is_first[v.index()];
        Some(self.graph.vertices().filter(away).collect())
    }

    /// Searches for an augmenting path from the vertices in `from`. Returns for every reached vertex the arc by which
    /// it was reached; vertices in `from` have no arc. Stops at the first vertex of the second colour that still needs
    /// a unit, and returns this vertex.
    fn search(&mut self, from: Vec<Vertex>) -> (Vec<Option<Option<ArcId>>>, Option<Vertex>) {
        let mut reached = vec![None; self.is_first.len()];
        for v in &from {
            reached[v.index()] = Some(None);
        }
        let mut queue = VecDeque::from(from);
        while let Some(v) = queue.pop_front() {
            let is_first = self.is_first[v.index()];
            if !is_first && self.short[v.index()] > 0 {
                return (reached, Some(v));
            }
            for arc in self.graph.arcs_from(v) {
                self.looks += 1;
                let along = if is_first { arc.id } else { self.graph.reverse(arc.id) };
                if reached[arc.head.index()].is_none() && self.carries[along.index()] != is_first {
                    reached[arc.head.index()] = Some(Some(arc.id));
                    queue.push_back(arc.head);
                }
            }
        }
        (reached, None)
    }

    /// Sends one more unit of flow from a vertex. Returns false if no augmenting path exists.
    fn augment(&mut self, from: Vertex) -> bool {
        let (reached, last) = self.search(vec![from]);
        let Some(mut at) = last else { return false };
        self.short[at.index()] -= 1;
        self.short[from.index()] -= 1;
        while let Some(arc) = reached[at.index()].flatten().and_then(|arc| self.graph.arc_with(arc.number())) {
            let is_first = self.is_first[arc.tail.index()];
            let along = if is_first { arc.id } else { self.graph.reverse(arc.id) };
            self.carries[along.index()] = is_first;
            at = arc.tail;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use hamcnf_tours::TourKind;
    use proptest::prelude::*;

    use super::*;
    use hamcnf_cycle::factor::two_factor;
    use hamcnf_questions::{Files, QuestionSpec};

    fn closed(n: u32, edges: &[(u32, u32)]) -> Option<Tours> {
        let file = tempfile::Builder::new().suffix(".col").tempfile().unwrap();
        let mut text = format!("p edge {n} {}\n", edges.len());
        for (a, b) in edges {
            text += &format!("e {} {}\n", a + 1, b + 1);
        }
        std::fs::write(file.path(), text).unwrap();
        let files = Files::default();
        QuestionSpec::settled(&file.path().display().to_string(), &files).unwrap().load(&files).ok()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        /// Tests bipartite graphs of minimum degree 2: if there is no 2-factor, `of_flow` must find vertices whose removal
        /// leaves too many parts.
        #[test]
        fn parts_are_found_where_there_is_no_2_factor(
            left in 2u32..7, right in 2u32..7, chosen in proptest::collection::vec(0u8..10, 36), density in 3u8..9,
        ) {
            let pairs = (0..left).flat_map(|a| (0..right).map(move |b| (a, left + b)));
            let edges: Vec<_> =
                pairs.zip(chosen).filter(|(_, c)| *c < density).map(|(pair, _)| pair).collect();
            let Some(tours) = closed(left + right, &edges) else { return Ok(()) };
            prop_assert_eq!(tours.instance().kind(), TourKind::Closed);
            let budget = Budget::default();
            let factor = two_factor(tours.instance().graph(), None, &budget).unwrap();
            let found = of_flow(&tours, &budget).is_some();
            let graph = tours.instance().graph();
            if graph.vertices().all(|v| graph.degree(v) >= 2) {
                prop_assert!(found || factor.is_some());
            }
        }
    }
}
