//! Child processes that leave nothing behind and take no more than they may: what a child starts is in its process
//! group, and the group is ended when a limit comes, when the child has ended, and when the caller's flag is set.
//!
//! The group is not the terminal's, so an interrupt from the keyboard reaches only this process. A program that
//! waits for signals sets the flag and waits for the run to end, or ends all groups by [`end_all`] before it ends
//! itself. Nothing here waits for signals. If this program is killed, a shell ends the groups (`orphans.rs`).
//!
//! # Limits
//!
//! Limits are on all processes of a group together: their CPU time and resident memory are added up every few
//! milliseconds, more often where memory is nearly used up, and the group is killed at a limit. Where a process could
//! fill memory faster than that, the system refuses it what is past the limit (`RLIMIT_DATA`, one thirty-second more);
//! what becomes of it then is the process's own affair.
//!
//! # Groups in groups
//!
//! A worker that is the child of such a run starts its own children in its own group, by [`share_group`]: so who ends
//! the worker's group ends them too, and its limits are theirs.

// Experiments ask more of a run than others do.

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
use crate::cancellation::CancellationToken;
use crate::limits::{Limit, Limits};

mod orphans;

/// How a child is run.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Its standard input.
    pub input: &'a [u8],
    /// What it may take, with all that it starts. Conflicts are its own affair.
    pub limits: Limits,
    /// How long it has to end by itself once it is asked to, before it is killed. With none it is not asked. At the
    /// limits on CPU time and memory it is not asked either: it would go on taking.
    pub grace: Duration,
    /// Ends it when it is set.
    pub stop: &'a CancellationToken,
}

/// Why a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself, or by a signal of somebody else's.
    Itself(ExitStatus),
    /// At a limit.
    Limit(Limit),
    /// By the caller's flag.
    Stopped,
    /// Since it said more than [`MOST_SAID`] on standard output, of which the end is lost.
    TooMuch,
}

/// What became of a child.
#[derive(Debug)]
pub struct ProcessResult {
    /// What its number was.
    pub pid: u32,
    pub end: End,
    pub stdout: String,
    pub stderr: String,
    pub wall: Duration,
    /// Of the child, and of what it waited for.
    pub cpu: Duration,
    /// The most bytes that its group was seen to have resident; none where it was too short to be seen.
    pub peak: Option<u64>,
}

impl ProcessResult {
    /// Whether it is memory that a child without an answer ended for: at its limit, by an abort, as programs do that
    /// get no more, in another way with half of what it may have in use, as tables that are full are doubled, or by any
    /// signal, or as its loader or its first thread ends it, where it may have less than a program takes before it
    /// begins, as it is not seen then.
    pub fn is_out_of_memory(&self, limits: &Limits) -> bool {
        let (End::Itself(status), Some(limit)) = (self.end, limits.memory) else {
            return self.end == End::Limit(Limit::Memory);
        };
        if status.success() {
            return false;
        }
        let half = self.peak.is_some_and(|peak| peak >= limit / 2);
        // Without a code a signal ended it.
        let not_begun = matches!(status.code(), None | Some(NOT_LOADED | PANICKED));
        let starved = limit < BEGINNING && not_begun;
        half || starved || status.signal() == Some(Signal::SIGABRT as i32)
    }
}

/// Bytes that a child may say on standard output: no answer is longer. Of its standard error so much is kept, and the rest
/// is read and dropped.
pub const MOST_SAID: u64 = 1 << 26;

/// What is said of a child that has said more.
pub fn too_much() -> String {
    format!("it said more than {} MiB", MOST_SAID >> 20)
}

/// The exit code of a program that its loader has no memory for.
const NOT_LOADED: i32 = 127;

/// That of one in Rust which gives up, as where there is no memory for a thread.
const PANICKED: i32 = 101;

/// Bytes that a program of this size takes before it begins.
const BEGINNING: u64 = 16 << 20;

/// Runs a command to its end, to one of its limits, or until it is stopped. `line` is given each line of its
/// standard error as it comes.
///
/// # Errors
///
/// The command cannot be started, or the system refuses to wait for it.
pub fn run(
    mut command: Command,
    options: &Options<'_>,
    line: &mut dyn FnMut(&str),
) -> io::Result<ProcessResult> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let (mut child, group) = Group::spawn(command)?;
    let mut watch = GroupMonitor::new(&child, options.limits);
    // All pipes are served as the child runs, so that none stops it, nor a limit from being kept.
    let stdout = Pipe::new(child.stdout.take());
    let stderr = Pipe::new(child.stderr.take());
    if let Some(mut stdin) = child.stdin.take() {
        let input = options.input.to_owned();
        // Whether it was read, the child's answer tells.
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
                // Short work is not waited for long, and long work not asked often.
                thread::sleep(poll.min(watch.until_next(elapsed)));
                poll = (poll * 5 / 4).min(POLL);
                continue;
            }
        };
        break (end, group.end(&mut child, grace)?);
    };
    let wall = start.elapsed();
    // What the child started may still have to say the last of it.
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

/// Ends all groups that run, and lets no other begin: for a program that ends now. They have a moment to end
/// what they have started in groups of its own.
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
        // With what they have started, and with this process: there is nothing left to do but to end it.
        let _ = killpg(getpgrp(), Signal::SIGKILL);
    }
}

/// From now on what this process starts is in its own group: whoever started it in a group ends that, with all that is
/// in it, once it has ended.
pub fn share_group() {
    // One that is not its group's first shares it with whom it must not end.
    SHARED.store(getpgrp() == getpid(), Ordering::SeqCst);
}

static SHARED: AtomicBool = AtomicBool::new(false);

/// What is at once for who has interrupted the program.
const MOMENT: Duration = Duration::from_millis(200);

/// Between two looks at a child that runs for long. It is what a limit on time is exact to.
const POLL: Duration = Duration::from_millis(5);

/// The same at its beginning.
const SOON: Duration = Duration::from_micros(200);

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

/// Adds up what a group takes, and says when that is too much.
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
    /// Between two looks at what a group takes, if memory is not short.
    const PERIOD: Duration = Duration::from_millis(20);
    /// The same at the closest.
    const CLOSEST: Duration = Duration::from_millis(1);
    /// Between two searches for new processes of the group.
    const SEARCH: Duration = Duration::from_millis(100);
    /// Bytes that a process can take in a millisecond: the system has to clear them.
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
        self.next
            .saturating_sub(elapsed)
            .max(Duration::from_micros(100))
    }

    /// Looks, if it is time to, and says which limit is reached.
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
        // What has ended and was not waited for is gone from the sum.
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
        self.limits
            .cpu
            .filter(|&limit| is_over(limit))
            .map(|_| Limit::Cpu)
    }

    /// Why it ended, where the system may have kept the limit on CPU time.
    fn end_of(&self, status: ExitStatus) -> End {
        let of_system = status.signal() == Some(Signal::SIGXCPU as i32);
        match self.limits.cpu {
            Some(_) if of_system => End::Limit(Limit::Cpu),
            _ => End::Itself(status),
        }
    }
}

/// Has the system refuse a process what is past its limits, for when nobody looks in time. What it has started before
/// is not bound, nor is the sum.
#[cfg(target_os = "linux")]
fn bound(pid: i32, limits: &Limits) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let bound = |resource, most: u64, at_last: u64| {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(at_last),
        };
        // Where that may not be asked for, there is still who looks.
        let _ = prlimit(Pid::from_raw(pid), resource, limit);
    };
    if let Some(bytes) = limits.memory {
        let most = bytes.saturating_add(bytes / 32);
        bound(Resource::Data, most, most);
    }
    if let Some(cpu) = limits.cpu {
        // At the first it is told why it ends; at the same second it would only be killed.
        let most = cpu.as_secs().saturating_add(2);
        bound(Resource::Cpu, most, most.saturating_add(5));
    }
}

#[cfg(not(target_os = "linux"))]
fn bound(_: i32, _: &Limits) {}

/// What one process has taken.
struct Taken {
    group: i32,
    cpu: Duration,
    /// Resident.
    bytes: u64,
}

impl Taken {
    /// As the system says; none of a process that is not there.
    fn of(pid: i32) -> Option<Self> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name is in parentheses, and may have some in it, and blanks.
        let (_, rest) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
        let number = |k: usize| -> Option<u64> { fields.get(k)?.parse().ok() };
        // User and system time, of it and of the children that it waited for.
        let ticks = number(11)? + number(12)? + number(13)? + number(14)?;
        let unit = |var, default: u64| {
            let value = sysconf(var).ok().flatten();
            value
                .and_then(|value| u64::try_from(value).ok())
                .unwrap_or(default)
        };
        let a_second = unit(SysconfVar::CLK_TCK, 100).max(1);
        Some(Self {
            group: fields.get(2)?.parse().ok()?,
            cpu: Duration::from_secs_f64(ticks as f64 / a_second as f64),
            bytes: number(21)? * unit(SysconfVar::PAGE_SIZE, 4096),
        })
    }
}

/// The processes of a group.
fn members(group: i32) -> Vec<i32> {
    let Ok(all) = fs::read_dir("/proc") else {
        return vec![group];
    };
    let pids = all.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_in = |&pid: &i32| {
        // Cheaper than reading what it takes.
        nix::unistd::getpgid(Some(Pid::from_raw(pid))).is_ok_and(|of| of.as_raw() == group)
    };
    pids.filter(is_in).collect()
}

/// The groups that run.
struct Running {
    groups: BTreeSet<Target>,
    /// Ends them if this program cannot.
    keeper: Keeper,
    /// Whether no other may begin.
    closed: bool,
}

impl Running {
    /// Tells the keeper which groups to end if this process is killed.
    fn tell_keeper(&mut self) {
        let Self { groups, keeper, .. } = self;
        keeper.tell(groups.iter().filter_map(|target| match target {
            Target::Group(id) => Some(*id),
            Target::Process(_) => None,
        }));
    }
}

static RUNNING: Mutex<Running> = Mutex::new(Running {
    groups: BTreeSet::new(),
    keeper: Keeper::NotStarted,
    closed: false,
});

fn running() -> MutexGuard<'static, Running> {
    // A set is whole whatever became of who held it.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a signal is sent to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    /// A group of its own.
    Group(i32),
    /// A process in the group of this one, whose other processes are ended with that.
    Process(i32),
}

impl Target {
    fn signal(self, signal: Signal) {
        // An error says that there is nothing left to end.
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

/// A child's process group. Killed when this goes, if anything of it is left.
struct Group(Target);

impl Group {
    fn spawn(mut command: Command) -> io::Result<(Child, Self)> {
        let shared = SHARED.load(Ordering::SeqCst);
        if !shared {
            command.process_group(0);
        }
        // Locked until it is listed: who ends all between the two would miss it.
        let mut running = running();
        if running.closed {
            return Err(io::Error::other("this program is about to end"));
        }
        if !shared {
            // Before the child: a SIGKILL while the keeper starts would leave the child behind.
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

    /// Ends the child, and gives its CPU time. It is killed where it has not ended after the grace.
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
        // Listed until it is gone, so that an end of all between the two does not miss it.
        let mut running = running();
        // A process that has been waited for is gone, and its number may be another's.
        if let Target::Group(_) = self.0 {
            self.0.signal(Signal::SIGKILL);
        }
        running.groups.remove(&self.0);
        running.tell_keeper();
    }
}

/// What comes through a pipe, read by a thread: no more than [`MOST_SAID`]. The rest is read, and dropped.
struct Pipe {
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Whether there was more.
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
                    // What cannot be read is not there: the answer is then incomplete.
                    Err(_) => return,
                }
            }
        });
        Self {
            bytes,
            over,
            reader,
        }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> ProcessResult {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        let options = Options {
            input: &[],
            limits,
            grace: Duration::ZERO,
            stop: &CancellationToken::default(),
        };
        run(command, &options, &mut |_| ()).expect("there is a shell")
    }

    #[test]
    fn cpu_time_is_limited_for_children_of_children_together() {
        let limits = Limits {
            cpu: Some(Duration::from_millis(500)),
            ..Limits::default()
        };
        // Each alone stays far below the limit for as long.
        let ended = shell(
            "for k in 1 2 3; do (while :; do :; done) & done; wait",
            limits,
        );
        assert_eq!(ended.end, End::Limit(Limit::Cpu));
        assert!(ended.cpu >= Duration::from_millis(500), "{ended:?}");
        assert!(ended.cpu <= Duration::from_millis(900), "{ended:?}");
    }

    #[test]
    fn memory_is_limited() {
        let limit = 40 << 20;
        let limits = Limits {
            memory: Some(limit),
            ..Limits::default()
        };
        // A string that doubles.
        let ended = shell("x=0123456789; while :; do x=$x$x; done", limits);
        assert!(
            ended.is_out_of_memory(&limits) || ended.peak >= Some(limit / 4),
            "{ended:?}"
        );
        assert!(ended.peak < Some(limit / 10 * 11), "{ended:?}");
        assert_eq!(
            shell("exit 3", limits).end,
            End::Itself(ExitStatus::from_raw(3 << 8))
        );
    }

    #[test]
    fn what_a_child_took_is_counted() {
        let ended = shell(
            "n=0; while [ $n -lt 200000 ]; do n=$((n+1)); done; echo done",
            Limits::wall(Duration::from_secs(60)),
        );
        assert_eq!(ended.stdout, "done\n");
        assert!(
            ended.cpu > Duration::ZERO && ended.cpu <= ended.wall * 2,
            "{ended:?}"
        );
    }

    #[test]
    fn short_work_is_not_waited_for_long() {
        let began = Instant::now();
        for _ in 0..20 {
            shell("exit 0", Limits::default());
        }
        // Twenty looks at the longest distance, and twenty shells.
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}
