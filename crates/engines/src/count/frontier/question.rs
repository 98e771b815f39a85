//! Questions about numbers of tours, as sweeps.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::sweep::{Sweep, Weights};

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
    /// Returns the number of tours. `sum` has the coefficients of the sum of the weights of the cycles.
    pub(super) fn tours(&self, sum: &[BigUint]) -> BigUint {
        let cycles = match self.counted {
            Counted::All => sum.iter().sum(),
            Counted::Odd => sum.get(1).cloned().unwrap_or_default(),
        };
        cycles * self.directions
    }

    /// Returns the number of tours with each value of the statistic; empty without a statistic. Values without tours are
    /// left out. `sum` has the coefficients of the sum of the weights of the cycles.
    pub(super) fn by_value(&self, sum: &[BigUint]) -> BTreeMap<u32, BigUint> {
        if self.sweep.weights() != Weights::Statistic {
            return BTreeMap::new();
        }
        let values = (0..).zip(sum);
        let values = values.filter(|(_, cycles)| **cycles != BigUint::ZERO);
        values
            .map(|(value, cycles)| (value, cycles * self.directions))
            .collect()
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
