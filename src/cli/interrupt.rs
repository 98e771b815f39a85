//! Handling of interrupts (SIGINT), termination (SIGTERM) and hang-ups (SIGHUP).
//!
//! One thread waits for all signals. By default it removes unfinished and temporary files and ends the program; every
//! such file is registered when it is created. A command that runs other programs, or that has rows to print, keeps a
//! [`Hold`] while it runs. While any `Hold` exists, the first signal only sets the cancellation token: the command
//! stops its children, prints its results and ends. A second signal ends the program at once, unless it comes together
//! with the first: `timeout` signals both the program and its process group, which counts as one signal. An ignored
//! hang-up, as under `nohup`, stays ignored.
//!
//! Each run of an experiment has its own process group, so a hang-up or a kill of the program that started the run does
//! not reach the run. On Linux the run asks to be terminated if that program ends.
//!
//! A message says what is lost and how to continue or start again, with the command as the user typed it.
//!
//! The exit code is the code that a shell reports for a program killed by the signal: 130, 143 or 129.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use hamcnf::cancellation::CancellationToken;
#[cfg(target_os = "linux")]
use hamcnf::harness::worker::WITH_PARENT;
use hamcnf::process::end_all;
use hamcnf::temporary;
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag::{register, register_conditional_shutdown};
use signal_hook::iterator::Signals;

use super::exit::UNKNOWN;
use super::progress;
use super::verbosity::note;

/// First received signal, and number of [`Hold`]s.
struct State {
    /// First signal and the time of its arrival; `None` before a signal.
    signal: Option<(i32, Instant)>,
    /// Number of [`Hold`]s: parts of the program that end by themselves after a signal.
    holds: usize,
}

static STATE: Mutex<State> = Mutex::new(State { signal: None, holds: 0 });

/// Locks the state. The thread that ends the program holds the lock until exit, to keep new work from starting.
fn state() -> MutexGuard<'static, State> {
    // The state is valid even if a thread panicked while holding it.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the cancellation token that a signal or the limit on CPU time sets.
pub(super) fn stop() -> &'static CancellationToken {
    static STOP: OnceLock<CancellationToken> = OnceLock::new();
    STOP.get_or_init(CancellationToken::default)
}

/// Starts the thread that waits for signals. `is_work` is true for the command `work`.
pub(crate) fn watch(is_work: bool) {
    // With a handler, a write beyond the system's limit on the size of a file is an error instead of the end of the
    // program. If this fails, such a write ends the program as by default.
    let _ = register(SIGXFSZ, Arc::default());
    // If waiting for signals is impossible, signals end the program as by default.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    if !ignores_hang_ups() {
        // If this fails, hang-ups end the program as by default.
        let _ = signals.add_signal(SIGHUP);
    }
    thread::spawn(move || signals.forever().for_each(received));
    #[cfg(target_os = "linux")]
    let parent = std::env::var(WITH_PARENT).ok().filter(|_| is_work);
    #[cfg(target_os = "linux")]
    let is_worker = parent.is_some();
    #[cfg(not(target_os = "linux"))]
    let is_worker = false;
    if !is_worker {
        // If memory runs out, the program prints a line and aborts with the code of a limit, without a core dump. A
        // worker aborts as by default, so that the process that started it sees the abort.
        let always = Arc::new(AtomicBool::new(true));
        let _ = register_conditional_shutdown(SIGABRT, UNKNOWN.into(), always);
    }
    #[cfg(target_os = "linux")]
    if let Some(parent) = parent {
        // If the system does not support this call, a run ends at its time limit.
        let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGTERM);
        // The parent may have ended before the call.
        if parent != nix::unistd::getppid().to_string() {
            std::process::exit(code_of(SIGTERM));
        }
    }
}

/// True if the parent process requested that hang-ups are ignored. Also true if this is unknown; then a hang-up has the
/// default effect of the system.
fn ignores_hang_ups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

/// Command as the user typed it, quoted for a shell. It is set once.
static TYPED: OnceLock<String> = OnceLock::new();

/// Records the words of the command, which begin with the program's name. A worker has no typed command.
pub(super) fn asked(args: &[OsString]) {
    let words: Vec<_> = args.iter().skip(1).map(|word| word.to_string_lossy()).collect();
    let typed: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    let _ = TYPED.set(format!("hamcnf {}", typed.join(" ")).trim_end().to_owned());
}

/// Quotes a word for a shell if necessary. Commas need no quotes, since they have a meaning between braces only.
fn quoted(word: &str) -> Cow<'_, str> {
    if shlex::try_quote(&word.replace(',', "_")).is_ok_and(|other| !other.contains('\'')) {
        return word.into();
    }
    // A word with a zero byte cannot come from a shell.
    shlex::try_quote(word).unwrap_or_default()
}

/// Returns the command as the user typed it.
pub(super) fn typed() -> &'static str {
    TYPED.get().map_or("hamcnf", String::as_str)
}

/// Returns the end of a message that says how to continue: the command without `--fresh`.
pub(super) fn going_on() -> String {
    let words = typed().split(' ').filter(|word| *word != "--fresh");
    format!("; to continue: {}", words.collect::<Vec<_>>().join(" "))
}

/// Returns the end of a message that says how to begin again.
pub(super) fn again() -> String {
    format!("; to start again: {}", typed())
}

/// File or folder from which the same command resumes the work. It is set once.
static CHECKPOINT: OnceLock<PathBuf> = OnceLock::new();

/// Records that the same command resumes the work from this file, or from a file in this folder.
pub(super) fn has_checkpoint(path: &Path) {
    let _ = CHECKPOINT.set(path.to_owned());
}

/// True if the file exists, or the folder contains checkpoints.
fn is_saved(path: &Path) -> bool {
    let Ok(files) = path.read_dir() else {
        return path.exists();
    };
    let mut files = files.flatten().map(|file| file.path());
    files.any(|file| file.extension().is_some_and(|end| end == "checkpoint"))
}

/// Reports that everything not printed is lost, or how to continue, unless output is quiet or no command was typed.
pub(super) fn say_what_is_lost() {
    if let Some(path) = CHECKPOINT.get() {
        match is_saved(path) {
            true => note(&format!("interrupted{}", going_on())),
            false => note(&format!("interrupted before the first checkpoint{}", again())),
        }
    } else if TYPED.get().is_some() {
        note(&format!("interrupted: results not yet printed are lost{}", again()));
    }
}

/// Maximum time to wait at the end of the program for a terminal that accepts no output.
const PATIENCE: Duration = Duration::from_millis(100);

/// Time after the first signal in which further signals count as the same signal.
const ONCE: Duration = Duration::from_millis(200);

fn received(signal: i32) {
    let mut state = state();
    let is_first = state.signal.is_none();
    let (first, at) = *state.signal.get_or_insert((signal, Instant::now()));
    if is_first && state.holds > 0 {
        stop().set();
        return;
    }
    if !is_first && signal == first && at.elapsed() < ONCE {
        return;
    }
    leave();
    // Erases the progress line too.
    progress::give_up();
    // Another thread prints, so that a stopped terminal cannot block the exit.
    let (done, said) = mpsc::channel();
    if is_first {
        thread::spawn(move || {
            say_what_is_lost();
            let _ = done.send(());
        });
        let _ = said.recv_timeout(PATIENCE);
    }
    // Skips the handlers of a usual exit, as they would disturb other running threads.
    signal_hook::low_level::exit(code_of(signal));
}

/// Ends child processes and removes unfinished files. The program must end right afterwards.
pub(crate) fn leave() {
    temporary::remove_all();
    end_all();
    // A child may have written into a folder in the meantime.
    temporary::remove_all();
}

fn code_of(signal: i32) -> i32 {
    128 + signal
}

/// Returns the exit code after an interrupt; `None` without an interrupt.
pub(crate) fn code() -> Option<ExitCode> {
    let code = code_of(state().signal?.0);
    Some(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

/// True if the program has been interrupted.
pub(crate) fn is_interrupted() -> bool {
    state().signal.is_some()
}

/// Returns the name of the cause that ended work early, for messages.
pub(crate) fn limit() -> &'static str {
    match is_interrupted() {
        true => "interrupt",
        false if stop().has_expired() => "CPU time limit",
        false => "time limit",
    }
}

/// Guard that makes the first signal only set the cancellation token. The command then ends by itself soon after.
pub(crate) struct Hold(());

impl Hold {
    pub(crate) fn new() -> Self {
        state().holds += 1;
        Self(())
    }

    /// Returns the cancellation token that a signal sets.
    pub(crate) fn stop(&self) -> &'static CancellationToken {
        stop()
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        state().holds -= 1;
    }
}
