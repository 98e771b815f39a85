//! Default encodings. The best encoding depends on the question; the measurements are in `results/strangers.md`,
//! `results/encodings.md` and `results/projections.md`. The fastest encodings for listing all tours were determined
//! with `hamcnf count --method enumerate -e ENCODING`, on boards, grids, tori, cubic and complete graphs with up to ten
//! thousand tours.

use hamcnf_encodings::base::EncodeError;
use hamcnf_encodings::{Encoding, Formula};
use hamcnf_tours::Instance;

/// Fastest encoding for finding a tour. It has no variables for positions; subtour-elimination constraints are added on
/// demand.
pub const FOUND: &str = "relaxed+two-cycles+phases=false";

/// Fastest encoding with variables for positions; used to find a tour for questions about positions.
pub const FOUND_WITH_POSITIONS: &str = "counting";

/// Fastest encoding for listing all tours if fewer than half of all pairs of vertices are adjacent. It has one model
/// per tour, half as many variables as [`FOUND`], and subtour-elimination constraints on demand. It is also the best
/// encoding for finding a first tour on boards and random graphs. [`FOUND`] is better on graphs made of gadgets that
/// leave few choices.
const LISTED_OF_SPARSE: &str = "edges";

/// Fastest encoding for listing all tours of denser graphs. Denser graphs have too many 2-factors with several cycles
/// to exclude them by subtour-elimination constraints on demand.
const LISTED_OF_DENSE: &str = "counting";

/// Encoding for listing the tours of sparse digraphs. [`LISTED_OF_SPARSE`] has no variables for directions, so it
/// cannot encode digraphs.
const LISTED_OF_DIGRAPH: &str = "relaxed+two-cycles";

/// Encoding for model counters: one model per tour, and a small independent support (variables that determine all
/// others).
pub const COUNTED: &str = "counting";

/// Best encoding of the paper *Knights Tour* by Karthikeyan, Chheda and Ruan; used for formula files and tables of
/// sizes.
pub const PUBLISHED: &str = "binary";

/// Returns the encoding that lists the tours of an instance fastest.
pub fn listed(instance: &Instance) -> Encoding {
    if !instance.constraints().is_empty() {
        return constrained(instance);
    }
    let n = u64::from(instance.n());
    let dense_digraph = 2 * u64::from(instance.digraph().n_arcs()) > n * (n - 1);
    if instance.is_directed() && !dense_digraph {
        return encoding(LISTED_OF_DIGRAPH);
    }
    encoding(match 4 * instance.graph().n_edges() as u64 > n * (n - 1) {
        true => LISTED_OF_DENSE,
        false => LISTED_OF_SPARSE,
    })
}

/// Returns an encoding that supports all constraints of the instance: the fastest of a short list.
pub fn constrained(instance: &Instance) -> Encoding {
    let fits = |name: &&'static str| {
        let formula = Formula::new(encoding(name), instance);
        !matches!(formula, Err(EncodeError::Constraint { .. }))
    };
    let fitting = [FOUND, FOUND_WITH_POSITIONS].into_iter().find(fits);
    encoding(fitting.unwrap_or(FOUND_WITH_POSITIONS))
}

/// Parses the name of an encoding, such as [`FOUND`] or another constant of this module.
///
/// # Panics
///
/// Panics if no encoding has this name.
pub fn encoding(name: &'static str) -> Encoding {
    name.parse().expect("the name of an encoding")
}
