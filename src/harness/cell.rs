//! What a row is about: an instance under an encoding, in the words of the command line.

use std::fmt;

use hamcnf_encodings::{Encoding, Instance, TourKind};

/// An instance and an encoding with its options, as words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell {
    /// The board.
    pub instance: String,
    /// Closed or open.
    pub tours: String,
    /// The start's name.
    pub start: String,
    /// The encoding.
    pub encoding: String,
    /// Its pruning.
    pub pruning: String,
    /// Its at-most-one encoding.
    pub at_most_one: String,
}

impl Cell {
    /// The cell of an instance under an encoding.
    #[must_use]
    pub fn new(instance: &Instance, encoding: Encoding) -> Self {
        Self {
            instance: instance.name().to_owned(),
            tours: instance.kind().to_string(),
            start: instance.vertex_name(instance.start()),
            encoding: encoding.name.to_string(),
            pruning: encoding.options.pruning.to_string(),
            at_most_one: encoding.options.at_most_one.to_string(),
        }
    }

    /// The arguments with which commands take it.
    #[must_use]
    pub fn args(&self) -> Vec<String> {
        let mut args = vec![self.instance.clone()];
        if self.tours == TourKind::Open.to_string() {
            args.push("--open".to_owned());
        }
        for (option, value) in [
            ("--start", &self.start),
            ("--encoding", &self.encoding),
            ("--pruning", &self.pruning),
            ("--at-most-one", &self.at_most_one),
        ] {
            args.extend([option.to_owned(), value.clone()]);
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
            pruning,
            at_most_one,
        } = self;
        write!(
            f,
            "{instance} {tours} from {start}, {encoding}, pruning {pruning}, at-most-one {at_most_one}"
        )
    }
}
