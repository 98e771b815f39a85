//! Tests of the program as users see it: output, exit codes, and messages about invalid input.

use std::fs;
use std::path::Path;

use hamcnf::harness::rows::read_rows;
use serde_json::Value;

use crate::command::*;
use serde_json::json;

#[test]
fn sizes_prints_table_1() {
    insta::assert_snapshot!(run("sizes").out());
}

#[test]
fn sizes_by_family_says_what_the_clauses_are() {
    insta::assert_snapshot!(run("sizes 6x6 --by-family").out());
}

#[test]
fn sizes_in_every_format() {
    let all = ["markdown", "csv", "json"]
        .map(|format| run(&format!("sizes 3x4 5x6 3x4 --open --start a1 -e binary,direct --format {format}")).out());
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
        let table = run(args).out();
        assert!(table.contains("relaxed* "), "{args}: {table}");
        assert!(!table.contains("direct*"), "{args}: {table}");
        assert!(table.ends_with(note), "{args}: {table}");
        run(&args.replace(",relaxed", "")).lacks("*");
    }
}

#[test]
fn sizes_check_finds_what_changed() {
    let folder = Place::new();
    let file = folder.path("stored.csv");
    let check = |boards: &str| run(&format!("sizes {boards} --check {}", file.display()));

    let stored = run("sizes 5x6 6x6 --by-family --format csv").out()
        + run("sizes 5x5 --open --start c3 --pruning full --at-most-one ladder --format csv")
            .out()
            .split_once('\n')
            .unwrap()
            .1;
    fs::write(&file, &stored).unwrap();
    let same = check("");
    same.exits(0);
    let rows = stored.lines().count() - 1;
    assert_eq!(same.out(), format!("{rows} rows of 3 boards and graphs agree with {}\n", file.display()));

    let changed = stored.replace(",370,5605,nonunit=", ",370,5604,nonunit=");
    assert_ne!(changed, stored);
    fs::write(&file, &changed).unwrap();
    check("").prints(
        1,
        format!(
            "6x6, size:binary: clauses is 5605, but the stored value is 5604\n1 difference from {}\n",
            file.display()
        ),
    );

    // A file that is cut off within a line or between two lines is detected.
    let cut = run("sizes 5x6 6x6 --format csv").out();
    fs::write(&file, &cut[..cut.len() - 9]).unwrap();
    check("").refuses("is incomplete: the last line has no newline");
    let lines: Vec<_> = cut.lines().collect();
    fs::write(&file, lines[..lines.len() - 1].join("\n") + "\n").unwrap();
    assert!(
        check("")
            .out()
            .contains("6x6, size:edges: the row is missing, although other boards have a row of this method\n")
    );

    let gone = stored.replace("(W)", "(V)");
    fs::write(&file, gone).unwrap();
    check("")
        .and(": no value of (W).clauses is stored")
        .and(": a value of (V).clauses is stored, but the new measurement has none");

    let twice = stored.clone() + stored.lines().last().unwrap() + "\n";
    fs::write(&file, twice).unwrap();
    check("").and("5x5 open from c3, size:").and("stored twice");

    fs::write(&file, &stored).unwrap();
    let six = stored.lines().filter(|line| line.starts_with("3,6x6,")).count();
    assert_eq!(check("6x6").out(), format!("{six} rows of 1 board or graph agree with {}\n", file.display()));
    assert!(check("8x8").refused().ends_with("has no rows of 8x8"));
    let direct = stored.lines().filter(|line| !line.contains(",size:unary")).collect::<Vec<_>>();
    fs::write(&file, direct.join("\n") + "\n").unwrap();
    assert!(check("6x6 -e unary").refused().ends_with("has no rows of unary to compare"));

    fs::write(&file, "nonsense\n1\n").unwrap();
    assert!(check("").refused().starts_with("cannot read"));
    fs::write(&file, "").unwrap();
    assert!(check("").refused().ends_with("has no rows to compare"));
    run("sizes --check /nowhere/x.csv").refuses("No such file");
}

#[test]
fn solve_shows_a_checked_tour() {
    let output = run("solve 5x6");
    output.exits(10);
    let text = output.out();
    assert!(text.starts_with("5x6 knight, closed tours, start a1: a tour, checked"), "{text}");
    assert!(text.contains("│ 30 │"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours where there is no terminal");
    output.notes_only("");
}

#[test]
fn a_time_limit_exits_with_3_and_does_not_claim_anything() {
    run("solve 14x14 --encoding unary --time-limit 0.01").says(3, "no answer within the time limit");
    let output = run("solve 14x14 --encoding unary --time-limit 0.01 --dimacs");
    assert_eq!(output.out(), "s UNKNOWN\n");
    let output = run("solve 14x14 --encoding unary --time-limit 0.01 --json");
    let json = output.parsed();
    assert_eq!((&json["status"], &json["tour"]), (&"timeout".into(), &serde_json::Value::Null));
}

#[test]
fn json_has_the_tour_and_what_it_took() {
    let output = run("solve 6x6 -e binary --json --seed 3 --start 7");
    let json = output.parsed();
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
    let text = |args: &str| run(args).out();
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
    let text = output.out();
    let is_clause = |line: &&str| !line.starts_with(['c', 'p']);
    let head: Vec<_> = text.lines().take_while(|line| !is_clause(line)).collect();
    insta::assert_snapshot!(head.join("\n").replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn files_are_written_whole_compressed_or_not() {
    let folder = Place::new();
    let plain = folder.path("5x6.cnf");
    let packed = folder.path("5x6.cnf.gz");
    for file in [&plain, &packed] {
        fs::write(file, "old").unwrap();
        run(&format!("encode 5x6 -e direct -o {}", file.display())).exits(0).notes_only("");
    }
    let text = fs::read_to_string(&plain).unwrap();
    assert_eq!(text, run("encode 5x6 -e direct -o -").out());
    let mut unpacked = String::new();
    let packed = fs::File::open(&packed).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed), &mut unpacked).unwrap();
    assert_eq!(text, unpacked);
    let header = text.lines().find(|line| line.starts_with("p cnf")).unwrap();
    let clauses = text.lines().filter(|line| !line.starts_with(['c', 'p'])).count();
    assert_eq!(header, format!("p cnf 900 {clauses}"));
    assert_eq!(folder.names("").len(), 2, "no temporary files are left");
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_and_permissions_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Place::new();
    let (real, link) = (folder.path("real.cnf"), folder.path("link.cnf"));
    fs::write(&real, "old").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o606)).unwrap();
    symlink(&real, &link).unwrap();
    run(&format!("encode 3x4 -o {}", link.display())).exits(0);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("p cnf"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o606);
}

#[test]
fn what_cannot_be_written_leaves_what_was_there() {
    let folder = Place::new();
    let nowhere = folder.path("no/such/folder/x.cnf");
    run(&format!("encode 6x6 -o {}", nowhere.display())).refused_with("cannot write").refuses("No such file");
    run(&format!("graph 6x6 --to dimacs -o {}", folder.dir().display())).refuses("the path is a folder");
    // The options are rejected before anything is written, so the file does not change.
    let file = folder.path("x.cnf");
    fs::write(&file, "old").unwrap();
    run(&format!("encode 6x6 --project positions:3 -o {}", file.display())).refused();
    assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    assert_eq!(folder.names("").len(), 1);
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
        ("solve 8x8 --start -1", "\"-1\" is not a square"),
        ("sizes --check x.csv --open", "the argument \"--check <FILE>\" cannot be used with \"--open\""),
        ("solve 8x8 --time-limit 0", "it must be a positive number of seconds"),
        ("solve 8x8 --time-limit 1e99", "it must be a positive number of seconds"),
        (
            "solve 8x8 --seed 3000000000",
            "invalid value \"3000000000\" for \"--seed <SEED>\": it must be a whole number from 0 to 2000000000",
        ),
        ("decode 8x8 /nowhere/model", "cannot decode /nowhere/model: No such file"),
        ("run /nowhere/x.toml", "cannot read /nowhere/x.toml: No such file"),
    ] {
        run(args).refuses(message);
    }
}

#[test]
fn what_is_no_model_is_not_decoded() {
    let model = run("solve 6x6 -e counting --dimacs").out();
    let decode = |board: &str, text: &str| feed(&format!("decode {board} -"), text).refused();

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

    feed("decode 5x5 -", "s UNSATISFIABLE\n").and("the solver reports that there is no tour").exits(20);
    let unsat = feed("decode 5x5 - --json", "s UNSATISFIABLE\n");
    let json = unsat.parsed();
    assert_eq!(
        (&json["question"], &json["status"], &json["tour"]),
        (&"5x5".into(), &"no-tour".into(), &serde_json::Value::Null)
    );
    feed("decode 5x5 -", "s UNKNOWN\n").and("the solver gives no answer").exits(3);
}

/// Tests that a model of the direct encoding with two exchanged positions is rejected, and that the message names the
/// wrong move.
#[test]
fn a_wrong_move_is_named() {
    let model = run("solve 3x4 --open --start a1 -e direct --dimacs").out();
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
    let message = feed("decode 3x4 --open --start a1 -e direct -", &text).refused();
    assert!(message.contains("the model in standard input is not a tour of 3x4: move 5, "), "{message}");
    assert!(message.ends_with("is not a knight's move"), "{message}");
}

#[test]
fn count_says_what_it_counts() {
    let text = |args: &str| {
        let output = run(args);
        assert_eq!((output.code(), output.err()), (Some(0), String::new()), "{args}");
        output.out()
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
    late.exits(3);
    let json = late.parsed();
    assert_eq!((&json["status"], &json["details"]["stopped_by"]), (&"timeout".into(), &"time".into()));
    let auxiliary = "count 3x4 --open --start a1 -e direct --at-most-one ladder --project all";
    run(auxiliary).refuses("variable 145 is auxiliary");
}

const COUNTED: [(&str, &str); 5] = [
    ("5x6", "5x6: 8 closed tours, undirected ("),
    ("5x6 --directed", "5x6: 16 closed tours, directed ("),
    ("3x4 --open", "3x4: 16 open tours from any square, directed ("),
    ("5x5 --open --start c3", "5x5: 64 open tours from c3, directed ("),
    ("5x5", "5x5: 0 closed tours, undirected ("),
];

#[test]
fn counts_say_what_was_counted_in_words_and_in_json() {
    for (question, answer) in COUNTED {
        run(&format!("count {question}")).begins(0, answer);
        let json = run(&format!("count {question} --json")).json(0);
        let directed = &json["details"]["directed_value"];
        let count = if directed.is_null() { &json["value"] } else { directed };
        assert_eq!(*count, answer.split(' ').nth(1).unwrap(), "{json}");
    }
    for method in ["exact", "sample", "zdd", "timeslice", "enumerate"] {
        run(&format!("count 3x4 --open --method {method}")).begins(0, COUNTED[2].1);
    }
    run("count 6x6 --method sample --states 100").says(0, "95 % interval");
    let estimate = run("count 6x6 --method sample --states 100 --json").json(0);
    let value: f64 = estimate["value"].as_str().unwrap().parse().unwrap();
    assert!((value / 9862.0 - 1.0).abs() < 0.3);
    assert_eq!(estimate["details"]["estimates"].as_array().unwrap().len(), 10);
}

#[test]
fn counts_by_start_are_a_board() {
    let output = run("count 3x4 --open --by-start");
    insta::assert_snapshot!(output.out().split(" (").next().unwrap());
}

#[test]
fn the_decision_diagram_can_be_had() {
    let folder = Place::new();
    let dot = folder.path("tours.dot");
    let output = run(&format!("count 3x10 --method zdd --list - --dot {}", dot.display()));
    assert_eq!(output.out().lines().count(), 16);
    assert!(output.out().lines().all(|line| line.starts_with("a1 c2 ") && line.split(' ').count() == 30));
    assert!(output.err().starts_with("3x10: 16 closed tours"));
    let dot = fs::read_to_string(dot).unwrap();
    assert!(dot.starts_with("digraph tours {") && dot.contains("\"a1-c2\""));
}

#[test]
fn limits_of_a_count_are_said() {
    run("sample-tour 6x8 --memory-limit 1M").exits(3);
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
        ("count 6x6 --method approxmc --delta 1", "--delta: \"1\" is not a number between 0 and 1"),
        ("count 6x6 --memory-limit 2X", "\"2X\" is not an amount of memory"),
        ("count 6x6 --repetitions 1", "--repetitions: \"1\" is not a whole number of at least 2"),
        ("sample-tour 3x10 --rank 16", "no tour has rank 16: 3x10 has 16 closed tours, and ranks count from 0"),
    ] {
        run(args).refuses(message);
    }
}

#[test]
fn sampled_tours_are_those_of_the_seed() {
    let text = |args: &str| run(&format!("sample-tour {args}")).out();
    let three = text("6x6 --number 3 --list --seed 5");
    assert_eq!(three.lines().count(), 3);
    assert_eq!(three, text("6x6 --number 3 --list --seed 5"));
    assert_ne!(three, text("6x6 --number 3 --list --seed 6"));
    assert!(text("6x6 --rank 9861 --list").starts_with("a1 "));
    let said = "hamcnf: 5x5: 1 of the 1728 open tours from any square, drawn at random\n";
    run("sample-tour 5x5 --open").lines(13).notes_only(said);
    let none = run("sample-tour 4x4").exits(20).err();
    assert!(none.lines().count() == 1 && none.starts_with("hamcnf: 4x4: no closed tours: "), "{none}");
}

#[test]
fn help_and_version_say_enough() {
    let help = run("--help");
    help.exits(0);
    help.and("Examples:");
    for command in ["sizes", "encode", "solve", "decode", "count", "run", "show", "check", "submit"] {
        run(&format!("{command} --help")).and("Examples:").and(format!("hamcnf {command} "));
    }
    run("--version").and("(CaDiCaL 2.");
    run("").exits(2);
    run("report --help").and("hamcnf report results/peers.csv -o peers");
    run("run --help").and("--shard {}/4");
    run("merge --help").and("--remove-shards");
}

#[test]
fn an_experiment_leaves_rows_tables_and_the_machine() {
    let folder = Place::new();
    let plan = folder.path("small.toml");
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
    let results = folder.path("results");
    let start = |more: &str| run(&format!("run {} -o {} -q {more}", plan.display(), results.display()));
    let output = start("");
    assert_eq!((output.code(), output.err()), (Some(0), String::new()));
    let csv = fs::read_to_string(results.join("small.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * (2 + 1) * 3);
    // Warnsdorff's rule finds none of the eight tours of 5x6, and the rows report this failure.
    let ended = |word: &str| csv.matches(&format!(",{word},")).count();
    assert_eq!((ended("tour"), ended("gave-up")), (2 * 2 * 3 + 3, 3), "{csv}");
    let report = fs::read_to_string(results.join("small.md")).unwrap();
    output.and(&report);
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
        start(more).exits(0);
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
        start("").refuses(message).refuses("--fresh");
    }
    assert!(part.exists());
    start("--fresh").exits(0);
    // A wrong answer among the earlier rows is still reported.
    leave(&five.join("\n").replace(",tour,", ",no-tour,"));
    let output = start("");
    output.exits(1);
    // Five lines report wrong answers, and one line reports that they contradict the other answers.
    assert_eq!(output.err().lines().count(), 6);
    let report = fs::read_to_string(results.join("small.md")).unwrap();
    assert!(report.contains("no tour, which differs from the expectation**"), "{report}");
    // The tables can be generated again without running the experiment.
    fs::remove_file(results.join("small.md")).unwrap();
    start("--report").exits(1);
    assert_eq!(fs::read_to_string(results.join("small.md")).unwrap(), report);
}

#[test]
fn a_wrong_answer_fails_the_run_and_a_time_out_does_not() {
    let folder = Place::new();
    let start = |name: &str, board: &str, limit: u32| {
        let plan = folder.path(format!("{name}.toml"));
        let text = format!(
            "title = 't'\nabout = 'a'\nseeds = [1]\ntime_limit = {limit}\n\
             expect = 'tour'\nquestions = ['{board}']\nmethods = ['unary']\n"
        );
        fs::write(&plan, text).unwrap();
        let output = run(&format!("run {} -o {}", plan.display(), folder.dir().display()));
        (output, folder.path(format!("{name}.csv")))
    };
    let (output, rows) = start("none", "4x4", 60);
    output.exits(1);
    output.notes("4x4, unary, seed 1, wall 60 s: no tour, which differs from the expectation");
    assert!(fs::read_to_string(rows).unwrap().contains(",no-tour,"));
    let (output, rows) = start("late", "14x14", 1);
    output.exits(0);
    assert!(fs::read_to_string(rows).unwrap().contains(",timeout,"));
    output.and("| 14x14    | unary  | time limit |");
}

#[test]
fn the_papers_experiments_are_well_formed() {
    use hamcnf::experiment::{Experiment, Given};
    let graphs = Place::with("ring.txt", "1 2\n2 3\n3 1\n");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments");
    let mut names = Vec::new();
    for file in fs::read_dir(root).unwrap() {
        let file = file.unwrap().path();
        // The file that defines engines is no experiment, and has its own tests.
        let is_other = |name| name == "engines.toml";
        if file.file_name().is_some_and(is_other) {
            continue;
        }
        if file.extension().is_some_and(|ending| ending == "toml") {
            // Some experiments need graphs that are not in the repository; they are read with a folder of graphs.
            let read = [None, Some(graphs.dir().to_owned())].map(|graphs| {
                let given = Given { graphs, ..Given::default() };
                Experiment::read(&file, &given)
            });
            let read = read.into_iter().find_map(Result::ok);
            names.push(read.unwrap_or_else(|| panic!("{}", file.display())).name);
        }
    }
    assert!(names.contains(&"table1".to_owned()) && names.contains(&"decision".to_owned()));
}

#[test]
fn published_sizes_that_do_not_come_out_fail_the_run() {
    let folder = Place::new();
    let plan = folder.path("wrong.toml");
    let text = "title = 't'\n[[questions]]\nquestion = '6x6'\nmethods = ['size:unary']\n\
                published = [{ method = 'size:unary', variables = 1291, nonunit = 1 }]\n";
    fs::write(&plan, text).unwrap();
    let start = || run(&format!("run {} -o {}", plan.display(), folder.dir().display()));
    start().says(1, "Of 2 published numbers, 1 came out the same.");
    fs::write(&plan, text.replace("method = 'size:unary'", "method = 'unary'")).unwrap();
    start().refuses(
        "question \"6x6\": method \"unary\" has published figures, but is not one of the experiment's methods",
    );
}

#[test]
fn table_1_reproduces_from_its_experiment() {
    let folder = Place::new();
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/table1.toml");
    run(&format!("run {} -o {}", plan.display(), folder.dir().display()))
        .and("Of 30 published numbers, 30 came out the same.");
    let stored = folder.path("table1.csv");
    run(&format!("sizes --check {}", stored.display())).exits(0);
}

/// Tests that the clause counts in the repository agree with the clauses that the program generates.
#[test]
fn the_stored_clause_counts_hold() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/table1.csv");
    run(&format!("sizes --check {}", stored.display())).exits(0);
}

#[test]
fn queens_are_counted_by_every_method_of_this_program() {
    let bdd = run("queens 8 count");
    let text = bdd.out();
    assert!(
        text.starts_with(
            "8 queens: 92 placements (a decision diagram of 2453 nodes, at most 10707 while it was built,"
        ),
        "{text}"
    );
    bdd.exits(0);
    for at_most_one in ["pairwise", "commander"] {
        let args = format!("queens 8 count --method enumerate --at-most-one {at_most_one} --json");
        let json = run(&args).parsed();
        assert_eq!((&json["value"], &json["status"]), (&"92".into(), &"count".into()));
    }
    let one = run("queens 1 count").out();
    assert!(one.starts_with("1 queen: 1 placement ("), "{one}");
}

#[test]
fn topics_of_help_are_listed_and_printed() {
    let help = run("--help").out();
    for topic in ["questions", "graphs", "formats", "limits", "exit-codes"] {
        assert!(help.contains(&format!("hamcnf help {topic} ")), "{topic}");
        let said = run(&format!("help {topic}")).out();
        assert!(said.lines().count() > 4, "{said}");
    }
    run("help graphs").and("cubic:");
    run("help solve").and("Usage: hamcnf solve");
    assert_eq!(run("help --help").out(), run("help").out());
    run("help no-such-topic").refuses("no-such-topic");
}

#[test]
fn queens_are_listed() {
    assert_eq!(run("queens 4 list").out(), "1 3 0 2\n2 0 3 1\n");
    assert_eq!(run("queens 4 list --squares").out(), "a2 b4 c1 d3\na3 b1 c4 d2\n");
    assert_eq!(run("queens 8 list").out().lines().count(), 92);
    assert_eq!(run("queens 8 list --first 2").out(), "0 4 7 5 2 6 1 3\n0 5 7 2 6 3 1 4\n");
    run("queens 3 list").prints(20, "").notes("3 queens: there is no placement");
    let objects = |args: &str| -> Vec<serde_json::Value> {
        let text = run(args).out();
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
    let folder = Place::new();
    let file = folder.path("all.json");
    run(&format!("queens 6 list --render {}", file.display())).exits(0);
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert_eq!(
        text.lines().next().unwrap(),
        r#"{"queens":6,"rows":[1,3,5,0,2,4],"squares":["a2","b4","c6","d1","e3","f5"]}"#
    );
}

#[test]
fn closed_tours_have_models_in_both_directions_or_one() {
    let json = run("count 5x6 --method enumerate -e unary --project arcs --json").json(0);
    assert_eq!((&json["value"], &json["details"]["projection"]["as_tours"]), (&"8".into(), &"8".into()));
    let statistics = &json["details"]["statistics"];
    assert_eq!((&statistics["values"], &statistics["models_per_tour"]), (&"16".into(), &2.into()));
    // Projection sets of edges do not distinguish the two directions of a tour.
    for set in ["edges", "co-tree"] {
        let args = format!("count 5x6 --method enumerate -e counting --orientation free --project {set}");
        run(&args).and(": 8 distinct assignments in 16 models; as a count of tours, this would be 8");
    }
    for (args, message) in [
        ("solve 5x5 --open --orientation fixed", "--orientation is for closed tours"),
        ("count 6x6 --orientation fixed", "--orientation needs --method enumerate, approxmc or ganak"),
        ("count 6x6 --method enumerate --orientation fixed", "--orientation changes an encoding"),
    ] {
        run(args).refused_with(message);
    }
    run("encode 6x6 --orientation fixed")
        .and("c models per tour, counted over all variables: 1\n")
        .and("c encoding binary+orientation=fixed\n");
    let families = run("sizes 6x6 -e step --orientation fixed --by-family").out();
    let last = families.lines().rev().nth(2).unwrap();
    assert!(last.contains("(O)"), "{families}");
    assert!(
        run("solve 6x6 --orientation left")
            .refused()
            .contains("invalid value \"left\" for \"--orientation <ORIENTATION>\" [possible values: free, fixed]")
    );
}

#[test]
fn queens_are_placed_with_the_exit_codes_of_solvers() {
    let four = run("queens 4 solve");
    four.exits(10);
    let text = four.out();
    assert!(text.starts_with("4 queens: a placement, checked pair by pair\n\n"), "{text}");
    assert_eq!(text.matches(" Q ").count(), 4);
    run("queens 3 solve").begins(20, "3 queens: there is no placement\n");
    for at_most_one in ["pairwise", "ladder"] {
        let answer = run(&format!("queens 5 solve --dimacs --at-most-one {at_most_one}")).out();
        assert!(answer.starts_with("s SATISFIABLE\nv "), "{answer}");
        let decode = format!("queens 5 decode - --at-most-one {at_most_one}");
        feed(&decode, &answer).begins(10, "5 queens: a placement, checked pair by pair\n\n");
        let placement = feed(&format!("{decode} --json"), &answer).parsed();
        assert_eq!((&placement["status"], &placement["queens"]), (&"placement".into(), &5.into()));
    }
    feed("queens 3 decode -", "s UNSATISFIABLE\n").exits(20);
    feed("queens 3 decode -", "s UNKNOWN\n").exits(3);
    let (two, short) = ("s SATISFIABLE\nv 1 -2 3 4 0\n", "s SATISFIABLE\nv 1 -2 0\n");
    assert_eq!(
        feed("queens 2 decode -", two).refused(),
        "the model in standard input is not a placement of 2 queens: column a has 2 queens instead of one"
    );
    feed("queens 2 decode -", short).refuses("no value for variable 3 of 4");
}

#[test]
fn queens_as_dimacs_say_what_they_are() {
    let text = run("queens 4 encode --at-most-one ladder --project squares --varnames").out();
    let head: Vec<_> = text.lines().filter(|line| !line.contains("varname ")).take(7).collect();
    insta::assert_snapshot!(head.join("\n"));
    let again = run("queens 4 encode --at-most-one ladder --project squares --varnames").out();
    assert_eq!(text, again);
    run("queens 4 encode -o q.opb").refuses("written as DIMACS CNF only: name a file that ends in .cnf");
}

#[test]
fn queens_that_there_are_none_of_are_refused() {
    let wrong = |args: &str| run(args).refused();
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
    limit.exits(3);
    limit.notes_only(
        "hamcnf: 8 queens: 64 variables need one node each, but the memory limit allows only 21 nodes; \
         try instead: --method enumerate, which finds the placements one by one; --method approxmc, which estimates\n",
    );
    run("queens 12 count --memory-limit 10M --threads 1").exits(3).notes_only(
        "hamcnf: 12 queens: the decision diagram reached its limit of 218453 nodes after 3 of 12 rows; \
         try instead: --method enumerate, which finds the placements one by one; --method approxmc, which estimates\n",
    );
}

#[test]
fn loading_a_graph_counts_for_the_limit() {
    let late = "5000x5000: no answer within the time limit: loading the graph took too long\ntry instead: more time\n";
    for command in ["solve", "tour"] {
        let args = format!("{command} 5000x5000 --time-limit 0.001");
        run(&args).prints(3, late);
        run(&format!("{args} --json")).has(3, json!({ "status": "timeout", "question": "5000x5000", "tour": null }));
    }
    run("solve 5000x5000 --time-limit 0.001 --dimacs").prints(3, "s UNKNOWN\n");
    run("count 5000x5000 --time-limit 0.001")
        .prints(3, "")
        .notes("loading the graph took too long; try instead: more time");
    // Graphs that are loaded in time are answered.
    run("solve 6x6 --time-limit 600").exits(10);
}

#[test]
fn every_method_answers_the_same_question() {
    let rows = |args: &str| -> Vec<serde_json::Value> {
        let rows = run(args).json(0);
        rows.as_array().unwrap().clone()
    };
    for (args, tour, count) in
        [("compare 3x4 --open --start a1 --format json", "tour", "2"), ("compare 3x8 --format json", "no-tour", "0")]
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
    run("compare 3x4 --open --start a1 -m binary,exact --format markdown")
        .and("| binary | encoding | tour   |")
        .and("| exact  | count    | 2      |");
    let csv = run("compare 3x4 --open --start a1 -m warnsdorff --format csv").out();
    assert!(csv.contains(",3x4 open from a1,,warnsdorff,0,20.0,,,,tour,"), "{csv}");
    // A count that is impossible on this board does not make the other methods fail.
    let wide = run("compare 30x30 -m warnsdorff,exact --format csv");
    assert!(
        wide.out().contains(",exact,1,20.0,,,,refused,,\"the graph is too wide: ")
            || wide.out().contains(",exact,1,20.0,,,,refused,,the graph is too wide: "),
        "{}",
        wide.out()
    );
    assert_eq!(run("compare 8x8 -m zdd,zdd").refused(), "--methods names \"zdd\" twice; remove one of them");
}

#[test]
fn a_comparison_as_an_experiment_says_what_reproduced() {
    let folder = Place::new();
    let plan = folder.path("small.toml");
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
    let results = folder.path("results");
    let start = || run(&format!("run {} -o {} -q", plan.display(), results.display()));
    write(25);
    start().exits(0).notes_only("");
    let report = fs::read_to_string(results.join("small.md")).unwrap();
    assert!(report.contains("| 5x5 open from a1 | warnsdorff |"), "{report}");
    assert!(report.contains("- Each square is a node. Reproduced (warnsdorff): nodes 25, "), "{report}");
    assert!(report.contains("- There are four. Reproduced (bdd): answer 4, "), "{report}");
    let csv = fs::read_to_string(results.join("small.csv")).unwrap();
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.contains(",6 queens,,enumerate,0,60.0,,,,count,4,"), "{csv}");

    write(24);
    start().exits(1).notes("**Did not reproduce**");
    let question = |lines: &str| {
        let text = format!("title = 't'\ntime_limit = 1\n[[questions]]\n{lines}\n");
        fs::write(&plan, text).unwrap();
        let message = start().refused();
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
    run(&format!("run {} -o {} --fresh", plan.display(), results.display()))
        .says(0, "Many. **Not decided** (exact): the graph is too wide: ");
}

/// The Petersen graph in DIMACS format. It has no Hamiltonian cycle and 240 directed Hamiltonian paths.
const PETERSEN: &str = "c Petersen\np edge 10 15\n\
    e 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\ne 1 6\ne 2 7\ne 3 8\ne 4 9\ne 5 10\n\
    e 6 8\ne 8 10\ne 10 7\ne 7 9\ne 9 6\n";

#[test]
fn graphs_from_files_go_everywhere_where_boards_go() {
    let folder = Place::new();
    let file = folder.path("petersen.col");
    fs::write(&file, PETERSEN).unwrap();
    let name = file.display();
    let code = |args: &str| run(args).code();
    assert_eq!(code(&format!("solve {name} -e unary")), Some(20));
    assert_eq!(code(&format!("solve {name} --open --start 7 -e direct")), Some(10));
    assert_eq!(code(&format!("tour {name} --method backtrack")), Some(20));
    let path = run(&format!("tour {name} --open --start 10 --json"));
    path.exits(10);
    feed("check -", path.out()).exits(0);
    for method in ["exact", "zdd", "timeslice", "enumerate"] {
        let count = |args: &str| run(&format!("count {name} --method {method} {args}")).out();
        let all = count("--open");
        let expected = format!("{name}: 240 open tours from any vertex, directed (");
        assert!(all.starts_with(&expected), "{all}");
        let from = count("--open --start 3");
        assert!(from.starts_with(&format!("{name}: 24 open tours from 3, directed (")), "{from}");
    }
    run(&format!("encode {name} --open --varnames")).and("c varname 1 H(1,2)\n");
    let answer = run(&format!("solve {name} --open --dimacs"));
    feed(&format!("decode {name} --open -"), answer.out()).exits(10);
    let sizes = run(&format!("sizes {name} --format csv")).out();
    assert_eq!(sizes.lines().count(), 1 + 11, "{sizes}");
    // If an encoding is only for boards, its columns still align with their headings.
    let both = run(&format!("sizes {name} 6x6 --format markdown")).out();
    let rows = both.lines().filter(|line| line.starts_with('|'));
    let columns: Vec<_> = rows.map(|line| line.matches('|').count()).collect();
    assert_eq!(columns, [38; 4], "{both}");
    assert!(both.lines().next().unwrap().contains("| step clauses |"), "{both}");
    let stored = folder.path("sizes.csv");
    fs::write(&stored, sizes).unwrap();
    assert_eq!(code(&format!("sizes --check {}", stored.display())), Some(0));
    let compared = run(&format!("compare {name} --open --format csv"));
    compared.exits(0);
    let answers = [",tour,", ",count,"].map(|status| compared.out().matches(status).count());
    assert_eq!(answers, [20, 7], "{}", compared.out());
}

#[test]
fn experiments_of_every_kind_take_graphs_from_files() {
    let folder = Place::new();
    let graph = folder.path("petersen.col");
    fs::write(&graph, PETERSEN).unwrap();
    let plan = folder.path("graph.toml");
    let rows = |kind: &str, rest: &str| {
        let rest = rest.replace("GRAPH", &graph.display().to_string());
        fs::write(&plan, format!("title = 't'\n{rest}")).unwrap();
        let results = folder.path(kind);
        run(&format!("run {} -o {}", plan.display(), results.display())).exits(0);
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
    let unfinished = folder.path("decision/graph");
    for ending in ["csv", "machine.json"] {
        let file = unfinished.with_extension(ending);
        fs::rename(&file, format!("{}.part", file.display())).unwrap();
    }
    let resume = || {
        let results = folder.path("decision");
        run(&format!("run {} -o {}", plan.display(), results.display()))
    };
    fs::write(&graph, PETERSEN.replace("e 9 6", "e 1 3")).unwrap();
    resume().refuses("petersen.col with other edges (not in the experiment); pass --prune");
    fs::write(&graph, PETERSEN).unwrap();
    resume().exits(0);
    let counts = rows(
        "count",
        "seeds = [1]\ntime_limit = 60\n[[questions]]\nquestion = 'GRAPH open from 3'\n\
         methods = ['exact', { method = 'zdd', time_limit = 50 }]\n",
    );
    assert_eq!(counts.matches("petersen.col open from 3,33b341bd,").count(), 2, "{counts}");
    assert_eq!(counts.matches(",count,24,").count(), 2, "{counts}");
    let report = folder.read("count/graph.md");
    assert!(report.contains("| 50 s of wall time |"), "{report}");
    let compared =
        rows("compare", "time_limit = 60\n[[questions]]\nquestion = 'GRAPH'\nmethods = ['unary', 'exact']\n");
    assert_eq!(compared.matches("petersen.col,33b341bd,").count(), 2, "{compared}");
    assert_eq!(compared.matches(",no-tour,").count(), 1, "{compared}");
    assert_eq!(compared.matches(",count,0,").count(), 1, "{compared}");
}

#[test]
fn graphs_that_cannot_be_read_are_refused_in_one_line() {
    let folder = Place::new();
    let file = folder.path("graph");
    let name = file.display().to_string();
    let wrong = |text: &str, args: &str| {
        fs::write(&file, text).unwrap();
        run(&args.replace("FILE", &name)).refused().replace(&name, "FILE")
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
        run(&format!("solve {}", folder.dir().display()))
            .refused()
            .replace(&folder.dir().display().to_string(), "FOLDER"),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

/// Tests that a range of boards gives a table, rows or objects with the counts of the single boards.
#[test]
fn boards_of_all_lengths_are_counted() {
    let counts = [("5x5", "0"), ("5x6", "8"), ("5x7", "0"), ("5x8", "44202")];
    let table = run("count 5x5..8").text(0);
    let lines: Vec<Vec<_>> = table.lines().map(|l| l.split_whitespace().collect()).collect();
    assert_eq!(lines[0].join(" "), "board closed tours, undirected known after");
    for (line, (board, count)) in lines[1..].iter().zip(counts) {
        assert_eq!(line[..2], [board, count]);
    }
    assert_eq!(lines.len(), 5);
    let rows = run("count 5x5..8 --format csv").text(0);
    let rows = read_rows(&rows).unwrap();
    let objects = run("count 5x5..8 --json --directed").objects(0);
    assert_eq!((rows.len(), objects.len()), (4, 4));
    for ((board, count), (row, object)) in counts.iter().zip(rows.iter().zip(&objects)) {
        assert_eq!((row.asked.question.as_str(), row.value.as_ref().unwrap().to_string()), (*board, count.to_string()));
        assert_eq!((&object["question"], &object["value"]), (&(*board).into(), &(*count).into()));
    }
    assert_eq!(objects[3]["details"]["directed_value"], "88404");
    run("count 3..4x4 --open --method treewidth").says(0, " 16 ").and("3x4");
}

/// Tests that a board of a range has the JSON of the board alone, whether it is counted or estimated.
#[test]
fn boards_of_a_range_have_the_json_of_one_board() {
    for options in ["", " --method sample --states 50 --repetitions 2"] {
        let [range, one] = ["6x5..6", "6x6"].map(|boards| {
            let args = format!("count {boards} --directed --json{options}");
            let last = run(&args).text(0);
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
    run(boards).refuses("e1 is not on the 4x4 board");
    run(&format!("{boards} --keep-going"))
        .has(2, json!({ "details": { "instance": "4x5" } }))
        .notes("e1 is not on the 4x4 board");
}

#[test]
fn a_single_board_has_the_formats_of_a_range() {
    let row = run("count 6x6 --format csv").text(0);
    assert_eq!(row.lines().count(), 2, "{row}");
    assert!(row.lines().last().unwrap().contains(",count,9862,"), "{row}");
    let table = run("count 6x6 --format markdown").text(0);
    assert!(table.lines().last().unwrap().contains("| 6x6 "), "{table}");
}

/// Tests that a limit of a symmetric count is about orbits of squares.
#[test]
fn symmetric_counts_sweep_over_orbits() {
    run("count 8x8 --symmetry 180 --memory-limit 20K --try").exits(3).notes(" of 32 orbits, with ");
    run("count 14x14 --symmetry 180 --memory-limit 1M").exits(3).notes("--scratch FOLDER");
}

/// Tests that lengths beyond a limit are named, and those before it are counted.
#[test]
fn lengths_beyond_a_limit_are_named() {
    let output = run("count 6x6..14 --memory-limit 5500K --try");
    let table = output.text(3);
    assert!(table.contains(" 9862 "), "{table}");
    let last = table.lines().last().unwrap();
    assert!(last.starts_with("not counted: ") && last.contains("6x14"), "{table}");
    assert!(last.contains("memory limit of 5.4 MiB"), "{table}");
    assert_eq!(run("sample-tour 8x5..6").refused(), "\"8x5..6\" is several boards; name one of them, such as 8x5");
    assert!(run("count 8x9..5").refused().starts_with("\"8x9..5\" has no boards, because 5 is less than 9"));
    assert!(run("count 8x..9").refused().starts_with("\"8x..9\" is not a range of boards; write ROWSxFIRST..LAST"));
    assert!(run("count 6x6..7 --method zdd --list -").refused().starts_with("--list is for one graph"));
    // The boards are made within the time limit, and an incomplete list gives a bound.
    run("count 3x4..3000 --time-limit 0.1").prints(3, "").notes("the time limit was reached before the boards from 3x");
    run("count 6x6..7 --method enumerate --cpu-limit 0.5").says(3, "at least ");
}
