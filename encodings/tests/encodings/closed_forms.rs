//! Tests of the number of clauses and literals that encodings emit. The numbers of each clause family are compared with
//! the closed form in the documentation of its module. The tests compute the closed forms from degrees and distances
//! alone.

use hamcnf_encodings::{Clauses, Encoding, Formula, Orientation, Pruning, encoding};
use hamcnf_graph::graph_strategy::graphs;
use hamcnf_graph::{Graph, Named, Vertex};
use hamcnf_tours::{Count, Instance, TourKind};
use proptest::prelude::*;

/// An interval of positions, empty if lo > hi.
#[derive(Clone, Copy)]
struct Interval {
    lo: i64,
    hi: i64,
}

impl Interval {
    fn and(self, lo: i64, hi: i64) -> Self {
        Self { lo: self.lo.max(lo), hi: self.hi.min(hi) }
    }
    fn len(self) -> u64 {
        (self.hi - self.lo + 1).max(0) as u64
    }
    fn has(self, p: i64) -> bool {
        self.lo <= p && p <= self.hi
    }
}

fn pairs(k: u64) -> u64 {
    k * k.saturating_sub(1) / 2
}

/// An instance with the quantities that occur in the closed forms.
struct Facts {
    n: i64,
    start: usize,
    closed: bool,
    /// Heads of the arcs out of every vertex. For open tours, these include an arc to the start.
    out: Vec<Vec<usize>>,
    degree: Vec<u64>,
    neighbours: Vec<Vec<usize>>,
    window: Vec<Interval>,
    full: bool,
}

impl Facts {
    fn of(instance: &Instance, pruning: Pruning) -> Self {
        let graph = instance.graph();
        let n = i64::from(instance.n());
        let start = instance.start().index();
        let closed = instance.kind() == TourKind::Closed;
        let neighbours: Vec<Vec<usize>> =
            graph.vertices().map(|v| graph.neighbours(v).iter().map(|w| w.index()).collect()).collect();
        let mut out = neighbours.clone();
        for (v, heads) in out.iter_mut().enumerate() {
            if !closed && v != start && !heads.contains(&start) {
                heads.push(start);
            }
        }
        // Computes distances by relaxation, not by the breadth-first search under test.
        let far = 10 * n;
        let mut d = vec![far; n as usize];
        d[start] = 0;
        for _ in 0..n {
            for v in 0..n as usize {
                for &w in &neighbours[v] {
                    d[w] = d[w].min(d[v] + 1);
                }
            }
        }
        let full = pruning == Pruning::Full;
        let window = d
            .iter()
            .enumerate()
            .map(|(v, &d)| match pruning {
                Pruning::None => Interval { lo: 0, hi: n - 1 },
                _ if full && v == start => Interval { lo: 0, hi: 0 },
                _ if d == far => Interval { lo: 1, hi: 0 },
                _ => Interval { lo: d, hi: if closed { (n - d).min(n - 1) } else { n - 1 } },
            })
            .collect();
        let degree = neighbours.iter().map(|ns| ns.len() as u64).collect();
        Self { n, start, closed, out, degree, neighbours, window, full }
    }

    fn arcs(&self) -> u64 {
        self.out.iter().map(|heads| heads.len() as u64).sum()
    }

    fn others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.n as usize).filter(|&v| v != self.start)
    }

    fn in_degree(&self, v: usize) -> u64 {
        self.out.iter().filter(|heads| heads.contains(&v)).count() as u64
    }

    /// True if v has position variables. Under full pruning, the start has none.
    fn placed(&self, v: usize) -> bool {
        !(self.full && v == self.start)
    }

    /// Returns the number of position variables of v.
    fn width(&self, v: usize) -> u64 {
        if self.placed(v) { self.window[v].len() } else { 0 }
    }
}

/// Counts the clauses of "exactly one of k literals", pairwise.
fn exactly_one(k: u64) -> Count {
    let mut count = Count::of(1, k);
    count += Count::of(pairs(k), 2);
    count
}

fn sum(counts: impl IntoIterator<Item = Count>) -> Count {
    let mut total = Count::default();
    counts.into_iter().for_each(|c| total += c);
    total
}

type Families = Vec<(&'static str, Count)>;

fn direct(f: &Facts) -> (u64, Families) {
    let all = || 0..f.n as usize;
    let at = |p: i64| all().filter(|&v| f.placed(v) && f.window[v].has(p)).count() as u64;
    // Under full pruning the start is at position 0, and no other vertex can be there.
    let positions = || i64::from(f.full)..f.n;
    let vertices = || all().filter(|&v| f.placed(v));
    let step = |v: usize, p: i64| {
        let next = f.neighbours[v].iter().filter(|&&w| f.placed(w) && f.window[w].has(p + 1)).count();
        Count::of(1, next as u64 + u64::from(f.placed(v)))
    };
    let steps = all().flat_map(|v| {
        let w = f.window[v].and(0, f.n - 2);
        (w.lo..=w.hi).map(move |p| (v, p))
    });
    let mut ends = if f.full { Count::default() } else { Count::of(1, 1) };
    if f.closed {
        let last = |v: &&usize| f.window[**v].has(f.n - 1);
        let near = &f.neighbours[f.start];
        let near = if near.len() == 2 { &near[1..] } else { &near[..] };
        ends += Count::of(1, near.iter().filter(last).count() as u64);
    }
    let families = vec![
        ("(1)", sum(positions().map(|p| Count::of(1, at(p))))),
        ("(2)", sum(positions().map(|p| Count::of(pairs(at(p)), 2)))),
        ("(3)", sum(vertices().map(|v| Count::of(1, f.width(v))))),
        ("(4)", sum(vertices().map(|v| Count::of(pairs(f.width(v)), 2)))),
        ("(5)", sum(steps.map(|(v, p)| step(v, p)))),
        ("(6)", ends),
    ];
    (all().map(|v| f.width(v)).sum(), families)
}

fn rows_and_columns(f: &Facts) -> Families {
    let all = || 0..f.n as usize;
    vec![
        ("(1)", sum(all().map(|v| exactly_one(f.out[v].len() as u64)))),
        ("(2)", sum(all().map(|v| exactly_one(f.in_degree(v))))),
    ]
}

fn unary(f: &Facts) -> (u64, Families) {
    let all = || 0..f.n as usize;
    let mut families = rows_and_columns(f);
    let mut positions = sum(all().filter(|&v| f.placed(v)).map(|v| exactly_one(f.width(v))));
    if !f.full {
        positions += Count::of(1, 1);
    }
    // A neighbour of the start can be at position 1 and, as the graph is simple, also at position N-1. For open tours
    // any reachable vertex can be at position N-1.
    let last = |v: usize| Count::of(1, 1 + u64::from(f.window[v].has(f.n - 1)));
    let moves = f.others().flat_map(|i| f.out[i].iter().map(move |&j| (i, j)));
    let moves = moves.filter(|&(_, j)| j != f.start).map(|(i, j)| {
        let from = f.window[i].and(1, f.n - 2);
        let both = from.and(f.window[j].lo - 1, f.window[j].hi - 1).len();
        let mut count = Count::of(both, 3);
        if f.full {
            count += Count::of(from.len() - both, 2);
        }
        count
    });
    families.extend([
        ("(U)", positions),
        ("(3')", Count::of(f.degree[f.start], 2)),
        ("(4')", sum(f.others().filter(|&v| f.out[v].contains(&f.start)).map(last))),
        ("(5')", sum(moves)),
    ]);
    (f.arcs() + all().map(|v| f.width(v)).sum::<u64>(), families)
}

/// Counts the clauses of lo ≤ x ≤ hi. Each 1 bit of `lo` has a clause over this bit and the 0 bits above it. Each 0 bit
/// of `hi` has a clause over this bit and the 1 bits above it.
fn bounds(lo: i64, hi: i64, m: u64) -> Count {
    if lo > hi {
        return Count::of(1, 0);
    }
    let bit = |value: i64, k: u64| value >> k & 1;
    let above = |k, value, other| (k + 1..m).filter(|&l| bit(value, l) == other).count() as u64;
    let lows = (0..m).filter(|&k| bit(lo, k) == 1);
    let highs = (0..m).filter(|&k| bit(hi, k) == 0);
    let lows = lows.map(|k| Count::of(1, 1 + above(k, lo, 0)));
    let highs = highs.map(|k| Count::of(1, 1 + above(k, hi, 1)));
    sum(lows.chain(highs))
}

/// Counts the clauses of `times` adders H → y = x + 1, where H is a literal and x and y have `m` bits.
fn adder(times: u64, m: u64) -> Count {
    let mut adder = Count::default();
    if m > 0 {
        adder += Count::of(2 * times, 3);
    }
    if m > 1 {
        adder += Count::of(4 * times, 4);
        adder += Count::of(2 * times * (m - 2), 5);
        adder += Count::of(4 * times * (m - 2), 4);
    }
    adder
}

fn binary(f: &Facts, pruning: Pruning) -> (u64, Families) {
    let n = f.n as u64;
    let m = u64::from((n - 1).ilog2()) + 1;
    let mut families = rows_and_columns(f);
    let back: u64 = f.in_degree(f.start);
    let to_start = |v: usize| f.out[v].contains(&f.start);
    let between: u64 = f.others().map(|v| f.out[v].len() as u64 - u64::from(to_start(v))).sum();
    families.extend([
        ("(6)", Count::of(m * f.degree[f.start], 2)),
        ("(7)", Count::of(m * back, 2)),
        ("(8)", adder(between, m)),
    ]);
    let windows = match pruning {
        Pruning::None => None,
        Pruning::AsPublished => Some(Count::of(f.others().map(|v| n - f.window[v].len()).sum(), m)),
        Pruning::Full => Some(sum(f.others().map(|v| {
            let Interval { lo, hi } = f.window[v];
            bounds(lo, hi, m)
        }))),
    };
    families.extend(windows.map(|count| ("(W)", count)));
    (f.arcs() + (n - 1) * m, families)
}

/// Returns a 2-colouring of the vertices, computed by relaxation; `None` if the graph is not bipartite.
fn two_colours(f: &Facts) -> Option<Vec<bool>> {
    let mut colour: Vec<Option<bool>> = vec![None; f.neighbours.len()];
    for first in std::iter::once(f.start).chain(0..f.neighbours.len()) {
        colour[first].get_or_insert(false);
        for _ in &f.neighbours {
            for (v, near) in f.neighbours.iter().enumerate() {
                for &w in near {
                    if let (Some(c), None) = (colour[v], colour[w]) {
                        colour[w] = Some(!c);
                    }
                }
            }
        }
    }
    let colour: Vec<bool> = colour.into_iter().flatten().collect();
    let proper = |(v, near): (usize, &Vec<usize>)| near.iter().all(|&w| colour[v] != colour[w]);
    let all = f.neighbours.iter().enumerate().all(proper);
    all.then_some(colour)
}

fn counting(f: &Facts, pruning: Pruning) -> (u64, Families) {
    let n = f.n as u64;
    let odd = two_colours(f);
    let m = u64::from((n - 1).ilog2()) + 1 - u64::from(odd.is_some());
    let edges = f.degree.iter().sum::<u64>() / 2;
    let at_start = f.degree[f.start];
    // An open tour uses edges at the start only to leave it.
    let (both, one) = if f.closed { (edges, 0) } else { (edges - at_start, at_start) };
    let mut edge_clauses = Count::of(2 * one + 2 * both, 2);
    edge_clauses += Count::of(both, 3);
    let mut families = rows_and_columns(f);
    families.extend([("(E)", edge_clauses), ("(6)", Count::of(m * at_start, 2))]);
    let fits = |v: usize, p: i64| odd.as_ref().is_none_or(|odd| odd[v] == (p % 2 == 1));
    let last = f
        .others()
        .filter(|&v| f.out[v].contains(&f.start))
        .map(|v| if fits(v, f.n - 1) { Count::of(m, 2) } else { Count::of(1, 1) });
    let steps = f.others().map(|v| {
        let heads = f.out[v].iter().filter(|&&w| w != f.start).count() as u64;
        match &odd {
            Some(odd) if !odd[v] => Count::of(2 * m * heads, 3),
            _ => adder(heads, m),
        }
    });
    families.extend([("(7)", sum(last)), ("(8)", sum(steps))]);
    if pruning != Pruning::None {
        let windows = f.others().map(|v| {
            let Interval { lo, hi } = f.window[v];
            match &odd {
                None => bounds(lo, hi, m),
                Some(_) => {
                    let fitting: Vec<i64> = (lo..=hi).filter(|&p| fits(v, p)).map(|p| p / 2).collect();
                    match fitting[..] {
                        [] => bounds(1, 0, m),
                        [first, ..] => bounds(first, fitting[fitting.len() - 1], m),
                    }
                }
            }
        });
        families.push(("(W)", sum(windows)));
    }
    (f.arcs() + edges + (n - 1) * m, families)
}

/// Counts the clauses (C) against cycles of length two: one clause for each edge. If tours are open, edges at the start
/// have no clause, because the arcs into the start are not moves.
fn two_cycles(f: &Facts) -> (&'static str, Count) {
    let edges = f.degree.iter().sum::<u64>() / 2;
    let at_start = if f.closed { 0 } else { f.degree[f.start] };
    ("(C)", Count::of(edges - at_start, 2))
}

/// Returns the number of arcs between vertices other than the start.
fn between(f: &Facts) -> u64 {
    let heads = |v: usize| f.out[v].iter().filter(|&&w| w != f.start).count() as u64;
    f.others().map(heads).sum()
}

fn replace(families: &mut Families, label: &str, count: Count) {
    let place = families.iter().position(|(l, _)| *l == label).unwrap();
    families[place].1 = count;
}

/// Counts the clauses of the encoding `espresso`. Its adder has 5 clauses for the lowest two bits, and 5b + 1 for each
/// other block of b bits.
fn espresso(f: &Facts, pruning: Pruning) -> (u64, Families) {
    let m = u64::from((f.n as u64 - 1).ilog2()) + 1;
    let (variables, mut families) = binary(f, pruning);
    let block = |b: u64| {
        let carried = sum((0..b).map(|i| Count::of(1, 5 + i)));
        // There are 4b clauses for the case without a carry, the clauses `carried` for a carry that reaches a one, and
        // one clause for a carry that reaches the last bit.
        sum([Count::of(4 * b, 4), carried, Count::of(1, 4 + b)])
    };
    let lowest = sum([Count::of(1, 3), Count::of(4, 4)]);
    let adder = match m {
        1 => adder(1, 1),
        2 => lowest,
        _ => {
            let rest = m - 2;
            let top = if rest <= 4 { rest } else { 4 - rest % 2 };
            let pairs = (0..(rest - top) / 2).map(|_| block(2));
            sum([lowest, sum(pairs), block(top)])
        }
    };
    replace(&mut families, "(8)", sum((0..between(f)).map(|_| adder)));
    (variables, families)
}

fn successor(f: &Facts, pruning: Pruning) -> (u64, Families) {
    let n = f.n as u64;
    let m = u64::from((n - 1).ilog2()) + 1;
    let (variables, mut families) = binary(f, pruning);
    let (sums, carries) = (m - 1, m.saturating_sub(2));
    let next =
        sum([Count::of(4 * sums * (n - 1), 3), Count::of(2 * carries * (n - 1), 2), Count::of(carries * (n - 1), 3)]);
    families.insert(2, ("(S)", next));
    replace(&mut families, "(8)", Count::of(2 * m * between(f), 3));
    (variables + (n - 1) * (sums + carries), families)
}

fn lfsr(f: &Facts, pruning: Pruning) -> (u64, Families) {
    let n = f.n as u64;
    let m = u64::from(n.ilog2()) + 1;
    let m = m.max(2);
    let mut families = rows_and_columns(f);
    // Registers of up to seven bits have two taps.
    assert!(m <= 7);
    let step = sum([Count::of(2 * (m - 1), 3), Count::of(4, 4)]);
    families.extend([
        ("(Z)", Count::of(n - 1, m)),
        ("(6)", Count::of(m * f.degree[f.start], 2)),
        ("(7)", Count::of(m * f.in_degree(f.start), 2)),
        ("(8)", sum((0..between(f)).map(|_| step))),
    ]);
    if pruning != Pruning::None {
        let outside = f.others().map(|v| n - f.window[v].len()).sum();
        families.push(("(W)", Count::of(outside, m)));
    }
    (f.arcs() + (n - 1) * m, families)
}

fn remainder(f: &Facts, pruning: Pruning) -> (u64, Families) {
    let n = f.n as u64;
    // Moduli among 4, 8, 16 and 3, 5, 7 that need the fewest variables.
    let (b, odd): (u64, &[u64]) = match n {
        ..=4 => (2, &[]),
        5..=8 => (3, &[]),
        9..=16 => (4, &[]),
        17..=24 => (3, &[3]),
        25..=48 => (4, &[3]),
        _ => panic!("no board of these tests is so large"),
    };
    let mut families = rows_and_columns(f);
    let at = |q: u64| if q == 0 { b } else { 1 };
    let each: u64 = at(0) + odd.iter().map(|&q| at(q)).sum::<u64>();
    let steps = odd.iter().map(|&q| Count::of(q * between(f), 3));
    families.extend([
        ("(R)", sum(odd.iter().map(|&q| sum((1..n).map(|_| exactly_one(q)))))),
        ("(6)", Count::of(each * f.degree[f.start], 2)),
        ("(7)", Count::of(each * f.in_degree(f.start), 2)),
        ("(8)", sum([adder(between(f), b), sum(steps)])),
    ]);
    if pruning != Pruning::None {
        let outside = f.others().map(|v| n - f.window[v].len()).sum();
        families.push(("(W)", Count::of(outside, each)));
    }
    (f.arcs() + (n - 1) * (b + odd.iter().sum::<u64>()), families)
}

/// Returns the number of triangles and the degree of each vertex, both in the chordal completion of the graph without
/// the start.
fn completion(f: &Facts) -> (u64, Vec<u64>) {
    let n = f.neighbours.len();
    let mut adjacent = vec![vec![false; n]; n];
    for v in f.others() {
        for &w in f.neighbours[v].iter().filter(|&&w| w != f.start) {
            adjacent[v][w] = true;
        }
    }
    let mut left: Vec<usize> = f.others().collect();
    let (mut triangles, mut at) = (0, vec![0; n]);
    while !left.is_empty() {
        let around = |v: usize| left.iter().copied().filter(move |&w| v != w);
        let degree = |v: usize| around(v).filter(|&w| adjacent[v][w]).count();
        // The first vertex of least degree.
        let v = left.iter().copied().min_by_key(|&v| degree(v)).unwrap();
        left.retain(|&w| w != v);
        let near: Vec<_> = left.iter().copied().filter(|&w| adjacent[v][w]).collect();
        triangles += pairs(near.len() as u64);
        at[v] += near.len() as u64;
        for &u in &near {
            at[u] += 1;
            for &w in near.iter().filter(|&&w| w != u) {
                adjacent[u][w] = true;
            }
        }
    }
    (triangles, at)
}

fn precedence(f: &Facts) -> (u64, Families) {
    let (triangles, at) = completion(f);
    let mut families = rows_and_columns(f);
    let to_start = |&v: &usize| f.out[v].contains(&f.start);
    families.extend([
        ("(T)", Count::of(2 * triangles, 3)),
        ("(3t)", Count::of(f.out[f.start].iter().map(|&v| at[v]).sum(), 2)),
        ("(4t)", Count::of(f.others().filter(to_start).map(|v| at[v]).sum(), 2)),
        ("(5t)", Count::of(between(f), 2)),
    ]);
    (f.arcs() + at.iter().sum::<u64>() / 2, families)
}

fn step(f: &Facts, instance: &Instance, pruning: Pruning) -> (u64, Families) {
    let board = instance.board().unwrap();
    let (n, rows, cols) = (f.n as u64, i64::from(board.rows()), i64::from(board.cols()));
    let bits = |size: i64| u64::from((size - 1).checked_ilog2().map_or(0, |k| k + 1));
    let (mr, mc) = (bits(rows), bits(cols));
    let (b, moves) = (mr + mc, if f.closed { n } else { n - 1 });
    let knight = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)];
    // Each row (or column) x has clauses over its m bits and the jump. If the jump stays on the board, there are m
    // clauses, each with one bit of the next row in addition. Otherwise there is one clause.
    let along = |size: i64, m: u64, by: i64| {
        sum((0..size).map(|x| if (0..size).contains(&(x + by)) { Count::of(m, m + 2) } else { Count::of(1, m + 1) }))
    };
    let jumps = sum(knight.map(|(r, c)| sum([along(rows, mr, r), along(cols, mc, c)])));
    let times = |k: u64, count: Count| sum((0..k).map(|_| count));
    let on_board = sum([bounds(0, rows - 1, mr), bounds(0, cols - 1, mc)]);
    let pair = sum([Count::of(4 * b, 3), Count::of(1, b)]);
    let mut families = vec![
        ("(S)", Count::of(b, 1)),
        ("(B)", times(n, on_board)),
        ("(J)", times(moves, exactly_one(8))),
        ("(M)", times(moves, jumps)),
        ("(D)", times(pairs(n), pair)),
    ];
    if pruning == Pruning::Full {
        let outside = f.others().map(|v| n - f.window[v].len()).sum();
        families.push(("(W)", Count::of(outside, b)));
    }
    (n * b + 8 * moves + b * pairs(n), families)
}

/// Counts the clauses of "exactly two of d literals": directly up to six, with a counter of 2(d − 2) variables above
/// six.
fn exactly_two(d: u64) -> Count {
    match d {
        0 => Count::of(1, 0),
        1 => sum([Count::of(1, 1), Count::of(1, 0)]),
        2..=6 => sum([Count::of(d, d - 1), Count::of(d * (d - 1) * (d - 2) / 6, 3)]),
        _ => {
            let of_a = sum([Count::of(2, 2), Count::of(1, 3)]);
            let first = sum([of_a, Count::of(1, 3), Count::of(2, 2)]);
            let other = sum([of_a, Count::of(1, 3), Count::of(2, 2), Count::of(2, 3)]);
            let others = (0..d - 3).map(|_| other);
            sum([first, sum(others), Count::of(3, 2)])
        }
    }
}

fn edges(f: &Facts) -> (u64, Families) {
    let at = |v: usize| f.degree[v] + u64::from(!f.closed);
    let of_two = (0..f.n as usize).filter(|&v| f.closed || v != f.start);
    let two = sum(of_two.clone().map(|v| exactly_two(at(v))));
    let counting = of_two.map(at).filter(|&d| d > 6).map(|d| 2 * (d - 2));
    let edges = f.degree.iter().sum::<u64>() / 2;
    let mut families = vec![("(E2)", two)];
    let mut variables = edges + counting.sum::<u64>();
    if !f.closed {
        let others = f.n as u64 - 1;
        variables += others;
        families.insert(0, ("(L)", exactly_one(others)));
        families.insert(0, ("(E1)", exactly_one(f.degree[f.start])));
    }
    (variables, families)
}

/// Counts the clauses (O) of the orientation: one clause of i + 1 literals for the i-th neighbour of the start, counted
/// from 0.
fn one_direction(instance: &Instance) -> (&'static str, Count) {
    let at_start = instance.graph().neighbours(instance.start()).len() as u64;
    ("(O)", sum((0..at_start).map(|i| Count::of(1, 1 + i))))
}

fn check(instance: &Instance) {
    for base in encoding::bases() {
        let encoding: Encoding = base.name.parse().unwrap();
        let encoding = encoding.with("at-most-one=pairwise").unwrap();
        if base.offers.boards_only && instance.board().is_none() {
            let error = Formula::new(encoding, instance).unwrap_err();
            assert!(error.to_string().contains("works only on boards without holes"));
            continue;
        }
        for &pruning in Pruning::ALL {
            let facts = Facts::of(instance, pruning);
            let (variables, mut families) = match base.name {
                "direct" => direct(&facts),
                "unary" => unary(&facts),
                "binary" => binary(&facts, pruning),
                "espresso" => espresso(&facts, pruning),
                "successor" => successor(&facts, pruning),
                "lfsr" => lfsr(&facts, pruning),
                "remainder" => remainder(&facts, pruning),
                "counting" => counting(&facts, pruning),
                "step" => step(&facts, instance, pruning),
                "precedence" => precedence(&facts),
                "relaxed" => (facts.arcs(), rows_and_columns(&facts)),
                "edges" => edges(&facts),
                other => panic!("the closed form of {other}"),
            };
            let Ok(encoding) = encoding.with(&format!("windows={pruning}")) else {
                assert!(!base.offers.positions, "{}", base.name);
                continue;
            };
            if encoding.value_of("two-cycles").as_deref() == Some("on") {
                families.push(two_cycles(&facts));
            }
            for &orientation in Orientation::ALL {
                let mut expected = families.clone();
                if orientation == Orientation::Fixed && instance.kind() == TourKind::Closed {
                    expected.push(one_direction(instance));
                }
                let Ok(encoding) = encoding.with(&format!("orientation={orientation}")) else {
                    assert!(!base.offers.directions, "{}", base.name);
                    continue;
                };
                let formula = Formula::new(encoding, instance).unwrap();
                let tally = formula.tally();
                let counted: Families = tally.families().iter().map(|&(f, c)| (f.label, c)).collect();
                let what = format!("{} {instance}", formula.encoding());
                assert_eq!(counted, expected, "{what}");
                assert_eq!(u64::from(formula.n_vars()), variables, "{what}");
            }
        }
    }
}

#[test]
fn boards_square_and_not_from_every_kind_of_start() {
    for board in ["1x3", "2x2", "3x3", "3x4", "4x4", "5x6", "6x6", "3x10", "7x4"] {
        let board: hamcnf_tours::Board = board.parse().unwrap();
        for start in [0, 1, board.n_squares() / 2, board.n_squares() - 1] {
            for kind in [TourKind::Closed, TourKind::Open] {
                check(&Instance::on_board(board, kind, Vertex::new(start)).unwrap());
            }
        }
    }
}

#[test]
fn a_path_of_two() {
    let graph = Graph::from_edges(2, [(0, 1)]).unwrap();
    check(&Instance::on_graph("K2", graph, TourKind::Open, Vertex::new(1)).unwrap());
}

proptest! {
    #[test]
    fn random_graphs(graph in graphs(3..=9), start in any::<prop::sample::Index>(), closed: bool) {
        let start = Vertex::new(start.index(graph.n_vertices() as usize) as u32);
        let kind = if closed { TourKind::Closed } else { TourKind::Open };
        check(&Instance::on_graph("random", graph, kind, start).unwrap());
    }
}
