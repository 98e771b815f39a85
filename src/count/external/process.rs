//! A child process that leaves nothing behind: what it starts is in its process group, and the group is
//! killed when its time is up, when it has ended, and when this process is interrupted.
//!
//! The group is not the terminal's, so an interrupt from the keyboard reaches only this process. From the
//! first child on it is therefore waited for: the running groups are killed, and then the signal does what
//! it would have done. A hang-up is left alone, so that nohup works.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, killpg};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// What became of a child.
#[derive(Debug)]
pub(super) struct Ended {
    /// `None` if it was killed for the time limit.
    pub(super) status: Option<ExitStatus>,
    pub(super) stdout: String,
    pub(super) stderr: String,
    pub(super) wall: Duration,
    /// Of the child, and of what it waited for.
    pub(super) cpu: Duration,
}

/// Runs a command to its end, or to that of its time. `line` is given each line of its standard error as
/// it comes.
pub(super) fn run(
    mut command: Command,
    input: &[u8],
    time_limit: Option<Duration>,
    line: &mut dyn FnMut(&str),
) -> io::Result<Ended> {
    command
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    kill_when_interrupted();
    let start = Instant::now();
    let (mut child, group) = Group::spawn(&mut command)?;
    // Both pipes are read as the child runs, so that neither fills up and stops it.
    let stdout = Pipe::new(child.stdout.take());
    let stderr = Pipe::new(child.stderr.take());
    if let Some(mut stdin) = child.stdin.take() {
        // Less than a pipe holds. Whether it was read, the child's answer tells.
        let _ = stdin.write_all(input);
    }
    let mut shown = 0;
    let (status, cpu) = loop {
        shown = stderr.lines(shown, line);
        if let Some((status, cpu)) = ended(&mut child)? {
            break (Some(status), cpu);
        }
        if time_limit.is_some_and(|limit| start.elapsed() >= limit) {
            group.kill();
            break (None, wait(&mut child)?.1);
        }
        thread::sleep(POLL);
    };
    let wall = start.elapsed();
    // What the child started may still have to say the last of it.
    if status.is_some() {
        stdout.drained();
        stderr.drained();
    }
    drop(group);
    stdout.drained();
    stderr.drained();
    stderr.lines(shown, line);
    Ok(Ended {
        status,
        stdout: stdout.text(),
        stderr: stderr.text(),
        wall,
        cpu,
    })
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

fn wait(child: &mut Child) -> io::Result<(ExitStatus, Duration)> {
    let before = children_cpu();
    let status = child.wait()?;
    Ok((status, children_cpu().saturating_sub(before)))
}

fn children_cpu() -> Duration {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(Duration::ZERO, |usage| {
        let micros = (usage.user_time() + usage.system_time()).num_microseconds();
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    })
}

/// The groups that run, which a signal ends.
static RUNNING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<i32>> {
    // A set is whole whatever became of who held it.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child's process group. Killed when this goes, if anything of it is left.
struct Group(i32);

impl Group {
    fn spawn(command: &mut Command) -> io::Result<(Child, Self)> {
        // Locked until it is listed: a signal between the two would miss it.
        let mut running = running();
        let child = command.spawn()?;
        let group = i32::try_from(child.id()).map_err(io::Error::other)?;
        running.insert(group);
        Ok((child, Self(group)))
    }

    fn kill(&self) {
        kill(self.0);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        running().remove(&self.0);
        self.kill();
    }
}

fn kill(group: i32) {
    // An error says that there is nothing left to kill.
    let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
}

fn kill_when_interrupted() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Where signals cannot be waited for a child goes on to its end.
        if let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) {
            thread::spawn(move || {
                for signal in &mut signals {
                    // Held to the end, so that no other is started meanwhile.
                    let running = running();
                    running.iter().copied().for_each(kill);
                    let _ = signal_hook::low_level::emulate_default_handler(signal);
                }
            });
        }
    });
}

/// What comes through a pipe, read by a thread.
struct Pipe {
    bytes: Arc<Mutex<Vec<u8>>>,
    reader: JoinHandle<()>,
}

impl Pipe {
    /// No counter has more to say. The rest is read, and dropped.
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
