//! Symmetric tours: `symmetry 180` says that rotating the board by 180 degrees maps every move of the tour to a move of
//! the tour, in the same or the opposite direction.
//!
//! The values are `180`, `90`, `left-right`, `top-bottom`, `diagonal` and `antidiagonal`. `reflection` is short for
//! `left-right` or `top-bottom`, whichever moves every square; if both or neither do, it is ambiguous. A tour is a set
//! of edges here, so the constraint is not directional.
//!
//! # Clauses
//!
//! An orbit consists of an edge and its images. The variable S_o says that the tour uses the edges of the orbit o. An
//! orbit has a variable if it has more than one edge and all its edges are in the graph. No tour uses an orbit with a
//! missing image. Orbits of one edge have no clauses.
//!
//! - (Y) with edges, E_e ↔ S_o for every edge e of o: 2 clauses per edge; ¬E_e if an image of e is missing
//! - (Y) with arcs, S_o ↔ H_uv ∨ H_vu for every edge {u, v} of o: 3 clauses per edge; ¬H_uv and ¬H_vu if an image is
//!   missing
//! - (Y) with one variable for each vertex and position, for every edge {u, v} of o and every position p with next
//!   position q and previous position r: V_u,p ∧ V_v,q → S_o, V_v,p ∧ V_u,q → S_o, and S_o ∧ V_u,p → V_v,q ∨ V_v,r;
//!   only ¬V_u,p ∨ ¬V_v,q and ¬V_v,p ∨ ¬V_u,q if an image is missing
//!
//! Orbits of one edge do not count. Of the edges in the other orbits, let K edges have all their images in the graph,
//! and let L edges lack an image. Then there are 2K + L clauses with edges, 3K + 2L with arcs, and 3NK + 2NL with
//! positions of closed tours, or (3N − 2)K + 2(N − 1)L with positions of open tours. There are fewer if windows exclude
//! positions. Every tour determines the variables, so that the number of models stays the number of tours.
//!
//! # References
//!
//! - Donald E. Knuth: *The Art of Computer Programming*, pre-fascicle 8A, 2025, on symmetric knight's tours.

use super::*;

const NAME: &str = "symmetry";
/// Value that stands for `left-right` or `top-bottom`, whichever of the two reflections moves every square.
const REFLECTION: &str = "reflection";

/// Kind of the constraints on the symmetry of tours.
pub const KIND: ConstraintKind = ConstraintKind {
    name: NAME,
    value: "SYMMETRY",
    summary: "the tour of a board is symmetric: 180, 90, reflection, left-right, top-bottom, diagonal or antidiagonal",
    parse: |text, context| {
        let instance = context.instance;
        let Some(board) = instance.squares() else {
            return Err(ConstraintError::no_board("symmetries", instance));
        };
        let known = BoardSymmetry::ALL.iter().find(|known| known.as_str() == text);
        let of = match known {
            Some(&known) => known,
            None if text == REFLECTION => reflection(board)?,
            None => {
                let form = "180, 90, reflection, left-right, top-bottom, diagonal or antidiagonal";
                return Err(ConstraintError::form(NAME, text, form));
            }
        };
        let symmetry = of.on(board).map_err(|error| ConstraintError(error.to_string()))?;
        Ok(vec![Shared::new(Symmetric { of, symmetry })])
    },
};

/// Clause family (Y): symmetry of the tour.
pub const SYMMETRY: Family =
    Family { label: "(Y)", says: "the tour uses an edge if and only if it uses the edge's images" };

/// Returns the only one of the reflections `left-right` and `top-bottom` that moves every square of the board. It is an
/// error if both or neither do.
fn reflection(board: &HoledBoard) -> Result<BoardSymmetry, ConstraintError> {
    let moves_all = |of: BoardSymmetry| of.on(board).is_ok_and(|g| g.fixed().next().is_none());
    let both = [BoardSymmetry::LeftRight, BoardSymmetry::TopBottom];
    match both.map(moves_all) {
        [true, false] => Ok(BoardSymmetry::LeftRight),
        [false, true] => Ok(BoardSymmetry::TopBottom),
        _ => Err(ConstraintError(format!("\"reflection\" is ambiguous on {board}; write left-right or top-bottom"))),
    }
}

/// Constraint that a symmetry of the board maps the tour to itself.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Symmetric {
    of: BoardSymmetry,
    symmetry: Symmetry,
}

impl Symmetric {
    /// Returns the orbits that have a variable, each as a list of edges.
    fn whole_orbits(&self, instance: &Instance) -> impl Iterator<Item = Vec<(Vertex, Vertex)>> + use<> {
        let orbits = self.symmetry.orbits(instance.graph()).into_iter();
        let whole = orbits.filter(|orbit| orbit.is_whole);
        whole.map(|orbit| orbit.edges)
    }
}

impl Constraint for Symmetric {
    fn name(&self) -> &'static str {
        NAME
    }

    fn value(&self, _: &Instance) -> String {
        self.of.to_string()
    }

    fn symmetry(&self) -> Option<&Symmetry> {
        Some(&self.symmetry)
    }

    fn holds(&self, tour: &Sequence, kind: TourKind) -> bool {
        let are_neighbours = |u: Vertex, v: Vertex| {
            let apart = tour.position(u).abs_diff(tour.position(v));
            apart == 1 || kind == TourKind::Closed && apart == tour.n() - 1
        };
        let image = |v: Vertex| self.symmetry.image(v);
        tour.moves(kind).all(|(u, v)| are_neighbours(image(u), image(v)))
    }

    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint> {
        Shared::new(Self { symmetry: self.symmetry.relabelled(new), ..*self })
    }

    fn extended(&self) -> Shared<dyn Constraint> {
        Shared::new(Self { symmetry: self.symmetry.extended(), ..*self })
    }

    fn fits(&self, literals: &dyn Literals) -> bool {
        has_moves(literals)
    }

    fn n_auxiliary(&self, literals: &dyn Literals) -> u64 {
        self.whole_orbits(literals.instance()).count() as u64
    }

    fn meaning(&self, instance: &Instance, auxiliary: u64) -> Option<String> {
        let orbit = self.whole_orbits(instance).nth(usize::try_from(auxiliary).ok()?)?;
        let &(u, v) = orbit.first()?;
        let [u, v] = [u, v].map(|v| instance.vertex_name(v));
        Some(format!("S({u},{v})"))
    }

    fn emit(&self, literals: &dyn Literals, first: Var, out: &mut dyn ClauseSink) {
        out.family(SYMMETRY);
        let mut clause = Disjunction::default();
        let mut known = 0;
        for orbit in self.symmetry.orbits(literals.instance().graph()) {
            if !orbit.is_whole {
                // (Y) ¬E_e
                let all = orbit.edges.into_iter().flat_map(|(u, v)| ways(literals, [u, v], false));
                all.for_each(|way| clause.clear().or_not_all(way).emit(out));
                continue;
            }
            // (Y) E_e ↔ S_o
            let uses = Term::Lit((first + known).pos_lit());
            known += 1;
            for (u, v) in orbit.edges {
                define(literals, [u, v], false, uses, out);
            }
        }
    }
}
