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
#[error("there is no {of} '{name}'; there are {known}")]
pub struct NoSuchName {
    /// What was to be chosen.
    pub of: &'static str,
    /// The name given.
    pub name: String,
    /// The names there are.
    pub known: String,
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
pub(crate) use named;
