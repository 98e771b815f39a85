//! Weights of states in censuses and samples.

/// Weight of a state: the number of partial tours that lead to the state, or an estimate of this number.
pub(super) trait Weight: Copy + Send + Sync + 'static {
    /// Weight of one partial tour.
    const ONE: Self;

    /// Type of the weights of choices.
    type Factor: Copy + Ord + Send + Sync;

    #[must_use]
    fn times(self, factor: Self::Factor) -> Self;

    fn add(&mut self, other: Self);
}

impl Weight for f64 {
    const ONE: Self = 1.0;
    type Factor = ();

    #[inline]
    fn times(self, (): ()) -> Self {
        self
    }

    #[inline]
    fn add(&mut self, other: Self) {
        *self += other;
    }
}
