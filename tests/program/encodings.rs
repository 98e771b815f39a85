//! Encodings on the command line: available names, contradictory options, and relaxed encodings.

use crate::command::{feed, refused, run, stderr, text};
use hamcnf::encoding;

#[test]
fn all_of_them_are_listed() {
    let listed = text(&run("encodings"), 0);
    let json: serde_json::Value = serde_json::from_str(&text(&run("encodings --json"), 0)).unwrap();
    let names = |of: &str| -> Vec<String> {
        let all = json[of].as_array().unwrap().iter();
        all.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    let bases: Vec<_> = encoding::bases().iter().map(|b| b.name.to_owned()).collect();
    let refinements: Vec<_> = encoding::refinements().iter().map(|r| r.name.to_owned()).collect();
    assert_eq!((names("bases"), names("refinements")), (bases, refinements));
    for name in names("bases").iter().chain(&names("refinements")) {
        let line = listed.lines().find(|line| line.split_whitespace().next() == Some(name));
        assert!(line.is_some_and(|line| line.len() > name.len() + 10), "{listed}");
    }
}

#[test]
fn what_is_said_twice_must_agree() {
    for (args, said) in [
        ("solve 6x6 -e binary+windows=full --pruning none", "sets windows=full, but an option sets windows=none"),
        ("encode 6x6 -e binary+orientation=fixed --orientation free", "sets orientation=fixed"),
        ("encode 6x6 -e binary+phases=walk", "hamcnf's own solver"),
        ("solve 6x6 -e remainder=4x6", "the moduli 4 and 6 have a common factor; choose coprime moduli"),
        ("compare 6x6 --methods size:binary+phases=walk", "hamcnf's own solver"),
    ] {
        let refused = refused(&run(args));
        assert!(refused.contains(said), "{args}: {refused}");
    }
    text(&run("solve 6x6 -e binary+windows=full --pruning full"), 10);
    // An option for positions makes `solve` choose an encoding with positions.
    assert!(text(&run("solve 6x6 --orientation free"), 10).contains("orientation=free"));
}

#[test]
fn relaxed_formulas_say_so() {
    let encoded = run("encode 6x6 -e relaxed");
    assert!(stderr(&encoded).contains("some models consist of several cycles"));
    let cnf = text(&encoded, 0);
    assert!(cnf.contains("c relaxed: some models consist of several cycles"), "{cnf}");
    // The relaxed formula has a model that is not a tour: the arcs of a matching, each in both directions.
    let formula = text(&run("encode 3x4 --open --start a1 -e relaxed"), 0);
    assert!(formula.contains("c relaxed:"));
    assert!(refused(&run("count 6x6 -e relaxed --method approxmc --offline")).contains("relaxed"));
    assert!(text(&run("count 5x6 -e relaxed --method enumerate"), 0).contains('8'));
    text(&run("solve 3x8 -e relaxed"), 20);
}

#[test]
fn sizes_have_a_line_for_each_question() {
    let table = text(&run("sizes 6x6 5x6 -e binary --open --start a1 --format markdown"), 0);
    assert!(table.contains("| 6x6 open from a1 |") && table.contains("| 5x6 open from a1 |"));
}

#[test]
fn graphs_of_families_go_where_graphs_go() {
    text(&run("solve petersen:5:2"), 20);
    text(&run("solve petersen:5:2 --open --start 3"), 10);
    let graph = text(&run("graph cubic:12:3 --to dimacs"), 0);
    assert!(graph.contains("p edge 12 18"), "{graph}");
    text(&feed("solve -", graph), 10);
    // A graph of every family is written and read in several formats. Every family is listed in the help and in the
    // guide.
    let help = text(&run("graph --help"), 0).replace("\n          ", " ");
    let guide = include_str!("../../scripts/pages/guide/formats.md");
    for kind in hamcnf::families::ALL {
        let word = kind.example;
        assert!(help.contains(&kind.word()), "{word}: {help}");
        assert!(guide.contains(&format!("`{word}`")), "{word}");
        let said = text(&run(&format!("graph {word}")), 0);
        let facts = said.split_once('\n').unwrap().1;
        // The facts about a graph from a file do not include a family.
        let facts = facts.split_once("family: ").map_or(facts, |(_, behind)| behind.split_once('\n').unwrap().1);
        let formats = match facts.contains("directed, ") {
            true => ["dimacs", "dot", "graphml"],
            false => ["dimacs", "tsplib", "edges-header"],
        };
        for format in formats {
            let graph = text(&run(&format!("graph {word} --to {format}")), 0);
            let again = text(&feed(&format!("graph - --graph-format {format}"), graph), 0);
            assert!(again.ends_with(facts), "{word}: {again}");
        }
    }
    for word in ["petersen", "gp:11,2", "snark:double-star", "flower:5"] {
        text(&run(&format!("solve {word}")), 20);
    }
    for word in ["gp:9,2", "grid:4x5", "torus:3x5", "complete:9", "leaper:1,2:6x6"] {
        text(&run(&format!("solve {word}")), 10);
    }
    for (args, said) in [
        ("solve cubic:9:1", "the number of vertices must be even"),
        ("solve cubic:10:1:1", "does not have the form cubic:VERTICES:SEED, such as cubic:60:7"),
        ("solve cubic", "did you mean cubic:VERTICES:SEED, such as"),
        ("solve gird:6x6", "did you mean grid:ROWSxCOLUMNS"),
        ("solve gnp:9,1.5:1", "P must be from 0 to 1"),
        ("solve grid:0x6", "at least 1 row, at least 1 column"),
        ("solve snark:blanusa", "does not have the form snark:blanusa-1|blanusa-2|"),
        ("solve planar:2:1", "the number of vertices must be from 3 to"),
        ("solve cubic:10:1 --start 11", "vertices are numbered from 1 to 10"),
        ("solve cubic:10:1 --piece 1,3", "--piece is for boards"),
    ] {
        let refused = refused(&run(args));
        assert!(refused.contains(said), "{args}: {refused}");
    }
}

#[test]
fn boards_with_holes_go_where_boards_go() {
    // A ring of a wazir around a hole is found by the default method and by every encoding.
    for how in ["", "-e binary", "-e relaxed", "-e counting"] {
        let found = text(&run(&format!("solve leaper:0,1:3x3-b2 {how}")), 10);
        assert!(found.contains("3x3-b2 (0,1)-leaper, closed tours"), "{found}");
        assert!(found.contains('█'), "{found}");
    }
    // The two missing opposite corners have the same colour.
    assert!(text(&run("solve 8x8-a1-h8"), 20).contains("colour"));
    text(&run("solve 8x8-a1-b1"), 10);
    assert_eq!(text(&run("graph 8x8-a1-h8"), 0).lines().next(), Some("8x8-a1-h8: 62 vertices, 164 edges"));
    let json = text(&run("solve 6x6-a1-a2 --open --start c3 --json"), 10);
    let checked = text(&feed("check -", &json), 0);
    assert!(checked.contains("6x6-a1-a2 knight, open tours, start c3"), "{checked}");
    assert!(checked.contains("all 34 squares once"), "{checked}");
    assert!(text(&feed("show -", &json), 0).contains('█'));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (cnf, answer) = (path("holes.cnf"), path("answer.txt"));
    text(&run(&format!("encode 6x6-a1-a2 -o {cnf}")), 0);
    let said = text(&run("solve 6x6-a1-a2 -e binary --dimacs"), 10);
    std::fs::write(&answer, said).unwrap();
    text(&run(&format!("decode {cnf} {answer}")), 10);
    for (args, said) in [
        ("solve 8x8-z1", "square z1 is not on the 8x8 board"),
        ("solve 8x8-a1 --start a1", "square a1 is missing from the board 8x8-a1"),
        ("solve 1x3-a1-b1-c1", "board 1x3-a1-b1-c1 has no squares left"),
    ] {
        let refused = refused(&run(args));
        assert!(refused.contains(said), "{args}: {refused}");
    }
}
