//! Methods, encodings with their refinements, and projection sets. Parsing a written value must return the same value.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use hamcnf::method::Method;
use hamcnf::{Encoding, Projection};

/// Fuzzes the parsers of methods, encodings and projection sets with arbitrary text.
pub fn methods(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(method) = is_read_again::<Method>(&text) {
        drop((method.solver(), method.first_seed(), method.profile().random));
    }
    if let Some(encoding) = is_read_again::<Encoding>(&text) {
        let _ = encoding.is_published();
        let method: Method = text.parse().unwrap();
        assert_eq!(method.encoding(), Some(&encoding));
    }
    is_read_again::<Projection>(&text);
}

fn is_read_again<T>(text: &str) -> Option<T>
where
    T: FromStr<Err: Display> + Display + Debug + PartialEq,
{
    match text.parse::<T>() {
        Ok(value) => {
            let written = value.to_string();
            let again = written.parse::<T>();
            let again = again.unwrap_or_else(|error| panic!("{written}: {error}"));
            assert_eq!(again, value, "{written}");
            assert_eq!(again.to_string(), written);
            Some(value)
        }
        Err(error) => {
            drop(error.to_string());
            None
        }
    }
}
