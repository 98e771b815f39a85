//! Child processes that leave no descendants behind and stay within resource limits. All processes that a child starts
//! are in its process group. This module terminates the group when a limit is reached, when the child has ended, or
//! when the caller's cancellation token is set.
//!
//! The group is not the foreground group of the terminal, so an interrupt from the keyboard only reaches this process.
//! This module does not handle signals. A program that handles signals can set the token and wait for the run to end,
//! or call [`end_all`] to terminate all groups before it exits. If this program is killed, a shell terminates the
//! groups (`orphans.rs`).
//!
//! # Limits
//!
//! Limits apply to all processes of a group together. Their CPU time and resident memory are added up every few
//! milliseconds, more often if memory is nearly used up, and the group is killed at a limit. A process can allocate
//! much memory between two measurements. Therefore the system also refuses allocations that exceed the limit by more
//! than 1/32 (`RLIMIT_DATA`); the process decides how to react.
//!
//! # Nested groups
//!
//! A worker process may itself be the child of a run. After calling [`share_group`], the worker starts its children in
//! its own group. Then the limits of the worker include these children, and terminating the group also terminates them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::time::TimeValLike;
use nix::unistd::{Pid, SysconfVar, getpgrp, getpid, sysconf};

use self::orphans::Keeper;
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_graph::limits::{Limit, Limits};

mod orphans;

/// Options of [`run`].
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Bytes that the child can read from its standard input.
    pub input: &'a [u8],
    /// Resource limits of the child and all its descendants. The limit on conflicts is not enforced here.
    pub limits: Limits,
    /// Time between SIGTERM and SIGKILL; if zero, the group is killed at once. At the limits on CPU time and memory,
    /// the group is always killed at once, because it would go on consuming these resources.
    pub grace: Duration,
    /// Cancellation token; when it is set, the run ends.
    pub stop: &'a CancellationToken,
}

/// Reason why a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The child exited, or was ended by a signal that this module did not send.
    Itself(ExitStatus),
    /// A resource limit was reached.
    Limit(Limit),
    /// The caller's cancellation token was set.
    Stopped,
    /// The child wrote more than [`MOST_SAID`] bytes to standard output; the rest is lost.
    TooMuch,
}

/// Result of [`run`].
#[derive(Debug)]
pub struct ProcessResult {
    /// Process id of the child.
    pub pid: u32,
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub wall: Duration,
    /// CPU time of the child and of the descendants that it waited for, or the largest measured CPU time of the group
    /// if that is greater.
    pub cpu: Duration,
    /// Largest measured RSS of the group, in bytes; `None` if the child ended before the first measurement.
    pub peak: Option<u64>,
}

impl ProcessResult {
    /// True if the child presumably failed for lack of memory, in one of these ways:
    ///
    /// - It reached the memory limit.
    /// - It aborted, as programs do when an allocation fails.
    /// - It failed after using at least half of the limit. A growing table may then have tried to double its size.
    /// - The limit is too small for a program to start. The child was ended by a signal, or exited with the code of the
    ///   loader or of a Rust panic.
    pub fn is_out_of_memory(&self, limits: &Limits) -> bool {
        let (End::Itself(status), Some(limit)) = (self.end, limits.memory) else {
            return self.end == End::Limit(Limit::Memory);
        };
        if status.success() {
            return false;
        }
        let half = self.peak.is_some_and(|peak| peak >= limit / 2);
        // No exit code means that a signal ended the child.
        let not_begun = matches!(status.code(), None | Some(NOT_LOADED | PANICKED));
        let starved = limit < BEGINNING && not_begun;
        half || starved || status.signal() == Some(Signal::SIGABRT as i32)
    }
}

/// Maximum number of bytes that a child may write to standard output; no valid answer is longer. Standard error is kept
/// up to the same length; the rest of it is read and dropped.
pub const MOST_SAID: u64 = 1 << 26;

/// Returns the error message for a child that wrote more than [`MOST_SAID`] bytes.
pub fn too_much() -> String {
    format!("it printed more than {} MiB", MOST_SAID >> 20)
}

/// Exit code of the loader when it cannot load a program for lack of memory.
const NOT_LOADED: i32 = 127;

/// Exit code of a Rust program that panics, for example because no memory is left for a thread.
const PANICKED: i32 = 101;

/// Memory in bytes that this program, or a program of similar size, needs to start.
const BEGINNING: u64 = 16 << 20;

/// Runs a command until it ends, reaches a limit, or is cancelled. Calls `line` with each line of the command's
/// standard error as soon as the line arrives.
///
/// # Errors
///
/// I/O error if the command cannot be started or waited for.
pub fn run(mut command: Command, options: &Options<'_>, line: &mut dyn FnMut(&str)) -> io::Result<ProcessResult> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let (mut child, group) = Group::spawn(command)?;
    let mut watch = GroupMonitor::new(&child, options.limits);
    // Serve all pipes while the child runs, so that a full pipe blocks neither the child nor the enforcement of limits.
    let stdout = Pipe::new(child.stdout.take());
    let stderr = Pipe::new(child.stderr.take());
    if let Some(mut stdin) = child.stdin.take() {
        let input = options.input.to_owned();
        // A write error is ignored: the child's answer shows whether it read the input.
        thread::spawn(move || stdin.write_all(&input));
    }
    let mut shown = 0;
    let mut poll = SOON;
    let (mut end, cpu) = loop {
        shown = stderr.lines(shown, line);
        if let Some((status, cpu)) = ended(&mut child)? {
            break (watch.end_of(status), cpu);
        }
        let elapsed = start.elapsed();
        let reached = match options.limits.wall {
            Some(limit) if elapsed >= limit => Some(Limit::Wall),
            _ => watch.look(elapsed),
        };
        let (end, grace) = match (options.stop.is_set(), reached) {
            (true, _) => (End::Stopped, options.grace),
            _ if stdout.is_over() => (End::TooMuch, Duration::ZERO),
            (_, Some(Limit::Wall)) => (End::Limit(Limit::Wall), options.grace),
            (_, Some(limit)) => (End::Limit(limit), Duration::ZERO),
            (false, None) => {
                // Sleep only briefly at first, to not delay short runs, and longer later, to poll long runs less often.
                thread::sleep(poll.min(watch.until_next(elapsed)));
                poll = (poll * 5 / 4).min(POLL);
                continue;
            }
        };
        break (end, group.end(&mut child, grace)?);
    };
    let wall = start.elapsed();
    // Descendants of the child may still be writing output.
    if matches!(end, End::Itself(_)) {
        stdout.drained();
        stderr.drained();
    }
    drop(group);
    if matches!(end, End::Itself(_)) && stdout.is_over() {
        end = End::TooMuch;
    }
    stdout.drained();
    stderr.drained();
    stderr.lines(shown, line);
    Ok(ProcessResult {
        pid: child.id(),
        end,
        stdout: stdout.text(),
        stderr: stderr.text(),
        wall,
        cpu: cpu.max(watch.cpu),
        peak: watch.peak,
    })
}

/// Terminates all running process groups and prevents new ones. Call this before the program exits. Sends SIGTERM,
/// waits up to 200 ms, then sends SIGKILL. The wait lets each group terminate the groups that it started itself.
pub fn end_all() {
    let mut running = running();
    running.closed = true;
    let groups = || running.groups.iter().copied();
    groups().for_each(|group| group.signal(Signal::SIGTERM));
    let start = Instant::now();
    while groups().any(Target::is_there) && start.elapsed() < MOMENT {
        thread::sleep(POLL);
    }
    groups().for_each(|group| group.signal(Signal::SIGKILL));
    if SHARED.load(Ordering::SeqCst) {
        // Kill this process with all its descendants: nothing else is left to do.
        let _ = killpg(getpgrp(), Signal::SIGKILL);
    }
}

/// Makes this process start all later children in its own process group. The parent must have started this process in
/// a separate group; the parent kills the whole group once this process has ended.
pub fn share_group() {
    // A process that does not lead its group shares the group with processes that it must not kill.
    SHARED.store(getpgrp() == getpid(), Ordering::SeqCst);
}

static SHARED: AtomicBool = AtomicBool::new(false);

/// Time that [`end_all`] waits before it kills groups: short enough to feel immediate to a user who interrupts the
/// program.
const MOMENT: Duration = Duration::from_millis(200);

/// Interval between two checks of a long-running child. It determines the precision of time limits.
const POLL: Duration = Duration::from_millis(5);

/// Interval between the first two checks of a child.
const SOON: Duration = Duration::from_micros(200);

/// Returns the child's exit status and CPU time if the child has ended.
fn ended(child: &mut Child) -> io::Result<Option<(ExitStatus, Duration)>> {
    // The system adds the CPU time of a child to the total of all children when the child is waited for.
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

/// Monitor that measures the resources of a process group, and reports when the group reaches a limit.
struct GroupMonitor {
    group: i32,
    limits: Limits,
    members: Vec<i32>,
    next: Duration,
    next_search: Duration,
    cpu: Duration,
    peak: Option<u64>,
}

impl GroupMonitor {
    /// Longest interval between two measurements of a group, used unless memory is nearly used up.
    const PERIOD: Duration = Duration::from_millis(20);
    /// Shortest interval between two measurements.
    const CLOSEST: Duration = Duration::from_millis(1);
    /// Interval between two searches for new processes of the group.
    const SEARCH: Duration = Duration::from_millis(100);
    /// Maximum number of bytes of new memory that a process can fill per millisecond. The rate is limited because the
    /// system must clear the pages first.
    const FILLED: u64 = 4 << 20;

    fn new(child: &Child, limits: Limits) -> Self {
        let group = i32::try_from(child.id()).unwrap_or(0);
        bound(group, &limits);
        Self {
            group,
            limits,
            members: vec![group],
            next: Self::PERIOD / 2,
            next_search: Self::PERIOD / 2,
            cpu: Duration::ZERO,
            peak: None,
        }
    }

    fn until_next(&self, elapsed: Duration) -> Duration {
        self.next.saturating_sub(elapsed).max(Duration::from_micros(100))
    }

    /// Measures the process group if a measurement is due, and returns the limit that the group has reached, if any.
    fn look(&mut self, elapsed: Duration) -> Option<Limit> {
        if elapsed < self.next {
            return None;
        }
        if elapsed >= self.next_search {
            self.next_search = elapsed + Self::SEARCH;
            self.members = members(self.group);
        }
        let (mut cpu, mut bytes) = (Duration::ZERO, 0);
        for taken in self.members.iter().filter_map(|&pid| Taken::of(pid)) {
            if taken.group == self.group {
                cpu += taken.cpu;
                bytes += taken.bytes;
            }
        }
        // Keep the maximum, because the sum lacks processes that ended without being waited for.
        self.cpu = self.cpu.max(cpu);
        self.peak = self.peak.max(Some(bytes));
        self.next = elapsed + Self::PERIOD;
        if let Some(limit) = self.limits.memory {
            if bytes > limit {
                return Some(Limit::Memory);
            }
            let left = Duration::from_millis((limit - bytes) / Self::FILLED);
            self.next = elapsed + left.clamp(Self::CLOSEST, Self::PERIOD);
        }
        let is_over = |limit| self.cpu >= limit;
        self.limits.cpu.filter(|&limit| is_over(limit)).map(|_| Limit::Cpu)
    }

    /// Returns the reason why the child ended, given its exit status. The signal SIGXCPU means that the system enforced
    /// the limit on CPU time.
    fn end_of(&self, status: ExitStatus) -> End {
        let of_system = status.signal() == Some(Signal::SIGXCPU as i32);
        match self.limits.cpu {
            Some(_) if of_system => End::Limit(Limit::Cpu),
            _ => End::Itself(status),
        }
    }
}

/// Sets limits that the system enforces on a process, in case the measurements come too late. These limits apply to
/// each process alone, not to the sum over the group, and not to children that the process has already started.
#[cfg(target_os = "linux")]
fn bound(pid: i32, limits: &Limits) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let bound = |resource, most: u64, at_last: u64| {
        let limit = Rlimit { current: Some(most), maximum: Some(at_last) };
        // The measurements still enforce the limits if the system refuses this call.
        let _ = prlimit(Pid::from_raw(pid), resource, limit);
    };
    if let Some(bytes) = limits.memory {
        let most = bytes.saturating_add(bytes / 32);
        bound(Resource::Data, most, most);
    }
    if let Some(cpu) = limits.cpu {
        // At the soft limit the process gets SIGXCPU, which shows the reason. If the hard limit were equal, the process
        // would get SIGKILL.
        let most = cpu.as_secs().saturating_add(2);
        bound(Resource::Cpu, most, most.saturating_add(5));
    }
}

#[cfg(not(target_os = "linux"))]
fn bound(_: i32, _: &Limits) {}

/// Resource usage and process group of one process.
struct Taken {
    group: i32,
    cpu: Duration,
    /// Resident memory in bytes.
    bytes: u64,
}

impl Taken {
    /// Reads the resource usage of a process from `/proc`. Returns `None` if the process does not exist.
    fn of(pid: i32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The program name is in parentheses, and may itself contain parentheses and blanks.
        let (_, rest) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |k: usize| -> Option<u64> { fields.get(k)?.parse().ok() };
        // User and system time of the process and of the children that it waited for.
        let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
        let unit = |var, default: u64| {
            let value = sysconf(var).ok().flatten();
            value.and_then(|value| u64::try_from(value).ok()).unwrap_or(default)
        };
        let a_second = unit(SysconfVar::CLK_TCK, 100).max(1);
        Some(Self {
            group: fields.get(2)?.parse().ok()?,
            cpu: Duration::from_secs_f64(ticks as f64 / a_second as f64),
            bytes: number(21)? * unit(SysconfVar::PAGE_SIZE, 4096),
        })
    }
}

/// Returns the ids of the processes in a process group.
fn members(group: i32) -> Vec<i32> {
    let Ok(all) = fs::read_dir("/proc") else {
        return vec![group];
    };
    let pids = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_in = |&pid: &i32| {
        // Asking for the group is cheaper than reading the resources of the process.
        nix::unistd::getpgid(Some(Pid::from_raw(pid))).is_ok_and(|of| of.as_raw() == group)
    };
    pids.filter(is_in).collect()
}

/// Running process groups, and the shell that terminates them if this program cannot.
struct Running {
    groups: BTreeSet<Target>,
    keeper: Keeper,
    /// True if no new group may start.
    closed: bool,
}

impl Running {
    /// Passes the running groups to the keeper, a shell that terminates them if this process is killed.
    fn tell_keeper(&mut self) {
        let Self { groups, keeper, .. } = self;
        keeper.tell(groups.iter().filter_map(|target| match target {
            Target::Group(id) => Some(*id),
            Target::Process(_) => None,
        }));
    }
}

static RUNNING: Mutex<Running> =
    Mutex::new(Running { groups: BTreeSet::new(), keeper: Keeper::NotStarted, closed: false });

fn running() -> MutexGuard<'static, Running> {
    // The set of groups is consistent even if a thread panicked while it held the lock.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Target of a signal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    /// Separate process group of a child.
    Group(i32),
    /// Child in the process group of this process. Its descendants are terminated together with this group.
    Process(i32),
}

impl Target {
    fn signal(self, signal: Signal) {
        // An error means that no process is left.
        let _ = self.send(Some(signal));
    }

    fn is_there(self) -> bool {
        self.send(None).is_ok()
    }

    fn send(self, signal: Option<Signal>) -> nix::Result<()> {
        match self {
            Self::Group(id) => killpg(Pid::from_raw(id), signal),
            Self::Process(id) => kill(Pid::from_raw(id), signal),
        }
    }
}

/// Process group of a child. Dropping the value kills the remaining processes of the group.
struct Group(Target);

impl Group {
    fn spawn(mut command: Command) -> io::Result<(Child, Self)> {
        let shared = SHARED.load(Ordering::SeqCst);
        if !shared {
            command.process_group(0);
        }
        // Keep the lock until the group is listed: otherwise a concurrent `end_all` would miss it.
        let mut running = running();
        if running.closed {
            return Err(io::Error::other("this program is about to end"));
        }
        if !shared {
            // Start the keeper before the child: otherwise a SIGKILL while the keeper starts would leave the child
            // behind.
            running.keeper.start();
        }
        let child = command.spawn()?;
        let id = i32::try_from(child.id()).map_err(io::Error::other)?;
        let target = match shared {
            true => Target::Process(id),
            false => Target::Group(id),
        };
        running.groups.insert(target);
        running.tell_keeper();
        Ok((child, Self(target)))
    }

    /// Ends the child and returns its CPU time. Kills the group if the child has not ended after the grace period.
    fn end(&self, child: &mut Child, grace: Duration) -> io::Result<Duration> {
        let start = Instant::now();
        if !grace.is_zero() {
            self.0.signal(Signal::SIGTERM);
        }
        while start.elapsed() < grace {
            if let Some((_, cpu)) = ended(child)? {
                return Ok(cpu);
            }
            thread::sleep(POLL);
        }
        self.0.signal(Signal::SIGKILL);
        wait(child)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Keep the group listed until it is gone, so that a concurrent `end_all` does not miss it.
        let mut running = running();
        // Signal only groups: a child that has been waited for is gone, and its id may belong to another process.
        if let Target::Group(_) = self.0 {
            self.0.signal(Signal::SIGKILL);
        }
        running.groups.remove(&self.0);
        running.tell_keeper();
    }
}

/// Output of a child, which a thread reads from a pipe. The first [`MOST_SAID`] bytes are kept; the rest is read and
/// dropped.
struct Pipe {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// True if the child wrote more than [`MOST_SAID`] bytes to the pipe.
    over: Arc<AtomicBool>,
    reader: JoinHandle<()>,
}

impl Pipe {
    fn new(pipe: Option<impl Read + Send + 'static>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&bytes);
        let over = Arc::new(AtomicBool::new(false));
        let dropped = Arc::clone(&over);
        let reader = thread::spawn(move || {
            let Some(mut pipe) = pipe else { return };
            let mut buffer = [0; 1 << 13];
            loop {
                match pipe.read(&mut buffer) {
                    Ok(0) => return,
                    Ok(n) => {
                        let mut bytes = to.lock().unwrap_or_else(PoisonError::into_inner);
                        let kept = n.min(MOST_SAID as usize - bytes.len());
                        bytes.extend_from_slice(&buffer[..kept]);
                        if kept < n {
                            dropped.store(true, Ordering::SeqCst);
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    // A read error counts as the end of the output, which is then incomplete.
                    Err(_) => return,
                }
            }
        });
        Self { bytes, over, reader }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }

    /// Waits for the end of the pipe, but at most one second: a process that has left the group may keep the pipe open.
    fn drained(&self) {
        let start = Instant::now();
        while !self.reader.is_finished() && start.elapsed() < Duration::from_secs(1) {
            thread::sleep(POLL);
        }
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `line` for each complete line after the first `from` bytes. Returns the number of bytes up to the end of
    /// the last complete line.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> ProcessResult {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        let options = Options { input: &[], limits, grace: Duration::ZERO, stop: &CancellationToken::default() };
        run(command, &options, &mut |_| ()).expect("there is a shell")
    }

    #[test]
    fn cpu_time_is_limited_for_children_of_children_together() {
        let limits = Limits { cpu: Some(Duration::from_millis(500)), ..Limits::default() };
        // Each process alone stays far below the limit on CPU time.
        let ended = shell("for k in 1 2 3; do (while :; do :; done) & done; wait", limits);
        assert_eq!(ended.end, End::Limit(Limit::Cpu));
        assert!(ended.cpu >= Duration::from_millis(500), "{ended:?}");
        assert!(ended.cpu <= Duration::from_millis(900), "{ended:?}");
    }

    #[test]
    fn memory_is_limited() {
        let limit = 40 << 20;
        let limits = Limits { memory: Some(limit), ..Limits::default() };
        // The script doubles the length of a string again and again.
        let ended = shell("x=0123456789; while :; do x=$x$x; done", limits);
        assert!(ended.is_out_of_memory(&limits) || ended.peak >= Some(limit / 4), "{ended:?}");
        assert!(ended.peak < Some(limit / 10 * 11), "{ended:?}");
        assert_eq!(shell("exit 3", limits).end, End::Itself(ExitStatus::from_raw(3 << 8)));
    }

    #[test]
    fn what_a_child_took_is_counted() {
        let ended = shell(
            "n=0; while [ $n -lt 200000 ]; do n=$((n+1)); done; echo done",
            Limits::wall(Duration::from_secs(60)),
        );
        assert_eq!(ended.stdout, "done\n");
        assert!(ended.cpu > Duration::ZERO && ended.cpu <= ended.wall * 2, "{ended:?}");
    }

    #[test]
    fn short_work_is_not_waited_for_long() {
        let began = Instant::now();
        for _ in 0..20 {
            shell("exit 0", Limits::default());
        }
        // Enough time to start twenty shells, each with a delay of the longest interval between checks.
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}
