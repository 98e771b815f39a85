//! Hamiltonian cycles of a graph whose edges have weights e + o·x, where x² = 1.
//!
//! The weight of a cycle is the product of the weights of its edges. Suppose that an edge of weight e + o·x stands for
//! e even and o odd *connections* between two vertices. To choose connections for a cycle means to choose one for each
//! of its edges. Then the sum of the weights of all cycles has two coefficients: the coefficient of x is the number of
//! choices with an odd number of odd connections, and the constant is the number of the other choices. The states of
//! the sweep are those of an unweighted graph; only their weights are pairs of numbers.
//!
//! If the layers of the sweep are [kept](Kept), the choices can be numbered. To find the choice with a given number,
//! the sweep is followed back from the last layer, one vertex at a time.

use std::collections::HashMap;

use hamcnf_encodings::{Graph, Vertex};
use num_bigint::BigUint;

use super::Exact;
use super::Progress;
use super::completable::Completable;
use super::degrees::Degrees;
use super::exact::{ExactError, Options};
use super::layer::Layer;
use super::matching::Matching;
use super::moves::{Choice, choices};
use super::order::{of_graph, width};
use super::pass::Pass;
use super::sweep::{Sweep, TooWide};
use super::weight::{Factor, Weight};
use crate::budget::Budget;

/// Weight of an edge: the numbers of even and odd connections that the edge stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::count) struct Connections {
    pub(in crate::count) even: u8,
    pub(in crate::count) odd: u8,
}

impl Connections {
    /// One even connection.
    pub(in crate::count) const EVEN: Self = Self { even: 1, odd: 0 };
}

impl Factor for Connections {
    const ONE: Self = Self::EVEN;

    /// Multiplies two weights. Each edge stands for at most four connections, so the products fit into the type.
    #[inline]
    fn with(self, other: Self) -> Self {
        Self {
            even: self.even * other.even + self.odd * other.odd,
            odd: self.even * other.odd + self.odd * other.even,
        }
    }
}

/// Weight of a state: the numbers of choices with an even and an odd number of odd connections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ByParity<N> {
    even: N,
    odd: N,
}

macro_rules! by_parity {
    ($number:ty) => {
        impl Weight for ByParity<$number> {
            const ONE: Self = Self { even: 1, odd: 0 };
            type Factor = Connections;

            #[inline]
            fn add(&mut self, other: Self) -> bool {
                let (even, even_over) = self.even.overflowing_add(other.even);
                let (odd, odd_over) = self.odd.overflowing_add(other.odd);
                *self = Self { even, odd };
                !even_over && !odd_over
            }

            #[inline]
            fn times(self, factor: Connections) -> Option<Self> {
                let [even, odd] = [factor.even, factor.odd].map(<$number>::from);
                let sum = |a: $number, b: $number, c: $number, d: $number| {
                    a.checked_mul(b)?.checked_add(c.checked_mul(d)?)
                };
                Some(Self {
                    even: sum(self.even, even, self.odd, odd)?,
                    odd: sum(self.even, odd, self.odd, even)?,
                })
            }
        }

        impl From<ByParity<$number>> for [BigUint; 2] {
            fn from(weight: ByParity<$number>) -> Self {
                [weight.even.into(), weight.odd.into()]
            }
        }
    };
}

by_parity!(u64);
by_parity!(u128);

/// Weighted cycles, with statistics of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::count) struct Cycles {
    /// Number of choices with an even number of odd connections, summed over all Hamiltonian cycles.
    pub(in crate::count) even: BigUint,
    /// Number of choices with an odd number of odd connections.
    pub(in crate::count) odd: BigUint,
    pub(in crate::count) peak_states: usize,
    pub(in crate::count) peak_bytes: u64,
    pub(in crate::count) generated: u64,
    pub(in crate::count) width: usize,
}

impl Cycles {
    /// Returns the result for a graph without cycles, or before the first graph.
    pub(in crate::count) fn none() -> Self {
        Self {
            even: BigUint::ZERO,
            odd: BigUint::ZERO,
            peak_states: 0,
            peak_bytes: 0,
            generated: 0,
            width: 0,
        }
    }

    /// Returns the statistics of this run and of another run after it, with the given count.
    pub(in crate::count) fn and(&self, other: &Self, count: BigUint) -> Exact {
        Exact {
            count,
            peak_states: self.peak_states.max(other.peak_states),
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
            generated: self.generated + other.generated,
            width: self.width.max(other.width),
            scratch_bytes: 0,
        }
    }
}

/// Sums the weights of the Hamiltonian cycles of a graph. `connections` gives the weight of each edge, and `name` the
/// graph's name in errors. Calls `progress` before every vertex.
pub(in crate::count) fn cycles(
    name: &str,
    graph: &Graph,
    connections: &dyn Fn(Vertex, Vertex) -> Connections,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Cycles, ExactError> {
    if graph.n_vertices() < 3 {
        return Ok(Cycles::none());
    }
    let sweep = narrow(name, graph)?;
    let watch = Budget::new(options.deadline, options.stop.clone());
    let completable = completable(&sweep, options, &watch)?;
    let mut run = Run {
        sweep: &sweep,
        completable: &completable,
        connections,
        watch,
        options,
        progress,
    };
    let mut counted = match sweep.slots() <= u64::SLOTS {
        true => run.counted::<u64, ByParity<u64>>(None),
        false => run.counted::<u128, ByParity<u64>>(None),
    };
    // Larger numbers need more memory, so they are used only if necessary.
    if matches!(counted, Err(ExactError::TooMany(_))) {
        counted = match sweep.slots() <= u64::SLOTS {
            true => run.counted::<u64, ByParity<u128>>(None),
            false => run.counted::<u128, ByParity<u128>>(None),
        };
    }
    counted
}

/// Returns a sweep over a graph, along a vertex order that keeps the frontiers narrow.
fn narrow(name: &str, graph: &Graph) -> Result<Sweep, TooWide> {
    let order = of_graph(graph);
    let width = width(graph, &order);
    if width > u128::SLOTS {
        return Err(TooWide {
            instance: name.to_owned(),
            width,
            most: u128::SLOTS,
        });
    }
    let key = |v: Vertex| (0, i64::from(v.number()));
    Ok(Sweep::along(graph.clone(), &order, None, &key, None))
}

fn completable(
    sweep: &Sweep,
    options: &Options,
    watch: &Budget,
) -> Result<Completable, ExactError> {
    if !options.prune {
        return Ok(Completable::Unknown);
    }
    let completable = Completable::new(sweep, options.memory, watch);
    completable.ok_or_else(|| ExactError::Time {
        at: Progress::before(sweep),
    })
}

/// Number of a choice: of a cycle, and of a connection for each of its edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::count) struct Rank {
    /// True if the number of odd connections is odd.
    pub(in crate::count) is_odd: bool,
    /// 0-based number among the choices whose number of odd connections has this parity.
    pub(in crate::count) number: u128,
}

/// Edge of a cycle, with the number of the connection chosen for it. The connections of an edge are numbered from 0,
/// the even ones first.
pub(in crate::count) type Chosen = (Vertex, Vertex, u8);

type KeptLayer = Layer<u128, ByParity<u128>>;

/// Layers of a sweep, from which cycles can be found by their numbers.
pub(in crate::count) struct Kept {
    sweep: Sweep,
    completable: Completable,
    /// Entry t: the states after t vertices. No entries if the graph has fewer than three vertices.
    layers: Vec<KeptLayer>,
    pub(in crate::count) cycles: Cycles,
}

impl Kept {
    /// Sweeps over a graph like [`cycles`], on one thread so that numbers do not depend on the machine, and keeps all
    /// layers.
    pub(in crate::count) fn new(
        name: &str,
        graph: &Graph,
        connections: &dyn Fn(Vertex, Vertex) -> Connections,
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Self>, ExactError> {
        if graph.n_vertices() < 3 {
            return Ok(None);
        }
        let sweep = narrow(name, graph)?;
        let watch = Budget::new(options.deadline, options.stop.clone());
        let completable = completable(&sweep, options, &watch)?;
        let options = Options {
            threads: 1,
            ..options.clone()
        };
        let mut layers = Vec::new();
        let mut run = Run {
            sweep: &sweep,
            completable: &completable,
            connections,
            watch,
            options: &options,
            progress,
        };
        let cycles = run.counted::<u128, ByParity<u128>>(Some(&mut layers))?;
        Ok(Some(Self {
            sweep,
            completable,
            layers,
            cycles,
        }))
    }

    /// Returns the choices with these numbers, each as a list of edges. The numbers must be less than the counts.
    pub(in crate::count) fn find(
        &self,
        ranks: &[Rank],
        connections: &dyn Fn(Vertex, Vertex) -> Connections,
    ) -> Vec<Vec<Chosen>> {
        let mut found = vec![Vec::new(); ranks.len()];
        let mut ranks = ranks.to_vec();
        let mut wanted: HashMap<Degrees, HashMap<u128, Vec<usize>>> = HashMap::new();
        // The last layer has at most one state.
        wanted.insert(
            Degrees::NONE,
            HashMap::from([(u128::NONE, (0..ranks.len()).collect())]),
        );
        for t in (0..self.layers.len().saturating_sub(1)).rev() {
            let mut before: HashMap<Degrees, HashMap<u128, Vec<usize>>> = HashMap::new();
            let step = self.sweep.step(t);
            for group in self.layers[t].groups() {
                let mut visit = |Choice { target, by, edges }: Choice| {
                    let Some(targets) = wanted.get_mut(&target) else {
                        return;
                    };
                    let edges: Vec<_> = edges.into_iter().flatten().collect();
                    let later: Vec<_> = edges.iter().map(|&k| step.later[k].vertex).collect();
                    let options = choices_of(step.vertex, &later, connections);
                    for &(matching, weight) in &group.states {
                        let child = by.apply(matching, !target.has_paths());
                        let Some(open) = child.and_then(|child| targets.get_mut(&child)) else {
                            continue;
                        };
                        open.retain(|&k| {
                            let rank = &mut ranks[k];
                            for (chosen, is_odd) in &options {
                                let was_odd = rank.is_odd != *is_odd;
                                let ways = if was_odd { weight.odd } else { weight.even };
                                if rank.number >= ways {
                                    rank.number -= ways;
                                    continue;
                                }
                                rank.is_odd = was_odd;
                                found[k].extend_from_slice(chosen);
                                let states = before.entry(group.degrees).or_default();
                                states.entry(matching).or_default().push(k);
                                return false;
                            }
                            true
                        });
                    }
                };
                choices(&self.sweep, &self.completable, t, group.degrees, &mut visit);
            }
            wanted = before;
        }
        found
    }
}

/// Returns all choices of connections for the edges from v to the vertices `later`. The flag of a choice is true if its
/// number of odd connections is odd.
fn choices_of(
    v: Vertex,
    later: &[Vertex],
    connections: &dyn Fn(Vertex, Vertex) -> Connections,
) -> Vec<(Vec<Chosen>, bool)> {
    let mut all = vec![(Vec::new(), false)];
    for &w in later {
        let Connections { even, odd } = connections(v, w);
        let longer = all.iter().flat_map(|(chosen, is_odd)| {
            (0..even + odd).map(move |k| {
                let chosen = chosen.iter().copied().chain([(v, w, k)]);
                (chosen.collect(), *is_odd != (k >= even))
            })
        });
        all = longer.collect();
    }
    all
}

struct Run<'a> {
    sweep: &'a Sweep,
    completable: &'a Completable,
    connections: &'a dyn Fn(Vertex, Vertex) -> Connections,
    watch: Budget,
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress),
}

impl Run<'_> {
    /// Sums the weights of all cycles. Appends all layers to `kept`, if given.
    fn counted<M, C>(
        &mut self,
        mut kept: Option<&mut Vec<Layer<M, C>>>,
    ) -> Result<Cycles, ExactError>
    where
        M: Matching,
        C: Weight<Factor = Connections> + Into<[BigUint; 2]>,
    {
        let sweep = self.sweep;
        let pass = Pass {
            sweep,
            completable: self.completable,
            options: self.options,
            watch: &self.watch,
            // Both numbers of a weight have the same width.
            bits: size_of::<C>() * 4,
        };
        let connections = self.connections;
        let factors = |t| -> Vec<_> {
            let step = sweep.step(t);
            let later = step.later.iter().map(|seat| seat.vertex);
            later.map(|w| connections(step.vertex, w)).collect()
        };
        let mut peak_states = 1;
        let (layer, usage) = pass.run(factors, |at, layer: &Layer<M, C>, usage| {
            peak_states = peak_states.max(at.states);
            (self.progress)(at);
            if let Some(kept) = &mut kept {
                kept.push(layer.clone());
                usage.add(layer.bytes());
            }
        })?;
        let mut cycles = Cycles {
            peak_states,
            peak_bytes: usage.peak(),
            generated: usage.children(),
            width: sweep.slots(),
            ..Cycles::none()
        };
        for weight in layer.weights() {
            let [even, odd] = weight.into();
            cycles.even += even;
            cycles.odd += odd;
        }
        if let Some(kept) = kept {
            kept.push(layer);
        }
        Ok(cycles)
    }
}
