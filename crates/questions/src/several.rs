//! Sources of several graphs: ranges of boards, and texts with a graph per line. Each graph of a text becomes a separate
//! source, named `FILE#1`, `FILE#2`, ….

use std::io::{self, BufRead, Cursor, Read};
use std::sync::Arc;

use super::error::GraphSourceError;
use super::files::Files;
use super::graph_source::{GivenGraph, GraphSource, GraphText, Origin};
use hamcnf_graph::formats::{FormatError, GraphLine, GraphStream, Listed, Reading, Remark, StreamError};

/// Iterator over the graphs of a source.
pub type SeveralGraphs = Box<dyn Iterator<Item = Result<GraphSource, GraphSourceError>> + Send>;

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
                return Ok(Some(Box::new(boards.into_iter().map(|board| Ok(Self::Board(board.into()))))));
            }
            _ => return Ok(None),
        };
        let cannot = |error| GraphSourceError::Read { text: of.source.clone(), error };
        let kept = files.kept(&of.source, None);
        let can_be_read_again = kept.is_some() || of.source.is_lasting();
        let mut text = match kept {
            Some(text) => Box::new(Cursor::new(Arc::<[u8]>::from(text))),
            None => of.source.lines().map_err(cannot)?,
        };
        let Beginning { read, is_several } = beginning(of.reading, &mut text).map_err(cannot)?;
        let whole = Cursor::new(read).chain(text);
        if is_several {
            return Ok(Some(graphs(of.clone(), whole)));
        }
        if !can_be_read_again {
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

/// Returns the source of each graph of a text.
fn graphs(of: GraphText, text: impl BufRead + Send + 'static) -> SeveralGraphs {
    let mut stream = GraphStream::new(text);
    let mut has_loops = false;
    Box::new((1..).map_while(move |number| {
        let line = stream.next_line()?;
        Some(match line.and_then(|line| Ok((read(of.reading, line)?, line.text.into()))) {
            Ok((listed, alone)) => {
                // Only the first graph with a self-loop gets a remark, because a stream may have very many.
                let is_said = |remark: &Remark| matches!(remark, Remark::Loops { .. });
                let mut remarks = listed.remarks;
                remarks.retain(|remark| is_said(remark) && !has_loops);
                has_loops |= !remarks.is_empty();
                let mut place = of.clone();
                place.reading.number = Some(number);
                Ok(GraphSource::Given(GivenGraph {
                    name: place.to_string(),
                    graph: Arc::new(listed.graph),
                    names: listed.names,
                    origin: Some(Arc::new(Origin { place, alone, remarks })),
                }))
            }
            Err(StreamError::Format(error)) => Err(GraphSourceError::Format { text: of.source.clone(), error }),
            Err(StreamError::Io(error)) => Err(GraphSourceError::Read { text: of.source.clone(), error }),
        })
    }))
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
