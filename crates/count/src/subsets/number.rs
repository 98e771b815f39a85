//! Numbers in the tables, and rows of them that are added lane by lane.

/// Unsigned number. Sums and products wrap around.
pub(super) trait Number: Copy + Default + PartialEq + Send + Sync {
    const ONES: Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn wide(self) -> u128;
    fn narrow(wide: u64) -> Self;
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl Number for $number {
            const ONES: Self = Self::MAX;
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn wide(self) -> u128 {
                self.into()
            }
            #[inline(always)]
            fn narrow(wide: u64) -> Self {
                wide as Self
            }
        }
    )*};
}

number!(u32, u64, u128);

/// Returns a row with ones in the lanes of a mask.
pub(super) fn row<T: Number, const W: usize>(mask: u64) -> [T; W] {
    std::array::from_fn(|lane| match mask >> lane & 1 {
        1 => T::ONES,
        _ => T::default(),
    })
}

/// Adds a number to the lanes of a sum in which `row` has ones.
#[inline(always)]
pub(super) fn add<T: Number, const W: usize>(sum: &mut [T; W], number: T, row: &[T; W]) {
    for (sum, row) in sum.iter_mut().zip(row) {
        *sum = sum.plus(number.and(*row));
    }
}
