//! Histogram of a statistic: the number of tours with each value.
//!
//! Let f be the sum of x^s over all tours, where s is the value of a local [statistic](crate::statistic). One sweep
//! along the frontier computes f if the weight of a state is the sum of x^s over the partial tours that lead to it
//! (`packed`). If the statistic depends on angles, the states also hold the classes of the first edges of the frontier
//! vertices with one edge (`arrivals`), and there are more states.
//!
//! An alternative is to compute f at many points modulo primes, and to interpolate. A weight is then a few residues of
//! eight bytes, and there are many sweeps. But most states have few partial tours, whose values differ little: on 7×8
//! by straight angles, a state and its polynomial take 10 bytes on average in the largest layer, hardly more than one
//! residue.

use hamcnf_tours::Instance;
use hamcnf_tours::endpoints::Endpoints;

use crate::frontier::answer::exact::{ExactError, Options, answers};
use crate::frontier::state::Arrivals;
use crate::frontier::store::CheckpointError;
use crate::frontier::sweep::{Question, Sweep, corners};
use crate::frontier::{Exact, Progress};
use crate::not_counted::{Cause, CountError, NotCounted};
use crate::statistic::Statistic;

fn unsupported(why: String) -> CountError {
    NotCounted::new(Cause::Unsupported, why).into()
}

/// Maximum number of squares of a board. A statistic has values up to twice this number, which must fit into 16 bits.
const MOST_SQUARES: u32 = (1 << 15) - 1;

/// Counts the tours of an instance by the value of a statistic. The numbers are in [`Exact::by_value`], and their sum in
/// [`Exact::count`]. Calls `progress` before every vertex, and `warn` like [`counts`](super::exact::counts).
///
/// # Errors
///
/// [`CountError`] if the histogram was not completed.
pub fn histogram(
    instance: &Instance,
    ends: Endpoints,
    statistic: &Statistic,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    warn: &mut dyn FnMut(&CheckpointError),
) -> Result<Exact, CountError> {
    let question = question(instance, ends, statistic)?;
    let mut known = Exact::default();
    let mut found = |_, exact| known = exact;
    answers(&[question], options, progress, &mut found, warn)?;
    Ok(known)
}

/// Returns the question about the number of tours with each value of a statistic.
pub(crate) fn question(instance: &Instance, ends: Endpoints, statistic: &Statistic) -> Result<Question, CountError> {
    let Some(measure) = statistic.on(instance) else {
        return Err(unsupported(format!(
            "a histogram needs the squares of a board, but {} is a graph",
            instance.name()
        )));
    };
    let n = instance.n();
    if n > MOST_SQUARES {
        let why = format!("{} has {n} squares, but histograms support at most {MOST_SQUARES}", instance.name());
        return Err(unsupported(why));
    }
    let sweep = Sweep::new(instance, ends, Arrivals::SLOTS).map_err(ExactError::TooWide)?;
    let contributions = corners(&sweep, &|u, v| measure.of_move(u, v), &|u, v, w| measure.of_angle(u, v, w));
    let contributions = contributions.ok_or_else(|| {
        let name = instance.name();
        unsupported(format!("on {name}, the first moves to a square have too many kinds for a state of a histogram"))
    })?;
    let sweep = sweep.with_statistic(contributions, statistic.is_mirrored());
    let name = format!("{instance} by {statistic}");
    Ok(Question::along(sweep, name, ends))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::answer::exact::tests::closed;

    /// Tests that a sweep with a statistic is always the same, because checkpoints contain its checksum.
    #[test]
    fn sweeps_are_reproducible() {
        let (instance, ends) = closed("7x8");
        let measure = Statistic::obtuse();
        let measure = measure.on(&instance).unwrap();
        let text = || {
            let sweep = Sweep::new(&instance, ends, Arrivals::SLOTS).unwrap();
            let angle = |u, v, w| measure.of_angle(u, v, w);
            let contributions = corners(&sweep, &|_, _| 0, &angle).unwrap();
            let sweep = sweep.with_statistic(contributions, false);
            format!("{sweep:?}")
        };
        assert_eq!(text(), text());
    }
}
