//! `hamcnf encodings`: lists the bases and refinements of encodings.

use std::io::{self, Write};
use std::process::ExitCode;

use hamcnf::base::Base;
use hamcnf::encoding;
use hamcnf::refine::Refinement;
use serde::Serialize;
use tabled::builder::Builder;
use tabled::settings::{Padding, Style, object::Columns};

use super::output;

/// Print the encodings and the refinements that combine with them
///
/// An encoding is a base with refinements in any order, such as successor+parity+windows=full. In the list, the value in
/// brackets means that the refinement is off. Some bases switch refinements on, as listed after "with"; to switch one
/// off, give the value in brackets, as in counting+orientation=free.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf solve 14x14 -e successor+parity
  hamcnf encode 8x8 -e binary+windows=full+orientation=fixed -o 8x8.cnf
  hamcnf sizes 8x8 -e lfsr,remainder=4x3x5x7,espresso")]
pub(crate) struct Args {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (bases, refinements) = (encoding::bases(), encoding::refinements());
    output::print(|out| {
        if args.json {
            let json = Json {
                bases: bases.iter().map(JsonBase::of).collect(),
                refinements: refinements.iter().map(JsonRefinement::of).collect(),
            };
            return output::json(out, &json);
        }
        writeln!(out, "Bases")?;
        let bases = bases.iter();
        columns(
            out,
            bases.map(|base| {
                let with = match base.with {
                    [] => String::new(),
                    with => format!(" (with {})", with.join(", ")),
                };
                [base.name.to_owned(), format!("{}{with}", base.says)]
            }),
        )?;
        writeln!(out, "\nRefinements")?;
        let refinements = refinements.iter();
        columns(
            out,
            refinements.map(|refinement| {
                let values = refinement.values.split(", ").map(|value| match value {
                    absent if absent == refinement.absent => format!("[{absent}]"),
                    value => value.to_owned(),
                });
                let values = values.collect::<Vec<_>>().join(", ");
                let says = format!("{}: {values}", refinement.says);
                [refinement.name.to_owned(), says]
            }),
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn columns(out: &mut dyn Write, rows: impl Iterator<Item = [String; 2]>) -> io::Result<()> {
    let mut table = Builder::default();
    rows.for_each(|row| table.push_record(row));
    let mut table = table.build();
    table.with(Style::blank());
    table.modify(Columns::first(), Padding::new(2, 1, 0, 0));
    let text = table.to_string();
    text.lines().try_for_each(|line| writeln!(out, "{}", line.trim_end()))
}

/// Object that `--json` prints.
#[derive(Serialize)]
struct Json {
    bases: Vec<JsonBase>,
    refinements: Vec<JsonRefinement>,
}

#[derive(Serialize)]
struct JsonBase {
    name: &'static str,
    says: &'static str,
    /// Default refinements of the base.
    with: &'static [&'static str],
    boards_only: bool,
}

impl JsonBase {
    fn of(base: &Base) -> Self {
        Self { name: base.name, says: base.says, with: base.with, boards_only: base.offers.boards_only }
    }
}

#[derive(Serialize)]
struct JsonRefinement {
    name: &'static str,
    says: &'static str,
    values: Vec<&'static str>,
    /// Value that is equivalent to leaving the refinement out.
    absent: &'static str,
    /// Feature that a base must have for the refinement.
    needs: &'static str,
}

impl JsonRefinement {
    fn of(refinement: &Refinement) -> Self {
        Self {
            name: refinement.name,
            says: refinement.says,
            values: refinement.values.split(", ").collect(),
            absent: refinement.absent,
            needs: refinement.needs,
        }
    }
}
