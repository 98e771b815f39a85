//! List of the graph formats, one per line. Help shows them, and recognition tries them, in this order.

use super::Format;
use crate::registry::{Entry, RegisterError, Registry};

/// Formats that this crate implements.
const LIST: &[Format] = &[
    Format::DIMACS,
    Format::TSPLIB,
    Format::EDGES,
    Format::EDGES_HEADER,
    Format::GRAPH6,
    Format::SPARSE6,
    Format::METIS,
    Format::ADJACENCY_LIST,
    Format::GRAPHML,
    Format::DOT,
    Format::MATRIX,
    Format::GML,
    Format::PAJEK,
    Format::ASP,
    Format::MATRIX_MARKET,
    Format::GEXF,
    Format::JSON,
];

/// List of the built-in and registered formats.
pub(super) static FORMATS: Registry<Format> = Registry::new(|| LIST);

impl Entry for Format {
    const OF: &'static str = "graph format";

    fn name(&self) -> &str {
        self.name
    }
}

/// Adds a format of another crate to the list.
///
/// # Errors
///
/// [`RegisterError`] if the name is invalid or taken.
pub fn register(format: Format) -> Result<(), RegisterError> {
    FORMATS.register(format)
}
