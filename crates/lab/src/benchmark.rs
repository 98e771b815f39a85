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

use hamcnf_encodings::{Clauses, Encoding, Formula, Model, Tour, Var};

use hamcnf_engines::cancellation::CancellationToken;
use hamcnf_methods::method::{Method, Portfolio, Prove, Prover, Solve};
use hamcnf_methods::question::{Question, QuestionError};
use hamcnf_methods::record::Status;
use hamcnf_methods::run::Settings;

/// Known answer to a question. The question's formula is satisfiable exactly if the graph has a tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownAnswer {
    /// A tour exists.
    Sat,
    /// No tour exists.
    Unsat,
}

hamcnf_encodings::named!(KnownAnswer, "answer", {
    Sat => "SAT",
    Unsat => "UNSAT",
});

/// Specification of a question, with the known answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    pub question: &'static str,
    pub answer: KnownAnswer,
}

const fn sat(question: &'static str) -> Known {
    let answer = KnownAnswer::Sat;
    Known { question, answer }
}

const fn unsat(question: &'static str) -> Known {
    let answer = KnownAnswer::Unsat;
    Known { question, answer }
}

/// Small questions. In most encodings, every solver answers each of them within seconds.
pub const SMALL: &[Known] = &[
    sat("5x6"),
    sat("6x6"),
    sat("8x8"),
    unsat("5x5"),
    unsat("4x6"),
    unsat("3x8"),
    unsat("8x8-a1-h8"),
    sat("8x8-a1-b1"),
    sat("5x5 open from a1"),
    unsat("5x5 open from b1"),
    unsat("grid:5x5"),
    sat("grid:6x6"),
    sat("torus:5x5"),
    sat("cubic:20:1"),
    sat("cubic:40:1"),
    sat("cubic:40:1+planted"),
    unsat("cubic:40:1+no-cycle"),
    unsat("petersen:5:2"),
    sat("petersen:7:2"),
    unsat("petersen:11:2"),
    unsat("petersen:11:2+relabel=1"),
    unsat("petersen:12:6"),
    sat("petersen:13:2"),
    unsat("flower:5"),
    unsat("flower:7"),
    unsat("snark:blanusa-1"),
    unsat("snark:double-star"),
    unsat("threshold:30:3"),
    sat("threshold:30:4"),
    unsat("threshold:30:5"),
    unsat("mindeg2:30:50:1"),
    sat("mindeg2:30:50:2"),
    sat("mindeg2:30:50:3"),
    sat("mindeg2:30:50:4"),
    unsat("mindeg2:30:50:5"),
    unsat("mindeg2:30:50:6"),
    sat("gnp:30,0.2:1+planted"),
    unsat("gnp:30,0.5:1+no-cycle"),
    sat("bipartite:15,15,0.3:1+planted"),
    unsat("bipartite:15,15,0.6:1+no-cycle"),
    sat("planar:30:1"),
    unsat("planar:31:1+no-cycle"),
];

/// Larger questions. The large benchmark contains these and [`SMALL`].
pub const LARGE: &[Known] = &[
    unsat("7x7"),
    sat("7x8"),
    unsat("9x9"),
    sat("10x10"),
    sat("10x10+relabel=1"),
    sat("10x10 open from a1"),
    unsat("9x9 open from b1"),
    sat("12x12"),
    sat("14x14"),
    sat("leaper:2,3:10x10"),
    sat("leaper:1,4:10x10"),
    unsat("grid:11x11"),
    sat("grid:12x12"),
    sat("torus:11x11"),
    sat("cubic:100:1"),
    sat("cubic:200:1"),
    sat("cubic:200:1+planted"),
    unsat("cubic:100:1+no-cycle"),
    unsat("cubic:200:1+no-cycle"),
    unsat("petersen:23:2"),
    sat("petersen:24:2"),
    unsat("petersen:24:12"),
    unsat("petersen:101:2"),
    sat("petersen:102:2"),
    unsat("flower:15"),
    unsat("flower:21"),
    sat("threshold:100:1"),
    unsat("threshold:100:2"),
    sat("mindeg2:100:210:1"),
    sat("mindeg2:100:210:2"),
    sat("mindeg2:100:210:3"),
    unsat("mindeg2:100:210:4"),
    unsat("mindeg2:100:210:5"),
    unsat("mindeg2:100:210:7"),
    unsat("mindeg2:200:460:1"),
    unsat("mindeg2:200:460:2"),
    sat("mindeg2:200:460:3"),
    sat("mindeg2:200:460:4"),
    sat("gnp:100,0.06:1+planted"),
    unsat("gnp:100,0.1:1+no-cycle"),
    sat("bipartite:50,50,0.1:1+planted"),
    unsat("bipartite:50,50,0.3:1+no-cycle"),
    unsat("bipartite:50,51,0.2:1"),
    sat("planar:100:1"),
    unsat("planar:101:1+no-cycle"),
];

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
    #[must_use]
    pub fn answer(&self) -> KnownAnswer {
        match self {
            Self::Tour(_) => KnownAnswer::Sat,
            Self::Certificate(_) | Self::Proof => KnownAnswer::Unsat,
        }
    }
}

/// Reason why an answer was not found or not verified.
#[derive(Debug, thiserror::Error)]
pub enum NotKnown {
    /// The question specification is invalid.
    #[error("{question}: {why}")]
    Question { question: String, why: Box<QuestionError> },
    /// No method found an answer, or an answer could not be verified.
    #[error("{question}: {method}: {why}")]
    Unverified {
        question: String,
        method: String,
        /// Result of the last method that was tried, in words.
        why: String,
    },
    /// The answer found now differs from the known answer.
    #[error("{question}: the answer is {found}, but the known answer is {known}; one of them is wrong")]
    Other {
        question: String,
        /// Answer found now.
        found: KnownAnswer,
        known: KnownAnswer,
    },
    /// Neither the given tour nor a model from CaDiCaL satisfies the clauses of the encoding.
    #[error("{question}: none of the tours found is a model of the clauses of encoding \"{encoding}\"")]
    NoModel {
        question: String,
        /// Encoding of the formula.
        encoding: String,
    },
    /// The run was cancelled.
    #[error("stopped")]
    Stopped,
}

impl Known {
    /// Loads the question that the specification describes.
    ///
    /// # Errors
    ///
    /// [`NotKnown::Question`] if the specification is invalid.
    pub fn asked(&self) -> Result<Question, NotKnown> {
        Question::load(self.question)
            .map_err(|why| NotKnown::Question { question: self.question.to_owned(), why: Box::new(why) })
    }

    /// Answers the question again and verifies the answer.
    ///
    /// # Errors
    ///
    /// [`NotKnown`]; [`NotKnown::Other`] if the answer differs from the known answer.
    pub fn verified(&self, question: &Question, stop: &CancellationToken) -> Result<Verified, NotKnown> {
        let found = verified(question, stop)?;
        match found.answer() == self.answer {
            true => Ok(found),
            false => Err(NotKnown::Other { question: question.to_string(), found: found.answer(), known: self.answer }),
        }
    }
}

fn settings(stop: &CancellationToken) -> Settings {
    Settings { stop: stop.clone(), ..Settings::default() }
}

/// Answers the question with the portfolio. If the portfolio finds no tour, tries to verify that none exists: first
/// with a certificate, then with a proof.
fn verified(question: &Question, stop: &CancellationToken) -> Result<Verified, NotKnown> {
    let prove = |by| Method::from(Prove { by, ..Prove::default() });
    let auto = Method::from(Portfolio::AUTO);
    let methods = [auto, prove(Prover::Certificate), prove(Prover::Cuts)];
    let mut last = None;
    for (number, method) in methods.iter().enumerate() {
        let answered = method.answer(question, &settings(stop));
        if stop.is_set() {
            return Err(NotKnown::Stopped);
        }
        let record = &answered.record;
        match (record.status, number) {
            (Status::Tour, 0) => {
                if let Some(tour) = answered.result.tours.into_iter().next() {
                    return Ok(Verified::Tour(tour));
                }
            }
            (Status::NoTour, 1) => return Ok(Verified::Certificate(record.message.clone())),
            (Status::NoTour, 2) => return Ok(Verified::Proof),
            _ => {}
        }
        last = Some((method, record.said()));
    }
    let (method, why) = last.map_or_else(|| (String::new(), String::new()), |(method, why)| (method.to_string(), why));
    Err(NotKnown::Unverified { question: question.to_string(), method, why })
}

/// Verifies that a formula is satisfiable: checks all its clauses on the assignment of the tour or of the reversed
/// tour. If refinements of the encoding exclude both tours, or if the tour does not determine all variables, checks a
/// model found by CaDiCaL instead.
///
/// # Errors
///
/// [`NotKnown::NoModel`] or [`NotKnown::Stopped`].
pub fn satisfied(
    formula: &Formula,
    question: &Question,
    tour: &Tour,
    stop: &CancellationToken,
) -> Result<(), NotKnown> {
    let holds = |tour: &Tour| {
        let model = formula.admits(tour).then(|| model(formula, tour));
        model.flatten().is_some_and(|model| formula.hold_in(&model))
    };
    if holds(tour) || tour.reversed().as_ref().is_some_and(holds) {
        return Ok(());
    }
    let encoding: &Encoding = formula.encoding();
    let answered = Method::from(Solve::on(encoding.clone())).answer(question, &settings(stop));
    match answered.result.model {
        Some(model) if formula.hold_in(&model) => Ok(()),
        _ if stop.is_set() => Err(NotKnown::Stopped),
        _ => Err(NotKnown::NoModel { question: question.to_string(), encoding: encoding.to_string() }),
    }
}

/// Returns the assignment that encodes a tour; `None` if the tour does not determine the values of all variables.
fn model(formula: &Formula, tour: &Tour) -> Option<Model> {
    let all = (0..formula.n_vars()).map(Var::new);
    let values = formula.values(tour, all);
    let values: Option<Vec<bool>> = values.map(|(_, value)| value).collect();
    Some(values?.into_iter().collect())
}

/// Returns the stem of a question's file name, without encoding and extension. Different questions of the benchmark
/// have different stems.
#[must_use]
pub fn stem(question: &str) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() || c == '.' {
        true => c,
        false => '-',
    };
    question.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn questions_are_written_as_they_are_and_names_differ() {
        let all = SMALL.iter().chain(LARGE);
        let names: BTreeSet<_> = all.clone().map(|known| stem(known.question)).collect();
        assert_eq!(names.len(), SMALL.len() + LARGE.len());
        for known in all {
            assert_eq!(known.asked().unwrap().to_string(), known.question);
        }
    }

    #[test]
    fn another_answer_than_was_known_is_an_error() {
        let stop = CancellationToken::default();
        for (known, right) in [(sat("5x6"), true), (unsat("5x6"), false), (sat("5x5"), false)] {
            let question = known.asked().unwrap();
            let verified = known.verified(&question, &stop);
            assert_eq!(verified.is_ok(), right, "{known:?}");
        }
        let said = unsat("5x6");
        let error = said.verified(&said.asked().unwrap(), &stop).unwrap_err();
        assert_eq!(error.to_string(), "5x6: the answer is SAT, but the known answer is UNSAT; one of them is wrong");
    }
}
