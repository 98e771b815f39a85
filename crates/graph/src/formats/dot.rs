//! Graphviz's DOT, reduced to the parts that describe a graph: `graph name { a; b -- c -- d [weight=2]; }`.
//!
//! Attributes and ports are ignored. An end of an edge can be a list `a, b` or a subgraph `{a b}`, and then stands for
//! each of its vertices. Edges are `--` after the word `graph`, and arcs `->` after `digraph`; as in Graphviz, a text
//! with the other mark is rejected. Names are words, numbers, or texts in quotes, where `\"` is a quote. Comments are as
//! in C; lines that begin with `#` are comments too. A text may have several graphs.
//!
//! # References
//!
//! - Gansner, Koutsofios, North: *Drawing graphs with dot*, appendix A.

use std::borrow::Cow;
use std::io::Write;

use super::named_edges::NamedEdges;
use super::{Declared, Format, FormatError, FormatKind, TextGraph, WriteError, Wrong, at, not};
use crate::digraph::Digraph;
use crate::graph::Vertex;
use crate::vertex_names::VertexNames;

impl Format {
    /// DOT, the format of Graphviz: `graph { a -- b; }`.
    pub const DOT: Self = Self::new(&FormatKind {
        name: "dot",
        summary: "Graphviz's 'graph { a -- b }'",
        endings: &["dot", "gv"],
        begins,
        read: |text| super::only(read(text)?),
        read_several: Some(read),
        write: |graph, names, out| write(graph, names, false, out),
        write_directed: Some(|digraph, names, out| write(digraph, names, true, out)),
        ..FormatKind::NONE
    });
}

const GRAPH: &str = "\"graph NAME {\"";
const STATEMENT: &str = "a vertex, an edge \"A -- B\", an attribute or \"}\"";
const END: &str = "the name of a vertex";
const ATTRIBUTES: &str = "attributes \"[NAME=VALUE, ...]\"";

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token<'t> {
    /// The mark `--` of an undirected edge.
    Edge,
    /// The mark `->` of a directed edge.
    Arc,
    /// One of the marks `{}[];,:=+`.
    Mark(char),
    /// A bare word, which may be a keyword.
    Word(&'t str),
    /// Text between quotes, unescaped.
    Quoted(Cow<'t, str>),
    /// HTML text in angle brackets.
    Html(&'t str),
}

impl Token<'_> {
    /// True if the token is this keyword, in upper or lower case.
    fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }

    fn is_keyword(&self) -> bool {
        KEYWORDS.iter().any(|keyword| self.is(keyword))
    }
}

/// Largest number of pairs that an edge between lists or subgraphs may join. Without a limit, a short text could have
/// very many edges.
const MOST_PAIRS: usize = 1 << 24;

const KEYWORDS: [&str; 6] = ["graph", "digraph", "subgraph", "node", "edge", "strict"];

/// Tokenizer of a DOT text.
struct Tokens<'t> {
    rest: &'t str,
    line: usize,
    next: Option<(usize, Token<'t>)>,
    /// True if only blanks precede on the current line, so that `#` would begin a comment.
    begins: bool,
}

impl<'t> Tokens<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: text, line: 1, next: None, begins: true }
    }

    /// Consumes the next `bytes` bytes and returns them.
    fn pass(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        passed
    }

    /// Skips everything up to the end of the next occurrence of `text`, and returns true. If `text` does not occur,
    /// skips the rest and returns false.
    fn pass_through(&mut self, text: &str) -> bool {
        match self.rest.find(text) {
            Some(place) => {
                self.pass(place + text.len());
                true
            }
            None => {
                self.pass(self.rest.len());
                false
            }
        }
    }

    /// Skips blanks and comments before the next token.
    fn skip(&mut self) -> Result<(), FormatError> {
        loop {
            let (line, rest) = (self.line, self.rest);
            let blank = rest.len() - rest.trim_start().len();
            self.begins |= self.pass(blank).contains('\n');
            let ends = if self.rest.starts_with("/*") {
                self.pass(2);
                self.pass_through("*/")
            } else if self.rest.starts_with("//") || self.begins && self.rest.starts_with('#') {
                self.pass_through("\n");
                self.begins = true;
                true
            } else {
                return Ok(());
            };
            if !ends {
                return Err(at(line, Wrong::Missing("\"*/\" after \"/*\"")));
            }
        }
    }

    /// Returns the next token without consuming it.
    fn peek(&mut self) -> Result<Option<&Token<'t>>, FormatError> {
        if self.next.is_none() {
            self.next = self.token()?;
        }
        Ok(self.next.as_ref().map(|(_, token)| token))
    }

    fn next(&mut self) -> Result<Option<(usize, Token<'t>)>, FormatError> {
        match self.next.take() {
            Some(next) => Ok(Some(next)),
            None => self.token(),
        }
    }

    /// Consumes and returns the next token with its line. The end of the text is an error.
    fn some(&mut self) -> Result<(usize, Token<'t>), FormatError> {
        let none = || Wrong::Missing("\"}\" at the end; is the file complete?").into();
        self.next()?.ok_or_else(none)
    }

    /// Consumes this mark if it is the next token. Returns true if the mark was consumed.
    fn take(&mut self, mark: char) -> Result<bool, FormatError> {
        let comes = self.peek()? == Some(&Token::Mark(mark));
        if comes {
            self.next = None;
        }
        Ok(comes)
    }

    fn token(&mut self) -> Result<Option<(usize, Token<'t>)>, FormatError> {
        self.skip()?;
        let (line, rest) = (self.line, self.rest);
        self.begins = false;
        let Some(first) = rest.chars().next() else {
            return Ok(None);
        };
        let token = if rest.starts_with("--") {
            self.pass(2);
            Token::Edge
        } else if rest.starts_with("->") {
            self.pass(2);
            Token::Arc
        } else if "{}[];,:=+".contains(first) {
            self.pass(1);
            Token::Mark(first)
        } else if first == '"' {
            Token::Quoted(self.quoted(line)?)
        } else if first == '<' {
            Token::Html(self.html(line)?)
        } else {
            let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
            let in_number = |c: char| c.is_ascii_digit() || c == '.';
            let is_number = in_number(first) || first == '-';
            let behind = rest.strip_prefix('-').unwrap_or(rest);
            let length = match is_number {
                true => rest.len() - behind.trim_start_matches(in_number).len(),
                false => rest.len() - rest.trim_start_matches(letters).len(),
            };
            let word = self.pass(length);
            let digits = word.strip_prefix('-').unwrap_or(word);
            let points = digits.matches('.').count();
            let whole = match is_number {
                true => digits.len() > points && points < 2 && !self.rest.starts_with(letters),
                false => !word.is_empty(),
            };
            if !whole {
                let shown = rest.lines().next().unwrap_or_default();
                return Err(not(line, shown.trim_end(), STATEMENT));
            }
            Token::Word(word)
        };
        Ok(Some((line, token)))
    }

    /// Reads a quoted text and returns it unescaped, without the quotes.
    fn quoted(&mut self, line: usize) -> Result<Cow<'t, str>, FormatError> {
        let mut text = Cow::Borrowed("");
        let none = || at(line, Wrong::Missing("closing quote"));
        self.pass(1);
        loop {
            let place = self.rest.find(['"', '\\']).ok_or_else(none)?;
            let before = self.pass(place);
            match text.is_empty() {
                true => text = Cow::Borrowed(before),
                false => text.to_mut().push_str(before),
            }
            if self.rest.starts_with('"') {
                self.pass(1);
                return Ok(text);
            }
            // A backslash is an escape only before a quote or the end of a line.
            let mut two = self.rest.chars().skip(1);
            let second = two.next().ok_or_else(none)?;
            let escape = self.pass(1 + second.len_utf8());
            match second {
                '"' => text.to_mut().push('"'),
                '\n' => {}
                _ => text.to_mut().push_str(escape),
            }
        }
    }

    /// Reads a text in angle brackets, which may be nested.
    fn html(&mut self, line: usize) -> Result<&'t str, FormatError> {
        let mut depth = 0u64;
        let end = self.rest.find(|c: char| {
            depth += u64::from(c == '<');
            depth -= u64::from(c == '>');
            depth == 0
        });
        match end {
            Some(end) => Ok(self.pass(end + 1)),
            None => Err(at(line, Wrong::Missing("\">\" for this \"<\""))),
        }
    }

    /// Returns the name that begins with this token. Quoted texts joined by `+` are one name.
    fn name(&mut self, line: usize, token: Token<'t>, expected: &'static str) -> Result<Cow<'t, str>, FormatError> {
        match token {
            Token::Word(word) if !token.is_keyword() => Ok(Cow::Borrowed(word)),
            Token::Quoted(mut text) => {
                while self.take('+')? {
                    match self.some()? {
                        (_, Token::Quoted(more)) => text.to_mut().push_str(&more),
                        (line, token) => return Err(not(line, &shown(&token), END)),
                    }
                }
                Ok(text)
            }
            Token::Html(_) => Err(at(line, Wrong::NotRead("an HTML name".to_owned()))),
            token => Err(not(line, &shown(&token), expected)),
        }
    }

    /// Reads statements up to the closing brace of a graph or subgraph. Returns their vertices, sorted.
    fn statements(&mut self, graph: &mut Contents, depth: u32) -> Result<Vec<u32>, FormatError> {
        // Limits the depth of the recursion: each subgraph takes two recursive calls.
        const DEEPEST: u32 = 50;
        if depth > DEEPEST {
            let what = format!("a text with more than {DEEPEST} nested subgraphs");
            return Err(at(self.line, Wrong::NotRead(what)));
        }
        let mut all = Vec::new();
        loop {
            let (line, token) = self.some()?;
            match token {
                Token::Mark(';') => {}
                Token::Mark('}') => {
                    all.sort_unstable();
                    all.dedup();
                    return Ok(all);
                }
                token if token.is("graph") || token.is("node") || token.is("edge") => {
                    self.pass_attributes()?;
                }
                token => all.extend(self.chain(line, token, graph, depth)?),
            }
        }
    }

    /// Reads a statement that begins with a vertex or a subgraph: vertices, edges or the assignment of an attribute.
    /// Returns the vertices.
    fn chain(
        &mut self,
        line: usize,
        token: Token<'t>,
        graph: &mut Contents,
        depth: u32,
    ) -> Result<Vec<u32>, FormatError> {
        let Some(mut tails) = self.vertices(line, token, STATEMENT, graph, depth)? else {
            return Ok(Vec::new());
        };
        let mut all = tails.clone();
        loop {
            let is_arc = match self.peek()? {
                Some(Token::Edge) => false,
                Some(Token::Arc) => true,
                _ => break,
            };
            self.next()?;
            if is_arc != graph.is_directed {
                return Err(at(self.line, Wrong::DotMark { is_arc }));
            }
            let (line, token) = self.some()?;
            let heads = self.vertices(line, token, END, graph, depth)?;
            let heads = heads.ok_or_else(|| not(line, "=", END))?;
            if tails.len().saturating_mul(heads.len()) > MOST_PAIRS {
                let what = format!("an edge that joins more than {MOST_PAIRS} pairs");
                return Err(at(line, Wrong::NotRead(what)));
            }
            for &tail in &tails {
                for &head in &heads {
                    match is_arc {
                        true => graph.edges.push_arc(tail, head),
                        false => graph.edges.push(tail, head),
                    }
                }
            }
            all.extend(&heads);
            tails = heads;
        }
        self.pass_attributes()?;
        Ok(all)
    }

    /// Reads the vertices at one end of an edge: a list of vertices, or all vertices of a subgraph. Returns `None` for
    /// the assignment of an attribute, which can stand only where `expected` is [`STATEMENT`].
    fn vertices(
        &mut self,
        line: usize,
        token: Token<'t>,
        expected: &'static str,
        graph: &mut Contents,
        depth: u32,
    ) -> Result<Option<Vec<u32>>, FormatError> {
        if token.is("subgraph") {
            if !self.take('{')? {
                let (line, name) = self.some()?;
                self.name(line, name, "a subgraph's name or \"{\"")?;
                if !self.take('{')? {
                    let what = "a subgraph without \"{\"".to_owned();
                    return Err(at(line, Wrong::NotRead(what)));
                }
            }
            return self.statements(graph, depth + 1).map(Some);
        }
        if token == Token::Mark('{') {
            return self.statements(graph, depth + 1).map(Some);
        }
        let name = self.name(line, token, expected)?;
        if expected == STATEMENT && self.take('=')? {
            self.some()?;
            return Ok(None);
        }
        let mut vertices = vec![self.edge_end(line, &name, &mut graph.edges)?];
        while self.take(',')? {
            let (line, token) = self.some()?;
            let name = self.name(line, token, END)?;
            vertices.push(self.edge_end(line, &name, &mut graph.edges)?);
        }
        vertices.sort_unstable();
        vertices.dedup();
        Ok(Some(vertices))
    }

    /// Skips ports after the name of a vertex, and returns the vertex with this name.
    fn edge_end(&mut self, line: usize, name: &str, edges: &mut NamedEdges) -> Result<u32, FormatError> {
        while self.take(':')? {
            let (line, port) = self.some()?;
            self.name(line, port, "a port")?;
        }
        edges.vertex(line, name)
    }

    /// Skips lists of attributes in square brackets, if they come next.
    fn pass_attributes(&mut self) -> Result<(), FormatError> {
        while self.take('[')? {
            loop {
                match self.some()? {
                    (_, Token::Mark(']')) => break,
                    (line, token @ Token::Mark('[' | '{' | '}')) => {
                        return Err(not(line, &shown(&token), ATTRIBUTES));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// Vertices and edges of a graph that have been read so far.
#[derive(Default)]
struct Contents {
    edges: NamedEdges,
    is_directed: bool,
}

/// Formats a token for messages.
fn shown(token: &Token<'_>) -> String {
    match token {
        Token::Edge => "--".to_owned(),
        Token::Arc => "->".to_owned(),
        Token::Mark(mark) => mark.to_string(),
        Token::Word(word) => (*word).to_owned(),
        Token::Quoted(text) => format!("\"{text}\""),
        Token::Html(text) => (*text).to_owned(),
    }
}

/// True if a text begins like a DOT file.
pub(super) fn begins(text: &str) -> bool {
    let mut tokens = Tokens::new(text);
    let Ok(Some((_, first))) = tokens.next() else {
        return false;
    };
    let is_name = |token: &Token<'_>| matches!(token, Token::Word(_) | Token::Quoted(_) | Token::Html(_));
    let opens = |tokens: &mut Tokens<'_>| match tokens.next() {
        Ok(Some((_, Token::Mark('{')))) => true,
        Ok(Some((_, token))) if is_name(&token) => {
            matches!(tokens.next(), Ok(Some((_, Token::Mark('{')))))
        }
        _ => false,
    };
    let is_graph = |token: &Token<'_>| token.is("graph") || token.is("digraph");
    if first.is("strict") {
        return matches!(tokens.next(), Ok(Some((_, second))) if is_graph(&second)) && opens(&mut tokens);
    }
    is_graph(&first) && opens(&mut tokens)
}

/// Reads all graphs of a text.
pub(super) fn read(text: &str) -> Result<Vec<TextGraph>, FormatError> {
    let mut tokens = Tokens::new(text);
    let mut graphs = Vec::new();
    while let Some((line, mut first)) = tokens.next()? {
        if first.is("strict") {
            (_, first) = tokens.some()?;
        }
        let is_directed = first.is("digraph");
        if !is_directed && !first.is("graph") {
            return Err(match graphs.is_empty() {
                true => not(line, &shown(&first), GRAPH),
                false => not(line, &shown(&first), "the end of the file after \"}\""),
            });
        }
        if !tokens.take('{')? {
            tokens.some()?;
            if !tokens.take('{')? {
                let first = text.lines().nth(line - 1).unwrap_or_default();
                return Err(not(line, first, GRAPH));
            }
        }
        let mut graph = Contents { is_directed, ..Contents::default() };
        tokens.statements(&mut graph, 0)?;
        let declared = match is_directed {
            true => Declared::Digraph,
            false => Declared::Edges,
        };
        graphs.push(graph.edges.graph(Format::DOT, declared)?);
    }
    Ok(graphs)
}

/// Writes the edges of an undirected graph, or, if `directed` is true, the arcs of a digraph.
fn write(graph: &Digraph, names: &VertexNames, directed: bool, out: &mut dyn Write) -> Result<(), WriteError> {
    // Check all names first, so that no partial output is written.
    graph.vertices().try_for_each(|v| name(names, v).map(drop))?;
    let (word, mark) = match directed {
        true => ("digraph", "->"),
        false => ("graph", "--"),
    };
    writeln!(out, "{word} {{")?;
    for v in graph.vertices() {
        writeln!(out, "  {};", name(names, v)?)?;
    }
    for arc in graph.arcs_or_edges(directed) {
        let (a, b) = (name(names, arc.tail)?, name(names, arc.head)?);
        writeln!(out, "  {a} {mark} {b};")?;
    }
    writeln!(out, "}}")?;
    Ok(())
}

/// Returns the name of a vertex in DOT's syntax: in quotes, unless the name is a number or a plain word.
fn name(names: &VertexNames, v: Vertex) -> Result<String, WriteError> {
    let name = names.name(v);
    let all_digits = name.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !Token::Word(&name).is_keyword();
    if !name.is_empty() && (all_digits || is_word) {
        return Ok(name);
    }
    // DOT would read a backslash before a quote as an escape, so the name cannot be written.
    if name.contains("\\\"") || name.ends_with('\\') {
        let format = Format::DOT;
        return Err(WriteError::Name { format, name });
    }
    Ok(format!("\"{}\"", name.replace('"', "\\\"")))
}
