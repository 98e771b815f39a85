//! `subsets` and `walks`: count tours over subsets of the vertices, by a table or by inclusion and exclusion over
//! walks; see [`count::subsets`](hamcnf_count::subsets).

use super::sweep::{not_counted, sample_instead};
use super::{Advice, MethodKind, Profile};
use crate::run::{Event, Failure, Run, RunResult, Share, Status};
use hamcnf_count::frontier::Bytes;
use hamcnf_count::subsets::{self, By, Counted, Options};
use hamcnf_questions::{Question, Tours};

/// Exact count over subsets of the vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subsets {
    pub by: By,
}

impl Subsets {
    /// Method with a table of numbers of paths.
    pub const TABLE: Self = Self { by: By::Table };

    /// Method with walks, which needs no memory.
    pub const WALKS: Self = Self { by: By::Walks };
}

impl MethodKind for Subsets {
    fn profile(&self) -> Profile<'_> {
        let (name, summary) = match self.by {
            By::Table => (
                "subsets",
                "exact count by a table over subsets of the vertices, for dense graphs of up to about 28 vertices",
            ),
            By::Walks => (
                "walks",
                "exact count by inclusion and exclusion over walks, for dense graphs whose table does not fit into memory",
            ),
        };
        Profile {
            directed: true,
            forced: true,
            threads: true,
            compared: self.by == By::Table,
            ..Profile::exact_count(name, summary)
        }
    }

    fn advice(&self, _: &Question, status: Status) -> Vec<Advice> {
        let walks =
            (status == Status::Memout).then(|| Advice::to_use(Self::WALKS, ", which takes longer and needs no memory"));
        walks.into_iter().chain([sample_instead()]).collect()
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let options = Options { threads: run.threads(), memory: run.memory(), budget: run.budget() };
        let observer = &run.settings().observer;
        let mut show = |percent| {
            let share = Share { done: percent, of: 100 };
            observer.at(Some(share), || format!("{percent} % of the subsets"));
        };
        let asked = subsets::Subsets::new(tours.instance(), tours.ends());
        if let Ok(asked) = &asked {
            let minutes = asked.expected(self.by).seconds / 60.0 / options.threads as f64;
            if minutes > 2.0 {
                run.notify(Event::Remark(&format!("the count over subsets takes about {minutes:.0} minutes")));
            }
        }
        let found = asked.and_then(|asked| asked.count(self.by, &options, &mut show));
        found.map(|found| counted(self.by, &found)).or_else(not_counted)
    }
}

/// Returns the result of a completed count.
pub(super) fn counted(by: By, found: &Counted) -> RunResult {
    let mut result = RunResult::default().with_value(Status::Count, &found.count);
    result.statistics.set("vertices", found.vertices);
    result.peak_bytes = Some(found.bytes);
    result.how = match (by, found.vertices) {
        (_, 0) => "the vertices with a single way on decide it".to_owned(),
        (By::Table, n) => {
            let memory = match found.bytes {
                // The answer follows from the graph before there is a table.
                0 => String::new(),
                bytes => format!(" in {}", Bytes(bytes)),
            };
            format!("exact, by a table over subsets of {n} vertices{memory}")
        }
        (By::Walks, n) => format!("exact, by inclusion and exclusion over walks of {n} vertices"),
    };
    result
}
