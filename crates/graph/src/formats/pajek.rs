//! Pajek networks. The file begins with a line `*Vertices N`. Optional lines with the number (from 1) and the label of
//! a vertex follow, and then sections with edges.
//!
//! In the sections `*Edges` and `*Arcs`, each line has a pair of vertices. In the sections `*Edgeslist` and
//! `*Arcslist`, each line has a vertex and all vertices joined to it. In the section `*Matrix`, each line has a row of
//! the adjacency matrix; entries other than 0 are arcs. Coordinates, weights and shapes after pairs and labels are
//! ignored, and so are sections with other data of Pajek, such as partitions. `%` begins a comment. If all vertices
//! have distinct labels, vertices are named by their labels, otherwise by their numbers.
//!
//! # References
//!
//! - Batagelj, Mrvar: *Pajek: Program for Analysis and Visualization of Large Networks*, reference manual.

use std::collections::BTreeMap;

use super::*;

impl Format {
    /// Pajek: `*Vertices N` and `*Edges`.
    pub const PAJEK: Self = Self::new(&FormatKind {
        name: "pajek",
        summary: "Pajek's '*Vertices N' and '*Edges'",
        endings: &["net", "pajek"],
        begins: |text| {
            let word = word_of(first_content(text));
            word == "*network" || Section::of(&word).is_some_and(|section| section != Section::Other)
        },
        read,
        has_arcs: true,
        write,
        ..FormatKind::NONE
    });
}

const VERTICES: &str = "\"*Vertices N\"";
const PAIR: &str = "an edge \"VERTEX VERTEX\"";

/// Kind of a section, which determines the contents of its lines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Each line has a vertex: its number, and possibly its label.
    Vertices,
    /// Each line has a pair of vertices; the rest of the line is ignored.
    Pairs { arcs: bool },
    /// Each line has a vertex, followed by the vertices joined to it.
    Lists { arcs: bool },
    /// Each line has the next row of the adjacency matrix.
    Matrix,
    /// A section about something other than edges, whose lines are ignored.
    Other,
}

impl Section {
    /// Returns the kind of section that begins with this word, in lower case.
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "*vertices" => Self::Vertices,
            "*edges" => Self::Pairs { arcs: false },
            "*arcs" => Self::Pairs { arcs: true },
            "*edgeslist" => Self::Lists { arcs: false },
            "*arcslist" => Self::Lists { arcs: true },
            "*matrix" => Self::Matrix,
            "*network" | "*partition" | "*vector" | "*permutation" | "*cluster" | "*hierarchy" | "*description" => {
                Self::Other
            }
            _ => return None,
        })
    }
}

/// Returns the first word of a line in lower case. The word ends at a space, a tab or a colon. The number of a relation
/// may follow the colon.
fn word_of(line: &str) -> String {
    line.split([' ', '\t', ':']).next().unwrap_or_default().to_ascii_lowercase()
}

fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut found: Option<Edges> = None;
    let mut labels: BTreeMap<u32, (usize, String)> = BTreeMap::new();
    let mut section = Section::Other;
    let (mut rows, mut is_two_mode) = (0, false);
    for (number, line) in lines(text).filter(|(_, line)| !line.starts_with('%')) {
        let mut words = line.split_whitespace();
        if line.starts_with('*') {
            section = match Section::of(&word_of(line)) {
                Some(Section::Vertices) => {
                    if found.is_some() {
                        return Err(unsupported(number, "a second network"));
                    }
                    let mut words = words.skip(1);
                    let n = size(number, line, words.next().unwrap_or_default(), VERTICES)?;
                    is_two_mode = words.next().is_some_and(|word| word.parse::<u32>().is_ok());
                    if words.next().is_some() {
                        return Err(not(number, line, VERTICES));
                    }
                    found = Some(Edges::new(Numbering::FromOne, n));
                    Section::Vertices
                }
                Some(section) if section != Section::Matrix || !is_two_mode && rows == 0 => section,
                _ => return Err(unsupported(number, format!("section \"{}\"", shown(line)))),
            };
            continue;
        }
        if section == Section::Other {
            continue;
        }
        let Some(edges) = &mut found else {
            return Err(missing(number, "\"*Vertices N\" before it"));
        };
        let mut vertex = |expected| parsed(number, line, words.next().unwrap_or_default(), expected);
        match section {
            Section::Vertices => {
                let v = edges.vertex(number, vertex("a vertex's number and its label")?)?;
                if let Some(label) = label(line)
                    && labels.insert(v, (number, label)).is_some()
                {
                    return Err(at(number, format!("vertex {} has two lines; join them", v + 1)));
                }
            }
            Section::Pairs { arcs } => edges.push(number, arcs, [vertex(PAIR)?, vertex(PAIR)?])?,
            Section::Lists { arcs } => {
                let a = vertex(PAIR)?;
                for word in words {
                    edges.push(number, arcs, [a, parsed(number, line, word, PAIR)?])?;
                }
            }
            Section::Matrix => {
                let entries: Result<Vec<f64>, _> = words.map(str::parse).collect();
                let entries = entries.map_err(|_| not(number, line, "a row of the matrix"))?;
                if entries.len() != edges.n as usize {
                    return Err(uneven(number, edges.n as usize, entries.len()));
                }
                rows += 1;
                for (column, _) in (1..).zip(entries).filter(|&(_, entry)| entry != 0.0) {
                    edges.push(number, false, [rows, column])?;
                }
            }
            Section::Other => {}
        }
    }
    let edges = found.ok_or_else(|| missing(0, VERTICES))?;
    let n = edges.n;
    if rows > 0 && rows != u64::from(n) {
        return Err(lines_differ(0, n, rows as usize));
    }
    let declared = match (edges.pairs.arcs.is_empty(), rows) {
        (false, _) => Declared::Digraph,
        (true, 0) => Declared::Edges,
        (true, _) => Declared::Matrix,
    };
    if labels.len() != n as usize || n == 0 {
        return edges.graph(Format::PAJEK, declared);
    }
    // The vertices have the same numbers in `named`, because they are declared in the order of their numbers.
    let mut named = NamedEdges::default();
    named.pairs = edges.pairs;
    for (v, (line, label)) in labels {
        named.declare(line, &(v + 1).to_string(), Some(label))?;
    }
    named.graph(Format::PAJEK, declared)
}

/// Returns the label of a vertex, a word or a text in quotes; `None` if nothing follows the number of the vertex in its
/// line.
fn label(line: &str) -> Option<String> {
    let (_, rest) = line.split_once(char::is_whitespace)?;
    let rest = rest.trim_start();
    let label = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split_whitespace().next(),
    };
    label.map(str::to_owned)
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let names = graph.spelled(Format::PAJEK, |name| (!name.contains('"')).then(|| name.to_owned()))?;
    writeln!(out, "*Vertices {}", graph.n())?;
    (1u64..).zip(names).try_for_each(|(number, name)| writeln!(out, "{number} \"{name}\""))?;
    writeln!(out, "{}", if graph.is_directed { "*Arcs" } else { "*Edges" })?;
    Ok(graph.numbered_pairs().try_for_each(|[a, b]| writeln!(out, "{a} {b}"))?)
}
