//! Proofs beside answers that there is no tour.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use cpu_time::ThreadTime;
use hamcnf_encodings::check::{self, Unproved};
use hamcnf_encodings::{
    Clauses, DimacsWriter, Encoding, Formula, Header, Instance, Obstruction, Tally, TourKind,
};

use super::{Answered, Failure, Settings, Work, Written, found, late, refused};
use crate::count::frontier::Bytes;
use crate::cycle::{Watch, propagator};
use crate::ends::Ends;
use crate::machine::VERSION;
use crate::method::{Prove, Prover};
use crate::portfolio::Part;
use crate::proof::{self, Form, SharedLog};
use crate::question::Tours;
use crate::record::{Record, Status};
use crate::refute::about::about;
use crate::refute::certificate::{self, Known, NoOrder};
use crate::refute::checked::{self, NotChecked};
use crate::refute::circuit;
use crate::refute::counted::{self, Counting};
use crate::refute::cuts::{self, Outcome};
use crate::search::Proof;
use crate::solve::Phases;
use crate::temporary::Temporary;
use crate::whole::Whole;

impl Work<'_> {
    /// Begins the proof that is wanted, if one is, about a formula.
    pub(super) fn proof_of(
        &self,
        formula: &Formula,
        tours: &Tours,
    ) -> Result<Option<SharedLog>, Failure> {
        let Some(target) = &self.settings.proof else {
            return Ok(None);
        };
        let about = proof::About {
            question: &tours.to_string(),
            graph: tours.checksum(),
        };
        Ok(Some(target.begin(&about, formula)?))
    }

    /// Proves that there is no tour, and checks the proof: there is none if both succeed.
    pub(super) fn prove(
        &self,
        how: &Prove,
        tours: &Tours,
        record: Record,
    ) -> Result<Answered, Failure> {
        if how.by == Prover::Certificate {
            return self.certify(tours, record);
        }
        let file = Temporary::for_a_child(".proof")?;
        let target = proof::Target {
            file: file.file().path().to_owned(),
            format: proof::Format {
                form: how.form,
                binary: how.form != Form::VeriPb,
            },
            formula: None,
        };
        let settings = Settings {
            proof: Some(target),
            ..self.settings.clone()
        };
        let work = Work {
            settings: &settings,
            began: self.began,
        };
        let cpu = ThreadTime::now();
        let mut answered = match &how.by {
            Prover::Encoding(encoding) => work.solve(encoding, Phases::default(), tours, record)?,
            Prover::Counting => work.derived(tours, How::Counting, record)?,
            Prover::Propagator => work.derived(tours, How::Cuts(Some(Part::Propagator)), record)?,
            Prover::Cuts | Prover::Certificate => work.derived(tours, How::Cuts(None), record)?,
        };
        let record = &mut answered.record;
        let solving = cpu.elapsed().as_secs_f64();
        record.solve_seconds.get_or_insert(solving);
        let Some(written) = &answered.written else {
            return Ok(match (answered.record.status, tours.ends()) {
                // Of these it is not the tour that was asked for.
                (Status::Tour, Ends::Open { from: None, .. } | Ends::Open { to: Some(_), .. }) => {
                    answered.record.ended(Status::GaveUp, HAS_TOURS).into()
                }
                _ => answered,
            });
        };
        record.effort.set("proof.steps", written.size.additions);
        record.effort.set("proof.bytes", written.size.bytes);
        self.settings
            .listener
            .doing(|| "checking the proof".to_owned());
        let file = BufReader::new(File::open(file.file().path())?);
        let reading = checked::Reading::begin(file, how.form)?;
        let stop = || self.settings.stop.is_set() || self.left().is_some_and(|left| left.is_zero());
        let cpu = ThreadTime::now();
        let checked = reading.check(tours, Some(&written.encoding), &stop);
        let checking = cpu.elapsed();
        record
            .effort
            .set("check.milliseconds", checking.as_millis() as u64);
        match checked {
            Ok(_) => Ok(answered),
            Err(NotChecked::Unproved { why, .. }) if matches!(*why, Unproved::Stopped { .. }) => {
                Ok(late(answered.record).into())
            }
            Err(wrong) => Err(wrong.into()),
        }
    }

    /// The same by a reason of a few lines.
    fn certify(&self, tours: &Tours, mut record: Record) -> Result<Answered, Failure> {
        let watch = Watch::new(self.deadline(), self.settings.stop.clone());
        let cpu = ThreadTime::now();
        let reason = match certificate::find(tours, Known::Nothing, &watch) {
            Ok((reason, _)) => reason,
            Err(NoOrder::Late(_)) => return Ok(late(record).into()),
            Err(error) => return Ok(record.ended(Status::GaveUp, error.to_string()).into()),
        };
        record.solve_seconds = Some(cpu.elapsed().as_secs_f64());
        let asked = certificate::asked(tours);
        let mut bytes = Vec::new();
        check::certificate::write(&asked, &reason, "", &mut bytes)?;
        record.effort.set("proof.bytes", bytes.len() as u64);
        let stop = || watch.over().is_some();
        let limits = check::certificate::Limits {
            stop: &stop,
            ..check::certificate::Limits::default()
        };
        let cpu = ThreadTime::now();
        let reading = check::certificate::Reading::begin(bytes.as_slice())?;
        let verified = check::certificate::check(&asked, &reading.reason(&asked)?, &limits);
        let milliseconds = cpu.elapsed().as_millis() as u64;
        record.effort.set("check.milliseconds", milliseconds);
        match verified {
            Ok(_) => Ok(record
                .ended(Status::NoTour, reason.kind().to_string())
                .into()),
            // An order proves nothing where there is a tour.
            Err(why) => Ok(record.ended(Status::GaveUp, why.to_string()).into()),
        }
    }

    /// An answer that there is no tour, with its proof, if that is finished in time.
    pub(super) fn and_its_proof(
        &self,
        tours: &Tours,
        by: Option<Part>,
        answered: Answered,
    ) -> Result<Answered, Failure> {
        // Whatever becomes of the proof, that is the answer.
        self.knows(&answered.record);
        let found = match &answered.proof {
            Some(Proof::Obstruction(found)) => Some(found),
            _ => None,
        };
        let how = match (found, by) {
            (Some(found), _) => How::Obstructed(found),
            (None, Some(Part::Factor)) => How::NoFactor,
            (None, by) => How::Lazily(by),
        };
        let proved = self.derived(tours, how, answered.record.clone())?;
        match proved.record.status {
            Status::Tour => Err(CONTRADICTION.into()),
            Status::Refused => Ok(proved),
            _ => Ok(Answered {
                written: proved.written,
                ..answered
            }),
        }
    }

    /// Ends a proof, and writes the clauses that it is about where they are wanted.
    pub(super) fn written(
        &self,
        log: SharedLog,
        formula: &Formula,
        tours: &Tours,
    ) -> Result<Written, Failure> {
        let target = self.settings.proof.as_ref();
        if let Some(file) = target.and_then(|target| target.formula.as_ref())
            && !log.lock().has_failed()
        {
            write_formula(formula, tours, file)?;
        }
        let size = log.end().map_err(|error| {
            let file = target.map_or_else(String::new, |target| target.file.display().to_string());
            format!("cannot write {file}: {error}")
        })?;
        Ok(Written {
            size,
            encoding: formula.encoding().clone(),
        })
    }

    /// Proves by counting, where degrees alone cannot be had, and else with cuts in rounds.
    pub(super) fn lazily(&self, tours: &Tours, record: Record) -> Result<Answered, Failure> {
        self.derived(tours, How::Lazily(None), record)
    }

    /// Proves of the question's formula in the encoding that derives cuts.
    fn derived(
        &self,
        tours: &Tours,
        how: How<'_>,
        mut record: Record,
    ) -> Result<Answered, Failure> {
        let encoding: Encoding = cuts::ENCODING.parse()?;
        let formula = match Formula::new(encoding, &about(tours)?) {
            Ok(formula) => formula,
            Err(refusal) => return Ok(refused(record, &refusal)),
        };
        let Some(log) = self.proof_of(&formula, tours)? else {
            return Ok(record.into());
        };
        let (room, memory) = (log.lock().room(), self.memory());
        if room > memory {
            let why = format!(
                "steps of LRAT say which of the {} clauses of {} they follow from, and to keep these takes {}, where {} may be \
                 used: DRAT keeps none",
                n_clauses(&formula),
                formula.encoding(),
                Bytes(room),
                Bytes(memory)
            );
            return Ok(refused(record, &why));
        }
        let listener = &self.settings.listener;
        let watch = Watch::new(self.deadline(), self.settings.stop.clone());
        let counting = counting(tours, how, formula.instance(), &watch);
        if counting.is_none() && matches!(how, How::Counting) {
            return Ok(record.ended(Status::GaveUp, NOTHING_TO_COUNT).into());
        }
        let by = if counting.is_some() {
            "counting"
        } else {
            "cuts"
        };
        listener.doing(|| format!("proving by {by} and {}", formula.encoding()));
        let (stop, deadline) = (self.settings.stop.clone(), self.deadline());
        let over =
            move || stop.is_set() || deadline.is_some_and(|end| std::time::Instant::now() >= end);
        let seed = u32::try_from(self.settings.seed)?;
        let closed = formula.instance().kind() == TourKind::Closed;
        let propagates = matches!(
            how,
            How::Cuts(Some(Part::Propagator | Part::Core))
                | How::Lazily(Some(Part::Propagator | Part::Core))
        );
        let cpu = ThreadTime::now();
        let outcome = if let Some(counting) = counting {
            counted::prove(&formula, &log, &counting, over)?
        } else if closed && propagates {
            let options = propagator::Options {
                seed,
                ..propagator::Options::default()
            };
            let (outcome, effort) = circuit::solve(&formula, &log, &options, &watch)?;
            record.effort.set("proof.conflicts", effort.conflicts);
            record.effort.set("proof.closings", effort.closings);
            record.effort.set("proof.cycles", effort.cycles);
            record.effort.set("proof.parts", effort.parts);
            outcome
        } else {
            let (outcome, effort) = cuts::solve(&formula, &log, seed, over)?;
            record.effort.set("proof.conflicts", effort.conflicts);
            record.effort.set("proof.rounds", effort.rounds);
            record.effort.set("proof.cuts", effort.cuts);
            outcome
        };
        record.variables = Some(formula.n_vars().into());
        record.clauses = Some(n_clauses(&formula));
        record.encode_seconds.get_or_insert(0.0);
        record
            .solve_seconds
            .get_or_insert(cpu.elapsed().as_secs_f64());
        if !matches!(outcome, Outcome::Tour(_)) && log.lock().has_failed() {
            self.written(log.clone(), &formula, tours)?;
        }
        Ok(match outcome {
            Outcome::NoTour => Answered {
                written: Some(self.written(log, &formula, tours)?),
                ..record.ended(Status::NoTour, "").into()
            },
            Outcome::Tour(tour) => found(record, tour),
            Outcome::Stopped if self.settings.stop.is_set() => {
                record.ended(Status::Stopped, "").into()
            }
            Outcome::Stopped => late(record).into(),
        })
    }
}

/// What can be counted, if anything.
fn counting(tours: &Tours, how: How<'_>, about: &Instance, watch: &Watch) -> Option<Counting> {
    let seen;
    let found = match how {
        How::Obstructed(found) => Some(found),
        How::NoFactor => None,
        How::Counting | How::Lazily(_) => {
            seen = tours.ends().obstruction(tours.instance());
            seen.as_ref()
        }
        How::Cuts(_) => return None,
    };
    counted::of(tours, found, about, watch)
}

/// How there is known to be no tour, after which it is proved.
#[derive(Clone, Copy)]
enum How<'o> {
    /// By an obstruction.
    Obstructed(&'o Obstruction),
    /// There is no 2-factor.
    NoFactor,
    /// By what can be counted, if that is anything.
    Counting,
    /// The same, and else as below.
    Lazily(Option<Part>),
    /// By cuts, or by this part: the propagator proves what it has found, and cuts in rounds all else.
    Cuts(Option<Part>),
}

fn n_clauses(formula: &Formula) -> u64 {
    let mut tally = Tally::default();
    formula.emit(&mut tally);
    tally.total().clauses
}

/// Writes the clauses that a proof is about.
fn write_formula(formula: &Formula, tours: &Tours, file: &Path) -> Result<(), Failure> {
    let header = Header {
        comments: &[
            format!("hamcnf {VERSION}"),
            format!("{}{tours}", proof::QUESTION),
            format!("{}{}", proof::ENCODING, formula.encoding()),
        ],
        variables: formula.n_vars(),
        clauses: n_clauses(formula),
        projection: None,
        names: None,
    };
    let mut writer = DimacsWriter::new(Whole::create(file)?, &header);
    formula.emit(&mut writer);
    Ok(writer.finish()?.finish()?)
}

const NOTHING_TO_COUNT: &str = "there is nothing here that can be counted";
const HAS_TOURS: &str = "there is a tour, and so no proof that there is none";
const CONTRADICTION: &str =
    "one part found that there is no tour and another found one, which is an error in this program";
