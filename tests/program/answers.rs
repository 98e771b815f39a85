//! Answers of `solve`, `count` and `decode` with few options. The answer is immediate if possible, and otherwise comes
//! from the default method. If a limit ended the run, the program gives advice.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use hamcnf::question::Question;
use hamcnf::record::SCHEMA;
use hamcnf::record::{Record, Status};
use hamcnf::refute::instance::proof_instance;
use hamcnf::solve::{self, Outcome};
use hamcnf::{Clauses, Encoding, Formula};

use serde_json::Value;

use crate::command::*;
use serde_json::json;

const ODD: &str = "every move changes colour; 41 vertices have the start's colour and 40 the other colour, but a closed tour \
                   visits the same number of each";

#[test]
fn what_cannot_be_is_answered_before_any_work_and_with_the_reason() {
    // A search could not answer any of these questions within the time of all tests.
    run("solve 9x9").prints(20, format!("9x9 knight, closed tours, start a1: there is no tour: {ODD}\n"));
    run("solve 7x7 --open --start b1").says(20, "24 vertices have the start's colour and 25 the other");
    run("solve 99x99 --dimacs").prints(20, "s UNSATISFIABLE\n");
    let found = run("solve 9x9 --json").json(20);
    assert_eq!(
        (&found["status"], &found["details"]["obstruction"], &found["message"]),
        (&"no-tour".into(), &"colours".into(), &ODD.into())
    );
    // No formula was generated, so the object has no sizes.
    assert!(found["variables"].is_null() && found["clauses"].is_null());

    run("count 9x9").begins(0, format!("9x9: 0 closed tours, undirected ({ODD}, "));
    let fields = json!({ "value": "0", "details": { "obstruction": "colours" }, "status": "count" });
    run("count 19x19 --json").has(0, fields);

    // The first graph is two triangles that share a vertex; the second is two triangles joined by an edge.
    let folder = Place::with("bow", "1 2\n2 3\n1 3\n3 4\n4 5\n3 5\n");
    folder.write("bridge", "1 2\n2 3\n1 3\n3 4\n4 5\n5 6\n4 6\n");
    for command in ["solve", "count"] {
        let code = if command == "solve" { 20 } else { 0 };
        for (graph, kind) in [("bow", "cut-vertex"), ("bridge", "bridge")] {
            let found = folder.run(&format!("{command} {graph} --json")).json(code);
            assert_eq!(found["details"]["obstruction"], kind);
        }
        let cut = folder.run(&format!("{command} bow --open --start 3 --json")).json(code);
        assert_eq!(cut["details"]["obstruction"], "cut-start");
    }
    // The obstruction for start 3 must not be claimed for the other starts: a tour can begin in either triangle.
    folder.run("count bow --open").begins(0, "bow: 8 open tours from any vertex");
}

#[test]
fn what_is_asked_for_by_its_name_is_done_all_the_same() {
    let solved = run("solve 5x5 -e binary --json");
    assert_eq!(solved.json(20)["details"]["encoding"], "binary");
    solved.notes("there is no tour: every move changes colour");
    let counted = run("count 5x5 --method zdd --json");
    assert_eq!(counted.json(0)["method"], "zdd");
    counted.notes("counting with method \"zdd\" anyway");
}

#[test]
fn solve_takes_what_solves() {
    let solved = run("solve 12x12 --threads 1 --json").json(10);
    assert_eq!(solved["method"], "auto");
    assert_eq!(solved["message"], "by two-factor");
    let parts: Vec<_> = solved["details"]["steps"].as_array().unwrap().iter().collect();
    let parts = parts.iter().map(|step| step["strategy"].as_str().unwrap());
    assert_eq!(parts.collect::<Vec<_>>(), ["obstruction", "two-factor"]);
    assert!(solved["peak_rss_kib"].as_u64().unwrap() > 1000);
    // For a formula, the program chooses the encoding that finds tours fastest.
    run("solve 12x12 --dimacs").says(10, "c question 12x12\nc encoding relaxed+two-cycles\n");
    // `encode` uses the encoding of the paper by default, because the paper's tables need it.
    run("encode 6x6").says(0, "c encoding binary\n");
}

#[test]
fn open_tours_begin_and_end_where_they_shall() {
    let ends = |args: &str| {
        let solved = run(&format!("solve {args} --json")).json(10);
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
    let none = run("solve 6x6 --from a1 --to c1 --json").json(20);
    assert_eq!(none["status"], "no-tour");
    assert_eq!(none["details"]["obstruction"], "colours");
    assert_eq!(
        none["message"],
        "every move changes colour; 18 vertices have the colour of a1 and 18 the other colour, so an open tour from a1 cannot end \
         in c1"
    );
    run("solve 5x5 --from anywhere --to b1 --json").has(20, json!({ "details": { "obstruction": "colours" } }));
    run("count 8x8-a1-h8 --open --json").has(0, json!({ "value": "0" }));
    for (args, message) in [
        ("6x6 --to zz", "\"zz\" is not a square"),
        ("6x6 --from a1 --to a1", "an open tour cannot both start and end at a1"),
    ] {
        run(&format!("solve {args}")).notes(message);
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
        output.exits(code);
        let said = output.err() + &output.out();
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
        let json = output.parsed();
        assert_eq!(json["method"], method, "{args}");
    }
}

#[test]
fn a_count_that_will_not_fit_is_not_begun() {
    // The estimate is 3.4 MiB.
    let output = run("count 6x8 --memory-limit 48K");
    output.prints(3, "");
    let said = output.err();
    for message in ["more than the memory limit of 48 KiB", "--try", "--method sample"] {
        assert!(said.contains(message), "{said}");
    }
    run("count 6x8 --memory-limit 48K --json").has(3, json!({ "status": "memout", "value": null }));
    run("count 6x8 --memory-limit 48K --try").notes("the memory limit of 48 KiB was reached after");
    // A count that easily fits into memory is started, although the estimate is above the limit.
    run("count 7x8 --memory-limit 60M").begins(0, "7x8: 34524432316 closed");
}

#[test]
fn counts_in_json_have_all_digits() {
    // The counts are above 2^53 = 9007199254740992. Most JSON readers lose precision beyond this number.
    let value = |args: &str| run(&format!("{args} --json")).json(0)["value"].clone();
    assert_eq!(value("count 3x40"), "11010065269439104");
    assert_eq!(value("count 5x20"), "53034853662012222798");
    assert_eq!(value("queens 8 count"), "92");
    let by_start = run("count 5x5 --open --by-start --json").json(0);
    assert_eq!(by_start["details"]["by_start"][0]["value"], "304");
    // The method needs no table if the graph decides the answer.
    run("count complete:3 --method subsets").says(0, "(exact, by a table over subsets of 3 vertices, ");
    // `value` is the same as in a row, whatever other options are given.
    run("count 5x6 --directed --json").has(0, json!({ "value": "8", "details": { "directed_value": "16" } }));
}

#[test]
fn histograms_are_tables_rows_and_json() {
    let table = run("count 5x6 --histogram obtuse,straight").text(0);
    let words: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[0], ["obtuse,straight", "tours"]);
    assert!(table.contains("5x6: 8 closed tours, undirected (exact, "), "{table}");
    let rows = run("count 5x6 --histogram obtuse,straight --format csv").text(0);
    let tours = |row: &str| row.split_once(',').unwrap().1.parse::<u32>().unwrap();
    assert_eq!(rows.lines().skip(1).map(tours).sum::<u32>(), 8);
    assert!(rows.starts_with("value,tours\n"), "{rows}");
    let object = run("count 6x6 --histogram 0..89 --json").json(0);
    assert_eq!((&object["value"], &object["method"]), (&"9862".into(), &"histogram+of=0..89".into()));
    let first = &object["details"]["histogram"][0];
    assert_eq!((&first["value"], &first["tours"]), (&9.into(), &"8".into()));
    assert_eq!(object["details"]["statistics"]["tours.9"], "8");
    let open = run("count 3x4 --open --histogram slope=1/2").text(0);
    assert!(open.contains("3x4: 16 open tours"), "{open}");
    run("count 1x1 --open --histogram obtuse --format csv").prints(0, "value,tours\n0,1\n");
    run("count 1x1 --histogram obtuse --json").has(0, json!({ "details": { "histogram": [] } }));
    // The constraint on turns has the same words, and is counted by the same sweep.
    let few = run("count 6x6 --turns 0=..2 --json").json(0);
    assert_eq!(few["value"], "9500");
    for turns in ["straight=..2", "0..0=..2"] {
        let same = run(&format!("count 6x6 --turns {turns} --json")).json(0);
        assert_eq!(same["value"], few["value"], "{turns}");
    }
    run("count 8x8 --histogram obtuse --memory-limit 64K").exits(3);
}

/// Tests that a board and the transposed board have the same diagram over vertices and times.
#[test]
fn a_diagram_over_times_does_not_depend_on_the_orientation() {
    let [lying, standing] = ["3x4", "4x3"].map(|board| {
        let args = format!("count {board} --from a1 --open --method timeslice --json");
        let object = run(&args).json(0);
        (object["value"].clone(), object["details"]["statistics"]["peak_nodes"].clone())
    });
    assert!(lying == standing && lying.1.is_u64(), "{lying:?} {standing:?}");
}

#[test]
fn residues_of_counts_say_their_modulus() {
    run("count 3x10000 --mod 1000000007")
        .begins(0, "3x10000: 723158474 modulo 1000000007: closed tours, undirected (")
        .and("77 states and a recurrence of order 45");
    let object = run("count 3x200 --mod 1000 --json").json(0);
    assert_eq!((&object["status"], &object["method"]), (&"residue".into(), &"transfer+mod=1000".into()));
    let all = run("count 3x200 --json").json(0);
    let (all, last) = (all["value"].as_str().unwrap(), object["value"].as_str().unwrap());
    assert!(all.len() > 90 && all.ends_with(last), "{all} {last}");
    let short = run("count 3x150 --method transfer --json").json(0);
    assert_eq!(short["value"], run("count 3x150 --method exact --json").json(0)["value"]);
    // Short and wide boards are counted along a frontier.
    run("count 6x6 --mod 1000").begins(0, "6x6: 862 modulo 1000: closed tours, undirected (exact, along a frontier");
    run("count 3x12 --directed --mod 13 --json").has(0, json!({ "value": "7", "details": { "directed_value": "1" } }));
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
        run(&format!("count {args}")).says(0, residue);
    }
    for range in ["5x5..8", "3x198..201", "5x4..7", "5x48..51"] {
        let values = |options: &str| -> Vec<String> {
            let lines = run(&format!("count {range} --json {options}")).text(0);
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
    feed("count edges:-", &two)
        .says(0, ": 13168189440000 closed tours, undirected (exact, the product over 2 parts of the graph, ");
    let around = (0..40).flat_map(|v| [(v, 40 + v), (40 + v, (v + 1) % 40)]);
    let wide = edges(&mut complete(40, 0).chain(around));
    feed("count edges:- --json", &wide).has(0, json!({ "value": "1" }));
    run("count gnp:80,0.5:1").exits(3).notes("no tree decomposition of width 24 or less was found");
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
        let printed = run(&format!("{args} --json")).text(code);
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
    let folder = Place::new();
    for (graph, numbering) in
        [("0 1\n1 2\n2 3\n3 0\n", "from-0"), ("1 2\n2 3\n3 4\n4 1\n", "from-1"), ("a b\nb c\nc d\nd a\n", "names")]
    {
        for command in ["solve", "tour", "sample-tour"] {
            folder.write("ring.txt", graph);
            let plain = folder.run(&format!("{command} ring.txt --json"));
            let code = plain.code().unwrap();
            let plain = plain.json(code);
            assert_eq!(plain["numbering"], numbering);
            assert!(plain["details"]["graph"].is_null(), "{plain}");
            let whole = folder.run(&format!("{command} ring.txt --json --edges")).text(code);
            let object: Value = serde_json::from_str(&whole).unwrap();
            let edge = &object["details"]["graph"]["edges"][0];
            let first: Vec<_> = graph.lines().next().unwrap().split(' ').collect();
            assert_eq!(*edge, Value::from(first));
            folder.write("tour.json", whole);
            folder.remove("ring.txt");
            folder.run("check tour.json").says(0, "a tour that visits all 4 vertices once");
        }
    }
    let board = run("solve 6x6 --json --edges").json(10);
    assert_eq!(board["details"]["graph"]["vertices"], 36);
    assert_eq!(board["numbering"], "squares");
    feed("check -", board.to_string()).exits(0);
    run("solve 6x6 --edges").refuses("--json");
}

#[test]
fn another_seed_is_another_tour_and_the_same_is_the_same() {
    for board in ["6x6", "8x8"] {
        let solve = |seed: u32| run(&format!("solve {board} --seed {seed} --json")).json(10);
        let mut tours = HashSet::new();
        for seed in 0..5 {
            let solved = solve(seed);
            let of = |options: &str| run(&format!("solve 5x6 -e binary --seed {seed} {options}"));
            let phases = if seed == 0 { "solver" } else { "seeded" };
            assert_eq!(of("--json").json(10)["details"]["settings"]["phases"], phases);
            assert_eq!(solved["tour"], solve(seed)["tour"]);
            tours.insert(solved["tour"].to_string());
        }
        assert_eq!(tours.len(), 5, "{board}");
    }
    // With `--phases solver`, the seed does not change the initial phases.
    let solver = |seed: u32| run(&format!("solve 6x6 -e binary --seed {seed} --phases solver --dimacs"));
    solver(1).prints(10, solver(2).text(10));
    let seeded = |seed: u32| run(&format!("queens 12 solve --seed {seed} --dimacs"));
    assert_ne!(seeded(1).text(10), seeded(2).text(10));
}

/// Tests that the output ends with the drawing if `--quiet` is given.
#[test]
fn a_quiet_answer_ends_where_it_ends() {
    for args in ["solve 6x6", "solve 6x6 -e edges", "tour 6x6", "queens 6 solve"] {
        let said = run(&format!("{args} -q")).text(10);
        let last = said.trim_end().lines().last().unwrap();
        assert!(last.trim_start().starts_with('└'), "{args}: {last}");
        let said = run(args).text(10);
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
    let all = run("solve 5x6 --number 20 -e edges").text(10);
    assert_eq!(all.matches("a tour, checked").count(), 8);
    assert!(all.contains("8 different tours, and there are no others"), "{all}");
}

#[test]
fn seeds_and_phases_are_in_the_rows_of_experiments() {
    let folder = Place::new();
    let plan = |method: &str| {
        format!(
            "title = 't'\nseeds = [1, 2]\ntime_limit = 600\nexpect = 'tour'\n\
             questions = ['8x8']\nmethods = ['{method}', 'warnsdorff']\n"
        )
    };
    for (method, same) in [("counting", true), ("solve+phases=seeded:counting", false)] {
        folder.write("t.toml", plan(method));
        folder.run("run t.toml -o results --prune").exits(0);
        let rows = folder.read("results/t.csv");
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
    let all = run("solve 5x6 --number 100 --json").text(10);
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
    run("solve 5x6 --number 100").says(10, "8 different tours, and there are no others");
    run("solve 6x6 -e binary --number 3 --seed 4")
        .says(10, "\n3 different tours\n")
        .times(3, "a tour, checked move by move");
    assert_eq!(run("solve 4x4 --open --number 2 --json").text(20).lines().count(), 1);
    let folder = Place::new();
    folder.run("solve 6x6 -n 4 --render four.json").exits(10);
    folder.run("check four.json").exits(0).lines(4);
    run("solve 6x6 --number 2 --dimacs").refuses("--dimacs prints one answer");
}

#[test]
fn an_answer_of_solve_is_decoded_whichever_encoding_it_took() {
    for options in ["6x6", "5x5 --open --start c3", "6x6 -e unary --pruning full --seed 3"] {
        let answer = run(&format!("solve {options} --dimacs")).text(10);
        let place = options.split(" -e").next().unwrap();
        feed(&format!("decode {place} -"), &answer).says(10, "a tour, checked move by move");
    }
    let options = "5x5 --open --start c3 -e direct --pruning full";
    let answer = run(&format!("solve {options} --dimacs")).text(10);
    assert_eq!(feed(&format!("decode {options} - --json"), answer).json(10)["status"], "tour");
    // `decode` uses the encoding on the command line, and rejects an answer for another board.
    let answer = run("solve 6x6 --dimacs").text(10);
    for (args, message) in [
        ("decode 6x6 -e binary -", "belong to another formula?"),
        ("decode 5x6 -", "standard input is the answer to \"6x6\", not to \"5x6\""),
    ] {
        feed(args, &answer).refuses(message);
    }
}

#[test]
fn a_formula_says_itself_how_it_is_decoded() {
    let folder = Place::new();
    let ring = folder.write("my graphs/ring.txt", "1 2\n2 3\n3 4\n4 5\n5 1\n1 3\n");
    // The solver needs neither the projection set nor the names of the variables.
    for (question, encoding, more) in [
        ("5x6", "-e binary", ""),
        ("5x5 --open --start c3", "-e unary --pruning full", ""),
        ("4x4 --piece 0,1", "-e direct --at-most-one ladder", ""),
        ("5x6", "-e counting", "--project co-tree --varnames"),
        ("3x4 --open --start a1", "-e step", ""),
        ("'my graphs/ring.txt'", "-e binary --orientation fixed", ""),
    ] {
        folder.run(&format!("encode {question} {encoding} {more} -o f.cnf.gz")).exits(0);
        folder.write("answer", folder.run(&format!("solve {question} {encoding} --dimacs")).text(10));
        folder.run("decode f.cnf.gz answer").says(10, ": a tour, checked move by move");
    }
    folder.write(ring, "1 2\n2 3\n3 4\n4 5\n5 1\n1 4\n");
    folder.run("decode f.cnf.gz answer").refuses("f.cnf.gz was made from another graph than ");
    folder.run("encode 5x6 -o f.cnf").exits(0);
    let formula = folder.read("f.cnf");
    folder.write("answer", "s UNSATISFIABLE\n");
    folder.run("decode f.cnf answer").exits(20);
    // An answer to another question is no answer.
    folder.write("other", run("solve 5x6 --open -e binary --dimacs").text(10));
    folder.run("decode f.cnf other").refuses("other is the answer to \"5x6 open from anywhere\", not to \"5x6\"");
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
        (formula.replace("question 5x6", "question 8 queens"), "", "is about 8 queens, not about tours"),
    ] {
        folder.write("f.cnf", wrong);
        folder.run(&format!("decode f.cnf answer {args}")).refuses(message);
    }
}

/// Tests that a formula that `solve` wrote beside a proof names its question, too.
#[test]
fn formulas_beside_proofs_are_decoded() {
    let folder = Place::new();
    folder.run("solve 3x8 -e unary --proof p.drat --cnf p.cnf").exits(20);
    folder.write("answer", "s UNSATISFIABLE\n");
    folder.run("decode p.cnf answer").begins(20, "3x8 knight, closed tours");
    folder.run("graph tournament:4:1 -o t.g6").exits(0);
    folder.run("solve t.g6 --proof t.drat --cnf t.cnf").exits(20);
    folder.run("decode t.cnf answer").refuses("has the clauses of the undirected form");
}

#[test]
fn programs_can_tell_a_limit_from_the_whole_answer() {
    let lines = |args: &str| -> Vec<Value> {
        let lines = run(args).text(10);
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
        assert_eq!(run(&format!("{args} --json")).json(3)["details"]["stopped_by"], limit, "{args}");
    }
}

#[test]
fn rows_of_counts_tell_limits_apart() {
    let folder = Place::new();
    let plan = "title = 't'\nseeds = [2]\ntime_limit = 600\n\
                [[questions]]\nquestion = '5x10'\nmethods = ['sample+states=1']\n\
                [[questions]]\nquestion = '8x8'\nmethods = [{ method = 'exact', time_limit = 0.01 }]\n";
    folder.write("t.toml", plan);
    let report = folder.run("run t.toml -o results").text(0);
    let rows = folder.read("results/t.csv");
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
        assert_eq!(run(args).refused(), says);
    }
    // A missing solver program is an error, not an answer.
    let folder = tempfile::tempdir().unwrap();
    for json in ["", " --json"] {
        hamcnf(&format!("solve 8x8 --method kissat:binary{json}"))
            .env("PATH", folder.path())
            .ended()
            .refused_with("kissat:binary: the engine \"kissat\" is not installed (kissat not found); ");
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
        assert_eq!(run(args).refused(), says);
    }
    let from = hamcnf("").args(["count", "5x5 open from a1", "--open", "--by-start"]).ended();
    assert_eq!(
        from.refused(),
        "--by-start counts open tours from every square, but \"5x5 open from a1\" asks for other tours: remove --by-start, or remove the start and end from the question"
    );
    hamcnf("")
        .args(["solve", "8x8 opne"])
        .ended()
        .refused_with("\"8x8 opne\" is not a question: did you mean \"8x8 open\"?");
    // `orientation=fixed` is accepted for open tours, but has no effect.
    let open = run("solve 3x4 --open -e binary+orientation=fixed");
    open.says(10, "a tour, checked move by move");
    open.notes("orientation has no effect on open tours");
    assert!(!run("solve 3x4 --open -e counting").err().contains("orientation"));
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
        let object = output.json(code);
        assert_eq!(object["schema"], SCHEMA, "{object}");
        assert!(object["version"].is_string() && object["commit"].is_string());
    }
}

/// Tests that the same method prints the same result in `tour` and in `solve`.
#[test]
fn a_search_is_the_same_in_two_commands() {
    let tour = run("tour 8x8 --open --json").json(10);
    let solve = run("solve 8x8 --open --method warnsdorff --json").json(10);
    for column in ["question", "method", "tour", "statistics", "details"] {
        assert_eq!(tour[column], solve[column], "{column}");
    }
    assert_eq!(tour["details"]["statistics"]["nodes"], 64);
    assert!(tour["details"]["settings"]["ties"].is_string());
    run("tour 3x8 --restart-limit 3 --json").has(3, json!({ "status": "gave-up", "message": "restart limit" }));
}

/// Tests open tours without a fixed start. The record names the first vertex of the tour as its start. A "no tour"
/// answer for one start is not claimed for all starts.
#[test]
fn open_tours_from_anywhere_are_solved() {
    // An open tour of 25 squares begins on one of the 13 squares of the majority colour, and `b1` is not one of them.
    assert_eq!(run("solve 5x5 --open --start b1").text(20).lines().count(), 1);
    for args in ["solve 5x5 --open --start anywhere", "solve 3x4 --open --start anywhere"] {
        let found = run(&format!("{args} --json")).json(10);
        assert_eq!(found["details"]["start"], found["tour"][0]);
        assert!(found["question"].as_str().unwrap().ends_with(" open from anywhere"));
        feed("check -", run(&format!("{args} --json")).text(10)).exits(0);
    }
    run("solve 4x4 --open --start anywhere")
        .begins(20, "4x4 knight, open tours from anywhere: there is no tour: without b2, c2, b3 and c3 the board");
    let fields = json!({ "details": { "start": "anywhere", "obstruction": "many-parts" }, "status": "no-tour" });
    run("solve 4x4 --open --start anywhere --json").has(20, fields);
}

#[test]
fn json_has_the_names_of_the_file_and_what_tells_its_graph() {
    let folder = Place::new();
    let ring = "7 8\n8 9\n9 10\n10 11\n11 7\n";
    folder.write("ring.txt", ring);
    let solved = folder.run("solve ring.txt --from 9 --json");
    let tour = solved.json(10);
    assert_eq!((&tour["tour"][0], &tour["numbering"]), (&"9".into(), &"names".into()));
    for absent in ["squares", "edges", "vertices", "names", "graph"] {
        assert!(tour[absent].is_null(), "{absent}");
        assert!(tour["details"][absent].is_null(), "{absent}");
    }
    let facts = folder.run("graph ring.txt --json").json(0);
    let counted = folder.run("count ring.txt --json").json(0);
    for other in [&facts, &counted] {
        assert_eq!(other["graph_crc32"], tour["graph_crc32"]);
    }
    folder.write("tour.json", solved.text(10));
    folder.run("check tour.json").says(0, "all 5 vertices once");
    // Tours that `show` writes and sampled tours have the same form.
    folder.run("show tour.json -o again.json").exits(0);
    folder.run("check again.json").begins(0, "again.json: ring.txt, closed tours, start 9: a tour");
    let sampled = folder.run("sample-tour ring.txt --json").json(0);
    assert_eq!(sampled["graph_crc32"], tour["graph_crc32"]);

    fs::rename(folder.path("ring.txt"), folder.path("moved.txt")).unwrap();
    assert_eq!(
        folder.run("check tour.json").refused(),
        "cannot read tour.json: tour 1: the graph of the tour was not found: \"ring.txt\" is neither a board (ROWSxCOLUMNS, such as 8x8) nor an existing file; name the graph with --graph"
    );
    folder.run("check tour.json --graph moved.txt").says(0, "a tour");
    folder.write("ring.txt", ring.replace("11 7", "11 8"));
    let said = folder.run("check tour.json").refused();
    assert!(said.contains("tour 1: the tour is on a graph whose edges have CRC-32 \""), "{said}");
    assert!(said.ends_with("; name the right graph with --graph"), "{said}");
    let piped = feed("solve - --json", ring);
    folder.write("piped.json", piped.text(10));
    assert!(folder.run("check piped.json").refused().ends_with("; name the graph with --graph"));
    folder.run("check piped.json --graph moved.txt").says(0, "a tour");
    // A graph of a family is generated again from its name.
    let family = folder.run("solve cubic:20:1 --json").text(10);
    feed("check -", &family).says(0, "cubic:20:1");
    // A file may contain the graph.
    let whole = r#"{"tour":["1","3","2"],"details":{"instance":"g","graph":{"vertices":3,"edges":[["1","2"],["2","3"],["1","3"]]}}}"#;
    feed("check -", whole).says(0, "g, closed tours, start 1: a tour");
}

#[test]
fn the_words_of_a_question_need_no_quotes() {
    let order = |args: &str| run(&format!("{args} --json")).json(10)["tour"].clone();
    let options = order("solve 5x6 --open --start c3");
    assert_eq!(order("solve 5x6 open from c3"), options);
    assert_eq!(order("solve --seed 0 5x6 open --threads 2 from c3"), options);
    assert_eq!(order("solve 6x6 from a1 to f5")[35], "f5");
    assert_eq!(order("tour 5x6 open from b2")[0], "b2");
    let value = |args: &str| run(&format!("{args} --json")).json(0)["value"].clone();
    assert_eq!(value("count 3x4 open from a1"), value("count 3x4 --open --from a1"));
    run("encode 3x4 open from anywhere").says(0, "c question 3x4 open from anywhere\n");
    run("solve 8x8 opne from a1").refuses("did you mean \"8x8 open\"?");
    let said = run("solve 8x8 tour.svg").refused();
    assert!(!said.contains("8x8 tour.svg'"), "{said}");
}

#[test]
fn ranks_are_numbered_upwards_on_request() {
    let up = "solve 5x6 --open --start a1 --ranks up";
    let drawn = run(up).text(10);
    assert!(drawn.starts_with("ranks=up:5x6 knight, open tours, start a1: a tour"), "{drawn}");
    let rows: Vec<&str> = drawn.lines().filter(|line| line.contains('│')).collect();
    assert!(rows[0].starts_with("5 │") && rows[4].starts_with("1 │  1 │"), "{drawn}");
    let tour = run(&format!("{up} --json")).json(10);
    assert_eq!((&tour["tour"][0], &tour["numbering"]), (&"a1".into(), &"squares".into()));
    for written in [drawn, tour.to_string()] {
        feed("check -", &written).says(0, "ranks=up:5x6 knight, open tours, start a1: a tour");
        feed("check - --ranks down", &written).says(0, ": 5x6 knight, open tours, start a5: a tour");
    }
    // Holes and endpoints use the same names, and a formula's file records the direction in which ranks are numbered.
    run("solve 5x6-a1-f5 --ranks up --from b1 --to c5").says(10, "1 │ ██ │  1 │");
    run("encode 5x6 --open --start a1 --ranks up").says(0, "c question ranks=up:5x6 open from a1\nc encoding binary\n");
    let by_start = run("count 3x4 --open --ranks up --by-start --json").json(0);
    assert_eq!(by_start["details"]["by_start"][0]["start"], "a3");
    for (args, message) in [
        ("solve cubic:20:1 --ranks up", "--ranks is for boards, but \"cubic:20:1\" is a graph"),
        (
            "solve ranks=up:5x6 --ranks down",
            "\"ranks=up:5x6\" numbers its ranks upwards, but --ranks is down: remove --ranks, or remove \"ranks=up:\"",
        ),
    ] {
        assert_eq!(run(args).refused(), message);
    }
}

/// Tests open tours between two ends, from anywhere to an end, and from anywhere to anywhere. Such tours are encoded as
/// closed tours through one additional vertex, which `decode` removes.
#[test]
fn open_tours_between_two_ends_are_encoded_and_decoded() {
    let folder = Place::with("g.txt", "a b\nb c\nc d\nd a\na c\n");
    for (question, args, ends) in [
        ("6x6 open from a1 to f5", "6x6 --from a1 --to f5", [Some("a1"), Some("f5")]),
        ("5x5 open from anywhere", "5x5 --open --start anywhere", [None, None]),
        ("5x6 open from anywhere to c3", "5x6 open from anywhere to c3", [None, Some("c3")]),
        ("g.txt open from b to d", "g.txt --from b --to d", [Some("b"), Some("d")]),
    ] {
        folder.run(&format!("encode {args} -o f.cnf")).exits(0);
        let cnf = folder.read("f.cnf");
        let is_added = !question.ends_with("to c3");
        assert_eq!(cnf.contains("c added vertex: "), is_added, "{question}");
        // A model of the same formula replaces a solver's answer.
        let in_folder = question.replace("g.txt", &folder.path("g.txt").display().to_string());
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
        folder.write("answer", &answer);
        for decode in [
            "decode f.cnf answer --json".to_owned(),
            format!(
                "decode {} answer --json",
                args.replace(" open from anywhere to ", " --open --from anywhere --to ")
            ),
        ] {
            let tour = folder.run(&decode).json(10);
            let order = tour["tour"].as_array().unwrap();
            assert_eq!(tour["question"], question);
            assert_eq!(tour["details"]["tours"], "open");
            assert_eq!(tour["details"]["start"], order[0]);
            let found = [order.first(), order.last()].map(|end| end.unwrap().as_str().unwrap());
            for (end, found) in ends.iter().zip(found) {
                assert!(end.is_none_or(|end| end == found), "{question}: {found}");
            }
            folder.write("tour.json", tour.to_string());
            folder.run("check tour.json").says(0, "a tour");
        }
    }
}

#[test]
fn limits_take_units() {
    for limits in ["--time-limit 1m --memory-limit 500MB", "--time-limit 20s --memory-limit 1G"] {
        run(&format!("count 3x4 --open {limits}")).begins(0, "3x4: 16 open tours");
    }
    run("solve 14x14 -e unary --time-limit 10ms --json").has(3, json!({ "status": "timeout", "wall_limit": 0.01 }));
    for limit in ["5x", "0s", "-1", "50y"] {
        run(&format!("solve 8x8 --time-limit {limit}")).refuses("or a number with a unit such as 500ms, 5s, 2m or 1h");
    }
}

#[test]
fn json_says_what_became_of_a_proof() {
    let folder = Place::new();
    let proof =
        |args: &str, code| folder.run(&format!("solve {args} --json -q")).json(code)["details"]["proof"].clone();
    let drat = proof("4x6 --proof p.drat", 20);
    let bytes = fs::metadata(folder.path("p.drat")).unwrap().len();
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
    run("solve 3x4 --from a1 --to d1").exits(20);
    let between = run("solve 3x4 --from a1 --to d3").text(10);
    assert!(between.starts_with("3x4 knight, open tours, start a1, end d3: a tour"), "{between}");
    feed("check -", between.replace("end d3", "end d2")).says(1, "d3");
    run("solve 5x6 --explain --json").refuses("--explain prints the plan");
    let place = Place::new();
    place.run("encode 5x6 -o f.cnf").exits(0);
    let answer = run("solve 5x6 --dimacs").text(10);
    place.feed("decode f.cnf -", answer).refuses("is an answer in the encoding \"relaxed");
    place.run("encode '5 queens' --at-most-one ladder -o q.cnf").exits(0);
    let answer = run("solve '5 queens' --at-most-one ladder --dimacs").text(10);
    place.feed("decode q.cnf -", answer).begins(10, "5 queens: a placement, checked pair by pair");
    run("count 3x4 --to d1").begins(0, "3x4: 2 open tours from any square to d1");
    assert_eq!(run("list 3x4 --to d1").text(0).lines().count(), 2);
    run("list 3x4 --open --json --limit 1").has(0, json!({ "question": "3x4 open from anywhere" }));
    for question in ["3x4 --to d1", "3x4 --open", "3x4 open"] {
        for quiet in ["", " -q"] {
            let found = run(&format!("solve {question}{quiet}")).text(10);
            let end = if question.contains("d1") { ", end d1" } else { "" };
            let said = format!("3x4 knight, open tours from anywhere{end}, here from ");
            assert!(found.starts_with(&said), "{question}: {found}");
            feed("check -", &found).exits(0);
        }
        let object = run(&format!("solve {question} --json")).json(10);
        let asked = object["question"].as_str().unwrap();
        assert!(asked.starts_with("3x4 open from anywhere"), "{asked}");
    }
    run("tour 5x5-a1 --open -q").says(10, "open tours from anywhere");
}

/// Tests that the error names the kind of the file if a command expects another kind.
#[test]
fn files_of_another_kind_are_named() {
    let folder = Place::with("a.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n");
    folder.write("x.tsp", "NAME: x\nTYPE: TSP\nDIMENSION: 3\nNODE_COORD_SECTION\n1 0 0\n2 0 1\n3 1 1\nEOF\n");
    folder.run("solve 4x6 --proof p.drat --cnf p.cnf").exits(20);
    folder.run("solve 4x6 --proof p.lrat").exits(20);
    fs::copy(folder.path("p.drat"), folder.path("d.lrat")).unwrap();
    fs::copy(folder.path("p.lrat"), folder.path("l.drat")).unwrap();
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
        assert_eq!(folder.run(args).refused(), says, "{args}");
    }
    for (args, says) in [
        ("verify 4x6 d.lrat", "; the file looks like drat: name it .drat\n"),
        ("verify 4x6 l.drat", "; the file looks like lrat: name it .lrat\n"),
    ] {
        folder.run(args).ends(1, says);
    }
    folder.write("empty", "");
    for args in ["verify empty", "verify 4x6 --proof empty"] {
        folder.run(args).refuses("\"empty\" is an empty file");
    }
    folder
        .run("encode 4x6 -o x.xyz")
        .notes("writing \"x.xyz\" as DIMACS CNF: .xyz is not the ending of a known format");
    feed("verify 4x6 --proof -", fs::read(folder.path("p.drat")).unwrap())
        .refuses("save other proofs in a file named .drat");
}

#[test]
fn a_proof_and_its_formula_are_known_by_their_endings() {
    let folder = Place::new();
    folder.run("solve 4x6 --proof p.drat --cnf p.cnf").exits(20);
    folder.run("solve 9x9 --proof 9.cert").exits(20);
    for args in [
        "verify p.cnf p.drat",
        "verify p.drat p.cnf --time-limit 60",
        "verify 4x6 p.drat",
        "verify 9.cert",
        "verify 9x9 9.cert --json",
    ] {
        folder.run(args).exits(0);
    }
}

#[test]
fn flat_lists_of_other_languages_are_tours() {
    let folder = Place::with("a.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n");
    for list in ["[1, 2, 3]", "[1,\n 2,\n 3]\n", "(1, 2, 3)", "[\"1\", \"2\", \"3\"]", "[1,2,3,1]"] {
        folder.write("t.txt", list);
        folder.run("check t.txt --graph a.col").says(0, "a tour that visits all 3 vertices once");
    }
    // Pairs of numbers are not names of squares.
    folder.write("t.txt", "[(0, 0), (1, 2)]");
    folder.run("check t.txt --graph 3x4").refused();
}
