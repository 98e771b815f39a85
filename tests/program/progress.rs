//! Progress: bars on terminals, whole lines elsewhere, and no output with `--quiet`; colours; and the screen after an
//! interrupt.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::signal::Signal;

use crate::command::*;
use crate::terminal::{ERASE, on_terminal};

/// Returns a command with these arguments, without environment variables that affect colours and terminals.
fn hamcnf(args: &str) -> Command {
    plain(crate::command::hamcnf(args))
}

/// Removes the environment variables that affect colours and terminals.
fn plain(mut command: Command) -> Command {
    command.stdin(Stdio::null());
    for name in ["CLICOLOR_FORCE", "CLICOLOR", "NO_COLOR", "COLORTERM", "CI"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    command
}

/// Plan with three runs that each reach a time limit of two seconds.
const PLAN: &str = "title = 't'\nseeds = [1, 2, 3]\ntime_limit = 2\nexpect = 'tour'\n\
    questions = ['6x6']\nmethods = ['sleeper:binary']\n";

const RUN: &str = "run plan.toml -o results";

#[test]
fn an_experiment_has_a_bar_with_its_share_and_the_time_left() {
    let place = asleep();
    place.write("plan.toml", PLAN);
    let shown = on_terminal(plain(place.hamcnf(RUN)), 160, false, None);
    let frames = shown.frames();
    let has = |begin: &str, end: &str| {
        let mut frames = frames.iter();
        frames.any(|frame| frame.contains(begin) && frame.contains(end))
    };
    // Before the first run has ended, the remaining time is unknown.
    assert!(has("s, [----------] 0%, [1/3] 6x6, ", "seed 1"), "{frames:?}");
    assert!(has("s, [###-------] 33%, about ", " s left, [2/3] 6x6, "), "{frames:?}");
    assert!(has("s, [######----] 66%, about ", " s left, [3/3] 6x6, "), "{frames:?}");
    // A line about each finished run remains on the terminal.
    let left = shown.all().matches(": time limit in ").count();
    assert_eq!(left, 3, "{:?}", shown.all());
}

#[test]
fn an_experiment_says_on_a_pipe_what_has_ended_and_nothing_if_it_is_to_be_quiet() {
    let short = PLAN.replace("sleeper:", "").replace("time_limit = 2", "time_limit = 600");
    let place = Place::with("plan.toml", short);
    let output = place.run(RUN);
    output.exits(0);
    let said = output.err();
    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 3, "{said}");
    for (k, line) in lines.iter().enumerate() {
        assert!(line.starts_with(&format!("[{}/3] 6x6, ", k + 1)), "{line}");
        assert!(line.contains(": tour in ") && line.ends_with(" s"), "{line}");
        assert!(line.contains(&format!("seed {}", k + 1)), "{line}");
    }
    assert!(!said.contains(char::from(0x1b)), "{said}");
    place.run(&format!("{RUN} --fresh -q")).exits(0).notes_only("").and("Rows: ");
}

#[test]
fn what_is_counted_off_has_a_bar() {
    let place = asleep();
    let compared = "compare 6x6 --engines engines.toml -m sleeper:direct,sleeper:unary --time-limit 2";
    // Whoever reads the clauses is slow.
    let slowly = "\"$0\" encode 12x12 -e direct | (sleep 2; cat >/dev/null)";
    let mut read = Command::new("sh");
    read.args(["-c", slowly, env!("CARGO_BIN_EXE_hamcnf")]);
    for (command, unit) in [
        (place.hamcnf("count 6x40 --method zdd --cpu-limit 2"), " states, "),
        (read, " clauses"),
        (place.hamcnf(compared), "[2/2] sleeper:unary: 6x6"),
    ] {
        let args = format!("{command:?}");
        let shown = on_terminal(plain(command), 160, false, None);
        let frames = shown.frames();
        let bar = frames.iter().find(|frame| frame.contains("s, [") && frame.contains("%, ") && frame.contains(unit));
        assert!(bar.is_some(), "{args}: {frames:?}");
        assert!(!shown.stdout.contains('\x1b'), "{args}");
    }
}

#[test]
fn parts_and_what_they_have_done_are_shown() {
    let searching = plain(hamcnf("solve flower:201 --method lazy --cpu-limit 2"));
    let shown = on_terminal(searching, 160, false, None);
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
    run(warned).notes("is relaxed");
    for args in [
        format!("-q {warned}"),
        format!("--quiet {warned}"),
        format!("{warned} -q"),
        format!("{warned} --quiet"),
        "queens -q 6 encode".to_owned(),
        "queens 6 encode -q".to_owned(),
    ] {
        run(&args).exits(0).notes_only("");
    }
    // Errors are printed despite `--quiet`.
    run("-q solve 1x1x").refuses("1x1x");
    run("solve 3x3 -e nothing -q").refuses("nothing");
    for args in ["-q -v solve 6x6", "solve 6x6 -q -v", "-q solve 6x6 -v", "-v solve 6x6 --quiet"] {
        run(args).refuses("--quiet").refuses("--verbose");
    }
    for command in ["--help", "solve --help", "queens 8 count --help", "graph --help"] {
        let help = run(command).text(0);
        for option in ["-q, --quiet", "-v, --verbose"] {
            assert!(help.contains(option), "{command}: {help}");
        }
    }
}

#[test]
fn who_is_verbose_says_what_is_done_in_whole_lines() {
    let output = run("-v encode 6x6 -e relaxed --gbd-hash");
    output.prints(0, run("-q encode 6x6 -e relaxed --gbd-hash").out());
    let said = output.err();
    let lines: Vec<_> = said.lines().collect();
    let version = concat!("hamcnf ", env!("CARGO_PKG_VERSION"), " (CaDiCaL ");
    assert!(lines[0].starts_with(version), "{said}");
    assert!(lines[0].ends_with("): hamcnf -v encode 6x6 -e relaxed --gbd-hash"), "{said}");
    assert!(lines.contains(&"0 s, 6x6: counting clauses"), "{said}");
    assert!(lines.contains(&"0 s, 6x6: hashing clauses"), "{said}");

    let said = run("solve 12x12 -e binary --verbose --time-limit 1").err();
    assert!(said.contains(": generating clauses of binary\n"), "{said}");
    assert!(said.contains(" s, solving 12x12 knight, closed tours, start a1: CaDiCaL on 43385 clauses\n"), "{said}");

    // The program prints a line when the phase changes, and about every ten seconds.
    let said = asleep().run(&format!("{ASLEEP} 11.5 --verbose")).err();
    let about = " s, solving 6x6 knight, closed tours, start a1: running sleeper";
    let lines: Vec<_> = said.lines().filter(|line| line.contains(about)).collect();
    assert!((2..=3).contains(&lines.len()), "{said}");
    let last = lines.last().unwrap();
    let second = last.split_once(" s, ").map(|(second, _)| second.parse());
    assert!(matches!(second, Some(Ok(10..=30u32))), "{said}");
    assert!(!said.contains('\x1b') && !said.contains('\r'), "{said:?}");
}

#[test]
fn a_terminal_that_cannot_erase_gets_whole_lines_or_nothing() {
    let place = asleep();
    let command = |options: &str| plain(place.hamcnf(&format!("{ASLEEP} 2{options}")));
    let mut dumb = command("");
    dumb.env("TERM", "dumb");
    assert_eq!(on_terminal(dumb, 160, false, None).all(), "");
    let mut dumb = command(" -v");
    dumb.env("TERM", "dumb");
    let shown = on_terminal(dumb, 160, false, None);
    assert!(shown.all().contains(" s, solving 6x6 "), "{}", shown.all());
    assert!(!shown.all().contains('\x1b'), "{:?}", shown.all());
    assert_eq!(on_terminal(command(" -q"), 160, false, None).all(), "");
}

/// Tests in which environments the help and tours have colours, on a terminal and elsewhere.
#[test]
fn colours_are_as_the_environment_says() {
    let coloured = |args: &str, terminal: bool, environment: &[(&str, &str)]| {
        let mut command = hamcnf(args);
        command.envs(environment.iter().copied());
        let said = match terminal {
            true => on_terminal(command, 160, true, None).all(),
            false => command.ended().out(),
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
fn interrupted(mut command: Command) -> Ended {
    let child = command.begun();
    thread::sleep(Duration::from_millis(300));
    child.signal(Signal::SIGINT);
    child.ended()
}

#[test]
fn an_interrupt_says_what_is_lost_and_how_to_go_on() {
    for args in [
        "count 8x9",
        "solve 14x14 -e direct",
        "encode 60x60 -e direct -o /dev/null",
        "queens 14 count --method enumerate",
    ] {
        let output = interrupted(hamcnf(args));
        output.exits(130);
        let said = output.err();
        let last = said.lines().last().unwrap();
        assert_eq!(
            last,
            format!("hamcnf: interrupted: results not yet printed are lost; to start again: hamcnf {args}")
        );
    }
    let place = asleep();
    place.write("plan.toml", PLAN);
    let last = format!("hamcnf: interrupted: finished rows are kept; to continue: hamcnf {RUN}\n");
    interrupted(place.hamcnf(RUN)).exits(130).notes_only(last);
    // The message quotes the arguments, so that a shell parses them as the same arguments.
    let said = interrupted(hamcnf("solve '14x14 open from a1' -e direct")).err();
    assert!(said.ends_with(": hamcnf solve '14x14 open from a1' -e direct\n"), "{said}");
}

#[test]
fn an_interrupt_on_a_terminal_takes_the_line_away_first() {
    let mut limit = Command::new("timeout");
    limit
        .args(["--preserve-status", "--signal=INT", "2"])
        .arg(env!("CARGO_BIN_EXE_hamcnf"))
        .args(["encode", "60x60", "-e", "direct", "-o", "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::null());
    let shown = on_terminal(limit, 160, false, None);
    assert_eq!(shown.code, Some(130));
    let all = shown.all();
    let (before, _) = all.rsplit_once("hamcnf: interrupted: ").unwrap();
    // If another message was printed meanwhile, it is on a separate line, and no progress line needs to be erased.
    assert!(before.ends_with(&format!("\r{ERASE}")) || before.ends_with("\r\n"), "{:?}", shown.all());
    assert!(before.contains("60x60: "), "{:?}", shown.all());
}
