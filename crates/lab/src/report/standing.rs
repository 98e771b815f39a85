//! Standings of solvers: the number of solved runs, PAR2, and the geometric mean.
//!
//! - PAR2 is the mean time; an unsolved run counts as twice its limit.
//! - The geometric mean counts an unsolved run as its limit. Times below a floor, such as a millisecond, count as the
//!   floor.
//!
//! # References
//!
//! - Nils Froleyks, Marijn Heule, Markus Iser, Matti Järvisalo, Martin Suda: *SAT Competition 2020*, Artificial
//!   Intelligence 301, 2021.

use std::cmp::Ordering;

use hamcnf_graph::Named;

use super::median::{Figure, seconds};
use crate::experiment::times::Time;
use hamcnf_methods::record::{Record, Status};

/// Result of a solver's run on a question, with the value of one measure, such as CPU seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Run {
    /// The question was solved in this number of seconds, or with this value of another measure.
    Solved(f64),
    /// The question was not solved.
    Unsolved {
        why: &'static str,
        /// Limit in seconds, or in the unit of another measure; infinite if there is no limit.
        limit: f64,
    },
    /// The run was refused: the external program does not support the question, or is not installed.
    Refused,
    /// No run, or a run with an unknown figure.
    Absent,
}

impl Run {
    /// Returns the result of a record, given a figure of the run and the limit on this figure. An answer with an
    /// unknown figure counts as absent.
    pub fn by(record: &Record, figure: Option<f64>, limit: Option<f64>) -> Self {
        match (record.status, figure) {
            (Status::Refused, _) if record.asked.method.engine().is_some() => Self::Refused,
            (status, Some(figure)) if status.is_answer() => Self::Solved(figure),
            (status, None) if status.is_answer() => Self::Absent,
            (status, _) => Self::Unsolved { why: status.as_str(), limit: limit.unwrap_or(f64::INFINITY) },
        }
    }

    /// Returns the result of a run that was measured elsewhere. A time beyond `limit` counts as unsolved.
    pub fn elsewhere(time: Option<Time>, limit: f64) -> Self {
        match time {
            None => Self::Absent,
            Some(Time::Seconds(seconds)) if seconds <= limit => Self::Solved(seconds),
            Some(_) => Self::Unsolved { why: "timeout", limit },
        }
    }

    /// Returns the time, or the value of another measure, if the question was solved.
    pub fn solved(self) -> Option<f64> {
        match self {
            Self::Solved(time) => Some(time),
            _ => None,
        }
    }

    /// Returns the value if the question was solved, and the limit as a lower bound if it was not; `None` if there is
    /// neither.
    pub fn figure(self) -> Option<Figure> {
        match self {
            Self::Solved(value) => Some(Figure::Is(value)),
            Self::Unsolved { limit, .. } if limit.is_finite() => Some(Figure::Exceeds(limit)),
            _ => None,
        }
    }

    /// Returns the limit if the question was not solved; infinite if there is no limit.
    pub fn limit(self) -> Option<f64> {
        match self {
            Self::Unsolved { limit, .. } => Some(limit),
            _ => None,
        }
    }

    /// Formats the result for a cell of a table.
    pub fn cell(self) -> String {
        match self {
            Self::Solved(time) => seconds(time),
            Self::Unsolved { why, .. } => why.to_owned(),
            Self::Refused => "refused".to_owned(),
            Self::Absent => String::new(),
        }
    }
}

/// Compares the times of two runs; `None` if it is unknown which run was faster. An unsolved run is known to be slower
/// only if the other run was solved within the limit of the unsolved run. Times below the floor count as equal.
pub fn sooner(a: Run, b: Run, floor: f64) -> Option<Ordering> {
    let floored = |time: f64| time.max(floor);
    match (a, b) {
        (Run::Solved(a), Run::Solved(b)) => Some(floored(a).total_cmp(&floored(b))),
        (Run::Solved(a), Run::Unsolved { limit, .. }) => (a <= limit).then_some(Ordering::Less),
        (Run::Unsolved { limit, .. }, Run::Solved(b)) => (b <= limit).then_some(Ordering::Greater),
        _ => None,
    }
}

/// Results of all runs of a solver or a method.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing(pub Vec<Run>);

impl Standing {
    /// Returns the times (or values of another measure) of solved runs in increasing order.
    pub fn times(&self) -> Vec<f64> {
        let mut times: Vec<_> = self.0.iter().filter_map(|run| run.solved()).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// Returns the number of runs that were neither refused nor absent.
    pub fn asked(&self) -> usize {
        self.0.iter().filter(|run| !matches!(run, Run::Refused | Run::Absent)).count()
    }

    fn limits(&self) -> impl Iterator<Item = f64> {
        self.0.iter().filter_map(|run| run.limit())
    }

    /// Returns PAR2, the mean time; `None` without runs. An unsolved run counts as twice its limit.
    pub fn par2(&self) -> Option<f64> {
        let late: f64 = self.limits().map(|limit| 2.0 * limit).sum();
        let sum = self.times().iter().sum::<f64>() + late;
        (self.asked() > 0).then(|| sum / self.asked() as f64)
    }

    /// Returns the geometric mean; `None` without runs. An unsolved run counts as its limit. A time below the floor
    /// counts as the floor.
    pub fn geometric_mean(&self, floor: f64) -> Option<f64> {
        let logs = self.times().into_iter().chain(self.limits()).map(|time| time.max(floor).ln()).sum::<f64>();
        (self.asked() > 0).then(|| (logs / self.asked() as f64).exp())
    }

    /// Returns the sort key of the solver: the share of unsolved runs, and then the geometric mean.
    pub fn rank(&self) -> Rank {
        let asked = self.asked().max(1) as f64;
        let mean = self.geometric_mean(f64::MIN_POSITIVE);
        Rank(1.0 - self.times().len() as f64 / asked, mean.unwrap_or(f64::INFINITY))
    }

    /// Returns the number of runs that were solved within the given number of seconds.
    pub fn within(&self, seconds: f64) -> usize {
        self.times().iter().filter(|time| **time <= seconds).count()
    }
}

/// Sort key of a solver. Better solvers have smaller keys.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rank(f64, f64);

impl Rank {
    /// Compares two keys. The key of the better solver is less.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.total_cmp(&other.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Run = Run::Unsolved { why: "timeout", limit: 10.0 };

    #[test]
    fn figures_count_what_was_not_answered() {
        let some = Standing(vec![Run::Solved(4.0), LATE, Run::Solved(0.0), Run::Absent]);
        assert_eq!(some.times(), [0.0, 4.0]);
        assert_eq!((some.asked(), some.within(3.9), some.within(4.0)), (3, 1, 2));
        assert_eq!(some.par2(), Some(8.0));
        // The cube root of 4 · 10 · 0.001.
        let mean = some.geometric_mean(0.001).unwrap();
        assert!((mean - 0.04_f64.cbrt()).abs() < 1e-9, "{mean}");
        let none = Standing(vec![Run::Absent]);
        assert_eq!((none.par2(), none.geometric_mean(0.001)), (None, None));
        // Without unsolved runs, no limit is needed for the mean.
        assert_eq!(Standing(vec![Run::Solved(2.0)]).par2(), Some(2.0));
    }

    #[test]
    fn who_was_sooner_is_said_only_where_it_is_known() {
        use Ordering::{Equal, Greater, Less};
        let at = Run::Solved;
        assert_eq!(sooner(at(1.0), at(2.0), 0.001), Some(Less));
        assert_eq!(sooner(at(0.0002), at(0.0004), 0.001), Some(Equal));
        assert_eq!(sooner(LATE, at(9.0), 0.001), Some(Greater));
        // With the same limit, the unsolved run might have been faster.
        assert_eq!(sooner(LATE, at(50.0), 0.001), None);
        assert_eq!(sooner(LATE, LATE, 0.001), None);
        assert_eq!(sooner(at(1.0), Run::Refused, 0.001), None);
    }

    #[test]
    fn times_from_elsewhere_are_held_to_the_limit() {
        let at = |time| Run::elsewhere(time, 10.0);
        assert_eq!(at(Some(Time::Seconds(10.0))), Run::Solved(10.0));
        assert_eq!(at(Some(Time::Seconds(11.0))), LATE);
        assert_eq!(at(Some(Time::TimeOut)), LATE);
        assert_eq!(at(None), Run::Absent);
    }
}
