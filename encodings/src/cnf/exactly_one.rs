//! Constraint that exactly one of some literals is true: one clause for "at least one", and an at-most-one encoding of
//! rustsat.
//!
//! All these encodings keep the number of models: if exactly one input is true, the clauses fix every auxiliary
//! variable. In the commander and product encodings, the commander or the row of the true input is true, and all other
//! commanders or rows are false, since at most one may be true. In the other encodings, the index of the true input
//! determines the bits or the ladder. The tests count the models for every encoding. If a sink accepts the constraint
//! itself ([`Bound`]), it receives neither clauses nor auxiliary variables.
//!
//! # References
//!
//! - Steven Prestwich: _CNF Encodings_, Handbook of Satisfiability, 2021.
//! - The papers named in rustsat's `encodings::am1`.

use std::collections::HashMap;
use std::convert::Infallible;

use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::encodings::am1;
use rustsat::instances::{BasicVarManager, ManageVars};
use rustsat::types::{Clause, Lit, Var};

use super::exactly_two;
use super::sink::{Bound, ClauseSink};
use super::vars::Term;
use hamcnf_graph::names::named;

named! {
    /// Encoding of at-most-one constraints as clauses.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum AtMostOne: "at-most-one encoding" {
        /// A clause for every pair: k(k − 1)/2 clauses, no auxiliary variables. The paper *Knights Tour* uses this
        /// encoding.
        #[default]
        Pairwise => "pairwise",
        /// Ladder encoding of Gent and Nightingale.
        Ladder => "ladder",
        /// Bitwise encoding of Prestwich: the auxiliary variables are the bits of the true literal's index.
        Bitwise => "bitwise",
        /// Commander encoding of Klieber and Kwon, with groups of four literals.
        Commander => "commander",
        /// Bimander encoding of Nguyen and Mai: bitwise over groups of literals.
        Bimander => "bimander",
        /// Product encoding of Chen, which arranges the literals in rows and columns.
        TwoProduct => "two-product",
        /// [`Pairwise`](Self::Pairwise) for at most 32 literals, and [`TwoProduct`](Self::TwoProduct) for more. So most
        /// graphs need no auxiliary variables, and vertices of high degree do not have quadratically many clauses.
        Sparing => "sparing",
    }
}

/// Maximum number of literals for which [`AtMostOne::Sparing`] is pairwise.
const FEW: usize = 32;

impl AtMostOne {
    fn encode(self, literals: &[Lit], auxiliary: &mut BasicVarManager, out: &mut dyn ClauseSink) {
        fn run<E: am1::Encode + From<Vec<Lit>>>(
            literals: &[Lit],
            auxiliary: &mut BasicVarManager,
            out: &mut dyn ClauseSink,
        ) {
            E::from(literals.to_vec())
                .encode(&mut Collector { out, received: 0 }, auxiliary)
                .expect("a sink never fails");
        }
        match self {
            Self::Pairwise => out.no_two(literals),
            Self::Ladder => run::<am1::Ladder>(literals, auxiliary, out),
            Self::Bitwise => run::<am1::Bitwise>(literals, auxiliary, out),
            Self::Commander => run::<am1::Commander>(literals, auxiliary, out),
            Self::Bimander => run::<am1::Bimander>(literals, auxiliary, out),
            Self::TwoProduct => run::<am1::TwoProduct>(literals, auxiliary, out),
            Self::Sparing if literals.len() <= FEW => out.no_two(literals),
            Self::Sparing => run::<am1::TwoProduct>(literals, auxiliary, out),
        }
    }
}

/// Number of auxiliary variables that at-most-one constraints need. The encoder runs once for each constraint size, so
/// the number is known before any clause is emitted.
#[derive(Debug)]
pub struct AuxiliaryCount {
    at_most_one: AtMostOne,
    by_size: HashMap<usize, u64>,
    total: u64,
}

impl AuxiliaryCount {
    /// Returns a count of zero for this encoding; [`constraint`](Self::constraint) adds constraints.
    pub fn new(at_most_one: AtMostOne) -> Self {
        Self { at_most_one, by_size: HashMap::new(), total: 0 }
    }

    /// Adds the auxiliary variables of a constraint over `size()` literals. `size` is called only if the encoding has
    /// auxiliary variables.
    pub fn constraint(&mut self, size: impl FnOnce() -> usize) {
        if self.at_most_one == AtMostOne::Pairwise {
            return;
        }
        let size = size();
        let at_most_one = self.at_most_one;
        self.total += *self.by_size.entry(size).or_insert_with(|| {
            let literals: Vec<_> = (0..size as u32).map(Lit::positive).collect();
            let mut auxiliary = BasicVarManager::from_next_free(Var::new(size as u32));
            at_most_one.encode(&literals, &mut auxiliary, &mut Discard);
            u64::from(auxiliary.n_used()) - size as u64
        });
    }

    /// Returns the number of auxiliary variables of all constraints so far.
    pub fn total(&self) -> u64 {
        self.total
    }
}

/// Emitter of cardinality constraints over terms, which also allocates their auxiliary variables.
#[derive(Debug)]
pub struct Cardinality {
    at_most_one: AtMostOne,
    auxiliary: BasicVarManager,
    literals: Vec<Lit>,
}

impl Cardinality {
    /// Returns an emitter that numbers the auxiliary variables from `first_auxiliary`, in the order of the constraints.
    pub fn new(at_most_one: AtMostOne, first_auxiliary: Var) -> Self {
        Self { at_most_one, auxiliary: BasicVarManager::from_next_free(first_auxiliary), literals: Vec::new() }
    }

    /// Stores in `self.literals` all terms that are literals, not constants. Returns true if one of the terms is the
    /// constant true.
    fn take(&mut self, terms: impl IntoIterator<Item = Term>) -> bool {
        let mut one_is_true = false;
        self.literals.clear();
        for term in terms {
            match term {
                Term::False => {}
                Term::True => one_is_true = true,
                Term::Lit(l) => self.literals.push(l),
            }
        }
        one_is_true
    }

    /// Streams "at least one of the terms" as one clause.
    pub fn at_least_one(&mut self, terms: impl IntoIterator<Item = Term>, out: &mut dyn ClauseSink) {
        if !self.take(terms) {
            out.clause(&self.literals);
        }
    }

    /// Streams "at most one of the terms". If one term is constantly true, unit clauses make all others false.
    pub fn at_most_one(&mut self, terms: impl IntoIterator<Item = Term>, out: &mut dyn ClauseSink) {
        let one_is_true = self.take(terms);
        self.at_most_one_taken(one_is_true, out);
    }

    /// Streams "exactly one of the terms".
    pub fn exactly_one(&mut self, terms: impl IntoIterator<Item = Term>, out: &mut dyn ClauseSink) {
        let one_is_true = self.take(terms);
        if !one_is_true {
            if out.takes_bounds() {
                out.bound(Bound::ExactlyOne, &self.literals);
                return;
            }
            out.clause(&self.literals);
        }
        self.at_most_one_taken(one_is_true, out);
    }

    /// Streams "exactly two of the literals", or exactly one of `instead` and none of the literals. `counting` yields the
    /// counting variables; [`exactly_two::counting`] returns how many are needed.
    ///
    /// # Panics
    ///
    /// Panics if there are too few counting variables.
    pub fn exactly_two(
        &mut self,
        literals: impl IntoIterator<Item = Lit>,
        instead: &[Lit],
        mut counting: impl Iterator<Item = Lit>,
        out: &mut dyn ClauseSink,
    ) {
        self.take(literals.into_iter().map(Term::Lit));
        if out.takes_bounds() && !self.literals.is_empty() && instead.is_empty() {
            out.bound(Bound::ExactlyTwo, &self.literals);
            return;
        }
        let mut fresh = || counting.next().expect("`counting` has enough literals");
        let mut add = |clause: &[Lit]| -> Result<(), Infallible> {
            out.clause(clause);
            Ok(())
        };
        let Ok(()) = exactly_two::exactly_two(&self.literals, instead, &mut fresh, &mut add);
    }

    fn at_most_one_taken(&mut self, one_is_true: bool, out: &mut dyn ClauseSink) {
        if one_is_true {
            for &l in &self.literals {
                out.clause(&[!l]);
            }
        } else if out.takes_bounds() {
            out.bound(Bound::AtMostOne, &self.literals);
        } else {
            self.at_most_one.encode(&self.literals, &mut self.auxiliary, out);
        }
    }
}

/// Sink for rustsat's encoders that passes their clauses to a [`ClauseSink`].
struct Collector<'s> {
    out: &'s mut dyn ClauseSink,
    received: usize,
}

impl CollectClauses for Collector<'_> {
    fn n_clauses(&self) -> usize {
        self.received
    }

    fn extend_clauses<T>(&mut self, clauses: T) -> Result<(), OutOfMemory>
    where
        T: IntoIterator<Item = Clause>,
    {
        for clause in clauses {
            self.received += 1;
            self.out.clause(clause.as_ref());
        }
        Ok(())
    }
}

/// Sink that ignores the clauses.
pub(crate) struct Discard;

impl ClauseSink for Discard {
    fn family(&mut self, _: super::sink::Family) {}
    fn clause(&mut self, _: &[Lit]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::names::Named;
    use rustsat::instances::Cnf;

    /// Returns the models of a formula that have these values of all variables from `n` on. The last variables are
    /// assigned first: they are auxiliary, and determine the others.
    fn models(cnf: &Cnf, n: u32, values: u64) -> Vec<u64> {
        let may_hold = |l: &Lit| l.vidx32() < n || (values >> l.vidx() & 1 == 1) == l.is_pos();
        match n {
            _ if !cnf.iter().all(|clause| clause.iter().any(may_hold)) => Vec::new(),
            0 => vec![values],
            _ => [0, 1].into_iter().flat_map(|value| models(cnf, n - 1, values | value << (n - 1))).collect(),
        }
    }

    #[test]
    fn every_encoding_has_one_model_for_each_choice() {
        for &at_most_one in AtMostOne::ALL {
            for k in 1..=18u32 {
                let mut count = AuxiliaryCount::new(at_most_one);
                count.constraint(|| k as usize);
                let n = k + count.total() as u32;
                let mut cnf = Cnf::new();
                let terms = (0..k).map(|v| Term::Lit(Lit::positive(v)));
                let mut card = Cardinality::new(at_most_one, Var::new(k));
                card.exactly_one(terms, &mut cnf);
                assert_eq!(card.auxiliary.n_used(), n, "{at_most_one} {k}");
                let mut chosen: Vec<_> = models(&cnf, n, 0).iter().map(|m| m & ((1 << k) - 1)).collect();
                chosen.sort_unstable();
                let expected: Vec<_> = (0..k).map(|v| 1u64 << v).collect();
                assert_eq!(chosen, expected, "{at_most_one} {k}");
            }
        }
    }

    #[test]
    fn constants_decide() {
        let [a, b] = [0, 1].map(|v| Term::Lit(Lit::positive(v)));
        let clauses = |terms: &[Term]| {
            let mut cnf = Cnf::new();
            Cardinality::new(AtMostOne::Pairwise, Var::new(2)).exactly_one(terms.iter().copied(), &mut cnf);
            cnf.iter().map(|c| c.iter().map(|l| l.to_ipasir()).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        assert_eq!(clauses(&[a, Term::False, b]), [vec![1, 2], vec![-1, -2]]);
        assert_eq!(clauses(&[a, Term::True, b]), [vec![-1], vec![-2]]);
        assert_eq!(clauses(&[Term::False]), [Vec::<i32>::new()]);
    }
}
