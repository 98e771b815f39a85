//! Helpers that run the program as its users do, for tests of its output.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Returns a command that runs the program with these arguments, separated by spaces.
pub(crate) fn hamcnf(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamcnf"));
    command.args(args.split_whitespace()).env_remove("CLICOLOR_FORCE");
    command
}

pub(crate) fn run(args: &str) -> Output {
    hamcnf(args).output().unwrap()
}

pub(crate) fn run_in(folder: &Path, args: &str) -> Output {
    hamcnf(args).current_dir(folder).output().unwrap()
}

/// Runs the program with this text on standard input.
pub(crate) fn feed(args: &str, input: impl AsRef<[u8]>) -> Output {
    let mut child = hamcnf(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The write fails if the program refuses its arguments without reading its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns the text on standard output, after checking the exit code.
#[track_caller]
pub(crate) fn text(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
    stdout(output)
}

/// Returns the only line on standard error, after checking that standard output is empty and the exit code is 2.
#[track_caller]
pub(crate) fn refused(output: &Output) -> String {
    assert_eq!(text(output, 2), "");
    let text = stderr(output);
    assert_eq!(text.lines().count(), 1, "{text}");
    text.trim_end().strip_prefix("hamcnf: ").unwrap().to_owned()
}
