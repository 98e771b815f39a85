//! Positions as binary numbers, with an adder in blocks of bits that has the fewest possible clauses.
//!
//! The encoding differs from [`binary`](super::binary) only in (8). y = x + 1 is encoded for the two lowest bits together,
//! then for pairs of bits, and for the top four (or three) together, each block by a formula that a logic minimizer has
//! minimized. With m bits there are 5 clauses, then 11 for a pair and 21 for four. The paper's adder has 6
//! clauses for the lowest two bits and 6 for each other bit. The clauses are listed in [`word`](super::word).
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use super::binary::Binary;
use super::word::successor_in_blocks_if;

/// Positions in binary with the adder in blocks.
pub const ESPRESSO: Binary = Binary::with(successor_in_blocks_if);
