//! Search for a Hamiltonian cycle by dynamic programming, with tables that are reduced to a basis. The search is exact:
//! it finds a cycle, or proves that there is none.
//!
//! When two tables are joined, each degree pattern collects the first states whose rows are independent (`rank.rs`).
//! Once a pattern has as many states as the rank, the join skips the pattern. Each state is stored with the indices of
//! the two states that it was joined from. If the last table has a state, following these indices back gives the edges
//! of a cycle.

use std::collections::HashMap;

use hamcnf_graph::{Graph, Vertex};

use super::DecompositionStatistics;
use super::order::Elimination;
use super::rank::{rank, reduce, row_words, write_row};
use super::state::{Pattern, State, Word};
use super::sweep::{Source, Sweep, Swept, Tables};
use super::table::{Grouped, Meeting, Meter, Rules};
use crate::Found;
use crate::links::{Links, around};
use hamcnf_graph::budget::{Budget, Stopped};
use hamcnf_graph::hash::Mixer;

/// Marker for a missing entry.
const NONE: u32 = u32::MAX;

/// Finds a Hamiltonian cycle of a graph, or proves that there is none, by dynamic programming over the bags of an
/// elimination order.
///
/// The result is exact and deterministic. [`Found::Unknown`] means that the search did not finish. The reason is
/// [`Stopped::GaveUp`] if the order is wider than [`MOST_WIDTH`](super::MOST_WIDTH), if it is not an order of this
/// graph, or if a table has more than `states` states.
pub fn find(graph: &Graph, order: &Elimination, states: u64, budget: &Budget) -> (Found, DecompositionStatistics) {
    let mut meter = Meter::new(budget, states);
    let found = if graph.n_vertices() < 3 {
        Ok(Found::NoCycle)
    } else if order.width() < u64::SLOTS {
        find_in::<u64>(graph, order, &mut meter)
    } else if order.width() < u128::SLOTS {
        find_in::<u128>(graph, order, &mut meter)
    } else {
        Err(Stopped::GaveUp)
    };
    let statistics = DecompositionStatistics { width: order.width(), states: meter.states, most_states: meter.most };
    (found.unwrap_or_else(Found::Unknown), statistics)
}

fn find_in<W: Word>(graph: &Graph, order: &Elimination, meter: &mut Meter<'_>) -> Result<Found, Stopped> {
    let sweep = Sweep::new(graph, order, meter)?;
    let mut tables = Bases::new(meter);
    let last = match sweep.run::<W, _>(&mut tables)? {
        Swept::Nothing => return Ok(Found::NoCycle),
        Swept::Whole(last) => last,
        Swept::Pieces(_) => return Err(Stopped::GaveUp),
    };
    let mut links = Links::new(graph.n_vertices() as usize);
    let back = vec![(last.source, 0)];
    tables.origins.edges::<W>(&sweep, back, &mut |v, u| links.link(v.number(), u.number()));
    let cycle: Vec<_> = around(&links.into_pairs(), 0).map(Vertex::new).collect();
    debug_assert_eq!(cycle.len(), graph.n_vertices() as usize);
    Ok(Found::Cycle(cycle))
}

/// Record of a join of two tables, kept until the edges of a cycle have been found.
#[derive(Debug)]
struct Join {
    left: Source,
    right: Source,
    /// Index in `Origins::from` of the first state of this join.
    first: usize,
}

/// Origins of the states of all joined tables. The origin of a state is the pair of states from which it was joined.
#[derive(Debug, Default)]
pub(super) struct Origins {
    joins: Vec<Join>,
    /// For each state of each join: the indices of the two states, in the left and in the right table, that were
    /// joined.
    from: Vec<[u32; 2]>,
}

impl Origins {
    /// Calls `tell` for each edge of the partial solutions that the states in `back` represent. Finds the edges by
    /// following the origins of these states. Each entry of `back` consists of the source of a table and the index of a
    /// state in this table.
    pub(super) fn edges<W: Word>(
        &self,
        sweep: &Sweep<'_>,
        mut back: Vec<(Source, u32)>,
        tell: &mut impl FnMut(Vertex, Vertex),
    ) {
        while let Some((source, number)) = back.pop() {
            match source {
                Source::Nothing => {}
                Source::Star(v) => {
                    let choice = &sweep.star::<W>(v)[number as usize];
                    choice.to.into_iter().flatten().for_each(|u| tell(v, u));
                }
                Source::Join(join) => {
                    let join = &self.joins[join as usize];
                    let [left, right] = self.from[join.first + number as usize];
                    back.extend([(join.left, left), (join.right, right)]);
                }
            }
        }
    }
}

pub(super) struct Table<W> {
    pub(super) states: Grouped<W>,
    pub(super) source: Source,
}

pub(super) struct Bases<'m, 'w, W> {
    pub(super) origins: Origins,
    /// Memory of the joins, which are many and mostly small.
    joined: Joined<W>,
    meter: &'m mut Meter<'w>,
}

impl<'m, 'w, W: Word> Bases<'m, 'w, W> {
    pub(super) fn new(meter: &'m mut Meter<'w>) -> Self {
        Self { origins: Origins::default(), joined: Joined::new(), meter }
    }
}

impl<W: Word> Tables<W> for Bases<'_, '_, W> {
    type Table = Table<W>;

    fn table(&mut self, states: Grouped<W>, source: Source) -> Table<W> {
        Table { states, source }
    }

    fn join(&mut self, left: Table<W>, right: Table<W>, rules: &Rules<W>) -> Result<Table<W>, Stopped> {
        let (lefts, rights) = (left.states.states(), right.states.states());
        rules.meetings(&left.states, &right.states, self.meter, &mut |meeting, meter| {
            self.joined.meet(meeting, lefts, rights, rules.forget, meter)
        })?;
        let first = self.origins.from.len();
        let states = self.joined.in_order(&mut self.origins.from);
        for used in [&left, &right] {
            if let Source::Join(_) = used.source {
                self.meter.release(used.states.bytes());
            }
        }
        let made = states.states().len();
        let kept = made * size_of::<[u32; 2]>() + size_of::<Join>();
        self.meter.made(made);
        self.meter.keep(states.bytes() + kept as u64)?;
        let source = Source::Join(self.origins.joins.len() as u32);
        self.origins.joins.push(Join { left: left.source, right: right.source, first });
        Ok(Table { states, source })
    }

    fn size(table: &Table<W>) -> usize {
        table.states.states().len()
    }
}

/// State in a table under construction.
struct Entry<W> {
    state: State<W>,
    from: [u32; 2],
    /// Index in `Joined::rows` of the first word of the state's row (see `rank.rs`).
    row: usize,
    /// Index of the next entry with the same degree pattern; `NONE` for the last entry.
    next: u32,
}

/// Basis of the states that share a degree pattern, stored as a linked list of table entries.
struct Basis<W> {
    pattern: Pattern<W>,
    first: u32,
    last: u32,
    length: u32,
}

/// Maximum number of states of a join whose memory the next join uses again.
const MOST_KEPT: usize = 1 << 12;

/// Result of joining two tables, under construction.
struct Joined<W> {
    number: HashMap<W, u32, Mixer>,
    bases: Vec<Basis<W>>,
    entries: Vec<Entry<W>>,
    rows: Vec<u64>,
}

impl<W: Word> Joined<W> {
    fn new() -> Self {
        Self { number: HashMap::default(), bases: Vec::new(), entries: Vec::new(), rows: Vec::new() }
    }

    /// Joins every state of one group with every state of the other, and adds each result whose row is independent of
    /// the earlier rows of its degree pattern.
    fn meet(
        &mut self,
        meeting: &Meeting<W>,
        lefts: &[State<W>],
        rights: &[State<W>],
        forget: W,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        let pattern = meeting.pattern;
        let number = *self.number.entry(pattern.digits()).or_insert_with(|| {
            self.bases.push(Basis { pattern, first: NONE, last: NONE, length: 0 });
            self.bases.len() as u32 - 1
        });
        let ends = pattern.ends().slots();
        let patterns = self.bases.len();
        let basis = &mut self.bases[number as usize];
        for left in meeting.left.range() {
            for right in meeting.right.range() {
                if basis.length == rank(ends) {
                    return Ok(());
                }
                meter.step(4 + basis.length as usize)?;
                let (state, other) = (lefts[left], rights[right]);
                let of_other = meeting.right.pattern;
                let Some(state) = state.join(other, of_other, meeting.closes) else {
                    continue;
                };
                let state = state.forget(forget);
                let words = row_words(ends);
                let row = self.rows.len();
                if ends > 2 {
                    let chain = || chain(&self.entries, basis.first);
                    if chain().any(|entry| entry.state == state) {
                        continue;
                    }
                    self.rows.resize(row + words, 0);
                    let (before, new) = self.rows.split_at_mut(row);
                    write_row(state, pattern.ends(), new);
                    meter.step(rank(ends) as usize + words * basis.length as usize)?;
                    if !reduce(new, chain().map(|entry| &before[entry.row..entry.row + words])) {
                        self.rows.truncate(row);
                        continue;
                    }
                }
                let new = self.entries.len() as u32;
                if basis.length == 0 {
                    basis.first = new;
                } else {
                    self.entries[basis.last as usize].next = new;
                }
                basis.last = new;
                basis.length += 1;
                self.entries.push(Entry { state, from: [left as u32, right as u32], row, next: NONE });
                // The capacity of maps and lists is at most twice the number of their entries, and all entries are
                // copied in the end.
                let copied = size_of::<Entry<W>>() + size_of::<W>() + size_of::<[u32; 2]>();
                let pattern = 2 * (size_of::<(W, u32)>() + size_of::<Basis<W>>());
                let bytes = self.entries.len() * copied + patterns * pattern + self.rows.len() * 8;
                meter.allow(self.entries.len(), bytes as u64)?;
            }
        }
        Ok(())
    }

    /// Returns the states sorted by degree pattern, and appends the origin of each state to `from`. The next join begins
    /// without states.
    fn in_order(&mut self, from: &mut Vec<[u32; 2]>) -> Grouped<W> {
        self.bases.retain(|basis| basis.length > 0);
        self.bases.sort_unstable_by_key(|basis| basis.pattern.digits());
        let mut states = Grouped::with_capacity(self.bases.len(), self.entries.len());
        for basis in &self.bases {
            let chain = || chain(&self.entries, basis.first);
            states.push(basis.pattern, chain().map(|entry| entry.state));
            from.extend(chain().map(|entry| entry.from));
        }
        match self.entries.len() > MOST_KEPT {
            true => *self = Self::new(),
            false => {
                self.number.clear();
                self.bases.clear();
                self.entries.clear();
                self.rows.clear();
            }
        }
        states
    }
}

/// Iterates over the entries of one degree pattern in the order of their insertion. `first` is the index of the first
/// entry.
fn chain<W>(entries: &[Entry<W>], first: u32) -> impl Iterator<Item = &Entry<W>> {
    let entry = |number: u32| entries.get(number as usize);
    std::iter::successors(entry(first), move |last| entry(last.next))
}
