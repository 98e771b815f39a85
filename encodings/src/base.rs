//! Traits of encodings. An encoding is a *base* with *refinements*. The base numbers the variables and makes clauses whose
//! models are exactly the tours. Refinements leave out some of these clauses or add others.
//!
//! A base implements [`Encode`], the formula of an instance in a base implements [`Encoded`], and a refinement implements
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

/// Decisions that refinements make before the variables are numbered. Bases follow them.
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
    /// True if there are positions, restricted to the windows of the plan.
    pub positions: bool,
    /// True if there are at-most-one constraints; the plan selects their encoding as clauses.
    pub at_most_one: bool,
    /// True if models of closed tours have a direction: see [`Encoded::ends`].
    pub directions: bool,
    /// True if the base encodes rows and columns, so that it accepts boards only.
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

/// A base and its name.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    /// Name: letters, digits and dashes.
    pub name: &'static str,
    /// Description for lists, in half a line.
    pub says: &'static str,
    /// Default refinements of the base, such as `windows=as-published`. Bases of the paper have those of its Table 1, other
    /// bases those of their source.
    pub with: &'static [&'static str],
    /// Features that refinements may work on.
    pub offers: Offers,
    /// Makes the base from the argument after its name and `=`; `None` if there is no argument.
    pub make: fn(Option<&str>) -> Made,
}

/// A base made from its argument, or the reason why the argument is rejected.
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

/// Reason why the argument of a base or refinement is rejected. The message continues the name and the argument.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadArgument(pub String);

/// Translation of instances into clauses.
pub trait Encode: fmt::Debug + Send + Sync + 'static {
    /// Returns the argument after the name and `=` in its canonical form; `None` if there is none, as for most bases.
    fn argument(&self) -> Option<String> {
        None
    }

    /// Numbers all variables. No clauses are made yet.
    ///
    /// # Errors
    ///
    /// [`Unfit`], returned before memory proportional to the number of variables is allocated.
    fn layout(
        &self,
        instance: &Instance,
        plan: &Plan,
        variables: &mut Allocator,
    ) -> Result<Box<dyn Encoded>, Unfit>;
}

/// Formula of an instance in a base encoding: its variables, their meanings, and its clauses.
pub trait Encoded: fmt::Debug + Send + Sync + 'static {
    /// Returns the instance.
    fn instance(&self) -> &Instance;

    /// Streams all clauses, always in the same order.
    fn emit(&self, out: &mut dyn ClauseSink);

    /// Returns variables whose values determine all others in every model of a tour: an independent support.
    fn support(&self) -> Block;

    /// True if the false support variables are needed to tell one tour from another. The true ones suffice if all tours have
    /// the same number of them.
    fn zeros_matter(&self) -> bool {
        false
    }

    /// True if every model is a tour; false if some models consist of several cycles.
    fn is_exact(&self) -> bool {
        true
    }

    /// Returns the arc variables, if there are any.
    fn arcs(&self) -> Option<&ArcVars> {
        None
    }

    /// Returns the variables of undirected edges, if there are any.
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

    /// Returns two terms: the tour goes from the start to `v` first, and the tour returns to the start from `v`. `None` if
    /// models of closed tours have no direction.
    fn ends(&self, v: Vertex) -> Option<[Term; 2]>;

    /// Returns the literals of the arcs or edges that leave a set of vertices. At least one of them is true on every tour.
    /// `inside` is indexed by vertex, and true for the vertices of the set. `None` if there are no arc or edge variables.
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

    /// Returns the number of models that each tour has without refinements, projected on the support. Both directions of a
    /// closed tour count as one tour; an open tour is counted from its start. Tests verify the number by enumeration.
    fn models_per_tour(&self) -> u32 {
        match self.instance().kind() {
            TourKind::Open => 1,
            TourKind::Closed if self.instance().is_directed() => 1,
            TourKind::Closed => 2,
        }
    }

    /// True if the formula has a model for the tour in the direction of this sequence. If false, the tour is closed, and the
    /// reversed sequence has a model.
    fn admits(&self, _sequence: &Sequence) -> bool {
        true
    }

    /// Returns the projection set of the formula in the paper's section 4.3; `None` if the formula is not in the paper. The
    /// paper has knight's tours of this kind on a square board of this size, from its first square.
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
    /// All vertices in the order of one tour, beginning with the start.
    Order(Vec<Vertex>),
    /// Several cycles that together visit each vertex once; the cycle through the start comes first.
    Cycles(Vec<Vec<Vertex>>),
}

/// Reason why an instance does not fit a base.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// The graph is directed, and the base has no directions.
    #[error("the graph is directed")]
    Directed,
    /// The instance is not a board.
    #[error("the graph is not a board")]
    NoBoard,
    /// The instance needs more variables than DIMACS solvers accept.
    #[error(transparent)]
    TooManyVariables(#[from] TooManyVariables),
}

/// Reason why an instance cannot be encoded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodeError {
    /// The instance is not a board, or its board lacks some squares.
    #[error("the {encoding} encoding needs a whole board, but {instance} is not a whole board")]
    NoBoard {
        /// Name of the encoding.
        encoding: String,
        /// Description of the instance.
        instance: String,
    },
    /// The graph is directed, and the encoding has no directions.
    #[error(
        "the {encoding} encoding is for undirected graphs, but {instance} is directed; use an encoding with arcs"
    )]
    Directed {
        /// Name of the encoding.
        encoding: String,
        /// Description of the instance.
        instance: String,
    },
    /// The instance is too small to need a formula: no closed tour has fewer than three vertices, and one vertex is an open
    /// tour.
    #[error(
        "formulas of {kind} tours need at least {} vertices, but {instance} has {n}; a graph of this size needs no formula",
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
    /// The labels of a refinement are not a permutation of the vertices.
    #[error("the labels of {encoding} do not match the vertices of {instance}")]
    Labels {
        /// Name of the encoding.
        encoding: String,
        /// Description of the instance.
        instance: String,
    },
    /// The formula would have more variables than DIMACS solvers accept.
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

/// True if a term is true in a model. Unassigned variables count as false.
pub(crate) fn holds(model: &Model, term: Term) -> bool {
    match term {
        Term::False => false,
        Term::True => true,
        Term::Lit(l) => model.holds(l),
    }
}
