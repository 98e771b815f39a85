//! networkx adjacency lists with one line for each neighbour. First comes a line with a vertex and its number of
//! neighbours. Then that many lines follow, each with a neighbour and a dictionary of data, which is ignored. Each edge
//! is listed once.
//!
//! The dictionaries distinguish this format from all others. A text is therefore read in this format only if every
//! neighbour has a dictionary.
//!
//! # References
//!
//! - networkx: the functions `read_multiline_adjlist` and `write_multiline_adjlist`.

use super::*;

/// Reads a multiline adjacency list; `None` if the text has another format.
pub(super) fn read(text: &str) -> Option<Result<TextGraph, FormatError>> {
    let listed = list(text)?;
    Some(listed.and_then(|edges| edges.graph(Format::ADJACENCY_LIST, NEIGHBOURS)))
}

fn list(text: &str) -> Option<Result<NamedEdges, FormatError>> {
    let mut edges = NamedEdges::default();
    let mut all = entries(text);
    while let Some((line, entry)) = all.next() {
        let mut words = with_tuples(entry);
        let (name, degree, None) = (words.next()?, words.next()?, words.next()) else {
            return None;
        };
        let degree: u64 = degree.parse().ok()?;
        let mut neighbours = Vec::new();
        for _ in 0..degree {
            let (line, entry) = all.next()?;
            let (neighbour, data) = entry.split_once('{')?;
            let mut words = with_tuples(neighbour);
            let (neighbour, None) = (words.next()?, words.next()) else {
                return None;
            };
            data.ends_with('}').then_some(())?;
            neighbours.push((line, neighbour));
        }
        let added = edges.list(line, name).and_then(|_| {
            let vertex = edges.vertex(line, name)?;
            neighbours.into_iter().try_for_each(|(line, neighbour)| {
                let neighbour = edges.vertex(line, neighbour)?;
                edges.push(line, false, vertex, neighbour);
                Ok(())
            })
        });
        if let Err(error) = added {
            return Some(Err(error));
        }
    }
    (!edges.pairs.edges.is_empty()).then_some(Ok(edges))
}
