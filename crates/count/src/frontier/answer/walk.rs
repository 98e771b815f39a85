//! Lazy listing of tours: a depth-first walk over the choices of a sweep. Its memory does not grow with the number of
//! tours.
//!
//! The walk visits the choices at each vertex in the order of the [decision diagram](super::diagram), so tour number k
//! of the walk is tour number k of the diagram. The edges are e₁, e₂, …, in the order in which the sweep meets them. Of
//! two tours, the first is the tour without the first edge in which they differ.
//!
//! The walk only stores the states between the first vertex and the current vertex, with their remaining choices. It
//! never creates a state whose degrees show that it cannot become a tour. Other states without tours are found by
//! visiting all states below them. A table of bounded size remembers some of these states, so that the walk does not
//! visit the same dead end too often. On dense graphs, dead ends are common, since the first tours lack as many of the
//! first edges as possible. So if the walk has not found a tour for a while, it looks ahead: it
//! searches for a Hamiltonian cycle through the paths of each state before it enters the state. If many states have
//! turned out to be dead ends, it also looks back: the portfolio finds the first state on the way that has no tour, and
//! the walk leaves that state at once. So an early wrong choice costs little, however many states follow it.

use hamcnf_graph::Vertex;
use hamcnf_graph::masks::Masks;
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, Tour};

use crate::frontier::state::{Completable, Degrees, Matching, WideMatching};
use crate::frontier::step::{Choice, choices};
use crate::frontier::sweep::{Element, Sweep, ordered};
use crate::not_counted::NotCounted;
use crate::rest::Rest;
use hamcnf_graph::budget::{Budget, Stopped};

/// Maximum number of entries in the table of states without tours.
const MOST_REMEMBERED: usize = 1 << 17;

/// Number of entries in the first table.
const FIRST_REMEMBERED: usize = 1 << 8;

/// Number of states visited between two checks of the deadline.
const PATIENCE: u32 = 1 << 12;

/// Number of states visited without a tour after which the walk looks ahead.
const PATIENCE_BEFORE_SEARCH: u32 = 1 << 8;

/// Maximum number of nodes of a search ahead.
const SEARCH_NODES: u64 = 1 << 12;

/// Number of dead ends without a tour, and of nodes of searches that did not decide, after which the walk looks back. The
/// number is halved each time that this was of use, and doubled otherwise.
const MOST_WASTED: u64 = 1 << 14;

/// Least number of dead ends before the walk looks back, for each vertex: about as many as take the same time.
const LEAST_WASTED: u64 = 4;

/// Maximum number of bytes for the sets of degrees that can be completed.
const MOST_FOR_SETS: u64 = 1 << 30;

/// State after some steps of the sweep.
type State = (Degrees, WideMatching);

/// State on the way to the current state.
struct Place {
    state: State,
    /// Choices that have not been visited. The next choice is the last.
    left: Vec<Choice>,
    /// Length of the list of elements before this place.
    elements: usize,
    /// True if there is a tour below this place, or a look back could not decide it. So it is for all places before it.
    is_kept: bool,
}

/// Table of some states without tours, each with the number of steps before it. The place of a state is its hash value.
struct Dead {
    entries: Vec<Option<(usize, State)>>,
    /// Number of states added since the table has this size.
    added: usize,
}

impl Dead {
    fn new() -> Self {
        Self { entries: vec![None; FIRST_REMEMBERED], added: 0 }
    }

    /// Returns the index of the entry for a state that is reached after t steps.
    fn place(&self, t: usize, (degrees, matching): State) -> usize {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = matching.spread() ^ (degrees.0.wrapping_add(t as u64)).wrapping_mul(ODD);
        (mixed.wrapping_mul(ODD) >> (u64::BITS - self.entries.len().ilog2())) as usize
    }

    fn contains(&self, t: usize, state: State) -> bool {
        self.entries[self.place(t, state)] == Some((t, state))
    }

    /// Adds a state, which overwrites the state at the same place. A full table is replaced by an empty one of twice
    /// the size.
    fn add(&mut self, t: usize, state: State) {
        if self.added == self.entries.len() && self.added < MOST_REMEMBERED {
            self.entries = vec![None; 2 * self.added];
            self.added = 0;
        }
        let place = self.place(t, state);
        self.entries[place] = Some((t, state));
        self.added += 1;
    }
}

/// Iterator over the tours of an instance. If the deadline passes or the walk is cancelled, the last item is the
/// reason.
pub struct Walk {
    instance: Instance,
    ends: Endpoints,
    sweep: Sweep,
    completable: Completable,
    /// Places between the first vertex and the current vertex. Entry t belongs to step t.
    path: Vec<Place>,
    /// Elements of the choices on the path.
    set: Vec<Element>,
    /// Tour that is the reverse of the last tour, if it has not been listed yet.
    reverse: Option<Tour>,
    dead: Dead,
    budget: Budget,
    patience: u32,
    /// Number of states visited since the last tour.
    visited: u32,
    /// Number of dead ends since the last tour or look back.
    wasted: u64,
    /// Number of dead ends after which the walk looks back.
    most_wasted: u64,
    is_over: bool,
}

impl Walk {
    /// Starts a walk. The budget's memory is used only to compute which degrees can be completed; with less memory, the
    /// walk visits more states without tours.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] if the frontier is too wide, or the deadline passes during the backward pass.
    pub fn new(instance: &Instance, ends: Endpoints, budget: &Budget) -> Result<Self, NotCounted> {
        let sweep = Sweep::new(instance, ends, Degrees::SLOTS)?;
        let memory = budget.memory().unwrap_or(u64::MAX).min(MOST_FOR_SETS);
        let completable = Completable::new(&sweep, memory, budget)
            .ok_or_else(|| NotCounted::over(budget.over().unwrap_or(Stopped::Time), "before the listing began"))?;
        let mut walk = Self {
            instance: instance.clone(),
            ends,
            sweep,
            completable,
            path: Vec::new(),
            set: Vec::new(),
            reverse: None,
            dead: Dead::new(),
            budget: budget.clone(),
            patience: PATIENCE,
            visited: 0,
            wasted: 0,
            most_wasted: MOST_WASTED,
            is_over: false,
        };
        walk.enter((Degrees::NONE, WideMatching::NONE));
        Ok(walk)
    }

    /// Returns the number of states that the walk stores now: the states on the path and their remaining choices. The
    /// number has a bound that depends on the graph only.
    pub fn stored(&self) -> usize {
        self.path.iter().map(|place| 1 + place.left.len()).sum()
    }

    /// Returns the number of states visited since the last tour.
    pub fn visited(&self) -> u32 {
        self.visited
    }

    /// Appends a state to the path, with all its choices.
    fn enter(&mut self, state: State) {
        let mut left = Vec::new();
        let t = self.path.len();
        choices(&self.sweep, &self.completable, t, state.0, |choice| {
            left.push(choice);
        });
        self.path.push(Place { state, left, elements: self.set.len(), is_kept: false });
    }

    /// Removes the last place of the path, and remembers its state if it has no tour.
    fn leave(&mut self) {
        let Some(place) = self.path.pop() else { return };
        if !place.is_kept {
            self.wasted += 1;
            self.dead.add(self.path.len(), place.state);
        }
    }

    /// Returns the graph of the vertices that lack edges in a state, which is reached after t steps, with the paths of the
    /// state. Returns `None` if there are at most three vertices.
    fn rest(&self, t: usize, (degrees, matching): State) -> Option<Rest> {
        const SWEPT: u32 = u32::MAX;
        let mut slots = vec![None; self.sweep.n()];
        for seat in self.sweep.frontier(t) {
            slots[seat.vertex.index()] = Some(seat.slot);
        }
        let steps = (t..self.sweep.n()).map(|t| self.sweep.step(t).vertex);
        let is_left = |v: &Vertex| slots[v.index()].is_none_or(|slot| degrees.of(slot) < 2);
        let left: Vec<_> = steps.filter(is_left).collect();
        if left.len() <= 3 {
            return None;
        }
        let mut numbers = vec![SWEPT; self.sweep.n()];
        let mut ends = [SWEPT; Degrees::SLOTS];
        for (number, v) in (0..).zip(&left) {
            numbers[v.index()] = number;
            if let Some(slot) = slots[v.index()] {
                ends[slot as usize] = number;
            }
        }
        let mut edges = Vec::with_capacity(4 * left.len());
        for v in &left {
            for w in self.sweep.graph().neighbours(*v) {
                let (v, w) = (numbers[v.index()], numbers[w.index()]);
                if w != SWEPT && v < w {
                    edges.push((v, w));
                }
            }
        }
        let paths = degrees.ends().map(|slot| (slot, matching.mate(slot))).filter(|(slot, mate)| slot < mate);
        let paths = paths.map(|(slot, mate)| (ends[slot as usize], ends[mate as usize]));
        Some(Rest { n: left.len() as u32, edges, paths: paths.collect() })
    }

    /// Returns false if a short search shows that a state, which is reached after t steps, cannot become a tour.
    fn may_have_tour(&mut self, t: usize, state: State) -> Result<bool, Stopped> {
        let Some(rest) = self.rest(t, state) else {
            return Ok(true);
        };
        let found = rest.has_tour(SEARCH_NODES, &self.budget)?;
        if found.is_none() && rest.n <= Masks::MOST {
            self.wasted += SEARCH_NODES;
        }
        Ok(found.unwrap_or(true))
    }

    /// Leaves all places from the first one without a tour on.
    fn look_back(&mut self) -> Result<(), Stopped> {
        let mut first = self.path.partition_point(|place| place.is_kept);
        let mut last = self.path.len();
        while first < last {
            let t = (first + last) / 2;
            let may_have_tour = match self.rest(t, self.path[t].state).map(|rest| rest.tour(true, &self.budget)) {
                // The turns that open the portfolio are short. A state that stays undecided is kept.
                None | Some(Err(Stopped::GaveUp | Stopped::Memory)) => true,
                Some(tour) => tour?.is_some(),
            };
            if may_have_tour {
                first = t + 1;
            } else {
                last = t;
            }
        }
        self.path[..first].iter_mut().for_each(|place| place.is_kept = true);
        let least = LEAST_WASTED * self.sweep.n() as u64;
        self.most_wasted = match self.path.get(first) {
            Some(place) => {
                self.dead.add(first, place.state);
                (self.most_wasted / 2).max(least)
            }
            None => (2 * self.most_wasted).min(MOST_WASTED.max(least)),
        };
        self.path.truncate(first);
        self.wasted = 0;
        Ok(())
    }

    /// Appends the elements of a choice at step t to the list of elements.
    fn choose(&mut self, t: usize, choice: &Choice) {
        let step = self.sweep.step(t);
        for edge in choice.edges.into_iter().flatten() {
            let other = step.later[edge].vertex;
            self.set.extend(self.sweep.element(step.vertex, other, self.instance.n()));
        }
    }

    /// Walks to the next tour. Returns `None` if there is none.
    fn advance(&mut self) -> Result<Option<Tour>, Stopped> {
        self.visited = 0;
        loop {
            self.patience -= 1;
            if self.patience == 0 {
                self.patience = PATIENCE;
                self.budget.check()?;
            }
            if self.wasted > self.most_wasted {
                self.look_back()?;
            }
            let Some(t) = self.path.len().checked_sub(1) else {
                return Ok(None);
            };
            let place = &mut self.path[t];
            self.set.truncate(place.elements);
            let Some(choice) = place.left.pop() else {
                self.leave();
                continue;
            };
            let closes = !choice.target.has_paths();
            let Some(matching) = choice.by.apply(place.state.1, closes) else {
                continue;
            };
            let state = (choice.target, matching);
            if self.dead.contains(t + 1, state) {
                continue;
            }
            self.visited = self.visited.saturating_add(1);
            if self.visited > PATIENCE_BEFORE_SEARCH && !self.may_have_tour(t + 1, state)? {
                self.wasted += 1;
                self.dead.add(t + 1, state);
                continue;
            }
            self.choose(t, &choice);
            if t + 1 < self.sweep.n() {
                self.enter(state);
                continue;
            }
            self.path.iter_mut().for_each(|place| place.is_kept = true);
            self.wasted = 0;
            let is_both = self.ends.directions() > 1;
            self.reverse = is_both.then(|| ordered(&self.instance, self.ends, &self.set, true));
            return Ok(Some(ordered(&self.instance, self.ends, &self.set, false)));
        }
    }
}

impl Iterator for Walk {
    type Item = Result<Tour, Stopped>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(tour) = self.reverse.take() {
            return Some(Ok(tour));
        }
        if self.is_over {
            return None;
        }
        let next = self.advance();
        self.is_over = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::graph_strategy::graphs;
    use hamcnf_tours::TourKind;
    use proptest::prelude::*;

    fn walk(instance: &Instance, ends: Endpoints) -> Walk {
        let limits = Budget::default().with_memory(Some(0));
        Walk::new(instance, ends, &limits).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn looking_back_loses_no_tour(graph in graphs(4..=8)) {
            let open = Instance::on_graph("g", graph, TourKind::Open, Vertex::new(0)).unwrap();
            for ends in [Endpoints::ANYWHERE, Endpoints::of(&open)] {
                let expected: Vec<_> = walk(&open, ends).map(Result::unwrap).collect();
                let found = Walk { most_wasted: 0, ..walk(&open, ends) };
                prop_assert_eq!(found.map(Result::unwrap).collect::<Vec<_>>(), expected);
            }
        }
    }
}
