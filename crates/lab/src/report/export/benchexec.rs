//! Rows as BenchExec results: one XML file per method. `table-generator` reads the files together with results of other
//! tools.
//!
//! The property to verify is that a tour exists: a tour is `true`, and a proof that there is none is `false`. BenchExec
//! calls a result correct or wrong only if the task has an expected verdict. Rows have no expected verdicts. Therefore
//! the category of every answer is `missing`, as in BenchExec itself, and `table-generator` compares answers with those
//! of other tools. The other statuses and their categories follow BenchExec too:
//!
//! | status of a row | status | category |
//! |---|---|---|
//! | `tour`, `no-tour` | `true`, `false` | `missing` |
//! | `count`, `estimate`, `size` | `done`; the result is in the column `value` | `missing` |
//! | `timeout` | `TIMEOUT` | `error` |
//! | `memout` | `OUT OF MEMORY` | `error` |
//! | `at-least`, `conflict-limit`, `gave-up` | `unknown` | `unknown` |
//! | `refused`, `stopped`, `failed` | `REFUSED`, `STOPPED`, `ERROR` | `error` |
//!
//! The columns `cputime`, `walltime` (with `s`) and `memory` (with `B`) are those of BenchExec. In BenchExec, both
//! times measure the whole process; here, as in rows, `walltime` excludes its start. The other columns are additions:
//! `value`, `message`, `seed`, `solver`, `variables`, `clauses`, `encode_seconds`, `solve_seconds` and every metric. If
//! a value of a run is unknown, the run lacks the column.
//!
//! # References
//!
//! - BenchExec's `doc/result.dtd`, version 3.12, and its `benchexec/result.py`, `get_result_category`.
//! - Dirk Beyer, Stefan Löwe, Philipp Wendler: *Reliable benchmarking: requirements and solutions*, International
//!   Journal on Software Tools for Technology Transfer 21, 2019.

use std::collections::BTreeSet;

use indexmap::IndexSet;
use quick_xml::events::BytesStart;

use super::{Exporter, File, Grid, Instance};
use hamcnf_methods::machine::{Machine, VERSION};
use hamcnf_methods::record::{Record, Status};

/// Exporter of this format.
pub const EXPORTER: Exporter = Exporter {
    name: "benchexec",
    summary: "BenchExec's XML, one file per method, for its table-generator",
    is_folder: true,
    make: |grid, machine| Ok(files(grid, machine)),
};

/// Document type of result files.
const DOCTYPE: &str = "result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN' \
                       'https://www.sosy-lab.org/benchexec/result-3.12.dtd'";

/// Python module that describes this program to BenchExec: scripts/benchexec/hamcnf.py.
const MODULE: &str = "scripts.benchexec.hamcnf";

/// Placeholder for properties of a machine. The format requires these properties, but they are unknown.
const UNKNOWN: &str = "unknown";

/// Returns a file for each method, with a file name in the style of BenchExec.
fn files(grid: &Grid, machine: Option<&Machine>) -> Vec<File> {
    let mut taken = BTreeSet::new();
    let file = |method: &String| {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "+=._-".contains(c);
        let plain: String = method.chars().map(|c| if allowed(c) { c } else { '_' }).collect();
        let mut name = plain.clone();
        for k in 2.. {
            // On some file systems, names that differ only in case are equal.
            if taken.insert(name.to_lowercase()) {
                break;
            }
            name = format!("{plain}_{k}");
        }
        (format!("hamcnf.results.{name}.xml"), document(method, &grid.column(method), machine))
    };
    grid.methods.iter().map(file).collect()
}

/// Returns the result file of a method. Rows contain only the checksum of their machine. If the checksum is that of
/// `machine`, the result describes the machine.
fn document(method: &str, runs: &[(&Instance, &Record)], machine: Option<&Machine>) -> String {
    let records: Vec<&Record> = runs.iter().map(|(_, record)| *record).collect();
    let versions: IndexSet<_> = records.iter().map(|row| row.made.build()).collect();
    let versions = versions.into_iter().collect::<Vec<_>>().join(", ");
    let (options, generator) = (format!("--method {method}"), format!("hamcnf {VERSION}"));
    let date = machine.map_or(UNKNOWN, |machine| &machine.date);
    let time = the_same(&records, |record| record.asked.cpu_limit.or(record.asked.wall_limit))
        .map(|limit| format!("{limit}s"));
    let memory = the_same(&records, |record| record.asked.memory_limit).map(|bytes| format!("{bytes}B"));
    let mut attributes = vec![
        ("benchmarkname", "hamcnf"),
        ("name", method),
        ("date", date),
        ("starttime", date),
        ("tool", "hamcnf"),
        ("toolmodule", MODULE),
        ("version", &versions),
        ("options", &options),
        ("generator", &generator),
    ];
    attributes.extend(time.as_deref().map(|time| ("timelimit", time)));
    attributes.extend(memory.as_deref().map(|memory| ("memlimit", memory)));
    let columns: Vec<_> = records.iter().map(|record| columns(record)).collect();
    let titles: IndexSet<&str> = columns.iter().flatten().map(|(title, _)| *title).collect();
    let mut lines = vec![
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>".to_owned(),
        format!("<!DOCTYPE {DOCTYPE}>"),
        format!("<{}>", tag("result", &attributes)),
        "  <columns>".to_owned(),
    ];
    lines.extend(titles.iter().map(|title| format!("    <{}/>", tag("column", &[("title", title)]))));
    lines.push("  </columns>".to_owned());
    let machines: BTreeSet<&str> = records.iter().map(|r| r.made.machine.as_str()).collect();
    for id in machines {
        lines.extend(system(id, machine.filter(|machine| machine.id() == id)));
    }
    for ((instance, record), columns) in runs.iter().zip(&columns) {
        let (_, category) = status(record.status);
        let category = [("title", "category"), ("value", category), ("hidden", "true")];
        lines.push(format!("  <{}>", tag("run", &[("name", &instance.to_string())])));
        let column = |(title, value): &(&str, String)| tag("column", &[("title", title), ("value", value)]);
        let columns = columns.iter().map(column).chain([tag("column", &category)]);
        lines.extend(columns.map(|column| format!("    <{column}/>")));
        lines.push("  </run>".to_owned());
    }
    lines.join("\n") + "\n</result>\n"
}

/// Returns the element for the machine with the checksum `id`. Its properties are unknown if `machine` is `None`.
fn system(id: &str, machine: Option<&Machine>) -> [String; 6] {
    let text = |of: fn(&Machine) -> String| machine.map_or_else(|| UNKNOWN.to_owned(), of);
    let (system, processor) = (text(|m| m.system.clone()), text(|m| m.processor.clone()));
    let cores = text(|m| m.processors.to_string());
    let ram = text(|m| format!("{:.0}B", m.memory_gib * f64::from(1 << 30)));
    [
        format!("  <{}>", tag("systeminfo", &[("hostname", id)])),
        format!("    <{}/>", tag("os", &[("name", &system)])),
        format!("    <{}/>", tag("cpu", &[("cores", &cores), ("model", &processor)])),
        format!("    <{}/>", tag("ram", &[("size", &ram)])),
        // The rows do not record environment variables.
        "    <environment/>".to_owned(),
        "  </systeminfo>".to_owned(),
    ]
}

/// Returns the name and the attributes of an element.
fn tag(name: &str, attributes: &[(&str, &str)]) -> String {
    let values: Vec<_> = attributes.iter().map(|(name, value)| (*name, clean(value))).collect();
    let values = values.iter().map(|(name, value)| (*name, value.as_str()));
    let element = BytesStart::new(name).with_attributes(values);
    AsRef::<str>::as_ref(&element).to_owned()
}

/// Replaces characters that XML 1.0 cannot represent with U+FFFD.
fn clean(text: &str) -> String {
    let lacking = |c: char| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(lacking, "\u{fffd}")
}

/// Returns the value that all records have in common; `None` if they differ or lack it.
fn the_same<T: PartialEq>(records: &[&Record], of: impl Fn(&Record) -> Option<T>) -> Option<T> {
    let first = of(records.first()?)?;
    records.iter().all(|r| of(r).as_ref() == Some(&first)).then_some(first)
}

/// Returns the titles and values of a run's visible columns.
fn columns(record: &Record) -> Vec<(&str, String)> {
    let (status, _) = status(record.status);
    let seconds = |seconds: Option<f64>| seconds.map(|seconds| format!("{seconds}s"));
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let known = [
        ("status", text(status)),
        ("cputime", seconds(record.cpu_seconds)),
        ("walltime", seconds(record.wall_seconds)),
        ("memory", record.peak_rss_kib.map(|kib| format!("{}B", u128::from(kib) * 1024))),
        ("value", record.value.as_ref().map(ToString::to_string)),
        ("message", text(&record.message)),
        ("seed", number(Some(record.asked.seed))),
        ("solver", text(&record.made.solver)),
        ("variables", number(record.variables)),
        ("clauses", number(record.clauses)),
        ("encode_seconds", seconds(record.encode_seconds)),
        ("solve_seconds", seconds(record.solve_seconds)),
    ];
    let known = known.into_iter().filter_map(|(title, value)| Some((title, value?)));
    known.chain(record.statistics.iter().map(|(name, value)| (name, value.to_owned()))).collect()
}

/// Returns BenchExec's status and category for the status of a row. Rows have no expected verdicts, so the status alone
/// determines the category.
fn status(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Tour => ("true", "missing"),
        Status::NoTour => ("false", "missing"),
        Status::Count | Status::Estimate | Status::Residue | Status::Size => ("done", "missing"),
        Status::Timeout => ("TIMEOUT", "error"),
        Status::Memout => ("OUT OF MEMORY", "error"),
        Status::Refused => ("REFUSED", "error"),
        Status::Stopped => ("STOPPED", "error"),
        Status::Failed => ("ERROR", "error"),
        // The run found a lower bound only, reached its conflict limit, or gave up.
        _ => ("unknown", "unknown"),
    }
}
