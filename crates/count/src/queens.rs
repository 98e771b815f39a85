//! Decision diagram of all placements of N queens, constructed as in the documentation of Adiar.
//!
//! The variable x_ij, with the number N·i + j, is true if there is a queen in row i and column j.
//!
//! - S_ij = x_ij ∧ ⋀ ¬x_kl over all squares (k, l) that the queen attacks. This is one chain of nodes, built from the
//!   last variable to the first.
//! - R_i = ⋁_j S_ij: exactly one queen in row i, and no queen that it attacks in any other row.
//! - B = ⋀_i R_i: the board with all queens.
//!
//! The placements are the models of B. Rows are conjoined from the first to the last: on 10×10 the largest intermediate
//! diagram then has 212 598 nodes. In the order from the middle row outwards, the largest diagram has 1.1 million
//! nodes. In the orders from the last row to the first, and from both ends to the middle, it has more than 5 million.
//!
//! # Listing
//!
//! Column by column, B is restricted to a queen in each of the rows in turn. A branch ends if the diagram is false, or
//! if a single path is left, which determines the queens of all later columns. On a single path, each node has only one
//! child other than false, so a single path is recognised without counting.
//!
//! # References
//!
//! - Steffan Christ Sølvsten: *Adiar*, documentation, example “Queens”.
//! - Daniel Kunkle, Vlad Slavici, Gene Cooperman: _Parallel Disk-Based Computation for Large, Monolithic Binary
//!   Decision Diagrams_, PASCO 2010, the constraints.
//! - Martin Faartoft: report on N queens by decision diagrams, the listing.

use std::ops::ControlFlow;

use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_tours::{NotAPlacement, Placement, Queens};
use num_bigint::BigUint;

use crate::diagrams::{Diagram, DiagramResult, Diagrams, Operation, Rule};
use crate::not_counted::{Cause, NotCounted};

/// Resource limits of the diagram.
#[derive(Clone, Debug)]
pub struct Options {
    /// Maximum number of nodes at one time, in all diagrams together. A node takes at most
    /// [`BYTES_A_NODE`](crate::diagrams::BYTES_A_NODE) bytes.
    pub node_capacity: usize,
    /// Limits on time.
    pub budget: Budget,
}

impl Options {
    /// Returns options with no deadline and 4ᴺ nodes. In experiments, this number of nodes was enough for up to 12 queens.
    /// It is not proved to be enough for every N.
    pub fn enough_for(queens: &Queens) -> Self {
        let bits = (2 * queens.n()).clamp(12, usize::BITS - 1);
        Self { node_capacity: 1 << bits, budget: Budget::default() }
    }
}

/// Progress of the construction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Number of rows whose diagrams have been conjoined so far.
    pub rows: u32,
    /// Total number of rows.
    pub of: u32,
    /// Current number of nodes of the diagram.
    pub nodes: usize,
}

/// Decision diagram of all placements.
pub struct Solutions {
    queens: Queens,
    diagrams: Diagrams,
    /// Conjunction B of the diagrams of all rows, as defined in the module documentation.
    board: Diagram,
    peak_nodes: usize,
}

impl Solutions {
    /// Maximum number of queens for which a diagram is built. In practice, memory runs out for far fewer queens.
    pub const MOST: u32 = 1000;

    /// Builds the diagram by conjoining the rows. Calls `progress` after each row.
    ///
    /// # Errors
    ///
    /// Returns [`NotCounted`] if there are too many queens, or if the node capacity or the deadline is exceeded.
    pub fn new(queens: &Queens, options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Self, NotCounted> {
        let n = queens.n();
        if n > Self::MOST {
            let why = format!("{queens}: decision diagrams support at most {} queens", Self::MOST);
            return Err(NotCounted::new(Cause::Unsupported, why));
        }
        let diagrams = Diagrams::new(Rule::Equal, u64::from(n).pow(2), options.node_capacity, options.budget.clone())?;
        let mut solutions = Self { queens: queens.clone(), diagrams, board: Diagram::TRUE, peak_nodes: 0 };
        for row in 0..n {
            solutions.conjoin(row).map_err(|limit| solutions.stopped(limit, row))?;
            // The conjunction replaces all diagrams that it was made from.
            solutions.collect().map_err(|limit| solutions.stopped(limit, row))?;
            let nodes = solutions.diagrams.len();
            solutions.peak_nodes = solutions.peak_nodes.max(nodes);
            progress(Progress { rows: row + 1, of: n, nodes });
        }
        Ok(solutions)
    }

    /// Conjoins the board with a row.
    fn conjoin(&mut self, row: u32) -> Result<(), Stopped> {
        let mut kept = [self.board];
        let n = self.queens.n();
        let row = self.diagrams.with_room(&mut kept, &|diagrams, _| queens_in_row(diagrams, n, row))?;
        let mut kept = [kept[0], row];
        self.board =
            self.diagrams.with_room(&mut kept, &|diagrams, kept| diagrams.apply(Operation::And, kept[1], kept[0]))?;
        Ok(())
    }

    /// Removes all diagrams but the board.
    fn collect(&mut self) -> Result<(), Stopped> {
        self.diagrams.collect(std::slice::from_mut(&mut self.board))
    }

    fn stopped(&self, limit: Stopped, rows: u32) -> NotCounted {
        self.diagrams.not_built(limit, &format!("after {rows} of {} rows", self.queens.n()))
    }

    /// Returns the number of placements.
    pub fn count(&self) -> BigUint {
        self.diagrams.count(self.board)
    }

    /// Returns the number of nodes of the diagram, including terminals.
    pub fn nodes(&self) -> usize {
        self.diagrams.size(self.board)
    }

    /// Returns the number of nodes of the largest intermediate diagram.
    pub fn peak_nodes(&self) -> usize {
        self.peak_nodes
    }

    /// Checks every placement and passes it to `found`, until `found` breaks. Placements are sorted lexicographically
    /// by the rows of their queens, column by column.
    ///
    /// # Errors
    ///
    /// Returns [`NotCounted`] if the restricted diagrams do not fit into memory together with the whole diagram, if the
    /// deadline is exceeded, or if a placement is invalid.
    pub fn list(&mut self, found: &mut dyn FnMut(Placement) -> ControlFlow<()>) -> Result<(), NotCounted> {
        let n = self.queens.n();
        self.collect().map_err(|limit| self.stopped(limit, n))?;
        let columns = columns(&mut self.diagrams, n).map_err(|limit| self.stopped(limit, n))?;
        let kept = columns.into_iter().chain([self.board]).collect();
        let mut listing = Listing { queens: &self.queens, diagrams: &mut self.diagrams, kept, rows: Vec::new(), found };
        let flow = listing.later_columns();
        if let Some(&board) = listing.kept.last() {
            self.board = board;
        }
        match flow.map_err(|limit| self.stopped(limit, n))? {
            ControlFlow::Continue(()) | ControlFlow::Break(Ok(())) => Ok(()),
            ControlFlow::Break(Err(wrong)) => {
                let why =
                    format!("the decision diagram contains an invalid placement, which is a bug in hamcnf: {wrong}");
                Err(NotCounted::new(Cause::Wrong, why))
            }
        }
    }
}

/// State of a listing of placements, column by column.
struct Listing<'a> {
    queens: &'a Queens,
    diagrams: &'a mut Diagrams,
    /// The diagrams of [`columns`]; then those of the board, restricted to none, one, two and so on of the queens that are
    /// placed so far.
    kept: Vec<Diagram>,
    /// Rows of the queens that are placed so far, one per column.
    rows: Vec<u32>,
    found: &'a mut dyn FnMut(Placement) -> ControlFlow<()>,
}

/// Control flow of the listing. A break carries an error if a placement is invalid.
type Flow = ControlFlow<Result<(), NotAPlacement>>;

impl Listing<'_> {
    /// Lists the placements that extend the queens placed so far. The last diagram is the board restricted to them.
    fn later_columns(&mut self) -> Result<Flow, Stopped> {
        let n = self.queens.n() as usize;
        let column = self.rows.len();
        let rest = n * n + column;
        if self.kept[rest] == Diagram::FALSE {
            return Ok(ControlFlow::Continue(()));
        }
        if let Some(forced) = sole_path(self.diagrams, self.kept[rest]) {
            return Ok(self.forced(&forced));
        }
        for row in 0..n {
            let restricted = self.diagrams.with_room(&mut self.kept, &|diagrams, kept| {
                diagrams.apply(Operation::Restrict, kept[rest], kept[n * column + row])
            })?;
            self.kept.push(restricted);
            self.rows.push(row as u32);
            let flow = self.later_columns();
            self.rows.pop();
            self.kept.pop();
            if !matches!(flow, Ok(ControlFlow::Continue(()))) {
                return flow;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Lists one placement: the queens placed so far, and queens on these squares in the remaining columns.
    fn forced(&mut self, squares: &[u32]) -> Flow {
        let n = self.queens.n();
        let mut later: Vec<_> = squares.iter().map(|x| (x % n, x / n)).collect();
        later.sort_unstable();
        let later = later.into_iter().map(|(_column, row)| row);
        let rows = self.rows.iter().copied().chain(later).collect();
        match Placement::check(self.queens, rows) {
            Ok(placement) => (self.found)(placement).map_break(Ok),
            Err(wrong) => ControlFlow::Break(Err(wrong)),
        }
    }
}

/// Returns the true variables on the path to the terminal true if there is exactly one such path, else `None`.
fn sole_path(diagrams: &Diagrams, mut at: Diagram) -> Option<Vec<u32>> {
    let mut set = Vec::new();
    while let Some((variable, with, without)) = diagrams.children(at) {
        // Every diagram except false has a path to the terminal true.
        at = match (with != Diagram::FALSE, without != Diagram::FALSE) {
            (true, false) => {
                set.push(variable);
                with
            }
            (false, true) => without,
            _ => return None,
        };
    }
    (at == Diagram::TRUE).then_some(set)
}

/// Conjoins the literal x (or ¬x if `is` is false) with `rest`. The variable x must come before all variables of `rest`.
fn literal(diagrams: &mut Diagrams, x: u32, is: bool, rest: Diagram) -> DiagramResult {
    if is { diagrams.node(x, rest, Diagram::FALSE) } else { diagrams.node(x, Diagram::FALSE, rest) }
}

/// Builds the diagram S_ij: a queen in row i and column j, and none on the squares that it attacks.
fn queen(diagrams: &mut Diagrams, n: u32, i: u32, j: u32) -> DiagramResult {
    let mut rest = Diagram::TRUE;
    for row in (0..n).rev() {
        let distance = row.abs_diff(i);
        for column in (0..n).rev() {
            let across = column.abs_diff(j);
            // The square is in the queen's row, in its column, or on one of its diagonals.
            if distance == 0 || across == 0 || across == distance {
                rest = literal(diagrams, n * row + column, (row, column) == (i, j), rest)?;
            }
        }
    }
    Ok(rest)
}

/// Builds the diagram R_i: exactly one queen in row i, and none on the squares that it attacks.
fn queens_in_row(diagrams: &mut Diagrams, n: u32, i: u32) -> DiagramResult {
    (0..n).try_fold(Diagram::FALSE, |row, j| {
        let queen = queen(diagrams, n, i, j)?;
        diagrams.apply(Operation::Or, row, queen)
    })
}

/// Builds a diagram for each square, at N · column + row. The diagram requires a queen on the square, and no other queen
/// in its column.
fn columns(diagrams: &mut Diagrams, n: u32) -> Result<Vec<Diagram>, Stopped> {
    let squares = (0..n).flat_map(|column| (0..n).map(move |queen| (column, queen)));
    let mut placed = |(column, queen)| {
        let rows = (0..n).rev();
        rows.into_iter().try_fold(Diagram::TRUE, |rest, row| literal(diagrams, n * row + column, row == queen, rest))
    };
    squares.map(&mut placed).collect()
}
