//! Commands on several graphs: files with a graph per line, and folders.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use tempfile::TempDir;

use crate::command::{feed, hamcnf, refused, run_in, stderr, text};

/// Petersen graph, a line that is no graph, complete graph with five vertices.
const THREE: &str = "IheA@GUAo\nwrong!\nD~{\n";
const WRONG: &str = "line 2: \"wrong!\" is not a graph6 string, which has characters from ? to ~";
const TRIANGLE: &str = "p edge 3 3\ne 1 2\ne 2 3\ne 3 1\n";

/// Returns a folder with a file of three lines, and a folder `d` with the same file and a file of one graph.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::create_dir(path.join("d")).unwrap();
    fs::write(path.join("three.g6"), THREE).unwrap();
    fs::write(path.join("d/three.g6"), THREE).unwrap();
    fs::write(path.join("d/triangle.col"), TRIANGLE).unwrap();
    fs::write(path.join("d/notes.md"), "no graph\n").unwrap();
    folder
}

fn names(folder: &TempDir, of: &str) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join(of)).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn encode_writes_a_file_for_each_graph() {
    let folder = folder();
    let here = |args: &str| run_in(folder.path(), args);
    let file = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let skipped = here("encode three.g6 -e binary -o new/ --keep-going");
    assert_eq!(text(&skipped, 2), "");
    assert!(stderr(&skipped).contains(WRONG) && stderr(&skipped).ends_with("2 formulas written\n"));
    assert_eq!(names(&folder, "new"), ["three-1.cnf", "three-3.cnf"]);
    // The file is the same as that of the single graph.
    text(&here("encode three.g6#3 -e binary -o one.cnf"), 0);
    assert_eq!(file("new/three-3.cnf"), file("one.cnf"));
    // A pattern selects the format and the compression. The first file remains if a later graph is wrong.
    let stopped = here("encode three.g6 -e binary -o p-{}.opb.gz");
    assert_eq!(
        refused(&stopped),
        format!("cannot read three.g6: {WRONG}; use --keep-going to skip graphs with errors")
    );
    text(&here("encode three.g6#1 -e binary -o one.opb.gz"), 0);
    assert_eq!(file("p-three-1.opb.gz"), file("one.opb.gz"));
    // Files of a folder, in the order of their names.
    fs::create_dir(folder.path().join("all")).unwrap();
    text(&here("encode d -e binary -o all --format opb --keep-going"), 2);
    assert_eq!(names(&folder, "all"), ["three-1.opb", "three-3.opb", "triangle.opb"]);
    let hashes = text(&here("encode d -e binary --gbd-hash --keep-going"), 2);
    let lines: Vec<_> = hashes.lines().map(|line| line.split_once("  ").unwrap()).collect();
    let of: Vec<_> = lines.iter().map(|(_, name)| *name).collect();
    assert_eq!(of, ["d/three.g6#1", "d/three.g6#3", "d/triangle.col"]);
    let alone = text(&here("encode d/triangle.col -e binary --gbd-hash"), 0);
    assert_eq!(lines[2].0, alone.trim_end());
    // A single graph in a folder.
    text(&here("encode 5x6 -e binary -o all"), 0);
    assert!(names(&folder, "all").contains(&"5x6.cnf".to_owned()));
}

#[test]
fn encode_asks_for_a_choice() {
    let folder = folder();
    for args in ["encode three.g6", "encode three.g6 -o x.cnf", "encode d -o x.cnf"] {
        let error = refused(&run_in(folder.path(), args));
        assert!(error.contains("has several graphs: write a file for each with --output FOLDER"), "{error}");
        assert!(!folder.path().join("x.cnf").exists());
    }
    // An encoding for boards alone suits none of the graphs.
    let error = run_in(folder.path(), "encode three.g6 -e step -o new/ --keep-going");
    assert_eq!(error.status.code(), Some(2));
    let errors = stderr(&error);
    assert!(errors.contains("three.g6#1") && errors.ends_with("0 formulas written\n"), "{errors}");
    // Files with the same name and different extensions.
    fs::write(folder.path().join("d/triangle.txt"), "1 2\n2 3\n3 1\n").unwrap();
    let same = run_in(folder.path(), "encode d -o p-{}.cnf --encoding binary --keep-going");
    assert_eq!(same.status.code(), Some(2));
    let errors = stderr(&same);
    let clash = "graphs of \"d/triangle.col\" and \"d/triangle.txt\" would have the same file name p-triangle.cnf";
    assert!(errors.contains(clash) && errors.ends_with("3 formulas written\n"), "{errors}");
}

#[test]
fn sizes_has_a_row_for_each_graph() {
    let folder = folder();
    let here = |args: &str| run_in(folder.path(), args);
    let csv = text(&here("sizes three.g6 5x6 -e binary,direct --format csv --keep-going"), 2);
    let questions: Vec<_> = csv.lines().map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(questions, ["question", "three.g6#1", "three.g6#1", "three.g6#3", "three.g6#3", "5x6", "5x6"]);
    fs::write(folder.path().join("sizes.csv"), &csv).unwrap();
    text(&here("sizes --check sizes.csv"), 0);
    // The rows before the wrong line are printed, and then its error.
    for (format, row) in [
        ("table", "│ three.g6#1 │        66 │"),
        ("markdown", "| three.g6#1 |"),
        ("json", r#""question":"three.g6#1""#),
    ] {
        let stopped = here(&format!("sizes three.g6 -e binary --format {format}"));
        let known = text(&stopped, 2);
        assert!(known.contains(row) && !known.contains("#3"), "{known}");
        assert!(stderr(&stopped).contains(WRONG));
    }
    // Of several files, each wrong one is skipped.
    fs::write(folder.path().join("wrong.col"), "p edge x\n").unwrap();
    let files = "sizes wrong.col d/triangle.col 5x5..6 -e binary --open --start 1 --format csv";
    let stopped = here(files);
    assert_eq!(text(&stopped, 2), "");
    assert!(stderr(&stopped).contains("cannot read wrong.col: "));
    let rows = text(&here(&format!("{files} --keep-going")), 2);
    assert_eq!(rows.lines().count(), 4, "{rows}");
    let table = text(&here("sizes d -e binary --format markdown --keep-going"), 2);
    assert!(table.contains("| d/three.g6#3 ") && table.contains("| d/triangle.col "), "{table}");
}

/// Tests that a list of graphs does not end at a graph without vertices, or at one with few.
#[test]
fn small_graphs_end_no_list() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    // The graphs K1, the empty graph, K2 and K3.
    fs::write(folder.path().join("small.g6"), "@\n?\nA_\nBw\n").unwrap();
    let solved = text(&here("solve small.g6 -q"), 0);
    let none = "small.g6#2: there is no tour: closed tours need at least 3 vertices, but small.g6#2 has 0\n";
    assert!(solved.contains(none) && solved.contains("small.g6#4"), "{solved}");
    let open = text(&here("solve small.g6 --open -q"), 0);
    assert_eq!(open.matches(": a tour, checked").count(), 3, "{open}");
    let counts = |args: &str| -> Vec<serde_json::Value> {
        let lines = text(&here(args), 0);
        let objects = lines.lines().map(|line| serde_json::from_str(line).unwrap());
        objects.map(|object: serde_json::Value| object["value"].clone()).collect()
    };
    assert_eq!(counts("count small.g6 --json"), ["0", "0", "0", "1"]);
    assert_eq!(counts("count small.g6 --open --json"), ["1", "0", "2", "6"]);
    let words = text(&here("count small.g6 --open"), 0);
    let none = "small.g6#2: 0 tours (open tours need at least 1 vertex, but small.g6#2 has 0)\n";
    assert!(words.contains(none), "{words}");
}

#[test]
fn compare_has_a_row_for_each_graph_and_method_and_ranks_the_methods() {
    let folder = folder();
    let here = |args: &str| run_in(folder.path(), args);
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
    let all = text(&here(&format!("compare d 5x6..7 {csv}")), 2);
    let names = ["d/three.g6#1", "d/three.g6#3", "d/triangle.col", "5x6", "5x7"];
    assert_eq!(pairs(&all), both(&names));
    // Graphs of standard input are handed to the processes of the methods.
    let all = text(&feed(&format!("compare - {csv}"), THREE.as_bytes()), 2);
    assert_eq!(pairs(&all), both(&["-#1", "-#3"]));
    // The rows before a wrong line are printed, and then its error.
    let stopped = here("compare three.g6 -m binary,exact");
    let known = text(&stopped, 2);
    assert!(known.starts_with("1 graph, at most 20 s for each method\n"));
    assert!(known.contains("│ three.g6#1 │ binary │ encoding │ no tour │"), "{known}");
    assert!(stderr(&stopped).contains("use --keep-going to skip graphs with errors"));
    let objects = text(&here("compare three.g6 -m binary,exact --json"), 2);
    let statuses = objects.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{} {}", row["question"], row["status"])
    });
    assert_eq!(statuses.collect::<Vec<_>>(), [r#""three.g6#1" "no-tour""#, r#""three.g6#1" "count""#]);
    // A method that solves one graph of two comes after a method that solves both.
    fs::write(folder.path().join("two.g6"), "IheA@GUAo\nD~{\n").unwrap();
    let ranked = text(&here("compare two.g6 -m warnsdorff,exact --format markdown"), 0);
    let (rows, ranking) = ranked.split_once("## Methods, by CPU seconds\n").unwrap();
    assert!(rows.starts_with("| graph "), "{rows}");
    assert_eq!(rows.matches("| two.g6#").count(), 4, "{rows}");
    let place = |line: &str| ranking.find(line).unwrap();
    assert!(place("| exact      |      2/2 |") < place("| warnsdorff |      1/2 |"), "{ranking}");
    assert!(!ranking.contains("Not all methods"), "{ranking}");
    // The words of one question need no quotes.
    for question in ["4x5 open from a1", "cubic 20 3"] {
        let rows = text(&here(&format!("compare {question} -m lazy --format csv")), 0);
        assert_eq!(rows.lines().count(), 2, "{rows}");
    }
    let sizes = text(&here("sizes 4x5 open from a1 -e binary --format csv"), 0);
    assert!(sizes.contains(",4x5 open from a1,"), "{sizes}");
    // Errors of a method name the graph.
    let error = refused(&here("compare two.g6 -m bdd --format csv"));
    assert!(error.starts_with("two.g6#1: "), "{error}");
}

#[test]
fn questions_about_many_graphs_skip_wrong_lines() {
    let folder = folder();
    let here = |args: &str| run_in(folder.path(), args);
    for (command, values) in [("solve", ["no-tour", "tour"]), ("count", ["count", "count"])] {
        let stopped = here(&format!("{command} three.g6 --json"));
        assert_eq!(stopped.status.code(), Some(2));
        assert!(stderr(&stopped).contains("use --keep-going to skip graphs with errors"));
        let answered = text(&here(&format!("{command} three.g6 --json --keep-going")), 2);
        let statuses = answered.lines().map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            row["status"].as_str().unwrap().to_owned()
        });
        assert_eq!(statuses.collect::<Vec<_>>(), values, "{command}");
        // The text has the same answers, each with the name of its graph.
        let told = text(&here(&format!("{command} three.g6 --keep-going")), 2);
        let named = ["three.g6#1", "three.g6#3"].map(|name| told.lines().any(|l| l.starts_with(name)));
        assert_eq!(named, [true, true], "{told}");
    }
    let facts = text(&here("graph d --format csv"), 1);
    assert_eq!(facts.lines().count(), 4);
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
        let sizes = text(&feed("sizes - -e binary --format csv", input), 0);
        assert_eq!(sizes.lines().count(), 2, "{input}");
        text(&feed("graph -", input), 0);
        text(&feed("solve - --json", input), 10);
    }
}
