//! Shell that waits for the end of this program, and then terminates the process groups that would outlive it.
//!
//! A program that is killed by `SIGKILL` or for lack of memory cannot terminate the process groups of its children.
//! Therefore a shell is started before the first group. At each change, this program sends the shell a line with the
//! ids of all running groups, through a pipe. However this program ends, the system closes the pipe. Then the shell
//! terminates all processes of the groups in the last line. The shell is in its own group, because it must outlive an
//! interrupt from the keyboard.
//!
//! One gap remains: the program may be killed after a child starts and before the line with the child's group is sent.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};

/// Script of the shell. It reads lines of group ids until the pipe is closed, and then terminates the groups of the
/// last line. A worker has one second to remove its files before it is killed. The script extends PATH because `sleep`
/// may not be on the caller's PATH.
const SCRIPT: &str = "PATH=$PATH:/usr/bin:/bin; trap '' INT TERM HUP; all=; while read -r line; do all=$line; done; [ -n \"$all\" ] || exit; \
    for group in $all; do kill -TERM \"-$group\"; done; sleep 1; \
    for group in $all; do kill -KILL \"-$group\"; done";

/// State of the shell that terminates process groups after this program has ended.
#[derive(Debug)]
pub(super) enum Keeper {
    NotStarted,
    Started(ChildStdin),
    /// The shell could not be started, or has ended. Then only this program terminates groups.
    Missing,
}

impl Keeper {
    /// Starts the shell unless it has been started before.
    pub(super) fn start(&mut self) {
        if matches!(self, Self::NotStarted) {
            *self = start().map_or(Self::Missing, Self::Started);
        }
    }

    /// Sends the ids of the running process groups to the shell.
    pub(super) fn tell(&mut self, groups: impl Iterator<Item = i32>) {
        let groups: Vec<_> = groups.map(|group| group.to_string()).collect();
        if let Self::Started(pipe) = self
            && pipe.write_all(format!("{}\n", groups.join(" ")).as_bytes()).is_err()
        {
            *self = Self::Missing;
        }
    }
}

fn start() -> Option<ChildStdin> {
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    shell.spawn().ok()?.stdin
}
