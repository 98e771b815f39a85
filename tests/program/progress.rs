//! Progress: bars on terminals, whole lines elsewhere, and no output with `--quiet`; colours; and the screen after an
//! interrupt.

use std::fs::{self, File};
use std::io::Read;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::command::{refused, run, stderr, stdout, text};

/// Output of a command on a terminal. Contains standard output separately if it was not on the terminal.
struct Shown {
    terminal: String,
    stdout: String,
    code: Option<i32>,
}

const ERASE: &str = "\x1b[J";

impl Shown {
    /// Returns all states of the progress line in order.
    fn frames(&self) -> Vec<&str> {
        let frames = self.terminal.split('\r');
        let frames = frames.filter_map(|frame| frame.strip_suffix(ERASE));
        frames.map(|frame| frame.trim_start_matches('\n')).collect()
    }
}

/// Returns a command with these arguments, without environment variables that affect colours and terminals.
fn hamcnf(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamcnf"));
    command.args(words).stdin(Stdio::null());
    for name in ["CLICOLOR_FORCE", "CLICOLOR", "NO_COLOR", "COLORTERM", "CI"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    command
}

/// Runs a command with standard error on a terminal. Standard output is on the terminal, too, if requested.
fn on_terminal(mut command: Command, with_stdout: bool) -> Shown {
    let size = Winsize { ws_row: 24, ws_col: 160, ws_xpixel: 0, ws_ypixel: 0 };
    let terminal = openpty(Some(&size), None).unwrap();
    let slave = File::from(terminal.slave);
    match with_stdout {
        true => command.stdout(slave.try_clone().unwrap()),
        false => command.stdout(Stdio::piped()),
    };
    let mut child = command.stderr(slave).spawn().unwrap();
    // The command holds one end of the terminal open. Unless it is dropped, the reader would wait for more output.
    drop(command);
    let reader = thread::spawn(move || {
        let mut master = File::from(terminal.master);
        let mut all = Vec::new();
        let mut buffer = [0; 4096];
        // On Linux, reading a terminal fails after its other ends are closed.
        while let Ok(n @ 1..) = master.read(&mut buffer) {
            all.extend_from_slice(&buffer[..n]);
        }
        String::from_utf8(all).unwrap()
    });
    let mut stdout = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut stdout).unwrap();
    }
    let code = child.wait().unwrap().code();
    let terminal = reader.join().unwrap();
    Shown { terminal, stdout, code }
}

fn words(args: &str) -> Vec<&str> {
    args.split_whitespace().collect()
}

/// Plan with three runs that each reach a time limit of two seconds.
const PLAN: &str = "title = 't'\nseeds = [1, 2, 3]\ntime_limit = 2\nexpect = 'tour'\n\
    questions = ['20x20']\nmethods = ['direct']\n";

fn plan(folder: &tempfile::TempDir) -> String {
    let file = folder.path().join("plan.toml");
    fs::write(&file, PLAN).unwrap();
    let results = folder.path().join("results");
    format!("run {} -o {}", file.display(), results.display())
}

#[test]
fn an_experiment_has_a_bar_with_its_share_and_the_time_left() {
    let folder = tempfile::tempdir().unwrap();
    let args = plan(&folder);
    let shown = on_terminal(hamcnf(&words(&args)), false);
    let frames = shown.frames();
    let has = |begin: &str, end: &str| {
        let mut frames = frames.iter();
        frames.any(|frame| frame.contains(begin) && frame.contains(end))
    };
    // Before the first run has ended, the remaining time is unknown.
    assert!(has("s, [----------] 0%, [1/3] 20x20, ", "seed 1"), "{frames:?}");
    assert!(has("s, [###-------] 33%, about ", " s left, [2/3] 20x20, "), "{frames:?}");
    assert!(has("s, [######----] 66%, about ", " s left, [3/3] 20x20, "), "{frames:?}");
    // A line about each finished run remains on the terminal.
    let left = shown.terminal.matches(": time limit in ").count();
    assert_eq!(left, 3, "{:?}", shown.terminal);
}

#[test]
fn an_experiment_says_on_a_pipe_what_has_ended_and_nothing_if_it_is_to_be_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let args = plan(&folder).replace("plan.toml", "short.toml");
    let short = PLAN.replace("'20x20'", "'6x6'").replace("'direct'", "'binary'");
    let short = short.replace("time_limit = 2", "time_limit = 600");
    fs::write(folder.path().join("short.toml"), short).unwrap();
    let output = hamcnf(&words(&args)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let said = stderr(&output);
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    for (k, line) in lines.iter().enumerate() {
        assert!(line.starts_with(&format!("[{}/3] 6x6, ", k + 1)), "{line}");
        assert!(line.contains(": tour in ") && line.ends_with(" s"), "{line}");
        assert!(line.contains(&format!("seed {}", k + 1)), "{line}");
    }
    assert!(!said.contains(char::from(0x1b)), "{said}");
    let quiet = format!("{args} --fresh -q");
    let output = hamcnf(&words(&quiet)).output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert!(stdout(&output).contains("Rows: "));
}

#[test]
fn what_is_counted_off_has_a_bar() {
    for (args, unit) in [
        ("count 6x40 --method zdd --cpu-limit 3", " states, "),
        ("encode 30x30 -e direct -o /dev/null", " clauses"),
        ("compare 10x10 -m exact,unary,direct --time-limit 2", "[2/3] unary: 10x10"),
    ] {
        let shown = limited(args);
        let frames = shown.frames();
        let bar = frames.iter().find(|frame| frame.contains("s, [") && frame.contains("%, ") && frame.contains(unit));
        assert!(bar.is_some(), "{args}: {frames:?}");
        assert!(!shown.stdout.contains('\x1b'), "{args}");
    }
}

/// Runs a command on a terminal, and interrupts it after a minute. The commands end by themselves within seconds, unless
/// the machine is busy.
fn limited(args: &str) -> Shown {
    let mut limit = Command::new("timeout");
    limit
        .args(["--preserve-status", "--signal=INT", "60"])
        .arg(env!("CARGO_BIN_EXE_hamcnf"))
        .args(words(args))
        .env("TERM", "xterm")
        .stdin(Stdio::null());
    on_terminal(limit, false)
}

#[test]
fn parts_and_what_they_have_done_are_shown() {
    let shown = limited("solve flower:201 --method lazy --cpu-limit 3");
    let frames = shown.frames();
    let found = frames.iter().any(|frame| {
        frame.contains(": lazy: ")
            && frame.contains(" conflicts, ")
            && frame.contains(" subtour constraints, ")
            && frame.contains(" cycles in the last model")
    });
    assert!(found, "{frames:?}");
}

#[test]
fn loudness_is_said_before_the_command_and_behind() {
    let warned = "encode 6x6 -e relaxed --gbd-hash";
    assert!(stderr(&run(warned)).contains("is relaxed"));
    for args in [
        format!("-q {warned}"),
        format!("--quiet {warned}"),
        format!("{warned} -q"),
        format!("{warned} --quiet"),
        "queens -q 6 encode".to_owned(),
        "queens 6 encode -q".to_owned(),
    ] {
        let output = run(&args);
        text(&output, 0);
        assert_eq!(stderr(&output), "", "{args}");
    }
    // Errors are printed despite `--quiet`.
    assert!(refused(&run("-q solve 1x1x")).contains("1x1x"));
    assert!(refused(&run("solve 3x3 -e nothing -q")).contains("nothing"));
    for args in ["-q -v solve 6x6", "solve 6x6 -q -v", "-q solve 6x6 -v", "-v solve 6x6 --quiet"] {
        let said = refused(&run(args));
        assert!(said.contains("--quiet") && said.contains("--verbose"), "{args}: {said}");
    }
    for command in ["--help", "solve --help", "queens 8 count --help", "graph --help"] {
        let help = text(&run(command), 0);
        for option in ["-q, --quiet", "-v, --verbose"] {
            assert!(help.contains(option), "{command}: {help}");
        }
    }
}

#[test]
fn who_is_verbose_says_what_is_done_in_whole_lines() {
    let output = run("-v encode 6x6 -e relaxed --gbd-hash");
    assert_eq!(text(&output, 0), stdout(&run("-q encode 6x6 -e relaxed --gbd-hash")));
    let said = stderr(&output);
    let lines: Vec<_> = said.lines().collect();
    let version = concat!("hamcnf ", env!("CARGO_PKG_VERSION"), " (CaDiCaL ");
    assert!(lines[0].starts_with(version), "{said}");
    assert!(lines[0].ends_with("): hamcnf -v encode 6x6 -e relaxed --gbd-hash"), "{said}");
    assert!(lines.contains(&"0 s, 6x6: counting clauses"), "{said}");
    assert!(lines.contains(&"0 s, 6x6: hashing clauses"), "{said}");

    // The program prints a line when the phase changes, and about every ten seconds.
    let output = run("solve 20x20 -e binary --time-limit 11.5 --verbose");
    let said = stderr(&output);
    let about = " s, solving 20x20 knight, closed tours, start a1: CaDiCaL on 154829 clauses";
    let lines: Vec<_> = said.lines().filter(|line| line.contains(about)).collect();
    assert!((2..=3).contains(&lines.len()), "{said}");
    let last = lines.last().unwrap();
    let second = last.split_once(" s, ").map(|(second, _)| second.parse());
    assert!(matches!(second, Some(Ok(10..=30u32))), "{said}");
    assert!(said.contains(": generating clauses of binary\n"), "{said}");
    assert!(!said.contains('\x1b') && !said.contains('\r'), "{said:?}");
}

#[test]
fn a_terminal_that_cannot_erase_gets_whole_lines_or_nothing() {
    let args = words("solve 14x14 -e direct --time-limit 2");
    let mut command = hamcnf(&args);
    command.env("TERM", "dumb");
    assert_eq!(on_terminal(command, false).terminal, "");
    let mut command = hamcnf(&args);
    command.env("TERM", "dumb").arg("-v");
    let shown = on_terminal(command, false);
    assert!(shown.terminal.contains(" s, solving 14x14 "), "{}", shown.terminal);
    assert!(!shown.terminal.contains('\x1b'), "{:?}", shown.terminal);
    let mut command = hamcnf(&args);
    command.arg("-q");
    assert_eq!(on_terminal(command, false).terminal, "");
}

/// Tests in which environments the help and tours have colours, on a terminal and elsewhere.
#[test]
fn colours_are_as_the_environment_says() {
    let coloured = |args: &str, terminal: bool, environment: &[(&str, &str)]| {
        let mut command = hamcnf(&words(args));
        command.envs(environment.iter().copied());
        let said = match terminal {
            true => on_terminal(command, true).terminal,
            false => stdout(&command.output().unwrap()),
        };
        assert!(!said.is_empty());
        said.contains("\x1b[")
    };
    for args in ["solve --help", "solve 6x6"] {
        assert!(coloured(args, true, &[]), "{args}");
        assert!(!coloured(args, false, &[]), "{args}");
        assert!(!coloured(args, true, &[("NO_COLOR", "1")]), "{args}");
        assert!(!coloured(args, true, &[("TERM", "dumb")]), "{args}");
        assert!(!coloured(args, true, &[("CLICOLOR", "0")]), "{args}");
        assert!(coloured(args, false, &[("CLICOLOR_FORCE", "1")]), "{args}");
        let both = [("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")];
        assert!(!coloured(args, false, &both), "{args}");
    }
}

/// Starts a command, interrupts it after a while, and returns its output.
fn interrupted(args: &str) -> Output {
    let mut command = hamcnf(&words(args));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(1500));
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn an_interrupt_says_what_is_lost_and_how_to_go_on() {
    for args in [
        "count 8x9",
        "solve 14x14 -e direct",
        "encode 60x60 -e direct -o /dev/null",
        "queens 14 count --method enumerate",
    ] {
        let output = interrupted(args);
        assert_eq!(output.status.code(), Some(130), "{args}");
        let said = stderr(&output);
        let last = said.lines().last().unwrap();
        assert_eq!(
            last,
            format!("hamcnf: interrupted: results not yet printed are lost; to start again: hamcnf {args}")
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let args = plan(&folder);
    let output = interrupted(&args);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(stderr(&output), format!("hamcnf: interrupted: finished rows are kept; to continue: hamcnf {args}\n"));
    // The message quotes the arguments, so that a shell parses them as the same arguments.
    let child = hamcnf(&["solve", "14x14 open from a1", "-e", "direct"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(1500));
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
    let said = stderr(&child.wait_with_output().unwrap());
    assert!(said.ends_with(": hamcnf solve '14x14 open from a1' -e direct\n"), "{said}");
}

#[test]
fn an_interrupt_on_a_terminal_takes_the_line_away_first() {
    let mut limit = Command::new("timeout");
    limit
        .args(["--preserve-status", "--signal=INT", "6"])
        .arg(env!("CARGO_BIN_EXE_hamcnf"))
        .args(words("encode 60x60 -e direct -o /dev/null"))
        .env("TERM", "xterm")
        .stdin(Stdio::null());
    let shown = on_terminal(limit, false);
    assert_eq!(shown.code, Some(130));
    let (before, _) = shown.terminal.rsplit_once("hamcnf: interrupted: ").unwrap();
    // If another message was printed meanwhile, it is on a separate line, and no progress line needs to be erased.
    assert!(before.ends_with(&format!("\r{ERASE}")) || before.ends_with("\r\n"), "{:?}", shown.terminal);
    assert!(before.contains("60x60: "), "{:?}", shown.terminal);
}
