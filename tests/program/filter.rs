//! `hamcnf filter`: graphs of a stream that have some properties.

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
fn rows_have_the_columns_of_all_properties() {
    let all: Vec<_> = PROPERTIES.iter().map(|property| format!("--{}", property.name)).collect();
    let csv = feed(&format!("filter -q --format csv {}", all.join(" ")), "IheA@GUAo\n");
    let csv = csv.text(0);
    assert_eq!(csv.lines().nth(1).unwrap(), "standard input,1,IheA@GUAo,10,15,false,true,true,false,false,true,false");
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
