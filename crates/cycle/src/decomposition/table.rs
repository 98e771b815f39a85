//! Tables of states grouped by degree pattern, and the search for compatible patterns of two tables.
//!
//! Two states can only be joined if no vertex gets more than two edges, and every vertex can still get two edges in the
//! end. Apart from cycles that close too early, this only depends on the degree patterns. So two tables are joined
//! group by group. Groups are sorted by degrees, with the degree in the highest slot as the first key. Compatible
//! groups are found by descending in both tables at once, slot by slot, as in a trie. Groups that a prefix of the
//! degrees excludes are never examined.

use std::ops::Range;

use super::state::{Pattern, State, Word, slot_mask};
use hamcnf_graph::budget::{Budget, Stopped};

/// Number of steps, of some nanoseconds each, between two checks of the budget.
const STEPS_A_LOOK: u64 = 1 << 14;
/// Threshold for trying all pairs of groups. If at most this many pairs are left, each is tried directly, without
/// descending to further slots.
const FEW_PAIRS: usize = 24;

/// States with the same degree pattern: a range of the states of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group<W> {
    pub(super) pattern: Pattern<W>,
    first: u32,
    end: u32,
}

impl<W> Group<W> {
    /// Returns the indices of the group's states in the table.
    pub(super) fn range(&self) -> Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// States of a table, grouped by degree pattern.
#[derive(Debug)]
pub(super) struct Grouped<W> {
    groups: Vec<Group<W>>,
    states: Vec<State<W>>,
}

impl<W: Word> Grouped<W> {
    /// Returns an empty table with room for these numbers of groups and states.
    pub(super) fn with_capacity(groups: usize, states: usize) -> Self {
        Self { groups: Vec::with_capacity(groups), states: Vec::with_capacity(states) }
    }

    /// Returns the table of states with different degree patterns, in increasing order of [`Pattern::digits`].
    pub(super) fn of(states: impl ExactSizeIterator<Item = (Pattern<W>, State<W>)>) -> Self {
        let mut table = Self::with_capacity(states.len(), states.len());
        states.for_each(|(pattern, state)| table.push(pattern, [state].into_iter()));
        table
    }

    /// Adds a group of states with this degree pattern. Groups must be added in increasing order of
    /// [`Pattern::digits`].
    pub(super) fn push(&mut self, pattern: Pattern<W>, states: impl Iterator<Item = State<W>>) {
        let after = |group: &Group<W>| group.pattern.digits() < pattern.digits();
        debug_assert!(self.groups.last().is_none_or(after));
        let first = self.states.len() as u32;
        self.states.extend(states);
        let end = self.states.len() as u32;
        self.groups.push(Group { pattern, first, end });
    }

    /// Returns the states of all groups.
    pub(super) fn states(&self) -> &[State<W>] {
        &self.states
    }

    /// Returns the size of the table in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = self.groups.len() * size_of::<Group<W>>() + self.states.len() * size_of::<W>();
        bytes as u64
    }
}

/// Conditions that the states of a joined table must satisfy. All sets of slots are masks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<W> {
    /// Slots of the vertices in the bag.
    pub(super) scope: W,
    /// Slots whose vertices need at least one edge after the join, because at most one of their edges is still
    /// undecided.
    pub(super) touched: W,
    /// Slots whose vertices need both edges after the join, because all of their edges are decided.
    pub(super) full: W,
    /// True if the two tables together cover all vertices of the graph, so that the join may close a Hamiltonian cycle.
    pub(super) whole: bool,
    /// Slots of the vertices that leave the bag after the join.
    pub(super) forget: W,
}

/// Two compatible groups of states, and the degree pattern of their joined states.
pub(super) struct Meeting<W> {
    pub(super) left: Group<W>,
    pub(super) right: Group<W>,
    /// Degree pattern of the joined states, without the forgotten slots.
    pub(super) pattern: Pattern<W>,
    /// True if the joined states have no path ends: their last path closes a Hamiltonian cycle.
    pub(super) closes: bool,
}

impl<W: Word> Pattern<W> {
    /// Returns the key by which groups are sorted. It has one digit per slot: 0, 1 or 3 for degree 0, 1 or 2.
    pub(super) fn digits(self) -> W {
        self.touched | (self.full << 1)
    }

    /// Returns the degree pattern of the union of two edge sets; `None` if some vertex gets more than two edges.
    fn plus(self, other: Self) -> Option<Self> {
        let too_many = (self.full & other.touched) | (other.full & self.touched);
        (too_many == W::ZERO).then(|| Self {
            touched: self.touched | other.touched,
            full: self.full | other.full | (self.touched & other.touched),
        })
    }
}

impl<W: Word> Rules<W> {
    fn admit(&self, pattern: Pattern<W>) -> bool {
        let kept = self.touched & !pattern.touched == W::ZERO && self.full & !pattern.full == W::ZERO;
        // In a state without path ends, all paths are closed. The state is a solution if one cycle visits all vertices,
        // and a dead end otherwise.
        kept && (pattern.ends() != W::ZERO || self.whole && pattern.full == self.scope)
    }

    /// Calls `meet` for each pair of compatible groups of the two tables. The order of the calls is deterministic.
    pub(super) fn meetings(
        &self,
        left: &Grouped<W>,
        right: &Grouped<W>,
        meter: &mut Meter<'_>,
        meet: &mut impl FnMut(&Meeting<W>, &mut Meter<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        self.descend(&left.groups, &right.groups, W::SLOTS, meter, meet)
    }

    /// Calls `meet` for each pair of compatible groups of `left` and `right`. All groups of `left` must have equal
    /// degrees in slot `above` and in every higher slot, and so must all groups of `right`.
    fn descend(
        &self,
        left: &[Group<W>],
        right: &[Group<W>],
        above: u32,
        meter: &mut Meter<'_>,
        meet: &mut impl FnMut(&Meeting<W>, &mut Meter<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        if left.is_empty() || right.is_empty() {
            return Ok(());
        }
        let mut slot = above;
        loop {
            if slot == 0 || left.len() * right.len() <= FEW_PAIRS {
                return self.all_pairs(left, right, meter, meet);
            }
            slot -= 1;
            if self.scope & slot_mask(slot) != W::ZERO {
                break;
            }
        }
        meter.step(4)?;
        let mask = slot_mask(slot);
        let needed = if self.full & mask != W::ZERO { 2 } else { usize::from(self.touched & mask != W::ZERO) };
        let (by_left, by_right) = (by_degree(left, mask), by_degree(right, mask));
        for (k, left) in by_left.into_iter().enumerate() {
            for (l, right) in by_right.into_iter().enumerate() {
                if (needed..=2).contains(&(k + l)) {
                    self.descend(left, right, slot, meter, meet)?;
                }
            }
        }
        Ok(())
    }

    fn all_pairs(
        &self,
        left: &[Group<W>],
        right: &[Group<W>],
        meter: &mut Meter<'_>,
        meet: &mut impl FnMut(&Meeting<W>, &mut Meter<'_>) -> Result<(), Stopped>,
    ) -> Result<(), Stopped> {
        meter.step(left.len() * right.len())?;
        for &left in left {
            for &right in right {
                let Some(pattern) = left.pattern.plus(right.pattern) else {
                    continue;
                };
                if self.admit(pattern) {
                    let meeting = Meeting {
                        left,
                        right,
                        pattern: Pattern { touched: pattern.touched & !self.forget, full: pattern.full & !self.forget },
                        closes: pattern.ends() == W::ZERO,
                    };
                    meet(&meeting, meter)?;
                }
            }
        }
        Ok(())
    }
}

/// Splits sorted groups by the degree (0, 1 or 2) in the slot that the mask `slot` selects. The groups must have equal
/// degrees in all higher slots.
fn by_degree<W: Word>(groups: &[Group<W>], slot: W) -> [&[Group<W>]; 3] {
    let none = groups.partition_point(|group| group.pattern.touched & slot == W::ZERO);
    let (none, some) = groups.split_at(none);
    let one = some.partition_point(|group| group.pattern.full & slot == W::ZERO);
    let (one, two) = some.split_at(one);
    [none, one, two]
}

/// Counter of work, states and bytes that enforces the limits.
pub(super) struct Meter<'a> {
    budget: &'a Budget,
    most_states: u64,
    steps: u64,
    /// Number of bytes of all tables that are currently kept.
    bytes: u64,
    /// Total number of states of all tables so far.
    pub(super) states: u64,
    /// Number of states of the largest table so far.
    pub(super) most: u64,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: &'a Budget, most_states: u64) -> Self {
        Self { budget, most_states, steps: 0, bytes: 0, states: 0, most: 0 }
    }

    /// Counts steps, and checks the budget from time to time.
    pub(super) fn step(&mut self, steps: usize) -> Result<(), Stopped> {
        let before = self.steps / STEPS_A_LOOK;
        self.steps += steps as u64;
        if self.steps / STEPS_A_LOOK != before {
            return self.budget.check();
        }
        Ok(())
    }

    /// Returns an error if a table under construction has too many states, or if this table and the kept tables
    /// together exceed the memory limit.
    pub(super) fn allow(&self, states: usize, bytes: u64) -> Result<(), Stopped> {
        if states as u64 > self.most_states || states >= u32::MAX as usize {
            return Err(Stopped::GaveUp);
        }
        let most = self.budget.memory().unwrap_or(u64::MAX);
        if self.bytes + bytes > most {
            return Err(Stopped::Memory);
        }
        Ok(())
    }

    /// Adds a finished table with this number of states to the statistics.
    pub(super) fn made(&mut self, states: usize) {
        self.states += states as u64;
        self.most = self.most.max(states as u64);
    }

    /// Counts bytes that are kept until [`Self::release`]. Returns an error if the kept bytes exceed the memory limit.
    pub(super) fn keep(&mut self, bytes: u64) -> Result<(), Stopped> {
        self.bytes += bytes;
        self.allow(0, 0)
    }

    /// Subtracts bytes that are no longer kept.
    pub(super) fn release(&mut self, bytes: u64) {
        self.bytes -= bytes;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns a table of states with six slots. Each list of edges gives a state. An edge is skipped if the chosen
    /// edges would no longer form paths.
    fn table(lists: &[Vec<(u32, u32)>]) -> Grouped<u64> {
        let mut states = Vec::new();
        for edges in lists {
            let mut state = State::<u64>::EMPTY;
            for &(a, b) in edges {
                let mut longer = state;
                let full = state.pattern().full & (slot_mask::<u64>(a) | slot_mask::<u64>(b));
                if a != b && full == 0 && !longer.connect(a, b) {
                    state = longer;
                }
            }
            states.push(state);
        }
        states.sort_by_key(|state| (state.pattern().digits(), *state));
        states.dedup();
        let mut table = Grouped::with_capacity(0, 0);
        for group in states.chunk_by(|a, b| a.pattern() == b.pattern()) {
            table.push(group[0].pattern(), group.iter().copied());
        }
        table
    }

    fn lists() -> impl Strategy<Value = Vec<Vec<(u32, u32)>>> {
        let edges = proptest::collection::vec((0..6u32, 0..6u32), 0..6);
        proptest::collection::vec(edges, 0..60)
    }

    proptest! {
        #[test]
        fn meetings_are_all_pairs_that_go_together(
            left in lists(), right in lists(), needs in proptest::collection::vec(0..3usize, 6),
            whole: bool,
        ) {
            let (left, right) = (table(&left), table(&right));
            let mut rules = Rules {
                scope: (0..6).map(slot_mask::<u64>).fold(0, |all, slot| all | slot),
                touched: 0,
                full: 0,
                whole,
                forget: slot_mask(3),
            };
            for (slot, &need) in needs.iter().enumerate() {
                let slot = slot_mask::<u64>(slot as u32);
                rules.touched |= if need > 0 { slot } else { 0 };
                rules.full |= if need > 1 { slot } else { 0 };
            }
            let budget = Budget::default();
            let mut met = Vec::new();
            let meter = &mut Meter::new(&budget, u64::MAX);
            let mut meet = |m: &Meeting<u64>, _: &mut Meter<'_>| {
                let pairs = m.left.range().flat_map(|a| m.right.range().map(move |b| (a, b)));
                met.extend(pairs.map(|(a, b)| (a, b, m.pattern, m.closes)));
                Ok(())
            };
            rules.meetings(&left, &right, meter, &mut meet).unwrap();
            let degree = |state: State<u64>, slot| {
                let pattern = state.pattern();
                let has = |mask: u64| usize::from(mask & slot_mask::<u64>(slot) != 0);
                has(pattern.touched) + has(pattern.full)
            };
            let mut expected = Vec::new();
            for (k, &a) in left.states().iter().enumerate() {
                for (l, &b) in right.states().iter().enumerate() {
                    let sums: Vec<_> = (0..6).map(|s| degree(a, s) + degree(b, s)).collect();
                    let closes = !sums.contains(&1);
                    let fits = sums.iter().zip(&needs).all(|(sum, need)| (need..=&2).contains(&sum));
                    if fits && (!closes || whole && sums == [2; 6]) {
                        let of = |least: usize| (0..6)
                            .filter(|&s| sums[s as usize] >= least && s != 3)
                            .fold(0, |all, s| all | slot_mask::<u64>(s));
                        let pattern = Pattern { touched: of(1), full: of(2) };
                        expected.push((k, l, pattern, closes));
                    }
                }
            }
            let key = |m: &(usize, usize, Pattern<u64>, bool)| (m.0, m.1);
            met.sort_by_key(key);
            prop_assert_eq!(met, expected);
        }
    }
}
