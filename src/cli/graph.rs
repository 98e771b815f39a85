//! `hamcnf graph`: what a graph is, and the same graph in another format.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hamcnf::formats::{self, Format, WriteError};
use hamcnf::question::Place;
use hamcnf::{Graph, Named, Numbering, Shape};
use serde::Serialize;

use super::instance::{Piece, Where, named, warn_of};
use super::output::{self, Made};

/// Say what a graph is, or write it in another format
///
/// Without --to and --output it prints how many vertices and edges there are, their degrees, and whether the graph is
/// connected and bipartite; of a file also how it was read. What is written numbers vertices from 1, the squares of a
/// board row by row.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf graph 8x8                                  64 vertices, 168 edges, bipartite
  hamcnf graph 8x8 -o 8x8.hcp                       the board's moves for TSPLIB's readers
  hamcnf graph graph.txt --graph-format edges --to dimacs
  zstdcat graph.zst | hamcnf graph - --json | jq .components")]
pub(crate) struct Args {
    #[command(flatten)]
    site: Where,
    #[command(flatten)]
    piece: Piece,
    /// Write the graph in this format [default: by the ending of --output: .col is dimacs, .hcp tsplib, .txt and .edges
    /// edges-header]
    #[arg(long, value_name = "FORMAT", value_parser = named::<Format>())]
    to: Option<Format>,
    /// The file to write, compressed if it ends in .gz or .zst; standard output for - or nothing
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print a JSON object for programs
    #[arg(long, conflicts_with_all = ["to", "output"])]
    json: bool,
}

/// A graph and how it came.
struct Found {
    graph: Graph,
    read: Option<(Format, Numbering)>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let place = args.piece.on(&args.site.place()?)?;
    let found = match &place {
        Place::Board(board) => Found {
            graph: board.graph(),
            read: None,
        },
        Place::Family(family) => Found {
            graph: family.graph().clone(),
            read: None,
        },
        Place::Graph(text) => {
            let listed = text.read()?;
            if let Some(isolated) = &listed.isolated {
                warn_of(text, isolated);
            }
            Found {
                graph: listed.graph,
                read: Some((listed.format, listed.numbering)),
            }
        }
    };
    if args.to.is_some() || args.output.is_some() {
        let format = match args.to {
            Some(format) => format,
            None => of_ending(args.output.as_deref())?,
        };
        output::to(args.output.as_deref(), |mut out| {
            formats::write(format, &found.graph, &mut out).map_err(|error| match error {
                // As it is, so that whoever reads no further is told from a full disk.
                WriteError::Io(error) => error.into(),
                WriteError::Isolated(_) => error.into(),
            })
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let facts = Facts::new(&place, &found);
    output::print(|out| match args.json {
        true => output::json(out, &Made::here(&facts)),
        false => print(out, &facts),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The format that a file's name asks for; DIMACS where it has no ending, or goes to standard output.
fn of_ending(output: Option<&Path>) -> anyhow::Result<Format> {
    let name = output.and_then(Path::file_name).unwrap_or_default();
    let name = name.to_string_lossy().to_ascii_lowercase();
    let packed = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
    let name = packed.unwrap_or(&name);
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("hcp") => Ok(Format::Tsplib),
        Some("txt" | "edges") => Ok(Format::EdgesHeader),
        None | Some("col" | "dimacs" | "gr" | "graph") => Ok(Format::Dimacs),
        Some(ending) => anyhow::bail!(
            "no format of graphs ends in .{ending}: .col is dimacs, .hcp tsplib, .txt and .edges edges-header; or say it \
             with --to"
        ),
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Facts {
    instance: String,
    /// How it was read, if it is not a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    /// The number of the first vertex in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u32>,
    vertices: u32,
    edges: u32,
    least_degree: Option<usize>,
    greatest_degree: Option<usize>,
    components: u32,
    /// How many vertices have each colour; nothing if the graph is not bipartite.
    bipartite: Option<[u32; 2]>,
}

impl Facts {
    fn new(place: &Place, found: &Found) -> Self {
        let shape = Shape::of(&found.graph.clone().into());
        Self {
            instance: place.to_string(),
            format: found.read.map(|(format, _)| format.as_str()),
            first: found.read.map(|(_, numbering)| numbering.first()),
            vertices: found.graph.n_vertices(),
            edges: found.graph.n_edges(),
            least_degree: shape.degrees.map(|(least, _)| least),
            greatest_degree: shape.degrees.map(|(_, greatest)| greatest),
            components: shape.components,
            bipartite: shape.colours,
        }
    }
}

fn print(out: &mut dyn Write, facts: &Facts) -> io::Result<()> {
    let Facts {
        instance,
        vertices,
        edges,
        components,
        ..
    } = facts;
    writeln!(out, "{instance}: {vertices} vertices, {edges} edges")?;
    if let (Some(format), Some(first)) = (facts.format, facts.first) {
        writeln!(out, "read as {format}, vertices numbered from {first}")?;
    }
    if let (Some(least), Some(greatest)) = (facts.least_degree, facts.greatest_degree) {
        writeln!(out, "degrees from {least} to {greatest}")?;
    }
    match components {
        0 | 1 => writeln!(out, "connected")?,
        n => writeln!(out, "not connected: {n} components")?,
    }
    match facts.bipartite {
        Some([a, b]) => writeln!(out, "bipartite: {a} and {b} vertices"),
        None => writeln!(out, "not bipartite"),
    }
}
