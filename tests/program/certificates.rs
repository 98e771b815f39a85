//! Certificates that there is no tour: written by `hamcnf solve --proof`, and checked by `hamcnf verify`.

use std::time::{Duration, Instant};

use crate::command::*;
use serde_json::json;

/// Solves a question, and verifies the certificate twice: with the question on the command line and without.
#[track_caller]
fn proved(question: &str, more: &str, because: &str) -> String {
    let folder = Place::new();
    folder.run(&format!("solve {question} --proof x.cert {more}")).exits(20).notes_only("");
    let cert = folder.read("x.cert");
    assert!(cert.contains(&format!("\nbecause {because}\n")), "{cert}");
    let verified = folder.run(&format!("verify {question} --proof x.cert"));
    let said = verified.text(0);
    folder.run("verify --proof x.cert").prints(0, &said);
    assert_eq!(said.lines().count(), 1);
    said
}

#[test]
fn orders_are_written_and_verified() {
    let said = proved("petersen:11:2", "--method decomposition", "decomposition");
    assert!(
        said.starts_with(
            "verified: there is no closed tour of petersen:11:2: dynamic programming along an elimination order"
        ),
        "{said}"
    );
    // Narrow graphs have a certificate by decomposition, even if another method found the answer.
    proved("petersen:11:2", "", "decomposition");
    proved("petersen:11:2", "--method propagator", "decomposition");
    proved("3x8", "--method decomposition", "decomposition");
    proved("4x10", "--method decomposition", "decomposition");
    proved("flower:101", "--method decomposition", "decomposition");
    proved("3x5 open from a1", "--method decomposition", "decomposition");
    proved("3x5 open from anywhere", "--method decomposition", "decomposition");
    proved("3x7 open from a1 to a2", "--method decomposition", "decomposition");
}

/// Returns a torus with `n` rows and columns and additional vertices. Each of three vertices of degree two is adjacent
/// to the torus and to a fourth vertex. A tour would need all three edges to the fourth vertex. Two further vertices
/// are adjacent only to the torus.
fn short_of_edges(n: u32) -> String {
    let square = |row: u32, column: u32| n * (row % n) + column % n + 1;
    let mut edges = Vec::new();
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        edges.push((square(row, column), square(row + 1, column)));
        edges.push((square(row, column), square(row, column + 1)));
    }
    let last = n * n;
    let fourth = last + 4;
    // The even squares have the same colour as the fourth vertex and the two further vertices.
    for k in 0..3 {
        edges.extend([(last + 1 + k, fourth), (last + 1 + k, square(2 * k, 0))]);
    }
    edges.push((fourth, square(1, 0)));
    for two in 1..=2 {
        edges.extend((0..4).map(|k| (fourth + two, square(2 * k + 1, 2 * two))));
    }
    edges.iter().map(|(a, b)| format!("{a} {b}\n")).collect()
}

/// Tests a graph so large that the infeasibility checks find no obstruction: its certificate is written and verified.
#[test]
fn parts_of_large_bipartite_graphs_are_written_and_verified() {
    let folder = Place::with("g.txt", short_of_edges(100));
    folder.run("solve g.txt --method obstruction").exits(3);
    folder.run("solve g.txt --method two-factor --proof x.cert").exits(20);
    let cert = folder.read("x.cert");
    assert!(cert.contains("because parts\nwithout "));
    folder.run("verify g.txt --proof x.cert").begins(0, "verified: there is no closed tour of g.txt: without ");
}

/// Tests the message for a graph without a certificate: it is neither bipartite nor narrow, and has no cheap
/// obstruction.
#[test]
fn what_has_no_certificate_is_said() {
    let folder = Place::new();
    // One more edge creates an odd cycle. Reductions find that three vertices need the fourth.
    let odd = format!("{}1 10\n", short_of_edges(8));
    folder.write("g.txt", odd);
    folder.run("solve g.txt --proof x.cert -q").exits(20).notes_only("hamcnf: x.cert was not written: a certificate (.cert) needs an obstruction or an elimination order of small width, and none was found: no elimination order of width 12 or less was found; try DRAT (--proof FILE.drat), which exists for every graph but is slow and long for large graphs\n");
    assert!(!folder.has("x.cert"));
}

#[test]
fn long_graphs_take_seconds() {
    let began = Instant::now();
    proved("petersen:20003:2", "--threads 1", "decomposition");
    proved("4x30", "--method decomposition", "decomposition");
    assert!(began.elapsed() < Duration::from_secs(300));
}

#[test]
fn limits_are_kept() {
    let folder = Place::new();
    // The elimination order in the certificate leads to very wide tables.
    folder.run("solve petersen:11:2 --proof x.cert").exits(20);
    let graph = folder.run("graph 16x16 --json").json(0);
    let names: Vec<_> =
        (0..16).flat_map(|row| (b'a'..=b'p').map(move |column| format!("{}{}", column as char, row + 1))).collect();
    let cert = format!(
        "hamcnf certificate 1\nquestion 16x16\ntours closed\ngraph 256 vertices {} edges crc32 {}\nbecause \
         decomposition\neliminate {}\nend\n",
        graph["edges"],
        graph["graph_crc32"].as_str().unwrap(),
        names.join(" ")
    );
    folder.write("wide.cert", cert);
    let wide = folder.run("verify 16x16 --proof wide.cert").text(3);
    assert!(
        wide.starts_with("not verified: 16x16: decomposition: the certificate is too wide to check: more than "),
        "{wide}"
    );
    // A cycle through one component does not visit the other component, so the certificate is valid.
    folder.write("two.edges", "1 2\n2 3\n3 1\n4 5\n5 6\n6 4\n");
    let graph = folder.run("graph two.edges --json").json(0);
    let cert = format!(
        "hamcnf certificate 1\nquestion two.edges\ntours closed\ngraph 6 vertices 6 edges crc32 {}\nbecause \
         decomposition\neliminate 1 2 3 4 5 6\nend\n",
        graph["graph_crc32"].as_str().unwrap(),
    );
    folder.write("two.cert", cert);
    folder.run("verify two.edges --proof two.cert").says(0, "dynamic programming along an elimination order");
    // If the time limit has passed when the answer is known, no time remains to compute the order.
    let late = folder.run("solve petersen:20003:2 --method decomposition --time-limit 0.001 --proof late.cert");
    assert!(!late.err().is_empty());
    assert!(!folder.has("late.cert"));
    let began = Instant::now();
    folder.run("verify 16x16 --proof wide.cert --time-limit 0.01 --json").has(3, json!({ "status": "unknown" }));
    assert!(began.elapsed() < Duration::from_secs(60));
}
