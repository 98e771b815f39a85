//! How solvers stand: how much each has answered, PAR2 and the geometric mean.
//!
//! - PAR2: the mean time, where a question that was not answered counts as twice its limit.
//! - The geometric mean counts it as the limit, and less than a millisecond as one.
//!
//! # References
//!
//! - Nils Froleyks, Marijn Heule, Markus Iser, Matti Järvisalo, Martin Suda: *SAT Competition 2020*, Artificial Intelligence
//!   301, 2021.

use hamcnf_encodings::Named;

use super::median::seconds;
use crate::harness::plan::times::Time;
use crate::record::{Record, Status};

/// How a solver did on a question.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Run {
    /// It answered after so many seconds.
    Answered(f64),
    /// It did not.
    Unanswered {
        /// For this reason.
        why: &'static str,
        /// Seconds that it was allowed; infinite without a limit.
        limit: f64,
    },
    /// It was not asked: another program that is not made for such a question, or not there.
    Refused,
    /// It was not asked.
    Absent,
}

impl Run {
    /// That of a record: CPU seconds of the process and what it started under a limit on these, and else seconds on the
    /// wall, as its limit is.
    #[must_use]
    pub fn of(record: &Record) -> Self {
        let time = match record.cpu_limit {
            Some(_) => record.cpu_seconds.or(record.wall_seconds),
            None => record.wall_seconds.or(record.cpu_seconds),
        };
        Self::lasting(record, time)
    }

    /// That of a record, by any of its times.
    #[must_use]
    pub fn lasting(record: &Record, time: Option<f64>) -> Self {
        match record.status {
            Status::Refused if record.method.engine().is_some() => Self::Refused,
            status if status.is_answer() => Self::Answered(time.unwrap_or(0.0)),
            status => Self::Unanswered {
                why: status.as_str(),
                limit: limit(record),
            },
        }
    }

    /// One that was measured elsewhere, under this limit.
    #[must_use]
    pub fn elsewhere(time: Option<Time>, limit: f64) -> Self {
        match time {
            None => Self::Absent,
            Some(Time::Seconds(seconds)) if seconds <= limit => Self::Answered(seconds),
            Some(_) => Self::Unanswered {
                why: "timeout",
                limit,
            },
        }
    }

    /// In a table.
    #[must_use]
    pub fn cell(self) -> String {
        match self {
            Self::Answered(time) => seconds(time),
            Self::Unanswered { why, .. } => why.to_owned(),
            Self::Refused => "refused".to_owned(),
            Self::Absent => String::new(),
        }
    }
}

/// Seconds that a run was allowed: of CPU time where that was limited, else on the wall; infinite without either.
#[must_use]
pub fn limit(record: &Record) -> f64 {
    let limit = record.cpu_limit.or(record.wall_limit);
    limit.unwrap_or(f64::INFINITY)
}

/// A solver with its runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// What it is called.
    pub name: String,
    /// One a question.
    pub runs: Vec<Run>,
}

impl Standing {
    /// Times of what it answered, in increasing order.
    #[must_use]
    pub fn times(&self) -> Vec<f64> {
        let answered = self.runs.iter().filter_map(|run| match run {
            Run::Answered(time) => Some(*time),
            _ => None,
        });
        let mut times: Vec<_> = answered.collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// How many questions it was asked.
    #[must_use]
    pub fn asked(&self) -> usize {
        let asked = self.runs.iter();
        asked
            .filter(|run| !matches!(run, Run::Refused | Run::Absent))
            .count()
    }

    fn limits(&self) -> impl Iterator<Item = f64> {
        self.runs.iter().filter_map(|run| match run {
            Run::Unanswered { limit, .. } => Some(*limit),
            _ => None,
        })
    }

    /// The mean time, unanswered ones counting twice their limit.
    #[must_use]
    pub fn par2(&self) -> Option<f64> {
        let late: f64 = self.limits().map(|limit| 2.0 * limit).sum();
        let sum = self.times().iter().sum::<f64>() + late;
        (self.asked() > 0).then(|| sum / self.asked() as f64)
    }

    /// The geometric mean, unanswered ones counting their limit.
    #[must_use]
    pub fn geometric_mean(&self) -> Option<f64> {
        let times = self.times().into_iter().chain(self.limits());
        let logs = times.map(|time| time.max(0.001).ln()).sum::<f64>();
        (self.asked() > 0).then(|| (logs / self.asked() as f64).exp())
    }

    /// How many it answers within so many seconds.
    #[must_use]
    pub fn within(&self, seconds: f64) -> usize {
        self.times().iter().filter(|time| **time <= seconds).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Run = Run::Unanswered {
        why: "timeout",
        limit: 10.0,
    };

    fn standing(runs: Vec<Run>) -> Standing {
        let name = String::new();
        Standing { name, runs }
    }

    #[test]
    fn figures_count_what_was_not_answered() {
        let runs = vec![Run::Answered(4.0), LATE, Run::Answered(0.0), Run::Absent];
        let some = standing(runs);
        assert_eq!(some.times(), [0.0, 4.0]);
        assert_eq!(
            (some.asked(), some.within(3.9), some.within(4.0)),
            (3, 1, 2)
        );
        assert_eq!(some.par2(), Some(8.0));
        // The cube root of 4 · 10 · 0.001.
        let mean = some.geometric_mean().unwrap();
        assert!((mean - 0.04_f64.cbrt()).abs() < 1e-9, "{mean}");
        let none = standing(vec![Run::Absent]);
        assert_eq!((none.par2(), none.geometric_mean()), (None, None));
        // Without a limit, what was answered has its mean all the same.
        assert_eq!(standing(vec![Run::Answered(2.0)]).par2(), Some(2.0));
    }

    #[test]
    fn times_from_elsewhere_are_held_to_the_limit() {
        let at = |time| Run::elsewhere(time, 10.0);
        assert_eq!(at(Some(Time::Seconds(10.0))), Run::Answered(10.0));
        assert_eq!(at(Some(Time::Seconds(11.0))), LATE);
        assert_eq!(at(Some(Time::TimeOut)), LATE);
        assert_eq!(at(None), Run::Absent);
    }
}
