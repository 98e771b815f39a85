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
    use hamcnf_graph::graph::strategy::graphs;
    use hamcnf_tours::board::Board;
    use hamcnf_tours::endpoints::Endpoints;
    use proptest::prelude::*;

    fn instance(graph: Graph, ends: Endpoints) -> Option<Instance> {
        let kind = match ends {
            Endpoints::Closed => TourKind::Closed,
            Endpoints::Open { .. } => TourKind::Open,
        };
        Instance::on_graph("graph", graph, kind, Vertex::new(0)).ok()
    }

    /// True if the graph has a tour with these endpoints. Uses dynamic programming over sets of vertices: for each set,
    /// computes the possible last vertices of paths that visit exactly the set.
    fn has_tour(graph: &Graph, ends: Endpoints) -> bool {
        let n = graph.n_vertices();
        let all = (1usize << n) - 1;
        let near = |v| graph.neighbours(v).iter().fold(0, |near, w| near | 1u32 << w.number());
        let near: Vec<u32> = graph.vertices().map(near).collect();
        let from = |first: Vertex| -> u32 {
            let mut last = vec![0u32; all + 1];
            last[1 << first.number()] = 1 << first.number();
            for set in 1..=all {
                for (v, near) in near.iter().enumerate().filter(|(v, _)| set >> v & 1 == 1) {
                    if near & last[set & !(1 << v)] != 0 {
                        last[set] |= 1 << v;
                    }
                }
            }
            last[all]
        };
        match ends {
            Endpoints::Closed => n > 2 && near[0] & from(Vertex::new(0)) != 0,
            Endpoints::Open { from: first, to } => {
                let firsts = graph.vertices().filter(|&v| first.is_none_or(|s| s == v));
                let lasts = firsts.map(from).fold(0, |all, last| all | last);
                to.map_or(lasts, |t| lasts & 1 << t.number()) != 0
            }
        }
    }

    fn all_ends(s: Vertex, t: Vertex) -> [Endpoints; 6] {
        let open = |from, to| Endpoints::Open { from, to };
        [
            Endpoints::Closed,
            open(Some(s), None),
            open(None, Some(t)),
            open(Some(s), Some(t)),
            open(Some(s), Some(s)),
            open(None, None),
        ]
    }

    fn text(asked: &Asked<'_>, reason: &Reason) -> String {
        let mut out = Vec::new();
        write(asked, reason, "in words", &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn read(text: &[u8], asked: &Asked<'_>) -> Result<Reason, Unreadable> {
        Reading::begin(text)?.reason(asked)
    }

    fn accepted(text: &[u8], asked: &Asked<'_>) -> bool {
        read(text, asked).is_ok_and(|reason| check(asked, &reason, &Limits::default()).is_ok())
    }

    fn refused(text: &str, asked: &Asked<'_>) -> String {
        read(text.as_bytes(), asked).unwrap_err().to_string()
    }

    fn sets(of: &[u8], value: u8) -> Vec<Vertex> {
        let these = (0..).zip(of).filter(|&(_, &set)| set == value);
        these.map(|(v, _)| Vertex::new(v)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Tests that no reason is accepted if the graph has a tour, and that a decomposition is accepted whenever the
        /// graph has no tour.
        #[test]
        fn no_reason_is_accepted_where_there_is_a_tour(
            (graph, order, in_sets) in graphs(2..=8).prop_flat_map(|graph| {
                let vertices: Vec<_> = graph.vertices().collect();
                let n = vertices.len();
                let in_sets = proptest::collection::vec(proptest::collection::vec(0u8..3, n), 40);
                (Just(graph), Just(vertices).prop_shuffle(), in_sets)
            }),
            s in 0u32..8, t in 0u32..8,
        ) {
            let n = graph.n_vertices();
            for ends in all_ends(Vertex::new(s % n), Vertex::new(t % n)) {
                let Some(instance) = instance(graph.clone(), ends) else { continue };
                let asked = Asked::new("graph", &instance, ends);
                let tour = has_tour(&graph, ends);
                let mut reasons = vec![colours::KIND.of(Vec::new()), few::KIND.of(Vec::new())];
                for a in graph.vertices() {
                    reasons.extend(graph.vertices().map(|b| far_sides::KIND.of(vec![a, b])));
                }
                for of in &in_sets {
                    reasons.push(parts::KIND.of(sets(of, 1)));
                }
                for reason in reasons {
                    let holds = check(&asked, &reason, &Limits::default()).is_ok();
                    prop_assert!(!(holds && tour), "{reason:?} {ends:?} {graph:?}");
                    let twice = *reason.kind == far_sides::KIND && reason.vertices[0] == reason.vertices[1];
                    if !twice {
                        let read = read(text(&asked, &reason).as_bytes(), &asked).unwrap();
                        prop_assert_eq!(read, reason);
                    }
                }
                let reason = decomposition::KIND.of(order.clone());
                let found = check(&asked, &reason, &Limits::default());
                let expected = if tour { Err(Unverified::invalid(decomposition::WAY_THROUGH)) } else { Ok(()) };
                prop_assert_eq!(found.map(drop), expected, "{:?} {:?}", ends, graph);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0usize..200,
        ) {
            let small = small();
            for (instance, ends, reason) in &small {
                let asked = Asked::new("question", instance, *ends);
                let _ = read(&bytes, &asked);
                let mut text = text(&asked, reason).into_bytes();
                let at = at % text.len();
                text.splice(at..at, bytes.iter().copied());
                let _ = read(&text, &asked);
            }
        }
    }

    #[test]
    fn an_end_that_is_taken_away_is_a_part_fewer() {
        // Graphs with one hub or two hubs, and two other vertices that are joined only to the hubs.
        let one = Graph::from_edges(3, [(0, 1), (0, 2)]).unwrap();
        let two = Graph::from_edges(4, [(0, 2), (0, 3), (1, 2), (1, 3)]).unwrap();
        let [s, t] = [Some(Vertex::new(0)), Some(Vertex::new(1))];
        let open = |from, to| Endpoints::Open { from, to };
        for (graph, ends, without, visited) in [
            (&one, open(None, None), 1, 2),
            (&one, open(s, None), 1, 1),
            (&one, open(None, s), 1, 1),
            (&one, open(s, s), 1, 1),
            (&two, open(None, t), 2, 2),
            (&two, open(s, t), 2, 1),
        ] {
            let instance = instance(graph.clone(), ends).unwrap();
            let asked = Asked::new("question", &instance, ends);
            let without: Vec<_> = (0..without).map(Vertex::new).collect();
            let n = without.len();
            let found = check(&asked, &parts::KIND.of(without), &Limits::default());
            let s = if n == 1 { "vertex" } else { "vertices" };
            let expected = match visited {
                1 => Ok(format!(
                    "without {n} {s} there are 2 components, but a tour of this kind could visit only 1 of them"
                )),
                _ => Err(Unverified::invalid(format_args!(
                    "the reason proves nothing: after removal of the listed vertices ({n}), the number of components is only 2, and a tour could visit {visited}"
                ))),
            };
            assert_eq!(found, expected, "{ends:?}");
        }
    }

    /// Returns a small certificate for each kind of reason.
    fn small() -> Vec<(Instance, Endpoints, Reason)> {
        let graph = |n, edges: &[(u32, u32)]| Graph::from_edges(n, edges.iter().copied()).unwrap();
        let v = Vertex::new;
        let closed = Endpoints::Closed;
        let from_0 = Endpoints::Open { from: Some(v(0)), to: None };
        // The graphs are two triangles that share a corner; three vertices joined to four; a triangle with pendant
        // edges at two corners; two hubs joined by three paths with two inner vertices each.
        let bow = graph(5, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]);
        let three_to_four: Vec<_> = (0..3).flat_map(|a| (3..7).map(move |b| (a, b))).collect();
        let bull = graph(5, &[(0, 1), (1, 2), (2, 0), (1, 3), (2, 4)]);
        let theta: Vec<_> = (0..3).flat_map(|k| [(0, 2 + 2 * k), (2 + 2 * k, 3 + 2 * k), (3 + 2 * k, 1)]).collect();
        let theta = graph(8, &theta);
        let made = |graph, ends, reason| (instance(graph, ends).unwrap(), ends, reason);
        vec![
            made(bow, closed, parts::KIND.of(vec![v(2)])),
            made(graph(7, &three_to_four), closed, colours::KIND.of(Vec::new())),
            made(bull, from_0, far_sides::KIND.of(vec![v(1), v(2)])),
            made(theta, closed, decomposition::KIND.of([2, 4, 6, 3, 5, 7, 0, 1].map(v).to_vec())),
        ]
    }

    /// Adds edges in increasing order until the graph has a tour, and returns the graph; `None` if even the complete
    /// graph has no tour.
    fn with_a_tour(instance: &Instance, ends: Endpoints) -> Option<Graph> {
        let graph = instance.graph();
        let edges = || graph.arcs().map(|arc| (arc.tail.number(), arc.head.number()));
        let n = graph.n_vertices();
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
        let mut more = Vec::new();
        for pair in pairs {
            more.push(pair);
            let larger = Graph::from_edges(n, edges().chain(more.iter().copied())).unwrap();
            if has_tour(&larger, ends) {
                return Some(larger);
            }
        }
        None
    }

    /// Returns mutations of a text: each byte replaced by every other byte, each line left out or doubled, each pair of
    /// lines swapped, and the text cut off at each byte.
    fn tampered(text: &str) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        for k in 0..text.len() {
            for byte in 0..=255 {
                let mut other = text.as_bytes().to_vec();
                other[k] = byte;
                all.push(other);
            }
            all.push(text.as_bytes()[..k].to_vec());
        }
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        for k in 0..lines.len() {
            let mut without = lines.clone();
            without.remove(k);
            all.push(without.concat().into_bytes());
            let mut doubled = lines.clone();
            doubled.insert(k, lines[k]);
            all.push(doubled.concat().into_bytes());
            for other in 0..k {
                let mut swapped = lines.clone();
                swapped.swap(k, other);
                all.push(swapped.concat().into_bytes());
            }
        }
        all.retain(|other| other != text.as_bytes());
        all
    }

    #[test]
    fn what_is_tampered_with_is_refused_or_still_a_reason() {
        for (instance, ends, reason) in small() {
            let asked = Asked::new("question", &instance, ends);
            assert!(!has_tour(instance.graph(), ends), "{reason:?}");
            let text = text(&asked, &reason);
            assert!(accepted(text.as_bytes(), &asked), "{text}");
            // An accepted mutation has the same first line, the same tours and the same graph.
            let said = |text: &str| -> Vec<String> {
                let lines = text.lines().filter(|line| !line.starts_with("c "));
                lines.take(4).map(str::to_owned).collect()
            };
            let mut kept = 0;
            for other in tampered(&text) {
                if accepted(&other, &asked) {
                    kept += 1;
                    let other = String::from_utf8(other).unwrap();
                    let (was, is) = (said(&text), said(&other));
                    assert_eq!([&was[0], &was[2], &was[3]], [&is[0], &is[2], &is[3]]);
                }
            }
            assert!(kept > 0, "comments may be others");
            // With a graph that has a tour, the reason is rejected, and so are all its mutations.
            let larger = with_a_tour(&instance, ends).unwrap();
            let larger = self::instance(larger, ends).unwrap();
            let asked = Asked::new("question", &larger, ends);
            assert!(refused(&text, &asked).contains("the certificate is about the graph"));
            let text = self::text(&asked, &reason);
            assert!(!accepted(text.as_bytes(), &asked));
            for other in tampered(&text) {
                assert!(!accepted(&other, &asked), "{}", String::from_utf8_lossy(&other));
            }
        }
    }

    #[test]
    fn lines_that_are_wrong_are_named() {
        let (instance, ends, reason) = small().swap_remove(0);
        let asked = Asked::new("question", &instance, ends);
        let text = text(&asked, &reason);
        assert_eq!(
            text,
            "hamcnf certificate 1\nc in words\nquestion question\ntours closed\n\
             graph 5 vertices 6 edges crc32 2858d461\nbecause parts\nwithout 3\nend\n"
        );
        for (from, to, said) in [
            ("hamcnf certificate 1", "p cnf 1 1", "line 1: expected \"hamcnf certificate 1\", but found \"p cnf 1 1\""),
            (
                "certificate 1",
                "certificate 2",
                "line 1: expected \"hamcnf certificate 1\", but found \"hamcnf certificate 2\"",
            ),
            (
                "tours closed",
                "tours open from 1 to anywhere",
                "line 4: the certificate is about other tours than the question: \"open from 1 to anywhere\" instead of \"closed\"",
            ),
            (
                "because parts",
                "because luck",
                "line 6: unknown reason \"luck\"; choose from parts, colours, far-sides, few, decomposition",
            ),
            ("because parts", "because colours", "line 7: expected \"end\", but found \"without 3\""),
            ("without 3", "without 6", "line 7: \"6\" is not a vertex of the graph"),
            ("without 3", "without 3 3", "line 7: \"3\" occurs twice"),
            ("without 3", "without 3\nwithout 3", "line 8: \"3\" occurs twice"),
            ("without 3", "without", "line 7: \"\" is not a vertex of the graph"),
            ("parts\nwithout 3", "far-sides\nbeyond 3", "line 8: \"beyond\" must name 2 vertices, but names 1"),
            (
                "parts\nwithout 3",
                "decomposition\neliminate 3",
                "line 8: \"eliminate\" must name 5 vertices, but names 1",
            ),
            ("end\n", "", "line 8: expected \"end\", but found the end of the file"),
            ("end\n", "end\nend\n", "line 9: expected \"the end of the file\", but found \"end\""),
            ("end\n", "e\u{1b}[2Jd\n", "line 8: expected \"end\", but found \"e\\u{1b}[2Jd\""),
        ] {
            assert_eq!(refused(&text.replace(from, to), &asked), said);
        }
        let long = text.replace("in words", &"long ".repeat(LONGEST));
        assert_eq!(refused(&long, &asked), "line 2: the line is longer than 65536 bytes");
        let lines = Asked::new("a\nb", &instance, ends);
        assert!(write(&lines, &reason, "", &mut Vec::new()).is_err());
        // A comment that would be too long to read back is shortened.
        let mut text = Vec::new();
        write(&asked, &reason, &"\u{1f40e}".repeat(LONGEST), &mut text).unwrap();
        assert!(read(&text, &asked).is_ok());
        // The longest question that `write` accepts can be read.
        for (more, is_written) in [(0, true), (1, false)] {
            let long = "q".repeat(LONGEST - QUESTION.len() - 1 + more);
            let asked = Asked::new(long, &instance, ends);
            let mut text = Vec::new();
            let written = write(&asked, &reason, "", &mut text);
            assert_eq!(written.is_ok(), is_written, "{more}");
            if is_written {
                assert!(read(&text, &asked).is_ok());
            }
        }
    }

    #[test]
    fn what_is_asked_is_in_the_text() {
        let path = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let [from, to] = [1, 2].map(|v| Some(Vertex::new(v)));
        let ends = Endpoints::Open { from, to };
        let instance = instance(path, ends).unwrap();
        let asked = Asked::new("a path", &instance, ends);
        assert_eq!(asked.question(), "a path");
        assert_eq!(asked.tours(), "open from 2 to 3");
        assert_eq!(asked.edges(), "3 vertices 2 edges crc32 11bdcf2f");
        let anywhere = Endpoints::Open { from: None, to };
        let asked = Asked::new("a path", &instance, anywhere);
        assert_eq!(asked.tours(), "open from anywhere to 3");
    }

    fn by_decomposition(graph: Graph, order: Vec<Vertex>) -> Result<(), Unverified> {
        let instance = instance(graph, Endpoints::Closed).unwrap();
        let asked = Asked::new("question", &instance, Endpoints::Closed);
        check(&asked, &decomposition::KIND.of(order), &Limits::default()).map(drop)
    }

    /// Tests that the elimination finds a Hamiltonian cycle of GP(n, 2), a generalized Petersen graph, unless n ≡ 5
    /// modulo 6. This is correct: B. Alspach: *The classification of hamiltonian generalized Petersen graphs*, 1983.
    #[test]
    fn generalized_petersen_graphs() {
        for n in [5, 11, 601, 2003, 7, 600] {
            let edges = |v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + 2) % n)];
            let graph = Graph::from_edges(2 * n, (0..n).flat_map(edges)).unwrap();
            let around = (0..n).flat_map(|v| [v, n + v]).map(Vertex::new).collect();
            let expected = match n % 6 {
                5 => Ok(()),
                _ => Err(Unverified::invalid(decomposition::WAY_THROUGH)),
            };
            assert_eq!(by_decomposition(graph, around), expected, "{n}");
        }
    }

    #[test]
    fn narrow_boards() {
        for (board, tour) in
            [("4x5", false), ("4x30", false), ("3x8", false), ("3x9", false), ("3x10", true), ("3x30", true)]
        {
            let board: Board = board.parse().unwrap();
            let mut order: Vec<_> = board.graph().vertices().collect();
            order.sort_by_key(|v| v.number() % board.cols());
            let expected = if tour { Err(Unverified::invalid(decomposition::WAY_THROUGH)) } else { Ok(()) };
            assert_eq!(by_decomposition(board.graph(), order), expected, "{board}");
        }
    }

    #[test]
    fn what_is_too_wide_or_stopped_is_not_known() {
        let board: Board = "8x8".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        let asked = Asked::new("8x8", &instance, Endpoints::Closed);
        let order = instance.graph().vertices().collect();
        let reason = decomposition::KIND.of(order);
        let few = Limits { states: 1000, ..Limits::default() };
        let wide = check(&asked, &reason, &few).unwrap_err();
        assert_eq!(wide, Unverified::TooWide(1000));
        let stopped = Limits { stop: &|| true, ..Limits::default() };
        let stopped = check(&asked, &reason, &stopped).unwrap_err();
        assert_eq!(stopped, Unverified::Stopped);
    }
}
