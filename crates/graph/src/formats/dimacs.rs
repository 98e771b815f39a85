//! DIMACS edge format: comment lines `c …`, one header `p edge N M`, and M lines `e u v`.
//!
//! After `p`, other words that generators write for graphs are accepted (`col`, or PACE's `tw`). The word may also be
//! missing, as in the FHCP Challenge Set. The `e` may be missing too, as in PACE. Comments may be anywhere. Weights of
//! edges are ignored, and so are lines `n`, `d`, `v` and `x` about vertices and generators. Lines `a u v` are arcs.
//!
//! # References
//!
//! - *Clique and Coloring Problems: Graph Format*, DIMACS, 1993.
//! - Haythorpe: *FHCP Challenge Set*, 2018.
//! - *Track A: Treewidth*, PACE 2017, for `p tw`.
//! - *9th DIMACS Implementation Challenge: Shortest Paths*, 2006, for `p sp` and arcs.

use super::*;

impl Format {
    /// DIMACS: `p edge N M` and `e U V`.
    pub const DIMACS: Self = Self::new(&FormatKind {
        name: "dimacs",
        summary: "'p edge N M' and lines 'e U V'",
        endings: &["col", "dimacs", "gr"],
        begins,
        read,
        has_arcs: true,
        write,
        ..FormatKind::NONE
    });
}

const HEADER: &str = "\"p edge VERTICES EDGES\"";
const EDGE: &str = "\"e VERTEX VERTEX\"";
/// Words that may follow `p` in the header of a graph.
const WORDS: [&str; 12] = ["edge", "edges", "col", "graph", "tw", "td", "vc", "ds", "cep", "hc", "hcp", "sp"];

fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut found: Option<(Edges, u64)> = None;
    let mut has_weights = false;
    for (number, line) in lines(text) {
        let end = |word: &str| parsed(number, line, word, EDGE);
        match (words(line).as_slice(), &mut found) {
            (["c" | "n" | "d" | "v" | "x", ..], _) => {}
            (["p", "cnf", ..], None) => {
                return Err(at(
                    number,
                    "the text is a CNF formula, not a graph; pass the graph, or name a circuit in the formula by lines \"c arc\" or \"c edge\" for `hamcnf solve`, `encode` or `decode`",
                ));
            }
            (["p", n, m], None) => found = Some(of_header(number, line, n, m)?),
            (["p", word, n, m], None) if WORDS.contains(word) => found = Some(of_header(number, line, n, m)?),
            (["p", other, _, _, ..], None) if !WORDS.contains(other) && !is_number(other) => {
                return Err(unsupported(number, format!("\"p {other}\"")));
            }
            (_, None) => return Err(not(number, line, HEADER)),
            ([kind @ ("a" | "e"), a, b, weight @ ..], Some((edges, _)))
                if weight.len() < 2 && weight.iter().all(|word| is_number(word)) =>
            {
                has_weights |= !weight.is_empty();
                edges.push(number, *kind == "a", [end(a)?, end(b)?])?;
            }
            ([a, b], Some((edges, _))) => edges.push(number, false, [end(a)?, end(b)?])?,
            _ => return Err(not(number, line, EDGE)),
        }
    }
    let (edges, announced) = found.ok_or_else(|| missing(0, "line \"p edge VERTICES EDGES\""))?;
    edges.are(0, announced)?;
    let declared = if edges.pairs.arcs.is_empty() { NEIGHBOURS } else { Declared::EitherArcs };
    let graph = edges.graph(Format::DIMACS, declared)?;
    Ok(graph.with(has_weights.then_some(Remark::WEIGHTS)))
}

/// Parses the header. Returns the vertices, without any edges so far, and the announced number of edges.
fn of_header(number: usize, line: &str, n: &str, m: &str) -> Result<(Edges, u64), FormatError> {
    let announced = parsed(number, line, m, HEADER)?;
    Ok((Edges::new(Numbering::FromOne, size(number, line, n, HEADER)?), announced))
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let (kind, letter) = if graph.is_directed { ("sp", "a") } else { ("edge", "e") };
    writeln!(out, "p {kind} {} {}", graph.n(), graph.n_edges())?;
    Ok(graph.numbered_pairs().try_for_each(|[a, b]| writeln!(out, "{letter} {a} {b}"))?)
}

/// True if a text begins with a keyword of DIMACS, after comment lines that begin with `#` or `%`.
fn begins(text: &str) -> bool {
    match first_content(text).split([' ', '\t', ':']).next() {
        Some("p") => true,
        Some("c" | "e") => !are_names(text),
        _ => false,
    }
}

/// True if words such as `c` and `e`, which may begin DIMACS lines, are names of vertices in this text. In such a text
/// there is no header, and some lines begin with words that DIMACS does not have.
fn are_names(text: &str) -> bool {
    let has_header = lines(text).any(|(_, line)| line.starts_with("p ") && line.split_whitespace().nth(2).is_some());
    let is_other =
        |line: &str| !["c", "e", "a", "n", "p"].iter().any(|known| line.split_whitespace().next() == Some(known));
    !has_header && lines(text).any(|(_, line)| is_other(line))
}
