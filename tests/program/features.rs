//! Features of graphs, computed without solving and printed by `hamcnf graph`, and the hashes of formulas.

use crate::command::*;
use hamcnf::features::Features;
use serde_json::json;

/// Two triangles, joined by a path of two bridges, and one more vertex adjacent to the middle of the path.
const DUMBBELL: &str = "p edge 8 9\ne 1 2\ne 2 3\ne 3 1\ne 3 4\ne 4 5\ne 5 6\ne 6 7\ne 7 5\ne 4 8\n";

#[test]
fn facts_of_one_graph_are_said() {
    run("graph 8x8").prints(
        0,
        "8x8: 64 vertices, 168 edges\ndegrees from 2 to 8, mean 5.25\nconnected\n\
         bipartite: 32 and 32 vertices\ncut vertices: 0, bridges: 0\ntreewidth at most 20\n\
         checksum of the edges (CRC-32): 3dbbce4e\n",
    );
    let folder = Place::with("x.col", DUMBBELL);
    folder
        .run("graph x.col")
        .says(0, "\ncut vertices: 3, bridges: 3\n")
        .and("\ntreewidth at most 2\n")
        .ends(0, "\nno closed tour: 8 has one neighbour, so no closed tour can go through it\n");
    let facts = folder.run("graph x.col --json");
    facts.has(0, json!({ "instance": "x.col", "format": "dimacs", "numbering": "from-1", "vertices": 8, "edges": 9 }));
    facts.has(
        0,
        json!({ "least_degree": 1, "mean_degree": 2.25, "greatest_degree": 3, "components": 1, "bipartite": false }),
    );
    facts.has(0, json!({ "cut_vertices": 3, "bridges": 3, "width_bound": 2, "obstruction": "one-neighbour" }));
    // The row of a run has the same checksum.
    let row = folder.run("solve x.col --json").json(20);
    assert_eq!(facts.json(0)["graph_crc32"], row["graph_crc32"]);
    assert!(row["graph_crc32"].as_str().is_some_and(|sum| sum.len() == 8));
}

#[test]
fn several_graphs_are_a_line_each() {
    let folder = Place::with("x.col", DUMBBELL);
    let csv = folder.run("graph x.col petersen 5x5 --format csv").text(0);
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines[0], Features::columns().join(","));
    let graph = |line: &str| line.split(',').nth(1).unwrap().to_owned();
    let sum = graph(lines[1]);
    assert_eq!(lines[1], format!("x.col,{sum},8,9,1,2.25,3,1,false,3,3,2,one-neighbour,"));
    assert_eq!(lines[2], "petersen:5:2,33b341bd,10,15,3,3.0,3,1,false,0,0,4,,");
    assert_eq!(lines[3], "5x5,,25,48,2,3.84,8,1,true,0,0,6,colours,");
    assert_eq!(lines.len(), 4);
    // The command prints the same line if it receives a single graph.
    let one = folder.run("graph petersen --format csv").text(0);
    assert_eq!(one.lines().nth(1), Some(lines[2]));
    let json = folder.run("graph x.col petersen --json").json(0);
    assert_eq!(json[0]["instance"], "x.col");
    assert_eq!((&json[1]["width_bound"], &json[1]["schema"]), (&json!(4), &json!(hamcnf::record::SCHEMA)));
    run("graph petersen 5x5").says(0, " width bound ").and(" colours ");
    run("graph petersen 5x5 --format markdown").begins(0, "| question ");
    run("graph petersen 5x5 -o x.col").refuses("cannot write the graphs of several files at once");
}

#[test]
fn graphs_that_cannot_be_read_do_not_keep_the_others_back() {
    let folder = Place::with("x.col", DUMBBELL);
    folder.write("bad.col", "p edge 3 1\ne 1 7\n");
    for format in ["csv", "json", "table", "markdown"] {
        let output = folder.run(&format!("graph bad.col x.col none.col cycle:5 --format {format}"));
        output.says(1, "x.col").and("cycle:5");
        let errors = output.err();
        let lines: Vec<_> = errors.lines().collect();
        assert_eq!(lines.len(), 2, "{errors}");
        assert!(lines[0].starts_with("hamcnf: cannot read bad.col: line 2: "), "{errors}");
        assert!(lines[1].starts_with("hamcnf: \"none.col\" is neither a board"), "{errors}");
    }
    // A single graph that cannot be read is an error, as in all commands.
    assert_eq!(
        folder.run("graph none.col").refused(),
        "\"none.col\" is neither a board such as 8x8 nor an existing file"
    );
}

/// Tests that all features with linear running time are computed for large graphs, and that a slow bound on the width
/// is skipped.
#[test]
fn large_graphs_are_quick() {
    for word in ["100x100", "gnp:5000,0.01:1"] {
        let facts = run(&format!("graph {word} --json")).json(0);
        assert_eq!(facts["components"], 1, "{facts}");
        assert!(facts["graph_crc32"].is_string());
    }
    run("graph gnp:5000,0.01:1").says(0, "\ntreewidth: the computation of a bound took too long\n");
    // Narrow graphs of any size have a bound on the width.
    run("graph grid:4x20000").says(0, "\ntreewidth at most 4\n");
}

#[test]
fn tiny_graphs_have_facts_too() {
    let folder = Place::with("x.col", "p edge 2 1\ne 1 2\n");
    folder.run("graph x.col").says(0, "cut vertices: 0, bridges: 1\n");
    folder.run("graph x.col -e binary").exits(0);
}

/// Hashes computed by gbdc 0.4.3 (`gbdc.gbdhash` from PyPI) for the files that `hamcnf encode` writes with these
/// arguments.
const HASHES: [(&str, &str); 5] = [
    ("6x6", "1f702965e55c1e9a6b23010da49f0e64"),
    ("5x6 --open --start c3 -e unary", "084b41d68d75d47792ca640fd9800b86"),
    ("petersen -e counting", "176222482f07e2b8599f3feb43e19d28"),
    ("8x8 -e direct", "2cb88f8fc7b8aafa88f9616c7f682714"),
    ("cubic:20:1 -e relaxed+two-cycles", "af1c6e8d9c069834126a2942ac6ede3e"),
];

#[test]
fn hashes_are_those_of_the_global_benchmark_database() {
    for (args, hash) in HASHES {
        run(&format!("encode {args} --gbd-hash")).prints(0, format!("{hash}\n"));
    }
    run("graph petersen -e counting --format csv").ends(0, format!(",{}\n", HASHES[2].1));
    run("graph 8x8 -e direct").says(0, HASHES[3].1);
    // With `--gbd-hash` no file can be written, and no hash exists for a setting that is not part of the file.
    run("encode 6x6 --gbd-hash -o x.cnf").refuses("--gbd-hash");
    run("encode 6x6 -e relaxed+phases=false --gbd-hash").refuses("cannot be written to a file");
}
