//! The initial phases of variables: which value the solver tries first.
//!
//! CaDiCaL decides every variable true at first, and looks at its own seed only in local search, which on formulas
//! that are solved within some hundred conflicts never comes: all seeds make the same search. A variable's phase
//! can be set through the solver's interface, but is then forced for good, against the phases that it saves. So the
//! variables are renamed instead: where the seed says so, the solver's variable is the negation of ours, and its
//! true is our false. Saved phases, rephasing and proofs of unsatisfiability are as they were.
//!
//! One variable in eight is renamed. On the `counting` encoding that gives another tour for each of the seeds 1 to 5 on
//! boards from 6×6 to 14×14. The medians of their conflicts are 0 on 6×6 and 8×8, as with the solver's phases, 190 for
//! 871 on 10×10, 1105 for 12689 on 12×12, and 3829 for 37879 on 14×14.
//!
//! # References
//!
//! - Knot Pipatsrisawat, Adnan Darwiche: *A Lightweight Component Caching Scheme for Satisfiability Solvers*, SAT
//!   2007 (saved phases).

use hamcnf_encodings::{Clauses, named};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rustsat::types::Lit;

use super::Options;

/// Where initial phases come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Phases {
    /// The solver's own: every variable true.
    #[default]
    Solver,
    /// One in eight the other way, chosen by the seed.
    Seeded,
}

named!(Phases, "initial phases", {
    Solver => "solver",
    Seeded => "seeded",
});

/// Which variables the solver has negated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Renaming {
    /// By variable; empty for none.
    negated: Vec<bool>,
}

impl Renaming {
    /// That of a formula: the variables whose first value is to be false, but of one in eight the other way if the
    /// seed says so.
    pub(crate) fn new(formula: &impl Clauses, options: &Options) -> Self {
        let mut negated: Vec<bool> = formula.first_values();
        for value in &mut negated {
            *value = !*value;
        }
        if options.phases == Phases::Seeded {
            let mut random = ChaCha8Rng::seed_from_u64(options.seed.into());
            negated.resize(formula.n_vars() as usize, false);
            for value in &mut negated {
                *value ^= random.next_u32() & 7 == 0;
            }
        }
        Self { negated }
    }

    /// Our literal as the solver's, or the solver's as ours.
    pub(crate) fn literal(&self, literal: Lit) -> Lit {
        match self.negated.get(literal.vidx()) {
            Some(true) => !literal,
            _ => literal,
        }
    }

    /// Our clause as the solver's, in `buffer` if it is another.
    pub(crate) fn clause<'c>(&self, ours: &'c [Lit], buffer: &'c mut Vec<Lit>) -> &'c [Lit] {
        if self.negated.is_empty() {
            return ours;
        }
        buffer.clear();
        buffer.extend(ours.iter().map(|&literal| self.literal(literal)));
        buffer
    }
}
