//! Guarantees of experiments: finished rows are kept, limits are enforced, and only one run is active at a time.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::*;
use crate::rows::{value, values};

/// Returns a plan of an experiment that solves small boards with `seeds` different seeds.
fn small(seeds: u32) -> String {
    let seeds: Vec<_> = (0..seeds).map(|seed| seed.to_string()).collect();
    format!(
        "title = 't'\ntime_limit = 60\nexpect = 'tour'\nseeds = [{}]\nquestions = ['3x4 open', '5x5 open from c3']\nmethods = ['binary', 'warnsdorff']\n",
        seeds.join(", ")
    )
}

/// Columns that contain measurements.
const MEASURED: [&str; 5] = ["encode_seconds", "solve_seconds", "cpu_seconds", "wall_seconds", "peak_rss_kib"];

#[test]
fn a_run_that_is_killed_again_and_again_has_each_row_once() {
    let plan = small(15);
    let undisturbed = Place::with("plan.toml", &plan);
    undisturbed.run("run plan.toml").exits(0);
    let killed = Place::with("plan.toml", &plan);
    // The run is killed after a few milliseconds, at any point from no file at all to half a row.
    let mut random: u64 = 88_172_645_463_325_252;
    for _ in 0..10 {
        let mut child = hamcnf("run plan.toml")
            .current_dir(killed.dir())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        thread::sleep(Duration::from_micros(random % 150_000));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // A kill can leave half a row, which is imitated here.
    if let Ok(text) = fs::read_to_string(killed.path("results/plan.csv.part")) {
        let half = text.lines().last().unwrap_or_default();
        killed.write("results/plan.csv.part", format!("{text}{}", &half[..half.len() / 2]));
    }
    killed.run("run plan.toml").exits(0);
    let said = |folder: &Place| -> Vec<Vec<(String, String)>> {
        let rows = values(&folder.path("results/plan.csv")).into_iter();
        rows.map(|row| {
            let pairs = row.into_iter();
            pairs.filter(|(column, _)| !MEASURED.contains(&&**column)).collect()
        })
        .collect()
    };
    let (one, other) = (said(&undisturbed), said(&killed));
    assert_eq!(one.len(), 2 * 2 * 15);
    assert_eq!(one, other);
    assert!(!killed.has("results/plan.csv.part"));
}

#[test]
fn rows_come_in_the_order_of_the_plan() {
    let folder = Place::with("plan.toml", small(3));
    folder.run("run plan.toml").exits(0);
    let all = folder.read("results/plan.csv");
    let mut lines: Vec<_> = all.lines().collect();
    // The files look as if other rows had been measured first.
    let some = [lines[0], lines[9], lines[4]].join("\n") + "\n";
    fs::rename(folder.path("results/plan.csv"), folder.path("before")).unwrap();
    folder.write("results/plan.csv.part", some);
    folder.run("run plan.toml").exits(0);
    let again = folder.read("results/plan.csv");
    let keys = |line: &str| line.split(',').take(5).collect::<Vec<_>>().join(",");
    let (mut one, two): (Vec<_>, Vec<_>) = (lines.drain(..).map(keys).collect(), again.lines().map(keys).collect());
    assert_eq!(one, two);
    one.sort();
    one.dedup();
    assert_eq!(one.len(), two.len());
    // The methods are ranked by CPU time, although only wall time has a limit.
    let report = folder.read("results/plan.md");
    assert!(report.contains("## Methods, by CPU seconds\n"), "{report}");
}

#[test]
fn two_runs_on_one_folder_exclude_each_other() {
    let folder = Place::with(
        "plan.toml",
        "title = 't'\ntime_limit = 60\nexpect = 'tour'\nseeds = [1]\n\
         questions = ['20x20']\nmethods = ['unary']\n",
    );
    let mut first = hamcnf("run plan.toml").current_dir(folder.dir()).spawn().unwrap();
    let began = Instant::now();
    while !folder.has("results/plan.machine.json.part") {
        assert!(began.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(5));
    }
    for more in ["", "--fresh"] {
        let said = folder.run(&format!("run plan.toml {more}")).refused();
        assert!(said.ends_with("plan.csv.part is being written by another run; wait until it ends"), "{said}");
    }
    // The lock is released, however the run ends.
    first.kill().unwrap();
    first.wait().unwrap();
    folder.write("plan.toml", small(1));
    folder.run("run plan.toml --fresh").exits(0);
}

/// Runs a plan with one job. Returns the record of the job and the wall time of the run.
fn worked(plan: &str) -> (Vec<Vec<(String, String)>>, Duration) {
    let folder = Place::with("plan.toml", plan);
    let began = Instant::now();
    folder.run("run plan.toml").exits(0);
    (values(&folder.path("results/plan.csv")), began.elapsed())
}

#[test]
fn a_limit_on_cpu_time_ends_a_cell() {
    // Generating the clauses takes all the time, so no solver checks the CPU limit.
    let (rows, wall) = worked(
        "title = 't'\ntime_limit = 60\ncpu_limit = 1\nexpect = 'tour'\nseeds = [1]\n\
         questions = ['60x60']\nmethods = ['unary']\n",
    );
    assert_eq!(value(&rows[0], "status"), "timeout");
    assert_eq!(value(&rows[0], "message"), "CPU time limit");
    let cpu: f64 = value(&rows[0], "cpu_seconds").parse().unwrap();
    assert!((1.0..1.3).contains(&cpu), "{cpu}");
    // The bound holds even if many processes share the processors.
    assert!(wall < Duration::from_secs(30), "{wall:?}");
    // A solver checks the CPU limit itself, so it reports its metrics.
    let (rows, _) = worked(
        "title = 't'\ntime_limit = 60\ncpu_limit = 1\nexpect = 'tour'\nseeds = [1]\n\
         questions = ['20x20']\nmethods = ['unary']\n",
    );
    assert_eq!(value(&rows[0], "message"), "CPU time limit");
    let cpu: f64 = value(&rows[0], "cpu_seconds").parse().unwrap();
    assert!((0.95..1.3).contains(&cpu), "{cpu}");
}

#[test]
fn a_limit_on_conflicts_ends_a_cell() {
    let (rows, _) = worked(
        "title = 't'\ntime_limit = 60\nconflict_limit = 100\nexpect = 'tour'\nseeds = [1]\n\
         questions = ['10x10']\nmethods = ['direct']\n",
    );
    assert_eq!(value(&rows[0], "status"), "conflict-limit");
    assert!(value(&rows[0], "statistics").starts_with("conflicts=1"), "{rows:?}");
}

#[test]
fn a_limit_on_memory_ends_a_cell() {
    let (rows, _) = worked(
        "title = 't'\ntime_limit = 120\nmemory_limit = '200M'\nexpect = 'tour'\nseeds = [1]\n\
         questions = ['24x24']\nmethods = ['direct']\n",
    );
    assert_eq!(value(&rows[0], "status"), "memout", "{rows:?}");
    let peak: u64 = value(&rows[0], "peak_rss_kib").parse().unwrap();
    let limit = 200 * 1024;
    assert!(peak <= limit / 10 * 11, "{peak} KiB");
    // Counts check the memory limit themselves, and report their metrics.
    let (rows, _) = worked(
        "title = 't'\ntime_limit = 120\nmemory_limit = '100M'\nseeds = [1]\n\
         [[questions]]\nquestion = '8x8'\nmethods = ['exact', 'zdd']\n",
    );
    for row in &rows {
        assert_eq!(value(row, "status"), "memout", "{rows:?}");
        let peak: u64 = value(row, "peak_rss_kib").parse().unwrap_or(0);
        assert!(peak <= 110 * 1024, "{peak} KiB");
    }
}

/// Tests that a run counts as ended by its memory limit, not as failed, if the limit is too small for the program to
/// start.
#[test]
fn a_limit_on_memory_that_is_too_small_to_begin_is_one() {
    let (rows, _) = worked(
        "title = 't'\ntime_limit = 60\nmemory_limit = '1M'\nexpect = 'tour'\nseeds = [1, 2, 3]\n\
         questions = ['6x6']\nmethods = ['binary', 'warnsdorff', 'auto']\n",
    );
    assert_eq!(rows.len(), 9);
    for row in &rows {
        assert_eq!(value(row, "status"), "memout", "{rows:?}");
    }
}

#[test]
fn limits_hold_for_what_a_cell_starts() {
    let folder = Place::with(
        "plan.toml",
        "title = 't'\ntime_limit = 60\ncpu_limit = 1\nseeds = [1]\n\
         [[questions]]\nquestion = '6x6'\nmethods = ['approxmc']\n",
    );
    // Three child processes use CPU time simultaneously, and none of them ends before the limit.
    let script = "#!/bin/sh\nfor k in 1 2 3; do (while :; do :; done) & done\necho $! > pid\nwait\n";
    let bin = folder.path("bin");
    fs::create_dir(&bin).unwrap();
    let make = Command::new("/bin/sh")
        .args(["-c", "cat > bin/approxmc && chmod +x bin/approxmc"])
        .current_dir(folder.dir())
        .stdin(Stdio::piped())
        .spawn();
    let mut make = make.unwrap();
    std::io::Write::write_all(&mut make.stdin.take().unwrap(), script.as_bytes()).unwrap();
    assert!(make.wait().unwrap().success());
    let temporary = folder.path("tmp");
    fs::create_dir(&temporary).unwrap();
    hamcnf("run plan.toml")
        .current_dir(folder.dir())
        .env("PATH", format!("{}:/bin:/usr/bin", bin.display()))
        .env("TMPDIR", &temporary)
        .ended()
        .exits(0);
    let rows = values(&folder.path("results/plan.csv"));
    assert_eq!(value(&rows[0], "message"), "CPU time limit");
    let cpu: f64 = value(&rows[0], "cpu_seconds").parse().unwrap();
    assert!((1.0..1.3).contains(&cpu), "{cpu}");
    // No process of the job continues, and its temporary files are gone.
    let pid = folder.read("pid");
    let stat = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let began = Instant::now();
    // A killed process disappears only after the system has scheduled it once more.
    while !stat().is_empty() && !stat().contains(") Z ") {
        assert!(began.elapsed() < Duration::from_secs(20), "{}", stat());
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

/// Tests that rows are kept, that only new runs are executed, and that rows are dropped only on request.
#[test]
fn only_what_is_added_is_run_and_no_row_is_lost_unasked() {
    let plan = |methods: &str, boards: &str, limit: u32| {
        format!("title = 't'\ntime_limit = {limit}\nquestions = [{boards}]\nmethods = [{methods}]\n")
    };
    let folder = Place::with("plan.toml", plan("'binary', 'unary'", "'5x6'", 60));
    let change = |plan: String| folder.write("plan.toml", plan);
    let lines = || {
        let all = folder.read("results/plan.csv");
        all.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let of = |text: &str| -> Vec<String> {
        let all = lines().into_iter();
        all.filter(|line| line.contains(text)).collect()
    };
    folder.run("run plan.toml").exits(0);
    let first = lines();
    // All rows exist, so nothing is run.
    let again = folder.run("run plan.toml");
    again.exits(0);
    again.notes_only("hamcnf: all rows exist already; use --fresh to run everything again\n");
    assert_eq!(lines(), first);
    // The plan has one method and one board more.
    change(plan("'binary', 'unary', 'direct'", "'5x6', '6x6'", 60));
    let added = folder.run("run plan.toml");
    added.exits(0);
    assert_eq!(added.err().matches(": tour in ").count(), 4, "{}", added.err());
    assert_eq!(lines().len(), 6);
    assert!(first.iter().all(|row| lines().contains(row)));
    // The plan has one method less. Its rows are dropped only on request.
    let before = lines();
    change(plan("'binary', 'direct', 'counting'", "'5x6', '6x6'", 60));
    let said = folder.run("run plan.toml").refused();
    assert_eq!(
        said,
        "results/plan.csv has 2 rows that would be lost: 2 by unary (not in the experiment); pass --prune to drop them and \
         keep the other 4, pass --fresh to run everything again, or choose another folder with --output"
    );
    assert_eq!(lines(), before);
    assert!(!folder.has("results/plan.csv.part"));
    folder.run("run plan.toml --prune").exits(0);
    assert_eq!(lines().len(), 6);
    assert!(of(",unary,").is_empty());
    let kept = before.iter().filter(|row| !row.contains(",unary,"));
    assert!(kept.clone().all(|row| lines().contains(row)));
    // Runs with other limits count as other runs.
    change(plan("'binary'", "'5x6'", 61));
    folder.run("run plan.toml").refuses("has 6 rows that would be lost: ");
    change(plan("'binary', 'direct', 'counting'", "'5x6', '6x6'", 61));
    folder
        .run("run plan.toml")
        .refuses("6 with the limits wall 60 s (not in the experiment); pass --prune to drop them");
    // One row comes from another build.
    change(plan("'binary', 'direct', 'counting'", "'5x6', '6x6'", 60));
    let all = folder.read("results/plan.csv");
    let commit = value(&values(&folder.path("results/plan.csv"))[0], "commit").to_owned();
    folder.write("results/plan.csv", all.replacen(&commit, "another", 1));
    folder.run("run plan.toml").refuses("has 1 row that would be lost: 1 from hamcnf 0.1.0, commit another (this is ");
    folder.run("run plan.toml --fresh").exits(0);
    assert!(of("another").is_empty());
    assert_eq!(lines().len(), 6);
}

/// Tests that a few lines of TOML add a solver as a method: in `engines.toml` beside the experiment, or in the file of
/// `--engines`.
#[test]
fn a_solver_of_ones_own_is_an_entry_of_a_few_words() {
    let folder = Place::with(
        "plan.toml",
        "title = 't'\ntime_limit = 60\nquestions = ['4x4']\nmethods = ['mysat:binary', 'unary']\n",
    );
    let script = "printf '#!/bin/sh\\necho s UNSATISFIABLE\\nexit 20\\n' > mysat && chmod +x mysat";
    let make = Command::new("/bin/sh").args(["-c", script]).current_dir(folder.dir()).status();
    assert!(make.unwrap().success());
    let write = |name: &str| {
        let entry = "[[engine]]\nname = 'mysat'\ncommand = './mysat {cnf}'\n";
        folder.write(name, entry);
    };
    folder.run("run plan.toml").refuses("unknown method \"mysat\"");
    write("engines.toml");
    folder.run("run plan.toml").exits(0);
    assert_eq!(value(&values(&folder.path("results/plan.csv"))[0], "status"), "no-tour");
    assert_eq!(value(&values(&folder.path("results/plan.csv"))[0], "solver"), "mysat of unknown version");
    // The rows can be read without the engines file.
    folder.remove("engines.toml");
    folder.run("report results").says(0, "mysat:binary");
    write("mine.toml");
    folder.run("run plan.toml --fresh --engines mine.toml").exits(0);
    let compared = folder.run("compare 4x4 --methods mysat:binary,unary --engines mine.toml --format csv");
    assert_eq!(compared.text(0).matches(",no-tour,").count(), 2);
    // If the solver program is missing, no run begins.
    let before = folder.read("results/plan.csv");
    folder.remove("mysat");
    for missing in [
        folder.run("run plan.toml --fresh --engines mine.toml"),
        folder.run("compare 4x4 -m mysat:binary --engines mine.toml"),
    ] {
        assert_eq!(
            missing.refused(),
            "the engine \"mysat\" is not installed (./mysat not found); add it to the PATH, or write its full path in the command"
        );
    }
    assert_eq!(folder.read("results/plan.csv"), before);
    for (entry, why) in [
        ("name = 'auto'\ncommand = 'x {cnf}'", "a method already has this name; choose another name"),
        (
            "name = 'a'\ncommand = 'x'",
            "the command has no input; write {cnf}, {graph} or {board} where the file name belongs",
        ),
        ("name = 3", "line 2: expected text in quotation marks, found integer \"3\""),
    ] {
        folder.write("mine.toml", format!("[[engine]]\n{entry}\n"));
        folder.run("compare 4x4 --engines mine.toml").refuses(why);
    }
}

/// Tests that an external counter and its child process end with this program, even if this program is killed.
#[test]
fn a_model_counter_ends_with_a_program_that_is_killed() {
    let folder = Place::with("plan.toml", "");
    let script = "mkdir bin && printf '#!/bin/sh\\nsleep 300 &\\necho $$ $! > pids\\nwait\\n' > bin/approxmc && chmod +x bin/approxmc";
    let make = Command::new("/bin/sh").args(["-c", script]).current_dir(folder.dir()).status();
    assert!(make.unwrap().success());
    let mut child = hamcnf("count 5x6 --method approxmc")
        .current_dir(folder.dir())
        .env("PATH", format!("{}:/bin:/usr/bin", folder.path("bin").display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    let pids = || fs::read_to_string(folder.path("pids")).unwrap_or_default();
    while !pids().ends_with('\n') {
        assert!(began.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(5));
    }
    // On a loaded machine, the counter may write its IDs before the process that kills orphans knows the counter's
    // process group (src/process/orphans.rs).
    thread::sleep(Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    for pid in pids().split_whitespace() {
        let stat = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        while !stat().is_empty() && !stat().contains(") Z ") {
            assert!(began.elapsed() < Duration::from_secs(60), "{}", stat());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Tests that refused questions are asked again once the missing program is installed, and that rows of two versions of
/// the program are not mixed.
#[test]
fn other_programs_may_come_and_change() {
    let folder = Place::with(
        "plan.toml",
        "title = 't'\ntime_limit = 60\nexpect = 'no-tour'\nseeds = [1]\n\
         questions = ['4x4']\nmethods = ['kissat:binary']\n",
    );
    let bin = folder.path("bin");
    fs::create_dir(&bin).unwrap();
    let run = || {
        let mut command = hamcnf("run plan.toml");
        command.current_dir(folder.dir());
        command.env("PATH", format!("{}:/bin:/usr/bin", bin.display()));
        command.ended()
    };
    let kissat = |version: &str| {
        let script =
            format!("#!/bin/sh\ncase $1 in --version) echo {version} ;; *) echo 's UNSATISFIABLE'; exit 20 ;; esac\n");
        let mut make = Command::new("/bin/sh")
            .args(["-c", "cat > bin/kissat && chmod +x bin/kissat"])
            .current_dir(folder.dir())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut make.stdin.take().unwrap(), script.as_bytes()).unwrap();
        assert!(make.wait().unwrap().success());
    };
    // Makes the files look as if the run had been interrupted after its row.
    let interrupted = || {
        for ending in ["csv", "machine.json"] {
            let part = folder.path(format!("results/plan.{ending}.part"));
            fs::rename(folder.path(format!("results/plan.{ending}")), part).unwrap();
        }
    };
    assert!(run().refused().starts_with("the engine \"kissat\" is not installed (kissat not found); "));
    kissat("4.0.1");
    run().exits(0);
    let rows = values(&folder.path("results/plan.csv"));
    assert_eq!((value(&rows[0], "status"), value(&rows[0], "solver")), ("no-tour", "kissat 4.0.1"));
    interrupted();
    kissat("4.0.2");
    let said = run().refused();
    assert!(
        said.ends_with(
            "plan.csv.part has 1 row that would be lost: 1 from kissat 4.0.1 (the version here is kissat 4.0.2); pass --prune to drop them, pass --fresh to run everything again, or choose another folder with --output"
        ),
        "{said}"
    );
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = Place::with("plan.toml", small(20));
    // A limit on the size of files has the same effect as a full disk.
    let output = Command::new("/bin/sh")
        .args(["-c", "ulimit -f 4; trap '' XFSZ; exec \"$0\" run -q plan.toml"])
        .arg(env!("CARGO_BIN_EXE_hamcnf"))
        .current_dir(folder.dir())
        .ended();
    output.refused_with("cannot write results/plan.csv.part: ");
    let part = folder.read("results/plan.csv.part");
    assert!(part.ends_with('\n') && part.lines().count() > 3, "{part}");
    let first: Vec<_> = part.lines().map(str::to_owned).collect();
    folder.run("run plan.toml").exits(0);
    let all = folder.read("results/plan.csv");
    assert_eq!(all.lines().count(), 1 + 2 * 2 * 20);
    assert!(first.iter().all(|line| all.contains(line.as_str())));
}

#[test]
fn what_failed_is_said_and_run_again() {
    let folder = Place::with(
        "plan.toml",
        "title = 't'\ntime_limit = 60\nexpect = 'tour'\nseeds = [1]\n\
         questions = ['ring.txt', '6x6']\nmethods = ['binary']\n",
    );
    let ring = folder.path("ring.txt");
    fs::write(&ring, "1 2\n2 3\n3 4\n4 1\n").unwrap();
    // A board replaces the graph's file in the experiment before its first run.
    let plan = folder.read("plan.toml");
    let fifo = plan.replace("'ring.txt'", "'6x6 from b1'");
    folder.write("plan.toml", fifo);
    folder.run("run plan.toml").exits(0);
    assert_eq!(values(&folder.path("results/plan.csv")).len(), 2);
}

#[test]
fn a_program_of_somebody_else_is_a_method() {
    let folder = Place::with(
        "plan.toml",
        "title = 't'\ntime_limit = 600\n[[questions]]\nquestion = '4x4'\n\
         methods = ['kissat:binary', 'binary', 'cryptominisat5:direct']\n",
    );
    let make = "mkdir bin && cat > bin/kissat && chmod +x bin/kissat";
    let mut make =
        Command::new("/bin/sh").args(["-c", make]).current_dir(folder.dir()).stdin(Stdio::piped()).spawn().unwrap();
    let script = "#!/bin/sh\ncase $* in *--version*) echo 4.0.9 ;; *) echo 's UNSATISFIABLE'; exit 20 ;; esac\n";
    std::io::Write::write_all(&mut make.stdin.take().unwrap(), script.as_bytes()).unwrap();
    assert!(make.wait().unwrap().success());
    let offline = || {
        let mut command = hamcnf("run plan.toml --offline");
        command.current_dir(folder.dir());
        command.env("PATH", folder.path("bin"));
        command.ended()
    };
    // A missing solver program is reported before anything runs.
    assert_eq!(
        offline().refused(),
        "the engine \"cryptominisat5\" is not installed (cryptominisat5 not found); Debian: apt-get install cryptominisat"
    );
    assert!(!folder.has("results/plan.csv") && !folder.has("results/plan.csv.part"));
    let plan = folder.path("plan.toml");
    let without = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, without.replace(", 'cryptominisat5:direct'", "")).unwrap();
    let output = offline();
    output.exits(0);
    let rows = values(&folder.path("results/plan.csv"));
    let said = |k: usize| [value(&rows[k], "status"), value(&rows[k], "solver")];
    assert_eq!(said(0), ["no-tour", "kissat 4.0.9"]);
    assert_eq!(said(1)[0], "no-tour");
    assert_eq!(value(&rows[0], "clauses"), value(&rows[1], "clauses"));
}

#[test]
fn a_question_is_one_word_or_its_options() {
    let word = run("tour '8x8 open from c3' --json").json(10);
    assert_eq!(word["tour"], run("tour 8x8 --open --start c3 --json").json(10)["tour"]);
    let anywhere = run("count 3x4 --open --json").json(0);
    assert_eq!(anywhere["question"], "3x4 open from anywhere");
    let mut word = run("count '3x4 open from anywhere' --json").json(0);
    for measured in ["peak_rss_kib", "cpu_seconds", "wall_seconds"] {
        word[measured] = anywhere[measured].clone();
    }
    assert_eq!(anywhere, word);
}

#[test]
fn the_graphs_of_a_folder_are_raced_beside_times_from_elsewhere() {
    let folder = Place::with(
        "plan.toml",
        "title = 't'\ntime_limit = 20\nmethods = ['auto', 'decomposition', 'two-factor', 'binary']\n",
    );
    let graphs = folder.path("graphs");
    fs::create_dir(&graphs).unwrap();
    for (name, word) in [("graph10.col", "petersen:7:2"), ("graph9.hcp", "petersen"), ("graph2.txt.gz", "grid:4x4")] {
        run_in(&graphs, &format!("graph {word} -o {name}")).exits(0);
    }
    fs::write(graphs.join("README"), "Three graphs.\n").unwrap();
    folder.write("times.csv", "instance,other,third\ngraph2,0.5,21\ngraph9,TO,\ngraph11,1,1\n");
    let said = folder.run("run plan.toml").refused();
    assert_eq!(said, "plan.toml: no questions: list them in the file, or pass a folder of graphs with --graphs FOLDER");
    let output = folder.run("run plan.toml --graphs graphs --times times.csv");
    let report = output.text(0);
    output.notes("skipping graphs/README: ");
    let rows = values(&folder.path("results/plan.csv"));
    assert_eq!(rows.len(), 3 * 4);
    let questions = rows.iter().step_by(4).map(|row| value(row, "question"));
    assert_eq!(questions.collect::<Vec<_>>(), ["graphs/graph2.txt.gz", "graphs/graph9.hcp", "graphs/graph10.col"]);
    assert_eq!(value(&rows[4], "status"), "no-tour");
    let line = |name: &str| {
        let line = report.lines().find(|line| line.starts_with(&format!("| {name} ")));
        let cells = line.unwrap().split('|').map(str::trim);
        cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(line("auto")[1], "3/3");
    assert_eq!(line("binary")[1], "3/3");
    // One of two questions was answered. The time for the other question exceeds the limit of this experiment.
    assert_eq!(line("other *")[1..], ["1/2", "1", "20.2", "3.16", "0.500"]);
    assert_eq!(line("third *")[1..], ["0/1", "1", "40.0", "20.0"]);
    assert_eq!(line("graph9.hcp")[1..3], ["10", "no tour"]);
    assert_eq!(line("graph2.txt.gz").last(), Some(&"timeout"));
    // A report without a run contains the same text.
    folder.run("run plan.toml --report --graphs graphs --times times.csv").prints(0, report);
    for (more, message) in [
        ("--graphs none", "plan.toml: cannot read none: "),
        ("--graphs graphs --times plan.toml", "plan.toml: plan.toml: "),
    ] {
        folder.run(&format!("run plan.toml {more}")).refused_with(message);
    }
    folder.write("plan.toml", small(1));
    folder.run("run plan.toml --graphs graphs").refuses("the file already has questions; remove --graphs");
}
