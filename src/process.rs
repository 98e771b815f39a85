//! Child processes that leave nothing behind: what a child starts is in its process group, and the group is
//! ended when its time is up, when the child has ended, and when the caller's flag is set.
//!
//! The group is not the terminal's, so an interrupt from the keyboard reaches only this process. A program that
//! waits for signals sets the flag and waits for the run to end, or ends all groups by [`end_all`] before it ends
//! itself. Nothing here waits for signals.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, killpg};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;

use crate::stop::Stop;

/// How a child is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options<'a> {
    /// Its standard input.
    pub(crate) input: &'a [u8],
    /// Wall time after which it is ended.
    pub(crate) time_limit: Option<Duration>,
    /// How long it has to end by itself once it is asked to, before it is killed. With none it is not asked.
    pub(crate) grace: Duration,
    /// Ends it when it is set.
    pub(crate) stop: &'a Stop,
}

/// Why a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// By itself, or by a signal of somebody else's.
    Itself(ExitStatus),
    /// At its time limit.
    Late,
    /// By the caller's flag.
    Stopped,
}

/// What became of a child.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) end: End,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) wall: Duration,
    /// Of the child, and of what it waited for.
    pub(crate) cpu: Duration,
}

/// Runs a command to its end, to that of its time, or until it is stopped. `line` is given each line of its
/// standard error as it comes.
pub(crate) fn run(
    mut command: Command,
    options: &Options<'_>,
    line: &mut dyn FnMut(&str),
) -> io::Result<Ended> {
    command
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let (mut child, group) = Group::spawn(&mut command)?;
    // All pipes are served as the child runs, so that none stops it, nor a time limit from being kept.
    let stdout = Pipe::new(child.stdout.take());
    let stderr = Pipe::new(child.stderr.take());
    if let Some(mut stdin) = child.stdin.take() {
        let input = options.input.to_owned();
        // Whether it was read, the child's answer tells.
        thread::spawn(move || stdin.write_all(&input));
    }
    let mut shown = 0;
    let (end, cpu) = loop {
        shown = stderr.lines(shown, line);
        if let Some((status, cpu)) = ended(&mut child)? {
            break (End::Itself(status), cpu);
        }
        let late = options
            .time_limit
            .is_some_and(|limit| start.elapsed() >= limit);
        let end = match (options.stop.is_set(), late) {
            (true, _) => End::Stopped,
            (_, true) => End::Late,
            _ => {
                thread::sleep(POLL);
                continue;
            }
        };
        break (end, group.end(&mut child, options.grace)?);
    };
    let wall = start.elapsed();
    // What the child started may still have to say the last of it.
    if matches!(end, End::Itself(_)) {
        stdout.drained();
        stderr.drained();
    }
    drop(group);
    stdout.drained();
    stderr.drained();
    stderr.lines(shown, line);
    Ok(Ended {
        end,
        stdout: stdout.text(),
        stderr: stderr.text(),
        wall,
        cpu,
    })
}

/// Ends all groups that run, and lets no other begin: for a program that ends now. They have a moment to end
/// what they have started in groups of its own.
pub fn end_all() {
    let mut running = running();
    running.closed = true;
    let groups = || running.groups.iter().copied();
    groups().for_each(|group| signal(group, Signal::SIGTERM));
    let start = Instant::now();
    while groups().any(is_there) && start.elapsed() < MOMENT {
        thread::sleep(POLL);
    }
    groups().for_each(|group| signal(group, Signal::SIGKILL));
}

/// What is at once for who has interrupted the program.
const MOMENT: Duration = Duration::from_millis(200);

fn is_there(group: i32) -> bool {
    killpg(Pid::from_raw(group), None).is_ok()
}

/// Between two looks at a child. It is what a time limit is exact to.
const POLL: Duration = Duration::from_millis(5);

/// The child's end and CPU time, if it has ended.
fn ended(child: &mut Child) -> io::Result<Option<(ExitStatus, Duration)>> {
    // The system adds a child's time up with that of the others when it is waited for.
    let before = children_cpu();
    let status = child.try_wait()?;
    Ok(status.map(|status| (status, children_cpu().saturating_sub(before))))
}

fn wait(child: &mut Child) -> io::Result<Duration> {
    let before = children_cpu();
    child.wait()?;
    Ok(children_cpu().saturating_sub(before))
}

fn children_cpu() -> Duration {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(Duration::ZERO, |usage| {
        let micros = (usage.user_time() + usage.system_time()).num_microseconds();
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    })
}

/// The groups that run.
struct Running {
    groups: BTreeSet<i32>,
    /// Whether no other may begin.
    closed: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    groups: BTreeSet::new(),
    closed: false,
});

fn running() -> MutexGuard<'static, Running> {
    // A set is whole whatever became of who held it.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child's process group. Killed when this goes, if anything of it is left.
struct Group(i32);

impl Group {
    fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
        // Locked until it is listed: who ends all between the two would miss it.
        let mut running = running();
        if running.closed {
            return Err(io::Error::other("this program is about to end"));
        }
        let child = command.spawn()?;
        let group = i32::try_from(child.id()).map_err(io::Error::other)?;
        running.groups.insert(group);
        Ok((child, Self(group)))
    }

    /// Ends the child, and gives its CPU time. It is killed where it has not ended after the grace.
    fn end(&self, child: &mut Child, grace: Duration) -> io::Result<Duration> {
        let start = Instant::now();
        if !grace.is_zero() {
            signal(self.0, Signal::SIGTERM);
        }
        while start.elapsed() < grace {
            if let Some((_, cpu)) = ended(child)? {
                return Ok(cpu);
            }
            thread::sleep(POLL);
        }
        signal(self.0, Signal::SIGKILL);
        wait(child)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Listed until it is gone, so that an end of all between the two does not miss it.
        let mut running = running();
        signal(self.0, Signal::SIGKILL);
        running.groups.remove(&self.0);
    }
}

fn signal(group: i32, signal: Signal) {
    // An error says that there is nothing left to end.
    let _ = killpg(Pid::from_raw(group), signal);
}

/// What comes through a pipe, read by a thread.
struct Pipe {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Pipe {
    /// No child has more to say. The rest is read, and dropped.
    const MOST: usize = 1 << 26;

    fn new(pipe: Option<impl Read + Send + 'static>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&bytes);
        let reader = thread::spawn(move || {
            let Some(mut pipe) = pipe else { return };
            let mut buffer = [0; 1 << 13];
            loop {
                match pipe.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(n) => {
                        let mut bytes = to.lock().unwrap_or_else(PoisonError::into_inner);
                        let n = n.min(Self::MOST - bytes.len());
                        bytes.extend_from_slice(&buffer[..n]);
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    // What cannot be read is not there: the answer is then incomplete.
                    Err(_) => return,
                }
            }
        });
        Self { bytes, reader }
    }

    /// Waits for the pipe's end, but not long for a process that has left the group with it.
    fn drained(&self) {
        let start = Instant::now();
        while !self.reader.is_finished() && start.elapsed() < Duration::from_secs(1) {
            thread::sleep(POLL);
        }
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives the whole lines past the first `from` bytes, and where they end.
    fn lines(&self, from: usize, line: &mut dyn FnMut(&str)) -> usize {
        let (text, end) = {
            let bytes = self.bytes();
            let Some(last) = bytes[from..].iter().rposition(|&b| b == b'\n') else {
                return from;
            };
            let end = from + last + 1;
            (String::from_utf8_lossy(&bytes[from..end]).into_owned(), end)
        };
        text.lines().for_each(line);
        end
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }
}
