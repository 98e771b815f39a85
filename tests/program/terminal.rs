//! Commands on a terminal, for tests of progress and colours.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};

/// Characters that erase the progress line.
pub(crate) const ERASE: &str = "\x1b[J";

/// Output of a command on a terminal, in pieces with the times of their arrival. Contains standard output separately if
/// it was not on the terminal.
pub(crate) struct Shown {
    pub(crate) pieces: Vec<(Duration, String)>,
    pub(crate) stdout: String,
    pub(crate) code: Option<i32>,
}

impl Shown {
    pub(crate) fn all(&self) -> String {
        self.pieces.iter().map(|(_, text)| text.as_str()).collect()
    }

    /// Returns all states of the progress line in order. An empty state, which erases the line, is left out.
    pub(crate) fn frames(&self) -> Vec<String> {
        let all = self.all();
        let frames = all.split('\r').filter_map(|frame| frame.strip_suffix(ERASE));
        let frames = frames.map(|frame| frame.trim_start_matches('\n').to_owned());
        frames.filter(|frame| !frame.is_empty()).collect()
    }
}

/// Runs a command with standard error on a terminal with this number of columns. Standard output is on the terminal,
/// too, if requested. `then` contains the time at which the terminal is resized, and the new number of columns.
pub(crate) fn on_terminal(
    mut command: Command,
    columns: u16,
    with_stdout: bool,
    then: Option<(Duration, u16)>,
) -> Shown {
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(Some(&size), None).unwrap();
    let slave = File::from(terminal.slave);
    match with_stdout {
        true => command.stdout(slave.try_clone().unwrap()),
        false => command.stdout(Stdio::piped()),
    };
    let began = Instant::now();
    let mut child = command.stdin(Stdio::null()).stderr(slave.try_clone().unwrap()).spawn().unwrap();
    // The command holds one end of the terminal open. Unless it is dropped, the reader would wait for more output.
    drop(command);
    let resized = thread::spawn(move || {
        if let Some((when, columns)) = then {
            thread::sleep(when);
            let mut stty = Command::new("stty");
            assert!(stty.args(["cols", &columns.to_string()]).stdin(slave).status().unwrap().success());
        }
    });
    let reader = thread::spawn(move || {
        let mut master = File::from(terminal.master);
        let (mut pieces, mut rest) = (Vec::new(), Vec::new());
        let mut buffer = [0; 4096];
        // On Linux, reading a terminal fails after its other ends are closed.
        while let Ok(n @ 1..) = master.read(&mut buffer) {
            rest.extend_from_slice(&buffer[..n]);
            if let Ok(text) = String::from_utf8(rest.clone()) {
                pieces.push((began.elapsed(), text));
                rest.clear();
            }
        }
        pieces
    });
    let mut stdout = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut stdout).unwrap();
    }
    let code = child.wait().unwrap().code();
    resized.join().unwrap();
    Shown { pieces: reader.join().unwrap(), stdout, code }
}
