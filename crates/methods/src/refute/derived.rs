//! Clauses that follow as no arc would leave, or enter, a set of vertices: derived in a proof, step by step.
//!
//! A derivation repeats the literals of what it derives in each of its steps. Where they are many, one variable z stands for
//! them meanwhile: of a clause C = c₁ ∨ c₂ ∨ …
//!
//! ```text
//! ¬z ∨ ¬c₁,  ¬z ∨ ¬c₂,  …,  z ∨ C        z is new: each of these is satisfied by a value of z
//! …                                       the derivation, with ¬z for C, but for its end ¬z
//! C                                       by unit propagation; then all with z are deleted
//! ```
//!
//! Each time z is another one: checkers keep what they have found true for good, also where the clauses are gone by
//! which it was.

use hamcnf_encodings::derivation::{Derivation, Lacking, Step};
use hamcnf_encodings::{Clauses, Formula, Vertex};
use rustsat::types::Lit;

use hamcnf_engines::proof::{Numbers, SharedLog};

/// More literals than these are stood for by a variable.
const MANY: usize = 12;

/// What derives clauses in one proof.
pub struct Deriver<'f> {
    derivation: Derivation<'f>,
    log: SharedLog,
    numbers: Numbers,
    /// The next z.
    z: u32,
}

impl<'f> Deriver<'f> {
    /// In a proof about a formula, which has to have a derivation. Variables from `z` on are nothing else's.
    pub fn new(formula: &'f Formula, log: SharedLog, z: u32) -> Option<Self> {
        debug_assert!(z >= formula.n_vars(), "nothing else has it");
        let derivation = formula.derivation()?;
        log.lock().derive_from(formula);
        Some(Self {
            derivation,
            log,
            numbers: Numbers::default(),
            z,
        })
    }

    /// The clause that some arc leaves, or enters, these vertices.
    #[must_use]
    pub fn cut(&mut self, set: &[Vertex], lacking: Lacking) -> Vec<Lit> {
        self.derivation.cut(set, lacking)
    }

    /// Derives a clause under whose negation no arc leaves, or enters, the vertices of a set without the start.
    pub fn derive(&mut self, set: &[Vertex], lacking: Lacking, clause: &[Lit]) {
        let Self {
            derivation,
            log,
            numbers,
            z,
        } = self;
        let mut log = log.lock();
        if clause.len() <= MANY {
            derivation.derive(set, lacking, clause, &mut |step| log.step(step, numbers));
            return;
        }
        let new = next(z);
        let definitions = clause.iter().map(|&literal| vec![!new, !literal]);
        let whole = [new].into_iter().chain(clause.iter().copied()).collect();
        let definitions: Vec<Vec<Lit>> = definitions.chain([whole]).collect();
        let defined = log.define(&definitions);
        derivation.derive(set, lacking, &[!new], &mut |step| match step {
            Step::Add(end) if *end == [!new] => log.step(Step::Add(clause), numbers),
            step => log.step(step, numbers),
        });
        for (definition, number) in definitions.iter().zip(defined) {
            log.forget(number, definition);
        }
    }

    /// A variable that nothing has.
    pub fn fresh(&mut self) -> Lit {
        next(&mut self.z)
    }

    /// What was derived stays, and is the solver's from now on: it is what it is given next.
    pub fn keep(&mut self, clause: &[Lit]) {
        let number = self.numbers.pop(clause);
        self.log.lock().given(number);
    }

    /// What was derived stays, for steps that name it by this number.
    pub fn number(&mut self, clause: &[Lit]) -> u64 {
        self.numbers.pop(clause)
    }

    /// A clause that follows by unit propagation.
    pub fn add(&mut self, clause: &[Lit]) {
        self.log.lock().step(Step::Add(clause), &mut self.numbers);
    }

    /// All that defines a new variable, the first literal's of each.
    pub fn define(&mut self, clauses: &[Vec<Lit>]) {
        self.log.lock().define(clauses);
    }

    /// Deletes a clause that was derived before.
    pub fn delete(&mut self, clause: &[Lit]) {
        self.log
            .lock()
            .step(Step::Delete(clause), &mut self.numbers);
    }
}

fn next(z: &mut u32) -> Lit {
    *z += 1;
    Lit::positive(*z - 1)
}
