//! Files that a command writes: none of them replaces an input file or another output.

use std::fs;

use crate::command::*;

const TRIANGLE: &str = "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n";

/// Returns a folder with a graph.
fn with_graph() -> Place {
    Place::with("g.col", TRIANGLE)
}

#[test]
fn outputs_do_not_replace_inputs() {
    let folder = with_graph();
    for (line, option) in [
        ("solve g.col --render g.col.svg --proof x.cert --cnf g.col", "--cnf"),
        ("solve dimacs:./g.col --proof g.col", "--proof"),
        ("encode g.col -o g.col", "--output"),
        ("encode g.col+relabel=1 --format cnf -o ./g.col", "--output"),
        ("count g.col --method zdd --dot g.col", "--dot"),
        ("count g.col --certificate x.scpog --cnf g.col", "--cnf"),
        ("count g.col --checkpoint g.col", "--checkpoint"),
        ("list g.col -o g.col", "--output"),
        ("graph g.col --to graph6 -o g.col", "--output"),
        ("graph 4x4 g.col --to graph6 -o g.col", "--output"),
        ("solve 4x4 --open --constraints g.col --proof g.col", "--proof"),
    ] {
        let said = folder.run(line).refused();
        let expected = |name| format!("{option} names {name}, which this command reads: choose another file");
        assert!(["g.col", "./g.col"].map(expected).contains(&said), "{line}: {said}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("g.col", folder.path("link")).unwrap();
        folder.run("encode g.col -o link").refused_with("--output names link, which");
    }
    // The file name comes from a pattern, or the input is a folder.
    fs::create_dir(folder.path("all")).unwrap();
    folder.write("all/h.txt", "1 2\n2 3\n3 1\n");
    for line in ["encode all/h.txt -o all/{}.txt", "encode all/ -o all/{}.txt"] {
        folder.run(line).refuses("is that of the graph itself");
    }
    folder.run("graph all --to edges -o all/h.txt").refused_with("--output names all/h.txt, which");
    folder.write("p.txt", "1 . .\n. . .\n. . .\n. . .\n");
    for line in ["solve puzzle:p.txt --render p.txt", "list puzzle:p.txt -o p.txt"] {
        folder.run(line).refuses("names p.txt, which this command reads");
    }
    let kept = folder.read("all/h.txt");
    assert_eq!(kept, "1 2\n2 3\n3 1\n");
    let kept = folder.read("g.col");
    assert_eq!(kept, TRIANGLE);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = with_graph();
    let error = |line| folder.run(line).refused();
    assert_eq!(error("solve 3x3 --proof a.drat --cnf ./a.drat"), "--proof and --cnf name the same file, ./a.drat");
    assert_eq!(
        error("solve 3x3 --proof - --cnf -"),
        "--proof and --cnf cannot both write to standard output: name a file for one of them"
    );
    assert_eq!(error("solve 6x6 --render t.svg --render t.svg"), "--render names the file t.svg twice");
    assert_eq!(error("queens 8 list -o x.txt --render x.txt"), "--output and --render name the same file, x.txt");
    assert_eq!(folder.names("").len(), 1);
    // A folder for temporary files is not read, so it may be the folder of the other outputs.
    folder.write("k", "1 2 3\n");
    let said = error("count 6x6 --scratch . --checkpoint k");
    assert!(said.contains("is not a checkpoint"), "{said}");
    // A device may take several outputs.
    let devices = "count 3x4 --open --start a1 --method zdd --dot /dev/null --list /dev/null";
    folder.run(devices).exits(0);
}

#[test]
fn the_folder_of_a_pattern_is_made() {
    let folder = Place::new();
    folder.run("encode 3x4..5 -o made/x-{}.cnf -q").exits(0);
    let made = fs::read_dir(folder.path("made")).unwrap();
    assert_eq!(made.count(), 2);
    assert_eq!(
        folder.run("encode 3x4..5").refused(),
        "\"3x4..5\" has several graphs: write a file for each with --output FOLDER/ or --output \"PATTERN-{}.cnf\", or name one board, such as 3x4"
    );
}

#[test]
fn a_format_of_one_graph_takes_none_of_several() {
    let folder = Place::with("two.g6", "Bw\nCr\n");
    folder.run("graph two.g6 --to dimacs").refused_with("a dimacs file can hold only one graph");
}
