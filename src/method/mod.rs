//! Every way to an answer by one name, which is the same on the command line, in experiments, in rows and for a worker:
//!
//! ```text
//! binary+windows=full                                an encoding, which CaDiCaL solves
//! solve+phases=seeded:binary                         the same with a setting of the solver
//! auto, auto+threads=2                               whatever finds a tour soonest
//! propagator, decomposition, lazy, reduction, ...    one of its parts alone
//! warnsdorff, backtrack+order=graph                  a search without clauses
//! exact, treewidth, sample+states=1000, zdd          a count of tours
//! enumerate, enumerate+project=paper:direct          a count by finding each; and of the values of a projection set
//! approxmc+epsilon=0.3+project=co-tree:counting      a count by a model counter
//! bdd                                                a count of placements of queens
//! size:binary                                        how large a formula is
//! prove:binary, prove+form=lrat:binary               a proof that there is no tour, from an encoding's clauses, which is checked
//! prove, prove+by=propagator, prove+by=certificate   the same by cuts, by the propagator, and a reason of a few lines
//! prove+by=counting, prove+by=counting+form=pbp      the same of what can be counted, by definitions or by cutting planes
//! kissat:binary, z3                                  another program
//! ```
//!
//! A name is a word with settings behind `+`, and behind a colon the encoding that it works on. A setting that has its
//! default is left out: texts of one method are the same.

mod external;
mod text;

pub use external::Engine;
pub use text::MethodError;

use std::num::NonZero;
use std::time::Duration;

use hamcnf_encodings::{Encoding, Instance, Named, Projection, encoding};

use crate::count::external::{ApproxMc, Counter, Ganak};
use crate::portfolio::Part;
use crate::proof::Form;
use crate::question::Question;
use crate::search::{self, Descents, MethodName, Moves, Order, Ties, best_ties};
use crate::solve::{self, Phases};
use crate::stop::Stop;

/// A way to answer a question.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Method {
    /// CaDiCaL on an encoding.
    Solve {
        /// The encoding.
        encoding: Encoding,
        /// Where the solver's initial phases come from.
        phases: Phases,
    },
    /// Several parts, one after the other or at once, or one of them alone.
    Portfolio(Portfolio),
    /// A search without clauses.
    Search(Search),
    /// Counting tours or placements.
    Count(Count),
    /// How many variables and clauses an encoding has.
    Size(Encoding),
    /// A proof that there is no tour, which is checked too.
    Prove(Prove),
    /// Another program.
    External {
        /// Which.
        engine: Engine,
        /// The encoding that it solves, if it does not take the graph.
        encoding: Option<Encoding>,
    },
}

/// What looks for a tour in the graph itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Portfolio {
    /// One part alone; all that the graph asks for where it is left out.
    pub part: Option<Part>,
    /// How many work at once.
    pub threads: NonZero<u32>,
}

impl Portfolio {
    /// All parts, on one thread.
    pub const AUTO: Self = Self::of(None);

    /// More threads than this are a slip of the pen.
    pub const MOST_THREADS: NonZero<u32> = NonZero::new(1024).expect("it is not 0");

    /// One part alone, or all.
    #[must_use]
    pub const fn of(part: Option<Part>) -> Self {
        Self {
            part,
            threads: NonZero::<u32>::MIN,
        }
    }
}

/// How it is proved that there is no tour.
#[derive(Clone, PartialEq, Debug)]
pub struct Prove {
    /// By what.
    pub by: Prover,
    /// How the proof is written, where it is from clauses.
    pub form: Form,
}

/// What proves that there is no tour.
#[derive(Clone, PartialEq, Debug)]
pub enum Prover {
    /// CaDiCaL on this encoding.
    Encoding(Encoding),
    /// Cuts in rounds, each derived from an encoding that keeps an order.
    Cuts,
    /// The propagator, all of whose clauses are derived so.
    Propagator,
    /// Counting parts and the vertices from which they are entered, where there are too few.
    Counting,
    /// A reason that is checked on the graph alone.
    Certificate,
}

/// A search and its settings. What is left open depends on the question.
#[derive(Clone, PartialEq, Debug)]
pub struct Search {
    /// Which.
    pub name: MethodName,
    /// Which move is tried first.
    pub order: Option<Order>,
    /// How Warnsdorff's rule breaks ties.
    pub ties: Option<Ties>,
    /// Whether a descent by Warnsdorff's rule that is stuck is mended.
    pub rotations: bool,
    /// How often Warnsdorff's rule begins anew.
    pub restarts: u32,
    /// How many nodes may be made.
    pub nodes: Option<u64>,
}

impl Search {
    /// How often Warnsdorff's rule begins anew unless it is told.
    pub const RESTARTS: u32 = 1000;

    /// With no settings of its own.
    #[must_use]
    pub const fn new(name: MethodName) -> Self {
        Self {
            name,
            order: None,
            ties: None,
            rotations: true,
            restarts: Self::RESTARTS,
            nodes: None,
        }
    }

    /// What it is told on an instance: what was left open is what does best there.
    #[must_use]
    pub fn options(
        &self,
        instance: &Instance,
        seed: u64,
        time_limit: Option<Duration>,
    ) -> search::Options {
        search::Options {
            method: match self.name {
                MethodName::Backtrack => search::Method::Backtrack,
                MethodName::BestFirst => search::Method::BestFirst,
                MethodName::Warnsdorff => search::Method::Warnsdorff(Descents {
                    ties: self.ties.unwrap_or_else(|| best_ties(instance)),
                    rotations: self.rotations,
                    restarts: self.restarts,
                }),
            },
            order: self.order.unwrap_or(match instance.board() {
                Some(_) => Order::Moves(Moves::ARTICLE),
                None => Order::Graph,
            }),
            seed,
            node_limit: self.nodes,
            time_limit,
            stop: Stop::default(),
        }
    }
}

/// A way to count and its settings.
#[derive(Clone, PartialEq, Debug)]
pub enum Count {
    /// Along a frontier.
    Exact,
    /// Over a tree decomposition.
    Treewidth,
    /// On a sample of its states.
    Sample {
        /// How many are kept of a layer.
        states: usize,
        /// How many independent estimates are made.
        repetitions: usize,
    },
    /// A decision diagram over edges.
    Zdd,
    /// A decision diagram over vertices and times.
    Timeslice,
    /// A decision diagram over squares, of placements of queens.
    Bdd,
    /// Every tour or placement, by CaDiCaL.
    Enumerate(Formulated),
    /// ApproxMC on the models of an encoding.
    Approxmc {
        /// Its tolerance.
        epsilon: f64,
        /// Its confidence.
        delta: f64,
        /// Of what.
        formula: Formulated,
    },
    /// Ganak on the models of an encoding.
    Ganak(Formulated),
}

impl Count {
    /// How many states are kept of a layer unless it is said.
    pub const STATES: usize = 100_000;
    /// How many independent estimates are made unless it is said.
    pub const REPETITIONS: usize = 10;
    /// ApproxMC's tolerance unless it is said.
    pub const EPSILON: f64 = 0.8;
    /// ApproxMC's confidence unless it is said.
    pub const DELTA: f64 = 0.2;
}

/// What is counted of a formula. What is left open is what does best: of a model counter the counting encoding, and the
/// smallest independent support.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Formulated {
    /// The encoding.
    pub encoding: Option<Encoding>,
    /// The projection set.
    pub project: Option<Projection>,
}

impl Method {
    /// CaDiCaL on an encoding, as it comes.
    #[must_use]
    pub fn solve(encoding: Encoding) -> Self {
        Self::Solve {
            encoding,
            phases: Phases::default(),
        }
    }

    /// Those that answer a question of this kind with nothing but this program, without settings.
    #[must_use]
    pub fn built_in(question: &Question) -> Vec<Self> {
        let all = Self::all(question).into_iter();
        all.filter(|method| method.counter().is_none()).collect()
    }

    /// Those for a question of this kind, without settings: encodings, searches, counts.
    #[must_use]
    pub fn all(question: &Question) -> Vec<Self> {
        let open = Formulated::default;
        let by_counters = [
            Count::Approxmc {
                epsilon: Count::EPSILON,
                delta: Count::DELTA,
                formula: open(),
            },
            Count::Ganak(open()),
        ];
        let Question::Tours(tours) = question else {
            let own = [Count::Bdd, Count::Enumerate(open())];
            return own
                .into_iter()
                .chain(by_counters)
                .map(Self::Count)
                .collect();
        };
        let is_board = tours.instance().board().is_some();
        let bases = encoding::bases().into_iter();
        let encodings = bases
            .filter(|base| is_board || !base.offers.boards_only)
            .filter_map(|base| base.name.parse().ok());
        let searches = MethodName::ALL.iter().map(|&name| Search::new(name));
        let counts = [
            Count::Exact,
            Count::Treewidth,
            Count::Sample {
                states: Count::STATES,
                repetitions: Count::REPETITIONS,
            },
            Count::Zdd,
            Count::Timeslice,
            Count::Enumerate(open()),
        ];
        let counts = counts.into_iter().chain(by_counters);
        // Those that have an answer or come to an end soon: obstructions are seen before any other method too, and a
        // local search goes on to the time limit where there is no tour.
        let parts = Part::ALL
            .iter()
            .filter(|&&part| part.is_exact() || part == Part::Factor)
            .map(|&part| Portfolio::of(Some(part)));
        let portfolios = std::iter::once(Portfolio::AUTO).chain(parts);
        encodings
            .map(Self::solve)
            .chain(portfolios.map(Self::Portfolio))
            .chain(searches.map(Self::Search))
            .chain(counts.map(Self::Count))
            .collect()
    }

    /// The encoding that it works on, if that is said.
    #[must_use]
    pub fn encoding(&self) -> Option<&Encoding> {
        match self {
            Self::Solve { encoding, .. } | Self::Size(encoding) => Some(encoding),
            Self::External { encoding, .. } => encoding.as_ref(),
            Self::Prove(Prove { by, .. }) => match by {
                Prover::Encoding(encoding) => Some(encoding),
                Prover::Cuts | Prover::Propagator | Prover::Counting | Prover::Certificate => None,
            },
            Self::Count(
                Count::Enumerate(formula) | Count::Approxmc { formula, .. } | Count::Ganak(formula),
            ) => formula.encoding.as_ref(),
            Self::Count(_) | Self::Search(_) | Self::Portfolio(_) => None,
        }
    }

    /// The projection set that it counts on, if that is said.
    #[must_use]
    pub fn projection(&self) -> Option<&Projection> {
        match self {
            Self::Count(
                Count::Enumerate(formula) | Count::Approxmc { formula, .. } | Count::Ganak(formula),
            ) => formula.project.as_ref(),
            _ => None,
        }
    }

    /// Without the order of vertices that belongs to a run's seed, where its encoding has that: experiments that relabel
    /// give each seed one.
    #[must_use]
    pub fn without_order_of(&self, seed: u64) -> Self {
        match self {
            Self::Solve { encoding, phases } if seed > 0 => Self::Solve {
                encoding: encoding
                    .without(&format!("order=seed-{seed}"))
                    .unwrap_or_else(|_| encoding.clone()),
                phases: *phases,
            },
            _ => self.clone(),
        }
    }

    /// Whether it searches without clauses.
    #[must_use]
    pub fn is_search(&self) -> bool {
        matches!(self, Self::Search(_))
    }

    /// Whether it counts.
    #[must_use]
    pub fn is_count(&self) -> bool {
        matches!(self, Self::Count(_))
    }

    /// Whether it finds a tour or says that there is none.
    #[must_use]
    pub fn decides(&self) -> bool {
        match self {
            Self::Solve { .. }
            | Self::Search(_)
            | Self::Portfolio(_)
            | Self::Prove(_)
            | Self::External { .. } => true,
            Self::Count(_) | Self::Size(_) => false,
        }
    }

    /// The seed that it has where none is said: of counters the one that is their own.
    #[must_use]
    pub fn first_seed(&self) -> u64 {
        u64::from(self.is_count())
    }

    /// Whether its answer depends on a seed.
    #[must_use]
    pub fn is_random(&self) -> bool {
        match self {
            Self::Portfolio(Portfolio { part, .. }) => !matches!(
                part,
                Some(Part::Obstruction | Part::Reduction | Part::Decomposition)
            ),
            Self::Solve { .. } | Self::Search(_) | Self::External { .. } => true,
            Self::Count(count) => matches!(count, Count::Sample { .. } | Count::Approxmc { .. }),
            Self::Prove(Prove { by, .. }) => *by != Prover::Certificate,
            Self::Size(_) => false,
        }
    }

    /// The other program that it is.
    #[must_use]
    pub fn engine(&self) -> Option<&Engine> {
        match self {
            Self::External { engine, .. } => Some(engine),
            _ => None,
        }
    }

    /// The model counter that it needs, with its own settings.
    #[must_use]
    pub fn counter(&self) -> Option<Counter> {
        match self {
            Self::Count(Count::Approxmc { .. }) => Some(Counter::ApproxMc(ApproxMc::DEFAULT)),
            Self::Count(Count::Ganak(_)) => Some(Counter::Ganak(Ganak::DEFAULT)),
            _ => None,
        }
    }

    /// Whether CaDiCaL answers, in this process, or has a part in it.
    #[must_use]
    pub fn is_by_cadical(&self) -> bool {
        matches!(
            self,
            Self::Solve { .. }
                | Self::Portfolio(_)
                | Self::Prove(_)
                | Self::Count(Count::Enumerate(_))
        )
    }

    /// The name and version of what answers, as far as it is known before.
    #[must_use]
    pub fn solver(&self) -> String {
        match self {
            Self::Solve { .. } | Self::Count(Count::Enumerate(_)) => solve::signature().to_owned(),
            Self::External { engine, .. } => engine.to_string(),
            Self::Portfolio(_) | Self::Prove(_) => {
                format!("hamcnf {}, {}", crate::machine::VERSION, solve::signature())
            }
            Self::Search(_) | Self::Count(_) | Self::Size(_) => {
                format!("hamcnf {}", crate::machine::VERSION)
            }
        }
    }

    /// What it is, for readers of a table.
    #[must_use]
    pub fn kind(&self, question: &Question) -> &'static str {
        match (self, question) {
            (_, Question::Queens(_)) => "placements",
            (Self::Solve { .. }, _) => "encoding",
            (Self::Search(_), _) => "search",
            (Self::Portfolio(_), _) => "solver",
            (Self::Count(_), _) => "count",
            (Self::Size(_), _) => "size",
            (Self::Prove(_), _) => "proof",
            (Self::External { .. }, _) => "program",
        }
    }

    /// Refuses what can never answer a question of this kind.
    ///
    /// # Errors
    ///
    /// [`MethodError::NotFor`].
    pub fn suits(&self, question: &Question) -> Result<(), MethodError> {
        let suits = match (self, question) {
            (Self::Count(Count::Bdd), Question::Queens(_)) => true,
            (Self::Count(Count::Bdd), Question::Tours(_)) => false,
            (_, Question::Tours(_)) => true,
            (
                Self::Count(
                    Count::Enumerate(formula)
                    | Count::Approxmc { formula, .. }
                    | Count::Ganak(formula),
                ),
                Question::Queens(_),
            ) => *formula == Formulated::default(),
            (_, Question::Queens(_)) => false,
        };
        match (suits, question) {
            (true, _) => Ok(()),
            (false, question) => Err(MethodError::NotFor {
                method: self.to_string(),
                question: match question {
                    Question::Tours(_) => "tours",
                    Question::Queens(_) => "queens",
                },
            }),
        }
    }
}
