//! Guarantees of a report: tables and charts agree with the rows, the page loads no other files, and errors are
//! reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::*;
use crate::rows::csv;
use hamcnf::limits::Limits;
use hamcnf::machine::Machine;
use hamcnf::record::{Record, Status};
use serde_json::json;

/// Returns a row with a CPU limit of 10 s. A status without an answer means that the run reached this limit.
fn row(question: &str, method: &str, seed: u64, status: Status, seconds: f64) -> Record {
    let limits = Limits { cpu: Some(std::time::Duration::from_secs(10)), ..Limits::default() };
    let method = method.parse().unwrap();
    let mut row = Record::new(question, "", &method, seed, &limits);
    row.status = status;
    row.cpu_seconds = Some(seconds);
    row.wall_seconds = Some(seconds);
    row.statistics.set("conflicts", (seconds * 1000.0) as u64);
    row
}

fn write(folder: &Path, name: &str, rows: &[Record]) -> PathBuf {
    let file = folder.join(format!("{name}.csv"));
    fs::write(&file, csv(rows)).unwrap();
    let machine = serde_json::to_string(&Machine::here()).unwrap();
    fs::write(folder.join(format!("{name}.machine.json")), machine).unwrap();
    file
}

/// Returns rows of two methods on boards of several sizes. The slower method fails on the largest board.
fn some() -> Vec<Record> {
    let mut rows = Vec::new();
    for (k, n) in [6, 8, 10, 12].into_iter().enumerate() {
        for seed in 1..=3 {
            let question = format!("{n}x{n}");
            let seconds = 0.01 * f64::from(1 << (2 * k)) * seed as f64;
            rows.push(row(&question, "binary", seed, Status::Tour, seconds));
            let (status, seconds) = match n {
                12 => (Status::Timeout, 10.1),
                _ => (Status::Tour, 5.0 * seconds),
            };
            rows.push(row(&question, "direct", seed, status, seconds));
        }
    }
    rows
}

#[test]
fn answers_that_contradict_the_experiment_are_errors() {
    let folder = Place::new();
    write(folder.dir(), "some", &some());
    let form = "time_limit = 60\nquestions = [\n  { question = '6x6', expect = 'EXPECTED' },\n  { question = '7x7', expect = 'tour' },\n]\n\
                methods = ['binary', 'direct']\n";
    for (expected, code) in [("tour", 0), ("no-tour", 1)] {
        let form = form.replace("EXPECTED", expected);
        folder.write("form.toml", form);
        let said = folder.run("report some.csv --expect form.toml");
        said.exits(code);
        let flagged = said.err();
        // Three seeds of two methods.
        assert_eq!(flagged.lines().count(), 6 * code as usize, "{flagged}");
        assert!(
            flagged
                .lines()
                .all(|line| { line.contains("6x6, ") && line.ends_with(": tour, which differs from the expectation") })
        );
    }
    let other = "time_limit = 60\nquestions = [{ question = '5x5', expect = 'no-tour' }]\nmethods = ['binary']\n";
    folder.write("other.toml", other);
    folder.run("report some.csv --expect other.toml").exits(0).notes("no answer was compared");
    folder.run("report some.csv --expect nowhere.toml").refuses("nowhere.toml");
}

#[test]
fn tables_say_what_the_rows_say() {
    let folder = Place::new();
    write(folder.dir(), "some", &some());
    let said = folder.run("report some.csv").text(0);
    let line = |start: &str| {
        let line = said.lines().find(|line| line.starts_with(start));
        let cells = line.unwrap_or_else(|| panic!("{start}: {said}")).split('|');
        cells.map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(line("| binary")[2..4], ["12/12", ""]);
    // PAR2: the mean of the times, where each of the three unsolved runs counts as twice the limit.
    assert_eq!(line("| direct")[2..5], ["9/12", "3", "5.52"]);
    assert_eq!(line("| 8x8")[1..6], ["8x8", "64", "tour", "0.080", "0.400"]);
    assert_eq!(line("| 12x12")[1..6], ["12x12", "144", "tour", "1.28", "timeout"]);
    // A time limit does not bound the conflicts. So unsolved runs have no value, and there is no mean.
    let by = folder.run("report some.csv --by conflicts").text(0);
    let direct = by.lines().find(|line| line.starts_with("| direct")).unwrap();
    let direct: Vec<_> = direct.split('|').map(str::trim).collect();
    assert_eq!(direct[2..7], ["9/12", "3", "", "", "2400"], "{by}");
    // Headings name the measure.
    for (report, measure) in [(&said, "CPU seconds"), (&by, "conflicts")] {
        for table in ["Methods", "Each question"] {
            let heading = format!("## {table}, by {measure}\n");
            assert!(report.contains(&heading), "{report}");
        }
    }
    // A metric that occurs in no row is an error.
    let none = folder.run("report some.csv --by nodes").refused();
    assert_eq!(none, "no row has a value of \"nodes\"; choose from cpu_seconds, wall_seconds, conflicts");
    // A folder stands for all rows in it.
    folder.run("report .").says(0, "9/12");
    // Each question has its own answer.
    let answers = [("6x6", Status::Tour), ("5x5", Status::NoTour)];
    write(folder.dir(), "two", &answers.map(|(question, status)| row(question, "binary", 1, status, 0.5)));
    let said = folder.run("report two.csv").text(0);
    let answer =
        |start: &str| said.lines().find(|line| line.starts_with(start)).unwrap().split('|').nth(3).unwrap().trim();
    assert_eq!(["| 6x6", "| 5x5"].map(answer), ["tour", "no tour"]);
}

#[test]
fn a_folder_gets_a_page_tables_and_pictures() {
    let folder = Place::new();
    write(folder.dir(), "some", &some());
    folder.run("report some.csv -o out").says(0, "index.html: 24 rows, ");
    let out = folder.path("out");
    for name in ["cactus", "scatter-direct-binary", "scaling-boards-cpu_seconds"] {
        let svg = fs::read_to_string(out.join(format!("{name}.svg"))).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
        let png = fs::read(out.join(format!("{name}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG"), "{name}");
    }
    // The chart is readable without colours: lines have different dashes, timeouts are open marks, and the limit has a
    // label.
    let scaling = fs::read_to_string(out.join("scaling-boards-cpu_seconds.svg")).unwrap();
    assert!(scaling.contains("stroke-dasharray=\"7 3\""), "{scaling}");
    assert!(scaling.contains("fill=\"#fffdf9\" stroke=\"#d55e00\""), "{scaling}");
    assert!(scaling.contains(">limit</text>"), "{scaling}");
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("![Answers, by CPU seconds](cactus.svg)"), "{report}");
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("http://") || !page.contains("src=\"http"), "nothing is fetched");
    // Equal rows give an equal page.
    folder.run("report some.csv -o again").exits(0);
    let again = folder.read("again/index.html");
    assert!(page == again);
}

#[test]
fn what_cannot_both_be_right_fails() {
    let folder = Place::new();
    let mut rows = some();
    rows.push(row("8x8", "zdd", 1, Status::NoTour, 0.1));
    write(folder.dir(), "some", &rows);
    folder.run("report some.csv").exits(1).notes("8x8: binary says tour, and zdd says no tour");
    rows.pop();
    rows.push(row("8x8", "zdd", 1, Status::Failed, 0.1).ended(Status::Failed, "no memory"));
    write(folder.dir(), "some", &rows);
    folder.run("report some.csv").exits(1).notes("no memory");
}

#[test]
fn rows_of_two_builds_keep_their_names() {
    let folder = Place::new();
    let new = some();
    let mut old = some();
    for row in &mut old {
        row.made.commit = "0123456789ab".to_owned();
        row.cpu_seconds = row.cpu_seconds.map(|seconds| 2.0 * seconds);
    }
    write(folder.dir(), "old", &old);
    write(folder.dir(), "new", &new);
    let said = folder.run("report old.csv new.csv").text(0);
    for name in ["| binary (old) ", "| binary (new) ", "several builds of hamcnf"] {
        assert!(said.contains(name), "{name}: {said}");
    }
}

#[test]
fn times_from_elsewhere_stand_beside() {
    let folder = Place::new();
    write(folder.dir(), "some", &some());
    folder.write("times.csv", "instance,other\n8x8,0.5\n10x10,TO\n6x6,60\n");
    let said = folder.run("report some.csv --times times.csv").text(0);
    let line = said.lines().find(|line| line.starts_with("| other *")).unwrap();
    // A time from elsewhere above this run's limit counts as unsolved.
    assert!(line.contains("1/3"), "{line}");
    assert!(said.contains("were measured elsewhere"), "{said}");
}

#[test]
fn what_is_no_result_is_said() {
    let folder = Place::new();
    write(folder.dir(), "some", &some());
    folder.write("other.csv", "a,b\n1,2\n");
    fs::create_dir(folder.path("empty")).unwrap();
    for (args, message) in [
        ("report", "arguments were not provided: <RESULTS>..."),
        ("report none.csv", "cannot read none.csv: No such file"),
        ("report other.csv", "other.csv: the columns differ from the columns of hamcnf's rows"),
        ("report empty", "empty has no results"),
        ("report some.csv --by nothing!", "unknown column \"nothing!\""),
        (
            "report some.csv --pair binary,lkh",
            "no run of method \"lkh\" has a value of \"cpu_seconds\"; choose from binary, direct",
        ),
        ("report some.csv --pair binary", "is not a pair of methods"),
        ("report some.csv --times other.csv", "other.csv: line 2: \"2\" is"),
    ] {
        let ended = folder.run(args);
        if args.ends_with("--times other.csv") {
            // This file is a valid file of times: it has 2 s of a solver called b.
            ended.exits(0);
            continue;
        }
        ended.refuses(message);
    }
    // The rows of a running experiment can be read, even if the last row is incomplete.
    let csv = folder.read("some.csv");
    folder.write("half.csv.part", &csv[..csv.len() - 30]);
    folder.run("report half.csv.part").says(0, "9/11");
    run("report --help").exits(0);
}

/// Tests that methods for the same task are paired run by run, in either order, and methods for different tasks are
/// not.
#[test]
fn methods_are_compared_by_what_they_have_in_common() {
    let folder = Place::new();
    let mut rows = some();
    for n in [6, 8, 10, 12] {
        rows.push(row(&format!("{n}x{n}"), "zdd", 0, Status::Tour, 0.001));
        rows.push(row(&format!("{n}x{n}"), "warnsdorff", 0, Status::Tour, 0.0001));
    }
    write(folder.dir(), "some", &rows);
    for (pair, note) in [
        // A single seed is paired with all seeds of the other method. An unsolved run with a limit below the other
        // run's time does not count as slower.
        ("warnsdorff,binary", "warnsdorff was faster in 12 runs, binary in 0 runs"),
        ("binary,warnsdorff", "binary was faster in 0 runs, warnsdorff in 12 runs"),
        ("direct,binary", "direct was faster in 0 runs, binary in 12 runs"),
    ] {
        folder.run(&format!("report some.csv -o out --pair {pair}")).exits(0);
        let name = format!("out/scatter-{}.svg", pair.replace(',', "-"));
        let svg = folder.read(name);
        assert!(svg.contains(note), "{pair}: {svg}");
    }
    // One method counts, and the other one finds a tour or proves that there is none.
    folder
        .run("report some.csv -o out --pair zdd,binary")
        .refuses("the methods \"zdd\" and \"binary\" need at least two comparable runs");
}

/// Tests that runs with vertex orders of different seeds count as runs of one encoding.
#[test]
fn the_orders_of_seeds_are_runs_of_one_method() {
    let folder = Place::new();
    let rows: Vec<_> = (1..=3)
        .map(|seed| {
            let method = format!("binary+order=seed-{seed}");
            row("8x8", &method, seed, Status::Tour, seed as f64)
        })
        .collect();
    write(folder.dir(), "some", &rows);
    folder.run("report some.csv").says(0, "| binary |      3/3 |");
}

#[test]
fn rows_are_not_counted_twice() {
    let folder = Place::new();
    let rows = some();
    write(folder.dir(), "some", &rows);
    write(folder.dir(), "some.shard-1-of-2", &rows[..12]);
    write(folder.dir(), "some.shard-2-of-2", &rows[12..]);
    folder.run("report .").says(0, "| binary |    12/12 |");
    let said = folder.run("report some.csv ./some.csv").refused();
    assert_eq!(said, "./some.csv is named twice; name each file only once");
    write(folder.dir(), "twice", &[rows[0].clone(), rows[0].clone()]);
    folder.run("report twice.csv").refused_with("twice.csv: two rows of 6x6, binary, seed 1");
    let csv = folder.read("some.csv");
    folder.write("odd.csv", csv.replacen(",0.01,", ",NaN,", 1));
    folder
        .run("report odd.csv")
        .refuses("line 2")
        .refuses("NaN is not a number of seconds; the number must be at least 0");
}

/// Tests a page for many questions with long names, half of which failed: it shows only as many failures as fit.
#[test]
fn a_page_of_ten_thousand_failures_is_small() {
    let folder = Place::new();
    let why =
        "a message of a hundred characters or so, as programs have that are ended by what they did not expect at all";
    let rows: Vec<_> = (0..10_000)
        .map(|k| {
            let question = format!("graphs/of/a/folder/with/a/long/name/graph-{k}.col");
            match k % 2 {
                0 => row(&question, "binary", 1, Status::Tour, 0.5),
                _ => row(&question, "binary", 1, Status::Failed, 0.5).ended(Status::Failed, format!("{why} {k}")),
            }
        })
        .collect();
    write(folder.dir(), "many", &rows);
    folder.run("report many.csv -o out").exits(1);
    let page = fs::metadata(folder.path("out/index.html")).unwrap();
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}

/// Tests that a page with ten thousand rows has less than two megabytes.
#[test]
fn a_page_of_ten_thousand_rows_is_small() {
    let folder = Place::new();
    let mut rows = Vec::new();
    for seed in 0..100 {
        for n in (6..26).step_by(2) {
            for (k, method) in METHODS.into_iter().enumerate() {
                let seconds = 0.001 * f64::from(n) * (1.0 + k as f64) * (1.0 + 0.37 * seed as f64);
                let status = match seconds > 10.0 {
                    true => Status::Timeout,
                    false => Status::Tour,
                };
                let mut row = row(&format!("{n}x{n}"), method, seed, status, seconds);
                row.statistics.set("decisions", seed * 10_007);
                row.statistics.set("propagations", seed * 1_000_003);
                row.statistics.set("ticks", seed * 20_000_003);
                (row.variables, row.clauses) = (Some(3000), Some(30_000 + seed));
                row.peak_rss_kib = Some(20_000 + seed);
                rows.push(row);
            }
        }
    }
    assert_eq!(rows.len(), 10_000);
    write(folder.dir(), "many", &rows);
    folder.run("report many.csv -o out").exits(0);
    let bytes = fs::metadata(folder.path("out/index.html")).unwrap().len();
    assert!(bytes < 2_000_000, "{bytes} bytes");
}

const METHODS: [&str; 10] =
    ["direct", "unary", "binary", "counting", "successor", "espresso", "lfsr", "relaxed", "auto", "warnsdorff"];

/// Tests that a report replaces only an earlier report, and that rows of another form do not replace their source.
#[test]
fn files_of_others_are_not_replaced() {
    let folder = Place::new();
    write(folder.dir(), "some", &some());
    let page = folder.path("site/index.html");
    fs::create_dir(folder.path("site")).unwrap();
    fs::write(&page, "<p>mine</p>").unwrap();
    assert_eq!(
        folder.run("report some.csv -o site").refused(),
        "site/index.html was not written by `hamcnf report`: choose another folder"
    );
    assert_eq!(fs::read_to_string(&page).unwrap(), "<p>mine</p>");
    for _ in 0..2 {
        folder.run("report some.csv -o out").exits(0);
    }
    assert_eq!(
        folder.run("report some.csv --format runs -o some.csv").refused(),
        "--output names some.csv, which this command reads: choose another file"
    );
}

/// Tests the page in a browser: it reports no errors on the console, sorts and filters tables, and shows the value
/// under the pointer.
#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = browser() else {
        println!("skipped: there is no chromium on the PATH");
        return;
    };
    let folder = Place::new();
    write(folder.dir(), "some", &some());
    folder.run("report some.csv -o out").exits(0);
    let page = folder.path("out/index.html");
    // The script acts like a user of the page, and returns the resulting state of the page.
    let script = r##"<script>
      const texts = (table, k) => [...table.tBodies[0].rows].map(row => row.cells[k].textContent);
      const click = (table, k) => table.tHead.rows[0].cells[k].querySelector("button").click();
      const found = {};
      const all = document.getElementById("all");
      found.rows = texts(all, 0).length;
      click(all, 4); found.up = texts(all, 4);
      click(all, 4); found.down = texts(all, 4);
      const filter = document.getElementById("filter");
      filter.value = "12X12 direct"; filter.dispatchEvent(new Event("input"));
      found.filtered = texts(all, 3);
      all.tBodies[0].rows[0].click();
      found.again = all.querySelector("code").textContent;
      const methods = document.querySelector("table.sorts");
      click(methods, 0); click(methods, 0); found.methods = texts(methods, 0);
      const svg = document.querySelector("figure.chart svg"), box = svg.getBoundingClientRect();
      const [x, y] = JSON.parse(document.getElementById("places").textContent)[0].at[0];
      const scale = box.width / svg.viewBox.baseVal.width;
      svg.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x * scale, clientY: box.top + y * scale }));
      found.tip = document.getElementById("tip").textContent;
      found.milliseconds = performance.now();
      document.body.replaceChildren(Object.assign(document.createElement("pre"), { id: "found", textContent: JSON.stringify(found) }));
    </script></body>"##;
    let text = fs::read_to_string(&page).unwrap();
    fs::write(&page, text.replace("</body>", script)).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let ended = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--dump-dom", "--virtual-time-budget=5000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .ended();
    let said = ended.err();
    let console: Vec<_> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(console.is_empty(), "{console:?}");
    let dom = ended.out();
    let found = dom.split("<pre id=\"found\">").nth(1).and_then(|text| text.split("</pre>").next());
    let found = found.unwrap_or_else(|| panic!("the page's script ended early: {said}"));
    let found = found.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&");
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["rows"], 24);
    let numbers = |name: &str| {
        let texts = found[name].as_array().unwrap().iter();
        texts.map(|text| text.as_str().unwrap().parse().unwrap()).collect::<Vec<f64>>()
    };
    assert!(numbers("up").is_sorted() && numbers("up")[0] < 0.02, "{found}");
    assert!(numbers("down").iter().rev().is_sorted(), "{found}");
    assert_eq!(found["filtered"], json!(["timeout", "timeout", "timeout"]));
    assert_eq!(found["methods"], json!(["direct", "binary"]));
    let tip = found["tip"].as_str().unwrap();
    assert!(tip.contains("seed") && tip.contains("s CPU"), "{tip}");
    // The command that the page shows can be run.
    let again = found["again"].as_str().unwrap();
    let job = again.strip_prefix("hamcnf work <<< '").unwrap().strip_suffix('\'').unwrap();
    let job = job.replace("12x12", "6x6").replace("direct", "binary");
    feed("work", job).has(0, json!({ "status": "tour" }));
}

fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    names.into_iter().find(|name| {
        let there = Command::new(name).arg("--version").output();
        there.is_ok_and(|output| output.status.success())
    })
}

/// Tests groups of questions by a feature. Boards and families have known features; the features of graph files come
/// from a features file.
#[test]
fn questions_are_grouped_by_features_of_their_graphs() {
    let folder = Place::new();
    let mut rows = some();
    rows.push(row("g/pipe.col", "binary", 1, Status::Tour, 0.5));
    rows.push(row("g/pipe.col", "direct", 1, Status::Tour, 0.1));
    write(folder.dir(), "some", &rows);
    let line = |args: &str, start: &str| {
        let said = folder.run(args).text(0);
        let wins = said.split("## Where each method wins").nth(1).unwrap_or_else(|| panic!("{said}"));
        let line = wins.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("{start}: {said}")).to_owned()
    };
    let kinds = line("report some.csv", "| boards ");
    assert!(kinds.contains("| binary: 12/12, 0.145, 12 first"), "{kinds}");
    let files = line("report some.csv", "| files ");
    assert!(files.contains("| direct: 1/1, 0.100, 1 first"), "{files}");
    let small = line("report some.csv --group mean_degree", "| mean_degree 4.44 ");
    assert!(small.contains("| binary: 3/3"), "{small}");
    let unknown = line("report some.csv --group mean_degree", "| mean_degree not known ");
    assert!(unknown.contains("direct: 1/1"), "{unknown}");
    // A missing graph file is identified by its checksum alone; its features come from the features file.
    let graph = folder.path("pipe.col");
    fs::write(&graph, "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n").unwrap();
    let features = folder.run("graph pipe.col 6x6 --format csv").text(0);
    let checksum = features.lines().nth(1).unwrap().split(',').nth(1).unwrap();
    for row in rows.iter_mut().filter(|row| row.asked.question.ends_with(".col")) {
        row.asked.graph_crc32 = checksum.to_owned();
    }
    write(folder.dir(), "some", &rows);
    folder.write("features.csv", features);
    fs::remove_file(graph).unwrap();
    let args = "report some.csv --group mean_degree --features features.csv";
    assert!(line(args, "| mean_degree 2 ").contains("direct: 1/1"));
}
