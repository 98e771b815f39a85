//! Petersen graphs and relabelled graphs, and the benchmark set: files with known answers, generated from the names of
//! families.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::command::*;

/// Returns the rest of the file's comment that begins with `begins`.
fn comment<'t>(file: &'t str, begins: &str) -> &'t str {
    let begins = format!("c {begins}");
    let line = file.lines().find_map(|line| line.strip_prefix(begins.as_str()));
    line.unwrap_or_else(|| panic!("{begins}: {}", &file[..file.len().min(500)]))
}

#[test]
fn a_family_knows_which_of_its_graphs_have_a_cycle() {
    // Alspach's theorem tells which of these graphs have a tour; small sizes are solved.
    for n in 3..14 {
        for k in 1..n {
            let word = format!("petersen:{n}:{k}");
            let has = run(&format!("graph {word}+no-cycle --to dimacs")).code() == Some(2);
            let code = if has { 10 } else { 20 };
            run(&format!("solve {word} -q")).exits(code);
        }
    }
}

#[test]
fn any_graph_is_there_in_another_order() {
    let folder = Place::new();
    folder.run("graph petersen:7:2 -o g.col").exits(0);
    for place in ["5x6", "cubic:20:1", "g.col", "leaper:1,4:10x10", "gnp:24,0.2:3+planted"] {
        let word = format!("{place}+relabel=5");
        let facts = |place: &str| {
            let said = folder.run(&format!("graph {place} --json")).text(0);
            let json: serde_json::Value = serde_json::from_str(&said).unwrap();
            let [name, crc32] = ["instance", "graph_crc32"].map(|key| json[key].as_str().unwrap().to_owned());
            (name, crc32, [&json["vertices"], &json["edges"], &json["components"]].map(ToString::to_string))
        };
        let (name, crc32, sizes) = facts(&word);
        assert_eq!(name, word);
        let (_, plain, same) = facts(place);
        assert!(crc32 != plain && sizes == same, "{word}");
        assert_ne!(facts(&format!("{place}+relabel=6")).1, crc32);
        // The tour uses the new labels: it is a tour of the graph that is written to a file.
        folder.run(&format!("graph {word} -o new.col")).exits(0);
        let solved = folder.run(&format!("solve {word} --json")).text(10);
        folder.write("tour.json", &solved);
        folder.run("check tour.json").exits(0);
        let tour: serde_json::Value = serde_json::from_str(&solved).unwrap();
        assert_eq!(tour["details"]["instance"], word.as_str());
        assert_eq!(tour["graph_crc32"], crc32.as_str());
        let order = tour["tour"].as_array().unwrap().iter();
        let order: Vec<_> = order.map(|v| v.as_str().unwrap()).collect();
        folder.write("order.txt", order.join(" "));
        folder.run("check order.txt --graph new.col").exits(0);
        folder.run(&format!("check order.txt --graph {word}")).exits(0);
        // Formulas record the name of the graph, and answers to the formulas are accepted.
        folder.run(&format!("encode {word} -o x.cnf")).prints(0, "");
        let header = folder.read("x.cnf");
        assert_eq!(comment(&header, "question "), word);
        let answer = folder.run(&format!("solve {word} -e binary --dimacs")).out();
        folder.write("answer.txt", answer);
        folder.run("decode x.cnf answer.txt").exits(10);
        // The question in a row is the name of the graph.
        let rows = folder.run(&format!("sizes {word} -e binary --format csv")).text(0);
        assert!(rows.lines().nth(1).unwrap().contains(&word), "{rows}");
    }
}

/// Line of the index of a benchmark set.
#[derive(Debug, serde::Deserialize)]
struct Line {
    file: String,
    graph: String,
    question: String,
    encoding: String,
    variables: u32,
    clauses: u64,
    answer: String,
    verified: String,
    gbd_hash: String,
    command: String,
}

fn index(folder: &Path) -> Vec<Line> {
    let lines = csv::Reader::from_path(folder.join("index.csv")).unwrap().into_deserialize();
    lines.map(Result::unwrap).collect()
}

/// Returns the names and contents of all files below a folder.
fn contents(folder: &Path) -> BTreeSet<(String, Vec<u8>)> {
    let mut all = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            all.extend(contents(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            all.insert((name, fs::read(&path).unwrap()));
        }
    }
    all
}

#[test]
fn a_set_of_files_has_known_answers() {
    let folder = Place::new();
    let set = folder.path("set");
    folder
        .run("benchmark set --small -e binary,successor+parity --graphs")
        .begins(0, "set: 84 files, 38 satisfiable and 46 not, all verified: see set/index.csv");
    let lines = index(&set);
    let files: BTreeSet<_> = lines.iter().flat_map(|line| [line.file.clone(), line.graph.clone()]).collect();
    let there: BTreeSet<_> = contents(&set).into_iter().map(|(name, _)| name).collect();
    assert_eq!(there, files.into_iter().chain(["index.csv".to_owned()]).collect());
    for kind in ["8x8", "cubic:", "petersen:", "threshold:", "mindeg2:", "flower:", "gnp:", "planar:", "bipartite:"] {
        assert!(lines.iter().any(|line| line.question.starts_with(kind)), "{kind}");
    }
    for line in lines.iter().filter(|line| line.encoding == "binary") {
        let text_of = fs::read_to_string(set.join(&line.file)).unwrap();
        assert!(text_of.contains(&format!("\np cnf {} {}\n", line.variables, line.clauses)), "{line:?}");
        // The command in the index generates the same file, and the hash in the index is the hash of the file.
        let command = line.command.strip_prefix("hamcnf ").unwrap();
        let (command, file) = command.rsplit_once(" -o ").unwrap();
        assert_eq!(file, line.file);
        folder.run(command).prints(0, text_of);
        let hash = folder.run(&format!("{command} --gbd-hash")).text(0);
        assert_eq!(hash.trim_end(), line.gbd_hash);
        // The graph's file contains the graph that the question names.
        let (place, _) = line.question.split_once(" open").unwrap_or((&line.question, ""));
        let graph = folder.run(&format!("graph {place} --to dimacs")).text(0);
        assert_eq!(fs::read_to_string(set.join(&line.graph)).unwrap(), graph);
        // The answer of `solve` agrees with the index.
        let code = match line.answer.as_str() {
            "SAT" => 10,
            "UNSAT" => 20,
            other => panic!("{other}"),
        };
        run(&format!("solve '{}' -q", &line.question)).exits(code);
        let how = match code {
            10 => "all clauses hold on a tour",
            _ => "certificate checked: ",
        };
        assert!(line.verified.starts_with(how), "{line:?}");
    }
    // A second run with the same encodings generates the same bytes. The default, one encoding, gives fewer files.
    folder.run("benchmark again --small -e binary,successor+parity --graphs -q").exits(0);
    assert_eq!(contents(&set), contents(&folder.path("again")));
    let before = contents(&set);
    let refusal = folder.run("benchmark set --small").refused();
    assert_eq!(refusal, "\"set\" already has a benchmark set; use --fresh to replace it");
    assert_eq!(contents(&set), before);
    let json = folder.run("benchmark set --small --fresh --json").json(0);
    let lines = index(&set);
    assert_eq!((json.as_array().unwrap().len(), lines.len()), (42, 42));
    assert_eq!(json[0]["file"], lines[0].file.as_str());
    assert!(!set.join("graphs").exists());
    // No other file was written.
    let names: BTreeSet<_> = fs::read_dir(folder.dir()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["again", "set"].map(Into::into).into());
}

#[test]
fn the_whole_set_has_proofs_and_other_encodings() {
    let folder = Place::new();
    folder.run("benchmark set").exits(0).notes_only("");
    let lines = index(&folder.path("set"));
    for how in
        ["all clauses hold", "certificate checked: colours", "certificate checked: decomposition", "proof checked: "]
    {
        assert!(lines.iter().any(|line| line.verified.starts_with(how)), "{how}");
    }
    // If a tour does not determine all variables of a formula, a solver completes the model.
    folder.run("benchmark other --small -e counting,binary+at-most-one=ladder -q").exits(0);
    assert_eq!(index(&folder.path("other")).len(), 84);
}
