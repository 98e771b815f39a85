//! Messages to users during work and before large output.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use hamcnf::render::{Colours, Scene, Style, sheet, svg};
use hamcnf::{Board, Instance, Queens, Tour, TourKind, Vertex};

use crate::command::*;
use crate::terminal::{ERASE, Shown, on_terminal};

#[test]
fn commands_that_messages_name_print_the_help() {
    let messages = include_str!("transcripts/words.txt").split("ee `hamcnf ").skip(1);
    let named: BTreeSet<_> = messages.map(|message| message.split('`').next().unwrap()).collect();
    assert!(named.len() > 5, "{named:?}");
    for help in named {
        run(help).says(0, "Usage: hamcnf");
    }
}

/// Runs a command on a terminal of this kind and width. `then` resizes the terminal.
fn shown(place: &Place, args: &str, name: &str, columns: u16, then: Option<(Duration, u16)>) -> Shown {
    let mut command = place.hamcnf(args);
    command.env("TERM", name);
    on_terminal(command, columns, false, then)
}

/// Returns a command that is given a limit of `seconds` and reaches it without an answer.
fn long(seconds: u32) -> String {
    format!("{ASLEEP} {seconds} --json")
}

#[test]
fn progress_moves_in_one_line_and_is_gone_at_the_end() {
    for args in ["count 9x10 --method sample --states 4000000 --time-limit 3", &long(3)] {
        let shown = shown(&asleep(), args, "xterm", 20, None);
        let first = shown.pieces.first().unwrap().0;
        assert!(first >= Duration::from_millis(900), "{first:?}");
        let all = shown.all();
        let last = all.rfind(ERASE).unwrap();
        assert!(all[..last].ends_with('\r'), "{all:?}");
        let frames = shown.frames();
        assert!(frames.len() >= 2, "{frames:?}");
        assert!(frames.windows(2).all(|two| two[0] != two[1]), "{frames:?}");
        assert!(frames.iter().any(|frame| frame.contains("1 s, ")), "{frames:?}");
        for frame in &frames {
            assert!(frame.len() < 20 && !frame.contains(char::is_control), "{frame:?}");
        }
        assert!(!shown.stdout.contains('\x1b'));
    }
}

#[test]
fn progress_follows_the_width_of_the_terminal() {
    let then = Some((Duration::from_millis(1800), 20));
    let frames = shown(&asleep(), &long(3), "xterm", 60, then).frames();
    let lengths: Vec<_> = frames.iter().map(String::len).collect();
    assert!(lengths.iter().any(|&length| length > 20 && length < 60), "{lengths:?}");
    assert!(lengths.contains(&19), "{lengths:?}");
    let narrow = frames.iter().position(|frame| frame.len() == 19).unwrap();
    assert!(frames[narrow..].iter().all(|frame| frame.len() < 20), "{frames:?}");
}

#[test]
fn no_control_characters_where_they_would_not_be_understood() {
    let place = asleep();
    let shown = self::shown(&place, &long(2), "dumb", 80, None);
    assert_eq!(shown.all(), "");
    assert!(shown.stdout.contains("timeout"));
    // If standard error is not a terminal, no progress is shown.
    place.hamcnf(&long(2)).env("TERM", "xterm").ended().notes_only("");
    // A command that ends quickly shows no progress.
    assert_eq!(self::shown(&place, "solve 6x6", "xterm", 80, None).all(), "");
}

#[test]
fn messages_stand_in_lines_of_their_own() {
    // The warning is printed while a progress line is shown. No part of the line may remain before the warning.
    let shown = shown(&Place::new(), "count 8x8 --open --memory-limit 20M --threads 1 --try", "xterm", 80, None).all();
    for (before, _) in shown.match_indices("hamcnf: ") {
        let before = &shown[..before];
        assert!(before.is_empty() || before.ends_with('\n') || before.ends_with(&format!("\r{ERASE}")), "{shown:?}");
    }
    assert!(shown.contains("more than the memory limit"), "{shown:?}");
}

/// Starts a command, and returns its first line on standard error, which is printed before the work is done.
fn first_message(args: &str) -> String {
    let mut child = hamcnf(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = Vec::new();
    let mut byte = [0];
    let mut pipe = child.stderr.take().unwrap();
    while matches!(pipe.read(&mut byte), Ok(1)) && byte[0] != b'\n' {
        said.push(byte[0]);
    }
    // The signal acts like a user's interrupt, so that the program removes its unfinished file.
    let pid = nix::unistd::Pid::from_raw(child.id().try_into().unwrap());
    let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGTERM);
    child.wait().unwrap();
    String::from_utf8(said).unwrap()
}

#[test]
fn large_outputs_are_announced_before_they_are_written() {
    let folder = Place::new();
    let file = |name: &str| folder.path(name).display().to_string();
    let cnf = file("x.cnf");
    let said = first_message(&format!("encode 30x30 -e direct -o {cnf}"));
    assert_eq!(
        said,
        "hamcnf: 30x30: the formula has 7.3e8 clauses, about 12 GiB as DIMACS; --encoding binary has only 4.1e5 clauses"
    );
    let said = first_message(&format!("queens 512 encode -o {cnf}"));
    assert!(said.contains("as DIMACS; --at-most-one ladder has "), "{said}");
    // The unfinished file was removed.
    assert_eq!(folder.names("").len(), 0);
    let svg = file("x.svg");
    let said = first_message(&format!("tour 1000x1000 --open --render {svg}"));
    assert_eq!(said, format!("hamcnf: {svg}: the SVG file will take about 272 MiB; a .png file is smaller"));
    // Before small output, no warning is printed.
    run(&format!("encode 8x8 -e direct -o {cnf}")).notes_only("");
    assert_eq!(run(&format!("tour 20x20 --render {svg}")).err(), "");
}

#[test]
fn pictures_are_about_as_large_as_announced() {
    let board: Board = "30x30".parse().unwrap();
    let instance = Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap();
    let options = hamcnf::search::Options {
        method: hamcnf::search::Method::Warnsdorff,
        descents: hamcnf::search::Descents {
            ties: hamcnf::search::best_ties(&instance),
            rotations: true,
            restarts: 1000,
        },
        order: hamcnf::search::Order::Graph,
        seed: 0,
        node_limit: None,
        budget: hamcnf::budget::Budget::default(),
    };
    let found = hamcnf::search::search(&instance, &options, &mut |_, _| ()).unwrap();
    let hamcnf::search::SearchResult::Tour(tour) = found.outcome else {
        panic!("there is a tour");
    };
    let tour: Tour = tour;
    for numbers in [false, true] {
        for colours in [Colours::Along, Colours::One] {
            for animate in [false, true] {
                let style = Style { numbers, colours, animate };
                let scene = sheet::scene(vec![Scene::tour(&instance, &tour, style)], None);
                let written = svg::document(&scene).len() as f64;
                let announced = svg::bytes_of_tour(instance.n().into(), style) as f64;
                let error = announced / written - 1.0;
                assert!(error.abs() < 0.2, "{style:?}: {error}");
            }
        }
    }
    let queens: Queens = "50".parse().unwrap();
    let file = Place::new();
    let svg_file = file.path("queens.svg");
    run(&format!("queens 50 solve --render {}", svg_file.display())).exits(10);
    let written = fs::metadata(svg_file).unwrap().len() as f64;
    let announced = svg::bytes_of_placement(u64::from(queens.n()).pow(2)) as f64;
    assert!((announced / written - 1.0).abs() < 0.25, "{written}");
}

fn decompressed(file: &Path) -> String {
    zstd::decode_all(File::open(file).unwrap()).map(|bytes| String::from_utf8(bytes).unwrap()).unwrap()
}

#[test]
fn zstandard_is_written() {
    let folder = Place::new();
    for (args, plain) in
        [("encode 6x6", "encode 6x6"), ("queens 6 encode", "queens 6 encode"), ("queens 6 list", "queens 6 list")]
    {
        let file = folder.path("x.zst");
        run(&format!("{args} -o {}", file.display())).exits(0);
        assert_eq!(decompressed(&file), run(plain).out(), "{args}");
    }
}

#[test]
fn progress_does_not_mix_with_an_answer_on_the_same_terminal() {
    // Standard output and standard error share one terminal, as they usually do for users.
    let place = asleep();
    let mut command = place.hamcnf(&long(2));
    command.env("TERM", "xterm");
    let shown = on_terminal(command, 80, true, None).all();
    let (before, answer) = shown.split_once('{').unwrap();
    assert!(before.ends_with(&format!("\r{ERASE}")), "{shown:?}");
    assert!(answer.trim_end().ends_with('}') && !answer.contains(ERASE), "{answer}");
}
