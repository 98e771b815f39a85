//! Signals, full disks, closed pipes and faulty programs. Output files are complete, messages name the cause, and the
//! program never claims without proof that there is no tour.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::processes::{pid_in, runs, soon};
use nix::sys::signal::Signal;

use crate::command::*;
use crate::rows::{value, values};
use serde_json::json;

/// Returns folders with a program of this name. With `--version` it prints a version.
fn with(program: &str, script: &str) -> Place {
    let place = Place::new();
    place.program(program, &format!("[ \"$1\" = --version ] && echo 1.0 && exit\n{script}"));
    place
}

#[track_caller]
fn nothing_is_left(place: &Place, what: &str) {
    assert_eq!(names(&place.beside("tmp")), [""; 0], "{what}");
}

/// Returns true if the process has handlers for SIGINT and SIGTERM.
fn waits_for_signals(child: &Child) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let bit = |signal: Signal| 1u64 << (signal as u32 - 1);
    let both = bit(Signal::SIGINT) | bit(Signal::SIGTERM);
    caught.is_some_and(|mask| mask & both == both)
}

const EXPERIMENTS: [(&str, &str); 5] = [
    (
        "decision.toml",
        "title = 't'\nseeds = [1]\ntime_limit = 300\nexpect = 'tour'\n\
         questions = ['40x40']\nmethods = ['direct']\n",
    ),
    ("sizes.toml", "title = 't'\nquestions = ['150x150']\nmethods = ['size:direct']\n"),
    (
        "count.toml",
        "title = 't'\nseeds = [1]\ntime_limit = 300\n\
         [[questions]]\nquestion = '8x8'\nmethods = ['enumerate']\n",
    ),
    (
        "compare.toml",
        "title = 't'\ntime_limit = 300\n\
         [[questions]]\nquestion = '8x8'\nmethods = ['zdd', 'kissat:binary']\n",
    ),
    (
        "race.toml",
        "title = 't'\nseeds = [1]\nexpect = 'tour'\ntime_limit = 300\n\
         questions = ['40x40']\nmethods = ['unary']\n",
    ),
];

/// Returns the rows of a large experiment: copies of the rows of a small experiment, with many seeds.
fn many_rows() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/decision.csv");
    let text = fs::read_to_string(file).unwrap();
    let mut rows = csv::Reader::from_reader(text.as_bytes());
    let header = rows.headers().unwrap().clone();
    let seed = header.iter().position(|name| name == "seed").unwrap();
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(&header).unwrap();
    for row in rows.records() {
        let row = row.unwrap();
        for copy in 0..300 {
            let copied = row.iter().enumerate().map(|(column, text)| match column {
                _ if column == seed => format!("{copy}{text}"),
                _ => text.to_owned(),
            });
            out.write_record(copied).unwrap();
        }
    }
    String::from_utf8(out.into_inner().unwrap()).unwrap()
}

/// Commands that run for a long time, and commands that wait for input from a pipe without writers.
const LONG: [&str; 58] = [
    "encode 60x60 -e direct",
    "encode 60x60 -e direct -o out.cnf",
    "encode 60x60 -e direct -o out.cnf.gz",
    "encode 60x60 -e direct -o out.cnf.zst",
    "encode 100x100 -e direct --gbd-hash",
    "solve 40x40 -e unary --json",
    "solve 20x20 -e direct --render out.svg --json",
    "solve 8x8 -e binary --number 100000000 --render out.svg",
    "solve 3000x3000 --render out.png",
    "solve 3000x3000 --method two-factor --render out.svg",
    "solve flower:3001 --method local-search --render out.json",
    "solve flower:301 --method propagator --render out.txt",
    "solve flower:1001 --method lazy",
    "solve 6x6 --method kissat:binary --render out.svg",
    "tour 50x50 --method backtrack --render out.svg",
    "tour 3000x3000 --open --json",
    "tour 3000x3000 --open --render out.png",
    "count 8x8",
    "count 8x8 --threads 1 --json",
    "count grid:12x60 --method treewidth",
    "count 8x8 --method sample --states 50000000",
    "count 8x8 --method zdd --dot out.dot",
    "count 6x6 --method timeslice",
    "count 8x8 --method enumerate",
    "count 6x6 -e direct --method enumerate --project paper",
    "count 6x6 --method approxmc",
    "sample-tour 8x8 --number 1000",
    "list 8x8",
    "list 7x8 --from-rank 1",
    "queens 20 count",
    "queens 16 count --method enumerate",
    "queens 8 count --method approxmc",
    "queens 18 list",
    "queens 2000 encode -o out.cnf",
    "compare 8x8 -m enumerate",
    "compare 8x8 -m enumerate,zdd --format json",
    "run decision.toml -o res",
    "run sizes.toml -o res",
    "run count.toml -o res",
    "run compare.toml -o res",
    "run race.toml -o res",
    "run race.toml -o res --shard 1/1",
    "report rows.csv -o page",
    "report pipe -o page",
    "report --compare rows.csv pipe",
    "report pipe --format competition",
    "graph 3000x3000",
    "graph 3000x3000 -o out.col",
    "graph planar:1000000:1 -o out.hcp.gz",
    "graph pipe -o out.txt",
    "sizes 150x150 --format csv",
    "sizes --check pipe",
    "decode 8x8 pipe --render out.svg",
    "show pipe -o out.svg",
    "show pipe -o out.png",
    "check pipe",
    "run pipe --dry-run",
    "run pipe -o res",
];

/// Script of a program with a child process; the program does not end.
const ENDLESS: &str = "sleep 300 & echo $! >> \"$here/pids\"; wait";

#[test]
fn whatever_is_interrupted_leaves_nothing_that_is_not_whole() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let rows = many_rows();
    let cases =
        [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)].into_iter().flat_map(|end| LONG.map(|args| (args, end)));
    let cases: Vec<_> = cases.collect();
    let wrong = Mutex::new(Vec::new());
    each(&cases, |&(args, (signal, code))| {
        let place = with("kissat", ENDLESS);
        fs::copy(place.beside("bin/kissat"), place.beside("bin/approxmc")).unwrap();
        for (name, text) in EXPERIMENTS {
            place.write(name, text);
        }
        if args.contains("rows.csv") {
            place.write("rows.csv", &rows);
        }
        if args.contains("pipe") {
            let pipe = Command::new("mkfifo").arg(place.path("pipe")).status();
            assert!(pipe.unwrap().success());
        }
        let there = place.names("");
        let mut child = place.hamcnf(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        assert!(soon(|| waits_for_signals(&child)), "{args}");
        thread::sleep(Duration::from_millis(if signal == Signal::SIGINT { 150 } else { 40 }));
        if args.contains("kissat") || args.contains("approxmc") {
            pid_in(&place.beside("pids"));
        }
        let began = Instant::now();
        child.signal(signal);
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let ended = child.wait().unwrap();
        let mut left = place.names("");
        left.retain(|name| !there.contains(name));
        // Finished rows are kept under names that mark the files as incomplete.
        left.extend(place.names("res"));
        left.retain(|name| name != "res" && !name.ends_with(".part"));
        let pids = fs::read_to_string(place.beside("pids")).unwrap_or_default();
        let running = |pid: &str| runs(pid.parse().unwrap());
        let fine = ended.code() == Some(code)
            && left.is_empty()
            && soon(|| names(&place.beside("tmp")).is_empty())
            && soon(|| !pids.lines().any(running))
            && began.elapsed() < Duration::from_secs(20)
            && !said.contains("panicked")
            && !said.contains("no tour");
        if !fine {
            let temporary = names(&place.beside("tmp"));
            let wrong = &mut wrong.lock().unwrap();
            wrong.push(format!("{args}, {signal}: {ended}, left {left:?} {temporary:?}: {said}"));
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs lines of a shell script on a disk of 64 KiB, which is removed afterwards. The lines can call `hamcnf`, and
/// `fill N` to use up N bytes. Returns `None` if such a disk cannot be mounted.
fn on_a_small_disk(place: &Place, script: &str) -> Option<String> {
    let lines = format!(
        "mount -t tmpfs -o size=64k tmpfs \"$0\" && cd \"$0\" && echo mounted\n\
         hamcnf() {{ '{}' \"$@\" >/dev/null; echo \"code $?\"; }}\n\
         fill() {{ head -c \"$1\" /dev/zero > filling; }}\n\
         {script}\n\
         find . -type f ! -name filling | sort",
        env!("CARGO_BIN_EXE_hamcnf")
    );
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", &lines]).arg(place.dir()).env("TMPDIR", place.beside("tmp")).stdin(Stdio::null());
    let said = Ended::from(command.output().ok()?).all();
    said.strip_prefix("mounted\n").map(str::to_owned)
}

#[test]
fn on_a_full_disk_the_file_is_named_and_none_is_left() {
    let tour = Place::new().run("tour 60x60 --open --json");
    let rows = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/decision.csv");
    let rows = rows.display();
    let beside = Place::with("tour.json", tour.bytes());
    beside.write("small.toml", SMALL);
    let beside = beside.dir().display();
    for (args, file) in [
        ("encode 8x8 -o a.cnf", "a.cnf"),
        ("encode 20x20 -o a.cnf.gz", "a.cnf.gz"),
        ("encode 20x20 -o a.cnf.zst", "a.cnf.zst"),
        ("queens 50 encode -o a.cnf", "a.cnf"),
        ("graph 60x60 -o a.col", "a.col"),
        ("solve 60x60 --json --render a.svg", "a.svg"),
        ("solve 20x20 --render a.png", "a.png"),
        ("solve 120x120 --render a.json", "a.json"),
        ("tour 80x80 --open --render a.txt", "a.txt"),
        (&format!("show {beside}/tour.json -o a.svg"), "a.svg"),
        ("count 6x6 --method zdd --dot a.dot", "a.dot"),
        (&format!("report {rows} -o page"), "page/index.html"),
        ("solve 6x6 -e binary --number 3 --render b.svg", "b.svg"),
    ] {
        let place = Place::new();
        let fill = match file {
            "a.png" | "b.svg" => "fill 65536\n",
            _ => "",
        };
        let Some(said) = on_a_small_disk(&place, &format!("{fill}hamcnf {args}")) else {
            eprintln!("not tried: no disk may be mounted");
            return;
        };
        let lines: Vec<_> = said.lines().collect();
        // The program fails, and leaves no file behind.
        assert_eq!(lines[0], "code 2", "{args}: {said}");
        assert!(!said.contains("\n./"), "{args}: {said}");
        let said = format!("hamcnf: cannot write {file}: No space left on device (os error 28)");
        assert_eq!(lines.last(), Some(&said.as_str()), "{args}");
        nothing_is_left(&place, args);
    }
}

const SMALL: &str = "title = 't'\nseeds = [1]\ntime_limit = 60\nexpect = 'tour'\n\
    questions = ['6x6', '5x6']\nmethods = ['binary', 'unary']\n";

#[test]
fn an_experiment_on_a_full_disk_goes_on_when_there_is_room() {
    let place = Place::new();
    let beside = Place::with("small.toml", SMALL);
    let run = format!("hamcnf run {}/small.toml -o res", beside.dir().display());
    for (filled, part, file) in [
        (65536, "", "res/small.csv.part"),
        (61440, "./res/small.csv.part\n", "res/small.machine.json.part"),
        (57344, "./res/small.csv.part\n./res/small.machine.json.part\n", "res/small.md"),
    ] {
        let script =
            format!("fill {filled}\n{run}\nfind . -name '*.csv*' -o -name '*machine*' | sort\nrm filling\n{run}");
        let Some(said) = on_a_small_disk(&place, &script) else {
            eprintln!("not tried: no disk may be mounted");
            return;
        };
        let expected = format!("code 2\n{part}code 0\n./res/small.csv\n./res/small.machine.json\n./res/small.md\n");
        // The file of tours is kept if the disk has room for it.
        assert!(said.starts_with(&expected), "{filled}: {said}");
        let full = format!("hamcnf: cannot write {file}: No space left on device (os error 28)\n");
        assert!(said.contains(&full), "{filled}: {said}");
    }
}

#[test]
fn standard_output_may_be_full() {
    if !Path::new("/dev/full").exists() {
        eprintln!("not tried: there is no /dev/full");
        return;
    }
    let place = Place::with("small.toml", SMALL);
    place.write("tour.json", place.run("tour 5x5 --open --json").out());
    for args in [
        "encode 6x6",
        "encodings",
        "sizes 6x6",
        "solve 6x6",
        "solve 6x6 --json",
        "solve 6x6 -e binary --dimacs",
        "solve 5x5",
        "solve 8x8 --explain",
        "tour 6x6",
        "count 5x6",
        "count 5x6 --json",
        "sample-tour 5x6",
        "list 5x6",
        "graph 6x6",
        "graph 6x6 --format csv",
        "queens 8 list",
        "queens 8 count",
        "queens 8 solve",
        "queens 8 encode",
        "compare 5x6 -m exact",
        "run small.toml --dry-run",
        "run small.toml -o res",
        "report res/small.csv",
        "show tour.json",
        "check tour.json",
        "help solve",
        "--version",
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = place.hamcnf(args).stdout(full).ended();
        output.exits(2);
        assert_eq!(
            output.err().lines().last(),
            Some("hamcnf: cannot write standard output: No space left on device (os error 28)"),
            "{args}"
        );
        // The answer may have taken hours.
        if args == "count 5x6" {
            assert!(output.err().starts_with("5x6: 8 closed tours"));
        }
    }
}

#[test]
fn who_has_read_enough_is_no_error() {
    let place = Place::new();
    let rows = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/decision.csv");
    let report = format!("report {}", rows.display());
    place.write("tour.json", place.run("tour 200x200 --open --json").out());
    for (args, code) in [
        ("encode 12x12 -e direct", 0),
        ("encode 12x12 -e direct -o /dev/stdout", 0),
        ("queens 100 encode", 0),
        ("solve 200x200", 10),
        ("solve 5x5 --json", 20),
        ("--version", 0),
        ("solve 200x200 --json", 10),
        ("solve 10x10 -e binary --dimacs", 10),
        ("solve 6x6 -e binary --number 40", 10),
        ("solve 6x6 -e binary --number 40 --json", 10),
        ("tour 200x200", 10),
        ("tour 200x200 --json", 10),
        ("sample-tour 6x6 --number 100", 0),
        ("list 6x6", 0),
        ("list 6x8 --format csv", 0),
        ("queens 10 list", 0),
        ("sizes 6x6 8x8 10x10 --by-family", 0),
        ("graph 100x100", 0),
        ("show tour.json", 0),
        ("help solve", 0),
        ("encodings", 0),
        (&report, 0),
        (&format!("{report} --format competition"), 0),
    ] {
        let mut child = place.hamcnf(args).begun();
        let mut line = String::new();
        let mut out = BufReader::with_capacity(1, child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        drop(out);
        let output = child.ended();
        assert!(!line.is_empty(), "{args}");
        output.exits(code);
        output.notes_only("");
    }
}

/// Scripts of a solver that give no valid answer, with the expected messages.
const FAULTY: [(&str, &str); 12] = [
    ("kill -SEGV $$", "failed (signal: 11"),
    ("kill -9 $$", "failed (signal: 9"),
    ("exit 77", "failed (exit status: 77): no output"),
    ("echo why >&2; exit 1", "failed (exit status: 1): why"),
    ("exit 20", "(exit status: 20): the input is empty"),
    ("echo 's UNSATISFIABLE'; exit 10", "contradicts itself"),
    ("echo 's UNSATISFIABLE'; kill -9 $$", "failed (signal: 9"),
    ("echo 's SATISFIABLE'; exit 10", "(exit status: 10): the model has no value for variable 1"),
    ("head -c 3000 /dev/zero; exit 20", "is not a line of a solver's answer (expected"),
    ("printf 's SATISFIABLE\\nv \\377\\376 0\\n'; exit 10", "is not a literal"),
    (
        "yes 'c this comment is long' | head -c 2000000000; echo 's UNSATISFIABLE'; exit 20",
        "gave no answer: it printed more than 64 MiB",
    ),
    ("echo 's UNSATISFIABLE'; yes 'c this comment is long'", "gave no answer: it printed more than 64 MiB"),
];

#[test]
fn a_solver_without_an_answer_is_an_error_that_says_why() {
    each(&FAULTY, |&(script, why)| {
        let place = with("kissat", script);
        // The memory limit shows that the program does not store all output of the solver, which may be two gigabytes.
        let began = Instant::now();
        let output = place.run_after("ulimit -v 1500000", "solve 6x6 --method kissat:binary --json");
        let said = output.refused();
        assert!(said.starts_with("kissat:binary: the engine \"kissat\" "), "{said}");
        assert!(said.contains(why), "{script}: {said}");
        // The message contains no control characters that could affect a terminal.
        assert!(!said.contains(char::is_control), "{said:?}");
        assert!(began.elapsed() < Duration::from_secs(60), "{script}");
        nothing_is_left(&place, script);
    });
}

#[test]
fn a_row_of_a_solver_without_an_answer_has_failed() {
    // The model assigns false to all variables, which is not a tour.
    let none = "echo 's SATISFIABLE'; seq 370 | sed 's/.*/v -&/'; echo 'v 0'; exit 10";
    each(&[FAULTY[0], FAULTY[5], (none, "printed an invalid tour")], |&(script, why)| {
        let place = with("kissat", script);
        place.write("race.toml", RACE);
        place.run("run race.toml -o res").exits(1).notes(why);
        assert_eq!(statuses(&place.path("res/race.csv.part")), ["failed"], "{script}");
    });
}

const RACE: &str = "title = 't'\nseeds = [1]\nexpect = 'tour'\ntime_limit = 60\n\
    questions = ['6x6']\nmethods = ['kissat:binary']\n";

/// Returns the statuses of the rows of a file, in order.
fn statuses(file: &Path) -> Vec<String> {
    values(file).iter().map(|row| value(row, "status").to_owned()).collect()
}

#[test]
fn another_programs_no_tour_is_its_own_word() {
    let place = with("kissat", "echo 's UNSATISFIABLE'; exit 20");
    place
        .run("solve 6x6 --method kissat:binary")
        .begins(20, "6x6 knight, closed tours, start a1: kissat reports that there is no tour (not checked)\n");
    let fields = json!({ "solver": "kissat 1.0", "message": "reported by kissat 1.0, not checked" });
    place.run("solve 6x6 --method kissat:binary --json").has(20, fields);
    place.write("answer", "s UNSATISFIABLE\n");
    place.run("decode 6x6 answer").says(20, "the solver reports that there is no tour");

    // The answer of another method, or the expectation of an experiment, contradicts the solver.
    let output = place.run("compare 6x6 -m kissat:binary,exact");
    output.exits(1);
    let said = output.err();
    let last = "hamcnf: 6x6: kissat:binary says no tour, and exact says 9862\n";
    assert!(said.ends_with(last), "{said}");
    place.write("race.toml", RACE);
    place.run("run race.toml -o res").exits(1).notes("kissat:binary").notes("no tour");
}

#[test]
fn solvers_that_hang_are_ended_at_the_limit_with_all_that_they_began() {
    for (script, may_say) in [
        (ENDLESS, true),
        ("yes why >&2", false),
        (
            "trap '' TERM INT; echo 's UNSATISFIABLE'; sleep 300 & echo $! >> \"$here/pids\"; while :; do sleep 1; done",
            true,
        ),
    ] {
        let place = with("kissat", script);
        let began = Instant::now();
        place.run("solve 6x6 --method kissat:binary --time-limit 1 --json").has(3, json!({ "status": "timeout" }));
        assert!(began.elapsed() < Duration::from_secs(20), "{script}");
        if may_say {
            let pid = pid_in(&place.beside("pids"));
            assert!(soon(|| !runs(pid)), "{script}");
        }
        nothing_is_left(&place, script);
    }
}

/// Tests that messages name the limit on CPU time if an external program reached this limit.
#[test]
fn a_limit_on_cpu_time_of_another_program_is_named() {
    let script = "case $* in *--version*) echo 4.0.1; exit;; esac; while :; do :; done";
    for (program, args, said) in [
        ("kissat", "solve 6x6 --method kissat:binary", ": no answer within the CPU time limit"),
        ("approxmc", "count 6x6 --method approxmc", "s, the CPU time limit"),
    ] {
        let output = with(program, script).run(&format!("{args} --cpu-limit 0.2"));
        output.exits(3);
        assert!(output.all().contains(said), "{}", output.all());
    }
}

#[test]
fn model_counters_may_do_anything_but_count() {
    let faults = [
        ("kill -9 $$", 2, "the engine \"approxmc\" failed (signal: 9 (SIGKILL))"),
        ("kill -SEGV $$", 2, "the engine \"approxmc\" failed (signal: 11"),
        ("exit 3", 2, "the engine \"approxmc\" failed (exit status: 3)"),
        ("echo 's mc 7'; exit 1", 2, "the engine \"approxmc\" failed (exit status: 1)"),
        ("echo hello", 2, "the engine \"approxmc\" printed no count"),
        ("head -c 1000 /dev/zero", 2, "the engine \"approxmc\" printed no count"),
        ("printf '\\377\\n'", 2, "the engine \"approxmc\" printed no count"),
        ("echo 's mc -5'", 2, "the engine \"approxmc\" printed an invalid count"),
        ("echo 's mc 5x'", 2, "the engine \"approxmc\" printed an invalid count"),
        ("echo 's UNSATISFIABLE'; exit 20", 2, "the engine \"approxmc\" failed (exit status: 20)"),
        ("yes 'c this comment is long'", 2, "the engine \"approxmc\" gave no answer: it printed more than 64 MiB"),
        (
            "yes 'c this comment is long' | head -c 2000000000; echo 's mc 5'",
            2,
            "the engine \"approxmc\" gave no answer: it printed more than 64 MiB",
        ),
        ("yes why >&2", 3, "time limit"),
        (ENDLESS, 3, "time limit"),
    ];
    each(&faults, |&(script, code, why)| {
        let place = with("approxmc", script);
        // The long limit allows programs that end by themselves to end.
        let limit = if code == 3 { 1 } else { 60 };
        place.run(&format!("count 6x6 --method approxmc --time-limit {limit}")).prints(code, "").notes(why);
        nothing_is_left(&place, script);
    });
}

/// Options for every way to find a tour or to prove that none exists.
const WAYS: [&str; 27] = [
    "--method auto",
    "--method auto --threads 1",
    "--method two-factor",
    "--method reduction",
    "--method decomposition",
    "--method core",
    "--method propagator",
    "--method lazy",
    "--method local-search",
    "--method backtrack",
    "--method warnsdorff",
    "--method kissat:binary",
    "-e direct",
    "-e unary",
    "-e binary",
    "-e counting",
    "-e step",
    "-e successor",
    "-e espresso",
    "-e lfsr",
    "-e remainder",
    "-e precedence",
    "-e edges",
    "-e edges --number 3",
    "-e relaxed",
    "-e relaxed+two-cycles+phases=false",
    "-e binary --number 3",
];

/// Questions with tours, so that every answer "no tour" is wrong.
const WITH_TOURS: [&str; 3] = ["12x12", "cubic:200:1", "5x6"];

#[track_caller]
fn does_not_say_none(what: &str, output: &Ended) {
    let said = output.out();
    assert_ne!(output.code(), Some(20), "{what}: {said}");
    for none in ["no-tour", "there is no tour", "s UNSATISFIABLE"] {
        assert!(!said.contains(none), "{what}: {said}");
    }
    assert!(!output.err().contains("panicked"), "{what}: {output:?}");
}

#[test]
fn a_time_limit_is_never_taken_for_no_tour() {
    let cases = WAYS.iter().flat_map(|way| WITH_TOURS.map(|question| (way, question)));
    each(&cases.collect::<Vec<_>>(), |(way, question)| {
        let place = with("kissat", "exec sleep 300");
        for limit in ["0.001", "0.02", "0.06"] {
            let args = format!("solve {question} {way} --json --time-limit {limit}");
            does_not_say_none(&args, &place.run(&args));
        }
    });
}

#[test]
fn a_signal_is_never_taken_for_no_tour() {
    each(&WAYS, |way| {
        let place = with("kissat", "exec sleep 300");
        let args = format!("solve 12x12 {way} --json");
        let child = place.hamcnf(&args).begun();
        assert!(soon(|| waits_for_signals(&child)), "{args}");
        thread::sleep(Duration::from_millis(30));
        child.signal(Signal::SIGTERM);
        let output = child.ended();
        does_not_say_none(&args, &output);
    });
}

#[test]
fn memory_that_is_not_there_is_never_taken_for_no_tour() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let cases = WAYS.iter().flat_map(|way| [20_000, 100_000, 200_000].map(|kib| (way, kib)));
    each(&cases.collect::<Vec<_>>(), |(way, kib)| {
        let place = with("kissat", "exec sleep 300");
        let args = format!("solve 12x12 {way} --json --time-limit 0.1");
        let output = place.run_after(&format!("ulimit -v {kib}"), &args);
        let said = output.out();
        assert_ne!(output.code(), Some(20), "{args}, {kib}: {said}");
        assert!(!said.contains("no-tour"), "{args}, {kib}: {said}");
    });
}

#[test]
fn limits_of_an_experiment_are_never_taken_for_no_tour() {
    let methods: Vec<_> = WAYS
        .iter()
        .filter(|way| !way.contains("--threads") && !way.contains("--number"))
        .filter(|way| !way.contains("kissat"))
        .map(|way| format!("'{}'", way.split_once(' ').unwrap().1))
        .collect();
    let asked = methods.len();
    let methods = methods.join(", ");
    each(&["conflict_limit = 1", "memory_limit = '12 MiB'", "memory_limit = '40 MiB'", "cpu_limit = 0.05"], |limit| {
        let place = Place::new();
        let text = format!(
            "title = 't'\nseeds = [1]\nexpect = 'tour'\ntime_limit = 0.15\n{limit}\n\
                 questions = ['12x12']\nmethods = [{methods}]\n"
        );
        place.write("race.toml", &text);
        place.run("run race.toml -o res").exits(0);
        let statuses = statuses(&place.path("res/race.csv"));
        assert_eq!(statuses.len(), asked, "{limit}");
        for status in &statuses {
            assert!(status != "no-tour" && status != "failed", "{limit}: {statuses:?}");
        }
    });
}

#[test]
fn a_model_that_was_altered_is_never_no_tour() {
    let place = Place::new();
    for encoding in ["binary", "counting", "successor", "relaxed"] {
        let solved = place.run(&format!("solve 5x6 -e {encoding} --dimacs"));
        let answer = solved.text(10);
        let literals = answer.lines().filter_map(|line| line.strip_prefix("v ")).flat_map(str::split_whitespace);
        let literals: Vec<i32> = literals.map(|word| word.parse().unwrap()).collect();
        let (end, literals) = literals.split_last().unwrap();
        assert_eq!(*end, 0);
        let step = literals.len() / 12;
        for flipped in (0..literals.len()).step_by(step) {
            let altered = literals.iter().enumerate().map(|(k, literal)| match k {
                _ if k == flipped => -literal,
                _ => *literal,
            });
            let altered: Vec<_> = altered.map(|literal| literal.to_string()).collect();
            place.write("answer", format!("s SATISFIABLE\nv {} 0\n", altered.join(" ")));
            let args = format!("decode 5x6 -e {encoding} answer");
            let output = place.run(&args);
            does_not_say_none(&args, &output);
            // A changed answer may still contain a tour, which is checked before it is printed.
            match output.code() {
                Some(10) => assert!(output.out().contains("checked move by move")),
                code => assert_eq!(code, Some(2), "{args}: {output:?}"),
            }
        }
    }
    // The test exchanges two squares of a tour.
    let json = place.run("solve 6x6 --json").text(10);
    let mut tour: serde_json::Value = serde_json::from_str(&json).unwrap();
    tour["tour"].as_array_mut().unwrap().swap(7, 20);
    place.write("tour.json", tour.to_string());
    place.run("check tour.json").exits(1).lacks("there is no tour");
}

/// Tests that a known answer is printed even if its proof is not finished within the limit.
#[test]
fn an_answer_stays_where_its_proof_is_not_finished() {
    let folder = Place::new();
    let file = folder.path("large.drat");
    let asked = format!("solve 41x41 --cpu-limit 1 --proof {}", file.display());
    run(&asked).exits(20).notes("was not written: there is no tour");
    assert!(!file.exists());
}
