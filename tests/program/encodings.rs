//! Lists of encodings and of families of graphs.

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

/// Tests that a graph of every family is written and read in several formats, and that every family is listed in the
/// help and in the guide.
#[test]
fn graphs_of_every_family_are_written_and_read() {
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
}
