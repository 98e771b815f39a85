//! DIMACS edges: `c` and a comment, `p edge N M` once, and M times `e u v`. The word after `p` may be `col`, as
//! in files for colouring, or not there, as in the FHCP Challenge Set; comments may stand anywhere.
//!
//! # References
//!
//! - *Clique and Coloring Problems: Graph Format*, DIMACS, 1993.
//! - Haythorpe: *FHCP Challenge Set*, 2018.

use std::collections::HashSet;

use super::{Edges, FormatError, Wrong, lines, not, size};
use crate::problem::graph::Graph;

const HEADER: &str = "'p edge VERTICES EDGES'";
const EDGE: &str = "'e VERTEX VERTEX'";

pub(super) fn read(text: &str) -> Result<Graph, FormatError> {
    let mut edges = Edges::default();
    let mut header: Option<(u32, u64)> = None;
    for (number, line) in lines(text) {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        match (words.as_slice(), header) {
            (["c", ..], _) => {}
            (["p", "edge" | "edges" | "col", n, m] | ["p", n, m], None) => {
                let announced = m.parse().map_err(|_| not(number, line, HEADER))?;
                header = Some((size(number, line, n, HEADER)?, announced));
            }
            (_, None) => return Err(not(number, line, HEADER)),
            (["e", a, b], Some((n, _))) => {
                let (Ok(a), Ok(b)) = (a.parse(), b.parse()) else {
                    return Err(not(number, line, EDGE));
                };
                edges.push(number, [a, b], n)?;
            }
            _ => return Err(not(number, line, EDGE)),
        }
    }
    let Some((n, announced)) = header else {
        return Err(FormatError {
            line: None,
            wrong: Wrong::Missing("line 'p edge VERTICES EDGES'"),
        });
    };
    // Files that list both directions announce either number.
    let found = edges.list.len() as u64;
    if found != announced {
        let different: HashSet<_> = edges
            .list
            .iter()
            .map(|&(a, b)| (a.min(b), a.max(b)))
            .collect();
        if different.len() as u64 != announced {
            let wrong = Wrong::Edges { announced, found };
            return Err(FormatError { line: None, wrong });
        }
    }
    edges.graph(n)
}
