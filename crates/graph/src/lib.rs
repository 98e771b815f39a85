//! Graphs and digraphs: families, file formats, components, elimination orders; and the limits of work on them.
//!
//! A [`Graph`] or a [`Digraph`] comes from a [family](families), from a [file](formats) or from its edges. Names of
//! things that users write ([`names`]) and lists of things that users can add to ([`registry`]) are the same in all
//! crates, and so are the [`limits`] of any work, its [`budget`] and its [`cancellation`].
//!
//! This crate knows no boards, no tours and no clauses; all other crates depend on it.

#![forbid(unsafe_code)]

pub mod any_graph;
pub mod budget;
pub mod cancellation;
pub mod chordal;
pub mod connectivity;
pub mod digraph;
pub mod facts;
pub mod families;
pub mod formats;
#[cfg(feature = "petgraph")]
mod from_petgraph;
pub mod graph;
pub mod hash;
pub mod limits;
pub mod masks;
pub mod names;
pub mod numbering;
pub mod registry;
pub mod relabel;
pub mod triangle;
pub mod vertex_names;
pub mod weights;

pub use any_graph::AnyGraph;
pub use digraph::Digraph;
#[cfg(feature = "proptest")]
pub use digraph::strategy as digraph_strategy;
pub use facts::Facts;
pub use families::FamilyError;
#[cfg(feature = "proptest")]
pub use graph::strategy as graph_strategy;
pub use graph::{Arc, ArcId, Graph, GraphError, Vertex};
pub use masks::Masks;
pub use names::{Named, NoSuchName};
pub use numbering::Numbering;
pub use triangle::Triangle;
pub use vertex_names::{NotNames, VertexNames, Words as VertexWords};
pub use weights::{WeightError, Weights};

/// Compiles and runs the README example as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
