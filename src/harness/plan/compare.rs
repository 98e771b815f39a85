//! Plans of kind `compare`: the same questions in every way.

use std::fmt;
use std::str::FromStr;

use hamcnf_encodings::{Board, Instance, Queens, TourKind};
use serde::Deserialize;

use super::word::Word;
use super::{each_once, is_limit};
use crate::count::queens;
use crate::harness::compare::Run;
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
    /// The board, if it is about tours.
    pub board: Option<Word<Board>>,
    /// Closed or open tours; closed where left out.
    pub tours: Option<Word<TourKind>>,
    /// The start's name or number; `a1` where left out.
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

impl CompareQuestion {
    /// Its runs.
    ///
    /// # Errors
    ///
    /// The message of a board, a start, a number or a method that there is not.
    pub fn runs(&self, plan: &ComparePlan) -> Result<Vec<Run>, String> {
        let limit = self.time_limit.unwrap_or(plan.time_limit);
        match (self.board, self.queens) {
            (Some(Word(board)), None) => {
                let start = self.start.as_deref().unwrap_or("a1");
                let start = board.square(start).map_err(|error| error.to_string())?;
                let kind = self.tours.map_or(TourKind::Closed, |word| word.0);
                let instance = Instance::on_board(board, kind, start);
                let instance = instance.map_err(|error| error.to_string())?;
                let run = |way: Way| Run::tours(&instance, way, limit);
                self.each(run)
            }
            (None, Some(n)) => {
                let queens = Queens::new(n).map_err(|error| error.to_string())?;
                self.each(|method: queens::Method| Run::queens(&queens, method, limit))
            }
            _ => Err("a question must have one of 'board' and 'queens'".to_owned()),
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

    /// What is wrong with it.
    pub(in crate::harness) fn check(&self) -> Result<(), String> {
        if self.questions.is_empty() {
            return Err("questions must not be empty".to_owned());
        }
        for (number, question) in (1..).zip(&self.questions) {
            question
                .check(self)
                .map_err(|wrong| format!("question {number}: {wrong}"))?;
        }
        let questions: Vec<_> = self.questions.iter().map(CompareQuestion::name).collect();
        each_once("questions", &questions)
    }
}

impl CompareQuestion {
    /// What is asked, in a form in which the same question is the same text.
    fn name(&self) -> String {
        let Self {
            board,
            tours,
            start,
            queens,
            ..
        } = self;
        match (board, queens) {
            (Some(board), _) => {
                let tours = tours.map_or(TourKind::Closed, |word| word.0);
                format!("{board} {tours} from {}", start.as_deref().unwrap_or("a1"))
            }
            (None, n) => format!("{} queens", n.unwrap_or_default()),
        }
    }

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
