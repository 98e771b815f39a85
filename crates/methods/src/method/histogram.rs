//! `histogram`: counts the tours by the value of a statistic, such as the number of obtuse angles; see
//! [`frontier::census`](hamcnf_count::frontier::census).

use std::sync::Arc;

use hamcnf_tours::constraint::Constraint;
use hamcnf_tours::{Tour, TourKind};
use num_bigint::BigUint;

use super::grammar::parsed;
use super::sweep::obstructed;
use super::sweep::{counted, disk_instead};
use super::{Advice, Class, Enumerate, Exact, Field, MethodKind, Profile, Setting};
use crate::run::{Details, Failure, Run, RunResult, Status};
use hamcnf_count::frontier::{self, census};
use hamcnf_count::statistic::Statistic;
use hamcnf_questions::{Question, Tours};

/// Exact count of the tours with each value of a statistic.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    pub of: Statistic,
    /// Settings of the sweep.
    pub along: Exact,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { of: Statistic::obtuse(), along: Exact::default() }
    }
}

impl MethodKind for Histogram {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count of the tours with each value of a statistic, along a frontier";
        Profile {
            boards_only: true,
            small_graphs: false,
            threads: true,
            try_hard: true,
            compared: false,
            ..Profile::new("histogram", summary, Class::Count).with_ends()
        }
    }

    fn advice(&self, _: &Question, status: Status) -> Vec<Advice> {
        let fewer = self.of.has_angles();
        let fewer = fewer.then(|| "a statistic of slopes, whose states are those of a count".into());
        let disk = disk_instead(status, self.along.scratch.as_deref());
        disk.into_iter().chain(fewer.into_iter().chain(["a smaller board".into()])).collect()
    }

    fn chosen(&self, _: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        vec![("of", self.of.to_string())]
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let summary = "statistic: acute, right, obtuse, straight, turns such as 0..89, slopes such as slope=1/2, or several with commas [default: obtuse]";
        let of = Setting::new("of", "STATISTIC", summary);
        let mut fields = vec![of.of(&mut self.of, &Statistic::obtuse(), parsed)];
        fields.extend(self.along.settings());
        fields
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        if tours.instance().is_trivial() {
            // The only tour is the open tour of a single square.
            let instance = tours.instance();
            let is_tour = Tour::check(instance, vec![instance.start()]).is_ok();
            let one = is_tour.then(|| (0, BigUint::from(1u32)));
            return Ok(self.counted(
                frontier::Exact {
                    count: u32::from(is_tour).into(),
                    by_value: one.into_iter().collect(),
                    ..frontier::Exact::default()
                },
                tours,
            ));
        }
        let name = format!("{tours} by {}", self.of);
        by_value((&self.of, &self.along), &name, tours, run, |exact| self.counted(exact, tours))
    }
}

impl Histogram {
    /// Returns the result of a completed count.
    fn counted(&self, exact: frontier::Exact, tours: &Tours) -> RunResult {
        let mut result = counted(&exact, tours.instance());
        for (value, tours) in &exact.by_value {
            result.statistics.set(&format!("tours.{value}"), tours);
        }
        result.with(Details::Histogram { of: self.of.clone(), exact })
    }
}

/// Counts the tours with each value of a statistic. `name` names the question in a folder of checkpoints, and `done`
/// converts a completed count to a result.
fn by_value(
    (of, along): (&Statistic, &Exact),
    name: &str,
    tours: &Tours,
    run: &Run<'_>,
    done: impl FnOnce(frontier::Exact) -> RunResult,
) -> Result<RunResult, Failure> {
    along.result(name, run, |options, show, warn| {
        census::histogram(tours.instance(), tours.ends(), of, options, show, warn).map(done)
    })
}

/// Exact count of the tours that satisfy a constraint on turns: the sum of a histogram's numbers of tours.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CountTurns {
    of: Statistic,
    /// Least and greatest value.
    values: (u32, u32),
    along: Exact,
}

impl CountTurns {
    /// Returns the method if the constraints of the question are one on turns and those that forbid moves.
    pub(super) fn for_question(tours: &Tours, along: &Exact) -> Option<Self> {
        let instance = tours.instance();
        let mut others = instance.constraints().iter();
        let (turns, number) = others.find_map(|constraint| constraint.turns())?;
        let is_forbidding =
            |constraint: &Arc<dyn Constraint>| constraint.forced().is_some_and(|forced| forced.is_empty());
        let restricting = instance.constraints().iter().filter(|&one| !is_forbidding(one));
        if restricting.count() > 1 || instance.is_directed() || instance.is_trivial() {
            return None;
        }
        // The ends of an open tour have no turn.
        let all = match instance.kind() {
            TourKind::Closed => instance.n(),
            TourKind::Open => instance.n() - 2,
        };
        Some(Self { of: Statistic::of_turns(turns), values: number.unwrap_or((all, all)), along: along.clone() })
    }
}

impl MethodKind for CountTurns {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count of the tours with some numbers of turns, along a frontier";
        Profile {
            constraints: true,
            threads: true,
            try_hard: true,
            compared: false,
            ..Profile::exact_count("histogram", summary)
        }
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        if let Some(none) = obstructed(tours) {
            return Ok(none);
        }
        let Self { of, values, along } = self;
        let result = by_value((of, along), &tours.to_string(), tours, run, |mut exact| {
            exact.count = exact.by_value.range(values.0..=values.1).map(|(_, tours)| tours).sum();
            counted(&exact, tours.instance())
        })?;
        let is_plain = *along == Exact::default();
        match result.status {
            Status::Refused | Status::Memout if is_plain => Enumerate::default().run(tours, run),
            _ => Ok(result),
        }
    }
}
