//! Counting by cutting planes, in a VeriPB proof.
//!
//! For each part P, a clause states that some arc enters P. For each k in K, at most one of the A_k arcs from k to
//! these parts is used, written as a sum of negated arcs:
//!
//! ```text
//! Σ h_kv ≥ 1           over the arcs into P
//! Σ ¬h_kv ≥ A_k − 1    over the arcs from k into the parts
//! ```
//!
//! The sum of all these lines is 0 ≥ c − |K|, where c is the number of parts in the sum. At most |K| + 1 parts are
//! used. The second line follows from the clauses for pairs of arcs. If it is known for the first k − 1 arcs, it
//! follows for k arcs:
//!
//! ```text
//! (k − 2)·(Σ_{i<k} ¬h_i ≥ k − 2) + Σ_{i<k} (¬h_i + ¬h_k ≥ 1)   divided by k − 1:   Σ_{i≤k} ¬h_i ≥ k − 1
//! ```
//!
//! # References
//!
//! - W. Cook, C. Coullard, G. Turán: *On the Complexity of Cutting-Plane Proofs*, Discrete Applied Mathematics 18,
//!   1987: counting by cutting planes, and at most one of many from pairs.

use std::collections::{HashMap, HashSet};

use hamcnf_encodings::bases::arcs::{PREDECESSOR, SUCCESSOR};
use hamcnf_encodings::{Clauses, Formula};
use hamcnf_tours::{ClauseSink, Family};
use rustsat::types::Lit;

use super::super::derived::Deriver;
use super::{Counted, enter};
use hamcnf_sat::proof::Operation;

/// Writes the proof. Returns `None` if the work is stopped before the contradiction is derived.
pub(super) fn prove(counted: &Counted<'_>, deriver: &mut Deriver<'_>) -> Option<()> {
    let Counted { formula, proof, entering, leaving, .. } = counted;
    let numbered = Numbered::of(formula, entering, leaving);
    let mut sum = Vec::new();
    for (part, clause) in counted.entered() {
        if (counted.over)() {
            return None;
        }
        let number = match clause.first().and_then(|first| numbered.columns.get(first)) {
            Some(&Some(number)) if part.len() == 1 => number,
            _ => {
                enter(formula, deriver, part, clause);
                if clause.is_empty() {
                    return Some(());
                }
                deriver.number(clause)
            }
        };
        add(&mut sum, Operation::Constraint(number));
    }
    let entering: HashSet<Lit> = entering.iter().flatten().copied().collect();
    for row in leaving {
        let row = row.first().and_then(|first| numbered.rows.get(first));
        let Some(Some(row)) = row else { continue };
        if (counted.over)() {
            return None;
        }
        match row.places(&entering)[..] {
            [] => {}
            [one] => {
                add(&mut sum, Operation::AtLeastZero((!row.literals[one]).to_ipasir()));
            }
            [one, other] => add(&mut sum, Operation::Constraint(row.pair(one, other))),
            ref places => {
                let number = proof.lock().combine(&row.at_most_one(places));
                add(&mut sum, Operation::Constraint(number));
            }
        }
    }
    proof.lock().contradict(&sum);
    Some(())
}

/// Adds one term to a sum in reverse Polish notation.
fn add(sum: &mut Vec<Operation>, term: Operation) {
    let is_first = sum.is_empty();
    sum.push(term);
    if !is_first {
        sum.push(Operation::Add);
    }
}

/// Numbers of the formula's clauses that the proof uses, as in the formula's file. The first literal of a clause is its
/// key.
struct Numbered {
    last: u64,
    family: Family,
    /// Numbers of the clauses which state that some arc enters a vertex; `None` until the clause is found.
    columns: HashMap<Lit, Option<u64>>,
    /// Groups of clauses which state that at most one arc leaves a vertex; `None` until the group is found.
    rows: HashMap<Lit, Option<Row>>,
}

/// Arcs that leave a vertex, and the numbers of the clauses that exclude pairs of them.
struct Row {
    literals: Vec<Lit>,
    /// Number of the clause for the first pair of arcs. The clauses of the other pairs follow in lexicographic order.
    first: u64,
}

impl Numbered {
    fn of(formula: &Formula, columns: &[Vec<Lit>], rows: &[Vec<Lit>]) -> Self {
        let first = |clause: &Vec<Lit>| clause.first().copied();
        let columns = columns.iter().filter_map(first);
        let rows = rows.iter().filter_map(first);
        let mut numbered = Self {
            last: 0,
            family: SUCCESSOR,
            columns: columns.map(|literal| (literal, None)).collect(),
            rows: rows.map(|literal| (literal, None)).collect(),
        };
        formula.emit(&mut numbered);
        numbered
    }
}

impl ClauseSink for Numbered {
    fn family(&mut self, family: Family) {
        self.family = family;
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.last += 1;
        if self.family != PREDECESSOR {
            return;
        }
        if let Some(number) = literals.first().and_then(|l| self.columns.get_mut(l)) {
            number.get_or_insert(self.last);
        }
    }

    fn no_two(&mut self, literals: &[Lit]) {
        let wanted = literals.first().and_then(|l| self.rows.get_mut(l));
        if let Some(row) = wanted.filter(|_| self.family == SUCCESSOR) {
            row.get_or_insert(Row { literals: literals.to_vec(), first: self.last + 1 });
        }
        let k = literals.len() as u64;
        self.last += k * k.saturating_sub(1) / 2;
    }
}

impl Row {
    /// Returns the positions of the wanted literals in the row.
    fn places(&self, wanted: &HashSet<Lit>) -> Vec<usize> {
        let places = 0..self.literals.len();
        places.filter(|&place| wanted.contains(&self.literals[place])).collect()
    }

    /// Returns the number of the clause that excludes two arcs. The arguments are positions in the row, the smaller
    /// first.
    fn pair(&self, one: usize, other: usize) -> u64 {
        let before = one * (2 * self.literals.len() - one - 1) / 2;
        self.first + (before + other - one - 1) as u64
    }

    /// Returns the operations that derive "at most one" for three or more arcs at the given positions.
    fn at_most_one(&self, places: &[usize]) -> Vec<Operation> {
        let mut line = vec![Operation::Constraint(self.pair(places[0], places[1]))];
        for (k, &other) in (3..).zip(&places[2..]) {
            if k > 3 {
                line.push(Operation::Times(k - 2));
            }
            for &one in places.iter().take_while(|&&one| one < other) {
                line.push(Operation::Constraint(self.pair(one, other)));
                line.push(Operation::Add);
            }
            line.push(Operation::Divide(k - 1));
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use hamcnf_encodings::derivation::Lacking;
    use hamcnf_graph::Vertex;
    use hamcnf_tours::{Instance, TourKind};

    use super::*;
    use crate::BASIS;

    /// Evaluates a line of operations. Returns the coefficients of the negated arcs by position, and the lower bound of
    /// their sum.
    fn evaluated(row: &Row, line: &[Operation]) -> (Vec<u64>, u64) {
        let k = row.literals.len();
        let mut pairs = Vec::new();
        for one in 0..k {
            pairs.extend((one + 1..k).map(|other| (one, other)));
        }
        let mut stack: Vec<(Vec<u64>, u64)> = Vec::new();
        for &operation in line {
            match operation {
                Operation::Constraint(number) => {
                    let (one, other) = pairs[(number - row.first) as usize];
                    let is = |place| u64::from(place == one || place == other);
                    stack.push(((0..k).map(is).collect(), 1));
                }
                Operation::Add => {
                    let (other, more) = stack.pop().unwrap();
                    let (sum, least) = stack.last_mut().unwrap();
                    sum.iter_mut().zip(other).for_each(|(a, b)| *a += b);
                    *least += more;
                }
                Operation::Times(factor) => {
                    let (sum, least) = stack.last_mut().unwrap();
                    sum.iter_mut().for_each(|a| *a *= factor);
                    *least *= factor;
                }
                Operation::Divide(divisor) => {
                    let (sum, least) = stack.last_mut().unwrap();
                    sum.iter_mut().for_each(|a| *a = a.div_ceil(divisor));
                    *least = least.div_ceil(divisor);
                }
                Operation::AtLeastZero(_) => unreachable!("a row has none"),
            }
        }
        assert_eq!(stack.len(), 1);
        stack.remove(0)
    }

    #[test]
    fn at_most_one_follows_from_the_pairs() {
        for k in 3u32..12 {
            let row = Row { literals: (0..k).map(Lit::positive).collect(), first: 17 };
            for chosen in 0u32..1 << k {
                let places: Vec<usize> = (0..k as usize).filter(|i| chosen >> i & 1 == 1).collect();
                if places.len() < 3 {
                    continue;
                }
                let (sum, least) = evaluated(&row, &row.at_most_one(&places));
                let expected: Vec<u64> = (0..k).map(|i| u64::from(chosen >> i & 1)).collect();
                assert_eq!((sum, least), (expected, places.len() as u64 - 1));
            }
        }
    }

    #[test]
    fn clauses_have_the_numbers_that_the_file_counts() {
        let start = Vertex::new(4);
        let instance = Instance::on_board("3x4".parse().unwrap(), TourKind::Open, start).unwrap();
        let formula = Formula::new(BASIS.parse().unwrap(), &instance).unwrap();
        let mut file = rustsat::instances::Cnf::new();
        formula.emit(&mut file);
        let clause = |number: u64| file.iter().nth(number as usize - 1).unwrap().iter().copied().collect::<Vec<Lit>>();
        let mut derivation = formula.derivation().unwrap();
        for v in instance.graph().vertices() {
            let column = derivation.cut(&[v], Lacking::Entering);
            let row = derivation.cut(&[v], Lacking::Leaving);
            let numbered = Numbered::of(&formula, std::slice::from_ref(&column), std::slice::from_ref(&row));
            assert_eq!(clause(numbered.columns[&column[0]].unwrap()), column);
            let found = numbered.rows[&row[0]].as_ref().unwrap();
            assert_eq!(found.literals, row);
            for one in 0..row.len() {
                for other in one + 1..row.len() {
                    assert_eq!(clause(found.pair(one, other)), [!row[one], !row[other]]);
                }
            }
        }
    }
}
