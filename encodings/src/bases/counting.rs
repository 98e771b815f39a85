//! The counting encoding: arcs, edges and positions, chosen so that model counters find it easy.
//!
//! It is [`arcs`](super::arcs) with variables of edges and the counter [`halved`](crate::positions::halved), which on
//! bipartite graphs has one bit less; without cycles of two, in one direction and with the windows' bounds, unless its
//! refinements say otherwise. Every tour is one model, all variables follow from the arcs, and the arcs from the edges:
//! each of both sets is an independent support. (With the orientation left free, a closed tour is two models, and one
//! value of the edges.)
//!
//! - (1), (2) exactly one H_ij in every row and column
//! - (E) E_ij ↔ H_ij ∨ H_ji
//! - (6), (7), (8), (W) positions count up along arcs and keep to their windows
//! - (C) ¬H_ij ∨ ¬H_ji: [`two_cycles`](crate::refine::two_cycles)
//! - (O) [`orientation`](crate::refine::orientation)
//!
//! The co-tree edges of closed tours are the set on which ApproxMC needs the fewest and shortest parity constraints.
//!
//! # Size
//!
//! With A arcs, E edges, m bits a position (one less on bipartite graphs), pairwise: A + E + (N−1)m variables; beside
//! the clauses of [`binary`](crate::positions::binary) E for (C), one for each neighbour of the start for (O), 3E for
//! (E).
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.
//! - Supratik Chakraborty, Kuldeep S. Meel, Moshe Y. Vardi: *Balancing Scalability and Uniformity in SAT Witness
//!   Generator*, DAC 2014, on independent supports.

use super::arcs::Arcs;
use crate::positions::halved::Halved;

/// What is counted on.
#[must_use]
pub fn counting() -> Arcs {
    Arcs::with(Halved).and_edges()
}
