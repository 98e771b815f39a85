//! Jobs, machines, origins of tours, and shards. They occur in files beside rows of results, and in messages to workers
//! and clusters. Parsing a written value must return the same value.

use std::fmt::Debug;

use hamcnf::harness::job::Job;
use hamcnf::harness::shard::Shard;
use hamcnf::harness::tours::Of;
use hamcnf::limits::Limits;
use hamcnf::machine::Machine;
use hamcnf::question::{Files, GraphSource, QuestionSpec};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::is_large;

/// Fuzzes the parsers of jobs, machines, origins of tours, and shards with arbitrary text.
pub fn jobs(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    is_read_again::<Machine>(&text);
    is_read_again::<Of>(&text);
    is_read_again::<Limits>(&text);
    if let Ok(shard) = text.parse::<Shard>() {
        assert_eq!(shard.to_string().parse().as_ref(), Ok(&shard));
        assert_eq!(Shard::of_name(&shard.name(&text)), Some((text.as_ref(), shard)));
    }
    let _ = Shard::of_name(&text);
    if is_to_be_made(&text) {
        match Job::read(&text) {
            Ok(job) => {
                let written = job.written();
                let again = Job::read(&written).unwrap();
                assert_eq!(again.key(), job.key(), "{written}");
                assert_eq!(again.written(), written);
            }
            Err(error) => drop(error.to_string()),
        }
    }
}

/// True if [`jobs`] may read the text as a job. The text must have a question and no graph of its own. The question
/// must not name a large graph, which would take long to generate, or a file, which the reader would open.
fn is_to_be_made(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Asks {
        question: String,
        graph: Option<serde::de::IgnoredAny>,
    }
    let asks = match text.trim_start().starts_with('{') {
        true => serde_json::from_str::<Asks>(text).ok(),
        false => toml::from_str(text).ok(),
    };
    let Some(Asks { question, graph: None }) = asks else {
        return false;
    };
    let source = QuestionSpec::settled(&question, &Files::default()).map(|spec| spec.source);
    !is_large(&question) && !matches!(source, Ok(GraphSource::Graph(_)))
}

fn is_read_again<T: Serialize + DeserializeOwned + PartialEq + Debug>(json: &str) {
    match serde_json::from_str::<T>(json) {
        Ok(value) => {
            let written = serde_json::to_string(&value).unwrap();
            let again: T = serde_json::from_str(&written).unwrap();
            assert_eq!(again, value, "{written}");
        }
        Err(error) => drop(error.to_string()),
    }
}
