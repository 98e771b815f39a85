//! Inputs that the fuzzers have found. Every input in `fuzz/corpus` is run, and each run must end within seconds.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

#[allow(dead_code, unreachable_pub, reason = "the fuzzers' own crate uses it too")]
#[path = "../../fuzz/src/corpus.rs"]
mod kept;
#[allow(unreachable_pub, reason = "the fuzzers' own crate uses it too")]
#[path = "../../fuzz/src/targets/mod.rs"]
mod targets;

use crate::command::{refused, text};

/// Time limit for an input. Even on a busy machine, an input takes far less time.
const LONGEST: Duration = Duration::from_secs(30);

#[test]
fn every_input_that_is_kept_is_taken() {
    for (name, target, inputs) in targets::ALL {
        let inputs = kept::read(inputs).unwrap_or_else(|line| panic!("{name}: {line}"));
        assert!(!inputs.is_empty(), "{name}");
        for input in inputs {
            let began = Instant::now();
            // This line names the input if the target panics.
            println!("{name}: {}", kept::line(&input));
            target(&input);
            assert!(began.elapsed() < LONGEST, "{name}: {}", kept::line(&input));
        }
    }
}

#[test]
fn inputs_are_kept_as_they_are() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    for input in [&all[..], b"", b"#", b"# a", b"\\x41", b"a\r\n\t\"'"] {
        let line = kept::line(input);
        assert_eq!(line.lines().count().max(1), 1, "{line}");
        // The file represents an empty input as an empty line.
        let file = format!("# once broke\n{line}\n");
        assert_eq!(kept::read(&file), Ok(vec![input.to_vec()]));
    }
    assert_eq!(kept::read("\\q"), Err("\\q".to_owned()));
}

/// Runs the program with these arguments, and with a limit on its address space in MiB.
fn within(mebibytes: u32, folder: &Path, args: &[&str]) -> Output {
    let kibibytes = (mebibytes * 1024).to_string();
    Command::new("sh")
        .args(["-c", "ulimit -v $0 && exec \"$@\"", &kibibytes])
        .arg(env!("CARGO_BIN_EXE_hamcnf"))
        .args(args)
        .current_dir(folder)
        .env_remove("CLICOLOR_FORCE")
        .output()
        .unwrap()
}

/// Address space in MiB that suffices for the program with its threads, and for a file of a few MiB.
const LITTLE: u32 = 400;

/// Time limit for a run that takes milliseconds. It allows for a busy machine.
const SOON: Duration = Duration::from_secs(10);

#[test]
fn headers_that_claim_billions_are_refused_at_once_and_take_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let tsplib = |n: &str, data: &str, edges: &str| {
        format!("TYPE : HCP\nDIMENSION : {n}\nEDGE_DATA_FORMAT : {data}\nEDGE_DATA_SECTION\n{edges}-1\nEOF\n")
    };
    let by = |question: &str| format!("c question {question}\nc encoding binary\np cnf 999999999 1\n");
    let experiment = |board: &str| format!("title = \"a\"\nquestions = [\"{board}\"]\nmethods = [\"size:binary\"]\n");
    let too_many = "1000000000 vertices are too many; at most 16777216 are supported";
    let isolated = "at most 65536 vertices without an edge are supported";
    let large = "is too large";
    let graph: &[&str] = &["graph", "FILE"];
    let plain: &[&str] = &["graph", "FILE", "--graph-format", "edges"];
    let headed: &[&str] = &["graph", "FILE", "--graph-format", "edges-header"];
    let dimacs: &[&str] = &["graph", "FILE", "--graph-format", "dimacs"];
    let solve: &[&str] = &["solve", "FILE"];
    let decode: &[&str] = &["decode", "FILE", "-"];
    let answer: &[&str] = &["decode", "4x4", "FILE", "-e", "binary"];
    let plan: &[&str] = &["run", "FILE", "--dry-run"];
    let cases: Vec<(&[&str], String, &str)> = vec![
        (graph, "p edge 1000000000 1000000000\n".into(), too_many),
        (dimacs, "p col 1000000000 0\n".into(), too_many),
        (solve, "p 1000000000 0\n".into(), too_many),
        (graph, "p edge 16777216 0\n".into(), isolated),
        (solve, "p edge 16777216 1\ne 1 16777216\n".into(), isolated),
        (graph, "p edge 9 1000000000\ne 1 2\n".into(), "the header announces 1000000000 edges"),
        (graph, tsplib("1000000000", "EDGE_LIST", ""), too_many),
        (graph, tsplib("1000000000", "ADJ_LIST", "1 2 -1\n"), too_many),
        (solve, tsplib("16777216", "ADJ_LIST", "1 2 -1\n"), isolated),
        (headed, "1000000000 1\n1 2\n".into(), too_many),
        (headed, "16777216 1\n1 2\n".into(), isolated),
        (graph, "# edges-header\n1000000000 1\n1 2\n".into(), too_many),
        (graph, "16777216 16777215\n".into(), "may be an edge, or a header"),
        (decode, by("31623x31623"), large),
        (decode, by("1000000000x1"), large),
        (decode, by("complete:1000000000"), "complete"),
        (answer, "s SATISFIABLE\nv 1000000000 0\n".into(), "names variable 1000000000"),
        (answer, "v -9223372036854775808 0\n".into(), "names variable 9223372036854775808"),
        (plan, experiment("1000000000x1000000000"), large),
        (plan, experiment("cubic:1000000000:1"), "cubic"),
    ];
    for (args, content, message) in cases {
        fs::write(folder.path().join("FILE"), &content).unwrap();
        let began = Instant::now();
        let said = refused(&within(LITTLE, folder.path(), args));
        assert!(began.elapsed() < SOON, "{content}");
        assert!(said.contains(message), "{content}: {said}");
    }
    // Without a header, the vertices are the endpoints of the edges.
    for text in ["1 1000000000\n", "0 18446744073709551615\n"] {
        fs::write(folder.path().join("FILE"), text).unwrap();
        let began = Instant::now();
        let read = within(LITTLE, folder.path(), plain);
        assert!(began.elapsed() < SOON, "{text}");
        assert_eq!(read.status.code(), Some(0), "{text}");
    }
    // The exit code for input that is not a tour differs from the code for invalid input.
    let check: &[&str] = &["check", "FILE"];
    let json = |tour: &str, details: &str| format!("{{\"tour\": [{tour}], \"details\": {{{details}}}}}");
    let cases = [
        (json("\"1\"", "\"instance\": \"g\", \"graph\": {\"vertices\": 1000000000, \"edges\": []}"), "has 1000000000"),
        (json("\"a1\", \"b3\"", "\"instance\": \"4000x4000\""), "has 16000000"),
        (json("\"a1\", \"b1\"", "\"instance\": \"1000x1000\""), "has 1000000"),
        ("a1 zz999 b2\n".to_owned(), "has 701298"),
    ];
    for (content, message) in cases {
        fs::write(folder.path().join("FILE"), &content).unwrap();
        let began = Instant::now();
        let said = text(&within(LITTLE, folder.path(), check), 1);
        assert!(began.elapsed() < SOON, "{content}");
        assert!(said.contains(message), "{content}: {said}");
    }
}
