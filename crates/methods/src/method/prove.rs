//! `prove`: proves that there is no tour, and writes the proof to a file. A checker that shares no code with the prover
//! verifies the proof.

use std::fs::File;
use std::io::BufReader;

use cpu_time::ThreadTime;
use hamcnf_encodings::Encoding;
use hamcnf_graph::named;

use super::evidence::ProofStrategy;
use super::grammar::parsed;
use super::{Backend, Class, Field, MethodError, MethodKind, Operand, Profile, Setting, Solve, WrongValue};
use crate::run::{Failure, Run, RunResult, Settings, Status};
use hamcnf_programs::temporary::Temporary;
use hamcnf_questions::Tours;
use hamcnf_refute::checked::{NotChecked, Proved, Reading, Verdict};
use hamcnf_sat::proof::{Form, Steps, Target};
use hamcnf_tours::endpoints::Endpoints;

/// Method that writes and checks a proof that there is no tour.
#[derive(Clone, PartialEq, Debug)]
pub struct Prove {
    /// Prover that derives the proof, unless an encoding is given.
    pub by: Prover,
    /// Encoding whose clauses CaDiCaL refutes by itself.
    pub encoding: Option<Encoding>,
    /// Format of the proof steps. A certificate has no steps.
    pub form: Steps,
}

named! {
    /// Prover that shows that there is no tour.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Prover: "prover" {
        /// Lazy subtour-elimination constraints. Each constraint is derived from the clauses of an encoding with order
        /// variables.
        Cuts => "cuts",
        /// Propagator for circuits. Each clause that it adds is derived from the clauses of an encoding with order
        /// variables.
        Propagator => "propagator",
        /// Counting argument: removing some vertices leaves too many parts, because a tour enters each part from a
        /// different removed vertex.
        Counting => "counting",
        /// Certificate of a few lines, which is checked on the graph alone.
        Certificate => "certificate",
    }
}

const HAS_TOURS: &str = "the graph has a tour, so there is no proof to write";

impl Default for Prove {
    fn default() -> Self {
        Self { by: Prover::Cuts, encoding: None, form: Steps::Drat }
    }
}

impl MethodKind for Prove {
    fn profile(&self) -> Profile<'_> {
        let summary = "proof that there is no tour, by an encoding or another prover; the proof is checked";
        let by_clauses = self.encoding.is_some();
        Profile {
            operand: Operand::Optional,
            backend: Backend::Both,
            random: self.by != Prover::Certificate,
            compared: false,
            small_graphs: false,
            directed: by_clauses,
            constraints: by_clauses,
            ..Profile::new("prove", summary, Class::Proof).with_ends()
        }
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let by = Setting::new(
            "by",
            "PROVER",
            "prover: propagator, counting or certificate [default: lazy subtour elimination]",
        );
        let form = Setting::new("form", "drat|lrat|pbp", "format of the proof [default: drat]");
        vec![
            by.of(&mut self.by, &Prover::Cuts, |text| {
                let chosen = [Prover::Propagator, Prover::Counting, Prover::Certificate];
                chosen.into_iter().find(|by| by.to_string() == text).ok_or_else(|| {
                    let [propagator, counting, certificate] = chosen;
                    WrongValue::new(format_args!(
                        "\"{text}\" is not a prover; choose from {propagator}, {counting}, {certificate}"
                    ))
                })
            }),
            form.of(&mut self.form, &Steps::Drat, parsed),
        ]
    }

    fn encoding(&self) -> Option<&Encoding> {
        self.encoding.as_ref()
    }

    fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = Some(encoding);
    }

    fn validate(&self) -> Result<(), MethodError> {
        if self.by != Prover::Cuts && self.encoding.is_some() {
            return Err(MethodError::NoEncoding(format!("prove+by={}", self.by)));
        }
        match self.by == Prover::Certificate && self.form != Steps::Drat {
            true => Err(MethodError::Value {
                method: "prove".to_owned(),
                setting: "form".to_owned(),
                why: WrongValue::new("a certificate has only one format; remove the setting \"form\""),
            }),
            false => Ok(()),
        }
    }

    /// Proves that there is no tour and checks the proof. The answer is "no tour" only if both succeed.
    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let file = Temporary::for_a_child(".proof")?;
        let target = Target {
            file: file.file().path().to_owned(),
            form: match self.by {
                Prover::Certificate => Form::Certificate,
                _ => Form::Steps(self.form),
            },
            is_binary: self.form.has_binary(),
            formula: None,
        };
        let settings = Settings { proof: Some(target.clone()), ..run.settings().clone() };
        let inner = run.with(&settings);
        let cpu = ThreadTime::now();
        let none = RunResult::default();
        let mut answered = match (&self.encoding, self.by) {
            (Some(encoding), _) => Solve::on(encoding.clone()).run(tours, &inner)?,
            (None, Prover::Cuts) => inner.prove(tours, none, |_| vec![ProofStrategy::Lazy])?,
            (None, Prover::Propagator) => inner.prove(tours, none, |task| task.propagator())?,
            (None, Prover::Counting) => inner.prove(tours, none, |task| task.counting())?,
            (None, Prover::Certificate) => inner.certify(tours, &target),
        };
        answered.solve_seconds.get_or_insert(cpu.elapsed().as_secs_f64());
        let Some(Ok(information)) = answered.evidence.take() else {
            return Ok(match (answered.status, tours.ends()) {
                // For these endpoints, the prover may have worked on another instance, and a tour of that instance need
                // not be a tour of the question.
                (Status::Tour, Endpoints::Open { from: None, .. } | Endpoints::Open { to: Some(_), .. }) => {
                    answered.ended(Status::GaveUp, HAS_TOURS)
                }
                _ => answered,
            });
        };
        let (size, encoding) = (information.size, information.encoding);
        if encoding.is_some() {
            answered.statistics.set("proof.steps", size.additions);
        }
        answered.statistics.set("proof.bytes", size.bytes);
        run.settings().observer.doing(|| "checking the proof".to_owned());
        let file = BufReader::new(File::open(&target.file)?);
        let stop = || run.settings().stop.is_set() || run.left().is_some_and(|left| left.is_zero());
        let cpu = ThreadTime::now();
        let checked =
            Reading::begin(file, target.form).and_then(|reading| reading.check(tours, encoding.as_ref(), &stop));
        let milliseconds = cpu.elapsed().as_millis() as u64;
        answered.statistics.set("check.milliseconds", milliseconds);
        match checked {
            Ok(Proved::Reason(kind, _)) => Ok(answered.ended(Status::NoTour, kind.name)),
            Ok(Proved::Steps { .. }) => Ok(answered),
            Err(error) if error.verdict() == Verdict::Stopped => Ok(answered.late()),
            // If a tour exists, an elimination order is found all the same, and the checker rejects the certificate.
            Err(NotChecked::Unverified { why, .. }) => Ok(answered.ended(Status::GaveUp, why.to_string())),
            Err(wrong) => Err(wrong.into()),
        }
    }
}
