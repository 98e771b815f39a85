//! Proofs by the propagator for circuits, with a derivation of every clause that the propagator adds.
//!
//! The propagator's variables stand for edges, and the formula's variables for arcs. So the proof begins by defining a
//! variable for each edge,
//!
//! ```text
//! E_ij ↔ H_ij ∨ H_ji
//! ```
//!
//! and derives from the clauses about arcs that exactly two edges are true at every vertex. Of any three edges at a
//! vertex, one is false: if the tour used an outgoing arc of the first edge, it would use incoming arcs of both others.
//! For larger degrees, variables count the edges: a_i means that at least one of the first i edges is true, and b_i
//! that at least two are true. b_i implies that an arc of these edges leaves the vertex and another enters it, so no
//! arc of a third edge is used.
//!
//! The propagator adds two kinds of reason clauses. Let C be a reason clause:
//!
//! - Under ¬C, no edge leaves some set of vertices. Then C is derived like a cut, see [`derived`](super::derived).
//! - Under ¬C, a single vertex a connects the set S with the other vertices R. Of the sets S and R, let X be the set
//!   without the start, and Y the other set. Some arc enters X, which gives C ∨ ⋁ H_ax. Some arc leaves X together
//!   with a, which gives C ∨ ⋁ H_ay. If a is the start, some arc enters Y instead, which gives the same clause. But a
//!   has only one successor, which gives C ∨ ¬H_ay for every y, and so C.

use hamcnf_encodings::cnf::exactly_two::FEW;
use hamcnf_encodings::derivation::Lacking;
use hamcnf_encodings::{Clauses, Formula};
use hamcnf_graph::Vertex;
use hamcnf_tours::{Tour, TourKind};
use rustsat::types::Lit;

use super::derived::Deriver;
use super::{Refutation, without_cuts};
use hamcnf_cycle::Found;
use hamcnf_cycle::edges::Edges;
use hamcnf_cycle::propagator::{self, Network};
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_sat::proof::SharedLog;
use hamcnf_sat::solve::SolveError;

/// Solves an instance of closed tours with the propagator. `proof` is the log of a proof from the clauses of `formula`.
/// The encoding must have order (precedence) variables, and must not relabel the vertices.
///
/// # Errors
///
/// [`SolveError`] if the tours are open, no cut can be derived from the formula, or memory runs out.
///
/// # Panics
///
/// Panics if the propagator accepts a model that is not a cycle, which would be an error in this program.
pub fn solve(
    formula: &Formula,
    proof: &SharedLog,
    options: &propagator::Options,
    limits: propagator::Limits,
    budget: &Budget,
) -> Result<(Refutation, propagator::PropagatorStatistics), SolveError> {
    let instance = formula.instance();
    let unfit = || without_cuts(formula);
    if instance.kind() != TourKind::Closed {
        return Err(unfit());
    }
    let network = Network::of(instance.graph());
    let first = formula.n_vars();
    // Upper bound on the number of variables that stand for edges or count the edges at a vertex.
    let most_variables = 5 * network.edges().len() as u32;
    let mut circuit = Circuit {
        formula,
        edges: network.edges().clone(),
        deriver: Deriver::new(formula, proof.clone(), first + most_variables).ok_or_else(unfit)?,
        first,
        start: instance.start(),
    };
    circuit.define_edges();
    let last = circuit.derive_degrees();
    proof.lock().name((0..last).map(|index| Lit::positive(first + index).to_ipasir()).collect());
    proof.lock().keep();
    let edges = network.edges().clone();
    let justify = Box::new(|set: &[u32], by, clause: &[i32]| circuit.justify(set, by, clause));
    let tracing = propagator::Tracing { log: proof.clone(), justify };
    let (searched, statistics) = propagator::search(network, &[], &[], options, limits, budget, Some(tracing));
    let outcome = match searched {
        Found::NoCycle => Refutation::NoTour,
        Found::Cycle(values) => {
            let cycle = edges.cycle(|edge| values[edge as usize]);
            let mut order = cycle.expect("the propagator accepts only cycles");
            let start = order.iter().position(|&v| v == instance.start());
            order.rotate_left(start.unwrap_or(0));
            Refutation::Tour(Tour::check(instance, order)?)
        }
        Found::Unknown(Stopped::Memory) => return Err(SolveError::OutOfMemory),
        Found::Unknown(Stopped::GaveUp) => Refutation::GaveUp,
        Found::Unknown(_) => Refutation::Stopped,
    };
    Ok((outcome, statistics))
}

/// State for deriving the clauses that the circuit propagator adds.
struct Circuit<'f> {
    formula: &'f Formula,
    edges: Edges,
    deriver: Deriver<'f>,
    /// Variable of the first edge. The variables of the other edges follow in order.
    first: u32,
    start: Vertex,
}

impl Circuit<'_> {
    fn edge(&self, edge: u32) -> Lit {
        Lit::positive(self.first + edge)
    }

    /// Converts a literal of the propagator into a literal of the proof.
    fn literal(&self, literal: i32) -> Lit {
        Lit::new(self.first + literal.unsigned_abs() - 1, literal < 0)
    }

    fn arc(&self, from: u32, to: u32) -> Lit {
        let arc = self.formula.arc(Vertex::new(from), Vertex::new(to));
        arc.expect("every edge has arc variables")
    }

    /// Defines the edge variables by E_ij ↔ H_ij ∨ H_ji.
    fn define_edges(&mut self) {
        for edge in 0..self.edges.len() as u32 {
            let [i, j] = self.edges.ends(edge);
            let (e, there, back) = (self.edge(edge), self.arc(i, j), self.arc(j, i));
            let definition = [vec![!e, there, back], vec![e, !there], vec![e, !back]];
            self.deriver.define(&definition);
        }
    }

    /// Derives that exactly two edges are true at every vertex. Uses the clauses and variables of
    /// [`degrees`](hamcnf_cycle::degrees). Returns the number of variables, including the edge variables.
    fn derive_degrees(&mut self) -> u32 {
        let mut last = self.edges.len() as u32;
        for v in 0..self.edges.n_vertices() as u32 {
            let at: Vec<At> = self
                .edges
                .at(v)
                .iter()
                .map(|&(w, edge)| At { e: self.edge(edge), out: self.arc(v, w), into: self.arc(w, v) })
                .collect();
            if at.len() > FEW {
                self.counted(&at, &mut last);
            } else {
                self.one_by_one(&at);
            }
        }
        last
    }

    /// Derives two kinds of clauses for the edges at a vertex: at-most-two clauses (of any three edges, one is false)
    /// and at-least-two clauses (of all edges but one, one is true).
    fn one_by_one(&mut self, at: &[At]) {
        for i in 0..at.len() {
            let others: Vec<Lit> = at[..i].iter().chain(&at[i + 1..]).map(|at| at.e).collect();
            self.deriver.conclude(&[], &others);
            for j in i + 1..at.len() {
                for k in j + 1..at.len() {
                    let three = [!at[i].e, !at[j].e, !at[k].e];
                    let leaves = vec![three[0], three[1], three[2], !at[i].out];
                    self.deriver.conclude(&[leaves], &three);
                }
            }
        }
    }

    /// Defines variables a_i and b_i that count the edges at a vertex, and derives from them that exactly two of the
    /// edges are true.
    fn counted(&mut self, at: &[At], last: &mut u32) {
        let first = self.first;
        let mut fresh = || {
            *last += 1;
            Lit::positive(first + *last - 1)
        };
        let d = at.len();
        let (mut one, mut two) = (at[0].e, None::<Lit>);
        for i in 1..d - 1 {
            let x = at[i].e;
            let (either, both) = (fresh(), fresh());
            // a_i ↔ a_{i−1} ∨ x_i
            let first = [vec![either, !one], vec![either, !x], vec![!either, one, x]];
            self.deriver.define(&first);
            // b_i ↔ b_{i−1} ∨ (a_{i−1} ∧ x_i)
            let mut second = vec![vec![both, !one, !x]];
            if let Some(two) = two {
                self.not_a_third(two, &at[..i], at[i]);
                second.extend([vec![both, !two], vec![!both, two, one], vec![!both, two, x]]);
            } else {
                second.extend([vec![!both, one], vec![!both, x]]);
            }
            self.deriver.define(&second);
            // b_i → some arc of the first i edges leaves the vertex, and some arc of these edges enters it.
            let arcs: [fn(&At) -> Lit; 2] = [|at| at.out, |at| at.into];
            for arc in arcs {
                let some: Vec<Lit> = [!both].into_iter().chain(at[..=i].iter().map(arc)).collect();
                self.deriver.conclude(&[], &some);
            }
            (one, two) = (either, Some(both));
        }
        let two = two.expect("the degree is large enough for a counter");
        let x = at[d - 1].e;
        self.not_a_third(two, &at[..d - 1], at[d - 1]);
        self.deriver.conclude(&[], &[two, one]);
        // Suppose that the last edge is false. If an arc of another edge leaves the vertex, an arc of a further edge
        // enters it.
        let leaves: Vec<_> = at[..d - 1].iter().map(|other| vec![two, x, !other.out]).collect();
        self.deriver.conclude(&leaves, &[two, x]);
    }

    /// Derives ¬(b_{i−1} ∧ x_i): if two of the edges in `before` are true, the edge `third` is false.
    fn not_a_third(&mut self, two: Lit, before: &[At], third: At) {
        debug_assert!(before.len() > 1, "two are true of these");
        let lemmas = [third.out, third.into].map(|arc| vec![!two, !arc]);
        self.deriver.conclude(&lemmas, &[!two, !third.e]);
    }
}

/// Edge at a vertex, with its two arcs.
#[derive(Clone, Copy)]
struct At {
    e: Lit,
    out: Lit,
    into: Lit,
}

impl Circuit<'_> {
    /// Writes the derivation of a clause of the [propagator](propagator::Justify).
    fn justify(&mut self, set: &[u32], by: Option<u32>, clause: &[i32]) {
        let clause: Vec<Lit> = clause.iter().map(|&literal| self.literal(literal)).collect();
        let n = self.edges.n_vertices();
        let mut inside = vec![false; n];
        for &v in set {
            inside[v as usize] = true;
        }
        let all = || (0..n as u32).map(Vertex::new);
        let here: Vec<Vertex> = all().filter(|v| inside[v.index()]).collect();
        let by = by.map(Vertex::new);
        let there: Vec<Vertex> = all().filter(|v| !inside[v.index()] && Some(*v) != by).collect();
        let (mut x, y) = if here.contains(&self.start) { (there, here) } else { (here, there) };
        let Some(a) = by else {
            self.deriver.derive(&x, Lacking::Leaving, &clause);
            self.deriver.keep(&clause);
            return;
        };
        let to = |ends: &[Vertex]| -> Vec<Lit> { ends.iter().filter_map(|&v| self.formula.arc(a, v)).collect() };
        let (to_x, to_y) = (to(&x), to(&y));
        let with = |arcs: &[Lit]| -> Vec<Lit> { clause.iter().chain(arcs).copied().collect() };
        let (enters_x, enters_y) = (with(&to_x), with(&to_y));
        self.deriver.derive(&x, Lacking::Entering, &enters_x);
        if a == self.start {
            self.deriver.derive(&y, Lacking::Entering, &enters_y);
        } else {
            x.push(a);
            self.deriver.derive(&x, Lacking::Leaving, &enters_y);
        }
        let lemmas: Vec<Vec<Lit>> = to_y.iter().map(|&arc| with(&[!arc])).collect();
        for lemma in &lemmas {
            self.deriver.add(lemma);
        }
        self.deriver.add(&clause);
        for derived in lemmas.iter().chain([&enters_x, &enters_y]) {
            self.deriver.delete(derived);
        }
        self.deriver.keep(&clause);
    }
}
