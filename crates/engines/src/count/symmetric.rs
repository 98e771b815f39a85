//! Exact counts of symmetric tours, by a sweep over the quotient graph.
//!
//! Let g be a [`Symmetry`] of order m, 2 or 4, and G the graph. The vertices of the *quotient* are the orbits of g on the
//! vertices. Choose a vertex r_A in every orbit A of m vertices. An orbit of edges between A and B ≠ A has exactly one edge
//! {r_A, g^k r_B}; the number k modulo m is its *voltage*. It counts only if all its edges are in G. In the other
//! direction the voltage is −k, which has the same parity.
//!
//! A symmetric closed tour is turned or flipped by g (see [`hamcnf_encodings::symmetry`]). These cases exclude each other,
//! and each is counted by itself.
//!
//! # Turned tours
//!
//! All orbits have m vertices. The tour passes through an orbit of edges whenever it passes from one orbit of vertices to
//! the next, so it is the lift of a closed walk that visits every orbit of vertices once: a Hamiltonian cycle of the
//! quotient, with a choice among parallel orbits of edges. Conversely, the lift of such a cycle with sum of voltages s
//! consists of gcd(s, m) cycles. As m is 2 or 4, the lift is one cycle if and only if s is odd. Only the parity of
//! voltages matters, and it does not depend on directions. So with e even and o odd orbits of edges between A and B, the
//! number of turned tours is the coefficient of x in
//!
//! > Σ Π (e_AB + o_AB · x), modulo x² = 1,
//!
//! where the sum is over the Hamiltonian cycles of the simple quotient graph and the product over their edges. The states
//! of the sweep need no voltages; their weights are pairs of numbers (`frontier/weighted.rs`). A cycle through two orbits
//! uses two parallel orbits of edges, e · o choices. A cycle through one orbit of four vertices is the orbit of the edge
//! {r, g r}.
//!
//! # Flipped tours
//!
//! The order is m = 2. The flip fixes two places of the tour; each is a vertex, or the middle of an edge {v, g v}. Between
//! the places lie two halves of the tour, which g exchanges. So the tour is the lift of a path through all orbits whose
//! ends are these places: orbits of one vertex, or orbits whose two vertices are adjacent. Any such path lifts to one
//! cycle, whatever its voltages. G has at most two fixed vertices. The paths are counted as cycles with one more vertex,
//! the *apex*, adjacent to the possible ends. If exactly one vertex is fixed, another new vertex of degree 2 between it and
//! the apex makes it an end.
//!
//! # Open tours
//!
//! An open tour is a closed tour of the graph with one more vertex, which is adjacent to the possible ends and is its own
//! image. If one end is given, the other end is its image.
//!
//! # References
//!
//! - Jonathan L. Gross, Thomas W. Tucker: *Topological Graph Theory*, 1987, chapter 2, on voltage graphs.
//! - Donald E. Knuth: *The Art of Computer Programming*, pre-fascicle 8A, 2025, on symmetric knight's tours; the number of
//!   those of the 8×8 board is 4 · 608 233.

use hamcnf_encodings::endpoints::Endpoints;
use hamcnf_encodings::symmetry::{Order, Symmetry};
use hamcnf_encodings::{Graph, Instance, Vertex};
use num_bigint::BigUint;

use super::frontier::Progress;
use super::frontier::exact::{Exact, ExactError, Options};
use super::frontier::weighted::{Connections, Cycles, cycles};

/// Counts the symmetric tours of an instance's undirected graph with the endpoints `ends`. The constraints of the instance
/// are not considered. Calls `progress` before every vertex of the sweeps over the quotient.
///
/// # Errors
///
/// [`ExactError`] if the count was not completed.
///
/// # Panics
///
/// Panics if the symmetry is of another number of vertices than the instance has.
pub fn count(
    instance: &Instance,
    symmetry: &Symmetry,
    ends: Endpoints,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Exact, ExactError> {
    let graph = instance.graph();
    assert_eq!(
        graph.n_vertices() as usize,
        symmetry.n(),
        "the symmetry is one of this graph"
    );
    let name = instance.to_string();
    let possible = match ends {
        Endpoints::Closed => return closed(&name, graph, symmetry, options, progress),
        Endpoints::Open { from, to } => {
            let one = from.or(to);
            let pair = one.map(|end| [end, symmetry.image(end)]);
            let is_pair = match (from, to) {
                (Some(from), Some(to)) => symmetry.image(from) == to,
                _ => true,
            };
            match pair {
                _ if !is_pair => Vec::new(),
                Some(pair) => pair.to_vec(),
                None => graph.vertices().collect(),
            }
        }
    };
    let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
    let edges = edges.map(|arc| (arc.tail, arc.head));
    let apex = Vertex::new(graph.n_vertices());
    let mut edges: Vec<_> = edges.chain(possible.iter().map(|&end| (end, apex))).collect();
    // The two ends are the same vertex if the given end is its own image.
    edges.sort_unstable();
    edges.dedup();
    let extended = graph_of(graph.n_vertices() + 1, &edges);
    let mut found = closed(&name, &extended, &symmetry.extended(), options, progress)?;
    found.count *= ends.directions();
    Ok(found)
}

/// Counts the symmetric Hamiltonian cycles of a graph.
fn closed(
    name: &str,
    graph: &Graph,
    symmetry: &Symmetry,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Exact, ExactError> {
    if graph.n_vertices() < 3 {
        return Ok(Cycles::none().and(&Cycles::none(), BigUint::ZERO));
    }
    let quotient = Quotient::new(graph, symmetry);
    let turned = match symmetry.is_free() {
        true => quotient.turned(name, options, progress)?,
        false => Cycles::none(),
    };
    let flipped = match symmetry.order() {
        Order::Two => quotient.flipped(name, options, progress)?,
        Order::Four => Cycles::none(),
    };
    let count = &turned.odd + &flipped.even + &flipped.odd;
    Ok(turned.and(&flipped, count))
}

/// Quotient of a graph by a symmetry, as an undirected multigraph of orbits.
struct Quotient {
    order: Order,
    /// Number of orbits.
    n: u32,
    /// Pairs of different orbits, the smaller number first, with the numbers of the orbits of edges between them.
    edges: Vec<((Vertex, Vertex), Connections)>,
    /// Orbits of a single vertex.
    fixed: Vec<Vertex>,
    /// Orbits of several vertices in which every vertex is adjacent to its image.
    looped: Vec<Vertex>,
}

impl Quotient {
    fn new(graph: &Graph, symmetry: &Symmetry) -> Self {
        let mut orbit_of: Vec<Option<(Vertex, usize)>> = vec![None; symmetry.n()];
        let mut firsts = Vec::new();
        for v in graph.vertices() {
            if orbit_of[v.index()].is_some() {
                continue;
            }
            let orbit = Vertex::new(firsts.len() as u32);
            for (power, image) in symmetry.images_of(v).enumerate() {
                orbit_of[image.index()].get_or_insert((orbit, power));
            }
            firsts.push(v);
        }
        let is_edge = |u: Vertex, v: Vertex| {
            let images = symmetry.images_of_edge(u, v);
            images.iter().all(|&(u, v)| graph.arc(u, v).is_some())
        };
        let is_fixed = |orbit: Vertex| symmetry.image(firsts[orbit.index()]) == firsts[orbit.index()];
        let orbits = || (0..firsts.len() as u32).map(Vertex::new);
        let mut edges: Vec<((Vertex, Vertex), Connections)> = Vec::new();
        for orbit in orbits() {
            let first = firsts[orbit.index()];
            let mut later: Vec<(Vertex, usize)> = Vec::new();
            for &w in graph.neighbours(first) {
                let Some((other, power)) = orbit_of[w.index()] else {
                    continue;
                };
                if other > orbit && is_edge(first, w) {
                    later.push((other, power));
                }
            }
            later.sort_unstable();
            for group in later.chunk_by(|(a, _), (b, _)| a == b) {
                let (other, _) = group[0];
                let odd = group.iter().filter(|(_, power)| power % 2 == 1).count() as u8;
                let all = group.len() as u8;
                // The edges from a fixed vertex to an orbit are one orbit.
                let connections = match (is_fixed(orbit), is_fixed(other)) {
                    (false, false) => Connections {
                        even: all - odd,
                        odd,
                    },
                    _ => Connections::EVEN,
                };
                edges.push(((orbit, other), connections));
            }
        }
        let (fixed, others): (Vec<_>, Vec<_>) = orbits().partition(|&orbit| is_fixed(orbit));
        let is_looped = |orbit: &Vertex| {
            let first = firsts[orbit.index()];
            is_edge(first, symmetry.image(first))
        };
        Self {
            order: symmetry.order(),
            n: firsts.len() as u32,
            edges,
            fixed,
            looped: others.into_iter().filter(is_looped).collect(),
        }
    }

    /// Counts the turned tours, in the number `odd` of the result. The symmetry must move every vertex in all its powers
    /// except the identity.
    fn turned(
        &self,
        name: &str,
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Cycles, ExactError> {
        let few = |odd: u64| {
            Ok(Cycles {
                odd: odd.into(),
                ..Cycles::none()
            })
        };
        match (self.n, self.order) {
            // The orbit of two vertices is no cycle.
            (1, Order::Two) => few(0),
            (1, Order::Four) => few(self.looped.len() as u64),
            (2, _) => {
                let choices = |&(_, between): &(_, Connections)| {
                    u64::from(between.even) * u64::from(between.odd)
                };
                few(self.edges.iter().map(choices).sum())
            }
            _ => weighted(name, self.n, &self.edges, options, progress),
        }
    }

    /// Counts the flipped tours, in the sum of the numbers of the result. The symmetry must have order 2.
    fn flipped(
        &self,
        name: &str,
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Cycles, ExactError> {
        let is_fixed = |orbit: &Vertex| self.fixed.contains(orbit);
        // Two fixed vertices are the ends, so no tour uses an edge between them.
        let edges = self.edges.iter().copied();
        let edges = edges.filter(|((a, b), _)| !(is_fixed(a) && is_fixed(b)));
        let mut edges: Vec<_> = edges.collect();
        let (apex, tie) = (Vertex::new(self.n), Vertex::new(self.n + 1));
        let mut join = |ends: &[Vertex], to: Vertex| {
            edges.extend(ends.iter().map(|&end| ((end, to), Connections::EVEN)));
        };
        let new = match self.fixed.len() {
            // A path of several orbits has two ends.
            0 if self.looped.len() < 2 => return Ok(Cycles::none()),
            1 if self.looped.is_empty() => return Ok(Cycles::none()),
            0 => {
                join(&self.looped, apex);
                1
            }
            1 => {
                join(&self.looped, apex);
                join(&self.fixed, tie);
                join(&[apex], tie);
                2
            }
            2 => {
                join(&self.fixed, apex);
                1
            }
            _ => return Ok(Cycles::none()),
        };
        weighted(name, self.n + new, &edges, options, progress)
    }
}

/// Sums the weights of the Hamiltonian cycles of a simple graph with these edges.
fn weighted(
    name: &str,
    n: u32,
    edges: &[((Vertex, Vertex), Connections)],
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Cycles, ExactError> {
    let pairs: Vec<_> = edges.iter().map(|&(pair, _)| pair).collect();
    let graph = graph_of(n, &pairs);
    let mut sorted = edges.to_vec();
    sorted.sort_unstable_by_key(|&(pair, _)| pair);
    let connections = |u: Vertex, v: Vertex| {
        let place = sorted.binary_search_by_key(&(u.min(v), u.max(v)), |&(pair, _)| pair);
        // Only edges of the graph are asked for.
        place.map_or(Connections { even: 0, odd: 0 }, |place| sorted[place].1)
    };
    cycles(name, &graph, &connections, options, progress)
}

/// Returns the graph with these edges, which must be different pairs of different vertices.
fn graph_of(n: u32, edges: &[(Vertex, Vertex)]) -> Graph {
    let edges = edges.iter().map(|(u, v)| (u.number(), v.number()));
    Graph::from_edges(n, edges).expect("a quotient is no larger than its graph, apart from two vertices")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cancellation::CancellationToken;
    use hamcnf_encodings::graph_strategy::graphs;
    use hamcnf_encodings::{Board, BoardSymmetry, TourKind};
    use proptest::prelude::*;

    fn options() -> Options {
        Options {
            threads: 2,
            memory: 1 << 30,
            deadline: None,
            stop: CancellationToken::default(),
            prune: true,
            try_hard: true,
        }
    }

    fn instance(graph: Graph, kind: TourKind) -> Instance {
        Instance::on_graph("a graph", graph, kind, Vertex::new(0)).unwrap()
    }

    fn counted(instance: &Instance, symmetry: &Symmetry, ends: Endpoints) -> BigUint {
        count(instance, symmetry, ends, &options(), &mut |_| ()).unwrap().count
    }

    fn of_board(text: &str, symmetry: BoardSymmetry) -> Exact {
        let board: Board = text.parse().unwrap();
        let g = symmetry.on(&board.into()).unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        count(&instance, &g, Endpoints::Closed, &options(), &mut |_| ()).unwrap()
    }

    /// Returns the Hamiltonian paths of a graph as orders of the vertices, each in both directions.
    fn paths(graph: &Graph) -> Vec<Vec<Vertex>> {
        fn extend(graph: &Graph, path: &mut Vec<Vertex>, out: &mut Vec<Vec<Vertex>>) {
            if path.len() == graph.n_vertices() as usize {
                out.push(path.clone());
                return;
            }
            for v in graph.vertices() {
                let next = path.last().is_none_or(|&last| graph.arc(last, v).is_some());
                if next && !path.contains(&v) {
                    path.push(v);
                    extend(graph, path, out);
                    path.pop();
                }
            }
        }
        let mut out = Vec::new();
        extend(graph, &mut Vec::new(), &mut out);
        out
    }

    /// True if the image of each move is a move.
    fn is_symmetric(order: &[Vertex], symmetry: &Symmetry, is_closed: bool) -> bool {
        let mut moves: Vec<_> = order.windows(2).map(|pair| (pair[0], pair[1])).collect();
        if is_closed {
            moves.push((order[order.len() - 1], order[0]));
        }
        moves.iter().all(|&(u, v)| {
            let (u, v) = (symmetry.image(u), symmetry.image(v));
            moves.contains(&(u, v)) || moves.contains(&(v, u))
        })
    }

    /// Returns a symmetry of n vertices with cycles of at most the given lengths; `None` for the identity.
    fn planted(n: u32, lengths: &[u32]) -> Option<Symmetry> {
        let mut images = Vec::new();
        let mut lengths = lengths.iter().copied().cycle();
        while (images.len() as u32) < n {
            let first = images.len() as u32;
            let length = match lengths.next().unwrap_or(1).min(n - first) {
                3 => 2,
                length => length,
            };
            images.extend((1..=length).map(|k| Vertex::new(first + k % length)));
        }
        Symmetry::new(images).ok()
    }

    /// Adds the images of all edges, except those whose place in the list of edges is a multiple of `kept`.
    fn symmetrised(graph: &Graph, symmetry: &Symmetry, kept: usize) -> Graph {
        let edges = graph.arcs().filter(|arc| arc.tail < arc.head).enumerate();
        let mut all: Vec<_> = edges
            .flat_map(|(k, arc)| {
                let mut images = symmetry.images_of_edge(arc.tail, arc.head);
                if k % kept == kept - 1 {
                    images.truncate(1);
                }
                images
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        graph_of(graph.n_vertices(), &all)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn it_counts_what_brute_force_counts(
            graph in graphs(2..=8),
            lengths in prop::collection::vec(prop::sample::select(vec![1u32, 2, 2, 4, 4]), 1..5),
            kept in 3usize..30,
        ) {
            let Some(symmetry) = planted(graph.n_vertices(), &lengths) else {
                return Ok(());
            };
            let graph = symmetrised(&graph, &symmetry, kept);
            let all = paths(&graph);
            let is_closed = |path: &&Vec<Vertex>| {
                path.len() > 2 && graph.arc(path[path.len() - 1], path[0]).is_some() && path[0] == Vertex::new(0)
            };
            let symmetric = |is_closed| {
                let symmetry = &symmetry;
                move |path: &&Vec<Vertex>| is_symmetric(path, symmetry, is_closed)
            };
            let cycles = all.iter().filter(is_closed).filter(symmetric(true)).count() / 2;
            let closed = instance(graph.clone(), TourKind::Closed);
            prop_assert_eq!(counted(&closed, &symmetry, Endpoints::Closed), BigUint::from(cycles));
            let open = instance(graph.clone(), TourKind::Open);
            let paths: Vec<_> = all.iter().filter(symmetric(false)).collect();
            prop_assert_eq!(counted(&open, &symmetry, Endpoints::ANYWHERE), BigUint::from(paths.len()));
            let (s, t) = (Vertex::new(0), Vertex::new(graph.n_vertices() - 1));
            let last = graph.n_vertices() as usize - 1;
            for (from, to) in [(Some(s), None), (None, Some(s)), (Some(s), Some(t))] {
                let fits = |path: &&&Vec<Vertex>| {
                    from.is_none_or(|from| path[0] == from) && to.is_none_or(|to| path[last] == to)
                };
                let expected = paths.iter().filter(fits).count();
                let found = counted(&open, &symmetry, Endpoints::Open { from, to });
                prop_assert_eq!(found, BigUint::from(expected), "{:?} {:?}", from, to);
            }
            // A reason why there is no tour is never wrong.
            if symmetry.obstruction(closed.facts(), TourKind::Closed).is_some() {
                prop_assert_eq!(cycles, 0);
            }
            if symmetry.obstruction(open.facts(), TourKind::Open).is_some() {
                prop_assert_eq!(paths.len(), 0);
            }
        }
    }

    /// Tests the numbers of 6x6, which filtering its 9862 tours also gives, and Knuth's number for 8x8.
    #[test]
    fn symmetric_tours_of_boards_are_known() {
        for (text, symmetry, tours) in [
            ("6x6", BoardSymmetry::QuarterTurn, 10u32),
            ("6x6", BoardSymmetry::HalfTurn, 78),
            ("6x6", BoardSymmetry::LeftRight, 0),
            ("3x10", BoardSymmetry::HalfTurn, 4),
            ("3x10", BoardSymmetry::LeftRight, 4),
            ("5x6", BoardSymmetry::LeftRight, 4),
            ("5x6", BoardSymmetry::HalfTurn, 0),
            ("7x7", BoardSymmetry::HalfTurn, 0),
            ("8x8", BoardSymmetry::HalfTurn, 2_432_932),
            ("8x8", BoardSymmetry::QuarterTurn, 0),
        ] {
            let found = of_board(text, symmetry);
            assert_eq!(found.count, BigUint::from(tours), "{text} {symmetry}");
        }
    }

    #[test]
    fn a_limit_is_no_count() {
        let board: Board = "8x8".parse().unwrap();
        let g = BoardSymmetry::HalfTurn.on(&board.into()).unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let of = |options: &Options| {
            count(&instance, &g, Endpoints::Closed, options, &mut |_| ()).unwrap_err()
        };
        let little = Options {
            memory: 1 << 12,
            ..options()
        };
        assert!(matches!(of(&little), ExactError::Memory { .. }));
        let hopeless = Options {
            try_hard: false,
            ..little
        };
        assert!(matches!(of(&hopeless), ExactError::Hopeless { .. }));
        let late = Options {
            deadline: Some(std::time::Instant::now()),
            ..options()
        };
        assert!(matches!(of(&late), ExactError::Time { .. }));
    }
}
