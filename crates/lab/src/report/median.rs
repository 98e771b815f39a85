//! Figures of runs, which may be known only as lower bounds, and their medians.

use hamcnf_methods::record::Record;

/// Figure of a run: a value, or a lower bound if the run has no answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Figure {
    /// Value of a complete run.
    Is(f64),
    /// Lower bound: the value that the run had reached when it was stopped.
    Exceeds(f64),
}

impl Figure {
    /// Creates a figure from a value that was recorded in `record`. If the run has no answer, the value is only a lower
    /// bound. A missing value counts as 0. Encoding times may be complete although the run has no answer, so use
    /// [`encode_seconds`](Self::encode_seconds) for them.
    pub fn of(record: &Record, figure: Option<f64>) -> Self {
        if record.status.is_answer() { Self::Is(figure.unwrap_or(0.0)) } else { Self::Exceeds(figure.unwrap_or(0.0)) }
    }

    /// Returns the encoding time of a record. The time is complete if the solver has begun to search, whatever the
    /// result. If the run was killed, the time is unknown and the lower bound is 0.
    pub fn encode_seconds(record: &Record) -> Self {
        let counter = |name| record.statistics.get::<u64>(name);
        // At the deadline, encoding stops and the solver does not search.
        let searched = match (counter("conflicts"), counter("decisions")) {
            (None, None) => true,
            counters => counters != (Some(0), Some(0)),
        };
        match record.encode_seconds {
            Some(seconds) if searched || record.status.is_answer() => Self::Is(seconds),
            seconds => Self::Exceeds(seconds.unwrap_or(0.0)),
        }
    }

    /// True if the figure is only a lower bound.
    pub fn is_bound(self) -> bool {
        matches!(self, Self::Exceeds(_))
    }

    /// Returns the value or the lower bound.
    pub fn value(self) -> f64 {
        match self {
            Self::Is(value) | Self::Exceeds(value) => value,
        }
    }

    /// Returns the median; `None` without figures. For an even number of figures, this is the greater of the two middle
    /// figures.
    ///
    /// A figure that is only a lower bound may have any value from the bound upwards. If all these figures are equal to
    /// their bounds, the median has its least possible value. If all of them are infinite, it has its greatest possible
    /// value. If both values agree, the median is exact. Otherwise, the least possible value is a lower bound of it.
    pub fn median(figures: &[Self]) -> Option<Self> {
        let middle = |value: fn(&Self) -> f64| {
            let mut values: Vec<_> = figures.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        let lower = middle(|figure| figure.value())?;
        let upper = middle(|figure| if figure.is_bound() { f64::INFINITY } else { figure.value() });
        Some(if upper == Some(lower) { Self::Is(lower) } else { Self::Exceeds(lower) })
    }

    /// True if this figure is less than the other; `None` if the bounds do not decide this.
    pub fn less_than(self, other: Self) -> Option<bool> {
        match (self, other) {
            (Self::Is(a), Self::Is(b)) => Some(a < b),
            (Self::Is(a), Self::Exceeds(b)) if a < b => Some(true),
            (Self::Exceeds(a), Self::Is(b)) if b <= a => Some(false),
            _ => None,
        }
    }

    /// Formats the figure; `show` formats the number.
    pub fn show(self, show: impl Fn(f64) -> String) -> String {
        match self {
            Self::Is(value) => show(value),
            Self::Exceeds(value) => format!("≥ {}", show(value)),
        }
    }
}

/// Formats seconds with three significant digits, but not beyond milliseconds.
pub fn seconds(value: f64) -> String {
    match value {
        v if v >= 1e7 => format!("{v:.2e}"),
        v if v >= 100.0 => format!("{v:.0}"),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v if v > 0.0 && v < 0.0005 => "< 0.001".to_owned(),
        v => format!("{v:.3}"),
    }
}

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.show(seconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Figure::{Exceeds, Is};

    #[test]
    fn a_median_is_known_where_its_bounds_agree() {
        let of = Figure::median;
        assert_eq!(of(&[Is(3.0), Exceeds(60.0), Is(1.0)]), Some(Is(3.0)));
        assert_eq!(of(&[Exceeds(57.0), Exceeds(60.0), Is(1.0)]), Some(Exceeds(57.0)));
        // The run stopped at 2 s might have ended before or after 3 s.
        assert_eq!(of(&[Is(3.0), Exceeds(2.0), Is(1.0)]), Some(Exceeds(2.0)));
        assert_eq!(of(&[Is(1.0), Is(2.0)]), Some(Is(2.0)));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn bounds_are_compared_only_where_they_decide() {
        let (at, least) = (Is, Exceeds);
        assert_eq!(at(1.0).less_than(at(2.0)), Some(true));
        assert_eq!(at(1.0).less_than(least(60.0)), Some(true));
        assert_eq!(least(60.0).less_than(at(2.0)), Some(false));
        assert_eq!(least(60.0).less_than(least(60.0)), None);
        assert_eq!(at(70.0).less_than(least(60.0)), None);
        assert_eq!(least(1.0).less_than(at(2.0)), None);
    }

    #[test]
    fn seconds_have_three_digits() {
        assert_eq!([0.0123, 1.234, 12.34, 123.4].map(seconds), ["0.012", "1.23", "12.3", "123"]);
    }
}
