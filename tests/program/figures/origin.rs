//! Origin of a figure: a selection of rows, a statistic of these rows, and a format.

use std::collections::BTreeSet;

use hamcnf::named;
use num_bigint::BigUint;
use serde::Deserialize;

use hamcnf::experiment::word::Word;
use hamcnf::method::Method;
use hamcnf::record::{Number, Record, Status};
use hamcnf::report::measure::Measure;
use hamcnf::report::median::{Figure, Median};
use hamcnf::report::standing::Standing;

/// Origin of a figure. If the question, method, seed or status is missing, rows with any value are selected.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Origin {
    /// Name of the experiment whose rows are used.
    pub(super) rows: String,
    question: Option<String>,
    /// Method of the rows. A vertex order that depends on the seed may be left out.
    method: Option<Word<Method>>,
    seed: Option<u64>,
    status: Option<Word<Status>>,
    /// Statistic that is computed from the rows.
    take: Word<Take>,
    /// Measure to which the statistic applies; CPU seconds if missing.
    of: Option<Word<Measure>>,
    /// Origin of the divisor, if the figure is a quotient.
    pub(super) over: Option<Box<Origin>>,
    /// Unit of the figure. The number from the rows is divided by the unit.
    unit: Option<f64>,
    /// Number of significant digits. By default, whole numbers have all digits and other numbers have two.
    digits: Option<usize>,
    /// True if the figure is written as a word, such as `three`.
    #[serde(default)]
    letters: bool,
}

/// Statistic of a set of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Take {
    /// Number of rows.
    Rows,
    /// Number of rows that were not refused. A run is refused, for example, if a program is missing.
    Asked,
    /// Number of solved rows.
    FinishedRun,
    /// Answer that all solved rows have in common.
    Answer,
    /// Value of the measure in the only row.
    Value,
    /// Minimum of the measure.
    Least,
    /// Maximum of the measure.
    Greatest,
    /// Median of the measure.
    Median,
    /// Geometric mean of the measure, computed by [`Standing`].
    GeometricMean,
    /// Time limit in seconds, which must be equal in all rows.
    Limit,
}

named!(Take, "statistic", {
    Rows => "rows",
    Asked => "asked",
    FinishedRun => "answered",
    Answer => "answer",
    Value => "value",
    Least => "least",
    Greatest => "greatest",
    Median => "median",
    GeometricMean => "geometric-mean",
    Limit => "limit",
});

impl Origin {
    /// Returns the formatted figure: a number computed from `self.rows`. If the figure is a quotient, the number is
    /// divided by a number computed from the rows of `self.over`.
    ///
    /// # Errors
    ///
    /// Reason, in words, why the figure cannot be computed.
    pub(super) fn figure<'r>(&self, rows: &impl Fn(&str) -> &'r [Record]) -> Result<String, String> {
        let number = self.number(rows(&self.rows))?;
        let number = match &self.over {
            Some(other) => quotient(&number, &other.number(rows(&other.rows))?),
            None => number,
        };
        let number = match self.unit {
            Some(unit) => Number::Real(number.as_f64() / unit),
            None => number,
        };
        let text = match (&number, self.digits) {
            (Number::Whole(whole), None) => whole.to_string(),
            (number, digits) => rounded(number.as_f64(), digits.unwrap_or(2).max(1))?,
        };
        match self.letters {
            true => in_letters(&text).ok_or_else(|| format!("{text} is not written in letters")),
            false => Ok(text),
        }
    }

    fn number(&self, rows: &[Record]) -> Result<Number, String> {
        let rows: Vec<_> = rows.iter().filter(|row| self.is_of(row)).collect();
        if rows.is_empty() {
            return Err("there are no such rows".to_owned());
        }
        let measure = self.of.clone().map_or(Measure::default(), |word| word.0);
        let standing = || Standing { name: String::new(), runs: rows.iter().map(|row| measure.run(row)).collect() };
        match self.take.0 {
            Take::Rows => return Ok(rows.len().into()),
            Take::Asked => return Ok(standing().asked().into()),
            Take::FinishedRun => return Ok(standing().times().len().into()),
            Take::GeometricMean => {
                let mean = standing().geometric_mean(measure.floor());
                let mean = mean.filter(|mean| mean.is_finite());
                return mean.map(Number::Real).ok_or("they have no mean".to_owned());
            }
            Take::Answer => return only(rows.iter().filter_map(|row| row.whole().cloned())),
            Take::Limit => {
                let limits = rows.iter().filter_map(|row| measure.limit(row));
                let limits: BTreeSet<_> = limits.map(|limit| limit.to_string()).collect();
                return match limits.first() {
                    Some(one) if limits.len() == 1 => one.parse().map(whole).map_err(unlikely),
                    _ => Err("their limits differ".to_owned()),
                };
            }
            Take::Value | Take::Least | Take::Greatest | Take::Median => {}
        }
        let mut figures = Vec::new();
        for row in &rows {
            let value = measure.of(row);
            figures.push(match value {
                Some(value) if measure.is_whole_at_a_limit() => Figure::Is(value),
                None if row.status.is_answer() => return Err(format!("they have no {measure}")),
                value => Figure::of(row, value),
            });
        }
        let is_open = |figures: &[Figure]| figures.iter().any(|f| matches!(f, Figure::Exceeds(_)));
        let values = figures.iter().map(|figure| figure.value());
        let found = match self.take.0 {
            Take::Value if figures.len() > 1 => {
                return Err(format!("there are {} such rows", figures.len()));
            }
            Take::Median => match Median::of(&figures) {
                Median::At(value) => Some(value),
                _ => None,
            },
            // The least value must be exact: a run that a limit ended might have taken longer.
            Take::Least => {
                let least = values.fold(f64::INFINITY, f64::min);
                figures.contains(&Figure::Is(least)).then_some(least)
            }
            _ => (!is_open(&figures)).then(|| values.fold(f64::NEG_INFINITY, f64::max)),
        };
        let found = found.ok_or("limits leave it open")?;
        Ok(if measure.is_time() { Number::Real(found) } else { whole(found) })
    }

    /// Returns true if the origin selects a row.
    fn is_of(&self, row: &Record) -> bool {
        let question = self.question.as_ref();
        question.is_none_or(|question| *question == row.question)
            && self.seed.is_none_or(|seed| seed == row.seed)
            && self.status.is_none_or(|status| status.0 == row.status)
            && (self.method.as_ref()).is_none_or(|method| is_run_of(row, &method.0))
    }
}

/// Returns true if a row is a run of a method, either exactly or with the vertex order of the row's seed.
fn is_run_of(row: &Record, method: &Method) -> bool {
    row.method == *method || row.method.without_order_of(row.seed) == *method
}

/// Returns the value that all numbers have in common; an error if they differ.
fn only(numbers: impl Iterator<Item = BigUint>) -> Result<Number, String> {
    let numbers: BTreeSet<_> = numbers.collect();
    match numbers.first() {
        Some(one) if numbers.len() == 1 => Ok(one.into()),
        Some(_) => Err("they have come to different numbers".to_owned()),
        None => Err("none of them has a number".to_owned()),
    }
}

/// Returns the quotient as a whole `Number` if both operands are whole and the division leaves no remainder, otherwise
/// as a decimal.
fn quotient(number: &Number, other: &Number) -> Number {
    let quotient = number.as_f64() / other.as_f64();
    match (number, other) {
        (Number::Whole(_), Number::Whole(_)) => whole(quotient),
        _ => Number::Real(quotient),
    }
}

/// Converts a number without a fraction to a whole number.
fn whole(value: f64) -> Number {
    match value.fract() == 0.0 && (0.0..9e15).contains(&value) {
        true => Number::from(value as u64),
        false => Number::Real(value),
    }
}

fn unlikely(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Returns a number as text, rounded to `digits` significant digits.
fn rounded(value: f64, digits: usize) -> Result<String, String> {
    let text = format!("{value:.*e}", digits - 1);
    let Some((Ok(_), Ok(exponent))) =
        text.split_once('e').map(|(digits, exponent)| (digits.parse::<f64>(), exponent.parse::<i32>()))
    else {
        return Err(format!("{value} is not to be written"));
    };
    // Parses the rounded text, so that the number is rounded only once.
    let value: f64 = text.parse().map_err(unlikely)?;
    let decimals = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
    Ok(format!("{value:.decimals$}"))
}

/// Returns a small number as a word; `None` if the number is too large.
fn in_letters(number: &str) -> Option<String> {
    const LETTERS: [&str; 13] =
        ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let number: usize = number.parse().ok()?;
    LETTERS.get(number).map(|&letters| letters.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf::limits::Limits;
    use std::time::Duration;

    fn row(seed: u64, method: &str, status: Status, seconds: f64) -> Record {
        let limits = Limits { cpu: Some(Duration::from_secs(10)), ..Limits::default() };
        let mut row = Record::new("8x8", "", &method.parse().unwrap(), seed, &limits);
        row.cpu_seconds = Some(seconds);
        row.clauses = Some(12161);
        row.ended(status, "")
    }

    fn rows() -> Vec<Record> {
        vec![
            row(0, "binary", Status::Tour, 1.0),
            row(1, "binary+order=seed-1", Status::Tour, 9.96),
            row(2, "binary+order=seed-2", Status::Timeout, 10.0),
            row(1, "binary+order=seed-2", Status::Tour, 0.5),
            row(0, "exact", Status::Tour, 3.0).with_value(Status::Count, 9862u64),
        ]
    }

    fn figure(origin: &str) -> Result<String, String> {
        let rows = rows();
        let origin: Origin = toml::from_str(&format!("rows = 'x'\n{origin}")).unwrap();
        origin.figure(&|_| rows.as_slice())
    }

    #[test]
    fn figures_are_statistics_of_the_rows_that_are_meant() {
        let binary = "method = 'binary'\ntake = ";
        let of = |take: &str| figure(&format!("{binary}{take}"));
        assert_eq!(of("'rows'").unwrap(), "3");
        assert_eq!(of("'answered'").unwrap(), "2");
        assert_eq!(of("'answered'\nletters = true").unwrap(), "two");
        assert_eq!(of("'limit'").unwrap(), "10");
        assert_eq!(of("'median'").unwrap(), "10");
        assert_eq!(of("'median'\ndigits = 3").unwrap(), "9.96");
        assert_eq!(of("'least'").unwrap(), "1.0");
        assert_eq!(of("'least'\ndigits = 1").unwrap(), "1");
        // The geometric mean is the cube root of 1 · 9.96 · 10.
        assert_eq!(of("'geometric-mean'\ndigits = 3").unwrap(), "4.64");
        assert_eq!(of("'value'\nof = 'clauses'\nseed = 1").unwrap(), "12161");
        assert_eq!(of("'median'\nof = 'clauses'\ndigits = 2").unwrap(), "12000");
        assert_eq!(of("'median'\nof = 'clauses'\nunit = 1000").unwrap(), "12");
        assert_eq!(of("'least'\nover = { rows = 'x', take = 'answer', method = 'exact' }").unwrap(), "0.00010");
        assert_eq!(figure("take = 'answer'\nstatus = 'count'").unwrap(), "9862");
        let halved = "take = 'answer'\nover = { rows = 'x', take = 'answered', method = 'binary' }";
        assert_eq!(figure(halved).unwrap(), "4931");
    }

    #[test]
    fn what_rows_do_not_say_is_no_figure() {
        for (origin, why) in [
            ("take = 'median'\nquestion = '9x9'", "there are no such rows"),
            ("take = 'greatest'\nmethod = 'binary'", "limits leave it open"),
            ("take = 'value'", "there are 5 such rows"),
            ("take = 'answer'\nmethod = 'binary'", "none of them has a number"),
            ("take = 'least'\nof = 'conflicts'", "they have no conflicts"),
            ("take = 'answer'\nletters = true", "9862 is not written in letters"),
        ] {
            assert_eq!(figure(origin).unwrap_err(), why, "{origin}");
        }
    }
}
