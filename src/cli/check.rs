//! `hamcnf check`: checks tours in files.

use std::path::PathBuf;

use hamcnf::TourKind;
use hamcnf::render::file::ReadError;

use super::exit::{DONE, WRONG};
use super::{input, output, show};

/// Check tours in files move by move
///
/// Reads the same formats as `hamcnf show`, written by any program. If a tour is wrong, prints its first wrong move.
/// Exit codes: 0 all tours are valid, 1 at least one is not.
#[derive(clap::Args)]
#[command(
    alias = "validate",
    after_help = "Examples:
  hamcnf check tour.json
  hamcnf solve 8x8 --json | hamcnf check -
  hamcnf solve 10x10 --piece zebra | hamcnf check -
  echo a1 b3 a5 | hamcnf check -          exit code 1: it visits 3 of 10 squares
  echo 1 2 3 4 | hamcnf check - --graph cycle:4
  hamcnf check tour.txt --graph graph.col
  hamcnf check found.tour --graph 8x8.hcp  a tour from LKH
  hamcnf check path.tour --graph graph.col --open
  hamcnf check grid.txt                    rows of numbers, as in papers"
)]
pub(crate) struct Args {
    /// Files with tours; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    hints: show::TourHints,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    // All files are read before anything is printed. Unreadable input ends the command with an error. Readable input
    // that is not a tour in any format counts as an invalid tour.
    let reader = show::Reader::new(&args.hints)?;
    let mut files = Vec::new();
    for path in &args.files {
        let claims = match reader.read(path) {
            Ok(claims) => Ok(claims),
            Err(error) => match error.downcast_ref::<ReadError>() {
                Some(wrong) if wrong.reason.is_no_tour() => Err(wrong.to_string()),
                _ => return Err(error),
            },
        };
        files.push((input::name(path), claims));
    }
    let mut all = true;
    output::print(|out| {
        for (name, claims) in &files {
            let claims = match claims {
                Ok(claims) => claims,
                Err(wrong) => {
                    all = false;
                    writeln!(out, "{name}: not a tour: {wrong}")?;
                    continue;
                }
            };
            let several = claims.len() > 1;
            for (number, claim) in (1..).zip(claims) {
                let which = match several {
                    true => format!("{name}, tour {number}"),
                    false => name.clone(),
                };
                let instance = claim.instance();
                match claim.check() {
                    Ok(tour) => {
                        let n = tour.order().len();
                        let vertices = match (instance.squares().is_some(), n) {
                            (true, 1) => "the only square",
                            (false, 1) => "the only vertex",
                            (true, _) => &format!("all {n} squares"),
                            (false, _) => &format!("all {n} vertices"),
                        };
                        let moves = match n - usize::from(instance.kind() == TourKind::Open) {
                            1 => "1 valid move".to_owned(),
                            moves => format!("{moves} valid moves"),
                        };
                        writeln!(out, "{which}: {instance}: a tour that visits {vertices} once with {moves}")?;
                    }
                    Err(wrong) => {
                        all = false;
                        writeln!(out, "{which}: {instance}: not a tour: {wrong}")?;
                    }
                }
            }
        }
        Ok(())
    })?;
    Ok(if all { DONE } else { WRONG })
}
