//! Sequence of table joins that an elimination order requires, independent of the data that is stored with each state.
//!
//! An edge is decided when the first of its ends is eliminated. The choices at a vertex v form a small table, the
//! *star* of v: no edge to a later vertex, one edge, or two edges. The tables form a tree, in which the parent of v is
//! the later neighbour of v that is eliminated first. The table of v is the join of the star of v and the tables of the
//! children of v. The join only keeps states in which v has both edges, and then forgets v. The last table contains the
//! result.
//!
//! If v has two children, the star is first joined to the smaller table, and the result to the larger table. Only the
//! last join forgets v. So the large join only produces states in which v has both edges, with one vertex fewer. This
//! makes the tables half as large.
//!
//! Vertices are processed in post-order of the tree, the largest branch first, so that few tables must be kept at the
//! same time.

use hamcnf_graph::{Graph, Vertex};

use super::order::Elimination;
use super::state::{Pattern, State, Word, slot_mask};
use super::table::{Grouped, Meter, Rules};
use hamcnf_graph::budget::Stopped;

/// Operations on tables, implemented once to find cycles and once to count them.
pub(super) trait Tables<W> {
    /// Type of a table: states, and the data stored with each state.
    type Table;

    /// Returns the table with these states, which are no join.
    fn table(&mut self, states: Grouped<W>, source: Source) -> Self::Table;
    /// Joins all pairs of compatible states of two tables.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped`] if a limit was reached before the table was complete.
    fn join(&mut self, left: Self::Table, right: Self::Table, rules: &Rules<W>) -> Result<Self::Table, Stopped>;
    /// Returns the number of states of a table.
    fn size(table: &Self::Table) -> usize;
}

/// Origin of a table: the empty edge set, the edge choices at one vertex, or a join of two tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    Nothing,
    Star(Vertex),
    /// Number of the join.
    Join(u32),
}

/// Choice of at most two edges from a vertex to neighbours that are eliminated later.
#[derive(Clone, Debug)]
pub(super) struct Choice<W> {
    pub(super) state: State<W>,
    pub(super) pattern: Pattern<W>,
    /// Neighbours to which the chosen edges lead.
    pub(super) to: [Option<Vertex>; 2],
}

/// Table with its bag, the vertices that its states describe.
struct Part<T> {
    table: T,
    /// Vertices of the bag in increasing order, each with the number of its edges that are already decided.
    bag: Vec<(Vertex, u32)>,
    /// Number of vertices that were eliminated at this table and at its descendants in the tree.
    eliminated: u32,
}

/// Graph with an elimination order, and with a slot for each vertex: its position in packed states.
pub(super) struct Sweep<'a> {
    graph: &'a Graph,
    order: &'a Elimination,
    /// Position of each vertex in the elimination order.
    position: Vec<u32>,
    slot: Vec<u8>,
    /// Number of slots that the vertices use.
    slots: u32,
}

/// Result of [`Sweep::run`], which eliminates the vertices of an order.
pub(super) enum Swept<T> {
    /// Some table has no states, so there is no Hamiltonian cycle.
    Nothing,
    /// The last table, after all vertices were eliminated.
    Whole(T),
    /// Tables of the pieces into which the eliminated vertices fall if a core remains. Each table is preceded by its
    /// bag, which consists of core vertices.
    Pieces(Vec<(Vec<Vertex>, T)>),
}

impl<'a> Sweep<'a> {
    /// Assigns a slot to each vertex, so that no two vertices of a bag share a slot.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped::GaveUp`] if the order is not an elimination order of this graph, or if more than 63 slots are
    /// needed. Otherwise returns the error with which `meter` ended the work.
    pub(super) fn new(graph: &'a Graph, order: &'a Elimination, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        let n = graph.n_vertices() as usize;
        if order.order().len() != n {
            return Err(Stopped::GaveUp);
        }
        let mut position = vec![0; n];
        for (k, v) in order.order().iter().enumerate() {
            position[v.index()] = k as u32;
        }
        let mut slot = vec![0; n];
        for &v in order.order().iter().rev() {
            let later = order.later(v);
            meter.step(8 + later.len())?;
            let mut taken = 0u64;
            for u in later {
                taken |= 1 << slot[u.index()];
            }
            slot[v.index()] = taken.trailing_ones() as u8;
            // No word has as many as 63 slots.
            if slot[v.index()] >= 63 {
                return Err(Stopped::GaveUp);
            }
        }
        let slots = slot.iter().max().map_or(0, |&last| u32::from(last) + 1);
        let sweep = Self { graph, order, position, slot, slots };
        let core = order.core().iter().copied();
        let eliminated = order.order().len() - core.len();
        for &v in &order.order()[..eliminated] {
            let later = order.later(v);
            meter.step(8 + graph.degree(v))?;
            if !sweep.later_neighbours(v).all(|u| later.binary_search(&u).is_ok()) {
                return Err(Stopped::GaveUp);
            }
        }
        Ok(sweep)
    }

    /// Returns the neighbours of `v` in the graph that are eliminated later.
    fn later_neighbours(&self, v: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        let later = move |u: &Vertex| self.position[u.index()] > self.position[v.index()];
        self.graph.neighbours(v).iter().copied().filter(later)
    }

    /// Returns the slot of a vertex in packed states.
    pub(super) fn slot(&self, v: Vertex) -> u32 {
        self.slot[v.index()].into()
    }

    fn mask<W: Word>(&self, v: Vertex) -> W {
        slot_mask(self.slot[v.index()].into())
    }

    /// Returns the choices of at most two edges from `v` to neighbours that are eliminated later, sorted by degree
    /// pattern.
    pub(super) fn star<W: Word>(&self, v: Vertex) -> Vec<Choice<W>> {
        let to: Vec<_> = self.later_neighbours(v).collect();
        let choice = |to: [Option<Vertex>; 2]| {
            let mut state = State::EMPTY;
            for u in to.into_iter().flatten() {
                state.connect(self.slot[v.index()].into(), self.slot[u.index()].into());
            }
            Choice { state, pattern: state.pattern(), to }
        };
        let mut star = vec![choice([None, None])];
        for (k, &a) in to.iter().enumerate() {
            star.push(choice([Some(a), None]));
            star.extend(to[..k].iter().map(|&b| choice([Some(a), Some(b)])));
        }
        star.sort_unstable_by_key(|choice| choice.pattern.digits());
        star
    }

    /// Computes the tables of all vertices that the order eliminates.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped::GaveUp`] if the vertices use more slots than a word has, which may happen if a core remains.
    /// Otherwise returns the error of an operation on the tables.
    pub(super) fn run<W: Word, T: Tables<W>>(&self, tables: &mut T) -> Result<Swept<T::Table>, Stopped> {
        if self.slots > W::SLOTS {
            return Err(Stopped::GaveUp);
        }
        let n = self.graph.n_vertices();
        let core = self.order.core();
        let is_core = |v: Vertex| self.position[v.index()] as usize >= n as usize - core.len();
        let mut pieces = Vec::new();
        let mut waiting: Vec<Vec<Part<T::Table>>> = (0..n).map(|_| Vec::new()).collect();
        let parent = |v: Vertex| {
            let later = self.order.later(v).iter();
            later.copied().min_by_key(|u| self.position[u.index()])
        };
        let mut last = None;
        for v in self.post_order(parent) {
            if is_core(v) {
                continue;
            }
            let to: Vec<_> = self.later_neighbours(v).collect();
            let mut bag: Vec<_> = to.iter().map(|&u| (u, 1)).collect();
            let place = bag.partition_point(|&(u, _)| u < v);
            bag.insert(place, (v, to.len() as u32));
            let star = self.star(v);
            let states = Grouped::of(star.iter().map(|choice| (choice.pattern, choice.state)));
            let star = Part { table: tables.table(states, Source::Star(v)), bag, eliminated: 0 };
            let mut below = std::mem::take(&mut waiting[v.index()]);
            let first = below.pop().unwrap_or_else(|| {
                let empty = Grouped::of([(State::EMPTY.pattern(), State::EMPTY)].into_iter());
                Part { table: tables.table(empty, Source::Nothing), bag: Vec::new(), eliminated: 0 }
            });
            let part = match below.pop() {
                None => self.join(tables, first, star, Some(v))?,
                // The large join comes last and forgets v: the joined states no longer contain v.
                Some(second) => {
                    let sizes = [&first, &second].map(|part| T::size(&part.table));
                    let (small, large) = if sizes[0] <= sizes[1] { (first, second) } else { (second, first) };
                    match self.join(tables, small, star, None)? {
                        None => None,
                        Some(part) => self.join(tables, large, part, Some(v))?,
                    }
                }
            };
            let Some(mut part) = part else {
                return Ok(Swept::Nothing);
            };
            part.bag.retain(|&(u, _)| u != v);
            part.eliminated += 1;
            let Some(parent) = parent(v) else {
                last = Some(part.table);
                continue;
            };
            if is_core(parent) {
                let bag = part.bag.iter().map(|&(u, _)| u).collect();
                pieces.push((bag, part.table));
                continue;
            }
            let waiting = &mut waiting[parent.index()];
            if waiting.len() < 2 {
                waiting.push(part);
                continue;
            }
            let other = waiting.pop().expect("two tables are waiting");
            match self.join(tables, other, part, None)? {
                None => return Ok(Swept::Nothing),
                Some(both) => waiting.push(both),
            }
        }
        Ok(match last {
            Some(last) if core.is_empty() => Swept::Whole(last),
            _ => Swept::Pieces(pieces),
        })
    }

    /// Joins two tables. Returns `None` if the result has no states. The states of the result do not contain the vertex
    /// `forget`, but the bag of the result still does.
    fn join<W: Word, T: Tables<W>>(
        &self,
        tables: &mut T,
        left: Part<T::Table>,
        right: Part<T::Table>,
        forget: Option<Vertex>,
    ) -> Result<Option<Part<T::Table>>, Stopped> {
        let mut bag = left.bag;
        for (v, decided) in right.bag {
            match bag.binary_search_by_key(&v, |&(u, _)| u) {
                Ok(k) => bag[k].1 += decided,
                Err(k) => bag.insert(k, (v, decided)),
            }
        }
        let eliminated = left.eliminated + right.eliminated;
        let mut rules = Rules {
            scope: W::ZERO,
            touched: W::ZERO,
            full: W::ZERO,
            whole: eliminated as usize + bag.len() == self.position.len(),
            forget: forget.map_or(W::ZERO, |v| self.mask(v)),
        };
        for &(v, decided) in &bag {
            let slot = self.mask(v);
            rules.scope = rules.scope | slot;
            let to_come = self.graph.degree(v) - decided as usize;
            if to_come <= 1 {
                rules.touched = rules.touched | slot;
            }
            if to_come == 0 {
                rules.full = rules.full | slot;
            }
        }
        let table = tables.join(left.table, right.table, &rules)?;
        Ok((T::size(&table) > 0).then_some(Part { table, bag, eliminated }))
    }

    /// Returns all vertices in post-order of the tree: each vertex follows its descendants, and the largest branch
    /// comes first.
    fn post_order(&self, parent: impl Fn(Vertex) -> Option<Vertex>) -> Vec<Vertex> {
        let n = self.position.len();
        let mut size = vec![1u32; n];
        // The children of a vertex form a linked list, except for the largest branch, which is kept separately.
        let mut largest: Vec<Option<Vertex>> = vec![None; n];
        let mut others: Vec<Option<Vertex>> = vec![None; n];
        let mut next: Vec<Option<Vertex>> = vec![None; n];
        let mut stack = Vec::new();
        for &v in self.order.order() {
            let Some(parent) = parent(v) else {
                stack.push(v);
                continue;
            };
            size[parent.index()] += size[v.index()];
            let largest = &mut largest[parent.index()];
            let other = match *largest {
                Some(before) if size[before.index()] >= size[v.index()] => Some(v),
                before => {
                    *largest = Some(v);
                    before
                }
            };
            if let Some(other) = other {
                next[other.index()] = others[parent.index()].replace(other);
            }
        }
        // Build the reverse order: each vertex precedes its descendants. The largest branch comes last because it is
        // pushed first.
        let mut order = Vec::with_capacity(n);
        while let Some(v) = stack.pop() {
            order.push(v);
            stack.extend(largest[v.index()]);
            stack.extend(std::iter::successors(others[v.index()], |u| next[u.index()]));
        }
        order.reverse();
        order
    }
}
