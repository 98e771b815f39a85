//! Traits of encodings. An encoding is a *base*, which numbers variables and makes the clauses that have exactly the tours
//! as models, with *refinements*, which leave out some clauses or add others.
//!
//! A base implements [`Encode`], an instance under a base implements [`Encoded`], and a refinement implements
//! [`Refine`](crate::refine::Refine). Implementations may come from other crates: give them a name in a [`Base`] or a
//! [`Refinement`](crate::refine::Refinement), and [`Encoding`](crate::Encoding) uses them like the ones here.

use std::fmt;
use std::sync::Arc;

use rustsat::types::{Lit, Var};

use crate::board::MAX_VARIABLES;
use crate::cnf::exactly_one::AtMostOne;
use crate::cnf::model::Model;
use crate::cnf::projection::Projection;
use crate::cnf::sink::ClauseSink;
use crate::cnf::vars::{
    Allocator, ArcVars, Block, EdgeVars, PositionVars, PrecedenceVars, Term, TooManyVariables,
};
use crate::cnf::window::{Pruning, Window};
use crate::graph::Vertex;
use crate::instance::{Instance, TourKind};
use crate::sequence::Sequence;
use crate::tour::NotATour;

/// Decisions of refinements that are made before variables are numbered, and that bases follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Positions that each vertex may have, by vertex.
    pub windows: Vec<Window>,
    /// Strength of the pruning by the windows.
    pub pruning: Pruning,
    /// True for vertices at odd positions, by vertex; `None` if parities are not used.
    pub odd: Option<Vec<bool>>,
    /// Encoding of at-most-one constraints as clauses.
    pub at_most_one: AtMostOne,
}

impl Plan {
    /// Returns the plan without refinements: every vertex may have every position.
    #[must_use]
    pub fn new(instance: &Instance) -> Self {
        Self {
            windows: vec![Window::new(0, instance.n() - 1); instance.n() as usize],
            pruning: Pruning::None,
            odd: None,
            at_most_one: AtMostOne::Pairwise,
        }
    }

    /// Returns the positions that a vertex may have.
    #[must_use]
    pub fn window(&self, v: Vertex) -> Window {
        self.windows[v.index()]
    }
}

/// Features of a base that refinements may work on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offers {
    /// True if there are arc variables: see [`Encoded::arcs`].
    pub arcs: bool,
    /// True if there are positions, kept to the windows of the plan.
    pub positions: bool,
    /// True if there are at-most-one constraints, which become clauses as the plan says.
    pub at_most_one: bool,
    /// True if models of closed tours have a direction: see [`Encoded::ends`].
    pub directions: bool,
    /// True if the base speaks of rows and columns, and so encodes boards only.
    pub boards_only: bool,
}

impl Offers {
    /// Features of most bases: arcs, positions, at-most-one constraints and a direction, on any graph.
    pub const ALL: Self = Self {
        arcs: true,
        positions: true,
        at_most_one: true,
        directions: true,
        boards_only: false,
    };
}

/// A base under its name.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    /// Name: letters, digits and dashes.
    pub name: &'static str,
    /// Description in half a line.
    pub says: &'static str,
    /// Refinements that go with the base by default, such as `windows=as-published`: the refinements of the
    /// paper's Table 1 or, for other encodings, of their source.
    pub with: &'static [&'static str],
    /// Features that refinements may work on.
    pub offers: Offers,
    /// Makes the base from the argument behind `=` after its name.
    pub make: fn(Option<&str>) -> Made,
}

/// A base made from its argument, or the error.
pub type Made = Result<Arc<dyn Encode>, BadArgument>;

impl Base {
    /// Returns a base that takes no argument.
    ///
    /// # Errors
    ///
    /// [`BadArgument`], if there is an argument.
    pub fn plain(encode: impl Encode, argument: Option<&str>) -> Made {
        match argument {
            None => Ok(Arc::new(encode)),
            Some(_) => Err(BadArgument("this encoding takes no argument".to_owned())),
        }
    }
}

/// Error of an argument of a base or refinement. The message follows the name and the argument.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadArgument(pub String);

/// A way to turn an instance into clauses.
pub trait Encode: fmt::Debug + Send + Sync + 'static {
    /// Returns the argument behind `=` after the name, in its canonical form; `None` for most bases.
    fn argument(&self) -> Option<String> {
        None
    }

    /// Numbers all variables, before a clause is made.
    ///
    /// # Errors
    ///
    /// [`Unfit`], before memory proportional to the number of variables is allocated.
    fn layout(
        &self,
        instance: &Instance,
        plan: &Plan,
        variables: &mut Allocator,
    ) -> Result<Box<dyn Encoded>, Unfit>;
}

/// An instance under a base: its variables, their meanings, and its clauses.
pub trait Encoded: fmt::Debug + Send + Sync + 'static {
    /// Returns the instance.
    fn instance(&self) -> &Instance;

    /// Streams all clauses, in the same order each time.
    fn emit(&self, out: &mut dyn ClauseSink);

    /// Returns variables whose values determine all others in every model of a tour: an independent support.
    fn support(&self) -> Block;

    /// True if false support variables are needed to tell one tour from another. They are not needed if all tours have the
    /// same number of true support variables.
    fn zeros_matter(&self) -> bool {
        false
    }

    /// True if every model is a tour. If not, some models are several cycles.
    fn is_exact(&self) -> bool {
        true
    }

    /// Returns the arc variables, if there are any.
    fn arcs(&self) -> Option<&ArcVars> {
        None
    }

    /// Returns the variables of edges in either direction, if there are any.
    fn edges(&self) -> Option<&EdgeVars> {
        None
    }

    /// Returns the variables "vertex v has position p", if there are any.
    fn positions(&self) -> Option<&PositionVars> {
        None
    }

    /// Returns the variables "u comes before w", if there are any.
    fn precedence(&self) -> Option<&PrecedenceVars> {
        None
    }

    /// Returns two terms: the tour goes from the start to `v` first, and the tour comes back from `v`. `None` if models of
    /// closed tours have no direction.
    fn ends(&self, v: Vertex) -> Option<[Term; 2]>;

    /// Returns the literals of the arcs or edges that leave a set of vertices; at least one is true on every tour. `inside` is
    /// true for the vertices of the set, by vertex. `None` without arc or edge variables.
    fn leaving(&self, set: &[Vertex], inside: &[bool]) -> Option<Vec<Lit>> {
        let (instance, arcs) = (self.instance(), self.arcs()?);
        let leaving = set.iter().flat_map(|&v| {
            let leaving = arcs.successors(instance, v);
            let leaving = leaving.filter(|(head, _)| !inside[head.index()]);
            leaving.map(|(_, arc)| arc).collect::<Vec<_>>()
        });
        Some(leaving.collect())
    }

    /// Returns the meaning of a variable, such as `H(a1,c2)`; `None` for auxiliary variables.
    fn meaning(&self, var: Var) -> Option<String>;

    /// Returns the value of a variable if the vertices are visited in this order; `None` for auxiliary variables.
    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool>;

    /// Reads a model as an order of all vertices or as several cycles.
    ///
    /// # Errors
    ///
    /// [`NotATour`], if the assignment is not a model.
    fn read(&self, model: &Model) -> Result<Visits, NotATour>;

    /// Returns the number of models, projected on the support, that each tour has without refinements. Closed tours are counted
    /// undirected, open ones from the start on. The tests prove the number by enumeration.
    fn models_per_tour(&self) -> u32 {
        match self.instance().kind() {
            TourKind::Open => 1,
            TourKind::Closed => 2,
        }
    }

    /// True if a tour in this direction has a model. If the other direction of a closed tour is excluded, its model is in this
    /// direction.
    fn admits(&self, _sequence: &Sequence) -> bool {
        true
    }

    /// Returns the set on which the paper's section 4.3 projects the formula, for knight's tours of this kind on a square board
    /// of this size from its first square; `None` if the paper does not have the formula.
    fn paper_projection(&self, _size: u32, _kind: TourKind) -> Option<Projection> {
        None
    }

    /// Returns the projection set that suits model counters best.
    fn counted_on(&self) -> Projection {
        match (self.edges(), self.arcs(), self.instance().kind()) {
            (Some(_), _, TourKind::Closed) => Projection::CoTree,
            (Some(_), _, TourKind::Open) => Projection::Edges,
            (None, Some(_), _) => Projection::Arcs,
            (None, None, _) => Projection::All,
        }
    }
}

/// Order of visits in a model, unchecked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Visits {
    /// All vertices of one tour, from the start on.
    Order(Vec<Vertex>),
    /// Several cycles that together have each vertex once; the cycle through the start comes first.
    Cycles(Vec<Vec<Vertex>>),
}

/// Error of an instance that does not fit a base.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// The instance is not a board.
    #[error("the graph is not a board")]
    NoBoard,
    /// The instance needs more variables than DIMACS solvers take.
    #[error(transparent)]
    TooManyVariables(#[from] TooManyVariables),
}

/// Error of an instance that cannot be encoded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodeError {
    /// The instance is not a board, or a board without some squares.
    #[error("the {encoding} encoding needs a whole board, but {instance} is not one")]
    NoBoard {
        /// Name of the encoding.
        encoding: String,
        /// Description of the instance.
        instance: String,
    },
    /// The answer is known without a formula: no closed tour has fewer than three vertices, and one vertex is an open tour.
    #[error(
        "formulas of {kind} tours need at least {} vertices, but {instance} has {n}: no formula is needed to answer",
        match kind {
            TourKind::Closed => 3,
            TourKind::Open => 2,
        }
    )]
    TooSmall {
        /// Description of the instance.
        instance: String,
        /// Number of vertices.
        n: u32,
        /// Kind of tour.
        kind: TourKind,
    },
    /// The labels of a refinement are not all vertices, each once.
    #[error("the labels of {encoding} do not match the vertices of {instance}")]
    Labels {
        /// Name of the encoding.
        encoding: String,
        /// Description of the instance.
        instance: String,
    },
    /// The formula would have more variables than DIMACS solvers take.
    #[error(
        "the {encoding} encoding of {instance} needs {needed} variables, but DIMACS solvers accept at most {MAX_VARIABLES}"
    )]
    TooManyVariables {
        /// Name of the encoding.
        encoding: String,
        /// Description of the instance.
        instance: String,
        /// Number of variables needed.
        needed: u64,
    },
}

/// True if a term is true in a model. Variables that the model leaves open count as false.
pub(crate) fn holds(model: &Model, term: Term) -> bool {
    match term {
        Term::False => false,
        Term::True => true,
        Term::Lit(l) => model.holds(l),
    }
}
