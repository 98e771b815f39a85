//! CNF encodings of Hamiltonian cycles and paths.
//!
//! A graph, a start vertex and a kind of tour make an [`Instance`](hamcnf_tours::Instance). An [`Encoding`] turns an instance
//! into a [`Formula`], which streams its clauses into any [`ClauseSink`](hamcnf_tours::ClauseSink) and turns models back into
//! checked [`Tour`](hamcnf_tours::Tour)s. This crate depends on no solver.
//!
//! ```
//! use hamcnf_encodings::hamcnf_tours::{Board, Instance, TourKind};
//! use hamcnf_encodings::{Clauses, Encoding, Formula};
//!
//! let board: Board = "8x8".parse()?;
//! let instance = Instance::on_board(board, TourKind::Closed, board.square("a1")?)?;
//! let encoding: Encoding = "binary".parse()?;
//! let formula = Formula::new(encoding, &instance)?;
//! let tally = formula.tally();
//! assert_eq!((formula.n_vars(), tally.total().clauses), (714, 12161));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`hamcnf_graph`], [`hamcnf_tours`]: graphs; instances, tours and
//!   [`ClauseSink`](hamcnf_tours::ClauseSink), the receiver of clauses.
//! - [`cnf`]: variables, clauses, DIMACS files.
//! - [`encoding`]: the name of an encoding, which is a base with refinements. [`formula`]: the formula of an instance
//!   in an encoding.
//! - [`bases`]: the bases, each documented with its literature. The first three are the bases of the paper:
//!   Karthikeyan, Chheda and Ruan, *Knights Tour*, 2024. [`positions`]: the position encodings, one per file.
//!   [`refine`]: the refinements.
//! - [`base`]: the traits of a base, for your own implementations.
//! - [`circuit`]: the circuit constraint over literals of another model.
//! - [`objective`]: the cost of tours in a graph with weights, to be minimized or bounded.
//! - [`queens`]: the N-queens problem, whose clauses go to the same sinks.

#![forbid(unsafe_code)]

pub mod base;
pub mod bases;
pub mod circuit;
pub mod cnf;
pub mod derivation;
pub mod encoding;
pub mod formula;
pub mod objective;
pub mod positions;
pub mod queens;
pub mod refine;

pub use base::EncodeError;
pub use cnf::answer;
pub use cnf::clauses::Clauses;
pub use cnf::dimacs::{DimacsWriter, Header, ProjectionFormat, WriteError};
pub use cnf::exactly_one::AtMostOne;
pub use cnf::gbd::GbdHash;
pub use cnf::model::{Model, NotAModel};
pub use cnf::opb::{Constraints, OpbHeader, OpbWriter, constraints};
pub use cnf::projection::{Projection, ProjectionError};
pub use cnf::wcnf::{WcnfForm, WcnfHeader, WcnfWriter};
pub use cnf::window::Pruning;
pub use encoding::{Encoding, EncodingError};
pub use formula::{Formula, Reading};
pub use hamcnf_graph;
pub use hamcnf_tours;
pub use objective::{Bounded, Objective};
pub use queens::QueensFormula;
pub use refine::orientation::Orientation;
pub use rustsat::types::{Lit, Var};

/// Doctest of the example in README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
