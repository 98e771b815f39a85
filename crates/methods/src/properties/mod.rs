//! Properties by which graphs are selected from a stream, such as "hypohamiltonian".
//!
//! The properties are listed in `list.rs`, each with its name, summary and test. The tests query a [`Subject`]. It
//! first tries [`cycle::small`](hamcnf_cycle::small) if the graph has at most 64 vertices. If this does not decide, or
//! the graph is larger, it uses the [portfolio] or the [counts](hamcnf_count).
//!
//! Some properties also apply to digraphs (`directed.rs`).
//!
//! A cycle of an undirected graph has at least three vertices. A single vertex is a path. A graph without vertices has
//! none of the properties.

mod directed;
mod list;
mod subject_graph;

use hamcnf_graph::{Named, Vertex};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::split::SplitError;
use hamcnf_tours::{Instance, InstanceError, TourKind};
use num_bigint::BigUint;

pub use self::directed::DirectedSubject;
pub use self::list::{PROPERTIES, property};
pub use self::subject_graph::SubjectGraph;
use hamcnf_count::frontier::exact;
use hamcnf_count::not_counted::CountError;
use hamcnf_count::parts;
use hamcnf_cycle::portfolio::{self, Verdict};
use hamcnf_cycle::small::SmallSearch;
use hamcnf_graph::budget::{Budget, Stopped};

/// Property that a graph has or lacks.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// Name of the property in options and columns.
    pub name: &'static str,
    /// One-line summary for help. The line completes a sentence that begins with "the graph".
    pub summary: &'static str,
    /// Function that tests a graph for the property.
    pub holds: fn(&mut Subject<'_>) -> Result<bool, Undecided>,
    /// Function that tests a digraph for the property; `None` if the property applies only to undirected graphs.
    pub holds_directed: Option<DirectedTest>,
}

/// Function that tests a digraph for a property.
pub type DirectedTest = fn(&mut DirectedSubject<'_>) -> Result<bool, Undecided>;

/// Reason why a property of a graph remains unknown.
#[derive(Debug, thiserror::Error)]
pub enum Undecided {
    /// A limit ended the work, or no method applies.
    #[error("{}", match .0 {
        Stopped::GaveUp => "no method could decide the property",
        Stopped::Cancelled => "interrupted",
        limit => limit.as_str(),
    })]
    Stopped(Stopped),
    /// The portfolio failed.
    #[error(transparent)]
    Portfolio(#[from] portfolio::Wrong),
    /// The graph is not suitable for an instance of closed tours.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The vertices of a digraph cannot be split.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The count failed.
    #[error(transparent)]
    Count(#[from] CountError),
}

impl From<Stopped> for Undecided {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// Memory limit of a count in bytes, if the budget has no memory limit.
const MEMORY: u64 = 1 << 30;

/// Graph whose properties are tested. Caches results that several properties need.
#[derive(Debug)]
pub struct Subject<'a> {
    graph: &'a SubjectGraph,
    search: &'a mut SmallSearch,
    budget: &'a Budget,
    has_cycle: Option<bool>,
    has_path: Option<bool>,
}

impl<'a> Subject<'a> {
    /// Creates a subject for a graph. `search` may be reused for further graphs, which saves allocations.
    pub fn new(graph: &'a SubjectGraph, search: &'a mut SmallSearch, budget: &'a Budget) -> Self {
        Self { graph, search, budget, has_cycle: None, has_path: None }
    }

    pub fn n(&self) -> u32 {
        self.graph.n()
    }

    /// Returns true if every vertex has at least this number of neighbours.
    pub(crate) fn has_degrees(&self, least: u32) -> bool {
        self.graph.has_degrees(least)
    }

    /// Returns true if the graph has a Hamiltonian cycle.
    ///
    /// # Errors
    ///
    /// Returns the reason why the answer is unknown.
    pub fn has_cycle(&mut self) -> Result<bool, Undecided> {
        if let Some(known) = self.has_cycle {
            return Ok(known);
        }
        let found = self.cycle_of(self.graph)?;
        self.has_cycle = Some(found);
        Ok(found)
    }

    /// Returns true if the graph has a Hamiltonian path.
    ///
    /// # Errors
    ///
    /// Returns the reason why the answer is unknown.
    pub fn has_path(&mut self) -> Result<bool, Undecided> {
        if let Some(known) = self.has_path {
            return Ok(known);
        }
        let found = match self.n() {
            n @ (0 | 1) => n == 1,
            _ if self.has_cycle == Some(true) => true,
            _ => {
                let cone = self.graph.cone();
                self.cycle_of(&cone)?
            }
        };
        self.has_path = Some(found);
        Ok(found)
    }

    /// Returns the number of Hamiltonian cycles if it is less than `most`. Otherwise returns a number that is at least
    /// `most`.
    ///
    /// # Errors
    ///
    /// Returns the reason why the number is unknown.
    pub fn cycles(&mut self, most: u64) -> Result<BigUint, Undecided> {
        if let Some(masks) = self.graph.masks() {
            match self.search.count_cycles(masks, most, self.budget) {
                Ok(cycles) => return Ok(cycles.into()),
                Err(Stopped::GaveUp) => {}
                Err(stopped) => return Err(stopped.into()),
            }
        }
        if most <= 1 || self.has_cycle == Some(false) {
            return self.has_cycle().map(|has_cycle| u32::from(has_cycle).into());
        }
        self.all_cycles()
    }

    /// Counts all Hamiltonian cycles of a graph of any size, part by part.
    fn all_cycles(&self) -> Result<BigUint, Undecided> {
        let instance = instance(self.graph)?;
        let memory = self.budget.memory().unwrap_or(MEMORY);
        let options = exact::Options { memory, budget: self.budget.clone(), ..exact::Options::default() };
        parts::count(&instance, Endpoints::Closed, &options, &mut |_| ()).map(|counted| counted.count).map_err(
            |error| match error.limit() {
                Some(Stopped::GaveUp) => Stopped::GaveUp.into(),
                Some(limit) => self.budget.over().unwrap_or(limit).into(),
                None => error.into(),
            },
        )
    }

    /// Returns true if every graph that results from deleting one vertex passes `test`.
    pub(crate) fn all_deleted(&mut self, test: Test) -> Result<bool, Undecided> {
        let graph = self.graph;
        self.all((0..graph.n()).map(|v| graph.without(v)), test)
    }

    /// Returns true if every graph that results from adding one missing edge passes `test`.
    pub(crate) fn all_joined(&mut self, test: Test) -> Result<bool, Undecided> {
        let graph = self.graph;
        let pairs = (0..graph.n()).flat_map(|w| (0..w).map(move |v| (v, w)));
        self.all(pairs.filter(|&(v, w)| !graph.is_edge(v, w)).map(|(v, w)| graph.joined(v, w)), test)
    }

    fn all(&mut self, mut graphs: impl Iterator<Item = SubjectGraph>, test: Test) -> Result<bool, Undecided> {
        let mut passes = |graph| test(&mut Subject::new(&graph, self.search, self.budget));
        graphs.try_fold(true, |all, graph| Ok(all && passes(graph)?))
    }

    fn cycle_of(&mut self, graph: &SubjectGraph) -> Result<bool, Undecided> {
        let found = match graph {
            SubjectGraph::Streamed(triangle, masks) => {
                let masks = || masks.get_or_init(|| triangle.masks());
                self.search.has_cycle_in_stream(triangle, masks, self.budget)
            }
            SubjectGraph::Small(masks) => self.search.has_cycle(masks, self.budget),
            SubjectGraph::Large(_) => Err(Stopped::GaveUp),
        };
        match found {
            Err(Stopped::GaveUp) => {}
            decided => return Ok(decided?),
        }
        let options = portfolio::Options::default();
        match portfolio::answer(&instance(graph)?, Endpoints::Closed, &options, self.budget, &|_| ())?.verdict {
            Verdict::Tour(_) => Ok(true),
            Verdict::NoTour | Verdict::Obstructed(_) => Ok(false),
            Verdict::Unknown(stopped) => Err(stopped.into()),
        }
    }
}

type Test = fn(&mut Subject<'_>) -> Result<bool, Undecided>;

/// Returns the instance of closed tours on a nonempty graph.
fn instance(graph: &SubjectGraph) -> Result<Instance, InstanceError> {
    Instance::on_graph("graph", graph.to_graph(), TourKind::Closed, Vertex::new(0))
}

#[cfg(test)]
mod tests;
