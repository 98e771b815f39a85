//! Options for reading a text: its format, the number of the graph in the file, and the treatment of arcs and weights.

use std::path::Path;

use super::*;

/// Options for reading a text as a graph. By default, the format is recognised from the text.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reading {
    /// Format of the text; `None` if the format is to be recognised.
    pub format: Option<Format>,
    /// Number of the graph in a file with several graphs, counted from 1; `None` requires a file with exactly one
    /// graph.
    pub number: Option<usize>,
    /// Choice between an undirected graph and a digraph.
    pub directedness: Directedness,
    /// True if the third column in a list of edges has weights, not vertices, and a travelling salesman problem of TSPLIB is
    /// a graph with weights.
    pub weights: bool,
}

impl Reading {
    /// Reads the graph in a text.
    ///
    /// # Errors
    ///
    /// [`FormatError`], with the line number, if the text does not describe a graph.
    pub fn of_text(&self, text: &str) -> Result<Listed, FormatError> {
        self.read(text, None)
    }

    /// Reads the graph in the text of a file. If neither the options nor the text show the format, the extension of the
    /// file name decides.
    ///
    /// # Errors
    ///
    /// [`FormatError`], with the line number, if the text does not describe a graph.
    pub fn of_file(&self, text: &str, name: &Path) -> Result<Listed, FormatError> {
        self.read(text, Format::of_file(name))
    }

    /// True if the text may have several graphs, one per line, and the options neither choose one of them nor declare
    /// weights. The beginning of the text suffices.
    pub fn is_of_lines(&self, text: &str) -> bool {
        self.number.is_none() && !self.weights && has_lines(text, self.format)
    }

    /// Reads the weights of the edges or arcs: the third column of a list of edges, or those of a travelling salesman problem
    /// of TSPLIB. Returns `None` if the text has no weights. A file name gives its extension, as for [`of_file`](Self::of_file).
    ///
    /// # Errors
    ///
    /// [`FormatError`], with the line number, if the text is no graph, a weight is no integer, or an edge has two
    /// different weights.
    pub fn weights(&self, text: &str, name: Option<&Path>) -> Result<Option<Weights>, FormatError> {
        let text = &with_line_feeds(text);
        let graph = self.pairs(text, name.and_then(Format::of_file))?;
        if graph.format == Format::TSPLIB {
            return tsplib::weights(text);
        }
        let is_list = [Format::EDGES, Format::EDGES_HEADER].contains(&graph.format) && graph.pairs.arcs.is_empty();
        if !is_list {
            return Ok(None);
        }
        let is_directed = graph.clone().listed(self.directedness)?.graph.undirected().is_none();
        edges::weights(text, &graph, is_directed)
    }

    fn read(&self, text: &str, ending: Option<Format>) -> Result<Listed, FormatError> {
        Ok(self.pairs(&with_line_feeds(text), ending)?.listed(self.directedness)?)
    }

    /// Reads the pairs of vertices that the text lists.
    fn pairs(&self, text: &str, ending: Option<Format>) -> Result<TextGraph, FormatError> {
        let directedness = self.directedness;
        match (self.number, self.weights, self.format) {
            (Some(number), _, format) => numbered(text, format, number),
            (None, true, None) if (Format::TSPLIB.begins)(text) => tsplib::read_weighted(text),
            (None, true, None) => edges::read(text, true, directedness),
            (None, true, Some(format)) if format == Format::TSPLIB => tsplib::read_weighted(text),
            (None, true, Some(format)) => edges::read_weighted(text, format),
            (None, false, Some(format)) => (format.read)(text),
            (None, false, None) => recognised::read(text, ending, directedness),
        }
    }
}

/// Returns the text with line feeds. Carriage returns alone end lines in files of old Macintosh programs.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    match text.contains('\r') && !text.contains('\n') {
        true => text.replace('\r', "\n").into(),
        false => text.into(),
    }
}

/// True if a text in this format may have several graphs, one per line. If `format` is `None`, the text must show its
/// format.
fn has_lines(text: &str, format: Option<Format>) -> bool {
    format.map_or_else(|| graph6::begins(text), |format| format.is_line)
}

/// Reads the graph with this number, counted from 1, from a text with several graphs.
fn numbered(text: &str, format: Option<Format>, number: usize) -> Result<TextGraph, FormatError> {
    let none = |graphs| at(0, format!("graph number {number} does not exist: the file has {graphs} graphs"));
    if !has_lines(text, format) {
        let format = format.map_or_else(|| recognised::certain(text), |format| Ok(Some(format)))?;
        let Some(read) = format.and_then(|format| format.read_several) else {
            let several = names(Format::has_several);
            return Err(at(0, format!("the file has one graph; only files in the formats {several} can have several")));
        };
        let mut graphs = read(text)?;
        return match (1..=graphs.len()).contains(&number) {
            true => Ok(graphs.swap_remove(number - 1)),
            false => Err(none(graphs.len())),
        };
    }
    let (mut stream, mut graphs) = (GraphStream::new(text.as_bytes()), 0);
    while let Some(Ok(line)) = stream.next_line() {
        graphs += 1;
        if graphs == number {
            let format = format.unwrap_or_else(|| line.format());
            return (format.read)(line.text).map_err(|error| at(line.number, error.wrong));
        }
    }
    Err(none(graphs))
}
