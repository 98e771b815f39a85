//! A line on standard error that says how far something is, where that is a terminal: it comes after a second,
//! moves as long as it is there, and is gone at the end.
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

use terminal_size::{Width, terminal_size_of};
use unicode_width::UnicodeWidthChar;

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the line moves.
const TICK: Duration = Duration::from_millis(200);

/// What moves in it.
const FRAMES: [char; 4] = ['|', '/', '-', '\\'];

/// What a terminal that does not say is taken to have.
const COLUMNS: usize = 80;

const ERASE_TO_THE_END: &str = "\x1b[J";

/// The line. It is gone when this is dropped.
pub(crate) struct Progress {
    ticker: Option<Ticker>,
}

struct Ticker {
    text: Text,
    /// Nothing is sent: the thread ends when this is gone.
    stop: Sender<Infallible>,
    thread: JoinHandle<()>,
}

type Text = Arc<Mutex<String>>;

/// What of it stands on the terminal.
struct Screen {
    /// The texts of all lines that there are: the last is shown, such as a part's of a whole.
    texts: Vec<Text>,
    shown: bool,
    /// How many want the terminal for themselves.
    aside: u32,
}

static SCREEN: Mutex<Screen> = Mutex::new(Screen {
    texts: Vec::new(),
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
        if !(can_erase && io::stderr().is_terminal()) {
            return Self { ticker: None };
        }
        let text = Arc::new(Mutex::new(text.to_string()));
        let (stop, stopped) = mpsc::channel();
        let shown = Arc::clone(&text);
        let began = Instant::now();
        let thread = thread::Builder::new().spawn(move || {
            let mut wait = PATIENCE;
            let mut frames = FRAMES.iter().cycle();
            while let (Err(RecvTimeoutError::Timeout), Some(frame)) =
                (stopped.recv_timeout(wait), frames.next())
            {
                locked(&SCREEN).draw(&shown, *frame, began.elapsed());
                wait = TICK;
            }
        });
        // Progress is a courtesy: without a thread there is none.
        let ticker = thread.ok().map(|thread| {
            locked(&SCREEN).texts.push(Arc::clone(&text));
            Ticker { text, stop, thread }
        });
        Self { ticker }
    }

    /// What is to be shown from now on. Without a terminal it is not even made.
    pub(crate) fn show(&self, text: fmt::Arguments<'_>) {
        if let Some(ticker) = &self.ticker {
            let mut shown = locked(&ticker.text);
            shown.clear();
            // Writing to a string does not fail.
            let _ = shown.write_fmt(text);
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&mut self) {
        if let Some(Ticker { text, stop, thread }) = self.ticker.take() {
            drop(stop);
            // That it panicked has been said.
            let _ = thread.join();
            let mut screen = locked(&SCREEN);
            screen.texts.retain(|other| !Arc::ptr_eq(other, &text));
            screen.erase();
        }
    }

    /// Takes the line away and leaves this one in its place for good, where standard error is a terminal.
    pub(crate) fn leave(mut self, text: fmt::Arguments<'_>) {
        self.clear();
        if io::stderr().is_terminal() {
            let _ = aside(|| writeln!(io::stderr(), "{text}"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Screen {
    fn draw(&mut self, text: &Text, frame: char, elapsed: Duration) {
        if self.aside > 0
            || !self
                .texts
                .last()
                .is_some_and(|last| Arc::ptr_eq(last, text))
        {
            return;
        }
        let size = terminal_size_of(io::stderr());
        let columns = size.map_or(COLUMNS, |(Width(columns), _)| columns.into());
        let whole = format!("{frame} {} s, {}", elapsed.as_secs(), locked(text));
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
    fn a_text_is_cut_to_columns_not_to_characters() {
        assert_eq!(cut("| 3 s, solving", 8), "| 3 s, s");
        assert_eq!(cut("abc", 8), "abc");
        // Two columns each.
        assert_eq!(cut("馬馬馬", 5), "馬馬");
        assert_eq!(cut("a\r\n\x1b[2Jb", 80), "a???[2Jb");
        assert_eq!(cut("abc", 0), "");
    }
}
