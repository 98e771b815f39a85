//! Exact counts of symmetric tours, by a sweep over the quotient graph.
//!
//! Let G be the graph, and g a [`Symmetry`] of order m, which is 2 or 4. The vertices of the *quotient* are the orbits
//! of vertices under g. Choose a vertex r_A in every orbit A of m vertices. An orbit of edges between A and B ≠ A has
//! exactly one edge {r_A, g^k r_B}. The number k modulo m is the *voltage* of the orbit of edges; in the other
//! direction, the voltage is −k, which has the same parity. An orbit of edges belongs to the quotient only if all its
//! edges are in G.
//!
//! A symmetric closed tour is either turned or flipped by g (see [`hamcnf_tours::symmetry`]). Turned and flipped
//! tours are counted separately.
//!
//! # Turned tours
//!
//! All orbits have m vertices. Whenever the tour passes from one orbit of vertices to the next, it passes through an
//! orbit of edges. So the tour is the lift of a closed walk that visits every orbit of vertices once. This walk is a
//! Hamiltonian cycle of the quotient, with a choice among parallel orbits of edges. Conversely, if the voltages along
//! such a cycle have the sum s, the lift of the cycle consists of gcd(s, m) cycles. As m is 2 or 4, the lift is one
//! cycle if and only if s is odd. Only the parity of voltages matters, and it does not depend on directions. Let there
//! be e_AB even and o_AB odd orbits of edges between A and B. Then the number of turned tours is the coefficient of x
//! in
//!
//! > Σ Π (e_AB + o_AB · x), modulo x² = 1,
//!
//! where the sum is over the Hamiltonian cycles of the simple quotient graph, and the product over the edges of the
//! cycle. The states of the sweep need no voltages; their weights are pairs of numbers (`frontier/answer/weighted.rs`). The
//! sum leaves out quotients with one or two vertices. If there are two orbits of vertices, a tour uses one even and one
//! odd orbit of edges between them, so there are e · o tours. If there is one orbit of four vertices, the only possible
//! tour is the orbit of the edge {r, g r}.
//!
//! # Flipped tours
//!
//! The order is m = 2. The flip fixes two places of the tour; each is a vertex, or the middle of an edge {v, g v}.
//! These places divide the tour into two halves, which g exchanges. So the tour is the lift of a path through all
//! orbits. The ends of the path are the two places: orbits of one vertex, or orbits whose two vertices are adjacent.
//! Any such path lifts to one cycle, whatever its voltages. Every vertex that g fixes is an end, so there is no flipped
//! tour if g fixes more than two vertices. The paths are counted as cycles with an additional vertex, the *apex*, which
//! is adjacent to the possible ends. If g fixes exactly one vertex, another new vertex of degree 2, between the fixed
//! vertex and the apex, makes the fixed vertex an end.
//!
//! # Open tours
//!
//! An open tour is a closed tour of the graph with one more vertex, which is adjacent to the possible ends and is its
//! own image. If one end is given, the other end is its image.
//!
//! # References
//!
//! - Jonathan L. Gross, Thomas W. Tucker: *Topological Graph Theory*, 1987, chapter 2, on voltage graphs.
//! - Donald E. Knuth: *The Art of Computer Programming*, pre-fascicle 8A, 2025, on symmetric knight's tours; there are
//!   4 · 608 233 symmetric tours of the 8×8 board.

use std::collections::BTreeMap;
use std::fmt;

use hamcnf_graph::{Graph, Vertex};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::symmetry::Symmetry;
use hamcnf_tours::{Instance, Tour};
use num_bigint::BigUint;

use super::frontier::exact::{ExactError, Options, answers};
use super::frontier::question::{Counted, Question};
use super::frontier::weighted::{self, ChoiceNumber, Chosen, Connections, Kept};
use super::frontier::{CheckpointError, Element, Exact, Progress, TooWide, ordered};

/// Counts the symmetric tours of an instance's undirected graph with the endpoints `ends`. The constraints of the
/// instance are not considered. Calls `progress` before every vertex of the sweeps over the quotient. A count goes on
/// if a checkpoint cannot be written; `warn` is called with the first of several errors in a row.
///
/// # Errors
///
/// [`ExactError`] if the count was not completed.
///
/// # Panics
///
/// Panics if the numbers of vertices of the symmetry and of the instance differ.
pub fn count(
    instance: &Instance,
    symmetry: &Symmetry,
    ends: Endpoints,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    warn: &mut dyn FnMut(&CheckpointError),
) -> Result<Exact, ExactError> {
    let parts = Parts::new(instance, symmetry, ends)?;
    let mut all = parts.without_sweep(ends);
    let questions: Vec<_> = parts.turned.into_iter().chain(parts.flipped).collect();
    let mut found = |_, part| all = added(&all, &part);
    answers(&questions, options, progress, &mut found, warn)?;
    Ok(all)
}

/// Returns the sum of two counts, of which the first ended before the second began.
fn added(first: &Exact, second: &Exact) -> Exact {
    Exact {
        count: &first.count + &second.count,
        peak_states: first.peak_states.max(second.peak_states),
        peak_bytes: first.peak_bytes.max(second.peak_bytes),
        generated: first.generated.max(second.generated),
        width: first.width.max(second.width),
        scratch_bytes: first.scratch_bytes.max(second.scratch_bytes),
        sweeps: first.sweeps.max(second.sweeps),
        ..Exact::default()
    }
}

/// Symmetric tours of a question, divided into turned and flipped tours.
struct Parts {
    symmetry: Symmetry,
    quotient: Quotient,
    /// Turned tours if the quotient has only one or two vertices; see [`Quotient::few`].
    few: Vec<Vec<Edge>>,
    /// Sweep over the quotient for the turned tours, if there may be others.
    turned: Option<Question>,
    /// Sweep over the quotient for the flipped tours, if there may be any.
    flipped: Option<Question>,
}

impl Parts {
    fn new(instance: &Instance, symmetry: &Symmetry, ends: Endpoints) -> Result<Self, TooWide> {
        let (graph, symmetry) = as_closed(instance, symmetry, ends);
        let quotient = Quotient::new(&graph, &symmetry);
        let mut parts = Self { few: Vec::new(), turned: None, flipped: None, symmetry, quotient };
        // A cycle has at least three vertices.
        if graph.n_vertices() < 3 {
            return Ok(parts);
        }
        let name = instance.to_string();
        let quotient = &parts.quotient;
        let sweep = |new: &[(Vertex, Vertex)], counted| quotient.graph(new).question(&name, counted, ends.directions());
        if parts.symmetry.is_free() {
            match quotient.few() {
                Some(few) => parts.few = few,
                None => parts.turned = sweep(&[], Counted::Odd)?,
            }
        }
        if let Some(new) = quotient.path_ends() {
            parts.flipped = sweep(&new, Counted::All)?;
        }
        Ok(parts)
    }

    /// Returns the number of tours that need no sweep.
    fn without_sweep(&self, ends: Endpoints) -> Exact {
        Exact { count: BigUint::from(self.few.len()) * ends.directions(), ..Exact::default() }
    }
}

/// Reduces the symmetric tours with these endpoints to symmetric closed tours. Returns the graph of the closed tours
/// and its symmetry. For open tours, the graph has one more vertex.
fn as_closed(instance: &Instance, symmetry: &Symmetry, ends: Endpoints) -> (Graph, Symmetry) {
    let graph = instance.graph();
    assert_eq!(graph.n_vertices() as usize, symmetry.n(), "the symmetry is one of this graph");
    let possible = match ends {
        Endpoints::Closed => return (graph.clone(), symmetry.clone()),
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
    (extended, symmetry.extended())
}

/// Symmetric tours of an instance, numbered from 0. A uniformly random number gives a uniformly random tour.
pub struct SymmetricTours {
    instance: Instance,
    ends: Endpoints,
    parts: Parts,
    turned: Option<Kept>,
    flipped: Option<Kept>,
    exact: Exact,
}

impl fmt::Debug for SymmetricTours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SymmetricTours")
            .field("instance", &self.instance)
            .field("exact", &self.exact)
            .finish_non_exhaustive()
    }
}

impl SymmetricTours {
    /// Counts the symmetric tours like [`count`], and keeps all states in memory.
    ///
    /// # Errors
    ///
    /// [`ExactError`] if the count was not completed.
    ///
    /// # Panics
    ///
    /// Panics if the numbers of vertices of the symmetry and of the instance differ.
    pub fn new(
        instance: &Instance,
        symmetry: &Symmetry,
        ends: Endpoints,
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, ExactError> {
        let parts = Parts::new(instance, symmetry, ends)?;
        let none = parts.without_sweep(ends);
        let mut keep = |question: &Option<Question>, held: u64| {
            let question = question.as_ref();
            let kept = question.map(|question| Kept::new(question, options, held, progress));
            kept.transpose()
        };
        let turned = keep(&parts.turned, 0)?;
        let by_turn = turned.as_ref().map_or(&none, |kept| &kept.exact);
        // The states of the first sweep stay in memory during the second sweep.
        let flipped = keep(&parts.flipped, turned.as_ref().map_or(0, Kept::bytes))?;
        let by_flip = flipped.as_ref().map_or(&none, |kept| &kept.exact);
        let mut exact = none.clone();
        for part in [&turned, &flipped].into_iter().flatten() {
            exact = added(&exact, &part.exact);
        }
        exact.peak_bytes = by_turn.peak_bytes + by_flip.peak_bytes;
        exact.generated = by_turn.generated + by_flip.generated;
        Ok(Self { instance: instance.clone(), ends, parts, turned, flipped, exact })
    }

    /// Returns the number of tours, with statistics of the count.
    pub fn exact(&self) -> &Exact {
        &self.exact
    }

    /// Returns the tours with these numbers, in the order of `numbers`. Leaves out numbers that are not below the
    /// count. Computing all tours takes about as long as the count.
    ///
    /// # Panics
    ///
    /// Never: a lift of a cycle of the quotient is a tour.
    pub fn tours(&self, numbers: &[BigUint]) -> Vec<Tour> {
        let directions = self.ends.directions();
        let mut edges: Vec<(usize, Vec<Edge>)> = Vec::new();
        let mut by_turn: Vec<(usize, ChoiceNumber)> = Vec::new();
        let mut by_flip: Vec<(usize, ChoiceNumber)> = Vec::new();
        let choices_of = |kept: &Option<Kept>| {
            let choices = kept.as_ref().map(|kept| kept.choices.clone());
            choices.unwrap_or_default()
        };
        let ([_, turned], flipped) = (choices_of(&self.turned), choices_of(&self.flipped));
        for (k, number) in numbers.iter().enumerate() {
            let mut number = number / directions;
            let few = BigUint::from(self.parts.few.len());
            if number < few {
                let place = usize::try_from(&number).unwrap_or_default();
                edges.push((k, self.parts.few[place].clone()));
                continue;
            }
            number -= few;
            let parts = [(true, &turned, true), (false, &flipped[0], false), (false, &flipped[1], true)];
            for (is_turned, count, is_odd) in parts {
                if number < *count {
                    let ranks = if is_turned { &mut by_turn } else { &mut by_flip };
                    ranks.push((k, ChoiceNumber { is_odd, number }));
                    break;
                }
                number -= count;
            }
        }
        let quotient = &self.parts.quotient;
        let new = quotient.path_ends().unwrap_or_default();
        for (kept, ranks, new) in [(&self.turned, &by_turn, Vec::new()), (&self.flipped, &by_flip, new)] {
            let Some(kept) = kept else { continue };
            let graph = quotient.graph(&new);
            let only: Vec<_> = ranks.iter().map(|(_, rank)| rank.clone()).collect();
            let found = kept.find(&only, &|u, v| graph.connections(u, v));
            for (&(k, _), chosen) in ranks.iter().zip(found) {
                edges.push((k, quotient.edges_of(&chosen)));
            }
        }
        edges.sort_by_key(|&(k, _)| k);
        let tours = edges.into_iter().map(|(k, edges)| {
            let backwards = &numbers[k] % directions == BigUint::from(1u8);
            self.lifted(&edges, backwards)
        });
        tours.collect()
    }

    /// Returns the tour that consists of these edges and their images. A closed tour begins at the start vertex and
    /// continues to the smaller neighbour; an open tour without a given first vertex begins at the smaller end, or at
    /// the greater end if `backwards` is true.
    fn lifted(&self, edges: &[Edge], backwards: bool) -> Tour {
        let apex = Vertex::new(self.instance.n());
        let images = edges.iter().flat_map(|&(u, v)| self.parts.symmetry.images_of_edge(u, v));
        let elements = images.map(|(u, v)| match u.max(v) == apex {
            true => Element::End(u.min(v)),
            false => Element::Edge(u, v),
        });
        // If only the last vertex is given, the tour begins at the other end.
        let last = match self.ends {
            Endpoints::Open { from: None, to } => to,
            _ => None,
        };
        let others = elements.filter(|&element| last.is_none_or(|last| element != Element::End(last)));
        ordered(&self.instance, self.ends, &others.collect::<Vec<_>>(), backwards)
    }
}

/// Edge of the original graph. It also stands for its images under the symmetry.
type Edge = (Vertex, Vertex);

/// Orbits of edges between two orbits of vertices, each given by one of its edges.
#[derive(Clone, Debug, Default)]
struct Between {
    even: Vec<Edge>,
    odd: Vec<Edge>,
}

impl Between {
    fn connections(&self) -> Connections {
        Connections { even: self.even.len() as u8, odd: self.odd.len() as u8 }
    }
}

/// Quotient of a graph by a symmetry, as an undirected multigraph of orbits.
struct Quotient {
    order: usize,
    /// Number of orbits.
    n: u32,
    /// Pairs of different orbits, the smaller number first, with the orbits of edges between them.
    edges: BTreeMap<(Vertex, Vertex), Between>,
    /// Orbits of a single vertex.
    fixed: Vec<Vertex>,
    /// Orbits of several vertices in which every vertex is adjacent to its image. The value is an edge between a vertex
    /// of the orbit and its image.
    looped: BTreeMap<Vertex, Edge>,
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
        let is_fixed = |v: Vertex| symmetry.image(v) == v;
        let mut edges: BTreeMap<(Vertex, Vertex), Between> = BTreeMap::new();
        let (mut fixed, mut looped) = (Vec::new(), BTreeMap::new());
        for (orbit, &first) in (0..).map(Vertex::new).zip(&firsts) {
            let image = symmetry.image(first);
            if is_fixed(first) {
                fixed.push(orbit);
            } else if is_edge(first, image) {
                looped.insert(orbit, (first, image));
            }
            for &w in graph.neighbours(first) {
                let Some((other, power)) = orbit_of[w.index()].filter(|&(other, _)| other > orbit) else {
                    continue;
                };
                if !is_edge(first, w) {
                    continue;
                }
                let between = edges.entry((orbit, other)).or_default();
                // The edges between a fixed vertex and an orbit form one orbit, which has no voltage.
                if is_fixed(first) || is_fixed(w) {
                    between.even = vec![(first, w)];
                } else if power % 2 == 0 {
                    between.even.push((first, w));
                } else {
                    between.odd.push((first, w));
                }
            }
        }
        Self { order: symmetry.order(), n: firsts.len() as u32, edges, fixed, looped }
    }

    /// Returns the turned tours if there are only one or two orbits of vertices, otherwise `None`. Each tour is given
    /// by edges whose images form the tour. No power of the symmetry except the identity may fix a vertex.
    fn few(&self) -> Option<Vec<Vec<Edge>>> {
        match (self.n, self.order) {
            // An orbit of two vertices is no cycle.
            (1, 2) => Some(Vec::new()),
            (1, 4) => Some(self.looped.values().map(|&edge| vec![edge]).collect()),
            (2, _) => {
                let pairs = self.edges.values().flat_map(|between| {
                    let odd = between.odd.iter();
                    odd.flat_map(|&odd| between.even.iter().map(move |&even| vec![even, odd]))
                });
                Some(pairs.collect())
            }
            _ => None,
        }
    }

    /// Returns the new edges by which the flipped tours become Hamiltonian cycles of the quotient; `None` if there is
    /// no flipped tour. If there are n orbits, the apex has the number n. The vertex between the apex and a fixed
    /// vertex has the number n + 1.
    fn path_ends(&self) -> Option<Vec<(Vertex, Vertex)>> {
        let (apex, tie) = (Vertex::new(self.n), Vertex::new(self.n + 1));
        let looped = self.looped.keys().map(|&orbit| (orbit, apex));
        match (self.order, &self.fixed[..], self.looped.len()) {
            (4, ..) => None,
            // A path of several orbits has two ends.
            (_, [], 2..) => Some(looped.collect()),
            (_, &[only], 1..) => Some(looped.chain([(only, tie), (apex, tie)]).collect()),
            (_, &[a, b], _) => Some(vec![(a, apex), (b, apex)]),
            _ => None,
        }
    }

    /// Returns the quotient with these new edges, as a weighted simple graph. If there are new edges, the fixed
    /// vertices are ends of paths, so edges between fixed vertices are left out.
    fn graph(&self, new: &[(Vertex, Vertex)]) -> Weighted {
        let is_fixed = |orbit: &Vertex| self.fixed.contains(orbit);
        let edges = self.edges.iter();
        let edges = edges.filter(|((a, b), _)| new.is_empty() || !(is_fixed(a) && is_fixed(b)));
        let edges = edges.map(|(&pair, between)| (pair, between.connections()));
        let new = new.iter().map(|&pair| (pair, Connections::EVEN));
        let edges: BTreeMap<_, _> = edges.chain(new).collect();
        let last = edges.keys().map(|(_, b)| b.number() + 1).max();
        Weighted { n: last.unwrap_or(0).max(self.n), edges }
    }

    /// Returns the edges of the original graph that stand for the chosen edges of a cycle. An edge to the apex stands
    /// for the edge between a vertex and its image, or for no edge if the vertex is fixed.
    fn edges_of(&self, chosen: &[Chosen]) -> Vec<Edge> {
        let edges = chosen.iter().filter_map(|&(a, b, k)| {
            let (a, b) = (a.min(b), a.max(b));
            match self.edges.get(&(a, b)) {
                Some(between) => {
                    let mut all = between.even.iter().chain(&between.odd);
                    all.nth(k.into()).copied()
                }
                None => self.looped.get(&a).copied(),
            }
        });
        edges.collect()
    }
}

/// Simple graph with weighted edges.
struct Weighted {
    n: u32,
    edges: BTreeMap<(Vertex, Vertex), Connections>,
}

impl Weighted {
    fn connections(&self, u: Vertex, v: Vertex) -> Connections {
        let found = self.edges.get(&(u.min(v), u.max(v))).copied();
        // Only edges of the graph are asked for.
        found.unwrap_or(Connections { even: 0, odd: 0 })
    }

    fn graph(&self) -> Graph {
        graph_of(self.n, &self.edges.keys().copied().collect::<Vec<_>>())
    }

    /// Returns the question about the Hamiltonian cycles; `None` if there are fewer than three vertices, and so no
    /// cycle.
    fn question(&self, name: &str, counted: Counted, directions: u32) -> Result<Option<Question>, TooWide> {
        let of = |u, v| self.connections(u, v);
        let question = || weighted::question(name, &self.graph(), &of, counted, directions);
        (self.n >= 3).then(question).transpose()
    }
}

/// Returns the graph with these edges, which must be different pairs of different vertices.
fn graph_of(n: u32, edges: &[(Vertex, Vertex)]) -> Graph {
    let edges = edges.iter().map(|(u, v)| (u.number(), v.number()));
    Graph::from_edges(n, edges).expect("a quotient is no larger than its graph, apart from two vertices")
}
