//! Graphs in files: DIMACS edges, TSPLIB's HCP, plain lists of edges. Which of them a text is shows in its first
//! line that is no comment. Vertices are numbered from 1 in all of them, and from 0 in the [`Graph`].
//!
//! An edge may be listed twice or in both directions. What a file announces has to be there, so that one that
//! was cut off is not taken for a smaller graph.

mod dimacs_edge;
mod edge_list;
mod tsplib;

use super::graph::{Graph, GraphError};
use crate::names::named;

/// The most vertices of a graph that is read. No encoding of more has few enough variables.
pub const MOST_VERTICES: u32 = 1 << 24;

/// A format of graphs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// `p edge N M` and `e u v`.
    DimacsEdge,
    /// `TYPE : HCP` and an `EDGE_DATA_SECTION`.
    Tsplib,
    /// `u v`, a line for each edge.
    EdgeList,
}

named!(Format, "graph format", {
    DimacsEdge => "DIMACS",
    Tsplib => "TSPLIB",
    EdgeList => "edge list",
});

/// Why a text is not a graph.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{wrong}", .line.map_or(String::new(), |line| format!("line {line}: ")))]
pub struct FormatError {
    /// The line, from 1, if it is about one.
    pub line: Option<usize>,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a text that was said to be a graph. Vertices are numbered as they are there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// There is nothing in it but comments.
    #[error("there is no graph in it")]
    Empty,
    /// A line that says nothing in this format.
    #[error("'{text}' is not {expected}")]
    Line {
        /// The line.
        text: String,
        /// What might stand there.
        expected: &'static str,
    },
    /// A vertex that there is not.
    #[error("vertex {vertex} is not one of 1 to {last}")]
    NoSuchVertex {
        /// Its number.
        vertex: u64,
        /// The last that there is, or that there may be.
        last: u32,
    },
    /// An edge from a vertex to itself.
    #[error("the edge {0} {0} joins a vertex to itself")]
    Loop(u32),
    /// More vertices than are read.
    #[error("{0} vertices are more than {MOST_VERTICES}")]
    TooLarge(u64),
    /// Something is not there.
    #[error("there is no {0}")]
    Missing(&'static str),
    /// Something that is not read.
    #[error("{0} is not read here")]
    NotRead(String),
    /// More or fewer edges than the header says.
    #[error("{announced} edges are announced, and there are {found}")]
    Edges {
        /// In the header.
        announced: u64,
        /// After it.
        found: u64,
    },
    /// The graph cannot be had.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Which format a text is in.
///
/// # Errors
///
/// [`Wrong::Empty`].
pub fn format(text: &str) -> Result<Format, FormatError> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines
        .find(|line| !line.starts_with('#'))
        .ok_or(FormatError {
            line: None,
            wrong: Wrong::Empty,
        })?;
    let word = first.split([' ', '\t', ':']).next().unwrap_or_default();
    Ok(match word {
        "c" | "p" | "e" => Format::DimacsEdge,
        _ if word.starts_with(|letter: char| letter.is_ascii_uppercase()) => Format::Tsplib,
        _ => Format::EdgeList,
    })
}

/// The graph in a text, whichever format it is in.
///
/// # Errors
///
/// [`FormatError`], with the line.
pub fn read(text: &str) -> Result<Graph, FormatError> {
    match format(text)? {
        Format::DimacsEdge => dimacs_edge::read(text),
        Format::Tsplib => tsplib::read(text),
        Format::EdgeList => edge_list::read(text),
    }
}

/// The lines of a text that are not empty, with their numbers from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty())
}

/// An error about a line.
fn at(line: usize, wrong: Wrong) -> FormatError {
    FormatError {
        line: Some(line),
        wrong,
    }
}

/// A line that says nothing in its format.
fn not(line: usize, text: &str, expected: &'static str) -> FormatError {
    const SHOWN: usize = 60;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    at(
        line,
        Wrong::Line {
            text: shown,
            expected,
        },
    )
}

/// A number of vertices.
fn size(line: usize, text: &str, word: &str, expected: &'static str) -> Result<u32, FormatError> {
    let n: u64 = word.parse().map_err(|_| not(line, text, expected))?;
    match u32::try_from(n) {
        Ok(n) if n <= MOST_VERTICES => Ok(n),
        _ => Err(at(line, Wrong::TooLarge(n))),
    }
}

/// Edges as they come.
#[derive(Default)]
struct Edges {
    list: Vec<(u32, u32)>,
    /// The greatest vertex of any.
    greatest: u32,
}

impl Edges {
    /// Adds an edge between vertices numbered from 1 to `last`.
    fn push(&mut self, line: usize, ends: [u64; 2], last: u32) -> Result<(), FormatError> {
        let vertex = |vertex: u64| match u32::try_from(vertex) {
            Ok(v) if (1..=last).contains(&v) => Ok(v),
            _ => Err(at(line, Wrong::NoSuchVertex { vertex, last })),
        };
        let (a, b) = (vertex(ends[0])?, vertex(ends[1])?);
        if a == b {
            return Err(at(line, Wrong::Loop(a)));
        }
        self.greatest = self.greatest.max(a).max(b);
        self.list.push((a - 1, b - 1));
        Ok(())
    }

    /// The graph of so many vertices.
    fn graph(self, n: u32) -> Result<Graph, FormatError> {
        Graph::from_edges(n, self.list).map_err(|error| FormatError {
            line: None,
            wrong: error.into(),
        })
    }
}

/// The whole numbers of a line, if it has nothing else.
fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split_ascii_whitespace()
        .map(|word| word.parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Named;
    use crate::problem::graph::strategy::graphs;
    use proptest::prelude::*;

    fn edges(text: &str) -> Vec<(u32, u32)> {
        let graph = read(text).unwrap();
        let arcs = graph.arcs().filter(|arc| arc.tail < arc.head);
        arcs.map(|arc| (arc.tail.number(), arc.head.number()))
            .collect()
    }

    const PATH: [(u32, u32); 2] = [(0, 1), (1, 2)];

    #[test]
    fn the_same_graph_in_every_format() {
        let texts = [
            (Format::DimacsEdge, "c a path\np edge 3 2\ne 1 2\ne 2 3\n"),
            (Format::DimacsEdge, "p col 3 2\ne 1 2\ne 3 2\n"),
            // As in the FHCP Challenge Set: no word, comments after the header, lines that end as on DOS.
            (
                Format::DimacsEdge,
                "p 3 2\r\nc NAME : path\r\ne 1 2\r\ne 2 3\r\n",
            ),
            // Both directions, counted once or twice.
            (
                Format::DimacsEdge,
                "p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n",
            ),
            (
                Format::DimacsEdge,
                "p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n",
            ),
            (
                Format::Tsplib,
                "NAME : path\nTYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\n\
                 EDGE_DATA_SECTION\n1 2\n2 3\n-1\nEOF\n",
            ),
            (
                Format::Tsplib,
                "NAME: path\nCOMMENT: x y z\nTYPE: HCP\nDIMENSION: 3\nEDGE_DATA_FORMAT: ADJ_LIST\n\
                 EDGE_DATA_SECTION\n1 2 -1\n2 1 3 -1\n-1\n",
            ),
            (Format::EdgeList, "# a path\n1 2\n\n2 3\n"),
            (Format::EdgeList, "1\t2\n3 2"),
        ];
        for (of, text) in texts {
            assert_eq!(format(text), Ok(of), "{text}");
            assert_eq!(edges(text), PATH, "{text}");
        }
        assert_eq!(Format::ALL.len(), 3);
    }

    #[test]
    fn vertices_without_edges_are_there() {
        assert_eq!(read("p edge 5 1\ne 1 2\n").unwrap().n_vertices(), 5);
        assert_eq!(read("1 7\n").unwrap().n_vertices(), 7);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let tsplib = |rest: &str| format!("NAME : g\nTYPE : HCP\nDIMENSION : 3\n{rest}");
        let list = |rest: &str| {
            tsplib(&format!(
                "EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{rest}"
            ))
        };
        for (text, error) in [
            ("", "there is no graph in it"),
            ("# nothing\n\n", "there is no graph in it"),
            (
                "p edge 3\n",
                "line 1: 'p edge 3' is not 'p edge VERTICES EDGES'",
            ),
            (
                "p edge x 2\n",
                "line 1: 'p edge x 2' is not 'p edge VERTICES EDGES'",
            ),
            (
                "p edge 3 1\np edge 3 1\n",
                "line 2: 'p edge 3 1' is not 'e VERTEX VERTEX'",
            ),
            ("c only\n", "there is no line 'p edge VERTICES EDGES'"),
            ("e 1 2\n", "line 1: 'e 1 2' is not 'p edge VERTICES EDGES'"),
            (
                "p edge 3 1\ne 1\n",
                "line 2: 'e 1' is not 'e VERTEX VERTEX'",
            ),
            (
                "p edge 3 1\ne 1 2 3\n",
                "line 2: 'e 1 2 3' is not 'e VERTEX VERTEX'",
            ),
            (
                "p edge 3 1\ne 0 2\n",
                "line 2: vertex 0 is not one of 1 to 3",
            ),
            (
                "p edge 3 1\ne 1 4\n",
                "line 2: vertex 4 is not one of 1 to 3",
            ),
            (
                "p edge 3 1\ne 2 2\n",
                "line 2: the edge 2 2 joins a vertex to itself",
            ),
            (
                "p edge 3 2\ne 1 2\n",
                "2 edges are announced, and there are 1",
            ),
            (
                "p edge 3 1\ne 1 2\ne 2 3\ne 1 3\n",
                "1 edges are announced, and there are 3",
            ),
            (
                "p edge 99999999 0\n",
                "line 1: 99999999 vertices are more than 16777216",
            ),
            ("1 2\n2 x\n", "line 2: '2 x' is not an edge 'VERTEX VERTEX'"),
            ("0 1\n", "line 1: vertex 0 is not one of 1 to 16777216"),
            (
                "1 2\n-1 2\n",
                "line 2: '-1 2' is not an edge 'VERTEX VERTEX'",
            ),
            (&tsplib(""), "there is no EDGE_DATA_FORMAT"),
            (
                &list("1 2\n"),
                "there is no -1 after the edges: is the file whole?",
            ),
            (
                &list("1 2\n2 3 1\n-1\n"),
                "line 7: '2 3 1' is not an edge 'VERTEX VERTEX', or -1",
            ),
            (&list("1 4\n-1\n"), "line 6: vertex 4 is not one of 1 to 3"),
            (
                &list("1 2\n-1\nFIXED_EDGES_SECTION\n1 2\n-1\n"),
                "line 8: FIXED_EDGES_SECTION is not read here",
            ),
            (
                "NAME : t\nTYPE : TSP\n",
                "line 2: TYPE TSP is not read here",
            ),
            (
                "NAME : t\nTYPE : HCP\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\n",
                "line 4: there is no DIMENSION",
            ),
            ("Hello\n", "line 1: 'Hello' is not 'KEYWORD : VALUE'"),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), error, "{text}");
        }
    }

    proptest! {
        #[test]
        fn graphs_come_back_from_every_format(graph in graphs(2..=8)) {
            let n = graph.n_vertices();
            let arcs = || graph.arcs().filter(|arc| arc.tail < arc.head);
            let lines = |before: &str| -> String {
                arcs()
                    .map(|arc| format!("{before}{} {}\n", arc.head.number() + 1, arc.tail.number() + 1))
                    .collect()
            };
            let dimacs = format!("p edge {n} {}\n{}", graph.n_edges(), lines("e "));
            prop_assert_eq!(&read(&dimacs).unwrap(), &graph);
            let tsplib = format!(
                "TYPE : HCP\nDIMENSION : {n}\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{}-1\n",
                lines("")
            );
            prop_assert_eq!(&read(&tsplib).unwrap(), &graph);
            if arcs().any(|arc| arc.head.number() + 1 == n) {
                prop_assert_eq!(&read(&lines("")).unwrap(), &graph);
            }
        }

        #[test]
        fn any_text_is_a_graph_or_an_error(
            head in "(p edge 9 1|NAME : x\nTYPE : HCP|1 2|# a|c b|)",
            rest in "[-a-eA-Z0-9: \n#]{0,80}",
        ) {
            if let Ok(graph) = read(&format!("{head}\n{rest}")) {
                prop_assert!(graph.n_vertices() <= MOST_VERTICES);
            }
        }
    }
}
