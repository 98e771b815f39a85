//! Forced and forbidden edges and arcs: every tour uses them, or no tour does.
//!
//! `force a1-c2` forces the edge between a1 and c2, which tours may use in either direction, and `force a1-c2-e3`
//! forces two edges. `force 'a1->c2'` forces an arc: tours go from a1 to c2. `forbid` forbids edges and arcs of the same
//! forms. A constraint on an arc is directional.
//!
//! Forbidden edges and arcs are removed from the graph, so they have no clauses, and every encoding and every method
//! supports them.
//!
//! # Clauses
//!
//! With arc variables H_uv or edge variables E_uv, for forced moves:
//!
//! - (F) E_uv, or H_uv ∨ H_vu, for a forced edge; H_uv for a forced arc: 1 clause
//!
//! With one variable V_up for each vertex and position, where positions are counted modulo N on closed tours:
//!
//! - (F) V_up → V_v,p+1 ∨ V_v,p−1 for a forced edge and every p; V_up → V_v,p+1 for a forced arc: N clauses
//!
//! # Graph
//!
//! Methods without clauses work on a graph in which a new vertex subdivides the forced edge or arc: see
//! [`crate::forced`].

use super::*;

const FORM: &str = "an edge U-V, an arc U->V, or several in a row, such as a1-c2-e3";

/// Kind of the constraints that force edges and arcs.
pub const FORCE: ConstraintKind = ConstraintKind {
    name: "force",
    value: "MOVES",
    summary: "use these moves: an edge a1-c2, an arc 'a1->c2', or a path a1-c2-e3",
    parse: |text, context| moves(FORCE.name, text, context),
};

/// Kind of the constraints that forbid edges and arcs.
pub const FORBID: ConstraintKind = ConstraintKind {
    name: "forbid",
    summary: "do not use these moves: an edge a1-c2, an arc 'a1->c2', or a path",
    parse: |text, context| moves(FORBID.name, text, context),
    ..FORCE
};

/// Clause family (F): forced edges and arcs.
pub const FORCED: Family = Family { label: "(F)", says: "forced moves are on the tour" };

/// Parses edges and arcs. All of them must be in the graph.
fn moves(name: &'static str, text: &str, context: &Context<'_>) -> Parsed {
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
    let checked = pairs.map(|of| {
        let Forced { tail, head, .. } = of;
        let there = digraph.arc(tail, head).is_some();
        let back = !is_arc && digraph.arc(head, tail).is_some();
        let [from, to] = [tail, head].map(|v| context.instance.vertex_name(v));
        match there || back {
            true => Ok(Shared::new(Move { name, of }) as _),
            false if is_arc => Err(ConstraintError(format!("no arc leads from {from} to {to}"))),
            false => Err(ConstraintError(format!("{from} and {to} are not adjacent"))),
        }
    });
    checked.collect()
}

/// Constraint that forces or forbids an edge or an arc.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Move {
    /// Name of [`FORCE`] or [`FORBID`].
    name: &'static str,
    of: Forced,
}

impl Move {
    fn is_forced(&self) -> bool {
        self.name == FORCE.name
    }
}

impl Constraint for Move {
    fn name(&self) -> &'static str {
        self.name
    }

    fn value(&self, instance: &Instance) -> String {
        self.of.text(instance)
    }

    fn is_directional(&self) -> bool {
        self.of.is_arc
    }

    fn forbidden(&self) -> Vec<(Vertex, Vertex)> {
        let Forced { tail, head, is_arc } = self.of;
        let arcs = [(tail, head), (head, tail)].into_iter().take(if is_arc { 1 } else { 2 });
        arcs.filter(|_| !self.is_forced()).collect()
    }

    fn forced(&self) -> Option<Vec<Forced>> {
        Some(if self.is_forced() { vec![self.of] } else { Vec::new() })
    }

    fn holds(&self, tour: &Sequence, kind: TourKind) -> bool {
        let Forced { tail, head, is_arc } = self.of;
        let is_used = is_move(tour, kind, tail, head) || !is_arc && is_move(tour, kind, head, tail);
        is_used == self.is_forced()
    }

    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint> {
        Shared::new(Self { of: self.of.relabelled(new), ..*self })
    }

    fn extended(&self) -> Shared<dyn Constraint> {
        Shared::new(*self)
    }

    fn fits(&self, literals: &dyn Literals) -> bool {
        let v = literals.instance().start();
        let has_no_arcs = literals.edge(v, v).is_some() && literals.arc(v, v).is_none();
        !self.is_forced() || has_moves(literals) && !(self.of.is_arc && has_no_arcs)
    }

    fn emit(&self, literals: &dyn Literals, _: Var, out: &mut dyn ClauseSink) {
        if self.is_forced() {
            out.family(FORCED);
            define(literals, [self.of.tail, self.of.head], self.of.is_arc, Term::True, out);
        }
    }
}

/// True if the tour goes from `u` to `v`.
fn is_move(tour: &Sequence, kind: TourKind, u: Vertex, v: Vertex) -> bool {
    let (p, q) = (tour.position(u), tour.position(v));
    let closes = kind == TourKind::Closed && p + 1 == tour.n() && q == 0;
    p + 1 == q || closes
}
