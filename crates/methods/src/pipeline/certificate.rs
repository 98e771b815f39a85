//! Certificates of answers that there is no tour: why, in a few lines that are checked on the graph alone.

use std::io::{self, Write};
use std::path::Path;

use hamcnf_check::certificate::{Asked, Reason, write};

use super::Answered;
use crate::method::Portfolio;
use crate::question::Tours;
use crate::refute::certificate::{Known, NoOrder, Why, asked, find};
use hamcnf_engines::budget::Budget;
use hamcnf_engines::portfolio::Argument;
use hamcnf_engines::proof::ending;
use hamcnf_engines::search::Proof;

/// Why there is no certificate of an answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoCertificate {
    /// The reason is not of a kind that they have.
    #[error(
        "certificates (.cert) are of reasons that are seen at once and of narrow graphs, and this answer is neither: {0}"
    )]
    OtherReason(NoOrder),
    /// None was found.
    #[error(transparent)]
    NotFound(NoOrder),
}

/// A certificate that is not written yet.
#[derive(Debug)]
pub struct Certificate<'t> {
    asked: Asked<'t>,
    reason: Reason,
    words: String,
}

impl Certificate<'_> {
    /// Whether a file's name says that it is one.
    #[must_use]
    pub fn is_named(file: &Path) -> bool {
        ending(file).is_some_and(|ending| ending == "cert")
    }
}

impl<'t> Certificate<'t> {
    /// Of an answer to a question, which has to be that there is no tour: what has found it is known from there.
    ///
    /// # Errors
    ///
    /// [`NoCertificate`].
    pub fn of(
        tours: &'t Tours,
        answered: &Answered,
        budget: &Budget,
    ) -> Result<Self, NoCertificate> {
        let portfolio = answered.record.method.kind::<Portfolio>();
        let strategy = portfolio.and_then(|portfolio| portfolio.strategy);
        let by_tables =
            strategy.is_some_and(|strategy| strategy.kind().argument() == Argument::Tables);
        let known = match &answered.proof {
            Some(Proof::Obstruction(found)) => Known::Obstruction(found),
            _ if by_tables => Known::Tables,
            _ => Known::Nothing,
        };
        let (reason, why) = find(tours, known, budget).map_err(|error| match error {
            NoOrder::Wide(_) => NoCertificate::OtherReason(error),
            NoOrder::Late(_) | NoOrder::Graph(_) | NoOrder::Small => NoCertificate::NotFound(error),
        })?;
        let words = match why {
            Why::Obstruction(found) => {
                format!("there is no tour: {}", found.said(tours.instance()))
            }
            Why::Parts => "there is no tour: there are too many parts without these".to_owned(),
            Why::Order(width) => {
                format!("there is no tour: all ways through end along this order, of width {width}")
            }
        };
        Ok(Self {
            asked: asked(tours),
            reason,
            words,
        })
    }

    /// Writes it.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write(&self.asked, &self.reason, &self.words, out)
    }
}
