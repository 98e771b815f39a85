//! What parts of a graph can contribute to a Hamiltonian cycle, where the whole is too wide for tables.
//!
//! A [partial](Elimination::partial) elimination ends when every vertex that is left, of the *core*, has many neighbours.
//! What has been eliminated by then falls into pieces, each of which touches few vertices of the core; and all that
//! matters of a piece are its ways through: paths that together visit all of its vertices, given by the ends that
//! they have in the core and by the vertices there that they pass. So a graph is a smaller one, its core, with a short list
//! of ways for each piece, of which exactly one is taken; what is found there says, by where the states came from, which
//! edges of the graph are meant.
//!
//! The lists are reduced to a basis (`rank.rs`), one piece after the other: each time some cycle remains if there was
//! one.

use hamcnf_encodings::{Graph, Vertex};

use super::Options;
use super::find::{Bases, Origins, Source};
use super::order::Elimination;
use super::state::slots_of;
use super::sweep::{Sweep, Swept};
use super::table::Meter;
use crate::budget::{Budget, Stopped};

/// One way through a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// The ends of its paths in the core. They are different, over all paths of a way.
    pub paths: Vec<[Vertex; 2]>,
    /// The vertices of the core that its paths pass: they have both of their edges here.
    pub passed: Vec<Vertex>,
}

/// The pieces of a partial elimination, and where their ways came from.
pub struct Pieces<'a> {
    sweep: Sweep<'a>,
    origins: Origins,
    sources: Vec<Source>,
    ways: Vec<Vec<Way>>,
}

/// The pieces of a graph; `None` where one has no way through, and so the graph no Hamiltonian cycle.
///
/// # Errors
///
/// [`Stopped::GaveUp`] where the core has no more vertices than one piece may touch, or too many to be told apart, or where
/// a table has more states than the options allow; and else the reason why the budget stopped it.
///
/// # Panics
///
/// Never: states are about vertices of the bag.
pub fn pieces<'a>(
    graph: &'a Graph,
    order: &'a Elimination,
    options: &Options,
    budget: &Budget,
) -> Result<Option<Pieces<'a>>, Stopped> {
    // A piece that touched all of the core might hold the whole cycle.
    if order.core().len() <= order.width() as usize + 1 {
        return Err(Stopped::GaveUp);
    }
    let mut meter = Meter::new(budget, options.states);
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
            *there.expect("states are about vertices of the bag")
        };
        let states = table.states.states().iter();
        let way = states.map(|&state| {
            let pattern = state.pattern();
            let ends = slots_of(pattern.ends());
            let pairs = ends.map(|slot| [slot, state.mate(slot)]);
            Way {
                paths: pairs
                    .filter(|[a, b]| a < b)
                    .map(|pair| pair.map(named))
                    .collect(),
                passed: slots_of(pattern.full).map(named).collect(),
            }
        });
        ways.push(way.collect());
        sources.push(table.source);
    }
    Ok(Some(Pieces {
        origins: tables.origins,
        sweep,
        sources,
        ways,
    }))
}

impl Pieces<'_> {
    /// The ways through each piece, one at least.
    #[must_use]
    pub fn ways(&self) -> &[Vec<Way>] {
        &self.ways
    }

    /// The edges of the graph that these ways stand for, one number a piece.
    #[must_use]
    pub fn edges(&self, chosen: &[usize]) -> Vec<[Vertex; 2]> {
        let sources = self.sources.iter().zip(chosen);
        let back = sources.map(|(&source, &way)| (source, way as u32));
        let mut edges = Vec::new();
        self.origins
            .edges::<u128>(&self.sweep, back.collect(), &mut |v, u| edges.push([v, u]));
        edges
    }
}
