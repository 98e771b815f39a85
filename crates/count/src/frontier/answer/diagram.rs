//! Zero-suppressed decision diagram of all tours. Each tour is a set of edges.
//!
//! Each node tests whether an edge is on the tour. The edges are tested in the order of a sweep, in which the edges
//! from one vertex to later vertices are consecutive. If the tour may be open, each vertex also has an *end* element
//! that stands for "the path ends here". Nodes whose edge can only be absent are omitted (Minato, *Zero-suppressed BDDs
//! for set manipulation in combinatorial problems*, DAC 1993), and equal nodes are shared.
//!
//! The diagram is built along the frontier in two passes. The first pass computes the states of every layer. The second
//! pass runs from the last layer to the first, and builds the node of each state as a chain over the choices of edges
//! at one vertex. States whose degrees show that they cannot become a tour are never created.
//!
//! Each node has a count, the number of sets that it represents. With these counts, one walk from the root finds tour
//! number k, and a uniformly random k gives a uniformly random tour.

use std::collections::HashMap;
use std::io::{self, Write};

use chacha20::rand_core::Rng;
use hamcnf_graph::Vertex;
use hamcnf_tours::{Instance, Tour};
use num_bigint::BigUint;

use crate::frontier::state::{Completable, Degrees, Matching, WideMatching};
use crate::frontier::step::{Choice, choices};
use crate::frontier::sweep::{Element, Seat, Sweep, ordered};
use crate::frontier::{Bytes, Progress, States};
use crate::not_counted::NotCounted;
use crate::random_below;
use hamcnf_graph::budget::Budget;
use hamcnf_graph::budget::Stopped;
use hamcnf_tours::endpoints::Endpoints;

/// Number of a node. Numbers 0 and 1 stand for the empty family and for the family whose only set is the empty set.
type Id = u32;
const EMPTY: Id = 0;
const UNIT: Id = 1;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    /// Index of the tested element.
    variable: u32,
    /// Node of the family of the sets that do not contain the element.
    without: Id,
    /// Node of the family of the sets that contain the element. The element is removed from each of these sets.
    with: Id,
}

/// Diagram of all tours of an instance's graph with given endpoints.
#[derive(Clone, Debug)]
pub struct Diagram {
    instance: Instance,
    ends: Endpoints,
    elements: Vec<Element>,
    nodes: Vec<Node>,
    root: Id,
    /// Indexed by node id: the number of sets in the family of the node.
    counts: Vec<BigUint>,
}

impl Diagram {
    /// Builds the diagram within the memory and the time of the budget. Calls `progress` before every vertex.
    ///
    /// # Errors
    ///
    /// [`NotCounted`] if the diagram was not built.
    pub fn new(
        instance: &Instance,
        ends: Endpoints,
        budget: &Budget,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, NotCounted> {
        let sweep = Sweep::new(instance, ends, Degrees::SLOTS)?;
        let completable = Completable::new(&sweep, budget.memory().unwrap_or(u64::MAX), budget);
        let completable =
            completable.ok_or_else(|| over(budget.over().unwrap_or(Stopped::Time), Progress::before(&sweep)))?;
        let mut builder = Builder::new(&sweep, completable, instance.n(), budget, progress);
        let root = builder.root()?;
        let Builder { elements, nodes, .. } = builder;
        let mut diagram = Self { instance: instance.clone(), ends, elements, nodes, root, counts: Vec::new() };
        diagram.keep_reachable();
        diagram.count_all();
        Ok(diagram)
    }

    /// Removes the nodes that cannot be reached from the root. Children keep lower numbers than their parents.
    fn keep_reachable(&mut self) {
        let mut is_reached = vec![false; self.nodes.len() + 2];
        is_reached[self.root as usize] = true;
        for k in (0..self.nodes.len()).rev() {
            if is_reached[k + 2] {
                let Node { without, with, .. } = self.nodes[k];
                is_reached[without as usize] = true;
                is_reached[with as usize] = true;
            }
        }
        let mut renamed: Vec<Id> = vec![EMPTY, UNIT];
        let mut kept = Vec::new();
        for (k, node) in self.nodes.iter().enumerate() {
            if is_reached[k + 2] {
                kept.push(Node { without: renamed[node.without as usize], with: renamed[node.with as usize], ..*node });
            }
            renamed.push(kept.len() as Id + 1);
        }
        self.root = renamed[self.root as usize];
        self.nodes = kept;
    }

    fn count_all(&mut self) {
        let mut counts = vec![BigUint::ZERO, BigUint::from(1u8)];
        for node in &self.nodes {
            let sum = &counts[node.without as usize] + &counts[node.with as usize];
            counts.push(sum);
        }
        self.counts = counts;
    }

    /// Returns the number of tours. A closed tour counts once for both directions, an open tour once per direction.
    pub fn count(&self) -> BigUint {
        &self.counts[self.root as usize] * self.ends.directions()
    }

    /// Returns the number of nodes, not counting the two terminal nodes.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the elements that nodes may test, in the order of the diagram.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Returns tour number `rank` (0-based) in the diagram's order, or `None` if `rank` is not below
    /// [`Diagram::count`]. A uniformly random rank gives a uniformly random tour.
    pub fn tour(&self, rank: &BigUint) -> Option<Tour> {
        let directions = self.ends.directions();
        let backwards = rank % directions == BigUint::from(1u8);
        let mut rank = rank / directions;
        let mut id = self.root;
        if rank >= self.counts[id as usize] {
            return None;
        }
        let mut set = Vec::new();
        while id != UNIT {
            let node = self.nodes[id as usize - 2];
            let before = &self.counts[node.without as usize];
            if rank < *before {
                id = node.without;
            } else {
                rank -= before;
                set.push(self.elements[node.variable as usize]);
                id = node.with;
            }
        }
        Some(ordered(&self.instance, self.ends, &set, backwards))
    }

    /// Draws a tour uniformly at random. Returns `None` if there are no tours.
    pub fn sample(&self, random: &mut impl Rng) -> Option<Tour> {
        self.tour(&random_below(&self.count(), random)?)
    }

    /// Returns an iterator over all tours, in the order of their ranks.
    pub fn tours(&self) -> impl Iterator<Item = Tour> + '_ {
        self.tours_from(&BigUint::ZERO)
    }

    /// Returns an iterator over the tours whose rank is at least `rank` (0-based), in the order of their ranks. Does
    /// not visit tours of lower rank.
    pub fn tours_from(&self, rank: &BigUint) -> impl Iterator<Item = Tour> + '_ {
        let directions = self.ends.directions();
        let skipped = usize::from(rank % directions == BigUint::from(1u8));
        let mut rank = rank / directions;
        // Stack of nodes to visit. Each entry has the number of elements chosen above the node, and the last chosen
        // element if it is not yet in the set.
        let mut open = Vec::new();
        let mut set = Vec::new();
        let mut id = self.root;
        while id > UNIT && rank < self.counts[id as usize] {
            let node = self.nodes[id as usize - 2];
            let element = self.elements[node.variable as usize];
            let before = &self.counts[node.without as usize];
            if rank < *before {
                open.push((node.with, set.len(), Some(element)));
                id = node.without;
            } else {
                rank -= before;
                set.push(element);
                id = node.with;
            }
        }
        if rank < self.counts[id as usize] {
            open.push((id, set.len(), None));
        }
        let sets = std::iter::from_fn(move || {
            while let Some((id, above, last)) = open.pop() {
                set.truncate(above);
                set.extend(last);
                match id {
                    EMPTY => {}
                    UNIT => return Some(set.clone()),
                    _ => {
                        let node = self.nodes[id as usize - 2];
                        let element = self.elements[node.variable as usize];
                        open.push((node.with, set.len(), Some(element)));
                        open.push((node.without, set.len(), None));
                    }
                }
            }
            None
        });
        let tours = sets.flat_map(move |set| {
            let directions = [false, true].into_iter().take(self.ends.directions() as usize);
            directions.map(move |backwards| ordered(&self.instance, self.ends, &set, backwards))
        });
        tours.skip(skipped)
    }

    /// Writes the diagram in the DOT language. A solid line means that the element is on the tour, a dashed line that
    /// it is not.
    ///
    /// # Errors
    ///
    /// I/O errors of `out`.
    pub fn write_dot(&self, mut out: impl Write) -> io::Result<()> {
        let name = |v: Vertex| self.instance.vertex_name(v);
        writeln!(out, "digraph tours {{")?;
        writeln!(out, "  label=\"{}\";", self.instance)?;
        writeln!(out, "  n{UNIT} [shape=box, label=\"1\"];")?;
        if self.root == EMPTY {
            writeln!(out, "  n{EMPTY} [shape=box, label=\"0\"];")?;
        }
        for (id, node) in (2..).zip(&self.nodes) {
            let label = match self.elements[node.variable as usize] {
                Element::Edge(a, b) => format!("{}-{}", name(a), name(b)),
                Element::End(v) => format!("end {}", name(v)),
            };
            writeln!(out, "  n{id} [label=\"{label}\"];")?;
            writeln!(out, "  n{id} -> n{};", node.with)?;
            // Lines to the empty family are omitted, as usual.
            if node.without != EMPTY {
                writeln!(out, "  n{id} -> n{} [style=dashed];", node.without)?;
            }
        }
        writeln!(out, "}}")
    }
}

/// State of a frontier: the degrees of its vertices, and the matching of the ends of paths.
type State = (Degrees, WideMatching);

/// Checks that `bytes` does not exceed the memory limit, and that the deadline has not passed.
fn allowed(bytes: usize, budget: &Budget, at: Progress) -> Result<(), NotCounted> {
    match budget.memory().filter(|&limit| bytes as u64 > limit) {
        Some(limit) => Err(NotCounted::memory(format!(
            "the decision diagram reached the memory limit of {} {}",
            Bytes(limit),
            so_far(at)
        ))),
        None => budget.over().map_or(Ok(()), |limit| Err(over(limit, at))),
    }
}

/// Returns the error for a sweep that a limit ended.
fn over(limit: Stopped, at: Progress) -> NotCounted {
    NotCounted::over(limit, &so_far(at))
}

/// Returns the progress of the sweep, as the end of an error message.
fn so_far(at: Progress) -> String {
    format!("after {} of {} {}, with {} in the last layer", at.layer, at.layers, at.unit, States(at.states))
}

/// Returns the successor of a state under a choice, or `None` if the choice closes a cycle too early.
fn child(state: State, choice: &Choice) -> Option<State> {
    let closes = !choice.target.has_paths();
    Some((choice.target, choice.by.apply(state.1, closes)?))
}

/// Builder of the nodes of the diagram, from the last layer to the first.
struct Builder<'a> {
    sweep: &'a Sweep,
    completable: Completable,
    most_states: f64,
    budget: &'a Budget,
    progress: &'a mut dyn FnMut(Progress),
    elements: Vec<Element>,
    /// Indexed by step, then by edge of the step: the variable of the edge; `None` if the edge is on every tour.
    variables: Vec<Vec<Option<u32>>>,
    nodes: Vec<Node>,
    unique: HashMap<Node, Id>,
}

impl<'a> Builder<'a> {
    fn new(
        sweep: &'a Sweep,
        completable: Completable,
        n: u32,
        budget: &'a Budget,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let mut elements = Vec::new();
        let variables = (0..sweep.n()).map(|t| {
            let step = sweep.step(t);
            let variable = |seat: &Seat| {
                elements.push(sweep.element(step.vertex, seat.vertex, n)?);
                Some(elements.len() as u32 - 1)
            };
            step.later.iter().map(variable).collect()
        });
        let variables = variables.collect();
        Self {
            sweep,
            most_states: completable.most_states(sweep),
            completable,
            budget,
            progress,
            elements,
            variables,
            nodes: Vec::new(),
            unique: HashMap::new(),
        }
    }

    fn at(&self, t: usize, states: usize, bytes: usize) -> Progress {
        Progress {
            layer: t,
            states,
            bytes: bytes as u64,
            most_states: self.most_states,
            most_bytes: self.most_states * size_of::<State>() as f64,
            ..Progress::before(self.sweep)
        }
    }

    /// Computes the states of every layer, sorted.
    fn layers(&mut self) -> Result<Vec<Vec<State>>, NotCounted> {
        let mut layers = vec![vec![(Degrees::NONE, WideMatching::NONE)]];
        let mut bytes = 0;
        for t in 0..self.sweep.n() {
            let layer = &layers[t];
            let at = self.at(t, layer.len(), bytes);
            (self.progress)(at);
            allowed(bytes, self.budget, at)?;
            let mut next = Vec::new();
            for group in layer.chunk_by(|a, b| a.0 == b.0) {
                choices(self.sweep, &self.completable, t, group[0].0, |choice| {
                    next.extend(group.iter().filter_map(|&state| child(state, &choice)));
                });
            }
            next.sort_unstable();
            next.dedup();
            next.shrink_to_fit();
            bytes += size_of_val(&*next);
            layers.push(next);
        }
        Ok(layers)
    }

    /// Builds all nodes, from the last layer to the first, and returns the node of the first state.
    fn root(&mut self) -> Result<Id, NotCounted> {
        let mut layers = self.layers()?;
        let mut after = layers.pop().unwrap_or_default();
        let mut ids = vec![UNIT; after.len()];
        for (t, layer) in layers.into_iter().enumerate().rev() {
            // Each node is stored in the list `nodes` and in the hash table `unique`.
            let bytes = 3 * self.nodes.len() * size_of::<Node>();
            let at = self.at(t, layer.len(), bytes);
            (self.progress)(at);
            allowed(bytes, self.budget, at)?;
            let mut before = Vec::with_capacity(layer.len());
            let mut offered = Vec::new();
            let mut families = Vec::new();
            for group in layer.chunk_by(|a, b| a.0 == b.0) {
                offered.clear();
                choices(self.sweep, &self.completable, t, group[0].0, |choice| {
                    offered.push(choice);
                });
                for &state in group {
                    families.clear();
                    families.extend(offered.iter().filter_map(|choice| {
                        let place = after.binary_search(&child(state, choice)?).ok()?;
                        Some((choice.edges, ids[place]))
                    }));
                    before.push(self.family(t, &families));
                }
            }
            (after, ids) = (layer, before);
        }
        Ok(ids.first().copied().unwrap_or(EMPTY))
    }

    /// Builds the node of a state at step t. Each item of `choices` consists of the chosen edges, and the node of the
    /// next state. The chosen edges are added to every set of that node. The new node represents all resulting sets.
    fn family(&mut self, t: usize, choices: &[([Option<usize>; 2], Id)]) -> Id {
        let mut all = EMPTY;
        for choices in choices.chunk_by(|a, b| a.0[0] == b.0[0]).rev() {
            let mut with_first = EMPTY;
            for &([_, second], id) in choices.iter().rev() {
                with_first = match second {
                    Some(edge) => self.node(self.variables[t][edge], with_first, id),
                    None => id,
                };
            }
            all = match choices[0].0[0] {
                Some(edge) => self.node(self.variables[t][edge], all, with_first),
                None => with_first,
            };
        }
        all
    }

    fn node(&mut self, variable: Option<u32>, without: Id, with: Id) -> Id {
        let Some(variable) = variable else {
            debug_assert_eq!(without, EMPTY, "edges without a variable are on every tour");
            return with;
        };
        if with == EMPTY {
            return without;
        }
        let node = Node { variable, without, with };
        *self.unique.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as Id + 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_tours::TourKind;

    #[test]
    fn a_square_is_two_ways_round_a_diagonal_or_none() {
        // The square 0-1-2-3-0 with the diagonal 0-2 has one Hamiltonian cycle, and two Hamiltonian paths from 0: 0123
        // and 0321.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)];
        let graph = hamcnf_graph::Graph::from_edges(4, edges).unwrap();
        let on = |kind| Instance::on_graph("square", graph.clone(), kind, Vertex::new(0)).unwrap();
        let dot = |kind| {
            let options = Budget::default().with_memory(Some(1 << 20));
            let instance = on(kind);
            let diagram = Diagram::new(&instance, Endpoints::of(&instance), &options, &mut |_| ()).unwrap();
            let mut text = Vec::new();
            diagram.write_dot(&mut text).unwrap();
            (diagram.count(), String::from_utf8(text).unwrap())
        };
        let (closed, text) = dot(TourKind::Closed);
        assert_eq!(closed, BigUint::from(1u8));
        insta::assert_snapshot!("square-closed", text);
        let (open, text) = dot(TourKind::Open);
        assert_eq!(open, BigUint::from(2u8));
        insta::assert_snapshot!("square-open", text);
    }
}
