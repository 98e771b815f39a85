//! Questions with known answers, from which `hamcnf benchmark` makes benchmark files for solvers. A question asks for a
//! Hamiltonian cycle or path of a graph. The graphs are boards, random graphs near the threshold of Hamiltonian cycles,
//! cubic graphs, generalized Petersen graphs and snarks, both Hamiltonian and non-Hamiltonian.
//!
//! The known answers are stored here. Whenever the files are made, each answer is found again and verified. A tour is
//! checked clause by clause as a model of the formula. An independent checker verifies a certificate or a proof of
//! non-Hamiltonicity.
//!
//! # References
//!
//! - Holger Hoos, Thomas Stützle: *SATLIB: An Online Resource for Research on SAT*, SAT 2000.
//! - Massimo Lauria, Jan Elffers, Jakob Nordström, Marc Vinyals: *CNFgen: A Generator of Crafted Benchmarks*, SAT 2017.

use hamcnf_encodings::{Clauses, Encoding, Formula, Model, Var};
use hamcnf_tours::Tour;

use crate::LabError;
use hamcnf_graph::cancellation::CancellationToken;
use hamcnf_methods::method::{Method, Portfolio, Prove, Prover, Solve};
use hamcnf_methods::record::Status;
use hamcnf_methods::run::Settings;
use hamcnf_questions::{Files, Question, QuestionError, QuestionSpec, Tours};

hamcnf_graph::named! {
    /// Known answer to a question. The question's formula is satisfiable exactly if the graph has a tour.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum KnownAnswer: "answer" {
        /// A tour exists.
        Sat => "SAT",
        /// No tour exists.
        Unsat => "UNSAT",
    }
}

/// Specification of a question, with the known answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    pub question: &'static str,
    pub answer: KnownAnswer,
}

const LIST: &str = include_str!("benchmark.txt");

/// Returns the questions of the benchmark, or only the small ones: in most encodings, every solver answers each of them
/// within seconds.
///
/// # Panics
///
/// Never: a test reads the list.
pub fn questions(only_small: bool) -> Vec<Known> {
    let (small, large) = LIST.split_once("# Larger").unwrap_or((LIST, ""));
    let lines = small.lines().chain(large.lines().skip(1).filter(|_| !only_small));
    let known = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let (answer, question) = line.split_once(' ').expect("a line has an answer and a question");
        Known { question, answer: answer.parse().expect("the answer is SAT or UNSAT") }
    });
    known.collect()
}

/// Verified evidence for an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Verified {
    /// Tour that was checked move by move.
    Tour(Tour),
    /// Name of a short certificate of non-Hamiltonicity that the certificate checker accepted.
    Certificate(String),
    /// Proof of non-Hamiltonicity that the DRAT checker accepted. The proof begins with the clauses of the encoding and
    /// derives subtour-elimination constraints ("cuts").
    Proof,
}

impl Verified {
    /// Returns the answer that the evidence proves.
    pub fn answer(&self) -> KnownAnswer {
        match self {
            Self::Tour(_) => KnownAnswer::Sat,
            Self::Certificate(_) | Self::Proof => KnownAnswer::Unsat,
        }
    }
}

impl Known {
    /// Loads the question that the specification describes.
    ///
    /// # Errors
    ///
    /// [`LabError`] if the specification is invalid.
    pub fn load(&self) -> Result<Tours, LabError> {
        let (question, files) = (self.question, Files::default());
        let spec = QuestionSpec::settled(question, &files).map_err(QuestionError::from);
        spec.and_then(|spec| spec.load(&files)).map_err(|why| LabError::new(format_args!("{question}: {why}")))
    }

    /// Answers the question again and verifies the answer.
    ///
    /// # Errors
    ///
    /// [`LabError`], also if the answer differs from the known answer.
    pub fn verified(&self, question: &Question, stop: &CancellationToken) -> Result<Verified, LabError> {
        let verified = verified(question, stop)?;
        let (found, known) = (verified.answer(), self.answer);
        match found == known {
            true => Ok(verified),
            false => Err(LabError::new(format_args!(
                "{question}: the answer is {found}, but the known answer is {known}; one of them is wrong"
            ))),
        }
    }
}

fn stopped() -> LabError {
    LabError::new("stopped")
}

fn settings(stop: &CancellationToken) -> Settings {
    Settings { stop: stop.clone(), ..Settings::default() }
}

/// Answers the question with the portfolio. If the portfolio finds no tour, tries to verify that none exists: first
/// with a certificate, then with a proof.
fn verified(question: &Question, stop: &CancellationToken) -> Result<Verified, LabError> {
    let prove = |by| Method::from(Prove { by, ..Prove::default() });
    let methods = [Method::from(Portfolio::AUTO), prove(Prover::Certificate), prove(Prover::Cuts)];
    let mut last = String::new();
    for (number, method) in methods.iter().enumerate() {
        let answered = method.answer(question, &settings(stop));
        if stop.is_set() {
            return Err(stopped());
        }
        match (answered.status, number) {
            (Status::Tour, 0) => {
                if let Some(tour) = answered.tours.first() {
                    return Ok(Verified::Tour(tour.clone()));
                }
            }
            (Status::NoTour, 1) => return Ok(Verified::Certificate(answered.result.message)),
            (Status::NoTour, 2) => return Ok(Verified::Proof),
            _ => {}
        }
        last = format!("{question}: {method}: {}", answered.said());
    }
    Err(LabError::new(last))
}

/// Verifies that a formula is satisfiable: checks all its clauses on the assignment of the tour or of the reversed
/// tour. If refinements of the encoding exclude both tours, or if the tour does not determine all variables, checks a
/// model found by CaDiCaL instead.
///
/// # Errors
///
/// [`LabError`], also if neither the given tour nor a model from CaDiCaL satisfies the clauses of the encoding.
pub fn satisfied(
    formula: &Formula,
    question: &Question,
    tour: &Tour,
    stop: &CancellationToken,
) -> Result<(), LabError> {
    let holds = |tour: &Tour| {
        let model = formula.admits(tour).then(|| model(formula, tour));
        model.flatten().is_some_and(|model| formula.hold_in(&model))
    };
    if holds(tour) || tour.reversed().as_ref().is_some_and(holds) {
        return Ok(());
    }
    let encoding: &Encoding = formula.encoding();
    match Method::from(Solve::on(encoding.clone())).answer(question, &settings(stop)).result.model {
        Some(model) if formula.hold_in(&model) => Ok(()),
        _ if stop.is_set() => Err(stopped()),
        _ => Err(LabError::new(format_args!(
            "{question}: none of the tours found is a model of the clauses of encoding \"{encoding}\""
        ))),
    }
}

/// Returns the assignment that encodes a tour; `None` if the tour does not determine the values of all variables.
fn model(formula: &Formula, tour: &Tour) -> Option<Model> {
    let all = (0..formula.n_vars()).map(Var::new);
    let values: Option<Vec<bool>> = formula.values(tour, all).map(|(_, value)| value).collect();
    Some(values?.into_iter().collect())
}

/// Returns the stem of a question's file name, without encoding and extension. Different questions of the benchmark
/// have different stems.
pub fn stem(question: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    question.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn questions_are_written_as_they_are_and_names_differ() {
        let (small, all) = (questions(true), questions(false));
        assert_eq!((small.len(), all.len(), &all[..42]), (42, 87, small.as_slice()));
        let names: BTreeSet<_> = all.iter().map(|known| stem(known.question)).collect();
        assert_eq!(names.len(), all.len());
        for known in all {
            assert_eq!(known.load().unwrap().to_string(), known.question);
        }
    }

    #[test]
    fn another_answer_than_was_known_is_an_error() {
        let stop = CancellationToken::default();
        let known = |question, answer| Known { question, answer };
        let (sat, unsat) = (KnownAnswer::Sat, KnownAnswer::Unsat);
        for (known, right) in [(known("5x6", sat), true), (known("5x6", unsat), false), (known("5x5", sat), false)] {
            let question = known.load().unwrap().into();
            assert_eq!(known.verified(&question, &stop).is_ok(), right, "{known:?}");
        }
        let said = known("5x6", unsat);
        let error = said.verified(&said.load().unwrap().into(), &stop).unwrap_err();
        assert_eq!(error.to_string(), "5x6: the answer is SAT, but the known answer is UNSAT; one of them is wrong");
    }
}
