//! Proofs that there is no tour, for checkers of other people.
//!
//! A proof is about clauses: those of an encoding, as `hamcnf encode` writes them. Three forms are written:
//!
//! - DRAT, a clause or a deletion a line. Each clause follows by unit propagation, or has a first literal that nothing
//!   speaks against (RAT). Any checker of the field takes it.
//! - LRAT, the same with numbers of clauses, and for each step those it follows from: checked in less time than it was found.
//! - VeriPB's, the same as pseudo-Boolean steps, for VeriPB.
//!
//! What a solver tells of its search (`tracer.rs`) becomes steps in `log.rs`, in the names of the formula's variables and the
//! numbers of its clauses; `writer.rs` writes them, LRAT after `trim.rs` has taken out what is not needed. Who makes them is in [`solve`](crate::solve), for encodings that are solved
//! as they are, and in the `refute` module of hamcnf-methods.
//!
//! # References
//!
//! - Nathan Wetzler, Marijn Heule, Warren Hunt: *DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal
//!   Proofs*, SAT 2014.
//! - Luís Cruz-Filipe, Marijn Heule, Warren Hunt, Matt Kaufmann, Peter Schneider-Kamp: *Efficient Certified RAT
//!   Verification*, CADE 2017: LRAT.
//! - Bart Bogaerts, Stephan Gocht, Ciaran McCreesh, Jakob Nordström: *Certified Dominance and Symmetry Breaking for
//!   Combinatorial Optimisation*, JAIR 77, 2023: VeriPB.

mod antecedents;
mod log;
mod tracer;
mod trim;
mod writer;

pub use log::{Log, Numbers, Output, SharedLog};
pub(crate) use tracer::Tracer;
pub use writer::{Operation, Size, Writer};

use std::path::{Path, PathBuf};

use hamcnf_encodings::{Formula, named};

use crate::VERSION;
use crate::whole::{CannotWrite, Whole};

/// A form of proofs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Clauses and deletions.
    Drat,
    /// With numbers, and what each clause follows from.
    Lrat,
    /// Pseudo-Boolean steps, for VeriPB.
    VeriPb,
}

named!(Form, "form of proofs", {
    Drat => "drat",
    Lrat => "lrat",
    VeriPb => "pbp",
});

/// How a proof is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Its form.
    pub form: Form,
    /// Whether it is written in bytes instead of text, which DRAT and LRAT can be.
    pub binary: bool,
}

/// Why a file's name says no form of proofs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// It ends in nothing that is known.
    #[error(
        "'{0}' says no form of proofs: its name should end in .drat, .lrat, .pbp or .cert, perhaps with .gz or .zst behind it"
    )]
    Ending(String),
    /// VeriPB's proofs are text.
    #[error("'{0}': VeriPB's proofs are text, and none are binary")]
    NoBytes(String),
}

/// The ending of a file's name in lower case, without one of compression behind it.
#[must_use]
pub fn ending(file: &Path) -> Option<String> {
    let name = file.file_name()?.to_str()?.to_ascii_lowercase();
    let plain = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"));
    let (_, ending) = plain.unwrap_or(&name).rsplit_once('.')?;
    Some(ending.to_owned())
}

impl Form {
    /// That which the ending of a file's name says, without one of compression.
    ///
    /// # Errors
    ///
    /// [`FormatError::Ending`].
    pub fn of(file: &Path) -> Result<Self, FormatError> {
        let unknown = || FormatError::Ending(file.display().to_string());
        let ending = ending(file).ok_or_else(unknown)?;
        ending.parse().map_err(|_| unknown())
    }
}

impl Form {
    /// Returns about how many bytes it takes to derive steps from so many clauses. LRAT keeps all of them, to find the
    /// antecedents of each step.
    #[must_use]
    pub fn room(self, clauses: u64) -> u64 {
        match self {
            Self::Lrat => clauses.saturating_mul(antecedents::BYTES_A_CLAUSE),
            Self::Drat | Self::VeriPb => 0,
        }
    }
}

impl Format {
    /// That which the ending of a file's name says.
    ///
    /// # Errors
    ///
    /// [`FormatError`].
    pub fn of(file: &Path, binary: bool) -> Result<Self, FormatError> {
        let form = Form::of(file)?;
        if binary && form == Form::VeriPb {
            return Err(FormatError::NoBytes(file.display().to_string()));
        }
        Ok(Self { form, binary })
    }
}

/// Where a proof goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The file.
    pub file: PathBuf,
    /// How it is written there.
    pub format: Format,
    /// Where the clauses go that it is about, if they are wanted.
    pub formula: Option<PathBuf>,
}

/// The beginning of a comment that says what a proof is about: the question, or the encoding.
pub const QUESTION: &str = "question ";
/// See [`QUESTION`].
pub const ENCODING: &str = "encoding ";
/// The same of the checksum of a graph's edges.
pub const GRAPH: &str = "graph ";

/// What a proof is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct About<'a> {
    /// The question.
    pub question: &'a str,
    /// The checksum of its graph's edges; empty for a board.
    pub graph: &'a str,
}

impl Target {
    /// Begins a proof from the clauses of a formula, whose number is `clauses`.
    ///
    /// # Errors
    ///
    /// [`CannotWrite`].
    pub fn begin(
        &self,
        about: &About<'_>,
        formula: &Formula,
        clauses: u64,
    ) -> Result<SharedLog, CannotWrite> {
        let mut head = vec![
            format!("hamcnf {VERSION}"),
            format!("{QUESTION}{}", about.question),
            format!("{ENCODING}{}", formula.encoding()),
        ];
        if !about.graph.is_empty() {
            head.push(format!("{GRAPH}{}", about.graph));
        }
        let out = Whole::create(&self.file)?;
        let folder = match self.file.parent() {
            _ if out.is_device() => std::env::temp_dir(),
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        Ok(SharedLog::new(
            Box::new(out),
            self.format,
            clauses,
            &head,
            &folder,
        ))
    }
}
