//! Graphs in every format. The format is given, or it is recognised from the text. Parsing a written graph must return
//! the same graph, with the same vertex names if the format supports names.

use hamcnf::formats::{self, Directedness, Format, Reading, WriteError, Wrong};
use hamcnf::{AnyGraph, Vertex, VertexNames};

/// Maximum number of vertices of a graph in round-trip tests.
const MOST_VERTICES: u32 = 1 << 12;

/// Maximum number of vertices of a graph that is written as a matrix. The size of a matrix is quadratic in this number.
const MOST_ROWS: u32 = 1 << 9;

/// Fuzzes the parsers of graph formats with arbitrary text.
pub fn graphs(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for said in Format::all().into_iter().map(Some).chain([None]) {
        let reading = Reading { format: said, ..Reading::default() };
        match reading.of_text(&text) {
            Ok(listed) => {
                assert!(said.is_none_or(|format| format == listed.format));
                listed.remarks.iter().for_each(|remark| drop(remark.to_string()));
                if listed.graph.n_vertices() <= MOST_VERTICES {
                    is_read_again(&listed.graph);
                    with_names(&listed.graph, &listed.names);
                }
            }
            Err(error) => drop(error.to_string()),
        }
        let reading = Reading { weights: true, ..reading };
        reading.weights(&text, None).err().iter().for_each(|error| drop(error.to_string()));
    }
}

/// Returns the options for reading a written graph. DIMACS files and facts do not distinguish a symmetric digraph from
/// an undirected graph, so the options ask for arcs.
fn reading(graph: &AnyGraph, format: Option<Format>) -> Reading {
    Reading {
        format,
        directedness: match graph.undirected() {
            Some(_) => Directedness::AsWritten,
            None => Directedness::Directed,
        },
        ..Reading::default()
    }
}

fn is_read_again(graph: &AnyGraph) {
    for format in Format::all() {
        if format == Format::MATRIX && graph.n_vertices() > MOST_ROWS {
            continue;
        }
        let mut text = Vec::new();
        match formats::write_named(format, graph, &VertexNames::default(), &[], &mut text) {
            Ok(()) => {}
            Err(WriteError::Isolated(_)) if format == Format::EDGES => continue,
            Err(WriteError::Directed(_)) if graph.undirected().is_none() => continue,
            Err(error) => panic!("{format}: {error}"),
        }
        let text = String::from_utf8(text).unwrap();
        // The parser rejects an empty edge list.
        if text.is_empty() {
            assert_eq!((format, graph.n_vertices()), (Format::EDGES, 0));
            continue;
        }
        let read = |format| reading(graph, format).of_text(&text);
        let said = read(Some(format)).unwrap();
        assert_eq!(said.graph, *graph, "{text}");
        match read(None) {
            Ok(seen) => assert_eq!(seen.graph, *graph, "{text}"),
            // A list without a header may be ambiguous, but must not be parsed as another graph.
            Err(error) => {
                assert!(format == Format::EDGES && matches!(error.wrong, Wrong::Unclear { .. }), "{error}: {text}");
            }
        }
    }
}

fn with_names(graph: &AnyGraph, names: &VertexNames) {
    let n = graph.n_vertices();
    for v in (0..n).map(Vertex::new) {
        assert_eq!(names.vertex(&names.name(v), n), Some(v));
    }
    for format in [
        Format::ADJACENCY_LIST,
        Format::GRAPHML,
        Format::DOT,
        Format::GML,
        Format::PAJEK,
        Format::ASP,
        Format::GEXF,
        Format::JSON,
    ] {
        let mut text = Vec::new();
        match formats::write_named(format, graph, names, &[], &mut text) {
            Ok(()) => {}
            Err(WriteError::Name { .. }) => continue,
            Err(WriteError::Directed(_)) if graph.undirected().is_none() => continue,
            Err(error) => panic!("{format}: {error}"),
        }
        let text = String::from_utf8(text).unwrap();
        let again = reading(graph, None).of_text(&text).unwrap();
        assert_eq!((&again.graph, again.format), (graph, format), "{text}");
        assert!(n == 0 || again.names == *names, "{text}");
    }
}
