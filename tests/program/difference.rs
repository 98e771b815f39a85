//! `hamcnf report --compare`: reported differences between two sets of rows, and the differences that count as errors.

use std::fs;
use std::path::Path;
use std::slice::from_ref;
use std::time::Duration;

use crate::command::*;
use crate::rows::csv;
use hamcnf::limits::Limits;
use hamcnf::record::{Record, Status};
use serde_json::Value;

/// Returns the row of a run that found a tour, with these metrics.
fn row(question: &str, method: &str, statistics: &str) -> Record {
    let limits = Limits::wall(Duration::from_secs(60));
    let mut row = Record::new(question, "", &method.parse().unwrap(), 1, &limits);
    row.status = Status::Tour;
    row.statistics = statistics.parse().unwrap();
    row
}

/// Returns one row for each number of conflicts, with seeds from 1.
fn conflicts(counts: &[u64]) -> Vec<Record> {
    let rows = (1..).zip(counts);
    let row = |count: &u64| row("8x8", "binary", &format!("conflicts={count}"));
    rows.map(|(seed, count)| changed(&row(count), |row| row.asked.seed = seed)).collect()
}

/// Returns one row for each CPU time, with seeds from 1 and without conflicts.
fn seconds(times: &[f64]) -> Vec<Record> {
    let rows = (1..).zip(times);
    let row =
        |seed, time| changed(&row("8x8", "binary", ""), |row| (row.asked.seed, row.cpu_seconds) = (seed, Some(time)));
    rows.map(|(seed, time)| row(seed, *time)).collect()
}

fn compare_with(a: &[Record], b: &[Record], options: &str) -> Ended {
    let folder = Place::with("a.csv", csv(a));
    folder.write("b.csv", csv(b));
    folder.run(&format!("report --compare a.csv b.csv {options}"))
}

fn compare(a: &[Record], b: &[Record]) -> Ended {
    compare_with(a, b, "")
}

/// Compares two files with one row each.
fn compare_rows(a: &Record, b: &Record) -> Ended {
    compare(from_ref(a), from_ref(b))
}

/// Returns the only line on standard error, after checking that the exit code is 1.
#[track_caller]
fn fault(output: &Ended) -> String {
    output.exits(1);
    let said = output.err();
    assert_eq!(said.lines().count(), 1, "{said}");
    said.trim_end().strip_prefix("hamcnf: ").unwrap().to_owned()
}

fn changed(row: &Record, change: impl Fn(&mut Record)) -> Record {
    let mut row = row.clone();
    change(&mut row);
    row
}

#[test]
fn what_is_the_same_is_no_worse() {
    let rows = conflicts(&[100, 200, 0]);
    let said = compare(&rows, &rows).text(0);
    for line in [
        "# b.csv compared with a.csv",
        "A is a.csv, B is b.csv. 3 rows are in both.",
        "All runs ended in the same way.",
        "1 metric of a method is the same in all rows that A and B both answered.",
        "B is not worse than A.",
    ] {
        assert!(said.lines().any(|said| said == line), "{line}\n{said}");
    }
    // The rows are compared with the same rows in another order. Then rows from standard input are compared with this
    // project's own results.
    let reversed: Vec<_> = rows.iter().rev().cloned().collect();
    compare(&rows, &reversed).exits(0);
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/peers.csv");
    let own = own.to_str().unwrap();
    feed(&format!("report --compare - {own}"), fs::read(own).unwrap())
        .begins(0, format!("# {own} compared with standard input\n"));
}

#[test]
fn contradictions_are_the_worst() {
    let tour = row("8x8", "binary", "");
    let none = tour.clone().ended(Status::NoTour, "");
    let said = compare_rows(&tour, &none);
    assert_eq!(fault(&said), "8x8, binary, seed 1, wall 60 s: A says tour, but B says no tour; one of them is wrong");
    said.says(1, "| 8x8      | binary | 1    | contradiction | tour | no tour |");

    let count = |n: u64| row("6x6", "exact", "").with_value(Status::Count, n);
    assert!(fault(&compare_rows(&count(9862), &count(9861))).contains("A says 9862, but B says 9861"));
    compare_rows(&count(9862), &count(9862)).exits(0);
    // Different estimates do not contradict each other.
    let estimate = |n: f64| row("6x6", "sample", "").with_value(Status::Estimate, n);
    compare_rows(&estimate(9000.5), &estimate(9100.5)).says(0, "otherwise");
}

#[test]
fn sizes_have_to_be_the_same() {
    let sized = |clauses, statistics| {
        changed(&row("6x6", "binary", statistics), |row| (row.variables, row.clauses) = (Some(370), Some(clauses)))
    };
    let a = sized(5605, "nonunit=5605 conflicts=1");
    assert_eq!(
        fault(&compare_rows(&a, &sized(5606, "nonunit=5605 conflicts=1"))),
        "6x6, binary, seed 1, wall 60 s: clauses is 5605 in A, but 5606 in B"
    );
    assert!(
        fault(&compare_rows(&a, &sized(5605, "nonunit=5604 conflicts=1")))
            .ends_with("nonunit is 5605 in A, but 5604 in B")
    );
    // Runs that ended before the clauses were generated have no sizes.
    let unknown = changed(&a, |row| {
        (row.variables, row.clauses) = (None, None);
        row.status = Status::Timeout;
    });
    compare_rows(&a, &unknown).exits(0);
    // If the method measures sizes, a missing clause family is a difference.
    let families = |statistics: &str| row("6x6", "size:binary", statistics).ended(Status::Size, "");
    let a = families("nonunit=9 (1).clauses=4 (W).clauses=5");
    let said = fault(&compare_rows(&a, &families("nonunit=9 (1).clauses=4")));
    assert!(said.ends_with("(W).clauses is 5 in A, but missing in B"), "{said}");
    compare_rows(&a, &a).exits(0);
}

#[test]
fn a_cell_that_b_lacks_is_a_fault_and_one_that_a_lacks_is_said() {
    let rows = conflicts(&[1, 2, 3]);
    let said = compare(&rows, &rows[..1]);
    assert_eq!(fault(&said), "8x8, binary, seed 2, wall 60 s: in A, but not in B, and 1 more");
    said.says(1, "## Only in A");
    compare(&rows[..1], &rows).says(0, "1 row is in both.").and("## Only in B");
}

#[test]
fn other_limits_and_other_graphs_are_not_compared_unless_asked_for() {
    let a = row("8x8", "binary", "conflicts=100");
    let b = changed(&a, |row| row.asked.wall_limit = Some(120.0));
    let said = compare_rows(&a, &b);
    assert!(fault(&said).contains("in A, but not in B"));
    said.says(1, "1 row of A is in B only with other limits, and not compared");
    compare_with(from_ref(&a), from_ref(&b), "--ignore-limits").says(0, "1 row is in both, ignoring limits.");
    let both = [a.clone(), b];
    let said = compare_with(&both, &both, "--ignore-limits").refused();
    assert!(
        said.ends_with(
            "A has more than one row for 8x8, binary, seed 1 when limits are ignored: remove --ignore-limits"
        ),
        "{said}"
    );

    let graph = |checksum: &str| changed(&a, |row| checksum.clone_into(&mut row.asked.graph_crc32));
    let said = compare_rows(&graph("00000001"), &graph("00000002"));
    said.says(1, "1 row of A is in B only for another graph of the same name");
}

#[test]
fn one_cell_of_a_steady_counter_suffices() {
    let said = compare(&conflicts(&[100]), &conflicts(&[111]));
    assert_eq!(fault(&said), "binary: conflicts has grown by a factor of 1.110 in 1 row");
    said.says(1, "| 8x8      | binary | conflicts |    1 | 100 | 111 | 1.110 |");
    compare(&conflicts(&[100]), &conflicts(&[110])).exits(0);
    compare(&conflicts(&[100]), &conflicts(&[50])).exits(0);
    compare_with(&conflicts(&[100]), &conflicts(&[111]), "--threshold 1.2").exits(0);
    compare_with(&conflicts(&[100]), &conflicts(&[102]), "--threshold 1.01").exits(1);
    // No cell has fallen, so the growth counts, although a single cell of ten at eight times its value may be chance.
    let mut grown = [100; 10];
    grown[3] = 800;
    compare(&conflicts(&[100; 10]), &conflicts(&grown)).exits(1);
}

#[test]
fn what_rises_here_and_falls_there_has_to_be_sure() {
    // The mean ratio is 1.2, but its confidence interval contains 1, so there is no error.
    let a = conflicts(&[100, 100, 100, 100]);
    let said = compare(&a, &conflicts(&[400, 50, 200, 52])).text(0);
    assert!(said.contains("|    1.201 |") || said.contains("| 1.201 |"), "{said}");
    // One cell has fallen, but the whole confidence interval is above 1, so the growth is an error.
    let b = conflicts(&[200, 210, 190, 205, 195, 200, 210, 190, 205, 99]);
    assert!(fault(&compare(&conflicts(&[100; 10]), &b)).contains("conflicts has grown by a factor of 1.86"));
}

#[test]
fn nothing_has_no_ratio() {
    let said = compare(&conflicts(&[0]), &conflicts(&[1000]));
    assert!(fault(&said).contains("by a factor of 1000.000"));
    said.says(1, "In 1 ratio, a metric below 1 counts as 1");
    let said = compare(&conflicts(&[0]), &conflicts(&[1])).text(0);
    // The table lists the cell as grown, with a ratio of 1.
    assert!(said.contains("|    1 |     0 | 1.000 |"), "{said}");
    compare(&conflicts(&[1000]), &conflicts(&[0])).exits(0);
    // A growth from one microsecond to two microseconds is ignored.
    compare_with(&seconds(&[1e-6; 5]), &seconds(&[2e-6; 5]), "--by cpu_seconds").exits(0);
}

#[test]
fn seconds_fail_nothing_unless_they_are_asked_for() {
    let (a, b) = (seconds(&[1.0, 1.1, 0.9, 1.0]), seconds(&[2.0, 2.3, 1.7, 2.1]));
    compare(&a, &b).says(0, "## Measured").and("cpu_seconds");
    let said = fault(&compare_with(&a, &b, "--by cpu_seconds"));
    assert!(said.starts_with("binary: cpu_seconds has grown by a factor of 2.0"), "{said}");
    // A single measurement has no confidence interval, so it causes no error.
    compare_with(&a[..1], &b[..1], "--by cpu_seconds").exits(0);
    // Only the measures that the user requests can cause an error.
    let with = |rows: &[Record], count: u64| {
        let rows = rows.iter();
        rows.map(|row| changed(row, |row| row.statistics.set("conflicts", count))).collect::<Vec<_>>()
    };
    compare_with(&with(&a, 1), &with(&a, 9), "--by cpu_seconds").exits(0);
    compare_with(&with(&a, 1), &with(&b, 9), "--by conflicts").exits(1);
    let both = compare_with(&with(&a, 1), &with(&b, 9), "--by conflicts --by cpu_seconds");
    both.exits(1);
    assert_eq!(both.err().lines().count(), 2);
}

#[test]
fn threads_and_other_programs_are_measured() {
    for method in ["auto+threads=2", "kissat:binary"] {
        let rows = |n| [row("8x8", method, &format!("conflicts={n}"))];
        compare(&rows(100), &rows(900)).says(0, "## Measured").lacks("## Metrics");
    }
    // Metrics that describe an answer do not measure work, so they cause no error.
    let rows = |n| [row("8x8", "sample", &format!("standard_error={n}"))];
    compare(&rows(1), &rows(9)).exits(0);
}

#[test]
fn what_ended_at_a_limit_is_counted_and_in_no_mean() {
    let a = conflicts(&[100, 100, 100]);
    let mut b = a.clone();
    b[2] = changed(&b[2], |row| {
        row.status = Status::Timeout;
        row.statistics = "conflicts=5".parse().unwrap();
    });
    b[1].statistics = "conflicts=105".parse().unwrap();
    let said = compare(&a, &b).text(0);
    assert!(said.contains("1 lost, 0 gained: sign test p = 1.000."), "{said}");
    // The mean includes the two cells that both files have solved.
    assert!(said.contains("| yes    |    2 |        1 |    1 |     0 | 1.025 |"), "{said}");
    // If the files are exchanged, the lost answer is a gained answer.
    compare(&b, &a).says(0, "0 lost, 1 gained");

    // Five lost answers may be chance; six lost answers are an error.
    let lost = |n: usize| {
        let mut rows = conflicts(&[100; 8]);
        rows[..n].iter_mut().for_each(|row| row.status = Status::Timeout);
        rows
    };
    compare(&lost(0), &lost(5)).exits(0);
    let said = fault(&compare(&lost(0), &lost(6)));
    assert_eq!(said, "B has lost 6 answers and gained 0; the probability of this by chance is 0.031");
    compare(&lost(6), &lost(0)).exits(0);
}

#[test]
fn an_answer_lost_to_the_limit_on_conflicts_or_to_an_error_is_a_fault() {
    let limited = |limit| changed(&row("8x8", "binary", ""), |row| row.asked.conflict_limit = limit);
    let a = limited(Some(1000));
    let b = changed(&a, |row| row.status = Status::ConflictLimit);
    assert!(fault(&compare_rows(&a, &b)).ends_with("A says tour, but B has no answer: conflict limit"));
    // The row in the first file has another conflict limit, so the lost answer is no error.
    let more = limited(Some(2000));
    compare_with(&[more], &[b], "--ignore-limits").exits(0);

    let failed = a.clone().ended(Status::Failed, "it broke");
    assert!(fault(&compare_rows(&a, &failed)).ends_with("A says tour, but B failed: it broke"));
    compare_rows(&failed, &failed).exits(0);
    compare_rows(&failed, &a).exits(0);
}

#[test]
fn programs_read_the_same_as_json() {
    // The ratios are 1.05, 0.97, 1.31, 1.0 and 1.22. Their mean and interval were computed by scipy 1.17.1, as in
    // src/report/statistics.rs.
    let a = conflicts(&[100; 5]);
    let b = conflicts(&[105, 97, 131, 100, 122]);
    let output = compare_with(&a, &b, "--json");
    let json = output.json(0);
    assert_eq!(json["a"], "a.csv");
    assert_eq!(json["worse"], false);
    assert_eq!(json["cells"], 5);
    let counter = &json["counters"][0];
    assert_eq!(counter["counter"], "conflicts");
    assert_eq!(counter["kind"], "steady");
    assert_eq!((&counter["more"], &counter["fewer"]), (&3.into(), &1.into()));
    let close = |value: &Value, number: f64| (value.as_f64().unwrap() - number).abs() < 1e-9;
    let ratio = &counter["ratio"];
    assert!(close(&ratio["mean"], 1.102_347_272_643_673_6), "{ratio}");
    assert!(close(&ratio["interval"]["lower"], 0.937_258_370_054_928_4), "{ratio}");
    assert!(close(&ratio["interval"]["upper"], 1.296_514_972_102_869), "{ratio}");
    // The expected value is `scipy.stats.binomtest(3, 4).pvalue`.
    assert!(close(&counter["sign_test"], 0.625), "{counter}");
    assert_eq!(counter["worst"][0]["cell"]["seed"], 3);
    assert_eq!(counter["worst"].as_array().unwrap().len(), 3);
    let output = compare_with(&a, &conflicts(&[200; 5]), "--json");
    let json = output.json(1);
    assert_eq!(json["worse"], true);
    assert_eq!(json["faults"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_compared_is_said_in_a_line() {
    let rows = conflicts(&[1, 2]);
    let said = compare_with(&rows, &rows, "--by conflict").refused();
    assert_eq!(said, "--by: no row has \"conflict\" in both A and B; choose from conflicts");
    compare_with(&rows, &rows, "--threshold 0.5").refuses("0.5").refuses("at least 1");
    let twice = [rows[0].clone(), rows[0].clone()];
    let said = compare(&rows, &twice).refused();
    assert!(said.ends_with("B has more than one row for 8x8, binary, seed 1, wall 60 s: keep one of them"), "{said}");
    assert_eq!(
        feed("report --compare - -", "").refused(),
        "only one of A and B can be standard input: name a file for the other"
    );
    // The first file has an unsupported schema, then no schema, then no rows.
    let folder = Place::new();
    let feed = |text: &str| {
        folder.write("a.csv", text);
        folder.write("b.csv", csv(&rows));
        folder.run("report --compare a.csv b.csv").refused()
    };
    let whole = String::from_utf8(csv(&rows)).unwrap();
    assert_eq!(
        feed(&whole.replace("\n3,8x8", "\n0,8x8")),
        "cannot read a.csv: line 2: schema 0 is not supported, only schema 3; make the rows again"
    );
    assert_eq!(
        feed("instance,seconds\n8x8,1\n"),
        "cannot read a.csv: the columns differ from the columns of hamcnf's rows"
    );
    assert_eq!(feed(whole.lines().next().unwrap()), "a.csv has no rows");
    folder.run("report --compare none.csv b.csv").refused_with("cannot read none.csv: ");
    folder.run("report").refuses("RESULTS");
}
