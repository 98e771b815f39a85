//! Proofs that CaDiCaL writes, before our checkers and before other people's. `scripts/test` installs those into
//! target/tools; what is not there is skipped, with a line on standard error.
//!
//! - dratify, DRAT in text: a checker in Python.
//! - VeriPB, cutting planes, into which CaDiCaL translates its clauses.

#![allow(clippy::unwrap_used)]

mod program;

use std::fmt::Write as _;
use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hamcnf::check::{Checked, Drat, Lrat, Syntax, Unproved, read_dimacs};
use program::{run, text};
use rustsat::instances::Cnf;
use rustsat::solvers::{Solve, SolverResult};
use rustsat_cadical::{CaDiCaL, ProofFormat};
use tempfile::TempDir;

/// A formula without a model in a file, and proofs of that in others.
struct Case {
    folder: TempDir,
}

impl Case {
    /// The formula of a question that has no tour. Clauses of one literal come last: CaDiCaL gives the formula's clauses
    /// the numbers that they have in the file as long as it has not simplified one of them.
    fn of(question: &str) -> Self {
        let formula = text(&run(&format!("encode {question}")), 0);
        let clauses = |unit: bool| {
            let clauses = formula.lines().filter(|line| !line.starts_with(['c', 'p']));
            clauses.filter(move |line| (line.split(' ').count() == 2) == unit)
        };
        let mut sorted = String::new();
        let header = formula.lines().find(|line| line.starts_with('p'));
        for line in header
            .into_iter()
            .chain(clauses(false))
            .chain(clauses(true))
        {
            writeln!(sorted, "{line}").unwrap();
        }
        let case = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        fs::write(case.formula(), sorted).unwrap();
        case
    }

    fn formula(&self) -> PathBuf {
        self.folder.path().join("formula.cnf")
    }

    /// What CaDiCaL proves.
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

const QUESTIONS: [&str; 4] = [
    "4x7 -e successor",
    "petersen:11:2 -e successor",
    "flower:5 -e unary",
    "5x5 --open --start b1 -e binary",
];

/// A text without its empty clause, and what comes after it.
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

/// A program that `scripts/test` has installed, or that is on the path.
fn installed(name: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    [own]
        .into_iter()
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn succeeds(command: &mut Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Python with dratify.
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
    // The smaller ones: it takes ten times as long as checking here.
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
        // Without the first half of it.
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
        let proof = case.prove(ProofFormat::VeriPB {
            checked_deletion: false,
            drat: false,
        });
        let accepts = |derivation: &str| {
            let clauses = fs::read_to_string(case.formula()).unwrap().lines().count() - 1;
            // CaDiCaL writes this itself where it reads the file.
            let header = format!("pseudo-Boolean proof version 3.0\nf {clauses};\n");
            fs::write(&proof, header + derivation).unwrap();
            let mut command = Command::new(&veripb);
            succeeds(command.arg("--cnf").arg(case.formula()).arg(&proof))
        };
        let whole = fs::read_to_string(&proof).unwrap();
        // When CaDiCaL is done away with it writes of deletions behind the end.
        let end = "end pseudo-Boolean proof;\n";
        let (derivation, _) = whole.split_once(end).unwrap();
        assert!(accepts(&(derivation.to_owned() + end)), "{question}");
        // Nothing, and the contradiction at once.
        let end = "output NONE;\nconclusion UNSAT;\nend pseudo-Boolean proof;\n";
        assert!(!accepts(end), "{question}");
        assert!(!accepts(&format!("rup >= 1;\n{end}")), "{question}");
    }
}

/// Definitions of what is counted are steps that do not follow, and harm nothing.
#[test]
fn dratify_accepts_what_is_counted() {
    if dratify().is_none() {
        eprintln!("skipped: no dratify; scripts/test installs it");
        return;
    }
    for question in ["5x5", "4x8", "6x6-a1-a3"] {
        let folder = tempfile::tempdir().unwrap();
        let [proof, formula] = ["p.drat", "f.cnf"].map(|name| folder.path().join(name));
        let asked = format!(
            "-q solve {question} --proof {} --cnf {}",
            proof.display(),
            formula.display()
        );
        text(&run(&asked), 20);
        let accepts = || {
            let mut command = dratify().unwrap();
            succeeds(command.arg(DRATIFY).arg(&formula).arg(&proof))
        };
        assert!(accepts(), "{question}");
        // Without any of its definitions.
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
