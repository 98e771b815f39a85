//! Plans of kind `race`: many questions, many methods, and who answers most of them soonest. The questions stand in the file,
//! or they are the graphs of a folder that is said when the experiment is run; times that were measured elsewhere may stand
//! beside.

use serde::Deserialize;

use super::decision::Expect;
use super::folder::Folder;
use super::times::Times;
use super::word::Word;
use super::{Asked, Given, Heading, each_once, limits};
use crate::harness::job::Job;
use hamcnf_engines::count::frontier::Bytes;
use hamcnf_engines::limits::Limits;
use hamcnf_methods::method::Method;
use hamcnf_methods::question::Question;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    #[serde(rename = "kind")]
    _kind: String,
    title: String,
    #[serde(default)]
    about: String,
    /// The boards and graphs, or whole questions. Where they are left out a folder with graphs has to be given.
    boards: Option<Vec<Word<Asked>>>,
    methods: Vec<Word<Method>>,
    /// What seeded methods are run with; 0 where left out.
    #[serde(default)]
    seed: u64,
    /// Wall seconds a run may take.
    time_limit: f64,
    cpu_limit: Option<f64>,
    memory_limit: Option<Word<Bytes>>,
    conflict_limit: Option<u64>,
    /// Whether there are tours, if that is known of all questions. An answer to the contrary fails the run.
    expect: Option<Expect>,
}

/// A plan of kind `race`.
#[derive(Clone, Debug)]
pub struct RacePlan {
    /// For the report.
    pub heading: Heading,
    /// What is asked.
    pub questions: Vec<Question>,
    /// How.
    pub methods: Vec<Method>,
    /// What seeded methods are run with.
    pub seed: u64,
    /// What a run may take.
    pub limits: Limits,
    /// Whether there are tours, if that is known.
    pub expect: Option<Expect>,
    /// What was measured elsewhere.
    pub times: Option<Times>,
    /// Files of the folder that are no graphs, in words.
    pub left_out: Vec<String>,
}

impl RacePlan {
    pub(super) fn lower(written: Written, given: &Given) -> Result<Self, String> {
        let mut left_out = Vec::new();
        let questions = match (written.boards, &given.graphs) {
            (Some(_), Some(_)) => return Err("it says its boards, and so does --graphs".to_owned()),
            (None, None) => {
                return Err(
                    "it is about the graphs of a folder: say which with --graphs FOLDER".to_owned(),
                );
            }
            (Some(boards), None) => {
                let asked = boards.iter();
                let asked = asked.map(|Word(asked)| asked.tours(None, None).map(Question::from));
                asked.collect::<Result<Vec<_>, _>>()?
            }
            (None, Some(folder)) => {
                let read = Folder::read(folder)?;
                let others = read.others.into_iter();
                left_out.extend(
                    others.map(|(file, why)| format!("{} is left out: {why}", file.display())),
                );
                read.questions
            }
        };
        let methods: Vec<_> = written.methods.into_iter().map(|word| word.0).collect();
        if questions.is_empty() || methods.is_empty() {
            return Err("boards and methods must not be empty".to_owned());
        }
        each_once("boards", &questions)?;
        each_once("methods", &methods)?;
        if let Some(method) = methods.iter().find(|method| !method.decides()) {
            return Err(format!("{method} does not decide whether there is a tour"));
        }
        Ok(Self {
            heading: Heading {
                title: written.title,
                about: written.about,
            },
            questions,
            methods,
            seed: written.seed,
            limits: limits(
                written.time_limit,
                written.cpu_limit,
                written.memory_limit,
                written.conflict_limit,
            )?,
            expect: written.expect,
            times: given.times.as_deref().map(Times::read).transpose()?,
            left_out,
        })
    }

    /// The job of a question and a method.
    #[must_use]
    pub fn job(&self, question: &Question, method: &Method) -> Job {
        Job {
            question: question.clone(),
            method: method.clone(),
            seed: self.seed,
            limits: self.limits,
        }
    }

    /// All jobs, question by question.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let of = |question| {
            self.methods
                .iter()
                .map(move |method| self.job(question, method))
        };
        self.questions.iter().flat_map(of).collect()
    }
}
