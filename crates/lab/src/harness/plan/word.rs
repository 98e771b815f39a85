//! Words in experiment files.

use std::fmt;

use serde::Deserialize;

/// A word that is read by the type's own parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String", bound(deserialize = "T: FromWord"))]
pub struct Word<T>(pub T);

impl<T: fmt::Display> fmt::Display for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Types with a parser of their own.
pub trait FromWord: std::str::FromStr<Err: std::fmt::Display> {}
impl<T: std::str::FromStr<Err: std::fmt::Display>> FromWord for T {}

impl<T: FromWord> TryFrom<String> for Word<T> {
    type Error = String;
    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
            .map(Self)
            .map_err(|error: T::Err| error.to_string())
    }
}
