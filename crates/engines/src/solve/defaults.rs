//! Which encoding is taken where none is named. What is best depends on what is asked of the solver; the figures are in
//! `results/strangers.md`, `results/encodings.md` and `results/projections.md`. What lists all tours fastest was seen with
//! `hamcnf count --method enumerate -e ENCODING` on boards, grids, tori, cubic and complete graphs of up to ten thousand tours.

use hamcnf_encodings::{Encoding, Instance};

/// Its tours are found fastest: no positions, cycles are cut as they come up.
pub const FOUND: &str = "relaxed+two-cycles+phases=false";

/// That of those with positions, for what is about positions.
pub const FOUND_WITH_POSITIONS: &str = "counting";

/// All of its tours are listed fastest, where fewer than half of all pairs of vertices are adjacent: a model each, half as many
/// variables, and cuts as they come up. For a first tour it is the best one on boards and random graphs too, but where gadgets
/// leave few ways to go [`FOUND`] is.
const LISTED_OF_SPARSE: &str = "edges";

/// The same where more are adjacent: there are too many covers by cycles to be cut.
const LISTED_OF_DENSE: &str = "counting";

/// One model a tour, and a small independent support: for model counters.
pub const COUNTED: &str = "counting";

/// The paper's best, for files and tables.
pub const PUBLISHED: &str = "binary";

/// That whose tours are listed fastest.
#[must_use]
pub fn listed(instance: &Instance) -> Encoding {
    let n = u64::from(instance.n());
    encoding(match 4 * instance.graph().n_edges() as u64 > n * (n - 1) {
        true => LISTED_OF_DENSE,
        false => LISTED_OF_SPARSE,
    })
}

/// One of these.
///
/// # Panics
///
/// If it is none of these.
#[must_use]
pub fn encoding(name: &'static str) -> Encoding {
    name.parse().expect("an encoding of ours")
}
