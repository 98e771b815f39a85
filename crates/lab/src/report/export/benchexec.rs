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
use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::{ExportError, Grid};
use hamcnf_methods::machine::{Machine, VERSION};
use hamcnf_methods::record::{Record, Status};

/// Document type of result files.
const DOCTYPE: &str = "result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN' \
                       'https://www.sosy-lab.org/benchexec/result-3.12.dtd'";

/// Python module that describes this program to BenchExec: scripts/benchexec/hamcnf.py.
const MODULE: &str = "scripts.benchexec.hamcnf";

/// Placeholder for properties of a machine. The format requires these properties, but they are unknown.
const UNKNOWN: &str = "unknown";

/// Returns a pair for each method: a file name in the style of BenchExec, and the method.
pub fn files<'g>(grid: &'g Grid) -> impl Iterator<Item = (String, &'g str)> {
    let mut taken = BTreeSet::new();
    grid.methods().iter().map(move |method| {
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
        (format!("hamcnf.results.{name}.xml"), method.as_str())
    })
}

/// Returns the result file of a method. Rows contain only the checksum of their machine. If the checksum is that of
/// `machine`, the result describes the machine.
///
/// # Errors
///
/// [`ExportError::Xml`].
pub fn document(grid: &Grid, method: &str, machine: Option<&Machine>) -> Result<String, ExportError> {
    let runs: Vec<(String, &Record)> =
        grid.column(method).map(|(instance, record)| (instance.to_string(), record)).collect();
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    let written = write(&mut xml, method, &runs, machine);
    written.map_err(|error| ExportError::Xml(error.to_string()))?;
    let text = String::from_utf8_lossy(&xml.into_inner()).into_owned();
    Ok(text + "\n")
}

fn write(
    xml: &mut Writer<Vec<u8>>,
    method: &str,
    runs: &[(String, &Record)],
    machine: Option<&Machine>,
) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    xml.write_event(Event::DocType(BytesText::from_escaped(DOCTYPE)))?;
    let records: Vec<&Record> = runs.iter().map(|(_, record)| *record).collect();
    let date = machine.map_or(UNKNOWN, |machine| &machine.date);
    let mut attributes = vec![
        ("benchmarkname", "hamcnf".to_owned()),
        ("name", method.to_owned()),
        ("date", date.to_owned()),
        ("starttime", date.to_owned()),
        ("tool", "hamcnf".to_owned()),
        ("toolmodule", MODULE.to_owned()),
        ("version", versions(&records)),
        ("options", format!("--method {method}")),
        ("generator", format!("hamcnf {VERSION}")),
    ];
    let time = |record: &Record| record.cpu_limit.or(record.wall_limit);
    if let Some(seconds) = the_same(&records, time) {
        attributes.push(("timelimit", format!("{seconds}s")));
    }
    if let Some(bytes) = the_same(&records, |record| record.memory_limit) {
        attributes.push(("memlimit", format!("{bytes}B")));
    }
    let columns: Vec<_> = records.iter().map(|record| columns(record)).collect();
    let titles = titles(&columns);
    let attributes: Vec<_> = attributes.iter().map(|(name, value)| (*name, clean(value))).collect();
    let attributes = attributes.iter().map(|(name, value)| (*name, value.as_str()));
    let result = xml.create_element("result").with_attributes(attributes);
    result.write_inner_content(|xml| {
        xml.create_element("columns").write_inner_content(|xml| {
            for title in &titles {
                element(xml, "column", &[("title", title)])?;
            }
            Ok(())
        })?;
        let machines: BTreeSet<&str> = records.iter().map(|r| r.machine.as_str()).collect();
        for id in machines {
            system(xml, id, machine.filter(|machine| machine.id() == id))?;
        }
        for ((name, _), columns) in runs.iter().zip(&columns) {
            let run = clean(name);
            let run = xml.create_element("run").with_attribute(("name", run.as_str()));
            run.write_inner_content(|xml| {
                for Column { title, value, hidden } in columns {
                    let mut attributes = vec![("title", title.as_str()), ("value", value.as_str())];
                    attributes.extend(hidden.then_some(("hidden", "true")));
                    element(xml, "column", &attributes)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Writes the element for the machine with the checksum `id`. Its properties are unknown if `machine` is `None`.
fn system(xml: &mut Writer<Vec<u8>>, id: &str, machine: Option<&Machine>) -> io::Result<()> {
    let system = machine.map_or(UNKNOWN, |machine| &machine.system);
    let processor = machine.map_or(UNKNOWN, |machine| &machine.processor);
    let or_unknown = |text: Option<String>| text.unwrap_or_else(|| UNKNOWN.to_owned());
    let cores = or_unknown(machine.map(|machine| machine.processors.to_string()));
    let bytes = machine.map(|machine| machine.memory_gib * f64::from(1 << 30));
    let ram = or_unknown(bytes.map(|bytes| format!("{bytes:.0}B")));
    let of = xml.create_element("systeminfo").with_attribute(("hostname", id));
    of.write_inner_content(|xml| {
        element(xml, "os", &[("name", system)])?;
        element(xml, "cpu", &[("cores", &cores), ("model", processor)])?;
        element(xml, "ram", &[("size", &ram)])?;
        // The rows do not record environment variables.
        element(xml, "environment", &[])
    })?;
    Ok(())
}

fn element(xml: &mut Writer<Vec<u8>>, name: &str, attributes: &[(&str, &str)]) -> io::Result<()> {
    let values: Vec<_> = attributes.iter().map(|(name, value)| (*name, clean(value))).collect();
    let values = values.iter().map(|(name, value)| (*name, value.as_str()));
    let element = xml.create_element(name).with_attributes(values);
    element.write_empty()?;
    Ok(())
}

/// Replaces characters that XML 1.0 cannot represent with U+FFFD.
fn clean(text: &str) -> String {
    let lacking = |c: char| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(lacking, "\u{fffd}")
}

/// Returns the value that all records have in common; `None` if they differ or lack it.
fn the_same<T: PartialEq>(records: &[&Record], of: impl Fn(&Record) -> Option<T>) -> Option<T> {
    let first = of(records.first()?)?;
    let all = records.iter().all(|r| of(r).as_ref() == Some(&first));
    all.then_some(first)
}

/// Returns the builds that made the rows, as version and commit.
fn versions(records: &[&Record]) -> String {
    let mut versions: Vec<String> = Vec::new();
    for record in records {
        let version = format!("{} ({})", record.version, record.commit);
        if !versions.contains(&version) {
            versions.push(version);
        }
    }
    versions.join(", ")
}

/// Column of a run, with its value.
struct Column {
    title: String,
    value: String,
    hidden: bool,
}

/// Returns the titles of all visible columns, in the order in which they first occur.
fn titles(columns: &[Vec<Column>]) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for column in columns.iter().flatten().filter(|column| !column.hidden) {
        if !titles.contains(&column.title) {
            titles.push(column.title.clone());
        }
    }
    titles
}

fn columns(record: &Record) -> Vec<Column> {
    let (status, category) = status(record.status);
    let seconds = |seconds: Option<f64>| seconds.map(|seconds| format!("{seconds}s"));
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let value = record.value.as_ref().map(ToString::to_string);
    let known = [
        ("status", text(status)),
        ("cputime", seconds(record.cpu_seconds)),
        ("walltime", seconds(record.wall_seconds)),
        ("memory", record.peak_rss_kib.map(|kib| format!("{}B", u128::from(kib) * 1024))),
        ("value", value),
        ("message", text(&record.message)),
        ("seed", number(Some(record.seed))),
        ("solver", text(&record.solver)),
        ("variables", number(record.variables)),
        ("clauses", number(record.clauses)),
        ("encode_seconds", seconds(record.encode_seconds)),
        ("solve_seconds", seconds(record.solve_seconds)),
    ];
    let column = |title: &str, value: String, hidden| Column { title: title.to_owned(), value, hidden };
    let known = known.into_iter();
    let mut all: Vec<_> = known.filter_map(|(title, value)| Some(column(title, value?, false))).collect();
    let statistics = record.statistics.iter();
    all.extend(statistics.map(|(name, value)| column(name, value.to_owned(), false)));
    all.push(column("category", category.to_owned(), true));
    all
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
