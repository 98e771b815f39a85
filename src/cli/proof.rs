//! Where proofs go that there is no tour, and what can be written there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;

use anyhow::bail;
use hamcnf::check::certificate::{self, Reason};
use hamcnf::cycle::{Watch, decomposition};
use hamcnf::method::Method;
use hamcnf::portfolio::Part;
use hamcnf::proof::certificate::{NARROW, NoOrder, asked, of_flow, of_obstruction, of_order};
use hamcnf::question::Tours;
use hamcnf::record::Status;
use hamcnf::search::Proof;
use hamcnf::work::Answered;

use super::interrupt::Hold;
use super::loudness::note;
use super::progress::Progress;
use super::{complain, output};

/// A file for a proof, by the ending of its name.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    file: PathBuf,
}

/// A name that says no kind of proof.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a proof is a certificate, and '{0}' does not end in .cert, .cert.gz or .cert.zst")]
pub(crate) struct NoKind(String);

impl FromStr for Target {
    type Err = NoKind;

    fn from_str(name: &str) -> Result<Self, NoKind> {
        let file = PathBuf::from(name);
        let is = |ending: Option<&OsStr>, known: &str| {
            ending.is_some_and(|ending| ending.eq_ignore_ascii_case(known))
        };
        let packed = ["gz", "zst"]
            .iter()
            .any(|known| is(file.extension(), known));
        let inner = match packed {
            true => file.file_stem().map(Path::new).and_then(Path::extension),
            false => file.extension(),
        };
        match is(inner, "cert") {
            true => Ok(Self { file }),
            false => Err(NoKind(name.to_owned())),
        }
    }
}

impl Target {
    /// Refuses a file that could not be written, before long work.
    pub(crate) fn writable(&self) -> anyhow::Result<()> {
        output::writable(&self.file)
    }

    /// Writes the proof of an answer, where it is that there is no tour, or says why there is nothing to write. The answer stays
    /// what it is, and so does its exit code.
    pub(crate) fn write(&self, tours: &Tours, answered: &Answered, deadline: Option<Instant>) {
        let file = self.file.display();
        match answered.record.status {
            Status::NoTour => {
                let progress = Progress::new(format_args!("writing {file}"));
                let hold = Hold::new();
                let watch = Watch::new(deadline, hold.stop().clone());
                let written = self.certificate(tours, answered, &watch);
                drop(progress);
                drop(hold);
                if let Err(error) = written {
                    complain(&format!("{file} is not written: {error:#}"));
                }
            }
            Status::Tour => note(&format!(
                "{file} is not written: there is a tour, and it is checked move by move"
            )),
            _ => note(&format!("{file} is not written: the answer is not known")),
        }
    }

    fn certificate(&self, tours: &Tours, answered: &Answered, watch: &Watch) -> anyhow::Result<()> {
        let (reason, words) = reason(tours, answered, watch)?;
        output::to(Some(&self.file), |out| {
            Ok(certificate::write(&asked(tours), &reason, &words, out)?)
        })
    }
}

/// Why there is no tour, and the same in words.
fn reason(tours: &Tours, answered: &Answered, watch: &Watch) -> anyhow::Result<(Reason, String)> {
    let by_tables = match &answered.record.method {
        Method::Portfolio(how) => how.part == Some(Part::Decomposition),
        _ => false,
    };
    let instance = tours.instance();
    let obstruction = match &answered.proof {
        Some(Proof::Obstruction(found)) => Some(found.clone()),
        _ if by_tables => None,
        _ => tours.ends().obstruction(instance),
    };
    if let Some(found) = obstruction
        && let Some(reason) = of_obstruction(tours, &found)
    {
        return Ok((
            reason,
            format!("there is no tour: {}", found.said(instance)),
        ));
    }
    if !by_tables && let Some(reason) = of_flow(tours, watch) {
        let words = "there is no tour: there are too many parts without these";
        return Ok((reason, words.to_owned()));
    }
    let most = match by_tables {
        true => decomposition::MOST_WIDTH,
        false => NARROW,
    };
    match of_order(tours, most, watch) {
        Ok((reason, width)) => Ok((
            reason,
            format!("there is no tour: all ways through end along this order, of width {width}"),
        )),
        Err(error @ (NoOrder::Late(_) | NoOrder::Graph(_))) => Err(error.into()),
        Err(error @ NoOrder::Wide(_)) => bail!(
            "certificates (.cert) are of reasons that are seen at once and of narrow graphs, and this answer is neither: {error}"
        ),
    }
}
