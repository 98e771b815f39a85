//! Certificates: text files with a short reason why a graph has no tour. A certificate is checked on the graph alone,
//! without a formula.
//!
//! ```text
//! hamcnf certificate 1
//! c comments are lines like this one
//! question leaper:0,1:3x3 open from b1
//! tours open from b1 to anywhere
//! graph 9 vertices 12 edges crc32 99ac4736
//! because parts
//! without b1 a2 c2 b3
//! end
//! ```
//!
//! The line `question` has the question in the program's own syntax. The next two lines repeat the facts that a checker
//! needs. The line `tours` gives the endpoints of tours: `tours closed`, or `tours open from A to B`, where A and B are
//! vertices or `anywhere`. The line `graph` gives the size of the graph and the CRC-32 of its edges in increasing
//! order. An edge is a pair of 0-based numbers, the lesser first, four bytes each in little-endian order. The line
//! `because` gives the kind of the reason. Lines with the names of its vertices follow, any number of names per line.
//! The word at the beginning of these lines depends on the kind:
//!
//! | `because` | lines | meaning |
//! |---|---|---|
//! | `parts` | `without`, any vertices or no line | removing the vertices leaves more parts than a tour can visit: [`parts`] |
//! | `colours` | none | the sizes of the two colour classes allow no tour: [`colours`] |
//! | `far-sides` | `beyond`, two vertices | a tour would have to end beyond both vertices: [`far_sides`] |
//! | `few` | none | closed tours need at least three vertices: [`few`] |
//! | `decomposition` | `eliminate`, all vertices | eliminating them in this order leaves no partial tour: [`decomposition`] |
//!
//! A checker need not know how a reason was found. The documentation of each submodule proves that its kind of reason
//! excludes tours. The proofs use only the adjacency of vertices.
//!
//! # References
//!
//! - R. M. McConnell, K. Mehlhorn, S. Näher, P. Schweitzer: *Certifying algorithms*, Computer Science Review 5(2),
//!   2011.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, BufRead, Read, Write};

use hamcnf_graph::graph::{Graph, Vertex};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::instance::{Instance, TourKind};

pub mod colours;
pub mod decomposition;
pub mod far_sides;
pub mod few;
pub mod parts;

/// Returns the vertices that the question gives as ends of the tours: none, one or two. A vertex that is given as both
/// ends is listed once.
fn given(ends: Endpoints) -> Vec<Vertex> {
    let mut given: Vec<_> = ends.given().collect();
    given.dedup();
    given
}

/// Question about the tours of a graph. Certificates are checked against it.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    question: String,
    graph: &'a Graph,
    ends: Endpoints,
    names: Vec<String>,
}

impl<'a> Asked<'a> {
    /// Returns the question about tours with these endpoints in the instance's graph. The text `question` must be one
    /// line.
    pub fn new(question: impl Into<String>, instance: &'a Instance, ends: Endpoints) -> Self {
        let graph = instance.graph();
        let names = graph.vertices().map(|v| instance.vertex_name(v));
        Self { question: question.into(), graph, ends, names: names.collect() }
    }

    /// Returns the text of the question, in the program's syntax.
    pub fn question(&self) -> &str {
        &self.question
    }

    fn name(&self, v: Vertex) -> String {
        self.names[v.index()].clone()
    }

    /// Returns the endpoints of tours in the syntax of the line `tours`, without the word `tours`.
    fn tours(&self) -> String {
        match self.ends {
            Endpoints::Closed => TourKind::Closed.to_string(),
            Endpoints::Open { from, to } => {
                let name = |end: Option<Vertex>| end.map_or(ANYWHERE.to_owned(), |v| self.name(v));
                format!("{} from {} to {}", TourKind::Open, name(from), name(to))
            }
        }
    }

    /// Returns the size and the checksum of the graph in the syntax of the line `graph`, without the word `graph`.
    fn edges(&self) -> String {
        let mut crc = crc32fast::Hasher::new();
        for arc in self.graph.arcs().filter(|arc| arc.tail < arc.head) {
            crc.update(&arc.tail.number().to_le_bytes());
            crc.update(&arc.head.number().to_le_bytes());
        }
        let (n, edges) = (self.graph.n_vertices(), self.graph.n_edges());
        format!("{n} vertices {edges} edges crc32 {:08x}", crc.finalize())
    }
}

/// Kind of reason why a graph has no tour. Each kind has its own file and a line in [`LIST`].
#[derive(Debug)]
pub struct ReasonKind {
    /// Name in the line `because`.
    pub name: &'static str,
    /// Word at the beginning of the lines with the vertices, and the number of vertices; `None` if the reason has none.
    vertices: Option<(&'static str, Count)>,
    /// Checks that a reason with these vertices excludes all tours. Returns a sentence that says why.
    check: fn(&Asked<'_>, &[Vertex], &Limits<'_>) -> Result<String, Unverified>,
}

/// Number of vertices of a reason.
#[derive(Debug)]
enum Count {
    Any,
    Two,
    All,
}

impl Count {
    /// Returns the number of vertices that a reason about a question must have, if it has these.
    fn expected(&self, asked: &Asked<'_>, vertices: &[Vertex]) -> usize {
        match self {
            Self::Any => vertices.len(),
            Self::Two => 2,
            Self::All => asked.graph.n_vertices() as usize,
        }
    }
}

/// Kinds of reasons.
pub const LIST: &[&ReasonKind] = &[&parts::KIND, &colours::KIND, &far_sides::KIND, &few::KIND, &decomposition::KIND];

impl ReasonKind {
    /// Returns the reason of this kind with these vertices.
    pub const fn of(&'static self, vertices: Vec<Vertex>) -> Reason {
        Reason { kind: self, vertices }
    }
}

impl PartialEq for ReasonKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for ReasonKind {}

/// Reason why a graph has no tour, as a certificate states it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// Kind of the reason.
    pub kind: &'static ReasonKind,
    /// Vertices of the reason, in the order of the certificate.
    pub vertices: Vec<Vertex>,
}

const FIRST: &str = "hamcnf certificate 1";
const QUESTION: &str = "question";
const TOURS: &str = "tours";
const GRAPH: &str = "graph";
const BECAUSE: &str = "because";
const END: &str = "end";
const ANYWHERE: &str = "anywhere";

/// Maximum number of vertex names in a line.
const A_LINE: usize = 16;

/// Maximum number of bytes in a line.
const LONGEST: usize = 1 << 16;

/// Writes a certificate. The lines of `words` become comments.
///
/// # Errors
///
/// Errors of the writer. Also fails if the question has several lines or is too long.
pub fn write(asked: &Asked<'_>, reason: &Reason, words: &str, out: &mut dyn Write) -> io::Result<()> {
    if asked.question.contains(['\n', '\r']) || asked.question.len() + QUESTION.len() >= LONGEST {
        let wrong = "the question's name has several lines or is too long for a certificate";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, wrong));
    }
    writeln!(out, "{FIRST}")?;
    for line in words.lines() {
        let most = line.chars().take(LONGEST / 8);
        writeln!(out, "c {}", most.collect::<String>())?;
    }
    writeln!(out, "{QUESTION} {}", asked.question)?;
    writeln!(out, "{TOURS} {}", asked.tours())?;
    writeln!(out, "{GRAPH} {}", asked.edges())?;
    writeln!(out, "{BECAUSE} {}", reason.kind.name)?;
    if let Some((word, _)) = reason.kind.vertices {
        for line in reason.vertices.chunks(A_LINE) {
            write!(out, "{word}")?;
            for &v in line {
                write!(out, " {}", asked.names[v.index()])?;
            }
            writeln!(out)?;
        }
    }
    writeln!(out, "{END}")
}

/// Reason why a text is not a certificate for the question, with the line of the error.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {wrong}")]
pub struct Unreadable {
    /// Number of the line, counted from 1.
    pub line: u64,
    /// Error in the line, in words.
    wrong: String,
}

/// Returns a text from a file for messages, in quotation marks and shortened to 60 characters. Control characters are
/// escaped.
fn shown(text: &str) -> String {
    let begin: String = text.chars().take(60).collect();
    format!("\"{}\"", begin.escape_debug())
}

/// A partly read certificate: the lines up to the question have been read. When the question is known,
/// [`reason`](Self::reason) reads the remaining lines.
#[derive(Debug)]
pub struct Reading<R> {
    input: R,
    /// Number of the last line that was read, counted from 1.
    line: u64,
    question: String,
}

impl<R: BufRead> Reading<R> {
    /// Reads a certificate up to the question.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] for the first line with an error.
    pub fn begin(input: R) -> Result<Self, Unreadable> {
        let mut this = Self { input, line: 0, question: String::new() };
        let first = this.any_line()?;
        if first.as_deref() != Some(FIRST) {
            return Err(this.expected(FIRST, first.as_deref()));
        }
        this.question = this.behind(QUESTION)?;
        Ok(this)
    }

    /// Returns the text of the question in the certificate.
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Reads the rest of the certificate. The endpoints and the graph must be the same as in `asked`. The text of the
    /// question is not compared, because a graph may have several names. Callers can compare the texts themselves.
    ///
    /// # Errors
    ///
    /// [`Unreadable`] for the first line with an error.
    pub fn reason(mut self, asked: &Asked<'_>) -> Result<Reason, Unreadable> {
        let tours = self.behind(TOURS)?;
        if tours != asked.tours() {
            let (asked, found) = (asked.tours(), shown(&tours));
            return Err(self.wrong(format!(
                "the certificate is about other tours than the question: {found} instead of \"{asked}\""
            )));
        }
        let graph = self.behind(GRAPH)?;
        if graph != asked.edges() {
            let (asked, found) = (asked.edges(), shown(&graph));
            return Err(self.wrong(format!(
                "the certificate is about the graph {found}, but the question is about the graph \"{asked}\""
            )));
        }
        let word = self.behind(BECAUSE)?;
        let Some(kind) = LIST.iter().find(|kind| kind.name == word) else {
            let known: Vec<_> = LIST.iter().map(|kind| kind.name).collect();
            let known = known.join(", ");
            return Err(self.wrong(format!("unknown reason {}; choose from {known}", shown(&word))));
        };
        let vertices = self.vertices(kind.vertices.as_ref().map(|(word, _)| *word), asked)?;
        if let Some((word, count)) = &kind.vertices {
            let (expected, found) = (count.expected(asked, &vertices), vertices.len());
            if found != expected {
                return Err(self.wrong(format!("\"{word}\" must name {expected} vertices, but names {found}")));
            }
        }
        let reason = kind.of(vertices);
        match self.any_line()? {
            None => Ok(reason),
            Some(more) => Err(self.expected("the end of the file", Some(&more))),
        }
    }

    /// Reads the rest of the certificate: lines of vertex names that begin with `word`. If `word` is `None`, the
    /// certificate must not have such lines. A vertex may not occur twice, so the list has at most as many entries as
    /// the graph has vertices.
    fn vertices(&mut self, word: Option<&str>, asked: &Asked<'_>) -> Result<Vec<Vertex>, Unreadable> {
        let names = asked.names.iter().map(String::as_str);
        let named: HashMap<&str, Vertex> = names.zip(asked.graph.vertices()).collect();
        let mut there = vec![false; asked.names.len()];
        let mut vertices = Vec::new();
        loop {
            let line = self.line()?;
            let text = line.as_deref().unwrap_or_default();
            if text == END {
                return Ok(vertices);
            }
            let (first, names) = text.split_once(' ').unwrap_or((text, ""));
            if word != Some(first) {
                return Err(self.expected(END, line.as_deref()));
            }
            for name in names.split(' ') {
                let Some(&v) = named.get(name) else {
                    return Err(self.wrong(format!("{} is not a vertex of the graph", shown(name))));
                };
                if std::mem::replace(&mut there[v.index()], true) {
                    return Err(self.wrong(format!("{} occurs twice", shown(name))));
                }
                vertices.push(v);
            }
        }
    }

    /// Reads a line that must begin with the word `word` and a blank, and returns the rest of the line.
    fn behind(&mut self, word: &str) -> Result<String, Unreadable> {
        let line = self.line()?;
        let behind = line.as_deref().and_then(|line| line.strip_prefix(word));
        match behind.and_then(|behind| behind.strip_prefix(' ')) {
            Some(behind) if !behind.is_empty() => Ok(behind.to_owned()),
            _ => Err(self.expected(word, line.as_deref())),
        }
    }

    /// Returns the next line that is not a comment; `None` at the end of the file.
    fn line(&mut self) -> Result<Option<String>, Unreadable> {
        loop {
            match self.any_line()? {
                Some(line) if line == "c" || line.starts_with("c ") => {}
                line => return Ok(line),
            }
        }
    }

    fn any_line(&mut self) -> Result<Option<String>, Unreadable> {
        self.line += 1;
        let mut bytes = Vec::new();
        let most = LONGEST as u64 + 1;
        let read = self.input.by_ref().take(most).read_until(b'\n', &mut bytes);
        match read {
            Err(error) => return Err(self.wrong(error.to_string())),
            Ok(0) => return Ok(None),
            Ok(_) => {}
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        } else if bytes.len() > LONGEST {
            return Err(self.wrong(format!("the line is longer than {LONGEST} bytes")));
        }
        match String::from_utf8(bytes) {
            Ok(line) => Ok(Some(line)),
            Err(_) => Err(self.wrong("the line is not UTF-8".to_owned())),
        }
    }

    fn expected(&self, expected: &str, found: Option<&str>) -> Unreadable {
        let found = found.map_or("the end of the file".to_owned(), shown);
        self.wrong(format!("expected \"{expected}\", but found {found}"))
    }

    fn wrong(&self, wrong: String) -> Unreadable {
        Unreadable { line: self.line, wrong }
    }
}

/// Resource limits of a check.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// Maximum number of states that are held at the same time. A state takes a few dozen bytes.
    pub states: usize,
    /// Function that is called from time to time. The check stops if the function returns true.
    pub stop: &'a dyn Fn() -> bool,
}

impl Default for Limits<'_> {
    /// Returns limits with at most four million states, which take about half a gigabyte at most. Nothing else is
    /// limited.
    fn default() -> Self {
        Self { states: 1 << 22, stop: &|| false }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits").field("states", &self.states).finish_non_exhaustive()
    }
}

/// Reason why a check did not succeed: the reason is invalid, or the check hit a limit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unverified {
    /// The reason does not hold; the value says why.
    #[error("{0}")]
    Invalid(String),
    /// The check needs more than this number of states, or a [table](decomposition) whose scope has too many vertices.
    /// Nothing is known about the reason.
    #[error("the certificate is too wide to check: more than {0} states at once, or bags of more than {most} vertices", most = decomposition::WIDEST)]
    TooWide(usize),
    /// The check was stopped by the caller. Nothing is known about the reason.
    #[error("the check was stopped before it was complete")]
    Stopped,
}

impl Unverified {
    fn invalid(why: impl fmt::Display) -> Self {
        Self::Invalid(why.to_string())
    }
}

/// Checks that a reason excludes all tours that the question asks for. Returns a sentence that says why there is no
/// tour.
///
/// # Errors
///
/// [`Unverified`] if the reason is invalid, the check hits a limit, or it is stopped.
pub fn check(asked: &Asked<'_>, reason: &Reason, limits: &Limits<'_>) -> Result<String, Unverified> {
    let expected = reason.kind.vertices.as_ref().map_or(0, |(_, count)| count.expected(asked, &reason.vertices));
    if reason.vertices.len() != expected {
        let (name, found) = (reason.kind.name, reason.vertices.len());
        return Err(Unverified::Invalid(format!("the reason \"{name}\" needs {expected} vertices, not {found}")));
    }
    (reason.kind.check)(asked, &reason.vertices, limits)
}

/// Returns a flag for each vertex, true if the vertex can be reached from `from` after removing the vertices marked in
/// `away`. The vertex `from` must not be marked.
fn reached(graph: &Graph, from: Vertex, away: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; graph.n_vertices() as usize];
    let mut waiting = vec![from];
    reached[from.index()] = true;
    while let Some(v) = waiting.pop() {
        for &w in graph.neighbours(v) {
            if !away[w.index()] && !reached[w.index()] {
                reached[w.index()] = true;
                waiting.push(w);
            }
        }
    }
    reached
}

/// Returns a flag for each vertex, true if the vertex is in `these`.
fn among(graph: &Graph, these: &[Vertex]) -> Vec<bool> {
    let mut among = vec![false; graph.n_vertices() as usize];
    for v in these {
        among[v.index()] = true;
    }
    among
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_in_the_text() {
        let path = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let [from, to] = [1, 2].map(|v| Some(Vertex::new(v)));
        let ends = Endpoints::Open { from, to };
        let instance = Instance::on_graph("path", path, TourKind::Open, Vertex::new(0)).unwrap();
        let asked = Asked::new("a path", &instance, ends);
        assert_eq!(asked.question(), "a path");
        assert_eq!(asked.tours(), "open from 2 to 3");
        assert_eq!(asked.edges(), "3 vertices 2 edges crc32 11bdcf2f");
        let anywhere = Endpoints::Open { from: None, to };
        let asked = Asked::new("a path", &instance, anywhere);
        assert_eq!(asked.tours(), "open from anywhere to 3");
    }
}
