//! What experiments measure: a plan for each kind, read from the experiment's file and lowered to jobs. One file a kind:
//! what its TOML is, what is wrong with it, and its jobs.
//!
//! Words are those of the command line. Unknown keys are errors, so that a misspelt one does not silently mean its
//! default. A board may be any question about tours, `8x8 open from c3`, or a place, for which `tours` and `start` say
//! the rest. Graphs are read once, when the plan is.

pub mod cells;
pub mod compare;
pub mod count;
pub mod decision;
pub mod folder;
pub mod race;
pub mod sizes;
pub mod times;
pub mod word;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use hamcnf_encodings::{TourKind, named};
use serde::Deserialize;

use self::compare::ComparePlan;
use self::count::CountPlan;
use self::decision::DecisionPlan;
use self::race::RacePlan;
use self::sizes::SizesPlan;
use self::word::Word;
use super::job::Job;
use hamcnf_engines::count::frontier::Bytes;
use hamcnf_engines::limits::Limits;
use hamcnf_methods::question::{Files, GraphSourceError, QuestionSpec, StartSpec, Tours};
pub(crate) use hamcnf_wording::toml as read;

/// What an experiment measures.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Variables and clauses of encodings.
    Sizes(SizesPlan),
    /// Times for deciding whether there is a tour.
    Decision(DecisionPlan),
    /// Numbers of tours, by several methods.
    Count(CountPlan),
    /// The same questions in every way.
    Compare(ComparePlan),
    /// Who answers most of many questions.
    Race(RacePlan),
}

/// What is said when an experiment is run, and not in its file.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// A folder whose graphs it is about.
    pub graphs: Option<PathBuf>,
    /// A CSV file of times that were measured elsewhere.
    pub times: Option<PathBuf>,
    /// A file that describes solvers of other people. Without it, `engines.toml` beside the experiment's file is one.
    pub engines: Option<PathBuf>,
}

/// Which of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Sizes,
    Decision,
    Count,
    Compare,
    Race,
}

named!(Kind, "kind of experiment", {
    Sizes => "sizes",
    Decision => "decision",
    Count => "count",
    Compare => "compare",
    Race => "race",
});

/// The heading of an experiment and its report.
#[derive(Clone, Debug, Default)]
pub struct Heading {
    /// One line.
    pub title: String,
    /// Prose.
    pub about: String,
}

impl Plan {
    /// Its jobs, in the order of its rows. Some may be there twice.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        match self {
            Self::Sizes(plan) => plan.jobs(),
            Self::Decision(plan) => plan.jobs(),
            Self::Count(plan) => plan.jobs(),
            Self::Compare(plan) => plan.jobs(),
            Self::Race(plan) => plan.jobs(),
        }
    }

    /// Reads a plan, and checks everything in it that can be checked before running.
    ///
    /// # Errors
    ///
    /// What is wrong, in one line.
    pub fn parse(text: &str, given: &Given) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Of {
            kind: Word<Kind>,
        }
        let kind = read::<Of>(text)?.kind.0;
        if kind != Kind::Race && (given.graphs.is_some() || given.times.is_some()) {
            return Err(format!(
                "--graphs and --times are for kind 'race', and its kind is '{kind}'"
            ));
        }
        match kind {
            Kind::Sizes => SizesPlan::lower(read(text)?).map(Self::Sizes),
            Kind::Decision => DecisionPlan::lower(read(text)?).map(Self::Decision),
            Kind::Count => CountPlan::lower(read(text)?).map(Self::Count),
            Kind::Compare => ComparePlan::lower(read(text)?).map(Self::Compare),
            Kind::Race => RacePlan::lower(read(text)?, given).map(Self::Race),
        }
    }
}

/// A question about tours that can be asked again: not of standard input or a pipe, which are gone then.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Asked(QuestionSpec);

impl std::str::FromStr for Asked {
    type Err = GraphSourceError;

    /// Looks at the disk, so that an error has the line of the plan that names a missing file.
    fn from_str(text: &str) -> Result<Self, GraphSourceError> {
        let spec = QuestionSpec::settled(text, &Files::default())?;
        match spec.source.is_lasting() {
            true => Ok(Self(spec)),
            false => Err(GraphSourceError::NotLasting(spec.source.to_string())),
        }
    }
}

impl Asked {
    /// The question, where it leaves that to the plan of this kind and from this start.
    fn tours(&self, kind: Option<TourKind>, start: Option<&StartSpec>) -> Result<Tours, String> {
        let QuestionSpec {
            source,
            kind: own_kind,
            start: own_start,
            end,
        } = self.0.clone();
        if own_kind.is_some() && kind.is_some() || own_start.is_some() && start.is_some() {
            return Err(format!(
                "'{}' says its tours or start, and so do the keys beside it",
                self.0
            ));
        }
        let kind = own_kind.or(kind).unwrap_or(TourKind::Closed);
        let start = own_start.as_ref().or(start);
        let kind = if end.is_some() { TourKind::Open } else { kind };
        let tours = Tours::load(source, kind, start, &Files::default());
        let tours = tours.and_then(|tours| match end {
            Some(end) => tours.ending_at(&end),
            None => Ok(tours),
        });
        tours.map_err(|error| error.to_string())
    }
}

/// Refuses a list that has an item twice.
fn each_once<T: PartialEq + fmt::Display>(list: &str, items: &[T]) -> Result<(), String> {
    let twice = items
        .iter()
        .enumerate()
        .find(|(k, item)| items[..*k].contains(item));
    twice.map_or(Ok(()), |(_, item)| Err(format!("{list} has {item} twice")))
}

/// The limits that a plan says. Refuses what is none.
fn limits(
    time_limit: f64,
    cpu_limit: Option<f64>,
    memory_limit: Option<Word<Bytes>>,
    conflict_limit: Option<u64>,
) -> Result<Limits, String> {
    let seconds = |name: &str, seconds: f64| match seconds > 0.0 && seconds < 1e9 {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err(format!("{name} must be a positive number of seconds")),
    };
    Ok(Limits {
        wall: Some(seconds("time_limit", time_limit)?),
        cpu: cpu_limit
            .map(|limit| seconds("cpu_limit", limit))
            .transpose()?,
        memory: memory_limit.map(|Word(bytes)| bytes.0),
        conflicts: conflict_limit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DECISION: &str = r#"
        kind = "decision"
        title = "t"
        about = "a"
        seeds = [1]
        time_limit = 5
        expect = "tour"
        [cells]
        boards = ["6x6", "8x8"]
        encodings = ["unary", "direct"]
    "#;

    fn keys(text: &str) -> Vec<String> {
        let jobs = Plan::parse(text, &Given::default()).unwrap().jobs();
        jobs.iter().map(|job| job.key().to_string()).collect()
    }

    #[test]
    fn cells_multiply() {
        assert_eq!(
            keys(DECISION),
            [
                "6x6, unary, seed 1, wall 5 s",
                "6x6, direct, seed 1, wall 5 s",
                "8x8, unary, seed 1, wall 5 s",
                "8x8, direct, seed 1, wall 5 s"
            ]
        );
        let all = DECISION
            .replace("[1]", "[1, 2]")
            .replace(
                "= 5",
                "= 5\ncpu_limit = 4.5\nmemory_limit = '2G'\nsearches = ['backtrack']",
            )
            .replace("\"8x8\"", "\"8x8 open from c3\"");
        let keys = keys(&all);
        assert_eq!(keys.len(), 2 * 3 * 2);
        assert_eq!(
            keys[11],
            "8x8 open from c3, backtrack, seed 2, wall 5 s, cpu 4.5 s, memory 2147483648 bytes"
        );
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (from, to, message) in [
            (
                "\"8x8\"",
                "\"8y8\"",
                "line 9: '8y8' is neither a board, ROWSxCOLUMNS such as 8x8, nor a file with a graph",
            ),
            (
                "\"direct\"",
                "\"dirct\"",
                "line 10: there is no encoding 'dirct': did you mean direct? There are direct, unary, binary",
            ),
            (
                "\"direct\"",
                "\"binary+widows=full\"",
                "line 10: there is no refinement 'widows': did you mean windows? There are ",
            ),
            (
                "\"8x8\"",
                "\"8x8 opne\"",
                "line 9: '8x8 opne' is neither a board, ROWSxCOLUMNS such as 8x8, nor a file with a graph: did you mean \
                 '8x8 open'?",
            ),
            (
                "seeds",
                "sedes",
                "line 5: there is no key 'sedes': did you mean seeds? There are kind, title, about, cells",
            ),
            (
                "title = \"t\"",
                "title = 7",
                "line 3: 7 stands where text in quotation marks has to be",
            ),
            ("title = \"t\"", "", "line 1: the key 'title' is missing"),
            (
                "[1]",
                "[-1]",
                "line 5: -1 stands where a whole number from 0 to 4294967295 has to be",
            ),
            (
                "[1]",
                "[99999999999999999999]",
                "line 5: 99999999999999999999 stands where a whole number",
            ),
            ("[1]", "3", "line 5: 3 stands where a list has to be"),
            ("seeds = [1]", "seeds = []", "seeds must not be empty"),
            (
                "\"decision\"",
                "\"decide\"",
                "line 2: there is no kind of experiment 'decide'; there are sizes, decision, count",
            ),
            (
                "[cells]",
                "[cells]\nstart = \"h8\"",
                "square h8 is not on the 6x6 board",
            ),
            (
                "\"6x6\"",
                "\"6x6 from b1\"\n]\nstart = \"a1\"\nencodings = [] #",
                "'6x6 from b1' says its tours or start, and so do the keys beside it",
            ),
            ("\"6x6\"", "\"0x5\"", "line 9: board 0x5 has no squares"),
            ("\"6x6\"", "\"8x8\"", "boards has 8x8 twice"),
            ("\"6x6\"", "\"8x8 from a1\"", "boards has 8x8 twice"),
            ("[1]", "[1, 2, 1]", "seeds has 1 twice"),
            (
                "[1]",
                "[3000000000]",
                "seed 3000000000 is past the solver's last one",
            ),
            (
                "= 5",
                "= 0",
                "time_limit must be a positive number of seconds",
            ),
            (
                "\"6x6\"",
                "\"999x999\"",
                "the unary encoding of 999x999 would need",
            ),
            (
                "[cells]",
                "claims = [{ says = \"x\", under = { encoding = \"binary\", seconds = 1.0 } }]\n[cells]",
                "the claim 'x' is about binary, which is not among the cells",
            ),
            (
                "[cells]",
                "claims = [{ says = \"x\" }]\n[cells]",
                "the claim 'x' must have one of",
            ),
        ] {
            let text = DECISION.replace(from, to);
            let text = match from == "\"6x6\"" && to.contains('#') {
                true => text.replace("        encodings = [\"unary\", \"direct\"]\n", ""),
                false => text,
            };
            let error = Plan::parse(&text, &Given::default()).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn counts_are_checked_before_they_are_run() {
        const COUNT: &str = r#"
            kind = "count"
            title = "t"
            seeds = [1, 2]
            time_limit = 5
            [[questions]]
            board = "6x6"
            [[questions.counts]]
            method = "exact"
            [[questions.counts]]
            method = "approxmc+project=paper:unary"
            published = 6400
        "#;
        assert_eq!(
            keys(COUNT),
            [
                "6x6, exact, seed 0, wall 5 s",
                "6x6, approxmc+project=paper:unary, seed 1, wall 5 s",
                "6x6, approxmc+project=paper:unary, seed 2, wall 5 s"
            ]
        );
        let open = COUNT.replace("\"6x6\"", "\"5x5\"\ntours = \"open\"");
        assert!(keys(&open)[0].starts_with("5x5 open from anywhere, exact,"));
        for (from, to, message) in [
            (
                "unary",
                "counting",
                "question 1: the paper has no projection set for the counting",
            ),
            ("6x6", "2x0", "line 7: board 2x0 has no squares"),
            (
                "\"exact\"",
                "\"guess\"",
                "line 9: there is no method 'guess'; there are direct",
            ),
            (
                "\"exact\"",
                "\"binary\"",
                "question 1: binary does not count",
            ),
            (
                "\"exact\"",
                "\"bdd\"",
                "question 1: the method bdd is not for tours",
            ),
            ("= 5", "= -1", "time_limit must be a positive number"),
            ("[1, 2]", "[]", "questions and seeds must not be empty"),
            (
                "published = 6400",
                "[[questions]]\nboard = \"6x6\"\nstart = \"0\"\ncounts = []",
                "questions has 6x6 twice",
            ),
            (
                "\"6x6\"",
                "\"6x6\"\ntours = \"open\"\nstart = \"h1\"",
                "question 1: square h1 is not on the 6x6 board",
            ),
            (
                "published = 6400",
                "orientation = \"left\"",
                "line 12: there is no key 'orientation'; there are method, seeds",
            ),
        ] {
            let error = Plan::parse(&COUNT.replace(from, to), &Given::default()).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
