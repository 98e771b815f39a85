//! Scripts that run every experiment in order, stop at a time limit, and continue later.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::command::*;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn reproduce(args: &[&str]) -> Ended {
    let script = Path::new(ROOT).join("scripts/reproduce");
    Command::new(script).args(args).ended()
}

/// Returns a command that runs all experiments of a folder with the built program.
fn experiments(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(Path::new(ROOT).join("scripts/experiments"));
    let program = env!("CARGO_BIN_EXE_hamcnf");
    command.arg(program).args(args).current_dir(folder);
    command
}

/// Returns a folder with three experiments. The first experiment ends immediately, the second takes a minute, and the
/// third needs graphs from elsewhere.
fn folder() -> Place {
    let race = "title = 't'\ntime_limit = 60\n";
    let plan = |rest: &str| format!("{race}{rest}");
    let place = Place::with("experiments/a.toml", plan("questions = ['6x6', '8x8']\nmethods = ['warnsdorff']\n"));
    // Backtracking does not find a tour of the second board within a minute.
    place.write("experiments/b.toml", plan("questions = ['3x4', '8x8']\nmethods = ['backtrack']\n"));
    place.write("experiments/c.toml", plan("methods = ['backtrack']\n"));
    place
}

#[test]
fn wrong_arguments_are_refused_in_one_line() {
    for (args, why) in [
        (&["all"][..], "there is no 'all': give nothing, decision, or --full"),
        (&["--full", "long"], "'long' is no number of hours, such as 6 or 0.5, and not --dry-run"),
        (&["--full", "0.0"], "'0.0' is no number of hours, such as 6 or 0.5, and not --dry-run"),
        (&["--full", "1", "2"], "hours are said twice: 1 and '2'"),
        (&["--dry-run"], "--dry-run stands after --full"),
        (&["decision", "2"], "there is no '2' after 'decision'"),
    ] {
        let output = reproduce(args);
        output.exits(2);
        output.notes_only(format!("reproduce: {why}\n"));
        assert_eq!(output.out(), "");
    }
    let folder = folder();
    for args in [&[][..], &["1h"], &["-1"], &["1", "--all"]] {
        let output = experiments(folder.dir(), args).ended();
        output.exits(2);
        assert_eq!(output.err().lines().count(), 1);
    }
}

#[test]
fn a_dry_run_says_what_would_be_run_and_how_long_that_took() {
    let output = reproduce(&["--full", "0.5", "--dry-run"]);
    output.exits(0);
    let text = output.out();
    let place = |name: &str| {
        let line = text.lines().position(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("{name}: {text}"))
    };
    assert!(place("table1 ") < place("fhcp ") && place("fhcp ") < place("peers "));
    assert!(text.contains("; 0.5 h are given."), "{text}");
    assert!(!text.contains("engines ") && !text.contains("figures "), "{text}");
}

#[test]
fn experiments_end_with_the_time_and_go_on_from_there() {
    let folder = folder();
    let is_there = |name: &str| folder.has(format!("results/{name}"));
    let began = Instant::now();
    let output = experiments(folder.dir(), &["0.0007"]).ended();
    let text = output.out();
    output.exits(0);
    assert!(began.elapsed() < Duration::from_secs(40), "{text}");
    assert!(text.contains("\n== done\n\na: 2 rows\n"), "{text}");
    let left = text.split("\n== left out\n\n").nth(1).unwrap();
    assert_eq!(
        left,
        "b: the time is over; 1 rows are there\nc: the time is over; 0 rows are there\n\n\
         The same command goes on from here.\n"
    );
    assert!(is_there("a.csv") && is_there("b.csv.part") && !is_there("b.csv"));
    assert!(text.contains("HAMCNF_UPDATE=1 cargo test --test program figures::"));
    assert!(folder.has("target/reproduced/report/index.html"));

    let plan = experiments(folder.dir(), &["1", "--dry-run"]).ended();
    plan.and("done by this build on this machine\n");
    // The slow experiment is removed, so that the other experiments run.
    folder.remove("experiments/b.toml");
    let output = experiments(folder.dir(), &["0.01"]).ended();
    output
        .and("\n== done\n\na: before, by this build on this machine\n")
        .and("\nc: experiments/c.toml: no questions: list them in the file");
}

#[test]
fn an_interrupt_ends_all_of_it_at_once() {
    let folder = folder();
    let child = experiments(folder.dir(), &["1"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let part = folder.path("results/b.csv.part");
    let began = Instant::now();
    // Waits for the first row; the second row would take a minute.
    while !fs::read_to_string(&part).is_ok_and(|rows| rows.lines().count() == 2) {
        assert!(began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    let began = Instant::now();
    // SIGTERM replaces SIGINT: a shell ignores SIGINT if its parent ignores interrupts, as in the background.
    child.signal(Signal::SIGTERM);
    let output = child.ended();
    output.exits(130);
    assert!(began.elapsed() < Duration::from_secs(10));
    output.notes_only("experiments: interrupted: the same command goes on from here\n");
    let rows = fs::read_to_string(&part).unwrap();
    assert_eq!(rows.lines().count(), 2, "{rows}");
}
