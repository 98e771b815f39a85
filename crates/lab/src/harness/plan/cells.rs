//! Which questions and encodings: boards × encodings.

use hamcnf_encodings::TourKind;
use serde::Deserialize;

use super::word::Word;
use super::{Asked, each_once};
use hamcnf_encodings::{Encoding, Formula};
use hamcnf_methods::question::{Question, StartSpec};

/// Boards × encodings, as they stand in a file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    /// The boards, files with graphs, or whole questions.
    boards: Vec<Word<Asked>>,
    /// Closed or open tours; closed where left out.
    tours: Option<Word<TourKind>>,
    /// The start, as on the command line; the first square or vertex where left out.
    start: Option<Word<StartSpec>>,
    /// The encodings.
    encodings: Vec<Word<Encoding>>,
}

/// Boards × encodings.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The questions.
    pub questions: Vec<Question>,
    /// The encodings.
    pub encodings: Vec<Encoding>,
}

impl Cells {
    /// Asks the questions, and checks that each is one under each encoding.
    pub(super) fn lower(written: Written) -> Result<Self, String> {
        let kind = written.tours.map(|word| word.0);
        let start = written.start.map(|word| word.0);
        if written.boards.is_empty() {
            return Err("there are no cells: boards must not be empty".to_owned());
        }
        let asked = written.boards.iter();
        let asked = asked.map(|Word(asked)| asked.tours(kind, start.as_ref()).map(Question::from));
        let questions: Vec<_> = asked.collect::<Result<_, _>>()?;
        let encodings: Vec<_> = written.encodings.into_iter().map(|word| word.0).collect();
        each_once("boards", &questions)?;
        each_once("encodings", &encodings)?;
        for instance in questions.iter().filter_map(Question::instance) {
            for encoding in &encodings {
                Formula::new(encoding.clone(), instance).map_err(|error| error.to_string())?;
            }
        }
        Ok(Self {
            questions,
            encodings,
        })
    }

    /// Each question with each encoding.
    pub fn pairs(&self) -> impl Iterator<Item = (&Question, &Encoding)> {
        let pairs = |question| {
            self.encodings
                .iter()
                .map(move |encoding| (question, encoding))
        };
        self.questions.iter().flat_map(pairs)
    }
}
