//! Where proofs go that there is no tour, and what can be written there.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::bail;

use hamcnf::cycle::Watch;
use hamcnf::method::Method;
use hamcnf::proof;
use hamcnf::question::Tours;
use hamcnf::record::Status;
use hamcnf::refute::BASIS;
use hamcnf::work::{Answered, Certificate, Written};
use hamcnf::{Encoding, Formula, Obstruction};

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
    /// Where there is no tour, write a proof to this file, for hamcnf verify and other people's checkers: a certificate
    /// of a few lines if it ends in .cert, steps from the clauses of an encoding if in .drat, .lrat or .pbp (for
    /// VeriPB); compressed with .gz or .zst behind that. What cannot be written is said, and the exit code stays the
    /// answer's
    #[arg(long, value_name = "FILE", conflicts_with = "explain")]
    proof: Option<PathBuf>,
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
        let defines = match method {
            Method::Solve { encoding, .. } => !is_exact(encoding),
            _ => true,
        };
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

    /// Writes the certificate of an answer, where it is that there is no tour, or says why nothing was written. The answer
    /// stays what it is, and so does its exit code.
    pub(crate) fn write(&self, tours: &Tours, answered: &Answered, deadline: Option<Instant>) {
        let file = self.file().display();
        match (answered.record.status, self) {
            (Status::NoTour, Self::Certificate(target)) => {
                let progress = Progress::new(format_args!("writing {file}"));
                let hold = Hold::new();
                let watch = Watch::new(deadline, hold.stop().clone());
                let written = certificate(target, tours, answered, &watch);
                drop(progress);
                drop(hold);
                if let Err(error) = written {
                    complain(&format!("{file} is not written: {error:#}"));
                }
            }
            (Status::NoTour, Self::Clauses(target)) => match &answered.written {
                Some(Ok(written)) => said(target, tours, written),
                Some(Err(why)) => complain(&format!(
                    "{file} is not written: there is no tour, but {why}; a certificate, --proof FILE.cert, may be short"
                )),
                None => complain(&format!(
                    "{file} is not written: there is no tour, but the proof from clauses was not finished by the {}; a certificate, --proof FILE.cert, may be short",
                    limit()
                )),
            },
            (Status::Tour, _) => note(&format!(
                "{file} is not written: there is a tour, and it is checked move by move"
            )),
            _ => note(&format!("{file} is not written: the answer is not known")),
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
    // Bytes have no head that says it, and are taken to be about this one.
    let taken = BASIS.parse::<Encoding>().ok();
    let said = match target.format.binary && taken.as_ref() != Some(encoding) {
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
    watch: &Watch,
) -> anyhow::Result<()> {
    let certificate = Certificate::of(tours, answered, watch)?;
    output::to(Some(file), |out| Ok(certificate.write(out)?))
}
