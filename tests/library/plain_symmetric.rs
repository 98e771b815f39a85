//! Counts of knight's tours under rotations, compared with a plain count that shares no code with them.
//!
//! The plain count finds the orbits of squares and the voltages of moves from coordinates. It goes over the orbits in
//! an order of its own. A state is the list of all mates on the frontier. Counts are pairs of numbers modulo a prime:
//! one for cycles with an even sum of voltages, one for an odd sum. The only pruning is by degrees: the other orbits
//! must be able to complete all degrees to 2, which a search with a memory decides.
//!
//! States with the same degrees form a list, which is sorted to merge equal states. If there are too many states, they
//! are divided into two parts, and each part is counted on its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hamcnf::count::frontier::exact;
use hamcnf::count::symmetric;
use hamcnf::endpoints::Endpoints;
use hamcnf::{Board, BoardSymmetry, Instance, TourKind, Vertex};
use num_bigint::BigUint;

const PRIME: u64 = (1 << 61) - 1;

/// Mate of a vertex that has two edges. A vertex without edges is its own mate, and the two ends of a path are mates of
/// each other.
const INNER: usize = 31;

/// Pair of numbers modulo [`PRIME`], for even and odd sums of voltages.
type Pair = [u64; 2];

fn sum(a: Pair, b: Pair) -> Pair {
    [(a[0] + b[0]) % PRIME, (a[1] + b[1]) % PRIME]
}

/// Returns (a + b x)(e + o x), where x² = 1.
fn product([a, b]: Pair, [e, o]: Pair) -> Pair {
    [(a * e + b * o) % PRIME, (a * o + b * e) % PRIME]
}

/// Mates of the slots, five bits each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mates(u128);

impl Mates {
    fn get(self, slot: usize) -> usize {
        (self.0 >> (5 * slot)) as usize & 31
    }

    fn set(&mut self, slot: usize, mate: usize) {
        self.0 = self.0 & !(31 << (5 * slot)) | (mate as u128) << (5 * slot);
    }

    /// Adds an edge between two slots with fewer than two edges. Returns false if it closes a cycle.
    fn add(&mut self, u: usize, w: usize) -> bool {
        let (a, b) = (self.get(u), self.get(w));
        self.set(u, INNER);
        self.set(w, INNER);
        if a == w {
            return false;
        }
        self.set(a, b);
        self.set(b, a);
        true
    }
}

/// Degrees of the slots, two bits each.
type Degrees = u64;

fn degree(degrees: Degrees, slot: usize) -> u64 {
    degrees >> (2 * slot) & 3
}

/// Multigraph of orbits, in the order of the count.
struct Quotient {
    /// Later neighbours of each vertex: their numbers, and the numbers of even and odd connections.
    later: Vec<Vec<(usize, Pair)>>,
    /// Slot of each vertex. A slot is used again after its vertex.
    slots: Vec<usize>,
}

impl Quotient {
    /// Returns the quotient of the knight's graph by the rotation by 180 degrees, or by 90 degrees.
    fn new(rows: i32, cols: i32, is_quarter: bool) -> Self {
        let turned = |(x, y): (i32, i32)| match is_quarter {
            true => (rows - 1 - y, x),
            false => (cols - 1 - x, rows - 1 - y),
        };
        let mut places = BTreeMap::new();
        let mut firsts = Vec::new();
        for square in (0..rows).flat_map(|y| (0..cols).map(move |x| (x, y))) {
            let (mut image, mut turns) = (square, 0);
            while !places.contains_key(&image) {
                places.insert(image, (firsts.len(), turns));
                (image, turns) = (turned(image), turns + 1);
            }
            if turns > 0 {
                firsts.push(square);
            }
        }
        let mut moves: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
        for (orbit, (x, y)) in firsts.iter().enumerate() {
            for (dx, dy) in (-2i32..3).flat_map(|dx| (-2i32..3).map(move |dy| (dx, dy))) {
                if let Some(&(other, turns)) = places.get(&(x + dx, y + dy))
                    && (dx * dy).abs() == 2
                    && other != orbit
                {
                    moves.entry((orbit, other)).or_default()[turns % 2] += 1;
                }
            }
        }
        let order = narrow(firsts.len(), &moves);
        let place = |orbit: usize| order.iter().position(|&other| other == orbit).unwrap();
        let mut later = vec![Vec::new(); order.len()];
        for (&(a, b), &pair) in &moves {
            let (a, b) = (place(a), place(b));
            if a < b {
                later[a].push((b, pair));
            }
        }
        let mut slots = vec![usize::MAX; order.len()];
        let mut free: BTreeSet<_> = (0..25).collect();
        for t in 0..order.len() {
            for w in later[t].iter().map(|(w, _)| *w).chain([t]) {
                if slots[w] == usize::MAX {
                    slots[w] = free.pop_first().expect("the frontier has few vertices");
                }
            }
            free.insert(slots[t]);
        }
        Self { later, slots }
    }

    /// Calls `visit` for each choice of edges at vertex t: with the degrees after it, and the later neighbours.
    fn choices(&self, t: usize, degrees: Degrees, mut visit: impl FnMut(Degrees, &[(usize, Pair)])) {
        let slot = self.slots[t];
        let one = |w: usize| 1 << (2 * self.slots[w]);
        let open: Vec<_> = self.later[t].iter().copied().filter(|(w, _)| degree(degrees, self.slots[*w]) < 2).collect();
        let rest = degrees & !(3 << (2 * slot));
        match degree(degrees, slot) {
            2 => visit(rest, &[]),
            1 => open.iter().for_each(|&v| visit(rest + one(v.0), &[v])),
            _ => {
                for (k, &v) in open.iter().enumerate() {
                    open[k + 1..].iter().for_each(|&w| visit(rest + one(v.0) + one(w.0), &[v, w]));
                }
            }
        }
    }

    /// True if edges of vertex t and the later vertices can complete the degrees of all of them to 2.
    fn is_possible(&self, t: usize, degrees: Degrees, known: &mut [HashMap<Degrees, bool>]) -> bool {
        if t == self.slots.len() {
            return true;
        }
        if let Some(&is_possible) = known[t].get(&degrees) {
            return is_possible;
        }
        let mut targets = Vec::new();
        self.choices(t, degrees, |target, _| targets.push(target));
        let is_possible = targets.into_iter().any(|target| self.is_possible(t + 1, target, known));
        known[t].insert(degrees, is_possible);
        is_possible
    }

    /// Returns the weights of all cycles that begin with one of these states before vertex t.
    fn complete(&self, mut t: usize, mut layer: Layer, most: usize, known: &mut [HashMap<Degrees, bool>]) -> Pair {
        let mut all = [0, 0];
        while t < self.slots.len() {
            let states: usize = layer.values().map(Vec::len).sum();
            if states > most && layer.len() > 1 {
                let parts = self.parts(t, layer, states).into_iter();
                return parts.fold(all, |all, part| sum(all, self.complete(t, part, most, known)));
            }
            let mut next = Layer::new();
            let slot = self.slots[t];
            let frontier = self.frontier(t + 1);
            let is_complete = |degrees| {
                let is_done = |w: &usize| degree(degrees, self.slots[*w]) == 2;
                frontier.len() == self.slots.len() - (t + 1) && frontier.iter().all(is_done)
            };
            for (degrees, group) in layer {
                self.choices(t, degrees, |target, chosen| {
                    let may_close = is_complete(target);
                    if !self.is_possible(t + 1, target, known) {
                        return;
                    }
                    let to = next.entry(target).or_default();
                    for &(mut mates, mut weight) in &group {
                        let mut closed = 0;
                        for &(w, connections) in chosen {
                            closed += usize::from(!mates.add(slot, self.slots[w]));
                            weight = product(weight, connections);
                        }
                        match closed {
                            0 => {
                                mates.set(slot, slot);
                                to.push((mates, weight));
                            }
                            1 if may_close => all = sum(all, weight),
                            _ => {}
                        }
                    }
                });
            }
            for group in next.values_mut() {
                group.sort_unstable_by_key(|(mates, _)| *mates);
                group.dedup_by(|second, first| {
                    let is_same = first.0 == second.0;
                    if is_same {
                        first.1 = sum(first.1, second.1);
                    }
                    is_same
                });
            }
            layer = next;
            t += 1;
        }
        all
    }

    /// Returns the frontier before vertex t: the vertices from t on that have earlier neighbours.
    fn frontier(&self, t: usize) -> BTreeSet<usize> {
        let later = self.later[..t].iter().flatten();
        later.map(|(w, _)| *w).filter(|&w| w >= t).collect()
    }

    /// Divides a layer of at least two groups into two parts of about the same size. The degree of the last vertex
    /// matters most, as states with different degrees of it stay different for the longest time.
    fn parts(&self, t: usize, layer: Layer, states: usize) -> [Layer; 2] {
        let mut groups: Vec<_> = layer.into_iter().collect();
        let frontier = self.frontier(t);
        let key = |degrees: Degrees| {
            let last_first = frontier.iter().rev();
            last_first.map(|&w| degree(degrees, self.slots[w])).collect::<Vec<_>>()
        };
        groups.sort_by_cached_key(|(degrees, _)| key(*degrees));
        let mut parts = [Layer::new(), Layer::new()];
        let mut seen = 0;
        for (degrees, group) in groups {
            let part = usize::from(2 * seen + group.len() > states);
            seen += group.len();
            parts[part].insert(degrees, group);
        }
        parts
    }

    /// Returns the number of cycles with an odd sum of voltages. At most about `most` states are kept at a time.
    fn count(&self, most: usize) -> u64 {
        let mut mates = Mates(0);
        (0..25).for_each(|slot| mates.set(slot, slot));
        let first = Layer::from([(0, vec![(mates, [1, 0])])]);
        let mut known = vec![HashMap::new(); self.slots.len()];
        let [_, odd] = self.complete(0, first, most, &mut known);
        odd
    }
}

/// States before a vertex, by degrees.
type Layer = HashMap<Degrees, Vec<(Mates, Pair)>>;

/// Returns an order of the vertices with a narrow frontier: the best of the orders that begin with each vertex and go on
/// with a vertex that leaves the fewest vertices on the frontier.
fn narrow(n: usize, moves: &BTreeMap<(usize, usize), Pair>) -> Vec<usize> {
    let after = |mut frontier: BTreeSet<usize>, done: &BTreeSet<usize>, v: usize| {
        let neighbours = moves.range((v, 0)..(v + 1, 0)).map(|((_, w), _)| *w);
        frontier.extend(neighbours.filter(|w| !done.contains(w)));
        frontier.remove(&v);
        frontier
    };
    let orders = (0..n).map(|first| {
        let (mut order, mut cost) = (vec![first], 0.0);
        let mut done = BTreeSet::from([first]);
        let mut frontier = after(BTreeSet::new(), &done, first);
        while let Some(next) = frontier.iter().copied().min_by_key(|&v| after(frontier.clone(), &done, v).len()) {
            done.insert(next);
            frontier = after(frontier, &done, next);
            order.push(next);
            cost += 3f64.powi(frontier.len() as i32);
        }
        (order, cost)
    });
    let connected = orders.filter(|(order, _)| order.len() == n);
    connected.min_by(|a, b| a.1.total_cmp(&b.1)).expect("the quotient is connected").0
}

/// Compares the two counts of the closed tours of a board under a rotation. Both sides of the board must be even, as
/// then no square is adjacent to its image. `most` is the number of states that the plain count keeps at a time.
/// Returns the count modulo [`PRIME`].
#[track_caller]
fn counts_agree(rows: u32, cols: u32, rotation: BoardSymmetry, most: usize) -> BigUint {
    let options = exact::Options { threads: 2, memory: 8 << 30, try_hard: true, ..exact::Options::default() };
    let board: Board = format!("{rows}x{cols}").parse().unwrap();
    let symmetry = rotation.on(&board.into()).unwrap();
    let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
    let ends = Endpoints::Closed;
    let found = symmetric::count(&instance, &symmetry, ends, &options, &mut |_| (), &mut |_| ());
    let found = found.unwrap().count % PRIME;
    let is_quarter = rotation == BoardSymmetry::QuarterTurn;
    let expected = Quotient::new(rows as i32, cols as i32, is_quarter).count(most);
    assert_eq!(found, BigUint::from(expected), "{instance} {rotation:?}");
    found
}

#[test]
fn counts_of_small_boards_agree() {
    // Boards of four rows have no closed tours, and boards of 8k by 8k or 4 by 4 none under a quarter turn.
    for (rows, cols, has_tours) in [(4, 6, false), (6, 6, true), (6, 8, true)] {
        let count = counts_agree(rows, cols, BoardSymmetry::HalfTurn, 1000);
        assert_eq!(count != BigUint::ZERO, has_tours, "{rows}x{cols}");
    }
    for (side, has_tours) in [(4, false), (6, true), (8, false), (10, true)] {
        let count = counts_agree(side, side, BoardSymmetry::QuarterTurn, 1000);
        assert_eq!(count != BigUint::ZERO, has_tours, "{side}x{side}");
    }
}

#[test]
#[ignore = "takes an hour and 4 GB"]
fn counts_of_large_boards_agree() {
    for (rows, cols) in [(6, 10), (6, 12), (8, 8), (8, 10), (10, 10)] {
        counts_agree(rows, cols, BoardSymmetry::HalfTurn, 10_000_000);
    }
    counts_agree(14, 14, BoardSymmetry::QuarterTurn, 10_000_000);
}
