//! Hamiltonian cycles by CaDiCaL with a propagator for circuits: one variable an edge, two edges at every vertex in
//! clauses, and that they make one cycle is not in clauses but seen to during the search.
//!
//! - [`paths`]: the true edges make paths, each known by its ends. While vertices are left outside of a path, the edge
//!   between its ends p and q stays false. The reason is given when it is asked for: of the path's set of vertices S,
//!   with pq and the path's edges at p and q true and none leaving its inside, no edge would leave S,
//!
//!   ```text
//!   ¬pq ∨ ¬(first edge) ∨ ¬(last edge) ∨ ⋁ { e : e leaves S from a vertex other than p and q }
//!   ```
//!
//! - A cycle that closes early all the same: some edge leaves its set of vertices.
//! - [`connectivity`]: the edges that are not false have to hold the graph together, also without any one vertex. That is
//!   a search through the graph, and takes a share of the work only.
//!
//! All these clauses hold for every Hamiltonian cycle; the solver may forget each of them, since it can be had again.
//!
//! # References
//!
//! - Katalin Fazekas, Aina Niemetz, Mathias Preiner, Markus Kirchweger, Stefan Szeider, Armin Biere: *IPASIR-UP: User
//!   Propagators for CDCL*, SAT 2023.
//! - Martin Gebser, Tomi Janhunen, Jussi Rintanen: *SAT Modulo Graphs: Acyclicity*, JELIA 2014.
//! - George Dantzig, Ray Fulkerson, Selmer Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, 1954.

mod bridge;
mod connectivity;
mod paths;

use std::collections::VecDeque;

use hamcnf_encodings::Graph;

use self::bridge::{OutOfMemory, Propagator, Solver};
use self::connectivity::{Apart, Connectivity};
use self::paths::{Joined, Paths};
use super::degrees::degrees;
use super::edges::Edges;
use super::{Ended, Found, Watch};

/// How it searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// CaDiCaL's seed, 0 to 2·10⁹.
    pub seed: u32,
    /// How much work may be done, in the solver's ticks; `None` for no limit.
    pub ticks: Option<u64>,
    /// The share of searches for parts that hang together by one vertex, of all work: 0 for none.
    pub connectivity: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 0,
            ticks: None,
            connectivity: 0.3,
        }
    }
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Conflicts.
    pub conflicts: u64,
    /// Decisions.
    pub decisions: u64,
    /// Propagated literals.
    pub propagations: u64,
    /// Approximate cache lines touched by the solver.
    pub ticks: u64,
    /// Edges that were kept false between ends of a path.
    pub closings: u64,
    /// Cycles that closed early, and were cut.
    pub cycles: u64,
    /// Parts that would have hung together with the others by one vertex at most.
    pub parts: u64,
}

/// Looks for a Hamiltonian cycle. That there is none is exact.
#[must_use]
pub fn find(graph: &Graph, options: &Options, watch: &Watch) -> (Found, Effort) {
    if let Some(ended) = watch.over() {
        return (Found::Nothing(ended), Effort::default());
    }
    let edges = Edges::of(graph);
    match search(edges, options, watch) {
        Ok(found) => found,
        Err(OutOfMemory) => (Found::Nothing(Ended::Memory), Effort::default()),
    }
}

fn search(edges: Edges, options: &Options, watch: &Watch) -> Result<(Found, Effort), OutOfMemory> {
    let n_edges = edges.len() as i32;
    let circuit = Circuit::new(edges, options, watch.clone());
    let mut solver = Solver::new(circuit).ok_or(OutOfMemory)?;
    // Of satisfiable instances it is the faster configuration, and not the slower of others.
    let known = solver.configure(c"sat")
        && solver.set(c"seed", i32::try_from(options.seed).unwrap_or(i32::MAX));
    debug_assert!(known, "CaDiCaL has these options");
    let edges = solver.propagator().edges.clone();
    degrees(&edges, |clause| solver.add(clause))?;
    for variable in 1..=n_edges {
        solver.observe(variable)?;
    }
    if let Some(ticks) = options.ticks {
        let known = solver.limit(c"ticks", i32::try_from(ticks).unwrap_or(i32::MAX));
        debug_assert!(known, "CaDiCaL has this limit");
    }
    let ended = solver.solve();
    let found = match ended {
        bridge::Ended::Satisfiable => {
            let chosen = |edge: u32| solver.value(edge as i32 + 1);
            let cycle = edges.cycle(chosen);
            Found::Cycle(cycle.expect("the propagator accepts nothing else"))
        }
        bridge::Ended::Unsatisfiable => Found::None,
        bridge::Ended::Stopped => Found::Nothing(watch.over().unwrap_or(Ended::GaveUp)),
        bridge::Ended::OutOfMemory => return Err(OutOfMemory),
    };
    let effort = Effort {
        conflicts: solver.statistic(c"conflicts"),
        decisions: solver.statistic(c"decisions"),
        propagations: solver.statistic(c"propagations"),
        ticks: solver.statistic(c"ticks"),
        ..solver.propagator().effort
    };
    Ok((found, effort))
}

/// Why the edge between the ends of a path is false.
#[derive(Clone, Copy, Debug, Default)]
struct Why {
    ends: [u32; 2],
    /// The path's edges at its ends.
    last: [u32; 2],
}

/// The propagator.
struct Circuit {
    edges: Edges,
    watch: Watch,
    /// 1 for true edges, −1 for false ones, 0 for those that are neither yet.
    values: Vec<i8>,
    /// The edges that have a value, in the order in which they got it.
    trail: Vec<u32>,
    /// How long the trail, and how many true edges there were, when each level began.
    levels: Vec<(usize, usize)>,
    paths: Paths,
    /// Edges that have to be false, and how many were true when that was seen.
    waiting: VecDeque<(u32, usize)>,
    why: Vec<Why>,
    /// A vertex on a cycle that has closed early.
    closed: Option<u32>,
    /// A cycle of a model that the solver found without a word.
    refused: Option<Vec<u32>>,
    connectivity: Connectivity,
    share: f64,
    /// Edges that were told, as a measure of the solver's work.
    told: u64,
    /// How many edges had become false at the last look at connectivity.
    falsified: u64,
    looked: u64,
    /// Marks of the vertices of a set: those that have the last number.
    marks: Vec<u32>,
    mark: u32,
    set: Vec<u32>,
    effort: Effort,
}

/// How much more the solver does for an edge that it tells of than is done for one that is looked at.
const WORK_PER_LITERAL: f64 = 40.0;

impl Circuit {
    fn new(edges: Edges, options: &Options, watch: Watch) -> Self {
        let (n, m) = (edges.n_vertices(), edges.len());
        Self {
            values: vec![0; m],
            trail: Vec::with_capacity(m),
            levels: Vec::new(),
            paths: Paths::new(n),
            waiting: VecDeque::new(),
            why: vec![Why::default(); m],
            closed: None,
            refused: None,
            connectivity: Connectivity::new(n),
            share: options.connectivity,
            told: 0,
            falsified: 0,
            looked: 0,
            marks: vec![0; n],
            mark: 0,
            set: Vec::new(),
            effort: Effort::default(),
            edges,
            watch,
        }
    }

    fn becomes_true(&mut self, edge: u32) {
        let n = self.marks.len() as u32;
        let [a, b] = self.edges.ends(edge);
        match self.paths.join(edge, a, b) {
            Joined::Path {
                ends,
                vertices,
                last,
            } if vertices < n => {
                let between = self.edges.between(ends[0], ends[1]);
                if let Some(edge) = between.filter(|&edge| self.values[edge as usize] == 0) {
                    self.why[edge as usize] = Why { ends, last };
                    self.waiting.push_back((edge, self.paths.len()));
                }
            }
            Joined::Cycle { vertices } if vertices < n => {
                self.closed.get_or_insert(a);
            }
            Joined::Path { .. } | Joined::Cycle { .. } | Joined::TooMany => {}
        }
    }

    /// Marks the vertices of the set.
    fn mark_set(&mut self) {
        self.mark += 1;
        for &v in &self.set {
            self.marks[v as usize] = self.mark;
        }
    }

    /// The edges that leave the set, which has to be marked, from these of its vertices.
    fn leaving<'a>(
        &'a self,
        vertices: &'a [u32],
        but: Option<u32>,
    ) -> impl Iterator<Item = u32> + 'a {
        let at = vertices.iter().flat_map(|&v| self.edges.at(v));
        let outside = move |w: u32| self.marks[w as usize] != self.mark && Some(w) != but;
        at.filter(move |&&(w, _)| outside(w)).map(|&(_, edge)| edge)
    }

    /// The set of vertices of the cycle through `v`.
    fn cycle_through(&mut self, v: u32) {
        let edges = &self.edges;
        let mut on = self.paths.on(v);
        let (Some(first), Some(last)) = (on.next(), on.next()) else {
            unreachable!("a vertex on a cycle has two edges");
        };
        let end = edges.other(last, v);
        self.paths
            .walk(v, first, end, |edge, v| edges.other(edge, v), &mut self.set);
    }

    /// Looks for a part that hangs together with the others by one vertex at most, now and then.
    fn look(&mut self) -> Option<Apart> {
        let due = self.falsified != self.looked
            && self.connectivity.work as f64 <= self.share * WORK_PER_LITERAL * self.told as f64;
        if !due {
            return None;
        }
        self.looked = self.falsified;
        let values = &self.values;
        self.connectivity
            .apart(&self.edges, |edge| values[edge as usize] < 0)
    }
}

impl Propagator for Circuit {
    fn assigned(&mut self, literals: &[i32]) {
        self.told += literals.len() as u64;
        for &literal in literals {
            let edge = literal.unsigned_abs() - 1;
            let Some(value) = self.values.get_mut(edge as usize) else {
                continue;
            };
            // What holds without a decision is told again and again.
            if *value != 0 {
                continue;
            }
            *value = literal.signum() as i8;
            self.trail.push(edge);
            if literal > 0 {
                self.becomes_true(edge);
            } else {
                self.falsified += 1;
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
        for edge in self.trail.drain(assigned..) {
            self.values[edge as usize] = 0;
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
            if self.values[edge as usize] == 0 {
                self.effort.closings += 1;
                return -(edge as i32 + 1);
            }
        }
        0
    }

    fn reason(&mut self, propagated: i32, clause: &mut Vec<i32>) {
        let Why { ends, last } = self.why[propagated.unsigned_abs() as usize - 1];
        let edges = &self.edges;
        let other = |edge, v| edges.other(edge, v);
        self.paths
            .walk(ends[0], last[0], ends[1], other, &mut self.set);
        self.mark_set();
        clause.push(propagated);
        clause.extend(last.map(|edge| -(edge as i32 + 1)));
        let inside = &self.set[1..self.set.len() - 1];
        let all_false = self
            .leaving(inside, None)
            .all(|edge| self.values[edge as usize] < 0);
        if all_false {
            clause.extend(self.leaving(inside, None).map(|edge| edge as i32 + 1));
            return;
        }
        // Then the path itself.
        clause.truncate(1);
        let steps = self.set.windows(2);
        let between = steps.filter_map(|step| self.edges.between(step[0], step[1]));
        clause.extend(between.map(|edge| -(edge as i32 + 1)));
    }

    fn clause(&mut self, clause: &mut Vec<i32>) -> bool {
        let by = if let Some(cycle) = self.refused.take() {
            self.set = cycle;
            self.effort.cycles += 1;
            None
        } else if let Some(v) = self.closed.take() {
            self.cycle_through(v);
            self.effort.cycles += 1;
            None
        } else if let Some(Apart { part, by }) = self.look() {
            self.set = part;
            self.effort.parts += 1;
            by
        } else {
            return false;
        };
        self.mark_set();
        clause.extend(self.leaving(&self.set, by).map(|edge| edge as i32 + 1));
        true
    }

    fn check(&mut self, model: &[i32]) -> bool {
        let m = self.edges.len();
        let mut chosen = vec![false; m];
        for &literal in model {
            if literal > 0 && literal as usize <= m {
                chosen[literal as usize - 1] = true;
            }
        }
        if self.edges.cycle(|edge| chosen[edge as usize]).is_some() {
            return true;
        }
        // The cycle through the first vertex.
        let (mut v, mut by, mut cycle) = (0, u32::MAX, Vec::new());
        while v != 0 || cycle.is_empty() {
            cycle.push(v);
            let mut on = self.edges.at(v).iter();
            let next = on.find(|&&(_, edge)| edge != by && chosen[edge as usize]);
            let Some(&(w, edge)) = next else {
                break;
            };
            (v, by) = (w, edge);
        }
        self.refused = Some(cycle);
        false
    }

    fn over(&mut self) -> bool {
        self.watch.over().is_some()
    }
}
