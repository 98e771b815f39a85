//! CNF encodings of Hamiltonian cycles and knight's tours, and what is done with the clauses: solving, counting,
//! drawing, and experiments; and searching for tours without them. The program `hamcnf` is this library on the
//! command line.
//!
//! ```
//! use hamcnf::solve::{Options, Outcome, solve};
//! use hamcnf::{Board, Formula, Instance, TourKind};
//!
//! let board: Board = "8x8".parse()?;
//! let instance = Instance::on_board(board, TourKind::Closed, board.square("a1")?)?;
//! let formula = Formula::new("counting".parse()?, &instance)?;
//! let Outcome::Tour(tour, _) = solve(&formula, &Options::default(), &mut |_| ())?.outcome else {
//!     panic!("there is a tour");
//! };
//! // Checked move by move; the start is its first square.
//! assert_eq!(tour.order().len(), 64);
//! assert_eq!(instance.vertex_name(tour.order()[0]), "a1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Encodings, boards, graphs, tours and DIMACS are in [`hamcnf_encodings`], whose main names are repeated here. Then:
//!
//! - [`solve`]: CaDiCaL in this process.
//! - [`search`]: tours without clauses: Warnsdorff's rule, rotations, backtracking.
//! - [`count`]: how many tours there are: exactly, by estimates, decision diagrams, enumeration and model counters.
//! - [`properties`]: properties of the graphs of a stream, such as "hypohamiltonian".
//! - [`render`]: tours as text, SVG, PNG and JSON.
//! - [`question`], [`method`], [`run`], [`record`]: a question; the list of methods; one run of a method, its settings and its
//!   result; the row that records a run. [`pipeline`] turns a question into a record. [`json`]: the row with the tour and
//!   details, as `--json` prints it. [`features`]: facts of a question's graph.
//! - [`proof`]: proofs that there is no tour, for others to check. [`refute`]: finds and checks such proofs.
//! - `harness`: experiments, their rows and tables.
//! - `report`: rows of any experiments: differences between two sets, and formats of other programs.
//! - [`benchmark`]: a set of questions with known answers, each verified.
//! - `cli`: the program, for users who add encodings of their own.
//!
//! All of these are there by default. Without default features there is neither the program (`cli`) nor experiments and
//! reports (`harness`), nothing is drawn (`draw`), and there are no decision diagrams of OxiDD's (`diagrams`); and what
//! only these need is not compiled. `petgraph` makes graphs of petgraph's.

pub use hamcnf_check as check;
pub use hamcnf_encodings::*;
#[cfg(feature = "diagrams")]
pub use hamcnf_engines::store;
pub use hamcnf_engines::{
    atomic_file, budget, cancellation, count, cycle, limits, portfolio, process, proof, properties,
    search, solve, temporary,
};
#[cfg(feature = "harness")]
pub use hamcnf_lab::{benchmark, experiment, harness, report};
pub use hamcnf_methods::{
    features, json, machine, method, pipeline, question, record, refute, run,
};
pub use hamcnf_render as render;

// The program is written against the library as its other users are.
extern crate self as hamcnf;

#[cfg(feature = "cli")]
pub mod cli;

/// The commit that this build is from, with a `+` and a checksum of the sources if the tree had changes; `unknown` in a
/// package.
pub const COMMIT: &str = env!("HAMCNF_COMMIT");

/// The examples in README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
