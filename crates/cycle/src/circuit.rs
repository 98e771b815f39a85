//! Search for a model of clauses in which some literals form one circuit ([`CircuitModel`]).
//!
//! The solver gets clauses for the degrees only; the [propagator](crate::propagator) has the rest of the circuit. The
//! alternative is a relaxed encoding with cuts after each model that has several circuits, which a
//! [session](hamcnf_sat::solve::Session) adds. Cuts suffice if the clauses of the model decide most of the circuit.
//!
//! Edges of the propagator's network have variables of their own if the model has none that fits: a literal may stand on
//! several arcs. Let p be the condition of the constraint. Then an edge has the variable A ↔ H ∧ p, and a vertex may be
//! passed if S ∨ ¬p, so that the network is empty if the constraint does not hold.

use std::ffi::CStr;

use hamcnf_encodings::circuit::{CircuitError, CircuitModel, EncodedCircuit, Sink};
use hamcnf_encodings::hamcnf_tours::Term;
use hamcnf_encodings::{Encoding, Lit, Var};
use hamcnf_sat::solve::bridge::OutOfMemory;

use super::edges::Edges;
use super::propagator::{Limits, Network, Options, Session};
use super::{Budget, Found, Stopped};

/// Clauses and variables in memory.
struct Clauses {
    n_vars: u32,
    clauses: Vec<Vec<Lit>>,
}

impl Clauses {
    fn fresh(&mut self) -> Lit {
        self.n_vars += 1;
        Lit::positive(self.n_vars - 1)
    }

    /// Returns the clauses of a model's circuit, without positions.
    fn of(model: &CircuitModel) -> Result<(Self, EncodedCircuit), CircuitError> {
        let base = if model.circuit.is_directed() { "relaxed" } else { "edges" };
        let encoding: Encoding = base.parse().expect("the base is built in");
        let mut clauses = Vec::new();
        let mut sink = Sink { next: Var::new(model.n_vars), clauses: &mut clauses };
        let encoded = model.circuit.encode(&encoding, &mut sink)?;
        Ok((Self { n_vars: sink.next.idx32(), clauses }, encoded))
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

/// Configuration of a solver that takes turns with others.
struct Turn {
    configuration: &'static CStr,
    settings: &'static [(&'static CStr, i32)],
    /// Length of the first turn, in literals that the solver reports to the propagator. Each further turn has twice as many.
    first: u64,
}

/// Solvers in turn. Where the clauses leave much of the circuit open, the time of each has a heavy tail, and another one is
/// likely to be fast. None of them looks for equivalent literals, which takes most of the time of a short search.
const TURNS: [Turn; 4] = [
    Turn { configuration: c"default", settings: &[(c"sweep", 0), (c"congruence", 0)], first: 1_600_000 },
    Turn { configuration: c"sat", settings: &[(c"sweep", 0), (c"congruence", 0)], first: 400_000 },
    Turn { configuration: c"sat", settings: &[(c"sweep", 0), (c"congruence", 0), (c"phase", 0)], first: 400_000 },
    Turn { configuration: c"sat", settings: &[(c"sweep", 0), (c"congruence", 0), (c"chrono", 0)], first: 400_000 },
];

/// Maximum work of the connectivity check, as a fraction of the solver's. With less, tails are longer.
const CONNECTIVITY: f64 = 1.0;

/// Search for models of clauses with a circuit, one after the other.
pub struct Search<'m> {
    model: &'m CircuitModel,
    budget: Budget,
    seed: u32,
    network: Network,
    /// Clauses in the network's variables.
    clauses: Vec<Vec<i32>>,
    /// Indexed by variable: its number in the network.
    number: Vec<i32>,
    sessions: [Option<Session<'static>>; TURNS.len()],
    turn: u32,
}

impl<'m> Search<'m> {
    /// Prepares the search. `seed` is the seed of CaDiCaL, from 0 to 2·10⁹.
    ///
    /// # Errors
    ///
    /// [`CircuitError`] if the parts of the circuit contradict each other.
    pub fn new(model: &'m CircuitModel, seed: u32, budget: &Budget) -> Result<Self, CircuitError> {
        let (mut all, encoded) = Clauses::of(model)?;
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
            // A vertex is passed if it is not both visited and active.
            let active = match (encoded.visited(v), condition) {
                (Term::True, None) => None,
                (Term::Lit(visited), None) => Some(visited),
                (visited, condition) => Some(all.variable(visited, condition, &mut taken)),
            };
            passes.push(active.map(|active| all.variable(Term::Lit(!active), None, &mut taken)));
        }
        // The network's variables come first: edges, then passes.
        let mut number = vec![0; all.n_vars as usize];
        let mut next = 0;
        let first = arcs.iter().map(|&(_, literal)| literal).chain(passes.iter().flatten().copied());
        for literal in first.chain((0..all.n_vars).map(Lit::positive)) {
            if number[literal.vidx()] == 0 {
                next += 1;
                number[literal.vidx()] = next;
            }
        }
        let edges = Edges::new(n as usize, arcs.iter().map(|&(ends, _)| ends).collect());
        let passes: Vec<u32> = passes.iter().map(|pass| u32::from(pass.is_some())).collect();
        let network = Network::new(edges, &passes).with_degrees_in_clauses(depot);
        let mut search = Self {
            model,
            budget: budget.clone(),
            seed,
            network,
            clauses: Vec::new(),
            number,
            sessions: [const { None }; TURNS.len()],
            turn: 0,
        };
        let clauses = model.clauses.iter().chain(&all.clauses);
        search.clauses = clauses.map(|clause| search.numbered(clause)).collect();
        Ok(search)
    }

    fn numbered(&self, clause: &[Lit]) -> Vec<i32> {
        let literal = |l: &Lit| if l.is_pos() { self.number[l.vidx()] } else { -self.number[l.vidx()] };
        clause.iter().map(literal).collect()
    }

    /// Searches for a model. Returns the values of the model's variables.
    pub fn search(&mut self) -> Found<Vec<bool>> {
        self.take_turns().unwrap_or(Found::Unknown(Stopped::Memory))
    }

    fn take_turns(&mut self) -> Result<Found<Vec<bool>>, OutOfMemory> {
        loop {
            let k = self.turn as usize % TURNS.len();
            let Turn { configuration, settings, first } = TURNS[k];
            let slice = first << (self.turn / TURNS.len() as u32).min(32);
            let session = match &mut self.sessions[k] {
                Some(session) => session,
                none => {
                    let options = Options { seed: self.seed, configuration, settings };
                    let network = self.network.clone();
                    none.insert(Session::new(network, &self.clauses, &[], &options, &self.budget, None)?)
                }
            };
            // Only the depot connects its routes.
            let connectivity = if self.model.circuit.depot_vertex().is_some() { 0.0 } else { CONNECTIVITY };
            let found = session.search(Limits { literals: Some(slice), connectivity })?;
            if self.budget.over().is_none() && matches!(found, Found::Unknown(_)) {
                self.turn += 1;
                continue;
            }
            let value = |values: &[bool], var: u32| values.get(self.number[var as usize] as usize - 1) == Some(&true);
            return Ok(found.map(|values| (0..self.model.n_vars).map(|var| value(&values, var)).collect()));
        }
    }

    /// Returns a new variable for clauses that are added.
    pub fn fresh(&mut self) -> Lit {
        let variable = self.number.len();
        self.number.push(variable as i32 + 1);
        Lit::positive(variable as u32)
    }

    /// Adds a clause, for example one that excludes a model. It may have variables of the model and new ones.
    pub fn add(&mut self, clause: &[Lit]) {
        let clause = self.numbered(clause);
        for session in &mut self.sessions {
            // A solver without memory is left out.
            if session.as_mut().is_some_and(|session| session.add(&clause).is_err()) {
                *session = None;
            }
        }
        self.clauses.push(clause);
    }
}
