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

use super::*;

impl Format {
    /// Facts of answer set programs: `node(1..3). edge(1,2).`
    pub const ASP: Self = Self::new(&FormatKind {
        name: "asp",
        summary: "facts for clingo, 'node(1..3). edge(1,2).'",
        endings: &["lp", "asp"],
        comment: Some('%'),
        begins,
        read,
        has_arcs: true,
        write,
        ..FormatKind::NONE
    });
}

const VERTICES: [&str; 3] = ["node", "vertex", "vtx"];
const EDGES: [&str; 2] = ["edge", "arc"];
const FACT: &str = "a fact such as \"edge(1,2).\"";
const TERM: &str = "a number, a name, a text in quotes, a range \"1..9\" or a pool \"(1;2)\"";

static SYNTAX: Syntax = Syntax {
    comments: &[
        Comment { begin: "%*", end: "*%", begins_line: false },
        Comment { begin: "%", end: "\n", begins_line: false },
    ],
    marks: &[],
    escape: Some(|both| if both == "\\n" { "\n" } else { &both[1..] }),
    word: |rest| Ok(rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(rest.len())),
};

/// Maximum number of facts that ranges and pools may produce. Without a limit, a short text could produce very many
/// facts.
const MOST_FACTS: usize = 1 << 20;

/// True if a text begins with a fact about a graph, perhaps after other facts such as `n(4).`, or with the definition of a
/// constant.
fn begins(text: &str) -> bool {
    let mut cursor = Cursor::new(text, &SYNTAX);
    while cursor.skip().is_ok() {
        if cursor.rest.starts_with("#const ") {
            return true;
        }
        let word = cursor.word();
        if word.is_empty() || cursor.take("(") != Ok(true) {
            return false;
        }
        if VERTICES.contains(&word) || EDGES.contains(&word) {
            return true;
        }
        let Some(end) = cursor.rest.find(").") else {
            return false;
        };
        cursor.pass(end + 2);
    }
    false
}

fn read(text: &str) -> Result<TextGraph, FormatError> {
    let room = MOST_FACTS.max(text.len());
    let mut reader = Reader { cursor: Cursor::new(text, &SYNTAX), constants: HashMap::new(), room, depth: 0 };
    let mut edges = NamedEdges::default();
    let (mut has_weights, mut is_empty) = (false, true);
    loop {
        reader.cursor.skip()?;
        let (line, rest) = (reader.cursor.line, reader.cursor.rest);
        if rest.is_empty() {
            break;
        }
        if rest.starts_with('#') {
            reader.directive()?;
            continue;
        }
        let wrong = || not(line, rest.lines().next().unwrap_or_default(), FACT);
        let name = reader.cursor.word();
        if name.is_empty() {
            return Err(wrong());
        }
        let facts = if reader.cursor.take("(")? { reader.arguments()? } else { Vec::new() };
        if !reader.cursor.take(".")? {
            return Err(match reader.cursor.rest.is_empty() {
                true => missing(0, "\".\" after the last fact; is the file complete?"),
                false => wrong(),
            });
        }
        let (is_vertex, is_edge) = (VERTICES.contains(&name), EDGES.contains(&name));
        for fact in facts.iter().filter(|_| is_vertex || is_edge) {
            is_empty = false;
            match fact.as_slice() {
                [vertex, ..] if is_vertex => _ = edges.list(line, vertex)?,
                [a, b] | [a, b, _] => {
                    has_weights |= fact.len() == 3;
                    let (a, b) = (edges.vertex(line, a)?, edges.vertex(line, b)?);
                    edges.push(line, name == "arc", a, b);
                }
                _ => return Err(wrong()),
            }
        }
    }
    if is_empty && !Format::ASP.is_title_of(text) {
        return Err(missing(0, "fact \"edge(U,V).\" or \"node(V).\""));
    }
    let declared = if edges.pairs.arcs.is_empty() { Declared::Nothing } else { Declared::EitherArcs };
    let graph = edges.graph(Format::ASP, declared)?;
    Ok(graph.with(has_weights.then_some(Remark::WEIGHTS)))
}

/// Reader of a text that consists of facts.
struct Reader<'t> {
    cursor: Cursor<'t>,
    constants: HashMap<&'t str, String>,
    /// Number of further facts that ranges and pools may produce.
    room: usize,
    depth: u32,
}

impl Reader<'_> {
    /// Reads a directive: stores a constant, ignores `#show`, and rejects all others.
    fn directive(&mut self) -> Result<(), FormatError> {
        let cursor = &mut self.cursor;
        let (line, begin) = (cursor.line, cursor.rest_of_line());
        let wrong = || not(line, begin, "\"#const NAME=NUMBER.\" or \"#show\"");
        cursor.pass(1);
        match cursor.word() {
            "const" => {
                cursor.skip()?;
                let name = cursor.word();
                if !cursor.take("=")? {
                    return Err(wrong());
                }
                cursor.skip()?;
                let value = cursor.word();
                if name.is_empty() || value.parse::<i64>().is_err() || !cursor.take(".")? {
                    return Err(wrong());
                }
                self.constants.insert(name, value.to_owned());
            }
            "show" => {
                let end = cursor.rest.find('.').ok_or_else(wrong)?;
                cursor.pass(end + 1);
            }
            _ => return Err(wrong()),
        }
        Ok(())
    }

    /// Reads the arguments of a fact up to the closing bracket. Ranges and pools stand for several values, so the
    /// result has one list of arguments for each combination of values.
    fn arguments(&mut self) -> Result<Vec<Vec<String>>, FormatError> {
        // Limits the depth of the recursion: each nested bracket takes one recursive call.
        const DEEPEST: u32 = 50;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(unsupported(self.cursor.line, format!("a term with more than {DEEPEST} nested brackets")));
        }
        let mut all = Vec::new();
        let mut lists = vec![Vec::new()];
        loop {
            let mut values = self.term()?;
            let product = lists.len().saturating_mul(values.len());
            if values.len() > 1 {
                let too_many = || too_large(self.cursor.line, product as u64);
                self.room = self.room.checked_sub(product).ok_or_else(too_many)?;
            }
            match (lists.as_mut_slice(), values.as_slice()) {
                // Most terms have one value, and need no copies.
                ([list], [_]) => list.append(&mut values),
                _ => {
                    let longer = |list: &Vec<String>, value| [list.as_slice(), std::slice::from_ref(value)].concat();
                    lists = lists.iter().flat_map(|list| values.iter().map(|value| longer(list, value))).collect();
                }
            }
            match self.cursor.mark(&[",", ";", ")"])? {
                Some(",") => continue,
                None => return Err(self.no_term()),
                Some(mark) => {
                    all.append(&mut lists);
                    lists = vec![Vec::new()];
                    if mark == ")" {
                        self.depth -= 1;
                        return Ok(all);
                    }
                }
            }
        }
    }

    /// Reads a term and returns its values. A range or a pool has several values.
    fn term(&mut self) -> Result<Vec<String>, FormatError> {
        let values = self.single()?;
        self.cursor.skip()?;
        let line = self.cursor.line;
        if !self.cursor.take("..")? {
            return Ok(values);
        }
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
            return Err(too_large(line, many));
        }
        Ok((first..=last).map(|number| number.to_string()).collect())
    }

    fn single(&mut self) -> Result<Vec<String>, FormatError> {
        if self.cursor.take("(")? {
            let lists = self.arguments()?;
            let name = |list: Vec<String>| match <[String; 1]>::try_from(list) {
                Ok([only]) => only,
                Err(several) => format!("({})", several.join(",")),
            };
            return Ok(lists.into_iter().map(name).collect());
        }
        if self.cursor.rest.starts_with('"') {
            return Ok(vec![self.cursor.quoted()?.into_owned()]);
        }
        let minus = if self.cursor.take("-")? { "-" } else { "" };
        let begin = self.cursor.rest;
        let word = self.cursor.word();
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let is_variable = word.starts_with(char::is_uppercase);
        let begins_with_digit = word.starts_with(|c: char| c.is_ascii_digit());
        if word.is_empty() || is_variable || (begins_with_digit || !minus.is_empty()) && !is_number {
            self.cursor.rest = begin;
            return Err(self.no_term());
        }
        if self.cursor.rest.starts_with('(') {
            self.cursor.pass(1);
            let lists = self.arguments()?;
            return Ok(lists.iter().map(|list| format!("{word}({})", list.join(","))).collect());
        }
        let value = self.constants.get(word).map_or(word, String::as_str);
        Ok(vec![[minus, value].concat()])
    }

    fn no_term(&self) -> FormatError {
        match self.cursor.rest.is_empty() {
            true => missing(0, "\")\" and \".\" after the last fact; is the file complete?"),
            false => not(self.cursor.line, self.cursor.rest_of_line(), TERM),
        }
    }
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let terms = graph.spelled(Format::ASP, |name| Some(term(name)))?;
    match (terms.as_slice(), graph.names) {
        ([], _) => write_title(Format::ASP, out)?,
        ([first, .., last], VertexNames::Numbers(_)) => writeln!(out, "node({first}..{last}).")?,
        _ => terms.iter().try_for_each(|term| writeln!(out, "node({term})."))?,
    }
    let fact = if graph.is_directed { "arc" } else { "edge" };
    Ok(graph.write_pairs(&terms, |a, b| writeln!(out, "{fact}({a},{b})."))?)
}

/// Returns a name as a term: in quotes, unless the name is a number or a word that begins with a lower-case letter.
fn term(name: &str) -> String {
    let is_number = name.parse::<u32>().is_ok_and(|n| n.to_string() == name);
    let is_word = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name != "not";
    match is_number || is_word {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}
