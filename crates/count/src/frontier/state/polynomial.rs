//! Weights of states in exact counts: polynomials of one or two coefficients, which are whole numbers of several widths.

use std::num::NonZero;

use num_bigint::BigUint;

/// Weight of an edge e + o·x: the numbers of even and odd connections that the edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Connections {
    pub(crate) even: u8,
    pub(crate) odd: u8,
}

impl Connections {
    /// One even connection.
    pub(crate) const EVEN: Self = Self { even: 1, odd: 0 };
    /// Number of bits by which the weight of a state grows when it is multiplied by the weights of two edges. An edge
    /// stands for at most four connections.
    pub(crate) const GROWTH: u32 = 4;

    /// Returns the product of two weights.
    #[inline]
    pub(crate) fn times(self, other: Self) -> Self {
        Self { even: self.even * other.even + self.odd * other.odd, odd: self.even * other.odd + self.odd * other.even }
    }
}

/// Weight of a state in an exact count: the coefficients of a polynomial modulo x^N − 1, each below 2^(64·W). N is 1 in
/// unweighted graphs and 2 in graphs whose edges stand for [`Connections`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Polynomial<const W: usize, const N: usize>(pub(crate) [Wide<W>; N]);

impl<const W: usize, const N: usize> Polynomial<W, N> {
    pub(crate) const ZERO: Self = Self([Wide::ZERO; N]);

    /// Adds `other`. The sums must fit into the type.
    #[inline]
    pub(crate) fn add_bounded(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            a.add_bounded(b);
        }
    }

    /// Multiplies by the weight of edges. The product must fit into the type. Weights of unweighted graphs stay the
    /// same.
    #[inline]
    pub(crate) fn times(self, by: Connections) -> Self {
        if N == 1 {
            return self;
        }
        let factors = [by.even, by.odd];
        Self(std::array::from_fn(|k| {
            let mut sum = Wide::ZERO;
            for (j, factor) in factors.into_iter().enumerate() {
                sum.add_multiple(self.0[(k + j) % N], factor);
            }
            sum
        }))
    }

    /// Returns the polynomial with the residues of its coefficients.
    #[inline]
    pub(crate) fn modulo(self, modulus: Option<NonZero<u64>>) -> Self {
        match modulus {
            None => self,
            Some(modulus) => Self(self.0.map(|number| number.modulo(modulus).into())),
        }
    }

    /// Sets all bits that are set in `other`.
    #[inline]
    pub(crate) fn insert(&mut self, other: Self) {
        for (all, number) in self.0.iter_mut().zip(other.0) {
            all.insert(number);
        }
    }

    /// Returns a number with all bits that are set in a coefficient.
    #[inline]
    pub(crate) fn all_bits(self) -> Wide<W> {
        let mut all = Wide::ZERO;
        self.0.into_iter().for_each(|number| all.insert(number));
        all
    }
}

/// Natural number below 2^(64·W), as words from the lowest to the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wide<const W: usize>([u64; W]);

impl<const W: usize> Wide<W> {
    pub(crate) const ZERO: Self = Self([0; W]);

    /// Adds `other`. The sum must fit into the type.
    #[inline]
    pub(crate) fn add_bounded(&mut self, other: Self) {
        let mut carry = false;
        for (a, b) in self.0.iter_mut().zip(other.0) {
            let (sum, over) = a.overflowing_add(b);
            let (sum, over_by_carry) = sum.overflowing_add(u64::from(carry));
            *a = sum;
            carry = over | over_by_carry;
        }
        debug_assert!(!carry, "weights are bounded");
    }

    /// Adds a multiple of `other`. The sum must fit into the type.
    #[inline]
    fn add_multiple(&mut self, other: Self, factor: u8) {
        let mut carry = 0;
        for (a, b) in self.0.iter_mut().zip(other.0) {
            let sum = u128::from(*a) + u128::from(b) * u128::from(factor) + carry;
            *a = sum as u64;
            carry = sum >> 64;
        }
        debug_assert!(carry == 0, "weights are bounded");
    }

    /// Sets all bits that are set in `other`.
    #[inline]
    pub(crate) fn insert(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }

    /// Returns the residue modulo `modulus`.
    #[inline]
    pub(crate) fn modulo(self, modulus: NonZero<u64>) -> u64 {
        let (highest, rest) = match self.0.split_last() {
            Some((&highest, rest)) => (highest % modulus, rest),
            None => return 0,
        };
        let wide = u128::from(modulus.get());
        rest.iter().rev().fold(highest, |residue, &word| ((u128::from(residue) << 64 | u128::from(word)) % wide) as u64)
    }

    /// Returns the number of bits without leading zeros.
    pub(crate) fn bits(self) -> u32 {
        let highest = self.0.iter().rposition(|&word| word != 0);
        highest.map_or(0, |k| 64 * k as u32 + 64 - self.0[k].leading_zeros())
    }

    /// Returns the number of bytes without leading zeros.
    pub(crate) fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// Writes the lowest `width` bytes to `to`, the lowest byte first. In between, needs room for seven more bytes.
    #[inline]
    pub(crate) fn write(self, width: usize, to: &mut Vec<u8>) {
        let end = to.len() + width;
        if width <= 8 {
            // A constant number of bytes takes no function call.
            to.extend_from_slice(&self.0[0].to_le_bytes());
        } else {
            self.0[..width.div_ceil(8)].iter().for_each(|word| to.extend_from_slice(&word.to_le_bytes()));
        }
        to.truncate(end);
    }

    /// Reads a number from at most 8·W bytes, the lowest byte first.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let mut words = [0; W];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
            *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        Self(words)
    }
}

impl<const W: usize> From<Wide<W>> for BigUint {
    fn from(number: Wide<W>) -> Self {
        let halves = number.0.iter();
        let halves = halves.flat_map(|&word| [word as u32, (word >> 32) as u32]);
        Self::new(halves.collect())
    }
}

impl<const W: usize> From<u64> for Wide<W> {
    #[inline]
    fn from(word: u64) -> Self {
        let mut words = [0; W];
        words[0] = word;
        Self(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_added_and_written() {
        let mut x = Wide::<2>::from(1);
        for _ in 0..127 {
            let y = x;
            x.add_bounded(y);
        }
        assert_eq!((x.bits(), x.bytes()), (128, 16));
        let mut low = Wide([u64::MAX, 7]);
        low.add_bounded(Wide::from(1));
        assert_eq!(low, Wide([0, 8]));
        assert_eq!((low.bits(), low.bytes()), (68, 9));
        let mut bytes = Vec::new();
        low.write(9, &mut bytes);
        assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 0, 0, 8]);
        assert_eq!(Wide::<4>::read(&bytes), Wide([0, 8, 0, 0]));
        Wide::<1>::from(0x1234).write(2, &mut bytes);
        assert_eq!(bytes[9..], [0x34, 0x12]);
        assert_eq!(Wide::<2>::ZERO.bits(), 0);
    }

    #[test]
    fn residues_are_those_of_numbers() {
        let modulus = NonZero::new((1 << 48) - 59).unwrap();
        for words in [[5, 0, 0], [u64::MAX, 3, 0], [1, 2, u64::MAX]] {
            let number = BigUint::from(Wide(words));
            let residue = BigUint::from(Wide(words).modulo(modulus));
            assert_eq!(residue, number % modulus.get());
        }
    }

    /// Tests (a + b x)(e + o x) = (a e + b o) + (a o + b e) x, with a carry to the second word.
    #[test]
    fn weights_are_multiplied_by_connections() {
        let by = Connections { even: 3, odd: 1 };
        let large = Wide([u64::MAX, 0]);
        let weight = Polynomial([large, Wide::<2>::from(2)]);
        let product = weight.times(by).0.map(BigUint::from);
        let large = BigUint::from(u64::MAX);
        assert_eq!(product, [&large * 3u32 + 2u32, &large + 6u32]);
        let square = by.times(by);
        assert_eq!(square, Connections { even: 10, odd: 6 });
        assert_eq!(weight.times(by).times(by), weight.times(square));
        let all = weight.all_bits();
        assert_eq!((all.bits(), all.bytes()), (64, 8));
        let plain = Polynomial([Wide::<2>::from(7)]);
        assert_eq!(plain.times(Connections::EVEN), plain);
    }
}
