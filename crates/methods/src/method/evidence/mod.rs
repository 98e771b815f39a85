//! Evidence for the answer "no tour". Only this module begins, finds and writes proofs.
//!
//! [`Settings::proof`] names the file, whose format is a [`Form`]. [`RunResult::evidence`] contains information about
//! the written proof, or the reason why it is missing.
//!
//! - Every method that answers "no tour" can add a certificate ([`Run::with_evidence`]).
//! - Methods with the ability `proof` can write a step-by-step proof. An exact encoding writes the steps of its solver
//!   while it solves ([`Run::begin_proof`]). For the other methods, [`Run::prove`] derives "no tour" from the clauses
//!   of the encoding [`BASIS`](hamcnf_refute::BASIS), either after the method's own search or instead of it.
//!   `strategy.rs` contains the proof strategies.
//!
//! `file.rs` writes the files atomically.

mod file;
mod strategy;

use cpu_time::ThreadTime;
use hamcnf_check::certificate::{Asked, write};
use hamcnf_encodings::{Clauses, Formula};

pub(super) use self::file::StepProof;
pub(super) use self::strategy::ProofStrategy;
use self::strategy::ProofTask;
use super::{Method, Profile};
use crate::run::{Failure, Refusal, Run, RunResult, Settings, Status, Wanted};
use hamcnf_count::frontier::Bytes;
use hamcnf_cycle::propagator;
use hamcnf_cycle::search::Proof;
use hamcnf_programs::atomic_file::CannotWrite;
use hamcnf_questions::Tours;
use hamcnf_refute::certificate::{Known, find};
use hamcnf_refute::instance::proof_instance;
use hamcnf_refute::{ProofInformation, ProofMissing, Refutation, basis, circuit, counted, cuts, solver};
use hamcnf_sat::proof::{Form, SharedLog, Size, Steps, Target};
use hamcnf_tours::constraint::Means;

/// Returns the reason why a method with this profile cannot write a proof in the requested format; `None` if it can.
pub(crate) fn refusal(can: &Profile<'_>, settings: &Settings) -> Option<&'static str> {
    let wants_steps = settings.proof.as_ref().and_then(Target::steps).is_some();
    let writes_steps = can.proof && settings.wanted == Wanted::One;
    (wants_steps && !writes_steps).then_some(NO_STEPS)
}

const NO_STEPS: &str = "this method writes no DRAT, LRAT or VeriPB proof; use --method auto or an encoding, and ask for one tour only; or write a certificate (.cert), which every method supports";
const NOTHING_TO_COUNT: &str = "no counting argument was found";

/// Error of two strategies that contradict each other.
const CONTRADICTION: &str =
    "one strategy found a tour, and another proved that there is no tour: please report this bug in hamcnf";

impl Run<'_> {
    /// Adds the requested proof to a result with the status "no tour" and without evidence. Returns other results
    /// unchanged.
    pub(crate) fn with_evidence(
        &self,
        method: &Method,
        tours: &Tours,
        result: RunResult,
    ) -> Result<RunResult, Failure> {
        let wanted = self.settings().proof.as_ref().filter(|_| result.status == Status::NoTour);
        let Some(target) = wanted.filter(|_| result.evidence.is_none()) else { return Ok(result) };
        // Reports the answer first, because it remains valid even if no proof is written.
        self.knows(&result);
        let obstruction = match &result.proof {
            Some(Proof::Obstruction(found)) => Some(found),
            _ => None,
        };
        let known = |by| Known { obstruction, by };
        let relaxed = tours.without_clauses();
        let evidence = match (target.form, tours.instance().means()) {
            // The graph has no tour even without these constraints only if an obstruction or a strategy shows this.
            (Form::Certificate, Means::Clauses(name)) if result.by.is_none() && relaxed.obstruction().is_none() => {
                Err(ProofMissing::Failed(format!(
                    "a certificate is about a graph, but the constraint \"{name}\" needs clauses: write a proof from clauses, .drat, .lrat or .pbp"
                )))
            }
            // A certificate is about an undirected graph without constraints.
            (Form::Certificate, means) => match relaxed.undirected() {
                Ok(graph) => {
                    // The obstruction may be about another graph.
                    let is_known = means == Means::Graph && graph.is_split() == tours.is_split();
                    let known = Known { obstruction: obstruction.filter(|_| is_known), by: method.argument() };
                    self.certificate(tours, &graph, target, known)
                }
                Err(why) => Err(ProofMissing::Failed(why.to_string())),
            },
            (Form::Steps(_), _) => self.steps_after(tours, known(result.by))?,
        };
        Ok(RunResult { evidence: Some(evidence), ..result })
    }

    /// Answers "no tour" if a certificate is found. This function does not check the certificate.
    pub(super) fn certify(&self, tours: &Tours, target: &Target) -> RunResult {
        let result = RunResult::default();
        match self.certificate(tours, tours, target, Known::default()) {
            Ok(information) => RunResult { evidence: Some(Ok(information)), ..result.ended(Status::NoTour, "") },
            Err(ProofMissing::Limit) => result.late(),
            Err(ProofMissing::NoCertificate(why)) => result.ended(Status::GaveUp, why.to_string()),
            Err(why) => result.ended(Status::GaveUp, why.to_string()),
        }
    }

    /// Finds a certificate and writes it to the file of `target`. The certificate names the question `about`, which has no
    /// tour if `tours` has none.
    fn certificate(
        &self,
        about: &Tours,
        tours: &Tours,
        target: &Target,
        known: Known<'_>,
    ) -> Result<ProofInformation, ProofMissing> {
        let observer = &self.settings().observer;
        observer.doing(|| "searching for a certificate".to_owned());
        let (reason, why) = find(tours, known, &self.budget())?;
        let mut text = Vec::new();
        let asked = Asked::new(about.to_string(), tours.instance(), tours.ends());
        let written = write(&asked, &reason, &why, &mut text)
            .map_err(CannotWrite::to(&target.file))
            .and_then(|()| file::write(&target.file, &text));
        written.map_err(|error| ProofMissing::Failed(error.to_string()))?;
        Ok(ProofInformation {
            size: Size { bytes: text.len() as u64, ..Size::default() },
            encoding: None,
            is_split: tours.is_split(),
        })
    }

    /// Finds and writes proof steps after a method has answered "no tour".
    fn steps_after(&self, tours: &Tours, known: Known<'_>) -> Result<Result<ProofInformation, ProofMissing>, Failure> {
        let proved = self.prove(tours, RunResult::default(), |task| task.after(known));
        Ok(match proved {
            Ok(proved) => match (proved.status, proved.evidence) {
                (Status::Tour, _) => return Err(CONTRADICTION.into()),
                (Status::Refused, _) => Err(ProofMissing::Failed(proved.message)),
                (_, evidence) => evidence.unwrap_or(Err(ProofMissing::Limit)),
            },
            Err(failure) => Err(ProofMissing::Failed(failure.to_string())),
        })
    }

    /// Begins a proof from the clauses of this formula, if the settings request a step-by-step proof.
    pub(super) fn begin_proof<'p>(
        &'p self,
        formula: &'p Formula,
        tours: &'p Tours,
    ) -> Result<Option<StepProof<'p>>, Failure> {
        let begun = self
            .steps()
            .map(|(target, steps)| StepProof::begin(target, steps, formula, formula.tally().total().clauses, tours));
        Ok(begun.transpose()?)
    }

    /// Returns the destination and the format of the requested proof steps; `None` if the settings request no steps.
    pub(super) fn steps(&self) -> Option<(&Target, Steps)> {
        let target = self.settings().proof.as_ref()?;
        Some((target, target.steps()?))
    }

    /// Proves from the clauses of the encoding [`BASIS`](hamcnf_refute::BASIS) that there is no tour. Tries the chosen
    /// strategies in turn until a strategy does not give up.
    pub(super) fn prove(
        &self,
        tours: &Tours,
        result: RunResult,
        choose: impl FnOnce(ProofTask<'_>) -> Vec<ProofStrategy>,
    ) -> Result<RunResult, Failure> {
        let Some((target, form)) = self.steps() else { return Ok(result) };
        let instance = proof_instance(tours)?;
        let formula = basis(&instance).map_err(Refusal::new)?;
        let memory = self.memory();
        let does_not_fit = |clauses: u64| (form.room(clauses) > memory).then_some(clauses);
        // A lower bound on the number of clauses is known without generating them.
        let derivation = formula.derivation();
        let clauses = match does_not_fit(derivation.map_or(0, |derivation| derivation.n_transitive())) {
            Some(too_many) => too_many,
            None => formula.tally().total().clauses,
        };
        if let Some(many) = does_not_fit(clauses) {
            let why = format!(
                "LRAT keeps all {many} clauses of {} in memory to find antecedents, which takes {}, but the limit is {}; write DRAT instead (--proof FILE.drat), which keeps no clauses",
                formula.encoding(),
                Bytes(form.room(many)),
                Bytes(memory)
            );
            return Ok(result.refused(&why));
        }
        let mut strategies = choose(ProofTask {
            tours,
            instance: formula.instance(),
            clauses,
            has_hints: form.has_hints(),
            budget: &self.budget(),
        });
        // The other strategies prove properties of the graph and do not use the clauses of constraints.
        if instance.is_trivial() {
            strategies = vec![ProofStrategy::Solver { conflicts: None }];
        } else if instance.is_constrained() {
            let is_of_graph = |strategy: &ProofStrategy| matches!(strategy, ProofStrategy::Counting(_));
            // Subtour-elimination constraints are derived from the clauses.
            strategies.retain(|strategy| is_of_graph(strategy) && formula.derivation().is_some());
            if strategies.is_empty() {
                strategies.push(ProofStrategy::Solver { conflicts: None });
            }
        }
        // A proof that is written to a pipe cannot be restarted, so only the last strategy is tried.
        if target.file.metadata().is_ok_and(|found| !found.is_file()) {
            strategies.drain(..strategies.len().saturating_sub(1));
        }
        let begin = || StepProof::begin(target, form, &formula, clauses, tours);
        self.prove_by(&strategies, begin, &formula, result)
    }

    /// Proves that there is no tour. Uses the first strategy that does not give up.
    fn prove_by<'p>(
        &self,
        strategies: &[ProofStrategy],
        begin: impl Fn() -> Result<StepProof<'p>, CannotWrite>,
        formula: &Formula,
        mut result: RunResult,
    ) -> Result<RunResult, Failure> {
        let cpu = ThreadTime::now();
        let before = result.statistics.clone();
        let mut last = None;
        for strategy in strategies {
            // Metrics of an earlier strategy are dropped: the metrics describe only the proof that is kept.
            result.statistics = before.clone();
            let proof = begin()?;
            let outcome = self.attempt(strategy, formula, &proof.log(), &mut result)?;
            let gave_up = outcome == Refutation::GaveUp;
            last = Some((outcome, proof));
            if !gave_up {
                break;
            }
        }
        let Some((outcome, proof)) = last else { return Ok(result.ended(Status::GaveUp, NOTHING_TO_COUNT)) };
        result.variables = Some(formula.n_vars().into());
        result.clauses = Some(proof.clauses());
        result.encode_seconds.get_or_insert(0.0);
        result.solve_seconds.get_or_insert(cpu.elapsed().as_secs_f64());
        let result = match outcome {
            Refutation::NoTour => result.ended(Status::NoTour, ""),
            Refutation::Tour(tour) => result.found(tour),
            Refutation::Stopped if self.settings().stop.is_set() => result.ended(Status::Stopped, ""),
            Refutation::Stopped | Refutation::GaveUp => result.late(),
        };
        Ok(RunResult { evidence: proof.end(result.status)?.map(Ok), ..result })
    }

    /// Runs one strategy, which writes its steps to `log`.
    fn attempt(
        &self,
        strategy: &ProofStrategy,
        formula: &Formula,
        log: &SharedLog,
        result: &mut RunResult,
    ) -> Result<Refutation, Failure> {
        let observer = &self.settings().observer;
        observer.doing(|| format!("proving by {strategy} and {}", formula.encoding()));
        let budget = self.budget();
        let over = || budget.over().is_some();
        let seed = u32::try_from(self.settings().seed)?;
        Ok(match strategy {
            ProofStrategy::Counting(counting) => counted::prove(formula, log, counting, over)?,
            ProofStrategy::Solver { conflicts } => {
                let (outcome, done) = solver::solve(formula, log, seed, *conflicts, over)?;
                result.statistics.set("proof.conflicts", done);
                outcome
            }
            ProofStrategy::Propagator { literals } => {
                let options = propagator::Options { seed, ..propagator::Options::default() };
                let limits = propagator::Limits { literals: *literals, ..propagator::Limits::default() };
                let (outcome, statistics) = circuit::solve(formula, log, &options, limits, &budget)?;
                result.statistics.set("proof.conflicts", statistics.counters.conflicts);
                result.statistics.set("proof.literals", statistics.literals);
                result.statistics.set("proof.closings", statistics.closings);
                result.statistics.set("proof.cycles", statistics.cycles);
                result.statistics.set("proof.parts", statistics.parts);
                outcome
            }
            ProofStrategy::Lazy => {
                let (outcome, statistics) = cuts::solve(formula, log, seed, over)?;
                result.statistics.set("proof.conflicts", statistics.conflicts);
                result.statistics.set("proof.rounds", statistics.rounds);
                result.statistics.set("proof.cuts", statistics.cuts);
                outcome
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::BufReader;
    use std::sync::Arc;

    use super::*;
    use crate::run::{Event, Observer, Settings};
    use hamcnf_graph::Named;
    use hamcnf_graph::cancellation::CancellationToken;
    use hamcnf_questions::Question;
    use hamcnf_refute::{BASIS, checked};

    fn tours(question: &str) -> Arc<Tours> {
        match Question::load(question).unwrap() {
            Question::Tours(tours) => tours,
            Question::Queens(_) => unreachable!("nobody asks for queens"),
        }
    }

    /// Proves that the question has no tour, with these strategies. Checks the proof file, and returns its number of
    /// steps.
    fn proved(question: &str, strategies: &[ProofStrategy], form: Steps) -> u64 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("proof");
        let target = Target { file: file.clone(), form: Form::Steps(form), is_binary: false, formula: None };
        let settings = Settings { proof: Some(target), ..Settings::default() };
        let run = Run::begin(&settings);
        let tours = tours(question);
        let formula = Formula::new(BASIS.parse().unwrap(), &proof_instance(&tours).unwrap()).unwrap();
        let begin = || {
            let target = settings.proof.as_ref().unwrap();
            StepProof::begin(target, form, &formula, formula.tally().total().clauses, &tours)
        };
        let answered = run.prove_by(strategies, begin, &formula, RunResult::default()).unwrap();
        assert_eq!(answered.status, Status::NoTour);
        let information = answered.evidence.unwrap().unwrap();
        let reading = BufReader::new(File::open(&file).unwrap());
        let reading = checked::Reading::begin(reading, Form::Steps(form)).unwrap();
        let checked = reading.check(&tours, information.encoding.as_ref(), &|| false);
        assert!(checked.is_ok(), "{question}: {:?}", checked.err());
        information.size.additions
    }

    /// Tests that an answer is kept if the work is stopped as soon as the answer is known, before its proof is complete.
    #[test]
    fn an_answer_is_kept_if_its_proof_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        for ending in ["drat", "lrat", "pbp", "cert"] {
            let file = folder.path().join(format!("proof.{ending}"));
            for question in ["petersen:17:2", "cubic:300:1+no-cycle"] {
                let stop = CancellationToken::default();
                let known = stop.clone();
                let settings = Settings {
                    proof: Some(Target::new(file.clone(), false, None).unwrap()),
                    stop,
                    observer: Observer::new(move |event| {
                        if let Event::Known(result) = event
                            && result.status == Status::NoTour
                        {
                            known.set();
                        }
                    }),
                    ..Settings::default()
                };
                let method: Method = "auto".parse().unwrap();
                let answered = method.answer(&Question::load(question).unwrap(), &settings);
                let evidence = answered.result.evidence.unwrap();
                assert_eq!(answered.result.status, Status::NoTour, "{question} {ending}");
                assert_eq!(evidence.is_ok(), file.exists(), "{question} {ending}");
                assert!(ending == "cert" || !file.exists(), "{question} {ending}");
                let _ = std::fs::remove_file(&file);
            }
        }
    }

    #[test]
    fn a_strategy_that_gives_up_leaves_nothing_in_the_proof() {
        for &form in Steps::ALL {
            let lazy = proved("petersen:17:2", &[ProofStrategy::Lazy], form);
            let strategies = [
                ProofStrategy::Propagator { literals: Some(1) },
                ProofStrategy::Solver { conflicts: Some(1) },
                ProofStrategy::Lazy,
            ];
            assert_eq!(proved("petersen:17:2", &strategies, form), lazy, "{form:?}");
            for whole in [ProofStrategy::Propagator { literals: None }, ProofStrategy::Solver { conflicts: None }] {
                assert_ne!(proved("petersen:17:2", &[whole], form), lazy, "{form:?}");
            }
        }
    }
}
