//! Advice for runs without an answer: an alternative to try, with the method that it names.

use super::{Method, MethodKind};

/// Alternative to try, in words.
#[derive(Clone, Debug)]
pub struct Advice {
    /// Phrase that names the alternative.
    pub text: String,
    /// Method that the phrase names. The advice is shown only for questions that this method accepts.
    pub method: Option<Method>,
}

impl Advice {
    /// Returns the advice to use a method with `--method`. `why` follows the method's name.
    pub fn to_use(method: impl MethodKind, why: &str) -> Self {
        let method = Method::from(method);
        Self { text: format!("--method {method}{why}"), method: Some(method) }
    }

    /// Returns advice with this text, which names `method`. The advice is shown only for questions that `method`
    /// accepts.
    pub fn about(method: impl MethodKind, text: impl Into<String>) -> Self {
        Self { text: text.into(), method: Some(method.into()) }
    }
}

impl<T: Into<String>> From<T> for Advice {
    fn from(text: T) -> Self {
        Self { text: text.into(), method: None }
    }
}
