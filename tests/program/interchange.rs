//! Formats of other programs: graphs in the formats of nauty, METIS, networkx and Graphviz, with vertex names; tours in
//! the TSPLIB format; formulas for pseudo-Boolean solvers.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::*;
use serde_json::json;

/// Wheel with four spokes and hub 0 in several formats, as networkx 3.6 writes it.
const WHEEL: [(&str, &str); 6] = [
    ("graph6", ">>graph6<<D|s\n"),
    ("sparse6", ">>sparse6<<:Da@_gC~\n"),
    ("adjlist", "#write.py\n# GMT Sun Nov 22 15:00:00 2026\n# \n0 1 2 3 4\n1 2 4\n2 3\n3 4\n4\n"),
    (
        "graphml",
        "<?xml version='1.0' encoding='utf-8'?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns \
         http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n  \
         <graph edgedefault=\"undirected\">\n    <node id=\"0\" />\n    <node id=\"1\" />\n    <node id=\"2\" />\n    \
         <node id=\"3\" />\n    <node id=\"4\" />\n    <edge source=\"0\" target=\"1\" />\n    \
         <edge source=\"0\" target=\"2\" />\n    <edge source=\"0\" target=\"3\" />\n    \
         <edge source=\"0\" target=\"4\" />\n    <edge source=\"1\" target=\"2\" />\n    \
         <edge source=\"1\" target=\"4\" />\n    <edge source=\"2\" target=\"3\" />\n    \
         <edge source=\"3\" target=\"4\" />\n  </graph>\n</graphml>\n",
    ),
    (
        "dot",
        "strict graph \"\" {\n0;\n1;\n2;\n3;\n4;\n0 -- 1;\n0 -- 2;\n0 -- 3;\n0 -- 4;\n1 -- 2;\n1 -- 4;\n2 -- 3;\n3 -- 4;\n}\n",
    ),
    ("matrix", "0 1 1 1 1\n1 0 1 0 1\n1 1 0 1 0\n1 0 1 0 1\n1 1 0 1 0\n"),
];

/// Edges of the wheel in DIMACS format.
const EDGES: &str = "p edge 5 8\ne 1 2\ne 1 3\ne 1 4\ne 1 5\ne 2 3\ne 2 5\ne 3 4\ne 4 5\n";

#[test]
fn what_others_write_is_recognised() {
    let metis = ("metis", "% wheel\n5 8\n2 3 4 5\n1 3 5\n1 2 4\n1 3 5\n1 2 4\n");
    for (format, wheel) in WHEEL.into_iter().chain([metis]) {
        let facts = feed("graph - --json", wheel).json(0);
        assert_eq!(facts["format"], format, "{facts}");
        let first = if ["matrix", "metis"].contains(&format) { "from-1" } else { "from-0" };
        assert_eq!(facts["numbering"], first, "{facts}");
        feed("graph - --to dimacs", wheel).prints(0, EDGES);
        let said = format!("graph - --to dimacs --graph-format {format}");
        feed(&said, wheel).prints(0, EDGES);
        feed("solve -", wheel).exits(10);
    }
}

#[test]
fn a_graph_goes_through_all_formats_and_back() {
    let folder = Place::new();
    let board = run("graph 5x6 --to dimacs").text(0);
    folder.write("board.col", &board);
    let mut last = "board.col".to_owned();
    for (ending, format) in [
        ("g6", "graph6"),
        ("s6.gz", "sparse6"),
        ("graph", "metis"),
        ("METIS", "metis"),
        ("adjlist.zst", "adjlist"),
        ("graphml", "graphml"),
        ("dot", "dot"),
        ("gv", "dot"),
        ("mat", "matrix"),
        ("adj", "matrix"),
        ("txt", "edges-header"),
        ("gml", "gml"),
        ("net", "pajek"),
        ("lp", "asp"),
        ("asp.gz", "asp"),
        ("hcp", "tsplib"),
    ] {
        let file = format!("board.{ending}");
        folder.run(&format!("graph {last} -o {file}")).exits(0);
        let facts = folder.run(&format!("graph {file} --json")).json(0);
        assert_eq!((&facts["format"], &facts["edges"]), (&format.into(), &62.into()));
        folder.run(&format!("graph {file} --to dimacs")).prints(0, &board);
        last = file;
    }
}

#[test]
fn help_lists_the_formats() {
    let help = run("help graph").text(0);
    for line in [
        "  graph6        nauty's graph6, one line per graph              .g6",
        "  metis         'N M' and a line of neighbours for each vertex  .graph .metis",
        "  dot           Graphviz's 'graph { a -- b }'                   .dot .gv",
        "  edges         a line 'U V' for each edge",
        "  asp           facts for clingo, 'node(1..3). edge(1,2).'      .lp .asp",
    ] {
        assert!(help.contains(&format!("{line}\n")), "{help}");
    }
    run("graph 6x6 -o a.json")
        .refuses("unknown graph file ending .json: use one of .col, .dimacs, .gr, .hcp,")
        .refuses(".gml, .net, .pajek, .lp, .asp, .mtx, .gexf, or choose a format with --to");
}

#[test]
fn one_graph_of_a_file_is_chosen_by_its_number() {
    let folder = Place::new();
    let file = folder.path("two.g6");
    // The file contains a triangle and a cycle of four vertices.
    fs::write(&file, ">>graph6<<\nBw\nCl\n").unwrap();
    assert_eq!(
        folder.run("sample-tour two.g6").refused(),
        "cannot read two.g6: the text contains 2 graphs; choose one with --graph-number 1, or write \"#1\" after the file name"
    );
    for args in ["count two.g6#2 --json", "count two.g6 --graph-number 2 --json"] {
        folder.run(args).has(0, json!({ "value": "1", "question": "two.g6#2" }));
    }
    let n = |args: &str| folder.run(&format!("graph {args} --json")).json(0)["vertices"].clone();
    assert_eq!([n("two.g6#1"), n("graph6:two.g6#2")], [3, 4]);
    assert_eq!(folder.run("solve two.g6#1+relabel=3 --json").json(10)["question"], "two.g6#1+relabel=3");
    let tours = feed("check - --graph two.g6#2", "0 1 2 3\n");
    assert_ne!(tours.code(), Some(0));
    for (args, said) in [
        ("solve two.g6#3", "cannot read two.g6: graph number 3 does not exist: the file has 2 graphs"),
        ("solve two.g6#1 --graph-number 2", "\"two.g6#1\" already has a graph number, which differs from 2"),
        ("solve two.g6#x", "\"two.g6#x\" is neither a board"),
        ("solve 6x6 --graph-number 2", "\"6x6\" is a board, so options for graph files do not apply"),
    ] {
        folder.run(args).refuses(said);
    }
    // If a file is called `two.g6#2`, the text means this file.
    folder.write("two.g6#2", "Bw\n");
    assert_eq!(n("two.g6#2"), 3);
    assert_eq!(
        folder.run("graph two.g6 --graph-number 2").refused(),
        "with these options, the name of the graph is \"./two.g6#2\", but a file with this name exists; rename the file \"./two.g6#2\""
    );
    // The worker and the rows of an experiment use the same text.
    folder.remove("two.g6#2");
    let compared = folder.run("compare two.g6#2 --methods auto,exact --json").json(0);
    assert_eq!(compared[0]["question"], "two.g6#2", "{compared}");
}

#[test]
fn arcs_make_a_graph_directed() {
    let folder = Place::with("arcs.gv", "digraph {\n a -> b -> c -> a\n}\n");
    let solved = folder.run("solve arcs.gv --json");
    let solved = solved.json(10);
    assert_eq!((&solved["question"], &solved["tour"]), (&"arcs.gv".into(), &json!(["a", "b", "c"])));
    // The other direction is not a tour, and a path follows the arcs.
    folder.write("cab.txt", "a c b\n");
    let checked = folder.run("check cab.txt --graph arcs.gv");
    checked.says(1, "move 1, a to c, is not an edge");
    assert_eq!(folder.run("count arcs.gv --open --json").json(0)["value"], "3");
    assert_eq!(folder.run("count arcs.gv").text(0).split(" (").next(), Some("arcs.gv: 1 closed tour, directed"));
    folder.write("arcs.txt", "1 2\n2 3\n3 1\n1 3\n");
    assert_eq!(folder.run("count arcs.txt --arcs --json").json(0)["question"], "arcs.txt+arcs");
    assert_eq!(folder.run("count arcs.txt+arcs --json").json(0)["value"], "1");
    // Written digraphs are read again.
    for format in ["dimacs", "graph6", "dot", "graphml", "gml", "pajek", "asp", "matrix"] {
        let written = folder.run(&format!("graph arcs.gv --to {format}"));
        let again = feed("count - --open --json", written.text(0));
        assert_eq!(again.json(0)["value"], "3", "{format}");
    }
    folder.run("graph arcs.gv --to metis").refuses("cannot express a directed graph");
    // A proof of a directed question is checked on the digraph.
    for proof in ["no.cert", "no.drat", "no.lrat"] {
        folder.run(&format!("solve dgnp:12,0.15:4 --proof {proof}")).exits(20);
        folder.run(&format!("verify dgnp:12,0.15:4 --proof {proof}")).exits(0);
    }
    folder.run("solve circulant:8:2,6 -e unary --proof native.drat").exits(20);
    folder.run("verify circulant:8:2,6 -e unary --proof native.drat").exits(0);
    // A proof from the clauses of the default encoding, which the user names, is about the digraph, and so is the advice.
    folder.write("two.gv", "digraph {1->2;2->3;3->1;4->5;5->6;6->4;1->4;2->5}");
    folder
        .run("solve two.gv -e precedence --proof named.drat")
        .exits(20)
        .notes("hamcnf verify 'two.gv' -e precedence --proof named.drat");
    for args in ["-e precedence --proof named.drat", "--proof unnamed.drat"] {
        if args.ends_with("unnamed.drat") {
            folder.run("solve two.gv --proof unnamed.drat").exits(20);
        }
        folder.run(&format!("verify two.gv {args}")).exits(0);
    }
    // A symmetric digraph stays one, so its tours count in both directions.
    let complete = folder.run("graph dgnp:4,1:0 --to graph6").text(0);
    assert_eq!(feed("count - --json", &complete).json(0)["value"], "6");
    for refusal in ["count arcs.gv --method zdd --list -", "count arcs.gv --open --by-start"] {
        folder.run(refusal).refused();
    }
    folder.run("sizes arcs.gv").says(0, "precedence");
    folder.run("solve arcs.gv --explain").says(0, "v-in, v and v-out");
    // A formula of a digraph is solved and decoded.
    assert!(folder.run("encode arcs.gv -e unary -o arcs.cnf").text(0).is_empty());
    let model = folder.run("solve arcs.gv -e unary --dimacs");
    folder.write("model.txt", model.text(10));
    assert_eq!(folder.run("decode arcs.cnf model.txt -q").text(10).lines().last(), Some("a b c"));
    for args in ["solve arcs.gv --undirected --json", "solve arcs.gv+undirected --json"] {
        let solved = folder.run(args);
        assert_eq!(solved.json(10)["question"], "arcs.gv+undirected");
        solved.notes_only("");
    }
    // Arcs in both directions become one edge, and the program says so.
    folder.write("both.col", "p sp 3 6\na 1 2 4\na 2 1 4\na 2 3 4\na 3 2 4\na 1 3 4\na 3 1 4\n");
    folder.write("both.txt", "1 2\n2 1\n2 3\n3 2\n1 3\n3 1\n");
    for name in ["both.col", "both.txt"] {
        folder.run(&format!("count {name}")).says(0, ": 1 closed tour, undirected");
        folder.run(&format!("count {name} -q")).notes_only("");
    }
    assert_eq!(
        folder.run("count both.txt").err(),
        "hamcnf: both.txt: every edge is listed in both directions, so the graph is read as undirected; use --arcs to keep the directions\n"
    );
    // In a plain list, the order of the two vertices says nothing about directions.
    let tournament = feed("graph - --json", "1 2\n2 3\n1 3\n3 4\n1 4\n2 4\n");
    assert_eq!(tournament.json(0)["edges"], 6);
    tournament.notes_only("");
}

#[test]
fn integer_weights_are_read_over_where_they_are_said_to_be_weights() {
    let weighted = "0 1 3\n1 2 5\n2 3 1\n3 0 4\n";
    let message = feed("solve -", weighted).refused();
    assert!(message.ends_with("remove the column, or pass --weights to ignore the column"), "{message}");
    feed("count - --weights --json", weighted).has(0, json!({ "value": "1", "question": "-+weights" }));
    let braces = "graph { a -- {b c}; b -- {c, d}; d -- c }";
    feed("count - --graph-format dot --json", braces).has(0, json!({ "value": "1" }));
    feed("solve - --weights --graph-format dot", weighted)
        .refuses("only lists of edges have weights in a third column");
}

#[test]
fn the_smallest_graphs_have_answers() {
    let one = "p edge 1 0\n";
    let two = "p edge 2 1\ne 1 2\n";
    let apart = "p edge 2 0\n";
    for (graph, closed, open) in [(one, 20, 10), (two, 20, 10), (apart, 20, 20)] {
        for method in ["auto", "lazy", "warnsdorff"] {
            feed(&format!("solve - --method {method}"), graph).says(closed, "there is no tour: ");
            feed(&format!("solve - --open --method {method}"), graph).exits(open);
        }
    }
    for (graph, open) in [(one, 1), (two, 2), (apart, 0)] {
        for method in ["exact", "treewidth", "zdd", "timeslice", "sample"] {
            let count = |args: &str| feed(&format!("count - --json --method {method}{args}"), graph).json(0);
            assert_eq!(count("")["value"], "0", "{method}");
            if method != "timeslice" {
                assert_eq!(count(" --open")["value"], open.to_string(), "{method}");
            }
        }
    }
    run("solve 1x1 --open").says(10, "a tour, checked");
    run("solve 1x2").exits(20);
    // Without a tour, the formula is the empty clause. The open tour of one vertex needs no clauses.
    feed("encode -", two).ends(0, "c t mc\np cnf 0 1\n0\n");
    feed("encode - --format opb", two).says(0, "#constraint= 1");
    run("encode 1x1 --open --start a1").ends(0, "p cnf 0 0\n");
    // Two arcs between the same vertices, one in each direction, are not a cycle.
    let folder = Place::new();
    let proof = folder.path("proof.cert");
    feed(&format!("solve - --proof {}", proof.display()), two).exits(20);
    feed(&format!("verify - --proof {}", proof.display()), two).exits(0);
}

#[test]
fn formulas_are_not_written_to_files_that_are_named_like_graphs() {
    let folder = Place::new();
    for name in ["x.g6", "x.png", "x.graphml.gz"] {
        folder.run(&format!("encode 4x4 -o {name}")).refuses("or pass --format cnf or --format opb");
        assert!(!folder.has(name));
    }
    for name in ["x", "x.txt", "x.dimacs", "x.cnf.gz", "x.formula", "x.g6 --format cnf"] {
        folder.run(&format!("encode 4x4 -o {name}")).exits(0);
    }
}

/// Pentagon whose vertices are named after towns.
const TOWNS: &str =
    "graph towns {\n  node [shape=circle];\n  Ulm -- Bonn -- \"St.Gallen\" -- Köln -- 7;\n  7 -- Ulm [weight=3];\n}\n";

#[test]
fn vertices_keep_the_names_of_a_file() {
    let folder = Place::with("towns.dot", TOWNS);
    let solved = folder.run("solve towns.dot --from Köln").text(10);
    assert!(solved.contains("towns.dot, closed tours, start Köln: a tour"), "{solved}");
    let lists = ["Köln 7 Ulm Bonn St.Gallen\n", "Köln St.Gallen Bonn Ulm 7\n"];
    assert!(lists.iter().any(|list| solved.contains(list)), "{solved}");
    // The program checks its own output in every form against the graph.
    folder.write("tour.txt", &solved);
    folder.run("check tour.txt --graph towns.dot").says(0, "start Köln: a tour that visits all 5 vertices once");
    let open = folder.run("solve towns.dot --from Ulm --to Bonn --json");
    let tour = open.json(10);
    assert_eq!(tour["details"]["start"], "Ulm");
    assert_eq!(tour["tour"][4], "Bonn");
    assert_eq!(tour["numbering"], "names");
    folder.write("tour.json", open.text(10));
    folder.run("check tour.json").says(0, "start Ulm: a tour that visits all 5 vertices once");
    let other = open.text(10).replace("\"St.Gallen\"", "\"Ulm\"");
    folder.write("tour.json", other);
    folder.run("check tour.json").says(1, "move 3, Köln to Ulm, is not an edge");
    for (args, message) in [
        (
            "solve towns.dot --start Rom",
            "\"Rom\" is not a vertex of towns.dot; the names of the vertices are Ulm, Bonn, St.Gallen and 2 more",
        ),
        ("solve towns.dot --start 1", "\"1\" is not a vertex of towns.dot; the names of the vertices are"),
    ] {
        assert!(folder.run(args).refused().starts_with(message));
    }
    let nothing = folder.feed("check - --graph towns.dot", "Ulm Bonn Rom\n");
    assert!(nothing.refused().ends_with("no tour found: no line contains only vertex names"));
    // The names appear in a formula, in a question, in rows that are measured again, and in the jobs of child
    // processes.
    let cnf = folder.run("encode towns.dot --varnames").text(0);
    assert!(cnf.contains("c varname 1 H(Ulm,Bonn)\n"), "{cnf}");
    folder.write("towns.cnf", cnf);
    let answer = folder.run("solve towns.dot -e binary --dimacs").text(10);
    folder.write("answer", answer);
    folder.run("decode towns.cnf answer").says(10, "start Ulm: a tour");
    folder.run("count towns.dot --open --by-start").says(0, "St.Gallen");
    let rows = folder.run("sizes towns.dot --open --start Bonn -e direct --format csv").text(0);
    assert!(rows.contains("towns.dot open from Bonn"), "{rows}");
    folder.write("rows.csv", rows);
    folder.run("sizes --check rows.csv").exits(0);
    let compared = folder.run("compare towns.dot --open --start Köln -m direct,auto,exact --format csv").text(0);
    let answered = |status: &str| compared.matches(status).count();
    assert_eq!((answered(",tour,"), answered(",count,2,")), (2, 1), "{compared}");
    folder.run("graph towns.dot").says(0, "read as dot, vertices with names\n");
    assert_eq!(folder.run("graph towns.dot --json").json(0)["numbering"], "names");
}

#[test]
fn names_go_from_format_to_format() {
    let folder = Place::with("a.dot", TOWNS);
    folder.run("graph a.dot -o b.graphml").exits(0);
    assert!(folder.read("b.graphml").contains("<node id=\"Köln\"/>"));
    folder.run("graph b.graphml -o c.adjlist").exits(0);
    let list = folder.read("c.adjlist");
    assert_eq!(list, "# adjlist\nUlm Bonn 7\nBonn St.Gallen\nSt.Gallen Köln\nKöln 7\n7\n");
    folder.run("graph c.adjlist -o d.gv").exits(0);
    let dot = folder.read("d.gv");
    assert!(dot.contains("  \"St.Gallen\" -- \"Köln\";\n"), "{dot}");
    let same = |file: &str| folder.run(&format!("graph {file} --json")).json(0)["graph_crc32"].clone();
    assert_eq!(same("a.dot"), same("d.gv"));
    // Vertices without names have numbers: from 1, or as in the file.
    let numbers = "graph { 0 -- 1 -- 2 -- 0 }";
    feed("graph - --to metis", TOWNS).prints(0, "% metis\n5 5\n2 5\n1 3\n2 4\n3 5\n1 4\n");
    feed("graph - --to dot", numbers).prints(0, "graph {\n  0;\n  1;\n  2;\n  0 -- 1;\n  0 -- 2;\n  1 -- 2;\n}\n");
    feed("graph - --to dimacs", numbers).prints(0, "p edge 3 3\ne 1 2\ne 1 3\ne 2 3\n");
    let said = feed("graph - --to adjlist", "graph { \"#b\" -- c }").refused();
    assert!(said.ends_with("the format \"adjlist\" cannot contain the vertex name \"#b\""), "{said}");
    // A name with spaces becomes one word. If two names would then be equal, the vertices are numbered instead.
    let blanks = "graph { \"New York\" -- Rom -- \"a,b\" -- \"New York\" }";
    let solved = feed("solve - --from New_York", blanks);
    let said = "hamcnf: standard input: name \"New York\" has spaces, which become underscores\n";
    solved.notes_only(said);
    solved.says(10, "start New_York: a tour");
    let blanks = "graph { \"a b\" -- Rom -- \"a,b\" -- \"a b\" }";
    let solved = feed("solve - --from 2", blanks);
    let said = "hamcnf: standard input: two vertices have the name \"a_b\", so vertices are numbered from 1 in the order of the file\n";
    solved.notes_only(said);
    solved.says(10, "start 2: a tour");
}

#[test]
fn the_ending_decides_what_the_text_does_not() {
    let folder = Place::new();
    // The adjacency list of a pentagon can also be read as the edge list of another pentagon.
    let pentagon = "5 5\n2 5\n1 3\n2 4\n3 5\n4 1\n";
    let edge = |args: &str| folder.run(&format!("graph {args} --to dimacs")).text(0);
    for name in ["a.graph", "a.METIS", "a.metis.gz"] {
        folder.write(name, pentagon);
        assert!(edge(name).contains("e 1 5\n"), "{name}");
    }
    let unclear = folder.write("a.txt", pentagon);
    let said = folder.run(&format!("graph {unclear}")).refused();
    assert!(said.ends_with("choose the format with --graph-format edges-header or --graph-format metis"), "{said}");
    assert!(edge("a.txt --graph-format metis").contains("e 1 5\n"));
    assert!(!edge("a.txt --graph-format edges-header").contains("e 1 5\n"));
    assert!(!edge("edges-header:a.txt").contains("e 1 5\n"));
    // The file may be METIS with an isolated vertex, or an adjacency list with one edge.
    let either = "3 1\n2\n1\n\n";
    folder.write("b.txt", either);
    let said = folder.run("graph b.txt").refused();
    assert_eq!(
        said,
        "cannot read b.txt: the text fits several formats, which give different graphs: metis or adjlist; choose the format with --graph-format metis \
         or --graph-format adjlist"
    );
    folder.write("b.adjlist", either);
    assert!(edge("b.adjlist").contains("e 1 3\n"));
    folder.write("b.metis", either);
    assert!(edge("b.metis").contains("e 1 2\n"));
    // A truncated list of edges is not read as the adjacency list of a path unless the user requests this format.
    let path = "0 1\n1 2\n2 3\n3\n";
    folder.write("c.txt", path);
    folder
        .run("graph c.txt")
        .refuses("as \"edges\", line 4: \"3\" is not an edge")
        .refuses("as \"adjlist\", line 4: the last line may be a truncated edge; is the file complete?");
    folder.write("c.adjlist", path);
    assert!(edge("c.adjlist").ends_with("e 3 4\n"));
    folder.write("d.txt", format!("#write.py\n# GMT Sun Nov 22 15:00:00 2026\n# \n{path}"));
    assert!(edge("d.txt").ends_with("e 3 4\n"));
    // If the content is unambiguous, the file name extension has no effect.
    folder.write("e.g6", "p edge 2 1\ne 1 2\n");
    assert_eq!(folder.run("graph e.g6 --json").json(0)["format"], "dimacs");
}

#[test]
fn what_is_wrong_is_said_with_line_and_format() {
    let folder = Place::new();
    for (format, graph, message) in [
        ("g6", "D~\n", "line 1: a graph with 5 vertices needs 2 characters after the number of vertices, but 1 follow"),
        ("g6", "D Q\n", "line 1: \"D Q\" is not a graph6 string, which has characters from ? to ~"),
        (
            "g6",
            "&DQ\n",
            "line 1: a graph with 5 vertices needs 5 characters after the number of vertices, but 1 follow",
        ),
        ("g6", "Bh\n", "line 1: \"Bh\" is not a graph6 string, which has characters from ? to ~"),
        ("s6", ";Bd\n", "line 1: incremental sparse6 without a graph in the line before is not supported"),
        ("metis", "3 2\n2\n1 3\n", "line 3: 2 is adjacent to 3, but 3 is not adjacent to 2"),
        ("metis", "3 2\n2\n1\n\n", "line 1: the header announces 2 edges, but 1 follow"),
        ("metis", "4 1\n2\n1\n", "line 1: expected 4 lines, one per vertex, but found 2"),
        ("metis", "2 1\n2\n1\n3\n", "line 1: expected 2 lines, one per vertex, but found 3"),
        ("metis", "2 1\n3\n1\n", "line 2: vertex 3 is out of range: the vertices are 1 to 2"),
        ("metis", "2 1 1\n2\n1\n", "line 2: \"2\" is not a vertex's weights and neighbours, as the header announces"),
        ("metis", "2 1 7\n2\n1\n", "line 1: \"2 1 7\" is not \"VERTICES EDGES\", optionally followed by a number"),
        ("adjlist", "a b\na c\n", "line 2: vertex a has two lines; join them"),
        ("graphml", "<graphml>\n<graph>\n<node/></graph></graphml>", "line 3: \"<node>\" is not a node with an id"),
        (
            "graphml",
            "<graphml><graph>\n<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>\n</graph></graphml>",
            "line 3: node \"b\" is not declared",
        ),
        ("graphml", "<graphml><graph>\n<node id=\"a\"/>", "missing end of the document; is the file complete?"),
        (
            "graphml",
            "<graphml><graph/><graph/></graphml>",
            "the text contains 2 graphs; choose one with --graph-number 1",
        ),
        ("graphml", "<graphml>\n<graph></graphml>", "line 2: not valid XML: "),
        ("graphml", "<html/>", "line 1: XML with the first element \"html\" is not supported"),
        ("dot", "graph {\na -- b\n", "missing \"}\" at the end; is the file complete?"),
        ("dot", "graph {\na -- ;\n}", "line 2: \";\" is not the name of a vertex"),
        ("dot", "graph { a }\ngraph { b }", "the text contains 2 graphs; choose one with --graph-number 1"),
        ("mat", "0 1 0\n1 0 1\n0 1\n", "line 3: the row has 2 entries, but the first row has 3"),
        ("mat", "0 1 0\n1 0 1\n", "line 2: expected 3 lines, one per vertex, but found 2"),
        ("mat", "0 2\n2 0\n", ""),
        ("mat", "0 a\n", "line 1: \"0 a\" is not a row of 0 and 1"),
    ] {
        let name = format!("a.{format}");
        folder.write(&name, graph);
        let output = folder.run(&format!("graph {name}"));
        // If the expected message is empty, the text is a list of edges that joins 0 to 2.
        if message.is_empty() {
            assert_eq!(folder.run(&format!("graph {name} --json")).json(0)["format"], "edges");
            continue;
        }
        output.refused_with(format!("cannot read {name}: {message}"));
    }
    // `sample-tour` asks for a choice; `graph` describes all graphs.
    folder.write("several.g6", "DQc\nDQo\nDQw\n");
    assert_eq!(
        folder.run("sample-tour several.g6").refused(),
        "cannot read several.g6: the text contains 3 graphs; choose one with --graph-number 1, or write \"#1\" after the file name"
    );
    folder.run("graph several.g6 --format csv").exits(0).lines(1 + 3);
    folder.run("graph several.g6 --to sparse6").exits(0).lines(3);
    feed("graph -", "1 2 3\n2 3 1\n3 9\n")
        .refuses("as \"edges\", line 1: \"1 2 3\" is not an edge \"VERTEX VERTEX\"; as \"metis\", line 1: ");
    let said = feed("graph -", "* #variable= 1 #constraint= 1\n+1 x1 >= 1 ;\n").refused();
    assert!(said.ends_with("line 1: the text is a pseudo-Boolean formula, not a graph"), "{said}");
}

#[test]
fn short_files_that_claim_large_graphs_take_no_memory() {
    let folder = Place::new();
    let isolated = "at most 65536 vertices without an edge are supported";
    for (format, graph, message) in [
        ("graph6", "~~?@?????\n", "need"),
        ("graph6", "~~~~~~~~\n", "vertices are too many; at most 16777216 are supported"),
        ("graph6", "~}}}\n", "need"),
        ("sparse6", ":~~?A?????\n", "vertices are too many; at most 16777216 are supported"),
        ("sparse6", ":~~?@?????\n", isolated),
        ("sparse6", ":~~??~~~~\n", isolated),
        ("metis", "1000000000 1\n2\n1\n", "1000000000 vertices are too many; at most 16777216 are supported"),
        ("metis", "16777216 1\n2\n1\n", "expected 16777216 lines, one per vertex, but found 2"),
        ("metis", "2 99999999999999999999\n2\n1\n", "is not \"VERTICES EDGES\""),
        ("metis", "2 1 10 18446744073709551615\n2\n1\n", "is not a vertex's weights"),
    ] {
        folder.write("FILE", graph);
        let began = Instant::now();
        let output = folder.run_after("ulimit -v 409600", &format!("graph FILE --graph-format {format}"));
        assert!(began.elapsed() < Duration::from_secs(10), "{graph}");
        output.refuses(message);
    }
}

/// Returns a closed tour of the 6x6 board, as LKH would write it.
fn of_lkh(order: &[u64]) -> String {
    let mut text = format!(
        "NAME : graph.{0}.tour\nCOMMENT : Length = 0\nCOMMENT : Found by LKH-3 [Keld Helsgaun] Sun Nov 22\nTYPE : TOUR\n\
         DIMENSION : {0}\nTOUR_SECTION\n",
        order.len()
    );
    order.iter().for_each(|v| text += &format!("{}\n", v + 1));
    text + "-1\nEOF\n"
}

#[test]
fn tours_are_written_and_read_as_tsplib_has_them() {
    let folder = Place::new();
    folder.run("solve 6x6 --from c3 --render a.tour --render a.json").exits(10);
    let tour = folder.read("a.tour");
    assert!(
        tour.starts_with(
            "NAME : 6x6\nCOMMENT : 6x6 knight, closed tours, start c3\nTYPE : TOUR\nDIMENSION : 36\nTOUR_SECTION\n15\n"
        ),
        "{tour}"
    );
    assert!(tour.ends_with("\n-1\nEOF\n"), "{tour}");
    folder.run("check a.tour").prints(
        0,
        "a.tour: 6x6 knight, closed tours, start c3: a tour that visits all 36 squares once with 36 valid moves\n",
    );
    // The tour can be converted to another format and back.
    folder.run("show a.tour -o b.json").exits(0);
    let order = |file: &str| -> Vec<u64> {
        let tour: Value = serde_json::from_str(&folder.read(file)).unwrap();
        let names = tour["tour"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().as_bytes());
        names.map(|name| u64::from((name[1] - b'1') * 6 + name[0] - b'a')).collect()
    };
    assert_eq!(order("a.json"), order("b.json"));
    folder.run("show b.json -o c.tour").exits(0);
    assert_eq!(folder.read("c.tour"), tour);
    folder.run("show a.tour b.json -o both.tour").exits(0);
    assert_eq!(folder.run("check both.tour").text(0).lines().count(), 2);
    // Also tests open tours, other pieces, and boards with holes.
    for args in ["5x5 --open --start c3", "leaper:2,3:10x10", "8x8-a1-b1", "4x5 --open"] {
        folder.run(&format!("solve {args} --render d.tour")).exits(10);
        folder.run("check d.tour").ends(0, "valid moves\n");
    }
    // A tour by LKH does not name its graph.
    folder.write("lkh.tour", of_lkh(&order("a.json")));
    let said = folder.run("check lkh.tour").refused();
    assert!(said.ends_with("the text does not name a board; name the board or graph with --graph"), "{said}");
    folder.run("graph 6x6 -o 6x6.hcp").exits(0);
    let checked = folder.run("check lkh.tour --graph 6x6.hcp").text(0);
    assert!(checked.contains("6x6.hcp, closed tours, start 15: a tour that visits all 36 vertices once"), "{checked}");
    folder.run("show lkh.tour --graph 6x6.hcp -o lkh.svg").exits(0);
    folder.run("decode 6x6 lkh.tour --render e.tour").begins(10, "6x6 knight, closed tours, start a1: a tour, checked");
    folder.run("check e.tour").exits(0);
    // A .sol file of Concorde has the number of vertices, then the vertices from 0.
    let numbers: Vec<_> = order("a.json").iter().map(u64::to_string).collect();
    let lines: Vec<_> = numbers.chunks(10).map(|line| line.join(" ")).collect();
    folder.write("concorde.sol", format!("36\n{}\n", lines.join("\n")));
    folder.run("decode 6x6 concorde.sol").begins(10, "6x6 knight, closed tours, start a1: a tour, checked");
    let wrong = of_lkh(&(0..36).collect::<Vec<_>>());
    folder.write("wrong.tour", &wrong);
    let said = folder.run("decode 6x6 wrong.tour").refused();
    assert!(
        said.ends_with("the tour in wrong.tour is not a tour of 6x6: move 1, a1 to b1, is not a knight's move"),
        "{said}"
    );
    folder.run("check wrong.tour --graph 6x6.hcp").says(1, "not a tour: move 1, 1 to 2, is not an edge");
    for (from, to, message) in [
        ("DIMENSION : 36", "DIMENSION : 35", "line 43: DIMENSION is 35, but the tour that ends here has 36 vertices"),
        ("\n17\n", "\nx\n", "line 23: \"x\" is neither a vertex number (from 1) nor -1 after the last vertex"),
        ("TYPE : TOUR", "TYPE : TSP", "line 4: \"TYPE : TSP\" is not supported; the file must have TYPE TOUR"),
        ("\n36\n-1\nEOF\n", "\n", "line 41: missing -1 after the tour; is the file complete?"),
    ] {
        folder.write("broken.tour", wrong.replace(from, to));
        folder.run("check broken.tour").refuses(message);
    }
    // Edges that every tour uses are kept.
    let fixed = "NAME : graph\nTYPE : HCP\nDIMENSION : 4\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n\
                 1 2\n1 3\n1 4\n2 3\n2 4\n3 4\n-1\nFIXED_EDGES_SECTION\n1 3\n-1\nEOF\n";
    folder.write("fixed.hcp", fixed);
    folder.run("graph fixed.hcp -o again.hcp").exits(0);
    assert_eq!(folder.read("again.hcp"), fixed);
    // In a `.tour` file, vertices are numbered from 1 even if the graph names them.
    folder.write("towns.dot", TOWNS);
    folder.run("solve towns.dot --render towns.tour").exits(10);
    folder.run("check towns.tour --graph towns.dot").says(0, "start Ulm: a tour");
    // The comment names the kind of tours. Without it, the last vertex decides, unless --open is given.
    folder.run("solve cycle:5 --open --start 1 --render path.tour").exits(10);
    let path = folder.read("path.tour");
    folder.write("bare.tour", path.lines().filter(|line| !line.starts_with("COMMENT")).collect::<Vec<_>>().join("\n"));
    for (arguments, kind) in [
        ("path.tour --graph cycle:5", "open tours, start 1: a tour that visits all 5 vertices once with 4 valid moves"),
        (
            "bare.tour --graph cycle:5",
            "closed tours, start 1: a tour that visits all 5 vertices once with 5 valid moves",
        ),
        (
            "bare.tour --graph cycle:5 --open",
            "open tours, start 1: a tour that visits all 5 vertices once with 4 valid moves",
        ),
    ] {
        folder.run(&format!("check {arguments}")).says(0, kind);
    }
    folder.run("check bare.tour --graph 'cycle:5 open'").refuses("name only the board or the graph, and add --open");
    run("queens 8 solve --render a.tour").refuses("a.tour: a .tour file is for tours, not for placements of queens");
}

#[test]
fn formulas_are_written_for_pseudo_boolean_solvers() {
    let folder = Place::new();
    folder.run("encode 6x6 -o 6x6.opb").exits(0);
    let opb = folder.read("6x6.opb");
    let mut lines = opb.lines();
    let header: Vec<_> = lines.next().unwrap().split(' ').collect();
    let ["*", "#variable=", variables, "#constraint=", constraints] = header[..] else {
        panic!("{header:?}");
    };
    assert_eq!(variables, "370");
    let all: Vec<_> = lines.clone().filter(|line| !line.starts_with('*')).collect();
    assert_eq!(all.len(), constraints.parse::<usize>().unwrap());
    // Degree constraints are not split into clauses: there are 36 for successors and 36 for predecessors.
    assert_eq!(all.iter().filter(|line| line.ends_with(" = 1 ;")).count(), 72);
    assert_eq!(all[0], "+1 x1 +1 x2 = 1 ;");
    assert!(opb.contains("* question 6x6\n* encoding binary\n"), "{opb}");
    folder.run("encode 6x6 --format opb").prints(0, opb);
    folder.run("encode 6x6 --format cnf").begins(0, "c hamcnf ");
    folder.run("encode 6x6 -o packed.opb.gz --varnames").exits(0);
    // The answer has the form of a pseudo-Boolean solver's output: without a final 0, and with any values for auxiliary
    // variables.
    let model = folder.run("solve 6x6 -e binary --dimacs").text(10);
    let values = model.lines().filter_map(|line| line.strip_prefix("v "));
    let values = values.flat_map(str::split_whitespace).filter(|word| *word != "0");
    let named = values.map(|word| match word.strip_prefix('-') {
        Some(variable) => format!("-x{variable}"),
        None => format!("x{word}"),
    });
    let named: Vec<_> = named.collect();
    let answer = format!("c a solver\ns SATISFIABLE\nv {}\n", named.join(" "));
    folder.write("answer", &answer);
    for file in ["6x6.opb", "packed.opb.gz"] {
        folder.run(&format!("decode {file} answer")).begins(10, "6x6 knight, closed tours, start a1: a tour, checked");
    }
    folder.write("none", "s UNSATISFIABLE\n");
    folder.run("decode 6x6.opb none").exits(20);
    // The header announces all variables that occur, and decoding knows that auxiliary variables do not.
    for (question, head) in [
        ("1x1", "* #variable= 1 #constraint= 1"),
        ("2x2 -e counting", "* #variable= 1 #constraint= 11"),
        ("1x1 --open", "* #variable= 0 #constraint= 0"),
        ("6x6 --at-most-one ladder", "* #variable= 370 #constraint= 4941"),
    ] {
        folder.run(&format!("encode {question} -o any.opb")).exits(0);
        let written = folder.read("any.opb");
        assert_eq!(written.lines().next().unwrap(), head, "{question}");
        folder.run("decode any.opb none").exits(20);
    }
    let without: Vec<_> = named.iter().filter(|word| !word.ends_with("x7")).collect();
    assert_eq!(without.len() + 1, named.len());
    let without: Vec<_> = without.into_iter().cloned().collect();
    folder.write("short", format!("s SATISFIABLE\nv {}\n", without.join(" ")));
    folder.run("decode 6x6.opb short").refuses("the model has no value for variable 7 of 370");
    folder.run("encode 6x6 --project arcs -o a.opb").refused_with("--project needs --format cnf");
    assert!(!folder.has("a.opb"));
    let said = folder.run("graph 6x6.opb").refused();
    assert!(said.ends_with("the text is a pseudo-Boolean formula, not a graph"), "{said}");
}
