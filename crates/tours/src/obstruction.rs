//! Obstructions: simple reasons why an instance has no tour. The checks find them without searching for tours.
//!
//! A cycle enters and leaves every vertex, and a path enters and leaves every vertex except its two ends. If every move
//! changes colour, like a knight's move, the tour visits the two colours alternately. If removing a vertex leaves
//! several parts, a tour visits at most two of them, because it passes the vertex once. It visits only one part if the
//! vertex is an end of the tour. Checks of these properties take linear time and can save a long search: on a board
//! with an odd number of squares, a search for a closed tour would try every path first. In this module, *parts* are
//! the connected components that remain after removing vertices.
//!
//! Each check has its own file, with a [`Check`], and a line in [`CHECKS`].

mod blocks;
mod colours;
mod leaves;
mod moves;
mod reach;
mod symmetry;
mod toughness;

// Each check begins with `use super::*`. Some of these names are only for checks.
use std::fmt;

use crate::constraint::forced_moves;
use crate::forced::Forced;
use crate::{Endpoints, Instance, TourKind};
use hamcnf_graph::connectivity::components_without;
use hamcnf_graph::names::and_more;
use hamcnf_graph::{Digraph, Graph, Vertex};

/// Search for obstructions of some kinds.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Names of the kinds. The names are stable, so programs can rely on them.
    pub kinds: &'static [&'static str],
    find: fn(&Instance, Endpoints) -> Option<Obstruction>,
}

/// Checks, the cheapest first. Those of colours and blocks need a graph in which all vertices are in reach. The check of
/// toughness comes last and is incomplete.
pub const CHECKS: &[Check] =
    &[moves::CHECK, symmetry::CHECK, reach::CHECK, leaves::CHECK, colours::CHECK, blocks::CHECK, toughness::CHECK];

/// Reason why an instance has no tour. Displayed as a sentence with the vertex names of the instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstruction {
    /// Name of the kind: one of the names in [`CHECKS`].
    pub kind: &'static str,
    /// Property of the graph that excludes tours.
    pub witness: Witness,
    sentence: String,
}

/// Property of an undirected graph that excludes tours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// Removing these vertices, in increasing order, leaves more parts than a tour can visit. The list is empty if a vertex
    /// is out of reach, although a digraph may then be in one part.
    Parts(Vec<Vertex>),
    /// These vertices have one neighbour each: a vertex that closed tours cannot visit, or two vertices in which open
    /// tours would have to end.
    Leaves(Vec<Vertex>),
    /// The graph is bipartite, and the sizes of its two colour classes exclude tours with these ends.
    Colours,
    /// Some vertices can be reached from the given end of the tours only through the first of these vertices, others
    /// only through the second, and no vertex through both.
    FarSides([Vertex; 2]),
    /// The graph does not show the reason, because the reason is about arcs or constraints.
    Hidden,
}

impl Obstruction {
    /// Returns the obstruction for vertices whose removal leaves too many parts. In the sentence, `name` stands before the
    /// names of the vertices, and `but` is the end.
    fn parts(kind: &'static str, name: &str, vertices: Vec<Vertex>, instance: &Instance, but: &str) -> Self {
        let mut gone = vec![false; instance.n() as usize];
        vertices.iter().for_each(|v| gone[v.index()] = true);
        let parts = components_without(instance.graph(), &gone);
        let listed = |all: &[Vertex], most| {
            let names = all.iter().take(most).map(|&v| instance.vertex_name(v));
            and_more(names.collect(), all.len(), most)
        };
        let (without, beside) = (listed(&vertices, 6), listed(parts.least(), 3));
        let place = if instance.squares().is_some() { "board" } else { "graph" };
        let parts = format!("the {place} falls into {} parts, with {beside} in different parts", parts.count());
        Self {
            kind,
            witness: Witness::Parts(vertices),
            sentence: format!("without {name}{without} {parts}, but {but}"),
        }
    }
}

impl fmt::Display for Obstruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

/// Words for a given end of open tours.
struct End {
    /// Kind of obstruction if the end is a cut vertex.
    cut: &'static str,
    name: &'static str,
    /// Verb for the part that the tour visits from this end.
    visits: &'static str,
    /// Preposition for the direction of paths away from this end.
    way: &'static str,
    /// Verb for the other end of the tour.
    other: &'static str,
}

const FIRST: End = End { cut: "cut-start", name: "the start ", visits: "go to", way: "to", other: "end" };
const LAST: End = End { cut: "cut-last", name: "the end ", visits: "come from", way: "from", other: "begin" };

/// Returns the given ends of open tours.
fn given_ends(ends: Endpoints) -> impl Iterator<Item = (Vertex, End)> {
    let (from, to) = match ends {
        Endpoints::Closed => (None, None),
        Endpoints::Open { from, to } => (from, to),
    };
    from.zip(Some(FIRST)).into_iter().chain(to.zip(Some(LAST)))
}

/// Returns an obstruction that excludes all tours of the instance with these ends, if a check finds one. `None` does not
/// mean that a tour exists. The start of the instance plays no role if the ends do not name it.
///
/// An obstruction of the tours without the constraints is one of the tours with them, since a constraint only excludes
/// tours.
pub fn obstruction(instance: &Instance, ends: Endpoints) -> Option<Obstruction> {
    if ends.given().any(|end| end.number() >= instance.n()) {
        return None;
    }
    // Two opposite arcs are a closed tour of a digraph, unlike an edge. Only the check of the moves knows that.
    let is_pair = ends == Endpoints::Closed && instance.is_directed() && instance.n() == 2;
    let checks = if is_pair { &[moves::CHECK] } else { CHECKS };
    checks.iter().find_map(|check| (check.find)(instance, ends))
}

#[cfg(test)]
mod tests {
    use super::moves::tests::constrained;
    use super::*;
    use crate::holed::HoledBoard;
    use crate::split::tests::orders;
    use hamcnf_graph::connectivity::{self, Components, components};
    use hamcnf_graph::graph::strategy::graphs;
    use proptest::prelude::*;

    fn on_board(board: &str, kind: TourKind, start: &str) -> Instance {
        let board: HoledBoard = board.parse().unwrap();
        let start = board.vertex_named(start).unwrap();
        Instance::on_holed(board, kind, start).unwrap()
    }

    fn on_graph(graph: Graph, kind: TourKind, start: u32) -> Instance {
        Instance::on_graph("graph", graph, kind, Vertex::new(start)).unwrap()
    }

    /// Returns an instance with these edges. Their ends are numbered from 1; messages use the same numbers.
    fn of_edges(kind: TourKind, start: u32, edges: &[(u32, u32)]) -> Instance {
        let n = edges.iter().map(|&(a, b)| a.max(b)).max().unwrap();
        let graph = Graph::from_edges(n, edges.iter().map(|&(a, b)| (a - 1, b - 1)));
        on_graph(graph.unwrap(), kind, start - 1)
    }

    /// Returns the obstruction of the tours that the instance describes by itself.
    fn of(instance: &Instance) -> Option<Obstruction> {
        obstruction(instance, Endpoints::of(instance))
    }

    #[test]
    fn each_is_found_and_said() {
        use TourKind::{Closed, Open};
        // Triangles that share vertices: two triangles share 3, three triangles share 3 and 5, or n triangles share 1.
        let two = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 3)];
        let three = [two.as_slice(), &[(5, 6), (6, 7), (7, 5)]].concat();
        let windmill = |n| -> Vec<_> {
            let blades = (0..n).map(|k| 2 * k + 2);
            blades.flat_map(|a| [(1, a), (a, a + 1), (a + 1, 1)]).collect()
        };
        // A triangle whose three vertices each belong to another triangle as well.
        let round =
            [[(1, 2), (2, 3), (3, 1)], [(1, 4), (4, 5), (5, 1)], [(2, 6), (6, 7), (7, 2)], [(3, 8), (8, 9), (9, 3)]]
                .concat();
        let barbell = [(1, 2), (2, 3), (3, 1), (3, 4), (4, 5), (5, 6), (6, 4)];
        // Three hubs that are joined to each other, and triangles. The three corners of each triangle are joined to
        // different hubs.
        let with_triangles = |n| -> Vec<_> {
            let triangles = (0..n).map(|k| 3 * k + 4);
            let edges = triangles.flat_map(|a| {
                let inside = [(a, a + 1), (a + 1, a + 2), (a + 2, a)];
                [inside, [(1, a), (2, a + 1), (3, a + 2)]].concat()
            });
            edges.chain([(1, 2), (2, 3), (3, 1)]).collect()
        };
        let (hubs, more_hubs) = (with_triangles(4), with_triangles(5));
        for (instance, said) in [
            (on_board("3x3", Closed, "a1"), "out-of-reach: no path leads from a1 to b2"),
            (
                of_edges(Closed, 1, &[(1, 2), (2, 3)]),
                "one-neighbour: 1 has one neighbour, so no closed tour can go through it",
            ),
            (
                of_edges(Open, 2, &[(1, 2), (2, 3)]),
                "two-ends: 1 and 3 have one neighbour each, but an open tour can end in only one of them",
            ),
            (
                on_board("5x5", Closed, "a1"),
                "colours: every move changes colour; 13 vertices have the start's colour and 12 the other colour, but a closed \
                 tour visits the same number of each",
            ),
            (
                on_board("5x5", Open, "b1"),
                "colours: every move changes colour; 12 vertices have the start's colour and 13 the other colour, but an open \
                 tour visits the same number of each, or one more of the start's colour",
            ),
            (
                of_edges(Closed, 1, &barbell),
                "bridge: the edge between 3 and 4 is the only one between two parts of the graph, but a closed tour needs two",
            ),
            (
                on_board("leaper:0,1:3x4-c1-d1-a3-b3", Closed, "a1"),
                "bridge: the move between b2 and c2 is the only one between two parts of the graph, but a closed tour needs two",
            ),
            (
                on_board("king:2x3-b2", Closed, "a1"),
                "cut-vertex: without b1 the board falls into 2 parts, with a1 and c1 in different parts, but a closed tour would have to pass b1 once for each part",
            ),
            (
                of_edges(Closed, 4, &two),
                "cut-vertex: without 3 the graph falls into 2 parts, with 1 and 4 in different parts, but a closed tour would have to pass 3 once for each part",
            ),
            (
                of_edges(Closed, 1, &windmill(5)),
                "cut-vertex: without 1 the graph falls into 5 parts, with 2, 4, 6 and 2 more in different parts, but a closed tour would have to pass 1 once for each part",
            ),
            (
                of_edges(Open, 3, &two),
                "cut-start: without the start 3 the graph falls into 2 parts, with 1 and 4 in different parts, but an open tour can go to only one of them",
            ),
            (
                of_edges(Open, 5, &windmill(3)),
                "three-parts: without 1 the graph falls into 3 parts, with 2, 4 and 6 in different parts, but an open tour passes 1 once, so the tour can visit only two of them",
            ),
            (
                of_edges(Open, 4, &three),
                "two-far-sides: every path to 1 goes through 3 and every path to 6 through 5, but an open tour can end beyond only one of 3 and 5",
            ),
            (
                of_edges(Open, 5, &round),
                "two-far-sides: every path to 6 goes through 2 and every path to 8 through 3, but an open tour can end beyond only one of 2 and 3",
            ),
            (
                of_edges(Closed, 1, &hubs),
                "many-parts: without 1, 2 and 3 the graph falls into 4 parts, with 4, 7, 10 and 1 more in different parts, but a closed tour could visit only 3 of them",
            ),
            (
                of_edges(Open, 4, &more_hubs),
                "many-parts: without 1, 2 and 3 the graph falls into 5 parts, with 4, 7, 10 and 2 more in different parts, but an open tour could visit only 4 of them",
            ),
            (
                of_edges(Open, 1, &hubs),
                "many-parts: without 1, 2 and 3 the graph falls into 4 parts, with 4, 7, 10 and 1 more in different parts, but an open tour could visit only 3 of them",
            ),
            (
                on_board("4x6", Closed, "a1"),
                "many-parts: without a2, c2, e2, b3, d3 and f3 the board falls into 7 parts, with a1, b1, c1 and 4 more in different parts, but a closed tour could visit only 6 of them",
            ),
        ] {
            let found = of(&instance).unwrap();
            assert_eq!(format!("{}: {found}", found.kind), said);
        }
        for instance in [
            on_board("8x8", Closed, "a1"),
            on_board("5x5", Open, "a1"),
            of_edges(Open, 1, &[(1, 2), (2, 3)]),
            of_edges(Open, 1, &two),
            of_edges(Open, 1, &three),
            of_edges(Open, 6, &barbell),
            of_edges(Open, 4, &hubs),
            of_edges(Closed, 1, &with_triangles(3)),
        ] {
            assert_eq!(of(&instance), None, "{instance}");
        }
    }

    /// True if the digraph of the instance has a tour with these ends. Uses dynamic programming over sets of vertices: for
    /// each set, computes the possible last vertices of paths that visit exactly the set.
    fn has_tour(instance: &Instance, ends: Endpoints) -> bool {
        let digraph = instance.digraph();
        let all = (1usize << instance.n()) - 1;
        let bits = |v: &[Vertex]| v.iter().fold(0, |set, w| set | 1u32 << w.number());
        let before: Vec<u32> = digraph.vertices().map(|v| bits(digraph.predecessors(v))).collect();
        let (from, to) = match ends {
            Endpoints::Closed => (Some(instance.start()), None),
            Endpoints::Open { from, to } => (from, to),
        };
        let mut lasts = vec![0u32; all + 1];
        for v in digraph.vertices().filter(|&v| from.is_none_or(|from| from == v)) {
            lasts[1 << v.number()] = 1 << v.number();
        }
        for set in 1..=all {
            let mut left = set;
            while left != 0 {
                let v = left.trailing_zeros();
                left &= left - 1;
                if lasts[set ^ 1 << v] & before[v as usize] != 0 {
                    lasts[set] |= 1 << v;
                }
            }
        }
        let least = if instance.is_directed() { 2 } else { 3 };
        match ends {
            Endpoints::Closed => instance.n() >= least && lasts[all] & before[instance.start().index()] != 0,
            Endpoints::Open { .. } => to.map_or(lasts[all] != 0, |to| lasts[all] >> to.number() & 1 == 1),
        }
    }

    /// Returns all kinds of ends that tours of the graph can have.
    fn all_ends(graph: &Graph, kind: TourKind) -> Vec<Endpoints> {
        if kind == TourKind::Closed {
            return vec![Endpoints::Closed];
        }
        let some = || graph.vertices().map(Some).chain([None]);
        let both = some().flat_map(|from| some().map(move |to| (from, to)));
        let both = both.filter(|(from, to)| from.is_none() || from != to);
        both.map(|(from, to)| Endpoints::Open { from, to }).collect()
    }

    /// Returns the graph with an edge between every two vertices of the same block.
    fn with_full_blocks(graph: &Graph) -> Graph {
        let blocks = connectivity::blocks(graph, Vertex::new(0));
        let edges = blocks.iter().flat_map(|block| {
            let numbers = block.iter().map(|v| v.number());
            numbers.flat_map(|a| block.iter().map(move |b| (a, b.number())))
        });
        let edges: Vec<_> = edges.filter(|(a, b)| a != b).collect();
        Graph::from_edges(graph.n_vertices(), edges).unwrap()
    }

    /// Returns the components of the graph without the edges at the vertices `gone`.
    fn without(graph: &Graph, gone: &[Vertex]) -> Components {
        let is_left = |v: u32| !gone.contains(&Vertex::new(v));
        let left = graph.edges().filter(|&(a, b)| is_left(a) && is_left(b));
        components(&Graph::from_edges(graph.n_vertices(), left).unwrap())
    }

    /// True if removing some set of vertices leaves too many parts. Tries every set.
    fn has_separator(instance: &Instance, ends: Endpoints) -> bool {
        let (graph, n) = (instance.graph(), instance.n());
        let neighbours: Vec<_> =
            graph.vertices().map(|v| graph.neighbours(v).iter().fold(0, |set, w| set | 1u32 << w.number())).collect();
        let all = (1u32 << n) - 1;
        (1..all).any(|gone| {
            let (mut left, mut parts) = (all & !gone, 0);
            while left != 0 {
                parts += 1;
                let mut reached = left & left.wrapping_neg();
                while reached != 0 {
                    let v = reached.trailing_zeros();
                    left &= !(1 << v);
                    reached = (reached | neighbours[v as usize]) & left;
                }
            }
            let is_gone = |v: &Vertex| gone >> v.number() & 1 == 1;
            let fewer = match ends {
                Endpoints::Closed => 1,
                Endpoints::Open { .. } => ends.given().filter(is_gone).count() as u32,
            };
            parts + fewer > gone.count_ones() + 1
        })
    }

    #[test]
    fn sets_without_which_there_are_many_parts_are_found() {
        use TourKind::{Closed, Open};
        let parts = |instance: &Instance| {
            let found = of(instance)?;
            check_witnesses(instance, Endpoints::of(instance), &found);
            let Witness::Parts(gone) = &found.witness else { unreachable!("{found:?}") };
            assert_eq!(found.kind, "many-parts");
            Some((gone.len(), without(instance.graph(), gone).count() as usize - gone.len()))
        };
        // Boards of four rows: removing the squares of one colour in the middle rows leaves too many parts.
        for cols in (5..=20).chain([100, 800]) {
            let board = on_board(&format!("4x{cols}"), Closed, "a1");
            assert_eq!(parts(&board), Some((cols, cols + 1)), "{cols}");
        }
        assert_eq!(parts(&on_board("4x4", Open, "a1")), Some((4, 6)));
        // These boards of three rows have no closed tours. The check proves this for all of them except 3x8, which is
        // 1-tough, as a check of all sets has shown.
        assert_eq!(parts(&on_board("3x4", Closed, "a1")), Some((2, 3)));
        assert_eq!(parts(&on_board("3x6", Closed, "a1")), Some((2, 3)));
        assert_eq!(parts(&on_board("3x6", Open, "a1")), Some((6, 7)));
        assert_eq!(parts(&on_board("3x8", Closed, "a1")), None);
        // This board has so many edges that the check is skipped.
        assert_eq!(parts(&on_board("4x2000", Closed, "a1")), None);

        // A star in which each vertex is replaced by two adjacent vertices. Removing the two vertices in the middle
        // separates the rays.
        let blown_star = |rays: u32| -> Vec<_> {
            let rays = (0..rays).map(|k| 2 * k + 3);
            let edges = rays.flat_map(|a| [(1, a), (1, a + 1), (2, a), (2, a + 1), (a, a + 1)]);
            edges.chain([(1, 2)]).collect()
        };
        assert_eq!(parts(&of_edges(Closed, 1, &blown_star(3))), Some((2, 3)));
        assert_eq!(parts(&of_edges(Open, 1, &blown_star(3))), Some((2, 3)));
        assert_eq!(parts(&of_edges(Open, 5, &blown_star(3))), None);
        assert_eq!(parts(&of_edges(Open, 5, &blown_star(4))), Some((2, 4)));
        // The Petersen graph has no closed tour, but removing any four vertices leaves at most three parts.
        let petersen: Vec<_> = (1..=5).flat_map(|v| [(v, v % 5 + 1), (v, v + 5), (v + 5, (v + 1) % 5 + 6)]).collect();
        let petersen = of_edges(Closed, 1, &petersen);
        assert_eq!(petersen.graph().n_edges(), 15);
        assert_eq!(parts(&petersen), None);
        assert!(!has_tour(&petersen, Endpoints::Closed));
        // The graph is bipartite with sides of 3 and 5. The check of colours, which comes first, already excludes
        // tours.
        let sides: Vec<_> = (1..=3).flat_map(|a| (4..=8).map(move |b| (a, b))).collect();
        let sides = of(&of_edges(Closed, 1, &sides)).unwrap();
        assert_eq!(sides.kind, "colours");
        // A long ladder, with a path of two more vertices between the ends of its middle rung. Removing these ends
        // separates the path and both halves of the ladder.
        let rungs = (1..=40).map(|v| (v, v + 40));
        let sides = (1..40).flat_map(|v| [(v, v + 1), (v + 40, v + 41)]);
        let ladder: Vec<_> = rungs.chain(sides).collect();
        assert_eq!(parts(&of_edges(Closed, 1, &ladder)), None);
        let ray = [(20, 81), (81, 82), (82, 60)];
        let with_ray = [ladder.as_slice(), &ray].concat();
        assert_eq!(parts(&of_edges(Closed, 1, &with_ray)), Some((2, 3)));
    }

    #[test]
    fn nearly_all_sets_of_sparse_graphs_are_found() {
        // Marsaglia's xorshift generator draws the edges, so the graphs are the same in each run.
        let mut state = 12345u64;
        let mut below = move |n: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % u64::from(n)) as u32
        };
        let (mut there, mut found) = (0, 0);
        for edges in [15, 17, 19, 21] {
            for round in 0..2000 {
                let pairs = std::iter::repeat_with(|| (below(12), below(12)));
                let pairs = pairs.filter(|(a, b)| a != b).take(edges);
                let graph = Graph::from_edges(12, pairs.collect::<Vec<_>>()).unwrap();
                let kind = [TourKind::Closed, TourKind::Open][round % 2];
                let instance = on_graph(graph, kind, 0);
                match of(&instance) {
                    Some(separator) if separator.kind == "many-parts" => {
                        check_witnesses(&instance, Endpoints::of(&instance), &separator);
                        there += 1;
                        found += 1;
                    }
                    Some(_) => {}
                    None => there += u32::from(has_separator(&instance, Endpoints::of(&instance))),
                }
            }
        }
        assert!(there > 300, "{there}");
        assert!(found * 100 >= there * 95, "{found} of {there}");
    }

    /// Checks that the vertices in an obstruction have the properties that the obstruction claims.
    fn check_witnesses(instance: &Instance, ends: Endpoints, found: &Obstruction) {
        let graph = instance.graph();
        let number = |word: &str| Vertex::new(word.parse::<u32>().unwrap() - 1);
        let sentence = found.to_string();
        let words: Vec<_> = sentence.split([' ', ',']).collect();
        match &found.witness {
            Witness::Parts(gone) => {
                let parts = without(graph, gone);
                let left: Vec<_> = parts.least().iter().copied().filter(|v| !gone.contains(v)).collect();
                assert!(gone.is_sorted());
                let visited = match ends {
                    _ if gone.is_empty() => 1,
                    Endpoints::Closed => gone.len(),
                    Endpoints::Open { .. } => gone.len() + 1 - ends.given().filter(|end| gone.contains(end)).count(),
                };
                assert!(left.len() > visited, "{found:?}");
                if !["out-of-reach", "bridge"].contains(&found.kind) {
                    let names = |of: &[Vertex], most| {
                        and_more(of.iter().map(|&v| instance.vertex_name(v)).collect(), of.len(), most)
                    };
                    let (without, beside) = (names(gone, 6), names(&left, 3));
                    let parts = format!("falls into {} parts, with {beside} in different parts", left.len());
                    assert!(sentence.contains(&format!("{without} the ")) && sentence.contains(&parts), "{sentence}");
                }
                match (found.kind, ends) {
                    ("bridge", _) => {
                        let [a, b] = [number(words[3]), number(words[5])];
                        let left = graph.edges().filter(|&edge| edge != (a.number(), b.number()));
                        assert!(graph.arc(a, b).is_some() && gone[0] == a);
                        assert_eq!(components(&Graph::from_edges(graph.n_vertices(), left).unwrap()).count(), 2);
                    }
                    ("cut-start", Endpoints::Open { from, .. }) => assert_eq!(from, Some(gone[0])),
                    ("cut-last", Endpoints::Open { to, .. }) => assert_eq!(to, Some(gone[0])),
                    ("many-parts", _) => {
                        assert!(sentence.ends_with(&format!(" tour could visit only {visited} of them")), "{sentence}");
                    }
                    _ => {}
                }
            }
            Witness::FarSides([one, other]) => {
                // Every path to X goes through A and every path to Y through B.
                let [beyond_one, first, beyond_other, second] = [3, 6, 11, 13].map(|k| number(words[k]));
                assert_eq!([first, second], [*one, *other]);
                let end = match (words[2], ends) {
                    ("to", Endpoints::Open { from, .. }) => from.unwrap(),
                    (_, Endpoints::Open { to, .. }) => to.unwrap(),
                    _ => unreachable!("closed tours have no given ends"),
                };
                for (through, beyond, other) in [(*one, beyond_one, *other), (*other, beyond_other, *one)] {
                    let parts = without(graph, &[through]);
                    assert_ne!(parts.of(end), parts.of(beyond));
                    assert_eq!(parts.of(end), parts.of(other));
                }
            }
            Witness::Leaves(leaves) => assert!(leaves.iter().all(|&v| graph.degree(v) == 1)),
            Witness::Colours | Witness::Hidden => {}
        }
    }

    /// Checks the obstructions of all instances on the graph. An obstruction may be found only if no tour exists. For
    /// closed tours and a given start, one must be found if the blocks alone exclude tours.
    fn check(graph: &Graph) {
        let full = with_full_blocks(graph);
        for kind in [TourKind::Closed, TourKind::Open] {
            let on = |graph: &Graph, start| Instance::on_graph("graph", graph.clone(), kind, start).unwrap();
            // On larger graphs, all first vertices and a few last ones are enough.
            let is_tried = |ends: &Endpoints| match ends {
                Endpoints::Open { from, to: Some(_) } if graph.n_vertices() > 5 => *from == Some(Vertex::new(0)),
                _ => true,
            };
            for ends in all_ends(graph, kind).into_iter().filter(is_tried) {
                let start = ends.given().next().unwrap_or(Vertex::new(0));
                let (instance, full) = (on(graph, start), on(&full, start));
                let found = obstruction(&instance, ends);
                let has_tour = has_tour(&instance, ends);
                if let Some(found) = &found {
                    assert!(!has_tour, "{found:?} in {graph:?}");
                    check_witnesses(&instance, ends, found);
                }
                // With at most six vertices, the check of sets of vertices is complete.
                if found.is_none() && instance.n() <= 6 && !has_tour {
                    assert!(!has_separator(&instance, ends), "{graph:?} {ends:?}");
                }
                let is_apart = found.as_ref().is_some_and(|found| found.kind == "out-of-reach");
                if is_apart || ends != Endpoints::of(&instance) {
                    continue;
                }
                let by_blocks = obstruction(&full, ends);
                assert_eq!(by_blocks.is_none(), self::has_tour(&full, ends), "{graph:?} {ends:?}");
                assert!(found.is_some() || by_blocks.is_none(), "{graph:?} {ends:?}");
            }
        }
    }

    /// Checks that the obstructions of a digraph exclude tours, and that those of reachability are complete: without
    /// such an obstruction, tours of the transitive closure exist.
    fn check_digraph(digraph: &Digraph) {
        for kind in [TourKind::Closed, TourKind::Open] {
            for ends in all_ends(&digraph.underlying(), kind) {
                for start in digraph.vertices() {
                    let instance = Instance::on_digraph("digraph", digraph.clone(), kind, start).unwrap();
                    let found = obstruction(&instance, ends);
                    let has_tour = has_tour(&instance, ends);
                    assert!(found.is_none() || !has_tour, "{found:?} {ends:?} {digraph:?}");
                    let reach = digraph.vertices().map(|v| digraph.distances(v));
                    let arcs = (0..).zip(reach).flat_map(|(v, distances)| {
                        let reached = (0..).zip(distances).filter(move |&(w, d)| w != v && d.is_some());
                        reached.map(move |(w, _)| (v, w))
                    });
                    let all = Digraph::from_arcs(digraph.n_vertices(), arcs.collect::<Vec<_>>()).unwrap();
                    let all = Instance::on_digraph("reach", all, kind, start).unwrap();
                    let is_apart = reach::find(&instance, ends).is_some();
                    let is_one = kind == TourKind::Closed && instance.n() < 2;
                    assert_eq!(is_apart || is_one, !self::has_tour(&all, ends), "{ends:?} {digraph:?}");
                }
            }
        }
    }

    /// Tests every graph in some numbering of its vertices: all numberings in which the degrees do not decrease.
    #[test]
    fn every_graph_of_up_to_six_vertices_is_as_brute_force_says() {
        let mut checked = 0;
        for n in 2..=6 {
            let pairs: Vec<_> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
            for chosen in 0u32..1 << pairs.len() {
                let edges = pairs.iter().enumerate();
                let edges = edges.filter(|&(k, _)| chosen >> k & 1 == 1).map(|(_, &e)| e);
                let graph = Graph::from_edges(n, edges).unwrap();
                if graph.vertices().map(|v| graph.degree(v)).is_sorted() {
                    check(&graph);
                    checked += 1;
                }
            }
        }
        assert!(checked > 2 + 4 + 11 + 34 + 156, "{checked}");
    }

    #[test]
    fn every_digraph_of_up_to_three_vertices_is_as_brute_force_says() {
        for n in 1..=3 {
            let pairs = (0..n).flat_map(|a| (0..n).map(move |b| (a, b)));
            let pairs: Vec<_> = pairs.filter(|(a, b)| a != b).collect();
            for chosen in 0u32..1 << pairs.len() {
                let arcs = pairs.iter().enumerate();
                let arcs = arcs.filter(|&(k, _)| chosen >> k & 1 == 1);
                check_digraph(&Digraph::from_arcs(n, arcs.map(|(_, &arc)| arc)).unwrap());
            }
        }
    }

    #[test]
    fn arcs_must_lead_to_all_vertices() {
        let come_back: &[_] = &[(1, 2), (2, 3), (3, 2), (2, 1), (1, 4), (2, 4)];
        // Arcs 2→1 and 1→3 are the tour 2 1 3.
        let (path, fork): (&[_], &[_]) = (&[(2, 1), (1, 3)], &[(2, 1), (2, 3)]);
        let tree: &[_] = &[(1, 2), (2, 3), (3, 2), (2, 1), (2, 4), (4, 2)];
        let open = |from: Option<u32>, to: Option<u32>| {
            let [from, to] = [from, to].map(|v| v.map(|v| Vertex::new(v - 1)));
            Endpoints::Open { from, to }
        };
        for (arcs, start, ends, expected) in [
            (come_back, 1, Endpoints::Closed, Some("no path leads from 4 to 1")),
            (come_back, 4, Endpoints::Closed, Some("no path leads from 4 to 1")),
            (come_back, 3, open(Some(3), None), None),
            (path, 1, open(None, None), None),
            (path, 1, open(None, Some(3)), None),
            (path, 1, open(Some(1), None), Some("no path leads from 1 to 2")),
            (path, 1, open(None, Some(1)), Some("no path leads from 3 to 1")),
            (fork, 1, open(None, None), Some("a path leads neither from 1 to 3 nor from 3 to 1")),
            // Ends that cannot be the last, or the first, vertex.
            (
                tree,
                1,
                open(None, Some(1)),
                Some("3 and 4 have one neighbour each, but an open tour can begin in only one of them"),
            ),
        ] {
            let n = arcs.iter().map(|&(a, b)| a.max(b)).max().unwrap();
            let digraph = Digraph::from_arcs(n, arcs.iter().map(|&(a, b)| (a - 1, b - 1))).unwrap();
            let kind = if ends == Endpoints::Closed { TourKind::Closed } else { TourKind::Open };
            let instance = Instance::on_digraph("digraph", digraph, kind, Vertex::new(start - 1)).unwrap();
            assert_eq!(obstruction(&instance, ends).map(|found| found.to_string()).as_deref(), expected);
        }
    }

    proptest! {
        #[test]
        fn digraphs_are_as_brute_force_says(
            n in 2u32..=6, arcs in proptest::collection::vec((0u32..6, 0u32..6), 1..16),
        ) {
            let arcs = arcs.into_iter().map(|(a, b)| (a % n, b % n)).filter(|(a, b)| a != b);
            check_digraph(&Digraph::from_arcs(n, arcs).unwrap());
        }

        #[test]
        fn obstructions_of_constrained_tours_exclude_them(
            n in 3u32..=5,
            arcs in proptest::collection::vec((0u32..5, 0u32..5), 3..16),
            moves in proptest::collection::vec((0..4u8, 0..5usize, 0..5u32), 0..4),
            is_directed in proptest::bool::ANY,
        ) {
            let arcs = arcs.into_iter().map(|(a, b)| (a % n, b % n)).filter(|(a, b)| a != b);
            let digraph = Digraph::from_arcs(n, arcs).unwrap();
            let graph = digraph.underlying();
            let words = moves.iter().filter_map(|&(how, arc, other)| {
                let arcs: Vec<_> = digraph.arcs().collect();
                let arc = arcs.get(arc)?;
                let (a, b, other) = (arc.tail.number() + 1, arc.head.number() + 1, other % n + 1);
                match how {
                    0 => Some(format!("forbid {a}->{b}")),
                    1 => Some(format!("force {a}->{b}")),
                    2 if !is_directed => Some(format!("force {a}-{b}")),
                    _ => (a != other).then(|| format!("before {a},{other}")),
                }
            });
            let words = words.collect::<Vec<_>>().join(" ");
            for kind in [TourKind::Closed, TourKind::Open] {
                let start = Vertex::new(0);
                let plain = match is_directed {
                    true => Instance::on_digraph("digraph", digraph.clone(), kind, start),
                    false => Instance::on_graph("graph", graph.clone(), kind, start),
                };
                let instance = constrained(&plain.unwrap(), &words);
                for ends in all_ends(&graph, kind) {
                    if let Some(found) = obstruction(&instance, ends) {
                        let tours = orders(&instance, ends);
                        prop_assert!(tours.is_empty(), "{found:?} {words} {ends:?} {digraph:?}");
                    }
                }
            }
        }

        #[test]
        fn larger_graphs_are_as_brute_force_says(
            graph in graphs(7..=8), tree in proptest::collection::vec(0u32..8, 8), more in 0usize..5,
        ) {
            check(&graph);
            // A random tree with a few more edges is connected, and has so few edges that cut vertices are frequent.
            let n = graph.n_vertices();
            let edges = (1..n).zip(&tree).map(|(v, &to)| (v, to % v));
            check(&Graph::from_edges(n, edges.chain(graph.edges().take(more))).unwrap());
        }
    }
}
