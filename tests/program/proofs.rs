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
