//! Formulas of instances in an encoding: numbered variables, clauses on demand, and tours read from models.

use std::sync::Arc;

use rustsat::types::{Clause, Lit, Var};

use crate::base::{EncodeError, Encoded, Plan, Unfit};
use crate::bases::trivial::EncodedTrivial;
use crate::cnf::clauses::{Clauses, auxiliary_name};
use crate::cnf::model::Model;
use crate::cnf::projection::{Projection, ProjectionError, stepped};
use crate::cnf::sink::ClauseSink;
use crate::cnf::vars::{Allocator, Move, Term, TooManyVariables, variables};
use crate::derivation::Derivation;
use crate::encoding::Encoding;
use crate::refine::{Labels, Preference};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::board::MAX_VARIABLES;
use hamcnf_tours::constraint::Constraint;
use hamcnf_tours::constraint::literals::Literals;
use hamcnf_tours::instance::{Instance, TourKind};
use hamcnf_tours::piece::Piece;
use hamcnf_tours::sequence::Sequence;
use hamcnf_tours::tour::{NotATour, Tour};

/// Formula of an instance in an encoding. The formula owns or shares all its data.
#[derive(Clone, Debug)]
pub struct Formula {
    instance: Instance,
    encoding: Encoding,
    labels: Option<Relabelling>,
    encoded: Arc<dyn Encoded>,
    /// Number of the first auxiliary variable of each constraint.
    first_of_constraints: Vec<u32>,
    n_vars: u32,
}

/// Map between vertices and their labels, in both directions.
#[derive(Clone, Debug)]
struct Relabelling {
    labels: Labels,
    new: Vec<Vertex>,
}

impl Relabelling {
    fn new(labels: Labels) -> Self {
        let mut new = labels.old.clone();
        for (k, v) in (0..).zip(&labels.old) {
            new[v.index()] = Vertex::new(k);
        }
        Self { labels, new }
    }
}

/// Literals of a formula, from which constraints build their clauses.
struct FormulaLiterals<'a>(&'a dyn Encoded);

impl Literals for FormulaLiterals<'_> {
    fn instance(&self) -> &Instance {
        self.0.instance()
    }

    fn arc(&self, u: Vertex, v: Vertex) -> Option<Term> {
        let arc = self.0.arcs()?.arc(self.0.instance(), u, v);
        Some(arc.map_or(Term::False, Term::Lit))
    }

    fn edge(&self, u: Vertex, v: Vertex) -> Option<Term> {
        let edge = self.0.edges()?.between(self.0.instance(), u, v);
        Some(edge.map_or(Term::False, Term::Lit))
    }

    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        self.0.at(v, p)
    }

    fn before(&self, u: Vertex, v: Vertex) -> Option<Term> {
        let order = self.0.precedence()?;
        let start = self.0.instance().start();
        Some(match (u == start, v == start) {
            (true, _) => Term::True,
            (_, true) => Term::False,
            (false, false) => Term::Lit(order.before(u, v)?),
        })
    }

    fn last(&self, v: Vertex) -> Option<Term> {
        let instance = self.0.instance();
        match self.0.arcs() {
            Some(arcs) => {
                let returns = arcs.follows(instance, v, instance.start());
                Some(returns.map_or(Term::False, Term::Lit))
            }
            None => Some(self.0.positions()?.at(v, instance.n() - 1)),
        }
    }
}

/// Result of reading a model; tours are checked.
#[derive(Clone, PartialEq, Debug)]
pub enum Reading {
    /// A checked tour.
    Tour(Tour),
    /// Several cycles that together visit every vertex once; the cycle through the start comes first. Only relaxed
    /// formulas have models of several cycles.
    Cycles(Vec<Vec<Vertex>>),
}

/// Names of bases with the same variables, number of rows of a square board, kind of tour, and projection set.
type PaperProjection = (&'static [&'static str], u32, TourKind, &'static str);

/// Projection sets of section 4.3 of the paper *Knights Tour*.
const OF_PAPER: [PaperProjection; 9] = [
    (&["direct"], 5, TourKind::Open, "all"),
    (&["direct"], 6, TourKind::Closed, "positions:4,8,16,20,24,32"),
    (&["direct"], 8, TourKind::Closed, "positions:12,24,36,48,60"),
    (&["unary"], 5, TourKind::Open, "all"),
    (&["unary"], 6, TourKind::Closed, "vars:1..157/4"),
    (&["unary"], 8, TourKind::Closed, "vars:1..305/16"),
    (&["binary", "espresso"], 5, TourKind::Open, "all"),
    (&["binary", "espresso"], 6, TourKind::Closed, "vars:1..161"),
    (&["binary", "espresso"], 8, TourKind::Closed, "vars:1..317/4"),
];

impl Formula {
    /// Creates the formula of an instance and numbers its variables. The clauses are generated later, by
    /// [`Clauses::emit`].
    ///
    /// # Errors
    ///
    /// [`EncodeError`], returned before memory proportional to the number of variables is allocated.
    pub fn new(encoding: Encoding, instance: &Instance) -> Result<Self, EncodeError> {
        if instance.is_trivial() {
            return Ok(Self {
                instance: instance.clone(),
                encoded: Arc::new(EncodedTrivial(instance.clone())),
                encoding,
                labels: None,
                first_of_constraints: Vec::new(),
                n_vars: 0,
            });
        }
        let unsupported = |constraint| EncodeError::Constraint { encoding: encoding.to_string(), constraint };
        if let (true, [first, ..]) = (encoding.offers().boards_only, instance.constraints()) {
            return Err(unsupported(first.name()));
        }
        let mut of = instance.clone();
        let mut labels: Option<Labels> = None;
        for refinement in encoding.refinements() {
            let Some(Labels { old, start }) = refinement.relabels(&of) else {
                continue;
            };
            // Positions of a directed tour are counted from its start, and those of an open tour from its end.
            let has_start = of.is_directed() || of.original().is_some();
            let start = if has_start { of.start() } else { start };
            let relabelled = of.relabelled(&old, start);
            of = relabelled.ok_or_else(|| {
                let name = instance.name();
                EncodeError::Instance(format!(
                    "encoding \"{encoding}\" gives labels that are not a permutation of the vertices of {name}"
                ))
            })?;
            let before = |v: Vertex| labels.as_ref().map_or(v, |labels| labels.old[v.index()]);
            labels = Some(Labels { old: old.into_iter().map(before).collect(), start: before(start) });
        }
        let (labels, of) = (labels.map(Relabelling::new), &of);

        let mut plan = Plan::new(of);
        encoding.refinements().for_each(|r| r.plan(of, &mut plan));
        let unfit = |unfit: Unfit| {
            let (base, name) = (encoding.base(), instance.name());
            EncodeError::Instance(match unfit {
                Unfit::Directed if let Some(constraint) = of.constraints().iter().find(|c| c.is_directional()) => {
                    return unsupported(constraint.name());
                }
                Unfit::Directed => format!(
                    "encoding \"{base}\" works only on undirected graphs, but {name} is directed; use an encoding with arcs, such as \"binary\""
                ),
                Unfit::NoBoard => format!(
                    "encoding \"{base}\" works only on boards without holes, not on {name}; use an encoding with arcs, such as \"binary\""
                ),
                Unfit::TooManyVariables(TooManyVariables(needed)) => format!(
                    "encoding \"{base}\" of {name} needs {needed} variables, but DIMACS solvers accept at most {MAX_VARIABLES}"
                ),
            })
        };
        let mut numbered = Allocator::default();
        let encoded = encoding.encode().layout(of, &plan, &mut numbered);
        let encoded: Arc<dyn Encoded> = encoded.map_err(unfit)?.into();
        for constraint in of.constraints() {
            if !constraint.fits(&FormulaLiterals(encoded.as_ref())) {
                return Err(unsupported(constraint.name()));
            }
        }
        let mut first_of_constraints = Vec::with_capacity(of.constraints().len());
        for constraint in of.constraints() {
            let first = numbered.fits().map_err(|e| unfit(e.into()))?;
            first_of_constraints.push(first);
            numbered.take(constraint.n_auxiliary(&FormulaLiterals(encoded.as_ref())));
        }
        let n_vars = numbered.fits().map_err(|e| unfit(e.into()))?;
        Ok(Self { instance: instance.clone(), encoded, encoding, labels, first_of_constraints, n_vars })
    }

    /// Returns the constraints of the instance, with vertices labelled as in the formula, and the first auxiliary
    /// variable of each constraint.
    fn constraints(&self) -> impl Iterator<Item = (&dyn Constraint, Var)> {
        let constraints = self.encoded.instance().constraints().iter();
        let first = self.first_of_constraints.iter();
        constraints.zip(first).map(|(constraint, &first)| (&**constraint, Var::new(first)))
    }

    fn constraint_name(&self, var: Var) -> Option<String> {
        let begun = self.constraints().filter(|&(_, first)| first <= var);
        let (constraint, first) = begun.last()?;
        let number = u64::from(var.idx32() - first.idx32());
        constraint.meaning(self.encoded.instance(), number)
    }

    /// Returns the instance.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Returns the encoding.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Returns an independent support: the arc variables if the encoding has them.
    pub fn support(&self) -> impl Iterator<Item = Var> + use<> {
        variables(&self.encoded.support())
    }

    /// True if every model is a tour. If false, some models consist of several cycles, which [`cut`](Self::cut)
    /// excludes.
    pub fn is_exact(&self) -> bool {
        self.encoded.is_exact()
    }

    /// Returns the number of models that each tour has, projected on [`Formula::support`]: one if a refinement excludes
    /// a direction, else [`Encoded::models_per_tour`].
    pub fn models_per_tour(&self) -> u32 {
        let mut refinements = self.encoding.refinements();
        if refinements.any(|r| r.excludes_a_direction(self.encoded.as_ref())) {
            1
        } else {
            self.encoded.models_per_tour()
        }
    }

    /// Returns the number of different assignments that the models of one tour have on a projection set. The set must
    /// distinguish the tours. The number is one for sets of undirected edges, else
    /// [`models_per_tour`](Self::models_per_tour).
    pub fn values_per_tour(&self, projection: &Projection) -> u32 {
        match projection {
            Projection::Edges | Projection::CoTree => 1,
            _ => self.models_per_tour(),
        }
    }

    /// Returns the variables of a projection set in increasing order; `None` for [`Projection::None`].
    ///
    /// # Errors
    ///
    /// [`ProjectionError`], if this encoding does not have the set.
    pub fn project(&self, projection: &Projection) -> Result<Option<Vec<Var>>, ProjectionError> {
        let base = self.encoding.base();
        let wrong = |why: String| Err(ProjectionError(why));
        let lacking =
            |what, more| ProjectionError(format!("encoding \"{base}\" has no {what} variables to project on{more}"));
        let (encoded, instance) = (&self.encoded, self.encoded.instance());
        match projection {
            Projection::None => Ok(None),
            Projection::Arcs | Projection::Edges if instance.is_trivial() => Ok(Some(Vec::new())),
            Projection::All => Ok(Some(variables(&(0..self.n_vars)).collect())),
            Projection::Arcs => {
                let arcs = encoded.arcs();
                let arcs = arcs.ok_or_else(|| lacking("arc", ""))?;
                Ok(Some(variables(&arcs.block()).collect()))
            }
            Projection::Edges | Projection::CoTree => {
                let edges = encoded.edges();
                const MORE: &str = "; add the refinement \"edges\" to an encoding with arcs, as in \"binary+edges\"";
                let edges = edges.ok_or_else(|| lacking("edge", MORE))?;
                if instance.is_directed() {
                    // Two tours in opposite directions have the same edges.
                    return wrong("in a digraph, the two directions of a cycle are different tours, and edges do not distinguish them; use the projection \"arcs\"".to_owned());
                }
                if *projection == Projection::Edges {
                    return Ok(Some(variables(&edges.block()).collect()));
                }
                // The edges outside a spanning tree determine the others only if the tour has an even number of edges at
                // every vertex.
                if instance.kind() == TourKind::Open {
                    return wrong("the projection \"co-tree\" determines only closed tours; for open tours, use the projection \"edges\" or \"arcs\"".to_owned());
                }
                let co_tree = instance.graph().co_tree(instance.start()).into_iter();
                Ok(Some(co_tree.filter_map(|e| edges.of(e.id)).collect()))
            }
            Projection::Paper => {
                let Some(set) = self.paper_projection() else {
                    return wrong(format!(
                        "the projection \"paper\" does not exist for encoding \"{base}\" of {}; the paper \"Knights Tour\" (Karthikeyan et al. 2024) has projection sets only for the encodings \"direct\", \"unary\" and \"binary\", of open tours of 5x5 and of closed tours of 6x6 and 8x8 from a1",
                        self.instance
                    ));
                };
                self.project(&set)
            }
            Projection::Positions(wanted) => {
                let at = encoded.positions();
                let at = at.ok_or_else(|| lacking("position", ""))?;
                let last = instance.n() - 1;
                if let Some(&position) = wanted.iter().find(|&&p| p > last) {
                    return wrong(format!("position {position} is past the last position, {last}"));
                }
                let mut found: Vec<_> = wanted
                    .iter()
                    .flat_map(|&p| instance.graph().vertices().map(move |v| at.at(v, p)))
                    .filter_map(|term| match term {
                        Term::Lit(l) => Some(l.var()),
                        Term::False | Term::True => None,
                    })
                    .collect();
                if found.is_empty() {
                    return wrong(format!(
                        "the projection \"{projection}\" is empty in this formula, because its variables are constants"
                    ));
                }
                found.sort_unstable();
                found.dedup();
                Ok(Some(found))
            }
            Projection::Variables(steps) => stepped(steps, self.n_vars).map(Some),
        }
    }

    /// Returns the projection set that suits model counters best.
    pub fn counted_on(&self) -> Projection {
        match (self.encoded.arcs(), self.encoded.instance().is_directed()) {
            (Some(_), true) => Projection::Arcs,
            _ => self.encoded.counted_on(),
        }
    }

    /// Returns the projection set of this formula in section 4.3 of the paper *Knights Tour*; `None` if the paper does
    /// not have the formula.
    fn paper_projection(&self) -> Option<Projection> {
        let board = self.instance.board()?;
        let is_of_paper = self.labels.is_none()
            && board.rows() == board.cols()
            && self.instance.start().number() == 0
            && board.piece() == Piece::KNIGHT;
        let is_this = |&&(bases, rows, kind, _): &&PaperProjection| {
            bases.contains(&self.encoding.base()) && (rows, kind) == (board.rows(), self.instance.kind())
        };
        let (.., set) = OF_PAPER.iter().find(is_this).filter(|_| is_of_paper)?;
        set.parse().ok()
    }

    /// Reads a model as a tour or as several cycles. The moves of a tour are checked.
    ///
    /// # Errors
    ///
    /// [`NotATour`], with the wrong move, if the model describes neither a tour nor several cycles.
    pub fn read(&self, model: &Model) -> Result<Reading, NotATour> {
        let old = |cycle: Vec<Vertex>| cycle.into_iter().map(|v| self.old(v)).collect();
        let mut cycles: Vec<Vec<_>> = self.encoded.read(model)?.into_iter().map(old).collect();
        let start = self.instance.start();
        if let [order] = cycles.as_mut_slice() {
            let place = order.iter().position(|&v| v == start);
            order.rotate_left(place.unwrap_or(0));
            return Tour::check(&self.instance, std::mem::take(order)).map(Reading::Tour);
        }
        if let Some(first) = cycles.iter().position(|cycle| cycle.contains(&start)) {
            cycles[..=first].rotate_right(1);
        }
        Ok(Reading::Cycles(cycles))
    }

    /// Returns the tour that a model describes, checked move by move.
    ///
    /// # Errors
    ///
    /// [`NotATour`], with the wrong move if the model is not a tour, or with the number of cycles if the model consists
    /// of several.
    pub fn tour(&self, model: &Model) -> Result<Tour, NotATour> {
        match self.read(model)? {
            Reading::Tour(tour) => Ok(tour),
            Reading::Cycles(cycles) => {
                let (found, length) = (cycles.len(), cycles.first().map_or(0, Vec::len));
                let start = self.instance.vertex_name(self.instance.start());
                Err(NotATour::new(format!(
                    "the model has {found} cycles; the cycle through {start} has {length} vertices"
                )))
            }
        }
    }

    /// Returns the vertex that a label stands for.
    fn old(&self, v: Vertex) -> Vertex {
        let labels = self.labels.as_ref();
        labels.map_or(v, |labels| labels.labels.old[v.index()])
    }

    /// Translates a tour into the vertex labels of the formula, beginning with the label at position 0.
    fn encoded_sequence(&self, tour: &Tour) -> Sequence {
        match &self.labels {
            None => tour.sequence().clone(),
            Some(labels) => {
                let from = labels.labels.start;
                tour.sequence().renamed(from, |v| labels.new[v.index()])
            }
        }
    }

    /// True if some model of the formula describes the tour in this direction.
    pub fn admits(&self, tour: &Tour) -> bool {
        let sequence = self.encoded_sequence(tour);
        let (encoded, mut refinements) = (self.encoded.as_ref(), self.encoding.refinements());
        encoded.admits(&sequence) && refinements.all(|r| r.admits(encoded, &sequence))
    }

    /// Returns the values of the given variables in the model of a tour. The formula must [admit](Self::admits) the
    /// tour. The value of an auxiliary variable is `None`.
    pub fn values<'f>(
        &'f self,
        tour: &Tour,
        variables: impl IntoIterator<Item = Var> + 'f,
    ) -> impl Iterator<Item = (Var, Option<bool>)> + 'f {
        let sequence = self.encoded_sequence(tour);
        let variables = variables.into_iter();
        variables.map(move |var| (var, self.encoded.value(&sequence, var)))
    }

    /// Returns the value of a variable in the model of a tour; `None` for auxiliary variables. The formula must
    /// [admit](Self::admits) the tour.
    pub fn value(&self, tour: &Tour, var: Var) -> Option<bool> {
        self.encoded.value(&self.encoded_sequence(tour), var)
    }

    /// Returns clauses that exclude all models of a tour, and no model of another tour. For a closed tour in an
    /// undirected graph, they exclude both directions.
    pub fn blocking(&self, tour: &Tour) -> Vec<Clause> {
        let zeros_matter = self.encoded.zeros_matter();
        let reversed = tour.reversed();
        let both = std::iter::once(tour).chain(&reversed);
        let block = |direction: &Tour| {
            let values = self.values(direction, self.support());
            let values = values.map(|(var, value)| (var, value == Some(true)));
            let counts = values.filter(|&(_, value)| zeros_matter || value);
            counts.map(|(var, value)| var.lit(value)).collect()
        };
        let admitted = both.filter(|direction| self.admits(direction));
        admitted.map(block).collect()
    }

    /// Returns a generator that derives subtour-elimination constraints from the clauses; `None` if the encoding has no
    /// precedence variables, or if refinements relabel the vertices.
    pub fn derivation(&self) -> Option<Derivation<'_>> {
        let (encoded, none) = (self.encoded.as_ref(), self.labels.is_none());
        let (arcs, order) = (encoded.arcs()?, encoded.precedence()?);
        none.then(|| Derivation::new(encoded.instance(), arcs, order))
    }

    /// Returns the literal "the tour goes from `from` to `to`". `None` if no tour does, as from the last vertex of an
    /// open tour to its start, if the encoding has no arc variables, or if refinements relabel the vertices.
    pub fn arc(&self, from: Vertex, to: Vertex) -> Option<Lit> {
        let arcs = self.encoded.arcs().filter(|_| self.labels.is_none());
        arcs?.arc(self.encoded.instance(), from, to)
    }

    /// Returns the literals of the moves between vertices of the graph, each with the ends of the move: "the tour goes
    /// from the first to the second", or "the tour uses this edge" if the encoding has edge variables only. There are no
    /// moves from and to an added vertex. `None` if the encoding has neither arc nor edge variables.
    pub fn moves(&self) -> Option<Vec<(Lit, Vertex, Vertex)>> {
        let instance = self.encoded.instance();
        if instance.is_trivial() {
            return Some(Vec::new());
        }
        let mut moves: Vec<_> = match (self.encoded.arcs(), self.encoded.edges()) {
            (Some(arcs), _) => {
                let of = |var: Var| match arcs.of(instance, var)? {
                    Move::Arc(from, to) => Some((var.pos_lit(), from, to)),
                    Move::First(_) | Move::Last(_) => None,
                };
                variables(&arcs.block()).filter_map(of).collect()
            }
            (None, edges) => {
                let is_added = |v| instance.added() == Some(v);
                let edges = edges?.iter().filter(|(edge, _)| !is_added(edge.tail) && !is_added(edge.head));
                edges.map(|(edge, literal)| (literal, edge.tail, edge.head)).collect()
            }
        };
        moves.iter_mut().for_each(|(_, from, to)| (*from, *to) = (self.old(*from), self.old(*to)));
        Some(moves)
    }

    /// Returns the literal "the open tour begins at `v`" (F). `None` if the start is given or `v` cannot be the first
    /// vertex, if the encoding has no arc variables, or if refinements relabel the vertices.
    pub fn first(&self, v: Vertex) -> Option<Lit> {
        self.end(v, Move::First(v))
    }

    /// Returns the literal "the open tour ends at `v`" (L). `None` if only the end is given or `v` cannot be the last
    /// vertex, if the encoding has no arc variables, or if refinements relabel the vertices.
    pub fn last(&self, v: Vertex) -> Option<Lit> {
        self.end(v, Move::Last(v))
    }

    fn end(&self, v: Vertex, end: Move) -> Option<Lit> {
        let arcs = self.encoded.arcs().filter(|_| self.labels.is_none())?;
        let (instance, start) = (self.encoded.instance(), self.encoded.instance().start());
        let steps = [(start, v), (v, start)].into_iter();
        let mut found = steps.filter_map(|(v, w)| arcs.follows(instance, v, w));
        found.find(|literal| arcs.of(instance, literal.var()) == Some(end))
    }

    /// Returns terms whose conjunction is "`v` has the 0-based position `p`" on the tour of the
    /// [original](Instance::original) question. `None` if the formula has no such terms, or if refinements relabel the
    /// vertices.
    pub fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        let instance = self.encoded.instance();
        let p = match instance.is_backward() {
            true => (instance.n() - 1).checked_sub(p)?,
            false => p + u32::from(instance.added().is_some()),
        };
        self.encoded.at(v, p).filter(|_| self.labels.is_none())
    }

    /// Returns the literal "the tour uses the edge between `v` and `w`", in either direction. `None` if the vertices
    /// are not adjacent, if the encoding has no edge variables, or if refinements relabel the vertices.
    pub fn edge(&self, v: Vertex, w: Vertex) -> Option<Lit> {
        let edges = self.encoded.edges().filter(|_| self.labels.is_none());
        edges?.between(self.encoded.instance(), v, w)
    }

    /// Returns the subtour-elimination constraint of these vertices, a clause that every tour satisfies: some arc or
    /// edge leaves the set. `None` if the set is empty or has all vertices, or if the encoding has neither arc nor edge
    /// variables.
    pub fn cut(&self, vertices: &[Vertex]) -> Option<Clause> {
        let instance = self.encoded.instance();
        if vertices.is_empty() || vertices.len() == instance.n() as usize {
            return None;
        }
        let new = |v: Vertex| self.labels.as_ref().map_or(v, |labels| labels.new[v.index()]);
        let set: Vec<Vertex> = vertices.iter().map(|&v| new(v)).collect();
        let mut inside = vec![false; instance.n() as usize];
        for v in &set {
            inside[v.index()] = true;
        }
        let (arcs, edges) = (self.encoded.arcs(), self.encoded.edges());
        let mut cut = Clause::new();
        for v in set {
            let moves: Vec<_> = match arcs {
                Some(arcs) => arcs.successors(instance, v).collect(),
                None => edges?.at(instance, v).collect(),
            };
            let leaving = moves.into_iter().filter(|(head, _)| !inside[head.index()]);
            cut.extend(leaving.map(|(_, literal)| literal));
        }
        Some(cut)
    }

    fn preference(&self) -> Preference {
        let preferences = self.encoding.refinements();
        let preferences = preferences.map(|r| r.prefers(self.encoded.as_ref()));
        let chosen = preferences.filter(|p| *p != Preference::None).last();
        chosen.unwrap_or(Preference::None)
    }
}

impl Clauses for Formula {
    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn emit<S: ClauseSink>(&self, out: &mut S) {
        self.encoded.emit(out);
        for refinement in self.encoding.refinements() {
            refinement.emit(self.encoded.as_ref(), out);
        }
        for (constraint, first) in self.constraints() {
            constraint.emit(&FormulaLiterals(self.encoded.as_ref()), first, out);
        }
    }

    /// Returns `H(a1,c2)` for an arc, `E(a1,c2)` for an edge, `V(a1,5)` or `U(a1,5)` for a position, and `X(a1,0)` for
    /// a bit. The documentation of each encoding lists the names of its other variables.
    fn variable_name(&self, var: Var) -> String {
        let meaning = self.encoded.meaning(var);
        let meaning = meaning.or_else(|| self.constraint_name(var));
        meaning.unwrap_or_else(|| auxiliary_name(var))
    }

    fn cuts(&self, model: &Model) -> Vec<Clause> {
        match self.read(model) {
            Ok(Reading::Cycles(cycles)) if !self.is_exact() => {
                // Without directions, an edge that leaves one of two cycles leaves the other too, so one clause is
                // enough.
                let same = cycles.len() == 2 && self.encoded.arcs().is_none();
                let sets = &cycles[usize::from(same)..];
                sets.iter().filter_map(|cycle| self.cut(cycle)).collect()
            }
            // If the assignment is not a model, there are no cuts: the caller that reads the model reports the error.
            Ok(Reading::Tour(_) | Reading::Cycles(_)) | Err(_) => Vec::new(),
        }
    }

    fn first_values(&self) -> Vec<bool> {
        let all = (0..self.n_vars).map(Var::new);
        match self.preference() {
            Preference::None => Vec::new(),
            Preference::False => all.map(|_| false).collect(),
            Preference::Visiting(sequence) => {
                let value = |var| self.encoded.value(&sequence, var);
                all.map(|var| value(var).unwrap_or(false)).collect()
            }
        }
    }
}
