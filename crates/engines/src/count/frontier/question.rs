//! Questions about numbers of tours, as sweeps.

use num_bigint::BigUint;

use super::sweep::Sweep;

/// Question in the form of a sweep: the number of tours is a multiple of the number of cycles.
pub(in crate::count) struct Question {
    /// Text of the question, for messages.
    pub(super) name: String,
    pub(super) sweep: Sweep,
    pub(super) counted: Counted,
    /// Number of tours per cycle.
    pub(super) directions: u32,
}

impl Question {
    /// Returns the number of tours. `sum` is the sum of the weights of the cycles.
    pub(super) fn tours(&self, sum: [BigUint; 2]) -> BigUint {
        let [even, odd] = sum;
        let cycles = match self.counted {
            Counted::All => even + odd,
            Counted::Odd => odd,
        };
        cycles * self.directions
    }
}

/// Cycles that are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::count) enum Counted {
    /// Every cycle, with every choice of connections.
    All,
    /// Cycles with an odd number of odd connections; see [`weighted`](super::weighted).
    Odd,
}
