//! TOML files that users write: experiments, and descriptions of engines.

use hamcnf_encodings::names::instead;
use serde::de::DeserializeOwned;

/// Why a text cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{message}", line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct ConfigError {
    /// Line of the mistake, from 1.
    line: Option<usize>,
    message: String,
}

impl From<ConfigError> for String {
    fn from(error: ConfigError) -> Self {
        error.to_string()
    }
}

/// Reads a TOML text.
///
/// # Errors
///
/// [`ConfigError`], with the line of the mistake.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, ConfigError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        ConfigError {
            line: before.map(|before| before.matches('\n').count() + 1),
            message: suggesting(error.message()),
        }
    })
}

/// Adds the key that may be meant to serde's message about an unknown one.
fn suggesting(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    match names.next() {
        Some(wrong) if message.starts_with("unknown field ") => {
            let known = names.collect::<Vec<_>>().join(", ");
            format!("there is no key '{wrong}'{}", instead(wrong, &known))
        }
        _ => message.replace('\n', ", "),
    }
}
