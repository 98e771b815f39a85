//! Histogram of a statistic: the number of tours with each value.
//!
//! Let f be the sum of x^s over all tours, where s is the value of a local [statistic](crate::statistic). One sweep
//! along the frontier computes f if the weight of a state is the sum of x^s over the partial tours that lead to it
//! (`packed`). If the statistic depends on angles, the states also hold the classes of the first edges of the frontier
//! vertices with one edge (`arrivals`), and there are more states.
//!
//! An alternative is to compute f at many points modulo primes, and to interpolate. A weight is then a few residues of
//! eight bytes, and there are many sweeps. But most states have few partial tours, whose values differ little: on 7×8
//! by straight angles, a state and its polynomial take 10 bytes on average in the largest layer, hardly more than one
//! residue.

use hamcnf_tours::Instance;
use hamcnf_tours::endpoints::Endpoints;

use crate::frontier::answer::exact::{ExactError, Options, answers};
use crate::frontier::state::Arrivals;
use crate::frontier::store::CheckpointError;
use crate::frontier::sweep::{Question, Sweep, corners};
use crate::frontier::{Exact, Progress};
use crate::not_counted::{Cause, CountError, NotCounted};
use crate::statistic::Statistic;

fn unsupported(why: String) -> CountError {
    NotCounted::new(Cause::Unsupported, why).into()
}

/// Maximum number of squares of a board. A statistic has values up to twice this number, which must fit into 16 bits.
const MOST_SQUARES: u32 = (1 << 15) - 1;

/// Counts the tours of an instance by the value of a statistic. The numbers are in [`Exact::by_value`], and their sum in
/// [`Exact::count`]. Calls `progress` before every vertex, and `warn` like [`counts`](super::exact::counts).
///
/// # Errors
///
/// [`CountError`] if the histogram was not completed.
pub fn histogram(
    instance: &Instance,
    ends: Endpoints,
    statistic: &Statistic,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    warn: &mut dyn FnMut(&CheckpointError),
) -> Result<Exact, CountError> {
    let question = question(instance, ends, statistic)?;
    let mut known = Exact::default();
    let mut found = |_, exact| known = exact;
    answers(&[question], options, progress, &mut found, warn)?;
    Ok(known)
}

/// Returns the question about the number of tours with each value of a statistic.
pub(crate) fn question(instance: &Instance, ends: Endpoints, statistic: &Statistic) -> Result<Question, CountError> {
    let Some(measure) = statistic.on(instance) else {
        return Err(unsupported(format!(
            "a histogram needs the squares of a board, but {} is a graph",
            instance.name()
        )));
    };
    let n = instance.n();
    if n > MOST_SQUARES {
        let why = format!("{} has {n} squares, but histograms support at most {MOST_SQUARES}", instance.name());
        return Err(unsupported(why));
    }
    let sweep = Sweep::new(instance, ends, Arrivals::SLOTS).map_err(ExactError::TooWide)?;
    let contributions = corners(&sweep, &|u, v| measure.of_move(u, v), &|u, v, w| measure.of_angle(u, v, w));
    let contributions = contributions.ok_or_else(|| {
        let name = instance.name();
        unsupported(format!("on {name}, the first moves to a square have too many kinds for a state of a histogram"))
    })?;
    let sweep = sweep.with_statistic(contributions, statistic.is_mirrored());
    let name = format!("{instance} by {statistic}");
    Ok(Question::along(sweep, name, ends))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate;
    use crate::frontier::answer::exact::tests::{closed, on_board, options};
    use crate::statistic::Measure;
    use hamcnf_encodings::Formula;
    use hamcnf_graph::Vertex;
    use hamcnf_tours::{Tour, TourKind};
    use num_bigint::BigUint;
    use std::collections::BTreeMap;

    fn with((instance, ends): &(Instance, Endpoints), statistic: &str, options: &Options) -> Result<Exact, CountError> {
        histogram(instance, *ends, &statistic.parse().unwrap(), options, &mut |_| (), &mut |_| ())
    }

    fn of(board: &str, kind: TourKind, statistic: &str) -> Exact {
        with(&on_board(board, kind), statistic, &options()).unwrap()
    }

    /// Lists all tours by CaDiCaL, with the instance of each start.
    fn listed(board: &str, kind: TourKind) -> Vec<(Instance, Tour)> {
        let (instance, _) = on_board(board, kind);
        let starts: Vec<_> = match kind {
            TourKind::Closed => vec![instance],
            TourKind::Open => {
                let vertices = instance.graph().vertices();
                vertices.map(|v| instance.starting_at(v).unwrap()).collect()
            }
        };
        let tours = starts.into_iter().flat_map(|start| {
            let options = hamcnf_sat::solve::Options::default();
            let formula = Formula::new(hamcnf_sat::solve::defaults::listed(&start), &start).unwrap();
            let found = enumerate::tours_of(&formula, usize::MAX, &options, &mut |_| ()).unwrap();
            assert!(found.complete);
            let tours = found.found.into_iter();
            tours.map(move |tour| (start.clone(), tour))
        });
        tours.collect()
    }

    /// Returns the value of a statistic for a sequence of vertices. `is_closed` says that the last vertex is adjacent to
    /// the first one.
    fn value(measure: &Measure<'_>, order: &[Vertex], is_closed: bool) -> u32 {
        let n = order.len();
        let end = |short: usize| if is_closed { n } else { n.saturating_sub(short) };
        let at = |p: usize| order[p % n];
        let moves = (0..end(1)).map(|p| measure.of_move(at(p), at(p + 1)));
        let angles = (0..end(2)).map(|p| measure.of_angle(at(p), at(p + 1), at(p + 2)));
        moves.sum::<u32>() + angles.sum::<u32>()
    }

    fn check(board: &str, kind: TourKind) {
        let tours = listed(board, kind);
        assert!(!tours.is_empty(), "{board}");
        for statistic in STATISTICS {
            let parsed: Statistic = statistic.parse().unwrap();
            let mut expected: BTreeMap<u32, BigUint> = BTreeMap::new();
            for (instance, tour) in &tours {
                let measure = parsed.on(instance).unwrap();
                let value = value(&measure, tour.order(), kind == TourKind::Closed);
                *expected.entry(value).or_default() += 1u32;
            }
            let census = of(board, kind, statistic);
            assert_eq!(census.by_value, expected, "{board} {kind} {statistic}");
        }
    }

    const STATISTICS: [&str; 8] =
        ["acute", "right", "obtuse", "straight", "0..89", "slope=1/2", "slope=2/1,slope=2/-1", "slope=1/1,acute"];

    #[test]
    fn histograms_equal_listed_tours() {
        for (board, kind) in [
            ("5x6", TourKind::Closed),
            ("3x10", TourKind::Closed),
            ("3x4", TourKind::Open),
            ("king:3x4", TourKind::Closed),
            ("leaper:0,1+1,1+0,2:3x3", TourKind::Open),
        ] {
            check(board, kind);
        }
    }

    #[test]
    #[ignore = "takes a minute"]
    fn histograms_of_larger_boards_equal_listed_tours() {
        for (board, kind) in [("6x6", TourKind::Closed), ("4x5", TourKind::Open), ("5x5", TourKind::Open)] {
            check(board, kind);
        }
    }

    /// Tests the histogram of the 6x6 board: 8 tours have 9 obtuse or straight angles, as the constraint `turns
    /// 0..89=..9` finds, and none has fewer.
    #[test]
    fn angles_of_6x6_are_known() {
        let census = of("6x6", TourKind::Closed, "obtuse,straight");
        let least = census.by_value.first_key_value().unwrap();
        assert_eq!((*least.0, least.1), (9, &BigUint::from(8u32)));
        assert_eq!(census.count, BigUint::from(9862u32));
        let turns = of("6x6", TourKind::Closed, "0..89");
        assert_eq!(census.by_value, turns.by_value);
    }

    /// Tests coefficients of more than one machine word. A reflection of the board exchanges the two diagonal slopes, so
    /// both have the same histogram.
    #[test]
    fn large_counts_need_several_words() {
        let one = of("king:3x60", TourKind::Closed, "slope=1/1");
        let other = of("king:3x60", TourKind::Closed, "slope=1/-1");
        assert!(one.count.bits() > 80);
        assert_eq!(one.by_value, other.by_value);
    }

    #[test]
    fn graphs_and_long_boards_are_refused() {
        let error = with(&closed("3x11000"), "obtuse", &options()).unwrap_err();
        assert_eq!(error.to_string(), "3x11000 has 33000 squares, but histograms support at most 32767");
        let graph = hamcnf_graph::Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap();
        let triangle = Instance::on_graph("triangle", graph, TourKind::Closed, Vertex::new(0)).unwrap();
        let error = with(&(triangle, Endpoints::Closed), "obtuse", &options());
        let message = "a histogram needs the squares of a board, but triangle is a graph";
        assert_eq!(error.unwrap_err().to_string(), message);
    }

    /// Tests that a sweep with a statistic is always the same, because checkpoints contain its checksum.
    #[test]
    fn sweeps_are_reproducible() {
        let (instance, ends) = closed("7x8");
        let measure = Statistic::obtuse();
        let measure = measure.on(&instance).unwrap();
        let text = || {
            let sweep = Sweep::new(&instance, ends, Arrivals::SLOTS).unwrap();
            let angle = |u, v, w| measure.of_angle(u, v, w);
            let contributions = corners(&sweep, &|_, _| 0, &angle).unwrap();
            let sweep = sweep.with_statistic(contributions, false);
            format!("{sweep:?}")
        };
        assert_eq!(text(), text());
    }
}
