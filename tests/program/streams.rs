//! Commands on several graphs: files with a graph per line, and folders.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::command::*;

/// Petersen graph, a line that is no graph, complete graph with five vertices.
const THREE: &str = "IheA@GUAo\nwrong!\nD~{\n";
const WRONG: &str = "line 2: \"wrong!\" is not a graph6 string, which has characters from ? to ~";
const TRIANGLE: &str = "p edge 3 3\ne 1 2\ne 2 3\ne 3 1\n";

/// Returns a folder with a file of three lines, and a folder `d` with the same file and a file of one graph.
fn folder() -> Place {
    let folder = Place::new();
    fs::create_dir(folder.path("d")).unwrap();
    folder.write("three.g6", THREE);
    folder.write("d/three.g6", THREE);
    folder.write("d/triangle.col", TRIANGLE);
    folder.write("d/notes.md", "no graph\n");
    folder
}

#[test]
fn encode_writes_a_file_for_each_graph() {
    let folder = folder();
    let file = |name: &str| fs::read(folder.path(name)).unwrap();
    let skipped = folder.run("encode three.g6 -e binary -o new/ --keep-going");
    skipped.prints(2, "");
    assert!(skipped.err().contains(WRONG) && skipped.err().ends_with("2 formulas written\n"));
    assert_eq!(folder.names("new"), ["three-1.cnf", "three-3.cnf"]);
    // The file is the same as that of the single graph.
    folder.run("encode three.g6#3 -e binary -o one.cnf").exits(0);
    assert_eq!(file("new/three-3.cnf"), file("one.cnf"));
    // A pattern selects the format and the compression. The first file remains if a later graph is wrong.
    let stopped = folder.run("encode three.g6 -e binary -o p-{}.opb.gz");
    assert_eq!(
        stopped.refused(),
        format!("cannot read three.g6: {WRONG}; use --keep-going to skip graphs with errors")
    );
    folder.run("encode three.g6#1 -e binary -o one.opb.gz").exits(0);
    assert_eq!(file("p-three-1.opb.gz"), file("one.opb.gz"));
    // Files of a folder, in the order of their names.
    fs::create_dir(folder.path("all")).unwrap();
    folder.run("encode d -e binary -o all --format opb --keep-going").exits(2);
    assert_eq!(folder.names("all"), ["three-1.opb", "three-3.opb", "triangle.opb"]);
    let hashes = folder.run("encode d -e binary --gbd-hash --keep-going").text(2);
    let lines: Vec<_> = hashes.lines().map(|line| line.split_once("  ").unwrap()).collect();
    let of: Vec<_> = lines.iter().map(|(_, name)| *name).collect();
    assert_eq!(of, ["d/three.g6#1", "d/three.g6#3", "d/triangle.col"]);
    let alone = folder.run("encode d/triangle.col -e binary --gbd-hash").text(0);
    assert_eq!(lines[2].0, alone.trim_end());
    // A single graph in a folder.
    folder.run("encode 5x6 -e binary -o all").exits(0);
    assert!(folder.names("all").contains(&"5x6.cnf".to_owned()));
}

#[test]
fn encode_asks_for_a_choice() {
    let folder = folder();
    for args in ["encode three.g6", "encode three.g6 -o x.cnf", "encode d -o x.cnf"] {
        folder.run(args).refuses("has several graphs: write a file for each with --output FOLDER");
        assert!(!folder.has("x.cnf"));
    }
    // An encoding for boards alone suits none of the graphs.
    let error = folder.run("encode three.g6 -e step -o new/ --keep-going");
    error.exits(2);
    let errors = error.err();
    assert!(errors.contains("three.g6#1") && errors.ends_with("0 formulas written\n"), "{errors}");
    // Files with the same name and different extensions.
    folder.write("d/triangle.txt", "1 2\n2 3\n3 1\n");
    let same = folder.run("encode d -o p-{}.cnf --encoding binary --keep-going");
    same.exits(2);
    let errors = same.err();
    let clash = "graphs of \"d/triangle.col\" and \"d/triangle.txt\" would have the same file name p-triangle.cnf";
    assert!(errors.contains(clash) && errors.ends_with("3 formulas written\n"), "{errors}");
}

#[test]
fn sizes_has_a_row_for_each_graph() {
    let folder = folder();
    let csv = folder.run("sizes three.g6 5x6 -e binary,direct --format csv --keep-going").text(2);
    let questions: Vec<_> = csv.lines().map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(questions, ["question", "three.g6#1", "three.g6#1", "three.g6#3", "three.g6#3", "5x6", "5x6"]);
    folder.write("sizes.csv", &csv);
    folder.run("sizes --check sizes.csv").exits(0);
    // The rows before the wrong line are printed, and then its error.
    for (format, row) in [
        ("table", "│ three.g6#1 │        66 │"),
        ("markdown", "| three.g6#1 |"),
        ("json", r#""question":"three.g6#1""#),
    ] {
        folder.run(&format!("sizes three.g6 -e binary --format {format}")).says(2, row).lacks("#3").notes(WRONG);
    }
    // Of several files, each wrong one is skipped.
    folder.write("wrong.col", "p edge x\n");
    let files = "sizes wrong.col d/triangle.col 5x5..6 -e binary --open --start 1 --format csv";
    folder.run(files).prints(2, "").notes("cannot read wrong.col: ");
    folder.run(&format!("{files} --keep-going")).exits(2).lines(4);
    folder.run("sizes d -e binary --format markdown --keep-going").says(2, "| d/three.g6#3 ").and("| d/triangle.col ");
}

/// Tests that a list of graphs does not end at a graph without vertices, or at one with few.
#[test]
fn small_graphs_end_no_list() {
    let folder = Place::new();
    // The graphs K1, the empty graph, K2 and K3.
    folder.write("small.g6", "@\n?\nA_\nBw\n");
    let solved = folder.run("solve small.g6 -q").text(0);
    let none = "small.g6#2: there is no tour: closed tours need at least 3 vertices, but small.g6#2 has 0\n";
    assert!(solved.contains(none) && solved.contains("small.g6#4"), "{solved}");
    let open = folder.run("solve small.g6 --open -q").text(0);
    assert_eq!(open.matches(": a tour, checked").count(), 3, "{open}");
    let counts = |args: &str| -> Vec<serde_json::Value> {
        let lines = folder.run(args).text(0);
        let objects = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        objects.map(|object: serde_json::Value| object["value"].clone()).collect()
    };
    assert_eq!(counts("count small.g6 --json"), ["0", "0", "0", "1"]);
    assert_eq!(counts("count small.g6 --open --json"), ["1", "0", "2", "6"]);
    let words = folder.run("count small.g6 --open").text(0);
    let none = "small.g6#2: 0 tours (open tours need at least 1 vertex, but small.g6#2 has 0)\n";
    assert!(words.contains(none), "{words}");
}

#[test]
fn compare_has_a_row_for_each_graph_and_method_and_ranks_the_methods() {
    let folder = folder();
    let pairs = |csv: &str| -> Vec<String> {
        let lines = csv.lines().skip(1);
        let fields = lines.map(|line| line.split(',').collect::<Vec<_>>());
        fields.map(|fields| format!("{} {}", fields[1], fields[3])).collect()
    };
    let both = |names: &[&str]| -> Vec<String> {
        let rows = names.iter();
        rows.flat_map(|name| ["binary", "lazy"].map(|method| format!("{name} {method}"))).collect()
    };
    let csv = "-m binary,lazy --format csv --keep-going";
    let all = folder.run(&format!("compare d 5x6..7 {csv}")).text(2);
    let names = ["d/three.g6#1", "d/three.g6#3", "d/triangle.col", "5x6", "5x7"];
    assert_eq!(pairs(&all), both(&names));
    // Graphs of standard input are handed to the processes of the methods.
    let all = feed(&format!("compare - {csv}"), THREE.as_bytes()).text(2);
    assert_eq!(pairs(&all), both(&["-#1", "-#3"]));
    // The rows before a wrong line are printed, and then its error.
    let stopped = folder.run("compare three.g6 -m binary,exact");
    stopped.begins(2, "1 graph, at most 20 s for each method\n").and("│ three.g6#1 │ binary │ encoding │ no tour │");
    stopped.notes("use --keep-going to skip graphs with errors");
    let objects = folder.run("compare three.g6 -m binary,exact --json").text(2);
    let statuses = objects.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{} {}", row["question"], row["status"])
    });
    assert_eq!(statuses.collect::<Vec<_>>(), [r#""three.g6#1" "no-tour""#, r#""three.g6#1" "count""#]);
    // A method that solves one graph of two comes after a method that solves both.
    folder.write("two.g6", "IheA@GUAo\nD~{\n");
    let ranked = folder.run("compare two.g6 -m warnsdorff,exact --format markdown").text(0);
    let (rows, ranking) = ranked.split_once("## Methods, by CPU seconds\n").unwrap();
    assert!(rows.starts_with("| graph "), "{rows}");
    assert_eq!(rows.matches("| two.g6#").count(), 4, "{rows}");
    let place = |line: &str| ranking.find(line).unwrap();
    assert!(place("| exact      |      2/2 |") < place("| warnsdorff |      1/2 |"), "{ranking}");
    assert!(!ranking.contains("Not all methods"), "{ranking}");
    // The words of one question need no quotes.
    for question in ["4x5 open from a1", "cubic 20 3"] {
        folder.run(&format!("compare {question} -m lazy --format csv")).exits(0).lines(2);
    }
    folder.run("sizes 4x5 open from a1 -e binary --format csv").says(0, ",4x5 open from a1,");
    // Errors of a method name the graph.
    folder.run("compare two.g6 -m bdd --format csv").refused_with("two.g6#1: ");
}

#[test]
fn questions_about_many_graphs_skip_wrong_lines() {
    let folder = folder();
    for (command, values) in [("solve", ["no-tour", "tour"]), ("count", ["count", "count"])] {
        folder.run(&format!("{command} three.g6 --json")).exits(2).notes("use --keep-going to skip graphs with errors");
        let answered = folder.run(&format!("{command} three.g6 --json --keep-going")).text(2);
        let statuses = answered.lines().map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            row["status"].as_str().unwrap().to_owned()
        });
        assert_eq!(statuses.collect::<Vec<_>>(), values, "{command}");
        // The text has the same answers, each with the name of its graph.
        let told = folder.run(&format!("{command} three.g6 --keep-going")).text(2);
        let named = ["three.g6#1", "three.g6#3"].map(|name| told.lines().any(|l| l.starts_with(name)));
        assert_eq!(named, [true, true], "{told}");
    }
    folder.run("graph d --format csv").exits(1).lines(4);
}

/// Tests that a stream is answered while it is written: the input does not end before the first answers.
#[test]
fn graphs_are_answered_as_they_arrive() {
    let mut child =
        hamcnf("sizes - -e binary --format csv").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(b"D~{\nC~\n").unwrap();
    let mut row = || lines.next().unwrap().unwrap();
    assert!(row().starts_with("schema,"));
    assert!(row().contains(",-#1,"));
    assert!(row().contains(",-#2,"));
    input.write_all(b"Bw\n").unwrap();
    assert!(row().contains(",-#3,"));
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_pipe_with_one_graph_is_read_once() {
    for input in ["D~{\n", ">>graph6<<\nD~{", TRIANGLE, "1 2\n2 3\n3 1\n"] {
        feed("sizes - -e binary --format csv", input).exits(0).lines(2);
        feed("graph -", input).exits(0);
        feed("solve - --json", input).exits(10);
    }
}
