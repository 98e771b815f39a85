//! Longest cycle or path of a graph: searches for a [circuit](crate::circuit) whose vertices may all be skipped, each with
//! more vertices than the last, until one is refuted.
//!
//! In a bipartite graph, a cycle has as many vertices of each colour, so the search often ends without a proof by the solver.

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
    let mut model = CircuitModel::of_subgraph(instance, ends);
    let most = most_vertices(instance, ends);
    let mut order = Vec::new();
    let mut stopped = None;
    while order.len() < most && stopped.is_none() {
        if let Some(limit) = budget.over() {
            stopped = Some(limit);
            break;
        }
        model.circuit.at_least(order.len() as u32 + 1);
        let mut search = match Search::new(&model, seed, budget) {
            Ok(search) => search,
            // The counter of vertices grows with the cycle.
            Err(_) if !order.is_empty() => {
                stopped = Some(Stopped::Memory);
                break;
            }
            Err(error) => return Err(error),
        };
        match search.search() {
            Found::Cycle(values) => {
                let visits = model.circuit.read(|literal| values[literal.vidx()] == literal.is_pos());
                let Ok(Visits::Circuit(found) | Visits::Path(found)) = visits else {
                    unreachable!("the propagator accepts only circuits and paths")
                };
                order = found.into_iter().map(Vertex::new).collect();
                better(order.len());
            }
            Found::None => break,
            Found::Nothing(limit) => stopped = Some(limit),
        }
    }
    Ok(Longest { order, stopped })
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
