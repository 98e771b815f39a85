//! `hamcnf graph`: facts about graphs, and conversion to other formats.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::ValueHint;
use hamcnf::budget::Budget;
use hamcnf::count::frontier::Bytes;
use hamcnf::endpoints::Endpoints;
use hamcnf::features::Features;
use hamcnf::formats::{self, Format, Remark, WriteError};
use hamcnf::question::{Files, GraphSource};
use hamcnf::run::Share;
use hamcnf::{AnyGraph, Encoding, Formula, Instance, Shape, TourKind, Vertex, VertexNames, obstruction};
use serde::Serialize;
use tabled::Table;
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use super::complain;
use super::complete;
use super::exit::WRONG;
use super::formula::gbd_hash;
use super::instance::{EncodingParser, GraphFormat, Piece, Seed, format, places, warn_of};
use super::mistake;
use super::output::{self, Format as Printed, Made};
use super::output_file::OutputFile;
use super::progress::Progress;
use super::several;
use super::topics;
use super::verbosity::note;
use super::word::Word;

/// Describe graphs, or write a graph in another format
///
/// Without --to and --output, prints the size, degrees, connectivity, bipartition, cut vertices, bridges, a treewidth
/// bound and a checksum of the edges. If a cheap check proves that there is no closed tour, also prints the reason. For
/// several graphs, prints a table with one line each; the exit code is 1 if a graph cannot be read. In written graphs,
/// vertices are numbered from 1; the squares of a board are numbered row by row. Vertex names in the input are kept if
/// the output format has names.
#[derive(clap::Args)]
#[command(after_help = format!("{}

{}

Examples:
  hamcnf graph 8x8                                  64 vertices, 168 edges, bipartite
  hamcnf graph 8x8 -o 8x8.hcp                       the board's moves as a TSPLIB file
  hamcnf graph graph.txt --graph-format edges --to dimacs
  hamcnf graph 'gnp 30 .2 planted' --seed 7 -o graph.col
  hamcnf graph graphs/*.col --format csv > features.csv
  hamcnf graph 6x6 8x8 -e binary --format csv       with each formula's GBD hash
  hamcnf graph graph.graphml -o graph.g6            from any format to any other
  zstdcat graph.zst | hamcnf graph - --json | jq .components", topics::formats(), topics::families()))]
pub(crate) struct Args {
    #[arg(value_name = "BOARD|GRAPH", add = complete::places(), help = places(), required = true)]
    places: Vec<Word>,
    #[command(flatten)]
    graphs: GraphFormat,
    #[command(flatten)]
    piece: Piece,
    #[command(flatten)]
    seed: Seed,
    /// Write the graph in this format [default: chosen by the file extension of --output]
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    to: Option<Format>,
    /// Output file, compressed if its name ends in .gz or .zst; - is standard output [default: -]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<OutputFile>,
    /// Write the graph even if the format needs more than 1 GiB for it
    #[arg(long = "try")]
    try_it: bool,
    /// Add the Global Benchmark Database (GBD) hash of the formula for closed tours in this encoding
    #[arg(long, short, value_parser = EncodingParser, add = complete::encodings(), conflicts_with_all = ["to", "output"])]
    encoding: Option<Encoding>,
    /// Output format, with a line for each graph; --json is short for --format json [default: sentences for one graph,
    /// a table for several]
    #[arg(long, value_enum, conflicts_with_all = ["to", "output"])]
    format: Option<Printed>,
    /// Print a JSON object, or a JSON array for several graphs
    #[arg(long, conflicts_with_all = ["to", "output", "format"])]
    json: bool,
}

/// Graph with its source.
struct Found {
    source: GraphSource,
    graph: AnyGraph,
    read: Option<(Format, VertexNames)>,
    /// True if the text names edges that every tour uses.
    has_fixed: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = match (args.format, args.json) {
        (_, true) => Some(Printed::Json),
        (format, _) => format,
    };
    let writes = args.to.is_some() || args.output.is_some();
    let files = Files::default();
    match args.places.as_slice() {
        [word] => match (graphs(args, word, &files)?, writes) {
            (Graphs::One(found), true) => {
                write(args, std::iter::once(Ok(*found)))?;
                Ok(ExitCode::SUCCESS)
            }
            (Graphs::One(found), false) => {
                let facts = Facts::new(args, *found)?;
                print(&[facts], format)?;
                Ok(ExitCode::SUCCESS)
            }
            (Graphs::Several(graphs), true) => {
                write(args, graphs)?;
                Ok(ExitCode::SUCCESS)
            }
            (several, false) => describe(args, format, 1, std::iter::once(Ok(several))),
        },
        _ if writes => {
            bail!("cannot write the graphs of several files at once: name only one file")
        }
        words => {
            let graphs = words.iter().map(|word| graphs(args, word, &files));
            describe(args, format, words.len() as u64, graphs)
        }
    }
}

/// Prints a table with a line for each graph of the arguments.
fn describe<'a>(
    args: &Args,
    format: Option<Printed>,
    of: u64,
    words: impl Iterator<Item = anyhow::Result<Graphs<'a>>>,
) -> anyhow::Result<ExitCode> {
    let format = format.unwrap_or(Printed::Table);
    let mut all = Vec::new();
    let mut is_first = true;
    let mut code = ExitCode::SUCCESS;
    let mut progress = Progress::new(format_args!("reading graphs"));
    for (done, graphs) in (0..).zip(words) {
        let share = Share { done, of };
        progress.show_share(Some(share), None, format_args!("{done} of {of} graphs"));
        let graphs: Each<'_> = match graphs {
            Ok(Graphs::One(found)) => Box::new(std::iter::once(Ok(*found))),
            Ok(Graphs::Several(graphs)) => graphs,
            Err(error) => Box::new(std::iter::once(Err(error))),
        };
        for found in graphs {
            match found.and_then(|found| Facts::new(args, found)) {
                // Rows are printed as they arrive, and not kept.
                Ok(facts) if format == Printed::Csv => {
                    output::print(|out| output::csv_row(out, &facts.features, is_first))?;
                    is_first = false;
                }
                Ok(facts) => all.push(facts),
                Err(error) => {
                    complain(&format!("{error:#}"));
                    code = ExitCode::from(WRONG);
                }
            }
        }
    }
    progress.clear();
    if format != Printed::Csv {
        print(&all, Some(format))?;
    }
    Ok(code)
}

/// Graphs of an argument.
enum Graphs<'a> {
    One(Box<Found>),
    /// Graphs of a text with a graph per line, of a folder, or of a range of boards.
    Several(Each<'a>),
}

/// Graphs, or the reasons why they cannot be loaded.
type Each<'a> = Box<dyn Iterator<Item = anyhow::Result<Found>> + 'a>;

/// Returns the graphs that an argument names: several for a text with a graph per line, a folder, or a range of boards,
/// otherwise one.
fn graphs<'a>(args: &Args, word: &Word, files: &'a Files) -> anyhow::Result<Graphs<'a>> {
    let source = source_of(args, word)?;
    Ok(match several::questions(&source.clone().into(), files)? {
        Some(several) => Graphs::Several(Box::new(several.map(|spec| load(spec?.source, files)))),
        None => Graphs::One(Box::new(load(source, files)?)),
    })
}

/// Returns the graph source that an argument names.
fn source_of(args: &Args, word: &Word) -> anyhow::Result<GraphSource> {
    let spec = match &word.spec {
        Ok(spec) => args.graphs.of(spec)?,
        Err(wrong) => bail!("{}", mistake::graph_mistake(&word.text, wrong)),
    };
    if !spec.is_source_alone() {
        bail!("\"{spec}\" is a question about tours: name only the board or the graph");
    }
    args.seed.of(args.piece.on(&spec.source)?)
}

fn load(source: GraphSource, files: &Files) -> anyhow::Result<Found> {
    let loaded = source.load(files)?;
    if let Some(text) = loaded.source.place() {
        warn_of(text, &loaded.remarks);
    }
    Ok(Found {
        source: loaded.source.clone(),
        read: loaded.format.map(|format| (format, loaded.names.clone())),
        has_fixed: loaded.remarks.iter().any(|remark| matches!(remark, Remark::Fixed(_))),
        graph: loaded.into_graph(),
    })
}

/// Writes the graphs in the requested format. Several graphs are possible only in formats with one graph per line.
fn write(args: &Args, mut graphs: impl Iterator<Item = anyhow::Result<Found>>) -> anyhow::Result<()> {
    let format = match args.to {
        Some(format) => format,
        None => of_ending(args.output.as_deref())?,
    };
    let first = graphs.next();
    if !format.is_line && graphs.next().is_some() {
        bail!(
            "a {format} file can hold only one graph, but the input has several: choose one with --graph-number 1, or write graph6 or sparse6"
        );
    }
    output::to(args.output.as_deref(), |out| {
        let mut out = BufWriter::new(out);
        for found in first.into_iter().chain(graphs) {
            let found = found?;
            let n = found.graph.n_vertices();
            let bytes = format.bytes_of_matrix(&found.graph);
            if let Some(bytes) = bytes.filter(|&bytes| bytes > MOST_BYTES && !args.try_it) {
                bail!(
                    "{}: the format {format} needs {} for {n} vertices, however few the edges: use --to sparse6 or dimacs, or --try to write the file anyway",
                    found.source,
                    Bytes(bytes)
                );
            }
            if found.has_fixed {
                note(&format!(
                    "{}: the fixed edges are not written as such; pass --force U-V for each of them",
                    found.source
                ));
            }
            let names = found.read.map(|(_, names)| names).unwrap_or_default();
            let written = formats::write_named(format, &found.graph, &names, &mut out);
            written.map_err(|error| match error {
                // The I/O error is kept, so that a closed pipe can be distinguished from a full disk.
                WriteError::Io(error) => anyhow::Error::from(error),
                error => error.into(),
            })?;
        }
        Ok(out.flush()?)
    })
}

/// Greatest number of bytes of a graph that is written without being asked for.
const MOST_BYTES: u64 = 1 << 30;

/// Returns the graph format that the extension of the file name selects. Names without extension and standard output
/// select DIMACS.
fn of_ending(output: Option<&Path>) -> anyhow::Result<Format> {
    let output = output.unwrap_or(Path::new("-"));
    match (Format::of_file(output), formats::ending(output)) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(Format::DIMACS),
        (None, Some(ending)) => {
            bail!("unknown graph file ending .{ending}: use one of {}, or choose a format with --to", endings())
        }
    }
}

/// Lists the file name extensions of all formats.
fn endings() -> String {
    let all = Format::all().into_iter().flat_map(|format| format.endings);
    let all: Vec<_> = all.map(|ending| format!(".{ending}")).collect();
    all.join(", ")
}

/// Object that `--json` prints.
#[derive(Serialize)]
struct Facts {
    instance: String,
    /// Format of the graph's file; `None` for a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    /// Kind of vertex names. The values are those of the field `numbering` of records.
    numbering: &'static str,
    /// Least vertex number in the file; `None` if the vertices have no numbers in the file.
    #[serde(skip)]
    first: Option<u32>,
    vertices: u32,
    edges: u32,
    /// Number of arcs of a digraph; the other facts are about its underlying undirected graph.
    #[serde(skip_serializing_if = "Option::is_none")]
    arcs: Option<u32>,
    least_degree: Option<usize>,
    mean_degree: Option<f64>,
    greatest_degree: Option<usize>,
    components: u32,
    bipartite: bool,
    /// Number of vertices of each colour in a 2-colouring; `None` if the graph is not bipartite.
    #[serde(skip_serializing_if = "Option::is_none")]
    colours: Option<[u32; 2]>,
    cut_vertices: u32,
    bridges: u32,
    /// Upper bound of the treewidth; `None` if its computation took too long.
    width_bound: Option<u32>,
    /// CRC-32 of the edges, for boards too.
    graph_crc32: String,
    /// Reason why there is no closed tour; `None` if no infeasibility check finds a reason.
    obstruction: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gbd_hash: Option<String>,
    /// Description of the graph's family; `None` if the graph does not belong to a family.
    #[serde(skip)]
    family: Option<&'static str>,
    /// Reason why there is no closed tour, as a sentence.
    #[serde(skip)]
    why: Option<String>,
    /// Values for the columns of tables.
    #[serde(skip)]
    features: Features,
}

impl Facts {
    fn new(args: &Args, found: Found) -> anyhow::Result<Self> {
        let Found { source, graph, read, .. } = found;
        let name = source.to_string();
        let checksum = format!("{:08x}", graph.digraph().crc32());
        let arcs = graph.undirected().is_none().then(|| graph.n_edges());
        let first = Vertex::new(0);
        // Facts are printed even if the graph is too small for closed tours.
        let instance = match &source {
            GraphSource::Board(board) => Instance::on_holed(board.clone(), TourKind::Closed, first),
            _ => Instance::on(name.clone(), graph.clone(), TourKind::Closed, first).map(|instance| match &read {
                Some((_, names)) => instance.called(names.clone()),
                None => instance,
            }),
        };
        let facts;
        let (facts, found) = match &instance {
            Ok(instance) => (instance.facts(), obstruction(instance, Endpoints::Closed)),
            Err(_) => {
                facts = hamcnf::Facts::from(graph.underlying().into_owned());
                (&facts, None)
            }
        };
        let why = match (&instance, &found) {
            (Ok(instance), Some(found)) => Some(found.said(instance).to_string()),
            _ => None,
        };
        let hash = match (&args.encoding, instance.as_ref()) {
            (None, _) => None,
            (Some(_), Err(error)) => bail!("{error}"),
            (Some(encoding), Ok(instance)) => {
                let formula = Formula::new(encoding.clone(), instance)?;
                Some(gbd_hash(&formula, instance.name())?)
            }
        };
        let kind = found.map(|found| found.kind());
        let family = match &source {
            GraphSource::Family(family) => Some(family.says()),
            _ => None,
        };
        let features = Features {
            // As in result rows, a board has no checksum, because its name identifies it.
            graph_crc32: match source {
                GraphSource::Board(_) => String::new(),
                _ => checksum.clone(),
            },
            gbd_hash: hash.clone(),
            ..Features::of_graph(name.clone(), facts, kind, &Budget::default())
        };
        Ok(Self {
            instance: name,
            format: read.as_ref().map(|(format, _)| format.as_str()),
            numbering: match (matches!(source, GraphSource::Board(_)), &read) {
                (true, _) => "squares",
                (false, Some((_, names))) => names.kind(),
                (false, None) => VertexNames::default().kind(),
            },
            first: read.and_then(|(_, names)| match names {
                VertexNames::Numbers(numbering) => Some(numbering.first()),
                VertexNames::Words(_) => None,
            }),
            vertices: features.vertices,
            edges: features.edges,
            arcs,
            least_degree: features.least_degree,
            mean_degree: features.mean_degree,
            greatest_degree: features.greatest_degree,
            components: features.components,
            bipartite: features.bipartite,
            colours: Shape::of(facts).colours,
            cut_vertices: features.cut_vertices,
            bridges: features.bridges,
            width_bound: features.width_bound,
            graph_crc32: checksum,
            obstruction: kind,
            gbd_hash: hash,
            family,
            why,
            features,
        })
    }
}

/// Prints facts. A single graph is described in sentences unless the user selects a format.
fn print(all: &[Facts], format: Option<Printed>) -> anyhow::Result<()> {
    output::print(|out| match (format, all) {
        (None, all) => all.iter().try_for_each(|facts| words(out, facts)),
        (Some(Printed::Json), [facts]) => output::json(out, &Made::here(facts)),
        (Some(Printed::Json), all) => {
            let made: Vec<_> = all.iter().map(Made::here).collect();
            output::json(out, &made)
        }
        (Some(_), []) => Ok(()),
        (Some(Printed::Csv), all) => {
            let rows: Vec<_> = all.iter().map(|facts| &facts.features).collect();
            output::csv(out, &rows)
        }
        (Some(Printed::Table), all) => writeln!(out, "{}", table(all).with(Style::rounded())),
        (Some(Printed::Markdown), all) => writeln!(out, "{}", table(all).with(Style::markdown())),
    })
}

/// Returns the features of all graphs as a table with readable headings.
fn table(all: &[Facts]) -> Table {
    let heading = Features::columns().iter().map(|name| name.replace('_', " "));
    let mut rows = Builder::default();
    rows.push_record(heading);
    for Facts { features, .. } in all {
        let known = |value: Option<String>| value.unwrap_or_default();
        rows.push_record([
            features.question.clone(),
            features.graph_crc32.clone(),
            features.vertices.to_string(),
            features.edges.to_string(),
            known(features.least_degree.map(|degree| degree.to_string())),
            known(features.mean_degree.map(|degree| format!("{degree:.2}"))),
            known(features.greatest_degree.map(|degree| degree.to_string())),
            features.components.to_string(),
            if features.bipartite { "yes" } else { "no" }.to_owned(),
            features.cut_vertices.to_string(),
            features.bridges.to_string(),
            known(features.width_bound.map(|width| width.to_string())),
            known(features.obstruction.clone()),
            known(features.gbd_hash.clone()),
        ]);
    }
    let mut table = rows.build();
    table.modify(Columns::new(2..12), Alignment::right());
    table
}

fn words(out: &mut dyn Write, facts: &Facts) -> io::Result<()> {
    let Facts { instance, vertices, edges, components, cut_vertices, bridges, .. } = facts;
    let word = |n: u64, one: &'static str, many| if n == 1 { one } else { many };
    writeln!(
        out,
        "{instance}: {vertices} {}, {edges} {}",
        word(u64::from(*vertices), "vertex", "vertices"),
        word(u64::from(*edges), "edge", "edges")
    )?;
    match (facts.format, facts.first) {
        (Some(format), Some(first)) => {
            writeln!(out, "read as {format}, vertices numbered from {first}")?;
        }
        (Some(format), None) => writeln!(out, "read as {format}, vertices with names")?,
        (None, _) => {}
    }
    if let Some(says) = facts.family {
        writeln!(out, "family: {says}")?;
    }
    if let Some(arcs) = facts.arcs {
        let arc = word(u64::from(arcs), "arc", "arcs");
        writeln!(out, "directed, {arcs} {arc}; the facts below are about the underlying undirected graph")?;
    }
    if let (Some(least), Some(greatest), Some(mean)) = (facts.least_degree, facts.greatest_degree, facts.mean_degree) {
        writeln!(out, "degrees from {least} to {greatest}, mean {mean:.2}")?;
    }
    match components {
        0 | 1 => writeln!(out, "connected")?,
        n => writeln!(out, "not connected: {n} components")?,
    }
    match facts.colours {
        Some([a, b]) => writeln!(out, "bipartite: {a} and {b} vertices")?,
        None => writeln!(out, "not bipartite")?,
    }
    writeln!(out, "cut vertices: {cut_vertices}, bridges: {bridges}")?;
    match facts.width_bound {
        Some(width) => writeln!(out, "treewidth at most {width}")?,
        None => writeln!(out, "treewidth: the computation of a bound took too long")?,
    }
    writeln!(out, "checksum of the edges (CRC-32): {}", facts.graph_crc32)?;
    if let Some(why) = &facts.why {
        writeln!(out, "no closed tour: {why}")?;
    }
    match &facts.gbd_hash {
        Some(hash) => writeln!(out, "GBD hash of the formula: {hash}"),
        None => Ok(()),
    }
}
