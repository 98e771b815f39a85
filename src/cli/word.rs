//! Argument that names a board or a graph, in commands with several of them.

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;

use hamcnf::question::{GraphSourceError, QuestionSpec};

use super::instance::question_spec;

/// Argument that names a board or a graph. If there are several arguments, an error in one of them does not end the
/// command.
#[derive(Clone)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) spec: Result<QuestionSpec, Arc<GraphSourceError>>,
}

impl FromStr for Word {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self { text: text.to_owned(), spec: question_spec(text).map_err(Arc::new) })
    }
}
