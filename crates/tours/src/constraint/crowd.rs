//! Positions that must hold too many vertices. Constraints give some vertices an interval of positions each. By Hall's
//! theorem, these vertices can have different positions if and only if there is no set of k positions that includes the
//! intervals of more than k vertices. For intervals, only sets that are intervals themselves need to be checked.
//!
//! # References
//!
//! - P. Hall, *On representatives of subsets*, Journal of the London Mathematical Society 10, 1935, 26–30.
//! - F. Glover, *Maximum matching in a convex bipartite graph*, Naval Research Logistics Quarterly 14, 1967, 313–316:
//!   the greedy assignment to intervals.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Interval of positions. Both ends are included.
pub(super) type Interval = (u32, u32);

/// Returns a narrowest interval of k positions that includes more than k of the given intervals; `None` if there is no
/// such interval.
pub(super) fn crowded(intervals: &[Interval]) -> Option<Interval> {
    if fits(intervals) {
        return None;
    }
    let mut by_end = intervals.to_vec();
    by_end.sort_unstable_by_key(|&(_, high)| high);
    let beginnings = by_end.iter().map(|&(low, _)| low);
    let found = beginnings.filter_map(|from| {
        let inside = by_end.iter().filter(|&&(low, _)| low >= from);
        let mut ends = (1..).zip(inside.map(|&(_, high)| high));
        let (_, to) = ends.find(|&(n, to)| n > to - from + 1)?;
        Some((from, to))
    });
    found.min_by_key(|&(from, to)| (to - from, from))
}

/// True if every interval can get a position of its own. Goes through the positions in increasing order, and gives each
/// position to the open interval that ends first.
fn fits(intervals: &[Interval]) -> bool {
    let mut by_beginning = intervals.to_vec();
    by_beginning.sort_unstable();
    let mut waiting: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    let mut next = by_beginning.iter().peekable();
    let mut position = 0;
    loop {
        if waiting.is_empty() {
            match next.peek() {
                Some(&&(low, _)) => position = position.max(low),
                None => return true,
            }
        }
        while let Some(&(_, high)) = next.next_if(|&&(low, _)| low <= position) {
            waiting.push(Reverse(high));
        }
        if let Some(Reverse(high)) = waiting.pop()
            && high < position
        {
            return false;
        }
        position += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// True if every interval can get a position of its own that is not in the bit mask `taken`. Tries all assignments.
    fn can_differ(intervals: &[Interval], taken: u32) -> bool {
        let Some((&(low, high), others)) = intervals.split_first() else {
            return true;
        };
        let mut free = (low..=high).filter(|p| taken >> p & 1 == 0);
        free.any(|p| can_differ(others, taken | 1 << p))
    }

    #[test]
    fn the_narrowest_interval_is_found() {
        assert_eq!(crowded(&[]), None);
        assert_eq!(crowded(&[(3, 4), (3, 4), (3, 5)]), None);
        assert_eq!(crowded(&[(3, 4), (9, 20), (3, 4), (3, 4)]), Some((3, 4)));
        assert_eq!(crowded(&[(0, 0), (0, 1), (0, 1)]), Some((0, 1)));
        // Four intervals in three positions, and three in two.
        let nested = [(1, 3), (1, 3), (2, 3), (2, 3), (3, 3)];
        assert_eq!(crowded(&nested), Some((2, 3)));
    }

    proptest! {
        #[test]
        fn crowds_are_found_exactly_where_positions_do_not_suffice(
            pairs in proptest::collection::vec((0..7u32, 0..7u32), 0..7),
        ) {
            let intervals: Vec<_> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            let found = crowded(&intervals);
            prop_assert_eq!(found.is_none(), can_differ(&intervals, 0));
            if let Some((from, to)) = found {
                let inside = intervals.iter().filter(|&&(low, high)| from <= low && high <= to);
                prop_assert!(inside.count() as u32 > to - from + 1);
            }
        }
    }
}
