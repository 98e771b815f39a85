//! Tours of graphs and of boards: instances, endpoints, constraints, symmetries, obstructions; and the sink for clauses.
//!
//! A graph, a start vertex and a kind of tour make an [`Instance`]. A [`Tour`] can only be made by checking an order of
//! vertices against an instance. A [`constraint`] is a condition on tours; its clauses go to a [`ClauseSink`], as those
//! of encodings do, and proof checkers are such sinks. An [`obstruction()`] is a simple reason why an instance has no
//! tour.
//!
//! This crate does not depend on encodings, solvers or checkers.

#![forbid(unsafe_code)]

pub mod board;
pub mod constraint;
pub mod endpoints;
pub mod fixed_start;
pub mod forced;
pub mod holed;
pub mod instance;
pub mod obstruction;
#[cfg(feature = "petgraph")]
mod petgraph;
pub mod piece;
pub mod placement;
pub mod puzzle;
pub mod range;
pub mod sequence;
pub mod sink;
pub mod split;
pub mod symmetry;
mod term;
pub mod tour;

pub use board::{Board, BoardError, MAX_VARIABLES, Ranks};
pub use endpoints::{Endpoints, Start};
pub use fixed_start::Original;
pub use holed::HoledBoard;
pub use instance::{Instance, InstanceError, TourKind};
pub use obstruction::{Obstruction, Witness, obstruction};
pub use piece::{Leaper, Piece};
pub use placement::{NoSuchNumber, NotAPlacement, Placement, Queens};
pub use puzzle::{Puzzle, PuzzleError};
pub use range::{BoardRange, RangeError};
pub use sequence::Sequence;
pub use sink::{Bound, ClauseSink, Count, Family, Tally, UntilError, Watched};
pub use symmetry::{BoardSymmetry, Symmetry};
pub use term::Term;
pub use tour::{NotATour, Tour};

/// Compiles and runs the README example as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
