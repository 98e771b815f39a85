//! What is asked: a graph or board, a start and a kind of tour; and the tour that answers it.

pub mod board;
pub mod chordal;
pub mod connectivity;
pub mod facts;
pub mod families;
pub mod formats;
#[cfg(feature = "petgraph")]
mod from_petgraph;
pub mod graph;
pub mod holed;
pub mod instance;
pub mod numbering;
pub mod obstruction;
pub mod placement;
pub mod relabel;
pub mod sequence;
pub mod shape;
pub mod tour;
pub mod vertex_names;
