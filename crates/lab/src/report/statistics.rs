//! Statistics of pairs of runs before and after a change: the factor by which a figure has grown, and its statistical
//! significance.
//!
//! - The *geometric mean* is the right mean of ratios, because swapping before and after inverts it.
//! - Its *confidence interval* is the exponentiated Student's t interval of the logarithms of the ratios. A bootstrap
//!   would not assume normally distributed logarithms. However, its coverage is too low with the usual five or ten
//!   pairs, and it needs random numbers. Student's t is exact for normally distributed logarithms, wider for few pairs,
//!   and deterministic.
//! - The *sign test* uses only the number of figures that have grown and the number of figures that have fallen. The
//!   test is exact and two-sided, and assumes nothing about the amounts. Equal pairs carry no information and are left
//!   out.
//!
//! # References
//!
//! - Philip J. Fleming, John J. Wallace: *How not to lie with statistics: the correct way to summarize benchmark
//!   results*, Communications of the ACM 29 (3), 1986: why the geometric mean.
//! - Student: *The probable error of a mean*, Biometrika 6 (1), 1908.
//! - W. J. Dixon, A. M. Mood: *The statistical sign test*, Journal of the American Statistical Association 41, 1946.

use std::fmt;

use puruspe::invbetai;
use serde::Serialize;

/// Probability that a confidence interval contains the true mean.
pub const CONFIDENCE: f64 = 0.95;

/// Geometric mean of ratios, with its confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct GeometricMean {
    /// Number of ratios.
    pub n: usize,
    pub mean: f64,
    /// Interval that contains the true mean with probability [`CONFIDENCE`]; `None` for a single ratio.
    pub interval: Option<Interval>,
}

/// Interval of real numbers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    pub lower: f64,
    pub upper: f64,
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} to {:.3}", self.lower, self.upper)
    }
}

impl GeometricMean {
    /// Returns the geometric mean of ratios, which must be positive and finite; `None` without ratios.
    pub fn of(ratios: &[f64]) -> Option<Self> {
        let n = ratios.len();
        if n == 0 {
            return None;
        }
        let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let mean = logs.iter().sum::<f64>() / n as f64;
        let half = (n > 1).then(|| {
            let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
            let freedom = (n - 1) as f64;
            (squares / freedom / n as f64).sqrt() * quantile(freedom)
        });
        Some(Self {
            n,
            mean: mean.exp(),
            interval: half.map(|half| Interval { lower: (mean - half).exp(), upper: (mean + half).exp() }),
        })
    }
}

/// Returns the value that |t| exceeds with probability 1 − [`CONFIDENCE`], where t has Student's distribution with
/// `freedom` degrees of freedom. The value is computed with the incomplete beta function: n/(n + t²) has the beta
/// distribution with parameters n/2 and 1/2.
fn quantile(freedom: f64) -> f64 {
    (freedom * (1.0 / invbetai(1.0 - CONFIDENCE, freedom / 2.0, 0.5) - 1.0)).sqrt()
}

/// Returns the two-sided p-value of the sign test. This is the probability that the numbers of grown and fallen figures
/// differ at least as much as `more` and `fewer`, if growing and falling are equally probable. The value is exact, and
/// 1 if both numbers are 0.
pub fn sign_test(more: usize, fewer: usize) -> f64 {
    let n = more + fewer;
    let least = more.min(fewer);
    if 2 * least == n {
        return 1.0;
    }
    // Logarithm of C(n, least) / 2^n, the most probable term of the tail. The other terms follow by their ratios.
    let first: f64 =
        (0..least).map(|i| ((n - i) as f64 / (i + 1) as f64).ln()).sum::<f64>() - n as f64 * std::f64::consts::LN_2;
    let (mut term, mut tail) = (1.0, 1.0);
    for k in (1..=least).rev() {
        term *= k as f64 / (n - k + 1) as f64;
        tail += term;
    }
    (2.0 * first.exp() * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // Ratios, their geometric mean, and the ends of its interval, computed with scipy 1.17.1. The interval is
    // scipy.stats.t.interval(0.95, n - 1, loc, scale) of the logarithms; loc is their numpy.mean, and scale is their
    // scipy.stats.sem.
    type Row = (&'static [f64], f64, f64, f64);
    const TABLE: [Row; 4] = [
        (&[1.1, 1.2], 1.1489125293076057, 0.6610166060001293, 1.996924113582317),
        (&[1.05, 0.97, 1.31, 1.0, 1.22], 1.1023472726436736, 0.9372583700549284, 1.296514972102869),
        (&[0.5, 2.0, 1.0, 4.0, 0.25, 8.0, 1.0], 1.3459001926323562, 0.4473437574987901, 4.049340799245897),
        (
            &[1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 1.1, 1.11, 1.12],
            1.0644401544195892,
            1.0417717941050717,
            1.0876017653310768,
        ),
    ];

    // From scipy 1.17.1: scipy.stats.binomtest(more, more + fewer).pvalue.
    const SIGNS: [(usize, usize, f64); 10] = [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 0, 0.0625),
        (0, 6, 0.03125),
        (8, 1, 0.0390625),
        (7, 3, 0.34375),
        (12, 12, 1.0),
        (60, 40, 0.05688793364098089),
        (700, 600, 0.00601579386104494),
        (3000, 2000, 1.300231000520533e-45),
    ];

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-9 * b.abs().max(1e-300)
    }

    #[test]
    fn means_and_intervals_are_those_of_another_program() {
        for (ratios, mean, lower, upper) in TABLE {
            let of = GeometricMean::of(ratios).unwrap();
            let interval = of.interval.unwrap();
            assert!(close(of.mean, mean), "{of:?}, {mean}");
            assert!(close(interval.lower, lower), "{of:?}, {lower}");
            assert!(close(interval.upper, upper), "{of:?}, {upper}");
        }
        assert_eq!(GeometricMean::of(&[]), None);
        let one = GeometricMean::of(&[2.0]).unwrap();
        assert_eq!((one.n, one.interval), (1, None));
        assert!(close(one.mean, 2.0));
        // Equal ratios leave no uncertainty.
        let same = GeometricMean::of(&[1.0; 4]).unwrap().interval.unwrap();
        assert_eq!((same.lower, same.upper), (1.0, 1.0));
    }

    #[test]
    fn quantiles_are_those_of_another_program() {
        // From scipy 1.17.1: scipy.stats.t.ppf(0.975, freedom).
        for (freedom, t) in [
            (1.0, 12.706204736174694),
            (2.0, 4.302652729749462),
            (3.0, 3.1824463052837078),
            (10.0, 2.228138851986274),
            (30.0, 2.0422724563012378),
            (100.0, 1.9839715185235518),
            (999.0, 1.9623414611334493),
            (5000.0, 1.9604385517065073),
            (100000.0, 1.9599877075346095),
        ] {
            assert!((quantile(freedom) / t - 1.0).abs() < 1e-9, "{freedom}: {} and {t}", quantile(freedom));
        }
    }

    #[test]
    fn sign_tests_are_those_of_another_program() {
        for (more, fewer, p) in SIGNS {
            assert!(close(sign_test(more, fewer), p), "{more}, {fewer}: {} and {p}", sign_test(more, fewer));
        }
    }

    proptest! {
        #[test]
        fn exchanging_before_and_after_inverts_all(
            ratios in prop::collection::vec(0.01f64..100.0, 2..30)
        ) {
            let of = GeometricMean::of(&ratios).unwrap();
            let inverse: Vec<f64> = ratios.iter().map(|ratio| 1.0 / ratio).collect();
            let other = GeometricMean::of(&inverse).unwrap();
            let (a, b) = (of.interval.unwrap(), other.interval.unwrap());
            let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
            prop_assert!(near(of.mean * other.mean, 1.0));
            prop_assert!(near(a.lower * b.upper, 1.0));
            prop_assert!(near(a.upper * b.lower, 1.0));
            let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            let most = ratios.iter().copied().fold(0.0, f64::max);
            prop_assert!(least * (1.0 - 1e-9) <= of.mean && of.mean <= most * (1.0 + 1e-9));
            prop_assert!(a.lower <= of.mean && of.mean <= a.upper);
        }

        #[test]
        fn a_unit_changes_nothing_but_the_mean(
            ratios in prop::collection::vec(0.01f64..100.0, 2..30), unit in 0.1f64..10.0
        ) {
            let of = GeometricMean::of(&ratios).unwrap();
            let scaled: Vec<f64> = ratios.iter().map(|ratio| unit * ratio).collect();
            let other = GeometricMean::of(&scaled).unwrap();
            let width = |of: GeometricMean| of.interval.map_or(0.0, |i| i.upper / i.lower);
            prop_assert!((other.mean / of.mean / unit - 1.0).abs() < 1e-9);
            prop_assert!((width(other) / width(of) - 1.0).abs() < 1e-6);
        }

        #[test]
        fn a_sign_test_is_a_sum_of_binomial_coefficients(more in 0usize..31, fewer in 0usize..31) {
            let n = (more + fewer) as u32;
            let choose = |k: u32| (0..k).fold(1u128, |c, i| c * u128::from(n - i) / u128::from(i + 1));
            let tail: u128 = (0..=more.min(fewer) as u32).map(choose).sum();
            let p = (2.0 * tail as f64 / (1u128 << n) as f64).min(1.0);
            prop_assert!((sign_test(more, fewer) / p - 1.0).abs() < 1e-10);
            prop_assert_eq!(sign_test(more, fewer), sign_test(fewer, more));
        }

        #[test]
        fn a_sign_test_of_many_is_a_probability(more in 0usize..5000, fewer in 0usize..5000) {
            let p = sign_test(more, fewer);
            prop_assert!((0.0..=1.0).contains(&p));
            // A more uneven split is less probable.
            prop_assert!(sign_test(more.max(fewer) + 1, more.min(fewer)) <= p);
        }
    }
}
