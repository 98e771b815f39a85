//! Tests that apply to all formats.

use super::*;
use crate::digraph::strategy::digraphs;
use crate::graph::strategy::graphs;
use crate::{Numbering, Vertex};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn edges_of(graph: &Graph, name: impl Fn(u32) -> String) -> BTreeSet<[String; 2]> {
    graph.edges().map(|(a, b)| [name(a), name(b)]).collect()
}

fn ends_of(text: &str) -> Vec<[u64; 2]> {
    let line = |line: &str| {
        let mut numbers = line.split(' ').map(|number| number.parse().unwrap());
        [(); 2].map(|()| numbers.next().unwrap())
    };
    text.lines().map(line).collect()
}

/// Reads a text, whose format may be named.
fn read_as(text: &str, format: Option<Format>) -> Result<Listed, FormatError> {
    Reading { format, ..Reading::default() }.of_text(text)
}

fn read(text: &str) -> Result<Listed, FormatError> {
    read_as(text, None)
}

fn written(format: Format, graph: &Graph) -> Result<String, WriteError> {
    let mut text = Vec::new();
    write(format, graph, &mut text)?;
    Ok(String::from_utf8(text).unwrap())
}

/// Texts and what they are read as. A block has a title, a text, `---`, and the expected readings. A title may begin with
/// options of the reading: `as FORMAT`, `--graph-number N` and `--weights`. In a text, `␍`, `␉` and `␇` stand for control characters, and a text that ends with
/// `␄` has no line feed at its end. `HAMCNF_UPDATE=1 cargo test -p hamcnf-graph` writes the readings anew.
const READINGS: &str = include_str!("readings.txt");

/// Describes the graph and the remarks of a text. `label` says how the text is read.
fn described(label: &str, listed: &Listed) -> String {
    let name = |v: Vertex| listed.names.name(v);
    let digraph = listed.graph.digraph();
    let (kind, mark, is_directed) = match listed.graph.undirected() {
        Some(_) => ("graph", '-', false),
        None => ("digraph", '>', true),
    };
    let names: Vec<_> = digraph.vertices().map(name).collect();
    let pairs = digraph.arcs_or_edges(is_directed).map(|arc| format!(" {}{mark}{}", name(arc.tail), name(arc.head)));
    let remarks = listed.remarks.iter().map(|remark| format!("note{label}: {remark}\n"));
    let (names, pairs, remarks) = (names.join(" "), pairs.collect::<String>(), remarks.collect::<String>());
    format!("{}{label}, {kind} on {names}:{pairs}\n{remarks}", listed.format)
}

/// Reads a text as it is, as arcs and as edges, and describes the results.
fn readings(text: &str, reading: Reading) -> String {
    let format = reading.format;
    let read = |format, directedness| Reading { format, directedness, ..reading }.of_text(text);
    let listed = match read(format, Directedness::AsWritten) {
        Ok(listed) => listed,
        Err(error) => {
            let of_wrong = match &error.wrong {
                Wrong::Unclear { formats, .. } => formats.clone(),
                _ => Vec::new(),
            };
            let each = of_wrong.into_iter().map(|format| readings(text, Reading { format: Some(format), ..reading }));
            return format!("error: {error}\n{}", each.collect::<String>());
        }
    };
    let named = Some(listed.format);
    let mut all = described("", &listed);
    for (label, format, directedness) in [
        (" --graph-format", named, Directedness::AsWritten),
        (" --arcs", format, Directedness::Directed),
        (" --undirected", format, Directedness::Undirected),
    ] {
        match read(format, directedness) {
            Ok(other) => {
                assert_eq!(read(named, directedness).map(|listed| listed.graph), Ok(other.graph.clone()), "{text}");
                if other != listed {
                    all.push_str(&described(label, &other));
                }
            }
            Err(error) => all.push_str(&format!("error{label}: {error}\n")),
        }
    }
    all
}

#[test]
fn texts_are_read_as_the_list_says() {
    const CONTROLS: [(char, char); 3] = [('␍', '\r'), ('␉', '\t'), ('␇', '\u{7}')];
    let (mut formats, mut anew) = (Vec::new(), String::new());
    for block in READINGS.split("===").skip(1) {
        let (before, _) = block.split_once("\n---\n").unwrap();
        let (title, shown) = before.split_once('\n').unwrap();
        let (mut reading, mut words) =
            (Reading::default(), title.split([':', ' ', ',']).filter(|word| !word.is_empty()));
        loop {
            match words.next() {
                Some("as") => reading.format = words.next().unwrap().parse().ok(),
                Some("--graph-number") => reading.number = words.next().unwrap().parse().ok(),
                Some("--weights") => reading.weights = true,
                _ => break,
            }
        }
        let mut text = shown.strip_suffix('␄').map_or_else(|| format!("{shown}\n"), str::to_owned);
        CONTROLS.iter().for_each(|&(shown, control)| text = text.replace(shown, &control.to_string()));
        let found = readings(&text, reading);
        formats.extend(reading.of_text(&text).map(|listed| listed.format));
        anew.push_str(&format!("==={before}\n---\n{found}"));
    }
    if std::env::var_os("HAMCNF_UPDATE").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/formats/readings.txt"), &anew).unwrap();
    } else {
        assert!(anew.lines().eq(READINGS.lines()), "{}", first_difference(&anew));
    }
    assert!(Format::all().iter().all(|format| formats.contains(format)));
}

/// Shows where the readings differ from the list.
fn first_difference(anew: &str) -> String {
    let same = anew.lines().zip(READINGS.lines()).take_while(|(found, expected)| found == expected).count();
    let shown = |lines: &str| lines.lines().skip(same.saturating_sub(8)).take(12).collect::<Vec<_>>().join("\n");
    format!("line {}, found:\n{}\nexpected:\n{}", same + 1, shown(anew), shown(READINGS))
}

/// Tests that graphs of 3 to 70 vertices are recognised as graph6 and sparse6. A graph6 string begins with the number
/// of vertices, as a character that can also begin a text in another format.
#[test]
fn graph6_is_known_by_itself_at_every_size() {
    for n in 3..=70u32 {
        let graph = Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap();
        for format in [Format::GRAPH6, Format::SPARSE6] {
            let text = written(format, &graph).unwrap();
            let listed = read_as(&text, None).unwrap();
            assert_eq!((listed.format, listed.graph.undirected()), (format, Some(&graph)), "{text}");
        }
    }
}

proptest! {
    #[test]
    fn digraphs_are_read_as_they_are_written(digraph in digraphs(1..=12)) {
        let graph = AnyGraph::Directed(digraph);
        for format in Format::all().into_iter().filter(|format| format.has_arcs) {
            let mut text = Vec::new();
            write_named(format, &graph, &VertexNames::default(), &[], &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            let directed = Reading { directedness: Directedness::Directed, ..Reading::default() };
            prop_assert_eq!(&directed.of_text(&text).unwrap().graph, &graph, "{}", text);
        }
    }
}

proptest! {
    #[test]
    fn matrices_of_digraphs_are_recognised(digraph in digraphs(1..=8), separator in 0..3usize) {
        let mut text = Vec::new();
        let graph = AnyGraph::Directed(digraph);
        write_named(Format::MATRIX, &graph, &VertexNames::default(), &[], &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let separated: Vec<_> = text
            .lines()
            .map(|line| match line.starts_with('#') {
                true => line.to_owned(),
                false => line.replace(' ', ["", " ", ","][separator]),
            })
            .collect();
        let text = separated.join("\n");
        let listed = read(&text).unwrap();
        prop_assert_eq!(listed.format, Format::MATRIX, "{}", text);
        match graph.digraph().is_symmetric() {
            true => prop_assert_eq!(listed.graph.undirected(), Some(&*graph.underlying())),
            false => prop_assert_eq!(&listed.graph, &graph),
        }
        for format in Format::all() {
            let is_list = [Format::EDGES, Format::EDGES_HEADER, Format::ADJACENCY_LIST].contains(&format);
            if format != Format::MATRIX && !is_list {
                prop_assert!(read_as(&text, Some(format)).is_err(), "{} as {}", text, format);
            }
        }
    }
}

#[test]
fn named_digraphs_are_written_with_their_names() {
    let listed = read("digraph { a -> b -> \"c d\" -> a -> \"c d\" }").unwrap();
    for (format, beginning) in [
        (Format::GML, "graph [\n  directed 1\n  node [ id 1 label \"a\" ]\n"),
        (Format::PAJEK, "*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c_d\"\n*Arcs\n1 2\n1 3\n"),
    ] {
        let mut text = Vec::new();
        write_named(format, &listed.graph, &listed.names, &[], &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with(beginning), "{text}");
        let again = read(&text).unwrap();
        assert_eq!((again.format, &again.graph), (format, &listed.graph));
        assert_eq!(again.names, listed.names);
    }
}

/// Returns a strategy for random graphs that may have isolated vertices, including the last vertex.
fn sparse_graphs() -> impl Strategy<Value = Graph> {
    (1..=9u32)
        .prop_flat_map(|n| {
            let edges = proptest::collection::vec((0..n, 0..n), 0..12);
            (Just(n), edges)
        })
        .prop_map(|(n, edges)| {
            let edges = edges.into_iter().filter(|(a, b)| a != b);
            Graph::from_edges(n, edges).unwrap()
        })
}

/// Rewrites a text as another program might write it, with DOS line ends, comments and blanks.
fn disguised(format: Format, text: &str, kinds: &[u8]) -> String {
    let comment = match format.name {
        "dimacs" => "c 1 2",
        "tsplib" => "COMMENT : 1 2",
        "edges" | "adjlist" | "matrix" => "# 1 2",
        "edges-header" | "metis" | "pajek" => "% 1 2",
        "asp" => "% edge(1,2).",
        "gml" => "# node [ id 1 ]",
        "graph6" => ">>graph6<<",
        "sparse6" => ">>sparse6<<",
        "graphml" | "gexf" => "<!-- <graph/> -->",
        "mtx" => "% 1 2",
        "json" => "",
        "dot" => "/* graph {\n } */",
        other => panic!("how do others comment on {other}?"),
    };
    // In METIS's format, an empty line stands for a vertex without neighbours, so a comment is inserted instead.
    let empty = if format == Format::METIS { comment } else { "" };
    let first = format.title().filter(|title| text.starts_with(title));
    let mut disguised = String::new();
    let mut in_data = false;
    for (line, kind) in text.lines().zip(kinds.iter().cycle()) {
        in_data |= line == "EDGE_DATA_SECTION";
        let line = match kind {
            // The comment that names the format and the XML declaration stay unchanged.
            _ if first.as_deref() == Some(line) || line.starts_with("<?xml") || line.starts_with("%%") => {
                format!("{line}\n")
            }
            0 => format!("{line}\r\n"),
            1 => format!("  {line}\t\n"),
            2 if in_data => format!("{empty}\n{line}\n"),
            2 => format!("{comment}\n{line}\n"),
            3 => format!("{empty}\n{empty}\r\n{}\n", line.replace(' ', " \t ")),
            _ => format!("{line}\n"),
        };
        disguised.push_str(&line);
    }
    disguised
}

proptest! {
    #[test]
    fn what_is_written_is_read_and_as_nothing_else(
        graph in prop_oneof![graphs(2..=8), sparse_graphs()],
        kinds in proptest::collection::vec(0..6u8, 1..9),
    ) {
        for format in Format::all() {
            let text = match written(format, &graph) {
                Ok(text) => text,
                Err(error) => {
                    let isolated = graph.vertices().any(|v| graph.degree(v) == 0);
                    prop_assert!(isolated && format == Format::EDGES, "{}", error);
                    continue;
                }
            };
            let text = disguised(format, &text, &kinds);
            prop_assert_eq!(&read_as(&text, Some(format)).unwrap().graph, &graph);
            match read(&text) {
                Ok(listed) => {
                    prop_assert_eq!(&listed.graph, &graph, "{}", text);
                    let numbering = if format.is_line { Numbering::FromZero } else { Numbering::FromOne };
                    prop_assert_eq!(listed.format, format, "{}", text);
                    prop_assert_eq!(listed.names, numbering.into());
                }
                Err(error) => {
                    let unclear = matches!(&error.wrong, Wrong::Unclear { formats, .. } if formats.contains(&format));
                    prop_assert!(unclear && format == Format::EDGES_HEADER, "{}", error);
                    prop_assert!(graph.n_edges() < graph.n_vertices(), "{}", text);
                }
            }
            // Every other format either rejects the text or reads the same graph. The exception is `edges`, which the
            // user must request: it reads the header as an edge.
            for other in Format::all().into_iter().filter(|&other| other != format) {
                let said_to_be_edges = (format, other) == (Format::EDGES_HEADER, Format::EDGES);
                if let (Ok(listed), false) = (read_as(&text, Some(other)), said_to_be_edges) {
                    let header = (format, other) == (Format::EDGES, Format::EDGES_HEADER);
                    let differs = header && listed.graph != graph;
                    // Any words can be read as an adjacency list, and a list of numbers often fits another format for
                    // lists.
                    let lists = [Format::EDGES_HEADER, Format::METIS, Format::MATRIX];
                    let of_numbers = [Format::EDGES, Format::ADJACENCY_LIST];
                    let is_list = |f| lists.contains(&f) || of_numbers.contains(&f);
                    let is_new = |f| [Format::METIS, Format::ADJACENCY_LIST, Format::MATRIX].contains(&f);
                    let either = is_list(format) && is_list(other) && (is_new(format) || is_new(other));
                    prop_assert!(
                        differs || either || other == Format::ADJACENCY_LIST,
                        "{} as {}", text, other
                    );
                }
            }
        }
    }

    #[test]
    fn lists_in_any_order_are_read_right_or_refused(
        graph in prop_oneof![graphs(2..=7), sparse_graphs()],
        order in proptest::collection::vec((any::<u32>(), any::<bool>()), 28),
        header in any::<bool>(),
        from_zero in any::<bool>(),
    ) {
        let first = u64::from(!from_zero);
        let mut keyed: Vec<_> = graph.edges().zip(order).collect();
        keyed.sort_by_key(|&(_, (key, _))| key);
        let mut text = match header {
            true => format!("{} {}\n", graph.n_vertices(), graph.n_edges()),
            false => String::new(),
        };
        for ((a, b), (_, turned)) in keyed {
            let (a, b) = (u64::from(a) + first, u64::from(b) + first);
            let (a, b) = if turned { (b, a) } else { (a, b) };
            text.push_str(&format!("{a} {b}\n"));
        }
        // A list without a header is not tested if its first line looks like a header: the second number of the line is
        // the number of other lines, and all numbers in these lines are less. Such a list would be read as a list with
        // a header.
        if let (false, Some([a, b])) = (header, ends_of(&text).first()) {
            let others = &ends_of(&text)[1..];
            let is_known = others.iter().flatten().any(|v| v >= b);
            prop_assume!(b <= a || is_known || *b != others.len() as u64);
        }
        match read(&text) {
            Ok(listed) => prop_assert_eq!(
                listed.graph.underlying().n_edges(), graph.n_edges(), "{}", text
            ),
            Err(error) => prop_assert!(
                matches!(error.wrong, Wrong::Unclear { .. }) || error == at(0, EMPTY),
                "{}: {}", text, error
            ),
        }
        if let Ok(listed) = read(&text) {
            let called = |v: u32| listed.names.name(Vertex::new(v));
            let number = |v: u32| (u64::from(v) + first).to_string();
            prop_assert_eq!(edges_of(&listed.graph.underlying(), called), edges_of(&graph, number), "{}", text);
            // A list without a header cannot express isolated vertices. A list with a header does not say whether its
            // vertices are numbered from 0 or 1.
            let is_whole = listed.format == Format::EDGES_HEADER;
            if graph.degree(Vertex::new(0)) > 0 {
                let kept = graph.vertices().filter(|&v| is_whole || graph.degree(v) > 0);
                let expected: Vec<_> = kept.map(|v| number(v.number())).collect();
                let vertices = listed.graph.digraph().vertices().map(|v| called(v.number()));
                prop_assert_eq!(vertices.collect::<Vec<_>>(), expected, "{}", text);
            }
        }
    }

    #[test]
    fn any_text_is_a_graph_or_an_error(
        head in "(p edge 9 1|p 3|p [a-z]{2,4} 2 1|NAME : x\nTYPE : HCP|1 2|9 9|% x|# a|c b|)",
        rest in "[-a-eA-Z0-9:% \n#]{0,80}",
        lines in "([0-9]{1,2} [0-9]{1,2}\n){0,8}",
        format in proptest::option::of(proptest::sample::select(Format::all())),
    ) {
        for text in [format!("{head}\n{rest}"), format!("{head}\n{lines}"), lines, rest] {
            if let Ok(listed) = read_as(&text, format) {
                prop_assert!(listed.graph.n_vertices() <= MOST_VERTICES);
            }
        }
    }
}

/// Returns the edges of an undirected graph by the names of their ends, sorted: `a-b b-c`.
fn named_edges_of(listed: &Listed) -> String {
    let graph = listed.graph.underlying();
    let name = |v: u32| listed.names.name(Vertex::new(v));
    let mut edges: Vec<_> = edges_of(&graph, name)
        .into_iter()
        .map(|mut ends| {
            ends.sort();
            ends.join("-")
        })
        .collect();
    edges.sort();
    edges.join(" ")
}

#[test]
fn weights_of_two_values_mark_edges() {
    // Path 1-2-3-4 in each form of a matrix: edges have weight 1, other pairs 7.
    for (form, rows) in [
        ("FULL_MATRIX", "0 1 7 7\n1 0 1 7\n7 1 0 1\n7 7 1 0\n"),
        ("UPPER_ROW", "1 7 7 1 7 1\n"),
        ("LOWER_COL", "1 7 7 1 7 1\n"),
        ("LOWER_ROW", "1\n7 1\n7 7 1\n"),
        ("UPPER_COL", "1\n7 1\n7 7 1\n"),
        ("UPPER_DIAG_ROW", "0 1 7 7 0 1 7 0 1 0\n"),
        ("LOWER_DIAG_COL", "0 1 7 7 0 1 7 0 1 0\n"),
        ("LOWER_DIAG_ROW", "0\n1 0\n7 1 0\n7 7 1 0\n"),
        ("UPPER_DIAG_COL", "0\n1 0\n7 1 0\n7 7 1 0\n"),
    ] {
        let text = |kind: &str, rows: &str| {
            format!(
                "NAME: p4\nTYPE: {kind}\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\n\
                 EDGE_WEIGHT_FORMAT: {form}\nDISPLAY_DATA_SECTION\n1 0.5 2\nEDGE_WEIGHT_SECTION\n{rows}EOF\n"
            )
        };
        let listed = read(&text("TSP", rows)).unwrap();
        assert_eq!(named_edges_of(&listed), "1-2 2-3 3-4", "{form}");
        assert_eq!(listed.graph.n_vertices(), 4);
        let three = rows.replacen('7', "8", 1);
        assert!(read(&text("TSP", &three)).unwrap_err().to_string().contains(" two different weights "));
        assert!(read(&text("TSP", &rows[2..])).is_err(), "{form}");
        assert_eq!(read(&text("ATSP", rows)).is_ok(), form == "FULL_MATRIX");
    }
}

#[test]
fn weights_are_the_third_column() {
    let weights = |text: &str, directedness| {
        let reading = Reading { weights: true, directedness, ..Reading::default() };
        let vertices = |[a, b]: [u32; 2]| (Vertex::new(a), Vertex::new(b));
        let get = |weights: Weights| {
            [[0, 1], [1, 0], [2, 0]]
                .map(vertices)
                .map(|(a, b)| weights.get(a, b).map_or("-".to_owned(), |w| w.to_string()))
        };
        match reading.weights(text, None) {
            Ok(weights) => weights.map_or_else(|| "none".to_owned(), |weights| get(weights).join(" ")),
            Err(error) => error.to_string(),
        }
    };
    use Directedness::{AsWritten, Directed};
    for (text, directedness, expected) in [
        ("1 2 3\n2 3 5\n3 1 -7\n", AsWritten, "3 3 -7"),
        ("3 3\n1 2 3\n2 3 5\n3 1 7\n", AsWritten, "3 3 7"),
        ("# a comment\n10,20,3\n20,30,5\n30,10,7\n", Directed, "3 - 7"),
        ("a b 3\r\rb c 5\rc a 7\r", AsWritten, "3 3 7"),
        ("1 2 3\n2 3 5\n3 1 7\n2 1 3\n3 3 9", AsWritten, "3 3 7"),
        ("1 2 3\n2 3 5\n3 1 7\n2 1 4", Directed, "3 4 7"),
        ("1 2\n2 3\n3 1\n", AsWritten, "none"),
        (
            "1 2 3\n2 3 5\n3 1 7\n2 1 4",
            AsWritten,
            "line 4: \"2 1 4\": the edge has the weight 4, but the weight 3 before",
        ),
        (
            "1 2 3\n2 3 .5\n3 1 7",
            AsWritten,
            "line 2: \"2 3 .5\" is not an edge \"VERTEX VERTEX WEIGHT\" with an integer weight",
        ),
        (
            "1 2 3\n2 3\n3 1 7",
            AsWritten,
            "line 2: \"2 3\" is not an edge \"VERTEX VERTEX WEIGHT\" with an integer weight",
        ),
    ] {
        assert_eq!(weights(text, directedness), expected, "{text}");
    }
    let dimacs = Reading::default().weights("p edge 3 2\ne 1 2\ne 2 3\n", None);
    assert_eq!(dimacs, Ok(None));
}
