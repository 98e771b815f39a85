//! A run in a process of its own: `hamcnf` again, with other arguments.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a child process ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself.
    Itself {
        /// Its exit code or signal.
        status: ExitStatus,
        /// What it wrote to standard output.
        output: String,
        /// What it wrote to standard error.
        messages: String,
    },
    /// It was killed, as it kept its time limit neither then nor a while after.
    Killed {
        /// Wall seconds that it ran.
        wall: Duration,
    },
    /// It could not be started or waited for.
    Failed(String),
}

/// Runs `hamcnf` with these arguments, and with this on its standard input if it is to read it. A process that is to keep a time limit of so many wall seconds is
/// killed if it has not ended 30 seconds after twice that time.
#[must_use]
pub fn run(
    hamcnf: &Path,
    args: &[String],
    time_limit: Option<f64>,
    input: Option<Vec<u8>>,
) -> Ended {
    let mut command = Command::new(hamcnf);
    command
        .args(args)
        .stdin(match input {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ended::Failed(format!("cannot start {}: {error}", hamcnf.display())),
    };
    // Both pipes are read as the child runs, so that neither fills up and stops it.
    let output = reader(child.stdout.take());
    let messages = reader(child.stderr.take());
    if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
        // A child that does not read it all says itself why.
        thread::spawn(move || pipe.write_all(&input));
    }
    let patience = time_limit.map(|limit| Duration::from_secs_f64(2.0 * limit + 30.0));
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(error) => return Ended::Failed(format!("cannot wait for a run: {error}")),
        }
        let wall = start.elapsed();
        if patience.is_some_and(|patience| wall > patience) {
            let _ = child.kill();
            let _ = child.wait();
            return Ended::Killed { wall };
        }
    };
    Ended::Itself {
        status,
        output: output.join().unwrap_or_default(),
        messages: messages.join().unwrap_or_default(),
    }
}

fn reader(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        if let Some(mut pipe) = pipe {
            // What cannot be read is not there: the caller sees that the record is incomplete.
            let _ = pipe.read_to_string(&mut text);
        }
        text
    })
}
