//! VeriPB proofs: counting arguments in cutting planes, and proofs by solvers. `hamcnf verify` checks them. VeriPB
//! checks them too if it is installed (`HAMCNF_VERIPB=1 scripts/test`); otherwise this check is skipped, with a note on
//! standard error.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::*;

/// Proof that a question has no tour, in a folder with the clauses from which the proof starts.
struct Proof {
    folder: Place,
    text: String,
}

impl Proof {
    fn of(question: &str) -> Self {
        let folder = Place::new();
        let file = |name| folder.path(name).display().to_string();
        let files = format!("--proof {} --cnf {}", file("proof.pbp"), file("formula.cnf"));
        run(&format!("-q solve {question} {files}")).exits(20);
        let text = fs::read_to_string(file("proof.pbp")).unwrap();
        Self { folder, text }
    }

    fn lines(&self, rule: &str) -> usize {
        let begins = |line: &&str| line.split(' ').next() == Some(rule);
        self.text.lines().filter(begins).count()
    }

    /// Returns true if `hamcnf verify` accepts this text as a proof. If VeriPB is installed, it must agree.
    #[track_caller]
    fn accepts(&self, veripb: Option<&Path>, text: &str) -> bool {
        let proof = self.folder.path("other.pbp");
        fs::write(&proof, text).unwrap();
        let ours = run(&format!("verify --proof {}", proof.display()));
        let said = ours.out();
        let accepted = match ours.code() {
            Some(0) => said.starts_with("verified: "),
            code => {
                assert!(code == Some(1) && said.starts_with("not verified: "), "{said}");
                false
            }
        };
        let Some(veripb) = veripb else {
            return accepted;
        };
        let mut command = Command::new(veripb);
        command.arg("--cnf");
        command.arg(self.folder.path("formula.cnf"));
        let command = command.arg(&proof);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let theirs = command.status().unwrap().success();
        assert_eq!(accepted, theirs, "{said}");
        accepted
    }
}

/// Returns the path of VeriPB, if it is installed.
fn veripb() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = [own]
        .into_iter()
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join("veripb"))
        .find(|file| file.is_file());
    if found.is_none() {
        eprintln!("skipped: no veripb; HAMCNF_VERIPB=1 scripts/test installs it");
    }
    found
}

/// Questions whose proofs need no solver, and the maximum number of steps in each proof.
const COUNTED: [(&str, usize); 22] = [
    // Proofs by colours.
    ("9x9", 41),
    ("11x11", 61),
    ("5x5 --start b1", 13),
    ("8x8-a1-c1", 30),
    ("5x5 --open --start b1", 13),
    ("8x8-a1-c1-e1 --open --start b1", 29),
    ("5x5 --open --from anywhere --to b1", 13),
    ("8x8-a1-c1 --open --from anywhere", 31),
    ("5x5 --from a1 --to b1", 14),
    ("5x5 --from b1 --to a2", 13),
    ("6x6 --from a1 --to c1", 18),
    // Proofs by components, and by a missing 2-factor.
    ("3x6", 10),
    ("4x4", 30),
    ("4x8", 60),
    ("4x10", 100),
    ("4x20", 200),
    ("4x8 --start b2", 60),
    ("4x4 --open --start a1", 20),
    ("4x8 --open --start b2", 60),
    ("3x3 --open --from anywhere", 20),
    ("4x5 --from b1 --to b2", 20),
    // Proofs by unreachable vertices.
    ("3x3", 1),
];

/// Returns the number of steps of a proof that derive constraints.
fn steps(proof: &Proof) -> usize {
    ["pol", "rup", "red"].map(|rule| proof.lines(rule)).iter().sum()
}

#[test]
fn what_can_be_counted_is_counted_in_a_few_lines() {
    let veripb = veripb();
    for (question, most) in COUNTED {
        let proof = Proof::of(question);
        let steps = steps(&proof);
        assert!(steps <= most, "{question}: {steps} steps");
        let pol = proof.lines("pol");
        assert_eq!(pol > 0, question != "3x3", "{question}");
        let veripb = veripb.as_deref();
        assert!(proof.accepts(veripb, &proof.text), "{question}");
        // Without the sum, or with one clause less in the sum, the proof has no contradiction.
        let Some(sum) = proof.text.lines().rfind(|line| line.starts_with("pol")) else {
            continue;
        };
        let (first, rest) = sum.strip_prefix("pol ").unwrap().split_once(' ').unwrap();
        let (_, rest) = rest.split_once(" +").unwrap();
        let less = proof.text.replace(sum, &format!("pol {first}{rest}"));
        assert_ne!(less, proof.text);
        assert!(!proof.accepts(veripb, &less), "{question}");
    }
}

#[test]
fn colours_take_a_line_for_each_vertex_of_the_fewer() {
    for (question, fewer) in [("9x9", 40), ("11x11", 60), ("13x13", 84)] {
        let proof = Proof::of(question);
        assert_eq!(proof.lines("pol"), fewer + 1, "{question}");
        assert_eq!(steps(&proof), fewer + 1, "{question}");
        assert!(proof.text.len() < 20_000);
    }
}

#[test]
fn the_head_says_what_it_is_about_in_comments_of_the_format() {
    let proof = Proof::of("5x5 --open --start b1");
    let mut lines = proof.text.lines();
    assert_eq!(lines.next(), Some("pseudo-Boolean proof version 3.0"));
    let comments: Vec<_> = lines.by_ref().take(3).collect();
    assert!(comments.iter().all(|line| line.starts_with("% ")));
    assert!(comments.contains(&"% question 5x5 open from b1"));
    assert!(comments.contains(&"% encoding precedence"));
    assert!(lines.next().unwrap().starts_with("f "));
}

/// Tests proofs for graphs with cut vertices and few edges, and for questions with all kinds of endpoints.
#[test]
fn graphs_like_trees_are_counted() {
    let veripb = veripb();
    let folder = Place::new();
    let triangle = |a, b, c| vec![(a, b), (b, c), (c, a)];
    let ray = |at, a| vec![(at, a), (at, a + 1), (a, a + 1)];
    let graphs = [
        [triangle(1, 2, 3), triangle(4, 5, 6), vec![(3, 4)]].concat(),
        [triangle(1, 2, 3), triangle(1, 4, 5)].concat(),
        [triangle(1, 2, 3), triangle(4, 5, 6)].concat(),
        [triangle(1, 2, 3), ray(1, 4), ray(2, 6), ray(3, 8)].concat(),
        [triangle(1, 2, 3), ray(1, 4), ray(1, 6), ray(1, 8)].concat(),
        vec![(1, 2), (2, 3), (3, 4), (2, 5), (5, 6)],
        vec![(1, 2), (2, 3), (3, 1), (1, 4)],
        (2..=40).map(|v| (v, v / 2)).collect(),
    ];
    let ends = [
        "",
        "--start 4",
        "--open",
        "--open --start 3",
        "--open --start 4",
        "--open --from anywhere",
        "--open --from anywhere --to 2",
        "--from 1 --to 3",
        "--from 2 --to 4",
    ];
    let mut counted = 0;
    for (k, edges) in graphs.iter().enumerate() {
        let file = folder.path(format!("{k}.txt"));
        let mut list = String::new();
        for (a, b) in edges {
            writeln!(list, "{a} {b}").unwrap();
        }
        fs::write(&file, list).unwrap();
        for ends in ends {
            let question = format!("{} {ends}", file.display());
            if run(&format!("-q solve {question}")).code() == Some(10) {
                continue;
            }
            let proof = Proof::of(&question);
            assert!(proof.accepts(veripb.as_deref(), &proof.text), "{question}");
            counted += usize::from(proof.lines("pol") > 0);
        }
    }
    assert!(counted > 30, "{counted}");
}

#[test]
fn veripb_accepts_what_solvers_found() {
    let veripb = veripb();
    for question in [
        "3x8 --method lazy",
        "snark:blanusa-1 --method lazy",
        "petersen:11:2 --method lazy",
        "3x8",
        "flower:5",
        "petersen:11:2",
        "petersen:11:2 --method propagator",
        "4x6 -e successor",
        "petersen:11:2 -e successor",
        "4x4 --open -e precedence",
        "3x5 --open --from anywhere",
    ] {
        let proof = Proof::of(question);
        assert_eq!(proof.lines("pol"), 0, "{question}");
        assert!(proof.accepts(veripb.as_deref(), &proof.text), "{question}");
        // The changed proof claims the contradiction without the lines that imply it.
        let is_head = |line: &&str| line.starts_with(['p', '%', 'f']);
        let mut nothing: Vec<&str> = proof.text.lines().take_while(is_head).collect();
        let end = ["rup >= 1;", "output NONE;", "conclusion UNSAT;"];
        nothing.extend(end);
        nothing.push("end pseudo-Boolean proof;\n");
        let nothing = nothing.join("\n");
        assert!(!proof.accepts(veripb.as_deref(), &nothing), "{question}");
    }
}
