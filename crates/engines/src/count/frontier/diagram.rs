//! The set of all tours as a zero-suppressed decision diagram over edges.
//!
//! A node asks whether an edge is on the tour; the edges come in the order of a sweep, those of a vertex to
//! later ones together. Where the tour may be open, each vertex has also an *end* that stands for "the path
//! ends here". Nodes whose edge could only be absent are left out (Minato, *Zero-suppressed BDDs for set
//! manipulation in combinatorial problems*, DAC 1993), equal ones are one.
//!
//! The diagram is built along the frontier: first the states of every layer, then, from the last layer back,
//! the node of each, as a chain over the choices of edges at its vertex. What cannot become a tour is dropped
//! by its degrees before it is made.
//!
//! Counts of all nodes make the diagram a table of contents: tour number k is found by one walk from the
//! root, and a uniform number is a uniform tour.

use std::collections::HashMap;
use std::io::{self, Write};
use std::time::Instant;

use hamcnf_encodings::{Instance, Tour, Vertex};
use num_bigint::BigUint;
use rand_chacha::rand_core::RngCore;

use super::completable::Completable;
use super::degrees::Degrees;
use super::matching::Matching;
use super::moves::{Choice, choices};
use super::sweep::{Seat, Sweep, TooWide};
use super::{Bytes, Progress};
use crate::budget::Budget;
use crate::cancellation::CancellationToken;
use hamcnf_encodings::endpoints::Endpoints;

/// A node's number. The first two are no nodes, but the empty family and the family of the empty set.
type Id = u32;
const EMPTY: Id = 0;
const UNIT: Id = 1;

/// What a node asks about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    /// The edge between two vertices.
    Edge(Vertex, Vertex),
    /// That an open tour ends at a vertex.
    End(Vertex),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Node {
    /// Its place in the order of elements.
    variable: u32,
    /// The sets without the element.
    without: Id,
    /// Those with it, less the element.
    with: Id,
}

/// What the construction may use.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes for states and nodes.
    pub memory: u64,
    /// When it has to stop.
    pub deadline: Option<Instant>,
    /// Asks it to stop, which is as if the time were over.
    pub stop: CancellationToken,
}

impl Options {
    fn watch(&self) -> Budget {
        Budget::new(self.deadline, self.stop.clone())
    }
}

/// Why there is no diagram.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum DiagramError {
    /// The frontier is too wide.
    #[error(transparent)]
    TooWide(#[from] TooWide),
    /// The states of all layers, or the nodes, take more memory than allowed.
    #[error(
        "the decision diagram does not fit into the memory limit of {}: it is reached after {} of \
         {} vertices, with {} states there",
        Bytes(*limit), at.layer, at.layers, at.states
    )]
    Memory {
        /// Bytes allowed.
        limit: u64,
        /// Where the sweep was.
        at: Progress,
    },
    /// The deadline came.
    #[error("the time limit is reached after {} of {} vertices, with {} states there", at.layer, at.layers, at.states)]
    Time {
        /// Where the sweep was.
        at: Progress,
    },
}

/// All tours of an instance's graph with these ends.
#[derive(Clone, Debug)]
pub struct Diagram {
    instance: Instance,
    ends: Endpoints,
    elements: Vec<Element>,
    nodes: Vec<Node>,
    root: Id,
    /// The sets below each id.
    counts: Vec<BigUint>,
}

impl Diagram {
    /// Builds the diagram. `progress` is called before every vertex.
    ///
    /// # Errors
    ///
    /// [`DiagramError`].
    pub fn new(
        instance: &Instance,
        ends: Endpoints,
        options: &Options,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Self, DiagramError> {
        let sweep = Sweep::new(instance, ends, u128::SLOTS)?;
        let completable = Completable::new(&sweep, options.memory, &options.watch());
        let completable = completable.ok_or(DiagramError::Time {
            at: Progress::before(&sweep),
        })?;
        let mut builder = Builder::new(&sweep, completable, instance.n(), options, progress);
        let root = builder.root()?;
        let Builder {
            elements, nodes, ..
        } = builder;
        let mut diagram = Self {
            instance: instance.clone(),
            ends,
            elements,
            nodes,
            root,
            counts: Vec::new(),
        };
        diagram.keep_reachable();
        diagram.count_all();
        Ok(diagram)
    }

    /// Removes nodes that the root does not reach; children keep lower numbers than their parents.
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
                kept.push(Node {
                    without: renamed[node.without as usize],
                    with: renamed[node.with as usize],
                    ..*node
                });
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

    /// How many tours there are: closed ones once for both directions, open ones in each.
    #[must_use]
    pub fn count(&self) -> BigUint {
        &self.counts[self.root as usize] * self.directions()
    }

    /// How many tours each set is.
    fn directions(&self) -> u32 {
        self.ends.directions()
    }

    /// How many nodes there are, the two constants not included.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// What the nodes may ask about, in their order.
    #[must_use]
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Tour number `rank`, counted from 0, in the diagram's order; `None` from [`Diagram::count`] on.
    /// With a uniform rank it is a uniform tour.
    #[must_use]
    pub fn tour(&self, rank: &BigUint) -> Option<Tour> {
        let directions = self.directions();
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
        Some(self.ordered(&set, backwards))
    }

    /// A tour of which each is equally likely; `None` if there is none.
    pub fn sample(&self, random: &mut impl RngCore) -> Option<Tour> {
        let count = self.count();
        // Numbers of as many bits, until one is small enough: at most two on average.
        let mut bytes = vec![0; count.bits().div_ceil(8) as usize];
        loop {
            random.fill_bytes(&mut bytes);
            let excess = 8 * bytes.len() as u64 - count.bits();
            if let Some(highest) = bytes.last_mut() {
                *highest >>= excess;
            }
            let rank = BigUint::from_bytes_le(&bytes);
            if rank < count || bytes.is_empty() {
                return self.tour(&rank);
            }
        }
    }

    /// All tours, in the order of their ranks.
    pub fn tours(&self) -> impl Iterator<Item = Tour> + '_ {
        // Nodes to be looked at: how many elements are chosen above each, and the one chosen last, if it was
        // not in place yet.
        let mut open = vec![(self.root, 0, None)];
        let mut set = Vec::new();
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
        sets.flat_map(move |set| {
            let directions = [false, true].into_iter().take(self.directions() as usize);
            directions.map(move |backwards| self.ordered(&set, backwards))
        })
    }

    /// The tour along a set's edges. A closed one goes first to the lesser neighbour of its start.
    fn ordered(&self, set: &[Element], backwards: bool) -> Tour {
        let mut neighbours = vec![Vec::with_capacity(2); self.instance.n() as usize];
        let mut ends = Vec::new();
        for element in set {
            match *element {
                Element::Edge(a, b) => {
                    neighbours[a.index()].push(b);
                    neighbours[b.index()].push(a);
                }
                Element::End(v) => ends.push(v),
            }
        }
        ends.sort_unstable();
        let first = match self.ends {
            Endpoints::Closed => self.instance.start(),
            Endpoints::Open {
                from: Some(from), ..
            } => from,
            Endpoints::Open { from: None, .. } => ends[usize::from(backwards)],
        };
        let mut order = vec![first];
        let mut next = neighbours[first.index()].iter().min().copied();
        while let Some(at) = next {
            let from = order[order.len() - 1];
            order.push(at);
            let onwards = neighbours[at.index()].iter().find(|&&w| w != from);
            next = onwards.copied().filter(|&w| w != first);
        }
        let from_first = self.instance.starting_at(first);
        from_first
            .ok()
            .and_then(|instance| Tour::check(&instance, order).ok())
            .expect("the sets of the diagram are tours")
    }

    /// Writes the diagram in the DOT language: a solid line where an element is on the tour, a dashed one
    /// where it is not.
    ///
    /// # Errors
    ///
    /// Those of the target.
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
            // Lines to the empty family are left out, as is usual.
            if node.without != EMPTY {
                writeln!(out, "  n{id} -> n{} [style=dashed];", node.without)?;
            }
        }
        writeln!(out, "}}")
    }
}

/// A frontier state: its degrees, and which ends belong together.
type State = (Degrees, u128);

/// Whether `bytes` are allowed, and time is left.
fn allowed(bytes: usize, options: &Options, at: Progress) -> Result<(), DiagramError> {
    if bytes as u64 > options.memory {
        let limit = options.memory;
        return Err(DiagramError::Memory { limit, at });
    }
    if options.watch().over().is_some() {
        return Err(DiagramError::Time { at });
    }
    Ok(())
}

/// Where a state goes by a choice, if that closes no cycle early.
fn child(state: State, choice: &Choice) -> Option<State> {
    let closes = !choice.target.has_paths();
    Some((choice.target, choice.by.apply(state.1, closes)?))
}

/// The construction from the last layer to the first.
struct Builder<'a> {
    sweep: &'a Sweep,
    completable: Completable,
    most_states: f64,
    options: &'a Options,
    progress: &'a mut dyn FnMut(Progress),
    elements: Vec<Element>,
    /// The variables of each step's edges; none for those that are on every tour.
    variables: Vec<Vec<Option<u32>>>,
    nodes: Vec<Node>,
    unique: HashMap<Node, Id>,
}

impl<'a> Builder<'a> {
    fn new(
        sweep: &'a Sweep,
        completable: Completable,
        n: u32,
        options: &'a Options,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let mut elements = Vec::new();
        let variables = (0..sweep.n()).map(|t| {
            let step = sweep.step(t);
            let variable = |seat: &Seat| {
                let (a, b) = (step.vertex.min(seat.vertex), step.vertex.max(seat.vertex));
                // Beyond the graph's vertices are the apex, whose edges are ends, and the tie, whose edges are on
                // every tour.
                elements.push(match b {
                    b if b.number() < n => Element::Edge(a, b),
                    b if sweep.apex() == Some(b) => Element::End(a),
                    _ => return None,
                });
                Some(elements.len() as u32 - 1)
            };
            step.later.iter().map(variable).collect()
        });
        let variables = variables.collect();
        Self {
            sweep,
            most_states: completable.most_states(sweep),
            completable,
            options,
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
            layers: self.sweep.n(),
            states,
            bytes: bytes as u64,
            most_states: self.most_states,
            most_bytes: self.most_states * size_of::<State>() as f64,
        }
    }

    /// The states of every layer, sorted.
    fn layers(&mut self) -> Result<Vec<Vec<State>>, DiagramError> {
        let mut layers = vec![vec![(Degrees::NONE, u128::NONE)]];
        let mut bytes = 0;
        for t in 0..self.sweep.n() {
            let layer = &layers[t];
            let at = self.at(t, layer.len(), bytes);
            (self.progress)(at);
            allowed(bytes, self.options, at)?;
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

    /// The node of the first state, from those of the last.
    fn root(&mut self) -> Result<Id, DiagramError> {
        let mut layers = self.layers()?;
        let mut after = layers.pop().unwrap_or_default();
        let mut ids = vec![UNIT; after.len()];
        for (t, layer) in layers.into_iter().enumerate().rev() {
            // A node is there twice: in the list and in the table.
            let bytes = 3 * self.nodes.len() * size_of::<Node>();
            let at = self.at(t, layer.len(), bytes);
            (self.progress)(at);
            allowed(bytes, self.options, at)?;
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

    /// The union over the choices at step t: a choice's edges with what may follow it.
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
        let node = Node {
            variable,
            without,
            with,
        };
        *self.unique.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.nodes.len() as Id + 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_encodings::TourKind;

    #[test]
    fn a_square_is_two_ways_round_a_diagonal_or_none() {
        // 0-1-2-3-0 with the diagonal 0-2: one cycle, and two paths from 0, 0123 and 0321.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)];
        let graph = hamcnf_encodings::Graph::from_edges(4, edges).unwrap();
        let on = |kind| Instance::on_graph("square", graph.clone(), kind, Vertex::new(0)).unwrap();
        let dot = |kind| {
            let options = Options {
                memory: 1 << 20,
                deadline: None,
                stop: CancellationToken::default(),
            };
            let instance = on(kind);
            let diagram =
                Diagram::new(&instance, Endpoints::of(&instance), &options, &mut |_| ()).unwrap();
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
