//! Files with proofs, and files with the clauses from which proof steps start. The files are written atomically, so an
//! error never leaves half a proof.

use std::io::{self, Write};
use std::path::Path;

use hamcnf_encodings::{Clauses, DimacsWriter, Formula, Header};

use crate::run::Status;
use hamcnf_programs::atomic_file::{AtomicFile, CannotWrite};
use hamcnf_programs::temporary::folder_of;
use hamcnf_questions::{Head, Tours};
use hamcnf_refute::ProofInformation;
use hamcnf_sat::proof::{SharedLog, Steps, Target, Writer};

/// Step-by-step proof that is currently being written.
pub(in crate::method) struct StepProof<'p> {
    target: &'p Target,
    formula: &'p Formula,
    clauses: u64,
    tours: &'p Tours,
    log: SharedLog,
}

impl<'p> StepProof<'p> {
    /// Begins a proof that starts from the clauses of `formula`. `clauses` is their number.
    pub(super) fn begin(
        target: &'p Target,
        form: Steps,
        formula: &'p Formula,
        clauses: u64,
        tours: &'p Tours,
    ) -> Result<Self, CannotWrite> {
        let out = AtomicFile::create(&target.file)?;
        let folder = if out.is_device() { std::env::temp_dir() } else { folder_of(&target.file).to_owned() };
        let comments = Head::comments(tours, formula.encoding());
        let begun = Writer::new(Box::new(out), form, target.is_binary, clauses, &comments, &folder);
        let log = SharedLog::new(begun.map_err(CannotWrite::to(&target.file))?);
        Ok(Self { target, formula, clauses, tours, log })
    }

    /// Returns the log that receives the steps.
    pub(in crate::method) fn log(&self) -> SharedLog {
        self.log.clone()
    }

    /// Returns the number of clauses of the formula.
    pub(super) fn clauses(&self) -> u64 {
        self.clauses
    }

    /// Ends the proof. If the status is "no tour", completes the file. If the run ended without an answer, returns the
    /// log's write error, if there was one.
    pub(in crate::method) fn end(self, status: Status) -> Result<Option<ProofInformation>, CannotWrite> {
        match status {
            Status::NoTour => self.finish().map(Some),
            Status::Tour => Ok(None),
            _ if self.log.lock().has_failed() => self.finish().map(Some),
            _ => Ok(None),
        }
    }

    fn finish(self) -> Result<ProofInformation, CannotWrite> {
        // The file with the formula is completed directly after the proof's file: either both files appear, or neither.
        let formula = match &self.target.formula {
            Some(file) if !self.log.lock().has_failed() => Some((file, self.write_formula(file)?)),
            _ => None,
        };
        let size = self.log.end().map_err(CannotWrite::to(&self.target.file))?;
        if let Some((file, whole)) = formula {
            whole.finish().map_err(CannotWrite::to(file))?;
        }
        Ok(ProofInformation { size, encoding: Some(self.formula.encoding().clone()), is_split: self.tours.is_split() })
    }

    /// Writes the clauses to an atomic file. The caller must complete the file.
    fn write_formula(&self, file: &Path) -> Result<AtomicFile, CannotWrite> {
        let header = Header {
            comments: &Head::comments(self.tours, self.formula.encoding()),
            variables: self.formula.n_vars(),
            clauses: self.clauses,
            projection: None,
            names: None,
        };
        let mut out = AtomicFile::create(file)?;
        let mut writer = DimacsWriter::new(&mut out, &header);
        self.formula.emit(&mut writer);
        writer.finish().map_err(|error| CannotWrite::to(file)(io::Error::other(error)))?;
        Ok(out)
    }
}

/// Writes the bytes to a file atomically.
pub(super) fn write(file: &Path, bytes: &[u8]) -> Result<(), CannotWrite> {
    let mut whole = AtomicFile::create(file)?;
    whole.write_all(bytes).and_then(|()| whole.finish()).map_err(CannotWrite::to(file))
}
