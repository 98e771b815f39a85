//! What an encoding is made of: a *base*, which numbers variables and makes the clauses that have exactly the tours
//! as models, and *refinements*, which leave some of it out or add to it.
//!
//! A base implements [`Encode`], what it has numbered for an instance [`Encoded`], and a refinement
//! [`Refine`](crate::refine::Refine). None of them has to be of this crate: under a [`Base`] or
//! [`Refinement`](crate::refine::Refinement) that names it, it is used by [`Encoding`](crate::Encoding) like ours.

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

/// What refinements settle before variables are numbered, and bases keep to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The positions that each vertex may have.
    pub windows: Vec<Window>,
    /// How much is drawn from them.
    pub pruning: Pruning,
    /// Whether each vertex's position is odd, where that is used.
    pub odd: Option<Vec<bool>>,
    /// How at-most-one constraints become clauses.
    pub at_most_one: AtMostOne,
}

impl Plan {
    /// That without a refinement: every vertex may have every position.
    #[must_use]
    pub fn new(instance: &Instance) -> Self {
        Self {
            windows: vec![Window::new(0, instance.n() - 1); instance.n() as usize],
            pruning: Pruning::None,
            odd: None,
            at_most_one: AtMostOne::Pairwise,
        }
    }

    /// The positions that a vertex may have.
    #[must_use]
    pub fn window(&self, v: Vertex) -> Window {
        self.windows[v.index()]
    }
}

/// What a base has for refinements to work on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offers {
    /// Variables of arcs: see [`Encoded::arcs`].
    pub arcs: bool,
    /// Positions, which it keeps to the windows of its plan.
    pub positions: bool,
    /// At-most-one constraints, which become clauses as the plan says.
    pub at_most_one: bool,
    /// Models of closed tours have a direction: see [`Encoded::ends`].
    pub directions: bool,
    /// It speaks of rows and columns, and so encodes boards only.
    pub boards_only: bool,
}

impl Offers {
    /// What most bases have: arcs, positions, at-most-one constraints and a direction, of any graph.
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
    /// What it is called: letters, digits and dashes.
    pub name: &'static str,
    /// What it is, in half a line.
    pub says: &'static str,
    /// The refinements that go with it unless others are asked for, such as `windows=as-published`: those of the
    /// paper's Table 1, for other encodings those of their source.
    pub with: &'static [&'static str],
    /// What refinements find in it.
    pub offers: Offers,
    /// Makes it, with what stands behind `=` after its name.
    pub make: fn(Option<&str>) -> Made,
}

/// A base as it is asked for, or why it cannot be had so.
pub type Made = Result<Arc<dyn Encode>, BadArgument>;

impl Base {
    /// For bases without an argument: this one, or that there is no argument.
    ///
    /// # Errors
    ///
    /// [`BadArgument`], if there is one.
    pub fn plain(encode: impl Encode, argument: Option<&str>) -> Made {
        match argument {
            None => Ok(Arc::new(encode)),
            Some(_) => Err(BadArgument("this encoding takes no argument".to_owned())),
        }
    }
}

/// Why a base or refinement is not to be had with an argument; it follows its name and the argument.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadArgument(pub String);

/// A way to turn an instance into clauses.
pub trait Encode: fmt::Debug + Send + Sync + 'static {
    /// What stands behind `=` after its name, in the one way that it is written; none for most.
    fn argument(&self) -> Option<String> {
        None
    }

    /// Numbers all variables, before a clause is made.
    ///
    /// # Errors
    ///
    /// [`Unfit`], before memory of the variables' number is taken.
    fn layout(
        &self,
        instance: &Instance,
        plan: &Plan,
        variables: &mut Allocator,
    ) -> Result<Box<dyn Encoded>, Unfit>;
}

/// An instance under a base: its variables, what they mean, and its clauses.
pub trait Encoded: fmt::Debug + Send + Sync + 'static {
    /// The instance.
    fn instance(&self) -> &Instance;

    /// Streams all clauses, each time the same.
    fn emit(&self, out: &mut dyn ClauseSink);

    /// Variables whose values determine those of all others in every model of a tour: an independent support.
    fn support(&self) -> Block;

    /// Whether support variables that are false have to be named to tell one tour from another. They need not
    /// where every tour has as many true ones.
    fn zeros_matter(&self) -> bool {
        false
    }

    /// Whether every model is a tour. If not, some are several cycles.
    fn is_exact(&self) -> bool {
        true
    }

    /// The arc variables, if there are any.
    fn arcs(&self) -> Option<&ArcVars> {
        None
    }

    /// The variables of edges in either direction, if there are any.
    fn edges(&self) -> Option<&EdgeVars> {
        None
    }

    /// The variables "vertex v has position p", if there are any.
    fn positions(&self) -> Option<&PositionVars> {
        None
    }

    /// The variables "u comes before w", if there are any.
    fn precedence(&self) -> Option<&PrecedenceVars> {
        None
    }

    /// That the tour goes from the start to `v` first, and that it comes back from `v`; `None` where models of closed
    /// tours have no direction.
    fn ends(&self, v: Vertex) -> Option<[Term; 2]>;

    /// What leaves a set of vertices, given with whether each vertex is in it: some of it is true on every tour. `None`
    /// without variables of arcs or edges.
    fn leaving(&self, set: &[Vertex], inside: &[bool]) -> Option<Vec<Lit>> {
        let (instance, arcs) = (self.instance(), self.arcs()?);
        let leaving = set.iter().flat_map(|&v| {
            let leaving = arcs.successors(instance, v);
            let leaving = leaving.filter(|(head, _)| !inside[head.index()]);
            leaving.map(|(_, arc)| arc).collect::<Vec<_>>()
        });
        Some(leaving.collect())
    }

    /// What a variable means, such as `H(a1,c2)`; `None` for auxiliary ones.
    fn meaning(&self, var: Var) -> Option<String>;

    /// The value of a variable if the vertices are visited in this order; `None` for auxiliary ones.
    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool>;

    /// What a model says: an order of all vertices, or several cycles.
    ///
    /// # Errors
    ///
    /// [`NotATour`], where the assignment is not a model.
    fn read(&self, model: &Model) -> Result<Visits, NotATour>;

    /// How many models, projected on the support, each tour has without refinements. Closed tours are counted
    /// undirected, open ones from the start on. The tests prove it by enumeration.
    fn models_per_tour(&self) -> u32 {
        match self.instance().kind() {
            TourKind::Open => 1,
            TourKind::Closed => 2,
        }
    }

    /// Whether a tour in this direction has a model. A closed tour whose other direction is excluded has its model
    /// in this one.
    fn admits(&self, _sequence: &Sequence) -> bool {
        true
    }

    /// The set on which the paper's section 4.3 projects it, for knight's tours of this kind on a square board of
    /// this size from its first square; `None` where it does not have it.
    fn paper_projection(&self, _size: u32, _kind: TourKind) -> Option<Projection> {
        None
    }

    /// The set on which model counters are best asked about it.
    fn counted_on(&self) -> Projection {
        match (self.edges(), self.arcs(), self.instance().kind()) {
            (Some(_), _, TourKind::Closed) => Projection::CoTree,
            (Some(_), _, TourKind::Open) => Projection::Edges,
            (None, Some(_), _) => Projection::Arcs,
            (None, None, _) => Projection::All,
        }
    }
}

/// What a model says of the order of visits, unchecked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Visits {
    /// All of one tour's vertices, from the start on.
    Order(Vec<Vertex>),
    /// Several cycles, that through the start first, which have each vertex once.
    Cycles(Vec<Vec<Vertex>>),
}

/// Why an instance does not fit a base.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// It is not a board.
    #[error("the graph is not a board")]
    NoBoard,
    /// It needs more variables than DIMACS solvers take.
    #[error(transparent)]
    TooManyVariables(#[from] TooManyVariables),
}

/// Why an instance cannot be encoded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodeError {
    /// The instance is not a board, or one without some squares.
    #[error("the {encoding} encoding needs a whole board, but {instance} is not one")]
    NoBoard {
        /// The encoding.
        encoding: String,
        /// The instance.
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
        /// The instance.
        instance: String,
        /// Its vertices.
        n: u32,
        /// The kind of tour.
        kind: TourKind,
    },
    /// A refinement's labels are not all vertices, each once.
    #[error("the labels of {encoding} do not match the vertices of {instance}")]
    Labels {
        /// The encoding.
        encoding: String,
        /// The instance.
        instance: String,
    },
    /// More variables than DIMACS solvers take.
    #[error(
        "the {encoding} encoding of {instance} needs {needed} variables, but DIMACS solvers accept at most {MAX_VARIABLES}"
    )]
    TooManyVariables {
        /// The encoding.
        encoding: String,
        /// The instance.
        instance: String,
        /// How many it would need.
        needed: u64,
    },
}

/// Whether a term is true in a model. Variables that the model leaves open count as false.
pub(crate) fn holds(model: &Model, term: Term) -> bool {
    match term {
        Term::False => false,
        Term::True => true,
        Term::Lit(l) => model.holds(l),
    }
}
