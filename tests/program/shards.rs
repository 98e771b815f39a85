//! Experiments in shards: each job is in exactly one shard, and all shards together give the same result as a run of
//! the whole experiment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::command::{hamcnf, refused, run_in, stderr, stdout, text};
use crate::processes::soon;
use crate::rows::{said, values};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Folder with an experiment and its results.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(plan: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("plan.toml"), plan).unwrap();
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn run(&self, args: &str) -> Output {
        run_in(self.path(), args)
    }

    /// Returns a folder in which all `of` shards of a plan have run.
    fn in_shards(plan: &str, of: u32) -> Self {
        let folder = Self::with(plan);
        for k in 1..=of {
            text(&folder.run(&format!("run plan.toml --shard {k}/{of}")), 0);
        }
        folder
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join("results").join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path().join("results")).unwrap();
        fs::write(self.file(name), text).unwrap();
    }

    fn change(&self, name: &str, change: impl FnOnce(String) -> String) {
        self.write(name, &change(self.read(name)));
    }

    /// Returns the names of all files in the folder `results`.
    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.path().join("results")).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Returns the reasons why the shards cannot be merged, after checking that the attempt changed no file.
    #[track_caller]
    fn not_merged(&self) -> Vec<String> {
        let before: Vec<_> = self.names().iter().map(|name| self.read(name)).collect();
        let output = self.run("merge plan.toml");
        assert_eq!(text(&output, 1), "");
        let after: Vec<_> = self.names().iter().map(|name| self.read(name)).collect();
        assert_eq!(before, after);
        let said = stderr(&output);
        let lines = said.lines().map(|line| line.strip_prefix("hamcnf: ").unwrap());
        lines.map(str::to_owned).collect()
    }
}

/// Plan that solves small boards, with 12 jobs.
const SMALL: &str = "title = 't'\ntime_limit = 60\nexpect = 'tour'\nseeds = [1, 2, 3]\n\
     questions = ['3x4 open from a1', '5x5 open from c3']\nmethods = ['binary', 'warnsdorff']\n";

/// Indices of columns. They are valid for rows without a comma in an earlier column.
const COMMIT: usize = 21;
const SOLVER: usize = 22;
const MACHINE: usize = 23;

fn column(row: &str, at: usize) -> String {
    row.split(',').nth(at).unwrap().to_owned()
}

#[test]
fn a_plan_lists_the_jobs_of_a_run_in_order() {
    let folder = Folder::with(SMALL);
    text(&folder.run("run plan.toml"), 0);
    let rows = values(&folder.file("plan.csv"));
    let listed = text(&folder.run("run plan.toml --dry-run --format csv"), 0);
    let jobs: Vec<_> = listed.lines().skip(1).collect();
    assert_eq!(jobs.len(), 12);
    for (k, (job, row)) in jobs.iter().zip(&rows).enumerate() {
        let of = |name: &str| row.iter().find(|(head, _)| head == name).unwrap().1.clone();
        let all = [of("question"), of("graph_crc32"), of("method"), of("seed"), of("wall_limit")];
        assert_eq!(*job, format!("{},{},,,", k + 1, all.join(",")));
    }
    let table = text(&folder.run("run plan.toml --dry-run"), 0);
    assert!(table.ends_with("\n12 jobs, at most 12m in total\n"), "{table}");
    assert!(table.contains("60 s of wall time"), "{table}");
    let markdown = text(&folder.run("run plan.toml --dry-run --format markdown --shard 5/5"), 0);
    assert!(markdown.starts_with("| job "), "{markdown}");
    assert!(markdown.ends_with("\n2 jobs, at most 2m in total\n"));
    let json = text(&folder.run("run plan.toml --dry-run --shard 2/5 --json"), 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let numbers: Vec<_> = json.as_array().unwrap().iter().map(|job| &job["number"]).collect();
    assert_eq!(numbers, [2, 7, 12]);
    assert_eq!(json[0]["wall_limit"], 60.0);
    // Each job is in exactly one shard.
    let mut parts: Vec<_> = (1..=5)
        .flat_map(|k| {
            let part = text(&folder.run(&format!("run plan.toml --dry-run --format csv --shard {k}/5")), 0);
            part.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    parts.sort_by_key(|job| column(job, 0).parse::<u32>().unwrap());
    assert_eq!(parts, jobs);
    fs::write(folder.path().join("sizes.toml"), "title = 't'\nquestions = ['6x6']\nmethods = ['size:binary']\n")
        .unwrap();
    let sizes = text(&folder.run("run sizes.toml --dry-run"), 0);
    assert!(sizes.ends_with("\n1 job, no time limit\n"), "{sizes}");
}

#[test]
fn shards_at_one_time_are_merged_to_what_a_whole_run_gives() {
    let whole = Folder::with(SMALL);
    text(&whole.run("run plan.toml"), 0);
    let folder = Folder::with(SMALL);
    let script = "seq 4 | xargs -P2 -I{} \"$0\" run plan.toml --shard {}/4";
    let ran = Command::new("/bin/sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_hamcnf")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(0), "{}", stderr(&ran));
    let printed = text(&folder.run("merge plan.toml"), 0);
    assert_eq!(said(&whole.file("plan.csv")), said(&folder.file("plan.csv")));
    let report = folder.read("plan.md");
    assert_eq!(printed, format!("{report}\nRows: results/plan.csv\n"));
    assert!(!report.contains("machines"), "{report}");
    let lines = |report: &str| report.lines().count();
    assert_eq!(lines(&report), lines(&whole.read("plan.md")));
    let machine: serde_json::Value = serde_json::from_str(&folder.read("plan.machine.json")).unwrap();
    assert!(machine.get("others").is_none());
    // The files of the shards are kept until the user removes them. A shard has no report.
    assert_eq!(folder.names().len(), 4 + 4 * 3);
    text(&folder.run("merge plan.toml --remove-shards"), 0);
    assert_eq!(folder.names(), ["plan.csv", "plan.machine.json", "plan.md", "plan.tours.jsonl"]);
    text(&folder.run("run plan.toml --report"), 0);
}

#[test]
fn a_complete_shard_is_not_run_again_unless_it_is_asked_for() {
    let folder = Folder::with(SMALL);
    text(&folder.run("run plan.toml --shard 1/4"), 0);
    let before = folder.read("plan.shard-1-of-4.csv");
    let again = text(&folder.run("run plan.toml --shard 1/4"), 0);
    assert_eq!(again, "Shard 1/4 is complete. Rows: results/plan.shard-1-of-4.csv\n");
    assert_eq!(folder.read("plan.shard-1-of-4.csv"), before);
    text(&folder.run("run plan.toml --shard 1/4 --fresh"), 0);
    assert_ne!(folder.read("plan.shard-1-of-4.csv"), before);
    let commit = column(before.lines().nth(1).unwrap(), COMMIT);
    folder.change("plan.shard-1-of-4.csv", |text| text.replace(&commit, "another"));
    let said = refused(&folder.run("run plan.toml --shard 1/4"));
    assert!(
        said.starts_with(
            "results/plan.shard-1-of-4.csv has 3 rows that would be lost: 3 from hamcnf 0.1.0, commit another (this is"
        ),
        "{said}"
    );
}

#[test]
fn no_shard_is_refused() {
    let folder = Folder::with(SMALL);
    for wrong in ["0/4", "5/4", "1/0", "1", "a/4"] {
        for option in ["", " --dry-run"] {
            let said = refused(&folder.run(&format!("run plan.toml --shard {wrong}{option}")));
            assert!(said.contains("write K/N") && said.contains(wrong), "{said}");
        }
    }
    refused(&folder.run("run plan.toml --shard 1/4 --report"));
}

#[test]
fn more_shards_than_jobs_are_merged_without_those_that_have_none() {
    let plan = SMALL.replace("[1, 2, 3]", "[1]").replace(", 'warnsdorff'", "");
    let folder = Folder::in_shards(&plan, 2);
    text(&folder.run("merge plan.toml --remove-shards"), 0);
    for k in [1, 2, 4] {
        text(&folder.run(&format!("run plan.toml --shard {k}/4")), 0);
    }
    text(&folder.run("merge plan.toml"), 0);
}

#[test]
fn what_is_missing_is_said() {
    let folder = Folder::with(SMALL);
    assert_eq!(folder.run("merge plan.toml").status.code(), Some(1));
    for k in [1, 3] {
        text(&folder.run(&format!("run plan.toml --shard {k}/4")), 0);
    }
    assert_eq!(
        folder.not_merged(),
        [
            "shard 2/4 is missing: run it with `hamcnf run FILE --shard 2/4`",
            "shard 4/4 is missing: run it with `hamcnf run FILE --shard 4/4`"
        ]
    );
    // One shard was begun, but not finished.
    text(&folder.run("run plan.toml --shard 2/4"), 0);
    let rows = folder.read("plan.shard-2-of-4.csv");
    let begun: Vec<_> = rows.lines().take(2).collect();
    fs::remove_file(folder.file("plan.shard-2-of-4.csv")).unwrap();
    folder.write("plan.shard-2-of-4.csv.part", &(begun.join("\n") + "\n3,half"));
    assert_eq!(
        folder.not_merged(),
        [
            "shard 2/4 is unfinished: 2 of 3 rows are missing; run the shard again",
            "shard 4/4 is missing: run it with `hamcnf run FILE --shard 4/4`"
        ]
    );
    text(&folder.run("run plan.toml --shard 2/4"), 0);
    text(&folder.run("run plan.toml --shard 4/4"), 0);
    text(&folder.run("merge plan.toml"), 0);
    // The finished row of the shard was kept.
    assert!(folder.read("plan.csv").contains(begun[1]));
}

#[test]
fn shards_that_are_no_whole_are_refused() {
    let folder = Folder::in_shards(SMALL, 2);
    let names = ["plan.shard-1-of-2.csv", "plan.shard-2-of-2.csv"];
    let [one, two] = names.map(|name| folder.read(name));
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    // The files belong to shards with two different totals.
    text(&folder.run("run plan.toml --shard 3/3"), 0);
    assert_eq!(folder.not_merged(), ["shards K/2 and shards K/3 are mixed in results; remove the unwanted files"]);
    for ending in ["csv", "machine.json"] {
        fs::remove_file(folder.file(&format!("plan.shard-3-of-3.{ending}"))).unwrap();
    }
    // The shards overlap: the second shard contains a row of the first.
    folder.write(names[1], &format!("{two}{}\n", lines(&one)[1]));
    // An overlap is accepted, because the row may have been in the second shard before the experiment was changed.
    text(&folder.run("merge plan.toml"), 0);
    folder.write(names[1], &format!("{two}{}\n", lines(&two)[1]));
    assert!(folder.not_merged()[0].ends_with(" occurs twice"));
    folder.write(names[1], &(lines(&two)[..6].join("\n") + "\n"));
    assert_eq!(folder.not_merged(), ["shard 2/2 is unfinished: 1 of 6 rows are missing; run the shard again"]);
    folder.write(names[1], &two.replace(",60.0,", ",61.0,"));
    assert!(folder.not_merged()[0].contains(" is not in the experiment; run the shard with --prune"));
    folder.write(names[1], "other\n");
    assert!(folder.not_merged()[0].contains("plan.shard-2-of-2.csv: the columns differ"));
    // Rows come from another build: one row, all rows, and all rows together with the description of their machine.
    let commit = column(&lines(&two)[1], COMMIT);
    for many in [1, 6] {
        folder.write(names[1], &two.replacen(&commit, "another", many));
        let said = folder.not_merged();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("results/plan.shard-2-of-2.csv was made by hamcnf 0.1.0, commit another, but results/plan.shard-1-of-2.csv by hamcnf 0.1.0, commit "),
            "{said:?}"
        );
    }
    folder.change("plan.shard-2-of-2.machine.json", |text| text.replace(&commit, "another"));
    assert_eq!(folder.not_merged().len(), 1);
    folder.change("plan.shard-2-of-2.machine.json", |text| text.replace("another", &commit));
    let solver = column(&lines(&two)[1], SOLVER);
    assert!(solver.starts_with("cadical"), "{solver}");
    folder.write(names[1], &two.replace(&solver, "cadical-0.1"));
    assert!(folder.not_merged()[0].contains(" was made by cadical-0.1, but "));
    folder.write(names[1], &two);
    // Results of another experiment with the same name are kept.
    let other = Folder::with(&SMALL.replace("60", "59"));
    text(&other.run("run plan.toml"), 0);
    for name in other.names() {
        fs::copy(other.file(&name), folder.file(&name)).unwrap();
    }
    let said = refused(&folder.run("merge plan.toml"));
    assert!(
        said.starts_with("results/plan.csv has 12 rows that would be lost: ") && said.contains("--fresh"),
        "{said}"
    );
    text(&folder.run("merge plan.toml --fresh"), 0);
}

/// Tests that only an added method runs, although jobs move between shards, and that the rows of a removed method are
/// dropped only on request.
#[test]
fn an_experiment_in_shards_may_change() {
    let less = SMALL.replace(", 'warnsdorff'", "");
    let folder = Folder::in_shards(&less, 2);
    let change = |plan: &str| fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let run = |more: &str| -> Vec<String> {
        let both = (1..=2).map(|k| folder.run(&format!("run plan.toml --shard {k}/2 {more}")));
        both.map(|output| {
            text(&output, 0);
            stderr(&output)
        })
        .collect()
    };
    let names = ["plan.shard-1-of-2.csv", "plan.shard-2-of-2.csv"];
    let first = names.map(|name| folder.read(name)).concat();
    change(SMALL);
    let said = folder.not_merged();
    assert!(said.iter().all(|line| line.contains(" is unfinished: ")), "{said:?}");
    assert_eq!(said.len(), 2);
    assert_eq!(run("").concat().matches("warnsdorff").count(), 6);
    text(&folder.run("merge plan.toml"), 0);
    let rows = first.lines().filter(|line| line.starts_with("3,"));
    assert_eq!(rows.clone().count(), 6);
    let whole = folder.read("plan.csv");
    assert!(rows.clone().all(|row| whole.lines().any(|line| line == row)));
    // The added method is removed again.
    change(&less);
    assert!(folder.not_merged()[0].contains(" is not in the experiment; run the shard with --prune"));
    let said = refused(&folder.run("run plan.toml --shard 1/2"));
    assert!(said.contains(" by warnsdorff (not in the experiment); pass --prune"), "{said}");
    assert_eq!(run("--prune").concat(), "");
    let said = refused(&folder.run("merge plan.toml"));
    assert!(said.starts_with("results/plan.csv has 6 rows that would be lost: "), "{said}");
    text(&folder.run("merge plan.toml --fresh"), 0);
    let whole = folder.read("plan.csv");
    assert_eq!(whole.lines().count(), 7);
    assert!(rows.clone().all(|row| whole.lines().any(|line| line == row)));
}

/// Tests that a failed job leaves its shard unfinished, keeps its row, and is the only job that runs again.
#[test]
fn failed_jobs_are_said_and_run_again() {
    let folder = Folder::in_shards(SMALL, 2);
    let rows = folder.read("plan.shard-1-of-2.csv");
    let whole = rows.clone();
    fs::remove_file(folder.file("plan.shard-1-of-2.csv")).unwrap();
    let line = rows.lines().nth(2).unwrap();
    let failed = line.replacen(",tour,,", ",failed,,no memory", 1);
    assert_ne!(failed, line);
    folder.write("plan.shard-1-of-2.csv.part", &rows.replace(line, &failed));
    fs::copy(folder.file("plan.shard-1-of-2.machine.json"), folder.file("plan.shard-1-of-2.machine.json.part"))
        .unwrap();
    let said = folder.not_merged();
    assert_eq!(said[0], "shard 1/2 is unfinished: 1 of 6 rows are missing; run the shard again");
    assert_eq!(said[1], "shard 1/2: 3x4 open from a1, binary, seed 3, wall 60 s failed: no memory");
    assert_eq!(said.len(), 2);
    text(&folder.run("run plan.toml --shard 1/2"), 0);
    text(&folder.run("merge plan.toml"), 0);
    let now = folder.read("plan.shard-1-of-2.csv");
    let same = now.lines().filter(|row| whole.lines().any(|old| old == *row));
    assert_eq!(same.count(), 6);
}

/// Tests that a shard can continue on another machine, that merging reports the machines, and that a run without shards
/// accepts rows of one machine only.
#[test]
fn machines_may_differ_and_are_said() {
    let folder = Folder::in_shards(SMALL, 2);
    let rows = folder.read("plan.shard-2-of-2.csv");
    let begun = rows.lines().take(3).collect::<Vec<_>>().join("\n") + "\n";
    let id = column(begun.lines().nth(1).unwrap(), MACHINE);
    // Makes the shard look as if it had been begun on a machine with another processor.
    let machine = folder.read("plan.shard-2-of-2.machine.json");
    let mut there: serde_json::Value = serde_json::from_str(&machine).unwrap();
    there["processor"] = "Abacus".into();
    there["date"] = "2020-01-01T00:00:00Z".into();
    let of = |key: &str| match &there[key] {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let memory: f64 = of("memory_gib").parse().unwrap();
    let said = format!("{}|{}|{memory}|{}", of("processor"), of("processors"), of("system"));
    let mut crc = flate2::Crc::new();
    crc.update(said.as_bytes());
    let other = format!("{:08x}", crc.sum());
    for ending in ["csv", "machine.json"] {
        fs::remove_file(folder.file(&format!("plan.shard-2-of-2.{ending}"))).unwrap();
    }
    folder.write("plan.shard-2-of-2.csv.part", &begun.replace(&id, &other));
    folder.write("plan.shard-2-of-2.machine.json.part", &there.to_string());
    text(&folder.run("run plan.toml --shard 2/2"), 0);
    let merged = folder.run("merge plan.toml");
    assert_eq!(merged.status.code(), Some(0));
    assert_eq!(stderr(&merged), "hamcnf: the rows come from 2 machines: do not compare their times\n");
    let rows = folder.read("plan.csv");
    assert_eq!(rows.matches(&format!(",{other}\n")).count(), 2);
    let machine: serde_json::Value = serde_json::from_str(&folder.read("plan.machine.json")).unwrap();
    assert_eq!(machine["processor"], "Abacus");
    assert_eq!(machine["others"].as_array().unwrap().len(), 1);
    let report = folder.read("plan.md");
    assert!(report.contains("Abacus, ") && report.contains("The rows come from 2 machines"), "{report}");
    assert_eq!(text(&folder.run("run plan.toml --report"), 0), stdout(&merged));
    // All rows of a run without shards must come from one machine.
    folder.write("plan.csv.part", &begun.replace(&id, &other));
    let said = refused(&folder.run("run plan.toml"));
    assert!(said.contains("2 rows that would be lost: 2 from another machine; "), "{said}");
    // A shard does not continue with another build.
    let commit = column(begun.lines().nth(1).unwrap(), COMMIT);
    fs::remove_file(folder.file("plan.shard-2-of-2.csv")).unwrap();
    folder.write("plan.shard-2-of-2.csv.part", &begun.replace(&commit, "another"));
    let said = refused(&folder.run("run plan.toml --shard 2/2"));
    assert!(said.contains("from hamcnf 0.1.0, commit another (this is"), "{said}");
}

/// Starts the first shard. Waits for its first three rows and for the worker of the next row. Returns the started
/// process, and the process ID of the worker.
fn begun(folder: &Folder) -> (Child, Pid) {
    let child = hamcnf("run plan.toml --shard 1/2")
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let part = folder.file("plan.shard-1-of-2.csv.part");
    let rows = || fs::read_to_string(&part).unwrap_or_default().lines().count();
    assert!(soon(|| rows() == 4));
    let children = format!("/proc/{0}/task/{0}/children", child.id());
    let mut worker: Option<i32> = None;
    let found = soon(|| {
        let text = fs::read_to_string(&children).unwrap_or_default();
        worker = text.split_whitespace().next().and_then(|pid| pid.parse().ok());
        worker.is_some()
    });
    assert!(found);
    // Waits until the worker has installed its signal handlers.
    thread::sleep(Duration::from_millis(500));
    (child, Pid::from_raw(worker.unwrap()))
}

#[test]
fn an_interrupted_shard_keeps_its_rows() {
    // The second question has no answer within the time limit.
    let plan = SMALL.replace("'5x5 open from c3'", "'24x24'").replace("binary", "unary");
    let folder = Folder::with(&plan);
    let rows = || folder.read("plan.shard-1-of-2.csv.part");
    let number = |child: &Child| Pid::from_raw(child.id().try_into().unwrap());
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let (child, _) = begun(&folder);
        kill(number(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(128 + signal as i32));
        let said = stderr(&output);
        let last = said.lines().last().unwrap();
        assert!(last.contains("interrupted: ") && last.contains("plan.toml --shard 1/2"), "{said}");
        assert_eq!(rows().lines().count(), 4);
    }
    // If all processes of a task receive a signal, no job counts as failed, whichever process receives the signal
    // first.
    let (mut child, worker) = begun(&folder);
    kill(worker, Signal::SIGTERM).unwrap();
    thread::sleep(Duration::from_millis(20));
    kill(number(&child), Signal::SIGTERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(rows().lines().count(), 4);
}

#[test]
fn the_help_has_examples() {
    for command in ["run", "merge", "submit"] {
        let help = text(&crate::command::run(&format!("{command} --help")), 0);
        assert!(help.contains(&format!("Examples:\n  hamcnf {command} experiments/")), "{help}");
    }
    assert!(text(&crate::command::run("run --help"), 0).contains("--shard {}/4"));
}
