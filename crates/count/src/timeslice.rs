//! Counting of tours by a decision diagram over time slices. Each slice holds the vertex that the tour visits at one
//! time.
//!
//! The variable number t·N + v is true if the tour visits vertex v at time t. For N vertices and N times there are N²
//! variables: n⁴ on an n×n board. A tour makes only N of them true. Therefore sets of tours are stored as
//! zero-suppressed decision diagrams, in which a false variable needs no node. The set of all tours is the intersection
//! of three kinds of constraints:
//!
//! - *transitions*, one for each t < N − 1: exactly one vertex at t, exactly one at t + 1, and the two are adjacent;
//! - *ends*, for closed tours: the start s at 0, and two of its neighbours a < b at 1 and N − 1. A closed tour has
//!   exactly one direction in which a < b, so it is counted once. If s is a corner of a knight's board, which has two
//!   neighbours, this is the constraint in the documentation of Adiar;
//! - *visits*, one for each vertex: exactly one time.
//!
//! Each constraint allows any value of the variables that it does not mention. The count is the number of paths from
//! the root of the diagram to its terminal {∅}.
//!
//! After the transitions alone, the diagram represents all walks of N vertices, with little more than one node for each
//! arc and time. Each further intersection, with the constraint of a vertex, may double the diagram, until the
//! constraints begin to contradict each other. The largest intermediate diagram, not the last diagram, decides which
//! instances can be counted.
//!
//! # Differences from the Adiar document
//!
//! Peak nodes of 5×5 open, from anywhere:
//!
//! | | all variables | possible variables |
//! |---|---|---|
//! | vertices row by row | 586 789 | 363 014 |
//! | vertices by trial | 19 917 | 19 917 |
//!
//! - *Possible variables*: if no tour can visit v at time t, no diagram has a node for the variable, so the variable is
//!   false. Such variables are found from the neighbouring slices, from slices of a single vertex, and from the colours
//!   of a bipartite graph. This rule includes three others: the rule of the document for closed tours, which omits the
//!   fixed squares at other times; time windows derived from distances; and parity, which excludes half of the
//!   variables on a board. The diagram is the same or smaller, and the constraints are half as long.
//! - *By trial*: the next vertex is the vertex whose constraint gives the smallest diagram. As long as the diagram has
//!   at most [`TRIALS_FREE`] nodes, every vertex is tried. Above this size at most [`TRIALS`] vertices are tried,
//!   beginning with those whose last trial was best.
//! - In a bipartite graph with two colour classes of the same size, open tours from anywhere are counted from one class
//!   only, and the count is doubled. A tour that starts in the other class is the reverse of a counted tour.
//!
//! # References
//!
//! - Steffan Christ Sølvsten: *Adiar*, documentation, example “Knight's Tour”.
//! - Randal E. Bryant: *Cloud-BDD*, `hamiltonian/hpath.py`, the encoding by time slices.
//! - Shin-ichi Minato: _Zero-Suppressed BDDs for Set Manipulation in Combinatorial Problems_, DAC 1993.

use std::ops::Range;

use hamcnf_graph::{Graph, Vertex};
use hamcnf_tours::Instance;
use num_bigint::BigUint;

use crate::diagrams::{Diagram, DiagramResult, Diagrams, Operation, Rule};
use crate::not_counted::NotCounted;
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_tours::endpoints::Endpoints;

/// Maximum size of a diagram, in nodes, for which the constraint of every remaining vertex is tried. The constraint
/// that gives the smallest diagram is chosen.
pub const TRIALS_FREE: usize = 1 << 18;
/// Maximum number of vertices whose constraints are tried if the diagram has more than [`TRIALS_FREE`] nodes.
pub const TRIALS: usize = 3;

/// Resource limits of a count.
#[derive(Clone, Debug)]
pub struct Options {
    /// Maximum number of nodes at one time, counted over the previous diagram, the best intersection so far, the
    /// constraint and their intersection.
    /// A node takes at most [`BYTES_A_NODE`](crate::diagrams::BYTES_A_NODE) bytes.
    pub node_capacity: usize,
    /// Limits on time.
    pub budget: Budget,
}

impl Default for Options {
    /// Returns options with 2²³ nodes (at most 400 MB, enough for 6×6) and no deadline.
    fn default() -> Self {
        Self { node_capacity: 1 << 23, budget: Budget::default() }
    }
}

/// Progress of a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Number of constraints intersected so far.
    pub conjoined: u32,
    /// Total number of constraints.
    pub of: u32,
    /// Current number of nodes of the decision diagram.
    pub nodes: usize,
}

/// Result of a count: the number of tours, with statistics of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Number of tours. A closed tour counts once for both directions.
    pub count: BigUint,
    /// Number of nodes of the last diagram, including terminals; 0 if no diagram was needed.
    pub nodes: usize,
    /// Number of nodes of the largest intermediate diagram, not counting rejected trials.
    pub peak_nodes: usize,
}

impl Counted {
    /// Returns the result for an instance that obviously has no tour.
    fn none() -> Self {
        Self { count: BigUint::ZERO, nodes: 0, peak_nodes: 0 }
    }
}

/// Counts the tours of an instance's graph with the endpoints `ends`. Calls `progress` after every constraint. Closed
/// tours are counted from a vertex of minimum degree, because such a start has the fewest pairs of neighbours.
///
/// # Errors
///
/// Returns [`NotCounted`] if the node capacity or the deadline is exceeded, or if there are more variables than nodes.
pub fn count(
    instance: &Instance,
    ends: Endpoints,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> Result<Counted, NotCounted> {
    if let Some((lying, ends)) = lying(instance, ends) {
        return count(&lying, ends, options, progress);
    }
    let variables = u64::from(instance.n()).pow(2);
    let diagrams = Diagrams::new(Rule::ZeroSuppressed, variables, options.node_capacity, options.budget.clone())?;
    let Some(slices) = Slices::new(instance, ends) else {
        return Ok(Counted::none());
    };
    let mut open: Vec<Vertex> = instance.graph().vertices().filter(|&v| slices.times(v).nth(1).is_some()).collect();
    let last = slices.n() - 1;
    let closed = ends == Endpoints::Closed;
    let constraints = Constraints { graph: instance.graph(), slices: &slices };
    let mut run =
        Run { diagrams, progress, conjoined: 0, of: u32::from(closed) + (last + open.len()) as u32, peak_nodes: 0 };

    let first = run.diagrams.with_room(&mut [], &|diagrams, _| constraints.transition(diagrams, last - 1));
    let mut tours = first.map_err(|limit| run.stopped(limit))?;
    run.took(run.diagrams.size(tours));
    for t in (0..last - 1).rev() {
        tours = run.conjoin(tours, &|diagrams| constraints.transition(diagrams, t))?;
    }
    if closed {
        tours = run.conjoin(tours, &|diagrams| constraints.ends(diagrams))?;
    }
    // Size of the diagram after the last trial of each vertex, divided by the size before this trial.
    let mut growth = vec![0.0; slices.n()];
    while !open.is_empty() {
        tours = run.conjoin_best(tours, &constraints, &mut open, &mut growth)?;
    }
    Ok(Counted {
        nodes: run.diagrams.size(tours),
        count: run.diagrams.count(tours) * slices.tours_per_walk,
        peak_nodes: run.peak_nodes,
    })
}

/// Returns the question on the transposed board, if the board has more rows than columns. Square by square along long
/// rows, the diagrams are smaller: at most 22 772 nodes on 5×6 and 59 923 on 6×5.
fn lying(instance: &Instance, ends: Endpoints) -> Option<(Instance, Endpoints)> {
    let squares = instance.squares().filter(|_| instance.board().is_some())?;
    let place = |v: &Vertex| squares.board().row_col(squares.square(*v));
    if squares.board().rows() <= squares.board().cols() {
        return None;
    }
    let mut labels: Vec<Vertex> = instance.graph().vertices().collect();
    labels.sort_by_key(|v| {
        let (row, col) = place(v);
        (col, row)
    });
    let new = |v: Vertex| {
        let at = labels.iter().position(|&label| label == v);
        Vertex::new(at.unwrap_or(0) as u32)
    };
    let ends = match ends {
        Endpoints::Closed => Endpoints::Closed,
        Endpoints::Open { from, to } => Endpoints::Open { from: from.map(new), to: to.map(new) },
    };
    // A relabelled board is not a board.
    Some((instance.relabelled(&labels, instance.start())?, ends))
}

/// Constraint as a function that builds its diagram.
type Constraint<'a> = &'a dyn Fn(&mut Diagrams) -> DiagramResult;

/// State of a count, with functions that compute intersections within the limits of the options.
struct Run<'a> {
    diagrams: Diagrams,
    progress: &'a mut dyn FnMut(Progress),
    conjoined: u32,
    of: u32,
    peak_nodes: usize,
}

impl Run<'_> {
    /// Intersects the first of the diagrams with a constraint.
    fn intersection(&mut self, kept: &mut [Diagram], constraint: Constraint<'_>) -> DiagramResult {
        self.diagrams.with_room(kept, &|diagrams, kept| {
            let constraint = constraint(diagrams)?;
            diagrams.apply(Operation::Intersection, kept[0], constraint)
        })
    }

    /// Intersects a diagram with a constraint, and records the size of the result.
    fn conjoin(&mut self, tours: Diagram, constraint: Constraint<'_>) -> Result<Diagram, NotCounted> {
        let tours = self.intersection(&mut [tours], constraint).map_err(|limit| self.stopped(limit))?;
        self.took(self.diagrams.size(tours));
        Ok(tours)
    }

    /// Chooses the vertex in `open` whose constraint gives the smallest intersection with `tours`. Returns this
    /// intersection, and removes the vertex from `open`.
    fn conjoin_best(
        &mut self,
        tours: Diagram,
        constraints: &Constraints<'_>,
        open: &mut Vec<Vertex>,
        growth: &mut [f64],
    ) -> Result<Diagram, NotCounted> {
        let before = self.diagrams.size(tours);
        let trials = if before <= TRIALS_FREE {
            open.len()
        } else {
            open.sort_by(|v, w| growth[v.index()].total_cmp(&growth[w.index()]));
            TRIALS
        };
        // The diagram before, and the smallest intersection so far.
        let mut kept = [tours; 2];
        let mut best: Option<(usize, usize)> = None;
        for (place, &v) in open.iter().enumerate().take(trials) {
            let made = match self.intersection(&mut kept, &|diagrams| constraints.exactly_once(diagrams, v)) {
                Ok(made) => made,
                // The trial of another vertex may still succeed with a smaller diagram.
                Err(Stopped::Memory) => {
                    growth[v.index()] = f64::INFINITY;
                    continue;
                }
                Err(limit) => return Err(self.stopped(limit)),
            };
            let nodes = self.diagrams.size(made);
            growth[v.index()] = nodes as f64 / before as f64;
            if best.is_none_or(|(least, _)| nodes < least) {
                best = Some((nodes, place));
                kept[1] = made;
            }
        }
        let (nodes, place) = best.ok_or_else(|| self.stopped(Stopped::Memory))?;
        open.remove(place);
        self.took(nodes);
        Ok(kept[1])
    }

    fn took(&mut self, nodes: usize) {
        self.peak_nodes = self.peak_nodes.max(nodes);
        self.conjoined += 1;
        (self.progress)(Progress { conjoined: self.conjoined, of: self.of, nodes });
    }

    fn stopped(&self, limit: Stopped) -> NotCounted {
        self.diagrams.not_built(limit, &format!("after {} of {} constraints", self.conjoined, self.of))
    }
}

/// Vertices that a tour can visit at each time.
struct Slices {
    /// Indexed by time, then by vertex: true if a tour may visit the vertex at this time.
    possible: Vec<Vec<bool>>,
    /// Number of tours per counted vertex sequence: 2 if only the sequences that start in one colour class are counted,
    /// because the reverse of each is another tour; otherwise 1.
    tours_per_walk: u32,
}

impl Slices {
    /// Computes the vertices that a tour may visit at each time. Returns `None` if this shows that no tour exists.
    fn new(instance: &Instance, ends: Endpoints) -> Option<Self> {
        let (graph, n) = (instance.graph(), instance.n() as usize);
        if instance.facts().components().count() != 1 {
            return None;
        }
        let mut slices = Self { possible: vec![vec![true; n]; n], tours_per_walk: 1 };
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
            // The colours alternate, so the size of a class tells whether it belongs to the even or the odd times.
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

    /// Returns the vertices that a tour may visit at time t, in increasing order.
    fn at(&self, t: usize) -> impl DoubleEndedIterator<Item = Vertex> + '_ {
        let vertices = self.possible[t].iter().enumerate();
        vertices.filter(|&(_, &possible)| possible).map(|(v, _)| Vertex::new(v as u32))
    }

    /// Returns the times at which a tour may visit v, in increasing order.
    fn times(&self, v: Vertex) -> impl Iterator<Item = usize> + '_ {
        (0..self.n()).filter(move |&t| self.possible[t][v.index()])
    }

    /// Removes vertices from the times at which no tour can visit them, until nothing changes. A vertex is removed from
    /// a time if it has no possible neighbour just before or after, or if it is the only possible vertex at another
    /// time. Returns true if every time still has a vertex, and every vertex a time.
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
        (0..self.n()).all(|t| self.at(t).next().is_some()) && graph.vertices().all(|v| self.times(v).next().is_some())
    }
}

/// Constraints, as diagrams over the possible variables. Each diagram is built from its last variable to its first.
struct Constraints<'a> {
    graph: &'a Graph,
    slices: &'a Slices,
}

impl Constraints<'_> {
    /// Returns the number of the variable that vertex v is visited at time t.
    fn variable(&self, t: usize, v: Vertex) -> u32 {
        (t * self.slices.n() + v.index()) as u32
    }

    /// Builds a diagram that allows any vertices at these times, and has the constraints of `rest` at all later times.
    fn any(&self, diagrams: &mut Diagrams, times: Range<usize>, mut rest: Diagram) -> DiagramResult {
        for t in times.rev() {
            for v in self.slices.at(t).rev() {
                rest = diagrams.node(self.variable(t, v), rest, rest)?;
            }
        }
        Ok(rest)
    }

    /// Builds a diagram that requires exactly one vertex v at time t, and has the constraints of `rest(v)` at all later
    /// times. An empty `rest(v)` excludes v.
    fn one(
        &self,
        diagrams: &mut Diagrams,
        t: usize,
        rest: &dyn Fn(&mut Diagrams, Vertex) -> DiagramResult,
    ) -> DiagramResult {
        let mut one = Diagram::FALSE;
        for v in self.slices.at(t).rev() {
            let rest = rest(diagrams, v)?;
            one = diagrams.node(self.variable(t, v), rest, one)?;
        }
        Ok(one)
    }

    /// Builds the constraint that exactly one vertex is visited at time t and exactly one at time t + 1, and that the
    /// two are adjacent. Other times are free.
    fn transition(&self, diagrams: &mut Diagrams, t: usize) -> DiagramResult {
        let after = self.any(diagrams, t + 2..self.slices.n(), Diagram::TRUE)?;
        let move_from = self.one(diagrams, t, &|diagrams, from| {
            self.one(diagrams, t + 1, &|_, to| {
                Ok(if self.graph.arc(from, to).is_some() { after } else { Diagram::FALSE })
            })
        })?;
        self.any(diagrams, 0..t, move_from)
    }

    /// Builds the constraint that the vertex at the last time is greater than the vertex at time 1.
    fn ends(&self, diagrams: &mut Diagrams) -> DiagramResult {
        let last = self.slices.n() - 1;
        let second = self.one(diagrams, 1, &|diagrams, a| {
            let end = self.one(diagrams, last, &|_, b| Ok(if a < b { Diagram::TRUE } else { Diagram::FALSE }))?;
            self.any(diagrams, 2..last, end)
        })?;
        self.any(diagrams, 0..1, second)
    }

    /// Builds the constraint that v is visited at exactly one time.
    fn exactly_once(&self, diagrams: &mut Diagrams, v: Vertex) -> DiagramResult {
        // Diagrams of the remaining times, for the two cases: v must still be visited, or it has been visited.
        let (mut still, mut done) = (Diagram::FALSE, Diagram::TRUE);
        for t in (0..self.slices.n()).rev() {
            for w in self.slices.at(t).rev() {
                let variable = self.variable(t, w);
                if w == v {
                    still = diagrams.node(variable, done, still)?;
                } else {
                    still = diagrams.node(variable, still, still)?;
                    done = diagrams.node(variable, done, done)?;
                }
            }
        }
        Ok(still)
    }
}
