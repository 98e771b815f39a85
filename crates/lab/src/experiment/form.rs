//! Format of experiment files.
//!
//! ```toml
//! title = "Small boards"
//! about = "Each encoding, three times."       # introduction of the report
//! seeds = [1, 2, 3]                           # runs of methods that use random numbers; others run once, with seed 0
//! time_limit = 10                             # wall seconds; also cpu_limit, memory_limit = "2G", conflict_limit
//! methods = ["direct", "binary", "exact"]     # for every question without methods of its own
//! questions = [
//!   "6x6",
//!   "8x8 open from a1",
//!   "graphs/*.col",                           # a pattern, or a folder such as graphs/
//!   { question = "7x7", expect = "no-tour", methods = ["auto", { method = "binary", time_limit = 60 }] },
//!   { question = "graphs/petersen.col", expect = "no-tour" },     # replaces the entry of the pattern
//! ]
//!
//! [[questions]]                               # an entry with published figures
//! question = "5x5 open from a1"
//! expect = 304
//! published = [{ method = "exact", says = "Table 2: 304.", value = 304 }]
//!
//! [[claims]]                                  # claims about times, checked against medians
//! says = "binary is faster than direct"
//! faster = ["binary", "direct"]
//! ```
//!
//! Values are written as on the command line. Unknown keys are errors, so misspelt keys are not silently ignored. An
//! entry for a single question replaces the same question of a pattern. Several entries for a single question are
//! combined if their methods differ. A method listed for a question must suit the question. If a method of the whole
//! experiment does not suit a question, the row has the status `refused`.

use std::convert::Infallible;
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use hamcnf_encodings::{Encoding, Formula};
use indexmap::IndexMap;
use serde::Deserialize;

use super::graphs::{self, is_pattern, several};
use super::times::Times;
use super::word::{OrText, optional};
use super::{Asked, Claim, Given, Plan, Published};
use crate::LabError;
use crate::harness::job::Job;
use hamcnf_count::frontier::Bytes;
use hamcnf_graph::limits::Limits;
use hamcnf_methods::method::{Method, MethodError};
use hamcnf_methods::record::Conclusion;
use hamcnf_programs::config::read;
use hamcnf_questions::{Files, GraphSourceError, Question, QuestionError, QuestionSpec};
use hamcnf_sat::solve::cadical::LAST_SEED;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    /// Title of the report; the experiment's name if empty.
    #[serde(default)]
    title: String,
    #[serde(default)]
    about: String,
    seeds: Option<Vec<u32>>,
    #[serde(default)]
    relabel: bool,
    time_limit: Option<f64>,
    cpu_limit: Option<f64>,
    #[serde(default, deserialize_with = "optional")]
    memory_limit: Option<Bytes>,
    conflict_limit: Option<u64>,
    #[serde(default, deserialize_with = "optional")]
    expect: Option<Conclusion>,
    #[serde(default)]
    methods: Vec<OrText<FormMethod>>,
    questions: Option<Vec<OrText<FormQuestion>>>,
    #[serde(default)]
    claims: Vec<Claim>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormMethod {
    method: Method,
    seeds: Option<Vec<u32>>,
    time_limit: Option<f64>,
}

#[derive(Clone, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormQuestion {
    question: String,
    #[serde(default, deserialize_with = "optional")]
    expect: Option<Conclusion>,
    methods: Option<Vec<OrText<FormMethod>>>,
    seeds: Option<Vec<u32>>,
    time_limit: Option<f64>,
    #[serde(default)]
    published: Vec<Published>,
}

impl FromStr for FormMethod {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        Ok(Self { method: text.parse()?, seeds: None, time_limit: None })
    }
}

impl FromStr for FormQuestion {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self { question: text.to_owned(), ..Self::default() })
    }
}

impl Plan {
    /// Parses the text of an experiment's file and reads the graphs that it names. Finds every mistake that can be
    /// found before a run.
    ///
    /// # Errors
    ///
    /// [`LabError`], which describes the mistake.
    pub fn parse(text: &str, given: &Given) -> Result<Self, LabError> {
        read::<Form>(text).map_err(LabError::new)?.plan(given)
    }
}

impl Form {
    fn plan(self, given: &Given) -> Result<Plan, LabError> {
        let limits = self.limits(self.time_limit)?;
        if let Some(seeds) = &self.seeds {
            check_seeds(seeds)?;
        }
        let listed = match (&self.questions, &given.graphs) {
            (Some(_), Some(_)) => {
                let why = "the file already has questions; remove --graphs, or remove the questions from the file";
                return Err(LabError::new(why));
            }
            (None, None) => {
                let why = "no questions: list them in the file, or pass a folder of graphs with --graphs FOLDER";
                return Err(LabError::new(why));
            }
            (Some(listed), None) if listed.is_empty() => return Err(empty("questions")),
            (Some(listed), None) => listed.clone(),
            (None, Some(folder)) => {
                let mut files = folder.display().to_string();
                if !files.ends_with('/') && !files.contains(['*', '?']) {
                    files.push('/');
                }
                files.parse().into_iter().map(OrText).collect()
            }
        };
        let mut left_out = Vec::new();
        let mut list = QuestionList::default();
        for OrText(listed) in listed {
            let by_pattern = is_pattern(&listed.question);
            for question in read_questions(&listed, &mut left_out)? {
                add(&mut list, self.asked(&listed, question)?, by_pattern)?;
            }
        }
        let questions: Vec<Asked> = list.into_values().map(|(asked, _)| asked).collect();
        check_claims(&self.claims, &questions)?;
        let plan = Plan {
            claims: self.claims,
            title: self.title,
            about: self.about,
            limits,
            relabel: self.relabel,
            questions,
            times: given.times.as_deref().map(Times::read).transpose()?,
            left_out,
        };
        let is_limited = plan.all_jobs().all(|job| job.limits.wall.is_some() || job.method.is_size());
        is_limited
            .then_some(plan)
            .ok_or_else(|| LabError::new("missing key \"time_limit\"; only experiments about sizes need no limit"))
    }

    /// Returns the limits of a run: wall time from `time_limit`, and CPU time, memory and conflicts from the
    /// experiment.
    fn limits(&self, time_limit: Option<f64>) -> Result<Limits, LabError> {
        let duration = |key, seconds: Option<f64>| match seconds {
            Some(seconds) if !(seconds > 0.0 && seconds < 1e9) => Err(LabError::new(format_args!(
                "\"{key}\" is {seconds:?}, but must be a positive number of seconds, at most a billion"
            ))),
            seconds => Ok(seconds.map(Duration::from_secs_f64)),
        };
        Ok(Limits {
            wall: duration("time_limit", time_limit)?,
            cpu: duration("cpu_limit", self.cpu_limit)?,
            memory: self.memory_limit.map(|bytes| bytes.0),
            conflicts: self.conflict_limit,
        })
    }

    /// Returns a question with its methods and jobs, its published figures and its known answer. `listed` is the
    /// question's entry in the file.
    fn asked(&self, listed: &FormQuestion, question: Question) -> Result<Asked, LabError> {
        let listed_methods = listed.methods.as_ref().unwrap_or(&self.methods);
        if listed_methods.is_empty() {
            return Err(empty("methods"));
        }
        let (mut methods, mut jobs) = (Vec::new(), Vec::new());
        for OrText(FormMethod { method, seeds, time_limit }) in listed_methods {
            if listed.methods.is_some() {
                check_suited(method, &question)?;
            }
            if methods.contains(method) {
                return Err(twice("methods", method));
            }
            let limits = self.limits(time_limit.or(listed.time_limit).or(self.time_limit))?;
            seeds.iter().chain(&listed.seeds).try_for_each(|own| check_seeds(own))?;
            let for_all = listed.seeds.as_ref().or(self.seeds.as_ref());
            let is_random = method.profile().random;
            let seeds = match seeds.as_ref().or(for_all.filter(|_| is_random)) {
                Some(seeds) => seeds.iter().map(|&seed| seed.into()).collect(),
                None if is_random => vec![method.first_seed()],
                None => vec![0],
            };
            for seed in seeds {
                let method = if self.relabel { relabelled(method, seed)? } else { method.clone() };
                jobs.push(Job { question: question.clone(), method, seed, limits });
            }
            methods.push(method.clone());
        }
        if let Some(Published { method, .. }) =
            listed.published.iter().find(|figures| !methods.contains(&figures.method))
        {
            return Err(LabError::new(format_args!(
                "question \"{question}\": method \"{method}\" has published figures, but is not one of the experiment's methods"
            )));
        }
        let expect = listed.expect.as_ref().or(self.expect.as_ref()).cloned();
        Ok(Asked { question, expect, methods, jobs, published: listed.published.clone() })
    }
}

/// Questions that have been read so far, by their texts. The flag is true if the question comes from a pattern or a
/// folder of graph files.
type QuestionList = IndexMap<String, (Asked, bool)>;

/// Adds a question. An entry for a single question replaces the same question of a pattern. A second entry for a single
/// question adds its methods to the first entry.
fn add(list: &mut QuestionList, asked: Asked, by_pattern: bool) -> Result<(), LabError> {
    let name = asked.question.to_string();
    match list.get_mut(&name) {
        Some((_, true)) if by_pattern => return Err(twice("questions", name)),
        Some((_, false)) if by_pattern => {}
        Some((known, false)) => merge(known, asked)?,
        // An index map keeps the place of a replaced entry.
        Some((_, true)) | None => drop(list.insert(name, (asked, by_pattern))),
    }
    Ok(())
}

/// Merges a second entry for a question into the first entry: adds its methods, published figures and known answer.
fn merge(known: &mut Asked, other: Asked) -> Result<(), LabError> {
    if let Some(method) = other.methods.iter().find(|method| known.methods.contains(method)) {
        return Err(twice("questions", format_args!("{} with {method}", known.question)));
    }
    match (&known.expect, &other.expect) {
        (Some(one), Some(another)) if one != another => {
            return Err(LabError::new(format_args!(
                "question \"{}\" has two different known answers (\"expect\"); keep only the right one",
                known.question
            )));
        }
        (None, Some(_)) => known.expect = other.expect,
        _ => {}
    }
    known.methods.extend(other.methods);
    known.jobs.extend(other.jobs);
    known.published.extend(other.published);
    Ok(())
}

/// Reads the questions of one entry. Graph files that cannot be used are added to `left_out`.
fn read_questions(listed: &FormQuestion, left_out: &mut Vec<String>) -> Result<Vec<Question>, LabError> {
    let text = &listed.question;
    if is_pattern(text) {
        if !listed.published.is_empty() {
            return Err(LabError::new(format_args!(
                "\"{text}\" is a pattern for several questions; only a single question can have published figures"
            )));
        }
        return graphs::read(text, left_out);
    }
    let wrong = |error: QuestionError| about(text, error);
    let files = Files::default();
    if let Ok(spec) = QuestionSpec::settled(text, &files) {
        // Standard input and pipes cannot be read again for the next method.
        if !spec.source.is_lasting() {
            return Err(wrong(GraphSourceError::NotLasting(spec.source.to_string()).into()));
        }
        let sources = several(&spec.source, &files).map_err(|error| wrong(error.into()))?;
        if let Some(sources) = sources {
            let load = |source| QuestionSpec { source, ..spec.clone() }.load(&files);
            let tours = sources.into_iter().map(|source| load(source).map(Question::from));
            return tours.collect::<Result<_, _>>().map_err(wrong);
        }
    }
    Ok(vec![Question::load(text).map_err(wrong)?])
}

fn empty(list: &str) -> LabError {
    LabError::new(format_args!("\"{list}\" must not be empty"))
}

fn twice(list: &str, item: impl Display) -> LabError {
    LabError::new(format_args!("\"{list}\" contains \"{item}\" twice; remove one of them"))
}

/// Describes an invalid question, or a question that a method does not accept.
fn about(question: impl Display, error: impl Display) -> LabError {
    LabError::new(format_args!("question \"{question}\": {error}"))
}

fn check_seeds(seeds: &[u32]) -> Result<(), LabError> {
    if seeds.is_empty() {
        return Err(empty("seeds"));
    }
    if let Some(&seed) = seeds.iter().find(|&&seed| seed > LAST_SEED) {
        return Err(LabError::new(format_args!("seed {seed} is too large; the solver's largest seed is {LAST_SEED}")));
    }
    match (1..seeds.len()).find(|&k| seeds[..k].contains(&seeds[k])) {
        Some(k) => Err(twice("seeds", seeds[k])),
        None => Ok(()),
    }
}

/// Returns an error if a method cannot answer a question. For a method with an encoding, the formula and the projection
/// set must also be valid for the question.
fn check_suited(method: &Method, question: &Question) -> Result<(), LabError> {
    let check = || -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        method.suits(question)?;
        if let (Some(encoding), Some(instance)) = (method.encoding(), question.instance()) {
            let formula = Formula::new(encoding.clone(), instance)?;
            method.projection().map(|set| formula.project(set)).transpose()?;
        }
        Ok(())
    };
    check().map_err(|error| about(question, error))
}

/// Adds to the method's encoding a vertex order that depends on the seed. Returns an unchanged copy if the seed is 0 or
/// if the method has no encoding. Fails if the encoding already specifies a vertex order.
fn relabelled(method: &Method, seed: u64) -> Result<Method, LabError> {
    let Some(encoding) = method.encoding() else { return Ok(method.clone()) };
    let has_own = encoding.value_of("order").is_some_and(|o| o != "natural");
    let ordered: Option<Encoding> = match (has_own, seed) {
        (true, _) => None,
        (false, 0) => Some(encoding.clone()),
        (false, seed) => encoding.with(&format!("order=seed-{seed}")).ok(),
    };
    let ordered = ordered.and_then(|encoding| method.with_encoding(encoding).ok());
    ordered.ok_or_else(|| {
        LabError::new(format_args!(
            "\"relabel\" sets the vertex order of each encoding, but \"{method}\" already sets \"order\"; remove one of the two"
        ))
    })
}

/// Returns an error if a claim does not have exactly one inequality, or is about a method without jobs.
fn check_claims(claims: &[Claim], questions: &[Asked]) -> Result<(), LabError> {
    let is_foreign = |method: &&&Method| !questions.iter().any(|asked| asked.methods.contains(method));
    for Claim { says, under, faster, .. } in claims {
        let methods: Vec<&Method> = match (under, faster) {
            (Some(under), None) => vec![&under.method],
            (None, Some(pair)) => pair.iter().collect(),
            _ => {
                return Err(LabError::new(format_args!(
                    "the claim \"{says}\" must have exactly one of the keys \"under\" and \"faster\""
                )));
            }
        };
        if let Some(&method) = methods.iter().find(is_foreign) {
            return Err(LabError::new(format_args!(
                "the claim \"{says}\" is about the method \"{method}\", which is not one of the experiment's methods"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::is_unexpected;
    use hamcnf_methods::record::Status;

    const SMALL: &str = r#"
        title = "t"
        about = "a"
        seeds = [1, 2]
        time_limit = 5
        expect = "tour"
        methods = ["unary", { method = "direct", seeds = [7] }, "exact"]
        questions = [
          "6x6",
          { question = "8x8 open from c3", methods = ["treewidth"], expect = "12" },
        ]
    "#;

    fn parse(text: &str) -> Result<Plan, LabError> {
        Plan::parse(text, &Given::default())
    }

    fn keys(text: &str) -> Vec<String> {
        let jobs: Vec<_> = parse(text).unwrap().all_jobs().cloned().collect();
        jobs.iter().map(|job| job.key().to_string()).collect()
    }

    #[test]
    fn questions_methods_and_seeds_multiply() {
        assert_eq!(
            keys(SMALL),
            [
                "6x6, unary, seed 1, wall 5 s",
                "6x6, unary, seed 2, wall 5 s",
                "6x6, direct, seed 7, wall 5 s",
                "6x6, exact, seed 0, wall 5 s",
                "8x8 open from c3, treewidth, seed 0, wall 5 s",
            ]
        );
        let limited = SMALL.replace("= 5", "= 5\ncpu_limit = 4.5\nmemory_limit = '2G'\nconflict_limit = 9");
        assert_eq!(
            keys(&limited)[4],
            "8x8 open from c3, treewidth, seed 0, wall 5 s, cpu 4.5 s, memory 2147483648 bytes, conflicts 9"
        );
        let own = SMALL.replace("seeds = [7]", "time_limit = 0.5");
        assert_eq!(keys(&own)[3], "6x6, direct, seed 2, wall 0.5 s");
        let sizes = "title = 't'\nmethods = ['size:direct']\nquestions = ['6x6']";
        assert_eq!(keys(sizes), ["6x6, size:direct, seed 0"]);
        let without_seeds = "title = 't'\nmethods = ['auto', 'sample']\nquestions = ['6x6']\ntime_limit = 1";
        assert_eq!(keys(without_seeds), ["6x6, auto, seed 0, wall 1 s", "6x6, sample, seed 1, wall 1 s"]);
    }

    #[test]
    fn a_seed_relabels_encodings_alone() {
        let relabel = SMALL.replace("expect = \"tour\"", "relabel = true");
        assert_eq!(
            keys(&relabel)[..4],
            [
                "6x6, unary+order=seed-1, seed 1, wall 5 s",
                "6x6, unary+order=seed-2, seed 2, wall 5 s",
                "6x6, direct+order=seed-7, seed 7, wall 5 s",
                "6x6, exact, seed 0, wall 5 s",
            ]
        );
        let own = relabel.replace("\"unary\"", "\"unary+order=bfs\"");
        let error = parse(&own).unwrap_err().to_string();
        assert!(error.ends_with("\"unary+order=bfs\" already sets \"order\"; remove one of the two"), "{error}");
    }

    #[test]
    fn folders_and_patterns_are_questions() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.col", "a.col", "c.txt"] {
            std::fs::write(folder.path().join(name), "1 2\n2 3\n3 1\n").unwrap();
        }
        let path = folder.path().display();
        let questions = |list: &str| {
            let text = format!("title = 't'\ntime_limit = 1\nmethods = ['auto']\nquestions = [{list}]");
            let plan = parse(&text).unwrap();
            let names = plan.questions.iter().map(|asked| asked.question.to_string());
            names.map(|name| name.rsplit('/').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(questions(&format!("'{path}/'")), ["a.col", "b.col", "c.txt"]);
        assert_eq!(questions(&format!("'6x6', '{path}/*.col'")), ["6x6", "a.col", "b.col"]);
        let given = Given { graphs: Some(folder.path().to_owned()), ..Given::default() };
        let open = "title = 't'\ntime_limit = 1\nmethods = ['auto']";
        assert_eq!(Plan::parse(open, &given).unwrap().questions.len(), 3);
        let error = Plan::parse(SMALL, &given).unwrap_err().to_string();
        assert!(error.contains("--graphs"), "{error}");
    }

    #[test]
    fn entries_about_one_question_are_one() {
        let text = "
            time_limit = 5
            seeds = [1, 2]
            methods = ['unary']
            questions = [
              { question = '6x6', seeds = [4, 5, 6] },
              { question = '6x6', expect = 'tour', methods = ['exact'] },
            ]";
        let plan = parse(text).unwrap();
        let [asked] = plan.questions.as_slice() else { panic!("{} questions", plan.questions.len()) };
        let jobs: Vec<_> = asked.jobs.iter().map(|job| (job.method.to_string(), job.seed)).collect();
        assert_eq!(
            jobs,
            [("unary", 4), ("unary", 5), ("unary", 6), ("exact", 0)].map(|(method, seed)| (method.to_owned(), seed))
        );
        assert!(asked.expect.is_some());
    }

    #[test]
    fn an_entry_of_its_own_takes_the_place_of_a_patterns() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().display();
        for name in ["a.txt", "b.txt"] {
            std::fs::write(folder.path().join(name), "1 2\n2 3\n3 1\n").unwrap();
        }
        let pattern = format!("'{path}/*.txt'");
        let own = format!("{{ question = '{path}/b.txt', expect = 'no-tour', methods = ['exact'] }}");
        for list in [format!("{pattern}, {own}"), format!("{own}, {pattern}")] {
            let text = format!("time_limit = 5\nmethods = ['auto']\nquestions = [{list}]");
            let plan = parse(&text).unwrap();
            let expected = plan.questions.iter().filter(|asked| asked.expect.is_some());
            assert_eq!((plan.questions.len(), expected.count()), (2, 1), "{list}");
        }
        let text = format!("time_limit = 5\nmethods = ['auto']\nquestions = [{pattern}, {pattern}]");
        let error = parse(&text).unwrap_err().to_string();
        assert!(error.starts_with("\"questions\" contains ") && error.contains(" twice; remove one"), "{error}");
    }

    #[test]
    fn mistakes_are_named_with_their_line_or_question() {
        for (from, to, message) in [
            (
                "\"6x6\"",
                "\"8y8\"",
                "question \"8y8\": \"8y8\" is neither a board (ROWSxCOLUMNS, such as 8x8) nor an existing file",
            ),
            ("\"unary\"", "\"unry\"", "line 7: unknown method \"unry\""),
            ("\"unary\"", "\"binary+widows=full\"", "line 7: method \"binary\": unknown refinement \"widows\""),
            ("seeds = [1", "sedes = [1", "line 4: unknown key \"sedes\""),
            ("title = \"t\"", "title = 7", "line 2: expected text in quotation marks, found integer \"7\""),
            ("[1, 2]", "[-1]", "line 4: expected a whole number, 0 or more, found integer \"-1\""),
            ("[1, 2]", "3", "line 4: expected a list in brackets, such as [1, 2], found integer \"3\""),
            ("[1, 2]", "[]", "\"seeds\" must not be empty"),
            ("[1, 2]", "[1, 2, 1]", "\"seeds\" contains \"1\" twice"),
            ("[1, 2]", "[3000000000]", "seed 3000000000 is too large"),
            ("\"6x6\"", "\"0x5\"", "question \"0x5\": board 0x5 has no squares"),
            (
                "expect = \"12\" }",
                "expect = \"12\" }, { question = \"6x6\", methods = [\"exact\"] }",
                "\"questions\" contains \"6x6 with exact\" twice",
            ),
            (
                "expect = \"12\" }",
                "expect = \"12\" }, { question = \"6x6\", expect = \"no-tour\", methods = [\"zdd\"] }",
                "question \"6x6\" has two different known answers (\"expect\"); keep only the right one",
            ),
            ("\"6x6\"", "\"-\"", "question \"-\": "),
            ("\"exact\"", "\"unary\"", "\"methods\" contains \"unary\" twice; remove one of them"),
            (
                "[\"treewidth\"]",
                "[\"bdd\"]",
                "question \"8x8 open from c3\": method \"bdd\" does not accept questions about tours",
            ),
            ("[\"treewidth\"]", "[]", "\"methods\" must not be empty"),
            (
                "[\"treewidth\"]",
                "[\"approxmc+project=paper:counting\"]",
                "question \"8x8 open from c3\": the projection \"paper\" does not exist for encoding \"counting\"",
            ),
            ("= 5", "= 0", "\"time_limit\" is 0.0, but must be a positive number of seconds, at most a billion"),
            ("time_limit = 5", "", "missing key \"time_limit\""),
            ("\"12\"", "\"many\"", "line 10: \"many\" is not an answer"),
            (
                "expect = \"12\"",
                "published = [{ method = \"auto\", value = 1 }]",
                "question \"8x8 open from c3\": method \"auto\" has published figures, but is not one of the experiment's methods",
            ),
            (
                "title",
                "claims = [{ says = \"x\", under = { method = \"binary\", seconds = 1.0 } }]\ntitle",
                "the claim \"x\" is about the method \"binary\", which is not one of the experiment's methods",
            ),
            ("title", "claims = [{ says = \"x\" }]\ntitle", "the claim \"x\" must have exactly one"),
        ] {
            let error = parse(&SMALL.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
        let error = parse("title = 't'\nmethods = ['auto']\ntime_limit = 1").unwrap_err().to_string();
        assert!(error.starts_with("no questions: list them"), "{error}");
    }

    #[test]
    fn known_answers_contradict_rows() {
        let plan = parse(SMALL).unwrap();
        let [tour, count] = [0, 1].map(|k| plan.questions[k].jobs[0].record());
        let is_unexpected = |record| is_unexpected(&record, &plan.expected());
        let ended = |status| tour.clone().ended(status, "");
        assert!(is_unexpected(ended(Status::NoTour)));
        assert!(!is_unexpected(ended(Status::Timeout)));
        let counted = |n: u64| count.clone().with_value(Status::Count, n);
        assert!(is_unexpected(counted(11)));
        assert!(!is_unexpected(counted(12)));
    }
}
