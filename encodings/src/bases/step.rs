//! The step encoding: clauses for a bit-vector model that was written for an SMT solver.
//!
//! R_p and C_p are the row and the column of the square at position p, as binary numbers with as many bits as the last
//! row and column need. J_pk says that the k-th jump of the piece leads from position p to the next position.
//!
//! - (S) R_0, C_0 are the row and column of the start
//! - (B) R_p < rows, C_p < columns
//! - (J) exactly one J_pk for every p
//! - (M) J_pk → R_p+1 = R_p + r_k and C_p+1 = C_p + c_k, with (r_k, c_k) the k-th jump
//! - (D) R_p ≠ R_q or C_p ≠ C_q for p < q
//!
//! For closed tours the last position has a jump too, which leads to position 0. For open tours from anywhere, (S) is left
//! out; if the last square is given, (S) says so. The models of an instance with an [added
//! vertex](hamcnf_tours::fixed_start) leave this vertex out: position 0 has the first square of the open tour.
//!
//! (M) has a group of clauses for each jump and each row, and the same for columns. If the jump leads from this row to
//! another row of the board, the group fixes the next row. If it leads off the board, the group forbids it. For (D),
//! N_pqk says that the squares at positions p and q differ in bit k: N_pqk ↔ (bit k of p) ⊕ (bit k of q), and at least
//! one N_pqk is true. R and C determine all variables.
//!
//! # Windows
//!
//! The clauses (W) exclude squares outside their windows: one clause for each square and position. Under `full`, they
//! exclude the squares whose distance from the start does not allow the position. The published windows alone add no
//! clauses. If parities are known, (W) excludes the squares of the wrong colour. It then also excludes the squares
//! outside the windows, whatever the pruning.
//!
//! # Size
//!
//! With N squares, b bits for row and column together, K jumps (8 for the knight) and M moves (N for closed tours, N −
//! 1 for open tours), there are Nb + MK + bN(N−1)/2 variables. (D) has 4b + 1 clauses for each of N(N−1)/2 pairs, which
//! are nearly all clauses of the formula.
//!
//! # Differences from the notebook
//!
//! - In the notebook, bit-vectors have 4 bits and a sign, so a sum that leaves the board is recognized as negative.
//!   Here no sum leaves the board.
//! - The notebook requires at least one of eight jumps. The encoding here adds "at most one", which follows.
//! - The notebook has open tours on 8×8 from a corner. The encoding here accepts any board, piece and start, and closed
//!   tours too.
//!
//! # References
//!
//! - Karl Stroetmann: *The Knight's Tour*, a notebook with Z3 in his lecture *Artificial Intelligence*.

use rustsat::types::{Lit, Var};

use crate::base::{Encode, Encoded, Plan, Unfit, holds};
use crate::cnf::exactly_one::{AtMostOne, AuxiliaryCount, Cardinality};
use crate::cnf::model::Model;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, Block, SquareVars, TableVars, Term, Word};
use crate::cnf::window::{Pruning, Window};
use crate::positions::WINDOW;
use crate::positions::word::{bounds, differ_iff};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::board::Board;
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::fixed_start::Original;
use hamcnf_tours::instance::{Instance, TourKind};
use hamcnf_tours::sequence::Sequence;
use hamcnf_tours::tour::NotATour;

/// Clause family (S): the given ends.
pub const START: Family = Family { label: "(S)", says: "position 0 is the start, and the last position the given end" };
/// Clause family (B): rows and columns on the board.
pub const ON_BOARD: Family = Family { label: "(B)", says: "rows and columns are on the board" };
/// Clause family (J): exactly one jump per position.
pub const JUMP: Family = Family { label: "(J)", says: "exactly one jump leads on from a position" };
/// Clause family (M): effect of a jump.
pub const MOVE: Family = Family { label: "(M)", says: "the next square is a jump away" };
/// Clause family (D): no two positions on one square.
pub const DIFFERENT: Family = Family { label: "(D)", says: "the squares of two positions differ" };

/// The `step` base encoding: rows and columns as binary numbers, and a jump from each position to the next.
#[derive(Clone, Copy, Debug)]
pub struct Step;

/// Returns the number of moves of a tour: N if it is closed, N − 1 if it is open.
fn n_moves(instance: &Instance) -> u32 {
    match instance.kind() {
        TourKind::Closed => instance.n(),
        TourKind::Open => instance.n() - 1,
    }
}

impl Encode for Step {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Encoded>, Unfit> {
        if instance.is_directed() {
            return Err(Unfit::Directed);
        }
        let original = instance.original().filter(|_| instance.added().is_some());
        let of = original.map_or(instance, Original::instance);
        let board = *of.board().ok_or(Unfit::NoBoard)?;
        let n = u64::from(of.n());
        let ends = match original.map(Original::ends) {
            None | Some(Endpoints::Closed) => [Some(of.start()), None],
            Some(Endpoints::Open { from, to }) => [from, to],
        };
        let jumps: Vec<_> = board.jumps().collect();
        let square = SquareVars::new(&board, of.n(), variables);
        let moves = u64::from(n_moves(of));
        let jump = TableVars::new(moves, jumps.len() as u32, variables);
        let differ = TableVars::new(n * (n - 1) / 2, square.bits(), variables);
        variables.fits()?;
        let mut auxiliary = AuxiliaryCount::new(plan.at_most_one);
        for _ in 0..moves {
            auxiliary.constraint(|| jumps.len());
        }
        variables.take(auxiliary.total());
        // Published windows add no clauses in this encoding. Full pruning and known parities do.
        let keeps = plan.pruning == Pruning::Full || plan.odd.is_some();
        Ok(Box::new(EncodedStep {
            instance: instance.clone(),
            at_most_one: plan.at_most_one,
            windows: if keeps { plan.windows.clone() } else { Vec::new() },
            board,
            n: of.n(),
            moves: n_moves(of),
            ends,
            jumps,
            square,
            jump,
            differ,
        }))
    }
}

/// Returns all pairs (p, q) with p < q < n, ordered by p and then by q.
fn pairs(n: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..n).flat_map(move |p| (p + 1..n).map(move |q| (p, q)))
}

/// Streams the clauses of j → y = x + by, for all values of x below `size`. If x + by is outside 0..`size` for a value
/// of x, a clause forbids this value when j is true.
fn moved_if(j: Lit, x: Word, by: i64, size: u32, y: Word, out: &mut dyn ClauseSink) {
    let mut clause = Vec::new();
    for value in 0..size {
        clause.clear();
        clause.push(!j);
        clause.extend(x.is(value).map(|l| !l));
        let moved = u32::try_from(i64::from(value) + by).ok();
        match moved.filter(|&moved| moved < size) {
            None => out.clause(&clause),
            Some(moved) => {
                for l in y.is(moved) {
                    clause.push(l);
                    out.clause(&clause);
                    clause.pop();
                }
            }
        }
    }
}

/// Formula of an instance in the [`Step`] encoding. Its variables are, in this order, the rows R and columns C, the
/// jumps J, the bit differences N, and the auxiliary variables.
#[derive(Clone, Debug)]
struct EncodedStep {
    instance: Instance,
    at_most_one: AtMostOne,
    /// Windows, indexed by vertex; empty if the formula has no clauses for windows.
    windows: Vec<Window>,
    board: Board,
    /// Number of squares.
    n: u32,
    /// Number of moves.
    moves: u32,
    /// First and last square, if given.
    ends: [Option<Vertex>; 2],
    /// Jumps of the piece (rows, columns), in the order of their variables.
    jumps: Vec<(i64, i64)>,
    square: SquareVars,
    jump: TableVars,
    differ: TableVars,
}

impl EncodedStep {
    /// Returns literals that are all true exactly if square `v` is at position p.
    fn is_square(&self, p: u32, v: Vertex) -> impl Iterator<Item = Lit> {
        let (row, col) = self.board.row_col(v);
        self.square.row(p).is(row).chain(self.square.col(p).is(col))
    }

    /// Returns the position in a tour of the instance of position 0 of the formula: 1 if the tour begins at an added
    /// vertex, otherwise 0.
    fn first(&self) -> u32 {
        self.instance.n() - self.n
    }

    /// Returns the pair with the index `number` in the sequence of [`pairs`].
    fn pair(&self, n: u32, number: u32) -> Option<(u32, u32)> {
        let mut first = 0;
        let mut rest = number;
        while rest >= n - 1 - first {
            rest -= n - 1 - first;
            first += 1;
            if first >= n {
                return None;
            }
        }
        Some((first, first + 1 + rest))
    }
}

impl Encoded for EncodedStep {
    fn instance(&self) -> &Instance {
        &self.instance
    }

    fn emit(&self, out: &mut dyn ClauseSink) {
        let (instance, n) = (&self.instance, self.n);
        let Self { board, jumps, square, jump, differ, .. } = self;
        let mut card = Cardinality::new(self.at_most_one, Var::new(differ.block().end));
        let (rows, cols) = (board.rows(), board.cols());

        // (S) R_0, C_0 are the row and column of the start
        out.family(START);
        for (p, end) in [0, n - 1].into_iter().zip(self.ends) {
            for l in end.into_iter().flat_map(|end| self.is_square(p, end)) {
                out.clause(&[l]);
            }
        }
        // (B) R_p < rows, C_p < columns
        out.family(ON_BOARD);
        for p in 0..n {
            let up_to = |hi| Window::new(0, hi);
            bounds(square.row(p), up_to(rows - 1), out);
            bounds(square.col(p), up_to(cols - 1), out);
        }
        // (J) exactly one J_pk
        out.family(JUMP);
        for p in 0..self.moves {
            card.exactly_one(jump.row(p).map(Term::Lit), out);
        }
        // (M) J_pk → R_p+1 = R_p + r_k and C_p+1 = C_p + c_k
        out.family(MOVE);
        for p in 0..self.moves {
            let next = (p + 1) % n;
            for (j, &(r, c)) in jump.row(p).zip(jumps) {
                moved_if(j, square.row(p), r, rows, square.row(next), out);
                moved_if(j, square.col(p), c, cols, square.col(next), out);
            }
        }
        // (D) R_p ≠ R_q or C_p ≠ C_q
        out.family(DIFFERENT);
        for (pair, (p, q)) in (0..).zip(pairs(n)) {
            let bits = square.square(p).zip(square.square(q));
            for (d, (x, y)) in differ.row(pair).zip(bits) {
                differ_iff(d, x, y, out);
            }
            out.clause(&differ.row(pair).collect::<Vec<_>>());
        }
        // (W) no square at a position outside the square's window
        if self.windows.is_empty() {
            return;
        }
        out.family(WINDOW);
        for v in instance.others() {
            let outside = self.windows[v.index()].outside(instance.n());
            for p in outside.filter_map(|p| p.checked_sub(self.first())) {
                out.clause(&self.is_square(p, v).map(|l| !l).collect::<Vec<_>>());
            }
        }
    }

    fn support(&self) -> Block {
        self.square.block()
    }

    /// Returns true: the zeros of a binary number matter as much as its ones.
    fn zeros_matter(&self) -> bool {
        true
    }

    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        Some(match p.checked_sub(self.first()) {
            _ if self.instance.added() == Some(v) && p == 0 => Vec::new(),
            Some(p) if self.instance.added() != Some(v) => self.is_square(p, v).map(Term::Lit).collect(),
            _ => vec![Term::False],
        })
    }

    /// Returns two terms: "the first jump leads to `v`", and "the last jump leads from `v` to the start". `None` if the
    /// instance has an added vertex, which the formula leaves out.
    fn ends(&self, v: Vertex) -> Option<[Term; 2]> {
        if self.first() > 0 {
            return None;
        }
        let (row, col) = self.board.row_col(v);
        let (start_row, start_col) = self.board.row_col(self.instance.start());
        let by = (i64::from(row) - i64::from(start_row), i64::from(col) - i64::from(start_col));
        let jump = |p, by: (i64, i64)| {
            let found = self.jump.row(p).zip(&self.jumps).find(|&(_, jump)| *jump == by);
            found.map_or(Term::False, |(j, _)| Term::Lit(j))
        };
        Some([jump(0, by), jump(self.n - 1, (-by.0, -by.1))])
    }

    fn meaning(&self, var: Var) -> Option<String> {
        if let Some((p, is_row, k)) = self.square.meaning(var) {
            let of = if is_row { 'R' } else { 'C' };
            return Some(format!("{of}({p},{k})"));
        }
        if let Some((p, k)) = self.jump.meaning(var) {
            let (r, c) = self.jumps[k as usize];
            return Some(format!("J({p},{r:+},{c:+})"));
        }
        let (number, k) = self.differ.meaning(var)?;
        let (p, q) = self.pair(self.n, number)?;
        Some(format!("N({p},{q},{k})"))
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        let at = |p: u32| {
            let position = self.first() + p % self.n;
            self.board.row_col(sequence.order()[position as usize])
        };
        let bit = |var| {
            let (p, is_row, k) = self.square.meaning(var)?;
            let (row, col) = at(p);
            Some((if is_row { row } else { col }) >> k & 1 == 1)
        };
        if let Some(bit) = bit(var) {
            return Some(bit);
        }
        if let Some((p, k)) = self.jump.meaning(var) {
            let ((row, col), (next_row, next_col)) = (at(p), at(p + 1));
            let made = (i64::from(next_row) - i64::from(row), i64::from(next_col) - i64::from(col));
            return Some(made == self.jumps[k as usize]);
        }
        let (number, k) = self.differ.meaning(var)?;
        let (p, q) = self.pair(self.n, number)?;
        let kth = |p| bit(self.square.square(p).nth(k as usize)?.var());
        Some(kth(p)? != kth(q)?)
    }

    fn read(&self, model: &Model) -> Result<Vec<Vec<Vertex>>, NotATour> {
        let value = |word: Word| {
            let bits = (0..word.m()).filter(|&k| holds(model, Term::Lit(word.bit(k))));
            bits.fold(0, |value, k| value | 1 << k)
        };
        let mut order: Vec<Vertex> = self.instance.added().into_iter().collect();
        for position in 0..self.n {
            let (row, col) = (value(self.square.row(position)), value(self.square.col(position)));
            if row >= self.board.rows() || col >= self.board.cols() {
                return Err(NotATour::not_one_at(position, 0));
            }
            order.push(self.board.square_at(row, col));
        }
        Ok(vec![order])
    }
}
