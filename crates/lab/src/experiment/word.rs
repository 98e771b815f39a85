//! Values in experiment files that are parsed with [`FromStr`].

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor};

/// Deserializes an optional value of type `T`, parsed with [`FromStr`] from a text or a number in an experiment file.
pub(super) fn optional<'de, T: FromStr<Err: fmt::Display>, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    let text = match toml::Value::deserialize(from)? {
        toml::Value::String(text) => text,
        toml::Value::Integer(number) => number.to_string(),
        other => return Err(Error::invalid_type(Unexpected::Other(other.type_str()), &"a string")),
    };
    text.parse().map(Some).map_err(Error::custom)
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
