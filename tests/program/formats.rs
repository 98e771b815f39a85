//! Graph files that the program reads and writes: lists of edges, numbering, standard input, compression, and `hamcnf
//! graph`.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::read::GzEncoder;
use tempfile::TempDir;

use crate::command::{feed, hamcnf, refused, run, stderr, stdout};

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let mut encoder = GzEncoder::new(bytes, Compression::default());
    encoder.read_to_end(&mut packed).unwrap();
    packed
}

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
}

/// Pentagon with one chord, as a list of edges after a header.
const HOUSE: &str = "5 6\n1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n";

/// Tree with ten vertices, as a list of edges after a header that could also be an edge.
const TREE: &str = "10 9\n1 2\n1 3\n1 4\n1 5\n1 6\n1 7\n1 8\n1 9\n1 10\n";

#[test]
fn a_list_that_begins_with_a_header_is_read_as_such() {
    let folder = Folder::new();
    let house = folder.file("house.txt", HOUSE);
    let solved = run(&format!("solve {house}"));
    assert_eq!(solved.status.code(), Some(10), "{}", stdout(&solved));
    assert_eq!(stderr(&solved), "");
    let counted = stdout(&run(&format!("count {house}")));
    assert!(counted.starts_with(&format!("{house}: 1 closed tour, undirected (")), "{counted}");
    // Without a header, each line is an edge: the edge 5 6 makes vertex 6 a leaf.
    let plain = run(&format!("solve {house} --graph-format edges"));
    assert_eq!(plain.status.code(), Some(20), "{}", stdout(&plain));
}

#[test]
fn a_list_that_may_be_two_graphs_is_refused_until_one_is_chosen() {
    let folder = Folder::new();
    let tree = folder.file("tree.txt", TREE);
    let said = refused(&run(&format!("solve {tree}")));
    assert_eq!(
        said,
        format!(
            "cannot read {tree}: line 1: \"10 9\" may be an edge, or a header for 10 vertices and 9 edges; choose the format with --graph-format edges or --graph-format edges-header"
        )
    );
    let edges = |place: &str| {
        let facts: serde_json::Value = serde_json::from_slice(&run(&format!("graph --json {place}")).stdout).unwrap();
        facts["edges"].as_u64().unwrap()
    };
    assert_eq!(edges(&format!("{tree} --graph-format edges-header")), 9);
    assert_eq!(edges(&format!("edges-header:{tree}")), 9);
    assert_eq!(edges(&format!("{tree} --graph-format edges")), 10);
    assert_eq!(edges(&format!("edges:{tree}")), 10);
    let cut = folder.file("cut.txt", "10 15\n1 2\n2 3\n");
    let said = refused(&run(&format!("count {cut}")));
    assert!(said.contains("10 vertices and 15 edges, but 2 edges follow; choose the format with "), "{said}");
    let metis = folder.file("neighbours.txt", "5 5\n2 5\n1 3\n2 4\n3 5\n4 1\n");
    let said = refused(&run(&format!("tour {metis}")));
    assert!(
        said.ends_with("(METIS); choose the format with --graph-format edges-header or --graph-format metis"),
        "{said}"
    );
}

#[test]
fn a_chosen_format_is_one_text_everywhere() {
    let folder = Folder::new();
    let house = folder.file("house.txt", HOUSE);
    let name = format!("edges-header:{house}");
    let record = |args: &str| -> serde_json::Value {
        let output = run(args);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)))
    };
    for args in [format!("solve {house} --graph-format edges-header --json"), format!("solve {name} --json")] {
        assert_eq!(record(&args)["details"]["instance"], name, "{args}");
    }
    // A formula's comments name the format, and a decoded answer names it, too.
    let cnf = stdout(&run(&format!("encode {house} --graph-format edges-header")));
    assert!(cnf.contains(&format!("c question {name}\n")), "{cnf}");
    let answer = run(&format!("solve {name} --dimacs"));
    let decoded = feed(&format!("decode {house} --graph-format edges-header -"), &answer.stdout);
    assert_eq!(decoded.status.code(), Some(10), "{}", stderr(&decoded));
    for args in ["tour", "count", "list -q --random 1", "compare -m direct,exact"] {
        let output = run(&format!("{args} {house} --graph-format edges-header"));
        // A comparison prints its progress on standard error, but no remark.
        let said = stderr(&output);
        assert!(!said.contains("hamcnf: "), "{args}: {said}");
        assert!(stdout(&output).contains(&name) || args.starts_with("list"), "{args}");
    }
    // The rows name the format, so they can be measured again.
    let sizes = run(&format!("sizes {house} --graph-format edges-header --format csv -e direct"));
    let rows = folder.file("sizes.csv", &sizes.stdout);
    assert!(stdout(&sizes).contains(&name), "{}", stdout(&sizes));
    assert_eq!(run(&format!("sizes --check {rows}")).status.code(), Some(0));
    // The experiment names the format, and its child processes use the same format.
    let tree = folder.file("tree.txt", TREE);
    let plan = folder.file(
        "tree.toml",
        format!(
            "title = 't'\nseeds = [1]\ntime_limit = 60\nexpect = 'no-tour'\n\
             questions = ['edges-header:{tree}']\nmethods = ['direct']\n"
        ),
    );
    let output = run(&format!("run {plan} -o {}", folder.0.path().display()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // If a file is called `edges:list.txt`, the text means this file.
    let mut command = hamcnf("graph edges:list.txt --json");
    folder.file("edges:list.txt", "p edge 3 0\n");
    folder.file("list.txt", "1 2\n2 3\n3 1\n");
    let read = |command: &mut Command| -> serde_json::Value {
        let output = command.current_dir(folder.0.path()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(read(&mut command)["format"], "dimacs");
    let facts = read(&mut hamcnf("graph list.txt --graph-format edges --json"));
    assert_eq!((&facts["format"], &facts["instance"]), (&"edges".into(), &"edges:./list.txt".into()));
}

#[test]
fn a_format_that_is_not_to_be_had_is_refused() {
    let folder = Folder::new();
    let house = folder.file("house.txt", HOUSE);
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
        let said = refused(&run(&args));
        assert!(said.contains(&message), "{args}: {said}");
    }
}

#[test]
fn gaps_between_the_vertices_of_a_list_are_said_once() {
    let folder = Folder::new();
    let gap = folder.file("gap.txt", "1 2\n2 4\n4 1\n");
    let output = run(&format!("solve {gap} --start 4"));
    assert_eq!(output.status.code(), Some(10));
    assert_eq!(
        stderr(&output),
        format!(
            "hamcnf: {gap}: vertex numbers 1 to 4 have gaps: only the 3 numbers that occur in edges are vertices\n"
        )
    );
    assert!(stdout(&output).contains("\n4 "), "{}", stdout(&output));
    let header = folder.file("header.txt", "4 3\n1 2\n2 4\n4 1\n");
    let output = run(&format!("solve {header} --graph-format edges-header"));
    assert_eq!(output.status.code(), Some(20));
    assert_eq!(stderr(&output), format!("hamcnf: {header}: vertex 3 has no edge\n"));
    let gaps = folder.file("gaps.txt", "0 1\n1 9\n9 0\n");
    let rows = run(&format!("sizes {gaps} --format csv"));
    let said = format!(
        "hamcnf: {gaps}: vertex numbers 0 to 9 have gaps: only the 3 numbers that occur in edges are vertices\n"
    );
    assert_eq!(stderr(&rows), said);
    // Each row is measured again from the file.
    let rows = folder.file("rows.csv", &rows.stdout);
    let again = run(&format!("sizes --check {rows}"));
    assert_eq!(again.status.code(), Some(0));
    assert_eq!(stderr(&again), said);
    // The file now contains another graph, so the clauses in the rows are not compared.
    folder.file("gaps.txt", "0 1\n1 9\n9 2\n");
    let other = run(&format!("sizes --check {rows}"));
    assert_eq!(other.status.code(), Some(1));
    assert!(stdout(&other).contains("has changed"), "{}", stdout(&other));
    folder.file("gaps.txt", "0 1 {}\n1 9 {'weight': 2}\n9 0\n");
    assert_eq!(run(&format!("sizes --check {rows}")).status.code(), Some(0));
    let plan = folder.file(
        "gaps.toml",
        format!(
            "title = 't'\ntime_limit = 60\n[[questions]]\nquestion = '{gaps}'\n\
             methods = ['direct', 'exact']\n"
        ),
    );
    let output = run(&format!("run {plan} -o {}", folder.0.path().display()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines = stderr(&output);
    let (warned, ended) = lines.split_once('\n').unwrap();
    assert_eq!(warned, said.trim_end());
    assert_eq!(ended.matches(", wall 60 s: ").count(), 2, "{ended}");
    let dimacs = folder.file("gap.col", "p edge 4 3\ne 1 2\ne 2 4\ne 4 1\n");
    assert_eq!(stderr(&run(&format!("solve {dimacs}"))), "");
}

#[test]
fn vertices_are_called_as_in_the_file() {
    let folder = Folder::new();
    let ring = folder.file("ring.txt", "0 1\n1 2\n2 3\n3 0\n");
    let text = stdout(&run(&format!("solve {ring} --open --start 0")));
    assert!(text.contains("open tours, start 0: a tour"), "{text}");
    let last = run(&format!("tour {ring} --start 3 --json"));
    let tour: serde_json::Value = serde_json::from_slice(&last.stdout).unwrap();
    assert_eq!(tour["details"]["start"], "3");
    assert_eq!(tour["numbering"], "from-0");
    assert_eq!(tour["tour"][0], "3");
    let checked = feed("check -", &last.stdout);
    assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    assert!(stdout(&checked).contains("closed tours, start 3: a tour"), "{}", stdout(&checked));
    let said = refused(&run(&format!("solve {ring} --start 4")));
    assert_eq!(said, format!("\"4\" is not a vertex of {ring}; vertices are numbered from 0 to 3"));
    let cnf = stdout(&run(&format!("encode {ring} --varnames")));
    assert!(cnf.contains("c varname 1 H(0,1)\n"), "{cnf}");
    let ring = folder.file("from-1.txt", "1 2\n2 3\n3 4\n4 1\n");
    let tour = run(&format!("tour {ring} --json"));
    assert!(stdout(&tour).contains(r#""numbering":"from-1""#), "{}", stdout(&tour));
    // Published sizes are for tours from the first vertex, whatever its number is.
    let zero = folder.path("ring.txt").display().to_string();
    let size = stdout(&run(&format!("sizes {zero} -e direct --format csv")));
    let figures: Vec<_> = size.lines().nth(1).unwrap().split(',').collect();
    let heads: Vec<_> = size.lines().next().unwrap().split(',').collect();
    let figure = |head: &str| figures[heads.iter().position(|h| *h == head).unwrap()];
    let statistics = figure("statistics").split(' ').next().unwrap();
    let nonunit = statistics.strip_prefix("nonunit=").unwrap();
    let plan = folder.file(
        "sizes.toml",
        format!(
            "title = 't'\n[[questions]]\nquestion = '{zero}'\nmethods = ['size:direct']\n\
             published = [{{ method = 'size:direct', variables = {}, nonunit = {} }}]\n",
            figure("variables"),
            nonunit,
        ),
    );
    let output = run(&format!("run {plan} -o {}", folder.0.path().display()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn tours_of_a_graph_are_checked_against_it() {
    let folder = Folder::new();
    let graph = folder.file("square.txt", "0 1\n1 2\n2 3\n3 0\n3 4\n");
    let check = |tour: &str| feed(&format!("check - --graph {graph}"), tour.as_bytes());
    let right = check("# mine\n4 3 0 1 2\n");
    assert_eq!(right.status.code(), Some(0), "{}", stdout(&right));
    assert!(stdout(&right).ends_with("a tour that visits all 5 vertices once with 4 valid moves\n"));
    for (tour, wrong) in [
        ("4 3 1 0 2", "not a tour"),
        ("4,3,0,1", "not a tour"),
        ("1 2 3 4 5", "not a tour: cannot read -: tour 1: \"5\" is not a vertex"),
    ] {
        let output = check(tour);
        assert_eq!(output.status.code(), Some(1), "{tour}");
        let said = stdout(&output);
        let wrong = wrong.replace("cannot read -: ", "");
        assert!(said.contains(&wrong), "{said}");
    }
    assert!(refused(&check("a b c\n")).contains("no line contains only vertex numbers"));
    // The output of `solve` is accepted as a tour of a graph that the user names.
    let solved = run("solve petersen:5:2 --open");
    let solved = feed("check - --graph petersen:5:2", &solved.stdout);
    assert_eq!(solved.status.code(), Some(0), "{}", stdout(&solved));
}

#[test]
fn graphs_come_on_standard_input() {
    for args in ["solve -", "tour -", "solve - --graph-format edges-header", "solve edges-header:-"] {
        let output = feed(args, HOUSE.as_bytes());
        assert_eq!(output.status.code(), Some(10), "{args}: {}", stderr(&output));
    }
    for args in ["count -", "encode -", "sizes - edges-header:-", "sample-tour -", "graph -"] {
        let output = feed(args, HOUSE.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{args}: {}", stderr(&output));
    }
    let said = refused(&feed("solve -", TREE.as_bytes()));
    assert!(said.starts_with("cannot read standard input: line 1: \"10 9\" may be"), "{said}");
    let said = refused(&feed("decode - -", HOUSE.as_bytes()));
    assert!(said.contains("both the graph and the solver's answer"), "{said}");
    let folder = Folder::new();
    let house = folder.file("house.txt", HOUSE);
    let answer = folder.file("answer", run(&format!("solve {house} --dimacs")).stdout);
    let decoded = feed(&format!("decode - {answer}"), HOUSE.as_bytes());
    assert_eq!(decoded.status.code(), Some(10), "{}", stderr(&decoded));
}

#[test]
fn all_methods_are_compared_on_a_graph_from_standard_input() {
    // The vertices are numbered from 0, but the child processes receive the graph with vertices numbered from 1. So the
    // questions must be reworded for them.
    let house = "0 1\n1 2\n2 3\n3 4\n4 0\n0 2\n";
    let output = feed("compare - --open --start 0 --format json", house.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
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
    let folder = Folder::new();
    for place in ["-", "edges:-"] {
        let plan =
            folder.file("plan.toml", format!("title = 't'\nquestions = ['{place}']\nmethods = ['size:direct']\n"));
        let said = refused(&feed(&format!("run {plan}"), HOUSE.as_bytes()));
        assert!(
            said.contains(&format!("\"{place}\" is standard input or a pipe, which cannot be read twice")),
            "{said}"
        );
    }
}

#[test]
fn what_is_compressed_is_read() {
    let folder = Folder::new();
    let zstd = zstd::encode_all(HOUSE.as_bytes(), 3).unwrap();
    let marked = format!("\u{feff}{}", HOUSE.replace('\n', "\r\n"));
    for bytes in [gzipped(HOUSE.as_bytes()), zstd, marked.clone().into(), gzipped(marked.as_bytes())] {
        let name = folder.file("house", &bytes);
        assert_eq!(run(&format!("solve {name}")).status.code(), Some(10));
        assert_eq!(feed("solve -", &bytes).status.code(), Some(10));
    }
    // Solvers' answers and tours may be compressed, too.
    let answer = gzipped(&run("solve 6x6 --dimacs").stdout);
    assert_eq!(feed("decode 6x6 -", &answer).status.code(), Some(10));
    let tour = folder.file("tour.json.gz", gzipped(&run("solve 6x6 --json").stdout));
    assert_eq!(run(&format!("check {tour}")).status.code(), Some(0));
    let cut = folder.file("cut.gz", &gzipped(HOUSE.as_bytes())[..20]);
    let said = refused(&run(&format!("solve {cut}")));
    assert!(said.starts_with(&format!("cannot read {cut}: ")), "{said}");
}

#[test]
fn what_is_no_text_is_refused_with_its_name() {
    let folder = Folder::new();
    let utf16: Vec<u8> = HOUSE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let name = folder.file("house.txt", [&[0xff, 0xfe], &*utf16].concat());
    let expected = format!("cannot read {name}: the file is UTF-16 text, but only UTF-8 is supported");
    assert_eq!(refused(&run(&format!("solve {name}"))), expected);
    fs::write(&name, &utf16).unwrap();
    assert_eq!(refused(&run(&format!("solve {name}"))), expected);
    fs::write(&name, b"\x89PNG\r\n").unwrap();
    let said = refused(&run(&format!("solve {name}")));
    assert_eq!(said, format!("cannot read {name}: the file is not text: byte 1 is not UTF-8"));
    let said = refused(&run(&format!("check {name}")));
    assert_eq!(said, format!("cannot read {name}: the file is not text: byte 1 is not UTF-8"));
}

#[test]
fn headers_that_are_seen_in_the_wild_are_read() {
    let edges = "1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n";
    for header in ["p 5 6", "p edge 5 6", "p col 5 6", "p edges 5 6"] {
        for edges in [edges.to_owned(), edges.replace('\n', "\ne ").replacen("1 2", "e 1 2", 1)] {
            let text = format!("c house\n{header}\n{}", edges.trim_end_matches("e "));
            let output = feed("graph - --json", text.as_bytes());
            let facts = stdout(&output);
            assert!(
                facts.contains(r#""format":"dimacs","numbering":"from-1","vertices":5,"edges":6"#),
                "{text}: {facts}"
            );
        }
    }
    let refusal = |text: &str| refused(&feed("solve -", text.as_bytes()));
    assert_eq!(
        refusal("c x\np cnf 3 2\n1 2 0\n-1 3 0\n"),
        "cannot read standard input: line 2: the text is a CNF formula, not a graph"
    );
    assert_eq!(refusal("p max 3 2\na 1 2 7\n"), "cannot read standard input: line 1: \"p max\" is not supported");
    let said = refusal("%%MatrixMarket matrix\n3 3 2\n1 2\n2 3\n");
    assert!(said.contains(" is not "), "{said}");
}

#[test]
fn graphs_are_described_and_written_in_every_format() {
    let facts = stdout(&run("graph 8x8"));
    assert_eq!(
        facts,
        "8x8: 64 vertices, 168 edges\ndegrees from 2 to 8, mean 5.25\nconnected\n\
         bipartite: 32 and 32 vertices\ncut vertices: 0, bridges: 0\ntreewidth at most 20\n\
         checksum of the edges (CRC-32): 3dbbce4e\n"
    );
    let facts: serde_json::Value = serde_json::from_slice(&run("graph 3x3 --json").stdout).unwrap();
    assert_eq!(facts["components"], 2);
    assert_eq!(facts["least_degree"], 0);
    assert_eq!(facts["bipartite"], true);
    assert_eq!(facts["colours"], serde_json::json!([5, 4]));
    let house = stdout(&feed("graph -", HOUSE.as_bytes()));
    assert_eq!(
        house,
        "-: 5 vertices, 6 edges\nread as edges-header, vertices numbered from 1\n\
         degrees from 2 to 3, mean 2.40\nconnected\nnot bipartite\n\
         cut vertices: 0, bridges: 0\ntreewidth at most 2\n\
         checksum of the edges (CRC-32): 95dfa464\n"
    );
    let folder = Folder::new();
    let plain = stdout(&run("graph 6x6 --to dimacs"));
    assert!(plain.starts_with("p edge 36 80\ne 1 9\n"), "{plain}");
    for (name, format) in [
        ("a.hcp", "tsplib"),
        ("a.col", "dimacs"),
        ("a.dimacs", "dimacs"),
        ("a", "dimacs"),
        ("a.txt", "edges-header"),
        ("a.edges", "edges-header"),
        ("a.TXT.gz", "edges-header"),
    ] {
        let file = folder.path(name).display().to_string();
        let written = run(&format!("graph 6x6 -o {file}"));
        assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
        let facts = stdout(&run(&format!("graph {file} --json")));
        assert!(facts.contains(&format!(r#""format":"{format}""#)), "{facts}");
        assert_eq!(stdout(&run(&format!("graph {file} --to dimacs"))), plain);
    }
    assert!(is_gzip(&folder.path("a.TXT.gz")));
    for format in [
        "dimacs",
        "tsplib",
        "edges",
        "edges-header",
        "graph6",
        "sparse6",
        "metis",
        "adjlist",
        "graphml",
        "dot",
        "matrix",
    ] {
        let written = run(&format!("graph 6x6 --to {format}"));
        let back = feed(&format!("graph - --graph-format {format} --to dimacs"), &written.stdout);
        assert_eq!(stdout(&back), plain, "{format}");
    }
    let said = refused(&run("graph 3x3 --to edges -o -"));
    assert!(said.contains("cannot contain vertex 5, which has no edge"), "{said}");
    assert!(refused(&run("graph 3x3 --json --to edges")).contains("--to"));
    let file = folder.path("a.json").display().to_string();
    let said = refused(&run(&format!("graph 6x6 -o {file}")));
    assert!(said.contains("unknown graph file ending .json"), "{said}");
}

fn is_gzip(file: &Path) -> bool {
    fs::read(file).unwrap().starts_with(&[0x1f, 0x8b])
}
