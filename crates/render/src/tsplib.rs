//! Tours in the TSPLIB format, as used by LKH and Concorde. A file has `TYPE : TOUR`, `DIMENSION` and `TOUR_SECTION`.
//! After `TOUR_SECTION`, it lists the vertices in order, numbered from 1, and then -1. The squares of a board are
//! numbered row by row, as in the output of `hamcnf graph` for TSPLIB readers. The vertices of a graph are numbered in
//! the order of its file, whatever their names are. A section may contain several tours, each ended by -1, and the
//! input may consist of several concatenated files.
//!
//! The board of a tour is named in the comment that hamcnf writes, which begins like the output of `hamcnf solve`.
//! Without this comment, the board is the value of `NAME`, if that names a board. Files of other programs do not name
//! the graph.
//!
//! # References
//!
//! - Gerhard Reinelt: *TSPLIB 95*, 1995.

use std::fmt::Write;

use hamcnf_graph::{Numbering, Vertex};
use hamcnf_tours::{Instance, Tour};

/// Tour with its metadata, as read from a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listed {
    /// Value of `NAME`.
    pub name: Option<String>,
    pub comments: Vec<String>,
    /// Vertices in order. They need not form a tour of the graph, or even be vertices of the graph.
    pub order: Vec<Vertex>,
}

/// Mistake in a line of a TSPLIB file, as a sentence.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {wrong}")]
pub struct TsplibError {
    /// Number of the line, 1-based.
    pub line: usize,
    wrong: String,
}

const SECTION: &str = "TOUR_SECTION";
const EOF: &str = "EOF";

/// Returns the TSPLIB text of a tour.
pub fn written(instance: &Instance, tour: &Tour) -> String {
    let mut text = String::new();
    let plain = |text: String| text.replace(char::is_control, " ");
    let name = plain(instance.name().to_owned());
    let comment = plain(instance.to_string());
    let n = instance.n();
    // Writing to a string does not fail.
    let _ = writeln!(text, "NAME : {name}\nCOMMENT : {comment}\nTYPE : TOUR");
    let _ = writeln!(text, "DIMENSION : {n}\n{SECTION}");
    for &v in tour.order() {
        let _ = writeln!(text, "{}", Numbering::FromOne.number(v));
    }
    let _ = writeln!(text, "-1\n{EOF}");
    text
}

/// True if a text contains tours in the TSPLIB format.
pub fn is(text: &str) -> bool {
    text.lines().any(|line| section(line.trim()))
}

fn section(line: &str) -> bool {
    let rest = line.strip_prefix(SECTION).map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest == ":")
}

/// Reads all tours of a text.
///
/// # Errors
///
/// [`TsplibError`], with the number of the wrong line.
pub fn read(text: &str) -> Result<Vec<Listed>, TsplibError> {
    let mut tours = Vec::new();
    let mut head = Head::default();
    // Vertices of the current tour; `None` outside a section of tours.
    let mut open: Option<Vec<Vertex>> = None;
    for (line, text) in (1..).zip(text.lines().map(str::trim)) {
        head.line = line;
        if text == EOF {
            if let Some(order) = open.take().filter(|order| !order.is_empty()) {
                tours.push(head.tour(order)?);
            }
            head = Head::default();
        } else if let Some(order) = &mut open {
            for word in text.split_ascii_whitespace() {
                match word.parse::<i64>() {
                    // The second of two consecutive -1 ends the section.
                    Ok(-1) if order.is_empty() => {}
                    Ok(-1) => tours.push(head.tour(std::mem::take(order))?),
                    number => {
                        let number = number.ok().and_then(|number| u32::try_from(number).ok());
                        let vertex = number.and_then(|number| Numbering::FromOne.vertex(number));
                        let expected = "neither a vertex number (from 1) nor -1 after the last vertex";
                        order.push(vertex.ok_or_else(|| head.wrong(format!("\"{word}\" is {expected}")))?);
                    }
                }
            }
        } else if section(text) {
            open = Some(Vec::new());
        } else if !text.is_empty() {
            head.take(text)?;
        }
    }
    match open.filter(|order| !order.is_empty()) {
        None => {}
        // The last tour need not end with -1 if it has as many vertices as `DIMENSION` states.
        Some(order) if head.dimension == Some(order.len() as u64) => tours.push(Listed { order, ..head.listed }),
        Some(_) => return Err(head.wrong("missing -1 after the tour; is the file complete?".to_owned())),
    }
    Ok(tours)
}

/// Header of a file, before the section of tours.
#[derive(Default)]
struct Head {
    /// Number of the line that is being read, 1-based.
    line: usize,
    listed: Listed,
    dimension: Option<u64>,
}

impl Head {
    fn wrong(&self, wrong: String) -> TsplibError {
        TsplibError { line: self.line, wrong }
    }

    fn take(&mut self, line: &str) -> Result<(), TsplibError> {
        let (keyword, value) = line.split_once(':').ok_or_else(|| {
            let line: String = line.chars().take(60).collect();
            self.wrong(format!("\"{line}\" is neither \"KEYWORD : VALUE\" nor TOUR_SECTION"))
        })?;
        let value = value.trim();
        match keyword.trim() {
            "NAME" => self.listed.name = Some(value.to_owned()),
            "COMMENT" => self.listed.comments.push(value.to_owned()),
            "TYPE" if value != "TOUR" => {
                let why = "is not supported; the file must have TYPE TOUR";
                return Err(self.wrong(format!("\"{line}\" {why}")));
            }
            "DIMENSION" => {
                let dimension = value.parse().ok();
                let wrong = || self.wrong(format!("DIMENSION \"{value}\" is not a number of vertices"));
                self.dimension = Some(dimension.ok_or_else(wrong)?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns a tour with the given vertices and with the metadata of the header.
    fn tour(&self, order: Vec<Vertex>) -> Result<Listed, TsplibError> {
        let found = order.len() as u64;
        match self.dimension {
            Some(dimension) if dimension != found => {
                let but = "but the tour that ends here has";
                Err(self.wrong(format!("DIMENSION is {dimension}, {but} {found} vertices")))
            }
            _ => Ok(Listed { order, ..self.listed.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(text: &str) -> Result<Vec<Vec<u32>>, String> {
        let numbers = |tour: &Listed| tour.order.iter().map(|v| v.number()).collect();
        Ok(read(text).map_err(|error| error.to_string())?.iter().map(numbers).collect())
    }

    #[test]
    fn tours_are_read_as_programs_write_them() {
        let head = "NAME : a.3.tour\nCOMMENT : Length = 3\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n";
        for tail in ["1\n3\n2\n-1\nEOF\n", "1 3 2 -1 -1\nEOF", "1 3\n2", "1\r\n3\r\n2\r\nEOF\r\n"] {
            let text = format!("{head}{tail}");
            assert!(is(&text));
            assert_eq!(orders(&text), Ok(vec![vec![0, 2, 1]]), "{text}");
        }
        let several = format!("{head}1 2 3 -1\n3 2 1 -1\n-1\nEOF\n{head}2 1 3 -1\nEOF\n");
        assert_eq!(orders(&several), Ok(vec![vec![0, 1, 2], vec![2, 1, 0], vec![1, 0, 2]]));
        for (text, error) in [
            (
                "TYPE : TSP\nTOUR_SECTION\n1\n-1\n",
                "line 1: \"TYPE : TSP\" is not supported; the file must have TYPE TOUR",
            ),
            ("DIMENSION : x\n", "line 1: DIMENSION \"x\" is not a number of vertices"),
            ("x\n", "line 1: \"x\" is neither \"KEYWORD : VALUE\" nor TOUR_SECTION"),
            ("TOUR_SECTION\n1\n0\n", "line 3: \"0\" is neither a vertex number (from 1) nor -1 after the last vertex"),
            ("TOUR_SECTION\n1\n2\n", "line 3: missing -1 after the tour; is the file complete?"),
            (
                "DIMENSION : 3\nTOUR_SECTION\n1\n2\n-1\n",
                "line 5: DIMENSION is 3, but the tour that ends here has 2 vertices",
            ),
        ] {
            assert_eq!(orders(text), Err(error.to_owned()), "{text}");
        }
    }
}
