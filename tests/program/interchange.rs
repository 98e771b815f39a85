//! Formats of other programs: graphs in the formats of nauty, METIS, networkx and Graphviz, with vertex names; tours in
//! the TSPLIB format; formulas for pseudo-Boolean solvers.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{feed, hamcnf, refused, run, run_in, stderr, stdout, text};

/// Folder for the files of a test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file in the folder and returns its path.
    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, args: &str) -> Output {
        run_in(self.0.path(), args)
    }
}

fn json(output: &Output, code: i32) -> Value {
    serde_json::from_str(&text(output, code)).unwrap()
}

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
        let facts = json(&feed("graph - --json", wheel), 0);
        assert_eq!(facts["format"], format, "{facts}");
        let first = if ["matrix", "metis"].contains(&format) { "from-1" } else { "from-0" };
        assert_eq!(facts["numbering"], first, "{facts}");
        assert_eq!(text(&feed("graph - --to dimacs", wheel), 0), EDGES, "{format}");
        let said = format!("graph - --to dimacs --graph-format {format}");
        assert_eq!(text(&feed(&said, wheel), 0), EDGES, "{format}");
        let solved = feed("solve -", wheel);
        assert_eq!(solved.status.code(), Some(10), "{}", stderr(&solved));
    }
}

#[test]
fn a_graph_goes_through_all_formats_and_back() {
    let folder = Folder::new();
    let board = text(&run("graph 5x6 --to dimacs"), 0);
    folder.file("board.col", &board);
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
        text(&folder.run(&format!("graph {last} -o {file}")), 0);
        let facts = json(&folder.run(&format!("graph {file} --json")), 0);
        assert_eq!((&facts["format"], &facts["edges"]), (&format.into(), &62.into()));
        let again = folder.run(&format!("graph {file} --to dimacs"));
        assert_eq!(text(&again, 0), board, "{file}");
        last = file;
    }
    // Graphs with isolated vertices, and graphs with one or two vertices.
    for graph in ["p edge 1 0\n", "p edge 2 0\n", "p edge 4 1\ne 2 4\n", "p edge 2 1\ne 1 2\n"] {
        for format in ["graph6", "sparse6", "metis", "adjlist", "graphml", "dot", "matrix", "gml", "pajek", "asp"] {
            let written = feed(&format!("graph - --to {format}"), graph);
            let facts = json(&feed("graph - --json", &written.stdout), 0);
            assert_eq!(facts["format"], format);
            let again = feed("graph - --to dimacs", &written.stdout);
            assert_eq!(text(&again, 0), graph, "{}", stdout(&written));
        }
    }
}

#[test]
fn help_lists_the_formats() {
    let help = text(&run("help graph"), 0);
    for line in [
        "  graph6        nauty's graph6, one line per graph              .g6",
        "  metis         'N M' and a line of neighbours for each vertex  .graph .metis",
        "  dot           Graphviz's 'graph { a -- b }'                   .dot .gv",
        "  edges         a line 'U V' for each edge",
        "  asp           facts for clingo, 'node(1..3). edge(1,2).'      .lp .asp",
    ] {
        assert!(help.contains(&format!("{line}\n")), "{help}");
    }
    let said = refused(&run("graph 6x6 -o a.json"));
    assert!(said.contains("unknown graph file ending .json: use one of .col, .dimacs, .gr, .hcp,"), "{said}");
    assert!(said.contains(".gml, .net, .pajek, .lp, .asp, .mtx, .gexf, or choose a format with --to"), "{said}");
}

#[test]
fn one_graph_of_a_file_is_chosen_by_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.g6");
    // The file contains a triangle and a cycle of four vertices.
    fs::write(&file, ">>graph6<<\nBw\nCl\n").unwrap();
    let on = |args: &str| run_in(folder.path(), args);
    assert_eq!(
        refused(&on("sample-tour two.g6")),
        "cannot read two.g6: the text contains 2 graphs; choose one with --graph-number 1, or write \"#1\" after the file name"
    );
    for args in ["count two.g6#2 --json", "count two.g6 --graph-number 2 --json"] {
        let counted = json(&on(args), 0);
        assert_eq!(counted["value"], "1", "{counted}");
        assert_eq!(counted["question"], "two.g6#2", "{counted}");
    }
    let n = |args: &str| json(&on(&format!("graph {args} --json")), 0)["vertices"].clone();
    assert_eq!([n("two.g6#1"), n("graph6:two.g6#2")], [3, 4]);
    assert_eq!(json(&on("solve two.g6#1+relabel=3 --json"), 10)["question"], "two.g6#1+relabel=3");
    let tours = feed("check - --graph two.g6#2", "0 1 2 3\n");
    assert_ne!(tours.status.code(), Some(0));
    for (args, said) in [
        ("solve two.g6#3", "cannot read two.g6: graph number 3 does not exist: the file has 2 graphs"),
        ("solve two.g6#1 --graph-number 2", "\"two.g6#1\" already has a graph number, which differs from 2"),
        ("solve two.g6#x", "\"two.g6#x\" is neither a board"),
        ("solve 6x6 --graph-number 2", "\"6x6\" is a board, so options for graph files do not apply"),
    ] {
        let message = refused(&on(args));
        assert!(message.contains(said), "{message}");
    }
    // If a file is called `two.g6#2`, the text means this file.
    fs::write(folder.path().join("two.g6#2"), "Bw\n").unwrap();
    assert_eq!(n("two.g6#2"), 3);
    assert_eq!(
        refused(&on("graph two.g6 --graph-number 2")),
        "with these options, the name of the graph is \"./two.g6#2\", but a file with this name exists; rename the file \"./two.g6#2\""
    );
    // The worker and the rows of an experiment use the same text.
    fs::remove_file(folder.path().join("two.g6#2")).unwrap();
    let compared = json(&on("compare two.g6#2 --methods auto,exact --json"), 0);
    assert_eq!(compared[0]["question"], "two.g6#2", "{compared}");
}

#[test]
fn arcs_make_a_graph_directed() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let on = |args: &str| run_in(folder.path(), args);
    file("arcs.gv", "digraph {\n a -> b -> c -> a\n}\n");
    let solved = on("solve arcs.gv --json");
    let solved = json(&solved, 10);
    assert_eq!((&solved["question"], &solved["tour"]), (&"arcs.gv".into(), &serde_json::json!(["a", "b", "c"])));
    // The other direction is not a tour, and a path follows the arcs.
    file("cab.txt", "a c b\n");
    let checked = on("check cab.txt --graph arcs.gv");
    assert!(text(&checked, 1).contains("move 1, a to c, is not an edge"));
    assert_eq!(json(&on("count arcs.gv --open --json"), 0)["value"], "3");
    assert_eq!(text(&on("count arcs.gv"), 0).split(" (").next(), Some("arcs.gv: 1 closed tour, directed"));
    file("arcs.txt", "1 2\n2 3\n3 1\n1 3\n");
    assert_eq!(json(&on("count arcs.txt --arcs --json"), 0)["question"], "arcs.txt+arcs");
    assert_eq!(json(&on("count arcs.txt+arcs --json"), 0)["value"], "1");
    // Written digraphs are read again.
    for format in ["dimacs", "graph6", "dot", "graphml", "gml", "pajek", "asp", "matrix"] {
        let written = on(&format!("graph arcs.gv --to {format}"));
        let again = feed("count - --open --json", text(&written, 0));
        assert_eq!(json(&again, 0)["value"], "3", "{format}");
    }
    assert!(refused(&on("graph arcs.gv --to metis")).contains("cannot express a directed graph"));
    // A proof of a directed question is checked on the digraph.
    for proof in ["no.cert", "no.drat", "no.lrat"] {
        let none = on(&format!("solve dgnp:12,0.15:4 --proof {proof}"));
        assert_eq!(none.status.code(), Some(20), "{}", stderr(&none));
        assert_eq!(on(&format!("verify dgnp:12,0.15:4 --proof {proof}")).status.code(), Some(0), "{proof}");
    }
    let none = on("solve circulant:8:2,6 -e unary --proof native.drat");
    assert_eq!(none.status.code(), Some(20));
    let verified = on("verify circulant:8:2,6 -e unary --proof native.drat");
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    // A proof from the clauses of the default encoding, which the user names, is about the digraph, and so is the advice.
    file("two.gv", "digraph {1->2;2->3;3->1;4->5;5->6;6->4;1->4;2->5}");
    let none = on("solve two.gv -e precedence --proof named.drat");
    assert_eq!(none.status.code(), Some(20));
    assert!(stderr(&none).contains("hamcnf verify 'two.gv' -e precedence --proof named.drat"), "{}", stderr(&none));
    for args in ["-e precedence --proof named.drat", "--proof unnamed.drat"] {
        if args.ends_with("unnamed.drat") {
            assert_eq!(on("solve two.gv --proof unnamed.drat").status.code(), Some(20));
        }
        let verified = on(&format!("verify two.gv {args}"));
        assert_eq!(verified.status.code(), Some(0), "{args}: {}", stderr(&verified));
    }
    // A symmetric digraph stays one, so its tours count in both directions.
    let complete = text(&on("graph dgnp:4,1:0 --to graph6"), 0);
    assert_eq!(json(&feed("count - --json", &complete), 0)["value"], "6");
    for refusal in ["count arcs.gv --method zdd --list -", "count arcs.gv --open --by-start"] {
        refused(&on(refusal));
    }
    assert!(text(&on("sizes arcs.gv"), 0).contains("precedence"));
    assert!(text(&on("solve arcs.gv --explain"), 0).contains("v-in, v and v-out"));
    // A formula of a digraph is solved and decoded.
    assert!(text(&on("encode arcs.gv -e unary -o arcs.cnf"), 0).is_empty());
    let model = on("solve arcs.gv -e unary --dimacs");
    file("model.txt", &text(&model, 10));
    assert_eq!(text(&on("decode arcs.cnf model.txt -q"), 10).lines().last(), Some("a b c"));
    for args in ["solve arcs.gv --undirected --json", "solve arcs.gv+undirected --json"] {
        let solved = on(args);
        assert_eq!(json(&solved, 10)["question"], "arcs.gv+undirected");
        assert_eq!(stderr(&solved), "");
    }
    // Arcs in both directions become one edge, and the program says so.
    file("both.col", "p sp 3 6\na 1 2 4\na 2 1 4\na 2 3 4\na 3 2 4\na 1 3 4\na 3 1 4\n");
    file("both.txt", "1 2\n2 1\n2 3\n3 2\n1 3\n3 1\n");
    for name in ["both.col", "both.txt"] {
        let solved = on(&format!("count {name}"));
        assert!(text(&solved, 0).contains(": 1 closed tour, undirected"));
        let quiet = on(&format!("count {name} -q"));
        assert_eq!(stderr(&quiet), "");
    }
    assert_eq!(
        stderr(&on("count both.txt")),
        "hamcnf: both.txt: every edge is listed in both directions, so the graph is read as undirected; use --arcs to keep the directions\n"
    );
    // In a plain list, the order of the two vertices says nothing about directions.
    let tournament = feed("graph - --json", "1 2\n2 3\n1 3\n3 4\n1 4\n2 4\n");
    assert_eq!(json(&tournament, 0)["edges"], 6);
    assert_eq!(stderr(&tournament), "");
}

#[test]
fn integer_weights_are_read_over_where_they_are_said_to_be_weights() {
    let weighted = "0 1 3\n1 2 5\n2 3 1\n3 0 4\n";
    let message = refused(&feed("solve -", weighted));
    assert!(message.ends_with("remove the column, or pass --weights to ignore the column"), "{message}");
    let counted = json(&feed("count - --weights --json", weighted), 0);
    assert_eq!(counted["value"], "1");
    assert_eq!(counted["question"], "-+weights");
    let braces = "graph { a -- {b c}; b -- {c, d}; d -- c }";
    let counted = json(&feed("count - --graph-format dot --json", braces), 0);
    assert_eq!(counted["value"], "1");
    let tours = feed("solve - --weights --graph-format dot", weighted);
    assert!(refused(&tours).contains("only lists of edges have weights in a third column"));
}

#[test]
fn the_smallest_graphs_have_answers() {
    let one = "p edge 1 0\n";
    let two = "p edge 2 1\ne 1 2\n";
    let apart = "p edge 2 0\n";
    for (graph, closed, open) in [(one, 20, 10), (two, 20, 10), (apart, 20, 20)] {
        for method in ["auto", "lazy", "warnsdorff"] {
            let said = text(&feed(&format!("solve - --method {method}"), graph), closed);
            assert!(said.contains("there is no tour: "), "{said}");
            text(&feed(&format!("solve - --open --method {method}"), graph), open);
        }
    }
    for (graph, open) in [(one, 1), (two, 2), (apart, 0)] {
        for method in ["exact", "treewidth", "zdd", "timeslice", "sample"] {
            let count = |args: &str| json(&feed(&format!("count - --json --method {method}{args}"), graph), 0);
            assert_eq!(count("")["value"], "0", "{method}");
            if method != "timeslice" {
                assert_eq!(count(" --open")["value"], open.to_string(), "{method}");
            }
        }
    }
    assert!(text(&run("solve 1x1 --open"), 10).contains("a tour, checked"));
    text(&run("solve 1x2"), 20);
    // Without a tour, the formula is the empty clause. The open tour of one vertex needs no clauses.
    assert!(text(&feed("encode -", two), 0).ends_with("c t mc\np cnf 0 1\n0\n"));
    assert!(text(&feed("encode - --format opb", two), 0).contains("#constraint= 1"));
    assert!(text(&run("encode 1x1 --open --start a1"), 0).ends_with("p cnf 0 0\n"));
    // Two arcs between the same vertices, one in each direction, are not a cycle.
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("proof.cert");
    let solved = feed(&format!("solve - --proof {}", proof.display()), two);
    text(&solved, 20);
    text(&feed(&format!("verify - --proof {}", proof.display()), two), 0);
}

#[test]
fn formulas_are_not_written_to_files_that_are_named_like_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let on = |args: &str| run_in(folder.path(), args);
    for name in ["x.g6", "x.png", "x.graphml.gz"] {
        let message = refused(&on(&format!("encode 4x4 -o {name}")));
        assert!(message.contains("or pass --format cnf or --format opb"), "{message}");
        assert!(!folder.path().join(name).exists());
    }
    for name in ["x", "x.txt", "x.dimacs", "x.cnf.gz", "x.formula", "x.g6 --format cnf"] {
        text(&on(&format!("encode 4x4 -o {name}")), 0);
    }
}

/// Pentagon whose vertices are named after towns.
const TOWNS: &str =
    "graph towns {\n  node [shape=circle];\n  Ulm -- Bonn -- \"St.Gallen\" -- Köln -- 7;\n  7 -- Ulm [weight=3];\n}\n";

#[test]
fn vertices_keep_the_names_of_a_file() {
    let folder = Folder::new();
    folder.file("towns.dot", TOWNS);
    let solved = text(&folder.run("solve towns.dot --from Köln"), 10);
    assert!(solved.contains("towns.dot, closed tours, start Köln: a tour"), "{solved}");
    let lists = ["Köln 7 Ulm Bonn St.Gallen\n", "Köln St.Gallen Bonn Ulm 7\n"];
    assert!(lists.iter().any(|list| solved.contains(list)), "{solved}");
    // The program checks its own output in every form against the graph.
    folder.file("tour.txt", &solved);
    let checked = text(&folder.run("check tour.txt --graph towns.dot"), 0);
    assert!(checked.contains("start Köln: a tour that visits all 5 vertices once"), "{checked}");
    let open = folder.run("solve towns.dot --from Ulm --to Bonn --json");
    let tour = json(&open, 10);
    assert_eq!(tour["details"]["start"], "Ulm");
    assert_eq!(tour["tour"][4], "Bonn");
    assert_eq!(tour["numbering"], "names");
    folder.file("tour.json", text(&open, 10));
    let checked = text(&folder.run("check tour.json"), 0);
    assert!(checked.contains("start Ulm: a tour that visits all 5 vertices once"), "{checked}");
    let other = text(&open, 10).replace("\"St.Gallen\"", "\"Ulm\"");
    folder.file("tour.json", other);
    let said = text(&folder.run("check tour.json"), 1);
    assert!(said.contains("move 3, Köln to Ulm, is not an edge"), "{said}");
    for (args, message) in [
        (
            "solve towns.dot --start Rom",
            "\"Rom\" is not a vertex of towns.dot; the names of the vertices are Ulm, Bonn, St.Gallen and 2 more",
        ),
        ("solve towns.dot --start 1", "\"1\" is not a vertex of towns.dot; the names of the vertices are"),
    ] {
        assert!(refused(&folder.run(args)).starts_with(message));
    }
    let nothing = feed(&format!("check - --graph {}", folder.path("towns.dot").display()), "Ulm Bonn Rom\n");
    assert!(refused(&nothing).ends_with("no tour found: no line contains only vertex names"));
    // The names appear in a formula, in a question, in rows that are measured again, and in the jobs of child
    // processes.
    let cnf = text(&folder.run("encode towns.dot --varnames"), 0);
    assert!(cnf.contains("c varname 1 H(Ulm,Bonn)\n"), "{cnf}");
    folder.file("towns.cnf", cnf);
    let answer = text(&folder.run("solve towns.dot -e binary --dimacs"), 10);
    folder.file("answer", answer);
    let decoded = text(&folder.run("decode towns.cnf answer"), 10);
    assert!(decoded.contains("start Ulm: a tour"), "{decoded}");
    let counted = text(&folder.run("count towns.dot --open --by-start"), 0);
    assert!(counted.contains("St.Gallen"), "{counted}");
    let rows = text(&folder.run("sizes towns.dot --open --start Bonn -e direct --format csv"), 0);
    assert!(rows.contains("towns.dot open from Bonn"), "{rows}");
    folder.file("rows.csv", rows);
    text(&folder.run("sizes --check rows.csv"), 0);
    let compared = text(&folder.run("compare towns.dot --open --start Köln -m direct,auto,exact --format csv"), 0);
    let answered = |status: &str| compared.matches(status).count();
    assert_eq!((answered(",tour,"), answered(",count,2,")), (2, 1), "{compared}");
    let facts = text(&folder.run("graph towns.dot"), 0);
    assert!(facts.contains("read as dot, vertices with names\n"), "{facts}");
    assert_eq!(json(&folder.run("graph towns.dot --json"), 0)["numbering"], "names");
}

#[test]
fn names_go_from_format_to_format() {
    let folder = Folder::new();
    folder.file("a.dot", TOWNS);
    text(&folder.run("graph a.dot -o b.graphml"), 0);
    assert!(fs::read_to_string(folder.path("b.graphml")).unwrap().contains("<node id=\"Köln\"/>"));
    text(&folder.run("graph b.graphml -o c.adjlist"), 0);
    let list = fs::read_to_string(folder.path("c.adjlist")).unwrap();
    assert_eq!(list, "# adjlist\nUlm Bonn 7\nBonn St.Gallen\nSt.Gallen Köln\nKöln 7\n7\n");
    text(&folder.run("graph c.adjlist -o d.gv"), 0);
    let dot = fs::read_to_string(folder.path("d.gv")).unwrap();
    assert!(dot.contains("  \"St.Gallen\" -- \"Köln\";\n"), "{dot}");
    let same = |file: &str| json(&folder.run(&format!("graph {file} --json")), 0)["graph_crc32"].clone();
    assert_eq!(same("a.dot"), same("d.gv"));
    // Vertices without names have numbers: from 1, or as in the file.
    let numbers = "graph { 0 -- 1 -- 2 -- 0 }";
    assert_eq!(text(&feed("graph - --to metis", TOWNS), 0), "% metis\n5 5\n2 5\n1 3\n2 4\n3 5\n1 4\n");
    assert_eq!(
        text(&feed("graph - --to dot", numbers), 0),
        "graph {\n  0;\n  1;\n  2;\n  0 -- 1;\n  0 -- 2;\n  1 -- 2;\n}\n"
    );
    assert_eq!(text(&feed("graph - --to dimacs", numbers), 0), "p edge 3 3\ne 1 2\ne 1 3\ne 2 3\n");
    let said = refused(&feed("graph - --to adjlist", "graph { \"#b\" -- c }"));
    assert!(said.ends_with("the format \"adjlist\" cannot contain the vertex name \"#b\""), "{said}");
    // A name with spaces becomes one word. If two names would then be equal, the vertices are numbered instead.
    let blanks = "graph { \"New York\" -- Rom -- \"a,b\" -- \"New York\" }";
    let solved = feed("solve - --from New_York", blanks);
    let said = "hamcnf: standard input: name \"New York\" has spaces, which become underscores\n";
    assert_eq!(stderr(&solved), said);
    assert!(text(&solved, 10).contains("start New_York: a tour"), "{}", stdout(&solved));
    let blanks = "graph { \"a b\" -- Rom -- \"a,b\" -- \"a b\" }";
    let solved = feed("solve - --from 2", blanks);
    let said = "hamcnf: standard input: two vertices have the name \"a_b\", so vertices are numbered from 1 in the order of the file\n";
    assert_eq!(stderr(&solved), said);
    assert!(text(&solved, 10).contains("start 2: a tour"), "{}", stdout(&solved));
}

#[test]
fn the_ending_decides_what_the_text_does_not() {
    let folder = Folder::new();
    // The adjacency list of a pentagon can also be read as the edge list of another pentagon.
    let pentagon = "5 5\n2 5\n1 3\n2 4\n3 5\n4 1\n";
    let edge = |args: &str| text(&folder.run(&format!("graph {args} --to dimacs")), 0);
    for name in ["a.graph", "a.METIS", "a.metis.gz"] {
        folder.file(name, pentagon);
        assert!(edge(name).contains("e 1 5\n"), "{name}");
    }
    let unclear = folder.file("a.txt", pentagon);
    let said = refused(&run(&format!("graph {unclear}")));
    assert!(said.ends_with("choose the format with --graph-format edges-header or --graph-format metis"), "{said}");
    assert!(edge("a.txt --graph-format metis").contains("e 1 5\n"));
    assert!(!edge("a.txt --graph-format edges-header").contains("e 1 5\n"));
    assert!(!edge("edges-header:a.txt").contains("e 1 5\n"));
    // The file may be METIS with an isolated vertex, or an adjacency list with one edge.
    let either = "3 1\n2\n1\n\n";
    folder.file("b.txt", either);
    let said = refused(&folder.run("graph b.txt"));
    assert_eq!(
        said,
        "cannot read b.txt: the text fits several formats, which give different graphs: metis or adjlist; choose the format with --graph-format metis \
         or --graph-format adjlist"
    );
    folder.file("b.adjlist", either);
    assert!(edge("b.adjlist").contains("e 1 3\n"));
    folder.file("b.metis", either);
    assert!(edge("b.metis").contains("e 1 2\n"));
    // A truncated list of edges is not read as the adjacency list of a path unless the user requests this format.
    let path = "0 1\n1 2\n2 3\n3\n";
    folder.file("c.txt", path);
    let said = refused(&folder.run("graph c.txt"));
    assert!(said.contains("as \"edges\", line 4: \"3\" is not an edge"), "{said}");
    assert!(
        said.contains("as \"adjlist\", line 4: the last line may be a truncated edge; is the file complete?"),
        "{said}"
    );
    folder.file("c.adjlist", path);
    assert!(edge("c.adjlist").ends_with("e 3 4\n"));
    folder.file("d.txt", format!("#write.py\n# GMT Sun Nov 22 15:00:00 2026\n# \n{path}"));
    assert!(edge("d.txt").ends_with("e 3 4\n"));
    // If the content is unambiguous, the file name extension has no effect.
    folder.file("e.g6", "p edge 2 1\ne 1 2\n");
    assert_eq!(json(&folder.run("graph e.g6 --json"), 0)["format"], "dimacs");
}

#[test]
fn what_is_wrong_is_said_with_line_and_format() {
    let folder = Folder::new();
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
        folder.file(&name, graph);
        let output = folder.run(&format!("graph {name}"));
        // If the expected message is empty, the text is a list of edges that joins 0 to 2.
        if message.is_empty() {
            assert_eq!(json(&folder.run(&format!("graph {name} --json")), 0)["format"], "edges");
            continue;
        }
        let said = refused(&output);
        assert!(said.starts_with(&format!("cannot read {name}: {message}")), "{graph}: {said}");
    }
    // `sample-tour` asks for a choice; `graph` describes all graphs.
    folder.file("several.g6", "DQc\nDQo\nDQw\n");
    assert_eq!(
        refused(&folder.run("sample-tour several.g6")),
        "cannot read several.g6: the text contains 3 graphs; choose one with --graph-number 1, or write \"#1\" after the file name"
    );
    let table = text(&folder.run("graph several.g6 --format csv"), 0);
    assert_eq!(table.lines().count(), 1 + 3);
    let file = text(&folder.run("graph several.g6 --to sparse6"), 0);
    assert_eq!(file.lines().count(), 3);
    let said = refused(&feed("graph -", "1 2 3\n2 3 1\n3 9\n"));
    assert!(
        said.contains("as \"edges\", line 1: \"1 2 3\" is not an edge \"VERTEX VERTEX\"; as \"metis\", line 1: "),
        "{said}"
    );
    let said = refused(&feed("graph -", "* #variable= 1 #constraint= 1\n+1 x1 >= 1 ;\n"));
    assert!(said.ends_with("line 1: the text is a pseudo-Boolean formula, not a graph"), "{said}");
}

#[test]
fn short_files_that_claim_large_graphs_take_no_memory() {
    let folder = Folder::new();
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
        folder.file("FILE", graph);
        let began = Instant::now();
        let output = Command::new("sh")
            .args(["-c", "ulimit -v 409600 && exec \"$@\"", "sh"])
            .args([env!("CARGO_BIN_EXE_hamcnf"), "graph", "FILE", "--graph-format", format])
            .current_dir(folder.0.path())
            .output()
            .unwrap();
        assert!(began.elapsed() < Duration::from_secs(10), "{graph}");
        let said = refused(&output);
        assert!(said.contains(message), "{graph}: {said}");
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
    let folder = Folder::new();
    text(&folder.run("solve 6x6 --from c3 --render a.tour --render a.json"), 10);
    let tour = fs::read_to_string(folder.path("a.tour")).unwrap();
    assert!(
        tour.starts_with(
            "NAME : 6x6\nCOMMENT : 6x6 knight, closed tours, start c3\nTYPE : TOUR\nDIMENSION : 36\nTOUR_SECTION\n15\n"
        ),
        "{tour}"
    );
    assert!(tour.ends_with("\n-1\nEOF\n"), "{tour}");
    let checked = text(&folder.run("check a.tour"), 0);
    assert_eq!(
        checked,
        "a.tour: 6x6 knight, closed tours, start c3: a tour that visits all 36 squares once with 36 valid moves\n"
    );
    // The tour can be converted to another format and back.
    text(&folder.run("show a.tour -o b.json"), 0);
    let order = |file: &str| -> Vec<u64> {
        let tour: Value = serde_json::from_str(&fs::read_to_string(folder.path(file)).unwrap()).unwrap();
        let names = tour["tour"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().as_bytes());
        names.map(|name| u64::from((name[1] - b'1') * 6 + name[0] - b'a')).collect()
    };
    assert_eq!(order("a.json"), order("b.json"));
    text(&folder.run("show b.json -o c.tour"), 0);
    assert_eq!(fs::read_to_string(folder.path("c.tour")).unwrap(), tour);
    text(&folder.run("show a.tour b.json -o both.tour"), 0);
    assert_eq!(text(&folder.run("check both.tour"), 0).lines().count(), 2);
    // Also tests open tours, other pieces, and boards with holes.
    for args in ["5x5 --open --start c3", "leaper:2,3:10x10", "8x8-a1-b1", "4x5 --open"] {
        text(&folder.run(&format!("solve {args} --render d.tour")), 10);
        let checked = text(&folder.run("check d.tour"), 0);
        assert!(checked.ends_with("valid moves\n"), "{checked}");
    }
    // A tour by LKH does not name its graph.
    folder.file("lkh.tour", of_lkh(&order("a.json")));
    let said = refused(&folder.run("check lkh.tour"));
    assert!(said.ends_with("the text does not name a board; name the board or graph with --graph"), "{said}");
    text(&folder.run("graph 6x6 -o 6x6.hcp"), 0);
    let checked = text(&folder.run("check lkh.tour --graph 6x6.hcp"), 0);
    assert!(checked.contains("6x6.hcp, closed tours, start 15: a tour that visits all 36 vertices once"), "{checked}");
    text(&folder.run("show lkh.tour --graph 6x6.hcp -o lkh.svg"), 0);
    let decoded = text(&folder.run("decode 6x6 lkh.tour --render e.tour"), 10);
    assert!(decoded.starts_with("6x6 knight, closed tours, start a1: a tour, checked"), "{decoded}");
    text(&folder.run("check e.tour"), 0);
    let wrong = of_lkh(&(0..36).collect::<Vec<_>>());
    folder.file("wrong.tour", &wrong);
    let said = refused(&folder.run("decode 6x6 wrong.tour"));
    assert!(
        said.ends_with("the tour in wrong.tour is not a tour of 6x6: move 1, a1 to b1, is not a knight's move"),
        "{said}"
    );
    let checked = text(&folder.run("check wrong.tour --graph 6x6.hcp"), 1);
    assert!(checked.contains("not a tour: move 1, 1 to 2, is not an edge"), "{checked}");
    for (from, to, message) in [
        ("DIMENSION : 36", "DIMENSION : 35", "line 43: DIMENSION is 35, but the tour that ends here has 36 vertices"),
        ("\n17\n", "\nx\n", "line 23: \"x\" is neither a vertex number (from 1) nor -1 after the last vertex"),
        ("TYPE : TOUR", "TYPE : TSP", "line 4: \"TYPE : TSP\" is not supported; the file must have TYPE TOUR"),
        ("\n36\n-1\nEOF\n", "\n", "line 41: missing -1 after the tour; is the file complete?"),
    ] {
        folder.file("broken.tour", wrong.replace(from, to));
        let said = refused(&folder.run("check broken.tour"));
        assert!(said.contains(message), "{said}");
    }
    // In a `.tour` file, vertices are numbered from 1 even if the graph names them.
    folder.file("towns.dot", TOWNS);
    text(&folder.run("solve towns.dot --render towns.tour"), 10);
    let checked = text(&folder.run("check towns.tour --graph towns.dot"), 0);
    assert!(checked.contains("start Ulm: a tour"), "{checked}");
    // The comment names the kind of tours. Without it, the last vertex decides, unless --open is given.
    text(&folder.run("solve cycle:5 --open --start 1 --render path.tour"), 10);
    let path = fs::read_to_string(folder.path("path.tour")).unwrap();
    folder.file("bare.tour", path.lines().filter(|line| !line.starts_with("COMMENT")).collect::<Vec<_>>().join("\n"));
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
        let checked = text(&folder.run(&format!("check {arguments}")), 0);
        assert!(checked.contains(kind), "{checked}");
    }
    let mut asked = hamcnf("check bare.tour --graph");
    let question = refused(&asked.arg("cycle:5 open").current_dir(folder.path("")).output().unwrap());
    assert!(question.contains("name only the board or the graph, and add --open"), "{question}");
    assert!(
        refused(&run("queens 8 solve --render a.tour"))
            .contains("a.tour: a .tour file is for tours, not for placements of queens")
    );
}

#[test]
fn formulas_are_written_for_pseudo_boolean_solvers() {
    let folder = Folder::new();
    text(&folder.run("encode 6x6 -o 6x6.opb"), 0);
    let opb = fs::read_to_string(folder.path("6x6.opb")).unwrap();
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
    assert_eq!(text(&folder.run("encode 6x6 --format opb"), 0), opb);
    assert!(text(&folder.run("encode 6x6 --format cnf"), 0).starts_with("c hamcnf "));
    text(&folder.run("encode 6x6 -o packed.opb.gz --varnames"), 0);
    // The answer has the form of a pseudo-Boolean solver's output: without a final 0, and with any values for auxiliary
    // variables.
    let model = text(&folder.run("solve 6x6 -e binary --dimacs"), 10);
    let values = model.lines().filter_map(|line| line.strip_prefix("v "));
    let values = values.flat_map(str::split_whitespace).filter(|word| *word != "0");
    let named = values.map(|word| match word.strip_prefix('-') {
        Some(variable) => format!("-x{variable}"),
        None => format!("x{word}"),
    });
    let named: Vec<_> = named.collect();
    let answer = format!("c a solver\ns SATISFIABLE\nv {}\n", named.join(" "));
    folder.file("answer", &answer);
    for file in ["6x6.opb", "packed.opb.gz"] {
        let decoded = text(&folder.run(&format!("decode {file} answer")), 10);
        assert!(decoded.starts_with("6x6 knight, closed tours, start a1: a tour, checked"), "{decoded}");
    }
    folder.file("none", "s UNSATISFIABLE\n");
    text(&folder.run("decode 6x6.opb none"), 20);
    // The header announces all variables that occur, and decoding knows that auxiliary variables do not.
    for (question, head) in [
        ("1x1", "* #variable= 1 #constraint= 1"),
        ("2x2 -e counting", "* #variable= 1 #constraint= 11"),
        ("1x1 --open", "* #variable= 0 #constraint= 0"),
        ("6x6 --at-most-one ladder", "* #variable= 370 #constraint= 4941"),
    ] {
        text(&folder.run(&format!("encode {question} -o any.opb")), 0);
        let written = fs::read_to_string(folder.path("any.opb")).unwrap();
        assert_eq!(written.lines().next().unwrap(), head, "{question}");
        text(&folder.run("decode any.opb none"), 20);
    }
    let without: Vec<_> = named.iter().filter(|word| !word.ends_with("x7")).collect();
    assert_eq!(without.len() + 1, named.len());
    let without: Vec<_> = without.into_iter().cloned().collect();
    folder.file("short", format!("s SATISFIABLE\nv {}\n", without.join(" ")));
    let said = refused(&folder.run("decode 6x6.opb short"));
    assert!(said.contains("the model has no value for variable 7 of 370"), "{said}");
    let said = refused(&folder.run("encode 6x6 --project arcs -o a.opb"));
    assert!(said.starts_with("--project needs --format cnf"), "{said}");
    assert!(!folder.path("a.opb").exists());
    let said = refused(&folder.run("graph 6x6.opb"));
    assert!(said.ends_with("the text is a pseudo-Boolean formula, not a graph"), "{said}");
}
