//! Receivers of clauses. A [`ClauseSink`] receives clauses one by one, so that a formula is held in memory only if the
//! sink stores it.

use rustsat::instances::Cnf;
use rustsat::types::{Clause, Lit};

use crate::Term;

/// Clause family: all clauses of a formula that come from one line of the formula's definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Family {
    /// Label of the line in the definition of the formula, such as `(5')`.
    pub label: &'static str,
    /// Meaning of the clauses in words.
    pub says: &'static str,
}

/// A receiver of clauses.
///
/// The methods return no errors, because encodings call them in their innermost loops. A sink that writes to a file
/// keeps its first error until the end of the formula.
pub trait ClauseSink {
    /// Begins a clause family, to which all following clauses belong.
    fn family(&mut self, family: Family);

    /// Receives one clause. No two of its literals have the same variable.
    fn clause(&mut self, literals: &[Lit]);

    /// Receives the clauses (¬a ∨ ¬b) for all pairs of these literals: first all pairs with the first literal, then all
    /// other pairs with the second, and so on.
    ///
    /// A sink may override this method for speed, but must receive the same clauses.
    fn no_two(&mut self, literals: &[Lit]) {
        for (s, &a) in literals.iter().enumerate() {
            for &b in &literals[s + 1..] {
                self.clause(&[!a, !b]);
            }
        }
    }

    /// True if the sink accepts a [`Bound`] directly. If false, the caller passes equivalent clauses instead.
    fn takes_bounds(&self) -> bool {
        false
    }

    /// Receives a bound on the number of true literals in this list. The method may be called only if
    /// [`takes_bounds`](Self::takes_bounds) returns true.
    fn bound(&mut self, _: Bound, _: &[Lit]) {}
}

/// Bound on the number of true literals in a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// Exactly one literal is true.
    ExactlyOne,
    /// Exactly two literals are true.
    ExactlyTwo,
    /// At most one literal is true.
    AtMostOne,
}

/// Passes every clause to both sinks. Bounds are passed only if both sinks accept them.
impl<A: ClauseSink, B: ClauseSink> ClauseSink for (&mut A, &mut B) {
    fn family(&mut self, family: Family) {
        self.0.family(family);
        self.1.family(family);
    }
    fn clause(&mut self, literals: &[Lit]) {
        self.0.clause(literals);
        self.1.clause(literals);
    }
    fn no_two(&mut self, literals: &[Lit]) {
        self.0.no_two(literals);
        self.1.no_two(literals);
    }
    fn takes_bounds(&self) -> bool {
        self.0.takes_bounds() && self.1.takes_bounds()
    }
    fn bound(&mut self, bound: Bound, literals: &[Lit]) {
        self.0.bound(bound, literals);
        self.1.bound(bound, literals);
    }
}

/// Passes every clause on, and from time to time tells the number of clauses so far.
pub struct Watched<'a> {
    sink: &'a mut dyn ClauseSink,
    tell: &'a mut dyn FnMut(u64),
    clauses: u64,
    /// Number of clauses at which their number is told next.
    next: u64,
}

impl<'a> Watched<'a> {
    /// Number of clauses between two calls of `tell`; large, so that the calls take little time.
    const STRIDE: u64 = 1 << 16;

    /// Returns a sink that passes the clauses on to `sink`.
    pub fn new(sink: &'a mut dyn ClauseSink, tell: &'a mut dyn FnMut(u64)) -> Self {
        Self { sink, tell, clauses: 0, next: 0 }
    }

    fn add(&mut self, clauses: u64) {
        self.clauses += clauses;
        if self.clauses >= self.next {
            self.next = self.clauses + Self::STRIDE;
            (self.tell)(self.clauses);
        }
    }
}

impl ClauseSink for Watched<'_> {
    fn family(&mut self, family: Family) {
        self.sink.family(family);
    }
    fn clause(&mut self, literals: &[Lit]) {
        self.add(1);
        self.sink.clause(literals);
    }
    fn no_two(&mut self, literals: &[Lit]) {
        let k = literals.len() as u64;
        self.add(k * k.saturating_sub(1) / 2);
        self.sink.no_two(literals);
    }
    fn takes_bounds(&self) -> bool {
        self.sink.takes_bounds()
    }
    fn bound(&mut self, bound: Bound, literals: &[Lit]) {
        self.add(1);
        self.sink.bound(bound, literals);
    }
}

/// Clause sink that passes each clause to a function, until the function fails.
pub struct UntilError<F, E> {
    take: F,
    /// First error of the function.
    pub ended: Result<(), E>,
}

impl<E, F: FnMut(&[Lit]) -> Result<(), E>> UntilError<F, E> {
    /// Returns a sink that calls a function for each clause.
    pub fn new(take: F) -> Self {
        Self { take, ended: Ok(()) }
    }
}

impl<E, F: FnMut(&[Lit]) -> Result<(), E>> ClauseSink for UntilError<F, E> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        if self.ended.is_ok() {
            self.ended = (self.take)(literals);
        }
    }

    fn no_two(&mut self, literals: &[Lit]) {
        for (s, &a) in literals.iter().enumerate() {
            if self.ended.is_err() {
                return;
            }
            for &b in &literals[s + 1..] {
                self.clause(&[!a, !b]);
            }
        }
    }
}

/// Collects the clauses.
impl ClauseSink for Vec<Vec<Lit>> {
    fn family(&mut self, _: Family) {}
    fn clause(&mut self, literals: &[Lit]) {
        self.push(literals.to_vec());
    }
}

/// Collects the clauses in `Cnf`, the in-memory formula of rustsat.
impl ClauseSink for Cnf {
    fn family(&mut self, _: Family) {}
    fn clause(&mut self, literals: &[Lit]) {
        self.add_clause(literals.iter().copied().collect::<Clause>());
    }
}

/// Number of clauses, and number of literals in these clauses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Count {
    /// Number of all clauses, including unit clauses, as in the header of a DIMACS file.
    pub clauses: u64,
    /// Number of unit clauses. Table 1 of the paper *Knights Tour* omits them: it prints PySAT's number of clauses, and
    /// PySAT turns unit clauses into assignments.
    pub units: u64,
    /// Total number of literals in all clauses.
    pub literals: u64,
}

impl Count {
    /// Returns the number of clauses without unit clauses, as in Table 1 of the paper *Knights Tour*.
    pub fn without_units(&self) -> u64 {
        self.clauses - self.units
    }

    /// Returns the counts for `clauses` clauses of `length` literals each.
    pub fn of(clauses: u64, length: u64) -> Self {
        Self { clauses, units: if length == 1 { clauses } else { 0 }, literals: clauses * length }
    }
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.clauses += other.clauses;
        self.units += other.units;
        self.literals += other.literals;
    }
}

/// Sink that counts the clauses of each family.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    families: Vec<(Family, Count)>,
    current: usize,
}

impl Tally {
    /// Returns the clause families with their counts, in order of first appearance.
    pub fn families(&self) -> &[(Family, Count)] {
        &self.families
    }

    /// Returns the sum of the counts of all families.
    pub fn total(&self) -> Count {
        let mut total = Count::default();
        for &(_, count) in &self.families {
            total += count;
        }
        total
    }

    fn count(&mut self) -> &mut Count {
        const NAMELESS: Family = Family { label: "", says: "clauses without a family" };
        if self.families.is_empty() {
            self.family(NAMELESS);
        }
        &mut self.families[self.current].1
    }
}

impl ClauseSink for Tally {
    fn family(&mut self, family: Family) {
        let known = self.families.iter().position(|&(f, _)| f == family);
        self.current = known.unwrap_or_else(|| {
            self.families.push((family, Count::default()));
            self.families.len() - 1
        });
    }

    fn clause(&mut self, literals: &[Lit]) {
        *self.count() += Count::of(1, literals.len() as u64);
    }

    fn no_two(&mut self, literals: &[Lit]) {
        let k = literals.len() as u64;
        *self.count() += Count::of(k * k.saturating_sub(1) / 2, 2);
    }
}

/// A clause that is built from terms. The constant true satisfies the clause; the constant false is left out.
#[derive(Clone, Default, Debug)]
pub struct Disjunction {
    literals: Vec<Lit>,
    satisfied: bool,
}

impl Disjunction {
    /// Removes all terms, but keeps the allocated memory for the next clause.
    pub fn clear(&mut self) -> &mut Self {
        self.literals.clear();
        self.satisfied = false;
        self
    }

    /// Adds the term to the disjunction.
    pub fn or(&mut self, term: Term) -> &mut Self {
        match term {
            Term::False => {}
            Term::True => self.satisfied = true,
            Term::Lit(l) => self.literals.push(l),
        }
        self
    }

    /// Adds the negation of the term to the disjunction.
    pub fn or_not(&mut self, term: Term) -> &mut Self {
        self.or(!term)
    }

    /// Adds the negation of the conjunction of the terms to the disjunction.
    pub fn or_not_all(&mut self, terms: Vec<Term>) -> &mut Self {
        terms.into_iter().fold(self, Self::or_not)
    }

    /// Passes the clause to the sink. A clause with the constant true is satisfied and is not passed.
    pub fn emit(&self, out: &mut dyn ClauseSink) {
        if !self.satisfied {
            out.clause(&self.literals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::lit;

    const A: Family = Family { label: "(a)", says: "a" };
    const B: Family = Family { label: "(b)", says: "b" };

    #[test]
    fn a_tally_groups_by_family_in_order_of_appearance() {
        let mut tally = Tally::default();
        tally.clause(&[]);
        tally.family(B);
        tally.clause(&[lit![0]]);
        tally.family(A);
        tally.clause(&[lit![0], lit![1]]);
        tally.family(B);
        tally.clause(&[lit![0], lit![1], lit![2]]);
        let labels: Vec<_> = tally.families().iter().map(|(f, c)| (f.label, c.clauses)).collect();
        assert_eq!(labels, [("", 1), ("(b)", 2), ("(a)", 1)]);
        let total = tally.total();
        assert_eq!((total.clauses, total.units, total.literals), (4, 1, 6));
        assert_eq!(total.without_units(), 3);
    }

    #[test]
    fn pairs_counted_together_are_the_pairs_counted_one_by_one() {
        for k in 0..6 {
            let literals: Vec<_> = (0..k).map(Lit::positive).collect();
            let (mut tally, mut cnf) = (Tally::default(), Cnf::new());
            (&mut tally, &mut cnf).no_two(&literals);
            let mut together = Tally::default();
            together.no_two(&literals);
            assert_eq!(together.total(), tally.total(), "{k}");
            assert_eq!(cnf.len() as u64, tally.total().clauses);
        }
    }

    #[test]
    fn constants_disappear_from_clauses() {
        let mut cnf = Cnf::new();
        let mut c = Disjunction::default();
        c.clear().or(Term::False).or_not(Term::Lit(lit![3])).emit(&mut cnf);
        c.clear().or(Term::Lit(lit![1])).or(Term::True).emit(&mut cnf);
        c.clear().or_not(Term::True).emit(&mut cnf);
        let clauses: Vec<Vec<_>> = cnf.iter().map(|c| c.iter().copied().collect()).collect();
        assert_eq!(clauses, [vec![!lit![3]], vec![]]);
    }
}
