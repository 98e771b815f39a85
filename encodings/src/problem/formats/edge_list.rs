//! Plain lists of edges: `u v`, a line for each, `#` before comments. There are as many vertices as the greatest
//! number says.

use super::{Edges, FormatError, MOST_VERTICES, lines, not, numbers};
use crate::problem::graph::Graph;

const EDGE: &str = "an edge 'VERTEX VERTEX'";

pub(super) fn read(text: &str) -> Result<Graph, FormatError> {
    let mut edges = Edges::default();
    for (number, line) in lines(text).filter(|(_, line)| !line.starts_with('#')) {
        let wrong = || not(number, line, EDGE);
        let ends: [i64; 2] = numbers(line)
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or_else(wrong)?;
        let [Ok(a), Ok(b)] = ends.map(u64::try_from) else {
            return Err(wrong());
        };
        edges.push(number, [a, b], MOST_VERTICES)?;
    }
    let n = edges.greatest;
    edges.graph(n)
}
