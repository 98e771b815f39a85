//! Plans of kind `count`: how many tours, by several methods.

use hamcnf_encodings::{Encoding, Formula, Instance, Orientation, Projection, TourKind};
use serde::Deserialize;

use super::word::Word;
use super::{each_once, is_limit};
use crate::count::Method;
use crate::harness::place::LastingPlace;

/// A plan of kind `count`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountPlan {
    #[serde(rename = "kind")]
    _kind: String,
    /// A heading for the report.
    pub title: String,
    /// Prose for the report.
    #[serde(default)]
    pub about: String,
    /// ApproxMC's tolerance.
    pub epsilon: f64,
    /// ApproxMC's confidence.
    pub delta: f64,
    /// Methods with random choices are run once with each.
    pub seeds: Vec<u32>,
    /// Wall seconds a run may take.
    pub time_limit: f64,
    /// What is counted.
    pub questions: Vec<CountQuestion>,
}

/// Tours that are counted by several methods.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountQuestion {
    /// The board, or the file with a graph.
    pub board: Word<LastingPlace>,
    /// Closed or open tours; closed where left out.
    pub tours: Option<Word<TourKind>>,
    /// The start, as on the command line; open tours are those from any square where left out.
    pub start: Option<String>,
    /// The methods.
    pub counts: Vec<CountEntry>,
}

/// One way to count.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountEntry {
    /// The method, by its name on the command line.
    pub method: Word<Method>,
    /// The encoding, for methods that need one.
    pub encoding: Option<Word<Encoding>>,
    /// Its orientation; the published one where left out.
    pub orientation: Option<Word<Orientation>>,
    /// The projection set.
    pub project: Option<Word<Projection>>,
    /// How many states `sample` keeps of a layer.
    pub states: Option<u32>,
    /// Instead of the plan's.
    pub epsilon: Option<f64>,
    /// Instead of the plan's.
    pub delta: Option<f64>,
    /// Instead of the plan's.
    pub seeds: Option<Vec<u32>>,
    /// Instead of the plan's.
    pub time_limit: Option<f64>,
    /// The number that was published for this.
    pub published: Option<f64>,
    /// The time that was published for it, in words.
    pub published_time: Option<String>,
}

impl CountEntry {
    /// The encoding with its options, if it has one.
    #[must_use]
    pub fn encoded(&self) -> Option<Encoding> {
        let Word(encoding) = self.encoding.as_ref()?;
        match self.orientation {
            Some(Word(orientation)) => encoding.with(&format!("orientation={orientation}")).ok(),
            None => Some(encoding.clone()),
        }
    }
}

impl CountQuestion {
    /// Closed or open.
    #[must_use]
    pub fn kind(&self) -> TourKind {
        self.tours.map_or(TourKind::Closed, |word| word.0)
    }

    /// Its instance.
    ///
    /// # Errors
    ///
    /// The message of a board or graph that cannot be read, does not have the start, or is too small.
    pub fn instance(&self) -> Result<Instance, String> {
        let instance = self.board.0.0.instance(self.kind(), self.start.as_deref());
        instance.map_err(|error| error.to_string())
    }

    /// The question in words.
    #[must_use]
    pub fn name(&self) -> String {
        let (board, kind) = (&self.board, self.kind());
        match (kind, &self.start) {
            (TourKind::Closed, _) => format!("{board} closed"),
            (TourKind::Open, Some(start)) => format!("{board} open from {start}"),
            (TourKind::Open, None) => format!("{board} open"),
        }
    }
}

impl CountPlan {
    /// The seeds of an entry.
    #[must_use]
    pub fn seeds_of<'a>(&'a self, entry: &'a CountEntry) -> &'a [u32] {
        entry.seeds.as_ref().unwrap_or(&self.seeds)
    }

    /// The instances of all questions.
    ///
    /// # Errors
    ///
    /// As [`CountQuestion::instance`].
    pub fn instances(&self) -> Result<Vec<Instance>, String> {
        self.questions.iter().map(CountQuestion::instance).collect()
    }

    /// What is wrong with it.
    pub(in crate::harness) fn check(&self) -> Result<(), String> {
        if self.questions.is_empty() || self.seeds.is_empty() {
            return Err("questions and seeds must not be empty".to_owned());
        }
        let mut subjects = Vec::new();
        for (number, question) in (1..).zip(&self.questions) {
            let numbered = |wrong| format!("question {number}: {wrong}");
            question.check(self).map_err(numbered)?;
            subjects.push(question.subject().map_err(numbered)?);
        }
        each_once("questions", &subjects)
    }
}

impl CountQuestion {
    /// The same question as another if the text is the same.
    fn subject(&self) -> Result<String, String> {
        let instance = self.instance()?;
        Ok(match (self.kind(), &self.start) {
            (TourKind::Open, None) => self.name(),
            _ => instance.to_string(),
        })
    }

    fn check(&self, plan: &CountPlan) -> Result<(), String> {
        let instance = self.instance()?;
        for entry in &self.counts {
            each_once("seeds", plan.seeds_of(entry))?;
            is_limit(entry.time_limit.unwrap_or(plan.time_limit))?;
            match (entry.orientation, &entry.encoding, self.kind()) {
                (Some(_), None, _) => {
                    return Err("orientation is for an encoding, which is not there".to_owned());
                }
                (Some(_), _, TourKind::Open) => {
                    return Err("orientation is of closed tours".to_owned());
                }
                _ => {}
            }
            let (Some(encoding), Some(Word(set))) = (entry.encoded(), &entry.project) else {
                continue;
            };
            let formula = Formula::new(encoding, &instance);
            let formula = formula.map_err(|error| error.to_string())?;
            formula.project(set).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}
