//! Names of graph formats that are not read, for the message about a text that no format has accepted. Each is a line in
//! [`FOREIGN`]. Forms of JSON that are not read are named in `json.rs`.
//!
//! # References
//!
//! - The formats' own pages: LEDA's manual; Large Graph Layout (LGL); GUESS (GDF); yEd (TGF); SteinLib (STP); Cytoscape
//!   (SIF); nauty (dreadnaut); KONECT's handbook; gSpan.

use super::*;

/// Name of a format, and a function that recognises a text by its first line and its lines.
type Foreign = (&'static str, fn(&str, &str) -> bool);

/// Formats that are not read.
const FOREIGN: [Foreign; 14] = [
    ("UCINET's DL", |first, _| first.get(..3).is_some_and(|dl| dl.eq_ignore_ascii_case("dl ")) && first.contains('=')),
    ("LEDA's format", |first, _| first == "LEDA.GRAPH"),
    ("GDF", |first, _| first.starts_with("nodedef>")),
    ("SteinLib's STP", |first, _| first.starts_with("33D32945")),
    ("Mermaid", |first, text| {
        let is_start = first.starts_with("graph ") || first.starts_with("flowchart ");
        is_start && !text.contains('{') && text.contains("--")
    }),
    ("edges of DOT without `graph {` and `}` around them", |_, text| {
        all(text, |row| row.len() == 3 && ["--", "->"].contains(&row[1]))
    }),
    ("MiniZinc data", |first, text| text.contains("[|") || first.ends_with("];") && first.contains("= [")),
    ("dreadnaut's input", |first, _| {
        first.strip_prefix("n=").is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()))
    }),
    ("a KONECT list with times in a fourth column", |first, text| {
        konect(first).is_some() && rows(text).next().is_some_and(|row| row.len() == 4)
    }),
    ("a list of \"v\" and \"e\" lines", |first, text| {
        let is_start = first.starts_with("t ") || first.starts_with("v ");
        is_start && all(text, |row| ["t", "v", "e"].contains(&row[0])) && rows(text).any(|row| row[0] == "e")
    }),
    ("a Python dictionary", |first, _| {
        let key = first.strip_prefix('{').map(str::trim_start).unwrap_or_default();
        let (key, _) = key.split_once(':').unwrap_or_default();
        !key.is_empty() && !key.contains([',', '"', '{', '['])
    }),
    ("TGF", is_tgf),
    ("LGL", |first, text| {
        let is_name = |line: &str| line.starts_with("# ") && line.split(' ').count() == 2;
        let names = || lines(text).filter(|(_, line)| is_comment(line));
        is_name(first)
            && names().count() > 1
            && names().all(|(_, line)| is_name(line))
            && all(text, |row| row.len() == 1 || row.len() == 2 && row[1].contains('.'))
    }),
    ("SIF", |_, text| {
        let relation = rows(text).next().and_then(|row| row.get(1).copied()).unwrap_or_default();
        let is_one = |row: &[&str]| row.len() == 3 && row[1] == relation;
        let is_word = relation.len() > 1 && relation.bytes().all(|byte| byte.is_ascii_alphabetic());
        is_word && rows(text).count() > 1 && all(text, is_one)
    }),
];

/// Returns the error for a text in a format that is not read; `None` for other texts.
pub(super) fn named(text: &str) -> Option<FormatError> {
    let (number, first) = lines(text).next()?;
    let (name, _) = FOREIGN.iter().find(|(_, is_format)| is_format(first, text))?;
    Some(foreign(number, name))
}

/// Returns the kind of a KONECT list, `sym`, `asym` or `bip`, if the first line declares one.
pub(super) fn konect(first: &str) -> Option<&str> {
    let kind = first.strip_prefix('%')?.split_whitespace().next()?;
    ["sym", "asym", "bip"].contains(&kind).then_some(kind)
}

/// Words of each line that is no comment.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    content(text).map(|(_, line)| line.split_whitespace().collect())
}

/// True if the text has rows and all of them satisfy a condition.
fn all(text: &str, is: impl Fn(&[&str]) -> bool) -> bool {
    rows(text).next().is_some() && rows(text).all(|row| is(&row))
}

/// True if a text lists vertices, each with a label or without, then a line "#", and then edges between them.
fn is_tgf(_: &str, text: &str) -> bool {
    if !text.contains("\n#\n") && !text.contains("\n#\r") {
        return false;
    }
    let mut all = lines(text).map(|(_, line)| line.split_whitespace().collect::<Vec<_>>());
    let ids: Vec<_> = all.by_ref().take_while(|row| row != &["#"]).map(|row| row[0]).collect();
    let edges: Vec<_> = all.collect();
    let are_edges = edges.iter().all(|row| row.len() > 1 && row[..2].iter().all(|id| ids.contains(id)));
    !edges.is_empty() && !ids.is_empty() && are_edges
}
