//! Longest cycle or path of a graph: searches for a [circuit](crate::circuit) whose vertices may all be skipped, each with
//! more vertices than the last, until one is refuted.
//!
//! A sorting network has the visited vertices as inputs: if its output k is true, at least k of the inputs are. The search
//! continues in the same solver, and each better circuit adds one output as a unit clause.
//!
//! In a bipartite graph, a cycle has as many vertices of each colour, so the search often ends without a proof by the solver.
//!
//! # References
//!
//! - Kenneth Batcher: *Sorting Networks and their Applications*, AFIPS 1968: the odd-even merge sort.
//! - Roberto Asín, Robert Nieuwenhuis, Albert Oliveras, Enric Rodríguez-Carbonell: *Cardinality Networks: a Theoretical and
//!   Empirical Study*, Constraints 16, 2011.

use hamcnf_encodings::Lit;
use hamcnf_encodings::circuit::{CircuitError, CircuitModel, Visits};
use hamcnf_graph::Vertex;
use hamcnf_tours::Instance;
use hamcnf_tours::endpoints::Endpoints;

use super::circuit::Search;
use super::{Budget, Found, Stopped};

/// Longest cycle or path that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Longest {
    /// Vertices in order; empty if none was found.
    pub order: Vec<Vertex>,
    /// Limit that ended the search; `None` if there is no longer cycle or path.
    pub stopped: Option<Stopped>,
}

/// Searches for a longest cycle, or for a longest path with these ends. Calls `better` with the number of vertices of each
/// cycle or path that is found. `seed` is the seed of CaDiCaL, from 0 to 2·10⁹.
///
/// # Errors
///
/// [`CircuitError`] if the ends are contradictory.
pub fn longest(
    instance: &Instance,
    ends: Endpoints,
    seed: u32,
    budget: &Budget,
    better: &mut dyn FnMut(usize),
) -> Result<Longest, CircuitError> {
    let (model, visited) = CircuitModel::of_subgraph(instance, ends);
    let mut search = Search::new(&model, seed, budget)?;
    let most = most_vertices(instance, ends);
    let (mut order, mut at_least, mut stopped) = (Vec::new(), Vec::new(), None);
    while order.len() < most && stopped.is_none() {
        // The first search needs no network.
        if !order.is_empty() && at_least.is_empty() {
            match sorted(&mut search, visited.clone(), budget) {
                Ok(outputs) => at_least = outputs,
                Err(limit) => {
                    stopped = Some(limit);
                    break;
                }
            }
        }
        if let Some(&more) = at_least.get(order.len()) {
            search.add(&[more]);
        }
        match search.search() {
            Found::Cycle(values) => {
                let visits = model.circuit.read(|literal| values[literal.vidx()] == literal.is_pos());
                let Ok(Visits::Circuit(found) | Visits::Path(found)) = visits else {
                    unreachable!("the propagator accepts only circuits and paths")
                };
                order = found.into_iter().map(Vertex::new).collect();
                better(order.len());
            }
            Found::NoCycle => break,
            Found::Unknown(limit) => stopped = Some(limit),
        }
    }
    Ok(Longest { order, stopped })
}

/// Adds a sorting network to a search. Returns its outputs.
fn sorted(search: &mut Search<'_>, mut literals: Vec<Lit>, budget: &Budget) -> Result<Vec<Lit>, Stopped> {
    /// Number of comparators after which the budget is checked.
    const PER_CHECK: usize = 1000;
    for (k, [first, second]) in comparators(literals.len()).enumerate() {
        if k % PER_CHECK == 0 {
            budget.check()?;
        }
        let [a, b] = [literals[first], literals[second]];
        let [either, both] = [search.fresh(), search.fresh()];
        let clauses: [&[Lit]; 3] = [&[!either, a, b], &[!both, a], &[!both, b]];
        clauses.into_iter().for_each(|clause| search.add(clause));
        (literals[first], literals[second]) = (either, both);
    }
    Ok(literals)
}

/// Returns the comparators of Batcher's network for `n` inputs, in order: pairs of places, of which the first gets the
/// greater value.
fn comparators(n: usize) -> impl Iterator<Item = [usize; 2]> {
    let powers = |below: usize| (0..usize::BITS).map(|k| 1 << k).take_while(move |&power| power < below);
    let steps = powers(n).flat_map(move |run| {
        let steps: Vec<usize> = powers(run + 1).collect();
        steps.into_iter().rev().map(move |step| (run, step))
    });
    steps.flat_map(move |(run, step)| {
        let firsts = (step % run..n).step_by(2 * step).flat_map(move |from| from..from + step);
        let pairs = firsts.map(move |first| [first, first + step]).take_while(move |[_, second]| *second < n);
        pairs.filter(move |[first, second]| first / (2 * run) == second / (2 * run))
    })
}

/// Returns an upper bound on the number of vertices. In a bipartite graph, the colours of the vertices alternate.
fn most_vertices(instance: &Instance, ends: Endpoints) -> usize {
    let n = instance.n() as usize;
    let Some(odd) = instance.odd() else { return n };
    let of = |colour: bool| odd.iter().filter(|&&is_odd| is_odd == colour).count();
    let cycle = 2 * of(false).min(of(true));
    let Endpoints::Open { from, to } = ends else { return cycle };
    let may_be = |end: Option<Vertex>, colour: bool| end.is_none_or(|v| odd[v.index()] == colour);
    // A path whose ends have the same colour has one more vertex of this colour.
    let same = [false, true].into_iter().filter(|&colour| may_be(from, colour) && may_be(to, colour));
    let same = same.map(|colour| (2 * of(colour)).saturating_sub(1).min(2 * of(!colour) + 1)).max();
    let differ = [false, true].into_iter().any(|colour| may_be(from, colour) && may_be(to, !colour));
    same.max(differ.then_some(cycle)).unwrap_or(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_sort_all_zeros_and_ones() {
        for n in 0..=12 {
            for inputs in 0u32..1 << n {
                let mut values: Vec<bool> = (0..n).map(|k| inputs >> k & 1 == 1).collect();
                for [first, second] in comparators(n) {
                    (values[first], values[second]) = (values[first] | values[second], values[first] & values[second]);
                }
                assert!(values.is_sorted_by(|a, b| a >= b), "{n} {inputs:b}");
            }
        }
    }
}
