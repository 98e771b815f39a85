//! Plans of kind `compare`: the same questions in every way.

use hamcnf_encodings::{Queens, TourKind};
use serde::Deserialize;

use super::word::Word;
use super::{Asked, Heading, each_once, limits};
use crate::harness::job::Job;
use hamcnf_engines::count::frontier::Bytes;
use hamcnf_engines::limits::Limits;
use hamcnf_methods::method::Method;
use hamcnf_methods::question::{Question, StartSpec};
use hamcnf_methods::record::Conclusion;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    #[serde(rename = "kind")]
    _kind: String,
    title: String,
    #[serde(default)]
    about: String,
    /// Wall seconds a run may take.
    time_limit: f64,
    cpu_limit: Option<f64>,
    memory_limit: Option<Word<Bytes>>,
    conflict_limit: Option<u64>,
    /// What seeded methods are run with.
    seed: Option<u64>,
    questions: Vec<WrittenQuestion>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenQuestion {
    /// The board, the file with a graph, or the whole question, if it is about tours.
    board: Option<Word<Asked>>,
    /// Closed or open tours; closed where left out.
    tours: Option<Word<TourKind>>,
    /// The start, as on the command line; the first square or vertex where left out.
    start: Option<Word<StartSpec>>,
    /// How many, if it is about queens.
    queens: Option<u32>,
    methods: Vec<Word<Method>>,
    /// Instead of the plan's.
    time_limit: Option<f64>,
    #[serde(default)]
    published: Vec<WrittenRun>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRun {
    says: String,
    method: Word<Method>,
    answer: Option<Word<Conclusion>>,
    effort: Option<u64>,
    variables: Option<u64>,
    clauses: Option<u64>,
}

/// A plan of kind `compare`.
#[derive(Clone, Debug)]
pub struct ComparePlan {
    /// For the report.
    pub heading: Heading,
    /// What a run may take, unless its question says otherwise.
    pub limits: Limits,
    /// What is asked.
    pub questions: Vec<CompareQuestion>,
}

/// A question with the ways to answer it.
#[derive(Clone, Debug)]
pub struct CompareQuestion {
    /// It.
    pub question: Question,
    /// One a way.
    pub jobs: Vec<Job>,
    /// Its wall seconds, if they are not the plan's.
    pub own_time_limit: Option<f64>,
    /// What was published about it.
    pub published: Vec<PublishedRun>,
}

/// A published statement about one way.
#[derive(Clone, Debug)]
pub struct PublishedRun {
    /// The statement and where it stands.
    pub says: String,
    /// The way it is about.
    pub job: Job,
    /// Its answer.
    pub answer: Option<Conclusion>,
    /// Its effort, in the unit of the way.
    pub effort: Option<u64>,
    /// Its variables.
    pub variables: Option<u64>,
    /// Its clauses, units included.
    pub clauses: Option<u64>,
}

impl ComparePlan {
    pub(super) fn lower(written: Written) -> Result<Self, String> {
        if written.questions.is_empty() {
            return Err("questions must not be empty".to_owned());
        }
        let (cpu, memory) = (written.cpu_limit, written.memory_limit);
        let limits = |time| limits(time, cpu, memory, written.conflict_limit);
        let common = limits(written.time_limit)?;
        let mut questions = Vec::new();
        for (number, asked) in (1..).zip(written.questions) {
            let question = CompareQuestion::lower(asked, written.seed, |own| match own {
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
            limits: common,
            questions,
        })
    }

    /// Its jobs, question by question.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let questions = self.questions.iter();
        questions
            .flat_map(|question| question.jobs.clone())
            .collect()
    }
}

impl CompareQuestion {
    fn lower(
        written: WrittenQuestion,
        seed: Option<u64>,
        limits: impl Fn(Option<f64>) -> Result<Limits, String>,
    ) -> Result<Self, String> {
        let start = written.start.map(|word| word.0);
        let kind = written.tours.map(|word| word.0);
        if written.queens.is_some() && (kind.is_some() || start.is_some()) {
            return Err("tours and start are for boards, not for queens".to_owned());
        }
        let question = match (&written.board, written.queens) {
            (Some(Word(asked)), None) => Question::from(asked.tours(kind, start.as_ref())?),
            (None, Some(n)) => Question::Queens(Queens::new(n).map_err(|error| error.to_string())?),
            _ => return Err("a question must have one of 'board' and 'queens'".to_owned()),
        };
        if written.methods.is_empty() {
            return Err("methods must not be empty".to_owned());
        }
        each_once("methods", &written.methods)?;
        let limits = limits(written.time_limit)?;
        let mut jobs = Vec::new();
        for Word(method) in written.methods {
            method.suits(&question).map_err(|error| error.to_string())?;
            jobs.push(Job {
                question: question.clone(),
                seed: seed.unwrap_or_else(|| method.first_seed()),
                method,
                limits,
            });
        }
        let mut published = Vec::new();
        for run in written.published {
            let Word(method) = run.method;
            let job = jobs
                .iter()
                .find(|job| job.method == method)
                .ok_or_else(|| {
                    format!(
                        "'{}' is about {method}, which is not among the methods",
                        run.says
                    )
                })?;
            published.push(PublishedRun {
                says: run.says,
                job: job.clone(),
                answer: run.answer.map(|word| word.0),
                effort: run.effort,
                variables: run.variables,
                clauses: run.clauses,
            });
        }
        Ok(Self {
            question,
            jobs,
            own_time_limit: written.time_limit,
            published,
        })
    }
}
