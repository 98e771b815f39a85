//! Checkpoints of exact counts: a killed or stopped count resumes, and other files are refused.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::command::*;

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// Tests that two counts at the same time do not share a checkpoint. The second process does not wait for the first.
#[test]
fn a_checkpoint_of_a_running_count_is_refused() {
    let folder = Place::new();
    // The count is long, and begins at once.
    let args = "count 6x200 --threads 1 --checkpoint file";
    let mut child = hamcnf(args).current_dir(folder.dir()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The lock is there before the first checkpoint, which comes after a second.
    let began = Instant::now();
    while !folder.has("file") && began.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(10));
    }
    let second = folder.run(args);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(second.refused(), "another count is using the checkpoint file; wait for it, or choose another file");
    assert!(folder.has("file"));
    // The lock of the killed process does not matter.
    folder.run(&format!("{args} --time-limit 0.1")).exits(3);
    assert_eq!(files(folder.dir()), ["file"]);
}

/// Tests that the message after an interrupt tells the user to continue only if there is a checkpoint.
#[cfg(unix)]
#[test]
fn an_interrupt_promises_no_checkpoint_that_does_not_exist() {
    use nix::sys::signal::{Signal, kill};
    for waits_for_checkpoint in [false, true] {
        let folder = Place::new();
        let file = folder.path("file");
        let child = hamcnf("count 6x200 --threads 1 --checkpoint file")
            .current_dir(folder.dir())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The lock is there before the backward pass, and the first checkpoint after a second.
        let is_time = || match waits_for_checkpoint {
            true => file.exists(),
            false => fs::read_dir(folder.dir()).unwrap().next().is_some(),
        };
        let began = Instant::now();
        while !is_time() && began.elapsed() < Duration::from_secs(60) {
            thread::sleep(Duration::from_millis(5));
        }
        let id = nix::unistd::Pid::from_raw(child.id() as i32);
        kill(id, Signal::SIGINT).unwrap();
        let said = child.ended().err();
        let promises = match file.exists() {
            true => "interrupted; to continue: hamcnf count 6x200",
            false => "interrupted before the first checkpoint; to start again: hamcnf count 6x200",
        };
        assert!(said.contains(promises), "{said}");
        assert!(file.exists() || !waits_for_checkpoint, "{said}");
    }
}

/// Kills a count at random moments, and lets it finish. `seconds` is the time after which the next count is killed.
fn killed(board: &str, expected: &str, kills: impl Iterator<Item = f64>) {
    let folder = Place::new();
    let args = format!("count {board} --threads 1 --checkpoint file");
    for seconds in kills {
        let mut child = hamcnf(&args).current_dir(folder.dir()).stdout(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_secs_f64(seconds));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let began = Instant::now();
    let last = folder.run(&args).text(0);
    assert!(last.contains(expected), "{last}");
    assert_eq!(files(folder.dir()), [""; 0]);
    eprintln!("{board}: {:?} after the last kill", began.elapsed());
}

/// Takes about a minute.
#[test]
#[ignore = "takes about a minute"]
fn a_count_that_is_killed_ten_times_is_the_same() {
    let mut random = 1u64;
    let kills = (0..10).map(|_| {
        // Knuth's multiplier.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        1.0 + 4.0 * (random >> 33) as f64 / (1u64 << 31) as f64
    });
    killed("8x8", ": 13267364410532 closed tours", kills);
}
