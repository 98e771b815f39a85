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
use hamcnf::cancellation::CancellationToken;
use hamcnf::count::external::{
    ApproxMc, Cell, CountingResult, ExternalError, Fetch, Ganak, Guarantee, ModelCount, ModelCounter, Places, Request,
    Seed, Source, run,
};
use hamcnf::limits::Limits;
use hamcnf::{Board, Clauses, Formula, Instance, Projection, ProjectionFormat, TourKind};
use num_bigint::BigUint;
use tempfile::TempDir;

const APPROXMC: ModelCounter = ModelCounter::ApproxMc(ApproxMc::DEFAULT);
const GANAK: ModelCounter = ModelCounter::Ganak(Ganak::DEFAULT);

/// Folder with a formula and with fake programs that replace model counters.
struct Fakes {
    folder: TempDir,
    places: Places,
}

impl Fakes {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("formula.cnf"), "p cnf 1 0\n").unwrap();
        let mut places = Places { cache: Some(folder.path().join("cache")), ..Places::default() };
        places.path = folder.path().into();
        Self { folder, places }
    }

    /// Returns a folder with a program of this name. The program runs the script, which can use the folder as `$here`,
    /// and the programs on the PATH.
    fn with(program: &str, script: &str) -> Self {
        let mut fakes = Self::new();
        fakes.add(program, script);
        fakes
    }

    fn add(&mut self, program: &str, script: &str) {
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

    fn run_within(&self, counter: ModelCounter, time_limit: Option<Duration>) -> Result<CountingResult, ExternalError> {
        let request = Request {
            file: &self.path("formula.cnf"),
            counter,
            limits: Limits { wall: time_limit, ..Limits::default() },
            places: &self.places,
            fetch: Fetch::Allowed,
            stop: &CancellationToken::default(),
        };
        run(&request, &mut |_| ())
    }

    #[track_caller]
    fn answer(&self, counter: ModelCounter) -> ModelCount {
        match self.run_within(counter, None) {
            Ok(CountingResult::Counted(answer)) => answer,
            other => panic!("{other:?}"),
        }
    }

    fn error(&self, counter: ModelCounter) -> String {
        self.run_within(counter, None).unwrap_err().to_string()
    }
}

#[test]
fn approxmc_gets_its_settings_and_its_answer_is_taken() {
    let fakes = Fakes::with(
        "approxmc",
        "echo \"$@\" > \"$here/args\"; echo 'c o ApproxMC SHA1: abc'
         echo 'c [appmc] Number of solutions is: 38*2**3*1'; echo 's SATISFIABLE'; echo 's mc 304'",
    );
    let settings = ApproxMc::new(0.3, 0.1, Seed::try_from(7).unwrap()).unwrap();
    let answer = fakes.answer(ModelCounter::ApproxMc(settings));
    let file = fakes.path("formula.cnf");
    assert_eq!(fakes.text("args"), format!("--epsilon 0.3 --delta 0.1 --seed 7 {}\n", file.display()));
    let expected = ModelCount {
        count: BigUint::from(304u32),
        guarantee: Guarantee::Approximate { epsilon: 0.3, delta: 0.1 },
        cell: Some(Cell { models: BigUint::from(38u32), hashes: 3, factor: BigUint::from(1u32) }),
        version: Some("abc".to_owned()),
        source: Source::Program(fakes.path("approxmc")),
        ..answer
    };
    assert_eq!(answer, expected);
}

#[test]
fn ganak_counts_past_64_bits() {
    let big = "123456789012345678901234567890";
    let fakes = Fakes::with("ganak", &format!("echo 'c s exact arb int {big}'"));
    let answer = fakes.answer(GANAK);
    assert_eq!(answer.count.to_string(), big);
    assert_eq!(answer.guarantee, Guarantee::Exact);
}

#[test]
fn no_models_are_a_count() {
    for (counter, words) in [
        (APPROXMC, "echo 's UNSATISFIABLE'; echo 's mc 0'"),
        (GANAK, "echo 's UNSATISFIABLE'; echo 'c s exact arb int 0'"),
    ] {
        let fakes = Fakes::with(counter.program(), words);
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
    assert_eq!(fakes.answer(GANAK).count, BigUint::from(5u32));
}

#[test]
fn cpu_seconds_are_the_counters() {
    let fakes = Fakes::with("ganak", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo 's mc 5'");
    let answer = fakes.answer(GANAK);
    assert!(answer.cpu_seconds > 0.0, "{answer:?}");
    assert!(answer.wall_seconds > 0.0, "{answer:?}");
}

#[test]
fn what_is_no_answer_is_an_error() {
    let message = |words| Fakes::with("approxmc", words).error(APPROXMC);
    assert_eq!(message("true"), "ApproxMC printed no count; last line of its output: no output");
    assert_eq!(message("echo 'hello, 304'"), "ApproxMC printed no count; last line of its output: hello, 304");
    assert_eq!(
        message("echo 's mc -1'; echo why >&2"),
        "ApproxMC printed an invalid count \"s mc -1\"; last line of its output: why"
    );
    assert_eq!(
        message("printf 's mc 30'"),
        "ApproxMC printed an invalid count \"s mc 30\"; last line of its output: s mc 30"
    );
    assert_eq!(
        message("echo 's mc 304'; echo 's mc 5'"),
        "ApproxMC printed contradictory lines \"s mc 304\" and \"s mc 5\"; last line of its output: s mc 5"
    );
}

#[test]
fn a_count_of_a_counter_that_failed_is_none() {
    let message = |words| Fakes::with("ganak", words).error(GANAK);
    assert_eq!(message("echo 's mc 304'; echo one >&2; echo two >&2; exit 3"), "Ganak failed (exit status: 3): two");
    assert_eq!(message("echo 'ERROR! no memory'; exit 1"), "Ganak failed (exit status: 1): ERROR! no memory");
    assert_eq!(message("echo 's mc 304'; kill -9 $$"), "Ganak failed (signal: 9 (SIGKILL)): s mc 304");
}

#[test]
fn a_time_limit_ends_the_counter_and_what_it_started() {
    let fakes = Fakes::with("ganak", "sleep 300 & echo $! > \"$here/pid\"; echo 's mc 304'; wait");
    // The limit is long enough for the script to write its process ID on any machine.
    let limit = Duration::from_secs(2);
    match fakes.run_within(GANAK, Some(limit)).unwrap() {
        CountingResult::TimedOut { wall_seconds } => assert!(wall_seconds >= 2.0),
        counted @ CountingResult::Counted(_) => panic!("{counted:?}"),
    }
    let pid = pid_in(&fakes.path("pid"));
    assert!(soon(|| !runs(pid)));
}

#[test]
fn what_a_counter_leaves_behind_is_ended() {
    let fakes = Fakes::with("ganak", "sleep 300 & echo $! > \"$here/pid\"; echo 's mc 304'");
    assert_eq!(fakes.answer(GANAK).count, BigUint::from(304u32));
    let pid = pid_in(&fakes.path("pid"));
    assert!(soon(|| !runs(pid)));
}

#[test]
fn a_flag_ends_the_counter_and_what_it_started() {
    let fakes = Fakes::with("ganak", "sleep 300 & echo $! > \"$here/pid\"; wait");
    let stop = CancellationToken::default();
    let request = Request {
        file: &fakes.path("formula.cnf"),
        counter: GANAK,
        limits: Limits::default(),
        places: &fakes.places,
        fetch: Fetch::Allowed,
        stop: &stop,
    };
    let (ended, pid) = thread::scope(|scope| {
        let counting = scope.spawn(|| run(&request, &mut |_| ()));
        let pid = pid_in(&fakes.path("pid"));
        assert!(runs(pid));
        stop.set();
        (counting.join().unwrap(), pid)
    });
    assert!(matches!(ended, Err(ExternalError::Stopped(_))), "{ended:?}");
    assert!(soon(|| !runs(pid)));
}

#[test]
fn missing_things_are_named() {
    let fakes = Fakes::new();
    assert_eq!(
        fakes.error(GANAK),
        "neither ganak nor python3 (to fetch Ganak from PyPI) is on the PATH; install one of them"
    );
    // A file without execute permission is not a program.
    fs::write(fakes.path("ganak"), "").unwrap();
    assert!(matches!(fakes.run_within(GANAK, None), Err(ExternalError::Missing { .. })));

    let fakes = Fakes::with("ganak", "echo 's mc 1'");
    fs::remove_file(fakes.path("formula.cnf")).unwrap();
    let message = fakes.error(GANAK);
    assert!(message.starts_with("cannot read "), "{message}");
    assert!(message.contains("formula.cnf: "), "{message}");
}

#[test]
fn without_the_program_python_sets_it_up_and_counts() {
    let fakes = Fakes::with(
        "python3",
        "cat > \"$here/script\"; echo \"$HAMCNF_CACHE: $@\" >> \"$here/args\"
         case $* in
           *--set-up*) echo 'count-models: fetching' >&2 ;;
           *) echo 'c o Ganak version 2.8.0'; echo 'c s exact arb int 304' ;;
         esac",
    );
    let file = fakes.path("formula.cnf");
    let request = Request {
        file: &file,
        counter: GANAK,
        limits: Limits::default(),
        places: &fakes.places,
        fetch: Fetch::Allowed,
        stop: &CancellationToken::default(),
    };
    let mut progress = Vec::new();
    let outcome = run(&request, &mut |line| progress.push(line.to_owned())).unwrap();
    let CountingResult::Counted(answer) = outcome else { panic!("{outcome:?}") };
    assert_eq!(answer.count, BigUint::from(304u32));
    assert_eq!(answer.source, Source::Pypi);
    assert_eq!(answer.version.as_deref(), Some("2.8.0"));
    assert_eq!(progress, ["fetching"]);
    let cache = fakes.path("cache");
    let expected = format!(
        "{0}: -I - ganak --set-up --with-parent\n{0}: -I - ganak --with-parent --seed 1 {1}\n",
        cache.display(),
        file.display()
    );
    assert_eq!(fakes.text("args"), expected);
    assert_eq!(fakes.text("script"), fs::read_to_string("scripts/count-models").unwrap());
}

#[test]
fn a_package_that_cannot_be_fetched_is_an_error() {
    let message = |words| Fakes::with("python3", words).error(APPROXMC);
    assert_eq!(
        message("cat > /dev/null; echo 'count-models: pip could not fetch it' >&2; exit 1"),
        "cannot install ApproxMC from PyPI: pip could not fetch it"
    );
    assert_eq!(message("echo 'no space' >&2; exit 7"), "cannot install ApproxMC from PyPI: exit status: 7: no space");
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
fn counted(file: &Path, counter: ModelCounter) -> ModelCount {
    let places = Places::from_environment();
    let request = Request {
        file,
        counter,
        limits: Limits::wall(Duration::from_secs(300)),
        places: &places,
        fetch: Fetch::Allowed,
        stop: &CancellationToken::default(),
    };
    match run(&request, &mut |line| eprintln!("{line}")).unwrap() {
        CountingResult::Counted(answer) => answer,
        late @ CountingResult::TimedOut { .. } => panic!("{late:?}"),
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
    let file = tempfile::NamedTempFile::new().unwrap();
    for format in [ProjectionFormat::Show, ProjectionFormat::Ind] {
        let mut text = Vec::new();
        formula.write_dimacs(&mut text, &[], Some((format, &set)), false).unwrap();
        fs::write(file.path(), text).unwrap();
        let estimate = counted(file.path(), APPROXMC);
        let count: u32 = estimate.count.clone().try_into().unwrap();
        assert!((169..=547).contains(&count), "{estimate:?}");
        assert_eq!(counted(file.path(), GANAK).count, BigUint::from(304u32));
    }
}

/// Tests that a variable without a clause doubles the count, with or without a projection set, and that variables
/// outside the projection set are not counted.
#[test]
#[ignore = "needs the network once: cargo test --test library counters:: -- --ignored"]
fn the_real_counters_agree_with_small_truth_tables() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for (text, count) in [
        ("p cnf 3 1\n1 -3 0\n", 6u128),
        ("p cnf 3 1\nc p show 1 2 3 0\n1 -3 0\n", 6),
        ("p cnf 4 3\nc p show 1 3 4 0\n1 2 0\n1 -2 0\n1 3 0\n", 4),
        ("p cnf 4 2\nc p show 1 2 0\n1 2 0\n3 4 0\n", 3),
        ("p cnf 4 2\nc ind 3 0\n1 2 0\n3 4 0\n", 2),
        ("p cnf 4 0\n", 16),
        ("p cnf 2 2\nc p show 1 2 0\n1 2 0\n0\n", 0),
        ("p cnf 2 2\n1 0\n-1 0\n", 0),
        ("p cnf 80 1\n1 2 0\n", 3 << 78),
    ] {
        fs::write(file.path(), text).unwrap();
        for counter in [APPROXMC, GANAK] {
            assert_eq!(counted(file.path(), counter).count, BigUint::from(count), "{counter}: {text}");
        }
    }
}
