//! Positions as binary numbers, with an adder in blocks of bits that has the fewest possible clauses.
//!
//! The encoding differs from [`binary`](super::binary) only in (8), y = x + 1. The two lowest bits are encoded
//! together, then pairs of bits, and the top four (or three) bits together. A logic minimizer has minimized the formula
//! of each block. There are 5 clauses for the two lowest bits, 11 for a pair, and 21 for four bits. The paper's adder
//! has 6 clauses for the two lowest bits and 6 for each other bit. The module [`word`](super::word) lists the clauses.
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.

use super::binary::Binary;
use super::word::successor_in_blocks_if;

/// Positions as binary numbers, with an adder in blocks of bits.
pub const ESPRESSO: Binary = Binary::with(successor_in_blocks_if);
