//! Sources of several graphs: texts with a graph per line, whose graphs become sources named `FILE#1`, `FILE#2`, …, and
//! ranges of boards.

use std::io::Read;
use std::sync::Arc;

use hamcnf_encodings::Board;
use hamcnf_encodings::formats::{Format, FormatError, GraphStream, Reading, StreamError, Wrong};

use super::error::GraphSourceError;
use super::files::{Files, SourceError, TextSource};
use super::graph_source::{GivenGraph, GraphSource, GraphText};

/// Number of bytes of a file that show whether it has a graph per line.
const BEGINNING: u64 = 1 << 20;

impl GraphSource {
    /// Returns the sources of the boards of a range, or of the graphs in the source's text, in order. `None` if the source
    /// is neither a range nor a text, the text does not have several graphs, or the source already chooses one of them.
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
        let cannot = |error: SourceError| GraphSourceError::Read {
            text: of.source.clone(),
            error,
        };
        // Most files have one graph. Their beginning shows this, so that they are read only once, by the caller.
        if of.source.is_lasting() && files.kept(&of.source).is_none() {
            let mut beginning = Vec::new();
            let opened = of.source.open().map(|text| text.take(BEGINNING));
            let read = opened.and_then(|mut text| text.read_to_end(&mut beginning));
            read.map_err(|error| cannot(error.into()))?;
            if !of.reading.is_of_lines(&String::from_utf8_lossy(&beginning)) {
                return Ok(None);
            }
        }
        let text = files.text(&of.source).map_err(cannot)?;
        if !of.reading.is_of_lines(&text) {
            return Ok(None);
        }
        let listed = match &of.source {
            TextSource::File(file) => of.reading.of_file(&text, file),
            TextSource::StandardInput => of.reading.of_text(&text),
        };
        let is_one = |error: &FormatError| !matches!(error.wrong, Wrong::Several(_));
        if listed.err().is_none_or(|error| is_one(&error)) {
            return Ok(None);
        }
        let of = of.clone();
        let (place, number) = (0, 0);
        Ok(Some(SeveralGraphs::Lines(Lines {
            of,
            text,
            place,
            lines: number,
            number,
        })))
    }
}

/// Iterator over the graphs of a source.
#[derive(Clone, Debug)]
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
#[derive(Clone, Debug)]
pub struct Lines {
    of: GraphText,
    text: Arc<str>,
    /// Number of bytes read.
    place: usize,
    /// Number of lines read.
    lines: usize,
    /// Number of graphs read.
    number: usize,
}

impl Iterator for Lines {
    type Item = Result<GraphSource, GraphSourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text.as_bytes()[self.place..];
        let mut left = rest;
        let mut stream = GraphStream::after(&mut left, self.lines);
        let line = stream.next_line()?;
        self.number += 1;
        let read = line.map_err(wrong).and_then(|line| {
            self.lines = line.number();
            let of_line = match line.text().starts_with([':', ';']) {
                true => Format::SPARSE6,
                false => Format::GRAPH6,
            };
            let reading = Reading {
                number: None,
                format: self.of.reading.format.or(Some(of_line)),
                ..self.of.reading
            };
            let listed = reading.of_text(line.text());
            listed.map_err(|error| FormatError {
                line: Some(line.number()),
                wrong: error.wrong,
            })
        });
        self.place += rest.len() - left.len();
        let mut named = self.of.clone();
        named.reading.number = Some(self.number);
        Some(match read {
            Ok(listed) => Ok(GraphSource::Given(GivenGraph {
                name: GraphSource::Graph(named).to_string(),
                graph: Arc::new(listed.graph),
                names: listed.names,
            })),
            Err(error) => Err(GraphSourceError::Format {
                text: self.of.source.clone(),
                error,
            }),
        })
    }
}

/// Returns the error of a line. Reading from memory does not fail.
fn wrong(error: StreamError) -> FormatError {
    match error {
        StreamError::Format(error) => error,
        StreamError::Io(_) => Wrong::Empty.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, text: &str) -> Option<Vec<Result<(String, u32), String>>> {
        let file = TextSource::named(name.split('#').next().unwrap().as_ref());
        let files = Files::with(file, text);
        let source = GraphSource::settled(name, &files).unwrap();
        let several = source.several(&files).unwrap()?;
        let each = several.map(|source| match source {
            Ok(source) => {
                let name = source.to_string();
                let loaded = source.load(&files).unwrap();
                Ok((name, loaded.graph().n_vertices()))
            }
            Err(error) => Err(error.to_string()),
        });
        Some(each.collect())
    }

    #[test]
    fn each_board_of_a_range_is_a_source() {
        let files = Files::default();
        let source = GraphSource::settled("5..7x8", &files).unwrap();
        let boards = source.several(&files).unwrap().unwrap();
        let boards: Vec<_> = boards.map(|board| board.unwrap().to_string()).collect();
        assert_eq!(boards, ["5x8", "6x8", "7x8"]);
        let error = source.load(&files).unwrap_err().to_string();
        assert_eq!(
            error,
            "'5..7x8' is several boards; name one of them, such as 5x8"
        );
    }

    #[test]
    fn each_graph_of_a_text_is_a_source() {
        let text = ">>graph6<<Bw\n\nD_\n:Fa@x^\r\nC~";
        let is = |name: &str, n| Ok((name.to_owned(), n));
        let error = "cannot read many.g6: line 3: a graph with 5 vertices needs 2 characters after the number of vertices, but 1 follow";
        let expected = vec![
            is("many.g6#1", 3),
            Err(error.to_owned()),
            is("many.g6#3", 7),
            is("many.g6#4", 4),
        ];
        assert_eq!(found("many.g6", text), Some(expected));
        assert_eq!(found("many.g6#3", text), None);
        assert_eq!(found("many.g6", "Bw\n"), None);
        assert_eq!(found("many.g6", "1 2\n2 3\n"), None);
        let standard = found("-", "Bw\nC~\n").unwrap();
        assert_eq!(standard[1], is("-#2", 4));
    }
}
