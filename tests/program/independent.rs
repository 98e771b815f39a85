//! Proofs by CaDiCaL and by `hamcnf solve`, checked by this program and by independent checkers.
//!
//! A checker is used if it is in `target/tools/bin`, on the PATH, or in the folder that `HAMCNF_CHECKERS` names. Each
//! missing checker is skipped with a note on standard error. `scripts/test` installs dratify, and VeriPB if
//! `HAMCNF_VERIPB` is set.
//!
//! | checker | form |
//! |---|---|
//! | `cake_lpr`, verified down to its machine code | LRAT, text and bytes |
//! | `lrat-check`, of drat-trim | LRAT, text |
//! | `drat-trim` | DRAT, text and bytes |
//! | dratify, in Python | DRAT, text |
//! | VeriPB | cutting planes |
//! | `cake_scpog`, verified down to its machine code | SCPOG: certificates of counts |
//!
//! # References
//!
//! - Yong Kiam Tan, Marijn Heule, Magnus Myreen: *Verified Propagation Redundancy and Compositional UNSAT Checking in
//!   CakeML*, STTT 25, 2023: `cake_lpr`.
//! - Nathan Wetzler, Marijn Heule, Warren Hunt: *DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal
//!   Proofs*, SAT 2014.

use std::fmt::Write as _;
use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::*;
use hamcnf::check::{Checked, Drat, Lrat, Syntax, Unproved, read_dimacs};
use rustsat::instances::Cnf;
use rustsat::solvers::{Solve, SolverResult};
use rustsat_cadical::{CaDiCaL, ProofFormat};
use tempfile::TempDir;

/// Formula without a model in a file. Proofs of its unsatisfiability are in the same folder.
struct Case {
    folder: TempDir,
}

impl Case {
    /// Writes the formula of a question that has no tour. Unit clauses come last, because CaDiCaL numbers clauses as in
    /// the file only until it has simplified a clause.
    fn of(question: &str) -> Self {
        let formula = run(&format!("encode {question}")).text(0);
        let clauses = |unit: bool| {
            let clauses = formula.lines().filter(|line| !line.starts_with(['c', 'p']));
            clauses.filter(move |line| (line.split(' ').count() == 2) == unit)
        };
        let mut sorted = String::new();
        let header = formula.lines().find(|line| line.starts_with('p'));
        for line in header.into_iter().chain(clauses(false)).chain(clauses(true)) {
            writeln!(sorted, "{line}").unwrap();
        }
        let case = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(case.formula(), sorted).unwrap();
        case
    }

    fn formula(&self) -> PathBuf {
        self.folder.path().join("formula.cnf")
    }

    /// Writes CaDiCaL's proof that the formula has no model, and returns the proof's file.
    fn prove(&self, format: ProofFormat) -> PathBuf {
        let file = self.folder.path().join("proof");
        let mut formula = Cnf::new();
        read_dimacs(File::open(self.formula()).unwrap(), &mut formula).unwrap();
        let mut solver = CaDiCaL::default();
        solver.trace_proof(&file, format).unwrap();
        for clause in formula {
            solver.add_clause(clause).unwrap();
        }
        assert_eq!(solver.solve().unwrap(), SolverResult::Unsat);
        file
    }

    fn drat(&self, proof: &Path, syntax: Syntax) -> Result<Checked, Unproved> {
        let mut checker = Drat::default();
        read_dimacs(File::open(self.formula()).unwrap(), &mut checker).unwrap();
        checker.check(File::open(proof).unwrap(), syntax, &|| false)
    }

    fn lrat(&self, proof: &Path, syntax: Syntax) -> Result<Checked, Unproved> {
        let mut checker = Lrat::default();
        read_dimacs(File::open(self.formula()).unwrap(), &mut checker).unwrap();
        checker.check(File::open(proof).unwrap(), syntax, &|| false)
    }
}

const QUESTIONS: [&str; 4] =
    ["4x7 -e successor", "petersen:11:2 -e successor", "flower:5 -e unary", "5x5 --open --start b1 -e binary"];

/// Removes the empty clause of a text proof and all lines after it.
fn cut(proof: &Path) {
    let whole = fs::read_to_string(proof).unwrap();
    let end = whole.find("\n0\n").unwrap();
    fs::write(proof, &whole[..=end]).unwrap();
}

#[test]
fn what_cadical_proves_is_accepted_in_all_formats() {
    for question in QUESTIONS {
        let case = Case::of(question);
        for (binary, syntax) in [(false, Syntax::Text), (true, Syntax::Binary)] {
            let proof = case.prove(ProofFormat::Drat { binary });
            assert_eq!(Syntax::of(&fs::read(&proof).unwrap()), syntax);
            let drat = case.drat(&proof, syntax).unwrap();
            assert_eq!(drat.missing, 0, "{question}");
            let proof = case.prove(ProofFormat::Lrat { binary });
            assert_eq!(Syntax::of(&fs::read(&proof).unwrap()), syntax);
            let lrat = case.lrat(&proof, syntax).unwrap();
            assert_eq!((lrat.missing, lrat.extensions), (0, drat.extensions));
            assert!(lrat.additions > 10, "{question}");
        }
        let proof = case.prove(ProofFormat::Drat { binary: false });
        cut(&proof);
        assert!(case.drat(&proof, Syntax::Text).is_err());
    }
}

/// Returns the path of a program in `target/tools/bin`, in a folder that `HAMCNF_CHECKERS` names, or on the PATH.
fn installed(name: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin");
    let given = std::env::var_os("HAMCNF_CHECKERS").unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    [own]
        .into_iter()
        .chain(std::env::split_paths(&given))
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn succeeds(command: &mut Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Returns a command that runs Python with the package dratify; `None` if dratify is not installed.
fn dratify() -> Option<Command> {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/dratify");
    let command = || {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", &packages).arg("-c");
        command
    };
    succeeds(command().arg("import dratify")).then(command)
}

const DRATIFY: &str = "
import sys, dratify
formula, proof = (open(name).read() for name in sys.argv[1:])
result = dratify.check_proof(dratify.parse_dimacs(formula), proof)
sys.exit(0 if result.ok else 1)
";

#[test]
fn dratify_accepts_the_proofs_that_are_accepted_here() {
    if dratify().is_none() {
        eprintln!("skipped: no dratify; scripts/test installs it");
        return;
    }
    // Only the smaller questions are checked, because dratify takes ten times as long as this program's checkers.
    for question in [QUESTIONS[0], QUESTIONS[3]] {
        let case = Case::of(question);
        let proof = case.prove(ProofFormat::Drat { binary: false });
        let ours = || case.drat(&proof, Syntax::Text).is_ok();
        let theirs = || {
            let mut command = dratify().unwrap();
            succeeds(command.arg(DRATIFY).arg(case.formula()).arg(&proof))
        };
        let whole = fs::read_to_string(&proof).unwrap();
        fs::write(&proof, format!("c hamcnf {question}\nc\n{whole}")).unwrap();
        assert!(ours() && theirs(), "{question}");
        fs::write(&proof, "0\n").unwrap();
        assert!(!ours() && !theirs(), "{question}");
        // Without the first half of the proof, both checkers must agree.
        let lines: Vec<_> = whole.lines().collect();
        fs::write(&proof, lines[lines.len() / 2..].join("\n")).unwrap();
        assert_eq!(ours(), theirs(), "{question}");
    }
}

#[test]
fn veripb_accepts_what_cadical_proves() {
    let Some(veripb) = installed("veripb") else {
        eprintln!("skipped: no veripb; HAMCNF_VERIPB=1 scripts/test installs it");
        return;
    };
    for question in QUESTIONS {
        let case = Case::of(question);
        let proof = case.prove(ProofFormat::VeriPB { checked_deletion: false, drat: false });
        let accepts = |derivation: &str| {
            let clauses = fs::read_to_string(case.formula()).unwrap().lines().count() - 1;
            // CaDiCaL would write this header itself if it read the formula from a file.
            let header = format!("pseudo-Boolean proof version 3.0\nf {clauses};\n");
            fs::write(&proof, header + derivation).unwrap();
            let mut command = Command::new(&veripb);
            succeeds(command.arg("--cnf").arg(case.formula()).arg(&proof))
        };
        let whole = fs::read_to_string(&proof).unwrap();
        // CaDiCaL writes deletions after the end of the proof when it is released; they are cut off.
        let end = "end pseudo-Boolean proof;\n";
        let (derivation, _) = whole.split_once(end).unwrap();
        assert!(accepts(&(derivation.to_owned() + end)), "{question}");
        // An empty proof that claims the contradiction immediately is rejected.
        let end = "output NONE;\nconclusion UNSAT;\nend pseudo-Boolean proof;\n";
        assert!(!accepts(end), "{question}");
        assert!(!accepts(&format!("rup >= 1;\n{end}")), "{question}");
    }
}

/// Tests that dratify accepts counting proofs, and rejects them if the definitions are removed. The definitions do not
/// follow from the formula, but preserve satisfiability.
#[test]
fn dratify_accepts_what_is_counted() {
    if dratify().is_none() {
        eprintln!("skipped: no dratify; scripts/test installs it");
        return;
    }
    for question in ["5x5", "4x8", "6x6-a1-a3"] {
        let folder = Place::new();
        let [proof, formula] = ["p.drat", "f.cnf"].map(|name| folder.path(name));
        let asked = format!("-q solve {question} --proof {} --cnf {}", proof.display(), formula.display());
        run(&asked).exits(20);
        let accepts = || {
            let mut command = dratify().unwrap();
            succeeds(command.arg(DRATIFY).arg(&formula).arg(&proof))
        };
        assert!(accepts(), "{question}");
        // Removes all definitions from the proof.
        let whole = fs::read_to_string(&proof).unwrap();
        let variables = fs::read_to_string(&formula).unwrap();
        let head = variables.lines().find(|line| line.starts_with("p cnf"));
        let own: i32 = head.unwrap().split(' ').nth(2).unwrap().parse().unwrap();
        let is_definition = |line: &str| {
            let first = line.split(' ').next().unwrap().parse::<i32>();
            first.is_ok_and(|first| first > own)
        };
        let less: Vec<&str> = whole.lines().filter(|line| !is_definition(line)).collect();
        assert!(less.len() < whole.lines().count(), "{question}");
        fs::write(&proof, less.join("\n") + "\n").unwrap();
        assert!(!accepts(), "{question}");
    }
}

/// Independent checker of proofs.
struct Checker {
    name: &'static str,
    /// File name extension of the proofs that the checker reads.
    form: &'static str,
    reads_bytes: bool,
    /// True if the checker takes seconds for a proof of 9×9.
    is_slow: bool,
    command: fn(&Path, &Path) -> Option<Command>,
    /// Line that the checker prints if it accepts a proof.
    accepts: &'static str,
}

/// Returns a command for a checker whose arguments are a formula and a proof.
fn plain(name: &str, formula: &Path, proof: &Path) -> Option<Command> {
    let mut command = Command::new(installed(name)?);
    command.arg(formula).arg(proof);
    Some(command)
}

const CHECKERS: [Checker; 5] = [
    Checker {
        name: "cake_lpr",
        form: "lrat",
        reads_bytes: true,
        is_slow: false,
        command: |formula, proof| plain("cake_lpr", formula, proof),
        accepts: "s VERIFIED UNSAT",
    },
    Checker {
        name: "lrat-check",
        form: "lrat",
        reads_bytes: false,
        is_slow: false,
        command: |formula, proof| plain("lrat-check", formula, proof),
        accepts: "",
    },
    Checker {
        name: "drat-trim",
        form: "drat",
        reads_bytes: true,
        is_slow: false,
        command: |formula, proof| plain("drat-trim", formula, proof),
        accepts: "s VERIFIED",
    },
    Checker {
        name: "dratify",
        form: "drat",
        reads_bytes: false,
        is_slow: true,
        command: |formula, proof| {
            let mut command = dratify()?;
            command.arg(DRATIFY).arg(formula).arg(proof);
            Some(command)
        },
        accepts: "",
    },
    Checker {
        name: "veripb",
        form: "pbp",
        reads_bytes: false,
        is_slow: false,
        command: |formula, proof| {
            let mut command = Command::new(installed("veripb")?);
            command.arg("--cnf").arg(formula).arg(proof);
            Some(command)
        },
        accepts: "s VERIFIED UNSATISFIABLE",
    },
];

impl Checker {
    /// Returns true if the checker accepts the proof; `None` if the checker is not installed.
    fn accepts(&self, formula: &Path, proof: &Path) -> Option<bool> {
        let output = (self.command)(formula, proof)?.ended();
        let printed = output.out();
        let says = self.accepts.is_empty() || printed.lines().any(|line| line.trim() == self.accepts);
        Some(output.code() == Some(0) && says)
    }
}

/// Returns only the end of a proof in text form: the claim of the contradiction, without the steps that derive it.
fn nothing_but_the_end(form: &str, proof: &str) -> String {
    match form {
        "drat" => "0\n".to_owned(),
        "lrat" => {
            let last = proof.lines().rfind(|line| !line.contains(" d ")).unwrap();
            let (number, _) = last.split_once(' ').unwrap();
            format!("{number} 0 1 0\n")
        }
        _ => {
            let head: Vec<&str> = proof.lines().take_while(|line| !line.starts_with("f ")).collect();
            let formula = proof.lines().find(|line| line.starts_with("f ")).unwrap();
            let head = head.join("\n");
            let end = "rup >= 1;\noutput NONE;\nconclusion UNSAT;\nend pseudo-Boolean proof;\n";
            format!("{head}\n{formula}\n{end}")
        }
    }
}

/// Returns the first tenth of a proof. Some checkers can find the last steps of a proof themselves.
fn beginning(proof: &str) -> String {
    let lines: Vec<&str> = proof.lines().collect();
    lines[..lines.len() / 10].join("\n") + "\n"
}

/// Tests that proofs by `solve` are accepted as written, in text and binary form, and rejected after three kinds of
/// tampering.
#[test]
fn independent_checkers_take_what_solve_writes() {
    const QUESTIONS: [&str; 6] =
        ["4x6", "9x9", "petersen:11:2", "4x5 -e unary", "4x4 open from anywhere", "6x6 open from a1 to c1"];
    let folder = Place::new();
    let [formula, other] = ["f.cnf", "other.cnf"].map(|name| folder.path(name));
    // Formula with a model, from which the proof must not follow.
    run(&format!("encode 5x6 -e precedence -o {}", other.display())).exits(0);
    for checker in CHECKERS {
        let Checker { name, form, .. } = checker;
        let proof = folder.path(format!("p.{form}"));
        let is_small = |question: &&str| !checker.is_slow || *question != "9x9";
        for question in QUESTIONS.into_iter().filter(is_small) {
            let files = format!("--proof {} --cnf {}", proof.display(), formula.display());
            run(&format!("-q solve {question} {files}")).exits(20);
            let Some(accepted) = checker.accepts(&formula, &proof) else {
                eprintln!("skipped: no {name}");
                break;
            };
            assert!(accepted, "{name} {question}");
            let whole = fs::read_to_string(&proof).unwrap();
            let verdict = |formula: &Path, text: &str| {
                fs::write(&proof, text).unwrap();
                checker.accepts(formula, &proof)
            };
            let alone = nothing_but_the_end(form, &whole);
            assert_eq!(verdict(&formula, &alone), Some(false), "{name} {question}: {alone}");
            let cut = beginning(&whole);
            assert_eq!(verdict(&formula, &cut), Some(false), "{name} {question}");
            assert_eq!(verdict(&other, &whole), Some(false), "{name} {question}");
            if checker.reads_bytes {
                run(&format!("-q solve {question} {files} --binary")).exits(20);
                assert_eq!(checker.accepts(&formula, &proof), Some(true), "{name} {question}");
            }
        }
    }
}

/// Tests that the verified checker of counts accepts what `count` writes, and rejects it after three kinds of tampering.
#[test]
fn the_verified_checker_of_counts_takes_what_count_writes() {
    let Some(checker) = installed("cake_scpog") else {
        eprintln!("skipped: no cake_scpog");
        return;
    };
    let folder = Place::new();
    let [formula, file] = ["f.cnf", "f.scpog"].map(|name| folder.path(name));
    let files = format!("--certificate {} --cnf {}", file.display(), formula.display());
    let accepts = |text: &str| {
        fs::write(&file, text).unwrap();
        let mut command = Command::new(&checker);
        command.arg(&formula).arg(&file);
        // The default heap of the checker is 8 GB.
        let command = command.env("CML_HEAP_SIZE", "500");
        let output = command.env("CML_STACK_SIZE", "100").ended();
        output.out().contains("s VERIFIED")
    };
    for question in ["5x6", "4x5", "3x4 --open", "petersen:11:2", "3x10 --force a1-c2"] {
        run(&format!("count {question} {files}")).exits(0);
        let whole = fs::read_to_string(&file).unwrap();
        assert!(accepts(&whole), "{question}");
        let lines: Vec<_> = whole.lines().collect();
        // Without the lemmas, without the root, and for another formula.
        let nodes: Vec<_> = lines.iter().filter(|line| line.split(' ').nth(1) != Some("a")).copied().collect();
        assert!(!accepts(&nodes.join("\n")), "{question}");
        let is_root = |line: &&&str| line.starts_with("r ");
        assert_eq!(lines.iter().filter(is_root).count(), 1);
        let rest: Vec<_> = lines.iter().filter(|line| !is_root(line)).copied().collect();
        assert!(!accepts(&rest.join("\n")), "{question}");
        let clauses = fs::read_to_string(&formula).unwrap();
        let cut = clauses.replacen(" 0\n", " -1 0\n", 40);
        fs::write(&formula, cut).unwrap();
        assert!(!accepts(&whole), "{question}");
    }
}
