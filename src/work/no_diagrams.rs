//! What is said in place of a count by decision diagrams where they are left out of the build.

use hamcnf_encodings::Queens;

use super::{Answered, Failure, Work};
use crate::question::Tours;
use crate::record::{Record, Status};

const NONE: &str =
    "decision diagrams are left out of this build: it is without the feature 'diagrams'";

impl Work<'_> {
    pub(super) fn timeslice(&self, _: &Tours, record: Record) -> Answered {
        record.ended(Status::Refused, NONE).into()
    }

    pub(super) fn placements_diagram(&self, _: &Queens, record: Record) -> Result<Record, Failure> {
        Ok(record.ended(Status::Refused, NONE))
    }
}
