//! Weights of states: exact counts of several widths, or estimates.

/// Weight of a state: the number of partial tours that lead to the state, or an estimate of this number.
pub(super) trait Weight: Copy + Send + Sync + 'static {
    /// Weight of one partial tour.
    const ONE: Self;

    /// Type of the weights of edges.
    type Factor: Factor;

    /// Multiplies by a factor. Returns `None` if the product does not fit into the type.
    #[must_use]
    fn times(self, factor: Self::Factor) -> Option<Self>;

    /// Adds `other`. Returns false if the sum does not fit into the type; the value is then meaningless.
    #[must_use]
    fn add(&mut self, other: Self) -> bool;
}

/// Weight of an edge. The weight of a set of edges is the product of the weights of its edges.
pub(super) trait Factor: Copy + Ord + Send + Sync + 'static {
    /// Weight of a set without edges.
    const ONE: Self;

    /// Returns the weight of two edges together.
    #[must_use]
    fn with(self, other: Self) -> Self;
}

/// Weight of all edges of an unweighted graph.
impl Factor for () {
    const ONE: Self = ();

    #[inline]
    fn with(self, (): Self) {}
}

/// Natural number below 2^(64·W), as words from the lowest to the highest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wide<const W: usize>([u64; W]);

impl<const W: usize> Wide<W> {
    pub(super) const ZERO: Self = Self([0; W]);

    /// Adds `other`. The sum must fit into the type.
    #[inline]
    pub(super) fn add_bounded(&mut self, other: Self) {
        let mut carry = false;
        for (a, b) in self.0.iter_mut().zip(other.0) {
            let (sum, over) = a.overflowing_add(b);
            let (sum, over_by_carry) = sum.overflowing_add(u64::from(carry));
            *a = sum;
            carry = over | over_by_carry;
        }
        debug_assert!(!carry, "weights are bounded");
    }

    /// Sets all bits that are set in `other`.
    #[inline]
    pub(super) fn insert(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            *a |= b;
        }
    }

    /// Returns the number of bits without leading zeros.
    pub(super) fn bits(self) -> u32 {
        let highest = self.0.iter().rposition(|&word| word != 0);
        highest.map_or(0, |k| 64 * k as u32 + 64 - self.0[k].leading_zeros())
    }

    /// Returns the number of bytes without leading zeros.
    pub(super) fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// Returns the lowest B bytes, at most eight, the lowest byte first.
    #[inline]
    pub(super) fn low<const B: usize>(self) -> [u8; B] {
        let bytes = self.0[0].to_le_bytes();
        std::array::from_fn(|k| bytes[k])
    }

    /// Writes the lowest `width` bytes to `to`, the lowest byte first.
    #[inline]
    pub(super) fn write(self, width: usize, to: &mut Vec<u8>) {
        if width <= 8 {
            to.extend_from_slice(&self.0[0].to_le_bytes()[..width]);
        } else {
            let bytes = self.0.iter().flat_map(|word| word.to_le_bytes());
            to.extend(bytes.take(width));
        }
    }

    /// Reads a number from at most 8·W bytes, the lowest byte first.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut words = [0; W];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
            *word = bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        Self(words)
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

impl Weight for f64 {
    const ONE: Self = 1.0;
    type Factor = ();

    #[inline]
    fn times(self, (): ()) -> Option<Self> {
        Some(self)
    }

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
}
