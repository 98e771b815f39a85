//! Jobs: the units of work of an experiment. A worker process runs one job, which it reads as a JSON or TOML object.
//!
//! ```json
//! {"question":"8x8 open from a1","method":"binary","seed":1,"limits":{"wall":60.0,"memory":2000000000}}
//! ```

use serde::{Deserialize, Serialize};

use crate::LabError;
use hamcnf_graph::limits::Limits;
use hamcnf_methods::method::Method;
use hamcnf_methods::record::{Key, Record};
use hamcnf_questions::{Files, Question, Stream, TextSource};

/// Question to answer, with the method, the seed and the limits of the run.
#[derive(Clone, Debug)]
pub struct Job {
    pub question: Question,
    pub method: Method,
    /// Seed of the random number generators.
    pub seed: u64,
    /// Resource limits. Methods enforce them cooperatively, and the worker's host enforces them from outside.
    pub limits: Limits,
}

/// Serialized form of a job. A worker cannot read standard input or a pipe again, so the job contains the text of a
/// graph that was read from there. The job also contains the text of a graph that is one of several in a file, because
/// the worker would have to read all earlier ones.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    question: String,
    method: Method,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    limits: Limits,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    graph: Option<Given>,
}

/// Text of a graph that a worker cannot read from its source.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    /// Path of the file, or `-` for standard input.
    source: String,
    /// Number of the only graph in the text, if the source has several graphs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    text: String,
}

impl Job {
    /// Returns a record of the job, without a result.
    pub fn record(&self) -> Record {
        let Self { question, method, seed, limits } = self;
        let name = question.to_string();
        Record::new(&name, question.checksum(), method, *seed, limits)
    }

    /// Returns the key that identifies the job. The record of the job has the same key.
    pub fn key(&self) -> Key {
        self.record().key()
    }

    /// Returns the job as JSON, the input of a worker.
    ///
    /// # Panics
    ///
    /// Never: a job consists of strings and numbers.
    pub fn written(&self) -> String {
        let stream = match &self.question {
            Question::Tours(tours) => tours.stream(),
            Question::Queens(_) => None,
        };
        let graph = stream.map(|stream| Given {
            source: match &stream.source {
                TextSource::File(file) => file.display().to_string(),
                TextSource::StandardInput => "-".to_owned(),
            },
            number: stream.number,
            text: stream.text.to_string(),
        });
        let written = Written {
            question: self.question.to_string(),
            method: self.method.clone(),
            seed: self.seed,
            limits: self.limits,
            graph,
        };
        serde_json::to_string(&written).expect("a job can be serialized")
    }

    /// Reads a job from JSON or TOML.
    ///
    /// # Errors
    ///
    /// [`LabError`].
    pub fn read(text: &str) -> Result<Self, LabError> {
        let written = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text).map_err(|error| error.to_string()),
            false => toml::from_str(text).map_err(|error| error.message().to_owned()),
        };
        let written: Written = written.map_err(|why| LabError::new(format_args!("invalid job: {why}")))?;
        let files = match written.graph {
            Some(Given { source, number, text }) => {
                Files::with(Stream { source: TextSource::named(source.as_ref()), number, text: text.into() })
            }
            None => Files::default(),
        };
        Ok(Self {
            question: Question::load_with(&written.question, &files).map_err(LabError::new)?,
            method: written.method,
            seed: written.seed,
            limits: written.limits,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_read_as_they_are_written() {
        let text = r#"{"question":"8x8 open from c3","method":"approxmc:binary","seed":3,"limits":{"wall":1.5}}"#;
        let job = Job::read(text).unwrap();
        assert_eq!(job.written(), text);
        let toml = "question = '8x8 open from c3'\nmethod = 'approxmc:binary'\nseed = 3\nlimits = { wall = 1.5 }";
        assert_eq!(Job::read(toml).unwrap().key(), job.key());
        assert_eq!(job.key().to_string(), "8x8 open from c3, approxmc:binary, seed 3, wall 1.5 s");
        for (text, message) in [
            (r#"{"question":"8x8"}"#, "invalid job: missing field `method`"),
            ("method = 'exact'", "invalid job: missing field `question`"),
            (r#"{"question":"8y8","method":"exact"}"#, "\"8y8\" is neither a board"),
            (r#"{"question":"8x8","method":"guess"}"#, "invalid job: unknown method"),
        ] {
            let error = Job::read(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn a_worker_is_given_what_cannot_be_read_again() {
        let text = r#"{"question":"/nowhere/pipe open from 0","method":"exact","graph":{"source":"/nowhere/pipe","text":"0 1\n1 2\n"}}"#;
        let job = Job::read(text).unwrap();
        assert_eq!(job.question.instance().unwrap().n(), 3);
        assert!(job.written().contains(r#""graph":{"source":"/nowhere/pipe","text":"0 1\n1 2\n"}"#));
        // One of several graphs is handed over without the others.
        let text = r#"{"question":"/nowhere/g.d6#7+undirected","method":"exact","graph":{"source":"/nowhere/g.d6","number":7,"text":"&AG"}}"#;
        let job = Job::read(text).unwrap();
        assert_eq!(job.question.instance().unwrap().n(), 2);
        assert!(job.written().contains(r#""number":7,"text":"&AG""#));
        assert!(Job::read(&text.replace("#7", "#8")).is_err());
    }
}
