//! The trait that every method implements, and its type-erased form.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use hamcnf_encodings::{Encoding, Projection, Queens};

use super::advice::Advice;
use super::auto::auto_instead;
use super::grammar::{MethodError, WrongValue};
use super::{Engine, Method};
use crate::question::{Question, Tours};
use crate::run::{Failure, Run, RunResult, Settings, Status};
use hamcnf_engines::portfolio::Turn;

/// Kind of method. Each kind has its own file and a line in `list.rs`. The fields of the implementing type are the
/// method's settings.
pub trait MethodKind: Clone + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Returns the first word of the method's text.
    fn name(&self) -> &str;

    /// Returns a one-line summary of the method, for lists and help.
    fn summary(&self) -> &'static str;

    /// Returns the class of the method.
    fn class(&self) -> Class;

    /// Returns the questions and requests that the method can handle.
    fn abilities(&self) -> Abilities;

    /// Returns the settings, in the order in which the method's text lists them.
    fn settings(&self) -> &'static [Setting<Self>] {
        &[]
    }

    /// Returns the role that an encoding has in the method's text.
    fn operand(&self) -> Operand {
        Operand::None
    }

    /// Returns the encoding that the method works on, if one is given.
    fn encoding(&self) -> Option<&Encoding> {
        None
    }

    /// Sets the encoding of the method.
    ///
    /// # Errors
    ///
    /// [`MethodError::NoEncoding`] if the other settings do not allow an encoding.
    fn set_encoding(&mut self, _: Encoding) -> Result<(), MethodError> {
        Ok(())
    }

    /// Returns the projection set whose values the method counts, if one is given.
    fn projection(&self) -> Option<&Projection> {
        None
    }

    /// Checks that interdependent settings are consistent.
    ///
    /// # Errors
    ///
    /// [`MethodError`] if two settings contradict each other.
    fn validate(&self) -> Result<(), MethodError> {
        Ok(())
    }

    /// Returns the method's text if it does not have the usual form `NAME+SETTING=VALUE:ENCODING`; otherwise `None`.
    fn text(&self) -> Option<String> {
        None
    }

    /// Returns advice for the user if the method ends without an answer. Advice about methods that refuse the question
    /// is not shown.
    fn advice(&self, question: &Question, status: Status) -> Vec<Advice> {
        match question {
            Question::Tours(_) => auto_instead(status),
            Question::Queens(_) => Vec::new(),
        }
    }

    /// Returns the method that should replace this method if the constraints of the question need clauses, or if several
    /// tours are wanted; `None` if there is no replacement.
    fn with_clauses(&self, _: &Tours, _: &Settings) -> Option<Method> {
        None
    }

    /// Returns a method that answers this question with less work, if there is one. The record names the method that
    /// was asked for.
    fn faster(&self, _: &Tours, _: &Run<'_>) -> Option<Method> {
        None
    }

    /// Returns the first turns of each thread, at most `_most` per thread. A turn runs one strategy with a limit.
    /// Returns `None` if the method does not work in turns.
    ///
    /// # Errors
    ///
    /// [`Failure`] if the graph is too large.
    fn plan(&self, _: &Tours, _seed: u64, _most: usize) -> Result<Option<Vec<Vec<Turn>>>, Failure> {
        Ok(None)
    }

    /// True if the answer depends on the random seed.
    fn is_random(&self) -> bool {
        false
    }

    /// True if `hamcnf compare` runs the method by default.
    fn is_compared(&self) -> bool {
        true
    }

    /// Returns the program that computes the answer.
    fn backend(&self) -> Backend {
        Backend::Own
    }

    /// Returns the entry in the list of engines that the method runs, if any.
    fn engine(&self) -> Option<&Engine> {
        None
    }

    /// Returns names and values of settings to report with an answer: values that the method chooses for the question,
    /// and some defaults.
    fn chosen(&self, _: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Returns the tolerance ε of the estimates, if the method promises one: with high probability, an estimate differs
    /// from the count by a factor of at most 1 + ε.
    fn epsilon(&self) -> Option<f64> {
        None
    }

    /// Answers a question about tours.
    ///
    /// # Errors
    ///
    /// Any error that no [`Status`] describes. Limits and refusals are results, not errors.
    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure>;

    /// Returns the implementation that answers several questions together; `None` if the method answers one question at
    /// a time.
    fn together(&self) -> Option<&dyn Together> {
        None
    }

    /// Answers a question about queens.
    ///
    /// # Errors
    ///
    /// Errors of [`run`](Self::run).
    fn run_queens(&self, _: &Queens, _: &Run<'_>) -> Result<RunResult, Failure> {
        Ok(RunResult::default().refused(&"the method does not accept questions about queens"))
    }
}

/// Method that counts the tours of boards of several lengths together, in about the time that the longest board takes
/// alone.
pub trait Together {
    /// True if these questions share work. If not, each question is better answered by itself. The questions are in the
    /// order of their numbers of vertices.
    fn shares(&self, tours: &[&Tours]) -> bool;

    /// Answers questions about tours, in the order of their numbers of vertices. The method must be able to answer each
    /// question itself, without a replacement by another method or by the undirected form of the question. Calls
    /// `found` with the index and the result of each question as soon as the result is known. If some questions remain
    /// without a result of their own, returns a result that holds for all of them.
    ///
    /// # Errors
    ///
    /// Errors of [`MethodKind::run`].
    fn run_together(
        &self,
        tours: &[&Tours],
        run: &Run<'_>,
        found: &mut dyn FnMut(usize, RunResult),
    ) -> Result<Option<RunResult>, Failure>;
}

/// Class of a method, as shown in tables and lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// CaDiCaL on the formula of an encoding.
    Encoding,
    /// Solver that works on the graph itself.
    Solver,
    /// Search without clauses.
    Search,
    /// Count or estimate.
    Count,
    /// Checked proof that there is no tour.
    Proof,
    /// Size of a formula.
    Size,
    /// External solver program.
    Program,
}

impl Class {
    /// Returns the name of the class in tables.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Encoding => "encoding",
            Self::Solver => "solver",
            Self::Search => "search",
            Self::Count => "count",
            Self::Proof => "proof",
            Self::Size => "size",
            Self::Program => "program",
        }
    }
}

/// Questions and requests that a method can handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each flag is an independent column of a table")]
pub struct Abilities {
    /// True if the method accepts questions about tours.
    pub tours: bool,
    /// True if the method accepts questions about queens.
    pub queens: bool,
    /// True if the method accepts open tours from any start.
    pub any_start: bool,
    /// True if the method accepts open tours to a given end.
    pub given_end: bool,
    /// True if the method accepts digraphs. For other methods, vertex splitting converts a digraph to an undirected
    /// graph.
    pub directed: bool,
    /// True if the method accepts constraints, because it works on the formula of an encoding. For other methods,
    /// constraints are expressed by changing the graph, unless they need clauses.
    pub constraints: bool,
    /// True if the method accepts forced edges and arcs although it has no clauses. For other methods, subdivision of
    /// these edges and arcs changes the graph.
    pub forced: bool,
    /// True if the method accepts graphs with fewer vertices than a formula needs.
    pub small_graphs: bool,
    /// True if the method accepts only boards, and no constraints other than forbidden moves.
    pub boards_only: bool,
    /// True if the method can find several different tours.
    pub several: bool,
    /// True if the method can count the open tours from each start.
    pub by_start: bool,
    /// True if the method can write a step-by-step proof that there is no tour. Every method can add a certificate.
    pub proof: bool,
    /// True if the method can use several threads, as set by [`Settings::threads`](crate::run::Settings::threads).
    pub threads: bool,
    /// True if the user can force the method to start although the memory is probably insufficient.
    pub try_hard: bool,
    /// True if the method returns a decision diagram of all tours, which can be drawn and listed.
    pub diagram: bool,
    /// True if the method begins with infeasibility checks. They are about the question itself, even if the method then
    /// works on another form of it, or another method answers it.
    pub checks: bool,
    /// True if every answer of the method is the exact number of all tours, so that a certificate of the count can be
    /// written.
    pub exact_count: bool,
}

impl Abilities {
    /// Abilities of a method that accepts only tours from a given start.
    pub const TOURS: Self = Self {
        tours: true,
        queens: false,
        any_start: false,
        given_end: false,
        directed: false,
        constraints: false,
        forced: false,
        small_graphs: true,
        boards_only: false,
        several: false,
        by_start: false,
        proof: false,
        threads: false,
        try_hard: false,
        diagram: false,
        checks: false,
        exact_count: false,
    };

    /// Abilities of a method that accepts tours with any endpoints.
    pub const ENDPOINTS: Self = Self { any_start: true, given_end: true, ..Self::TOURS };
}

/// Role of an encoding in a method's text, `method:encoding`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The method takes no encoding.
    None,
    /// The method has a default encoding.
    Optional,
    /// The method requires an encoding.
    Required,
}

/// Program that computes the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Backend {
    /// Only the algorithms of this program.
    Own,
    /// Only CaDiCaL, in this process.
    Cadical,
    /// Both algorithms of this program and CaDiCaL.
    Both,
    /// External program with this name.
    Other(String),
}

/// Setting of a method, written `+name=value` in the method's text.
pub struct Setting<K> {
    pub name: &'static str,
    /// Placeholder for the value, shown in help.
    pub value: &'static str,
    /// One-line summary of the setting, for help.
    pub summary: &'static str,
    /// Parses a value and assigns it to the setting.
    pub set: fn(&mut K, &str) -> Result<(), WrongValue>,
    /// Returns the value as text; `None` if the setting has its default.
    pub get: fn(&K) -> Option<String>,
}

/// Description of a setting, independent of the type of its method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Described {
    pub name: &'static str,
    /// Placeholder for the value, shown in help.
    pub value: &'static str,
    /// One-line summary of the setting, for help.
    pub summary: &'static str,
}

/// Object-safe form of [`MethodKind`], which erases the implementing type.
pub(super) trait Erased: fmt::Debug + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn Erased) -> bool;
    fn name(&self) -> &str;
    fn summary(&self) -> &'static str;
    fn class(&self) -> Class;
    fn abilities(&self) -> Abilities;
    fn described(&self) -> Vec<Described>;
    fn given(&self) -> Vec<(&'static str, String)>;
    fn chosen(&self, question: &Question, seed: u64) -> Vec<(&'static str, String)>;
    fn operand(&self) -> Operand;
    fn encoding(&self) -> Option<&Encoding>;
    fn projection(&self) -> Option<&Projection>;
    fn write(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn epsilon(&self) -> Option<f64>;
    fn advice(&self, question: &Question, status: Status) -> Vec<Advice>;
    fn with_clauses(&self, tours: &Tours, settings: &Settings) -> Option<Method>;
    fn faster(&self, tours: &Tours, run: &Run<'_>) -> Option<Method>;
    fn plan(&self, tours: &Tours, seed: u64, most: usize) -> Result<Option<Vec<Vec<Turn>>>, Failure>;
    fn is_random(&self) -> bool;
    fn is_compared(&self) -> bool;
    fn backend(&self) -> Backend;
    fn engine(&self) -> Option<&Engine>;
    fn with_setting(&self, name: &str, value: &str) -> Result<Method, MethodError>;
    fn with_encoding(&self, encoding: Encoding) -> Result<Method, MethodError>;
    fn validate(&self) -> Result<(), MethodError>;
    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure>;
    fn together(&self) -> Option<&dyn Together>;
    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure>;
}

impl<K: MethodKind> Erased for K {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Erased) -> bool {
        other.as_any().downcast_ref::<K>() == Some(self)
    }

    fn name(&self) -> &str {
        MethodKind::name(self)
    }

    fn summary(&self) -> &'static str {
        MethodKind::summary(self)
    }

    fn class(&self) -> Class {
        MethodKind::class(self)
    }

    fn abilities(&self) -> Abilities {
        MethodKind::abilities(self)
    }

    fn described(&self) -> Vec<Described> {
        let settings = self.settings().iter();
        settings
            .map(|setting| Described { name: setting.name, value: setting.value, summary: setting.summary })
            .collect()
    }

    fn given(&self) -> Vec<(&'static str, String)> {
        let settings = self.settings().iter();
        settings.filter_map(|setting| Some((setting.name, (setting.get)(self)?))).collect()
    }

    fn chosen(&self, question: &Question, seed: u64) -> Vec<(&'static str, String)> {
        MethodKind::chosen(self, question, seed)
    }

    fn epsilon(&self) -> Option<f64> {
        MethodKind::epsilon(self)
    }

    fn operand(&self) -> Operand {
        MethodKind::operand(self)
    }

    fn encoding(&self) -> Option<&Encoding> {
        MethodKind::encoding(self)
    }

    fn projection(&self) -> Option<&Projection> {
        MethodKind::projection(self)
    }

    fn write(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = self.text() {
            return to.write_str(&text);
        }
        to.write_str(MethodKind::name(self))?;
        for (name, value) in self.given() {
            write!(to, "+{name}={value}")?;
        }
        match MethodKind::encoding(self) {
            Some(encoding) => write!(to, ":{encoding}"),
            None => Ok(()),
        }
    }

    fn advice(&self, question: &Question, status: Status) -> Vec<Advice> {
        MethodKind::advice(self, question, status)
    }

    fn faster(&self, tours: &Tours, run: &Run<'_>) -> Option<Method> {
        MethodKind::faster(self, tours, run)
    }

    fn with_clauses(&self, tours: &Tours, settings: &Settings) -> Option<Method> {
        MethodKind::with_clauses(self, tours, settings)
    }

    fn plan(&self, tours: &Tours, seed: u64, most: usize) -> Result<Option<Vec<Vec<Turn>>>, Failure> {
        MethodKind::plan(self, tours, seed, most)
    }

    fn is_random(&self) -> bool {
        MethodKind::is_random(self)
    }

    fn is_compared(&self) -> bool {
        MethodKind::is_compared(self)
    }

    fn backend(&self) -> Backend {
        MethodKind::backend(self)
    }

    fn engine(&self) -> Option<&Engine> {
        MethodKind::engine(self)
    }

    fn with_setting(&self, name: &str, value: &str) -> Result<Method, MethodError> {
        let settings = self.settings();
        let Some(setting) = settings.iter().find(|setting| setting.name == name) else {
            let known: Vec<_> = settings.iter().map(|setting| setting.name).collect();
            return Err(MethodError::no_setting(MethodKind::name(self), name, &known));
        };
        let mut changed = self.clone();
        (setting.set)(&mut changed, value).map_err(|why| MethodError::Value {
            method: MethodKind::name(self).to_owned(),
            setting: name.to_owned(),
            why,
        })?;
        Ok(Method(Arc::new(changed)))
    }

    fn with_encoding(&self, encoding: Encoding) -> Result<Method, MethodError> {
        let mut changed = self.clone();
        changed.set_encoding(encoding)?;
        Ok(Method(Arc::new(changed)))
    }

    fn validate(&self) -> Result<(), MethodError> {
        MethodKind::validate(self)
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        MethodKind::run(self, tours, run)
    }

    fn together(&self) -> Option<&dyn Together> {
        MethodKind::together(self)
    }

    fn run_queens(&self, queens: &Queens, run: &Run<'_>) -> Result<RunResult, Failure> {
        MethodKind::run_queens(self, queens, run)
    }
}
