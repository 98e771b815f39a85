//! Tests of the program as users see it: output, exit codes, and messages about invalid input.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::command::*;

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
fn an_encoded_file_says_what_it_is() {
    let output = run("encode 3x4 --open --start b3 --project vars:1..9/4 --projection-format ind");
    let text = output.out();
    let is_clause = |line: &&str| !line.starts_with(['c', 'p']);
    let head: Vec<_> = text.lines().take_while(|line| !is_clause(line)).collect();
    insta::assert_snapshot!(head.join("\n").replace(env!("CARGO_PKG_VERSION"), "VERSION"));
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
