//! The counting encoding: arcs, edges and positions, chosen to suit model counters.
//!
//! This base is [`arcs`](super::arcs) with edge variables and the position encoding [`halved`](crate::positions::halved),
//! which saves one bit on bipartite graphs. By default it excludes cycles of two, fixes the orientation and uses the bounds
//! of the windows; refinements may change that. Every tour is one model, the arcs determine all variables, and the edges
//! determine the arcs: each of the two sets is an independent support. (With the orientation left free, a closed tour has two
//! models, but one value of the edges.)
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
//! With A arcs, E edges, m bits per position (one less on bipartite graphs), pairwise: A + E + (N−1)m variables. The clauses
//! are those of [`binary`](crate::positions::binary), E for (C), one for each neighbour of the start for (O), and 3E for (E).
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.
//! - Supratik Chakraborty, Kuldeep S. Meel, Moshe Y. Vardi: *Balancing Scalability and Uniformity in SAT Witness
//!   Generator*, DAC 2014, on independent supports.

use super::arcs::Arcs;
use crate::positions::halved::Halved;

/// Returns the base: arcs with [`Halved`] positions and edge variables.
#[must_use]
pub fn counting() -> Arcs {
    Arcs::with(Halved).and_edges()
}
