//! `hamcnf encodings`: lists the bases and refinements of encodings.

use std::io::{self, Write};

use hamcnf::base::Base;
use hamcnf::encoding;
use hamcnf::refine::Refinement;
use serde_json::{Value, json};
use tabled::builder::Builder;
use tabled::settings::{Padding, Style, object::Columns};

use super::exit::DONE;
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

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let (bases, refinements) = (encoding::bases(), encoding::refinements());
    output::print(|out| {
        if args.json {
            let bases: Vec<_> = bases.iter().map(base_object).collect();
            let refinements: Vec<_> = refinements.iter().map(refinement_object).collect();
            return output::json(out, &json!({ "bases": bases, "refinements": refinements }));
        }
        writeln!(out, "Bases")?;
        let bases = bases.iter().map(|base| {
            let with = match base.with {
                [] => String::new(),
                with => format!(" (with {})", with.join(", ")),
            };
            [base.name.to_owned(), format!("{}{with}", base.says)]
        });
        columns(out, bases)?;
        writeln!(out, "\nRefinements")?;
        let refinements = refinements.iter().map(|refinement| {
            let values = refinement.values.split(", ").map(|value| match value {
                absent if absent == refinement.absent => format!("[{absent}]"),
                value => value.to_owned(),
            });
            let values = values.collect::<Vec<_>>().join(", ");
            [refinement.name.to_owned(), format!("{}: {values}", refinement.says)]
        });
        columns(out, refinements)
    })?;
    Ok(DONE)
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

/// Returns the object that `--json` prints about a base; `with` are its default refinements.
fn base_object(base: &Base) -> Value {
    json!({ "name": base.name, "says": base.says, "with": base.with, "boards_only": base.offers.boards_only })
}

/// Returns the object that `--json` prints about a refinement. The value `absent` is equivalent to leaving the refinement
/// out; `needs` is a feature that a base must have for the refinement.
fn refinement_object(refinement: &Refinement) -> Value {
    let values: Vec<_> = refinement.values.split(", ").collect();
    let Refinement { name, says, absent, needs, .. } = refinement;
    json!({ "name": name, "says": says, "values": values, "absent": absent, "needs": needs })
}
