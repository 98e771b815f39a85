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
//! searches for a Hamiltonian cycle through the paths of each state before it enters the state.

use hamcnf_graph::Vertex;
use hamcnf_graph::masks::Masks;
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, Tour};

use crate::frontier::Limits;
use crate::frontier::state::completable::Completable;
use crate::frontier::state::degrees::Degrees;
use crate::frontier::state::matching::{Matching, WideMatching};
use crate::frontier::step::moves::{Choice, choices};
use crate::frontier::sweep::element::{Element, ordered};
use crate::frontier::sweep::{Sweep, TooWide};
use hamcnf_cycle::small::has_cycle_with;
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

/// Maximum number of bytes for the sets of degrees that can be completed.
const MOST_FOR_SETS: u64 = 1 << 30;

/// Reason why a walk did not begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WalkError {
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The deadline passed, or the walk was cancelled, before the first tour.
    #[error("the time limit was reached before the listing began")]
    Time,
}

/// State after some steps of the sweep.
type State = (Degrees, WideMatching);

/// State on the way to the current state.
struct Place {
    state: State,
    /// Choices that have not been visited. The next choice is the last.
    left: Vec<Choice>,
    /// Length of the list of elements before this place.
    elements: usize,
    /// True if a tour was found below this place.
    has_tour: bool,
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
    is_over: bool,
}

impl Walk {
    /// Starts a walk.
    ///
    /// # Errors
    ///
    /// [`WalkError`] if the frontier is too wide, or the deadline passes during the backward pass.
    pub fn new(instance: &Instance, ends: Endpoints, options: &Limits) -> Result<Self, WalkError> {
        let sweep = Sweep::new(instance, ends, Degrees::SLOTS)?;
        let budget = Budget::new(options.deadline, options.stop.clone());
        let completable =
            Completable::new(&sweep, options.memory.min(MOST_FOR_SETS), &budget).ok_or(WalkError::Time)?;
        let mut walk = Self {
            instance: instance.clone(),
            ends,
            sweep,
            completable,
            path: Vec::new(),
            set: Vec::new(),
            reverse: None,
            dead: Dead::new(),
            budget,
            patience: PATIENCE,
            visited: 0,
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

    /// Appends a state to the path, with all its choices.
    fn enter(&mut self, state: State) {
        let mut left = Vec::new();
        let t = self.path.len();
        choices(&self.sweep, &self.completable, t, state.0, |choice| {
            left.push(choice);
        });
        self.path.push(Place { state, left, elements: self.set.len(), has_tour: false });
    }

    /// Removes the last place of the path, and remembers its state if it has no tour.
    fn leave(&mut self) {
        let Some(place) = self.path.pop() else { return };
        if place.has_tour {
            if let Some(before) = self.path.last_mut() {
                before.has_tour = true;
            }
        } else {
            self.dead.add(self.path.len(), place.state);
        }
    }

    /// Returns false if a search shows that a state, which is reached after t steps, cannot become a tour. The search
    /// is on the graph of the vertices that are not swept and have fewer than two edges, in which an edge joins the
    /// ends of each path.
    fn may_have_tour(&self, t: usize, (degrees, matching): State) -> Result<bool, Stopped> {
        const SWEPT: u32 = u32::MAX;
        let mut slots = vec![None; self.sweep.n()];
        for seat in self.sweep.frontier(t) {
            slots[seat.vertex.index()] = Some(seat.slot);
        }
        let steps = (t..self.sweep.n()).map(|t| self.sweep.step(t).vertex);
        let is_left = |v: &Vertex| slots[v.index()].is_none_or(|slot| degrees.of(slot) < 2);
        let left: Vec<_> = steps.filter(is_left).collect();
        let Some(mut graph) = Masks::edgeless(left.len() as u32).filter(|graph| graph.n() > 3) else {
            return Ok(true);
        };
        let mut numbers = vec![SWEPT; self.sweep.n()];
        let mut ends = [SWEPT; Degrees::SLOTS];
        for (number, v) in (0..).zip(&left) {
            numbers[v.index()] = number;
            if let Some(slot) = slots[v.index()] {
                ends[slot as usize] = number;
            }
        }
        for v in &left {
            for w in self.sweep.graph().neighbours(*v) {
                let (v, w) = (numbers[v.index()], numbers[w.index()]);
                if w != SWEPT && v < w {
                    graph.join(v, w);
                }
            }
        }
        let mut paths = Vec::new();
        for slot in degrees.ends() {
            let mate = matching.mate(slot);
            if slot < mate {
                let (a, b) = (ends[slot as usize], ends[mate as usize]);
                graph.join(a, b);
                paths.push((a, b));
            }
        }
        let found = has_cycle_with(&graph, &paths, SEARCH_NODES, &self.budget)?;
        Ok(found != Some(false))
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
        loop {
            self.patience -= 1;
            if self.patience == 0 {
                self.patience = PATIENCE;
                if let Some(why) = self.budget.over() {
                    return Err(why);
                }
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
                self.dead.add(t + 1, state);
                continue;
            }
            self.choose(t, &choice);
            if t + 1 < self.sweep.n() {
                self.enter(state);
                continue;
            }
            self.path[t].has_tour = true;
            self.visited = 0;
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
