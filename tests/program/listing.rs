//! `hamcnf list`: every tour once, in the order of ranks, in all forms, with limits.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::command::*;

fn lines(args: &str) -> Vec<String> {
    let text = run(&format!("list {args}")).text(0);
    text.lines().map(str::to_owned).collect()
}

#[test]
fn all_tours_are_listed_once_and_a_rank_finds_the_same_tour() {
    for (question, count) in [
        ("5x6", 8),
        ("6x6", 9862),
        ("6x6 --force a1-c2", 9862),
        ("6x6 --force a1-c2 --force b1-d2", 6195),
        ("3x4 --open", 16),
        ("5x5 --open --from a1", 304),
        ("6x6 --symmetry 180", 78),
    ] {
        let all = lines(question);
        let different: BTreeSet<_> = all.iter().collect();
        assert_eq!((all.len(), different.len()), (count, count), "{question}");
        for rank in [0, 1, count / 2, count - 1] {
            let from = lines(&format!("{question} --from-rank {rank} --limit 1"));
            assert_eq!(from, [all[rank].as_str()], "{question} {rank}");
        }
        let last = lines(&format!("{question} --from-rank {}", count - 3));
        assert_eq!(last, &all[count - 3..], "{question}");
    }
    let board = run("list 6x6 --format board --limit 1").text(0);
    assert!(!board.contains('\u{1b}'), "{board:?}");
    feed("check -", format!("6x6 knight\n{board}")).exits(0);
    run("count 8 queens").begins(0, "8 queens: 92 placements");
    let sampled = run("sample-tour 6x6 --rank 4000 --list").text(0);
    assert_eq!(lines("6x6 --limit 4001")[4000], sampled.trim_end());
    let listed = run("count 5x6 --method zdd --list -").text(0);
    assert_eq!(listed.lines().collect::<Vec<_>>(), lines("5x6"));
}

#[test]
fn lists_have_the_forms_of_other_commands() {
    let rows = run("list 5x6 --from-rank 3 --limit 2 --format csv").text(0);
    let tours = lines("5x6");
    assert_eq!(rows, format!("rank,tour\n3,{}\n4,{}\n", tours[3], tours[4]));
    let folder = Place::new();
    folder.run("list 5x6 --force a1-c2 --limit 4 --heading -o tours.txt").exits(0);
    let file = folder.read("tours.txt");
    let lines: Vec<_> = file.lines().collect();
    assert_eq!((lines[0], lines.len()), ("# 5x6 knight, closed tours, force a1-c2", 5));
    folder.run("check tours.txt").says(0, "4");
    run("list 5x5 --open --from a1 --to e5 --heading -n 1").begins(0, "# 5x5 knight, open tours, start a1, end e5\n");
    let objects = run("list 3x4 --open --json --limit 2").text(0);
    folder.write("tours.json", &objects);
    folder.run("check tours.json").exits(0);
    for (k, line) in objects.lines().enumerate() {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["details"]["rank"], k.to_string());
        assert_eq!(object["tour"][0], object["details"]["start"]);
        assert_eq!(object["tour"].as_array().unwrap().len(), 12);
    }
    // A graph that is too wide for a sweep is listed in an order without ranks.
    let wide = run("list complete:40 --limit 2 --format csv").text(0);
    assert!(wide.lines().skip(1).all(|line| line.starts_with(',')), "{wide}");
    assert_eq!(wide.lines().count(), 3);
    folder.write("arcs.gv", "digraph { 1->2; 2->3; 3->1; 1->3; 3->2; 2->1; 3->4; 4->1 }");
    let mut directed: Vec<_> = folder.run("list arcs.gv").text(0).lines().map(str::to_owned).collect();
    directed.sort_unstable();
    assert_eq!(directed, ["1 2 3 4"]);
}

#[test]
fn a_list_that_nobody_reads_is_not_complete() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    hamcnf("list 5x6").stdout(writer).ended().exits(0).notes_only("");
}

#[test]
fn lists_end_at_limits_and_say_so() {
    let none = run("list 4x4");
    none.prints(20, "");
    none.notes("no closed tours");
    run("list 6x6 --limit 0").prints(0, "");
    run("list 1x1 --open").prints(0, "a1\n");
    run("list 6x8 --from-rank 1 --memory-limit 1M").prints(3, "").notes("without --from-rank");
    // A sweep of this board would be too wide. So would the diagram that ranks need.
    assert_eq!(lines("20x20 --limit 2").len(), 2);
    run("list 20x20 --from-rank 1").prints(3, "").notes("hamcnf solve --number N");
    // The first tours of dense graphs come without a long search.
    for question in ["dgnp:18,0.9:1", "dgnp:24,0.9:1", "complete:40"] {
        let limit = "--limit 3 --memory-limit 1G";
        assert_eq!(lines(&format!("{question} {limit}")).len(), 3, "{question}");
    }
    // A limit may have any number of digits.
    assert_eq!(lines("5x6 --limit 99999999999999999999999").len(), 8);
    run("list 6x8 --time-limit 2s -o /dev/null")
        .prints(3, "")
        .notes("stopped by the time limit before the tour of rank ");
    let beyond = run("list 6x6 --from-rank 9862").refused();
    assert_eq!(beyond, "no tour has rank 9862: 6x6 has 9862 closed tours, and ranks count from 0");
    run("list 1x1 --open --from-rank 1").refused_with("no tour has rank 1: 1x1 has 1 ");
    for none in ["3x3", "4x4", "4x4 --open", "4x4 --symmetry 180"] {
        run(&format!("list {none} --from-rank 5")).prints(20, "").notes(": no ");
    }
    run("list 6x6 --max-turn 90").refuses("needs clauses: use `hamcnf solve --number N`");
    for (others, kind) in
        [("--force a1-b3", "force"), ("--forbid a2-c3 --at c3=4", "at"), ("--symmetry 90", "symmetry")]
    {
        let said = run(&format!("list 6x6 --symmetry 180 {others}")).refused();
        let expected = format!(
            "lists support \"symmetry\" alone or with \"forbid\", but not with \"{kind}\": use `hamcnf solve --number N`, which supports all constraints together"
        );
        assert_eq!(said, expected);
    }
}
