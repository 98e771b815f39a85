//! Interrupts, time limits and a missing network. A command keeps its finished rows, returns the right exit code, and
//! leaves nothing else.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::processes::{pid_in, runs, soon};
use nix::sys::signal::Signal;

use crate::command::*;

/// Returns folders with a program of this name.
fn with(program: &str, script: &str) -> Place {
    let place = Place::new();
    place.program(program, script);
    place
}

fn pid(place: &Place) -> i32 {
    pid_in(&place.beside("pid"))
}

#[track_caller]
fn nothing_is_left(place: &Place, pid: i32) {
    assert!(soon(|| !runs(pid)));
    assert_eq!(names(&place.beside("tmp")), [""; 0]);
}

/// Script of a model counter with a child process; the counter does not end.
const ENDLESS: &str = "sleep 300 & echo $! > \"$here/pid\"; wait";

#[test]
fn an_interrupted_count_leaves_neither_its_file_nor_its_counter() {
    for (args, counter, signal, code) in [
        ("count 6x7 --method approxmc", "approxmc", Signal::SIGINT, 130),
        ("count 6x7 --method ganak", "ganak", Signal::SIGTERM, 143),
        ("queens 8 count --method approxmc", "approxmc", Signal::SIGTERM, 143),
    ] {
        let place = with(counter, ENDLESS);
        let child = place.hamcnf(args).begun();
        let pid = pid(&place);
        assert_eq!(names(&place.beside("tmp")).len(), 1);
        child.signal(signal);
        let output = child.ended();
        output.exits(code);
        assert_eq!(output.out(), "");
        output.notes_only(format!(
            "hamcnf: interrupted: results not yet printed are lost; to start again: hamcnf {args}\n"
        ));
        nothing_is_left(&place, pid);
    }
}

#[test]
fn an_interrupted_set_up_is_ended() {
    let place = with("python3", &format!("case $* in *--check*) exit 3 ;; esac; {ENDLESS}"));
    let child = place.hamcnf("count 6x7 --method ganak").begun();
    let pid = pid(&place);
    child.signal(Signal::SIGINT);
    let output = child.ended();
    output.exits(130);
    nothing_is_left(&place, pid);
}

#[test]
fn an_interrupted_comparison_shows_what_has_ended() {
    for (format, signal, code) in
        [("table", Signal::SIGINT, 130), ("markdown", Signal::SIGTERM, 143), ("json", Signal::SIGINT, 130)]
    {
        let place = with("approxmc", ENDLESS);
        let args = format!("compare 6x6 -m exact,zdd,approxmc,direct --format {format}");
        let child = place.hamcnf(&args).begun();
        let pid = pid(&place);
        // The signals arrive as from `timeout`: first at the program, then at its process group.
        child.signal(signal);
        thread::sleep(Duration::from_millis(20));
        child.signal(signal);
        let output = child.ended();
        output.exits(code);
        assert_eq!(output.out().matches("9862").count(), 2, "{output:?}");
        let said = output.err();
        let last = said.lines().last().unwrap();
        assert_eq!(last, format!("hamcnf: interrupted after 2 of 4 methods; to start again: hamcnf {args}"));
        nothing_is_left(&place, pid);
    }
}

#[test]
fn a_second_interrupt_ends_at_once_and_leaves_nothing() {
    // The first interrupt sets the cancellation token. A run that does not check the token continues. A second
    // interrupt ends the program without waiting for the run.
    let place = with("approxmc", ENDLESS);
    let child = place.hamcnf("compare 6x6 -m approxmc,exact").begun();
    let pid = pid(&place);
    child.signal(Signal::SIGINT);
    thread::sleep(Duration::from_millis(300));
    child.signal(Signal::SIGINT);
    let output = child.ended();
    output.exits(130);
    nothing_is_left(&place, pid);
}

#[test]
fn a_comparison_that_is_killed_takes_its_run_with_it() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = with("approxmc", ENDLESS);
    let child = place.hamcnf("compare 6x6 -m approxmc").begun();
    let pid = pid(&place);
    child.killed();
    assert!(soon(|| !runs(pid)));
    assert!(soon(|| names(&place.beside("tmp")).is_empty()));
}

#[test]
fn rows_of_a_comparison_come_as_they_are_there() {
    let place = with("approxmc", ENDLESS);
    let mut child = place.hamcnf("compare 6x6 -m exact,approxmc --format csv").begun();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("schema,question,"));
    assert!(lines.next().unwrap().unwrap().contains(",exact,"));
    let pid = pid(&place);
    assert!(runs(pid));
    child.signal(Signal::SIGTERM);
    assert!(lines.next().is_none());
    let output = child.ended();
    output.exits(143);
    assert!(output.err().ends_with(
        "hamcnf: interrupted after 1 of 2 methods; to start again: hamcnf compare 6x6 -m exact,approxmc --format csv\n"
    ));
    nothing_is_left(&place, pid);
}

#[test]
fn a_comparison_says_on_a_pipe_what_has_ended() {
    let output = Place::new().run("compare 6x6 -m exact,binary");
    output.exits(0);
    let said = output.err();
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
        let place = with("approxmc", ENDLESS);
        place.write("plan.toml", text);
        let args = "run plan.toml".to_owned();
        let child = place.hamcnf(&args).begun();
        let pid = pid(&place);
        child.signal(Signal::SIGINT);
        let output = child.ended();
        output.exits(130);
        let said = output.err();
        let last = "hamcnf: interrupted: finished rows are kept; to continue: hamcnf ";
        assert!(said.starts_with("[1/2] 6x6, exact, seed "), "{said}");
        assert!(said.ends_with(&format!(" s\n{last}{args}\n")), "{said}");
        nothing_is_left(&place, pid);
        let rows = place.read("results/plan.csv.part");
        assert_eq!(rows.lines().count(), 2, "{rows}");
        assert!(rows.contains(",exact,"), "{rows}");

        place.program("approxmc", "echo 's mc 9862'");
        place.run(&args).exits(0);
        let rows = place.read("results/plan.csv");
        assert_eq!(rows.lines().count(), 3, "{rows}");
    }
}

#[test]
fn an_interrupted_decision_keeps_its_rows() {
    let place = Place::with("plan.toml", DECISION);
    let args = "run plan.toml".to_owned();
    let child = place.hamcnf(&args).begun();
    let rows = || fs::read_to_string(place.path("results/plan.csv.part")).unwrap_or_default();
    assert!(soon(|| rows().lines().count() == 2));
    child.signal(Signal::SIGTERM);
    let output = child.ended();
    output.exits(143);
    let said = output.err();
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
        let place = Place::with("hard.txt", hard());
        let args = format!("solve hard.txt {options}");
        let child = place.hamcnf(&args).begun();
        thread::sleep(Duration::from_millis(400));
        let began = Instant::now();
        child.signal(signal);
        let output = child.ended();
        // Without an answer to the signal, the search would go on for hours.
        assert!(began.elapsed() < Duration::from_secs(60), "{options}");
        output.exits(code);
        let said = output.out();
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
        let folder = Place::with("hard.txt", hard());
        let child = Command::new("env")
            .args([signals, env!("CARGO_BIN_EXE_hamcnf"), "solve", "hard.txt"])
            .args(["-e", "relaxed", "--proof", "x.drat"])
            .current_dir(folder.dir())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(300));
        child.signal(Signal::SIGHUP);
        let output = child.ended();
        output.exits(code);
        let files = fs::read_dir(folder.dir()).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        files.sort();
        assert_eq!(files, left, "{signals}");
    }
}

/// Tests that every method keeps the time limit, which starts when the question is read.
#[test]
fn a_time_limit_is_kept_by_all_parts() {
    for options in ["", "--threads 1", "--method propagator", "--method lazy", "--method local-search"] {
        let place = Place::with("hard.txt", hard());
        let args = format!("solve hard.txt --time-limit 0.5 --json {options}");
        let output = place.run(&args);
        output.exits(3);
        let json = output.parsed();
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
    output.exits(3);
    let json = output.parsed();
    assert_eq!(json["status"], "timeout");
    assert!(json["wall_seconds"].as_f64().unwrap() >= 0.3);
    assert!(json["clauses"].is_null(), "{json}");
    assert_eq!(json["details"]["statistics"], serde_json::json!({}));
    let output = Place::new().run("solve 60x60 -e unary --time-limit 0.3");
    output.exits(3);
    let said = output.out();
    assert!(said.starts_with("60x60 knight, closed tours, start a1: no answer within the time limit"));
    assert!(said.contains("not all clauses generated") && !said.contains("conflicts"), "{said}");
    let output = Place::new().run("solve 60x60 -e unary --time-limit 0.3 --dimacs");
    assert_eq!(output.out(), "s UNKNOWN\n");
}

#[test]
fn answers_within_the_limit_are_answers() {
    let place = Place::new();
    let code = |args: &str| place.run(args).code();
    assert_eq!(code("solve 6x6 --time-limit 100"), Some(10));
    assert_eq!(code("solve 4x4 --time-limit 100"), Some(20));
    assert_eq!(code("queens 20 solve --time-limit 100"), Some(10));
    let output = place.run("count 5x6 --method enumerate --time-limit 100");
    assert!(output.out().starts_with("5x6: 8 "), "{output:?}");
    let output = place.run("queens 6 count --method enumerate --time-limit 100");
    assert!(output.out().starts_with("6 queens: 4 "), "{output:?}");
}

#[test]
fn the_help_says_what_is_fetched_and_where_to() {
    for command in ["count", "queens 8 count", "compare", "run"] {
        let help = Place::new().run(&format!("{command} --help")).out();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in ["--offline", "fetched from PyPI", "HAMCNF_CACHE"] {
            assert!(help.contains(words), "{command}: {help}");
        }
    }
}

#[test]
fn offline_nothing_is_fetched() {
    // The script records every call except `--check`.
    let place = with(
        "python3",
        "case $* in
           *--check*) echo 'pyapproxmc 4.4.0'; exit 3 ;;
           *) echo \"$@\" > \"$here/more\"; exit 1 ;;
         esac",
    );
    place.write("plan.toml", COMPARISON);
    let plan = "run plan.toml".to_owned();
    for args in
        ["count 6x6 --method approxmc", "queens 8 count --method approxmc", "compare 6x6 -m exact,approxmc", &plan]
    {
        let output = place.run(&format!("{args} --offline"));
        assert_eq!(
            output.refused(),
            "the engine \"approxmc\" needs approxmc on the PATH, or pyapproxmc from PyPI \
             (fetched by python3 unless --offline is given), and --offline forbids fetching it: \
             remove --offline",
            "{args}"
        );
    }
    assert!(!place.beside("more").exists());
    let output = Place::new().run("count 6x6 --method ganak --offline");
    assert_eq!(
        output.refused(),
        "the engine \"ganak\" is not installed (ganak not found); ganak on the PATH, or pyganak from PyPI \
         (fetched by python3 unless --offline is given)"
    );
}

#[test]
fn offline_what_is_there_counts() {
    let place = with("approxmc", "echo 's mc 304'");
    place.run("queens 8 count --method approxmc --offline").and("about 304 placements");

    let place = with(
        "python3",
        "echo \"$@\" >> \"$here/args\"
         case $* in
           *--check*) echo 'pyganak 2.8.0' ;;
           *) echo 'c s exact arb int 92' ;;
         esac",
    );
    place.run("compare 6x6 -m ganak --offline --format csv").exits(0);
    let args = fs::read_to_string(place.beside("args")).unwrap();
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
        command.env("HAMCNF_CACHE", cache.path()).ended()
    };
    let output = script(&["--check"]);
    output.exits(3);
    let said = output.out();
    let (package, folder) = said.trim_end().split_once('\t').unwrap();
    assert_eq!(package, "pyganak 2.8.0");
    let output = script(&["--set-up", "--offline"]);
    output.exits(3);
    assert!(output.err().ends_with(", and --offline is given\n"));
    assert_eq!(fs::read_dir(cache.path()).unwrap().count(), 0);
    fs::create_dir(folder).unwrap();
    for args in [["--check", "--offline"], ["--set-up", "--offline"]] {
        script(&args).exits(0);
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
        .args([place.beside("bin").as_os_str(), env!("CARGO_BIN_EXE_hamcnf").as_ref()])
        .args(args.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(typed.as_bytes()).unwrap();
    // Standard input stays open until the end, because python would pass its end on as the end of the terminal.
    let output = child.ended();
    drop(stdin);
    Some((output.code(), output.out()))
}

#[test]
fn on_a_terminal_it_asks_before_it_fetches() {
    let place = with(
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
    assert!(!place.beside("fetched").exists());

    // The question is printed once for all rows, before the first row.
    let compare = "compare 6x6 -m exact,ganak";
    let (code, said) = on_a_terminal(&place, compare, "n\n").unwrap();
    assert_eq!((code, said.matches("[Y/n]").count()), (Some(2), 1), "{said}");
    assert!(!said.contains("9862"), "{said}");

    let (code, said) = on_a_terminal(&place, args, "\n").unwrap();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("8 queens: 92 placements"), "{said}");
    assert!(place.beside("fetched").exists());
}

#[test]
fn tours_that_were_found_are_shown_at_an_interrupt() {
    for (args, words) in [
        ("solve 8x8 --number 1000000", " different tours before the interrupt\n"),
        ("count 8x8 --method enumerate", "found and checked before the interrupt"),
        ("queens 14 count --method enumerate", "found and checked before the interrupt"),
    ] {
        let place = Place::new();
        let child = place.hamcnf(args).begun();
        thread::sleep(Duration::from_millis(800));
        child.signal(Signal::SIGINT);
        let output = child.ended();
        output.exits(130);
        output.and(words);
    }
}
