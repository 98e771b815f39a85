//! Plans of kind `sizes`: variables and clauses.

use hamcnf_encodings::TourKind;
use serde::Deserialize;

use super::cells::{self, Cells};
use super::word::Word;
use super::{Asked, Heading};
use crate::harness::job::Job;
use hamcnf_encodings::Encoding;
use hamcnf_engines::limits::Limits;
use hamcnf_methods::method::{Method, Size};
use hamcnf_methods::question::Question;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    #[serde(rename = "kind")]
    _kind: String,
    title: String,
    #[serde(default)]
    about: String,
    cells: cells::Written,
    #[serde(default)]
    published: Vec<WrittenSize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSize {
    board: Word<Asked>,
    encoding: Word<Encoding>,
    variables: u64,
    clauses: u64,
}

/// A plan of kind `sizes`.
#[derive(Clone, Debug)]
pub struct SizesPlan {
    /// For the report.
    pub heading: Heading,
    /// Which questions and encodings.
    pub cells: Cells,
    /// Figures published elsewhere, to stand beside ours.
    pub published: Vec<PublishedSize>,
}

/// A published size.
#[derive(Clone, Debug)]
pub struct PublishedSize {
    /// What was encoded.
    pub question: Question,
    /// How.
    pub encoding: Encoding,
    /// Its variables.
    pub variables: u64,
    /// Its clauses of two literals or more.
    pub clauses: u64,
}

impl SizesPlan {
    pub(super) fn lower(written: Written) -> Result<Self, String> {
        let cells = Cells::lower(written.cells)?;
        if cells.encodings.is_empty() {
            return Err("there are no cells: encodings must not be empty".to_owned());
        }
        let mut published = Vec::new();
        for size in written.published {
            let Word(asked) = &size.board;
            // What stands among the cells has been read already.
            let there = cells
                .questions
                .iter()
                .find(|question| question.is_about(&asked.0));
            let question = match there {
                Some(question) => question.clone(),
                None => Question::from(asked.tours(Some(TourKind::Closed), None)?),
            };
            let encoding = size.encoding.0;
            let is_there =
                cells.questions.contains(&question) && cells.encodings.contains(&encoding);
            if !is_there {
                return Err(format!(
                    "published sizes of {encoding} on {question} are not among the cells"
                ));
            }
            published.push(PublishedSize {
                question,
                encoding,
                variables: size.variables,
                clauses: size.clauses,
            });
        }
        Ok(Self {
            heading: Heading {
                title: written.title,
                about: written.about,
            },
            cells,
            published,
        })
    }

    /// The job of a question and an encoding.
    #[must_use]
    pub fn job(question: &Question, encoding: &Encoding) -> Job {
        Job {
            question: question.clone(),
            method: Method::from(Size {
                encoding: encoding.clone(),
            }),
            seed: 0,
            limits: Limits::default(),
        }
    }

    /// Its jobs.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let pairs = self.cells.pairs();
        pairs
            .map(|(question, encoding)| Self::job(question, encoding))
            .collect()
    }
}
