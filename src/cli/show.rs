//! `hamcnf show`: tours from files, drawn.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use hamcnf::question::{Place, Words};
use hamcnf::render::file::{self, Claim};
use hamcnf::render::svg;
use hamcnf::{Graph, Instance, Leaper, Tour, VertexNames};

use super::drawing::{self, Canvas, Drawn, Look, Subject};
use super::input;
use super::number::whole;
use super::output;

/// Draw tours from files, in the terminal or as a picture
///
/// Reads the JSON that --render and --json of other commands write, numbered boards in box-drawing
/// characters, lines of squares in order, and TSPLIB's tours. Every tour is checked before it is drawn; several tours make
/// one sheet.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf show tour.json
  hamcnf show tour.json -o tour.png --numbers
  hamcnf show 8x8.tour -o tour.svg
  hamcnf show found.tour --graph 8x8.hcp -o ring.svg    what LKH found
  hamcnf show one.json two.json three.txt -o sheet.svg --columns 3
  hamcnf solve 8x8 --json | hamcnf show - -o tour.svg --animate
  echo a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3 | hamcnf show -")]
pub(crate) struct Args {
    /// Files with tours; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    unsaid: Unsaid,
    /// Draw into a file instead: .svg, .png, .txt or .json, or .tour for TSPLIB's
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

/// What files do not say: the piece, or the graph.
#[derive(clap::Args)]
pub(crate) struct Unsaid {
    /// The piece, where a file does not say it: a leaper that jumps A squares one way and B the other [default:
    /// 1,2, the knight]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    leaper: Option<Leaper>,
    /// The graph that the tours are of, a file or one of a family: each line of names or numbers of vertices is a tour, as in
    /// what `hamcnf solve` prints, and TSPLIB's tours are numbered from 1 in the order of the file
    #[arg(long, value_name = "GRAPH", conflicts_with = "leaper")]
    graph: Option<Words>,
}

/// A graph that tours are held against.
struct Against {
    name: String,
    graph: Graph,
    names: VertexNames,
}

impl Against {
    fn of(words: &Words) -> anyhow::Result<Self> {
        if words.kind.is_some() || words.start.is_some() {
            bail!("'{words}' is about tours: name the graph alone");
        }
        let (graph, names) = match &words.place {
            Place::Board(_) => {
                bail!(
                    "{words} is a board, and --graph is for graphs: tours in files say their board"
                )
            }
            place => {
                let found = place.found()?;
                (found.graph, found.names)
            }
        };
        Ok(Self {
            name: words.place.to_string(),
            graph,
            names,
        })
    }
}

/// Reads tours in files.
pub(crate) struct Reader {
    leaper: Option<Leaper>,
    against: Option<Against>,
}

impl Reader {
    /// One that knows what files do not say.
    pub(crate) fn new(unsaid: &Unsaid) -> anyhow::Result<Self> {
        let against = unsaid.graph.as_ref().map(Against::of).transpose()?;
        let leaper = unsaid.leaper;
        Ok(Self { leaper, against })
    }

    /// The tours in a file, of which nothing is checked yet.
    pub(crate) fn read(&self, path: &Path) -> anyhow::Result<Vec<Claim>> {
        let cannot = || format!("cannot read {}", input::name(path));
        let text = input::text(path).with_context(cannot)?;
        let claims = match &self.against {
            Some(Against { name, graph, names }) => file::read_on(&text, name, graph, names),
            None => file::read(&text, self.leaper),
        };
        claims.with_context(cannot)
    }
}

/// A tour, and what is written above it.
struct Checked {
    caption: String,
    instance: Instance,
    tour: Tour,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.look.check(args.output.as_slice(), "--output")?;
    let reader = Reader::new(&args.unsaid)?;
    let mut tours = Vec::new();
    for path in &args.files {
        let name = input::name(path);
        let claims = reader.read(path)?;
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
