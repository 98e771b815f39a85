//! Answers of `solve`, `count` and `decode` that are compared with other answers.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use hamcnf::question::Question;
use hamcnf::record::{Record, SCHEMA, Status};
use hamcnf::refute::instance::proof_instance;
use hamcnf::solve::{self, Outcome};
use hamcnf::{Clauses, Encoding, Formula};

use serde_json::Value;

use crate::command::*;
use serde_json::json;

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
fn residues_of_counts_are_those_of_the_counts() {
    let object = run("count 3x200 --mod 1000 --json").json(0);
    let all = run("count 3x200 --json").json(0);
    let (all, last) = (all["value"].as_str().unwrap(), object["value"].as_str().unwrap());
    assert!(all.len() > 90 && all.ends_with(last), "{all} {last}");
    let short = run("count 3x150 --method transfer --json").json(0);
    assert_eq!(short["value"], run("count 3x150 --method exact --json").json(0)["value"]);
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
        assert_eq!(object["schema"], SCHEMA, "{object}");
        assert!(object["version"].is_string() && object["commit"].is_string());
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
            assert_eq!(solved["tour"], solve(seed)["tour"]);
            tours.insert(solved["tour"].to_string());
        }
        assert_eq!(tours.len(), 5, "{board}");
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
    assert_eq!([&lines[0]["details"]["complete"], &lines[0]["details"]["enough"]], [true, false]);
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
}

#[test]
fn the_words_of_a_question_need_no_quotes() {
    let order = |args: &str| run(&format!("{args} --json")).json(10)["tour"].clone();
    let options = order("solve 5x6 --open --start c3");
    assert_eq!(order("solve 5x6 open from c3"), options);
    assert_eq!(order("solve --seed 0 5x6 open --threads 2 from c3"), options);
    let value = |args: &str| run(&format!("{args} --json")).json(0)["value"].clone();
    assert_eq!(value("count 3x4 open from a1"), value("count 3x4 --open --from a1"));
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
        let Outcome::Found((_, model)) = solved.outcome else {
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
