//! How solvers stand: how much each has answered, PAR2 and the geometric mean.
//!
//! - PAR2: the mean time, where a question that was not answered counts as twice its limit.
//! - The geometric mean counts it as the limit, and less than a floor, such as a millisecond, as that.
//!
//! # References
//!
//! - Nils Froleyks, Marijn Heule, Markus Iser, Matti Järvisalo, Martin Suda: *SAT Competition 2020*, Artificial Intelligence
//!   301, 2021.

use std::cmp::Ordering;

use hamcnf_encodings::Named;

use super::median::seconds;
use crate::experiment::times::Time;
use hamcnf_methods::record::{Record, Status};

/// How a solver did on a question.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Run {
    /// It answered after so many seconds.
    Solved(f64),
    /// It did not.
    Unsolved {
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
        let (time, limit) = match record.cpu_limit {
            Some(_) => (record.cpu_seconds.or(record.wall_seconds), record.cpu_limit),
            None => (
                record.wall_seconds.or(record.cpu_seconds),
                record.wall_limit,
            ),
        };
        Self::by(record, Some(time.unwrap_or(0.0)), limit)
    }

    /// That of a record by a figure of it, of which it was allowed so much. What is not known is no run.
    #[must_use]
    pub fn by(record: &Record, figure: Option<f64>, limit: Option<f64>) -> Self {
        match (record.status, figure) {
            (Status::Refused, _) if record.method.engine().is_some() => Self::Refused,
            (status, Some(figure)) if status.is_answer() => Self::Solved(figure),
            (status, None) if status.is_answer() => Self::Absent,
            (status, _) => Self::Unsolved {
                why: status.as_str(),
                limit: limit.unwrap_or(f64::INFINITY),
            },
        }
    }

    /// One that was measured elsewhere, under this limit.
    #[must_use]
    pub fn elsewhere(time: Option<Time>, limit: f64) -> Self {
        match time {
            None => Self::Absent,
            Some(Time::Seconds(seconds)) if seconds <= limit => Self::Solved(seconds),
            Some(_) => Self::Unsolved {
                why: "timeout",
                limit,
            },
        }
    }

    /// In a table.
    #[must_use]
    pub fn cell(self) -> String {
        match self {
            Self::Solved(time) => seconds(time),
            Self::Unsolved { why, .. } => why.to_owned(),
            Self::Refused => "refused".to_owned(),
            Self::Absent => String::new(),
        }
    }
}

/// Which of two runs was sooner, where that is known: one that was not answered was later only than what was by its limit.
/// What is less than the floor is not told apart.
#[must_use]
pub fn sooner(a: Run, b: Run, floor: f64) -> Option<Ordering> {
    let floored = |time: f64| time.max(floor);
    match (a, b) {
        (Run::Solved(a), Run::Solved(b)) => Some(floored(a).total_cmp(&floored(b))),
        (Run::Solved(a), Run::Unsolved { limit, .. }) => (a <= limit).then_some(Ordering::Less),
        (Run::Unsolved { limit, .. }, Run::Solved(b)) => (b <= limit).then_some(Ordering::Greater),
        _ => None,
    }
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
            Run::Solved(time) => Some(*time),
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
            Run::Unsolved { limit, .. } => Some(*limit),
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

    /// The geometric mean, unanswered ones counting their limit, and what is less than the floor as that.
    #[must_use]
    pub fn geometric_mean(&self, floor: f64) -> Option<f64> {
        let times = self.times().into_iter().chain(self.limits());
        let logs = times.map(|time| time.max(floor).ln()).sum::<f64>();
        (self.asked() > 0).then(|| (logs / self.asked() as f64).exp())
    }

    /// What it is ordered by among others: the share that it has not answered, then the geometric mean.
    #[must_use]
    pub fn rank(&self) -> Rank {
        let asked = self.asked().max(1) as f64;
        let mean = self.geometric_mean(f64::MIN_POSITIVE);
        Rank(
            1.0 - self.times().len() as f64 / asked,
            mean.unwrap_or(f64::INFINITY),
        )
    }

    /// How many it answers within so many seconds.
    #[must_use]
    pub fn within(&self, seconds: f64) -> usize {
        self.times().iter().filter(|time| **time <= seconds).count()
    }
}

/// How a solver stands among others: less is better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rank(f64, f64);

impl Rank {
    /// The order of two, the better first.
    #[must_use]
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.total_cmp(&other.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Run = Run::Unsolved {
        why: "timeout",
        limit: 10.0,
    };

    fn standing(runs: Vec<Run>) -> Standing {
        let name = String::new();
        Standing { name, runs }
    }

    #[test]
    fn figures_count_what_was_not_answered() {
        let runs = vec![Run::Solved(4.0), LATE, Run::Solved(0.0), Run::Absent];
        let some = standing(runs);
        assert_eq!(some.times(), [0.0, 4.0]);
        assert_eq!(
            (some.asked(), some.within(3.9), some.within(4.0)),
            (3, 1, 2)
        );
        assert_eq!(some.par2(), Some(8.0));
        // The cube root of 4 · 10 · 0.001.
        let mean = some.geometric_mean(0.001).unwrap();
        assert!((mean - 0.04_f64.cbrt()).abs() < 1e-9, "{mean}");
        let none = standing(vec![Run::Absent]);
        assert_eq!((none.par2(), none.geometric_mean(0.001)), (None, None));
        // Without a limit, what was answered has its mean all the same.
        assert_eq!(standing(vec![Run::Solved(2.0)]).par2(), Some(2.0));
    }

    #[test]
    fn who_was_sooner_is_said_only_where_it_is_known() {
        use Ordering::{Equal, Greater, Less};
        let at = Run::Solved;
        assert_eq!(sooner(at(1.0), at(2.0), 0.001), Some(Less));
        assert_eq!(sooner(at(0.0002), at(0.0004), 0.001), Some(Equal));
        assert_eq!(sooner(LATE, at(9.0), 0.001), Some(Greater));
        // It might have been sooner, had it been allowed as much.
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
