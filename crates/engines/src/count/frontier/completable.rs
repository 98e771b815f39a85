//! Degree vectors of the frontier that can still be completed to a tour.
//!
//! A state's degree vector holds the number of edges that each frontier vertex has so far: 0, 1 or 2. A vector can be
//! completed if some choice of the remaining edges gives every vertex two edges. This does not depend on the matching
//! of the ends of paths. Therefore a backward pass over the vertices decides it for all 3^f vectors of a frontier of f
//! vertices before the count begins. The count never creates a state whose vector cannot be completed. Without this
//! pruning, most states in the second half of a board are dead ends.
//!
//! In addition, while some vertex still lacks an edge, a state must contain at least one path. If it contains none, a
//! cycle has closed too early.

use super::degrees::Degrees;
use super::sweep::{Seat, Step, Sweep};
use crate::budget::Budget;

/// Maximum number of vectors of one frontier in the backward pass, which needs four bytes of memory for each.
const MOST_VECTORS: usize = 3usize.pow(17);

/// Number of bytes that exact sets may use under any memory limit: about as many as the program uses without them.
const LEAST: u64 = 16 << 20;

/// Degree vectors that a state may have after each step of a sweep.
pub(super) enum Completable {
    /// One set per step: entry t holds the vectors of the frontier after t vertices.
    Exactly(Vec<VectorSet>),
    /// The frontier is too wide for sets. Only the number of edges that each vertex can still get is considered. Entry
    /// t holds two masks: slots whose vertices must have two edges after t vertices, and slots whose vertices must have
    /// at least one edge.
    Roughly(Vec<(u64, u64)>),
    /// Nothing is known, so no state is dropped.
    Unknown,
}

impl Completable {
    /// Computes exact sets by a backward pass if the frontier is narrow enough and the sets fit into half of the memory
    /// (in bytes); otherwise computes rough bounds. Returns `None` if the deadline passes first.
    pub(super) fn new(sweep: &Sweep, memory: u64, watch: &Budget) -> Option<Self> {
        let widest = (0..=sweep.n()).map(|t| sweep.frontier(t).len()).max();
        let vectors = widest.and_then(|f| 3usize.checked_pow(f as u32));
        let fits = vectors.is_some_and(|vectors| vectors <= MOST_VECTORS)
            && Self::bytes_of(sweep) <= (memory / 2).max(LEAST);
        if fits {
            Self::exactly(sweep, watch)
        } else {
            Some(Self::roughly(sweep))
        }
    }

    /// Computes rough bounds, which consider each vertex separately.
    pub(super) fn roughly(sweep: &Sweep) -> Self {
        let needs = |t: usize, edges: u32| {
            let frontier = sweep.frontier(t).iter();
            let slots = frontier
                .filter(move |seat| sweep.edges_left(t, seat.vertex) == edges)
                .map(|seat| seat.slot);
            Degrees::mask(slots)
        };
        Self::Roughly(
            (0..=sweep.n())
                .map(|t| (needs(t, 0), needs(t, 1)))
                .collect(),
        )
    }

    /// Returns the number of bytes needed to compute exact sets, for frontiers with up to [`MOST_VECTORS`] vectors.
    fn bytes_of(sweep: &Sweep) -> u64 {
        let vectors = |t| 3u64.saturating_pow(sweep.frontier(t).len() as u32);
        let widest = (0..=sweep.n()).map(vectors).max().unwrap_or(0);
        let sets: u64 = (0..=sweep.n()).map(|t| vectors(t) / 8).sum();
        4 * widest + sets
    }

    fn exactly(sweep: &Sweep, watch: &Budget) -> Option<Self> {
        let mut sets = Vec::with_capacity(sweep.n() + 1);
        let mut backwards = Backwards::last();
        sets.push(VectorSet::new(&backwards.vectors, sweep, sweep.n()));
        for t in (0..sweep.n()).rev() {
            if watch.over().is_some() {
                return None;
            }
            backwards.before(sweep, t);
            sets.push(VectorSet::new(&backwards.vectors, sweep, t));
        }
        sets.reverse();
        Some(Self::Exactly(sets))
    }

    /// Returns an upper bound on the number of states of one frontier: the sum over its vectors of the number of
    /// matchings of their path ends. k ends have (k − 1)!! = 1·3·5⋯(k − 1) matchings.
    pub(super) fn most_states(&self, sweep: &Sweep) -> f64 {
        let widest = (0..=sweep.n()).map(|t| sweep.frontier(t).len()).max();
        let Some(set) = self.largest() else {
            // All 3^f vectors are possible: choose k ends; each other vertex has degree 0 or 2.
            let f = widest.unwrap_or(0) as i32;
            let choose = |k| (0..k).fold(1.0, |c, i| c * f64::from(f - i) / f64::from(i + 1));
            let vectors = |k| choose(k) * 2f64.powi(f - k);
            return (0..=f).step_by(2).map(|k| vectors(k) * matchings(k)).sum();
        };
        set.numbers()
            .map(|mut number| {
                let mut ends = 0;
                while number > 0 {
                    ends += i32::from(number % 3 == 1);
                    number /= 3;
                }
                matchings(ends)
            })
            .sum()
    }

    /// Returns the set with the most vectors; `None` if there are no exact sets.
    fn largest(&self) -> Option<&VectorSet> {
        match self {
            Self::Exactly(sets) => sets.iter().max_by_key(|set| set.size()),
            Self::Roughly(_) | Self::Unknown => None,
        }
    }

    /// Returns the number of bytes that the sets occupy.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Exactly(sets) => sets.iter().map(|set| 8 * set.bits.len() as u64).sum(),
            Self::Roughly(_) | Self::Unknown => 0,
        }
    }

    /// True if a state with these degrees after t vertices can still become a tour, as far as degrees show.
    #[inline]
    pub(super) fn contains(&self, t: usize, degrees: Degrees) -> bool {
        match self {
            Self::Unknown => true,
            Self::Exactly(sets) => sets[t].contains(degrees),
            Self::Roughly(needs) => {
                let (two, one) = needs[t];
                let high = degrees.0 & !Degrees::LOW;
                let has_two = high | high >> 1;
                let has_one = degrees.0 & Degrees::LOW;
                let has_any = has_two | has_one | has_one << 1;
                two & !has_two == 0 && one & !has_any == 0
            }
        }
    }
}

/// Returns the number (k − 1)!! of ways to pair k ends of paths, where k is `ends`.
fn matchings(ends: i32) -> f64 {
    (1..ends).step_by(2).map(f64::from).product()
}

/// Set of degree vectors of one frontier, with one bit per vector. A vector is numbered by its degrees as digits in
/// base 3; the vertex that comes next in the order has the highest digit.
pub(super) struct VectorSet {
    bits: Vec<u64>,
    /// Tables, one for each group of four slots: the contribution of the degrees of these slots to the number of a
    /// vector.
    parts: Vec<[u32; 256]>,
}

impl VectorSet {
    fn new(vectors: &[u8], sweep: &Sweep, t: usize) -> Self {
        let pack = |chunk: &[u8]| {
            let eights = chunk.chunks(8).enumerate();
            eights.fold(0, |word, (k, eight)| word | gathered(eight) << (8 * k))
        };
        let frontier = sweep.frontier(t);
        let mut parts = vec![[0; 256]; sweep.slots().div_ceil(4)];
        for (place, seat) in frontier.iter().rev().enumerate() {
            let part = &mut parts[seat.slot as usize / 4];
            for (byte, value) in part.iter_mut().enumerate() {
                *value += (byte >> (2 * (seat.slot % 4)) & 3) as u32 * 3u32.pow(place as u32);
            }
        }
        Self {
            bits: vectors.chunks(64).map(pack).collect(),
            parts,
        }
    }

    fn size(&self) -> u32 {
        self.bits.iter().map(|word| word.count_ones()).sum()
    }

    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        let places = |&(_, word): &(usize, u64)| word != 0;
        let words = self.bits.iter().copied().enumerate().filter(places);
        words.flat_map(|(k, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| 64 * k + bit)
        })
    }

    #[inline]
    fn contains(&self, degrees: Degrees) -> bool {
        let mut number = 0;
        for (k, part) in self.parts.iter().enumerate() {
            number += part[(degrees.0 >> (8 * k) & 255) as usize];
        }
        self.bits[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

/// Packs up to eight bytes, each 0 or 1, into the lowest bits of a word.
fn gathered(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    eight[..bytes.len()].copy_from_slice(bytes);
    // The multiplication moves byte k to bit 56 + k; no two bits collide.
    u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// State of the backward pass: for each vector number, 1 if the vector can be completed to a tour, else 0. The fields
/// `one` and `two` are work space for the step to the preceding vertex.
struct Backwards {
    vectors: Vec<u8>,
    one: Vec<u8>,
    two: Vec<u8>,
}

impl Backwards {
    /// Returns the state after the last vertex, where the frontier is empty and a tour is complete.
    fn last() -> Self {
        Self {
            vectors: vec![1],
            one: Vec::new(),
            two: Vec::new(),
        }
    }

    /// Computes the vectors after t vertices from the vectors after t + 1.
    fn before(&mut self, sweep: &Sweep, t: usize) {
        let Step { vertex, later, .. } = sweep.step(t);
        let (frontier, earlier) = (sweep.frontier(t + 1), sweep.frontier(t));
        let stride = |seat: &Seat| {
            let place = frontier.iter().rev().position(|other| other == seat);
            3usize.pow(place.unwrap_or(0) as u32)
        };
        // Vectors that can be completed if this vertex gets zero, one or two edges to later vertices.
        let Self {
            vectors: none,
            one,
            two,
        } = self;
        for edges in [&mut *one, &mut *two] {
            edges.clear();
            edges.resize(none.len(), 0);
        }
        for seat in later {
            match stride(seat) {
                1 => with_edge(none, one, two, 1),
                3 => with_edge(none, one, two, 3),
                9 => with_edge(none, one, two, 9),
                stride => with_edge(none, one, two, stride),
            }
        }
        // Vertices that enter the frontier in this step have no earlier edge.
        for seat in frontier {
            if !earlier.contains(seat) {
                for vectors in [&mut *none, &mut *one, &mut *two] {
                    keep_where_zero(vectors, stride(seat));
                }
            }
        }
        // The vertex itself has the highest digit. With 0, 1 or 2 earlier edges, it needs 2, 1 or 0 later edges. If it
        // is not on the frontier before this step, it has no digit and needs two later edges.
        if earlier.first().is_some_and(|seat| seat.vertex == *vertex) {
            two.extend_from_slice(one);
            two.extend_from_slice(none);
        }
        std::mem::swap(none, two);
        if t > 0 {
            forget_closed(none, sweep, t);
        }
    }
}

/// Considers one more edge, which raises the digit with place value `stride` by one. The sets `none`, `one` and `two`
/// have a flag for each vector that can be completed after adding zero, one or two edges. A vector enters `one` if the
/// raised vector is in `none`, and `two` if the raised vector is in the old `one`. Inlined, so that short strides
/// become constants.
#[inline(always)]
fn with_edge(none: &[u8], one: &mut [u8], two: &mut [u8], stride: usize) {
    let add = |to: &mut [u8], from: &[u8]| {
        for (to, from) in to.iter_mut().zip(from) {
            *to |= from;
        }
    };
    let chunks = none
        .chunks_exact(3 * stride)
        .zip(one.chunks_exact_mut(3 * stride))
        .zip(two.chunks_exact_mut(3 * stride));
    for ((none, one), two) in chunks {
        add(&mut two[..2 * stride], &one[stride..]);
        add(&mut one[..2 * stride], &none[stride..]);
    }
}

/// Keeps the vectors whose digit with place value `stride` is 0, and removes this digit.
fn keep_where_zero(vectors: &mut Vec<u8>, stride: usize) {
    let kept = vectors.len() / 3;
    if stride == 1 {
        // Single bytes are copied in a plain loop, because a function call for each byte would take most of the time.
        for k in 0..kept {
            vectors[k] = vectors[3 * k];
        }
    } else {
        for k in 0..kept / stride {
            vectors.copy_within(3 * k * stride..(3 * k + 1) * stride, k * stride);
        }
    }
    vectors.truncate(kept);
}

/// Removes the vectors without paths (without a digit 1), except the vector of a complete tour. In the others, a cycle
/// has closed too early.
fn forget_closed(vectors: &mut [u8], sweep: &Sweep, t: usize) {
    let digits = sweep.frontier(t).len();
    let all_two = 3usize.pow(digits as u32) - 1;
    for choice in 0..1usize << digits {
        let number = (0..digits).fold(0, |number, k| {
            number + 2 * (choice >> k & 1) * 3usize.pow(k as u32)
        });
        if number != all_two || sweep.unseen(t) > 0 {
            vectors[number] = 0;
        }
    }
}
