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

/// Maximum number of machine words of a coefficient.
pub(crate) const MOST_WORDS: usize = 31;

/// Weights of states in an exact count: polynomials modulo x^N − 1. N is 1 in unweighted graphs and 2 in graphs whose edges
/// stand for [`Connections`]. The coefficients are natural numbers of the same number of machine words, from the lowest to
/// the highest word. W is this number if it is small, and then known to the compiler, or 0 for all others.
#[derive(Clone, Default, Debug)]
pub(crate) struct Polynomials<const W: usize, const N: usize> {
    /// Number of words of a coefficient.
    words: usize,
    all: Vec<u64>,
}

impl<const W: usize, const N: usize> Polynomials<W, N> {
    /// Returns a list without polynomials, whose coefficients will have this number of words.
    pub(crate) fn new(words: usize) -> Self {
        debug_assert!(W == 0 || W == words);
        Self { words, all: Vec::new() }
    }

    /// Returns the number of words of a coefficient.
    #[inline]
    fn words(&self) -> usize {
        if W == 0 { self.words } else { W }
    }

    /// Returns the number of words of a polynomial.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        N * self.words()
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len() / self.size()
    }

    pub(crate) fn clear(&mut self) {
        self.all.clear();
    }

    /// Changes the number of polynomials. Those that are added are 0.
    #[inline]
    pub(crate) fn resize(&mut self, len: usize) {
        self.all.resize(self.size() * len, 0);
    }

    /// Returns the number of bytes of the buffer.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<u64>() * self.all.capacity()
    }

    /// Returns `n` successive polynomials, as words.
    #[inline]
    pub(crate) fn at(&self, first: usize, n: usize) -> &[u64] {
        &self.all[first * self.size()..][..n * self.size()]
    }

    /// Appends `n` coefficients, which are 0, and returns them.
    pub(crate) fn more(&mut self, n: usize) -> impl ExactSizeIterator<Item = &mut [u64]> {
        let (words, before) = (self.words(), self.all.len());
        self.all.resize(before + n * words, 0);
        self.all[before..].chunks_exact_mut(words)
    }

    #[inline]
    pub(crate) fn push(&mut self, polynomial: &[u64]) {
        self.all.extend_from_slice(&polynomial[..self.size()]);
    }

    #[inline]
    pub(crate) fn set_zero(&mut self, k: usize) {
        let size = self.size();
        self.all[k * size..][..size].fill(0);
    }

    /// Adds products of successive polynomials and `factor` like [`add_one`](Self::add_one), to those from `first` on.
    pub(crate) fn add(&mut self, first: usize, polynomials: &[u64], factor: Connections) {
        (0..polynomials.len() / self.size()).for_each(|k| self.add_one(first + k, polynomials, k, factor));
    }

    /// Multiplies polynomial `j` of those in `of` by `factor`, and adds the product to polynomial `k` of this list. The sum
    /// must have as many words. In unweighted graphs, the factor is 1.
    #[inline]
    pub(crate) fn add_one(&mut self, k: usize, of: &[u64], j: usize, factor: Connections) {
        if W == 1 && N == 1 {
            // Most numbers. An index is checked in less time than a range.
            self.all[k] += of[j];
            return;
        }
        let (words, size) = (self.words(), self.size());
        let (sum, polynomial) = (&mut self.all[k * size..][..size], &of[j * size..][..size]);
        if N == 1 {
            return add_bounded(sum, polynomial);
        }
        // (a + b x)(e + o x) = (a e + b o) + (a o + b e) x
        let ((sum_even, sum_odd), (even, odd)) = (sum.split_at_mut(words), polynomial.split_at(words));
        add_multiple(sum_even, even, factor.even);
        add_multiple(sum_even, odd, factor.odd);
        add_multiple(sum_odd, even, factor.odd);
        add_multiple(sum_odd, odd, factor.even);
    }

    /// Adds `n` successive polynomials to `n` others of this list.
    pub(crate) fn add_own(&mut self, first: usize, from: usize, n: usize) {
        let (words, size) = (self.words(), self.size());
        let range = |first| first * size..(first + n) * size;
        let both = self.all.get_disjoint_mut([range(first), range(from)]);
        let [sums, others] = both.expect("the ranges are apart, and in the list");
        let others = others.chunks_exact(words);
        sums.chunks_exact_mut(words).zip(others).for_each(|(sum, other)| add_bounded(sum, other));
    }

    /// Replaces the coefficients of `n` successive polynomials by their residues, if there is a modulus.
    #[inline]
    pub(crate) fn reduce(&mut self, first: usize, n: usize, modulus: Option<NonZero<u64>>) {
        let Some(modulus) = modulus else { return };
        let (words, size) = (self.words(), self.size());
        for number in self.all[first * size..][..n * size].chunks_exact_mut(words) {
            let residue = modulo(number, modulus);
            number.fill(0);
            number[0] = residue;
        }
    }

    /// Sets all bits of the first polynomials that are set in these.
    #[inline]
    pub(crate) fn insert(&mut self, polynomials: &[u64]) {
        insert(&mut self.all, polynomials);
    }

    /// Returns the number of bits of the largest coefficient, without leading zeros.
    pub(crate) fn bits(&self) -> u32 {
        // A file has at most 255 bytes of each.
        let mut all = [0; 32];
        let all = &mut all[..self.words()];
        self.all.chunks_exact(self.words()).for_each(|number| insert(all, number));
        bits(all)
    }

    /// Writes successive polynomials, of whose coefficients the lowest `width` bytes, the lowest byte first. In between, needs
    /// room for seven more bytes.
    pub(crate) fn write(&self, polynomials: &[u64], width: usize, to: &mut Vec<u8>) {
        for number in polynomials.chunks_exact(self.words()) {
            let end = to.len() + width;
            if width <= 8 {
                // A constant number of bytes takes no function call.
                to.extend_from_slice(&number[0].to_le_bytes());
            } else {
                number[..width.div_ceil(8)].iter().for_each(|word| to.extend_from_slice(&word.to_le_bytes()));
            }
            to.truncate(end);
        }
    }
}

/// Returns the number of bytes of a number with this number of bits, at least 1.
pub(crate) fn bytes(bits: u32) -> usize {
    bits.div_ceil(8).max(1) as usize
}

/// Returns the natural number of these words.
pub(crate) fn big(words: &[u64]) -> BigUint {
    let halves = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]);
    BigUint::new(halves.collect())
}

/// Adds `other` to a number with as many words. The sum must fit into them.
#[inline]
fn add_bounded(sum: &mut [u64], other: &[u64]) {
    let mut carry = false;
    for (a, b) in sum.iter_mut().zip(other) {
        let (sum, over) = a.overflowing_add(*b);
        let (sum, over_by_carry) = sum.overflowing_add(u64::from(carry));
        *a = sum;
        carry = over | over_by_carry;
    }
    assert!(!carry, "weights are bounded");
}

/// Adds a multiple of `other` to a number with as many words. The sum must fit into them.
#[inline]
fn add_multiple(sum: &mut [u64], other: &[u64], factor: u8) {
    let mut carry = 0;
    for (a, b) in sum.iter_mut().zip(other) {
        let sum = u128::from(*a) + u128::from(*b) * u128::from(factor) + carry;
        *a = sum as u64;
        carry = sum >> 64;
    }
    assert!(carry == 0, "weights are bounded");
}

/// Sets all bits that are set in `other`.
#[inline]
fn insert(all: &mut [u64], other: &[u64]) {
    all.iter_mut().zip(other).for_each(|(all, word)| *all |= word);
}

/// Returns the residue of a number modulo `modulus`.
#[inline]
fn modulo(number: &[u64], modulus: NonZero<u64>) -> u64 {
    let Some((highest, rest)) = number.split_last() else { return 0 };
    let next = |high: u64, &low: &u64| ((u128::from(high) << 64 | u128::from(low)) % u128::from(modulus.get())) as u64;
    rest.iter().rev().fold(*highest % modulus, next)
}

/// Returns the number of bits of a number, without leading zeros.
fn bits(number: &[u64]) -> u32 {
    let highest = number.iter().rposition(|&word| word != 0);
    highest.map_or(0, |k| 64 * k as u32 + 64 - number[k].leading_zeros())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a list of one polynomial.
    fn list<const W: usize, const N: usize>(polynomial: &[u64]) -> Polynomials<W, N> {
        let mut list = Polynomials::new(polynomial.len() / N);
        list.push(polynomial);
        list
    }

    #[test]
    fn numbers_are_added_and_written() {
        for words in [2, 3] {
            let mut x = Polynomials::<0, 1>::new(words);
            x.resize(2);
            x.more(1).next().unwrap()[0] = 1;
            for _ in 0..127 {
                let y = x.at(2, 1).to_vec();
                x.add(2, &y, Connections::EVEN);
            }
            assert_eq!((x.len(), x.bits(), bytes(x.bits())), (3, 128, 16));
            x.add_own(0, 2, 1);
            assert_eq!(x.at(0, 1), x.at(2, 1));
        }
        let mut low = list::<2, 1>(&[u64::MAX, 7]);
        low.add(0, &[1, 0], Connections::EVEN);
        assert_eq!(low.at(0, 1), [0, 8]);
        assert_eq!((low.bits(), bytes(low.bits())), (68, 9));
        let mut to = Vec::new();
        low.write(low.at(0, 1), 9, &mut to);
        assert_eq!(to, [0, 0, 0, 0, 0, 0, 0, 0, 8]);
        list::<1, 1>(&[0x1234]).write(&[0x1234], 2, &mut to);
        assert_eq!(to[9..], [0x34, 0x12]);
        assert_eq!((bits(&[0, 0]), bytes(0)), (0, 1));
    }

    #[test]
    fn residues_are_those_of_numbers() {
        let modulus = NonZero::new((1 << 48) - 59).unwrap();
        for words in [[5, 0, 0], [u64::MAX, 3, 0], [1, 2, u64::MAX]] {
            let mut residue = list::<0, 1>(&words);
            residue.reduce(0, 1, Some(modulus));
            assert_eq!(big(residue.at(0, 1)), big(&words) % modulus.get());
        }
    }

    /// Tests (a + b x)(e + o x) = (a e + b o) + (a o + b e) x, with a carry to the second word.
    #[test]
    fn weights_are_multiplied_by_connections() {
        fn times<const W: usize>(weight: &[u64], by: Connections) -> Vec<u64> {
            let mut product = list::<W, 2>(&[0; 4]);
            product.add(0, weight, by);
            product.at(0, 1).to_vec()
        }
        let by = Connections { even: 3, odd: 1 };
        let weight = [u64::MAX, 0, 2, 0];
        let product = times::<2>(&weight, by);
        let large = BigUint::from(u64::MAX);
        assert_eq!([big(&product[..2]), big(&product[2..])], [&large * 3u32 + 2u32, &large + 6u32]);
        assert_eq!(times::<0>(&weight, by), product);
        let square = by.times(by);
        assert_eq!(square, Connections { even: 10, odd: 6 });
        assert_eq!(times::<0>(&product, by), times::<0>(&weight, square));
        assert_eq!(list::<0, 2>(&weight).bits(), 64);
    }
}
