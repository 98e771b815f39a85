//! Medians of figures of which some are known from below only.

use hamcnf_methods::record::Record;

/// A figure of a run: its value, or that it is larger than what was seen by the time limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Figure {
    /// Measured to the end.
    Is(f64),
    /// Censored: the run was stopped here.
    Exceeds(f64),
}

impl Figure {
    /// A figure of a record: a bound where that ended without an answer, 0 where it is not known how far it came.
    /// [`encode_seconds`](Self::encode_seconds) may be whole there.
    #[must_use]
    pub fn of(record: &Record, figure: Option<f64>) -> Self {
        match record.status.is_answer() {
            true => Self::Is(figure.unwrap_or(0.0)),
            false => Self::Exceeds(figure.unwrap_or(0.0)),
        }
    }

    /// The time for making the clauses. It is whole where the solver has begun, whatever came of that. Of a run that was
    /// ended from outside it is not known, and may be anything.
    #[must_use]
    pub fn encode_seconds(record: &Record) -> Self {
        let counter = |name| record.effort.get::<u64>(name);
        // At the deadline the rest of the clauses is left out, and nothing is searched.
        let searched = match (counter("conflicts"), counter("decisions")) {
            (None, None) => true,
            counters => counters != (Some(0), Some(0)),
        };
        match record.encode_seconds {
            Some(seconds) if searched || record.status.is_answer() => Self::Is(seconds),
            seconds => Self::Exceeds(seconds.unwrap_or(0.0)),
        }
    }

    /// The value or the bound.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Is(value) | Self::Exceeds(value) => value,
        }
    }
}

/// A median of figures, of which some may be known from below only.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Median {
    /// It is this.
    At(f64),
    /// It is this or more.
    AtLeast(f64),
    /// There are no figures.
    Unknown,
}

impl Median {
    /// The median; of an even number of figures the greater middle one.
    ///
    /// A censored figure lies anywhere from its bound on. The median over the bounds is therefore a lower
    /// bound, the one with censored figures at infinity an upper bound; where they agree that is it.
    #[must_use]
    pub fn of(figures: &[Figure]) -> Self {
        let middle = |value: fn(&Figure) -> f64| {
            let mut values: Vec<_> = figures.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied()
        };
        let lower = middle(|figure| match *figure {
            Figure::Is(value) | Figure::Exceeds(value) => value,
        });
        let upper = middle(|figure| match *figure {
            Figure::Is(value) => value,
            Figure::Exceeds(_) => f64::INFINITY,
        });
        match (lower, upper) {
            (Some(lower), Some(upper)) if lower == upper => Self::At(lower),
            (Some(lower), Some(_)) => Self::AtLeast(lower),
            _ => Self::Unknown,
        }
    }

    /// Whether this is less than the other; `None` where that is not known.
    #[must_use]
    pub fn less_than(self, other: Self) -> Option<bool> {
        match (self, other) {
            (Self::At(a), Self::At(b)) => Some(a < b),
            (Self::At(a), Self::AtLeast(b)) if a < b => Some(true),
            (Self::AtLeast(a), Self::At(b)) if b <= a => Some(false),
            _ => None,
        }
    }

    /// As text, the value through `show`.
    #[must_use]
    pub fn show(self, show: impl Fn(f64) -> String) -> String {
        match self {
            Self::At(value) => show(value),
            Self::AtLeast(value) => format!("≥ {}", show(value)),
            Self::Unknown => "no runs".to_owned(),
        }
    }
}

/// Seconds with three significant digits, as far as milliseconds go.
#[must_use]
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

impl std::fmt::Display for Median {
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
        let of = Median::of;
        assert_eq!(of(&[Is(3.0), Exceeds(60.0), Is(1.0)]), Median::At(3.0));
        assert_eq!(
            of(&[Exceeds(57.0), Exceeds(60.0), Is(1.0)]),
            Median::AtLeast(57.0)
        );
        // The run stopped at 2 s may have ended before 3 s or after.
        assert_eq!(of(&[Is(3.0), Exceeds(2.0), Is(1.0)]), Median::AtLeast(2.0));
        assert_eq!(of(&[Is(1.0), Is(2.0)]), Median::At(2.0));
        assert_eq!(of(&[]), Median::Unknown);
    }

    #[test]
    fn bounds_are_compared_only_where_they_decide() {
        let (at, least) = (Median::At, Median::AtLeast);
        assert_eq!(at(1.0).less_than(at(2.0)), Some(true));
        assert_eq!(at(1.0).less_than(least(60.0)), Some(true));
        assert_eq!(least(60.0).less_than(at(2.0)), Some(false));
        assert_eq!(least(60.0).less_than(least(60.0)), None);
        assert_eq!(at(70.0).less_than(least(60.0)), None);
        assert_eq!(least(1.0).less_than(at(2.0)), None);
    }

    #[test]
    fn seconds_have_three_digits() {
        assert_eq!(
            [0.0123, 1.234, 12.34, 123.4].map(seconds),
            ["0.012", "1.23", "12.3", "123"]
        );
    }
}
