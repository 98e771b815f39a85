//! The N-queens problem as clauses. The variable x_ij says that a queen stands in row i and column j. Its number N·i +
//! j is the same as in the decision diagram that counts placements.
//!
//! - (r) exactly one x_ij for every row i
//! - (c) exactly one x_ij for every column j
//! - (d) at most one x_ij for every falling diagonal i − j
//! - (a) at most one x_ij for every rising diagonal i + j
//!
//! In Adiar's documentation the constraint of a square is "x_ij, and no queen on a square that it attacks", and each
//! row has one square with a queen. Conjoined over all rows, this is (r), the at-most-one half of (c) (the other half
//! follows), (d) and (a).
//!
//! # Size
//!
//! With pairwise at-most-one constraints: N² variables; N + N·N(N−1)/2 clauses for (r) and as many for (c), and
//! N(N−1)(2N−1)/6 for (d) and for (a). Diagonals of one square have no clauses. Other at-most-one encodings have
//! auxiliary variables, which are not determined on a diagonal without queens. With these encodings, count models
//! projected on the x_ij.
//!
//! # References
//!
//! - Steffan Christ Sølvsten: *Adiar*, documentation, example “Queens”.

use rustsat::types::Var;

use crate::cnf::clauses::{Clauses, auxiliary_name};
use crate::cnf::exactly_one::{AtMostOne, AuxiliaryCount, Cardinality};
use crate::cnf::model::Model;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Term, variables};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::placement::{NotAPlacement, Placement, Queens};

/// Clause family (r): exactly one queen per row.
pub const ROW: Family = Family { label: "(r)", says: "every row has exactly one queen" };
/// Clause family (c): exactly one queen per column.
pub const COLUMN: Family = Family { label: "(c)", says: "every column has exactly one queen" };
/// Clause family (d): at most one queen per falling diagonal.
pub const FALLING: Family = Family { label: "(d)", says: "no falling diagonal has two queens" };
/// Clause family (a): at most one queen per rising diagonal.
pub const RISING: Family = Family { label: "(a)", says: "no rising diagonal has two queens" };

/// Clauses of the N-queens problem.
#[derive(Clone, Debug)]
pub struct QueensFormula {
    queens: Queens,
    at_most_one: AtMostOne,
    n_vars: u32,
}

impl QueensFormula {
    /// Creates the formula and numbers its variables. The clauses are generated later, by [`Clauses::emit`].
    pub fn new(queens: &Queens, at_most_one: AtMostOne) -> Self {
        let n = queens.n();
        let mut auxiliary = AuxiliaryCount::new(at_most_one);
        for _ in 0..2 * n {
            auxiliary.constraint(|| n as usize);
        }
        for _ in 0..2 {
            for diagonal in diagonals(n) {
                auxiliary.constraint(|| lines_up(n, diagonal).count());
            }
        }
        Self { queens: queens.clone(), at_most_one, n_vars: n * n + auxiliary.total() as u32 }
    }

    /// Returns the problem.
    pub fn queens(&self) -> &Queens {
        &self.queens
    }

    /// Returns the variables of the squares, an independent support.
    pub fn squares(&self) -> impl Iterator<Item = Var> + use<> {
        let n = self.queens.n();
        variables(&(0..n * n))
    }

    /// Returns the variable x_ij, which says that a queen stands in row i and column j.
    fn at(&self, row: u32, column: u32) -> Var {
        Var::new(self.queens.n() * row + column)
    }

    /// Returns the checked placement that a model describes.
    ///
    /// # Errors
    ///
    /// [`NotAPlacement`], if the assignment is not a model.
    pub fn placement(&self, model: &Model) -> Result<Placement, NotAPlacement> {
        let n = self.queens.n();
        let row_of = |column| {
            let holds = |row: &u32| model.value(self.at(*row, column)) == Some(true);
            let rows: Vec<_> = (0..n).filter(holds).collect();
            match *rows.as_slice() {
                [row] => Ok(row),
                _ => Err(NotAPlacement::not_one_in(column, rows.len())),
            }
        };
        let rows = (0..n).map(row_of).collect::<Result<_, _>>()?;
        Placement::check(&self.queens, rows)
    }
}

/// Returns the diagonals with at least two squares, each as the sum i + j of the row and column of its squares.
fn diagonals(n: u32) -> std::ops::Range<u32> {
    1..(2 * n - 2).max(1)
}

/// Returns the squares (i, j) of the board with i + j = `sum`, in the order of their rows.
fn lines_up(n: u32, sum: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..n).filter_map(move |i| Some((i, sum.checked_sub(i).filter(|&j| j < n)?)))
}

impl Clauses for QueensFormula {
    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn emit<S: ClauseSink>(&self, out: &mut S) {
        let n = self.queens.n();
        let x = |i, j| Term::Lit(self.at(i, j).pos_lit());
        let mut card = Cardinality::new(self.at_most_one, Var::new(n * n));

        // (r) exactly one x_ij in row i
        out.family(ROW);
        for i in 0..n {
            card.exactly_one((0..n).map(|j| x(i, j)), out);
        }
        // (c) exactly one x_ij in column j
        out.family(COLUMN);
        for j in 0..n {
            card.exactly_one((0..n).map(|i| x(i, j)), out);
        }
        // (d) at most one x_ij with i + (N − 1 − j) = d
        out.family(FALLING);
        for d in diagonals(n) {
            card.at_most_one(lines_up(n, d).map(|(i, k)| x(i, n - 1 - k)), out);
        }
        // (a) at most one x_ij with i + j = a
        out.family(RISING);
        for a in diagonals(n) {
            card.at_most_one(lines_up(n, a).map(|(i, j)| x(i, j)), out);
        }
    }

    /// Returns `Q(a1)` for a queen on square a1.
    fn variable_name(&self, var: Var) -> String {
        let n = self.queens.n();
        match var.idx32() {
            square if square < n * n => {
                format!("Q({})", self.queens.board().square_name(Vertex::new(square)))
            }
            _ => auxiliary_name(var),
        }
    }
}
