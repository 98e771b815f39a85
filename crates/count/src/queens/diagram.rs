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
//! Counting starts from the 2^N² assignments at the root and halves the number at every variable, so it uses big
//! integers.
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

use std::hash::RandomState;
use std::num::NonZero;
use std::ops::ControlFlow;

use hamcnf_graph::budget::Budget;
use hamcnf_tours::{NotAPlacement, Placement, Queens};
use num_bigint::BigUint;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OutOfMemory, SatCountCache};
use oxidd::{BooleanFunction, Function, HasWorkers, Manager, ManagerRef, WorkerPool};

use crate::not_counted::{Cause, NotCounted};
use crate::store::Plan;
use hamcnf_graph::budget::Stopped;

/// Number of terminal nodes: true and false.
const TERMINALS: usize = 2;

/// Resource limits of the diagram.
#[derive(Clone, Debug)]
pub struct Options {
    /// Number of threads; capped at the number of processors.
    pub threads: NonZero<u32>,
    /// Maximum number of nodes at one time, in all diagrams together. The memory for all nodes is reserved in advance,
    /// with [`BYTES_A_NODE`](crate::store::BYTES_A_NODE) bytes per node.
    pub node_capacity: usize,
    /// Limits on time, checked between rows and between the queens of a row.
    pub budget: Budget,
}

impl Options {
    /// Returns options with one thread, no deadline and 4ᴺ nodes. In experiments, this number of nodes was enough for
    /// up to 13 queens: 8 queens need 0.36 · 4ᴺ nodes, and 11 queens 0.45 · 4ᴺ nodes. It is not proved to be enough for
    /// every N.
    pub fn enough_for(queens: &Queens) -> Self {
        let bits = (2 * queens.n()).clamp(12, usize::BITS - 1);
        Self { threads: NonZero::<u32>::MIN, node_capacity: 1 << bits, budget: Budget::default() }
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
    store: Store,
    /// Conjunction B of the diagrams of all rows, as defined in the module documentation.
    board: BDDFunction,
    peak_nodes: usize,
}

impl Solutions {
    /// Maximum number of queens for which a diagram is built. In practice, memory runs out for far fewer queens.
    pub const MOST: u32 = 1000;

    /// Builds the diagram by conjoining the rows. Calls `progress` after each row.
    ///
    /// # Errors
    ///
    /// Returns [`NotCounted`] if there are too many queens, if the memory cannot be reserved, or if the node capacity
    /// or the deadline is exceeded.
    ///
    /// # Panics
    ///
    /// Never panics: there is at least one row.
    pub fn new(queens: &Queens, options: &Options, progress: &mut dyn FnMut(Progress)) -> Result<Self, NotCounted> {
        let n = queens.n();
        if n > Self::MOST {
            let why = format!("{queens}: decision diagrams support at most {} queens", Self::MOST);
            return Err(NotCounted::new(Cause::Unsupported, why));
        }
        let store = Store::reserve(queens, options)?;
        let mut peak_nodes = 0;
        let mut board: Option<BDDFunction> = None;
        for (rows, row) in (0..n).enumerate() {
            let rows = rows as u32;
            let late = || options.budget.over().is_some();
            let conjoined = store.on_worker(|| {
                let Some(row) = store.row(n, row, &late)? else {
                    return Ok(None);
                };
                let conjoined = board.as_ref().map_or(Ok(row.clone()), |board| row.and(board));
                conjoined.map(Some)
            });
            let conjoined =
                conjoined.map_err(|OutOfMemory| store.full(rows, n))?.ok_or_else(|| over(&options.budget, rows, n))?;
            board = Some(conjoined);
            let nodes = store.nodes_alive();
            peak_nodes = peak_nodes.max(nodes);
            progress(Progress { rows: rows + 1, of: n, nodes });
        }
        Ok(Self { queens: queens.clone(), board: board.expect("there is at least one row"), store, peak_nodes })
    }

    /// Returns the number of placements.
    pub fn count(&self) -> BigUint {
        let mut cache = SatCountCache::<BigUint, RandomState>::default();
        let variables = self.store.plan.variables;
        self.store.on_worker(|| self.board.sat_count(variables, &mut cache))
    }

    /// Returns the number of nodes of the diagram, including terminals.
    pub fn nodes(&self) -> usize {
        self.store.on_worker(|| self.board.node_count())
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
    /// Returns [`NotCounted`] if the restricted diagrams do not fit into memory together with the whole diagram, or if a
    /// placement is invalid.
    pub fn list(&self, found: &mut dyn FnMut(Placement) -> ControlFlow<()>) -> Result<(), NotCounted> {
        let n = self.queens.n();
        let full = |OutOfMemory| self.store.full(n, n);
        let columns = self.store.columns(n).map_err(full)?;
        let mut listing = Listing { queens: &self.queens, columns, rows: Vec::new(), found };
        match listing.later_columns(&self.board).map_err(full)? {
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
    /// Indexed by column, then by row: the diagram that requires a queen on this square, and no other queen in the
    /// column.
    columns: Vec<Vec<BDDFunction>>,
    /// Rows of the queens that are placed so far, one per column.
    rows: Vec<u32>,
    found: &'a mut dyn FnMut(Placement) -> ControlFlow<()>,
}

/// Control flow of the listing. A break carries an error if a placement is invalid.
type Flow = ControlFlow<Result<(), NotAPlacement>>;

impl Listing<'_> {
    /// Lists the placements that extend the queens placed so far. `rest` is the diagram restricted to these queens.
    fn later_columns(&mut self, rest: &BDDFunction) -> AllocResult<Flow> {
        if !rest.satisfiable() {
            return Ok(ControlFlow::Continue(()));
        }
        if let Some(forced) = sole_path(rest) {
            return Ok(self.forced(&forced));
        }
        for row in 0..self.queens.n() {
            let column = &self.columns[self.rows.len()];
            let restricted = rest.restrict(&column[row as usize])?;
            self.rows.push(row);
            let flow = self.later_columns(&restricted)?;
            self.rows.pop();
            if flow.is_break() {
                return Ok(flow);
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
fn sole_path(diagram: &BDDFunction) -> Option<Vec<u32>> {
    let mut set = Vec::new();
    let mut at = diagram.clone();
    while let Some((with, without)) = at.cofactors() {
        // Every diagram except false has a path to the terminal true.
        at = match (with.satisfiable(), without.satisfiable()) {
            (true, false) => {
                set.push(top(&at));
                with
            }
            (false, true) => without,
            _ => return None,
        };
    }
    at.valid().then_some(set)
}

/// Returns the variable at the root of a diagram.
fn top(diagram: &BDDFunction) -> u32 {
    diagram.with_manager_shared(|manager, edge| manager.level_to_var(manager.get_node(edge).level()))
}

/// OxiDD manager, which stores the diagrams, and constructors of basic diagrams.
struct Store {
    manager: BDDManagerRef,
    plan: Plan,
}

/// Returns the error for a diagram that a limit ended after this number of rows.
fn over(budget: &Budget, rows: u32, of: u32) -> NotCounted {
    NotCounted::over(budget.over().unwrap_or(Stopped::Time), &format!("after {rows} of {of} rows"))
}

impl Store {
    /// Returns the error for a diagram that needs more nodes than allowed after this number of rows.
    fn full(&self, rows: u32, of: u32) -> NotCounted {
        let capacity = self.plan.node_capacity;
        NotCounted::memory(format!(
            "the decision diagram reached its limit of {capacity} nodes after {rows} of {of} rows"
        ))
    }

    fn reserve(queens: &Queens, options: &Options) -> Result<Self, NotCounted> {
        let squares = u64::from(queens.n()).pow(2);
        let plan = Plan::new(squares, options.node_capacity, options.threads)?;
        let manager = new_manager(plan.node_capacity, plan.cache_capacity, plan.threads);
        manager.with_manager_exclusive(|manager| {
            manager.add_vars(plan.variables);
        });
        Ok(Self { manager, plan })
    }

    /// Calls `work` on a worker thread, whose stack is deep enough for N² levels.
    fn on_worker<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.manager.with_manager_shared(|manager| manager.workers().install(work))
    }

    /// Returns the number of nodes of all live diagrams, including terminals, after collecting garbage.
    fn nodes_alive(&self) -> usize {
        self.manager.with_manager_shared(|manager| {
            manager.gc();
            manager.num_inner_nodes() + TERMINALS
        })
    }

    fn yes(&self) -> BDDFunction {
        self.manager.with_manager_shared(|manager| BDDFunction::t(manager))
    }

    fn no(&self) -> BDDFunction {
        self.manager.with_manager_shared(|manager| BDDFunction::f(manager))
    }

    /// Conjoins the literal x (or ¬x if `is` is false) with `rest`. The variable x must come before all variables of
    /// `rest`.
    fn literal(&self, x: u32, is: bool, rest: &BDDFunction) -> AllocResult<BDDFunction> {
        let x = self.manager.with_manager_shared(|manager| BDDFunction::var(manager, x))?;
        if is { x.and(rest) } else { x.imp_strict(rest) }
    }

    /// Builds the diagram S_ij: a queen in row i and column j, and none on the squares that it attacks.
    fn queen(&self, n: u32, i: u32, j: u32) -> AllocResult<BDDFunction> {
        let mut rest = self.yes();
        for row in (0..n).rev() {
            let distance = row.abs_diff(i);
            for column in (0..n).rev() {
                let across = column.abs_diff(j);
                // The square is in the queen's row, in its column, or on one of its diagonals.
                if distance == 0 || across == 0 || across == distance {
                    let is = (row, column) == (i, j);
                    rest = self.literal(n * row + column, is, &rest)?;
                }
            }
        }
        Ok(rest)
    }

    /// Builds the diagram R_i: exactly one queen in row i, and none on the squares that it attacks. Returns `None` if
    /// `late` returns true before the row is done.
    fn row(&self, n: u32, i: u32, late: &dyn Fn() -> bool) -> AllocResult<Option<BDDFunction>> {
        let mut row = self.no();
        for j in 0..n {
            if late() {
                return Ok(None);
            }
            row = row.or(&self.queen(n, i, j)?)?;
        }
        Ok(Some(row))
    }

    /// Builds a diagram for each square, indexed by column, then by row. The diagram requires a queen on the square,
    /// and no other queen in its column.
    fn columns(&self, n: u32) -> AllocResult<Vec<Vec<BDDFunction>>> {
        let placed = |column, queen| {
            let rows = (0..n).rev();
            rows.into_iter().try_fold(self.yes(), |rest, row| self.literal(n * row + column, row == queen, &rest))
        };
        (0..n).map(|column| (0..n).map(|queen| placed(column, queen)).collect()).collect()
    }
}
