//! Methods: every way to answer a question. The text of a method is the same on the command line, in experiments, in
//! rows, for a worker and in Python:
//!
//! ```text
//! binary+windows=full                                an encoding, solved by CaDiCaL
//! solve+phases=seeded:binary                         the same with a setting of the solver
//! auto, auto+threads=2                               a portfolio of strategies
//! propagator, decomposition, lazy, reduction, ...    a single strategy
//! warnsdorff, backtrack+order=graph                  a search without clauses
//! count                                              the number of tours, by the first exact method that applies
//! exact, treewidth, sample+states=1000, zdd          a count or an estimate by one algorithm
//! subsets, walks                                     a count on a small dense graph
//! histogram+of=obtuse,straight                     the number of tours with each value of a statistic
//! transfer, transfer+mod=1000000007                  a count on a long narrow board by its transfer matrix
//! enumerate, enumerate+project=paper:direct          a count by finding each tour; the values of a projection set
//! approxmc+epsilon=0.3+project=co-tree:counting      a count by a model counter
//! bdd, place                                         a count of placements of queens, and one placement
//! size:binary                                        the size of a formula
//! prove:binary, prove+form=lrat:binary               a checked proof that there is no tour, from an encoding's clauses
//! prove, prove+by=propagator, prove+by=certificate   the same by lazy constraints, by the propagator, as a certificate
//! prove+by=counting, prove+by=counting+form=pbp      the same by counting, with definitions or cutting planes
//! kissat:binary, z3                                  an external program
//! ```
//!
//! A text is a name, followed by settings after `+` and, after a colon, the encoding that the method works on. Settings
//! with their default value are left out, so each method has exactly one text.
//!
//! To add a method, implement [`MethodKind`] in a new file and add a line to `list.rs`. Another crate calls
//! [`register`] instead. The grammar, help, completion, refusals, and the tests that compare all methods with brute
//! force are derived from the list.

mod advice;
mod auto;
mod auto_count;
mod bdd;
mod counter;
mod enumerate;
pub(crate) mod evidence;
mod exact;
mod external;
mod formulated;
mod grammar;
mod histogram;
mod kind;
mod list;
mod models;
mod place;
mod prove;
mod sample;
mod search;
mod size;
mod solve;
mod subsets;
mod sweep;
mod symmetric;
mod timeslice;
mod transfer;
mod treewidth;
mod zdd;

use std::fmt;
use std::sync::Arc;

use hamcnf_encodings::constraint::Means;
use hamcnf_encodings::{Encoding, Projection, Queens};

pub use self::advice::Advice;
pub use self::auto::Portfolio;
pub(crate) use self::auto::proved;
pub use self::auto_count::AutoCount;
pub use self::bdd::Bdd;
pub use self::counter::Counter;
pub use self::enumerate::Enumerate;
pub use self::exact::Exact;
pub use self::external::{Engine, External};
pub use self::formulated::Formulated;
pub use self::grammar::{MethodError, WrongValue};
pub use self::histogram::Histogram;
use self::kind::Erased;
pub use self::kind::{Abilities, Backend, Class, Described, MethodKind, Operand, Setting, Together};
pub use self::list::{all, named, register};
pub use self::models::{NotCountable, countable, counter_seed};
pub use self::place::Place;
pub use self::prove::{Prove, Prover};
pub use self::sample::Sample;
pub use self::search::Search;
pub use self::size::Size;
pub use self::solve::Solve;
pub use self::subsets::Subsets;
pub use self::symmetric::CountSymmetric;
pub use self::timeslice::Timeslice;
pub use self::transfer::Transfer;
pub use self::treewidth::Treewidth;
pub use self::zdd::Zdd;
use crate::machine;
use crate::question::{Question, Tours};
use crate::run::{Failure, Run, RunResult, Settings, Status, Wanted};
use hamcnf_engines::portfolio::Turn;

/// Method with its settings.
#[derive(Clone)]
pub struct Method(Arc<dyn Erased>);

impl<K: MethodKind> From<K> for Method {
    fn from(kind: K) -> Self {
        Self(Arc::new(kind))
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.0.equals(&*other.0)
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f)
    }
}

impl Method {
    /// Returns the method as kind `K`; `None` if it is of another kind.
    #[must_use]
    pub fn kind<K: MethodKind>(&self) -> Option<&K> {
        self.0.as_any().downcast_ref()
    }

    /// True if the method is of kind `K`.
    #[must_use]
    pub fn is<K: MethodKind>(&self) -> bool {
        self.kind::<K>().is_some()
    }

    /// Returns the first word of the method's text.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Returns a one-line summary of the method.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.0.summary()
    }

    /// Returns the class of the method.
    #[must_use]
    pub fn class(&self) -> Class {
        self.0.class()
    }

    /// Returns the questions and requests that the method can handle.
    #[must_use]
    pub fn abilities(&self) -> Abilities {
        self.0.abilities()
    }

    /// Returns the descriptions of all settings.
    #[must_use]
    pub fn settings(&self) -> Vec<Described> {
        self.0.described()
    }

    /// Returns the names and values of the settings that differ from their defaults.
    #[must_use]
    pub fn given(&self) -> Vec<(&'static str, String)> {
        self.0.given()
    }

    /// Returns the value of a setting; `None` if it is the default.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<String> {
        let given = self.given().into_iter();
        let mut values = given.filter(|(known, _)| *known == name);
        values.next().map(|(_, value)| value)
    }

    /// Returns the value of a setting for a question: the given value, or else the value that the method chooses.
    /// Returns `None` if there is neither.
    #[must_use]
    pub fn setting_on(&self, name: &str, question: &Question) -> Option<String> {
        let chosen = || self.chosen(question, 0).into_iter();
        let chosen = || chosen().find(|(known, _)| *known == name);
        self.setting(name).or_else(|| chosen().map(|(_, value)| value))
    }

    /// Returns the names and values of the settings that the method chooses for a question. Omits settings that are
    /// given.
    #[must_use]
    pub fn chosen(&self, question: &Question, seed: u64) -> Vec<(&'static str, String)> {
        let chosen = self.0.chosen(question, seed).into_iter();
        chosen.filter(|(name, _)| self.setting(name).is_none()).collect()
    }

    /// True if the method has a setting of this name.
    #[must_use]
    pub fn has_setting(&self, name: &str) -> bool {
        self.settings().iter().any(|setting| setting.name == name)
    }

    /// Returns the role of an encoding in the method's text.
    #[must_use]
    pub fn operand(&self) -> Operand {
        self.0.operand()
    }

    /// Returns a copy of the method in which this setting has this value.
    ///
    /// # Errors
    ///
    /// [`MethodError::Setting`] if the method has no setting of this name, [`MethodError::Value`] if the value is
    /// invalid.
    pub fn with_setting(&self, name: &str, value: &str) -> Result<Self, MethodError> {
        self.0.with_setting(name, value)
    }

    /// Returns a copy of the method with this encoding.
    ///
    /// # Errors
    ///
    /// [`MethodError::NoEncoding`] if the method takes no encoding.
    pub fn with_encoding(&self, encoding: Encoding) -> Result<Self, MethodError> {
        match self.operand() {
            Operand::None => Err(MethodError::NoEncoding(self.name().to_owned())),
            Operand::Optional | Operand::Required => self.0.with_encoding(encoding),
        }
    }

    /// Returns the encoding that the method works on, if one is given.
    #[must_use]
    pub fn encoding(&self) -> Option<&Encoding> {
        self.0.encoding()
    }

    /// Returns the projection set whose values the method counts, if one is given.
    #[must_use]
    pub fn projection(&self) -> Option<&Projection> {
        self.0.projection()
    }

    /// Returns the method without the refinement `order=seed-N`, where N is this seed. Experiments that relabel the
    /// graph add this refinement for each seed. Runs with different seeds are compared under the method without the
    /// refinement.
    #[must_use]
    pub fn without_order_of(&self, seed: u64) -> Self {
        let solved = self.kind::<Solve>().filter(|_| seed > 0);
        match solved.map(|solve| solve.without_order_of(seed)) {
            Some(solve) => solve.into(),
            None => self.clone(),
        }
    }

    /// Returns all methods that `hamcnf compare` runs by default for a question, each with default settings.
    #[must_use]
    pub fn compared(question: &Question) -> Vec<Self> {
        let is_board = match question {
            Question::Tours(tours) => tours.instance().board().is_some(),
            Question::Queens(_) => false,
        };
        let of_encodings = match question {
            Question::Tours(_) => list::of_encodings(is_board),
            Question::Queens(_) => Vec::new(),
        };
        let others = all().into_iter();
        let others = others.filter(|method| method.0.is_compared());
        let others = others.filter(|method| method.suits(question).is_ok());
        of_encodings.into_iter().chain(others).collect()
    }

    /// Returns the methods in [`compared`](Self::compared) that need no external program.
    #[must_use]
    pub fn built_in(question: &Question) -> Vec<Self> {
        let all = Self::compared(question).into_iter();
        all.filter(|method| method.engine().is_none()).collect()
    }

    /// True if the method searches without clauses.
    #[must_use]
    pub fn is_search(&self) -> bool {
        self.class() == Class::Search
    }

    /// True if the method counts or estimates.
    #[must_use]
    pub fn is_count(&self) -> bool {
        self.class() == Class::Count
    }

    /// True if the method measures a formula without solving it.
    #[must_use]
    pub fn is_size(&self) -> bool {
        self.class() == Class::Size
    }

    /// True if the method finds a tour or proves that there is none.
    #[must_use]
    pub fn decides(&self) -> bool {
        !matches!(self.class(), Class::Count | Class::Size)
    }

    /// Returns the default seed: 1 for counts, else 0.
    #[must_use]
    pub fn first_seed(&self) -> u64 {
        u64::from(self.is_count())
    }

    /// Returns advice, in words, for a run of the method that ended with this status and without an answer. Names only
    /// methods that accept the question. The text may be empty.
    #[must_use]
    pub fn advice(&self, question: &Question, status: Status) -> String {
        let accepts = |method: &Self| method.accepts(question);
        let advice = self.0.advice(question, status).into_iter();
        let advice = advice.filter(|advice| advice.method.as_ref().is_none_or(accepts));
        let texts: Vec<_> = advice.map(|advice| advice.text).collect();
        texts.join("; ")
    }

    /// Returns the first turns of each thread, at most `most` per thread. A turn runs one strategy with a limit.
    /// Returns `None` if the method does not work in turns.
    ///
    /// # Errors
    ///
    /// [`Failure`] if the graph is too large.
    pub fn plan(&self, tours: &Tours, seed: u64, most: usize) -> Result<Option<Vec<Vec<Turn>>>, Failure> {
        self.0.plan(tours, seed, most)
    }

    /// Returns the tolerance ε of the method's estimates, if the method promises one.
    #[must_use]
    pub fn epsilon(&self) -> Option<f64> {
        self.0.epsilon()
    }

    /// True if `hamcnf compare` runs the method by default.
    #[must_use]
    pub fn is_compared(&self) -> bool {
        self.0.is_compared()
    }

    /// True if the answer depends on the seed.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.0.is_random()
    }

    /// Returns the entry in the list of engines that the method runs, if any.
    #[must_use]
    pub fn engine(&self) -> Option<&Engine> {
        self.0.engine()
    }

    /// True if the method runs CaDiCaL in this process.
    #[must_use]
    pub fn is_by_cadical(&self) -> bool {
        matches!(self.0.backend(), Backend::Cadical | Backend::Both)
    }

    /// Returns the names and versions of the programs that compute the answer. For an external program, returns only
    /// the name, because the version is known only after the run.
    #[must_use]
    pub fn solver(&self) -> String {
        let (own, cadical) = (machine::VERSION, hamcnf_engines::solve::signature());
        match self.0.backend() {
            Backend::Own => format!("hamcnf {own}"),
            Backend::Cadical => cadical.to_owned(),
            Backend::Both => format!("hamcnf {own}, {cadical}"),
            Backend::Other(name) => name,
        }
    }

    /// Returns the name of the method's class, as shown in tables about this question.
    #[must_use]
    pub fn class_for(&self, question: &Question) -> &'static str {
        match question {
            Question::Queens(_) => "placements",
            Question::Tours(_) => self.class().as_str(),
        }
    }

    /// Checks that the method accepts questions of this kind.
    ///
    /// # Errors
    ///
    /// [`MethodError::NotFor`] if the method does not accept the question.
    pub fn suits(&self, question: &Question) -> Result<(), MethodError> {
        let abilities = self.abilities();
        let (suits, about) = match question {
            Question::Tours(_) => (abilities.tours, "tours"),
            Question::Queens(_) => {
                // Queens have their own formula, so encodings and projection sets of tours do not apply.
                let plain = self.encoding().is_none() && self.projection().is_none();
                (abilities.queens && plain, "queens")
            }
        };
        match suits {
            true => Ok(()),
            false => Err(MethodError::NotFor { method: self.to_string(), question: about }),
        }
    }

    /// Returns the method that should answer this question. This is `self`, unless the constraints of the question need
    /// clauses, or several tours are wanted, and `self` does not work on clauses; then it is the replacement of `self`.
    ///
    /// # Errors
    ///
    /// Returns the name of the first constraint that needs clauses if `self` has no replacement.
    pub fn replaced(&self, tours: &Tours, settings: &Settings) -> Result<Self, &'static str> {
        let by_clauses = || self.0.with_clauses(tours, settings);
        match (tours.instance().means(), settings.wanted) {
            (Means::Clauses(name), _) if !self.abilities().constraints => by_clauses().ok_or(name),
            (_, Wanted::Several(_)) => Ok(by_clauses().unwrap_or_else(|| self.clone())),
            _ => Ok(self.clone()),
        }
    }

    /// Returns the method that should run for this question: `self`, or a method that answers it with less work.
    pub(crate) fn or_faster(&self, tours: &Tours, run: &Run<'_>) -> Self {
        self.0.faster(tours, run).unwrap_or_else(|| self.clone())
    }

    /// True if the method works on the [undirected form](Tours::undirected) of the question.
    #[must_use]
    pub fn needs_undirected(&self, tours: &Tours) -> bool {
        let (can, instance) = (self.abilities(), tours.instance());
        let forces = matches!(instance.means(), Means::Subdivision(_));
        let subdivides = forces && !can.constraints && !can.forced;
        subdivides || instance.is_directed() && !can.directed
    }

    /// Answers a question about tours within the run's limits. The method must [suit](Self::suits) the question.
    pub(crate) fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        self.0.run(tours, run)
    }

    /// Returns the implementation that answers several questions together, if the method has one.
    pub(crate) fn together(&self) -> Option<&dyn Together> {
        self.0.together()
    }

    /// Answers a question about queens. The method must [suit](Self::suits) the question.
    pub(crate) fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        self.0.run_queens(queens, run)
    }
}

/// Message in builds without decision diagrams.
#[cfg(not(feature = "diagrams"))]
const NO_DIAGRAMS: &str = "this build has no decision diagrams; rebuild with the feature \"diagrams\"";
