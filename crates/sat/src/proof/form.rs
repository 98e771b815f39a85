//! Forms (file formats) of proofs, and the files to which proofs are written.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use hamcnf_graph::NoSuchName;
use hamcnf_graph::formats::ending;

use super::antecedents;

/// Form (file format) of a proof that no tour exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Obstruction of a few lines, which can be checked with the graph alone.
    Certificate,
    /// Steps of a derivation from the clauses of an encoding.
    Steps(Steps),
}

/// Form of a step-by-step proof.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Steps {
    /// Additions and deletions of clauses.
    Drat {
        /// True for the binary format, false for text.
        binary: bool,
    },
    /// Numbered clauses, each with the numbers of the clauses from which it follows.
    Lrat {
        /// True for the binary format, false for text.
        binary: bool,
    },
    /// Pseudo-Boolean steps, for VeriPB.
    VeriPb,
}

/// Reason why a proof cannot be written to a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormError {
    /// The file name does not have the extension of a proof format.
    #[error(
        "\"{0}\" does not end in the extension of a proof format; use .drat, .lrat, .pbp or .cert, optionally followed by .gz or .zst"
    )]
    Ending(String),
    /// A binary format was requested for VeriPB, which has none.
    #[error("\"{0}\": VeriPB proofs (.pbp) have no binary format: remove --binary")]
    NoBytes(String),
    /// A binary format or a file of clauses was requested for a certificate, which has neither.
    #[error("\"{0}\": a certificate (.cert) has no binary format and no clauses: remove --binary or --cnf")]
    Certificate(String),
}

impl Form {
    /// All forms of proofs, in their text formats.
    pub const ALL: [Self; 4] =
        [Self::Certificate, Self::Steps(Steps::ALL[0]), Self::Steps(Steps::ALL[1]), Self::Steps(Steps::ALL[2])];

    /// Returns the file extension for this form, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Certificate => "cert",
            Self::Steps(steps) => steps.as_str(),
        }
    }

    /// Returns the form that the extension of a file name denotes, in its text format. Ignores a final `.gz` or `.zst`.
    ///
    /// # Errors
    ///
    /// [`FormError::Ending`] if the file name has no known extension.
    pub fn named(file: &Path) -> Result<Self, FormError> {
        let ending = ending(file).unwrap_or_default();
        let form = Self::ALL.into_iter().find(|form| form.ending() == ending);
        form.ok_or_else(|| FormError::Ending(file.display().to_string()))
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Certificate => f.write_str("certificate"),
            Self::Steps(steps) => steps.fmt(f),
        }
    }
}

impl Steps {
    /// All forms of step-by-step proofs, in their text formats.
    pub const ALL: [Self; 3] = [Self::Drat { binary: false }, Self::Lrat { binary: false }, Self::VeriPb];

    /// Returns the name of the form, which is also its file extension.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Drat { .. } => "drat",
            Self::Lrat { .. } => "lrat",
            Self::VeriPb => "pbp",
        }
    }

    /// Returns this form in its binary format; `None` if it has no binary format.
    pub fn in_bytes(self) -> Option<Self> {
        match self {
            Self::Drat { .. } => Some(Self::Drat { binary: true }),
            Self::Lrat { .. } => Some(Self::Lrat { binary: true }),
            Self::VeriPb => None,
        }
    }

    /// True if each step names the clauses from which it follows.
    pub fn has_hints(self) -> bool {
        matches!(self, Self::Lrat { .. })
    }

    /// Returns the approximate memory, in bytes, for deriving steps from a formula with `clauses` clauses. LRAT needs
    /// all clauses in memory, to find the antecedents of each step.
    pub fn room(self, clauses: u64) -> u64 {
        match self.has_hints() {
            true => clauses.saturating_mul(antecedents::BYTES_A_CLAUSE),
            false => 0,
        }
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Steps {
    type Err = NoSuchName;

    fn from_str(name: &str) -> Result<Self, NoSuchName> {
        let found = Self::ALL.into_iter().find(|form| form.as_str() == name);
        found.ok_or_else(|| NoSuchName {
            of: "form of proofs",
            name: name.to_owned(),
            known: Self::ALL.map(Self::as_str).join(", "),
        })
    }
}

/// Destination of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub file: PathBuf,
    pub form: Form,
    /// File for the clauses from which the proof starts; `None` if the clauses are not written.
    pub formula: Option<PathBuf>,
}

impl Target {
    /// Creates the destination for a proof file; the name of the file determines the form.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the name does not denote a form, if `binary` is true but the form has no binary format, or if a
    /// formula file is given for a certificate.
    pub fn new(file: PathBuf, binary: bool, formula: Option<PathBuf>) -> Result<Self, FormError> {
        let name = || file.display().to_string();
        let form = match (Form::named(&file)?, binary) {
            (Form::Certificate, _) if binary || formula.is_some() => {
                return Err(FormError::Certificate(name()));
            }
            (Form::Steps(steps), true) => {
                let in_bytes = steps.in_bytes();
                Form::Steps(in_bytes.ok_or_else(|| FormError::NoBytes(name()))?)
            }
            (form, _) => form,
        };
        Ok(Self { file, form, formula })
    }

    /// Returns the form of the steps; `None` for a certificate.
    pub fn steps(&self) -> Option<Steps> {
        match self.form {
            Form::Certificate => None,
            Form::Steps(steps) => Some(steps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_the_form() {
        for form in Form::ALL {
            for ending in ["", ".gz", ".zst"] {
                let file = format!("a.b/x.{}{ending}", form.ending());
                assert_eq!(Form::named(Path::new(&file)), Ok(form));
                let upper = file.to_ascii_uppercase();
                assert_eq!(Form::named(Path::new(&upper)), Ok(form));
            }
        }
        for none in ["drat", "x.", "x.gz", "x.cert.xz", "x.cert/"] {
            let named = Form::named(Path::new(none));
            assert_eq!(named.is_ok(), none == "x.cert/", "{none}");
        }
    }
}
