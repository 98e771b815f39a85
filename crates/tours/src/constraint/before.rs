//! Order of two vertices: `before a1,b5` says that the tour visits a1 before b5. The constraint is directional.
//!
//! # Clauses
//!
//! With variables T for the order of vertices (see the base `precedence`):
//!
//! - (B) T_uw: 1 clause, without variables; none if u is the start
//!
//! Otherwise, let P(v) be the 0-based position of a vertex v. The constraint says that u comes before w. The variable s_p, for 1 ≤
//! p < N, says that P(u) ≥ p. With the terms "v has position p" (see [`super::at`]):
//!
//! - (B1) P(u) = p → s_p for 1 ≤ p < N: N − 1 clauses
//! - (B2) P(u) = p → ¬s_p+1 for 0 ≤ p < N − 1: N − 1 clauses
//! - (B3) s_p+1 → s_p for 1 ≤ p < N − 1: N − 2 clauses
//! - (B4) P(w) = p → ¬s_p for 1 ≤ p < N, and P(w) ≠ 0: N clauses
//!
//! (B1) to (B4) are N − 1 variables and 4N − 4 clauses, or fewer if windows exclude positions. Every tour determines the
//! variables, so that the number of models stays the number of tours.

use super::*;

const NAME: &str = "before";

/// Kind of the constraints on the order of two vertices.
pub const KIND: ConstraintKind = ConstraintKind {
    name: NAME,
    value: "U,V",
    summary: "visit the first vertex before the second: a1,b5",
    parse: |text, context| {
        let vertices = context.vertices(text, ",")?;
        match vertices[..] {
            [first, second] if first != second => Ok(vec![Shared::new(Before { first, second })]),
            _ => Err(ConstraintError::form(NAME, text, "two different vertices, such as a1,b5")),
        }
    },
};

/// Clause family (B): order of two vertices.
pub const ORDER: Family = Family { label: "(B)", says: "one vertex comes before another" };

/// Constraint that one vertex comes before another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Before {
    first: Vertex,
    second: Vertex,
}

impl Before {
    /// Returns the constraint as a single term; `None` if the formula has no such term.
    fn term(&self, literals: &dyn Literals) -> Option<Term> {
        literals.before(self.first, self.second)
    }
}

impl Constraint for Before {
    fn name(&self) -> &'static str {
        NAME
    }

    fn value(&self, instance: &Instance) -> String {
        let [first, second] = [self.first, self.second].map(|v| instance.vertex_name(v));
        format!("{first},{second}")
    }

    fn is_directional(&self) -> bool {
        true
    }

    fn ordered_pair(&self) -> Option<(Vertex, Vertex)> {
        Some((self.first, self.second))
    }

    fn holds(&self, tour: &Sequence, _: TourKind) -> bool {
        tour.position(self.first) < tour.position(self.second)
    }

    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint> {
        Shared::new(Self { first: new[self.first.index()], second: new[self.second.index()] })
    }

    fn extended(&self) -> Shared<dyn Constraint> {
        Shared::new(*self)
    }

    fn fits(&self, literals: &dyn Literals) -> bool {
        self.term(literals).is_some() || literals.at(self.first, 0).is_some()
    }

    fn n_auxiliary(&self, literals: &dyn Literals) -> u64 {
        match self.term(literals) {
            Some(_) => 0,
            None => u64::from(literals.instance().n()) - 1,
        }
    }

    fn meaning(&self, instance: &Instance, auxiliary: u64) -> Option<String> {
        let name = instance.vertex_name(self.first);
        Some(format!("P({name})>={}", auxiliary + 1))
    }

    fn emit(&self, literals: &dyn Literals, first: Var, out: &mut dyn ClauseSink) {
        let n = literals.instance().n();
        let at_least = |p: u32| Term::Lit((first + (p - 1)).pos_lit());
        let terms = |v, p| literals.at(v, p).unwrap_or_default();
        let mut clause = Disjunction::default();
        out.family(ORDER);
        // (B) T_uw
        if let Some(term) = self.term(literals) {
            clause.clear().or(term).emit(out);
            return;
        }
        let mut implies = |v, p, then: Option<Term>| {
            clause.clear().or_not_all(terms(v, p)).or(then.unwrap_or(Term::False)).emit(out);
        };
        // (B1) P(u) = p → s_p
        for p in 1..n {
            implies(self.first, p, Some(at_least(p)));
        }
        // (B2) P(u) = p → ¬s_p+1
        for p in 0..n - 1 {
            implies(self.first, p, Some(!at_least(p + 1)));
        }
        // (B4) P(w) = p → ¬s_p, P(w) ≠ 0
        for p in 0..n {
            implies(self.second, p, (p > 0).then(|| !at_least(p)));
        }
        // (B3) s_p+1 → s_p
        for p in 1..n - 1 {
            clause.clear().or(!at_least(p + 1)).or(at_least(p)).emit(out);
        }
    }
}
