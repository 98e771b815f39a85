//! Weights of states as residues, for counts whose weights do not fit into memory.
//!
//! The weights of a count are whole numbers. On long boards they have tens of digits, and take more memory than the
//! states. If such a count reaches its memory limit, its weights are replaced by their residues modulo the product of
//! two primes p₁ and p₂, and the sweep goes on. At the end, the count is known modulo p₁·p₂ only. Further sweeps give
//! it modulo p₃·p₄, p₅·p₆, …, until the product of all primes exceeds a
//! [bound](crate::frontier::answer::relaxed) on the count. The Chinese remainder theorem then gives the count.
//! If the residues modulo two primes do not fit into memory either, they are reduced modulo the first of them, and each
//! further sweep has one prime.
//!
//! The primes are the greatest below 2^b, where b is chosen so that the sums of a step modulo two primes fit into one
//! machine word. Only these sums are reduced.

use std::num::NonZero;

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use crate::frontier::step::growth;
use crate::frontier::store::checkpoint::decimal;
use crate::frontier::sweep::Sweep;
use crate::modular::{inverse, is_prime};

/// Numbers of Hamiltonian cycles modulo the product of some primes, one number for each coefficient of the weights.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Residues {
    /// Number of bits of a bound on the numbers.
    pub(crate) bits: u64,
    /// Number of primes.
    pub(crate) primes: usize,
    #[serde(with = "decimal")]
    pub(crate) product: BigUint,
    #[serde(with = "decimal::list")]
    pub(crate) numbers: Vec<BigUint>,
}

impl Residues {
    /// Returns the residues modulo no primes of numbers below 2^`bits`.
    pub(crate) fn below(bits: u64) -> Self {
        Self { bits, primes: 0, product: 1u8.into(), numbers: Vec::new() }
    }

    /// Adds residues modulo another prime. The numbers `residues` may be reduced modulo a multiple of the prime.
    pub(crate) fn add(&mut self, prime: NonZero<u64>, residues: &[BigUint]) {
        let prime = prime.get();
        let word = |number: &BigUint| number.iter_u64_digits().next().unwrap_or(0);
        let inverse = inverse(word(&(&self.product % prime)), prime);
        if self.numbers.len() < residues.len() {
            self.numbers.resize(residues.len(), BigUint::ZERO);
        }
        for (k, number) in self.numbers.iter_mut().enumerate() {
            let residue = residues.get(k).map_or(0, |residue| word(&(residue % prime)));
            let missing = residue + prime - word(&(&*number % prime));
            *number += BigUint::from(missing) * inverse % prime * &self.product;
        }
        self.product *= prime;
        self.primes += 1;
    }

    /// True if the numbers are known exactly, because the product of the primes exceeds the bound.
    pub(crate) fn is_exact(&self) -> bool {
        self.product.bits() > self.bits
    }

    /// Returns the number of primes below 2^`each` that are still needed.
    pub(crate) fn missing(&self, each: u32) -> usize {
        // The product of k primes has k·`each` bits, because they are close to 2^`each`.
        let missing = (self.bits + 1).saturating_sub(self.product.bits());
        missing.div_ceil(each.into()) as usize
    }
}

/// Primes of a count: the greatest below 2^`bits`, in decreasing order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Primes {
    pub(crate) bits: u32,
}

impl Primes {
    /// Maximum number of primes for one sweep.
    pub(crate) const MOST: usize = 2;

    /// Returns the primes for these sweeps. The sums of a step modulo the product of [`MOST`](Self::MOST) primes are below
    /// 2^64.
    pub(crate) fn of<'a>(sweeps: impl Iterator<Item = &'a Sweep>) -> Self {
        let all = sweeps.flat_map(|sweep| (0..sweep.n()).map(|t| growth(sweep, t)));
        let bits = (64 - all.max().unwrap_or(0)) / Self::MOST as u32;
        Self { bits }
    }

    /// Returns primes without the first `skip`.
    pub(crate) fn skipping(self, skip: usize) -> impl Iterator<Item = NonZero<u64>> {
        let odd = (1..1u64 << self.bits).rev().step_by(2);
        let primes = odd.filter(|&number| is_prime(number));
        primes.filter_map(NonZero::new).skip(skip)
    }

    /// Returns the number of bytes of a residue modulo the product of this number of primes.
    pub(crate) fn bytes(self, primes: usize) -> usize {
        (self.bits as usize * primes).div_ceil(8)
    }
}

/// Returns the product of primes, by which weights are reduced; `None` if there is none.
pub(crate) fn modulus(primes: &[NonZero<u64>]) -> Option<NonZero<u64>> {
    primes.iter().copied().reduce(NonZero::<u64>::saturating_mul)
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
        for prime in primes.skipping(0) {
            if residues.is_exact() {
                break;
            }
            residues.add(prime, &numbers);
        }
        assert_eq!(residues.numbers, numbers);
        assert_eq!((residues.primes, residues.missing(24)), (7, 0));
    }

    #[test]
    fn primes_are_the_greatest() {
        let primes: Vec<_> = Primes { bits: 6 }.skipping(1).take(3).collect();
        assert!(primes.iter().map(|prime| prime.get()).eq([59, 53, 47]));
        assert_eq!(modulus(&primes[..2]), NonZero::new(59 * 53));
        assert_eq!(modulus(&[]), None);
        assert_eq!(Primes { bits: 6 }.skipping(17).count(), 0);
        assert_eq!((Primes { bits: 22 }.bytes(1), Primes { bits: 22 }.bytes(2)), (3, 6));
    }
}
