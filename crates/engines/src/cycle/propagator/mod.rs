//! Hamiltonian cycles by CaDiCaL with a propagator for circuits: one variable an edge, two edges at every vertex in
//! clauses, and that they make one cycle is not in clauses but seen to during the search.
//!
//! - `paths.rs`: the true edges make paths, each known by its ends. While vertices are left outside of a path, the edge
//!   between its ends p and q stays false. The reason is given when it is asked for: of the path's set of vertices S,
//!   with pq and the path's edges at p and q true and none leaving its inside, no edge would leave S,
//!
//!   ```text
//!   ¬pq ∨ ¬(first edge) ∨ ¬(last edge) ∨ ⋁ { e : e leaves S from a vertex other than p and q }
//!   ```
//!
//! - A cycle that closes early all the same: some edge leaves its set of vertices.
//! - `connectivity.rs`: the edges that are not false have to hold the graph together, also without any one vertex. That is
//!   a search through the graph, and takes a share of the work only.
//!
//! All these clauses hold for every Hamiltonian cycle; the solver may forget each of them, since it can be had again.
//!
//! The same serves for a [`Network`], where several edges may join the same two vertices, and a vertex may be *passed*
//! elsewhere instead of having two edges. Then a cycle has closed early, and a part hangs by one vertex, only if some
//! vertex on the other side is certain not to be passed; such a vertex is in the reason with the variables that say so.
//!
//! # References
//!
//! - Katalin Fazekas, Aina Niemetz, Mathias Preiner, Markus Kirchweger, Stefan Szeider, Armin Biere: *IPASIR-UP: User
//!   Propagators for CDCL*, SAT 2023.
//! - Martin Gebser, Tomi Janhunen, Jussi Rintanen: *SAT Modulo Graphs: Acyclicity*, JELIA 2014.
//! - George Dantzig, Ray Fulkerson, Selmer Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, 1954.

mod connectivity;
mod paths;

use std::collections::VecDeque;

use hamcnf_encodings::{Graph, Lit};

use self::connectivity::{Apart, Connectivity};
use self::paths::{Joined, Paths};
use super::degrees::degrees;
use super::edges::Edges;
use super::factor::Factor;
use super::{Budget, Found, Stopped};
use crate::proof::SharedLog;
use crate::solve::bridge::{self, OutOfMemory, Propagator, Solver};

/// How it searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// CaDiCaL's seed, 0 to 2·10⁹.
    pub seed: u32,
    /// How much work may be done, in literals that the propagator is told of, again and again over the search; `None`
    /// for no limit. It is as steady as conflicts are, and counts cycles that close early without one.
    pub literals: Option<u64>,
    /// The share of searches for parts that hang together by one vertex, of all work: 0 for none.
    pub connectivity: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            literals: None,
            connectivity: 0.3,
        }
    }
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PropagatorStatistics {
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Propagated literals.
    pub propagations: u64,
    /// Approximate cache lines touched by the solver.
    pub ticks: u64,
    /// Literals that the propagator was told of.
    pub literals: u64,
    /// Edges that were kept false between ends of a path.
    pub closings: u64,
    /// Cycles that closed early, and were cut.
    pub cycles: u64,
    /// Parts that would have hung together with the others by one vertex at most.
    pub parts: u64,
}

/// Looks for a Hamiltonian cycle. That there is none is exact. Where there is a 2-factor to begin `near`, its edges are
/// tried as true, whenever one is decided on, and all others as false.
///
/// # Panics
///
/// If the CaDiCaL that it is linked with is not the version that it was compiled for, which a test would have shown.
#[must_use]
pub fn find(
    graph: &Graph,
    near: Option<&Factor>,
    options: &Options,
    budget: &Budget,
) -> (Found, PropagatorStatistics) {
    let network = Network::of(graph);
    let n = network.edges.n_vertices();
    if n < 3 {
        return (Found::None, PropagatorStatistics::default());
    }
    let edges = network.edges.clone();
    let phases = near.map(|factor| {
        let mut phases: Vec<i32> = (1..=edges.len() as i32).map(|edge| -edge).collect();
        for v in graph.vertices() {
            for w in factor.neighbours(v) {
                if let Some(edge) = edges.between(v.number(), w.number()) {
                    phases[edge as usize] = edge as i32 + 1;
                }
            }
        }
        phases
    });
    let phases = phases.unwrap_or_default();
    let (searched, effort) = search(network, &[], &phases, options, budget);
    let found = match searched {
        Searched::Model(values) => {
            let cycle = edges.cycle(|edge| values[edge as usize]);
            Found::Cycle(cycle.expect("the propagator accepts nothing else"))
        }
        Searched::None => Found::None,
        Searched::Nothing(ended) => Found::Nothing(ended),
    };
    (found, effort)
}

/// Edges, of which one cycle is to be made, through all vertices that are not passed elsewhere.
#[derive(Clone, Debug)]
pub struct Network {
    edges: Edges,
    /// Of every vertex the variables that say that it is passed; empty where none is.
    passes: Vec<Vec<i32>>,
    n_passes: i32,
}

impl Network {
    /// Of a graph: no vertex is passed.
    #[must_use]
    pub fn of(graph: &Graph) -> Self {
        Self {
            edges: Edges::of(graph),
            passes: Vec::new(),
            n_passes: 0,
        }
    }

    /// With so many passes at each vertex. Their variables follow those of the edges, vertex after vertex.
    #[must_use]
    pub fn new(edges: Edges, passes: &[u32]) -> Self {
        let first = edges.len() as i32 + 1;
        let mut next = first;
        let of_vertex = |&count: &u32| {
            let from = next;
            next += count as i32;
            (from..next).collect()
        };
        let passes: Vec<Vec<i32>> = passes.iter().map(of_vertex).collect();
        Self {
            edges,
            passes,
            n_passes: next - first,
        }
    }

    /// The edges. Their variables are their numbers and one more.
    #[must_use]
    pub fn edges(&self) -> &Edges {
        &self.edges
    }

    /// The variables that say that a vertex is passed elsewhere.
    #[must_use]
    pub fn passes(&self, v: u32) -> &[i32] {
        self.passes.get(v as usize).map_or(&[], Vec::as_slice)
    }

    /// How many variables edges and passes have.
    #[must_use]
    pub fn variables(&self) -> i32 {
        self.edges.len() as i32 + self.n_passes
    }

    /// The cycle that a model has, if it is one through all vertices that it does not pass; else what of it is a cycle,
    /// and a vertex elsewhere.
    fn check(&self, is_true: impl Fn(i32) -> bool) -> Result<Vec<u32>, (Vec<u32>, u32)> {
        let n = self.edges.n_vertices() as u32;
        let passed = |v: u32| self.passes(v).iter().any(|&pass| is_true(pass));
        let mut met = (0..n).filter(|&v| !passed(v));
        let Some(start) = met.next() else {
            return Ok(Vec::new());
        };
        let cycle = self
            .edges
            .cycle_from(start, |edge| is_true(edge as i32 + 1));
        if cycle.len() == met.count() + 1 {
            return Ok(cycle);
        }
        let mut on = vec![false; n as usize];
        for &v in &cycle {
            on[v as usize] = true;
        }
        let elsewhere = (0..n).find(|&v| !on[v as usize] && !passed(v));
        Err((cycle, elsewhere.unwrap_or(start)))
    }
}

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Searched {
    /// A model: the values of all variables from 1 on, of `clauses` too.
    Model(Vec<bool>),
    /// There is none.
    None,
    /// Neither is known.
    Nothing(Stopped),
}

/// Looks for one cycle in a network that satisfies further clauses, over the variables of edges and passes and others
/// that follow. Some variables have values that are always tried first.
#[must_use]
pub fn search(
    network: Network,
    clauses: &[Vec<i32>],
    phases: &[i32],
    options: &Options,
    budget: &Budget,
) -> (Searched, PropagatorStatistics) {
    if let Some(ended) = budget.over() {
        return (Searched::Nothing(ended), PropagatorStatistics::default());
    }
    match search_in(network, clauses, phases, options, budget, None) {
        Ok(searched) => searched,
        Err(OutOfMemory) => (
            Searched::Nothing(Stopped::Memory),
            PropagatorStatistics::default(),
        ),
    }
}

/// Derives in a proof what the propagator says.
pub trait Justifies: Send {
    /// A clause of edges, under whose negation no edge leaves these vertices, or none but to one vertex outside.
    fn justify(&mut self, set: &[u32], by: Option<u32>, clause: &[i32]);
}

/// Where a proof goes, and what it has to say of the propagator's clauses.
pub struct Tracing<'p> {
    /// The proof, which has the clauses of [`degrees`](crate::cycle::degrees) already.
    pub log: SharedLog,
    /// What derives the others.
    pub justifies: Box<dyn Justifies + 'p>,
}

/// The same for a cycle through all vertices of a network without passes, with a proof.
#[must_use]
pub fn search_traced(
    network: Network,
    options: &Options,
    budget: &Budget,
    tracing: Tracing<'_>,
) -> (Searched, PropagatorStatistics) {
    debug_assert!(network.n_passes == 0, "what is passed has no proof");
    match search_in(network, &[], &[], options, budget, Some(tracing)) {
        Ok(searched) => searched,
        Err(OutOfMemory) => (
            Searched::Nothing(Stopped::Memory),
            PropagatorStatistics::default(),
        ),
    }
}

fn search_in(
    network: Network,
    clauses: &[Vec<i32>],
    phases: &[i32],
    options: &Options,
    budget: &Budget,
    tracing: Option<Tracing<'_>>,
) -> Result<(Searched, PropagatorStatistics), OutOfMemory> {
    let observed = network.variables();
    let mut circuit = Circuit::new(network, options, budget.clone());
    let mut log = None;
    if let Some(tracing) = tracing {
        circuit.justifies = Some(tracing.justifies);
        circuit.log = Some(tracing.log.clone());
        log = Some(tracing.log);
    }
    let mut solver = Solver::new(circuit).ok_or(OutOfMemory)?;
    // Of satisfiable instances it is the faster configuration, and not the slower of others.
    let known = solver.configure(c"sat")
        && solver.set(c"seed", i32::try_from(options.seed).unwrap_or(i32::MAX));
    debug_assert!(known, "CaDiCaL has these options");
    if let Some(log) = log {
        let hints = log.lock().wants_hints();
        solver.trace(Box::new(log), hints)?;
    }
    let of_clauses = clauses.iter().flatten().map(|literal| literal.abs());
    let last = of_clauses.fold(observed, i32::max);
    let network = solver.propagator().network.clone();
    let literal = |&l: &i32| Lit::new(l.unsigned_abs() - 1, l < 0);
    let passes = |v: u32| network.passes(v).iter().map(literal).collect();
    let mut clause: Vec<i32> = Vec::new();
    let add = |literals: &[Lit]| {
        clause.clear();
        clause.extend(literals.iter().map(|l| l.to_ipasir()));
        solver.add(&clause)
    };
    degrees(&network.edges, passes, last as u32, add)?;
    clauses.iter().try_for_each(|clause| solver.add(clause))?;
    for variable in 1..=observed {
        solver.observe(variable)?;
    }
    for &literal in phases {
        solver.phase(literal)?;
    }
    let searched = match solver.solve() {
        bridge::BridgeStatus::Satisfiable => {
            Searched::Model((1..=last).map(|variable| solver.value(variable)).collect())
        }
        bridge::BridgeStatus::Unsatisfiable => Searched::None,
        bridge::BridgeStatus::Stopped => {
            Searched::Nothing(budget.over().unwrap_or(Stopped::GaveUp))
        }
        bridge::BridgeStatus::OutOfMemory => return Err(OutOfMemory),
    };
    let effort = PropagatorStatistics {
        conflicts: solver.statistic(c"conflicts"),
        decisions: solver.statistic(c"decisions"),
        propagations: solver.statistic(c"propagations"),
        ticks: solver.statistic(c"ticks"),
        literals: solver.propagator().told,
        ..solver.propagator().effort
    };
    Ok((searched, effort))
}

/// Why the edge between the ends of a path is false.
#[derive(Clone, Copy, Debug, Default)]
struct Why {
    ends: [u32; 2],
    /// The path's edges at its ends.
    last: [u32; 2],
    /// A vertex that the path does not have, and that was certain.
    witness: u32,
}

/// The propagator.
struct Circuit<'p> {
    network: Network,
    budget: Budget,
    /// 1 for true edges and passes, −1 for false ones, 0 for those that are neither yet.
    values: Vec<i8>,
    /// The edges and passes that have a value, in the order in which they got it, and where each of them is there.
    trail: Vec<u32>,
    at: Vec<u32>,
    /// How long the trail, and how many true edges there were, when each level began.
    levels: Vec<(usize, usize)>,
    paths: Paths,
    /// Edges that have to be false, and how many were true when that was seen.
    waiting: VecDeque<(u32, usize)>,
    why: Vec<Why>,
    /// Of every pass the vertex.
    passed: Vec<u32>,
    /// How many passes of each vertex are not false: those that have none are certain.
    open: Vec<u32>,
    /// How many vertices are certain.
    certain: u32,
    /// A vertex on a cycle that has closed early, perhaps.
    closed: Option<u32>,
    /// A cycle of a model that the solver found without a word, and a vertex that it has not.
    refused: Option<(Vec<u32>, u32)>,
    connectivity: Connectivity,
    share: f64,
    /// Literals that were told, as a measure of the solver's work.
    told: u64,
    /// How many may be told.
    most: u64,
    /// How many have become false, and had at the last look at connectivity.
    falsified: u64,
    looked: u64,
    /// Marks of the vertices of a set: those that have the last number.
    marks: Vec<u32>,
    mark: u32,
    set: Vec<u32>,
    effort: PropagatorStatistics,
    /// Derives its clauses in a proof.
    justifies: Option<Box<dyn Justifies + 'p>>,
    log: Option<SharedLog>,
}

/// How much more the solver does for a literal that it tells of than is done for an edge that is looked at.
const WORK_PER_LITERAL: f64 = 40.0;

impl<'p> Circuit<'p> {
    fn new(network: Network, options: &Options, budget: Budget) -> Self {
        let (n, m) = (network.edges.n_vertices(), network.edges.len());
        let vertices = 0..n as u32;
        let open: Vec<u32> = vertices
            .clone()
            .map(|v| network.passes(v).len() as u32)
            .collect();
        let passed = vertices.flat_map(|v| network.passes(v).iter().map(move |_| v));
        Self {
            values: vec![0; network.variables() as usize],
            trail: Vec::with_capacity(m),
            at: vec![0; network.variables() as usize],
            levels: Vec::new(),
            paths: Paths::new(n),
            waiting: VecDeque::new(),
            why: vec![Why::default(); m],
            passed: passed.collect(),
            certain: open.iter().filter(|&&open| open == 0).count() as u32,
            open,
            closed: None,
            refused: None,
            connectivity: Connectivity::new(n),
            share: options.connectivity,
            told: 0,
            most: options.literals.unwrap_or(u64::MAX),
            falsified: 0,
            looked: 0,
            marks: vec![0; n],
            mark: 0,
            set: Vec::new(),
            effort: PropagatorStatistics::default(),
            justifies: None,
            log: None,
            network,
            budget,
        }
    }

    /// Why an edge is false: of the path that it would close, whose vertices are the set then.
    fn explain(&mut self, propagated: i32, clause: &mut Vec<i32>) {
        let edge = propagated.unsigned_abs() as usize - 1;
        let why = self.why[edge];
        self.path(why);
        clause.push(propagated);
        clause.extend(self.passes(why.witness));
        // Propagation over the degrees is complete, so that these were false before; a reason has to be of such.
        let before = match self.values[edge] {
            0 => u32::MAX,
            _ => self.at[edge],
        };
        let inside = &self.set[1..self.set.len() - 1];
        let all_false = self
            .leaving(inside, None)
            .all(|other| self.values[other as usize] < 0 && self.at[other as usize] < before);
        if all_false {
            clause.extend(why.last.map(|edge| -(edge as i32 + 1)));
            clause.extend(self.leaving(inside, None).map(|edge| edge as i32 + 1));
            return;
        }
        // Then the path itself.
        let ends = [why.ends[0], why.ends[1]];
        for &v in &self.set {
            for edge in self.paths.on(v) {
                let [a, b] = self.network.edges.ends(edge);
                let within = [a, b].iter().all(|&w| self.marks[w as usize] == self.mark);
                let once = v == a;
                let of_path = |end: u32, last: u32| v != end || edge == last;
                if within && once && of_path(ends[0], why.last[0]) && of_path(ends[1], why.last[1])
                {
                    clause.push(-(edge as i32 + 1));
                }
            }
        }
    }

    fn becomes_true(&mut self, edge: u32) {
        let n = self.marks.len() as u32;
        let edges = &self.network.edges;
        let [a, b] = edges.ends(edge);
        match self.paths.join(edge, a, b) {
            Joined::Path {
                ends,
                vertices,
                last,
            } if vertices < n => {
                for edge in edges.all_between(ends[0], ends[1]) {
                    if self.values[edge as usize] == 0 {
                        let witness = u32::MAX;
                        self.why[edge as usize] = Why {
                            ends,
                            last,
                            witness,
                        };
                        self.waiting.push_back((edge, self.paths.len()));
                    }
                }
            }
            Joined::Cycle { vertices } if vertices < n => {
                self.closed.get_or_insert(a);
            }
            Joined::Path { .. } | Joined::Cycle { .. } | Joined::TooMany => {}
        }
    }

    /// Whether a vertex is certain not to be passed.
    fn is_certain(&self, v: u32) -> bool {
        self.open[v as usize] == 0
    }

    /// Marks the vertices of the set.
    fn mark_set(&mut self) {
        self.mark += 1;
        for &v in &self.set {
            self.marks[v as usize] = self.mark;
        }
    }

    /// A certain vertex outside of the set, which has to be marked, other than this one.
    fn witness(&self, but: Option<u32>) -> Option<u32> {
        let of_set = self.set.iter().filter(|&&v| self.is_certain(v)).count() as u32;
        let of_but = u32::from(but.is_some_and(|v| self.is_certain(v)));
        if self.certain <= of_set + of_but {
            return None;
        }
        let mut all = 0..self.marks.len() as u32;
        all.find(|&v| self.marks[v as usize] != self.mark && Some(v) != but && self.is_certain(v))
    }

    /// The edges that leave the set, which has to be marked, from these of its vertices.
    fn leaving<'a>(
        &'a self,
        vertices: &'a [u32],
        but: Option<u32>,
    ) -> impl Iterator<Item = u32> + 'a {
        let at = vertices.iter().flat_map(|&v| self.network.edges.at(v));
        let outside = move |w: u32| self.marks[w as usize] != self.mark && Some(w) != but;
        at.filter(move |&&(w, _)| outside(w)).map(|&(_, edge)| edge)
    }

    /// The set of vertices of a path, marked.
    fn path(&mut self, Why { ends, last, .. }: Why) {
        let edges = &self.network.edges;
        let other = |edge, v| edges.other(edge, v);
        self.paths
            .walk(ends[0], last[0], ends[1], other, &mut self.set);
        self.mark_set();
    }

    /// The set of vertices of the cycle through `v`, marked.
    fn cycle_through(&mut self, v: u32) {
        let edges = &self.network.edges;
        let on: Vec<u32> = self.paths.on(v).collect();
        let &[first, last] = on.as_slice() else {
            unreachable!("a vertex on a cycle has two edges");
        };
        let end = edges.other(last, v);
        self.paths
            .walk(v, first, end, |edge, v| edges.other(edge, v), &mut self.set);
        self.mark_set();
    }

    /// Looks for a part that hangs together with the others by one vertex at most, now and then.
    fn look(&mut self) -> Option<Apart> {
        let due = self.falsified != self.looked
            && self.connectivity.work as f64 <= self.share * WORK_PER_LITERAL * self.told as f64;
        if !due {
            return None;
        }
        self.looked = self.falsified;
        let root = (0..self.open.len() as u32).find(|&v| self.is_certain(v))?;
        let (values, open) = (&self.values, &self.open);
        self.connectivity.apart(
            &self.network.edges,
            |edge| values[edge as usize] < 0,
            |v| open[v as usize] == 0,
            root,
            self.certain,
        )
    }

    /// The passes of a vertex of the set that has the fewest: with all of the set passed nothing has to leave it.
    fn inner_passes(&self) -> impl Iterator<Item = i32> + '_ {
        let set = self.set.iter().copied();
        let fewest = set.min_by_key(|&v| self.network.passes(v).len());
        fewest.into_iter().flat_map(|v| self.passes(v))
    }

    fn passes(&self, v: u32) -> impl Iterator<Item = i32> + '_ {
        self.network.passes(v).iter().copied()
    }
}

impl Propagator for Circuit<'_> {
    fn assigned(&mut self, literals: &[i32]) {
        self.told += literals.len() as u64;
        let n_edges = self.network.edges.len() as u32;
        for &literal in literals {
            let index = literal.unsigned_abs() - 1;
            let Some(value) = self.values.get_mut(index as usize) else {
                continue;
            };
            // What holds without a decision is told again and again.
            if *value != 0 {
                continue;
            }
            *value = literal.signum() as i8;
            self.at[index as usize] = self.trail.len() as u32;
            self.trail.push(index);
            if literal < 0 {
                self.falsified += 1;
            }
            if index < n_edges {
                if literal > 0 {
                    self.becomes_true(index);
                }
            } else if literal < 0 {
                let open = &mut self.open[self.passed[(index - n_edges) as usize] as usize];
                *open -= 1;
                self.certain += u32::from(*open == 0);
            }
        }
    }

    fn new_level(&mut self) {
        self.levels.push((self.trail.len(), self.paths.len()));
    }

    fn backtrack(&mut self, level: usize) {
        let Some(&(assigned, joined)) = self.levels.get(level) else {
            return;
        };
        self.levels.truncate(level);
        let n_edges = self.network.edges.len() as u32;
        for index in self.trail.drain(assigned..) {
            let value = std::mem::take(&mut self.values[index as usize]);
            if index >= n_edges && value < 0 {
                let open = &mut self.open[self.passed[(index - n_edges) as usize] as usize];
                self.certain -= u32::from(*open == 0);
                *open += 1;
            }
        }
        self.paths.undo(joined);
        while self.waiting.back().is_some_and(|&(_, when)| when > joined) {
            self.waiting.pop_back();
        }
        self.closed = None;
    }

    fn propagate(&mut self) -> i32 {
        while let Some((edge, _)) = self.waiting.pop_front() {
            // A true one has closed a cycle, which is a clause.
            if self.values[edge as usize] != 0 {
                continue;
            }
            if self.network.n_passes > 0 {
                self.path(self.why[edge as usize]);
                self.told += self.set.len() as u64 / 8;
                let Some(witness) = self.witness(None) else {
                    continue;
                };
                self.why[edge as usize].witness = witness;
            }
            self.effort.closings += 1;
            return -(edge as i32 + 1);
        }
        0
    }

    fn reason(&mut self, propagated: i32, clause: &mut Vec<i32>) {
        self.explain(propagated, clause);
        if let Some(justifies) = &mut self.justifies {
            justifies.justify(&self.set, None, clause);
        }
    }

    fn clause(&mut self, clause: &mut Vec<i32>) -> bool {
        let by = if let Some((cycle, elsewhere)) = self.refused.take() {
            self.set = cycle;
            self.mark_set();
            self.effort.cycles += 1;
            clause.extend(self.passes(elsewhere));
            clause.extend(self.inner_passes());
            None
        } else if let Some(witness) = self.closed.and_then(|v| {
            self.cycle_through(v);
            self.witness(None)
        }) {
            self.closed = None;
            self.effort.cycles += 1;
            clause.extend(self.passes(witness));
            clause.extend(self.inner_passes());
            None
        } else if let Some(Apart { part, by }) = self.look() {
            self.set = part;
            self.mark_set();
            self.effort.parts += 1;
            let here = self.set.iter().copied().find(|&v| self.is_certain(v));
            for witness in here.into_iter().chain(self.witness(by)) {
                clause.extend(self.passes(witness));
            }
            by
        } else {
            return false;
        };
        clause.extend(self.leaving(&self.set, by).map(|edge| edge as i32 + 1));
        if let Some(justifies) = &mut self.justifies {
            justifies.justify(&self.set, by, clause);
        }
        true
    }

    fn check(&mut self, model: &[i32]) -> bool {
        let observed = self.values.len();
        let mut is_true = vec![false; observed];
        for &literal in model {
            if literal > 0 && literal as usize <= observed {
                is_true[literal as usize - 1] = true;
            }
        }
        let checked = self
            .network
            .check(|variable| is_true[variable as usize - 1]);
        self.refused = checked.err();
        self.refused.is_none()
    }

    fn over(&mut self) -> bool {
        let cannot_write = |log: &SharedLog| log.lock().has_failed();
        self.told >= self.most
            || self.budget.over().is_some()
            || self.log.as_ref().is_some_and(cannot_write)
    }
}
