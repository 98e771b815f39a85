//! Typed maps from the meaning of a variable to its number. All variable arithmetic is in this file.
//!
//! Arc variables come first and are contiguous, so they are the projection set of every encoding that has them. The
//! numbers agree with those of the authors' programs: arcs are ordered by (tail, head), positions by (vertex,
//! position), and bits by vertex, with the highest bit first.

use std::ops::Range;

use rustsat::types::{Lit, Var};

use super::exactly_two;
use super::window::Window;
use hamcnf_graph::chordal::Elimination;
use hamcnf_graph::graph::{Arc, ArcId, Vertex};
pub use hamcnf_tours::Term;
use hamcnf_tours::board::{Board, MAX_VARIABLES};
use hamcnf_tours::instance::{Instance, TourKind};
use hamcnf_tours::sequence::Sequence;

/// Contiguous block of variables, as indices counted from 0.
pub type Block = Range<u32>;

/// Returns the variables of a block.
pub fn variables(block: &Block) -> impl Iterator<Item = Var> + use<> {
    block.clone().map(Var::new)
}

/// Allocator of consecutive blocks of variables, counted in 64 bits. Call [`Allocator::total`] or [`Allocator::fits`]
/// after the last block and before any variable is used, to check that all variables fit.
#[derive(Debug, Default)]
pub struct Allocator {
    next: u64,
}

impl Allocator {
    /// Allocates a block of `size` variables.
    pub fn take(&mut self, size: u64) -> Block {
        let start = self.next;
        self.next = start.saturating_add(size);
        // Truncates only if `total` exceeds the limit.
        start as u32..self.next as u32
    }

    /// Returns the number of variables so far.
    pub fn total(&self) -> u64 {
        self.next
    }

    /// Returns the number of variables, if DIMACS solvers accept that many. Call this before allocating memory for
    /// them.
    ///
    /// # Errors
    ///
    /// [`TooManyVariables`], with the number of variables.
    pub fn fits(&self) -> Result<u32, TooManyVariables> {
        if self.next > MAX_VARIABLES {
            return Err(TooManyVariables(self.next));
        }
        Ok(self.next as u32)
    }
}

/// Error for a formula with more variables than DIMACS solvers accept. The value is the number of variables needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0} variables are needed, but DIMACS solvers accept at most {MAX_VARIABLES}")]
pub struct TooManyVariables(pub u64);

/// Variables H_ij, F_v and L_v: the tour goes from i to j, v is the first vertex, v is the last vertex.
///
/// A variable H_ij is true exactly if the tour makes this move. So the end of an open tour has variables of its own. As
/// in section 4.3 of the paper *Knights Tour*, every vertex returns to the start, so that every path from the start is
/// one directed cycle. L_v says that the tour returns from v, which is its last vertex. No open tour moves into its
/// start, so the numbers of the arcs into the start are those of L_v, and further L_v follow all arcs in the order of v.
///
/// Tours of an instance with a [fixed start](hamcnf_tours::fixed_start) may stand for other tours. If they are read backwards,
/// arcs have their direction in the original tour, and F_v takes the place of L_v. If the instance has an added vertex
/// x, F_v is the arc from x to v, and L_v the arc from v to x.
#[derive(Clone, Debug)]
pub struct ArcVars {
    block: Block,
    /// Index of the first variable after those of the graph's arcs.
    first_return: u32,
    /// Vertices without an arc to the start that return to the start, in increasing order.
    return_tails: Vec<Vertex>,
}

/// Meaning of an arc variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// H_ij: the tour goes from the first vertex to the second.
    Arc(Vertex, Vertex),
    /// F_v: the vertex is the first of an open tour.
    First(Vertex),
    /// L_v: the vertex is the last of an open tour.
    Last(Vertex),
}

impl ArcVars {
    /// Allocates variables for the arcs of this instance.
    pub fn new(instance: &Instance, variables: &mut Allocator) -> Self {
        let (graph, start) = (instance.digraph(), instance.start());
        let return_tails: Vec<_> = match instance.kind() {
            TourKind::Closed => Vec::new(),
            TourKind::Open => instance.others().filter(|&v| graph.arc(v, start).is_none()).collect(),
        };
        let block = variables.take(u64::from(graph.n_arcs()) + return_tails.len() as u64);
        Self { first_return: block.start.wrapping_add(graph.n_arcs()), block, return_tails }
    }

    /// Returns all variables: H, F and L.
    pub fn block(&self) -> Block {
        self.block.clone()
    }

    fn lit(&self, arc: ArcId) -> Lit {
        Lit::positive(self.block.start + arc.number())
    }

    /// Returns the literals L_v that follow the arcs of the graph, with v.
    fn returns(&self) -> impl Iterator<Item = (Vertex, Lit)> + Clone + '_ {
        let numbers = self.first_return..self.block.end;
        self.return_tails.iter().copied().zip(numbers.map(Lit::positive))
    }

    /// Returns the literal L_v, if it follows the arcs of the graph.
    fn return_from(&self, v: Vertex) -> Option<Lit> {
        let k = self.return_tails.binary_search(&v).ok()?;
        Some(Lit::positive(self.first_return + k as u32))
    }

    /// Returns the vertices that may follow `v` on the directed cycle of a model, with their literals. The start, if it
    /// is not adjacent to `v`, comes last.
    pub fn successors<'a>(
        &'a self,
        instance: &'a Instance,
        v: Vertex,
    ) -> impl Iterator<Item = (Vertex, Lit)> + Clone + 'a {
        let row = self.beside(instance, v, instance.is_backward());
        row.into_iter().chain(self.return_from(v).map(|l| (instance.start(), l)))
    }

    /// Returns the vertices that may precede `v` on the directed cycle of a model, with their literals. Vertices that
    /// are not adjacent to `v` come last.
    pub fn predecessors<'a>(
        &'a self,
        instance: &'a Instance,
        v: Vertex,
    ) -> impl Iterator<Item = (Vertex, Lit)> + Clone + 'a {
        let column = self.beside(instance, v, !instance.is_backward());
        let returns = (v == instance.start()).then(|| self.returns());
        column.into_iter().chain(returns.into_iter().flatten())
    }

    /// Returns the tails and literals of all arcs to `v`, or the heads and literals of all arcs from `v`.
    fn beside(&self, instance: &Instance, v: Vertex, tails: bool) -> Vec<(Vertex, Lit)> {
        let graph = instance.digraph();
        match tails {
            true => graph.arcs_to(v).map(|a| (a.tail, self.lit(a.id))).collect(),
            false => graph.arcs_from(v).map(|a| (a.head, self.lit(a.id))).collect(),
        }
    }

    /// Returns the literal "`w` follows `v` on the directed cycle of the model"; `None` if no tour has this step.
    pub fn follows(&self, instance: &Instance, v: Vertex, w: Vertex) -> Option<Lit> {
        let graph = instance.digraph();
        let arc = match instance.is_backward() {
            true => graph.arc(w, v),
            false => graph.arc(v, w),
        };
        let returns = || self.return_from(v).filter(|_| w == instance.start());
        arc.map(|arc| self.lit(arc)).or_else(returns)
    }

    /// Returns the literal "the tour goes from `from` to `to`"; `None` if no tour does.
    pub fn arc(&self, instance: &Instance, from: Vertex, to: Vertex) -> Option<Lit> {
        let (v, w) = match instance.is_backward() {
            true => (to, from),
            false => (from, to),
        };
        let returns = instance.kind() == TourKind::Open && w == instance.start();
        self.follows(instance, v, w).filter(|_| !returns)
    }

    /// Returns the literals of the moves along an undirected edge in both directions, first the direction of `edge`.
    pub fn moves(&self, instance: &Instance, edge: Arc) -> Vec<Lit> {
        let both = [(edge.tail, edge.head), (edge.head, edge.tail)].into_iter();
        both.filter_map(|(from, to)| self.arc(instance, from, to)).collect()
    }

    /// Returns the name of a variable, such as `H(a1,c2)` or `L(c2)`.
    pub fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let name = |v| instance.vertex_name(v);
        Some(match self.of(instance, var)? {
            Move::Arc(i, j) => format!("H({},{})", name(i), name(j)),
            Move::First(v) => format!("F({})", name(v)),
            Move::Last(v) => format!("L({})", name(v)),
        })
    }

    /// Returns the meaning of a variable.
    pub fn of(&self, instance: &Instance, var: Var) -> Option<Move> {
        let (i, j) = self.step(instance, var)?;
        let is_start = |v| v == instance.start();
        let is_added = |v| instance.added() == Some(v);
        Some(match (instance.kind(), instance.is_backward()) {
            (TourKind::Open, true) if is_start(j) => Move::First(i),
            (TourKind::Open, false) if is_start(j) => Move::Last(i),
            (TourKind::Closed, _) if is_added(i) => Move::First(j),
            (TourKind::Closed, _) if is_added(j) => Move::Last(i),
            (_, true) => Move::Arc(j, i),
            (_, false) => Move::Arc(i, j),
        })
    }

    /// Returns the value of a variable on a tour of the instance.
    pub fn value(&self, instance: &Instance, sequence: &Sequence, var: Var) -> Option<bool> {
        let (i, j) = self.step(instance, var)?;
        // The last vertex is followed by the start.
        let next = (sequence.position(i) + 1) % instance.n();
        Some(sequence.position(j) == next)
    }

    /// Returns the vertices i and j of a variable: if it is true, j follows i on the directed cycle of the model.
    pub fn step(&self, instance: &Instance, var: Var) -> Option<(Vertex, Vertex)> {
        let var = var.idx32();
        if !self.block.contains(&var) {
            return None;
        }
        if var >= self.first_return {
            let tail = self.return_tails[(var - self.first_return) as usize];
            return Some((tail, instance.start()));
        }
        let number = var - self.block.start;
        let Arc { tail, head, .. } = instance.digraph().arc_with(number)?;
        Some(match instance.is_backward() {
            true => (head, tail),
            false => (tail, head),
        })
    }
}

/// Block of variables in groups of different sizes, such as a group for each vertex.
#[derive(Clone, Debug)]
struct Groups {
    block: Block,
    /// Offset of each group's first variable in the block, and at the end the size of the block.
    offsets: Vec<u32>,
}

impl Groups {
    /// Allocates the groups one after another.
    fn new(sizes: impl Iterator<Item = u64>, variables: &mut Allocator) -> Self {
        let (mut total, mut offsets) = (0u64, vec![0]);
        for size in sizes {
            total += size;
            offsets.push(total as u32);
        }
        Self { block: variables.take(total), offsets }
    }

    /// Returns the numbers of the variables of a group.
    fn group(&self, group: usize) -> Block {
        let [begin, end] = [0, 1].map(|k| self.block.start + self.offsets[group + k]);
        begin..end
    }

    /// Returns the group of a variable and its place in the group; `None` for other variables.
    fn of(&self, var: Var) -> Option<(usize, u32)> {
        let offset = var.idx32().checked_sub(self.block.start)?;
        if !self.block.contains(&var.idx32()) {
            return None;
        }
        // Finds the last group whose variables begin at or before the offset. An empty group has the same offset as the
        // next group.
        let group = self.offsets.partition_point(|&o| o <= offset) - 1;
        Some((group, offset - self.offsets[group]))
    }
}

/// Variables V_vp or U_vp: vertex v has position p. There are variables only for the positions in v's window. A vertex
/// whose window is the single position 0 has no variables: it is the start, whose position is known.
#[derive(Clone, Debug)]
pub struct PositionVars {
    groups: Groups,
    windows: Vec<Window>,
}

impl PositionVars {
    /// Allocates one variable for each position in each window.
    pub fn new(windows: Vec<Window>, variables: &mut Allocator) -> Self {
        let sizes = windows.iter().map(|w| if Self::is_known(*w) { 0 } else { u64::from(w.width()) });
        Self { groups: Groups::new(sizes, variables), windows }
    }

    fn is_known(window: Window) -> bool {
        window == Window::only(0)
    }

    /// Returns all position variables.
    pub fn block(&self) -> Block {
        self.groups.block.clone()
    }

    /// Returns the window of a vertex.
    pub fn window(&self, v: Vertex) -> Window {
        self.windows[v.index()]
    }

    /// Returns the term "vertex v has position p".
    pub fn at(&self, v: Vertex, p: u32) -> Term {
        let window = self.windows[v.index()];
        if !window.contains(p) {
            Term::False
        } else if Self::is_known(window) {
            Term::True
        } else {
            Term::Lit(Lit::positive(self.groups.group(v.index()).start + window.rank(p)))
        }
    }

    /// Returns the value of a position variable on a tour.
    pub fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        let (v, p) = self.meaning(var)?;
        Some(sequence.position(v) == p)
    }

    /// Returns the vertex and the position that a variable stands for.
    pub fn meaning(&self, var: Var) -> Option<(Vertex, u32)> {
        let (v, rank) = self.groups.of(var)?;
        Some((Vertex::new(v as u32), self.windows[v].nth(rank)))
    }
}

/// Variables E_ij: the edge between i and j is on the tour, in either direction.
#[derive(Clone, Debug)]
pub struct EdgeVars {
    block: Block,
    /// Edges in the order of their variables, each as the arc from its lesser vertex.
    edges: Vec<Arc>,
}

impl EdgeVars {
    /// Allocates variables for the edges of the instance's graph.
    pub fn new(instance: &Instance, variables: &mut Allocator) -> Self {
        let edges: Vec<_> = instance.graph().arcs().filter(|arc| arc.tail < arc.head).collect();
        Self { block: variables.take(edges.len() as u64), edges }
    }

    /// Returns all edge variables.
    pub fn block(&self) -> Block {
        self.block.clone()
    }

    /// Returns the edges and their literals, in the order of their variables.
    pub fn iter(&self) -> impl Iterator<Item = (Arc, Lit)> + '_ {
        let numbers = self.block.clone().map(Lit::positive);
        self.edges.iter().copied().zip(numbers)
    }

    /// Returns the variable of an edge, given as the number of the arc from its lesser vertex.
    pub fn of(&self, edge: ArcId) -> Option<Var> {
        let place = self.edges.binary_search_by_key(&edge, |e| e.id).ok()?;
        Some(Var::new(self.block.start + place as u32))
    }

    /// Returns the literal of the edge between two vertices; `None` if they are not adjacent.
    pub fn between(&self, instance: &Instance, u: Vertex, v: Vertex) -> Option<Lit> {
        let edge = instance.graph().arc(u.min(v), u.max(v))?;
        self.of(edge).map(Var::pos_lit)
    }

    /// Returns the edges at a vertex, as pairs of the other end and the literal, in increasing order of the other end.
    pub fn at<'a>(&'a self, instance: &'a Instance, v: Vertex) -> impl Iterator<Item = (Vertex, Lit)> + Clone + 'a {
        let graph = instance.graph();
        let row = graph.arcs_from(v).filter_map(|arc| {
            let edge = if v < arc.head { arc.id } else { graph.reverse(arc.id) };
            Some((arc.head, self.of(edge)?.pos_lit()))
        });
        row.collect::<Vec<_>>().into_iter()
    }

    /// Returns the edge of a variable.
    pub fn edge(&self, var: Var) -> Option<Arc> {
        let place = var.idx32().checked_sub(self.block.start)?;
        self.edges.get(place as usize).copied()
    }

    /// Returns the name of an edge variable, such as `E(a1,c2)`.
    pub fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let Arc { tail, head, .. } = self.edge(var)?;
        let name = |v| instance.vertex_name(v);
        Some(format!("E({},{})", name(tail), name(head)))
    }

    /// Returns the value of an edge variable on a tour.
    pub fn value(&self, instance: &Instance, sequence: &Sequence, var: Var) -> Option<bool> {
        let Arc { tail, head, .. } = self.edge(var)?;
        let apart = sequence.position(tail).abs_diff(sequence.position(head));
        let closing = instance.kind() == TourKind::Closed && apart == instance.n() - 1;
        Some(apart == 1 || closing)
    }
}

/// Variables L_v: v is the last vertex of an open tour. Every vertex but the start has a variable.
#[derive(Clone, Debug)]
pub struct LastVars(BitVars);

impl LastVars {
    /// Allocates variables for the vertices of the instance except its start.
    pub fn new(instance: &Instance, variables: &mut Allocator) -> Self {
        Self(BitVars::of_length(instance, 1, variables))
    }

    /// Returns the term "v is the last vertex"; constantly false for the start.
    pub fn is(&self, v: Vertex) -> Term {
        self.0.word(v).map_or(Term::False, |word| Term::Lit(word.bit(0)))
    }

    /// Returns the vertex v of a variable L_v.
    pub fn meaning(&self, var: Var) -> Option<Vertex> {
        self.0.meaning(var).map(|(v, _)| v)
    }
}

/// Variables A_vi and B_vi: at least one (A) or at least two (B) of the first i literals at vertex v are true, for 2 ≤
/// i < d, where d is the number of these literals. Only vertices with many literals have these variables: see
/// [`exactly_two`].
#[derive(Clone, Debug)]
pub struct CountVars(Groups);

/// Meaning of a counting variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtLeast {
    /// Vertex whose literals are counted.
    pub vertex: Vertex,
    /// Number of literals that are counted, beginning with the first.
    pub of_first: u32,
    /// Threshold, 1 or 2: the variable says that at least this many of these literals are true.
    pub at_least: u32,
}

impl CountVars {
    /// Allocates the variables. `literals` yields the number of literals at each vertex.
    pub fn new(literals: impl Iterator<Item = usize>, variables: &mut Allocator) -> Self {
        Self(Groups::new(literals.map(exactly_two::counting), variables))
    }

    /// Returns the literals of a vertex's variables, in the order in which [`exactly_two`] takes them.
    pub fn at(&self, v: Vertex) -> impl Iterator<Item = Lit> + use<> {
        self.0.group(v.index()).map(Lit::positive)
    }

    /// Returns the meaning of a variable.
    pub fn meaning(&self, var: Var) -> Option<AtLeast> {
        let (v, rank) = self.0.of(var)?;
        Some(AtLeast { vertex: Vertex::new(v as u32), of_first: rank / 2 + 2, at_least: rank % 2 + 1 })
    }
}

/// Variables T_uw: u comes before w on the tour. Every edge {u, w} of a chordal completion of the graph without the
/// start has one variable. T_wu is the negation of T_uw.
#[derive(Clone, Debug)]
pub struct PrecedenceVars {
    /// Group for each vertex, in the order of elimination: a variable for each neighbour that is eliminated later.
    groups: Groups,
    chordal: Elimination,
    /// Rank of each vertex in the elimination order, indexed by vertex.
    ranks: Vec<u32>,
}

impl PrecedenceVars {
    /// Allocates one variable for each edge. Edges are grouped by the end that is eliminated first, in the order of
    /// elimination.
    pub fn new(chordal: Elimination, variables: &mut Allocator) -> Self {
        let mut ranks = vec![u32::MAX; chordal.n_vertices()];
        for (rank, &v) in (0..).zip(chordal.order()) {
            ranks[v.index()] = rank;
        }
        let groups = Groups::new(chordal.order().iter().map(|&v| chordal.later(v).len() as u64), variables);
        Self { groups, chordal, ranks }
    }

    /// Returns the chordal graph.
    pub fn chordal(&self) -> &Elimination {
        &self.chordal
    }

    /// Returns the rank of a vertex in the elimination, counted from 0; `None` for the start.
    pub fn rank(&self, v: Vertex) -> Option<u32> {
        Some(self.ranks[v.index()]).filter(|&rank| rank != u32::MAX)
    }

    /// Returns the literal "u comes before w"; `None` if the vertices are not adjacent in the chordal graph.
    pub fn before(&self, u: Vertex, w: Vertex) -> Option<Lit> {
        let (first, last) = match self.ranks[u.index()] < self.ranks[w.index()] {
            true => (u, w),
            false => (w, u),
        };
        let place = self.chordal.later(first).binary_search(&last).ok()?;
        let number = self.groups.group(self.ranks[first.index()] as usize).start + place as u32;
        // The positive literal says that the vertex eliminated first comes first on the tour.
        Some(Lit::new(number, u != first))
    }

    /// Returns the vertices u and w of the variable "u comes before w".
    pub fn meaning(&self, var: Var) -> Option<(Vertex, Vertex)> {
        let (rank, place) = self.groups.of(var)?;
        let first = self.chordal.order()[rank];
        Some((first, self.chordal.later(first)[place as usize]))
    }

    /// Returns the value of a variable on a tour.
    pub fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        let (u, w) = self.meaning(var)?;
        Some(sequence.position(u) < sequence.position(w))
    }
}

/// Variables X_v: the position of vertex v as a number of `m` bits, perhaps without its lowest bits. The start has no
/// variables; its position is the constant 0.
#[derive(Clone, Debug)]
pub struct BitVars {
    /// Word of each vertex but the start, in the order of the vertices.
    words: TableVars,
    /// Number of lowest bits of each position that have no variables.
    dropped: u32,
    start: Vertex,
}

impl BitVars {
    /// Allocates ⌈log₂ N⌉ bits for each vertex but the start.
    pub fn new(instance: &Instance, variables: &mut Allocator) -> Self {
        Self::without_lowest(instance, 0, variables)
    }

    /// Allocates ⌈log₂ N⌉ bits for each vertex but the start, without the `dropped` lowest bits, whose values are known
    /// by other means.
    pub fn without_lowest(instance: &Instance, dropped: u32, variables: &mut Allocator) -> Self {
        // Instances have at least two vertices.
        let m = ((instance.n() - 1).ilog2() + 1).saturating_sub(dropped);
        Self { dropped, ..Self::of_length(instance, m, variables) }
    }

    /// Allocates a word of `m` bits for each vertex but the start. The caller defines the meaning of the bits.
    pub fn of_length(instance: &Instance, m: u32, variables: &mut Allocator) -> Self {
        let words = TableVars::new(u64::from(instance.n() - 1), m, variables);
        Self { words, dropped: 0, start: instance.start() }
    }

    /// Returns the number of bits of a position that have variables.
    pub fn m(&self) -> u32 {
        self.words.width
    }

    /// Returns the bits of the position of `v`; `None` for the start.
    pub fn word(&self, v: Vertex) -> Option<Word> {
        let rank = v.number() - u32::from(v > self.start);
        (v != self.start).then(|| self.words.word(rank, 0, self.m()))
    }

    /// Returns the vertex of a bit variable, and the index of the bit in the vertex's position, where 0 is the lowest
    /// bit.
    pub fn meaning(&self, var: Var) -> Option<(Vertex, u32)> {
        let (rank, place) = self.words.meaning(var)?;
        let v = Vertex::new(rank + u32::from(rank >= self.start.number()));
        Some((v, self.m() - 1 - place + self.dropped))
    }
}

/// Variables R_p and C_p: the row and the column of the square at position p. The words have as many bits as the last
/// row and column need.
#[derive(Clone, Debug)]
pub struct SquareVars {
    squares: TableVars,
    row_bits: u32,
}

impl SquareVars {
    /// Allocates the variables for the row and the column of the square at each of `n` positions.
    pub fn new(board: &Board, n: u32, variables: &mut Allocator) -> Self {
        let bits = |last: u32| last.checked_ilog2().map_or(0, |k| k + 1);
        let (row_bits, col_bits) = (bits(board.rows() - 1), bits(board.cols() - 1));
        Self { squares: TableVars::new(n.into(), row_bits + col_bits, variables), row_bits }
    }

    /// Returns all variables.
    pub fn block(&self) -> Block {
        self.squares.block()
    }

    /// Returns the number of bits of a row and a column together.
    pub fn bits(&self) -> u32 {
        self.squares.width
    }

    /// Returns the row of the square at position p.
    pub fn row(&self, p: u32) -> Word {
        self.squares.word(p, 0, self.row_bits)
    }

    /// Returns the column of the square at position p.
    pub fn col(&self, p: u32) -> Word {
        self.squares.word(p, self.row_bits, self.bits())
    }

    /// Returns the bits of the square at position p, first those of the row.
    pub fn square(&self, p: u32) -> impl Iterator<Item = Lit> + use<> {
        self.squares.row(p)
    }

    /// Returns three values for a variable of the block: its position, true if it is a bit of the row (not of the
    /// column), and the index of the bit, where 0 is the lowest. `None` for other variables.
    pub fn meaning(&self, var: Var) -> Option<(u32, bool, u32)> {
        let (p, place) = self.squares.meaning(var)?;
        let is_row = place < self.row_bits;
        Some((p, is_row, if is_row { self.row_bits } else { self.bits() } - 1 - place))
    }
}

/// Table of variables with `width` columns. An example is J_pk: jump k leads from position p to the next.
#[derive(Clone, Debug)]
pub struct TableVars {
    block: Block,
    width: u32,
}

impl TableVars {
    /// Allocates `rows` times `width` variables.
    pub fn new(rows: u64, width: u32, variables: &mut Allocator) -> Self {
        Self { block: variables.take(rows * u64::from(width)), width }
    }

    /// Returns all variables.
    pub fn block(&self) -> Block {
        self.block.clone()
    }

    /// Returns the literals of a row of the table.
    pub fn row(&self, row: u32) -> impl Iterator<Item = Lit> + Clone + use<> {
        let first = self.block.start + row * self.width;
        (first..first + self.width).map(Lit::positive)
    }

    /// Returns the binary number in the columns from `begin` to `end` of a row.
    fn word(&self, row: u32, begin: u32, end: u32) -> Word {
        Word { first: self.block.start + row * self.width + begin, m: end - begin }
    }

    /// Returns the row and the column of a variable in the table.
    pub fn meaning(&self, var: Var) -> Option<(u32, u32)> {
        let offset = var.idx32().checked_sub(self.block.start)?;
        let is_ours = self.block.contains(&var.idx32());
        is_ours.then(|| (offset / self.width, offset % self.width))
    }
}

/// A binary number whose bits are consecutive variables, such as the position of a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    first: u32,
    m: u32,
}

impl Word {
    /// Returns m, the number of bits.
    pub fn m(&self) -> u32 {
        self.m
    }

    /// Returns x_k, the literal of bit k, with bit 0 the lowest.
    pub fn bit(&self, k: u32) -> Lit {
        debug_assert!(k < self.m);
        Lit::positive(self.first + self.m - 1 - k)
    }

    /// Returns the literal that is true iff bit k equals bit k of `value`.
    pub fn bit_is(&self, k: u32, value: u32) -> Lit {
        if value >> k & 1 == 1 { self.bit(k) } else { !self.bit(k) }
    }

    /// Returns the literals of "the number is `value`": one for each bit, the highest first.
    pub fn is(self, value: u32) -> impl Iterator<Item = Lit> + use<> {
        (0..self.m).rev().map(move |k| self.bit_is(k, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::window::Pruning;
    use crate::refine::windows::windows;

    fn instance(board: &str, kind: TourKind, start: u32) -> Instance {
        Instance::on_board(board.parse().unwrap(), kind, Vertex::new(start)).unwrap()
    }

    #[test]
    fn meanings_invert_the_maps() {
        for (kind, start, pruning) in [
            (TourKind::Closed, 0, Pruning::None),
            (TourKind::Closed, 7, Pruning::AsPublished),
            (TourKind::Open, 4, Pruning::Full),
            (TourKind::Open, 19, Pruning::Full),
        ] {
            let inst = instance("4x5", kind, start);
            let mut all = Allocator::default();
            let h = ArcVars::new(&inst, &mut all);
            let u = PositionVars::new(windows(&inst, pruning), &mut all);
            let b = BitVars::new(&inst, &mut all);
            let mut seen = 0;
            for v in inst.graph().vertices() {
                for (w, l) in h.successors(&inst, v) {
                    assert_eq!(h.step(&inst, l.var()), Some((v, w)));
                    assert!(h.predecessors(&inst, w).any(|(t, m)| (t, m) == (v, l)));
                    seen += 1;
                }
                for p in 0..inst.n() {
                    match u.at(v, p) {
                        Term::Lit(l) => {
                            assert_eq!(u.meaning(l.var()), Some((v, p)));
                            seen += 1;
                        }
                        Term::True => assert_eq!((v, p), (inst.start(), 0)),
                        Term::False => assert!(!u.window(v).contains(p)),
                    }
                }
                for k in 0..b.m() {
                    if let Some(x) = b.word(v) {
                        assert_eq!(b.meaning(x.bit(k).var()), Some((v, k)));
                        seen += 1;
                    }
                }
            }
            assert_eq!(all.total(), seen, "every variable means something, and one thing");
            assert_eq!(h.block().end, u.block().start);
            assert_eq!(u.block().end, b.words.block().start);
        }
    }

    #[test]
    fn every_vertex_of_an_open_tour_returns_to_the_start() {
        let into_start = |kind| {
            let inst = instance("5x5", kind, 0);
            let h = ArcVars::new(&inst, &mut Allocator::default());
            (h.predecessors(&inst, inst.start()).count(), h.block().len())
        };
        assert_eq!(into_start(TourKind::Closed), (2, 96));
        assert_eq!(into_start(TourKind::Open), (24, 96 + 22));
    }

    #[test]
    fn words_are_binary_numbers() {
        for (board, m) in [("1x2", 1), ("1x3", 2), ("2x2", 2), ("1x5", 3), ("8x8", 6), ("5x13", 7)] {
            let inst = instance(board, TourKind::Open, 0);
            assert_eq!(BitVars::new(&inst, &mut Allocator::default()).m(), m, "{board}");
        }
        let inst = instance("8x8", TourKind::Closed, 0);
        let b = BitVars::new(&inst, &mut Allocator::default());
        let x = b.word(Vertex::new(1)).unwrap();
        let lits: Vec<_> = (0..6).map(|k| x.bit_is(k, 0b000101).to_ipasir()).collect();
        assert_eq!(lits, [6, -5, 4, -3, -2, -1]);
        assert_eq!(b.word(Vertex::new(0)), None);
    }
}
