//! Forms (file formats) of proofs, and the files to which proofs are written.

use std::fmt;
use std::path::{Path, PathBuf};

use hamcnf_graph::formats::ending;
use hamcnf_graph::{Named, named};

use super::antecedents;

/// Form (file format) of a proof that no tour exists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Obstruction of a few lines, which can be checked with the graph alone.
    Certificate,
    /// Steps of a derivation from the clauses of an encoding.
    Steps(Steps),
}

named! {
    /// Form of a step-by-step proof. The name of the form is also its file extension.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Steps: "form of proofs" {
        /// Additions and deletions of clauses.
        Drat => "drat",
        /// Numbered clauses, each with the numbers of the clauses from which it follows.
        Lrat => "lrat",
        /// Pseudo-Boolean steps, for VeriPB.
        VeriPb => "pbp",
    }
}

/// Reason why a proof cannot be written to a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct FormError(String);

impl Form {
    /// Forms of proofs.
    pub const ALL: [Self; 4] =
        [Self::Certificate, Self::Steps(Steps::Drat), Self::Steps(Steps::Lrat), Self::Steps(Steps::VeriPb)];

    /// Returns the file extension for this form, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Certificate => "cert",
            Self::Steps(steps) => steps.as_str(),
        }
    }

    /// Returns the form that the extension of a file name denotes. Ignores a final `.gz` or `.zst`.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the file name has no known extension.
    pub fn named(file: &Path) -> Result<Self, FormError> {
        let ending = ending(file).unwrap_or_default();
        let form = Self::ALL.into_iter().find(|form| form.ending() == ending);
        form.ok_or_else(|| {
            let file = file.display();
            FormError(format!(
                "\"{file}\" does not end in the extension of a proof format; use .drat, .lrat, .pbp or .cert, optionally followed by .gz or .zst"
            ))
        })
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
    /// True if the form has a binary format beside its text format.
    pub fn has_binary(self) -> bool {
        self != Self::VeriPb
    }

    /// True if each step names the clauses from which it follows.
    pub fn has_hints(self) -> bool {
        self == Self::Lrat
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

/// Destination of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub file: PathBuf,
    pub form: Form,
    /// True for the binary format, false for text.
    pub is_binary: bool,
    /// File for the clauses from which the proof starts; `None` if the clauses are not written.
    pub formula: Option<PathBuf>,
}

impl Target {
    /// Creates the destination for a proof file; the name of the file determines the form.
    ///
    /// # Errors
    ///
    /// [`FormError`] if the name does not denote a form, if `is_binary` is true but the form has no binary format, or if a
    /// formula file is given for a certificate.
    pub fn new(file: PathBuf, is_binary: bool, formula: Option<PathBuf>) -> Result<Self, FormError> {
        let (form, name) = (Form::named(&file)?, file.display());
        let refused = match form {
            Form::Certificate if is_binary || formula.is_some() => Some(format!(
                "\"{name}\": a certificate (.cert) has no binary format and no clauses: remove --binary or --cnf"
            )),
            Form::Steps(steps) if is_binary && !steps.has_binary() => {
                Some(format!("\"{name}\": VeriPB proofs (.pbp) have no binary format: remove --binary"))
            }
            _ => None,
        };
        match refused {
            Some(why) => Err(FormError(why)),
            None => Ok(Self { file, form, is_binary, formula }),
        }
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
