//! Excluded tours: `except a1-c2-b4-…`, with all vertices in order, excludes one tour. The other direction of a closed
//! tour is the same tour and is excluded too, unless the instance is directed. An open tour and its reverse are
//! different tours, so the constraint is directional for open tours.
//!
//! # Clauses
//!
//! Let m_1, …, m_k be the moves of the tour; k is N, or N − 1 for an open tour. The variables of move m_i are the edge
//! E_i and the arc H_i.
//!
//! - (X) with edge variables: ¬E_1 ∨ … ∨ ¬E_k; with arc variables: ¬H_1 ∨ … ∨ ¬H_k for each direction that is excluded
//! - (X) with one variable for each vertex and position: ¬V_1 ∨ … ∨ ¬V_N for each direction that is excluded, where V_p
//!   says that the p-th vertex of the tour has position p
//!
//! This is one clause, or two for a closed undirected tour without edge variables.

use super::*;

const NAME: &str = "except";

/// Kind of the constraints that exclude a tour.
pub const KIND: ConstraintKind = ConstraintKind {
    name: NAME,
    value: "TOUR",
    summary: "exclude this tour, given by all its vertices: a1-c2-b4-...",
    parse: |text, context| {
        let order = context.vertices(text, "-")?;
        let instance = context.instance;
        let form = "all vertices in the order of a tour, such as a1-c2-b4-...";
        let is_whole = order.len() == instance.n() as usize;
        let order = Sequence::new(order).filter(|_| is_whole);
        let order = order.ok_or_else(|| ConstraintError::form(NAME, text, form))?;
        let is_undirected = !instance.is_directed();
        let is_open = instance.kind() == TourKind::Open;
        Ok(vec![Shared::new(Except { order, is_open, is_undirected })])
    },
};

/// Clause family (X): excluded tours.
pub const EXCLUDED: Family = Family { label: "(X)", says: "the tour is not an excluded one" };

/// Constraint that excludes a tour.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Except {
    order: Sequence,
    /// True if the tour is open.
    is_open: bool,
    /// True if the graph is undirected, so that both directions of a closed tour are excluded.
    is_undirected: bool,
}

impl Except {
    /// Returns the excluded orders of the vertices. The orders of closed tours begin at `start`.
    fn orders(&self, kind: TourKind, start: Vertex) -> Vec<Sequence> {
        match kind {
            TourKind::Open => vec![self.order.clone()],
            TourKind::Closed => {
                let there = self.order.renamed(start, |v| v);
                let back = self.is_undirected.then(|| there.reversed());
                std::iter::once(there).chain(back).collect()
            }
        }
    }
}

impl Constraint for Except {
    fn name(&self) -> &'static str {
        NAME
    }

    fn value(&self, instance: &Instance) -> String {
        let names = self.order.order().iter().map(|&v| instance.vertex_name(v));
        names.collect::<Vec<_>>().join("-")
    }

    fn is_directional(&self) -> bool {
        self.is_open
    }

    fn on(&self, is_directed: bool) -> Option<Shared<dyn Constraint>> {
        Some(Shared::new(Self { is_undirected: !is_directed, ..self.clone() }))
    }

    fn holds(&self, tour: &Sequence, kind: TourKind) -> bool {
        let first = tour.order().first();
        first.is_none_or(|&first| !self.orders(kind, first).contains(tour))
    }

    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint> {
        let first = self.order.order()[0];
        Shared::new(Self { order: self.order.renamed(first, |v| new[v.index()]), ..*self })
    }

    /// Returns the constraint for the extended graph. It excludes the closed tour that begins at the new vertex and
    /// then visits the other vertices in the excluded order. The opposite direction is not excluded.
    fn extended(&self) -> Shared<dyn Constraint> {
        let order = self.order.order();
        let added = Vertex::new(self.order.n());
        let order = std::iter::once(added).chain(order.iter().copied());
        Shared::new(Self { order: Sequence::of_all(order.collect()), is_open: false, is_undirected: false })
    }

    fn fits(&self, literals: &dyn Literals) -> bool {
        has_moves(literals)
    }

    fn emit(&self, literals: &dyn Literals, _: Var, out: &mut dyn ClauseSink) {
        let instance = literals.instance();
        let (kind, start) = (instance.kind(), instance.start());
        let has_edges = literals.edge(start, start).is_some() && !instance.is_directed();
        let has_arcs = literals.arc(start, start).is_some();
        let mut clause = Disjunction::default();
        out.family(EXCLUDED);
        let excluded = self.orders(kind, start);
        // With edges, both directions have the same clause.
        let n_clauses = if has_edges { 1 } else { excluded.len() };
        for order in &excluded[..n_clauses] {
            clause.clear();
            if has_edges || has_arcs {
                // (X) ¬E_1 ∨ … ∨ ¬E_k or ¬H_1 ∨ … ∨ ¬H_k
                for (u, v) in order.moves(kind) {
                    let uses = if has_edges { literals.edge(u, v) } else { literals.arc(u, v) };
                    clause.or_not(uses.unwrap_or(Term::False));
                }
            } else {
                // (X) ¬V_1 ∨ … ∨ ¬V_N
                for (p, &v) in (0..).zip(order.order()) {
                    clause.or_not(only_term(literals, v, p));
                }
            }
            clause.emit(out);
        }
    }
}
