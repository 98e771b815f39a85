//! Hamiltonian cycles of any graph, without clauses of positions: one idea a module, each usable alone.
//!
//! All of them are asked the same: a graph, for a cycle through all of its vertices. Paths are asked for as cycles
//! through one vertex more.
//!
//! # What was tried and is not here
//!
//! On graphs of 2000 to 10 000 vertices that the others need seconds for, or do not answer:
//!
//! - *Joining pieces* of a core wherever they have fewer ways together than apart. Structures of 33 vertices were
//!   recognized as one vertex of six ways each, but the search was slower on seven of nine graphs, up to four times: clauses
//!   that a way implies step by step guide it better than the list.
//! - *Annealing on the number of cycles* of a 2-factor, by alternating cycles of any length that are found in breadth or at
//!   random: it sticks at 20 to 50 cycles, since most exchanges close short ones.
//! - *Cuts in rounds on the core* instead of the propagator there: the first model comes soon, with 30 to 160 cycles, and after
//!   ten seconds there are still some.
//! - *Directions in the propagator's formula*, two arcs for each edge, which cuts in rounds gain by ([`lazy`]): conflicts fall
//!   by a quarter to two thirds on five graphs, and each takes as much longer.
//! - *Choices instead of edges* on numbers 966, 976 and 981 of the FHCP Challenge Set. Reductions leave 140 or 168 groups of 33
//!   vertices with six ways each, which have to meet in hexagons. In 976 they make a directed cycle through one of the six
//!   nodes of each of 168 groups, 840/5, where hexagons change how it goes on: it looks like the bobs-only peal of Stedman
//!   Triples in five parts, a puzzle of bell-ringers. Annealing over the choices fits them all together in
//!   half a second, which CaDiCaL does not in 40 s, but in 20 cycles of mostly ten groups: the 6⁸ exact covers by those have
//!   no fewer than 6, and mixtures found by other rewards no fewer than 2, an even number nearly always. So the search would
//!   have to be for an odd one.
//! - At most two edges at hubs seen to by the propagator instead of counters; other settings of CaDiCaL's phases, restarts and
//!   reasons; cores of width 4 to 7 and above 9.

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

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A Hamiltonian cycle: its vertices in their order, the first one once.
    Cycle(Vec<Vertex>),
    /// There is none. Only what is exact and has finished says so.
    None,
    /// Neither is known.
    Nothing(Stopped),
}
