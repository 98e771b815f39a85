//! Pieces of a graph and the ways in which a Hamiltonian cycle can visit them, for graphs that are too wide for dynamic
//! programming on the whole graph.
//!
//! A [partial](Elimination::partial) elimination ends when every remaining vertex has many neighbours. The remaining
//! vertices are the *core*. The eliminated vertices fall into pieces, each of which is adjacent to few core vertices. A
//! *way* through a piece is a set of paths that together visit all of its vertices and end in the core. For the rest of
//! the graph, only two facts about a way matter: the ends of its paths, and the core vertices inside its paths. So the
//! graph reduces to a smaller graph, the core, with a short list of ways for each piece. A Hamiltonian cycle takes
//! exactly one way through each piece. The tables store with each state the two states that it was joined from (its
//! origin). The origins give the edges of the graph that a way stands for.
//!
//! The list of ways for each piece is reduced to a basis (`rank.rs`). If the graph has Hamiltonian cycles, at least one
//! of them remains possible after each reduction.

use hamcnf_graph::{Graph, Vertex};

use super::find::{Bases, Origins};
use super::order::Elimination;
use super::state::slots_of;
use super::sweep::{Source, Sweep, Swept};
use super::table::Meter;
use hamcnf_graph::budget::{Budget, Stopped};

/// Way through a piece of eliminated vertices: a set of paths that together visit all vertices of the piece. The paths
/// are described by the core vertices at their ends and the core vertices inside them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// Both ends of each path, which are core vertices. All ends in a way are different.
    pub paths: Vec<[Vertex; 2]>,
    /// Core vertices inside the paths. Both cycle edges at such a vertex lead to this piece.
    pub passed: Vec<Vertex>,
}

/// Pieces of a partial elimination, the ways through each piece, and the data needed to find the edges of chosen ways.
pub struct Pieces<'a> {
    sweep: Sweep<'a>,
    origins: Origins,
    sources: Vec<Source>,
    ways: Vec<Vec<Way>>,
}

/// Returns the pieces into which the eliminated vertices of a partial elimination fall, and the ways through each piece
/// (see [`Way`]). Returns `None` if some piece has no way. Then the graph has no Hamiltonian cycle.
///
/// # Errors
///
/// Returns [`Stopped::GaveUp`] if a piece may touch all core vertices, if more slots are needed than a state has, or if
/// a table has more than `states` states. Otherwise returns the reason why the budget stopped the work.
///
/// # Panics
///
/// Never panics: the states of a table only refer to vertices in its bag.
pub fn pieces<'a>(
    graph: &'a Graph,
    order: &'a Elimination,
    states: u64,
    budget: &Budget,
) -> Result<Option<Pieces<'a>>, Stopped> {
    // A piece that touches all vertices of the core could contain the whole cycle.
    if order.core().len() <= order.width() as usize + 1 {
        return Err(Stopped::GaveUp);
    }
    let mut meter = Meter::new(budget, states);
    let sweep = Sweep::new(graph, order, &mut meter)?;
    let mut tables = Bases::new(&mut meter);
    let parts = match sweep.run::<u128, _>(&mut tables)? {
        Swept::Nothing => return Ok(None),
        Swept::Pieces(parts) => parts,
        Swept::Whole(_) => return Err(Stopped::GaveUp),
    };
    let mut sources = Vec::with_capacity(parts.len());
    let mut ways = Vec::with_capacity(parts.len());
    for (bag, table) in parts {
        let named = |slot: u32| {
            let there = bag.iter().find(|&&v| sweep.slot(v) == slot);
            *there.expect("states contain only vertices of the bag")
        };
        let states = table.states.states().iter();
        let way = states.map(|&state| {
            let pattern = state.pattern();
            let ends = slots_of(pattern.ends());
            let pairs = ends.map(|slot| [slot, state.mate(slot)]);
            Way {
                paths: pairs.filter(|[a, b]| a < b).map(|pair| pair.map(named)).collect(),
                passed: slots_of(pattern.full).map(named).collect(),
            }
        });
        ways.push(way.collect());
        sources.push(table.source);
    }
    Ok(Some(Pieces { origins: tables.origins, sweep, sources, ways }))
}

impl Pieces<'_> {
    /// Returns, for each piece of the graph, the ways in which a Hamiltonian cycle can visit its vertices (see
    /// [`Way`]). Each piece has at least one way.
    pub fn ways(&self) -> &[Vec<Way>] {
        &self.ways
    }

    /// Returns the edges of the graph that the paths of the chosen ways consist of. A Hamiltonian cycle takes one way
    /// through each piece: `chosen[k]` is the index of the way through piece k, in entry k of [`Self::ways`].
    pub fn edges(&self, chosen: &[usize]) -> Vec<[Vertex; 2]> {
        let sources = self.sources.iter().zip(chosen);
        let back = sources.map(|(&source, &way)| (source, way as u32));
        let mut edges = Vec::new();
        self.origins.edges::<u128>(&self.sweep, back.collect(), &mut |v, u| edges.push([v, u]));
        edges
    }
}
