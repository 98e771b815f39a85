//! Search methods for Hamiltonian cycles of arbitrary graphs. None of them uses SAT variables for positions in the
//! cycle. Each module implements one idea and can be used alone; [`portfolio`] is a schedule of them. [`search`] has
//! searches that step from vertex to vertex: Warnsdorff's rule, rotations, backtracking.
//!
//! Every method searches for a cycle through all vertices of the graph. For Hamiltonian paths, [`path_to_cycle`] adds
//! vertices to the graph, so that every Hamiltonian path becomes a Hamiltonian cycle of the larger graph.
//!
//! # Rejected experiments
//!
//! The experiments used graphs with 2000 to 10 000 vertices. On these graphs, the other methods need seconds or fail. A
//! *piece* is a connected set of vertices that [`core`] eliminates. A *way* through a piece is a set of paths that
//! together visit all of its vertices ([`decomposition::Way`]).
//!
//! - *Joining two pieces* that [`core`] eliminates, if the joined piece has fewer ways than the two pieces together.
//!   Each structure of 33 vertices became one vertex with six ways. But the search became slower on seven of nine
//!   graphs, by a factor of up to four. Clauses that lead to a way step by step guide the search better than a list of
//!   complete ways.
//! - *Simulated annealing on the number of cycles* of a 2-factor. Its moves were alternating cycles of any length,
//!   found breadth-first or at random. The annealing gets stuck at 20 to 50 cycles, since most moves close short
//!   cycles.
//! - *Lazy subtour elimination on the core* instead of the propagator. The first model, with 30 to 160 cycles, is found
//!   quickly. But after ten seconds, the models still have several cycles.
//! - *Directed edges in the propagator's formula*: two arcs for each edge, which speed up lazy subtour elimination
//!   ([`lazy`]). The number of conflicts falls by a quarter to two thirds on five graphs, but each conflict takes
//!   longer by the same factor.
//! - *Simulated annealing over the choices of ways* instead of edges, on graphs 966, 976 and 981 of the FHCP Challenge
//!   Set. The reductions leave 140 or 168 groups of 33 vertices, each with six ways. The groups meet in hexagons, where
//!   their ways must be compatible. Within half a second, annealing finds compatible ways for all groups; CaDiCaL does
//!   not find them in 40 s. But the resulting 2-factor has 20 cycles, most of them through ten groups. The 6⁸ exact
//!   covers by such cycles have at least 6 cycles. Other objective functions gave covers that mix such cycles with
//!   others. These have at least 2 cycles, nearly always an even number. The walk in [`quotient`] succeeds, which prefers
//!   odd numbers of cycles.
//! - *Minor changes*: a propagator that limits hubs to two edges, instead of cardinality counters; other settings of
//!   CaDiCaL's phases, restarts and reasons; cores of width 4 to 7 and above 9.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod alternating;
mod blossom;
pub mod circuit;
pub mod core;
mod cover;
pub mod decomposition;
pub mod degrees;
pub mod edges;
pub mod factor;
mod flow;
mod gadget;
pub mod lazy;
mod links;
pub mod local;
pub mod longest;
pub mod merge;
pub mod path_to_cycle;
pub mod portfolio;
pub mod propagator;
pub mod quotient;
pub mod reduction;
mod renumber;
pub mod search;
pub mod small;

use hamcnf_graph::Vertex;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;
use hamcnf_graph::budget::{Budget, Round, Stopped};

/// Result of a search for a Hamiltonian cycle, by default for its vertices in order, without repeating the first vertex
/// at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found<C = Vec<Vertex>> {
    /// A Hamiltonian cycle.
    Cycle(C),
    /// The graph has no Hamiltonian cycle. The method has proved this.
    NoCycle,
    /// The search stopped without a result, for the given reason.
    Unknown(Stopped),
}

impl<C> Found<C> {
    /// Returns the result for a cycle in another form.
    pub fn map<D>(self, form: impl FnOnce(C) -> D) -> Found<D> {
        match self {
            Self::Cycle(cycle) => Found::Cycle(form(cycle)),
            Self::NoCycle => Found::NoCycle,
            Self::Unknown(ended) => Found::Unknown(ended),
        }
    }
}

/// Returns a random number below `bound`, which must not be 0. The bias of the multiplication is below 2⁻³² for
/// each value.
pub(crate) fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    ((u64::from(random.next_u32()) * bound as u64) >> 32) as usize
}
