//! Pass of a sweep over all vertices, which sums the weights of the tours.

use super::Progress;
use super::completable::Completable;
use super::exact::{ExactError, Options};
use super::layer::{Layer, Weighting, advance};
use super::matching::Matching;
use super::sweep::Sweep;
use super::usage::Usage;
use super::weight::Weight;
use crate::budget::Budget;

/// Sweep with the conditions of its passes.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub(super) sweep: &'a Sweep,
    pub(super) completable: &'a Completable,
    pub(super) options: &'a Options,
    pub(super) budget: &'a Budget,
}

impl Pass<'_> {
    /// Applies all steps. `weights` returns the weights of the choices at a step. Calls `observe` with the layer before
    /// every step. Returns the last layer, whose weights add up to the sum, and the resources used.
    pub(super) fn run<M: Matching, C: Weight, W: Weighting<C::Factor>>(
        self,
        weights: impl Fn(usize) -> W,
        mut observe: impl FnMut(Progress, &Layer<M, C>, &Usage),
    ) -> Result<(Layer<M, C>, Usage), ExactError> {
        let (sweep, limit) = (self.sweep, self.options.memory);
        let most_states = self.completable.most_states(sweep);
        let before = Progress {
            most_states,
            most_bytes: most_states * size_of::<(M, C)>() as f64,
            ..Progress::before(sweep)
        };
        self.options.refuse_hopeless(before)?;
        let for_states = self
            .options
            .for_states(Completable::bytes([self.completable]));
        let usage = Usage::new(self.options.threads, for_states, self.budget.clone());
        let mut layer = Layer::<M, C>::first();
        for t in 0..sweep.n() {
            let at = Progress {
                layer: t,
                states: layer.states(),
                bytes: usage.bytes(),
                ..before
            };
            observe(at, &layer, &usage);
            let next = advance(sweep, self.completable, t, &weights(t), layer, &usage);
            layer = next.map_err(|error| ExactError::of_layer(error, limit, at, &usage))?;
        }
        Ok((layer, usage))
    }
}
