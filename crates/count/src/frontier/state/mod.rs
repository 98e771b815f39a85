//! States of a sweep: degree vectors, the pairing of the ends of paths, and weights.

pub(crate) mod arrivals;
pub(crate) mod completable;
pub(crate) mod degrees;
pub(crate) mod matching;
pub(crate) mod numbering;
pub(crate) mod polynomial;
pub(crate) mod ranks;
pub(crate) mod residues;
pub(crate) mod vectors;

pub(crate) use arrivals::{Arrivals, Corners, Later, Next};
pub(crate) use completable::{Completable, Several};
pub(crate) use degrees::{Degrees, Sums};
pub(crate) use matching::{Matching, WideMatching};
pub(crate) use numbering::Numbering;
pub(crate) use polynomial::{Connections, Polynomials, big, bytes};
pub(crate) use ranks::{Change, Mates, Ranks, Tables, matchings, rank_bytes, renumbered};
pub(crate) use residues::{Primes, Residues, modulus};
