//! Clauses for 2-factors in two forms: with variables for edges, or with variables for arcs, which are directed edges.
//!
//! In the first form, each edge has a variable, and two edges are true at every vertex. In the second form, each edge
//! has two variables, one for each arc, and at most one of them is true. One arc leaves every vertex, and one arc
//! enters it. Reversing a cycle gives another model of the same 2-factor. So the direction of one cycle is fixed at a
//! vertex v: in the list of neighbours of v, the vertex after v on the cycle precedes the vertex before v.
//!
//! The subtour-elimination constraints say that a true edge leaves a set of vertices. With arcs, one constraint says
//! that an arc leaves the set, and another that an arc enters it. So the solver with arcs learns about paths *through*
//! a set. This pays off if few paths are possible. Examples are the cubic graphs of 180 to 900 vertices with the
//! numbers 21 to 161 in the FHCP Challenge Set. Arcs need 7 to 120 iterations for them, and a thousand iterations with
//! edges are not enough. On graphs with more edges, finding a model takes ten times as long with arcs.
//!
//! # References
//!
//! - T. Soh, D. Le Berre, S. Roussel, M. Banbara, N. Tamura: *Incremental SAT-Based Method with Native Boolean
//!   Cardinality Handling for the Hamiltonian Cycle Problem*, JELIA 2014, for arcs.
//! - R. Ohashi, T. Soh and others: SAT 2025, LIPIcs 341, 24, for cuts of both directions and for a single orientation.

use hamcnf_encodings::cnf::exactly_one::{AtMostOne, Cardinality};
use hamcnf_encodings::cnf::sink::ClauseSink;
use hamcnf_encodings::cnf::vars::Term;
use rustsat::types::{Lit, Var};

use super::super::degrees::degrees;
use super::super::edges::Edges;
use hamcnf_sat::solve::{Cadical, SolveError};
use hamcnf_tours::UntilError;

/// Kind of object that each variable represents. Variables are numbered from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Edges. Variable k represents edge k.
    Edges,
    /// Arcs. For edge e, variable 2e represents the arc from the lesser end to the greater end, and variable 2e + 1
    /// represents the reverse arc.
    Arcs,
}

impl Form {
    /// Both forms, in the order in which their solvers take turns.
    pub(super) const ALL: [Self; 2] = [Self::Edges, Self::Arcs];

    /// Adds to the solver the clauses that require a 2-factor.
    pub(super) fn begin(self, edges: &Edges, solver: &mut Cadical<'_>) -> Result<(), SolveError> {
        match self {
            Self::Edges => {
                let none = |_| Vec::new();
                degrees(edges, none, edges.len() as u32, |clause| solver.add(clause))?;
                Ok(())
            }
            Self::Arcs => {
                let mut sink = UntilError::new(|clause: &[Lit]| solver.add(clause));
                arcs(edges, &mut sink);
                sink.ended
            }
        }
    }

    /// Returns the variables of an edge. The edge is in the 2-factor exactly if one of them is true.
    pub(super) fn of(self, edge: u32) -> impl Iterator<Item = Lit> {
        let (first, number) = match self {
            Self::Edges => (edge, 1),
            Self::Arcs => (2 * edge, 2),
        };
        (first..first + number).map(Lit::positive)
    }

    /// Returns clauses that require at least one true edge between a set of vertices and the other vertices. With arcs,
    /// one clause requires an arc that leaves the set, and another an arc that enters it. `leaving` contains the edges
    /// between the set and the other vertices, each preceded by its end outside the set.
    pub(super) fn leaves(self, edges: &Edges, leaving: &[(u32, u32)]) -> Vec<Vec<Lit>> {
        match self {
            Self::Edges => vec![leaving.iter().map(|&(_, edge)| Lit::positive(edge)).collect()],
            Self::Arcs => [from, to].map(|arc| leaving.iter().map(|&(w, edge)| arc(edges, edge, w)).collect()).into(),
        }
    }
}

/// Returns the variable of the arc that goes from `v` along an edge.
fn from(edges: &Edges, edge: u32, v: u32) -> Lit {
    Lit::positive(2 * edge + u32::from(edges.ends(edge)[0] != v))
}

/// Returns the variable of the arc that goes to `v` along an edge.
fn to(edges: &Edges, edge: u32, v: u32) -> Lit {
    Lit::positive(2 * edge + u32::from(edges.ends(edge)[0] == v))
}

/// Adds the clauses over arcs: at each vertex exactly one arc leaves and exactly one arc enters, and no edge is used in
/// both directions. To fix the direction of one cycle, a vertex v with the fewest edges is chosen. On its cycle, the
/// vertex after v must precede the vertex before v in the list of neighbours.
fn arcs(edges: &Edges, out: &mut dyn ClauseSink) {
    let mut one = Cardinality::new(AtMostOne::Sparing, Var::new(2 * edges.len() as u32));
    for edge in 0..edges.len() as u32 {
        let mut both = Form::Arcs.of(edge);
        if let (Some(there), Some(back)) = (both.next(), both.next()) {
            out.clause(&[!there, !back]);
        }
    }
    let vertices = 0..edges.n_vertices() as u32;
    for v in vertices.clone() {
        for arc in [from, to] {
            let at = edges.at(v).iter();
            one.exactly_one(at.map(|&(_, edge)| Term::Lit(arc(edges, edge, v))), out);
        }
    }
    if let Some(v) = vertices.min_by_key(|&v| edges.at(v).len()) {
        let at = edges.at(v);
        for (k, &(_, edge)) in at.iter().enumerate() {
            let mut clause = vec![!to(edges, edge, v)];
            clause.extend(at[..k].iter().map(|&(_, before)| from(edges, before, v)));
            out.clause(&clause);
        }
    }
}
