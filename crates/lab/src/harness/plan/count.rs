//! Plans of kind `count`: how many tours, by several methods.

use hamcnf_encodings::{Formula, TourKind};
use serde::Deserialize;

use super::word::Word;
use super::{Asked, Heading, each_once, limits};
use crate::harness::job::Job;
use hamcnf_engines::count::frontier::Bytes;
use hamcnf_engines::limits::Limits;
use hamcnf_methods::method::{Method, MethodError};
use hamcnf_methods::question::{Question, StartSpec};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    #[serde(rename = "kind")]
    _kind: String,
    title: String,
    #[serde(default)]
    about: String,
    /// Methods with random choices are run once with each.
    seeds: Vec<u32>,
    /// Wall seconds a run may take.
    time_limit: f64,
    cpu_limit: Option<f64>,
    memory_limit: Option<Word<Bytes>>,
    conflict_limit: Option<u64>,
    questions: Vec<WrittenQuestion>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenQuestion {
    /// The board, the file with a graph, or the whole question.
    board: Word<Asked>,
    /// Closed or open tours; closed where left out.
    tours: Option<Word<TourKind>>,
    /// The start, as on the command line; open tours are those from any square where left out.
    start: Option<Word<StartSpec>>,
    counts: Vec<WrittenCount>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCount {
    method: Word<Method>,
    /// Instead of the plan's.
    seeds: Option<Vec<u32>>,
    /// Instead of the plan's.
    time_limit: Option<f64>,
    published: Option<f64>,
    published_time: Option<String>,
}

/// A plan of kind `count`.
#[derive(Clone, Debug)]
pub struct CountPlan {
    /// For the report.
    pub heading: Heading,
    /// Methods with random choices are run once with each.
    pub seeds: Vec<u32>,
    /// What a run may take, unless its entry says otherwise.
    pub limits: Limits,
    /// What is counted.
    pub questions: Vec<CountQuestion>,
}

/// Tours that are counted by several methods.
#[derive(Clone, Debug)]
pub struct CountQuestion {
    /// What is counted.
    pub question: Question,
    /// How.
    pub counts: Vec<CountEntry>,
}

/// One way to count.
#[derive(Clone, Debug)]
pub struct CountEntry {
    /// The method.
    pub method: Method,
    /// Its seeds, if they are not the plan's.
    pub own_seeds: Option<Vec<u32>>,
    /// Its wall seconds, if they are not the plan's.
    pub own_time_limit: Option<f64>,
    /// Its jobs, one a seed.
    pub jobs: Vec<Job>,
    /// The number that was published for this.
    pub published: Option<f64>,
    /// The time that was published for it, in words.
    pub published_time: Option<String>,
}

impl CountPlan {
    pub(super) fn lower(written: Written) -> Result<Self, String> {
        if written.questions.is_empty() || written.seeds.is_empty() {
            return Err("questions and seeds must not be empty".to_owned());
        }
        let (cpu, memory) = (written.cpu_limit, written.memory_limit);
        let limits = |time| limits(time, cpu, memory, written.conflict_limit);
        let common = limits(written.time_limit)?;
        let mut questions = Vec::new();
        for (number, asked) in (1..).zip(written.questions) {
            let question = CountQuestion::lower(asked, &written.seeds, |own| match own {
                None => Ok(common),
                Some(own) => limits(own),
            });
            questions.push(question.map_err(|wrong| format!("question {number}: {wrong}"))?);
        }
        let asked: Vec<_> = questions.iter().map(|q| &q.question).collect();
        each_once("questions", &asked)?;
        Ok(Self {
            heading: Heading {
                title: written.title,
                about: written.about,
            },
            seeds: written.seeds,
            limits: common,
            questions,
        })
    }

    /// Its jobs: questions, then methods, then seeds.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let counts = self.questions.iter().flat_map(|question| &question.counts);
        counts.flat_map(|entry| entry.jobs.clone()).collect()
    }
}

impl CountQuestion {
    fn lower(
        written: WrittenQuestion,
        seeds: &[u32],
        limits: impl Fn(Option<f64>) -> Result<Limits, String>,
    ) -> Result<Self, String> {
        let Word(asked) = &written.board;
        let kind = written.tours.map(|word| word.0);
        let start = written.start.map(|word| word.0);
        let open = asked.0.kind.or(kind) == Some(TourKind::Open);
        let anywhere = (open && asked.0.start.is_none()).then_some(StartSpec::Anywhere);
        let tours = asked.tours(kind, start.or(anywhere).as_ref())?;
        let instance = tours.instance().clone();
        let question = Question::from(tours);
        let mut counts = Vec::new();
        for entry in written.counts {
            let Word(method) = entry.method;
            if !method.is_count() {
                return Err(format!("{method} does not count"));
            }
            method
                .suits(&question)
                .map_err(|error: MethodError| error.to_string())?;
            if let (Some(encoding), Some(set)) = (method.encoding(), method.projection()) {
                let formula = Formula::new(encoding.clone(), &instance);
                let formula = formula.map_err(|error| error.to_string())?;
                formula.project(set).map_err(|error| error.to_string())?;
            }
            let own_seeds = entry.seeds.filter(|_| method.is_random());
            let seeds = match (&own_seeds, method.is_random()) {
                (_, false) => vec![0],
                (Some(own), true) => own.clone(),
                (None, true) => seeds.to_vec(),
            };
            each_once("seeds", &seeds)?;
            let limits = limits(entry.time_limit)?;
            let job = |seed: u32| Job {
                question: question.clone(),
                method: method.clone(),
                seed: seed.into(),
                limits,
            };
            counts.push(CountEntry {
                jobs: seeds.into_iter().map(job).collect(),
                method,
                own_seeds,
                own_time_limit: entry.time_limit,
                published: entry.published,
                published_time: entry.published_time,
            });
        }
        Ok(Self { question, counts })
    }
}
