//! Answers in JSON, as printed by `--json` in every command that runs a method on a question.
//!
//! An answer is one object. If several tours are requested, each tour is an object on a separate line. The fields of
//! an object are the columns of a row (see [`record`](crate::record)) and the following fields:
//!
//! | field | meaning |
//! |---|---|
//! | `tour` | names of the vertices in order, as in the input; `null` if there is no tour |
//! | `numbering` | kind of the names: `squares` of a board (`a1`), numbers `from-0` or `from-1`, or `names`; `null` for queens |
//! | `details` | object with fields that depend on the question and the method |
//!
//! `details` contains those of the following fields that apply:
//!
//! | field | meaning |
//! |---|---|
//! | `instance` | the question's board or graph |
//! | `tours` | `closed` or `open` |
//! | `start`, `end` | first and last vertex; the start is `anywhere` if it is not fixed and there is no tour |
//! | `constraints` | conditions on the tours, as in the text of the question |
//! | `piece` | piece other than the knight: its name, or its jumps such as `2,5` or `1,2+1,4` |
//! | `leaper` | jump of a piece other than the knight, such as `[2, 3]`, if the piece is a single leaper |
//! | `graph` | with `--edges` the graph: `vertices`, `edges` as pairs of names, and `names` of the vertices if they are words |
//! | `queens` | number of queens |
//! | `placement` | of a question about queens: `rows`, from 0, and `squares`, by column; `null` if there is none |
//! | `class` | class of the method, as tables show it |
//! | `encoding` | encoding of the formula, with its refinements |
//! | `settings` | settings of the method, including settings that it chose for the question |
//! | `statistics` | metrics in the column `statistics`, by name |
//! | `obstruction` | name of the reason that there is no tour, if an infeasibility check found it |
//! | `steps` | turns of a portfolio: which strategy ran, for how long, and with which outcome |
//! | `complete`, `enough` | for several tours: true if no others exist; true if the requested number was found |
//! | `proof` | requested proof: file, form, size, or the reason why it is missing |
//! | `counted` | description of the counted objects |
//! | `directed_value` | with `--directed`: number of closed tours, each counted in both directions |
//! | `stopped_by` | reason why a count has no exact result: `time`, `memory`, `interrupt`, `sample`, `width` |
//! | `certificate` | with `count --certificate`: the files, and the size of the graph and its proof |
//! | `by_start` | number of open tours from each start |
//! | `histogram` | array of the values of a statistic, each with its number of tours |
//! | `interval`, `estimates` | 95 % confidence interval of an estimate, and the estimate of each repetition |
//! | `peak_bytes` | peak size of the states of a count in memory, in bytes |
//! | `scratch_bytes` | peak size of the states of a count in temporary files, in bytes |
//! | `projection` | projection set: its name `set`, the number of its values `value`, and as a number of tours `as_tours` |
//! | `counter` | model counter, its version and guarantee |
//! | `rank` | in `list`: number of the tour, from 0 |
//! | `reason` | in `verify`: kind of the proof |
//!
//! Counts are strings of digits, whatever their size, because most readers of JSON keep only 53 bits of a number: `value`,
//! `directed_value`, ranks, the numbers in `by_start`, `histogram` and `projection`, and the metrics `values`, `models` and
//! `tours.N`. Other metrics are numbers. `hamcnf show` and `hamcnf
//! check` can read an object with a tour.

use hamcnf_tours::{Instance, Tour};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::record::{Record, Statistics};
use crate::run::Details;
use hamcnf_count::frontier::Exact;
use hamcnf_cycle::portfolio::Step;
use hamcnf_cycle::search::Proof;
use hamcnf_programs::engine::{Accuracy, ModelCount};
use hamcnf_questions::{Question, StartSpec, Tours};
pub use hamcnf_render::file::{JsonTour, numbering};
use hamcnf_tours::endpoints::Start;

/// Answer, as printed by `--json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JsonRecord {
    /// Record with the columns of a result row.
    #[serde(flatten)]
    pub record: Record,
    #[serde(flatten)]
    pub tour: JsonTour,
}

impl JsonRecord {
    /// Returns the JSON object for an answer, without a tour.
    pub fn new(question: &Question, record: &Record) -> Self {
        let mut tour = match question {
            Question::Tours(tours) => without_tour(tours),
            Question::Queens(queens) => {
                JsonTour { tour: None, numbering: None, details: Map::new() }.with("queens", queens.n())
            }
        };
        let method = &record.asked.method;
        let settings = [method.given(), method.chosen(question, record.asked.seed)].concat();
        let settings: Map<_, _> = settings.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        let obstruction = match &record.proof {
            Some(Proof::Obstruction(found)) => Some(json!(found.kind)),
            _ => None,
        };
        let steps: Vec<Value> = record.steps.iter().map(step).collect();
        let details = [
            ("encoding", method.encoding().map(|encoding| json!(encoding.to_string()))),
            ("class", Some(json!(method.class_for(question)))),
            ("settings", Some(settings.into())),
            ("statistics", Some(statistics(&record.statistics).into())),
            ("obstruction", obstruction),
            ("steps", (!steps.is_empty()).then(|| steps.into())),
            ("peak_bytes", record.peak_bytes.map(Value::from)),
            ("scratch_bytes", record.scratch_bytes.map(Value::from)),
        ];
        let details = details.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let of_count = record.details.iter().flat_map(|found| of_count(found, question, record));
        tour.details.extend(details.chain(of_count).map(|(name, value)| (name.to_owned(), value)));
        Self { record: record.without_details(), tour }
    }

    /// Adds a tour of the instance. The start of `instance` must be the first vertex of the tour.
    pub fn with_tour(self, instance: &Instance, tour: &Tour) -> Self {
        Self { tour: self.tour.with_tour(instance, tour), ..self }
    }

    /// Adds a field to `details`.
    pub fn with(self, name: &str, value: impl Into<Value>) -> Self {
        Self { tour: self.tour.with(name, value), ..self }
    }

    /// Adds the graph of the instance as the detail `graph`.
    pub fn with_graph(self, instance: &Instance) -> Self {
        Self { tour: self.tour.with_graph(instance), ..self }
    }
}

/// Returns the fields of an answer to a question about tours, without a tour.
pub fn without_tour(tours: &Tours) -> JsonTour {
    let instance = tours.instance();
    let mut fields = JsonTour::new(instance);
    if tours.start() == Start::Anywhere {
        fields = fields.with("start", StartSpec::Anywhere.to_string());
    }
    if let Some(end) = tours.end() { fields.with("end", instance.vertex_name(end)) } else { fields }
}

/// Converts metrics to a JSON object with the metrics' names as keys. A count is a string of digits, another metric a
/// number.
fn statistics(statistics: &Statistics) -> Map<String, Value> {
    let is_count = |name: &str| ["values", "models"].contains(&name) || name.starts_with("tours.");
    let value = |name: &str, text: &str| match (text.parse::<u64>(), text.parse::<f64>()) {
        (Ok(whole), _) if !is_count(name) => whole.into(),
        (_, Ok(real)) if text.contains(['.', 'e']) && real.is_finite() => real.into(),
        _ => Value::from(text),
    };
    statistics.iter().map(|(name, text)| (name.to_owned(), value(name, text))).collect()
}

/// Returns the JSON object that describes one turn of a strategy in a portfolio.
fn step(step: &Step) -> Value {
    let metrics = step.statistics.iter();
    let metrics: Map<_, _> = metrics.map(|metric| (metric.name.to_owned(), metric.value.into())).collect();
    json!({
        "strategy": step.turn.strategy.name,
        "seed": step.turn.seed,
        "thread": step.thread,
        "vertices": step.vertices,
        "outcome": step.outcome.to_string(),
        "cpu_seconds": step.cpu_seconds,
        "until": step.until,
        "statistics": metrics,
    })
}

/// Returns the names and values of a count's details, without its metrics.
fn of_count(found: &Details, question: &Question, record: &Record) -> Vec<(&'static str, Value)> {
    match found {
        Details::Sample(estimate) => {
            vec![("interval", json!(estimate.interval)), ("estimates", json!(estimate.repetitions))]
        }
        Details::ByStart(counts) => match question.instance() {
            Some(instance) => vec![("by_start", by_start(instance, counts))],
            None => Vec::new(),
        },
        Details::Histogram { exact, .. } => vec![("histogram", histogram(exact))],
        Details::Projected { models, found } => vec![
            ("encoding", json!(models.encoding.to_string())),
            (
                "projection",
                json!({
                    "set": models.set.to_string(),
                    "value": found.values.to_string(),
                    "as_tours": models.as_tours(found.values).to_string(),
                }),
            ),
        ],
        Details::Counter { models, found } => vec![
            ("encoding", json!(models.encoding.to_string())),
            ("projection", json!({"set": models.set.to_string()})),
            ("counter", counter(found, record)),
        ],
        _ => Vec::new(),
    }
}

/// Returns a JSON array with the number of open tours from each start vertex.
fn by_start(instance: &Instance, counts: &[BigUint]) -> Value {
    instance
        .graph()
        .vertices()
        .zip(counts)
        .map(|(v, count)| json!({"start": instance.vertex_name(v), "value": count.to_string()}))
        .collect()
}

/// Returns a JSON array with the number of tours for each value of a statistic.
fn histogram(exact: &Exact) -> Value {
    exact.by_value.iter().map(|(value, tours)| json!({"value": value, "tours": tours.to_string()})).collect()
}

/// Returns the JSON object that describes a model counter and its result.
fn counter(found: &ModelCount, record: &Record) -> Value {
    let engine = record.asked.method.engine().and_then(crate::method::Engine::engine);
    let mut object = json!({
        "program": engine.map(|engine| &engine.title),
        "version": found.version,
        "source": if found.by_package { "PyPI" } else { "program on the PATH" },
    });
    if let Some(Accuracy { epsilon, delta }) = found.accuracy {
        object["epsilon"] = epsilon.into();
        object["delta"] = delta.into();
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;
    use crate::run::Settings;

    fn answered(question: &str, method: &str) -> (Question, Record) {
        let question = Question::load(question).unwrap();
        let method: Method = method.parse().unwrap();
        let answered = method.answer(&question, &Settings::default());
        (question, answered)
    }

    /// Tests that an answer in JSON, without `tour`, `numbering` and `details`, parses as a row that equals the record.
    #[test]
    fn an_object_is_a_record_with_a_tour_and_details() {
        for (question, method) in [
            ("6x6", "warnsdorff"),
            ("5x5", "auto"),
            ("5x6", "exact"),
            ("petersen:5:2 open from 3", "binary"),
            ("6 queens", "enumerate"),
        ] {
            let (question, answered) = answered(question, method);
            let object = JsonRecord::new(&question, &answered);
            let text = serde_json::to_string(&object).unwrap();
            let mut columns: Map<String, Value> = serde_json::from_str(&text).unwrap();
            for field in ["tour", "numbering", "details"] {
                assert!(columns.remove(field).is_some(), "{field}");
            }
            let row: Record = serde_json::from_value(columns.into()).unwrap();
            assert_eq!(row, answered);
        }
    }

    #[test]
    fn vertices_have_the_names_of_the_input() {
        let (question, answered) = answered("petersen:5:2 open from 3", "warnsdorff");
        let instance = question.instance().unwrap();
        let object = JsonRecord::new(&question, &answered);
        assert_eq!(object.tour.numbering, Some("from-1"));
        let object = object.with_tour(instance, &answered.tours[0]);
        assert_eq!(object.tour.tour.as_ref().unwrap()[0], "3");
        assert_eq!(object.tour.details["start"], "3");
        assert!(object.tour.details.get("graph").is_none());
        let graph = &object.with_graph(instance).tour.details["graph"];
        assert_eq!(graph["vertices"], 10);
        assert_eq!(graph["edges"].as_array().unwrap().len(), 15);
        assert_eq!(graph["edges"][0][0], "1");
    }

    #[test]
    fn details_have_settings_and_statistics() {
        let (question, answered) = answered("6x6", "solve+phases=seeded:binary");
        let details = JsonRecord::new(&question, &answered).tour.details;
        assert_eq!(details["settings"]["phases"], "seeded");
        assert_eq!(details["encoding"], "binary");
        assert!(details["statistics"]["conflicts"].is_u64());
        let (question, answered) = self::answered("5x5", "auto");
        assert_eq!(JsonRecord::new(&question, &answered).tour.details["obstruction"], "colours");
        let mut large = Statistics::default();
        large.set("values", "53034853662012222798");
        large.set("models", 8);
        large.set("standard_error", 0.5);
        let large = super::statistics(&large);
        assert_eq!(large["values"], "53034853662012222798");
        assert_eq!(large["models"], "8");
        assert_eq!(large["standard_error"], 0.5);
    }
}
