//! Checker of cutting-planes proofs in VeriPB's format, version 3.0. It supports only the steps that clauses and
//! counting arguments need.
//!
//! | step | effect |
//! |---|---|
//! | `rup C` | adds a constraint C that follows by unit propagation: the negation of C gives a contradiction |
//! | `pol …` | adds a combination of constraints, in reverse Polish notation |
//! | `red C : x -> b` | adds a constraint C that the assignment x = b alone satisfies |
//! | `del id …` | deletes constraints |
//!
//! The operators of `pol` are `+` (addition), `*` (multiplication by the factor before it), `d` (division by the
//! divisor before it) and `s` (saturation). A literal stands for the constraint that the literal is at least 0. A `red`
//! step is correct under a condition. Let l be the literal of x that the witness x = b makes false. For every
//! constraint that contains l, unit propagation must derive the constraint without l from the negation of C.
//!
//! Further steps are `f`, with the number of constraints of the formula, `output NONE` and `conclusion UNSAT`. The
//! conclusion must give the number of a constraint that cannot hold, unless unit propagation has found a contradiction.
//! Other steps of VeriPB are rejected. Hints of `rup` are ignored.
//!
//! The slack of a constraint is the sum of the coefficients of its literals that are not false, minus the degree. If
//! the slack is less than the coefficient of an unassigned literal, the literal must be true. Slacks are updated
//! incrementally. Literals that follow from the constraints alone stay true when constraints are deleted, because they
//! have been proved. So their variables cannot be witnesses.
//!
//! # References
//!
//! - B. Bogaerts, S. Gocht, C. McCreesh, J. Nordström: *Certified Dominance and Symmetry Breaking for Combinatorial
//!   Optimisation*, JAIR 77, 2023: redundance-based strengthening, of which `red` is a case.
//! - J. Elffers, J. Nordström: *Divide and Conquer: Towards Faster Pseudo-Boolean Solving*, IJCAR 2018: slack.

use std::io::{BufRead, BufReader, Read};

use rustsat::types::Lit;

use super::numbers::{Literal, Variables};
use super::sum::Sum;
use super::{At, Checked, NOT_IMPLIED, Patience, Place, Rejected, Unproved, Why};
use hamcnf_tours::sink::{ClauseSink, Family};

/// Checker of cutting-planes proofs. It is a sink for the clauses of the formula. Each clause becomes a constraint;
/// these constraints are numbered from 1.
#[derive(Debug, Default)]
pub struct CuttingPlanes {
    variables: Variables,
    /// All constraints, including deleted ones. Constraint k has the index k − 1.
    constraints: Vec<Constraint>,
    terms: Vec<(Literal, u32)>,
    /// Indexed by literal: for each constraint that contains the literal, the index of the constraint and the
    /// coefficient of the literal.
    with: Vec<Vec<(u32, u32)>>,
    /// Indexed by literal: true if the literal is true.
    holds: Vec<bool>,
    /// Indexed by literal: true if the literal is true and has been propagated. The coefficients of its negation have
    /// then been subtracted from the slacks.
    told: Vec<bool>,
    /// True literals, in the order in which they became true.
    trail: Vec<Literal>,
    /// Number of literals at the beginning of the trail that have been propagated. The slacks account only for these
    /// literals.
    known: usize,
    /// True if unit propagation has found a contradiction between the constraints.
    refuted: bool,
    too_large: bool,
    checked: Checked,
}

#[derive(Clone, Copy, Debug)]
struct Constraint {
    first: usize,
    len: u32,
    greatest: u32,
    degree: i64,
    slack: i64,
    there: bool,
}

impl ClauseSink for CuttingPlanes {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        let mut sum = Sum::least(1);
        for literal in literals {
            let literal = self.literal(literal.to_ipasir());
            // A repeated literal counts once. A clause with a literal and its negation always holds.
            if sum.coefficient(literal) == 0 && sum.add_term(literal, 1).is_err() {
                self.too_large = true;
            }
        }
        self.too_large |= self.push(&sum).is_err();
    }
}

/// Words of a step that have not been read yet.
struct Words<'a>(std::str::SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Result<&'a str, Why> {
        self.0.next().ok_or(Why::TRUNCATED)
    }

    /// Reads the next word. Returns an error if this word is not `word`.
    fn expect(&mut self, word: &str) -> Result<(), Why> {
        let found = self.word()?;
        (found == word).then_some(()).ok_or_else(|| unknown(found))
    }

    fn end(&mut self) -> Result<(), Why> {
        self.0.next().map_or(Ok(()), |word| Err(unknown(word)))
    }
}

/// Maximum number of characters of a word that error messages show.
const SHOWN: usize = 24;

fn unknown(word: &str) -> Why {
    let shown: String = word.chars().take(SHOWN).collect();
    Why::new(format!("has the unknown word \"{}\"", shown.escape_debug()))
}

fn no_contradiction() -> Why {
    Why::new("concludes from a constraint that is not a contradiction")
}

/// Reason for the witness of a `red` step that does not satisfy the constraint by itself, or whose variable already has a
/// value.
const WITNESS: &str = "has a wrong witness; the witness must be a literal that satisfies the constraint by itself and whose variable has no value yet";

fn integer(word: &str) -> Result<i64, Why> {
    word.parse().map_err(|_| unknown(word))
}

impl CuttingPlanes {
    /// Checks a proof that the formula has no model. Calls `stop` from time to time; the check stops if `stop` returns
    /// true.
    ///
    /// # Errors
    ///
    /// [`Unproved`] for the first wrong step, or if the check cannot be finished.
    pub fn check(mut self, proof: impl Read, stop: &dyn Fn() -> bool) -> Result<Checked, Unproved> {
        if self.too_large {
            return Err(Unproved::TooLarge);
        }
        let mut patience = Patience::new(stop);
        let formula = self.constraints.len();
        self.settle_all();
        let mut proof = BufReader::new(proof);
        let (mut line, mut text, mut number) = (Vec::new(), String::new(), 0);
        loop {
            line.clear();
            if proof.read_until(b'\n', &mut line)? == 0 {
                return Err(Rejected::NoEmptyClause { steps: self.checked.steps }.into());
            }
            number += 1;
            let read = String::from_utf8_lossy(&line);
            let said = read.split_once('%').map_or(&*read, |(said, _)| said);
            if number == 1 {
                let is_head = said.trim_end() == HEAD;
                let other = || self.wrong(unknown(said.trim_end()), number);
                is_head.then_some(()).ok_or_else(other)?;
                continue;
            }
            // The text from earlier lines contains no `;`, so the search for the end of the step begins after this
            // text.
            let mut looked = text.len();
            text += said;
            if patience.spend(line.len() as u64) {
                return Err(Unproved::Stopped { steps: self.checked.steps });
            }
            while let Some(end) = text[looked..].find(';').map(|end| looked + end) {
                looked = 0;
                let step: String = text.drain(..=end).collect();
                self.checked.steps += 1;
                let before = self.checked.propagations;
                let done = self.step(&step[..end], formula);
                if done.map_err(|why| self.wrong(why, number))? {
                    return Ok(self.checked);
                }
                let work = 1 + step.len() as u64 + self.checked.propagations - before;
                if patience.spend(work) {
                    return Err(Unproved::Stopped { steps: self.checked.steps });
                }
            }
        }
    }

    fn wrong(&self, why: Why, line: u64) -> Rejected {
        let (step, place) = (self.checked.steps, Place::Line(line));
        let at = At { step, place };
        Rejected::Step { at, why }
    }

    /// Checks and executes a step. Returns true if the step is the conclusion.
    fn step(&mut self, step: &str, formula: usize) -> Result<bool, Why> {
        // The text after the colon is the witness of `red`, or the number of a constraint in `conclusion`.
        let (step, behind) = step.split_once(':').unwrap_or((step, ""));
        let mut words = Words(step.split_ascii_whitespace());
        let mut behind = Words(behind.split_ascii_whitespace());
        match words.word()? {
            "rup" => {
                let sum = self.constraint(&mut words)?;
                self.follows(&[sum.negated()?])?;
                self.derive(&sum)?;
            }
            "pol" => {
                let sum = self.combined(words)?;
                self.derive(&sum)?;
            }
            "red" => {
                let sum = self.constraint(&mut words)?;
                let witness = self.variable(behind.word()?)?;
                behind.expect("->")?;
                let witness = match behind.word()? {
                    "1" => witness,
                    "0" => !witness,
                    other => return Err(unknown(other)),
                };
                behind.end()?;
                self.redundant(&sum, witness)?;
                self.checked.extensions += 1;
                self.derive(&sum)?;
            }
            "del" => {
                words.expect("id")?;
                for word in words.0 {
                    let number = integer(word)?;
                    let index = self.index(number)?;
                    self.remove(index);
                    self.checked.deletions += 1;
                }
            }
            "f" => {
                let said = integer(words.word()?)?;
                if usize::try_from(said) != Ok(formula) {
                    let why = format!("announces a formula with {said} constraints, but the formula has {formula}");
                    return Err(Why::new(why));
                }
            }
            "output" => {
                words.expect("NONE")?;
                words.end()?;
            }
            "conclusion" => {
                words.expect("UNSAT")?;
                let named = behind.0.next().map(integer).transpose()?;
                let contradicts = match named {
                    Some(number) => self.sum(self.index(number)?)?.cannot_hold(),
                    None => self.refuted,
                };
                return contradicts.then_some(true).ok_or_else(no_contradiction);
            }
            other => return Err(unknown(other)),
        }
        Ok(false)
    }

    fn literal(&mut self, dimacs: i32) -> Literal {
        let literal = self.variables.literal(dimacs);
        self.with.resize_with(2 * self.variables.len(), Vec::new);
        self.holds.resize(2 * self.variables.len(), false);
        self.told.resize(2 * self.variables.len(), false);
        literal
    }

    /// Parses the name of a variable, such as `x5`.
    fn variable(&mut self, word: &str) -> Result<Literal, Why> {
        let number = word.strip_prefix('x').and_then(|number| number.parse().ok());
        let number = number.filter(|&number: &i32| number > 0);
        Ok(self.literal(number.ok_or_else(|| unknown(word))?))
    }

    /// Parses a literal, such as `x5` or `~x5`.
    fn signed(&mut self, word: &str) -> Result<Literal, Why> {
        match word.strip_prefix('~') {
            Some(variable) => Ok(!self.variable(variable)?),
            None => self.variable(word),
        }
    }

    /// Parses a constraint, such as `1 x5 2 ~x6 >= 1`.
    fn constraint(&mut self, words: &mut Words<'_>) -> Result<Sum, Why> {
        let mut sum = Sum::default();
        loop {
            let word = words.word()?;
            if word == ">=" {
                let degree = Sum::least(integer(words.word()?)?);
                words.end()?;
                return sum.add(degree);
            }
            let literal = words.word()?;
            let literal = self.signed(literal)?;
            sum.add_term(literal, integer(word)?)?;
        }
    }

    fn index(&self, number: i64) -> Result<usize, Why> {
        let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
        let there = index.filter(|&index| self.constraints.get(index).is_some_and(|c| c.there));
        there.ok_or_else(|| Why::no_clause(number))
    }

    fn sum(&self, index: usize) -> Result<Sum, Why> {
        let constraint = self.constraints[index];
        let mut sum = Sum::least(constraint.degree);
        for &(literal, coefficient) in self.terms_of(constraint) {
            sum.add_term(literal, coefficient.into())?;
        }
        Ok(sum)
    }

    fn terms_of(&self, constraint: Constraint) -> &[(Literal, u32)] {
        &self.terms[constraint.first..constraint.first + constraint.len as usize]
    }

    /// Evaluates a `pol` expression in reverse Polish notation.
    fn combined(&mut self, words: Words<'_>) -> Result<Sum, Why> {
        let mut words = words.0.peekable();
        let mut stack: Vec<Sum> = Vec::new();
        while let Some(word) = words.next() {
            let sum = match (word, words.peek()) {
                ("+", _) => {
                    let (one, other) = (stack.pop(), stack.pop());
                    let both = one.zip(other).ok_or_else(|| unknown(word))?;
                    both.0.add(both.1)?
                }
                ("s", _) => stack.pop().ok_or_else(|| unknown(word))?.saturated(),
                (_, Some(&operator @ ("*" | "d"))) => {
                    words.next();
                    let sum = stack.pop().ok_or_else(|| unknown(operator))?;
                    let number = integer(word)?;
                    match operator {
                        _ if number < 1 => return Err(unknown(word)),
                        "*" => sum.times(number)?,
                        _ => sum.divided(number),
                    }
                }
                _ if word.starts_with(['x', '~']) => {
                    let mut axiom = Sum::default();
                    axiom.add_term(self.signed(word)?, 1)?;
                    axiom
                }
                _ => self.sum(self.index(integer(word)?)?)?,
            };
            stack.push(sum);
        }
        match (stack.pop(), stack.is_empty()) {
            (Some(sum), true) => Ok(sum),
            _ => Err(Why::TRUNCATED),
        }
    }

    /// Checks that unit propagation derives a contradiction from the present constraints and the constraints in
    /// `negated`. The constraints in `negated` are added for this check only.
    fn follows(&mut self, negated: &[Sum]) -> Result<(), Why> {
        if self.refuted {
            return Ok(());
        }
        let (before, terms) = (self.trail.len(), self.terms.len());
        let constraints = self.constraints.len();
        let mut conflict = false;
        for sum in negated {
            self.push(sum)?;
            let last = self.constraints.len() - 1;
            conflict = conflict || !self.settle(last);
        }
        conflict = conflict || !self.propagate();
        self.undo(before);
        while self.constraints.len() > constraints {
            self.remove(self.constraints.len() - 1);
            self.constraints.pop();
        }
        self.terms.truncate(terms);
        conflict.then_some(()).ok_or_else(|| Why::new(NOT_IMPLIED))
    }

    /// Checks the condition under which a `red` step may add `sum`. `witness` is the literal that the step's assignment
    /// makes true.
    fn redundant(&mut self, sum: &Sum, witness: Literal) -> Result<(), Why> {
        let negated = sum.negated()?;
        // A constraint that follows needs no witness, even if propagation has given the variable a value.
        let known = self.holds[witness.index()] || self.holds[(!witness).index()];
        if known && self.follows(std::slice::from_ref(&negated)).is_ok() {
            return Ok(());
        }
        if known || sum.coefficient(witness) < sum.degree() {
            return Err(Why::new(WITNESS));
        }
        let others: Vec<u32> = self.with[(!witness).index()].iter().map(|with| with.0).collect();
        for other in others {
            let other = self.sum(other as usize)?.without(!witness);
            self.follows(&[negated.clone(), other.negated()?])?;
        }
        Ok(())
    }

    /// Adds a proved constraint, and propagates its consequences.
    fn derive(&mut self, sum: &Sum) -> Result<(), Why> {
        self.checked.additions += 1;
        self.push(sum)?;
        let last = self.constraints.len() - 1;
        self.refuted = self.refuted || !self.settle(last) || !self.propagate();
        Ok(())
    }

    fn push(&mut self, sum: &Sum) -> Result<(), Why> {
        let index = u32::try_from(self.constraints.len()).map_err(|_| Why::OVERFLOW)?;
        let first = self.terms.len();
        let mut slack = sum.degree().checked_neg().ok_or(Why::OVERFLOW)?;
        let mut greatest = 0;
        for (literal, coefficient) in sum.terms() {
            let coefficient = u32::try_from(coefficient).map_err(|_| Why::OVERFLOW)?;
            greatest = greatest.max(coefficient);
            self.terms.push((literal, coefficient));
        }
        for &(literal, coefficient) in &self.terms[first..] {
            self.with[literal.index()].push((index, coefficient));
            // The slack counts the coefficients of all literals except false ones that have been propagated. The
            // coefficients of other false literals are subtracted when they are propagated.
            if !self.told[(!literal).index()] {
                slack = slack.checked_add(coefficient.into()).ok_or(Why::OVERFLOW)?;
            }
        }
        self.constraints.push(Constraint {
            first,
            len: sum.len() as u32,
            greatest,
            degree: sum.degree(),
            slack,
            there: true,
        });
        Ok(())
    }

    /// Marks a constraint as deleted, and removes it from the lists of its literals.
    fn remove(&mut self, index: usize) {
        let constraint = self.constraints[index];
        let terms = constraint.first..constraint.first + constraint.len as usize;
        for &(literal, _) in &self.terms[terms] {
            let with = &mut self.with[literal.index()];
            // Search from the end, because constraints are often deleted in the opposite order of their addition.
            if let Some(place) = with.iter().rposition(|with| with.0 as usize == index) {
                with.swap_remove(place);
            }
        }
        self.constraints[index].there = false;
    }

    fn settle_all(&mut self) {
        for index in 0..self.constraints.len() {
            self.refuted = self.refuted || !self.settle(index);
        }
        self.refuted = self.refuted || !self.propagate();
    }

    /// Assigns true to all literals without which the constraint could not hold. Returns false if the constraint cannot
    /// hold under the current assignment.
    fn settle(&mut self, index: usize) -> bool {
        let constraint = self.constraints[index];
        if constraint.slack >= i64::from(constraint.greatest) {
            return true;
        }
        if constraint.slack < 0 {
            return false;
        }
        let terms = constraint.first..constraint.first + constraint.len as usize;
        for &(literal, coefficient) in &self.terms[terms] {
            let open = !self.holds[literal.index()] && !self.holds[(!literal).index()];
            if open && i64::from(coefficient) > constraint.slack {
                self.holds[literal.index()] = true;
                self.trail.push(literal);
            }
        }
        true
    }

    /// Propagates until nothing more follows. Returns false if a constraint cannot hold under the current assignment.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.known) {
            self.known += 1;
            self.checked.propagations += 1;
            self.told[literal.index()] = true;
            let with = std::mem::take(&mut self.with[(!literal).index()]);
            for &(index, coefficient) in &with {
                self.constraints[index as usize].slack -= i64::from(coefficient);
            }
            let holds = with.iter().all(|&(index, _)| self.settle(index as usize));
            self.with[(!literal).index()] = with;
            if !holds {
                return false;
            }
        }
        true
    }

    /// Undoes the assignments on the trail, except the first `before`.
    fn undo(&mut self, before: usize) {
        while self.trail.len() > before {
            let Some(literal) = self.trail.pop() else {
                break;
            };
            self.holds[literal.index()] = false;
            if self.trail.len() >= self.known {
                continue;
            }
            self.known = self.trail.len();
            self.told[literal.index()] = false;
            for &(index, coefficient) in &self.with[(!literal).index()] {
                self.constraints[index as usize].slack += i64::from(coefficient);
            }
        }
    }
}

/// First line of every proof.
const HEAD: &str = "pseudo-Boolean proof version 3.0";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read_dimacs;

    fn checker(formula: &str) -> CuttingPlanes {
        let mut checker = CuttingPlanes::default();
        read_dimacs(formula.as_bytes(), &mut checker).unwrap();
        checker
    }

    fn check(formula: &str, steps: &str) -> Result<Checked, Unproved> {
        let proof = format!("{HEAD}\n% about this; or that\n{steps}");
        checker(formula).check(proof.as_bytes(), &|| false)
    }

    fn why(formula: &str, steps: &str) -> Why {
        match check(formula, steps) {
            Err(Unproved::Rejected(Rejected::Step { why, .. })) => why,
            other => panic!("{other:?}"),
        }
    }

    /// Pigeonhole formula for three pigeons and two holes. The first pigeon has the variables x1 and x2, the second x3
    /// and x4, the third x5 and x6.
    const PIGEONS: &str = "p cnf 6 9\n1 2 0\n3 4 0\n5 6 0\n-1 -3 0\n-1 -5 0\n-3 -5 0\n-2 -4 0\n-2 -6 0\n-4 -6 0\n";

    #[test]
    fn pigeons_are_counted() {
        let holes = "f 9;\npol 4 5 + 6 + 2 d;\npol 7 8 + 9 + 2 d;\n";
        let end = "output NONE;\nconclusion UNSAT : 12;\nend pseudo-Boolean proof;\n";
        let checked = check(PIGEONS, &format!("{holes}pol 1 2 + 3 + 10 + 11 +;\n{end}")).unwrap();
        assert_eq!((checked.additions, checked.steps), (3, 6));
        let less = format!("{holes}pol 1 2 + 10 + 11 +;\n{end}");
        assert_eq!(why(PIGEONS, &less), no_contradiction());
        let without = format!("{holes}del id 3;\npol 1 2 + 3 + 10 + 11 +;\n{end}");
        assert_eq!(why(PIGEONS, &without), Why::no_clause(3));
        // Unit propagation alone does not refute the formula.
        assert_eq!(why(PIGEONS, "rup >= 1;\n"), Why::new(NOT_IMPLIED));
        assert!(check(PIGEONS, "rup 1 x1 >= 1;\n rup\n>= 1 ;conclusion UNSAT;").is_ok());
        assert!(matches!(
            check(PIGEONS, &format!("{holes}\n")),
            Err(Unproved::Rejected(Rejected::NoEmptyClause { steps: 3 }))
        ));
    }

    #[test]
    fn what_a_proof_does_is_counted() {
        let formula = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";
        let steps = "red 1 x3 >= 1 : x3 -> 1;red 1 x4 >= 1 : x4 -> 1;del id 5;del id 6;\
                     rup 1 x1 >= 1;rup >= 1;conclusion UNSAT;";
        let done = check(formula, steps).unwrap();
        assert_eq!((done.extensions, done.deletions, done.additions), (2, 2, 4));
    }

    #[test]
    fn the_sum_is_brought_to_its_normal_form() {
        // In the last case, 2 x1 + 1 x1 − 1 x2 ≥ 0 becomes 3 x1 + ¬x2 ≥ 1.
        let formula = "p cnf 2 1\n1 -2 0\n";
        let is = |steps: &str| {
            let mut checker = checker(formula);
            for step in steps.split(';') {
                checker.step(step, 1).unwrap();
            }
            let last = checker.sum(checker.constraints.len() - 1).unwrap();
            let terms = last.terms().map(|(literal, c)| (literal.0, c));
            (terms.collect::<Vec<_>>(), last.degree())
        };
        assert_eq!(is("pol 1 3 *"), (vec![(0, 3), (3, 3)], 3));
        assert_eq!(is("pol 1 3 * 2 d"), (vec![(0, 2), (3, 2)], 2));
        assert_eq!(is("pol 1 3 * x2 +"), (vec![(0, 3), (3, 2)], 2));
        assert_eq!(is("pol 1 3 * x2 2 * + s"), (vec![(0, 1), (3, 1)], 1));
        assert_eq!(is("pol 1 ~x1 + x2 +"), (vec![], -1));
        assert_eq!(is("rup 2 x1 -1 x2 1 x1 >= 0"), (vec![(0, 3), (3, 1)], 1));
    }

    #[test]
    fn what_is_no_proof_is_said() {
        let formula = "p cnf 2 2\n1 2 0\n-1 2 0\n";
        for (steps, expected) in [
            ("f 3;", Why::new("announces a formula with 3 constraints, but the formula has 2")),
            ("a >= 1;", unknown("a")),
            ("pol 1 +;", unknown("+")),
            ("pol 1 2;", Why::TRUNCATED),
            ("pol;", Why::TRUNCATED),
            ("pol 1 0 d;", unknown("0")),
            ("pol 3;", Why::no_clause(3)),
            ("pol 0;", Why::no_clause(0)),
            ("del id 1;pol 1;", Why::no_clause(1)),
            ("rup 1 y1 >= 1;", unknown("y1")),
            ("rup 1 x0 >= 1;", unknown("x0")),
            ("rup 1 x1;", Why::TRUNCATED),
            ("rup 1 x1 >= 1 1;", unknown("1")),
            ("rup 1 x1 >= 1;", Why::new(NOT_IMPLIED)),
            ("red 1 ~x2 >= 1 : x2 -> 0;", Why::new(NOT_IMPLIED)),
            ("red 1 x3 1 x1 >= 1 : x3 -> 0;", Why::new(WITNESS)),
            ("rup 1 x2 >= 1;red 1 ~x2 1 x1 >= 1 : x2 -> 0;", Why::new(WITNESS)),
            ("conclusion UNSAT;", no_contradiction()),
            ("conclusion UNSAT : 1;", no_contradiction()),
            ("pol 1 9223372036854775807 * 2 *;", Why::OVERFLOW),
            ("pol 1 5000000000 *;", Why::OVERFLOW),
            ("rup 1 x1 >= -9223372036854775808;", Why::OVERFLOW),
        ] {
            assert_eq!(why(formula, steps), expected, "{steps}");
        }
        let other = checker(formula).check(&b"pseudo-Boolean proof version 2.0\n"[..], &|| false);
        assert!(matches!(other, Err(Unproved::Rejected(_))));
    }

    #[test]
    fn a_variable_is_defined_and_stays_so() {
        let formula = "p cnf 2 1\n1 2 0\n";
        let defined =
            "red 1 ~x3 1 ~x1 >= 1 : x3 -> 0;red 1 ~x3 1 ~x2 >= 1 : x3 -> 0;red 1 x3 1 x1 1 x2 >= 1 : x3 -> 1;";
        assert!(matches!(check(formula, defined), Err(Unproved::Rejected(Rejected::NoEmptyClause { steps: 3 }))));
        let other = format!("{defined}red 1 x3 >= 1 : x3 -> 1;");
        assert_eq!(why(formula, &other), Why::new(NOT_IMPLIED));
    }

    /// Returns a proof step that is determined by five random numbers. The checker rejects most of these steps.
    fn step(numbers: &[u32]) -> String {
        let [kind, a, b, c, d] = [0, 1, 2, 3, 4].map(|k| numbers[k]);
        let literal = |n: u32| format!("{}x{}", if n.is_multiple_of(2) { "" } else { "~" }, n / 2 % 5 + 1);
        let (one, other, third) = (literal(a), literal(b), literal(c));
        let degree = d % 3;
        match kind % 6 {
            0 => format!("rup 1 {one} 1 {other} 2 {third} >= {degree}"),
            1 => format!("rup 1 {one} 1 {other} >= 1"),
            2 => format!("pol {} {} + {} * {} d", a % 9 + 1, b % 9 + 1, c % 3 + 1, d % 3 + 1),
            3 => format!("pol {} {one} + {} + s", b % 9 + 1, c % 9 + 1),
            4 => {
                let value = u32::from(!one.starts_with('~'));
                format!("red 1 {one} 1 {other} >= 1 : {} -> {value}", one.trim_start_matches('~'))
            }
            _ => format!("del id {}", a % 9 + 1),
        }
    }

    /// Returns the assignments that satisfy all present constraints and all literals on the trail. Bit k of an
    /// assignment is the value of variable k.
    fn models(checker: &CuttingPlanes) -> Vec<u32> {
        // A recorded contradiction remains even if constraints are deleted.
        if checker.refuted {
            return Vec::new();
        }
        let holds = |literal: Literal, model: u32| (model >> (literal.0 / 2) & 1 == 1) == literal.0.is_multiple_of(2);
        let satisfies = |constraint: &Constraint, model: u32| {
            let terms = checker.terms_of(*constraint).iter();
            let reached: i64 = terms.filter(|term| holds(term.0, model)).map(|term| i64::from(term.1)).sum();
            reached >= constraint.degree
        };
        let there = || checker.constraints.iter().filter(|constraint| constraint.there);
        let all = (0u32..32).filter(|&model| {
            there().all(|constraint| satisfies(constraint, model))
                && checker.trail.iter().all(|&literal| holds(literal, model))
        });
        all.collect()
    }

    proptest! {
        /// Tests that accepted steps are correct. A derived constraint holds in all models of the present constraints.
        /// A `red` step does not make the constraints unsatisfiable.
        #[test]
        fn nothing_wrong_is_accepted(
            clauses in proptest::collection::vec(proptest::collection::vec((1..=5i32, any::<bool>()), 1..4), 1..12),
            steps in proptest::collection::vec(proptest::collection::vec(any::<u32>(), 5), 0..60),
        ) {
            let mut formula = format!("p cnf 5 {}\n", clauses.len());
            for clause in &clauses {
                for &(variable, negative) in clause {
                    formula += &format!("{} ", if negative { -variable } else { variable });
                }
                formula += "0\n";
            }
            let mut checker = checker(&formula);
            checker.settle_all();
            // Add all five variables to the checker, which numbers them in the order of their first occurrence.
            let _: Vec<_> = (1..=5).map(|v| checker.literal(v)).collect();
            let satisfiable = !models(&checker).is_empty();
            for numbers in &steps {
                let text = step(numbers);
                let (before, constraints) = (models(&checker), checker.constraints.len());
                if checker.step(&text, clauses.len()).is_err() {
                    continue;
                }
                let after = models(&checker);
                match &text[..3] {
                    "red" => prop_assert_eq!(after.is_empty(), before.is_empty(), "{}", text),
                    "del" => prop_assert!(before.iter().all(|model| after.contains(model))),
                    _ => {
                        prop_assert_eq!(checker.constraints.len(), constraints + 1);
                        prop_assert_eq!(after, before, "{}", text);
                    }
                }
            }
            let concludes = checker.step("conclusion UNSAT", clauses.len()).is_ok();
            prop_assert!(!(concludes && satisfiable));
            // The slacks that were updated incrementally must equal the slacks computed from scratch.
            for constraint in checker.constraints.iter().filter(|c| c.there && !checker.refuted) {
                let open = checker.terms_of(*constraint).iter();
                let open = open.filter(|(literal, _)| !checker.holds[(!*literal).index()]);
                let all: i64 = open.map(|&(_, c)| i64::from(c)).sum();
                prop_assert_eq!(constraint.slack, all - constraint.degree);
            }
        }
    }
}
