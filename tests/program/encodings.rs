//! Encodings on the command line: available names, contradictory options, and relaxed encodings.

use crate::command::*;
use hamcnf::encoding;

#[test]
fn all_of_them_are_listed() {
    let listed = run("encodings").text(0);
    let json = run("encodings --json").json(0);
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
        run(args).refuses(said);
    }
    run("solve 6x6 -e binary+windows=full --pruning full").exits(10);
    // An option for positions makes `solve` choose an encoding with positions.
    run("solve 6x6 --orientation free").says(10, "orientation=free");
}

#[test]
fn relaxed_formulas_say_so() {
    run("encode 6x6 -e relaxed")
        .notes("some models consist of several cycles")
        .says(0, "c relaxed: some models consist of several cycles");
    // The relaxed formula has a model that is not a tour: the arcs of a matching, each in both directions.
    run("encode 3x4 --open --start a1 -e relaxed").says(0, "c relaxed:");
    run("count 6x6 -e relaxed --method approxmc --offline").refuses("relaxed");
    run("count 5x6 -e relaxed --method enumerate").says(0, "8");
    run("solve 3x8 -e relaxed").exits(20);
}

#[test]
fn sizes_have_a_line_for_each_question() {
    let table = run("sizes 6x6 5x6 -e binary --open --start a1 --format markdown").text(0);
    assert!(table.contains("| 6x6 open from a1 |") && table.contains("| 5x6 open from a1 |"));
}

#[test]
fn graphs_of_families_go_where_graphs_go() {
    run("solve petersen:5:2").exits(20);
    run("solve petersen:5:2 --open --start 3").exits(10);
    let graph = run("graph cubic:12:3 --to dimacs").text(0);
    assert!(graph.contains("p edge 12 18"), "{graph}");
    feed("solve -", graph).exits(10);
    // A graph of every family is written and read in several formats. Every family is listed in the help and in the
    // guide.
    let help = run("graph --help").text(0).replace("\n          ", " ");
    let guide = include_str!("../../scripts/pages/guide/formats.md");
    for kind in hamcnf::families::ALL {
        let word = kind.example;
        assert!(help.contains(&kind.word()), "{word}: {help}");
        assert!(guide.contains(&format!("`{word}`")), "{word}");
        let said = run(&format!("graph {word}")).text(0);
        let facts = said.split_once('\n').unwrap().1;
        // The facts about a graph from a file do not include a family.
        let facts = facts.split_once("family: ").map_or(facts, |(_, behind)| behind.split_once('\n').unwrap().1);
        let formats = match facts.contains("directed, ") {
            true => ["dimacs", "dot", "graphml"],
            false => ["dimacs", "tsplib", "edges-header"],
        };
        for format in formats {
            let graph = run(&format!("graph {word} --to {format}")).text(0);
            feed(&format!("graph - --graph-format {format}"), graph).ends(0, facts);
        }
    }
    for word in ["petersen", "gp:11,2", "snark:double-star", "flower:5"] {
        run(&format!("solve {word}")).exits(20);
    }
    for word in ["gp:9,2", "grid:4x5", "torus:3x5", "complete:9", "leaper:1,2:6x6"] {
        run(&format!("solve {word}")).exits(10);
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
        run(args).refuses(said);
    }
}

#[test]
fn boards_with_holes_go_where_boards_go() {
    // A ring of a wazir around a hole is found by the default method and by every encoding.
    for how in ["", "-e binary", "-e relaxed", "-e counting"] {
        run(&format!("solve leaper:0,1:3x3-b2 {how}")).says(10, "3x3-b2 (0,1)-leaper, closed tours").and("█");
    }
    // The two missing opposite corners have the same colour.
    run("solve 8x8-a1-h8").says(20, "colour");
    run("solve 8x8-a1-b1").exits(10);
    assert_eq!(run("graph 8x8-a1-h8").text(0).lines().next(), Some("8x8-a1-h8: 62 vertices, 164 edges"));
    let json = run("solve 6x6-a1-a2 --open --start c3 --json").text(10);
    feed("check -", &json).says(0, "6x6-a1-a2 knight, open tours, start c3").and("all 34 squares once");
    feed("show -", &json).says(0, "█");
    let folder = Place::new();
    let path = |name: &str| folder.path(name).display().to_string();
    let (cnf, answer) = (path("holes.cnf"), path("answer.txt"));
    run(&format!("encode 6x6-a1-a2 -o {cnf}")).exits(0);
    let said = run("solve 6x6-a1-a2 -e binary --dimacs").text(10);
    std::fs::write(&answer, said).unwrap();
    run(&format!("decode {cnf} {answer}")).exits(10);
    for (args, said) in [
        ("solve 8x8-z1", "square z1 is not on the 8x8 board"),
        ("solve 8x8-a1 --start a1", "square a1 is missing from the board 8x8-a1"),
        ("solve 1x3-a1-b1-c1", "board 1x3-a1-b1-c1 has no squares left"),
    ] {
        run(args).refuses(said);
    }
}
