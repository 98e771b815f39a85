//! Experiment files: what a table or figure of the paper needs, as data.
//!
//! Every file has a `kind`, which says which of the plans below it is. Words are those of the command line,
//! and what is left out is as in the paper's Table 1. Unknown keys are errors, so that a misspelt one does
//! not silently mean its default.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fmt, fs};

use hamcnf_encodings::{
    AtMostOne, Board, Encoding, EncodingName, Formula, Instance, Named, NoSuchName, Options,
    Projection, Pruning, Queens, TourKind,
};
use serde::Deserialize;

use super::cell::Cell;
use super::compare::Run;
use super::way::Way;
use crate::count::{Method, queens};
use crate::search::MethodName;

/// An experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The file's name without its ending; results are named after it.
    pub name: String,
    /// The file, as it was named by the user.
    pub file: PathBuf,
    /// What to do.
    pub plan: Plan,
}

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
}

/// A plan of kind `sizes`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizesPlan {
    #[serde(rename = "kind")]
    _kind: String,
    /// A heading for the report.
    pub title: String,
    /// Prose for the report.
    #[serde(default)]
    pub about: String,
    /// Which instances and encodings.
    pub cells: Cells,
    /// Figures published elsewhere, to stand beside ours.
    #[serde(default)]
    pub published: Vec<PublishedSize>,
}

/// A published size.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedSize {
    /// The board.
    pub board: Word<Board>,
    /// The encoding, with its published pruning.
    pub encoding: Word<EncodingName>,
    /// Its variables.
    pub variables: u64,
    /// Its clauses of two literals or more.
    pub clauses: u64,
}

/// A plan of kind `decision`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionPlan {
    #[serde(rename = "kind")]
    _kind: String,
    /// A heading for the report.
    pub title: String,
    /// Prose for the report.
    #[serde(default)]
    pub about: String,
    /// Which instances and encodings.
    pub cells: Cells,
    /// Searches without clauses, to stand beside the encodings.
    #[serde(default)]
    pub searches: Vec<Word<MethodName>>,
    /// The seeds; each cell is run once with each.
    pub seeds: Vec<u32>,
    /// Wall seconds a run may take, for encoding and solving together.
    pub time_limit: f64,
    /// Whether there are tours. An answer to the contrary fails the run.
    pub expect: Expect,
    /// What is published about these times, to be held against ours.
    #[serde(default)]
    pub claims: Vec<Claim>,
}

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
    /// The board.
    pub board: Word<Board>,
    /// Closed or open tours; closed where left out.
    pub tours: Option<Word<TourKind>>,
    /// The start's name or number; open tours are those from any square where left out.
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
    pub encoding: Option<Word<EncodingName>>,
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
    /// The message of a board without that start, or that is too small.
    pub fn instance(&self) -> Result<Instance, String> {
        let board = self.board.0;
        let start = self.start.as_deref().unwrap_or("a1");
        let start = board.square(start).map_err(|error| error.to_string())?;
        Instance::on_board(board, self.kind(), start).map_err(|error| error.to_string())
    }

    /// The question in words.
    #[must_use]
    pub fn name(&self) -> String {
        let (board, kind) = (self.board, self.kind());
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

    fn check(&self) -> Result<(), String> {
        if self.questions.is_empty() || self.seeds.is_empty() {
            return Err("questions and seeds must not be empty".to_owned());
        }
        for question in &self.questions {
            let instance = question.instance()?;
            for entry in &question.counts {
                each_once("seeds", self.seeds_of(entry))?;
                let limit = entry.time_limit.unwrap_or(self.time_limit);
                if !(limit > 0.0 && limit < 1e9) {
                    return Err("time_limit must be a positive number of seconds".to_owned());
                }
                let (Some(Word(name)), Some(Word(set))) = (entry.encoding, &entry.project) else {
                    continue;
                };
                let formula = Formula::new(Encoding::published(name), &instance);
                let formula = formula.map_err(|error| error.to_string())?;
                formula.project(set).map_err(|error| error.to_string())?;
            }
        }
        Ok(())
    }
}

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

    fn check(&self) -> Result<(), String> {
        self.runs()?;
        if self.questions.is_empty() {
            return Err("questions must not be empty".to_owned());
        }
        for question in &self.questions {
            each_once("methods", &question.methods)?;
            let limit = question.time_limit.unwrap_or(self.time_limit);
            if !(limit > 0.0 && limit < 1e9) {
                return Err("time_limit must be a positive number of seconds".to_owned());
            }
            let mut published = question.published.iter();
            if let Some(lost) = published.find(|p| !question.methods.contains(&p.method)) {
                return Err(format!(
                    "'{}' is about {}, which is not among the methods",
                    lost.says, lost.method
                ));
            }
        }
        Ok(())
    }
}

/// What answer a run has to give, if it gives one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// A tour.
    Tour,
    /// That there is none.
    NoTour,
}

/// A published statement about times, in a form that can be checked against medians.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The statement and where it stands.
    pub says: String,
    /// "This encoding takes less than `seconds` on every board."
    pub under: Option<Under>,
    /// "The first encoding is faster than the second."
    pub faster: Option<[Word<EncodingName>; 2]>,
    /// On how many boards it has to hold.
    #[serde(default)]
    pub on: On,
}

/// On how many boards a claim has to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    /// On all of them.
    #[default]
    All,
    /// On more than half.
    Most,
}

/// The bound of a claim.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Under {
    /// The encoding.
    pub encoding: Word<EncodingName>,
    /// The bound.
    pub seconds: f64,
}

/// Boards × encodings × prunings × at-most-one encodings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cells {
    /// The boards.
    pub boards: Vec<Word<Board>>,
    /// Closed or open tours; closed where left out.
    pub tours: Option<Word<TourKind>>,
    /// The start's name or number; `a1` where left out.
    pub start: Option<String>,
    /// The encodings.
    pub encodings: Vec<Word<EncodingName>>,
    /// Prunings; each encoding's published one where left out.
    #[serde(default)]
    pub prunings: Vec<Word<Pruning>>,
    /// At-most-one encodings; pairwise where left out.
    #[serde(default)]
    pub at_most_ones: Vec<Word<AtMostOne>>,
}

/// A word that is read by the type's own parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String", bound(deserialize = "T: FromWord"))]
pub struct Word<T>(pub T);

impl<T: fmt::Display> fmt::Display for Word<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Types with a parser of their own.
pub trait FromWord: std::str::FromStr<Err: std::fmt::Display> {}
impl<T: std::str::FromStr<Err: std::fmt::Display>> FromWord for T {}

impl<T: FromWord> TryFrom<String> for Word<T> {
    type Error = String;
    fn try_from(word: String) -> Result<Self, String> {
        word.parse()
            .map(Self)
            .map_err(|error: T::Err| error.to_string())
    }
}

/// Why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The file could not be read.
    #[error("cannot read {}: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file is not an experiment.
    #[error("{}: {message}", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// What is wrong, with its line.
        message: String,
    },
}

impl Experiment {
    /// Reads an experiment file, and checks everything in it that can be checked before running.
    ///
    /// # Errors
    ///
    /// [`ExperimentError`], naming the file and the line.
    pub fn read(file: &Path) -> Result<Self, ExperimentError> {
        let text = fs::read_to_string(file).map_err(|error| ExperimentError::Read {
            file: file.to_owned(),
            error,
        })?;
        let content = |message: String| ExperimentError::Content {
            file: file.to_owned(),
            message,
        };
        let name = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("experiment");
        let plan = Plan::parse(&text).map_err(content)?;
        Ok(Self {
            name: name.to_owned(),
            file: file.to_owned(),
            plan,
        })
    }
}

impl Plan {
    fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Kind {
            kind: String,
        }
        let one_line = |error: toml::de::Error| located(text, &error);
        let Kind { kind } = toml::from_str(text).map_err(one_line)?;
        let plan = match kind.as_str() {
            "sizes" => Self::Sizes(toml::from_str(text).map_err(one_line)?),
            "decision" => Self::Decision(toml::from_str(text).map_err(one_line)?),
            "count" => Self::Count(toml::from_str(text).map_err(one_line)?),
            "compare" => Self::Compare(toml::from_str(text).map_err(one_line)?),
            other => {
                return Err(NoSuchName {
                    of: "kind of experiment",
                    name: other.to_owned(),
                    known: "sizes, decision, count, compare".to_owned(),
                }
                .to_string());
            }
        };
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), String> {
        let cells = match self {
            Self::Sizes(plan) => &plan.cells,
            Self::Decision(plan) => &plan.cells,
            Self::Count(plan) => return plan.check(),
            Self::Compare(plan) => return plan.check(),
        };
        if cells.boards.is_empty() || cells.encodings.is_empty() {
            return Err("there are no cells: boards and encodings must not be empty".to_owned());
        }
        each_once("boards", &cells.boards)?;
        each_once("encodings", &cells.encodings)?;
        each_once("prunings", &cells.prunings)?;
        each_once("at_most_ones", &cells.at_most_ones)?;
        let encodings = cells.encodings();
        let mut all = Vec::new();
        for instance in cells.instances()? {
            for &encoding in &encodings {
                Formula::new(encoding, &instance).map_err(|error| error.to_string())?;
                all.push(Cell::new(&instance, encoding));
            }
        }
        match self {
            Self::Sizes(plan) => {
                let lost = plan
                    .published
                    .iter()
                    .find(|p| all.iter().all(|cell| !p.is_of(cell)));
                lost.map_or(Ok(()), |p| {
                    let (board, encoding) = (p.board.0, p.encoding.0);
                    Err(format!(
                        "published sizes of {encoding} on {board} are not among the cells"
                    ))
                })
            }
            Self::Decision(plan) => plan.check(&all),
            Self::Count(_) | Self::Compare(_) => Ok(()),
        }
    }
}

impl DecisionPlan {
    fn check(&self, cells: &[Cell]) -> Result<(), String> {
        const LAST_SEED: u32 = 2_000_000_000;
        if self.seeds.is_empty() {
            return Err("seeds must not be empty".to_owned());
        }
        each_once("seeds", &self.seeds)?;
        each_once("searches", &self.searches)?;
        if let Some(seed) = self.seeds.iter().find(|&&seed| seed > LAST_SEED) {
            return Err(format!(
                "seed {seed} is past the solver's last one, {LAST_SEED}"
            ));
        }
        if !(self.time_limit > 0.0 && self.time_limit < 1e9) {
            return Err("time_limit must be a positive number of seconds".to_owned());
        }
        for claim in &self.claims {
            if claim.under.is_some() == claim.faster.is_some() {
                return Err(format!(
                    "the claim '{}' must have one of 'under' and 'faster'",
                    claim.says
                ));
            }
            let under = claim.under.iter().map(|under| under.encoding);
            for Word(name) in under.chain(claim.faster.into_iter().flatten()) {
                if !cells.iter().any(|cell| is_published(cell, name)) {
                    return Err(format!(
                        "the claim '{}' is about {name} as published, which is not among the cells",
                        claim.says
                    ));
                }
            }
        }
        Ok(())
    }
}

impl PublishedSize {
    /// Whether it is a cell's size: a closed tour from the first square, with the published options.
    #[must_use]
    pub fn is_of(&self, cell: &Cell) -> bool {
        let (Word(board), Word(name)) = (self.board, self.encoding);
        cell.instance == board.to_string()
            && cell.tours == TourKind::Closed.to_string()
            && cell.start == "a1"
            && is_published(cell, name)
    }
}

/// Whether a cell has this encoding with its published options.
#[must_use]
pub fn is_published(cell: &Cell, name: EncodingName) -> bool {
    let Options {
        pruning,
        at_most_one,
    } = Encoding::published(name).options;
    cell.encoding == name.as_str()
        && cell.pruning == pruning.as_str()
        && cell.at_most_one == at_most_one.as_str()
}

/// Refuses a list that has an item twice.
fn each_once<T: PartialEq + fmt::Display>(list: &str, items: &[T]) -> Result<(), String> {
    let twice = items
        .iter()
        .enumerate()
        .find(|(k, item)| items[..*k].contains(item));
    twice.map_or(Ok(()), |(_, item)| Err(format!("{list} has {item} twice")))
}

/// A TOML error in one line: its message and where it is.
fn located(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', ", ");
    match error.span() {
        Some(span) => {
            let before = text.get(..span.start).unwrap_or(text);
            format!("line {}: {message}", before.matches('\n').count() + 1)
        }
        None => message,
    }
}

impl Cells {
    /// The instances, in the order of the file.
    ///
    /// # Errors
    ///
    /// The message of the first board that does not have the start, or is too small.
    pub fn instances(&self) -> Result<Vec<Instance>, String> {
        let kind = self.tours.map_or(TourKind::Closed, |word| word.0);
        let start = self.start.as_deref().unwrap_or("a1");
        let instance = |&Word(board): &Word<Board>| {
            let start = board.square(start).map_err(|error| error.to_string())?;
            Instance::on_board(board, kind, start).map_err(|error| error.to_string())
        };
        self.boards.iter().map(instance).collect()
    }

    /// The encodings with their options.
    #[must_use]
    pub fn encodings(&self) -> Vec<Encoding> {
        let mut all = Vec::new();
        for &Word(name) in &self.encodings {
            let published = Encoding::published(name);
            let prunings = or_default(&self.prunings, published.options.pruning);
            for &pruning in &prunings {
                for at_most_one in or_default(&self.at_most_ones, AtMostOne::Pairwise) {
                    let options = Options {
                        pruning,
                        at_most_one,
                    };
                    all.push(Encoding { name, options });
                }
            }
        }
        all
    }
}

fn or_default<T: Copy>(words: &[Word<T>], default: T) -> Vec<T> {
    if words.is_empty() {
        vec![default]
    } else {
        words.iter().map(|word| word.0).collect()
    }
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

    fn cells(plan: &Plan) -> &Cells {
        match plan {
            Plan::Decision(plan) => &plan.cells,
            _ => panic!("a decision plan"),
        }
    }

    #[test]
    fn what_is_left_out_is_as_published() {
        let plan = Plan::parse(DECISION).unwrap();
        let named: Vec<_> = cells(&plan)
            .encodings()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            named,
            [
                "unary, pruning as-published, at-most-one pairwise",
                "direct, pruning none, at-most-one pairwise"
            ]
        );
        let instances = cells(&plan).instances().unwrap();
        assert_eq!(
            instances[1].to_string(),
            "8x8 knight, closed tours, start a1"
        );
    }

    #[test]
    fn options_multiply() {
        let text = DECISION.to_owned()
            + "prunings = [\"none\", \"full\"]\nat_most_ones = [\"pairwise\", \"ladder\"]";
        assert_eq!(cells(&Plan::parse(&text).unwrap()).encodings().len(), 8);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (from, to, message) in [
            (
                "\"8x8\"",
                "\"8y8\"",
                "line 9: '8y8' is not a board: write ROWSxCOLUMNS, such as 8x8",
            ),
            (
                "\"direct\"",
                "\"dirct\"",
                "line 10: there is no encoding 'dirct'; there are direct, unary, binary, counting, step",
            ),
            ("seeds", "sedes", "line 5: unknown field `sedes`"),
            ("seeds = [1]", "seeds = []", "seeds must not be empty"),
            (
                "\"decision\"",
                "\"decide\"",
                "there is no kind of experiment 'decide'; there are sizes, decision, count",
            ),
            (
                "[cells]",
                "[cells]\nstart = \"h8\"",
                "square h8 is not on the 6x6 board",
            ),
            ("\"6x6\"", "\"1x1\"", "1x1 has 1 vertex"),
            ("\"6x6\"", "\"8x8\"", "boards has 8x8 twice"),
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
                "the claim 'x' is about binary as published, which is not among the cells",
            ),
            (
                "[cells]",
                "claims = [{ says = \"x\" }]\n[cells]",
                "the claim 'x' must have one of",
            ),
        ] {
            let error = Plan::parse(&DECISION.replace(from, to)).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn counts_are_checked_before_they_are_run() {
        const COUNT: &str = r#"
            kind = "count"
            title = "t"
            epsilon = 0.8
            delta = 0.2
            seeds = [1, 2]
            time_limit = 5
            [[questions]]
            board = "6x6"
            [[questions.counts]]
            method = "exact"
            [[questions.counts]]
            method = "approxmc"
            encoding = "unary"
            project = "paper"
            published = 6400
        "#;
        let Plan::Count(plan) = Plan::parse(COUNT).unwrap() else {
            panic!("a count plan");
        };
        assert_eq!(plan.questions[0].counts.len(), 2);
        assert_eq!(plan.seeds_of(&plan.questions[0].counts[1]), [1, 2]);
        for (from, to, message) in [
            (
                "unary",
                "counting",
                "the paper has no projection set for the counting",
            ),
            ("6x6", "2x0", "line 9: board 2x0 has no squares"),
            (
                "\"exact\"",
                "\"guess\"",
                "line 11: there is no method 'guess'; there are exact, sample",
            ),
            ("= 5", "= -1", "time_limit must be a positive number"),
            ("[1, 2]", "[]", "questions and seeds must not be empty"),
        ] {
            let error = Plan::parse(&COUNT.replace(from, to)).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
