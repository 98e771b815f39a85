//! Positions as binary numbers, with an adder in blocks of bits whose clauses are as few as can be.
//!
//! As [`binary`](super::binary) in everything but (8): y = x + 1 is said for the two lowest bits together, then for
//! pairs of bits, and for the top four (or three) together, each block by a formula that a logic minimizer has made
//! as small as it can be. With m bits that is 5, then 11 for a pair and 21 for four, where the paper's adder has 6
//! clauses for the lowest two bits and 6 for each other one. What they are is in [`word`](super::word).
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use super::binary::Binary;
use super::word::successor_in_blocks_if;

/// The counter in binary with the adder in blocks.
pub const ESPRESSO: Binary = Binary::with(successor_in_blocks_if);
