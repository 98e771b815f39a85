//! Tests of the graphs of a batch.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hamcnf::budget::{Budget, Stopped};
use hamcnf::cancellation::CancellationToken;
use hamcnf::cycle::small::SmallSearch;
use hamcnf::formats::{FormatError, GraphLine, Remark};
use hamcnf::properties::{DirectedSubject, PROPERTIES, Property, Subject, SubjectGraph, Undecided};
use hamcnf::{AnyGraph, Digraph};
use num_bigint::BigUint;

use super::batches::{Batch, Lines};
use super::criteria::Criteria;

/// Form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Lines of matching graphs.
    Lines,
    /// No output for each graph; only the number of matching graphs is printed at the end.
    Nothing,
    /// CSV row for every graph.
    Csv,
    /// JSON object for every graph.
    Json,
}

/// Task of the workers.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) criteria: Criteria,
    pub(super) form: Form,
    /// True if lines that are not graphs are skipped.
    pub(super) keep_going: bool,
    /// Limit of wall time for each graph.
    pub(super) time_limit: Option<Duration>,
    /// Memory limit in bytes for counting the Hamiltonian cycles of a graph.
    pub(super) memory: Option<u64>,
    pub(super) stop: CancellationToken,
    /// Number that increases when the results so far are wanted.
    pub(super) ticks: Arc<AtomicUsize>,
}

/// Numbers of graphs and lines processed so far.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) read: u64,
    pub(super) matching: u64,
    /// Number of graphs for which it is unknown whether they match.
    pub(super) unknown: u64,
    /// Number of lines that are not graphs.
    pub(super) bad: u64,
    /// Number of graphs with self-loops, which are ignored.
    pub(super) looped: u64,
}

impl Tally {
    pub(super) fn add(&mut self, other: &Self) {
        self.read += other.read;
        self.matching += other.matching;
        self.unknown += other.unknown;
        self.bad += other.bad;
        self.looped += other.looped;
    }
}

/// Results of some graphs of a batch.
#[derive(Default)]
pub(super) struct Report {
    /// Number of the batch.
    pub(super) batch: usize,
    /// True if no report of the batch follows.
    pub(super) is_last: bool,
    pub(super) tally: Tally,
    /// Output for these graphs.
    pub(super) text: Vec<u8>,
    /// Messages that do not end the command.
    pub(super) notes: Vec<String>,
    /// Message that ends the command.
    pub(super) error: Option<String>,
}

impl Report {
    /// Returns an empty report about a batch.
    fn of(batch: &Batch) -> Self {
        Self { batch: batch.number, ..Self::default() }
    }
}

/// Worker that tests graphs. It reuses the memory of the search for every graph.
pub(super) struct Worker {
    job: Job,
    search: SmallSearch,
}

/// Graph or digraph that was read from a line.
#[allow(
    clippy::large_enum_variant,
    reason = "a worker has one value at a time, and the large variant is the usual one"
)]
enum LineGraph {
    Undirected(SubjectGraph),
    Directed(Digraph),
}

/// Line with a graph.
struct Line<'t> {
    /// Name of the file for messages.
    name: &'t str,
    /// Name of the file as a field of CSV or JSON.
    field: &'t str,
    /// Number of the line, counted from 1.
    number: usize,
    /// Text of the graph, without a header and blanks.
    text: &'t [u8],
}

impl LineGraph {
    /// Reads the graph at the beginning of a text, in place of this graph. See [`SubjectGraph::read_line`].
    fn read_line(&mut self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Undirected(graph) => graph.read_line(text),
            Self::Directed(_) => None,
        }
    }

    fn n(&self) -> u32 {
        match self {
            Self::Undirected(graph) => graph.n(),
            Self::Directed(digraph) => digraph.n_vertices(),
        }
    }

    /// Returns the number of edges, or of the arcs of a digraph.
    fn n_edges(&self) -> u32 {
        match self {
            Self::Undirected(graph) => graph.n_edges(),
            Self::Directed(digraph) => digraph.n_arcs(),
        }
    }
}

/// Graph or digraph whose properties are tested.
enum AnySubject<'a> {
    Undirected(Subject<'a>),
    Directed(DirectedSubject<'a>),
}

impl AnySubject<'_> {
    fn has(&mut self, property: &Property) -> Result<bool, Undecided> {
        match self {
            Self::Undirected(subject) => (property.holds)(subject),
            Self::Directed(subject) => match property.holds_directed {
                Some(holds) => holds(subject),
                None => Err(Stopped::GaveUp.into()),
            },
        }
    }

    fn cycles(&mut self, most: u64) -> Result<BigUint, Undecided> {
        match self {
            Self::Undirected(subject) => subject.cycles(most),
            Self::Directed(subject) => subject.cycles(most),
        }
    }
}

/// Value of a graph's property, with the name of the property's column.
struct Value {
    name: &'static str,
    /// Value in JSON; `None` if it is unknown.
    known: Option<String>,
}

/// Result of testing a graph.
struct Verdict {
    /// True if the graph matches; `None` if unknown.
    matches: Option<bool>,
    /// Reason why the result is unknown; `None` if the result is known.
    why: Option<Undecided>,
    /// Values of all requested properties; empty unless rows are printed.
    values: Vec<Value>,
}

impl Job {
    pub(super) fn worker(self) -> Worker {
        Worker { job: self, search: SmallSearch::default() }
    }

    fn budget(&self) -> Budget {
        let deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        Budget::new(deadline, self.stop.clone()).with_memory(self.memory)
    }
}

impl Worker {
    /// Tests the graphs of a batch until `send` returns false. Returns true if all reports were sent.
    pub(super) fn test(&mut self, batch: &Batch, send: &mut dyn FnMut(Report) -> bool) -> bool {
        let mut report = Report::of(batch);
        match &batch.lines {
            Err(error) if self.job.keep_going => {
                report.tally.bad += 1;
                report.notes.push(error.clone());
            }
            Err(error) => report.error = Some(error.clone()),
            Ok(lines) => {
                if !self.lines(batch, lines, &mut report, send) {
                    return false;
                }
            }
        }
        report.is_last = true;
        send(report)
    }

    /// Tests the graphs of these lines, until a graph ends the command. Returns false if a report could not be sent.
    fn lines(
        &mut self,
        batch: &Batch,
        lines: &Lines,
        report: &mut Report,
        send: &mut dyn FnMut(Report) -> bool,
    ) -> bool {
        // Name of the file, in the form in which rows contain it. Without rows, the name is not used.
        let mut file = String::new();
        if self.job.form == Form::Csv {
            file = csv_field(&batch.file);
        } else if self.job.form == Form::Json {
            file = serde_json::Value::from(&*batch.file).to_string();
        }
        let budget = self.job.budget();
        let mut ticks = self.job.ticks.load(Ordering::Relaxed);
        let mut streamed = LineGraph::Undirected(SubjectGraph::streamed());
        let (mut number, mut rest) = (lines.before, &lines.bytes[..]);
        while !rest.is_empty() {
            number += 1;
            let goes_on = if let Some(length) = streamed.read_line(rest) {
                let line = Line { name: &batch.file, field: &file, number, text: &rest[..length] };
                rest = &rest[length + 1..];
                self.graph(&line, &streamed, &budget, report)
            } else {
                let end = rest.iter().position(|&byte| byte == b'\n');
                let line = &rest[..end.unwrap_or(rest.len())];
                rest = end.map_or(&[], |end| &rest[end + 1..]);
                match parsed(number, line, &self.job.criteria) {
                    Ok(None) => true,
                    Ok(Some((text, graph, has_loops))) => {
                        report.tally.looped += u64::from(has_loops);
                        let line = Line { name: &batch.file, field: &file, number, text };
                        self.graph(&line, &graph, &budget, report)
                    }
                    Err(wrong) => self.bad(batch, &wrong, report),
                }
            };
            if !goes_on {
                return true;
            }
            let now = self.job.ticks.load(Ordering::Relaxed);
            if now != ticks {
                ticks = now;
                if !send(std::mem::replace(report, Report::of(batch))) {
                    return false;
                }
            }
        }
        true
    }

    /// Reports a line that cannot be tested. Returns false if it ends the command.
    fn bad(&self, batch: &Batch, wrong: &BadLine, report: &mut Report) -> bool {
        let message = format!("{}: {wrong}", batch.file);
        if self.job.keep_going {
            report.tally.bad += 1;
            report.notes.push(message);
        } else {
            let skipped = match wrong {
                BadLine::Format(_) => "lines that are not graphs",
                BadLine::Directed { .. } => "digraphs",
            };
            report.error = Some(format!("{message}; use --keep-going to skip {skipped}"));
        }
        self.job.keep_going
    }

    /// Tests the graph of a line, and adds the result to the report. Returns false if the command ends.
    fn graph(&mut self, line: &Line<'_>, graph: &LineGraph, budget: &Budget, report: &mut Report) -> bool {
        let verdict = match self.job.time_limit {
            Some(_) => self.verdict(graph, &self.job.budget()),
            None => self.verdict(graph, budget),
        };
        if verdict.is_cancelled() {
            return false;
        }
        report.tally.read += 1;
        report.tally.matching += u64::from(verdict.matches == Some(true));
        if let (None, Some(why)) = (verdict.matches, &verdict.why) {
            report.tally.unknown += 1;
            let message = format!("{}: line {}: unknown: {why}", line.name, line.number);
            report.notes.push(message);
        }
        // Writing to memory does not fail.
        let _ = write(self.job.form, line, graph, &verdict, &mut report.text);
        true
    }

    fn verdict(&mut self, graph: &LineGraph, budget: &Budget) -> Verdict {
        let criteria = &self.job.criteria;
        let wants_values = matches!(self.job.form, Form::Csv | Form::Json);
        let search = &mut self.search;
        let mut subject = match graph {
            LineGraph::Undirected(graph) => AnySubject::Undirected(Subject::new(graph, search, budget)),
            LineGraph::Directed(digraph) => AnySubject::Directed(DirectedSubject::new(digraph, search, budget)),
        };
        let mut verdict = Verdict { matches: Some(true), why: None, values: Vec::new() };
        for (property, wanted) in &criteria.properties {
            let holds = subject.has(property);
            if wants_values {
                let known = holds.as_ref().ok().map(ToString::to_string);
                verdict.values.push(Value { name: property.name, known });
            }
            verdict.and(holds.map(|holds| holds == *wanted));
            if !wants_values && verdict.matches == Some(false) {
                return verdict;
            }
        }
        let Some(range) = criteria.cycles else {
            return verdict;
        };
        let enough = if wants_values { u64::MAX } else { range.enough() };
        let cycles = match enough {
            // Every number is in the range, so the cycles need not be counted.
            0 => Ok(0u32.into()),
            _ => subject.cycles(enough),
        };
        if wants_values {
            let known = cycles.as_ref().ok().map(ToString::to_string);
            verdict.values.push(Value { name: "cycles", known });
        }
        verdict.and(cycles.map(|n: BigUint| n >= range.least.into() && range.most.is_none_or(|most| n <= most.into())));
        verdict
    }
}

impl Verdict {
    /// Combines the verdict with the result of one more test. The graph matches if all results are true.
    fn and(&mut self, result: Result<bool, Undecided>) {
        match result {
            Ok(true) => {}
            Ok(false) => self.matches = Some(false),
            Err(why) => {
                self.matches = self.matches.filter(|matches| !matches);
                self.why = Some(why);
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        matches!(self.why, Some(Undecided::Stopped(Stopped::Cancelled)))
    }
}

/// Text of a line without header and blanks, its graph, and true if the text has self-loops, which are ignored.
type Parsed<'t> = (&'t [u8], LineGraph, bool);

/// Reason why a line cannot be tested.
#[derive(Debug, thiserror::Error)]
enum BadLine {
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The line is a digraph, but the property is only defined for undirected graphs.
    #[error(
        "line {number}: \"{text}\" is a digraph, but the property \"{property}\" needs an undirected graph; for digraphs, use {directed}"
    )]
    Directed {
        number: usize,
        /// Beginning of the line.
        text: String,
        property: &'static str,
        /// Options for properties of digraphs.
        directed: String,
    },
}

/// Reads the graph of a line; `None` if the line has no graph. A digraph is an error if a requested property applies only
/// to undirected graphs.
fn parsed<'t>(number: usize, line: &'t [u8], criteria: &Criteria) -> Result<Option<Parsed<'t>>, BadLine> {
    let Some(line) = GraphLine::new(number, line)? else {
        return Ok(None);
    };
    let text = line.text.as_bytes();
    let listed = line.read()?;
    let is_loop = |remark: &Remark| matches!(remark, Remark::Loops { .. });
    let has_loops = listed.remarks.iter().any(is_loop);
    let digraph = match listed.graph {
        AnyGraph::Undirected(graph) => {
            let graph = LineGraph::Undirected(graph.into());
            return Ok(Some((text, graph, has_loops)));
        }
        AnyGraph::Directed(digraph) => digraph,
    };
    let mut properties = criteria.properties.iter().map(|(property, _)| property);
    match properties.find(|property| property.holds_directed.is_none()) {
        None => Ok(Some((text, LineGraph::Directed(digraph), has_loops))),
        Some(property) => {
            let directed = PROPERTIES.iter().filter(|property| property.holds_directed.is_some());
            let options: Vec<_> = directed.map(|property| format!("--{}", property.name)).collect();
            Err(BadLine::Directed {
                number,
                text: line.text.chars().take(60).collect(),
                property: property.name,
                directed: format!("{} or --cycles", options.join(", ")),
            })
        }
    }
}

/// Writes the output for the graph of a line.
fn write(form: Form, line: &Line<'_>, graph: &LineGraph, verdict: &Verdict, out: &mut Vec<u8>) -> io::Result<()> {
    let &Line { field: file, number, text, .. } = line;
    match form {
        Form::Nothing => Ok(()),
        Form::Lines => {
            if verdict.matches == Some(true) {
                out.extend_from_slice(text);
                out.push(b'\n');
            }
            Ok(())
        }
        Form::Csv => {
            let unknown = || "unknown".to_owned();
            let values = verdict.values.iter();
            let values: Vec<_> = values.map(|value| value.known.clone().unwrap_or_else(unknown)).collect();
            let matches = verdict.matches.map_or_else(unknown, |matches| matches.to_string());
            // The characters of graph6, sparse6 and digraph6 need no quotes.
            let text = String::from_utf8_lossy(text);
            writeln!(out, "{file},{number},{text},{},{},{},{matches}", graph.n(), graph.n_edges(), values.join(","))
        }
        Form::Json => {
            let text = serde_json::Value::from(String::from_utf8_lossy(text));
            let mut values = String::new();
            for Value { name, known } in &verdict.values {
                // Counts are strings, since most readers keep only 53 bits of a number.
                let value = match known {
                    Some(known) if known.bytes().all(|byte| byte.is_ascii_digit()) => {
                        format!("\"{known}\"")
                    }
                    Some(known) => known.clone(),
                    None => "null".to_owned(),
                };
                values += &format!("\"{name}\":{value},");
            }
            let matches = verdict.matches.map_or_else(|| "null".to_owned(), |matches| matches.to_string());
            let (n, edges) = (graph.n(), graph.n_edges());
            writeln!(
                out,
                "{{\"file\":{file},\"line\":{number},\"graph\":{text},\"vertices\":{n},\"edges\":{edges},{values}\"match\":{matches}}}"
            )
        }
    }
}

/// Returns a text as a field of CSV.
fn csv_field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
