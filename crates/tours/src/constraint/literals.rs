//! Literals that describe the tour of a model, such as "the tour uses this edge". Constraints build their clauses from
//! these literals, so their clauses do not depend on the encoding.

use super::*;

/// Literals of a formula. Each kind of literal exists only in some formulas.
pub trait Literals {
    /// Returns the instance of the formula.
    fn instance(&self) -> &Instance;

    /// Returns the term "the tour goes from `u` to `v`", which is false if no arc leads from `u` to `v`. `None` if the
    /// formula has no arc variables.
    fn arc(&self, u: Vertex, v: Vertex) -> Option<Term>;

    /// Returns the term "the tour uses the edge between `u` and `v`", which is false if they are not adjacent. `None`
    /// if the formula has no edge variables.
    fn edge(&self, u: Vertex, v: Vertex) -> Option<Term>;

    /// Returns terms whose conjunction is "`v` has the 0-based position `p`". `None` if the formula has no such terms.
    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>>;

    /// Returns the term "the tour visits `u` before `v`". `None` if the formula has no such term.
    fn before(&self, u: Vertex, v: Vertex) -> Option<Term>;

    /// Returns the term "`v` is the last vertex of an open tour". `None` if the formula has no such term.
    fn last(&self, v: Vertex) -> Option<Term>;
}

/// True if the formula can express that a tour uses an edge or an arc.
pub(super) fn has_moves(literals: &dyn Literals) -> bool {
    let v = literals.instance().start();
    let by_position = || literals.at(v, 0).is_some_and(|at| at.len() == 1);
    literals.arc(v, v).is_some() || literals.edge(v, v).is_some() || by_position()
}

/// Returns the term "`v` has position `p`" of a formula with one variable for each vertex and position.
pub(super) fn only_term(literals: &dyn Literals, v: Vertex, p: u32) -> Term {
    match literals.at(v, p).as_deref() {
        Some(&[term]) => term,
        Some([]) => Term::True,
        _ => Term::False,
    }
}

/// Returns the position after `p`; `None` after the last position of an open tour.
pub(super) fn next(instance: &Instance, p: u32) -> Option<u32> {
    match (p + 1 < instance.n(), instance.kind()) {
        (true, _) => Some(p + 1),
        (false, TourKind::Closed) => Some(0),
        (false, TourKind::Open) => None,
    }
}

/// Returns conjunctions of terms. One of them holds if and only if the tour uses the edge between `u` and `v`, or the arc
/// from `u` to `v` if `is_arc` is true.
pub(super) fn ways(literals: &dyn Literals, [u, v]: [Vertex; 2], is_arc: bool) -> Vec<Vec<Term>> {
    let directions = if is_arc { 1 } else { 2 };
    if let Some(uses) = literals.edge(u, v).filter(|_| !is_arc) {
        return vec![vec![uses]];
    }
    if let (Some(there), Some(back)) = (literals.arc(u, v), literals.arc(v, u)) {
        return [there, back].into_iter().take(directions).map(|arc| vec![arc]).collect();
    }
    let instance = literals.instance();
    let places = (0..instance.n()).filter_map(|p| Some((p, next(instance, p)?)));
    let at = |[u, v]: [Vertex; 2], (p, q)| vec![only_term(literals, u, p), only_term(literals, v, q)];
    places.flat_map(|place| [at([u, v], place), at([v, u], place)].into_iter().take(directions)).collect()
}

/// Emits the clauses of "the tour uses the edge between u and v, or the arc from u to v, if and only if `uses` is true".
pub(super) fn define(literals: &dyn Literals, [u, v]: [Vertex; 2], is_arc: bool, uses: Term, out: &mut dyn ClauseSink) {
    let mut clause = Disjunction::default();
    let ways = ways(literals, [u, v], is_arc);
    for way in &ways {
        clause.clear().or_not_all(way.clone()).or(uses).emit(out);
    }
    if literals.edge(u, v).is_some() && !is_arc || literals.arc(u, v).is_some() {
        clause.clear().or_not(uses);
        ways.into_iter().flatten().fold(&mut clause, Disjunction::or).emit(out);
        return;
    }
    let (instance, n) = (literals.instance(), literals.instance().n());
    for p in 0..n {
        clause.clear().or_not(uses).or_not(only_term(literals, u, p));
        let before = Some((p + n - 1) % n).filter(|&before| next(instance, before) == Some(p) && !is_arc);
        for q in next(instance, p).into_iter().chain(before) {
            clause.or(only_term(literals, v, q));
        }
        clause.emit(out);
    }
}

/// Returns conjunctions of terms. One of them holds if and only if the tour visits `u`, `v` and `w` one after the
/// other, in this or the opposite direction.
pub(super) fn passes(literals: &dyn Literals, [u, v, w]: [Vertex; 3]) -> Vec<Vec<Term>> {
    if let (Some(uv), Some(vw)) = (literals.edge(u, v), literals.edge(v, w)) {
        return vec![vec![uv, vw]];
    }
    let one_way = |u, v, w| match (literals.arc(u, v), literals.arc(v, w)) {
        (Some(uv), Some(vw)) => vec![vec![uv, vw]],
        _ => {
            let instance = literals.instance();
            let second = |p| Some((p, next(instance, p)?));
            let third = |(p, q)| Some([p, q, next(instance, q)?]);
            let places = (0..instance.n()).filter_map(second).filter_map(third);
            let at = |v, p| only_term(literals, v, p);
            places
                .map(|[p, q, r]| vec![at(u, p), at(v, q), at(w, r)])
                .filter(|terms| !terms.contains(&Term::False))
                .collect()
        }
    };
    let mut both = one_way(u, v, w);
    both.extend(one_way(w, v, u));
    both.retain(|terms| !terms.contains(&Term::False));
    both
}
