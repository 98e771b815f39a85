//! Models with a circuit in DIMACS files. Comment lines name the literals of arcs or edges, so that any program which
//! writes DIMACS can ask for a circuit:
//!
//! ```text
//! c arc a b 1              the arc from a to b is on the circuit exactly if literal 1 is true
//! c edge a b -2            an undirected edge; a file has arcs or edges, not both
//! c skip c 3               vertex c is skipped exactly if literal 3 is true; `c arc c c 3` means the same
//! c vertex d               a vertex, if no other line names it
//! c circuit optional empty options of the circuit, in one line:
//!     optional             a vertex is skipped exactly if none of its arcs is true, unless it has a skip line
//!     empty                the circuit may be empty, if no vertex must be visited
//!     path S T             a path from S to T instead of a circuit; a `*` leaves an end free
//!     depot V              one or more circuits that have exactly the vertex V in common
//!     root V               every circuit visits V
//!     if LITERAL           the constraint holds if the literal is true
//!     at-least K, at-most K   bounds on the number of visited vertices
//! ```
//!
//! Vertices are words. A literal may also be `true` or `false`.

use std::collections::HashMap;
use std::io::BufRead;
use std::slice::Iter;
use std::str::SplitAsciiWhitespace;

use hamcnf_check::read_dimacs;
use hamcnf_encodings::circuit::{Circuit, CircuitModel};
use hamcnf_encodings::{Lit, Var};
use hamcnf_graph::VertexNames;
use hamcnf_tours::Term;

/// Reason why a text is no model with a circuit, with the line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ModelError(String);

/// Model with a circuit, and the comments that describe it.
#[derive(Clone, Debug)]
pub struct ModelFile {
    pub model: CircuitModel,
    /// Comment lines about the circuit, without their `c`.
    pub comments: Vec<String>,
    /// Variables of the projection line; `None` if there is no such line.
    pub projection: Option<Vec<Var>>,
}

/// First words of the comment lines.
const KEYS: [&str; 5] = ["arc", "edge", "skip", "vertex", "circuit"];

/// Adds an option to the circuit, and takes the words after its name. An error continues the message about the option.
type AddOption = for<'c> fn(&Reader, &'c mut Circuit, &mut Iter<'_, String>) -> Result<&'c mut Circuit, String>;

/// Options of the line `c circuit`.
const OPTIONS: [(&str, AddOption); 8] = [
    ("optional", |_, circuit, _| Ok(circuit.all_optional())),
    ("empty", |_, circuit, _| Ok(circuit.allow_empty())),
    ("path", |reader, circuit, words| {
        let mut end = || match words.next() {
            Some(star) if star == "*" => Ok(None),
            Some(word) => reader.known(Some(word)).map(Some),
            None => Err(" needs two ends; a * leaves an end free".to_owned()),
        };
        let (from, to) = (end()?, end()?);
        Ok(circuit.path(from, to))
    }),
    ("depot", |reader, circuit, words| Ok(circuit.depot(reader.known(words.next())?))),
    ("root", |reader, circuit, words| Ok(circuit.root(reader.known(words.next())?))),
    ("if", |reader, circuit, words| match reader.literal(words.next().map_or("", String::as_str)) {
        Ok(Term::Lit(condition)) => Ok(circuit.only_if(condition)),
        Ok(_) => Err(" needs a literal, not a constant".to_owned()),
        Err(why) => Err(format!(": {why}")),
    }),
    ("at-least", |_, circuit, words| Ok(circuit.at_least(number(words)?))),
    ("at-most", |_, circuit, words| Ok(circuit.at_most(number(words)?))),
];

/// Reads the number after an option's name.
fn number(words: &mut Iter<'_, String>) -> Result<u32, String> {
    words.next().and_then(|word| word.parse().ok()).ok_or_else(|| " needs a number".to_owned())
}

impl ModelFile {
    /// True if the first lines of a text may begin a model: they have a header of clauses, or an arc or edge. A formula of
    /// this program about a question is no model. Reads no further than the first line that is no comment.
    pub fn may_begin(text: impl BufRead) -> bool {
        let mut is_own = false;
        for line in text.split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            let mut words = line.split_ascii_whitespace();
            match (words.next(), words.next()) {
                (None, _) => {}
                (Some("c"), Some("arc" | "edge")) => return true,
                (Some("c"), Some("question")) if is_own => return false,
                (Some("c"), word) => is_own |= word == Some("hamcnf"),
                first => return first == (Some("p"), Some("cnf")),
            }
        }
        false
    }

    /// Reads a model; `None` if the text is no DIMACS file with comments about a circuit.
    ///
    /// # Errors
    ///
    /// [`ModelError`], with the line, if the circuit or the clauses cannot be read.
    pub fn read(text: &str) -> Option<Result<Self, ModelError>> {
        let is_header = |line: &str| line.split_ascii_whitespace().take(2).eq(["p", "cnf"]);
        let is_comment = |line: &str| line.is_empty() || line.starts_with('c');
        // Without a header, a line with a literal says that the file is meant as a model.
        let first = text.lines().map(str::trim).find(|line| !is_comment(line));
        let has_header = first.is_some_and(is_header);
        let is_other = first.is_some_and(|line| line.starts_with('p')) && !has_header;
        let is_link = |line: &str| {
            words(line).is_some_and(|(key, mut rest)| match key {
                "arc" | "edge" => has_header || rest.nth(2).is_some_and(is_literal),
                "circuit" => has_header && rest.next().is_none_or(is_option),
                _ => false,
            })
        };
        let has_circuit = !is_other && text.lines().any(is_link);
        has_circuit.then(|| Self::parse(text))
    }

    fn parse(text: &str) -> Result<Self, ModelError> {
        let mut clauses = Vec::new();
        let n_vars = read_dimacs(text.as_bytes(), &mut clauses).map_err(|error| ModelError(error.to_string()))?;
        let mut reader = Reader { n_vars, ..Reader::default() };
        let (mut comments, mut projection) = (Vec::new(), None);
        for (number, line) in (1..).zip(text.lines()) {
            let place = |why: String| ModelError(format!("line {number}: {why}"));
            if let Some((key, rest)) = words(line) {
                reader.line(number, key, rest).map_err(place)?;
                comments.push(line.trim().trim_start_matches('c').trim().to_owned());
            } else if let Some((word, key)) = misspelt(line) {
                return Err(place(format!(
                    "\"c {word}\" is a misspelt \"c {key}\": correct it, or write another comment"
                )));
            } else if let Some(variables) = projected(line) {
                projection = Some(
                    variables
                        .split_ascii_whitespace()
                        .take_while(|&word| word != "0")
                        .map(|word| {
                            let literal = reader.literal(word).map_err(place)?;
                            match literal {
                                Term::Lit(literal) => Ok(literal.var()),
                                _ => Err(place(format!("\"{word}\" is no variable"))),
                            }
                        })
                        .collect::<Result<_, _>>()?,
                );
            }
        }
        let circuit = reader.circuit()?;
        Ok(Self { model: CircuitModel { n_vars, clauses, circuit }, comments, projection })
    }
}

/// Returns the key of a comment line about a circuit, and the words after it.
fn words(line: &str) -> Option<(&str, SplitAsciiWhitespace<'_>)> {
    let mut words = line.split_ascii_whitespace();
    let key = (words.next()? == "c").then(|| words.next()).flatten()?;
    KEYS.contains(&key).then_some((key, words))
}

/// Returns the first word of a comment that has the form of a line about a circuit except for this word, and the word that
/// is meant.
fn misspelt(line: &str) -> Option<(&str, &'static str)> {
    let mut words = line.split_ascii_whitespace();
    let word = (words.next()? == "c").then(|| words.next()).flatten()?;
    let rest: Vec<_> = words.collect();
    let distance = |key: &str| strsim::osa_distance(&word.to_ascii_lowercase(), key);
    let has_form = |key: &str| match (key, rest.as_slice()) {
        ("arc" | "edge", [_, _, last]) | ("skip", [_, last]) => is_literal(last),
        ("vertex", [_]) | ("circuit", []) => true,
        ("circuit", [first, ..]) => is_option(first),
        _ => false,
    };
    let key = KEYS.into_iter().find(|key| distance(key) <= key.len() / 3 && has_form(key))?;
    Some((word, key))
}

/// True if a word is the name of an option of the circuit.
fn is_option(word: &str) -> bool {
    OPTIONS.iter().any(|&(name, _)| name == word)
}

/// True if a word may be a literal.
fn is_literal(word: &str) -> bool {
    word.parse::<i32>().is_ok() || word == "true" || word == "false"
}

/// Returns the variables of a projection line.
fn projected(line: &str) -> Option<&str> {
    let line = line.trim();
    line.strip_prefix("c p show ").or_else(|| line.strip_prefix("c ind "))
}

/// Circuit that is read line by line.
#[derive(Default)]
struct Reader {
    n_vars: u32,
    numbers: HashMap<String, u32>,
    names: Vec<String>,
    /// Indexed by vertex: true if an arc, an edge or a line `c vertex` names it.
    is_declared: Vec<bool>,
    links: Vec<(u32, u32, Term)>,
    is_directed: Option<bool>,
    skips: Vec<(u32, Term)>,
    /// Number and options of the line `c circuit`; `None` if there is no such line so far.
    options: Option<(usize, Vec<String>)>,
}

impl Reader {
    fn line<'t>(&mut self, number: usize, key: &str, mut rest: impl Iterator<Item = &'t str>) -> Result<(), String> {
        if key == "circuit" {
            let options = rest.map(str::to_owned).collect();
            return match self.options.replace((number, options)) {
                Some(_) => {
                    Err("a second line \"c circuit\": a file has one circuit, with all options in one line".to_owned())
                }
                None => Ok(()),
            };
        }
        let mut word = |what: &str| rest.next().ok_or_else(|| format!("\"c {key}\" needs {what}"));
        let tail = self.vertex(word("a vertex")?);
        if key != "skip" {
            self.is_declared[tail as usize] = true;
        }
        if key == "vertex" {
            return match rest.next() {
                Some(more) => Err(format!("\"{more}\" after the vertex")),
                None => Ok(()),
            };
        }
        if key == "skip" {
            let term = self.literal(word("a literal after the vertex")?)?;
            self.skips.push((tail, term));
        } else {
            let head = self.vertex(word("two vertices")?);
            self.is_declared[head as usize] = true;
            let term = self.literal(word("a literal after the vertices")?)?;
            let is_directed = key == "arc";
            if self.is_directed.replace(is_directed) == Some(!is_directed) {
                return Err("a circuit has arcs or edges, not both: write an edge as two arcs".to_owned());
            }
            self.links.push((tail, head, term));
        }
        match rest.next() {
            Some(more) => Err(format!("\"{more}\" after the literal")),
            None => Ok(()),
        }
    }

    fn vertex(&mut self, word: &str) -> u32 {
        let next = self.names.len() as u32;
        *self.numbers.entry(word.to_owned()).or_insert_with(|| {
            self.names.push(word.to_owned());
            self.is_declared.push(false);
            next
        })
    }

    fn literal(&self, word: &str) -> Result<Term, String> {
        match (word, word.parse::<i32>()) {
            ("true", _) => Ok(Term::True),
            ("false", _) => Ok(Term::False),
            (_, Ok(number)) if number != 0 && number.unsigned_abs() <= self.n_vars => {
                Ok(Term::Lit(Lit::new(number.unsigned_abs() - 1, number < 0)))
            }
            (_, Ok(number)) if number != 0 => Err(format!(
                "variable {} is used, but the header announces only variables up to {}",
                number.unsigned_abs(),
                self.n_vars
            )),
            _ => Err(format!("\"{word}\" is no literal")),
        }
    }

    fn known(&self, word: Option<&String>) -> Result<u32, String> {
        let word = word.ok_or(" needs a vertex")?;
        let number = self.numbers.get(word).copied();
        number.ok_or_else(|| format!(": no arc or edge has the vertex \"{word}\""))
    }

    fn circuit(self) -> Result<Circuit, ModelError> {
        let n = self.names.len() as u32;
        if n == 0 {
            return Err(ModelError("\"c circuit\" needs vertices: add lines \"c arc\" or \"c edge\"".to_owned()));
        }
        let mut circuit = match self.is_directed {
            Some(false) => Circuit::of_edges(n),
            _ => Circuit::of_arcs(n),
        };
        for &(tail, head, term) in &self.links {
            circuit.link(tail, head, term);
        }
        for &(v, term) in &self.skips {
            if !self.is_declared[v as usize] {
                let name = &self.names[v as usize];
                return Err(ModelError(format!(
                    "vertex \"{name}\" has no arc: correct \"c skip {name}\", or add \"c vertex {name}\""
                )));
            }
            circuit.skipped_if(v, term);
        }
        let (line, options) = self.options.clone().unwrap_or_default();
        let mut options = options.iter();
        let mut before = Vec::new();
        while let Some(option) = options.next() {
            let is_shape = |option: &str| option == "path" || option == "depot";
            if let Some(other) = before.iter().find(|&&other| other == option || is_shape(other) && is_shape(option)) {
                return Err(ModelError(format!(
                    "line {line}: \"c circuit ... {other} ... {option}\": remove one of the two options"
                )));
            }
            before.push(option.as_str());
            let wrong = |why| ModelError(format!("line {line}: \"c circuit ... {option}\"{why}"));
            let Some((_, add)) = OPTIONS.iter().find(|(name, _)| name == option) else {
                let names = OPTIONS.map(|(name, _)| name).join(", ");
                return Err(wrong(format!(": unknown option; choose from {names}")));
            };
            add(&self, &mut circuit, &mut options).map_err(wrong)?;
        }
        circuit.called(VertexNames::of_words(self.names));
        Ok(circuit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(circuit: &str) -> Result<ModelFile, String> {
        let text = format!("{circuit}\np cnf 4 1\n1 2 0\n");
        ModelFile::read(&text).unwrap().map_err(|error| error.to_string())
    }

    #[test]
    fn only_formulas_with_a_circuit_are_models() {
        for none in [
            "",
            "p cnf 1 1\n1 0\n",
            "c edge a b\np edge 3 1\ne 1 2\n",
            "c edge a b x\n",
            "c arcs a b\np cnf 1 0\n",
            "c circuit of an adder\np cnf 1 0\n",
        ] {
            assert!(ModelFile::read(none).is_none(), "{none}");
        }
        for model in ["p cnf 1 1\n1 0\nc arc a b 1\n", "c circuit\np cnf 1 0\n", "c circuit optional\np cnf 1 0\n"] {
            assert!(ModelFile::read(model).is_some(), "{model}");
        }
        let may_begin = |comments: &str| ModelFile::may_begin(format!("{comments}p cnf 1 0\n").as_bytes());
        assert!(may_begin("c question 8x8\n") && may_begin("c hamcnf 0.1.0\nc encoding of the circuit unary\n"));
        assert!(!may_begin("c hamcnf 0.1.0\nc question 8x8\n"));
        let without_header = ModelFile::read("c arc a b 1\n1 0\n").unwrap().map(drop).unwrap_err();
        assert!(without_header.to_string().starts_with("line 2: the header \"p cnf"), "{without_header}");
    }

    #[test]
    fn comments_with_similar_words_are_comments() {
        let comments = "c arcs of the graph\nc Edge list\nc vertices 4\nc area a b 1\nc circuits c17 of a set\nc Skip";
        assert!(read(&format!("c arc a b 1\n{comments}")).is_ok());
    }

    #[test]
    fn lines_are_read() {
        let file =
            read("c edge a b 1\nc edge b c -2\nc skip c 3\nc circuit optional path a * if 4 at-most 2\nc p show 1 3 0")
                .unwrap();
        assert_eq!(file.model.n_vars, 4);
        assert_eq!(file.model.circuit.links().len(), 2);
        assert_eq!(file.model.circuit.name(2), "c");
        assert_eq!(file.projection, Some(vec![Var::new(0), Var::new(2)]));
        assert_eq!(file.comments[1], "edge b c -2");
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, why) in [
            ("c circuit optional", "\"c circuit\" needs vertices"),
            ("c arc a b", "line 1: \"c arc\" needs a literal after the vertices"),
            ("c arc a b x", "line 1: \"x\" is no literal"),
            ("c arc a b 0", "line 1: \"0\" is no literal"),
            ("c arc a b 5", "line 1: variable 5 is used, but the header announces only variables up to 4"),
            ("c arc a b 1 2", "line 1: \"2\" after the literal"),
            ("c arc a b 1\nc edge a c 2", "line 2: a circuit has arcs or edges, not both"),
            ("c arc a b 1\nc circuit\nc circuit", "line 3: a second line \"c circuit\""),
            ("c arc a b 1\nc circuit path a", "line 2: \"c circuit ... path\" needs two ends"),
            ("c arc a b 1\nc skip e 2", "vertex \"e\" has no arc"),
            ("c arc a b 1\nc circuit depot", "line 2: \"c circuit ... depot\" needs a vertex"),
            ("c arc a b 1\nc circuit root z", "line 2: \"c circuit ... root\": no arc or edge has the vertex \"z\""),
            ("c arc a b 1\nc circuit loop", "line 2: \"c circuit ... loop\": unknown option"),
            ("c arc a b 1\nc vertex c d", "line 2: \"d\" after the vertex"),
            ("c arc a b 1\nc circuit path a b depot a", "line 2: \"c circuit ... path ... depot\": remove one"),
            (
                "c arc a b 1\nc circuit at-least 1 at-least 2",
                "line 2: \"c circuit ... at-least ... at-least\": remove one",
            ),
            ("c egde a b 1\nc edge b c 2", "line 1: \"c egde\" is a misspelt \"c edge\": correct it"),
            ("c arc a b 1\nc arcs b a 2", "line 2: \"c arcs\" is a misspelt \"c arc\""),
            ("c arc a b 1\nc Skip b -3", "line 2: \"c Skip\" is a misspelt \"c skip\""),
            ("c arc a b 1\nc vertx c", "line 2: \"c vertx\" is a misspelt \"c vertex\""),
            ("c arc a b 1\nc circiut optional", "line 2: \"c circiut\" is a misspelt \"c circuit\""),
            ("c arc a b 1\nc circuit at-most x", "line 2: \"c circuit ... at-most\" needs a number"),
        ] {
            let error = read(text).map(drop).unwrap_err();
            assert!(error.starts_with(why), "{text}: {error}");
        }
    }
}
