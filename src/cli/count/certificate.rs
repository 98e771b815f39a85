//! `hamcnf count --certificate`: a formula of the tours, and a certificate of their number for independent checkers.

use std::fmt;
use std::path::PathBuf;

use anyhow::bail;
use hamcnf::budget::Budget;
use hamcnf::count::frontier::certificate::{Certificate, CertificateError, Size};
use num_bigint::BigUint;
use serde_json::{Value, json};

use super::Task;
use crate::cli::instance::undirected;
use crate::cli::interrupt::Hold;
use crate::cli::output;
use crate::cli::progress::Progress;

/// Written certificate.
pub(super) struct WrittenCertificate {
    file: PathBuf,
    formula: PathBuf,
    size: Size,
    tours_per_model: u32,
}

impl fmt::Display for WrittenCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [formula, file] = [&self.formula, &self.file].map(|file| file.display());
        let Size { nodes, lemmas, .. } = self.size;
        let models = match self.tours_per_model {
            1 => String::new(),
            several => format!("; each model stands for {several} tours"),
        };
        write!(
            f,
            "certificate: {nodes} nodes and {lemmas} lemmas in {file} for {formula}{models}; to check it: `cake_scpog {formula} {file}`"
        )
    }
}

impl WrittenCertificate {
    pub(super) fn json(&self) -> Value {
        json!({
            "file": self.file,
            "formula": self.formula,
            "nodes": self.size.nodes,
            "lemmas": self.size.lemmas,
            "tours_per_model": self.tours_per_model,
        })
    }
}

/// Writes the requested certificate, if any. `count` is the number of tours according to the method of the count.
pub(super) fn write(
    task: &Task<'_>,
    count: &BigUint,
) -> anyhow::Result<Option<Result<WrittenCertificate, CertificateError>>> {
    let (Some(file), Some(formula), Some(asked)) = (&task.args.certificate, &task.args.cnf, task.tours()) else {
        return Ok(None);
    };
    let asked = undirected(asked, "certificates")?;
    let certificate = match Certificate::new(asked.instance(), asked.ends()) {
        Ok(certificate) => certificate,
        Err(CertificateError::NoTour) if *count != BigUint::ZERO => {
            bail!("a graph of one vertex has no certificate")
        }
        Err(error @ CertificateError::NoTour) => {
            bail!("{error}; for a proof, use `hamcnf solve --proof FILE`")
        }
        Err(error) => return Ok(Some(Err(error))),
    };
    let _progress = Progress::new(format_args!("{}: writing {}", task.name(), file.display()));
    let hold = Hold::new();
    let budget = Budget::new(task.limits().deadline(task.began), hold.stop().clone());
    let budget = budget.with_memory(Some(task.args.memory.bytes()));
    let mut written = None;
    let done = output::to(Some(file), |out| {
        written = Some(certificate.write(&budget, out)?);
        output::to(Some(formula), |out| Ok(certificate.write_formula(out)?))
    });
    if let Err(error) = done {
        // The context of an I/O error names the file.
        if let None | Some(CertificateError::Io(_)) = error.downcast_ref() {
            return Err(error);
        }
        return Ok(Some(Err(error.downcast()?)));
    }
    let Some((certified, size)) = written else {
        return Ok(None);
    };
    if certified != *count {
        bail!("the certificate counts {certified} tours instead of {count}, which is a bug in hamcnf");
    }
    Ok(Some(Ok(WrittenCertificate {
        file: file.to_path_buf(),
        formula: formula.to_path_buf(),
        size,
        tours_per_model: certificate.tours_per_model(),
    })))
}
