//! Estimates of the number of tours, with confidence intervals. They come from the dynamic program along a frontier,
//! which keeps only a sample of its states.
//!
//! If a layer has more than B states, about B of them are kept. Let τ be the threshold with Σ min(1, w/τ) = B, where w
//! ranges over the weights of the states. A state of weight w is kept with probability min(1, w/τ), and its weight
//! becomes max(w, τ). Its expected weight does not change, so the expectation of the final count does not change
//! either. One random number selects all states of a layer: they lie at equal distances along the cumulative sum of the
//! probabilities, in the order of the degree vectors. Thus similar states compete with each other. This is systematic
//! sampling (Madow and Madow, 1944). The probabilities min(1, w/τ) minimise the added variance (Fearnhead and Clifford,
//! *On-line inference for hidden Markov models via particle filters*, 2003).
//!
//! Repetitions are independent, so their spread gives the error of their mean. Each repetition has its own stream of
//! random numbers and runs on one thread, so the estimate depends on the seed only.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf_tours::Instance;

use crate::frontier::Progress;
use crate::frontier::state::{Completable, Matching, WideMatching};
use crate::frontier::step::{Layer, advance};
use crate::frontier::sweep::Sweep;
use crate::not_counted::{Cause, NotCounted};
use crate::threads;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_tours::endpoints::Endpoints;

/// Settings and resource limits of an estimate.
#[derive(Clone, Debug)]
pub struct Options {
    /// Approximate number B of states kept per layer, at least 1.
    pub states: usize,
    /// Number of independent repetitions.
    pub repetitions: Repetitions,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Maximum number of repetitions that run in parallel, at least 1.
    pub threads: usize,
    /// Memory in bytes for the backward pass that computes the degree vectors for pruning. With less memory, the
    /// estimate has a larger spread.
    pub memory: u64,
    /// Limits on time; its memory is not used.
    pub budget: Budget,
}

/// Number of repetitions, at least two, because a single repetition has no spread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Repetitions(usize);

impl Repetitions {
    /// Creates a number of repetitions. Returns `None` if `number` is below two.
    pub const fn new(number: usize) -> Option<Self> {
        if number < 2 { None } else { Some(Self(number)) }
    }

    /// Returns the number of repetitions.
    pub const fn get(self) -> usize {
        self.0
    }
}

/// Estimate of the number of tours.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// Result of each repetition, in order.
    pub repetitions: Vec<f64>,
    /// Mean of the repetitions. A closed tour counts once for both directions, an open tour once per direction.
    pub mean: f64,
    /// Standard error of the mean: the standard deviation of the repetitions divided by the square root of their
    /// number.
    pub standard_error: f64,
    /// 95 % confidence interval of the mean by Student's t, not below 0.
    pub interval: (f64, f64),
    /// Largest number of states of a layer, before some of them were dropped.
    pub peak_states: usize,
    /// True if no state was ever dropped. Then the count is exact up to the precision of a 64-bit float.
    pub exact: bool,
}

/// Returns the error for a sample whose second repetition was not completed.
fn too_early(budget: &Budget) -> NotCounted {
    NotCounted::over(budget.over().unwrap_or(Stopped::Time), "before the second repetition was complete")
}

/// Estimates the number of tours of an instance's graph with the endpoints `ends`. Calls `progress` before every vertex
/// of a repetition, with the number of completed repetitions.
///
/// If the deadline comes after two repetitions, the estimate uses the completed repetitions.
///
/// # Errors
///
/// [`NotCounted`] if no estimate was made.
pub fn estimate(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    progress: &mut (dyn FnMut(usize, Progress) + Send),
) -> Result<Estimate, NotCounted> {
    let sweep = Sweep::new(instance, ends, WideMatching::SLOTS)?;
    let completable =
        Completable::new(&sweep, options.memory, &options.budget).ok_or_else(|| too_early(&options.budget))?;
    let run = Run {
        sweep: &sweep,
        completable: &completable,
        directions: ends.directions(),
        most_states: completable.most_states(&sweep),
        options,
        done: AtomicUsize::new(0),
        progress: Mutex::new(progress),
    };
    if sweep.slots() <= u64::SLOTS { run.repeat::<u64>() } else { run.repeat::<WideMatching>() }
}

struct Run<'a> {
    sweep: &'a Sweep,
    completable: &'a Completable,
    /// Number of tours that each counted cycle represents.
    directions: u32,
    most_states: f64,
    options: &'a Options,
    done: AtomicUsize,
    progress: Mutex<&'a mut (dyn FnMut(usize, Progress) + Send)>,
}

/// Result of one repetition of an estimate.
#[derive(Clone, Copy)]
struct Repetition {
    weight: f64,
    peak_states: usize,
    exact: bool,
}

impl Run<'_> {
    fn repeat<M: Matching>(&self) -> Result<Estimate, NotCounted> {
        let all = self.options.repetitions.get();
        let next = AtomicUsize::new(0);
        let outcomes: Mutex<Vec<Option<Repetition>>> = Mutex::new(vec![None; all]);
        threads::each(vec![(); self.options.threads.min(all)], &|()| {
            loop {
                let repetition = next.fetch_add(1, Ordering::Relaxed);
                if repetition >= all {
                    return;
                }
                let Ok(outcome) = self.once::<M>(repetition) else {
                    return;
                };
                self.done.fetch_add(1, Ordering::Relaxed);
                if let Ok(mut outcomes) = outcomes.lock() {
                    outcomes[repetition] = Some(outcome);
                }
            }
        });
        let outcomes = outcomes.into_inner().unwrap_or_default();
        let outcomes: Vec<Repetition> = outcomes.into_iter().flatten().collect();
        let directions = f64::from(self.directions);
        let estimate = Estimate::from(&outcomes, directions).ok_or_else(|| too_early(&self.options.budget))?;
        // An estimate of 0 would look certain if no repetition found a tour, because its spread is 0.
        if estimate.mean == 0.0 && !estimate.exact {
            let (repetitions, states) = (outcomes.len(), self.options.states);
            let why = format!(
                "no tour found in {repetitions} repetitions, which proves nothing; set --states above {states}"
            );
            return Err(NotCounted::new(Cause::Limit(Stopped::GaveUp), why));
        }
        Ok(estimate)
    }

    fn once<M: Matching>(&self, repetition: usize) -> Result<Repetition, Stopped> {
        let Options { states: most, seed, budget, .. } = self.options;
        let mut random = ChaCha8Rng::seed_from_u64(*seed);
        random.set_stream(repetition as u64);
        let (mut peak_states, mut exact) = (1, true);
        let last = sampled(self.sweep, self.completable, *most, &mut random, budget, |t, layer: &Layer<M>| {
            let states = layer.states();
            peak_states = peak_states.max(states);
            exact &= states <= *most;
            if let Ok(mut progress) = self.progress.lock() {
                let now = Progress {
                    layer: t,
                    states,
                    bytes: layer.bytes(),
                    most_states: self.most_states,
                    most_bytes: self.most_states * size_of::<(M, f64)>() as f64,
                    ..Progress::before(self.sweep)
                };
                progress(self.done.load(Ordering::Relaxed), now);
            }
        })?;
        Ok(Repetition { weight: last.weights().fold(0.0, |sum, weight| sum + weight), peak_states, exact })
    }
}

/// Sweeps along about `most` states per layer, and returns the last layer. Calls `visit` with each layer before, with all
/// of its states.
fn sampled<M: Matching>(
    sweep: &Sweep,
    completable: &Completable,
    most: usize,
    random: &mut ChaCha8Rng,
    budget: &Budget,
    mut visit: impl FnMut(usize, &Layer<M>),
) -> Result<Layer<M>, Stopped> {
    let mut layer = Layer::first();
    for t in 0..sweep.n() {
        visit(t, &layer);
        if layer.states() > most {
            thin(&mut layer, most, unit(random));
        }
        layer = advance(sweep, completable, t, layer, budget)?;
    }
    Ok(layer)
}

/// Number of states per layer for [`edge_sets`].
const FEW_STATES: usize = 10_000;

/// Estimates the number of edge sets that lead to the states of each layer, by one repetition. Every state has at least
/// one such set. Entry t is the number after t vertices. Returns `None` if the deadline passes first.
pub(crate) fn edge_sets(sweep: &Sweep, completable: &Completable, budget: &Budget) -> Option<Vec<f64>> {
    fn of<M: Matching>(sweep: &Sweep, completable: &Completable, budget: &Budget) -> Option<Vec<f64>> {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut sets = Vec::new();
        let mut visit = |_, layer: &Layer<M>| sets.push(layer.weights().sum());
        let last = sampled(sweep, completable, FEW_STATES, &mut random, budget, &mut visit).ok()?;
        sets.push(last.weights().sum());
        Some(sets)
    }
    match sweep.slots() <= u64::SLOTS {
        true => of::<u64>(sweep, completable, budget),
        false => of::<WideMatching>(sweep, completable, budget),
    }
}

/// Draws a uniformly distributed number in [0, 1), from the highest 53 bits of a random word.
fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Keeps about `most` states of a layer. `offset` in [0, 1) is the starting point of the systematic sampling.
fn thin<M: Matching>(layer: &mut Layer<M>, most: usize, offset: f64) {
    let threshold = threshold(layer, most);
    // Sum of the probabilities so far; a state is selected when the sum passes a whole number.
    let mut passed = offset;
    layer.retain(|weight| {
        if *weight >= threshold {
            return true;
        }
        let before = passed;
        passed += *weight / threshold;
        let selected = passed.floor() > before.floor();
        *weight = threshold;
        selected
    });
}

/// Returns the threshold τ with Σ min(1, w/τ) = `most`, where w ranges over the weights of the states. The layer must
/// have more than `most` states. A state with a weight of at least τ is certainly kept, so fewer of the other states
/// are kept. The iteration starts without certain states, and lowers τ until the equation holds.
fn threshold<M: Matching>(layer: &Layer<M>, most: usize) -> f64 {
    let mut threshold = f64::INFINITY;
    loop {
        let (mut certain, mut rest) = (0, 0.0);
        for weight in layer.weights() {
            if weight >= threshold {
                certain += 1;
            } else {
                rest += weight;
            }
        }
        let next = rest / most.saturating_sub(certain).max(1) as f64;
        if next >= threshold {
            return threshold;
        }
        threshold = next;
    }
}

impl Estimate {
    /// Computes the estimate from the outcomes of repetitions. Returns `None` if there are fewer than two outcomes.
    fn from(outcomes: &[Repetition], directions: f64) -> Option<Self> {
        let repetitions: Vec<f64> = outcomes.iter().map(|o| o.weight * directions).collect();
        let number = repetitions.len();
        if number < 2 {
            return None;
        }
        let mean = repetitions.iter().sum::<f64>() / number as f64;
        let squares: f64 = repetitions.iter().map(|x| (x - mean).powi(2)).sum();
        let standard_error = (squares / (number - 1) as f64 / number as f64).sqrt();
        let half = student_95(number - 1) * standard_error;
        Some(Self {
            mean,
            standard_error,
            interval: ((mean - half).max(0.0), mean + half),
            peak_states: outcomes.iter().map(|o| o.peak_states).max()?,
            exact: outcomes.iter().all(|o| o.exact),
            repetitions,
        })
    }
}

/// Returns the 97.5 % quantile of Student's t with `freedom` degrees of freedom. Quantiles for up to 10 degrees are
/// tabulated. The others are computed to four digits by Cornish and Fisher's expansion about the normal quantile
/// (Abramowitz and Stegun, 26.7.5).
fn student_95(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281];
    if let Some(&quantile) = freedom.checked_sub(1).and_then(|k| TABLE.get(k)) {
        return quantile;
    }
    let (z, nu) = (1.959_964_f64, freedom as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / nu + second / nu.powi(2) + third / nu.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that the numbers of edge sets of a board whose layers are kept whole are exact: the last one is the number
    /// of tours, and no layer has more states than edge sets.
    #[test]
    fn edge_sets_are_at_least_as_many_as_states() {
        let (instance, ends) = crate::frontier::answer::exact::tests::closed("6x6");
        let sweep = Sweep::new(&instance, ends, u64::SLOTS).unwrap();
        let budget = Budget::default();
        let completable = Completable::new(&sweep, u64::MAX, &budget).unwrap();
        let sets = edge_sets(&sweep, &completable, &budget).unwrap();
        assert_eq!(sets.last(), Some(&9862.0));
        let mut layer = Layer::<u64>::first();
        for (t, &sets) in sets.iter().enumerate() {
            assert!(layer.states() as f64 <= sets);
            assert!(layer.states() as f64 <= completable.most_states_after(&sweep, t));
            if t < sweep.n() {
                layer = advance(&sweep, &completable, t, layer, &budget).unwrap();
            }
        }
    }

    #[test]
    fn the_interval_is_students() {
        // Published quantiles are 2.2281 for 10 degrees of freedom, 2.2010 for 11, 2.0860 for 20 and 1.9840 for 100.
        for (freedom, tabulated) in [(1, 12.7062), (10, 2.2281), (11, 2.2010), (20, 2.0860), (100, 1.9840)] {
            assert!((student_95(freedom) - tabulated).abs() < 5e-4, "{freedom}");
        }
        let outcomes = [1.0, 2.0, 3.0].map(|weight| Repetition { weight, peak_states: 1, exact: false });
        let estimate = Estimate::from(&outcomes, 2.0).unwrap();
        let (least, most) = estimate.interval;
        assert_eq!((estimate.mean, least), (4.0, 0.0));
        assert!((most - (4.0 + 4.3027 * (4.0f64 / 3.0).sqrt())).abs() < 1e-9);
        assert!((estimate.standard_error - (4.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(Estimate::from(&outcomes[..1], 1.0).is_none());
    }
}
