//! Proofs by lazy subtour-elimination constraints ("cuts"). Each cut is derived from the clauses of an encoding with
//! order variables.
//!
//! The solver has only the degree constraints of [`precedence`](hamcnf_encodings::positions::precedence). If its model
//! consists of several cycles, two cuts exclude each cycle without the start: some arc leaves its vertices, and some
//! arc enters them. The proof derives each cut from clauses that the solver does not have. So the solved formula is
//! small, but the proof starts from the whole formula.
//!
//! The proof also derives that no edge is used in both directions, because these clauses help the solver.
//!
//! # References
//!
//! - G. Dantzig, R. Fulkerson, S. Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, 1954.
//! - Takehide Soh, Daniel Le Berre, Stéphanie Roussel, Mutsunori Banbara, Naoyuki Tamura: *Incremental SAT-Based Method
//!   with Native Boolean Cardinality Handling for the Hamiltonian Cycle Problem*, JELIA 2014.

use hamcnf_encodings::derivation::Lacking;
use hamcnf_encodings::{Clauses, Encoding, Formula, Model, Reading};
use hamcnf_graph::Vertex;
use hamcnf_tours::Instance;
use rustsat::types::Lit;

use super::derived::Deriver;
use super::{Refutation, each_clause, without_cuts};
use hamcnf_sat::proof::SharedLog;
use hamcnf_sat::solve::{Cadical, SolveError, SolverStatus};

/// Encoding of the degree constraints that the solver receives.
const RELAXED: &str = "relaxed";

/// Statistics of a proof by lazy subtour-elimination constraints (cuts).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CutStatistics {
    /// Number of lazy iterations that found a model of the relaxed formula.
    pub rounds: u64,
    /// Number of derived subtour-elimination constraints.
    pub cuts: u64,
    /// Number of conflicts of the solver.
    pub conflicts: u64,
}

/// Solves an instance with lazy subtour-elimination constraints (cuts). `proof` is the log of a proof from the clauses
/// of `formula`. The encoding must be [`BASIS`](super::BASIS), possibly refined, and must not relabel the vertices.
///
/// # Errors
///
/// [`SolveError`] if the solver fails or no cut can be derived from the formula.
///
/// # Panics
///
/// Panics if the list of encodings lacks the encoding of the degree constraints.
pub fn solve(
    formula: &Formula,
    proof: &SharedLog,
    seed: u32,
    stop: impl Fn() -> bool + Send + Sync,
) -> Result<(Refutation, CutStatistics), SolveError> {
    let deriver = Deriver::new(formula, proof.clone(), formula.n_vars()).ok_or_else(|| without_cuts(formula))?;
    let relaxed: Encoding = RELAXED.parse().expect("the relaxed encoding is in the list");
    let relaxed = Formula::new(relaxed, formula.instance()).map_err(|e| SolveError::Solver(e.to_string()))?;
    // The solver's variables are negated arcs, so that it first tries to leave an arc out.
    let names = (0..relaxed.n_vars()).map(|index| !Lit::positive(index));
    proof.lock().name(names.map(Lit::to_ipasir).collect());
    proof.lock().keep();
    let mut search = Search {
        deriver,
        solver: Cadical::new(seed, &[], Some(proof.clone()), &stop)?,
        statistics: CutStatistics::default(),
    };
    each_clause(&relaxed, |literals| search.give(literals))?;
    search.two_cycles(formula)?;
    loop {
        let ended = search.solver.solve(None)?;
        search.statistics.conflicts = search.solver.counters().conflicts;
        match ended {
            SolverStatus::Unsatisfiable => return Ok((Refutation::NoTour, search.statistics)),
            SolverStatus::Stopped => return Ok((Refutation::Stopped, search.statistics)),
            SolverStatus::Satisfiable => {}
        }
        search.statistics.rounds += 1;
        match relaxed.read(&search.model(relaxed.n_vars()))? {
            Reading::Tour(tour) => return Ok((Refutation::Tour(tour), search.statistics)),
            Reading::Cycles(cycles) => search.cut(formula, &cycles)?,
        }
        if stop() {
            return Ok((Refutation::Stopped, search.statistics));
        }
    }
}

/// Limit on the literals of the cuts that one iteration adds, as a multiple of the number of vertices of the graph. The
/// two shortest cuts are added even if they exceed the limit.
const LITERALS_PER_VERTEX: usize = 16;

struct Search<'a> {
    deriver: Deriver<'a>,
    solver: Cadical<'a>,
    statistics: CutStatistics,
}

impl Search<'_> {
    /// Derives ¬H_ij ∨ ¬H_ji by unit propagation from the order, and passes the clause to the solver. Skips the edges
    /// for which the clause does not follow: edges between the start and a vertex without other neighbours.
    fn two_cycles(&mut self, formula: &Formula) -> Result<(), SolveError> {
        let instance: &Instance = formula.instance();
        let (graph, start) = (instance.graph(), instance.start());
        for edge in graph.arcs().filter(|arc| arc.tail < arc.head) {
            let ends = [edge.tail, edge.head];
            let lonely = |v: &Vertex| graph.degree(*v) == 1;
            if ends.contains(&start) && ends.iter().any(lonely) {
                continue;
            }
            let both = [(edge.tail, edge.head), (edge.head, edge.tail)].map(|(i, j)| formula.arc(i, j));
            if let [Some(there), Some(back)] = both {
                let clause = [!there, !back];
                self.deriver.conclude(&[], &clause);
                self.give(&clause)?;
            }
        }
        Ok(())
    }

    /// Passes a clause to the solver. The solver's variables are negated.
    fn give(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        let negated: Vec<Lit> = clause.iter().map(|&literal| !literal).collect();
        self.solver.add(&negated)
    }

    fn model(&self, n_vars: u32) -> Model {
        (0..n_vars).map(|index| Some(self.solver.value(!Lit::positive(index)))).collect()
    }

    /// Adds cuts for all cycles except the first, which contains the start. The shortest cuts are added first, up to a
    /// limit on the number of literals.
    fn cut(&mut self, formula: &Formula, cycles: &[Vec<Vertex>]) -> Result<(), SolveError> {
        let mut cuts: Vec<(Vec<Lit>, Lacking, &[Vertex])> = Vec::new();
        for cycle in &cycles[1..] {
            for lacking in [Lacking::Leaving, Lacking::Entering] {
                cuts.push((self.deriver.cut(cycle, lacking), lacking, cycle));
            }
        }
        cuts.sort_by_key(|(cut, ..)| cut.len());
        let mut left = LITERALS_PER_VERTEX * formula.instance().n() as usize;
        for (k, (cut, lacking, set)) in cuts.into_iter().enumerate() {
            if k > 1 && cut.len() > left {
                break;
            }
            left = left.saturating_sub(cut.len());
            self.statistics.cuts += 1;
            self.deriver.derive(set, lacking, &cut);
            self.deriver.keep(&cut);
            self.give(&cut)?;
        }
        Ok(())
    }
}
