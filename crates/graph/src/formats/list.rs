//! List of the graph formats, one per line. Help shows them, and recognition tries them, in this order.

use std::sync::{PoisonError, RwLock};

use super::Format;
use crate::names::NoSuchName;

/// Formats that this crate implements.
const LIST: [Format; 17] = [
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

/// Formats that other crates have registered.
static REGISTERED: RwLock<Vec<Format>> = RwLock::new(Vec::new());

pub(super) fn all() -> Vec<Format> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    LIST.iter().chain(registered.iter()).copied().collect()
}

/// Error for a format that cannot be registered, because a format with the same name exists.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a graph format named \"{0}\" already exists")]
pub struct Registered(pub &'static str);

/// Adds a format of another crate to the list. The format is then known in the whole process.
///
/// # Errors
///
/// [`Registered`] if the list already has a format with this name.
pub fn register(format: Format) -> Result<(), Registered> {
    let is_new: Result<Format, NoSuchName> = format.as_str().parse();
    if is_new.is_ok() {
        return Err(Registered(format.as_str()));
    }
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.push(format);
    Ok(())
}
