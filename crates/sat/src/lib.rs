//! Formulas in CaDiCaL, in this process: [sessions](solve) that add clauses, solve and block models; the C++ bridge
//! for propagators; and [proof] files in the formats DRAT, LRAT and VeriPB.
//!
//! No other crate calls a solver's library. This crate prints nothing.

#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod proof;
pub mod solve;
