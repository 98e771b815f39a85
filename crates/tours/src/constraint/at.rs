//! Positions of vertices: `at c3=17` says that c3 is the 17th vertex of the tour, and `at c3=10..20` that its position
//! is between 10 and 20, both included. On screen, positions are counted from 1, the position of the start. The
//! constraint is directional.
//!
//! # Clauses
//!
//! Let the terms a_1, …, a_k say that v has position p, where positions are counted from 0. With one variable for each
//! vertex and position, k = 1; with binary positions, k is the number of bits.
//!
//! - (A) if only one position p is allowed, a_i for every i: k clauses
//! - (A) if an interval is allowed, ¬a_1 ∨ … ∨ ¬a_k for every p outside the interval: N − w clauses, where w is the
//!   length of the interval
//!
//! There are fewer clauses if some terms are constants, because windows exclude positions.

use super::*;

const NAME: &str = "at";

/// Kind of the constraints on positions.
pub const KIND: ConstraintKind = ConstraintKind {
    name: NAME,
    value: "VERTEX=POSITION",
    summary: "visit this vertex at this position (from 1), or at a position in this interval: c3=17, c3=10..20",
    parse: |text, context| {
        let (name, positions) = text.rsplit_once('=').ok_or_else(|| wrong(text))?;
        let vertex = context.vertex(name)?;
        let n = context.instance.n();
        let (low, high) = interval(positions, (1, n)).ok_or_else(|| wrong(text))?;
        if low > high {
            let form = "an interval from a smaller to a larger position, such as c3=10..20";
            return Err(ConstraintError::form(NAME, text, form));
        }
        if low < 1 || high > n {
            let positions = format!("{positions} is not a position of a tour of {n} vertices; positions are 1 to {n}");
            return Err(ConstraintError(positions));
        }
        let start = context.instance.start();
        if vertex == start && context.has_start && low > 1 {
            return Err(ConstraintError(format!("{name} is the start of the tour, so its position is 1")));
        }
        if vertex != start && context.has_start && high == 1 {
            let start = context.instance.vertex_name(start);
            return Err(ConstraintError(format!("position 1 belongs to the start, {start}")));
        }
        Ok(vec![Shared::new(At { vertex, low: low - 1, high: high - 1 })])
    },
};

/// Clause family (A): given positions.
pub const POSITION: Family = Family { label: "(A)", says: "vertices have their given positions" };

fn wrong(text: &str) -> ConstraintError {
    ConstraintError::form(NAME, text, "a vertex and its position, counted from 1, such as c3=17 or c3=10..20")
}

/// Constraint that restricts the position of a vertex to an interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct At {
    vertex: Vertex,
    /// Least position, 0-based.
    low: u32,
    /// Greatest position, 0-based.
    high: u32,
}

impl Constraint for At {
    fn name(&self) -> &'static str {
        NAME
    }

    fn value(&self, instance: &Instance) -> String {
        let name = instance.vertex_name(self.vertex);
        match (self.low + 1, self.high + 1) {
            (low, high) if low == high => format!("{name}={low}"),
            (low, high) => format!("{name}={low}..{high}"),
        }
    }

    fn is_directional(&self) -> bool {
        true
    }

    fn position(&self) -> Option<(Vertex, u32, u32)> {
        Some((self.vertex, self.low, self.high))
    }

    fn holds(&self, tour: &Sequence, _: TourKind) -> bool {
        (self.low..=self.high).contains(&tour.position(self.vertex))
    }

    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint> {
        Shared::new(Self { vertex: new[self.vertex.index()], ..*self })
    }

    fn extended(&self) -> Shared<dyn Constraint> {
        Shared::new(Self { low: self.low + 1, high: self.high + 1, ..*self })
    }

    fn fits(&self, literals: &dyn Literals) -> bool {
        literals.at(self.vertex, self.low).is_some()
    }

    fn emit(&self, literals: &dyn Literals, _: Var, out: &mut dyn ClauseSink) {
        let n = literals.instance().n();
        let mut clause = Disjunction::default();
        out.family(POSITION);
        let terms = |p| literals.at(self.vertex, p).unwrap_or_default();
        if self.low == self.high {
            // (A) a_i
            for term in terms(self.low) {
                clause.clear().or(term).emit(out);
            }
            return;
        }
        // (A) ¬a_1 ∨ … ∨ ¬a_k
        for p in (0..n).filter(|p| !(self.low..=self.high).contains(p)) {
            clause.clear().or_not_all(terms(p)).emit(out);
        }
    }
}
