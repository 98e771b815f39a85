//! Where proofs go that there is no tour, and what can be written there.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::bail;

use hamcnf::budget::Budget;
use hamcnf::method::{Method, Solve};
use hamcnf::pipeline::{Answered, Certificate, NoCertificate};
use hamcnf::proof;
use hamcnf::question::Tours;
use hamcnf::record::Status;
use hamcnf::refute::BASIS;
use hamcnf::run::Written;
use hamcnf::stop::Stop;
use hamcnf::{Encoding, Formula, Named, Obstruction};
use serde::Serialize;

use super::interrupt::{Hold, limit};
use super::loudness::note;
use super::progress::Progress;
use super::{complain, output};

/// Where a proof goes, by the ending of the file's name.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// A certificate of a few lines.
    Certificate(PathBuf),
    /// Steps from the clauses of an encoding.
    Clauses(proof::Target),
}

/// What is said of a proof on the command line.
#[derive(clap::Args)]
pub(crate) struct Proving {
    /// If there is no tour, write a proof to this file, for hamcnf verify and other checkers: a certificate of a few lines
    /// (.cert), or steps from the clauses of an encoding (.drat, .lrat, or .pbp for VeriPB); .gz and .zst behind that
    /// compress. A proof that cannot be written leaves the exit code at 20: see --require-proof
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    proof: Option<PathBuf>,
    /// Exit with 1 instead of 20 if there is no tour but its proof could not be written
    #[arg(long, requires = "proof")]
    pub(crate) require_proof: bool,
    /// Write the proof in bytes instead of text: .drat and .lrat
    #[arg(long, requires = "proof")]
    binary: bool,
    /// Write the clauses that the proof is about to this file: what hamcnf encode writes, where it can
    #[arg(long, value_name = "FILE", requires = "proof")]
    cnf: Option<PathBuf>,
}

impl Proving {
    /// Where the proof goes, if one is wanted. A file that could not be written is refused.
    pub(crate) fn target(&self) -> anyhow::Result<Option<Target>> {
        let Some(file) = &self.proof else {
            return Ok(None);
        };
        if self.cnf.as_deref().is_some_and(|cnf| are_one(cnf, file)) {
            bail!(
                "--proof and --cnf are two files, and both say {}",
                file.display()
            );
        }
        output::writable(file)?;
        self.cnf.as_deref().map_or(Ok(()), output::writable)?;
        if Certificate::is_named(file) {
            if self.binary || self.cnf.is_some() {
                bail!("a certificate (.cert) is text, and about the graph instead of clauses");
            }
            return Ok(Some(Target::Certificate(file.clone())));
        }
        Ok(Some(Target::Clauses(proof::Target {
            file: file.clone(),
            format: proof::Format::of(file, self.binary)?,
            formula: self.cnf.clone(),
        })))
    }
}

/// Whether these names are one file's.
fn are_one(a: &Path, b: &Path) -> bool {
    // What is not there yet is in a folder that is.
    let place = |file: &Path| {
        file.canonicalize().ok().or_else(|| {
            let folder = file
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(file.file_name()?))
        })
    };
    a == b || place(a).is_some_and(|a| place(b) == Some(a))
}

impl Target {
    /// Where steps from clauses go, which are written while it is solved.
    pub(crate) fn clauses(&self) -> Option<&proof::Target> {
        match self {
            Self::Certificate(_) => None,
            Self::Clauses(target) => Some(target),
        }
    }

    /// Says beforehand where steps from clauses would be very many, as clauses do not count: of an encoding as it is,
    /// more than anybody waits for; with what is counted defined, megabytes.
    pub(crate) fn warn_of(&self, tours: &Tours, method: &Method) {
        const FEW: u32 = 40;
        let Self::Clauses(proof::Target { format, .. }) = self else {
            return;
        };
        let instance = tours.instance();
        if instance.n() <= FEW || format.form == proof::Form::VeriPb {
            return;
        }
        let is_exact = |encoding: &Encoding| {
            Formula::new(encoding.clone(), instance).is_ok_and(|formula| formula.is_exact())
        };
        let solve = method.kind::<Solve>();
        let defines = solve.is_none_or(|solve| !is_exact(&solve.encoding));
        let few = if defines { 150 } else { FEW };
        let counts = |found: &Obstruction| {
            use Obstruction::{Colours, EndColours, ManyParts};
            matches!(found, Colours { .. } | EndColours { .. } | ManyParts(_))
        };
        if instance.n() > few
            && tours
                .ends()
                .obstruction(instance)
                .is_some_and(|found| counts(&found))
        {
            note(if defines {
                "what has to be counted here takes many steps from clauses: a .cert or .pbp has a few lines"
            } else {
                "what has to be counted here takes very many steps from these clauses: without -e a .drat defines what it counts, and a \
                 .cert or .pbp has a few lines"
            });
        }
    }

    fn file(&self) -> &Path {
        match self {
            Self::Certificate(file) => file,
            Self::Clauses(target) => &target.file,
        }
    }

    /// Writes the certificate of "no tour", and says what became of the proof.
    pub(crate) fn write(
        &self,
        tours: &Tours,
        answered: &Answered,
        deadline: Option<Instant>,
    ) -> ProofInformation {
        let file = self.file().display();
        if answered.record.status == Status::NoTour && tours.instance().n() < 3 {
            let why = "a graph of fewer than 3 vertices needs no proof";
            complain(&format!("{file} is not written: {why}"));
            return self.unwritten(why.to_owned());
        }
        match (answered.record.status, self) {
            (Status::NoTour, Self::Certificate(target)) => {
                let progress = Progress::new(format_args!("writing {file}"));
                let hold = Hold::new();
                let watch = Budget::new(deadline, hold.stop().clone());
                let written = certificate(target, tours, answered, &watch);
                drop(progress);
                drop(hold);
                let Err(error) = written else {
                    return ProofInformation {
                        bytes: target.metadata().ok().map(|file| file.len()),
                        ..self.written()
                    };
                };
                let other = match error.downcast_ref::<NoCertificate>() {
                    Some(_) => {
                        "; DRAT (--proof FILE.drat) exists for every graph, and takes time and room for large ones"
                    }
                    None => "",
                };
                complain(&format!("{file} is not written: {error:#}{other}"));
                self.unwritten(format!("{error:#}"))
            }
            (Status::NoTour, Self::Clauses(target)) => {
                let why = match &answered.written {
                    Some(Ok(written)) => {
                        said(target, tours, written);
                        return ProofInformation {
                            steps: Some(written.size.additions),
                            bytes: Some(written.size.bytes),
                            encoding: Some(written.encoding.to_string()),
                            ..self.written()
                        };
                    }
                    Some(Err(why)) => why.to_string(),
                    None => format!("its proof was not finished by the {}", limit()),
                };
                let seen = &answered.record.message;
                let seen = match seen.is_empty() {
                    true => String::new(),
                    false => format!(" ({seen})"),
                };
                let mend = mend(tours, answered);
                complain(&format!(
                    "{file} is not written: there is no tour{seen}, but {why}; {mend}"
                ));
                self.unwritten(why)
            }
            (Status::Tour, _) => {
                let why = "there is a tour";
                note(&format!(
                    "{file} is not written: {why}, and it is checked move by move"
                ));
                self.unwritten(why.to_owned())
            }
            _ => {
                let why = "the answer is not known";
                note(&format!("{file} is not written: {why}"));
                self.unwritten(why.to_owned())
            }
        }
    }

    fn written(&self) -> ProofInformation {
        let form = match self {
            Self::Certificate(_) => "certificate",
            Self::Clauses(target) => target.format.form.as_str(),
        };
        ProofInformation {
            form,
            file: self.file().display().to_string(),
            written: true,
            reason: None,
            steps: None,
            bytes: None,
            encoding: None,
        }
    }

    fn unwritten(&self, reason: String) -> ProofInformation {
        ProofInformation {
            written: false,
            reason: Some(reason),
            ..self.written()
        }
    }
}

/// A proof that was asked for, as `--json` has it.
#[derive(Serialize)]
pub(crate) struct ProofInformation {
    form: &'static str,
    file: String,
    pub(crate) written: bool,
    /// The reason that the file was not written.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// The encoding whose clauses the steps follow from.
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
}

/// Says whether a certificate takes the place of steps that were not written.
fn mend(tours: &Tours, answered: &Answered) -> String {
    const PATIENCE: Duration = Duration::from_secs(1);
    let watch = Budget::new(Instant::now().checked_add(PATIENCE), Stop::default());
    match Certificate::of(tours, answered, &watch) {
        Ok(_) => "a certificate has a few lines: --proof FILE.cert".to_owned(),
        Err(NoCertificate::OtherReason(_)) => {
            "no certificate exists for this graph, so give it more time or memory".to_owned()
        }
        Err(NoCertificate::NotFound(_)) => {
            "give it more time or memory, or try a certificate: --proof FILE.cert".to_owned()
        }
    }
}

/// Says what was written, and how it is checked.
fn said(target: &proof::Target, tours: &Tours, written: &Written) {
    let proof::Size {
        additions, bytes, ..
    } = written.size;
    let (file, form) = (target.file.display(), target.format.form);
    let encoding = &written.encoding;
    // A proof without comments is checked with this encoding by default.
    let default = BASIS.parse::<Encoding>().ok();
    let is_named = form == proof::Form::VeriPb || default.as_ref() == Some(encoding);
    let said = match !is_named {
        true => format!(" -e {encoding}"),
        false => String::new(),
    };
    note(&format!(
        "{file}: {form}, {additions} steps, {bytes} bytes, from the clauses of {encoding}; to check it: hamcnf verify '{tours}'{said} --proof {file}"
    ));
}

fn certificate(
    file: &Path,
    tours: &Tours,
    answered: &Answered,
    watch: &Budget,
) -> anyhow::Result<()> {
    let certificate = Certificate::of(tours, answered, watch)?;
    output::to(Some(file), |out| Ok(certificate.write(out)?))
}
