//! Sets of degree vectors of one frontier, with one bit per vector, and the operations of a backward pass on them.
//!
//! A vector has a digit 0, 1 or 2 for each frontier vertex. Vectors that differ only in their five lowest digits share
//! a word of 256 bits, of which they use 3^5 = 243. In a word, the position of a vector is the number in base 3 that its
//! low digits form; the word's index is the number that the other digits form. An operation on a high digit combines
//! whole words, and an operation on a low digit shifts the bits of each word.

use crate::threads;

/// Number of low digits.
const LOW: usize = 5;

/// Bits of the vectors that differ only in their low digits, from the lowest bit to the highest.
pub(crate) type Word256 = [u64; 4];

/// Number of bits of a word.
const WORD_BITS: usize = 256;

/// Minimum number of words for which several threads are used. In unit tests, it is low, so that small sets are shared out.
const WORTH_THREADS: usize = if cfg!(test) { 4 } else { 1 << 12 };

/// Number of words of a set of vectors with this number of digits.
pub(crate) fn words(digits: usize) -> usize {
    3usize.pow(digits.saturating_sub(LOW) as u32)
}

/// Returns the amount by which the bit number of a vector grows if this digit grows by one. Digits are numbered from
/// the lowest, which is 0.
pub(crate) fn place_value(digit: usize) -> usize {
    match digit.checked_sub(LOW) {
        None => 3usize.pow(digit as u32),
        Some(high) => WORD_BITS * 3usize.pow(high as u32),
    }
}

/// True if the set contains the vector with this bit number.
#[inline]
pub(crate) fn contains(words: &[Word256], number: usize) -> bool {
    words.as_flattened()[number / 64] >> (number % 64) & 1 == 1
}

/// Returns how many vectors of the set have k digits that are 1, for each k.
pub(crate) fn by_ones(words: &[Word256]) -> [u64; 33] {
    let ones = |mut number: usize| {
        let mut ones = 0;
        while number > 0 {
            ones += usize::from(number % 3 == 1);
            number /= 3;
        }
        ones
    };
    // Entry k: all vectors of the low digits, of which k are 1.
    let mut low = [[0; 4]; LOW + 1];
    for number in 0..3usize.pow(LOW as u32) {
        low[ones(number)][number / 64] |= 1 << (number % 64);
    }
    let mut vectors = [0; 33];
    for (high, word) in words.iter().enumerate() {
        let ones_high = ones(high);
        for (ones_low, mask) in low.iter().enumerate() {
            let both = word.iter().zip(mask).map(|(a, b): (&u64, &u64)| a & b);
            let count: u32 = both.map(u64::count_ones).sum();
            vectors[ones_high + ones_low] += u64::from(count);
        }
    }
    vectors
}

/// Sets of the vectors that can be completed if the vertex of a step gets zero, one or two edges to later vertices.
pub(crate) struct Backwards {
    /// Number of digits of the vectors.
    digits: usize,
    pub(crate) none: Vec<Word256>,
    one: Vec<Word256>,
    two: Vec<Word256>,
    threads: usize,
}

impl Backwards {
    /// Begins with a set of vectors with this number of digits.
    pub(crate) fn new(digits: usize, none: Vec<Word256>, threads: usize) -> Self {
        Self { digits, none, one: Vec::new(), two: Vec::new(), threads }
    }

    /// Begins with the only vector of an empty frontier.
    pub(crate) fn last(threads: usize) -> Self {
        Self::new(0, vec![[1, 0, 0, 0]], threads)
    }

    /// Begins a step: the vertex has no edges to later vertices yet.
    pub(crate) fn begin(&mut self) {
        for edges in [&mut self.one, &mut self.two] {
            edges.clear();
            edges.resize(self.none.len(), [0; 4]);
        }
    }

    /// Considers one more edge, which raises a digit by one. A vector enters the set `one` if the raised vector is in
    /// `none`, and the set `two` if the raised vector is in the old `one`.
    pub(crate) fn with_edge(&mut self, digit: usize) {
        let Self { none, one, two, threads, .. } = self;
        let Some(high) = digit.checked_sub(LOW) else {
            let part = share(none.len(), *threads);
            let parts = one.chunks_mut(part).zip(two.chunks_mut(part));
            threads::each(none.chunks(part).zip(parts).collect(), &|(none, (one, two))| {
                // Each of these loops has a constant digit.
                match digit {
                    0 => raise_low::<0>(none, one, two),
                    1 => raise_low::<1>(none, one, two),
                    2 => raise_low::<2>(none, one, two),
                    3 => raise_low::<3>(none, one, two),
                    _ => raise_low::<4>(none, one, two),
                }
            });
            return;
        };
        let stride = 3usize.pow(high as u32);
        let period = 3 * stride;
        let periods = none.len() / period;
        if periods >= *threads {
            let part = match none.len() < WORTH_THREADS {
                true => none.len(),
                false => period * periods.div_ceil(*threads),
            };
            let parts = one.chunks_mut(part).zip(two.chunks_mut(part));
            threads::each(none.chunks(part).zip(parts).collect(), &|(none, (one, two))| {
                let parts = one.chunks_mut(period).zip(two.chunks_mut(period));
                for (none, (one, two)) in none.chunks(period).zip(parts) {
                    unite(&mut two[..2 * stride], &one[stride..]);
                    unite(&mut one[..2 * stride], &none[stride..]);
                }
            });
            return;
        }
        let part = share(2 * stride, *threads);
        let add = |to: &mut [Word256], from: &[Word256]| {
            for (to, from) in to.chunks_mut(period).zip(from.chunks(period)) {
                let parts = to[..2 * stride].chunks_mut(part);
                threads::each(parts.zip(from[stride..].chunks(part)).collect(), &|(to, from)| unite(to, from));
            }
        };
        add(two, one);
        add(one, none);
    }

    /// Keeps the vectors in which a digit is 0, and removes this digit.
    pub(crate) fn keep_where_zero(&mut self, digit: usize) {
        for words in [&mut self.none, &mut self.one, &mut self.two] {
            keep_where_zero(words, digit, self.threads);
        }
        self.digits -= 1;
    }

    /// Ends a step. If `has_digit` is true, adds the vertex as the highest digit: with 0, 1 or 2 earlier edges, it needs
    /// 2, 1 or 0 later edges. Otherwise it needs two later edges.
    pub(crate) fn end(&mut self, has_digit: bool) {
        let Self { digits, none, one, two, .. } = self;
        if has_digit {
            if *digits < LOW {
                let few = 3usize.pow(*digits as u32);
                for (k, words) in [(1, one), (2, &mut *none)] {
                    let [low, high, ..] = words[0];
                    put(&mut two[0], k * few, u128::from(low) | u128::from(high) << 64);
                }
            } else {
                two.extend_from_slice(one);
                two.extend_from_slice(none);
            }
            *digits += 1;
        }
        std::mem::swap(none, two);
    }

    /// Removes the vectors without a digit 1, except the one with digits 2 only if `keeps_last` is true.
    pub(crate) fn forget_closed(&mut self, keeps_last: bool) {
        let all = (1usize << self.digits) - 1;
        let places: Vec<_> = (0..self.digits).map(place_value).collect();
        let words = self.none.as_flattened_mut();
        for choice in (0..=all).filter(|&choice| choice != all || !keeps_last) {
            let twos = places.iter().enumerate();
            let twos = twos.filter(|(k, _)| choice >> k & 1 == 1);
            let number: usize = twos.map(|(_, place)| 2 * place).sum();
            words[number / 64] &= !(1 << (number % 64));
        }
    }

    /// Adds the vectors of another set.
    pub(crate) fn add(&mut self, other: &[Word256]) {
        unite(&mut self.none, other);
    }
}

/// Returns the number of items of each thread, if `items` items are shared out.
fn share(items: usize, threads: usize) -> usize {
    let threads = if items < WORTH_THREADS { 1 } else { threads };
    items.div_ceil(threads).max(1)
}

/// Adds the vectors of `from` to `to`.
#[inline]
fn unite(to: &mut [Word256], from: &[Word256]) {
    for (to, from) in to.iter_mut().zip(from) {
        for (to, from) in to.iter_mut().zip(from) {
            *to |= from;
        }
    }
}

/// Considers one more edge like [`Backwards::with_edge`], for a low digit.
fn raise_low<const DIGIT: u32>(none: &[Word256], one: &mut [Word256], two: &mut [Word256]) {
    for (none, (one, two)) in none.iter().zip(one.iter_mut().zip(two)) {
        unite_one(two, lowered::<DIGIT>(one));
        unite_one(one, lowered::<DIGIT>(none));
    }
}

#[inline]
fn unite_one(to: &mut Word256, from: Word256) {
    for (to, from) in to.iter_mut().zip(from) {
        *to |= from;
    }
}

/// Returns the vectors of a word in which a digit is at least 1, with this digit lowered by one.
#[inline]
fn lowered<const DIGIT: u32>(word: &Word256) -> Word256 {
    const {
        assert!(DIGIT < LOW as u32);
    }
    let below_two = const { below_two(DIGIT) };
    let by = const { 3u32.pow(DIGIT) };
    let (skip, shift) = ((by / 64) as usize, by % 64);
    std::array::from_fn(|k| {
        let at = |k: usize| word.get(k).copied().unwrap_or(0);
        (at(k + skip) >> shift | at(k + skip + 1) << (64 - shift)) & below_two[k]
    })
}

/// Returns the word of all vectors in which a digit is 0 or 1.
const fn below_two(digit: u32) -> Word256 {
    let mut word = [0; 4];
    let mut number = 0;
    while number < 3usize.pow(LOW as u32) {
        if number / 3usize.pow(digit) % 3 < 2 {
            word[number / 64] |= 1 << (number % 64);
        }
        number += 1;
    }
    word
}

/// Keeps the vectors of a set in which a digit is 0, and removes this digit.
fn keep_where_zero(words: &mut Vec<Word256>, digit: usize, threads: usize) {
    let Some(high) = digit.checked_sub(LOW) else {
        let few = words.len().div_ceil(3);
        let mut kept = vec![[0; 4]; few];
        let part = share(few, threads);
        let parts = kept.chunks_mut(part).zip(words.chunks(3 * part));
        // Each of these loops has a constant digit.
        threads::each(parts.collect(), &|(kept, words)| match digit {
            0 => keep_low::<0>(kept, words),
            1 => keep_low::<1>(kept, words),
            2 => keep_low::<2>(kept, words),
            3 => keep_low::<3>(kept, words),
            _ => keep_low::<4>(kept, words),
        });
        *words = kept;
        return;
    };
    let stride = 3usize.pow(high as u32);
    let kept = words.len() / 3;
    for k in 0..kept / stride {
        words.copy_within(3 * k * stride..(3 * k + 1) * stride, k * stride);
    }
    words.truncate(kept);
}

/// Keeps the vectors of `words` in which a low digit is 0. The lowest of the high digits becomes a low digit.
fn keep_low<const DIGIT: u32>(kept: &mut [Word256], words: &[Word256]) {
    for (kept, three) in kept.iter_mut().zip(words.chunks(3)) {
        for (k, word) in three.iter().enumerate() {
            put(kept, 81 * k, where_zero::<DIGIT>(word));
        }
    }
}

/// Returns the vectors of a word in which a low digit is 0, without this digit.
#[inline]
fn where_zero<const DIGIT: u32>(word: &Word256) -> u128 {
    if DIGIT == 0 {
        let [a, b, c, d] = *word;
        let low = every_third(a) | every_third(b >> 2) << 22;
        let high = every_third(c >> 1) | every_third(d) << 21;
        return u128::from(low) | u128::from(high) << 43;
    }
    let few = const { 3usize.pow(DIGIT) };
    (0..81 / few).fold(0, |kept, k| {
        let at = 3 * few * k;
        let bits = |k: usize| u128::from(word.get(k).copied().unwrap_or(0));
        let from_here = (bits(at / 64) | bits(at / 64 + 1) << 64) >> (at % 64);
        let from_here = from_here & ((1 << few) - 1);
        kept | from_here << (few * k)
    })
}

/// Returns the bits 0, 3, …, 63 of a word as the bits 0 to 21. Each line but the last doubles the length of the runs of
/// bits.
#[inline]
fn every_third(word: u64) -> u64 {
    let bits = word & 0x1249_2492_4924_9249;
    let bits = (bits | bits >> 2) & 0x10c3_0c30_c30c_30c3;
    let bits = (bits | bits >> 4) & 0x100f_00f0_0f00_f00f;
    let bits = (bits | bits >> 8) & 0x001f_0000_ff00_00ff;
    let bits = (bits | bits >> 16) & 0x001f_0000_0000_ffff;
    let bits = (bits | bits >> 32) & 0x001f_ffff;
    bits | word >> 63 << 21
}

/// Adds bits to a word, from bit `at` on. The bits must fit into the word.
#[inline]
fn put(word: &mut Word256, at: usize, bits: u128) {
    let (k, shift) = (at / 64, at % 64);
    word[k] |= (bits << shift) as u64;
    let rest = bits >> (64 - shift);
    for (to, part) in word[k + 1..].iter_mut().zip([rest, rest >> 64]) {
        *to |= part as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    type Plain = BTreeSet<Vec<usize>>;

    fn of(plain: &Plain, digits: usize) -> Vec<Word256> {
        let mut all = vec![[0; 4]; words(digits)];
        for vector in plain {
            let values = vector.iter().enumerate();
            let number: usize = values.map(|(digit, value)| value * place_value(digit)).sum();
            all[number / 256][number % 256 / 64] |= 1 << (number % 64);
            assert!(contains(&all, number));
        }
        let mut ones = [0; 33];
        for vector in plain {
            ones[vector.iter().filter(|&&value| value == 1).count()] += 1;
        }
        assert_eq!(by_ones(&all), ones);
        all
    }

    /// Returns about half of all vectors, with digits from the lowest to the highest.
    fn some(digits: usize, seed: u64) -> Plain {
        let all = (0..3usize.pow(digits as u32))
            .filter(|&number| (number as u64 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 == 1);
        let digit = |number: usize, digit: usize| number / 3usize.pow(digit as u32) % 3;
        all.map(|number| (0..digits).map(|k| digit(number, k)).collect()).collect()
    }

    fn raised(to: &Plain, from: &Plain, digit: usize) -> Plain {
        let lowered = from.iter().filter(|vector| vector[digit] > 0);
        let lowered = lowered.map(|vector| {
            let mut vector = vector.clone();
            vector[digit] -= 1;
            vector
        });
        to.iter().cloned().chain(lowered).collect()
    }

    fn without(plain: &Plain, digit: usize) -> Plain {
        let zero = plain.iter().filter(|vector| vector[digit] == 0);
        let shorter = zero.map(|vector| {
            let mut vector = vector.clone();
            vector.remove(digit);
            vector
        });
        shorter.collect()
    }

    /// Compares each operation with the same operation on sets of lists.
    #[test]
    fn operations_do_what_they_say() {
        for digits in 1..=8 {
            for digit in 0..digits {
                for threads in [1, 2, 3] {
                    let [none, one, two] = [1, 2, 3].map(|seed| some(digits, seed));
                    let mut backwards = Backwards {
                        one: of(&one, digits),
                        two: of(&two, digits),
                        ..Backwards::new(digits, of(&none, digits), threads)
                    };
                    backwards.with_edge(digit);
                    let (two, one) = (raised(&two, &one, digit), raised(&one, &none, digit));
                    assert_eq!(backwards.none, of(&none, digits));
                    assert_eq!(backwards.one, of(&one, digits));
                    assert_eq!(backwards.two, of(&two, digits), "{digit} of {digits}");
                    backwards.keep_where_zero(digit);
                    let [none, one, two] = [none, one, two].map(|plain| without(&plain, digit));
                    assert_eq!(backwards.none, of(&none, digits - 1));
                    assert_eq!(backwards.two, of(&two, digits - 1), "{digit} of {digits}");
                    let all = [(2, &none), (1, &one), (0, &two)]
                        .into_iter()
                        .flat_map(|(top, plain)| plain.iter().map(move |vector| [&vector[..], &[top]].concat()));
                    let mut all: Plain = all.collect();
                    backwards.end(true);
                    assert_eq!(backwards.none, of(&all, digits));
                    backwards.forget_closed(true);
                    all.retain(|vector| vector.contains(&1) || !vector.contains(&0));
                    assert_eq!(backwards.none, of(&all, digits));
                    backwards.forget_closed(false);
                    all.retain(|vector| vector.contains(&1));
                    assert_eq!(backwards.none, of(&all, digits));
                }
            }
        }
    }
}
