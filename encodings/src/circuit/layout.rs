//! Variables and clauses of a circuit. The first variables stand for the terms of the user's model.
//! [`EncodedCircuit`](super::EncodedCircuit) substitutes the terms.

use std::any::Any;
use std::collections::BTreeMap;

use rustsat::types::{Lit, Var};

use super::{Circuit, CircuitError, Presence, Shape, wrong};
use crate::Encoding;
use crate::base::Plan;
use crate::bases::arcs::{Arcs, EDGE, Moves, emit_degrees, emit_positions};
use crate::bases::edges::TWO_EDGES;
use crate::cnf::exactly_one::{AtMostOne, AuxiliaryCount, Cardinality};
use crate::cnf::exactly_two::counting;
use crate::cnf::sink::{ClauseSink, Disjunction, Family};
use crate::cnf::vars::{Allocator, TableVars, Term};
use crate::cnf::window::{Pruning, Window};
use crate::positions::Positions;
use crate::refine::orientation::ORIENTATION;
use hamcnf_graph::{Digraph, Vertex};
use hamcnf_tours::instance::{Instance, TourKind};

/// Clause family (V): rules for the empty circuit.
const VISITED: Family = Family { label: "(V)", says: "the root is on every circuit, and the circuit may not be empty" };
/// Clause family (M): the least visited vertex.
const LEAST: Family = Family { label: "(M)", says: "the least visited vertex is the root" };
/// Clause family (K): number of visited or skipped vertices.
const NUMBER: Family = Family { label: "(K)", says: "bounds on the number of visited vertices" };
/// Clause family (N): positions of skipped vertices.
const SKIPPED: Family = Family { label: "(N)", says: "a skipped vertex has a fixed position" };
/// Clause family (L): no step after the last position.
const TOP: Family = Family { label: "(L)", says: "no arc leaves the last position except into the root" };

/// Arc or edge with its internal literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) tail: u32,
    pub(super) head: u32,
    pub(super) literal: Lit,
}

/// Vertex from which positions are counted.
#[derive(Clone, Copy, Debug)]
enum Root {
    Vertex(u32),
    /// The least visited vertex. The block has M_v and then F_v, for every vertex v.
    Least(u32),
}

/// Numbered variables of a circuit in an encoding.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) circuit: Circuit,
    /// Meaning of the first variables: terms of the user's model.
    pub(super) given: Vec<Term>,
    /// Number of variables, including the given ones.
    pub(super) n_vars: u32,
    /// Number of vertices of the circuit, including the added vertex of a path.
    n: u32,
    /// Number of vertices with positions: the root that stands for the least visited vertex is one more.
    n_positions: u32,
    /// Indexed by vertex: the literal "the vertex is skipped"; `None` if the vertex must be visited.
    pub(super) skip: Vec<Option<Lit>>,
    /// Arcs; in a relaxed circuit of edges, the edges.
    pub(super) arcs: Vec<Arc>,
    /// Indexed by vertex: the arcs that leave and enter it, as indices of `arcs`. An edge does both at both ends.
    leaving: Vec<Vec<u32>>,
    entering: Vec<Vec<u32>>,
    /// True if `arcs` are undirected edges.
    pub(super) is_of_edges: bool,
    /// Number of edges whose two arcs are in `arcs`, one pair after the other. The literal of an edge has the same number.
    n_pairs: u32,
    /// Edges between the same two vertices, of which at most one is on a circuit.
    parallel: Vec<Vec<Lit>>,
    root: Root,
    /// Added vertex of a path, and the index in `arcs` of its first arc. Arcs that leave it come before arcs that enter it.
    added: Option<(u32, u32)>,
    /// True if `number` counts skipped vertices, and `at_least` and `at_most` bound their number.
    counts_skipped: bool,
    at_least: u32,
    at_most: u32,
    /// Variables C_vj; a row has j from 1.
    number: Option<(TableVars, u32)>,
    plan: Plan,
    /// Optional vertices that are on no circuit, since their windows are empty.
    unreachable: Vec<u32>,
    pub(super) positions: Option<Box<dyn Positions>>,
    /// First counting variable of the degrees of edges.
    first_counting: Var,
    first_auxiliary: Var,
}

impl Layout {
    pub(super) fn new<E>(circuit: &Circuit, encoding: &Encoding) -> Result<Self, CircuitError<E>> {
        circuit.checked()?;
        let base: &dyn Any = encoding.encode();
        let edges_only = encoding.base() == "edges" && !circuit.directed;
        let counter = match base.downcast_ref::<Arcs>() {
            Some(arcs) => arcs.counter.clone(),
            None if edges_only => None,
            None => {
                return wrong(format!(
                    "encoding \"{encoding}\" does not encode circuits over given literals; use an encoding with arcs, such as \"successor\""
                ));
            }
        };
        let is_of_edges = !circuit.directed && counter.is_none();
        let mut variables = Allocator::default();
        let mut given: Vec<Term> = circuit.links.iter().map(|link| link.term).collect();
        let mut skip: Vec<Option<Lit>> = Vec::new();
        let presence = |v: u32| circuit.presence(v);
        for v in 0..circuit.n {
            skip.push(match presence(v) {
                Presence::SkippedIf(term) => {
                    given.push(term);
                    Some(Lit::positive(given.len() as u32 - 1))
                }
                Presence::Visited | Presence::Optional => None,
            });
        }
        variables.take(given.len() as u64);
        let mut fresh = || Lit::positive(variables.take(1).start);
        for v in 0..circuit.n {
            if presence(v) == Presence::Optional {
                skip[v as usize] = Some(fresh());
            }
        }
        let mut arcs = Vec::new();
        let mut between: BTreeMap<(u32, u32), Vec<Lit>> = BTreeMap::new();
        for (k, link) in (0..).zip(&circuit.links) {
            let (literal, tail, head) = (Lit::positive(k), link.tail, link.head);
            if !circuit.directed {
                between.entry((tail.min(head), tail.max(head))).or_default().push(literal);
            }
            if circuit.directed || is_of_edges {
                arcs.push(Arc { tail, head, literal });
                continue;
            }
            arcs.push(Arc { tail, head, literal: fresh() });
            arcs.push(Arc { tail: head, head: tail, literal: fresh() });
        }
        let n_pairs = if circuit.directed || is_of_edges { 0 } else { circuit.links.len() as u32 };
        let parallel = between.into_values().filter(|group| group.len() > 1).collect();
        // A path is a circuit through an added vertex, from which arcs F_v lead to its start and arcs L_v lead back.
        let (mut n, mut added) = (circuit.n, None);
        if let Shape::Path(from, to) = circuit.shape {
            added = Some((n, arcs.len() as u32));
            let all = |end: Option<u32>| end.map_or(0..circuit.n, |v| v..v + 1);
            arcs.extend(all(from).map(|v| Arc { tail: n, head: v, literal: fresh() }));
            arcs.extend(all(to).map(|v| Arc { tail: v, head: n, literal: fresh() }));
            skip.push(circuit.empty.then(&mut fresh));
            n += 1;
        }
        let mandatory = (0..n).find(|&v| skip[v as usize].is_none());
        let depot = circuit.depot_vertex();
        let root = added.map(|(v, _)| v).or(depot).or(circuit.root).or(mandatory);
        let (root, n_positions) = match root {
            Some(v) => (Root::Vertex(v), n),
            None if counter.is_some() => (Root::Least(variables.take(2 * u64::from(n)).start), n + 1),
            None => (Root::Least(0), n + 1),
        };
        let [mut leaving, mut entering] = [0; 2].map(|_| vec![Vec::new(); n as usize]);
        for (k, arc) in (0..).zip(&arcs) {
            leaving[arc.tail as usize].push(k);
            entering[arc.head as usize].push(k);
            if is_of_edges {
                leaving[arc.head as usize].push(k);
            }
        }
        let (least, most) = (circuit.at_least, circuit.at_most.min(circuit.n));
        let columns = |least: u32, most: u32| if most < circuit.n { least.max(most + 1) } else { least };
        let of_skipped = [circuit.n - most, circuit.n - least];
        let counts_skipped = columns(of_skipped[0], of_skipped[1]) < columns(least, most);
        let [at_least, at_most] = if counts_skipped { of_skipped } else { [least, most] };
        let columns = columns(at_least, at_most);
        let number = (columns > 0).then(|| (TableVars::new(circuit.n.into(), columns, &mut variables), columns));
        let mut layout = Self {
            circuit: circuit.clone(),
            given,
            n_vars: 0,
            n,
            n_positions,
            skip,
            arcs,
            leaving,
            entering,
            is_of_edges,
            n_pairs,
            parallel,
            root,
            added,
            counts_skipped,
            at_least,
            at_most,
            number,
            plan: Plan {
                windows: Vec::new(),
                pruning: Pruning::None,
                odd: None,
                at_most_one: AtMostOne::Pairwise,
                edges: false,
            },
            unreachable: Vec::new(),
            positions: None,
            first_counting: Var::new(0),
            first_auxiliary: Var::new(0),
        };
        layout.refine(encoding)?;
        // A single vertex has no circuit, so that no position excludes one.
        if let Some(counter) = counter.filter(|_| n_positions > 1) {
            let instance = layout.instance()?;
            let numbered = counter.layout(&instance, &layout.plan, &mut variables);
            layout.positions = Some(numbered.or_else(|unfit| wrong(format!("encoding \"{encoding}\": {unfit}")))?);
        }
        let fits = |variables: &Allocator| variables.fits().or_else(|error| wrong(error.to_string()));
        layout.first_counting = Var::new(fits(&variables)?);
        if is_of_edges {
            let of = layout.two_edges().map(|v| counting(layout.leaving[v.index()].len()));
            variables.take(of.sum());
        }
        layout.first_auxiliary = Var::new(fits(&variables)?);
        let mut auxiliary = AuxiliaryCount::new(layout.plan.at_most_one);
        match is_of_edges {
            true => layout.ends().into_iter().for_each(|ends| auxiliary.constraint(|| ends.len())),
            false => layout.visited_once().for_each(|v| {
                auxiliary.constraint(|| layout.successors(v).count());
                auxiliary.constraint(|| layout.predecessors(v).count());
            }),
        }
        if let Some(positions) = &layout.positions {
            positions.count_auxiliary(&mut auxiliary);
        }
        variables.take(auxiliary.total());
        layout.n_vars = fits(&variables)?;
        Ok(layout)
    }

    /// Returns the digraph of the arcs with the root, on which position encodings number their variables.
    fn instance<E>(&self) -> Result<Instance, CircuitError<E>> {
        let start = self.start();
        let mut arcs: Vec<(u32, u32)> = self.arcs.iter().map(|arc| (arc.tail, arc.head)).collect();
        if let Root::Least(_) = self.root {
            let all = 0..self.n;
            arcs.extend(all.flat_map(|v| [(start.number(), v), (v, start.number())]));
        }
        arcs.sort_unstable();
        arcs.dedup();
        let digraph = Digraph::from_arcs(self.n_positions, arcs).or_else(|error| wrong(error.to_string()))?;
        Instance::on_digraph("circuit", digraph, TourKind::Closed, start).or_else(|error| wrong(error.to_string()))
    }

    /// Applies the refinements that restrict positions and choose encodings of at-most-one constraints.
    fn refine<E>(&mut self, encoding: &Encoding) -> Result<(), CircuitError<E>> {
        // The canonical name lists the refinements that differ from the base's own.
        let name = encoding.to_string();
        let words = name.split('+').skip(1).map(|word| word.split('=').next().unwrap_or(word));
        if let Some(word) = words.into_iter().find(|word| !["windows", "parity", "at-most-one"].contains(word)) {
            return wrong(format!(
                "refinement \"{word}\" has no effect on circuits over given literals: remove it from \"{name}\""
            ));
        }
        let instance = self.instance()?;
        self.plan = Plan::new(&instance);
        for refinement in encoding.refinements() {
            refinement.plan(&instance, &mut self.plan);
        }
        let last = self.n_positions - 1;
        for v in instance.others() {
            let window = &mut self.plan.windows[v.index()];
            *window = window.within(1, last);
            if window.width() == 0 && self.skip[v.index()].is_some() {
                *window = Window::new(1, last);
                if let Some(odd) = &self.plan.odd {
                    *window = window.of_parity(odd[v.index()]);
                }
                self.unreachable.push(v.number());
            }
        }
        // Without the clauses that the paper leaves out, positions may wrap around, since no clause fixes the last one.
        if self.plan.pruning == Pruning::AsPublished {
            self.plan.pruning = Pruning::Full;
            self.plan.windows[instance.start().index()] = Window::only(0);
        }
        Ok(())
    }

    fn skipped(&self, v: Vertex) -> Option<Lit> {
        self.skip.get(v.index()).copied().flatten()
    }

    /// Returns the term "v is visited".
    pub(super) fn visited(&self, v: u32) -> Term {
        self.skip[v as usize].map_or(Term::True, |skip| Term::Lit(!skip))
    }

    /// True if every model has one circuit.
    pub(super) fn is_exact(&self) -> bool {
        let period = self.positions.as_ref().map_or(1, |positions| positions.period());
        period >= self.n_positions.into()
    }

    /// Returns M_v and F_v.
    fn least(&self, block: u32, v: u32) -> [Lit; 2] {
        [Lit::positive(block + v), Lit::positive(block + self.n + v)]
    }

    /// Streams all clauses.
    pub(super) fn emit(&self, out: &mut dyn ClauseSink) {
        let mut card = Cardinality::new(self.plan.at_most_one, self.first_auxiliary);
        match self.is_of_edges {
            true => self.emit_two_edges(&mut card, out),
            false => emit_degrees(self, &mut card, out),
        }
        self.emit_edges(out);
        self.emit_visited(out);
        self.emit_number(out);
        let Some(positions) = &self.positions else {
            return;
        };
        self.emit_orientation(out);
        emit_positions(self, positions.as_ref(), &mut card, out);
        self.emit_top(positions.as_ref(), out);
        self.emit_skipped(positions.as_ref(), out);
    }

    /// Streams two edges at every vertex that is not skipped.
    fn emit_two_edges(&self, card: &mut Cardinality, out: &mut dyn ClauseSink) {
        out.family(TWO_EDGES);
        for ends in self.ends() {
            card.exactly_one(ends.into_iter().map(Term::Lit), out);
        }
        let mut next = self.first_counting.idx32();
        for v in self.two_edges() {
            let at = self.leaving[v.index()].iter().map(|&k| self.arcs[k as usize].literal);
            let counters = counting(at.len()) as u32;
            let skip = self.skipped(v);
            card.exactly_two(at, skip.as_slice(), (next..next + counters).map(Lit::positive), out);
            next += counters;
        }
    }

    /// Returns the vertices that have two edges or are skipped.
    fn two_edges(&self) -> impl Iterator<Item = Vertex> {
        let added = self.added.map(|(v, _)| v);
        self.visited_once().filter(move |v| Some(v.number()) != added)
    }

    /// Returns the literals of the first vertex of a path, and those of the last, each with the literal for no path at
    /// all; nothing if the circuit is no path.
    fn ends(&self) -> Vec<Vec<Lit>> {
        let Some((added, first)) = self.added else {
            return Vec::new();
        };
        let (firsts, lasts) = self.arcs[first as usize..].iter().partition::<Vec<&Arc>, _>(|arc| arc.tail == added);
        let literals =
            |arcs: Vec<&Arc>| arcs.into_iter().map(|arc| arc.literal).chain(self.skip[added as usize]).collect();
        vec![literals(firsts), literals(lasts)]
    }

    /// Streams (E), the directions of edges.
    fn emit_edges(&self, out: &mut dyn ClauseSink) {
        out.family(EDGE);
        for (edge, pair) in (0..self.n_pairs).map(Lit::positive).zip(self.arcs.chunks_exact(2)) {
            let [h, back] = [pair[0].literal, pair[1].literal];
            // (E) E_uv ↔ H_uv ∨ H_vu, ¬H_uv ∨ ¬H_vu
            out.clause(&[!h, edge]);
            out.clause(&[!back, edge]);
            out.clause(&[h, back, !edge]);
            out.clause(&[!h, !back]);
        }
        for parallel in &self.parallel {
            out.no_two(parallel);
        }
    }

    /// Streams (V) and (M): which vertices are visited, and which of them is the root.
    fn emit_visited(&self, out: &mut dyn ClauseSink) {
        out.family(VISITED);
        let mut clause = Disjunction::default();
        for skip in self.unreachable.iter().filter_map(|&v| self.skip[v as usize]) {
            out.clause(&[skip]);
        }
        if let Some((_, first)) = self.added {
            let half = self.arcs.len() as u32 - first;
            let implied = (0..self.circuit.n).filter(|&v| self.circuit.presence(v) == Presence::Optional);
            for v in implied {
                // A vertex without a literal for "skipped" cannot be both ends of the path.
                let ends = (first..first + half).map(|k| self.arcs[k as usize]);
                let ends: Vec<Lit> =
                    ends.filter(|arc| arc.tail == v || arc.head == v).map(|arc| !arc.literal).collect();
                if ends.len() == 2 {
                    out.clause(&ends);
                }
            }
        }
        let all = 0..self.n;
        if let Some(depot) = self.circuit.depot_vertex() {
            if !self.circuit.empty {
                let leaving = &self.leaving[depot as usize];
                out.clause(&leaving.iter().map(|&k| self.arcs[k as usize].literal).collect::<Vec<_>>());
            }
            return;
        }
        match self.root {
            Root::Vertex(root) => {
                if let Some(skip) = self.skip[root as usize] {
                    for v in all.filter(|&v| v != root) {
                        clause.clear().or(Term::Lit(!skip)).or_not(self.visited(v)).emit(out);
                    }
                    if !self.circuit.empty {
                        out.clause(&[!skip]);
                    }
                }
            }
            Root::Least(_) if self.positions.is_none() => {
                if !self.circuit.empty {
                    all.fold(clause.clear(), |clause, v| clause.or(self.visited(v))).emit(out);
                }
            }
            Root::Least(block) => {
                out.family(LEAST);
                let mut before = Term::False;
                for v in all {
                    let (here, [some, first]) = (self.visited(v), self.least(block, v).map(Term::Lit));
                    // (M) M_v ↔ M_v−1 ∨ ¬S_v
                    clause.clear().or_not(before).or(some).emit(out);
                    clause.clear().or_not(here).or(some).emit(out);
                    clause.clear().or_not(some).or(before).or(here).emit(out);
                    // (M) F_v ↔ ¬S_v ∧ ¬M_v−1
                    clause.clear().or_not(first).or(here).emit(out);
                    clause.clear().or_not(first).or_not(before).emit(out);
                    clause.clear().or_not(here).or(before).or(first).emit(out);
                    before = some;
                }
                if !self.circuit.empty {
                    clause.clear().or(before).emit(out);
                }
            }
        }
    }

    /// Streams (K), the bounds on the number of visited vertices.
    fn emit_number(&self, out: &mut dyn ClauseSink) {
        let Some((table, columns)) = &self.number else {
            return;
        };
        out.family(NUMBER);
        let c = |v: Option<u32>, j: u32| match v {
            _ if j == 0 => Term::True,
            Some(v) => table.row(v).nth(j as usize - 1).map_or(Term::False, Term::Lit),
            None => Term::False,
        };
        let mut clause = Disjunction::default();
        for v in 0..self.circuit.n {
            let (before, visited) = (v.checked_sub(1), self.visited(v));
            let counted = if self.counts_skipped { !visited } else { visited };
            for j in 1..=*columns {
                // (K) C_vj ↔ C_v−1,j ∨ (C_v−1,j−1 ∧ ¬S_v)
                let (here, same, less) = (c(Some(v), j), c(before, j), c(before, j - 1));
                clause.clear().or_not(same).or(here).emit(out);
                clause.clear().or_not(less).or_not(counted).or(here).emit(out);
                clause.clear().or_not(here).or(same).or(less).emit(out);
                clause.clear().or_not(here).or(same).or(counted).emit(out);
            }
        }
        let last = self.circuit.n.checked_sub(1);
        if self.at_least > 0 {
            clause.clear().or(c(last, self.at_least)).emit(out);
        }
        if self.at_most < self.circuit.n {
            clause.clear().or_not(c(last, self.at_most + 1)).emit(out);
        }
    }

    /// Streams (O), one direction of a circuit of edges.
    fn emit_orientation(&self, out: &mut dyn ClauseSink) {
        let mut clause = Disjunction::default();
        if let (true, Some((root, first))) =
            (self.circuit.shape == Shape::Path(None, None) && self.n_pairs > 0, self.added)
        {
            // (O) L_w → ⋁_{v≤w} F_v
            out.family(ORIENTATION);
            let n = root;
            for w in 0..n {
                let [firsts, lasts] = [first, first + n].map(|from| &self.arcs[from as usize..(from + n) as usize]);
                let up_to = firsts.iter().filter(|arc| arc.head <= w);
                let up_to = up_to.fold(clause.clear(), |clause, arc| clause.or(Term::Lit(arc.literal)));
                up_to.or_not(Term::Lit(lasts[w as usize].literal)).emit(out);
            }
            return;
        }
        if self.n_pairs == 0 || self.added.is_some() || self.circuit.depot_vertex().is_some() {
            return;
        }
        out.family(ORIENTATION);
        // The arcs of an edge follow each other, so that arcs are in the order of the edges.
        let edge = |k: u32| k / 2;
        for v in 0..self.n {
            let is_root = match self.root {
                Root::Vertex(root) if v == root => Term::True,
                Root::Vertex(_) => continue,
                Root::Least(block) => Term::Lit(self.least(block, v)[1]),
            };
            let is_later = |w: u32| is_root == Term::True || w > v;
            let leaves: Vec<u32> =
                self.leaving[v as usize].iter().copied().filter(|&k| is_later(self.arcs[k as usize].head)).collect();
            // (O) F_v ∧ H_wv → ⋁ of the arcs vu whose edge comes before wv
            for &k in self.entering[v as usize].iter().filter(|&&k| is_later(self.arcs[k as usize].tail)) {
                clause.clear().or_not(is_root).or_not(Term::Lit(self.arcs[k as usize].literal));
                for &other in leaves.iter().filter(|&&other| edge(other) < edge(k)) {
                    clause.or(Term::Lit(self.arcs[other as usize].literal));
                }
                clause.emit(out);
            }
        }
    }

    /// Streams (L): in position encodings without a period, no arc but one into the root leaves the last position.
    fn emit_top(&self, positions: &dyn Positions, out: &mut dyn ClauseSink) {
        if positions.period() != u64::MAX {
            return;
        }
        out.family(TOP);
        let start = self.start();
        for i in self.others() {
            let last = positions.at(i, self.n_positions - 1).expect("positions that do not repeat have terms");
            for (j, h) in self.successors(i).filter(|&(j, _)| j != start && j != i) {
                let mut clause = Disjunction::default();
                clause.or(Term::Lit(!h)).or_not_all(last.clone());
                self.closes(i, j).into_iter().fold(&mut clause, |clause, f| clause.or(Term::Lit(f))).emit(out);
            }
        }
    }

    /// Streams (N), the positions of skipped vertices. In an order of the vertices, skipped vertices come last, in the
    /// order of their numbers.
    fn emit_skipped(&self, positions: &dyn Positions, out: &mut dyn ClauseSink) {
        out.family(SKIPPED);
        let mut clause = Disjunction::default();
        for v in self.others() {
            let Some(skip) = self.skipped(v) else { continue };
            let mut possible = self.plan.window(v).positions().filter_map(|p| positions.at(v, p));
            let first = possible.find(|terms| !terms.contains(&Term::False));
            for term in first.unwrap_or_default() {
                clause.clear().or(Term::Lit(!skip)).or(term).emit(out);
            }
        }
        let Some(order) = positions.precedence() else {
            return;
        };
        let chordal = order.chordal();
        for &v in chordal.order() {
            for &w in chordal.later(v) {
                let (u, w) = (v.min(w), v.max(w));
                let Some(before) = order.before(u, w) else { continue };
                let [skip_u, skip_w] = [u, w].map(|v| self.skipped(v).map_or(Term::False, Term::Lit));
                clause.clear().or_not(skip_w).or(Term::Lit(before)).emit(out);
                clause.clear().or_not(skip_u).or(skip_w).or(Term::Lit(!before)).emit(out);
            }
        }
    }

    /// Returns the arcs that leave a set of vertices.
    pub(super) fn leaving(&self, inside: &[bool]) -> impl Iterator<Item = Lit> {
        let is_inside = |v: u32| inside.get(v as usize) == Some(&true);
        self.arcs.iter().filter_map(move |arc| {
            let (tail, head) = (is_inside(arc.tail), is_inside(arc.head));
            let leaves = if self.is_of_edges { tail != head } else { tail && !head };
            leaves.then_some(arc.literal)
        })
    }
}

impl Moves for Layout {
    fn start(&self) -> Vertex {
        Vertex::new(match self.root {
            Root::Vertex(v) => v,
            Root::Least(_) => self.n,
        })
    }

    fn others(&self) -> impl Iterator<Item = Vertex> {
        let start = self.start();
        (0..self.n).map(Vertex::new).filter(move |&v| v != start)
    }

    fn visited_once(&self) -> impl Iterator<Item = Vertex> {
        let depot = self.circuit.depot_vertex();
        (0..self.n).filter(move |&v| Some(v) != depot).map(Vertex::new)
    }

    fn successors(&self, v: Vertex) -> impl Iterator<Item = (Vertex, Lit)> {
        let least = match self.root {
            Root::Least(block) if v == self.start() => Some(block),
            _ => None,
        };
        let first = least
            .into_iter()
            .flat_map(move |block| (0..self.n).map(move |w| (Vertex::new(w), self.least(block, w)[1])));
        let arcs = self.leaving.get(v.index()).into_iter().flatten();
        let arcs = arcs.map(|&k| (Vertex::new(self.arcs[k as usize].head), self.arcs[k as usize].literal));
        arcs.chain(self.skipped(v).map(|skip| (v, skip))).chain(first)
    }

    fn predecessors(&self, v: Vertex) -> impl Iterator<Item = (Vertex, Lit)> {
        let arcs = self.entering.get(v.index()).into_iter().flatten();
        let arcs = arcs.map(|&k| (Vertex::new(self.arcs[k as usize].tail), self.arcs[k as usize].literal));
        arcs.chain(self.skipped(v).map(|skip| (v, skip)))
    }

    fn visits_all(&self) -> bool {
        false
    }

    fn is_one_cycle(&self) -> bool {
        self.circuit.depot_vertex().is_none()
    }

    fn closes(&self, u: Vertex, v: Vertex) -> Option<Lit> {
        match self.root {
            Root::Least(block) if u > v => Some(self.least(block, v.number())[1]),
            _ => None,
        }
    }
}
