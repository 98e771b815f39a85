//! Enums whose values have names. The same names are used on the command line, in experiment files and in results.

use std::fmt::{Debug, Display};
use std::str::FromStr;

/// An enum in which every value has a unique name.
pub trait Named: Copy + Debug + Display + FromStr<Err = NoSuchName> + 'static {
    /// Noun for the values in messages, such as `encoding`.
    const OF: &'static str;
    /// All values, in the order in which messages list them.
    const ALL: &'static [Self];

    /// Returns the name of the value.
    fn as_str(self) -> &'static str;
}

/// Error for a text that is not the name of a value of the enum.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown {of} \"{name}\"{}", instead(name, known))]
pub struct NoSuchName {
    /// Noun for the enum's values, such as `encoding`.
    pub of: &'static str,
    /// Name that was not found, as the user typed it.
    pub name: String,
    /// All valid names, separated by a comma and a blank.
    pub known: String,
}

/// Joins texts with commas and "and". Only the first `most` texts occur; `all` is their total number. If some are left
/// out, the result ends with the number of these.
pub fn and_more(mut first: Vec<String>, all: usize, most: usize) -> String {
    first.truncate(most);
    if all > first.len() {
        first.push(format!("{} more", all - first.len()));
    }
    let last = first.pop().unwrap_or_default();
    match first.is_empty() {
        true => last,
        false => format!("{} and {last}", first.join(", ")),
    }
}

/// Least Jaro similarity that a suggested word must have; 1 means equal.
const ALIKE: f64 = 0.8;

/// Returns the word that `wrong` probably means. The candidates are, in this order: the only word that begins with
/// `wrong`; the word most similar to `wrong`; a word that contains `wrong` after a dash; a word that is one edit away.
pub fn most_alike<'a>(wrong: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let words: Vec<_> = words.collect();
    let mut begun = words.iter().filter(|word| !wrong.is_empty() && word.starts_with(wrong));
    if let (Some(&only), None) = (begun.next(), begun.next()) {
        return Some(only);
    }
    let alike = words.iter().map(|&word| (strsim::jaro(wrong, word), word));
    let most = alike.max_by(|(a, _), (b, _)| a.total_cmp(b));
    let most = most.filter(|(likeness, _)| *likeness >= ALIKE);
    most.map(|(_, word)| word).or_else(|| {
        let ends = |name: &&str| name.split('-').skip(1).any(|word| word == wrong);
        let found = words.iter().copied().find(ends);
        // A single edit can turn a word of one letter into any other, so a single letter gets no suggestion.
        let slip = |name: &&str| wrong.len() > 1 && strsim::osa_distance(wrong, name) == 1;
        found.or_else(|| words.iter().copied().find(slip))
    })
}

/// Returns the end of an error message about an unknown word: a suggestion if a known word is similar, and then all
/// known words.
pub fn instead(wrong: &str, known: &str) -> String {
    match most_alike(&wrong.to_lowercase(), known.split(", ")) {
        Some(meant) => format!(": did you mean {meant}? Choose from {known}"),
        None => format!("; choose from {known}"),
    }
}

/// Returns the value with this name.
///
/// # Errors
///
/// [`NoSuchName`] if no value has the name. The error lists the valid names.
pub fn find<T: Named>(name: &str) -> Result<T, NoSuchName> {
    let found = T::ALL.iter().find(|choice| choice.as_str() == name);
    found.copied().ok_or_else(|| {
        let known: Vec<_> = T::ALL.iter().map(|choice| choice.as_str()).collect();
        NoSuchName { of: T::OF, name: name.to_owned(), known: known.join(", ") }
    })
}

/// Gives names to the values of an enum. `named!(Colour, "colour", { Red => "red", Blue => "blue", });` implements
/// [`Named`], `Display` and `FromStr` for `Colour`. `named! { enum Colour: "colour" { Red => "red", Blue => "blue", } }`
/// defines the enum, too.
#[macro_export]
macro_rules! named {
    (
        $(#[$of_type:meta])*
        $vis:vis enum $type:ident: $of:literal { $($(#[$of_variant:meta])* $variant:ident => $name:expr,)+ }
    ) => {
        $(#[$of_type])*
        $vis enum $type {
            $($(#[$of_variant])* $variant,)+
        }
        $crate::named!($type, $of, { $($variant => $name,)+ });
    };
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
        assert_eq!(instead("Opne", "open, closed"), ": did you mean open? Choose from open, closed");
        assert_eq!(instead("x", "open, closed"), "; choose from open, closed");
    }
}
