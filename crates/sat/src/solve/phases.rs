//! Initial phases of variables: the values that the solver tries first.
//!
//! CaDiCaL first decides every variable as true. It uses its own seed only in local search, which never runs on
//! formulas that are solved within some hundred conflicts. So the search is the same for all seeds. The solver's
//! interface can set a variable's phase, but then forces this phase permanently, against the saved phases. Therefore
//! the variables are renamed: if the seed selects a variable of the formula, the solver gets the negated variable
//! instead. Saved phases, rephasing and proofs of unsatisfiability are not affected.
//!
//! One variable in eight is negated. With the `counting` encoding, this gives another tour for each of the seeds 1 to 5
//! on boards from 6×6 to 14×14. The median number of conflicts is 0 on 6×6 and 8×8, as with the solver's own phases. It
//! is 190 instead of 871 on 10×10, 1105 instead of 12689 on 12×12, and 3829 instead of 37879 on 14×14.
//!
//! # References
//!
//! - Knot Pipatsrisawat, Adnan Darwiche: *A Lightweight Component Caching Scheme for Satisfiability Solvers*, SAT
//!   2007 (saved phases).

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf_encodings::Clauses;
use hamcnf_graph::named;
use rustsat::types::Lit;

use super::Options;

named! {
    /// Source of the initial phases of variables.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Phases: "initial phases" {
        /// The solver's own phases: it first tries true for every variable.
        #[default]
        Solver => "solver",
        /// The solver's own phases, except for one variable in eight: the seed selects these variables, and the solver
        /// first tries the opposite value.
        Seeded => "seeded",
    }
}

impl Phases {
    /// Returns the phases of a run with this seed. The seed would have no effect on small formulas with the solver's
    /// own phases.
    pub fn for_seed(seed: u64) -> Self {
        match seed {
            0 => Self::Solver,
            _ => Self::Seeded,
        }
    }
}

/// Set of the variables of a formula that are negated in the solver. Negating a variable changes the value that the
/// solver first tries for it.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    /// Indexed by variable: true if the variable is negated. Empty if no variable is negated.
    negated: Vec<bool>,
}

impl Renaming {
    /// Creates the renaming for a formula. It negates the variables that the solver should first try as false. With
    /// seeded phases, the seed selects one variable in eight for the opposite value.
    pub fn new(formula: &impl Clauses, options: &Options) -> Self {
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

    /// Translates a literal of the formula into the solver's literal, or back.
    pub fn literal(&self, literal: Lit) -> Lit {
        match self.negated.get(literal.vidx()) {
            Some(true) => !literal,
            _ => literal,
        }
    }

    /// Translates a clause of the formula into the solver's clause. If any variable is negated, the result is stored in
    /// `buffer`.
    pub fn clause<'c>(&self, ours: &'c [Lit], buffer: &'c mut Vec<Lit>) -> &'c [Lit] {
        if self.negated.is_empty() {
            return ours;
        }
        buffer.clear();
        buffer.extend(ours.iter().map(|&literal| self.literal(literal)));
        buffer
    }
}
