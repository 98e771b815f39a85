//! Experiments on a cluster: submission, lost tasks and their resubmission, and a real Slurm that loses tasks.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::command::*;

const PLAN: &str = "title = 't'\ntime_limit = 60\nmemory_limit = '1G'\nexpect = 'tour'\n\
     seeds = [1, 2, 3]\nquestions = ['3x4 open from a1', '5x5 open from c3']\n\
     methods = ['binary', 'warnsdorff']\n";

/// Folders with the experiment and with fake versions of Slurm's programs. The fake programs record their arguments and
/// print the contents of a file.
fn place() -> Place {
    // A shell would split the name into several words if it were not quoted.
    let place = Place::named("it's a place");
    place.write("plan.toml", PLAN);
    place.write("../queue", "");
    place.program("squeue", "cat \"$here/queue\"").program(
        "sbatch",
        "printf '%s\\n' \"$@\" > \"$here/asked\"; echo x >> \"$here/jobs\"; grep -c x \"$here/jobs\"",
    );
    place
}

/// Returns the arguments of the last call of sbatch.
fn asked(place: &Place) -> Vec<String> {
    let asked = fs::read_to_string(place.beside("asked")).unwrap_or_default();
    asked.lines().map(str::to_owned).collect()
}

/// Makes the fake squeue list these tasks of the script in `results`, and one task of another script.
fn queue(place: &Place, tasks: &[u32]) {
    let script = place.path("results/plan.slurm.sh").canonicalize().unwrap();
    let tasks = tasks.iter().map(|k| format!("{k}|{}\n", script.display()));
    place.write("../queue", tasks.chain(["1|/other/plan.slurm.sh\n".to_owned()]).collect::<String>());
}

/// Runs the submitted script as the task with this number, as Slurm would.
fn task(place: &Place, number: u32) -> Ended {
    let mut script = Command::new("/bin/sh");
    script.arg(place.path("results/plan.slurm.sh")).current_dir("/").env("SLURM_ARRAY_TASK_ID", number.to_string());
    script.ended()
}

#[test]
fn a_dry_run_prints_the_script_and_the_command() {
    let place = place();
    let printed = place
        .run(
            "submit plan.toml --dry-run --task-time 4m --partition short --account a --at-once 2 --sbatch=--qos=low \
             --sbatch --exclusive",
        )
        .text(0);
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(lines[0], "#!/bin/sh");
    for line in [
        "#SBATCH --cpus-per-task=1",
        // The time of a task is four minutes of limits, five seconds for each job, and one minute.
        "#SBATCH --time=6",
        "#SBATCH --mem=1408M",
        "#SBATCH --requeue",
    ] {
        assert!(lines.contains(&line), "{printed}");
    }
    let here = place.dir().canonicalize().unwrap();
    let results = here.join("results").display().to_string();
    let words = |line: &str| -> Vec<String> { shlex::split(line).unwrap() };
    let last = lines.len() - 1;
    assert_eq!(words(lines[last - 3])[1], here.display().to_string());
    let run = words(lines[last - 2]);
    assert!(run.contains(&here.join("plan.toml").display().to_string()));
    assert!(run.contains(&results) && run.ends_with(&["$SLURM_ARRAY_TASK_ID/3".to_owned()]));
    assert_eq!(
        words(lines[last]),
        [
            "sbatch",
            "--parsable",
            "--job-name=hamcnf-plan",
            "--partition=short",
            "--account=a",
            "--qos=low",
            "--exclusive",
            &format!("--output={results}/plan.slurm/%A_%a.log"),
            "--array=1-3%2",
            &format!("{results}/plan.slurm.sh"),
        ]
    );
    // Nothing has been submitted.
    assert_eq!(asked(&place), [""; 0]);
    assert!(!place.has("results"));
    // Without time limits, each job becomes a separate task, up to the maximum number of tasks.
    let sizes = "title = 't'\nquestions = ['6x6', '8x8']\nmethods = ['size:binary', 'size:unary']\n";
    place.write("sizes.toml", sizes);
    place.run("submit sizes.toml --dry-run").says(0, "'--array=1-4'").lacks("--time").lacks("--mem");
    place.run("submit sizes.toml --dry-run --tasks 3").says(0, "'--array=1-3'");
}

#[test]
fn without_slurm_there_is_one_clear_line() {
    let place = place();
    let bin = place.beside("bin");
    for program in ["sbatch", "squeue"] {
        fs::remove_file(bin.join(program)).unwrap();
        assert_eq!(
            place.run("submit plan.toml").refused(),
            format!(
                "{program} is not on the PATH, and this command needs Slurm; use `hamcnf run FILE --shard K/N` on other machines"
            )
        );
    }
    // A dry run needs no Slurm, so it works on any machine.
    place.run("submit plan.toml --dry-run").says(0, "#SBATCH");
    place.program("squeue", "echo 'slurm_load_jobs error: no' >&2; echo >&2; exit 1");
    assert_eq!(place.run("submit plan.toml").refused(), "squeue failed: slurm_load_jobs error: no");
    place.program("squeue", "");
    place.program("sbatch", "echo Granted");
    assert_eq!(place.run("submit plan.toml").refused(), "sbatch failed: output \"Granted\" is not a job number");
}

#[test]
fn what_is_lost_is_submitted_again_and_nothing_else() {
    let place = place();
    assert_eq!(
        place.run("submit plan.toml --missing").refused(),
        "cannot find out which shards are missing: found no rows of shards of plan in results; run the shards first"
    );
    place
        .run("submit plan.toml --task-time 3m")
        .prints(0, "Submitted Slurm job 1: 4 tasks of 4, for the 12 jobs of the experiment\n");
    assert!(asked(&place).contains(&"--array=1-4".to_owned()));
    assert!(place.path("results/plan.slurm").is_dir());
    // While tasks wait or run, nothing may be submitted.
    queue(&place, &[1, 2, 3, 4]);
    assert_eq!(
        place.run("submit plan.toml").refused(),
        "plan is already submitted, and 4 of its tasks are waiting or running; use --missing to submit lost shards again"
    );
    let ran = task(&place, 1);
    ran.exits(0);
    assert_eq!(ran.out().lines().count(), 1);
    place
        .run("submit plan.toml --missing")
        .prints(0, "Nothing was lost: 1 of 4 shards are complete, 3 are waiting or running, and 0 are lost\n");
    // One task has ended, one still runs, and two are lost.
    queue(&place, &[3]);
    place.run("submit plan.toml --missing").prints(
        0,
        "1 of 4 shards are complete, 1 are waiting or running, and 2 are lost\n\
         Submitted Slurm job 2: 2 tasks of 4, for the 12 jobs of the experiment\n",
    );
    assert!(asked(&place).contains(&"--array=2,4".to_owned()));
    // The whole experiment cannot be submitted again, because it already has rows.
    queue(&place, &[]);
    place.run("submit plan.toml").refused_with("\"results\" has rows of shard 1/4: continue with --missing");
    place.run("submit plan.toml --missing").says(0, "3 are lost");
    assert!(asked(&place).contains(&"--array=2-4".to_owned()));
    // The program names a job that failed, and submits its shard again.
    task(&place, 3).exits(0);
    let part = place.read("results/plan.shard-3-of-4.csv");
    let row = part.lines().nth(1).unwrap();
    let failed = row.replacen(",tour,,", ",failed,,no memory", 1);
    place.remove("results/plan.shard-3-of-4.csv");
    let part = part.replace(row, &failed);
    place.write("results/plan.shard-3-of-4.csv.part", part);
    let again = place.run("submit plan.toml --missing");
    again.notes_only(
        "hamcnf: shard 3/4: 3x4 open from a1, binary, seed 3, wall 60 s, memory 1073741824 bytes failed: no memory\n",
    );
    again.ends(0, "Submitted Slurm job 4: 3 tasks of 4, for the 12 jobs of the experiment\n");
    for number in 2..=4 {
        task(&place, number).exits(0);
    }
    let said = place.run("submit plan.toml --missing").text(0);
    assert_eq!(said, "Nothing was lost: 4 of 4 shards are complete, 0 are waiting or running, and 0 are lost\n");
    place.run("merge plan.toml --remove-shards").exits(0);
    let whole = self::place();
    whole.run("run plan.toml").exits(0);
    let rows = |place: &Place| crate::rows::said(&place.path("results/plan.csv"));
    assert_eq!(rows(&whole), rows(&place));
    // The submission has ended, so the experiment can be submitted again.
    place.run("submit plan.toml --missing").refused();
    place.run("submit plan.toml").exits(0);
}

/// Plan with 80 jobs, each of which takes at most one second of CPU time. A busy machine must not reach the limit.
const MANY: &str = "title = 't'\ntime_limit = 600\nmemory_limit = '500M'\nconflict_limit = 300\n\
     expect = 'tour'\nseeds = [1, 2, 3, 4]\nquestions = ['3x4 open from a1', '5x5 open from c3', '6x6', '8x8', '10x10']\nmethods = ['direct', 'unary', 'binary', 'warnsdorff']\n";

/// Runs the test `on_a_cluster` with a real Slurm, if Slurm can be started on this machine.
#[test]
fn nothing_is_lost_on_a_cluster() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/slurm-test");
    let output = Command::new(script)
        .arg(env::current_exe().unwrap())
        .args(["--exact", "cluster::on_a_cluster", "--ignored", "--nocapture"])
        .ended();
    let printed = output.out();
    if output.code() == Some(77) {
        println!("{printed}");
        return;
    }
    eprintln!("{}", output.err());
    output.exits(0);
    assert!(printed.contains("test result: ok. 1 passed"), "{printed}");
}

fn slurm(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).ended();
    output.exits(0);
    output.out()
}

/// Returns the tasks in these states on these nodes, in Slurm's form `JOB_TASK`.
fn tasks(states: &str, nodes: &str) -> Vec<String> {
    let mut args = vec!["--noheader", "--array", "--format=%i", "--states", states];
    if !nodes.is_empty() {
        args.extend(["--nodelist", nodes]);
    }
    let listed = slurm("squeue", &args);
    listed.lines().map(|line| line.trim().to_owned()).collect()
}

#[track_caller]
fn in_time(what: &str, mut happened: impl FnMut() -> bool) {
    let began = Instant::now();
    while !happened() {
        assert!(began.elapsed() < Duration::from_secs(180), "{what}: {}", slurm("squeue", &[]));
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
#[ignore = "the test before runs it beside a Slurm"]
fn on_a_cluster() {
    if env::var_os("HAMCNF_SLURM_TEST").is_none() {
        println!("skipped: it is for scripts/slurm-test");
        return;
    }
    let folder = Place::with("plan.toml", MANY);
    let began = Instant::now();
    run_in(folder.dir(), "run plan.toml --output whole").exits(0);
    eprintln!("a local run: {:.1?}", began.elapsed());
    let began = Instant::now();
    let said = run_in(folder.dir(), "submit plan.toml --task-time 3000").text(0);
    eprint!("{said}");
    assert!(said.ends_with(": 16 tasks of 16, for the 80 jobs of the experiment\n"));
    // squeue lists the submitted tasks, so another submission is refused.
    let again = run_in(folder.dir(), "submit plan.toml").refused();
    assert!(again.contains("of its tasks are waiting or running"), "{again}");
    let shard = |k: &str, ending: &str| folder.path(format!("results/plan.shard-{k}-of-16.{ending}"));
    // Cancels a running task.
    let mut cancelled = None;
    in_time("a task to cancel", || {
        for task in tasks("RUNNING", "") {
            let (_, k) = task.split_once('_').unwrap();
            if shard(k, "csv.part").exists() {
                slurm("scancel", &[&task]);
                in_time("its end", || !tasks("RUNNING,COMPLETING", "").contains(&task));
                if !shard(k, "csv").exists() {
                    cancelled = Some(k.to_owned());
                    return true;
                }
            }
        }
        false
    });
    eprintln!("cancelled: task {}", cancelled.unwrap());
    // A node fails with its tasks. Slurm restarts them on the other node, and the failed node comes back.
    let mut restarted = 0;
    in_time("a node to be lost", || {
        if tasks("RUNNING", "1").is_empty() {
            return false;
        }
        slurm("scontrol", &["update", "nodename=1", "state=down", "reason=test"]);
        let jobs = slurm("scontrol", &["show", "job", "--oneliner"]);
        restarted = jobs.matches(" Restarts=1 ").count();
        thread::sleep(Duration::from_secs(1));
        // The command fails if the node has already come back by itself, so its result is ignored.
        let resume = ["update", "nodename=1", "state=resume"];
        Command::new("scontrol").args(resume).ended();
        in_time("the node", || {
            slurm("sinfo", &["--noheader", "--nodes=1", "--format=%T"]).trim() == "idle"
                || !tasks("RUNNING", "1").is_empty()
        });
        restarted > 0
    });
    eprintln!("begun again by Slurm: {restarted} tasks");
    let mut rounds = 0;
    loop {
        in_time("the end of all tasks", || tasks("PENDING,RUNNING,COMPLETING", "").is_empty());
        let said = run_in(folder.dir(), "submit plan.toml --missing").text(0);
        eprint!("{said}");
        if said.starts_with("Nothing was lost: 16 of 16 shards are complete") {
            break;
        }
        rounds += 1;
        assert!(rounds <= 3);
    }
    assert!(rounds > 0, "what was cancelled is lost");
    run_in(folder.dir(), "merge plan.toml").exits(0);
    eprintln!("on the cluster: {:.1?}", began.elapsed());
    let rows = |folder_name: &str| crate::rows::said(&folder.path(folder_name).join("plan.csv"));
    let (one, other) = (rows("whole"), rows("results"));
    assert_eq!(one.len(), 80);
    assert_eq!(one, other);
    eprintln!("rows that are the same: {}", one.len());
}
