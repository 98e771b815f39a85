//! Families of graphs, each graph by a word: `cubic:60:7` is the 7th random cubic graph of 60 vertices, `petersen:5:2`
//! the Petersen graph. One file a family, and a line in the list here.
//!
//! A random graph is the same for its seed on every machine.

pub mod complete;
pub mod cubic;
pub mod cycle;
pub mod flower;
pub mod gnp;
pub mod grid;
pub mod mindeg2;
pub mod petersen;
pub mod planar;
pub mod random;
pub mod snark;
pub mod threshold;
pub mod torus;

use std::fmt;
use std::str::FromStr;

use super::graph::Graph;

/// A family under its name.
#[derive(Clone, Copy, Debug)]
pub struct FamilyKind {
    /// What it is called.
    pub name: &'static str,
    /// What else it is called.
    pub also: &'static [&'static str],
    /// What stands behind the name and a colon, such as `VERTICES:SEED`. Words are written with the marks that stand there,
    /// and read with any of them.
    pub form: &'static str,
    /// What is meant where nothing stands there.
    pub alone: Option<&'static str>,
    /// A word of it.
    pub example: &'static str,
    /// What it is, in half a line.
    pub says: &'static str,
    /// The graph of what stands behind the name.
    make: fn(&[&str]) -> Result<Made, Wrong>,
}

/// A graph, and what stands behind the name of its family in the one way to write it.
struct Made {
    arguments: Vec<String>,
    graph: Graph,
}

/// Why there is no graph of some arguments.
enum Wrong {
    /// They are not of the family's form.
    Form,
    /// They are, and there is no such graph: why.
    Graph(String),
}

/// The graph of so many whole numbers.
fn numbers<const K: usize>(
    arguments: &[&str],
    make: impl Fn([u32; K]) -> Result<Graph, String>,
) -> Result<Made, Wrong> {
    let numbers = arguments.iter().map(|argument| whole(argument));
    let numbers = numbers.collect::<Option<Vec<u32>>>();
    let numbers: [u32; K] = numbers.and_then(|n| n.try_into().ok()).ok_or(Wrong::Form)?;
    Ok(Made {
        arguments: numbers.map(|number| number.to_string()).to_vec(),
        graph: make(numbers).map_err(Wrong::Graph)?,
    })
}

/// A whole number, digits alone.
fn whole(argument: &str) -> Option<u32> {
    let is_digits = argument.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| argument.parse().ok()).flatten()
}

/// What stands between the arguments of a word.
const MARKS: [char; 4] = [':', ',', 'x', '×'];

/// The families there are.
pub const ALL: &[FamilyKind] = &[
    cubic::FAMILY,
    gnp::FAMILY,
    random::FAMILY,
    threshold::FAMILY,
    mindeg2::FAMILY,
    planar::FAMILY,
    petersen::FAMILY,
    flower::FAMILY,
    snark::FAMILY,
    grid::FAMILY,
    torus::FAMILY,
    cycle::FAMILY,
    complete::FAMILY,
];

/// All forms of words, one after the other: for messages and help.
#[must_use]
pub fn forms() -> String {
    let forms = ALL.iter().map(FamilyKind::word);
    forms.collect::<Vec<_>>().join(", ")
}

/// A graph of a family.
#[derive(Clone, Debug)]
pub struct Family {
    kind: &'static FamilyKind,
    word: String,
    graph: Graph,
}

/// Why a word is no graph of a family.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FamilyError {
    /// It does not begin with the name of one.
    #[error("'{word}' is no graph of a family: {}", forms())]
    None {
        /// The word.
        word: String,
    },
    /// It has not the form of its family.
    #[error("'{word}' is not {form}, such as {example}")]
    Form {
        /// The word.
        word: String,
        /// The form of the family's words.
        form: String,
        /// One of them.
        example: &'static str,
    },
    /// There is no such graph.
    #[error("there is no {word}: {wrong}")]
    NoGraph {
        /// The word.
        word: String,
        /// What is wrong.
        wrong: String,
    },
}

impl FamilyKind {
    /// The form of its words, such as `cubic:VERTICES:SEED`.
    #[must_use]
    pub fn word(&self) -> String {
        format!("{}:{}", self.name, self.form)
    }

    /// Its words with these arguments between the marks of its form.
    fn written(&self, arguments: &[String]) -> String {
        let marks = self.form.chars().filter(|c| MARKS.contains(c));
        let mut marks = std::iter::once(':').chain(marks);
        let mut word = self.name.to_owned();
        for argument in arguments {
            word.extend(marks.next());
            word += argument;
        }
        word
    }

    /// The family that a word begins with, and what stands behind its name.
    fn of(word: &str) -> Option<(&'static Self, Option<&str>)> {
        let behind = |kind: &'static Self| {
            let names = std::iter::once(&kind.name).chain(kind.also);
            names.filter_map(
                move |name| match word.strip_prefix(name)?.strip_prefix(':') {
                    Some(behind) => Some((name, kind, Some(behind))),
                    None if word == *name => Some((name, kind, None)),
                    None => None,
                },
            )
        };
        // The longest name: that of one family may begin as that of another.
        let found = ALL.iter().flat_map(behind);
        let found = found.max_by_key(|(name, ..)| name.len());
        found.map(|(_, kind, behind)| (kind, behind))
    }
}

impl Family {
    /// What the family is called.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether a word begins with the name of a family, or is one that needs no more.
    #[must_use]
    pub fn is_named(word: &str) -> bool {
        let named = FamilyKind::of(word);
        named.is_some_and(|(kind, behind)| behind.or(kind.alone).is_some())
    }
}

impl FromStr for Family {
    type Err = FamilyError;

    fn from_str(word: &str) -> Result<Self, FamilyError> {
        let (kind, behind) = FamilyKind::of(word).ok_or_else(|| FamilyError::None {
            word: word.to_owned(),
        })?;
        let arguments: Vec<&str> = match behind.or(kind.alone) {
            Some(behind) => behind.split(MARKS).collect(),
            None => Vec::new(),
        };
        let made = (kind.make)(&arguments).map_err(|wrong| match wrong {
            Wrong::Form => FamilyError::Form {
                word: word.to_owned(),
                form: kind.word(),
                example: kind.example,
            },
            Wrong::Graph(wrong) => FamilyError::NoGraph {
                word: word.to_owned(),
                wrong,
            },
        })?;
        // One word for one graph, however it was written.
        Ok(Self {
            kind,
            word: kind.written(&made.arguments),
            graph: made.graph,
        })
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.word)
    }
}

// A graph of a family is known by its word.

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl Eq for Family {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_its_word_once() {
        for kind in ALL {
            let graph: Family = kind.example.parse().unwrap();
            assert_eq!(graph.to_string(), kind.example);
            assert!(kind.example.starts_with(&format!("{}:", kind.name)));
            let names = ALL
                .iter()
                .flat_map(|other| other.also.iter().chain([&other.name]));
            for name in kind.also.iter().chain([&kind.name]) {
                assert_eq!(names.clone().filter(|other| *other == name).count(), 1);
            }
        }
    }

    #[test]
    fn words_have_one_form_each() {
        for (written, word) in [
            ("petersen", "petersen:5:2"),
            ("petersen:05:2", "petersen:5:2"),
            ("gp:23,2", "petersen:23:2"),
            ("grid:6:7", "grid:6x7"),
            ("torus:6x6", "torus:6x6"),
            ("gnm:40:90:1", "random:40:90:1"),
            ("gnp:40:0.10:1", "gnp:40,0.1:1"),
            ("gnp:40,1e-1:1", "gnp:40,0.1:1"),
            ("snark:flower:7", "flower:7"),
            ("snark:blanusa:1", "snark:blanusa-1"),
        ] {
            let graph: Family = written.parse().unwrap();
            assert_eq!(graph.to_string(), word);
            let again: Family = word.parse().unwrap();
            assert_eq!(again.graph(), graph.graph());
        }
    }

    #[test]
    fn what_is_no_word_is_said() {
        assert!(Family::is_named("cubic:x") && Family::is_named("petersen"));
        for word in ["cubic", "8x8", "grid", "cubics:3", ""] {
            assert!(!Family::is_named(word), "{word}");
        }
        for (word, message) in [
            (
                "cubic:8",
                "'cubic:8' is not cubic:VERTICES:SEED, such as cubic:60:7",
            ),
            ("cubic:9:1", "there is no cubic:9:1: "),
            (
                "petersen:5:x",
                "'petersen:5:x' is not petersen:N:K, such as",
            ),
            ("petersen:+5:2", "'petersen:+5:2' is not petersen:N:K"),
            ("gp:5", "'gp:5' is not petersen:N:K"),
            ("cubic", "'cubic' is not cubic:VERTICES:SEED"),
            (
                "wheel:5",
                "'wheel:5' is no graph of a family: cubic:VERTICES:SEED, gnp:VERTICES,",
            ),
        ] {
            let error = word.parse::<Family>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
