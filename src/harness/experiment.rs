//! Experiment files: what a table or figure of the paper needs, as data. Every file has a `kind`, which says
//! which of the [plans](super::plan) it is.

use std::fs;
use std::path::{Path, PathBuf};

use hamcnf_encodings::NoSuchName;
use serde::Deserialize;

use super::place::Place;
use super::plan::compare::ComparePlan;
use super::plan::count::CountPlan;
use super::plan::decision::DecisionPlan;
use super::plan::sizes::SizesPlan;

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

impl Plan {
    /// The boards and graphs that it is about.
    #[must_use]
    pub fn places(&self) -> Vec<&Place> {
        let cells = match self {
            Self::Sizes(plan) => &plan.cells.boards,
            Self::Decision(plan) => &plan.cells.boards,
            Self::Count(plan) => return plan.questions.iter().map(|q| &q.board.0.0).collect(),
            Self::Compare(plan) => {
                let boards = plan.questions.iter().flat_map(|q| &q.board);
                return boards.map(|board| &board.0.0).collect();
            }
        };
        cells.iter().map(|board| &board.0.0).collect()
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
        match self {
            Self::Sizes(plan) => plan.check(),
            Self::Decision(plan) => plan.check(),
            Self::Count(plan) => plan.check(),
            Self::Compare(plan) => plan.check(),
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::plan::cells::Cells;

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
        assert_eq!(named, ["unary", "direct"]);
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
                "line 9: '8y8' is neither a board, ROWSxCOLUMNS such as 8x8, nor a file with a graph",
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
                "question 1: the paper has no projection set for the counting",
            ),
            ("6x6", "2x0", "line 9: board 2x0 has no squares"),
            (
                "\"exact\"",
                "\"guess\"",
                "line 11: there is no method 'guess'; there are exact, sample",
            ),
            (
                "= 5",
                "= -1",
                "question 1: time_limit must be a positive number",
            ),
            ("[1, 2]", "[]", "questions and seeds must not be empty"),
            (
                "published = 6400",
                "[[questions]]\nboard = \"6x6\"\nstart = \"0\"\ncounts = []",
                "questions has 6x6 knight, closed tours, start a1 twice",
            ),
            (
                "\"6x6\"",
                "\"6x6\"\ntours = \"open\"\nstart = \"h1\"",
                "question 1: square h1 is not on the 6x6 board",
            ),
            (
                "published = 6400",
                "orientation = \"left\"",
                "line 16: there is no orientation 'left'; there are free, fixed",
            ),
            (
                "method = \"exact\"",
                "method = \"exact\"\norientation = \"fixed\"",
                "question 1: orientation is for an encoding, which is not there",
            ),
        ] {
            let error = Plan::parse(&COUNT.replace(from, to)).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
