//! Directions of edges in a text. Graphs in this crate are undirected, so arcs are accepted in two cases: if every arc
//! comes in both directions, or if the caller asks for the undirected graph.
//!
//! A plain list of edges gives no directions and is read as undirected.

use super::{FormatError, Listed, Remark, Wrong};
use crate::graph::Vertex;

/// Directions that a text gives to its edges, reduced to the information that the checks need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Directions {
    /// Line with the words that declare the edges as arcs; `None` for a plain list of edges.
    line: Option<usize>,
    /// Words that declare the edges as arcs, such as `digraph`; empty for a plain list of edges.
    words: String,
    /// An arc without its reverse, as 0-based vertices; `None` if every arc has its reverse.
    one_way: Option<(u32, u32)>,
}

impl Directions {
    /// Returns the directions of these arcs. The words `words` in the line `line` declare the edges as arcs.
    pub(super) fn of(line: usize, words: impl Into<String>, arcs: &[(u32, u32)]) -> Self {
        Self {
            line: Some(line),
            words: words.into(),
            one_way: one_way(arcs),
        }
    }

    /// Returns directions for a plain list of edges in which every pair comes in both directions; `None` for other
    /// lists.
    pub(super) fn of_plain(arcs: &[(u32, u32)]) -> Option<Self> {
        let is_symmetric = !arcs.is_empty() && one_way(arcs).is_none();
        is_symmetric.then(|| Self {
            line: None,
            words: String::new(),
            one_way: None,
        })
    }
}

/// Returns an arc without its reverse; `None` if every arc has its reverse.
fn one_way(arcs: &[(u32, u32)]) -> Option<(u32, u32)> {
    let mut reverse: Vec<_> = arcs.iter().map(|&(a, b)| (b, a)).collect();
    reverse.sort_unstable();
    let is_one_way = |arc: &&(u32, u32)| reverse.binary_search(arc).is_err();
    arcs.iter().find(is_one_way).copied()
}

/// Checks the directions of a graph. An arc without its reverse is an error, unless `undirected` asks for the
/// undirected graph.
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
