//! Answers of `solve`, `count` and `decode` with few options. The answer is immediate if possible, and otherwise comes
//! from the default method. If a limit ended the run, the program gives advice.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use hamcnf::question::Question;
use hamcnf::record::SCHEMA;
use hamcnf::record::{Record, Status};
use hamcnf::refute::instance::proof_instance;
use hamcnf::solve::{self, Outcome};
use hamcnf::{Clauses, Encoding, Formula};

use serde_json::Value;

use crate::command::{feed, hamcnf, refused, run, run_in, stderr, stdout, text};

#[track_caller]
fn json(output: &Output, code: i32) -> Value {
    serde_json::from_str(&text(output, code)).unwrap()
}

const ODD: &str = "every move changes colour; 41 vertices have the start's colour and 40 the other colour, but a closed tour \
                   visits the same number of each";

#[test]
fn what_cannot_be_is_answered_before_any_work_and_with_the_reason() {
    // A search could not answer any of these questions within the time of all tests.
    assert_eq!(text(&run("solve 9x9"), 20), format!("9x9 knight, closed tours, start a1: there is no tour: {ODD}\n"));
    let answer = text(&run("solve 7x7 --open --start b1"), 20);
    assert!(answer.contains("24 vertices have the start's colour and 25 the other"), "{answer}");
    assert_eq!(text(&run("solve 99x99 --dimacs"), 20), "s UNSATISFIABLE\n");
    let found = json(&run("solve 9x9 --json"), 20);
    assert_eq!(
        (&found["status"], &found["details"]["obstruction"], &found["message"]),
        (&"no-tour".into(), &"colours".into(), &ODD.into())
    );
    // No formula was generated, so the object has no sizes.
    assert!(found["variables"].is_null() && found["clauses"].is_null());

    let count = text(&run("count 9x9"), 0);
    assert!(count.starts_with(&format!("9x9: 0 closed tours, undirected ({ODD}, ")), "{count}");
    let counted = json(&run("count 19x19 --json"), 0);
    assert_eq!((&counted["value"], &counted["details"]["obstruction"]), (&"0".into(), &"colours".into()));
    assert_eq!(counted["status"], "count");

    // The first graph is two triangles that share a vertex; the second is two triangles joined by an edge.
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    fs::write(folder.path().join("bow"), "1 2\n2 3\n1 3\n3 4\n4 5\n3 5\n").unwrap();
    fs::write(folder.path().join("bridge"), "1 2\n2 3\n1 3\n3 4\n4 5\n5 6\n4 6\n").unwrap();
    for command in ["solve", "count"] {
        let code = if command == "solve" { 20 } else { 0 };
        for (graph, kind) in [("bow", "cut-vertex"), ("bridge", "bridge")] {
            let found = json(&here(&format!("{command} {graph} --json")), code);
            assert_eq!(found["details"]["obstruction"], kind);
        }
        let cut = json(&here(&format!("{command} bow --open --start 3 --json")), code);
        assert_eq!(cut["details"]["obstruction"], "cut-start");
    }
    // The obstruction for start 3 must not be claimed for the other starts: a tour can begin in either triangle.
    assert!(text(&here("count bow --open"), 0).starts_with("bow: 8 open tours from any vertex"));
}

#[test]
fn what_is_asked_for_by_its_name_is_done_all_the_same() {
    let solved = run("solve 5x5 -e binary --json");
    assert_eq!(json(&solved, 20)["details"]["encoding"], "binary");
    assert!(stderr(&solved).contains("there is no tour: every move changes colour"));
    let counted = run("count 5x5 --method zdd --json");
    assert_eq!(json(&counted, 0)["method"], "zdd");
    assert!(stderr(&counted).contains("counting with method \"zdd\" anyway"));
}

#[test]
fn solve_takes_what_solves() {
    let solved = json(&run("solve 12x12 --threads 1 --json"), 10);
    assert_eq!(solved["method"], "auto");
    assert_eq!(solved["message"], "by two-factor");
    let parts: Vec<_> = solved["details"]["steps"].as_array().unwrap().iter().collect();
    let parts = parts.iter().map(|step| step["strategy"].as_str().unwrap());
    assert_eq!(parts.collect::<Vec<_>>(), ["obstruction", "two-factor"]);
    assert!(solved["peak_rss_kib"].as_u64().unwrap() > 1000);
    // For a formula, the program chooses the encoding that finds tours fastest.
    let model = text(&run("solve 12x12 --dimacs"), 10);
    assert!(model.contains("c question 12x12\nc encoding relaxed+two-cycles\n"), "{model}");
    // `encode` uses the encoding of the paper by default, because the paper's tables need it.
    let encoded = text(&run("encode 6x6"), 0);
    assert!(encoded.contains("c encoding binary\n"));
}

#[test]
fn open_tours_begin_and_end_where_they_shall() {
    let ends = |args: &str| {
        let solved = json(&run(&format!("solve {args} --json")), 10);
        let squares = solved["tour"].as_array().unwrap();
        assert_eq!(squares.len(), 36);
        [&squares[0], &squares[35]].map(|square| square.as_str().unwrap().to_owned())
    };
    assert_eq!(ends("6x6 --from a1 --to b1"), ["a1", "b1"]);
    assert_eq!(ends("6x6 --from anywhere --to f6")[1], "f6");
    for part in ["decomposition", "core", "propagator", "lazy", "local-search"] {
        let args = format!("6x6 --from b1 --to a1 --method {part}");
        assert_eq!(ends(&args), ["b1", "a1"], "{part}");
    }
    // The ends of a tour of 36 squares must have different colours.
    let none = json(&run("solve 6x6 --from a1 --to c1 --json"), 20);
    assert_eq!(none["status"], "no-tour");
    assert_eq!(none["details"]["obstruction"], "colours");
    assert_eq!(
        none["message"],
        "every move changes colour; 18 vertices have the colour of a1 and 18 the other colour, so an open tour from a1 cannot end \
         in c1"
    );
    let none = json(&run("solve 5x5 --from anywhere --to b1 --json"), 20);
    assert_eq!(none["details"]["obstruction"], "colours");
    let counted = json(&run("count 8x8-a1-h8 --open --json"), 0);
    assert_eq!(counted["value"], "0");
    for (args, message) in [
        ("6x6 --to zz", "\"zz\" is not a square"),
        ("6x6 --from a1 --to a1", "an open tour cannot both start and end at a1"),
    ] {
        let refused = stderr(&run(&format!("solve {args}")));
        assert!(refused.contains(message), "{refused}");
    }
}

#[test]
fn limits_say_what_may_do_better() {
    for (args, code, messages) in [
        (
            "solve 14x14 -e direct --time-limit 0.01",
            3,
            &[
                "--encoding relaxed+two-cycles+phases=false, the default encoding",
                "hamcnf solve 14x14 --method warnsdorff",
            ][..],
        ),
        (
            "solve 100x100 --open --time-limit 0.001",
            3,
            &["no answer within the time limit", "more time", "another --seed", "hamcnf solve 100x100 --open"],
        ),
        (
            "solve 20x20 --method decomposition",
            3,
            &["decomposition found no tour, which proves nothing: the graph is too wide", "--method auto"],
        ),
        ("solve 3x8 --method warnsdorff", 3, &["warnsdorff found no tour, which proves nothing", "hamcnf solve 3x8"]),
        ("tour 3x8 --restart-limit 3", 3, &["--method best-first", "hamcnf solve 3x8"]),
        ("count 8x8 --time-limit 0.01", 3, &["--method sample, which estimates"]),
        ("count 8x8 --cpu-limit 0.01", 3, &["8x8: the CPU time limit was reached", "--method sample, which estimates"]),
        (
            "count 6x8 --method sample --time-limit 0.01",
            3,
            &["; try instead: fewer --states or --repetitions, which take less time\n"],
        ),
        ("count 6x8 --method zdd --memory-limit 1M", 3, &["--method exact, which needs less memory"]),
        ("count 6x6 --method timeslice --time-limit 0.1", 3, &["--method exact or --method zdd"]),
        ("count 6x7 --method enumerate --time-limit 0.1", 3, &["--method exact, which counts without"]),
        ("count 20x20", 3, &["the graph is too wide", "--method approxmc", "ganak", "hamcnf solve"]),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(code), "{args}");
        let said = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
        for message in messages {
            assert!(said.contains(message), "{args}: {said}");
        }
    }
}

#[test]
fn the_option_threads_takes_precedence_over_the_setting() {
    for (args, method) in [
        ("--method auto+threads=2", "auto+threads=2"),
        ("--method auto+threads=2 --threads 3", "auto+threads=3"),
        ("--method auto+threads=2 --threads 1", "auto"),
    ] {
        let output = run(&format!("solve 6x6 --json {args}"));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["method"], method, "{args}");
    }
}

#[test]
fn a_count_that_will_not_fit_is_not_begun() {
    // The estimate is 3.4 MiB.
    let output = run("count 6x8 --memory-limit 48K");
    assert_eq!(text(&output, 3), "");
    let said = stderr(&output);
    for message in ["more than the memory limit of 48 KiB", "--try", "--method sample"] {
        assert!(said.contains(message), "{said}");
    }
    let stopped = json(&run("count 6x8 --memory-limit 48K --json"), 3);
    assert_eq!(stopped["status"], "memout");
    assert!(stopped["value"].is_null(), "{stopped}");
    let tried = stderr(&run("count 6x8 --memory-limit 48K --try"));
    assert!(tried.contains("the memory limit of 48 KiB was reached after"), "{tried}");
    // A count that easily fits into memory is started, although the estimate is above the limit.
    assert!(text(&run("count 7x8 --memory-limit 60M"), 0).starts_with("7x8: 34524432316 closed"));
}

#[test]
fn counts_in_json_have_all_digits() {
    // The counts are above 2^53 = 9007199254740992. Most JSON readers lose precision beyond this number.
    let value = |args: &str| json(&run(&format!("{args} --json")), 0)["value"].clone();
    assert_eq!(value("count 3x40"), "11010065269439104");
    assert_eq!(value("count 5x20"), "53034853662012222798");
    assert_eq!(value("queens 8 count"), "92");
    let by_start = json(&run("count 5x5 --open --by-start --json"), 0);
    assert_eq!(by_start["details"]["by_start"][0]["value"], "304");
    // The method needs no table if the graph decides the answer.
    let triangle = text(&run("count complete:3 --method subsets"), 0);
    assert!(triangle.contains("(exact, by a table over subsets of 3 vertices, "), "{triangle}");
    // `value` is the same as in a row, whatever other options are given.
    let directed = json(&run("count 5x6 --directed --json"), 0);
    assert_eq!((&directed["value"], &directed["details"]["directed_value"]), (&"8".into(), &"16".into()));
}

#[test]
fn histograms_are_tables_rows_and_json() {
    let table = text(&run("count 5x6 --histogram obtuse,straight"), 0);
    let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["obtuse,straight", "tours"]);
    assert!(table.contains("5x6: 8 closed tours, undirected (exact, "), "{table}");
    let rows = text(&run("count 5x6 --histogram obtuse,straight --format csv"), 0);
    let tours = |row: &str| row.split_once(',').unwrap().1.parse::<u32>().unwrap();
    assert_eq!(rows.lines().skip(1).map(tours).sum::<u32>(), 8);
    assert!(rows.starts_with("value,tours\n"), "{rows}");
    let object = json(&run("count 6x6 --histogram 0..89 --json"), 0);
    assert_eq!((&object["value"], &object["method"]), (&"9862".into(), &"histogram+of=0..89".into()));
    let first = &object["details"]["histogram"][0];
    assert_eq!((&first["value"], &first["tours"]), (&9.into(), &"8".into()));
    assert_eq!(object["details"]["statistics"]["tours.9"], "8");
    let open = text(&run("count 3x4 --open --histogram slope=1/2"), 0);
    assert!(open.contains("3x4: 16 open tours"), "{open}");
    let single = text(&run("count 1x1 --open --histogram obtuse --format csv"), 0);
    assert_eq!(single, "value,tours\n0,1\n");
    let none = json(&run("count 1x1 --histogram obtuse --json"), 0);
    assert_eq!(none["details"]["histogram"], serde_json::json!([]));
    // The constraint on turns has the same words, and is counted by the same sweep.
    let few = json(&run("count 6x6 --turns 0=..2 --json"), 0);
    assert_eq!(few["value"], "9500");
    for turns in ["straight=..2", "0..0=..2"] {
        let same = json(&run(&format!("count 6x6 --turns {turns} --json")), 0);
        assert_eq!(same["value"], few["value"], "{turns}");
    }
    let stopped = run("count 8x8 --histogram obtuse --memory-limit 64K");
    assert_eq!(stopped.status.code(), Some(3));
}

/// Tests that a board and the transposed board have the same diagram over vertices and times.
#[test]
fn a_diagram_over_times_does_not_depend_on_the_orientation() {
    let [lying, standing] = ["3x4", "4x3"].map(|board| {
        let args = format!("count {board} --from a1 --open --method timeslice --json");
        let object = json(&run(&args), 0);
        (object["value"].clone(), object["details"]["statistics"]["peak_nodes"].clone())
    });
    assert!(lying == standing && lying.1.is_u64(), "{lying:?} {standing:?}");
}

#[test]
fn residues_of_counts_say_their_modulus() {
    let prime = text(&run("count 3x10000 --mod 1000000007"), 0);
    assert!(
        prime.starts_with("3x10000: 723158474 modulo 1000000007: closed tours, undirected (")
            && prime.contains("77 states and a recurrence of order 45"),
        "{prime}"
    );
    let object = json(&run("count 3x200 --mod 1000 --json"), 0);
    assert_eq!((&object["status"], &object["method"]), (&"residue".into(), &"transfer+mod=1000".into()));
    let all = json(&run("count 3x200 --json"), 0);
    let (all, last) = (all["value"].as_str().unwrap(), object["value"].as_str().unwrap());
    assert!(all.len() > 90 && all.ends_with(last), "{all} {last}");
    let short = json(&run("count 3x150 --method transfer --json"), 0);
    assert_eq!(short["value"], json(&run("count 3x150 --method exact --json"), 0)["value"]);
    // Short and wide boards are counted along a frontier.
    let small = text(&run("count 6x6 --mod 1000"), 0);
    assert!(small.starts_with("6x6: 862 modulo 1000: closed tours, undirected (exact, along a frontier"), "{small}");
    let directed = json(&run("count 3x12 --directed --mod 13 --json"), 0);
    assert_eq!((&directed["value"], &directed["details"]["directed_value"]), (&"7".into(), &"1".into()));
    // Every exact count has a residue.
    for (args, residue) in [
        ("petersen:7:2 --mod 5", "2 modulo 5"),
        ("5x5 --open --mod 7", "6 modulo 7"),
        ("6x6 --mod 1000 --method exact", "862 modulo 1000"),
        ("6x6 --force a1-c2 --mod 1000", "862 modulo 1000"),
        ("6x6 --symmetry 180 --mod 7", "1 modulo 7"),
        ("leaper:2,3:6x6-a1 --mod 7", "0 modulo 7"),
        ("complete:22 --mod 18446744073709551629", "7098727012145168371 modulo 18446744073709551629"),
    ] {
        let text = text(&run(&format!("count {args}")), 0);
        assert!(text.contains(residue), "{text}");
    }
    for range in ["5x5..8", "3x198..201", "5x4..7", "5x48..51"] {
        let values = |options: &str| -> Vec<String> {
            let lines = text(&run(&format!("count {range} --json {options}")), 0);
            let values = lines.lines().map(|line| {
                let object: Value = serde_json::from_str(line).unwrap();
                object["value"].as_str().unwrap().to_owned()
            });
            values.collect()
        };
        let (residues, counts) = (values("--mod 10"), values(""));
        assert_eq!(residues.len(), 4);
        for (residue, count) in residues.iter().zip(&counts) {
            assert!(count.ends_with(residue.as_str()), "{range}: {count} {residue}");
        }
    }
}

/// Tests that a graph is counted part by part. Two complete graphs of 12 vertices are joined by two edges, and the third
/// graph is wide before its edges are removed.
#[test]
fn graphs_are_counted_part_by_part() {
    let complete = |n: u32, from: u32| (0..n).flat_map(move |v| (0..v).map(move |w| (from + w, from + v)));
    let edges =
        |edges: &mut dyn Iterator<Item = (u32, u32)>| edges.map(|(v, w)| format!("{v} {w}\n")).collect::<String>();
    let two = edges(&mut complete(12, 0).chain(complete(12, 12)).chain([(0, 12), (1, 13)]));
    let counted = text(&feed("count edges:-", &two), 0);
    assert!(
        counted.contains(": 13168189440000 closed tours, undirected (exact, the product over 2 parts of the graph, "),
        "{counted}"
    );
    let around = (0..40).flat_map(|v| [(v, 40 + v), (40 + v, (v + 1) % 40)]);
    let wide = edges(&mut complete(40, 0).chain(around));
    let counted = json(&feed("count edges:- --json", &wide), 0);
    assert_eq!(counted["value"], "1");
    let wide = run("count gnp:80,0.5:1");
    assert_eq!(wide.status.code(), Some(3));
    let said = stderr(&wide);
    assert!(said.contains("no tree decomposition of width 24 or less was found"), "{said}");
}

/// Tests that all commands that run a method print the same JSON fields, which are the columns of a row.
#[test]
fn every_answer_is_one_record() {
    let mut fields: Option<Vec<String>> = None;
    for (args, code) in [
        ("solve 6x6", 10),
        ("solve 5x5", 20),
        ("solve 6x6 -e binary --number 2", 10),
        ("solve petersen:5:2 --open --method lazy", 10),
        ("tour 6x6", 10),
        ("count 5x6", 0),
        ("count 6x8 --memory-limit 200K", 3),
        ("queens 6 count", 0),
        ("compare 5x6 --methods binary", 0),
    ] {
        let printed = text(&run(&format!("{args} --json")), code);
        let first: Value = serde_json::from_str(printed.lines().next().unwrap()).unwrap();
        let object = match &first {
            Value::Array(records) => &records[0],
            object => object,
        };
        let mut columns = object.as_object().unwrap().clone();
        let here: Vec<_> = columns.keys().cloned().collect();
        assert_eq!(*fields.get_or_insert_with(|| here.clone()), here, "{args}");
        for field in ["tour", "numbering", "details"] {
            columns.remove(field);
        }
        let record: Record = serde_json::from_value(columns.into()).unwrap();
        assert_eq!(object["tour"].is_array(), record.status == Status::Tour, "{object}");
        assert!(object["details"]["statistics"].is_object(), "{object}");
    }
}

/// Tests that the JSON object contains the edges if requested, with vertex names, and that the object can be read
/// without the graph's file.
#[test]
fn objects_have_the_graph_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    let file = |name: &str| folder.path().join(name);
    for (graph, numbering) in
        [("0 1\n1 2\n2 3\n3 0\n", "from-0"), ("1 2\n2 3\n3 4\n4 1\n", "from-1"), ("a b\nb c\nc d\nd a\n", "names")]
    {
        for command in ["solve", "tour", "sample-tour"] {
            fs::write(file("ring.txt"), graph).unwrap();
            let plain = here(&format!("{command} ring.txt --json"));
            let code = plain.status.code().unwrap();
            let plain = json(&plain, code);
            assert_eq!(plain["numbering"], numbering);
            assert!(plain["details"]["graph"].is_null(), "{plain}");
            let whole = text(&here(&format!("{command} ring.txt --json --edges")), code);
            let object: Value = serde_json::from_str(&whole).unwrap();
            let edge = &object["details"]["graph"]["edges"][0];
            let first: Vec<_> = graph.lines().next().unwrap().split(' ').collect();
            assert_eq!(*edge, Value::from(first));
            fs::write(file("tour.json"), whole).unwrap();
            fs::remove_file(file("ring.txt")).unwrap();
            let checked = text(&here("check tour.json"), 0);
            assert!(checked.contains("a tour that visits all 4 vertices once"), "{checked}");
        }
    }
    let board = json(&run("solve 6x6 --json --edges"), 10);
    assert_eq!(board["details"]["graph"]["vertices"], 36);
    assert_eq!(board["numbering"], "squares");
    text(&feed("check -", board.to_string()), 0);
    assert!(refused(&run("solve 6x6 --edges")).contains("--json"));
}

#[test]
fn another_seed_is_another_tour_and_the_same_is_the_same() {
    for board in ["6x6", "8x8"] {
        let solve = |seed: u32| json(&run(&format!("solve {board} --seed {seed} --json")), 10);
        let mut tours = HashSet::new();
        for seed in 0..5 {
            let solved = solve(seed);
            let of = |options: &str| run(&format!("solve 5x6 -e binary --seed {seed} {options}"));
            let phases = if seed == 0 { "solver" } else { "seeded" };
            assert_eq!(json(&of("--json"), 10)["details"]["settings"]["phases"], phases);
            assert_eq!(solved["tour"], solve(seed)["tour"]);
            tours.insert(solved["tour"].to_string());
        }
        assert_eq!(tours.len(), 5, "{board}");
    }
    // With `--phases solver`, the seed does not change the initial phases.
    let solver = |seed: u32| run(&format!("solve 6x6 -e binary --seed {seed} --phases solver --dimacs"));
    assert_eq!(text(&solver(1), 10), text(&solver(2), 10));
    let seeded = |seed: u32| run(&format!("queens 12 solve --seed {seed} --dimacs"));
    assert_ne!(text(&seeded(1), 10), text(&seeded(2), 10));
}

/// Tests that the output ends with the drawing if `--quiet` is given.
#[test]
fn a_quiet_answer_ends_where_it_ends() {
    for args in ["solve 6x6", "solve 6x6 -e edges", "tour 6x6", "queens 6 solve"] {
        let said = text(&run(&format!("{args} -q")), 10);
        let last = said.trim_end().lines().last().unwrap();
        assert!(last.trim_start().starts_with('└'), "{args}: {last}");
        let said = text(&run(args), 10);
        assert!(said.trim_end().ends_with(|c: char| c.is_ascii_alphanumeric()), "{args}");
    }
}

/// Tests that the program prints each of several tours as soon as it is found.
#[test]
fn tours_are_printed_as_they_are_found() {
    let mut child =
        hamcnf("solve 6x6 --number 9000 -e edges").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.ends_with("a tour, checked move by move"), "{first}");
    // The program still runs, because finding the remaining tours takes seconds.
    assert!(child.try_wait().unwrap().is_none());
    child.kill().unwrap();
    child.wait().unwrap();
    let all = text(&run("solve 5x6 --number 20 -e edges"), 10);
    assert_eq!(all.matches("a tour, checked").count(), 8);
    assert!(all.contains("8 different tours, and there are no others"), "{all}");
}

#[test]
fn seeds_and_phases_are_in_the_rows_of_experiments() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |method: &str| {
        format!(
            "title = 't'\nseeds = [1, 2]\ntime_limit = 600\nexpect = 'tour'\n\
             questions = ['8x8']\nmethods = ['{method}', 'warnsdorff']\n"
        )
    };
    for (method, same) in [("counting", true), ("solve+phases=seeded:counting", false)] {
        fs::write(folder.path().join("t.toml"), plan(method)).unwrap();
        text(&run_in(folder.path(), "run t.toml -o results --prune"), 0);
        let rows = fs::read_to_string(folder.path().join("results/t.csv")).unwrap();
        let mut reader = csv::Reader::from_reader(rows.as_bytes());
        let column = |reader: &csv::StringRecord, name| reader.iter().position(|c| c == name);
        let heads = reader.headers().unwrap().clone();
        let at = |name| column(&heads, name).unwrap();
        let (by, statistics) = (at("method"), at("statistics"));
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 4);
        assert_eq!([&rows[0][by], &rows[2][by]], [method, "warnsdorff"]);
        assert_eq!(rows[0][statistics] == rows[1][statistics], same);
    }
}

#[test]
fn several_tours_are_different_ones() {
    let all = text(&run("solve 5x6 --number 100 --json"), 10);
    assert_eq!(all.lines().count(), 8);
    let lines: Vec<Value> = all.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    // A closed tour and its reverse are the same tour.
    let undirected = |line: &Value| {
        let order = line["tour"].as_array().unwrap().iter();
        let order: Vec<String> = order.map(|v| v.as_str().unwrap().to_owned()).collect();
        let mut reversed = order.clone();
        reversed[1..].reverse();
        order.min(reversed)
    };
    assert_eq!(lines.iter().map(undirected).collect::<HashSet<_>>().len(), 8);
    let shown = text(&run("solve 5x6 --number 100"), 10);
    assert!(shown.contains("8 different tours, and there are no others"), "{shown}");
    let some = text(&run("solve 6x6 -e binary --number 3 --seed 4"), 10);
    assert!(some.contains("\n3 different tours\n"), "{some}");
    assert_eq!(some.matches("a tour, checked move by move").count(), 3);
    assert_eq!(text(&run("solve 4x4 --open --number 2 --json"), 20).lines().count(), 1);
    let folder = tempfile::tempdir().unwrap();
    text(&run_in(folder.path(), "solve 6x6 -n 4 --render four.json"), 10);
    let checked = text(&run_in(folder.path(), "check four.json"), 0);
    assert_eq!(checked.lines().count(), 4);
    assert!(refused(&run("solve 6x6 --number 2 --dimacs")).contains("--dimacs prints one answer"));
}

#[test]
fn an_answer_of_solve_is_decoded_whichever_encoding_it_took() {
    for options in ["6x6", "5x5 --open --start c3", "6x6 -e unary --pruning full --seed 3"] {
        let answer = text(&run(&format!("solve {options} --dimacs")), 10);
        let place = options.split(" -e").next().unwrap();
        let decoded = feed(&format!("decode {place} -"), &answer);
        assert!(text(&decoded, 10).contains("a tour, checked move by move"));
    }
    // `decode` uses the encoding on the command line, and rejects an answer for another board.
    let answer = text(&run("solve 6x6 --dimacs"), 10);
    for (args, message) in [
        ("decode 6x6 -e binary -", "belong to another formula?"),
        ("decode 5x6 -", "standard input is the answer to \"6x6\", not to \"5x6\""),
    ] {
        let said = refused(&feed(args, &answer));
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn a_formula_says_itself_how_it_is_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    fs::create_dir(folder.path().join("my graphs")).unwrap();
    let ring = folder.path().join("my graphs/ring.txt");
    fs::write(&ring, "1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n").unwrap();
    let hamcnf = |args: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_hamcnf")).args(args).current_dir(folder.path()).output().unwrap()
    };
    for options in [
        &["5x6"][..],
        &["5x5", "--open", "--start", "c3", "-e", "unary", "--pruning", "full"],
        &["4x4", "--piece", "0,1", "-e", "direct", "--at-most-one", "ladder"],
        &["5x6", "-e", "counting", "--project", "co-tree", "--varnames"],
        &["3x4", "--open", "--start", "a1", "-e", "step"],
        &["my graphs/ring.txt", "-e", "binary", "--orientation", "fixed"],
    ] {
        let encode = [&["encode"], options, &["-o", "f.cnf.gz"]].concat();
        text(&hamcnf(&encode), 0);
        // The solver needs neither the projection set nor the names of the variables.
        let until = options.iter().position(|o| *o == "--project").unwrap_or(options.len());
        let named = options.contains(&"-e");
        let solver: &[&str] = if named { &["--dimacs"] } else { &["-e", "binary", "--dimacs"] };
        let solve = [&["solve"], &options[..until], solver].concat();
        fs::write(folder.path().join("answer"), text(&hamcnf(&solve), 10)).unwrap();
        let decoded = text(&here("decode f.cnf.gz answer"), 10);
        assert!(decoded.contains(": a tour, checked move by move"), "{decoded}");
        if options[0].starts_with("my") {
            let other = "1 2\n2 3\n3 4\n4 5\n5 1\n1 4\n";
            fs::write(&ring, other).unwrap();
            let said = refused(&here("decode f.cnf.gz answer"));
            assert!(said.contains("f.cnf.gz was made from another graph than "), "{said}");
        }
    }
    text(&here("encode 5x6 -o f.cnf"), 0);
    let formula = fs::read_to_string(folder.path().join("f.cnf")).unwrap();
    fs::write(folder.path().join("answer"), "s UNSATISFIABLE\n").unwrap();
    text(&here("decode f.cnf answer"), 20);
    // An answer to another question is no answer.
    fs::write(folder.path().join("other"), text(&run("solve 5x6 --open -e binary --dimacs"), 10)).unwrap();
    let said = refused(&here("decode f.cnf other"));
    assert!(said.contains("other is the answer to \"5x6 open from anywhere\", not to \"5x6\""), "{said}");
    for (wrong, args, message) in [
        (
            formula.clone(),
            "-e unary",
            "--encoding cannot be combined with a formula, because the comments of f.cnf name the question and the encoding: remove --encoding",
        ),
        (formula.clone(), "--open", "--open cannot be combined with a formula"),
        (formula.replace("question", "on"), "", "f.cnf has no comments \"question ...\" and \"encoding ...\""),
        (
            formula.replace("question 5x6", "question 5x8"),
            "",
            "f.cnf has 269 variables, but the question in its comments gives 414",
        ),
        (
            formula.replace("question 5x6", "question nonsense"),
            "",
            "is about \"nonsense\", which cannot be loaded here",
        ),
        (formula.replace("question 5x6", "question 8 queens"), "", "use `hamcnf decode '8 queens'"),
    ] {
        fs::write(folder.path().join("f.cnf"), wrong).unwrap();
        let said = refused(&here(&format!("decode f.cnf answer {args}")));
        assert!(said.contains(message), "{said}");
    }
}

/// Tests that a formula that `solve` wrote beside a proof names its question, too.
#[test]
fn formulas_beside_proofs_are_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    text(&here("solve 3x8 -e unary --proof p.drat --cnf p.cnf"), 20);
    fs::write(folder.path().join("answer"), "s UNSATISFIABLE\n").unwrap();
    let said = text(&here("decode p.cnf answer"), 20);
    assert!(said.starts_with("3x8 knight, closed tours"), "{said}");
    text(&here("graph tournament:4:1 -o t.g6"), 0);
    text(&here("solve t.g6 --proof t.drat --cnf t.cnf"), 20);
    let said = refused(&here("decode t.cnf answer"));
    assert!(said.contains("has the clauses of the undirected form"), "{said}");
}

#[test]
fn programs_can_tell_a_limit_from_the_whole_answer() {
    let lines = |args: &str| -> Vec<Value> {
        let lines = text(&run(args), 10);
        lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
    };
    let ends = |line: &Value| ["complete", "enough"].map(|field| line["details"][field].clone());
    assert_eq!(ends(&lines("solve 5x6 -n 100 --json")[0]), [true, false]);
    assert_eq!(ends(&lines("solve 6x6 -n 2 --json")[0]), [false, true]);
    let late = lines("solve 6x7 -n 1000000 --cpu-limit 1 --json");
    assert_eq!(ends(&late[0]), [false, false]);
    for (args, limit) in [
        ("count 6x8 --memory-limit 200K", "memory"),
        ("count 6x8 --memory-limit 100K --try", "memory"),
        ("count 8x8 --time-limit 0.01", "time"),
        ("count 6x7 --method enumerate --time-limit 0.1", "time"),
        ("count 5x10 --method sample --states 1 --seed 2", "sample"),
    ] {
        assert_eq!(json(&run(&format!("{args} --json")), 3)["details"]["stopped_by"], limit, "{args}");
    }
}

#[test]
fn rows_of_counts_tell_limits_apart() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "title = 't'\nseeds = [2]\ntime_limit = 600\n\
                [[questions]]\nquestion = '5x10'\nmethods = ['sample+states=1']\n\
                [[questions]]\nquestion = '8x8'\nmethods = [{ method = 'exact', time_limit = 0.01 }]\n";
    fs::write(folder.path().join("t.toml"), plan).unwrap();
    let report = text(&run_in(folder.path(), "run t.toml -o results"), 0);
    let rows = fs::read_to_string(folder.path().join("results/t.csv")).unwrap();
    assert_eq!(rows.matches(",gave-up,").count(), 1, "{rows}");
    assert_eq!(rows.matches(",timeout,").count(), 1, "{rows}");
    assert!(rows.contains("set --states above 1"), "{rows}");
    assert!(!report.is_empty());
}

/// Tests that an impossible request ends with one error line and without an answer.
#[test]
fn methods_that_cannot_be_are_refused_in_one_line() {
    for (args, says) in [
        ("solve 8x8 --method exact", "method \"exact\" only counts tours and outputs none; use `hamcnf count`"),
        (
            "solve 8x8 --method size:binary",
            "method \"size:binary\" computes sizes and finds no tour; use `hamcnf sizes`",
        ),
        (
            "solve 8x8 --threads 2 --method lazy",
            "--threads needs --method auto, because method \"lazy\" uses only one thread",
        ),
        (
            "solve 8x8 --explain --method warnsdorff",
            "--explain needs --method auto, because method \"warnsdorff\" has no plan",
        ),
        ("solve 8x8 --explain -e binary", "--explain needs --method auto and cannot be combined with an encoding"),
        (
            "solve 8x8 --number 2 --method lazy",
            "--number needs an encoding and cannot be combined with --method lazy: remove one of the two options",
        ),
    ] {
        assert_eq!(refused(&run(args)), says);
    }
    // A missing solver program is an error, not an answer.
    let folder = tempfile::tempdir().unwrap();
    for json in ["", " --json"] {
        let output =
            hamcnf(&format!("solve 8x8 --method kissat:binary{json}")).env("PATH", folder.path()).output().unwrap();
        let says = refused(&output);
        assert!(
            says.starts_with("kissat:binary: the engine \"kissat\" is not installed (kissat not found); "),
            "{says}"
        );
    }
}

/// Tests that `count` refuses options that belong to other methods, and repeated options.
#[test]
fn what_a_count_would_not_look_at_is_refused() {
    for (args, says) in [
        ("count 6x6 --states 7", "--states needs --method sample, but the method is \"count\""),
        (
            "count 6x6 --method zdd --seed 7",
            "--seed needs --method sample, approxmc or ganak, but the method is \"zdd\"",
        ),
        (
            "count 6x6 --method treewidth --repetitions 7",
            "--repetitions needs --method sample, but the method is \"treewidth\"",
        ),
        ("count 6x6 --epsilon 0.3", "--epsilon needs --method approxmc, but the method is \"count\""),
        ("count 6x6 --method ganak --delta 0.1", "--delta needs --method approxmc, but the method is \"ganak\""),
        ("queens 6 count --delta 0.1", "--delta needs --method approxmc, but the method is \"bdd\""),
        (
            "count 6x6 --method zdd --threads 2",
            "--threads needs --method exact, subsets, walks, sample, histogram or timeslice, but the method is \"zdd\"",
        ),
        ("count 6x6 --method zdd --try", "--try needs --method exact or histogram, but the method is \"zdd\""),
    ] {
        assert_eq!(refused(&run(args)), says);
    }
    let from = hamcnf("").args(["count", "5x5 open from a1", "--open", "--by-start"]).output().unwrap();
    assert_eq!(
        refused(&from),
        "--by-start counts open tours from every square, but \"5x5 open from a1\" asks for other tours: remove --by-start, or remove the start and end from the question"
    );
    let meant = hamcnf("").args(["solve", "8x8 opne"]).output().unwrap();
    assert!(
        refused(&meant).starts_with("\"8x8 opne\" is not a question: did you mean \"8x8 open\"?"),
        "{}",
        stderr(&meant)
    );
    // `orientation=fixed` is accepted for open tours, but has no effect.
    let open = run("solve 3x4 --open -e binary+orientation=fixed");
    assert!(text(&open, 10).contains("a tour, checked move by move"));
    assert!(stderr(&open).contains("orientation has no effect on open tours"), "{}", stderr(&open));
    assert!(!stderr(&run("solve 3x4 --open -e counting")).contains("orientation"));
}

/// Tests that all JSON output contains the schema, the version and the commit of the program.
#[test]
fn objects_for_programs_say_what_they_were_made_by() {
    let decoded = feed("decode 5x5 - --json", "s UNSATISFIABLE\n");
    for (output, code) in [
        (run("solve 6x6 --json"), 10),
        (run("tour 6x6 --json"), 10),
        (run("count 5x6 --json"), 0),
        (run("graph 6x6 --json"), 0),
        (run("sample-tour 5x6 --json"), 0),
        (run("queens 6 count --json"), 0),
        (run("queens 6 solve --json"), 10),
        (decoded, 20),
    ] {
        let object = json(&output, code);
        assert_eq!(object["schema"], SCHEMA, "{object}");
        assert!(object["version"].is_string() && object["commit"].is_string());
    }
}

/// Tests that the same method prints the same result in `tour` and in `solve`.
#[test]
fn a_search_is_the_same_in_two_commands() {
    let tour = json(&run("tour 8x8 --open --json"), 10);
    let solve = json(&run("solve 8x8 --open --method warnsdorff --json"), 10);
    for column in ["question", "method", "tour", "statistics", "details"] {
        assert_eq!(tour[column], solve[column], "{column}");
    }
    assert_eq!(tour["details"]["statistics"]["nodes"], 64);
    assert!(tour["details"]["settings"]["ties"].is_string());
    let none = json(&run("tour 3x8 --restart-limit 3 --json"), 3);
    assert_eq!((&none["status"], &none["message"]), (&"gave-up".into(), &"restart limit".into()));
}

/// Tests open tours without a fixed start. The record names the first vertex of the tour as its start. A "no tour"
/// answer for one start is not claimed for all starts.
#[test]
fn open_tours_from_anywhere_are_solved() {
    // An open tour of 25 squares begins on one of the 13 squares of the majority colour, and `b1` is not one of them.
    assert_eq!(text(&run("solve 5x5 --open --start b1"), 20).lines().count(), 1);
    for args in ["solve 5x5 --open --start anywhere", "solve 3x4 --open --start anywhere"] {
        let found = json(&run(&format!("{args} --json")), 10);
        assert_eq!(found["details"]["start"], found["tour"][0]);
        assert!(found["question"].as_str().unwrap().ends_with(" open from anywhere"));
        let checked = feed("check -", text(&run(&format!("{args} --json")), 10));
        assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    }
    let none = text(&run("solve 4x4 --open --start anywhere"), 20);
    assert!(
        none.starts_with("4x4 knight, open tours from anywhere: there is no tour: without b2, c2, b3 and c3 the board"),
        "{none}"
    );
    let none = json(&run("solve 4x4 --open --start anywhere --json"), 20);
    assert_eq!((&none["details"]["start"], &none["status"]), (&"anywhere".into(), &"no-tour".into()));
    assert_eq!(none["details"]["obstruction"], "many-parts", "{none}");
}

#[test]
fn json_has_the_names_of_the_file_and_what_tells_its_graph() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
    let ring = "7 8\n8 9\n9 10\n10 11\n11 7\n";
    write("ring.txt", ring);
    let solved = here("solve ring.txt --from 9 --json");
    let tour = json(&solved, 10);
    assert_eq!((&tour["tour"][0], &tour["numbering"]), (&"9".into(), &"names".into()));
    for absent in ["squares", "edges", "vertices", "names", "graph"] {
        assert!(tour[absent].is_null(), "{absent}");
        assert!(tour["details"][absent].is_null(), "{absent}");
    }
    let facts = json(&here("graph ring.txt --json"), 0);
    let counted = json(&here("count ring.txt --json"), 0);
    for other in [&facts, &counted] {
        assert_eq!(other["graph_crc32"], tour["graph_crc32"]);
    }
    write("tour.json", &text(&solved, 10));
    assert!(text(&here("check tour.json"), 0).contains("all 5 vertices once"));
    // Tours that `show` writes and sampled tours have the same form.
    text(&here("show tour.json -o again.json"), 0);
    assert!(text(&here("check again.json"), 0).starts_with("again.json: ring.txt, closed tours, start 9: a tour"));
    let sampled = json(&here("sample-tour ring.txt --json"), 0);
    assert_eq!(sampled["graph_crc32"], tour["graph_crc32"]);

    fs::rename(folder.path().join("ring.txt"), folder.path().join("moved.txt")).unwrap();
    assert_eq!(
        refused(&here("check tour.json")),
        "cannot read tour.json: tour 1: the graph of the tour was not found: \"ring.txt\" is neither a board (ROWSxCOLUMNS, such as 8x8) nor an existing file; name the graph with --graph"
    );
    assert!(text(&here("check tour.json --graph moved.txt"), 0).contains("a tour"));
    write("ring.txt", &ring.replace("11 7", "11 8"));
    let said = refused(&here("check tour.json"));
    assert!(said.contains("tour 1: the tour is on a graph whose edges have CRC-32 \""), "{said}");
    assert!(said.ends_with("; name the right graph with --graph"), "{said}");
    let piped = feed("solve - --json", ring);
    write("piped.json", &text(&piped, 10));
    assert!(refused(&here("check piped.json")).ends_with("; name the graph with --graph"));
    assert!(text(&here("check piped.json --graph moved.txt"), 0).contains("a tour"));
    // A graph of a family is generated again from its name.
    let family = text(&here("solve cubic:20:1 --json"), 10);
    assert!(text(&feed("check -", &family), 0).contains("cubic:20:1"));
    // A file may contain the graph.
    let whole = r#"{"tour":["1","3","2"],"details":{"instance":"g","graph":{"vertices":3,"edges":[["1","2"],["2","3"],["1","3"]]}}}"#;
    assert!(text(&feed("check -", whole), 0).contains("g, closed tours, start 1: a tour"));
}

#[test]
fn the_words_of_a_question_need_no_quotes() {
    let order = |args: &str| json(&run(&format!("{args} --json")), 10)["tour"].clone();
    let options = order("solve 5x6 --open --start c3");
    assert_eq!(order("solve 5x6 open from c3"), options);
    assert_eq!(order("solve --seed 0 5x6 open --threads 2 from c3"), options);
    assert_eq!(order("solve 6x6 from a1 to f5")[35], "f5");
    assert_eq!(order("tour 5x6 open from b2")[0], "b2");
    let value = |args: &str| json(&run(&format!("{args} --json")), 0)["value"].clone();
    assert_eq!(value("count 3x4 open from a1"), value("count 3x4 --open --from a1"));
    assert!(text(&run("encode 3x4 open from anywhere"), 0).contains("c question 3x4 open from anywhere\n"));
    let said = refused(&run("solve 8x8 opne from a1"));
    assert!(said.contains("did you mean \"8x8 open\"?"), "{said}");
    let said = refused(&run("solve 8x8 tour.svg"));
    assert!(!said.contains("8x8 tour.svg'"), "{said}");
}

#[test]
fn ranks_are_numbered_upwards_on_request() {
    let up = "solve 5x6 --open --start a1 --ranks up";
    let drawn = text(&run(up), 10);
    assert!(drawn.starts_with("ranks=up:5x6 knight, open tours, start a1: a tour"), "{drawn}");
    let rows: Vec<&str> = drawn.lines().filter(|line| line.contains('│')).collect();
    assert!(rows[0].starts_with("5 │") && rows[4].starts_with("1 │  1 │"), "{drawn}");
    let tour = json(&run(&format!("{up} --json")), 10);
    assert_eq!((&tour["tour"][0], &tour["numbering"]), (&"a1".into(), &"squares".into()));
    for written in [drawn, tour.to_string()] {
        let said = text(&feed("check -", &written), 0);
        assert!(said.contains("ranks=up:5x6 knight, open tours, start a1: a tour"), "{said}");
        let said = text(&feed("check - --ranks down", &written), 0);
        assert!(said.contains(": 5x6 knight, open tours, start a5: a tour"), "{said}");
    }
    // Holes and endpoints use the same names, and a formula's file records the direction in which ranks are numbered.
    let holed = text(&run("solve 5x6-a1-f5 --ranks up --from b1 --to c5"), 10);
    assert!(holed.contains("1 │ ██ │  1 │"), "{holed}");
    let encoded = text(&run("encode 5x6 --open --start a1 --ranks up"), 0);
    assert!(encoded.contains("c question ranks=up:5x6 open from a1\nc encoding binary\n"));
    let by_start = json(&run("count 3x4 --open --ranks up --by-start --json"), 0);
    assert_eq!(by_start["details"]["by_start"][0]["start"], "a3");
    for (args, message) in [
        ("solve cubic:20:1 --ranks up", "--ranks is for boards, but \"cubic:20:1\" is a graph"),
        (
            "solve ranks=up:5x6 --ranks down",
            "\"ranks=up:5x6\" numbers its ranks upwards, but --ranks is down: remove --ranks, or remove \"ranks=up:\"",
        ),
    ] {
        assert_eq!(refused(&run(args)), message);
    }
}

/// Tests open tours between two ends, from anywhere to an end, and from anywhere to anywhere. Such tours are encoded as
/// closed tours through one additional vertex, which `decode` removes.
#[test]
fn open_tours_between_two_ends_are_encoded_and_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    fs::write(folder.path().join("g.txt"), "a b\nb c\nc d\nd a\na c\n").unwrap();
    for (question, args, ends) in [
        ("6x6 open from a1 to f5", "6x6 --from a1 --to f5", [Some("a1"), Some("f5")]),
        ("5x5 open from anywhere", "5x5 --open --start anywhere", [None, None]),
        ("5x6 open from anywhere to c3", "5x6 open from anywhere to c3", [None, Some("c3")]),
        ("g.txt open from b to d", "g.txt --from b --to d", [Some("b"), Some("d")]),
    ] {
        text(&here(&format!("encode {args} -o f.cnf")), 0);
        let cnf = fs::read_to_string(folder.path().join("f.cnf")).unwrap();
        let is_added = !question.ends_with("to c3");
        assert_eq!(cnf.contains("c added vertex: "), is_added, "{question}");
        // A model of the same formula replaces a solver's answer.
        let in_folder = question.replace("g.txt", &folder.path().join("g.txt").display().to_string());
        let Question::Tours(tours) = Question::load(&in_folder).unwrap() else {
            panic!("{question}");
        };
        let encoding: Encoding = "binary".parse().unwrap();
        let formula = Formula::new(encoding, &proof_instance(&tours).unwrap()).unwrap();
        let solved = solve::solve(&formula, &solve::Options::default(), &mut |_| ()).unwrap();
        let Outcome::Tour(_, model) = solved.outcome else {
            panic!("{question} has a tour");
        };
        let mut answer = Vec::new();
        let model = hamcnf::answer::Answer::Satisfiable(model);
        hamcnf::answer::write(&mut answer, &model, formula.n_vars()).unwrap();
        fs::write(folder.path().join("answer"), &answer).unwrap();
        for decode in [
            "decode f.cnf answer --json".to_owned(),
            format!(
                "decode {} answer --json",
                args.replace(" open from anywhere to ", " --open --from anywhere --to ")
            ),
        ] {
            let tour = json(&here(&decode), 10);
            let order = tour["tour"].as_array().unwrap();
            assert_eq!(tour["question"], question);
            assert_eq!(tour["details"]["tours"], "open");
            assert_eq!(tour["details"]["start"], order[0]);
            let found = [order.first(), order.last()].map(|end| end.unwrap().as_str().unwrap());
            for (end, found) in ends.iter().zip(found) {
                assert!(end.is_none_or(|end| end == found), "{question}: {found}");
            }
            fs::write(folder.path().join("tour.json"), tour.to_string()).unwrap();
            assert!(text(&here("check tour.json"), 0).contains("a tour"));
        }
    }
}

#[test]
fn limits_take_units() {
    for limits in ["--time-limit 1m --memory-limit 500MB", "--time-limit 20s --memory-limit 1G"] {
        assert!(text(&run(&format!("count 3x4 --open {limits}")), 0).starts_with("3x4: 16 open tours"));
    }
    let late = json(&run("solve 14x14 -e unary --time-limit 10ms --json"), 3);
    assert_eq!((&late["status"], &late["wall_limit"]), (&"timeout".into(), &0.01.into()));
    for limit in ["5x", "0s", "-1", "50y"] {
        let said = refused(&run(&format!("solve 8x8 --time-limit {limit}")));
        assert!(said.contains("or a number with a unit such as 500ms, 5s, 2m or 1h"), "{said}");
    }
}

#[test]
fn json_says_what_became_of_a_proof() {
    let folder = tempfile::tempdir().unwrap();
    let proof = |args: &str, code| {
        json(&run_in(folder.path(), &format!("solve {args} --json -q")), code)["details"]["proof"].clone()
    };
    let drat = proof("4x6 --proof p.drat", 20);
    let bytes = fs::metadata(folder.path().join("p.drat")).unwrap().len();
    assert_eq!((&drat["form"], &drat["file"], &drat["written"]), (&"drat".into(), &"p.drat".into(), &true.into()));
    assert_eq!(drat["bytes"], bytes);
    assert!(drat["steps"].as_u64().is_some_and(|steps| steps > 0) && drat["encoding"].is_string());
    let certificate = proof("9x9 --proof p.cert", 20);
    assert_eq!((&certificate["form"], &certificate["written"]), (&"certificate".into(), &true.into()));
    let none = proof("8x8 --proof q.drat", 10);
    assert_eq!((&none["written"], &none["reason"]), (&false.into(), &"there is a tour".into()));
    assert!(proof("8x8", 10).is_null());
}

/// Tests that tours start at the first square if only an end is given, and that a "no tour" message names this start.
#[test]
fn open_tours_without_a_start_begin_anywhere_in_every_command() {
    // No open tour of the board leads from a1 to d1.
    text(&run("solve 3x4 --from a1 --to d1"), 20);
    let counted = text(&run("count 3x4 --to d1"), 0);
    assert!(counted.starts_with("3x4: 2 open tours from any square to d1"), "{counted}");
    assert_eq!(text(&run("list 3x4 --to d1"), 0).lines().count(), 2);
    let listed = json(&run("list 3x4 --open --json --limit 1"), 0);
    assert_eq!(listed["question"], "3x4 open from anywhere");
    for question in ["3x4 --to d1", "3x4 --open", "3x4 open"] {
        for quiet in ["", " -q"] {
            let found = text(&run(&format!("solve {question}{quiet}")), 10);
            let said = "3x4 knight, open tours from anywhere, here from ";
            assert!(found.starts_with(said), "{question}: {found}");
        }
        let object = json(&run(&format!("solve {question} --json")), 10);
        let asked = object["question"].as_str().unwrap();
        assert!(asked.starts_with("3x4 open from anywhere"), "{asked}");
    }
    let searched = text(&run("tour 5x5-a1 --open -q"), 10);
    assert!(searched.contains("open tours from anywhere"), "{searched}");
}

/// Tests that the error names the kind of the file if a command expects another kind.
#[test]
fn files_of_another_kind_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let write = |name: &str, text: &str| fs::write(path.join(name), text).unwrap();
    write("a.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n");
    write("x.tsp", "NAME: x\nTYPE: TSP\nDIMENSION: 3\nNODE_COORD_SECTION\n1 0 0\n2 0 1\n3 1 1\nEOF\n");
    text(&run_in(path, "solve 4x6 --proof p.drat --cnf p.cnf"), 20);
    text(&run_in(path, "solve 4x6 --proof p.lrat"), 20);
    fs::copy(path.join("p.drat"), path.join("d.lrat")).unwrap();
    fs::copy(path.join("p.lrat"), path.join("l.drat")).unwrap();
    for (args, says) in [
        (
            "check a.col",
            "\"a.col\" has the name of a graph file, not of a file of tours; to describe a graph, use `hamcnf graph`",
        ),
        ("show 8x8", "\"8x8\" is a board, not a file of tours; to find and draw a tour, use `hamcnf solve 8x8`"),
        ("solve x.tsp", "cannot read x.tsp: missing EDGE_WEIGHT_SECTION"),
        (
            "solve 8x8 --ranks sideways",
            "invalid value \"sideways\" for \"--ranks <DIRECTION>\" [possible values: down, up]; see `hamcnf solve --help`",
        ),
        (
            "verify --proof p.cnf --cnf p.drat",
            "\"p.drat\" has the name of a proof, but \"p.cnf\" does not: pass --proof p.drat --cnf p.cnf",
        ),
        (
            "encode 4x6 -o x.drat",
            "\"x.drat\" ends in .drat, but formulas end in .cnf (DIMACS) or .opb: rename it, or pass --format cnf or \
             --format opb",
        ),
    ] {
        assert_eq!(refused(&run_in(path, args)), says, "{args}");
    }
    for (args, says) in [
        ("verify 4x6 d.lrat", "; the file looks like drat: name it .drat\n"),
        ("verify 4x6 l.drat", "; the file looks like lrat: name it .lrat\n"),
    ] {
        let said = text(&run_in(path, args), 1);
        assert!(said.ends_with(says), "{args}: {said}");
    }
    let noted = run_in(path, "encode 4x6 -o x.xyz");
    assert!(
        stderr(&noted).contains("writing \"x.xyz\" as DIMACS CNF: .xyz is not the ending of a known format"),
        "{}",
        stderr(&noted)
    );
    let piped = feed("verify 4x6 --proof -", fs::read(path.join("p.drat")).unwrap());
    assert!(refused(&piped).contains("save other proofs in a file named .drat"), "{}", refused(&piped));
}

#[test]
fn a_proof_and_its_formula_are_known_by_their_endings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    text(&run_in(path, "solve 4x6 --proof p.drat --cnf p.cnf"), 20);
    text(&run_in(path, "solve 9x9 --proof 9.cert"), 20);
    for args in [
        "verify p.cnf p.drat",
        "verify p.drat p.cnf --time-limit 60",
        "verify 4x6 p.drat",
        "verify 9.cert",
        "verify 9x9 9.cert --json",
    ] {
        text(&run_in(path, args), 0);
    }
}

#[test]
fn flat_lists_of_other_languages_are_tours() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.col"), "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n").unwrap();
    for list in ["[1, 2, 3]", "[1,\n 2,\n 3]\n", "(1, 2, 3)", "[\"1\", \"2\", \"3\"]", "[1,2,3,1]"] {
        fs::write(path.join("t.txt"), list).unwrap();
        let said = text(&run_in(path, "check t.txt --graph a.col"), 0);
        assert!(said.contains("a tour that visits all 3 vertices once"), "{list}: {said}");
    }
    // Pairs of numbers are not names of squares.
    fs::write(path.join("t.txt"), "[(0, 0), (1, 2)]").unwrap();
    refused(&run_in(path, "check t.txt --graph 3x4"));
}
