//! What an encoding is: the two traits that each implements, and what their implementations share.

use std::fmt;

use rustsat::types::{Assignment, TernaryVal, Var};

use crate::cnf::exactly_one::AtMostOne;
use crate::cnf::reach::Pruning;
use crate::cnf::sink::ClauseSink;
use crate::cnf::vars::{Allocator, Block, EdgeVars, PositionVars, Term};
use crate::orientation::Orientation;
use crate::problem::board::MAX_VARIABLES;
use crate::problem::instance::{Instance, TourKind};
use crate::problem::tour::{NotATour, Tour};

/// What every encoding lets its user choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// How much of the shortest-path preprocessing is done.
    pub pruning: Pruning,
    /// How at-most-one constraints become clauses.
    pub at_most_one: AtMostOne,
    /// Which directions of closed tours have models.
    pub orientation: Orientation,
}

/// A way to turn an instance into clauses.
pub trait Encode: Copy {
    /// What it is called on the command line.
    const NAME: &'static str;
    /// The pruning with which the paper's Table 1 was made; for other encodings that of their source.
    const PUBLISHED: Pruning;
    /// The same of the orientation.
    const ORIENTATION: Orientation = Orientation::Free;
    /// Whether it speaks of rows and columns, and so encodes boards only.
    const BOARDS_ONLY: bool = false;
    /// Its variables.
    type Vars: Decode;

    /// The encoding with these options.
    fn new(options: Options) -> Self;

    /// Numbers all variables, before a clause is made.
    ///
    /// # Errors
    ///
    /// [`EncodeError::TooManyVariables`], before memory of their number is taken, and
    /// [`EncodeError::NoBoard`].
    fn layout(&self, instance: &Instance) -> Result<Self::Vars, EncodeError>;

    /// Streams all clauses, those of [`Orientation::emit`] among them. `vars` are those of [`Encode::layout`] for
    /// the same instance.
    fn emit<S: ClauseSink>(&self, instance: &Instance, vars: &Self::Vars, out: &mut S);

    /// How many models, projected on [`Decode::support`], each tour has if its orientation is free. Closed tours
    /// are counted undirected, open ones from the start on. The tests prove it by enumeration.
    fn models_per_tour(&self, instance: &Instance) -> u32 {
        match instance.kind() {
            TourKind::Open => 1,
            TourKind::Closed => 2,
        }
    }

    /// Whether a tour in this direction has a model if its orientation is free. A closed tour whose other
    /// direction is excluded has its model in this one.
    fn admits(&self, _instance: &Instance, _tour: &Tour) -> bool {
        true
    }
}

/// The variables of an encoded instance, and what they mean.
pub trait Decode: fmt::Debug {
    /// How many there are, auxiliary ones included.
    fn n_vars(&self) -> u32;

    /// Variables whose values determine those of all others in every model: an independent support.
    fn support(&self) -> Block;

    /// The arc variables, if the encoding has them.
    fn arcs(&self) -> Option<Block> {
        None
    }

    /// The variables of edges in either direction, if the encoding has them.
    fn edges(&self) -> Option<&EdgeVars> {
        None
    }

    /// The variables "vertex v has position p", if the encoding has them.
    fn positions(&self) -> Option<&PositionVars> {
        None
    }

    /// What a variable means, such as `H(a1,c2)`; `None` for auxiliary ones.
    fn meaning(&self, instance: &Instance, var: Var) -> Option<String>;

    /// The value of a variable in the model of a tour; `None` for auxiliary ones.
    fn value(&self, instance: &Instance, tour: &Tour, var: Var) -> Option<bool>;

    /// The tour that a model describes, checked.
    ///
    /// # Errors
    ///
    /// [`NotATour`], where the assignment is not a model.
    fn tour(&self, instance: &Instance, model: &Assignment) -> Result<Tour, NotATour>;
}

/// Why an instance cannot be encoded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EncodeError {
    /// The instance is not a board.
    #[error("the {encoding} encoding is of rows and columns, and {instance} is not a board")]
    NoBoard {
        /// The encoding.
        encoding: &'static str,
        /// The instance.
        instance: String,
    },
    /// More variables than DIMACS solvers take.
    #[error(
        "the {encoding} encoding of {instance} would need {needed} variables; \
         DIMACS solvers take at most {MAX_VARIABLES}"
    )]
    TooManyVariables {
        /// The encoding.
        encoding: &'static str,
        /// The instance.
        instance: String,
        /// How many it would need.
        needed: u64,
    },
}

/// Checks an allocation against what DIMACS can number, and gives its size back as that type.
pub(crate) fn numbered<E: Encode>(
    variables: &Allocator,
    instance: &Instance,
) -> Result<u32, EncodeError> {
    let needed = variables.total();
    if needed > MAX_VARIABLES {
        return Err(EncodeError::TooManyVariables {
            encoding: E::NAME,
            instance: instance.name().to_owned(),
            needed,
        });
    }
    Ok(needed as u32)
}

/// Whether a term is true in a model. Variables that the model leaves open count as false.
pub(crate) fn holds(model: &Assignment, term: Term) -> bool {
    match term {
        Term::False => false,
        Term::True => true,
        Term::Lit(l) => model.lit_value(l) == TernaryVal::True,
    }
}
