//! Phrases with figures, and their positions in a text with line breaks.

use std::collections::HashSet;
use std::ops::Range;

/// Placeholder for a figure in a phrase.
const HOLE: &str = "{}";

/// Phrase in which `{}` stands for each figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Phrase {
    /// Text before, between and after the placeholders. The number of pieces is one more than the number of
    /// placeholders.
    pieces: Vec<String>,
}

/// Position of a phrase in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    /// Range of the whole phrase.
    pub(super) whole: Range<usize>,
    /// Ranges of the figures in the text.
    pub(super) holes: Vec<Range<usize>>,
}

impl Phrase {
    /// Parses a phrase.
    #[must_use]
    pub(super) fn new(says: &str) -> Self {
        let pieces = says.trim().split(HOLE).map(str::to_owned);
        Self { pieces: pieces.collect() }
    }

    /// Returns the number of placeholders.
    #[must_use]
    pub(super) fn n_holes(&self) -> usize {
        self.pieces.len() - 1
    }

    /// Returns all positions of the phrase in a text. White space in the phrase matches any
    /// white space, and each placeholder matches a single word.
    #[must_use]
    pub(super) fn find(&self, text: &str) -> Vec<Found> {
        let mut before = ' ';
        let mut found = Vec::new();
        let mut failed = HashSet::new();
        for (start, c) in text.char_indices() {
            let mut holes = Vec::new();
            // A match must not begin in the middle of a word or of a number.
            let is_inside = before.is_alphanumeric() || ".,".contains(before);
            let is_begin = !is_inside && !c.is_whitespace();
            if is_begin && let Some(end) = behind(text, start, &self.pieces, &mut holes, &mut failed) {
                let whole = start..end;
                found.push(Found { whole, holes });
            }
            before = c;
        }
        found
    }
}

/// Matches the pieces of a phrase against the text from `start`. Adds the ranges between the pieces to `holes`, and
/// returns the end of the match. `failed` lists failed attempts, each as the number of remaining pieces and the
/// position. Without `failed`, phrases with many placeholders would take exponential time.
fn behind(
    text: &str,
    start: usize,
    pieces: &[String],
    holes: &mut Vec<Range<usize>>,
    failed: &mut HashSet<(usize, usize)>,
) -> Option<usize> {
    let (first, others) = pieces.split_first()?;
    let state = (pieces.len(), start);
    if failed.contains(&state) {
        return None;
    }
    let start = start + length(&text[start..], first)?;
    if others.is_empty() {
        return Some(start);
    }
    let word = text[start..].char_indices();
    let word = word.take_while(|(_, c)| !c.is_whitespace());
    // A full stop after a figure is not part of the figure.
    let ends = word.filter(|(_, c)| c.is_alphanumeric());
    let ends: Vec<_> = ends.map(|(k, c)| start + k + c.len_utf8()).collect();
    for end in ends.into_iter().rev() {
        holes.push(start..end);
        if let Some(end) = behind(text, end, others, holes, failed) {
            return Some(end);
        }
        holes.pop();
    }
    failed.insert(state);
    None
}

/// Returns the length of the prefix of `text` that matches `words`; `None` if the text begins with other words.
fn length(text: &str, words: &str) -> Option<usize> {
    let mut rest = text;
    let mut words = words.chars().peekable();
    while let Some(c) = words.next() {
        rest = if c.is_whitespace() {
            while words.next_if(|c| c.is_whitespace()).is_some() {}
            rest.strip_prefix(char::is_whitespace)?.trim_start()
        } else {
            rest.strip_prefix(c)?
        };
    }
    Some(text.len() - rest.len())
}

/// Returns the range of the text under a Markdown heading, up to the next heading of the same or a higher level.
#[must_use]
pub(super) fn section(text: &str, heading: &str) -> Option<Range<usize>> {
    let mut is_code = false;
    let mut start = 0;
    let mut inside: Option<(usize, usize)> = None;
    for line in text.split_inclusive('\n') {
        is_code ^= line.trim_start().starts_with("```");
        let rank = line.len() - line.trim_start_matches('#').len();
        if rank > 0 && !is_code {
            match inside {
                Some((begin, of)) if rank <= of => return Some(begin..start),
                None if line[rank..].trim() == heading => inside = Some((start + line.len(), rank)),
                _ => {}
            }
        }
        start += line.len();
    }
    inside.map(|(begin, _)| begin..text.len())
}

/// Returns the ranges of the numbers in a Markdown text. Skips digits in code, in the targets of links, in names of
/// boards, such as 8×8, and in names of programs, such as Z3.
#[must_use]
pub(super) fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut numbers = Vec::new();
    let mut at = 0;
    let mut before = ' ';
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let end = if c == '`' {
            let fence = rest.len() - rest.trim_start_matches('`').len();
            let (fence, behind) = rest.split_at(fence);
            behind.find(fence).map(|end| end + 2 * fence.len())
        } else if rest.starts_with("](") {
            rest.find(')').map(|end| end + 1)
        } else if c.is_ascii_digit() && !before.is_alphanumeric() && before != '_' {
            let digits = digits(rest);
            let is_name = rest[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '×');
            if !is_name {
                numbers.push(at..at + digits);
            }
            Some(digits)
        } else {
            None
        };
        let length = end.unwrap_or(c.len_utf8());
        // Digits inside a name, such as the second side of 8×8, are not a number.
        before = match rest[..length].chars().next_back() {
            Some('×') if before.is_ascii_digit() => '_',
            Some(last) => last,
            None => ' ',
        };
        at += length;
    }
    numbers
}

/// Returns the length of the number at the beginning of a text: digits, with points and commas between digits.
fn digits(text: &str) -> usize {
    let mut end = 0;
    for (k, c) in text.char_indices() {
        match c {
            '0'..='9' => end = k + 1,
            '.' | ',' if end == k => {}
            _ => break,
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(says: &str, text: &str) -> Vec<Vec<String>> {
        let found = Phrase::new(says).find(text).into_iter();
        let holes = found.map(|found| {
            let holes = found.holes.into_iter();
            holes.map(|hole| text[hole].to_owned()).collect()
        });
        holes.collect()
    }

    #[test]
    fn phrases_are_found_wherever_lines_break() {
        let text = "It takes 1.5\n  s, or 12 s;  at most 12.\nIt takes none.";
        assert_eq!(found("takes {} s, or {} s; at most {}", text), [["1.5", "12", "12"]]);
        assert_eq!(found("t takes", text), Vec::<Vec<String>>::new());
        assert_eq!(found("It takes {}", text), [["1.5"], ["none"]]);
        assert_eq!(found("{} s", text), [["1.5"], ["12"]]);
        assert_eq!(found("none", text), [Vec::<String>::new()]);
        // The letters can be distributed to the placeholders in too many ways to try all of them.
        let says = "{}".repeat(12) + " x";
        assert_eq!(found(&says, &"a".repeat(80)), Vec::<Vec<String>>::new());
        assert_eq!(found("({}×", "(8×8)"), [["8"]]);
    }

    #[test]
    fn numbers_are_told_from_names() {
        let text = "On 8×8 and 10x10, Z3 4.8.12 took 1.5 s (2) of `3 s`, [4](5.md) 1,000 and 7.\n```\n6\n```\n9";
        let numbers: Vec<_> = numbers(text).into_iter().map(|number| &text[number]).collect();
        assert_eq!(numbers, ["4.8.12", "1.5", "2", "4", "1,000", "7", "9"]);
    }

    #[test]
    fn sections_end_at_the_next_of_their_rank() {
        let text = "# A\na\n## B\nb\n```\n# no\n```\n### C\nc\n## D\nd\n";
        assert_eq!(&text[section(text, "C").unwrap()], "c\n");
        assert_eq!(&text[section(text, "B").unwrap()], "b\n```\n# no\n```\n### C\nc\n");
        assert_eq!(&text[section(text, "D").unwrap()], "d\n");
        assert_eq!(section(text, "no"), None);
    }
}
