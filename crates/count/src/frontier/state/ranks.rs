//! Ranks of matchings. A matching of k ends of paths has a rank from 0 to (k − 1)!! − 1. [`Tables`] give the new rank
//! after a step adds edges.
//!
//! The ends are numbered from 0 in a fixed order of the vertices. The mate of the first end has one of the numbers 1,
//! …, k − 1, which gives a digit of radix k − 1. The other k − 2 ends are numbered anew and give the other digits in
//! the same way. The rank is the number with these digits. The digit of the first end is the highest.
//!
//! The rank after a move depends only on the rank before it, on k, and on the numbers of the ends that the move touches.
//! Therefore one table per move serves all degree vectors: for few ends, the step from state to state is one look-up.
//!
//! The matchings in which the first end has the same mate have consecutive ranks. A move changes the digit of the first
//! end, and the other digits by a move of k − 2 ends. So a table consists of k − 1 parts of smaller tables, with
//! offsets. For many ends, the digits of the first ends are changed one by one, and a table gives the rest.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::frontier::state::Degrees;

/// Largest number of ends before and after a move that has a table. Tables for more ends would not fit into a processor's
/// cache. In unit tests, the number is small, so that small graphs have moves without tables.
pub(crate) const TABLED: usize = if cfg!(test) { 8 } else { 14 };

/// Table entry for a matching in which the move would close a cycle although other paths remain.
pub(crate) const CLOSED: u32 = u32::MAX;

/// Entry k/2: the number of matchings of k ends, (k − 1)!!.
const MATCHINGS: [u64; Degrees::SLOTS / 2 + 1] = {
    let mut all = [1; Degrees::SLOTS / 2 + 1];
    let mut half = 1;
    while half < all.len() {
        all[half] = all[half - 1] * (2 * half as u64 - 1);
        half += 1;
    }
    all
};

/// Returns the number of matchings of k ends, (k − 1)!!.
pub(crate) const fn matchings(ends: usize) -> u64 {
    MATCHINGS[ends / 2]
}

/// Returns the number of bytes of the largest rank of a matching with `ends` ends.
pub(crate) const fn rank_bytes(ends: usize) -> usize {
    let bits = u64::BITS - (matchings(ends) - 1).leading_zeros();
    if bits == 0 { 1 } else { bits.div_ceil(8) as usize }
}

/// Matching of the ends of paths: entry i is the number of the mate of end i.
pub(crate) type Mates = [u8; Degrees::SLOTS];

/// Returns the rank of a matching with `ends` ends.
pub(crate) fn rank(mates: &Mates, ends: usize) -> u64 {
    let mut left = (1u64 << ends) - 1;
    let (mut rank, mut radix) = (0, ends as u64);
    while left != 0 {
        radix -= 1;
        let first = left.trailing_zeros();
        left &= left - 1;
        let mate = u32::from(mates[first as usize]);
        let before = left & ((1 << mate) - 1);
        rank = rank * radix + u64::from(before.count_ones());
        left &= !(1 << mate);
        radix -= 1;
    }
    rank
}

/// Returns the matching with `ends` ends that has this rank.
pub(crate) fn unrank(mut rank: u64, ends: usize) -> Mates {
    let mut digits = [0; Degrees::SLOTS / 2];
    for (digit, radix) in digits[..ends / 2].iter_mut().zip((1..).step_by(2)) {
        *digit = rank % radix;
        rank /= radix;
    }
    let mut mates = [0; Degrees::SLOTS];
    let mut left = (1u64 << ends) - 1;
    for &digit in digits[..ends / 2].iter().rev() {
        let first = left.trailing_zeros();
        left &= left - 1;
        let mut others = left;
        for _ in 0..digit {
            others &= others - 1;
        }
        let mate = others.trailing_zeros();
        left &= !(1 << mate);
        (mates[first as usize], mates[mate as usize]) = (mate as u8, first as u8);
    }
    mates
}

/// Effect of a step's edges on a matching, in terms of the numbers of the ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// No end changes, and all ends keep their numbers.
    None,
    /// A new path has two new ends, which get these numbers. The first number is the smaller.
    Link(u32, u32),
    /// The end with the first number is replaced by a new end, which gets the second number.
    Extend(u32, u32),
    /// The paths that end at these numbers are joined, and both ends disappear. The first number is the smaller.
    Join(u32, u32),
}

impl Change {
    /// Returns the matching after the move, and its number of ends. Returns `None` if the move closes a cycle although
    /// other paths remain.
    fn apply(self, mates: &Mates, ends: usize) -> Option<(Mates, usize)> {
        let mut after = [0; Degrees::SLOTS];
        let renumbered = |names: &dyn Fn(u32) -> u32, after: &mut Mates, keep: &dyn Fn(u32) -> bool| {
            for end in (0..ends as u32).filter(|&end| keep(end)) {
                let mate = u32::from(mates[end as usize]);
                after[names(end) as usize] = names(mate) as u8;
            }
        };
        match self {
            Self::None => Some((*mates, ends)),
            Self::Link(a, b) => {
                renumbered(&|end| inserted(inserted(end, a), b), &mut after, &|_| true);
                (after[a as usize], after[b as usize]) = (b as u8, a as u8);
                Some((after, ends + 2))
            }
            Self::Extend(from, to) => {
                let name = |end: u32| match end == from {
                    true => to,
                    false => inserted(removed(end, from), to),
                };
                renumbered(&name, &mut after, &|_| true);
                Some((after, ends))
            }
            Self::Join(a, b) => {
                let (x, y) = (mates[a as usize], mates[b as usize]);
                if u32::from(x) == b {
                    // A matching without any other path becomes the matching without paths.
                    return (ends == 2).then_some((after, 0));
                }
                let name = |end: u32| removed(removed(end, b), a);
                let joined = |end: u32| end != a && end != b;
                let mut mates = *mates;
                (mates[usize::from(x)], mates[usize::from(y)]) = (y, x);
                for end in (0..ends as u32).filter(|&end| joined(end)) {
                    after[name(end) as usize] = name(u32::from(mates[end as usize])) as u8;
                }
                Some((after, ends - 2))
            }
        }
    }

    /// Returns the rank after the move. Returns `None` if the move closes a cycle although other paths remain.
    fn rank(self, before: u64, ends: usize) -> Option<u64> {
        let (mates, ends) = self.apply(&unrank(before, ends), ends)?;
        Some(rank(&mates, ends))
    }

    /// True if the move of matchings with `ends` ends has a table.
    fn is_tabled(self, ends: usize) -> bool {
        match self {
            Self::Link(..) => ends + 2 <= TABLED,
            _ => ends <= TABLED,
        }
    }

    /// Returns the effect of the move on the matchings of at least four ends in which the mate of end 0 is `mate`.
    /// Returns `None` if the move closes a cycle. The move must not give end 0 another number, unless end 0 disappears
    /// or a new path begins before it.
    fn part(self, mate: u32, ends: usize) -> Option<Part> {
        // Number of an end among the others, after end 0 and its mate have been taken out.
        let among = |end: u32, mate: u32| end - 1 - u32::from(end > mate);
        let (new_mate, rest, after) = match self {
            // The other ends keep their rank.
            Self::Link(0, b) => {
                let rank = u64::from(b - 1) * matchings(ends);
                let first = rank + u64::from(mate - 1) * matchings(ends - 2);
                let rest = Self::None;
                return Some(Part { first, rest });
            }
            Self::Link(a, b) => {
                let new = inserted(inserted(mate, a), b);
                (new, Self::Link(among(a, new), among(b, new)), ends + 2)
            }
            Self::Extend(from, to) if from == mate => (to, Self::None, ends),
            Self::Extend(from, to) => {
                let new = inserted(removed(mate, from), to);
                let (from, to) = (among(from, mate), among(to, new));
                (new, Self::extend(from, to), ends)
            }
            Self::Join(0, b) if mate == b => return None,
            // The mate of end 0 becomes the end of the path that ended at b.
            Self::Join(0, b) => {
                let rest = Self::extend(among(b, mate), removed(mate, b) - 1);
                return Some(Part { first: 0, rest });
            }
            // End 0 becomes the end of the path that ended at the other of the two numbers.
            Self::Join(a, b) if mate == a || mate == b => {
                let other = among(if mate == a { b } else { a }, mate);
                let rest = Self::extend(other, 0);
                return Some(Part { first: 0, rest });
            }
            Self::Join(a, b) => {
                // Of four ends, the other two close a cycle.
                (ends > 4).then_some(())?;
                let new = removed(removed(mate, b), a);
                (new, Self::Join(among(a, mate), among(b, mate)), ends - 2)
            }
            Self::None => (mate, Self::None, ends),
        };
        Some(Part { first: u64::from(new_mate - 1) * matchings(after - 2), rest })
    }

    /// Returns the move of one end to another number.
    fn extend(from: u32, to: u32) -> Self {
        match from == to {
            true => Self::None,
            false => Self::Extend(from, to),
        }
    }

    /// Returns the index in `Tables::moves` of the table of this move, for matchings of `ends` ends.
    fn index(self, ends: usize) -> usize {
        let (kind, a, b) = match self {
            Self::None => (0, 0, 0),
            Self::Link(a, b) => (1, a, b),
            Self::Extend(a, b) => (2, a, b),
            Self::Join(a, b) => (3, a, b),
        };
        ((kind * (TABLED / 2 + 1) + ends / 2) * NUMBERS + a as usize) * NUMBERS + b as usize
    }
}

/// Returns the number of an end after a new end has got the number `at`.
fn inserted(end: u32, at: u32) -> u32 {
    end + u32::from(end >= at)
}

/// Returns the number of an end after the end `at` has disappeared.
fn removed(end: u32, at: u32) -> u32 {
    end - u32::from(end > at)
}

/// Effect of a move on the matchings in which end 0 has a certain mate.
struct Part {
    /// Number to add to the rank of the other ends.
    first: u64,
    /// Effect on the other ends, which are numbered without end 0 and its mate.
    rest: Change,
}

/// Exclusive upper bound on the numbers that identify path ends in a move with a table.
const NUMBERS: usize = TABLED + 2;

/// Table of a move or of a renumbering. The rank before the change is the index, and the entry is the rank after it.
pub(crate) type Ranks = Arc<[u32]>;

/// Tables of all moves and renumberings. Each table is computed when it is first needed. All threads of a count share
/// the tables.
pub(crate) struct Tables {
    moves: Vec<OnceLock<Ranks>>,
    renumberings: Mutex<HashMap<(Mates, usize), Ranks>>,
}

impl Tables {
    pub(crate) fn new() -> Self {
        let most = 4 * (TABLED / 2 + 1) * NUMBERS * NUMBERS;
        Self { moves: (0..most).map(|_| OnceLock::new()).collect(), renumberings: Mutex::default() }
    }

    /// Returns the table of a move of matchings with `ends` ends. Returns `None` if there are too many ends for a table.
    pub(crate) fn table(&self, change: Change, ends: usize) -> Option<&Ranks> {
        change.is_tabled(ends).then(|| self.of(change, ends))
    }

    /// Returns the rank of a matching with `ends` ends after a move. Returns `None` if the move closes a cycle although
    /// other paths remain.
    pub(crate) fn after(&self, change: Change, ends: usize, rank: u64) -> Option<u64> {
        if change == Change::None {
            return Some(rank);
        }
        if let Some(table) = self.table(change, ends) {
            let after = table[rank as usize];
            return (after != CLOSED).then_some(after.into());
        }
        match change {
            Change::Extend(0, 1) | Change::Extend(1, 0) => Some(exchanged(rank, ends)),
            Change::Extend(0, to) => self.after(Change::Extend(1, to), ends, exchanged(rank, ends)),
            Change::Extend(from, 0) => {
                let second = self.after(Change::Extend(from, 1), ends, rank)?;
                Some(exchanged(second, ends))
            }
            _ => {
                let of_others = matchings(ends - 2);
                let mate = rank / of_others + 1;
                let part = change.part(mate as u32, ends)?;
                Some(part.first + self.after(part.rest, ends - 2, rank % of_others)?)
            }
        }
    }

    /// Returns the table of a move with a table.
    fn of(&self, change: Change, ends: usize) -> &Ranks {
        self.moves[change.index(ends)].get_or_init(|| match change {
            Change::None => (0..matchings(ends) as u32).collect(),
            // The first end changes: a move to or from the second place, and an exchange of the first two ends.
            Change::Extend(0, to) if to > 1 => {
                let (first, second) = (Change::Extend(0, 1), Change::Extend(1, to));
                self.composed(first, second, ends)
            }
            Change::Extend(from, 0) if from > 1 => {
                let (first, second) = (Change::Extend(from, 1), Change::Extend(1, 0));
                self.composed(first, second, ends)
            }
            _ if ends < 4 || matches!(change, Change::Extend(0, _) | Change::Extend(_, 0)) => {
                let ranks = (0..matchings(ends)).map(|before| change.rank(before, ends));
                ranks.map(|after| after.map_or(CLOSED, |after| after as u32)).collect()
            }
            _ => {
                let parts = (1..ends as u32).flat_map(|mate| {
                    let part = change.part(mate, ends);
                    let table = part.map(|part| (part.first as u32, self.of(part.rest, ends - 2)));
                    let most = matchings(ends - 2);
                    (0..most as usize).map(move |rest| match &table {
                        Some((first, table)) if table[rest] != CLOSED => first + table[rest],
                        _ => CLOSED,
                    })
                });
                parts.collect()
            }
        })
    }

    /// Returns the table of two moves, one after the other, that do not change the number of ends.
    fn composed(&self, first: Change, second: Change, ends: usize) -> Ranks {
        let (first, second) = (self.of(first, ends), self.of(second, ends));
        first.iter().map(|&rank| second[rank as usize]).collect()
    }

    /// Returns the table of a renumbering of `ends` ends: end i gets the number `names[i]`.
    pub(crate) fn renumbering(&self, names: &Mates, ends: usize) -> Ranks {
        let mut known = self.renumberings.lock().unwrap_or_else(PoisonError::into_inner);
        let table = known.entry((*names, ends)).or_insert_with(|| {
            let ranks = (0..matchings(ends)).map(|before| renumbered(before, names, ends) as u32);
            ranks.collect()
        });
        Arc::clone(table)
    }
}

/// Returns the rank of a matching with `ends` ends after a renumbering: end i gets the number `names[i]`.
pub(crate) fn renumbered(before: u64, names: &Mates, ends: usize) -> u64 {
    let mates = unrank(before, ends);
    let mut after = [0; Degrees::SLOTS];
    for end in 0..ends {
        after[usize::from(names[end])] = names[usize::from(mates[end])];
    }
    rank(&after, ends)
}

/// Returns the rank of a matching with at least four ends after the first two ends have exchanged their numbers.
fn exchanged(before: u64, ends: usize) -> u64 {
    let of_others = matchings(ends - 2);
    let of_rest = matchings(ends - 4);
    let (first, others) = (before / of_others, before % of_others);
    if first == 0 {
        // The first two ends are mates.
        return before;
    }
    // The mates of the first two ends, numbered without these two. The second digit leaves out the mate of end 0.
    let (mate_0, digit) = (first - 1, others / of_rest);
    let mate_1 = digit + u64::from(digit >= mate_0);
    let digit = mate_0 - u64::from(mate_0 > mate_1);
    (mate_1 + 1) * of_others + digit * of_rest + others % of_rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_number_all_matchings() {
        assert_eq!([0, 2, 4, 6, 8].map(matchings), [1, 1, 3, 15, 105]);
        assert_eq!([0, 2, 8, 10, 14, 20, 32].map(rank_bytes), [1, 1, 1, 2, 3, 4, 8]);
        for ends in (0..=10).step_by(2) {
            for number in 0..matchings(ends) {
                let mates = unrank(number, ends);
                for end in 0..ends {
                    let mate = usize::from(mates[end]);
                    assert!(mate != end && mate < ends && usize::from(mates[mate]) == end);
                }
                assert_eq!(rank(&mates, ends), number);
            }
        }
    }

    /// Tests the moves on the matching with the pairs 0–2 and 1–3.
    #[test]
    fn moves_change_matchings() {
        let mut crossing = [0; Degrees::SLOTS];
        crossing[..4].copy_from_slice(&[2, 3, 0, 1]);
        let after = |change: Change| {
            let (mates, ends) = change.apply(&crossing, 4)?;
            Some(mates[..ends].to_vec())
        };
        assert_eq!(after(Change::None), Some(vec![2, 3, 0, 1]));
        assert_eq!(after(Change::Link(0, 5)), Some(vec![5, 3, 4, 1, 2, 0]));
        assert_eq!(after(Change::Link(1, 2)), Some(vec![4, 2, 1, 5, 0, 3]));
        // End 0, whose mate is end 2, becomes the last.
        assert_eq!(after(Change::Extend(0, 3)), Some(vec![2, 3, 0, 1]));
        assert_eq!(after(Change::Extend(0, 1)), Some(vec![3, 2, 1, 0]));
        assert_eq!(after(Change::Extend(3, 0)), Some(vec![2, 3, 0, 1]));
        assert_eq!(after(Change::Join(0, 1)), Some(vec![1, 0]));
        assert_eq!(after(Change::Join(0, 2)), None);
        let only = unrank(0, 2);
        let (_, ends) = Change::Join(0, 1).apply(&only, 2).unwrap();
        assert_eq!(ends, 0);
    }

    /// Returns all moves of matchings with `ends` ends.
    fn moves(ends: usize) -> impl Iterator<Item = Change> {
        let most = ends as u32;
        let pairs = (0..most + 2).flat_map(move |a| (0..most + 2).map(move |b| (a, b)));
        pairs.flat_map(move |(a, b)| {
            let is_end = a < most && b < most;
            let links = (a < b).then_some(Change::Link(a, b));
            let joins = (a < b && is_end).then_some(Change::Join(a, b));
            let extends = (a != b && is_end).then_some(Change::Extend(a, b));
            [links, joins, extends].into_iter().flatten()
        })
    }

    /// Tests all moves of few ends, with and without tables, and moves of many ends on some matchings.
    #[test]
    fn ranks_after_moves_are_those_of_the_matchings() {
        let tables = Tables::new();
        let all = (0..=TABLED + 2).step_by(2).map(|ends| (ends, 1));
        let many = [(20, 4_000_000_007), (30, 100_000_000_000_000_003)];
        let most = (Degrees::SLOTS, 10_000_000_000_000_061);
        for (ends, step) in all.chain(many).chain([most]) {
            let step: u64 = step;
            let fits = |change: &Change| !matches!(change, Change::Link(..)) || ends < Degrees::SLOTS;
            for change in moves(ends).filter(fits) {
                for rank in (0..matchings(ends)).step_by(step as usize) {
                    let expected = change.rank(rank, ends);
                    let after = tables.after(change, ends, rank);
                    assert_eq!(after, expected, "{change:?} of rank {rank} of {ends} ends");
                }
            }
        }
    }

    #[test]
    fn tables_mark_closed_cycles() {
        let tables = Tables::new();
        assert_eq!(tables.of(Change::Join(0, 1), 2)[..], [0]);
        assert_eq!(tables.of(Change::Join(0, 1), 4)[..], [CLOSED, 0, 0]);
        assert_eq!(tables.of(Change::Link(0, 1), 2)[..], [0]);
    }

    #[test]
    fn renumberings_rename_the_ends() {
        let mut reversed = [0; Degrees::SLOTS];
        reversed[..6].copy_from_slice(&[5, 4, 3, 2, 1, 0]);
        let table = Tables::new().renumbering(&reversed, 6);
        assert!((0..15).all(|rank| table[table[rank] as usize] == rank as u32));
    }
}
