//! Parser of TOML files that users write: experiments, and descriptions of external engines.

use hamcnf_graph::names::instead;
use serde::de::DeserializeOwned;

/// Error in a TOML text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

/// Parses a TOML text.
///
/// # Errors
///
/// [`ConfigError`] if the text is not valid TOML, or does not describe a value of type `T`.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let message = in_words(error.message());
        match error.span().and_then(|span| text.get(..span.start)) {
            Some(before) => ConfigError(format!("line {}: {message}", before.matches('\n').count() + 1)),
            None => ConfigError(message),
        }
    })
}

/// Rewrites a serde error message for users. For an unknown key, suggests a similar known key. For a value of the
/// wrong type, names the expected type.
fn in_words(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown field ")
        && let Some(wrong) = names.next()
    {
        let known = names.collect::<Vec<_>>().join(", ");
        return format!("unknown key \"{wrong}\"{}", instead(wrong, &known));
    }
    let wrong = message.strip_prefix("invalid type: ").or(message.strip_prefix("invalid value: "));
    if let Some((found, expected)) = wrong.and_then(|wrong| wrong.split_once(", expected ")) {
        let expected = match expected {
            "a sequence" => "a list in brackets, such as [1, 2]",
            "a string" => "text in quotation marks",
            "u32" | "u64" | "usize" => "a whole number, 0 or more",
            "f64" => "a number",
            "a boolean" => "true or false",
            other => other.strip_prefix("struct ").map_or(other, |_| "a table"),
        };
        return format!("expected {expected}, found {}", found.replace('`', "\""));
    }
    message.replace('\n', ", ")
}
