//! Tests of the formulas, and of the checkers of proofs and certificates.

#![allow(clippy::unwrap_used)]

mod check;
mod circuits;
mod closed_forms;
mod derivations;
mod snapshots;
mod table1;
mod values;
