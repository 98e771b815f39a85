//! Interrupts, time limits and a missing network. A command keeps its finished rows, returns the right exit code, and
//! leaves nothing else.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::processes::{runs, soon};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use crate::command::{refused, stderr, stdout};

/// Folders for a test: `bin` has the only programs that `hamcnf` finds on its PATH, and `tmp` is for temporary files.
struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bin", "tmp"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    /// Returns folders with a program of this name. Its script can use the folder as `$here`, and the usual programs on
    /// the PATH.
    fn with(program: &str, script: &str) -> Self {
        let place = Self::new();
        place.add(program, script);
        place
    }

    fn add(&self, program: &str, script: &str) {
        let here = self.folder.path().display();
        let path = env::var("PATH").unwrap();
        let script = format!("#!/bin/sh\nhere='{here}'\nPATH='{path}'\n{script}");
        // Another process writes the program: the system does not start a file that this process still has open.
        let mut writer = Command::new("/bin/sh")
            .args(["-c", "cat > \"$0\" && chmod +x \"$0\""])
            .arg(self.path("bin").join(program))
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

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env("PATH", self.path("bin"))
            .env("TMPDIR", self.path("tmp"))
            .env("HAMCNF_CACHE", self.path("cache"))
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn hamcnf(&self, args: &str) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_hamcnf"));
        command.args(args.split_whitespace());
        command
    }

    fn run(&self, args: &str) -> Output {
        self.hamcnf(args).output().unwrap()
    }

    /// Waits for a program to write its process ID, and returns the ID.
    fn pid(&self) -> i32 {
        let mut pid = None;
        soon(|| {
            let text = fs::read_to_string(self.path("pid")).unwrap_or_default();
            pid = text.strip_suffix('\n').and_then(|text| text.parse().ok());
            pid.is_some()
        });
        pid.unwrap()
    }

    #[track_caller]
    fn nothing_is_left(&self, pid: i32) {
        assert!(soon(|| !runs(pid)));
        assert_eq!(fs::read_dir(self.path("tmp")).unwrap().count(), 0);
    }
}

/// Script of a model counter with a child process; the counter does not end.
const ENDLESS: &str = "sleep 300 & echo $! > \"$here/pid\"; wait";

/// Sends a signal to this process only, not to its children.
fn interrupt(child: &Child, signal: Signal) {
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
}

#[test]
fn an_interrupted_count_leaves_neither_its_file_nor_its_counter() {
    for (args, counter, signal, code) in [
        ("count 6x7 --method approxmc", "approxmc", Signal::SIGINT, 130),
        ("count 6x7 --method ganak", "ganak", Signal::SIGTERM, 143),
        ("queens 8 count --method approxmc", "approxmc", Signal::SIGTERM, 143),
    ] {
        let place = Place::with(counter, ENDLESS);
        let child = place.hamcnf(args).spawn().unwrap();
        let pid = place.pid();
        assert_eq!(fs::read_dir(place.path("tmp")).unwrap().count(), 1);
        interrupt(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args}");
        assert_eq!(stdout(&output), "");
        assert_eq!(
            stderr(&output),
            format!("hamcnf: interrupted: results not yet printed are lost; to start again: hamcnf {args}\n")
        );
        place.nothing_is_left(pid);
    }
}

#[test]
fn an_interrupted_set_up_is_ended() {
    let place = Place::with("python3", &format!("case $* in *--check*) exit 3 ;; esac; {ENDLESS}"));
    let child = place.hamcnf("count 6x7 --method ganak").spawn().unwrap();
    let pid = place.pid();
    interrupt(&child, Signal::SIGINT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    place.nothing_is_left(pid);
}

#[test]
fn an_interrupted_comparison_shows_what_has_ended() {
    for (format, signal, code) in
        [("table", Signal::SIGINT, 130), ("markdown", Signal::SIGTERM, 143), ("json", Signal::SIGINT, 130)]
    {
        let place = Place::with("approxmc", ENDLESS);
        let args = format!("compare 6x6 -m exact,zdd,approxmc,direct --format {format}");
        let child = place.hamcnf(&args).spawn().unwrap();
        let pid = place.pid();
        // The signals arrive as from `timeout`: first at the program, then at its process group.
        interrupt(&child, signal);
        thread::sleep(Duration::from_millis(20));
        interrupt(&child, signal);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        assert_eq!(stdout(&output).matches("9862").count(), 2, "{output:?}");
        let said = stderr(&output);
        let last = said.lines().last().unwrap();
        assert_eq!(last, format!("hamcnf: interrupted after 2 of 4 methods; to start again: hamcnf {args}"));
        place.nothing_is_left(pid);
    }
}

#[test]
fn a_second_interrupt_ends_at_once_and_leaves_nothing() {
    // The first interrupt sets the cancellation token. A run that does not check the token continues. A second
    // interrupt ends the program without waiting for the run.
    let place = Place::with("approxmc", ENDLESS);
    let child = place.hamcnf("compare 6x6 -m approxmc,exact").spawn().unwrap();
    let pid = place.pid();
    interrupt(&child, Signal::SIGINT);
    thread::sleep(Duration::from_millis(300));
    interrupt(&child, Signal::SIGINT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    place.nothing_is_left(pid);
}

#[test]
fn a_comparison_that_is_killed_takes_its_run_with_it() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = Place::with("approxmc", ENDLESS);
    let mut child = place.hamcnf("compare 6x6 -m approxmc").spawn().unwrap();
    let pid = place.pid();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(soon(|| !runs(pid)));
    assert!(soon(|| fs::read_dir(place.path("tmp")).unwrap().count() == 0));
}

#[test]
fn rows_of_a_comparison_come_as_they_are_there() {
    let place = Place::with("approxmc", ENDLESS);
    let mut child = place.hamcnf("compare 6x6 -m exact,approxmc --format csv").spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("schema,question,"));
    assert!(lines.next().unwrap().unwrap().contains(",exact,"));
    let pid = place.pid();
    assert!(runs(pid));
    interrupt(&child, Signal::SIGTERM);
    assert!(lines.next().is_none());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    assert!(stderr(&output).ends_with(
        "hamcnf: interrupted after 1 of 2 methods; to start again: hamcnf compare 6x6 -m exact,approxmc --format csv\n"
    ));
    place.nothing_is_left(pid);
}

#[test]
fn a_comparison_says_on_a_pipe_what_has_ended() {
    let output = Place::new().run("compare 6x6 -m exact,binary");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stderr(&output);
    let lines: Vec<_> = said.lines().collect();
    let about = "6x6 knight, closed tours, start a1";
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[0].starts_with(&format!("[1/2] {about}: exact: 9862, ")));
    assert!(lines[1].starts_with(&format!("[2/2] {about}: binary: tour, ")));
    assert!(lines.iter().all(|line| line.ends_with(" s")), "{said}");
}

const COUNTS: &str = "title = 't'\nseeds = [1]\ntime_limit = 60\n\
    [[questions]]\nquestion = '6x6'\nmethods = ['exact', 'approxmc+project=co-tree:counting']\n";

const COMPARISON: &str = "title = 't'\ntime_limit = 60\n\
    [[questions]]\nquestion = '6x6'\nmethods = ['exact', 'approxmc']\n";

const DECISION: &str = "title = 't'\nseeds = [1]\ntime_limit = 300\nexpect = 'tour'\n\
    questions = ['6x6', '20x20']\nmethods = ['binary']\n";

#[test]
fn an_interrupted_experiment_keeps_its_rows_and_is_resumed() {
    for text in [COUNTS, COMPARISON] {
        let place = Place::with("approxmc", ENDLESS);
        fs::write(place.path("plan.toml"), text).unwrap();
        let args = format!("run {} -o {}", place.path("plan.toml").display(), place.path("results").display());
        let child = place.hamcnf(&args).spawn().unwrap();
        let pid = place.pid();
        interrupt(&child, Signal::SIGINT);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let said = stderr(&output);
        let last = "hamcnf: interrupted: finished rows are kept; to continue: hamcnf ";
        assert!(said.starts_with("[1/2] 6x6, exact, seed "), "{said}");
        assert!(said.ends_with(&format!(" s\n{last}{args}\n")), "{said}");
        place.nothing_is_left(pid);
        let rows = fs::read_to_string(place.path("results/plan.csv.part")).unwrap();
        assert_eq!(rows.lines().count(), 2, "{rows}");
        assert!(rows.contains(",exact,"), "{rows}");

        place.add("approxmc", "echo 's mc 9862'");
        let output = place.run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let rows = fs::read_to_string(place.path("results/plan.csv")).unwrap();
        assert_eq!(rows.lines().count(), 3, "{rows}");
    }
}

#[test]
fn an_interrupted_decision_keeps_its_rows() {
    let place = Place::new();
    fs::write(place.path("plan.toml"), DECISION).unwrap();
    let args = format!("run {} -o {}", place.path("plan.toml").display(), place.path("results").display());
    let child = place.hamcnf(&args).spawn().unwrap();
    let rows = || fs::read_to_string(place.path("results/plan.csv.part")).unwrap_or_default();
    assert!(soon(|| rows().lines().count() == 2));
    interrupt(&child, Signal::SIGTERM);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143));
    let said = stderr(&output);
    let last = "hamcnf: interrupted: finished rows are kept; to continue: hamcnf ";
    assert!(said.ends_with(&format!(" s\n{last}{args}\n")), "{said}");
    assert_eq!(rows().lines().count(), 2);
}

/// Returns a graph that has no tour, although this is hard to prove. The graph has sixty cliques of six vertices, and
/// 59 other vertices. Each vertex of a clique has one edge to one of the other vertices. A tour would need more of the
/// other vertices to pass from clique to clique. All degrees are about equal, and a search for a tour amounts to a
/// proof of the pigeonhole principle.
fn hard() -> String {
    let (holes, cliques, size) = (59, 60, 6);
    let within = (0..size).flat_map(|a| (0..a).map(move |b| (a, b)));
    let within: Vec<(u32, u32)> = within.collect();
    let first = |clique: u32| holes + clique * size;
    let inside = (0..cliques).flat_map(|clique| {
        let edges = within.iter();
        edges.map(move |(a, b)| (first(clique) + a, first(clique) + b))
    });
    let between = (0..cliques * size).map(|k| (holes + k, (k * 17 + k / holes * 5) % holes));
    let edges = inside.chain(between);
    edges.map(|(a, b)| format!("{} {}\n", a + 1, b + 1)).collect()
}

#[test]
fn an_interrupted_solve_says_so_and_what_it_did() {
    for (options, signal, code) in [
        ("", Signal::SIGINT, 130),
        ("--threads 1", Signal::SIGTERM, 143),
        ("--method local-search", Signal::SIGINT, 130),
        ("--method lazy", Signal::SIGINT, 130),
        ("--json", Signal::SIGINT, 130),
    ] {
        let place = Place::new();
        fs::write(place.path("hard.txt"), hard()).unwrap();
        let args = format!("solve {} {options}", place.path("hard.txt").display());
        let child = place.hamcnf(&args).spawn().unwrap();
        thread::sleep(Duration::from_millis(700));
        let began = Instant::now();
        interrupt(&child, signal);
        let output = child.wait_with_output().unwrap();
        // Without an answer to the signal, the search would go on for hours.
        assert!(began.elapsed() < Duration::from_secs(60), "{options}");
        assert_eq!(output.status.code(), Some(code), "{options}");
        let said = stdout(&output);
        if options == "--json" {
            let json: serde_json::Value = serde_json::from_str(&said).unwrap();
            assert_eq!(json["status"], "stopped", "{json}");
            assert!(json["wall_seconds"].as_f64().unwrap() > 0.0, "{json}");
            assert!(json["peak_rss_kib"].is_u64(), "{json}");
            continue;
        }
        assert!(said.contains(": no answer before the interrupt\n"), "{said}");
        // If several strategies take turns, the signal may come between two turns.
        let between = !options.contains("--method") && said.contains(": nothing after ");
        assert!(said.contains(": stopped after ") || between, "{options}: {said}");
        assert!(!said.contains("try instead"), "{said}");
    }
}

/// Tests that the program ignores hang-ups if they were ignored at its start, as under nohup. The test uses `env`,
/// because a shell cannot restore the default handler.
#[cfg(target_os = "linux")]
#[test]
fn a_hang_up_ends_what_does_not_ignore_it() {
    let ignored: &[&str] = &["hard.txt", "x.drat"];
    for (signals, code, left) in [("--default-signal=HUP", 129, &ignored[..1]), ("--ignore-signal=HUP", 20, ignored)] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("hard.txt"), hard()).unwrap();
        let child = Command::new("env")
            .args([signals, env!("CARGO_BIN_EXE_hamcnf"), "solve", "hard.txt"])
            .args(["-e", "relaxed", "--proof", "x.drat"])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(300));
        interrupt(&child, Signal::SIGHUP);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{signals}");
        let files = fs::read_dir(folder.path()).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        files.sort();
        assert_eq!(files, left, "{signals}");
    }
}

/// Tests that every method keeps the time limit, which starts when the question is read.
#[test]
fn a_time_limit_is_kept_by_all_parts() {
    for options in ["", "--threads 1", "--method propagator", "--method lazy", "--method local-search"] {
        let place = Place::new();
        fs::write(place.path("hard.txt"), hard()).unwrap();
        let file = place.path("hard.txt");
        let args = format!("solve {} --time-limit 0.5 --json {options}", file.display());
        let output = place.run(&args);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["status"], "timeout", "{options}: {json}");
        assert_eq!(json["wall_limit"], 0.5);
        let wall = json["wall_seconds"].as_f64().unwrap();
        assert!((0.4..1.5).contains(&wall), "{options}: {json}");
    }
}

/// Tests that metrics of a solver are missing if the program ended without waiting for the solver.
#[test]
fn a_time_limit_is_kept_where_the_solver_does_not_look_at_it() {
    // Generating all clauses takes far longer than the limit and the following grace period.
    let began = Instant::now();
    let output = Place::new().run("solve 60x60 -e unary --time-limit 0.3 --json");
    assert!(began.elapsed() >= Duration::from_millis(300));
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["status"], "timeout");
    assert!(json["wall_seconds"].as_f64().unwrap() >= 0.3);
    assert!(json["clauses"].is_null(), "{json}");
    assert_eq!(json["details"]["statistics"], serde_json::json!({}));
    let output = Place::new().run("solve 60x60 -e unary --time-limit 0.3");
    assert_eq!(output.status.code(), Some(3));
    let said = stdout(&output);
    assert!(said.starts_with("60x60 knight, closed tours, start a1: no answer within the time limit"));
    assert!(said.contains("not all clauses generated") && !said.contains("conflicts"), "{said}");
    let output = Place::new().run("solve 60x60 -e unary --time-limit 0.3 --dimacs");
    assert_eq!(stdout(&output), "s UNKNOWN\n");
}

#[test]
fn answers_within_the_limit_are_answers() {
    let place = Place::new();
    let code = |args: &str| place.run(args).status.code();
    assert_eq!(code("solve 6x6 --time-limit 100"), Some(10));
    assert_eq!(code("solve 4x4 --time-limit 100"), Some(20));
    assert_eq!(code("queens 20 solve --time-limit 100"), Some(10));
    let output = place.run("count 5x6 --method enumerate --time-limit 100");
    assert!(stdout(&output).starts_with("5x6: 8 "), "{output:?}");
    let output = place.run("queens 6 count --method enumerate --time-limit 100");
    assert!(stdout(&output).starts_with("6 queens: 4 "), "{output:?}");
}

#[test]
fn the_help_says_what_is_fetched_and_where_to() {
    for command in ["count", "queens 8 count", "compare", "run"] {
        let help = stdout(&Place::new().run(&format!("{command} --help")));
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in ["--offline", "fetched from PyPI", "HAMCNF_CACHE"] {
            assert!(help.contains(words), "{command}: {help}");
        }
    }
}

#[test]
fn offline_nothing_is_fetched() {
    // The script records every call except `--check`.
    let place = Place::with(
        "python3",
        "case $* in
           *--check*) echo 'pyapproxmc 4.4.0'; exit 3 ;;
           *) echo \"$@\" > \"$here/more\"; exit 1 ;;
         esac",
    );
    fs::write(place.path("plan.toml"), COMPARISON).unwrap();
    let plan = format!("run {} -o {}", place.path("plan.toml").display(), place.path("results").display());
    for args in
        ["count 6x6 --method approxmc", "queens 8 count --method approxmc", "compare 6x6 -m exact,approxmc", &plan]
    {
        let output = place.run(&format!("{args} --offline"));
        assert_eq!(
            refused(&output),
            "the engine \"approxmc\" needs approxmc on the PATH, or pyapproxmc from PyPI \
             (fetched by python3 unless --offline is given), and --offline forbids fetching it: \
             remove --offline",
            "{args}"
        );
    }
    assert!(!place.path("more").exists());
    let output = Place::new().run("count 6x6 --method ganak --offline");
    assert_eq!(
        refused(&output),
        "the engine \"ganak\" is not installed (ganak not found); ganak on the PATH, or pyganak from PyPI \
         (fetched by python3 unless --offline is given)"
    );
}

#[test]
fn offline_what_is_there_counts() {
    let place = Place::with("approxmc", "echo 's mc 304'");
    let output = place.run("queens 8 count --method approxmc --offline");
    assert!(stdout(&output).contains("about 304 placements"), "{output:?}");

    let place = Place::with(
        "python3",
        "echo \"$@\" >> \"$here/args\"
         case $* in
           *--check*) echo 'pyganak 2.8.0' ;;
           *) echo 'c s exact arb int 92' ;;
         esac",
    );
    let output = place.run("compare 6x6 -m ganak --offline --format csv");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let args = fs::read_to_string(place.path("args")).unwrap();
    let is_count = |line: &&str| line.contains("count-models ganak --offline --with-parent --seed 1 ");
    assert_eq!((args.lines().filter(is_count).count(), args.matches("--set-up").count()), (1, 0), "{args}");
}

/// Tests that `scripts/count-models --check` reports whether a package is in the cache, with an empty and with a filled
/// cache.
#[test]
fn the_script_says_whether_a_package_is_there() {
    let cache = tempfile::tempdir().unwrap();
    let script = |args: &[&str]| {
        let mut command = Command::new("python3");
        command.args(["scripts/count-models", "ganak"]).args(args);
        command.env("HAMCNF_CACHE", cache.path()).output()
    };
    let Ok(output) = script(&["--check"]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = stdout(&output);
    let (package, folder) = said.trim_end().split_once('\t').unwrap();
    assert_eq!(package, "pyganak 2.8.0");
    let output = script(&["--set-up", "--offline"]).unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).ends_with(", and --offline is given\n"));
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
    fs::create_dir(folder).unwrap();
    for args in [["--check", "--offline"], ["--set-up", "--offline"]] {
        assert_eq!(script(&args).unwrap().status.code(), Some(0));
    }
}

/// Runs the command on a terminal that python3 creates. Returns `None` if python3 is missing.
fn on_a_terminal(place: &Place, args: &str, typed: &str) -> Option<(Option<i32>, String)> {
    // The child finds the program by its name alone, and hamcnf must find no other programs.
    let script = "import os, pty, sys\n\
        os.environ['PATH'] = sys.argv[1]\n\
        sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[2:])))";
    let mut child = place
        .command("python3")
        .env("PATH", env::var_os("PATH")?)
        .args(["-c", script])
        .args([place.path("bin").as_os_str(), env!("CARGO_BIN_EXE_hamcnf").as_ref()])
        .args(args.split_whitespace())
        .stdin(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(typed.as_bytes()).unwrap();
    // Standard input stays open until the end, because python would pass its end on as the end of the terminal.
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    Some((output.status.code(), stdout(&output)))
}

#[test]
fn on_a_terminal_it_asks_before_it_fetches() {
    let place = Place::with(
        "python3",
        "case $* in
           *--check*) test -e \"$here/fetched\" || exit 3 ;;
           *--set-up*) touch \"$here/fetched\" ;;
           *) echo 'c s exact arb int 92' ;;
         esac",
    );
    let args = "queens 8 count --method ganak";
    let Some((code, said)) = on_a_terminal(&place, args, "n\n") else {
        return;
    };
    let question = "The engine \"ganak\" needs ganak on the PATH, or pyganak from PyPI \
                    (fetched by python3 unless --offline is given). Fetch it? [Y/n] ";
    assert!(said.contains(question), "{said}");
    let refusal = "hamcnf: the engine \"ganak\" is not set up: answer y to fetch it";
    assert!(said.contains(refusal), "{said}");
    assert_eq!(code, Some(2));
    assert!(!place.path("fetched").exists());

    // The question is printed once for all rows, before the first row.
    let compare = "compare 6x6 -m exact,ganak";
    let (code, said) = on_a_terminal(&place, compare, "n\n").unwrap();
    assert_eq!((code, said.matches("[Y/n]").count()), (Some(2), 1), "{said}");
    assert!(!said.contains("9862"), "{said}");

    let (code, said) = on_a_terminal(&place, args, "\n").unwrap();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("8 queens: 92 placements"), "{said}");
    assert!(place.path("fetched").exists());
}

#[test]
fn tours_that_were_found_are_shown_at_an_interrupt() {
    for (args, words) in [
        ("solve 8x8 --number 1000000", " different tours before the interrupt\n"),
        ("count 8x8 --method enumerate", "found and checked before the interrupt"),
        ("queens 14 count --method enumerate", "found and checked before the interrupt"),
    ] {
        let place = Place::new();
        let child = place.hamcnf(args).spawn().unwrap();
        thread::sleep(Duration::from_millis(1500));
        interrupt(&child, Signal::SIGINT);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{args}");
        assert!(stdout(&output).contains(words), "{args}");
    }
}
