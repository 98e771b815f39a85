//! Tests of the formulas, and of the checkers of proofs and certificates.

#![allow(clippy::unwrap_used)]

#[path = "../../../tests/circuits/mod.rs"]
mod random_circuits;

mod check;
mod circuits;
mod closed_forms;
mod derivations;
mod snapshots;
mod table1;
mod values;
