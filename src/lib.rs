//! CNF encodings of Hamiltonian cycles and knight's tours, with solving, counting, drawing and experiments, and
//! searches that find tours without clauses. The program `hamcnf` is the command-line interface of this library.
//!
//! ```
//! use hamcnf::solve::{Options, Outcome, solve};
//! use hamcnf::{Board, Formula, Instance, TourKind};
//!
//! let board: Board = "8x8".parse()?;
//! let instance = Instance::on_board(board, TourKind::Closed, board.square("a1")?)?;
//! let formula = Formula::new("counting".parse()?, &instance)?;
//! let Outcome::Found((tour, _)) = solve(&formula, &Options::default(), &mut |_| ())?.outcome else {
//!     panic!("there is a tour");
//! };
//! // The tour has been checked move by move. Its first square is the start.
//! assert_eq!(tour.order().len(), 64);
//! assert_eq!(instance.vertex_name(tour.order()[0]), "a1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The public names of [`hamcnf_encodings`], [`hamcnf_tours`] and [`hamcnf_graph`] are re-exported here: encodings and
//! DIMACS; boards and tours; graphs. The other modules are:
//!
//! - [`question`]: a question, written as one text. [`method`], [`run`], [`record`]: the list of methods; a run of a
//!   method with its settings and its result; the row that records a run. [`pipeline`] turns a question into a record.
//!   [`json`] adds the tour and details to the row, as `--json` prints it. [`features`] describes a question's graph,
//!   [`properties`] the graphs of a stream, [`machine`] the machine and the build.
//! - [`solve`]: solving of formulas with CaDiCaL, in this process. [`proof`]: proof files for independent checkers.
//!   [`refute`] finds such proofs, [`check`] checks them.
//! - [`cycle`]: search for Hamiltonian cycles of any graph. [`portfolio`]: a schedule of these searches. [`search`]:
//!   searches for tours without clauses: Warnsdorff's rule, rotations, backtracking.
//! - [`count`]: the number of tours, by exact counts, estimates, decision diagrams and enumeration. [`givens`]: puzzles.
//! - [`engine`]: external solvers and model counters. [`process`], [`temporary`], [`atomic_file`]: child processes and
//!   files.
//! - [`render`]: tours as text, SVG, PNG, PDF and JSON.
//! - `experiment`, `harness`: experiments and their rows. `report`: reports on the rows of any experiments, differences
//!   between two sets of rows, and formats of other programs. `benchmark`: a set of questions whose known answers are
//!   verified.
//! - `cli`: the program, for users who add their own encodings.
//!
//! All of these modules are available by default. Each feature in parentheses is optional: the program (`cli`),
//! experiments and reports (`harness`), and drawing (`draw`). Without a feature, the dependencies that only this feature
//! needs are not compiled. The feature `petgraph`, which is off by default, adds conversions from and to graphs of the
//! crate petgraph.

pub use hamcnf_check as check;
pub use hamcnf_count as count;
pub use hamcnf_count::givens;
pub use hamcnf_cycle as cycle;
pub use hamcnf_cycle::{portfolio, search};
pub use hamcnf_encodings::*;
pub use hamcnf_graph::*;
#[cfg(feature = "harness")]
pub use hamcnf_lab::{LabError, benchmark, experiment, harness, report};
pub use hamcnf_methods::{features, json, machine, method, pipeline, properties, record, run};
pub use hamcnf_programs::{atomic_file, engine, process, temporary};
pub use hamcnf_questions as question;
pub use hamcnf_refute as refute;
pub use hamcnf_render as render;
pub use hamcnf_sat::{proof, solve};
pub use hamcnf_tours::*;

// The program uses the library under the same name as other users.
extern crate self as hamcnf;

#[cfg(feature = "cli")]
pub mod cli;

/// Commit of this build. If the work tree had changes, a `+` and a checksum of the sources follow. `unknown` if the
/// build was made from a package.
pub const COMMIT: &str = env!("HAMCNF_COMMIT");

/// Runs the examples in README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
