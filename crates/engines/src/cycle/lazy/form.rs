//! 2-factors as clauses in two forms: with edges, or with arcs, which are edges with a direction.
//!
//! With edges there is a variable for each edge, and two edges are true at every vertex. With arcs there are two variables
//! for each edge, of which at most one is true, and at every vertex one arc leaves and one arc enters. Reversing a cycle gives
//! another model of the same 2-factor, so one vertex is passed in one direction only, by the order of its neighbours.
//!
//! A true edge leaves every set of vertices that is neither empty nor complete; with arcs, another arc enters it. So the
//! solver with arcs learns what passes *through* a set, which pays off if there are few ways to go. On cubic graphs of 180 to
//! 900 vertices (numbers 21 to 161 of the FHCP Challenge Set), arcs take 7 to 120 iterations, and a thousand iterations with
//! edges are not enough. On graphs with more edges, models with arcs take ten times as long.
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

/// Meaning of the variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// Edges, by their numbers.
    Edges,
    /// Arcs: for edge e, arc 2e from the lesser end to the greater, and arc 2e + 1 back.
    Arcs,
}

impl Form {
    /// Both forms, in the order of their turns.
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

    /// Returns the variables of an edge, one of which is true if the edge is in the 2-factor.
    pub(super) fn of(self, edge: u32) -> impl Iterator<Item = Lit> {
        let (first, number) = match self {
            Self::Edges => (edge, 1),
            Self::Arcs => (2 * edge, 2),
        };
        (first..first + number).map(Lit::positive)
    }

    /// Returns the clauses that require one of the given edges to leave a set of vertices, one clause per direction. Each edge is
    /// given with its end outside the set.
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

/// Returns the arc of an edge that leaves its end `v`.
fn from(edges: &Edges, edge: u32, v: u32) -> Lit {
    Lit::positive(2 * edge + u32::from(edges.ends(edge)[0] != v))
}

/// Returns the arc of an edge that enters its end `v`.
fn to(edges: &Edges, edge: u32, v: u32) -> Lit {
    Lit::positive(2 * edge + u32::from(edges.ends(edge)[0] == v))
}

/// Adds the clauses over arcs: exactly one arc leaves each vertex and one enters it, and no edge is used in both directions.
/// To fix the direction, a vertex with the fewest edges is left for an earlier neighbour than it is entered from.
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

/// Clause sink that passes clauses to a solver and keeps the first error.
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
