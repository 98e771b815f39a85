//! CNF encodings of Hamiltonian cycles and paths.
//!
//! A graph, a start vertex and a kind of tour make an [`Instance`]; an [`Encoding`] of it is a [`Formula`],
//! which streams its clauses into any [`ClauseSink`] and turns models of them back into checked [`Tour`]s.
//! Nothing here knows of a solver.
//!
//! ```
//! use hamcnf_encodings::{Board, Clauses, Encoding, Formula, Instance, TourKind};
//!
//! let board: Board = "8x8".parse()?;
//! let instance = Instance::on_board(board, TourKind::Closed, board.square("a1")?)?;
//! let formula = Formula::new(Encoding::published("binary".parse()?), &instance)?;
//! let tally = formula.tally();
//! assert_eq!((formula.n_vars(), tally.total().clauses), (714, 12161));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`problem`]: what is asked, and the tours that answer it.
//! - [`cnf`]: variables, clauses, sinks, DIMACS.
//! - [`direct`], [`unary`], [`binary`]: one encoding a file, each with its section of the paper:
//!   Karthikeyan, Chheda and Ruan, *Knights Tour*, 2024. [`counting`] is made for model counters;
//!   [`step`] is a bit-vector model of boards.
//! - [`queens`]: the N-queens problem, through the same sinks.
//! - [`orientation`]: one direction of every closed tour, in each of them.
//! - [`encode`]: what an encoding is; [`encoding`]: the choice between them.

pub mod adder;
pub mod binary;
pub mod cnf;
pub mod counting;
pub mod direct;
pub mod distance;
pub mod encode;
pub mod encoding;
pub mod names;
pub mod orientation;
pub mod problem;
pub mod queens;
pub mod step;
pub mod unary;

pub use cnf::answer;
pub use cnf::clauses::Clauses;
pub use cnf::dimacs::{DimacsWriter, Header, ProjectionFormat, WriteError};
pub use cnf::exactly_one::AtMostOne;
pub use cnf::projection::{Projection, ProjectionError, ProjectionSyntax};
pub use cnf::reach::Pruning;
pub use cnf::sink::{ClauseSink, Count, Family, Tally};
pub use encode::{EncodeError, Options};
pub use encoding::{Encoding, EncodingName, Formula};
pub use names::{Named, NoSuchName};
pub use orientation::Orientation;
pub use problem::board::{Board, BoardError, Leaper, MAX_VARIABLES};
pub use problem::connectivity;
pub use problem::formats;
#[cfg(feature = "proptest")]
pub use problem::graph::strategy as graph_strategy;
pub use problem::graph::{Arc, ArcId, Graph, GraphError, Vertex};
pub use problem::instance::{Instance, InstanceError, TourKind};
pub use problem::numbering::Numbering;
pub use problem::obstruction::{CutVertex, FarSide, Obstruction, ObstructionKind, obstruction};
pub use problem::placement::{NoSuchNumber, NotAPlacement, Placement, Queens};
pub use problem::shape::Shape;
pub use problem::tour::{NotATour, Tour};
pub use queens::QueensFormula;

/// The example in README is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
