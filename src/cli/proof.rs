//! Messages about proofs that there is no tour: where a proof was written, or why it is missing.

use std::path::Path;
use std::time::{Duration, Instant};

use clap::ValueHint;
use hamcnf::budget::Budget;
use hamcnf::cancellation::CancellationToken;
use hamcnf::check::steps_in_words;
use hamcnf::method::Method;
use hamcnf::proof::{Form, Steps, Target};
use hamcnf::question::Tours;
use hamcnf::record::{Record, Status};
use hamcnf::refute::certificate::{self, Known, NoOrder};
use hamcnf::refute::instance::proof_instance;
use hamcnf::refute::{ProofInformation, ProofMissing, is_basis};
use hamcnf::search::Proof;
use hamcnf::{Encoding, Formula, Obstruction};
use serde_json::{Value, json};

use super::interrupt::limit;
use super::output_file::OutputFile;
use super::verbosity::note;
use super::{complain, output};

/// Options about proofs.
#[derive(clap::Args)]
pub(crate) struct Proving {
    /// If there is no tour, write a proof to this file: a short certificate (.cert), or a derivation from an encoding's
    /// clauses (.drat, .lrat, or .pbp for VeriPB). The file is compressed if the name also ends in .gz or .zst
    #[arg(long, value_name = "FILE", conflicts_with = "explain", value_hint = ValueHint::FilePath)]
    proof: Option<OutputFile>,
    /// Exit with 1 instead of 20 if there is no tour but the proof could not be written
    #[arg(long, requires = "proof")]
    pub(crate) require_proof: bool,
    /// Write a binary proof instead of text (.drat and .lrat)
    #[arg(long, requires = "proof")]
    binary: bool,
    /// Write the formula that the proof refutes to this DIMACS file; its comments name the question and the encoding
    #[arg(long, value_name = "FILE", requires = "proof", value_hint = ValueHint::FilePath)]
    cnf: Option<OutputFile>,
}

impl Proving {
    /// Returns the target of the proof, if one is requested. Rejects a file that cannot be written.
    pub(crate) fn target(&self) -> anyhow::Result<Option<Target>> {
        let Some(file) = &self.proof else {
            return Ok(None);
        };
        output::writable(file)?;
        self.cnf.as_deref().map_or(Ok(()), output::writable)?;
        let target = Target::new(file.to_path_buf(), self.binary, self.cnf.as_deref().map(Path::to_owned))?;
        Ok(Some(target))
    }
}

/// Warns if the tours are excluded by a counting argument on a graph that is not small, because such a proof has very
/// many steps in clauses. With auxiliary definitions for counting, the proof has megabytes. From the encoding's own
/// clauses alone, the proof takes too long to find.
pub(crate) fn warn_of(target: &Target, tours: &Tours, method: &Method) {
    const FEW: u32 = 40;
    let instance = tours.instance();
    let clausal = target.steps().filter(|steps| *steps != Steps::VeriPb);
    if instance.n() <= FEW || clausal.is_none() {
        return;
    }
    let is_exact =
        |encoding: &Encoding| Formula::new(encoding.clone(), instance).is_ok_and(|formula| formula.is_exact());
    let defines = !method.encoding().is_some_and(is_exact);
    let few = if defines { 150 } else { FEW };
    let counts = |found: &Obstruction| matches!(found.kind, "colours" | "many-parts");
    if instance.n() > few && tours.obstruction().is_some_and(|found| counts(&found)) {
        note(if defines {
            "the proof is a counting argument, which needs many steps if it is derived from clauses; a .cert or .pbp file has only a few lines"
        } else {
            "the proof is a counting argument, which needs very many steps if it is derived from these clauses; without -e, a .drat file is shorter, and a .cert or .pbp file has only a few lines"
        });
    }
}

/// Returns the object that describes the requested proof in the output of `--json`.
pub(crate) fn json(target: &Target, answered: &Record) -> Value {
    let mut proof = json!({
        "form": target.form.to_string(),
        "file": target.file.display().to_string(),
        "written": is_written(answered),
    });
    match written(answered) {
        None => proof["reason"] = json!(missing(answered)),
        Some(ProofInformation { size, encoding, .. }) => {
            if encoding.is_some() {
                proof["steps"] = json!(size.additions);
            }
            proof["bytes"] = json!(size.bytes);
            if let Some(encoding) = encoding {
                proof["encoding"] = json!(encoding.to_string());
            }
        }
    }
    proof
}

/// True if the proof was written.
pub(crate) fn is_written(answered: &Record) -> bool {
    written(answered).is_some()
}

/// Returns information about the proof that was written; `None` if no proof was written.
fn written(answered: &Record) -> Option<&ProofInformation> {
    answered.evidence.as_ref()?.as_ref().ok()
}

/// Returns the reason why no proof was written.
fn missing(answered: &Record) -> String {
    match (answered.status, &answered.evidence) {
        (Status::NoTour, None | Some(Err(ProofMissing::Limit))) => {
            format!("the proof was not complete before the {}", limit())
        }
        (Status::NoTour, Some(Err(missing))) => missing.to_string(),
        (Status::Tour, _) => "there is a tour".to_owned(),
        _ => "it is not known whether there is a tour".to_owned(),
    }
}

/// Reports whether the proof was written, and what to do if it was not.
pub(crate) fn say(target: &Target, tours: &Tours, answered: &Record) {
    let file = target.file.display();
    if let Some(information) = written(answered) {
        return say_how_to_check(target, tours, information);
    }
    let why = missing(answered);
    match (answered.status, &answered.evidence, target.form) {
        (Status::Tour, ..) => note(&format!("{file} was not written: {why}, checked move by move")),
        (Status::NoTour, evidence, Form::Certificate) => {
            let other = match evidence {
                Some(Err(ProofMissing::Failed(_))) => "",
                _ => {
                    "; try DRAT (--proof FILE.drat), which exists for every graph but is slow and long for large graphs"
                }
            };
            complain(&format!("{file} was not written: {why}{other}"));
        }
        (Status::NoTour, _, Form::Steps(_)) => {
            let seen = &answered.message;
            let seen = match seen.is_empty() {
                true => String::new(),
                false => format!(" ({seen})"),
            };
            let mend = mend(tours, answered);
            complain(&format!("{file} was not written: there is no tour{seen}, but {why}; {mend}"));
        }
        _ => note(&format!("{file} was not written: {why}")),
    }
}

/// Returns advice for a proof whose steps were not written. Recommends a certificate if the question may have one.
fn mend(tours: &Tours, answered: &Record) -> &'static str {
    const PATIENCE: Duration = Duration::from_secs(1);
    let budget = Budget::new(Instant::now().checked_add(PATIENCE), CancellationToken::default());
    let known = Known {
        obstruction: match &answered.proof {
            Some(Proof::Obstruction(found)) => Some(found),
            _ => None,
        },
        by: answered.asked.method.argument(),
    };
    let undirected = tours.undirected();
    let tours = undirected.as_ref().unwrap_or(tours);
    match certificate::find(tours, known, &budget) {
        Ok(_) => "write a certificate of a few lines instead: --proof FILE.cert",
        Err(NoOrder::Wide(_)) => "no certificate exists for this graph: allow more time or memory for the steps",
        // The search for a certificate took too long, so the graph may have none.
        Err(_) => "allow more time or memory for the steps",
    }
}

/// Reports the steps that were written, and the command that checks them. Reports nothing for a certificate, because a
/// certificate contains its question.
fn say_how_to_check(target: &Target, tours: &Tours, information: &ProofInformation) {
    let (Some(form), Some(encoding)) = (target.steps(), &information.encoding) else {
        return;
    };
    let (file, steps, bytes) =
        (target.file.display(), steps_in_words(information.size.additions), information.size.bytes);
    // A proof without comments is checked with this encoding by default, on the undirected form if there is one.
    let undirected = tours.undirected().ok();
    let is_split = undirected.as_ref().is_some_and(Tours::is_split);
    let instance = proof_instance(undirected.as_ref().unwrap_or(tours)).ok();
    let is_default = || instance.is_some_and(|instance| is_basis(encoding, &instance));
    let is_named = form == Steps::VeriPb || information.is_split == is_split && is_default();
    let said = match is_named {
        true => String::new(),
        false => format!(" -e {encoding}"),
    };
    note(&format!(
        "{file}: {form}, {steps}, {bytes} bytes, from the clauses of {encoding}; check it with: hamcnf verify '{tours}'{said} --proof {file}"
    ));
}
