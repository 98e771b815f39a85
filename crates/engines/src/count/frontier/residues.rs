//! Weights of states as residues, for counts whose weights do not fit into memory.
//!
//! The weights of a count are whole numbers. On long boards they have tens of digits, and take more memory than the
//! states. If such a count reaches its memory limit, its weights are replaced by their residues modulo two primes p₁·p₂, and
//! the sweep goes on. At the end, the count is known modulo p₁·p₂ only. Further sweeps give it modulo p₃·p₄, …, until the
//! product of all primes exceeds a bound on the count. The Chinese remainder theorem then gives the count. If the residues
//! modulo two primes do not fit into memory either, they are reduced modulo the first, and there are more sweeps.
//!
//! The primes are the greatest below 2^b, where b is chosen so that the sums of a step modulo two primes fit into one
//! machine word. Only these sums are reduced.
//!
//! # Bound
//!
//! If the matching of the path ends is ignored, a sweep counts 2-factors instead of Hamiltonian cycles, which are
//! 2-factors. Its states are degree vectors only. The bound continues the interrupted sweep in this way: a degree vector
//! begins with the sum of the weights of its states. These weights are still exact, so the bound is better than the number
//! of all 2-factors.

use std::collections::HashMap;
use std::io;
use std::num::NonZero;

use num_bigint::BigUint;

use super::completable::Completable;
use super::degrees::Degrees;
use super::moves::{Choice, choices};
use super::position::{Position, growth};
use super::sweep::Sweep;
use crate::budget::Budget;
use crate::count::modular::{inverse, is_prime};

/// Numbers of Hamiltonian cycles modulo the product of some primes, one number for each coefficient of the weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Residues {
    /// Number of bits of a bound on the numbers.
    pub(super) bits: u64,
    /// Number of primes.
    pub(super) primes: usize,
    pub(super) product: BigUint,
    pub(super) numbers: Vec<BigUint>,
}

impl Residues {
    /// Returns the residues modulo no primes of numbers below 2^`bits`.
    pub(super) fn below(bits: u64) -> Self {
        Self {
            bits,
            primes: 0,
            product: 1u8.into(),
            numbers: Vec::new(),
        }
    }

    /// Adds residues modulo another prime. The numbers `residues` may be reduced modulo a multiple of the prime.
    pub(super) fn join(&mut self, prime: NonZero<u64>, residues: &[BigUint]) {
        let prime = prime.get();
        let word = |number: &BigUint| number.iter_u64_digits().next().unwrap_or(0);
        let inverse = inverse(word(&(&self.product % prime)), prime);
        if self.numbers.len() < residues.len() {
            self.numbers.resize(residues.len(), BigUint::ZERO);
        }
        for (k, number) in self.numbers.iter_mut().enumerate() {
            let residue = residues
                .get(k)
                .map_or(0, |residue| word(&(residue % prime)));
            let missing = residue + prime - word(&(&*number % prime));
            *number += BigUint::from(missing) * inverse % prime * &self.product;
        }
        self.product *= prime;
        self.primes += 1;
    }

    /// True if the numbers are known exactly, because the product of the primes exceeds the bound.
    pub(super) fn is_exact(&self) -> bool {
        self.product.bits() > self.bits
    }

    /// Returns the number of primes below 2^`each` that are still needed.
    pub(super) fn missing(&self, each: u32) -> usize {
        // The product of k primes has k·`each` bits, because they are close to 2^`each`.
        let missing = (self.bits + 1).saturating_sub(self.product.bits());
        missing.div_ceil(each.into()) as usize
    }
}

/// Primes of a count: the greatest below 2^`bits`, in decreasing order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Primes {
    pub(super) bits: u32,
}

impl Primes {
    /// Maximum number of primes for one sweep.
    pub(super) const MOST: usize = 2;

    /// Returns the primes for these sweeps. The sums of a step modulo the product of [`MOST`](Self::MOST) primes are below
    /// 2^64.
    pub(super) fn of<'a>(sweeps: impl Iterator<Item = &'a Sweep>) -> Self {
        let all = sweeps.flat_map(|sweep| (0..sweep.n()).map(|t| growth(sweep, t)));
        let bits = (64 - all.max().unwrap_or(0)) / Self::MOST as u32;
        Self { bits }
    }

    /// Returns primes without the first `skip`.
    pub(super) fn from(self, skip: usize) -> impl Iterator<Item = NonZero<u64>> {
        let odd = (1..1u64 << self.bits).rev().step_by(2);
        let primes = odd.filter(|&number| is_prime(number));
        primes.filter_map(NonZero::new).skip(skip)
    }

    /// Returns the number of bytes of a residue modulo the product of this number of primes.
    pub(super) fn bytes(self, primes: usize) -> usize {
        (self.bits as usize * primes).div_ceil(8)
    }
}

/// Returns the product of primes, by which weights are reduced; `None` if there is none.
pub(super) fn modulus(primes: &[NonZero<u64>]) -> Option<NonZero<u64>> {
    primes
        .iter()
        .copied()
        .reduce(NonZero::<u64>::saturating_mul)
}

/// Numbers by degree vector, each multiplied by 2^`exponent`.
struct Scaled {
    numbers: HashMap<Degrees, f64>,
    exponent: u64,
}

/// Numbers are scaled down when one exceeds this power of two.
const LARGE: i32 = 800;

impl Scaled {
    /// Divides all numbers by 2^`LARGE` if one of them is too large. Small numbers are rounded up.
    fn rescale(&mut self) {
        let all = self.numbers.values();
        if all.fold(0.0, |most: f64, &number| most.max(number)) < 2f64.powi(LARGE) {
            return;
        }
        for number in self.numbers.values_mut() {
            *number = (*number * 2f64.powi(-LARGE)).max(2f64.powi(-LARGE));
        }
        self.exponent += LARGE as u64;
    }
}

/// Returns b such that every coefficient of the sum at the end of a sweep is below 2^b. The sweep has the states of
/// `position`, whose weights are exact. `completable` gives the completable degree vectors after t vertices. Returns
/// `None` if the deadline passes first.
pub(super) fn bound_bits<'a>(
    sweep: &Sweep,
    position: &Position,
    completable: &dyn Fn(usize) -> &'a Completable,
    budget: &Budget,
) -> io::Result<Option<u64>> {
    let [before, after] = position.sums_by_degrees()?;
    let exponent = position.exponent();
    let mut now = Scaled {
        numbers: before,
        exponent,
    };
    for t in position.t()..sweep.n() {
        if budget.over().is_some() {
            return Ok(None);
        }
        let step = sweep.step(t);
        let mut next: HashMap<Degrees, f64> = match t == position.t() {
            true => after.clone(),
            false => HashMap::new(),
        };
        for (&degrees, &number) in &now.numbers {
            choices(sweep, completable(t + 1), t, degrees, |choice: Choice| {
                let connections = step.weight(choice.edges);
                let factor = f64::from(connections.even) + f64::from(connections.odd);
                *next.entry(choice.target).or_default() += number * factor;
            });
        }
        now.numbers = next;
        now.rescale();
    }
    let sum: f64 = now.numbers.values().sum();
    // One more bit covers all errors of rounding, whose sum is far below a factor of 2.
    let bits = sum.max(1.0).log2().ceil() as u64 + 1;
    Ok(Some(now.exponent + bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_from_their_residues() {
        let numbers = [BigUint::from(3u8).pow(100), BigUint::from(7u8)];
        let mut residues = Residues::below(numbers[0].bits());
        let primes = Primes { bits: 24 };
        assert_eq!(residues.missing(primes.bits), 7);
        for prime in primes.from(0) {
            if residues.is_exact() {
                break;
            }
            residues.join(prime, &numbers);
        }
        assert_eq!(residues.numbers, numbers);
        assert_eq!((residues.primes, residues.missing(24)), (7, 0));
    }

    #[test]
    fn primes_are_the_greatest() {
        let primes: Vec<_> = Primes { bits: 6 }.from(1).take(3).collect();
        assert!(primes.iter().map(|prime| prime.get()).eq([59, 53, 47]));
        assert_eq!(modulus(&primes[..2]), NonZero::new(59 * 53));
        assert_eq!(modulus(&[]), None);
        assert_eq!(Primes { bits: 6 }.from(17).count(), 0);
        assert_eq!(
            (Primes { bits: 22 }.bytes(1), Primes { bits: 22 }.bytes(2)),
            (3, 6)
        );
    }
}
