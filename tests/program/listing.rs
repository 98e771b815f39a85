//! `hamcnf list`: every tour once, in the order of ranks.

use std::collections::BTreeSet;

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
    let sampled = run("sample-tour 6x6 --rank 4000 --list").text(0);
    assert_eq!(lines("6x6 --limit 4001")[4000], sampled.trim_end());
}

#[test]
fn a_list_that_nobody_reads_is_not_complete() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    hamcnf("list 5x6").stdout(writer).ended().exits(0).notes_only("");
}
