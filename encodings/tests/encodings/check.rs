//! Tests of the proof checkers on the proofs of a small solver. The verdicts of the checkers are compared with those of
//! a checker that follows the definitions, and with a brute-force solution of the formulas.

use std::cell::Cell;
use std::io::{self, Read};

use hamcnf_check::{Checked, Drat, Lrat, Rejected, Syntax, Unproved, Why};
use hamcnf_tours::ClauseSink;
use proptest::prelude::*;
use proptest::sample::Index;
use rustsat::types::Lit;

type Clause = Vec<i32>;

/// Step of a DRAT or LRAT proof. Only LRAT uses the clause numbers and the hints.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    Add(i64, Clause, Vec<i64>),
    Delete(i64, Clause),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Drat(Syntax),
    Lrat(Syntax),
}

const FORMATS: [Format; 4] = [
    Format::Drat(Syntax::Text),
    Format::Drat(Syntax::Binary),
    Format::Lrat(Syntax::Text),
    Format::Lrat(Syntax::Binary),
];

fn stream(formula: &[Clause], out: &mut impl ClauseSink) {
    for clause in formula {
        let literals: Vec<_> = (clause.iter()).map(|&literal| Lit::from_ipasir(literal).unwrap()).collect();
        out.clause(&literals);
    }
}

fn check_until(
    formula: &[Clause],
    proof: impl Read,
    format: Format,
    stop: &dyn Fn() -> bool,
) -> Result<Checked, Unproved> {
    match format {
        Format::Drat(syntax) => {
            let mut checker = Drat::default();
            stream(formula, &mut checker);
            checker.check(proof, syntax, stop)
        }
        Format::Lrat(syntax) => {
            let mut checker = Lrat::default();
            stream(formula, &mut checker);
            checker.check(proof, syntax, stop)
        }
    }
}

fn check(formula: &[Clause], proof: &[u8], format: Format) -> Result<Checked, Unproved> {
    check_until(formula, proof, format, &|| false)
}

fn varint(number: i64, out: &mut Vec<u8>) {
    let mut code = 2 * number.unsigned_abs() + u64::from(number < 0);
    while code >= 0x80 {
        out.push(code as u8 | 0x80);
        code >>= 7;
    }
    out.push(code as u8);
}

fn write(steps: &[Step], format: Format) -> Vec<u8> {
    let mut out = Vec::new();
    for step in steps {
        let (begin, numbers): (_, Vec<i64>) = match (format, step) {
            (Format::Drat(_), Step::Add(_, clause, _)) => (b'a', clause.iter().map(|&l| l.into()).chain([0]).collect()),
            (Format::Drat(_), Step::Delete(_, clause)) => (b'd', clause.iter().map(|&l| l.into()).chain([0]).collect()),
            (Format::Lrat(_), Step::Add(id, clause, hints)) => {
                let literals = clause.iter().map(|&l| l.into());
                let numbers = [*id].into_iter().chain(literals).chain([0]);
                (b'a', numbers.chain(hints.iter().copied()).chain([0]).collect())
            }
            (Format::Lrat(_), Step::Delete(id, _)) => (b'd', vec![*id, 0]),
        };
        match format {
            Format::Drat(Syntax::Binary) | Format::Lrat(Syntax::Binary) => {
                out.push(begin);
                for number in numbers {
                    varint(number, &mut out);
                }
            }
            Format::Drat(Syntax::Text) | Format::Lrat(Syntax::Text) => {
                if begin == b'd' {
                    let number = matches!(format, Format::Lrat(_));
                    out.extend_from_slice(if number { b"1 d " } else { b"d " });
                }
                let words: Vec<_> = numbers.iter().map(i64::to_string).collect();
                out.extend_from_slice(words.join(" ").as_bytes());
                out.push(b'\n');
            }
        }
    }
    out
}

/// True if some assignment satisfies all clauses.
fn satisfiable(formula: &[Clause]) -> bool {
    let n = formula.iter().flatten().map(|l| l.unsigned_abs()).max();
    let variables = |clause: &Clause, sign: i32| {
        clause.iter().filter(|l| l.signum() == sign).fold(0, |all, l| all | 1_u32 << (l.unsigned_abs() - 1))
    };
    let clauses: Vec<_> = formula.iter().map(|clause| (variables(clause, 1), variables(clause, -1))).collect();
    (0..1 << n.unwrap_or(0)).any(|values| clauses.iter().all(|(yes, no)| values & yes | !values & no != 0))
}

/// Set of literals of 64 variables, with one bit for each literal.
type Set = u128;

fn set(literals: &[i32]) -> Set {
    literals.iter().fold(0, |set, &l| set | 1 << (2 * (l.unsigned_abs() - 1) + u32::from(l < 0)))
}

/// Returns the negations of the literals of a set.
fn negated(set: Set) -> Set {
    const POSITIVE: Set = Set::MAX / 3;
    (set & POSITIVE) << 1 | set >> 1 & POSITIVE
}

/// Propagates unit clauses and the assumed literals, until nothing changes or there is a contradiction. Returns the
/// true literals, the numbers of the clauses used, and true if there is a contradiction.
fn propagate(clauses: &[(i64, Set)], assumed: Set) -> (Set, Vec<i64>, bool) {
    let (mut holds, mut used, mut found) = (assumed, Vec::new(), true);
    if holds & negated(holds) != 0 {
        return (holds, used, true);
    }
    while std::mem::take(&mut found) {
        for &(id, clause) in clauses {
            let open = clause & !negated(holds);
            if clause & holds == 0 && open & open.wrapping_sub(1) == 0 {
                used.push(id);
                found = true;
                holds |= open;
                if open == 0 {
                    return (holds, used, true);
                }
            }
        }
    }
    (holds, used, false)
}

/// Solver that writes proofs. It branches on variables, and each refuted branch adds a clause to the proof.
struct Solver {
    clauses: Vec<Clause>,
    /// Number and literals of each clause.
    sets: Vec<(i64, Set)>,
    last: i64,
    steps: Vec<Step>,
}

impl Solver {
    /// Derives clauses that refute the decisions, and returns true. Returns false if the formula has a model under the
    /// decisions.
    fn close(&mut self, decisions: &mut Vec<i32>) -> bool {
        let (holds, used, contradiction) = propagate(&self.sets, set(decisions));
        if contradiction {
            self.last += 1;
            let clause: Clause = decisions.iter().map(|l| -l).collect();
            self.sets.push((self.last, set(&clause)));
            self.steps.push(Step::Add(self.last, clause.clone(), used));
            self.clauses.push(clause);
            return true;
        }
        let is_open = |&&l: &&i32| set(&[l, -l]) & holds == 0;
        let Some(&literal) = self.clauses.iter().flatten().find(is_open) else {
            return false;
        };
        let before = self.clauses.len();
        for literal in [literal, -literal] {
            decisions.push(literal);
            let closed = self.close(decisions);
            decisions.pop();
            if !closed {
                return false;
            }
        }
        // The clause of this branch can be derived now. After this, the clauses of its subtrees are no longer needed.
        assert!(self.close(decisions));
        if decisions.is_empty() {
            return true;
        }
        let last = self.clauses.len() - 1;
        let deleted = self.sets.drain(before..last).zip(self.clauses.drain(before..last));
        self.steps.extend(deleted.map(|((id, _), clause)| Step::Delete(id, clause)));
        true
    }
}

/// Returns a proof that a formula is unsatisfiable; `None` if it has a model.
fn refute(formula: &[Clause]) -> Option<Vec<Step>> {
    refute_after(formula, formula.len() as i64)
}

/// Returns a proof like [`refute`], with clause numbers above `last`.
fn refute_after(formula: &[Clause], last: i64) -> Option<Vec<Step>> {
    let sets = (1..).zip(formula.iter().map(|clause| set(clause))).collect();
    let mut solver = Solver { clauses: formula.to_vec(), sets, last, steps: Vec::new() };
    solver.close(&mut Vec::new()).then_some(solver.steps)
}

/// Checks a DRAT proof directly by the definition of DRAT. The error is the number of the first wrong step, counted
/// from 1, or `None` if the empty clause is missing. Deletions of clauses with a literal that unit propagation makes
/// true are ignored.
fn by_definition(formula: &[Clause], steps: &[Step]) -> Result<(), Option<u64>> {
    let clauses_of_steps = steps.iter().map(|(Step::Add(_, clause, _) | Step::Delete(_, clause))| clause);
    let mut variables: Vec<u32> = formula.iter().chain(clauses_of_steps).flatten().map(|l| l.unsigned_abs()).collect();
    variables.sort_unstable();
    variables.dedup();
    // The variables of a proof may be too large for a set.
    let renumbered = |l: &i32| (variables.partition_point(|&v| v < l.unsigned_abs()) as i32 + 1) * l.signum();
    let set = |clause: &[i32]| set(&clause.iter().map(renumbered).collect::<Clause>());
    let mut clauses: Vec<(i64, Set)> = formula.iter().map(|clause| (0, set(clause))).collect();
    let mut refuted = false;
    for (number, step) in (1..).zip(steps) {
        let (holds, _, contradiction) = propagate(&clauses, 0);
        refuted |= contradiction;
        match step {
            Step::Add(_, literals, _) => {
                let clause = set(literals);
                let follows = |assumed| propagate(&clauses, assumed).2;
                let rat = || {
                    literals.first().is_some_and(|&pivot| {
                        let (pivot, opposite) = (set(&[pivot]), set(&[-pivot]));
                        let mut with = clauses.iter().filter(|(_, other)| other & opposite != 0);
                        with.all(|(_, other)| {
                            other & pivot != 0 || follows(negated(clause) | negated(other & !opposite))
                        })
                    })
                };
                if !refuted && !follows(negated(clause)) && !rat() {
                    return Err(Some(number));
                }
                if literals.is_empty() {
                    return Ok(());
                }
                clauses.push((0, clause));
            }
            Step::Delete(_, clause) => {
                let clause = set(clause);
                let found = clauses.iter().position(|&(_, other)| other == clause);
                if let Some(found) = found.filter(|_| clause & holds == 0) {
                    clauses.remove(found);
                }
            }
        }
    }
    Err(None)
}

/// Parses a proof in the format of [`write`]. The bytes may have been modified. Returns `None` if the proof is
/// malformed.
fn read(bytes: &[u8], format: Format) -> Option<Vec<Step>> {
    let (binary, lrat) = match format {
        Format::Drat(syntax) => (syntax == Syntax::Binary, false),
        Format::Lrat(syntax) => (syntax == Syntax::Binary, true),
    };
    // `d` and `a` become numbers that occur in no file.
    const ADD: i64 = i64::MAX;
    const DELETE: i64 = i64::MAX - 1;
    let mut words = Vec::new();
    if binary {
        let (mut at, mut begins) = (0, true);
        let mut zeros = 0;
        while at < bytes.len() {
            if begins {
                words.push(if bytes[at] == b'a' { ADD } else { DELETE });
                zeros = if lrat && bytes[at] == b'a' { 2 } else { 1 };
                (at, begins) = (at + 1, false);
                continue;
            }
            let mut code = 0_u128;
            let mut shift = 0;
            loop {
                let byte = *bytes.get(at)?;
                at += 1;
                code |= u128::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            let number = i64::try_from(code >> 1).ok()?;
            words.push(if code & 1 == 1 { -number } else { number });
            zeros -= i32::from(number == 0);
            begins = zeros == 0;
        }
    } else {
        for line in std::str::from_utf8(bytes).ok()?.lines() {
            if line.trim_start().starts_with('c') {
                continue;
            }
            for word in line.split_ascii_whitespace() {
                words.push(if word == "d" { DELETE } else { word.parse().ok()? });
            }
        }
    }
    let mut words = words.into_iter().peekable();
    let mut steps = Vec::new();
    while let Some(&first) = words.peek() {
        let mut id = 0;
        let mut delete = first == DELETE;
        if first == ADD || delete {
            words.next();
        }
        if lrat && !(binary && delete) {
            id = words.next()?;
        }
        if lrat && !binary && words.peek() == Some(&DELETE) {
            delete = true;
            words.next();
        }
        let mut until_zero = || {
            let numbers: Vec<i64> = words.by_ref().take_while(|&n| n != 0).collect();
            numbers
        };
        let clause = |numbers: Vec<i64>| numbers.into_iter().map(|n| i32::try_from(n).ok()).collect::<Option<Clause>>();
        match (lrat, delete) {
            (false, false) => steps.push(Step::Add(0, clause(until_zero())?, Vec::new())),
            (false, true) => steps.push(Step::Delete(0, clause(until_zero())?)),
            (true, false) => {
                let literals = clause(until_zero())?;
                steps.push(Step::Add(id, literals, until_zero()));
            }
            (true, true) => {
                let deleted = until_zero().into_iter();
                steps.extend(deleted.map(|id| Step::Delete(id, Vec::new())));
            }
        }
    }
    Some(steps)
}

/// Returns a formula that is minimally unsatisfiable, and a proof with a new variable, deletions, and a RAT step that
/// resolves with clauses of the formula.
fn example() -> (Vec<Clause>, Vec<Step>) {
    let formula = vec![
        vec![1, 2, -3],
        vec![-1, -2, 3],
        vec![2, 3, -4],
        vec![-2, -3, 4],
        vec![1, 3, 4],
        vec![-1, -3, -4],
        vec![-1, 2, 4],
        vec![1, -2, -4],
    ];
    let steps = vec![
        // Defines the new variable 5 as the conjunction of the variables 1 and 2.
        Step::Add(9, vec![5, -1, -2], vec![]),
        Step::Add(10, vec![-5, 1], vec![-9]),
        Step::Add(11, vec![-5, 2], vec![-9]),
        Step::Add(12, vec![-5, 3], vec![10, 11, 2]),
        Step::Add(13, vec![-5], vec![12, 10, 11, 6, 4]),
        Step::Delete(12, vec![-5, 3]),
        Step::Delete(9, vec![5, -1, -2]),
        Step::Delete(10, vec![-5, 1]),
        // This RAT step does not follow by unit propagation. It has hints for each clause that contains 1.
        Step::Add(14, vec![-1], vec![-1, 7, 6, -5, 7, 2, -8, 2, 6]),
        Step::Add(15, vec![2], vec![14, 1, 5, 3]),
        Step::Add(16, vec![], vec![14, 15, 8, 5, 4]),
    ];
    (formula, steps)
}

#[test]
fn the_example_is_what_it_says() {
    let (formula, steps) = example();
    assert!(!satisfiable(&formula));
    for left_out in 0..formula.len() {
        let mut less = formula.clone();
        less.remove(left_out);
        assert!(satisfiable(&less));
    }
    assert_eq!(by_definition(&formula, &steps), Ok(()));
    for format in FORMATS {
        let proof = write(&steps, format);
        assert_eq!(read(&proof, format).unwrap().len(), steps.len());
        let checked = check(&formula, &proof, format).unwrap();
        assert_eq!((checked.steps, checked.additions, checked.deletions), (11, 8, 3));
        // Some RAT steps of the LRAT proof would also follow by unit propagation.
        let extensions = if matches!(format, Format::Drat(_)) { 2 } else { 4 };
        assert_eq!((checked.extensions, checked.missing, checked.kept), (extensions, 0, 0));
        let begins = match format {
            Format::Drat(syntax) | Format::Lrat(syntax) => syntax,
        };
        assert_eq!(Syntax::of(&proof), begins);
        assert_eq!(Syntax::of(&proof[..20]), begins);
    }
}

/// Checks that an accepted proof is also correct by the definition of DRAT. The hints of an LRAT proof are ignored.
fn right(formula: &[Clause], proof: &[u8], format: Format) {
    let mut steps = read(proof, format).unwrap_or_else(|| panic!("{format:?} {proof:?}"));
    if let Format::Lrat(_) = format {
        let mut clauses: std::collections::HashMap<i64, Clause> = (1..).zip(formula.iter().cloned()).collect();
        for step in &mut steps {
            match step {
                Step::Add(id, clause, _) => {
                    clauses.insert(*id, clause.clone());
                }
                Step::Delete(id, clause) => *clause = clauses.remove(id).unwrap_or(vec![1, -1]),
            }
        }
    }
    assert_eq!(by_definition(formula, &steps), Ok(()), "{format:?} {steps:?}");
}

/// Returns variants of the example with one change each: a literal or hint is replaced or left out, a number is
/// replaced, or a step is left out or repeated.
fn tampered(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    let mut with = |at: usize, to: &[Step]| {
        let mut changed = steps.to_vec();
        changed.splice(at..=at, to.iter().cloned());
        all.push(changed);
    };
    for (at, step) in steps.iter().enumerate() {
        with(at, &[]);
        with(at, &[step.clone(), step.clone()]);
        let (id, clause, hints) = match step {
            Step::Add(id, clause, hints) => (*id, clause, hints.as_slice()),
            Step::Delete(id, clause) => (*id, clause, [].as_slice()),
        };
        let adds = matches!(step, Step::Add(..));
        let make = |id, clause: Clause, hints: Vec<i64>| match adds {
            true => Step::Add(id, clause, hints),
            false => Step::Delete(id, clause),
        };
        for other in -1..=20 {
            with(at, &[make(other, clause.clone(), hints.to_vec())]);
        }
        for place in 0..=clause.len() {
            let mut less = clause.clone();
            if place < clause.len() {
                less.remove(place);
                with(at, &[make(id, less.clone(), hints.to_vec())]);
            }
            for literal in (-6..=6).filter(|&literal| literal != 0) {
                let mut changed = less.clone();
                changed.insert(place, literal);
                with(at, &[make(id, changed, hints.to_vec())]);
            }
        }
        for place in 0..=hints.len() {
            let mut less = hints.to_vec();
            if place < hints.len() {
                less.remove(place);
                with(at, &[make(id, clause.clone(), less.clone())]);
            }
            for hint in (-18..=18).filter(|&hint| hint != 0) {
                let mut changed = less.clone();
                changed.insert(place, hint);
                with(at, &[make(id, clause.clone(), changed)]);
            }
        }
    }
    all
}

#[test]
fn of_an_example_every_step_tampered_with_is_rejected_or_harmless() {
    let (formula, steps) = example();
    for format in FORMATS {
        let (mut accepted, mut rejected) = (0, 0);
        for changed in tampered(&steps) {
            let proof = write(&changed, format);
            match check(&formula, &proof, format) {
                Ok(_) => {
                    accepted += 1;
                    right(&formula, &proof, format);
                }
                Err(Unproved::Rejected(_)) => {
                    rejected += 1;
                    if let Format::Drat(_) = format {
                        assert!(by_definition(&formula, &changed).is_err());
                    }
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert!(accepted > 50 && rejected > 50, "{accepted} {rejected}");
    }
}

#[test]
fn of_an_example_every_byte_changed_is_rejected_or_harmless() {
    let (formula, steps) = example();
    for format in FORMATS {
        let proof = write(&steps, format);
        let (mut accepted, mut rejected) = (0, 0);
        for at in 0..proof.len() {
            for byte in 0..=255 {
                let mut changed = proof.clone();
                changed[at] = byte;
                match check(&formula, &changed, format) {
                    Ok(checked) => {
                        accepted += 1;
                        // The steps after the empty clause are not read.
                        if checked.steps == steps.len() as u64 {
                            right(&formula, &changed, format);
                        }
                    }
                    Err(Unproved::Rejected(_)) => rejected += 1,
                    Err(other) => panic!("{other}"),
                }
            }
        }
        assert!(accepted > 100 && rejected > 1000, "{format:?} {accepted} {rejected}");
    }
}

#[test]
fn a_proof_that_is_cut_off_anywhere_is_rejected() {
    let (formula, steps) = example();
    for format in FORMATS {
        let proof = write(&steps, format);
        let end = proof.trim_ascii_end().len();
        for length in 0..proof.len() {
            let result = check(&formula, &proof[..length], format);
            // Without the last line break the proof is still complete.
            match result {
                Ok(_) => assert_eq!(length, end, "{format:?}"),
                Err(Unproved::Rejected(Rejected::Step { why, .. })) => {
                    assert_eq!(why, Why::TRUNCATED, "{format:?} {length}");
                }
                Err(Unproved::Rejected(Rejected::NoEmptyClause { .. })) => {}
                Err(other) => panic!("{other}"),
            }
        }
    }
}

#[test]
fn with_any_literal_of_the_formula_changed_the_example_is_rejected_or_harmless() {
    let (formula, steps) = example();
    for format in FORMATS {
        let proof = write(&steps, format);
        let (mut models, mut accepted) = (0, 0);
        for clause in 0..formula.len() {
            for place in 0..formula[clause].len() {
                for literal in -5..=5 {
                    let mut changed = formula.clone();
                    match literal {
                        0 => drop(changed[clause].remove(place)),
                        _ => changed[clause][place] = literal,
                    }
                    models += i32::from(satisfiable(&changed));
                    if check(&changed, &proof, format).is_ok() {
                        accepted += 1;
                        assert!(!satisfiable(&changed), "{changed:?}");
                    }
                }
            }
        }
        assert!(models > 100 && accepted > 20, "{models} {accepted}");
    }
}

fn clauses(variables: i32, longest: usize, number: usize) -> impl Strategy<Value = Vec<Clause>> {
    let literal = (1..=variables, any::<bool>()).prop_map(|(v, sign)| if sign { v } else { -v });
    prop::collection::vec(prop::collection::vec(literal, 1..=longest), 0..=number)
}

/// Change to a proof or to its formula.
#[derive(Clone, Debug)]
enum Change {
    Drop(Index),
    Literal(Index, Index, i32),
    Remove(Index, Index),
    Hint(Index, Index, i64),
    Swap(Index, Index),
    Formula(Index, Index, i32),
    Insert(Index, Clause),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    let literal = || prop::sample::select(vec![-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6]);
    prop_oneof![
        at().prop_map(Change::Drop),
        (at(), at(), literal()).prop_map(|(a, b, l)| Change::Literal(a, b, l)),
        (at(), at()).prop_map(|(a, b)| Change::Remove(a, b)),
        (at(), at(), -30_i64..30).prop_map(|(a, b, h)| Change::Hint(a, b, h)),
        (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        (at(), at(), literal()).prop_map(|(a, b, l)| Change::Formula(a, b, l)),
        (at(), prop::collection::vec(literal(), 0..4)).prop_map(|(a, c)| Change::Insert(a, c)),
    ]
}

fn apply(change: &Change, formula: &mut [Clause], steps: &mut Vec<Step>) {
    fn clause(step: &mut Step) -> &mut Clause {
        match step {
            Step::Add(_, clause, _) | Step::Delete(_, clause) => clause,
        }
    }
    if steps.is_empty() {
        return;
    }
    match change {
        Change::Drop(at) => drop(steps.remove(at.index(steps.len()))),
        Change::Literal(at, place, literal) => {
            let clause = clause(at.get_mut(steps));
            if !clause.is_empty() {
                *place.get_mut(clause) = *literal;
            }
        }
        Change::Remove(at, place) => {
            let clause = clause(at.get_mut(steps));
            if !clause.is_empty() {
                clause.remove(place.index(clause.len()));
            }
        }
        Change::Hint(at, place, hint) => {
            if let Step::Add(_, _, hints) = at.get_mut(steps) {
                let place = place.index(hints.len() + 1);
                hints.splice(place..hints.len().min(place + 1), [*hint].into_iter().filter(|&h| h != 0));
            }
        }
        Change::Swap(a, b) => {
            let (a, b) = (a.index(steps.len()), b.index(steps.len()));
            steps.swap(a, b);
        }
        Change::Formula(at, place, literal) => {
            if !formula.is_empty() {
                let clause = at.get_mut(formula);
                if !clause.is_empty() {
                    *place.get_mut(clause) = *literal;
                }
            }
        }
        Change::Insert(at, clause) => {
            let at = at.index(steps.len());
            steps.insert(at, Step::Add(0, clause.clone(), Vec::new()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn what_a_solver_proves_is_accepted(formula in clauses(5, 3, 40)) {
        let steps = refute(&formula);
        prop_assert_eq!(steps.is_some(), !satisfiable(&formula));
        for format in FORMATS {
            if let Some(steps) = &steps {
                let checked = check(&formula, &write(steps, format), format).unwrap();
                prop_assert_eq!(checked.steps, steps.len() as u64);
                prop_assert_eq!(checked.extensions, 0);
            }
        }
    }

    #[test]
    fn nothing_is_proved_of_a_satisfiable_formula(
        formula in clauses(5, 3, 30), changes in prop::collection::vec(change(), 1..5),
    ) {
        let mut formula = formula;
        if let Some(mut steps) = refute(&formula) {
            for change in &changes {
                apply(change, &mut formula, &mut steps);
            }
            for format in FORMATS {
                let proof = write(&steps, format);
                if check(&formula, &proof, format).is_ok() {
                    prop_assert!(!satisfiable(&formula));
                    right(&formula, &proof, format);
                }
            }
        }
    }

    #[test]
    fn any_clauses_are_a_proof_as_far_as_the_definition_says(
        formula in clauses(4, 3, 12),
        added in clauses(6, 3, 12),
        deleted in prop::collection::vec(any::<Option<Index>>(), 12),
    ) {
        let mut steps = Vec::new();
        let (mut all, mut holds) = (formula.clone(), 0);
        let mut sets: Vec<_> = formula.iter().map(|clause| (0, set(clause))).collect();
        for (clause, deleted) in added.into_iter().zip(deleted) {
            all.push(clause.clone());
            sets.push((0, set(&clause)));
            steps.push(Step::Add(0, clause, Vec::new()));
            // Clauses that may be reasons are not deleted, since checkers choose different reasons.
            holds |= propagate(&sets, 0).0;
            let clause = deleted.map(|at| at.get(&all).clone());
            let clause = clause.filter(|c| set(c) & holds == 0);
            steps.extend(clause.map(|clause| Step::Delete(0, clause)));
        }
        steps.push(Step::Add(0, Vec::new(), Vec::new()));
        for format in &FORMATS[..2] {
            let result = match check(&formula, &write(&steps, *format), *format) {
                Ok(_) => Ok(()),
                Err(Unproved::Rejected(Rejected::Step { at, .. })) => Err(Some(at.step)),
                Err(other) => panic!("{other}"),
            };
            prop_assert_eq!(result, by_definition(&formula, &steps));
            prop_assert!(result.is_err() || !satisfiable(&formula));
        }
    }

    #[test]
    fn no_bytes_make_a_checker_panic(
        formula in clauses(3, 3, 9), bytes in prop::collection::vec(any::<u8>(), 0..60),
        words in prop::collection::vec(prop::sample::select(vec![
            "0", "1", "-1", "2", "3", "-3", "9", "d", "c", "\n", "-", "2147483647", "-2147483648", "4294967296",
            "9223372036854775807", "-9223372036854775808", "99999999999999999999", "a", "10", "11",
        ]), 0..40),
    ) {
        let text = words.join(" ");
        let steps: Vec<u8> = bytes.iter().map(|b| match b % 8 { 0 => b'a', 1 => b'd', 2 | 3 => 0, _ => *b }).collect();
        for format in FORMATS {
            for proof in [&bytes[..], text.as_bytes(), &steps] {
                if check(&formula, proof, format).is_ok() {
                    prop_assert!(!satisfiable(&formula));
                }
            }
        }
    }
}

/// Returns the pigeonhole formula with one pigeon more than holes. The solver of these tests needs a few hundred steps
/// to refute the formula.
fn pigeons(holes: i32) -> Vec<Clause> {
    let is = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut formula: Vec<Clause> =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| is(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for a in 0..=holes {
            formula.extend((0..a).map(|b| vec![-is(a, hole), -is(b, hole)]));
        }
    }
    formula
}

#[test]
fn memory_of_deleted_clauses_is_given_back_and_nothing_else() {
    let formula = pigeons(5);
    let mut steps = Vec::new();
    let mut last = formula.len() as i64;
    // Adds and deletes clauses whose variables are far apart.
    for round in 0..20_000 {
        let own = vec![1 << 20 | round, -(1 << 30), -1];
        last += 1;
        steps.push(Step::Add(last, own.clone(), Vec::new()));
        steps.push(Step::Delete(last, own.into_iter().rev().collect()));
    }
    steps.extend(refute_after(&formula, last).unwrap());
    for format in FORMATS {
        let checked = check(&formula, &write(&steps, format), format).unwrap();
        assert_eq!(checked.steps, steps.len() as u64);
        assert_eq!((checked.missing, checked.kept), (0, 0));
        assert_eq!(checked.extensions, 20_000);
    }
}

#[test]
fn a_check_that_is_stopped_says_nothing() {
    let formula = pigeons(5);
    let steps = refute(&formula).unwrap();
    for format in FORMATS {
        let proof = write(&steps, format);
        let stopped = check_until(&formula, &proof[..], format, &|| true);
        assert!(matches!(stopped, Err(Unproved::Stopped { steps: 0 })));
        let asked = Cell::new(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > 2
        };
        let stopped = check_until(&formula, &proof[..], format, &stop);
        assert!(matches!(stopped, Err(Unproved::Stopped { steps: 1.. })), "{format:?} {stopped:?}");
    }
}

#[test]
fn a_reader_that_fails_is_no_rejected_proof() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    for format in FORMATS {
        let result = check_until(&pigeons(2), b"c".chain(Broken), format, &|| false);
        let binary = matches!(format, Format::Drat(Syntax::Binary) | Format::Lrat(Syntax::Binary));
        match result {
            Err(Unproved::Unreadable(error)) => assert_eq!(error.to_string(), "gone"),
            Err(Unproved::Rejected(_)) if binary => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Tests the proofs of a file, as text. A block has a format, a proof, `---`, and the beginning of the message. A proof that
/// ends with `␄` has no line feed at its end.
#[test]
fn wrong_steps_are_named() {
    let formula = [vec![1, 2], vec![1, -2], vec![-1, 2], vec![-1, -2], vec![3, 1]];
    for block in include_str!("steps.txt").split("=== ").skip(1) {
        let (proof, message) = block.split_once("\n---\n").unwrap();
        let (format, proof) = proof.split_once('\n').unwrap();
        let proof = proof.strip_suffix('␄').map_or_else(|| format!("{proof}\n"), str::to_owned);
        let format = match format {
            "drat" => FORMATS[0],
            _ => FORMATS[2],
        };
        let said = match check(&formula, proof.as_bytes(), format) {
            Ok(_) => "the check is fine".to_owned(),
            Err(error) => error.to_string(),
        };
        assert!(said.starts_with(message.trim_end()), "{proof:?}: {said}");
    }
    let binary = |bytes: &[u8], format| check(&formula, bytes, format).unwrap_err().to_string();
    for format in [Format::Drat(Syntax::Binary), Format::Lrat(Syntax::Binary)] {
        assert_eq!(
            binary(b"d\x02\x00x", format),
            "step 2 (byte 3) of the proof begins with byte 0x78, not with \"a\" or \"d\""
        );
        assert_eq!(
            binary(b"a\x01", format),
            format!(
                "step 1 (byte 0) of the proof has \"-0\", which is out of range for {}",
                if format == FORMATS[1] { "literals" } else { "clauses" }
            )
        );
        assert!(binary(b"a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", format).contains("out of range"));
        assert!(binary(b"a\x02", format).contains("is truncated"));
    }
}

#[test]
fn clauses_that_say_a_thing_twice_or_nothing_are_understood() {
    let formula = [vec![1, 1, 2], vec![2, -1, 2], vec![1, -1, 3], vec![-2, -2]];
    for (format, proof) in [
        (FORMATS[0], "d 3 -1 1 0\n3 -3 0\nd -3 3 0\n2 2 0\n0\n"),
        (FORMATS[2], "4 d 3 0\n6 3 -3 0 9 9 0\n7 2 2 0 1 2 0\n8 0 4 7 0\n"),
    ] {
        let checked = check(&formula, proof.as_bytes(), format).unwrap();
        assert_eq!((checked.missing, checked.kept), (0, 0), "{format:?}");
    }
}

#[test]
fn deletions_of_reasons_are_left_out_and_of_nothing_counted() {
    let formula = [vec![1], vec![-1, 2], vec![-2, 3, 4], vec![-2, 3, -4], vec![-3, 5, -1], vec![-3, -5]];
    let proof = b"d 1 0\nd -1 2 0\nd 7 8 0\n3 0\n0\n";
    let checked = check(&formula, proof, FORMATS[0]).unwrap();
    assert_eq!((checked.kept, checked.missing), (2, 1));
    // One of two equal clauses may be deleted.
    let mut formula = formula.to_vec();
    formula.push(vec![1]);
    let checked = check(&formula, proof, FORMATS[0]).unwrap();
    assert_eq!((checked.kept, checked.missing), (1, 1));
}

#[test]
fn a_clause_that_holds_when_it_comes_is_nobodys_reason() {
    let formula = [vec![1], vec![2], vec![3, 4], vec![3, -4], vec![-3, 4], vec![-3, -4]];
    let proof = b"1 -2 0\nd -2 1 0\n3 0\n0\n";
    let checked = check(&formula, proof, FORMATS[0]).unwrap();
    assert_eq!((checked.kept, checked.missing), (0, 0));
}

#[test]
fn a_formula_with_the_empty_clause_needs_a_proof_too() {
    let formula = [vec![1, 2], vec![]];
    for (format, proof) in [(FORMATS[0], "0\n"), (FORMATS[2], "3 0 2 0\n")] {
        assert!(check(&formula, b"", format).is_err());
        assert_eq!(check(&formula, proof.as_bytes(), format).unwrap().steps, 1);
    }
}
