//! Selection of partial solutions by a basis over GF(2).
//!
//! A partial solution with k path ends pairs the ends, so it gives a perfect matching of the ends. Another matching
//! *completes* it if the two matchings together form one cycle. Each matching M has a row with one bit for every
//! matching N: the bit is 1 if N completes M. The matrix of these rows only has rank 2^(k/2 - 1), although there are
//! (k - 1)!! matchings. Suppose that the row of a matching is the sum modulo 2 of other rows. Then every matching that
//! completes this matching also completes one of the others, and the matching may be dropped. For each degree pattern,
//! a set of rows that spans all rows is enough to find a cycle, or to prove that there is none. The number of cycles is
//! not preserved.
//!
//! Rows only need the columns of a basis. One basis is the family X of Cygan, Kratsch and Nederlof, with one matching
//! for every word of k/2 - 1 bits. The matching X() of the empty word joins the only two ends. If X(a) has t ends, and
//! end t is joined to i,
//!
//! - X(a1) adds the edge {t + 1, t + 2} to X(a);
//! - X(a0) replaces {i, t} by {t, t + 1} and {i, t + 2}.
//!
//! X(a) and X(b) form one cycle exactly if a and b differ in every bit. So the matrix with rows and columns X is a
//! permutation matrix.
//!
//! # References
//!
//! - M. Cygan, S. Kratsch and J. Nederlof: *Fast Hamiltonicity checking via bases of perfect matchings*, Journal of
//!   the ACM 65(3), 2018.
//! - H. L. Bodlaender, M. Cygan, S. Kratsch and J. Nederlof: *Deterministic single exponential time algorithms for
//!   connectivity problems parameterized by treewidth*, Information and Computation 243, 2015.

use super::state::{State, Word, slots_of};

/// Upper bound on the number of path ends in a state: every path end takes a slot, and every type of [`Word`] has fewer
/// slots than this.
const MOST_ENDS: usize = 32;

/// Returns the rank of the matrix for this number of path ends: the maximum number of states kept per degree pattern.
pub(super) fn rank(ends: u32) -> u32 {
    if ends <= 2 { 1 } else { 1 << (ends / 2 - 1) }
}

/// Returns the number of 64-bit words that a row of the matrix has for this number of path ends.
pub(super) fn row_words(ends: u32) -> usize {
    rank(ends).div_ceil(64) as usize
}

/// Writes the row of a state into `row`, which must be zero. Bit a is set to 1 if the state's matching of path ends
/// forms one cycle with the matching X(a) of the basis. `ends` is the mask of the path ends.
pub(super) fn write_row<W: Word>(state: State<W>, ends: W, row: &mut [u64]) {
    let mut number = [0; MOST_ENDS];
    let mut count = 0;
    for slot in slots_of(ends) {
        number[slot as usize] = count;
        count += 1;
    }
    let mut mate = [0; MOST_ENDS];
    for slot in slots_of(ends) {
        mate[number[slot as usize] as usize] = number[state.mate(slot) as usize];
    }
    if count > 0 {
        write_from(&mut mate, count as usize, count - 1, 0, row);
    }
}

/// Writes the bits of a row from bit `from` on, for a matching of `ends` path ends. The ends have the numbers 0 to
/// `ends` - 2, and `last`.
fn write_from(mate: &mut [u8; MOST_ENDS], ends: usize, last: u8, from: usize, row: &mut [u64]) {
    if ends == 2 {
        row[from / 64] |= 1 << (from % 64);
        return;
    }
    let half = 1 << (ends / 2 - 2);
    let (t, next) = (ends as u8 - 3, ends as u8 - 2);
    // An edge of X between two ends makes them inner vertices of a path between their mates.
    if mate[t as usize] != next {
        let (a, b) = (mate[t as usize], mate[next as usize]);
        (mate[a as usize], mate[b as usize]) = (b, a);
        write_from(mate, ends - 2, last, from, row);
        (mate[a as usize], mate[b as usize]) = (t, next);
    }
    if mate[next as usize] != last {
        let (a, b) = (mate[next as usize], mate[last as usize]);
        (mate[a as usize], mate[b as usize]) = (b, a);
        write_from(mate, ends - 2, t, from + half, row);
        (mate[a as usize], mate[b as usize]) = (next, last);
    }
}

/// Reduces a row by a basis. Returns true if the row is independent of the basis. Each row of the basis is zero at the
/// lowest 1 bit of every earlier row. A reduced independent row also has this property, and can be appended to the
/// basis.
pub(super) fn reduce<'a>(row: &mut [u64], basis: impl Iterator<Item = &'a [u64]>) -> bool {
    for other in basis {
        let word = other.iter().position(|&word| word != 0);
        let word = word.expect("rows of a basis are not zero");
        let lowest = other[word] & other[word].wrapping_neg();
        if row[word] & lowest != 0 {
            for (mine, others) in row.iter_mut().zip(other).skip(word) {
                *mine ^= others;
            }
        }
    }
    row.iter().any(|&word| word != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Perfect matching of path ends. Indexed by end: the partner of the end.
    type Matching = Vec<usize>;

    fn matchings(ends: usize) -> Vec<Matching> {
        fn extend(mate: &mut Matching, all: &mut Vec<Matching>) {
            let Some(a) = mate.iter().position(|&mate| mate == usize::MAX) else {
                all.push(mate.clone());
                return;
            };
            for b in a + 1..mate.len() {
                if mate[b] == usize::MAX {
                    (mate[a], mate[b]) = (b, a);
                    extend(mate, all);
                    (mate[a], mate[b]) = (usize::MAX, usize::MAX);
                }
            }
        }
        let mut all = Vec::new();
        extend(&mut vec![usize::MAX; ends], &mut all);
        all
    }

    /// Returns X(a) for all words a, built by its definition, in the order of the words' numbers. The last bit of a
    /// word is the highest bit of its number.
    fn basis(ends: usize) -> Vec<Matching> {
        if ends == 2 {
            return vec![vec![1, 0]];
        }
        let shorter = basis(ends - 2);
        let (t, next, last) = (ends - 3, ends - 2, ends - 1);
        let replace = shorter.iter().map(|x| {
            let i = x[t];
            let mut x = [x.as_slice(), &[t, i]].concat();
            x[t] = next;
            x[i] = last;
            x
        });
        let add = shorter.iter().map(|x| [x.as_slice(), &[last, next]].concat());
        replace.chain(add).collect()
    }

    fn one_cycle(a: &Matching, b: &Matching) -> bool {
        let (mut at, mut length) = (0, 0);
        loop {
            at = b[a[at]];
            length += 2;
            if at == 0 {
                return length == a.len();
            }
        }
    }

    fn rank_of(rows: impl Iterator<Item = Vec<u64>>) -> usize {
        let mut basis: Vec<Vec<u64>> = Vec::new();
        for mut row in rows {
            if reduce(&mut row, basis.iter().map(Vec::as_slice)) {
                basis.push(row);
            }
        }
        basis.len()
    }

    #[test]
    fn rows_are_what_is_one_cycle_with_the_basis() {
        // The ends occupy only some of the slots.
        let slots = [1, 2, 4, 5, 8, 11, 12, 13, 20, 24];
        for ends in [2, 4, 6, 8, 10] {
            let basis = basis(ends);
            assert_eq!(basis.len(), rank(ends as u32) as usize);
            for matching in matchings(ends) {
                let mut state = State::<u128>::EMPTY;
                for (a, &b) in matching.iter().enumerate().filter(|&(a, &b)| a < b) {
                    state.connect(slots[a], slots[b]);
                }
                let mut row = vec![0; row_words(ends as u32)];
                write_row(state, state.pattern().ends(), &mut row);
                let expected = basis.iter().map(|x| one_cycle(&matching, x));
                let bits = (0..basis.len()).map(|a| row[a / 64] >> (a % 64) & 1 == 1);
                assert!(bits.eq(expected), "{matching:?}");
            }
        }
    }

    #[test]
    fn the_basis_has_the_rank_of_all_matchings() {
        for ends in [2, 4, 6, 8] {
            let (all, basis) = (matchings(ends), basis(ends));
            let rank_by = |columns: &[Matching]| {
                rank_of(all.iter().map(|matching| {
                    let mut row = vec![0; columns.len().div_ceil(64)];
                    for (k, column) in columns.iter().enumerate() {
                        row[k / 64] |= u64::from(one_cycle(matching, column)) << (k % 64);
                    }
                    row
                }))
            };
            assert_eq!(rank_by(&basis), rank(ends as u32) as usize);
            assert_eq!(rank_by(&all), rank(ends as u32) as usize);
        }
    }

    #[test]
    fn long_rows_are_a_permutation_on_the_basis_too() {
        // With eighteen ends, a row has four words.
        let all = basis(18);
        let rows: Vec<_> = all
            .iter()
            .map(|matching| {
                let mut state = State::<u128>::EMPTY;
                for (a, &b) in matching.iter().enumerate().filter(|&(a, &b)| a < b) {
                    state.connect(a as u32, b as u32);
                }
                let mut row = vec![0; row_words(18)];
                write_row(state, state.pattern().ends(), &mut row);
                row
            })
            .collect();
        for (a, row) in rows.iter().enumerate() {
            let mut expected = vec![0; 4];
            let b = 255 - a;
            expected[b / 64] |= 1 << (b % 64);
            assert_eq!(row, &expected);
        }
        assert_eq!(rank_of(rows.into_iter()), 256);
    }
}
