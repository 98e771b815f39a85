//! Graphs given by the names of their families: with blanks, without a seed, with or without a cycle, and relabelled.
//! Also tests the benchmark set: files with known answers, generated from such names.

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
fn families_are_written_as_in_cnfgen_and_their_seeds_are_kept() {
    let by_marks = run("encode gnp:30,0.2:7 -e successor").text(0);
    for spaced in ["gnp 30 .2 7", "gnp 30 0.2 7", "gnp 30 , .2 : 7", "gnp : 30 .2 7"] {
        run(&format!("encode '{spaced}' -e successor")).prints(0, &by_marks);
    }
    for missing in ["gnp:: 30 .2 7", "gnp 30 , , .2 7", "gnp 30 .2 7 :"] {
        run(&format!("encode '{missing}' -e successor")).refuses("does not have the form gnp:");
    }
    // The seed may be given as an option, or omitted. The file always records the seed, and the recorded question gives
    // the same file.
    run("encode 'gnp 30 .2' -e successor --seed 7").prints(0, &by_marks);
    let unsaid = run("encode 'gnp 30 .2' -e successor").text(0);
    assert_ne!(unsaid, by_marks);
    for (file, seed) in [(&by_marks, 7), (&unsaid, 0)] {
        let question = comment(file, "question ");
        assert_eq!(question, format!("gnp:30,0.2:{seed}"));
        run(&format!("encode '{}' -e '{}'", question, comment(file, "encoding "))).prints(0, file);
    }
    run("encode cubic:20").prints(0, run("encode cubic:20:0").text(0));
    run("graph 'gnp 30 .2 planted' --seed 3 --to dimacs")
        .prints(0, run("graph gnp:30,0.2:3+planted --to dimacs").text(0));
    for (args, said) in [
        ("encode cubic:20:1 --seed 3", "\"cubic:20:1\" already has a seed; --seed is only for"),
        ("encode 8x8 --seed 3", "\"8x8\" is not random; --seed is only for"),
        ("graph 'grid 4 4' --seed 3", "\"grid:4x4\" is not random"),
        ("encode 'gnp 30 .2' --seed x", "invalid value \"x\" for \"--seed <SEED>\": it must be a whole number"),
        ("encode 'gnp 30 .2 7 8'", "\"gnp 30 .2 7 8\" does not have the form gnp:VERTICES,P:SEED"),
        ("encode 'gnp 30'", "\"gnp 30\" does not have the form gnp:VERTICES,P:SEED"),
    ] {
        run(args).refused_with(said);
    }
    // Whole questions about graphs of families work, too.
    run("solve 'gnp 30 .3 7 open from 3 to 9'").begins(10, "gnp:30,0.3:7, open tours, start 3");
}

#[test]
fn families_know_graphs_with_a_cycle_and_without() {
    for family in ["gnp:24,0.12", "random:24:40", "cubic:24", "bipartite:12,12,0.2", "threshold:24"] {
        for seed in 1..4 {
            let seeded = format!("{family}:{seed}");
            if family != "threshold:24" {
                run(&format!("solve {seeded}+planted")).exits(10);
            }
            run(&format!("solve {seeded}+no-cycle")).exits(20);
        }
    }
    for word in [
        "random:24:24:1+planted",
        "random:9:36:1+planted",
        "threshold:60:1+planted",
        "bipartite:2,2,0:1+planted",
        "gnp:3,0:1+planted",
        "cubic:4:1+planted",
    ] {
        run(&format!("solve {word}")).exits(10);
    }
    for word in [
        "planar:11:1+no-cycle",
        "planar:12:1+no-cycle",
        "planar:40:3+no-cycle",
        "cubic:12:1+no-cycle",
        "cubic:60:1+no-cycle",
        "bipartite:6,7,0.9:1+no-cycle",
        "bipartite:9,9,1:1+no-cycle",
        "gnp:9,1:1+no-cycle",
        "petersen:17:2+no-cycle",
        "petersen:8:4+no-cycle",
        "flower:7+no-cycle",
        "snark:blanusa-2+no-cycle",
        "grid:5x7+no-cycle",
        "grid:1x7+no-cycle",
    ] {
        run(&format!("solve {word}")).exits(20);
    }
    for (word, said) in [
        ("petersen:7:2+no-cycle", "cannot generate \"petersen:7:2+no-cycle\": the graph has a Hamiltonian cycle"),
        ("grid:4x5+no-cycle", "cannot generate \"grid:4x5+no-cycle\": the graph has a Hamiltonian cycle"),
        (
            "petersen:7:2+planted",
            "the family \"petersen\" does not support +planted; use cubic, gnp, random, threshold, bipartite",
        ),
        ("torus:5x5+no-cycle", "the family \"torus\" does not support +no-cycle; use cubic, gnp, "),
        ("mindeg2:30:50:1+planted", "the family \"mindeg2\" does not support +"),
        ("planar:10:1+no-cycle", "with +no-cycle, the number of vertices must be from 11"),
        ("cubic:10:1+no-cycle", "must be even, from 12 to"),
        ("random:30:20:1+planted", "a Hamiltonian cycle has 30 edges, but the graph would have only 20 edges"),
        ("bipartite:5,6,0.5:1+planted", "the same number of vertices"),
        ("gnp:2,0.5:1+planted", "at least 3 vertices"),
        ("gnp:9,0.5:1+planted+planted", "+planted and +planted exclude each other; remove one of them"),
        ("8x8+planted", "\"8x8+planted\" is neither a board"),
    ] {
        run(&format!("solve {word}")).refuses(said);
    }
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
    let first = run("count 5x6").text(0);
    // Skips the graph's name, because it contains digits, too.
    let tours = |said: &str| -> Option<u64> {
        let (_, count) = said.split_once(": ")?;
        count.split(' ').next()?.parse().ok()
    };
    let other = run("count 5x6+relabel=3").text(0);
    assert_eq!(tours(&first), Some(8), "{first}");
    assert_eq!(tours(&first), tours(&other), "{first} {other}");
    // Proofs and searches work on relabelled graphs, too.
    let proof = folder.path("p.cert");
    run(&format!("solve petersen:11:2+relabel=4 --proof {}", proof.display())).exits(20);
    run(&format!("verify petersen:11:2+relabel=4 --proof {}", proof.display())).exits(0);
    run("tour 6x6+relabel=3").exits(10);
    // A graph from standard input can be relabelled.
    let graph = run("graph petersen:7:2 --to dimacs").text(0);
    feed("solve dimacs:-+relabel=3", graph).exits(10);
    for (word, said) in [
        ("8x8+relabel=x", "\"8x8+relabel=x\": \"x\" is not a seed for relabel; write a whole number"),
        ("8x8+relabel=", "\"8x8+relabel=\": \"\" is not a seed for relabel"),
        ("nothing.col+relabel=3", "\"nothing.col\" is neither a board"),
        ("8x8+relabel=3+leaper", "\"8x8+leaper\" is neither"),
    ] {
        run(&format!("solve {word}")).refused_with(said);
    }
    run("solve 8x8+relabel=3 --from a1").refused_with("\"a1\" is not a vertex of 8x8+relabel=3");
    run("solve 8x8+relabel=3 --leaper 2,3 -q").exits(20);
}

#[test]
fn experiments_and_workers_know_the_words() {
    let folder = Place::new();
    let experiment = "
        title = \"Words\"
        about = \"Families and labels.\"
        seeds = [1]
        time_limit = 600
        expect = \"tour\"
        questions = [\"5x6+relabel=2\", \"gnp 20 .2 3 planted\", \"cubic:20:1+planted+relabel=3\"]
        methods = [\"binary\"]
    ";
    folder.write("words.toml", experiment);
    folder.run("run words.toml -q").exits(0);
    let rows = folder.read("results/words.csv");
    for question in ["5x6+relabel=2", "\"gnp:20,0.2:3+planted\"", "cubic:20:1+planted+relabel=3"] {
        assert!(rows.contains(&format!(",{question},")), "{rows}");
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
fn a_folder_with_something_else_in_it_is_left_alone() {
    let folder = Place::new();
    fs::create_dir(folder.path("mine")).unwrap();
    folder.write("mine/precious", "x");
    folder.write("file", "x");
    fs::create_dir(folder.path("empty")).unwrap();
    folder.run("benchmark empty --small -q").exits(0);
    folder.write("empty/notes.txt", "x");
    for (args, said) in [
        ("benchmark mine --small", "\"mine\" is not empty and is not a benchmark set"),
        ("benchmark mine --small --fresh", "\"mine\" is not empty and is not a benchmark set"),
        ("benchmark empty --small --fresh", "\"empty\" contains \"notes.txt\", which is not part of the benchmark set"),
        ("benchmark file --small", "\"file\" exists and is not a folder"),
        ("benchmark . --small --fresh", "the command cannot replace the folder \".\" from inside"),
        ("benchmark nowhere/set --small", "cannot write nowhere/set"),
        ("benchmark new --small -e relaxed", "encoding \"relaxed\" is relaxed, so its formula may be satisfiable"),
        ("benchmark new --small -e binary+phases=walk", "phases"),
        ("benchmark new --small -e binary,binary", "--encoding names \"binary\" twice"),
        (
            "benchmark new --small -e binray",
            "invalid value \"binray\" for \"--encoding <ENCODING>\" [possible values: direct,",
        ),
    ] {
        let refusal = folder.run(args).refused();
        assert!(refusal.starts_with(said) || refusal.contains("phases"), "{args}: {refusal}");
    }
    assert_eq!(folder.read("mine/precious"), "x");
    assert!(!folder.has("new"));
    let left = folder.names("").len();
    assert_eq!(left, 3);
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
    folder.run("benchmark other --small -e counting,unary+at-most-one=ladder -q").exits(0);
    assert_eq!(index(&folder.path("other")).len(), 84);
}
