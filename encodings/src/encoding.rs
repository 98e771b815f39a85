//! Names of encodings: a base and refinements in one canonical name.
//!
//! `binary+windows=full+orientation=fixed` is the base `binary` with two refinements. A base may have an argument, such
//! as the moduli in `remainder=4x3x5`. A refinement without a value has its usual value: `successor+parity` is short
//! for `successor+parity=on`. The canonical name leaves out the default refinements of the base. A default refinement
//! can be switched off: `counting+orientation=free`. The command line, experiments, result rows and file headers use
//! the same name. Parsing the canonical name of an encoding returns the same encoding. The name contains no blanks,
//! colons or commas, which separate names elsewhere.
//!
//! Each built-in base is a [`Base`] in the list of this file. To use your own base, make an [`Encoding`] of it with
//! [`Encoding::of`]. If you [`register`] the base, its name can be used wherever encodings are named.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use crate::base::{Base, Encode, Offers};
use crate::bases::arcs::Arcs;
use crate::bases::counting::counting;
use crate::bases::direct::Direct;
use crate::bases::edges::Edges;
use crate::bases::step::Step;
use crate::cnf::projection::Projection;
use crate::positions::binary::Binary;
use crate::positions::espresso::ESPRESSO;
use crate::positions::lfsr::Lfsr;
use crate::positions::precedence::Precedence;
use crate::positions::remainder::Remainder;
use crate::positions::successor::Successor;
use crate::positions::unary::Unary;
use crate::refine::{self, Refine, Refinement, Switch};
use hamcnf_graph::names::Named;
use hamcnf_graph::registry::{Entry, RegisterError, Registry};

/// The built-in bases; to add one, add a line here.
const BASES: &[Base] = &[
    Base {
        name: "direct",
        says: "one variable per vertex and position (Karthikeyan et al. 2024, section 3.1)",
        with: &[],
        offers: Offers { arcs: false, ..Offers::ALL },
        make: |arg| Base::plain(Direct, arg),
    },
    Base {
        name: "unary",
        says: "arcs and unary positions (Karthikeyan et al. 2024, section 3.2.1)",
        with: &["windows=as-published"],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(Unary), arg),
    },
    Base {
        name: "binary",
        says: "arcs and binary positions (Karthikeyan et al. 2024, section 3.2.2)",
        with: &["windows=as-published"],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(Binary::PAPER), arg),
    },
    Base {
        name: "counting",
        says: "arcs, edges and positions; one model per tour, for model counters",
        with: &["windows=full", "edges=on", "two-cycles=on", "orientation=fixed"],
        offers: Offers::ALL,
        make: |arg| Base::plain(counting(), arg),
    },
    Base {
        name: "step",
        says: "row and column at every position of the tour as bit-vectors (boards only)",
        with: &[],
        offers: Offers { arcs: false, boards_only: true, ..Offers::ALL },
        make: |arg| Base::plain(Step, arg),
    },
    Base {
        name: "successor",
        says: "arcs and binary positions; one adder per vertex instead of one per arc",
        with: &[],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(Successor), arg),
    },
    Base {
        name: "espresso",
        says: "arcs and binary positions; minimized adders for blocks of bits",
        with: &[],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(ESPRESSO), arg),
    },
    Base {
        name: "lfsr",
        says: "arcs and positions as states of a linear-feedback shift register",
        with: &[],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(Lfsr), arg),
    },
    Base {
        name: "remainder",
        says: "arcs and positions as remainders by coprime moduli, such as remainder=4x3x5",
        with: &[],
        offers: Offers::ALL,
        make: |arg| Ok(Arc::new(Arcs::with(Remainder::parse(arg)?))),
    },
    Base {
        name: "precedence",
        says: "arcs and an order of the vertices on a chordal completion of the graph",
        with: &[],
        offers: Offers { positions: false, ..Offers::ALL },
        make: |arg| Base::plain(Arcs::with(Precedence), arg),
    },
    Base {
        name: "relaxed",
        says: "arcs without positions (relaxed: models are cycle covers)",
        with: &[],
        offers: Offers { positions: false, ..Offers::ALL },
        make: |arg| Base::plain(Arcs::relaxed(), arg),
    },
    Base {
        name: "edges",
        says: "two edges per vertex (relaxed: models are undirected cycle covers)",
        with: &["at-most-one=sparing"],
        offers: Offers { arcs: false, positions: false, directions: false, ..Offers::ALL },
        make: |arg| Base::plain(Edges, arg),
    },
];

static ALL: Registry<Base> = Registry::new(|| BASES);
static REFINEMENTS: Registry<Refinement> = Registry::new(|| refine::ALL);

impl Entry for Base {
    const OF: &'static str = "encoding";

    fn name(&self) -> &str {
        self.name
    }
}

impl Entry for Refinement {
    const OF: &'static str = "refinement";

    fn name(&self) -> &str {
        self.name
    }
}

/// Registers a base, so that its name can be used wherever encodings are named.
///
/// # Errors
///
/// [`RegisterError`], if the name is invalid or taken.
pub fn register(base: Base) -> Result<(), RegisterError> {
    ALL.register(base)
}

/// Registers a refinement, so that its name can be used wherever encodings are named.
///
/// # Errors
///
/// [`RegisterError`], if the name is invalid or taken.
pub fn register_refinement(refinement: Refinement) -> Result<(), RegisterError> {
    REFINEMENTS.register(refinement)
}

/// Returns all bases: the built-in ones, then the registered ones.
pub fn bases() -> Vec<Base> {
    ALL.all()
}

/// Returns all refinements in the order in which canonical names list them.
pub fn refinements() -> Vec<Refinement> {
    REFINEMENTS.all()
}

/// A base with refinements.
#[derive(Clone)]
pub struct Encoding {
    /// Canonical name.
    word: Arc<str>,
    base: Base,
    argument: Option<Arc<str>>,
    encode: Arc<dyn Encode>,
    /// Refinements in the order of [`refinements`], without those whose value is equivalent to leaving them out.
    refinements: Arc<[Refined]>,
}

/// A refinement with its value.
#[derive(Clone)]
struct Refined {
    kind: Refinement,
    refine: Arc<dyn Refine>,
}

/// Reason why a name does not denote an encoding, in words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EncodingError(String);

impl Encoding {
    /// Names of the three encodings of the paper *Knights Tour*, in the order of the paper.
    pub const PAPER: [&str; 3] = ["direct", "unary", "binary"];

    /// Returns the encoding of a base with its default refinements.
    ///
    /// # Errors
    ///
    /// [`EncodingError`], if the base rejects its argument, or if one of its default refinements is invalid.
    pub fn of(base: Base, argument: Option<&str>) -> Result<Self, EncodingError> {
        let encode = (base.make)(argument).map_err(|wrong| {
            let argument = argument.map_or_else(String::new, |argument| format!("={argument}"));
            EncodingError(format!("encoding \"{}{argument}\": {wrong}", base.name))
        })?;
        let argument = encode.argument();
        let plain = Self {
            word: base.name.into(),
            base,
            argument: argument.map(Into::into),
            encode,
            refinements: Arc::new([]),
        };
        plain.having(Refined::defaults(base)?)
    }

    /// Returns the encoding with a refinement added, such as `windows=full`. The new refinement replaces any refinement
    /// of the same name.
    ///
    /// # Errors
    ///
    /// [`EncodingError`], if the name or value does not exist, or if the refinement does not fit the base.
    pub fn with(&self, word: &str) -> Result<Self, EncodingError> {
        self.refined(Refined::parse(word)?)
    }

    /// Returns the encoding without a refinement, such as `order=seed-1`. The encoding is unchanged if it does not have
    /// the refinement with this value.
    ///
    /// # Errors
    ///
    /// [`EncodingError`], if the name or value does not exist.
    pub fn without(&self, word: &str) -> Result<Self, EncodingError> {
        let removed = Refined::parse(word)?;
        let others = self.refinements.iter();
        let is_it = |r: &Refined| (r.kind.name, r.refine.value()) == (removed.kind.name, removed.refine.value());
        let others = others.filter(|r| !is_it(r));
        self.having(others.cloned().collect())
    }

    /// Returns the encoding with the variables of a projection set: with edge variables for sets of edges, if the base
    /// has arcs.
    pub fn for_projection(&self, set: &Projection) -> Self {
        let with_edges = || self.with("edges=on").ok();
        match set {
            Projection::Edges | Projection::CoTree => with_edges().unwrap_or_else(|| self.clone()),
            _ => self.clone(),
        }
    }

    fn refined(&self, added: Refined) -> Result<Self, EncodingError> {
        let others = self.refinements.iter().filter(|r| r.kind.name != added.kind.name);
        let mut all: Vec<_> = others.cloned().collect();
        all.push(added);
        self.having(all)
    }

    /// Returns the encoding with exactly these refinements.
    fn having(&self, mut all: Vec<Refined>) -> Result<Self, EncodingError> {
        for refined in &all {
            if !refined.is_absent() && !(refined.kind.is_for)(&self.base.offers) {
                let (Refinement { name, needs, .. }, base) = (refined.kind, self.base.name);
                return Err(EncodingError(format!(
                    "refinement \"{name}\" needs an encoding with {needs}, which \"{base}\" does not have"
                )));
            }
        }
        all.retain(|refined| !refined.is_absent());
        let known = refinements();
        all.sort_by_key(|refined| known.iter().position(|kind| kind.name == refined.kind.name));
        let refinements: Arc<[Refined]> = all.into();
        Ok(Self { word: self.worded(&refinements)?.into(), refinements, ..self.clone() })
    }

    /// Returns the canonical name: the base, and every refinement whose value differs from the base's default. Defaults
    /// that are switched off also differ.
    fn worded(&self, refinements: &[Refined]) -> Result<String, EncodingError> {
        let mut word = self.base.name.to_owned();
        if let Some(argument) = &self.argument {
            word += &format!("={argument}");
        }
        let defaults = Refined::defaults(self.base)?;
        for kind in self::refinements() {
            let value = kind.value_in(refinements);
            if value != kind.value_in(&defaults) {
                word += "+";
                word += kind.name;
                // A switch that is on needs no value in the name. All other values are written for clarity.
                let on = Switch::On.as_str();
                if (value.as_str(), kind.plain) != (on, on) {
                    word += &format!("={value}");
                }
            }
        }
        Ok(word)
    }

    /// Returns the name of the base.
    pub fn base(&self) -> &'static str {
        self.base.name
    }

    /// Returns the features of the base. They determine which refinements it accepts.
    pub fn offers(&self) -> Offers {
        self.base.offers
    }

    /// True if the encoding is its base with exactly the default refinements.
    pub fn is_published(&self) -> bool {
        Self::of(self.base, self.argument.as_deref()).is_ok_and(|published| published == *self)
    }

    /// Returns the name of the first refinement that adds no clauses, but only advises the solvers of this program.
    /// `None` if the encoding has no such refinement.
    pub fn for_solver(&self) -> Option<&'static str> {
        let mut refinements = self.refinements.iter();
        let found = refinements.find(|refined| !refined.kind.in_clauses);
        found.map(|refined| refined.kind.name)
    }

    /// Returns the encoding without the refinements that add no clauses, except for the defaults of the base.
    pub fn in_clauses(&self) -> Self {
        let defaults = Refined::defaults(self.base).unwrap_or_default();
        let is_default = |refined: &Refined| defaults.iter().any(|own| own.kind.name == refined.kind.name);
        let is_kept = |refined: &&Refined| refined.kind.in_clauses || is_default(refined);
        let kept = self.refinements.iter().filter(is_kept);
        self.having(kept.cloned().collect()).unwrap_or_else(|_| self.clone())
    }

    /// Returns the value of the refinement of this name, as text. If the encoding does not have the refinement, returns
    /// the value that is equivalent to leaving it out. `None` if no refinement has this name.
    pub fn value_of(&self, name: &str) -> Option<String> {
        REFINEMENTS.named(name).map(|kind| kind.value_in(&self.refinements))
    }

    pub(crate) fn encode(&self) -> &dyn Encode {
        self.encode.as_ref()
    }

    pub(crate) fn refinements(&self) -> impl Iterator<Item = &dyn Refine> {
        self.refinements.iter().map(|refined| refined.refine.as_ref())
    }
}

impl Refinement {
    /// Returns the value of this refinement in a list, or the value that is equivalent to leaving it out.
    fn value_in(&self, list: &[Refined]) -> String {
        let found = list.iter().find(|refined| refined.kind.name == self.name);
        found.map_or_else(|| self.absent.to_owned(), |refined| refined.refine.value())
    }
}

impl Refined {
    fn parse(word: &str) -> Result<Self, EncodingError> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let kind = REFINEMENTS.find(name).map_err(|error| EncodingError(error.to_string()))?;
        let refine = (kind.make)(value.unwrap_or(kind.plain));
        let refine = refine.map_err(|wrong| EncodingError(format!("refinement \"{name}\": {wrong}")))?;
        Ok(Self { kind, refine })
    }

    /// Returns the default refinements of a base.
    fn defaults(base: Base) -> Result<Vec<Self>, EncodingError> {
        base.with.iter().map(|word| Self::parse(word)).collect()
    }

    fn is_absent(&self) -> bool {
        self.refine.value() == self.kind.absent
    }
}

impl FromStr for Encoding {
    type Err = EncodingError;

    fn from_str(text: &str) -> Result<Self, EncodingError> {
        let mut words = text.split('+');
        let first = words.next().unwrap_or_default();
        let (name, argument) = match first.split_once('=') {
            Some((name, argument)) => (name, Some(argument)),
            None => (first, None),
        };
        let base = ALL.find(name).map_err(|error| EncodingError(error.to_string()))?;
        let published = Self::of(base, argument)?;
        let mut said: Vec<&'static str> = Vec::new();
        words.try_fold(published, |encoding, word| {
            let refined = Refined::parse(word)?;
            let name = refined.kind.name;
            if said.contains(&name) {
                return Err(EncodingError(format!("the refinement \"{name}\" occurs twice; remove one of them")));
            }
            said.push(name);
            encoding.refined(refined)
        })
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.word)
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoding({})", self.word)
    }
}

// The name determines an encoding, so encodings are compared by name.

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.word == other.word
    }
}

impl Eq for Encoding {}

impl PartialOrd for Encoding {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Encoding {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.word.cmp(&other.word)
    }
}

impl Hash for Encoding {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.word.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_reads_as_what_it_was_written_from() {
        for (text, word) in [
            ("binary", "binary"),
            ("binary+windows=as-published", "binary"),
            ("binary+windows", "binary+windows=full"),
            ("binary+orientation=fixed+windows=full", "binary+windows=full+orientation=fixed"),
            ("binary+windows=none", "binary+windows=none"),
            ("counting+orientation=free", "counting+orientation=free"),
            ("counting+windows+two-cycles", "counting"),
            ("remainder=4x3+parity=on", "remainder=4x3+parity"),
            ("remainder=04x3", "remainder=4x3"),
            ("relaxed+windows=none", "relaxed"),
            ("lfsr+at-most-one=ladder+order=seed-7", "lfsr+order=seed-7+at-most-one=ladder"),
        ] {
            let encoding: Encoding = text.parse().unwrap();
            assert_eq!(encoding.to_string(), word);
            assert_eq!(word.parse::<Encoding>(), Ok(encoding));
        }
    }

    #[test]
    fn what_is_wrong_with_a_word_is_named() {
        for (text, message) in [
            ("binray", "unknown encoding \"binray\": did you mean binary? Choose from direct, unary"),
            ("", "unknown encoding \"\""),
            ("binary=3", "encoding \"binary=3\": this encoding takes no argument"),
            ("binary+parrity", "unknown refinement \"parrity\": did you mean parity? Choose from order, windows"),
            (
                "binary+windows=some",
                "refinement \"windows\": unknown pruning \"some\"; choose from none, as-published, full",
            ),
            ("binary+parity+parity", "the refinement \"parity\" occurs twice; remove one of them"),
            (
                "direct+two-cycles",
                "refinement \"two-cycles\" needs an encoding with arcs, which \"direct\" does not have",
            ),
            (
                "relaxed+parity",
                "refinement \"parity\" needs an encoding with positions, which \"relaxed\" does not have",
            ),
            (
                "step+order=bfs",
                "refinement \"order\" needs an encoding with vertices in any order, which \"step\" does not have",
            ),
            ("lfsr+order=up", "refinement \"order\": unknown order \"up\"; choose from natural, bfs"),
        ] {
            let error = text.parse::<Encoding>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
