//! Histogram of a statistic: the number of tours with each value.
//!
//! Let f(x) be the sum of x^s over all tours, where s is the value of a local [statistic](crate::count::statistic). A sweep
//! along the frontier computes f(x) for one x, if the weight of a state is the sum of x^s over the partial tours that lead
//! to it. If the statistic depends on angles, the states also hold the classes of the first edges of the frontier vertices
//! with one edge (`arrivals`), and there are more states.
//!
//! 1. The tours are counted without the statistic.
//! 2. A sweep whose weights are sets of values finds the values s_1 < … < s_k that occur.
//! 3. Sweeps compute f(g^0), …, f(g^(k−1)) modulo a prime p, eight points at a time, where g = 3. The numbers g^(s_i) are
//!    different, so these equations for the k coefficients have one solution: a transposed Vandermonde system.
//! 4. The Chinese remainder theorem gives the coefficients from enough primes to exceed the count. Their sum must be the
//!    count.
//!
//! The alternative is a list of coefficients as the weight of each state. It needs one sweep, but weights of different
//! lengths, and memory for each value that a partial tour can have. Memory is the limit of a sweep.

use std::collections::BTreeMap;

use hamcnf_encodings::Instance;
use hamcnf_encodings::endpoints::Endpoints;
use num_bigint::BigUint;

use super::Progress;
use super::arrivals::{Arrivals, Corners};
use super::completable::Completable;
use super::degrees::Degrees;
use super::exact::{self, ExactError, Options};
use super::layer::{Layer, Weighting};
use super::matching::Matching;
use super::moves::Choice;
use super::pass::Pass;
use super::sweep::{Sweep, TooWide};
use super::weight::Weight;
use crate::budget::Budget;
use crate::count::modular::{add, inverse, minus, power, times};
use crate::count::statistic::{Measure, Statistic};

/// Number of tours with each value of a statistic, with statistics of the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// Number of tours by value. Values without tours are left out.
    pub tours: BTreeMap<u32, BigUint>,
    /// Number of all tours.
    pub count: BigUint,
    /// Number of sweeps, with the sweep that counts.
    pub sweeps: usize,
    /// Largest number of states on one frontier.
    pub peak_states: usize,
    /// Largest number of bytes that states occupied at one time.
    pub peak_bytes: u64,
    /// Number of states generated in all sweeps, before equal states were merged.
    pub generated: u64,
    /// Number of vertices on the widest frontier.
    pub width: usize,
}

/// Reason why a histogram was not completed.
#[derive(Debug, thiserror::Error)]
pub enum CensusError {
    #[error("a histogram needs the squares of a board, but {0} is a graph")]
    NoBoard(String),
    #[error("{instance} has {n} squares, but histograms support at most {MOST_SQUARES}")]
    TooLarge { instance: String, n: usize },
    #[error(transparent)]
    Exact(#[from] ExactError),
    /// The results of different sweeps contradict each other, which only an error of the program explains.
    #[error("the histogram adds up to {sum}, but there are {count} tours")]
    Contradiction { sum: BigUint, count: BigUint },
}

/// Counts the tours of an instance by the value of a statistic. Calls `progress` before every vertex of each sweep, with
/// the number of completed sweeps and the number of all sweeps, as far as it is known.
///
/// # Errors
///
/// [`CensusError`] if the histogram was not completed.
pub fn histogram(
    instance: &Instance,
    ends: Endpoints,
    statistic: &Statistic,
    options: &Options,
    progress: &mut dyn FnMut(usize, Option<usize>, Progress),
) -> Result<Census, CensusError> {
    let Some(measure) = statistic.on(instance) else {
        return Err(CensusError::NoBoard(instance.name().to_owned()));
    };
    let n = instance.n() as usize;
    if n > MOST_SQUARES {
        return Err(CensusError::TooLarge {
            instance: instance.name().to_owned(),
            n,
        });
    }
    let options = &options.in_memory();
    let counted = exact::count(instance, ends, options, &mut |at| progress(0, None, at))?;
    let mut census = Census {
        tours: BTreeMap::new(),
        count: counted.count,
        sweeps: 1,
        peak_states: counted.peak_states,
        peak_bytes: counted.peak_bytes,
        generated: counted.generated,
        width: counted.width,
    };
    if census.count == BigUint::ZERO {
        return Ok(census);
    }
    let sweep = Sweep::new(instance, ends, u128::SLOTS).map_err(ExactError::TooWide)?;
    let sweep = match statistic.is_mirrored() {
        true => sweep,
        false => sweep.without_mirrors(),
    };
    let budget = options.budget();
    let completable = options.completable(&sweep, 0)?;
    let corners = match statistic.has_angles() {
        true => {
            let angle = |u, v, w| measure.of_angle(u, v, w);
            let corners = Corners::of(&sweep, &angle).ok_or_else(|| TooWide {
                instance: instance.to_string(),
                width: sweep.slots(),
                most: u128::SLOTS,
            });
            Some(corners.map_err(ExactError::TooWide)?)
        }
        false => None,
    };
    let mut run = Run {
        sweep: &sweep,
        completable: &completable,
        measure: &measure,
        corners: corners.as_deref(),
        budget,
        options,
        sweeps: None,
        progress,
        census: &mut census,
    };
    let values = run.values(n)?;
    let directions = ends.directions();
    // The coefficients of f are counts without directions.
    let cycles = &run.census.count / directions;
    let primes = (cycles.bits() as usize).div_ceil(60);
    let primes = PRIMES
        .get(..primes)
        .ok_or(ExactError::TooMany(60 * PRIMES.len()))?;
    run.sweeps = Some(run.census.sweeps + primes.len() * values.len().div_ceil(LANES));
    let mut coefficients = vec![BigUint::ZERO; values.len()];
    let mut modulus = BigUint::from(1u8);
    for prime in primes {
        let p = prime.modulus;
        let sums = (prime.evaluate)(&mut run, values.len())?;
        let nodes: Vec<_> = values.iter().map(|&s| power(BASE, s.into(), p)).collect();
        let residues = solved(&nodes, &sums, p);
        // The step of the Chinese remainder theorem: c + m·((r − c)/m mod p) is c modulo m and r modulo p.
        let of = |number: &BigUint| (number % p).iter_u64_digits().next().unwrap_or(0);
        let inverse = inverse(of(&modulus), p);
        for (known, residue) in coefficients.iter_mut().zip(residues) {
            let rest = times(minus(residue, of(known), p), inverse, p);
            *known += &modulus * rest;
        }
        modulus *= p;
    }
    census.tours = values
        .into_iter()
        .zip(coefficients.into_iter().map(|count| count * directions))
        .collect();
    let sum: BigUint = census.tours.values().sum();
    match sum == census.count {
        true => Ok(census),
        false => Err(CensusError::Contradiction {
            sum,
            count: census.count,
        }),
    }
}

/// The base g of the points at which f is computed. Its powers with exponents up to 2·[`MOST_SQUARES`] are different
/// modulo every prime of [`PRIMES`].
const BASE: u64 = 3;
/// Number of points per sweep.
const LANES: usize = 8;

/// Prime 2^61 − C, and the sweeps modulo this prime.
struct Prime {
    modulus: u64,
    evaluate: fn(&mut Run<'_>, usize) -> Result<Vec<u64>, ExactError>,
}

impl Prime {
    const fn new<const C: u64>() -> Self {
        Self {
            modulus: (1 << 61) - C,
            evaluate: |run, k| run.evaluate::<C>(k),
        }
    }
}

/// Largest primes below 2^61.
const PRIMES: [Prime; 10] = [
    Prime::new::<1>(),
    Prime::new::<31>(),
    Prime::new::<45>(),
    Prime::new::<229>(),
    Prime::new::<259>(),
    Prime::new::<283>(),
    Prime::new::<339>(),
    Prime::new::<391>(),
    Prime::new::<403>(),
    Prime::new::<465>(),
];

/// Solves Σ_j c_j·x_j^i = s_i for i = 0, …, k − 1 modulo p, where the x_j are the nodes. Let M be the product of all
/// (z − x_j). The quotient M/(z − x_j) vanishes at all other nodes, so its coefficients q_i give Σ_i q_i·s_i =
/// c_j·(M/(z − x_j))(x_j).
fn solved(nodes: &[u64], sums: &[u64], p: u64) -> Vec<u64> {
    // Coefficients of M from the lowest degree.
    let mut all = vec![1];
    for &x in nodes {
        all.insert(0, 0);
        for k in 0..all.len() - 1 {
            all[k] = minus(all[k], times(x, all[k + 1], p), p);
        }
    }
    let coefficient = |&x: &u64| {
        // Horner's rule gives the coefficients of the quotient from the highest degree.
        let (mut q, mut sum, mut value, mut x_power) = (0, 0, 0, 1);
        let mut quotient = vec![0; nodes.len()];
        for k in (0..nodes.len()).rev() {
            q = add(all[k + 1], times(q, x, p), p);
            quotient[k] = q;
        }
        for (&q, &s) in quotient.iter().zip(sums) {
            sum = add(sum, times(q, s, p), p);
            value = add(value, times(q, x_power, p), p);
            x_power = times(x_power, x, p);
        }
        times(sum, inverse(value, p), p)
    };
    nodes.iter().map(coefficient).collect()
}

/// Number of machine words of a set of values.
const WORDS: usize = 8;
/// Maximum number of squares of a board. A statistic has values up to twice this number, and all fit into a set.
const MOST_SQUARES: usize = 32 * WORDS - 1;

/// Set of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Values([u64; WORDS]);

impl Weight for Values {
    const ONE: Self = {
        let mut words = [0; WORDS];
        words[0] = 1;
        Self(words)
    };
    type Factor = u32;

    /// Adds a number below 64 to each value.
    #[inline]
    fn times(mut self, by: u32) -> Self {
        if by > 0 {
            let mut carry = 0;
            for word in &mut self.0 {
                (*word, carry) = (*word << by | carry, *word >> (64 - by));
            }
        }
        self
    }

    #[inline]
    fn add(&mut self, other: Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }
}

/// Values of a polynomial at [`LANES`] points, modulo the prime p = 2^61 − C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Lanes<const C: u64>([u64; LANES]);

impl<const C: u64> Lanes<C> {
    const P: u64 = (1 << 61) - C;

    #[inline]
    fn product(a: u64, b: u64) -> u64 {
        let low = |x: u128| x & ((1 << 61) - 1);
        let fold = |x: u128| low(x) + (x >> 61) * u128::from(C);
        // Below 2^61 + 2^70 after the first step, and below 2^61 + 2^19 after the second.
        let folded = fold(fold(u128::from(a) * u128::from(b))) as u64;
        if folded >= Self::P {
            folded - Self::P
        } else {
            folded
        }
    }
}

impl<const C: u64> Weight for Lanes<C> {
    const ONE: Self = Self([1; LANES]);
    type Factor = Self;

    #[inline]
    fn times(self, factor: Self) -> Self {
        if factor == Self::ONE {
            return self;
        }
        let mut product = self;
        for (a, b) in product.0.iter_mut().zip(factor.0) {
            *a = Self::product(*a, b);
        }
        product
    }

    #[inline]
    fn add(&mut self, other: Self) {
        for (a, b) in self.0.iter_mut().zip(other.0) {
            let sum = *a + b;
            *a = if sum >= Self::P { sum - Self::P } else { sum };
        }
    }
}

struct Run<'a> {
    sweep: &'a Sweep,
    completable: &'a Completable,
    measure: &'a Measure<'a>,
    /// Contributions of angles at each step, if the statistic depends on angles.
    corners: Option<&'a [Corners]>,
    budget: Budget,
    options: &'a Options,
    /// Number of all sweeps, if it is known.
    sweeps: Option<usize>,
    progress: &'a mut dyn FnMut(usize, Option<usize>, Progress),
    census: &'a mut Census,
}

/// Weights of the choices at one step.
struct OfStep<'a, F> {
    corners: Option<&'a Corners>,
    /// Contribution of the edge to each later neighbour.
    moves: Vec<u32>,
    /// Weight of each contribution.
    factors: &'a [F],
}

impl<F: Copy + Sync> Weighting<F> for OfStep<'_, F> {
    fn of(&self, degrees: Degrees, arrivals: Arrivals, choice: &Choice) -> (F, Arrivals) {
        let moves = choice.edges.into_iter().flatten();
        let moves: u32 = moves.map(|k| self.moves[k]).sum();
        let (angles, after) = match self.corners {
            Some(corners) => corners.after(degrees, arrivals, choice),
            None => (0, arrivals),
        };
        (self.factors[(moves + angles) as usize], after)
    }
}

/// Upper bound on the contribution of one step: two moves, and the angles at the vertex and at all neighbours on the
/// frontier.
const MOST_PER_STEP: u32 = 2 + 1 + u128::SLOTS as u32;

impl Run<'_> {
    /// Returns the values that occur, in increasing order. `n` is the number of squares.
    fn values(&mut self, n: usize) -> Result<Vec<u32>, ExactError> {
        let factors: Vec<u32> = (0..=MOST_PER_STEP).collect();
        let Values(set) = self.sum::<Values>(&factors, Values([0; WORDS]))?;
        let has = |&s: &u32| set[s as usize / 64] >> (s % 64) & 1 == 1;
        Ok((0..=2 * n as u32).filter(has).collect())
    }

    /// Returns f(g^0), …, f(g^(k−1)) modulo 2^61 − C.
    fn evaluate<const C: u64>(&mut self, k: usize) -> Result<Vec<u64>, ExactError> {
        let p = Lanes::<C>::P;
        let mut values = Vec::with_capacity(k + LANES);
        while values.len() < k {
            let mut points = [0; LANES];
            for (exponent, point) in (values.len() as u64..).zip(&mut points) {
                *point = power(BASE, exponent, p);
            }
            let factor = |e: u32| Lanes::<C>(points.map(|x| power(x, e.into(), p)));
            let factors: Vec<_> = (0..=MOST_PER_STEP).map(factor).collect();
            let Lanes(sums) = self.sum::<Lanes<C>>(&factors, Lanes([0; LANES]))?;
            values.extend(sums);
        }
        values.truncate(k);
        Ok(values)
    }

    /// Sums the weights of all tours.
    fn sum<C: Weight>(&mut self, factors: &[C::Factor], zero: C) -> Result<C, ExactError> {
        match self.sweep.slots() <= u64::SLOTS {
            true => self.sum_along::<u64, C>(factors, zero),
            false => self.sum_along::<u128, C>(factors, zero),
        }
    }

    fn sum_along<M: Matching, C: Weight>(
        &mut self,
        factors: &[C::Factor],
        zero: C,
    ) -> Result<C, ExactError> {
        let Self {
            sweep,
            measure,
            corners,
            sweeps,
            ..
        } = *self;
        let pass = Pass {
            sweep,
            completable: self.completable,
            options: self.options,
            budget: &self.budget,
        };
        let weights = |t: usize| {
            let step = sweep.step(t);
            let later = step.later.iter().map(|seat| seat.vertex);
            OfStep {
                corners: corners.map(|corners| &corners[t]),
                moves: later.map(|w| measure.of_move(step.vertex, w)).collect(),
                factors,
            }
        };
        let (layer, usage) = pass.run(weights, |at, _: &Layer<M, C>, _| {
            self.census.peak_states = self.census.peak_states.max(at.states);
            (self.progress)(self.census.sweeps, sweeps, at);
        })?;
        self.census.sweeps += 1;
        self.census.peak_bytes = self.census.peak_bytes.max(usage.peak());
        self.census.generated += usage.children();
        let mut sum = zero;
        layer.weights().for_each(|weight| sum.add(weight));
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact::tests::options;
    use super::*;
    use crate::count::enumerate;
    use hamcnf_encodings::{Board, Tour, TourKind, Vertex};

    fn instance(board: &str, kind: TourKind) -> (Instance, Endpoints) {
        let board: Board = board.parse().unwrap();
        let ends = match kind {
            TourKind::Closed => Endpoints::Closed,
            TourKind::Open => Endpoints::ANYWHERE,
        };
        let instance = Instance::on_board(board, kind, Vertex::new(0)).unwrap();
        (instance, ends)
    }

    fn of(board: &str, kind: TourKind, statistic: &str) -> Census {
        let (instance, ends) = instance(board, kind);
        let statistic = statistic.parse().unwrap();
        histogram(&instance, ends, &statistic, &options(), &mut |_, _, _| ()).unwrap()
    }

    /// Lists all tours by CaDiCaL, with the instance of each start.
    fn listed(board: &str, kind: TourKind) -> Vec<(Instance, Tour)> {
        let (instance, _) = instance(board, kind);
        let starts: Vec<_> = match kind {
            TourKind::Closed => vec![instance],
            TourKind::Open => {
                let vertices = instance.graph().vertices();
                vertices.map(|v| instance.starting_at(v).unwrap()).collect()
            }
        };
        let tours = starts.into_iter().flat_map(|start| {
            let options = crate::solve::Options::default();
            let found = enumerate::tours(&start, &options, &mut |_| ()).unwrap();
            assert!(found.complete);
            let tours = found.found.into_iter();
            tours.map(move |tour| (start.clone(), tour))
        });
        tours.collect()
    }

    fn check(board: &str, kind: TourKind, statistics: &[&str]) {
        let tours = listed(board, kind);
        assert!(!tours.is_empty(), "{board}");
        for statistic in statistics {
            let parsed: Statistic = statistic.parse().unwrap();
            let mut expected: BTreeMap<u32, BigUint> = BTreeMap::new();
            for (instance, tour) in &tours {
                let measure = parsed.on(instance).unwrap();
                let value = measure.of_tour(tour.order(), kind == TourKind::Closed);
                *expected.entry(value).or_default() += 1u32;
            }
            let census = of(board, kind, statistic);
            assert_eq!(census.tours, expected, "{board} {kind} {statistic}");
        }
    }

    const ANGLES: [&str; 5] = ["acute", "right", "obtuse", "straight", "0..89"];
    const SLOPES: [&str; 3] = ["slope=1/2", "slope=2/1,slope=2/-1", "slope=1/1,acute"];

    #[test]
    fn histograms_equal_listed_tours() {
        for (board, kind) in [
            ("5x6", TourKind::Closed),
            ("3x10", TourKind::Closed),
            ("3x4", TourKind::Open),
            ("king:3x4", TourKind::Closed),
            ("leaper:0,1+1,1+0,2:3x3", TourKind::Open),
        ] {
            check(board, kind, &ANGLES);
            check(board, kind, &SLOPES);
        }
    }

    #[test]
    #[ignore = "takes a minute"]
    fn histograms_of_larger_boards_equal_listed_tours() {
        for (board, kind) in [
            ("6x6", TourKind::Closed),
            ("4x5", TourKind::Open),
            ("5x5", TourKind::Open),
        ] {
            check(board, kind, &ANGLES);
            check(board, kind, &SLOPES);
        }
    }

    /// Tests the histogram of the 6x6 board. `turns 0..89=..9` has as many tours as the first entry says.
    #[test]
    fn angles_of_6x6_are_known() {
        let census = of("6x6", TourKind::Closed, "obtuse,straight");
        let least = census.tours.first_key_value().unwrap();
        assert_eq!((*least.0, least.1), (9, &BigUint::from(8u32)));
        assert_eq!(census.count, BigUint::from(9862u32));
        assert_eq!(census.tours, of("6x6", TourKind::Closed, "0..89").tours);
    }

    /// Tests a count of more than 61 bits, which needs two primes. Every king's tour of a 3x60 board has as many moves
    /// of each kind as a second sweep with mirrored slopes says.
    #[test]
    fn large_counts_need_several_primes() {
        let one = of("king:3x60", TourKind::Closed, "slope=1/1");
        let other = of("king:3x60", TourKind::Closed, "slope=1/-1");
        assert!(one.count.bits() > 61);
        assert_eq!(one.tours, other.tours);
    }

    #[test]
    fn systems_are_solved() {
        let p = PRIMES[1].modulus;
        let nodes = [3, 10, p - 5];
        let coefficients = [7, p - 1, 123_456_789];
        let sums: Vec<_> = (0..3)
            .map(|i| {
                let terms = nodes.iter().zip(coefficients);
                terms.fold(0, |sum, (&x, c)| (sum + times(c, power(x, i, p), p)) % p)
            })
            .collect();
        assert_eq!(solved(&nodes, &sums, p), coefficients);
        let largest = Lanes::<31>([p - 1; LANES]);
        assert_eq!(largest.times(largest), Lanes([1; LANES]));
    }

    #[test]
    fn graphs_and_long_boards_are_refused() {
        let (long, ends) = instance("3x90", TourKind::Closed);
        let statistic = Statistic::obtuse();
        let error = histogram(&long, ends, &statistic, &options(), &mut |_, _, _| ()).unwrap_err();
        assert!(matches!(error, CensusError::TooLarge { n: 270, .. }));
        let graph = hamcnf_encodings::Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
        let triangle =
            Instance::on_graph("triangle", graph, TourKind::Closed, Vertex::new(0)).unwrap();
        let error = histogram(
            &triangle,
            Endpoints::Closed,
            &statistic,
            &options(),
            &mut |_, _, _| (),
        );
        let message = "a histogram needs the squares of a board, but triangle is a graph";
        assert_eq!(error.unwrap_err().to_string(), message);
    }
}
