//! Proofs that there is no tour, which others check: made here, of what the parts that decide have found.

pub mod certificate;
