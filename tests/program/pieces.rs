//! Pieces other than the knight. The user names the piece once; the commands that use its tour, count or formula
//! afterwards read the name from their input.

use std::fs;

use crate::command::{feed, run, run_in, text};

#[test]
fn tours_of_any_piece_are_read_again_from_pipes_and_files() {
    let right =
        "10x10 (2,3)-leaper, closed tours, start a1: a tour that visits all 100 squares once with 100 valid moves";
    for json in ["", " --json"] {
        let printed = text(&run(&format!("tour 10x10 --leaper 2,3{json}")), 10);
        let checked = text(&feed("check -", &printed), 0);
        assert_eq!(checked, format!("standard input: {right}\n"));
        let shown = text(&feed("show -", &printed), 0);
        assert_eq!(text(&feed("check -", &shown), 0), checked);
    }
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    text(&here("tour leaper:2,3:10x10 --render t.txt --render t.json"), 10);
    assert_eq!(text(&here("check t.txt t.json"), 0), format!("t.txt: {right}\nt.json: {right}\n"));
    // Lists of squares are knight's tours unless their heading names another piece.
    let list = text(&run("list 4x4 --leaper 0,1 --random 3 --heading"), 0);
    assert!(list.starts_with("# 4x4 (0,1)-leaper, closed tours\n"), "{list}");
    assert_eq!(text(&feed("check -", &list), 0).lines().count(), 3);
    let bare = list.split_once('\n').unwrap().1;
    assert!(text(&feed("check -", bare), 1).contains("4x4 knight"));
    text(&feed("check - --leaper 0,1", bare), 0);
    let all = text(&run("count 4x4 --leaper 0,1 --method zdd --list -"), 0);
    assert!(all.starts_with("# 4x4 (0,1)-leaper, closed tours\n"), "{all}");
    assert_eq!(all.lines().count(), 1 + 6);
}

#[test]
fn the_piece_goes_wherever_a_board_goes() {
    // The wazir, a rook that moves one square, has 6 closed tours on 4×4 (OEIS A003763). Its board is the grid graph.
    let piece = "--leaper 0,1";
    assert!(text(&run(&format!("count 4x4 {piece}")), 0).starts_with("leaper:0,1:4x4: 6 closed"));
    assert!(text(&run("count leaper:0,1:6x6"), 0).starts_with("leaper:0,1:6x6: 1072 closed"));
    for encoding in ["", "-e direct", "-e unary", "-e binary", "-e step"] {
        let solved = text(&run(&format!("solve 4x4 {piece} {encoding}")), 10);
        assert!(solved.starts_with("4x4 (0,1)-leaper, closed tours, start a1: a tour"), "{solved}");
    }
    let sizes = text(&run(&format!("sizes 4x4 {piece} -e binary --format csv")), 0);
    let row = sizes.lines().nth(1).unwrap();
    assert!(row.starts_with("3,\"leaper:0,1:4x4\",,size:binary,"), "{row}");
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    fs::write(folder.path().join("sizes.csv"), &sizes).unwrap();
    text(&here("sizes --check sizes.csv"), 0);

    let formula = text(&run(&format!("encode 4x4 {piece}")), 0);
    assert!(formula.contains("c question leaper:0,1:4x4\nc encoding binary\n"), "{formula}");
    let answer = text(&run(&format!("solve 4x4 {piece} -e binary --dimacs")), 10);
    fs::write(folder.path().join("answer.txt"), answer).unwrap();
    text(&here(&format!("decode 4x4 {piece} answer.txt")), 10);

    // The wazir's graph is the grid graph of 4×4.
    let facts = text(&run(&format!("graph 4x4 {piece} --json")), 0);
    assert!(facts.contains(r#""vertices":16,"edges":24"#), "{facts}");

    let compared = text(&run(&format!("compare 4x4 {piece} --methods binary,warnsdorff,exact --format csv")), 0);
    let answers: Vec<_> = compared
        .lines()
        .skip(1)
        // The name of the piece contains a comma, so this field is quoted.
        .map(|line| line.split(',').skip(10).take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(answers, ["tour ", "tour ", "count 6"], "{compared}");
}

#[test]
fn experiments_take_pieces() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    for (name, plan) in [
        ("sizes", "title = 'sizes'\nquestions = ['leaper:0,1:4x4', '4x4']\nmethods = ['size:binary']\n"),
        (
            "times",
            "title = 'times'\nseeds = [0]\ntime_limit = 600\nexpect = 'tour'\n\
             questions = ['leaper:0,1:4x4']\nmethods = ['binary', 'warnsdorff']\n",
        ),
        (
            "counts",
            "title = 'counts'\nseeds = [1]\ntime_limit = 600\n\
             [[questions]]\nquestion = 'leaper:0,1:4x4'\nmethods = ['exact', 'zdd']\n",
        ),
    ] {
        fs::write(folder.path().join(format!("{name}.toml")), plan).unwrap();
        text(&here(&format!("run {name}.toml -o results")), 0);
        let rows = fs::read_to_string(folder.path().join(format!("results/{name}.csv"))).unwrap();
        assert!(rows.contains("\n3,\"leaper:0,1:4x4\",,"), "{rows}");
    }
    let counts = fs::read_to_string(folder.path().join("results/counts.csv")).unwrap();
    assert_eq!(counts.matches(",count,6,").count(), 2, "{counts}");
}

#[test]
fn pieces_that_contradict_each_other_are_refused() {
    for (args, message) in [
        (
            "solve leaper:0,1:4x4 --leaper 1,3",
            "\"leaper:0,1:4x4\" already names a piece, but --piece is the (1,3)-leaper: remove --piece, or remove the piece from the board",
        ),
        (
            "solve king:4x4 --piece wazir",
            "\"king:4x4\" already names a piece, but --piece is the (0,1)-leaper: remove --piece, or remove the piece from the board",
        ),
        ("solve 4x4 --piece kng", "unknown piece \"kng\": did you mean king?"),
        ("solve kng:4x4", "did you mean king:4x4?"),
        ("solve leaper:0,0:4x4", "\"0,0\" is not a leaper"),
        ("count leaper:0,1:4y4", "leaper:0,1:4y4"),
    ] {
        let output = run(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
    let list = "# 4x4 (0,1)-leaper\na1 b1 c1 d1 d2 c2 b2 b3 c3 d3 d4 c4 b4 a4 a3 a2\n";
    let output = feed("check - --leaper 1,3", list);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("the board is for the (0,1)-leaper, but --piece"), "{stderr}");
}

#[test]
fn kings_and_wazirs_have_the_known_numbers_of_tours() {
    // OEIS A140521 (king graphs) and A003763 (grid graphs).
    for (question, tours) in [
        ("king:2x2", "king:2x2: 3 closed"),
        ("king:3x3", "king:3x3: 16 closed"),
        ("3x3 --piece king", "king:3x3: 16 closed"),
        ("king:4x4", "king:4x4: 2830 closed"),
        ("leaper:0,1+1,1:4x4", "king:4x4: 2830 closed"),
        ("wazir:4x4", "leaper:0,1:4x4: 6 closed"),
        ("4x4 --piece 0,1", "leaper:0,1:4x4: 6 closed"),
        ("6x6 --leaper 0,1", "leaper:0,1:6x6: 1072 closed"),
    ] {
        let counted = text(&run(&format!("count {question}")), 0);
        assert!(counted.starts_with(tours), "{question}: {counted}");
    }
    // All methods of counting agree.
    for method in ["treewidth", "zdd", "enumerate"] {
        let counted = text(&run(&format!("count king:3x3 --method {method}")), 0);
        assert!(counted.starts_with("king:3x3: 16 closed"), "{method}: {counted}");
    }
}

#[test]
fn sets_of_leapers_go_wherever_a_board_goes() {
    let heading = "5x5-c3 king, closed tours, start a1: a tour";
    for how in ["", "-e direct", "-e unary", "--method warnsdorff"] {
        let solved = text(&run(&format!("solve king:5x5-c3 {how}")), 10);
        assert!(solved.starts_with(heading), "{solved}");
        assert!(text(&feed("check -", &solved), 0).contains(heading));
    }
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &str| run_in(folder.path(), args);
    // This set has no name.
    let question = "leaper:4,1+1,2:6x6";
    let files = "--render t.txt --render t.json --render t.tour --render t.svg";
    text(&here(&format!("solve {question} -q {files}")), 10);
    let right = "6x6 (1,2)+(1,4)-leaper, closed tours, start a1: a tour";
    for file in ["t.txt", "t.json", "t.tour"] {
        let checked = text(&here(&format!("check {file}")), 0);
        assert!(checked.contains(right), "{checked}");
    }
    let svg = fs::read_to_string(folder.path().join("t.svg")).unwrap();
    assert!(svg.contains("6x6 (1,2)+(1,4)-leaper"), "{svg}");
    let json = text(&run("solve king:4x4 -e step --json"), 10);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["question"], "king:4x4");
    assert_eq!(json["details"]["piece"], "king");
    assert_eq!(json["details"]["leaper"], serde_json::Value::Null);
    text(&feed("check -", json.to_string()), 0);
    let single = text(&run("solve wazir:4x4 --json"), 10);
    let single: serde_json::Value = serde_json::from_str(&single).unwrap();
    assert_eq!(single["details"]["piece"], "wazir");
    assert_eq!(single["details"]["leaper"], serde_json::json!([0, 1]));
    // A tour of a king is no tour of a wazir, and a list of squares may be of any piece.
    let list = "a1 b2 b1 a2\n";
    text(&feed("check - --piece king", list), 0);
    let refused = text(&feed("check - --piece wazir", list), 1);
    assert!(refused.contains("a1 to b2, is not a (0,1)-leaper's move"), "{refused}");
    let refused = text(&feed("check - --piece king", "a1 b3 b2 a2 a3 b1\n"), 1);
    assert!(refused.contains("a1 to b3, is not a king's move"), "{refused}");

    let formula = text(&run("encode king:4x4 -e binary"), 0);
    assert!(formula.contains("c question king:4x4\n"), "{formula}");
    fs::write(folder.path().join("f.cnf"), formula).unwrap();
    let answer = text(&run("solve king:4x4 -e binary --dimacs"), 10);
    fs::write(folder.path().join("answer.txt"), answer).unwrap();
    let tour = text(&here("decode f.cnf answer.txt"), 10);
    assert!(tour.starts_with("4x4 king, closed tours"), "{tour}");
    // The order of the text's parts and the numbering of ranks.
    let up = text(&run("solve ranks=up:king:3x3 open from a1 to c3"), 10);
    assert!(up.starts_with("ranks=up:3x3 king, open tours, start a1"), "{up}");
    assert!(text(&run("count king:3x3+relabel=4"), 0).starts_with("king:3x3+relabel=4: 16 closed"));
}
