//! `count`: counts tours by the first exact method that applies. The count is 0 if a cheap infeasibility check finds an
//! obstruction. Otherwise the method counts boards and other graphs [part by part](parts), along frontiers or over tree
//! decompositions. Long narrow boards are counted by their transfer matrix. Symmetric tours are counted over the
//! quotient graph.

use super::histogram::CountTurns;
use super::sweep::obstructed;
use super::symmetric::CountSymmetric;
use super::{
    Advice, Enumerate, Exact, Field, Found, Method, MethodKind, Profile, Subsets, Together, Transfer, subsets, sweep,
    treewidth,
};
use crate::run::{Failure, Run, RunResult, Settings, Status, Wanted};
use hamcnf_count as count;
use hamcnf_count::parts::{self, Part};
use hamcnf_count::subsets::By;
use hamcnf_questions::{Question, Tours};

/// Exact count of tours by the first method that applies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AutoCount {
    /// Settings of the count along a frontier.
    pub along: Exact,
}

impl MethodKind for AutoCount {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count by the best method for a board, or for each part of a graph: obstruction, transfer, exact or treewidth";
        Profile { name: "count", summary, checks: true, compared: false, ..self.along.profile() }
    }

    fn advice(&self, question: &Question, status: Status) -> Vec<Advice> {
        self.along.advice(question, status)
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        self.along.settings()
    }

    fn with_clauses(&self, tours: &Tours, _: &Settings) -> Option<Method> {
        let along_quotient = CountSymmetric::for_question(tours, &self.along).map(Method::from);
        let by_turns = || CountTurns::for_question(tours, &self.along).map(Method::from);
        // An enumeration has neither checkpoints nor temporary files.
        let is_plain = self.along == Exact::default();
        along_quotient.or_else(by_turns).or_else(|| is_plain.then(|| Enumerate::default().into()))
    }

    fn faster(&self, tours: &Tours, run: &Run<'_>) -> Option<Method> {
        if run.settings().wanted != Wanted::One || self.along.checkpoint.is_some() {
            return None;
        }
        let instance = tours.instance();
        let asked = count::subsets::Subsets::new(instance, tours.ends()).ok()?;
        let by = asked.better(instance.graph(), run.memory())?;
        // An obstruction is a reason, which a count of 0 is not.
        obstructed(tours).is_none().then(|| Subsets { by }.into())
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let by_start = run.settings().wanted == Wanted::ByStart;
        if let Some(none) = obstructed(tours).filter(|_| !by_start) {
            return Ok(none);
        }
        if Transfer::is_better(tours) && !by_start && self.along.checkpoint.is_none() {
            let by_matrix = Transfer::default().run(tours, run)?;
            if !matches!(by_matrix.status, Status::Refused | Status::Memout) {
                return Ok(by_matrix);
            }
        }
        if by_start || self.along.checkpoint.is_some() { self.along.run(tours, run) } else { self.by_parts(tours, run) }
    }

    fn together(&self) -> Option<&dyn Together> {
        Some(self)
    }
}

impl AutoCount {
    /// Counts the tours part by part.
    fn by_parts(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let counted = self
            .along
            .reported(None, run, |options, show, _| parts::count(tours.instance(), tours.ends(), options, show));
        let counted = match counted {
            Ok(counted) => counted,
            Err(error) => return sweep::without(error, None),
        };
        let (count, mut parts) = (counted.count, counted.parts);
        if parts.len() == 1 {
            return Ok(match parts.remove(0) {
                Part::Frontier(mut exact) => {
                    exact.count = count;
                    sweep::counted(&exact, tours.instance())
                }
                Part::Tree(mut tree) => {
                    tree.count = count;
                    treewidth::counted(&tree)
                }
                Part::Subsets(mut table) => {
                    table.count = count;
                    subsets::counted(By::Table, &table)
                }
            });
        }
        let mut result = RunResult::default().with_value(Status::Count, &count);
        result.statistics.set("parts", parts.len());
        let widest = parts.iter().map(Part::width).max().unwrap_or(0);
        result.statistics.set("width", widest);
        result.how = match parts.len() {
            0 => "the reduction of the graph shows that there is no tour".to_owned(),
            parts => format!("exact, the product over {parts} parts of the graph, of width at most {widest}"),
        };
        Ok(result)
    }
}

impl Together for AutoCount {
    fn shares(&self, tours: &[&Tours]) -> bool {
        let open: Vec<_> = tours.iter().copied().filter(|tours| obstructed(tours).is_none()).collect();
        self.along.shares(&open)
    }

    fn run_together(&self, tours: &[&Tours], run: &Run<'_>, found: Found<'_>) -> Result<Option<RunResult>, Failure> {
        let mut open = Vec::new();
        for (k, tours) in tours.iter().enumerate() {
            if let Some(none) = obstructed(tours) { found(k, none) } else { open.push(k) }
        }
        let asked: Vec<_> = open.iter().map(|&k| tours[k]).collect();
        self.along.run_together(&asked, run, &mut |k, result| found(open[k], result))
    }
}
