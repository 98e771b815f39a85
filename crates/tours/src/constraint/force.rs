//! Forced edges and arcs: every tour uses them.
//!
//! `force a1-c2` forces the edge between a1 and c2, which tours may use in either direction, and `force a1-c2-e3`
//! forces two edges. `force 'a1->c2'` forces an arc: tours go from a1 to c2. A constraint on an arc is directional.
//!
//! # Clauses
//!
//! With arc variables H_uv or edge variables E_uv:
//!
//! - (F) E_uv, or H_uv ∨ H_vu, for a forced edge; H_uv for a forced arc: 1 clause
//!
//! With one variable V_up for each vertex and position, where positions are counted modulo N on closed tours:
//!
//! - (F) V_up → V_v,p+1 ∨ V_v,p−1 for a forced edge and every p; V_up → V_v,p+1 for a forced arc: N clauses
//!
//! # Graph
//!
//! Methods without clauses work on a graph in which a new vertex subdivides the edge or arc: see [`crate::forced`].

use std::sync::Arc as Shared;

use rustsat::types::Var;

use super::literals::{Literals, has_moves, next, only_term};
use super::{Constraint, ConstraintError, ConstraintKind, Context};
use crate::forced::Forced;
use crate::instance::{Instance, TourKind};
use crate::sequence::Sequence;
use crate::sink::{ClauseSink, Disjunction, Family};
use hamcnf_graph::graph::Vertex;

const NAME: &str = "force";
const FORM: &str = "an edge U-V, an arc U->V, or several in a row, such as a1-c2-e3";

/// Kind of the constraints that force edges and arcs.
pub const KIND: ConstraintKind = ConstraintKind {
    name: NAME,
    value: "MOVES",
    summary: "use these moves: an edge a1-c2, an arc 'a1->c2', or a path a1-c2-e3",
    parse: |text, context| {
        let moves = moves(text, context, NAME)?;
        let all = moves.into_iter();
        Ok(all.map(|forced| Shared::new(Force(forced)) as _).collect())
    },
};

/// Clause family (F): forced edges and arcs.
pub const FORCED: Family = Family { label: "(F)", says: "forced moves are on the tour" };

/// Parses edges and arcs. All of them must be in the graph.
pub(super) fn moves(text: &str, context: &Context<'_>, name: &'static str) -> Result<Vec<Forced>, ConstraintError> {
    let (separator, is_arc) = if text.contains("->") { ("->", true) } else { ("-", false) };
    let wrong = || ConstraintError::form(name, text, FORM);
    if !text.contains(separator) {
        return Err(wrong());
    }
    let path = context.vertices(text, separator)?;
    if path.len() < 2 {
        return Err(wrong());
    }
    let digraph = context.instance.digraph();
    let pairs = path.windows(2).map(|pair| Forced { tail: pair[0], head: pair[1], is_arc });
    let checked = pairs.map(|forced| {
        let Forced { tail, head, .. } = forced;
        let there = digraph.arc(tail, head).is_some();
        let back = !is_arc && digraph.arc(head, tail).is_some();
        let [from, to] = [tail, head].map(|v| context.instance.vertex_name(v));
        match there || back {
            true => Ok(forced),
            false if is_arc => Err(ConstraintError(format!("no arc leads from {from} to {to}"))),
            false => Err(ConstraintError(format!("{from} and {to} are not adjacent"))),
        }
    });
    checked.collect()
}

/// Constraint that forces an edge or an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Force(Forced);

impl Constraint for Force {
    fn name(&self) -> &'static str {
        NAME
    }

    fn value(&self, instance: &Instance) -> String {
        self.0.text(instance)
    }

    fn is_directional(&self) -> bool {
        self.0.is_arc
    }

    fn forced(&self) -> Option<Vec<Forced>> {
        Some(vec![self.0])
    }

    fn holds(&self, tour: &Sequence, kind: TourKind) -> bool {
        let Forced { tail, head, is_arc } = self.0;
        is_move(tour, kind, tail, head) || !is_arc && is_move(tour, kind, head, tail)
    }

    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint> {
        Shared::new(Self(self.0.relabelled(new)))
    }

    fn extended(&self) -> Shared<dyn Constraint> {
        Shared::new(*self)
    }

    fn fits(&self, literals: &dyn Literals) -> bool {
        let v = literals.instance().start();
        has_moves(literals) && !(self.0.is_arc && literals.edge(v, v).is_some() && literals.arc(v, v).is_none())
    }

    fn emit(&self, literals: &dyn Literals, _: Var, out: &mut dyn ClauseSink) {
        let Forced { tail: u, head: v, is_arc } = self.0;
        let mut clause = Disjunction::default();
        out.family(FORCED);
        if let Some(edge) = literals.edge(u, v).filter(|_| !is_arc) {
            // (F) E_uv
            clause.or(edge).emit(out);
        } else if let (Some(there), Some(back)) = (literals.arc(u, v), literals.arc(v, u)) {
            // (F) H_uv ∨ H_vu
            clause.or(there);
            if !is_arc {
                clause.or(back);
            }
            clause.emit(out);
        } else {
            // (F) V_up → V_v,p+1 ∨ V_v,p−1
            let instance = literals.instance();
            let at = |v, p| only_term(literals, v, p);
            let before = |p| (0..instance.n()).find(|&q| next(instance, q) == Some(p));
            for p in 0..instance.n() {
                clause.clear().or_not(at(u, p));
                if let Some(q) = next(instance, p) {
                    clause.or(at(v, q));
                }
                if let Some(q) = before(p).filter(|_| !is_arc) {
                    clause.or(at(v, q));
                }
                clause.emit(out);
            }
        }
    }
}

/// True if the tour goes from `u` to `v`.
fn is_move(tour: &Sequence, kind: TourKind, u: Vertex, v: Vertex) -> bool {
    let (p, q) = (tour.position(u), tour.position(v));
    let closes = kind == TourKind::Closed && p + 1 == tour.n() && q == 0;
    p + 1 == q || closes
}
