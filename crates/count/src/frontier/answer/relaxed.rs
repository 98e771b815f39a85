//! Bounds on the numbers of Hamiltonian cycles that an interrupted sweep will find.
//!
//! If the matching of the path ends is ignored, a sweep counts 2-factors instead of Hamiltonian cycles, which are
//! 2-factors. Its states are degree vectors only. The bound continues the interrupted sweep in this way: a degree vector
//! begins with the sum of the weights of its states. These weights are exact, so the bound is better than the number of
//! all 2-factors. On 5×60, it is less than 16 times the number of tours.
//!
//! The sums are floating-point numbers. All terms are positive, and a number that would be rounded to zero is rounded up,
//! so the errors of rounding are far below a factor of 2.

use crate::frontier::state::{Completable, Sums};
use crate::frontier::step::{Choice, Position, choices};
use crate::frontier::store::{LayerError, Usage};
use crate::frontier::sweep::Sweep;

/// Sums are scaled down when one exceeds 2^`LARGE`.
const LARGE: i32 = 800;
/// Number of bytes that a degree vector takes while its map grows.
const BYTES_PER_VECTOR: u64 = 64;
/// Number of degree vectors that are always allowed.
const FEW_VECTORS: u64 = 1 << 18;
/// Number of degree vectors between two looks at the time.
const VECTORS_PER_CHECK: usize = 1 << 14;

/// Sweep that ignores the matching of the path ends.
#[derive(Clone)]
pub(crate) struct Relaxed {
    t: usize,
    /// Sums of the degree vectors after t vertices, divided by 2^`exponent`.
    sums: Sums,
    /// Sums of the states that have passed step t already.
    after: Sums,
    exponent: u64,
    /// Maximum number of degree vectors.
    most: u64,
}

impl Relaxed {
    /// Returns the relaxed sweep from a position with exact weights. The degree vectors may use `memory` bytes. That is
    /// not part of the memory for states.
    pub(crate) fn of(position: &Position, memory: u64, usage: &Usage) -> Result<Self, LayerError> {
        let sums = position.sums_by_degrees();
        let [sums, after] = sums.map_err(|error| usage.unread(error))?;
        Ok(Self {
            t: position.t(),
            sums,
            after,
            exponent: position.exponent(),
            most: (memory / BYTES_PER_VECTOR).max(FEW_VECTORS),
        })
    }

    /// Applies the steps of a sweep up to the first `to` vertices.
    pub(crate) fn advance(
        &mut self,
        to: usize,
        sweep: &Sweep,
        completable: &Completable,
        usage: &Usage,
    ) -> Result<(), LayerError> {
        for t in self.t..to {
            let step = sweep.step(t);
            let mut next = std::mem::take(&mut self.after);
            for (k, (&degrees, &sum)) in self.sums.iter().enumerate() {
                if k % VECTORS_PER_CHECK == 0 {
                    if usage.budget.over().is_some() {
                        return Err(LayerError::Time);
                    }
                    if (self.sums.len() + next.len()) as u64 > self.most {
                        return Err(LayerError::Memory);
                    }
                }
                choices(sweep, completable, t, degrees, |choice: Choice| {
                    let connections = step.weight(choice.edges);
                    let factor = f64::from(connections.even) + f64::from(connections.odd);
                    *next.entry(choice.target).or_default() += sum * factor;
                });
            }
            self.sums = next;
            self.t = t + 1;
            self.rescale();
        }
        Ok(())
    }

    /// Divides all sums by 2^`LARGE` if one of them is too large.
    fn rescale(&mut self) {
        let largest = self.sums.values().copied().fold(0.0, f64::max);
        if largest > 2f64.powi(LARGE) {
            for sum in self.sums.values_mut() {
                *sum = (*sum * 2f64.powi(-LARGE)).max(f64::MIN_POSITIVE);
            }
            self.exponent += LARGE as u64;
        }
    }

    /// Returns b such that every coefficient of the sum of all weights is below 2^b. This holds at the end of the sweep,
    /// too, if all steps have been applied.
    pub(crate) fn bits(&self) -> u64 {
        let sum: f64 = self.sums.values().sum();
        // One more bit covers the errors of rounding.
        self.exponent + sum.max(1.0).log2().ceil() as u64 + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::answer::exact::tests::{on_board, options};
    use crate::frontier::state::{Degrees, Tables};
    use crate::frontier::step::Along;
    use crate::frontier::sweep::Question;
    use hamcnf_tours::TourKind;

    /// Tests that the bounds from every layer are at least the number of tours, that they are not far from it, and that they
    /// do not grow.
    #[test]
    fn bounds_are_close_to_the_number_of_tours() {
        for (text, kind, tours) in
            [("5x6", TourKind::Closed, 8u64), ("3x12", TourKind::Closed, 176), ("5x5", TourKind::Open, 1_728)]
        {
            let (instance, ends) = on_board(text, kind);
            let question = Question::new(&instance, ends).unwrap();
            let (sweep, options) = (&question.sweep, options());
            let usage = Usage::new(1, u64::MAX, options.budget.clone());
            for completable in
                [Completable::Unknown, Completable::roughly(sweep, 0), options.completable(sweep, 0).unwrap()]
            {
                let along = Along { sweep, completable: &completable, tables: &Tables::new(), modulus: None };
                let mut position = Position::first(sweep, &usage);
                let cycles = tours / u64::from(question.directions);
                let mut last = u64::MAX;
                for t in 0..=sweep.n() {
                    let mut relaxed = Relaxed::of(&position, 0, &usage).unwrap();
                    relaxed.advance(sweep.n(), sweep, &completable, &usage).unwrap();
                    let bits = relaxed.bits();
                    assert!(1 << bits > cycles, "{text} {t}");
                    assert!(1 << bits < cycles << 14, "{text} {t} {bits}");
                    assert!(bits <= last, "{text} {t}");
                    last = bits;
                    if t < sweep.n() {
                        assert_eq!(position.advance(along, &usage, &|| false), Ok(true));
                    }
                }
                assert!(1 << last <= 4 * cycles, "{text}");
            }
        }
    }

    /// Tests that sums beyond floating-point numbers are scaled, and that the smallest do not vanish.
    #[test]
    fn large_sums_are_scaled() {
        let mut sums = Sums::default();
        sums.insert(Degrees(1), 2f64.powi(LARGE + 1));
        sums.insert(Degrees(2), 2f64.powi(-1000));
        let mut relaxed = Relaxed { t: 0, sums, after: Sums::default(), exponent: 7, most: 0 };
        assert_eq!(relaxed.bits(), 7 + LARGE as u64 + 2);
        relaxed.rescale();
        assert_eq!(relaxed.bits(), 7 + LARGE as u64 + 2);
        assert!(relaxed.sums.values().all(|&sum| sum > 0.0));
    }
}
