//! Search for Hamiltonian cycles of a small graph by backtracking over edges. The search decides whether there is a
//! cycle, or counts the cycles by finding each of them once. It is fast on sparse graphs, such as cubic graphs.
//!
//! Every edge is free, chosen or removed. Each choice or removal has consequences, by these rules:
//!
//! 1. A vertex with two chosen edges loses its other edges.
//! 2. If two edges of a vertex are left, both are chosen; fewer than two are a contradiction.
//! 3. An edge between the two ends of a path of chosen edges is removed, unless the path visits all vertices.
//! 4. All vertices must be reachable from each other by the edges that are left.
//!
//! The search branches on an edge at the end of a path, or at a vertex of least degree if there is no path: the edge is
//! chosen in one branch and removed in the other.
//!
//! # References
//!
//! - Frank Rubin: *A Search Procedure for Hamilton Paths and Circuits*, Journal of the ACM 21, 1974.

use hamcnf_graph::masks::{Masks, bits, low};

use hamcnf_graph::budget::{Budget, Stopped};

/// Number of search nodes between two checks of the budget.
const CHECK: u64 = 1 << 10;

/// Result of a search for all Hamiltonian cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Listing {
    /// The graph has exactly this number of cycles.
    All(u64),
    /// The search stopped after it found the requested number of cycles.
    Enough,
    /// The search reached the maximum number of nodes.
    TooLong,
}

/// Counts the Hamiltonian cycles that contain the edges `chosen` of the graph, no two of which have a common vertex.
/// Stops after finding `most` cycles, or after visiting `nodes` search nodes.
///
/// # Errors
///
/// Returns the reason why the budget ended the search.
pub(super) fn count(
    graph: &Masks,
    chosen: &[(u32, u32)],
    most: u64,
    nodes: u64,
    budget: &Budget,
) -> Result<Listing, Stopped> {
    match graph.n() {
        0..=2 => Ok(Listing::All(0)),
        3..=16 => search::<16>(graph, chosen, most, nodes, budget),
        17..=32 => search::<32>(graph, chosen, most, nodes, budget),
        33.. => search::<64>(graph, chosen, most, nodes, budget),
    }
}

fn search<const N: usize>(
    graph: &Masks,
    chosen: &[(u32, u32)],
    most: u64,
    nodes: u64,
    budget: &Budget,
) -> Result<Listing, Stopped> {
    let mut search = Search { n: graph.n(), most, found: 0, left: nodes, budget };
    let mut state = State::<N>::new(graph);
    let mut dirty = low(search.n);
    let mut settled = Settled::Open;
    for &(v, w) in chosen {
        if settled == Settled::Open {
            settled = state.choose(v, w, search.n, &mut dirty);
        }
    }
    if settled == Settled::Open {
        settled = state.settle(search.n, dirty);
    }
    let ended = match settled {
        Settled::Open => search.branch(state),
        Settled::Cycle => search.cycle(),
        Settled::Contradiction => Ok(()),
    };
    match ended {
        Ok(()) => Ok(Listing::All(search.found)),
        Err(End::Enough) => Ok(Listing::Enough),
        Err(End::TooLong) => Ok(Listing::TooLong),
        Err(End::Stopped(stopped)) => Err(stopped),
    }
}

/// Reason why a search ended early.
enum End {
    Enough,
    TooLong,
    Stopped(Stopped),
}

struct Search<'b> {
    n: u32,
    most: u64,
    found: u64,
    /// Number of nodes that the search may still visit.
    left: u64,
    budget: &'b Budget,
}

impl Search<'_> {
    fn cycle(&mut self) -> Result<(), End> {
        self.found += 1;
        match self.found >= self.most {
            true => Err(End::Enough),
            false => Ok(()),
        }
    }

    /// Visits all Hamiltonian cycles that agree with the choices in `state`, which must not contain a contradiction.
    fn branch<const N: usize>(&mut self, mut state: State<N>) -> Result<(), End> {
        loop {
            self.left = self.left.checked_sub(1).ok_or(End::TooLong)?;
            if self.left.is_multiple_of(CHECK)
                && let Some(stopped) = self.budget.over()
            {
                return Err(End::Stopped(stopped));
            }
            if !state.is_connected(self.n) {
                return Ok(());
            }
            let (v, w) = state.edge(self.n);
            let mut with = state.clone();
            let mut dirty = 0;
            let settled = match with.choose(v, w, self.n, &mut dirty) {
                Settled::Open => with.settle(self.n, dirty),
                other => other,
            };
            match settled {
                Settled::Open => self.branch(with)?,
                Settled::Cycle => self.cycle()?,
                Settled::Contradiction => {}
            }
            state.remove(v, w);
            match state.settle(self.n, 1 << v | 1 << w) {
                Settled::Open => {}
                Settled::Cycle => return self.cycle(),
                Settled::Contradiction => return Ok(()),
            }
        }
    }
}

/// Outcome of a choice or removal, together with its consequences.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    /// Some edges are still free.
    Open,
    /// The graph has exactly one Hamiltonian cycle that agrees with the choices.
    Cycle,
    /// No Hamiltonian cycle agrees with the choices.
    Contradiction,
}

#[derive(Clone)]
struct State<const N: usize> {
    /// Indexed by vertex: the mask of its neighbours along free and chosen edges.
    left: [u64; N],
    /// Indexed by vertex: the mask of its neighbours along chosen edges, of which it has at most two.
    chosen: [u64; N],
    /// Indexed by vertex: for an end of a path of chosen edges, the other end. A vertex without chosen edges is a path
    /// by itself, so its entry is the vertex. Outdated for inner vertices.
    end: [u8; N],
    /// Number of chosen edges.
    n_chosen: u32,
}

impl<const N: usize> State<N> {
    fn new(graph: &Masks) -> Self {
        let mut left = [0; N];
        left[..graph.n() as usize].copy_from_slice(graph.rows());
        Self { left, chosen: [0; N], end: std::array::from_fn(|v| v as u8), n_chosen: 0 }
    }

    fn remove(&mut self, v: u32, w: u32) {
        self.left[v as usize] &= !(1 << w);
        self.left[w as usize] &= !(1 << v);
    }

    /// Chooses the free edge vw. Adds to `dirty` the vertices at which this may have consequences.
    fn choose(&mut self, v: u32, w: u32, n: u32, dirty: &mut u64) -> Settled {
        let is_inner = |u: u32| self.chosen[u as usize].count_ones() == 2;
        // An edge that closes a Hamiltonian cycle is not chosen: the cycle is found one edge earlier.
        if is_inner(v) || is_inner(w) || u32::from(self.end[v as usize]) == w {
            return Settled::Contradiction;
        }
        let (a, b) = (self.end[v as usize].into(), self.end[w as usize].into());
        self.end[a as usize] = b as u8;
        self.end[b as usize] = a as u8;
        self.chosen[v as usize] |= 1 << w;
        self.chosen[w as usize] |= 1 << v;
        self.n_chosen += 1;
        *dirty |= 1 << v | 1 << w;
        let is_left = self.left[a as usize] >> b & 1 == 1;
        if self.n_chosen == n - 1 {
            return match is_left {
                true => Settled::Cycle,
                false => Settled::Contradiction,
            };
        }
        if is_left && self.chosen[a as usize] >> b & 1 == 0 {
            self.remove(a, b);
            *dirty |= 1 << a | 1 << b;
        }
        Settled::Open
    }

    /// Draws all consequences of changes at the vertices in the mask `dirty`.
    fn settle(&mut self, n: u32, mut dirty: u64) -> Settled {
        while dirty != 0 {
            let v = dirty.trailing_zeros();
            dirty &= dirty - 1;
            let (left, chosen) = (self.left[v as usize], self.chosen[v as usize]);
            let rest = left & !chosen;
            if chosen.count_ones() == 2 {
                self.left[v as usize] = chosen;
                for w in bits(rest) {
                    self.left[w as usize] &= !(1 << v);
                }
                dirty |= rest;
                continue;
            }
            match left.count_ones() {
                0 | 1 => return Settled::Contradiction,
                2 => {
                    for w in bits(rest) {
                        // Choosing the other edge of `v` may have removed this edge.
                        if self.left[v as usize] >> w & 1 == 0 {
                            return Settled::Contradiction;
                        }
                        match self.choose(v, w, n, &mut dirty) {
                            Settled::Open => {}
                            other => return other,
                        }
                    }
                }
                _ => {}
            }
        }
        Settled::Open
    }

    /// True if the free and chosen edges connect all vertices.
    fn is_connected(&self, n: u32) -> bool {
        let all = low(n);
        let (mut reached, mut new) = (1, 1);
        while new != 0 {
            let next = bits(new).fold(0, |next, v| next | self.left[v as usize]);
            new = next & !reached;
            reached |= next;
        }
        reached & all == all
    }

    /// Returns a free edge to branch on.
    fn edge(&self, n: u32) -> (u32, u32) {
        // Vertices with two chosen edges have no free edges. All others have at least three free or chosen edges.
        let open = (0..n).filter(|&v| self.chosen[v as usize].count_ones() < 2);
        let degree = |v: u32| self.left[v as usize].count_ones();
        let v = open.min_by_key(|&v| (self.chosen[v as usize] == 0, degree(v)));
        let v = v.expect("an open state has a vertex with free edges");
        let free = self.left[v as usize] & !self.chosen[v as usize];
        let w = bits(free).min_by_key(|&w| degree(w));
        (v, w.expect("the vertex has a free edge"))
    }
}
