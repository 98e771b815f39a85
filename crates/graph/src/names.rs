//! Choices that have names: the same word on the command line, in experiment files and in results.

use std::fmt::{Debug, Display};
use std::str::FromStr;

/// A closed set of choices, each with one name.
pub trait Named: Copy + Debug + Display + FromStr<Err = NoSuchName> + 'static {
    /// What the choice is of, such as `encoding`.
    const OF: &'static str;
    /// All choices.
    const ALL: &'static [Self];

    /// The name.
    fn as_str(self) -> &'static str;
}

/// There is no choice of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no {of} '{name}'{}", instead(name, known))]
pub struct NoSuchName {
    /// What was to be chosen.
    pub of: &'static str,
    /// The name given.
    pub name: String,
    /// The names there are.
    pub known: String,
}

/// How alike a wrong word and a right one are that is suggested, where 1 is the same.
const ALIKE: f64 = 0.8;

/// The word that a wrong one is the beginning of, or else the one that is most like it, has it behind a dash or is one
/// slip away from it, if any is.
pub fn most_alike<'a>(wrong: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let words: Vec<_> = words.collect();
    let mut begun = words
        .iter()
        .filter(|word| !wrong.is_empty() && word.starts_with(wrong));
    if let (Some(&only), None) = (begun.next(), begun.next()) {
        return Some(only);
    }
    let alike = words.iter().map(|&word| (strsim::jaro(wrong, word), word));
    let most = alike.max_by(|(a, _), (b, _)| a.total_cmp(b));
    let most = most.filter(|(likeness, _)| *likeness >= ALIKE);
    most.map(|(_, word)| word).or_else(|| {
        let ends = |name: &&str| name.split('-').skip(1).any(|word| word == wrong);
        let found = words.iter().copied().find(ends);
        // Of short words one letter is much.
        let slip = |name: &&str| wrong.len() > 1 && strsim::osa_distance(wrong, name) == 1;
        found.or_else(|| words.iter().copied().find(slip))
    })
}

/// What follows that there is no such word: the one that may be meant, and those that there are, between commas.
#[must_use]
pub fn instead(wrong: &str, known: &str) -> String {
    match most_alike(&wrong.to_lowercase(), known.split(", ")) {
        Some(meant) => format!(": did you mean {meant}? There are {known}"),
        None => format!("; there are {known}"),
    }
}

/// Finds a choice by its name.
///
/// # Errors
///
/// [`NoSuchName`], with the names there are.
pub fn find<T: Named>(name: &str) -> Result<T, NoSuchName> {
    let found = T::ALL.iter().find(|choice| choice.as_str() == name);
    found.copied().ok_or_else(|| {
        let known: Vec<_> = T::ALL.iter().map(|choice| choice.as_str()).collect();
        NoSuchName {
            of: T::OF,
            name: name.to_owned(),
            known: known.join(", "),
        }
    })
}

/// Gives an enum's choices their names: `named!(Colour, "colour", { Red => "red", Blue => "blue", });`
/// implements [`Named`], `Display` and `FromStr`.
#[macro_export]
macro_rules! named {
    ($type:ident, $of:literal, { $($variant:ident => $name:expr,)+ }) => {
        impl $crate::names::Named for $type {
            const OF: &'static str = $of;
            const ALL: &'static [Self] = &[$(Self::$variant,)+];

            fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad($crate::names::Named::as_str(*self))
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::names::NoSuchName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                $crate::names::find(name)
            }
        }
    };
}
pub use named;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_of_beginnings_first() {
        let names = || ["direct", "unary", "binary", "counting", "local-search"].into_iter();
        assert_eq!(most_alike("bin", names()), Some("binary"));
        assert_eq!(most_alike("search", names()), Some("local-search"));
        assert_eq!(most_alike("unray", names()), Some("unary"));
        assert_eq!(most_alike("rn", ["sizes", "run"].into_iter()), Some("run"));
        assert_eq!(most_alike("ternary-x", names()), None);
        assert_eq!(most_alike("", names()), None);
    }

    #[test]
    fn what_is_meant_stands_before_what_there_is() {
        assert_eq!(
            instead("Opne", "open, closed"),
            ": did you mean open? There are open, closed"
        );
        assert_eq!(instead("x", "open, closed"), "; there are open, closed");
    }
}
