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
