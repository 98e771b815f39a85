//! Plans of kind `compare`: the same questions in every way.

use std::fmt;
use std::str::FromStr;

use hamcnf_encodings::{Instance, Queens, TourKind};
use serde::Deserialize;

use super::word::Word;
use super::{each_once, is_limit};
use crate::count::queens;
use crate::harness::compare::Run;
use crate::harness::place::LastingPlace;
use crate::harness::way::Way;

/// A plan of kind `compare`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparePlan {
    #[serde(rename = "kind")]
    _kind: String,
    /// A heading for the report.
    pub title: String,
    /// Prose for the report.
    #[serde(default)]
    pub about: String,
    /// Wall seconds a run may take.
    pub time_limit: f64,
    /// What is asked.
    pub questions: Vec<CompareQuestion>,
}

/// A question with the ways to answer it: about the tours of a board, or about queens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompareQuestion {
    /// The board, or the file with a graph, if it is about tours.
    pub board: Option<Word<LastingPlace>>,
    /// Closed or open tours; closed where left out.
    pub tours: Option<Word<TourKind>>,
    /// The start, as on the command line; the first square or vertex where left out.
    pub start: Option<String>,
    /// How many, if it is about queens.
    pub queens: Option<u32>,
    /// The ways: encodings, searches and counts of tours, or ways to count placements.
    pub methods: Vec<String>,
    /// Instead of the plan's.
    pub time_limit: Option<f64>,
    /// What was published about it.
    #[serde(default)]
    pub published: Vec<PublishedRun>,
}

/// A published statement about one way.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedRun {
    /// The statement and where it stands.
    pub says: String,
    /// The way it is about.
    pub method: String,
    /// Its answer.
    pub answer: Option<String>,
    /// Its effort, in the unit of the way.
    pub effort: Option<u64>,
    /// Its variables.
    pub variables: Option<u64>,
    /// Its clauses, units included.
    pub clauses: Option<u64>,
}

/// What a question is about.
enum Subject {
    Tours(Instance),
    Queens(Queens),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tours(instance) => instance.fmt(f),
            Self::Queens(queens) => queens.fmt(f),
        }
    }
}

impl CompareQuestion {
    fn subject(&self) -> Result<Subject, String> {
        match (&self.board, self.queens) {
            (Some(Word(LastingPlace(place))), None) => {
                let kind = self.tours.map_or(TourKind::Closed, |word| word.0);
                let instance = place.instance(kind, self.start.as_deref());
                instance.map(Subject::Tours).map_err(|e| e.to_string())
            }
            (None, Some(n)) => {
                let queens = Queens::new(n).map(Subject::Queens);
                queens.map_err(|error| error.to_string())
            }
            _ => Err("a question must have one of 'board' and 'queens'".to_owned()),
        }
    }

    /// Its runs.
    ///
    /// # Errors
    ///
    /// The message of a board, a graph, a start, a number or a method that there is not.
    pub fn runs(&self, plan: &ComparePlan) -> Result<Vec<Run>, String> {
        let limit = self.time_limit.unwrap_or(plan.time_limit);
        match self.subject()? {
            Subject::Tours(instance) => self.each(|way: Way| Run::tours(&instance, &way, limit)),
            Subject::Queens(queens) => {
                self.each(|method: queens::Method| Run::queens(&queens, method, limit))
            }
        }
    }

    fn each<T: FromStr<Err: fmt::Display>>(
        &self,
        run: impl Fn(T) -> Run,
    ) -> Result<Vec<Run>, String> {
        let methods = self.methods.iter().map(|name| name.parse());
        let runs = methods.map(|method| method.map(&run).map_err(|error| error.to_string()));
        runs.collect()
    }
}

impl ComparePlan {
    /// All runs, question by question.
    ///
    /// # Errors
    ///
    /// As [`CompareQuestion::runs`].
    pub fn runs(&self) -> Result<Vec<Run>, String> {
        let questions = self.questions.iter();
        let runs: Result<Vec<_>, _> = questions.map(|question| question.runs(self)).collect();
        Ok(runs?.concat())
    }

    /// The instances of all questions about tours.
    ///
    /// # Errors
    ///
    /// As [`CompareQuestion::runs`].
    pub fn instances(&self) -> Result<Vec<Instance>, String> {
        let mut instances = Vec::new();
        for question in &self.questions {
            if let Subject::Tours(instance) = question.subject()? {
                instances.push(instance);
            }
        }
        Ok(instances)
    }

    /// What is wrong with it.
    pub(in crate::harness) fn check(&self) -> Result<(), String> {
        if self.questions.is_empty() {
            return Err("questions must not be empty".to_owned());
        }
        let mut subjects = Vec::new();
        for (number, question) in (1..).zip(&self.questions) {
            let numbered = |wrong| format!("question {number}: {wrong}");
            question.check(self).map_err(numbered)?;
            subjects.push(question.subject().map_err(numbered)?.to_string());
        }
        each_once("questions", &subjects)
    }
}

impl CompareQuestion {
    fn check(&self, plan: &ComparePlan) -> Result<(), String> {
        self.runs(plan)?;
        if self.methods.is_empty() {
            return Err("methods must not be empty".to_owned());
        }
        if self.queens.is_some() && (self.tours.is_some() || self.start.is_some()) {
            return Err("tours and start are for boards, not for queens".to_owned());
        }
        each_once("methods", &self.methods)?;
        is_limit(self.time_limit.unwrap_or(plan.time_limit))?;
        let mut published = self.published.iter();
        if let Some(lost) = published.find(|p| !self.methods.contains(&p.method)) {
            return Err(format!(
                "'{}' is about {}, which is not among the methods",
                lost.says, lost.method
            ));
        }
        Ok(())
    }
}
