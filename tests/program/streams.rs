//! Commands on several graphs: files with a graph per line, and folders.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::command::*;

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
