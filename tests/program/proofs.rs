//! Proofs that no tour exists, by every strategy. The checkers must accept these proofs. Also tests changed proofs.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use hamcnf::method::Method;
use hamcnf::proof::Target;
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::run::Settings;

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
    let record = answered.record;
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
        let record = answered.record;
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
        assert_eq!(record.record.status, Status::GaveUp, "{question}");
    }
}

/// Tests counting proofs for components of several vertices, so that several arcs lead from one hub to one component.
/// Without its hubs, each graph falls into cliques of up to three vertices: more components than a tour can visit.
#[test]
fn parts_of_several_vertices_are_counted_by_definitions() {
    let folder = tempfile::tempdir().unwrap();
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
        let file = folder.path().join(format!("{k}.txt"));
        let lines = edges.iter().map(|(a, b)| format!("{a} {b}\n"));
        fs::write(&file, lines.collect::<String>()).unwrap();
        for ends in ["", " open from 0"] {
            let question = format!("{}{ends}", file.display());
            proved(&question, "prove+by=counting");
            proved(&question, "prove+by=counting+form=lrat");
        }
        // The proof of a question is always the same.
        if k < 12 {
            let question = file.display().to_string();
            let written = ["a.lrat", "b.lrat"].map(|name| {
                let args = ["solve", &question, "--proof", name];
                assert_eq!(run(folder.path(), &args).status.code(), Some(20));
                fs::read(folder.path().join(name)).unwrap()
            });
            assert!(written[0] == written[1], "{question}");
        }
    }
}

#[test]
fn hubs_are_counted() {
    // The graph has a vertex of high degree: two wheels that share only their hub.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hub.txt");
    let mut text = String::from("p edge 17 32\n");
    for rim in 0..2 {
        for k in 0..8 {
            let at = |k: u32| 2 + rim * 8 + k % 8;
            text += &format!("e 1 {}\ne {} {}\n", at(k), at(k), at(k + 1));
        }
    }
    fs::write(&file, text).unwrap();
    let question = file.display().to_string();
    for method in EAGER.iter().chain(&LAZY).chain([&REASON]) {
        proved(&question, method);
    }
}

#[test]
fn what_has_a_tour_has_no_proof() {
    for method in EAGER.iter().chain(&LAZY).chain([&REASON]) {
        let asked = Question::load("5x6").unwrap();
        let how: Method = method.parse().unwrap();
        let record = how.answer(&asked, &Settings::default()).record;
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

fn run(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hamcnf"));
    command.args(args).current_dir(folder).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn solve_writes_and_verify_reads_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (question, options, file) in [
        (&["4x5"][..], &["-e", "successor"][..], "a.drat"),
        (&["4x5"], &["-e", "unary"], "a.lrat"),
        (&["4x5"], &["-e", "direct"], "a.drat.gz"),
        (&["4x5"], &["-e", "relaxed"], "b.drat"),
        (&["4x5"], &["-e", "relaxed"], "b.lrat"),
        (&["9x9"], &[], "b.lrat.gz"),
        (&["petersen:11:2"], &["--method", "lazy"], "c.lrat"),
        (&["4x5"], &[], "c.drat.zst"),
        (&["petersen:5:2"], &["--method", "propagator"], "d.drat"),
        (&["4x4", "--open"], &["-e", "binary"], "e.lrat.gz"),
        (&["4x4", "--open", "--from", "anywhere"], &[], "f.drat"),
    ] {
        let files = ["--proof", file, "--cnf", "f.cnf"];
        let solve = [&["solve"], question, options, &files].concat();
        let solved = run(at, &solve);
        assert_eq!(solved.status.code(), Some(20), "{}", said(&solved));
        assert!(said(&solved).contains("steps"), "{}", said(&solved));
        // The header of the formula names the question and the encoding.
        for verify in [[&["verify"], &files[..]].concat(), [&["verify"], question, &files].concat()] {
            let verified = run(at, &verify);
            assert_eq!(verified.status.code(), Some(0), "{verify:?} {}", said(&verified));
            assert!(said(&verified).starts_with("verified: there is no"));
        }
    }
    // Proof steps alone name neither the question nor the encoding.
    let solve = ["solve", "4x5", "-e", "unary", "--proof", "g.lrat"];
    let solved = run(at, &solve);
    assert_eq!(solved.status.code(), Some(20));
    let how = "hamcnf verify '4x5' -e unary --proof g.lrat";
    let relaxed = run(at, &["solve", "petersen", "-e", "edges", "--proof", "e.lrat"]);
    let printed = String::from_utf8_lossy(&relaxed.stdout);
    assert!(
        printed.contains("the proof also derives subtour-elimination constraints, from the encoding precedence"),
        "{printed}"
    );
    assert!(printed.contains(" cuts\n"), "{printed}");
    assert!(said(&solved).contains(how), "{}", said(&solved));
    let without = run(at, &["verify", "--proof", "g.lrat"]);
    assert_eq!(without.status.code(), Some(2), "{}", said(&without));
    let mend = "type the question, as in `hamcnf verify BOARD|GRAPH --proof g.lrat`, or pass a formula that names the question with --cnf FILE";
    assert!(said(&without).contains(mend), "{}", said(&without));
    run(at, &["encode", "4x5", "-e", "unary", "-o", "g.cnf"]);
    let without = run(at, &["verify", "--proof", "g.lrat"]);
    assert!(said(&without).contains("or pass the formula with --cnf g.cnf"), "{}", said(&without));
    // A formula that `encode` writes names both, too.
    let formula = run(at, &["verify", "--proof", "g.lrat", "--cnf", "g.cnf"]);
    assert_eq!(formula.status.code(), Some(0), "{}", said(&formula));
    // A formula of another question is reported before the proof is checked.
    run(at, &["encode", "4x7", "-e", "unary", "-o", "h.cnf"]);
    let other = run(at, &["verify", "--proof", "g.lrat", "--cnf", "h.cnf"]);
    assert_eq!(other.status.code(), Some(1), "{}", said(&other));
    let head = fs::read_to_string(at.join("g.cnf")).unwrap();
    fs::write(at.join("h.cnf"), head.replace("question 4x5", "question 4x7")).unwrap();
    let other = run(at, &["verify", "--proof", "g.lrat", "--cnf", "h.cnf"]);
    assert_eq!(other.status.code(), Some(1), "{}", said(&other));
    assert!(said(&other).contains("of h.cnf differs from clause"), "{}", said(&other));
    // A formula with a changed clause is rejected.
    let clauses = fs::read_to_string(at.join("g.cnf")).unwrap();
    fs::write(at.join("g.cnf"), clauses.replace("\n1 2 0\n", "\n1 2 3 0\n")).unwrap();
    let changed = run(at, &["verify", "--proof", "g.lrat", "--cnf", "g.cnf"]);
    assert_eq!(changed.status.code(), Some(1), "{}", said(&changed));
    assert!(
        said(&changed).contains("clause 1 of g.cnf differs from clause 1 of the encoding \"unary\""),
        "{}",
        said(&changed)
    );
    let with = run(at, &["verify", "4x5", "-e", "unary", "--proof", "g.lrat"]);
    assert_eq!(with.status.code(), Some(0), "{}", said(&with));
    let other = run(at, &["verify", "4x5", "-e", "direct", "--proof", "g.lrat"]);
    assert_eq!(other.status.code(), Some(1), "{}", said(&other));
}

/// Tests that proofs delete the temporary clauses of a derivation and the clauses that a solver has dropped. Checkers
/// take longer if they must keep more clauses.
#[test]
fn proofs_delete_what_is_needed_no_more() {
    let folder = tempfile::tempdir().unwrap();
    for question in ["petersen:11:2 --method propagator", "petersen:11:2 -e successor", "4x4 --open"] {
        for form in ["drat", "lrat"] {
            let file = format!("{question}.{form}").replace(' ', "_");
            let asked = question.split(' ');
            let args: Vec<&str> = ["-q", "solve"].into_iter().chain(asked).collect();
            run(folder.path(), &[&args[..], &["--proof", &file]].concat());
            let text = fs::read_to_string(folder.path().join(&file)).unwrap();
            let (mut added, mut deleted) = (0, 0);
            for line in text.lines() {
                let mut words = line.split(' ').skip(usize::from(form == "lrat"));
                match (words.next(), form) {
                    (Some("d"), "lrat") => deleted += words.count() - 1,
                    (Some("d"), _) => deleted += 1,
                    _ => added += 1,
                }
            }
            assert!(3 * deleted > added, "{file}: {deleted} of {added}");
        }
    }
}

#[test]
fn a_proof_is_about_what_encode_writes() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let solve = ["solve", "4x5", "-e", "unary", "--proof", "p.drat", "--cnf", "p.cnf"];
    assert_eq!(run(at, &solve).status.code(), Some(20));
    assert!(run(at, &["encode", "4x5", "-e", "unary", "-o", "e.cnf"]).status.success());
    let clauses = |file: &str| -> Vec<String> {
        let text = fs::read_to_string(at.join(file)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('c'));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(clauses("p.cnf"), clauses("e.cnf"));
}

#[test]
fn a_changed_proof_is_rejected_or_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let solve = ["solve", "3x4", "-e", "relaxed", "--proof", "p.drat", "--cnf", "p.cnf"];
    assert_eq!(run(at, &solve).status.code(), Some(20));
    let [proof, formula] = ["p.drat", "p.cnf"].map(|file| fs::read_to_string(at.join(file)).unwrap());
    assert!(proof.lines().all(|line| !line.starts_with('c')), "checkers take no comments");
    let verify = |text: &str| {
        fs::write(at.join("q.drat"), text).unwrap();
        run(at, &["verify", "3x4", "--proof", "q.drat"])
    };
    assert_eq!(verify(&proof).status.code(), Some(0));
    // Proofs of other programs may contain comments, which name no question.
    assert_eq!(verify(&format!("c question 3x6\n{proof}")).status.code(), Some(0));
    let unnamed = run(at, &["verify", "--proof", "q.drat"]);
    assert!(said(&unnamed).contains("q.drat does not name its question"), "{}", said(&unnamed));
    // A formula whose comments name another question or encoding is refused.
    for (from, to) in [
        ("question 3x4", "question 3x6"),
        ("encoding precedence", "encoding nothing"),
        ("encoding precedence", "encoding relaxed"),
    ] {
        assert!(formula.contains(from));
        fs::write(at.join("q.cnf"), formula.replace(from, to)).unwrap();
        let changed = run(at, &["verify", "3x4", "--proof", "p.drat", "--cnf", "q.cnf"]);
        assert_eq!(changed.status.code(), Some(2), "{}", said(&changed));
    }
    // A proof without its end is rejected.
    let lines: Vec<&str> = proof.lines().collect();
    let last = lines.iter().rposition(|line| *line == "0").unwrap();
    let cut = verify(&(lines[..last].join("\n") + "\n"));
    assert_eq!(cut.status.code(), Some(1), "{}", said(&cut));
    // The empty clause alone is rejected, because it does not follow in one step.
    let alone = verify("0\n");
    assert_eq!(alone.status.code(), Some(1), "{}", said(&alone));
    // One step is removed. An accepted proof is harmless, because its claim is true anyway; otherwise the error names a
    // step.
    let mut rejected = 0;
    for k in 0..lines.len() {
        if lines[k] == "0" {
            continue;
        }
        let left = [&lines[..k], &lines[k + 1..]].concat().join("\n") + "\n";
        let output = verify(&left);
        match output.status.code() {
            Some(0) => {}
            Some(1) => {
                rejected += 1;
                assert!(said(&output).contains("step"), "{}", said(&output));
            }
            other => panic!("{other:?} {}", said(&output)),
        }
    }
    assert!(rejected > 0);
    // The proof is rejected for a board that has a tour.
    let wrong = run(at, &["verify", "5x6", "--proof", "p.drat"]);
    assert_eq!(wrong.status.code(), Some(1), "{}", said(&wrong));
}

#[test]
fn mistakes_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (args, line) in [
        (&["solve", "3x4", "--proof", "p"][..], "does not end in the extension of a proof format"),
        (&["solve", "3x4", "--proof", "p.pbp", "--binary"], "no binary format"),
        (&["solve", "3x4", "--proof", "p.cert", "--binary"], "has no binary format and no clauses"),
        (&["solve", "3x4", "--binary"], "--proof"),
        (&["solve", "3x4", "--proof", "none/p.drat"], "none/p.drat"),
        (&["solve", "3x4", "--proof", "p.drat", "--cnf", "./p.drat"], "--proof and --cnf name the same file"),
        (&["verify", "3x4", "--proof", "p.drat"], "cannot read p.drat"),
        (&["verify", "3x4", "-e", "unary", "--proof", "p.cert"], "--encoding"),
        (&["solve", "3x4", "--proof", "p.drat", "--method", "backtrack"], "writes no DRAT, LRAT or VeriPB proof"),
        (&["solve", "8x8", "--number", "3", "--proof", "p.drat"], "writes no DRAT, LRAT or VeriPB proof"),
    ] {
        let output = run(at, args);
        assert_eq!(output.status.code(), Some(2), "{args:?} {}", said(&output));
        assert!(said(&output).contains(line), "{args:?} {}", said(&output));
        assert_eq!(fs::read_dir(at).unwrap().count(), 0, "{args:?}");
    }
    // If a tour exists, no proof is written.
    let tour = run(at, &["solve", "8x8", "--proof", "p.drat"]);
    assert_eq!(tour.status.code(), Some(10), "{}", said(&tour));
    assert!(said(&tour).contains("there is a tour"));
    assert_eq!(fs::read_dir(at).unwrap().count(), 0);
}

#[test]
fn clauses_that_would_not_fit_are_not_kept() {
    let settings = Settings { memory: Some(1 << 12), ..Settings::default() };
    let answer = |method: &str| {
        let method: Method = method.parse().unwrap();
        method.answer(&Question::load("4x6").unwrap(), &settings).record
    };
    let lrat = answer("prove+form=lrat");
    assert_eq!(lrat.status, Status::Refused);
    assert!(
        lrat.message.contains("write DRAT instead (--proof FILE.drat), which keeps no clauses"),
        "{}",
        lrat.message
    );
    assert_eq!(answer("prove").status, Status::NoTour);
    // If the answer is known by other means, only the proof is missing, not the answer.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.lrat");
    let settings = Settings { proof: Some(Target::new(file.clone(), false, None).unwrap()), ..settings };
    let auto: Method = "auto".parse().unwrap();
    let answered = auto.answer(&Question::load("4x6").unwrap(), &settings);
    assert_eq!(answered.record.status, Status::NoTour);
    let why = answered.result.evidence.unwrap().unwrap_err().to_string();
    assert!(why.contains("write DRAT instead (--proof FILE.drat), which keeps no clauses"), "{why}");
    assert!(!file.exists());
}

/// Tests that one setting covers all formats: the name of the file determines the format, and the pipeline writes the
/// proof.
#[test]
fn every_form_is_one_setting() {
    let folder = tempfile::tempdir().unwrap();
    let ask = |question: &str, method: &str, file: &str| {
        let file = folder.path().join(file);
        let settings = Settings { proof: Some(Target::new(file.clone(), false, None).unwrap()), ..Settings::default() };
        let method: Method = method.parse().unwrap();
        let answered = method.answer(&Question::load(question).unwrap(), &settings);
        (answered, file)
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
        let (answered, file) = ask("3x6", method, &format!("{method}.{ending}"));
        let record = &answered.record;
        assert_eq!(record.status, Status::NoTour, "{method} {}", record.message);
        let information = answered.result.evidence.unwrap().unwrap();
        let steps = !ending.starts_with("cert");
        assert_eq!(information.encoding.is_some(), steps, "{method} {ending}");
        assert_eq!(information.size.additions > 0, steps, "{method} {ending}");
        let bytes = file.metadata().unwrap().len();
        let compressed = ending.contains('.');
        assert!(compressed || bytes == information.size.bytes, "{method}");
        let (file, mut args) = (file.display().to_string(), vec!["verify", "3x6"]);
        let encoding = information.encoding.map(|encoding| encoding.to_string());
        if let Some(encoding) = &encoding {
            args.extend(["-e", encoding]);
        }
        let verified = run(folder.path(), &[&args[..], &["--proof", &file]].concat());
        assert_eq!(verified.status.code(), Some(0), "{}", said(&verified));
    }
    // If a tour exists, no proof is written. Methods that cannot write proof steps refuse the request.
    let (answered, file) = ask("5x6", "auto", "tour.cert");
    assert_eq!(answered.record.status, Status::Tour);
    assert!(answered.evidence.is_none() && !file.exists());
    let (answered, file) = ask("3x6", "backtrack", "steps.drat");
    assert_eq!(answered.record.status, Status::Refused);
    assert!(answered.evidence.is_none() && !file.exists());
}

#[test]
fn a_proof_that_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("p.drat")).unwrap();
    let full = run(folder.path(), &["solve", "4x7", "-e", "precedence", "--proof", "p.drat"]);
    assert_eq!(full.status.code(), Some(2), "{}", said(&full));
    assert!(said(&full).contains("No space left"), "{}", said(&full));
    let clauses = run(folder.path(), &["solve", "4x4", "-e", "precedence", "--proof", "p.drat", "--cnf", "q.cnf"]);
    assert_eq!(clauses.status.code(), Some(2), "{}", said(&clauses));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Tests that an answer is kept if its proof fails. The answer is known before the proof begins.
#[test]
fn an_answer_stays_where_its_proof_fails() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("full.drat")).unwrap();
    for (args, why) in
        [("petersen:17:2 --proof full.drat", "No space left"), ("4x6 --proof full.drat", "No space left")]
    {
        let args: Vec<&str> = ["solve"].into_iter().chain(args.split(' ')).collect();
        let output = run(folder.path(), &args);
        assert_eq!(output.status.code(), Some(20), "{args:?} {}", said(&output));
        assert!(said(&output).contains("there is no tour"), "{args:?}");
        assert!(said(&output).contains("was not written"), "{args:?}");
        assert!(said(&output).contains(why), "{args:?} {}", said(&output));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{args:?}");
    }
}

#[test]
fn clauses_are_written_with_a_proof_only() {
    let folder = tempfile::tempdir().unwrap();
    let tour = run(folder.path(), &["solve", "6x6", "-e", "binary", "--proof", "p.drat", "--cnf", "p.cnf"]);
    assert_eq!(tour.status.code(), Some(10), "{}", said(&tour));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_proof_is_of_the_graph_that_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let star = |name: &str, edges: &str| fs::write(folder.path().join(name), edges).unwrap();
    star("graph.edges", "1 2\n1 3\n1 4\n");
    for files in [&["p.drat", "--cnf", "p.cnf"][..], &["p.pbp"]] {
        let solved = run(folder.path(), &[&["solve", "graph.edges", "-e", "precedence", "--proof"], files].concat());
        assert_eq!(solved.status.code(), Some(20), "{}", said(&solved));
    }
    let verify = |args: &[&str]| run(folder.path(), &[&["verify"], args].concat());
    assert_eq!(verify(&["--proof", "p.drat", "--cnf", "p.cnf"]).status.code(), Some(0));
    assert_eq!(verify(&["--proof", "p.pbp"]).status.code(), Some(0));
    // The file contains the same graph, but its name differs.
    star("same.edges", "1 2\n3 1\n4 1\n");
    let same = ["same.edges", "--proof", "p.drat"];
    assert_eq!(verify(&same).status.code(), Some(0));
    star("graph.edges", "1 2\n2 3\n2 4\n");
    for args in [
        &["--proof", "p.drat", "--cnf", "p.cnf"][..],
        &["graph.edges", "--proof", "p.drat", "--cnf", "p.cnf"],
        &["--proof", "p.pbp"],
        &["graph.edges", "--proof", "p.pbp"],
    ] {
        let refused = verify(args);
        assert_eq!(refused.status.code(), Some(2), "{args:?}");
        assert!(said(&refused).contains("another graph"), "{}", said(&refused));
    }
}

/// Tests the exit code if a required proof is missing. Also tests that the message names an available format.
#[test]
fn a_missing_proof_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::os::unix::fs::symlink("/dev/full", at.join("full.drat")).unwrap();
    let solve = ["solve", "4x6", "--proof", "full.drat"];
    let output = run(at, &solve);
    assert_eq!(output.status.code(), Some(20), "{}", said(&output));
    let mend = "write a certificate of a few lines instead: --proof FILE.cert";
    assert!(said(&output).contains(mend), "{}", said(&output));
    let required = run(at, &[&solve[..], &["--require-proof"]].concat());
    assert_eq!(required.status.code(), Some(1), "{}", said(&required));
    let written = ["solve", "4x6", "--proof", "p.drat", "--require-proof"];
    assert_eq!(run(at, &written).status.code(), Some(20));
    // Graphs with one or two vertices have proofs in all formats.
    fs::write(at.join("two.col"), "p edge 2 1\ne 1 2\n").unwrap();
    for graph in ["1x1", "two.col"] {
        for file in ["few.drat", "few.lrat", "few.pbp", "few.cert"] {
            let output = run(at, &["solve", graph, "--proof", file, "--require-proof"]);
            assert_eq!(output.status.code(), Some(20), "{}", said(&output));
            let verified = run(at, &["verify", graph, "--proof", file]);
            assert_eq!(verified.status.code(), Some(0), "{graph}: {}", said(&verified));
        }
    }
    // A wide graph has no certificate, and the message says so for every requested format.
    let wide = "cubic:2000:1+no-cycle+relabel=5";
    let output = run(at, &["solve", wide, "--proof", "w.cert", "--require-proof"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("try DRAT (--proof FILE.drat), which exists for every graph"), "{}", said(&output));
    // Nor does the message about the steps name a certificate, even if the search for one is stopped.
    let output = run(at, &["solve", wide, "--proof", "full.drat"]);
    assert_eq!(output.status.code(), Some(20), "{}", said(&output));
    assert!(
        said(&output).contains("full.drat was not written: there is no tour") && !said(&output).contains(".cert"),
        "{}",
        said(&output)
    );
}
