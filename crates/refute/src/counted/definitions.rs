//! Counting by definitions of new variables: the pigeonhole principle in clauses. Each round removes one pigeon and one
//! hole.
//!
//! Let the variable P(i, k) mean that part i is entered from the vertex k. It exists if an arc leads from k to part i.
//! If there are several such arcs, P(i, k) is defined as their disjunction. The clauses state that each part is
//! entered, and that no two parts are entered from the same vertex:
//!
//! ```text
//! (1)  ⋁ P(i, k)                over k, for each i
//! (2)  ¬P(i, k) ∨ ¬P(j, k)      for each k and each pair i, j
//! ```
//!
//! Remove a part p and a vertex q. Afterwards, i is entered from k if it was before, or if i was entered from q and p
//! from k. A new variable Q(i, k) is defined where both P(i, q) and P(p, k) exist; elsewhere Q(i, k) is P(i, k).
//!
//! ```text
//! (3)  Q(i, k) ↔ P(i, k) ∨ (P(i, q) ∧ P(p, k))
//! ```
//!
//! Then (1) for Q follows by unit propagation: if all Q(i, k) are false, part i is entered from q, so p is entered
//! neither from q nor from any other k. Clause (2) for a changed Q(i, k) and an unchanged P(j, k) follows in the same
//! way. For two changed variables, the derivation takes two steps:
//!
//! ```text
//! (4)  ¬Q(i, k) ∨ ¬Q(j, k) ∨ ¬P(i, k)
//! (5)  ¬Q(i, k) ∨ ¬Q(j, k)
//! ```
//!
//! The earlier clauses are deleted. As there are more parts than vertices, clause (1) of some part is empty in the end.
//!
//! Cook's proof has O(n⁴) steps for n vertices, because in his formula every part is adjacent to every vertex. Here few
//! pairs are adjacent, and an elimination creates new pairs as in Gaussian elimination. So p and q are chosen to create
//! the fewest new pairs (Markowitz). If the graph has small separators, the eliminated parts and vertices then follow a
//! frontier.
//!
//! # References
//!
//! - S. A. Cook: *A Short Proof of the Pigeon Hole Principle Using Extended Resolution*, SIGACT News 8, 1976.
//! - H. M. Markowitz: *The Elimination Form of the Inverse and its Application to Linear Programming*, Management
//!   Science 3, 1957.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rustsat::types::Lit;

use super::super::derived::Deriver;
use super::{Counted, enter};
use hamcnf_sat::proof::SharedLog;

/// Writes the proof. Returns `None` if the budget ends, or writing fails, before the contradiction is derived.
pub(super) fn prove(counted: &Counted<'_>, deriver: &mut Deriver<'_>) -> Option<()> {
    for (part, clause) in counted.entered() {
        if (counted.over)() {
            return None;
        }
        enter(counted.formula, deriver, part, clause);
        if clause.is_empty() {
            return Some(());
        }
    }
    let mut pigeons = Pigeons::of(counted, deriver);
    while let Some((p, q)) = pigeons.fewest() {
        if (counted.over)() || counted.proof.lock().has_failed() {
            return None;
        }
        if pigeons.without(p, q) {
            return Some(());
        }
    }
    None
}

/// Derived clause with its number in the proof.
type Derived = (Vec<Lit>, u64);

/// State of the pigeonhole derivation: the remaining parts (pigeons), and the remaining vertices from which parts are
/// entered (holes).
struct Pigeons<'p, 'f> {
    proof: &'p SharedLog,
    deriver: &'p mut Deriver<'f>,
    /// Indexed by part i: the literals P(i, k), which mean that the part is entered from vertex k. The key is k.
    parts: Vec<BTreeMap<usize, Lit>>,
    /// Indexed by vertex k: the parts i for which the literal P(i, k) exists. The literal means that part i is entered
    /// from k.
    vertices: Vec<BTreeSet<usize>>,
    /// Keyed by part: clause (1), which states that the part is entered. Missing if the clause was not derived.
    entered: HashMap<usize, Derived>,
    /// Clause (2) for a vertex and two parts: not both parts are entered from the vertex. The part with the smaller
    /// index comes first in the key. There is no entry if the clause was not derived.
    pairs: BTreeMap<(usize, usize, usize), Derived>,
}

impl<'p, 'f> Pigeons<'p, 'f> {
    fn of(counted: &'p Counted<'_>, deriver: &'p mut Deriver<'f>) -> Self {
        let tails = counted.leaving.iter().enumerate();
        let tails = tails.flat_map(|(k, leaving)| leaving.iter().map(move |&arc| (arc, k)));
        let tails: HashMap<Lit, usize> = tails.collect();
        let mut pigeons = Self {
            proof: counted.proof,
            deriver,
            parts: vec![BTreeMap::new(); counted.entering.len()],
            vertices: vec![BTreeSet::new(); counted.leaving.len()],
            entered: HashMap::new(),
            pairs: BTreeMap::new(),
        };
        for (i, entering) in counted.entering.iter().enumerate() {
            let mut from: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
            for arc in entering {
                from.entry(tails[arc]).or_default().push(*arc);
            }
            pigeons.begin(i, from);
        }
        pigeons
    }

    /// Adds part i. `from` contains the arcs that enter the part, grouped by the vertex that they leave. The parts
    /// before i must already be added.
    fn begin(&mut self, i: usize, from: BTreeMap<usize, Vec<Lit>>) {
        let is_one = |arcs: &Vec<Lit>| arcs.len() == 1;
        let several = !from.values().all(is_one);
        for (k, arcs) in from {
            let literal = if is_one(&arcs) { arcs[0] } else { self.one_of(&arcs) };
            self.parts[i].insert(k, literal);
            for j in self.vertices[k].clone() {
                let other = self.parts[j][&k];
                // If P(i, k) is a disjunction of arcs, a clause for each arc is derived first.
                let each = arcs.iter().filter(|_| !is_one(&arcs));
                let each: Vec<Derived> = each.map(|&arc| self.add(vec![!other, !arc])).collect();
                self.exclude(k, i, j, literal, other);
                each.into_iter().for_each(|derived| self.forget(derived));
            }
            self.vertices[k].insert(i);
        }
        if several {
            self.enter(i);
        }
    }

    /// Returns a new variable that is defined as the disjunction of several arcs.
    fn one_of(&mut self, arcs: &[Lit]) -> Lit {
        let new = self.deriver.fresh();
        let each = arcs.iter().map(|&arc| vec![new, !arc]);
        self.define(each.chain([[!new].into_iter().chain(arcs.iter().copied()).collect()]).collect());
        new
    }

    /// Returns a part and a vertex whose removal creates the fewest new pairs of a part and a vertex. Suppose that the
    /// part is entered from x vertices, and that arcs from the vertex enter y parts. Then the removal creates (x −
    /// 1)·(y − 1) pairs. Returns `None` if no arc enters any part.
    fn fewest(&self) -> Option<(usize, usize)> {
        let pairs = self.parts.iter().enumerate().flat_map(|(p, from)| from.keys().map(move |&q| (p, q)));
        pairs.min_by_key(|&(p, q)| (self.parts[p].len() - 1) * (self.vertices[q].len() - 1))
    }

    /// Removes part p and vertex q. Returns true if this yields a contradiction.
    fn without(&mut self, p: usize, q: usize) -> bool {
        let mut changed: Vec<(usize, Lit)> = Vec::new();
        for i in std::mem::take(&mut self.vertices[q]) {
            changed.extend(self.parts[i].remove(&q).filter(|_| i != p).map(|literal| (i, literal)));
        }
        let others = std::mem::take(&mut self.parts[p]);
        let mut definitions = Vec::new();
        let mut before: HashMap<(usize, usize), Lit> = HashMap::new();
        for (&k, &of_p) in &others {
            self.vertices[k].remove(&p);
            for &(i, from_q) in &changed {
                let new = self.deriver.fresh();
                let old = self.parts[i].insert(k, new);
                definitions.extend(self.follow(new, old, [from_q, of_p]));
                before.extend(old.map(|old| ((i, k), old)));
            }
        }
        if changed.iter().any(|&(i, _)| self.enter(i)) {
            return true;
        }
        for &k in others.keys() {
            self.exclude_all(k, &changed, &before);
        }
        for definition in definitions {
            self.forget(definition);
        }
        let entered = self.entered.remove(&p);
        let gone = |&(k, i, j): &(usize, usize, usize)| k == q || i == p || j == p;
        let pairs: Vec<_> = self.pairs.extract_if(.., |key, _| gone(key)).collect();
        for derived in entered.into_iter().chain(pairs.into_iter().map(|(_, d)| d)) {
            self.forget(derived);
        }
        false
    }

    /// Adds the clauses that define the variable `new` by (3) in the module documentation.
    fn follow(&mut self, new: Lit, old: Option<Lit>, both: [Lit; 2]) -> Vec<Derived> {
        let mut clauses: Vec<Vec<Lit>> = old.into_iter().map(|old| vec![new, !old]).collect();
        clauses.push(vec![new, !both[0], !both[1]]);
        clauses.extend(both.map(|one| [!new, one].into_iter().chain(old).collect()));
        self.define(clauses)
    }

    /// Replaces clause (1), which states that part i is entered, after its literals have changed. Returns true if the
    /// new clause is empty.
    fn enter(&mut self, i: usize) -> bool {
        let clause: Vec<Lit> = self.parts[i].values().copied().collect();
        let is_empty = clause.is_empty();
        let derived = self.add(clause);
        if let Some(before) = self.entered.insert(i, derived) {
            self.forget(before);
        }
        is_empty
    }

    /// Replaces the clauses (2) of vertex k for all pairs of parts in which at least one part has a changed variable.
    /// These clauses state that no two parts are entered from vertex k.
    fn exclude_all(&mut self, k: usize, changed: &[(usize, Lit)], before: &HashMap<(usize, usize), Lit>) {
        let is_changed: BTreeSet<usize> = changed.iter().map(|&(i, _)| i).collect();
        for &i in &is_changed {
            for j in self.vertices[k].clone() {
                if is_changed.contains(&j) {
                    continue;
                }
                let (one, other) = (self.parts[i][&k], self.parts[j][&k]);
                self.exclude(k, i, j, one, other);
            }
        }
        for &i in &is_changed {
            for &j in is_changed.range(i + 1..) {
                let (one, other) = (self.parts[i][&k], self.parts[j][&k]);
                let between = before.get(&(i, k)).map(|&old| self.add(vec![!one, !other, !old]));
                self.exclude(k, i, j, one, other);
                if let Some(between) = between {
                    self.forget(between);
                }
            }
        }
        self.vertices[k].extend(is_changed);
    }

    /// Replaces clause (2), which states that the parts i and j are not both entered from vertex k.
    fn exclude(&mut self, k: usize, i: usize, j: usize, one: Lit, other: Lit) {
        let derived = self.add(vec![!one, !other]);
        if let Some(before) = self.pairs.insert((k, i.min(j), i.max(j)), derived) {
            self.forget(before);
        }
    }

    fn add(&mut self, clause: Vec<Lit>) -> Derived {
        let number = self.proof.lock().add(&clause);
        (clause, number)
    }

    fn define(&mut self, clauses: Vec<Vec<Lit>>) -> Vec<Derived> {
        let numbers = self.proof.lock().define(&clauses);
        clauses.into_iter().zip(numbers).collect()
    }

    fn forget(&mut self, (clause, number): Derived) {
        self.proof.lock().forget(number, &clause);
    }
}
