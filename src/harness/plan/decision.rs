//! Plans of kind `decision`: times to a tour, or to the proof that there is none.

use hamcnf_encodings::Encoding;
use serde::Deserialize;

use super::cells::{Cells, is_of};
use super::word::Word;
use super::{each_once, is_limit};
use crate::search::MethodName;
use crate::solve::Phases;

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
    /// Where the solver's initial phases come from; the solver where left out, whose own seed changes little on
    /// small boards.
    pub phases: Option<Word<Phases>>,
    /// Wall seconds a run may take, for encoding and solving together.
    pub time_limit: f64,
    /// Whether there are tours. An answer to the contrary fails the run.
    pub expect: Expect,
    /// What is published about these times, to be held against ours.
    #[serde(default)]
    pub claims: Vec<Claim>,
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
    pub faster: Option<[Word<Encoding>; 2]>,
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
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Under {
    /// The encoding.
    pub encoding: Word<Encoding>,
    /// The bound.
    pub seconds: f64,
}

impl DecisionPlan {
    /// What is wrong with it.
    pub(in crate::harness) fn check(&self) -> Result<(), String> {
        let cells = self.cells.all()?;
        if cells.is_empty() && self.searches.is_empty() {
            return Err(
                "there is nothing to run: encodings or searches must not be empty".to_owned(),
            );
        }
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
        is_limit(self.time_limit)?;
        for claim in &self.claims {
            if claim.under.is_some() == claim.faster.is_some() {
                return Err(format!(
                    "the claim '{}' must have one of 'under' and 'faster'",
                    claim.says
                ));
            }
            let under = claim.under.iter().map(|under| &under.encoding);
            for Word(name) in under.chain(claim.faster.iter().flatten()) {
                if !cells.iter().any(|cell| is_of(cell, name)) {
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
