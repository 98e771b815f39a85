//! `hamcnf check`: are these tours?

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use hamcnf::question::{Place, Words};
use hamcnf::render::file::{self, Claim, ReadError};
use hamcnf::{Graph, Numbering, TourKind};

use super::{input, output, show};

/// Check tours in files move by move
///
/// Reads what `hamcnf show` reads, from any program. Says what is right, or the first move that is wrong. The
/// exit code is 0 if all are tours, and 1 if one is not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf check tour.json
  hamcnf solve 8x8 --json | hamcnf check -
  hamcnf tour 10x10 --leaper 2,3 | hamcnf check -
  echo a1 b3 a5 | hamcnf check -          exit code 1: it visits 3 of 10 squares
  echo 1 2 3 4 | hamcnf check - --graph cycle:4
  hamcnf check tour.txt --graph graph.col")]
pub(crate) struct Args {
    /// Files with tours; - for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    piece: show::Unsaid,
    /// The graph that the tours are of, a file or one of a family: each line of numbers of vertices is a tour, as in what
    /// `hamcnf solve` prints
    #[arg(long, value_name = "GRAPH", conflicts_with = "leaper")]
    graph: Option<Words>,
}

/// A graph that tours are held against.
struct Against {
    name: String,
    graph: Graph,
    numbering: Numbering,
}

impl Against {
    fn of(words: &Words) -> anyhow::Result<Self> {
        if words.kind.is_some() || words.start.is_some() {
            bail!("'{words}' is about tours: name the graph alone");
        }
        let (graph, numbering) = match &words.place {
            Place::Board(_) => {
                bail!(
                    "{words} is a board, and --graph is for graphs: tours in files say their board"
                )
            }
            Place::Family(family) => (family.graph().clone(), Numbering::default()),
            Place::Graph(text) => {
                let listed = text.read()?;
                (listed.graph, listed.numbering)
            }
            Place::Given(given) => (Graph::clone(&given.graph), given.numbering),
        };
        Ok(Self {
            name: words.place.to_string(),
            graph,
            numbering,
        })
    }

    fn read(&self, path: &Path) -> anyhow::Result<Vec<Claim>> {
        let cannot = || format!("cannot read {}", input::name(path));
        let text = input::text(path).with_context(cannot)?;
        file::read_on(&text, &self.name, &self.graph, self.numbering).with_context(cannot)
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // All are read before anything is said: what cannot be read is neither right nor wrong, but for what is no tour
    // whatever was meant.
    let against = args.graph.as_ref().map(Against::of).transpose()?;
    let mut files = Vec::new();
    for path in &args.files {
        let claims = match &against {
            Some(against) => against.read(path),
            None => show::read(path, &args.piece),
        };
        let claims = match claims {
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
                        let (vertices, moves) = match (instance.squares(), instance.kind()) {
                            (Some(_), TourKind::Closed) => ("squares", n),
                            (Some(_), TourKind::Open) => ("squares", n - 1),
                            (None, TourKind::Closed) => ("vertices", n),
                            (None, TourKind::Open) => ("vertices", n - 1),
                        };
                        writeln!(
                            out,
                            "{which}: {instance}: a tour, all {n} {vertices} once, all {moves} moves right"
                        )?;
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
    Ok(ExitCode::from(if all { 0 } else { NOT_A_TOUR }))
}

/// The code if one of them is no tour.
const NOT_A_TOUR: u8 = 1;
