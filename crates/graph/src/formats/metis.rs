//! METIS graphs: a header `N M` with the numbers of vertices and edges, and then one line for each vertex with its
//! neighbours, numbered from 1. The line of a vertex may be empty; `%` begins a comment line.
//!
//! The header may have a third number of up to three digits. Its digits say whether the lines also contain sizes of
//! vertices, weights of vertices, and weights of edges. A fourth number is the number of weights per vertex. The reader
//! ignores sizes and weights.
//!
//! Every edge must be in the lines of both its ends, and there must be N lines, so that a truncated file is not
//! mistaken for a smaller graph. Only the last line may be missing, if it would be empty.
//!
//! # References
//!
//! - George Karypis: *METIS: A Software Package for Partitioning Unstructured Graphs*, manual of version 5, section
//!   4.1.1.

use super::*;

impl Format {
    /// METIS: a header `N M`, and a line of neighbours for each vertex.
    pub const METIS: Self = Self::new(&FormatKind {
        name: "metis",
        summary: "'N M' and a line of neighbours for each vertex",
        endings: &["graph", "metis"],
        comment: Some('%'),
        read,
        read_strictly: Some(|text| {
            let graph = read(text)?;
            // In METIS, no vertex is its own neighbour. A list of edges after three numbers may look so.
            match graph.pairs.edges.iter().all(|(a, b)| a != b) {
                true => Ok(graph),
                false => Err(missing(0, "neighbours other than the vertex itself")),
            }
        }),
        write,
        ..FormatKind::NONE
    });
}

const HEADER: &str = "\"VERTICES EDGES\", optionally followed by a number of digits 0 and 1 and the number of weights";

/// Sizes and weights that a vertex's line has in addition to the neighbours.
struct Weights {
    /// Number of sizes and weights before the neighbours of a vertex.
    before: usize,
    /// True if a weight follows each neighbour.
    of_edges: bool,
}

fn read(text: &str) -> Result<TextGraph, FormatError> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let mut lines = lines.filter(|(_, line)| !line.starts_with('%'));
    let header = lines.find(|(_, line)| !line.is_empty());
    let (number, header) = header.ok_or_else(|| at(0, EMPTY))?;
    let (n, announced, weights) = of_header(number, header)?;
    let mut edges = Edges::new(Numbering::FromOne, n);
    let mut found = Vec::new();
    let mut more = 0;
    for (number, line) in lines {
        if found.len() == n as usize {
            more += usize::from(!line.is_empty());
            continue;
        }
        neighbours(number, found.len() as u32, line, &weights, &mut edges)?;
        found.push(number);
    }
    if found.len() + 1 == n as usize {
        found.push(number);
    }
    if found.len() != n as usize || more > 0 {
        return Err(lines_differ(number, n, found.len() + more));
    }
    // A self-loop is listed once. The header may count it or not.
    let arcs = &edges.pairs.edges;
    let loops = arcs.iter().filter(|(a, b)| a == b).count() as u64;
    let listed = (arcs.len() as u64 - loops) / 2;
    let mut reverse: Vec<_> = arcs.iter().map(|&(a, b)| (b, a)).collect();
    reverse.sort_unstable();
    if let Some(&(a, b)) = arcs.iter().find(|arc| reverse.binary_search(arc).is_err()) {
        let (line, a, b) = (found[a as usize], a + 1, b + 1);
        return Err(at(line, format!("{a} is adjacent to {b}, but {b} is not adjacent to {a}")));
    }
    let graph = edges.graph(Format::METIS, NEIGHBOURS)?;
    match announced == listed || announced == listed + loops {
        true => Ok(graph),
        false => Err(miscounted(number, announced, listed)),
    }
}

/// Parses the header. Returns the number of vertices, the number of edges, and the sizes and weights in the lines.
fn of_header(line: usize, text: &str) -> Result<(u32, u64, Weights), FormatError> {
    let wrong = || not(line, text, HEADER);
    let words = words(text);
    let (2..=4, [n, m, more @ ..]) = (words.len(), words.as_slice()) else {
        return Err(wrong());
    };
    let (format, constraints) = (more.first().unwrap_or(&"0"), more.get(1).unwrap_or(&"1"));
    if format.len() > 3 || !format.bytes().all(|digit| digit == b'0' || digit == b'1') {
        return Err(wrong());
    }
    let has = |place: usize| format.bytes().rev().nth(place) == Some(b'1');
    let constraints: usize = constraints.parse().map_err(|_| wrong())?;
    let of_vertices = if has(1) { constraints } else { 0 };
    let weights = Weights { before: of_vertices.checked_add(usize::from(has(2))).ok_or_else(wrong)?, of_edges: has(0) };
    let m = m.parse().map_err(|_| wrong())?;
    Ok((size(line, text, n, HEADER)?, m, weights))
}

/// Adds the edges in the line of a vertex.
fn neighbours(line: usize, v: u32, text: &str, weights: &Weights, edges: &mut Edges) -> Result<(), FormatError> {
    let wrong = || {
        not(
            line,
            text,
            match weights {
                Weights { before: 0, of_edges: false } => "a vertex's neighbours",
                _ => "a vertex's weights and neighbours, as the header announces",
            },
        )
    };
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse().map_err(|_| wrong()));
    for _ in 0..weights.before {
        numbers.next().ok_or_else(wrong)??;
    }
    while let Some(neighbour) = numbers.next() {
        let neighbour = edges.vertex(line, neighbour?)?;
        edges.pairs.edges.push((v, neighbour));
        if weights.of_edges {
            numbers.next().ok_or_else(wrong)??;
        }
    }
    Ok(())
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    write_title(Format::METIS, out)?;
    writeln!(out, "{} {}", graph.n(), graph.n_edges())?;
    for v in graph.digraph.vertices() {
        for (k, &w) in graph.digraph.successors(v).iter().enumerate() {
            let gap = if k > 0 { " " } else { "" };
            write!(out, "{gap}{}", Numbering::FromOne.number(w))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
