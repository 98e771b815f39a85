//! Forms of a solver's answer that `decode` accepts.

use std::fs;

use crate::command::*;

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
