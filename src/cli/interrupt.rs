//! What becomes of the program at an interrupt (SIGINT), a termination (SIGTERM) or a hang-up (SIGHUP).
//!
//! One thread waits for all. Commonly it removes unfinished and temporary files, which are listed from
//! the moment that they are made, and ends the program. A command that runs other programs or has rows to show
//! takes a [`Hold`] for the time: then the thread only sets a flag, and the command stops its children, says
//! what there is to say and comes to its end. A second signal ends the program at once in any case, unless it comes
//! with the first: who signals the program and its group, as timeout does, means it once. A hang-up
//! that is ignored, as nohup has it, is left alone.
//!
//! A run of an experiment is in a process group of its own, and neither a hang-up nor a kill of the program that
//! started it reaches it; on Linux it asks to be terminated then.
//!
//! What is lost, and how to go on or to begin again, is said in one line, with the command as it was typed.
//!
//! The exit code is what a shell says of a program that the signal killed: 130, 143 or 129.

use std::borrow::Cow;
use std::ffi::OsString;
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
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::register_conditional_shutdown;
use signal_hook::iterator::Signals;

use super::exit::UNKNOWN;
use super::progress;
use super::verbosity::note;

/// What there is to do.
struct State {
    /// The first signal, if there was one, and when.
    signal: Option<(i32, Instant)>,
    /// Commands that come to an end by themselves.
    holds: usize,
}

static STATE: Mutex<State> = Mutex::new(State {
    signal: None,
    holds: 0,
});

/// Who ends the program keeps this to the end, so that meanwhile nobody begins what would be left behind.
fn state() -> MutexGuard<'static, State> {
    // It is whole whatever became of who held it.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The flag that is set at a signal.
fn stop() -> &'static CancellationToken {
    static STOP: OnceLock<CancellationToken> = OnceLock::new();
    STOP.get_or_init(CancellationToken::default)
}

/// Begins to wait for signals.
pub(crate) fn watch() {
    // Where they cannot be waited for they end the program, which is what they did before.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
        return;
    };
    if !ignores_hang_ups() {
        // As above.
        let _ = signals.add_signal(SIGHUP);
    }
    thread::spawn(move || signals.forever().for_each(received));
    #[cfg(target_os = "linux")]
    let is_worker = std::env::var_os(WITH_PARENT).is_some();
    #[cfg(not(target_os = "linux"))]
    let is_worker = false;
    if !is_worker {
        // Where there is no memory the program says so in a line and aborts: without a core, with the code of a limit.
        // A worker's abort says so to who started it.
        let always = Arc::new(AtomicBool::new(true));
        let _ = register_conditional_shutdown(SIGABRT, UNKNOWN.into(), always);
    }
    #[cfg(target_os = "linux")]
    if let Ok(parent) = std::env::var(WITH_PARENT) {
        // Where that cannot be asked for a run ends at its time limit.
        let _ = nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGTERM);
        // It may have ended before it could be asked for.
        if parent != nix::unistd::getppid().to_string() {
            std::process::exit(code_of(SIGTERM));
        }
    }
}

/// Whether hang-ups are ignored, which who began the program has asked for. Where that cannot be found out they are left
/// to the system.
fn ignores_hang_ups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask & (1 << (SIGHUP - 1)) != 0)
}

/// The command as it was typed, for a shell; set once.
static TYPED: OnceLock<String> = OnceLock::new();

/// Takes the words of the command, the program's name first. Where nobody typed them there are none.
pub(super) fn asked(args: &[OsString]) {
    let words = args.iter().skip(1).map(|word| word.to_string_lossy());
    let words: Vec<_> = words.collect();
    let typed: Vec<_> = words.iter().map(|word| quoted(word)).collect();
    let _ = TYPED.set(format!("hamcnf {}", typed.join(" ")).trim_end().to_owned());
}

/// A word as a shell takes it for this one. Commas are left as they are, which mean something between braces only.
fn quoted(word: &str) -> Cow<'_, str> {
    if shlex::try_quote(&word.replace(',', "_")).is_ok_and(|other| !other.contains('\'')) {
        return word.into();
    }
    // A word with a zero has come from no shell.
    shlex::try_quote(word).unwrap_or_default()
}

/// The command as it was typed.
pub(super) fn typed() -> &'static str {
    TYPED.get().map_or("hamcnf", String::as_str)
}

/// How to go on, as the end of a line: not by what starts over.
pub(super) fn going_on() -> String {
    let words = typed().split(' ').filter(|word| *word != "--fresh");
    format!("; to continue: {}", words.collect::<Vec<_>>().join(" "))
}

/// How to begin again, as the end of a line.
pub(super) fn again() -> String {
    format!("; to start again: {}", typed())
}

/// Says that all else is lost, unless nothing is to be said or nobody has typed a command.
pub(super) fn say_what_is_lost() {
    if TYPED.get().is_some() {
        note(&format!(
            "interrupted: results not printed yet are lost{}",
            again()
        ));
    }
}

/// How long the end of the program waits for a terminal that takes nothing.
const PATIENCE: Duration = Duration::from_millis(100);

/// Signals that come within this time of the first are the same one.
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
    // The line that says how far it is goes too.
    progress::give_up();
    // By another thread: a terminal that has been stopped is not waited for.
    let (done, said) = mpsc::channel();
    if is_first {
        thread::spawn(move || {
            say_what_is_lost();
            let _ = done.send(());
        });
        let _ = said.recv_timeout(PATIENCE);
    }
    // Without what is done at a usual exit, which other threads would not bear while they work.
    signal_hook::low_level::exit(code_of(signal));
}

/// Endpoints what runs and removes what is unfinished, as the program ends now.
pub(crate) fn leave() {
    temporary::remove_all();
    end_all();
    // What a child has written into a folder meanwhile.
    temporary::remove_all();
}

fn code_of(signal: i32) -> i32 {
    128 + signal
}

/// The exit code of a program that was interrupted.
pub(crate) fn code() -> Option<ExitCode> {
    let code = code_of(state().signal?.0);
    Some(ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX)))
}

/// Whether the program has been interrupted.
pub(crate) fn is_interrupted() -> bool {
    state().signal.is_some()
}

/// What ended work that has not come to its end by itself.
pub(crate) fn limit() -> &'static str {
    match is_interrupted() {
        true => "interrupt",
        false => "time limit",
    }
}

/// While there is one, a first signal only sets the flag, and the command ends by itself soon after.
pub(crate) struct Hold(());

impl Hold {
    pub(crate) fn new() -> Self {
        state().holds += 1;
        Self(())
    }

    /// The flag.
    pub(crate) fn stop(&self) -> &'static CancellationToken {
        stop()
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        state().holds -= 1;
    }
}
