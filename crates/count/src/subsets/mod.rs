//! Exact counting of the tours of a small dense graph or digraph, over subsets of its vertices. The time hardly depends
//! on the edges.
//!
//! Let s be a vertex, and m the number of other vertices. For a set A of other vertices and a vertex v outside A and s,
//! let F(A, v) be the number of paths that begin at s, visit exactly the vertices of A, and go on to v. Let B(A, v) be
//! the number of paths that begin at v, visit exactly the vertices of A, and end at s:
//!
//! ```text
//! (1)  F(∅, v) = 1 if there is an arc (s, v), else 0
//! (2)  F(A, v) = Σ F(A ∖ u, u) over u ∈ A with an arc (u, v)
//! (3)  the number of Hamiltonian cycles is Σ F(A, v) · B(V ∖ (A ∪ {s, v}), v) over all v and all A of i vertices
//! ```
//!
//! Equation (3) holds for every i, because the cycle has one vertex after s and i others. With i near m/2, only sets of
//! up to m/2 vertices occur, and the numbers stay small: up to 26 vertices, they fit into 32 bits. B follows from (1)
//! and (2) in the reversed digraph. In an undirected graph, B = F, and A and the rest of the cycle change places if its
//! direction is reversed; so half of the sum suffices. In a bipartite graph, only the sets that alternate between the
//! colours have paths, so only these are in the table. `table.rs` computes F and B layer by layer: at most three layers
//! are in memory.
//!
//! Without a table, inclusion and exclusion over walks counts in the memory of a few vectors (`walks.rs`):
//!
//! ```text
//! (4)  the number of Hamiltonian cycles is Σ (−1)^(m − |S|) · W(S) over all S
//! ```
//!
//! where W(S) is the number of closed walks from s that make m steps to vertices of S, and return.
//!
//! Open tours are closed tours of the digraph with an additional vertex. Forced moves join vertices to *groups*: a path
//! of forced moves is passed as a whole, in one *orientation* or the other. Then s is a group, the sets A are sets of
//! groups, and v is a group with an orientation, a *lane*. Each forced move makes the table smaller (`groups.rs`).
//!
//! # References
//!
//! - Michael Held, Richard Karp: *A Dynamic Programming Approach to Sequencing Problems*, Journal of the SIAM 10, 1962.
//! - Richard Bellman: *Dynamic Programming Treatment of the Travelling Salesman Problem*, Journal of the ACM 9, 1962.
//! - Samuel Kohn, Allan Gottlieb, Meryle Kohn: *A Generating Function Approach to the Traveling Salesman Problem*, ACM
//!   Annual Conference 1977.
//! - Richard Karp: *Dynamic programming meets the principle of inclusion and exclusion*, Operations Research Letters 1,
//! 1982.

mod groups;
mod number;
mod table;
#[cfg(test)]
mod tests;
mod walks;

use hamcnf_graph::Graph;
use hamcnf_tours::constraint::Means;
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, split};
use num_bigint::BigUint;

use self::groups::{Groups, Joined};
use super::frontier::Bytes;
use crate::not_counted::{Cause, NotCounted};
use hamcnf_cycle::decomposition::Elimination;
use hamcnf_graph::budget::{Budget, Stopped};

pub use self::groups::MOST_GROUPS;

/// Seconds of a sweep for each unit of the cost of an elimination order of the graph: the sum of 3^|bag|. Measured on
/// random graphs of 16 to 26 vertices with densities from 0.2 to 1, where it is 2·10⁻⁸ to 8·10⁻⁸ (less on complete
/// graphs only), and on digraphs, whose vertices are split for a sweep, where it is more than 10⁻⁷.
const SECONDS: f64 = 2e-8;
/// Ratio of the greatest of these numbers, which are those of trees of less than 10⁶ units, and [`SECONDS`]. A table of
/// little time is chosen if it takes less than this.
const RATIO: f64 = 5.0;
const SECONDS_DIRECTED: f64 = 1e-7;
/// Greatest expected time of a count over subsets that is chosen, in seconds of one thread.
const MOST_SECONDS: f64 = 3600.0;
/// Expected time up to which a count over subsets is chosen as soon as a count with small tables has failed, in
/// seconds. The search for the best vertex order would take about as long.
const QUICK: f64 = 0.1;

/// Way to count over subsets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum By {
    /// Table of numbers of paths, (1) to (3).
    #[default]
    Table,
    /// Inclusion and exclusion over walks, (4).
    Walks,
}

/// Resources of a count.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads, at least 1.
    pub threads: usize,
    /// Memory limit in bytes.
    pub memory: u64,
    /// Limits on time; its memory is not used.
    pub budget: Budget,
}

/// Result of a count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Number of tours. A closed tour counts once for both directions, an open tour once per direction.
    pub count: BigUint,
    /// Number of vertices, after vertices that forced moves join are one, with the vertex that is added for open tours.
    pub vertices: u32,
    /// Largest number of bytes of the layers in memory at one time; 0 without a table.
    pub bytes: u64,
}

/// Expected work of a count on one thread.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    pub seconds: f64,
    /// Upper bound.
    pub bytes: u64,
}

/// Question about a number of tours, in the form of groups and lanes.
#[derive(Clone, Debug)]
pub struct Subsets {
    joined: Joined,
    /// Number of tours per cycle.
    directions: u32,
    /// True if the graph is a digraph, whose vertices other methods split.
    is_directed: bool,
}

impl Subsets {
    /// Returns the question about the number of an instance's tours with the endpoints `ends`.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] if the graph is too large, or if a constraint needs clauses.
    pub fn new(instance: &Instance, ends: Endpoints) -> Result<Self, NotCounted> {
        let forced = match instance.means() {
            Means::Graph => Vec::new(),
            Means::Subdivision(forced) => forced,
            Means::Clauses(name) => {
                return Err(NotCounted::new(
                    Cause::Unsupported,
                    format!("the constraint \"{name}\" needs clauses, which a count over subsets does not have"),
                ));
            }
        };
        if instance.n() as usize > groups::MOST_VERTICES {
            return Err(too_large(instance.n()));
        }
        let with_end = split::closed(instance.digraph(), ends)?;
        let digraph = with_end.as_ref().unwrap_or(instance.digraph());
        // A path with a given end has one direction.
        let is_free = matches!(ends, Endpoints::Closed | Endpoints::ANYWHERE);
        let is_directed = instance.is_directed() || !is_free || instance.n() == 1;
        let joined = Joined::of(digraph, &forced, is_directed)?;
        let directions = if is_directed { 1 } else { ends.directions() };
        Ok(Self { joined, directions, is_directed: instance.is_directed() })
    }

    /// Returns the question about the number of the Hamiltonian cycles of a graph.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] if the graph is too large.
    pub fn of_cycles(graph: &Graph) -> Result<Self, NotCounted> {
        let joined = Joined::of(graph, &[], false)?;
        Ok(Self { joined, directions: 1, is_directed: false })
    }

    fn groups(&self) -> Option<&Groups> {
        match &self.joined {
            Joined::Groups(groups) => Some(groups),
            Joined::Known(_) => None,
        }
    }

    /// Returns the expected work of a count, in a time that does not depend on the graph.
    pub fn expected(&self, by: By) -> Expected {
        let expected = |groups: &Groups| match by {
            By::Table => table::expected(groups),
            By::Walks => walks::expected(groups),
        };
        let nothing = Expected { seconds: 0.0, bytes: 0 };
        self.groups().map_or(nothing, expected)
    }

    /// Returns the way to count that is expected to take less time than a sweep along a frontier of `graph`, the graph
    /// of the question, or a count over a tree decomposition of it. Returns `None` if there is none within `memory`
    /// bytes.
    ///
    /// The time of the others is estimated from one elimination order, which takes less time to find than any count.
    pub fn better(&self, graph: &Graph, memory: u64) -> Option<By> {
        let order = Elimination::by_degree(graph, u64::MAX, &Budget::default()).ok()?;
        let seconds = if self.is_directed { SECONDS_DIRECTED } else { SECONDS };
        let most = seconds * order.cost() as f64;
        let is_quick = self.within(memory, QUICK.min(RATIO * most)) == Some(By::Table);
        if is_quick { Some(By::Table) } else { self.within(memory, most) }
    }

    /// Returns the way to count that is expected to take less than these seconds of one thread, and less than an hour,
    /// within
    /// `memory` bytes.
    pub fn within(&self, memory: u64, most: f64) -> Option<By> {
        let is_within = |by: &By| {
            let Expected { seconds, bytes } = self.expected(*by);
            bytes <= memory && seconds <= most.min(MOST_SECONDS)
        };
        [By::Table, By::Walks].into_iter().find(is_within)
    }

    /// True if a table takes a negligible time.
    pub(super) fn is_quick(&self, memory: u64) -> bool {
        self.within(memory, QUICK) == Some(By::Table)
    }

    /// Counts the tours. Calls `progress` with the completed share of the work, in percent.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] if the count was not completed.
    pub fn count(&self, by: By, options: &Options, progress: &mut dyn FnMut(u64)) -> Result<Counted, NotCounted> {
        let groups = match &self.joined {
            Joined::Groups(groups) => groups,
            Joined::Known(cycles) => {
                let count = BigUint::from(cycles * u64::from(self.directions));
                return Ok(Counted { count, ..Counted::default() });
            }
        };
        let Expected { bytes, .. } = self.expected(by);
        if bytes > options.memory {
            let (needs, limit) = (Bytes(bytes), Bytes(options.memory));
            return Err(NotCounted::memory(format!(
                "the table over subsets needs {needs}, more than the memory limit of {limit}"
            )));
        }
        let (cycles, bytes) = match by {
            By::Table => table::cycles(groups, options, progress)?,
            By::Walks => (walks::cycles(groups, options, progress)?, 0),
        };
        let count = BigUint::from(cycles) * self.directions;
        Ok(Counted { count, vertices: groups.m + 1, bytes })
    }
}

/// Returns the error for a count that the budget ended after a share of the work, in percent.
fn ended(limit: Stopped, percent: u64) -> NotCounted {
    NotCounted::over(limit, &format!("after {percent} % of the subsets"))
}

/// Returns the error for a question with too many vertices.
fn too_large(vertices: u32) -> NotCounted {
    let most = MOST_GROUPS + 1;
    let why = format!("a count over subsets takes at most {most} vertices, but this question has {vertices}");
    NotCounted::new(Cause::TooWide, why)
}

/// Returns the error for a count that may not fit into the numbers of the sum.
fn too_many() -> NotCounted {
    NotCounted::new(Cause::Unsupported, "the number of tours may not fit into 128 bits")
}
