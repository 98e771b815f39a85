//! Search for Hamiltonian cycles with CaDiCaL and a circuit propagator. Each edge has a variable, and clauses require
//! two true edges at every vertex. No clause requires that the true edges form a single cycle: the propagator enforces
//! this during the search.
//!
//! - `paths.rs`: the true edges form paths, each represented by its ends. If a path with ends p and q does not visit
//!   all vertices, the edge pq must stay false. The reason for this is computed when the solver asks for it. Let S be
//!   the set of vertices of the path. Suppose that pq and the path's edges at p and q are true, and that no edge leaves
//!   S from an inner vertex of the path. Then no edge leaves S at all. So the reason is the clause
//!
//!   ```text
//!   ¬pq ∨ ¬(first edge) ∨ ¬(last edge) ∨ ⋁ { e : e leaves S from a vertex other than p and q }
//!   ```
//!
//! - If a cycle closes early nevertheless, a clause requires that some edge leaves the set of its vertices. This clause
//!   is a subtour-elimination constraint.
//! - `connectivity.rs`: the edges that are not false must connect the graph, also after removing any one vertex. This
//!   check searches the whole graph. Therefore it may only use a limited share of the total work.
//!
//! All these clauses hold for every Hamiltonian cycle. The solver may forget them at any time, because the propagator
//! can produce them again.
//!
//! The propagator also works for a [`Network`]: a graph in which several edges may join the same two vertices, and
//! vertices may be *passed*. A passed vertex is visited by paths outside the network, and has no true edges of the
//! network. Each way of passing a vertex has a variable, a *pass*. A vertex is *certain* if all of its passes are
//! false, so that the cycle must visit it. A cycle that closes early is a contradiction only if a certain vertex is
//! outside the cycle. A part that one vertex connects to the rest is a contradiction only if there are certain vertices
//! inside and outside the part. The clauses also contain the passes of these certain vertices.
//!
//! # References
//!
//! - Katalin Fazekas, Aina Niemetz, Mathias Preiner, Markus Kirchweger, Stefan Szeider, Armin Biere: *IPASIR-UP: User
//!   Propagators for CDCL*, SAT 2023.
//! - Martin Gebser, Tomi Janhunen, Jussi Rintanen: *SAT Modulo Graphs: Acyclicity*, JELIA 2014.
//! - George Dantzig, Ray Fulkerson, Selmer Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, 1954.

mod connectivity;
pub(super) mod paths;

use std::collections::VecDeque;
use std::ffi::CStr;

use hamcnf_encodings::Lit;
use hamcnf_graph::Graph;

use self::connectivity::{Apart, Connectivity};
use self::paths::{Joined, Paths};
use super::degrees::degrees;
use super::edges::Edges;
use super::factor::Factor;
use super::{Budget, Found, Stopped};
use hamcnf_sat::proof::SharedLog;
use hamcnf_sat::solve::bridge::{Counters, OutOfMemory, Propagator, Solver, SolverStatus};

/// Options of the solver of a [`Session`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Seed of CaDiCaL, from 0 to 2·10⁹.
    pub seed: u32,
    /// Configuration of CaDiCaL. `sat` is faster on satisfiable instances and not slower on others.
    pub configuration: &'static CStr,
    /// Further options of CaDiCaL, with their values.
    pub settings: &'static [(&'static CStr, i32)],
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 0, configuration: c"sat", settings: &[] }
    }
}

/// Limits of one call of [`Session::search`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Limits {
    /// Maximum number of assigned literals that the solver reports to the propagator, counting repetitions; `None` for no
    /// limit. The measure is as reproducible as the number of conflicts. Unlike conflicts, it also grows while cycles close
    /// early without a conflict. With passes, vertices of paths that the propagator walks count as well.
    pub literals: Option<u64>,
    /// Maximum work of the connectivity check, as a fraction of the solver's work since the session began.
    pub connectivity: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { literals: None, connectivity: 0.3 }
    }
}

/// Statistics of [`find`] and [`search`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PropagatorStatistics {
    /// Statistics of the solver.
    pub counters: Counters,
    /// Work as [`Limits::literals`] measures it.
    pub literals: u64,
    /// Number of edges that the propagator set to false because they join the ends of a path.
    pub closings: u64,
    /// Number of cycles that closed early, each excluded by a clause of the propagator.
    pub cycles: u64,
    /// Number of clauses from the connectivity check. Each requires another edge out of a vertex set that at most one
    /// vertex connects to the rest.
    pub parts: u64,
}

impl PropagatorStatistics {
    /// Subtracts the earlier statistics `before`. A solver without memory has lost its counters.
    fn since(self, before: &Self) -> Self {
        let (new, old) = (self.counters, before.counters);
        Self {
            counters: Counters {
                conflicts: new.conflicts.saturating_sub(old.conflicts),
                decisions: new.decisions.saturating_sub(old.decisions),
                propagations: new.propagations.saturating_sub(old.propagations),
                ticks: new.ticks.saturating_sub(old.ticks),
            },
            literals: self.literals - before.literals,
            closings: self.closings - before.closings,
            cycles: self.cycles - before.cycles,
            parts: self.parts - before.parts,
        }
    }
}

/// Search for a Hamiltonian cycle of a graph, which goes on where it stopped.
pub(crate) struct Search {
    edges: Edges,
    session: Session<'static>,
}

impl Search {
    /// Prepares a search, which starts from the 2-factor `near`: see [`find`].
    pub(crate) fn new(
        graph: &Graph,
        near: Option<&Factor>,
        options: &Options,
        budget: &Budget,
    ) -> Result<Self, OutOfMemory> {
        let network = Network::of(graph);
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
        let session = Session::new(network, &[], &phases.unwrap_or_default(), options, budget, None)?;
        Ok(Self { edges, session })
    }

    /// Searches until the budget is used up, or until a limit is reached. Returns [`Found::NoCycle`] if the graph has no
    /// Hamiltonian cycle, and the statistics of this call.
    pub(crate) fn run(&mut self, limits: Limits) -> (Found, PropagatorStatistics) {
        if self.edges.n_vertices() < 3 {
            return (Found::NoCycle, PropagatorStatistics::default());
        }
        let before = self.session.statistics();
        let found = self.session.search(limits).unwrap_or(Found::Unknown(Stopped::Memory));
        let cycle = |values: Values| self.edges.cycle(|edge| values[edge as usize]);
        let found = found.map(|values| cycle(values).expect("the propagator accepts only cycles"));
        (found, self.session.statistics().since(&before))
    }
}

/// Searches for a Hamiltonian cycle. Returns [`Found::NoCycle`] if the graph has none. `near` is an optional 2-factor to
/// start from: the solver's decisions first try true for its edges and false for all other edges.
///
/// # Panics
///
/// Panics if the linked CaDiCaL is not the version that this library was compiled for. The tests check the version.
pub fn find(
    graph: &Graph,
    near: Option<&Factor>,
    options: &Options,
    limits: Limits,
    budget: &Budget,
) -> (Found, PropagatorStatistics) {
    if let Some(ended) = budget.over() {
        return (Found::Unknown(ended), PropagatorStatistics::default());
    }
    match Search::new(graph, near, options, budget) {
        Ok(mut search) => search.run(limits),
        Err(OutOfMemory) => (Found::Unknown(Stopped::Memory), PropagatorStatistics::default()),
    }
}

/// Graph in which the propagator searches for one cycle through all vertices. Only *passed* vertices are exempt: paths
/// outside the network visit them.
#[derive(Clone, Debug)]
pub struct Network {
    edges: Edges,
    /// Pass variables of each vertex. If one of them is true, a path outside the network visits the vertex. Empty if no
    /// vertex has pass variables.
    passes: Vec<Vec<i32>>,
    n_passes: i32,
    /// True if the added clauses require two true edges at every vertex that is not passed.
    degrees_in_clauses: bool,
    /// Vertex through which all cycles pass, so that no other cycle is allowed. It may have any number of edges.
    depot: Option<u32>,
}

impl Network {
    /// Returns the network that consists of the edges of a graph. It has no pass variables, so the cycle must visit
    /// every vertex.
    pub fn of(graph: &Graph) -> Self {
        Self { edges: Edges::of(graph), passes: Vec::new(), n_passes: 0, degrees_in_clauses: false, depot: None }
    }

    /// Returns a network with `passes[v]` pass variables for each vertex v, which allow the cycle to skip v. These
    /// variables follow the variables of the edges, vertex by vertex.
    pub fn new(edges: Edges, passes: &[u32]) -> Self {
        let first = edges.len() as i32 + 1;
        let mut next = first;
        let of_vertex = |&count: &u32| {
            let from = next;
            next += count as i32;
            (from..next).collect()
        };
        let passes: Vec<Vec<i32>> = passes.iter().map(of_vertex).collect();
        Self { edges, passes, n_passes: next - first, degrees_in_clauses: false, depot: None }
    }

    /// Returns the network for clauses that include the degrees of its vertices. All cycles pass through the `depot`, if
    /// there is one.
    pub(crate) fn with_degrees_in_clauses(self, depot: Option<u32>) -> Self {
        Self { degrees_in_clauses: true, depot, ..self }
    }

    /// Returns the edges of the network. The variable of an edge is the edge's number plus 1.
    pub fn edges(&self) -> &Edges {
        &self.edges
    }

    /// Returns the pass variables of a vertex. If one of them is true, a path outside the network visits the vertex.
    pub fn passes(&self, v: u32) -> &[i32] {
        self.passes.get(v as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the total number of edges and pass variables, which is also the number of the last variable.
    pub fn variables(&self) -> i32 {
        self.edges.len() as i32 + self.n_passes
    }

    /// Checks that the true edges form one cycle through all vertices that are not passed, and returns this cycle.
    /// Otherwise returns an error with two components: the vertices of one cycle, and a vertex outside this cycle that
    /// is not passed.
    fn check(&self, is_true: impl Fn(i32) -> bool) -> Result<Vec<u32>, (Vec<u32>, u32)> {
        let n = self.edges.n_vertices() as u32;
        let passed = |v: u32| self.passes(v).iter().any(|&pass| is_true(pass));
        let mut met = (0..n).filter(|&v| !passed(v) && Some(v) != self.depot);
        if let Some(depot) = self.depot {
            let is_inner = |edge: u32| is_true(edge as i32 + 1) && !self.edges.ends(edge).contains(&depot);
            let degree = |v: &u32| self.edges.at(*v).iter().filter(|&&(_, edge)| is_inner(edge)).count();
            let mut cycles = met.map(|v| self.edges.cycle_from(v, is_inner));
            let closed = cycles.find(|cycle| cycle.iter().all(|v| degree(v) == 2));
            return closed.map_or(Ok(Vec::new()), |cycle| Err((cycle, depot)));
        }
        let Some(start) = met.next() else {
            return Ok(Vec::new());
        };
        let cycle = self.edges.cycle_from(start, |edge| is_true(edge as i32 + 1));
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

/// Model of a [`search`]: the values of all variables, including variables that only the added clauses contain. Variable
/// k has index k − 1.
pub type Values = Vec<bool>;

/// Searches for one cycle in a network, subject to additional `clauses`. The clauses may contain the variables of edges
/// and passes, and further variables with greater numbers. `phases` contains the literals that the solver's decisions
/// try first. With `tracing`, the search writes a proof; then there must be neither clauses nor pass variables, which
/// would allow the cycle to skip vertices.
pub fn search(
    network: Network,
    clauses: &[Vec<i32>],
    phases: &[i32],
    options: &Options,
    limits: Limits,
    budget: &Budget,
    tracing: Option<Tracing<'_>>,
) -> (Found<Values>, PropagatorStatistics) {
    debug_assert!(tracing.is_none() || network.n_passes == 0, "searches with passes have no proof");
    if let Some(ended) = budget.over() {
        return (Found::Unknown(ended), PropagatorStatistics::default());
    }
    let searched = Session::new(network, clauses, phases, options, budget, tracing).and_then(|mut session| {
        let found = session.search(limits)?;
        Ok((found, session.statistics()))
    });
    searched.unwrap_or_else(|OutOfMemory| (Found::Unknown(Stopped::Memory), PropagatorStatistics::default()))
}

/// Writes a derivation of a clause that the propagator adds, the last argument, to a proof. The derivation may assume that
/// all literals of the clause are false. Then every true edge that leaves the vertex set, the first argument, leads to the
/// vertex that is the second. If there is no such vertex, no true edge leaves the set.
pub type Justify<'p> = dyn FnMut(&[u32], Option<u32>, &[i32]) + Send + 'p;

/// Proof output of [`search`].
pub struct Tracing<'p> {
    /// Proof log. It already contains the clauses of [`degrees`](crate::degrees), which require two edges at
    /// every vertex.
    pub log: SharedLog,
    /// Writer of the derivations of the propagator's clauses.
    pub justify: Box<Justify<'p>>,
}

/// Solver with a propagator. It can search again, also with more clauses, and continues where it stopped.
pub struct Session<'p> {
    solver: Solver<Circuit<'p>>,
    budget: Budget,
    /// Last variable of the clauses.
    last: i32,
}

impl<'p> Session<'p> {
    /// Creates the solver for a search: see [`search`].
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn new(
        network: Network,
        clauses: &[Vec<i32>],
        phases: &[i32],
        options: &Options,
        budget: &Budget,
        tracing: Option<Tracing<'p>>,
    ) -> Result<Self, OutOfMemory> {
        let observed = network.variables();
        let log = tracing.as_ref().map(|tracing| tracing.log.clone());
        let mut solver = Solver::new(Circuit::new(network, budget.clone(), tracing)).ok_or(OutOfMemory)?;
        let seed = (c"seed", i32::try_from(options.seed).unwrap_or(i32::MAX));
        let mut settings = options.settings.iter().chain([&seed]);
        let known =
            solver.configure(options.configuration) && settings.all(|&(option, value)| solver.set(option, value));
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
        if !network.degrees_in_clauses {
            degrees(&network.edges, passes, last as u32, add)?;
        }
        clauses.iter().try_for_each(|clause| solver.add(clause))?;
        for variable in 1..=observed {
            solver.observe(variable)?;
        }
        for &literal in phases {
            solver.phase(literal)?;
        }
        Ok(Self { solver, budget: budget.clone(), last })
    }

    /// Searches for a model until the budget is used up, or until a limit is reached.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn search(&mut self, limits: Limits) -> Result<Found<Values>, OutOfMemory> {
        let propagator = self.solver.propagator();
        propagator.most = propagator.told.saturating_add(limits.literals.unwrap_or(u64::MAX));
        propagator.share = limits.connectivity;
        Ok(match self.solver.solve()? {
            SolverStatus::Satisfiable => {
                Found::Cycle((1..=self.last).map(|variable| self.solver.value(variable)).collect())
            }
            SolverStatus::Unsatisfiable => Found::NoCycle,
            SolverStatus::Stopped => Found::Unknown(self.budget.over().unwrap_or(Stopped::GaveUp)),
        })
    }

    /// Adds a clause.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if the solver has no memory left.
    pub fn add(&mut self, clause: &[i32]) -> Result<(), OutOfMemory> {
        self.solver.add(clause)
    }

    /// Returns the statistics of all searches.
    pub fn statistics(&mut self) -> PropagatorStatistics {
        let counters = self.solver.counters();
        let propagator = self.solver.propagator();
        PropagatorStatistics { counters, literals: propagator.told, ..propagator.statistics }
    }
}

/// Data from which the propagator explains why the edge between the ends of a path is false.
#[derive(Clone, Copy, Debug, Default)]
struct Why {
    ends: [u32; 2],
    /// First and last edge of the path, in the order of `ends`.
    last: [u32; 2],
    /// Vertex that is not on the path, but that the cycle already had to visit when the edge was set to false.
    witness: u32,
}

/// Edge between the ends of a path.
#[derive(Clone, Copy, Debug)]
struct Closing {
    edge: u32,
    /// Number of true edges when the path was formed.
    when: usize,
    /// Number of vertices of the path.
    vertices: u32,
    why: Why,
}

/// State of the propagator during a search.
struct Circuit<'p> {
    network: Network,
    budget: Budget,
    /// Value of each edge variable and pass variable: 1 for true, −1 for false, 0 for unassigned. The index is the
    /// variable minus 1.
    values: Vec<i8>,
    /// Indices of the assigned variables in `values`, in the order of assignment.
    trail: Vec<u32>,
    /// Position in `trail` of each assigned variable.
    at: Vec<u32>,
    /// Length of `trail` and number of true edges at the start of each decision level.
    levels: Vec<(usize, usize)>,
    paths: Paths,
    /// Edges that must become false, each with the number of true edges when this was detected. Unused if the network has
    /// passes.
    waiting: VecDeque<(u32, usize)>,
    /// Edges between the ends of the paths, in the order in which the paths were formed. In a network with passes, such an
    /// edge must become false as soon as there are more certain vertices than the path has.
    closings: Vec<Closing>,
    /// Index of the first entry of `closings` that has to be looked at again.
    unseen: usize,
    why: Vec<Why>,
    /// Indexed by pass variable: the vertex to which the variable belongs.
    passed: Vec<u32>,
    /// Number of pass variables of each vertex that are not false. The cycle must visit the vertex if this number is 0.
    open: Vec<u32>,
    /// *Certain* vertices in the order in which they became so: all of their pass variables are false, so the cycle must
    /// visit them.
    certain: Vec<u32>,
    /// Vertex on a cycle of true edges that does not visit all vertices; `None` if no cycle has closed.
    closed: Option<u32>,
    /// Reason why the propagator rejected the solver's last model: a cycle in the model, and a vertex outside the cycle
    /// that is not passed.
    refused: Option<(Vec<u32>, u32)>,
    connectivity: Connectivity,
    share: f64,
    /// Work so far, as [`Limits::literals`] measures it.
    told: u64,
    /// Maximum of `told`; the search stops when `told` reaches it.
    most: u64,
    /// Number of times that an edge variable or pass variable became false.
    falsified: u64,
    /// Value of `falsified` at the last connectivity check.
    looked: u64,
    /// Mark of each vertex. A vertex is in `set` if its mark is `mark`.
    marks: Vec<u32>,
    mark: u32,
    set: Vec<u32>,
    statistics: PropagatorStatistics,
    /// `None` if no proof is written.
    tracing: Option<Tracing<'p>>,
}

/// Number of edges that the connectivity check examines in the time that the solver needs per reported literal.
const WORK_PER_LITERAL: f64 = 40.0;

/// Threshold for the reasons of false edges. If the mean degree of the vertices of a path exceeds it, the reason
/// consists of the edges of the path.
const DENSE: usize = 16;

impl<'p> Circuit<'p> {
    fn new(network: Network, budget: Budget, tracing: Option<Tracing<'p>>) -> Self {
        let (n, m) = (network.edges.n_vertices(), network.edges.len());
        let vertices = 0..n as u32;
        let open: Vec<u32> = vertices.clone().map(|v| network.passes(v).len() as u32).collect();
        let passed = vertices.clone().flat_map(|v| network.passes(v).iter().map(move |_| v));
        Self {
            values: vec![0; network.variables() as usize],
            trail: Vec::with_capacity(m),
            at: vec![0; network.variables() as usize],
            levels: Vec::new(),
            paths: Paths::new(n),
            waiting: VecDeque::new(),
            closings: Vec::new(),
            unseen: 0,
            why: vec![Why::default(); m],
            passed: passed.collect(),
            certain: vertices.clone().filter(|&v| open[v as usize] == 0).collect(),
            open,
            closed: None,
            refused: None,
            connectivity: Connectivity::new(n),
            share: 0.0,
            told: 0,
            most: 0,
            falsified: 0,
            looked: 0,
            marks: vec![0; n],
            mark: 0,
            set: Vec::new(),
            statistics: PropagatorStatistics::default(),
            tracing,
            network,
            budget,
        }
    }

    /// Adds to `clause` the reason why an edge is false: the edge would close a path into a cycle that does not visit all
    /// vertices. Stores the vertices of this path in `set`.
    fn explain(&mut self, propagated: i32, clause: &mut Vec<i32>) {
        let edge = propagated.unsigned_abs() as usize - 1;
        let why = self.why[edge];
        self.path(why);
        clause.push(propagated);
        clause.extend(self.passes(why.witness));
        // Usually the solver has propagated the degree clauses. Then all edges that leave the path from inner vertices
        // are already false. A reason may only contain literals that became false before the explained literal became
        // true. On dense graphs, a reason that consists of these edges is far longer than the path.
        let before = match self.values[edge] {
            0 => u32::MAX,
            _ => self.at[edge],
        };
        let inside = &self.set[1..self.set.len() - 1];
        let at_inside = inside.iter().map(|&v| self.network.edges.at(v).len());
        let is_short = at_inside.sum::<usize>() <= DENSE * self.set.len();
        let all_false = is_short
            && self
                .leaving(inside, None)
                .all(|other| self.values[other as usize] < 0 && self.at[other as usize] < before);
        if all_false {
            clause.extend(why.last.map(|edge| -(edge as i32 + 1)));
            clause.extend(self.leaving(inside, None).map(|edge| edge as i32 + 1));
            return;
        }
        // Otherwise, the reason consists of all edges of the path.
        let ends = [why.ends[0], why.ends[1]];
        for &v in &self.set {
            for edge in self.paths.on(v) {
                let [a, b] = self.network.edges.ends(edge);
                let within = [a, b].iter().all(|&w| self.marks[w as usize] == self.mark);
                let once = v == a;
                let of_path = |end: u32, last: u32| v != end || edge == last;
                if within && once && of_path(ends[0], why.last[0]) && of_path(ends[1], why.last[1]) {
                    clause.push(-(edge as i32 + 1));
                }
            }
        }
    }

    fn becomes_true(&mut self, edge: u32) {
        let n = self.marks.len() as u32;
        let edges = &self.network.edges;
        let [a, b] = edges.ends(edge);
        // Paths end at a depot, where any number of them meet.
        if self.network.depot.is_some_and(|depot| depot == a || depot == b) {
            return;
        }
        match self.paths.join(edge, a, b) {
            Joined::Path { ends, vertices, last } if vertices < n => {
                for edge in edges.all_between(ends[0], ends[1]) {
                    if self.values[edge as usize] == 0 {
                        let (why, when) = (Why { ends, last, witness: u32::MAX }, self.paths.len());
                        if self.network.n_passes > 0 {
                            self.closings.push(Closing { edge, when, vertices, why });
                            continue;
                        }
                        self.why[edge as usize] = why;
                        self.waiting.push_back((edge, when));
                    }
                }
            }
            Joined::Cycle { vertices } if vertices < n => {
                self.closed.get_or_insert(a);
            }
            Joined::Path { .. } | Joined::Cycle { .. } | Joined::TooMany => {}
        }
    }

    /// True if the cycle must visit a vertex, because all of its pass variables are false.
    fn is_certain(&self, v: u32) -> bool {
        self.open[v as usize] == 0
    }

    /// Gives the vertices of `set` the new mark `mark`.
    fn mark_set(&mut self) {
        self.mark += 1;
        for &v in &self.set {
            self.marks[v as usize] = self.mark;
        }
    }

    /// Returns a vertex that the cycle must visit, and that is neither in `set` nor equal to `but`. Returns `None` if
    /// no such vertex exists.
    fn witness(&self, but: Option<u32>) -> Option<u32> {
        // The literals of a vertex that became certain first are false longest, so that the clauses with them hold longest.
        let mut all = self.certain.iter().copied();
        all.find(|&v| self.marks[v as usize] != self.mark && Some(v) != but)
    }

    /// Returns the edges that lead from `vertices` to vertices outside `set` other than `but`.
    fn leaving<'a>(&'a self, vertices: &'a [u32], but: Option<u32>) -> impl Iterator<Item = u32> + 'a {
        let at = vertices.iter().flat_map(|&v| self.network.edges.at(v));
        let outside = move |w: u32| self.marks[w as usize] != self.mark && Some(w) != but;
        at.filter(move |&&(w, _)| outside(w)).map(|&(_, edge)| edge)
    }

    /// Stores the vertices of the path between `ends` in `set`, and marks them.
    fn path(&mut self, Why { ends, last, .. }: Why) {
        let edges = &self.network.edges;
        let other = |edge, v| edges.other(edge, v);
        self.paths.walk(ends[0], last[0], ends[1], other, &mut self.set);
        self.mark_set();
    }

    /// Stores the vertices of the cycle of true edges through `v` in `set`, and marks them.
    fn cycle_through(&mut self, v: u32) {
        let edges = &self.network.edges;
        let on: Vec<u32> = self.paths.on(v).collect();
        let &[first, last] = on.as_slice() else {
            unreachable!("a vertex on a cycle has two edges");
        };
        let end = edges.other(last, v);
        self.paths.walk(v, first, end, |edge, v| edges.other(edge, v), &mut self.set);
        self.mark_set();
    }

    /// Runs the connectivity check, which searches for a part that at most one vertex connects to the rest. Does
    /// nothing if no variable became false since the last check, or if the checks have used up their share of the work.
    fn look(&mut self) -> Option<Apart> {
        let due = self.share > 0.0
            && self.falsified != self.looked
            && self.connectivity.work as f64 <= self.share * WORK_PER_LITERAL * self.told as f64;
        if !due {
            return None;
        }
        self.looked = self.falsified;
        let root = *self.certain.first()?;
        let (values, open) = (&self.values, &self.open);
        self.connectivity.apart(
            &self.network.edges,
            |edge| values[edge as usize] < 0,
            |v| open[v as usize] == 0,
            root,
            self.certain.len() as u32,
        )
    }

    /// Returns the pass variables of the vertex in `set` that has the fewest pass variables. If a path outside the
    /// network visits every vertex of `set`, no edge needs to leave `set`.
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
            // The solver may report a literal repeatedly if it holds without a decision.
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
                let v = self.passed[(index - n_edges) as usize];
                let open = &mut self.open[v as usize];
                *open -= 1;
                if *open == 0 {
                    self.certain.push(v);
                    self.unseen = 0;
                }
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
        let mut uncertain = 0;
        for index in self.trail.drain(assigned..) {
            let value = std::mem::take(&mut self.values[index as usize]);
            if index >= n_edges && value < 0 {
                let open = &mut self.open[self.passed[(index - n_edges) as usize] as usize];
                uncertain += usize::from(*open == 0);
                *open += 1;
            }
        }
        self.certain.truncate(self.certain.len() - uncertain);
        self.paths.undo(joined);
        while self.closings.last().is_some_and(|closing| closing.when > joined) {
            self.closings.pop();
        }
        self.unseen = 0;
        while self.waiting.back().is_some_and(|&(_, when)| when > joined) {
            self.waiting.pop_back();
        }
        self.closed = None;
    }

    fn propagate(&mut self) -> i32 {
        while let Some((edge, _)) = self.waiting.pop_front() {
            // If the edge is true, it has closed a cycle, which the method `clause` excludes.
            if self.values[edge as usize] != 0 {
                continue;
            }
            self.statistics.closings += 1;
            return -(edge as i32 + 1);
        }
        while let Some(&Closing { edge, vertices, why, .. }) = self.closings.get(self.unseen) {
            self.unseen += 1;
            if self.values[edge as usize] != 0 || self.certain.len() <= vertices as usize {
                continue;
            }
            self.path(why);
            self.told += self.set.len() as u64 / 8;
            // An inner vertex of the path may have got another edge; the solver then has a conflict.
            let Some(witness) = self.witness(None) else { continue };
            self.why[edge as usize] = Why { witness, ..why };
            self.statistics.closings += 1;
            return -(edge as i32 + 1);
        }
        0
    }

    fn reason(&mut self, propagated: i32, clause: &mut Vec<i32>) {
        self.explain(propagated, clause);
        if let Some(tracing) = &mut self.tracing {
            (tracing.justify)(&self.set, None, clause);
        }
    }

    fn clause(&mut self, clause: &mut Vec<i32>) -> bool {
        let by = if let Some((cycle, elsewhere)) = self.refused.take() {
            self.set = cycle;
            self.mark_set();
            self.statistics.cycles += 1;
            clause.extend(self.passes(elsewhere));
            clause.extend(self.inner_passes());
            None
        } else if let Some(witness) = self.closed.and_then(|v| {
            self.cycle_through(v);
            self.witness(None)
        }) {
            self.closed = None;
            self.statistics.cycles += 1;
            clause.extend(self.passes(witness));
            clause.extend(self.inner_passes());
            None
        } else if let Some(Apart { part, by }) = self.look() {
            self.set = part;
            self.mark_set();
            self.statistics.parts += 1;
            let here = self.set.iter().copied().find(|&v| self.is_certain(v));
            for witness in here.into_iter().chain(self.witness(by)) {
                clause.extend(self.passes(witness));
            }
            by
        } else {
            return false;
        };
        clause.extend(self.leaving(&self.set, by).map(|edge| edge as i32 + 1));
        if let Some(tracing) = &mut self.tracing {
            (tracing.justify)(&self.set, by, clause);
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
        let checked = self.network.check(|variable| is_true[variable as usize - 1]);
        self.refused = checked.err();
        self.refused.is_none()
    }

    fn over(&mut self) -> bool {
        let cannot_write = |tracing: &Tracing<'_>| tracing.log.lock().has_failed();
        self.told >= self.most || self.budget.over().is_some() || self.tracing.as_ref().is_some_and(cannot_write)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::factor::tests::{are_cycles, is_hamiltonian};
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn turns_end_with_a_cycle_exactly_where_there_is_one(graph in graphs(3..=9), literals in 1u64..20) {
            let budget = Budget::default();
            let mut search = Search::new(&graph, None, &Options::default(), &budget).unwrap();
            // A turn begins without decisions, so turns of one length might never end.
            let turns = (0..40).map(|k| Limits { literals: Some(literals << k), connectivity: f64::from(k % 2) });
            let mut ends = turns.map(|limits| search.run(limits).0);
            match ends.find(|found| *found != Found::Unknown(Stopped::GaveUp)).unwrap() {
                Found::Cycle(cycle) => prop_assert!(are_cycles(&graph, &[cycle])),
                Found::NoCycle => prop_assert!(!is_hamiltonian(&graph)),
                Found::Unknown(ended) => prop_assert!(false, "{ended:?}"),
            }
        }
    }
}
