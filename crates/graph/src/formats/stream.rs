//! Streams of graphs, one per line, in graph6, sparse6 or digraph6. Nauty's programs write such streams.
//!
//! Only one line is in memory at a time. Blank lines are skipped. A header such as `>>graph6<<` may precede any graph
//! and is not part of its text. An error gives the number of its line; the stream continues with the next line.
//!
//! A line that begins with `&` is a digraph in digraph6. [`GraphLine::format`] returns the format of a line.
//!
//! # References
//!
//! - Brendan McKay: *Description of graph6, sparse6 and digraph6 encodings*, formats.txt in nauty.

use std::io::{self, BufRead};

use super::sparse6::{INCREMENT, incremented};
use super::{Directedness, Format, FormatError, Listed, at, graph6, not};

/// Line of a stream of graphs. The line has the text of one graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphLine<'t> {
    /// Number of the line, counted from 1.
    pub number: usize,
    /// Text of the graph, without a header and without blanks around it.
    pub text: &'t str,
}

impl<'t> GraphLine<'t> {
    /// Creates a `GraphLine` from the bytes of a line and the number of the line, counted from 1. Returns `None` if the
    /// line is blank or has only a header.
    ///
    /// # Errors
    ///
    /// [`FormatError`] if the line is not valid UTF-8.
    pub fn new(number: usize, line: &'t [u8]) -> Result<Option<Self>, FormatError> {
        let Ok(line) = str::from_utf8(line) else {
            let expected = "graph6, sparse6 or digraph6, one graph per line";
            return Err(not(number, &String::from_utf8_lossy(line), expected));
        };
        let text = graph6::string(line);
        Ok((!text.is_empty()).then_some(Self { number, text }))
    }

    /// Returns the format of the line.
    pub fn format(&self) -> Format {
        graph6::format_of(self.text)
    }

    /// Reads the graph.
    ///
    /// # Errors
    ///
    /// [`FormatError`], with the line number.
    pub fn read(&self) -> Result<Listed, FormatError> {
        let graph = (self.format().read)(self.text).map_err(|error| error.wrong);
        let listed = graph.and_then(|graph| graph.listed(Directedness::AsWritten));
        listed.map_err(|wrong| at(self.number, wrong))
    }
}

/// Expands lines in incremental sparse6 to sparse6. An invalid line stays as it is; its reader reports the error.
#[derive(Default, Debug)]
pub struct Increments {
    /// Last line with a graph so far.
    previous: Vec<u8>,
}

impl Increments {
    /// Returns whole lines without incremental sparse6. The lines follow those of the call before.
    pub fn expanded(&mut self, lines: Vec<u8>) -> Vec<u8> {
        // No other format has semicolons.
        let lines = if lines.contains(&(INCREMENT as u8)) { self.each_expanded(&lines) } else { lines };
        let is_line = |line: &&[u8]| !line.trim_ascii().is_empty();
        if let Some(last) = lines.rsplit(|&byte| byte == b'\n').find(is_line) {
            self.previous.clear();
            self.previous.extend_from_slice(last);
        }
        lines
    }

    fn each_expanded(&mut self, lines: &[u8]) -> Vec<u8> {
        let mut all = Vec::new();
        for line in lines.split_inclusive(|&byte| byte == b'\n') {
            let text = |line| GraphLine::new(1, line).ok().flatten();
            let [previous, next] = [text(&self.previous), text(line)];
            let is_increment = |next: &GraphLine<'_>| next.text.starts_with(INCREMENT);
            let expanded = next.filter(is_increment).and_then(|next| incremented(previous?.text, next.text));
            let begins = all.len();
            match expanded {
                Some(expanded) => {
                    all.extend_from_slice(expanded.as_bytes());
                    all.push(b'\n');
                }
                None => all.extend_from_slice(line),
            }
            if next.is_some() {
                self.previous.clear();
                self.previous.extend_from_slice(&all[begins..]);
            }
        }
        all
    }
}

/// Returns the number of line feeds in a text.
pub fn count_lines(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'\n').count()
}

/// Reason why the next graph of a stream could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The stream cannot be read any further.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not a graph. The next lines can be read.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// Stream of the graphs of a text with one graph per line.
///
/// ```
/// use hamcnf_graph::formats::GraphStream;
///
/// let text = b">>graph6<<Bw\n\nnot a graph\n:DaXbN\n";
/// let mut stream = GraphStream::new(&text[..]);
/// let line = stream.next_line().unwrap()?;
/// assert_eq!((line.text, line.read()?.graph.n_edges()), ("Bw", 3));
/// let line = stream.next_line().unwrap()?;
/// assert!(line.read().unwrap_err().to_string().starts_with("line 3: "));
/// assert_eq!(stream.next_line().unwrap()?.number, 4);
/// # Ok::<(), hamcnf_graph::formats::StreamError>(())
/// ```
#[derive(Debug)]
pub struct GraphStream<R> {
    text: R,
    line: Vec<u8>,
    increments: Increments,
    number: usize,
    has_ended: bool,
}

impl<R: BufRead> GraphStream<R> {
    /// Returns the stream of the graphs of a text.
    pub fn new(text: R) -> Self {
        Self { text, line: Vec::new(), increments: Increments::default(), number: 0, has_ended: false }
    }

    /// Returns the next line that has a graph, without reading the graph; `None` at the end.
    ///
    /// # Errors
    ///
    /// [`StreamError`] if the text cannot be read. The stream then ends.
    pub fn next_line(&mut self) -> Option<Result<GraphLine<'_>, StreamError>> {
        loop {
            if self.has_ended {
                return None;
            }
            self.line.clear();
            match self.text.read_until(b'\n', &mut self.line) {
                Ok(0) => self.has_ended = true,
                Ok(_) => {
                    self.number += 1;
                    self.line = self.increments.expanded(std::mem::take(&mut self.line));
                    match GraphLine::new(self.number, &self.line) {
                        Ok(None) => {}
                        Ok(Some(_)) => break,
                        Err(error) => return Some(Err(error.into())),
                    }
                }
                Err(error) => {
                    self.has_ended = true;
                    return Some(Err(error.into()));
                }
            }
        }
        // The line is parsed again, since a loop cannot return what it borrows.
        let line = GraphLine::new(self.number, &self.line).transpose()?;
        Some(line.map_err(StreamError::from))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Reading;
    use super::*;
    use crate::AnyGraph;

    /// Returns the line number and the graph of each line.
    fn graphs(text: &[u8]) -> Vec<Result<(usize, AnyGraph), String>> {
        let mut stream = GraphStream::new(text);
        let next = || {
            let line = stream.next_line()?.and_then(|line| Ok((line.number, line.read()?.graph)));
            Some(line.map_err(|error| error.to_string()))
        };
        std::iter::from_fn(next).collect()
    }

    fn numbers(text: &[u8]) -> Vec<Result<(usize, u32), String>> {
        let of_graph = |(line, graph): (usize, AnyGraph)| (line, graph.n_vertices());
        graphs(text).into_iter().map(|graph| graph.map(of_graph)).collect()
    }

    #[test]
    fn every_line_is_a_graph_or_an_error() {
        let text = b">>graph6<<Bw\r\n\n  \n>>sparse6<<\n:Fa@x^\n&BO?\nBw";
        let found = numbers(text);
        assert_eq!(found[..3], [Ok((1, 3)), Ok((5, 7)), Ok((6, 3))]);
        assert_eq!(found[3..], [Ok((7, 3))]);
        let found = numbers(b"D_\nB\xff\nBw\n");
        assert_eq!(
            found,
            [
                Err("line 1: a graph with 5 vertices needs 2 characters after the number of vertices, but 1 follow"
                    .to_owned()),
                Err("line 2: \"B\u{fffd}\n\" is not graph6, sparse6 or digraph6, one graph per line".to_owned()),
                Ok((3, 3))
            ]
        );
        assert_eq!(numbers(b""), []);
    }

    #[test]
    fn increments_are_graphs_of_their_own() {
        // The path 0-1-2-3, then with the edge 0-3, then without the edge 1-2, as nauty's copyg -i writes them.
        let text = b";w\n:Cdv\r\n;w\n\n;p\nC~\n;w\n;\xff\n";
        let edges = |graph: Result<(usize, AnyGraph), _>| graph.ok().map(|(_, graph)| graph.n_edges());
        let found: Vec<_> = graphs(text).into_iter().map(edges).collect();
        assert_eq!(found, [None, Some(3), Some(4), Some(3), Some(6), Some(5), None]);
        let number = Some(3);
        let listed = Reading { number, ..Reading::default() }.of_text(":Cdv\n;w\n\n;p\n;b\n").unwrap();
        let arcs = listed.graph.digraph().arcs().map(|arc| (arc.tail.number(), arc.head.number()));
        let edges: Vec<_> = arcs.filter(|(a, b)| a < b).collect();
        assert_eq!(edges, [(0, 1), (0, 3), (2, 3)]);
        // Whole lines may come in several pieces.
        let mut increments = Increments::default();
        let pieces = [&b":Cdv\n"[..], b";w\n;p\n"].map(|lines| increments.expanded(lines.to_vec()));
        assert_eq!(pieces.concat().split(|&byte| byte == b'\n').count(), 4);
        assert!(!pieces[1].contains(&b';'));
    }

    #[test]
    fn an_error_of_the_text_ends_the_stream() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut stream = GraphStream::new(io::BufReader::new(Broken));
        assert!(matches!(stream.next_line(), Some(Err(StreamError::Io(_)))));
        assert!(stream.next_line().is_none());
    }
}
