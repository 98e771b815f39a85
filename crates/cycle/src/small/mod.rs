//! Hamiltonian cycles and paths of small graphs, for streams of many graphs. A graph of ten vertices takes less than a
//! microsecond.
//!
//! The following methods are tried in this order, until one of them decides whether a cycle exists:
//!
//! 1. `recent.rs`: cycles of earlier graphs, if the graph belongs to a stream.
//! 2. `extension.rs`: extension of a path at both ends, up to a maximum number of search nodes. After the first nodes, a
//!    test of two colours: a bipartite graph whose sides have different sizes has no cycle.
//! 3. `rotations.rs`: extension and rotation of a path, which finds a cycle of most graphs that have one.
//! 4. `forced.rs`: backtracking with forced edges, up to a maximum number of search nodes.
//! 5. `subsets.rs`: dynamic programming over subsets, for at most 24 vertices. Its time does not depend on the edges.
//!
//! A larger graph may remain undecided; [`portfolio`](crate::portfolio) decides it. A graph has a Hamiltonian path if
//! adding a vertex that is adjacent to all others gives a graph with a Hamiltonian cycle.
//!
//! The last two methods also count cycles. The last method also handles digraphs.

mod extension;
mod forced;
mod recent;
mod rotations;
mod subsets;

#[cfg(test)]
pub(super) mod tests;

use hamcnf_graph::masks::{Masks, bits};
use hamcnf_graph::{Digraph, Triangle};

use self::extension::{CycleEdges, Extension};
use self::forced::Listing;
use self::recent::RecentCycles;
use self::subsets::{Neighbours, Tables};
use hamcnf_graph::budget::{Budget, Stopped};

/// Maximum number of vertices of a digraph that [`SmallSearch`] accepts.
pub const MOST_DIRECTED: u32 = subsets::MOST_COUNTED;

/// Maximum number of nodes of the backtracking search in graphs that are too large for dynamic programming over
/// subsets.
const NODES: u64 = 100_000;

/// Returns the maximum number of nodes of the backtracking search in a graph of `n` vertices. Beyond this number,
/// dynamic programming over subsets is faster: a node takes about as long as 100 steps of the dynamic program.
fn nodes(n: u32) -> u64 {
    match n {
        0..=subsets::MOST => 8 + (u64::from(n) << n) / 400,
        _ => NODES,
    }
}

/// Search for Hamiltonian cycles of small graphs. Reuses its memory from graph to graph.
#[derive(Clone, Default, Debug)]
pub struct SmallSearch {
    tables: Tables,
    recent: RecentCycles,
}

impl SmallSearch {
    /// Returns true if the graph has a Hamiltonian cycle. Graphs with fewer than three vertices have none.
    ///
    /// # Errors
    ///
    /// Returns the reason why the budget ended the search, or [`Stopped::GaveUp`] if the search did not decide. The
    /// search never gives up on graphs of at most 24 vertices.
    pub fn has_cycle(&mut self, graph: &Masks, budget: &Budget) -> Result<bool, Stopped> {
        self.find(graph, budget).map(|(has_cycle, _)| has_cycle)
    }

    /// Returns true if a graph of a stream has a Hamiltonian cycle. First tries the cycles of earlier graphs. `masks`
    /// returns the same graph as `graph`, and is called only if none of these cycles is a cycle of the graph.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`has_cycle`](Self::has_cycle).
    pub fn has_cycle_in_stream<'g>(
        &mut self,
        graph: &Triangle,
        masks: impl FnOnce() -> &'g Masks,
        budget: &Budget,
    ) -> Result<bool, Stopped> {
        if self.recent.has_cycle_of(graph) {
            return Ok(true);
        }
        let (has_cycle, edges) = self.find(masks(), budget)?;
        if let Some(edges) = edges {
            self.recent.keep(graph, &edges);
        }
        Ok(has_cycle)
    }

    /// Returns true if the graph has a Hamiltonian cycle, and the edges of the cycle if the search by extension found it.
    fn find(&mut self, graph: &Masks, budget: &Budget) -> Result<(bool, Option<CycleEdges>), Stopped> {
        match extension::find(graph, extension::NODES) {
            Extension::Cycle(edges) => return Ok((true, Some(edges))),
            Extension::NoCycle => return Ok((false, None)),
            Extension::TooLong => {}
        }
        if rotations::find(graph).is_some() {
            return Ok((true, None));
        }
        let n = graph.n();
        let has_cycle = match forced::count(graph, &[], 1, nodes(n), budget)? {
            Listing::All(found) => found > 0,
            Listing::Enough => true,
            Listing::TooLong if n <= subsets::MOST => self.tables.has_cycle(&Neighbours::of_graph(graph), budget)?,
            Listing::TooLong => return Err(Stopped::GaveUp),
        };
        Ok((has_cycle, None))
    }

    /// Returns the number of Hamiltonian cycles, but at most `most`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`has_cycle`](Self::has_cycle). The search may give up on graphs of more than 20 vertices.
    pub fn count_cycles(&mut self, graph: &Masks, most: u64, budget: &Budget) -> Result<u64, Stopped> {
        let n = graph.n();
        if most == 0 || n < 3 || graph.rows().iter().any(|row| row.count_ones() < 2) {
            return Ok(0);
        }
        if most == 1 {
            return self.has_cycle(graph, budget).map(u64::from);
        }
        let nodes = match n {
            0..=subsets::MOST_COUNTED => nodes(n),
            _ => NODES.max(most.saturating_mul(2)).min(10 * NODES),
        };
        match forced::count(graph, &[], most, nodes, budget)? {
            Listing::All(found) => Ok(found),
            Listing::Enough => Ok(most),
            Listing::TooLong if n <= subsets::MOST_COUNTED => {
                let directed = self.tables.directed_cycles(&Neighbours::of_graph(graph), budget)?;
                Ok((directed / 2).min(most))
            }
            Listing::TooLong => Err(Stopped::GaveUp),
        }
    }

    /// Returns true if the digraph has a Hamiltonian cycle. Two opposite arcs form a cycle of two vertices.
    ///
    /// # Errors
    ///
    /// Returns the reason why the budget ended the search, or [`Stopped::GaveUp`] if the digraph has more than
    /// [`MOST_DIRECTED`] vertices.
    pub fn has_directed_cycle(&mut self, digraph: &Digraph, budget: &Budget) -> Result<bool, Stopped> {
        match digraph.n_vertices() {
            0 | 1 => Ok(false),
            2..=MOST_DIRECTED => self.tables.has_cycle(&Neighbours::of_digraph(digraph), budget),
            _ => Err(Stopped::GaveUp),
        }
    }

    /// Returns the number of Hamiltonian cycles of a digraph.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`has_directed_cycle`](Self::has_directed_cycle).
    pub fn count_directed_cycles(&mut self, digraph: &Digraph, budget: &Budget) -> Result<u64, Stopped> {
        match digraph.n_vertices() {
            0 | 1 => Ok(0),
            2..=MOST_DIRECTED => self.tables.directed_cycles(&Neighbours::of_digraph(digraph), budget),
            _ => Err(Stopped::GaveUp),
        }
    }
}

/// Returns true if the graph has a Hamiltonian cycle that contains some of its edges, no two of which have a common
/// vertex. Returns `None` if the search is not over after `nodes` nodes.
///
/// # Errors
///
/// Returns the reason why the budget ended the search.
pub fn has_cycle_with(
    graph: &Masks,
    chosen: &[(u32, u32)],
    nodes: u64,
    budget: &Budget,
) -> Result<Option<bool>, Stopped> {
    Ok(match forced::count(graph, chosen, 1, nodes, budget)? {
        Listing::All(found) => Some(found > 0),
        Listing::Enough => Some(true),
        Listing::TooLong => None,
    })
}

/// True if the component of the first vertex is bipartite with sides of different sizes. Then the graph has no
/// Hamiltonian cycle.
fn is_unbalanced(graph: &Masks) -> bool {
    let (mut sides, mut new, mut side) = ([1, 0], 1u64, 0);
    while new != 0 {
        let next = bits(new).fold(0, |next, v| next | graph.row(v));
        if next & sides[side] != 0 {
            return false;
        }
        side = 1 - side;
        new = next & !sides[side];
        sides[side] |= next;
    }
    sides[0].count_ones() != sides[1].count_ones()
}
