//! Position windows. A window is an interval of the positions that a vertex may have, or only the even or odd positions
//! of an interval. [`Pruning`] is the strength of pruning by windows.

use hamcnf_graph::names::named;

named! {
    /// Strength of the preprocessing that derives windows from shortest paths.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Pruning: "pruning" {
        /// No preprocessing: every vertex may have every position.
        None => "none",
        /// Preprocessing of the programs published with the paper *Knights Tour*. All vertices have windows. The window of
        /// the start, which has distance 0, contains all N positions. The documentation of each encoding says which clauses
        /// come from the windows.
        AsPublished => "as-published",
        /// Windows for all vertices, and a constant position for the start. Formulas also have the clauses that the
        /// programs published with the paper *Knights Tour* leave out.
        Full => "full",
    }
}

/// Set of positions `lo`, `lo + step`, … up to and including `hi`, counted from 0; empty if `lo > hi`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// First position of the window.
    pub lo: u32,
    /// Last position, included.
    pub hi: u32,
    /// Distance between positions: 1, or 2 if the parity is known.
    pub step: u32,
}

impl Window {
    /// The window without positions.
    pub const EMPTY: Self = Self { lo: 1, hi: 0, step: 1 };

    /// Returns the window of all positions from `lo` to `hi`, both included.
    pub const fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi, step: 1 }
    }

    /// Returns a window of one position.
    pub const fn only(p: u32) -> Self {
        Self::new(p, p)
    }

    /// True if position p is in the window.
    pub const fn contains(&self, p: u32) -> bool {
        self.lo <= p && p <= self.hi && (p - self.lo).is_multiple_of(self.step)
    }

    /// Returns the number of positions in the window.
    pub const fn width(&self) -> u32 {
        (self.hi + self.step).saturating_sub(self.lo) / self.step
    }

    /// Returns the number of positions in the window that are less than `p`. The position `p` must be in the window.
    pub const fn rank(&self, p: u32) -> u32 {
        (p - self.lo) / self.step
    }

    /// Returns the position with this rank, counted from 0.
    pub const fn nth(&self, rank: u32) -> u32 {
        self.lo + rank * self.step
    }

    /// Returns the positions below `n` that are not in the window, in increasing order.
    pub fn outside(&self, n: u32) -> impl Iterator<Item = u32> + use<> {
        let window = *self;
        (0..n).filter(move |&p| !window.contains(p))
    }

    /// Returns the positions in increasing order.
    pub fn positions(&self) -> impl Iterator<Item = u32> + use<> {
        (self.lo..=self.hi).step_by(self.step as usize)
    }

    /// Returns the odd positions of the window, or the even positions if `odd` is false.
    pub fn of_parity(self, odd: bool) -> Self {
        let fits = |p: u32| (p % 2 == 1) == odd;
        if self.width() == 0 || self.step == 2 {
            return if self.width() > 0 && fits(self.lo) { self } else { Self::EMPTY };
        }
        let (lo, hi) = (self.lo + u32::from(!fits(self.lo)), self.hi);
        if lo > hi {
            return Self::EMPTY;
        }
        let hi = hi - u32::from(!fits(hi));
        match lo == hi {
            true => Self::only(lo),
            false => Self { lo, hi, step: 2 },
        }
    }

    /// Returns the part of the window that lies between `lo` and `hi`, both included.
    pub fn within(self, lo: u32, hi: u32) -> Self {
        if self.width() == 0 || lo > hi {
            return Self::EMPTY;
        }
        let above = lo.saturating_sub(self.lo).next_multiple_of(self.step);
        let lo = self.lo + above;
        let hi = self.hi.min(hi);
        if lo > hi {
            return Self::EMPTY;
        }
        let hi = hi - (hi - lo) % self.step;
        match lo == hi {
            true => Self::only(lo),
            false => Self { lo, hi, ..self },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_window_has_no_positions() {
        for w in [Window::EMPTY, Window::new(3, 2), Window::new(9, 2)] {
            assert_eq!(w.width(), 0);
            assert_eq!(w.positions().count(), 0);
            assert!((0..10).all(|p| !w.contains(p)));
            assert!(w.outside(10).eq(0..10));
        }
    }

    #[test]
    fn windows_are_sets_of_positions() {
        let all: Vec<_> = (0..7)
            .flat_map(|lo| (0..7).map(move |hi| Window::new(lo, hi)))
            .flat_map(|w| [w, w.of_parity(false), w.of_parity(true)])
            .collect();
        let set = |w: Window| (0..9).filter(|&p| w.contains(p)).collect::<Vec<_>>();
        for &w in &all {
            let positions: Vec<_> = w.positions().collect();
            assert_eq!(positions, set(w));
            assert_eq!(positions.len() as u32, w.width());
            for (rank, &p) in (0..).zip(&positions) {
                assert_eq!((w.rank(p), w.nth(rank)), (rank, p));
            }
            assert!(w.outside(9).all(|p| !w.contains(p)));
            for odd in [false, true] {
                let those = set(w).into_iter().filter(|p| (p % 2 == 1) == odd);
                assert_eq!(set(w.of_parity(odd)), those.collect::<Vec<_>>());
            }
            for (lo, hi) in [(0, 8), (2, 5), (3, 3), (4, 1), (1, 6)] {
                let those = set(w).into_iter().filter(|p| (lo..=hi).contains(p));
                assert_eq!(set(w.within(lo, hi)), those.collect::<Vec<_>>());
            }
        }
    }
}
