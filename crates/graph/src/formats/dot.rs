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

use super::*;

impl Format {
    /// DOT, the format of Graphviz: `graph { a -- b; }`.
    pub const DOT: Self = Self::new(&FormatKind {
        name: "dot",
        summary: "Graphviz's 'graph { a -- b }'",
        endings: &["dot", "gv"],
        begins,
        read: |text| super::only(read(text)?),
        read_several: Some(read),
        has_arcs: true,
        write,
        ..FormatKind::NONE
    });
}

const GRAPH: &str = "\"graph NAME {\"";
const STATEMENT: &str = "a vertex, an edge \"A -- B\", an attribute or \"}\"";
const END: &str = "the name of a vertex";
const ATTRIBUTES: &str = "attributes \"[NAME=VALUE, ...]\"";

static SYNTAX: Syntax = Syntax {
    comments: &[
        Comment { begin: "/*", end: "*/", begins_line: false },
        Comment { begin: "//", end: "\n", begins_line: false },
        Comment { begin: "#", end: "\n", begins_line: true },
    ],
    marks: &["--", "->", "{", "}", "[", "]", ";", ",", ":", "=", "+"],
    // A backslash is an escape only before a quote or the end of a line.
    escape: Some(|both| match both {
        "\\\"" => "\"",
        "\\\n" => "",
        both => both,
    }),
    word,
};

/// Returns the length of a name, a number, or an HTML text in angle brackets.
fn word(rest: &str) -> Result<usize, Wrong> {
    if rest.starts_with('<') {
        let mut depth = 0u64;
        let end = rest.find(|c: char| {
            depth += u64::from(c == '<');
            depth -= u64::from(c == '>');
            depth == 0
        });
        return end.map(|end| end + 1).ok_or_else(|| missing(0, "\">\" for this \"<\"").wrong);
    }
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
    let behind = rest.strip_prefix('-').unwrap_or(rest);
    let after_digits = behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let digits = &behind[..behind.len() - after_digits.len()];
    let points = digits.matches('.').count();
    let is_number = !digits.is_empty() || behind.len() < rest.len();
    let (after, is_word) = match is_number {
        true => (after_digits, digits.len() > points && points < 2 && !after_digits.starts_with(letters)),
        false => (rest.trim_start_matches(letters), rest.starts_with(letters)),
    };
    match is_word {
        true => Ok(rest.len() - after.len()),
        false => Err(not(0, rest.lines().next().unwrap_or_default().trim_end(), STATEMENT).wrong),
    }
}

/// Largest number of pairs that an edge between lists or subgraphs may join. Without a limit, a short text could have
/// very many edges.
const MOST_PAIRS: usize = 1 << 24;

fn is_keyword(token: &Token<'_>) -> bool {
    ["graph", "digraph", "subgraph", "node", "edge", "strict"].iter().any(|keyword| token.is(keyword))
}

/// Returns the error for a token in the wrong place.
fn wrong(line: usize, token: &Token<'_>, expected: &'static str) -> FormatError {
    match token {
        Token::Mark(text) | Token::Word(text) => not(line, text, expected),
        Token::Quoted(text) => not(line, &format!("\"{text}\""), expected),
    }
}

/// Reader of a text, with the graph that it is reading.
struct Reader<'t> {
    cursor: Cursor<'t>,
    edges: NamedEdges,
    is_directed: bool,
    /// Number of braces around the cursor.
    depth: u32,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        Self { cursor: Cursor::new(text, &SYNTAX), edges: NamedEdges::default(), is_directed: false, depth: 0 }
    }

    /// Reads the next token. The end of the text is an error.
    fn token(&mut self) -> Result<(usize, Token<'t>), FormatError> {
        self.cursor.token()?.ok_or_else(|| missing(0, "\"}\" at the end; is the file complete?"))
    }

    /// Returns the name that begins with this token. Quoted texts joined by `+` are one name.
    fn name(&mut self, line: usize, token: Token<'t>, expected: &'static str) -> Result<Cow<'t, str>, FormatError> {
        match token {
            Token::Word(word) if word.starts_with('<') => Err(unsupported(line, "an HTML name")),
            Token::Word(word) if !is_keyword(&token) => Ok(Cow::Borrowed(word)),
            Token::Quoted(mut text) => {
                while self.cursor.take("+")? {
                    match self.token()? {
                        (_, Token::Quoted(more)) => text.to_mut().push_str(&more),
                        (line, token) => return Err(wrong(line, &token, END)),
                    }
                }
                Ok(text)
            }
            token => Err(wrong(line, &token, expected)),
        }
    }

    /// Reads a graph, and returns it; `None` at the end of the text.
    fn graph(&mut self, is_first: bool) -> Result<Option<TextGraph>, FormatError> {
        let Some((line, mut first)) = self.cursor.token()? else {
            return Ok(None);
        };
        if first.is("strict") {
            (_, first) = self.token()?;
        }
        self.is_directed = first.is("digraph");
        if !self.is_directed && !first.is("graph") {
            let expected = if is_first { GRAPH } else { "the end of the file after \"}\"" };
            return Err(wrong(line, &first, expected));
        }
        if !self.cursor.take("{")? {
            self.token()?;
            if !self.cursor.take("{")? {
                self.cursor.token()?;
                return Err(not(line, self.cursor.text_of_line(line), GRAPH));
            }
        }
        self.statements()?;
        let edges = std::mem::take(&mut self.edges);
        edges.graph(Format::DOT, Declared::edges_or_arcs(self.is_directed)).map(Some)
    }

    /// Reads statements up to the closing brace of a graph or subgraph. Returns their vertices, sorted.
    fn statements(&mut self) -> Result<Vec<u32>, FormatError> {
        // Limits the depth of the recursion: each subgraph takes two recursive calls.
        const DEEPEST: u32 = 50;
        if self.depth > DEEPEST {
            return Err(unsupported(self.cursor.line, format!("a text with more than {DEEPEST} nested subgraphs")));
        }
        self.depth += 1;
        let mut all = Vec::new();
        loop {
            match self.token()? {
                (_, Token::Mark(";")) => {}
                (_, Token::Mark("}")) => break,
                (_, token) if ["graph", "node", "edge"].iter().any(|word| token.is(word)) => self.pass_attributes()?,
                (line, token) => all.extend(self.chain(line, token)?),
            }
        }
        self.depth -= 1;
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    /// Reads a statement that begins with a vertex or a subgraph: vertices, edges or the assignment of an attribute.
    /// Returns the vertices.
    fn chain(&mut self, line: usize, token: Token<'t>) -> Result<Vec<u32>, FormatError> {
        let Some(mut tails) = self.vertices(line, token, STATEMENT)? else {
            return Ok(Vec::new());
        };
        let mut all = tails.clone();
        while let Some(mark) = self.cursor.mark(&["--", "->"])? {
            let (this, meant) = match self.is_directed {
                false => ("graph", "digraph { a -> b }"),
                true => ("digraph", "graph { a -- b }"),
            };
            if self.is_directed != (mark == "->") {
                let line = self.cursor.line;
                return Err(at(line, format!("\"{mark}\" is no edge of a \"{this}\"; write \"{meant}\"")));
            }
            let (line, token) = self.token()?;
            let heads = self.vertices(line, token, END)?.ok_or_else(|| not(line, "=", END))?;
            if tails.len().saturating_mul(heads.len()) > MOST_PAIRS {
                return Err(unsupported(line, format!("an edge that joins more than {MOST_PAIRS} pairs")));
            }
            for &tail in &tails {
                heads.iter().for_each(|&head| self.edges.push(line, self.is_directed, tail, head));
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
        mut line: usize,
        mut token: Token<'t>,
        expected: &'static str,
    ) -> Result<Option<Vec<u32>>, FormatError> {
        if token.is("subgraph") {
            (line, token) = self.token()?;
            if token != Token::Mark("{") {
                self.name(line, token, "a subgraph's name or \"{\"")?;
                token = Token::Mark("{");
                if !self.cursor.take("{")? {
                    self.cursor.token()?;
                    return Err(unsupported(line, "a subgraph without \"{\""));
                }
            }
        }
        if token == Token::Mark("{") {
            return self.statements().map(Some);
        }
        let mut name = self.name(line, token, expected)?;
        if expected == STATEMENT && self.cursor.take("=")? {
            self.token()?;
            return Ok(None);
        }
        let mut vertices = Vec::new();
        loop {
            while self.cursor.take(":")? {
                let (line, port) = self.token()?;
                self.name(line, port, "a port")?;
            }
            vertices.push(self.edges.vertex(line, &name)?);
            if !self.cursor.take(",")? {
                break;
            }
            let (next, token) = self.token()?;
            (line, name) = (next, self.name(next, token, END)?);
        }
        vertices.sort_unstable();
        vertices.dedup();
        Ok(Some(vertices))
    }

    /// Skips lists of attributes in square brackets, if they come next.
    fn pass_attributes(&mut self) -> Result<(), FormatError> {
        while self.cursor.take("[")? {
            loop {
                match self.token()? {
                    (_, Token::Mark("]")) => break,
                    (line, token @ Token::Mark("[" | "{" | "}")) => return Err(wrong(line, &token, ATTRIBUTES)),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

/// True if a text begins like a DOT file.
fn begins(text: &str) -> bool {
    let mut cursor = Cursor::new(text, &SYNTAX);
    let mut next = || cursor.token().ok().flatten().map(|(_, token)| token);
    let mut token = next();
    if token.as_ref().is_some_and(|token| token.is("strict")) {
        token = next();
    }
    let is_graph = token.is_some_and(|token| token.is("graph") || token.is("digraph"));
    is_graph
        && match next() {
            Some(Token::Mark(mark)) => mark == "{",
            Some(_) => next() == Some(Token::Mark("{")),
            None => false,
        }
}

/// Reads all graphs of a text.
fn read(text: &str) -> Result<Vec<TextGraph>, FormatError> {
    let mut reader = Reader::new(text);
    let mut graphs = Vec::new();
    while let Some(graph) = reader.graph(graphs.is_empty())? {
        graphs.push(graph);
    }
    Ok(graphs)
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let names = graph.spelled(Format::DOT, spelled)?;
    let (word, mark) = if graph.is_directed { ("digraph", "->") } else { ("graph", "--") };
    writeln!(out, "{word} {{")?;
    names.iter().try_for_each(|name| writeln!(out, "  {name};"))?;
    graph.write_pairs(&names, |a, b| writeln!(out, "  {a} {mark} {b};"))?;
    Ok(writeln!(out, "}}")?)
}

/// Returns a name in DOT's syntax: in quotes, unless the name is a number or a plain word.
fn spelled(name: &str) -> Option<String> {
    let all_digits = name.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !is_keyword(&Token::Word(name));
    if !name.is_empty() && (all_digits || is_word) {
        return Some(name.to_owned());
    }
    // DOT would read a backslash before a quote as an escape, so the name cannot be written.
    let is_written = !name.contains("\\\"") && !name.ends_with('\\');
    is_written.then(|| format!("\"{}\"", name.replace('"', "\\\"")))
}
