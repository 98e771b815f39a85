//! Tests of the program as users see it: output, exit codes, and messages about invalid input.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use hamcnf::harness::rows::read_rows;
use serde_json::Value;

use crate::command::{feed, hamcnf, refused, run, stderr, stdout, text};

#[test]
fn sizes_prints_table_1() {
    insta::assert_snapshot!(stdout(&run("sizes")));
}

#[test]
fn sizes_by_family_says_what_the_clauses_are() {
    insta::assert_snapshot!(stdout(&run("sizes 6x6 --by-family")));
}

#[test]
fn sizes_in_every_format() {
    let all = ["markdown", "csv", "json"]
        .map(|format| stdout(&run(&format!("sizes 3x4 5x6 3x4 --open --start a1 -e binary,direct --format {format}"))));
    let json: serde_json::Value = serde_json::from_str(&all[2]).unwrap();
    // The last four columns (version, commit, solver and machine) do not describe sizes.
    let without = |line: &str| line.rsplitn(5, ',').nth(4).map(str::to_owned);
    let rows: Vec<_> = all[1].lines().map(|line| without(line).unwrap()).collect();
    let all = [all[0].clone(), rows.join("\n"), all[2].clone()];
    insta::assert_snapshot!(all.join("\n"));
    assert_eq!(json.as_array().unwrap().len(), 4);
}

#[test]
fn tables_of_sizes_mark_relaxed_encodings() {
    let note = "\nEncodings marked * are relaxed: some models consist of several cycles instead of a tour.\n";
    for args in [
        "sizes 6x6 8x8 -e direct,relaxed",
        "sizes 6x6 -e direct,relaxed --format markdown",
        "sizes 6x6 -e direct,relaxed --by-family",
        "sizes 6x6 -e direct,relaxed --by-family --format markdown",
        "compare 5x6 -m direct,relaxed",
        "compare 5x6 -m direct,relaxed --format markdown",
    ] {
        let table = stdout(&run(args));
        assert!(table.contains("relaxed* "), "{args}: {table}");
        assert!(!table.contains("direct*"), "{args}: {table}");
        assert!(table.ends_with(note), "{args}: {table}");
        let exact = stdout(&run(&args.replace(",relaxed", "")));
        assert!(!exact.contains('*'), "{args}: {exact}");
    }
}

#[test]
fn sizes_check_finds_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stored.csv");
    let check = |boards: &str| run(&format!("sizes {boards} --check {}", file.display()));

    let stored = stdout(&run("sizes 5x6 6x6 --by-family --format csv"))
        + stdout(&run("sizes 5x5 --open --start c3 --pruning full --at-most-one ladder --format csv"))
            .split_once('\n')
            .unwrap()
            .1;
    fs::write(&file, &stored).unwrap();
    let same = check("");
    assert_eq!(same.status.code(), Some(0), "{}", stdout(&same));
    let rows = stored.lines().count() - 1;
    assert_eq!(stdout(&same), format!("{rows} rows of 3 boards and graphs agree with {}\n", file.display()));

    let changed = stored.replace(",370,5605,nonunit=", ",370,5604,nonunit=");
    assert_ne!(changed, stored);
    fs::write(&file, &changed).unwrap();
    let different = check("");
    assert_eq!(different.status.code(), Some(1));
    assert_eq!(
        stdout(&different),
        format!(
            "6x6, size:binary: clauses is 5605, but the stored value is 5604\n1 difference from {}\n",
            file.display()
        )
    );

    // A file that is cut off within a line or between two lines is detected.
    let cut = stdout(&run("sizes 5x6 6x6 --format csv"));
    fs::write(&file, &cut[..cut.len() - 9]).unwrap();
    assert!(refused(&check("")).contains("is incomplete: the last line has no newline"));
    let lines: Vec<_> = cut.lines().collect();
    fs::write(&file, lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    assert!(
        stdout(&check(""))
            .contains("6x6, size:edges: the row is missing, although other boards have a row of this method\n")
    );

    let gone = stored.replace("(W)", "(V)");
    fs::write(&file, gone).unwrap();
    let text = stdout(&check(""));
    assert!(text.contains(": no value of (W).clauses is stored"), "{text}");
    assert!(text.contains(": a value of (V).clauses is stored, but the new measurement has none"), "{text}");

    let twice = stored.clone() + stored.lines().last().unwrap() + "\n";
    fs::write(&file, twice).unwrap();
    let text = stdout(&check(""));
    assert!(text.contains("5x5 open from c3, size:") && text.contains("stored twice"), "{text}");

    fs::write(&file, &stored).unwrap();
    let six = stored.lines().filter(|line| line.starts_with("3,6x6,")).count();
    assert_eq!(stdout(&check("6x6")), format!("{six} rows of 1 board or graph agree with {}\n", file.display()));
    assert!(refused(&check("8x8")).ends_with("has no rows of 8x8"));
    let direct = stored.lines().filter(|line| !line.contains(",size:unary")).collect::<Vec<_>>();
    fs::write(&file, direct.join("\n") + "\n").unwrap();
    assert!(refused(&check("6x6 -e unary")).ends_with("has no rows of unary to compare"));

    fs::write(&file, "nonsense\n1\n").unwrap();
    assert!(refused(&check("")).starts_with("cannot read"));
    fs::write(&file, "").unwrap();
    assert!(refused(&check("")).ends_with("has no rows to compare"));
    assert!(refused(&run("sizes --check /nowhere/x.csv")).contains("No such file"));
}

#[test]
fn solve_shows_a_checked_tour() {
    let output = run("solve 5x6");
    assert_eq!(output.status.code(), Some(10));
    let text = stdout(&output);
    assert!(text.starts_with("5x6 knight, closed tours, start a1: a tour, checked"), "{text}");
    assert!(text.contains("│ 30 │"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours where there is no terminal");
    assert_eq!(stderr(&output), "");
}

#[test]
fn boards_without_a_tour_exit_with_20() {
    for board in ["3x3", "5x5", "4x4"] {
        for encoding in ["direct", "unary", "binary"] {
            let output = run(&format!("solve {board} -e {encoding}"));
            assert_eq!(output.status.code(), Some(20), "{board} {encoding}");
            assert!(stdout(&output).contains("there is no tour"));
        }
    }
}

#[test]
fn a_time_limit_exits_with_3_and_does_not_claim_anything() {
    let output = run("solve 14x14 --encoding unary --time-limit 0.01");
    assert_eq!(output.status.code(), Some(3));
    assert!(stdout(&output).contains("no answer within the time limit"));
    let output = run("solve 14x14 --encoding unary --time-limit 0.01 --dimacs");
    assert_eq!(stdout(&output), "s UNKNOWN\n");
    let output = run("solve 14x14 --encoding unary --time-limit 0.01 --json");
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&json["status"], &json["tour"]), (&"timeout".into(), &serde_json::Value::Null));
}

#[test]
fn json_has_the_tour_and_what_it_took() {
    let output = run("solve 6x6 -e binary --json --seed 3 --start 7");
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["status"], "tour");
    assert_eq!(json["details"]["start"], "b2");
    assert_eq!(json["seed"], 3);
    assert_eq!(json["variables"], 370);
    assert_eq!((&json["tour"][0], &json["numbering"]), (&"b2".into(), &"squares".into()));
    assert_eq!(json["tour"].as_array().unwrap().len(), 36);
    let statistics = &json["details"]["statistics"];
    assert!(statistics["conflicts"].is_u64() && json["peak_rss_kib"].as_u64().unwrap() > 1000);
}

#[test]
fn the_same_arguments_give_the_same_bytes_and_the_same_search() {
    let text = |args: &str| stdout(&run(args));
    let encode = "encode 6x6 -e unary --varnames --project arcs";
    assert_eq!(text(encode), text(encode));
    // The board is large enough for the seed to have an effect: CaDiCaL does not use the seed before its first local
    // search.
    let solve = |seed: u32| text(&format!("solve 10x10 --dimacs --seed {seed}"));
    assert!(solve(5) == solve(5));
    assert!(solve(5) != solve(6));
}

#[test]
fn an_encoded_file_says_what_it_is() {
    let output = run("encode 3x4 --open --start b3 --project vars:1..9/4 --projection-format ind");
    let text = stdout(&output);
    let is_clause = |line: &&str| !line.starts_with(['c', 'p']);
    let head: Vec<_> = text.lines().take_while(|line| !is_clause(line)).collect();
    insta::assert_snapshot!(head.join("\n").replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn files_are_written_whole_compressed_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("5x6.cnf");
    let packed = folder.path().join("5x6.cnf.gz");
    for file in [&plain, &packed] {
        fs::write(file, "old").unwrap();
        let output = run(&format!("encode 5x6 -e direct -o {}", file.display()));
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    }
    let text = fs::read_to_string(&plain).unwrap();
    assert_eq!(text, stdout(&run("encode 5x6 -e direct -o -")));
    let mut unpacked = String::new();
    let packed = fs::File::open(&packed).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed), &mut unpacked).unwrap();
    assert_eq!(text, unpacked);
    let header = text.lines().find(|line| line.starts_with("p cnf")).unwrap();
    let clauses = text.lines().filter(|line| !line.starts_with(['c', 'p'])).count();
    assert_eq!(header, format!("p cnf 900 {clauses}"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary files are left");
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.cnf"), folder.path().join("link.cnf"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o606)).unwrap();
    symlink(&real, &link).unwrap();
    assert!(run(&format!("encode 3x4 -o {}", link.display())).status.success());
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("p cnf"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o606);
}

#[test]
fn what_cannot_be_written_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("no/such/folder/x.cnf");
    let message = refused(&run(&format!("encode 6x6 -o {}", nowhere.display())));
    assert!(message.starts_with("cannot write") && message.contains("No such file"), "{message}");
    let message = refused(&run(&format!("graph 6x6 --to dimacs -o {}", folder.path().display())));
    assert!(message.contains("the path is a folder"), "{message}");
    // The options are rejected before anything is written, so the file does not change.
    let file = folder.path().join("x.cnf");
    fs::write(&file, "old").unwrap();
    refused(&run(&format!("encode 6x6 --project positions:3 -o {}", file.display())));
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_target_is_an_error_and_a_closed_pipe_is_not() {
    let message = refused(&run("encode 6x6 -o /dev/full"));
    assert!(message.starts_with("cannot write /dev/full: No space left"), "{message}");
    for args in ["encode 6x6", "sizes", "solve 6x6", "solve 6x6 --json"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = hamcnf(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}");
    }
    // If the reader closes the output early, the exit code is still the exit code of the answer.
    for (args, code) in [
        ("--help", 0),
        ("--version", 0),
        ("encode 14x14 -e direct", 0),
        ("sizes 10x10 11x11 12x12 13x13 14x14 15x15 16x16 17x17 --by-family --format csv", 0),
        ("solve 6x6", 10),
        ("solve 5x5 --json", 20),
    ] {
        let mut child = hamcnf(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(code), String::new()), "{args}");
    }
}

#[test]
fn bad_input_is_named_in_one_line() {
    for (args, message) in [
        ("encode 0x5", "board 0x5 has no squares"),
        ("encode 8y8", "\"8y8\" is not a board: did you mean 8x8? See `hamcnf encode --help`"),
        ("encode 8x8 --start z9", "square z9 is not on the 8x8 board"),
        (
            "encode 8x8 --encoding ternary",
            "invalid value \"ternary\" for \"--encoding <ENCODING>\" [possible values: direct, unary, binary, counting, step",
        ),
        ("encode 8x8 --project positions:4", "encoding \"binary\" has no position variables"),
        ("encode 8x8 -e direct --project arcs", "encoding \"direct\" has no arc variables"),
        (
            "encode 8x8 -e direct --project co-tree",
            "encoding \"direct\" has no edge variables to project on; add the refinement \"edges\" to an encoding with arcs",
        ),
        (
            "encode 8x8 --open --start a1 -e counting --project co-tree",
            "the projection \"co-tree\" determines only closed tours",
        ),
        (
            "encode 8x8 --start b1 --project paper",
            "the projection \"paper\" does not exist for encoding \"binary\" of 8x8 knight, closed tours, start b1",
        ),
        ("encode 8x8 -e unary --project positions:64", "position 64 is past the last position, 63"),
        ("encode 8x8 --project vars:1..715", "variable 715 is not in the formula; variables are 1 to 714"),
        ("encode 8x8 --project trees", "unknown projection \"trees\""),
        ("encode 1000x1000 -e direct", "needs 1000000000000 variables"),
        ("encode 99999x99999", "it has 9999800001 squares, but at most 67108864 are supported"),
        ("encode", "the following required arguments were not provided: <BOARD|GRAPH>; see `hamcnf encode --help`"),
        ("solve 8x8 --time-limit -1", "it must be a positive number of seconds"),
        (
            "solve 8x8 --seed -1",
            "invalid value \"-1\" for \"--seed <SEED>\": it must be a whole number from 0 to 2000000000",
        ),
        ("solve 8x8 --start -1", "\"-1\" is not a square"),
        ("sizes --check x.csv --open", "the argument \"--check <FILE>\" cannot be used with \"--open\""),
        ("solve 8x8 --time-limit 0", "it must be a positive number of seconds"),
        ("solve 8x8 --time-limit 1e99", "it must be a positive number of seconds"),
        (
            "solve 8x8 --seed 3000000000",
            "invalid value \"3000000000\" for \"--seed <SEED>\": it must be a whole number from 0 to 2000000000",
        ),
        ("solve 8x8 --sede 1", "unexpected argument \"--sede\" found; a similar argument exists: \"--seed\""),
        ("decode 8x8 /nowhere/model", "cannot decode /nowhere/model: No such file"),
        ("run /nowhere/x.toml", "cannot read /nowhere/x.toml: No such file"),
        ("dance 8x8", "unrecognized subcommand \"dance\"; some similar subcommands exist: \"encode\", \"decode\""),
    ] {
        let text = refused(&run(args));
        assert!(text.contains(message), "{args}: {text}");
    }
}

#[test]
fn a_model_is_decoded_by_the_encoding_it_was_made_with() {
    for args in [
        "5x6 -e direct",
        "5x6 -e unary --pruning full",
        "6x6 -e binary --at-most-one bitwise",
        "5x5 --open --start c3 -e direct --pruning full",
        "5x5 --open --start a1 -e binary",
    ] {
        let solved = run(&format!("solve {args} --dimacs"));
        assert_eq!(solved.status.code(), Some(10), "{args}");
        let decoded = feed(&format!("decode {args} -"), stdout(&solved));
        assert_eq!(decoded.status.code(), Some(10), "{}", stderr(&decoded));
        assert!(stdout(&decoded).contains("a tour, checked move by move"));
        let json = stdout(&feed(&format!("decode {args} - --json"), stdout(&solved)));
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["status"], "tour");
        assert!(json["tour"].as_array().unwrap().len() >= 25);
    }
}

#[test]
fn what_is_no_model_is_not_decoded() {
    let model = stdout(&run("solve 6x6 -e counting --dimacs"));
    let decode = |board: &str, text: &str| refused(&feed(&format!("decode {board} -"), text));

    let cut = &model[..model.len() / 2];
    assert!(decode("6x6", cut).contains("the model is truncated"));
    // Answers of other solvers have no comments that name the question.
    let bare: String = model.lines().filter(|line| !line.starts_with('c')).map(|line| format!("{line}\n")).collect();
    let small = decode("5x6", &bare);
    assert!(
        small.contains("but the formula has only 269 variables; does the model belong to another formula?"),
        "{small}"
    );
    let large = decode("8x8", &bare);
    assert!(large.contains("the model has no value for variable"), "{large}");
    assert!(decode("6x6", "").contains("the input is empty: did the solver run?"));
    assert!(decode("6x6", "hello\n").contains("line 1 is not a line of a solver's answer"));

    // The start, a1, has the successors b3 and c2. The first change removes the chosen successor; the second sets both.
    let words: Vec<_> = model.split_whitespace().collect();
    let taken = if words.contains(&"1") { ("1", "2") } else { ("2", "1") };
    let change = |from: &str, to: &str| {
        let line = |line: &str| {
            let words = line.split(' ').map(|word| if word == from { to } else { word });
            words.collect::<Vec<_>>().join(" ")
        };
        model.lines().map(line).collect::<Vec<_>>().join("\n")
    };
    let none = decode("6x6", &change(taken.0, &format!("-{}", taken.0)));
    assert!(none.contains("after 0 moves, the model has 0 moves from a1 instead of one"), "{none}");
    let both = decode("6x6", &change(&format!("-{}", taken.1), taken.1));
    assert!(both.contains("after 0 moves, the model has 2 moves from a1 instead of one"), "{both}");

    let unsat = feed("decode 5x5 -", "s UNSATISFIABLE\n");
    assert!(stdout(&unsat).contains("the solver reports that there is no tour"));
    assert_eq!(unsat.status.code(), Some(20));
    let unsat = feed("decode 5x5 - --json", "s UNSATISFIABLE\n");
    let json: serde_json::Value = serde_json::from_str(&stdout(&unsat)).unwrap();
    assert_eq!(
        (&json["question"], &json["status"], &json["tour"]),
        (&"5x5".into(), &"no-tour".into(), &serde_json::Value::Null)
    );
    let unknown = feed("decode 5x5 -", "s UNKNOWN\n");
    assert!(stdout(&unknown).contains("the solver gives no answer"));
    assert_eq!(unknown.status.code(), Some(3));
}

/// Tests that a model of the direct encoding with two exchanged positions is rejected, and that the message names the
/// wrong move.
#[test]
fn a_wrong_move_is_named() {
    let model = stdout(&run("solve 3x4 --open --start a1 -e direct --dimacs"));
    // Variable 12 i + j + 1 means that square i has position j.
    let swapped = |literal: i64| match literal.abs() {
        a if a == 0 || a > 144 => literal,
        a => {
            let (square, position) = ((a - 1) / 12, (a - 1) % 12);
            let other = match position {
                5 => 6,
                6 => 5,
                p => p,
            };
            literal.signum() * (12 * square + other + 1)
        }
    };
    let lines = model.lines().map(|line| match line.strip_prefix("v ") {
        Some(literals) => {
            let all = literals.split(' ').map(|l| swapped(l.parse().unwrap()).to_string());
            format!("v {}", all.collect::<Vec<_>>().join(" "))
        }
        None => line.to_owned(),
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let message = refused(&feed("decode 3x4 --open --start a1 -e direct -", &text));
    assert!(message.contains("the model in standard input is not a tour of 3x4: move 5, "), "{message}");
    assert!(message.ends_with("is not a knight's move"), "{message}");
}

#[test]
fn count_says_what_it_counts() {
    let text = |args: &str| {
        let output = run(args);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{args}");
        stdout(&output)
    };
    assert!(text("count 5x6").starts_with("5x6: 8 closed tours, undirected"));
    assert!(text("count 5x6 --directed").starts_with("5x6: 16 closed tours, directed"));
    assert!(text("count 3x4 --open --start d3").starts_with("3x4: 2 open tours from d3, directed"));
    assert!(text("count 5x5").starts_with("5x5: 0 closed tours"));
    let projected = text("count 5x6 -e unary --project vars:1..9/4");
    assert!(projected.contains("projected on vars:1..9/4: "), "{projected}");
    let json: serde_json::Value = serde_json::from_str(&text("count 5x6 -e binary --project arcs --json")).unwrap();
    assert_eq!((&json["value"], &json["status"]), (&"8".into(), &"count".into()));
    assert_eq!(
        (&json["details"]["statistics"]["values"], &json["method"]),
        (&"16".into(), &"enumerate+project=arcs:binary".into())
    );
    let late = run("count 8x8 --time-limit 0.5 --json");
    assert_eq!(late.status.code(), Some(3));
    let json: serde_json::Value = serde_json::from_str(&stdout(&late)).unwrap();
    assert_eq!((&json["status"], &json["details"]["stopped_by"]), (&"timeout".into(), &"time".into()));
    let auxiliary = "count 3x4 --open --start a1 -e direct --at-most-one ladder --project all";
    assert!(refused(&run(auxiliary)).contains("variable 145 is auxiliary"));
}

const COUNTED: [(&str, &str); 5] = [
    ("5x6", "5x6: 8 closed tours, undirected ("),
    ("5x6 --directed", "5x6: 16 closed tours, directed ("),
    ("3x4 --open", "3x4: 16 open tours from any square, directed ("),
    ("5x5 --open --start c3", "5x5: 64 open tours from c3, directed ("),
    ("5x5", "5x5: 0 closed tours, undirected ("),
];
const COUNTING: [&str; 5] = ["exact", "sample", "zdd", "timeslice", "enumerate"];

fn counted(args: &str) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{args}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn all_methods_count_the_same() {
    for (question, answer) in COUNTED {
        for method in COUNTING {
            let said = counted(&format!("count {question} --method {method}"));
            assert!(said.starts_with(answer), "{method}: {said}");
        }
    }
    assert!(counted("count 6x6 --method sample --states 100").contains("95 % interval"));
}

#[test]
fn all_methods_count_the_same_for_programs() {
    for (question, answer) in COUNTED {
        for method in COUNTING {
            let json = counted(&format!("count {question} --method {method} --json"));
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            let directed = &json["details"]["directed_value"];
            let count = match directed.is_null() {
                true => &json["value"],
                false => directed,
            };
            assert_eq!(*count, answer.split(' ').nth(1).unwrap(), "{json}");
        }
    }
    let estimate = counted("count 6x6 --method sample --states 100 --json");
    let estimate: serde_json::Value = serde_json::from_str(&estimate).unwrap();
    let value: f64 = estimate["value"].as_str().unwrap().parse().unwrap();
    assert!((value / 9862.0 - 1.0).abs() < 0.3);
    assert_eq!(estimate["details"]["estimates"].as_array().unwrap().len(), 10);
}

#[test]
fn counts_by_start_are_a_board() {
    let output = run("count 3x4 --open --by-start");
    insta::assert_snapshot!(stdout(&output).split(" (").next().unwrap());
}

#[test]
fn the_decision_diagram_can_be_had() {
    let folder = tempfile::tempdir().unwrap();
    let dot = folder.path().join("tours.dot");
    let output = run(&format!("count 3x10 --method zdd --list - --dot {}", dot.display()));
    assert_eq!(stdout(&output).lines().count(), 16);
    assert!(stdout(&output).lines().all(|line| line.starts_with("a1 c2 ") && line.split(' ').count() == 30));
    assert!(stderr(&output).starts_with("3x10: 16 closed tours"));
    let dot = fs::read_to_string(dot).unwrap();
    assert!(dot.starts_with("digraph tours {") && dot.contains("\"a1-c2\""));
}

#[test]
fn limits_of_a_count_are_said() {
    let output = run("count 6x8 --memory-limit 1M");
    assert_eq!((output.status.code(), stdout(&output)), (Some(3), String::new()));
    assert!(stderr(&output).contains("the memory limit of 1.0 MiB was reached"));
    assert!(stderr(&output).contains("--method sample"));
    let output = run("sample-tour 6x8 --memory-limit 1M");
    assert_eq!(output.status.code(), Some(3));
    for (args, message) in [
        (
            "count 6x6 --method zdd --project arcs",
            "--project needs --method enumerate, approxmc or ganak, but the method is \"zdd\"",
        ),
        ("count 6x6 --by-start", "--open"),
        (
            "count petersen:5:2 --histogram obtuse",
            "--histogram counts the tours of boards, but petersen:5:2 is not a board: remove --histogram",
        ),
        ("count 6x6 --mod 7 --method sample", "--mod needs --method exact, treewidth, "),
        (
            "graph cycle:120000 --to graph6",
            "the format graph6 needs 1.1 GiB for 120000 vertices, however few the edges",
        ),
        ("count 6x6 --histogram sharp", "\"sharp\" is not a statistic; write acute, right, obtuse, straight"),
        (
            "count 6x6 --histogram obtuse --method exact",
            "--histogram needs --method histogram, but the method is \"exact\"",
        ),
        ("count 6x6 --mod 0", "it must be a whole number of at least 1"),
        ("count 9x90 --method transfer", "the board is too wide for a transfer matrix: with lines of 9 squares"),
        ("count 6x6 --dot -", "--dot needs --method zdd, but the method is \"count\""),
        (
            "count 6x6 --method approxmc --delta 1",
            "method \"approxmc\": setting \"delta\": \"1\" is not a number between 0 and 1",
        ),
        ("count 6x6 --memory-limit 2X", "\"2X\" is not an amount of memory"),
        (
            "count 6x6 --repetitions 1",
            "invalid value \"1\" for \"--repetitions <R>\": it must be a whole number from 2",
        ),
        ("sample-tour 3x10 --rank 16", "no tour has rank 16: 3x10 has 16 closed tours, and ranks count from 0"),
    ] {
        let text = refused(&run(args));
        assert!(text.contains(message), "{args}: {text}");
    }
}

#[test]
fn sampled_tours_are_those_of_the_seed() {
    let text = |args: &str| stdout(&run(&format!("sample-tour {args}")));
    let three = text("6x6 --number 3 --list --seed 5");
    assert_eq!(three.lines().count(), 3);
    assert_eq!(three, text("6x6 --number 3 --list --seed 5"));
    assert_ne!(three, text("6x6 --number 3 --list --seed 6"));
    assert!(text("6x6 --rank 9861 --list").starts_with("a1 "));
    let one = run("sample-tour 5x5 --open");
    let said = "hamcnf: 5x5: 1 of the 1728 open tours from any square, drawn at random\n";
    assert_eq!((stdout(&one).lines().count(), stderr(&one).as_str()), (13, said));
    let none = run("sample-tour 4x4");
    assert_eq!((none.status.code(), stderr(&none).lines().count()), (Some(20), 1));
    assert!(stderr(&none).starts_with("hamcnf: 4x4: no closed tours: "), "{}", stderr(&none));
}

#[test]
fn help_and_version_say_enough() {
    let help = run("--help");
    assert_eq!(help.status.code(), Some(0));
    assert!(stdout(&help).contains("Examples:"));
    for command in ["sizes", "encode", "solve", "decode", "count", "run"] {
        let help = stdout(&run(&format!("{command} --help")));
        assert!(help.contains("Examples:") && help.contains(&format!("hamcnf {command} ")), "{command}");
    }
    assert!(stdout(&run("--version")).contains("(CaDiCaL 2."));
    assert_eq!(run("").status.code(), Some(2));
}

#[test]
fn an_experiment_leaves_rows_tables_and_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("small.toml");
    let text = r#"
        title = "Small boards"
        about = "For a test."
        seeds = [1, 2, 3]
        time_limit = 60
        expect = "tour"
        questions = ["5x6", "6x6"]
        methods = ["binary", "direct", "warnsdorff"]
        [[claims]]
        says = "Binary takes no time."
        under = { method = "binary", seconds = 0.0 }
        [[claims]]
        says = "Direct is a match for itself."
        faster = ["direct", "direct"]
    "#;
    fs::write(&plan, text).unwrap();
    let results = folder.path().join("results");
    let start = |more: &str| run(&format!("run {} -o {} -q {more}", plan.display(), results.display()));
    let output = start("");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let csv = fs::read_to_string(results.join("small.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * (2 + 1) * 3);
    // Warnsdorff's rule finds none of the eight tours of 5x6, and the rows report this failure.
    let ended = |word: &str| csv.matches(&format!(",{word},")).count();
    assert_eq!((ended("tour"), ended("gave-up")), (2 * 2 * 3 + 3, 3), "{csv}");
    let report = fs::read_to_string(results.join("small.md")).unwrap();
    assert!(stdout(&output).contains(&report));
    assert!(report.contains("Binary takes no time. **Did not reproduce** (medians): 5x6 "), "{report}");
    assert!(report.contains("| 6x6      | direct     | tour    |    3/3 |        1 |"), "{report}");
    assert!(report.contains("| 6x6      | warnsdorff | tour    |    3/3 |          |"), "{report}");
    let machine = fs::read_to_string(results.join("small.machine.json")).unwrap();
    let machine: serde_json::Value = serde_json::from_str(&machine).unwrap();
    assert!(machine["solver"].as_str().unwrap().starts_with("cadical-2."));

    // A run that was interrupted after five rows continues after these rows.
    let part = results.join("small.csv.part");
    let five: Vec<_> = csv.lines().take(6).collect();
    let leave = |rows: &str| fs::write(&part, rows.to_owned() + "\n").unwrap();
    for more in ["", "--resume"] {
        leave(&five.join("\n"));
        assert_eq!(start(more).status.code(), Some(0));
        let resumed = fs::read_to_string(results.join("small.csv")).unwrap();
        assert_eq!(resumed.lines().take(6).collect::<Vec<_>>(), five);
        assert_eq!(resumed.lines().count(), csv.lines().count());
        assert!(!part.exists());
    }

    // Rows of another experiment, machine or build are not mixed with these rows. They are kept until the user drops
    // them.
    let cell: Vec<_> = five[1].split(',').collect();
    let [commit, machine] = [cell[cell.len() - 3], cell[cell.len() - 1]];
    for (from, to, message) in [
        (",60.0,", ",50.0,", "with the limits wall 50 s (not in the experiment)"),
        (machine, "00000000", "from another machine"),
        (commit, "0123456789ab", "from hamcnf 0.1.0, commit 0123456789ab (this is"),
        ("\n3,", "\n2,", "line 2: schema 2 is not supported, only schema 3; make the rows again"),
        ("question", "instance", "the columns differ from the columns of hamcnf's rows"),
    ] {
        leave(&five.join("\n").replace(from, to));
        let said = refused(&start(""));
        assert!(said.contains(message) && said.contains("--fresh"), "{said}");
    }
    assert!(part.exists());
    assert_eq!(start("--fresh").status.code(), Some(0));
    // A wrong answer among the earlier rows is still reported.
    leave(&five.join("\n").replace(",tour,", ",no-tour,"));
    let output = start("");
    assert_eq!(output.status.code(), Some(1));
    // Five lines report wrong answers, and one line reports that they contradict the other answers.
    assert_eq!(stderr(&output).lines().count(), 6);
    let report = fs::read_to_string(results.join("small.md")).unwrap();
    assert!(report.contains("no tour, which differs from the expectation**"), "{report}");
    // The tables can be generated again without running the experiment.
    fs::remove_file(results.join("small.md")).unwrap();
    assert_eq!(start("--report").status.code(), Some(1));
    assert_eq!(fs::read_to_string(results.join("small.md")).unwrap(), report);
}

#[test]
fn a_wrong_answer_fails_the_run_and_a_time_out_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let start = |name: &str, board: &str, limit: u32| {
        let plan = folder.path().join(format!("{name}.toml"));
        let text = format!(
            "title = 't'\nabout = 'a'\nseeds = [1]\ntime_limit = {limit}\n\
             expect = 'tour'\nquestions = ['{board}']\nmethods = ['unary']\n"
        );
        fs::write(&plan, text).unwrap();
        let output = run(&format!("run {} -o {}", plan.display(), folder.path().display()));
        (output, folder.path().join(format!("{name}.csv")))
    };
    let (output, rows) = start("none", "4x4", 60);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("4x4, unary, seed 1, wall 60 s: no tour, which differs from the expectation"),
        "{}",
        stderr(&output)
    );
    assert!(fs::read_to_string(rows).unwrap().contains(",no-tour,"));
    let (output, rows) = start("late", "14x14", 1);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(fs::read_to_string(rows).unwrap().contains(",timeout,"));
    assert!(stdout(&output).contains("| 14x14    | unary  | time limit |"), "{}", stdout(&output));
}

#[test]
fn the_papers_experiments_are_well_formed() {
    use hamcnf::experiment::{Experiment, Given};
    let graphs = tempfile::tempdir().unwrap();
    fs::write(graphs.path().join("ring.txt"), "1 2\n2 3\n3 1\n").unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut names = Vec::new();
    for file in fs::read_dir(root).unwrap() {
        let file = file.unwrap().path();
        // Files that define engines or figures are not experiments, and have their own tests.
        let is_other =
            |name| ["engines.toml", "figures.toml", "figures-results.toml"].iter().any(|other| name == *other);
        if file.file_name().is_some_and(is_other) {
            continue;
        }
        if file.extension().is_some_and(|ending| ending == "toml") {
            // Some experiments need graphs that are not in the repository; they are read with a folder of graphs.
            let read = [None, Some(graphs.path().to_owned())].map(|graphs| {
                let given = Given { graphs, ..Given::default() };
                Experiment::read(&file, &given)
            });
            let read = read.into_iter().find_map(Result::ok);
            names.push(read.unwrap_or_else(|| panic!("{}", file.display())).name);
        }
    }
    assert!(names.contains(&"table1".to_owned()) && names.contains(&"decision".to_owned()));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_unfinished_file() {
    use nix::sys::signal::{Signal, kill};
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("large.cnf");
    let mut child = hamcnf(&format!("encode 24x24 -e direct -o {}", target.display())).spawn().unwrap();
    // Waits until the program has begun to write its file.
    while fs::read_dir(folder.path()).unwrap().count() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    kill(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn published_sizes_that_do_not_come_out_fail_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("wrong.toml");
    let text = "title = 't'\n[[questions]]\nquestion = '6x6'\nmethods = ['size:unary']\n\
                published = [{ method = 'size:unary', variables = 1291, nonunit = 1 }]\n";
    fs::write(&plan, text).unwrap();
    let start = || run(&format!("run {} -o {}", plan.display(), folder.path().display()));
    let output = start();
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("Of 2 published numbers, 1 came out the same."));
    fs::write(&plan, text.replace("method = 'size:unary'", "method = 'unary'")).unwrap();
    let said = refused(&start());
    assert!(
        said.contains(
            "question \"6x6\": method \"unary\" has published figures, but is not one of the experiment's methods"
        ),
        "{said}"
    );
}

#[test]
fn table_1_reproduces_from_its_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/table1.toml");
    let output = run(&format!("run {} -o {}", plan.display(), folder.path().display()));
    assert!(stdout(&output).contains("Of 30 published numbers, 30 came out the same."));
    let stored = folder.path().join("table1.csv");
    let check = run(&format!("sizes --check {}", stored.display()));
    assert_eq!(check.status.code(), Some(0), "{}", stdout(&check));
}

/// Tests that the clause counts in the repository agree with the clauses that the program generates.
#[test]
fn the_stored_clause_counts_hold() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/table1.csv");
    let check = run(&format!("sizes --check {}", stored.display()));
    assert_eq!(check.status.code(), Some(0), "{}", stdout(&check));
}

#[test]
fn queens_are_counted_by_every_method_of_this_program() {
    let bdd = run("queens 8 count");
    let text = stdout(&bdd);
    assert!(
        text.starts_with(
            "8 queens: 92 placements (a decision diagram of 2453 nodes, at most 10707 while it was built,"
        ),
        "{text}"
    );
    assert_eq!(bdd.status.code(), Some(0));
    for at_most_one in ["pairwise", "commander"] {
        let args = format!("queens 8 count --method enumerate --at-most-one {at_most_one} --json");
        let json: serde_json::Value = serde_json::from_str(&stdout(&run(&args))).unwrap();
        assert_eq!((&json["value"], &json["status"]), (&"92".into(), &"count".into()));
    }
    let one = stdout(&run("queens 1 count"));
    assert!(one.starts_with("1 queen: 1 placement ("), "{one}");
}

#[test]
fn topics_of_help_are_listed_and_printed() {
    let help = stdout(&run("--help"));
    for topic in ["questions", "graphs", "formats", "limits", "exit-codes"] {
        assert!(help.contains(&format!("hamcnf help {topic} ")), "{topic}");
        let said = stdout(&run(&format!("help {topic}")));
        assert!(said.lines().count() > 4, "{said}");
    }
    assert!(stdout(&run("help graphs")).contains("cubic:"));
    assert!(stdout(&run("help solve")).contains("Usage: hamcnf solve"));
    assert!(refused(&run("help no-such-topic")).contains("no-such-topic"));
}

#[test]
fn queens_are_listed() {
    assert_eq!(stdout(&run("queens 4 list")), "1 3 0 2\n2 0 3 1\n");
    assert_eq!(stdout(&run("queens 4 list --squares")), "a2 b4 c1 d3\na3 b1 c4 d2\n");
    assert_eq!(stdout(&run("queens 8 list")).lines().count(), 92);
    assert_eq!(stdout(&run("queens 8 list --first 2")), "0 4 7 5 2 6 1 3\n0 5 7 2 6 3 1 4\n");
    let none = run("queens 3 list");
    assert_eq!((none.status.code(), stdout(&none)), (Some(20), String::new()));
    assert!(stderr(&none).contains("3 queens: there is no placement"));
    let objects = |args: &str| -> Vec<serde_json::Value> {
        let text = stdout(&run(args));
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap()
    };
    let placements = objects("queens 4 list --json");
    assert_eq!(placements.len(), 2);
    for object in &placements {
        assert_eq!(object["value"], "2");
        assert_eq!(object["details"]["placement"]["rows"].as_array().unwrap().len(), 4);
    }
    assert!(objects("queens 3 list --json").is_empty());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("all.json");
    let drawn = run(&format!("queens 6 list --render {}", file.display()));
    assert_eq!(drawn.status.code(), Some(0));
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert_eq!(
        text.lines().next().unwrap(),
        r#"{"queens":6,"rows":[1,3,5,0,2,4],"squares":["a2","b4","c6","d1","e3","f5"]}"#
    );
}

#[test]
fn closed_tours_have_models_in_both_directions_or_one() {
    for (encoding, default) in [("direct", 1), ("unary", 2), ("binary", 2), ("counting", 1)] {
        // At a corner, the direct encoding itself excludes one direction of a closed tour. At c3 no encoding does.
        let models = |args: &str| {
            let set = if encoding == "direct" { "all" } else { "arcs" };
            let args = format!("count 5x6 --method enumerate -e {encoding} --project {set} {args} --json");
            let json: serde_json::Value = serde_json::from_str(&stdout(&run(&args))).unwrap();
            assert_eq!(json["value"], "8", "{args}");
            let details = &json["details"];
            assert_eq!(details["projection"]["as_tours"], "8", "{args}");
            let statistics = &details["statistics"];
            let (values, per_tour) = (&statistics["values"], &statistics["models_per_tour"]);
            let per_tour = per_tour.as_u64().unwrap();
            assert_eq!(*values, (8 * per_tour).to_string(), "{args}");
            per_tour
        };
        assert_eq!(models(""), default, "{encoding}");
        // Enumerating the models of this encoding finds the same number of tours.
        let found = stdout(&run(&format!("count 5x6 --method enumerate -e {encoding}")));
        assert!(found.starts_with("5x6: 8 closed tours, undirected"), "{found}");
        assert_eq!(models("--start c3 --orientation free"), 2, "{encoding}");
        assert_eq!(models("--start c3 --orientation fixed"), 1, "{encoding}");
    }
    // Projection sets of edges do not distinguish the two directions of a tour.
    for set in ["edges", "co-tree"] {
        let args = format!("count 5x6 --method enumerate -e counting --orientation free --project {set}");
        let text = stdout(&run(&args));
        assert!(text.contains(": 8 distinct assignments in 16 models; as a count of tours, this would be 8"), "{text}");
    }
    for (args, message) in [
        ("solve 5x5 --open --orientation fixed", "--orientation is for closed tours"),
        ("count 6x6 --orientation fixed", "--orientation needs --method enumerate, approxmc or ganak"),
        ("count 6x6 --method enumerate --orientation fixed", "--orientation changes an encoding"),
    ] {
        let said = refused(&run(args));
        assert!(said.starts_with(message), "{said}");
    }
    let cnf = stdout(&run("encode 6x6 --orientation fixed"));
    assert!(cnf.contains("c models per tour, counted over all variables: 1\n"), "{cnf}");
    assert!(cnf.contains("c encoding binary+orientation=fixed\n"), "{cnf}");
    let families = stdout(&run("sizes 6x6 -e step --orientation fixed --by-family"));
    let last = families.lines().rev().nth(2).unwrap();
    assert!(last.contains("(O)"), "{families}");
    assert!(
        refused(&run("solve 6x6 --orientation left"))
            .contains("invalid value \"left\" for \"--orientation <ORIENTATION>\" [possible values: free, fixed]")
    );
}

#[test]
fn queens_are_placed_with_the_exit_codes_of_solvers() {
    let four = run("queens 4 solve");
    assert_eq!(four.status.code(), Some(10));
    let text = stdout(&four);
    assert!(text.starts_with("4 queens: a placement, checked pair by pair\n\n"), "{text}");
    assert_eq!(text.matches(" Q ").count(), 4);
    let three = run("queens 3 solve");
    assert_eq!(three.status.code(), Some(20));
    assert!(stdout(&three).starts_with("3 queens: there is no placement\n"));
    for at_most_one in ["pairwise", "ladder"] {
        let answer = stdout(&run(&format!("queens 5 solve --dimacs --at-most-one {at_most_one}")));
        assert!(answer.starts_with("s SATISFIABLE\nv "), "{answer}");
        let decode = format!("queens 5 decode - --at-most-one {at_most_one}");
        let decoded = feed(&decode, &answer);
        assert_eq!(decoded.status.code(), Some(10));
        assert!(stdout(&decoded).starts_with("5 queens: a placement, checked pair by pair\n\n"));
        let placement = stdout(&feed(&format!("{decode} --json"), &answer));
        let placement: serde_json::Value = serde_json::from_str(&placement).unwrap();
        assert_eq!((&placement["status"], &placement["queens"]), (&"placement".into(), &5.into()));
    }
    let none = feed("queens 3 decode -", "s UNSATISFIABLE\n");
    assert_eq!(none.status.code(), Some(20));
    assert_eq!(feed("queens 3 decode -", "s UNKNOWN\n").status.code(), Some(3));
    let (two, short) = ("s SATISFIABLE\nv 1 -2 3 4 0\n", "s SATISFIABLE\nv 1 -2 0\n");
    assert_eq!(
        refused(&feed("queens 2 decode -", two)),
        "the model in standard input is not a placement of 2 queens: column a has 2 queens instead of one"
    );
    assert!(refused(&feed("queens 2 decode -", short)).contains("no value for variable 3 of 4"));
}

#[test]
fn queens_as_dimacs_say_what_they_are() {
    let text = stdout(&run("queens 4 encode --at-most-one ladder --project squares --varnames"));
    let head: Vec<_> = text.lines().filter(|line| !line.contains("varname ")).take(7).collect();
    insta::assert_snapshot!(head.join("\n"));
    let again = stdout(&run("queens 4 encode --at-most-one ladder --project squares --varnames"));
    assert_eq!(text, again);
}

#[test]
fn queens_that_there_are_none_of_are_refused() {
    let wrong = |args: &str| refused(&run(args));
    insta::assert_snapshot!(
        [
            "queens 0 count",
            "queens -8 count",
            "queens 5000 count",
            "queens eight count",
            "queens 2000 count",
            "queens 8 count --method guess",
            "queens 8 solve --render queens.gif",
            "queens 30 list -o no/such/folder/list.txt",
            "queens 8 list --first -1",
            "queens 8 count --method approxmc --epsilon -1",
        ]
        .map(wrong)
        .join("\n")
    );
    let limit = run("queens 8 count --memory-limit 1K");
    assert_eq!(limit.status.code(), Some(3));
    assert_eq!(
        stderr(&limit),
        "hamcnf: 8 queens: 64 variables need one node each, but the memory limit allows only 21 nodes; \
         try instead: --method enumerate, which finds the placements one by one; --method approxmc, which estimates\n"
    );
    let limit = run("queens 12 count --memory-limit 10M --threads 1");
    assert_eq!(limit.status.code(), Some(3));
    assert_eq!(
        stderr(&limit),
        "hamcnf: 12 queens: the decision diagram reached its limit of 218453 nodes after 3 of 12 rows; \
         try instead: --method enumerate, which finds the placements one by one; --method approxmc, which estimates\n"
    );
}

#[test]
fn loading_a_graph_counts_for_the_limit() {
    let late = "5000x5000: no answer within the time limit: loading the graph took too long\ntry instead: more time\n";
    for command in ["solve", "tour"] {
        let args = format!("{command} 5000x5000 --time-limit 0.001");
        assert_eq!(text(&run(&args), 3), late);
        let object = text(&run(&format!("{args} --json")), 3);
        let object: serde_json::Value = serde_json::from_str(&object).unwrap();
        assert_eq!(object["status"], "timeout", "{object}");
        assert_eq!(object["question"], "5000x5000");
        assert_eq!(object["tour"], Value::Null);
    }
    let dimacs = text(&run("solve 5000x5000 --time-limit 0.001 --dimacs"), 3);
    assert_eq!(dimacs, "s UNKNOWN\n");
    let counted = run("count 5000x5000 --time-limit 0.001");
    assert_eq!(text(&counted, 3), "");
    assert!(stderr(&counted).contains("loading the graph took too long; try instead: more time"));
    // Graphs that are loaded in time are answered.
    text(&run("solve 6x6 --time-limit 600"), 10);
}

#[test]
fn every_method_answers_the_same_question() {
    let rows = |args: &str| -> Vec<serde_json::Value> {
        let output = run(args);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap()
    };
    for (args, tour, count) in
        [("compare 4x5 --open --start a1 --format json", "tour", "32"), ("compare 3x8 --format json", "no-tour", "0")]
    {
        let rows = rows(&format!("{args} --time-limit 600"));
        assert_eq!(rows.len(), 28);
        for row in &rows {
            let class = row["details"]["class"].as_str().unwrap();
            let no_tour = tour == "no-tour";
            let (column, value) = match class {
                "count" => ("value", count),
                // These two methods cannot prove that there is no tour.
                _ if row["method"] == "warnsdorff" && no_tour => ("message", "restart limit"),
                _ if row["method"] == "two-factor" && no_tour => ("message", "the method gave up"),
                _ => ("status", tour),
            };
            assert_eq!(row[column], value, "{args}: {row}");
            assert_eq!(row["tour"].is_array(), row["status"] == "tour", "{row}");
            assert!(row["peak_rss_kib"].as_u64().unwrap() > 1000);
            assert_eq!(row["clauses"].is_u64(), class == "encoding");
        }
    }
    let table = stdout(&run("compare 3x4 --open --start a1 -m binary,exact --format markdown"));
    assert!(table.contains("| binary | encoding | tour   |"), "{table}");
    assert!(table.contains("| exact  | count    | 2      |"), "{table}");
    let csv = stdout(&run("compare 3x4 --open --start a1 -m warnsdorff --format csv"));
    assert!(csv.contains(",3x4 open from a1,,warnsdorff,0,20.0,,,,tour,"), "{csv}");
    // A count that is impossible on this board does not make the other methods fail.
    let wide = run("compare 30x30 -m warnsdorff,exact --format csv");
    assert!(
        stdout(&wide).contains(",exact,1,20.0,,,,refused,,\"the graph is too wide: ")
            || stdout(&wide).contains(",exact,1,20.0,,,,refused,,the graph is too wide: "),
        "{}",
        stdout(&wide)
    );
    assert_eq!(refused(&run("compare 8x8 -m zdd,zdd")), "--methods names \"zdd\" twice; remove one of them");
}

#[test]
fn a_comparison_as_an_experiment_says_what_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("small.toml");
    let write = |metric: u64| {
        let text = format!(
            r#"
            title = "Small"
            time_limit = 60
            [[questions]]
            question = "5x5 open from a1"
            methods = ["warnsdorff", "exact"]
            [[questions.published]]
            says = "Each square is a node."
            method = "warnsdorff"
            main_metric = {metric}
            [[questions]]
            question = '6 queens'
            methods = ["bdd", "enumerate"]
            [[questions.published]]
            says = "There are four."
            method = "bdd"
            value = "4"
        "#
        );
        fs::write(&plan, text).unwrap();
    };
    let results = folder.path().join("results");
    let start = || run(&format!("run {} -o {} -q", plan.display(), results.display()));
    write(25);
    let output = start();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let report = fs::read_to_string(results.join("small.md")).unwrap();
    assert!(report.contains("| 5x5 open from a1 | warnsdorff |"), "{report}");
    assert!(report.contains("- Each square is a node. Reproduced (warnsdorff): nodes 25, "), "{report}");
    assert!(report.contains("- There are four. Reproduced (bdd): answer 4, "), "{report}");
    let csv = fs::read_to_string(results.join("small.csv")).unwrap();
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.contains(",6 queens,,enumerate,0,60.0,,,,count,4,"), "{csv}");

    write(24);
    let output = start();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("**Did not reproduce**"), "{}", stderr(&output));
    let question = |lines: &str| {
        let text = format!("title = 't'\ntime_limit = 1\n[[questions]]\n{lines}\n");
        fs::write(&plan, text).unwrap();
        let message = refused(&start());
        message.rsplit_once("small.toml: ").unwrap().1.to_owned()
    };
    for (lines, message) in [
        (
            "question = '4 queens from a1'\nmethods = ['bdd']",
            "question \"4 queens from a1\": \"4 queens\" is neither a board (ROWSxCOLUMNS, such as 8x8) nor an existing file",
        ),
        ("question = '4 queens'\nmethods = []", "\"methods\" must not be empty"),
        (
            "question = '4 queens'\nmethods = ['bdd']\n[[questions]]\nquestion = '4 queens'\nmethods = ['bdd']",
            "\"questions\" contains \"4 queens with bdd\" twice; remove one of them",
        ),
        (
            "question = '4x4'\nmethods = ['bdd']",
            "question \"4x4\": method \"bdd\" does not accept questions about tours",
        ),
    ] {
        assert_eq!(question(lines), message);
    }

    // Runs without an answer neither confirm nor refute a published value.
    fs::write(
        &plan,
        "title = 't'\ntime_limit = 60\n[[questions]]\nquestion = '30x30'\nmethods = ['exact']\n\
         [[questions.published]]\nsays = 'Many.'\nmethod = 'exact'\nvalue = '7'\n",
    )
    .unwrap();
    let output = run(&format!("run {} -o {} --fresh", plan.display(), results.display()));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("Many. **Not decided** (exact): the graph is too wide: "), "{text}");
}

/// The Petersen graph in DIMACS format. It has no Hamiltonian cycle and 240 directed Hamiltonian paths.
const PETERSEN: &str = "c Petersen\np edge 10 15\n\
    e 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\ne 1 6\ne 2 7\ne 3 8\ne 4 9\ne 5 10\n\
    e 6 8\ne 8 10\ne 10 7\ne 7 9\ne 9 6\n";

#[test]
fn graphs_from_files_go_everywhere_where_boards_go() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("petersen.col");
    fs::write(&file, PETERSEN).unwrap();
    let name = file.display();
    let code = |args: &str| run(args).status.code();
    for encoding in ["direct", "unary", "binary", "counting"] {
        assert_eq!(code(&format!("solve {name} -e {encoding}")), Some(20));
        assert_eq!(code(&format!("solve {name} --open --start 7 -e {encoding}")), Some(10));
    }
    assert_eq!(code(&format!("tour {name} --method backtrack")), Some(20));
    let path = run(&format!("tour {name} --open --start 10 --json"));
    assert_eq!(path.status.code(), Some(10));
    let checked = feed("check -", stdout(&path));
    assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    for method in ["exact", "zdd", "timeslice", "enumerate"] {
        let count = |args: &str| stdout(&run(&format!("count {name} --method {method} {args}")));
        let all = count("--open");
        let expected = format!("{name}: 240 open tours from any vertex, directed (");
        assert!(all.starts_with(&expected), "{all}");
        let from = count("--open --start 3");
        assert!(from.starts_with(&format!("{name}: 24 open tours from 3, directed (")), "{from}");
    }
    let cnf = stdout(&run(&format!("encode {name} --open --varnames")));
    assert!(cnf.contains("c varname 1 H(1,2)\n"), "{cnf}");
    let answer = run(&format!("solve {name} --open --dimacs"));
    assert_eq!(feed(&format!("decode {name} --open -"), stdout(&answer)).status.code(), Some(10));
    let sizes = stdout(&run(&format!("sizes {name} --format csv")));
    assert_eq!(sizes.lines().count(), 1 + 11, "{sizes}");
    // If an encoding is only for boards, its columns still align with their headings.
    let both = stdout(&run(&format!("sizes {name} 6x6 --format markdown")));
    let rows = both.lines().filter(|line| line.starts_with('|'));
    let columns: Vec<_> = rows.map(|line| line.matches('|').count()).collect();
    assert_eq!(columns, [38; 4], "{both}");
    assert!(both.lines().next().unwrap().contains("| step clauses |"), "{both}");
    let stored = folder.path().join("sizes.csv");
    fs::write(&stored, sizes).unwrap();
    assert_eq!(code(&format!("sizes --check {}", stored.display())), Some(0));
    let compared = run(&format!("compare {name} --open --format csv"));
    assert_eq!(compared.status.code(), Some(0), "{}", stderr(&compared));
    let answers = [",tour,", ",count,"].map(|status| stdout(&compared).matches(status).count());
    assert_eq!(answers, [20, 7], "{}", stdout(&compared));
}

#[test]
fn experiments_of_every_kind_take_graphs_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("petersen.col");
    fs::write(&graph, PETERSEN).unwrap();
    let plan = folder.path().join("graph.toml");
    let rows = |kind: &str, rest: &str| {
        let rest = rest.replace("GRAPH", &graph.display().to_string());
        fs::write(&plan, format!("title = 't'\n{rest}")).unwrap();
        let results = folder.path().join(kind);
        let output = run(&format!("run {} -o {}", plan.display(), results.display()));
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        fs::read_to_string(results.join("graph.csv")).unwrap()
    };
    let sizes = rows(
        "sizes",
        "[[questions]]\nquestion = 'GRAPH'\nmethods = ['size:direct', 'size:binary']\n\
         published = [{ method = 'size:direct', variables = 100, nonunit = 1011 }]\n",
    );
    assert_eq!(sizes.matches("petersen.col,33b341bd,size:direct,").count(), 1, "{sizes}");
    let decision = rows(
        "decision",
        "seeds = [1]\ntime_limit = 60\nexpect = 'no-tour'\nquestions = ['GRAPH']\n\
         methods = ['direct', 'binary', 'backtrack']\n",
    );
    assert_eq!(decision.matches("petersen.col,33b341bd,").count(), 3, "{decision}");
    assert_eq!(decision.matches(",no-tour,").count(), 3, "{decision}");
    // Measurements from before the file changed belong to another graph.
    let unfinished = folder.path().join("decision/graph");
    for ending in ["csv", "machine.json"] {
        let file = unfinished.with_extension(ending);
        fs::rename(&file, format!("{}.part", file.display())).unwrap();
    }
    let resume = || {
        let results = folder.path().join("decision");
        run(&format!("run {} -o {}", plan.display(), results.display()))
    };
    fs::write(&graph, PETERSEN.replace("e 9 6", "e 1 3")).unwrap();
    let said = refused(&resume());
    assert!(said.contains("petersen.col with other edges (not in the experiment); pass --prune"), "{said}");
    fs::write(&graph, PETERSEN).unwrap();
    assert_eq!(resume().status.code(), Some(0));
    let counts = rows(
        "count",
        "seeds = [1]\ntime_limit = 60\n[[questions]]\nquestion = 'GRAPH open from 3'\n\
         methods = ['exact', { method = 'zdd', time_limit = 50 }]\n",
    );
    assert_eq!(counts.matches("petersen.col open from 3,33b341bd,").count(), 2, "{counts}");
    assert_eq!(counts.matches(",count,24,").count(), 2, "{counts}");
    let report = fs::read_to_string(folder.path().join("count/graph.md")).unwrap();
    assert!(report.contains("| 50 s of wall time |"), "{report}");
    let compared =
        rows("compare", "time_limit = 60\n[[questions]]\nquestion = 'GRAPH'\nmethods = ['unary', 'exact']\n");
    assert_eq!(compared.matches("petersen.col,33b341bd,").count(), 2, "{compared}");
    assert_eq!(compared.matches(",no-tour,").count(), 1, "{compared}");
    assert_eq!(compared.matches(",count,0,").count(), 1, "{compared}");
}

#[test]
fn graphs_that_cannot_be_read_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("graph");
    let name = file.display().to_string();
    let wrong = |text: &str, args: &str| {
        fs::write(&file, text).unwrap();
        refused(&run(&args.replace("FILE", &name))).replace(&name, "FILE")
    };
    let messages = [
        wrong("p edge 3 2\ne 1 2\n", "solve FILE"),
        wrong("p edge 3 2\ne 1 2\ne 2 4\n", "count FILE"),
        wrong("hello, dear, world\n", "tour FILE"),
        wrong("", "encode FILE"),
        wrong("1 2\n2 3\n3 1\n", "solve FILE --start 4"),
        wrong("1 2\n2 3\n3 1\n", "solve FILE --start a1"),
        wrong("1 2\n2 3\n3 1\n", "solve FILE -e step"),
        wrong("1 2\n2 3\n3 1\n", "tour FILE --piece 1,3"),
        wrong("1 2\n2 3\n3 1\n", "tour FILE --order article"),
        wrong("1 2\n2 3\n3 1\n", "solve no-such-file"),
        refused(&run(&format!("solve {}", folder.path().display())))
            .replace(&folder.path().display().to_string(), "FOLDER"),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

/// Tests that a range of boards gives a table, rows or objects with the counts of the single boards.
#[test]
fn boards_of_all_lengths_are_counted() {
    let counts = [("5x5", "0"), ("5x6", "8"), ("5x7", "0"), ("5x8", "44202")];
    let table = text(&run("count 5x5..8"), 0);
    let lines: Vec<Vec<_>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "board closed tours, undirected known after");
    for (line, (board, count)) in lines[1..].iter().zip(counts) {
        assert_eq!(line[..2], [board, count]);
    }
    assert_eq!(lines.len(), 5);
    let rows = text(&run("count 5x5..8 --format csv"), 0);
    let rows = read_rows(&rows).unwrap();
    let objects = text(&run("count 5x5..8 --json --directed"), 0);
    let objects: Vec<Value> = objects.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((rows.len(), objects.len()), (4, 4));
    for ((board, count), (row, object)) in counts.iter().zip(rows.iter().zip(&objects)) {
        assert_eq!((row.question.as_str(), row.value.as_ref().unwrap().to_string()), (*board, count.to_string()));
        assert_eq!((&object["question"], &object["value"]), (&(*board).into(), &(*count).into()));
    }
    assert_eq!(objects[3]["details"]["directed_value"], "88404");
    let open = text(&run("count 3..4x4 --open --method treewidth"), 0);
    assert!(open.contains(" 16 ") && open.contains("3x4"), "{open}");
}

/// Tests that a board of a range has the JSON of the board alone, whether it is counted or estimated.
#[test]
fn boards_of_a_range_have_the_json_of_one_board() {
    for options in ["", " --method sample --states 50 --repetitions 2"] {
        let [range, one] = ["6x5..6", "6x6"].map(|boards| {
            let args = format!("count {boards} --directed --json{options}");
            let last = text(&run(&args), 0);
            let object: Value = serde_json::from_str(last.lines().last().unwrap()).unwrap();
            ["counted", "directed_value", "start", "tours"].map(|name| object["details"][name].clone())
        });
        assert_eq!(range, one);
        assert_eq!(one[0], "closed tours, undirected");
        assert!(one[1].as_str().unwrap().parse::<f64>().is_ok(), "{one:?}");
    }
}

#[test]
fn wrong_boards_of_a_range_are_skipped_on_request() {
    let boards = "count 4x4..5 --open --start e1 --json";
    assert!(refused(&run(boards)).contains("e1 is not on the 4x4 board"));
    let output = run(&format!("{boards} --keep-going"));
    let object: Value = serde_json::from_str(&text(&output, 2)).unwrap();
    assert_eq!(object["details"]["instance"], "4x5");
    assert!(stderr(&output).contains("e1 is not on the 4x4 board"));
}

#[test]
fn a_single_board_has_the_formats_of_a_range() {
    let row = text(&run("count 6x6 --format csv"), 0);
    assert_eq!(row.lines().count(), 2, "{row}");
    assert!(row.lines().last().unwrap().contains(",count,9862,"), "{row}");
    let table = text(&run("count 6x6 --format markdown"), 0);
    assert!(table.lines().last().unwrap().contains("| 6x6 "), "{table}");
}

/// Tests that a limit of a symmetric count is about orbits of squares.
#[test]
fn symmetric_counts_sweep_over_orbits() {
    let output = run("count 8x8 --symmetry 180 --memory-limit 20K --try");
    text(&output, 3);
    let said = stderr(&output);
    assert!(said.contains(" of 32 orbits, with "), "{said}");
    let output = run("count 14x14 --symmetry 180 --memory-limit 1M");
    text(&output, 3);
    assert!(stderr(&output).contains("--scratch FOLDER"));
}

/// Tests that lengths beyond a limit are named, and those before it are counted.
#[test]
fn lengths_beyond_a_limit_are_named() {
    let output = run("count 6x6..14 --memory-limit 5500K --try");
    let table = text(&output, 3);
    assert!(table.contains(" 9862 "), "{table}");
    let last = table.lines().last().unwrap();
    assert!(last.starts_with("not counted: ") && last.contains("6x14"), "{table}");
    assert!(last.contains("memory limit of 5.4 MiB"), "{table}");
    assert_eq!(refused(&run("sample-tour 8x5..6")), "\"8x5..6\" is several boards; name one of them, such as 8x5");
    assert!(refused(&run("count 8x9..5")).starts_with("\"8x9..5\" has no boards, because 5 is less than 9"));
    assert!(refused(&run("count 8x..9")).starts_with("\"8x..9\" is not a range of boards; write ROWSxFIRST..LAST"));
    assert!(refused(&run("count 6x6..7 --method zdd --list -")).starts_with("--list is for one graph"));
    // The boards are made within the time limit, and an incomplete list gives a bound.
    let many = run("count 3x4..3000 --time-limit 0.1");
    assert_eq!(text(&many, 3), "");
    assert!(stderr(&many).contains("the time limit was reached before the boards from 3x"));
    let bound = text(&run("count 6x6..7 --method enumerate --cpu-limit 0.5"), 3);
    assert!(bound.contains("at least "), "{bound}");
}
