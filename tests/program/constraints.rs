//! Constraints and puzzles on the command line.

use std::fs;

use serde_json::Value;

use crate::command::{refused, run, run_in, text};

#[test]
fn constraints_are_options_words_and_lines_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    let given = "# given moves\n\nforce a1-c2   # and a position\nat d4=17..21\n";
    fs::write(folder.path().join("given.txt"), given).unwrap();
    for question in [
        "6x6 --force a1-c2 --at d4=17..21",
        "6x6 force a1-c2 at d4=17..21",
        "6x6 at d4=17..21 --force a1-c2",
        "6x6 --constraints given.txt",
    ] {
        let counted = text(&here(&format!("count {question} --json")), 0);
        let counted: Value = serde_json::from_str(&counted).unwrap();
        assert_eq!(counted["question"], "6x6 force a1-c2 at d4=17..21");
        // Both directions of each of the tours count, if d4 is in the interval.
        assert_eq!(counted["value"], "3412", "{question}");
    }
    // A formula names its constraints, and decode checks them.
    text(&here("encode 6x6 -e unary --force a1-c2 --at d4=17 -o f.cnf"), 0);
    let formula = fs::read_to_string(folder.path().join("f.cnf")).unwrap();
    assert!(formula.contains("c question 6x6 force a1-c2 at d4=17\nc encoding unary\n"), "{formula}");
    let answer = text(&here("solve 6x6 -e unary --force a1-c2 --at d4=17 --dimacs"), 10);
    fs::write(folder.path().join("answer.txt"), answer).unwrap();
    let tour = text(&here("decode f.cnf answer.txt --json"), 10);
    let tour: Value = serde_json::from_str(&tour).unwrap();
    assert_eq!(tour["tour"][16], "d4");
    // Encodings accept both ends of an open tour.
    let both = text(&here("solve 6x6 -e binary --from a1 --to f1 --json"), 10);
    let both: Value = serde_json::from_str(&both).unwrap();
    assert_eq!((&both["tour"][0], &both["tour"][35]), (&"a1".into(), &"f1".into()));
}

#[test]
fn wrong_constraints_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wrong.txt"), "force a1-c2\njump a1\n").unwrap();
    let absent = "# fixed squares\nat c3=17\nat z9=3\n";
    fs::write(folder.path().join("absent.txt"), absent).unwrap();
    fs::write(folder.path().join("wrong.puzzle"), "1 .\n. 1\n").unwrap();
    let mut said = String::new();
    for args in [
        "solve 6x6 --force a1-a2",
        "solve 6x6 --force a1",
        "solve 6x6 --force a1-z9",
        "solve 6x6 --at c3",
        "solve 6x6 --at c3=37",
        "solve 6x6 --at a1=2",
        "solve 6x6 --at c3=1",
        "solve 6x6 --at c3=4 --at c3=9",
        "solve 6x6 at c3=4..9 at c3=2..5 at c3=6..8",
        "solve 6x6 --at c3=4 --at d4=4",
        "solve 6x6 --at c3=4..5 --at d4=4..5 --at b2=9 --at e4=3..6 --at e4=4..8 --at e3=4..6",
        "count 6x6 --at c2=1..2 --at b3=1..2",
        "encode 6x6 --at c3=4..5 --at c3=5..6 --at d4=5..6 --at d4=4..5",
        "solve petersen --open --start 1 --at 4=..2 --at 5=..2 --proof p.drat",
        "solve 6x6 --before a1,a1",
        "solve 6x6 --turns 90..0",
        "solve petersen --max-turn 90",
        "solve 6x6 --symmetry 45",
        "solve 6x7 --symmetry 90",
        "solve 6x6 --symmetry reflection",
        "solve 7x7 --symmetry reflection",
        "solve 6x6-a1 --symmetry 180",
        "solve petersen --symmetry 180",
        "count 6x6 --symmetry 180 --method zdd",
        "count 6x6 --symmetry 180 --histogram obtuse",
        "count 6x6 --symmetry 180 --open --by-start",
        "count 6x6..8 --symmetry 90",
        "solve 6x6 --at c3=4 -e edges",
        "solve 6x6 --force a1-c2 -e step",
        "solve 6x6 --at c3=4 --method lazy",
        "count 6x6 --before c3,d4 --method exact",
        "count 6x6 --force a1-c2 --list -",
        "solve 6x6 --constraints wrong.txt",
        "solve 6x6 --force a1-c2 --constraints absent.txt",
        "solve 6x6 --constraints nowhere.txt",
        "solve wrong.puzzle",
        "solve puzzle:nowhere.txt",
        "puzzle petersen",
        "puzzle 5x6 --worksheet p.txt",
    ] {
        let output = run_in(folder.path(), args);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}: {error}");
        said += &format!("{args}\n    {error}");
    }
    insta::assert_snapshot!(said);
}

#[test]
fn symmetric_tours_are_counted_over_the_quotient_and_found_by_clauses() {
    for (question, tours) in [
        ("6x6 symmetry 90", "10"),
        ("6x6 --symmetry 180", "78"),
        ("5x6 --symmetry reflection", "4"),
        ("6x6 --symmetry 180 --symmetry 90", "10"),
        ("6x6 --symmetry 180 --forbid a1-c2", "0"),
        ("8x8 --symmetry 180", "2432932"),
        ("8x8 --symmetry 90", "0"),
    ] {
        let counted = text(&run(&format!("count {question} --json")), 0);
        let counted: Value = serde_json::from_str(&counted).unwrap();
        assert_eq!(counted["value"], tours, "{question}");
    }
    for (question, code) in [
        ("6x6 --symmetry 90", 10),
        ("12x12 --symmetry 90", 20),
        ("6x6 --symmetry 90 -e edges", 10),
        ("king:3x3-b2 --symmetry diagonal", 10),
    ] {
        text(&run(&format!("solve {question}")), code);
    }
    // Numbers of tours and random tours.
    let mut all = Vec::new();
    for rank in 0..10 {
        let tour = format!("sample-tour 6x6 --symmetry 90 --rank {rank} --list");
        all.push(text(&run(&tour), 0).lines().last().unwrap().to_owned());
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 10, "{all:?}");
    let random = text(&run("sample-tour 8x8 --symmetry 180 --number 3 --list"), 0);
    assert!(random.lines().count() >= 3, "{random}");
    let none = run("sample-tour 6x6 --symmetry 90 --rank 10");
    assert_eq!(none.status.code(), Some(2));
    let why = text(&run("solve 12x12 --symmetry 90"), 20);
    assert!(why.contains("an odd multiple of 36 steps"), "{why}");
}

#[test]
fn comparisons_give_each_reason_of_refusals_once() {
    let question = "compare 5x6 --at c3=7 --time-limit 600 -m binary,relaxed,edges,lazy,zdd";
    for (format, note) in [("table", ""), ("markdown", "\n")] {
        let said = text(&run(&format!("{question} --format {format}")), 0);
        let (table, reasons) = said.split_once("Refused by").unwrap();
        assert_eq!(table.matches(" refused ").count(), 4, "{said}");
        assert!(
            reasons.starts_with(" relaxed, edges: the encoding does not support the constraint \"at\"; "),
            "{said}"
        );
        let others = format!("\n{note}Refused by lazy, zdd: the constraint \"at\" needs clauses, ");
        assert!(reasons.contains(&others), "{said}");
    }
    // Rows keep the message.
    let rows = text(&run(&format!("{question} --format csv")), 0);
    assert!(rows.contains("encoding \"\"edges\"\" does not support the constraint \"\"at\"\""));
}

#[test]
fn contradictions_of_moves_are_named() {
    for (question, reason) in [
        ("6x6 --force a1-b3 --forbid a1-b3", "a1-b3 is both forced and forbidden"),
        (
            "6x6 force a3-b1 force a3-b5 force a3-c2",
            "a tour cannot use all the forced moves a3-b1, a3-b5 and a3-c2 at a3",
        ),
        ("6x6 --force b3-d2-b1-a3-c4-b2-d3-b4-a2-c1-b3", "and 4 more are a cycle of 10 of the 36 squares"),
        ("6x6 --forbid d4-b3-a1 --forbid a1-c2", "the forbidden moves leave a1 no neighbour"),
        ("6x6 --forbid a1-b3", "the forbidden moves leave a1 one neighbour, c2, but a closed tour needs two"),
    ] {
        for method in ["", " -e binary", " --method lazy", " --method decomposition"] {
            let said = text(&run(&format!("solve {question}{method}")), 20);
            let (line, _) = said.split_once('\n').unwrap();
            assert!(line.contains(": there is no tour: ") && line.ends_with(reason), "{question}{method}: {said}");
        }
        let object = text(&run(&format!("solve {question} --json")), 20);
        let object: Value = serde_json::from_str(&object).unwrap();
        assert_eq!(object["details"]["obstruction"], "moves", "{object}");
        let counted = text(&run(&format!("count {question}")), 0);
        assert!(counted.contains(": 0 closed tours") && counted.contains(reason), "{counted}");
    }
    // The proof is about the graph without the moves, and its checker accepts it.
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    let question = "6x6 force a3-b1 force a3-b5 force a3-c2";
    for file in ["p.cert", "p.drat", "p.pbp"] {
        text(&here(&format!("solve {question} --proof {file} --require-proof")), 20);
        text(&here(&format!("verify {question} --proof {file}")), 0);
    }
}

#[test]
fn hints_name_no_method_that_refuses_the_constraint() {
    let late = text(&run("solve 20x20 --before a1,b5 --time-limit 0.001"), 3);
    assert!(late.contains("try instead: more time; another --seed\n"), "{late}");
    let encoded = "solve 20x20 --before a1,b5 -e unary --time-limit 0.001";
    let late = text(&run(encoded), 3);
    assert!(!late.contains("--method warnsdorff"), "{late}");
    let forced = "solve 60x60 --force a1-b3 --method propagator --time-limit 0.001";
    let late = text(&run(forced), 3);
    assert!(late.contains("try instead: --method auto, "), "{late}");
}

#[test]
fn proofs_include_constraints() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    for (question, file) in [
        ("6x6 max-turn 90", "turns.drat"),
        ("6x6 at b3=3 at c4=4", "at.lrat"),
        ("6x6 force a1-c2 force c2-b4 force c2-e3", "force.drat"),
    ] {
        text(&here(&format!("solve {question} --proof {file}")), 20);
        text(&here(&format!("verify {question} --proof {file}")), 0);
        // The same steps prove nothing about another question.
        assert_ne!(here(&format!("verify 6x6 --proof {file}")).status.code(), Some(0));
    }
    let refused = here("solve 6x6 at b3=3 at c4=4 --proof p.cert --require-proof");
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn check_reads_the_constraints_of_json() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    let solved = text(&here("solve 6x6 --at d4=17 --json"), 10);
    fs::write(folder.path().join("right.json"), &solved).unwrap();
    assert!(text(&here("check right.json"), 0).contains("at d4=17: a tour"));
    // The same tour does not have d4 at another position.
    let wrong = solved.replace("\"at d4=17\"", "\"at d4=19\"");
    fs::write(folder.path().join("wrong.json"), wrong).unwrap();
    let said = text(&here("check wrong.json"), 1);
    assert!(said.ends_with("not a tour: the tour violates the constraint \"at d4=19\"\n"), "{said}");
    // The checksum in a tour's JSON is that of the graph as it was read.
    fs::write(folder.path().join("g.txt"), "1 2\n2 3\n3 4\n4 1\n1 3\n2 4\n").unwrap();
    text(&here("solve g.txt --forbid 1-2 --render t.json"), 10);
    assert!(text(&here("check t.json"), 0).contains("forbid 1-2: a tour"));
    for edges in ["", " --edges"] {
        let solved = text(&here(&format!("solve g.txt --forbid 1-2 --json{edges}")), 10);
        fs::write(folder.path().join("t.json"), solved).unwrap();
        text(&here("check t.json"), 0);
    }
}

#[test]
fn puzzles_are_solved_and_made() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    let grid = "piece king\n1 . .\n. . .\n. 7 9\n";
    fs::write(folder.path().join("small.puzzle"), grid).unwrap();
    let json = |args: &str, code: i32| -> Value {
        serde_json::from_str(text(&here(args), code).lines().next().unwrap()).unwrap()
    };
    let solved = json("solve small.puzzle --unique --json", 10);
    assert_eq!(solved["details"]["unique"], false);
    assert_eq!(solved["question"], "king:3x3 open from a1 at b3=7 at c3=9");
    let words = text(&here("solve small.puzzle --unique -q"), 10);
    assert!(words.contains("the tour is not unique: "), "{words}");
    // The first number may be missing.
    fs::write(folder.path().join("late.csv"), ",,3\n,,\n7,,\n").unwrap();
    let late = text(&here("solve puzzle:late.csv --piece wazir -q"), 10);
    assert!(late.contains("from anywhere, at a3=7, at c1=3, here from c3: a tour"), "{late}");

    text(&here("puzzle king:4x4 --seed 2 -o made.puzzle --worksheet w.pdf --solution s.png"), 0);
    let made = json("solve made.puzzle --unique --json", 10);
    assert_eq!(made["details"]["unique"], true);
    let worksheet = fs::read(folder.path().join("w.pdf")).unwrap();
    assert!(worksheet.starts_with(b"%PDF-"), "{worksheet:?}");
    assert!(folder.path().join("s.png").exists());
    let more = text(&run("puzzle 3x4 --seed 1 --givens 9"), 0);
    let numbers = more.split_whitespace().filter(|cell| *cell != ".");
    assert_eq!(numbers.count(), 9, "{more}");
    let twice = refused(&here("puzzle king:4x4 --worksheet p.pdf --solution p.pdf"));
    assert_eq!(twice, "--worksheet and --solution name the same file, p.pdf");
    let twice = refused(&here("puzzle king:4x4 -o p.pdf --solution p.pdf"));
    assert_eq!(twice, "--output and --solution name the same file, p.pdf");
    let nowhere = refused(&here("puzzle king:4x4 -o none/p.puzzle"));
    assert!(nowhere.contains("none/p.puzzle"), "{nowhere}");
    let closed = text(&run("puzzle 6x6 closed --seed 3"), 0);
    assert!(closed.starts_with("closed\n"), "{closed}");
}
