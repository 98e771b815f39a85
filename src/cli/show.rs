//! `hamcnf show`: tours from files, drawn.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use hamcnf::render::file::{self, Claim};
use hamcnf::render::svg;
use hamcnf::{Instance, Leaper, Tour};

use super::drawing::{self, Canvas, Drawn, Look, Subject};
use super::input;
use super::number::whole;
use super::output;

/// Draw tours from files, in the terminal or as a picture
///
/// Reads the JSON that --render and --json of other commands write, numbered boards in box-drawing
/// characters, and lines of squares in order. Every tour is checked before it is drawn; several tours make
/// one sheet.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf show tour.json
  hamcnf show tour.json -o tour.png --numbers
  hamcnf show one.json two.json three.txt -o sheet.svg --columns 3
  hamcnf solve 8x8 --json | hamcnf show - -o tour.svg --animate
  echo a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3 | hamcnf show -")]
pub(crate) struct Args {
    /// Files with tours; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    piece: Unsaid,
    /// Draw into a file instead: .svg, .png, .txt or .json
    #[arg(long, short, value_name = "FILE", value_parser = Canvas::named)]
    output: Option<Canvas>,
    /// How many tours the picture has side by side [default: about as many as one below the other]
    #[arg(
        long,
        value_name = "N",
        requires = "output",
        value_parser = whole(1..=u32::MAX),
        allow_negative_numbers = true
    )]
    columns: Option<u32>,
    #[command(flatten)]
    look: Look,
}

/// The piece of files that do not say it.
#[derive(clap::Args)]
pub(crate) struct Unsaid {
    /// The piece, where a file does not say it: a leaper that jumps A squares one way and B the other [default:
    /// 1,2, the knight]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    leaper: Option<Leaper>,
}

/// A tour, and what is written above it.
struct Checked {
    caption: String,
    instance: Instance,
    tour: Tour,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.look.check(args.output.as_slice(), "--output")?;
    let mut tours = Vec::new();
    for path in &args.files {
        let name = input::name(path);
        let claims = read(path, &args.piece)?;
        let several = claims.len() > 1;
        for (number, claim) in (1..).zip(claims) {
            let instance = claim.instance().clone();
            let tour = match claim.check() {
                Ok(tour) => tour,
                Err(wrong) => bail!("tour {number} in {name} is none: {wrong}"),
            };
            let stem = path.file_stem().filter(|_| path.as_os_str() != "-");
            let stem = stem.map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
            let caption = match (stem.as_str(), several) {
                ("", _) => number.to_string(),
                (_, true) => format!("{stem} {number}"),
                (_, false) => stem,
            };
            tours.push(Checked {
                caption,
                instance,
                tour,
            });
        }
    }
    let captioned = tours.len() > 1;
    let drawn: Vec<_> = tours
        .iter()
        .map(|checked| Drawn {
            caption: captioned.then(|| checked.caption.clone()),
            subject: Subject::Tour(&checked.instance, &checked.tour),
        })
        .collect();
    if let Some(canvas) = &args.output {
        let columns = args.columns.map(|n| n as usize);
        let squares = tours.iter().map(|checked| u64::from(checked.instance.n()));
        let svg = svg::bytes_of_tour(squares.sum(), args.look.style());
        drawing::announce(std::slice::from_ref(canvas), svg);
        drawing::draw(canvas, &drawn, columns, args.look.style())?;
        return Ok(ExitCode::SUCCESS);
    }
    output::print(|out| {
        for (k, checked) in tours.iter().enumerate() {
            let Checked {
                caption,
                instance,
                tour,
            } = checked;
            if k > 0 {
                writeln!(out)?;
            }
            if captioned {
                write!(out, "{caption}: ")?;
            }
            writeln!(out, "{}\n", drawing::checked(instance))?;
            write!(out, "{}", drawing::in_terminal(instance, tour))?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The tours in a file, of which nothing is checked yet.
pub(crate) fn read(path: &Path, piece: &Unsaid) -> anyhow::Result<Vec<Claim>> {
    let cannot = || format!("cannot read {}", input::name(path));
    let text = input::text(path).with_context(cannot)?;
    file::read(&text, piece.leaper).with_context(cannot)
}
