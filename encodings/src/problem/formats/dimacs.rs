//! DIMACS edges: `c` and a comment, `p edge N M` once, and M times `e u v`. The word after `p` may be `col`, as
//! in files for colouring, or not there, as in the FHCP Challenge Set; the `e` may be left out too. Comments may stand
//! anywhere.
//!
//! # References
//!
//! - *Clique and Coloring Problems: Graph Format*, DIMACS, 1993.
//! - Haythorpe: *FHCP Challenge Set*, 2018.

use std::io::{self, Write};

use super::{Edges, Format, FormatError, Listed, Wrong, at, lines, not, numbered_edges, size};
use crate::problem::graph::Graph;
use crate::problem::numbering::Numbering;

const HEADER: &str = "'p edge VERTICES EDGES'";
const EDGE: &str = "'e VERTEX VERTEX'";

pub(super) fn read(text: &str) -> Result<Listed, FormatError> {
    let mut found: Option<(Edges, u64)> = None;
    for (number, line) in lines(text) {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        match (words.as_slice(), &mut found) {
            (["c", ..], _) => {}
            (["p", "cnf", ..], None) => return Err(at(number, Wrong::Cnf)),
            (["p", "edge" | "edges" | "col", n, m] | ["p", n, m], None) => {
                let announced = m.parse().map_err(|_| not(number, line, HEADER))?;
                let n = size(number, line, n, HEADER)?;
                found = Some((Edges::new(Numbering::FromOne, n), announced));
            }
            (["p", other, _, _, ..], None)
                if !["edge", "edges", "col"].contains(other) && !is_number(other) =>
            {
                return Err(at(number, Wrong::NotRead(format!("'p {other}'"))));
            }
            (_, None) => return Err(not(number, line, HEADER)),
            (["e", a, b] | [a, b], Some((edges, _))) => {
                let (Ok(a), Ok(b)) = (a.parse(), b.parse()) else {
                    return Err(not(number, line, EDGE));
                };
                edges.push(number, [a, b])?;
            }
            _ => return Err(not(number, line, EDGE)),
        }
    }
    let (edges, announced) = found.ok_or(Wrong::Missing("line 'p edge VERTICES EDGES'"))?;
    edges.are(announced)?;
    let n = edges.n;
    let graph = edges.graph(n)?;
    Ok(Listed::new(Format::Dimacs, Numbering::FromOne, graph))
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

pub(super) fn write(graph: &Graph, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "p edge {} {}", graph.n_vertices(), graph.n_edges())?;
    for [a, b] in numbered_edges(graph) {
        writeln!(out, "e {a} {b}")?;
    }
    Ok(())
}
