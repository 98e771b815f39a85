//! How large a formula is.

use hamcnf_encodings::{Clauses, Encoding, Formula, Instance};

use super::{Answered, refused};
use crate::record::{Record, Status};

/// The size of a formula, and of each family of its clauses.
pub(super) fn size(encoding: &Encoding, instance: &Instance, mut record: Record) -> Answered {
    let formula: Formula = match Formula::new(encoding.clone(), instance) {
        Ok(formula) => formula,
        Err(refusal) => return refused(record, &refusal),
    };
    let tally = formula.tally();
    let total = tally.total();
    record.variables = Some(formula.n_vars().into());
    record.clauses = Some(total.clauses);
    record.effort.set("nonunit", total.without_units());
    record.effort.set("literals", total.literals);
    for (family, count) in tally.families() {
        for (figure, value) in [
            ("clauses", count.clauses),
            ("nonunit", count.without_units()),
            ("literals", count.literals),
        ] {
            record
                .effort
                .set(&format!("{}.{figure}", family.label), value);
        }
    }
    record.ended(Status::Size, "").into()
}
