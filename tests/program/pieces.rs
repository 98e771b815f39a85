//! Pieces other than the knight. The user names the piece once; the commands that use its tour, count or formula
//! afterwards read the name from their input.

use crate::command::*;
use serde_json::json;

#[test]
fn tours_of_any_piece_are_read_again_from_pipes_and_files() {
    let right =
        "10x10 (2,3)-leaper, closed tours, start a1: a tour that visits all 100 squares once with 100 valid moves";
    for json in ["", " --json"] {
        let printed = run(&format!("tour 10x10 --leaper 2,3{json}")).text(10);
        let checked = feed("check -", &printed).text(0);
        assert_eq!(checked, format!("standard input: {right}\n"));
        let shown = feed("show -", &printed).text(0);
        feed("check -", &shown).prints(0, checked);
    }
    let folder = Place::new();
    folder.run("tour leaper:2,3:10x10 --render t.txt --render t.json").exits(10);
    folder.run("check t.txt t.json").prints(0, format!("t.txt: {right}\nt.json: {right}\n"));
    // Lists of squares are knight's tours unless their heading names another piece.
    let list = run("list 4x4 --leaper 0,1 --random 3 --heading").text(0);
    assert!(list.starts_with("# 4x4 (0,1)-leaper, closed tours\n"), "{list}");
    assert_eq!(feed("check -", &list).text(0).lines().count(), 3);
    let bare = list.split_once('\n').unwrap().1;
    feed("check -", bare).says(1, "4x4 knight");
    feed("check - --leaper 0,1", bare).exits(0);
    run("count 4x4 --leaper 0,1 --method zdd --list -").begins(0, "# 4x4 (0,1)-leaper, closed tours\n").lines(1 + 6);
}

#[test]
fn the_piece_goes_wherever_a_board_goes() {
    // The wazir, a rook that moves one square, has 6 closed tours on 4×4 (OEIS A003763). Its board is the grid graph.
    let piece = "--leaper 0,1";
    run(&format!("count 4x4 {piece}")).begins(0, "leaper:0,1:4x4: 6 closed");
    run("count leaper:0,1:6x6").begins(0, "leaper:0,1:6x6: 1072 closed");
    for encoding in ["", "-e direct", "-e unary", "-e binary", "-e step"] {
        run(&format!("solve 4x4 {piece} {encoding}")).begins(10, "4x4 (0,1)-leaper, closed tours, start a1: a tour");
    }
    let sizes = run(&format!("sizes 4x4 {piece} -e binary --format csv")).text(0);
    let row = sizes.lines().nth(1).unwrap();
    assert!(row.starts_with("3,\"leaper:0,1:4x4\",,size:binary,"), "{row}");
    let folder = Place::with("sizes.csv", &sizes);
    folder.run("sizes --check sizes.csv").exits(0);

    run(&format!("encode 4x4 {piece}")).says(0, "c question leaper:0,1:4x4\nc encoding binary\n");
    let answer = run(&format!("solve 4x4 {piece} -e binary --dimacs")).text(10);
    folder.write("answer.txt", answer);
    folder.run(&format!("decode 4x4 {piece} answer.txt")).exits(10);

    // The wazir's graph is the grid graph of 4×4.
    run(&format!("graph 4x4 {piece} --json")).says(0, r#""vertices":16,"edges":24"#);

    let compared = run(&format!("compare 4x4 {piece} --methods binary,warnsdorff,exact --format csv")).text(0);
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
    let folder = Place::new();
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
        folder.write(format!("{name}.toml"), plan);
        folder.run(&format!("run {name}.toml -o results")).exits(0);
        let rows = folder.read(format!("results/{name}.csv"));
        assert!(rows.contains("\n3,\"leaper:0,1:4x4\",,"), "{rows}");
    }
    let counts = folder.read("results/counts.csv");
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
        let stderr = output.err();
        output.exits(2);
        assert!(stderr.contains(message), "{stderr}");
    }
    let list = "# 4x4 (0,1)-leaper\na1 b1 c1 d1 d2 c2 b2 b3 c3 d3 d4 c4 b4 a4 a3 a2\n";
    feed("check - --leaper 1,3", list).notes("the board is for the (0,1)-leaper, but --piece");
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
        run(&format!("count {question}")).begins(0, tours);
    }
    // All methods of counting agree.
    for method in ["treewidth", "zdd", "enumerate"] {
        run(&format!("count king:3x3 --method {method}")).begins(0, "king:3x3: 16 closed");
    }
}

#[test]
fn sets_of_leapers_go_wherever_a_board_goes() {
    let heading = "5x5-c3 king, closed tours, start a1: a tour";
    for how in ["", "-e direct", "-e unary", "--method warnsdorff"] {
        let solved = run(&format!("solve king:5x5-c3 {how}")).text(10);
        assert!(solved.starts_with(heading), "{solved}");
        feed("check -", &solved).says(0, heading);
    }
    let folder = Place::new();
    // This set has no name.
    let question = "leaper:4,1+1,2:6x6";
    let files = "--render t.txt --render t.json --render t.tour --render t.svg";
    folder.run(&format!("solve {question} -q {files}")).exits(10);
    let right = "6x6 (1,2)+(1,4)-leaper, closed tours, start a1: a tour";
    for file in ["t.txt", "t.json", "t.tour"] {
        folder.run(&format!("check {file}")).says(0, right);
    }
    let svg = folder.read("t.svg");
    assert!(svg.contains("6x6 (1,2)+(1,4)-leaper"), "{svg}");
    let json = run("solve king:4x4 -e step --json").json(10);
    assert_eq!(json["question"], "king:4x4");
    assert_eq!(json["details"]["piece"], "king");
    assert_eq!(json["details"]["leaper"], serde_json::Value::Null);
    feed("check -", json.to_string()).exits(0);
    run("solve wazir:4x4 --json").has(10, json!({ "details": { "piece": "wazir", "leaper": [0, 1] } }));
    // A tour of a king is no tour of a wazir, and a list of squares may be of any piece.
    let list = "a1 b2 b1 a2\n";
    feed("check - --piece king", list).exits(0);
    feed("check - --piece wazir", list).says(1, "a1 to b2, is not a (0,1)-leaper's move");
    feed("check - --piece king", "a1 b3 b2 a2 a3 b1\n").says(1, "a1 to b3, is not a king's move");

    let formula = run("encode king:4x4 -e binary").text(0);
    assert!(formula.contains("c question king:4x4\n"), "{formula}");
    folder.write("f.cnf", formula);
    let answer = run("solve king:4x4 -e binary --dimacs").text(10);
    folder.write("answer.txt", answer);
    folder.run("decode f.cnf answer.txt").begins(10, "4x4 king, closed tours");
    // The order of the text's parts and the numbering of ranks.
    run("solve ranks=up:king:3x3 open from a1 to c3").begins(10, "ranks=up:3x3 king, open tours, start a1");
    run("count king:3x3+relabel=4").begins(0, "king:3x3+relabel=4: 16 closed");
}
