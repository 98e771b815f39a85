//! Hamiltonian cycles by cuts in rounds: a solver that knows of degrees only, told after each model what it lacks.
//!
//! A model of two edges at every vertex is a 2-factor. Its cycles are merged first, by exchanges of edges, which often
//! makes one of them and ends the search. Where that does not succeed, the cycles of the *model* (not of what became of
//! it, which the solver would not have had to give) are cut: of the edges that leave the set of vertices of a cycle one
//! has to be true, and the solver goes on from where it is. Short cuts come first, and no more of them than a budget
//! of literals: a graph of hubs has cycles with thousands of edges around. The values that are tried first are those of
//! the 2-factor with the fewest cycles so far.
//!
//! # References
//!
//! - G. Dantzig, R. Fulkerson, S. Johnson: *Solution of a Large-Scale Traveling-Salesman Problem*, Operations Research 2,
//!   1954.
//! - Takehide Soh, Daniel Le Berre, Stéphanie Roussel, Mutsunori Banbara, Naoyuki Tamura: *Incremental SAT-Based Method
//!   with Native Boolean Cardinality Handling for the Hamiltonian Cycle Problem*, JELIA 2014.

use hamcnf_encodings::{Graph, Vertex};
use rustsat::types::{Lit, TernaryVal};

use super::alternating::join;
use super::degrees::degrees;
use super::edges::Edges;
use super::factor::Factor;
use super::merge::merge;
use super::{Ended, Found, Watch};
use crate::solve::{Backend, Cadical, SolveError};

/// How it searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// CaDiCaL's seed, 0 to 2·10⁹.
    pub seed: u32,
    /// Conflicts in all rounds together, each of which counts as some too; `None` for no limit.
    pub conflicts: Option<u64>,
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Models of the degrees and the cuts so far.
    pub rounds: u64,
    /// Cuts.
    pub cuts: u64,
    /// Literals of all of them.
    pub literals: u64,
    /// The fewest cycles that a model had, merged or not.
    pub cycles: u64,
    /// Conflicts.
    pub conflicts: u64,
}

/// Literals of the cuts of one round for each vertex; the shortest cut comes whatever its length.
const LITERALS_PER_VERTEX: usize = 4;
/// What a round counts as, in conflicts: some come without any.
const PER_ROUND: u64 = 100;
/// Work for joining the cycles of a model, for each edge.
const JOIN_PER_EDGE: u64 = 4;

/// Looks for a Hamiltonian cycle. That there is none is exact.
#[must_use]
pub fn find(graph: &Graph, options: &Options, watch: &Watch) -> (Found, Effort) {
    let mut effort = Effort::default();
    if let Some(ended) = watch.over() {
        return (Found::Nothing(ended), effort);
    }
    if graph.n_vertices() < 3 {
        return (Found::None, effort);
    }
    let found = Rounds::new(graph, options, watch)
        .and_then(|mut rounds| {
            let found = rounds.run(&mut effort);
            effort.conflicts = rounds.solver.counters().conflicts;
            found
        })
        .unwrap_or_else(|error| {
            let memory = matches!(error, SolveError::OutOfMemory);
            Found::Nothing(if memory { Ended::Memory } else { Ended::GaveUp })
        });
    (found, effort)
}

/// A search.
struct Rounds<'g> {
    graph: &'g Graph,
    edges: Edges,
    solver: Cadical<'g>,
    options: Options,
    watch: &'g Watch,
    /// The number of the last set, and what each vertex was in.
    mark: u32,
    marks: Vec<u32>,
}

impl<'g> Rounds<'g> {
    fn new(graph: &'g Graph, options: &Options, watch: &'g Watch) -> Result<Self, SolveError> {
        let edges = Edges::of(graph);
        let mut solver = Cadical::new(options.seed, || watch.over().is_some())?;
        let mut clause: Vec<Lit> = Vec::new();
        let last = edges.len() as i32;
        degrees(
            &edges,
            |_| Vec::new(),
            last,
            |literals| {
                clause.clear();
                let literals = literals.iter().map(|&literal| {
                    let index = literal.unsigned_abs() - 1;
                    Lit::new(index, literal < 0)
                });
                clause.extend(literals);
                solver.add(&clause)
            },
        )?;
        Ok(Self {
            graph,
            marks: vec![0; edges.n_vertices()],
            edges,
            solver,
            options: *options,
            watch,
            mark: 0,
        })
    }

    fn run(&mut self, effort: &mut Effort) -> Result<Found, SolveError> {
        use crate::solve::BackendEnded as By;
        let mut fewest = usize::MAX;
        loop {
            let spent = self.solver.counters().conflicts + PER_ROUND * effort.rounds;
            let left = self
                .options
                .conflicts
                .map(|most| most.saturating_sub(spent));
            if left == Some(0) {
                return Ok(Found::Nothing(Ended::GaveUp));
            }
            match self.solver.solve(left)? {
                By::Unsatisfiable => return Ok(Found::None),
                By::Stopped => {
                    let why = self.watch.over().unwrap_or(Ended::GaveUp);
                    return Ok(Found::Nothing(why));
                }
                By::Satisfiable => {}
            }
            effort.rounds += 1;
            let mut cycles = self.cycles()?;
            if cycles.len() == 1 {
                effort.cycles = 1;
                return Ok(Found::Cycle(cycles.swap_remove(0)));
            }
            let factor = Factor::of_cycles(self.graph, &cycles);
            let factor = factor.expect("two edges at every vertex are a 2-factor");
            let merged = merge(self.graph, factor, self.watch);
            let mut left = merged.cycles();
            if left.len() > 1 {
                let work = JOIN_PER_EDGE * self.edges.len() as u64;
                let seed = effort.rounds ^ u64::from(self.options.seed);
                if let Found::Cycle(cycle) = join(self.graph, merged, seed, work, self.watch) {
                    left = vec![cycle];
                }
            }
            if left.len() < fewest {
                fewest = left.len();
                effort.cycles = fewest as u64;
                if fewest == 1 {
                    return Ok(Found::Cycle(left.swap_remove(0)));
                }
                self.prefer(&left)?;
            }
            if let Some(ended) = self.watch.over() {
                return Ok(Found::Nothing(ended));
            }
            self.cut(&cycles, effort)?;
        }
    }

    /// The cycles of the model.
    fn cycles(&self) -> Result<Vec<Vec<Vertex>>, SolveError> {
        let n = self.edges.n_vertices();
        let mut on: Vec<[u32; 2]> = vec![[u32::MAX; 2]; n];
        for edge in 0..self.edges.len() as u32 {
            if self.solver.value(Lit::positive(edge))? == TernaryVal::True {
                let [a, b] = self.edges.ends(edge);
                for (v, w) in [(a, b), (b, a)] {
                    let on = &mut on[v as usize];
                    on[usize::from(on[0] != u32::MAX)] = w;
                }
            }
        }
        let mut seen = vec![false; n];
        let mut cycles = Vec::new();
        for first in 0..n as u32 {
            if seen[first as usize] {
                continue;
            }
            let (mut v, mut before, mut cycle) = (first, on[first as usize][1], Vec::new());
            while !std::mem::replace(&mut seen[v as usize], true) {
                cycle.push(Vertex::new(v));
                let [a, b] = on[v as usize];
                let next = if a == before { b } else { a };
                (before, v) = (v, next);
            }
            cycles.push(cycle);
        }
        Ok(cycles)
    }

    /// The edges of these cycles are tried as true first, all others as false.
    fn prefer(&mut self, cycles: &[Vec<Vertex>]) -> Result<(), SolveError> {
        let mut chosen = vec![false; self.edges.len()];
        for cycle in cycles {
            let ahead = cycle.iter().cycle().skip(1);
            for (v, w) in cycle.iter().zip(ahead) {
                if let Some(edge) = self.edges.between(v.number(), w.number()) {
                    chosen[edge as usize] = true;
                }
            }
        }
        for (edge, chosen) in (0..).zip(chosen) {
            self.solver.prefer(Lit::new(edge, !chosen))?;
        }
        Ok(())
    }

    /// Cuts these cycles, of which there are two at least.
    fn cut(&mut self, cycles: &[Vec<Vertex>], effort: &mut Effort) -> Result<(), SolveError> {
        let n = self.edges.n_vertices();
        let mut cuts: Vec<Vec<Lit>> = Vec::new();
        for cycle in cycles {
            // What leaves the greater part leaves the rest, which has a cycle of its own or several.
            if 2 * cycle.len() > n && cycles.len() > 2 {
                continue;
            }
            self.mark += 1;
            for v in cycle {
                self.marks[v.index()] = self.mark;
            }
            let at = cycle.iter().flat_map(|v| self.edges.at(v.number()));
            let leaving = at.filter(|&&(w, _)| self.marks[w as usize] != self.mark);
            cuts.push(leaving.map(|&(_, edge)| Lit::positive(edge)).collect());
            if cycles.len() == 2 {
                break;
            }
        }
        cuts.sort_by_key(Vec::len);
        let mut left = LITERALS_PER_VERTEX * n;
        for (k, cut) in cuts.iter().enumerate() {
            if k > 0 && cut.len() > left {
                break;
            }
            left = left.saturating_sub(cut.len());
            self.solver.add(cut)?;
            effort.cuts += 1;
            effort.literals += cut.len() as u64;
        }
        Ok(())
    }
}
