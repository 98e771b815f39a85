//! Experiments in shards: each job is in exactly one shard, and all shards together give the same result as a run of
//! the whole experiment.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::command::*;
use crate::processes::soon;
use crate::rows::{said, values};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Returns a folder in which all `of` shards of a plan have run.
fn in_shards(plan: &str, of: u32) -> Place {
    let place = Place::with("plan.toml", plan);
    for k in 1..=of {
        place.run(&format!("run plan.toml --shard {k}/{of}")).exits(0);
    }
    place
}

fn change(place: &Place, name: &str, change: impl FnOnce(String) -> String) {
    place.write(name, change(place.read(name)));
}

/// Returns the reasons why the shards cannot be merged, after checking that the attempt changed no file.
#[track_caller]
fn not_merged(place: &Place) -> Vec<String> {
    let files = || place.names("results").iter().map(|name| place.read(format!("results/{name}"))).collect::<Vec<_>>();
    let before = files();
    let output = place.run("merge plan.toml");
    output.prints(1, "");
    assert_eq!(before, files());
    let said = output.err();
    said.lines().map(|line| line.strip_prefix("hamcnf: ").unwrap().to_owned()).collect()
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
    let folder = Place::with("plan.toml", SMALL);
    folder.run("run plan.toml").exits(0);
    let rows = values(&folder.path("results/plan.csv"));
    let listed = folder.run("run plan.toml --dry-run --format csv").text(0);
    let jobs: Vec<_> = listed.lines().skip(1).collect();
    assert_eq!(jobs.len(), 12);
    for (k, (job, row)) in jobs.iter().zip(&rows).enumerate() {
        let of = |name: &str| row.iter().find(|(head, _)| head == name).unwrap().1.clone();
        let all = [of("question"), of("graph_crc32"), of("method"), of("seed"), of("wall_limit")];
        assert_eq!(*job, format!("{},{},,,", k + 1, all.join(",")));
    }
    // Each job is in exactly one shard.
    let mut parts: Vec<_> = (1..=5)
        .flat_map(|k| {
            let part = folder.run(&format!("run plan.toml --dry-run --format csv --shard {k}/5")).text(0);
            part.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    parts.sort_by_key(|job| column(job, 0).parse::<u32>().unwrap());
    assert_eq!(parts, jobs);
}

#[test]
fn shards_at_one_time_are_merged_to_what_a_whole_run_gives() {
    let whole = Place::with("plan.toml", SMALL);
    whole.run("run plan.toml").exits(0);
    let folder = Place::with("plan.toml", SMALL);
    let script = "seq 4 | xargs -P2 -I{} \"$0\" run plan.toml --shard {}/4";
    let ran =
        Command::new("/bin/sh").args(["-c", script, env!("CARGO_BIN_EXE_hamcnf")]).current_dir(folder.dir()).ended();
    ran.exits(0);
    let printed = folder.run("merge plan.toml").text(0);
    assert_eq!(said(&whole.path("results/plan.csv")), said(&folder.path("results/plan.csv")));
    let report = folder.read("results/plan.md");
    assert_eq!(printed, format!("{report}\nRows: results/plan.csv\n"));
    assert!(!report.contains("machines"), "{report}");
    let lines = |report: &str| report.lines().count();
    assert_eq!(lines(&report), lines(&whole.read("results/plan.md")));
    let machine: serde_json::Value = serde_json::from_str(&folder.read("results/plan.machine.json")).unwrap();
    assert!(machine.get("others").is_none());
    // The files of the shards are kept until the user removes them. A shard has no report.
    assert_eq!(folder.names("results").len(), 4 + 4 * 3);
    folder.run("merge plan.toml --remove-shards").exits(0);
    assert_eq!(folder.names("results"), ["plan.csv", "plan.machine.json", "plan.md", "plan.tours.jsonl"]);
    folder.run("run plan.toml --report").exits(0);
}

#[test]
fn a_complete_shard_is_not_run_again_unless_it_is_asked_for() {
    let folder = Place::with("plan.toml", SMALL);
    folder.run("run plan.toml --shard 1/4").exits(0);
    let before = folder.read("results/plan.shard-1-of-4.csv");
    folder.run("run plan.toml --shard 1/4").prints(0, "Shard 1/4 is complete. Rows: results/plan.shard-1-of-4.csv\n");
    assert_eq!(folder.read("results/plan.shard-1-of-4.csv"), before);
    folder.run("run plan.toml --shard 1/4 --fresh").exits(0);
    assert_ne!(folder.read("results/plan.shard-1-of-4.csv"), before);
    let commit = column(before.lines().nth(1).unwrap(), COMMIT);
    change(&folder, "results/plan.shard-1-of-4.csv", |text| text.replace(&commit, "another"));
    folder.run("run plan.toml --shard 1/4").refused_with(
        "results/plan.shard-1-of-4.csv has 3 rows that would be lost: 3 from hamcnf 0.1.0, commit another (this is",
    );
}

#[test]
fn more_shards_than_jobs_are_merged_without_those_that_have_none() {
    let plan = SMALL.replace("[1, 2, 3]", "[1]").replace(", 'warnsdorff'", "");
    let folder = in_shards(&plan, 2);
    folder.run("merge plan.toml --remove-shards").exits(0);
    for k in [1, 2, 4] {
        folder.run(&format!("run plan.toml --shard {k}/4")).exits(0);
    }
    folder.run("merge plan.toml").exits(0);
}

#[test]
fn what_is_missing_is_said() {
    let folder = Place::with("plan.toml", SMALL);
    folder.run("merge plan.toml").exits(1);
    for k in [1, 3] {
        folder.run(&format!("run plan.toml --shard {k}/4")).exits(0);
    }
    assert_eq!(
        not_merged(&folder),
        [
            "shard 2/4 is missing: run it with `hamcnf run FILE --shard 2/4`",
            "shard 4/4 is missing: run it with `hamcnf run FILE --shard 4/4`"
        ]
    );
    // One shard was begun, but not finished.
    folder.run("run plan.toml --shard 2/4").exits(0);
    let rows = folder.read("results/plan.shard-2-of-4.csv");
    let begun: Vec<_> = rows.lines().take(2).collect();
    folder.remove("results/plan.shard-2-of-4.csv");
    folder.write("results/plan.shard-2-of-4.csv.part", &(begun.join("\n") + "\n3,half"));
    assert_eq!(
        not_merged(&folder),
        [
            "shard 2/4 is unfinished: 2 of 3 rows are missing; run the shard again",
            "shard 4/4 is missing: run it with `hamcnf run FILE --shard 4/4`"
        ]
    );
    folder.run("run plan.toml --shard 2/4").exits(0);
    folder.run("run plan.toml --shard 4/4").exits(0);
    folder.run("merge plan.toml").exits(0);
    // The finished row of the shard was kept.
    assert!(folder.read("results/plan.csv").contains(begun[1]));
}

#[test]
fn shards_that_are_no_whole_are_refused() {
    let folder = in_shards(SMALL, 2);
    let names = ["results/plan.shard-1-of-2.csv", "results/plan.shard-2-of-2.csv"];
    let [one, two] = names.map(|name| folder.read(name));
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    // The files belong to shards with two different totals.
    folder.run("run plan.toml --shard 3/3").exits(0);
    assert_eq!(not_merged(&folder), ["shards K/2 and shards K/3 are mixed in results; remove the unwanted files"]);
    for ending in ["csv", "machine.json"] {
        folder.remove(format!("results/plan.shard-3-of-3.{ending}"));
    }
    // The shards overlap: the second shard contains a row of the first.
    folder.write(names[1], format!("{two}{}\n", lines(&one)[1]));
    // An overlap is accepted, because the row may have been in the second shard before the experiment was changed.
    folder.run("merge plan.toml").exits(0);
    folder.write(names[1], format!("{two}{}\n", lines(&two)[1]));
    assert!(not_merged(&folder)[0].ends_with(" occurs twice"));
    folder.write(names[1], &(lines(&two)[..6].join("\n") + "\n"));
    assert_eq!(not_merged(&folder), ["shard 2/2 is unfinished: 1 of 6 rows are missing; run the shard again"]);
    folder.write(names[1], two.replace(",60.0,", ",61.0,"));
    assert!(not_merged(&folder)[0].contains(" is not in the experiment; run the shard with --prune"));
    folder.write(names[1], "other\n");
    assert!(not_merged(&folder)[0].contains("plan.shard-2-of-2.csv: the columns differ"));
    // Rows come from another build: one row, all rows, and all rows together with the description of their machine.
    let commit = column(&lines(&two)[1], COMMIT);
    for many in [1, 6] {
        folder.write(names[1], two.replacen(&commit, "another", many));
        let said = not_merged(&folder);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("results/plan.shard-2-of-2.csv was made by hamcnf 0.1.0, commit another, but results/plan.shard-1-of-2.csv by hamcnf 0.1.0, commit "),
            "{said:?}"
        );
    }
    change(&folder, "results/plan.shard-2-of-2.machine.json", |text| text.replace(&commit, "another"));
    assert_eq!(not_merged(&folder).len(), 1);
    change(&folder, "results/plan.shard-2-of-2.machine.json", |text| text.replace("another", &commit));
    let solver = column(&lines(&two)[1], SOLVER);
    assert!(solver.starts_with("cadical"), "{solver}");
    folder.write(names[1], two.replace(&solver, "cadical-0.1"));
    assert!(not_merged(&folder)[0].contains(" was made by cadical-0.1, but "));
    folder.write(names[1], &two);
    // Results of another experiment with the same name are kept.
    let other = Place::with("plan.toml", SMALL.replace("60", "59"));
    other.run("run plan.toml").exits(0);
    for name in other.names("results") {
        folder.write(&format!("results/{name}"), other.read(format!("results/{name}")));
    }
    folder.run("merge plan.toml").refused_with("results/plan.csv has 12 rows that would be lost: ").refuses("--fresh");
    folder.run("merge plan.toml --fresh").exits(0);
}

/// Tests that only an added method runs, although jobs move between shards, and that the rows of a removed method are
/// dropped only on request.
#[test]
fn an_experiment_in_shards_may_change() {
    let less = SMALL.replace(", 'warnsdorff'", "");
    let folder = in_shards(&less, 2);
    let change = |plan: &str| folder.write("plan.toml", plan);
    let run = |more: &str| -> Vec<String> {
        let both = (1..=2).map(|k| folder.run(&format!("run plan.toml --shard {k}/2 {more}")));
        both.map(|output| {
            output.exits(0);
            output.err()
        })
        .collect()
    };
    let names = ["results/plan.shard-1-of-2.csv", "results/plan.shard-2-of-2.csv"];
    let first = names.map(|name| folder.read(name)).concat();
    change(SMALL);
    let said = not_merged(&folder);
    assert!(said.iter().all(|line| line.contains(" is unfinished: ")), "{said:?}");
    assert_eq!(said.len(), 2);
    assert_eq!(run("").concat().matches("warnsdorff").count(), 6);
    folder.run("merge plan.toml").exits(0);
    let rows = first.lines().filter(|line| line.starts_with("3,"));
    assert_eq!(rows.clone().count(), 6);
    let whole = folder.read("results/plan.csv");
    assert!(rows.clone().all(|row| whole.lines().any(|line| line == row)));
    // The added method is removed again.
    change(&less);
    assert!(not_merged(&folder)[0].contains(" is not in the experiment; run the shard with --prune"));
    folder.run("run plan.toml --shard 1/2").refuses(" by warnsdorff (not in the experiment); pass --prune");
    assert_eq!(run("--prune").concat(), "");
    folder.run("merge plan.toml").refused_with("results/plan.csv has 6 rows that would be lost: ");
    folder.run("merge plan.toml --fresh").exits(0);
    let whole = folder.read("results/plan.csv");
    assert_eq!(whole.lines().count(), 7);
    assert!(rows.clone().all(|row| whole.lines().any(|line| line == row)));
}

/// Tests that a failed job leaves its shard unfinished, keeps its row, and is the only job that runs again.
#[test]
fn failed_jobs_are_said_and_run_again() {
    let folder = in_shards(SMALL, 2);
    let rows = folder.read("results/plan.shard-1-of-2.csv");
    let whole = rows.clone();
    folder.remove("results/plan.shard-1-of-2.csv");
    let line = rows.lines().nth(2).unwrap();
    let failed = line.replacen(",tour,,", ",failed,,no memory", 1);
    assert_ne!(failed, line);
    folder.write("results/plan.shard-1-of-2.csv.part", rows.replace(line, &failed));
    fs::copy(
        folder.path("results/plan.shard-1-of-2.machine.json"),
        folder.path("results/plan.shard-1-of-2.machine.json.part"),
    )
    .unwrap();
    let said = not_merged(&folder);
    assert_eq!(said[0], "shard 1/2 is unfinished: 1 of 6 rows are missing; run the shard again");
    assert_eq!(said[1], "shard 1/2: 3x4 open from a1, binary, seed 3, wall 60 s failed: no memory");
    assert_eq!(said.len(), 2);
    folder.run("run plan.toml --shard 1/2").exits(0);
    folder.run("merge plan.toml").exits(0);
    let now = folder.read("results/plan.shard-1-of-2.csv");
    let same = now.lines().filter(|row| whole.lines().any(|old| old == *row));
    assert_eq!(same.count(), 6);
}

/// Tests that a shard can continue on another machine, that merging reports the machines, and that a run without shards
/// accepts rows of one machine only.
#[test]
fn machines_may_differ_and_are_said() {
    let folder = in_shards(SMALL, 2);
    let rows = folder.read("results/plan.shard-2-of-2.csv");
    let begun = rows.lines().take(3).collect::<Vec<_>>().join("\n") + "\n";
    let id = column(begun.lines().nth(1).unwrap(), MACHINE);
    // Makes the shard look as if it had been begun on a machine with another processor.
    let machine = folder.read("results/plan.shard-2-of-2.machine.json");
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
        folder.remove(format!("results/plan.shard-2-of-2.{ending}"));
    }
    folder.write("results/plan.shard-2-of-2.csv.part", begun.replace(&id, &other));
    folder.write("results/plan.shard-2-of-2.machine.json.part", there.to_string());
    folder.run("run plan.toml --shard 2/2").exits(0);
    let merged = folder.run("merge plan.toml");
    merged.exits(0);
    merged.notes_only("hamcnf: the rows come from 2 machines: do not compare their times\n");
    let rows = folder.read("results/plan.csv");
    assert_eq!(rows.matches(&format!(",{other}\n")).count(), 2);
    let machine: serde_json::Value = serde_json::from_str(&folder.read("results/plan.machine.json")).unwrap();
    assert_eq!(machine["processor"], "Abacus");
    assert_eq!(machine["others"].as_array().unwrap().len(), 1);
    let report = folder.read("results/plan.md");
    assert!(report.contains("Abacus, ") && report.contains("The rows come from 2 machines"), "{report}");
    folder.run("run plan.toml --report").prints(0, merged.out());
    // All rows of a run without shards must come from one machine.
    folder.write("results/plan.csv.part", begun.replace(&id, &other));
    folder.run("run plan.toml").refuses("2 rows that would be lost: 2 from another machine; ");
    // A shard does not continue with another build.
    let commit = column(begun.lines().nth(1).unwrap(), COMMIT);
    folder.remove("results/plan.shard-2-of-2.csv");
    folder.write("results/plan.shard-2-of-2.csv.part", begun.replace(&commit, "another"));
    folder.run("run plan.toml --shard 2/2").refuses("from hamcnf 0.1.0, commit another (this is");
}

/// Starts the first shard. Waits for its first three rows and for the worker of the next row. Returns the started
/// process, and the process ID of the worker.
fn begun(folder: &Place) -> (Child, Pid) {
    let child = hamcnf("run plan.toml --shard 1/2")
        .current_dir(folder.dir())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let part = folder.path("results/plan.shard-1-of-2.csv.part");
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
    let folder = Place::with("plan.toml", &plan);
    let rows = || folder.read("results/plan.shard-1-of-2.csv.part");
    let number = |child: &Child| Pid::from_raw(child.id().try_into().unwrap());
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let (child, _) = begun(&folder);
        kill(number(&child), signal).unwrap();
        let output = child.ended();
        output.exits(128 + signal as i32);
        let said = output.err();
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
