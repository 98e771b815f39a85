//! Forbidden edges and arcs: no tour uses them.
//!
//! `forbid a1-c2` forbids the edge between a1 and c2. `forbid 'a1->c2'` forbids only the arc from a1 to c2; this
//! constraint is directional. Forbidden edges and arcs are removed from the graph, so this constraint has no clauses,
//! and every encoding and every method supports it.

use std::sync::Arc as Shared;

use rustsat::types::Var;

use super::force::moves;
use super::literals::Literals;
use super::{Constraint, ConstraintKind};
use crate::forced::Forced;
use crate::instance::{Instance, TourKind};
use crate::sequence::Sequence;
use crate::sink::ClauseSink;
use hamcnf_graph::graph::Vertex;

const NAME: &str = "forbid";

/// Kind of the constraints that forbid edges and arcs.
pub const KIND: ConstraintKind = ConstraintKind {
    name: NAME,
    value: "MOVES",
    summary: "do not use these moves: an edge a1-c2, an arc 'a1->c2', or a path",
    parse: |text, context| {
        let moves = moves(text, context, NAME)?;
        let all = moves.into_iter();
        Ok(all.map(|moves| Shared::new(Forbid(moves)) as _).collect())
    },
};

/// Constraint that forbids an edge or an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Forbid(Forced);

impl Constraint for Forbid {
    fn name(&self) -> &'static str {
        NAME
    }

    fn value(&self, instance: &Instance) -> String {
        self.0.text(instance)
    }

    fn is_directional(&self) -> bool {
        self.0.is_arc
    }

    fn forbidden(&self) -> Vec<(Vertex, Vertex)> {
        let Forced { tail, head, is_arc } = self.0;
        if is_arc { vec![(tail, head)] } else { vec![(tail, head), (head, tail)] }
    }

    fn forced(&self) -> Option<Vec<Forced>> {
        Some(Vec::new())
    }

    fn holds(&self, tour: &Sequence, kind: TourKind) -> bool {
        let forbidden = self.forbidden();
        tour.moves(kind).all(|arc| !forbidden.contains(&arc))
    }

    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint> {
        Shared::new(Self(self.0.relabelled(new)))
    }

    fn extended(&self) -> Shared<dyn Constraint> {
        Shared::new(*self)
    }

    fn fits(&self, _: &dyn Literals) -> bool {
        true
    }

    fn emit(&self, _: &dyn Literals, _: Var, _: &mut dyn ClauseSink) {}
}
