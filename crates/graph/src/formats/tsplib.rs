//! TSPLIB's Hamiltonian cycle problems: lines `KEYWORD : VALUE` and an `EDGE_DATA_SECTION` that ends with -1.
//!
//! Only the keywords `TYPE : HCP`, `DIMENSION` and `EDGE_DATA_FORMAT` matter. The edges are given as pairs
//! (`EDGE_LIST`), or as the neighbours of each vertex followed by -1 (`ADJ_LIST`). `EOF` may take the place of the last
//! -1. If both are missing, a remark says so. A `FIXED_EDGES_SECTION` lists pairs of vertices up to -1: every tour uses
//! these edges, which become constraints.
//!
//! `TYPE : TSP` and `TYPE : ATSP` with `EDGE_WEIGHT_TYPE : EXPLICIT` give a graph or a digraph, if the matrix has two
//! different weights off the diagonal: the lesser weight marks an edge or arc. Solvers of the travelling salesman
//! problem get Hamiltonian cycle problems in this form. Other weights make another problem and are rejected, unless the
//! caller asks for weights: then the graph has all edges or arcs, and the weights of the matrix or of the coordinates.
//!
//! # References
//!
//! - Gerhard Reinelt: *TSPLIB 95*, 1995.

use std::iter::Peekable;
use std::ops::Range;

use super::*;

impl Format {
    /// TSPLIB: `TYPE : HCP` and an `EDGE_DATA_SECTION`.
    pub const TSPLIB: Self = Self::new(&FormatKind {
        name: "tsplib",
        summary: "TSPLIB's HCP, or TSP and ATSP with two weights",
        endings: &["hcp", "tsp", "atsp"],
        // The first line, after comment lines that begin with `#` or `%`, begins with a keyword and a colon.
        begins: |text| {
            let key = first_content(text).split_once(':').map(|(key, _)| key.trim());
            key.is_some_and(|key| is_keyword(key) && !key.contains(char::is_whitespace))
        },
        read,
        write,
        ..FormatKind::NONE
    });
}

const PAIR: &str = "an edge \"VERTEX VERTEX\", or -1";

/// Keywords whose values do not matter.
const IGNORED: [&str; 5] = ["NAME", "COMMENT", "NODE_COORD_TYPE", "DISPLAY_DATA_TYPE", "PRECISION"];

/// Names of a form of an `EDGE_WEIGHT_SECTION`, and a function that returns the columns of the entries in a row.
type Matrix = (&'static [&'static str], fn(u32, u32) -> Range<u32>);

/// Forms of an `EDGE_WEIGHT_SECTION`, each with the columns of the entries in a row of an n×n matrix. Columns of one
/// triangle are rows of the other, because the matrix is symmetric.
const MATRICES: [Matrix; 5] = [
    (&["FULL_MATRIX"], |_, n| 0..n),
    (&["UPPER_ROW", "LOWER_COL"], |row, n| row + 1..n),
    (&["LOWER_ROW", "UPPER_COL"], |row, _| 0..row),
    (&["UPPER_DIAG_ROW", "LOWER_DIAG_COL"], |row, n| row..n),
    (&["LOWER_DIAG_ROW", "UPPER_DIAG_COL"], |row, _| 0..row + 1),
];

/// Function of the distance between two points.
type Distance = fn([f64; 2], [f64; 2]) -> f64;

/// Names in `EDGE_WEIGHT_TYPE`, each with the distance between the coordinates of two vertices. The definitions are those of
/// TSPLIB 95. Where GEO rounds degrees there, it cuts them off here, as published lengths do.
const DISTANCES: [(&str, Distance); 6] = [
    ("EUC_2D", |a, b| nearest(square(a, b).sqrt())),
    ("CEIL_2D", |a, b| square(a, b).sqrt().ceil()),
    ("MAN_2D", |a, b| nearest((a[0] - b[0]).abs() + (a[1] - b[1]).abs())),
    ("MAX_2D", |a, b| nearest((a[0] - b[0]).abs()).max(nearest((a[1] - b[1]).abs()))),
    ("ATT", |a, b| (square(a, b) / 10.0).sqrt().ceil()),
    ("GEO", geographical),
];

/// Largest number of vertices whose coordinates give weights, since all pairs of vertices have one.
const MOST_POINTS: u32 = 1 << 11;

fn nearest(distance: f64) -> f64 {
    (distance + 0.5).floor()
}

fn square(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
}

/// Returns the distance in kilometres between two latitudes and longitudes.
#[allow(clippy::approx_constant, reason = "the definition has this approximation of π")]
fn geographical(a: [f64; 2], b: [f64; 2]) -> f64 {
    let radians = |x: f64| 3.141592 * (x.trunc() + 5.0 * x.fract() / 3.0) / 180.0;
    let ([a, b], [c, d]) = (a.map(radians), b.map(radians));
    let [q1, q2, q3] = [b - d, a - c, a + c].map(f64::cos);
    // Rounding may lead out of the domain of the arc cosine.
    let cosine = (0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)).clamp(-1.0, 1.0);
    (6378.388 * cosine.acos() + 1.0).floor()
}

/// Use of weights that do not mark edges.
const COSTS: &str = "costs for `hamcnf encode --minimize`; --weights keeps all edges";

/// Weights of a travelling salesman problem.
struct Tsp {
    n: u32,
    is_asymmetric: bool,
    is_full: bool,
    /// True if the weights are distances between points.
    are_distances: bool,
    /// Pairs of different vertices with their weights.
    apart: Vec<((u32, u32), i64)>,
}

/// Contents of a file.
enum Contents {
    Graph(TextGraph),
    Tsp(Tsp),
}

/// Lines of a file that are not read yet, each with its number.
type Lines<'t> = Peekable<Box<dyn Iterator<Item = (usize, &'t str)> + 't>>;

/// Header of a file.
#[derive(Default)]
struct Header<'t> {
    kind: Option<&'t str>,
    dimension: Option<u32>,
    /// True if the section of edges has the neighbours of each vertex, false if it has pairs.
    is_adjacency: Option<bool>,
    /// Place in [`MATRICES`].
    matrix: Option<usize>,
    /// Type of the weights, with its line.
    weights: Option<(usize, &'t str)>,
}

impl Header<'_> {
    /// Returns the distance that the type of the weights of a travelling salesman problem names; `None` if the weights are
    /// in the file.
    fn distance(&self) -> Result<Option<Distance>, FormatError> {
        match self.weights {
            Some((line, kind)) if kind != "EXPLICIT" => match DISTANCES.iter().find(|(name, _)| *name == kind) {
                Some(_) if self.kind == Some("ATSP") => {
                    Err(unsupported(line, format!("EDGE_WEIGHT_TYPE {kind} of TYPE ATSP")))
                }
                Some((_, distance)) => Ok(Some(*distance)),
                None => Err(unsupported(line, format!("EDGE_WEIGHT_TYPE {kind}"))),
            },
            _ => Ok(None),
        }
    }

    /// True if the file is a travelling salesman problem.
    fn has_weights(&self) -> bool {
        matches!(self.kind, Some("TSP" | "ATSP"))
    }

    fn n(&self, line: usize) -> Result<u32, FormatError> {
        self.dimension.ok_or_else(|| missing(line, "DIMENSION"))
    }
}

/// Reads the lines of a section, up to the next keyword. Returns each with its number and its whole numbers; a line with
/// anything else is an error.
fn numbers<'t>(
    lines: &mut Lines<'t>,
    expected: &'static str,
) -> impl Iterator<Item = Result<(usize, &'t str, Vec<i64>), FormatError>> {
    std::iter::from_fn(move || {
        let (number, line) = lines.next_if(|(_, line)| !is_keyword(line))?;
        let words: Result<Vec<i64>, _> = line.split_ascii_whitespace().map(str::parse).collect();
        Some(words.map(|words| (number, line, words)).map_err(|_| not(number, line, expected)))
    })
}

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let (contents, fixed) = contents(text)?;
    let graph = match contents {
        Contents::Graph(graph) => graph,
        Contents::Tsp(tsp) => tsp.marked()?,
    };
    Ok(graph.with(fixed))
}

/// Reads a travelling salesman problem as a graph with all edges or arcs.
pub(super) fn read_weighted(text: &str) -> Result<TextGraph, FormatError> {
    match contents(text)? {
        (Contents::Tsp(tsp), fixed) => Ok(tsp.graph(|_| true)?.with(fixed)),
        (Contents::Graph(_), _) => Err(at(0, "TYPE HCP has no weights")),
    }
}

/// Reads the weights of a travelling salesman problem; `None` if the file has none.
pub(super) fn weights(text: &str) -> Result<Option<Weights>, FormatError> {
    let (Contents::Tsp(tsp), _) = contents(text)? else { return Ok(None) };
    let mut weights = Weights::new(tsp.n, tsp.is_asymmetric);
    for (ends, weight) in tsp.apart {
        let name = format!("{} {}", ends.0 + 1, ends.1 + 1);
        weights.insert(ends, weight).map_err(|error| at(0, format!("\"{name}\": {error}")))?;
    }
    Ok(Some(weights))
}

/// Reads the contents of a file, and the remark on its fixed edges.
fn contents(text: &str) -> Result<(Contents, Option<Remark>), FormatError> {
    let all: Box<dyn Iterator<Item = _>> = Box::new(lines(text));
    let mut lines = all.peekable();
    let mut header = Header::default();
    let mut graph = None;
    let mut fixed = Vec::new();
    while let Some((number, line)) = lines.next() {
        let (keyword, value) = match line.split_once(':') {
            Some((keyword, value)) => (keyword.trim(), Some(value.trim())),
            None => (line, None),
        };
        match (keyword, value) {
            ("EOF", None) => break,
            ("EDGE_DATA_SECTION", None | Some("")) if graph.is_none() && !header.has_weights() => {
                graph = Some(Contents::Graph(edge_data(&header, number, &mut lines)?));
            }
            ("EDGE_WEIGHT_SECTION", None | Some("")) if graph.is_none() && header.has_weights() => {
                if let (Some(_), Some((line, kind))) = (header.distance()?, header.weights) {
                    return Err(unsupported(
                        number,
                        format!("EDGE_WEIGHT_SECTION after EDGE_WEIGHT_TYPE {kind} in line {line}"),
                    ));
                }
                graph = Some(Contents::Tsp(explicit(&header, number, &mut lines)?));
            }
            ("FIXED_EDGES_SECTION", None | Some("")) => {
                fixed.extend(fixed_edges(header.n(number)?, &mut lines)?);
            }
            ("DISPLAY_DATA_SECTION" | "NODE_COORD_SECTION", None | Some("")) => {
                let distance = if header.has_weights() { header.distance()? } else { None };
                match distance.filter(|_| keyword == "NODE_COORD_SECTION" && graph.is_none()) {
                    Some(distance) => {
                        graph = Some(Contents::Tsp(coordinates(distance, header.n(number)?, number, &mut lines)?));
                    }
                    // Coordinates for pictures of the graph.
                    None => {
                        let is_data = |(_, line): &(usize, &str)| !is_keyword(line);
                        while lines.next_if(is_data).is_some() {}
                    }
                }
            }
            ("TYPE", Some(value)) => match value.split_whitespace().next() {
                Some(kind @ ("HCP" | "TSP" | "ATSP")) => header.kind = Some(kind),
                _ => {
                    let types = "a graph must have TYPE HCP, TSP or ATSP";
                    return Err(at(number, format!("TYPE {value} is not supported; {types}")));
                }
            },
            ("DIMENSION", Some(n)) => {
                header.dimension = Some(size(number, line, n, "\"DIMENSION : VERTICES\"")?);
            }
            ("EDGE_DATA_FORMAT", Some(form @ ("EDGE_LIST" | "ADJ_LIST"))) => {
                header.is_adjacency = Some(form == "ADJ_LIST");
            }
            ("EDGE_WEIGHT_FORMAT", Some(form)) if MATRICES.iter().any(|(names, _)| names.contains(&form)) => {
                header.matrix = MATRICES.iter().position(|(names, _)| names.contains(&form));
            }
            ("EDGE_WEIGHT_TYPE", Some(kind)) => header.weights = Some((number, kind)),
            (keyword, Some(_)) if IGNORED.contains(&keyword) => {}
            (keyword, Some(value)) if is_keyword(keyword) && !keyword.contains(' ') => {
                return Err(unsupported(number, format!("{keyword} {value}").trim_end()));
            }
            (keyword, None) if keyword.ends_with("_SECTION") => return Err(unsupported(number, keyword)),
            _ if graph.is_some() => return Err(unsupported(number, line)),
            _ => return Err(not(number, line, "\"KEYWORD : VALUE\"")),
        }
    }
    let part = match (header.has_weights(), header.is_adjacency) {
        (true, _) if header.weights.is_none() && header.matrix.is_none() => "EDGE_WEIGHT_TYPE",
        (false, None) if header.kind.is_none() && header.weights.is_some() => "TYPE",
        (true, _) if header.distance()?.is_some() => "NODE_COORD_SECTION",
        (true, _) => "EDGE_WEIGHT_SECTION",
        (false, None) => "EDGE_DATA_FORMAT",
        (false, Some(_)) => "EDGE_DATA_SECTION",
    };
    let graph = graph.ok_or_else(|| missing(0, part))?;
    Ok((graph, (!fixed.is_empty()).then_some(Remark::Fixed(fixed))))
}

/// Reads the pairs of a `FIXED_EDGES_SECTION` among `n` vertices, 0-based, up to -1 or the next keyword.
fn fixed_edges(n: u32, lines: &mut Lines<'_>) -> Result<Vec<(u32, u32)>, FormatError> {
    let mut ends = Vec::new();
    for line in numbers(lines, PAIR) {
        let (number, line, numbers) = line?;
        for end in numbers {
            match u32::try_from(end) {
                Ok(end @ 1..) if end <= n => ends.push(end - 1),
                _ if end == -1 && ends.len() % 2 == 0 => {
                    return Ok(ends.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect());
                }
                _ => return Err(not(number, line, PAIR)),
            }
        }
    }
    Err(missing(0, "-1 after FIXED_EDGES_SECTION"))
}

/// Reads the edges after the line with this number.
fn edge_data(header: &Header<'_>, section: usize, lines: &mut Lines<'_>) -> Result<TextGraph, FormatError> {
    let is_adjacency = header.is_adjacency.ok_or_else(|| missing(0, "EDGE_DATA_FORMAT"))?;
    let expected = if is_adjacency { "a vertex with its neighbours and -1, or -1" } else { PAIR };
    let mut edges = Edges::new(Numbering::FromOne, header.n(section)?);
    let mut has_end = false;
    for line in numbers(lines, expected) {
        let (number, line, numbers) = line?;
        let wrong = || not(number, line, expected);
        let (v, others) = match numbers.as_slice() {
            [-1] => {
                has_end = true;
                break;
            }
            [v, neighbours @ .., -1] if is_adjacency => (v, neighbours),
            [v, others @ ..] if !is_adjacency && others.len() == 1 => (v, others),
            _ => return Err(wrong()),
        };
        for w in others {
            let [v, w] = [v, w].map(|&v| u64::try_from(v).map_err(|_| wrong()));
            edges.push(number, false, [v?, w?])?;
        }
    }
    let remark = (!has_end && lines.peek().is_none())
        .then_some(Remark::new("the edges end without -1 or EOF; is the file complete?"));
    let declared = if is_adjacency { super::NEIGHBOURS } else { Declared::Edges };
    Ok(edges.graph(Format::TSPLIB, declared)?.with(remark))
}

/// Reads the coordinates after the line with this number. Returns the distances.
fn coordinates(distance: Distance, n: u32, section: usize, lines: &mut Lines<'_>) -> Result<Tsp, FormatError> {
    const POINT: &str = "a vertex with two coordinates, in order";
    if n > MOST_POINTS {
        let why = format!("{n} vertices are too many for weights of all pairs; at most {MOST_POINTS} are supported");
        return Err(at(section, why));
    }
    let mut points: Vec<[f64; 2]> = Vec::new();
    while let Some((number, line)) = lines.next_if(|(_, line)| !is_keyword(line)) {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        let point = match words[..] {
            [v, x, y] if v.parse() == Ok(points.len() + 1) => Some([x, y].map(|word| word.parse().unwrap_or(f64::NAN))),
            _ => None,
        };
        let point = point.filter(|point| point.iter().all(|x| x.abs() < 1e12));
        if points.len() == n as usize {
            return Err(unsupported(number, "a vertex after the last one"));
        }
        points.push(point.ok_or_else(|| not(number, line, POINT))?);
    }
    if points.len() != n as usize {
        return Err(missing(0, "some of the coordinates; is the file complete?"));
    }
    let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
    let apart = pairs.map(|(u, v)| ((u, v), distance(points[u as usize], points[v as usize]) as i64)).collect();
    Ok(Tsp { n, is_asymmetric: false, is_full: false, are_distances: true, apart })
}

/// Reads the matrix of weights after the line with this number.
fn explicit(header: &Header<'_>, section: usize, lines: &mut Lines<'_>) -> Result<Tsp, FormatError> {
    let n = header.n(section)?;
    let matrix = header.matrix.ok_or_else(|| missing(section, "EDGE_WEIGHT_FORMAT"))?;
    let (is_full, (_, columns)) = (matrix == 0, MATRICES[matrix]);
    let is_asymmetric = header.kind == Some("ATSP");
    if is_asymmetric && !is_full {
        return Err(unsupported(section, "a triangle of an asymmetric matrix"));
    }
    let count: u64 = (0..n).map(|row| columns(row, n).len() as u64).sum();
    let mut entries = Vec::new();
    for line in numbers(lines, "a row of weights (whole numbers)") {
        let (number, _, weights) = line?;
        entries.extend(weights);
        if entries.len() as u64 > count {
            return Err(unsupported(number, "a weight after the last one"));
        }
    }
    if entries.len() as u64 != count {
        return Err(missing(0, "some of the weights; is the file complete?"));
    }
    let places = (0..n).flat_map(|row| columns(row, n).map(move |column| (row, column)));
    let apart = places.zip(entries).filter(|((row, column), _)| row != column).collect();
    Ok(Tsp { n, is_asymmetric, is_full, are_distances: false, apart })
}

impl Tsp {
    /// Returns the graph whose edges or arcs are marked by the lesser of two weights.
    fn marked(self) -> Result<TextGraph, FormatError> {
        let least = self.apart.iter().map(|&(_, weight)| weight).min();
        let greatest = self.apart.iter().map(|&(_, weight)| weight).max();
        let is_mark = |&(_, weight): &(_, i64)| [least, greatest].contains(&Some(weight));
        if self.are_distances {
            return Err(at(0, format!("the distances of a TSP are {COSTS}")));
        }
        if least == greatest || !self.apart.iter().all(is_mark) {
            return Err(at(
                0,
                format!(
                    "a TSP or ATSP must have two different weights off the diagonal: the smaller one marks edges; other weights are {COSTS}"
                ),
            ));
        }
        self.graph(|weight| Some(weight) == least)
    }

    /// Returns the graph of the edges or arcs whose weight `is_edge`.
    fn graph(self, is_edge: impl Fn(i64) -> bool) -> Result<TextGraph, FormatError> {
        let pairs = self.apart.into_iter().filter(|&(_, weight)| is_edge(weight)).map(|(pair, _)| pair);
        let mut edges = Edges::new(Numbering::FromOne, self.n);
        if self.is_asymmetric {
            edges.pairs.arcs.extend(pairs);
        } else {
            edges.pairs.edges.extend(pairs);
        }
        let declared = match (self.is_asymmetric, self.is_full) {
            (true, _) => Declared::Digraph,
            (false, true) => Declared::Matrix,
            (false, false) => Declared::Unordered,
        };
        let graph = edges.graph(Format::TSPLIB, declared)?;
        match declared == Declared::Matrix && !graph.is_symmetric() {
            true => Err(unsupported(0, "an asymmetric matrix of TYPE TSP")),
            false => Ok(graph),
        }
    }
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "NAME : graph\nTYPE : HCP\nDIMENSION : {}", graph.n())?;
    writeln!(out, "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION")?;
    graph.numbered_pairs().try_for_each(|[a, b]| writeln!(out, "{a} {b}"))?;
    if !graph.fixed.is_empty() {
        writeln!(out, "-1\nFIXED_EDGES_SECTION")?;
        graph.fixed.iter().try_for_each(|(a, b)| writeln!(out, "{} {}", a + 1, b + 1))?;
    }
    Ok(writeln!(out, "-1\nEOF")?)
}

/// True if a word can be a TSPLIB keyword.
pub(super) fn is_keyword(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_uppercase())
}
