//! Traits of encodings. An encoding is a *base* with *refinements*. The base numbers the variables and makes clauses.
//! The models of an exact base are exactly the tours; a relaxed base has other models too. Refinements leave out some
//! of the base's clauses or add others.
//!
//! A base implements [`Encode`], the formula of an instance in a base implements [`Encoded`], and a refinement
//! implements [`Refine`](crate::refine::Refine). Implementations may come from other crates: give them a name in a
//! [`Base`] or a [`Refinement`](crate::refine::Refinement), and [`Encoding`](crate::Encoding) uses them like the
//! built-in ones.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use rustsat::types::Var;

use crate::cnf::exactly_one::AtMostOne;
use crate::cnf::model::Model;
use crate::cnf::projection::Projection;
use crate::cnf::sink::ClauseSink;
use crate::cnf::vars::{Allocator, ArcVars, Block, EdgeVars, PositionVars, PrecedenceVars, Term, TooManyVariables};
use crate::cnf::window::{Pruning, Window};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::{Instance, TourKind};
use hamcnf_tours::sequence::Sequence;
use hamcnf_tours::tour::NotATour;

/// Settings of a base, chosen by the refinements before the variables are numbered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Positions that each vertex may have, indexed by vertex.
    pub windows: Vec<Window>,
    /// Preprocessing that computed the windows.
    pub pruning: Pruning,
    /// Indexed by vertex: true if the position of the vertex is odd. `None` if parities are not used.
    pub odd: Option<Vec<bool>>,
    /// Encoding of at-most-one constraints as clauses.
    pub at_most_one: AtMostOne,
    /// True if bases with arcs also have a variable for each edge.
    pub edges: bool,
}

impl Plan {
    /// Returns the plan without refinements: every vertex may have every position.
    pub fn new(instance: &Instance) -> Self {
        Self {
            windows: vec![Window::new(0, instance.n() - 1); instance.n() as usize],
            pruning: Pruning::None,
            odd: None,
            at_most_one: AtMostOne::Pairwise,
            edges: false,
        }
    }

    /// Returns the positions that a vertex may have.
    pub fn window(&self, v: Vertex) -> Window {
        self.windows[v.index()]
    }
}

/// Features of a base. They determine which refinements the base accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offers {
    /// True if the base has arc variables: see [`Encoded::arcs`].
    pub arcs: bool,
    /// True if the base has positions and restricts them to the windows of the plan.
    pub positions: bool,
    /// True if the base has at-most-one constraints, encoded as the plan specifies.
    pub at_most_one: bool,
    /// True if each model of a closed tour has a direction: see [`Encoded::ends`].
    pub directions: bool,
    /// True if the base encodes rows and columns, so that it accepts boards only.
    pub boards_only: bool,
}

impl Offers {
    /// Features of most bases: arcs, positions, at-most-one constraints and a direction, on any graph.
    pub const ALL: Self = Self { arcs: true, positions: true, at_most_one: true, directions: true, boards_only: false };
}

/// Base with its name, default refinements and constructor.
#[derive(Clone, Copy, Debug)]
pub struct Base {
    /// Name: letters, digits and dashes.
    pub name: &'static str,
    /// Short description, shown in lists of bases.
    pub says: &'static str,
    /// Default refinements of the base, such as `windows=as-published`. For bases from the paper *Knights Tour*, these
    /// are the settings of its Table 1; for other bases, the settings of their sources.
    pub with: &'static [&'static str],
    /// Features of the base. They determine which refinements it accepts.
    pub offers: Offers,
    /// Constructor of the base. Its parameter is the text after the name and `=`; `None` if the name is written alone.
    pub make: fn(Option<&str>) -> Made,
}

/// Result of a base's constructor: the base, or the reason why its argument is rejected.
pub type Made = Result<Arc<dyn Encode>, BadArgument>;

impl Base {
    /// Returns `encode`, a base that takes no argument.
    ///
    /// # Errors
    ///
    /// [`BadArgument`], if `argument` is not `None`.
    pub fn plain(encode: impl Encode, argument: Option<&str>) -> Made {
        match argument {
            None => Ok(Arc::new(encode)),
            Some(_) => Err(BadArgument("this encoding takes no argument".to_owned())),
        }
    }
}

/// Reason why the argument of a base or the value of a refinement is rejected. In error messages, this text follows the
/// name of the base or refinement.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadArgument(pub String);

/// Base encoding: a translation of instances into formulas.
pub trait Encode: Any + fmt::Debug + Send + Sync {
    /// Returns the argument of the base, the text after its name and `=`, in canonical form. Most bases have no
    /// argument and return `None`.
    fn argument(&self) -> Option<String> {
        None
    }

    /// Creates the formula of an instance and numbers its variables. The clauses are generated later, by
    /// [`Encoded::emit`].
    ///
    /// # Errors
    ///
    /// [`Unfit`], if the base cannot encode the instance. The error is returned before memory proportional to the
    /// number of variables is allocated.
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Encoded>, Unfit>;
}

/// Formula of an instance in a base encoding: its variables, their meanings, and its clauses.
pub trait Encoded: fmt::Debug + Send + Sync + 'static {
    /// Returns the instance.
    fn instance(&self) -> &Instance;

    /// Streams all clauses, always in the same order.
    fn emit(&self, out: &mut dyn ClauseSink);

    /// Returns variables whose values determine all others in every model of a tour: an independent support.
    fn support(&self) -> Block;

    /// True if a clause that excludes one tour must also contain the support variables that are false on the tour. If
    /// all tours have the same number of true support variables, the true variables suffice.
    fn zeros_matter(&self) -> bool {
        false
    }

    /// True if every model is a tour; false if some models consist of several cycles.
    fn is_exact(&self) -> bool {
        true
    }

    /// Returns the arc variables, if the formula has them.
    fn arcs(&self) -> Option<&ArcVars> {
        None
    }

    /// Returns the variables of undirected edges, if the formula has them.
    fn edges(&self) -> Option<&EdgeVars> {
        None
    }

    /// Returns the variables "vertex v has position p", if the formula has them.
    fn positions(&self) -> Option<&PositionVars> {
        None
    }

    /// Returns the variables "u comes before w", if the formula has them.
    fn precedence(&self) -> Option<&PrecedenceVars> {
        None
    }

    /// Returns terms whose conjunction is "`v` has the 0-based position `p`". `None` if the formula has no such terms.
    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        Some(vec![self.positions()?.at(v, p)])
    }

    /// Returns two terms: "`v` is the first vertex after the start", and "the tour returns from `v` to the start".
    /// `None` if models of closed tours have no direction.
    fn ends(&self, v: Vertex) -> Option<[Term; 2]>;

    /// Returns the meaning of a variable, such as `H(a1,c2)`; `None` for auxiliary variables.
    fn meaning(&self, var: Var) -> Option<String>;

    /// Returns the value of a variable if the vertices are visited in this order; `None` for auxiliary variables.
    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool>;

    /// Reads a model as cycles that together visit each vertex once. The cycle through the start comes first and begins
    /// with the start. If it is the only one, it is the order of a tour.
    ///
    /// # Errors
    ///
    /// [`NotATour`], if the assignment is not a model.
    fn read(&self, model: &Model) -> Result<Vec<Vec<Vertex>>, NotATour>;

    /// Returns the number of models of each tour, projected on the support, if no refinements are used. The two
    /// directions of a closed tour in an undirected graph count as one tour. Open tours begin at the instance's start.
    /// Tests verify the number by enumeration.
    fn models_per_tour(&self) -> u32 {
        match self.instance().kind() {
            TourKind::Open => 1,
            TourKind::Closed if self.instance().is_directed() => 1,
            TourKind::Closed if self.instance().last().is_some() => 1,
            TourKind::Closed => 2,
        }
    }

    /// True if some model of the formula describes the tour in the direction of this sequence. If false, the tour is
    /// closed, and some model describes it in the opposite direction.
    fn admits(&self, sequence: &Sequence) -> bool {
        let last = self.instance().last();
        last.is_none_or(|last| sequence.order().last() == Some(&last))
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

/// Reason why a base cannot encode an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    /// The graph is directed, but the base supports only undirected graphs.
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
    /// The formula has no variables for a constraint.
    #[error(
        "encoding \"{encoding}\" does not support the constraint \"{constraint}\"; use an encoding with arcs and positions, such as \"binary\""
    )]
    Constraint {
        /// Name of the encoding.
        encoding: String,
        /// Name of the constraint.
        constraint: &'static str,
    },
    /// The encoding does not fit the graph, or needs more variables than DIMACS solvers accept. The value is the reason in
    /// words.
    #[error("{0}")]
    Instance(String),
}

/// True if a term is true in a model. Unassigned variables count as false.
pub(crate) fn holds(model: &Model, term: Term) -> bool {
    match term {
        Term::False => false,
        Term::True => true,
        Term::Lit(l) => model.holds(l),
    }
}
