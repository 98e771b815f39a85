//! Elimination orders of a graph by minimum degree and minimum fill.
//!
//! To eliminate a vertex, its neighbours are joined to each other and the vertex is removed. The *bag* of the vertex
//! consists of the vertex and its neighbours at that moment, the *later neighbours*. The bags form a tree decomposition
//! of the graph. In its tree, the parent of a vertex is its later neighbour that is eliminated first. The width of an
//! order is the maximum number of later neighbours of any vertex. The treewidth of the graph is the minimum width over
//! all orders.
//!
//! Two greedy rules choose the next vertex: minimum degree with ties broken by minimum fill, and minimum fill with ties
//! broken by minimum degree. The *fill* of a vertex is the number of edges that its elimination adds. Neither rule is
//! best for all graphs. Breaking the remaining ties at random sometimes helps ([`Elimination::search`]). Of two orders,
//! the better one has the smaller sum of 3^|bag| over all bags. This sum bounds the number of degree patterns in the
//! dynamic programs, since each vertex of a bag has one of three degrees.
//!
//! The treewidth of a graph is at least the treewidth of each of its subgraphs. So for a large graph, a few small parts
//! are eliminated first. If one of them is too wide, the elimination gives up. This rejects most large graphs in a
//! short time.
//!
//! A vertex that is adjacent to nearly all others needs no special treatment. It is eliminated among the last vertices,
//! because only then its degree is the minimum.
//!
//! # References
//!
//! - H. M. Markowitz: *The elimination form of the inverse and its application to linear programming*, Management
//!   Science 3, 1957 (least degree).
//! - D. J. Rose: *A graph-theoretic study of the numerical solution of sparse positive definite systems of linear
//!   equations*, in Graph Theory and Computing, 1972 (least fill).
//! - H. L. Bodlaender and A. M. C. A. Koster: *Treewidth computations I. Upper bounds*, Information and Computation
//!   208, 2010.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hamcnf_graph::{Graph, Vertex};

use hamcnf_graph::budget::{Budget, Stopped};

/// Number of steps, of a few nanoseconds each, between two checks of the budget.
const STEPS_A_LOOK: u64 = 1 << 16;
/// Threshold for large graphs. A graph with more vertices is eliminated by minimum degree only, after a trial
/// elimination of some of its parts.
const LARGE: u32 = 1 << 16;
/// Maximum size of a part of a large graph, in vertices. Some parts are eliminated on trial before the whole graph.
const PART: usize = 1 << 12;
/// Number of parts of a large graph that are eliminated on trial before the whole graph.
const PARTS: u32 = 3;
/// Mean of 3^|bag| of an order by minimum degree up to which an order by minimum fill is not tried. With such an order, the
/// dynamic program takes hardly longer than the second elimination.
const GOOD_MEAN: u64 = 3u64.pow(9);

/// Elimination order of the vertices of a graph, with the later neighbours of each vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elimination {
    order: Vec<Vertex>,
    /// Index in `later` of each vertex's first later neighbour. The later neighbours of vertex v are
    /// `later[first[v]..first[v + 1]]`, in increasing order.
    first: Vec<usize>,
    later: Vec<Vertex>,
    width: u32,
    cost: u64,
    /// Number of eliminated vertices, which come first in the order. The remaining vertices are the core.
    eliminated: usize,
}

/// Rule that chooses the next vertex to eliminate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    /// Minimum degree, with ties broken by minimum fill.
    Degree,
    /// Minimum fill, with ties broken by minimum degree.
    Fill,
}

impl Elimination {
    /// Returns the better of two elimination orders: one by minimum degree, and one by minimum fill. If the first is good
    /// enough, returns it at once. For a large graph, first eliminates a few parts, to give up early, and then returns the
    /// order by minimum degree. The result is deterministic, unless the budget ends the second elimination early.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped::GaveUp`] if an elimination by minimum degree reaches a graph in which every vertex has more
    /// than `most_width` neighbours. This may be the elimination of the graph or of a part. Otherwise returns the
    /// reason why the budget stopped the elimination.
    pub fn min_degree(graph: &Graph, most_width: u32, budget: &Budget) -> Result<Self, Stopped> {
        let large = graph.n_vertices() > LARGE;
        if large {
            for k in 0..PARTS {
                let middle = Vertex::new(graph.n_vertices() / PARTS * k);
                eliminate(&part(graph, middle), Rule::Degree, None, most_width, false, budget)?;
            }
        }
        let by_degree = eliminate(graph, Rule::Degree, None, most_width, false, budget)?;
        if large || by_degree.cost <= GOOD_MEAN * u64::from(graph.n_vertices()) {
            return Ok(by_degree);
        }
        // If the second elimination fails, the first order is still good.
        match eliminate(graph, Rule::Fill, None, most_width, false, budget) {
            Ok(by_fill) if by_fill.cost < by_degree.cost => Ok(by_fill),
            _ => Ok(by_degree),
        }
    }

    /// Returns the elimination order by minimum degree alone, whatever its width is. Gives up after `most_steps` steps
    /// of a few nanoseconds each. The result is the same on every machine.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped::GaveUp`] if the steps do not suffice. If the budget runs out first, returns the reason.
    pub fn by_degree(graph: &Graph, most_steps: u64, budget: &Budget) -> Result<Self, Stopped> {
        let mut elimination = Eliminating::new(graph, u32::MAX, budget)?;
        elimination.most_steps = most_steps;
        eliminate_by(elimination, Rule::Degree, None, u32::MAX, false)
    }

    /// Eliminates vertices by minimum degree while some vertex has at most `most_width` neighbours. The remaining
    /// vertices are the core.
    ///
    /// # Errors
    ///
    /// Returns the reason why the budget stopped the elimination.
    pub fn partial(graph: &Graph, most_width: u32, budget: &Budget) -> Result<Self, Stopped> {
        match eliminate(graph, Rule::Degree, None, most_width, true, budget) {
            // No vertex has few enough neighbours, so all vertices belong to the core.
            Err(Stopped::GaveUp) => {
                let mut none = Eliminating::new(graph, u32::MAX, budget)?;
                none.leave_core()?;
                Ok(none.into_order(0))
            }
            order => order,
        }
    }

    /// Returns the best of `tries` + 1 orders: the order of [`Elimination::min_degree`], and orders in which ties are
    /// broken at random. The result only depends on the arguments, unless the budget ends the tries early.
    ///
    /// # Errors
    ///
    /// Returns the error of [`Elimination::min_degree`] if no order was found.
    pub fn search(graph: &Graph, most_width: u32, tries: u32, seed: u64, budget: &Budget) -> Result<Self, Stopped> {
        let mut best = Self::min_degree(graph, most_width, budget);
        if let Err(Stopped::Time | Stopped::Cancelled | Stopped::Memory) = best {
            return best;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for k in 0..tries {
            let rule = if k % 2 == 0 { Rule::Fill } else { Rule::Degree };
            let width = best.as_ref().map_or(most_width, Self::width);
            match eliminate(graph, rule, Some(&mut rng), width, false, budget) {
                Ok(order) if best.as_ref().is_ok_and(|best| best.cost <= order.cost) => {}
                Ok(order) => best = Ok(order),
                Err(Stopped::GaveUp) => {}
                Err(_) => break,
            }
        }
        best
    }

    /// Returns the vertices in the order of elimination, followed by the core.
    pub fn order(&self) -> &[Vertex] {
        &self.order
    }

    /// Returns the vertices that are not eliminated. All vertices are eliminated unless the order is
    /// [partial](Self::partial).
    pub fn core(&self) -> &[Vertex] {
        &self.order[self.eliminated..]
    }

    /// Returns the later neighbours of `v` in increasing order: its neighbours at the moment of its elimination. For a
    /// vertex of the core, returns its neighbours in the core that have greater numbers.
    pub fn later(&self, v: Vertex) -> &[Vertex] {
        &self.later[self.first[v.index()]..self.first[v.index() + 1]]
    }

    /// Returns the maximum number of later neighbours of any eliminated vertex.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the sum of 3^|bag| over the bags of all eliminated vertices, or `u64::MAX` if the sum is greater.
    pub fn cost(&self) -> u64 {
        self.cost
    }
}

#[cfg(test)]
impl Elimination {
    /// Eliminates all vertices in the given order.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped::GaveUp`] if `order` does not contain every vertex of the graph exactly once, or if a vertex
    /// has more than `most_width` later neighbours. If the budget runs out first, returns the reason.
    pub(super) fn in_order(graph: &Graph, order: &[Vertex], most_width: u32, budget: &Budget) -> Result<Self, Stopped> {
        let mut elimination = Eliminating::new(graph, most_width, budget)?;
        let n = graph.n_vertices();
        if order.len() != n as usize || order.iter().any(|v| v.number() >= n) {
            return Err(Stopped::GaveUp);
        }
        for &v in order {
            if elimination.gone[v.index()] || elimination.degree[v.index()] > most_width {
                return Err(Stopped::GaveUp);
            }
            elimination.eliminate(v.number(), &mut |_, _| {})?;
        }
        let eliminated = order.len();
        Ok(elimination.into_order(eliminated))
    }
}

/// Returns the subgraph induced by the first `PART` vertices of a breadth-first search from `middle`.
fn part(graph: &Graph, middle: Vertex) -> Graph {
    let mut number = HashMap::from([(middle, 0)]);
    let mut reached = vec![middle];
    let mut next = 0;
    while let Some(&v) = reached.get(next) {
        next += 1;
        for &u in graph.neighbours(v) {
            if reached.len() < PART && !number.contains_key(&u) {
                number.insert(u, reached.len() as u32);
                reached.push(u);
            }
        }
    }
    let edges = reached.iter().flat_map(|v| {
        let known = graph.neighbours(*v).iter().filter_map(|u| number.get(u));
        known.map(|&to| (number[v], to))
    });
    Graph::from_edges(reached.len() as u32, edges).expect("the edges are those of a graph")
}

/// Returns the elimination order that `rule` determines. Remaining ties are broken by vertex number, or at random if
/// `rng` is given. If `partial` is true, vertices with more than `most_width` neighbours may remain as the core.
fn eliminate(
    graph: &Graph,
    rule: Rule,
    rng: Option<&mut ChaCha8Rng>,
    most_width: u32,
    partial: bool,
    budget: &Budget,
) -> Result<Elimination, Stopped> {
    let elimination = Eliminating::new(graph, most_width, budget)?;
    eliminate_by(elimination, rule, rng, most_width, partial)
}

/// Continues an elimination by `rule` until all vertices are eliminated, or all remaining vertices have more than
/// `most_width` neighbours.
fn eliminate_by(
    mut elimination: Eliminating<'_>,
    rule: Rule,
    mut rng: Option<&mut ChaCha8Rng>,
    most_width: u32,
    partial: bool,
) -> Result<Elimination, Stopped> {
    let n = elimination.degree.len() as u32;
    let mut queue = BinaryHeap::with_capacity(n as usize);
    let mut push = |queue: &mut BinaryHeap<_>, v: u32, degree: u32, fill: u32| {
        let (first, second) = match rule {
            Rule::Degree => (degree, fill),
            Rule::Fill => (fill, degree),
        };
        let tie = rng.as_mut().map_or(0, Rng::next_u32);
        queue.push(Reverse((first, second, tie, v)));
    };
    for v in 0..n {
        if elimination.degree[v as usize] <= most_width {
            elimination.refresh_fill(v)?;
            let fill = elimination.fill[v as usize];
            push(&mut queue, v, elimination.degree[v as usize], fill);
        }
    }
    while elimination.order.len() < n as usize {
        let Some(Reverse((first, second, _, v))) = queue.pop() else {
            if !partial {
                return Err(Stopped::GaveUp);
            }
            break;
        };
        let now = (elimination.degree[v as usize], elimination.fill[v as usize]);
        let was = match rule {
            Rule::Degree => (first, second),
            Rule::Fill => (second, first),
        };
        if elimination.gone[v as usize] || now != was {
            continue;
        }
        elimination.eliminate(v, &mut |u, (degree, fill)| {
            push(&mut queue, u, degree, fill);
        })?;
    }
    let eliminated = elimination.order.len();
    elimination.leave_core()?;
    Ok(elimination.into_order(eliminated))
}

/// Graph whose vertices are eliminated one by one.
struct Eliminating<'a> {
    /// Neighbours of each vertex in increasing order. Some of them may already be eliminated.
    neighbours: Vec<Vec<u32>>,
    /// Number of neighbours of each vertex that are not eliminated.
    degree: Vec<u32>,
    /// Number of edges that the elimination of each vertex would add. Only valid for vertices of degree at most
    /// `most_width`, and not used if the order is given.
    fill: Vec<u32>,
    gone: Vec<bool>,
    order: Vec<Vertex>,
    first: Vec<usize>,
    later: Vec<u32>,
    most_width: u32,
    steps: u64,
    /// Maximum number of steps; with more, the elimination gives up.
    most_steps: u64,
    budget: &'a Budget,
}

impl<'a> Eliminating<'a> {
    fn new(graph: &Graph, most_width: u32, budget: &'a Budget) -> Result<Self, Stopped> {
        budget.check()?;
        let n = graph.n_vertices() as usize;
        let least = graph.vertices().map(|v| graph.degree(v)).min();
        if least.is_some_and(|least| least > most_width as usize) {
            return Err(Stopped::GaveUp);
        }
        let mut new = Self {
            neighbours: Vec::with_capacity(n),
            degree: graph.vertices().map(|v| graph.degree(v) as u32).collect(),
            fill: vec![0; n],
            gone: vec![false; n],
            order: Vec::with_capacity(n),
            first: vec![0; n],
            later: Vec::new(),
            most_width,
            steps: 0,
            most_steps: u64::MAX,
            budget,
        };
        for v in graph.vertices() {
            let of_v = graph.neighbours(v);
            new.neighbours.push(of_v.iter().map(|u| u.number()).collect());
            new.step(4 + of_v.len())?;
        }
        Ok(new)
    }

    /// Counts steps, and checks the budget from time to time.
    fn step(&mut self, steps: usize) -> Result<(), Stopped> {
        let before = self.steps / STEPS_A_LOOK;
        self.steps += steps as u64;
        if self.steps > self.most_steps {
            return Err(Stopped::GaveUp);
        }
        if self.steps / STEPS_A_LOOK != before {
            self.budget.check()?;
        }
        Ok(())
    }

    /// True if two vertices are adjacent. Neither may have been eliminated.
    fn adjacent(&self, a: u32, b: u32) -> bool {
        let (of_a, of_b) = (&self.neighbours[a as usize], &self.neighbours[b as usize]);
        if of_a.len() <= of_b.len() { of_a.binary_search(&b).is_ok() } else { of_b.binary_search(&a).is_ok() }
    }

    /// Removes eliminated vertices from the list of `v`, and returns the remaining neighbours in increasing order.
    fn tidy(&mut self, v: u32) -> &[u32] {
        if self.neighbours[v as usize].len() != self.degree[v as usize] as usize {
            self.neighbours[v as usize].retain(|&u| !self.gone[u as usize]);
        }
        &self.neighbours[v as usize]
    }

    /// Counts the edges that the elimination of `v` would add, and stores the number in `fill`.
    fn refresh_fill(&mut self, v: u32) -> Result<(), Stopped> {
        self.tidy(v);
        let around = &self.neighbours[v as usize];
        let mut fill = 0;
        for (k, &a) in around.iter().enumerate() {
            let missing = around[..k].iter().filter(|&&b| !self.adjacent(a, b));
            fill += missing.count() as u32;
        }
        let steps = 4 + around.len() * around.len();
        self.fill[v as usize] = fill;
        self.step(steps)
    }

    /// Adds the edge ab, and subtracts 1 from the fill of all common neighbours of a and b. Appends the common
    /// neighbours of degree at most `most_width` to `changed`. The fill of a vertex is the number of edges that its
    /// elimination would add.
    fn join(&mut self, a: u32, b: u32, changed: &mut Vec<u32>) -> Result<(), Stopped> {
        for (from, to) in [(a, b), (b, a)] {
            let list = &mut self.neighbours[from as usize];
            let place = list.partition_point(|&other| other < to);
            list.insert(place, to);
            let moved = list.len() - 1 - place;
            self.degree[from as usize] += 1;
            // Moving an entry is fast compared to other steps.
            self.step(1 + moved / 16)?;
        }
        let lengths = [a, b].map(|v| self.neighbours[v as usize].len());
        let (short, other) = if lengths[0] <= lengths[1] { (a, b) } else { (b, a) };
        for k in 0..self.neighbours[short as usize].len() {
            let w = self.neighbours[short as usize][k];
            if w != other && !self.gone[w as usize] && self.adjacent(w, other) {
                self.fill[w as usize] = self.fill[w as usize].saturating_sub(1);
                if self.degree[w as usize] <= self.most_width {
                    changed.push(w);
                }
            }
        }
        self.step(lengths[0].min(lengths[1]))
    }

    /// Eliminates `v`. Calls `changed` with each vertex of degree at most `most_width` whose degree or fill may have
    /// changed, and with its new degree and fill. The fill of a vertex is the number of edges that its elimination
    /// would add.
    fn eliminate(&mut self, v: u32, changed: &mut impl FnMut(u32, (u32, u32))) -> Result<(), Stopped> {
        let around = self.tidy(v).to_vec();
        self.gone[v as usize] = true;
        self.order.push(Vertex::new(v));
        self.first[v as usize] = self.later.len();
        self.later.extend(&around);
        let mut fewer = Vec::new();
        for (k, &a) in around.iter().enumerate() {
            for &b in &around[..k] {
                if !self.adjacent(a, b) {
                    self.join(a, b, &mut fewer)?;
                }
            }
        }
        for &u in &around {
            self.degree[u as usize] -= 1;
        }
        for &u in &around {
            if self.degree[u as usize] <= self.most_width {
                self.refresh_fill(u)?;
                fewer.push(u);
            } else if self.neighbours[u as usize].len() > 2 * self.degree[u as usize] as usize {
                self.tidy(u);
            }
        }
        fewer.sort_unstable();
        fewer.dedup();
        for u in fewer {
            changed(u, (self.degree[u as usize], self.fill[u as usize]));
        }
        self.step(8 + around.len() * around.len())
    }

    /// Appends the remaining vertices to the order, with their later neighbours.
    fn leave_core(&mut self) -> Result<(), Stopped> {
        for v in 0..self.gone.len() as u32 {
            if self.gone[v as usize] {
                continue;
            }
            let around = self.tidy(v).to_vec();
            self.order.push(Vertex::new(v));
            self.first[v as usize] = self.later.len();
            self.later.extend(around.iter().filter(|&&u| u > v));
            self.step(4 + around.len())?;
        }
        Ok(())
    }

    fn into_order(self, eliminated: usize) -> Elimination {
        // The lists of later neighbours are in the order of elimination. They are needed in the order of the vertices.
        let n = self.order.len();
        let mut length = vec![0; n];
        let ends = self.order[1.min(n)..].iter().map(|v| self.first[v.index()]);
        for (v, end) in self.order.iter().zip(ends.chain([self.later.len()])) {
            length[v.index()] = end - self.first[v.index()];
        }
        let mut first = Vec::with_capacity(n + 1);
        let mut later = Vec::with_capacity(self.later.len());
        for (&from, &length) in self.first.iter().zip(&length) {
            first.push(later.len());
            later.extend(self.later[from..from + length].iter().map(|&u| Vertex::new(u)));
        }
        first.push(later.len());
        let bag = |&length: &usize| 3u64.saturating_pow(length as u32 + 1);
        let bags = self.order[..eliminated].iter();
        let bags: Vec<usize> = bags.map(|v| length[v.index()]).collect();
        Elimination {
            width: bags.iter().copied().max().unwrap_or(0) as u32,
            cost: bags.iter().map(bag).fold(0, u64::saturating_add),
            eliminated,
            order: self.order,
            first,
            later,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    use super::*;

    /// Computes the elimination order of a rule directly from the rule's definition.
    fn by_definition(graph: &Graph, rule: Rule) -> Vec<Vertex> {
        let mut around: Vec<BTreeSet<Vertex>> =
            graph.vertices().map(|v| graph.neighbours(v).iter().copied().collect()).collect();
        let mut left: BTreeSet<_> = graph.vertices().collect();
        let mut order = Vec::new();
        while !left.is_empty() {
            let key = |v: &Vertex| {
                let of_v: Vec<_> = around[v.index()].iter().collect();
                let pairs = of_v.iter().enumerate().flat_map(|(k, a)| of_v[..k].iter().map(move |b| (a, b)));
                let fill = pairs.filter(|(a, b)| !around[a.index()].contains(b)).count();
                match rule {
                    Rule::Degree => (of_v.len(), fill, *v),
                    Rule::Fill => (fill, of_v.len(), *v),
                }
            };
            let v = left.iter().copied().min_by_key(key).unwrap();
            left.remove(&v);
            order.push(v);
            let of_v = std::mem::take(&mut around[v.index()]);
            for &a in &of_v {
                around[a.index()].remove(&v);
                around[a.index()].extend(of_v.iter().filter(|&&b| b != a));
            }
        }
        order
    }

    fn ring(n: u32, steps: &[u32]) -> Graph {
        let edges = (0..n).flat_map(|v| steps.iter().map(move |step| (v, (v + step) % n)));
        Graph::from_edges(n, edges).unwrap()
    }

    proptest! {
        #[test]
        fn orders_are_greedy(graph in graphs(2..=14)) {
            for rule in [Rule::Degree, Rule::Fill] {
                let order = eliminate(&graph, rule, None, 13, false, &Budget::default()).unwrap();
                prop_assert_eq!(order.order(), by_definition(&graph, rule));
            }
        }

        #[test]
        fn bags_are_a_tree_decomposition(graph in graphs(2..=14), seed: u64) {
            let budget = Budget::default();
            let order = Elimination::search(&graph, 13, 4, seed, &budget).unwrap();
            prop_assert_eq!(&Elimination::search(&graph, 13, 4, seed, &budget).unwrap(), &order);
            let again = Elimination::in_order(&graph, order.order(), 13, &budget).unwrap();
            prop_assert_eq!(&again, &order);
            let position = |v: &Vertex| order.order().iter().position(|u| u == v).unwrap();
            let mut width = 0;
            for v in graph.vertices() {
                let later = order.later(v);
                width = width.max(later.len() as u32);
                prop_assert!(later.is_sorted());
                prop_assert!(later.iter().all(|u| position(u) > position(&v)));
                for u in graph.neighbours(v) {
                    prop_assert!(position(u) < position(&v) || later.contains(u));
                }
                if let Some(parent) = later.iter().min_by_key(|u| position(u)) {
                    for u in later {
                        prop_assert!(u == parent || order.later(*parent).contains(u));
                    }
                }
            }
            prop_assert_eq!(width, order.width());
        }
    }

    #[test]
    fn widths_of_known_graphs() {
        let width = |graph: &Graph| {
            let order = Elimination::min_degree(graph, 24, &Budget::default());
            order.unwrap().width()
        };
        let tree = Graph::from_edges(100, (1..100).map(|v| (v, v / 2))).unwrap();
        assert_eq!(width(&tree), 1);
        assert_eq!(width(&ring(100, &[1])), 2);
        assert_eq!(width(&ring(100, &[1, 2])), 4);
        assert_eq!(width(&ring(9, &[1, 2, 3, 4])), 8);
        assert_eq!(width(&Graph::from_edges(3, []).unwrap()), 0);
    }

    #[test]
    fn a_hub_costs_one() {
        let ring = ring(300, &[1, 2]);
        let edges = ring.arcs().map(|a| (a.tail.number() + 1, a.head.number() + 1));
        let spokes = (1..=300).map(|v| (0, v));
        let graph = Graph::from_edges(301, edges.chain(spokes)).unwrap();
        let order = Elimination::min_degree(&graph, 24, &Budget::default()).unwrap();
        assert_eq!(order.width(), 5);
        let hub = order.order().iter().position(|v| v.number() == 0);
        assert!(hub.unwrap() >= 295, "the hub is among the last, which are a clique");
    }

    #[test]
    fn what_is_too_wide_is_given_up() {
        let budget = Budget::default();
        let complete = ring(9, &[1, 2, 3, 4]);
        assert_eq!(Elimination::min_degree(&complete, 7, &budget), Err(Stopped::GaveUp));
        // An additional vertex of degree 1 does not change the width.
        let edges = complete.arcs().map(|a| (a.tail.number(), a.head.number()));
        let tailed = Graph::from_edges(10, edges.chain([(0, 9)])).unwrap();
        assert_eq!(Elimination::min_degree(&tailed, 7, &budget), Err(Stopped::GaveUp));
        assert_eq!(Elimination::search(&tailed, 7, 3, 0, &budget), Err(Stopped::GaveUp));
        assert_eq!(Elimination::min_degree(&tailed, 8, &budget).unwrap().width(), 8);
        let backwards: Vec<_> = tailed.vertices().rev().collect();
        assert!(Elimination::in_order(&tailed, &backwards, 8, &budget).is_ok());
        let short = Elimination::in_order(&tailed, &backwards[1..], 8, &budget);
        assert_eq!(short, Err(Stopped::GaveUp));
        let twice = [&backwards[..9], &backwards[..1]].concat();
        let twice = Elimination::in_order(&tailed, &twice, 8, &budget);
        assert_eq!(twice, Err(Stopped::GaveUp));
    }

    #[test]
    fn parts_are_connected() {
        let square = "leaper:0,1:300x300".parse::<hamcnf_tours::Board>().unwrap().graph();
        assert_eq!(part(&square, Vertex::new(150)).n_vertices(), PART as u32);
        // A part of a small graph is its whole connected component.
        assert_eq!(part(&ring(100, &[1, 2]), Vertex::new(7)).n_edges(), 200);
    }

    #[test]
    fn a_watch_that_is_over_ends_it() {
        let late = Budget::default().until(std::time::Instant::now());
        assert_eq!(Elimination::min_degree(&ring(9, &[1]), 7, &late), Err(Stopped::Time));
    }
}
