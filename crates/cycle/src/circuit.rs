//! Search for a model of clauses in which some literals form one circuit ([`Circuit`]).
//!
//! [`find`] adds clauses for the degrees only, and passes the rest of the circuit to the [propagator](crate::propagator).
//! [`find_lazily`] adds the same clauses, and cuts after each model with several circuits. The propagator never forms such
//! models, but looks at every assignment. Cuts suffice if the clauses of the model decide most of the circuit.
//!
//! Edges of the propagator's network have variables of their own if the model has none that fits: a literal may stand on
//! several arcs. Let p be the condition of the constraint. Then an edge has the variable A ↔ H ∧ p, and a vertex may be
//! passed if S ∨ ¬p, so that the network is empty if the constraint does not hold.

use hamcnf_encodings::circuit::{Circuit, CircuitError, ClauseDatabase, EncodedCircuit, Visits};
use hamcnf_encodings::hamcnf_tours::Term;
use hamcnf_encodings::{Encoding, Lit, Var};
use hamcnf_sat::solve::{Cadical, SolveError, SolverStatus};

use super::edges::Edges;
use super::propagator::{Network, Options, PropagatorStatistics, search};
use super::{Budget, Found, Stopped};

/// Clauses over variables that are numbered from 0, and a circuit over their literals.
#[derive(Clone, Copy, Debug)]
pub struct Model<'m> {
    pub n_vars: u32,
    pub clauses: &'m [Vec<Lit>],
    pub circuit: &'m Circuit,
}

/// Clauses and variables in memory.
struct Clauses {
    n_vars: u32,
    clauses: Vec<Vec<Lit>>,
}

impl ClauseDatabase for Clauses {
    type Error = std::convert::Infallible;

    fn new_var(&mut self) -> Result<Var, Self::Error> {
        self.n_vars += 1;
        Ok(Var::new(self.n_vars - 1))
    }

    fn add_clause(&mut self, literals: &[Lit]) -> Result<(), Self::Error> {
        self.clauses.push(literals.to_vec());
        Ok(())
    }
}

impl Clauses {
    fn fresh(&mut self) -> Lit {
        self.n_vars += 1;
        Lit::positive(self.n_vars - 1)
    }

    /// Returns the clauses of a model with those of its circuit, but without positions.
    fn of(model: Model<'_>) -> Result<(Self, EncodedCircuit), CircuitError> {
        let base = if model.circuit.is_directed() { "relaxed" } else { "edges" };
        let encoding: Encoding = base.parse().expect("the base is built in");
        let mut all = Self { n_vars: model.n_vars, clauses: model.clauses.to_vec() };
        let encoded = model.circuit.encode(&encoding, &mut all)?;
        Ok((all, encoded))
    }

    /// Returns a variable A with A ↔ `term` ∧ `condition`; the variable of the term itself if that is a positive literal
    /// that is not yet `taken`, and there is no condition.
    fn variable(&mut self, term: Term, condition: Option<Lit>, taken: &mut Vec<bool>) -> Lit {
        taken.resize(self.n_vars as usize, false);
        if let (Term::Lit(literal), None) = (term, condition)
            && literal.is_pos()
            && !std::mem::replace(&mut taken[literal.vidx()], true)
        {
            return literal;
        }
        let variable = self.fresh();
        taken.push(true);
        let condition = condition.map_or(Term::True, Term::Lit);
        // A → term, A → condition, term ∧ condition → A
        for clause in [
            vec![Term::Lit(!variable), term],
            vec![Term::Lit(!variable), condition],
            vec![Term::Lit(variable), !term, !condition],
        ] {
            if !clause.contains(&Term::True) {
                let literal = |term: &Term| match term {
                    Term::Lit(literal) => Some(*literal),
                    _ => None,
                };
                self.clauses.push(clause.iter().filter_map(literal).collect());
            }
        }
        variable
    }
}

/// Searches for a model with the propagator. Returns the values of the model's variables, and checks that they form a
/// circuit.
///
/// # Errors
///
/// [`CircuitError`] if the parts of the circuit contradict each other.
///
/// # Panics
///
/// Panics if the linked CaDiCaL is not the version that this library was compiled for. The tests check the version.
pub fn find(
    model: Model<'_>,
    options: &Options,
    budget: &Budget,
) -> Result<(Found<Vec<bool>>, PropagatorStatistics), CircuitError> {
    let (mut all, encoded) = Clauses::of(model)?;
    // Only the depot connects its routes.
    let connectivity = if model.circuit.depot_vertex().is_some() { 0.0 } else { options.connectivity };
    let options = &Options { connectivity, ..*options };
    let (condition, depot) = (model.circuit.condition(), model.circuit.depot_vertex());
    let mut taken = Vec::new();
    let mut arcs = Vec::new();
    for (tail, head, term) in encoded.arcs() {
        arcs.push(([tail.min(head), tail.max(head)], all.variable(term, condition, &mut taken)));
    }
    arcs.sort_by_key(|&(ends, _)| ends);
    let n = encoded.n_vertices();
    let mut passes = Vec::with_capacity(n as usize);
    for v in 0..n {
        // Skipped or not active: the negation of "visited and active".
        let visited = encoded.visited(v);
        passes.push(match (visited, condition) {
            (Term::True, None) => None,
            (term, condition) => {
                let active = match (term, condition) {
                    (Term::Lit(visited), None) => visited,
                    (term, condition) => all.variable(term, condition, &mut taken),
                };
                Some(all.variable(Term::Lit(!active), None, &mut taken))
            }
        });
    }
    // The network's variables come first: edges, then passes.
    let mut number = vec![0; all.n_vars as usize];
    let mut next = 0;
    let first = arcs.iter().map(|&(_, literal)| literal).chain(passes.iter().flatten().copied());
    let others = (0..all.n_vars).map(Lit::positive);
    for literal in first.chain(others) {
        if number[literal.vidx()] == 0 {
            next += 1;
            number[literal.vidx()] = next;
        }
    }
    let numbered = |l: &Lit| if l.is_pos() { number[l.vidx()] } else { -number[l.vidx()] };
    let clauses: Vec<Vec<i32>> = all.clauses.iter().map(|clause| clause.iter().map(numbered).collect()).collect();
    let edges = Edges::new(n as usize, arcs.iter().map(|&(ends, _)| ends).collect());
    let passes: Vec<u32> = passes.iter().map(|pass| u32::from(pass.is_some())).collect();
    let network = Network::new(edges, &passes).with_degrees_in_clauses(depot);
    let (found, statistics) = search(network, &clauses, &[], options, budget, None);
    let value = |values: &[bool], var: u32| values.get(number[var as usize] as usize - 1) == Some(&true);
    let found = found.map(|values| (0..model.n_vars).map(|var| value(&values, var)).collect::<Vec<_>>());
    Ok((found, statistics))
}

/// Statistics of [`find_lazily`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CutStatistics {
    /// Number of models of the clauses, the last one included.
    pub rounds: u64,
    pub cuts: u64,
    pub conflicts: u64,
}

/// Searches for a model with cuts: clauses that exclude the circuits of each model that has several. Returns the values of
/// the model's variables.
///
/// # Errors
///
/// [`CircuitError`] if the parts of the circuit contradict each other.
pub fn find_lazily(
    model: Model<'_>,
    seed: u32,
    budget: &Budget,
) -> Result<(Found<Vec<bool>>, CutStatistics), CircuitError> {
    let (all, encoded) = Clauses::of(model)?;
    let mut statistics = CutStatistics::default();
    let found = rounds(model, &all, &encoded, seed, budget, &mut statistics);
    Ok((found.unwrap_or_else(|error| Found::Nothing(error.stopped())), statistics))
}

fn rounds(
    model: Model<'_>,
    all: &Clauses,
    encoded: &EncodedCircuit,
    seed: u32,
    budget: &Budget,
    statistics: &mut CutStatistics,
) -> Result<Found<Vec<bool>>, SolveError> {
    let mut solver = Cadical::new(seed, &[], None, || budget.over().is_some())?;
    all.clauses.iter().try_for_each(|clause| solver.add(clause))?;
    loop {
        let status = solver.solve(None)?;
        statistics.conflicts = solver.counters().conflicts;
        match status {
            SolverStatus::Unsatisfiable => return Ok(Found::None),
            SolverStatus::Stopped => return Ok(Found::Nothing(budget.over().unwrap_or(Stopped::GaveUp))),
            SolverStatus::Satisfiable => {}
        }
        statistics.rounds += 1;
        let values: Vec<bool> = (0..all.n_vars).map(|var| solver.value(Lit::positive(var))).collect();
        let cuts = encoded.cuts(|literal| values[literal.vidx()] == literal.is_pos());
        if cuts.is_empty() {
            let read = model.circuit.read(|literal| values[literal.vidx()] == literal.is_pos());
            debug_assert!(matches!(read, Ok(visits) if !matches!(visits, Visits::Several(_))));
            return Ok(Found::Cycle(values[..model.n_vars as usize].to_vec()));
        }
        statistics.cuts += cuts.len() as u64;
        cuts.iter().try_for_each(|cut| solver.add(cut))?;
    }
}
