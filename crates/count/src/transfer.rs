//! Closed tours of long narrow boards: the transfer matrix and its recurrence.
//!
//! Let the lines of the board be its columns, if it has no more rows than columns, otherwise its rows. The squares are
//! passed line by line; at each square, its edges to later squares are chosen. After some lines, the board looks the
//! same after any number of lines, because no move is longer than a fixed number of lines: a *state* holds the degree
//! (0, 1 or 2) of each square of the next few lines, and the pairing of the ends of paths. A line takes states to
//! states. Let A be the matrix of the numbers of ways, u the state without edges, and v the state after a closed tour:
//! one cycle was closed, and no square of the next lines has an edge. Then the number of closed tours on N lines is
//! a(N) = u·A^N·v: an edge to a square behind line N would leave a square there with an edge.
//!
//! States from which v cannot be reached are left out. A state and its mirror image have the same future, so they are
//! one state. S is the number of states that remain.
//!
//! # Recurrence
//!
//! By the theorem of Cayley and Hamilton, A is a root of its characteristic polynomial, which is monic, has degree S
//! and whole coefficients. So a(N) satisfies a linear recurrence of order S from N = 0 on, over the integers and hence
//! modulo every prime p. The algorithm of Berlekamp and Massey finds the shortest recurrence of the first terms modulo
//! p. Let d be its order. Two recurrences of orders d and S that agree on d + S terms agree for ever. So a recurrence
//! found from d + S terms is proved, not guessed. Term N is then x^N modulo its polynomial, by repeated squaring
//! (Fiduccia 1985).
//!
//! A count that is not taken modulo a number, or modulo a composite number, multiplies by the sparse matrix N times.
//! This needs no recurrence.
//!
//! # References
//!
//! - Noam Elkies, Richard Stanley: *The mathematical knight*, The Mathematical Intelligencer 25, 2003.
//! - Donald Knuth: *Long and skinny knight's tours*, Selected Papers on Fun and Games, 2011.
//! - James Massey: *Shift-register synthesis and BCH decoding*, IEEE Trans. Information Theory, 1969.
//! - Charles Fiduccia: *An efficient formula for linear recurrences*, SIAM J. Computing, 1985.

use std::collections::HashMap;
use std::num::NonZero;

use hamcnf_tours::Board;
use num_bigint::BigUint;

use super::modular::{self, Products, add, inverse, is_prime, times};
use crate::not_counted::{Cause, NotCounted};
use hamcnf_graph::budget::Budget;

/// Bits per square of a state.
const BITS: u32 = 5;
/// Maximum number of squares in the window of a state.
const MOST_SQUARES: usize = 25;
/// Flag of a state whose cycle is closed.
const CLOSED: u128 = 1 << 127;
/// Code of a square with two edges. A square without edges has the code 0, and the end of a path has 2 plus the number
/// of the other end.
const FULL: u32 = 1;
/// Approximate number of bytes per state and per transition while the matrix is built.
const STATE_BYTES: u64 = 80;
const EDGE_BYTES: u64 = 8;

/// Progress of a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Number of states found so far.
    States(usize),
    /// Number of lines passed, and number of lines to pass.
    Lines(u64, u64),
}

/// Resource limits of a count.
pub struct Limits<'a> {
    /// Memory limit in bytes.
    pub memory: u64,
    pub budget: Budget,
    /// Called now and then.
    pub progress: &'a mut dyn FnMut(Progress),
}

/// Residue of a count, and the way in which it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Residue {
    pub value: u64,
    /// Order of the recurrence, if the residue was found by a recurrence.
    pub order: Option<usize>,
}

/// Transfer matrix of the closed tours on boards with lines of one length. It is the product of one sparse matrix per
/// square of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    /// Entry c: the matrix of the square with the number c in its line.
    squares: Vec<Sparse>,
    /// Number of states between two lines.
    states: usize,
    /// Number of the state after a closed tour; `None` if no number of lines has tours.
    done: Option<usize>,
    lines: u64,
}

/// Matrix of small numbers: the rows are lists of columns, with repetition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Sparse {
    /// Entry k: the index in `columns` at which row k begins.
    begins: Vec<u32>,
    columns: Vec<u32>,
    width: usize,
}

impl Sparse {
    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        let ends = self.begins.iter().skip(1);
        let rows = self.begins.iter().zip(ends);
        rows.map(|(&from, &to)| &self.columns[from as usize..to as usize])
    }
}

/// Window of squares as a number: the codes of the squares, from the lowest bits on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Window(u128);

impl Window {
    fn code(self, at: usize) -> u32 {
        (self.0 >> (BITS as usize * at)) as u32 & 31
    }

    fn with(self, at: usize, code: u32) -> Self {
        let at = BITS as usize * at;
        Self(self.0 & !(31 << at) | u128::from(code) << at)
    }

    fn is_closed(self) -> bool {
        self.0 & CLOSED != 0
    }

    fn has_paths(self) -> bool {
        (0..MOST_SQUARES).any(|at| self.code(at) > FULL)
    }

    /// Makes two squares the ends of a path.
    fn joined(self, a: usize, b: usize) -> Self {
        self.with(a, 2 + b as u32).with(b, 2 + a as u32)
    }

    /// Adds an edge between squares with fewer than two edges. Returns `None` if the edge closes a cycle although other
    /// paths remain.
    fn with_edge(self, a: usize, b: usize) -> Option<Self> {
        // The ends of the path or square at which each end of the edge is.
        let end = |at: usize| match self.code(at) {
            0 => at,
            code => code as usize - 2,
        };
        let (x, y) = (end(a), end(b));
        if x == b && self.code(a) > FULL {
            let closed = self.with(a, FULL).with(b, FULL);
            return (!closed.has_paths()).then_some(Self(closed.0 | CLOSED));
        }
        let inner = |window: Self, at: usize, end: usize| match end == at {
            true => window,
            false => window.with(at, FULL),
        };
        Some(inner(inner(self, a, x), b, y).joined(x, y))
    }

    /// Removes the first square, which must have two edges.
    fn shifted(self) -> Self {
        let mut next = Self((self.0 & !CLOSED) >> BITS);
        for at in 0..MOST_SQUARES {
            let code = next.code(at);
            if code > FULL {
                next = next.with(at, code - 1);
            }
        }
        Self(next.0 | self.0 & CLOSED)
    }

    /// Returns the mirror image of a window that begins with a line.
    fn mirrored(self, line: usize) -> Self {
        let image = |at: usize| at / line * line + line - 1 - at % line;
        let mut mirrored = Self(self.0 & CLOSED);
        for at in 0..MOST_SQUARES / line * line {
            let code = match self.code(at) {
                code @ (0 | FULL) => code,
                code => 2 + image(code as usize - 2) as u32,
            };
            mirrored = mirrored.with(image(at), code);
        }
        mirrored
    }
}

/// Window before the first line.
const START: Window = Window(0);
/// Window after a closed tour.
const DONE: Window = Window(CLOSED);

/// States before a square of a line, with the transitions to the states before the next square.
#[derive(Default)]
struct Level {
    numbers: HashMap<Window, u32>,
    windows: Vec<Window>,
    next: Vec<Vec<u32>>,
}

impl Level {
    fn number(&mut self, window: Window) -> (u32, bool) {
        let new = self.windows.len() as u32;
        let number = *self.numbers.entry(window).or_insert(new);
        if number == new {
            self.windows.push(window);
            self.next.push(Vec::new());
        }
        (number, number == new)
    }
}

/// True if a state can hold the squares within reach of a line, so that the board may have a transfer matrix.
pub fn fits(board: &Board) -> bool {
    window(board).is_ok()
}

/// Returns the length of a line, and the number of lines over which the piece moves.
fn window(board: &Board) -> Result<(usize, usize), NotCounted> {
    let line = board.rows().min(board.cols()) as usize;
    // A leaper has each jump in all directions, so rows and columns may be exchanged.
    let jumps = board.jumps();
    let fits = |&(_, across): &(i64, i64)| across.unsigned_abs() < line as u64;
    let reach = jumps.filter(fits).map(|(along, _)| along).max();
    let reach = reach.map_or(0, |along| along.unsigned_abs() as usize);
    if board.piece().rides() {
        let why = "a piece that moves any distance has no transfer matrix; use another method";
        return Err(NotCounted::new(Cause::Unsupported, why));
    }
    let squares = line.saturating_mul(reach.saturating_add(1));
    if squares <= MOST_SQUARES {
        return Ok((line, reach));
    }
    let rows = match MOST_SQUARES / (reach + 1) {
        0 => String::new(),
        rows => format!("; boards of up to {rows} rows are"),
    };
    let why = format!(
        "the board is too wide for a transfer matrix: with lines of {line} squares and moves over {reach} lines, a state has \
         {squares} squares, but at most {MOST_SQUARES} are possible{rows}"
    );
    Err(NotCounted::new(Cause::Unsupported, why))
}

impl Transfer {
    /// Computes the transfer matrix of the board's closed tours.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] if the board is too wide, or at a limit.
    pub fn new(board: &Board, limits: &mut Limits<'_>) -> Result<Self, NotCounted> {
        let (line, _) = window(board)?;
        let lines = board.rows().max(board.cols());
        let jumps: Vec<(i64, i64)> = board.jumps().collect();
        // Distances in the window from each square of a line to its later neighbours.
        let later = |c: usize| -> Vec<usize> {
            let to = jumps.iter().filter_map(|&(along, across)| {
                let column = c as i64 + across;
                let is_later = along > 0 || along == 0 && across > 0;
                let is_on = (0..line as i64).contains(&column);
                (is_later && is_on).then_some((along * line as i64 + across) as usize)
            });
            to.collect()
        };
        let later: Vec<_> = (0..line).map(later).collect();
        let mut levels: Vec<Level> = (0..line).map(|_| Level::default()).collect();
        levels[0].number(START);
        let mut open = vec![(0, 0)];
        let (mut states, mut edges, mut children) = (1, 0, Vec::new());
        for passed in 0u64.. {
            let Some((c, number)) = open.pop() else {
                break;
            };
            children.clear();
            step(levels[c].windows[number as usize], &later[c], &mut children);
            let next = (c + 1) % line;
            let mut numbers = Vec::with_capacity(children.len());
            for &child in &children {
                let child = match next {
                    0 => child.min(child.mirrored(line)),
                    _ => child,
                };
                let (number, is_new) = levels[next].number(child);
                numbers.push(number);
                if is_new {
                    states += 1;
                    open.push((next, number));
                }
            }
            edges += numbers.len();
            levels[c].next[number as usize] = numbers;
            if states as u64 * STATE_BYTES + edges as u64 * EDGE_BYTES > limits.memory {
                return Err(NotCounted::memory(format!(
                    "the memory limit was reached after {states} states of the transfer matrix"
                )));
            }
            if passed.is_multiple_of(1024) {
                (limits.progress)(Progress::States(states));
                if let Some(limit) = limits.budget.over() {
                    return Err(NotCounted::over(limit, "before the transfer matrix was complete"));
                }
            }
        }
        Ok(Self::trimmed(&levels, lines.into()))
    }

    /// Leaves out the states from which no tour can be completed.
    fn trimmed(levels: &[Level], lines: u64) -> Self {
        let line = levels.len();
        let Some(&done) = levels[0].numbers.get(&DONE) else {
            return Self { squares: Vec::new(), states: 0, done: None, lines };
        };
        let sizes = levels.iter().map(|level| level.windows.len());
        let mut useful: Vec<_> = sizes.map(|size| vec![false; size]).collect();
        useful[0][done as usize] = true;
        // A round marks at least the states that are one line further from the end.
        loop {
            let mut is_changed = false;
            for c in (0..line).rev() {
                for (number, next) in levels[c].next.iter().enumerate() {
                    let after = &useful[(c + 1) % line];
                    if !useful[c][number] && next.iter().any(|&k| after[k as usize]) {
                        useful[c][number] = true;
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                break;
            }
        }
        let renumbered: Vec<Vec<Option<u32>>> = useful
            .iter()
            .map(|useful| {
                let mut count = 0;
                let each = useful.iter().map(|&is_useful| {
                    count += u32::from(is_useful);
                    is_useful.then(|| count - 1)
                });
                each.collect()
            })
            .collect();
        let count = |c: usize| renumbered[c].iter().flatten().count();
        let squares = (0..line).map(|c| {
            let mut sparse = Sparse { begins: vec![0], columns: Vec::new(), width: count((c + 1) % line) };
            for (number, next) in levels[c].next.iter().enumerate() {
                if useful[c][number] {
                    let after = &renumbered[(c + 1) % line];
                    sparse.columns.extend(next.iter().filter_map(|&k| after[k as usize]));
                    sparse.begins.push(sparse.columns.len() as u32);
                }
            }
            sparse
        });
        Self {
            squares: squares.collect(),
            states: count(0),
            done: renumbered[0][done as usize].map(|done| done as usize),
            lines,
        }
    }

    /// Returns the number of states between two lines, which is the dimension of the transfer matrix.
    pub fn states(&self) -> usize {
        self.states
    }

    /// Returns the number of entries of all matrices of a line.
    fn entries(&self) -> u64 {
        self.squares.iter().map(|square| square.columns.len() as u64).sum()
    }

    /// Returns the number of closed tours.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] at a limit.
    pub fn count(&self, limits: &mut Limits<'_>) -> Result<BigUint, NotCounted> {
        let mut count = BigUint::ZERO;
        let add = |sum: &mut BigUint, number: &BigUint| *sum += number;
        // A product of long numbers takes time, so the limits are checked before each line.
        self.pass(self.lines, [BigUint::ZERO, 1u8.into()], add, 1, limits, &mut |tours| {
            count.clone_from(tours);
            true
        })?;
        Ok(count)
    }

    /// Calls `found` with the numbers of closed tours on 0, 1, …, `lines` lines, until it returns false. The numbers are
    /// sums of ones, and `add` adds a number to a sum. The limits are checked once for `each` lines.
    fn pass<T: Clone + PartialEq>(
        &self,
        lines: u64,
        [zero, one]: [T; 2],
        add: impl Fn(&mut T, &T),
        each: u64,
        limits: &mut Limits<'_>,
        found: &mut dyn FnMut(&T) -> bool,
    ) -> Result<(), NotCounted> {
        let Some(done) = self.done else {
            let _ = (0..=lines).all(|_| found(&zero));
            return Ok(());
        };
        let mut vector = vec![zero.clone(); self.states];
        vector[0] = one;
        for passed in 0..=lines {
            if !found(&vector[done]) || passed == lines {
                return Ok(());
            }
            if passed % each == 0 {
                (limits.progress)(Progress::Lines(passed, lines));
                if let Some(limit) = limits.budget.over() {
                    return Err(NotCounted::over(limit, &format!("after {passed} of {lines} lines")));
                }
            }
            for square in &self.squares {
                let mut after = vec![zero.clone(); square.width];
                for (weight, row) in vector.iter().zip(square.rows()) {
                    if *weight != zero {
                        row.iter().for_each(|&k| add(&mut after[k as usize], weight));
                    }
                }
                vector = after;
            }
        }
        Ok(())
    }

    /// Calls `found` with the numbers of closed tours on 0, 1, …, `lines` lines modulo m, until it returns false.
    fn terms(
        &self,
        lines: u64,
        m: u64,
        limits: &mut Limits<'_>,
        found: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), NotCounted> {
        let add = |sum: &mut u64, number: &u64| *sum = modular::add(*sum, *number, m);
        self.pass(lines, [0, 1 % m], add, 256, limits, &mut |&number| found(number))
    }

    /// Computes numbers of closed tours modulo m, which must be at most 2^63, for boards with the numbers of lines
    /// `lengths` in increasing order. Calls `found` with the index of each length and the residue. Uses the recurrence
    /// if m is prime and there are few lengths, but many lines.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] at a limit.
    pub fn residues(
        &self,
        lengths: &[u64],
        m: NonZero<u64>,
        limits: &mut Limits<'_>,
        found: &mut dyn FnMut(usize, Residue),
    ) -> Result<(), NotCounted> {
        let m = m.get();
        let (most, states) = (lengths.last().copied().unwrap_or(0), self.states as u64);
        // Rough numbers of operations: the terms, Berlekamp and Massey, and the powers of x.
        let powers = (lengths.len() as u64).saturating_mul(20 * states * states);
        let by_recurrence = powers.saturating_add(3 * states * self.entries() / 2);
        if self.done.is_some() && by_recurrence < most.saturating_mul(self.entries()) && is_prime(m) {
            let recurrence = self.recurrence(m, limits)?;
            let order = Some(recurrence.order());
            for (k, &lines) in lengths.iter().enumerate() {
                let value = recurrence.term(lines, limits)?;
                found(k, Residue { value, order });
            }
            return Ok(());
        }
        let mut left = lengths.iter().enumerate().peekable();
        let mut lines = 0;
        let mut keep = |value| {
            while let Some((k, _)) = left.next_if(|&(_, &wanted)| wanted == lines) {
                found(k, Residue { value, order: None });
            }
            lines += 1;
            true
        };
        self.terms(most, m, limits, &mut keep)
    }

    /// Returns the shortest linear recurrence modulo the prime p of the numbers of closed tours on N lines.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] at a limit.
    pub fn recurrence(&self, p: u64, limits: &mut Limits<'_>) -> Result<Recurrence, NotCounted> {
        let mut shortest = Shortest::modulo(p);
        let last = (2 * self.states as u64).max(1) - 1;
        let mut add = |term| {
            shortest.push(term);
            shortest.terms.len() < self.states + shortest.order
        };
        self.terms(last, p, limits, &mut add)?;
        Ok(shortest.recurrence())
    }
}

/// Appends the windows after the choice of the edges at the first square. `later` are the distances to its later
/// neighbours.
fn step(window: Window, later: &[usize], children: &mut Vec<Window>) {
    let free = |window: Window, &at: &usize| window.code(at) != FULL;
    match window.code(0) {
        FULL => children.push(window.shifted()),
        // Every square must be on the cycle, which is closed.
        _ if window.is_closed() => {}
        0 => {
            for (k, &a) in later.iter().enumerate().filter(|(_, at)| free(window, at)) {
                let Some(one) = window.with_edge(0, a) else {
                    continue;
                };
                let others = later[k + 1..].iter().filter(|at| free(window, at));
                let both = others.filter_map(|&b| one.with_edge(0, b));
                children.extend(both.map(Window::shifted));
            }
        }
        _ => {
            let ends = later.iter().filter(|at| free(window, at));
            let each = ends.filter_map(|&at| window.with_edge(0, at));
            children.extend(each.map(Window::shifted));
        }
    }
}

/// Linear recurrence a(N) = Σ_k c_k·a(N − k) modulo a prime, for N ≥ d, with its first terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// Coefficients c_1, …, c_d.
    coefficients: Vec<u64>,
    terms: Vec<u64>,
    p: u64,
}

/// Shortest linear recurrence of the first terms of a sequence, by the algorithm of Berlekamp and Massey.
struct Shortest {
    terms: Vec<u64>,
    /// Connection polynomial 1 − Σ c_k·x^k.
    now: Vec<u64>,
    /// Connection polynomial before the last change of the order.
    before: Vec<u64>,
    order: usize,
    /// Number of terms since the last change of the order.
    since: usize,
    /// Difference between the term of the last change and its prediction.
    last: u64,
    products: Products,
    p: u64,
}

impl Shortest {
    /// Returns the empty recurrence of no terms modulo the prime p.
    fn modulo(p: u64) -> Self {
        Self {
            terms: Vec::new(),
            now: vec![1],
            before: vec![1],
            order: 0,
            since: 1,
            last: 1,
            products: Products::modulo(p),
            p,
        }
    }

    /// Appends a term, and changes the recurrence if it predicts another term.
    fn push(&mut self, term: u64) {
        let Self { products, p, .. } = *self;
        self.terms.push(term);
        let mut sum = 0;
        let all = self.now.iter().zip(self.terms.iter().rev());
        all.for_each(|(&c, &a)| products.add(&mut sum, c, a));
        let error = products.value(sum);
        if error == 0 {
            self.since += 1;
            return;
        }
        let factor = times(error, inverse(self.last, p), p);
        let old = self.now.clone();
        if self.now.len() < self.before.len() + self.since {
            self.now.resize(self.before.len() + self.since, 0);
        }
        for (at, &c) in self.now[self.since..].iter_mut().zip(&self.before) {
            *at = add(*at, p - times(factor, c, p), p);
        }
        let n = self.terms.len() - 1;
        if 2 * self.order <= n {
            (self.order, self.before) = (n + 1 - self.order, old);
            (self.last, self.since) = (error, 1);
        } else {
            self.since += 1;
        }
    }

    fn recurrence(mut self) -> Recurrence {
        self.now.resize(self.order + 1, 0);
        let coefficients = self.now[1..].iter();
        Recurrence {
            coefficients: coefficients.map(|&c| (self.p - c) % self.p).collect(),
            terms: self.terms,
            p: self.p,
        }
    }
}

impl Recurrence {
    /// Returns the order d.
    pub fn order(&self) -> usize {
        self.coefficients.len()
    }

    /// Returns the coefficients c_1, …, c_d.
    pub fn coefficients(&self) -> &[u64] {
        &self.coefficients
    }

    /// Returns the term a(N).
    ///
    /// # Errors
    ///
    /// [`NotCounted`] at a limit.
    pub fn term(&self, n: u64, limits: &mut Limits<'_>) -> Result<u64, NotCounted> {
        let (d, p) = (self.order(), self.p);
        if let Some(&term) = usize::try_from(n).ok().and_then(|n| self.terms.get(n)) {
            return Ok(term);
        }
        if d == 0 {
            return Ok(0);
        }
        let products = Products::modulo(p);
        // Reduces a polynomial modulo x^d − Σ c_k·x^(d−k).
        let reduced = |mut sums: Vec<u128>| -> Vec<u64> {
            for at in (d..sums.len()).rev() {
                let top = products.value(sums[at]);
                let below = sums[at - d..at].iter_mut().rev();
                for (sum, &c) in below.zip(&self.coefficients) {
                    products.add(sum, top, c);
                }
            }
            sums.truncate(d);
            sums.into_iter().map(|sum| products.value(sum)).collect()
        };
        let mut power = vec![1 % p];
        for bit in (0..u64::BITS - n.leading_zeros()).rev() {
            if let Some(limit) = limits.budget.over() {
                return Err(NotCounted::over(limit, &format!("after {} of {n} lines", self.terms.len())));
            }
            let mut square = vec![0; 2 * power.len() - 1];
            for (i, &a) in power.iter().enumerate() {
                for (sum, &b) in square[i..].iter_mut().zip(&power) {
                    products.add(sum, a, b);
                }
            }
            if n >> bit & 1 == 1 {
                square.insert(0, 0);
            }
            power = reduced(square);
        }
        let mut sum = 0;
        let all = power.iter().zip(&self.terms);
        all.for_each(|(&c, &a)| products.add(&mut sum, c, a));
        Ok(products.value(sum))
    }
}

#[cfg(test)]
mod tests {
    use super::super::frontier::exact::tests::{closed, counted, options};
    use super::*;

    /// A prime of 61 bits.
    const P: u64 = (1 << 61) - 1;

    fn transfer(text: &str) -> Transfer {
        let board: Board = text.parse().unwrap();
        Transfer::new(&board, &mut limits(&mut |_| ())).unwrap()
    }

    fn limits(progress: &mut dyn FnMut(Progress)) -> Limits<'_> {
        Limits { memory: 1 << 30, budget: Budget::default(), progress }
    }

    fn count(text: &str) -> BigUint {
        transfer(text).count(&mut limits(&mut |_| ())).unwrap()
    }

    fn terms(text: &str, lines: u64) -> Vec<u64> {
        let mut terms = Vec::new();
        let mut found = |term| {
            terms.push(term);
            true
        };
        transfer(text).terms(lines, P, &mut limits(&mut |_| ()), &mut found).unwrap();
        terms
    }

    /// Tests every length against the dynamic programming along a frontier, which shares no code with the matrix.
    #[test]
    fn terms_equal_counts_along_a_frontier() {
        for (piece, line, most) in [
            ("", 3, 18),
            ("", 4, 9),
            ("", 5, 8),
            ("king:", 2, 9),
            ("king:", 3, 7),
            ("leaper:0,1:", 4, 9),
            ("leaper:0,1+2,2:", 3, 8),
            ("leaper:1,3:", 4, 9),
        ] {
            let terms = terms(&format!("{piece}{line}x{most}"), most);
            for lines in 2..=most {
                let board = format!("{piece}{line}x{lines}");
                let expected = counted(&closed(&board), &options()).unwrap().count;
                assert_eq!(BigUint::from(terms[lines as usize]), expected, "{board}");
            }
        }
        assert_eq!(terms("3x18", 18)[10..], [16, 0, 176, 0, 1536, 0, 15424, 0, 147728]);
    }

    /// Tests the recurrence of closed knight's tours on 3×2n boards by Knuth and Elkies (OEIS A070030): the coefficients
    /// of its denominator.
    #[test]
    fn three_rows_have_the_published_recurrence() {
        const PUBLISHED: [i64; 21] = [
            6, 64, -200, -1000, 3016, 3488, -24256, 23776, 104_168, -203_408, -184_704, 443_392, 14336, -151_296,
            145_920, -263_424, 317_440, 36864, -966_656, 573_440, 131_072,
        ];
        let transfer = transfer("3x10");
        let recurrence = transfer.recurrence(P, &mut limits(&mut |_| ())).unwrap();
        assert_eq!(transfer.states(), 77);
        let terms = terms("3x10", 400);
        let even: Vec<i128> = terms.iter().step_by(2).map(|&term| term.into()).collect();
        for n in 23..even.len() {
            let products = PUBLISHED.iter().zip(even[..n].iter().rev());
            let sum: i128 = products.map(|(&c, &a)| i128::from(c) * a).sum();
            assert_eq!((sum - even[n]) % i128::from(P), 0, "{n}");
        }
        // The numerator has degree 22 in z = x², so the recurrence in N holds from 45 = 2·22 + 1 on.
        assert_eq!(recurrence.order(), 45);
        for (k, &published) in PUBLISHED.iter().enumerate() {
            let found = i128::from(recurrence.coefficients()[2 * k + 1]);
            assert_eq!((found - i128::from(published)) % i128::from(P), 0, "{k}");
        }
    }

    #[test]
    fn recurrences_give_distant_terms() {
        for (text, far) in [("3x10", 1_000), ("king:2x5", 500), ("leaper:0,1:6x6", 900)] {
            let transfer = transfer(text);
            let terms = terms(text, far);
            let recurrence = transfer.recurrence(P, &mut limits(&mut |_| ())).unwrap();
            for n in [far - 1, far] {
                let squares =
                    Recurrence { terms: recurrence.terms[..recurrence.order()].to_vec(), ..recurrence.clone() };
                let term = squares.term(n, &mut limits(&mut |_| ())).unwrap();
                assert_eq!(term, terms[n as usize], "{text} {n}");
            }
        }
        let of = |terms: &[u64]| {
            let mut shortest = Shortest::modulo(P);
            terms.iter().for_each(|&term| shortest.push(term));
            shortest.recurrence()
        };
        let distant = |recurrence: &Recurrence, n| {
            let term = recurrence.term(n, &mut limits(&mut |_| ()));
            (recurrence.order(), term.unwrap())
        };
        let fibonacci = of(&[0, 1, 1, 2, 3, 5, 8]);
        assert_eq!(distant(&fibonacci, 90), (2, 2_880_067_194_370_816_120 % P));
        assert_eq!(distant(&of(&[0; 9]), 1 << 40), (0, 0));
    }

    #[test]
    fn residues_are_those_of_counts() {
        for text in ["3x200", "3x201", "4x30", "king:3x40"] {
            let (count, transfer) = (count(text), transfer(text));
            for m in [1, 2, 10, 1_000_000_007, P] {
                let modulus = NonZero::new(m).unwrap();
                let mut known = Vec::new();
                let lengths = [0, transfer.lines, transfer.lines];
                let mut found = |k, residue: Residue| known.push((k, residue.value));
                let mut unlimited = |_| ();
                let mut limits = limits(&mut unlimited);
                let done = transfer.residues(&lengths, modulus, &mut limits, &mut found);
                assert_eq!(done, Ok(()));
                let residue = u64::try_from(&count % m).unwrap();
                assert_eq!(known, [(0, 0), (1, residue), (2, residue)], "{text} {m}");
            }
        }
        assert_eq!(count("4x30"), BigUint::ZERO);
    }

    #[test]
    fn limits_end_the_count() {
        let board: Board = "5x20".parse().unwrap();
        let mut progress = |_| ();
        let mut few = limits(&mut progress);
        few.memory = 1000;
        assert_eq!(
            Transfer::new(&board, &mut few).err().unwrap().cause,
            Cause::Limit(hamcnf_graph::budget::Stopped::Memory)
        );
        let wide: Board = "9x90".parse().unwrap();
        let error = Transfer::new(&wide, &mut limits(&mut |_| ())).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the board is too wide for a transfer matrix: with lines of 9 squares and moves over 2 lines, a state has 27 squares, but at most 25 are possible; boards of up to 8 rows are"
        );
    }
}
