//! Constraints and puzzles on the command line.

use std::fs;

use serde_json::Value;

use crate::command::*;
use serde_json::json;

#[test]
fn constraints_are_options_words_and_lines_of_a_file() {
    let folder = Place::new();
    let given = "# given moves\n\nforce a1-c2   # and a position\nat d4=17..21\n";
    folder.write("given.txt", given);
    for question in [
        "6x6 --force a1-c2 --at d4=17..21",
        "6x6 force a1-c2 at d4=17..21",
        "6x6 at d4=17..21 --force a1-c2",
        "6x6 --constraints given.txt",
    ] {
        folder.run(&format!("encode {question}")).says(0, "\nc question 6x6 force a1-c2 at d4=17..21\n");
    }
    // Both directions of each of the tours count, if d4 is in the interval.
    assert_eq!(folder.run("count 6x6 --constraints given.txt --json").json(0)["value"], "3412");
    // A formula names its constraints, and decode checks them.
    folder.run("encode 6x6 -e unary --force a1-c2 --at d4=17 -o f.cnf").exits(0);
    let formula = folder.read("f.cnf");
    assert!(formula.contains("c question 6x6 force a1-c2 at d4=17\nc encoding unary\n"), "{formula}");
    let answer = folder.run("solve 6x6 -e unary --force a1-c2 --at d4=17 --dimacs").text(10);
    folder.write("answer.txt", answer);
    let tour = folder.run("decode f.cnf answer.txt --json").json(10);
    assert_eq!(tour["tour"][16], "d4");
    // Encodings accept both ends of an open tour.
    let both = folder.run("solve 6x6 -e binary --from a1 --to f1 --json").json(10);
    assert_eq!((&both["tour"][0], &both["tour"][35]), (&"a1".into(), &"f1".into()));
}

#[test]
fn wrong_constraints_are_refused_in_one_line() {
    let folder = Place::with("wrong.txt", "force a1-c2\njump a1\n");
    let absent = "# fixed squares\nat c3=17\nat z9=3\n";
    folder.write("absent.txt", absent);
    folder.write("wrong.puzzle", "1 .\n. 1\n");
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
        let output = folder.run(args);
        let error = output.err();
        output.exits(2);
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
        let counted = run(&format!("count {question} --json")).json(0);
        assert_eq!(counted["value"], tours, "{question}");
    }
    for (question, code) in [
        ("6x6 --symmetry 90", 10),
        ("12x12 --symmetry 90", 20),
        ("6x6 --symmetry 90 -e edges", 10),
        ("king:3x3-b2 --symmetry diagonal", 10),
    ] {
        run(&format!("solve {question}")).exits(code);
    }
    // Numbers of tours and random tours.
    let mut all = Vec::new();
    for rank in 0..10 {
        let tour = format!("sample-tour 6x6 --symmetry 90 --rank {rank} --list");
        all.push(run(&tour).text(0).lines().last().unwrap().to_owned());
    }
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 10, "{all:?}");
    let random = run("sample-tour 8x8 --symmetry 180 --number 3 --list").text(0);
    assert!(random.lines().count() >= 3, "{random}");
    run("sample-tour 6x6 --symmetry 90 --rank 10").exits(2);
    run("solve 12x12 --symmetry 90").says(20, "an odd multiple of 36 steps");
}

#[test]
fn comparisons_give_each_reason_of_refusals_once() {
    let question = "compare 5x6 --at c3=7 --time-limit 600 -m binary,relaxed,edges,lazy,zdd";
    for (format, note) in [("table", ""), ("markdown", "\n")] {
        let said = run(&format!("{question} --format {format}")).text(0);
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
    run(&format!("{question} --format csv"))
        .says(0, "encoding \"\"edges\"\" does not support the constraint \"\"at\"\"");
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
            let said = run(&format!("solve {question}{method}")).text(20);
            let (line, _) = said.split_once('\n').unwrap();
            assert!(line.contains(": there is no tour: ") && line.ends_with(reason), "{question}{method}: {said}");
        }
        run(&format!("solve {question} --json")).has(20, json!({ "details": { "obstruction": "moves" } }));
        run(&format!("count {question}")).says(0, ": 0 closed tours").and(reason);
    }
    // The proof is about the graph without the moves, and its checker accepts it.
    let folder = Place::new();
    let question = "6x6 force a3-b1 force a3-b5 force a3-c2";
    for file in ["p.cert", "p.drat", "p.pbp"] {
        folder.run(&format!("solve {question} --proof {file} --require-proof")).exits(20);
        folder.run(&format!("verify {question} --proof {file}")).exits(0);
    }
}

#[test]
fn hints_name_no_method_that_refuses_the_constraint() {
    run("solve 20x20 --before a1,b5 --time-limit 0.001").says(3, "try instead: more time; another --seed\n");
    let encoded = "solve 20x20 --before a1,b5 -e unary --time-limit 0.001";
    run(encoded).exits(3).lacks("--method warnsdorff");
    let forced = "solve 60x60 --force a1-b3 --method propagator --time-limit 0.001";
    run(forced).says(3, "try instead: --method auto, ");
}

#[test]
fn proofs_include_constraints() {
    let folder = Place::new();
    for (question, file) in [
        ("6x6 max-turn 90", "turns.drat"),
        ("6x6 at b3=3 at c4=4", "at.lrat"),
        ("6x6 force a1-c2 force c2-b4 force c2-e3", "force.drat"),
    ] {
        folder.run(&format!("solve {question} --proof {file}")).exits(20);
        folder.run(&format!("verify {question} --proof {file}")).exits(0);
        // The same steps prove nothing about another question.
        assert_ne!(folder.run(&format!("verify 6x6 --proof {file}")).code(), Some(0));
    }
    folder.run("solve 6x6 at b3=3 at c4=4 --proof p.cert --require-proof").exits(1);
}

#[test]
fn check_reads_the_constraints_of_json() {
    let folder = Place::new();
    let solved = folder.run("solve 6x6 --at d4=17 --json").text(10);
    folder.write("right.json", &solved);
    folder.run("check right.json").says(0, "at d4=17: a tour");
    // The same tour does not have d4 at another position.
    let wrong = solved.replace("\"at d4=17\"", "\"at d4=19\"");
    folder.write("wrong.json", wrong);
    folder.run("check wrong.json").ends(1, "not a tour: the tour violates the constraint \"at d4=19\"\n");
    // The checksum in a tour's JSON is that of the graph as it was read.
    folder.write("g.txt", "1 2\n2 3\n3 4\n4 1\n1 3\n2 4\n");
    folder.run("solve g.txt --forbid 1-2 --render t.json").exits(10);
    folder.run("check t.json").says(0, "forbid 1-2: a tour");
    for edges in ["", " --edges"] {
        let solved = folder.run(&format!("solve g.txt --forbid 1-2 --json{edges}")).text(10);
        folder.write("t.json", solved);
        folder.run("check t.json").exits(0);
    }
}

#[test]
fn puzzles_are_solved_and_made() {
    let folder = Place::new();
    let grid = "piece king\n1 . .\n. . .\n. 7 9\n";
    folder.write("small.puzzle", grid);
    let json = |args: &str, code: i32| -> Value {
        serde_json::from_str(folder.run(args).text(code).lines().next().unwrap()).unwrap()
    };
    let solved = json("solve small.puzzle --unique --json", 10);
    assert_eq!(solved["details"]["unique"], false);
    assert_eq!(solved["question"], "king:3x3 open from a1 at b3=7 at c3=9");
    folder.run("solve small.puzzle --unique -q").says(10, "the tour is not unique: ");
    // A puzzle without a piece that no knight can solve names others, unless an option has chosen one.
    folder.write("none.puzzle", "1 2 .\n. . .\n. . 9\n");
    folder.run("solve none.puzzle").exits(20).notes("write \"piece king\" or \"piece wazir\" above the grid");
    assert!(!folder.run("solve none.puzzle --piece wazir --forbid a1-b1").exits(20).err().contains("above the grid"));
    // The first number may be missing.
    folder.write("late.csv", ",,3\n,,\n7,,\n");
    folder
        .run("solve puzzle:late.csv --piece wazir -q")
        .says(10, "from anywhere, at a3=7, at c1=3, here from c3: a tour");

    folder.run("puzzle king:4x4 --seed 2 -o made.puzzle --worksheet w.pdf --solution s.png").exits(0);
    let made = json("solve made.puzzle --unique --json", 10);
    assert_eq!(made["details"]["unique"], true);
    let worksheet = fs::read(folder.path("w.pdf")).unwrap();
    assert!(worksheet.starts_with(b"%PDF-"), "{worksheet:?}");
    assert!(folder.has("s.png"));
    let more = run("puzzle 3x4 --seed 1 --givens 9").text(0);
    let numbers = more.split_whitespace().filter(|cell| *cell != ".");
    assert_eq!(numbers.count(), 9, "{more}");
    let twice = folder.run("puzzle king:4x4 --worksheet p.pdf --solution p.pdf").refused();
    assert_eq!(twice, "--worksheet and --solution name the same file, p.pdf");
    folder
        .run("puzzle king:4x4 -o p.pdf --solution p.pdf")
        .refuses("\"p.pdf\" is a picture's name, but --output writes a text");
    folder.run("puzzle king:4x4 -o none/p.puzzle").refuses("none/p.puzzle");
    run("puzzle 6x6 closed --seed 3").begins(0, "closed\n");
}
