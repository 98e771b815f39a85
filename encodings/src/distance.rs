//! What the distance encodings share: the paper's section 3.2 up to the choice of a counter.
//!
//! H_ij says that the tour goes from i to j. Every vertex has exactly one successor and one predecessor:
//!
//! - (1) Σ_j H_ij = 1 for every i
//! - (2) Σ_i H_ij = 1 for every j
//!
//! That alone allows several cycles. Positions that count up along arcs, except into the start, exclude all
//! cycles but the one through the start; how they are represented is what the encodings differ in.
//!
//! Exactly one of k arcs takes 1 + k(k − 1)/2 clauses, pairwise.

use rustsat::types::Assignment;

use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{ArcVars, Term};
use crate::encode::holds;
use crate::problem::graph::Vertex;
use crate::problem::instance::Instance;
use crate::problem::tour::{NotATour, Tour};

/// (1)
pub const SUCCESSOR: Family = Family {
    label: "(1)",
    says: "every vertex has exactly one successor",
};
/// (2)
pub const PREDECESSOR: Family = Family {
    label: "(2)",
    says: "every vertex has exactly one predecessor",
};

/// Counts the auxiliary variables of (1) and (2).
pub fn count_auxiliary(instance: &Instance, h: &ArcVars, count: &mut AuxiliaryCount) {
    for v in instance.graph().vertices() {
        count.constraint(|| h.successors(instance, v).count());
        count.constraint(|| h.predecessors(instance, v).count());
    }
}

/// Emits (1) and (2).
pub fn emit<S: ClauseSink>(instance: &Instance, h: &ArcVars, card: &mut Cardinality, out: &mut S) {
    // (1) Σ_j H_ij = 1
    out.family(SUCCESSOR);
    for i in instance.graph().vertices() {
        card.exactly_one(
            h.successors(instance, i).map(|(_, h_ij)| Term::Lit(h_ij)),
            out,
        );
    }
    // (2) Σ_i H_ij = 1
    out.family(PREDECESSOR);
    for j in instance.graph().vertices() {
        card.exactly_one(
            h.predecessors(instance, j).map(|(_, h_ij)| Term::Lit(h_ij)),
            out,
        );
    }
}

/// H_sv and H_vs for a neighbour v of the start s, which (O) is about.
pub fn ends(instance: &Instance, h: &ArcVars, v: Vertex) -> [Term; 2] {
    let (graph, start) = (instance.graph(), instance.start());
    let arc = |from, to| {
        let arc = graph
            .arc(from, to)
            .and_then(|id| graph.arc_with(id.number()));
        arc.map_or(Term::False, |arc| Term::Lit(h.lit(arc)))
    };
    [arc(start, v), arc(v, start)]
}

/// The tour along the true arcs of a model, from the start on.
///
/// # Errors
///
/// [`NotATour`] for the first vertex without exactly one true arc out of it, and for the first wrong move.
pub fn follow(instance: &Instance, h: &ArcVars, model: &Assignment) -> Result<Tour, NotATour> {
    let start = instance.start();
    let mut order = vec![start];
    let mut from = start;
    for number in 1..instance.n() as usize {
        let successors: Vec<_> = h
            .successors(instance, from)
            .filter(|&(_, l)| holds(model, Term::Lit(l)))
            .map(|(head, _)| head)
            .collect();
        let &[to] = successors.as_slice() else {
            return Err(NotATour::NoSuccessor {
                number: number - 1,
                from: instance.vertex_name(from),
                found: successors.len(),
            });
        };
        if to == start {
            return Err(NotATour::Repeated {
                number,
                from: instance.vertex_name(from),
                to: instance.vertex_name(to),
                first: 0,
            });
        }
        order.push(to);
        from = to;
    }
    Tour::check(instance, order)
}
