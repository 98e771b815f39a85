//! Two-factors as clauses, in two forms: by edges, or by arcs, each of which is an edge with a direction.
//!
//! By edges there is a variable for each, and two of them are true at every vertex. By arcs there are two variables for
//! each edge, of which one is true at most, and at every vertex one of those that leave it and one of those that enter
//! it; turning a cycle around makes another model of the same 2-factor, so one vertex with its first neighbour is
//! passed in one direction only.
//!
//! A set of vertices that is neither empty nor all is left by a true edge, and by arcs entered as well. There the solver
//! learns of what passes *through* a set, and that pays where there are few ways to go: on cubic graphs of 180 to 900 vertices
//! (numbers 21 to 161 of the FHCP Challenge Set) it takes 7 to 120 rounds where by edges a thousand are not enough. On graphs
//! of more edges models by arcs take ten times as long.
//!
//! # References
//!
//! - T. Soh, D. Le Berre, S. Roussel, M. Banbara, N. Tamura: *Incremental SAT-Based Method with Native Boolean Cardinality
//!   Handling for the Hamiltonian Cycle Problem*, JELIA 2014: arcs.
//! - R. Ohashi, T. Soh and others: SAT 2025, LIPIcs 341, 24: cuts of both directions, one orientation.

use hamcnf_encodings::cnf::exactly_one::{AtMostOne, Cardinality};
use hamcnf_encodings::cnf::sink::{ClauseSink, Family};
use hamcnf_encodings::cnf::vars::Term;
use rustsat::types::{Lit, Var};

use super::super::degrees::degrees;
use super::super::edges::Edges;
use crate::solve::{Backend, SolveError};

/// What the variables are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Edges, by their numbers.
    Edges,
    /// Arcs: 2e from the lesser end of edge e to the greater, 2e + 1 back.
    Arcs,
}

impl Form {
    /// In the order of their turns.
    pub(super) const ALL: [Self; 2] = [Self::Edges, Self::Arcs];

    /// Adds the clauses of a 2-factor to a solver.
    pub(super) fn begin(self, edges: &Edges, solver: &mut impl Backend) -> Result<(), SolveError> {
        match self {
            Self::Edges => {
                let none = |_| Vec::new();
                degrees(edges, none, edges.len() as u32, |clause| solver.add(clause))?;
                Ok(())
            }
            Self::Arcs => {
                let mut sink = Sink {
                    solver,
                    error: None,
                };
                arcs(edges, &mut sink);
                sink.error.map_or(Ok(()), Err)
            }
        }
    }

    /// The variables of an edge, one of which is true where the edge is in the 2-factor.
    pub(super) fn of(self, edge: u32) -> impl Iterator<Item = Lit> {
        let (first, number) = match self {
            Self::Edges => (edge, 1),
            Self::Arcs => (2 * edge, 2),
        };
        (first..first + number).map(Lit::positive)
    }

    /// What has to hold as one of these edges, each given with its end outside, leaves a set of vertices: a clause for
    /// each direction.
    pub(super) fn leaves(self, edges: &Edges, leaving: &[(u32, u32)]) -> Vec<Vec<Lit>> {
        match self {
            Self::Edges => vec![
                leaving
                    .iter()
                    .map(|&(_, edge)| Lit::positive(edge))
                    .collect(),
            ],
            Self::Arcs => [from, to]
                .map(|arc| {
                    leaving
                        .iter()
                        .map(|&(w, edge)| arc(edges, edge, w))
                        .collect()
                })
                .into(),
        }
    }
}

/// The arc of an edge that leaves this one of its ends.
fn from(edges: &Edges, edge: u32, v: u32) -> Lit {
    Lit::positive(2 * edge + u32::from(edges.ends(edge)[0] != v))
}

/// The arc of an edge that enters this one of its ends.
fn to(edges: &Edges, edge: u32, v: u32) -> Lit {
    Lit::positive(2 * edge + u32::from(edges.ends(edge)[0] == v))
}

/// Exactly one arc leaves each vertex and one enters it, no edge is used in both directions, and a vertex of few edges is
/// left for an earlier neighbour than it is entered from.
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

/// A solver that takes clauses, and keeps its first error.
struct Sink<'s, B> {
    solver: &'s mut B,
    error: Option<SolveError>,
}

impl<B: Backend> ClauseSink for Sink<'_, B> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        if self.error.is_none() {
            self.error = self.solver.add(literals).err();
        }
    }
}
