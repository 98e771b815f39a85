//! Formula of the Hamiltonian cycles of a graph, in layers along an order of its edges.
//!
//! The edges are e₁, …, e_m. Layer k describes the first k chosen edges. A vertex is *active* in layer k if it has an edge
//! among the first k edges and another edge after them.
//!
//! # Variables
//!
//! - x_k: edge e_k is on the cycle (variables 1 to m).
//! - one_k(a): at least one of the first k edges is on the cycle and ends at a.
//! - two_k(a): at least two of the first k edges are on the cycle and end at a.
//! - path_k(a, b) for active a ≠ b: the edges among the first k that are on the cycle contain a path with the ends a and
//!   b, and neither end has another of these edges.
//!
//! A variable of a layer is replaced if it always has the same value as a variable of the previous layer or as x_k, or
//! if its value is constant.
//!
//! # Clauses
//!
//! Let e_k = {u, v}, x = x_k and w ∉ {u, v}. Variables of layer k are written with a prime, variables of layer k − 1
//! without:
//!
//! - (1) one′(a) ⇔ one(a) ∨ x, two′(a) ⇔ two(a) ∨ (x ∧ one(a)), ¬x ∨ ¬two(a) for a ∈ {u, v}. After the last edge of a,
//!   one′(a) and two′(a) are true. This is a sequential counter: exactly two edges at every vertex.
//! - (2) path′(a, b) ⇔ path(a, b) ∨ (x ∧ path(a, u) ∧ path(v, b)) ∨ (x ∧ path(a, v) ∧ path(u, b)) for a, b ∉ {u, v}.
//! - (3) path′(u, w) ⇔ (¬x ∧ path(u, w)) ∨ (x ∧ ¬one(u) ∧ path(v, w)), and the same with u and v exchanged.
//! - (4) path′(u, v) ⇔ (¬x ∧ path(u, v)) ∨ (x ∧ ¬one(u) ∧ ¬one(v)).
//! - (5) ¬x ∨ ¬path(u, v) if some vertex has its first edge after e_k. Otherwise, ¬x ∨ ¬path(u, v) ∨ two(w) for all
//!   active w. A cycle is closed only if it visits every vertex.
//!
//! The edges determine all other variables, so models and Hamiltonian cycles correspond one to one: by (1) the chosen
//! edges are disjoint cycles, and by (5) each cycle is closed last.
//!
//! # References
//!
//! - Donald Knuth: *The Art of Computer Programming* 4A, section 7.1.4, Simpath: the pairing of ends of paths.
//! - Carsten Sinz: *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005: sequential counters.

use std::collections::HashMap;
use std::ops::Not;

use hamcnf_graph::Vertex;

/// Literal, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Term {
    Constant(bool),
    Literal(i32),
}

const NO: Term = Term::Constant(false);
const YES: Term = Term::Constant(true);

impl Not for Term {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(!value),
            Self::Literal(literal) => Self::Literal(-literal),
        }
    }
}

/// Clauses about one edge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    /// Variables that the layer defines, in increasing order, each with the indices of its defining clauses. Their
    /// values follow from x_k and the variables of the previous layer.
    pub(crate) new: Vec<(i32, Vec<usize>)>,
    /// Indices of the other clauses.
    pub(crate) rules: Vec<usize>,
    /// Variables that later layers use, in increasing order.
    pub(crate) kept: Vec<i32>,
}

/// Formula in layers.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) variables: i32,
    pub(crate) clauses: Vec<Vec<i32>>,
    pub(crate) layers: Vec<Layer>,
}

/// Values of the variables in one layer, for all active vertices.
struct Values {
    one: Vec<Term>,
    two: Vec<Term>,
    path: HashMap<(Vertex, Vertex), Term>,
    active: Vec<Vertex>,
}

impl Values {
    fn path(&self, a: Vertex, b: Vertex) -> Term {
        self.path.get(&(a.min(b), a.max(b))).copied().unwrap_or(NO)
    }
}

impl Formula {
    /// Returns the formula for a graph with vertices 0 to n − 1 and these edges. Every vertex must have at least two
    /// edges.
    pub(crate) fn new(n: usize, edges: &[(Vertex, Vertex)]) -> Self {
        let mut formula =
            Self { variables: edges.len() as i32, clauses: Vec::new(), layers: Vec::with_capacity(edges.len()) };
        let (mut first, mut last) = (vec![usize::MAX; n], vec![0; n]);
        for (k, &(u, v)) in edges.iter().enumerate() {
            for a in [u, v] {
                first[a.index()] = first[a.index()].min(k);
                last[a.index()] = k;
            }
        }
        let entered = first.iter().copied().max().unwrap_or(0);
        let mut before = Values { one: vec![NO; n], two: vec![NO; n], path: HashMap::new(), active: Vec::new() };
        for (k, &(u, v)) in edges.iter().enumerate() {
            let mut layer = Layer::default();
            let x = Term::Literal(k as i32 + 1);
            let entering = [u, v].into_iter().filter(|a| first[a.index()] == k);
            before.active.extend(entering);
            for a in [u, v] {
                formula.rule(&mut layer, &[!x, !before.two[a.index()]]);
            }
            let closed = before.path(u, v);
            if k < entered {
                formula.rule(&mut layer, &[!x, !closed]);
            } else {
                for w in before.active.iter().filter(|&&w| w != u && w != v) {
                    formula.rule(&mut layer, &[!x, !closed, before.two[w.index()]]);
                }
            }
            let mut stay = before.active.clone();
            stay.retain(|a| last[a.index()] > k);
            let mut path = HashMap::new();
            for (i, &a) in stay.iter().enumerate() {
                for &b in &stay[i + 1..] {
                    let new = formula.path(&mut layer, &before, x, (u, v), (a, b));
                    if new != NO {
                        path.insert((a.min(b), a.max(b)), new);
                    }
                }
            }
            for a in [u, v] {
                let a = a.index();
                (before.one[a], before.two[a]) =
                    formula.degree(&mut layer, x, before.one[a], before.two[a], last[a] == k);
            }
            before.path = path;
            before.active = stay;
            let degrees = before.active.iter().map(|a| a.index());
            let degrees = degrees.flat_map(|a| [before.one[a], before.two[a]]);
            let kept = degrees.chain(before.path.values().copied());
            layer.kept = kept
                .filter_map(|term| match term {
                    Term::Literal(literal) => Some(literal),
                    Term::Constant(_) => None,
                })
                .collect();
            layer.kept.sort_unstable();
            layer.kept.dedup();
            formula.layers.push(layer);
        }
        formula
    }

    /// Returns one′ and two′ of a vertex on the edge of this layer, with the clauses (1) that define them.
    fn degree(&mut self, layer: &mut Layer, x: Term, one: Term, two: Term, is_last: bool) -> (Term, Term) {
        let new_two = match (is_last, one) {
            (true, _) => YES,
            (false, NO) => NO,
            _ => self.fresh(),
        };
        if new_two != NO {
            let definition: [&[Term]; 4] =
                [&[!two, new_two], &[!x, !one, new_two], &[two, x, !new_two], &[two, one, !new_two]];
            self.define(layer, new_two, &definition);
        }
        let new_one = match (is_last, one) {
            (true, _) => YES,
            (false, NO) => x,
            _ => {
                let new = self.fresh();
                self.define(layer, new, &[&[!one, new], &[!x, new], &[one, x, !new]]);
                new
            }
        };
        (new_one, new_two)
    }

    /// Returns path′(a, b), with the clauses (2), (3) or (4) that define it.
    fn path(
        &mut self,
        layer: &mut Layer,
        before: &Values,
        x: Term,
        (u, v): (Vertex, Vertex),
        (a, b): (Vertex, Vertex),
    ) -> Term {
        let (old, is_end) = (before.path(a, b), |end| a == end || b == end);
        match (is_end(u), is_end(v)) {
            (false, false) => {
                let [left, right] = [[before.path(a, u), before.path(v, b)], [before.path(a, v), before.path(u, b)]];
                if [left, right].iter().all(|both| both.contains(&NO)) {
                    return old;
                }
                let new = self.fresh();
                let ([c, d], [e, f]) = (left, right);
                let definition: [&[Term]; 8] = [
                    &[!old, new],
                    &[!x, !c, !d, new],
                    &[!x, !e, !f, new],
                    &[old, x, !new],
                    &[old, c, e, !new],
                    &[old, c, f, !new],
                    &[old, d, e, !new],
                    &[old, d, f, !new],
                ];
                self.define(layer, new, &definition);
                new
            }
            (is_u, is_v) => {
                // If x is true, the path ends at `end` after this edge if neither `one` nor `other` holds.
                let (end, beyond) = if is_u { (u, v) } else { (v, u) };
                let w = if a == end { b } else { a };
                let one = before.one[end.index()];
                let other = match is_u && is_v {
                    true => before.one[beyond.index()],
                    false => !before.path(beyond, w),
                };
                if old == NO && other == YES {
                    return NO;
                }
                if [old, one, other] == [NO; 3] {
                    return x;
                }
                let new = self.fresh();
                let definition: [&[Term]; 5] =
                    [&[x, !old, new], &[x, old, !new], &[!x, one, other, new], &[!x, !one, !new], &[!x, !other, !new]];
                self.define(layer, new, &definition);
                new
            }
        }
    }

    fn fresh(&mut self) -> Term {
        self.variables += 1;
        Term::Literal(self.variables)
    }

    /// Adds a clause, without false constants and repeated literals. Returns its index; `None` if it is always true.
    fn clause(&mut self, terms: &[Term]) -> Option<usize> {
        let mut clause = Vec::with_capacity(terms.len());
        for &term in terms {
            match term {
                YES => return None,
                Term::Literal(literal) if clause.contains(&-literal) => return None,
                Term::Literal(literal) if !clause.contains(&literal) => clause.push(literal),
                _ => {}
            }
        }
        self.clauses.push(clause);
        Some(self.clauses.len() - 1)
    }

    fn rule(&mut self, layer: &mut Layer, terms: &[Term]) {
        layer.rules.extend(self.clause(terms));
    }

    /// Adds the definition of a new variable. If the term is a constant, the clauses are rules.
    fn define(&mut self, layer: &mut Layer, new: Term, definition: &[&[Term]]) {
        let clauses = definition.iter().filter_map(|terms| self.clause(terms));
        let clauses: Vec<_> = clauses.collect();
        match new {
            Term::Literal(variable) => layer.new.push((variable, clauses)),
            Term::Constant(_) => layer.rules.extend(clauses),
        }
    }
}
