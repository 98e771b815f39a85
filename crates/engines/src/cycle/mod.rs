//! Methods for Hamiltonian cycles of any graph that do not use clauses over positions: one idea per module, each usable
//! alone.
//!
//! All of them answer the same question: does the graph have a cycle through all of its vertices? Paths are reduced to
//! cycles through one more vertex.
//!
//! # Rejected experiments
//!
//! On graphs of 2000 to 10 000 vertices that the other methods need seconds for, or do not solve:
//!
//! - *Joining pieces* of a core if together they have fewer ways than apart. Structures of 33 vertices were recognized as one
//!   vertex with six ways each, but the search was slower on seven of nine graphs, up to four times: clauses that a way
//!   implies step by step guide the search better than the list does.
//! - *Annealing on the number of cycles* of a 2-factor, by alternating cycles of any length that are found breadth-first or
//!   at random: it gets stuck at 20 to 50 cycles, since most exchanges close short ones.
//! - *Lazy subtour elimination on the core* instead of the propagator: the first model comes soon, with 30 to 160 cycles, and
//!   after ten seconds there are still some.
//! - *Directions in the propagator's formula*, two arcs for each edge, from which lazy subtour elimination gains ([`lazy`]):
//!   conflicts fall by a quarter to two thirds on five graphs, but each takes longer by the same factor.
//! - *Choices instead of edges* on numbers 966, 976 and 981 of the FHCP Challenge Set. Reductions leave 140 or 168 groups of 33
//!   vertices with six ways each, which have to meet in hexagons. In 976 they form a directed cycle through one of the six
//!   nodes of each of 168 groups, 840/5, and hexagons change how the cycle continues: it looks like the bobs-only peal of
//!   Stedman Triples in five parts, a puzzle of bell-ringers. Annealing over the choices makes all of them compatible within
//!   half a second, which CaDiCaL does not achieve in 40 s, but the result has 20 cycles of mostly ten groups. The 6⁸ exact
//!   covers by such cycles have at least 6 cycles, and mixtures found with other rewards have at least 2, nearly always an
//!   even number. So the search would have to look for an odd number.
//! - Enforcing at most two edges at hubs by the propagator instead of counters; other settings of CaDiCaL's phases, restarts
//!   and reasons; cores of width 4 to 7 and above 9.

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

use hamcnf_encodings::Vertex;

use crate::budget::{Budget, Round, Stopped};

/// Result of a search for a Hamiltonian cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A Hamiltonian cycle: its vertices in order, without repeating the first one at the end.
    Cycle(Vec<Vertex>),
    /// The graph has no Hamiltonian cycle. Only exact searches that have finished return this.
    None,
    /// The search stopped without a result.
    Nothing(Stopped),
}
