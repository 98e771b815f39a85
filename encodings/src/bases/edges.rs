//! Degree constraints over edges. For closed tours, the models are the covers of the graph by undirected cycles, its
//! 2-factors.
//!
//! E_ij says that the edge between i and j is on the tour, in either direction. Every vertex has exactly two such
//! edges:
//!
//! - (E2) Σ_j E_ij = 2 for every i
//!
//! An open tour has one edge at the start and one at its last vertex. L_v says that v is the last vertex:
//!
//! - (E1) Σ_j E_sj = 1
//! - (L) Σ_v L_v = 1 for v ≠ s
//! - (E2) Σ_j E_ij + L_i = 2 for every i ≠ s
//!
//! If the tours are read [backwards](hamcnf_tours::fixed_start), L_v is called F_v: v is the first vertex.
//!
//! These constraints allow several cycles, or a path from the start together with cycles, so the encoding is relaxed.
//! If no edge of a model leaves a set of vertices, a subtour-elimination constraint ("cut") requires that some edge
//! leaves the set. A closed tour then leaves the set at least twice, because every cycle crosses the boundary of a set
//! an even number of times.
//!
//! Compared with [`arcs`](super::arcs) without positions, this encoding has half as many variables, and one model of a
//! closed tour instead of two. Cuts are weaker: they do not require that a set is left *and* entered. On most graphs
//! the saved variables outweigh this, in particular if many vertices have a low degree.
//!
//! # Size
//!
//! For a vertex with d literals (its edges, and L_i), "exactly two" takes the clauses of
//! [`exactly_two`](crate::cnf::exactly_two): d + d(d − 1)(d − 2)/6 clauses for d from two to six, and 8d − 15 clauses
//! and 2(d − 2) variables above six. In addition, a closed tour has E variables, and an open tour E + N − 1. An open
//! tour also takes "exactly one" of the start's edges, and "exactly one" of N − 1 vertices.
//!
//! # References
//!
//! - G. Dantzig, R. Fulkerson, S. Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, Operations Research
//!   2, 1954: degree constraints over edges, and cuts that are added when a solution violates them.
//! - T. Soh, D. Le Berre, S. Roussel, M. Banbara, N. Tamura: *Incremental SAT-Based Method with Native Boolean
//!   Cardinality Handling for the Hamiltonian Cycle Problem*, JELIA 2014.

use rustsat::types::{Lit, Var};

use crate::base::{Encode, Encoded, Plan, Unfit};
use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::model::Model;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, AtLeast, Block, CountVars, EdgeVars, LastVars, Term};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::{Instance, TourKind};
use hamcnf_tours::sequence::Sequence;
use hamcnf_tours::tour::NotATour;

/// Clause family (E2): two edges at a vertex.
pub const TWO_EDGES: Family =
    Family { label: "(E2)", says: "every vertex has exactly two edges, but the last of an open tour has one" };
/// Clause family (E1): one edge at the start of an open tour.
pub const ONE_EDGE: Family = Family { label: "(E1)", says: "the start of an open tour has exactly one edge" };
/// Clause family (L): one last vertex of an open tour.
pub const LAST: Family = Family { label: "(L)", says: "exactly one vertex is the last of an open tour" };

/// The `edges` base encoding: degree constraints over undirected edges, two at every vertex.
#[derive(Clone, Copy, Debug)]
pub struct Edges;

impl Encode for Edges {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Encoded>, Unfit> {
        if instance.is_directed() {
            return Err(Unfit::Directed);
        }
        let e = EdgeVars::new(instance, variables);
        let last = match instance.kind() {
            TourKind::Closed => None,
            TourKind::Open => Some(LastVars::new(instance, variables)),
        };
        let literals = instance.graph().vertices().map(|v| {
            let degree = instance.graph().neighbours(v).len();
            match last {
                None => degree,
                Some(_) if v == instance.start() => 0,
                Some(_) => degree + 1,
            }
        });
        let counting = CountVars::new(literals, variables);
        let mut auxiliary = AuxiliaryCount::new(plan.at_most_one);
        if last.is_some() {
            let at_start = instance.graph().neighbours(instance.start()).len();
            auxiliary.constraint(|| at_start);
            auxiliary.constraint(|| instance.n() as usize - 1);
        }
        let first_auxiliary = Var::new(variables.fits()?);
        variables.take(auxiliary.total());
        Ok(Box::new(EncodedEdges {
            instance: instance.clone(),
            plan: plan.clone(),
            e,
            last,
            counting,
            first_auxiliary,
        }))
    }
}

/// Formula of an instance in the [`Edges`] encoding. Its variables are, in this order, the edge variables E, the
/// last-vertex variables L, the counting variables of the degree constraints, and the auxiliary variables.
#[derive(Debug)]
struct EncodedEdges {
    instance: Instance,
    plan: Plan,
    e: EdgeVars,
    /// Variables L_v, which say that v is the last vertex; `None` for closed tours.
    last: Option<LastVars>,
    counting: CountVars,
    first_auxiliary: Var,
}

impl EncodedEdges {
    /// Returns the literals in the constraint (E2) of a vertex: one literal for each edge at the vertex and, for open
    /// tours, L_v. On every tour, exactly two of these literals are true. `v` must not be the start of an open tour.
    fn at(&self, v: Vertex) -> Vec<Lit> {
        let mut literals: Vec<Lit> = self.e.at(&self.instance, v).map(|(_, e)| e).collect();
        if let Some(Term::Lit(is_last)) = self.last.as_ref().map(|last| last.is(v)) {
            literals.push(is_last);
        }
        literals
    }

    fn wrong_degree(&self, v: Vertex, found: usize, expected: usize) -> NotATour {
        let vertex = self.instance.vertex_name(v);
        NotATour::new(format!("the model has {found} edges at {vertex} instead of {expected}"))
    }
}

impl Encoded for EncodedEdges {
    fn instance(&self) -> &Instance {
        &self.instance
    }

    fn emit(&self, out: &mut dyn ClauseSink) {
        let (instance, start) = (&self.instance, self.instance.start());
        let mut card = Cardinality::new(self.plan.at_most_one, self.first_auxiliary);
        if let Some(last) = &self.last {
            // (E1) Σ_j E_sj = 1
            out.family(ONE_EDGE);
            let at_start = self.e.at(instance, start);
            card.exactly_one(at_start.map(|(_, e)| Term::Lit(e)), out);
            // (L) Σ_v L_v = 1 for v ≠ s
            out.family(LAST);
            card.exactly_one(instance.others().map(|v| last.is(v)), out);
        }
        // (E2) Σ_j E_ij + L_i = 2
        out.family(TWO_EDGES);
        for i in instance.graph().vertices() {
            if self.last.is_none() || i != start {
                card.exactly_two(self.at(i), &[], self.counting.at(i), out);
            }
        }
    }

    fn support(&self) -> Block {
        self.e.block()
    }

    fn is_exact(&self) -> bool {
        false
    }

    fn edges(&self) -> Option<&EdgeVars> {
        Some(&self.e)
    }

    fn ends(&self, _: Vertex) -> Option<[Term; 2]> {
        None
    }

    fn meaning(&self, var: Var) -> Option<String> {
        let name = |v| self.instance.vertex_name(v);
        let last = || {
            let v = self.last.as_ref()?.meaning(var)?;
            let letter = if self.instance.is_backward() { 'F' } else { 'L' };
            Some(format!("{letter}({})", name(v)))
        };
        let counts = || {
            let AtLeast { vertex, of_first, at_least } = self.counting.meaning(var)?;
            let letter = if at_least == 1 { 'A' } else { 'B' };
            Some(format!("{letter}({},{of_first})", name(vertex)))
        };
        let edge = self.e.meaning(&self.instance, var);
        edge.or_else(last).or_else(counts)
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        if let Some(value) = self.e.value(&self.instance, sequence, var) {
            return Some(value);
        }
        if let Some(v) = self.last.as_ref().and_then(|last| last.meaning(var)) {
            return Some(sequence.position(v) + 1 == self.instance.n());
        }
        let AtLeast { vertex, of_first, at_least } = self.counting.meaning(var)?;
        let literals = self.at(vertex).into_iter().take(of_first as usize);
        let is_true = |l: &Lit| self.value(sequence, l.var()) == Some(true);
        Some(literals.filter(is_true).count() >= at_least as usize)
    }

    fn read(&self, model: &Model) -> Result<Vec<Vec<Vertex>>, NotATour> {
        let (instance, n) = (&self.instance, self.instance.n());
        let mut near: Vec<Vec<Vertex>> = vec![Vec::new(); n as usize];
        for (edge, _) in self.e.iter().filter(|&(_, e)| model.holds(e)) {
            near[edge.tail.index()].push(edge.head);
            near[edge.head.index()].push(edge.tail);
        }
        let mut expected = vec![2; n as usize];
        if let Some(last) = &self.last {
            let is_last = |v: &Vertex| crate::base::holds(model, last.is(*v));
            let found: Vec<Vertex> = instance.others().filter(is_last).collect();
            let [last] = found[..] else {
                return Err(NotATour::not_one_at(n - 1, found.len()));
            };
            expected[instance.start().index()] = 1;
            expected[last.index()] = 1;
        }
        for v in instance.graph().vertices() {
            let (found, expected) = (near[v.index()].len(), expected[v.index()]);
            if found != expected {
                return Err(self.wrong_degree(v, found, expected));
            }
        }
        // The edges form cycles, and perhaps a path from the start. Each cycle is traversed towards the lesser
        // neighbour of its first vertex.
        let mut left = vec![true; n as usize];
        let mut cycles = Vec::new();
        for first in std::iter::once(instance.start()).chain(instance.others()) {
            let mut cycle = Vec::new();
            let mut next = left[first.index()].then_some(first);
            while let Some(here) = next {
                left[here.index()] = false;
                cycle.push(here);
                next = near[here.index()].iter().copied().find(|w| left[w.index()]);
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        Ok(cycles)
    }

    fn models_per_tour(&self) -> u32 {
        1
    }

    fn admits(&self, sequence: &Sequence) -> bool {
        let order = sequence.order();
        self.instance.kind() == TourKind::Open || order[1] < order[order.len() - 1]
    }
}
