//! The counting encoding: the binary adder encoding, changed so that model counters find it easy.
//!
//! H_ij as there, and E_e that the edge e is on the tour in either direction. Every tour is one model, all
//! variables follow from the arcs, and the arcs from the edges: each of both sets is an independent support. (With
//! the orientation left free, a closed tour is two models, and one value of the edges.)
//!
//! - (1), (2) exactly one H_ij in every row and column: see [`distance`]
//! - (C) ¬H_ij ∨ ¬H_ji: no cycle of two
//! - (O) one direction of closed tours, unless their [`orientation`](crate::orientation) is left free: with
//!   v_0, v_1, … the neighbours of the start s, H(v_i, s) → ⋁_{j<i} H(s, v_j)
//! - (E) E_ij ↔ H_ij ∨ H_ji
//! - (6), (7), (8) positions count up along arcs, as in [`binary`](crate::binary)
//! - (W) lo ≤ P(i) ≤ hi
//!
//! # Bipartite graphs
//!
//! On a bipartite graph the lowest bit of a position is known: it is the distance from s, modulo 2. So
//! positions are P = 2Q + c, with c that bit and Q in ⌈log₂ N⌉ − 1 bits. An arc from c = 0 copies Q, and one
//! from c = 1 adds 1 to it:
//!
//! - (6) H_si → Q(i) = 0
//! - (7) H_is → Q(i) = ⌊(N − 1)/2⌋ where c(i) is N − 1 modulo 2, else ¬H_is
//! - (8) H_ij → Q(j) = Q(i) + c(i)
//!
//! A cycle of length L that misses s adds 1 L/2 times, modulo 2^(m−1) ≥ N/2: L would be N at least.
//!
//! # Pruning
//!
//! `full` and `as-published` (there is nothing published to follow) have (W), `none` has not.
//!
//! # Open tours
//!
//! As in the paper's section 4.3, an arc leads from every vertex back to the start. It is not a move, so (C)
//! and (E) do not see the arcs into s: E_si ↔ H_si.
//!
//! # Co-tree edges
//!
//! On a closed tour every vertex has an even number of edges, two. So the edges outside a spanning tree
//! determine those in it, leaf by leaf: E − N + 1 variables are an independent support too, on which ApproxMC
//! needs the fewest and shortest parity constraints.
//!
//! # Size
//!
//! With A arcs, E edges, m bits a position (one less on bipartite graphs), pairwise: A + E + (N−1)m
//! variables; beside the clauses of [`binary`](crate::binary) E for (C), one for each neighbour of the start
//! for (O), 3E for (E). (8) has 2m clauses for every arc that copies.
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.
//! - Supratik Chakraborty, Kuldeep S. Meel, Moshe Y. Vardi: *Balancing Scalability and Uniformity in SAT
//!   Witness Generator*, DAC 2014, on independent supports.

use rustsat::types::{Assignment, Var};

use crate::adder::{bounds, equals_if, same_if, successor_if};
use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::reach::{Pruning, Window, windows};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, ArcVars, BitVars, Block, EdgeVars};
use crate::distance;
use crate::encode::{Decode, Encode, EncodeError, Options, numbered};
use crate::orientation::Orientation;
use crate::problem::graph::{Arc, ArcId, Vertex};
use crate::problem::instance::{Instance, TourKind};
use crate::problem::tour::{NotATour, Tour};

/// (C)
pub const NO_CYCLE_OF_TWO: Family = Family {
    label: "(C)",
    says: "no edge is gone along in both directions",
};
/// (E)
pub const EDGE: Family = Family {
    label: "(E)",
    says: "an edge is on the tour if one of its arcs is",
};

/// The counting encoding.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    options: Options,
}

impl Encode for Counting {
    const NAME: &'static str = "counting";
    const PUBLISHED: Pruning = Pruning::Full;
    const ORIENTATION: Orientation = Orientation::Fixed;
    type Vars = CountingVars;

    fn new(options: Options) -> Self {
        Self { options }
    }

    fn layout(&self, instance: &Instance) -> Result<CountingVars, EncodeError> {
        let mut variables = Allocator::default();
        let h = ArcVars::new(instance, &mut variables);
        let e = EdgeVars::new(instance, &mut variables);
        let parity = instance.graph().two_colouring(instance.start());
        let known = u32::from(parity.is_some());
        let x = BitVars::without_lowest(instance, known, &mut variables);
        numbered::<Self>(&variables, instance)?;
        let mut auxiliary = AuxiliaryCount::new(self.options.at_most_one);
        distance::count_auxiliary(instance, &h, &mut auxiliary);
        variables.take(auxiliary.total());
        let n_vars = numbered::<Self>(&variables, instance)?;
        Ok(CountingVars {
            h,
            e,
            x,
            parity,
            n_vars,
        })
    }

    fn emit<S: ClauseSink>(&self, instance: &Instance, vars: &CountingVars, out: &mut S) {
        let (start, closed) = (instance.start(), instance.kind() == TourKind::Closed);
        let CountingVars { h, e, x: p, .. } = vars;
        let mut card = Cardinality::new(self.options.at_most_one, Var::new(p.block().end));
        let reverse = |arc: ArcId| {
            instance
                .graph()
                .arc_with(instance.graph().reverse(arc).number())
        };
        // The literals of an edge's two arcs; arcs into the start are no moves of an open tour.
        let moves = |edge: Arc| {
            let both = [Some(edge), reverse(edge.id)].into_iter().flatten();
            let moves = both.filter(|arc| closed || arc.head != start);
            moves.map(|arc| h.lit(arc)).collect::<Vec<_>>()
        };

        distance::emit(instance, h, &mut card, out);
        // (C) ¬H_ij ∨ ¬H_ji
        out.family(NO_CYCLE_OF_TWO);
        for (edge, _) in e.iter() {
            if let [h_ij, h_ji] = moves(edge)[..] {
                out.clause(&[!h_ij, !h_ji]);
            }
        }
        // (O) H(v_i, s) → ⋁_{j<i} H(s, v_j)
        let ends = |v| distance::ends(instance, h, v);
        self.options.orientation.emit(instance, ends, out);
        // (E) E_ij ↔ H_ij ∨ H_ji
        out.family(EDGE);
        for (edge, e_ij) in e.iter() {
            let mut moves = moves(edge);
            for &h in &moves {
                out.clause(&[!h, e_ij]);
            }
            moves.push(!e_ij);
            out.clause(&moves);
        }
        // (6) H_si → P(i) = 1
        out.family(crate::binary::FIRST_MOVE);
        for (i, h_si) in h.successors(instance, start) {
            if let (Some(x), Some(one)) = (p.word(i), vars.stored(i, 1)) {
                equals_if(h_si, x, one, p.m(), out);
            }
        }
        // (7) H_is → P(i) = N − 1
        out.family(crate::binary::LAST_MOVE);
        for (i, h_is) in h.predecessors(instance, start) {
            match (p.word(i), vars.stored(i, instance.n() - 1)) {
                (Some(x), Some(last)) => equals_if(h_is, x, last, p.m(), out),
                _ => out.clause(&[!h_is]),
            }
        }
        // (8) H_ij → P(j) = P(i) + 1; the start, which has no word, is neither i nor j
        out.family(crate::binary::MOVE);
        for i in instance.others() {
            for (j, h_ij) in h.successors(instance, i) {
                if let (Some(x), Some(y)) = (p.word(i), p.word(j)) {
                    if vars.copies(i) {
                        same_if(h_ij, x, y, p.m(), out);
                    } else {
                        successor_if(h_ij, x, y, p.m(), out);
                    }
                }
            }
        }
        if self.options.pruning == Pruning::None {
            return;
        }
        // (W) lo ≤ P(i) ≤ hi
        out.family(crate::binary::WINDOW);
        let windows = windows(instance, Pruning::Full);
        for i in instance.others() {
            if let Some(x) = p.word(i) {
                bounds(x, vars.stored_window(i, windows[i.index()]), p.m(), out);
            }
        }
    }
}

/// H, then E, then the bits, then auxiliary variables.
#[derive(Clone, Debug)]
pub struct CountingVars {
    h: ArcVars,
    e: EdgeVars,
    x: BitVars,
    /// Whether a vertex's position is odd, where the graph is bipartite.
    parity: Option<Vec<bool>>,
    n_vars: u32,
}

impl CountingVars {
    fn is_odd(&self, v: Vertex) -> Option<bool> {
        self.parity.as_ref().map(|parity| parity[v.index()])
    }

    /// Whether the bits of a successor are the same.
    fn copies(&self, v: Vertex) -> bool {
        self.is_odd(v) == Some(false)
    }

    /// The number that the bits of a vertex are if it has this position; `None` if it cannot have it.
    fn stored(&self, v: Vertex, position: u32) -> Option<u32> {
        match self.is_odd(v) {
            None => Some(position),
            Some(is_odd) => (is_odd == (position % 2 == 1)).then_some(position / 2),
        }
    }

    /// The numbers that the bits of a vertex may be.
    fn stored_window(&self, v: Vertex, Window { lo, hi }: Window) -> Window {
        let mut stored = (lo..=hi).filter_map(|p| self.stored(v, p));
        match (stored.next(), self.is_odd(v)) {
            (None, _) => Window::EMPTY,
            (Some(lo), None) => Window { lo, hi },
            (Some(lo), Some(is_odd)) => Window {
                lo,
                hi: (hi - u32::from(is_odd)) / 2,
            },
        }
    }
}

impl Decode for CountingVars {
    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn support(&self) -> Block {
        self.h.block()
    }

    fn arcs(&self) -> Option<Block> {
        Some(self.h.block())
    }

    fn edges(&self) -> Option<&EdgeVars> {
        Some(&self.e)
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let of_graph = self.h.meaning(instance, var);
        if let Some(meaning) = of_graph.or_else(|| self.e.meaning(instance, var)) {
            return Some(meaning);
        }
        let (i, k) = self.x.meaning(var)?;
        Some(format!("X({},{k})", instance.vertex_name(i)))
    }

    fn value(&self, instance: &Instance, tour: &Tour, var: Var) -> Option<bool> {
        self.h
            .value(instance, tour, var)
            .or_else(|| self.e.value(instance, tour, var))
            .or_else(|| self.x.value(tour, var))
    }

    fn tour(&self, instance: &Instance, model: &Assignment) -> Result<Tour, NotATour> {
        distance::follow(instance, &self.h, model)
    }
}
