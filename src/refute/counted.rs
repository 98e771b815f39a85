//! Proofs by counting, of a few lines: too many parts, colours that do not fit.
//!
//! Let K be vertices without which the graph has more parts than K has vertices. A tour enters every part, from K, and leaves every
//! vertex of K once. Resolution cannot count, and clauses need many steps for what takes one by cutting planes. With the clause of each part P
//! that some arc enters it, and for each k in K that at most one of the A_k arcs that lead from k into these parts is taken, which is
//! the sum of the negated ones,
//!
//! ```text
//! Σ h_kv ≥ 1        over the arcs into P
//! Σ ¬h_kv ≥ A_k − 1  over the arcs from k into the parts
//! ```
//!
//! the sum of all is 0 ≥ c − |K|, where c is the number of parts, of which no more than |K| + 1 are taken. The second line follows
//! from the pairs. Of k arcs that have it for the first k − 1,
//!
//! ```text
//! (k − 2)·(Σ_{i<k} ¬h_i ≥ k − 2) + Σ_{i<k} (¬h_i + ¬h_k ≥ 1)   divided by k − 1:   Σ_{i≤k} ¬h_i ≥ k − 1
//! ```
//!
//! A part that is one vertex has the first line in the formula: some arc enters it. For others it is a cut, which is derived
//! ([`derived`](super::derived)): some arc enters the part or, if the start is in it, leaves the others.
//!
//! # Which vertices
//!
//! - Closed tours: the K of a certificate. Of two colours, the less frequent one is K.
//! - Open ones from s: as arcs lead back to s, its part is not counted; and so s may be in K or not.
//! - Where a vertex x closes paths ([`about`](super::about)) it may be one of K, too: from anywhere it joins all parts.
//!
//! Some parts without which there are fewer than enough are no part of a certificate, but that one vertex has one neighbour says
//! the order by unit propagation.
//!
//! # References
//!
//! - W. Cook, C. Coullard, G. Turán: *On the Complexity of Cutting-Plane Proofs*, Discrete Applied Mathematics 18, 1987: counting
//!   by cutting planes, and at most one of many from pairs.
//! - A. Haken: *The Intractability of Resolution*, Theoretical Computer Science 39, 1985.

use std::collections::{HashMap, HashSet};

use hamcnf_encodings::check::certificate::Reason;
use hamcnf_encodings::derivation::Lacking;
use hamcnf_encodings::encodings::arcs::{PREDECESSOR, SUCCESSOR};
use hamcnf_encodings::{
    ClauseSink, Clauses, Family, Formula, Instance, Obstruction, TourKind, Vertex,
};
use rustsat::types::Lit;

use super::certificate;
use super::cuts::Outcome;
use super::derived::Deriver;
use crate::cycle::Watch;
use crate::proof::{Operation, SharedLog};
use crate::question::Tours;
use crate::solve::SolveError;

/// Why there is no tour, as it is counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counting {
    /// Degrees and the order contradict each other by unit propagation.
    Propagated,
    /// These parts are entered from these vertices only, which are fewer.
    Parts {
        /// The parts.
        parts: Vec<Vec<Vertex>>,
        /// The vertices.
        from: Vec<Vertex>,
    },
}

/// What can be counted where this obstruction was found, or none was but a bipartite graph has no 2-factor. The instance is that
/// which a proof is [`about`](super::about).
#[must_use]
pub fn of(
    tours: &Tours,
    found: Option<&Obstruction>,
    about: &Instance,
    watch: &Watch,
) -> Option<Counting> {
    if let Some(Obstruction::OneNeighbour(vertex)) = found
        && follows_at_once(about, *vertex)
    {
        return Some(Counting::Propagated);
    }
    let reason = match found {
        Some(found) => certificate::of_obstruction(tours, found),
        None => certificate::of_flow(tours, watch),
    };
    let sets: Vec<Vec<Vertex>> = match reason? {
        Reason::Parts { without } => vec![without],
        Reason::Colours => {
            let facts = tours.instance().facts();
            let colours = facts.colours()?;
            let class = |colour| {
                let all = tours.instance().graph().vertices();
                all.filter(|v| colours[v.index()] == colour).collect()
            };
            vec![class(false), class(true)]
        }
        _ => return None,
    };
    let closing = (tours.instance().n()..about.n()).map(Vertex::new);
    let and_closing = sets.iter().map(|set| {
        let all = set.iter().copied().chain(closing.clone());
        all.collect::<Vec<_>>()
    });
    let and_closing: Vec<Vec<Vertex>> = and_closing.collect();
    let mut sets = sets.into_iter().chain(and_closing);
    sets.find_map(|from| too_many(about, from))
}

/// Whether unit propagation finds that a closed tour cannot come to this vertex by the edge by which it leaves: both arcs are taken, and the
/// order has a variable for that.
fn follows_at_once(about: &Instance, vertex: Vertex) -> bool {
    let (graph, start) = (about.graph(), about.start());
    let &[neighbour] = graph.neighbours(vertex) else {
        return false;
    };
    let ordered = vertex != start || graph.degree(neighbour) > 1;
    about.kind() == TourKind::Closed && neighbour != start && ordered
}

/// One part more than there are vertices to enter it from, if there are so many: those with the shortest derivations.
fn too_many(about: &Instance, from: Vec<Vertex>) -> Option<Counting> {
    let mut away = vec![false; about.n() as usize];
    from.iter().for_each(|v| away[v.index()] = true);
    let mut parts = parts(about, away);
    // Without any vertex taken away, one part is everything.
    if from.is_empty() && parts.len() < 2 {
        return None;
    }
    if about.kind() == TourKind::Open {
        parts.retain(|part| !part.contains(&about.start()));
    }
    parts.sort_by_key(|part| match part.len() {
        1 => 0,
        _ if is_pair_with_start(about, part) => 1,
        size if part.contains(&about.start()) => about.n() as usize - size,
        size => size,
    });
    parts.truncate(from.len() + 1);
    (parts.len() > from.len()).then_some(Counting::Parts { parts, from })
}

/// The parts of what is not away.
fn parts(about: &Instance, mut seen: Vec<bool>) -> Vec<Vec<Vertex>> {
    let graph = about.graph();
    let mut parts = Vec::new();
    for first in graph.vertices() {
        if std::mem::replace(&mut seen[first.index()], true) {
            continue;
        }
        let mut part = vec![first];
        let mut next = 0;
        while let Some(&v) = part.get(next) {
            next += 1;
            for &w in graph.neighbours(v) {
                if !std::mem::replace(&mut seen[w.index()], true) {
                    part.push(w);
                }
            }
        }
        parts.push(part);
    }
    parts
}

/// Whether these are the start of closed tours and a vertex with another neighbour: that both arcs between them are not taken follows from the order
/// of the neighbours.
fn is_pair_with_start(about: &Instance, part: &[Vertex]) -> bool {
    let &[one, other] = part else {
        return false;
    };
    let beside = match about.start() {
        start if start == one => other,
        start if start == other => one,
        _ => return false,
    };
    about.kind() == TourKind::Closed && about.graph().degree(beside) > 1
}

/// Proves by counting. `proof` is about `formula`, which has to be of the encoding [`ENCODING`](super::cuts::ENCODING), and VeriPB's.
///
/// # Errors
///
/// [`SolveError::Solver`] where the formula has no derivation.
pub fn prove(
    formula: &Formula,
    proof: &SharedLog,
    counting: &Counting,
    over: impl Fn() -> bool,
) -> Result<Outcome, SolveError> {
    let unfit = || SolveError::Solver(format!("no cut can be derived of {}", formula.encoding()));
    let mut deriver = Deriver::new(formula, proof.clone(), formula.n_vars()).ok_or_else(unfit)?;
    let Counting::Parts { parts, from } = counting else {
        deriver.add(&[]);
        return Ok(Outcome::NoTour);
    };
    let entering = parts
        .iter()
        .map(|part| deriver.cut(part, Lacking::Entering));
    let entering: Vec<Vec<Lit>> = entering.collect();
    let leaving = from
        .iter()
        .map(|&v| deriver.cut(&[v], Lacking::Leaving))
        .collect::<Vec<_>>();
    let numbered = Numbered::of(formula, &entering, &leaving);
    let mut sum = Vec::new();
    for (part, clause) in parts.iter().zip(&entering) {
        if over() {
            return Ok(Outcome::Stopped);
        }
        let number = match clause.first().and_then(|first| numbered.columns.get(first)) {
            Some(&Some(number)) if part.len() == 1 => number,
            _ => {
                enter(formula, &mut deriver, part, clause);
                if clause.is_empty() {
                    return Ok(Outcome::NoTour);
                }
                deriver.number(clause)
            }
        };
        add(&mut sum, Operation::Constraint(number));
    }
    let entering: HashSet<Lit> = entering.into_iter().flatten().collect();
    for row in &leaving {
        let row = row.first().and_then(|first| numbered.rows.get(first));
        let Some(Some(row)) = row else { continue };
        if over() {
            return Ok(Outcome::Stopped);
        }
        match row.places(&entering)[..] {
            [] => {}
            [one] => {
                let negated = (!row.literals[one]).to_ipasir();
                add(&mut sum, Operation::AtLeastZero(negated));
            }
            [one, other] => add(&mut sum, Operation::Constraint(row.pair(one, other))),
            ref places => {
                let number = proof.lock().combine(&row.at_most_one(places));
                add(&mut sum, Operation::Constraint(number));
            }
        }
    }
    proof.lock().contradict(&sum);
    Ok(Outcome::NoTour)
}

/// One term more of a sum.
fn add(sum: &mut Vec<Operation>, term: Operation) {
    let is_first = sum.is_empty();
    sum.push(term);
    if !is_first {
        sum.push(Operation::Add);
    }
}

/// Derives that some arc enters a part, which is this clause.
fn enter(formula: &Formula, deriver: &mut Deriver<'_>, part: &[Vertex], clause: &[Lit]) {
    let instance = formula.instance();
    if part.len() == 1 || is_pair_with_start(instance, part) {
        deriver.add(clause);
    } else if part.contains(&instance.start()) {
        let mut inside = vec![false; instance.n() as usize];
        part.iter().for_each(|v| inside[v.index()] = true);
        let others = instance.graph().vertices().filter(|v| !inside[v.index()]);
        let others: Vec<Vertex> = others.collect();
        deriver.derive(&others, Lacking::Leaving, clause);
    } else {
        deriver.derive(part, Lacking::Entering, clause);
    }
}

/// The numbers of clauses that are wanted, as the formula's file counts them, by their first literals.
struct Numbered {
    last: u64,
    family: Family,
    /// That some arc enters a vertex.
    columns: HashMap<Lit, Option<u64>>,
    /// That at most one leaves it.
    rows: HashMap<Lit, Option<Row>>,
}

/// The arcs that leave a vertex.
struct Row {
    literals: Vec<Lit>,
    /// The number of the first pair: they follow each other in lexicographic order.
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
        let wanted = literals.first().and_then(|l| self.columns.get_mut(l));
        if let Some(number) = wanted {
            number.get_or_insert(self.last);
        }
    }

    fn no_two(&mut self, literals: &[Lit]) {
        let wanted = literals.first().and_then(|l| self.rows.get_mut(l));
        if let Some(row) = wanted.filter(|_| self.family == SUCCESSOR) {
            row.get_or_insert(Row {
                literals: literals.to_vec(),
                first: self.last + 1,
            });
        }
        let k = literals.len() as u64;
        self.last += k * k.saturating_sub(1) / 2;
    }
}

impl Row {
    /// The places of these among the literals.
    fn places(&self, wanted: &HashSet<Lit>) -> Vec<usize> {
        let places = 0..self.literals.len();
        places
            .filter(|&place| wanted.contains(&self.literals[place]))
            .collect()
    }

    /// The number of the clause that not both are taken of the arcs at these places, the lesser one first.
    fn pair(&self, one: usize, other: usize) -> u64 {
        let before = one * (2 * self.literals.len() - one - 1) / 2;
        self.first + (before + other - one - 1) as u64
    }

    /// At most one of three or more.
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
    use super::*;

    /// A sum of negated arcs by their places, and what it is at least.
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
            let row = Row {
                literals: (0..k).map(Lit::positive).collect(),
                first: 17,
            };
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
        let encoding = super::super::cuts::ENCODING.parse().unwrap();
        let formula = Formula::new(encoding, &instance).unwrap();
        let mut file = rustsat::instances::Cnf::new();
        formula.emit(&mut file);
        let clause = |number: u64| {
            let clause = file.iter().nth(number as usize - 1).unwrap();
            clause.iter().copied().collect::<Vec<Lit>>()
        };
        let mut derivation = formula.derivation().unwrap();
        for v in instance.graph().vertices() {
            let column = derivation.cut(&[v], Lacking::Entering);
            let row = derivation.cut(&[v], Lacking::Leaving);
            let numbered = Numbered::of(
                &formula,
                std::slice::from_ref(&column),
                std::slice::from_ref(&row),
            );
            assert_eq!(clause(numbered.columns[&column[0]].unwrap()), column);
            let found = numbered.rows[&row[0]].as_ref().unwrap();
            assert_eq!(found.literals, row);
            for one in 0..row.len() {
                for other in one + 1..row.len() {
                    let pair = clause(found.pair(one, other));
                    assert_eq!(pair, [!row[one], !row[other]]);
                }
            }
        }
    }
}
