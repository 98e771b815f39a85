//! Parsers for numbers on the command line. The error for an invalid number says which numbers are valid.

use std::fmt::Display;
use std::num::ParseIntError;
use std::ops::RangeInclusive;
use std::str::FromStr;

use num_bigint::BigUint;

/// Error for an invalid value. The text completes the sentence "it must be …".
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("it must be {0}")]
pub(crate) struct MustBe(pub(crate) String);

/// Parses a whole number of any size.
pub(crate) fn natural(text: &str) -> Result<BigUint, MustBe> {
    text.parse().map_err(|_| MustBe("a whole number of at least 0".to_owned()))
}

/// Parses a whole number of any size, except 0.
pub(crate) fn positive(text: &str) -> Result<BigUint, MustBe> {
    let number = text.parse().ok().filter(|number| *number != BigUint::ZERO);
    number.ok_or_else(|| MustBe("a whole number of at least 1".to_owned()))
}

/// Parses a cost of tours.
pub(crate) fn cost(text: &str) -> Result<i64, MustBe> {
    text.parse().map_err(|_| MustBe("a whole number of 64 bits, because costs are whole numbers".to_owned()))
}

/// Returns a parser for whole numbers within bounds.
pub(crate) fn whole<T>(bounds: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, MustBe> + Clone
where
    T: FromStr<Err = ParseIntError> + PartialOrd + Display + Clone,
{
    move |text| match text.parse::<T>() {
        Ok(value) if bounds.contains(&value) => Ok(value),
        _ => Err(MustBe(format!("a whole number from {} to {}", bounds.start(), bounds.end()))),
    }
}
