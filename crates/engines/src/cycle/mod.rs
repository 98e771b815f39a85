//! Methods for Hamiltonian cycles of arbitrary graphs that do not use clauses over positions. Each module implements one
//! idea and can be used alone.
//!
//! Every method answers the question whether the graph has a cycle through all of its vertices. [`path_to_cycle`] reduces
//! Hamiltonian paths to cycles through one more vertex.
//!
//! # Rejected experiments
//!
//! The experiments used graphs of 2000 to 10 000 vertices, for which the other methods need seconds or which they do not
//! solve. A *way* through a piece of a graph is a set of paths that together visit its vertices ([`decomposition::Way`]).
//!
//! - *Joining two pieces* of a core if the joined piece has fewer ways than the two pieces together. Each structure of 33
//!   vertices became one vertex with six ways. But the search was slower on seven of nine graphs, up to four times: clauses
//!   that a way implies step by step guide the search better than the list of ways.
//! - *Annealing on the number of cycles* of a 2-factor, by alternating cycles of any length that are found breadth-first or
//!   at random. The annealing gets stuck at 20 to 50 cycles, since most exchanges close short cycles.
//! - *Lazy subtour elimination on the core* instead of the propagator. The first model, with 30 to 160 cycles, is found
//!   soon, but after ten seconds the models still have several cycles.
//! - *Directions in the propagator's formula*, with two arcs for each edge, which speed up lazy subtour elimination
//!   ([`lazy`]). The number of conflicts falls by a quarter to two thirds on five graphs, but each conflict takes longer by
//!   the same factor.
//! - *Annealing over the choices of ways* instead of edges, on numbers 966, 976 and 981 of the FHCP Challenge Set. The
//!   reductions leave 140 or 168 groups of 33 vertices, each with six ways. The groups meet in hexagons, where their ways
//!   have to be compatible. Within half a second, annealing finds compatible choices for all groups, which CaDiCaL does not
//!   achieve in 40 s. But the result has 20 cycles, most of them through ten groups. The 6⁸ exact covers by such cycles
//!   have at least 6 cycles. Mixtures that were found with other rewards have at least 2 cycles, nearly always an even
//!   number. So the search would have to be directed to an odd number of cycles.
//! - *Minor changes*: at most two edges at hubs by the propagator instead of cardinality counters; other settings of
//!   CaDiCaL's phases, restarts and reasons; cores of width 4 to 7 and above 9.

pub mod alternating;
mod blossom;
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
pub mod merge;
pub mod path_to_cycle;
pub mod propagator;
pub mod reduction;
mod renumber;
pub mod small;

use hamcnf_encodings::Vertex;

use crate::budget::{Budget, Round, Stopped};

/// Result of a search for a Hamiltonian cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A Hamiltonian cycle: its vertices in order. The first vertex is not repeated at the end.
    Cycle(Vec<Vertex>),
    /// The graph has no Hamiltonian cycle. Only returned after a proof.
    None,
    /// The search stopped without a result.
    Nothing(Stopped),
}
