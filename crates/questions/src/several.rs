//! Sources of several graphs: ranges of boards, and texts with a graph per line. Each graph of a text becomes a separate
//! source, named `FILE#1`, `FILE#2`, ….

use std::fmt;
use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;

use hamcnf_graph::formats::{FormatError, GraphLine, GraphStream, Listed, Reading, Remark, StreamError};
use hamcnf_tours::Board;

use super::error::GraphSourceError;
use super::files::Files;
use super::graph_source::{GivenGraph, GraphSource, GraphText, Origin};

impl GraphSource {
    /// Returns the sources of the boards of a range, or of the graphs in the source's text, in order. Returns `None` if
    /// the source is neither a range nor a text, if the text does not have several graphs, or if the source already
    /// chooses one of them.
    ///
    /// Only one graph is in memory at a time. Standard input and pipes can be read only once: call this function once, and
    /// load the source only if the result is `None`.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`] if the text cannot be read. An error in one graph is an item of the iterator.
    pub fn several(&self, files: &Files) -> Result<Option<SeveralGraphs>, GraphSourceError> {
        let of = match self {
            Self::Graph(of) => of,
            Self::Boards(range) => {
                let boards: Vec<_> = range.boards().collect();
                return Ok(Some(SeveralGraphs::Boards(boards.into_iter())));
            }
            _ => return Ok(None),
        };
        let cannot = |error| GraphSourceError::Read { text: of.source.clone(), error };
        let several = |text: Bytes| {
            SeveralGraphs::Lines(Lines { of: of.clone(), stream: GraphStream::new(text), number: 0, has_loops: false })
        };
        if let Some(text) = files.kept(&of.source) {
            let beginning = beginning(of.reading, text.as_bytes()).map_err(cannot)?;
            return Ok(beginning.is_several.then(|| several(Box::new(Cursor::new(SharedText(text))))));
        }
        let mut text = of.source.lines().map_err(cannot)?;
        let beginning = beginning(of.reading, &mut text);
        let Beginning { read, is_several } = beginning.map_err(cannot)?;
        let whole = Cursor::new(read).chain(text);
        if is_several {
            return Ok(Some(several(Box::new(whole))));
        }
        // A pipe cannot be read again by the caller.
        if !of.source.is_lasting() {
            files.keep(&of.source, whole).map_err(cannot)?;
        }
        Ok(None)
    }
}

/// Beginning of a text: the lines that show if the text has several graphs.
struct Beginning {
    read: Vec<u8>,
    /// True if the lines contain two graphs.
    is_several: bool,
}

/// Reads a text until it is known whether it has several graphs.
fn beginning(reading: Reading, mut text: impl BufRead) -> io::Result<Beginning> {
    let mut read = Vec::new();
    let mut graphs = 0;
    loop {
        // A text has no zero bytes, and a file with some may have no line ends either.
        if text.fill_buf()?.contains(&0) {
            break;
        }
        let before = read.len();
        if text.read_until(b'\n', &mut read)? == 0 {
            break;
        }
        if matches!(GraphLine::new(1, &read[before..]), Ok(None)) {
            continue;
        }
        graphs += 1;
        let is_of_lines = || reading.is_of_lines(&String::from_utf8_lossy(&read));
        if graphs == 2 || !is_of_lines() {
            break;
        }
    }
    let is_several = graphs == 2;
    Ok(Beginning { read, is_several })
}

type Bytes = Box<dyn BufRead + Send>;

/// Text in memory.
struct SharedText(Arc<str>);

impl AsRef<[u8]> for SharedText {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// Iterator over the graphs of a source.
#[derive(Debug)]
pub enum SeveralGraphs {
    /// Graphs of a text.
    Lines(Lines),
    /// Boards of a range.
    Boards(std::vec::IntoIter<Board>),
}

impl Iterator for SeveralGraphs {
    type Item = Result<GraphSource, GraphSourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Lines(lines) => lines.next(),
            Self::Boards(boards) => Some(Ok(GraphSource::Board(boards.next()?.into()))),
        }
    }
}

/// Iterator over the graphs of a text.
pub struct Lines {
    of: GraphText,
    stream: GraphStream<Bytes>,
    /// Number of graphs that have been read.
    number: usize,
    /// True if a graph that has been read has a self-loop.
    has_loops: bool,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, number, .. } = self;
        let mut shown = f.debug_struct("Lines");
        shown.field("of", of).field("number", number);
        shown.finish_non_exhaustive()
    }
}

/// Reads the graph of a line in the format of the source, or in the format that the line shows.
fn read(reading: Reading, line: GraphLine<'_>) -> Result<Listed, FormatError> {
    let reading = Reading { number: None, format: reading.format.or(Some(line.format())), ..reading };
    reading.of_text(line.text).map_err(|error| FormatError { line: Some(line.number), wrong: error.wrong })
}

/// Reads the graph of a text that consists of one line of a source.
pub(super) fn alone(reading: Reading, text: &str) -> Result<Listed, FormatError> {
    match GraphLine::new(1, text.as_bytes())? {
        Some(line) => read(reading, line),
        None => reading.of_text(text),
    }
}

impl Iterator for Lines {
    type Item = Result<GraphSource, GraphSourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reading = self.of.reading;
        let line = self.stream.next_line()?;
        self.number += 1;
        let read = line.and_then(|line| Ok((read(reading, line)?, line.text.into())));
        let text = || self.of.source.clone();
        Some(match read {
            Ok((listed, alone)) => {
                // Only the first graph with a self-loop gets a remark, because a stream may have very many.
                let is_said = |remark: &Remark| matches!(remark, Remark::Loops { .. });
                let mut remarks = listed.remarks;
                remarks.retain(|remark| is_said(remark) && !self.has_loops);
                self.has_loops |= !remarks.is_empty();
                let mut place = self.of.clone();
                place.reading.number = Some(self.number);
                Ok(GraphSource::Given(GivenGraph {
                    name: place.to_string(),
                    graph: Arc::new(listed.graph),
                    names: listed.names,
                    origin: Some(Arc::new(Origin { place, alone, remarks })),
                }))
            }
            Err(StreamError::Format(error)) => Err(GraphSourceError::Format { text: text(), error }),
            Err(StreamError::Io(error)) => Err(GraphSourceError::Read { text: text(), error }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::files::{Stream, TextSource};
    use super::*;

    fn found(name: &str, text: &str) -> Option<Vec<Result<(String, u32), String>>> {
        let file = TextSource::named(name.split('#').next().unwrap().as_ref());
        let files = Files::with(Stream { source: file, number: None, text: text.into() });
        let source = GraphSource::settled(name, &files).unwrap();
        let each = source.several(&files).unwrap()?.map(|source| match source {
            Ok(source) => Ok((source.to_string(), source.load(&files).unwrap().graph().n_vertices())),
            Err(error) => Err(error.to_string()),
        });
        Some(each.collect())
    }

    #[test]
    fn each_graph_of_a_text_is_a_source() {
        let text = ">>graph6<<Bw\n\nD_\n:Fa@x^\r\nC~";
        let is = |name: &str, n| Ok((name.to_owned(), n));
        let error = "cannot read many.g6: line 3: a graph with 5 vertices needs 2 characters after the number of vertices, but 1 follow";
        let expected = vec![is("many.g6#1", 3), Err(error.to_owned()), is("many.g6#3", 7), is("many.g6#4", 4)];
        assert_eq!(found("many.g6", text), Some(expected));
        assert_eq!(found("many.g6#3", text), None);
        assert_eq!(found("many.g6", "Bw\n"), None);
        assert_eq!(found("many.g6", "1 2\n2 3\n"), None);
        assert_eq!(found("-", "Bw\nC~\n").unwrap()[1], is("-#2", 4));
    }
}
