//! Tables in Markdown, and limits in words.

use hamcnf_count::frontier::Bytes;
use hamcnf_graph::limits::Limits;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

/// Formats a table. The first row is the heading. The first `left` columns contain text, the others numbers. Vertical
/// bars and HTML tags in cells are escaped.
pub fn table(rows: Vec<Vec<String>>, left: usize) -> String {
    let rows = rows.into_iter().map(|row| row.iter().map(|cell| in_a_cell(cell)).collect::<Vec<_>>());
    let mut table = Builder::from_iter(rows).build();
    table.with(Style::markdown());
    table.modify(Columns::new(left..), Alignment::right());
    table.to_string() + "\n"
}

/// Escapes the text of a cell. Vertical bars that are already escaped are left unchanged.
fn in_a_cell(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let mut cell = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let begins_a_tag = |next: &char| next.is_ascii_alphabetic() || "/!?".contains(*next);
        match c {
            '|' if !cell.ends_with('\\') => cell.push_str("\\|"),
            '<' if chars.peek().is_some_and(begins_a_tag) => cell.push_str("&lt;"),
            c => cell.push(c),
        }
    }
    cell
}

/// Formats a number of things, such as `2 rows`. The plural of the noun ends with an s.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Formats the limits of a run in words, such as `60 s of wall time and 1000 conflicts`.
pub fn limits_in_words(limits: &Limits) -> String {
    let said = [
        limits.wall.map(|wall| format!("{} s of wall time", wall.as_secs_f64())),
        limits.cpu.map(|cpu| format!("{} s of CPU time", cpu.as_secs_f64())),
        limits.memory.map(|memory| format!("{} of memory", Bytes(memory))),
        limits.conflicts.map(|conflicts| format!("{conflicts} conflicts")),
    ];
    match said.into_iter().flatten().collect::<Vec<_>>().as_slice() {
        [] => "no limit".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
#[test]
fn bars_and_tags_are_escaped() {
    assert_eq!(in_a_cell("a|b\\|c"), "a\\|b\\|c");
    assert_eq!(in_a_cell("< 0.001\n</b>"), "< 0.001 &lt;/b>");
}
