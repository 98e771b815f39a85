//! Model counters, run by the library. Shell scripts replace the counters and test how the library handles every way in
//! which a counter can end, without a network. Tests with the real counters are ignored by default.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::processes::{pid_in, runs, soon};
use hamcnf::budget::Stopped;
use hamcnf::cancellation::CancellationToken;
use hamcnf::engine::{Accuracy, Engine, EngineAnswer, EngineError, Engines, ModelCount, Problem, Settings, Solved};
use hamcnf::limits::Limits;
use hamcnf::{Board, ClauseSink, Clauses, Formula, Instance, Piece, Projection, TourKind, Vertex};
use num_bigint::BigUint;
use rustsat::types::{Lit, Var};
use tempfile::TempDir;

/// Formula given by its number of variables and its clauses, in the numbers of DIMACS.
struct Given(u32, Vec<Vec<i32>>);

impl Clauses for Given {
    fn n_vars(&self) -> u32 {
        self.0
    }

    fn emit<S: ClauseSink>(&self, out: &mut S) {
        for clause in &self.1 {
            let literals: Vec<_> = clause.iter().map(|&literal| Lit::from_ipasir(literal).unwrap()).collect();
            out.clause(&literals);
        }
    }

    fn variable_name(&self, var: Var) -> String {
        var.to_string()
    }
}

const ACCURACY: Accuracy = Accuracy { epsilon: 0.3, delta: 0.1 };

fn counted(
    engine: &Engine,
    formula: &impl Clauses,
    set: Option<&[Var]>,
    wall: Option<Duration>,
    stop: &CancellationToken,
) -> Result<Solved<ModelCount>, EngineError> {
    let settings = Settings { limits: Limits { wall, ..Limits::default() }, seed: 7, stop };
    engine.count(formula, set, ACCURACY, &settings)
}

/// Folder with fake programs that replace a model counter.
struct Fakes {
    folder: TempDir,
}

impl Fakes {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Returns a folder with a program of this name. The program runs the script, which can use the folder as `$here`,
    /// and the programs on the PATH.
    fn with(program: &str, script: &str) -> Self {
        let fakes = Self::new();
        fakes.add(program, script);
        fakes
    }

    fn add(&self, program: &str, script: &str) {
        let here = self.folder.path().display();
        let path = env::var("PATH").unwrap();
        let script = format!("#!/bin/sh\nhere='{here}'\nPATH='{path}'\n{script}");
        // Another process writes the file. If this process wrote it, a child of a concurrent test might inherit the
        // open file. The system refuses to start a program that is open for writing.
        let mut writer = Command::new("/bin/sh")
            .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
            .arg(self.path(program))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = writer.stdin.take().unwrap();
        stdin.write_all(script.as_bytes()).unwrap();
        drop(stdin);
        assert!(writer.wait().unwrap().success());
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the built-in engine, with this folder as the folder of its programs.
    fn engine(&self, name: &str) -> Engine {
        let text = fs::read_to_string("experiments/engines.toml").unwrap();
        let here = self.folder.path().display();
        let is_command =
            |line: &&str| ["command", "package", "version", "set-up"].iter().any(|key| line.starts_with(key));
        let moved = |line: &str| line.replacen("= \"", &format!("= \"{here}/"), 1);
        let lines = text.lines().map(|line| if is_command(&line) { moved(line) } else { line.to_owned() });
        let text = lines.collect::<Vec<_>>().join("\n");
        Engines::parse(&text, Path::new("experiments/engines.toml")).unwrap().get(name).unwrap().clone()
    }

    fn run_within(&self, name: &str, wall: Option<Duration>) -> Result<Solved<ModelCount>, EngineError> {
        counted(&self.engine(name), &Given(1, Vec::new()), None, wall, &CancellationToken::default())
    }

    #[track_caller]
    fn answer(&self, name: &str) -> ModelCount {
        match self.run_within(name, None).unwrap().outcome {
            EngineAnswer::Found(count) => count,
            other => panic!("{other:?}"),
        }
    }

    fn error(&self, name: &str) -> String {
        self.run_within(name, None).unwrap_err().to_string()
    }
}

#[test]
fn approxmc_gets_its_settings_and_its_answer_is_taken() {
    let fakes = Fakes::with(
        "approxmc",
        "echo \"$@\" > \"$here/args\"; echo 'c o ApproxMC SHA1: abc'
         echo 'c [appmc] Number of solutions is: 38*2**3*1'; echo 's SATISFIABLE'; echo 's mc 304'",
    );
    let answer = fakes.answer("approxmc");
    let args = fakes.text("args");
    assert!(args.starts_with("--epsilon 0.3 --delta 0.1 --seed 7 /"), "{args}");
    let expected = ModelCount {
        count: BigUint::from(304u32),
        accuracy: Some(ACCURACY),
        version: Some("abc".to_owned()),
        by_package: false,
    };
    assert_eq!(answer, expected);
}

#[test]
fn the_formula_has_its_projection_set() {
    let fakes = Fakes::with("ganak", "for file; do :; done; cp \"$file\" \"$here/formula\"; echo 's mc 3'");
    let formula = Given(3, vec![vec![1, -3]]);
    let set = [Var::new(0), Var::new(2)];
    let ganak = fakes.engine("ganak");
    let solved = counted(&ganak, &formula, Some(&set), None, &CancellationToken::default()).unwrap();
    assert_eq!((solved.variables, solved.clauses.map(|count| count.clauses)), (Some(3), Some(1)));
    assert_eq!(fakes.text("formula"), "c t pmc\np cnf 3 1\nc p show 1 3 0\n1 -3 0\n");
}

#[test]
fn what_no_counter_takes_is_refused() {
    let fakes = Fakes::with("ganak", "echo 's mc 3'");
    let settings = Settings { limits: Limits::default(), seed: 1 << 31, stop: &CancellationToken::default() };
    let formula = Given(1, Vec::new());
    let ganak = fakes.engine("ganak");
    let error = ganak.count(&formula, None, ACCURACY, &settings).unwrap_err();
    assert_eq!(error.to_string(), "the engine \"ganak\" accepts seeds up to 2147483647, not 2147483648");
    let board = Instance::on_board(Board::new(3, 4, Piece::KNIGHT).unwrap(), TourKind::Open, Vertex::new(0)).unwrap();
    let binary = Formula::new("binary".parse().unwrap(), &board).unwrap();
    let error = ganak.solve_formula(&binary, &settings).unwrap_err();
    assert_eq!(error.to_string(), "the engine \"ganak\" returns counts");
    let error = counted(&fakes.engine("kissat"), &formula, None, None, &CancellationToken::default());
    assert_eq!(error.unwrap_err().to_string(), "the engine \"kissat\" returns solutions");
}

#[test]
fn ganak_counts_past_64_bits() {
    let big = "123456789012345678901234567890";
    let fakes = Fakes::with("ganak", &format!("echo 'c s exact arb int {big}'"));
    let answer = fakes.answer("ganak");
    assert_eq!(answer.count.to_string(), big);
    assert_eq!(answer.accuracy, None);
}

#[test]
fn no_models_are_a_count() {
    for (counter, words) in [
        ("approxmc", "echo 's UNSATISFIABLE'; echo 's mc 0'"),
        ("ganak", "echo 's UNSATISFIABLE'; echo 'c s exact arb int 0'"),
    ] {
        let fakes = Fakes::with(counter, words);
        assert_eq!(fakes.answer(counter).count, BigUint::ZERO);
    }
}

#[test]
fn long_outputs_stop_no_counter() {
    let fakes = Fakes::with(
        "ganak",
        "yes 'c o what a counter says' | head -n 50000; yes no | head -n 50000 >&2
         echo 's mc 5'",
    );
    assert_eq!(fakes.answer("ganak").count, BigUint::from(5u32));
}

#[test]
fn cpu_seconds_are_the_counters() {
    let fakes = Fakes::with("ganak", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo 's mc 5'");
    let answer = fakes.run_within("ganak", None).unwrap();
    assert!(answer.cpu_seconds > 0.0, "{answer:?}");
    assert!(answer.wall_seconds > 0.0, "{answer:?}");
}

#[test]
fn what_is_no_answer_is_an_error() {
    let message = |words| Fakes::with("approxmc", words).error("approxmc");
    assert_eq!(message("true"), "the engine \"approxmc\" printed no count; last line of its output: no output");
    assert_eq!(
        message("echo 'hello, 304'"),
        "the engine \"approxmc\" printed no count; last line of its output: hello, 304"
    );
    assert_eq!(
        message("echo 's mc -1'; echo why >&2"),
        "the engine \"approxmc\" printed an invalid count \"s mc -1\"; last line of its output: why"
    );
    assert_eq!(
        message("printf 's mc 30'"),
        "the engine \"approxmc\" printed an invalid count \"s mc 30\"; last line of its output: s mc 30"
    );
    assert_eq!(
        message("echo 's mc 304'; echo 's mc 5'"),
        "the engine \"approxmc\" printed contradictory lines \"s mc 304\" and \"s mc 5\"; last line of its output: s mc 5"
    );
}

#[test]
fn a_count_of_a_counter_that_failed_is_none() {
    let message = |words| Fakes::with("ganak", words).error("ganak");
    assert_eq!(
        message("echo 's mc 304'; echo one >&2; echo two >&2; exit 3"),
        "the engine \"ganak\" failed (exit status: 3): two"
    );
    assert_eq!(
        message("echo 'ERROR! no memory'; exit 1"),
        "the engine \"ganak\" failed (exit status: 1): ERROR! no memory"
    );
    assert_eq!(message("echo 's mc 304'; kill -9 $$"), "the engine \"ganak\" failed (signal: 9 (SIGKILL)): s mc 304");
}

#[test]
fn a_time_limit_ends_the_counter_and_what_it_started() {
    let fakes = Fakes::with("ganak", "sleep 300 & echo $! > \"$here/pid\"; echo 's mc 304'; wait");
    // The limit is long enough for the script to write its process ID on any machine.
    let limit = Duration::from_secs(2);
    let solved = fakes.run_within("ganak", Some(limit)).unwrap();
    assert_eq!(solved.outcome, EngineAnswer::Unknown(Stopped::Time));
    assert!(solved.write_seconds + solved.wall_seconds >= 2.0, "{solved:?}");
    let pid = pid_in(&fakes.path("pid"));
    assert!(soon(|| !runs(pid)));
}

#[test]
fn what_a_counter_leaves_behind_is_ended() {
    let fakes = Fakes::with("ganak", "sleep 300 & echo $! > \"$here/pid\"; echo 's mc 304'");
    assert_eq!(fakes.answer("ganak").count, BigUint::from(304u32));
    let pid = pid_in(&fakes.path("pid"));
    assert!(soon(|| !runs(pid)));
}

#[test]
fn a_flag_ends_the_counter_and_what_it_started() {
    let fakes = Fakes::with("ganak", "sleep 300 & echo $! > \"$here/pid\"; wait");
    let stop = CancellationToken::default();
    let ganak = fakes.engine("ganak");
    let (ended, pid) = thread::scope(|scope| {
        let counting = scope.spawn(|| counted(&ganak, &Given(1, Vec::new()), None, None, &stop));
        let pid = pid_in(&fakes.path("pid"));
        assert!(runs(pid));
        stop.set();
        (counting.join().unwrap(), pid)
    });
    assert_eq!(ended.unwrap().outcome, EngineAnswer::Unknown(Stopped::Cancelled));
    assert!(soon(|| !runs(pid)));
}

/// Tests that the limit of a run does not set the token, which other runs share.
#[test]
fn a_limit_on_cpu_time_is_that_of_the_run() {
    let fakes = Fakes::with("ganak", "while :; do :; done");
    let stop = CancellationToken::default();
    let limits = Limits { cpu: Some(Duration::from_millis(100)), ..Limits::default() };
    let settings = Settings { limits, seed: 7, stop: &stop };
    let solved = fakes.engine("ganak").count(&Given(1, Vec::new()), None, ACCURACY, &settings).unwrap();
    assert_eq!(solved.outcome, EngineAnswer::Unknown(Stopped::CpuTime));
    assert!(!stop.is_set());
}

#[test]
fn missing_things_are_named() {
    let fakes = Fakes::new();
    let here = fakes.folder.path().display().to_string();
    assert_eq!(
        fakes.error("ganak"),
        format!(
            "the engine \"ganak\" is not installed ({here}/python3 not found); \
             ganak on the PATH, or pyganak from PyPI (fetched by python3 unless --offline is given)"
        )
    );
    // A file without execute permission is not a program.
    fs::write(fakes.path("ganak"), "").unwrap();
    let error = fakes.run_within("ganak", None).unwrap_err();
    assert!(matches!(error.problem, Problem::Missing { .. }), "{error}");
}

#[test]
fn without_the_program_python_sets_it_up_and_counts() {
    let fakes = Fakes::with(
        "python3",
        "shift; cp \"$1\" \"$here/script\"; shift; echo \"$@\" >> \"$here/args\"
         case $* in
           *--set-up*) echo 'count-models: fetching' >&2; touch \"$here/fetched\" ;;
           *--check*) echo 'pyganak 2.8.0'; test -e \"$here/fetched\" || exit 3 ;;
           *) test -e \"$here/fetched\" || exit 3; echo 'c o Ganak version 2.8.0'; echo 'c s exact arb int 304' ;;
         esac",
    );
    let ganak = fakes.engine("ganak");
    let stop = CancellationToken::default();
    assert!(matches!(ganak.version(&stop).unwrap_err().problem, Problem::NotSetUp { .. }));
    let error = fakes.run_within("ganak", None).unwrap_err();
    assert!(matches!(error.problem, Problem::NotSetUp { .. }), "{error}");
    let mut progress = Vec::new();
    ganak.set_up(&stop, &mut |line| progress.push(line.to_owned())).unwrap();
    assert_eq!(progress, ["fetching"]);
    assert_eq!(ganak.version(&stop).unwrap().as_deref(), Some("2.8.0"));
    let answer = fakes.answer("ganak");
    let expected = ModelCount {
        count: BigUint::from(304u32),
        accuracy: None,
        version: Some("2.8.0".to_owned()),
        by_package: true,
    };
    assert_eq!(answer, expected);
    let args = fakes.text("args");
    let args: Vec<_> = args.lines().collect();
    let run = "ganak --offline --with-parent --seed 7 /";
    assert_eq!(
        (args[0], args[2], args[3]),
        ("ganak --check --with-parent", "ganak --set-up --with-parent", "ganak --check --with-parent",)
    );
    assert!(args[1].starts_with(run) && args[4].starts_with(run), "{args:?}");
    assert_eq!(fakes.text("script"), fs::read_to_string("scripts/count-models").unwrap());
}

#[test]
fn a_package_that_cannot_be_fetched_is_an_error() {
    let message = |words| {
        let fakes = Fakes::with("python3", words);
        fakes.engine("approxmc").set_up(&CancellationToken::default(), &mut |_| ()).unwrap_err().to_string()
    };
    assert_eq!(
        message("echo 'count-models: pip could not fetch it' >&2; exit 1"),
        "the engine \"approxmc\" cannot be set up: pip could not fetch it (exit status: 1)"
    );
    assert_eq!(
        message("echo 'no space' >&2; exit 7"),
        "the engine \"approxmc\" cannot be set up: no space (exit status: 7)"
    );
}

/// Runs `scripts/count-models` without access to packages. Returns `None` if python3 is missing.
fn script(file: &OsStr, cache: &Path) -> Option<Output> {
    let output = Command::new("python3")
        .args(["scripts/count-models", "approxmc"])
        .arg(file)
        .env("HAMCNF_CACHE", cache)
        // Port 9 is the discard port, on which nothing listens.
        .env("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
        .env("PIP_RETRIES", "0")
        .output();
    output.ok()
}

#[test]
fn the_script_refuses_what_it_might_count_wrongly() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formula.cnf");
    for (text, message) in [
        ("", " is not a DIMACS CNF file with variables"),
        ("p cnf 2 1\n1 3 0\n", " has the variable 3, but its header announces only 2 variables"),
        ("p cnf 2 2\n1 2 0\n", " announces 2 clauses, but has 1; is the file complete?"),
        ("p cnf 2 1\n1 2\n", " announces 1 clauses, but has 0; is the file complete?"),
        ("1 2 0\n", ", line 1: there is a clause before the header 'p cnf VARIABLES CLAUSES'"),
        ("p cnf 2 1\n1 x 0\n", ", line 2: the line is not a list of DIMACS numbers"),
        (
            "p cnf 2 1\nc p show 1 0\nc p show 2 0\n1 2 0\n",
            ", line 3: a second projection line is not supported, because counters read it differently",
        ),
        ("p cnf 2 1\nc ind 1 2\n1 2 0\n", ", line 2: a projection line must list variables and end with 0"),
        ("p cnf 2 1\nc p show 3 0\n1 2 0\n", " has the variable 3, but its header announces only 2 variables"),
    ] {
        fs::write(&file, text).unwrap();
        let Some(output) = script(file.as_os_str(), folder.path()) else {
            return;
        };
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(output.stdout, b"");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("count-models: {}{message}\n", file.display()));
    }
}

#[test]
fn a_failed_set_up_leaves_nothing_half_made() {
    let folder = tempfile::tempdir().unwrap();
    let (file, cache) = (folder.path().join("formula.cnf"), folder.path().join("cache"));
    fs::write(&file, "p cnf 1 1\n1 0\n").unwrap();
    let Some(output) = script(file.as_os_str(), &cache) else {
        return;
    };
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["pyapproxmc.lock"]);
}

/// Runs a real counter. The counter is fetched from PyPI into the user's cache folder, or into the folder
/// `HAMCNF_CACHE`.
#[track_caller]
fn really(name: &str, formula: &impl Clauses, set: Option<&[Var]>) -> BigUint {
    let engine = Engines::built_in().get(name).unwrap().clone();
    let stop = CancellationToken::default();
    engine.set_up(&stop, &mut |line| eprintln!("{line}")).unwrap();
    match counted(&engine, formula, set, Some(Duration::from_secs(300)), &stop).unwrap().outcome {
        EngineAnswer::Found(found) => found.count,
        other => panic!("{other:?}"),
    }
}

/// Tests that the real counters count the 304 open tours of the 5×5 board from the corner. Each tour corresponds to one
/// assignment to the arc variables.
#[test]
#[ignore = "needs the network once: cargo test --test library counters:: -- --ignored"]
fn the_real_counters_count_open_tours() {
    let board: Board = "5x5".parse().unwrap();
    let start = board.square("a1").unwrap();
    let instance = Instance::on_board(board, TourKind::Open, start).unwrap();
    let binary = "binary".parse().unwrap();
    let formula = Formula::new(binary, &instance).unwrap();
    assert_eq!(formula.models_per_tour(), 1);
    let set = formula.project(&Projection::Arcs).unwrap().unwrap();
    let estimate: u32 = really("approxmc", &formula, Some(&set)).try_into().unwrap();
    assert!((234..=395).contains(&estimate), "{estimate}");
    assert_eq!(really("ganak", &formula, Some(&set)), BigUint::from(304u32));
}

/// Tests that a variable without a clause doubles the count, with or without a projection set, and that variables
/// outside the projection set are not counted.
#[test]
#[ignore = "needs the network once: cargo test --test library counters:: -- --ignored"]
fn the_real_counters_agree_with_small_truth_tables() {
    // Number of variables, clauses, projection set, and number of models.
    type Small<'a> = (u32, &'a [&'a [i32]], Option<&'a [u32]>, u128);
    let small: [Small<'_>; 8] = [
        (3, &[&[1, -3]], None, 6),
        (3, &[&[1, -3]], Some(&[1, 2, 3]), 6),
        (4, &[&[1, 2], &[1, -2], &[1, 3]], Some(&[1, 3, 4]), 4),
        (4, &[&[1, 2], &[3, 4]], Some(&[1, 2]), 3),
        (4, &[], None, 16),
        (2, &[&[1, 2], &[]], Some(&[1, 2]), 0),
        (2, &[&[1], &[-1]], None, 0),
        (80, &[&[1, 2]], None, 3 << 78),
    ];
    for (n, clauses, set, count) in small {
        let formula = Given(n, clauses.iter().map(|clause| clause.to_vec()).collect());
        let set: Option<Vec<_>> = set.map(|set| set.iter().map(|var| Var::new(var - 1)).collect());
        for name in ["approxmc", "ganak"] {
            assert_eq!(really(name, &formula, set.as_deref()), BigUint::from(count), "{name}: {clauses:?}");
        }
    }
}
