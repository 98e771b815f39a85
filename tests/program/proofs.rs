//! Proofs that no tour exists, by every strategy. The checkers must accept these proofs. Also tests changed proofs.

use hamcnf::method::Method;
use hamcnf::proof::Target;
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::run::Settings;

use crate::command::*;

/// Methods that prove that there is no tour. `EAGER` solves all clauses. `LAZY` uses lazy constraints or the
/// propagator. Both write LRAT and DRAT proofs. `REASON` writes a certificate.
const EAGER: [&str; 2] = ["prove+form=lrat:precedence", "prove:precedence"];
const LAZY: [&str; 4] = ["prove", "prove+form=lrat", "prove+by=propagator", "prove+by=propagator+form=lrat"];
const REASON: &str = "prove+by=certificate";

fn proved(question: &str, method: &str) -> String {
    let asked = Question::load(question).unwrap();
    let how: Method = method.parse().unwrap();
    assert_eq!(how.to_string(), method);
    let answered = how.answer(&asked, &Settings::default());
    let record = answered;
    assert_eq!(record.status, Status::NoTour, "{question} {method}: {}", record.message);
    let bytes = record.statistics.get::<u64>("proof.bytes");
    assert!(bytes.is_some_and(|bytes| bytes > 0), "{question} {method}");
    format!("{question} {method}: {bytes:?} bytes")
}

fn hold(questions: &[&str], methods: &[&str]) {
    for question in questions {
        for method in methods {
            proved(question, method);
        }
    }
}

#[test]
fn small_boards_have_proofs_of_every_kind() {
    let boards = [
        "3x3",
        "3x4",
        "3x5",
        "3x6",
        "3x7",
        "3x8",
        "3x9",
        "4x4",
        "4x5",
        "4x6",
        "4x7",
        "4x8",
        "5x5",
        "3x4 open from b1",
        "4x4 open from a1",
        "4x4 open from anywhere",
        "5x5 open from b1",
        "3x3 open from a1 to c3",
        "8x8-a1-c1",
    ];
    let by_reason: Vec<&str> = boards.iter().copied().filter(|board| !board.starts_with("3x4 open")).collect();
    // If two squares of one colour are missing, resolution has no short proof, because it cannot count.
    let by_clauses: Vec<&str> = boards[..boards.len() - 1].to_vec();
    hold(&by_clauses, &EAGER);
    hold(&by_clauses, &LAZY);
    hold(&by_reason, &[REASON]);
}

#[test]
fn published_encodings_have_proofs() {
    let encodings = [
        "direct",
        "unary",
        "binary",
        "counting",
        "successor",
        "espresso",
        "lfsr",
        "successor+parity+two-cycles",
        "precedence+orientation=fixed",
        "unary+windows=full",
    ];
    for encoding in encodings {
        for board in ["3x4", "4x4", "petersen:5:2"] {
            proved(board, &format!("prove+form=lrat:{encoding}"));
            proved(board, &format!("prove:{encoding}"));
        }
    }
    proved("4x4", "prove+form=lrat:step");
}

#[test]
fn graphs_without_a_cycle_have_proofs_of_every_kind() {
    let graphs = [
        "petersen:5:2",
        "petersen:11:2",
        "petersen:17:2",
        "flower:5",
        "flower:7",
        "snark:blanusa-1",
        "snark:double-star",
    ];
    hold(&graphs, &EAGER);
    hold(&graphs, &LAZY);
    hold(&graphs, &[REASON]);
    hold(&["petersen:47:2", "flower:11"], &[REASON]);
    hold(&["petersen:23:2"], &EAGER);
}

/// Tests that the clauses of the propagator are derived in two cases: if edges must be counted, and if a variable
/// replaces the literals of a long clause.
#[test]
fn what_the_propagator_says_of_many_edges_is_derived() {
    let propagator = ["prove+by=propagator", "prove+by=propagator+form=lrat"];
    hold(&["7x7-a1-a2-b3"], &propagator);
}

/// Tests a board for which a proof of 29.6 GB has been reported.
#[test]
fn the_leaper_has_no_open_tour() {
    for form in ["", "+form=lrat"] {
        proved("leaper:1,4:11x11 open from anywhere", &format!("prove{form}"));
    }
}

/// Tests proofs by counting, for colours, components and missing 2-factors. With definitions, the proofs grow
/// polynomially with the board. Resolution alone has no proofs of feasible size for the larger boards.
#[test]
fn what_is_counted_has_a_proof_by_definitions() {
    let steps = |question: &str, method: &str| {
        let how: Method = method.parse().unwrap();
        let answered = how.answer(&Question::load(question).unwrap(), &Settings::default());
        let record = answered;
        assert_eq!(record.status, Status::NoTour, "{question}: {}", record.message);
        record.statistics.get::<u64>("proof.steps").unwrap()
    };
    for (question, most) in [
        ("3x3", 1),
        ("4x4", 200),
        ("4x8", 1000),
        ("4x20", 4000),
        ("5x5", 1000),
        ("7x7", 6000),
        ("9x9", 40_000),
        ("8x8-a1-c1", 15_000),
        ("5x5 open from b1", 1000),
        ("5x5 open from a1 to b1", 1500),
        ("8x8-a1-c1-e1 open from anywhere", 15_000),
        ("4x4 open from a1", 300),
    ] {
        let clauses = steps(question, "prove+by=counting");
        assert!(clauses <= most, "{question}: {clauses}");
        // In LRAT, every step must name the clauses from which it follows.
        let explained = steps(question, "prove+by=counting+form=lrat");
        assert!(explained <= most + most / 10, "{question}: {explained}");
    }
    assert!(steps("9x9", "prove+by=counting+form=pbp") <= 41);
    let nothing: Method = "prove+by=counting".parse().unwrap();
    for question in ["petersen:5:2", "3x8", "5x6"] {
        let record = nothing.answer(&Question::load(question).unwrap(), &Settings::default());
        assert_eq!(record.status, Status::GaveUp, "{question}");
    }
}

/// Tests counting proofs for components of several vertices, so that several arcs lead from one hub to one component.
/// Without its hubs, each graph falls into cliques of up to three vertices: more components than a tour can visit.
#[test]
fn parts_of_several_vertices_are_counted_by_definitions() {
    let place = Place::new();
    let mut random = 1u64;
    let mut below = |most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % most
    };
    for k in 0..60 {
        let hubs = 2 + below(3);
        let mut n = hubs;
        let mut edges = vec![(0, 1)];
        for _ in 0..=hubs + 1 {
            let size = 1 + below(3);
            for v in n..n + size {
                edges.extend((n..v).map(|w| (w, v)));
                // Each vertex has two edges to the hubs, so that no simpler obstruction exists.
                let first = below(hubs);
                edges.push((first, v));
                edges.push(((first + 1 + below(hubs - 1)) % hubs, v));
            }
            n += size;
        }
        let file = place.path(format!("{k}.txt"));
        place.write(&format!("{k}.txt"), edges.iter().map(|(a, b)| format!("{a} {b}\n")).collect::<String>());
        for ends in ["", " open from 0"] {
            let question = format!("{}{ends}", file.display());
            proved(&question, "prove+by=counting");
            proved(&question, "prove+by=counting+form=lrat");
        }
        // The proof of a question is always the same.
        if k < 12 {
            let question = file.display().to_string();
            let written = ["a.lrat", "b.lrat"].map(|name| {
                place.run(&format!("solve {question} --proof {name}")).exits(20);
                place.read(name)
            });
            assert!(written[0] == written[1], "{question}");
        }
    }
}

#[test]
fn hubs_are_counted() {
    // The graph has a vertex of high degree: two wheels that share only their hub.
    let mut text = String::from("p edge 17 32\n");
    for rim in 0..2 {
        for k in 0..8 {
            let at = |k: u32| 2 + rim * 8 + k % 8;
            text += &format!("e 1 {}\ne {} {}\n", at(k), at(k), at(k + 1));
        }
    }
    let place = Place::with("hub.txt", text);
    let question = place.path("hub.txt").display().to_string();
    for method in EAGER.iter().chain(&LAZY).chain([&REASON]) {
        proved(&question, method);
    }
}

#[test]
fn what_has_a_tour_has_no_proof() {
    for method in EAGER.iter().chain(&LAZY).chain([&REASON]) {
        let asked = Question::load("5x6").unwrap();
        let how: Method = method.parse().unwrap();
        let record = how.answer(&asked, &Settings::default());
        assert!(
            matches!(record.status, Status::Tour | Status::GaveUp),
            "{method}: {:?} {}",
            record.status,
            record.message
        );
    }
}

#[test]
fn words_are_read_back() {
    for text in [
        "prove",
        "prove+by=propagator",
        "prove+by=counting",
        "prove+by=counting+form=pbp",
        "prove+by=certificate",
        "prove:unary",
        "prove+form=lrat:unary",
        "prove+form=lrat",
        "prove+by=counting+form=lrat",
    ] {
        assert_eq!(text.parse::<Method>().unwrap().to_string(), text);
    }
    for wrong in [
        "prove+by=propagator:unary",
        "prove+by=me",
        "prove+form=cert",
        "prove+by=certificate+form=lrat",
        "prove+threads=2",
    ] {
        assert!(wrong.parse::<Method>().is_err(), "{wrong}");
    }
}

#[test]
fn solve_writes_and_verify_reads_every_form() {
    let place = Place::new();
    for (question, options, file) in [
        ("4x5", "-e successor", "a.drat"),
        ("4x5", "-e unary", "a.lrat"),
        ("4x5", "-e direct", "a.drat.gz"),
        ("4x5", "-e relaxed", "b.drat"),
        ("4x5", "-e relaxed", "b.lrat"),
        ("9x9", "", "b.lrat.gz"),
        ("petersen:11:2", "--method lazy", "c.lrat"),
        ("4x5", "", "c.drat.zst"),
        ("petersen:5:2", "--method propagator", "d.drat"),
        ("4x4 --open", "-e binary", "e.lrat.gz"),
        ("4x4 --open --from anywhere", "", "f.drat"),
    ] {
        let files = format!("--proof {file} --cnf f.cnf");
        let solved = place.run(&format!("solve {question} {options} {files}"));
        assert!(solved.exits(20).all().contains("steps"), "{solved:?}");
        // The header of the formula names the question and the encoding.
        for question in ["", question] {
            place.run(&format!("verify {question} {files}")).begins(0, "verified: there is no");
        }
    }
    // Proof steps alone name neither the question nor the encoding.
    let solved = place.run("solve 4x5 -e unary --proof g.lrat");
    assert!(solved.exits(20).all().contains("hamcnf verify '4x5' -e unary --proof g.lrat"), "{solved:?}");
    place
        .run("solve petersen -e edges --proof e.lrat")
        .and("the proof also derives subtour-elimination constraints, from the encoding precedence")
        .and(" cuts\n");
    let how = "type the question, as in `hamcnf verify BOARD|GRAPH --proof g.lrat`, or pass a formula that names the question with --cnf FILE";
    place.run("verify --proof g.lrat").exits(2).notes(how);
    place.run("encode 4x5 -e unary -o g.cnf").exits(0);
    place.run("verify --proof g.lrat").notes("or pass the formula with --cnf g.cnf");
    // A formula that `encode` writes names both, too.
    place.run("verify --proof g.lrat --cnf g.cnf").exits(0);
    // A formula of another question is reported before the proof is checked.
    place.run("encode 4x7 -e unary -o h.cnf").exits(0);
    place.run("verify --proof g.lrat --cnf h.cnf").exits(1);
    let clauses = place.read("g.cnf");
    place.write("h.cnf", clauses.replace("question 4x5", "question 4x7"));
    place.run("verify --proof g.lrat --cnf h.cnf").says(1, "of h.cnf differs from clause");
    // A formula with a changed clause is rejected.
    place.write("g.cnf", clauses.replace("\n1 2 0\n", "\n1 2 3 0\n"));
    let differs = "clause 1 of g.cnf differs from clause 1 of the encoding \"unary\"";
    place.run("verify --proof g.lrat --cnf g.cnf").says(1, differs);
    place.run("verify 4x5 -e unary --proof g.lrat").exits(0);
    place.run("verify 4x5 -e direct --proof g.lrat").exits(1);
}

/// Tests that proofs delete the temporary clauses of a derivation and the clauses that a solver has dropped. Checkers
/// take longer if they must keep more clauses.
#[test]
fn proofs_delete_what_is_needed_no_more() {
    let place = Place::new();
    for question in ["petersen:11:2 --method propagator", "petersen:11:2 -e successor", "4x4 --open"] {
        for form in ["drat", "lrat"] {
            place.run(&format!("solve -q {question} --proof p.{form}")).exits(20);
            let (mut added, mut deleted) = (0, 0);
            for line in place.read(format!("p.{form}")).lines() {
                let mut words = line.split(' ').skip(usize::from(form == "lrat"));
                match (words.next(), form) {
                    (Some("d"), "lrat") => deleted += words.count() - 1,
                    (Some("d"), _) => deleted += 1,
                    _ => added += 1,
                }
            }
            assert!(3 * deleted > added, "{question} {form}: {deleted} of {added}");
        }
    }
}

#[test]
fn a_proof_is_about_what_encode_writes() {
    let place = Place::new();
    place.run("solve 4x5 -e unary --proof p.drat --cnf p.cnf").exits(20);
    place.run("encode 4x5 -e unary -o e.cnf").exits(0);
    let clauses = |file: &str| -> Vec<String> {
        place.read(file).lines().filter(|line| !line.starts_with('c')).map(str::to_owned).collect()
    };
    assert_eq!(clauses("p.cnf"), clauses("e.cnf"));
}

#[test]
fn a_changed_proof_is_rejected_or_harmless() {
    let place = Place::new();
    place.run("solve 3x4 -e relaxed --proof p.drat --cnf p.cnf").exits(20);
    let [proof, formula] = ["p.drat", "p.cnf"].map(|file| place.read(file));
    assert!(proof.lines().all(|line| !line.starts_with('c')), "checkers take no comments");
    let verify = |text: &str| {
        place.write("q.drat", text);
        place.run("verify 3x4 --proof q.drat")
    };
    verify(&proof).exits(0);
    // Proofs of other programs may contain comments, which name no question.
    verify(&format!("c question 3x6\n{proof}")).exits(0);
    place.run("verify --proof q.drat").notes("q.drat does not name its question");
    // A formula whose comments name another question or encoding is refused.
    for (from, to) in [
        ("question 3x4", "question 3x6"),
        ("encoding precedence", "encoding nothing"),
        ("encoding precedence", "encoding relaxed"),
    ] {
        assert!(formula.contains(from));
        place.write("q.cnf", formula.replace(from, to));
        place.run("verify 3x4 --proof p.drat --cnf q.cnf").exits(2);
    }
    // A proof without its end is rejected.
    let lines: Vec<&str> = proof.lines().collect();
    let last = lines.iter().rposition(|line| *line == "0").unwrap();
    verify(&(lines[..last].join("\n") + "\n")).exits(1);
    // The empty clause alone is rejected, because it does not follow in one step.
    verify("0\n").exits(1);
    // One step is removed. An accepted proof is harmless, because its claim is true anyway; otherwise the error names a
    // step.
    let mut rejected = 0;
    for k in (0..lines.len()).filter(|&k| lines[k] != "0") {
        let output = verify(&([&lines[..k], &lines[k + 1..]].concat().join("\n") + "\n"));
        if output.code() != Some(0) {
            rejected += 1;
            output.says(1, "step");
        }
    }
    assert!(rejected > 0);
    // The proof is rejected for a board that has a tour.
    place.run("verify 5x6 --proof p.drat").exits(1);
}

#[test]
fn mistakes_are_one_line() {
    let place = Place::new();
    for (args, line) in [
        ("solve 3x4 --proof p", "does not end in the extension of a proof format"),
        ("solve 3x4 --proof p.pbp --binary", "no binary format"),
        ("solve 3x4 --proof p.cert --binary", "has no binary format and no clauses"),
        ("solve 3x4 --binary", "--proof"),
        ("solve 3x4 --proof none/p.drat", "none/p.drat"),
        ("solve 3x4 --proof p.drat --cnf ./p.drat", "--proof and --cnf name the same file"),
        ("verify 3x4 --proof p.drat", "cannot read p.drat"),
        ("verify 3x4 -e unary --proof p.cert", "--encoding"),
        ("solve 3x4 --proof p.drat --method backtrack", "writes no DRAT, LRAT or VeriPB proof"),
        ("solve 8x8 --number 3 --proof p.drat", "writes no DRAT, LRAT or VeriPB proof"),
    ] {
        place.run(args).refuses(line);
    }
    // If a tour exists, neither a proof nor clauses are written.
    assert!(place.run("solve 8x8 --proof p.drat").exits(10).all().contains("there is a tour"));
    place.run("solve 6x6 -e binary --proof p.drat --cnf p.cnf").exits(10);
    assert_eq!(place.names(""), [""; 0]);
}

#[test]
fn clauses_that_would_not_fit_are_not_kept() {
    let settings = Settings { memory: Some(1 << 12), ..Settings::default() };
    let answer = |method: &str| {
        let method: Method = method.parse().unwrap();
        method.answer(&Question::load("4x6").unwrap(), &settings)
    };
    let lrat = answer("prove+form=lrat");
    let instead = "write DRAT instead (--proof FILE.drat), which keeps no clauses";
    assert_eq!(lrat.status, Status::Refused);
    assert!(lrat.message.contains(instead), "{}", lrat.message);
    assert_eq!(answer("prove").status, Status::NoTour);
    // If the answer is known by other means, only the proof is missing, not the answer.
    let place = Place::new();
    let file = place.path("p.lrat");
    let settings = Settings { proof: Some(Target::new(file, false, None).unwrap()), ..settings };
    let auto: Method = "auto".parse().unwrap();
    let answered = auto.answer(&Question::load("4x6").unwrap(), &settings);
    assert_eq!(answered.status, Status::NoTour);
    let why = answered.result.evidence.unwrap().unwrap_err().to_string();
    assert!(why.contains(instead), "{why}");
    assert!(!place.has("p.lrat"));
}

/// Tests that one setting covers all formats: the name of the file determines the format, and the pipeline writes the
/// proof.
#[test]
fn every_form_is_one_setting() {
    let place = Place::new();
    let ask = |question: &str, method: &str, file: &str| {
        let proof = Some(Target::new(place.path(file), false, None).unwrap());
        let method: Method = method.parse().unwrap();
        method.answer(&Question::load(question).unwrap(), &Settings { proof, ..Settings::default() })
    };
    for (method, ending) in [
        ("auto", "cert"),
        ("auto", "cert.gz"),
        ("auto", "drat"),
        ("lazy", "lrat"),
        ("binary", "drat.zst"),
        ("relaxed", "pbp"),
        // Every method that answers "no tour" can have a certificate.
        ("backtrack", "cert"),
        ("binary", "cert"),
        ("relaxed", "cert"),
        ("decomposition", "cert"),
        ("prove+form=lrat", "cert"),
        ("prove+by=certificate", "cert"),
    ] {
        let file = format!("{method}.{ending}");
        let answered = ask("3x6", method, &file);
        let record = &answered;
        assert_eq!(record.status, Status::NoTour, "{method} {}", record.message);
        let information = answered.result.evidence.unwrap().unwrap();
        let steps = !ending.starts_with("cert");
        assert_eq!(information.encoding.is_some(), steps, "{method} {ending}");
        assert_eq!(information.size.additions > 0, steps, "{method} {ending}");
        let bytes = place.path(&file).metadata().unwrap().len();
        let compressed = ending.contains('.');
        assert!(compressed || bytes == information.size.bytes, "{method}");
        let encoding = information.encoding.map(|encoding| format!("-e {encoding}"));
        place.run(&format!("verify 3x6 {} --proof {file}", encoding.unwrap_or_default())).exits(0);
    }
    // If a tour exists, no proof is written. Methods that cannot write proof steps refuse the request.
    for (question, method, file, status) in
        [("5x6", "auto", "tour.cert", Status::Tour), ("3x6", "backtrack", "steps.drat", Status::Refused)]
    {
        let answered = ask(question, method, file);
        assert_eq!(answered.status, status);
        assert!(answered.result.evidence.is_none() && !place.has(file));
    }
}

/// Tests that an answer is kept if its proof fails, unless the proof decides the answer.
#[test]
fn an_answer_stays_where_its_proof_fails() {
    let place = Place::new();
    std::os::unix::fs::symlink("/dev/full", place.path("full.drat")).unwrap();
    for question in ["petersen:17:2", "4x6"] {
        place
            .run(&format!("solve {question} --proof full.drat"))
            .says(20, "there is no tour")
            .notes("was not written")
            .notes("No space left");
        assert_eq!(place.names(""), ["full.drat"]);
    }
    for args in ["solve 4x7 -e precedence --proof full.drat", "solve 4x4 -e precedence --proof full.drat --cnf q.cnf"] {
        place.run(args).exits(2).notes("No space left");
        assert_eq!(place.names(""), ["full.drat"]);
    }
}

#[test]
fn a_proof_is_of_the_graph_that_it_names() {
    let place = Place::with("graph.edges", "1 2\n1 3\n1 4\n");
    for files in ["p.drat --cnf p.cnf", "p.pbp"] {
        place.run(&format!("solve graph.edges -e precedence --proof {files}")).exits(20);
    }
    place.run("verify --proof p.drat --cnf p.cnf").exits(0);
    place.run("verify --proof p.pbp").exits(0);
    // The file contains the same graph, but its name differs.
    place.write("same.edges", "1 2\n3 1\n4 1\n");
    place.run("verify same.edges --proof p.drat").exits(0);
    place.write("graph.edges", "1 2\n2 3\n2 4\n");
    for proof in ["--proof p.drat --cnf p.cnf", "--proof p.pbp"] {
        for graph in ["", "graph.edges"] {
            place.run(&format!("verify {graph} {proof}")).exits(2).notes("another graph");
        }
    }
}

/// Tests the exit code if a required proof is missing. Also tests that the message names an available format.
#[test]
fn a_missing_proof_is_said() {
    let place = Place::new();
    std::os::unix::fs::symlink("/dev/full", place.path("full.drat")).unwrap();
    let instead = "write a certificate of a few lines instead: --proof FILE.cert";
    place.run("solve 4x6 --proof full.drat").exits(20).notes(instead);
    place.run("solve 4x6 --proof full.drat --require-proof").exits(1);
    place.run("solve 4x6 --proof p.drat --require-proof").exits(20);
    // Graphs with one or two vertices have proofs in all formats.
    place.write("two.col", "p edge 2 1\ne 1 2\n");
    for graph in ["1x1", "two.col"] {
        for file in ["few.drat", "few.lrat", "few.pbp", "few.cert"] {
            place.run(&format!("solve {graph} --proof {file} --require-proof")).exits(20);
            place.run(&format!("verify {graph} --proof {file}")).exits(0);
        }
    }
    // A wide graph has no certificate, and the message says so for every requested format.
    let wide = "solve cubic:2000:1+no-cycle+relabel=5 --proof";
    let instead = "try DRAT (--proof FILE.drat), which exists for every graph";
    place.run(&format!("{wide} w.cert --require-proof")).exits(1).notes(instead);
    // Nor does the message about the steps name a certificate, even if the search for one is stopped.
    let output = place.run(&format!("{wide} full.drat"));
    output.exits(20).notes("full.drat was not written: there is no tour");
    assert!(!output.all().contains(".cert"), "{output:?}");
}
