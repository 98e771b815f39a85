//! Certificate reason `decomposition`: dynamic programming over all partial tours finds no tour. The certificate gives
//! the order in which vertices are eliminated.
//!
//! # Tables and states
//!
//! At any time, some edges of the graph have been examined, and a tour contains some of them. Until the tour closes,
//! these edges form paths. A *table* has a set of vertices, its *scope*, and a set of *states*. For every vertex of the
//! scope, a state says that the vertex is on no path (0 edges), inside a path (2 edges), or the end of a path (1 edge).
//! For an end, the state also has the other end of the path. Vertices whose edges have all been examined are forgotten.
//! They must have two edges, so they are inside paths, whose ends are in the scope.
//!
//! An edge is a table with two states: no path, and a path between the two vertices of the edge. Two tables that have
//! examined different edges and forgotten different vertices can be joined: every state of the first table is combined
//! with every state of the second, by concatenating their paths. A combination is dropped if a vertex gets three edges,
//! or if a cycle closes while ends of paths are left. If a cycle closes and no ends are left, the cycle has all edges
//! of the state, and the state is closed. Nothing can be added to a closed state.
//!
//! # Correctness
//!
//! The vertices are processed in order. Every table, and every edge as a table, waits for the first vertex of its scope
//! in this order. When a vertex is processed, the tables that wait for it are joined into one table. Then the vertex is
//! forgotten, and the table waits for the next vertex of its scope. So every edge is examined once. A Hamiltonian cycle
//! gives every table a state: the state of the cycle's edges that the table has examined. The cycle does not close
//! before all its edges have been examined. So if a table has no states, there is no Hamiltonian cycle. If the last
//! table has a closed state, the edges of this state are a cycle through all vertices. In this case, and in no other,
//! the reason is invalid. If a scope becomes empty before the last vertex, a part of the graph has no edge to the rest,
//! so there is no Hamiltonian cycle either.
//!
//! # Open tours
//!
//! The open tours of a graph correspond to the closed tours of the graph with an additional vertex x. If both ends are
//! given, x is joined to them. Every Hamiltonian cycle has these two edges, and without x the cycle is a path from one
//! end to the other. If only an end s is given, x is joined to all vertices, and a second additional vertex y is joined
//! to x and s only. If no end is given, x is joined to all vertices. An additional vertex with only two edges is
//! eliminated first; an x that is joined to all vertices is eliminated last.
//!
//! # References
//!
//! - U. Bertelè and F. Brioschi: *Nonserial dynamic programming*, Academic Press, 1972.
//! - R. Dechter: *Bucket elimination: a unifying framework for reasoning*, Artificial Intelligence 113, 1999.
//! - M. Held and R. M. Karp: *The traveling-salesman problem and minimum spanning trees*, Operations Research 18, 1970;
//!   the states are those of E. L. Lawler et al. (eds.): *The Traveling Salesman Problem*, Wiley, 1985, for graphs of
//!   bounded width.

use std::collections::HashSet;

use super::{Asked, Count, Limits, ReasonKind, Unverified};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::endpoints::Endpoints;

/// Kind of reason `decomposition`, with all vertices in the order of their elimination.
pub static KIND: ReasonKind = ReasonKind { name: "decomposition", vertices: Some(("eliminate", Count::All)), check };

/// Message of a certificate along whose order a tour is found.
const WAY_THROUGH: &str = "the certificate is wrong: dynamic programming along the elimination order finds a tour";

const NO_ORDER: &str = "the elimination order does not contain every vertex exactly once";

/// Maximum number of vertices in the scope of a table (see the module documentation). Checks that need a larger scope
/// fail.
pub const WIDEST: usize = 28;

/// Code in a [`State`] for a vertex of the scope that is on no path.
const FREE: u8 = 0;
/// Code in a [`State`] for a vertex of the scope that is inside a path.
const INSIDE: u8 = 1;
/// Least code in a [`State`] for a vertex of the scope that is the end of a path. The code minus `END` is the index of
/// the other end of the path in the scope.
const END: u8 = 2;

/// State of a table: for every vertex of the scope, how paths use the vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    closed: bool,
    at: [u8; WIDEST],
}

impl State {
    const NOTHING: Self = Self { closed: false, at: [FREE; WIDEST] };

    /// Returns the other end of the path that ends at vertex k of the scope; `None` if vertex k is not the end of a
    /// path.
    fn other_end(&self, k: usize) -> Option<usize> {
        self.at[k].checked_sub(END).map(usize::from)
    }

    /// Adds a path between vertices i and j of the scope. Returns false if the result is not a valid state.
    fn lay(&mut self, i: usize, j: usize) -> bool {
        if self.closed || self.at[i] == INSIDE || self.at[j] == INSIDE {
            return false;
        }
        if self.other_end(i) == Some(j) {
            self.at[i] = INSIDE;
            self.at[j] = INSIDE;
            self.closed = true;
            return self.at.iter().all(|&at| at < END);
        }
        let ends = [i, j].map(|k| self.other_end(k).unwrap_or(k));
        for (k, end) in [i, j].into_iter().zip(ends) {
            // Vertex k was the end of a path already, so it now has two edges.
            if end != k {
                self.at[k] = INSIDE;
            }
        }
        self.at[ends[0]] = END + ends[1] as u8;
        self.at[ends[1]] = END + ends[0] as u8;
        true
    }

    /// Returns the combination of two states of the same scope; `None` if the result is not a valid state. The scope
    /// has `width` vertices.
    fn with(&self, other: &Self, width: usize) -> Option<Self> {
        if *other == Self::NOTHING {
            return Some(*self);
        }
        if self.closed || other.closed {
            return (*self == Self::NOTHING).then_some(*other);
        }
        let mut both = *self;
        for k in 0..width {
            if other.at[k] == INSIDE {
                if both.at[k] != FREE {
                    return None;
                }
                both.at[k] = INSIDE;
            }
        }
        for k in 0..width {
            if let Some(end) = other.other_end(k)
                && k < end
                && !both.lay(k, end)
            {
                return None;
            }
        }
        Some(both)
    }

    /// Returns the same state for a larger scope. Vertex k of the old scope has the index `places[k]` in the new scope.
    fn at(&self, places: &[usize]) -> Self {
        let mut moved = Self { closed: self.closed, ..Self::NOTHING };
        for (k, &place) in places.iter().enumerate() {
            moved.at[place] = match self.other_end(k) {
                Some(end) => END + places[end] as u8,
                None => self.at[k],
            };
        }
        moved
    }
}

/// A scope and its states. Each vertex of the scope is given by its index in the elimination order. The indices are in
/// increasing order.
struct Table {
    scope: Vec<usize>,
    states: HashSet<State>,
}

/// Counter of states and steps. It enforces the limits of the check.
struct Meter<'a> {
    limits: &'a Limits<'a>,
    /// Number of states in the tables that wait to be joined.
    held: usize,
    steps: u64,
    /// Maximum number of vertices in the scope of any table so far.
    widest: usize,
    /// Maximum number of states of any table so far.
    most: usize,
}

impl Meter<'_> {
    fn verified(&self) -> String {
        format!(
            "dynamic programming along an elimination order finds no tour, in tables of up to {} vertices and {} states",
            self.widest, self.most
        )
    }

    fn check(&mut self, states: usize) -> Result<(), Unverified> {
        if states.saturating_add(self.held) > self.limits.states {
            return Err(Unverified::TooWide(self.limits.states));
        }
        self.steps += 1;
        match self.steps.is_multiple_of(1 << 14) && (self.limits.stop)() {
            true => Err(Unverified::Stopped),
            false => Ok(()),
        }
    }
}

impl Table {
    /// Returns the table whose scope is the single vertex `v`. No edge of `v` has been examined.
    fn of(v: usize) -> Self {
        Self { scope: vec![v], states: HashSet::from([State::NOTHING]) }
    }

    fn of_edge(v: usize, w: usize) -> Self {
        let mut path = State::NOTHING;
        path.lay(0, 1);
        Self { scope: vec![v.min(w), v.max(w)], states: HashSet::from([State::NOTHING, path]) }
    }

    fn with(&self, other: &Self, meter: &mut Meter<'_>) -> Result<Self, Unverified> {
        let mut scope = [self.scope.as_slice(), &other.scope].concat();
        scope.sort_unstable();
        scope.dedup();
        if scope.len() > WIDEST {
            return Err(Unverified::TooWide(meter.limits.states));
        }
        let places = |table: &Self| -> Vec<usize> {
            let find = |v: &usize| scope.partition_point(|w| w < v);
            table.scope.iter().map(find).collect()
        };
        let (ours, theirs) = (places(self), places(other));
        let theirs: Vec<_> = other.states.iter().map(|state| state.at(&theirs)).collect();
        let mut states = HashSet::new();
        for state in &self.states {
            let state = state.at(&ours);
            for other in &theirs {
                meter.check(self.states.len() + theirs.len() + states.len())?;
                states.extend(state.with(other, scope.len()));
            }
        }
        meter.widest = meter.widest.max(scope.len());
        meter.most = meter.most.max(states.len());
        Ok(Self { scope, states })
    }

    /// Removes the first vertex from the scope, and drops all states in which this vertex does not have two edges.
    fn forget_first(self) -> Self {
        let scope = self.scope[1..].to_vec();
        let inside = self.states.iter().filter(|state| state.at[0] == INSIDE);
        // The first vertex is not the end of a path, so the index of every end just decreases by one.
        let states = inside.map(|state| {
            let mut left = State::NOTHING;
            left.closed = state.closed;
            for k in 0..scope.len() {
                left.at[k] = match state.other_end(k + 1) {
                    Some(end) => END + end as u8 - 1,
                    None => state.at[k + 1],
                };
            }
            left
        });
        let states = states.collect();
        Self { scope, states }
    }
}

/// Returns a graph whose Hamiltonian cycles correspond to the tours that the question asks for. Its vertices are numbered
/// in elimination order. The result is indexed by vertex: its neighbours that come later in the elimination order.
fn later_neighbours(asked: &Asked<'_>, order: &[Vertex]) -> Result<Vec<Vec<usize>>, Unverified> {
    let n = asked.graph.n_vertices() as usize;
    // An additional vertex with only two edges is eliminated first.
    let two = match asked.ends {
        Endpoints::Closed | Endpoints::Open { from: None, to: None } => 0,
        Endpoints::Open { .. } => 1,
    };
    let mut place = vec![None; n];
    for (k, v) in order.iter().enumerate() {
        if place[v.index()].replace(k + two).is_some() {
            return Err(Unverified::invalid(NO_ORDER));
        }
    }
    let place: Option<Vec<usize>> = place.into_iter().collect();
    let place = place.ok_or_else(|| Unverified::invalid(NO_ORDER))?;
    let mut edges = Vec::new();
    for arc in asked.graph.arcs().filter(|arc| arc.tail < arc.head) {
        edges.push((place[arc.tail.index()], place[arc.head.index()]));
    }
    let mut size = n + two;
    match asked.ends {
        Endpoints::Closed => {}
        Endpoints::Open { from: Some(s), to: Some(t) } => {
            edges.extend([(0, place[s.index()]), (0, place[t.index()])]);
        }
        Endpoints::Open { from, to } => {
            let x = size;
            size += 1;
            edges.extend(place.iter().map(|&v| (v, x)));
            if let Some(s) = from.or(to) {
                edges.extend([(0, place[s.index()]), (0, x)]);
            }
        }
    }
    let mut later = vec![Vec::new(); size];
    for (v, w) in edges {
        later[v.min(w)].push(v.max(w));
    }
    for neighbours in &mut later {
        neighbours.sort_unstable();
        // If both given ends are the same vertex, this vertex has only one edge to x.
        neighbours.dedup();
    }
    Ok(later)
}

/// Checks by dynamic programming that no tour exists. The vertices are eliminated in the order `order`.
fn check(asked: &Asked<'_>, order: &[Vertex], limits: &Limits<'_>) -> Result<String, Unverified> {
    let later = later_neighbours(asked, order)?;
    let n = later.len();
    let mut waiting: Vec<Vec<Table>> = Vec::new();
    waiting.resize_with(n, Vec::new);
    let mut meter = Meter { limits, held: 0, steps: 0, widest: 0, most: 0 };
    for v in 0..n {
        let mut table = Table::of(v);
        for other in std::mem::take(&mut waiting[v]) {
            meter.held -= other.states.len();
            table = table.with(&other, &mut meter)?;
        }
        for &w in &later[v] {
            table = table.with(&Table::of_edge(v, w), &mut meter)?;
        }
        let table = table.forget_first();
        match table.scope.first() {
            _ if table.states.is_empty() => return Ok(meter.verified()),
            Some(&next) => {
                meter.held += table.states.len();
                waiting[next].push(table);
            }
            // A part of the graph has no edges to the rest.
            None if v + 1 < n => return Ok(meter.verified()),
            None => {}
        }
    }
    // The last table has a state. Since its scope is empty, the state is closed.
    Err(Unverified::invalid(WAY_THROUGH))
}
