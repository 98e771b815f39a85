//! GML: a list of keys and values, where a value is a number, a text in quotes, or another list in brackets. The reader
//! uses only the keys in `graph [ directed 0 node [ id 1 label "a" ] edge [ source 1 target 2 ] ]` and ignores all
//! others. With `directed 1`, edges are arcs. If all vertices have distinct labels, vertices are named by their labels,
//! otherwise by their ids.
//!
//! # References
//!
//! - Michael Himsolt: *GML: A portable Graph File Format*, Universität Passau, 1997.

use quick_xml::escape::{escape, unescape};

use super::*;

impl Format {
    /// GML: `graph [ node [ id 1 ] edge [ source 1 target 2 ] ]`.
    pub const GML: Self = Self::new(&FormatKind {
        name: "gml",
        summary: "GML's 'graph [ node [ id 1 ] ]'",
        endings: &["gml"],
        begins,
        read,
        has_arcs: true,
        write,
        ..FormatKind::NONE
    });
}

const KEY: &str = "a key, such as \"node\" before \"[\"";
const END: &str = "\"]\" at the end; is the file complete?";
const VALUE: &str = "the value of a key: a number, a text in quotes or \"[\"";

static SYNTAX: Syntax = Syntax {
    comments: &[Comment { begin: "#", end: "\n", begins_line: false }],
    marks: &["[", "]"],
    escape: None,
    word: |rest| Ok(rest.find(|c: char| c.is_whitespace() || "[]\"".contains(c)).unwrap_or(rest.len())),
};

/// Key of a list, with its line.
type Key<'t> = (usize, &'t str);

/// Reads the next key of a list; `None` at the end of the list.
fn key<'t>(cursor: &mut Cursor<'t>) -> Result<Option<Key<'t>>, FormatError> {
    cursor.skip()?;
    let line = cursor.line;
    match cursor.rest.bytes().next() {
        None => Err(missing(0, END)),
        Some(b'"') => Err(not(line, &cursor.quoted()?, KEY)),
        Some(b'[') => Err(not(line, "[", KEY)),
        Some(b']') => {
            cursor.pass(1);
            Ok(None)
        }
        Some(_) => Ok(Some((line, cursor.word()))),
    }
}

/// Reads the opening bracket of the list that follows a key.
fn open(cursor: &mut Cursor<'_>, (line, key): Key<'_>) -> Result<(), FormatError> {
    if cursor.take("[")? {
        return Ok(());
    }
    cursor.token()?;
    Err(not(line, key, "a key followed by a list \"[\""))
}

/// Reads the value of a key: a number or a string. The escapes in a string are decoded; if they are invalid, the string
/// is returned as written.
fn value(cursor: &mut Cursor<'_>, (line, key): Key<'_>) -> Result<String, FormatError> {
    cursor.skip()?;
    match cursor.rest.bytes().next() {
        None | Some(b'[' | b']') => Err(not(line, key, "a key followed by a value")),
        Some(b'"') => {
            let text = cursor.quoted()?;
            Ok(unescape(&text).map_or_else(|_| text.to_string(), Into::into))
        }
        Some(_) => Ok(cursor.word().to_owned()),
    }
}

/// Skips the value of a key, which may be a list.
fn skip(cursor: &mut Cursor<'_>, (line, key): Key<'_>) -> Result<(), FormatError> {
    let mut depth = 0u64;
    loop {
        match cursor.token()?.ok_or_else(|| missing(0, END))? {
            (_, Token::Mark("[")) => depth += 1,
            (_, Token::Mark(_)) if depth == 0 => return Err(not(line, key, VALUE)),
            (_, Token::Mark(_)) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(());
        }
    }
}

/// True if a text begins like GML: any keys with simple values, and then a graph.
fn begins(text: &str) -> bool {
    let mut cursor = Cursor::new(text, &SYNTAX);
    let mut next = || cursor.token().ok().flatten().map(|(_, token)| token);
    while let Some(Token::Word(key)) = next() {
        match next() {
            Some(Token::Mark("[")) => return key.eq_ignore_ascii_case("graph"),
            Some(Token::Quoted(_)) => {}
            Some(Token::Word(word)) if word.parse::<f64>().is_ok() => {}
            _ => return false,
        }
    }
    false
}

fn read(text: &str) -> Result<TextGraph, FormatError> {
    let mut cursor = Cursor::new(text, &SYNTAX);
    let mut found = None;
    while let Some((line, token)) = cursor.token()? {
        let Token::Word(key) = token else {
            return Err(not(line, cursor.text_of_line(line), KEY));
        };
        if !key.eq_ignore_ascii_case("graph") {
            skip(&mut cursor, (line, key))?;
        } else if found.is_some() {
            return Err(unsupported(line, "a second graph"));
        } else {
            open(&mut cursor, (line, key))?;
            found = Some(graph(&mut cursor)?);
        }
    }
    found.ok_or_else(|| missing(0, "\"graph [\""))
}

/// Reads a graph whose opening bracket has already been consumed.
fn graph(cursor: &mut Cursor<'_>) -> Result<TextGraph, FormatError> {
    let mut arcs = Vec::new();
    let mut edges = NamedEdges::default();
    let mut is_directed = false;
    while let Some(of @ (line, word)) = key(cursor)? {
        match word.to_ascii_lowercase().as_str() {
            "directed" => is_directed = value(cursor, of)? == "1",
            "node" => {
                let [id, label] = two(cursor, of, ["id", "label"])?;
                edges.declare(line, &id.ok_or_else(|| not(line, word, "a node with an id"))?, label)?;
            }
            "edge" => match two(cursor, of, ["source", "target"])? {
                [Some(source), Some(target)] => arcs.push((line, source, target)),
                _ => return Err(not(line, word, "an edge with a source and a target")),
            },
            _ => skip(cursor, of)?,
        }
    }
    for (line, source, target) in &arcs {
        let (a, b) = (edges.declared(*line, source)?, edges.declared(*line, target)?);
        edges.push(*line, is_directed, a, b);
    }
    edges.graph(Format::GML, Declared::edges_or_arcs(is_directed))
}

/// Reads the list after a key. Returns the values of the two keys `keys` in this list.
fn two(cursor: &mut Cursor<'_>, of: Key<'_>, keys: [&str; 2]) -> Result<[Option<String>; 2], FormatError> {
    open(cursor, of)?;
    let mut values = [None, None];
    while let Some(of @ (_, word)) = key(cursor)? {
        match keys.iter().position(|known| known.eq_ignore_ascii_case(word)) {
            Some(place) => values[place] = Some(value(cursor, of)?),
            None => skip(cursor, of)?,
        }
    }
    Ok(values)
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(out, "graph [")?;
    if graph.is_directed {
        writeln!(out, "  directed 1")?;
    }
    for v in graph.digraph.vertices() {
        let (id, label) = (v.number() + 1, in_ascii(&graph.names.name(v)));
        writeln!(out, "  node [ id {id} label \"{label}\" ]")?;
    }
    graph.numbered_pairs().try_for_each(|[a, b]| writeln!(out, "  edge [ source {a} target {b} ]"))?;
    Ok(writeln!(out, "]")?)
}

/// Escapes a name for GML: special characters such as quotes, and characters outside ASCII, become entities.
fn in_ascii(name: &str) -> String {
    let entity = |c: char| if c.is_ascii() { c.to_string() } else { format!("&#{};", u32::from(c)) };
    escape(name).chars().map(entity).collect()
}
