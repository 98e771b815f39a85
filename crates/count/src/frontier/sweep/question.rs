//! Questions about numbers of tours, as sweeps.

use std::collections::BTreeMap;

use hamcnf_tours::Instance;
use hamcnf_tours::endpoints::Endpoints;
use num_bigint::BigUint;

use crate::frontier::order::FAR_BETTER;
use crate::frontier::state::Degrees;
use crate::frontier::sweep::{Sweep, TooWide, Weights};

/// Question in the form of a sweep: the number of tours is a multiple of the number of cycles.
pub(crate) struct Question {
    /// Text of the question, for messages.
    pub(crate) name: String,
    pub(crate) sweep: Sweep,
    pub(crate) counted: Counted,
    /// Number of tours per cycle.
    pub(crate) directions: u32,
}

impl Question {
    /// Creates the question about the number of an instance's tours with the endpoints `ends`.
    pub(crate) fn new(instance: &Instance, ends: Endpoints) -> Result<Self, TooWide> {
        let sweep = Sweep::new(instance, ends, Degrees::SLOTS)?;
        Ok(Self::along(sweep, instance.to_string(), ends))
    }

    /// Creates the question about the number of tours with the endpoints `ends`, all of which `sweep` counts.
    pub(crate) fn along(sweep: Sweep, name: String, ends: Endpoints) -> Self {
        Self { name, sweep, counted: Counted::All, directions: ends.directions() }
    }

    /// Returns the question in which a tour and its reverse count once.
    pub(crate) fn undirected(self) -> Self {
        Self { directions: 1, ..self }
    }

    /// Returns the cost of the sweep, to be compared with other sweeps: the number of degree vectors, if all were possible.
    /// That is the sum of 3^f over the steps, where f is the size of the frontier, including the vertex of the step. A
    /// sweep line by line is cheaper than its degree vectors say; it has this number divided by [`FAR_BETTER`].
    pub(crate) fn cost(&self) -> f64 {
        match self.sweep.has_mirror_images() {
            true => self.sweep.cost() / FAR_BETTER,
            false => self.sweep.cost(),
        }
    }

    /// Returns the number of tours. `sum` has the coefficients of the sum of the weights of the cycles.
    pub(crate) fn tours(&self, sum: &[BigUint]) -> BigUint {
        let cycles = match self.counted {
            Counted::All => sum.iter().sum(),
            Counted::Odd => sum.get(1).cloned().unwrap_or_default(),
        };
        cycles * self.directions
    }

    /// Returns the number of tours with each value of the statistic; empty without a statistic. Values without tours are
    /// left out. `sum` has the coefficients of the sum of the weights of the cycles.
    pub(crate) fn by_value(&self, sum: &[BigUint]) -> BTreeMap<u32, BigUint> {
        if self.sweep.weights() != Weights::Statistic {
            return BTreeMap::new();
        }
        let values = (0..).zip(sum);
        let values = values.filter(|(_, cycles)| **cycles != BigUint::ZERO);
        values.map(|(value, cycles)| (value, cycles * self.directions)).collect()
    }
}

/// Cycles that are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counted {
    /// Every cycle, with every choice of connections.
    All,
    /// Cycles with an odd number of odd connections; see [`weighted`](crate::frontier::answer::weighted).
    Odd,
}
