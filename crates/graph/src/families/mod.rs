//! Families of graphs. A *graph source* is a string that names a graph. This module handles the graph sources of
//! families: `cubic:60:7` is the random cubic graph of 60 vertices with seed 7, and `petersen:5:2` is the Petersen
//! graph. Each family has its own file and a line in the list [`ALL`].
//!
//! A seed gives the same random graph on every machine. Without a seed, the default seed [`UNSAID`] is used. Graph
//! sources are always printed with their seeds.
//!
//! The arguments of a graph source may be separated by blanks, as in `gnp 30 .2 7`. A setting ([`Asked`]) that the
//! family supports follows a plus sign or a blank. By construction, `gnp:30,0.2:7+planted` has a Hamiltonian cycle, and
//! `cubic:40:1+no-cycle` has none.

pub mod bipartite;
pub mod circulant;
pub mod complete;
pub mod cubic;
pub mod cycle;
pub mod de_bruijn;
pub mod dgnp;
pub mod flower;
pub mod gnp;
pub mod grid;
pub mod hypercube;
pub mod mindeg2;
pub mod named;
pub mod petersen;
pub mod planar;
pub(crate) mod planted;
pub mod random;
pub mod regular;
pub mod sheehan;
pub mod snark;
pub mod subsets;
pub mod threshold;
pub mod torus;
pub mod tournament;

// Each family begins with `use super::*`. Some of these names are only for families.
use std::fmt;
use std::str::FromStr;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::Rng;

use crate::names::{Named, instead, named};
use crate::relabel::{self, RELABEL};
use crate::{AnyGraph, Digraph, Graph, GraphError, Vertex};

/// Largest number of vertices, of edges or of arcs, unless a family has another limit. Larger graphs are of no use, and
/// their edges would take gigabytes.
const MOST: u32 = 10_000_000;

/// Seed of a random graph whose source does not give a seed.
pub const UNSAID: u32 = 0;

named! {
    /// Setting of a graph source: a property that the graph must have.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Asked: "setting of a graph" {
        /// The graph has a Hamiltonian cycle. A random graph includes the edges of a random cycle.
        Planted => "planted",
        /// The graph has no Hamiltonian cycle.
        NoCycle => "no-cycle",
    }
}

/// A family of graphs, with the description of its graph sources.
#[derive(Clone, Copy, Debug)]
pub struct FamilyKind {
    /// Name of the family in graph sources.
    pub name: &'static str,
    /// Alternative names that graph sources may use. They are never printed.
    pub also: &'static [&'static str],
    /// Form of the arguments, such as `VERTICES:SEED`. Graph sources are printed with the separators of this form, but
    /// any separators are accepted.
    pub form: &'static str,
    /// Default arguments, for a graph source that is only the family's name; `None` if arguments are required.
    pub alone: Option<&'static str>,
    /// Example of a graph source, in canonical form.
    pub example: &'static str,
    /// Short description for help, at most half a line long.
    pub says: &'static str,
    /// True if the graphs are random. Then the last argument is a seed, which a graph source may omit.
    pub seeded: bool,
    /// Settings that the family supports.
    pub asks: &'static [Asked],
    /// Function that makes the graph from the arguments. The setting, if any, is one of `asks`.
    make: fn(&[&str], Option<Asked>) -> Result<Made, Wrong>,
}

/// A graph, with its arguments and setting in canonical form.
struct Made {
    arguments: Vec<String>,
    graph: AnyGraph,
    /// True if the graph is the same without the setting, although it is random. The canonical graph source then lacks
    /// the setting.
    is_asked_in_vain: bool,
}

/// Reason why the arguments do not describe a graph.
enum Wrong {
    /// The arguments do not have the family's form.
    Form,
    /// The arguments have the right form, but no graph of the family has them.
    Graph(NoGraph),
}

/// Message that says why the family has no graph for the given arguments, for example because they are out of range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
struct NoGraph(String);

impl From<GraphError> for NoGraph {
    fn from(error: GraphError) -> Self {
        Self(error.to_string())
    }
}

/// Makes a graph from its arguments, which must be K whole numbers.
fn numbers<const K: usize, G: Into<AnyGraph>>(
    arguments: &[&str],
    make: impl Fn([u32; K]) -> Result<G, NoGraph>,
) -> Result<Made, Wrong> {
    let all = all_whole(arguments).ok_or(Wrong::Form)?;
    let numbers = <[u32; K]>::try_from(&*all).map_err(|_| Wrong::Form)?;
    let graph = make(numbers).map_err(Wrong::Graph)?.into();
    Ok(Made { arguments: texts(&all), graph, is_asked_in_vain: false })
}

// These loops are compiled once, and not for each family.
fn all_whole(arguments: &[&str]) -> Option<Vec<u32>> {
    arguments.iter().map(|argument| whole(argument)).collect()
}

fn texts(numbers: &[u32]) -> Vec<String> {
    numbers.iter().map(u32::to_string).collect()
}

/// Makes a random graph from its arguments: K whole numbers, a probability and a seed.
fn probable<const K: usize, G: Into<AnyGraph>>(
    arguments: &[&str],
    make: impl Fn([u32; K], f64, u32) -> Result<G, NoGraph>,
) -> Result<Made, Wrong> {
    let [sizes @ .., p, seed] = arguments else {
        return Err(Wrong::Form);
    };
    let p: f64 = p.parse().map_err(|_| Wrong::Form)?;
    let seed = whole(seed).ok_or(Wrong::Form)?;
    let made = numbers(sizes, |sizes| make(sizes, p, seed))?;
    Ok(Made { arguments: [made.arguments, vec![p.to_string(), seed.to_string()]].concat(), ..made })
}

/// Returns an error if the setting demands a graph without a Hamiltonian cycle, but the graph has one.
fn has_one(asked: Option<Asked>, has: bool) -> Result<(), NoGraph> {
    refuse(has && asked == Some(Asked::NoCycle), || "the graph has a Hamiltonian cycle".to_owned())
}

/// Returns an error with this sentence if the condition holds.
fn refuse(is_wrong: bool, sentence: impl FnOnce() -> String) -> Result<(), NoGraph> {
    if is_wrong { Err(NoGraph(sentence())) } else { Ok(()) }
}

/// Parses a whole number; `None` unless the text consists of digits only and the number fits into the type.
fn whole(argument: &str) -> Option<u32> {
    let is_digits = argument.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| argument.parse().ok()).flatten()
}

/// Separators that are allowed between the arguments of a graph source.
const MARKS: [char; 4] = [':', ',', 'x', '×'];

/// All families, in the order in which help lists them.
pub const ALL: &[FamilyKind] = &[
    cubic::FAMILY,
    regular::FAMILY,
    gnp::FAMILY,
    random::FAMILY,
    threshold::FAMILY,
    mindeg2::FAMILY,
    planar::FAMILY,
    bipartite::FAMILY,
    petersen::FAMILY,
    flower::FAMILY,
    snark::FAMILY,
    sheehan::FAMILY,
    named::FAMILY,
    grid::FAMILY,
    torus::FAMILY,
    cycle::FAMILY,
    complete::FAMILY,
    hypercube::FAMILY,
    subsets::KNESER,
    subsets::JOHNSON,
    dgnp::FAMILY,
    tournament::FAMILY,
    circulant::FAMILY,
    de_bruijn::FAMILY,
];

/// Returns the forms of the graph sources of all families, separated by commas, for messages and help.
pub fn forms() -> String {
    let forms = ALL.iter().map(FamilyKind::word);
    forms.collect::<Vec<_>>().join(", ")
}

/// A graph of a family, with its canonical graph source. Two values are equal if their sources are equal.
#[derive(Clone, Debug)]
pub struct Family {
    kind: &'static FamilyKind,
    word: Box<str>,
    graph: Box<AnyGraph>,
    /// True if the graph is random and the source gave no seed.
    is_unsaid: bool,
}

/// Error for a text that is not a valid graph source of a family, as a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FamilyError(String);

impl FamilyError {
    /// Returns the error for a seed that cannot be set, because the graph source already has one, or because the graph
    /// is not random. `word` is the graph source in canonical form.
    pub fn seed(word: &str, has_seed: bool) -> Self {
        let why = if has_seed { "already has a seed" } else { "is not random" };
        Self(format!("\"{word}\" {why}; --seed is only for random graphs whose name has no seed"))
    }
}

impl FamilyKind {
    /// Values of the fields that a family may leave out.
    const NONE: Self = Self {
        name: "",
        also: &[],
        form: "",
        alone: None,
        example: "",
        says: "",
        seeded: false,
        asks: &[],
        make: |_, _| Err(Wrong::Form),
    };

    /// Returns the form of the graph sources of this family, such as `cubic:VERTICES:SEED`.
    pub fn word(&self) -> String {
        format!("{}:{}", self.name, self.form)
    }

    /// Returns the number of arguments in a complete graph source, including a seed.
    fn arity(&self) -> usize {
        1 + self.form.matches(MARKS).count()
    }

    /// Returns the graph source with these arguments and this setting, and with the separators of the family's form.
    fn written(&self, arguments: &[String], asked: Option<Asked>) -> String {
        let marks = self.form.chars().filter(|c| MARKS.contains(c));
        // The last mark is repeated for families with any number of arguments.
        let last = self.form.chars().rfind(|c| MARKS.contains(c));
        let mut marks = std::iter::once(':').chain(marks).chain(last.into_iter().cycle());
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

    /// Makes the graph with these arguments and this setting. Error messages show `word` as the graph source.
    fn graph(&'static self, word: &str, arguments: &[&str], asked: Option<Asked>) -> Result<Family, FamilyError> {
        let made = (self.make)(arguments, asked).map_err(|wrong| match wrong {
            Wrong::Form => {
                FamilyError(format!("\"{word}\" does not have the form {}, such as {}", self.word(), self.example))
            }
            Wrong::Graph(NoGraph(wrong)) => FamilyError(format!("cannot generate \"{word}\": {wrong}")),
        })?;
        // Each graph has one canonical source, which does not depend on how the user typed it. Only random graphs change
        // with the setting.
        let asked = asked.filter(|_| self.seeded && !made.is_asked_in_vain);
        Ok(Family {
            kind: self,
            word: self.written(&made.arguments, asked).into(),
            graph: Box::new(made.graph),
            is_unsaid: false,
        })
    }

    /// Returns the family whose name begins a graph source, in any case, and the text of the arguments. The text is `None`
    /// if the source is only a name.
    fn of(word: &str) -> Option<(&'static Self, Option<&str>)> {
        let behind = |kind: &'static Self| {
            let names = std::iter::once(&kind.name).chain(kind.also);
            names.filter_map(move |name| {
                let (begin, rest) = word.split_at_checked(name.len())?;
                let behind = behind_name(rest);
                let is_name = begin.eq_ignore_ascii_case(name) && (behind.is_some() || rest.is_empty());
                is_name.then_some((name, kind, behind))
            })
        };
        // The longest name wins, because the name of a family may begin with the name of another family.
        let found = ALL.iter().flat_map(behind);
        let found = found.max_by_key(|(name, ..)| name.len());
        let found = found.map(|(_, kind, behind)| (kind, behind));
        // The name of a graph of the literature is a graph source by itself.
        let is_graph = || named::names().any(|name| name.eq_ignore_ascii_case(word));
        found.or_else(|| is_graph().then_some((&named::FAMILY, Some(word))))
    }
}

impl Family {
    /// Returns the name of the family.
    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    /// Returns the short description of the family for help.
    pub fn says(&self) -> &'static str {
        self.kind.says
    }

    /// Returns the graph that the source names.
    pub fn graph(&self) -> &AnyGraph {
        &self.graph
    }

    /// Returns the graph of the same graph source with this seed added.
    ///
    /// # Errors
    ///
    /// [`FamilyError`] if the source gave a seed or the graph is not random; otherwise the error that occurs when
    /// the graph is made.
    pub fn with_seed(&self, seed: u32) -> Result<Self, FamilyError> {
        if !self.is_unsaid {
            return Err(FamilyError::seed(&self.word, self.kind.seeded));
        }
        let (word, setting) = self.word.split_at(self.word.find(SETTING).unwrap_or(self.word.len()));
        // The seed is the last argument.
        let seedless = word.trim_end_matches(|c: char| c.is_ascii_digit());
        format!("{seedless}{seed}{setting}").parse()
    }

    /// True if a text begins with the name of a family. The text must also have arguments, unless the family has
    /// default arguments.
    pub fn is_named(word: &str) -> bool {
        let named = FamilyKind::of(word);
        named.is_some_and(|(kind, behind)| behind.or(kind.alone).is_some())
    }
}

impl FromStr for Family {
    type Err = FamilyError;

    fn from_str(text: &str) -> Result<Self, FamilyError> {
        let (word, settings) = settings_of(text);
        let none = || FamilyError(format!("\"{text}\" does not name a graph family; use one of {}", forms()));
        let (kind, behind) = FamilyKind::of(word).ok_or_else(none)?;
        let behind = match behind.or(kind.alone) {
            Some(behind) => arguments_of(behind),
            None => Vec::new(),
        };
        // A setting may follow a blank, like an argument. Its name distinguishes it from an argument.
        let (said, mut arguments): (Vec<&str>, Vec<&str>) =
            behind.into_iter().partition(|part| part.parse::<Asked>().is_ok());
        let mut asked = None;
        for name in said.into_iter().chain(settings) {
            let unknown = |_| {
                if name == RELABEL {
                    return FamilyError(format!("\"{text}\": +{RELABEL} needs a seed, as in +{RELABEL}=7"));
                }
                let instead = instead(name, &self::settings());
                FamilyError(format!("\"{text}\": unknown setting \"{name}\"{instead}"))
            };
            let setting: Asked = name.parse().map_err(unknown)?;
            if let Some(other) = asked.replace(setting) {
                let advice = "exclude each other; remove one of them";
                return Err(FamilyError(format!("\"{text}\": +{other} and +{setting} {advice}")));
            }
        }
        if let Some(asked) = asked.filter(|asked| !kind.asks.contains(asked)) {
            let (family, knowing) = (kind.name, knowing(asked));
            return Err(FamilyError(format!(
                "\"{text}\": the family \"{family}\" does not support +{asked}; use {knowing}"
            )));
        }
        let is_unsaid = kind.seeded && arguments.len() + 1 == kind.arity();
        let seed = UNSAID.to_string();
        arguments.extend(is_unsaid.then_some(seed.as_str()));
        Ok(Self { is_unsaid, ..kind.graph(text, &arguments, asked)? })
    }
}

/// Separator before a setting of a graph source.
const SETTING: char = '+';

/// Returns a graph source without its settings, and the settings. A setting is a plus sign and a name that begins with
/// a letter.
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

/// Splits the text of the arguments at separators and at blanks. Blanks around a separator are ignored.
fn arguments_of(behind: &str) -> Vec<&str> {
    if behind.trim_ascii().is_empty() {
        return Vec::new();
    }
    let between_marks = behind.split(MARKS);
    let words = between_marks.flat_map(|part| match part.trim_ascii() {
        // The part between two separators is empty, so an argument is missing.
        "" => vec![""],
        part => part.split_ascii_whitespace().collect(),
    });
    words.collect()
}

/// Returns the text after the name of a family; `None` unless a colon or a blank follows the name.
fn behind_name(rest: &str) -> Option<&str> {
    let behind = rest.trim_start_matches(' ');
    match behind.strip_prefix(':') {
        Some(behind) => Some(behind),
        None => (behind.len() < rest.len()).then_some(behind),
    }
}

/// Returns the names of all settings, for messages.
fn settings() -> String {
    let names = Asked::ALL.iter().map(|asked| asked.as_str());
    names.chain([RELABEL]).collect::<Vec<_>>().join(", ")
}

/// Returns the names of the families that support a setting.
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

// Two families are equal if their canonical sources are equal.

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
            let names = ALL.iter().flat_map(|other| other.also.iter().chain([&other.name]));
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
            ("snark:Double-Star", "snark:double-star"),
            ("Tutte", "named:tutte"),
            ("named:Tutte-12-Cage", "named:tutte-12-cage"),
            ("Petersen", "petersen:5:2"),
            ("Cubic 10 1", "cubic:10:1"),
        ] {
            let graph: Family = written.parse().unwrap();
            assert_eq!(graph.to_string(), word);
            let again: Family = word.parse().unwrap();
            assert_eq!(again.graph(), graph.graph());
        }
    }

    /// Tests that graphs have these numbers of vertices and edges, and these least and greatest degrees.
    #[test]
    fn graphs_have_their_vertices_and_degrees() {
        for (word, n, edges, least, most) in [
            ("complete:9", 9, 36, 8, 8),
            ("cycle:9", 9, 9, 2, 2),
            ("flower:5", 20, 30, 3, 3),
            ("grid:3x5", 15, 22, 2, 4),
            ("hypercube:0", 1, 0, 0, 0),
            ("hypercube:4", 16, 32, 4, 4),
            ("johnson:4:4", 1, 0, 0, 0),
            ("johnson:5:2", 10, 30, 6, 6),
            ("johnson:6:3", 20, 90, 9, 9),
            ("kneser:5:2", 10, 15, 3, 3),
            ("kneser:6:1", 6, 15, 5, 5),
            ("kneser:7:2", 21, 105, 10, 10),
            ("petersen:5:2", 10, 15, 3, 3),
            ("sheehan:4", 4, 5, 2, 3),
            ("sheehan:13", 13, 43, 2, 12),
            ("sheehan:1123", 1123, 315_283, 2, 1122),
            ("torus:3x5", 15, 30, 4, 4),
            ("named:balaban-10-cage", 70, 105, 3, 3),
            ("named:chvatal", 12, 24, 4, 4),
            ("named:coxeter", 28, 42, 3, 3),
            ("named:dodecahedron", 20, 30, 3, 3),
            ("named:dyck", 32, 48, 3, 3),
            ("named:f26a", 26, 39, 3, 3),
            ("named:folkman", 20, 40, 4, 4),
            ("named:foster", 90, 135, 3, 3),
            ("named:franklin", 12, 18, 3, 3),
            ("named:frucht", 12, 18, 3, 3),
            ("named:goldner-harary", 11, 27, 3, 8),
            ("named:gray", 54, 81, 3, 3),
            ("named:groetzsch", 11, 20, 3, 5),
            ("named:heawood", 14, 21, 3, 3),
            ("named:herschel", 11, 18, 3, 4),
            ("named:hoffman-singleton", 50, 175, 7, 7),
            ("named:icosahedron", 12, 30, 5, 5),
            ("named:mcgee", 24, 36, 3, 3),
            ("named:meredith", 70, 140, 4, 4),
            ("named:moebius-kantor", 16, 24, 3, 3),
            ("named:nauru", 24, 36, 3, 3),
            ("named:pappus", 18, 27, 3, 3),
            ("named:robertson", 19, 38, 4, 4),
            ("named:thomassen", 34, 52, 3, 4),
            ("named:tietze", 12, 18, 3, 3),
            ("named:tutte", 46, 69, 3, 3),
            ("named:tutte-12-cage", 126, 189, 3, 3),
            ("named:tutte-coxeter", 30, 45, 3, 3),
            ("named:walther", 25, 31, 1, 3),
        ] {
            let family: Family = word.trim_start_matches("named:").parse().unwrap();
            assert_eq!(family.to_string(), word);
            let graph = family.graph().undirected().unwrap();
            let degrees = || graph.vertices().map(|v| graph.degree(v));
            let ends = (degrees().min(), degrees().max());
            assert_eq!((graph.n_vertices(), graph.n_edges(), ends), (n, edges, (Some(least), Some(most))), "{word}");
        }
        assert!(named::names().is_sorted() && named::names().count() == 29);
        for word in ["tutte+no-cycle", "kneser:5:2+no-cycle"] {
            assert!(word.parse::<Family>().is_ok(), "{word}");
        }
        let wrong = "complete:0 complete:10001 cycle:2 flower:3 flower:6 grid:0x5 grid:4294967295x4294967295 heawood+no-cycle hypercube:20 \
                     johnson:30:15 johnson:32:1 kneser:5:0 kneser:5:6 kneser:7:2+no-cycle petersen:2:1 petersen:5:5 sheehan:3 torus:2x5";
        for word in wrong.split(' ') {
            let error = word.parse::<Family>().unwrap_err().to_string();
            assert!(error.starts_with("cannot generate"), "{word}: {error}");
        }
    }

    #[test]
    fn seeds_are_given_to_those_that_have_none() {
        let unsaid: Family = "gnp 30 .2 planted".parse().unwrap();
        let seeded = unsaid.with_seed(7).unwrap();
        assert_eq!(seeded.to_string(), "gnp:30,0.2:7+planted");
        let said: Family = "gnp:30,0.2:7+planted".parse().unwrap();
        assert!(seeded == said && seeded.graph() == said.graph());
        for (word, message) in [
            ("cubic:20:3", "\"cubic:20:3\" already has a seed; --seed is only for"),
            ("grid:4x4", "\"grid:4x4\" is not random; --seed is only for"),
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
            ("cubic:8:1:1", "\"cubic:8:1:1\" does not have the form cubic:VERTICES:SEED, such as cubic:60:7"),
            (
                "cubic:20:1+plantde",
                "\"cubic:20:1+plantde\": unknown setting \"plantde\": did you mean planted? Choose from",
            ),
            (
                "cubic:20:1+planted+no-cycle",
                "\"cubic:20:1+planted+no-cycle\": +planted and +no-cycle exclude each other; remove one of them",
            ),
            (
                "torus:3x3+no-cycle",
                "\"torus:3x3+no-cycle\": the family \"torus\" does not support +no-cycle; use cubic, gnp,",
            ),
            ("petersen:7:2+no-cycle", "cannot generate \"petersen:7:2+no-cycle\": the graph has a Hamiltonian cycle"),
            ("cubic:9:1+relabel", "\"cubic:9:1+relabel\": +relabel needs a seed, as in +relabel=7"),
            ("cubic:9:1", "cannot generate \"cubic:9:1\": "),
            ("petersen:5:x", "\"petersen:5:x\" does not have the form petersen:N:K, such as"),
            ("petersen:+5:2", "\"petersen:+5:2\" does not have the form petersen:N:K"),
            ("gp:5", "\"gp:5\" does not have the form petersen:N:K"),
            ("cubic", "\"cubic\" does not have the form cubic:VERTICES:SEED"),
            ("wheel:5", "\"wheel:5\" does not name a graph family; use one of cubic:VERTICES:SEED, regular:VERTICES:"),
        ] {
            let error = word.parse::<Family>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
