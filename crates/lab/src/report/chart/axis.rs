//! Axes of charts: label, scale, range and ticks.

/// Scale of an axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Linear scale: equal differences have equal lengths.
    Linear,
    /// Logarithmic scale: equal ratios have equal lengths. Values must be positive.
    Log,
}

/// Axis of a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// Text beside the axis, which names the values and their unit.
    pub label: String,
    pub scale: Scale,
    /// Floor: smaller values are drawn at this value. `None` to draw every value at its true position.
    pub floor: Option<f64>,
    /// Minimum range of the axis, which is shown even if no value lies in it.
    pub at_least: Option<(f64, f64)>,
}

impl Axis {
    /// Creates an axis without a floor and without a minimum range.
    pub fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self { label: label.into(), scale, floor: None, at_least: None }
    }

    /// Returns the value at which `value` is drawn: the floor of the axis if `value` is less, otherwise `value`. `None`
    /// if the axis cannot show the value.
    pub fn place(&self, value: f64) -> Option<f64> {
        let value = self.floor.map_or(value, |floor| value.max(floor));
        (value.is_finite() && (self.scale == Scale::Linear || value > 0.0)).then_some(value)
    }

    /// Returns a range that contains the given values, with ticks.
    pub fn range(&self, values: impl Iterator<Item = f64>) -> Range {
        let seen = self.at_least.iter().flat_map(|&(from, to)| [from, to]);
        let places = values.chain(seen).filter_map(|value| self.place(value));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        // Without values, the range is arbitrary.
        let (low, high) = if low <= high { (low, high) } else { (1.0, 10.0) };
        match self.scale {
            Scale::Linear => Range::linear(low, high),
            Scale::Log => Range::log(low, high),
        }
    }
}

/// Range of an axis, with its ticks.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    scale: Scale,
    low: f64,
    high: f64,
    /// Values at which the axis has a label and the chart has a grid line.
    pub ticks: Vec<f64>,
}

impl Range {
    fn linear(low: f64, high: f64) -> Self {
        let low = low.min(0.0);
        let high = if high > low { high } else { low + 1.0 };
        let step = nice((high - low) / 5.0);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let ticks = (0..=(last - first) as u32).map(|k| (first + f64::from(k)) * step);
        Self { scale: Scale::Linear, low: first * step, high: last * step, ticks: ticks.collect() }
    }

    /// Creates a logarithmic range with ticks at powers of ten; if there are few of them, at 2 and 5 times these powers,
    /// too; if there are still few, at equal distances.
    fn log(low: f64, high: f64) -> Self {
        let margin = 1.15;
        let (low, high) = (low / margin, high * margin);
        let decades = (high / low).log10();
        let factors: &[f64] = if decades < 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        // Omits powers of ten whose labels would not fit.
        let every = (decades / 8.0).ceil().max(1.0) as i32;
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let ticks = (first..=last).filter(|decade| decade.rem_euclid(every) == 0).flat_map(|decade| {
            let power = power_of_ten(decade);
            factors.iter().map(move |factor| factor * power)
        });
        let mut ticks: Vec<f64> = ticks.filter(|tick| (low..=high).contains(tick)).collect();
        if ticks.len() < 3 {
            // Within a short range, ticks have equal distances.
            let step = nice((high - low) / 4.0);
            let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
            ticks = (first..=last).map(|k| k as f64 * step).collect();
        }
        Self { scale: Scale::Log, low, high, ticks }
    }

    /// Returns the position of a value along the axis: 0 at the beginning, 1 at the end.
    pub fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        }
    }

    /// Returns the least and the greatest value of the range.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }
}

/// Returns a power of ten. It is parsed from a text, so that a tick at 0.001 is exactly equal to the literal.
fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::NAN)
}

/// Rounds the distance between ticks to 1, 2, 5 or 10 times a power of ten.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = match step / power {
        f if f < 1.5 => 1.0,
        f if f < 3.5 => 2.0,
        f if f < 7.5 => 5.0,
        _ => 10.0,
    };
    factor * power
}

/// Formats the label of a tick: with up to six decimals, or in scientific notation if the value is very large or small.
pub fn label(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        v if (1e-4..1e6).contains(&v) => format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_owned(),
        _ => format!("{value:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_numbers_that_people_count_in() {
        let labels = |axis: &Axis, values: &[f64]| {
            axis.range(values.iter().copied()).ticks.iter().map(|&t| label(t)).collect::<Vec<_>>()
        };
        let log = Axis::new("s", Scale::Log);
        assert_eq!(labels(&log, &[0.001, 60.0]), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(labels(&log, &[3.0, 40.0]), ["5", "10", "20"]);
        assert_eq!(labels(&log, &[1e-3, 1e20]).len(), 8);
        assert_eq!(labels(&log, &[0.012, 0.018]), ["0.012", "0.014", "0.016", "0.018", "0.02"]);
        assert_eq!(labels(&log, &[7.0]), ["6.5", "7", "7.5", "8"]);
        let linear = Axis::new("n", Scale::Linear);
        assert_eq!(labels(&linear, &[3.0, 24.0]), ["0", "5", "10", "15", "20", "25"]);
        assert_eq!(labels(&linear, &[]), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(label(1e6), "1e6");
        assert_eq!(label(-2.5), "-2.5");
    }

    #[test]
    fn what_has_no_place_has_none() {
        let log = Axis::new("s", Scale::Log);
        assert_eq!(log.place(0.0), None);
        assert_eq!(log.place(f64::INFINITY), None);
        assert_eq!(Axis { floor: Some(0.001), ..log.clone() }.place(0.0), Some(0.001));
        let range = log.range([1.0, 100.0].into_iter());
        assert!((range.share(10.0) - 0.5).abs() < 1e-12);
        // The range is not empty even for a single value or no value.
        for values in [&[5.0][..], &[]] {
            let (low, high) = log.range(values.iter().copied()).ends();
            assert!(low < high);
        }
    }
}
