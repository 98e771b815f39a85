//! Tests that apply to all formats.

use super::*;
use crate::digraph::strategy::digraphs;
use crate::graph::strategy::graphs;
use crate::{Numbering, Vertex};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn pairs(graph: &Graph) -> Vec<(u32, u32)> {
    let arcs = graph.arcs().filter(|arc| arc.tail < arc.head);
    arcs.map(|arc| (arc.tail.number(), arc.head.number())).collect()
}

fn edges_of(graph: &Graph, name: impl Fn(u32) -> String) -> BTreeSet<[String; 2]> {
    let edges = pairs(graph).into_iter();
    edges.map(|(a, b)| [name(a), name(b)]).collect()
}

fn ends_of(text: &str) -> Vec<[u64; 2]> {
    let line = |line: &str| {
        let mut numbers = line.split(' ').map(|number| number.parse().unwrap());
        [(); 2].map(|()| numbers.next().unwrap())
    };
    text.lines().map(line).collect()
}

fn written(format: Format, graph: &Graph) -> Result<String, WriteError> {
    let mut text = Vec::new();
    write(format, graph, &mut text)?;
    Ok(String::from_utf8(text).unwrap())
}

const PATH: [(u32, u32); 2] = [(0, 1), (1, 2)];

#[test]
fn a_table_with_an_empty_cell_is_no_edge() {
    for text in ["1,,2\n2,3\n", "1,2\n,2,3\n", "1,2,,\n"] {
        assert!(read(text).is_err(), "{text}");
    }
    assert_eq!(read("1,2\n2,3,\n3, 1\n").unwrap().graph.n_edges(), 3);
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

#[test]
fn the_same_graph_in_every_format() {
    let texts = [
        (Format::DIMACS, "c a path\np edge 3 2\ne 1 2\ne 2 3\n"),
        (Format::DIMACS, "p col 3 2\ne 1 2\ne 3 2\n"),
        // This is the form in the FHCP Challenge Set: no word after `p`, comments after the header, DOS line ends.
        (Format::DIMACS, "p 3 2\r\nc NAME : path\r\ne 1 2\r\ne 2 3\r\n"),
        // Each edge is listed in both directions. The header counts it once or twice.
        (Format::DIMACS, "p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n"),
        (Format::DIMACS, "p edge 3 4\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n"),
        (
            Format::TSPLIB,
            "NAME : path\nTYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\n\
             EDGE_DATA_SECTION\n1 2\n2 3\n-1\nEOF\n",
        ),
        (
            Format::TSPLIB,
            "NAME: path\nCOMMENT: x y z\nTYPE: HCP\nDIMENSION: 3\nEDGE_DATA_FORMAT: ADJ_LIST\n\
             EDGE_DATA_SECTION\n1 2 -1\n2 1 3 -1\n-1\n",
        ),
        (Format::EDGES, "# a path\n1 2\n\n2 3\n"),
        (Format::EDGES, "1\t2\n3 2"),
        (Format::EDGES, "% a path\n0 1\n2 1\n"),
        (Format::EDGES_HEADER, "3 4\n1 2\n2 1\n2 3\n3 2\n"),
        (Format::EDGES_HEADER, "# from 0\n3 3\n0 1\n# again\n0 1\n1 2\n"),
        // The lines of edges lack the `e`.
        (Format::DIMACS, "p 3 2\n1 2\n2 3\n"),
        (Format::DIMACS, "p edge 3 2\n1 2\ne 2 3\n"),
        // The edges are 0-1 and 1-2, so the columns of the upper triangle are 1 and 01.
        (Format::GRAPH6, "Bg\n"),
        (Format::GRAPH6, ">>graph6<<Bg\r\n"),
        (Format::GRAPH6, "\n>>graph6<<\n~??Bg\n"),
        (Format::SPARSE6, ":Bd\n"),
        (Format::SPARSE6, ">>sparse6<<:Bd"),
        (Format::METIS, "% a path\n3 2\n2\n%\n1 3\n2\n"),
        (Format::METIS, "3 2 1\n2 9\n1 9 3 7\n2 7\n\n\n"),
        (Format::METIS, "3 2 11 2\n5 5 2 9\n5 6 1 9 3 7\n0 0 2 7"),
        (Format::METIS, "3 2 110 1\n1 5 2\n1 5 1 3\n1 6 2"),
        (Format::ADJACENCY_LIST, "#/a/script.py\n# GMT Sun Nov 22 15:00:00 2026\n# path\n0 1\n1 2\n2\n"),
        (Format::ADJACENCY_LIST, "# adjlist\n1 2 # more\n2 3\n3\n"),
        (Format::ADJACENCY_LIST, "# adjlist\n2 1 3\n1\n3\n"),
        (
            Format::GRAPHML,
            "<?xml version='1.0' encoding='utf-8'?>\n<graphml><key id=\"d0\"/>\n\
             <graph edgedefault=\"undirected\"><node id=\"0\"><data key=\"d0\">&amp;</data></node>\n\
             <edge source=\"0\" target=\"1\" directed=\"false\"/><edge source=\"2\" target=\"1\"/>\n\
             <node id=\"1\"/><node id=\"2\"/></graph></graphml>",
        ),
        (Format::DOT, "graph { 1 -- 2 -- 3 }"),
        (
            Format::DOT,
            "# cpp\n// C++\n/* C\n*/ strict Graph \"a path\" {\n node [shape=\"a]\", b=<<i>x</i>>]; rank = same\n\
             subgraph cluster_1 { 0; \"1\":n:e } 0 -- 1 [weight=2] [a=b]\n1--2:p edge[]\n}\n",
        ),
        (Format::DOT, "graph{\"0\"--\"\"+\"1\";1--2}"),
        (Format::MATRIX, "0 1 0\n1 0 1\n0 1 0\n"),
        (Format::MATRIX, "# a path\n0,1,0,\n1, 0, 1,\n0, 1, 0,\n"),
        (Format::MATRIX, "010\n101\n010"),
        // Variants that other generators write: other words after `p`, edges without the `e`, colours of vertices,
        // weights.
        (Format::DIMACS, "c PACE\np tw 3 2\n1 2\nc again\n2 3\n"),
        (Format::DIMACS, "p edges 3 2\nn 1 5\ne 1 2\ne 2 3\n"),
        (Format::DIMACS, "p col 3 2\ne 1 2 0.5\ne 2 3 7\n"),
        (Format::DIMACS, "p sp 3 4\na 1 2 9\na 2 1 9\na 2 3\na 3 2\n"),
        (Format::GRAPH6, "&BTO\n"),
        (Format::DOT, "digraph { 1 -> 2 -> 3 -> 2 -> 1 }"),
        (Format::ADJACENCY_LIST, "#a.py\n# GMT Sun Nov 22 15:00:00 2026\n#\n0 1\n1 {}\n1 1\n2 {'weight': 3}\n2 0\n"),
        (
            Format::GML,
            "graph [\n  name \"a [path]\"\n  node [\n    id 0\n    label \"1\"\n  ]\n node [ id 7 label \"2\" ]\n\
             # comment\n node [ id 2 label \"3\" graphics [ x 1.5 ] ]\n edge [ source 0 target 7 weight 3 ]\n\
             edge [ target 2 source 7 ]\n]\n",
        ),
        (
            Format::GML,
            "Creator \"me\"\nVersion 1\ngraph\n[ directed 0 node [ id 1 ] node [ id 2 ] node [ id 3 ]\n\
             edge [ source 1 target 2 ] edge [ source 3 target 2 ] ]",
        ),
        (Format::PAJEK, "*vertices 3\n1 1 0.0 0.0 ellipse\n2 \"2\" 0.0 0.0 ellipse\n3 3\n*edges\n1 2 1.0\n2 3 4.5\n"),
        (
            Format::PAJEK,
            "% a path\n*Network x\n*Vertices 3\n*Arcs :1 \"likes\"\n1 2\n2 1\n*Edgeslist\n2 3\n*Partition p\n1\n",
        ),
        (Format::ASP, "% a path\nnode(1..3). edge(1,2).edge(2,3).\n"),
        (Format::ASP, "#const n=3.\nvtx(1..n). arc(1,2). arc(2,(1;3)).\narc(3,2). cost(1,2,7). %* end *%\n#show in/2."),
        (Format::ASP, "edge(1,2,5).\nvertex(1;2;3).\nedge(3,2)."),
        (Format::MATRIX, "0.000000000000000000e+00 1.0 0.0\n1.0 0.0 1e0\n0.0 1.0 0.0\n"),
        (Format::MATRIX_MARKET, "%%MatrixMarket matrix coordinate pattern symmetric\n% a path\n3 3 2\n2 1\n3 2\n"),
        (
            Format::MATRIX_MARKET,
            "%%MatrixMarket matrix coordinate real general\n3 3 5\n2 1 0.5\n1 2 -1e3\n3 2 1\n2 3 1\n1 3 0\n",
        ),
        (Format::MATRIX_MARKET, "%%matrixmarket matrix array integer symmetric\n3 3\n0\n1\n0\n0\n7\n0\n"),
        (
            Format::GEXF,
            "<?xml version='1.0'?>\n<gexf xmlns=\"http://www.gexf.net/1.2draft\"><graph defaultedgetype=\"undirected\">\n\
             <nodes><node id=\"0\" label=\"1\"/><node id=\"1\" label=\"2\"/><node id=\"2\" label=\"3\"/></nodes>\n\
             <edges><edge id=\"0\" source=\"0\" target=\"1\"/><edge source=\"2\" target=\"1\" weight=\"2\"/></edges></graph></gexf>",
        ),
        (
            Format::JSON,
            "{\"directed\": false, \"multigraph\": false, \"graph\": {}, \"nodes\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3}],\n\
             \"edges\": [{\"source\": 1, \"target\": 2}, {\"source\": 3, \"target\": 2, \"key\": 0}]}",
        ),
        (
            Format::JSON,
            "{\"nodes\": [{\"name\": \"1\"}, {\"name\": \"2\"}, {\"name\": \"3\"}],\n\
             \"links\": [{\"source\": 0, \"target\": 1}, {\"source\": 1, \"target\": 2}]}",
        ),
        (Format::JSON, "[[1, 2],\n [2, 3]]"),
    ];
    for (of, text) in texts {
        for choice in [None, Some(of)] {
            let listed = read_as(text, choice).unwrap();
            assert_eq!(listed.format, of, "{text}");
            assert_eq!(pairs(&listed.graph.underlying()), PATH, "{text}");
        }
    }
    assert!(Format::all().iter().all(|format| texts.iter().any(|(of, _)| of == format)));
}

#[test]
fn vertices_without_edges_are_there() {
    let n = |text: &str, format| read_as(text, format).unwrap().graph.n_vertices();
    assert_eq!(n("p edge 5 1\ne 1 2\n", None), 5);
    assert_eq!(n("9 1\n1 7\n", Some(Format::EDGES_HEADER)), 9);
}

#[test]
fn vertices_without_edges_are_said_of_lists_with_a_header() {
    let said = |text: &str, format| {
        let remark = read_as(text, Some(format)).unwrap().remarks.pop();
        remark.map(|remark| remark.to_string())
    };
    for (text, vertices) in [
        ("3 1\n1 2\n", "vertex 3 has no edge"),
        ("5 2\n1 2\n2 5\n", "vertices 3 and 4 have no edge; does the numbering have gaps?"),
        ("7 2\n0 1\n1 6\n", "vertices 2, 3 and 2 more have no edge; does the numbering have gaps?"),
    ] {
        let said = said(text, Format::EDGES_HEADER);
        assert_eq!(said.as_deref(), Some(vertices), "{text}");
    }
    assert_eq!(said("2 1\n1 2\n", Format::EDGES_HEADER), None);
    assert_eq!(said("p edge 3 1\ne 1 2\n", Format::DIMACS), None);
}

#[test]
fn vertices_of_a_plain_list_are_those_that_edges_have() {
    assert_eq!(read("1 2\n2 3\n").unwrap().remarks, []);
    let most = u64::MAX;
    for (text, numbers) in [
        ("1 2\n2 4\n4 1\n", vec![1, 2, 4]),
        ("9 0\n0 1\n1 9\n", vec![0, 1, 9]),
        ("9 1\n1 2\n2 9\n", vec![1, 2, 9]),
        ("7 6\n6 5\n", vec![5, 6, 7]),
        (&format!("{most} 0\n"), vec![0, most]),
    ] {
        let listed = read_as(text, Some(Format::EDGES)).unwrap();
        let names = listed.graph.digraph().vertices().map(|v| listed.names.name(v));
        let expected: Vec<_> = numbers.iter().map(u64::to_string).collect();
        assert_eq!(names.collect::<Vec<_>>(), expected, "{text}");
        let remark = Remark::Gaps { n: numbers.len() as u32, first: numbers[0], last: numbers[numbers.len() - 1] };
        assert_eq!(listed.remarks, [remark], "{text}");
        let edges = text.lines().count();
        assert_eq!(listed.graph.n_edges() as usize, edges, "{text}");
    }
    let listed = read("1 2\n2 4\n4 1\n").unwrap();
    assert_eq!(
        listed.remarks[0].to_string(),
        "vertex numbers 1 to 4 have gaps: only the 3 numbers that occur in edges are vertices"
    );
}

#[test]
fn a_first_line_is_a_header_where_it_can_be_no_edge() {
    let pentagon = "1 2\n2 3\n3 4\n4 5\n5 1\n";
    let house = read(&format!("5 6\n{pentagon}1 3\n")).unwrap();
    assert_eq!(house.format, Format::EDGES_HEADER);
    assert_eq!((house.graph.n_vertices(), house.graph.n_edges()), (5, 6));
    // The vertices of this square are counted from 0. If they were counted from 1, vertex 4 would occur.
    let square = read("4 4\n0 1\n1 2\n2 3\n3 0\n").unwrap();
    assert_eq!(square.format, Format::EDGES_HEADER);
    assert_eq!(square.names, Numbering::FromZero.into());
    assert_eq!(square.graph.n_vertices(), 4);
    // The header announces five vertices, but the last vertex has no edges.
    assert_eq!(read("5 5\n1 2\n2 3\n3 1\n2 4\n4 1\n").unwrap().graph.n_vertices(), 5);
    // The line `5 2` is an edge, because the number of edges that follow is not 2.
    let listed = read("5 2\n1 2\n2 3\n3 4\n4 5\n5 1\n").unwrap();
    assert_eq!((listed.format, listed.graph.n_edges()), (Format::EDGES, 6));
    // Both readings are the path on four vertices.
    let path = read("4 3\n1 2\n2 3\n3 4\n").unwrap();
    assert_eq!((path.graph.n_vertices(), path.graph.n_edges()), (4, 3));
    // A later line has a vertex above the first line's first number, so the first line is an edge.
    assert_eq!(read("3 4\n1 2\n2 3\n4 5\n5 1\n").unwrap().format, Format::EDGES);
    assert_eq!(read("3 4\n0 1\n1 2\n2 3\n4 0\n").unwrap().format, Format::EDGES);
}

#[test]
fn what_may_be_either_is_refused_with_both_readings() {
    let tree = "1 2\n1 3\n1 4\n1 5\n1 6\n1 7\n1 8\n1 9\n1 10\n";
    let truncated = "1 2\n2 3\n";
    for (text, rest) in [
        (format!("10 9\n{tree}"), ""),
        (format!("# a tree\n10 9\n{tree}"), ""),
        ("2 1\n0 1\n".to_owned(), ""),
        (format!("10 15\n{truncated}"), ", but 2 edges follow"),
        // The last edge is missing, but this leaves no gap in the vertex numbers.
        ("5 6\n1 2\n2 3\n3 4\n4 5\n5 1\n".to_owned(), ", but 5 edges follow"),
        ("10 15\n".to_owned(), ", but 0 edges follow"),
        ("10 9\n".to_owned(), ", but 0 edges follow"),
        (format!("10 9\n{truncated}"), ", but 2 edges follow"),
        ("10 9\n1 2\n2 10\n".to_owned(), ", but 2 edges follow"),
        ("3 3\n0 1\n1 3\n3 0\n".replacen("3 3", "3 4", 1) + "1 0\n", ", but vertices 0 to 3 occur"),
    ] {
        let error = read(&text).unwrap_err();
        assert!(matches!(error.wrong, Wrong::Unclear { .. }), "{text}");
        let said = error.to_string();
        assert!(said.contains("\" may be an edge, or a header for "), "{said}");
        assert!(said.ends_with(&format!(" edges{rest}")), "{said}");
        assert!(read_as(&text, Some(Format::EDGES)).is_ok(), "{text}");
        let header = read_as(&text, Some(Format::EDGES_HEADER));
        assert_eq!(header.is_ok(), rest.is_empty(), "{text}");
    }
    assert_eq!(
        read(&format!("10 9\n{tree}")).unwrap_err().to_string(),
        "line 1: \"10 9\" may be an edge, or a header for 10 vertices and 9 edges"
    );
    assert_eq!(
        read(&format!("5 5\n{truncated}")).unwrap_err().to_string(),
        "line 1: \"5 5\" is a self-loop if read as an edge, and an error if read as a header: \
         line 1: the header announces 5 edges, but 2 follow"
    );
    // In METIS's format, these lines list the neighbours in the pentagon 1-2-3-4-5. Read as edges, they form the other
    // pentagon, 1-3-5-2-4.
    let metis = "5 5\n2 5\n1 3\n2 4\n3 5\n4 1\n";
    let said = read(metis).unwrap_err().to_string();
    assert!(said.contains("could be edges, or could list the two neighbours"), "{said}");
    assert!(read_as(metis, Some(Format::EDGES_HEADER)).is_ok());
    assert_eq!(read_file(metis, None, Path::new("a.graph")), read_as(metis, Some(Format::METIS)));
    // For a triangle, both readings give the same graph.
    assert_eq!(read("3 3\n2 3\n1 3\n1 2\n").unwrap().graph.n_edges(), 3);
}

#[test]
fn edges_may_be_between_names() {
    for text in ["b a\na c\nc b\n", "# of three\nb,a\na,c,\nc , b\n", "b a {}\na c {'weight': 3}\n\nc b # the last\n"] {
        for format in [None, Some(Format::EDGES)] {
            let listed = read_as(text, format).unwrap();
            assert_eq!(listed.format, Format::EDGES, "{text}");
            let names: Vec<String> = listed.graph.digraph().vertices().map(|v| listed.names.name(v)).collect();
            assert_eq!(names, ["b", "a", "c"], "{text}");
            assert_eq!(listed.graph.n_edges(), 3, "{text}");
        }
    }
    // The first line is not a table header, because its names occur again. Names may be words that begin DIMACS lines.
    for text in [
        "c d\nd w\nw c\n",
        "u v\nv w\nw u\n",
        "\"u\",v\nv,w\n\"w\",\"u\"\n",
        "u\tv\nv\tw\nw\tu\n",
        "u v 1\nv w 2.5\nw u 0\n",
        "u;v\nv;w\nw;u\n",
    ] {
        let listed = read(text).unwrap();
        assert_eq!(listed.graph.n_vertices(), 3, "{text}");
        assert_eq!(listed.graph.n_edges(), 3, "{text}");
        assert_eq!(listed.names.name(Vertex::new(2)), "w", "{text}");
    }
    let head = "nodeA nodeB\na b\nb c\nc a\n";
    assert!(matches!(read(head).unwrap_err().wrong, Wrong::Head(_)));
    let said = read_as(head, Some(Format::EDGES)).unwrap();
    assert_eq!(said.graph.n_vertices(), 5);
    let quoted = read("\"New York, NY\",Boston\nBoston,Rom\nRom,\"New York, NY\"\n").unwrap();
    assert_eq!(quoted.names.name(Vertex::new(0)), "New_York_NY");
    let tabs = read("New York\tBoston\nBoston\tRom\nRom\tNew York\n").unwrap();
    assert_eq!(tabs.names.name(Vertex::new(0)), "New_York");
    let listed = read("New York,Boston\nBoston,Rom\nRom,New York\n").unwrap();
    assert_eq!(listed.names.name(Vertex::new(0)), "New_York");
    assert!(matches!(listed.remarks[..], [Remark::Joined(_)]));
    // The names are those that networkx gives to the squares of a grid.
    for text in [
        "(0, 0) (1, 0) {}\n(1, 0) (1, 1) {'weight': 2}\n(1, 1) (0, 0) {}\n",
        "(0, 0) (1, 0) 1.5\n(1, 0) (1, 1) 2\n(1, 1) (0, 0) 3\n",
        "(0, 0)\t(1, 0)\n(1, 0)\t(1, 1)\n(1, 1)\t(0, 0)\n",
        "# GMT today\n(0, 0) (1, 0) (1, 1)\n(1, 0) (1, 1)\n(1, 1)\n",
        "# GMT today\n(0, 0) 2\n(1, 0) {}\n(1, 1) {}\n(1, 0) 1\n(1, 1) {}\n(1, 1) 0\n",
    ] {
        let listed = read(text).unwrap();
        assert_eq!(listed.graph.n_edges(), 3, "{text}");
        assert_eq!(listed.names.name(Vertex::new(1)), "(1_0)", "{text}");
    }
    // The lines are lists of neighbours, because every vertex has a line after the lines that name it.
    let listed = read("A B C\nB C\nC\n").unwrap();
    assert_eq!(listed.format, Format::ADJACENCY_LIST);
}

#[test]
fn weights_are_read_over() {
    for text in ["1 2 0.5\n2 3 1\n3 1 2\n", "1,2,1e3\n2,3,0\n3,1,7\n"] {
        for format in [None, Some(Format::EDGES)] {
            let listed = read_as(text, format).unwrap();
            assert_eq!(listed.graph.n_edges(), 3, "{text}");
            assert_eq!(listed.remarks, [Remark::Weights], "{text}");
        }
    }
    // The lines are lists of neighbours, because every vertex has a line.
    let listed = read("1 2 3\n2 3\n3\n").unwrap();
    assert_eq!(listed.format, Format::ADJACENCY_LIST);
}

fn reading(text: &str, reading: Reading) -> Result<Listed, FormatError> {
    reading.of_text(text)
}

#[test]
fn one_graph_of_several_is_read_by_its_number() {
    let text = ">>graph6<<\nBg\n\nBw\n:Bd\n";
    let nth = |number, format| {
        let number = Some(number);
        let choice = Reading { format, number, ..Reading::default() };
        reading(text, choice)
    };
    let edges = |number| nth(number, None).unwrap().graph.n_edges();
    assert_eq!([edges(1), edges(2), edges(3)], [2, 3, 2]);
    assert_eq!(nth(3, None).unwrap().format, Format::SPARSE6);
    for (number, format, error) in [
        (0, None, "graph number 0 does not exist: the file has 3 graphs"),
        (4, None, "graph number 4 does not exist: the file has 3 graphs"),
        (3, Some(Format::GRAPH6), "line 5: \":Bd\" is not a graph6 string, which has characters from ? to ~"),
        (
            1,
            Some(Format::GML),
            "the file has one graph; only files in the formats graph6, sparse6, graphml, dot can have several",
        ),
    ] {
        assert_eq!(nth(number, format).unwrap_err().to_string(), error);
    }
}

#[test]
fn arcs_make_a_digraph_unless_all_come_in_both_directions() {
    let undirected = Reading { directedness: Directedness::Undirected, ..Reading::default() };
    let directed = Reading { directedness: Directedness::Directed, ..Reading::default() };
    for text in [
        "p sp 3 2\na 1 2\na 2 3\n",
        "digraph { 1 -> 2; 2 -> 3 }",
        "&BT?",
        "arc(1,2). arc(2,3).",
        "0 1 0\n0 0 1\n0 0 0\n",
        "# two vertices of three\n010\n001\n000\n",
    ] {
        let arcs = read(text).unwrap().graph;
        assert!(arcs.undirected().is_none(), "{text}");
        assert_eq!(reading(text, directed).unwrap().graph, arcs, "{text}");
        let listed = reading(text, undirected).unwrap();
        assert_eq!(listed.graph.n_edges(), 2, "{text}");
        assert_eq!(listed.remarks, [], "{text}");
    }
    let both = vec![Remark::BothDirections];
    let ends = ["1", "2"].map(str::to_owned);
    let looks = Remark::LooksDirected { both: 1, once: 2, ends, line: Some(1) };
    for (text, remark) in [
        ("p sp 3 4\na 1 2\na 2 1\na 2 3\na 3 2\n", both.clone()),
        ("arc(1,2). arc(2,1).", both.clone()),
        ("1 2\n2 1\n2 3\n3 2\n", both.clone()),
        ("3 4\n1 2\n2 1\n2 3\n3 2\n", both),
        ("1 2\n2 3\n3 1\n1 3\n", vec![looks]),
        ("p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", Vec::new()),
    ] {
        assert_eq!(read(text).unwrap().remarks, remark, "{text}");
        assert_eq!(reading(text, undirected).unwrap().remarks, [], "{text}");
        assert!(reading(text, directed).unwrap().graph.undirected().is_none(), "{text}");
    }
    // A text that declares a digraph is read as a digraph, even if every arc has its reverse.
    for text in ["digraph { a -> b -> c -> b -> a }", "&BP_\n", "&B\\o\n"] {
        let listed = read(text).unwrap();
        assert!(listed.graph.undirected().is_none(), "{text}");
        assert_eq!(listed.remarks, [], "{text}");
    }
    // On request, each line of a list of edges is read as one arc. In a format without directions, each edge becomes
    // two arcs.
    assert_eq!(reading("1 2\n2 3\n3 1\n", directed).unwrap().graph.n_edges(), 3);
    assert_eq!(reading("Bw\n", directed).unwrap().graph.n_edges(), 6);
    let tsplib = "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n2 3\n3 1\n-1\n";
    assert_eq!(reading(tsplib, directed).unwrap().graph.n_edges(), 3);
}

#[test]
fn a_matrix_of_two_weights_is_a_digraph() {
    let atsp = |rows: &str| {
        let head = "NAME : small\nTYPE : ATSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\n";
        read(&format!("{head}EDGE_WEIGHT_FORMAT : FULL_MATRIX\nEDGE_WEIGHT_SECTION\n{rows}EOF\n"))
    };
    let listed = atsp("9 0 1\n1 9 0\n0 0 9\n").unwrap();
    let arcs = listed.graph.digraph().arcs();
    let arcs: Vec<_> = arcs.map(|a| (a.tail.number(), a.head.number())).collect();
    assert_eq!(arcs, [(0, 1), (1, 2), (2, 0), (2, 1)]);
    assert!(atsp("0 1 2\n1 0 3\n1 1 0\n").is_err() && atsp("0 1 1\n1 0 1\n1 1 0\n").is_err());
    assert!(atsp("0 1 2\n").is_err());
}

proptest! {
    #[test]
    fn digraphs_are_read_as_they_are_written(digraph in digraphs(1..=12)) {
        let graph = AnyGraph::Directed(digraph);
        for format in [
            Format::DIMACS,
            Format::GRAPH6,
            Format::DOT,
            Format::GRAPHML,
            Format::GML,
            Format::PAJEK,
            Format::ASP,
            Format::MATRIX,
            Format::MATRIX_MARKET,
            Format::GEXF,
            Format::JSON,
        ] {
            let mut text = Vec::new();
            write_named(format, &graph, &VertexNames::default(), &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            let directed = Reading { directedness: Directedness::Directed, ..Reading::default() };
            prop_assert_eq!(&reading(&text, directed).unwrap().graph, &graph, "{}", text);
        }
    }
}

proptest! {
    #[test]
    fn matrices_of_digraphs_are_recognised(digraph in digraphs(1..=8), separator in 0..3usize) {
        let mut text = Vec::new();
        let graph = AnyGraph::Directed(digraph);
        write_named(Format::MATRIX, &graph, &VertexNames::default(), &mut text).unwrap();
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
fn a_matrix_may_be_read_as_edges_or_with_both_arcs() {
    let text = "0 1 0\n1 0 1\n0 0 0\n";
    let choices = [Directedness::AsWritten, Directedness::Directed, Directedness::Undirected];
    let graphs = choices.map(|directedness| {
        let choice = Reading { directedness, ..Reading::default() };
        reading(text, choice).unwrap().graph
    });
    assert_eq!(graphs[0], graphs[1]);
    assert!(graphs[0].undirected().is_none());
    assert_eq!(graphs.each_ref().map(AnyGraph::n_edges), [3, 3, 2], "{graphs:?}");
}

#[test]
fn named_digraphs_are_written_with_their_names() {
    let listed = read("digraph { a -> b -> \"c d\" -> a -> \"c d\" }").unwrap();
    for (format, beginning) in [
        (Format::GML, "graph [\n  directed 1\n  node [ id 1 label \"a\" ]\n"),
        (Format::PAJEK, "*Vertices 3\n1 \"a\"\n2 \"b\"\n3 \"c_d\"\n*Arcs\n1 2\n1 3\n"),
    ] {
        let mut text = Vec::new();
        write_named(format, &listed.graph, &listed.names, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with(beginning), "{text}");
        let again = read(&text).unwrap();
        assert_eq!((again.format, &again.graph), (format, &listed.graph));
        assert_eq!(again.names, listed.names);
    }
}

#[test]
fn a_third_column_of_whole_numbers_is_a_weight_where_that_is_said() {
    let weights = Reading { weights: true, ..Reading::default() };
    for text in ["0 1 3\n1 2 5\n2 0 1\n", "3 3\n1 2 7\n2 3 7\n3 1 7\n"] {
        let listed = reading(text, weights).unwrap();
        assert_eq!(listed.graph.n_edges(), 3, "{text}");
        assert_eq!(listed.remarks, [], "{text}");
    }
    let of_dot = Reading { format: Some(Format::DOT), ..weights };
    let error = reading("graph { a -- b }", of_dot).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the format \"dot\" has no weights; only lists of edges have weights in a third column"
    );
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let tsplib = |rest: &str| format!("NAME : g\nTYPE : HCP\nDIMENSION : 3\n{rest}");
    let list = |rest: &str| tsplib(&format!("EDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n{rest}"));
    for (text, error) in [
        ("", "the text contains no graph"),
        ("# nothing\n\n", "the text contains no graph"),
        ("p edge 3\n", "line 1: \"p edge 3\" is not \"p edge VERTICES EDGES\""),
        ("p edge x 2\n", "line 1: \"p edge x 2\" is not \"p edge VERTICES EDGES\""),
        ("p edge 3 1\np edge 3 1\n", "line 2: \"p edge 3 1\" is not \"e VERTEX VERTEX\""),
        ("c only\n", "missing line \"p edge VERTICES EDGES\""),
        ("e 1 2\n", "line 1: \"e 1 2\" is not \"p edge VERTICES EDGES\""),
        ("p edge 3 1\ne 1\n", "line 2: \"e 1\" is not \"e VERTEX VERTEX\""),
        ("p edge 3 1\ne 1 2 x\n", "line 2: \"e 1 2 x\" is not \"e VERTEX VERTEX\""),
        ("p edge 3 1\ne 0 2\n", "line 2: vertex 0 is out of range: the vertices are 1 to 3"),
        ("p edge 3 1\ne 1 4\n", "line 2: vertex 4 is out of range: the vertices are 1 to 3"),
        ("p edge 3 2\ne 1 2\n", "the header announces 2 edges, but 1 follow"),
        ("p edge 3 1\ne 1 2\ne 2 3\ne 1 3\n", "the header announces 1 edges, but 3 follow"),
        ("p edge 99999999 0\n", "line 1: 99999999 vertices are too many; at most 16777216 are supported"),
        (
            "p edge 16777216 1\ne 1 2\n",
            "at most 65536 vertices without an edge are supported, but a graph with 16777216 vertices and 1 edges has more",
        ),
        ("0 1 3\n1 2 5\n2 0 1\n", "line 1: \"0 1 3\" has a third column, but tours have no weights; remove the column"),
        ("1,2,3\n2,3,4\n3,1,5\n", "line 1: \"1,2,3\" has a third column, but tours have no weights; remove the column"),
        ("1 2\n2 3 0.5\n", "line 2: \"2 3 0.5\" has a third column, but tours have no weights; remove the column"),
        // The first line is a table header, because its names do not occur again.
        (
            "city_a,city_b\nA,B\nB,C\nC,A\n",
            "line 1: \"city_a city_b\" looks like a table header; remove it and keep one edge per line, \"VERTEX VERTEX\" or \"VERTEX,VERTEX\"",
        ),
        ("(1, 2)\n(2, 3)\n(3, 1)\n", "line 1: \"(1, 2)\" is not an edge \"VERTEX VERTEX\""),
        ("[a, b],\n[b, c],\n", "line 1: not valid JSON: expected value in column 2"),
        ("a, b;\nb, c;\nc, a;\n", "line 1: \"a, b;\" is not an edge \"VERTEX VERTEX\""),
        ("a,b\nb,(c)\nc,a\n", "line 2: \"b,(c)\" is not an edge \"NAME NAME\" like the first one"),
        ("'a',b\nb,c\nc,a\n", "line 1: \"'a',b\" is not an edge \"VERTEX VERTEX\""),
        ("a,b c\nc d\nd a,b\n", "line 2: \"c d\" is not an edge \"NAME NAME\" like the first one"),
        ("a\"b,c\nc,d\n", "line 1: \"a\"b,c\" is not an edge \"VERTEX VERTEX\""),
        ("1 2\nAlice Bob\n", "line 2: \"Alice Bob\" is not a pair of numbers, but the edges before this line are"),
        (
            "Alice,Bob\nBob,Carol,0.5\n",
            "line 2: \"Bob,Carol,0.5\" has a third column, but tours have no weights; remove the column",
        ),
        (
            "hamcnf certificate 1\nc in words\nquestion 5x5\n",
            "line 1: the text is a certificate, not a graph; check it with `hamcnf verify --proof`",
        ),
        (
            "{\"question\":\"3x4\",\"tour\":null,\"details\":{\"instance\":\"3x4\",\"tours\":\"open\"}}\n",
            "line 1: the text is a tour in JSON, not a graph; read it with `hamcnf check` or `hamcnf show`",
        ),
        ("{\"vertices\": []}\n", "missing list \"nodes\", as networkx's `node_link_data` writes it"),
        (
            "{\"nodes\": [{\"id\": 1}]}\n",
            "missing list \"links\" or \"edges\", as networkx's `node_link_data` writes it",
        ),
        (
            "{\"nodes\": [{\"id\": 1},\n{\"id\"",
            "line 2: not valid JSON: EOF while parsing an object; is the file complete?",
        ),
        ("{\"nodes\": [{\"id\": 1},\n{\"id\" 2}]}", "line 2: not valid JSON: expected `:` in column 7"),
        ("[[1, 2],\n[2, 3", "line 2: not valid JSON: EOF while parsing a list; is the file complete?"),
        (
            "[[0, 1, 1], [1, 0, 0], [1, 0]]\n",
            "as \"json\", \"[0,1,1]\" is not a pair of vertices; as \"matrix\", line 1: the row has 2 entries, but the first row has 3",
        ),
        (
            "{\"graph\": [], \"nodes\": [{\"id\": 1}, {\"id\": 2}], \"adjacency\": [[{\"id\": 2}], [{\"id\": 1}]]}",
            "JSON of networkx's `adjacency_data` is not supported; write the graph with networkx's `node_link_data`",
        ),
        (
            "{\"elements\": {\"nodes\": [{\"data\": {\"id\": \"a\"}}], \"edges\": []}}",
            "JSON of Cytoscape is not supported; write the graph with networkx's `node_link_data`",
        ),
        (
            "{\"id\": 1, \"children\": [{\"id\": 2}]}",
            "JSON of networkx's `tree_data` is not supported; write the graph with networkx's `node_link_data`",
        ),
        ("p cnf 3 2\n1 2 0\n", "line 1: the text is a CNF formula, not a graph"),
        ("c x\np cnf 3\n", "line 2: the text is a CNF formula, not a graph"),
        ("c a solver\ns SATISFIABLE\nv 1 -2 0\n", "line 2: the text is a solver's answer, not a graph"),
        ("UNSAT\n", "line 1: the text is a solver's answer, not a graph"),
        ("p max 3 2\na 1 2 1\n", "line 1: \"p max\" is not supported"),
        ("graph [\n node [ id 1 ]\n", "missing \"]\" at the end; is the file complete?"),
        (
            "Creator \"me\"\ngraph\n[ node [ id 1 ]\nedge [ source 1 target 2 ] ]\n",
            "line 4: node \"2\" is not declared",
        ),
        ("graph [ node [ label \"a\" ] ]\n", "line 1: \"node\" is not a node with an id"),
        ("*Vertices 3\n1 \"a\"\n*Edges\n1 4\n", "line 4: vertex 4 is out of range: the vertices are 1 to 3"),
        ("*Edges\n1 4\n", "line 2: missing \"*Vertices N\" before it"),
        ("edge(1,2). edge(2,3)", "missing \".\" after the last fact; is the file complete?"),
        ("edge(1,2). edge(2,", "missing \")\" and \".\" after the last fact; is the file complete?"),
        (
            "node(1..3).\nedge(X,Y) :- node(X), node(Y).\n",
            "line 2: \"X,Y) :- node(X), node(Y).\" is not a number, a name, a text in quotes, a range \"1..9\" or a pool \"(1;2)\"",
        ),
        ("node(1..3).\n{ in(1,2) }.\n", "line 2: \"{ in(1,2) }.\" is not a fact such as \"edge(1,2).\""),
        ("node(1..99999999).", "line 1: 99999999 vertices are too many; at most 16777216 are supported"),
        ("Bg\nBw\n", "the text contains 2 graphs"),
        (
            "(0, 0) (1, 0)\n(1, 0) (2, 0) x\n",
            "line 2: \"(1, 0) (2, 0) x\" is not an edge \"NAME NAME\" like the first one",
        ),
        ("1 2\n-1 2\n", "line 2: \"-1 2\" is not an edge \"VERTEX VERTEX\""),
        (&tsplib(""), "missing EDGE_DATA_FORMAT"),
        (&list("1 2\n2 3 1\n-1\n"), "line 7: \"2 3 1\" is not an edge \"VERTEX VERTEX\", or -1"),
        (&list("1 4\n-1\n"), "line 6: vertex 4 is out of range: the vertices are 1 to 3"),
        (&list("1 2\n-1\nFIXED_EDGES_SECTION\n1 4\n-1\n"), "line 9: \"1 4\" is not an edge \"VERTEX VERTEX\", or -1"),
        (&list("1 2\n-1\nFIXED_EDGES_SECTION\n1 -1\n"), "line 9: \"1 -1\" is not an edge \"VERTEX VERTEX\", or -1"),
        (&list("1 2\n-1\nFIXED_EDGES_SECTION\n1 2\nEOF\n"), "missing -1 after FIXED_EDGES_SECTION"),
        (
            "NAME : t\nTYPE : HCP\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n-1\n",
            "line 4: missing DIMENSION",
        ),
        ("Hello\n", "line 1: \"Hello\" is not \"KEYWORD : VALUE\""),
        (
            "C Java\nJava # F\n",
            "line 2: \"Java # F\" has a comment sign after a blank, which leaves no edge; put a name with \"#\" or \"%\" in double quotes",
        ),
        (
            "c all\n1 2 0\n-1 -2 0\n",
            "line 1: the text has clauses, but not the line \"p cnf VARIABLES CLAUSES\" before them",
        ),
        (
            "4\n0 1\n1 2\n2 3\n3 0\n",
            "line 1: \"4\" may be the number of vertices, or a vertex without neighbours; remove the line, or name the format",
        ),
        (
            "V 4\nE 4\n1 2\n2 3\n3 4\n4 1\n",
            "line 1: \"V 4\" looks like a table header; remove it and keep one edge per line, \"VERTEX VERTEX\" or \"VERTEX,VERTEX\"",
        ),
        ("0:1:2\n1:2\n2:0\n", "line 1: \"0:1:2\" is not an edge \"VERTEX VERTEX\""),
        ("*Vertices 3\n*Faces\n1 2 3\n", "line 2: section \"*Faces\" is not supported"),
        ("*Vertices 3\n*Matrix\n0 1\n", "line 3: the row has 2 entries, but the first row has 3"),
        ("graph { a -> b }", "line 1: \"->\" is no edge of a \"graph\"; write \"digraph { a -> b }\""),
        ("digraph { a -- b }", "line 1: \"--\" is no edge of a \"digraph\"; write \"graph { a -- b }\""),
        ("graph { a -- b; , c }", "line 1: \",\" is not a vertex, an edge \"A -- B\", an attribute or \"}\""),
        (
            "Source,Target,Type\n1,2,Directed\n1,2,Sideways\n",
            "line 3: \"1,2,Sideways\" is no edge of a table with the header \"Source,Target,Type\"",
        ),
        (
            "3 3\n1 2 7\n2 3 7\n3 1 7\n",
            "line 2: \"1 2 7\" has a third column, but tours have no weights; remove the column",
        ),
        (
            "<graph directed=\"1\"><node id=\"1\"/></graph>",
            "line 1: the text looks like XGMML, which is not supported; convert it to graph6, GraphML or a list of edges",
        ),
        ("NAME : t\nTYPE : HCP\nVEHICLES : 3\n", "line 3: VEHICLES 3 is not supported"),
        (
            "NAME : t\nTYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\n",
            "line 4: EDGE_WEIGHT_TYPE EUC_2D is not supported",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), error, "{text}");
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
    let comment = match format.as_str() {
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
    let first = format.said().filter(|said| text.starts_with(said));
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
                    let numbering = match format.is_line() {
                        true => Numbering::FromZero,
                        false => Numbering::FromOne,
                    };
                    prop_assert_eq!(listed.format, format, "{}", text);
                    prop_assert_eq!(listed.names, numbering.into());
                }
                Err(error) => {
                    let unclear = matches!(
                        error.wrong,
                        Wrong::Unclear { .. } | Wrong::Neighbours { .. }
                    );
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
        let mut keyed: Vec<_> = pairs(&graph).into_iter().zip(order).collect();
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
                pairs(&listed.graph.underlying()).len(), pairs(&graph).len(), "{}", text
            ),
            Err(FormatError { wrong, .. }) => prop_assert!(matches!(
                wrong,
                Wrong::Unclear { .. } | Wrong::Neighbours { .. } | Wrong::Empty
            ), "{}: {}", text, wrong),
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

/// A text in one of the formats, with the arcs that it means in each case. In every text, the vertices are 0, 1 and 2 in
/// the order of their names.
struct Meaning {
    format: Format,
    text: &'static str,
    /// True if the text as it is describes a digraph.
    is_directed: bool,
    /// Arcs of the digraph that --arcs asks for.
    arcs: &'static [(u32, u32)],
    /// Remarks on the text as it is.
    remarks: Vec<Remark>,
}

/// Arcs of the directed triangle that each text of [`meanings`] lists as 2→1, 3→2, 1→3.
const CYCLE: &[(u32, u32)] = &[(0, 2), (1, 0), (2, 1)];
/// Arcs of a triangle with both directions.
const BOTH: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)];
/// The directed triangle, and the arc 1→2.
const FOUR: &[(u32, u32)] = &[(0, 1), (0, 2), (1, 0), (2, 1)];

/// Returns texts in all formats: directed, undirected and mixed. The arcs are those of the format's reference. networkx
/// 3.6 with `create_using=DiGraph` gives the same arcs, except for Pajek's edges in a network with arcs, which it reads as
/// one arc each.
fn meanings() -> Vec<Meaning> {
    let row = |format, text, is_directed, arcs, remarks| Meaning { format, text, is_directed, arcs, remarks };
    let looks = |both, once, ends: [&str; 2], line| {
        vec![Remark::LooksDirected { both, once, ends: ends.map(str::to_owned), line }]
    };
    let again = |noun| vec![Remark::Parallel { noun, more: 1 }];
    let both = || vec![Remark::BothDirections];
    let none = Vec::new;
    vec![
        // Lists say nothing about directions.
        row(Format::EDGES, "2 1\n3 2\n1 3\n", false, CYCLE, none()),
        row(Format::EDGES, "2 1\n3 2\n1 3\n1 2\n", false, FOUR, looks(1, 2, ["3", "2"], Some(2))),
        row(Format::EDGES, "1 2\n2 1\n2 3\n3 2\n3 1\n1 3\n", false, BOTH, both()),
        row(Format::EDGES, "2 1\n2 1\n3 2\n1 3\n", false, CYCLE, again("edge")),
        row(Format::EDGES, "b a\nc b\na c\n", false, &[(0, 1), (1, 2), (2, 0)], none()),
        row(Format::EDGES_HEADER, "3 3\n2 1\n3 2\n1 3\n", false, CYCLE, none()),
        row(Format::EDGES_HEADER, "3 4\n2 1\n3 2\n1 3\n1 2\n", false, FOUR, looks(1, 2, ["3", "2"], Some(3))),
        row(Format::EDGES_HEADER, "3 6\n1 2\n2 1\n2 3\n3 2\n3 1\n1 3\n", false, BOTH, both()),
        // Gephi's tables say the directions.
        row(
            Format::EDGES,
            "Source,Target,Type,Id\n2,1,Directed,0\n3,2,Directed,1\n1,3,Directed,2\n",
            true,
            CYCLE,
            none(),
        ),
        row(
            Format::EDGES,
            "Source;Target;Type;Label\n2;1;Undirected;\n3;2;Undirected;\"a b\"\n1;3;Undirected;\n",
            false,
            CYCLE,
            none(),
        ),
        row(
            Format::EDGES,
            "Id,Source,Target,Type\n0,1,2,Undirected\n1,3,2,Directed\n2,1,3,Directed\n",
            true,
            FOUR,
            none(),
        ),
        row(Format::ADJACENCY_LIST, "# adjlist\n1 3\n2 1\n3 2\n", false, CYCLE, looks(0, 3, ["2", "1"], Some(3))),
        row(
            Format::ADJACENCY_LIST,
            "#a.py\n# GMT Sun\n#\n1 3\n2 1\n3 2\n",
            false,
            CYCLE,
            looks(0, 3, ["2", "1"], Some(5)),
        ),
        row(Format::ADJACENCY_LIST, "1 2 3\n2 1\n3 2\n", false, FOUR, looks(1, 2, ["1", "3"], Some(1))),
        row(Format::ADJACENCY_LIST, "1 2 3\n2 1 3\n3 1 2\n", false, BOTH, none()),
        row(Format::ADJACENCY_LIST, "1: 2 3\n2: 1 3\n3: 1 2\n", false, BOTH, none()),
        row(Format::ADJACENCY_LIST, "1: 2 3\n2: 1 3\n3: 1 2 2\n", false, BOTH, again("edge")),
        row(Format::ADJACENCY_LIST, "1: 2,3\n2: 1,3\n3: 1,2\n", false, BOTH, none()),
        row(Format::ADJACENCY_LIST, "\nGraph 1, order 3.\n  0 : 1 2;\n  1 : 0 2;\n  2 : 0 1;\n", false, BOTH, none()),
        row(Format::ADJACENCY_LIST, "# adjlist\n1 2 3\n2 3\n3\n", false, &[(0, 1), (0, 2), (1, 2)], none()),
        row(Format::ADJACENCY_LIST, "# GMT Sun\n1 1\n3 {}\n2 1\n1 {}\n3 1\n2 {}\n", false, CYCLE, none()),
        row(Format::DIMACS, "p edge 3 3\ne 2 1\ne 3 2\ne 1 3\n", false, CYCLE, none()),
        row(Format::DIMACS, "p edge 3 4\ne 2 1\ne 3 2\ne 1 3\ne 1 2\n", false, FOUR, looks(1, 2, ["3", "2"], Some(3))),
        row(Format::DIMACS, "p sp 3 3\na 2 1 1\na 3 2 1\na 1 3 1\n", true, CYCLE, vec![Remark::Weights]),
        row(Format::DIMACS, "p sp 3 3\ne 1 2\na 3 2\na 1 3\n", true, FOUR, none()),
        row(Format::DIMACS, "p sp 3 6\na 1 2\na 2 1\na 2 3\na 3 2\na 3 1\na 1 3\n", false, BOTH, both()),
        row(Format::ASP, "edge(2,1). edge(3,2). edge(1,3).", false, CYCLE, none()),
        row(Format::ASP, "edge(1,(2;3)). edge(2,1). edge(3,2).", false, FOUR, looks(1, 2, ["1", "3"], Some(1))),
        row(Format::ASP, "arc(2,1). arc(3,2). arc(1,3).", true, CYCLE, none()),
        row(Format::ASP, "edge(1,2). arc(3,2). arc(1,3).", true, FOUR, none()),
        row(Format::ASP, "arc(1..3,1..3).", false, BOTH, {
            let (first, more) = ("1".to_owned(), 2);
            vec![Remark::Loops { first, more }, Remark::BothDirections]
        }),
        // In these formats, edges are undirected if the text does not say otherwise.
        row(Format::DOT, "graph { 2 -- 1; 3 -- 2; 1 -- 3 }", false, CYCLE, none()),
        row(Format::DOT, "graph { 2 -- 1; 3 -- 2; 1 -- 3; 3 -- 2 }", false, CYCLE, again("edge")),
        row(Format::DOT, "graph { 2 -- 1 -- 3; 1, 3 -- 2 }", false, &[(0, 1), (0, 2), (1, 0), (2, 1)], none()),
        row(Format::DOT, "digraph { 2 -> 1 -> 3 -> 2 }", true, CYCLE, none()),
        row(Format::DOT, "digraph { {1 3} -> 2 -> 1 -> 3 }", true, FOUR, none()),
        row(
            Format::DOT,
            "strict digraph { 1 -> {2 3} -> 2; 2 -> subgraph s { 1 } }",
            true,
            FOUR,
            vec![Remark::Loops { first: "2".to_owned(), more: 0 }],
        ),
        row(
            Format::GML,
            "graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 2 target 1 ]\n\
             edge [ source 3 target 2 ] edge [ source 1 target 3 ] ]",
            false,
            CYCLE,
            none(),
        ),
        row(
            Format::GML,
            "graph [ directed 1 node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 2 target 1 ]\n\
             edge [ source 3 target 2 ] edge [ source 1 target 3 ] edge [ source 1 target 3 ] ]",
            true,
            CYCLE,
            again("arc"),
        ),
        row(
            Format::GRAPHML,
            "<graphml><graph edgedefault=\"undirected\"><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/>\n\
             <edge source=\"2\" target=\"1\"/><edge source=\"3\" target=\"2\"/><edge source=\"1\" target=\"3\"/>\n\
             </graph></graphml>",
            false,
            CYCLE,
            none(),
        ),
        row(
            Format::GRAPHML,
            "<graphml><graph edgedefault=\"directed\"><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/>\n\
             <edge source=\"2\" target=\"1\"/><edge source=\"3\" target=\"2\"/><edge source=\"1\" target=\"3\"/>\n\
             </graph></graphml>",
            true,
            CYCLE,
            none(),
        ),
        row(
            Format::GRAPHML,
            "<graphml><graph edgedefault=\"directed\"><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/>\n\
             <edge source=\"1\" target=\"2\" directed=\"false\"/><edge source=\"3\" target=\"2\"/>\n\
             <edge source=\"1\" target=\"3\"/></graph></graphml>",
            true,
            FOUR,
            none(),
        ),
        row(Format::PAJEK, "*Vertices 3\n*Edges\n2 1\n3 2\n1 3\n", false, CYCLE, none()),
        row(Format::PAJEK, "*Vertices 3\n*Arcs\n2 1\n3 2\n1 3\n", true, CYCLE, none()),
        row(Format::PAJEK, "*Vertices 3\n*Arcslist\n1 3\n3 2\n*Edges\n1 2\n", true, FOUR, none()),
        row(Format::PAJEK, "*Vertices 3\n*Matrix\n0 2 1\n1 0 0\n0 1 0\n", true, FOUR, none()),
        row(Format::PAJEK, "*Vertices 3\n*Matrix\n0 2 1\n1 0 1\n3 1 0\n", false, BOTH, none()),
        row(
            Format::TSPLIB,
            "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n2 1\n3 2\n1 3\n-1\n",
            false,
            CYCLE,
            none(),
        ),
        row(
            Format::TSPLIB,
            "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n1 2 3 -1\n2 1 -1\n3 2 -1\n-1\n",
            false,
            FOUR,
            looks(1, 2, ["1", "3"], Some(5)),
        ),
        row(
            Format::TSPLIB,
            "TYPE : ATSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\n\
             EDGE_WEIGHT_SECTION\n9 1 1\n1 9 2\n2 1 9\nEOF\n",
            true,
            FOUR,
            none(),
        ),
        row(
            Format::MATRIX_MARKET,
            "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n2 1\n3 2\n1 3\n",
            true,
            CYCLE,
            none(),
        ),
        row(
            Format::MATRIX_MARKET,
            "%%MatrixMarket matrix array integer general\n3 3\n0\n1\n0\n1\n0\n1\n1\n0\n0\n",
            true,
            FOUR,
            none(),
        ),
        row(
            Format::MATRIX_MARKET,
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1\n3 2 1\n3 1 1\n",
            false,
            BOTH,
            none(),
        ),
        row(
            Format::GEXF,
            "<gexf><graph><nodes><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/></nodes><edges>\n\
             <edge source=\"2\" target=\"1\"/><edge source=\"3\" target=\"2\"/><edge source=\"1\" target=\"3\"/>\n\
             </edges></graph></gexf>",
            false,
            CYCLE,
            none(),
        ),
        row(
            Format::GEXF,
            "<gexf><graph defaultedgetype=\"directed\"><nodes><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/></nodes>\n\
             <edges><edge source=\"1\" target=\"2\" type=\"mutual\"/><edge source=\"3\" target=\"2\"/>\n\
             <edge source=\"1\" target=\"3\"/></edges></graph></gexf>",
            true,
            FOUR,
            none(),
        ),
        row(
            Format::GEXF,
            "<gexf><graph defaultedgetype=\"directed\"><nodes><node id=\"1\"/><node id=\"2\"/><node id=\"3\"/></nodes>\n\
             <edges><edge source=\"1\" target=\"2\" type=\"undirected\"/><edge source=\"3\" target=\"2\"/>\n\
             <edge source=\"1\" target=\"3\"/></edges></graph></gexf>",
            true,
            FOUR,
            none(),
        ),
        row(Format::JSON, "[[2, 1], [3, 2], [1, 3], [1, 2]]", false, FOUR, looks(1, 2, ["3", "2"], None)),
        row(
            Format::JSON,
            "{\"directed\": false, \"nodes\": [{\"id\": \"1\"}, {\"id\": \"2\"}, {\"id\": \"3\"}], \"links\":\n\
             [{\"source\": \"2\", \"target\": \"1\"}, {\"source\": \"3\", \"target\": \"2\"}, {\"source\": \"1\", \"target\": \"3\"}]}",
            false,
            CYCLE,
            none(),
        ),
        row(
            Format::JSON,
            "{\"directed\": true, \"nodes\": [{\"id\": \"1\"}, {\"id\": \"2\"}, {\"id\": \"3\"}], \"edges\":\n\
             [{\"source\": \"2\", \"target\": \"1\"}, {\"source\": \"3\", \"target\": \"2\"}, {\"source\": \"1\", \"target\": \"3\"}]}",
            true,
            CYCLE,
            none(),
        ),
        // A matrix, a METIS file and a graph in nauty's formats have both directions of an edge or one arc.
        row(Format::MATRIX, "0 0 1\n1 0 0\n0 1 0\n", true, CYCLE, none()),
        row(Format::MATRIX, "0 1 1\n1 0 0\n0 1 0\n", true, FOUR, none()),
        row(Format::MATRIX, "0 1 1\n1 0 1\n1 1 0\n", false, BOTH, none()),
        row(Format::METIS, "% metis\n3 3\n2 3\n1 3\n1 2\n", false, BOTH, none()),
        row(Format::GRAPH6, "Bw\n", false, BOTH, none()),
        row(Format::GRAPH6, "&BKO\n", true, &[(0, 2), (1, 0), (2, 1)], none()),
        row(Format::SPARSE6, ":BcN\n", false, BOTH, none()),
        row(Format::SPARSE6, ":Ab\n", false, &[(0, 1), (1, 0)], again("edge")),
    ]
}

#[test]
fn directions_are_those_of_the_text() {
    let pairs_of = |digraph: &crate::digraph::Digraph| -> Vec<_> {
        let arcs = digraph.arcs();
        arcs.map(|arc| (arc.tail.number(), arc.head.number())).collect()
    };
    for Meaning { format, text, is_directed, arcs, remarks } in meanings() {
        let graph = |format, directedness| {
            let choice = Reading { format, directedness, ..Reading::default() };
            reading(text, choice).unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        let both = arcs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let both: BTreeSet<_> = both.collect();
        for choice in [None, Some(format)] {
            let undirected = graph(choice, Directedness::Undirected);
            assert_eq!(undirected.format, format, "{text}");
            assert!(undirected.graph.undirected().is_some(), "{text}");
            let edges = pairs_of(undirected.graph.digraph());
            assert_eq!(edges, Vec::from_iter(both.clone()), "{text} --undirected");
            let directed = graph(choice, Directedness::Directed).graph;
            assert!(directed.undirected().is_none(), "{text}");
            assert_eq!(pairs_of(directed.digraph()), arcs, "{text} --arcs");
            let listed = graph(choice, Directedness::AsWritten);
            let expected = if is_directed { &directed } else { &undirected.graph };
            assert_eq!(&listed.graph, expected, "{text}");
            assert_eq!(listed.remarks, remarks, "{text}");
        }
    }
    assert!(Format::all().iter().all(|format| {
        let mut meanings = meanings().into_iter();
        meanings.any(|meaning| meaning.format == *format)
    }));
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
fn lists_are_read_as_other_programs_write_them() {
    for (format, text, edges) in [
        // A comment begins at the start of a line or after a blank.
        (Format::EDGES, "C# Java\nJava F#\nF# C#\n", "C#-F# C#-Java F#-Java"),
        (Format::EDGES, "# a\n1 2 # b\n2 3 % c\n% d\n3 1\n", "1-2 1-3 2-3"),
        (Format::EDGES, "50% a\n\"b # c\" 50%\n", "50%-a 50%-b_#_c"),
        (Format::ADJACENCY_LIST, "C# F# Java\nF# Java # last but one\nJava\n", "C#-F# C#-Java F#-Java"),
        // Self-loops are left out.
        (Format::EDGES, "1 1\n1 2\n2 2\n2 3\n", "1-2 2-3"),
        (Format::EDGES, "a b\nb b\nb c\n", "a-b b-c"),
        (Format::EDGES_HEADER, "3 3\n1 2\n2 2\n2 3\n", "1-2 2-3"),
        (Format::EDGES_HEADER, "4 5\n1 2\n2 3\n3 3\n3 4\n4 1\n1 3\n", "1-2 1-3 1-4 2-3 3-4"),
        (Format::METIS, "% metis\n3 2\n2 1\n1 3\n2\n", "1-2 2-3"),
        (Format::DIMACS, "p edge 3 3\ne 1 1\ne 1 2\ne 3 2\n", "1-2 2-3"),
        (Format::MATRIX, "1 1 0\n1 1 1\n0 1 1\n", "1-2 2-3"),
        (Format::SPARSE6, ":B`n\n", "0-1 1-2"),
        // Names and numbers; tables.
        (Format::EDGES, "a 1\n1 b\n", "1-a 1-b"),
        (Format::EDGES, "1 2\n2 x\n", "1-2 2-x"),
        (Format::EDGES, "source,target\n1,2\n2,3\n", "1-2 2-3"),
        (Format::EDGES, "From\tTo\tWeight\nA b\tB\t3\nB\tC\t\n", "A_b-B B-C"),
        (Format::EDGES, "u v\nv w\nw u\n", "u-v u-w v-w"),
        (Format::EDGES, "0 1 3\n1 2 2.5\n", "0-1 1-2"),
        (Format::PAJEK, "*Vertices 3\r1 \"a\"\r2 \"b\"\r3 \"c\"\r*Edges\r1 2\r2 3", "a-b b-c"),
        (Format::JSON, "[(1, 2), (2, 3)]", "1-2 2-3"),
        (Format::JSON, "{{1,2},{2,3}}", "1-2 2-3"),
        (Format::MATRIX, "\nGraph 1, order 3.\n010\n101\n010\n", "1-2 2-3"),
        (Format::EDGES, "source,target,type,weight\nA,B,calls,0.9\nB,C,imports,1\n", "A-B B-C"),
        (Format::EDGES, ",source,target\n0,x,y\n1,y,z\n", "x-y y-z"),
        // Adjacency lists and matrices in other forms.
        (Format::ADJACENCY_LIST, "a: b, c\nb: a\nc: a\n", "a-b a-c"),
        (Format::ADJACENCY_LIST, "1 2 3\n2 1\n3 1\n", "1-2 1-3"),
        (Format::MATRIX, "3\n0 1 1\n1 0 0\n1 0 0\n", "1-2 1-3"),
        (Format::MATRIX, "3\n011\n100\n100\n", "1-2 1-3"),
        (Format::MATRIX, "3 3\n0 1 1\n1 0 0\n1 0 0\n", "1-2 1-3"),
        (Format::MATRIX, "[[0, 1, 1], [1, 0, 0],\n [1, 0, 0]]\n", "1-2 1-3"),
        (Format::MATRIX, "[[0. 1.\n  1.]\n [1. 0. 0.]\n [1. 0. 0.]]\n", "1-2 1-3"),
        (Format::MATRIX, "{{0,1,1},{1,0,0},{1,0,0}}\n", "1-2 1-3"),
        (Format::MATRIX, "[0 1 1; 1 0 0; 1 0 0]\n", "1-2 1-3"),
        (Format::MATRIX, "[0 1 1\n1 0 0\n1 0 0];\n", "1-2 1-3"),
        // Edges between lists and subgraphs.
        (Format::DOT, "graph { a -- b, c; b -- c }", "a-b a-c b-c"),
        (Format::DOT, "graph { subgraph x { a; b } -- {c -- d} -- a [w=1] }", "a-c a-d b-c b-d c-d"),
        (Format::DOT, "graph { {a b}; c, d [shape=box]; x = y; a -- c -- d -- b }", "a-c b-d c-d"),
    ] {
        let listed = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(listed.format, format, "{text}");
        assert_eq!(named_edges_of(&listed), edges, "{text}");
    }
}

#[test]
fn labels_are_names_if_they_are_different() {
    let same = || vec![Remark::SameLabels("a".to_owned())];
    for (labels, names, remarks) in [
        (["a", "b", "c"], ["a", "b", "c"], Vec::new()),
        (["a", "b", "a"], ["1", "2", "3"], same()),
        (["", "", ""], ["1", "2", "3"], Vec::new()),
    ] {
        let [a, b, c] = labels;
        for text in [
            format!(
                "graph [ node [ id 1 label \"{a}\" ] node [ id 2 label \"{b}\" ] node [ id 3 label \"{c}\" ]\n\
                 edge [ source 1 target 2 ] ]"
            ),
            format!("*Vertices 3\n1 \"{a}\"\n2 \"{b}\"\n3 \"{c}\"\n*Edges\n1 2\n"),
            format!(
                "<gexf><graph><nodes><node id=\"1\" label=\"{a}\"/><node id=\"2\" label=\"{b}\"/>\n\
                 <node id=\"3\" label=\"{c}\"/></nodes><edges><edge source=\"1\" target=\"2\"/></edges></graph></gexf>"
            ),
        ] {
            let listed = read(&text).unwrap();
            let found = listed.graph.digraph().vertices().map(|v| listed.names.name(v));
            assert_eq!(found.collect::<Vec<_>>(), names, "{text}");
            assert_eq!(listed.remarks, remarks, "{text}");
        }
    }
    assert_eq!(same()[0].to_string(), "two vertices have the label \"a\", so vertices are named by their ids");
}

#[test]
fn separators_in_a_name_become_underscores() {
    for (name, separators) in
        [("a b", "spaces"), ("a,b", "commas"), ("a, b", "spaces and commas"), ("a\u{7}b", "control characters")]
    {
        let listed = read(&format!("graph {{ \"{name}\" -- c }}")).unwrap();
        assert_eq!(listed.names.name(Vertex::new(0)), "a_b");
        let name = name.escape_debug();
        let said = format!("name \"{name}\" has {separators}, which become underscores");
        assert_eq!(listed.remarks[0].to_string(), said);
    }
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
        assert_eq!(read(&text("TSP", &three)).unwrap_err().wrong, Wrong::Weights);
        assert!(read(&text("TSP", &rows[2..])).is_err(), "{form}");
        assert_eq!(read(&text("ATSP", rows)).is_ok(), form == "FULL_MATRIX");
    }
}

#[test]
fn hcp_files_may_lack_their_end() {
    for (end, remarks) in
        [("-1\nEOF\n", Vec::new()), ("-1\n", Vec::new()), ("EOF\n", Vec::new()), ("", vec![Remark::NoEnd])]
    {
        for (form, edges) in [("EDGE_LIST", "1 2\n2 3\n"), ("ADJ_LIST", "1 2 -1\n3 2 -1\n")] {
            let text = format!("TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : {form}\nEDGE_DATA_SECTION\n{edges}{end}");
            let listed = read(&text).unwrap();
            assert_eq!(named_edges_of(&listed), "1-2 2-3");
            assert_eq!(listed.remarks, remarks);
        }
    }
}

#[test]
fn a_graph_of_several_in_a_document_is_chosen() {
    for text in [
        "graph { a -- b } digraph x { a -> b -> c -> a }",
        "<graphml><graph><node id=\"a\"/></graph><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>\n\
         <edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"a\"/></graph></graphml>",
    ] {
        assert_eq!(read(text).unwrap_err().wrong, Wrong::Several(2));
        let nth = |number| {
            let number = Some(number);
            reading(text, Reading { number, ..Reading::default() })
        };
        assert!(nth(1).unwrap().graph.undirected().is_some());
        assert!(nth(2).unwrap().graph.undirected().is_none());
        let (number, graphs) = (3, 2);
        assert_eq!(nth(3).unwrap_err().wrong, Wrong::NoSuchGraph { number, graphs });
    }
}

#[test]
fn formats_that_are_not_read_are_named() {
    for (text, format) in [
        ("LEDA.GRAPH\nstring\nint\n-2\n2\n|{a}|\n|{b}|\n1\n1 2 0 |{1}|\n", "LEDA's format"),
        ("# a\nb 1.0\nc\n# b\nc\n", "LGL"),
        ("nodedef>name VARCHAR\na\nb\nedgedef>node1 VARCHAR,node2 VARCHAR\na,b\n", "GDF"),
        ("1 First\n2 Second\n3 Third\n#\n1 2 x\n2 3 y\n3 1 z\n", "TGF"),
        (
            "33D32945 STP File, STP Format Version 1.0\nSECTION Graph\nNodes 2\nEdges 1\nE 1 2 1\nEND\nEOF\n",
            "SteinLib's STP",
        ),
        ("n=3 g\n0: 1 2;\n1: 2.\n", "dreadnaut's input"),
        ("a pp b\nb pp c\nc pp a\n", "SIF"),
        ("graph TD\n  A --- B\n  B --- C\n  C --- A\n", "Mermaid"),
        ("n = 3;\nedges = [|1,2|2,3|3,1|];\n", "MiniZinc data"),
        (
            "% asym positive\n1 2 1 1082040961\n2 3 1 1082155839\n3 1 1 1082414391\n",
            "a KONECT list with times in a fourth column",
        ),
        ("% bip unweighted\n1 1\n1 2\n2 1\n2 2\n", "a bipartite KONECT list, whose two sides have the same numbers"),
        ("t 1\nv 0 A\nv 1 B\ne 0 1 x\n", "a list of \"v\" and \"e\" lines"),
        ("dl n=3 format=edgelist1\nlabels embedded\ndata:\na b\nb c\nc a\n", "UCINET's DL"),
        ("{0: [1, 2], 1: [0, 2], 2: [0, 1]}\n", "a Python dictionary"),
        ("{'a': ['b', 'c'],\n 'b': ['a', 'c'],\n 'c': ['a', 'b']}\n", "a Python dictionary"),
    ] {
        let error = format!(
            "line 1: the text looks like {format}, which is not supported; convert it to graph6, GraphML or a list of edges"
        );
        assert_eq!(read(text).unwrap_err().to_string(), error, "{text}");
    }
    for (text, form) in [
        ("{\"graph\": {\"directed\": false, \"nodes\": {\"a\": {}}, \"edges\": []}}", "JSON Graph Format"),
        (
            "{\"nodes\": [{\"key\": \"a\"}, {\"key\": \"b\"}], \"edges\": [{\"source\": \"a\", \"target\": \"b\"}]}",
            "graphology",
        ),
        ("{\"0\": [1, 2], \"1\": [0, 2], \"2\": [0, 1]}", "a dictionary of neighbours"),
        ("[[1, 3], [0, 2], [1, 3], [0, 2]]", "a list of neighbours"),
        ("[[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]", "a list of neighbours"),
    ] {
        let error = format!("JSON of {form} is not supported; write the graph with networkx's `node_link_data`");
        let found = read(text).unwrap_err();
        let wrong = match &found.wrong {
            Wrong::NoList(all) => all[0].1.to_string(),
            _ => found.to_string(),
        };
        assert_eq!(wrong, error, "{text}");
    }
}

#[test]
fn digraphs_that_may_be_meant_as_graphs_are_said() {
    for (text, remarks) in [
        ("digraph { a -> b -> c; a -> c }", vec![Remark::Acyclic]),
        ("digraph { a -> b -> c -> a }", Vec::new()),
        ("0 1 1\n0 0 1\n0 0 0\n", vec![Remark::Acyclic]),
        ("p sp 3 3\na 1 2\na 1 2\na 2 3\n", vec![Remark::Parallel { noun: "arc", more: 1 }, Remark::Acyclic]),
    ] {
        let listed = read(text).unwrap();
        assert!(listed.graph.undirected().is_none());
        assert_eq!(listed.remarks, remarks, "{text}");
    }
    for comment in ["# Directed graph (each unordered pair of nodes is saved once)", "% asym unweighted"] {
        let text = format!("{comment}\n1 2\n2 3\n3 1\n");
        let listed = read(&text).unwrap();
        assert!(
            listed.graph.undirected().is_some() && matches!(listed.remarks[..], [Remark::SaysDirected(_)]),
            "{text}"
        );
    }
    assert!(read("4 4 1\n1 2\n2 3\n3 4\n4 1\n").is_err());
    // The pairs and the lists of neighbours are the same triangle.
    assert_eq!(read("[[1, 2], [2, 0], [0, 1]]").unwrap().graph.n_edges(), 3);
    let node_link =
        "{\"directed\": false, \"graph\": {}, \"nodes\": [{}, {}], \"links\": [{\"source\": 0, \"target\": 1}]}";
    assert_eq!(read(node_link).unwrap().graph.n_edges(), 1);
    let said = |remark: Remark| remark.to_string();
    let looks = |both| {
        let ends = ["3", "1"].map(str::to_owned);
        said(Remark::LooksDirected { both, once: 2, ends, line: Some(4) })
    };
    assert!(looks(1).starts_with(
        "1 edge is listed in both directions and 2 in one, the first from 3 to 1 on line 4, so the graph looks directed"
    ));
    assert!(looks(0).starts_with(
        "vertex 1 is a neighbour of 3 on line 4, but the earlier line of 1 lacks 3, so the graph looks directed"
    ));
    let again = said(Remark::Parallel { noun: "edge", more: 2 });
    assert_eq!(again, "2 edges are listed again; parallel edges are merged");
    let first = "a".to_owned();
    assert_eq!(
        [0, 1].map(|more| said(Remark::Loops { first: first.clone(), more })),
        [
            "1 self-loop is ignored, at vertex \"a\": tours have no self-loops",
            "2 self-loops are ignored, the first at vertex \"a\": tours have no self-loops"
        ]
    );
    // The lines can be edges or METIS's neighbours. Both readings are the triangle, but not the same digraph.
    let triangle = "3 3\n2 3\n1 3\n1 2\n";
    let arcs = Reading { directedness: Directedness::Directed, ..Reading::default() };
    assert!(read(triangle).is_ok());
    assert!(matches!(arcs.of_text(triangle).unwrap_err().wrong, Wrong::Neighbours { .. }));
    let listed = arcs.of_file(triangle, Path::new("k3.graph")).unwrap();
    assert_eq!((listed.format, listed.graph.n_edges()), (Format::METIS, 6));
}
