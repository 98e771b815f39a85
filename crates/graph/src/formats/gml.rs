//! GML: a list of keys and values, where a value is a number, a text in quotes, or another list in brackets. The reader
//! uses only the keys in `graph [ directed 0 node [ id 1 label "a" ] edge [ source 1 target 2 ] ]` and ignores all
//! others. With `directed 1`, edges are arcs. If all vertices have distinct labels, vertices are named by their labels,
//! otherwise by their ids.
//!
//! # References
//!
//! - Michael Himsolt: *GML: A portable Graph File Format*, Universität Passau, 1997.

use std::io::{self, Write};

use quick_xml::escape::{escape, unescape};

use super::named_edges::NamedEdges;
use super::{Declared, Format, FormatError, FormatKind, TextGraph, Wrong, at, not};
use crate::digraph::Digraph;
use crate::vertex_names::VertexNames;

impl Format {
    /// GML: `graph [ node [ id 1 ] edge [ source 1 target 2 ] ]`.
    pub const GML: Self = Self::new(&FormatKind {
        name: "gml",
        summary: "GML's 'graph [ node [ id 1 ] ]'",
        endings: &["gml"],
        begins,
        read,
        write: |graph, names, out| Ok(write(graph, names, false, out)?),
        write_directed: Some(|digraph, names, out| Ok(write(digraph, names, true, out)?)),
        ..FormatKind::NONE
    });
}

const KEY: &str = "a key, such as \"node\" before \"[\"";
const VALUE: &str = "the value of a key: a number, a text in quotes or \"[\"";
const NODE: &str = "a node with an id";
const EDGE: &str = "an edge with a source and a target";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'t> {
    /// The mark `[`.
    Open,
    /// The mark `]`.
    Close,
    /// A key or a number.
    Word(&'t str),
    /// Text between quotes, with its escapes.
    Quoted(&'t str),
}

/// Tokenizer of a GML text.
struct Tokens<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: text, line: 1 }
    }

    fn pass(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        passed
    }

    /// Returns the next token and its line; `None` at the end of the text.
    fn next(&mut self) -> Result<Option<(usize, Token<'t>)>, FormatError> {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            self.pass(blank);
            if !self.rest.starts_with('#') {
                break;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.pass(end);
        }
        let line = self.line;
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        let token = match first {
            '[' => {
                self.pass(1);
                Token::Open
            }
            ']' => {
                self.pass(1);
                Token::Close
            }
            '"' => {
                let missing = || at(line, Wrong::Missing("closing quote"));
                let end = self.rest[1..].find('"').ok_or_else(missing)?;
                let quoted = self.pass(end + 2);
                Token::Quoted(&quoted[1..=end])
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "[]\"".contains(c);
                let end = self.rest.find(ends).unwrap_or(self.rest.len());
                Token::Word(self.pass(end))
            }
        };
        Ok(Some((line, token)))
    }

    /// Returns the next key of a list and the key's line; `None` at the end of the list.
    fn key(&mut self) -> Result<Option<(usize, &'t str)>, FormatError> {
        match self.next()? {
            Some((line, Token::Word(key))) => Ok(Some((line, key))),
            Some((_, Token::Close)) => Ok(None),
            Some((line, Token::Open)) => Err(not(line, "[", KEY)),
            Some((line, Token::Quoted(text))) => Err(not(line, text, KEY)),
            None => Err(Wrong::Missing("\"]\" at the end; is the file complete?").into()),
        }
    }

    /// Consumes the opening bracket of the list that follows a key.
    fn open(&mut self, line: usize, key: &str) -> Result<(), FormatError> {
        match self.next()? {
            Some((_, Token::Open)) => Ok(()),
            _ => Err(not(line, key, "a key followed by a list \"[\"")),
        }
    }

    /// Reads the value of a key: a number or a string. The escapes in a string are decoded; if they are invalid, the
    /// string is returned as written.
    fn value(&mut self, line: usize, key: &str) -> Result<String, FormatError> {
        match self.next()? {
            Some((_, Token::Word(word))) => Ok(word.to_owned()),
            Some((_, Token::Quoted(text))) => {
                let plain = unescape(text).map(std::borrow::Cow::into_owned);
                Ok(plain.unwrap_or_else(|_| text.to_owned()))
            }
            _ => Err(not(line, key, "a key followed by a value")),
        }
    }

    /// Skips the value of a key, which may be a list.
    fn skip(&mut self, line: usize, key: &str) -> Result<(), FormatError> {
        let mut depth = 0u64;
        loop {
            match self.next()? {
                Some((_, Token::Open)) => depth += 1,
                Some((_, Token::Close)) if depth == 0 => return Err(not(line, key, VALUE)),
                Some((_, Token::Close)) => depth -= 1,
                Some(_) => {}
                None => {
                    return Err(Wrong::Missing("\"]\" at the end; is the file complete?").into());
                }
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

/// True if a text begins like GML: any keys with simple values, and then a graph.
pub(super) fn begins(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    loop {
        let Ok(Some((_, Token::Word(key)))) = tokens.next() else {
            return false;
        };
        match tokens.next() {
            Ok(Some((_, Token::Open))) => return key.eq_ignore_ascii_case("graph"),
            Ok(Some((_, Token::Quoted(_)))) => {}
            Ok(Some((_, Token::Word(word)))) if word.parse::<f64>().is_ok() => {}
            _ => return false,
        }
    }
}

pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut tokens = Tokens::new(text);
    let mut found = None;
    while let Some((line, token)) = tokens.next()? {
        let Token::Word(key) = token else {
            let first = text.lines().nth(line - 1).unwrap_or_default();
            return Err(not(line, first, KEY));
        };
        match key.eq_ignore_ascii_case("graph") {
            true if found.is_some() => {
                return Err(at(line, Wrong::NotRead("a second graph".to_owned())));
            }
            true => {
                tokens.open(line, key)?;
                found = Some(graph(&mut tokens)?);
            }
            false => tokens.skip(line, key)?,
        }
    }
    found.ok_or_else(|| Wrong::Missing("\"graph [\"").into())
}

/// Reads a graph whose opening bracket has already been consumed.
fn graph(tokens: &mut Tokens<'_>) -> Result<TextGraph, FormatError> {
    let mut arcs = Vec::new();
    let mut edges = NamedEdges::default();
    let mut is_directed = false;
    while let Some((line, key)) = tokens.key()? {
        match key.to_ascii_lowercase().as_str() {
            "directed" => is_directed = tokens.value(line, key)? == "1",
            "node" => {
                let [id, label] = two(tokens, line, key, ["id", "label"])?;
                let key = id.ok_or_else(|| not(line, key, NODE))?;
                edges.declare(line, &key, label)?;
            }
            "edge" => match two(tokens, line, key, ["source", "target"])? {
                [Some(source), Some(target)] => arcs.push((line, source, target)),
                _ => return Err(not(line, key, EDGE)),
            },
            _ => tokens.skip(line, key)?,
        }
    }
    for (line, source, target) in &arcs {
        let (a, b) = (edges.declared(*line, source)?, edges.declared(*line, target)?);
        match is_directed {
            true => edges.push_arc(a, b),
            false => edges.push(a, b),
        }
    }
    let declared = match is_directed {
        true => Declared::Digraph,
        false => Declared::Edges,
    };
    edges.graph(Format::GML, declared)
}

/// Reads the list after the key `of`. Returns the values of the two keys `keys` in this list.
fn two(tokens: &mut Tokens<'_>, line: usize, of: &str, keys: [&str; 2]) -> Result<[Option<String>; 2], FormatError> {
    tokens.open(line, of)?;
    let mut values = [None, None];
    while let Some((line, key)) = tokens.key()? {
        match keys.iter().position(|known| known.eq_ignore_ascii_case(key)) {
            Some(place) => values[place] = Some(tokens.value(line, key)?),
            None => tokens.skip(line, key)?,
        }
    }
    Ok(values)
}

/// Writes the edges of an undirected graph, or, if `directed` is true, the arcs of a digraph.
fn write(graph: &Digraph, names: &VertexNames, directed: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "graph [")?;
    if directed {
        writeln!(out, "  directed 1")?;
    }
    for v in graph.vertices() {
        let (id, label) = (v.number() + 1, in_ascii(&names.name(v)));
        writeln!(out, "  node [ id {id} label \"{label}\" ]")?;
    }
    for arc in graph.arcs_or_edges(directed) {
        let [a, b] = [arc.tail, arc.head].map(|v| v.number() + 1);
        writeln!(out, "  edge [ source {a} target {b} ]")?;
    }
    writeln!(out, "]")
}

/// Escapes a name for GML: special characters such as quotes, and characters outside ASCII, become entities.
fn in_ascii(name: &str) -> String {
    let mut text = String::new();
    for c in escape(name).chars() {
        match c.is_ascii() {
            true => text.push(c),
            false => text.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    text
}
