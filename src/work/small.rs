//! Questions about graphs that are too small for what methods assume: closed tours of fewer than three vertices, of which there
//! are none, and the open tour of one vertex.

use hamcnf_encodings::{Tour, TourKind};

use super::{Answered, Wanted, Work, found, proved, refused};
use crate::method::Method;
use crate::question::Tours;
use crate::record::{Record, Status};
use crate::search::Proof;

const BY_START: &str = "a single vertex has one open tour, and no table of starts";

impl Work<'_> {
    /// The answer of a method that decides or counts, if the graph is so small; `None` for formulas and proofs, which say
    /// themselves that they begin with larger graphs.
    pub(super) fn small(
        &self,
        method: &Method,
        tours: &Tours,
        record: &Record,
    ) -> Option<Answered> {
        let instance = tours.instance();
        let formula = matches!(
            method,
            Method::Size(_) | Method::Solve { .. } | Method::Prove(_)
        );
        if !instance.is_trivial() || formula || self.settings.proof.is_some() {
            return None;
        }
        if self.settings.wanted == Wanted::ByStart {
            return Some(refused(record.clone(), &BY_START));
        }
        let counts = matches!(method, Method::Count(_));
        let obstruction = tours.ends().obstruction(instance);
        Some(match (instance.kind(), counts, obstruction) {
            (TourKind::Open, true, _) => record.clone().with_answer(Status::Count, 1u64).into(),
            (TourKind::Open, false, _) => {
                let tour = Tour::check(instance, vec![instance.start()]).ok()?;
                found(record.clone(), tour)
            }
            (TourKind::Closed, true, why) => {
                let mut record = record.clone().with_answer(Status::Count, 0u64);
                if let Some(why) = &why {
                    record.message = why.said(instance).to_string();
                }
                Answered {
                    proof: why.map(Proof::Obstruction),
                    ..record.into()
                }
            }
            (TourKind::Closed, false, why) => {
                proved(record.clone(), Proof::Obstruction(why?), instance)
            }
        })
    }
}
