//! Clauses that hold because some arc leaves, or enters, every set of vertices. A proof derives them step by step.
//!
//! A derivation repeats the literals of the derived clause in each of its steps. If there are many literals, one
//! variable z stands for them during the derivation of a clause C = c₁ ∨ c₂ ∨ …
//!
//! ```text
//! ¬z ∨ ¬c₁,  ¬z ∨ ¬c₂,  …,  z ∨ C    z is new: each of these clauses is satisfied by a value of z
//! …                                  the derivation, with ¬z in place of C, without its last step ¬z
//! C                                  by unit propagation; then all clauses with z are deleted
//! ```
//!
//! Each derivation uses a fresh z, because checkers permanently keep literals that they have propagated, even after the
//! clauses that implied these literals are deleted.

use hamcnf_encodings::derivation::{Derivation, Lacking, Step};
use hamcnf_encodings::{Clauses, Formula};
use hamcnf_graph::Vertex;
use rustsat::types::Lit;

use hamcnf_sat::proof::{Numbers, SharedLog};

/// Maximum number of literals that a derivation repeats. A longer list of literals is replaced by a variable.
const MANY: usize = 12;

/// Writer of derivations to a proof.
pub struct Deriver<'f> {
    derivation: Derivation<'f>,
    log: SharedLog,
    numbers: Numbers,
    /// Number of the next fresh variable z, which stands for many literals during one derivation.
    z: u32,
}

impl<'f> Deriver<'f> {
    /// Returns a deriver for a proof from the clauses of a formula. All variables starting at `z` must be unused.
    /// Returns `None` if the formula has no derivation of cuts.
    pub fn new(formula: &'f Formula, log: SharedLog, z: u32) -> Option<Self> {
        debug_assert!(z >= formula.n_vars(), "nothing else has it");
        let derivation = formula.derivation()?;
        log.lock().derive_from(formula);
        Some(Self { derivation, log, numbers: Numbers::default(), z })
    }

    /// Returns the clause which states that some arc leaves, or enters, the vertex set.
    pub fn cut(&mut self, set: &[Vertex], lacking: Lacking) -> Vec<Lit> {
        self.derivation.cut(set, lacking)
    }

    /// Derives a clause whose negation implies that no arc leaves, or enters, `set`. The set must not contain the
    /// start.
    pub fn derive(&mut self, set: &[Vertex], lacking: Lacking, clause: &[Lit]) {
        let Self { derivation, log, numbers, z } = self;
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

    /// Returns a fresh variable.
    pub fn fresh(&mut self) -> Lit {
        next(&mut self.z)
    }

    /// Declares that the next clause that the solver receives is this derived clause.
    pub fn keep(&mut self, clause: &[Lit]) {
        self.log.lock().given(self.numbers.pop(clause));
    }

    /// Returns the number of a derived clause, for steps that refer to it. The clause is kept in the proof.
    pub fn number(&mut self, clause: &[Lit]) -> u64 {
        self.numbers.pop(clause)
    }

    /// Adds a clause that follows by unit propagation.
    pub fn add(&mut self, clause: &[Lit]) {
        self.log.lock().step(Step::Add(clause), &mut self.numbers);
    }

    /// Adds a clause that follows from lemmas by unit propagation, and [keeps](Self::keep) it. The lemmas follow by unit
    /// propagation, too, and are deleted afterwards.
    pub fn conclude(&mut self, lemmas: &[Vec<Lit>], clause: &[Lit]) {
        lemmas.iter().for_each(|lemma| self.add(lemma));
        self.add(clause);
        lemmas.iter().for_each(|lemma| self.delete(lemma));
        self.keep(clause);
    }

    /// Adds the clauses that define a new variable. The first literal of each clause is a literal of this variable.
    pub fn define(&mut self, clauses: &[Vec<Lit>]) {
        self.log.lock().define(clauses);
    }

    /// Deletes a clause that was derived before.
    pub fn delete(&mut self, clause: &[Lit]) {
        self.log.lock().step(Step::Delete(clause), &mut self.numbers);
    }
}

fn next(z: &mut u32) -> Lit {
    *z += 1;
    Lit::positive(*z - 1)
}
