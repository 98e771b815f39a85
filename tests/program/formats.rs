//! Graph files that the program reads and writes: lists of edges, numbering, standard input, compression, and `hamcnf
//! graph`.

use std::fs;
use std::io::Read;
use std::process::Command;

use flate2::Compression;
use flate2::read::GzEncoder;

use crate::command::*;
use serde_json::json;

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = GzEncoder::new(bytes, Compression::default());
    encoder.read_to_end(&mut packed).unwrap();
    packed
}

/// Pentagon with one chord, as a list of edges after a header.
const HOUSE: &str = "5 6\n1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n";

/// Tree with ten vertices, as a list of edges after a header that could also be an edge.
const TREE: &str = "10 9\n1 2\n1 3\n1 4\n1 5\n1 6\n1 7\n1 8\n1 9\n1 10\n";

#[test]
fn a_list_that_begins_with_a_header_is_read_as_such() {
    let folder = Place::new();
    let house = folder.write("house.txt", HOUSE);
    folder.run(&format!("solve {house}")).exits(10).notes_only("");
    let counted = folder.run(&format!("count {house}")).out();
    assert!(counted.starts_with(&format!("{house}: 1 closed tour, undirected (")), "{counted}");
    // Without a header, each line is an edge: the edge 5 6 makes vertex 6 a leaf.
    folder.run(&format!("solve {house} --graph-format edges")).exits(20);
}

#[test]
fn a_list_that_may_be_two_graphs_is_refused_until_one_is_chosen() {
    let folder = Place::new();
    let tree = folder.write("tree.txt", TREE);
    let said = folder.run(&format!("solve {tree}")).refused();
    assert_eq!(
        said,
        format!(
            "cannot read {tree}: line 1: \"10 9\" may be an edge, or a header for 10 vertices and 9 edges; choose the format with --graph-format edges or --graph-format edges-header"
        )
    );
    let edges = |place: &str| {
        let facts = folder.run(&format!("graph --json {place}")).parsed();
        facts["edges"].as_u64().unwrap()
    };
    assert_eq!(edges(&format!("{tree} --graph-format edges-header")), 9);
    assert_eq!(edges(&format!("edges-header:{tree}")), 9);
    assert_eq!(edges(&format!("{tree} --graph-format edges")), 10);
    assert_eq!(edges(&format!("edges:{tree}")), 10);
    let cut = folder.write("cut.txt", "10 15\n1 2\n2 3\n");
    folder
        .run(&format!("count {cut}"))
        .refuses("10 vertices and 15 edges, but 2 edges follow; choose the format with ");
    let metis = folder.write("neighbours.txt", "5 5\n2 5\n1 3\n2 4\n3 5\n4 1\n");
    let said = folder.run(&format!("tour {metis}")).refused();
    assert!(
        said.ends_with("(METIS); choose the format with --graph-format edges-header or --graph-format metis"),
        "{said}"
    );
}

#[test]
fn a_chosen_format_is_one_text_everywhere() {
    let folder = Place::new();
    let house = folder.write("house.txt", HOUSE);
    let name = format!("edges-header:{house}");
    let record = |args: &str| -> serde_json::Value {
        let output = folder.run(args);
        serde_json::from_slice(output.bytes()).unwrap_or_else(|error| panic!("{error}: {}", output.err()))
    };
    for args in [format!("solve {house} --graph-format edges-header --json"), format!("solve {name} --json")] {
        assert_eq!(record(&args)["details"]["instance"], name, "{args}");
    }
    // A formula's comments name the format, and a decoded answer names it, too.
    folder.run(&format!("encode {house} --graph-format edges-header")).and(format!("c question {name}\n"));
    let answer = folder.run(&format!("solve {name} --dimacs"));
    let decoded = folder.feed(&format!("decode {house} --graph-format edges-header -"), answer.bytes());
    decoded.exits(10);
    for args in ["tour", "count", "list -q --random 1", "compare -m direct,exact"] {
        let output = folder.run(&format!("{args} {house} --graph-format edges-header"));
        // A comparison prints its progress on standard error, but no remark.
        let said = output.err();
        assert!(!said.contains("hamcnf: "), "{args}: {said}");
        assert!(output.out().contains(&name) || args.starts_with("list"), "{args}");
    }
    // The rows name the format, so they can be measured again.
    let sizes = folder.run(&format!("sizes {house} --graph-format edges-header --format csv -e direct"));
    let rows = folder.write("sizes.csv", sizes.bytes());
    sizes.and(&name);
    folder.run(&format!("sizes --check {rows}")).exits(0);
    // The experiment names the format, and its child processes use the same format.
    let tree = folder.write("tree.txt", TREE);
    let plan = folder.write(
        "tree.toml",
        format!(
            "title = 't'\nseeds = [1]\ntime_limit = 60\nexpect = 'no-tour'\n\
             questions = ['edges-header:{tree}']\nmethods = ['direct']\n"
        ),
    );
    folder.run(&format!("run {plan} -o .")).exits(0);
    // If a file is called `edges:list.txt`, the text means this file.
    let mut command = hamcnf("graph edges:list.txt --json");
    folder.write("edges:list.txt", "p edge 3 0\n");
    folder.write("list.txt", "1 2\n2 3\n3 1\n");
    let read = |command: &mut Command| -> serde_json::Value {
        let output = command.current_dir(folder.dir()).ended();
        output.parsed()
    };
    assert_eq!(read(&mut command)["format"], "dimacs");
    let facts = read(&mut hamcnf("graph list.txt --graph-format edges --json"));
    assert_eq!((&facts["format"], &facts["instance"]), (&"edges".into(), &"edges:./list.txt".into()));
}

#[test]
fn a_format_that_is_not_to_be_had_is_refused() {
    let folder = Place::new();
    let house = folder.write("house.txt", HOUSE);
    for (args, message) in [
        (
            "solve 6x6 --graph-format edges".to_owned(),
            "\"6x6\" is a board, so options for graph files do not apply".to_owned(),
        ),
        (
            format!("sizes {house} 6x6 --graph-format edges-header"),
            "\"6x6\" is a board, so options for graph files do not apply".to_owned(),
        ),
        (
            "sizes --graph-format edges".to_owned(),
            "--graph-format is for graph files, but no graph is named: name a graph file".to_owned(),
        ),
        (
            format!("solve edges-header:{house} --graph-format edges"),
            format!("\"edges-header:{house}\" already names a graph format other than \"edges\""),
        ),
        (
            format!("solve {house} --graph-format tsplib"),
            format!("cannot read {house}: line 1: \"5 6\" is not \"KEYWORD : VALUE\""),
        ),
        (
            format!("solve dimacs:{house}"),
            format!("cannot read {house}: line 1: \"5 6\" is not \"p edge VERTICES EDGES\""),
        ),
        ("solve edges:no-such-file".to_owned(), "\"edges:no-such-file\": there is no file \"no-such-file\"".to_owned()),
        (
            format!("solve {house} --graph-format xlsx"),
            "invalid value \"xlsx\" for \"--graph-format <FORMAT>\" [possible values: dimacs, tsplib".to_owned(),
        ),
    ] {
        folder.run(&args).refuses(&message);
    }
}

#[test]
fn gaps_between_the_vertices_of_a_list_are_said_once() {
    let folder = Place::new();
    let gap = folder.write("gap.txt", "1 2\n2 4\n4 1\n");
    folder
        .run(&format!("solve {gap} --start 4"))
        .exits(10)
        .notes_only(format!(
            "hamcnf: {gap}: vertex numbers 1 to 4 have gaps: only the 3 numbers that occur in edges are vertices\n"
        ))
        .and("\n4 ");
    let header = folder.write("header.txt", "4 3\n1 2\n2 4\n4 1\n");
    folder
        .run(&format!("solve {header} --graph-format edges-header"))
        .exits(20)
        .notes_only(format!("hamcnf: {header}: vertex 3 has no edge\n"));
    let gaps = folder.write("gaps.txt", "0 1\n1 9\n9 0\n");
    let rows = folder.run(&format!("sizes {gaps} --format csv"));
    let said = format!(
        "hamcnf: {gaps}: vertex numbers 0 to 9 have gaps: only the 3 numbers that occur in edges are vertices\n"
    );
    rows.notes_only(&said);
    // Each row is measured again from the file.
    let rows = folder.write("rows.csv", rows.bytes());
    folder.run(&format!("sizes --check {rows}")).exits(0).notes_only(&said);
    // The file now contains another graph, so the clauses in the rows are not compared.
    folder.write("gaps.txt", "0 1\n1 9\n9 2\n");
    folder.run(&format!("sizes --check {rows}")).says(1, "has changed");
    folder.write("gaps.txt", "0 1 {}\n1 9 {'weight': 2}\n9 0\n");
    folder.run(&format!("sizes --check {rows}")).exits(0);
    let plan = folder.write(
        "gaps.toml",
        format!(
            "title = 't'\ntime_limit = 60\n[[questions]]\nquestion = '{gaps}'\n\
             methods = ['direct', 'exact']\n"
        ),
    );
    let output = folder.run(&format!("run {plan} -o ."));
    output.exits(0);
    let lines = output.err();
    let (warned, ended) = lines.split_once('\n').unwrap();
    assert_eq!(warned, said.trim_end());
    assert_eq!(ended.matches(", wall 60 s: ").count(), 2, "{ended}");
    let dimacs = folder.write("gap.col", "p edge 4 3\ne 1 2\ne 2 4\ne 4 1\n");
    assert_eq!(folder.run(&format!("solve {dimacs}")).err(), "");
}

#[test]
fn vertices_are_called_as_in_the_file() {
    let folder = Place::new();
    let ring = folder.write("ring.txt", "0 1\n1 2\n2 3\n3 0\n");
    folder.run(&format!("solve {ring} --open --start 0")).and("open tours, start 0: a tour");
    let last = folder.run(&format!("tour {ring} --start 3 --json"));
    let tour = last.parsed();
    assert_eq!(tour["details"]["start"], "3");
    assert_eq!(tour["numbering"], "from-0");
    assert_eq!(tour["tour"][0], "3");
    let checked = folder.feed("check -", last.bytes());
    checked.exits(0);
    checked.and("closed tours, start 3: a tour");
    let said = folder.run(&format!("solve {ring} --start 4")).refused();
    assert_eq!(said, format!("\"4\" is not a vertex of {ring}; vertices are numbered from 0 to 3"));
    folder.run(&format!("encode {ring} --varnames")).and("c varname 1 H(0,1)\n");
    let ring = folder.write("from-1.txt", "1 2\n2 3\n3 4\n4 1\n");
    folder.run(&format!("tour {ring} --json")).and(r#""numbering":"from-1""#);
    // Published sizes are for tours from the first vertex, whatever its number is.
    let zero = "ring.txt";
    let size = folder.run(&format!("sizes {zero} -e direct --format csv")).out();
    let figures: Vec<_> = size.lines().nth(1).unwrap().split(',').collect();
    let heads: Vec<_> = size.lines().next().unwrap().split(',').collect();
    let figure = |head: &str| figures[heads.iter().position(|h| *h == head).unwrap()];
    let statistics = figure("statistics").split(' ').next().unwrap();
    let nonunit = statistics.strip_prefix("nonunit=").unwrap();
    let plan = folder.write(
        "sizes.toml",
        format!(
            "title = 't'\n[[questions]]\nquestion = '{zero}'\nmethods = ['size:direct']\n\
             published = [{{ method = 'size:direct', variables = {}, nonunit = {} }}]\n",
            figure("variables"),
            nonunit,
        ),
    );
    folder.run(&format!("run {plan} -o .")).exits(0);
}

#[test]
fn tours_of_a_graph_are_checked_against_it() {
    let folder = Place::new();
    let graph = folder.write("square.txt", "0 1\n1 2\n2 3\n3 0\n3 4\n");
    let check = |tour: &str| folder.feed(&format!("check - --graph {graph}"), tour.as_bytes());
    check("# mine\n4 3 0 1 2\n").ends(0, "a tour that visits all 5 vertices once with 4 valid moves\n");
    for (tour, wrong) in [
        ("4 3 1 0 2", "not a tour"),
        ("4,3,0,1", "not a tour"),
        ("1 2 3 4 5", "not a tour: cannot read -: tour 1: \"5\" is not a vertex"),
    ] {
        let output = check(tour);
        output.exits(1);
        let said = output.out();
        let wrong = wrong.replace("cannot read -: ", "");
        assert!(said.contains(&wrong), "{said}");
    }
    check("a b c\n").refuses("no line contains only vertex numbers");
    // The output of `solve` is accepted as a tour of a graph that the user names.
    let solved = folder.run("solve petersen:5:2 --open");
    let solved = folder.feed("check - --graph petersen:5:2", solved.bytes());
    solved.exits(0);
}

#[test]
fn graphs_come_on_standard_input() {
    for args in ["solve -", "tour -", "solve - --graph-format edges-header", "solve edges-header:-"] {
        feed(args, HOUSE.as_bytes()).exits(10);
    }
    for args in ["count -", "encode -", "sizes - edges-header:-", "sample-tour -", "graph -"] {
        feed(args, HOUSE.as_bytes()).exits(0);
    }
    feed("solve -", TREE.as_bytes()).refused_with("cannot read standard input: line 1: \"10 9\" may be");
    feed("decode - -", HOUSE.as_bytes()).refuses("both the graph and the solver's answer");
    let folder = Place::new();
    let house = folder.write("house.txt", HOUSE);
    let answer = folder.write("answer", folder.run(&format!("solve {house} --dimacs")).bytes());
    let decoded = folder.feed(&format!("decode - {answer}"), HOUSE.as_bytes());
    decoded.exits(10);
}

#[test]
fn all_methods_are_compared_on_a_graph_from_standard_input() {
    // The vertices are numbered from 0, but the child processes receive the graph with vertices numbered from 1. So the
    // questions must be reworded for them.
    let house = "0 1\n1 2\n2 3\n3 4\n4 0\n0 2\n";
    let output = feed("compare - --open --start 0 --format json", house.as_bytes());
    output.exits(0);
    let rows = output.parsed();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 27);
    for row in rows {
        assert_eq!(row["details"]["instance"], "-");
        assert_eq!(row["details"]["start"], "0");
        assert_eq!(row["numbering"], "from-0");
        match row["status"].as_str() {
            Some("tour") => assert_eq!(row["tour"][0], "0", "{row}"),
            status => assert_eq!(status, Some("count"), "{row}"),
        }
    }
}

#[test]
fn experiments_do_not_read_standard_input() {
    let folder = Place::new();
    for place in ["-", "edges:-"] {
        let plan =
            folder.write("plan.toml", format!("title = 't'\nquestions = ['{place}']\nmethods = ['size:direct']\n"));
        folder
            .feed(&format!("run {plan}"), HOUSE.as_bytes())
            .refuses(format!("\"{place}\" is standard input or a pipe, which cannot be read twice"));
    }
}

#[test]
fn what_is_compressed_is_read() {
    let folder = Place::new();
    let zstd = zstd::encode_all(HOUSE.as_bytes(), 3).unwrap();
    let marked = format!("\u{feff}{}", HOUSE.replace('\n', "\r\n"));
    for bytes in [gzipped(HOUSE.as_bytes()), zstd, marked.clone().into(), gzipped(marked.as_bytes())] {
        let name = folder.write("house", &bytes);
        folder.run(&format!("solve {name}")).exits(10);
        folder.feed("solve -", &bytes).exits(10);
    }
    // Solvers' answers and tours may be compressed, too.
    let answer = gzipped(folder.run("solve 6x6 --dimacs").bytes());
    folder.feed("decode 6x6 -", &answer).exits(10);
    let tour = folder.write("tour.json.gz", gzipped(folder.run("solve 6x6 --json").bytes()));
    folder.run(&format!("check {tour}")).exits(0);
    let cut = folder.write("cut.gz", &gzipped(HOUSE.as_bytes())[..20]);
    folder.run(&format!("solve {cut}")).refused_with(format!("cannot read {cut}: "));
}

#[test]
fn what_is_no_text_is_refused_with_its_name() {
    let folder = Place::new();
    let utf16: Vec<u8> = HOUSE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&[0xff, 0xfe], &*utf16].concat();
    let wide = "the file is UTF-16 text, but only UTF-8 is supported";
    let bytes = "the file is not text: byte 1 is not UTF-8";
    for (command, content, why) in [
        ("solve", &marked[..], wide),
        ("solve", &utf16, wide),
        ("solve", b"\x89PNG\r\n", bytes),
        ("check", b"\x89PNG\r\n", bytes),
    ] {
        folder.write("house.txt", content);
        let said = folder.run(&format!("{command} house.txt")).refused();
        assert_eq!(said, format!("cannot read house.txt: {why}"));
    }
}

#[test]
fn headers_that_are_seen_in_the_wild_are_read() {
    let edges = "1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n";
    for header in ["p 5 6", "p edge 5 6", "p col 5 6", "p edges 5 6"] {
        for edges in [edges.to_owned(), edges.replace('\n', "\ne ").replacen("1 2", "e 1 2", 1)] {
            let text = format!("c house\n{header}\n{}", edges.trim_end_matches("e "));
            let facts = json!({ "format": "dimacs", "numbering": "from-1", "vertices": 5, "edges": 6 });
            feed("graph - --json", text.as_bytes()).has(0, facts);
        }
    }
    let refusal = |text: &str| feed("solve -", text.as_bytes()).refused();
    assert_eq!(
        refusal("c x\np cnf 3 2\n1 2 0\n-1 3 0\n"),
        "cannot read standard input: line 2: the text is a CNF formula, not a graph"
    );
    assert_eq!(refusal("p max 3 2\na 1 2 7\n"), "cannot read standard input: line 1: \"p max\" is not supported");
    let said = refusal("%%MatrixMarket matrix\n3 3 2\n1 2\n2 3\n");
    assert!(said.contains(" is not "), "{said}");
}

#[test]
fn graphs_are_described_and_written_as_files_are_named() {
    let facts = json!({ "components": 2, "least_degree": 0, "bipartite": true, "colours": [5, 4] });
    run("graph 3x3 --json").has(0, facts);
    feed("graph -", HOUSE).prints(
        0,
        "-: 5 vertices, 6 edges\nread as edges-header, vertices numbered from 1\n\
         degrees from 2 to 3, mean 2.40\nconnected\nnot bipartite\n\
         cut vertices: 0, bridges: 0\ntreewidth at most 2\n\
         checksum of the edges (CRC-32): 95dfa464\n",
    );
    let folder = Place::new();
    let plain = folder.run("graph 6x6 --to dimacs").text(0);
    assert!(plain.starts_with("p edge 36 80\ne 1 9\n"), "{plain}");
    for (name, format) in [
        ("a.col", "dimacs"),
        ("a.dimacs", "dimacs"),
        ("a", "dimacs"),
        ("a.edges", "edges-header"),
        ("a.TXT.gz", "edges-header"),
    ] {
        folder.run(&format!("graph 6x6 -o {name}")).exits(0);
        folder.run(&format!("graph {name} --json")).has(0, json!({ "format": format }));
        folder.run(&format!("graph {name} --to dimacs")).prints(0, &plain);
    }
    assert!(fs::read(folder.path("a.TXT.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
    folder.run("graph 3x3 --to edges -o -").refuses("cannot contain vertex 5, which has no edge");
    folder.run("graph 3x3 --json --to edges").refuses("--to");
}
