//! All placements of N queens as one decision diagram: the construction of the Adiar document.
//!
//! x_ij, with the number N·i + j, says that there is a queen in row i and column j.
//!
//! - S_ij = x_ij ∧ ⋀ ¬x_kl over all squares (k, l) that it attacks: one chain of nodes, made from the last
//!   variable to the first
//! - R_i = ⋁_j S_ij: exactly one queen in the row, and none that it attacks in any other
//! - B = ⋀_i R_i
//!
//! and the placements are the models of B. Rows are conjoined from the first to the last: on 10×10 the largest
//! diagram on the way then has 212 598 nodes, and 1.1 million from the middle row outwards; from the last to
//! the first, or with both ends before the middle, it has more than 5 million. Counting starts from the 2^N²
//! assignments at the root and halves at every variable, so it is done with big integers.
//!
//! # Listing
//!
//! Column after column, B is restricted to a queen in each of the rows in turn. A branch ends where the diagram
//! is false, and where one path is left, which has the queens of all later columns; for one path, no node
//! may have both of its children other than false, so that is seen without counting.
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
use std::time::Instant;

use hamcnf_encodings::{NotAPlacement, Placement, Queens};
use num_bigint::BigUint;
use oxidd::bdd::{BDDFunction, BDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OutOfMemory, SatCountCache};
use oxidd::{BooleanFunction, Function, HasWorkers, Manager, ManagerRef, WorkerPool};

use crate::store::{Plan, StoreError};

/// True and false.
const TERMINALS: usize = 2;

/// What the diagram may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that conjoin; no more are started than the machine has processors.
    pub threads: NonZero<u32>,
    /// How many nodes there may be at one time, in all diagrams together. Memory for them is reserved:
    /// [`BYTES_A_NODE`](crate::store::BYTES_A_NODE).
    pub node_capacity: usize,
    /// When to give up; looked at between rows and between the queens of a row, and while listing.
    pub deadline: Option<Instant>,
}

impl Options {
    /// One thread, any time, and 4ᴺ nodes, which were enough for up to 13 queens. That is no law: of them 0.36 are
    /// needed for 8, and 0.45 for 11.
    #[must_use]
    pub fn enough_for(queens: &Queens) -> Self {
        let bits = (2 * queens.n()).clamp(12, usize::BITS - 1);
        Self {
            threads: NonZero::<u32>::MIN,
            node_capacity: 1 << bits,
            deadline: None,
        }
    }
}

/// How far the construction has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Rows conjoined so far.
    pub rows: u32,
    /// All rows.
    pub of: u32,
    /// Nodes of the diagram now.
    pub nodes: usize,
}

/// Why there is no diagram, or no list.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum QueensError {
    /// There are more nodes than there may be.
    #[error(
        "the decision diagram needs more than the {capacity} nodes it may have ({rows} of {of} rows done)"
    )]
    NodeCapacity {
        /// [`Options::node_capacity`].
        capacity: usize,
        /// Rows that were conjoined.
        rows: u32,
        /// N.
        of: u32,
    },
    /// Diagrams with a level for every square would be too deep to conjoin.
    #[error("{0}: a decision diagram is for {most} at most", most = Solutions::MOST)]
    TooMany(String),
    /// There is no memory for the diagrams.
    #[error("{queens}: {error}")]
    Store {
        /// The problem.
        queens: String,
        /// Why.
        error: StoreError,
    },
    /// The deadline passed.
    #[error("the time limit is reached after {rows} of {of} rows")]
    Deadline {
        /// Rows that were conjoined.
        rows: u32,
        /// N.
        of: u32,
    },
    /// What the diagram contains is not a placement, which would be an error of its construction.
    #[error(
        "the decision diagram has queens that are no placement, which is an error in this program: {0}"
    )]
    Wrong(#[from] NotAPlacement),
}

/// The diagram of all placements.
pub struct Solutions {
    queens: Queens,
    store: Store,
    /// B
    board: BDDFunction,
    peak_nodes: usize,
}

impl Solutions {
    /// The most queens that are tried. Far fewer have diagrams that fit into any memory.
    pub const MOST: u32 = 1000;

    /// Conjoins the rows. `progress` is called after each of them.
    ///
    /// # Errors
    ///
    /// [`QueensError`]: too many queens, no memory for the nodes there may be, more nodes, or the deadline.
    ///
    /// # Panics
    ///
    /// Never: there is at least one row.
    pub fn new(
        queens: &Queens,
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, QueensError> {
        let n = queens.n();
        if n > Self::MOST {
            return Err(QueensError::TooMany(queens.to_string()));
        }
        let store = Store::reserve(queens, options)?;
        let mut peak_nodes = 0;
        let mut board: Option<BDDFunction> = None;
        for (rows, row) in (0..n).enumerate() {
            let rows = rows as u32;
            let late = || options.deadline.is_some_and(|end| Instant::now() >= end);
            let conjoined = store.on_worker(|| {
                let Some(row) = store.row(n, row, &late)? else {
                    return Ok(None);
                };
                let conjoined = board
                    .as_ref()
                    .map_or(Ok(row.clone()), |board| row.and(board));
                conjoined.map(Some)
            });
            let conjoined = conjoined
                .map_err(|OutOfMemory| QueensError::NodeCapacity {
                    capacity: store.plan.node_capacity,
                    rows,
                    of: n,
                })?
                .ok_or(QueensError::Deadline { rows, of: n })?;
            board = Some(conjoined);
            let nodes = store.nodes_alive();
            peak_nodes = peak_nodes.max(nodes);
            progress(Progress {
                rows: rows + 1,
                of: n,
                nodes,
            });
        }
        Ok(Self {
            queens: queens.clone(),
            board: board.expect("there is at least one row"),
            store,
            peak_nodes,
        })
    }

    /// How many placements there are.
    #[must_use]
    pub fn count(&self) -> BigUint {
        let mut cache = SatCountCache::<BigUint, RandomState>::default();
        let variables = self.store.plan.variables;
        self.store
            .on_worker(|| self.board.sat_count(variables, &mut cache))
    }

    /// Nodes of the diagram, with terminals.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.store.on_worker(|| self.board.node_count())
    }

    /// Nodes of the largest diagram on the way to it.
    #[must_use]
    pub fn peak_nodes(&self) -> usize {
        self.peak_nodes
    }

    /// Calls `found` on every placement, checked, in lexicographic order of the rows column by column, until it
    /// breaks.
    ///
    /// # Errors
    ///
    /// [`QueensError::NodeCapacity`], if the restricted diagrams do not fit beside the whole one.
    pub fn list(
        &self,
        found: &mut dyn FnMut(Placement) -> ControlFlow<()>,
    ) -> Result<(), QueensError> {
        let n = self.queens.n();
        let full = |OutOfMemory| QueensError::NodeCapacity {
            capacity: self.store.plan.node_capacity,
            rows: n,
            of: n,
        };
        let columns = self.store.columns(n).map_err(full)?;
        let mut listing = Listing {
            queens: &self.queens,
            columns,
            rows: Vec::new(),
            found,
        };
        match listing.later_columns(&self.board).map_err(full)? {
            ControlFlow::Continue(()) | ControlFlow::Break(Ok(())) => Ok(()),
            ControlFlow::Break(Err(wrong)) => Err(wrong.into()),
        }
    }
}

/// Placements column by column.
struct Listing<'a> {
    queens: &'a Queens,
    /// By column and row: a queen there, and in no other row of that column.
    columns: Vec<Vec<BDDFunction>>,
    /// The rows of the queens in the columns so far.
    rows: Vec<u32>,
    found: &'a mut dyn FnMut(Placement) -> ControlFlow<()>,
}

/// Going on, or the end, with what is wrong if that is why.
type Flow = ControlFlow<Result<(), NotAPlacement>>;

impl Listing<'_> {
    /// Those with the rows so far, of which `rest` is left.
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

    /// The one with the rows so far and queens on these squares of the other columns.
    fn forced(&mut self, squares: &[u32]) -> Flow {
        let n = self.queens.n();
        let mut later: Vec<_> = squares.iter().map(|x| (x % n, x / n)).collect();
        later.sort_unstable();
        let later = later.into_iter().map(|(_column, row)| row);
        let rows = self.rows.iter().copied().chain(later).collect();
        match Placement::check(self.queens, rows) {
            Ok(placement) => match (self.found)(placement) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(()) => ControlFlow::Break(Ok(())),
            },
            Err(wrong) => ControlFlow::Break(Err(wrong)),
        }
    }
}

/// The variables that are true on the only path to true; `None` if there are more, or none.
fn sole_path(diagram: &BDDFunction) -> Option<Vec<u32>> {
    let mut set = Vec::new();
    let mut at = diagram.clone();
    while let Some((with, without)) = at.cofactors() {
        // Every diagram but false has a path to true.
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

/// The variable at the root.
fn top(diagram: &BDDFunction) -> u32 {
    diagram
        .with_manager_shared(|manager, edge| manager.level_to_var(manager.get_node(edge).level()))
}

/// The memory of the diagrams, and those that the construction starts from.
struct Store {
    manager: BDDManagerRef,
    plan: Plan,
}

impl Store {
    fn reserve(queens: &Queens, options: &Options) -> Result<Self, QueensError> {
        let squares = u64::from(queens.n()).pow(2);
        let plan = Plan::new(squares, options.node_capacity, options.threads);
        let plan = plan.map_err(|error| QueensError::Store {
            queens: queens.to_string(),
            error,
        })?;
        let manager = new_manager(plan.node_capacity, plan.cache_capacity, plan.threads);
        manager.with_manager_exclusive(|manager| {
            manager.add_vars(plan.variables);
        });
        Ok(Self { manager, plan })
    }

    /// Calls `work` on a thread of the store, whose stack is deep enough for N² levels.
    fn on_worker<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.manager
            .with_manager_shared(|manager| manager.workers().install(work))
    }

    /// The nodes of all diagrams that there are, with terminals. What earlier ones have left is cleared away.
    fn nodes_alive(&self) -> usize {
        self.manager.with_manager_shared(|manager| {
            manager.gc();
            manager.num_inner_nodes() + TERMINALS
        })
    }

    fn yes(&self) -> BDDFunction {
        self.manager
            .with_manager_shared(|manager| BDDFunction::t(manager))
    }

    fn no(&self) -> BDDFunction {
        self.manager
            .with_manager_shared(|manager| BDDFunction::f(manager))
    }

    /// x and `rest`, or its opposite and `rest`; x comes before all variables of `rest`.
    fn literal(&self, x: u32, is: bool, rest: &BDDFunction) -> AllocResult<BDDFunction> {
        let x = self
            .manager
            .with_manager_shared(|manager| BDDFunction::var(manager, x))?;
        if is { x.and(rest) } else { x.imp_strict(rest) }
    }

    /// S_ij: a queen in row i and column j, and none that it attacks.
    fn queen(&self, n: u32, i: u32, j: u32) -> AllocResult<BDDFunction> {
        let mut rest = self.yes();
        for row in (0..n).rev() {
            let distance = row.abs_diff(i);
            for column in (0..n).rev() {
                let across = column.abs_diff(j);
                // In its row, in its column, in one of its diagonals.
                if distance == 0 || across == 0 || across == distance {
                    let is = (row, column) == (i, j);
                    rest = self.literal(n * row + column, is, &rest)?;
                }
            }
        }
        Ok(rest)
    }

    /// R_i: one such queen in row i; `None` if it is late before that is done.
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

    /// By column and row: a queen there, and in no other row of that column.
    fn columns(&self, n: u32) -> AllocResult<Vec<Vec<BDDFunction>>> {
        let placed = |column, queen| {
            let rows = (0..n).rev();
            rows.into_iter().try_fold(self.yes(), |rest, row| {
                self.literal(n * row + column, row == queen, &rest)
            })
        };
        (0..n)
            .map(|column| (0..n).map(|queen| placed(column, queen)).collect())
            .collect()
    }
}
