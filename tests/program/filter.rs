//! `hamcnf filter`: graphs of a stream that have some properties.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

use crate::command::*;
use hamcnf::Graph;
use hamcnf::formats::{self, Format};
use hamcnf::properties::PROPERTIES;

/// Returns a graph in graph6, with its line end.
fn line(graph: &Graph) -> String {
    let mut out = Vec::new();
    formats::write(Format::GRAPH6, graph, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn petersen(n: u32, k: u32) -> Graph {
    let edges = (0..n).flat_map(|v| [(v, (v + 1) % n), (v, n + v), (n + v, n + (v + k) % n)]);
    Graph::from_edges(2 * n, edges).unwrap()
}

fn ring(n: u32) -> Graph {
    Graph::from_edges(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap()
}

fn complete(n: u32) -> Graph {
    Graph::from_edges(n, (0..n).flat_map(|w| (0..w).map(move |v| (v, w)))).unwrap()
}

/// Returns all labelled graphs on `n` vertices, one per line.
fn labelled(n: u32) -> String {
    let pairs: Vec<_> = (0..n).flat_map(|w| (0..w).map(move |v| (v, w))).collect();
    let graphs = (0..1u32 << pairs.len()).map(|chosen| {
        let edges = (0..).zip(&pairs).filter(|(k, _)| chosen >> k & 1 == 1);
        line(&Graph::from_edges(n, edges.map(|(_, &pair)| pair)).unwrap())
    });
    graphs.collect()
}

/// Returns the number that `--count` prints.
#[track_caller]
fn count(args: &str, input: &str) -> u64 {
    let output = feed(&format!("filter --count {args}"), input);
    output.text(0).trim_end().parse().unwrap()
}

#[test]
fn labelled_graphs_are_counted_as_published() {
    // Labelled Hamiltonian and traceable graphs, OEIS A326208 and A326206.
    for (n, hamiltonian, traceable) in [(3, 1, 4), (4, 10, 34), (5, 218, 633)] {
        let all = labelled(n);
        let read = 1 << (n * (n - 1) / 2);
        assert_eq!(count("--hamiltonian", &all), hamiltonian, "{n}");
        assert_eq!(count("--not-hamiltonian", &all), read - hamiltonian);
        assert_eq!(count("--traceable", &all), traceable, "{n}");
        // A Hamiltonian graph has a path too.
        let only = count("--traceable --not-hamiltonian", &all);
        assert_eq!(only, traceable - hamiltonian);
        assert_eq!(count("--cycles 1..", &all), hamiltonian);
        let unique = count("--uniquely-hamiltonian", &all);
        assert_eq!(count("--cycles 1", &all), unique);
        assert_eq!(count("--cycles ..1", &all), read - hamiltonian + unique);
        assert_eq!(count("--cycles 2..", &all), hamiltonian - unique);
        // The least hypohamiltonian graph has ten vertices.
        assert_eq!(count("--hypohamiltonian", &all), 0);
    }
}

#[test]
fn matching_lines_are_printed_unchanged_and_in_order() {
    let lines = [petersen(5, 2), ring(100), complete(5), petersen(7, 2), petersen(11, 2)];
    let lines = lines.map(|graph| line(&graph));
    let input =
        format!(">>graph6<<{}\n{}{}\r\n:Fa@x^\n{}{}", lines[0], lines[1], lines[2].trim_end(), lines[3], lines[4]);
    let filtered = |args: &str| feed(&format!("filter -q {args}"), &input).text(0);
    let hypohamiltonian = format!("{}{}", lines[0], lines[4]);
    assert_eq!(filtered("--hypohamiltonian"), hypohamiltonian);
    assert_eq!(filtered("--maximally-nonhamiltonian"), lines[0]);
    assert_eq!(filtered("--uniquely-hamiltonian"), lines[1]);
    assert_eq!(filtered("--cycles 7..12 --not-hypotraceable"), format!("{}{}", lines[2], lines[3]));
    assert_eq!(filtered("--not-hamiltonian --not-hypohamiltonian"), ":Fa@x^\n");
    for threads in [1, 3] {
        let args = format!("--traceable --threads {threads}");
        assert_eq!(filtered(&args).lines().count(), 5);
    }
    let output = feed("filter --hamiltonian", &input);
    let said = output.err();
    assert!(said.starts_with("hamcnf: 6 graphs read, 3 matching, in "), "{said}");
}

#[test]
fn published_hypohamiltonian_graphs_pass() {
    // Generalised Petersen graphs GP(n, 2) with n ≡ 5 mod 6 (Bondy 1972).
    let graphs = [5, 11, 17].map(|n| line(&petersen(n, 2))).concat();
    assert_eq!(count("--hypohamiltonian", &graphs), 3);
    // Flower snarks and Blanuša's snarks.
    for (family, is_hypohamiltonian) in [("flower:5", 1), ("flower:7", 1), ("snark:blanusa-1", 1), ("cubic:12:1", 0)] {
        let graph = run(&format!("graph {family} --to graph6")).text(0);
        assert_eq!(count("--hypohamiltonian", &graph), is_hypohamiltonian, "{family}");
    }
}

#[test]
fn rows_have_the_values_of_all_graphs() {
    let folder = Place::with("a.g6", format!("{}\n{}", line(&petersen(5, 2)), line(&complete(5))));
    folder.write("b,c.s6", ":Fa@x^\n");
    folder.write("notes.txt", "not a graph\n");
    let asked = "filter -q . --not-hamiltonian --cycles .. --format";
    let csv = folder.run(&format!("{asked} csv")).text(0);
    let rows = "\
file,line,graph,vertices,edges,hamiltonian,cycles,match
./a.g6,1,IheA@GUAo,10,15,false,0,true
./a.g6,3,D~{,5,10,true,12,false
\"./b,c.s6\",1,:Fa@x^,7,4,false,0,true
";
    assert_eq!(csv, rows);
    let json = folder.run(&format!("{asked} jsonl")).text(0);
    let rows: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    let expected = serde_json::json!({
        "file": "./a.g6", "line": 3, "graph": "D~{", "vertices": 5, "edges": 10,
        "hamiltonian": true, "cycles": "12", "match": false,
    });
    assert_eq!(rows[1], expected);
    // All columns of all properties, in the order of the list.
    let all: Vec<_> = PROPERTIES.iter().map(|property| format!("--{}", property.name)).collect();
    let csv = feed(&format!("filter -q --format csv {}", all.join(" ")), line(&petersen(5, 2)));
    let csv = csv.text(0);
    assert_eq!(csv.lines().nth(1).unwrap(), "standard input,1,IheA@GUAo,10,15,false,true,true,false,false,true,false");
}

#[test]
fn a_bad_line_ends_the_command_or_is_skipped() {
    let input = format!("{0}\nnot a graph\n{0}D_\n{0}", line(&complete(4)));
    feed("filter --hamiltonian", &input).prints(2, line(&complete(4))).notes_only(
        "hamcnf: standard input: line 3: \"not a graph\" is not a graph6 string, which has characters from ? to ~; \
         use --keep-going to skip lines that are not graphs\n",
    );
    let output = feed("filter --hamiltonian --keep-going", &input);
    output.prints(2, line(&complete(4)).repeat(3));
    let said = output.err();
    assert!(said.contains("line 3: \"not a graph\""), "{said}");
    assert!(said.contains("line 5: a graph with 5 vertices needs 2 characters"), "{said}");
    assert!(said.ends_with("; 2 bad lines skipped\n"), "{said}");
    // Everything before the bad line is printed, also if it comes in a later batch.
    let many = format!("{}x\n", line(&complete(4)).repeat(5000));
    feed("filter --hamiltonian --threads 2", many).exits(2).lines(5000).notes("line 5001: ");
    // If the property applies only to undirected graphs, a directed graph is an error of its line.
    feed("filter --not-hypohamiltonian", "Bw\n&BO?\n").prints(2, "Bw\n").notes_only("hamcnf: standard input: line 2: \"&BO?\" is a digraph, but the property \"hypohamiltonian\" needs an undirected \
         graph; for digraphs, use --hamiltonian, --traceable, --uniquely-hamiltonian or --cycles; use --keep-going to skip \
         digraphs\n");
}

/// Tests that cycles of digraphs are directed, on four graphs with three vertices: a directed triangle, a directed path,
/// the complete digraph, and an undirected triangle.
#[test]
fn cycles_of_digraphs_are_directed() {
    let input = "&BP_\n&BO?\n&B\\o\nBw\n";
    let kept = |options: &str| feed(&format!("filter -q {options}"), input).text(0);
    assert_eq!(kept("--hamiltonian"), "&BP_\n&B\\o\nBw\n");
    assert_eq!(kept("--not-traceable"), "&BO?\n");
    assert_eq!(kept("--uniquely-hamiltonian"), "&BP_\nBw\n");
    assert_eq!(kept("--cycles 2"), "&B\\o\n");
    let rows = kept("--cycles .. --format csv");
    assert_eq!(rows.lines().nth(3).unwrap(), "standard input,3,&B\\o,3,6,2,true");
}

/// Tests that bad lines and a missing file do not end the command with --keep-going.
#[test]
fn digraphs_and_missing_files_are_skipped_if_asked() {
    let folder = Place::with("a.g6", "&B\\o\n&BP_\nBw\n");
    folder.write("b.g6", "C~\n");
    let options = "--not-hypohamiltonian -k";
    let output = folder.run(&format!("filter {options} a.g6 none.g6 b.g6"));
    output.prints(2, "Bw\nC~\n");
    output.notes("line 1: \"&B\\o\" is a digraph").notes("line 2: \"&BP_\" is a digraph").notes("none.g6");
}

#[test]
fn wrong_arguments_are_refused() {
    for (args, message) in [
        ("filter", "no property is given; use at least one, such as --hamiltonian or --cycles 1..5"),
        ("filter --cycles 5..2", "2..5"),
        ("filter --hamiltonian --not-hamiltonian", "--not-hamiltonian"),
        ("filter --hamiltonian --count --format csv", "--format"),
        ("filter --hamiltonian missing.g6", "cannot read missing.g6: No such file or directory"),
        ("filter --hamiltonian src", "src contains no graph6 or sparse6 file (.g6, .s6)"),
    ] {
        run(args).refuses(message);
    }
}

#[test]
fn help_lists_all_properties() {
    let help = run("filter --help").text(0);
    for property in PROPERTIES {
        assert!(help.contains(&format!("--{}", property.name)), "{}", property.name);
        assert!(help.contains(property.summary.split(',').next().unwrap()));
    }
    assert!(help.contains("--not-PROPERTY"));
}

#[test]
fn an_unknown_answer_is_no_match_and_no_miss() {
    let mut large = Vec::new();
    formats::write(Format::SPARSE6, &petersen(6011, 2), &mut large).unwrap();
    let input = format!("{}{}", line(&complete(4)), String::from_utf8(large).unwrap());
    for property in ["--hamiltonian", "--not-hamiltonian"] {
        let output = feed(&format!("filter {property} --time-limit 1ms"), &input);
        let expected = if property == "--hamiltonian" { line(&complete(4)) } else { String::new() };
        output.prints(3, expected);
        output.notes("standard input: line 2: unknown: time limit").notes("; 1 unknown");
    }
    feed("filter --hamiltonian --time-limit 1ms --format csv", &input).ends(3, ",unknown,unknown\n");
    feed("filter --hamiltonian --time-limit 1ms --format jsonl", &input)
        .ends(3, "\"hamiltonian\":null,\"match\":null}\n");
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let mut child = hamcnf("filter --hamiltonian")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"C~\nC~\n").unwrap();
    // Matches are printed at once, before more input comes.
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    assert_eq!(first, "C~\n");
    drop(output);
    // The program may have ended before it reads everything.
    let _ = input.write_all(&b"C~\n".repeat(100_000));
    drop(input);
    assert!(child.wait().unwrap().success());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

#[test]
fn many_batches_keep_their_order() {
    // Graphs with different times: rings of different lengths and complete graphs.
    let graphs: Vec<_> =
        (0..3000u32).map(|k| if k % 3 == 0 { ring(3 + k % 50) } else { complete(3 + k % 20) }).collect();
    let input: String = graphs.iter().map(line).collect();
    let output = feed("filter -q --hamiltonian --threads 4", &input).text(0);
    assert!(output == input);
}

#[test]
fn compressed_files_and_their_numbers_of_cycles() {
    let folder = Place::new();
    let lines: String = (3..=9).map(|n| line(&complete(n))).collect();
    let packed = zstd::encode_all(lines.as_bytes(), 1).unwrap();
    folder.write("k.g6.zst", packed);
    let csv = folder.run("filter -q k.g6.zst --cycles .. --format csv").text(0);
    let cycles: BTreeMap<u32, u64> = csv
        .lines()
        .skip(1)
        .map(|row| {
            let fields: Vec<_> = row.split(',').collect();
            (fields[3].parse().unwrap(), fields[5].parse().unwrap())
        })
        .collect();
    // (n − 1)! / 2
    let expected = [(3, 1), (4, 3), (5, 12), (6, 60), (7, 360), (8, 2520), (9, 20160)];
    assert_eq!(cycles, expected.into());
}

#[test]
fn solve_and_count_answer_every_graph_of_a_file() {
    let folder = Place::new();
    let graphs = [petersen(5, 2), complete(5), ring(70)].map(|graph| line(&graph));
    folder.write("many.g6", graphs.concat());
    let objects = |output: &str| -> Vec<serde_json::Value> {
        let lines = output.lines();
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let solved = folder.run("solve many.g6 --json").text(0);
    let expected = [("many.g6#1", "no-tour"), ("many.g6#2", "tour"), ("many.g6#3", "tour")];
    for (object, (question, status)) in objects(&solved).iter().zip(expected) {
        assert_eq!(object["question"], question);
        assert_eq!(object["status"], status, "{question}");
    }
    // Standard input is read once.
    let counted = feed("count - --json", graphs.concat()).text(0);
    let counts: Vec<_> =
        objects(&counted).iter().map(|object| (object["question"].clone(), object["value"].clone())).collect();
    let expected = [("-#1", "0"), ("-#2", "12"), ("-#3", "1")];
    assert_eq!(counts, expected.map(|(a, b)| (a.into(), b.into())));
    // A single graph is answered as before.
    let one = feed("solve - --json", line(&complete(5)));
    assert_eq!(objects(&one.text(10))[0]["question"], "-");
    folder.run("solve many.g6 --json --render tour.svg").refused_with("--render is for one graph");
}
