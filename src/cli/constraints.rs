//! Options for constraints. Each kind of constraint has an option of the same name. The option `--constraints` names a
//! file with one constraint per line.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use hamcnf::constraint::{self, ConstraintKind};
use hamcnf::question::ConstraintSpec;

use super::input;

/// Constraints from options, grouped by kind, and files with further constraints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraints {
    given: Vec<ConstraintSpec>,
    files: Vec<PathBuf>,
}

const FILE: &str = "constraints";

impl Args for Constraints {
    fn augment_args(command: Command) -> Command {
        let command = constraint::ALL.iter().fold(command, |command, kind| {
            let option = Arg::new(kind.name)
                .long(kind.name)
                .value_name(kind.value)
                .help(capitalized(kind.summary))
                .help_heading("Constraints")
                .allow_hyphen_values(true)
                .value_parser(NonEmptyStringValueParser::new())
                .action(ArgAction::Append);
            command.arg(option)
        });
        let file = Arg::new(FILE)
            .long(FILE)
            .value_name("FILE")
            .help("Read constraints from a file, one on each line, such as 'force a1-c2' or 'at c3=17'")
            .help_heading("Constraints")
            .value_parser(value_parser!(PathBuf))
            .action(ArgAction::Append);
        command.arg(file)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// Returns the text with a capital letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

impl FromArgMatches for Constraints {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = constraint::ALL.iter().flat_map(|&kind| {
            let values = matches.get_many::<String>(kind.name).unwrap_or_default();
            values.map(move |value| ConstraintSpec { kind, value: value.clone() })
        });
        let files = matches.get_many::<PathBuf>(FILE).unwrap_or_default();
        Ok(Self { given: given.collect(), files: files.cloned().collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Constraints {
    /// Returns the constraints from the options, followed by the constraints from the files, each with its file and
    /// line.
    pub(crate) fn all(&self) -> anyhow::Result<Vec<(ConstraintSpec, Option<String>)>> {
        let given = self.given.iter();
        let mut all: Vec<_> = given.map(|spec| (spec.clone(), None)).collect();
        for file in &self.files {
            let name = input::name(file);
            let text = input::text(file).with_context(|| format!("cannot read {name}"))?;
            for (number, line) in (1..).zip(text.lines()) {
                let place = format!("{name}, line {number}");
                let line = line.split('#').next().unwrap_or_default().trim();
                if line.is_empty() {
                    continue;
                }
                let words = line.split_once(char::is_whitespace);
                let kind = words.and_then(|(kind, value)| Some((ConstraintKind::named(kind)?, value.trim())));
                match kind {
                    Some((kind, value)) if !value.contains(char::is_whitespace) => {
                        let value = value.to_owned();
                        all.push((ConstraintSpec { kind, value }, Some(place)));
                    }
                    _ => {
                        let names: Vec<_> = constraint::ALL.iter().map(|kind| kind.name).collect();
                        bail!(
                            "{place}: \"{line}\" is not a constraint; write one of {} and its value, such as \"force a1-c2\"",
                            names.join(", ")
                        )
                    }
                }
            }
        }
        Ok(all)
    }
}
