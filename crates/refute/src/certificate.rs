//! Certificates of a few lines: an obstruction, or an elimination order along which dynamic programming finds no cycle.
//!
//! The checker ([`hamcnf_check::certificate`]) knows five reasons. A closed tour of fewer than three vertices is refuted
//! by `few`, a long search by `decomposition`, and every obstruction is an instance of one of the others:
//!
//! - `parts` covers an unreachable vertex, several parts after the removal of some vertices or of none, and a start
//!   that is a cut vertex;
//! - `parts` also covers a bridge, and a vertex with one neighbour. Removing one end of the bridge cuts off the other
//!   end, and removing the neighbour makes the vertex a separate part;
//! - `parts` or `far-sides` covers two vertices that must both be the last vertex of an open tour. Remove the neighbour
//!   of one of them. If both have the same neighbour, or one is beyond the other, the removal leaves three parts, and
//!   the two vertices are in different parts. If this neighbour is the start, the removal leaves two parts, each with
//!   one of the vertices. Otherwise the vertices are on the `far-sides` of their neighbours;
//! - `colours` covers unbalanced colours, which the checker counts itself.
//!
//! A bipartite graph without a 2-factor is covered by `parts`, too: removing some vertices leaves many parts
//! (`bipartite.rs`).
//!
//! Any elimination order can show that a graph has no Hamiltonian cycle. So an order of the whole graph is a
//! certificate even if another strategy found the answer. The cost of the check depends on the width of the order.

mod bipartite;

use std::fmt;

pub use self::bipartite::of_flow;
use hamcnf_check::certificate::{Asked, Limits, Reason, check, colours, decomposition, far_sides, few, parts};
use hamcnf_graph::{GraphError, Vertex};
use hamcnf_tours::{Obstruction, Witness};

use hamcnf_cycle::decomposition::{Elimination, MOST_WIDTH};
use hamcnf_cycle::path_to_cycle::PathToCycle;
use hamcnf_cycle::portfolio::Argument;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_questions::Tours;

/// Maximum width of the elimination orders that are tried, unless dynamic programming over tables found the answer.
/// Wider orders take minutes to check, or cannot be checked.
pub const NARROW: u32 = 12;

/// Facts about an answer "no tour" that guide the search for its proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Known<'o> {
    /// Obstruction, if one was found.
    pub obstruction: Option<&'o Obstruction>,
    /// Argument of the strategy that answered, if the portfolio answered.
    pub by: Option<Argument>,
}

/// Finds the shortest reason: an obstruction, parts, or an elimination order. The checker must still verify the reason.
/// Also returns the reason in words, with the vertex names of the question.
///
/// # Errors
///
/// [`NoOrder`] if there is no obstruction and no elimination order is found.
pub fn find(tours: &Tours, known: Known<'_>, budget: &Budget) -> Result<(Reason, String), NoOrder> {
    let said = |why: &dyn fmt::Display| format!("there is no tour: {why}");
    if tours.instance().is_trivial() {
        return Ok((few::KIND.of(Vec::new()), said(&"a closed tour has at least three vertices")));
    }
    // Tables over a tree decomposition have already shown that there is no tour, so a wider order is allowed.
    let most_width = match known.by {
        Some(Argument::Tables) => MOST_WIDTH,
        _ => {
            let found = known.obstruction.cloned().or_else(|| tours.obstruction());
            if let Some(found) = found
                && let Some(reason) = of_obstruction(tours, &found)
            {
                return Ok((reason, said(&found)));
            }
            if let Some(reason) = of_flow(tours, budget) {
                return Ok((reason, said(&"without these vertices, the graph has too many components")));
            }
            NARROW
        }
    };
    let (reason, width) = of_order(tours, most_width, budget)?;
    let why = format_args!("dynamic programming along this elimination order, of width {width}, finds none");
    Ok((reason, said(&why)))
}

/// Reason why no elimination order was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoOrder {
    /// The graph is too large after adding the vertices that turn open tours into cycles.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// No order of this width or less was found.
    #[error("no elimination order of width {0} or less was found")]
    Wide(u32),
    /// The budget ended before an order was found.
    #[error("the time limit was reached before an elimination order was found")]
    Late(Stopped),
}

/// Returns the question that a certificate is about.
pub fn asked(tours: &Tours) -> Asked<'_> {
    Asked::new(tours.to_string(), tours.instance(), tours.ends())
}

/// Returns the checker's reason for an obstruction of this question. Returns `None` if the graph is too small, or if
/// the checker does not know this kind of obstruction.
pub fn of_obstruction(tours: &Tours, found: &Obstruction) -> Option<Reason> {
    if tours.instance().is_trivial() {
        return None;
    }
    let graph = tours.instance().graph();
    let parts = |without: Vec<Vertex>| parts::KIND.of(without);
    match &found.witness {
        Witness::Parts(without) => Some(parts(without.clone())),
        Witness::Leaves(leaves) => {
            let neighbours: Option<Vec<_>> = leaves.iter().map(|&v| graph.neighbours(v).first().copied()).collect();
            let neighbours = neighbours?;
            let sides = (neighbours.len() == 2).then(|| far_sides::KIND.of(neighbours.clone()));
            let mut candidates = neighbours.into_iter().map(|v| parts(vec![v])).chain(sides);
            let asked = asked(tours);
            candidates.find(|reason| check(&asked, reason, &Limits::default()).is_ok())
        }
        Witness::FarSides(through) => Some(far_sides::KIND.of(through.to_vec())),
        Witness::Colours => Some(colours::KIND.of(Vec::new())),
        Witness::Hidden => None,
    }
}

/// Returns an elimination order and its width, for the graph after the path-to-cycle reduction, in which all tours are
/// closed. The checker decides whether the order shows that there is no tour.
///
/// # Errors
///
/// [`NoOrder`] if no suitable order is found, for instance because every order found is wider than `most_width`.
pub fn of_order(tours: &Tours, most_width: u32, budget: &Budget) -> Result<(Reason, u32), NoOrder> {
    let instance = tours.instance();
    let closure = PathToCycle::new(instance.facts(), tours.ends())?;
    let graph = closure.graph().unwrap_or(instance.graph());
    let found = Elimination::min_degree(graph, most_width, budget).map_err(|ended| match ended {
        Stopped::GaveUp => NoOrder::Wide(most_width),
        ended => NoOrder::Late(ended),
    })?;
    // The checker adds its own vertices to turn paths into cycles, so the order contains only the original vertices.
    let order = found.order().iter().copied().filter(|v| v.number() < instance.n()).collect();
    Ok((decomposition::KIND.of(order), found.width()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hamcnf_check::certificate::{Reading, write};
    use hamcnf_graph::Graph;
    use hamcnf_graph::graph_strategy::graphs;
    use hamcnf_tours::obstruction;
    use proptest::prelude::*;

    use super::*;
    use hamcnf_questions::GraphRead;
    use hamcnf_questions::{Files, QuestionSpec};

    /// Writes a graph to a file, and returns the questions about its closed and open tours with all combinations of
    /// endpoints.
    fn questions(graph: &Graph) -> Vec<Tours> {
        let file = tempfile::Builder::new().suffix(".col").tempfile().unwrap();
        let mut text = format!("p edge {} {}\n", graph.n_vertices(), graph.n_edges());
        for arc in graph.arcs().filter(|arc| arc.tail < arc.head) {
            text += &format!("e {} {}\n", arc.tail.number() + 1, arc.head.number() + 1);
        }
        std::fs::write(file.path(), text).unwrap();
        let n = graph.n_vertices();
        let mut questions = vec![String::new(), " open from anywhere".to_owned()];
        for s in 1..=n {
            questions.push(format!(" open from {s}"));
            questions.push(format!(" open from anywhere to {s}"));
            let others = (1..=n).filter(|&t| t != s);
            questions.extend(others.map(|t| format!(" open from {s} to {t}")));
        }
        let path = file.path().display();
        let asked = questions.iter().filter_map(|question| {
            let files = Files::default();
            QuestionSpec::settled(&format!("{path}{question}"), &files).unwrap().load(&files).ok()
        });
        asked.collect()
    }

    /// Checks that the certificate of every obstruction is accepted after it is written and parsed. Returns the kinds
    /// of the obstructions that were found.
    fn accepted(graph: &Graph) -> BTreeSet<&'static str> {
        let mut kinds = BTreeSet::new();
        for tours in questions(graph) {
            let asked = asked(&tours);
            let Some(found) = tours.obstruction() else { continue };
            if tours.instance().is_trivial() {
                assert_eq!(of_obstruction(&tours, &found), None);
                continue;
            }
            let reason = of_obstruction(&tours, &found).unwrap();
            let mut text = Vec::new();
            write(&asked, &reason, "", &mut text).unwrap();
            let reading = Reading::begin(text.as_slice()).unwrap();
            assert_eq!(reading.question(), tours.to_string());
            let read = reading.reason(&asked).unwrap();
            assert_eq!(read, reason);
            let checked = check(&asked, &read, &Limits::default());
            assert!(checked.is_ok(), "{found:?} {tours} {graph:?}: {checked:?}");
            // The certificate and the description of the graph contain the same checksum.
            let read = GraphRead::of(tours.instance()).unwrap().checksum();
            let text = String::from_utf8(text).unwrap();
            assert!(text.contains(&format!(" crc32 {read}\n")));
            kinds.insert(found.kind);
        }
        kinds
    }

    #[test]
    fn obstructions_of_all_graphs_of_up_to_five_vertices_are_accepted() {
        let mut kinds = BTreeSet::new();
        for n in 2..=5 {
            let pairs: Vec<_> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
            for chosen in 1u32..1 << pairs.len() {
                let edges = pairs.iter().enumerate().filter(|(k, _)| chosen >> k & 1 == 1);
                let graph = Graph::from_edges(n, edges.map(|(_, &edge)| edge)).unwrap();
                kinds.extend(accepted(&graph));
            }
        }
        assert!(kinds.contains("one-neighbour"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn obstructions_of_random_graphs_are_accepted(
            graph in graphs(5..=8), tree in proptest::collection::vec(0u32..8, 8), more in 0usize..5,
        ) {
            accepted(&graph);
            // A random tree with a few additional edges has cut vertices.
            let n = graph.n_vertices();
            let edges = (1..n).zip(&tree).map(|(v, &to)| (v, to % v));
            let some = graph.arcs().filter(|arc| arc.tail < arc.head).take(more);
            let some = some.map(|arc| (arc.tail.number(), arc.head.number()));
            accepted(&Graph::from_edges(n, edges.chain(some)).unwrap());
        }

        /// Tests that an order is accepted as a certificate exactly if there is no tour.
        #[test]
        fn orders_are_certificates_where_there_is_no_tour(graph in graphs(3..=7)) {
            for tours in questions(&graph).into_iter().step_by(5) {
                let budget = Budget::default();
                let (reason, _) = of_order(&tours, 20, &budget).unwrap();
                let holds = check(&asked(&tours), &reason, &Limits::default()).is_ok();
                let closure = PathToCycle::new(tours.instance().facts(), tours.ends()).unwrap();
                let closed = closure.graph().unwrap_or(tours.instance().graph());
                let order = Elimination::min_degree(closed, 20, &budget).unwrap();
                let (found, _) = hamcnf_cycle::decomposition::find(closed, &order, hamcnf_cycle::decomposition::MOST_STATES, &budget);
                prop_assert_eq!(holds, found == hamcnf_cycle::Found::NoCycle, "{}", tours);
            }
        }
    }

    #[test]
    fn every_kind_of_obstruction_is_accepted() {
        let graph = |edges: &[(u32, u32)]| {
            let n = edges.iter().map(|&(a, b)| a.max(b)).max().unwrap();
            Graph::from_edges(n, edges.iter().map(|&(a, b)| (a - 1, b - 1))).unwrap()
        };
        let triangle = |a, b, c| [(a, b), (b, c), (c, a)];
        let mut kinds = BTreeSet::new();
        // Graphs in order: two components; a tree; a bipartite graph whose sides differ in size; two triangles joined
        // by a bridge; two and three triangles that share a corner; a triangle with another triangle at each corner;
        // two graphs in which removing vertices 1 and 2 leaves three and four parts.
        for edges in [
            [triangle(1, 2, 3), triangle(4, 5, 6)].concat(),
            vec![(1, 2), (2, 3), (3, 4), (2, 5)],
            vec![(1, 3), (1, 4), (1, 5), (2, 3), (2, 4), (2, 5)],
            [triangle(1, 2, 3).as_slice(), &[(3, 4)], &triangle(4, 5, 6)].concat(),
            [triangle(1, 2, 3), triangle(1, 4, 5)].concat(),
            [triangle(1, 2, 3), triangle(1, 4, 5), triangle(1, 6, 7)].concat(),
            [triangle(1, 2, 3), triangle(1, 4, 5), triangle(2, 6, 7), triangle(3, 8, 9)].concat(),
            vec![(1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4), (1, 5), (2, 5), (1, 6), (2, 6), (5, 7), (2, 7)],
            (1..=4)
                .flat_map(|k| [(1, 2 * k + 1), (2, 2 * k + 2), (1, 2 * k + 2), (2 * k + 1, 2 * k + 2), (2, 2 * k + 1)])
                .collect(),
        ] {
            kinds.extend(accepted(&graph(&edges)));
        }
        // Contradictions between moves and missing symmetries only occur in questions with constraints. Certificates are
        // about graphs without constraints.
        let all = obstruction::CHECKS.iter().flat_map(|check| check.kinds).copied();
        let all: BTreeSet<_> = all.filter(|kind| !["moves", "symmetry"].contains(kind)).collect();
        assert_eq!(kinds, all);
    }
}
