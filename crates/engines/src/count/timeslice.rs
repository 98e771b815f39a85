//! Counting by a decision diagram over time slices: which vertex the tour is on, at each time.
//!
//! The variable number t·N + v says that vertex v is visited at time t, for N vertices and as many times: n⁴
//! of them on a board n×n. A tour sets N of them, so sets of tours are kept as zero-suppressed decision
//! diagrams, in which a variable that is not set costs no node. The tours are the intersection of
//!
//! - for each t < N − 1 the transition: exactly one vertex at t, exactly one at t + 1, and these adjacent;
//! - for closed tours the ends: the start s at 0, and two of its neighbours a < b at 1 and N − 1. A closed tour
//!   has one direction in which a < b, so each is counted once. At a corner of a knight's board, which has
//!   two neighbours, this is the document's constraint;
//! - for each vertex: exactly one time,
//!
//! each with any value of the variables that it does not speak of, and the count is the number of paths from
//! the root of the diagram to its terminal {∅}.
//!
//! After the transitions alone the diagram is that of all walks of N vertices, with little more than one node
//! for each arc and time. Every vertex conjoined may double it, until the constraints begin to
//! contradict each other; the intermediate diagrams, not the last, decide what can be counted.
//!
//! # Differences from the document
//!
//! Peak nodes and seconds on one thread:
//!
//! | | 5×5 open, from anywhere | |
//! |---|---|---|
//! | vertices row by row, all variables | 586 789 | 7.4 s |
//! | vertices row by row, possible variables | 363 014 | 2.5 s |
//! | vertices by trial, all variables | 19 917 | 4.2 s |
//! | vertices by trial, possible variables | 19 917 | 2.0 s |
//!
//! - *Possible variables*: v at t is left out of every constraint, and so 0, where it follows from the
//!   neighbouring slices, from a slice of one vertex, or from the colours of a bipartite graph that it is on
//!   no tour. This covers what the document leaves out of closed tours (the fixed squares at other times),
//!   the windows by distance, and parity: half of the variables on a board. The diagram is the same or
//!   smaller, and the constraints are half as long.
//! - *By trial*: the next vertex is the one that leaves the smallest diagram. As long as the diagram has at
//!   most [`TRIALS_FREE`] nodes every vertex is tried, and above it no more than [`TRIALS`], those
//!   first whose last trial was best.
//! - In a bipartite graph of two colour classes of the same size, open tours from anywhere are those from one
//!   class, twice: backwards, a tour from one starts in the other.
//!
//! # References
//!
//! - Steffan Christ Sølvsten: *Adiar*, documentation, example “Knight's Tour”.
//! - Randal E. Bryant: *Cloud-BDD*, `hamiltonian/hpath.py`, the encoding by time slices.
//! - Shin-ichi Minato: _Zero-Suppressed BDDs for Set Manipulation in Combinatorial Problems_, DAC 1993.

use std::hash::RandomState;
use std::num::NonZero;
use std::ops::Range;
use std::time::Instant;

use hamcnf_encodings::{Graph, Instance, Vertex};
use num_bigint::BigUint;
use oxidd::util::{AllocResult, OutOfMemory, SatCountCache};
use oxidd::zbdd::{ZBDDFunction, ZBDDManagerRef, make_node, new_manager};
use oxidd::{
    BooleanFunction, BooleanVecSet, Function, HasWorkers, Manager, ManagerRef, WorkerPool,
};

use crate::budget::Budget;
use crate::cancellation::CancellationToken;
use crate::store::{Plan, StoreError};
use hamcnf_encodings::endpoints::Endpoints;

/// Up to this many nodes a diagram is intersected with every vertex's constraint to find the best.
pub const TRIALS_FREE: usize = 1 << 18;
/// In larger diagrams this many vertices are tried.
pub const TRIALS: usize = 3;

/// Down to this many branchings on a path, both branches may go to different threads. Diagrams here are long
/// chains, in which most branchings have little on one side.
const SPLIT_DEPTH: u32 = 300;

/// What a count may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that intersect; no more are started than the machine has processors.
    pub threads: NonZero<u32>,
    /// How many nodes there may be at one time, in the previous diagram, the constraint and their
    /// intersection together, and N² more that the variables take. 16 bytes a node are reserved for them and
    /// 12 to 24 for a cache, which is used throughout.
    pub node_capacity: usize,
    /// When to give up; looked at between intersections, each of which is finished.
    pub deadline: Option<Instant>,
    /// Asks it to give up, which is as if the time were over.
    pub stop: CancellationToken,
}

impl Default for Options {
    /// One thread, 2²³ nodes (about 230 MB, enough for 6×6), any time.
    fn default() -> Self {
        Self {
            threads: NonZero::<u32>::MIN,
            node_capacity: 1 << 23,
            deadline: None,
            stop: CancellationToken::default(),
        }
    }
}

/// How far a count has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Constraints intersected so far.
    pub conjoined: u32,
    /// All constraints.
    pub of: u32,
    /// Nodes of the diagram now.
    pub nodes: usize,
}

/// How many tours there are, and what it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Tours; closed ones up to their direction.
    pub count: BigUint,
    /// Nodes of the last diagram, with terminals; 0 if there was no need to build one.
    pub nodes: usize,
    /// Nodes of the largest diagram on the way to it, without those tried and not taken.
    pub peak_nodes: usize,
}

impl Counted {
    /// The answer where it is plain that there is no tour.
    fn none() -> Self {
        Self {
            count: BigUint::ZERO,
            nodes: 0,
            peak_nodes: 0,
        }
    }
}

/// Why tours could not be counted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimesliceError {
    /// A diagram has more nodes than there may be.
    #[error(
        "the decision diagram needs more than the {capacity} nodes it may have ({conjoined} of {of} constraints done)"
    )]
    NodeCapacity {
        /// The instance.
        instance: String,
        /// [`Options::node_capacity`].
        capacity: usize,
        /// Constraints that were intersected.
        conjoined: u32,
        /// All constraints.
        of: u32,
    },
    /// There is no memory for the diagrams.
    #[error("{instance}: {error}")]
    Store {
        /// The instance.
        instance: String,
        /// Why.
        error: StoreError,
    },
    /// The deadline passed.
    #[error("the time limit is reached after {conjoined} of {of} constraints")]
    Deadline {
        /// The instance.
        instance: String,
        /// Constraints that were intersected.
        conjoined: u32,
        /// All constraints.
        of: u32,
    },
}

/// Counts the tours of an instance's graph with these ends. `progress` is called after every constraint. Closed tours are
/// counted from a vertex of least degree, which has the fewest constraints.
///
/// # Errors
///
/// [`TimesliceError`]: beyond the node capacity, or the deadline.
pub fn count(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Counted, TimesliceError> {
    let store = Store::reserve(instance, options)?;
    let Some(slices) = Slices::new(instance, ends) else {
        return Ok(Counted::none());
    };
    let diagrams = store.diagrams(instance.graph(), &slices);
    let mut open: Vec<Vertex> = instance
        .graph()
        .vertices()
        .filter(|&v| slices.times(v).nth(1).is_some())
        .collect();
    let last = slices.n() - 1;
    let closed = ends == Endpoints::Closed;
    let mut run = Run {
        instance,
        options,
        diagrams: &diagrams,
        progress,
        conjoined: 0,
        of: u32::from(closed) + (last + open.len()) as u32,
        peak_nodes: 0,
    };

    let mut tours = run.conjoin(|| diagrams.transition(last - 1))?;
    for t in (0..last - 1).rev() {
        tours = run.conjoin(|| tours.intsec(&diagrams.transition(t)?))?;
    }
    if closed {
        tours = run.conjoin(|| tours.intsec(&diagrams.ends()?))?;
    }
    // The size of each vertex's last trial, relative to that of the diagram before.
    let mut growth = vec![0.0; slices.n()];
    while !open.is_empty() {
        tours = run.conjoin_best(&tours, &mut open, &mut growth)?;
    }
    Ok(Counted {
        count: diagrams.size(&tours) * slices.tours_per_walk,
        nodes: diagrams.nodes(&tours),
        peak_nodes: run.peak_nodes,
    })
}

fn plan(instance: &Instance, options: &Options) -> Result<Plan, TimesliceError> {
    let variables = u64::from(instance.n()).pow(2);
    let plan = Plan::new(variables, options.node_capacity, options.threads);
    plan.map_err(|error| TimesliceError::Store {
        instance: instance.to_string(),
        error,
    })
}

/// Intersections under the limits of the options.
struct Run<'a> {
    instance: &'a Instance,
    options: &'a Options,
    diagrams: &'a Diagrams<'a>,
    progress: &'a mut dyn FnMut(Progress),
    conjoined: u32,
    of: u32,
    peak_nodes: usize,
}

impl Run<'_> {
    /// The diagram that `conjunction` makes, taken as the next.
    fn conjoin(
        &mut self,
        conjunction: impl Fn() -> AllocResult<ZBDDFunction> + Sync,
    ) -> Result<ZBDDFunction, TimesliceError> {
        self.in_time()?;
        let made = self.diagrams.make(conjunction);
        let tours = made.map_err(|OutOfMemory| self.too_large())?;
        self.took(self.diagrams.nodes(&tours));
        Ok(tours)
    }

    /// The intersection with the constraint of one of the vertices `open`, which is taken out of them.
    fn conjoin_best(
        &mut self,
        tours: &ZBDDFunction,
        open: &mut Vec<Vertex>,
        growth: &mut [f64],
    ) -> Result<ZBDDFunction, TimesliceError> {
        let before = self.diagrams.nodes(tours);
        let trials = if before <= TRIALS_FREE {
            open.len()
        } else {
            open.sort_by(|v, w| growth[v.index()].total_cmp(&growth[w.index()]));
            TRIALS
        };
        let mut best: Option<(usize, usize, ZBDDFunction)> = None;
        for (place, &v) in open.iter().enumerate().take(trials) {
            self.in_time()?;
            let made = self
                .diagrams
                .make(|| tours.intsec(&self.diagrams.exactly_once(v)?));
            // Another vertex may leave a smaller diagram.
            let Ok(made) = made else {
                growth[v.index()] = f64::INFINITY;
                continue;
            };
            let nodes = self.diagrams.nodes(&made);
            growth[v.index()] = nodes as f64 / before as f64;
            if best.as_ref().is_none_or(|&(least, ..)| nodes < least) {
                best = Some((nodes, place, made));
            }
        }
        let (nodes, place, made) = best.ok_or_else(|| self.too_large())?;
        open.remove(place);
        self.took(nodes);
        Ok(made)
    }

    fn took(&mut self, nodes: usize) {
        self.peak_nodes = self.peak_nodes.max(nodes);
        self.conjoined += 1;
        (self.progress)(Progress {
            conjoined: self.conjoined,
            of: self.of,
            nodes,
        });
    }

    fn in_time(&self) -> Result<(), TimesliceError> {
        let Options { deadline, stop, .. } = self.options;
        match Budget::new(*deadline, stop.clone()).over() {
            Some(_) => Err(TimesliceError::Deadline {
                instance: self.instance.to_string(),
                conjoined: self.conjoined,
                of: self.of,
            }),
            None => Ok(()),
        }
    }

    fn too_large(&self) -> TimesliceError {
        TimesliceError::NodeCapacity {
            instance: self.instance.to_string(),
            capacity: self.options.node_capacity,
            conjoined: self.conjoined,
            of: self.of,
        }
    }
}

/// Which vertices a tour may be on at each time.
struct Slices {
    /// By time, then by vertex.
    possible: Vec<Vec<bool>>,
    /// How many of the tours asked for each sequence of vertices in these slices stands for.
    tours_per_walk: u32,
}

impl Slices {
    /// `None` if there is no tour.
    fn new(instance: &Instance, ends: Endpoints) -> Option<Self> {
        let (graph, n) = (instance.graph(), instance.n() as usize);
        if instance.facts().components().count() != 1 {
            return None;
        }
        let mut slices = Self {
            possible: vec![vec![true; n]; n],
            tours_per_walk: 1,
        };
        match ends {
            Endpoints::Open { from, to } => {
                slices.retain(0, |v| from.is_none_or(|from| v == from));
                slices.retain(n - 1, |v| to.is_none_or(|to| v == to));
            }
            Endpoints::Closed => {
                let first = graph.vertices().min_by_key(|&v| graph.degree(v))?;
                let neighbours = graph.neighbours(first);
                let &[least, .., greatest] = neighbours else {
                    return None;
                };
                slices.retain(0, |v| v == first);
                slices.retain(1, |v| v != greatest && neighbours.contains(&v));
                slices.retain(n - 1, |v| v != least && neighbours.contains(&v));
            }
        }
        if let Some(colours) = instance.facts().colours() {
            // The colours alternate, so a class is that of the even or of the odd times by its size.
            let white = colours.iter().filter(|&&colour| colour).count();
            let class = |v: Vertex| if colours[v.index()] { white } else { n - white };
            for t in 0..n {
                let times = if t % 2 == 0 { n.div_ceil(2) } else { n / 2 };
                slices.retain(t, |v| class(v) == times);
            }
            if ends == Endpoints::ANYWHERE && n.is_multiple_of(2) {
                slices.retain(0, |v| colours[v.index()]);
                slices.tours_per_walk = 2;
            }
        }
        slices.propagate(graph).then_some(slices)
    }

    fn n(&self) -> usize {
        self.possible.len()
    }

    fn retain(&mut self, t: usize, keep: impl Fn(Vertex) -> bool) {
        for (v, possible) in (0..).map(Vertex::new).zip(&mut self.possible[t]) {
            *possible &= keep(v);
        }
    }

    /// The vertices possible at t in increasing order.
    fn at(&self, t: usize) -> impl DoubleEndedIterator<Item = Vertex> + '_ {
        let vertices = self.possible[t].iter().enumerate();
        vertices
            .filter(|&(_, &possible)| possible)
            .map(|(v, _)| Vertex::new(v as u32))
    }

    /// The times possible for v in increasing order.
    fn times(&self, v: Vertex) -> impl Iterator<Item = usize> + '_ {
        (0..self.n()).filter(move |&t| self.possible[t][v.index()])
    }

    /// Leaves out what no tour can be on, until nothing changes: a vertex without a neighbour possible just
    /// before or after, and, at all other times, one that is the only one possible at some time. Whether a
    /// vertex is left at every time, and a time for every vertex.
    fn propagate(&mut self, graph: &Graph) -> bool {
        loop {
            let before = self.possible.clone();
            for t in 0..self.n() {
                for beside in [t.checked_sub(1), Some(t + 1).filter(|&t| t < self.n())] {
                    let Some(beside) = beside.map(|t| self.possible[t].clone()) else {
                        continue;
                    };
                    self.retain(t, |v| graph.neighbours(v).iter().any(|w| beside[w.index()]));
                }
                let mut vertices = self.at(t);
                if let (Some(only), None) = (vertices.next(), vertices.next()) {
                    drop(vertices);
                    for other in (0..self.n()).filter(|&other| other != t) {
                        self.possible[other][only.index()] = false;
                    }
                }
            }
            if self.possible == before {
                break;
            }
        }
        (0..self.n()).all(|t| self.at(t).next().is_some())
            && graph.vertices().all(|v| self.times(v).next().is_some())
    }
}

/// Memory for diagrams, which is made only if it is to be had.
struct Store {
    manager: ZBDDManagerRef,
    node_capacity: usize,
}

impl Store {
    fn reserve(instance: &Instance, options: &Options) -> Result<Self, TimesliceError> {
        let Plan {
            variables,
            node_capacity,
            cache_capacity,
            threads,
        } = plan(instance, options)?;
        let manager = new_manager(node_capacity, cache_capacity, threads);
        manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            if threads > 1 {
                manager.workers().set_split_depth(Some(SPLIT_DEPTH));
            }
        });
        Ok(Self {
            manager,
            node_capacity,
        })
    }

    fn diagrams<'a>(self, graph: &'a Graph, slices: &'a Slices) -> Diagrams<'a> {
        let (empty, base) = self.manager.with_manager_shared(|manager| {
            (ZBDDFunction::empty(manager), ZBDDFunction::base(manager))
        });
        Diagrams {
            store: self,
            graph,
            slices,
            empty,
            base,
        }
    }
}

/// The constraints as diagrams over the possible variables, each made from its last variable to its first.
struct Diagrams<'a> {
    store: Store,
    graph: &'a Graph,
    slices: &'a Slices,
    /// ∅: no tour.
    empty: ZBDDFunction,
    /// {∅}: nothing more is set.
    base: ZBDDFunction,
}

// The methods by their paths would be for one lifetime of the manager only.
#[allow(clippy::redundant_closure_for_method_calls)]
impl Diagrams<'_> {
    /// Calls `work` on a thread of the store, whose stack is deep enough for N² levels.
    fn on_worker<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.store
            .manager
            .with_manager_shared(|manager| manager.workers().install(work))
    }

    /// The diagram that `conjunction` makes. What earlier ones have left is cleared away when half of the
    /// capacity is in use, and, since they may still be in the way, before a second attempt.
    fn make(
        &self,
        conjunction: impl Fn() -> AllocResult<ZBDDFunction> + Sync,
    ) -> AllocResult<ZBDDFunction> {
        let manager = &self.store.manager;
        let collect = || manager.with_manager_shared(|manager| manager.gc());
        let used = manager.with_manager_shared(|manager| manager.num_inner_nodes());
        if used > self.store.node_capacity / 2 {
            collect();
        }
        self.on_worker(&conjunction).or_else(|OutOfMemory| {
            collect();
            self.on_worker(&conjunction)
        })
    }

    /// Its nodes, terminals too.
    fn nodes(&self, diagram: &ZBDDFunction) -> usize {
        self.on_worker(|| diagram.node_count())
    }

    /// How many sets of variables it contains.
    fn size(&self, diagram: &ZBDDFunction) -> BigUint {
        let variables = self
            .store
            .manager
            .with_manager_shared(|manager| manager.num_vars());
        let mut cache = SatCountCache::<BigUint, RandomState>::default();
        self.on_worker(|| diagram.sat_count(variables, &mut cache))
    }

    /// The sets of `without`, and those of `with` and v at t.
    fn node(
        &self,
        t: usize,
        v: Vertex,
        with: &ZBDDFunction,
        without: &ZBDDFunction,
    ) -> AllocResult<ZBDDFunction> {
        let variable = (t * self.slices.n() + v.index()) as u32;
        self.store.manager.with_manager_shared(|manager| {
            let variable = ZBDDFunction::singleton(manager, variable)?;
            let edge = |to: &ZBDDFunction| manager.clone_edge(to.as_edge(manager));
            let node = make_node(
                manager,
                variable.as_edge(manager),
                edge(with),
                edge(without),
            )?;
            Ok(ZBDDFunction::from_edge(manager, node))
        })
    }

    /// Anything at these times, and then `rest`.
    fn any(&self, times: Range<usize>, mut rest: ZBDDFunction) -> AllocResult<ZBDDFunction> {
        for t in times.rev() {
            for v in self.slices.at(t).rev() {
                rest = self.node(t, v, &rest, &rest)?;
            }
        }
        Ok(rest)
    }

    /// Exactly one vertex at t, for which `rest` has something, and its `rest`.
    fn one(
        &self,
        t: usize,
        rest: impl Fn(Vertex) -> AllocResult<ZBDDFunction>,
    ) -> AllocResult<ZBDDFunction> {
        let mut one = self.empty.clone();
        for v in self.slices.at(t).rev() {
            one = self.node(t, v, &rest(v)?, &one)?;
        }
        Ok(one)
    }

    /// Exactly one vertex at t, exactly one at t + 1, and these adjacent.
    fn transition(&self, t: usize) -> AllocResult<ZBDDFunction> {
        let after = self.any(t + 2..self.slices.n(), self.base.clone())?;
        let move_from = self.one(t, |from| {
            self.one(t + 1, |to| {
                let adjacent = self.graph.arc(from, to).is_some();
                Ok(if adjacent { &after } else { &self.empty }.clone())
            })
        })?;
        self.any(0..t, move_from)
    }

    /// A vertex at 1 and a greater one at the last time.
    fn ends(&self) -> AllocResult<ZBDDFunction> {
        let last = self.slices.n() - 1;
        let second = self.one(1, |a| {
            let end = self.one(last, |b| {
                Ok(if a < b { &self.base } else { &self.empty }.clone())
            })?;
            self.any(2..last, end)
        })?;
        self.any(0..1, second)
    }

    /// v at exactly one time.
    fn exactly_once(&self, v: Vertex) -> AllocResult<ZBDDFunction> {
        // From here on: v still to come, v done.
        let (mut still, mut done) = (self.empty.clone(), self.base.clone());
        for t in (0..self.slices.n()).rev() {
            for w in self.slices.at(t).rev() {
                if w == v {
                    still = self.node(t, w, &done, &still)?;
                } else {
                    still = self.node(t, w, &still, &still)?;
                    done = self.node(t, w, &done, &done)?;
                }
            }
        }
        Ok(still)
    }
}
