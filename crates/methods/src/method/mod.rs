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

use std::any::Any;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use hamcnf_encodings::Encoding;
use hamcnf_graph::Named;
use hamcnf_tours::constraint::Means;

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
pub use self::kind::{Backend, Class, CloneKind, Field, Found, MethodKind, Operand, Profile, Setting, Together};
pub use self::list::{all, named, register};
pub use self::models::{countable, counter_seed};
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
use crate::run::{Settings, Status, Wanted};
use hamcnf_questions::{Question, Tours};

/// Method with its settings.
#[derive(Clone)]
pub struct Method(Arc<dyn MethodKind>);

impl<K: MethodKind> From<K> for Method {
    fn from(kind: K) -> Self {
        Self(Arc::new(kind))
    }
}

impl Deref for Method {
    type Target = dyn MethodKind;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        let kind = |method: &Self| (&*method.0 as &dyn Any).type_id();
        kind(self) == kind(other) && self.to_string() == other.to_string()
    }
}

impl fmt::Debug for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Method {
    /// Returns the method as kind `K`; `None` if it is of another kind.
    pub fn kind<K: MethodKind>(&self) -> Option<&K> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// True if the method is of kind `K`.
    pub fn is<K: MethodKind>(&self) -> bool {
        self.kind::<K>().is_some()
    }

    /// Returns the first word of the method's text.
    pub fn name(&self) -> &str {
        self.profile().name
    }

    /// Returns the class of the method.
    pub fn class(&self) -> Class {
        self.profile().class
    }

    /// Returns all settings with their values.
    pub fn settings(&self) -> Vec<Setting> {
        let mut copy = self.clone_kind();
        copy.settings().into_iter().map(|field| field.setting).collect()
    }

    /// Returns the names and values of the settings that differ from their defaults.
    pub fn given(&self) -> Vec<(&'static str, String)> {
        self.settings().into_iter().filter_map(|setting| Some((setting.name, setting.text?))).collect()
    }

    /// Returns the value of a setting; `None` if it is the default.
    pub fn setting(&self, name: &str) -> Option<String> {
        value_of(self.given(), name)
    }

    /// Returns the value of a setting for a question: the given value, or else the value that the method chooses.
    /// Returns `None` if there is neither.
    pub fn setting_on(&self, name: &str, question: &Question) -> Option<String> {
        self.setting(name).or_else(|| value_of(self.chosen(question, 0), name))
    }

    /// Returns the names and values of the settings that the method chooses for a question. Omits settings that are
    /// given.
    pub fn chosen(&self, question: &Question, seed: u64) -> Vec<(&'static str, String)> {
        self.0.chosen(question, seed).into_iter().filter(|(name, _)| self.setting(name).is_none()).collect()
    }

    /// True if the method has a setting of this name.
    pub fn has_setting(&self, name: &str) -> bool {
        self.settings().iter().any(|setting| setting.name == name)
    }

    /// Returns a copy of the method in which this setting has this value.
    ///
    /// # Errors
    ///
    /// [`MethodError`] if the method has no setting of this name, [`MethodError::Value`] if the value is invalid.
    pub fn with_setting(&self, name: &str, value: &str) -> Result<Self, MethodError> {
        let mut changed = self.clone_kind();
        let mut fields = changed.settings();
        let Some(field) = fields.iter_mut().find(|field| field.setting.name == name) else {
            let known: Vec<_> = fields.iter().map(|field| field.setting.name).collect();
            return Err(MethodError::no_setting(self.name(), name, &known));
        };
        let wrong = |why| MethodError::Value { method: self.name().to_owned(), setting: name.to_owned(), why };
        (field.set)(value).map_err(wrong)?;
        drop(fields);
        changed.validate()?;
        Ok(Self(changed.into()))
    }

    /// Returns a copy of the method with this encoding.
    ///
    /// # Errors
    ///
    /// [`MethodError::NoEncoding`] if the method, or one of its settings, allows no encoding.
    pub fn with_encoding(&self, encoding: Encoding) -> Result<Self, MethodError> {
        if self.profile().operand == Operand::None {
            return Err(MethodError::NoEncoding(self.name().to_owned()));
        }
        let mut changed = self.clone_kind();
        changed.set_encoding(encoding);
        changed.validate()?;
        Ok(Self(changed.into()))
    }

    /// Returns the method without the refinement `order=seed-N`, where N is this seed. Experiments that relabel the
    /// graph add this refinement for each seed. Runs with different seeds are compared under the method without the
    /// refinement.
    pub fn without_order_of(&self, seed: u64) -> Self {
        let Some(solve) = self.kind::<Solve>().filter(|_| seed > 0) else { return self.clone() };
        match solve.encoding.without(&format!("order=seed-{seed}")) {
            Ok(encoding) => Solve { encoding, phases: solve.phases }.into(),
            Err(_) => self.clone(),
        }
    }

    /// Returns all methods that `hamcnf compare` runs by default for a question, each with default settings.
    pub fn compared(question: &Question) -> Vec<Self> {
        let of_encodings = match question {
            Question::Tours(tours) => list::of_encodings(tours.instance().board().is_some()),
            Question::Queens(_) => Vec::new(),
        };
        let others = all().into_iter().filter(|method| method.profile().compared && method.suits(question).is_ok());
        of_encodings.into_iter().chain(others).collect()
    }

    /// Returns the methods in [`compared`](Self::compared) that need no external program.
    pub fn built_in(question: &Question) -> Vec<Self> {
        Self::compared(question).into_iter().filter(|method| method.engine().is_none()).collect()
    }

    /// True if the method counts or estimates.
    pub fn is_count(&self) -> bool {
        self.class() == Class::Count
    }

    /// True if the method measures a formula without solving it.
    pub fn is_size(&self) -> bool {
        self.class() == Class::Size
    }

    /// True if the method finds a tour or proves that there is none.
    pub fn decides(&self) -> bool {
        !matches!(self.class(), Class::Count | Class::Size)
    }

    /// Returns the default seed: 1 for counts, else 0.
    pub fn first_seed(&self) -> u64 {
        u64::from(self.is_count())
    }

    /// Returns advice, in words, for a run of the method that ended with this status and without an answer. Names only
    /// methods that accept the question. The text may be empty.
    pub fn advice(&self, question: &Question, status: Status) -> String {
        let mut advice = self.0.advice(question, status);
        advice.retain(|advice| advice.method.as_ref().is_none_or(|method| method.accepts(question)));
        advice.into_iter().map(|advice| advice.text).collect::<Vec<_>>().join("; ")
    }

    /// Returns the tolerance ε of the method's estimates, if the method promises one.
    pub fn epsilon(&self) -> Option<f64> {
        self.kind::<Counter>()?.epsilon()
    }

    /// True if the method runs CaDiCaL in this process.
    pub fn is_by_cadical(&self) -> bool {
        matches!(self.profile().backend, Backend::Cadical | Backend::Both)
    }

    /// Returns the names and versions of the programs that compute the answer. For an external program, returns only
    /// the name, because the version is known only after the run.
    pub fn solver(&self) -> String {
        let (own, cadical) = (machine::VERSION, hamcnf_sat::solve::signature());
        match self.profile().backend {
            Backend::Own => format!("hamcnf {own}"),
            Backend::Cadical => cadical.to_owned(),
            Backend::Both => format!("hamcnf {own}, {cadical}"),
            Backend::Program => self.name().to_owned(),
        }
    }

    /// Returns the name of the method's class, as shown in tables about this question.
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
    /// [`MethodError`] if the method does not accept the question.
    pub fn suits(&self, question: &Question) -> Result<(), MethodError> {
        // Queens have their own formula, so encodings and projection sets of tours do not apply.
        let is_plain = self.encoding().is_none() && self.projection().is_none();
        let (suits, about) = match question {
            Question::Tours(_) => (self.profile().tours, "tours"),
            Question::Queens(_) => (self.profile().queens && is_plain, "queens"),
        };
        if suits {
            return Ok(());
        }
        Err(MethodError::Other(format!("method \"{self}\" does not accept questions about {about}")))
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
            (Means::Clauses(name), _) if !self.profile().constraints => by_clauses().ok_or(name),
            (_, Wanted::Several(_)) => Ok(by_clauses().unwrap_or_else(|| self.clone())),
            _ => Ok(self.clone()),
        }
    }

    /// True if the method works on the [undirected form](Tours::undirected) of the question.
    pub fn needs_undirected(&self, tours: &Tours) -> bool {
        let (can, instance) = (self.profile(), tours.instance());
        let forces = matches!(instance.means(), Means::Subdivision(_));
        let subdivides = forces && !can.constraints && !can.forced;
        subdivides || instance.is_directed() && !can.directed
    }
}

fn value_of(settings: Vec<(&'static str, String)>, name: &str) -> Option<String> {
    settings.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
}
