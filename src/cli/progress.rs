//! How far something is, on standard error: on a terminal a line that comes after a second, moves as long as it is there, and
//! is gone at the end, with a bar where it is known how much is done of all; where there is none, and with `--verbose`,
//! whole lines, one at every change of what is done and one every ten seconds.
//!
//! A thread draws it, so that it moves in long steps too that report nothing. The cursor stays at its beginning:
//! there a terminal that is made narrower keeps it when it breaks the line in two, and erasing from there to the
//! end of the screen takes both halves away. Whatever else is written to the terminal meanwhile goes through
//! [`aside`], which takes the line away first.

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

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line moves.
const TICK: Duration = Duration::from_millis(200);

/// Between two whole lines about the same.
const PAUSE: Duration = Duration::from_secs(10);

/// What moves in it.
const FRAMES: [char; 4] = ['|', '/', '-', '\\'];

/// What a terminal that does not say is taken to have.
const COLUMNS: usize = 80;

/// How long the bar is.
const BAR: u64 = 10;

const ERASE_TO_THE_END: &str = "\x1b[J";

/// The line. It is gone when this is dropped.
pub(crate) struct Progress {
    ticker: Option<Ticker>,
}

struct Ticker {
    far: Shared,
    began: Instant,
    how: How,
    /// Nothing is sent: the thread ends when this is gone.
    stop: Sender<Infallible>,
    thread: JoinHandle<()>,
}

/// How it is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// By a line that moves.
    Line,
    /// By whole lines.
    Lines,
}

/// How far it is.
#[derive(Default)]
struct Far {
    text: String,
    share: Option<Share>,
    left: Option<Duration>,
}

type Shared = Arc<Mutex<Far>>;

impl fmt::Display for Far {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(left) = self.left {
            write!(f, "about {} left, ", Rough(left))?;
        }
        f.write_str(&self.text)
    }
}

/// A bar with the share that is done: `[####------] 43%, `.
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

/// A time that is estimated.
struct Rough(Duration);

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

/// What of it stands on the terminal.
struct Screen {
    /// How far all is that there is a line of: the last is shown, such as a part's of a whole.
    all: Vec<Shared>,
    shown: bool,
    /// How many want the terminal for themselves.
    aside: u32,
}

static SCREEN: Mutex<Screen> = Mutex::new(Screen {
    all: Vec::new(),
    shown: false,
    aside: 0,
});

/// A lock. Whoever panicked with it left a line at worst.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Progress {
    /// A line with this text, from a second on.
    pub(crate) fn new(text: fmt::Arguments<'_>) -> Self {
        let can_erase = env::var_os("TERM").is_some_and(|name| !name.is_empty() && name != "dumb");
        let how = match verbosity::is_quiet() {
            true => None,
            false if can_erase && io::stderr().is_terminal() => Some(How::Line),
            false => verbosity::is_verbose().then_some(How::Lines),
        };
        let Some(how) = how else {
            return Self { ticker: None };
        };
        let far = Arc::new(Mutex::new(Far {
            text: text.to_string(),
            ..Far::default()
        }));
        let (stop, stopped) = mpsc::channel();
        let shown = Arc::clone(&far);
        let began = Instant::now();
        if how == How::Lines {
            whole_line(&far, began);
        }
        let thread = thread::Builder::new().spawn(move || match how {
            How::Line => {
                let mut wait = PATIENCE;
                let mut frames = FRAMES.iter().cycle();
                while let (Err(RecvTimeoutError::Timeout), Some(frame)) =
                    (stopped.recv_timeout(wait), frames.next())
                {
                    locked(&SCREEN).draw(&shown, *frame, began.elapsed());
                    wait = TICK;
                }
            }
            How::Lines => {
                while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(PAUSE) {
                    if locked(&SCREEN).is_last(&shown) {
                        whole_line(&shown, began);
                    }
                }
            }
        });
        // Progress is a courtesy: without a thread there is none.
        let ticker = thread.ok().map(|thread| {
            locked(&SCREEN).all.push(Arc::clone(&far));
            Ticker {
                far,
                began,
                how,
                stop,
                thread,
            }
        });
        Self { ticker }
    }

    /// What is to be shown from now on. Where nobody sees it, it is not even made.
    pub(crate) fn show(&self, text: fmt::Arguments<'_>) {
        self.show_share(None, None, text);
    }

    /// The same, with the share that is done and an estimate of the time that is left, where they are known.
    pub(crate) fn show_share(
        &self,
        share: Option<Share>,
        left: Option<Duration>,
        text: fmt::Arguments<'_>,
    ) {
        if let Some(ticker) = &self.ticker {
            let mut far = locked(&ticker.far);
            (far.share, far.left) = (share, left);
            far.text.clear();
            // Writing to a string does not fail.
            let _ = far.text.write_fmt(text);
        }
    }

    /// Shows that something else is done now.
    pub(crate) fn begin(
        &self,
        share: Option<Share>,
        left: Option<Duration>,
        text: fmt::Arguments<'_>,
    ) {
        self.show_share(share, left, text);
        if let Some(Ticker {
            far,
            began,
            how: How::Lines,
            ..
        }) = &self.ticker
        {
            whole_line(far, *began);
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if let Some(Ticker {
            far, stop, thread, ..
        }) = self.ticker.take()
        {
            drop(stop);
            // That it panicked has been said.
            let _ = thread.join();
            let mut screen = locked(&SCREEN);
            screen.all.retain(|other| !Arc::ptr_eq(other, &far));
            screen.erase();
        }
    }

    /// Takes the line away and leaves this one in its place for good: on a terminal and elsewhere.
    pub(crate) fn leave(mut self, text: fmt::Arguments<'_>) {
        self.clear();
        ended(text);
    }
}

/// Says how one of several ended, unless nothing is to be said.
pub(crate) fn ended(text: fmt::Arguments<'_>) {
    if !verbosity::is_quiet() {
        let line = text.to_string().replace('\n', ", ");
        // A courtesy: that it cannot be written stops nothing.
        let _ = aside(|| writeln!(io::stderr(), "{line}"));
    }
}

/// Says how far it is in a line that stays.
fn whole_line(far: &Shared, began: Instant) {
    let line = {
        let far = locked(far);
        let done = far.share.map(|share| format!("{}%, ", share.parts(100)));
        let done = done.unwrap_or_default();
        let seconds = began.elapsed().as_secs();
        format!("{seconds} s, {done}{far}").replace(char::is_control, "?")
    };
    let _ = aside(|| writeln!(io::stderr(), "{line}"));
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Screen {
    /// Whether this is what is shown.
    fn is_last(&self, far: &Shared) -> bool {
        self.all.last().is_some_and(|last| Arc::ptr_eq(last, far))
    }

    fn draw(&mut self, far: &Shared, frame: char, elapsed: Duration) {
        if self.aside > 0 || !self.is_last(far) {
            return;
        }
        let size = terminal_size_of(io::stderr());
        let columns = size.map_or(COLUMNS, |(Width(columns), _)| columns.into());
        let far = locked(far);
        let bar = far.share.map(|share| Bar(share).to_string());
        let bar = bar.unwrap_or_default();
        let whole = format!("{frame} {} s, {bar}{far}", elapsed.as_secs());
        // The last column stays free, since some terminals go on to the next line behind it.
        let fitting = cut(&whole, columns.saturating_sub(1));
        self.shown = true;
        // At once, so that it does not flicker. That it cannot be written stops nothing.
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

/// As much of a text as fits into so many columns. What moves the cursor becomes a question mark.
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

/// Does something that writes to the terminal, with no line in its way.
pub(crate) fn aside<T>(write: impl FnOnce() -> T) -> T {
    let end = Aside::begin();
    let done = write();
    drop(end);
    done
}

/// Takes the line away for good, if that can be done at once: who draws it may be waiting for a terminal that has
/// been stopped, and the end of the program does not wait for that.
pub(crate) fn give_up() {
    if let Ok(mut screen) = SCREEN.try_lock() {
        screen.aside += 1;
        screen.erase();
    }
}

/// As long as it lives no line is drawn.
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
        // What cannot be is drawn all the same.
        assert_eq!(bar(9, 7), "[##########] 100%, ");
        assert_eq!(bar(0, 0), "[##########] 100%, ");
        assert_eq!(bar(u64::MAX - 1, u64::MAX), "[#########-] 99%, ");
    }

    #[test]
    fn times_that_are_left_are_rough() {
        let rough = |seconds| Rough(Duration::from_secs(seconds)).to_string();
        assert_eq!(
            [0, 99, 100, 5999].map(rough),
            ["1 s", "99 s", "2 min", "100 min"]
        );
        assert_eq!([6000, 86_400].map(rough), ["2 h", "24 h"]);
    }

    #[test]
    fn a_text_is_cut_to_columns_not_to_characters() {
        assert_eq!(cut("| 3 s, solving", 8), "| 3 s, s");
        assert_eq!(cut("abc", 8), "abc");
        // Two columns each.
        assert_eq!(cut("馬馬馬", 5), "馬馬");
        assert_eq!(cut("a\r\n\x1b[2Jb", 80), "a???[2Jb");
        assert_eq!(cut("abc", 0), "");
    }
}
