//! Infeasibility checks as the program reports them, and the forms of a solver's answer that `decode` accepts.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::*;

/// Writes a graph file with the edges of a list such as `1 2, 2 3`.
fn graph(folder: &Path, name: &str, edges: &str) -> PathBuf {
    let file = folder.join(name);
    fs::write(&file, edges.replace(", ", "\n")).unwrap();
    file
}

/// Three triangles in a row; neighbouring triangles share a corner.
const ROW: &str = "1 2, 2 3, 3 1, 3 4, 4 5, 5 3, 5 6, 6 7, 7 5";
/// Three triangles that share one corner.
const WINDMILL: &str = "1 2, 2 3, 3 1, 1 4, 4 5, 5 1, 1 6, 6 7, 7 1";
/// Two triangles that are joined by an edge.
const BARBELL: &str = "1 2, 2 3, 3 1, 3 4, 4 5, 5 6, 6 4";
/// Three paths from 1 to 2. Two of them have a shortcut, so that the graph is not bipartite.
const THETA: &str = "1 3, 3 4, 4 2, 1 4, 1 5, 5 6, 6 2, 1 6, 1 7, 7 8, 8 2";

#[test]
fn what_falls_apart_needs_no_search() {
    let folder = tempfile::tempdir().unwrap();
    for (edges, how, kind, reason) in [
        (
            BARBELL,
            "",
            "bridge",
            "the edge between 3 and 4 is the only one between two parts of the graph, but a closed tour needs two",
        ),
        (
            WINDMILL,
            "",
            "cut-vertex",
            "without 1 the graph falls into 3 parts, with 2, 4 and 6 in different parts, but a closed tour would have to pass 1 once for each part",
        ),
        (
            ROW,
            "--open --start 3",
            "cut-start",
            "without the start 3 the graph falls into 2 parts, with 1 and 4 in different parts, but an open tour can go to only one of them",
        ),
        (
            WINDMILL,
            "--open --start 6",
            "three-parts",
            "without 1 the graph falls into 3 parts, with 2, 4 and 6 in different parts, but an open tour passes 1 once, so the tour can visit only two of them",
        ),
        (
            ROW,
            "--open --start 4",
            "two-far-sides",
            "every path to 1 goes through 3 and every path to 6 through 5, but an open tour can end beyond only one of 3 and 5",
        ),
        (
            "1 2, 2 3",
            "--open --start 2",
            "two-ends",
            "1 and 3 have one neighbour each, but an open tour can end in only one of them",
        ),
        (
            THETA,
            "",
            "many-parts",
            "without 1 and 2 the graph falls into 3 parts, with 3, 5 and 7 in different parts, but a closed tour could visit only 2 of them",
        ),
        (
            THETA,
            "--open --start 2",
            "many-parts",
            "without 1 and 2 the graph falls into 3 parts, with 3, 5 and 7 in different parts, but an open tour could visit only 2 of them",
        ),
    ] {
        let file = graph(folder.path(), "graph.edges", edges);
        let name = file.display();
        let output = run(&format!("tour {name} {how}"));
        output.exits(20);
        let said = format!(": there is no tour: {reason}\n");
        assert!(output.out().ends_with(&said), "{}", output.out());

        let json = run(&format!("tour {name} {how} --json")).parsed();
        assert_eq!(json["status"], "no-tour");
        assert_eq!(json["message"], reason);
        assert_eq!(json["details"]["obstruction"], kind);
        assert_eq!(json["details"]["statistics"]["nodes"], 0);
    }
}

#[test]
fn cut_vertices_forbid_no_tour_that_there_is() {
    let folder = tempfile::tempdir().unwrap();
    for (edges, starts) in [(ROW, [1, 2, 6, 7]), (BARBELL, [1, 2, 5, 6])] {
        let file = graph(folder.path(), "graph.edges", edges);
        for start in starts {
            run(&format!("tour {} --open --start {start}", file.display())).exits(10);
        }
    }
}

#[test]
fn names_for_programs_are_for_what_is_seen_without_a_search() {
    let json = |args: &str| -> serde_json::Value {
        let json = run(&format!("tour {args} --json")).out();
        serde_json::from_str(&json).unwrap()
    };
    let obstruction = |args: &str| json(args)["details"]["obstruction"].clone();
    assert_eq!(obstruction("5x5"), "colours");
    assert_eq!(obstruction("3x3"), "out-of-reach");
    assert_eq!(obstruction("4x10"), "many-parts");
    let exhausted = json("3x8 --method backtrack");
    assert_eq!(exhausted["message"], "every path from the start was tried");
    assert!(exhausted["details"].get("obstruction").is_none());
    assert_eq!(obstruction("4x4 --open --start b2"), "many-parts");
    assert!(obstruction("6x6").is_null());
}

/// Tests that every command finds the tours whose first vertex is not the first vertex of the digraph.
#[test]
fn a_free_start_is_free_in_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = graph(folder.path(), "path.edges", "2 1, 1 3");
    let path = file.display();
    for (arguments, code, said) in [
        (format!("list {path} --arcs --open"), 0, "2 1 3\n"),
        (format!("list {path} --arcs --to 3"), 0, "2 1 3\n"),
        (format!("list {path} --arcs --to 1"), 20, "no path leads from 3 to 1"),
        (format!("list {path} --open --forbid 1->2"), 0, "2 1 3\n"),
        (
            format!("solve {path} --arcs --from anywhere --open -n 2 -q"),
            10,
            "\n2 1 3\n\n1 tour, and there are no others\n",
        ),
        (format!("solve {path} --arcs --from anywhere --open --unique -q"), 10, "\n2 1 3\n\nthe tour is unique\n"),
        (format!("solve {path} --arcs --from anywhere --open -e direct -q"), 10, "\n2 1 3\n"),
        (format!("count {path} --arcs --open --method exact"), 0, "1 open tour from any vertex"),
        (format!("solve {path} --open --arcs --from 1 --explain"), 0, "there is no tour: no path leads from 1 to 2"),
    ] {
        let output = run(&arguments);
        let all = format!("{}{}", output.out(), output.err());
        output.exits(code);
        assert!(all.contains(said), "{arguments}: {all}");
        let denies = all.contains("there is no tour") && !said.contains("there is no tour");
        assert!(!denies, "{arguments}: {all}");
    }
    let fork = graph(folder.path(), "fork.edges", "0 1, 0 2, 0 3, 1 4");
    let output = run(&format!("solve {} --arcs --open --from anywhere", fork.display()));
    let said = "there is no tour: a path leads neither from 1 to 2 nor from 2 to 1\n";
    assert!(output.out().ends_with(said), "{}", output.out());
}

/// Tests that the proof of such an answer is about the question with its constraint.
#[test]
fn proofs_of_constrained_questions_need_no_constraint() {
    let folder = Place::new();
    for (question, form) in [
        ("9x9 before a3,b4", "cert"),
        ("9x9 before a3,b4", "drat"),
        ("3x8 before a3,b2", "cert"),
        ("3x6 symmetry 180", "cert"),
    ] {
        let file = folder.path(format!("proof.{form}"));
        let file = file.display();
        run(&format!("solve {question} --proof {file} --require-proof")).exits(20);
        run(&format!("verify {question} --proof {file}")).exits(0);
    }
}

/// Tests that a question with a constraint is refuted like the question without it.
#[test]
fn constraints_hide_no_reason() {
    let colours = "every move changes colour; 41 vertices have the start's colour and 40 the other";
    for (arguments, code, said) in [
        ("solve 9x9 --turns 0..60=..60", 20, colours),
        ("count 9x9 --turns 0..60=..60", 0, colours),
        ("solve 9x9 --symmetry 180", 20, colours),
        ("puzzle 9x9 closed", 20, colours),
        ("solve 9x9 --before a3,b4 -n 2", 20, colours),
        ("solve 9x9 --before a3,b4 --explain", 0, colours),
        ("list 9x9 --before a3,b4", 20, colours),
        ("solve petersen:1001:2 --before 3,7", 20, "decomposition: no tour"),
        ("count petersen:1001:2 --before 3,7", 0, "petersen:1001:2, before 3,7: 0 closed tours"),
        ("solve camel:10x10 open --turns 0..60=5..9", 20, "no path leads from a1 to b1"),
    ] {
        let output = run(arguments);
        let all = format!("{}{}", output.out(), output.err());
        output.exits(code);
        assert!(all.contains(said), "{arguments}: {all}");
    }
}

/// Returns the literals of the model in an answer with `s` and `v` lines.
fn literals(answer: &str) -> Vec<&str> {
    let lines = answer.lines().filter_map(|line| line.strip_prefix("v "));
    let words = lines.flat_map(str::split_ascii_whitespace);
    words.filter(|&word| word != "0").collect()
}

#[test]
fn answers_in_every_form_are_decoded() {
    let folder = Place::new();
    let file = folder.path("answer");
    let answer = run("solve 5x6 -e binary --dimacs").out();
    let model = literals(&answer);
    assert!(model.len() > 200);
    let (line, column) = (model.join(" "), model.join("\n"));
    let mut orders = Vec::new();
    for text in [
        answer.clone(),
        format!("SAT\n{line} 0\n"),
        format!("\u{feff}SAT\r\n{line} 0\r\n"),
        format!("{line} 0\n"),
        line.clone(),
        format!("c by hand\n{column}\n"),
        format!("\u{feff}{}", answer.replace('\n', "\r\n")),
    ] {
        fs::write(&file, &text).unwrap();
        let name = file.display();
        run(&format!("decode 5x6 {name}")).says(10, "5x6 knight, closed tours, start a1: a tour, checked");
        let json = run(&format!("decode 5x6 {name} --json")).parsed();
        orders.push(json["tour"].clone());
    }
    orders.dedup();
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0].as_array().unwrap().len(), 30);

    feed("decode 5x5 -", "UNSAT\n").says(20, "the solver reports that there is no tour");
    feed("decode 5x5 -", "INDET\n").says(3, "the solver gives no answer");
}

#[test]
fn queens_are_decoded_in_every_form() {
    let answer = run("queens 6 solve --dimacs").out();
    let line = literals(&answer).join(" ");
    for text in [format!("SAT\n{line} 0\n"), line] {
        feed("queens 6 decode -", &text).exits(10);
    }
    feed("queens 3 decode -", "UNSAT\n").exits(20);
}

#[test]
fn answers_of_two_forms_or_of_half_a_model_are_refused() {
    let answer = run("solve 5x6 -e binary --dimacs").out();
    let model = literals(&answer);
    let line = model.join(" ");
    let decode = |text: &str| feed("decode 5x6 -", text).refused();
    for (text, message) in [
        (format!("SAT\n{answer}"), "does not belong in a result file of MiniSat: \""),
        (format!("{answer}SAT\n"), "does not belong in an answer of \"s\" and \"v\" lines: \"SAT\""),
        (format!("{line} 0\nSAT\n"), "line 2 does not belong in a list of literals: \"SAT\""),
        (format!("UNSAT\n{line} 0\n"), "line 2 has literals, but the status before them is not SAT"),
        (format!("SAT\n{line}\n"), "the model is truncated: it does not end in 0"),
        (format!("v {line} 0\n"), "the answer has no status: no line begins with \"s \""),
        (model[..100].join(" "), "the model has no value for variable 101 of 269"),
        (
            "SATISFIABLE\n".to_owned(),
            "line 1 is not a line of a solver's answer (expected \"c\", \"s\" or \"v\" first, or \"SAT\", \"UNSAT\", \"INDET\" or literals): \"SATISFIABLE\"",
        ),
    ] {
        let said = decode(&text);
        assert!(said.contains(message), "{said}");
    }
}
