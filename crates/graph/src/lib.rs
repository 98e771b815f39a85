//! Graphs, boards, instances and tours of Hamiltonian cycle problems, and sinks that receive clauses.
//!
//! A graph, a start vertex and a kind of tour make an [`Instance`]. A [`Tour`] can only be made by checking an order of
//! vertices against an instance. Graphs come from boards, [`families`] and files ([`formats`]). An [`obstruction()`] is
//! a simple reason why an instance has no tour. Encodings write their clauses to a [`ClauseSink`]; proof checkers are
//! such sinks and receive the clauses of a formula.
//!
//! This crate does not depend on encodings, solvers or checkers; all other crates depend on this crate.

#![forbid(unsafe_code)]

pub mod any_graph;
pub mod board;
pub mod chordal;
pub mod connectivity;
pub mod constraint;
pub mod digraph;
pub mod endpoints;
pub mod facts;
pub mod families;
pub mod fixed_start;
pub mod forced;
pub mod formats;
#[cfg(feature = "petgraph")]
mod from_petgraph;
pub mod graph;
pub mod holed;
pub mod instance;
pub mod masks;
pub mod names;
pub mod numbering;
pub mod obstruction;
pub mod piece;
pub mod placement;
pub mod puzzle;
pub mod range;
pub mod registry;
pub mod relabel;
pub mod sequence;
pub mod shape;
pub mod sink;
pub mod split;
pub mod symmetry;
mod term;
pub mod tour;
pub mod triangle;
pub mod vertex_names;

pub use any_graph::AnyGraph;
pub use board::{Board, BoardError, MAX_VARIABLES, Ranks};
pub use digraph::Digraph;
#[cfg(feature = "proptest")]
pub use digraph::strategy as digraph_strategy;
pub use endpoints::{Endpoints, Start};
pub use facts::Facts;
pub use families::FamilyError;
pub use fixed_start::{FixedStartError, Original};
#[cfg(feature = "proptest")]
pub use graph::strategy as graph_strategy;
pub use graph::{Arc, ArcId, Graph, GraphError, Vertex};
pub use holed::HoledBoard;
pub use instance::{Instance, InstanceError, TourKind};
pub use masks::Masks;
pub use names::{Named, NoSuchName};
pub use numbering::Numbering;
pub use obstruction::{CutVertex, End, FarSide, Obstruction, Separator, obstruction};
pub use piece::{Leaper, Piece};
pub use placement::{NoSuchNumber, NotAPlacement, Placement, Queens};
pub use puzzle::{Puzzle, PuzzleError};
pub use range::{BoardRange, RangeError};
pub use sequence::Sequence;
pub use shape::Shape;
pub use sink::{Bound, ClauseSink, Count, Family, Tally};
pub use symmetry::{BoardSymmetry, Symmetry};
pub use term::Term;
pub use tour::{NotATour, Tour};
pub use triangle::Triangle;
pub use vertex_names::{NotNames, VertexNames, Words as VertexWords};

/// Compiles and runs the README example as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
