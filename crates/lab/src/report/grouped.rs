//! Items in groups, in the order of the first item of each group. Tables, charts, exports and differences are made from
//! rows that are grouped by their question, method or instance.

use std::hash::Hash;

use indexmap::IndexMap;

/// Groups values by their keys, in the order of the first value of each key.
pub fn grouped<K: Hash + Eq, T>(items: impl IntoIterator<Item = (K, T)>) -> IndexMap<K, Vec<T>> {
    let mut groups: IndexMap<K, Vec<T>> = IndexMap::new();
    for (key, item) in items {
        groups.entry(key).or_default().push(item);
    }
    groups
}
