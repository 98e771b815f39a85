//! Lazy subtour elimination: a SAT solver starts with only the degree constraints. After each model, the search adds
//! the subtour-elimination constraints that the model violates.
//!
//! A model with two true edges at every vertex is a 2-factor. Its cycles are first merged by exchanges of edges. Often
//! one cycle is left, and the search ends. Otherwise each cycle of the *model* gives a subtour-elimination constraint
//! (a *cut* in the names of this module): some edge that leaves the set of the cycle's vertices must be true. Merged
//! cycles give no constraints, because they need not be cycles of a model. The solver then continues from its current
//! state. Short constraints are added first, up to a maximum number of literals, because thousands of edges may leave a
//! cycle in a graph with hubs.
//!
//! Variables stand for edges or for arcs (`form.rs`). Some graphs are easy with one form and hard with the other. So
//! two solvers take turns of growing length. The turns of a solver that finds no models grow more slowly, because without
//! models it learns nothing about cycles: on graph 1001 of the FHCP Challenge Set, arcs had two models in 680 000 conflicts,
//! while edges found a cycle after about 400 models.
//! It did not help to let the solver first try the values of the 2-factor with the fewest cycles. Then the solver keeps
//! finding models with two cycles, and excluding each of them takes a separate long clause.
//!
//! # References
//!
//! - G. Dantzig, R. Fulkerson, S. Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, Operations Research
//!   2, 1954.
//! - Takehide Soh, Daniel Le Berre, Stéphanie Roussel, Mutsunori Banbara, Naoyuki Tamura: *Incremental SAT-Based Method
//!   with Native Boolean Cardinality Handling for the Hamiltonian Cycle Problem*, JELIA 2014.

mod form;

use hamcnf_graph::{Graph, Vertex};
use rustsat::types::Lit;

use self::form::Form;
use super::alternating::join;
use super::edges::Edges;
use super::links::{Factor, Links};
use super::merge::merge;
use super::{Budget, Found, Round, Stopped};
use hamcnf_sat::solve::{Cadical, SolveError};

/// Statistics of a run of [`Searches::run`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LazyStatistics {
    /// Number of iterations, each of which finds a model of the degree constraints and of all constraints added so far.
    pub rounds: u64,
    /// Number of subtour-elimination constraints that were added.
    pub cuts: u64,
    /// Total number of literals of the added constraints.
    pub literals: u64,
    /// Least number of cycles in any model of all runs, before or after merging; 0 before the first model.
    pub cycles: u64,
    pub conflicts: u64,
}

impl LazyStatistics {
    /// Adds the statistics of another search on the same graph.
    fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.cuts += other.cuts;
        self.literals += other.literals;
        self.conflicts += other.conflicts;
        let known = [self.cycles, other.cycles].into_iter().filter(|&k| k > 0);
        self.cycles = known.min().unwrap_or(0);
    }

    /// Subtracts the earlier statistics `before`.
    fn since(self, before: &Self) -> Self {
        Self {
            rounds: self.rounds - before.rounds,
            cuts: self.cuts - before.cuts,
            literals: self.literals - before.literals,
            cycles: self.cycles,
            conflicts: self.conflicts - before.conflicts,
        }
    }
}

/// Length of the first turns, in conflicts as counted by `Rounds::worth`.
const FIRST_TURN: u64 = 1_000;
/// Factors by which the turns of a solver grow after a turn without a model, and after a turn with one.
const GROWTH: [u64; 2] = [2, 4];
/// Limit on the literals of the constraints that one iteration adds, as a multiple of the number of vertices of the
/// graph. The shortest constraint is always added.
const LITERALS_PER_VERTEX: usize = 16;
/// Minimum cost of an iteration in conflicts, in addition to its real conflicts, which may be zero.
const PER_ROUND: u64 = 100;
/// Number of edges that count as one conflict in the cost of an iteration, because an iteration visits all edges.
const EDGES_PER_CONFLICT: u64 = 500;
/// Number of bytes that a literal of an added constraint takes.
const BYTES_PER_LITERAL: u64 = 8;
/// Limit on the edges that are examined to join the cycles of one model, as a multiple of the number of edges of the
/// graph.
const JOIN_PER_EDGE: u64 = 4;

/// Lazy subtour elimination with both forms of variables in turn, which goes on where it stopped.
pub struct Searches {
    searches: [Option<Rounds>; Form::ALL.len()],
    /// Index of the search that has its turn.
    next: usize,
    graph: Graph,
    seed: u32,
    budget: Budget,
}

impl Searches {
    /// Prepares the searches. Their solvers are made when their first turns begin. `seed` is the seed of CaDiCaL, from 0 to
    /// 2·10⁹. The searches end with the budget.
    pub fn new(graph: &Graph, seed: u32, budget: &Budget) -> Self {
        let searches = [const { None }; Form::ALL.len()];
        Self { searches, next: 0, graph: graph.clone(), seed, budget: budget.clone() }
    }

    /// Searches for a Hamiltonian cycle. Returns [`Found::NoCycle`] if the graph has none. `conflicts` is the maximum total
    /// number of conflicts in all iterations; `None` for no limit. Each iteration adds its real conflicts and a fixed cost,
    /// which is also measured in conflicts.
    pub fn run(&mut self, conflicts: Option<u64>) -> (Found, LazyStatistics) {
        if let Some(ended) = self.budget.over() {
            return (Found::Unknown(ended), LazyStatistics::default());
        }
        if self.graph.n_vertices() < 3 {
            return (Found::NoCycle, LazyStatistics::default());
        }
        let before = self.statistics();
        let found = self.take_turns(conflicts.unwrap_or(u64::MAX));
        (found.unwrap_or_else(|error| Found::Unknown(error.stopped())), self.statistics().since(&before))
    }

    fn statistics(&self) -> LazyStatistics {
        let mut all = LazyStatistics::default();
        for search in self.searches.iter().flatten() {
            all.add(&search.statistics);
        }
        all
    }

    fn take_turns(&mut self, conflicts: u64) -> Result<Found, SolveError> {
        let (graph, budget) = (&self.graph, &self.budget);
        let mut left = conflicts;
        loop {
            let search = match &mut self.searches[self.next] {
                Some(search) => search,
                none => none.insert(Rounds::new(graph, Form::ALL[self.next], self.seed, budget)?),
            };
            let before = search.worth();
            let found = search.run(graph, left.min(search.left()), budget)?;
            left = left.saturating_sub(search.worth() - before);
            if search.left() == 0 {
                search.begin_turn();
                self.next = (self.next + 1) % self.searches.len();
            }
            if left == 0 || found != Found::Unknown(Stopped::GaveUp) || budget.over().is_some() {
                return Ok(found);
            }
        }
    }
}

/// Lazy subtour elimination with one form of variables: edges or arcs.
struct Rounds {
    edges: Edges,
    form: Form,
    solver: Cadical<'static>,
    seed: u32,
    statistics: LazyStatistics,
    /// Length of the turn.
    turn: u64,
    /// Values of `worth` and of the number of iterations at the beginning of the turn.
    began: [u64; 2],
    /// Mark of the most recently marked cycle. The first cycle gets mark 1.
    mark: u32,
    /// Indexed by vertex: the mark of the most recently marked cycle through this vertex.
    marks: Vec<u32>,
}

impl Rounds {
    fn new(graph: &Graph, form: Form, seed: u32, budget: &Budget) -> Result<Self, SolveError> {
        let edges = Edges::of(graph);
        let limits = budget.clone();
        let mut solver = Cadical::new(seed, &[], None, move || limits.over().is_some())?;
        form.begin(&edges, &mut solver)?;
        Ok(Self {
            marks: vec![0; edges.n_vertices()],
            edges,
            form,
            solver,
            seed,
            statistics: LazyStatistics::default(),
            turn: FIRST_TURN,
            began: [0, 0],
            mark: 0,
        })
    }

    /// Returns the work that is left of the turn, in conflicts.
    fn left(&self) -> u64 {
        self.began[0].saturating_add(self.turn).saturating_sub(self.worth())
    }

    fn begin_turn(&mut self) {
        let had_model = self.statistics.rounds > self.began[1];
        self.turn = self.turn.saturating_mul(GROWTH[usize::from(had_model)]);
        self.began = [self.worth(), self.statistics.rounds];
    }

    /// Returns the work done so far, in conflicts: the solver's conflicts plus the cost of each iteration.
    fn worth(&self) -> u64 {
        let round = PER_ROUND.max(self.edges.len() as u64 / EDGES_PER_CONFLICT);
        self.statistics.conflicts + round * self.statistics.rounds
    }

    /// Runs iterations until there is a result, or until `worth` has increased by `slice`.
    fn run(&mut self, graph: &Graph, slice: u64, budget: &Budget) -> Result<Found, SolveError> {
        use hamcnf_sat::solve::SolverStatus as By;
        let end = self.worth().saturating_add(slice);
        loop {
            let left = end.saturating_sub(self.worth());
            if left == 0 {
                return Ok(Found::Unknown(Stopped::GaveUp));
            }
            let ended = self.solver.solve(Some(left))?;
            let before = (self.statistics.conflicts, self.statistics.cuts);
            self.statistics.conflicts = self.solver.counters().conflicts;
            match ended {
                By::Unsatisfiable => return Ok(Found::NoCycle),
                By::Stopped => {
                    let why = budget.over().unwrap_or(Stopped::GaveUp);
                    return Ok(Found::Unknown(why));
                }
                By::Satisfiable => {}
            }
            self.statistics.rounds += 1;
            let factor = self.model();
            let mut cycles = factor.cycles();
            if cycles.len() == 1 {
                self.statistics.cycles = 1;
                return Ok(Found::Cycle(cycles.swap_remove(0)));
            }
            let merged = merge(graph, factor, budget);
            let mut left = merged.cycles();
            if left.len() > 1 {
                let work = JOIN_PER_EDGE * self.edges.len() as u64;
                let seed = self.statistics.rounds ^ u64::from(self.seed);
                if let Found::Cycle(cycle) = join(graph, merged, seed, work, budget) {
                    left = vec![cycle];
                }
            }
            if self.statistics.cycles == 0 || (left.len() as u64) < self.statistics.cycles {
                self.statistics.cycles = left.len() as u64;
                if left.len() == 1 {
                    return Ok(Found::Cycle(left.swap_remove(0)));
                }
            }
            if let Some(ended) = budget.over() {
                return Ok(Found::Unknown(ended));
            }
            self.cut(&cycles)?;
            let cuts = self.statistics.literals.saturating_mul(BYTES_PER_LITERAL);
            if budget.memory().is_some_and(|most| cuts > most / Form::ALL.len() as u64) {
                return Ok(Found::Unknown(Stopped::Memory));
            }
            budget.tell(Round {
                conflicts: self.statistics.conflicts - before.0,
                cuts: self.statistics.cuts - before.1,
                cycles: left.len() as u64,
            });
        }
    }

    /// Returns the 2-factor of the solver's current model.
    fn model(&self) -> Factor {
        let mut links = Links::new(self.edges.n_vertices());
        for edge in 0..self.edges.len() as u32 {
            for variable in self.form.of(edge) {
                if self.solver.value(variable) {
                    let [a, b] = self.edges.ends(edge);
                    links.link(a, b);
                }
            }
        }
        let factor = links.complete();
        factor.expect("every vertex has two edges")
    }

    /// Adds subtour-elimination constraints for the cycles of a model. There must be at least two cycles.
    fn cut(&mut self, cycles: &[Vec<Vertex>]) -> Result<(), SolveError> {
        let n = self.edges.n_vertices();
        let mut cuts: Vec<Vec<Lit>> = Vec::new();
        for cycle in cycles {
            // The edges that leave a cycle with more than half of the vertices also leave the other cycles.
            if 2 * cycle.len() > n && cycles.len() > 2 {
                continue;
            }
            self.mark += 1;
            for v in cycle {
                self.marks[v.index()] = self.mark;
            }
            let at = cycle.iter().flat_map(|v| self.edges.at(v.number()));
            let leaving = at.filter(|&&(w, _)| self.marks[w as usize] != self.mark);
            let leaving: Vec<_> = leaving.copied().collect();
            cuts.extend(self.form.leaves(&self.edges, &leaving));
            if cycles.len() == 2 {
                break;
            }
        }
        cuts.sort_by_key(Vec::len);
        let mut left = LITERALS_PER_VERTEX * n;
        for (k, cut) in cuts.iter().enumerate() {
            if k > 0 && cut.len() > left {
                break;
            }
            left = left.saturating_sub(cut.len());
            self.solver.add(cut)?;
            self.statistics.cuts += 1;
            self.statistics.literals += cut.len() as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::factor::tests::{are_cycles, is_hamiltonian, petersen};
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    fn by(form: Form, graph: &Graph) -> (Found, LazyStatistics) {
        let budget = Budget::default();
        let mut search = Rounds::new(graph, form, 0, &budget).unwrap();
        (search.run(graph, u64::MAX, &budget).unwrap(), search.statistics)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn each_form_finds_a_cycle_exactly_where_there_is_one(graph in graphs(3..=9)) {
            for form in Form::ALL {
                match by(form, &graph).0 {
                    Found::Cycle(cycle) => prop_assert!(are_cycles(&graph, &[cycle])),
                    Found::NoCycle => prop_assert!(!is_hamiltonian(&graph)),
                    Found::Unknown(ended) => prop_assert!(false, "{form:?}: {ended:?}"),
                }
            }
        }
    }

    #[test]
    fn a_hub_of_many_edges_is_entered_once_and_left_once() {
        // With many arcs at the hub, the constraints need auxiliary variables.
        let spokes = (1..=40).map(|v| (0, v));
        let rim = (1..40).map(|v| (v, v + 1));
        let fan = Graph::from_edges(41, spokes.chain(rim)).unwrap();
        let two = (1..40).filter(|&v| v != 13 && v != 27).map(|v| (v, v + 1));
        let three_fans = Graph::from_edges(41, (1..=40).map(|v| (0, v)).chain(two)).unwrap();
        for form in Form::ALL {
            let found = by(form, &fan).0;
            assert!(matches!(found, Found::Cycle(_)), "{form:?} {found:?}");
            assert_eq!(by(form, &three_fans).0, Found::NoCycle, "{form:?}");
        }
    }

    #[test]
    fn both_forms_cut_what_is_not_one_cycle() {
        for form in Form::ALL {
            let (found, statistics) = by(form, &petersen(11));
            assert_eq!(found, Found::NoCycle, "{form:?}");
            assert!(statistics.cuts > 0 && statistics.cuts >= statistics.rounds, "{statistics:?}");
            assert!(statistics.cycles >= 2, "{statistics:?}");
        }
        // With edge variables, each iteration only excludes one of very many pairs of cycles. A later turn with arc
        // variables finds the cycle.
        let budget = Budget::default();
        let (found, statistics) = Searches::new(&petersen(60), 0, &budget).run(Some(200_000));
        assert!(matches!(found, Found::Cycle(_)), "{found:?} {statistics:?}");
    }
}
