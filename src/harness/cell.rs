//! What a row is about: an instance under an encoding, or one that is searched, in the words of the command
//! line.

use std::fmt;

use hamcnf_encodings::{Encoding, EncodingError, Instance, TourKind};

use crate::search::MethodName;

/// An instance and an encoding with its options, as words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// The board.
    pub instance: String,
    /// Closed or open.
    pub tours: String,
    /// The start's name.
    pub start: String,
    /// The encoding, or the method of a search.
    pub encoding: String,
    /// Its pruning; empty for a search.
    pub pruning: String,
    /// Its at-most-one encoding; empty for a search.
    pub at_most_one: String,
    /// Its orientation; empty for open tours, which have but one, and for a search.
    pub orientation: String,
}

impl Cell {
    /// The cell of an instance under an encoding.
    #[must_use]
    pub fn new(instance: &Instance, encoding: &Encoding) -> Self {
        let value = |name| encoding.value_of(name).unwrap_or_default();
        Self {
            instance: instance.name().to_owned(),
            tours: instance.kind().to_string(),
            start: instance.vertex_name(instance.start()),
            encoding: plain(encoding),
            pruning: value("windows"),
            at_most_one: value("at-most-one"),
            orientation: orientation(instance.kind(), encoding),
        }
    }

    /// The cell of an instance that is searched without clauses.
    #[must_use]
    pub fn searched(instance: &Instance, method: MethodName) -> Self {
        Self {
            instance: instance.name().to_owned(),
            tours: instance.kind().to_string(),
            start: instance.vertex_name(instance.start()),
            encoding: method.to_string(),
            pruning: String::new(),
            at_most_one: String::new(),
            orientation: String::new(),
        }
    }

    /// The method, if it is a search.
    #[must_use]
    pub fn search(&self) -> Option<MethodName> {
        self.encoding.parse().ok()
    }

    /// The encoding with its options.
    ///
    /// # Errors
    ///
    /// The first word that names nothing: for a search that of the encoding.
    pub fn encoded(&self) -> Result<Encoding, EncodingError> {
        let encoding: Encoding = self.encoding.parse()?;
        let refinements = [
            ("windows", &self.pruning),
            ("at-most-one", &self.at_most_one),
            ("orientation", &self.orientation),
        ];
        let said = refinements.iter().filter(|(_, value)| !value.is_empty());
        said.clone().try_fold(encoding, |encoding, (name, value)| {
            encoding.with(&format!("{name}={value}"))
        })
    }

    /// The encoding, or the method of a search, in a table.
    #[must_use]
    pub fn encoding_name(&self) -> String {
        let encoding = self.encoded().map(|encoding| encoding.to_string());
        encoding.unwrap_or_else(|_| self.encoding.clone())
    }

    /// The name and version of what solves it.
    #[must_use]
    pub fn solver(&self) -> String {
        match self.search() {
            Some(_) => concat!("hamcnf ", env!("CARGO_PKG_VERSION")).to_owned(),
            None => crate::solve::signature().to_owned(),
        }
    }

    /// The arguments with which commands take it.
    #[must_use]
    pub fn args(&self) -> Vec<String> {
        let mut args = vec![self.instance.clone()];
        if self.tours == TourKind::Open.to_string() {
            args.push("--open".to_owned());
        }
        let way = match self.search() {
            Some(_) => "--method",
            None => "--encoding",
        };
        for (option, value) in [("--start", self.start.clone()), (way, self.encoding_name())] {
            args.extend([option.to_owned(), value]);
        }
        args
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            instance,
            tours,
            start,
            encoding,
            ..
        } = self;
        write!(f, "{instance} {tours} from {start}, ")?;
        match self.encoded() {
            Ok(encoding) => encoding.fmt(f),
            Err(_) => f.write_str(encoding),
        }
    }
}

/// How rows say the orientation: nothing for open tours, which have but one.
pub(super) fn orientation(kind: TourKind, encoding: &Encoding) -> String {
    match kind {
        TourKind::Closed => encoding.value_of("orientation").unwrap_or_default(),
        TourKind::Open => String::new(),
    }
}

/// The orientation of a row, where rows that were made before it was recorded have nothing.
pub(super) fn recorded(orientation: &str, encoding: &str, tours: &str) -> String {
    match encoding.parse::<Encoding>() {
        Ok(encoding) if orientation.is_empty() && tours == TourKind::Closed.to_string() => {
            encoding.value_of("orientation").unwrap_or_default()
        }
        _ => orientation.to_owned(),
    }
}

/// An encoding without what has a column of its own, if nothing else is said of it.
fn plain(encoding: &Encoding) -> String {
    let base = encoding.base().parse::<Encoding>();
    let value = |name| encoding.value_of(name).unwrap_or_default();
    let columns = ["windows", "at-most-one", "orientation"];
    let rebuilt = columns.iter().try_fold(base, |base, name| {
        Ok::<_, EncodingError>(base?.with(&format!("{name}={}", value(name))))
    });
    match rebuilt {
        Ok(Ok(rebuilt)) if rebuilt == *encoding => encoding.base().to_owned(),
        _ => encoding.to_string(),
    }
}
