//! Certificates that there is no tour: written by `hamcnf solve --proof`, and checked by `hamcnf verify`.

use std::fs;
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
fn obstructions_are_written_and_verified() {
    assert_eq!(
        proved("9x9", "", "colours"),
        "verified: there is no closed tour of 9x9: every move changes colour, but no such tour visits 41 vertices of one colour and 40 of the other\n"
    );
    assert_eq!(
        proved("4x20", "", "parts"),
        "verified: there is no closed tour of 4x20: without 20 vertices there are 21 components, but a tour of this kind could visit only 20 of them\n"
    );
    assert_eq!(
        proved("3x3", "", "parts"),
        "verified: there is no closed tour of 3x3: the graph has 2 connected components\n"
    );
    assert_eq!(
        proved("5x5 open from b1", "", "colours"),
        "verified: there is no open tour of 5x5 from b1: every move changes colour, but no such tour visits 13 vertices of one colour and 12 of the other\n"
    );
}

#[test]
fn ends_that_are_given_are_part_of_it() {
    let said = proved("8x8 open from a1 to c1", "", "colours");
    assert!(said.starts_with("verified: there is no open tour of 8x8 from a1 to c1: "), "{said}");
    let folder = Place::with("bull.txt", "1 2\n2 3\n3 1\n2 4\n3 5\n");
    folder.run("solve bull.txt --open --start 1 --proof x.cert").exits(20);
    let verify = |more: &str| folder.run(&format!("verify bull.txt --proof x.cert {more}"));
    verify("--open --start 1").prints(0, "verified: there is no open tour of bull.txt from 1: the tour would have to end both on the far side of 2 and on the far side of 3, which is impossible\n");
    for (more, found) in [
        ("", "closed"),
        ("--open --start 2", "open from 2 to anywhere"),
        ("--open --from anywhere", "open from anywhere to anywhere"),
        ("--open --to 2", "open from anywhere to 2"),
    ] {
        assert_eq!(
            verify(more).refused(),
            format!(
                "cannot read x.cert: line 4: the certificate is about other tours than the question: \"open from 1 to anywhere\" instead of \"{found}\""
            )
        );
    }
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
fn compressed_files_are_as_good() {
    let folder = Place::new();
    for name in ["x.cert.gz", "x.CERT.zst"] {
        folder.run(&format!("solve 5x5 --proof {name}")).exits(20);
        let bytes = fs::read(folder.path(name)).unwrap();
        assert!(!bytes.starts_with(b"hamcnf"));
        folder.run(&format!("verify 5x5 --proof {name}")).exits(0);
        feed("verify 5x5 --proof -", bytes).exits(0);
    }
}

#[test]
fn nothing_is_written_where_there_is_nothing_to_prove() {
    let folder = Place::new();
    let there = || folder.names("").len();
    let tour = folder.run("solve 6x6 --proof x.cert");
    tour.exits(10);
    tour.notes_only("hamcnf: x.cert was not written: there is a tour, checked move by move\n");
    folder
        .run("solve 6x6 --method obstruction --proof x.cert")
        .exits(3)
        .notes_only("hamcnf: x.cert was not written: it is not known whether there is a tour\n");
    folder.run("solve 6x6 -q --proof x.cert").notes_only("");
    for (args, said) in [
        (
            "solve 9x9 --proof x.txt",
            "\"x.txt\" does not end in the extension of a proof format; use .drat, .lrat, .pbp or .cert",
        ),
        ("solve 9x9 --proof no/x.cert", "cannot write no/x.cert"),
    ] {
        folder.run(args).refused_with(said);
    }
    assert_eq!(there(), 0);
}

#[test]
fn programs_are_told_of_a_certificate() {
    let folder = Place::new();
    let json = |args: &str, code| -> serde_json::Value { folder.run(args).json(code) };
    let proof = &json("solve 5x5 --proof x.cert --json", 20)["details"]["proof"];
    let bytes = fs::metadata(folder.path("x.cert")).unwrap().len();
    let written = json!({"form": "certificate", "file": "x.cert", "written": true, "bytes": bytes});
    assert_eq!(*proof, written);
    let proof = &json("solve 6x6 --proof y.cert --json", 10)["details"]["proof"];
    let missing = json!({
        "form": "certificate", "file": "y.cert", "written": false, "reason": "there is a tour"
    });
    assert_eq!(*proof, missing);
    // A request for several tours has a certificate, too, if there is no tour.
    folder.run("solve 5x5 -e binary --number 3 --proof z.cert").exits(20);
    folder.run("verify 5x5 --proof z.cert").exits(0);
    std::os::unix::fs::symlink("/dev/full", folder.path("full.cert")).unwrap();
    folder.run("solve 5x5 --proof full.cert --require-proof").exits(1).notes_only(
        "hamcnf: full.cert was not written: cannot write full.cert: No space left on device (os error 28)\n",
    );
}

#[test]
fn other_questions_are_refused() {
    let folder = Place::new();
    folder.run("solve 9x9 --proof x.cert").exits(20);
    assert_eq!(folder.run("verify 7x7 --proof x.cert").refused(), "x.cert is about \"9x9\", not about \"7x7\"");
    assert_eq!(
        folder.run("verify 9x9 --start b1 --proof x.cert").refused(),
        "x.cert is about \"9x9\", not about \"9x9 from b1\""
    );
    assert_eq!(
        folder.run("verify --open --proof x.cert").refused(),
        "--open needs a board or graph: name the board or graph, or remove --open"
    );
    // Another graph replaces the first under the same file name.
    folder.write("g.txt", "1 2\n2 3\n");
    folder.run("solve g.txt --proof g.cert").exits(20);
    folder.run("verify g.txt --proof g.cert").exits(0);
    fs::rename(folder.path("g.txt"), folder.path("h.txt")).unwrap();
    folder.run("verify h.txt --proof g.cert").exits(0);
    assert!(folder.run("verify --proof g.cert").refused().starts_with("cannot read g.cert: its question \"g.txt\""));
    folder.write("g.txt", "1 2\n2 3\n3 1\n");
    for args in ["verify g.txt --proof g.cert", "verify --proof g.cert"] {
        folder
            .run(args)
            .refused_with("cannot read g.cert: line 5: the certificate is about the graph \"3 vertices 2 edges crc32 ");
    }
    assert!(folder.run("verify 9x9 --proof none.cert").refused().starts_with("cannot read none.cert: "));
    let other = feed("verify 9x9 --proof -", "p cnf 1 1\n").refused();
    assert_eq!(
        other,
        "cannot read standard input as a certificate: save other proofs in a file named .drat, .lrat or .pbp: \
         line 1: expected \"hamcnf certificate 1\", but found \"p cnf 1 1\""
    );
}

#[test]
fn what_does_not_hold_is_not_verified() {
    let folder = Place::new();
    folder.run("solve 4x5 --proof x.cert").exits(20);
    let cert = folder.read("x.cert");
    let (head, _) = cert.split_once("because").unwrap();
    let verify = |reason: &str| {
        folder.write("y.cert", format!("{head}because {reason}\nend\n"));
        folder.run("verify 4x5 --proof y.cert").text(1)
    };
    assert_eq!(
        verify("colours"),
        "not verified: 4x5: colours: the colours prove nothing: 10 vertices of one colour and 10 of the other allow a tour\n"
    );
    assert_eq!(
        verify("parts\nwithout c3"),
        "not verified: 4x5: parts: the reason proves nothing: after removal of the listed vertices (1), the number of components is only 1, and a tour could visit 1\n"
    );
    let json = folder.run("verify 4x5 --proof y.cert --json").json(1);
    assert_eq!(json["status"], "not-verified");
    assert_eq!(json["details"]["reason"], "parts");
    assert_eq!(json["question"], "4x5");
    folder.run("verify 4x5 --proof x.cert --json").has(0, json!({ "status": "verified" }));
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
