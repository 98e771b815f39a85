//! `hamcnf figures`: the figures of a text, held against rows of results.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use hamcnf::report::figures::Figures;

use super::{exit_code, output};

/// Hold the figures of a text against rows of results
///
/// A file says which figures a text has: the words around them, and the rows that they come from. The exit code is 1 if one of
/// them is not what the rows give, and if a number of a section that is to have no others comes from nowhere.
#[derive(clap::Args)]
#[command(after_help = "A file of figures has
  whole      headings under which every number is one of these
  given      words with numbers that come from elsewhere
  [[figures]]
    says     words, with {} for each figure
    are      for each of them
               rows                           the name of an experiment
               question, method, seed, status which of its rows; any where they are left out
               take   rows, asked, answered, answer, value, least, greatest, median, geometric-mean or limit
               of     cpu_seconds, solve_seconds, wall_seconds, peak_kib, clauses, or a counter such as conflicts
               over   what it is divided by, in the same way
               unit, digits, letters          how it is written

Examples:
  hamcnf figures README.md
  hamcnf figures README.md --update
  hamcnf figures paper.tex --from figures.toml --results rows")]
pub(crate) struct Args {
    /// The text
    #[arg(value_name = "TEXT")]
    text: PathBuf,
    /// The file that says where its figures come from
    #[arg(long, value_name = "FILE", default_value = "experiments/figures.toml")]
    from: PathBuf,
    /// The folder with the rows
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
    /// Write the figures that the rows give into the text
    #[arg(long)]
    update: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let name = args.text.display();
    let figures = Figures::read(&args.from)?;
    let text = fs::read_to_string(&args.text).with_context(|| format!("cannot read {name}"))?;
    let held = figures.hold(&text, &args.results)?;
    let of = |what: &String| format!("{name}: {what}");
    let mut faults: Vec<_> = held.amiss.iter().map(of).collect();
    if !args.update {
        faults.extend(held.wrong.iter().map(of));
    } else if held.mended != text {
        output::to(Some(&args.text), |out| {
            Ok(out.write_all(held.mended.as_bytes())?)
        })?;
    }
    output::print(|out| {
        let (wrong, all) = (held.wrong.len(), held.n_figures);
        match (args.update, wrong) {
            (_, 0) => writeln!(out, "{name}: {all} figures, all as the rows give them"),
            (true, _) => writeln!(out, "{name}: {all} figures, {wrong} of them changed"),
            (false, _) => writeln!(out, "{name}: {all} figures, {wrong} of them wrong"),
        }
    })?;
    Ok(exit_code(&faults))
}
