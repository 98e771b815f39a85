//! Directions that a text says of its edges. Graphs here have none, so that a list of arcs is read as a graph only where
//! every arc comes in both directions, or where whoever reads it asks for the undirected graph.
//!
//! A plain list of edges says nothing about directions, and is read as undirected.

use super::{FormatError, Listed, Remark, Wrong};
use crate::graph::Vertex;

/// The directions that a text says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Directions {
    /// The line that says them.
    line: Option<usize>,
    /// The words that say them, such as `digraph`.
    words: String,
    /// An arc without its reverse, between vertices of the graph.
    one_way: Option<(u32, u32)>,
}

impl Directions {
    /// The directions of these arcs, as these words in a line say.
    pub(super) fn of(line: usize, words: impl Into<String>, arcs: &[(u32, u32)]) -> Self {
        Self {
            line: Some(line),
            words: words.into(),
            one_way: one_way(arcs),
        }
    }

    /// Directions of a list that says none, if every pair comes in both directions.
    pub(super) fn of_plain(arcs: &[(u32, u32)]) -> Option<Self> {
        let is_symmetric = !arcs.is_empty() && one_way(arcs).is_none();
        is_symmetric.then(|| Self {
            line: None,
            words: String::new(),
            one_way: None,
        })
    }
}

/// An arc without its reverse.
fn one_way(arcs: &[(u32, u32)]) -> Option<(u32, u32)> {
    let mut reverse: Vec<_> = arcs.iter().map(|&(a, b)| (b, a)).collect();
    reverse.sort_unstable();
    let is_one_way = |arc: &&(u32, u32)| reverse.binary_search(arc).is_err();
    arcs.iter().find(is_one_way).copied()
}

/// The graph that was listed, unless it is directed and the undirected one is not asked for.
pub(super) fn settled(listed: Listed, undirected: bool) -> Result<Listed, FormatError> {
    let Some(directions) = &listed.directions else {
        return Ok(listed);
    };
    if undirected {
        return Ok(listed);
    }
    match directions.one_way {
        Some((from, to)) => Err(FormatError {
            line: directions.line,
            wrong: Wrong::Directed {
                words: directions.words.clone(),
                from: listed.names.name(Vertex::new(from)),
                to: listed.names.name(Vertex::new(to)),
            },
        }),
        None if listed.graph.n_edges() == 0 => Ok(listed),
        None => Ok(Listed {
            remark: listed.remark.or(Some(Remark::BothDirections)),
            ..listed
        }),
    }
}
