//! The choice of an encoding: a base and refinements, in one word that says all of it.
//!
//! `binary+windows=full+orientation=fixed` is the base `binary` with two refinements. A base may have an argument,
//! `remainder=4x3x5`; a refinement's name alone stands for its usual value, `successor+parity`. What goes with a base
//! anyway is left out, and what a base has otherwise can be taken away, `counting+orientation=free`. The word is the
//! same on the command line, in experiments, rows and the headers of files, and reads as what it was written from. It
//! has no blanks, colons or commas, which stand between words elsewhere.
//!
//! A base is a [`Base`] with one line in the list here; who has one elsewhere either makes an [`Encoding`] of it or
//! [`register`]s it, and it has its name everywhere.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::{Arc, PoisonError, RwLock};

use crate::base::{BadArgument, Base, Encode, Offers};
use crate::bases::arcs::Arcs;
use crate::bases::counting::counting;
use crate::bases::direct::Direct;
use crate::bases::edges::Edges;
use crate::bases::step::Step;
use crate::names::{Named, instead};
use crate::positions::binary::Binary;
use crate::positions::espresso::ESPRESSO;
use crate::positions::lfsr::Lfsr;
use crate::positions::precedence::Precedence;
use crate::positions::remainder::Remainder;
use crate::positions::successor::Successor;
use crate::positions::unary::Unary;
use crate::refine::{self, Refine, Refinement, Switch};

/// The bases there are; a new one is a line here.
const BASES: &[Base] = &[
    Base {
        name: "direct",
        says: "one variable per vertex and position (section 3.1)",
        with: &[],
        offers: Offers {
            arcs: false,
            ..Offers::ALL
        },
        make: |arg| Base::plain(Direct, arg),
    },
    Base {
        name: "unary",
        says: "arcs and unary positions (section 3.2.1)",
        with: &["windows=as-published"],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(Unary), arg),
    },
    Base {
        name: "binary",
        says: "arcs and binary positions (section 3.2.2)",
        with: &["windows=as-published"],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(Binary::PAPER), arg),
    },
    Base {
        name: "counting",
        says: "arcs, edges and positions, one model per tour, for model counters",
        with: &["windows=full", "two-cycles=on", "orientation=fixed"],
        offers: Offers::ALL,
        make: |arg| Base::plain(counting(), arg),
    },
    Base {
        name: "step",
        says: "row and column of every step as bit-vectors (boards only)",
        with: &[],
        offers: Offers {
            arcs: false,
            boards_only: true,
            ..Offers::ALL
        },
        make: |arg| Base::plain(Step, arg),
    },
    Base {
        name: "successor",
        says: "arcs and binary positions with shared successors",
        with: &[],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(Successor), arg),
    },
    Base {
        name: "espresso",
        says: "arcs and binary positions with adders in blocks",
        with: &[],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(ESPRESSO), arg),
    },
    Base {
        name: "lfsr",
        says: "arcs and positions as states of a shift register",
        with: &[],
        offers: Offers::ALL,
        make: |arg| Base::plain(Arcs::with(Lfsr), arg),
    },
    Base {
        name: "remainder",
        says: "arcs and positions by remainders, such as remainder=4x3x5",
        with: &[],
        offers: Offers::ALL,
        make: |arg| Ok(Arc::new(Arcs::with(Remainder::parse(arg)?))),
    },
    Base {
        name: "precedence",
        says: "arcs and precedence of vertices, on a chordal completion",
        with: &[],
        offers: Offers {
            positions: false,
            ..Offers::ALL
        },
        make: |arg| Base::plain(Arcs::with(Precedence), arg),
    },
    Base {
        name: "relaxed",
        says: "arcs without positions (relaxed: cycle covers)",
        with: &[],
        offers: Offers {
            positions: false,
            ..Offers::ALL
        },
        make: |arg| Base::plain(Arcs::relaxed(), arg),
    },
    Base {
        name: "edges",
        says: "two edges per vertex (relaxed: undirected cycle covers)",
        with: &["at-most-one=sparing"],
        offers: Offers {
            arcs: false,
            positions: false,
            directions: false,
            ..Offers::ALL
        },
        make: |arg| Base::plain(Edges, arg),
    },
];

/// What has been registered beside those.
static REGISTERED: RwLock<(Vec<Base>, Vec<Refinement>)> = RwLock::new((Vec::new(), Vec::new()));

/// Why a base or refinement cannot be registered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RegisterError {
    /// There is another of this name.
    #[error("the name '{0}' is already taken")]
    Taken(&'static str),
    /// The name has something that stands between words.
    #[error("'{0}' is not a valid name; use a letter, then letters, digits and dashes")]
    NoName(&'static str),
}

fn new_name(name: &'static str, taken: bool) -> Result<(), RegisterError> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
    match !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(is_name) {
        true => Err(RegisterError::NoName(name)),
        false if taken => Err(RegisterError::Taken(name)),
        false => Ok(()),
    }
}

/// Makes a base known by its name, wherever encodings are written.
///
/// # Errors
///
/// [`RegisterError`], where the name is none or taken.
pub fn register(base: Base) -> Result<(), RegisterError> {
    new_name(base.name, bases().iter().any(|b| b.name == base.name))?;
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.0.push(base);
    Ok(())
}

/// Makes a refinement known by its name.
///
/// # Errors
///
/// As [`register`].
pub fn register_refinement(refinement: Refinement) -> Result<(), RegisterError> {
    let taken = refinements().iter().any(|r| r.name == refinement.name);
    new_name(refinement.name, taken)?;
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.1.push(refinement);
    Ok(())
}

/// All bases, in the order in which they are listed.
#[must_use]
pub fn bases() -> Vec<Base> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BASES.iter().chain(&registered.0).copied().collect()
}

/// All refinements, in the order in which they are written.
#[must_use]
pub fn refinements() -> Vec<Refinement> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    refine::ALL.iter().chain(&registered.1).copied().collect()
}

/// A base with refinements.
#[derive(Clone)]
pub struct Encoding {
    /// The word that says all of it.
    word: Arc<str>,
    base: Base,
    argument: Option<Arc<str>>,
    encode: Arc<dyn Encode>,
    /// Those that do something, in the order of their list.
    refinements: Arc<[Refined]>,
}

/// A refinement with its value.
#[derive(Clone)]
struct Refined {
    kind: Refinement,
    refine: Arc<dyn Refine>,
}

/// Why a word is not an encoding.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodingError {
    /// There is no base of this name.
    #[error("unknown encoding '{name}'{}", instead(name, known))]
    NoBase {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// There is no refinement of this name.
    #[error("unknown refinement '{name}'{}", instead(name, known))]
    NoRefinement {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The base is not to be had with its argument.
    #[error("{word}: {wrong}")]
    Base {
        /// The base with the argument.
        word: String,
        /// What is wrong.
        wrong: BadArgument,
    },
    /// The refinement is not to be had with its value.
    #[error("{name}: {wrong}")]
    Value {
        /// The refinement.
        name: &'static str,
        /// What is wrong.
        wrong: BadArgument,
    },
    /// The refinement works on what the base does not have.
    #[error("{refinement} needs an encoding with {needs}, which {base} does not have")]
    NotFor {
        /// The refinement.
        refinement: &'static str,
        /// What it works on.
        needs: &'static str,
        /// The base.
        base: &'static str,
    },
    /// A refinement is said twice.
    #[error("{0} occurs twice")]
    Twice(&'static str),
}

impl Encoding {
    /// The paper's encodings, in its order.
    pub const PAPER: [&str; 3] = ["direct", "unary", "binary"];

    /// A base with the refinements that go with it.
    ///
    /// # Errors
    ///
    /// [`EncodingError`], for an argument or a refinement in the base's own list that is not to be had.
    pub fn of(base: Base, argument: Option<&str>) -> Result<Self, EncodingError> {
        let worded = |argument| format!("{}={argument}", base.name);
        let encode = (base.make)(argument).map_err(|wrong| EncodingError::Base {
            word: argument.map_or(base.name.to_owned(), worded),
            wrong,
        })?;
        let argument = encode.argument();
        let plain = Self {
            word: base.name.into(),
            base,
            argument: argument.map(Into::into),
            encode,
            refinements: Arc::new([]),
        };
        let known = refinements();
        let with = base.with.iter();
        let with = with.map(|word| Refined::parse(word, &known));
        plain.having(with.collect::<Result<_, _>>()?)
    }

    /// The same encoding with a refinement, such as `windows=full`, in the place of its own of that name.
    ///
    /// # Errors
    ///
    /// [`EncodingError`], where there is none of the name or value, or it is not for this base.
    pub fn with(&self, word: &str) -> Result<Self, EncodingError> {
        self.refined(&Refined::parse(word, &refinements())?)
    }

    /// The same encoding without a refinement, such as `order=seed-1`; itself where it has it not.
    ///
    /// # Errors
    ///
    /// [`EncodingError`], where there is none of the name or value.
    pub fn without(&self, word: &str) -> Result<Self, EncodingError> {
        let removed = Refined::parse(word, &refinements())?;
        let others = self.refinements.iter();
        let is_it = |r: &Refined| {
            (r.kind.name, r.refine.value()) == (removed.kind.name, removed.refine.value())
        };
        let others = others.filter(|r| !is_it(r));
        self.having(others.cloned().collect())
    }

    fn refined(&self, added: &Refined) -> Result<Self, EncodingError> {
        let others = self.refinements.iter();
        let others = others.filter(|r| r.kind.name != added.kind.name);
        let all = others.cloned().chain(std::iter::once(added.clone()));
        self.having(all.collect())
    }

    /// The base with just these refinements.
    fn having(&self, mut all: Vec<Refined>) -> Result<Self, EncodingError> {
        for refined in &all {
            if !refined.is_absent() && !(refined.kind.is_for)(&self.base.offers) {
                return Err(EncodingError::NotFor {
                    refinement: refined.kind.name,
                    needs: refined.kind.needs,
                    base: self.base.name,
                });
            }
        }
        all.retain(|refined| !refined.is_absent());
        let known: Vec<_> = refinements().iter().map(|r| r.name).collect();
        let place = |name| known.iter().position(|&k| k == name);
        all.sort_by_key(|refined| place(refined.kind.name).unwrap_or(known.len()));
        let refinements: Arc<[Refined]> = all.into();
        Ok(Self {
            word: self.worded(&refinements)?.into(),
            refinements,
            ..self.clone()
        })
    }

    /// The word of the base with these refinements: those that are not its own, and its own that are missing.
    fn worded(&self, refinements: &[Refined]) -> Result<String, EncodingError> {
        let mut word = self.base.name.to_owned();
        if let Some(argument) = &self.argument {
            word += &format!("={argument}");
        }
        let known = self::refinements();
        let own = self.base.with.iter();
        let own: Vec<Refined> = own
            .map(|word| Refined::parse(word, &known))
            .collect::<Result<_, _>>()?;
        let value_in = |list: &[Refined], name| {
            let found = list.iter().find(|r| r.kind.name == name);
            found.map(|r| r.refine.value())
        };
        let missing = own
            .iter()
            .filter(|r| value_in(refinements, r.kind.name).is_none());
        let missing = missing.map(|r| (r.kind, r.kind.absent.to_owned()));
        let here = refinements.iter().map(|r| (r.kind, r.refine.value()));
        let here = here.filter(|(kind, value)| value_in(&own, kind.name).as_ref() != Some(value));
        let mut said: Vec<_> = here.chain(missing).collect();
        let place = |name| known.iter().position(|k| k.name == name);
        said.sort_by_key(|(kind, _)| place(kind.name).unwrap_or(known.len()));
        for (kind, value) in said {
            word += "+";
            word += kind.name;
            // Switches are on where they are named; other values are said for who reads it.
            let on = Switch::On.as_str();
            if (value.as_str(), kind.plain) != (on, on) {
                word += &format!("={value}");
            }
        }
        Ok(word)
    }

    /// The name of its base.
    #[must_use]
    pub fn base(&self) -> &'static str {
        self.base.name
    }

    /// What its base has for refinements to work on.
    #[must_use]
    pub fn offers(&self) -> Offers {
        self.base.offers
    }

    /// Whether it is its base with the refinements that go with that.
    #[must_use]
    pub fn is_published(&self) -> bool {
        Self::of(self.base, self.argument.as_deref()).is_ok_and(|published| published == *self)
    }

    /// The first refinement that makes no clauses but asks a solver in this program for something, if there is one.
    #[must_use]
    pub fn for_solver(&self) -> Option<&'static str> {
        let mut refinements = self.refinements.iter();
        let found = refinements.find(|refined| !refined.kind.in_clauses);
        found.map(|refined| refined.kind.name)
    }

    /// The value of the refinement of this name, as it is written; of one that is not there, the one that is as good
    /// as to leave it out. `None` where there is no such refinement.
    #[must_use]
    pub fn value_of(&self, name: &str) -> Option<String> {
        let here = self.refinements.iter().find(|r| r.kind.name == name);
        let absent = || {
            let known = refinements().into_iter().find(|r| r.name == name)?;
            Some(known.absent.to_owned())
        };
        here.map(|r| r.refine.value()).or_else(absent)
    }

    pub(crate) fn encode(&self) -> &dyn Encode {
        self.encode.as_ref()
    }

    pub(crate) fn refinements(&self) -> impl Iterator<Item = &dyn Refine> {
        self.refinements
            .iter()
            .map(|refined| refined.refine.as_ref())
    }
}

impl Refined {
    fn make(kind: Refinement, value: &str) -> Result<Self, EncodingError> {
        let refine = (kind.make)(value).map_err(|wrong| EncodingError::Value {
            name: kind.name,
            wrong,
        })?;
        Ok(Self { kind, refine })
    }

    fn parse(word: &str, known: &[Refinement]) -> Result<Self, EncodingError> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let kind = known.iter().find(|kind| kind.name == name);
        let kind = *kind.ok_or_else(|| {
            let names: Vec<_> = known.iter().map(|kind| kind.name).collect();
            EncodingError::NoRefinement {
                name: name.to_owned(),
                known: names.join(", "),
            }
        })?;
        Self::make(kind, value.unwrap_or(kind.plain))
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
        let known = bases();
        let base = known.iter().find(|base| base.name == name);
        let base = *base.ok_or_else(|| {
            let names: Vec<_> = known.iter().map(|base| base.name).collect();
            EncodingError::NoBase {
                name: name.to_owned(),
                known: names.join(", "),
            }
        })?;
        let published = Self::of(base, argument)?;
        let known = refinements();
        let mut said: Vec<&'static str> = Vec::new();
        words.try_fold(published, |encoding, word| {
            let refined = Refined::parse(word, &known)?;
            let name = refined.kind.name;
            if said.contains(&name) {
                return Err(EncodingError::Twice(name));
            }
            said.push(name);
            encoding.refined(&refined)
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

// The word says all of an encoding, so encodings are as equal as their words.

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
            (
                "binary+orientation=fixed+windows=full",
                "binary+windows=full+orientation=fixed",
            ),
            ("binary+windows=none", "binary+windows=none"),
            ("counting+orientation=free", "counting+orientation=free"),
            ("counting+windows+two-cycles", "counting"),
            ("remainder=4x3+parity=on", "remainder=4x3+parity"),
            ("remainder=04x3", "remainder=4x3"),
            ("relaxed+windows=none", "relaxed"),
            (
                "lfsr+at-most-one=ladder+order=seed-7",
                "lfsr+order=seed-7+at-most-one=ladder",
            ),
        ] {
            let encoding: Encoding = text.parse().unwrap();
            assert_eq!(encoding.to_string(), word);
            assert_eq!(word.parse::<Encoding>(), Ok(encoding));
        }
    }

    #[test]
    fn what_is_wrong_with_a_word_is_named() {
        for (text, message) in [
            (
                "binray",
                "unknown encoding 'binray': did you mean binary? Choose from direct, unary",
            ),
            ("", "unknown encoding ''"),
            ("binary=3", "binary=3: this encoding takes no argument"),
            (
                "binary+parrity",
                "unknown refinement 'parrity': did you mean parity? Choose from order, windows",
            ),
            (
                "binary+windows=some",
                "windows: unknown pruning 'some'; choose from none, as-published, full",
            ),
            ("binary+parity+parity", "parity occurs twice"),
            (
                "direct+two-cycles",
                "two-cycles needs an encoding with arcs, which direct does not have",
            ),
            (
                "relaxed+parity",
                "parity needs an encoding with positions, which relaxed does not have",
            ),
            (
                "step+order=bfs",
                "order needs an encoding with vertices in any order, which step does not have",
            ),
            (
                "lfsr+order=up",
                "order: unknown order 'up'; choose from natural, bfs",
            ),
        ] {
            let error = text.parse::<Encoding>().unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
