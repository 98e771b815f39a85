//! Count that the user requests: its options, its question and its method.

use std::fmt;
use std::time::{Duration, Instant};

use hamcnf::endpoints::Endpoints;
use hamcnf::limits::Limits;
use hamcnf::method::{Method, Transfer};
use hamcnf::question::Question;
use hamcnf::{Instance, TourKind};
use num_bigint::BigUint;

use super::Args;
use crate::cli::instance::tours_between;
use crate::cli::progress::Progress;

/// Requested count, with the data for printing its answer.
pub(super) struct Task<'a> {
    pub(super) args: &'a Args,
    pub(super) question: Question,
    pub(super) instance: Instance,
    pub(super) ends: Endpoints,
    pub(super) method: Method,
    pub(super) began: Instant,
    pub(super) progress: Progress,
}

impl Task<'_> {
    /// Returns the resource limits that the options set.
    pub(super) fn limits(&self) -> Limits {
        Limits {
            wall: self.args.time_limit.map(Duration::from_secs_f64),
            cpu: self.args.cpu.limit(),
            memory: self.args.memory.limit(),
            ..Limits::default()
        }
    }

    /// Returns the modulus of the answer; `None` for a count.
    pub(super) fn modulus(&self) -> Option<BigUint> {
        let transfer = self.method.kind::<Transfer>();
        let modulus = transfer.and_then(|transfer| transfer.modulus);
        let own = modulus.map(|modulus| modulus.get().into());
        own.or_else(|| self.args.modulus.clone())
    }

    /// Shows a phase of the count in the progress line.
    pub(super) fn show(&self, how_far: fmt::Arguments<'_>) {
        let name = self.instance.name();
        self.progress.begin(None, None, format_args!("{name}: {how_far}"));
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
        let has_reverse = self.instance.kind() == TourKind::Closed && !self.instance.is_directed();
        if has_reverse && self.args.directed { 2 } else { 1 }
    }

    /// Describes the tours that are counted. `one` is true if the count is 1, and `directed` if both directions count.
    pub(super) fn counted(&self, one: bool, directed: bool) -> String {
        let tours = tours_between(&self.instance, self.ends, one);
        let is_directed = directed || self.instance.is_directed() || self.ends != Endpoints::Closed;
        let directions = if is_directed { "directed" } else { "undirected" };
        format!("{tours}, {directions}")
    }
}
