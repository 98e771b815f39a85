//! Names of vertices in input and output. Vertices are named by numbers, or by words from a file, such as ids in
//! GraphML and names in DOT. Internally, vertices are always counted from 0.

use std::fmt;
use std::sync::Arc;

use crate::names::and_more;
use crate::{Numbering, Vertex};

/// Names of the vertices of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VertexNames {
    /// Consecutive numbers from 0 or 1.
    Numbers(Numbering),
    /// Words from a file.
    Words(Words),
}

impl Default for VertexNames {
    fn default() -> Self {
        Self::Numbers(Numbering::default())
    }
}

impl From<Numbering> for VertexNames {
    fn from(numbering: Numbering) -> Self {
        Self::Numbers(numbering)
    }
}

/// Words that name the vertices, a different word for each vertex. Clones share the words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    words: Arc<[Box<str>]>,
    /// Vertices, sorted by their words.
    sorted: Arc<[u32]>,
}

/// Reason why words cannot be vertex names.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotNames {
    /// The word cannot be an element of a list of names: it is empty, is `anywhere`, or contains white space, a comma
    /// or a control character.
    #[error(
        "\"{}\" cannot be the name of a vertex: \
         a name must not be empty or \"anywhere\", nor contain white space, commas or control characters",
        .0.escape_debug()
    )]
    NotAWord(String),
    /// Two vertices have the same name.
    #[error("two vertices have the name \"{0}\"")]
    Twice(String),
}

/// Start specification that allows any vertex. It cannot be a vertex name.
const ANYWHERE: &str = "anywhere";

/// True if a character separates words.
fn separates(c: char) -> bool {
    c.is_whitespace() || c.is_control() || c == ','
}

/// Splits a text into words, and joins the words with underscores.
fn join(text: &str) -> String {
    let parts = text.split(separates).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}

impl Words {
    /// Returns names for the vertices: vertex v is called `words[v]`. A list of these names can be parsed
    /// unambiguously.
    ///
    /// # Errors
    ///
    /// [`NotNames`] if a word is empty, is `anywhere`, contains white space, commas or control characters, or occurs
    /// twice.
    pub fn new(words: Vec<String>) -> Result<Self, NotNames> {
        let is_no_word = |word: &&String| word.is_empty() || *word == ANYWHERE || word.contains(separates);
        if let Some(word) = words.iter().find(is_no_word) {
            return Err(NotNames::NotAWord(word.clone()));
        }
        let mut sorted: Vec<u32> = (0..).take(words.len()).collect();
        sorted.sort_unstable_by_key(|&v| &words[v as usize]);
        let same = |pair: &&[u32]| words[pair[0] as usize] == words[pair[1] as usize];
        if let Some(pair) = sorted.windows(2).find(same) {
            return Err(NotNames::Twice(words[pair[0] as usize].clone()));
        }
        Ok(Self { words: words.into_iter().map(String::into_boxed_str).collect(), sorted: sorted.into() })
    }

    /// Returns names for the vertices. In each name, white space, commas and control characters between words become
    /// one underscore: "New York" becomes `New_York`. Also returns the first text that contains white space, a comma or
    /// a control character.
    ///
    /// # Errors
    ///
    /// [`NotNames`] if a text has no words or is `anywhere`, or if two texts result in the same name.
    pub fn joined(texts: Vec<String>) -> Result<(Self, Option<String>), NotNames> {
        let first = texts.iter().find(|text| text.contains(separates)).cloned();
        let words = match first {
            Some(_) => texts.iter().map(|text| join(text)).collect(),
            None => texts,
        };
        Ok((Self::new(words)?, first))
    }

    /// Returns all words, in the order of the vertices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.words.iter().map(|word| &**word)
    }

    fn vertex(&self, name: &str) -> Option<Vertex> {
        let place = |name: &str| {
            let word = |&v: &u32| (*self.words[v as usize]).cmp(name);
            self.sorted.binary_search_by(word).ok()
        };
        let place = place(name).or_else(|| place(&join(name)))?;
        Some(Vertex::new(self.sorted[place]))
    }
}

impl VertexNames {
    /// Returns the words as names, or numbers if the words cannot be names, for example because two are equal.
    pub fn of_words(words: Vec<String>) -> Self {
        Words::new(words).map_or_else(|_| Self::default(), Self::Words)
    }

    /// Returns the name of a vertex. If the names are words and `v` has none, the name is the number of the vertex,
    /// counted from 1.
    pub fn name(&self, v: Vertex) -> String {
        match self {
            Self::Numbers(numbering) => numbering.number(v).to_string(),
            Self::Words(words) => match words.words.get(v.index()) {
                Some(word) => word.to_string(),
                None => Numbering::default().number(v).to_string(),
            },
        }
    }

    /// Returns the vertex with this name in a graph with `n` vertices; `None` if no vertex has the name.
    pub fn vertex(&self, name: &str, n: u32) -> Option<Vertex> {
        let vertex = match self {
            Self::Numbers(numbering) => numbering.vertex(name.parse().ok()?)?,
            Self::Words(words) => words.vertex(name)?,
        };
        Some(vertex).filter(|v| v.number() < n)
    }

    /// Returns the numbering of the vertices. If the names are words, the numbering begins at 1.
    pub fn numbering(&self) -> Numbering {
        match self {
            Self::Numbers(numbering) => *numbering,
            Self::Words(_) => Numbering::default(),
        }
    }

    /// Returns the kind of the names: `from-0` or `from-1` for numbers, `names` for words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Numbers(Numbering::FromZero) => "from-0",
            Self::Numbers(Numbering::FromOne) => "from-1",
            Self::Words(_) => "names",
        }
    }

    /// Returns the words; `None` if the names are numbers.
    pub fn words(&self) -> Option<&Words> {
        match self {
            Self::Numbers(_) => None,
            Self::Words(words) => Some(words),
        }
    }

    /// Describes the names of the vertices of a graph with `n` vertices, for messages.
    pub fn said(&self, n: u32) -> impl fmt::Display {
        match self {
            Self::Numbers(numbering) => {
                let first = numbering.first();
                let last = i64::from(first) + i64::from(n) - 1;
                format!("vertices are numbered from {first} to {last}")
            }
            Self::Words(words) => {
                let shown = words.iter().take(3).map(str::to_owned);
                format!("the names of the vertices are {}", and_more(shown.collect(), words.iter().len(), 3))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Result<Words, NotNames> {
        Words::new(words.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn every_vertex_is_found_by_its_word() {
        let list = ["b", "a", "10", "é"];
        let names = VertexNames::Words(words(&list).unwrap());
        for (v, word) in (0..).zip(list) {
            assert_eq!(names.name(Vertex::new(v)), word);
            assert_eq!(names.vertex(word, 4), Some(Vertex::new(v)));
        }
        assert_eq!(names.vertex("c", 4), None);
        assert_eq!(names.name(Vertex::new(4)), "5");
        assert_eq!(names.said(4).to_string(), "the names of the vertices are b, a, 10 and 1 more");
        let numbers = VertexNames::from(Numbering::FromZero);
        assert_eq!(numbers.vertex("3", 4), Some(Vertex::new(3)));
        assert_eq!(numbers.vertex("4", 4), None);
        assert_eq!(numbers.said(4).to_string(), "vertices are numbered from 0 to 3");
    }

    #[test]
    fn names_of_several_words_are_joined() {
        let joined = |texts: &[&str]| {
            let texts = texts.iter().map(ToString::to_string);
            let (words, first) = Words::joined(texts.collect())?;
            let words: Vec<_> = words.iter().map(str::to_owned).collect();
            Ok((words.join(" "), first))
        };
        assert_eq!(joined(&["a", "b_c"]), Ok(("a b_c".to_owned(), None)));
        let two = ("Rom New_York a_b".to_owned(), Some(" New  York".to_owned()));
        assert_eq!(joined(&["Rom", " New  York", "a,b"]), Ok(two));
        let twice = NotNames::Twice("a_b".to_owned());
        assert_eq!(joined(&["a b", "a_b"]), Err(twice));
        assert_eq!(joined(&["a", " , "]), Err(NotNames::NotAWord(String::new())));
        let names = VertexNames::Words(words(&["Rom", "New_York"]).unwrap());
        assert_eq!(names.vertex("New York", 2), Some(Vertex::new(1)));
        assert_eq!(names.vertex("Ro m", 2), None);
    }

    #[test]
    fn what_is_no_word_is_no_name() {
        for wrong in ["", "a b", "a,b", "a\u{7}", "anywhere"] {
            let error = words(&["a", wrong]).unwrap_err();
            assert_eq!(error, NotNames::NotAWord(wrong.to_owned()));
        }
        assert_eq!(words(&["a", "b", "a"]).unwrap_err(), NotNames::Twice("a".to_owned()));
    }
}
