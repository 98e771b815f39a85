//! Count that the user requests: its options, its question and its method.

use std::time::Instant;

use hamcnf::TourKind;
use hamcnf::endpoints::Endpoints;
use hamcnf::limits::Limits;
use hamcnf::method::{Method, Transfer};
use hamcnf::question::{Question, Tours};
use num_bigint::BigUint;

use super::Args;
use crate::cli::instance::tours_between;

/// Requested count, with the data for printing its answer.
pub(super) struct Task<'a> {
    pub(super) args: &'a Args,
    pub(super) question: Question,
    pub(super) method: Method,
    pub(super) began: Instant,
}

impl Task<'_> {
    /// Returns the question, if it is about tours.
    pub(super) fn tours(&self) -> Option<&Tours> {
        match &self.question {
            Question::Tours(tours) => Some(tours),
            Question::Queens(_) => None,
        }
    }

    /// Returns the name of the board or graph, or the number of queens.
    pub(super) fn name(&self) -> String {
        self.tours().map_or_else(|| self.question.to_string(), |tours| tours.instance().name().to_owned())
    }

    /// Returns the name of the question, with the constraints of tours.
    pub(super) fn full_name(&self) -> String {
        let of_tours = |tours: &Tours| tours.instance().name_with_constraints();
        self.tours().map_or_else(|| self.question.to_string(), of_tours)
    }

    /// Returns the resource limits that the options set.
    pub(super) fn limits(&self) -> Limits {
        Limits { memory: self.args.memory.limit(), ..self.args.times.limits() }
    }

    /// Returns the modulus of the answer; `None` for a count.
    pub(super) fn modulus(&self) -> Option<BigUint> {
        let transfer = self.method.kind::<Transfer>();
        let modulus = transfer.and_then(|transfer| transfer.modulus);
        let own = modulus.map(|modulus| modulus.get().into());
        own.or_else(|| self.args.modulus.clone())
    }

    /// True if standard output is already used for other output.
    pub(super) fn stdout_is_taken(&self) -> bool {
        let args = self.args;
        let files = [&args.dot, &args.list, &args.certificate, &args.cnf];
        files.into_iter().flatten().any(|file| file.as_os_str() == "-")
    }

    /// Returns the factor that converts a method's count into the requested count: 2 if both directions of closed tours
    /// count. Methods count each closed tour once for both directions.
    pub(super) fn directions(&self) -> u32 {
        let has_reverse =
            |tours: &Tours| tours.instance().kind() == TourKind::Closed && !tours.instance().is_directed();
        if self.args.directed && self.tours().is_some_and(has_reverse) { 2 } else { 1 }
    }

    /// Describes the tours that are counted. `one` is true if the count is 1, and `directed` if both directions count.
    pub(super) fn counted(&self, one: bool, directed: bool) -> String {
        let Some(tours) = self.tours() else {
            return if one { "placement" } else { "placements" }.to_owned();
        };
        let (instance, ends) = (tours.instance(), tours.ends());
        let is_directed = directed || instance.is_directed() || ends != Endpoints::Closed;
        let directions = if is_directed { "directed" } else { "undirected" };
        format!("{}, {directions}", tours_between(instance, ends, one))
    }
}
