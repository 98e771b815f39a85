//! All ways to a tour or to their number, by the names that the commands have for them.

use std::fmt;
use std::str::FromStr;

use hamcnf_encodings::{Encoding, Formula, Instance, Named, NoSuchName, TourKind, encoding};

use crate::count::external::Counter;
use crate::count::{Method, Start, frontier, timeslice};
use crate::search::MethodName;

/// A way to answer a question about a board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// CaDiCaL on an encoding: `hamcnf solve`.
    Encoding(Encoding),
    /// A search without clauses: `hamcnf tour`.
    Search(MethodName),
    /// Counting: `hamcnf count`.
    Count(Method),
}

impl Way {
    /// What searches are called.
    pub const SEARCH: &str = "search";

    /// All of them: encodings, searches, counts.
    pub fn all() -> impl Iterator<Item = Self> {
        let bases = encoding::bases().into_iter();
        let encodings = bases.filter_map(|base| Some(Self::Encoding(base.name.parse().ok()?)));
        let searches = MethodName::ALL.iter().map(|&name| Self::Search(name));
        let counts = Method::ALL.iter().map(|&method| Self::Count(method));
        encodings.chain(searches).chain(counts)
    }

    /// Whether it needs nothing but this program.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.counter().is_none()
    }

    /// The model counter that it needs, with its own settings.
    #[must_use]
    pub fn counter(&self) -> Option<Counter> {
        match self {
            Self::Count(method) => method.counter(),
            Self::Encoding(_) | Self::Search(_) => None,
        }
    }

    /// Whether it can be asked about instances like this one.
    #[must_use]
    pub fn is_for(&self, instance: &Instance) -> bool {
        match self {
            Self::Encoding(encoding) => {
                !encoding.offers().boards_only || instance.board().is_some()
            }
            Self::Search(_) | Self::Count(_) => true,
        }
    }

    /// Why it is not for this instance, as far as that is known before anything is done.
    #[must_use]
    pub fn refusal(&self, instance: &Instance) -> Option<String> {
        let encoded = |encoding: Encoding| {
            let formula = Formula::new(encoding, instance);
            formula.err().map(|error| error.to_string())
        };
        let named = |name: &str| encoded(name.parse().ok()?);
        match self {
            Self::Encoding(encoding) => encoded(encoding.clone()),
            Self::Search(_) => None,
            Self::Count(Method::Exact | Method::Sample | Method::Zdd) => {
                let fits = frontier::fits(instance, Start::Given);
                fits.err().map(|error| error.to_string())
            }
            Self::Count(Method::Timeslice) => {
                let fits = timeslice::fits(instance, &timeslice::Options::default());
                fits.err().map(|error| error.to_string())
            }
            Self::Count(Method::Enumerate) => named("binary"),
            Self::Count(Method::Approxmc | Method::Ganak) => named("counting"),
        }
    }

    /// What it is, for readers of a table.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Encoding(_) => "encoding",
            Self::Search(_) => Self::SEARCH,
            Self::Count(_) => "count",
        }
    }

    /// The arguments of `hamcnf` for it, with an answer for programs.
    #[must_use]
    pub fn args(&self, instance: &Instance, time_limit: f64) -> Vec<String> {
        let (command, option) = match self {
            Self::Encoding(_) => ("solve", "--encoding"),
            Self::Search(_) => ("tour", "--method"),
            Self::Count(_) => ("count", "--method"),
        };
        let mut args = vec![command.to_owned(), instance.name().to_owned()];
        if instance.kind() == TourKind::Open {
            args.push("--open".to_owned());
        }
        for (option, value) in [
            ("--start", instance.vertex_name(instance.start())),
            (option, self.to_string()),
            ("--time-limit", time_limit.to_string()),
        ] {
            args.extend([option.to_owned(), value]);
        }
        args.push("--json".to_owned());
        args
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding(name) => name.fmt(f),
            Self::Search(name) => name.fmt(f),
            Self::Count(method) => method.fmt(f),
        }
    }
}

impl FromStr for Way {
    type Err = NoSuchName;

    fn from_str(text: &str) -> Result<Self, NoSuchName> {
        let named = Self::all().find(|way| way.to_string() == text);
        let encoded = || Some(Self::Encoding(text.parse().ok()?));
        named.or_else(encoded).ok_or_else(|| {
            let names: Vec<_> = Self::all().map(|way| way.to_string()).collect();
            NoSuchName {
                of: "method",
                name: text.to_owned(),
                known: names.join(", "),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_has_a_name_of_its_own() {
        for way in Way::all() {
            assert_eq!(way.to_string().parse(), Ok(way));
        }
        assert!("guess".parse::<Way>().is_err());
    }
}
