//! Which encoding is taken where none is named. What is best depends on what is asked of the solver; the figures are in
//! `results/strangers.md`, `results/encodings.md` and `results/projections.md`.

use hamcnf_encodings::Encoding;

/// Its tours are found fastest: no positions, cycles are cut as they come up.
pub const FOUND: &str = "relaxed+two-cycles+phases=false";

/// That of those with positions, for what is about positions.
pub const FOUND_WITH_POSITIONS: &str = "counting";

/// All of its tours are listed fastest: a model each, of half as many variables, and cuts as they come up. Of a first
/// tour that is so on boards and random graphs, and not where gadgets leave few ways to go.
pub const LISTED: &str = "edges";

/// One model a tour, and a small independent support: for model counters.
pub const COUNTED: &str = "counting";

/// The paper's best, for files and tables.
pub const PUBLISHED: &str = "binary";

/// One of these.
///
/// # Panics
///
/// If it is none of these.
#[must_use]
pub fn encoding(name: &'static str) -> Encoding {
    name.parse().expect("an encoding of ours")
}
