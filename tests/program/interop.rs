//! Rows in the formats of other tools, and the module with which BenchExec runs this program.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::command::*;
use crate::rows::csv;
use hamcnf::Named;
use hamcnf::experiment::times::{Time, Times};
use hamcnf::limits::Limits;
use hamcnf::record::{Record, Status};
use roxmltree::{Document, ParsingOptions};
use serde_json::{Value, json};

/// Returns the row of a run with this CPU time, and a CPU limit of ten seconds.
fn row(question: &str, method: &str, status: Status, seconds: f64) -> Record {
    let limits = Limits { cpu: Some(Duration::from_secs(10)), ..Limits::default() };
    let mut row = Record::new(question, "", &method.parse().unwrap(), 1, &limits);
    row.status = status;
    row.cpu_seconds = Some(seconds);
    row.made.machine = "0badcafe".to_owned();
    row
}

fn changed(mut row: Record, change: impl Fn(&mut Record)) -> Record {
    change(&mut row);
    row
}

/// Returns the rows in another format, as the program writes them to standard output.
fn written(rows: &[Record], format: &str) -> String {
    feed(&format!("report - --format {format}"), csv(rows)).text(0)
}

fn counted(question: &str, status: Status, number: u64) -> Record {
    row(question, "exact", status, 0.5).with_value(status, number)
}

#[test]
fn run_times_are_as_the_sat_competitions_have_them() {
    let rows = [
        row("8x8", "auto", Status::Tour, 0.25),
        row("8x8", "binary", Status::Timeout, 10.01),
        // This run was refused, because the method does not accept the question.
        row("8x8", "z3", Status::Refused, 0.0),
        row("5x5 open from b1", "binary", Status::NoTour, 3.0),
        row("5x5 open from b1", "auto", Status::Memout, 1.0),
        row("9x10", "auto", Status::GaveUp, 0.1),
    ];
    assert_eq!(
        written(&rows, "competition"),
        "instance,auto,binary,z3,result\n\
         8x8,0.25,20.0,,sat\n\
         5x5 open from b1,20.0,3.0,,unsat\n\
         9x10,20.0,,,unknown\n"
    );
    assert_eq!(
        written(&rows, "runs"),
        "instance_id,repetition,algorithm,runtime,runstatus\n\
         8x8,1,auto,0.25,ok\n\
         8x8,1,binary,10.01,timeout\n\
         8x8,1,z3,0.0,not_applicable\n\
         5x5 open from b1,1,auto,1.0,memout\n\
         5x5 open from b1,1,binary,3.0,ok\n\
         9x10,1,auto,0.1,other\n"
    );
    let by_wall = |row, limit| {
        changed(row, |row| {
            (row.asked.cpu_limit, row.asked.wall_limit) = (None, limit);
            row.wall_seconds = Some(7.0);
        })
    };
    // Counts are answers, too. Without a limit, no doubled limit is written for unsolved runs. Without a CPU limit, the
    // wall time is used.
    let rows = [
        counted("6x6", Status::Count, 9862),
        counted("5x5", Status::Count, 0),
        counted("8x8", Status::AtLeast, 3),
        by_wall(row("9x9", "exact", Status::Timeout, 0.5), None),
        by_wall(row("10x10", "exact", Status::Tour, 0.5), Some(60.0)),
        changed(row("12x12", "exact", Status::Tour, 0.5), |row| row.cpu_seconds = None),
    ];
    assert_eq!(
        written(&rows, "competition"),
        "instance,exact,result\n6x6,0.5,sat\n5x5,0.5,unsat\n8x8,20.0,sat\n9x9,TO,unknown\n10x10,7.0,sat\n12x12,,sat\n"
    );
}

#[test]
fn what_tells_runs_apart_is_in_the_names_of_instances() {
    let seeded = |seed, method| changed(row("8x8", method, Status::Tour, 1.0), |row| row.asked.seed = seed);
    let rows = [seeded(1, "binary"), seeded(2, "binary"), seeded(0, "auto"), row("6x6", "binary", Status::Tour, 1.0)];
    assert_eq!(
        written(&rows, "competition"),
        "instance,binary,auto,result\n\"8x8, seed 1\",1.0,,sat\n\"8x8, seed 2\",1.0,,sat\n\"8x8, seed 0\",,1.0,sat\n6x6,1.0,,sat\n"
    );
    assert!(written(&rows, "runs").contains("8x8,1,binary,1.0,ok\n8x8,2,binary,1.0,ok\n8x8,1,auto"));
    let of = |graph: &str, limit| {
        changed(row("g.col", "binary", Status::Tour, 1.0), |row| {
            row.asked.graph_crc32 = graph.to_owned();
            row.asked.conflict_limit = limit;
        })
    };
    let rows = [of("0a", None), of("0b", None), of("0b", Some(9))];
    assert_eq!(
        written(&rows, "competition"),
        "instance,binary,result\n\"g.col, graph 0a, cpu 10 s\",1.0,sat\n\"g.col, graph 0b, cpu 10 s\",1.0,sat\n\
         \"g.col, graph 0b, cpu 10 s, conflicts 9\",1.0,sat\n"
    );
    let twice = [of("0a", None), of("0a", None)];
    let said = feed("report - --format competition", csv(&twice)).refused();
    assert_eq!(said, "g.col, binary, seed 1, graph 0a, cpu 10 s occurs twice");
    let both = [row("8x8", "binary", Status::Tour, 1.0), row("8x8", "auto", Status::NoTour, 1.0)];
    let said = feed("report - --format competition", csv(&both)).refused();
    assert_eq!(said, "8x8: the answers of \"binary\" and \"auto\" contradict each other");
}

#[test]
fn times_reads_what_is_written() {
    let folder = Place::new();
    let rows = [
        row("8x8", "auto", Status::Tour, 0.1),
        row("8x8", "binary", Status::Timeout, 10.0),
        row("graphs/petersen.col.gz", "auto", Status::NoTour, 1e-7),
        changed(row("graphs/petersen.col.gz", "binary", Status::Timeout, 1.0), |row| row.asked.cpu_limit = None),
    ];
    folder.write("rows.csv", csv(&rows));
    let written = folder.run("report rows.csv --format competition -o times.csv");
    written.prints(0, "");
    let times = Times::read(&folder.path("times.csv")).unwrap();
    assert_eq!(times.solvers, ["auto", "binary"]);
    let seconds = |seconds| Some(Time::Seconds(seconds));
    // The time of a run without an answer is written as twice the limit. Read under the same limit of 10 s, it is not
    // an answer.
    assert_eq!(times.of("8x8").unwrap(), [seconds(0.1), seconds(20.0)]);
    assert_eq!(times.of("graphs/petersen.col.gz").unwrap(), [seconds(1e-7), Some(Time::TimeOut)]);

    // The report of an experiment shows these times beside its own rows.
    folder.write("race.toml", "title = 'A race'\nabout = ''\nmethods = ['auto']\nseeds = [0]\nquestions = ['8x8']\ntime_limit = 60\ncpu_limit = 10\n");
    let raced = folder.run("run race.toml --times times.csv --output results");
    let said = raced.text(0);
    let line = said.lines().find(|line| line.starts_with("| binary * ")).unwrap();
    assert!(line.contains("| 0/1 ") || line.contains("|      0/1 "), "{said}");
    assert!(said.contains("| auto * ") && !said.contains("result *"), "{said}");
}

/// Parses an XML text without fetching its document type definition.
fn parsed(text: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).unwrap()
}

/// Returns the value in a column of a run, given the title of the column.
fn columns(document: &Document, run: &str, title: &str) -> Option<String> {
    let run = document.descendants().find(|node| node.has_tag_name("run") && node.attribute("name") == Some(run))?;
    let column = run.children().find(|node| node.attribute("title") == Some(title))?;
    column.attribute("value").map(str::to_owned)
}

#[test]
fn benchexec_has_its_statuses_categories_and_columns_and_ours() {
    let mut rows: Vec<Record> =
        (0..).zip(Status::ALL).map(|(k, status)| row(&format!("{}x8", k + 3), "binary", *status, 0.5)).collect();
    rows[0].statistics = "conflicts=7 ticks=1234".parse().unwrap();
    rows[0].message = "a < b & \"c\" \u{1b}[1m".to_owned();
    rows[0].peak_rss_kib = Some(2);
    rows[0].wall_seconds = Some(0.75);
    rows[0].clauses = Some(5605);
    let text = written(&rows, "benchexec");
    let document = parsed(&text);
    let root = document.root_element();
    assert_eq!(root.attribute("timelimit"), Some("10s"));
    assert_eq!(root.attribute("memlimit"), None);
    assert_eq!(root.attribute("name"), Some("binary"));
    let first = |title| columns(&document, "3x8", title);
    for (title, value) in [
        ("status", "true"),
        ("cputime", "0.5s"),
        ("walltime", "0.75s"),
        ("memory", "2048B"),
        ("conflicts", "7"),
        ("ticks", "1234"),
        ("clauses", "5605"),
        ("seed", "1"),
        // Characters that XML cannot represent are replaced.
        ("message", "a < b & \"c\" \u{fffd}[1m"),
    ] {
        assert_eq!(first(title).as_deref(), Some(value), "{title}");
    }
    assert_eq!(first("variables"), None);
    let titles: Vec<_> = document
        .descendants()
        .find(|node| node.has_tag_name("columns"))
        .unwrap()
        .children()
        .filter_map(|node| node.attribute("title"))
        .collect();
    assert!(titles.contains(&"conflicts") && !titles.contains(&"category"), "{titles:?}");
    assert_eq!(document.descendants().filter(|node| node.has_tag_name("systeminfo")).count(), 1);

    let found: Vec<[String; 2]> = rows
        .iter()
        .map(|row| ["status", "category"].map(|title| columns(&document, &row.asked.question, title).unwrap()))
        .collect();
    // BenchExec, if it is installed, must assign the same categories.
    let checked = python(
        "import json, sys\n\
         try:\n\
         \x20   from benchexec.result import get_result_category\n\
         except ImportError:\n\
         \x20   print('null'); sys.exit()\n\
         print(json.dumps([[status, get_result_category({}, status, [])] for status, _ in json.load(open(sys.argv[1]))]))\n",
        &json!(found),
    );
    if !checked.is_null() {
        assert_eq!(checked, json!(found));
    }
    let expected = [
        ["true", "missing"],
        ["false", "missing"],
        ["done", "missing"],
        ["done", "missing"],
        ["done", "missing"],
        ["unknown", "unknown"],
        ["done", "missing"],
        ["TIMEOUT", "error"],
        ["OUT OF MEMORY", "error"],
        ["unknown", "unknown"],
        ["unknown", "unknown"],
        ["REFUSED", "error"],
        ["STOPPED", "error"],
        ["ERROR", "error"],
    ];
    assert_eq!(found, expected.map(|pair| pair.map(str::to_owned)));
}

#[test]
fn benchexec_has_a_file_for_each_method_and_knows_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/peers.csv");
    let own = own.to_str().unwrap();
    let said = run(&format!("report {own} --format benchexec")).refused();
    assert_eq!(
        said,
        "the results have 9 methods, but --format benchexec needs one file per method: name a folder with --output"
    );
    let output = run_in(folder.path(), &format!("report {own} --format benchexec --output out/tables"));
    output.prints(0, "");
    let tables = folder.path().join("out/tables");
    let mut files: Vec<_> = fs::read_dir(&tables).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 9);
    let file = tables.join("hamcnf.results.pysat_binary.xml");
    let content = fs::read_to_string(&file).unwrap();
    let document = parsed(&content);
    assert_eq!(document.root_element().attribute("options"), Some("--method pysat:binary"));
    let processor = document.descendants().find(|node| node.has_tag_name("cpu")).unwrap();
    assert_ne!(processor.attribute("model"), Some("unknown"));

    // BenchExec's table generator, if it is installed, shows the columns of this program.
    let read = python(
        "import glob, json, os, subprocess, sys\n\
         folder = json.load(open(sys.argv[1]))\n\
         try:\n\
         \x20   import benchexec.tablegenerator\n\
         except ImportError:\n\
         \x20   print('null'); sys.exit()\n\
         files = sorted(glob.glob(os.path.join(folder, '*.xml')))\n\
         made = subprocess.run([sys.executable, '-c', 'import sys; from benchexec.tablegenerator import main; sys.exit(main())', '--no-diff', '-q', '-f', 'csv', '-o', folder, *files],\n\
         \x20   capture_output=True, text=True)\n\
         tables = glob.glob(os.path.join(folder, '*.csv'))\n\
         print(json.dumps([made.stderr, open(tables[0]).read() if tables else '']))\n",
        &json!(tables),
    );
    if let Some(table) = read.get(1).and_then(Value::as_str) {
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
        let headings = lines.iter().find(|line| line.contains(&"status")).unwrap();
        for title in ["cputime (s)", "memory (MB)", "conflicts", "solver", "solve_seconds (s)"] {
            assert!(headings.contains(&title), "{title}: {headings:?}");
        }
        // The table has one line for each of the 24 questions.
        assert_eq!(lines.iter().filter(|line| line.contains(&"true") || line.contains(&"false")).count(), 24, "{read}");
    }
}

/// Writes an object to a file, runs a Python program with the file as its argument, and returns the object that it
/// prints.
fn python(program: &str, input: &Value) -> Value {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(input.to_string().as_bytes()).unwrap();
    let mut child = Command::new("python3")
        .arg("-")
        .arg(file.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    let output = child.ended();
    let stderr = output.err();
    assert!(output.code() == Some(0), "{stderr}");
    output.parsed()
}

/// Python code that runs the tool-info module. If BenchExec is not installed, replacements stand in for its needed
/// parts.
const TOOL: &str = r#"
import importlib.util, json, sys, types
given = json.load(open(sys.argv[1]))
try:
    import benchexec.tools.template
except ImportError:
    package, tools, template, result = (types.ModuleType(name) for name in
        ("benchexec", "benchexec.tools", "benchexec.tools.template", "benchexec.result"))
    result.RESULT_TRUE_PROP, result.RESULT_FALSE_PROP = "true", "false"
    result.RESULT_UNKNOWN, result.RESULT_TIMEOUT, result.RESULT_ERROR = "unknown", "TIMEOUT", "ERROR"
    template.BaseTool2 = object
    package.tools, package.result, tools.template = tools, result, template
    for module in (package, tools, template, result):
        sys.modules[module.__name__] = module
spec = importlib.util.spec_from_file_location("hamcnf", given["module"])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
tool = module.Tool()
Case = types.SimpleNamespace
def files(names):
    def single():
        assert len(names) == 1
    return Case(input_files_or_empty=names, input_files_or_identifier=names, require_single_input_file=single)
board = Case(input_files_or_empty=(), input_files_or_identifier=("8x8",))
limits = lambda wall: Case(cputime=9, walltime=wall, memory=None)
def judged(run):
    exit_code = Case(value=run["code"], signal=run.get("signal"))
    return tool.determine_result(Case(exit_code=exit_code, output=run["output"], was_timeout=run.get("late", False)))
print(json.dumps({
    "results": [judged(run) for run in given["runs"]],
    "values": [tool.get_value_from_output(given["runs"][0]["output"], name) for name in given["names"]],
    "lines": [
        tool.cmdline("hamcnf", ["-e", "binary"], board, limits(None)),
        tool.cmdline("hamcnf", [], files(("a.col",)), limits(60)),
        tool.cmdline("hamcnf", ["--dimacs", "--time-limit=5"], files(("a.col",)), limits(60)),
    ],
}))
"#;

fn module() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/benchexec/hamcnf.py")
}

#[test]
fn benchexec_knows_how_to_run_this_program_and_what_it_says() {
    // The tool-info module receives the actual output of this program.
    let of = |args: &str| {
        let output = run(args);
        let lines = output.all();
        json!({ "code": output.code(), "output": lines.lines().collect::<Vec<_>>() })
    };
    let said = |code: i32, output: &[&str]| json!({ "code": code, "output": output });
    let cases = [
        (of("solve 6x6 -e binary --json"), "true"),
        (of("solve 5x5 --json"), "false"),
        (of("solve 6x6 -e binary --dimacs"), "true"),
        (of("solve 12x12 -e direct --time-limit 0.01 --json"), "TIMEOUT"),
        (of("solve nothing --json"), "ERROR (2)"),
        // If the output does not confirm the exit code, there is no answer.
        (said(10, &[]), "ERROR (exit code 10 without an answer)"),
        (said(10, &["{\"status\":\"no-tour\"}"]), "ERROR (exit code 10 without an answer)"),
        (said(20, &["{not JSON", "{\"status\":\"no-tour\"}"]), "false"),
        (said(20, &["s UNSATISFIABLE"]), "false"),
        (said(0, &["{\"status\":\"memout\"}"]), "OUT OF MEMORY"),
        (said(0, &["{\"status\":\"gave-up\"}"]), "unknown"),
        (said(0, &[]), "unknown"),
        (said(101, &["thread 'main' panicked"]), "ERROR (101)"),
        (json!({ "code": null, "signal": 6, "output": [] }), "ERROR (signal 6)"),
        (json!({ "code": null, "signal": 9, "output": [], "late": true }), "TIMEOUT"),
    ];
    let given = json!({
        "module": module(),
        "runs": cases.iter().map(|(run, _)| run).collect::<Vec<_>>(),
        "names": ["question", "clauses", "ticks", "order", "nothing"],
    });
    let said = python(TOOL, &given);
    let expected: Vec<_> = cases.iter().map(|(_, result)| *result).collect();
    assert_eq!(said["results"], json!(expected));
    let values = said["values"].as_array().unwrap();
    assert_eq!(values[..2], [json!("6x6"), json!("5605")]);
    let ticks = values[2].as_str().unwrap();
    assert!(ticks.parse::<u64>().is_ok(), "{ticks}");
    assert_eq!(values[3..], [Value::Null, Value::Null]);
    assert_eq!(
        said["lines"],
        json!([
            ["hamcnf", "solve", "-e", "binary", "--json", "8x8"],
            ["hamcnf", "solve", "--json", "--time-limit", "60", "a.col"],
            ["hamcnf", "solve", "--dimacs", "--time-limit=5", "a.col"],
        ])
    );
}
