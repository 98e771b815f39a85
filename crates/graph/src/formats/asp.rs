//! Facts of answer set programs in clingo's syntax: `node(1..4). edge(1,(2;3)). edge(a,b).` A line may have several
//! facts.
//!
//! The predicates `vertex` and `vtx` also declare vertices, and `arc(u,v)` is an edge with a direction. Ranges, pools
//! and `#const` mean the same as in clingo. Other facts, a third argument of an edge, and `#show` are ignored. Rules
//! are rejected. `%` begins a comment.
//!
//! # References
//!
//! - Gebser et al.: *Potassco User Guide*, version 2.2, 2019, section 3.

use std::collections::HashMap;
use std::io::Write;

use super::named_edges::NamedEdges;
use super::{Declared, Format, FormatError, FormatKind, Remark, TextGraph, WriteError, Wrong, at, lines, not};
use crate::digraph::Digraph;
use crate::graph::Vertex;
use crate::vertex_names::VertexNames;

impl Format {
    /// Facts of answer set programs: `node(1..3). edge(1,2).`
    pub const ASP: Self = Self::new(&FormatKind {
        name: "asp",
        summary: "facts for clingo, 'node(1..3). edge(1,2).'",
        endings: &["lp", "asp"],
        comment: Some('%'),
        begins,
        read,
        write: |graph, names, out| write(graph, names, false, out),
        write_directed: Some(|digraph, names, out| write(digraph, names, true, out)),
        ..FormatKind::NONE
    });
}

const VERTICES: [&str; 3] = ["node", "vertex", "vtx"];
const EDGES: [&str; 2] = ["edge", "arc"];
const FACT: &str = "a fact such as \"edge(1,2).\"";
const TERM: &str = "a number, a name, a text in quotes, a range \"1..9\" or a pool \"(1;2)\"";

/// Maximum number of facts that ranges and pools may produce. Without a limit, a short text could produce very many
/// facts.
const MOST_FACTS: usize = 1 << 20;

/// True if a text begins with a fact about a graph, or with the definition of a constant.
pub(super) fn begins(text: &str) -> bool {
    let mut reader = Reader::new(text);
    if reader.skip().is_err() {
        return false;
    }
    if reader.rest.starts_with("#const ") {
        return true;
    }
    let word = reader.word();
    let is_known = VERTICES.contains(&word) || EDGES.contains(&word);
    is_known && reader.skip().is_ok() && reader.rest.starts_with('(')
}

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut reader = Reader::new(text);
    let mut edges = NamedEdges::default();
    let mut has_weights = false;
    let mut is_empty = true;
    loop {
        reader.skip()?;
        let line = reader.line;
        if reader.rest.is_empty() {
            break;
        }
        if reader.rest.starts_with('#') {
            reader.directive()?;
            continue;
        }
        let begins = reader.rest;
        let name = reader.word();
        if name.is_empty() {
            return Err(not(line, first_line(begins), FACT));
        }
        let facts = match reader.take('(')? {
            true => reader.arguments()?,
            false => Vec::new(),
        };
        if !reader.take('.')? {
            return Err(match reader.rest.is_empty() {
                true => Wrong::Missing("\".\" after the last fact; is the file complete?").into(),
                false => not(line, first_line(begins), FACT),
            });
        }
        if VERTICES.contains(&name) {
            for fact in &facts {
                let vertex = fact.first().ok_or_else(|| not(line, first_line(begins), FACT))?;
                edges.list(line, vertex)?;
                is_empty = false;
            }
        } else if EDGES.contains(&name) {
            for fact in &facts {
                let ([a, b] | [a, b, _]) = fact.as_slice() else {
                    return Err(not(line, first_line(begins), FACT));
                };
                has_weights |= fact.len() == 3;
                let (a, b) = (edges.vertex(line, a)?, edges.vertex(line, b)?);
                match name {
                    "arc" => edges.push_arc(a, b),
                    _ => edges.push_on(line, a, b),
                }
                is_empty = false;
            }
        }
    }
    if is_empty && lines(text).next().map(|(_, line)| line.to_owned()) != Format::ASP.said() {
        return Err(Wrong::Missing("fact \"edge(U,V).\" or \"node(V).\"").into());
    }
    let declared = match edges.has_arcs() {
        true => Declared::EitherArcs,
        false => Declared::Nothing,
    };
    let graph = edges.graph(Format::ASP, declared)?;
    Ok(graph.with(has_weights.then_some(Remark::Weights)))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Reader of a text that consists of facts.
struct Reader<'t> {
    rest: &'t str,
    line: usize,
    constants: HashMap<&'t str, String>,
    /// Number of further facts that ranges and pools may produce.
    room: usize,
    depth: u32,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: text, line: 1, constants: HashMap::new(), room: MOST_FACTS.max(text.len()), depth: 0 }
    }

    fn pass(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        passed
    }

    /// Skips blanks and comments before the next token.
    fn skip(&mut self) -> Result<(), FormatError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.pass(blank);
            if self.rest.starts_with("%*") {
                let missing = at(self.line, Wrong::Missing("\"*%\" after \"%*\""));
                let end = self.rest.find("*%").ok_or(missing)?;
                self.pass(end + 2);
            } else if self.rest.starts_with('%') {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.pass(end);
            } else {
                return Ok(());
            }
        }
    }

    /// Skips blanks and comments. If `mark` is next, consumes it and returns true; otherwise returns false.
    fn take(&mut self, mark: char) -> Result<bool, FormatError> {
        self.skip()?;
        let comes = self.rest.starts_with(mark);
        if comes {
            self.pass(mark.len_utf8());
        }
        Ok(comes)
    }

    /// Consumes the next word and returns it; returns an empty string if there is none.
    fn word(&mut self) -> &'t str {
        let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == '\'');
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        self.pass(end)
    }

    /// Reads a directive: stores a constant, ignores `#show`, and rejects all others.
    fn directive(&mut self) -> Result<(), FormatError> {
        let (line, begins) = (self.line, self.rest);
        let wrong = || not(line, first_line(begins), "\"#const NAME=NUMBER.\" or \"#show\"");
        self.pass(1);
        match self.word() {
            "const" => {
                self.skip()?;
                let name = self.word();
                if !self.take('=')? {
                    return Err(wrong());
                }
                self.skip()?;
                let value = self.word();
                let is_number = value.parse::<i64>().is_ok();
                if name.is_empty() || !is_number || !self.take('.')? {
                    return Err(wrong());
                }
                self.constants.insert(name, value.to_owned());
                Ok(())
            }
            "show" => {
                let end = self.rest.find('.').ok_or_else(wrong)?;
                self.pass(end + 1);
                Ok(())
            }
            _ => Err(wrong()),
        }
    }

    /// Reads the arguments of a fact up to the closing bracket. Ranges and pools stand for several values, so the
    /// result has one list of arguments for each combination of values.
    fn arguments(&mut self) -> Result<Vec<Vec<String>>, FormatError> {
        // Limits the depth of the recursion: each nested bracket takes one recursive call.
        const DEEPEST: u32 = 50;
        self.depth += 1;
        if self.depth > DEEPEST {
            let what = format!("a term with more than {DEEPEST} nested brackets");
            return Err(at(self.line, Wrong::NotRead(what)));
        }
        let mut all = Vec::new();
        let mut lists = vec![Vec::new()];
        loop {
            let values = self.term()?;
            let line = self.line;
            let product = lists.len().saturating_mul(values.len());
            if values.len() > 1 {
                let too_many = || at(line, Wrong::TooLarge(product as u64));
                self.room = self.room.checked_sub(product).ok_or_else(too_many)?;
            }
            lists = lists
                .iter()
                .flat_map(|list: &Vec<String>| {
                    values.iter().map(|value| {
                        let mut longer = list.clone();
                        longer.push(value.clone());
                        longer
                    })
                })
                .collect();
            if self.take(',')? {
                continue;
            }
            all.append(&mut lists);
            if self.take(';')? {
                lists = vec![Vec::new()];
                continue;
            }
            if self.take(')')? {
                self.depth -= 1;
                return Ok(all);
            }
            return Err(self.no_term());
        }
    }

    /// Reads a term and returns its values. A range or a pool has several values.
    fn term(&mut self) -> Result<Vec<String>, FormatError> {
        let values = self.single()?;
        self.skip()?;
        if !self.rest.starts_with("..") {
            return Ok(values);
        }
        let line = self.line;
        self.pass(2);
        let last = self.single()?;
        let number = |values: &[String]| match values {
            [value] => value.parse::<i64>().ok(),
            _ => None,
        };
        let (Some(first), Some(last)) = (number(&values), number(&last)) else {
            return Err(self.no_term());
        };
        let many = last.abs_diff(first).saturating_add(1);
        if last >= first && many > self.room as u64 {
            return Err(at(line, Wrong::TooLarge(many)));
        }
        Ok((first..=last).map(|number| number.to_string()).collect())
    }

    fn single(&mut self) -> Result<Vec<String>, FormatError> {
        self.skip()?;
        if self.take('(')? {
            let lists = self.arguments()?;
            let name = |list: Vec<String>| match <[String; 1]>::try_from(list) {
                Ok([only]) => only,
                Err(several) => format!("({})", several.join(",")),
            };
            return Ok(lists.into_iter().map(name).collect());
        }
        if self.rest.starts_with('"') {
            return self.quoted().map(|text| vec![text]);
        }
        let minus = if self.take('-')? { "-" } else { "" };
        let begins = self.rest;
        let word = self.word();
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let is_variable = word.starts_with(char::is_uppercase);
        let begins_with_digit = word.starts_with(|c: char| c.is_ascii_digit());
        if word.is_empty() || is_variable || (begins_with_digit || !minus.is_empty()) && !is_number {
            self.rest = begins;
            return Err(self.no_term());
        }
        if self.rest.starts_with('(') {
            self.pass(1);
            let lists = self.arguments()?;
            let terms = lists.iter().map(|list| format!("{word}({})", list.join(",")));
            return Ok(terms.collect());
        }
        let constant = self.constants.get(word);
        let value = constant.map_or(word, String::as_str);
        Ok(vec![format!("{minus}{value}")])
    }

    /// Reads a text in quotes and returns it unescaped, without the quotes.
    fn quoted(&mut self) -> Result<String, FormatError> {
        let missing = at(self.line, Wrong::Missing("closing quote"));
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((place, c)) = characters.next() {
            match c {
                '"' => {
                    self.pass(place + 1);
                    return Ok(text);
                }
                '\\' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, escaped)) => text.push(escaped),
                    None => break,
                },
                c => text.push(c),
            }
        }
        Err(missing)
    }

    fn no_term(&self) -> FormatError {
        match self.rest.is_empty() {
            true => Wrong::Missing("\")\" and \".\" after the last fact; is the file complete?").into(),
            false => not(self.line, first_line(self.rest), TERM),
        }
    }
}

/// Writes the edges of an undirected graph, or, if `directed` is true, the arcs of a digraph.
fn write(graph: &Digraph, names: &VertexNames, directed: bool, out: &mut dyn Write) -> Result<(), WriteError> {
    let mut vertices = graph.vertices();
    match (vertices.next(), vertices.next_back(), names) {
        (None, ..) => super::write_said(Format::ASP, out)?,
        (Some(first), Some(last), VertexNames::Numbers(_)) => {
            let [first, last] = [first, last].map(|v| names.name(v));
            writeln!(out, "node({first}..{last}).")?;
        }
        _ => {
            for v in graph.vertices() {
                writeln!(out, "node({}).", term(names, v))?;
            }
        }
    }
    let fact = if directed { "arc" } else { "edge" };
    for arc in graph.arcs_or_edges(directed) {
        let (a, b) = (term(names, arc.tail), term(names, arc.head));
        writeln!(out, "{fact}({a},{b}).")?;
    }
    Ok(())
}

/// Returns the name of a vertex as a term: in quotes, unless the name is a number or a word that begins with a
/// lower-case letter.
fn term(names: &VertexNames, v: Vertex) -> String {
    let name = names.name(v);
    let is_number = name.parse::<u32>().is_ok_and(|n| n.to_string() == name);
    let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name != "not";
    match is_number || is_word {
        true => name,
        false => format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}
