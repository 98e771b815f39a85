//! The counting encoding: arcs, edges and positions, chosen to suit model counters.
//!
//! This base is [`arcs`](super::arcs) with the position encoding [`halved`](crate::positions::halved), which saves one
//! bit on bipartite graphs. By default it has edge variables, excludes cycles of length two, fixes the orientation and
//! uses the bounds of the windows; refinements may change these defaults. Every
//! tour has exactly one model, the arcs determine all variables, and the edges determine the arcs. So both the arcs and
//! the edges are independent supports. (If the orientation is left free, a closed tour has two models, which agree on
//! the edges.)
//!
//! - (1), (2) exactly one H_ij in every row and column
//! - (E) E_ij ↔ H_ij ∨ H_ji
//! - (6), (7), (8), (W) positions increase by one along arcs and stay in their windows
//! - (C) ¬H_ij ∨ ¬H_ji: [`two_cycles`](crate::refine::two_cycles)
//! - (O) [`orientation`](crate::refine::orientation)
//!
//! For closed tours, ApproxMC needs the fewest and shortest parity constraints if the projection set is the co-tree
//! edges, the edges outside a spanning tree.
//!
//! # Size
//!
//! Let the graph have A arcs and E edges, and let positions have m bits (one less on bipartite graphs). With pairwise
//! at-most-one constraints, there are A + E + (N−1)m variables. The clauses are those of
//! [`binary`](crate::positions::binary), and in addition E for (C), one for each neighbour of the start for (O), and 3E
//! for (E).
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.
//! - Supratik Chakraborty, Kuldeep S. Meel, Moshe Y. Vardi: *Balancing Scalability and Uniformity in SAT Witness
//!   Generator*, DAC 2014, on independent supports.

use super::arcs::Arcs;
use crate::positions::halved::Halved;

/// Returns the counting base: arcs with [`Halved`] positions.
pub fn counting() -> Arcs {
    Arcs::with(Halved)
}
