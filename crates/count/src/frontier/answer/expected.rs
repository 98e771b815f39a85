//! Estimates of the states of a sweep and of their memory, before the sweep begins.

use crate::frontier::Progress;
use crate::frontier::answer::options::{ExactError, Options};
use crate::frontier::answer::sample::edge_sets;
use crate::frontier::state::Completable;
use crate::frontier::sweep::{Question, Sweep, Weights};

/// Estimated number of bytes of a state, for each coefficient of its weight. Most states take fewer. The polynomials of a
/// histogram count as two coefficients: such states take 10 to 20 bytes on 6×8 and 7×8.
const BYTES_PER_NUMBER: f64 = 6.0;

/// Returns the progress of a question's sweep before the first vertex, with estimates of the number of states and of
/// their memory. `completable` has the degree vectors of the sweep, and of other sweeps that begin at the first vertex.
///
/// The estimate is the upper bound that follows from the degree vectors. If this bound does not fit into memory, each
/// layer's estimate is at most its [sampled number of edge sets](edge_sets): on a sparse graph, far fewer edge sets
/// occur than matchings of path ends.
///
/// # Errors
///
/// [`ExactError::Hopeless`] if the states will probably not fit into memory, unless the options allow it.
pub(crate) fn expected(
    question: &Question,
    completable: &[(&Sweep, &Completable)],
    options: &Options,
) -> Result<Progress, ExactError> {
    let before = Progress::before(&question.sweep);
    let numbers = match question.sweep.weights() {
        Weights::Numbers => 1.0,
        Weights::Connections | Weights::Statistic => 2.0,
    };
    let bytes = |states: f64| states * numbers * BYTES_PER_NUMBER;
    let mut most_states: f64 = 0.0;
    for (sweep, completable) in completable {
        let mut most = completable.most_states(sweep);
        // A resumed count has no degree vectors of the layers before, so they cannot be sampled.
        if bytes(most) > options.memory as f64 && completable.first_layer() == 0 {
            let sampled = sampled_states(sweep, completable, options);
            most = sampled.ok_or(ExactError::Time { at: before })?;
        }
        most_states = most_states.max(most);
    }
    let at = Progress { most_states, most_bytes: bytes(most_states), ..before };
    options.refuse_hopeless(at)?;
    Ok(at)
}

/// Returns an estimate of the largest number of states on one frontier, as in [`expected`], from a sample of the edge sets.
/// Returns `None` if the deadline passes first.
fn sampled_states(sweep: &Sweep, completable: &Completable, options: &Options) -> Option<f64> {
    let sampled = edge_sets(sweep, completable, &options.budget)?;
    let layers = (0..).zip(sampled);
    Some(layers.fold(0.0, |most, (t, sets)| match sets > most {
        true => most.max(sets.min(completable.most_states_after(sweep, t))),
        false => most,
    }))
}
