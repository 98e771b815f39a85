//! Questions about graphs that are too small for most methods: closed tours on fewer than three vertices, which do not
//! exist, and the open tour on a single vertex.

use hamcnf_tours::{Tour, TourKind};

use crate::method::{Method, proved};
use crate::run::{RunResult, Settings, Status, Wanted};
use hamcnf_cycle::search::Proof;
use hamcnf_questions::Tours;

const BY_START: &str = "a graph with a single vertex has one open tour, so it is not counted by start";

/// Returns the answer if the graph is too small for the method. Returns `None` for methods that solve a formula,
/// because they reject these graphs themselves.
pub(super) fn answer(method: &Method, tours: &Tours, settings: &Settings) -> Option<RunResult> {
    let instance = tours.instance();
    if !instance.is_trivial() || !method.profile().small_graphs {
        return None;
    }
    let result = RunResult::default();
    if settings.wanted == Wanted::ByStart {
        return Some(result.refused(&BY_START));
    }
    let none = || Some(proved(RunResult::default(), Proof::Obstruction(tours.obstruction()?)));
    let only = Tour::check(instance, vec![instance.start()]);
    Some(match (instance.kind(), method.is_count()) {
        (TourKind::Open, true) => result.with_value(Status::Count, u64::from(only.is_ok())),
        (TourKind::Open, false) => match only {
            Ok(tour) => result.found(tour),
            Err(why) => result.ended(Status::NoTour, why.to_string()),
        },
        (TourKind::Closed, true) => none().unwrap_or_default().with_value(Status::Count, 0u64),
        (TourKind::Closed, false) => none()?,
    })
}
