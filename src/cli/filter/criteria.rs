//! Properties that graphs must have or lack. Each property in the library's list has two command-line options: one that
//! requires the property, and one that excludes it.

use std::fmt;
use std::str::FromStr;

use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use hamcnf::properties::{PROPERTIES, Property};

use crate::cli::number::MustBe;

/// Heading of these options in help.
const HEADING: &str = "Properties";

const CYCLES: &str = "cycles";

/// Requested properties. A graph matches if it satisfies all requests.
#[derive(Clone, Default)]
pub(super) struct Criteria {
    /// Properties, each with a flag: true if graphs must have the property, false if they must lack it.
    pub(super) properties: Vec<(&'static Property, bool)>,
    /// Range of the number of Hamiltonian cycles.
    pub(super) cycles: Option<Range>,
}

impl Criteria {
    pub(super) fn is_empty(&self) -> bool {
        self.properties.is_empty() && self.cycles.is_none()
    }

    /// Returns the names of the columns for the properties.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static str> + '_ {
        let names = self.properties.iter().map(|(property, _)| property.name);
        names.chain(self.cycles.map(|_| CYCLES))
    }

    /// Returns the first line of the rows as CSV.
    pub(super) fn heading(&self) -> String {
        let first = ["file", "line", "graph", "vertices", "edges"];
        let all: Vec<_> = first.into_iter().chain(self.columns()).chain(["match"]).collect();
        format!("{}\n", all.join(","))
    }
}

fn negation(property: &Property) -> String {
    format!("not-{}", property.name)
}

impl clap::Args for Criteria {
    fn augment_args(command: Command) -> Command {
        let flag = |name: String| {
            let arg = Arg::new(name.clone()).long(name);
            arg.action(ArgAction::SetTrue).help_heading(HEADING)
        };
        let with_properties = PROPERTIES.iter().fold(command, |command, property| {
            let has = flag(property.name.to_owned()).help(format!("The graph {}", property.summary));
            let lacks = flag(negation(property)).hide(true).conflicts_with(property.name);
            command.arg(has).arg(lacks)
        });
        let cycles = Arg::new(CYCLES)
            .long(CYCLES)
            .value_name("MIN..MAX")
            .value_parser(|text: &str| text.parse::<Range>())
            .help_heading(HEADING)
            .help("The number of Hamiltonian cycles is in this range, bounds included. Other forms: N, MIN.., ..MAX, or .. (any number)");
        with_properties.arg(cycles)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Criteria {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let properties = PROPERTIES.iter().filter_map(|property| {
            let has = matches.get_flag(property.name);
            let lacks = matches.get_flag(&negation(property));
            (has || lacks).then_some((property, has))
        });
        Ok(Self { properties: properties.collect(), cycles: matches.get_one(CYCLES).copied() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Range of numbers, bounds included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) least: u64,
    /// Greatest number; `None` for no limit.
    pub(super) most: Option<u64>,
}

impl Range {
    /// Returns a number n such that either all numbers from n upwards are in the range, or none of them is.
    pub(super) fn enough(self) -> u64 {
        self.most.map_or(self.least, |most| most.saturating_add(1))
    }
}

impl FromStr for Range {
    type Err = MustBe;

    fn from_str(text: &str) -> Result<Self, MustBe> {
        let wrong = || MustBe("a number or a range of numbers, such as 3, 2..5, 2.. or ..5".to_owned());
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
        let Some((least, most)) = text.split_once("..") else {
            let only = number(text)?;
            return Ok(Self { least: only, most: Some(only) });
        };
        // Other programs write the last number after `..=` if it is included.
        let most = most.strip_prefix('=').unwrap_or(most);
        let least = if least.is_empty() { 0 } else { number(least)? };
        let most = if most.is_empty() { None } else { Some(number(most)?) };
        match most {
            Some(most) if most < least => {
                Err(MustBe(format!("a range that begins with the smaller number, such as {most}..{least}")))
            }
            _ => Ok(Self { least, most }),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.most {
            Some(most) => write!(f, "{}..{most}", self.least),
            None => write!(f, "{}..", self.least),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_include_their_bounds() {
        let read = |text: &str| text.parse::<Range>().map(|range| (range.to_string(), range.enough()));
        let is = |text: &str, enough| Ok((text.to_owned(), enough));
        assert_eq!(read("3"), is("3..3", 4));
        assert_eq!(read("2..5"), is("2..5", 6));
        assert_eq!(read("2..=5"), is("2..5", 6));
        assert_eq!(read("2.."), is("2..", 2));
        assert_eq!(read("..5"), is("0..5", 6));
        assert_eq!(read(".."), is("0..", 0));
        assert_eq!(read("0"), is("0..0", 1));
        for wrong in ["", "a", "1.5", "-1", "1..x", "1...2", "1-2"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        let error = read("5..2").unwrap_err().to_string();
        assert!(error.ends_with("such as 2..5"), "{error}");
    }
}
