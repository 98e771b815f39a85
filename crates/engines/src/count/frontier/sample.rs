//! Estimates with error bars: the dynamic program along a frontier on a sample of its states.
//!
//! When a layer has more than B states, about B of them are kept. With τ such that Σ min(1, w/τ) = B, a state
//! of weight w stays with probability min(1, w/τ), and then has the weight max(w, τ): its expectation does
//! not change, so that of the final count does not either. One random number selects from the whole layer,
//! at equal distances along the sum of the probabilities, in the order of the degree vectors: so states that
//! are alike compete with each other, which is systematic sampling (Madow and Madow, 1944). Choosing with
//! probabilities min(1, w/τ) loses the least variance (Fearnhead and Clifford, *On-line inference for hidden
//! Markov models via particle filters*, 2003).
//!
//! Repetitions are independent, so their spread tells the error of their mean. Each has its own stream of
//! random numbers, and one thread works on it: the estimate depends on the seed alone.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use hamcnf_encodings::Instance;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::Progress;
use super::completable::Completable;
use super::layer::{Layer, LayerError, Usage, advance};
use super::matching::Matching;
use super::sweep::{Sweep, TooWide};
use crate::budget::Budget;
use crate::cancellation::CancellationToken;
use hamcnf_encodings::endpoints::Endpoints;

/// How an estimate is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// B: how many states are kept of a layer, at least 1.
    pub states: usize,
    /// How often the whole is done.
    pub repetitions: Repetitions,
    /// Selects the random numbers.
    pub seed: u64,
    /// How many repetitions are worked on at once, at least 1.
    pub threads: usize,
    /// Bytes of memory for what is known of degrees beforehand: with less the estimate spreads more.
    pub memory: u64,
    /// When it has to stop.
    pub deadline: Option<Instant>,
    /// Asks it to stop, which is as if the time were over.
    pub stop: CancellationToken,
}

impl Options {
    fn watch(&self) -> Budget {
        Budget::new(self.deadline, self.stop.clone())
    }
}

/// A number of repetitions that has a spread: two at least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Repetitions(usize);

impl Repetitions {
    /// So many; `None` below two.
    #[must_use]
    pub const fn new(number: usize) -> Option<Self> {
        if number < 2 { None } else { Some(Self(number)) }
    }

    /// How many.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0
    }
}

/// An estimate of the number of tours.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// What each repetition gave, in their order.
    pub repetitions: Vec<f64>,
    /// Their mean: closed tours once for both directions, open ones in each.
    pub mean: f64,
    /// The standard error of the mean: the repetitions' standard deviation over the root of their number.
    pub standard_error: f64,
    /// The 95 % confidence interval of the mean by Student's t, not below 0.
    pub interval: (f64, f64),
    /// The most states of a layer before some of them were dropped.
    pub peak_states: usize,
    /// Whether none was ever dropped: then the count is exact, as far as a 64-bit float is.
    pub exact: bool,
}

/// Why there is no estimate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SampleError {
    /// The frontier is too wide.
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The deadline came.
    #[error("the time limit was reached before the second repetition was done")]
    Time,
    /// In every repetition all of the kept states turned out to be dead ends.
    #[error(
        "in none of {repetitions} repetitions did a state of those kept become a tour, which does not mean that \
         there is none: keep more than {states} states"
    )]
    Nothing {
        /// Repetitions that were done.
        repetitions: usize,
        /// States that were kept of a layer.
        states: usize,
    },
}

/// Estimates how many tours an instance's graph has with these ends. `progress` is called after every vertex of a repetition, with
/// the number of repetitions that are done.
///
/// If the deadline comes after two repetitions, the estimate is from those that are done.
///
/// # Errors
///
/// [`SampleError`].
pub fn estimate(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    progress: &mut (dyn FnMut(usize, Progress) + Send),
) -> Result<Estimate, SampleError> {
    let sweep = Sweep::new(instance, ends, u128::SLOTS)?;
    let completable =
        Completable::new(&sweep, options.memory, &options.watch()).ok_or(SampleError::Time)?;
    let run = Run {
        sweep: &sweep,
        completable: &completable,
        directions: ends.directions(),
        most_states: completable.most_states(&sweep),
        options,
        done: AtomicUsize::new(0),
        progress: Mutex::new(progress),
    };
    if sweep.slots() <= u64::SLOTS {
        run.repeat::<u64>()
    } else {
        run.repeat::<u128>()
    }
}

struct Run<'a> {
    sweep: &'a Sweep,
    completable: &'a Completable,
    /// How many tours each cycle stands for.
    directions: u32,
    most_states: f64,
    options: &'a Options,
    done: AtomicUsize,
    progress: Mutex<&'a mut (dyn FnMut(usize, Progress) + Send)>,
}

/// What one repetition gave.
#[derive(Clone, Copy)]
struct Repetition {
    weight: f64,
    peak_states: usize,
    exact: bool,
}

impl Run<'_> {
    fn repeat<M: Matching>(&self) -> Result<Estimate, SampleError> {
        let all = self.options.repetitions.get();
        let next = AtomicUsize::new(0);
        let outcomes: Mutex<Vec<Option<Repetition>>> = Mutex::new(vec![None; all]);
        std::thread::scope(|scope| {
            for _ in 0..self.options.threads.min(all) {
                scope.spawn(|| {
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
            }
        });
        let outcomes = outcomes.into_inner().unwrap_or_default();
        let outcomes: Vec<Repetition> = outcomes.into_iter().flatten().collect();
        let directions = f64::from(self.directions);
        let estimate = Estimate::from(&outcomes, directions).ok_or(SampleError::Time)?;
        // Nothing found in a sample has no spread, and would look like certainty.
        if estimate.mean == 0.0 && !estimate.exact {
            return Err(SampleError::Nothing {
                repetitions: outcomes.len(),
                states: self.options.states,
            });
        }
        Ok(estimate)
    }

    fn once<M: Matching>(&self, repetition: usize) -> Result<Repetition, LayerError> {
        let mut random = ChaCha8Rng::seed_from_u64(self.options.seed);
        random.set_stream(repetition as u64);
        let budget = Usage::new(1, u64::MAX, self.options.watch());
        let mut layer = Layer::<M, f64>::first();
        let (mut peak_states, mut exact) = (1, true);
        for t in 0..self.sweep.n() {
            let states = layer.states();
            peak_states = peak_states.max(states);
            if states > self.options.states {
                exact = false;
                thin(&mut layer, self.options.states, unit(&mut random));
            }
            if let Ok(mut progress) = self.progress.lock() {
                let now = Progress {
                    layer: t,
                    layers: self.sweep.n(),
                    states,
                    bytes: budget.bytes(),
                    most_states: self.most_states,
                    most_bytes: self.most_states * size_of::<(M, f64)>() as f64,
                };
                progress(self.done.load(Ordering::Relaxed), now);
            }
            layer = advance(self.sweep, self.completable, t, layer, &budget)?;
        }
        Ok(Repetition {
            weight: layer.weights().fold(0.0, |sum, weight| sum + weight),
            peak_states,
            exact,
        })
    }
}

/// A uniform number in [0, 1), from the highest 53 bits of a random word.
fn unit(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Keeps about `most` of a layer's states; `offset` in [0, 1) says where the selection begins.
fn thin<M: Matching>(layer: &mut Layer<M, f64>, most: usize, offset: f64) {
    let threshold = threshold(layer, most);
    // The sum of the probabilities so far; a state is selected where it passes a whole number.
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

/// τ with Σ min(1, w/τ) = most, for a layer of more states than that. Those not below τ stay for certain,
/// and so there is less for the others: τ falls from that for none being certain until it is right.
fn threshold<M: Matching>(layer: &Layer<M, f64>, most: usize) -> f64 {
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
    /// `None` where there are fewer than two outcomes.
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

/// The 97.5 % quantile of Student's t with so many degrees of freedom: tabulated up to 10, and from there on
/// by Cornish and Fisher's expansion about the normal quantile (Abramowitz and Stegun, 26.7.5), to four
/// digits.
fn student_95(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [
        12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    ];
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

    #[test]
    fn the_interval_is_students() {
        // Tables have 2.2281 for 10, 2.2010 for 11, 2.0860 for 20 and 1.9840 for 100.
        for (freedom, tabulated) in [
            (1, 12.7062),
            (10, 2.2281),
            (11, 2.2010),
            (20, 2.0860),
            (100, 1.9840),
        ] {
            assert!((student_95(freedom) - tabulated).abs() < 5e-4, "{freedom}");
        }
        let outcomes = [1.0, 2.0, 3.0].map(|weight| Repetition {
            weight,
            peak_states: 1,
            exact: false,
        });
        let estimate = Estimate::from(&outcomes, 2.0).unwrap();
        let (least, most) = estimate.interval;
        assert_eq!((estimate.mean, least), (4.0, 0.0));
        assert!((most - (4.0 + 4.3027 * (4.0f64 / 3.0).sqrt())).abs() < 1e-9);
        assert!((estimate.standard_error - (4.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!(Estimate::from(&outcomes[..1], 1.0).is_none());
    }
}
