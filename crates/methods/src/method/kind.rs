//! The trait that every method implements, its profile and its settings.

use std::any::Any;
use std::fmt;

use hamcnf_encodings::{Encoding, Projection};
use hamcnf_graph::named;
use hamcnf_tours::Queens;

use super::Method;
use super::advice::Advice;
use super::auto::auto_instead;
use super::grammar::{MethodError, WrongValue};
use crate::run::{Failure, Run, RunResult, Settings, Status};
use hamcnf_cycle::portfolio::Turn;
use hamcnf_questions::{Question, Tours};

/// Kind of method. Each kind has its own file and a line in `list.rs`. The fields of the implementing type are the
/// method's settings. A [`Method`] is a value of any kind; two methods are equal if they have the same kind and text.
pub trait MethodKind: Any + CloneKind + fmt::Debug + Send + Sync {
    /// Returns the method's name, and the questions and requests that the method can handle.
    fn profile(&self) -> Profile<'_>;

    /// Returns the settings, in the order in which the method's text lists them.
    fn settings(&mut self) -> Vec<Field<'_>> {
        Vec::new()
    }

    /// Returns the encoding that the method works on, if one is given.
    fn encoding(&self) -> Option<&Encoding> {
        None
    }

    /// Sets the encoding of the method. Only methods whose profile names the role of an encoding are asked.
    fn set_encoding(&mut self, _: Encoding) {}

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

    /// Returns names and values of settings to report with an answer: values that the method chooses for the question,
    /// and some defaults.
    fn chosen(&self, _: &Question, _seed: u64) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Answers a question about tours.
    ///
    /// # Errors
    ///
    /// Any error that no [`Status`] describes. Limits and refusals are results, not errors.
    fn run(&self, _: &Tours, _: &Run<'_>) -> Result<RunResult, Failure> {
        Ok(RunResult::default().refused(&"the method accepts only questions about queens"))
    }

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
    fn run_together(&self, tours: &[&Tours], run: &Run<'_>, found: Found<'_>) -> Result<Option<RunResult>, Failure>;
}

/// Function that receives the index and the result of each question.
pub type Found<'f> = &'f mut dyn FnMut(usize, RunResult);

named! {
    /// Class of a method, as shown in tables and lists.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
    pub enum Class: "class" {
        /// CaDiCaL on the formula of an encoding.
        Encoding => "encoding",
        /// Solver that works on the graph itself.
        #[default]
        Solver => "solver",
        /// Search without clauses.
        Search => "search",
        /// Count or estimate.
        Count => "count",
        /// Checked proof that there is no tour.
        Proof => "proof",
        /// Size of a formula.
        Size => "size",
        /// External solver program.
        Program => "program",
    }
}

/// Copies a method without naming its type.
pub trait CloneKind {
    fn clone_kind(&self) -> Box<dyn MethodKind>;
}

impl<K: MethodKind + Clone> CloneKind for K {
    fn clone_kind(&self) -> Box<dyn MethodKind> {
        Box::new(self.clone())
    }
}

/// Name of a method, and the questions and requests that the method can handle.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each flag is an independent column of a table")]
pub struct Profile<'m> {
    /// First word of the method's text.
    pub name: &'m str,
    /// One-line summary of the method, for lists and help.
    pub summary: &'static str,
    pub class: Class,
    /// Role of an encoding in the method's text.
    pub operand: Operand,
    /// Program that computes the answer.
    pub backend: Backend,
    /// True if the answer depends on the random seed.
    pub random: bool,
    /// True if `hamcnf compare` runs the method by default.
    pub compared: bool,
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

impl<'m> Profile<'m> {
    /// Creates the profile of a method that accepts only tours from a given start.
    pub fn new(name: &'m str, summary: &'static str, class: Class) -> Self {
        Self { name, summary, class, compared: true, tours: true, small_graphs: true, ..Self::default() }
    }

    /// Creates the profile of a method that counts tours with any endpoints exactly.
    pub fn exact_count(name: &'m str, summary: &'static str) -> Self {
        Self { exact_count: true, ..Self::new(name, summary, Class::Count).with_ends() }
    }

    /// Creates the profile of a method that accepts only questions about queens.
    pub fn queens(name: &'m str, summary: &'static str, class: Class) -> Self {
        Self { tours: false, queens: true, ..Self::new(name, summary, class) }
    }

    /// Adds that the method accepts tours with any endpoints.
    #[must_use]
    pub fn with_ends(self) -> Self {
        Self { any_start: true, given_end: true, ..self }
    }

    /// Adds that the method works on the formula of an encoding, so it accepts all questions about tours.
    #[must_use]
    pub fn with_formula(self, operand: Operand) -> Self {
        Self { directed: true, constraints: true, operand, ..self.with_ends() }
    }
}

/// Role of an encoding in a method's text, `method:encoding`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Operand {
    /// The method takes no encoding.
    #[default]
    None,
    /// The method has a default encoding.
    Optional,
    /// The method requires an encoding.
    Required,
}

/// Program that computes the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Backend {
    /// Only the algorithms of this program.
    #[default]
    Own,
    /// Only CaDiCaL, in this process.
    Cadical,
    /// Both algorithms of this program and CaDiCaL.
    Both,
    /// External program with the name of the method.
    Program,
}

/// Setting of a method, written `+name=value` in the method's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    pub name: &'static str,
    /// Placeholder for the value, shown in help.
    pub value: &'static str,
    /// One-line summary of the setting, for help.
    pub summary: &'static str,
    /// Value as text; `None` if the setting has its default.
    pub text: Option<String>,
}

/// Setting, with the function that parses a value and assigns it.
pub struct Field<'m> {
    pub setting: Setting,
    pub(super) set: Box<Set<'m>>,
}

type Set<'m> = dyn FnMut(&str) -> Result<(), WrongValue> + 'm;

impl Setting {
    /// Creates a setting without a value. `value` is the placeholder for the value.
    pub const fn new(name: &'static str, value: &'static str, summary: &'static str) -> Self {
        Self { name, value, summary, text: None }
    }

    /// Connects the setting to a field of the method, which has this value by default.
    pub fn of<'m, T: fmt::Display + PartialEq>(
        self,
        field: &'m mut T,
        default: &T,
        parse: impl Fn(&str) -> Result<T, WrongValue> + 'm,
    ) -> Field<'m> {
        let text = (field != default).then(|| field.to_string());
        self.with(text, move |text| {
            *field = parse(text)?;
            Ok(())
        })
    }

    /// Connects the setting to an optional field of the method.
    pub fn of_option<'m, T: fmt::Display>(
        self,
        field: &'m mut Option<T>,
        parse: impl Fn(&str) -> Result<T, WrongValue> + 'm,
    ) -> Field<'m> {
        let text = field.as_ref().map(ToString::to_string);
        self.with(text, move |text| {
            *field = Some(parse(text)?);
            Ok(())
        })
    }

    /// Connects the setting to a function that parses a value and assigns it. `text` is the value, unless it is the
    /// default.
    pub fn with<'m>(self, text: Option<String>, set: impl FnMut(&str) -> Result<(), WrongValue> + 'm) -> Field<'m> {
        Field { setting: Self { text, ..self }, set: Box::new(set) }
    }
}
