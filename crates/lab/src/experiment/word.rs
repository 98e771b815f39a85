//! Values in experiment files that are parsed with [`FromStr`].

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

/// Value of type `T`, parsed with [`FromStr`] from a text or a number in an experiment file.
struct Word<T>(T);

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words<T>(PhantomData<T>);
        impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Words<T> {
            type Value = Word<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Word<T>, E> {
                text.parse().map(Word).map_err(E::custom)
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Word<T>, E> {
                self.visit_str(&number.to_string())
            }
            fn visit_u64<E: Error>(self, number: u64) -> Result<Word<T>, E> {
                self.visit_str(&number.to_string())
            }
        }
        from.deserialize_any(Words(PhantomData))
    }
}

/// Deserializes an optional [`Word`].
pub(super) fn optional<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    Ok(Option::<Word<T>>::deserialize(from)?.map(|word| word.0))
}

/// Value that an experiment file states as a table or as a text. The text is a short form of the table, without its
/// optional keys.
#[derive(Clone, Debug)]
pub(super) struct OrText<T>(pub(super) T);

impl<'de, T: Deserialize<'de> + FromStr<Err: fmt::Display>> Deserialize<'de> for OrText<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de> + FromStr<Err: fmt::Display>> Visitor<'de> for Either<T> {
            type Value = OrText<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("text in quotation marks or a table")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<OrText<T>, E> {
                text.parse().map(OrText).map_err(E::custom)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OrText<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(OrText)
            }
        }
        from.deserialize_any(Either(PhantomData))
    }
}
