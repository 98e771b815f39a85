//! Checker of proofs in files. Only this module reads proofs. It supports every [`Form`].
//!
//! A certificate is checked on the graph alone. Steps are checked from the clauses of an encoding. The clauses are
//! generated anew from the question, by the same code as in `hamcnf encode`. Nothing in the file is trusted; the result
//! rests on the crate [`hamcnf_check`].
//!
//! A certificate names its question. The comments of a VeriPB proof name it too, and so does the header of a formula
//! that accompanies a proof. DRAT and LRAT proofs do not name their question.

use std::fmt;
use std::io::{self, BufRead, Read};

use hamcnf_check::certificate::{self, Limits, ReasonKind, Unreadable, Unverified};
use hamcnf_check::{Checked, CuttingPlanes, DimacsError, Drat, Lrat, Syntax, Unproved, read_dimacs, steps_in_words};
use hamcnf_encodings::{Clauses, EncodeError, Encoding, EncodingError, Formula};
use hamcnf_graph::Named;
use hamcnf_tours::constraint::Means;
use hamcnf_tours::split::SplitError;
use hamcnf_tours::{ClauseSink, Family, InstanceError};
use rustsat::types::Lit;

use super::certificate::asked;
use super::instance::proof_instance;
use super::{basis, each_clause, now_and_then};
use hamcnf_questions::{GraphSource, Head, MOST_HEAD, Tours};
use hamcnf_sat::proof::{Form, Steps};

/// Proof that is being read.
pub struct Reading<R> {
    head: Head,
    body: Body<R>,
}

enum Body<R> {
    Certificate(certificate::Reading<R>),
    Steps {
        form: Steps,
        syntax: Syntax,
        /// Beginning of the file, which has already been read. The rest of the file follows.
        begin: Vec<u8>,
        rest: R,
    },
}

/// Verified proof. `Display` states why there is no tour.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proved {
    /// Reason why there is no tour, of a kind that a certificate can state, in words.
    Reason(&'static ReasonKind, String),
    /// Proof that derives a contradiction from the clauses of a formula, step by step.
    Steps {
        /// Format of the steps.
        form: Steps,
        /// Encoding that generates the clauses.
        encoding: Encoding,
        /// Number of steps that add a clause.
        additions: u64,
    },
}

impl Proved {
    /// Returns the kind of the reason, or the format of the steps.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Reason(kind, _) => kind.name,
            Self::Steps { form, .. } => form.as_str(),
        }
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reason(_, why) => why.fmt(f),
            // Deletions are not counted, because only additions derive clauses.
            Self::Steps { encoding, additions, .. } => {
                write!(f, "{} from the clauses of {encoding}", steps_in_words(*additions))
            }
        }
    }
}

/// Class of the reason why a proof was not verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The proof is wrong.
    Wrong,
    /// The proof is about another question, graph or encoding.
    Other,
    /// The check was stopped.
    Stopped,
    /// The proof is too large or too wide to check.
    TooLarge,
    /// The file cannot be read.
    Unreadable,
    /// Proofs of this kind do not exist for the question or the encoding.
    Refused,
}

/// Reason why a proof was not verified.
#[derive(Debug, thiserror::Error)]
pub enum NotChecked {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The file is not a certificate of this question.
    #[error(transparent)]
    Certificate(#[from] Unreadable),
    /// An encoding was given, but a certificate has no clauses.
    #[error(
        "an encoding can be given only for .drat, .lrat and .pbp, because a certificate has no clauses; remove the encoding"
    )]
    NoClauses,
    /// The reason that the certificate states does not hold.
    #[error("{why}")]
    Unverified { kind: &'static ReasonKind, why: Unverified },
    /// The proof is about another question.
    #[error("the proof is about \"{said}\", not about \"{asked}\"")]
    OtherQuestion { said: String, asked: String },
    /// The proof is about another encoding.
    #[error("the proof is about the encoding \"{said}\", not about \"{asked}\"")]
    OtherEncoding { said: String, asked: String },
    /// The proof is about a different graph with the same name.
    #[error("the proof is about another graph: its edges have the checksum {said}, but the question's have {asked}")]
    OtherGraph { said: String, asked: String },
    /// No encoding has this name.
    #[error(transparent)]
    NoEncoding(#[from] EncodingError),
    /// The encoding is relaxed: some of its models are not tours.
    #[error("encoding \"{0}\" is relaxed, so its clauses alone prove nothing; use an exact encoding")]
    Relaxed(Box<str>),
    /// The question has no proof instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The undirected form of the question is too large.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// The encoding has no formula for the question.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The accompanying file contains another formula.
    #[error("clause {clause} of the file differs from clause {clause} of the encoding \"{encoding}\"")]
    OtherClauses { encoding: Box<str>, clause: u64 },
    /// The file with the formula cannot be read.
    #[error(transparent)]
    Dimacs(#[from] DimacsError),
    /// The proof does not follow from the clauses of this encoding.
    #[error("proof checked against the clauses of the encoding \"{encoding}\": {why}")]
    Unproved { encoding: Box<str>, why: Box<Unproved> },
}

impl NotChecked {
    /// Returns the number of steps that had been checked when the check was stopped; `None` if it was not stopped.
    pub fn steps(&self) -> Option<u64> {
        let Self::Unproved { why, .. } = self else { return None };
        let Unproved::Stopped { steps } = **why else { return None };
        Some(steps)
    }

    /// Returns the class of the reason.
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::Unproved { why, .. } => match **why {
                Unproved::Stopped { .. } => Verdict::Stopped,
                Unproved::TooLarge => Verdict::TooLarge,
                _ => Verdict::Wrong,
            },
            Self::Unverified { why, .. } => match why {
                Unverified::Stopped => Verdict::Stopped,
                Unverified::TooWide(_) => Verdict::TooLarge,
                _ => Verdict::Wrong,
            },
            Self::OtherClauses { .. } => Verdict::Wrong,
            Self::OtherQuestion { .. } | Self::OtherEncoding { .. } | Self::OtherGraph { .. } => Verdict::Other,
            Self::Read(_) | Self::Certificate(_) => Verdict::Unreadable,
            _ => Verdict::Refused,
        }
    }
}
impl<R: BufRead> Reading<R> {
    /// Begins to read a proof: reads the question of a certificate, or the comments of a VeriPB proof.
    ///
    /// # Errors
    ///
    /// [`NotChecked`] if the file cannot be read or has another format.
    pub fn begin(from: R, form: Form) -> Result<Self, NotChecked> {
        match form {
            Form::Certificate => {
                let reading = certificate::Reading::begin(from)?;
                let question = Some(reading.question().to_owned());
                Ok(Self { head: Head { question, ..Head::default() }, body: Body::Certificate(reading) })
            }
            Form::Steps(form) => Ok(Self::begin_steps(from, form)?),
        }
    }

    fn begin_steps(mut from: R, form: Steps) -> io::Result<Self> {
        let (mut head, mut begin) = (Head::default(), Vec::new());
        if form != Steps::VeriPb {
            let first = from.fill_buf()?;
            let syntax = Syntax::of(&first[..first.len().min(64)]);
            return Ok(Self { head, body: Body::Steps { form, syntax, begin, rest: from } });
        }
        // The first line is the header of the VeriPB format; comments follow.
        from.by_ref().take(MOST_HEAD).read_until(b'\n', &mut begin)?;
        while from.fill_buf()?.first() == Some(&b'%') {
            let before = begin.len();
            let read = from.by_ref().take(MOST_HEAD).read_until(b'\n', &mut begin)?;
            if read as u64 == MOST_HEAD {
                break;
            }
            head.read(&begin[before + 1..]);
            // The line break of a comment is kept, so that later lines keep their numbers.
            begin.truncate(before);
            begin.push(b'\n');
        }
        Ok(Self { head, body: Body::Steps { form, syntax: Syntax::Text, begin, rest: from } })
    }

    /// Returns the comments of the proof.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Replaces the comments of a step-by-step proof with the comments of the accompanying formula.
    pub fn beside(self, formula: Head) -> Self {
        Self { head: formula, ..self }
    }

    /// Checks the proof for this question. Steps are checked from the clauses of `encoding`. If `encoding` is `None`,
    /// the encoding in the comments is used, or else the [default](basis).
    ///
    /// # Errors
    ///
    /// [`NotChecked`] if the proof is not verified.
    pub fn check(
        self,
        tours: &Tours,
        encoding: Option<&Encoding>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Proved, NotChecked> {
        // A graph from a file or in memory may have been renamed, so its edges are compared instead of its name.
        let source = tours.source();
        let is_named = source.text().is_none() && !matches!(source, GraphSource::Given(_));
        if let Some(said) = &self.head.question
            && is_named
            && *said != tours.to_string()
        {
            return Err(NotChecked::OtherQuestion { said: said.escape_debug().to_string(), asked: tours.to_string() });
        }
        if let Body::Certificate(reading) = self.body {
            if encoding.is_some() {
                return Err(NotChecked::NoClauses);
            }
            // What excludes the tours without some constraints excludes those with them.
            let tours = &tours.without_clauses().undirected()?;
            let asked = asked(tours);
            let reason = reading.reason(&asked)?;
            let limits = Limits { stop, ..Limits::default() };
            let kind = reason.kind;
            return match certificate::check(&asked, &reason, &limits) {
                Ok(verified) => Ok(Proved::Reason(kind, verified)),
                Err(why) => Err(NotChecked::Unverified { kind, why }),
            };
        }
        if let Some(said) = &self.head.graph
            && *said != tours.checksum()
        {
            return Err(NotChecked::OtherGraph { said: said.clone(), asked: tours.checksum().to_owned() });
        }
        let said = self.head.encoding.as_deref().map(str::parse::<Encoding>).transpose()?;
        // The clauses are about the undirected form of the question in two cases: the comments say so, or neither the
        // proof nor the caller names an encoding and no constraint needs clauses.
        let in_graph = !matches!(tours.instance().means(), Means::Clauses(_));
        let is_split = self.head.is_split || in_graph && (encoding, &said) == (None, &None);
        let instance = if is_split { proof_instance(&tours.undirected()?)? } else { proof_instance(tours)? };
        let formula = match (encoding, said) {
            (Some(asked), Some(said)) if *asked != said => {
                return Err(NotChecked::OtherEncoding { said: said.to_string(), asked: asked.to_string() });
            }
            (Some(asked), _) => Formula::new(asked.clone(), &instance)?,
            (None, Some(said)) => Formula::new(said, &instance)?,
            (None, None) => basis(&instance)?,
        };
        self.check_clauses(&formula, formula.encoding(), formula.is_exact(), stop)
    }

    /// Checks steps from the clauses of a formula, which has this encoding.
    ///
    /// # Errors
    ///
    /// [`NotChecked`] if the proof is a certificate, the encoding is not exact, or the proof is not verified.
    pub fn check_clauses(
        self,
        formula: &impl Clauses,
        encoding: &Encoding,
        is_exact: bool,
        stop: &dyn Fn() -> bool,
    ) -> Result<Proved, NotChecked> {
        let Body::Steps { form, syntax, begin, rest } = self.body else { return Err(NotChecked::NoClauses) };
        if !is_exact {
            return Err(NotChecked::Relaxed(encoding.to_string().into()));
        }
        let proof = begin.as_slice().chain(rest);
        let checked: Result<Checked, Unproved> = match form {
            Steps::Drat => taken::<Drat>(formula, stop).and_then(|checker| checker.check(proof, syntax, stop)),
            Steps::Lrat => taken::<Lrat>(formula, stop).and_then(|checker| checker.check(proof, syntax, stop)),
            Steps::VeriPb => taken::<CuttingPlanes>(formula, stop).and_then(|checker| checker.check(proof, stop)),
        };
        match checked {
            Ok(Checked { additions, .. }) => Ok(Proved::Steps { form, encoding: encoding.clone(), additions }),
            Err(Unproved::Unreadable(error)) => Err(error.into()),
            Err(why) => Err(NotChecked::Unproved { encoding: encoding.to_string().into(), why: Box::new(why) }),
        }
    }
}

/// Compares a formula in a file with the clauses of an encoding, clause by clause and in order.
///
/// # Errors
///
/// [`NotChecked`] if the file cannot be read or a clause differs.
pub fn same_clauses(tours: &Tours, encoding: &Encoding, file: impl Read) -> Result<(), NotChecked> {
    let mut given = Flat::default();
    read_dimacs(file, &mut given)?;
    let formula = Formula::new(encoding.clone(), &proof_instance(tours)?)?;
    let (mut rest, mut clause) = (given.0.as_slice(), 1);
    let compared = each_clause(&formula, |literals| {
        let wanted = literals.iter().map(|literal| literal.to_ipasir()).chain([0]);
        let (found, left) = rest.split_at_checked(literals.len() + 1).ok_or(())?;
        if !found.iter().copied().eq(wanted) {
            return Err(());
        }
        (rest, clause) = (left, clause + 1);
        Ok(())
    });
    match compared {
        Ok(()) if rest.is_empty() => Ok(()),
        _ => Err(NotChecked::OtherClauses { encoding: encoding.to_string().into(), clause }),
    }
}

/// Clauses in sequence, each followed by a 0.
#[derive(Default)]
struct Flat(Vec<i32>);

impl ClauseSink for Flat {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        self.0.extend(literals.iter().map(|literal| literal.to_ipasir()));
        self.0.push(0);
    }
}

/// Passes all clauses of the formula to a new checker, and returns the checker.
fn taken<C: ClauseSink + Default>(formula: &impl Clauses, stop: &dyn Fn() -> bool) -> Result<C, Unproved> {
    let (mut checker, mut is_stopped) = (C::default(), now_and_then(stop));
    each_clause(formula, |literals| match is_stopped() {
        true => Err(Unproved::Stopped { steps: 0 }),
        false => {
            checker.clause(literals);
            Ok(())
        }
    })?;
    Ok(checker)
}
