//! The choice between the encodings: their names, and a [`Formula`] of any of them.
//!
//! An encoding implements [`Encode`], its variables [`Decode`], and it has one line in the list at the end
//! of this file. The list makes the one `match` over all encodings.

use std::fmt;

use rustsat::types::{Assignment, Var};

use crate::cnf::clauses::{Clauses, auxiliary_name};
use crate::cnf::exactly_one::AtMostOne;
use crate::cnf::projection::{Projection, ProjectionError, Step, stepped};
use crate::cnf::reach::Pruning;
use crate::cnf::sink::ClauseSink;
use crate::cnf::vars::{Term, variables};
use crate::encode::{Decode, Encode, EncodeError, Options};
use crate::names::{Named, named};
use crate::orientation::Orientation;
use crate::problem::board::Leaper;
use crate::problem::instance::{Instance, TourKind};
use crate::problem::tour::{NotATour, Tour};
use crate::{binary, counting, direct, step, unary};

/// An encoding's name with options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Encoding {
    /// Which.
    pub name: EncodingName,
    /// With which options.
    pub options: Options,
}

impl Encoding {
    /// The encoding as it is in the paper's Table 1.
    #[must_use]
    pub fn published(name: EncodingName) -> Self {
        Self {
            name,
            options: Options {
                pruning: name.published_pruning(),
                at_most_one: AtMostOne::Pairwise,
                orientation: name.published_orientation(),
            },
        }
    }

    /// Its orientation, if that is not the one that goes with its name.
    #[must_use]
    pub fn unpublished_orientation(self) -> Option<Orientation> {
        let Self { name, options } = self;
        Some(options.orientation).filter(|&o| o != name.published_orientation())
    }

    /// Its name, with the orientation if that is not the one that goes with it.
    #[must_use]
    pub fn oriented_name(self) -> String {
        match self.unpublished_orientation() {
            Some(orientation) => format!("{}, orientation {orientation}", self.name),
            None => self.name.to_string(),
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options {
            pruning,
            at_most_one,
            ..
        } = self.options;
        write!(
            f,
            "{}, pruning {pruning}, at-most-one {at_most_one}",
            self.name
        )?;
        match self.unpublished_orientation() {
            Some(orientation) => write!(f, ", orientation {orientation}"),
            None => Ok(()),
        }
    }
}

/// An instance under an encoding: numbered variables, and clauses on demand.
#[derive(Clone, Debug)]
pub struct Formula<'i> {
    instance: &'i Instance,
    encoding: Encoding,
    layout: Layout,
}

impl<'i> Formula<'i> {
    /// Numbers the variables of an instance. No clause is made yet.
    ///
    /// # Errors
    ///
    /// [`EncodeError::TooManyVariables`].
    pub fn new(encoding: Encoding, instance: &'i Instance) -> Result<Self, EncodeError> {
        Ok(Self {
            instance,
            encoding,
            layout: Layout::new(encoding, instance)?,
        })
    }

    /// The instance.
    #[must_use]
    pub fn instance(&self) -> &'i Instance {
        self.instance
    }

    /// The encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    fn vars(&self) -> &dyn Decode {
        self.layout.vars()
    }

    /// An independent support: the arcs of encodings that have them.
    pub fn support(&self) -> impl Iterator<Item = Var> + use<> {
        variables(&self.vars().support())
    }

    /// How many models, projected on [`Formula::support`], each tour has: one if its orientation is fixed, else
    /// see [`Encode::models_per_tour`].
    #[must_use]
    pub fn models_per_tour(&self) -> u32 {
        if self.orientation().excludes(self.instance) {
            1
        } else {
            self.layout.models_per_tour(self.instance)
        }
    }

    /// How many values a projection set has in the models of each tour, if it tells the tours apart: one where
    /// it does not see the direction, else as many as there are models.
    #[must_use]
    pub fn values_per_tour(&self, projection: &Projection) -> u32 {
        match projection {
            Projection::Edges | Projection::CoTree => 1,
            _ => self.models_per_tour(),
        }
    }

    fn orientation(&self) -> Orientation {
        self.encoding.options.orientation
    }

    /// The variables of a projection set in increasing order; `None` for [`Projection::None`].
    ///
    /// # Errors
    ///
    /// [`ProjectionError`], where this encoding does not have the set.
    pub fn project(&self, projection: &Projection) -> Result<Option<Vec<Var>>, ProjectionError> {
        let name = self.encoding.name.as_str();
        match projection {
            Projection::None => Ok(None),
            Projection::All => Ok(Some(variables(&(0..self.n_vars())).collect())),
            Projection::Arcs => {
                let arcs = self.vars().arcs().ok_or(ProjectionError::NoArcs(name))?;
                Ok(Some(variables(&arcs).collect()))
            }
            Projection::Edges => {
                let edges = self.vars().edges().ok_or(ProjectionError::NoEdges(name))?;
                Ok(Some(variables(&edges.block()).collect()))
            }
            Projection::CoTree => {
                let edges = self.vars().edges().ok_or(ProjectionError::NoEdges(name))?;
                if self.instance.kind() == TourKind::Open {
                    return Err(ProjectionError::CoTreeOfOpen);
                }
                let co_tree = self.instance.graph().co_tree(self.instance.start());
                Ok(Some(
                    co_tree.into_iter().filter_map(|e| edges.of(e)).collect(),
                ))
            }
            Projection::Paper => {
                let set = self
                    .paper_projection()
                    .ok_or_else(|| ProjectionError::NotInPaper {
                        encoding: name,
                        instance: self.instance.to_string(),
                    })?;
                self.project(&set)
            }
            Projection::Positions(wanted) => {
                let at = self
                    .vars()
                    .positions()
                    .ok_or(ProjectionError::NoPositions(name))?;
                let last = self.instance.n() - 1;
                if let Some(&position) = wanted.iter().find(|&&p| p > last) {
                    return Err(ProjectionError::NoSuchPosition { position, last });
                }
                let mut found: Vec<_> = wanted
                    .iter()
                    .flat_map(|&p| self.instance.graph().vertices().map(move |v| at.at(v, p)))
                    .filter_map(|term| match term {
                        Term::Lit(l) => Some(l.var()),
                        Term::False | Term::True => None,
                    })
                    .collect();
                if found.is_empty() {
                    return Err(ProjectionError::Empty(projection.to_string()));
                }
                found.sort_unstable();
                found.dedup();
                Ok(Some(found))
            }
            Projection::Variables(steps) => stepped(steps, self.n_vars()).map(Some),
        }
    }

    /// The set on which the paper's section 4.3 projects this formula; `None` where it does not have it.
    fn paper_projection(&self) -> Option<Projection> {
        use EncodingName::{Binary, Direct, Unary};
        let positions = |positions: &[u32]| Projection::Positions(positions.to_vec());
        let every = |by, to| Projection::Variables(vec![Step { from: 1, to, by }]);
        let (board, name) = (self.instance.board()?, self.encoding.name);
        let size = (board.rows() == board.cols()).then(|| board.rows())?;
        if self.instance.start().number() != 0 || board.leaper() != Leaper::KNIGHT {
            return None;
        }
        match (size, self.instance.kind(), name) {
            (5, TourKind::Open, Direct | Unary | Binary) => Some(Projection::All),
            (6, TourKind::Closed, Direct) => Some(positions(&[4, 8, 16, 20, 24, 32])),
            (6, TourKind::Closed, Unary) => Some(every(4, 157)),
            (6, TourKind::Closed, Binary) => Some(every(1, 161)),
            (8, TourKind::Closed, Direct) => Some(positions(&[12, 24, 36, 48, 60])),
            (8, TourKind::Closed, Unary) => Some(every(16, 305)),
            (8, TourKind::Closed, Binary) => Some(every(4, 317)),
            _ => None,
        }
    }

    /// The tour that a model describes, checked move by move.
    ///
    /// # Errors
    ///
    /// [`NotATour`] says which move is wrong, where the assignment is not a model.
    pub fn tour(&self, model: &Assignment) -> Result<Tour, NotATour> {
        self.vars().tour(self.instance, model)
    }

    /// Whether a tour in this direction has a model: see [`Orientation`] and [`Encode::admits`].
    #[must_use]
    pub fn admits(&self, tour: &Tour) -> bool {
        self.orientation().admits(self.instance, tour) && self.layout.admits(self.instance, tour)
    }

    /// The value of a variable in the model of a tour that is admitted; `None` for auxiliary variables.
    #[must_use]
    pub fn value(&self, tour: &Tour, var: Var) -> Option<bool> {
        self.vars().value(self.instance, tour, var)
    }
}

impl Clauses for Formula<'_> {
    fn n_vars(&self) -> u32 {
        self.vars().n_vars()
    }

    fn emit<S: ClauseSink>(&self, out: &mut S) {
        self.layout.emit(self.instance, out);
    }

    /// `H(a1,c2)` for an arc, `E(a1,c2)` for an edge, `V(a1,5)` or `U(a1,5)` for a position, `X(a1,0)` for a
    /// bit.
    fn variable_name(&self, var: Var) -> String {
        let meaning = self.vars().meaning(self.instance, var);
        meaning.unwrap_or_else(|| auxiliary_name(var))
    }
}

macro_rules! encodings {
    ($($(#[$doc:meta])* $variant:ident = $encoding:ty;)+) => {
        /// Which encoding.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum EncodingName {
            $($(#[$doc])* $variant,)+
        }

        impl EncodingName {
            /// The pruning with which the paper's Table 1 was made.
            #[must_use]
            pub const fn published_pruning(self) -> Pruning {
                match self {
                    $(Self::$variant => <$encoding>::PUBLISHED,)+
                }
            }

            /// The orientation that goes with it.
            #[must_use]
            pub const fn published_orientation(self) -> Orientation {
                match self {
                    $(Self::$variant => <$encoding>::ORIENTATION,)+
                }
            }

            /// Whether it speaks of rows and columns, and so encodes boards only.
            #[must_use]
            pub const fn is_for_boards_only(self) -> bool {
                match self {
                    $(Self::$variant => <$encoding>::BOARDS_ONLY,)+
                }
            }
        }

        named!(EncodingName, "encoding", {
            $($variant => <$encoding>::NAME,)+
        });

        /// An encoding together with the variables it has numbered.
        #[derive(Clone, Debug)]
        enum Layout {
            $($variant($encoding, <$encoding as Encode>::Vars),)+
        }

        impl Layout {
            fn new(encoding: Encoding, instance: &Instance) -> Result<Self, EncodeError> {
                match encoding.name {
                    $(EncodingName::$variant => {
                        let encoding = <$encoding>::new(encoding.options);
                        let vars = encoding.layout(instance)?;
                        Ok(Self::$variant(encoding, vars))
                    })+
                }
            }

            fn vars(&self) -> &dyn Decode {
                match self {
                    $(Self::$variant(_, vars) => vars,)+
                }
            }

            fn emit<S: ClauseSink>(&self, instance: &Instance, out: &mut S) {
                match self {
                    $(Self::$variant(encoding, vars) => encoding.emit(instance, vars, out),)+
                }
            }

            fn admits(&self, instance: &Instance, tour: &Tour) -> bool {
                match self {
                    $(Self::$variant(encoding, _) => encoding.admits(instance, tour),)+
                }
            }

            fn models_per_tour(&self, instance: &Instance) -> u32 {
                match self {
                    $(Self::$variant(encoding, _) => encoding.models_per_tour(instance),)+
                }
            }
        }
    };
}

encodings! {
    /// A variable for every vertex at every position: section 3.1.
    Direct = direct::Direct;
    /// Arcs, and positions in unary: section 3.2.1.
    Unary = unary::Unary;
    /// Arcs, and positions as binary numbers: section 3.2.2.
    Binary = binary::Binary;
    /// Arcs, edges, and positions as binary numbers, one model a tour: for model counters.
    Counting = counting::Counting;
    /// Row and column of every step, as bit-vectors: boards only.
    Step = step::Step;
}

impl EncodingName {
    /// The encodings of the paper, in its order.
    pub const PAPER: [Self; 3] = [Self::Direct, Self::Unary, Self::Binary];
}
