//! Search on the *core* of a graph: the part that remains after narrow pieces are eliminated. Each piece is replaced by
//! a list of ways to visit its vertices.
//!
//! Vertices are eliminated while some vertex has few neighbours. [`pieces`] then lists the *ways* through each piece of
//! eliminated vertices: sets of paths that together visit all vertices of the piece. The core is a [`Network`]. Its
//! edges are the edges of the graph between core vertices, and a *link* for every two core vertices that a path of a
//! way joins. If a way uses both edges of a core vertex, the vertex has a *pass*. Each way w of a piece has a variable.
//! Let x range over the links and passes of the piece; x is *of w* if w uses x. The clauses are
//!
//! ```text
//! ⋁ { w }        w → x (of w)        w → ¬x (not of w)        x → ⋁ { w : x is of w }
//! ```
//!
//! Different ways of a piece use different links and passes, so the clauses allow only one way of each piece. The
//! propagator ensures that the true links and edges of the core form one cycle. The chosen ways determine which other
//! edges of the graph belong to the Hamiltonian cycle.
//!
//! # References
//!
//! - Umberto Bertelè, Francesco Brioschi: *Nonserial Dynamic Programming*, 1972, for eliminating part of the variables.
//! - Nathann Cohen, David Coudert: *Le défi des 1001 graphes*, Interstices, 2017, for structures that are reused.

use std::collections::BTreeMap;

use hamcnf_graph::{Graph, Vertex};

use super::decomposition::{Elimination, Pieces, pieces};
use super::edges::Edges;
use super::propagator::{self, Network};
use super::{Budget, Found, Stopped};

/// Options of [`find`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Maximum number of neighbours that a vertex may have when it is eliminated.
    pub most_width: u32,
    /// Maximum number of states of a table of the dynamic program; with more, the search gives up.
    pub states: u64,
    /// Maximum average number of [ways](super::decomposition::Way) through a piece. The search gives up if there are
    /// more ways, because replacing the pieces does not help then.
    pub ways: u64,
    /// Options of the search on the core.
    pub propagator: propagator::Options,
    /// Limits of the search on the core.
    pub limits: propagator::Limits,
}

/// Maximum number of links and passes of a piece, added together (see the module documentation). A piece touches at
/// most 25 core vertices, because a state of the dynamic program has 25 slots.
const MOST_PARTS: usize = 25 * 26 / 2;
/// Memory in bytes that a clause of two literals needs before it is passed to the solver.
const BYTES_A_CLAUSE: u64 = 64;

/// Statistics of a run of [`find`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CoreStatistics {
    /// Number of vertices of the core.
    pub core: u64,
    /// Number of pieces into which the eliminated vertices fall.
    pub pieces: u64,
    /// Total number of [ways](super::decomposition::Way) through all pieces.
    pub ways: u64,
    /// Number of connections of the core: its edges, and links that stand for a path through a piece.
    pub links: u64,
    /// Statistics of the search on the core.
    pub propagator: propagator::PropagatorStatistics,
}

/// Searches for a Hamiltonian cycle. Returns [`Found::NoCycle`] if the graph has none.
pub fn find(graph: &Graph, options: &Options, budget: &Budget) -> (Found, CoreStatistics) {
    let mut statistics = CoreStatistics::default();
    // If each vertex has at least two neighbours, no vertex is eliminated at width 1. So a core remains at some width.
    if graph.n_vertices() < 3 || graph.vertices().any(|v| graph.degree(v) < 2) {
        return (Found::NoCycle, statistics);
    }
    let found = run(graph, options, budget, &mut statistics).unwrap_or_else(Found::Unknown);
    (found, statistics)
}

fn run(graph: &Graph, options: &Options, budget: &Budget, statistics: &mut CoreStatistics) -> Result<Found, Stopped> {
    let order = eliminate(graph, options.most_width, budget)?;
    statistics.core = order.core().len() as u64;
    let Some(pieces) = pieces(graph, &order, options.states, budget)? else {
        return Ok(Found::NoCycle);
    };
    statistics.pieces = pieces.ways().len() as u64;
    statistics.ways = pieces.ways().iter().map(|ways| ways.len() as u64).sum();
    if statistics.ways > options.ways.saturating_mul(statistics.pieces) {
        return Err(Stopped::GaveUp);
    }
    let parts = pieces.ways().iter().map(|ways| {
        let made_of = ways.iter().map(|way| way.paths.len() + way.passed.len());
        (ways.len() * made_of.sum::<usize>().min(MOST_PARTS)) as u64
    });
    if budget.memory().is_some_and(|most| parts.sum::<u64>() > most / BYTES_A_CLAUSE) {
        return Err(Stopped::Memory);
    }
    let core = Core::new(graph, &order, &pieces);
    statistics.links = core.network.edges().len() as u64;
    let clauses = core.clauses(&pieces);
    let network = core.network.clone();
    let (searched, searching) =
        propagator::search(network, &clauses, &[], &options.propagator, options.limits, budget, None);
    statistics.propagator = searching;
    Ok(searched.map(|values| core.lift(graph, &pieces, &values)))
}

/// Eliminates vertices with few neighbours. Uses the greatest width, up to `most_width`, at which the core has more
/// vertices than a piece may touch.
fn eliminate(graph: &Graph, most_width: u32, budget: &Budget) -> Result<Elimination, Stopped> {
    let mut width = most_width;
    loop {
        let order = Elimination::partial(graph, width, budget)?;
        if width == 0 || order.core().len() > order.width() as usize + 1 {
            return Ok(order);
        }
        // The whole graph is narrow. Try again with a smaller width.
        width = width.min(order.width()) - 1;
    }
}

/// Origin of an edge in the network that represents the core.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Link {
    /// An edge of the graph between two core vertices.
    Edge,
    /// A path through the piece with this index.
    Piece(u32),
}

/// Core of a graph, represented as a network. The fields also give the meaning of the network's variables.
struct Core {
    network: Network,
    /// Vertices of the core, in the order of their numbers in the network.
    vertices: Vec<Vertex>,
    /// Indexed by vertex of the graph: the number of the vertex in the network; `NONE` for vertices outside the core.
    number: Vec<u32>,
    /// Origin of each edge of the network.
    links: Vec<Link>,
    /// Variables of the links, which stand for paths through pieces. The key of a link consists of the index of the
    /// piece and the two ends of the path, as numbers in the network.
    paths: BTreeMap<(u32, [u32; 2]), i32>,
    /// Variables of the passes. A pass is true if both cycle edges at a core vertex lead to the same piece. The key
    /// consists of the index of the piece and the vertex, as a number in the network.
    passes: BTreeMap<(u32, u32), i32>,
}

/// Marker for a vertex outside the core.
const NONE: u32 = u32::MAX;

impl Core {
    fn new(graph: &Graph, order: &Elimination, pieces: &Pieces<'_>) -> Self {
        let mut vertices = order.core().to_vec();
        vertices.sort_unstable();
        let mut number = vec![NONE; graph.n_vertices() as usize];
        for (k, v) in (0..).zip(&vertices) {
            number[v.index()] = k;
        }
        let mut all: Vec<([u32; 2], Link)> = Vec::new();
        for arc in graph.arcs().filter(|arc| arc.tail < arc.head) {
            let ends = [arc.tail, arc.head].map(|v| number[v.index()]);
            if !ends.contains(&NONE) {
                all.push((ends, Link::Edge));
            }
        }
        let mut passed: Vec<(u32, u32)> = Vec::new();
        for (piece, ways) in (0..).zip(pieces.ways()) {
            for way in ways {
                let paths = way.paths.iter().map(|&path| sorted(path, &number));
                all.extend(paths.map(|ends| (ends, Link::Piece(piece))));
                passed.extend(way.passed.iter().map(|v| (number[v.index()], piece)));
            }
        }
        all.sort_unstable();
        all.dedup();
        passed.sort_unstable();
        passed.dedup();
        let mut counts = vec![0; vertices.len()];
        for &(v, _) in &passed {
            counts[v as usize] += 1;
        }
        let links: Vec<Link> = all.iter().map(|&(_, link)| link).collect();
        let ends: Vec<[u32; 2]> = all.iter().map(|&(ends, _)| ends).collect();
        let network = Network::new(Edges::new(vertices.len(), ends), &counts);
        let of_pieces = (1..).zip(&all).filter_map(|(variable, &(ends, link))| match link {
            Link::Piece(piece) => Some(((piece, ends), variable)),
            Link::Edge => None,
        });
        let paths = of_pieces.collect();
        // The variables of passes follow those of the edges, vertex by vertex.
        let first = links.len() as i32 + 1;
        let passes = (first..).zip(&passed).map(|(variable, &(v, piece))| ((piece, v), variable));
        Self { paths, passes: passes.collect(), network, vertices, number, links }
    }

    /// Returns the clauses that require exactly one [way](super::decomposition::Way) through each piece. The variables
    /// of ways follow the variables of the network, piece by piece.
    fn clauses(&self, pieces: &Pieces<'_>) -> Vec<Vec<i32>> {
        let mut of_piece: Vec<Vec<i32>> = vec![Vec::new(); pieces.ways().len()];
        for (&(piece, _), &variable) in &self.paths {
            of_piece[piece as usize].push(variable);
        }
        for (&(piece, _), &variable) in &self.passes {
            of_piece[piece as usize].push(variable);
        }
        let mut clauses = Vec::new();
        let mut next = self.network.variables() + 1;
        for ((piece, ways), parts) in (0..).zip(pieces.ways()).zip(&of_piece) {
            let first = next;
            next += ways.len() as i32;
            clauses.push((first..next).collect());
            // For each link or pass of the piece, the clause x → ⋁ { w : x is of w }.
            let mut of_part: BTreeMap<i32, Vec<i32>> = parts.iter().map(|&part| (part, vec![-part])).collect();
            for (variable, way) in (first..).zip(ways) {
                let paths = way.paths.iter().map(|&path| {
                    let ends = sorted(path, &self.number);
                    self.paths[&(piece, ends)]
                });
                let passed = way.passed.iter();
                let passed = passed.map(|v| self.passes[&(piece, self.number[v.index()])]);
                let made_of: Vec<i32> = paths.chain(passed).collect();
                for (&part, ways_of) in &mut of_part {
                    if made_of.contains(&part) {
                        clauses.push(vec![-variable, part]);
                        ways_of.push(variable);
                    } else {
                        clauses.push(vec![-variable, -part]);
                    }
                }
            }
            clauses.extend(of_part.into_values());
        }
        clauses
    }

    /// Returns the Hamiltonian cycle of the graph that a model of the clauses represents.
    fn lift(&self, graph: &Graph, pieces: &Pieces<'_>, values: &[bool]) -> Vec<Vertex> {
        let mut next = self.network.variables() as usize;
        let mut chosen = Vec::with_capacity(pieces.ways().len());
        for ways in pieces.ways() {
            let taken = values[next..next + ways.len()].iter().position(|&is| is);
            chosen.push(taken.expect("exactly one way through each piece is chosen"));
            next += ways.len();
        }
        let mut pairs = pieces.edges(&chosen);
        for (edge, link) in (0..).zip(&self.links) {
            if *link == Link::Edge && values[edge as usize] {
                let ends = self.network.edges().ends(edge);
                pairs.push(ends.map(|v| self.vertices[v as usize]));
            }
        }
        let mut ends: Vec<[u32; 2]> =
            pairs.into_iter().map(|[a, b]| [a.number().min(b.number()), a.number().max(b.number())]).collect();
        ends.sort_unstable();
        let edges = Edges::new(graph.n_vertices() as usize, ends);
        let cycle = edges.cycle(|_| true);
        cycle.expect("a cycle of the core gives a cycle of the graph")
    }
}

/// Returns the numbers of the two path ends in the network, the lesser number first.
fn sorted(path: [Vertex; 2], number: &[u32]) -> [u32; 2] {
    let mut ends = path.map(|v| number[v.index()]);
    ends.sort_unstable();
    ends
}
