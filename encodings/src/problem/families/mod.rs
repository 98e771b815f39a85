//! Families of graphs, each graph by a word: `cubic:60:7` is the 7th random cubic graph of 60 vertices, `petersen:5:2`
//! the Petersen graph. One file a family, and a line in the list here.

pub mod complete;
pub mod cubic;
pub mod cycle;
pub mod flower;
pub mod grid;
pub mod petersen;
pub mod random;
pub mod torus;

use std::fmt;
use std::str::FromStr;

use super::graph::Graph;

/// A family under its name.
#[derive(Clone, Copy, Debug)]
pub struct FamilyKind {
    /// What it is called.
    pub name: &'static str,
    /// What stands behind the name, with colons between, such as `VERTICES:SEED`.
    pub form: &'static str,
    /// What it is, in half a line.
    pub says: &'static str,
    /// How many numbers that is.
    numbers: usize,
    /// The graph of these numbers, or what is wrong with them.
    make: fn(&[u32]) -> Result<Graph, String>,
}

/// The families there are.
pub const ALL: &[FamilyKind] = &[
    cubic::FAMILY,
    petersen::FAMILY,
    complete::FAMILY,
    cycle::FAMILY,
    flower::FAMILY,
    grid::FAMILY,
    random::FAMILY,
    torus::FAMILY,
];

/// A graph of a family.
#[derive(Clone, Debug)]
pub struct Family {
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
    /// It has not the numbers of its family.
    #[error("'{word}' is not {name}:{form}, with whole numbers")]
    Form {
        /// The word.
        word: String,
        /// The family.
        name: &'static str,
        /// Its form.
        form: &'static str,
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

fn forms() -> String {
    let forms = ALL
        .iter()
        .map(|kind| format!("{}:{}", kind.name, kind.form));
    forms.collect::<Vec<_>>().join(", ")
}

impl Family {
    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether a word begins with the name of a family.
    #[must_use]
    pub fn is_named(word: &str) -> bool {
        let name = word.split(':').next().unwrap_or_default();
        word.contains(':') && ALL.iter().any(|kind| kind.name == name)
    }
}

impl FromStr for Family {
    type Err = FamilyError;

    fn from_str(word: &str) -> Result<Self, FamilyError> {
        let mut parts = word.split(':');
        let name = parts.next().unwrap_or_default();
        let kind = ALL.iter().find(|kind| kind.name == name);
        let kind = kind.ok_or_else(|| FamilyError::None {
            word: word.to_owned(),
        })?;
        let numbers = parts.map(str::parse).collect::<Result<Vec<u32>, _>>();
        let numbers = numbers.ok().filter(|numbers| numbers.len() == kind.numbers);
        let numbers = numbers.ok_or_else(|| FamilyError::Form {
            word: word.to_owned(),
            name: kind.name,
            form: kind.form,
        })?;
        let graph = (kind.make)(&numbers).map_err(|wrong| FamilyError::NoGraph {
            word: word.to_owned(),
            wrong,
        })?;
        // One word for one graph, however the numbers were written.
        let numbers = numbers.iter().map(u32::to_string);
        let numbers = numbers.collect::<Vec<_>>().join(":");
        Ok(Self {
            word: format!("{name}:{numbers}"),
            graph,
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
    fn words_are_read_as_they_are_written() {
        let graph: Family = "petersen:05:2".parse().unwrap();
        assert_eq!(graph.to_string(), "petersen:5:2");
        assert!(
            Family::is_named("cubic:x") && !Family::is_named("cubic") && !Family::is_named("8x8")
        );
        for (word, message) in [
            (
                "cubic:8",
                "'cubic:8' is not cubic:VERTICES:SEED, with whole numbers",
            ),
            ("cubic:9:1", "there is no cubic:9:1: "),
            (
                "petersen:5:x",
                "'petersen:5:x' is not petersen:N:K, with whole numbers",
            ),
            (
                "wheel:5",
                "'wheel:5' is no graph of a family: cubic:VERTICES:SEED, petersen:N:K",
            ),
        ] {
            let error = word.parse::<Family>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
