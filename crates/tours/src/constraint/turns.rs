//! Turns on boards. The turn at a square is the angle in degrees between the move to the square and the move from it: 0
//! if the piece goes straight on, 180 if it goes back. An angle between moves is obtuse if the turn is below 90.
//!
//! `turns 0..90` says that every turn is at most 90 degrees. `turns 0..89=..4` says that at most 4 turns are between 0
//! and 89 degrees, and `turns 90=2..4` that 2, 3 or 4 turns are right angles. `max-turn 90` is short for `turns 0..90`.
//! Angles also have names: `turns acute=0`, and several intervals and names may stand with commas, `turns
//! obtuse,straight=..4`. A turn is the same in both directions of a tour, so the constraint is not directional. The
//! ends of an open tour have no turn.
//!
//! # Clauses
//!
//! Let (u, v, w), with u < w, stand for two successive moves through v, in either direction. Let m(u, v, w) be the
//! conjunctions of terms that express these moves: H_uv ∧ H_vw and H_wv ∧ H_vu with arcs, and E_uv ∧ E_vw with edges.
//! If every turn is restricted:
//!
//! - (T) ¬m for every m of m(u, v, w) with a turn outside the interval
//!
//! If the number of turns is restricted to the interval from A to B, there are two kinds of variables. O_v says that
//! the turn at v is in the interval of angles. s_i,j says that at least j of the first i variables O are true (Sinz
//! 2005). Their definitions hold in both directions, so that every tour determines the variables:
//!
//! - (T) m → O_v for a turn in the interval, m → ¬O_v for any other turn; ¬O_v if v is an end of an open tour
//! - (T) s_i,j ↔ s_i−1,j ∨ s_i−1,j−1 ∧ O_i for 1 ≤ j ≤ min(i, J), where J = B + 1, or A if there is no upper bound
//! - (T) s_N,A and ¬s_N,B+1
//!
//! Let k_v be the number of pairs of neighbours of v. On closed tours, the definition of O has 2 Σ k_v clauses with
//! arcs, and Σ k_v with edges. There are S = J(J + 1)/2 + (N − J)J variables s_i,j for J ≤ N. Their definition has 4S −
//! J − N clauses, because the clauses of the constants s_i−1,0 and s_i−1,i are left out. The bounds have one clause
//! each.
//!
//! # References
//!
//! - Carsten Sinz: *Towards an Optimal CNF Encoding of Boolean Cardinality Constraints*, CP 2005.
//! - Donald E. Knuth: *The Art of Computer Programming*, pre-fascicle 8A, 2025, on the angles of knight's tours.

use std::fmt;

use super::*;

const NAME: &str = "turns";
const FORM: &str = "intervals of degrees or the angles acute, right, obtuse, straight, with commas, and optionally the number of such turns, such as 0..90, 0..89=..4 or obtuse,straight=..4";

/// Kind of the constraints on turns.
pub const KIND: ConstraintKind = ConstraintKind {
    name: NAME,
    value: "TURNS[=NUMBER]",
    summary: "turn only by angles in this interval, where 0 is straight on: 0..90; or limit the number of such turns: 0..89=..4, obtuse=..4",
    parse: |text, context| {
        let (turns, number) = match text.split_once('=') {
            Some((turns, number)) => (turns, Some(number)),
            None => (text, None),
        };
        let n = context.instance.n();
        let wrong = || ConstraintError::form(NAME, text, FORM);
        let turns: Option<Vec<_>> = turns.split(',').map(Turn::parse).collect();
        let number = number.map(|number| interval(number, (0, n)).ok_or_else(wrong)).transpose()?;
        constraint(text, turns.ok_or_else(wrong)?, number, context)
    },
};

/// Kind of the constraints on the greatest turn.
pub const GREATEST: ConstraintKind = ConstraintKind {
    name: "max-turn",
    value: "DEGREES",
    summary: "turn by at most this angle, such as 90",
    parse: |text, context| match text.parse() {
        Ok(greatest) if (0.0..=180.0).contains(&greatest) => {
            constraint(text, vec![Turn::Degrees(0.0, greatest)], None, context)
        }
        _ => Err(ConstraintError::form("max-turn", text, "degrees from 0 to 180, such as 90")),
    },
};

/// Clause family (T): turns.
pub const TURN: Family = Family { label: "(T)", says: "turns have their given angles or numbers" };

fn constraint(text: &str, turns: Vec<Turn>, number: Option<(u32, u32)>, context: &Context<'_>) -> Parsed {
    if number.is_some_and(|(least, most)| least > most) {
        return Err(ConstraintError::form(NAME, text, FORM));
    }
    let instance = context.instance;
    let Some(board) = instance.squares() else {
        return Err(ConstraintError::no_board("turns", instance));
    };
    let places = instance.graph().vertices().map(|v| {
        let (row, col) = board.board().row_col(board.square(v));
        Some((i64::from(row), i64::from(col)))
    });
    Ok(vec![Shared::new(Turns { turns: turns.into(), number, places: places.collect() })])
}

named! {
    /// Angle between two successive moves.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Angle: "angle" {
        /// Below 90 degrees.
        Acute => "acute",
        /// 90 degrees.
        Right => "right",
        /// Between 90 and 180 degrees.
        Obtuse => "obtuse",
        /// 180 degrees.
        Straight => "straight",
    }
}

impl Angle {
    /// Returns the angle at v between the moves to u and w. Squares are given by their rows and columns.
    pub fn at([u, v, w]: [(i64, i64); 3]) -> Self {
        let (a, b) = ((u.0 - v.0, u.1 - v.1), (w.0 - v.0, w.1 - v.1));
        let (dot, cross) = (a.0 * b.0 + a.1 * b.1, a.0 * b.1 - a.1 * b.0);
        match (dot, cross) {
            (1.., _) => Self::Acute,
            (0, _) => Self::Right,
            (_, 0) => Self::Straight,
            _ => Self::Obtuse,
        }
    }
}

/// Kind of turns: those with an angle between the moves, or those by some degrees. Written as the name of the angle, as
/// an interval `A..B`, or as a number of degrees.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Turn {
    /// Turns with this angle between the moves.
    Angle(Angle),
    /// Interval of degrees, both ends included.
    Degrees(f64, f64),
}

impl Turn {
    /// Parses a kind of turns; `None` if the text is neither an angle nor an interval of degrees between 0 and 180.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(angle) = text.parse() {
            return Some(Self::Angle(angle));
        }
        let (low, high) = interval(text, (0.0, 180.0))?;
        (0.0 <= low && low <= high && high <= 180.0).then_some(Self::Degrees(low, high))
    }

    /// True if the turn at the second of three successive squares is of this kind. Squares are given by their rows and
    /// columns.
    pub fn is_at(self, squares: [(i64, i64); 3]) -> bool {
        match self {
            Self::Angle(angle) => Angle::at(squares) == angle,
            Self::Degrees(low, high) => is_turn_in(squares, (low, high)),
        }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Angle(angle) => f.write_str(angle.as_str()),
            Self::Degrees(low, high) if low == high => write!(f, "{low}"),
            Self::Degrees(low, high) => write!(f, "{low}..{high}"),
        }
    }
}

/// Kinds of turns, and the least and greatest number of such turns; `None` if all turns must be of these kinds.
pub type TurnNumbers<'a> = (&'a [Turn], Option<(u32, u32)>);

/// Constraint on the turns of a tour.
#[derive(Clone, PartialEq, Debug)]
struct Turns {
    /// Kinds of turns. A turn of several of them counts once.
    turns: Shared<[Turn]>,
    /// Allowed numbers of turns of these kinds: an interval, both ends included. `None` if all turns must be of these
    /// kinds.
    number: Option<(u32, u32)>,
    /// Row and column of each vertex; `None` for an auxiliary vertex that closes open tours. A tour has no turn at this
    /// vertex, nor at the vertices before and after it.
    places: Shared<[Option<(i64, i64)>]>,
}

/// Tolerance of angles in degrees, for rounding errors of the arc cosine.
const ROUNDING: f64 = 1e-6;

/// True if the turn at the second of three successive squares, given by their rows and columns, is in an interval of
/// degrees, both ends included.
fn is_turn_in([u, v, w]: [(i64, i64); 3], (low, high): (f64, f64)) -> bool {
    let (a, b) = ((v.0 - u.0, v.1 - u.1), (w.0 - v.0, w.1 - v.1));
    let dot = (a.0 * b.0 + a.1 * b.1) as f64;
    let lengths = ((a.0 * a.0 + a.1 * a.1) as f64 * (b.0 * b.0 + b.1 * b.1) as f64).sqrt();
    let turn = (dot / lengths).clamp(-1.0, 1.0).acos().to_degrees();
    (low - ROUNDING..=high + ROUNDING).contains(&turn)
}

impl Turns {
    /// True if the turn at v, for moves from u to v and from v to w, is of one of the kinds. `None` if one of the
    /// vertices is not a square of the board.
    fn is_in(&self, moves: [Vertex; 3]) -> Option<bool> {
        let [Some(u), Some(v), Some(w)] = moves.map(|v| self.places[v.index()]) else {
            return None;
        };
        Some(self.turns.iter().any(|turn| turn.is_at([u, v, w])))
    }

    /// Returns the kinds of turns as text.
    fn kinds(&self) -> String {
        let kinds: Vec<_> = self.turns.iter().map(Turn::to_string).collect();
        kinds.join(",")
    }

    /// Returns the vertices at which a tour can turn: all vertices, except the start of open tours.
    fn turning(instance: &Instance) -> impl Iterator<Item = Vertex> {
        let start = match instance.kind() {
            TourKind::Closed => None,
            TourKind::Open => Some(instance.start()),
        };
        instance.graph().vertices().filter(move |&v| Some(v) != start)
    }

    /// Returns [u, v, w] for all neighbours u < w of `v`. Each triple stands for two successive moves through `v`, in
    /// either direction.
    fn pairs(instance: &Instance, v: Vertex) -> impl Iterator<Item = [Vertex; 3]> + '_ {
        let near = instance.graph().neighbours(v);
        let pairs = near.iter().enumerate();
        pairs.flat_map(move |(k, &u)| near[k + 1..].iter().map(move |&w| [u, v, w]))
    }

    /// Returns J, the greatest j for which there are auxiliary variables s_i,j (see the module documentation). `None`
    /// if the number of turns is not restricted.
    fn counted(&self, instance: &Instance) -> Option<u32> {
        let (least, most) = self.number?;
        Some(if most < instance.n() { most + 1 } else { least })
    }
}

/// Returns the number of the auxiliary variable s_i,j (see the module documentation), counted from 0.
fn sum_number(turning: u32, counted: u32, i: u32, j: u32) -> u32 {
    // The rows before row i have min(k, J) variables for k = 1, ..., i - 1.
    let short = (i - 1).min(counted);
    turning + short * (short + 1) / 2 + (i - 1 - short) * counted + (j - 1)
}

impl Constraint for Turns {
    fn name(&self) -> &'static str {
        NAME
    }

    fn value(&self, instance: &Instance) -> String {
        let turns = self.kinds();
        match self.number {
            None => turns,
            Some((least, most)) if least == most => format!("{turns}={least}"),
            Some((0, most)) => format!("{turns}=..{most}"),
            Some((least, most)) if most >= instance.n() => format!("{turns}={least}.."),
            Some((least, most)) => format!("{turns}={least}..{most}"),
        }
    }

    fn turns(&self) -> Option<TurnNumbers<'_>> {
        Some((&self.turns, self.number))
    }

    fn holds(&self, tour: &Sequence, kind: TourKind) -> bool {
        let (order, n) = (tour.order(), tour.n() as usize);
        let inside = match kind {
            TourKind::Closed => 0..n,
            TourKind::Open => 1..n.max(2) - 1,
        };
        let turns: Vec<bool> = inside
            .filter_map(|p| {
                let [before, after] = [(p + n - 1) % n, (p + 1) % n];
                self.is_in([order[before], order[p], order[after]])
            })
            .collect();
        let found = turns.iter().filter(|&&is_in| is_in).count();
        match self.number {
            None => found == turns.len(),
            Some((least, most)) => (least as usize..=most as usize).contains(&found),
        }
    }

    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint> {
        let mut places = vec![None; self.places.len()];
        for (place, v) in self.places.iter().zip(new) {
            places[v.index()] = *place;
        }
        Shared::new(Self { places: places.into(), ..self.clone() })
    }

    fn extended(&self) -> Shared<dyn Constraint> {
        let places = self.places.iter().copied();
        Shared::new(Self { places: places.chain(std::iter::once(None)).collect(), ..self.clone() })
    }

    fn fits(&self, literals: &dyn Literals) -> bool {
        let instance = literals.instance();
        let ends =
            instance.kind() == TourKind::Closed || self.number.is_none() || literals.last(instance.start()).is_some();
        has_moves(literals) && ends
    }

    fn n_auxiliary(&self, literals: &dyn Literals) -> u64 {
        let instance = literals.instance();
        let turning = Self::turning(instance).count() as u32;
        let counted = self.counted(instance);
        counted.map_or(0, |counted| sum_number(turning, counted, turning + 1, 1).into())
    }

    fn meaning(&self, instance: &Instance, auxiliary: u64) -> Option<String> {
        let (mut number, counted) = (u32::try_from(auxiliary).ok()?, self.counted(instance)?);
        if let Some(v) = Self::turning(instance).nth(number as usize) {
            let name = instance.vertex_name(v);
            return Some(format!("turn({name},{})", self.kinds()));
        }
        let turning = Self::turning(instance).count() as u32;
        number -= turning;
        // Row i has the variables s_i,j for j from 1 to min(i, J).
        for i in 1..=turning {
            match number.checked_sub(i.min(counted)) {
                Some(rest) => number = rest,
                None => return Some(format!("turns({i})>={}", number + 1)),
            }
        }
        None
    }

    fn emit(&self, literals: &dyn Literals, first: Var, out: &mut dyn ClauseSink) {
        let instance = literals.instance();
        let mut clause = Disjunction::default();
        out.family(TURN);
        let Some(counted) = self.counted(instance) else {
            // (T) ¬m
            for v in Self::turning(instance) {
                let is_out = |&moves: &[Vertex; 3]| self.is_in(moves) == Some(false);
                for moves in Self::pairs(instance, v).filter(is_out) {
                    for terms in passes(literals, moves) {
                        clause.clear().or_not_all(terms).emit(out);
                    }
                }
            }
            return;
        };
        let turning = Self::turning(instance).count() as u32;
        let variable = |k: u32| Term::Lit((first + k).pos_lit());
        // (T) m → O_v or m → ¬O_v; ¬O_v at the last vertex of an open tour
        for (k, v) in (0..).zip(Self::turning(instance)) {
            for moves in Self::pairs(instance, v) {
                let here = match self.is_in(moves) {
                    Some(true) => variable(k),
                    Some(false) | None => !variable(k),
                };
                for terms in passes(literals, moves) {
                    clause.clear().or_not_all(terms).or(here).emit(out);
                }
            }
            if instance.kind() == TourKind::Open {
                let last = literals.last(v).unwrap_or(Term::False);
                clause.clear().or_not(last).or_not(variable(k)).emit(out);
            }
        }
        let sum = |i: u32, j: u32| match j {
            0 => Term::True,
            j if j > i => Term::False,
            j => variable(sum_number(turning, counted, i, j)),
        };
        // (T) s_i,j ↔ s_i−1,j ∨ s_i−1,j−1 ∧ O_i
        for i in 1..=turning {
            let here = variable(i - 1);
            for j in 1..=counted.min(i) {
                let (s, same, less) = (sum(i, j), sum(i - 1, j), sum(i - 1, j - 1));
                clause.clear().or_not(same).or(s).emit(out);
                clause.clear().or_not(less).or_not(here).or(s).emit(out);
                clause.clear().or_not(s).or(same).or(less).emit(out);
                clause.clear().or_not(s).or(same).or(here).emit(out);
            }
        }
        // (T) s_N,A ∧ ¬s_N,B+1
        let (least, most) = self.number.unwrap_or((0, instance.n()));
        clause.clear().or(sum(turning, least)).emit(out);
        if most < instance.n() {
            clause.clear().or_not(sum(turning, most + 1)).emit(out);
        }
    }
}
