//! Shell that waits for the end of this program, and ends the groups that would outlive it.
//!
//! A program that is killed by `SIGKILL` or for lack of memory cannot end its groups. So a shell, started before the first
//! group, receives the running groups through a pipe: one line with all of them at each change. However this program ends, the
//! system closes the pipe; the shell then ends the groups of the last line, with all their processes. The shell is in a group
//! of its own, because it must outlive an interrupt from the keyboard.
//!
//! One gap remains: the program may be killed between the start of a child and the line with the child's group.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};

/// Script of the shell: reads lines of groups until the pipe is closed, then ends the groups of the last line. A worker has one
/// second to remove its files. The script extends PATH because `sleep` may not be on the caller's PATH.
const SCRIPT: &str = "PATH=$PATH:/usr/bin:/bin; trap '' INT TERM HUP; all=; while read -r line; do all=$line; done; [ -n \"$all\" ] || exit; \
    for group in $all; do kill -TERM \"-$group\"; done; sleep 1; \
    for group in $all; do kill -KILL \"-$group\"; done";

/// State of the shell.
#[derive(Debug)]
pub(super) enum Keeper {
    NotStarted,
    Started(ChildStdin),
    /// The shell could not be started, or has ended. Only this program ends groups then.
    Missing,
}

impl Keeper {
    /// Starts the shell, unless it was started before.
    pub(super) fn start(&mut self) {
        if matches!(self, Self::NotStarted) {
            *self = start().map_or(Self::Missing, Self::Started);
        }
    }

    /// Sends the ids of the running groups to the shell.
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
