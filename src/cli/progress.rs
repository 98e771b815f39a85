//! Progress on standard error. On a terminal it is one animated line that appears after a second and is erased at the
//! end. It has a bar if the share of the work done is known. Without a terminal, and with `--verbose`, progress is
//! printed in whole lines: one at every change of activity, and one every ten seconds.
//!
//! A thread draws the line, so that the animation continues during long steps without reports. The cursor stays at the
//! beginning of the line. If the terminal becomes narrower, it wraps the line and keeps the cursor at the beginning.
//! Erasing from the cursor to the end of the screen then removes both parts. All other output to the terminal goes
//! through [`aside`], which erases the line first.

use std::convert::Infallible;
use std::env;
use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hamcnf::run::Share;
use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthChar;

use super::verbosity;

/// Time before the line is first shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Interval between two frames of the line.
const TICK: Duration = Duration::from_millis(200);

/// Interval between two whole lines about the same activity.
const PAUSE: Duration = Duration::from_secs(10);

/// Frames of the animated character.
const FRAMES: [char; 4] = ['|', '/', '-', '\\'];

/// Width assumed for a terminal that does not report one.
const COLUMNS: usize = 80;

/// Length of the bar in characters.
const BAR: u64 = 10;

const ERASE_TO_THE_END: &str = "\x1b[J";

/// Progress line, which is erased on drop.
pub(crate) struct Progress {
    ticker: Option<Ticker>,
}

struct Ticker {
    activity: Shared,
    began: Instant,
    layout: Layout,
    /// Sender of a channel without messages: the thread ends when the sender is dropped.
    stop: Sender<Infallible>,
    thread: JoinHandle<()>,
}

/// Form in which progress is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Animated line on the terminal.
    Line,
    /// Whole lines that stay.
    Lines,
}

/// Progress of an activity so activity.
#[derive(Default)]
struct Activity {
    text: String,
    share: Option<Share>,
}

type Shared = Arc<Mutex<Activity>>;

/// Bar that shows the share of the work done: `[####------] 43%, `.
struct Bar(Share);

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let full = self.0.parts(BAR);
        for k in 0..BAR {
            let begin = if k == 0 { "[" } else { "" };
            write!(f, "{begin}{}", if k < full { '#' } else { '-' })?;
        }
        write!(f, "] {}%, ", self.0.parts(100))
    }
}

/// Estimated time, rounded for people.
pub(crate) struct Rough(pub(crate) Duration);

impl fmt::Display for Rough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        match seconds {
            0..100 => write!(f, "{} s", seconds.max(1)),
            100..6000 => write!(f, "{} min", (seconds + 30) / 60),
            _ => write!(f, "{} h", (seconds + 1800) / 3600),
        }
    }
}

/// State of the terminal.
struct Screen {
    /// Progress of all active lines, in the order of their creation. Only the last line is shown.
    all: Vec<Shared>,
    shown: bool,
    /// Number of callers that currently write to the terminal themselves.
    aside: u32,
}

static SCREEN: Mutex<Screen> = Mutex::new(Screen { all: Vec::new(), shown: false, aside: 0 });

/// Locks a mutex, and ignores poisoning: the worst that a panic can leave behind is a stray line on the terminal.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress {
    /// Creates a progress line with this text. The line appears after a second.
    pub(crate) fn new(text: fmt::Arguments<'_>) -> Self {
        let can_erase = env::var_os("TERM").is_some_and(|name| !name.is_empty() && name != "dumb");
        let layout = match verbosity::is_quiet() {
            true => None,
            false if can_erase && io::stderr().is_terminal() => Some(Layout::Line),
            false => verbosity::is_verbose().then_some(Layout::Lines),
        };
        let Some(layout) = layout else {
            return Self { ticker: None };
        };
        let activity = Arc::new(Mutex::new(Activity { text: text.to_string(), ..Activity::default() }));
        let (stop, stopped) = mpsc::channel();
        let shown = Arc::clone(&activity);
        let began = Instant::now();
        if layout == Layout::Lines {
            whole_line(&activity, began);
        }
        let thread = thread::Builder::new().spawn(move || match layout {
            Layout::Line => {
                let mut wait = PATIENCE;
                let mut frames = FRAMES.iter().cycle();
                while let (Err(RecvTimeoutError::Timeout), Some(frame)) = (stopped.recv_timeout(wait), frames.next()) {
                    locked(&SCREEN).draw(&shown, *frame, began.elapsed());
                    wait = TICK;
                }
            }
            Layout::Lines => {
                while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(PAUSE) {
                    if locked(&SCREEN).is_last(&shown) {
                        whole_line(&shown, began);
                    }
                }
            }
        });
        // Progress is optional: if no thread can be started, none is shown.
        let ticker = thread.ok().map(|thread| {
            locked(&SCREEN).all.push(Arc::clone(&activity));
            Ticker { activity, began, layout, stop, thread }
        });
        Self { ticker }
    }

    /// Sets the text. If progress is not shown, the text is not even formatted.
    pub(crate) fn show(&self, text: fmt::Arguments<'_>) {
        self.show_share(None, text);
    }

    /// Sets the text and, if known, the share of the work done.
    pub(crate) fn show_share(&self, share: Option<Share>, text: fmt::Arguments<'_>) {
        if let Some(ticker) = &self.ticker {
            let mut activity = locked(&ticker.activity);
            activity.share = share;
            activity.text.clear();
            // Writing to a string does not fail.
            let _ = activity.text.write_fmt(text);
        }
    }

    /// Shows that another activity begins.
    pub(crate) fn begin(&self, share: Option<Share>, text: fmt::Arguments<'_>) {
        self.show_share(share, text);
        if let Some(Ticker { activity, began, layout: Layout::Lines, .. }) = &self.ticker {
            whole_line(activity, *began);
        }
    }

    /// Ends the progress, and erases its line.
    pub(crate) fn clear(&mut self) {
        if let Some(Ticker { activity, stop, thread, .. }) = self.ticker.take() {
            drop(stop);
            // A panic of the thread has already been reported.
            let _ = thread.join();
            let mut screen = locked(&SCREEN);
            screen.all.retain(|other| !Arc::ptr_eq(other, &activity));
            screen.erase();
        }
    }

    /// Erases the line and prints `text` as a line that stays, on a terminal and elsewhere.
    pub(crate) fn leave(mut self, text: fmt::Arguments<'_>) {
        self.clear();
        ended(text);
    }
}

/// Prints one line on standard error, such as the outcome of a method, unless output is quiet.
pub(crate) fn ended(text: fmt::Arguments<'_>) {
    if !verbosity::is_quiet() {
        let line = text.to_string().replace('\n', ", ");
        // An error of this optional output is ignored.
        let _ = aside(|| writeln!(io::stderr(), "{line}"));
    }
}

/// Prints the progress as a line that stays.
fn whole_line(activity: &Shared, began: Instant) {
    let line = {
        let activity = locked(activity);
        let done = activity.share.map(|share| format!("{}%, ", share.parts(100))).unwrap_or_default();
        let seconds = began.elapsed().as_secs();
        format!("{seconds} s, {done}{}", activity.text).replace(char::is_control, "?")
    };
    let _ = aside(|| writeln!(io::stderr(), "{line}"));
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Screen {
    /// True if this progress line is the last of all active lines. Only the last line is shown.
    fn is_last(&self, activity: &Shared) -> bool {
        self.all.last().is_some_and(|last| Arc::ptr_eq(last, activity))
    }

    fn draw(&mut self, activity: &Shared, frame: char, elapsed: Duration) {
        if self.aside > 0 || !self.is_last(activity) {
            return;
        }
        let size = terminal_size_of(io::stderr());
        let columns = size.map_or(COLUMNS, |(Width(columns), _)| columns.into());
        let activity = locked(activity);
        let bar = activity.share.map(|share| Bar(share).to_string()).unwrap_or_default();
        let whole = format!("{frame} {} s, {bar}{}", elapsed.as_secs(), activity.text);
        // The last column stays free, since some terminals wrap after it.
        let fitting = cut(&whole, columns.saturating_sub(1));
        self.shown = true;
        // A single write avoids flicker. An error is ignored.
        let drawn = format!("{fitting}{ERASE_TO_THE_END}\r");
        let _ = io::stderr().write_all(drawn.as_bytes());
    }

    fn erase(&mut self) {
        if self.shown {
            self.shown = false;
            let _ = io::stderr().write_all(ERASE_TO_THE_END.as_bytes());
        }
    }
}

/// Cuts a text to at most `columns` columns. Control characters become question marks.
fn cut(text: &str, columns: usize) -> String {
    let mut width = 0;
    let printable = text.chars().map(|c| if c.is_control() { '?' } else { c });
    printable
        .take_while(|c| {
            width += c.width().unwrap_or(0);
            width <= columns
        })
        .collect()
}

/// Runs code that writes to the terminal, with the progress line erased meanwhile.
pub(crate) fn aside<T>(write: impl FnOnce() -> T) -> T {
    let end = Aside::begin();
    let done = write();
    drop(end);
    done
}

/// Erases the line permanently, unless the lock is held. The drawing thread may hold the lock while it waits for a
/// stopped terminal. At its end, the program must not wait for this thread.
pub(crate) fn give_up() {
    if let Ok(mut screen) = SCREEN.try_lock() {
        screen.aside += 1;
        screen.erase();
    }
}

/// Guard that prevents the line from being drawn.
struct Aside;

impl Aside {
    fn begin() -> Self {
        let mut screen = locked(&SCREEN);
        screen.aside += 1;
        screen.erase();
        Self
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        locked(&SCREEN).aside -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_full_as_what_is_done() {
        let bar = |done, of| Bar(Share { done, of }).to_string();
        assert_eq!(bar(0, 7), "[----------] 0%, ");
        assert_eq!(bar(3, 7), "[####------] 42%, ");
        assert_eq!(bar(7, 7), "[##########] 100%, ");
        // An impossible share is drawn as 100 %.
        assert_eq!(bar(9, 7), "[##########] 100%, ");
        assert_eq!(bar(0, 0), "[##########] 100%, ");
        assert_eq!(bar(u64::MAX - 1, u64::MAX), "[#########-] 99%, ");
    }

    #[test]
    fn times_that_are_left_are_rough() {
        let rough = |seconds| Rough(Duration::from_secs(seconds)).to_string();
        assert_eq!([0, 99, 100, 5999].map(rough), ["1 s", "99 s", "2 min", "100 min"]);
        assert_eq!([6000, 86_400].map(rough), ["2 h", "24 h"]);
    }

    #[test]
    fn a_text_is_cut_to_columns_not_to_characters() {
        assert_eq!(cut("| 3 s, solving", 8), "| 3 s, s");
        assert_eq!(cut("abc", 8), "abc");
        // Each character takes two columns.
        assert_eq!(cut("馬馬馬", 5), "馬馬");
        assert_eq!(cut("a\r\n\x1b[2Jb", 80), "a???[2Jb");
        assert_eq!(cut("abc", 0), "");
    }
}
