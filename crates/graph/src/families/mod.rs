//! Families of graphs, each graph by a word: `cubic:60:7` is the 7th random cubic graph of 60 vertices, `petersen:5:2`
//! the Petersen graph. One file a family, and a line in the list here.
//!
//! A random graph is the same for its seed on every machine. Where none is said it is [`UNSAID`], and a word is always written
//! with it.
//!
//! A word may be written with blanks between its parts, as in `gnp 30 .2 7`, and ask for more behind a plus sign or a blank:
//! `gnp:30,0.2:7+planted` has a Hamiltonian cycle and `cubic:40:1+no-cycle` has none, by the way that they are made, where a
//! family knows one. That is what [`Asked`] says.

pub mod bipartite;
pub mod complete;
pub mod cubic;
pub mod cycle;
pub mod flower;
pub mod gnp;
pub mod grid;
pub mod mindeg2;
pub mod petersen;
pub mod planar;
pub(crate) mod planted;
pub mod random;
pub mod snark;
pub mod threshold;
pub mod torus;

use std::fmt;
use std::str::FromStr;

use super::graph::{Graph, GraphError};
use super::relabel::RELABEL;
use crate::names::{Named, instead, named};

/// The seed of a random graph that none is said for.
pub const UNSAID: u32 = 0;

/// What is asked of a graph besides its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A Hamiltonian cycle, planted where the graph is random.
    Planted,
    /// That it has no Hamiltonian cycle.
    NoCycle,
}

named!(Asked, "setting of a graph", {
    Planted => "planted",
    NoCycle => "no-cycle",
});

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
    /// Whether it is random: its last argument is a seed then, which may be left out.
    pub seeded: bool,
    /// What may be asked of its graphs.
    pub asks: &'static [Asked],
    /// The graph of what stands behind the name, of which this is asked, one of those above.
    make: fn(&[&str], Option<Asked>) -> Result<Made, Wrong>,
}

/// A graph, and what stands behind the name of its family in the one way to write it.
struct Made {
    arguments: Vec<String>,
    /// What is asked, where the graph would be another without.
    asked: Option<Asked>,
    graph: Graph,
}

/// Why there is no graph of some arguments.
enum Wrong {
    /// They are not of the family's form.
    Form,
    /// They are, and there is no such graph.
    Graph(NoGraph),
}

/// Reason that a family has no graph of some arguments.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
struct NoGraph(String);

impl From<GraphError> for NoGraph {
    fn from(error: GraphError) -> Self {
        Self(error.to_string())
    }
}

/// The graph of so many whole numbers.
fn numbers<const K: usize>(
    arguments: &[&str],
    make: impl Fn([u32; K]) -> Result<Graph, NoGraph>,
) -> Result<Made, Wrong> {
    let numbers = arguments.iter().map(|argument| whole(argument));
    let numbers = numbers.collect::<Option<Vec<u32>>>();
    let numbers: [u32; K] = numbers.and_then(|n| n.try_into().ok()).ok_or(Wrong::Form)?;
    Ok(Made {
        arguments: numbers.map(|number| number.to_string()).to_vec(),
        asked: None,
        graph: make(numbers).map_err(Wrong::Graph)?,
    })
}

/// The random graph of so many whole numbers, made in another way where something is asked.
fn asked_numbers<const K: usize>(
    arguments: &[&str],
    asked: Option<Asked>,
    make: impl Fn([u32; K]) -> Result<Graph, NoGraph>,
) -> Result<Made, Wrong> {
    let made = numbers(arguments, make)?;
    Ok(Made { asked, ..made })
}

/// What is said where a graph that is not random has a Hamiltonian cycle, and should not.
fn has_one(asked: Option<Asked>, has: bool) -> Result<(), NoGraph> {
    match asked {
        Some(Asked::NoCycle) if has => Err(NoGraph("it has a Hamiltonian cycle".to_owned())),
        _ => Ok(()),
    }
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
    bipartite::FAMILY,
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
    word: Box<str>,
    graph: Graph,
    /// The word without a seed, if it came without.
    unsaid: Option<Box<Unsaid>>,
}

/// What a random graph was asked for with, when no seed was said.
#[derive(Clone, Debug)]
struct Unsaid {
    arguments: Vec<String>,
    asked: Option<Asked>,
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
    /// It asks for something that there is not.
    #[error("'{word}' asks for '{name}', which is no setting of a graph{}", instead(name, &settings()))]
    Setting {
        /// The word.
        word: String,
        /// What it asks for.
        name: String,
    },
    /// It asks for two things, or one twice.
    #[error("'{word}' asks for {} and {}: one of them can be asked for", .asked[0], .asked[1])]
    Twice {
        /// The word.
        word: String,
        /// What it asks for.
        asked: [Asked; 2],
    },
    /// It asks for something that its family has no way to make.
    #[error("'{word}' asks for {asked}, which {family} has no way to make: {} have", knowing(*.asked))]
    Asked {
        /// The word.
        word: String,
        /// What it asks for.
        asked: Asked,
        /// The family.
        family: &'static str,
    },
    /// It has a seed, or none is needed.
    #[error("{word} {}, and --seed is for random graphs that are named without one", if *.seeded { "has a seed" } else { "is not random" })]
    Seed {
        /// The word.
        word: String,
        /// Whether it is of a random graph.
        seeded: bool,
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

    /// How many arguments it has.
    fn arity(&self) -> usize {
        1 + self.form.matches(MARKS).count()
    }

    /// Its words with these arguments between the marks of its form, and what is asked behind them.
    fn written(&self, arguments: &[String], asked: Option<Asked>) -> String {
        let marks = self.form.chars().filter(|c| MARKS.contains(c));
        let mut marks = std::iter::once(':').chain(marks);
        let mut word = self.name.to_owned();
        for argument in arguments {
            word.extend(marks.next());
            word += argument;
        }
        if let Some(asked) = asked {
            word.push(SETTING);
            word += asked.as_str();
        }
        word
    }

    /// The graph of these arguments. The word is what messages call it.
    fn graph(
        &'static self,
        word: &str,
        arguments: &[&str],
        asked: Option<Asked>,
    ) -> Result<Family, FamilyError> {
        let made = (self.make)(arguments, asked).map_err(|wrong| match wrong {
            Wrong::Form => FamilyError::Form {
                word: word.to_owned(),
                form: self.word(),
                example: self.example,
            },
            Wrong::Graph(NoGraph(wrong)) => FamilyError::NoGraph {
                word: word.to_owned(),
                wrong,
            },
        })?;
        // One word for one graph, however it was written.
        Ok(Family {
            kind: self,
            word: self.written(&made.arguments, made.asked).into(),
            graph: made.graph,
            unsaid: None,
        })
    }

    /// The family that a word begins with, and what stands behind its name.
    fn of(word: &str) -> Option<(&'static Self, Option<&str>)> {
        let behind = |kind: &'static Self| {
            let names = std::iter::once(&kind.name).chain(kind.also);
            names.filter_map(move |name| match behind_name(word.strip_prefix(name)?) {
                Some(behind) => Some((name, kind, Some(behind))),
                None if word == *name => Some((name, kind, None)),
                None => None,
            })
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

    /// Description of its graphs, in a few words.
    #[must_use]
    pub fn says(&self) -> &'static str {
        self.kind.says
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Whether its word came without a seed that it might have had.
    #[must_use]
    pub fn is_unsaid(&self) -> bool {
        self.unsaid.is_some()
    }

    /// The graph that the same word gives with this seed.
    ///
    /// # Errors
    ///
    /// [`FamilyError`], where the word had a seed, or needs none.
    pub fn with_seed(&self, seed: u32) -> Result<Self, FamilyError> {
        let Some(Unsaid { arguments, asked }) = self.unsaid.as_deref() else {
            return Err(FamilyError::Seed {
                word: self.word.to_string(),
                seeded: self.kind.seeded,
            });
        };
        let seed = seed.to_string();
        let arguments = arguments.iter().map(String::as_str);
        let arguments: Vec<_> = arguments.chain([seed.as_str()]).collect();
        self.kind.graph(&self.word, &arguments, *asked)
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

    fn from_str(text: &str) -> Result<Self, FamilyError> {
        let owned = || text.to_owned();
        let (word, settings) = settings_of(text);
        let (kind, behind) =
            FamilyKind::of(word).ok_or_else(|| FamilyError::None { word: owned() })?;
        let behind = match behind.or(kind.alone) {
            Some(behind) => arguments_of(behind),
            None => Vec::new(),
        };
        // Behind a blank a setting is known from its name.
        let (said, mut arguments): (Vec<&str>, Vec<&str>) = behind
            .into_iter()
            .partition(|part| part.parse::<Asked>().is_ok());
        let mut asked = None;
        for name in said.into_iter().chain(settings) {
            let setting: Asked = name.parse().map_err(|_| FamilyError::Setting {
                word: owned(),
                name: name.to_owned(),
            })?;
            if let Some(other) = asked.replace(setting) {
                return Err(FamilyError::Twice {
                    word: owned(),
                    asked: [other, setting],
                });
            }
        }
        if let Some(asked) = asked.filter(|asked| !kind.asks.contains(asked)) {
            return Err(FamilyError::Asked {
                word: owned(),
                asked,
                family: kind.name,
            });
        }
        if !(kind.seeded && arguments.len() + 1 == kind.arity()) {
            return kind.graph(text, &arguments, asked);
        }
        let unsaid = Unsaid {
            arguments: arguments.iter().map(|&part| part.to_owned()).collect(),
            asked,
        };
        let seed = UNSAID.to_string();
        arguments.push(&seed);
        let family = kind.graph(text, &arguments, asked)?;
        Ok(Self {
            unsaid: Some(Box::new(unsaid)),
            ..family
        })
    }
}

/// What stands before the settings of a word.
const SETTING: char = '+';

/// A word without what it asks for, and that: behind each plus sign a name, which begins with a letter.
fn settings_of(text: &str) -> (&str, Vec<&str>) {
    let mut word = text;
    let mut settings = Vec::new();
    while let Some((before, name)) = word.rsplit_once(SETTING)
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        settings.push(name.trim_end());
        word = before.trim_end();
    }
    settings.reverse();
    (word, settings)
}

/// The arguments: between them stands one mark, which may have blanks around it, or blanks alone.
fn arguments_of(behind: &str) -> Vec<&str> {
    if behind.trim_ascii().is_empty() {
        return Vec::new();
    }
    let between_marks = behind.split(MARKS);
    let words = between_marks.flat_map(|part| match part.trim_ascii() {
        // Two marks in a row: an argument is missing.
        "" => vec![""],
        part => part.split_ascii_whitespace().collect(),
    });
    words.collect()
}

/// What stands behind a family's name: behind a colon, which may have blanks before it, or behind blanks alone.
fn behind_name(rest: &str) -> Option<&str> {
    let behind = rest.trim_start_matches(' ');
    match behind.strip_prefix(':') {
        Some(behind) => Some(behind),
        None => (behind.len() < rest.len()).then_some(behind),
    }
}

/// The names of settings, for messages.
fn settings() -> String {
    let names = Asked::ALL.iter().map(|asked| asked.as_str());
    names.chain([RELABEL]).collect::<Vec<_>>().join(", ")
}

/// The families that know how to make what is asked.
fn knowing(asked: Asked) -> String {
    let knowing = ALL.iter().filter(|kind| kind.asks.contains(&asked));
    let names: Vec<_> = knowing.map(|kind| kind.name).collect();
    names.join(", ")
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
            ("gnp 40 .1 1", "gnp:40,0.1:1"),
            ("gnp 40 .1", "gnp:40,0.1:0"),
            ("gnp  40 , .1 : 1", "gnp:40,0.1:1"),
            ("cubic:10", "cubic:10:0"),
            ("cubic 20 3 planted", "cubic:20:3+planted"),
            ("cubic 20 no-cycle", "cubic:20:0+no-cycle"),
            ("gnp 40 .1 +planted", "gnp:40,0.1:0+planted"),
            ("petersen+no-cycle", "petersen:5:2"),
            ("gp 11 2 no-cycle", "petersen:11:2"),
            ("grid 3 x 5 no-cycle", "grid:3x5"),
            ("bipartite:4,5,.5:1+no-cycle", "bipartite:4,5,0.5:1"),
            ("glrp 5 5 .5 1 planted", "bipartite:5,5,0.5:1+planted"),
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
    fn seeds_are_given_to_those_that_have_none() {
        let unsaid: Family = "gnp 30 .2 planted".parse().unwrap();
        assert!(unsaid.is_unsaid());
        let seeded = unsaid.with_seed(7).unwrap();
        assert_eq!(seeded.to_string(), "gnp:30,0.2:7+planted");
        let said: Family = "gnp:30,0.2:7+planted".parse().unwrap();
        assert!(seeded == said && seeded.graph() == said.graph());
        for (word, message) in [
            ("cubic:20:3", "cubic:20:3 has a seed, and --seed is for"),
            ("grid:4x4", "grid:4x4 is not random, and --seed is for"),
        ] {
            let family: Family = word.parse().unwrap();
            let error = family.with_seed(1).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
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
                "cubic:8:1:1",
                "'cubic:8:1:1' is not cubic:VERTICES:SEED, such as cubic:60:7",
            ),
            (
                "cubic:20:1+plantde",
                "'cubic:20:1+plantde' asks for 'plantde', which is no setting of a graph: did you mean planted? There are",
            ),
            (
                "cubic:20:1+planted+no-cycle",
                "'cubic:20:1+planted+no-cycle' asks for planted and no-cycle",
            ),
            (
                "torus:3x3+no-cycle",
                "'torus:3x3+no-cycle' asks for no-cycle, which torus has no way to make: cubic, gnp,",
            ),
            (
                "petersen:7:2+no-cycle",
                "there is no petersen:7:2+no-cycle: it has a Hamiltonian cycle",
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
