//! The end of what would outlive this program: a shell that waits for it.
//!
//! A program that is killed by `SIGKILL` or for want of memory cannot end the groups that it runs. So a shell, started before the
//! first of them, reads from a pipe which groups run, a line with all of them at each change. The system closes the pipe
//! however this program ends; the shell then ends the groups of its last line, with all that is in them. It is in a group of
//! its own, as it must outlive an interrupt from the keyboard.
//!
//! One gap is left: a program that is killed between the start of a child and the line that names the child's group.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};

/// Reads groups until the pipe is closed, and ends the last ones: a worker has a second to remove its files, also where `sleep` is
/// not on the caller's PATH.
const SCRIPT: &str = "PATH=$PATH:/usr/bin:/bin; trap '' INT TERM HUP; all=; while read -r line; do all=$line; done; [ -n \"$all\" ] || exit; \
    for group in $all; do kill -TERM \"-$group\"; done; sleep 1; \
    for group in $all; do kill -KILL \"-$group\"; done";

/// The shell.
#[derive(Debug)]
pub(super) enum Keeper {
    NotStarted,
    Started(ChildStdin),
    /// Not started, or gone. Only this program ends groups then.
    Missing,
}

impl Keeper {
    /// Starts the shell, unless it has been started before.
    pub(super) fn start(&mut self) {
        if matches!(self, Self::NotStarted) {
            *self = start().map_or(Self::Missing, Self::Started);
        }
    }

    /// Tells the shell which groups run now.
    pub(super) fn tell(&mut self, groups: impl Iterator<Item = i32>) {
        let groups: Vec<_> = groups.map(|group| group.to_string()).collect();
        if let Self::Started(pipe) = self
            && pipe
                .write_all(format!("{}\n", groups.join(" ")).as_bytes())
                .is_err()
        {
            *self = Self::Missing;
        }
    }
}

fn start() -> Option<ChildStdin> {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    shell.spawn().ok()?.stdin
}
