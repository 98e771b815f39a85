//! Proofs beside answers that there is no tour.

use std::fmt;
use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use hamcnf_encodings::{Clauses, DimacsWriter, Encoding, Formula, Header, Tally};

use super::way::{Choice, Way};

use crate::machine::VERSION;
use crate::question::Tours;
use crate::refute::about::about;
use crate::refute::circuit;
use crate::refute::{BASIS, Refutation, counted, cuts, solver};
use crate::run::{Failure, Run, RunResult, Status, Unwritten, Written};
use hamcnf_engines::budget::Budget;
use hamcnf_engines::count::frontier::Bytes;
use hamcnf_engines::cycle::propagator;
use hamcnf_engines::portfolio::Argument;
use hamcnf_engines::proof::{self, Form, SharedLog};
use hamcnf_engines::search::Proof;
use hamcnf_engines::whole::{CannotWrite, Whole};

impl Run<'_> {
    /// Begins the proof that is wanted, if one is, about a formula.
    pub(super) fn proof_of(
        &self,
        formula: &Formula,
        tours: &Tours,
    ) -> Result<Option<SharedLog>, Failure> {
        let target = self.settings().proof.as_ref();
        let begun = target.map(|target| begin(target, formula, n_clauses(formula), tours));
        Ok(begun.transpose()?)
    }

    /// An answer that there is no tour, with its proof, if that is finished in time.
    pub(super) fn and_its_proof(
        &self,
        tours: &Tours,
        by: Option<Argument>,
        answered: RunResult,
    ) -> Result<RunResult, Failure> {
        // Whatever becomes of the proof, that is the answer.
        self.knows(&answered);
        let found = match &answered.proof {
            Some(Proof::Obstruction(found)) => Some(found),
            _ => None,
        };
        let ways = |of: Choice<'_>| match (found, by) {
            (Some(found), _) => of.obstructed(found),
            (None, Some(Argument::NoFactor)) => of.without_a_factor(),
            (None, by) => of.searched(by),
        };
        let written = match self.derived(tours, answered.clone(), ways) {
            Ok(proved) => match proved.status {
                Status::Tour => return Err(CONTRADICTION.into()),
                Status::Refused => Some(Err(Unwritten(proved.message))),
                _ => proved.written,
            },
            Err(failure) => Some(Err(Unwritten(failure.to_string()))),
        };
        Ok(RunResult {
            written,
            ..answered
        })
    }

    /// Ends a proof, and writes the clauses that it is about where they are wanted.
    pub(super) fn written(
        &self,
        log: SharedLog,
        formula: &Formula,
        tours: &Tours,
    ) -> Result<Written, Failure> {
        let target = self.settings().proof.as_ref();
        // It has its name when the proof has: there are both, or none.
        let file = target.and_then(|target| target.formula.as_ref());
        let clauses = match file.filter(|_| !log.lock().has_failed()) {
            Some(file) => {
                let whole = write_formula(formula, tours, file);
                Some((file, whole.map_err(|why| cannot_write(file, &why))?))
            }
            None => None,
        };
        let size = log.end().map_err(|error| {
            let file = target.map_or_else(PathBuf::new, |target| target.file.clone());
            cannot_write(&file, &error)
        })?;
        if let Some((file, whole)) = clauses {
            whole.finish().map_err(|why| cannot_write(file, &why))?;
        }
        Ok(Written {
            size,
            encoding: formula.encoding().clone(),
        })
    }

    /// Proves by counting, where degrees alone cannot be had, and else with cuts in rounds.
    pub(super) fn lazily(&self, tours: &Tours, result: RunResult) -> Result<RunResult, Failure> {
        self.derived(tours, result, |of| {
            let counting = of.counting();
            match counting.is_empty() {
                true => vec![Way::Rounds],
                false => counting,
            }
        })
    }

    /// Proves from the clauses of [`BASIS`], in the ways that `choose` gives, one after the other until one does not give up.
    pub(super) fn derived(
        &self,
        tours: &Tours,
        result: RunResult,
        choose: impl FnOnce(Choice<'_>) -> Vec<Way>,
    ) -> Result<RunResult, Failure> {
        let Some(target) = &self.settings().proof else {
            return Ok(result);
        };
        let encoding: Encoding = BASIS.parse()?;
        let formula = match Formula::new(encoding, &about(tours)?) {
            Ok(formula) => formula,
            Err(refusal) => return Ok(result.refused(&refusal)),
        };
        let form = target.format.form;
        let (memory, has_hints) = (self.memory(), form == Form::Lrat);
        let does_not_fit = |clauses: u64| (form.room(clauses) > memory).then_some(clauses);
        // Most clauses are known without making them.
        let derivation = formula.derivation();
        let fewest = derivation.map_or(0, |derivation| derivation.n_transitive());
        let clauses = match does_not_fit(fewest) {
            Some(too_many) => too_many,
            None => n_clauses(&formula),
        };
        if let Some(many) = does_not_fit(clauses) {
            let why = format!(
                "LRAT keeps the {many} clauses of {} to find antecedents, which takes {} of memory, and {} may be used; DRAT \
                 (--proof FILE.drat) keeps none",
                formula.encoding(),
                Bytes(form.room(many)),
                Bytes(memory)
            );
            return Ok(result.refused(&why));
        }
        let budget = Budget::new(self.deadline(), self.settings().stop.clone());
        let mut ways = choose(Choice {
            tours,
            about: formula.instance(),
            clauses,
            has_hints,
            budget: &budget,
        });
        // A proof in a pipe cannot be begun again.
        if self.proof_goes_to_a_device() {
            ways.drain(..ways.len().saturating_sub(1));
        }
        if ways.is_empty() {
            return Ok(result.ended(Status::GaveUp, NOTHING_TO_COUNT));
        }
        self.derived_by(&ways, target, &formula, clauses, tours, result)
    }

    fn proof_goes_to_a_device(&self) -> bool {
        let file = self.settings().proof.as_ref().map(|target| &target.file);
        file.is_some_and(|file| file.metadata().is_ok_and(|found| !found.is_file()))
    }

    /// Proves in one of these ways: the first that does not give up.
    fn derived_by(
        &self,
        ways: &[Way],
        target: &proof::Target,
        formula: &Formula,
        clauses: u64,
        tours: &Tours,
        mut result: RunResult,
    ) -> Result<RunResult, Failure> {
        let cpu = ThreadTime::now();
        let before = result.effort.clone();
        let mut found_out = None;
        for way in ways {
            // Figures are of the proof that is written.
            result.effort = before.clone();
            let log = begin(target, formula, clauses, tours)?;
            let outcome = self.look_for_a_proof(way, formula, &log, &mut result)?;
            let gave_up = outcome == Refutation::GaveUp;
            found_out = Some((outcome, log));
            if !gave_up {
                break;
            }
        }
        let Some((outcome, log)) = found_out else {
            return Ok(result);
        };
        result.variables = Some(formula.n_vars().into());
        result.clauses = Some(clauses);
        result.encode_seconds.get_or_insert(0.0);
        result
            .solve_seconds
            .get_or_insert(cpu.elapsed().as_secs_f64());
        if !matches!(outcome, Refutation::Tour(_)) && log.lock().has_failed() {
            self.written(log.clone(), formula, tours)?;
        }
        Ok(match outcome {
            Refutation::NoTour => RunResult {
                written: Some(Ok(self.written(log, formula, tours)?)),
                ..result.ended(Status::NoTour, "")
            },
            Refutation::Tour(tour) => result.found(tour),
            Refutation::Stopped if self.settings().stop.is_set() => {
                result.ended(Status::Stopped, "")
            }
            Refutation::Stopped | Refutation::GaveUp => result.late(),
        })
    }

    /// Looks for a proof in one way.
    fn look_for_a_proof(
        &self,
        way: &Way,
        formula: &Formula,
        log: &SharedLog,
        result: &mut RunResult,
    ) -> Result<Refutation, Failure> {
        let observer = &self.settings().observer;
        observer.doing(|| format!("proving by {way} and {}", formula.encoding()));
        let budget = Budget::new(self.deadline(), self.settings().stop.clone());
        let over = || budget.over().is_some();
        let seed = u32::try_from(self.settings().seed)?;
        Ok(match way {
            Way::Counting(counting) => counted::prove(formula, log, counting, over)?,
            Way::Solver { conflicts } => {
                let (outcome, done) = solver::solve(formula, log, seed, *conflicts, over)?;
                result.effort.set("proof.conflicts", done);
                outcome
            }
            Way::Propagator { literals } => {
                let options = propagator::Options {
                    seed,
                    literals: *literals,
                    ..propagator::Options::default()
                };
                let (outcome, effort) = circuit::solve(formula, log, &options, &budget)?;
                result.effort.set("proof.conflicts", effort.conflicts);
                result.effort.set("proof.literals", effort.literals);
                result.effort.set("proof.closings", effort.closings);
                result.effort.set("proof.cycles", effort.cycles);
                result.effort.set("proof.parts", effort.parts);
                outcome
            }
            Way::Rounds => {
                let (outcome, effort) = cuts::solve(formula, log, seed, over)?;
                result.effort.set("proof.conflicts", effort.conflicts);
                result.effort.set("proof.rounds", effort.rounds);
                result.effort.set("proof.cuts", effort.cuts);
                outcome
            }
        })
    }
}

/// Begins a proof in this file.
fn begin(
    target: &proof::Target,
    formula: &Formula,
    clauses: u64,
    tours: &Tours,
) -> Result<SharedLog, CannotWrite> {
    let about = proof::About {
        question: &tours.to_string(),
        graph: tours.checksum(),
    };
    target.begin(&about, formula, clauses)
}

fn n_clauses(formula: &Formula) -> u64 {
    let mut tally = Tally::default();
    formula.emit(&mut tally);
    tally.total().clauses
}

/// Writes the clauses that a proof is about, to a file that has no name yet.
fn write_formula(formula: &Formula, tours: &Tours, file: &Path) -> Result<Whole, Failure> {
    let mut comments = vec![
        format!("hamcnf {VERSION}"),
        format!("{}{tours}", proof::QUESTION),
        format!("{}{}", proof::ENCODING, formula.encoding()),
    ];
    if !tours.checksum().is_empty() {
        comments.push(format!("{}{}", proof::GRAPH, tours.checksum()));
    }
    let header = Header {
        comments: &comments,
        variables: formula.n_vars(),
        clauses: n_clauses(formula),
        projection: None,
        names: None,
    };
    let whole = Whole::create(file).map_err(|error| match error {
        CannotWrite::Io { source, .. } => Failure::from(source),
        other => other.into(),
    })?;
    let mut writer = DimacsWriter::new(whole, &header);
    formula.emit(&mut writer);
    Ok(writer.finish()?)
}

fn cannot_write(file: &Path, why: &dyn fmt::Display) -> String {
    format!("cannot write {}: {why}", file.display())
}

const NOTHING_TO_COUNT: &str = "there is nothing here that can be counted";
const CONTRADICTION: &str =
    "one part found that there is no tour and another found one, which is an error in this program";

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::BufReader;
    use std::sync::Arc;

    use super::*;
    use crate::question::Question;
    use crate::refute::checked;
    use crate::run::Settings;

    fn tours(question: &str) -> Arc<Tours> {
        match Question::load(question).unwrap() {
            Question::Tours(tours) => tours,
            Question::Queens(_) => unreachable!("nobody asks for queens"),
        }
    }

    /// Proves it in this way. What the file says is checked, and how much it says is the answer.
    fn proved(question: &str, ways: &[Way], form: Form) -> u64 {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("proof");
        let target = proof::Target {
            file: file.clone(),
            format: proof::Format {
                form,
                binary: false,
            },
            formula: None,
        };
        let settings = Settings {
            proof: Some(target),
            ..Settings::default()
        };
        let run = Run::begin(&settings);
        let tours = tours(question);
        let formula = Formula::new(BASIS.parse().unwrap(), &about(&tours).unwrap()).unwrap();
        let answered = {
            let clauses = n_clauses(&formula);
            let target = settings.proof.as_ref().unwrap();
            run.derived_by(
                ways,
                target,
                &formula,
                clauses,
                &tours,
                RunResult::default(),
            )
        };
        let answered = answered.unwrap();
        assert_eq!(answered.status, Status::NoTour);
        let written = answered.written.unwrap().unwrap();
        let reading = BufReader::new(File::open(&file).unwrap());
        let reading = checked::Reading::begin(reading, form).unwrap();
        let checked = reading.check(&tours, Some(&written.encoding), &|| false);
        assert!(checked.is_ok(), "{question}: {:?}", checked.err());
        written.size.additions
    }

    #[test]
    fn of_a_way_that_gives_up_nothing_is_left_in_the_proof() {
        for form in [Form::Drat, Form::Lrat, Form::VeriPb] {
            let rounds = proved("petersen:17:2", &[Way::Rounds], form);
            let ways = [
                Way::Propagator { literals: Some(1) },
                Way::Solver { conflicts: Some(1) },
                Way::Rounds,
            ];
            assert_eq!(proved("petersen:17:2", &ways, form), rounds, "{form:?}");
            for whole in [
                Way::Propagator { literals: None },
                Way::Solver { conflicts: None },
            ] {
                assert_ne!(proved("petersen:17:2", &[whole], form), rounds, "{form:?}");
            }
        }
    }
}
