//! Compares formula sizes with stored sizes to find unintended changes.

use std::collections::BTreeMap;

use hamcnf_methods::record::{Key, Record};

/// Compares records of formula sizes with stored records. Returns the differences in words. Records in `now` that are
/// not stored are ignored.
pub fn differences(now: &[Record], stored: &[Record]) -> Vec<String> {
    let mut first: BTreeMap<Key, &Record> = BTreeMap::new();
    let mut found = Vec::new();
    for row in stored {
        if first.insert(row.key(), row).is_some() {
            found.push(format!("{}, {}: the row is stored twice", row.asked.question, row.asked.method));
        }
    }
    for row in now {
        let of = format!("{}, {}", row.asked.question, row.asked.method);
        let Some(old) = first.get(&row.key()) else { continue };
        let mut rest: BTreeMap<&str, String> = figures(old).into_iter().collect();
        for (figure, now) in figures(row) {
            match rest.remove(figure) {
                None => found.push(format!("{of}: no value of {figure} is stored")),
                Some(stored) if stored != now => {
                    found.push(format!("{of}: {figure} is {now}, but the stored value is {stored}"));
                }
                Some(_) => {}
            }
        }
        let gone = |figure| format!("{of}: a value of {figure} is stored, but the new measurement has none");
        found.extend(rest.into_keys().map(gone));
    }
    found
}

/// Returns the name and the value of every figure in a record.
fn figures(row: &Record) -> Vec<(&str, String)> {
    let sizes = [("variables", row.variables), ("clauses", row.clauses)];
    let sizes = sizes.into_iter().filter_map(|(name, value)| Some((name, value?.to_string())));
    sizes.chain(row.statistics.iter().map(|(name, value)| (name, value.to_owned()))).collect()
}
