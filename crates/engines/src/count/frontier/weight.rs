//! Weights of states: exact counts of several widths, or estimates.

use num_bigint::BigUint;

/// Weight of a state: the number of partial tours that lead to the state, or an estimate of this number.
pub(super) trait Weight: Copy + Send + Sync + 'static {
    /// Weight of one partial tour.
    const ONE: Self;

    /// Adds `other`. Returns false if the sum does not fit into the type; the value is then meaningless.
    #[must_use]
    fn add(&mut self, other: Self) -> bool;
}

/// Natural number below 2^(64·W), as words from the lowest to the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wide<const W: usize>([u64; W]);

impl<const W: usize> Weight for Wide<W> {
    const ONE: Self = {
        let mut words = [0; W];
        words[0] = 1;
        Self(words)
    };

    #[inline]
    fn add(&mut self, other: Self) -> bool {
        let mut carry = false;
        for (a, b) in self.0.iter_mut().zip(other.0) {
            let (sum, over) = a.overflowing_add(b);
            let (sum, over_by_carry) = sum.overflowing_add(u64::from(carry));
            *a = sum;
            carry = over | over_by_carry;
        }
        !carry
    }
}

impl<const W: usize> From<Wide<W>> for BigUint {
    fn from(wide: Wide<W>) -> Self {
        let halves = wide
            .0
            .iter()
            .flat_map(|&word| [word as u32, (word >> 32) as u32]);
        Self::new(halves.collect())
    }
}

impl Weight for f64 {
    const ONE: Self = 1.0;

    #[inline]
    fn add(&mut self, other: Self) -> bool {
        *self += other;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_go_on_and_the_last_is_told() {
        let mut x = Wide::<2>::ONE;
        for _ in 0..127 {
            let y = x;
            assert!(x.add(y));
        }
        assert_eq!(BigUint::from(x), BigUint::from(1u8) << 127u8);
        let mut most = Wide([u64::MAX, u64::MAX]);
        assert!(!most.add(Wide::ONE), "2^128 does not fit");
        let mut low = Wide([u64::MAX, 7]);
        assert!(low.add(Wide::ONE));
        assert_eq!(low, Wide([0, 8]));
        assert!(!Wide([u64::MAX]).add(Wide::ONE));
    }
}
