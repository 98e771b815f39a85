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

use hamcnf_graph::{Graph, Vertex};
use num_bigint::BigUint;

use crate::frontier::answer::expected::expected;
use crate::frontier::answer::options::{ExactError, Options};
use crate::frontier::order::{of_graph, width};
use crate::frontier::state::{Completable, Degrees, Matching, Tables, WideMatching};
use crate::frontier::step::{Along, Choice, Position, choices, packed};
use crate::frontier::store::Usage;
use crate::frontier::sweep::{Counted, Question, Sweep, TooWide};
use crate::frontier::{Exact, Progress};

pub(crate) use crate::frontier::state::polynomial::Connections;

/// Returns the question about the number of choices for the Hamiltonian cycles of a graph with at least three vertices.
/// `connections` gives the weight of each edge. The name of the question is for messages.
pub(crate) fn question(
    name: &str,
    graph: &Graph,
    connections: &dyn Fn(Vertex, Vertex) -> Connections,
    counted: Counted,
    directions: u32,
) -> Result<Question, TooWide> {
    let order = of_graph(graph);
    let width = width(graph, &order);
    if width > Degrees::SLOTS {
        return Err(TooWide { instance: name.to_owned(), width, most: Degrees::SLOTS });
    }
    let key = |v: Vertex| (0, i64::from(v.number()));
    let sweep = Sweep::along(graph.clone(), &order, None, &key, None);
    Ok(Question { name: name.to_owned(), sweep: sweep.weighted(connections), counted, directions })
}

/// Number of a choice: of a cycle, and of a connection for each of its edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ChoiceNumber {
    /// True if the number of odd connections is odd.
    pub(crate) is_odd: bool,
    /// 0-based number among the choices whose number of odd connections has this parity.
    pub(crate) number: BigUint,
}

/// Edge of a cycle, with the number of the connection chosen for it. The connections of an edge are numbered from 0,
/// the even ones first.
pub(crate) type Chosen = (Vertex, Vertex, u8);

/// Layers of a sweep, from which cycles can be found by their numbers.
pub(crate) struct Kept {
    sweep: Sweep,
    completable: Completable,
    /// Entry t: the states after t vertices.
    layers: Vec<Position>,
    /// Numbers of choices with an even and with an odd number of odd connections.
    pub(crate) choices: [BigUint; 2],
    /// Answer to the question.
    pub(crate) exact: Exact,
}

impl Kept {
    /// Sweeps over the graph of a question with weights, and keeps all layers. The sweep uses one thread, so that
    /// numbers do not depend on the machine, and neither temporary files nor checkpoints. `held` is the number of bytes
    /// that other sweeps occupy.
    pub(crate) fn new(
        question: &Question,
        options: &Options,
        held: u64,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, ExactError> {
        let sweep = &question.sweep;
        let (options, limit) = (&options.in_memory(), options.memory);
        let completable = options.completable(sweep, held)?;
        let before = expected(question, &[(sweep, &completable)], options)?;
        let for_states = options.for_states(held + Completable::bytes([&completable]));
        let usage = Usage::new(1, for_states, options.budget.clone());
        let tables = Tables::new();
        let mut position = Position::first(sweep, &usage);
        let mut layers = Vec::new();
        let mut peak_states = 0;
        let mut at = before;
        for t in 0..=sweep.n() {
            peak_states = peak_states.max(position.states());
            usage.add(position.in_memory());
            layers.push(position.clone());
            if t == sweep.n() {
                break;
            }
            at = Progress { layer: t, states: position.states(), bytes: usage.bytes(), ..before };
            progress(at);
            let along = Along { sweep, completable: &completable, tables: &tables, modulus: None };
            let advanced = position.advance(along, &usage, &|| false);
            advanced.map_err(|error| ExactError::of_layer(error, limit, at, &usage))?;
        }
        let choices = position.sum().map_err(|error| ExactError::of_layer(usage.unread(error), limit, at, &usage))?;
        let exact = Exact {
            count: question.tours(&choices),
            peak_states,
            peak_bytes: usage.peak(),
            generated: usage.children(),
            width: sweep.slots(),
            sweeps: 1,
            ..Exact::default()
        };
        Ok(Self {
            sweep: sweep.clone(),
            completable,
            layers,
            choices: [0, 1].map(|k| choices.get(k).cloned().unwrap_or_default()),
            exact,
        })
    }

    /// Returns the number of bytes that the layers and the sets for pruning occupy.
    pub(crate) fn bytes(&self) -> u64 {
        self.exact.peak_bytes + Completable::bytes([&self.completable])
    }

    /// Returns the choices with these numbers, each as a list of edges. The numbers must be less than the counts.
    pub(crate) fn find(
        &self,
        ranks: &[ChoiceNumber],
        connections: &dyn Fn(Vertex, Vertex) -> Connections,
    ) -> Vec<Vec<Chosen>> {
        let mut found = vec![Vec::new(); ranks.len()];
        let mut ranks = ranks.to_vec();
        let mut wanted: HashMap<Degrees, HashMap<WideMatching, Vec<usize>>> = HashMap::new();
        // The last layer has at most one state.
        wanted.insert(Degrees::NONE, HashMap::from([(WideMatching::NONE, (0..ranks.len()).collect())]));
        for t in (0..self.sweep.n()).rev() {
            let mut before: HashMap<Degrees, HashMap<WideMatching, Vec<usize>>> = HashMap::new();
            let step = self.sweep.step(t);
            let mut visit = |group: packed::Group<'_>| {
                let mut states = None;
                choices(&self.sweep, &self.completable, t, group.degrees(), |choice| {
                    let Choice { target, by, edges } = choice;
                    let Some(targets) = wanted.get_mut(&target) else {
                        return;
                    };
                    let edges: Vec<_> = edges.into_iter().flatten().collect();
                    let later: Vec<_> = edges.iter().map(|&k| step.later[k].vertex).collect();
                    let options = choices_of(step.vertex, &later, connections);
                    for (matching, weight) in states.get_or_insert_with(|| group.states()) {
                        let child = by.apply(*matching, !target.has_paths());
                        let Some(open) = child.and_then(|child| targets.get_mut(&child)) else {
                            continue;
                        };
                        open.retain(|&k| {
                            let rank = &mut ranks[k];
                            for (chosen, is_odd) in &options {
                                let was_odd = rank.is_odd != *is_odd;
                                let ways = &weight[usize::from(was_odd)];
                                if rank.number >= *ways {
                                    rank.number -= ways;
                                    continue;
                                }
                                rank.is_odd = was_odd;
                                found[k].extend_from_slice(chosen);
                                let states = before.entry(group.degrees()).or_default();
                                states.entry(*matching).or_default().push(k);
                                return false;
                            }
                            true
                        });
                    }
                });
            };
            self.layers[t].for_each_group(&self.sweep, &mut visit).expect("all layers are in memory");
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
